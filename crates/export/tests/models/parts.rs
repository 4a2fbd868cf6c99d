//! What holds for a part of a model or of its state: ZeRO of some tensors, shards that are padded, axes within hosts, what
//! selective recomputation keeps. Targets take it for all, and say so, or refuse it.

use super::{config, job_of};
use meshwright_export::partial_zero::PartialZero;
use meshwright_export::read::Around;
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
pub(super) fn plain_llama() -> Job {
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
    let (written, text) = refused_or(job(), "neuronx-distributed").unwrap();
    assert!(written.degrees.zero == 1 && text.contains("here none are."), "{text}");
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

/// A job of eight devices that share the batch, two of each four experts, with parameters sharded over so many.
fn sharded_experts(fsdp: usize, zero: usize) -> Job {
    let axis = |name: &str, size, kind| job::Axis { name: name.to_owned(), size, kind };
    let data = if fsdp == 2 {
        vec![axis("data", 2, job::Kind::Data), axis("data2", 2, job::Kind::Data)]
    } else {
        vec![axis("data", 4, job::Kind::Data)]
    };
    Job {
        degrees: job::Degrees { dp: 4, ep: 2, fsdp, zero, ..job::Degrees::default() },
        axes: data.into_iter().chain([axis("expert", 2, job::Kind::Expert)]).collect(),
        ..job_of(&config("tiny/qwen3_moe"), 16)
    }
}

#[test]
fn what_is_no_expert_is_sharded_over_the_devices_of_experts_too() {
    for (target, own) in [
        ("torchtitan", ["data_parallel_replicate_degree = 1", "data_parallel_shard_degree = 8"]),
        ("maxtext", ["ici_data_parallelism: 1\nici_fsdp_parallelism: 4", "ici_expert_parallelism: 2"]),
        ("sagemaker", ["\"hybrid_shard_degree\": 8", "\"expert_parallel_degree\": 2"]),
        ("deepspeed", ["\"stage\": 3", "\"autoep_size\": 2"]),
    ] {
        let job = |fsdp: usize| {
            let recompute = if target == "maxtext" { Recompute::Full } else { Recompute::None };
            let mut job = Job { recompute, ..sharded_experts(fsdp, 3) };
            if target == "sagemaker" {
                job.model = job_of(&config("tiny/mixtral"), 16).model;
            }
            job
        };
        let refusal = refused_or(job(4), target).unwrap_err();
        assert!(
            refusal.contains("fsdp=4 with ep=2: what is no expert is sharded over the devices of ep too"),
            "{refusal}"
        );
        assert!(refusal.contains("nearest: fsdp=8"), "{refusal}");
        let (_, text) = refused_or(job(8), target).unwrap();
        own.iter().for_each(|line| assert!(text.contains(line), "{target}: {line}\n{text}"));
    }
    let refusal = refused_or(sharded_experts(8, 3), "megatron-lm").unwrap_err();
    assert!(refusal.contains("zero=3 with ep=2: its FSDP has no experts that are shared; nearest: zero=1"));
    let copies =
        export(sharded_experts(2, 3), meshwright_export::target("torchtitan").unwrap(), Otherwise::Nearest)
            .unwrap();
    let text = &copies.files[0].text;
    assert!(text.contains("data_parallel_replicate_degree = 2\ndata_parallel_shard_degree = 4"), "{text}");
    // Experts are over two devices of each copy then, the rest over four: no degrees say that.
    let problem =
        meshwright_export::read::read("job.toml", text, Around::devices(8)).unwrap_err().to_string();
    assert!(
        problem.contains("experts, whose shards are over 2 devices, and those of other parameters over 4")
    );
}

#[test]
fn torchtitan_makes_nothing_again_where_dualpipe_overlaps_experts() {
    let of = |recompute: Recompute| {
        let axis = |name: &str, size, kind| job::Axis { name: name.to_owned(), size, kind };
        // Norms of its latent attention add 1e-6.
        let model = config("tiny/deepseek_v3")
            .replace("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 4")
            .replace("\"rms_norm_eps\": 1e-05", "\"rms_norm_eps\": 1e-06");
        let mut job = Job {
            degrees: job::Degrees { dp: 2, ep: 2, pp: 2, vp: 2, zero: 2, ..job::Degrees::default() },
            axes: vec![
                axis("pipeline", 2, job::Kind::Pipeline),
                axis("data", 2, job::Kind::Data),
                axis("expert", 2, job::Kind::Expert),
            ],
            global_batch: 16,
            microbatches: 4,
            stages: Some(vec![1; 4]),
            recompute,
            ..job_of(&model, 16)
        };
        let named = meshwright_schedule::named("dualpipe-v").unwrap();
        job.schedule = job.rows_by(&named).unwrap();
        job.schedule_names = vec![named.name];
        let target = meshwright_export::target("torchtitan").unwrap();
        export(job, target, Otherwise::Nearest).unwrap().files.remove(0).text
    };
    let overlap = "pipeline_parallel_expert_parallel_overlap = false";
    let [again, none] = [of(Recompute::Full), of(Recompute::None)];
    assert!(again.contains("= \"DualPipeV\"") && again.contains(overlap), "{again}");
    assert!(none.contains("= \"DualPipeV\"") && !none.contains(overlap), "{none}");
}

#[test]
fn maxtext_shards_parameters_over_devices_of_experts_and_tokens_always() {
    let with_experts = Job { recompute: Recompute::Full, ..sharded_experts(1, 0) };
    let refusal = refused_or(with_experts, "maxtext").unwrap_err();
    assert!(refusal.contains("zero=0 with ep=2") && refusal.contains("nearest: fsdp=8,zero=3"), "{refusal}");
    let axis = |name: &str, size, kind| job::Axis { name: name.to_owned(), size, kind };
    let with_tokens = Job {
        degrees: job::Degrees { dp: 4, cp: 2, ..job::Degrees::default() },
        axes: vec![axis("data", 4, job::Kind::Data), axis("context", 2, job::Kind::Context)],
        recompute: Recompute::Full,
        ..plain_llama()
    };
    let refusal = refused_or(with_tokens, "maxtext").unwrap_err();
    assert!(
        refusal.contains("zero=0 with cp=2") && refusal.contains("nearest: parameters over 2 devices"),
        "{refusal}"
    );
}

#[test]
fn maxtext_shares_tokens_in_pairs_of_parts() {
    let of = |cp: usize, sequence: usize| {
        let job = Job {
            degrees: job::Degrees { cp, ..job::Degrees::default() },
            axes: vec![job::Axis { name: "context".to_owned(), size: cp, kind: job::Kind::Context }],
            recompute: Recompute::Full,
            sequence,
            ..plain_llama()
        };
        refused_or(job, "maxtext").unwrap_err()
    };
    let [odd, short, pairs] = [of(3, 18), of(4, 20), of(4, 16)];
    assert!(odd.contains("cp=3: it shares tokens over an even number of devices"), "{odd}");
    assert!(short.contains("cp=4: the length of a sequence, 20, has to be divisible by 8"), "{short}");
    assert!(!pairs.contains("the length of a sequence") && !pairs.contains("even number"), "{pairs}");
}

#[test]
fn what_is_no_level_of_recomputation_is_refused_or_becomes_one() {
    let words = "3 products with weights, 27 elementwise ops";
    let of = |words: &str| {
        let mut plan =
            meshwright_plan::PlanFile::from_text(&super::text("exports/plans/data_and_tensor.json")).unwrap();
        plan.recompute = Some(words.to_owned());
        let job = Job::read(&plan, None).unwrap();
        (job.recompute, job.partial_recompute)
    };
    assert_eq!(of("selective"), (Recompute::Selective, None));
    assert_eq!(of(words), (Recompute::Full, Some(words.to_owned())));
    assert_eq!(of("27 elementwise ops"), (Recompute::Selective, Some("27 elementwise ops".to_owned())));
    for target in meshwright_export::TARGETS.iter().filter(|target| target.name != "jax") {
        let partial_recompute = Some("27 elementwise ops".to_owned());
        let job = Job { recompute: Recompute::Selective, partial_recompute, ..plain_llama() };
        let gaps = export(job, target, Otherwise::Refused).unwrap_err();
        let of_it: Vec<String> =
            gaps.iter().map(ToString::to_string).filter(|gap| gap.contains("27 elementwise ops")).collect();
        assert_eq!(of_it.len(), 1, "{}: {gaps:?}", target.name);
        let has_selective = ["torchtitan", "megatron-lm", "megatron-bridge", "nemo", "maxtext", "mindspeed"];
        let level = if has_selective.contains(&target.name) { "`selective`" } else { "`full`" };
        assert!(of_it[0].ends_with(level), "{}", of_it[0]);
        assert!(!gaps.iter().any(|gap| gap.what.starts_with("recomputation")), "{gaps:?}");
    }
}

#[test]
fn sagemaker_and_paddle_look_at_the_model() {
    let of = |model: &str, degrees: job::Degrees| {
        let recompute = Recompute::Full;
        Job { degrees, recompute, ..job_of(&config(model), 16) }
    };
    let tensor = job::Degrees { dp: 1, tp: 8, ..job::Degrees::default() };
    let of_experts = job::Degrees { dp: 4, fsdp: 8, ep: 2, zero: 3, ..job::Degrees::default() };
    for (target, model, degrees, why) in [
        ("sagemaker", "tiny/llama", tensor, "tp=8: the number of heads of keys and values"),
        ("sagemaker", "tiny/qwen3", tensor, "tp=8: it has none of it for models of type `qwen3`"),
        ("sagemaker", "tiny/bert", tensor, "no decoder that writes text"),
        ("sagemaker", "tiny/qwen3_moe", of_experts, "ep=2: it has none of it for models of type `qwen3_moe`"),
        ("paddle", "tiny/mixtral", tensor, "models of type `mixtral`"),
        ("paddle", "tiny/deepseek_v3", tensor, "no sizes that can be written"),
    ] {
        let refusal = refused_or(of(model, degrees), target).unwrap_err();
        assert!(refusal.contains(why), "{target} of {model}: {refusal}");
    }
    let alone = job::Degrees { dp: 8, fsdp: 8, zero: 3, ..job::Degrees::default() };
    let (_, text) = refused_or(of("tiny/bert", alone), "sagemaker").unwrap();
    assert!(text.contains("activation checkpointing") && text.contains("8 sequences of 16 tokens"), "{text}");
}
