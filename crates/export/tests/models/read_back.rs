//! What is written for a target is read back as the same job, for many degrees; and what its file says beside that is named.

use super::parts::plain_llama;
use super::{config, job_of};
use meshwright_export::read::{Around, READERS, beside, read};
use meshwright_export::{Export, Job, Kind, Otherwise, Precision, Recompute, export, job};
use std::collections::BTreeMap;

fn degrees() -> job::Degrees {
    job::Degrees::default()
}

/// A job of eight devices with these degrees, each kind an axis.
fn with(degrees: job::Degrees, of: Job) -> Job {
    let axis = |kind: Kind, size: usize| job::Axis { name: kind.name().to_owned(), size, kind };
    let data = match degrees.zero == 3 && degrees.fsdp < degrees.dp {
        true => vec![axis(Kind::Data, degrees.dp / degrees.fsdp), axis(Kind::Data, degrees.fsdp)],
        false => vec![axis(Kind::Data, degrees.dp)],
    };
    let kinds = [(Kind::Expert, degrees.ep), (Kind::Context, degrees.cp), (Kind::Tensor, degrees.tp)];
    let others = kinds.into_iter().map(|(kind, size)| axis(kind, size));
    let stages = axis(Kind::Pipeline, degrees.pp);
    let axes = [stages].into_iter().chain(data).chain(others).filter(|axis| axis.size > 1).collect();
    let microbatches = if degrees.pp > 1 { 4 } else { 2 };
    let count = degrees.pp * degrees.vp;
    let layers = of.model.as_ref().map_or(1, |model| model.layers);
    let mut job = Job {
        degrees,
        devices_per_node: degrees.num_devices(),
        axes,
        global_batch: degrees.dp * degrees.ep * microbatches * 2,
        microbatches,
        stages: (count > 1).then(|| vec![layers / count; count]),
        ..of
    };
    let usual = if degrees.vp > 1 { "interleaved-1f1b" } else { "1f1b" };
    if let Some(named) = meshwright_schedule::named(usual).filter(|_| degrees.pp > 1) {
        job.schedule = job.rows_by(&named).unwrap();
        job.schedule_names = vec![usual];
    }
    job
}

/// A Llama of eight layers whose rotary positions are not stretched.
fn eight_layers() -> Job {
    let mut job = plain_llama();
    if let Some(model) = &mut job.model {
        model.layers = 8;
    }
    job
}

/// What is refused of a job whose state lies as no degrees say, if it is one, as a target has it.
fn no_degrees(job: &Job, target: &str) -> Option<&'static str> {
    let job::Degrees { dp, fsdp, ep, cp, zero, .. } = job.degrees;
    match target {
        _ if zero == 3 && ep > 1 && fsdp < dp => Some("beside experts"),
        "maxtext" if cp > 1 && zero < 3 => Some("in shards over these devices alone"),
        _ => None,
    }
}

