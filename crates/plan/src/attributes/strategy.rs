//! Strategies of instructions as attributes: `meshwright.strategy = [["data"], [], ["model"]]` says for each factor of an
//! instruction's sharding rule which axes shard it.
//!
//! Input: a function, a mesh. Output: strategies, or what is wrong with them; and the other way round.

use super::{ANNOTATION, STRATEGY};
use crate::axes;
use meshwright_ir::attribute::Attr;
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics};
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_ir::rule::{Factor, Strategy};
use std::collections::BTreeMap;

/// The strategies that the instructions of a function say themselves.
pub(super) fn read(
    function: &Function,
    mesh: &Mesh,
    problems: &mut Diagnostics,
) -> BTreeMap<InstId, Strategy> {
    let mut found = BTreeMap::new();
    for (id, inst) in function.body.insts.iter() {
        let Some(attr) = inst.attributes.get(STRATEGY) else { continue };
        let strategy = lists(attr)
            .ok_or_else(|| "it is not a list of lists of axes".to_owned())
            .and_then(|names| strategy(function, id, &names, mesh));
        match strategy {
            Ok(strategy) => {
                found.insert(id, strategy);
            }
            Err(why) => problems.push(
                Diagnostic::error(ANNOTATION, inst.span, format!("`{STRATEGY}` does not fit: {why}"))
                    .hint("it has a list of axes for each factor of the rule that `meshwright rules` shows"),
            ),
        }
    }
    found
}

/// The strategy of an instruction that shards its factors over the named axes. Errors: what does not fit, in words.
pub fn strategy(
    function: &Function,
    id: InstId,
    names: &[Vec<String>],
    mesh: &Mesh,
) -> Result<Strategy, String> {
    let view = function.body.view(id);
    let rule = view.inst.op.rule(&view);
    if names.len() != rule.factors.len() {
        return Err(format!("the rule has {} factors, not {}", rule.factors.len(), names.len()));
    }
    let axes_of = |(names, factor): (&Vec<String>, &Factor)| {
        let sharding = axes::resolve(std::slice::from_ref(names), mesh, &[factor.size]);
        Ok(sharding.map_err(|found| found.message)?.dim_axes().flatten().copied().collect())
    };
    let axes: Result<Vec<Vec<_>>, String> = names.iter().zip(&rule.factors).map(axes_of).collect();
    let strategy = Strategy { axes: axes? };
    if !strategy.is_legal(&rule, mesh) {
        return Err("the op cannot be sharded so".to_owned());
    }
    Ok(strategy)
}

/// The axes of each factor by name.
pub fn strategy_names(strategy: &Strategy, mesh: &Mesh) -> Vec<Vec<String>> {
    strategy.axes.iter().map(|axes| mesh.describe(axes)).collect()
}

/// The attribute that gives a strategy.
pub(super) fn attr(strategy: &Strategy, mesh: &Mesh) -> Attr {
    let text = |name: String| Attr::String(name.into());
    let list = |names: Vec<String>| Attr::Array(names.into_iter().map(text).collect());
    Attr::Array(strategy_names(strategy, mesh).into_iter().map(list).collect())
}

fn lists(attr: &Attr) -> Option<Vec<Vec<String>>> {
    let Attr::Array(lists) = attr else { return None };
    let names = |list: &Attr| {
        let Attr::Array(names) = list else { return None };
        let text = |name: &Attr| match name {
            Attr::String(text) => Some(text.to_string()),
            _ => None,
        };
        names.iter().map(text).collect()
    };
    lists.iter().map(names).collect()
}
