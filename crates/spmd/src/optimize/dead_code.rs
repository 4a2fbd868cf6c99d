//! Removes instructions whose results nobody needs. Everything in a local program is free of side effects, and
//! all devices remove the same collectives.

use super::rewrite::Rewriter;
use meshwright_ir::ids::{InstId, RegionId, Table};
use meshwright_ir::program::{Body, Def};

pub(super) fn remove_dead_code(body: &Body) -> Body {
    let mut live = Table::filled(false, body.insts.len());
    let mut pending: Vec<InstId> = body.regions[body.entry()].insts.last().copied().into_iter().collect();
    while let Some(inst) = pending.pop() {
        if std::mem::replace(&mut live[inst], true) {
            continue;
        }
        let source = &body.insts[inst];
        for region in &source.regions {
            pending.extend(body.regions[*region].insts.last());
        }
        for operand in &source.operands {
            if let Def::Result(definition, _) = body.values[*operand].def {
                pending.push(definition);
            }
        }
    }
    let mut rewriter = Rewriter::new(body);
    let entry = rewriter.to.entry();
    copy_live(&mut rewriter, body.entry(), entry, &live);
    rewriter.to
}

fn copy_live(rewriter: &mut Rewriter<'_>, from: RegionId, to: RegionId, live: &Table<InstId, bool>) {
    let body = rewriter.from;
    for inst in body.regions[from].insts.iter().filter(|inst| live[**inst]) {
        let source = &body.insts[*inst];
        let regions = source
            .regions
            .iter()
            .map(|region| {
                let copy = rewriter.region_like(*region);
                copy_live(rewriter, *region, copy, live);
                copy
            })
            .collect();
        let operands = source.operands.iter().map(|operand| rewriter.value(*operand)).collect();
        rewriter.append(*inst, operands, regions, to);
    }
}
