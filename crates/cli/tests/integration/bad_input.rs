//! Every way an input can be wrong: one clear diagnostic, the right exit code, nothing half written.

use crate::common::{DOT, PLAIN_DOT, Scratch, example};

#[test]
fn files_that_cannot_be_read() {
    let scratch = Scratch::new("files");
    let check = |name: &str, parts: &[&str]| {
        scratch.run(["check", name, "--machine", "cpu8"]).fails(1, &[name]).fails(1, parts);
    };
    check("missing.mlir", &["there is no such file"]);
    scratch.file("empty.mlir", "");
    check("empty.mlir", &["the file is empty"]);
    // Inputs that are missing are told before there is a plan.
    scratch.file("plain.mlir", PLAIN_DOT);
    let missing = scratch.run(["check", "plain.mlir", "--machine", "cpu8", "--inputs", "missing.npz"]);
    assert_eq!(missing.fails(1, &["missing.npz", "there is no such file"]).out, "");
    scratch.file("latin.mlir", b"func.func @main() {\n  // caf\xe9\n}\n");
    check("latin.mlir", &["not UTF-8", "byte 28", "line 2 at column 9"]);
    scratch.file("bytecode.mlir", b"ML\xefR\x0dStableHLO");
    check("bytecode.mlir", &["MLIR bytecode", "as_text()"]);
    std::fs::create_dir(scratch.path("folder")).unwrap();
    check("folder", &["this is a folder"]);
    scratch.file("short.mlir", &DOT[..DOT.len() - 3]);
    check("short.mlir", &["short.mlir:4:", "cut off"]);
    scratch.file("prose.mlir", "Dear compiler,\n");
    check("prose.mlir", &["prose.mlir:1:1"]);
}

#[test]
fn every_error_of_a_program_is_shown_with_its_line() {
    let scratch = Scratch::new("types");
    let text = "func.func @main(%a: tensor<8x4xf32>, %b: tensor<4x2xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %a, %b : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.transpose %0, dims = [0, 0] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
";
    scratch.file("types.mlir", text);
    scratch.line("eval types.mlir").fails(
        1,
        &[
            "types.mlir:2:",
            "types.mlir:3:",
            "2 | ",
            "%0 = stablehlo.add %a, %b",
            "^^^",
            "stablehlo.transpose",
            "2 problems",
        ],
    );
    let short = scratch.line("eval types.mlir --diagnostics short").fails(1, &[]);
    assert_eq!(short.err.lines().count(), 2, "{}", short.err);
    let json = scratch.line("eval types.mlir --json").fails(1, &[]);
    let first: serde_json::Value = serde_json::from_str(json.err.lines().next().unwrap()).unwrap();
    assert_eq!((&first["line"], &first["file"]), (&2.into(), &"types.mlir".into()));
    scratch.file("unknown.mlir", text.replace("stablehlo.transpose", "stablehlo.transmogrify"));
    scratch.line("eval unknown.mlir").fails(1, &["unknown.mlir:3:8", "stablehlo.transmogrify"]);
}

#[test]
fn people_are_shown_the_first_of_many_errors() {
    let scratch = Scratch::new("many");
    let lines: String = (0..30).map(|line| format!("  %{line} = stablehlo.transmogrify\n")).collect();
    scratch.file("many.mlir", format!("func.func @main() {{\n{lines}  return\n}}\n"));
    let human = scratch.line("eval many.mlir").fails(1, &["30 problems, 10 of them not shown here"]);
    assert_eq!(human.err.matches("error[").count(), 20, "{}", human.err);
    for flags in ["--json", "--diagnostics short"] {
        let all = scratch.line(&format!("eval many.mlir {flags}")).fails(1, &[]);
        assert_eq!(all.err.lines().count(), 30, "{}", all.err);
    }
}

#[test]
fn shardings_that_do_not_fit() {
    let scratch = Scratch::new("shardings");
    for (sharding, parts) in [
        ("[{\"z\"}, {}]", ["no axis \"z\"", "its axes are \"x\", \"y\""]),
        ("[{\"x\"}, {\"x\"}]", ["\"x\" is used twice", "only one dim"]),
        ("[{\"x\"}]", ["1 dim, but the tensor has 2", "one {...} per dim"]),
        ("[{\"x\", \"y\"}, {\"x\":(1)2}]", ["used twice", "only one dim"]),
        ("[{}, {\"y\":(1)3}]", ["does not fit axis \"y\"", "divide"]),
    ] {
        scratch.file("s.mlir", DOT.replace("[{\"x\"}, {\"y\"}]", sharding));
        for command in
            ["check s.mlir --machine cpu8", "propagate s.mlir -o o.mlir", "partition s.mlir -o o.mlir"]
        {
            scratch.line(command).fails(1, &["s.mlir:2:", "error[sharding]"]).fails(1, &parts);
        }
    }
    scratch.file("s.mlir", DOT.replace("16x4", "6x4").replace("8x16", "8x6"));
    // Sizes need not divide.
    scratch.line("check s.mlir --machine cpu8").succeeds();
    assert_eq!(scratch.names(), ["s.mlir"]);
}

