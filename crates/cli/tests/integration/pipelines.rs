//! Pipelines from the command line: the page about them, what is checked, what is written, and what is refused.

use crate::common::{Scratch, checked_page, example};
use serde_json::Value;

/// A folder with the GPT of the examples.
fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("gpt.mlir", std::fs::read(example("gpt.mlir")).unwrap());
    scratch
}

/// The commands of the page run one after the other; text behind them is what the last of them prints.
#[test]
fn the_page_on_pipelines_shows_what_is_printed() {
    assert_eq!(checked_page("pipelines.md", &scratch("pipelines-page")), 1);
}

#[test]
fn any_schedule_computes_what_the_step_computes() {
    let scratch = scratch("pipelines-check");
    for asked in [
        "--stages 2 --microbatches 4 --schedule gpipe",
        "--stages 2 --microbatches 4 --schedule zb-h1",
        "--stages 2 --microbatches 4 --schedule zb-v",
        "--stages 2 --microbatches 4 --schedule interleaved-1f1b --virtual-stages 2",
        "--stages 2 --microbatches 4 --virtual-stages 2",
        "--stages 2 --microbatches 4 --schedule chimera",
        "--stages 2 --microbatches 4 --schedule search",
        "--stages 2 --microbatches 4 --schedule search --virtual-stages 2",
        // The batch of 8 does not divide, the sequence does.
        "--stages 2 --microbatches 16 --schedule search",
        "--stages 2 --microbatches 2 --mesh data=2",
        "--stages 2 --microbatches 2 --mesh model=2 --schedule zb-h2",
        "--stages 2 --microbatches 4 --recompute full",
        "--stages 2 --microbatches 4 --recompute selective --schedule zb-h1",
        "--stages 2 --microbatches 2 --recompute full --schedule zb-v --mesh data=2",
        "--stages 2 --microbatches 2 --stage-mesh data=2,model=2;data=4",
        "--stages 2 --microbatches 2 --stage-mesh model=4;data=2 --schedule zb-h1",
        "--stages 2 --microbatches 2 --stage-mesh data=3;data=1 --schedule zb-v",
    ] {
        let line = format!("check gpt.mlir --precision f64 {asked}");
        scratch
            .line(&line)
            .succeeds()
            .says(&["pipeline parallel over 2", "agree with the undistributed program"]);
    }
}