#[test]
fn jobs_of_all_targets_are_read_back() {
    let plain = [
        degrees(),
        job::Degrees { dp: 8, ..degrees() },
        job::Degrees { dp: 8, zero: 1, ..degrees() },
        job::Degrees { dp: 8, zero: 2, ..degrees() },
        job::Degrees { dp: 8, fsdp: 8, zero: 3, ..degrees() },
        job::Degrees { dp: 8, fsdp: 2, zero: 3, ..degrees() },
        job::Degrees { dp: 4, tp: 2, zero: 1, ..degrees() },
        job::Degrees { dp: 4, fsdp: 4, tp: 2, sp: 2, zero: 3, ..degrees() },
        job::Degrees { dp: 2, fsdp: 2, cp: 4, zero: 3, ..degrees() },
        job::Degrees { dp: 2, cp: 2, tp: 2, sp: 2, ..degrees() },
        job::Degrees { dp: 2, tp: 2, pp: 2, zero: 1, ..degrees() },
        job::Degrees { dp: 4, pp: 2, vp: 2, ..degrees() },
    ];
    let with_experts = [
        job::Degrees { dp: 4, ep: 2, zero: 1, ..degrees() },
        job::Degrees { dp: 4, ep: 2, fsdp: 8, zero: 3, ..degrees() },
        job::Degrees { dp: 4, ep: 2, fsdp: 2, zero: 3, ..degrees() },
        job::Degrees { dp: 2, ep: 2, tp: 2, sp: 2, zero: 1, ..degrees() },
    ];
    let mixtral = job_of(&config("tiny/mixtral"), 16);
    let jobs = plain.map(|degrees| with(degrees, eight_layers())).into_iter();
    let jobs = jobs.chain(with_experts.map(|degrees| with(degrees, mixtral.clone())));
    let jobs = jobs.flat_map(|job| {
        [
            (Recompute::None, Precision::F32),
            (Recompute::Full, Precision::Bf16),
            (Recompute::Selective, Precision::Bf16),
        ]
        .map(|(recompute, precision)| Job { recompute, precision, ..job.clone() })
    });
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for planned in jobs {
        for reader in READERS {
            let target = meshwright_export::target(reader.target).unwrap();
            let Ok(Export { job, files, .. }) = export(planned.clone(), target, Otherwise::Nearest) else {
                continue;
            };
            let is_its = |name: &str| reader.extensions.iter().any(|extension| name.ends_with(extension));
            let file = files.iter().find(|file| is_its(file.name)).unwrap();
            let layers = job.model.as_ref().map(|model| model.layers);
            let around = Around { devices: job.num_devices(), layers };
            if let Some(said) = no_degrees(&job, reader.target) {
                let problem = read(file.name, &file.text, around).unwrap_err().to_string();
                assert!(problem.contains(said), "{problem}");
                continue;
            }
            let found = read(file.name, &file.text, around)
                .unwrap_or_else(|problem| panic!("{}: {problem}\n{}", target.name, file.text));
            // State of one device alone is in no shards.
            let is_alone = |degrees: job::Degrees| match degrees.replicas() * degrees.cp {
                1 => job::Degrees { zero: 0, fsdp: 1, ..degrees },
                _ => degrees,
            };
            let of = format!("{} of {}: {}", target.name, planned.degrees, file.text);
            assert_eq!(is_alone(found.degrees), is_alone(job.degrees), "{of}");
            assert_eq!(found.microbatches.unwrap_or(job.microbatches), job.microbatches, "{of}");
            assert_eq!(found.microbatch_size.unwrap_or(job.microbatch_size()), job.microbatch_size(), "{of}");
            assert_eq!(found.global_batch.unwrap_or(job.global_batch), job.global_batch, "{of}");
            assert_eq!(found.sequence.unwrap_or(job.sequence), job.sequence, "{of}");
            assert_eq!(found.precision.unwrap_or(job.precision), job.precision, "{of}");
            assert_eq!(found.recompute.unwrap_or(job.recompute), job.recompute, "{of}");
            let uneven = |stages: &Vec<usize>| stages.iter().any(|own| *own != stages[0]);
            assert_eq!(found.stages, job.stages.clone().filter(uneven), "{of}");
            *counts.entry(target.name).or_default() += 1;
        }
    }
    assert_eq!(counts.len(), READERS.len(), "{counts:?}");
    assert!(counts.values().all(|count| *count >= 12), "{counts:?}");
}