#[test]
fn meshes_that_do_not_fit_the_machine() {
    let scratch = Scratch::new("meshes");
    scratch.file("dot.mlir", DOT);
    scratch.file("plain.mlir", PLAIN_DOT);
    let both = ["has 16 devices", "has 8"];
    scratch.line("check plain.mlir --machine cpu8 --mesh a=4,b=4").fails(2, &both);
    scratch.line("check dot.mlir --machine h100:2x8").fails(1, &["dot.mlir:1:1", "has 8 devices", "has 16"]);
    let other_axes = ["the given mesh a=2,b=4 does not fit", "written for x=2,y=4", "no axis \"x\""];
    let failed = scratch.line("check dot.mlir --machine cpu8 --mesh a=2,b=4").fails(2, &other_axes);
    assert!(!failed.err.contains("dot.mlir"), "{}", failed.err);
    scratch.line("check dot.mlir --machine cpu8 --mesh 8").fails(2, &["the given mesh x=8 does not fit"]);
    scratch.line("check dot.mlir --machine cpu8 --mesh x=2,x=4").fails(2, &["named twice"]);
    scratch.line("check plain.mlir --machine cpu8 --search none").fails(1, &["no mesh", "--mesh"]);
    scratch.line("partition plain.mlir -o local.mlir").fails(1, &["no mesh"]);
    assert_eq!(scratch.names(), ["dot.mlir", "plain.mlir"]);
}

#[test]
fn wrong_usage() {
    let scratch = Scratch::new("usage");
    scratch.file("dot.mlir", DOT);
    scratch.file("plain.mlir", PLAIN_DOT);
    scratch.line("plan dot.mlir").fails(2, &["--machine"]);
    scratch.line("check plain.mlir").fails(2, &["--machine"]);
    // As many devices as the mesh has.
    scratch.line("check dot.mlir").succeeds().says(&["on cpu8:8"]);
    scratch.line("check dot.mlir --machine cpu9").fails(2, &["did you mean `cpu8`?"]);
    scratch.line("check dot.mlir --machine cpu8 --mesh two").fails(2, &["not a size"]);
    scratch.line("check dot.mlir --machine cpu8 --int-range 5..5").fails(2, &["holds no number"]);
    scratch.line("check dot.mlir --machine cpu8 --dump-after nothing").fails(2, &["the stages are read, "]);
    scratch.line("check dot.mlir --machine cpu8 --stop-after nothing").fails(2, &["the stages are read, "]);
    scratch.line("partition dot.mlir -o - --without-pass nothing").fails(2, &["duplicates, ", "dead-code"]);
    scratch.line("check dot.mlir --machine cpu8 --memory-limit lots").fails(2, &["memory"]);
    scratch.line("eval dot.mlir").fails(2, &["2 arguments", "--inputs"]);
    scratch.file("own.toml", "name = 3\n");
    scratch.line("check dot.mlir --machine own.toml").fails(1, &["own.toml:1:"]);
}

#[test]
fn a_program_that_cannot_fit_says_what_would_do() {
    let scratch = Scratch::new("memory");
    let arguments =
        ["plan", &example("mlp_annotated.mlir"), "--machine", "cpu8", "-o", "plan.json", "--memory-limit"];
    let with = |limit: &str| scratch.run(arguments.iter().copied().chain([limit]));
    let failed =
        with("8KiB").fails(3, &["mlp_annotated.mlir:", "only 8.0 KiB", "--memory-limit ", "recomputing"]);
    let failed = failed.says(&["What takes the memory", "shrinks with the batch", "mlp_annotated.mlir:"]);
    assert_eq!(scratch.names(), [""; 0]);
    // The limit that it names does.
    let limit = failed.err.split("--memory-limit ").nth(1).unwrap();
    let limit: String = limit.chars().take_while(char::is_ascii_digit).collect();
    with(&limit).succeeds();
    // State that does not fit is not the batch's fault.
    with("1KiB").fails(3, &["neither smaller batches nor recomputing would help"]);
    let json = scratch.run(arguments.iter().copied().chain(["1KiB", "--json"])).fails(3, &["does-not-fit"]);
    assert_eq!(json.json()["fits"], false);
}

