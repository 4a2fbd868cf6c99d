//! The stage `propagate`: annotations propagate to all values.
//!
//! One line per tensor that has dims: arguments, instructions in order, function results, each with its sharding and
//! what is still open. With the option `complete`, each value's final sharding, and behind it, for instructions whose
//! strategy makes or reads something in another sharding, what it reads and makes.

use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::Shardings;
use meshwright_plan::shardings::sharded_insts;
use meshwright_suite::{Finding, Input, Outcome};

use super::annotated::Annotated;

pub(crate) fn propagate(input: &Input) -> Outcome {
    match listing_of(input) {
        Ok(output) => Outcome::output(output),
        Err(findings) => Outcome::findings(findings),
    }
}

fn listing_of(input: &Input) -> Result<String, Vec<Finding>> {
    let annotated = Annotated::read(input)?;
    let Annotated { source, function, mesh, fixed, .. } = &annotated;
    if input.option("complete").is_some() {
        let shardings = annotated.sharder().everything(fixed);
        let problems = shardings.verify(function);
        assert!(problems.is_empty(), "{problems:?}");
        return Ok(completed(source, function, &shardings));
    }
    let found = annotated.sharder().values(fixed);
    let line = |value: ValueId| line(source, function, value, &found.values[value], mesh);
    Ok(listing(function, mesh, line, |_| String::new(), &found.results))
}

fn completed(source: &Source, function: &Function, shardings: &Shardings) -> String {
    let body = &function.body;
    let mesh = &shardings.mesh;
    let value_line = |value: ValueId| line(source, function, value, &shardings.values[value], mesh);
    let strategy = |id: InstId| {
        let view = body.view(id);
        let (rule, strategy) = (view.inst.op.rule(&view), &shardings.strategies[id]);
        let reads: Vec<Sharding> =
            (0..view.num_operands()).map(|operand| strategy.operand_sharding(&rule, operand, mesh)).collect();
        let makes: Vec<Sharding> = (0..view.inst.results.len())
            .map(|result| strategy.result_sharding(&rule, result, mesh))
            .collect();
        let as_kept = |values: &[ValueId], shardings_here: &[Sharding]| {
            values.iter().zip(shardings_here).all(|(value, here)| shardings.values[*value].places_like(here))
        };
        if as_kept(&view.inst.operands, &reads) && as_kept(&view.inst.results, &makes) {
            return String::new();
        }
        let list = |all: &[Sharding]| {
            all.iter().map(|sharding| text(sharding, mesh)).collect::<Vec<_>>().join(" x ")
        };
        format!("    made {} from {}", list(&makes), list(&reads))
    };
    listing(function, mesh, value_line, strategy, &shardings.results)
}

fn listing(
    function: &Function,
    mesh: &Mesh,
    value_line: impl Fn(ValueId) -> Option<String>,
    note: impl Fn(InstId) -> String,
    results: &[Sharding],
) -> String {
    let body = &function.body;
    let mut lines: Vec<String> = function.args().iter().filter_map(|value| value_line(*value)).collect();
    for id in sharded_insts(body, body.entry()) {
        let inst = &body.insts[id];
        let note = if inst.op.carries_values() || inst.results.is_empty() { String::new() } else { note(id) };
        lines.extend(inst.results.iter().filter_map(|value| value_line(*value)).map(|line| line + &note));
    }
    for (index, sharding) in results.iter().enumerate().filter(|(_, sharding)| !sharding.dims.is_empty()) {
        lines.push(format!("result {index} {}", text(sharding, mesh)));
    }
    lines.join("\n")
}

/// `%name [{"x", ?}, {?}]`; nothing for scalars.
fn line(
    source: &Source,
    function: &Function,
    value: ValueId,
    sharding: &Sharding,
    mesh: &Mesh,
) -> Option<String> {
    let name = source.snippet(function.body.values[value].span);
    (!sharding.dims.is_empty()).then(|| format!("{name} {}", text(sharding, mesh)))
}

/// The sharding without its mesh: `[{"x"}, {}], unreduced={"y"}`.
fn text(sharding: &Sharding, mesh: &Mesh) -> String {
    let attr = sharding.to_attr(mesh).to_string();
    attr.split_once(", ").map_or(attr.clone(), |(_, rest)| rest.to_owned())
}
