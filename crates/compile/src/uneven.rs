//! What devices hold of parameters whose dims do not divide among them: padding, or the same as others.
//!
//! Input: a function, its roles, its shardings, and what its axes are used for. Output: one line for each kind of
//! parameter, such as ``wte.weight`: 50257 of dim 0 over 8 devices, padded to 50264`. Vocabularies are padded, heads are
//! not cut: where there are fewer heads, or they do not divide, several devices of tensor parallelism hold the same; large
//! parameters that are whole on all of these are named as well.

use meshwright_analyze::recognize::{Recognized, Use};
use meshwright_analyze::roles::Role;
use meshwright_analyze::{Roles, names};
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::Function;
use meshwright_plan::Shardings;
use std::collections::BTreeSet;

/// A parameter that is whole is named from this share of the bytes of all on.
const LARGE: f64 = 0.01;

/// The same of a matrix, such as that of keys where there are few heads of them.
const LARGE_MATRIX: f64 = 0.001;

/// The lines, in the order of the parameters.
pub(crate) fn uneven(
    function: &Function,
    roles: &Roles,
    recognized: &Recognized,
    shardings: &Shardings,
) -> Vec<String> {
    let mesh = &shardings.mesh;
    let of_tensors = recognized.uses.iter().filter(|(_, uses)| uses.main == Some(Use::Tensor));
    let tensor: AxisSet = of_tensors.map(|(axis, _)| *axis).collect();
    let names = names::of_arguments(function);
    let mut lines = Vec::new();
    let mut seen = BTreeSet::new();
    let mut say = |line: String| {
        if seen.insert(line.clone()) {
            lines.push(line);
        }
    };
    let bytes = |value: &ValueId| function.body.ty(*value).num_bytes() as f64;
    let parameters = function.args().iter().enumerate();
    let parameters = parameters.filter(|(index, _)| roles.args[*index].role == Role::Parameter);
    let all: f64 = parameters.map(|(_, value)| bytes(value)).sum();
    for (index, value) in function.args().iter().enumerate() {
        let Some(ty) = function.body.ty(*value).as_tensor() else { continue };
        if roles.args[index].role != Role::Parameter {
            continue;
        }
        let name = names[index].as_deref().map_or_else(|| format!("arg{index}"), of_all_layers);
        let sharding = &shardings.values[*value];
        let is_stacked = names[index].as_deref().is_some_and(|name| name.contains("{"));
        let is_matrix = ty.shape.len() >= if is_stacked { 3 } else { 2 };
        let large = if is_matrix { LARGE_MATRIX } else { LARGE };
        if !tensor.is_empty() && sharding.used_axes().is_disjoint(tensor) && bytes(value) >= large * all {
            let devices = mesh.product(&tensor.iter().collect::<Vec<_>>());
            say(format!("`{name}`: whole on each of the {devices} devices of tensor parallelism"));
        }
        for (dim, (own, size)) in sharding.dims.iter().zip(&ty.shape).enumerate() {
            let shards = mesh.product(&own.axes);
            let padded = size.div_ceil(shards) * shards;
            let held: usize = match own.axes.iter().any(|axis| tensor.contains(*axis)) {
                true => {
                    let rest = tensor.minus(sharding.used_axes());
                    mesh.product(&rest.iter().collect::<Vec<_>>())
                }
                false => 1,
            };
            if padded > *size {
                say(format!("`{name}`: {size} of dim {dim} over {shards} devices, padded to {padded}"));
            }
            if held > 1 {
                let parts: Vec<_> = own.axes.iter().filter(|axis| tensor.contains(**axis)).copied().collect();
                let parts = mesh.product(&parts);
                say(format!(
                    "`{name}`: dim {dim} in {parts} parts over the {} devices of tensor parallelism, each held by {held} of \
                     them",
                    parts * held
                ));
            }
        }
    }
    lines
}

/// A name with its numbers left open: the same line for all layers.
fn of_all_layers(name: &str) -> String {
    let mut open = String::new();
    for part in name.chars() {
        match part.is_ascii_digit() {
            true if open.ends_with('*') => {}
            true if open.chars().last().is_none_or(|before| !before.is_alphanumeric()) => open.push('*'),
            _ => open.push(part),
        }
    }
    open
}
