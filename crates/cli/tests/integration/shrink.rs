//! `check --shrink`: small twins of what is too large for a host.

use crate::common::{Ran, Scratch, example};
use serde_json::Value;

/// A configuration of the tests.
fn configuration(kind: &str, name: &str) -> String {
    format!("{}/../../tests/data/models/{kind}/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

fn done(scratch: &Scratch, line: &str) -> Ran {
    let ran = scratch.line(line);
    assert_eq!(ran.code, Some(0), "{line}: {}{}", ran.out, ran.err);
    ran
}

/// The sizes of each axis before and in the twin.
fn axes(report: &Value) -> Vec<[u64; 2]> {
    let axes = report["twin"]["axes"].as_array().expect("a list");
    axes.iter().map(|axis| ["size", "twin_size"].map(|key| axis[key].as_u64().expect("a number"))).collect()
}

#[test]
fn a_model_that_no_host_runs_is_proven_by_its_twin() {
    let scratch = Scratch::new("shrink-model");
    let config = configuration("released", "llama-3.2-1b");
    let flags = "--machine h100:8x8 --seq 4096 --global-batch 512 --search none --as dp=8,tp=8,zero=1";
    let again = "--microbatches 8 --recompute selective";
    let (plan, precision) = (scratch.path("plan.json").display().to_string(), "--precision f64");
    done(&scratch, &format!("plan {config} {flags} {again} -o {plan}"));
    scratch
        .line(&format!("check {config} --plan {plan} {precision}"))
        .fails(3, &["running the program whole and on every device"]);
    let report = done(&scratch, &format!("check {config} --plan {plan} {precision} --shrink --json")).json();
    assert_eq!(report["agrees"], true);
    // Axes of 64 devices are too large for threads of a host, and stay axes.
    assert!(axes(&report).iter().all(|[size, twin]| size % twin == 0 && *twin >= 2), "{report}");
    assert!(axes(&report).iter().map(|[_, twin]| twin).product::<u64>() <= 16);
    // Passes that weigh time against bytes may do other things for small tensors; that is said.
    for unproven in report["twin"]["unproven"].as_array().expect("a list") {
        let said = unproven.as_str().expect("words");
        assert!(said.starts_with("collective_permute over ") || said.starts_with("the pass "), "{said}");
    }
    for argument in report["twin"]["arguments"].as_array().expect("a list") {
        let elements = |key: &str| -> u64 {
            argument[key].as_array().expect("a shape").iter().map(|size| size.as_u64().unwrap()).product()
        };
        assert!(elements("twin_shape") <= elements("shape").min(1 << 20), "{argument}");
        // Its 16 layers are alike: a loop through stacks of their parameters, of three turns here.
        let of_layers = |key: &str| argument[key][0].as_u64();
        assert!(of_layers("shape") != Some(16) || of_layers("twin_shape") == Some(3), "{argument}");
    }
}

#[test]
fn convolutions_and_running_totals_shrink_with_what_they_slide_over() {
    let scratch = Scratch::new("shrink-convolutions");
    let flags = "--machine cpu8 --global-batch 8 --search none --as dp=2,tp=4 --memory-limit 1TiB --shrink";
    for (name, sequence) in [("mamba2-2.7b", "--seq 2048"), ("whisper-tiny", "")] {
        let config = configuration("released", name);
        let report = done(&scratch, &format!("check {config} {sequence} {flags} --json")).json();
        assert_eq!(report["agrees"], true, "{name}");
        for argument in report["twin"]["arguments"].as_array().expect("a list") {
            let shape = argument["twin_shape"].as_array().expect("a shape");
            assert!(
                shape.iter().all(|size| size.as_u64().is_some_and(|size| size <= 64)),
                "{name}: {argument}"
            );
        }
    }
}

#[test]
fn what_is_padded_stays_padded() {
    let scratch = Scratch::new("shrink-padded");
    // 50,257 words over 8 devices.
    let config = configuration("released", "gpt2");
    let flags = "--machine cpu8 --seq 64 --global-batch 8 --search none --as tp=4,dp=2 --memory-limit 1TiB";
    let report = done(&scratch, &format!("check {config} {flags} --precision f64 --shrink --json")).json();
    assert_eq!(report["agrees"], true);
    let of_plan = report["plan"]["arguments"].as_array().expect("a list");
    let of_twin = report["twin"]["arguments"].as_array().expect("a list");
    for (plan, twin) in of_plan.iter().zip(of_twin) {
        let sizes = |key: &str| -> Vec<u64> {
            twin[key].as_array().expect("a shape").iter().map(|size| size.as_u64().unwrap()).collect()
        };
        let sharded = plan["sharding"].as_array().expect("a list");
        for (dim, (before, after)) in sizes("shape").into_iter().zip(sizes("twin_shape")).enumerate() {
            let is_sharded = sharded.get(dim).and_then(Value::as_array).is_some_and(|axes| !axes.is_empty());
            assert!(!is_sharded || after % 2 == before % 2, "{plan} {twin}");
        }
    }
}

#[test]
fn programs_have_twins_too_and_say_what_shrank() {
    let scratch = Scratch::new("shrink-program");
    let flags = "--machine cpu8 --search none --as dp=2,tp=4 --shrink --precision f64";
    let said = done(&scratch, &format!("check {} {flags}", example("gpt.mlir"))).out;
    for part in ["Checked is a small twin", "in the twin", "unproven", "outputs agree"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    scratch
        .line(&format!("check {} {flags} --inputs x.npz", example("gpt.mlir")))
        .fails(2, &["--shrink", "--inputs"]);
}

#[test]
fn a_plan_that_does_not_fit_has_a_twin_that_does() {
    let scratch = Scratch::new("shrink-misfit");
    let config = configuration("released", "llama-3.2-1b");
    let line =
        format!("check {config} --machine cpu8 --seq 256 --global-batch 16 --search none --as dp=8 --shrink");
    let Ran { out, err, .. } = done(&scratch, &line);
    assert!(out.contains("outputs agree"), "{out}");
    assert!(err.contains("the twin is that of a plan for devices with memory enough"), "{err}");
    // Whoever says how much memory there is means it.
    scratch.line(&format!("{line} --memory-limit 2GB")).fails(3, &["the program needs"]);
}
