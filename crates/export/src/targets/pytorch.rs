//! PyTorch: `parallelize.py`, which makes a module of `transformers` the planned one: the plan of `parallelize_module`, by
//! the shardings of weights, and the calls of FSDP2 (`fully_shard`), or DDP.

use super::{Target, docstring, hybrid};
use crate::File;
use crate::document::quoted;
use crate::fit::{Fit, Sequence};
use crate::job::{Job, Kind, Precision, Recompute};
use crate::model::Model;
use meshwright_plan::plan_file::PlanTensor;
use meshwright_tensor::names::{stacked, starred};
use std::fmt::Write as _;

pub(super) const TARGET: Target =
    Target { name: "pytorch", title: "PyTorch", version: "2.6 or newer", form: "parallelize.py", fit, write };

fn fit(fit: &mut Fit) {
    fit.without(Kind::Pipeline);
    fit.without(Kind::Expert);
    fit.without(Kind::Context);
    fit.sequence(Sequence::Never);
    let degrees = fit.job.degrees;
    fit.pads_shards(&[2]);
    fit.zero(if degrees.tp == 1 { &[0, 2, 3] } else { &[2, 3] });
    fit.ranks(&[Kind::Data, Kind::Tensor]);
    fit.recompute(&[Recompute::None, Recompute::Full]);
    let Some(model) = fit.sizes() else { return };
    if degrees.tp == 1 {
        return;
    }
    for (what, size) in model.tensor_dims() {
        fit.divides(&format!("tp={}: the number of {what}", degrees.tp), size, degrees.tp);
    }
    if model.is_tied {
        fit.cannot("tp > 1: the tied embedding would be sharded as two");
    }
    if model.experts.is_some() {
        fit.cannot("tp > 1: the module keeps the weights of experts in one, which has no style");
    }
    let job = &fit.job;
    let sharded = job.arguments.iter().filter(|argument| is_sharded(argument, job));
    let without_style = sharded.filter(|weight| style(weight, job, &model).is_none());
    let names: Vec<String> = without_style.map(|weight| weight.name.clone().unwrap_or_default()).collect();
    for name in names {
        fit.cannot(format!("tp > 1: the sharding of `{name}` is no style of `parallelize_module`"));
    }
}

/// Whether a weight, which is a matrix, is sharded by tensor parallelism.
fn is_sharded(argument: &PlanTensor, job: &Job) -> bool {
    let is_weight = argument.role.as_deref() == Some("parameter") && argument.shape.len() >= 2;
    is_weight && argument.sharding.iter().any(|axes| is_tensor(axes, job))
}

/// Whether tensor parallelism shards a dim.
fn is_tensor(axes: &[String], job: &Job) -> bool {
    let kind = |name: &String| job.axes.iter().find(|axis| axis.name == *name).map(|axis| axis.kind);
    axes.iter().any(|name| kind(name) == Some(Kind::Tensor))
}

/// The modules and the style of a weight that is kept as `Linear` keeps it: outputs, then inputs.
fn style(weight: &PlanTensor, job: &Job, model: &Model) -> Option<(String, &'static str)> {
    let name = weight.name.as_deref()?;
    let [outputs, inputs] = weight.sharding.get(stacked(name).len()..)? else { return None };
    let style = match [is_tensor(outputs, job), is_tensor(inputs, job)] {
        [true, false] if name == model.embedding => "RowwiseParallel(input_layouts=Replicate())",
        [true, false] if name == model.head => "ColwiseParallel(output_layouts=Replicate())",
        [true, false] => "ColwiseParallel()",
        [false, true] if name != model.embedding && name != model.head => "RowwiseParallel()",
        _ => return None,
    };
    Some((starred(name.strip_suffix(".weight")?), style))
}

fn write(job: &Job) -> Vec<File> {
    let Some(model) = &job.model else { return Vec::new() };
    let degrees = &job.degrees;
    let [replicate, shard] = hybrid(degrees);
    let does = format!(
        "Makes a module of `transformers` the planned one.\n\n    on = mesh()\n    model = parallelize(model, on)\n\nA replica \
         takes {} microbatches of {} sequences of {} tokens in each step.",
        job.microbatches,
        job.microbatch_size(),
        job.sequence
    );
    let mut text = docstring(&TARGET, job, &does);
    let _ = write!(
        text,
        "\n{IMPORTS}\n# Devices, outermost first.\nMESH = {{\"dp_replicate\": {replicate}, \"dp_shard\": {shard}, \"tp\": \
         {}}}\n\n# How each module's weights are sharded over \"tp\".\nTENSOR_PARALLEL = {{\n",
        degrees.tp
    );
    let mut seen = Vec::new();
    for weight in job.arguments.iter().filter(|argument| is_sharded(argument, job)) {
        let Some((modules, style)) = style(weight, job, model) else { continue };
        if !seen.contains(&modules) {
            let _ = writeln!(text, "    {}: {style},", quoted(&modules));
            seen.push(modules);
        }
    }
    let dtype = if job.precision == Precision::Bf16 { "bfloat16" } else { "float32" };
    let reshard = if degrees.zero == 3 { "True" } else { "False" };
    let again = match job.recompute {
        Recompute::None => "",
        _ => {
            "    # What layers make is made again for the backward pass.\n    model.gradient_checkpointing_enable()\n"
        }
    };
    let _ = write!(
        text,
        "}}\n\n# Types of what is computed and of what is reduced; parameters are kept in float32.\nPRECISION = \
         MixedPrecisionPolicy(param_dtype=torch.{dtype}, reduce_dtype=torch.float32)\n\n{MESH}{}{again}{}",
        TENSOR,
        match degrees.zero {
            0 => {
                let narrowed = if job.precision == Precision::Bf16 { NARROWED } else { "" };
                // One replica has nothing to add up with others.
                format!("{narrowed}{}", if replicate == 1 { ALONE } else { REPLICATED })
            }
            _ => SHARDED.replace("RESHARD", reshard).replace("LAYERS", &layers(model)),
        }
    );
    vec![File::new("parallelize.py", text)]
}

/// The list of layers in the module: `model.layers`.
fn layers(model: &Model) -> String {
    format!("model.{}", model.layers_name)
}

const IMPORTS: &str = r"import torch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import Replicate
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.nn.parallel import DistributedDataParallel
";

const MESH: &str = r#"
def mesh(device_type="cuda"):
    """The planned mesh over all processes."""
    return init_device_mesh(device_type, tuple(MESH.values()), mesh_dim_names=tuple(MESH))


def parallelize(model, on):
    """Shards a module over a mesh, in place, and returns what is to be called."""
"#;

const TENSOR: &str = r#"    if MESH["tp"] > 1:
        parallelize_module(model, on["tp"], TENSOR_PARALLEL)
"#;

const NARROWED: &str = r"    model.forward = torch.autocast(on.device_type, dtype=PRECISION.param_dtype)(model.forward)
";

const ALONE: &str = r"    return model
";

const REPLICATED: &str = r#"    return DistributedDataParallel(model, process_group=on["dp_replicate"].get_group())
"#;

const SHARDED: &str = r#"    shards = on["dp_replicate", "dp_shard"] if MESH["dp_replicate"] > 1 else on["dp_shard"]
    for layer in LAYERS:
        fully_shard(layer, mesh=shards, mp_policy=PRECISION, reshard_after_forward=RESHARD)
    return fully_shard(model, mesh=shards, mp_policy=PRECISION, reshard_after_forward=RESHARD)
"#;
