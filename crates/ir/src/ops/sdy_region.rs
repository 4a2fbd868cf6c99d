//! Common parts of Shardy's computations: text and checks of an op whose only region uses nothing from outside.
//!
//! ```text
//! (%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] ... (%arg: tensor<4xf32>) { ... } : (...) -> ...
//! ```

use crate::ids::ValueId;
use crate::op::{Op, ParsedInst, Violations};
use crate::program::InstView;
use crate::sdy::write_per_value;
use crate::sharding::ShardingAttr;
use crate::text::{OpPrinter, Parsed, Parser};
use std::collections::BTreeSet;

/// Reads the region and all that follows it.
pub(super) fn parse_region(
    p: &mut Parser<'_>,
    op: impl Into<Op>,
    operands: Vec<ValueId>,
) -> Parsed<ParsedInst> {
    let region = p.region_behind_arguments()?;
    let attributes = p.attr_dict_opt()?;
    let (types, results) = p.colon_function_type()?;
    let mut parsed = ParsedInst::new(op, operands, results).typed(types).with(attributes);
    parsed.regions.push(region);
    Ok(parsed)
}

/// Writes the operands, and the shardings of operands and results where they are given.
pub(super) fn print_operands(
    view: &InstView<'_>,
    p: &mut OpPrinter<'_>,
    [inside, outside]: [Option<&Vec<ShardingAttr>>; 2],
) {
    p.text("(");
    p.values(&view.inst.operands);
    p.text(")");
    for (name, shardings) in [("in", inside), ("out", outside)] {
        if let Some(shardings) = shardings {
            p.text(&format!(" {name}_shardings={}", write_per_value(shardings)));
        }
    }
}

/// Writes the region and all that follows it.
pub(super) fn print_region(view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
    p.region_behind_arguments(view.inst.regions[0]);
    p.attributes();
    p.signature();
    true
}

/// Checks that there is one region, that it uses nothing from outside and that it ends with `sdy.return`.
pub(super) fn verify_region(view: &InstView<'_>, violations: &mut Violations) -> bool {
    if !violations.num_regions(view, 1) {
        return false;
    }
    let body = view.body;
    let last = body.terminator(view.inst.regions[0]);
    let ends = last.is_some_and(|last| matches!(&last.op, Op::Return(_)) && last.op.name() == "sdy.return");
    violations.require(ends, || "the region should end with `sdy.return`".into());
    let inside = body.walk(view.inst.regions[0]);
    let mut defined: BTreeSet<ValueId> = view.region(0).args.iter().copied().collect();
    for inst in &inside {
        let inst = &body.insts[*inst];
        defined.extend(&inst.results);
        defined.extend(inst.regions.iter().flat_map(|region| &body.regions[*region].args));
    }
    let isolated =
        inside.iter().all(|inst| body.insts[*inst].operands.iter().all(|value| defined.contains(value)));
    violations.require(isolated, || {
        "the region should use only its arguments and what it computes, nothing from outside".into()
    }) && ends
}
