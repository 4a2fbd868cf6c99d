//! What holds for a part of a model or of its state: ZeRO of some tensors, shards that are padded, axes within hosts, what
//! selective recomputation keeps. Targets take it for all, and say so, or refuse it.

use super::{config, job_of};
use meshwright_export::partial_zero::PartialZero;
use meshwright_export::{Job, Otherwise, Recompute, export, job};

#[test]
fn shards_that_fsdp_pads_are_said() {
    let job = |dp: usize, zero: usize| Job {
        degrees: job::Degrees { dp, zero, ..job::Degrees::default() },
        axes: vec![job::Axis { name: "data".to_owned(), size: dp, kind: job::Kind::Data }],
        global_batch: dp,
        ..job_of(&config("tiny/llama"), 16)
    };
    for target in ["torchtitan", "accelerate"] {
        let target = meshwright_export::target(target).unwrap();
        let text = |dp: usize, zero: usize| {
            export(job(dp, zero), target, Otherwise::Nearest).unwrap().files.remove(0).text
        };
        assert!(text(5, 3).contains("# Shards over 5 devices are padded of "), "{}", text(5, 3));
        assert!(!text(8, 3).contains("are padded"), "{}", text(8, 3));
        assert!(!text(5, 0).contains("are padded"), "{}", text(5, 0));
    }
}

/// The job of a Llama whose rotary positions are not stretched.
fn plain_llama() -> Job {
    let mut model: serde_json::Value = serde_json::from_str(&config("tiny/llama")).unwrap();
    model.as_object_mut().unwrap().remove("rope_scaling");
    job_of(&model.to_string(), 16)
}

/// The job that is written for a target, and its files; or why it is refused.
fn refused_or(job: Job, target: &str) -> Result<(Job, String), String> {
    let written = export(job, meshwright_export::target(target).unwrap(), Otherwise::Refused);
    let text = |files: Vec<meshwright_export::File>| files.into_iter().map(|file| file.text).collect();
    written
        .map(|written| (written.job, text(written.files)))
        .map_err(|gaps| gaps.iter().map(|gap| format!("{gap}\n")).collect())
}

#[test]
fn zero_of_a_part_is_that_of_all_where_shards_are_padded() {
    let job = || {
        let partial_zero = Some(PartialZero { stage: 2, percent: 35.0 });
        Job { partial_zero, ..plain_llama() }
    };
    for target in ["deepspeed", "torchtitan", "accelerate"] {
        let (written, text) = refused_or(job(), target).unwrap();
        assert_eq!(written.degrees.zero, 2, "{target}");
        assert!(
            text.contains("shards 35 % of the gradients over the batch (ZeRO-2); here all are."),
            "{text}"
        );
    }
    let none = || {
        let degrees = job::Degrees { zero: 0, ..job().degrees };
        Job { degrees, partial_zero: Some(PartialZero { stage: 1, percent: 3.0 }), ..job() }
    };
    let (written, text) = refused_or(none(), "accelerate").unwrap();
    assert_eq!(written.degrees.zero, 2);
    assert!(
        text.contains("3 % of the moments over the batch (ZeRO-1); here all are, and gradients too."),
        "{text}"
    );
    assert_eq!(refused_or(none(), "megatron-lm").unwrap().0.degrees.zero, 1);
    let (written, text) = refused_or(job(), "megatron-lm").unwrap();
    assert_eq!(written.degrees.zero, 1);
    assert!(text.contains("over the batch (ZeRO-2); here none are."), "{text}");
    let refusal = refused_or(job(), "nanotron").unwrap_err();
    assert!(
        refusal.contains("the plan has ZeRO-2 for 35 % of the gradients; nearest: without it"),
        "{refusal}"
    );
}

#[test]
fn axes_within_hosts_lie_in_any_order() {
    let axis = |name: &str, size, kind| job::Axis { name: name.to_owned(), size, kind };
    let job = |axes: Vec<job::Axis>| Job {
        degrees: job::Degrees { dp: 32, tp: 2, sp: 2, zero: 1, ..job::Degrees::default() },
        nodes: 8,
        devices_per_node: 8,
        axes,
        global_batch: 32,
        ..plain_llama()
    };
    let (data, model) = (job::Kind::Data, job::Kind::Tensor);
    let within = vec![axis("data", 8, data), axis("model", 2, model), axis("data2", 4, data)];
    let (written, _) = refused_or(job(within), "megatron-lm").unwrap();
    assert_eq!(written.order(), [data, model]);
    let across = vec![axis("model", 2, model), axis("data", 32, data)];
    let refusal = refused_or(job(across), "megatron-lm").unwrap_err();
    assert!(refusal.contains("ranks in the order tp, dp"), "{refusal}");
}

#[test]
fn what_selective_recomputation_keeps_is_said() {
    let job = Job { recompute: Recompute::Selective, ..plain_llama() };
    for (target, zero, part) in
        [("megatron-lm", 1, "what is between queries"), ("torchtitan", 2, "every second product")]
    {
        let degrees = job::Degrees { zero, ..job.degrees };
        let (_, text) = refused_or(Job { degrees, ..job.clone() }, target).unwrap();
        assert!(text.contains("Selective recomputation keeps") && text.contains(part), "{text}");
    }
}