#[test]
fn a_table_of_ones_own_is_run() {
    let scratch = scratch("pipelines-table");
    scratch.line("schedule 1f1b --stages 2 --microbatches 4 -o own.schedule").succeeds();
    let line = "check gpt.mlir --stages 2 --microbatches 4 --precision f64 --schedule own.schedule --json";
    let found = scratch.line(line).succeeds().json();
    assert_eq!(found["agrees"], true);
    assert_eq!(found["plan"]["schedule"], serde_json::Value::Null);
    assert_eq!(found["plan"]["stages"].as_array().unwrap().len(), 2);
    let other = "check gpt.mlir --stages 2 --microbatches 8 --schedule own.schedule";
    scratch.line(other).fails(2, &["the table has 4 microbatches, but 8 are asked for"]);
    scratch.file("cut.schedule", "0F0 0F1 0B0 0B1\n1F0 1B0 1F1\n");
    let line = "check gpt.mlir --stages 2 --microbatches 2 --schedule cut.schedule";
    scratch.line(line).fails(1, &["`1B1` is missing"]);
    // What a table cannot keep is refused, not dropped.
    scratch.file("update.schedule", "0F0 0F1 0B0 0B1 0U0\n1F0 1B0 1F1 1B1 1U0\n");
    let line = "check gpt.mlir --stages 2 --microbatches 2 --schedule update.schedule";
    scratch.line(line).fails(2, &["`0U0` stands in the table", "leave it out"]);
    scratch.file("copies.schedule", "0C0 0F0 0F1 0B0 0B1\n1C0 1F0 1B0 1F1 1B1\n");
    let line = "check gpt.mlir --stages 2 --microbatches 2 --schedule copies.schedule";
    scratch.line(line).fails(2, &["`0C0` stands in the table", "leave it out"]);
    scratch.file("idle.schedule", "0F0 0F1 0B0 0B1\n1F0 1B0 1F1 1B1\n-\n");
    let line = "check gpt.mlir --stages 3 --microbatches 2 --schedule idle.schedule";
    scratch.line(line).fails(2, &["row 2 of the table has no action"]);
    scratch.file("stuck.schedule", "0B0 0F0\n1F0 1B0\n");
    let line = "check gpt.mlir --stages 2 --microbatches 1 --schedule stuck.schedule";
    scratch.line(line).fails(1, &["the schedule never ends"]);
    let forward = ["0F0 0F1", "1F0 1F1"];
    scratch.file("forward.schedule", forward.join("\n"));
    let said = "the step trains, but the table has no backward pass: `0B0` is missing";
    let line = "check gpt.mlir --stages 2 --microbatches 2 --schedule forward.schedule";
    scratch.line(line).fails(2, &[said, "`0I0` and `0W0`"]);
    // Nor is one in a plan, nor a step that never ends.
    let line = "plan gpt.mlir --machine cpu8:2 --stages 2 --microbatches 2 -o plan.json";
    assert_eq!(scratch.line(line).code, Some(0));
    let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
    let plan: Value = serde_json::from_str(&plan).unwrap();
    scratch.line("simulate plan.json --schedule forward.schedule").fails(2, &[said]);
    let with = |edit: &dyn Fn(&mut Value)| {
        let mut edited = plan.clone();
        edit(&mut edited);
        scratch.file("edited.json", edited.to_string());
    };
    with(&|plan| plan["schedule"] = forward.to_vec().into());
    scratch.line("simulate edited.json").fails(1, &[said, "`schedule`"]);
    scratch.line("check gpt.mlir --machine cpu8:2 --plan edited.json").fails(1, &[said]);
    for (key, number) in [("/times/update_rounds", 1e9), ("/times/stages/0/forward_seconds", 1e308)] {
        with(&|plan| {
            let is_whole = key.ends_with("rounds");
            *plan.pointer_mut(key).unwrap() = if is_whole { (number as u64).into() } else { number.into() };
        });
        scratch.line("simulate edited.json").fails(1, &["a step has few rounds of updates"]);
    }
}

