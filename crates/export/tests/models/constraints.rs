//! What targets ask of plans before there are any: clauses that `--allow` reads, and levels of recomputation.

use super::parts::plain_llama;
use super::{config, job_of};
use meshwright_export::constraints::{Constraints, Step, Way, constraints, gaps};
use meshwright_export::{Job, Precision, Recompute, TARGETS, job, target};

fn step(of: &Job, devices: usize) -> Step {
    let sizes = of.model.clone().ok_or_else(|| of.no_sizes.clone().unwrap());
    Step {
        machine: format!("h100:1x{devices}"),
        devices,
        global_batch: 64,
        sequence: 64,
        precision: Precision::Bf16,
        optimizer: Some("adamw".to_owned()),
        sizes,
        beyond: Vec::new(),
    }
}

fn of(name: &str, step: &Step) -> Result<Constraints, Vec<String>> {
    constraints(target(name).unwrap(), step)
}

#[test]
fn clauses_and_levels_are_those_of_the_target() {
    use Recompute::{Full, None, Selective};
    // Four heads and two of keys; three layers.
    let llama = step(&plain_llama(), 8);
    for (target, clauses, levels) in [
        ("torchtitan", &["tp in 1,2", "cp=1", "ep=1", "zero in 0,2,3"][..], &[None, Selective, Full][..]),
        ("megatron-lm", &["tp in 1,2", "ep=1"], &[None, Selective, Full]),
        ("nanotron", &["tp in 1,2", "cp=1", "ep=1", "zero in 0,1"], &[None, Full]),
        ("deepspeed", &["tp in 1,2", "cp in 1,2,4", "ep=1", "pp=1"], &[None, Full]),
        ("maxtext", &["tp in 1,2", "cp=1", "ep=1", "pp=1", "zero in 0,1,3"], &[Selective, Full]),
        ("sagemaker", &["tp in 1,2", "ep=1", "pp=1", "zero in 0,3"], &[None, Full]),
        ("paddle", &["tp in 1,2", "cp=1", "ep=1", "pp=1"], &[None, Full]),
    ] {
        let found = of(target, &llama).unwrap();
        assert_eq!(found.clauses, clauses, "{target}");
        assert_eq!(found.recompute, levels, "{target}");
    }
    let experts = step(&job_of(&config("tiny/qwen3_moe"), 16), 8);
    let found = of("torchtitan", &experts).unwrap();
    assert!(found.clauses.contains(&"pp=1".to_owned()), "its qwen3 has no pipeline: {found:?}");
    assert!(
        !found.clauses.iter().any(|clause| clause.starts_with("ep")),
        "eight experts over eight devices: {found:?}"
    );
}

#[test]
fn what_no_plan_changes_is_the_reason() {
    let stretched = step(&job_of(&config("tiny/llama"), 16), 8);
    let reasons = of("nanotron", &stretched).unwrap_err();
    assert_eq!(reasons, ["its models have no stretched rotary positions"]);
    let bert = step(&job_of(&config("tiny/bert"), 16), 8);
    let reasons = of("megatron-lm", &bert).unwrap_err();
    assert!(reasons[0].contains("no decoder that writes text"), "{reasons:?}");
}

