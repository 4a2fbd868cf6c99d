//! `plan --for TARGET`: plans that a framework can run.

use crate::common::{Ran, Scratch, example};

fn config() -> String {
    format!("{}/../../tests/data/exports/llama.json", env!("CARGO_MANIFEST_DIR"))
}

/// A plan for a framework.
fn plan(scratch: &Scratch, target: &str, more: &str) -> Ran {
    let config = config();
    scratch
        .line(&format!("plan {config} --machine h100:1x4 --seq 16 --global-batch 16 --for {target} {more}"))
}

#[test]
fn what_is_planned_for_a_target_is_exported_as_it_is() {
    let scratch = Scratch::new("for-target");
    for target in ["torchtitan", "megatron-lm", "deepspeed", "accelerate"] {
        let ran = plan(&scratch, target, &format!("--allow cp=1 -o {target}.json"));
        assert_eq!(ran.code, Some(0), "{target}: {}", ran.err);
        assert!(ran.out.contains("runs the fastest") || ran.out.contains("runs as it is"), "{}", ran.out);
        let config = config();
        let export =
            scratch.line(&format!("export {target}.json --to {target} --config {config} -o {target}"));
        assert_eq!(export.code, Some(0), "{target}: {}", export.err);
        assert_eq!(export.err, "", "{target}");
    }
}

#[test]
fn microbatches_of_a_size_are_exported_as_they_are() {
    let scratch = Scratch::new("for-target-of-a-size");
    let ran =
        plan(&scratch, "megatron-lm", "--microbatch-size 2 --tp 2 --pp 2 --zero 1 --allow cp=1 -o plan.json");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let config = config();
    let export = scratch.line(&format!("export plan.json --to megatron-lm --config {config} -o job"));
    assert_eq!((export.code, export.err.as_str()), (Some(0), ""), "{}", export.out);
    let job = std::fs::read_to_string(scratch.path("job/launch.sh")).unwrap();
    assert!(job.contains("--micro-batch-size 2"), "{job}");
}

#[test]
fn what_a_target_cannot_run_decides_the_plan_or_leaves_none() {
    let scratch = Scratch::new("for-target-decides");
    let ways = "--tp 2 --sp 1 --zero 0";
    // Torchtitan's tensor parallelism is with sequence parallelism.
    plan(&scratch, "torchtitan", ways).fails(3, &["torchtitan", "can run none of", "sp=1 with tp=2"]);
    let other = plan(&scratch, "megatron-lm", &format!("{ways} --json"));
    assert_eq!(other.code, Some(0), "{}", other.err);
    assert_eq!(other.json()["degrees"]["tp"], 2);
    // MaxText always makes something again.
    plan(&scratch, "maxtext", &format!("{ways} --recompute none")).fails(3, &["recomputation `none`"]);
    let again = plan(&scratch, "maxtext", ways);
    assert_eq!(again.code, Some(0), "{}", again.err);
    // The compiler warns of the plan that is taken, once, and of no other.
    assert_eq!(again.err.matches("warning[").count(), 1, "{}", again.err);
    assert!(again.err.starts_with("warning[replicated]: `stablehlo.gather`"), "{}", again.err);
    again.says(&["recompute     selective"]);
    assert_eq!(plan(&scratch, "maxtext", "--tp 2 --zero 0 --recompute full").code, Some(0));
    // Nothing is priced where the model itself is what it does not have.
    let none = plan(&scratch, "nanotron", "");
    none.fails(3, &["can run no plan of this: its models have no stretched rotary positions"]);
    plan(&scratch, "list", "").fails(2, &["`list` is no framework"]);
    plan(&scratch, "torchtitan", "--search none").fails(2, &["--for", "--search"]);
    scratch
        .line(&format!("plan {} --machine cpu8 --for torchtitan", example("gpt.mlir")))
        .fails(2, &["goes with a model's config.json"]);
}

/// Nanotron cuts stages by itself: eight small layers in front of a head are five and three.
#[test]
fn stages_that_a_target_cuts_by_itself_are_planned_so() {
    let scratch = Scratch::new("for-target-stages");
    scratch.file(
        "config.json",
        r#"{"model_type": "llama", "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 8,
        "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 96, "max_position_embeddings": 64,
        "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": false}"#,
    );
    let step = "plan config.json --machine h100:1x2 --seq 16 --global-batch 16 --pp 2 --microbatches 4 --recompute none";
    let found = scratch.line(&format!("{step} --for nanotron --json -o plan.json"));
    assert_eq!(found.code, Some(0), "{}", found.err);
    let export = scratch.line("export plan.json --to nanotron -o job");
    assert_eq!((export.code, export.err.as_str()), (Some(0), ""), "{}", export.out);
    let said = scratch.line(&format!("{step} --stage-layers 5,3 --json"));
    assert_eq!(said.json()["step_seconds"], found.json()["step_seconds"], "{}", said.err);
}

#[test]
fn a_plan_for_a_target_is_warned_of_as_the_same_plan_is_and_once() {
    let scratch = Scratch::new("for-target-warnings");
    let step =
        format!("plan {} --machine v100:1x2 --seq 16 --global-batch 8 --zero 0 --recompute none", config());
    let taken = scratch.line(&format!("{step} --dp 2 --precision-recipe bf16 --for megatron-lm"));
    assert_eq!(taken.code, Some(0), "{}", taken.err);
    let same = scratch.line(&format!("{step} --dp 2 --precision-recipe bf16 --search none"));
    assert_eq!(same.code, Some(0), "{}", same.err);
    assert_eq!(taken.err, same.err);
    assert_eq!(taken.err.matches("v100 has no bf16").count(), 1, "{}", taken.err);
}

#[test]
fn goals_hold_of_the_plan_for_a_target_and_what_it_does_not_know_is_refused() {
    let scratch = Scratch::new("for-target-goals");
    let ways = "--tp 2 --zero 0 --sp 1 --allow cp=1";
    let with = |more: &str| plan(&scratch, "megatron-lm", &format!("{ways} {more}"));
    assert_eq!(with("--target-tokens-per-s 1").code, Some(0));
    let missed = with("--target-tokens-per-s 1000000T");
    let missed = missed.fails(3, &["no plan meets what is wanted; nearest is", "tokens/s"]);
    assert!(missed.out.contains("tp=2") || missed.out.contains("tensor parallel"), "{}", missed.out);
    with("--tokens 1000000T --deadline 1s").fails(3, &["in place of 1.0 seconds"]);
    with("--tokens 1T").fails(2, &["`--tokens` is of a `--deadline` or a `--budget`"]);
    with("--tokens 1B --budget 1M").fails(2, &["h100:1x4 has no price"]);
    for flag in [
        "--stop-after inline",
        "--dump-after inline=inlined.mlir",
        "--layers written-out",
        "--group-hosts 1",
        "--post-validation",
        "--delayed-weights stashed",
        "--stage-loops never",
        "--stage-layers 1,2",
    ] {
        let name = flag.split(' ').next().expect("a flag");
        with(flag).fails(2, &["--for", name]);
    }
    let config = config();
    scratch
        .line(&format!("plan {config} --machine h100:{{1,2}}x8 --seq 16 --global-batch 16 --for megatron-lm"))
        .fails(2, &["`--for` plans for one machine"]);
}