#[test]
fn a_compiled_pipeline_runs() {
    let scratch = scratch("pipelines-run");
    let line = "compile gpt.mlir --machine cpu8:2 --stages 2 --microbatches 4 -o out";
    scratch.line(line).succeeds();
    let inputs = example("gpt.in.npz");
    let ran = scratch.line(&format!("run out --inputs {inputs} --steps 2 --compare whole"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("all results of all steps agree"), "{ran:?}");
}

/// A plan that is given back leads to the same programs, whatever made it.
#[test]
fn a_plan_comes_back() {
    let scratch = scratch("pipelines-plan");
    for (number, asked) in [
        "--stages 2 --microbatches 4",
        "--stages 2 --microbatches 4 --schedule search",
        "--stages 2 --microbatches 4 --schedule zb-v --recompute full",
        "--stages 2 --microbatches 2 --machine cpu8:8",
        "--stages 2 --microbatches 2 --machine cpu8:4 --mesh data=2 --recompute selective",
        "--stages 2 --microbatches 2 --machine cpu8:6 --stage-mesh data=2,model=2;data=2",
        "--stages 2 --microbatches 2 --machine h100:2x2 --mesh data=2 --group-hosts 2",
    ]
    .into_iter()
    .enumerate()
    {
        let machine = if asked.contains("--machine") { "" } else { "--machine cpu8:2" };
        let (plan, first, again) = (format!("{number}.json"), format!("{number}"), format!("{number}-again"));
        scratch.line(&format!("plan gpt.mlir {machine} {asked} -o {plan}")).succeeds();
        scratch.line(&format!("compile gpt.mlir {machine} {asked} -o {first}")).succeeds();
        scratch.line(&format!("compile gpt.mlir --plan {plan} -o {again}")).succeeds();
        let read =
            |folder: &str, file: &str| std::fs::read_to_string(scratch.path(folder).join(file)).unwrap();
        assert_eq!(read(&again, "plan.json"), read(&first, "plan.json"), "{asked}");
        for file in std::fs::read_dir(scratch.path(&first)).unwrap() {
            let file = file.unwrap().file_name().into_string().unwrap();
            assert_eq!(read(&again, &file), read(&first, &file), "{asked}: {file}");
        }
        let line = format!("check gpt.mlir --plan {first}/plan.json --precision f64");
        scratch
            .line(&line)
            .succeeds()
            .says(&["pipeline parallel over 2", "agree with the undistributed program"]);
    }
    scratch.line("plan gpt.mlir --machine cpu8 -o whole.json").succeeds();
    for (flags, said) in [
        ("--plan 0.json --stages 2 --microbatches 4", "leave `--stages` out"),
        ("--plan 0.json --microbatches 4", "leave `--microbatches` out"),
        ("--plan whole.json --stages 2 --microbatches 4", "the plan has no stages"),
    ] {
        scratch.line(&format!("check gpt.mlir {flags}")).fails(2, &[said]);
    }
    let plan = std::fs::read_to_string(scratch.path("0.json")).unwrap();
    for (from, to, said) in [
        ("0F3", "0F4", "`schedule"),
        ("\"count\": 4", "\"count\": 2", "the schedule has 4 microbatches"),
        ("\"stage\": 1", "\"stage\": 2", "stages are in order"),
        ("\"instruction\": \"", "\"instruction\": \"no-", "is no instruction of the forward pass"),
    ] {
        assert!(plan.contains(from), "{from}: {plan}");
        scratch.file("wrong.json", plan.replacen(from, to, 1));
        scratch.line("check gpt.mlir --plan wrong.json").fails(1, &[said, "wrong.json"]);
    }
}

/// A plan says what its stages take, so that it is simulated without its program: as it is, or as it would be.
#[test]
fn a_plan_is_simulated() {
    let scratch = scratch("pipelines-simulate");
    let planned = |asked: &str| {
        let line = format!("plan gpt.mlir --machine cpu8:4 --stages 4 --microbatches 8 {asked} --json");
        scratch.line(&line).succeeds().json()
    };
    let simulated = |asked: &str| scratch.line(&format!("simulate {asked} --json")).succeeds().json();
    let seconds = |found: &serde_json::Value| found["step_seconds"].as_f64().unwrap();
    let plan = planned("-o plan.json");
    let own = simulated("plan.json");
    // Numbers of a file are those that were written to it but for the last digit.
    let same = |one: &serde_json::Value, other: &serde_json::Value| {
        assert!((seconds(one) / seconds(other) - 1.0).abs() < 1e-12, "{one} {other}");
    };
    same(&own, &plan);
    assert_eq!(own["waterfall"].as_array().unwrap().len(), plan["waterfall"].as_array().unwrap().len());
    assert_eq!(own["schedule"], "1f1b");
    // Another schedule takes what its plan would, if stages are cut alike.
    let other = planned("--schedule zb-h1");
    same(&simulated("plan.json --schedule zb-h1"), &other);
    for slower in
        ["--microbatches 16", "--link-bandwidth 0.01x", "--slow 2=3x", "--schedule chimera --slow 0=2x"]
    {
        let found = simulated(&format!("plan.json {slower}"));
        assert!(seconds(&found) > 1.1 * seconds(&own), "{slower}");
        assert_eq!(found["planned_step_seconds"], own["step_seconds"]);
    }
    let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
    assert!(plan.contains("\"forward_seconds\": "));
    scratch.file("impossible.json", plan.replace("\"forward_seconds\": ", "\"forward_seconds\": -"));
    scratch.line("simulate impossible.json").fails(1, &["`times`", "from zero on"]);
    scratch
        .line("simulate plan.json --schedule gpipe --svg plan.svg --trace trace.json")
        .succeeds()
        .says(&["as planned, with 1f1b", "keeps at most"]);
    assert!(std::fs::read_to_string(scratch.path("plan.svg")).unwrap().starts_with("<svg"));
    scratch.line("schedule zb-h2 --stages 4 --microbatches 8 -o own.schedule").succeeds();
    assert_eq!(
        simulated("plan.json --schedule own.schedule")["step_seconds"],
        simulated("plan.json --schedule zb-h2")["step_seconds"]
    );
    for (asked, code, said) in [
        ("plan.json --schedule zb-v", 2, "plan again with `--schedule zb-v`"),
        ("plan.json --schedule dualpipe --microbatches 6", 2, "`--microbatches 8`"),
        ("plan.json --microbatches 4000000000", 2, "1048576 actions"),
        ("plan.json --schedule search", 2, "plan again with `--schedule search`"),
        ("plan.json --schedule 2f2b", 2, "there is no schedule `2f2b`"),
        ("plan.json --slow 4=2x", 2, "there is no group 4"),
        ("plan.json --costs 3,2,1", 2, "`--costs` is for tables"),
        ("plan.json --costs 1,1,1", 2, "`--costs` is for tables"),
        ("own.schedule --microbatches 4", 2, "change a plan"),
        ("plan.json --schedule own.schedule --microbatches 4", 2, "the table has 8 microbatches, but 4"),
        ("whole.json", 2, "the plan has no stages"),
        ("old.json", 1, "does not say what its stages take"),
    ] {
        if asked.starts_with("whole") {
            scratch.line("plan gpt.mlir --machine cpu8 -o whole.json").succeeds();
            let mut old: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(scratch.path("plan.json")).unwrap()).unwrap();
            old.as_object_mut().unwrap().remove("times");
            scratch.file("old.json", old.to_string());
        }
        scratch.line(&format!("simulate {asked}")).fails(code, &[said]);
    }
    // Several stages of a group run as one where the schedule has one of each.
    scratch
        .line("plan gpt.mlir --machine cpu8:2 --stages 2 --microbatches 4 --schedule zb-v -o v.json")
        .succeeds();
    assert_eq!(simulated("v.json --schedule 1f1b")["stages"], 2);
    assert_eq!(simulated("v.json --schedule v-min")["stages"], 4);
}

