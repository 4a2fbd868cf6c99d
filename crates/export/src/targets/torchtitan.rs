//! torchtitan: `job.toml`, and a module that registers the model's sizes as a flavor of one of its models.
//!
//! Parameters are sharded by FSDP2: ZeRO-3 gathers them for each pass, ZeRO-2 once for both. Pure replication is DDP, which
//! it runs with no other kind of parallelism. Sources: `torchtitan/config/job_config.py`, `distributed/parallel_dims.py`,
//! `models/{llama3,qwen3,deepseek_v3,gpt_oss}`, `models/moe/moe.py`, `distributed/pipeline_parallel.py`, `train.py` at
//! v0.2.2.

use super::{Target, docstring, head, shell};
use crate::File;
use crate::document::{Value, map, number};
use crate::fit::{Fit, Sequence, Stages};
use crate::job::{Job, Kind, Precision, Recompute};
use crate::model::{Clamped, Experts, Extras, Model, Scaling};
use meshwright_models::blocks::activation::Activation;
use meshwright_models::blocks::norm::NormForm;
use std::f64::consts::PI;
use std::fmt::Write as _;

pub(super) const TARGET: Target = Target {
    name: "torchtitan",
    title: "torchtitan",
    version: "0.2.2",
    form: "job.toml, planned_model.py, launch.sh, schedule.csv of a schedule without a name",
    fit,
    write,
};

/// The file of a schedule that has no name.
const TABLE: &str = "schedule.csv";

/// A model of torchtitan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Llama3,
    Qwen3,
    DeepSeekV3,
    GptOss,
}

impl Family {
    /// The model of a name; none where it is not written here.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [Self::Llama3, Self::Qwen3, Self::DeepSeekV3, Self::GptOss];
        all.into_iter().find(|family| family.name() == name)
    }

    /// Returns whether it trains models of a `model_type`: those that it is named after, and this one, if it has its form.
    pub(crate) fn trains(self, model_type: &str, model: Option<&Model>) -> bool {
        let named_after: &[&str] = match self {
            Self::Llama3 => &["llama"],
            Self::Qwen3 => &["qwen3", "qwen3_moe"],
            Self::DeepSeekV3 => &["deepseek_v3"],
            Self::GptOss => &["gpt_oss"],
        };
        named_after.contains(&model_type) || model.is_some_and(|model| family(model) == Ok(self))
    }

    /// Its name, which is that of its package.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Llama3 => "llama3",
            Self::Qwen3 => "qwen3",
            Self::DeepSeekV3 => "deepseek_v3",
            Self::GptOss => "gpt_oss",
        }
    }
}

fn fit(fit: &mut Fit) {
    fit.sequence(Sequence::Always);
    fit.pads_shards(&[2]);
    let degrees = fit.job.degrees;
    let is_ddp = degrees.zero == 0 && degrees.tp * degrees.cp * degrees.pp * degrees.ep == 1;
    fit.zero(if is_ddp { &[0, 2, 3] } else { &[2, 3] });
    if degrees.cp > 1 && fit.job.degrees.zero == 0 {
        fit.job.degrees.zero = 2;
        fit.changed(
            format!("zero=0 with cp={}: it shards parameters where tokens are shared", degrees.cp),
            "zero=2",
        );
    }
    // `maybe_enable_amp`: mixed precision is that of FSDP, or autocast on one device or plain copies.
    let is_alone = degrees.replicas() * degrees.cp == 1 && degrees.tp * degrees.pp > 1;
    if is_alone && fit.job.precision == Precision::Bf16 {
        fit.job.precision = Precision::F32;
        fit.changed("bf16 on one replica: mixed precision goes with FSDP or cp there", "f32");
    }
    fit.zero_over_experts();
    fit.zero_over_context();
    fit.ranks(&[Kind::Pipeline, Kind::Data, Kind::Expert, Kind::Context, Kind::Tensor]);
    fit.optimizer(&["adamw"]);
    fit.selective_keeps("every second product with weights, and what attention makes");
    // `seq_len_divisor`, without devices that share tokens too.
    fit.divides("the length of a sequence", fit.job.sequence, degrees.tp * 2 * degrees.cp);
    let has_sinks = fit.job.model.as_ref().is_some_and(|model| model.extras.has_sinks);
    let Some(model) = (if has_sinks { fit.said_sizes() } else { fit.described_sizes() }) else { return };
    for (what, size) in model.tensor_dims() {
        fit.divides(&format!("tp={}: the number of {what}", degrees.tp), size, degrees.tp);
    }
    if let Some(experts) = &model.experts {
        fit.divides("the number of experts", experts.count, degrees.ep);
        fit.divides(&format!("tp={}: the inner width of an expert", degrees.tp), experts.inner, degrees.tp);
    } else if degrees.ep > 1 {
        fit.cannot("ep > 1: the model has no experts");
    }
    fit.stages(Stages::AsAsked);
    table(fit);
    match family(&model) {
        Ok(Family::Qwen3) if degrees.pp > 1 => fit.cannot("pp > 1: its qwen3 has no pipeline"),
        Ok(Family::DeepSeekV3) => stretches(fit, &model),
        Ok(Family::GptOss) => {
            if degrees.pp > 1 {
                fit.cannot("pp > 1: its gpt_oss has no pipeline");
            }
            fit.without(Kind::Context);
            fit.changed_beside(
                "parameters of layers in f32: those of its gpt_oss are in bf16",
                "parameters of layers in bf16",
            );
        }
        Ok(_) => {}
        Err(reason) => fit.cannot(reason),
    }
}

