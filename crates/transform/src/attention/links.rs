//! Values that are the same: behind barriers, unchanged through loops, and stacked by one loop for another.
//!
//! A loop over layers stacks what its gradient needs, and the loop of the gradient reads one layer's part in each turn.
//! All parts that a turn reads at one index were written in one turn, so that they belong together as if both turns were
//! one program: the part that is read *is* the value that was stacked.
//!
//! Input: a body. Output: for each value the first one that it is.

use std::collections::BTreeMap;

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Inst, Regions};

/// A carried value of which each turn of a loop writes one part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack {
    /// The loop.
    pub(super) of: InstId,
    /// What writes a part.
    pub(super) write: InstId,
    /// The dim along which parts lie.
    pub(super) dim: usize,
    /// The index of the part.
    pub(super) index: ValueId,
}

/// A part of a stack that is read in another loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// What reads it.
    pub(super) read: InstId,
    /// The stack.
    pub(super) stack: Stack,
    /// The index.
    pub(super) index: ValueId,
}

/// What values are.
pub(super) struct Links {
    same: Table<ValueId, ValueId>,
    class: BTreeMap<ValueId, Vec<ValueId>>,
    stacks: BTreeMap<ValueId, Stack>,
    /// All parts of stacks that are read, in order.
    pub(super) parts: Vec<Part>,
    /// The indices of the writes and the reads of a loop's stacks in a region.
    indices: BTreeMap<(InstId, RegionId), (ValueId, ValueId)>,
}

impl Links {
    /// Reads a body.
    pub(super) fn of(body: &Body) -> Self {
        let mut links = Self {
            same: body.values.ids().collect(),
            class: BTreeMap::new(),
            stacks: BTreeMap::new(),
            parts: Vec::new(),
            indices: BTreeMap::new(),
        };
        let region_of = body.region_of();
        for id in body.walk(body.entry()) {
            let inst = &body.insts[id];
            match inst.op {
                Op::OptimizationBarrier(_) => {
                    for (result, operand) in inst.results.iter().zip(&inst.operands) {
                        links.set(*result, *operand);
                    }
                }
                Op::DynamicSlice(_) => links.part(body, id, region_of[id]),
                _ if body.view(id).regions() == Regions::Loop => links.carried(body, id),
                _ => {}
            }
        }
        links
    }

    /// The first value that a value is.
    pub(super) fn first(&self, value: ValueId) -> ValueId {
        self.same[value]
    }

    /// All others that are this value.
    pub(super) fn others(&self, value: ValueId) -> &[ValueId] {
        self.class.get(&value).map_or(&[], Vec::as_slice)
    }

    fn set(&mut self, value: ValueId, is: ValueId) {
        self.same[value] = self.same[is];
        self.class.entry(self.same[is]).or_default().push(value);
    }

    /// Carried values of a loop that stay the same, and those that are stacks.
    fn carried(&mut self, body: &Body, id: InstId) {
        let inst = &body.insts[id];
        let [condition, step] = inst.regions[..] else { return };
        let Some(returned) = body.terminator(step).map(|last| &last.operands) else { return };
        for (index, (init, value)) in inst.operands.iter().zip(returned).enumerate() {
            let (arg, result) = (body.regions[step].args[index], inst.results[index]);
            if *value == arg {
                self.set(arg, *init);
                self.set(body.regions[condition].args[index], *init);
                self.set(result, *init);
            } else if let Some((write, dim, position)) = written(body, *value, arg) {
                self.stacks.insert(result, Stack { of: id, write, dim, index: position });
            }
        }
    }

    /// A slice of a stack: what was written there.
    fn part(&mut self, body: &Body, id: InstId, region: RegionId) {
        let inst = &body.insts[id];
        let [result] = inst.results[..] else { return };
        let Some(stack) = self.stacks.get(&self.first(inst.operands[0])).copied() else { return };
        let update = body.insts[stack.write].operands[1];
        if body.ty(result) != body.ty(update) {
            return;
        }
        let index = self.first(inst.operands[1 + stack.dim]);
        let known = *self.indices.entry((stack.of, region)).or_insert((stack.index, index));
        if known == (stack.index, index) {
            self.set(result, update);
            self.parts.push(Part { read: id, stack, index: inst.operands[1 + stack.dim] });
        }
    }
}

/// What writes one part of `arg` to make `value`, along which dim and where.
fn written(body: &Body, value: ValueId, arg: ValueId) -> Option<(InstId, usize, ValueId)> {
    let Def::Result(write, _) = body.values[value].def else { return None };
    let Inst { op: Op::DynamicUpdateSlice(_), operands, .. } = &body.insts[write] else { return None };
    let [into, update, starts @ ..] = &operands[..] else { return None };
    let (whole, part) = (&body.ty(*into).as_tensor()?.shape, &body.ty(*update).as_tensor()?.shape);
    let mut dims = (0..whole.len()).filter(|dim| whole[*dim] != part[*dim]);
    let dim = dims.next().filter(|dim| part[*dim] == 1)?;
    (*into == arg && dims.next().is_none()).then_some((write, dim, starts[dim]))
}