/// Groups with meshes of their own have as many stages as there are meshes; microbatches and the schedule are searched.
#[test]
fn numbers_are_searched_for_groups_that_are_given() {
    let scratch = scratch("pipelines-on-groups");
    let searched = "--machine cpu8:6 --stages search --microbatches search";
    let line = format!("plan gpt.mlir {searched} --stage-mesh data=2,model=2;data=2 --json -o plan.json");
    let found = scratch.line(&line).succeeds().json();
    assert_eq!(found["meshes"], serde_json::json!(["data=2,model=2", "data=2"]));
    assert_eq!(found["groups"], 2);
    let step = found["step_seconds"].as_f64().unwrap();
    for given in
        ["--microbatches 8", "--microbatches 4 --schedule zb-h1", "--microbatches 2 --schedule gpipe"]
    {
        let line = format!(
            "plan gpt.mlir --machine cpu8:6 --stages 2 {given} --stage-mesh data=2,model=2;data=2 --json"
        );
        assert!(scratch.line(&line).succeeds().json()["step_seconds"].as_f64().unwrap() >= step, "{given}");
    }
    scratch
        .line("check gpt.mlir --plan plan.json --precision f64")
        .succeeds()
        .says(&["pipeline parallel over 2", "agree with the undistributed program"]);
    let line = "plan gpt.mlir --machine cpu8:6 --stages 3,4 --microbatches search --stage-mesh data=2;data=4";
    scratch.line(line).fails(2, &["has 2 meshes, but there are 3 groups"]);
    let line =
        "plan gpt.mlir --machine h100:2x2 --stages search --microbatches 4 --schedule 1f1b --group-hosts 2";
    scratch.line(line).succeeds().says(&["each on 2 hosts"]);
}

