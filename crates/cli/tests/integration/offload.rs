//! Values on the host: chosen where nothing fits otherwise, asked for by flags, counted where they lie, and refused where
//! there is no place for them.

use crate::common::{PLAIN_DOT, Scratch, example};
use std::fmt::Write;

/// Virtual devices whose host has so much memory.
fn machine(devices: usize, memory: &str) -> String {
    format!(
        "base = \"cpu8:{devices}\"\nname = \"hosted\"\n[host]\nmemory = \"{memory}\"\nbandwidth = \"2 GB/s\"\nefficiency = 0.8\n"
    )
}

/// Layers of a net that takes its mean over the batch from each of them: they can neither be cut into microbatches, nor
/// made again from less than what they leave to one another.
fn centered_layers(layers: usize) -> String {
    let (w, x, row) = ("tensor<64x64xf32>", "tensor<128x64xf32>", "tensor<64xf32>");
    let mut text = String::from("func.func @step(");
    for layer in 0..layers {
        let _ = write!(text, "%w{layer}: {w} {{tf.aliasing_output = {layer} : i32}}, ");
    }
    let results = vec![w; layers].join(", ");
    let _ = writeln!(text, "%h0: {x}, %t: {x}) -> ({results}) {{");
    let _ = writeln!(text, "  %zero = stablehlo.constant dense<0.0> : tensor<f32>");
    let _ = writeln!(text, "  %n = stablehlo.constant dense<0.0078125> : {row}");
    let _ = writeln!(text, "  %one = stablehlo.constant dense<1.0> : {x}");
    let centered = |text: &mut String, to: &str, from: &str| {
        let _ = writeln!(
            text,
            "  %s{to} = stablehlo.reduce(%{from} init: %zero) applies stablehlo.add across dimensions = [0] : ({x}, tensor<f32>) -> {row}
  %m{to} = stablehlo.multiply %s{to}, %n : {row}
  %b{to} = stablehlo.broadcast_in_dim %m{to}, dims = [1] : ({row}) -> {x}
  %{to} = stablehlo.subtract %{from}, %b{to} : {x}"
        );
    };
    for layer in 0..layers {
        let next = layer + 1;
        let _ = writeln!(
            text,
            "  %u{next} = stablehlo.dot_general %h{layer}, %w{layer}, contracting_dims = [1] x [0] : ({x}, {w}) -> {x}"
        );
        centered(&mut text, &format!("c{next}"), &format!("u{next}"));
        let _ = writeln!(text, "  %h{next} = stablehlo.tanh %c{next} : {x}");
    }
    let _ = writeln!(text, "  %dh{layers} = stablehlo.subtract %h{layers}, %t : {x}");
    for layer in (0..layers).rev() {
        let next = layer + 1;
        let _ = writeln!(
            text,
            "  %q{next} = stablehlo.multiply %h{next}, %h{next} : {x}
  %r{next} = stablehlo.subtract %one, %q{next} : {x}
  %dc{next} = stablehlo.multiply %dh{next}, %r{next} : {x}"
        );
        centered(&mut text, &format!("du{next}"), &format!("dc{next}"));
        let _ = writeln!(
            text,
            "  %dw{layer} = stablehlo.dot_general %h{layer}, %du{next}, contracting_dims = [0] x [0] : ({x}, {x}) -> {w}
  %new{layer} = stablehlo.subtract %w{layer}, %dw{layer} : {w}
  %dh{layer} = stablehlo.dot_general %du{next}, %w{layer}, contracting_dims = [1] x [1] : ({x}, {w}) -> {x}"
        );
    }
    let new: Vec<String> = (0..layers).map(|layer| format!("%new{layer}")).collect();
    let _ = writeln!(text, "  return {} : {results}\n}}", new.join(", "));
    text
}