#[test]
fn ways_are_asked_of_the_target_by_themselves() {
    let llama = step(&plain_llama(), 8);
    let asked = |target: &str, degrees: job::Degrees, recompute: &str| {
        let way = Way { degrees, microbatches: 4, recompute: Recompute::of_words(recompute), schedule: None };
        let gaps = gaps(meshwright_export::target(target).unwrap(), &llama, &way);
        gaps.iter().map(|gap| format!("{gap}\n")).collect::<String>()
    };
    let degrees = job::Degrees { dp: 4, tp: 2, zero: 2, ..job::Degrees::default() };
    assert!(asked("torchtitan", degrees, "none").contains("sp=1 with tp=2"));
    assert_eq!(asked("torchtitan", job::Degrees { sp: 2, ..degrees }, "none"), "");
    assert!(
        asked("torchtitan", job::Degrees { sp: 2, ..degrees }, "9 moves")
            .contains("no level of recomputation")
    );
    let odd = Step { sequence: 63, ..llama.clone() };
    let way = Way { degrees, microbatches: 4, recompute: (Recompute::None, None), schedule: None };
    let said = gaps(target("torchtitan").unwrap(), &odd, &way);
    let said: Vec<String> = said.iter().map(ToString::to_string).collect();
    assert!(said.contains(&"the length of a sequence, 63, has to be divisible by 4".to_owned()), "{said:?}");
    let found = of("deepspeed", &Step { sequence: 62, ..llama.clone() }).unwrap();
    assert!(found.clauses.contains(&"cp in 1,2".to_owned()), "{found:?}");
    let stages = job::Degrees { dp: 2, tp: 2, pp: 2, zero: 1, ..job::Degrees::default() };
    assert_eq!(asked("megatron-lm", stages, "full"), "");
    assert!(asked("paddle", stages, "full").contains("3 layers are not 2 equal stages"));
}

#[test]
fn many_devices_have_clauses_too() {
    let llama = step(&job_of(&config("released/llama-3.1-405b"), 16), 16_384);
    let count = TARGETS.iter().filter(|target| constraints(target, &llama).is_ok()).count();
    assert!(count > 6, "{count}");
}

/// All ways on so many devices, with one level of recomputation.
fn all_ways(devices: usize, recompute: Recompute) -> Vec<Way> {
    let divisors = |of: usize| (1..=of).filter(move |number| of.is_multiple_of(*number));
    let mut ways = Vec::new();
    for tp in divisors(devices) {
        for cp in divisors(devices / tp) {
            for ep in divisors(devices / tp / cp) {
                for pp in divisors(devices / tp / cp / ep).filter(|pp| *pp <= 3) {
                    let dp = devices / tp / cp / ep / pp;
                    let states = [(0, 1), (1, 1), (2, 1), (3, dp * ep)];
                    for (zero, fsdp) in states.into_iter().filter(|(zero, _)| *zero == 0 || dp * ep > 1) {
                        for sp in [1, tp] {
                            let degrees =
                                job::Degrees { dp, tp, sp, cp, ep, pp, zero, fsdp, ..Default::default() };
                            let recompute = (recompute, None);
                            ways.push(Way { degrees, microbatches: pp, recompute, schedule: None });
                        }
                    }
                }
            }
        }
    }
    ways
}

/// Whether degrees keep to a clause on one of them.
fn keeps(degrees: &job::Degrees, clause: &str) -> bool {
    let (name, numbers) = clause.split_once(" in ").or_else(|| clause.split_once('=')).unwrap();
    let job::Degrees { tp, cp, ep, pp, zero, .. } = *degrees;
    let all = [("tp", tp), ("cp", cp), ("ep", ep), ("pp", pp), ("zero", zero)];
    let own = all.iter().find(|(own, _)| *own == name).unwrap().1;
    numbers.split(',').any(|number| number.parse() == Ok(own))
}

#[test]
fn clauses_close_nothing_that_a_target_runs() {
    let models =
        ["tiny/mixtral", "tiny/qwen3_moe", "released/smollm2-135m"].map(|name| job_of(&config(name), 16));
    for model in models.into_iter().chain([plain_llama()]) {
        for devices in [6, 8, 20] {
            let step = step(&model, devices);
            for target in TARGETS {
                let Ok(constraints) = constraints(target, &step) else { continue };
                for way in all_ways(devices, constraints.recompute[0]) {
                    let broken = constraints.clauses.iter().find(|clause| !keeps(&way.degrees, clause));
                    let Some(clause) = broken else { continue };
                    assert!(
                        !gaps(target, &step, &way).is_empty(),
                        "{} runs {} on {devices} devices, which `{clause}` closes",
                        target.name,
                        way.degrees
                    );
                }
            }
        }
    }
}