#[test]
fn deepspeed_is_started_by_accelerate_with_a_file_of_its_own_or_without() {
    let of = |config: &str| {
        format!("distributed_type: DEEPSPEED\nmixed_precision: bf16\ndeepspeed_config:\n{config}")
    };
    let text = of("  zero_stage: 3\n  gradient_accumulation_steps: 4\n  offload_param_device: none\n");
    let found = read("a.yaml", &text, Around::devices(8)).unwrap();
    assert_eq!(found.degrees, job::Degrees { dp: 8, fsdp: 8, zero: 3, ..degrees() });
    assert_eq!((found.microbatches, found.precision), (Some(4), Some(Precision::Bf16)));
    // What the script says is left open, and ZeRO-2 is what nothing means.
    let found = read("a.yaml", &of("  gradient_accumulation_steps: auto\n"), Around::devices(8)).unwrap();
    assert_eq!((found.degrees.zero, found.degrees.fsdp, found.microbatches), (2, 1, None));
    // Types of numbers are the file's.
    let with_file = |config: &str| format!("distributed_type: DEEPSPEED\ndeepspeed_config:\n{config}");
    let named = with_file("  deepspeed_config_file: conf/ds.json\n  zero3_init_flag: true\n");
    assert_eq!(beside("a.yaml", &named, 8).unwrap(), Some("conf/ds.json".to_owned()));
    assert_eq!(beside("a.yaml", &text, 8).unwrap(), None);
    assert_eq!(beside("a.yaml", "distributed_type: MULTI_GPU\n", 8).unwrap(), None);
    for (more, said) in [
        ("  deepspeed_config_file: ds.json\n  zero_stage: 2\n", "`deepspeed_config.zero_stage`"),
        ("  deepspeed_config_file: ds.json\nnum_processes: 4\n", "there are 8 devices"),
        ("  deepspeed_config_file: ds.yaml\n", "no file of DeepSpeed in JSON"),
        ("  deepspeed_config_file: ds.json\nmixed_precision: fp8\n", "`mixed_precision` is said beside"),
        ("  deepspeed_config_file: ds.json\nuse_cpu: true\n", "`use_cpu`"),
        ("  deepspeed_config_file: ds.json\nfp8_config:\n  backend: TE\n", "`fp8_config`"),
        (
            "  deepspeed_config_file: ds.json\nparallelism_config:\n  parallelism_config_tp_size: 2\n",
            "`parallelism_config`",
        ),
        (
            "  deepspeed_config_file: ds.json\nfsdp_config:\n  fsdp_forward_prefetch: perhaps\n",
            "`fsdp_config.fsdp_forward_prefetch`",
        ),
    ] {
        let problem = beside("a.yaml", &with_file(more), 8).unwrap_err().to_string();
        assert!(problem.contains(said), "{problem}");
    }
}