#[test]
fn moments_go_to_the_host_where_nothing_fits_otherwise() {
    let scratch = Scratch::new("offload-moments");
    scratch.file("hosted.toml", machine(1, "1 GiB"));
    let gpt = example("gpt.mlir");
    scratch
        .line(&format!("plan {gpt} --machine cpu8:1 --memory-limit 500KiB --tiles none"))
        .fails(3, &["582.7 KiB", "with 8 microbatches, recompute all but"]);
    let check = format!(
        "check {gpt} --machine hosted.toml --memory-limit 500KiB --tiles none --precision f64 --int-range 0..96"
    );
    let said = ["of 1.0 GiB per host: moments 249.0 KiB", "agree with the undistributed program within 1e-9"];
    scratch.line(&check).succeeds().says(&said);
}

#[test]
fn kept_activations_go_to_the_host_where_nothing_fits_otherwise() {
    let scratch = Scratch::new("offload-activations");
    scratch.file("hosted.toml", machine(1, "1 GiB"));
    scratch.file("layers.mlir", centered_layers(16));
    scratch
        .line("plan layers.mlir --machine cpu8:1 --memory-limit 640KiB --tiles none")
        .fails(3, &["only 640.0 KiB may be used"]);
    scratch
        .line(
            "plan layers.mlir --machine hosted.toml --memory-limit 640KiB --tiles none --offload parameters",
        )
        .fails(3, &["only 640.0 KiB may be used"]);
    let line = "check layers.mlir --machine hosted.toml --memory-limit 640KiB --tiles none --precision f64";
    let said = ["per host: activations", "offload: copies", "within 1e-9"];
    scratch.line(line).succeeds().says(&said);
}

/// Where parameters are tied, a loop over all layers depends on all of them.
#[test]
fn loops_leave_activations_on_the_host_though_their_parameters_are_tied() {
    let scratch = Scratch::new("offload-tied");
    scratch.file("hosted.toml", machine(1, "1 GiB"));
    scratch.file("tied.mlir", include_str!("../../../../tests/data/steps/tied_scan.mlir"));
    let line = "check tied.mlir --machine hosted.toml --offload activations --recompute none --precision f64 --int-range 0..32";
    scratch.line(line).succeeds().says(&["per host: activations 48.0 KiB", "within 1e-9"]);
}

#[test]
fn no_more_goes_to_the_host_than_memory_lacks() {
    let scratch = Scratch::new("offload-least");
    scratch.file("hosted.toml", machine(1, "1 GiB"));
    scratch.file("layers.mlir", centered_layers(16));
    let plan = |limit: usize| {
        let line = format!("plan layers.mlir --machine hosted.toml --memory-limit {limit}KiB --json");
        scratch.line(&line).succeeds().json()
    };
    let all: Vec<(u64, f64)> = [640, 768, 896]
        .map(|limit| {
            let plan = plan(limit);
            let host = plan["memory"]["host"]["peak_bytes"].as_u64().unwrap_or_default();
            (host, plan["predicted"]["total_seconds"].as_f64().unwrap())
        })
        .to_vec();
    assert!(all.is_sorted_by(|a, b| a.0 > b.0 && a.1 >= b.1), "{all:?}");
    assert!(all[0].0 > 0 && all[2].0 == 0, "{all:?}");
}

#[test]
fn kinds_go_together_with_microbatches_and_recomputation() {
    let scratch = Scratch::new("offload-together");
    scratch.file("hosted.toml", machine(2, "1 GiB"));
    let gpt = example("gpt.mlir");
    let line = format!(
        "check {gpt} --machine hosted.toml --as dp=2 --search none --microbatches 2 --recompute selective \
         --offload moments --offload activations --precision f64 --int-range 0..96"
    );
    let said = ["microbatches  2 of 2 examples", "moments 249.0 KiB, activations", "within 1e-9"];
    scratch.line(&line).succeeds().says(&said);
    let plan =
        scratch.line(&format!("plan {gpt} --machine hosted.toml --mesh data=2 --offload parameters --json"));
    let host = plan.succeeds().json()["memory"]["host"].clone();
    assert_eq!((&host["devices"], &host["parts"][0]["what"]), (&2.into(), &"parameters".into()));
    assert_eq!(host["limit_bytes"], 1_u64 << 30);
}