/// Where groups lie is chosen by what a step takes: what is sent inside of groups wants the links of one host, and so does what
/// groups hand to one another.
#[test]
fn groups_lie_where_a_step_takes_least() {
    let scratch = scratch("pipelines-hosts");
    let hosts = |asked: &str| {
        let line = format!(
            "plan gpt.mlir --machine h100:2x2 --stages 2 --microbatches 4 {asked} --group-hosts search --json"
        );
        let found = scratch.line(&line).succeeds().json();
        let weighed = found["weighed_group_hosts"].as_array().unwrap();
        assert_eq!(weighed.len(), 2, "{found}");
        let steps = weighed.iter().map(|one| one["step_seconds"].as_f64().unwrap());
        assert_eq!(steps.reduce(f64::min), found["step_seconds"].as_f64());
        (found["group_hosts"].clone(), found["devices"].clone())
    };
    // Both devices of a group compute all, and only groups send something.
    assert_eq!(hosts("--mesh data=2"), (2.into(), serde_json::json!([[0, 2], [1, 3]])));
    // The update sums up gradients inside of each group.
    let sharded = r#"--mesh data=2 --pin arg88=[{"data"},{}]"#;
    assert_eq!(hosts(sharded), (1.into(), serde_json::json!([[0, 1], [2, 3]])));
    // The same is chosen where nobody says anything of hosts, and the plan lists who hands values to whom.
    let plain = |asked: &str| {
        let line = format!("plan gpt.mlir --machine h100:2x2 --stages 2 --microbatches 4 {asked}");
        scratch.line(&line).succeeds()
    };
    plain("--mesh data=2").says(&[
        "data=2 inside, each on 2 hosts",
        "process groups along the pipeline: 2 of 2 devices, 1 apart: 0 1; 2 3",
    ]);
    plain(sharded).says(&["process groups along the pipeline: 2 of 2 devices, 2 apart: 0 2; 1 3"]);
}

/// What does not train is a pipeline of forward passes.
#[test]
fn inference_becomes_a_pipeline() {
    let scratch = scratch("pipelines-inference");
    scratch.file("layers.mlir", INFERENCE);
    for asked in [
        "--stages 2 --microbatches 4",
        "--stages 3 --microbatches 4 --schedule search",
        "--stages 2 --microbatches 2 --virtual-stages 2 --schedule interleaved-1f1b",
        "--stages 2 --microbatches 2 --mesh data=2",
    ] {
        let line = format!("check layers.mlir --precision f64 {asked}");
        scratch.line(&line).succeeds().says(&["forward only", "agree with the undistributed program"]);
    }
    // Its numbers are searched, and said by degrees, as those of a step that trains.
    for asked in [
        "--stages 2,4 --microbatches 4",
        "--stages search --microbatches search",
        "--pp 2 --tp 2 --microbatches 4",
        "--pp 2,4 --microbatches 4",
    ] {
        let line = format!("check layers.mlir --precision f64 --machine cpu8:4 {asked}");
        scratch.line(&line).succeeds().says(&["agree with the undistributed program"]);
    }
    // Of another table the same runs: forward passes alone.
    let line = "plan layers.mlir --machine cpu8:2 --stages 2 --microbatches 4 --schedule zb-h1 -o plan.json";
    scratch.line(line).succeeds();
    scratch.line("schedule 1f1b --stages 2 --microbatches 4 -o own.schedule").succeeds();
    let simulated = |asked: &str| {
        let found = scratch.line(&format!("simulate plan.json {asked} --json")).succeeds().json();
        found["step_seconds"].as_f64().unwrap()
    };
    let own = simulated("");
    for other in ["--schedule 1f1b", "--schedule own.schedule", "--schedule dualpipe"] {
        assert!(simulated(other) <= own * (1.0 + 1e-12), "{other}");
    }
    assert!(simulated("--microbatches 8") > own);
    scratch.file("sum.mlir", "func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n  %0 = stablehlo.add %x, %x : tensor<8x4xf32>\n  return %0 : tensor<8x4xf32>\n}\n");
    let line = "check sum.mlir --stages 2 --microbatches 2";
    scratch.line(line).fails(2, &["stages are parts of what is computed of parameters"]);
}