#[test]
fn what_a_file_says_beside_what_is_read_is_named() {
    let problem = |name: &str, text: &str| read(name, text, Around::devices(8)).unwrap_err().to_string();
    for (name, text, said) in [
        ("a.yaml", "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 3\n", "`fsdp_config.fsdp_version`"),
        (
            "a.yaml",
            "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 1\n  fsdp_sharding_strategy: HYBRID_SHARD\n",
            "`fsdp_config.fsdp_sharding_strategy`",
        ),
        ("a.yaml", "distributed_type: FSDP\ntpu_use_cluster: true\n", "`tpu_use_cluster`"),
        (
            "a.yaml",
            "distributed_type: FSDP\nfsdp_config:\n  fsdp_offload_params: true\n",
            "`fsdp_config.fsdp_offload_params`",
        ),
        ("a.yaml", "distributed_type: TPU\n", "FSDP, DEEPSPEED and MULTI_GPU are"),
        ("a.yaml", "distributed_type: FSDP\ndeepspeed_config:\n  zero_stage: 1\n", "`deepspeed_config`"),
        ("a.yaml", "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 4\n", "stages 0 to 3"),
        (
            "a.yaml",
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stge: 1\n",
            "`deepspeed_config.zero_stge`",
        ),
        (
            "a.yaml",
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  offload_param_device: cpu\n",
            "`deepspeed_config.offload_param_device`",
        ),
        (
            "a.yaml",
            "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: ds.json\n",
            "give that file",
        ),
        (
            "a.yaml",
            "distributed_type: FSDP\nparallelism_config:\n  parallelism_config_tp_size:\n",
            "`parallelism_config.parallelism_config_tp_size` has no value",
        ),
        ("a.yaml", "distributed_type: FSDP\nfsdp_confg:\n", "`fsdp_confg` is no key of Accelerate"),
        ("a.yaml", "distributed_type: MULTI_GPU\nnum_processes: 4\n", "there are 8 devices"),
        (
            "a.yaml",
            "distributed_type: MULTI_GPU\nnum_machines: two\n",
            "`num_machines` is \"two\", not a number",
        ),
        ("a.yaml", "distributed_type: MULTI_GPU\nnum_machines: 3\n", "does not divide the 8 devices"),
        ("a.yaml", "distributed_type: MULTI_GPU\nsame_network: perhaps\n", "neither true nor false"),
        (
            "t.toml",
            "[parallelism]\ndata_parallel_shard_degree = \"all\"\n",
            "`parallelism.data_parallel_shard_degree`",
        ),
        ("t.toml", "[parallelism]\nfsdp_reshard_after_forward = true\n", "not a text in quotes"),
        ("t.toml", "[training]\nglobal_batch_size = 0\n", "not a number of at least 1"),
        ("t.toml", "[model]\nconverters = [\"quantize.linear.mx\"]\n", "`model.converters`"),
        (
            "n.yaml",
            "parallelism:\n  dp: 4\n  expert_parallel_size: 2\n",
            "`parallelism.expert_parallel_size`",
        ),
        ("n.yaml", "parallelism:\n  dp: 4\n", "multiply to 4, but there are 8"),
        ("n.yaml", "parallelism:\n  dp: 8\n  zero: 1\n", "`parallelism.zero` is no key of Nanotron"),
        (
            "m.yml",
            "ici_data_parallelism: 8\nici_fsdp_parallelism: 1\nremat_policy: save_qkv_proj\n",
            "`remat_policy`",
        ),
        ("m.yml", "base_config: base.yml\nquantization: int8\n", "`quantization` is no key of MaxText"),
        ("m.yml", "ici_data_parallelism: 4\nici_fsdp_parallelism: 1\n", "multiply to 4"),
        ("p.json", r#"{"per_device_train_batch_size": 1, "sharding": "stage2 offload"}"#, "`sharding`"),
        (
            "p.json",
            r#"{"per_device_train_batch_size": 1, "sep_parallel_degree": 2}"#,
            "`sep_parallel_degree`",
        ),
        ("s.json", r#"{"hybrid_shard_degree": 3}"#, "does not divide the 8 replicas"),
        (
            "s.json",
            r#"{"hybrid_shard_degree": 8, "sm_activation_offloading": true}"#,
            "`sm_activation_offloading`",
        ),
        (
            "l.sh",
            "x.py --use-fused-swiglu --context-parallel-size 2 --context-parallel-algo ulysses_cp_algo",
            "`--context-parallel-algo`",
        ),
        ("l.sh", "x.py --use-fused-swiglu --tensor 2", "no argument of MindSpeed-LLM"),
        ("j.yaml", "tp: 2\n", "no key by which a job file is known"),
    ] {
        let found = problem(name, text);
        assert!(found.contains(said), "{text}: {found}");
    }
    // MaxText's axis for the rest.
    let found = read("m.yml", "ici_tensor_parallelism: 2\n", Around::devices(8)).unwrap();
    assert_eq!(found.degrees, job::Degrees { dp: 4, fsdp: 4, tp: 2, zero: 3, ..degrees() });
}

#[test]
fn shards_that_no_degrees_say_are_refused() {
    let titan = |text: &str| read("job.toml", &format!("[parallelism]\n{text}"), Around::devices(8));
    let copies = "data_parallel_replicate_degree = 2\ndata_parallel_shard_degree = 4\n";
    let found = titan(copies).unwrap();
    assert_eq!(found.degrees, job::Degrees { dp: 8, fsdp: 4, zero: 3, ..degrees() });
    assert_eq!(found.notes, Vec::<String>::new());
    for (text, said) in [
        (
            format!("{copies}fsdp_reshard_after_forward = \"never\"\n"),
            "2 beside 4 shards that are kept for the backward pass",
        ),
        (
            "data_parallel_replicate_degree = 2\nexpert_parallel_degree = 2\n".to_owned(),
            "2 beside experts, whose shards are over 2 devices, and those of other parameters over 4",
        ),
        (
            "data_parallel_replicate_degree = 4\nexpert_parallel_degree = 4\n".to_owned(),
            "does not divide the 2 devices over which parameters are sharded",
        ),
        (
            "context_parallel_degree = 8\n".to_owned(),
            "it is 8, and parameters are in shards over these devices alone",
        ),
    ] {
        let problem = titan(&text).unwrap_err().to_string();
        assert!(problem.contains(said), "{problem}");
    }
    for (name, text, said) in [
        (
            "s.json",
            r#"{"hybrid_shard_degree": 4, "expert_parallel_degree": 2}"#,
            "4 of 8 replicas beside experts",
        ),
        (
            "d.json",
            r#"{"zero_optimization": {"stage": 3, "mics_shard_size": 2}, "tensor_parallel": {"autotp_size": 2}}"#,
            "2 of 4 replicas beside tp, cp or ep",
        ),
        (
            "d.json",
            r#"{"zero_optimization": {"stage": 3, "mics_shard_size": 3}}"#,
            "3, does not divide the 8 replicas",
        ),
        (
            "m.yml",
            "ici_data_parallelism: 2\nici_fsdp_parallelism: 2\nici_expert_parallelism: 2\n",
            "2 beside experts",
        ),
        (
            "m.yml",
            "ici_data_parallelism: 4\nici_fsdp_parallelism: 1\nici_context_parallelism: 2\n",
            "it is 2, and parameters are in shards over these devices alone",
        ),
        (
            "m.yml",
            "ici_data_parallelism: 2\nshard_optimizer_over_data: true\n",
            "`shard_optimizer_over_data` does to a step is not read",
        ),
    ] {
        let problem = read(name, text, Around::devices(8)).unwrap_err().to_string();
        assert!(problem.contains(said), "{text}: {problem}");
    }
}

#[test]
fn state_that_is_sharded_over_tokens_too_is_said() {
    let notes = |name: &str, text: &str| read(name, text, Around::devices(8)).unwrap().notes.join("; ");
    for (name, text) in [
        ("job.toml", "[parallelism]\ncontext_parallel_degree = 2\n"),
        ("m.yml", "ici_context_parallelism: 2\n"),
        ("l.sh", "x.py --context-parallel-size 2 --use-distributed-optimizer"),
        ("d.json", r#"{"sequence_parallel_size": 2, "zero_optimization": {"stage": 1}}"#),
        (
            "a.yaml",
            "distributed_type: FSDP\nparallelism_config:\n  parallelism_config_dp_shard_size: 4\n  parallelism_config_cp_size: 2\n",
        ),
    ] {
        let said = notes(name, text);
        assert!(
            said.contains("in shards over 8 devices, as those that share tokens (cp=2) count too"),
            "{said}"
        );
        assert!(said.contains("priced with state in shards over 4, which takes more memory"), "{said}");
    }
    let whole = notes("l.sh", "x.py --context-parallel-size 8 --use-distributed-optimizer");
    assert!(whole.contains("priced with state whole"), "{whole}");
    assert_eq!(notes("l.sh", "x.py --context-parallel-size 2"), "");
}

#[test]
fn nanotron_cuts_stages_by_the_work_of_layers_and_of_the_head() {
    let mut model: serde_json::Value = serde_json::from_str(&config("released/llama-3.1-8b")).unwrap();
    model.as_object_mut().unwrap().remove("rope_scaling");
    let equal = with(job::Degrees { dp: 2, pp: 4, ..degrees() }, job_of(&model.to_string(), 16));
    let equal = Job { recompute: Recompute::Full, precision: Precision::Bf16, ..equal };
    let target = meshwright_export::target("nanotron").unwrap();
    let gaps = export(equal.clone(), target, Otherwise::Refused).unwrap_err();
    let said: Vec<String> = gaps.iter().map(ToString::to_string).collect();
    let own = "stages of 8, 8, 8, 8 layers: it cuts them by the work of layers and of the head; \
               nearest: stages of 9, 9, 8, 6 layers";
    assert_eq!(said, [own]);
    let cut = Job { stages: Some(vec![9, 9, 8, 6]), ..equal.clone() };
    assert_eq!(export(cut, target, Otherwise::Refused).map(|written| written.changes), Ok(Vec::new()));
    let written =
        export(Job { precision: Precision::F32, ..equal.clone() }, target, Otherwise::Nearest).unwrap();
    assert!(written.files[0].text.contains("dtype: bfloat16"), "{}", written.files[0].text);
    // A head with more work than a stage ends in the middle.
    let mut large = equal;
    if let Some(model) = &mut large.model {
        model.vocabulary *= 8;
    }
    let gaps = export(large, target, Otherwise::Nearest).unwrap_err();
    assert!(gaps.iter().any(|gap| gap.what.contains("leaves some without either")), "{gaps:?}");
}

#[test]
fn nanotron_runs_all_forward_passes_first_where_nothing_is_said() {
    let of = |more: &str| {
        let text = format!("parallelism:\n  dp: 2\n  pp: 2\n  tp: 2\n{more}");
        read("config.yaml", &text, Around::devices(8)).map(|found| (found.schedule, found.degrees.sp))
    };
    assert_eq!(of("").unwrap(), (Some("gpipe"), 1));
    assert_eq!(of("  pp_engine: 1f1b\n  tp_mode: reduce_scatter\n").unwrap(), (None, 2));
    let problem = of("  tp_mode: ring\n").unwrap_err().to_string();
    assert!(problem.contains("`parallelism.tp_mode`") && problem.contains("`ring`"), "{problem}");
}

#[test]
fn torchtitan_mixes_precisions_beside_shards_alone() {
    let of = |text: &str| {
        let found = read("job.toml", &format!("[parallelism]\n{text}"), Around::devices(8)).unwrap();
        (found.precision, found.notes.join("; "))
    };
    let (precision, notes) = of("tensor_parallel_degree = 8\n");
    assert_eq!(precision, Some(Precision::F32));
    assert!(notes.contains("`training.mixed_precision_param`, bfloat16"), "{notes}");
    let own = "tensor_parallel_degree = 8\n[training]\nmixed_precision_param = \"float32\"\n";
    assert_eq!(of(own), (Some(Precision::F32), String::new()));
    assert_eq!(of("tensor_parallel_degree = 4\n"), (Some(Precision::Bf16), String::new()));
    assert_eq!(of("data_parallel_replicate_degree = 8\n"), (Some(Precision::Bf16), String::new()));
}

#[test]
fn recomputation_of_deepspeed_is_read_where_its_file_sets_it_up() {
    let level = |text: &str| {
        let text = format!("{{\"activation_checkpointing\": {text}}}");
        read("d.json", &text, Around::devices(8)).unwrap().recompute
    };
    assert_eq!(level(r#"{"number_checkpoints": 4}"#), Some(Recompute::Full));
    assert_eq!(level(r#"{"contiguous_memory_optimization": true, "profile": true}"#), Some(Recompute::Full));
    assert_eq!(level(r#"{"partition_activations": false, "number_checkpoints": null}"#), None);
    assert_eq!(level("{}"), None);
}

#[test]
fn what_arguments_of_a_script_fill_in_is_left_to_flags() {
    let text = r#"{"train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": 4,
        "bf16": {"enabled": "auto"}, "zero_optimization": {"stage": 2, "reduce_bucket_size": "auto"}}"#;
    let found = read("d.json", text, Around::devices(8)).unwrap();
    assert_eq!((found.degrees.zero, found.precision, found.microbatches), (2, None, Some(4)));
    let said = found.notes.join("; ");
    assert!(
        said.contains("`train_batch_size`, `train_micro_batch_size_per_gpu`, the types of numbers"),
        "{said}"
    );
}

#[test]
fn what_accelerate_config_writes_is_read() {
    let zero = |fsdp: &str| {
        let text = format!(
            "compute_environment: LOCAL_MACHINE\ndebug: false\ndistributed_type: FSDP\ndowncast_bf16: 'no'\n\
             enable_cpu_affinity: false\nfsdp_config:\n  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n  \
             fsdp_backward_prefetch: BACKWARD_PRE\n  fsdp_cpu_ram_efficient_loading: true\n  \
             fsdp_forward_prefetch: false\n  fsdp_offload_params: false\n{fsdp}  \
             fsdp_state_dict_type: SHARDED_STATE_DICT\n  fsdp_sync_module_states: true\n  \
             fsdp_use_orig_params: true\nmachine_rank: 0\nmain_training_function: main\nmixed_precision: bf16\n\
             num_machines: 1\nnum_processes: 8\nrdzv_backend: static\nsame_network: true\ntpu_env: []\n\
             tpu_use_cluster: false\ntpu_use_sudo: false\nuse_cpu: false\n"
        );
        read("default_config.yaml", &text, Around::devices(8)).unwrap().degrees.zero
    };
    assert_eq!(zero("  fsdp_sharding_strategy: FULL_SHARD\n"), 3);
    assert_eq!(zero("  fsdp_reshard_after_forward: SHARD_GRAD_OP\n  fsdp_version: 1\n"), 2);
    assert_eq!(zero("  fsdp_reshard_after_forward: false\n  fsdp_version: 2\n"), 2);
    assert_eq!(zero("  fsdp_reshard_after_forward: true\n  fsdp_version: 2\n"), 3);
}