/// Schedules of PyTorch, by the names that they have here.
pub(crate) const SCHEDULES: &[(&str, &str)] = &[
    ("1f1b", "1F1B"),
    ("interleaved-1f1b", "Interleaved1F1B"),
    ("gpipe", "GPipe"),
    ("looped-bfs", "LoopedBFS"),
    ("interleaved-zb", "InterleavedZeroBubble"),
    ("zb-v", "ZBVZeroBubble"),
    ("dualpipe-v", "DualPipeV"),
];

/// The schedule of PyTorch that a job runs.
fn schedule(job: &Job) -> Option<&'static str> {
    let is_run = |(name, _): &&(&str, &str)| job.schedule_names.contains(name);
    SCHEDULES.iter().find(is_run).map(|(_, own)| *own)
}

/// A schedule that has no name in PyTorch is a table, if groups take turns with stages.
fn table(fit: &mut Fit) {
    let pp = fit.job.degrees.pp;
    let stage = |action: &str| action.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok();
    let is_own = |(group, row): (usize, &String)| {
        let mut actions = row.split(' ');
        actions.all(|action| stage(action).is_some_and(|stage| stage % pp == group))
    };
    let rows = &fit.job.schedule;
    let take_turns = rows.len() == pp && rows.iter().enumerate().all(is_own);
    if schedule(&fit.job).is_none() && !take_turns {
        let known: Vec<&'static str> = SCHEDULES.iter().map(|(name, _)| *name).collect();
        fit.schedule(&known);
    }
}

/// The model of torchtitan that has this form.
fn family(model: &Model) -> Result<Family, String> {
    let refused = |what: &str| Err(format!("none of its models has {what}"));
    match model {
        _ if model.extras.has_sinks => gpt_oss(model),
        _ if model.norm != NormForm::Rms => refused("norms by mean and variance"),
        _ if model.learned_positions.is_some() => refused("learned positions"),
        _ if model.rotary.share != 1.0 => refused("rotary positions in a part of a head"),
        _ if model.window.is_some() => refused("a window without sinks"),
        _ if model.has_qkv_bias => refused("biases of queries, keys and values"),
        _ if model.has_biases => refused("biases in its products"),
        _ if !model.is_gated => refused("feed-forward layers without a gate"),
        _ if model.activation != Activation::Silu => refused("such a function in its feed-forward layers"),
        _ if model.latent.is_some() => latent(model),
        _ if model.rotary.scaling == Scaling::None && is_qwen3(model) => qwen3(model),
        _ if model.has_head_norms => refused("norms of heads and stretched rotary positions"),
        _ if model.experts.is_some() => {
            refused("experts and stretched rotary positions, but no latent attention")
        }
        _ if model.is_tied => refused("a tied embedding and stretched rotary positions"),
        _ if model.head_dim * model.heads != model.width => {
            refused("heads that are not as wide as the model, and stretched rotary positions")
        }
        _ if !matches!(model.rotary.scaling, Scaling::None | Scaling::Llama3 { .. }) => {
            refused("rotary positions that are stretched so")
        }
        _ => Ok(Family::Llama3),
    }
}

