//! JAX: `sharding.py`, the mesh and a `PartitionSpec` for each argument of the program, by its name. Devices are numbered
//! as in the plan. Where the plan shards along a part of an axis, the axis is written as several.

use super::{Target, docstring};
use crate::File;
use crate::document::quoted;
use crate::fit::Fit;
use crate::job::{Job, Recompute};
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub(super) const TARGET: Target =
    Target { name: "jax", title: "JAX", version: "0.4.31 or newer", form: "sharding.py", fit, write };

fn fit(fit: &mut Fit) {
    if fit.job.degrees.pp > 1 {
        fit.cannot("pp > 1: a mesh and shardings say nothing of stages");
    }
    let mut uneven = Vec::new();
    for (index, argument) in fit.job.arguments.iter().enumerate() {
        for (size, axes) in argument.shape.iter().zip(&argument.sharding) {
            let sizes = axes.iter().map(|axis| size_of(axis, &fit.job));
            let shards = sizes.fold(1, usize::saturating_mul);
            if !size.is_multiple_of(shards) {
                uneven.push(format!("argument {index} has a dim of {size} in {shards} unequal shards"));
            }
        }
    }
    uneven.into_iter().for_each(|what| fit.cannot(what));
    // Shardings are the plan's own; what they amount to does not matter here.
    fit.gaps.retain(|gap| gap.instead.is_none());
    (fit.job.partial_zero, fit.job.notes, fit.job.replicated) = (None, Vec::new(), 1);
    fit.job.has_shardings = true;
    let again = match (&fit.job.partial_recompute.take(), fit.job.recompute) {
        (None, Recompute::None) => return,
        (Some(words), _) => words.clone(),
        (None, level) => level.name().to_owned(),
    };
    let note = format!(
        "What the plan makes again ({again}) is for `jax.checkpoint` in the program: no sharding says it."
    );
    fit.job.notes.push(note);
}

/// The part of an axis that is written `model:(1)2`: its name, the devices before it, and its size.
fn part(written: &str) -> Option<(&str, usize, usize)> {
    let (name, rest) = written.split_once(":(")?;
    let (before, size) = rest.split_once(')')?;
    Some((name, before.parse().ok()?, size.parse().ok()?))
}

fn size_of(written: &str, job: &Job) -> usize {
    match part(written) {
        Some((_, _, size)) => size,
        None => job.axes.iter().find(|axis| axis.name == written).map_or(1, |axis| axis.size),
    }
}

/// An axis in the parts along which something is sharded: the devices before each, and its size.
fn parts(job: &Job, name: &str, size: usize) -> Vec<(usize, usize)> {
    let mut bounds = BTreeSet::from([1, size]);
    let used = job.arguments.iter().flat_map(|argument| argument.sharding.iter().flatten());
    for (_, before, size) in used.filter_map(|axis| part(axis)).filter(|(own, ..)| *own == name) {
        bounds.extend([before, before.saturating_mul(size)]);
    }
    let bounds: Vec<usize> = bounds.into_iter().filter(|bound| *bound > 0).collect();
    bounds.windows(2).map(|pair| (pair[0], pair[1] / pair[0])).collect()
}

/// The axes as JAX is to have them: names and sizes.
fn axes(job: &Job) -> Vec<(String, usize)> {
    let each = job.axes.iter().flat_map(|axis| {
        let parts = parts(job, &axis.name, axis.size);
        let is_whole = parts.len() < 2;
        let name =
            move |index: usize| if is_whole { axis.name.clone() } else { format!("{}_{index}", axis.name) };
        let mut own: Vec<(String, usize)> =
            parts.iter().enumerate().map(|(index, (_, size))| (name(index), *size)).collect();
        if own.is_empty() {
            own.push((axis.name.clone(), axis.size));
        }
        own
    });
    each.collect()
}

/// JAX's names of what the plan shards a dim along.
fn names(job: &Job, written: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for axis in written {
        let (name, before, size) = part(axis).unwrap_or((axis, 1, size_of(axis, job)));
        let whole = job.axes.iter().find(|own| own.name == name).map_or(size, |own| own.size);
        let parts = parts(job, name, whole);
        for (index, (start, _)) in parts.iter().enumerate() {
            if (before..before.saturating_mul(size)).contains(start) {
                names.push(if parts.len() < 2 { name.to_owned() } else { format!("{name}_{index}") });
            }
        }
        if parts.is_empty() {
            names.push(name.to_owned());
        }
    }
    names
}

/// `P("data", None)`.
fn spec(job: &Job, sharding: &[Vec<String>]) -> String {
    let dim = |written: &Vec<String>| match names(job, written).as_slice() {
        [] => "None".to_owned(),
        [name] => quoted(name),
        names => format!("({})", names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")),
    };
    format!("P({})", sharding.iter().map(dim).collect::<Vec<_>>().join(", "))
}

fn write(job: &Job) -> Vec<File> {
    let axes = axes(job);
    let list = |items: Vec<String>| items.join(", ");
    let names = list(axes.iter().map(|(name, _)| quoted(name)).collect());
    let sizes = list(axes.iter().map(|(_, size)| size.to_string()).collect());
    let mut text =
        docstring(&TARGET, job, "The planned mesh, and the sharding of each argument of the step, in order.");
    let _ = write!(
        text,
        "\nimport jax\nimport numpy as np\nfrom jax.sharding import Mesh, NamedSharding, PartitionSpec as P\n\nAXES = \
         ({names},)\nSIZES = ({sizes},)\n\n# Name, shape and sharding of each argument.\nARGUMENTS = (\n"
    );
    for (index, argument) in job.arguments.iter().enumerate() {
        let name = argument.name.clone().unwrap_or_else(|| format!("arg{index}"));
        let shape: Vec<String> = argument.shape.iter().map(usize::to_string).collect();
        let shape = match shape.as_slice() {
            [one] => format!("({one},)"),
            several => format!("({})", several.join(", ")),
        };
        let _ = writeln!(text, "    ({}, {shape}, {}),", quoted(&name), spec(job, &argument.sharding));
    }
    text += FUNCTIONS;
    vec![File::new("sharding.py", text)]
}

const FUNCTIONS: &str = r#")

SPECS = {name: spec for name, _, spec in ARGUMENTS}


def mesh(devices=None):
    """The mesh over `devices`, which are numbered as in the plan: by default all that JAX has."""
    devices = np.asarray(jax.devices() if devices is None else devices)
    return Mesh(devices.reshape(SIZES), AXES)


def shardings(on):
    """The sharding of each argument on a mesh, by name."""
    return {name: NamedSharding(on, spec) for name, spec in SPECS.items()}
"#;
