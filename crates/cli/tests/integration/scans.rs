//! The scan of Mamba-2 in steps of configurations, as calls of the machine's kernel and written out: in plans, compiled
//! programs and checks.

use crate::common::{Ran, Scratch};
use std::path::Path;

/// A tiny configuration of the tests of the crate `models` in a folder of its own.
fn with(name: &str, model: &str) -> Scratch {
    let tiny = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/tiny");
    let scratch = Scratch::new(name);
    scratch.file("config.json", std::fs::read_to_string(tiny.join(format!("{model}.json"))).unwrap());
    scratch
}

/// Runs a command that ends well, though it may warn.
fn runs(scratch: &Scratch, line: &str) -> Ran {
    let ran = scratch.line(line);
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    ran
}

/// The batch of all steps here.
const STEP: &str = "--seq 24 --global-batch 16";

/// The call, and that for its gradient.
const CALLS: [&str; 2] = ["@mamba_chunk_scan_combined_fwd(", "@mamba_chunk_scan_combined_bwd("];

#[test]
fn scans_run_as_the_kernel_of_the_machine() {
    let scratch = with("scans", "mamba2");
    let step = format!("{STEP} --machine h100:1x2 --search none --tp 2");
    runs(&scratch, &format!("compile config.json {step} -o out"));
    let read = |file: &str| std::fs::read_to_string(scratch.path(file)).unwrap();
    let local = read("out/program.mlir");
    assert!(CALLS.iter().all(|call| local.contains(call)));
    // Half of the heads, and one of two groups.
    assert!(
        local
            .contains("(tensor<16x24x4x8xbf16>, tensor<16x24x4xf32>, tensor<4xf32>, tensor<16x24x1x12xbf16>")
    );
    runs(&scratch, &format!("plan config.json {step} -o plan.json"))
        .says(&["scan          as mamba-ssm with gradient"]);
    // A plan says it itself, whatever the machine has.
    runs(&scratch, "compile config.json --machine cpu8:2 --plan plan.json -o again");
    let again = read("again/program.mlir");
    assert!(CALLS.iter().all(|call| again.contains(call)));
    scratch
        .line("check config.json --plan plan.json --kernels off")
        .fails(2, &["the plan runs scans as calls of the machine's kernel"]);
    scratch.file("odd.json", read("plan.json").replace("mamba-ssm", "mamba-3"));
    scratch
        .line("check config.json --plan odd.json")
        .fails(1, &["the kernel `mamba-3`, which is not known; there is `mamba-ssm`"]);
    // Embedded devices have its reference, XLA has no such kernel.
    runs(&scratch, "check config.json --plan plan.json --precision f64").says(&["agree"]);
    scratch.line("run out --engine xla").fails(1, &["which XLA does not have", "compile --kernels off"]);
}

#[test]
fn scans_are_written_out_where_they_should_be() {
    let scratch = with("scans-off", "mamba2");
    for machine in ["h100:1x2 --kernels off", "cpu8:2", "trainium2:1x2", "tpu_v5p:2x1x1"] {
        let line =
            format!("compile config.json {STEP} --machine {machine} --search none --dp 2 -o out --force");
        runs(&scratch, &line);
        let local = std::fs::read_to_string(scratch.path("out/program.mlir")).unwrap();
        assert!(CALLS.iter().all(|call| !local.contains(call)), "{machine}");
        let plan = std::fs::read_to_string(scratch.path("out/plan.json")).unwrap();
        assert!(!plan.contains("scan_kernel"), "{machine}");
    }
}

/// The same numbers in either form, and fewer bytes as calls.
#[test]
fn plans_with_calls_keep_less() {
    for model in ["mamba2", "nemotron_h"] {
        let scratch = with(&format!("scans-{model}-kept"), model);
        let plan = |kernels: &str| {
            let line = format!(
                "plan config.json {STEP} --machine h100:1x8 --search none --dp 8 --kernels {kernels} --json"
            );
            runs(&scratch, &line).json()
        };
        let [on, off] = ["on", "off"].map(plan);
        assert_eq!(on["model"]["scan_kernel"], "mamba-ssm", "{model}");
        let peak = |plan: &serde_json::Value| plan["memory"]["peak_bytes"].as_u64().unwrap();
        assert!(peak(&on) < peak(&off), "{model}");
        if model == "mamba2" {
            assert_eq!(on["figures"]["model_flops"], off["figures"]["model_flops"]);
        }
    }
}