#[test]
fn arrays_of_wrong_name_shape_or_type() {
    let scratch = Scratch::new("arrays");
    let model = example("mlp_annotated.mlir");
    let with = |inputs: &str| scratch.run(["check", &model, "--machine", "cpu8", "--inputs", inputs]);
    with("missing.npz").fails(1, &["missing.npz", "there is no such file"]);
    scratch.file("text.npz", "not an archive");
    with("text.npz").fails(1, &["text.npz", "no .npz file"]);
    // The results have other names and another number; the GPT's arguments other shapes.
    with(&example("mlp_annotated.out.npz")).fails(1, &["5 arrays are needed, 4 are there"]);
    with(&example("gpt.in.npz")).fails(1, &["5 arrays are needed, 89 are there"]);
    let wrong_shape = DOT.replace("8x16", "8x32").replace("16x4", "32x4");
    scratch.file("dot.mlir", DOT);
    scratch.file("wide.mlir", wrong_shape);
    scratch.file("half.mlir", DOT.replace("f32", "bf16"));
    scratch.file(
        "make.mlir",
        "func.func @main() -> (tensor<8x16xf32>, tensor<16x4xf32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<8x16xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<16x4xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<16x4xf32>
}
",
    );
    scratch.line("eval make.mlir --outputs made.npz").succeeds();
    scratch.line("check dot.mlir --machine cpu8 --inputs made.npz").succeeds();
    let wide = scratch.line("check wide.mlir --machine cpu8 --inputs made.npz");
    wide.fails(1, &["made.npz", "out0", "8x32xf32", "out1"]);
    let half = scratch.line("eval half.mlir --inputs made.npz --outputs out.npz");
    half.fails(1, &["out0", "bf16"]);
    assert!(!scratch.path("out.npz").exists());
}

#[test]
fn batches_that_are_not_there() {
    let scratch = Scratch::new("batches");
    scratch.file("dot.mlir", DOT);
    scratch.line("compile dot.mlir --machine cpu8 -o compiled").succeeds();
    let with = |batches: &str| scratch.line(&format!("run compiled --batches {batches}"));
    with("missing.npz").fails(1, &["missing.npz", "there is no such file", "check the path"]);
    with("compiled").fails(1, &["compiled", "this is a folder", "an npz file"]);
}

#[test]
fn plans_that_do_not_fit() {
    let scratch = Scratch::new("plans");
    scratch.file("dot.mlir", DOT);
    scratch.line("plan dot.mlir --machine cpu8 -o plan.json").succeeds();
    let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
    let with = |text: String| {
        scratch.file("edited.json", text);
        scratch.line("compile dot.mlir --plan edited.json -o compiled")
    };
    with(plan.replace("\"mesh\"", "\"mehs\"")).fails(1, &["edited.json:5:", "`mehs`: unknown field `mehs`"]);
    with(plan.replace("\"version\": 2", "\"version\": 9")).fails(1, &["edited.json:2:", "version 9"]);
    with(plan.replace("[\"x\"]", "[\"z\"]")).fails(1, &["edited.json", "argument 0", "no axis \"z\""]);
    with(plan.replace("\"shape\": [8, 16]", "\"shape\": [8, 17]")).fails(1, &["argument 0", "[8, 17]"]);
    with(plan.replace("\"size\": 4", "\"size\": 8")).fails(1, &["has 16 devices", "has 8"]);
    with(plan[..plan.len() / 2].to_owned()).fails(1, &["edited.json:"]);
    scratch.file("dot.mlir", DOT.replace("8x", "16x"));
    with(plan).fails(1, &["another program", "meshwright plan"]);
    assert_eq!(scratch.names(), ["dot.mlir", "edited.json", "plan.json"]);
}

#[test]
fn a_folder_that_is_not_ours_is_left_alone() {
    let scratch = Scratch::new("folders");
    scratch.file("dot.mlir", DOT);
    std::fs::create_dir(scratch.path("theirs")).unwrap();
    scratch.file("theirs/thesis.txt", "years of work");
    scratch.line("compile dot.mlir --machine cpu8 -o theirs").fails(1, &["theirs", "--force"]);
    scratch.line("compile dot.mlir --machine cpu8 -o theirs --force").fails(1, &["theirs", "other files"]);
    scratch.line("compile dot.mlir --machine cpu8 -o none/compiled").fails(1, &["does not exist"]);
    assert_eq!(scratch.names(), ["dot.mlir", "theirs"]);
    scratch
        .line("run theirs --inputs x.npz --outputs y.npz")
        .fails(1, &["lacks `manifest.json` and `program.mlir`"]);
    scratch.line("compile dot.mlir --machine cpu8 -o compiled").succeeds();
    scratch.file("compiled/program.mlir", PLAIN_DOT);
    scratch.line("run compiled --inputs x.npz --outputs y.npz").fails(
        1,
        &["program.mlir:1:", "argument 0 of the local program is tensor<8x16xf32>", "compile it again"],
    );
}