/// Whether only its qwen3, of which norms of heads can be left out, has what this model has.
fn is_qwen3(model: &Model) -> bool {
    let is_wide = model.head_dim * model.heads == model.width;
    model.has_head_norms || model.experts.is_some() || model.is_tied || !is_wide
}

fn qwen3(model: &Model) -> Result<Family, String> {
    match &model.experts {
        Some(_) if model.num_dense_layers() != Some(0) => {
            Err("its qwen3 has experts in all layers, or in none".to_owned())
        }
        Some(experts) => routes(experts).map(|()| Family::Qwen3),
        None => Ok(Family::Qwen3),
    }
}

fn latent(model: &Model) -> Result<Family, String> {
    let refused = |what: &str| Err(format!("its deepseek_v3 has no {what}"));
    let Some(experts) = &model.experts else { return refused("model without experts") };
    match (model.num_dense_layers(), &model.rotary.scaling) {
        _ if model.is_tied => refused("tied embedding"),
        (None, _) => refused("layers without experts behind such with experts"),
        (_, Scaling::None) => routes(experts).map(|()| Family::DeepSeekV3),
        // It scales scores by one number, and none of rotary positions.
        (_, Scaling::Yarn { scales: [Some(own), Some(all)], original: Some(_), .. })
            if own == all && *own != 0.0 =>
        {
            routes(experts).map(|()| Family::DeepSeekV3)
        }
        _ => refused("rotary positions that are stretched so"),
    }
}

fn gpt_oss(model: &Model) -> Result<Family, String> {
    let refused = |what: &str| Err(format!("its gpt_oss has no {what}"));
    let (Some(experts), Some(clamped)) = (&model.experts, model.extras.clamped) else {
        return refused("model without experts that have biases, and gates that are clamped");
    };
    let is_known = Extras { has_sinks: false, clamped: None, ..model.extras.clone() }.none().is_ok();
    match model.rotary.scaling {
        _ if !is_known || model.norm != NormForm::Rms => refused("such norms or scores"),
        _ if model.is_tied => refused("tied embedding"),
        _ if !model.has_biases || !model.has_qkv_bias || model.has_head_norms => {
            refused("attention without biases, or with norms of heads")
        }
        _ if clamped.alpha != Clamped::ALPHA => refused("gates with such a slope"),
        _ if experts.shared.is_some() || experts.groups.is_some() || experts.is_corrected => {
            refused("shared experts, groups of them or corrections")
        }
        _ if !experts.sum_to_one() || experts.is_sigmoid || experts.scale != 1.0 => {
            refused("shares of experts that do not sum up to one")
        }
        _ if !model.has_windows_by_turns() => refused("windows but in every second layer, from the first on"),
        _ if model.rotary.share != 1.0 || model.learned_positions.is_some() => {
            refused("positions but rotary ones of whole heads")
        }
        Scaling::None => Ok(Family::GptOss),
        // It turns pairs between the two counts by what lies between, and wants both inside of a head.
        Scaling::Yarn {
            factor,
            original: Some(original),
            turns,
            scales: [None, None],
            is_truncated: false,
        } if factor > 1.0 => {
            let pairs = model.head_dim as f64 / 2.0;
            let pair =
                |turns: f64| pairs * (original as f64 / (turns * 2.0 * PI)).ln() / model.rotary.theta.ln();
            let [low, high] = turns.map(pair);
            match 0.0 < low && low < high && high < pairs - 1.0 {
                true => Ok(Family::GptOss),
                false => refused("stretched rotary positions from so few positions"),
            }
        }
        _ => refused("rotary positions that are stretched so"),
    }
}

/// Whether its router gives such shares.
fn routes(experts: &Experts) -> Result<(), String> {
    match experts.groups {
        Some([_, _, best]) if best != 2 => {
            Err("it chooses groups of experts by the sum of their best two".to_owned())
        }
        _ if experts.num_shared().is_none() => {
            Err("its shared experts are as wide as a number of the others".to_owned())
        }
        _ => Ok(()),
    }
}

