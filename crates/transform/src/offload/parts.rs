//! Stacks that loops read and write part by part: on the host they stay whole, and their parts move.
//!
//! Input: a body, a value and a loop. Output: the instructions of the loop that take parts of the value, or the one that
//! puts them there. A forward loop over layers stacks what the backward loop reads again.

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::loops::{Access, Way, scan};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, InstView, Regions};

/// Instructions that take parts of a value in a loop; `None` if the loop also reads it whole, or goes on with it.
pub fn taken(body: &Body, inst: InstId, value: ValueId) -> Option<Vec<InstId>> {
    let view = body.view(inst);
    let accesses = scan(loop_of(view)?)?.accesses;
    let region = *view.inst.regions.last()?;
    let mut found: Vec<InstId> = Vec::new();
    let mut take = |stack: ValueId, is_of: &dyn Fn(&Access) -> bool| {
        let own = accesses.iter().filter(|access| is_of(access));
        let parts: Vec<InstId> = own.clone().map(|access| access.inst).collect();
        let is_read = own.clone().all(|access| access.way == Way::Read);
        let parts = if parts.is_empty() { in_another_shape(body, view, stack)? } else { parts };
        found.extend(parts);
        is_read.then_some(())
    };
    for (index, _) in view.inst.operands.iter().enumerate().filter(|(_, operand)| **operand == value) {
        let is_read_behind =
            body.insts.values().any(|inst| inst.operands.contains(&view.inst.results[index]));
        if is_read_behind {
            return None;
        }
        take(body.regions[region].args[index], &|access| access.carried == Some(index))?;
    }
    if view.captured().contains(&value) {
        take(value, &|access| access.carried.is_none() && access.stack == value)?;
    }
    (!found.is_empty()).then_some(found)
}

/// Instructions of a loop that take parts of a stack in another shape, as loops over tiles do; `None` if the loop also reads it
/// otherwise.
fn in_another_shape(body: &Body, view: InstView<'_>, stack: ValueId) -> Option<Vec<InstId>> {
    let inside = || view.inst.regions.iter().flat_map(|region| body.walk(*region));
    let readers = |value: ValueId| -> Vec<InstId> {
        inside().filter(|inst| body.insts[*inst].operands.contains(&value)).collect()
    };
    let mut parts = Vec::new();
    for reader in readers(stack) {
        let content = &body.insts[reader];
        match content.op {
            Op::Reshape(_) => {
                for part in readers(content.results[0]) {
                    let is_part = matches!(body.insts[part].op, Op::DynamicSlice(_))
                        && body.insts[part].operands[0] == content.results[0];
                    parts.push(is_part.then_some(part)?);
                }
            }
            Op::Return(_) => {}
            _ => return None,
        }
    }
    (!parts.is_empty()).then_some(parts)
}

/// The instruction that puts the parts into a stack that a loop makes and nothing in it reads.
pub fn put(body: &Body, value: ValueId) -> Option<InstId> {
    let Def::Result(inst, index) = body.values[value].def else { return None };
    let accesses = scan(loop_of(body.view(inst))?)?.accesses;
    let own: Vec<&Access> = accesses.iter().filter(|access| access.carried == Some(index)).collect();
    match own[..] {
        [Access { inst, way: Way::Write, .. }] => Some(*inst),
        _ => None,
    }
}

/// Returns whether a value comes out of a loop.
pub fn is_of_loop(body: &Body, value: ValueId) -> bool {
    matches!(body.values[value].def, Def::Result(inst, _) if loop_of(body.view(inst)).is_some())
}

fn loop_of(view: InstView<'_>) -> Option<InstView<'_>> {
    (view.regions() == Regions::Loop).then_some(view)
}