/// Of a step in tiles, what lies in them is never there as a whole: what goes to the host is chosen behind them, for each
/// microbatch that is written out, and loops over tiles bring what they read part by part.
#[test]
fn what_goes_to_the_host_is_chosen_behind_tiles() {
    let scratch = Scratch::new("offload-tiles");
    scratch.file("hosted.toml", machine(2, "1 GiB"));
    let gpt = example("gpt.mlir");
    let line = |more: &str| {
        format!("plan {gpt} --machine hosted.toml --as dp=2 --search none --tiles 2 {more} --json")
    };
    let on_host = |more: &str| {
        let plan = scratch.line(&line(&format!("--offload activations {more}"))).succeeds().json();
        (plan["memory"]["host_bytes"].as_u64().unwrap(), plan["memory"]["peak_bytes"].as_u64().unwrap())
    };
    let peak =
        |more: &str| scratch.line(&line(more)).succeeds().json()["memory"]["peak_bytes"].as_u64().unwrap();
    let (whole, halves) = (on_host(""), on_host("--microbatches 2"));
    assert!(whole.1 < peak("") && halves.1 < peak("--microbatches 2"), "{whole:?} {halves:?}");
    assert!(halves.0 > 0 && halves.0 < whole.0, "{whole:?} {halves:?}");
    scratch.line(&format!("{} -o plan.json", line("--offload activations --microbatches 2"))).succeeds();
    let check = "--plan plan.json --machine hosted.toml --precision f64 --int-range 0..96";
    scratch.line(&format!("check {gpt} {check}")).succeeds().says(&["within 1e-9"]);
    let again =
        scratch.line(&format!("plan {gpt} --plan plan.json --machine hosted.toml --json")).succeeds().json();
    assert_eq!(again["memory"]["host_bytes"], halves.0, "{again}");
    let inside = ["nothing that could lie on the host is called `stablehlo.tanh*`"];
    scratch.line(&line("--offload stablehlo.tanh*")).fails(2, &inside);
}