/// Says where its deepseek_v3 does not stretch rotary positions: in sequences that are not longer than they were before.
fn stretches(fit: &mut Fit, model: &Model) {
    if let Scaling::Yarn { original: Some(original), .. } = model.rotary.scaling
        && fit.job.sequence <= original
    {
        let what = format!(
            "sequences of {} with stretched rotary positions: it stretches them from {} on",
            fit.job.sequence,
            original + 1
        );
        fit.changed_beside(what, "rotary positions as they were before");
    }
}

fn write(job: &Job) -> Vec<File> {
    let Some(model) = &job.model else { return Vec::new() };
    let Ok(family) = family(model) else { return Vec::new() };
    let options = format!(
        "{}{}# Steps, learning rate, data and tokenizer are yours to add.\n\n{}",
        head(&TARGET, job),
        super::padded_rows(job),
        options(job, family).toml()
    );
    let launch = shell::torchrun(
        job,
        "export PYTHONPATH=\"$PWD${PYTHONPATH:+:$PYTHONPATH}\"",
        "-m torchtitan.train --job.config_file job.toml \"$@\"",
    );
    let mut files = vec![
        File::new("job.toml", options),
        File::new("planned_model.py", flavor(job, model, family)),
        File::new("launch.sh", shell::script(&TARGET, job, &launch)),
    ];
    if job.degrees.pp > 1 && schedule(job).is_none() {
        let rows = job.schedule.iter().map(|row| row.replace(' ', ",") + "\n");
        files.push(File::new(TABLE, rows.collect::<String>()));
    }
    files
}

/// The modules of each stage, where stages have different numbers of layers, or a group more than the two that it has if
/// nothing is said.
fn parts(job: &Job) -> Option<Value> {
    let is_said = |stages: &&Vec<usize>| job.degrees.vp > 2 || stages.iter().any(|own| *own != stages[0]);
    let stages = job.stages.as_ref().filter(is_said)?;
    let (mut first, last) = (0, stages.len() - 1);
    let stage = |(at, layers): (usize, &usize)| {
        let own = (first..first + layers).map(|layer| format!("layers.{layer}"));
        first += layers;
        let begin = (at == 0).then(|| "tok_embeddings".to_owned());
        let end = if at == last { vec!["norm".to_owned(), "output".to_owned()] } else { Vec::new() };
        Value::List(begin.into_iter().chain(own).chain(end).map(Value::Text).collect())
    };
    Some(Value::List(stages.iter().enumerate().map(stage).collect()))
}

fn options(job: &Job, family: Family) -> Value {
    let degrees = &job.degrees;
    let [replicate, shard] = super::hybrid(degrees);
    // A pipeline takes all microbatches of a replica at once; without one, gradients are accumulated.
    let local = job.microbatch_size() * if degrees.pp > 1 { job.microbatches } else { 1 };
    let precision = if job.precision == Precision::Bf16 { "bfloat16" } else { "float32" };
    let mut parallelism = map([
        ("data_parallel_replicate_degree", replicate.into()),
        ("data_parallel_shard_degree", shard.into()),
        ("fsdp_reshard_after_forward", if degrees.zero == 3 { "always" } else { "never" }.into()),
        ("tensor_parallel_degree", degrees.tp.into()),
        ("context_parallel_degree", degrees.cp.into()),
        ("pipeline_parallel_degree", degrees.pp.into()),
    ]);
    if degrees.pp > 1 {
        let of_table = if degrees.vp > 1 { "PipelineScheduleMulti" } else { "PipelineScheduleSingle" };
        parallelism = parallelism
            .with("pipeline_parallel_schedule", schedule(job).unwrap_or(of_table))
            .with("pipeline_parallel_microbatch_size", job.microbatch_size());
        if schedule(job).is_none() {
            parallelism = parallelism.with("pipeline_parallel_schedule_csv", TABLE);
        }
        parallelism = match parts(job) {
            Some(parts) => parallelism.with("module_fqns_per_model_part", parts),
            None => parallelism
                .with("pipeline_parallel_first_stage_less_layers", 0)
                .with("pipeline_parallel_last_stage_less_layers", 0),
        };
    }
    if degrees.ep > 1 {
        parallelism = parallelism
            .with("expert_parallel_degree", degrees.ep)
            .with("expert_tensor_parallel_degree", degrees.tp);
        if schedule(job) == Some("DualPipeV") && job.recompute != Recompute::None {
            // It overlaps both kinds by itself, but makes nothing again then (`distributed/dual_pipe_v.py`).
            parallelism = parallelism.with("pipeline_parallel_expert_parallel_overlap", false);
        }
    }
    let mut again = map([("mode", job.recompute.name().into())]);
    if job.recompute == Recompute::Selective {
        again = again.with("selective_ac_option", "op");
    }
    map([
        ("job", map([("description", format!("planned for {}", job.machine).into())])),
        ("model", map([("name", family.name().into()), ("flavor", "planned".into())])),
        ("experimental", map([("custom_import", "planned_model".into())])),
        ("optimizer", map([("name", "AdamW".into())])),
        (
            "training",
            map([
                ("local_batch_size", local.into()),
                ("global_batch_size", job.global_batch.into()),
                ("seq_len", job.sequence.into()),
                ("dtype", "float32".into()),
                ("mixed_precision_param", precision.into()),
                ("mixed_precision_reduce", "float32".into()),
            ]),
        ),
        ("parallelism", parallelism),
        ("activation_checkpoint", again),
    ])
}

