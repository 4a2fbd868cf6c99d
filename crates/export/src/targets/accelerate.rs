//! Hugging Face Accelerate: `accelerate.yaml`, with FSDP2 and its parallelism configuration, or plain replication. Sources:
//! `accelerate/commands/config/config_args.py`, `parallelism_config.py`, `examples/torch_native_parallelism` at v1.14.0.

use super::{Target, head, shell};
use crate::File;
use crate::document::{Value, map};
use crate::fit::{Fit, Sequence};
use crate::job::{Job, Kind, Precision, Recompute};

pub(super) const TARGET: Target = Target {
    name: "accelerate",
    title: "Accelerate",
    version: "1.14.0",
    form: "accelerate.yaml, launch.sh",
    fit,
    write,
};

fn fit(fit: &mut Fit) {
    fit.without(Kind::Pipeline);
    fit.without(Kind::Expert);
    fit.sequence(Sequence::Never);
    let degrees = fit.job.degrees;
    fit.pads_shards(&[2]);
    fit.zero(if degrees.tp * degrees.cp == 1 { &[0, 2, 3] } else { &[2, 3] });
    if degrees.cp > 1 && fit.job.degrees.zero == 0 {
        fit.job.degrees.zero = 2;
        fit.changed(
            format!("zero=0 with cp={}: FSDP2 shards parameters where tokens are shared", degrees.cp),
            "zero=2",
        );
    }
    let has_no_shards = degrees.tp > 1 && fit.job.degrees.zero == 0;
    if has_no_shards {
        fit.cannot(format!(
            "tp={} without shards of the state: it is written beside FSDP2 alone",
            degrees.tp
        ));
    }
    fit.zero_over_context();
    fit.ranks(&[Kind::Data, Kind::Context, Kind::Tensor]);
    fit.recompute(&[Recompute::None, Recompute::Full]);
    if fit.job.degrees.zero == 0 && fit.job.recompute == Recompute::Full {
        // Only FSDP has a setting for it.
        let note = "what layers make is made again by the script: it has to call `model.gradient_checkpointing_enable()`";
        fit.job.notes.push(note.to_owned());
    }
    fit.optimizer(&["adamw"]);
    if degrees.cp > 1 {
        fit.divides("the length of a sequence", fit.job.sequence, 2 * degrees.cp);
    }
    if degrees.tp * degrees.cp == 1 && fit.job.layer_class().is_some() {
        // FSDP asks for nothing but the class of layers.
        return;
    }
    let Some(model) = fit.sizes() else { return };
    if degrees.tp > 1 {
        fit.divides("tp: the number of heads of keys and values", model.key_heads, degrees.tp);
    }
}

fn write(job: &Job) -> Vec<File> {
    let degrees = &job.degrees;
    let is_sharded = degrees.zero > 0;
    let mut config = map([
        ("compute_environment", "LOCAL_MACHINE".into()),
        ("debug", false.into()),
        ("distributed_type", if is_sharded { "FSDP" } else { "MULTI_GPU" }.into()),
        ("machine_rank", 0.into()),
        ("main_training_function", "main".into()),
        ("mixed_precision", if job.precision == Precision::Bf16 { "bf16" } else { "no" }.into()),
        ("num_machines", job.nodes.into()),
        ("num_processes", job.num_devices().into()),
        ("rdzv_backend", if job.nodes > 1 { "c10d" } else { "static" }.into()),
        ("same_network", true.into()),
        ("use_cpu", false.into()),
    ]);
    if is_sharded {
        config = config.with("fsdp_config", fsdp(job)).with("parallelism_config", parallelism(job));
    }
    let hosts = match job.nodes {
        1 => "",
        _ => {
            " --main_process_ip \"${FIRST_HOST:?address of the first host}\" --main_process_port \"${PORT:-29500}\" \
             --machine_rank \"${NODE:?number of this host, from 0}\""
        }
    };
    let launch = format!(
        "export ACCELERATE_GRADIENT_ACCUMULATION_STEPS={}\n# Batches of {} sequences of {} tokens on each replica.\n\
         accelerate launch --config_file accelerate.yaml{hosts} \"${{SCRIPT:?your training script}}\" \"$@\"\n",
        job.microbatches,
        job.microbatch_size(),
        job.sequence
    );
    vec![
        File::new("accelerate.yaml", head(&TARGET, job) + &super::padded_rows(job) + &config.yaml()),
        File::new("launch.sh", shell::script(&TARGET, job, &launch)),
    ]
}

fn fsdp(job: &Job) -> Value {
    let class = job.layer_class().unwrap_or_default();
    map([
        ("fsdp_version", 2.into()),
        ("fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP".into()),
        ("fsdp_transformer_layer_cls_to_wrap", class.into()),
        ("fsdp_reshard_after_forward", (job.degrees.zero == 3).into()),
        ("fsdp_activation_checkpointing", (job.recompute == Recompute::Full).into()),
        ("fsdp_offload_params", false.into()),
        ("fsdp_cpu_ram_efficient_loading", false.into()),
        ("fsdp_state_dict_type", "SHARDED_STATE_DICT".into()),
    ])
}

fn parallelism(job: &Job) -> Value {
    let degrees = &job.degrees;
    let [replicate, shard] = super::hybrid(degrees);
    map([
        ("parallelism_config_dp_replicate_size", replicate.into()),
        ("parallelism_config_dp_shard_size", shard.into()),
        ("parallelism_config_tp_size", degrees.tp.into()),
        ("parallelism_config_cp_size", degrees.cp.into()),
    ])
}