/// Within a turn of a loop over layers, what waits for its backward pass lies on the host, and loops over tiles bring what they
/// read of it part by part; where nothing fits otherwise, a search does so.
#[test]
fn what_waits_in_the_turns_of_layers_lies_on_the_host() {
    let scratch = Scratch::new("offload-waiting");
    scratch.file("hosted.toml", machine(1, "1 GiB"));
    scratch.file("hosted8.toml", machine(8, "1 GiB"));
    let config =
        |name: &str| format!("{}/../../tests/data/models/tiny/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let llama = config("llama");
    // The model was made for shorter sequences, of which it is warned.
    let planned = |flags: &str| {
        let on = format!("{llama} --machine hosted.toml --global-batch 1");
        let ran = scratch.line(&format!("plan {on} {flags} --json"));
        assert_eq!(ran.code, Some(0), "{flags}: {}", ran.err);
        ran.json()
    };
    let peak = |flags: &str| planned(flags)["memory"]["peak_bytes"].as_u64().unwrap();
    let kept = "--seq 128 --recompute full --tiles 8 --offload activations";
    assert!(peak(&format!("{kept} --offload waiting")) < peak(kept));
    let searched = planned("--seq 256 --memory-limit 420KiB");
    let parts = searched["memory"]["host"]["parts"].as_array().unwrap();
    assert!(parts.iter().any(|part| part["what"] == "waiting"), "{parts:?}");
    // The numbers stay the same, also in microbatches, and of a plan that is given back.
    for (name, flags) in [
        ("llama", "--recompute full --offload waiting --microbatches 2"),
        ("mixtral", "--recompute full --tiles 4 --offload activations --offload waiting"),
        ("mamba2", "--recompute full --offload waiting"),
    ] {
        let given = format!("{} --machine hosted8.toml", config(name));
        let line = format!(
            "plan {given} --seq 16 --global-batch 16 --mesh data=2,model=4 --search none {flags} -o plan.json"
        );
        scratch.line(&line).succeeds().says(&["waiting"]);
        scratch.line(&format!("plan {given} --plan plan.json -o again.json")).succeeds();
        let read = |name: &str| std::fs::read_to_string(scratch.path(name)).unwrap();
        assert_eq!(read("plan.json"), read("again.json"), "{name}");
        let check = format!("check {given} --plan plan.json --precision f64");
        scratch.line(&check).succeeds().says(&["within 1e-9"]);
        std::fs::remove_file(scratch.path("plan.json")).unwrap();
        std::fs::remove_file(scratch.path("again.json")).unwrap();
    }
    let none = "plan gpt.mlir --machine hosted.toml --offload waiting";
    scratch.file("gpt.mlir", std::fs::read_to_string(example("gpt.mlir")).unwrap());
    scratch.line(none).fails(2, &["no loop in whose turns something waits"]);
}

#[test]
fn what_has_no_place_on_a_host_is_refused() {
    let scratch = Scratch::new("offload-refused");
    let gpt = example("gpt.mlir");
    let refused = ["`cpu8:8` has no memory of a host that is known", "`[host]`"];
    scratch.line(&format!("plan {gpt} --machine cpu8 --offload moments")).fails(2, &refused);
    scratch.line(&format!("plan {gpt} --machine cpu8 --offload search")).fails(2, &refused);
    scratch
        .line(&format!("plan {gpt} --machine cpu8 --offload none"))
        .succeeds()
        .says(&["the machine has no `[host]`"]);
    scratch.file("hosted.toml", machine(8, "1 GiB"));
    let unknown =
        ["nothing that could lie on the host is called `nowhere*`", "there are %result[0]['embedding']"];
    scratch.line(&format!("plan {gpt} --machine hosted.toml --offload nowhere*")).fails(2, &unknown);
    let twice = ["`moments` and `none` of `--offload` contradict one another"];
    scratch
        .line(&format!("plan {gpt} --machine hosted.toml --offload moments --offload none"))
        .fails(2, &twice);
    let plan = "--machine hosted.toml --mesh data=8 --offload moments -o plan.json";
    scratch.line(&format!("plan {gpt} {plan}")).succeeds();
    for command in ["check", "plan"] {
        scratch.line(&format!("{command} {gpt} --plan plan.json --machine cpu8")).fails(2, &refused);
    }
    scratch.file("plain.mlir", PLAIN_DOT);
    let none = ["the program has no moments that could lie on the host"];
    scratch.line("plan plain.mlir --machine hosted.toml --offload moments").fails(2, &none);
}

/// Replicated moments would take several times as much of the host as it has.
#[test]
fn plans_shard_what_lies_on_a_host_that_has_little_memory() {
    let scratch = Scratch::new("offload-sharded");
    scratch.file("hosted.toml", machine(8, "384 KiB"));
    let gpt = example("gpt.mlir");
    let line = format!(
        "check {gpt} --machine hosted.toml --offload moments --microbatches 1 --recompute none --tiles none \
         --precision f64 --int-range 0..96"
    );
    scratch.line(&line).succeeds().says(&["of 384.0 KiB per host: moments", "within 1e-9"]);
}

#[test]
fn a_host_that_is_too_small_says_which_bytes() {
    let scratch = Scratch::new("offload-small");
    scratch.file("hosted.toml", machine(8, "128 KiB"));
    let gpt = example("gpt.mlir");
    let line = format!("plan {gpt} --machine hosted.toml --mesh data=8 --offload moments");
    let said = ["the 8 devices of a host need", "of its memory, but it has 128.0 KiB"];
    scratch.line(&line).fails(3, &said);
    let host = scratch.line(&format!("{line} --json")).fails(3, &[]).json();
    assert_eq!(host["host"]["memory_bytes"], 128 << 10, "{host}");
    scratch.file(
        "drives.toml",
        "base = \"cpu8\"\nname = \"drives\"\n[nvme]\nmemory = 1\nbandwidth = 1\nefficiency = 1\n",
    );
    scratch
        .line(&format!("plan {gpt} --machine drives.toml"))
        .fails(1, &["drives.toml:3:1", "`[nvme]`, but no `[host]`"]);
}