/// Four layers, of which each also returns the largest value of each example.
const INFERENCE: &str = "
func.func @main(%w0: tensor<16x16xf32>, %w1: tensor<16x16xf32>, %w2: tensor<16x16xf32>, %w3: tensor<16x16xf32>, %x: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16xf32>
  %2 = stablehlo.dot_general %1, %w1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.tanh %2 : tensor<8x16xf32>
  %4 = stablehlo.reduce(%3 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = stablehlo.dot_general %3, %w2, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %6 = stablehlo.tanh %5 : tensor<8x16xf32>
  %7 = stablehlo.dot_general %6, %w3, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  return %7, %4 : tensor<8x16xf32>, tensor<8xf32>
}
";

#[test]
fn slices_of_the_sequence_are_searched() {
    let scratch = scratch("pipelines-slices");
    let on = "plan gpt.mlir --machine h100:1x4 --microbatches search --json --stages";
    let slices = scratch.line(&format!("{on} 2,4 --schedule terapipe -o plan.json")).json();
    let parts = |plan: &Value, parts: &str| {
        plan["weighed"].as_array().unwrap().iter().filter(|own| own["parts_of"] == parts).count()
    };
    assert_eq!((slices["schedule"].as_str(), parts(&slices, "batch")), (Some("terapipe"), 0));
    scratch.line("check gpt.mlir --machine h100:1x4 --plan plan.json --precision f64").says(&["agree"]);
    let both = scratch.line(&format!("{on} 2,4")).json();
    assert!(parts(&both, "batch") > 0 && parts(&both, "sequence") > 0, "{both}");
    assert!(both["step_seconds"].as_f64() <= slices["step_seconds"].as_f64());
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let scratch = scratch("pipelines-refused");
    for (asked, code, said) in [
        ("--stages 2", 2, "--microbatches"),
        ("--stages 2 --microbatches search", 2, "no machine"),
        ("--stages 2 --microbatches 3", 2, "does not divide into 3 microbatches"),
        ("--stages 2 --microbatches 1", 2, "with one microbatch only one group works"),
        ("--stages 2,4 --microbatches 1 --group-hosts search --machine h100:2x4", 2, "two microbatches"),
        ("--stages 3 --microbatches 3 --schedule dualpipe", 2, "`--stages 2` and `--microbatches 4`"),
        ("--stages 16 --microbatches 8", 1, "cannot be cut into 16 stages"),
        ("--stages 16 --microbatches 8", 1, "it can be cut into 2 to "),
        ("--stages 3 --microbatches 4 --machine cpu8:8", 2, "do not divide into 3 equal groups"),
        ("--stages 2 --microbatches 4 --schedule 2f2b", 2, "there is no schedule `2f2b`"),
        ("--stages 2 --microbatches 3 --schedule terapipe", 2, "does not divide into 3 slices"),
        (
            "--stages 2,4 --microbatches 3 --schedule terapipe --machine cpu8:4",
            2,
            "does not divide into 3 slices",
        ),
        ("--stages 2 --microbatches 4 --memory-limit 256KiB", 3, "more than the 256.0 KiB"),
        ("--stages 2 --microbatches 4 --recompute search", 2, "is not searched"),
        ("--stages 2,4 --microbatches 4 --recompute tanh --machine cpu8:4", 2, "of values by name"),
        ("--stages 2,4 --microbatches 4 --memory-limit 1KiB --machine cpu8:4", 3, "no pipeline fits"),
        ("--stages 2 --microbatches 4 --recompute nothing", 2, "is called `nothing`"),
        ("--stages 2 --microbatches 4 --tiles 2", 2, "`--tiles` is not for pipelines"),
        ("--stages 2 --microbatches 4 --simplest-within 3%", 2, "`--simplest-within` is not for pipelines"),
        (
            "--stages 2 --microbatches 4 --microbatch-statistics local",
            2,
            "`--microbatch-statistics local` is not for pipelines",
        ),
        ("--stages 2 --microbatches 4 --dp 2", 2, "with `--search none`"),
        ("--stages 2 --pp 2 --microbatches 4", 2, "`--pp` says which stages there are: leave `--stages` out"),
        ("--schedule gpipe", 2, "by `stages` or by `pp`"),
        ("--stage-mesh data=2;data=4", 2, "--stages"),
        ("--stages 2 --microbatches 4 --mesh data=2 --stage-mesh data=2;data=4", 2, "cannot be used with"),
        ("--stages 2 --microbatches 4 --stage-mesh data=2", 2, "has 1 mesh, but there are 2 groups"),
        ("--stages 4 --microbatches 4 --mesh data=2 --machine cpu8:4", 2, "4 groups of cpu8:4 has 1"),
        ("--stages 4 --microbatches 4 --mesh data=2 --machine cpu8:4", 2, "a machine of 8 devices"),
        ("--stages 2 --microbatches 4 --stage-mesh data=2;data=zero", 2, "is not a size"),
        (
            "--stages 2 --microbatches 4 --stage-mesh data=2;data=4 --machine cpu8:8",
            2,
            "6 in all, but cpu8:8 has 8",
        ),
        (
            "--stages 2 --microbatches 4 --stage-mesh data=2;data=4 --machine h100:2x3",
            2,
            "are parts of several hosts",
        ),
        (
            "--stages 2 --microbatches 4 --stage-mesh data=2;data=4 --schedule dualpipe",
            2,
            "have copies of the same stages",
        ),
        (
            "--stages 2 --microbatches 4 --stage-mesh data=2;data=4 --schedule search",
            2,
            "for groups that are alike",
        ),
        ("--stages 3,4 --microbatches 4 --stage-mesh data=2;data=4", 2, "but there are 3 groups"),
        ("--stages 2 --microbatches 4 --machine cpu8:4 --group-hosts 2", 2, "leave out `--group-hosts`"),
        (
            "--stages 2 --microbatches 4 --machine cpu8:4 --group-hosts search",
            2,
            "there are no hosts of cpu8:4",
        ),
        ("--stages 2 --microbatches 4 --machine h100:2x4 --group-hosts 3", 2, "`--group-hosts` can be 1, 2"),
    ] {
        scratch.line(&format!("check gpt.mlir {asked}")).fails(code, &[said]);
    }
}

/// What a table does to sums, and to groups that are more than its microbatches.
#[test]
fn plans_say_what_their_tables_do() {
    let scratch = scratch("pipelines-few");
    let line = "plan gpt.mlir --machine cpu8:2 --stages 2 --microbatches 4 --schedule";
    for (schedule, is_in_order) in [("zb-h1", true), ("chimera", false)] {
        let found = scratch.line(&format!("{line} {schedule} --json")).succeeds().json();
        assert_eq!(found["sums_in_order"], is_in_order, "{schedule}");
    }
    for asked in ["--stages 4", "--stages 4 --mesh data=2"] {
        let line = format!("plan gpt.mlir --machine cpu8:8 {asked} --microbatches 2");
        scratch.line(&line).fails(0, &["2 microbatches never fill 4 groups", "`--microbatches 4`"]);
    }
}
