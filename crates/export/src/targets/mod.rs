//! The frameworks that plans are written for, one file each.

mod accelerate;
mod deepspeed;
mod jax;
mod maxtext;
mod megatron;
mod megatron_bridge;
mod megatron_fields;
mod mindspeed;
pub(crate) mod nanotron;
mod nemo;
mod neuronx;
mod paddle;
mod pytorch;
mod sagemaker;
mod shell;
pub(crate) mod torchtitan;

use crate::fit::Fit;
use crate::job::Job;
use crate::{File, job::Degrees};
use meshwright_plan::plan_file::PlanTensor;
use meshwright_tensor::names::stacked;

/// A framework.
#[derive(Debug)]
pub struct Target {
    /// As `--to` calls it.
    pub name: &'static str,
    /// Its own name.
    pub title: &'static str,
    /// The version of which options are written.
    pub version: &'static str,
    /// The form of its files.
    pub form: &'static str,
    /// Makes a job one that it can run, and notes what is not as planned.
    pub fit: fn(&mut Fit),
    /// Writes a job that fits.
    pub write: fn(&Job) -> Vec<File>,
}

/// All of them.
pub const TARGETS: &[&Target] = &[
    &torchtitan::TARGET,
    &megatron::TARGET,
    &megatron_bridge::TARGET,
    &nemo::TARGET,
    &deepspeed::TARGET,
    &accelerate::TARGET,
    &nanotron::TARGET,
    &maxtext::TARGET,
    &mindspeed::TARGET,
    &neuronx::TARGET,
    &sagemaker::TARGET,
    &paddle::TARGET,
    &pytorch::TARGET,
    &jax::TARGET,
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

/// For what a file is, of which plan, and what it does a little otherwise, in lines.
fn about(target: &Target, job: &Job) -> Vec<String> {
    let Job { program, machine, degrees, devices_per_node, .. } = job;
    let Target { title, version, .. } = target;
    let hosts = match job.nodes {
        1 => "a host".to_owned(),
        nodes => format!("{nodes} hosts"),
    };
    let own = [
        format!(
            "For {title} {version}: {} on {machine}, {hosts} of {devices_per_node} devices.",
            shown(degrees)
        ),
        format!("By `meshwright export` from a plan of the program {program}."),
    ];
    own.into_iter().chain(job.notes.iter().cloned()).collect()
}

/// The first lines of a file, as comments.
fn head(target: &Target, job: &Job) -> String {
    about(target, job).iter().map(|line| format!("# {line}\n")).collect()
}

/// The first lines of a module of Python, with what it does.
fn docstring(target: &Target, job: &Job, does: &str) -> String {
    format!("\"\"\"{does}\n\n{}\n\"\"\"\n", about(target, job).join("\n"))
}

/// Devices that hold copies of parameters, and those that hold shards of them. Those that share experts hold shards of the
/// other parameters too, as [`Fit::zero_over_experts`] says.
pub(crate) fn hybrid(degrees: &Degrees) -> [usize; 2] {
    let Degrees { dp, fsdp, ep, zero, .. } = *degrees;
    match zero {
        0 => [dp * ep, 1],
        3 if fsdp > 1 && fsdp < dp && dp.is_multiple_of(fsdp) => [dp / fsdp, fsdp * ep],
        _ => [1, dp * ep],
    }
}

/// Says which parameters FSDP2 pads: it shards their first dim, as tensor parallelism leaves it, and of what does not divide
/// the last devices hold less. Experts and what chooses them are sharded otherwise beside other kinds: nothing is said then.
fn padded_rows(job: &Job) -> String {
    let [_, over_batch] = hybrid(&job.degrees);
    let shards = over_batch * job.degrees.cp;
    let has_experts = job.model.as_ref().is_some_and(|model| model.experts.is_some());
    if job.degrees.zero == 0 || shards == 1 || has_experts && job.degrees.tp * job.degrees.ep > 1 {
        return String::new();
    }
    let is_weights = |name: &String| {
        job.axes.iter().any(|axis| axis.name == *name && axis.kind == crate::job::Kind::Tensor)
    };
    let rows = |argument: &PlanTensor| {
        let stacked = argument.name.as_deref().map_or(0, |name| stacked(name).len());
        let rows = *argument.shape.get(stacked)?;
        let is_cut = argument.sharding.get(stacked).is_some_and(|axes| axes.iter().any(is_weights));
        Some(if is_cut { rows.div_ceil(job.degrees.tp) } else { rows })
    };
    let parameters = job.arguments.iter().filter(|argument| argument.role.as_deref() == Some("parameter"));
    let uneven: Vec<(&str, usize)> = parameters
        .filter_map(|argument| Some((argument.name.as_deref()?, rows(argument)?)))
        .filter(|(_, rows)| !rows.is_multiple_of(shards))
        .collect();
    match uneven.first() {
        None => String::new(),
        Some((name, rows)) => format!(
            "# Shards over {shards} devices are padded of {} parameters, such as `{name}`: {rows} rows as {shards} x {}.\n",
            uneven.len(),
            rows.div_ceil(shards)
        ),
    }
}

/// Degrees, but for those of 1.
fn shown(degrees: &Degrees) -> String {
    degrees.to_string().replace(',', ", ")
}