/// Gradients as they are: what an optimizer makes of them hides how large they were.
#[test]
fn scans_compute_the_same_on_every_mesh() {
    for model in ["mamba2", "nemotron_h"] {
        let scratch = with(&format!("scans-{model}"), model);
        runs(&scratch, &format!("model config.json {STEP} --kernels on -o loss.mlir"));
        scratch.line("grad loss.mlir -o gradients.mlir").succeeds();
        for flags in [
            "--dp 2 --tp 4",
            "--tp 8 --sp 8",
            "--cp 2 --dp 4",
            "--tp 2 --dp 4 --microbatches 2",
            "--fsdp 8 --recompute full",
        ] {
            let line = format!(
                "check gradients.mlir --machine h100:1x8 {flags} --search none --precision f64 --tolerance 1e-12"
            );
            runs(&scratch, &line).says(&["agree with the undistributed program"]);
        }
        // The kernels of a hybrid are those of its parts.
        let kernels: &[&str] = if model == "mamba2" { &["on", "off"] } else { &["on"] };
        for flags in ["--pp 2 --tp 2 --microbatches 2", "--tp 4 --shrink --search none"] {
            for kernels in kernels {
                let line = format!(
                    "check config.json {STEP} --machine h100:1x8 {flags} --kernels {kernels} --precision f64"
                );
                runs(&scratch, &line).says(&["agree with the undistributed program"]);
            }
        }
    }
}

/// Twelve heads in two groups over eight devices are in four parts; eight heads over sixteen devices are in halves.
#[test]
fn scans_spread_over_more_devices_than_there_are_groups() {
    let scratch = with("scans-grouped", "mamba2");
    let eight = std::fs::read_to_string(scratch.path("config.json")).unwrap();
    let twelve = eight
        .replace("\"num_heads\": 8", "\"num_heads\": 12")
        .replace("\"hidden_size\": 32", "\"hidden_size\": 48");
    for (config, machine, tp, shards) in
        [(&twelve, "h100:1x8", 8, "tensor<16x24x3x8xf32>"), (&eight, "h100:2x8", 16, "tensor<16x24x1x4xf32>")]
    {
        scratch.file("config.json", config);
        runs(&scratch, &format!("model config.json {STEP} --kernels on -o loss.mlir"));
        scratch.line("grad loss.mlir -o gradients.mlir").succeeds();
        let line = format!("gradients.mlir --machine {machine} --tp {tp} --search none");
        runs(&scratch, &format!("check {line} --precision f64 --tolerance 1e-12"));
        runs(&scratch, &format!("compile {line} -o out --force"));
        let local = std::fs::read_to_string(scratch.path("out/program.mlir")).unwrap();
        let call = local.lines().find(|line| line.contains(CALLS[0])).unwrap();
        assert!(call.contains(shards), "{machine}: {call}");
    }
}

#[test]
fn a_model_is_written_with_the_kernel_of_a_machine() {
    let scratch = with("scans-model", "mamba2");
    for (machine, calls) in [("h100", true), ("mi300x", true)] {
        let line = format!("model config.json {STEP} --kernels on --machine {machine} -o step.mlir");
        scratch.line(&line).succeeds();
        let text = std::fs::read_to_string(scratch.path("step.mlir")).unwrap();
        assert_eq!(text.contains(CALLS[0]), calls, "{machine}");
    }
    scratch
        .line(&format!("model config.json {STEP} --kernels on --machine tpu_v5p -o step.mlir"))
        .fails(2, &["`tpu_v5p` has no kernel for attention or scans"]);
}
