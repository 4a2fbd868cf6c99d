//! Removes instructions whose results nobody needs, unless they have side effects. All devices remove the same
//! collectives.

use super::PassContext;
use meshwright_ir::ids::{InstId, RegionId, Table};
use meshwright_ir::program::{Body, Def};
use meshwright_ir::rewrite::Rewriter;

pub(super) fn remove_dead_code(body: &Body, _: &PassContext<'_>) -> Option<Body> {
    without_dead_code(body)
}

/// The body without what nobody needs; nothing if all of it is needed.
pub(super) fn without_dead_code(body: &Body) -> Option<Body> {
    let mut live = Table::filled(false, body.insts.len());
    let mut pending: Vec<InstId> = body.regions[body.entry()].insts.last().copied().into_iter().collect();
    keep_effects(body, body.entry(), &mut pending);
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
    if all_live(body, body.entry(), &live) {
        return None;
    }
    let mut rewriter = Rewriter::new(body);
    let entry = rewriter.to.entry();
    copy_live(&mut rewriter, body.entry(), entry, &live);
    Some(rewriter.to)
}

fn all_live(body: &Body, region: RegionId, live: &Table<InstId, bool>) -> bool {
    let mut insts = body.regions[region].insts.iter();
    insts
        .all(|inst| live[*inst] && body.insts[*inst].regions.iter().all(|inner| all_live(body, *inner, live)))
}

/// Adds every instruction with side effects, and those around it. Returns whether the region holds any.
fn keep_effects(body: &Body, region: RegionId, pending: &mut Vec<InstId>) -> bool {
    let mut any = false;
    for id in &body.regions[region].insts {
        let inst = &body.insts[*id];
        let mut has_effects = inst.op.has_side_effects();
        for inner in &inst.regions {
            has_effects |= keep_effects(body, *inner, pending);
        }
        if has_effects {
            pending.push(*id);
            any = true;
        }
    }
    any
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

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::read;

    #[test]
    fn what_has_side_effects_stays_with_what_it_reads() {
        let text = "func.func @main(%a: tensor<f32>, %p: tensor<i1>) {
  %0 = stablehlo.add %a, %a : tensor<f32>
  %1 = stablehlo.multiply %a, %a : tensor<f32>
  \"stablehlo.if\"(%p) ({
    check.expect_eq %0, %a : tensor<f32>
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}";
        let program = read(&Source::new("test", text)).unwrap();
        let body = without_dead_code(&program.functions[0].body).unwrap();
        let names: Vec<&str> =
            body.walk(body.entry()).iter().map(|inst| body.insts[*inst].op.name()).collect();
        let returned = "stablehlo.return";
        assert_eq!(
            names,
            ["stablehlo.add", "stablehlo.if", "check.expect_eq", returned, returned, "func.return"]
        );
        assert!(without_dead_code(&body).is_none(), "nothing is left to remove");
    }
}