/// The module that registers the sizes.
fn flavor(job: &Job, model: &Model, family: Family) -> String {
    let mut fields = vec![
        ("dim", model.width.to_string()),
        ("n_layers", model.layers.to_string()),
        ("n_heads", model.heads.to_string()),
    ];
    if family != Family::DeepSeekV3 {
        fields.push(("n_kv_heads", model.key_heads.to_string()));
    }
    fields.extend([
        ("vocab_size", model.vocabulary.to_string()),
        ("norm_eps", number(model.epsilon)),
        ("rope_theta", number(model.rotary.theta)),
        ("max_seq_len", model.positions.unwrap_or(job.sequence).to_string()),
    ]);
    let truth = |holds: bool| if holds { "True" } else { "False" }.to_owned();
    let package = family.name();
    let (class, list) = match family {
        Family::Llama3 => {
            fields.extend(llama3_width(model));
            fields.push(("rope_scaling_args", scaling(&model.rotary.scaling)));
            ("TransformerModelArgs", "llama3_args")
        }
        Family::Qwen3 => {
            fields.push(("head_dim", model.head_dim.to_string()));
            fields.push(("hidden_dim", model.inner.to_string()));
            fields.push(("qk_norm", truth(model.has_head_norms)));
            fields.push(("enable_weight_tying", truth(model.is_tied)));
            if let Some(experts) = &model.experts {
                fields.push(("moe_enabled", truth(true)));
                fields.extend(experts_of(experts));
            }
            ("Qwen3ModelArgs", "qwen3_args")
        }
        Family::DeepSeekV3 => {
            fields.extend(latent_sizes(job, model));
            fields.extend(model.experts.iter().flat_map(experts_of));
            ("DeepSeekV3ModelArgs", "deepseekv3_args")
        }
        Family::GptOss => {
            fields.push(("head_dim", model.head_dim.to_string()));
            fields.extend(clamped_sizes(job, model));
            ("GptOssModelArgs", "gptoss_configs")
        }
    };
    let import = match family {
        Family::Llama3 => "from torchtitan.models.llama3.model.args import RoPEScalingArgs\n",
        _ if model.experts.is_some() => "from torchtitan.models.moe import MoEArgs\n",
        _ => "",
    };
    let does = format!(
        "Sizes of the planned model, as the flavor `planned` of `{package}`; `job.toml` imports this."
    );
    let mut text = docstring(&TARGET, job, &does);
    let _ = write!(
        text,
        "\nfrom torchtitan.models.{package} import {class}, {list}\n{import}\n{list}[\"planned\"] = {class}(\n"
    );
    for (name, value) in fields {
        let _ = writeln!(text, "    {name}={value},");
    }
    text + ")\n"
}

