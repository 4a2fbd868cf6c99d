//! The rules of `sdy` attributes on arguments, results and instructions. Input: a function's parts with their scope.
//! Output: what they break, after Shardy's verifier.
//!
//! - `sdy.sharding` is a sharding on arguments and results, one sharding per result on instructions;
//! - `sdy.sharding_rule` fits the instruction's operands and results;
//! - `sdy.propagation_edges` name operands and results that exist, at least one of them with a sharding, and axes of
//!   the one mesh that these are on.

use super::check::check_axis;
use super::{PropagationStep, SdyAttr};
use crate::attribute::{Attr, Attributes};
use crate::ids::ValueId;
use crate::mesh::Mesh;
use crate::op::Violations;
use crate::program::InstView;
use crate::scope::Scope;
use crate::sdy::EdgeValue;
use crate::sharding::{ShardingAttr, ShardingError};
use meshwright_tensor::types::Type;

/// Checks `sdy.sharding` on an argument or result of a function.
pub fn of_value(attributes: &Attributes, ty: &Type, scope: &Scope<'_>) -> Result<(), ShardingError> {
    match attributes.get("sdy.sharding") {
        None => Ok(()),
        Some(Attr::Sharding(sharding)) => scope.check_sharding(sharding, Some(ty)),
        Some(_) => Err(ShardingError {
            message: "`sdy.sharding` should be #sdy.sharding<@mesh, [...]>".into(),
            hint: "a list of shardings stands only on instructions".into(),
        }),
    }
}

/// Checks the `sdy` attributes of an instruction.
pub fn of_instruction(view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
    for (name, value) in view.inst.attributes.iter() {
        let Some(name) = name.strip_prefix("sdy.") else {
            continue;
        };
        let typed = match value {
            Attr::Sdy(attribute) => Some(&**attribute),
            _ => None,
        };
        let wrong = match (name, value, typed) {
            ("sharding", Attr::ShardingPerValue(shardings), _) => {
                let types: Vec<&Type> = view.result_types().collect();
                per_value(shardings, &types, "result", scope, violations);
                continue;
            }
            ("sharding_rule", _, Some(SdyAttr::Rule(rule))) => {
                let problems = rule.problems(view.operand_types(), view.result_types());
                let sentence = |problem| format!("`sdy.sharding_rule`: {problem}");
                violations.messages.extend(problems.into_iter().map(sentence));
                continue;
            }
            ("propagation_edges", _, Some(SdyAttr::PropagationEdges(steps))) => {
                propagation_edges(steps, view, scope, violations);
                continue;
            }
            ("result_propagation_edges" | "block_arg_propagation_edges", Attr::Array(items), _)
                if items.iter().all(is_edges) =>
            {
                continue;
            }
            ("sharding", ..) => "#sdy.sharding_per_value<[<...>]>",
            ("sharding_rule", ..) => "#sdy.op_sharding_rule<...>",
            ("propagation_edges", ..) => "#sdy.propagation_edges<[...]>",
            ("result_propagation_edges" | "block_arg_propagation_edges", ..) => {
                "a list of #sdy.propagation_edges<[...]>"
            }
            _ => continue,
        };
        violations.messages.push(format!("`sdy.{name}` should be {wrong}"));
    }
}

fn is_edges(attribute: &Attr) -> bool {
    matches!(attribute, Attr::Sdy(inner) if matches!(**inner, SdyAttr::PropagationEdges(_)))
}

/// Checks one sharding per value; `what` says which values these are. Returns whether all fit.
pub fn per_value(
    shardings: &[ShardingAttr],
    types: &[&Type],
    what: &str,
    scope: &Scope<'_>,
    violations: &mut Violations,
) -> bool {
    if let ([], [only]) = (types, shardings) {
        // What has no result may still say on which device it runs, or that it runs on all.
        let is_replicated = only.dims.iter().all(|dim| dim.axes.is_empty());
        if is_replicated || scope.mesh(&only.mesh).is_ok_and(Mesh::is_maximal) {
            return violations.sharding(scope.check_sharding(only, None), what);
        }
    }
    let (count, expected) = (shardings.len(), types.len());
    let counted = violations.sharding(
        if count == expected {
            Ok(())
        } else {
            Err(ShardingError {
                message: format!("{count} shardings are given for {expected} {what}s"),
                hint: format!("write one <...> per {what}"),
            })
        },
        "",
    );
    counted
        && shardings.iter().zip(types).enumerate().fold(true, |fits, (index, (sharding, ty))| {
            let name = if expected == 1 { String::new() } else { format!("{what} {index}") };
            violations.sharding(scope.check_sharding(sharding, Some(ty)), &name) && fits
        })
}

/// The mesh that several shardings share, empty meshes aside. Errors: two that differ.
pub fn common_mesh<'m>(
    meshes: impl IntoIterator<Item = &'m Mesh>,
) -> Result<Option<&'m Mesh>, (&'m Mesh, &'m Mesh)> {
    let mut common: Option<&Mesh> = None;
    for mesh in meshes {
        match common {
            Some(first) if !first.is_empty() && !mesh.is_empty() && !first.is_like(mesh) => {
                return Err((first, mesh));
            }
            Some(first) if !first.is_empty() => {}
            _ => common = Some(mesh),
        }
    }
    Ok(common)
}

fn propagation_edges(
    steps: &[PropagationStep],
    view: &InstView<'_>,
    scope: &Scope<'_>,
    violations: &mut Violations,
) {
    let inst = view.inst;
    let value = |end: EdgeValue| -> Option<ValueId> {
        let (list, index) = match end {
            EdgeValue::Operand(index) => (&inst.operands, index),
            EdgeValue::Result(index) => (&inst.results, index),
        };
        list.get(usize::try_from(index).ok()?).copied()
    };
    let edges = || steps.iter().flat_map(|step| &step.edges);
    let ends = || edges().flat_map(|edge| std::iter::once(edge.source).chain(edge.targets.iter().copied()));
    let shardings: Vec<_> = ends().filter_map(value).filter_map(|value| scope.sharding(value)).collect();
    let meshes = shardings.iter().filter_map(|sharding| scope.mesh(&sharding.mesh).ok());
    let mesh = match common_mesh(meshes) {
        Ok(Some(mesh)) => mesh,
        Ok(None) => {
            let message = "`sdy.propagation_edges`: none of the values has a sharding";
            violations.messages.push(message.to_owned());
            return;
        }
        Err((first, second)) => {
            let (first, second) = (first.attr(), second.attr());
            let message = format!("`sdy.propagation_edges`: values are sharded on {first} and on {second}");
            violations.messages.push(message);
            return;
        }
    };
    for edge in edges() {
        let known = mesh.axis_named(&edge.axis.name).is_some();
        let checked = if known { Ok(()) } else { check_axis(&edge.axis, mesh) };
        violations.sharding(checked, "`sdy.propagation_edges`");
    }
    // Edges of functions name arguments and results of calls instead.
    if inst.op.name() == "sdy.func_data_flow_edge" {
        return;
    }
    for end in ends() {
        violations.require(end.is_in(inst.operands.len(), inst.results.len()), || {
            let (operands, results) = (inst.operands.len(), inst.results.len());
            format!(
                "`sdy.propagation_edges`: there is no {end} among {operands} operands and {results} results"
            )
        });
    }
}