/// The inner width, which llama3 computes of a factor: `int(factor * int(2 * (4 * dim) / 3))`, rounded up.
fn llama3_width(model: &Model) -> [(&'static str, String); 2] {
    let whole = (8 * model.width / 3) as f64;
    // A little more than the quotient, as it is rounded down.
    let factor = (model.inner as f64 + 0.5) / whole;
    [("multiple_of", "1".to_owned()), ("ffn_dim_multiplier", number(factor))]
}

fn scaling(scaling: &Scaling) -> String {
    match scaling {
        Scaling::Llama3 { factor, low, high, original } => format!(
            "RoPEScalingArgs(scaling_factor={}, low_freq_factor={}, high_freq_factor={}, \
             original_max_position_embeddings={original})",
            number(*factor),
            number(*low),
            number(*high)
        ),
        _ => "RoPEScalingArgs(scaling_factor=1.0)".to_owned(),
    }
}

/// Sizes of a latent attention, and of the first layers. A number of positions from which on they are stretched holds of
/// all models; where nothing is stretched it is that of the job.
fn latent_sizes(job: &Job, model: &Model) -> Vec<(&'static str, String)> {
    let mut fields = vec![
        ("inter_dim", model.inner.to_string()),
        ("n_dense_layers", model.num_dense_layers().unwrap_or(0).to_string()),
    ];
    if let Some(latent) = &model.latent {
        fields.extend([
            ("q_lora_rank", latent.query_rank.unwrap_or(0).to_string()),
            ("kv_lora_rank", latent.rank.to_string()),
            ("qk_nope_head_dim", latent.plain_dim.to_string()),
            ("qk_rope_head_dim", latent.rotary_dim.to_string()),
            ("v_head_dim", latent.value_dim.to_string()),
        ]);
    }
    match model.rotary.scaling {
        Scaling::Yarn { factor, original: Some(original), turns: [fast, slow], scales, .. } => {
            fields.extend([
                ("original_seq_len", original.to_string()),
                ("rope_factor", number(factor)),
                ("beta_fast", number(fast)),
                ("beta_slow", number(slow)),
                ("mscale", number(scales[1].unwrap_or(1.0))),
            ])
        }
        _ => fields.push(("original_seq_len", job.sequence.to_string())),
    }
    fields
}

/// Experts with biases, windows, and rotary positions, which a factor of one does not stretch.
fn clamped_sizes(job: &Job, model: &Model) -> Vec<(&'static str, String)> {
    let mut fields: Vec<(&'static str, String)> = model.experts.iter().flat_map(experts_of).collect();
    for (_, args) in fields.iter_mut().filter(|(name, _)| *name == "moe_args") {
        *args = args.replace("score_before_experts", "gate_bias=True, score_before_experts");
    }
    fields.push(("swiglu_limit", number(model.extras.clamped.map_or(0.0, |clamped| clamped.limit))));
    fields.push(("sliding_window_size", model.window.unwrap_or(job.sequence).to_string()));
    match model.rotary.scaling {
        Scaling::Yarn { factor, original: Some(original), turns: [fast, slow], .. } => fields.extend([
            ("original_seq_len", original.to_string()),
            ("rope_factor", number(factor)),
            ("ntk_alpha", number(slow)),
            ("ntk_beta", number(fast)),
        ]),
        _ => fields.push(("rope_factor", number(1.0))),
    }
    fields
}

/// Experts. What is added to scores for the choice is moved after each step where the model has it, as it was trained.
fn experts_of(experts: &Experts) -> [(&'static str, String); 2] {
    let Experts { count, chosen, inner, scale, .. } = experts;
    let norm = if experts.sum_to_one() { "True" } else { "False" };
    let score = if experts.is_sigmoid { "sigmoid" } else { "softmax" };
    let groups = match experts.groups {
        Some([groups, kept, _]) => format!("num_expert_groups={groups}, num_limited_groups={kept}, "),
        None => String::new(),
    };
    let coefficient = if experts.is_corrected { "1e-3" } else { "None" };
    let args = format!(
        "MoEArgs(num_experts={count}, num_shared_experts={}, top_k={chosen}, {groups}score_func=\"{score}\", \
         route_norm={norm}, route_scale={}, score_before_experts=False, load_balance_coeff={coefficient})",
        experts.num_shared().unwrap_or(0),
        number(*scale)
    );
    [("moe_inter_dim", inner.to_string()), ("moe_args", args)]
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_inner_width_comes_out_as_it_is() {
        // As torchtitan computes it.
        for (width, inner) in
            [(4096_usize, 14_336_usize), (8192, 28_672), (32, 48), (4096, 11_008), (5120, 13_824)]
        {
            let whole = (8 * width / 3) as f64;
            let factor = (inner as f64 + 0.5) / whole;
            assert_eq!((factor * whole) as usize, inner);
        }
    }
}
