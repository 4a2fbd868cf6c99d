//! Which values lie in the memory of the host instead of that of the device.
//!
//! Input: a function. Output: for each value whether it lies there. Programs say so of arguments (`mhlo.memory_kind`)
//! and by moving a value (`annotate_device_placement`, [`OpDef::placement`](meshwright_ir::op::OpDef::placement)). What
//! follows is as in XLA: a value lies where it is moved to, and so does what is only another name for it, a part cut
//! out of it, and all that a loop carries from turn to turn in its place; a buffer into which a part is written that
//! lies on the host does too, also before (`x` moved to the host and put into a stack in every turn of a loop).

use crate::fusion::is_renaming;
use meshwright_ir::arguments::Placement;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Function, InstView, Regions};

/// For each value whether it lies on the host.
pub fn on_host(function: &Function) -> Table<ValueId, bool> {
    let body = &function.body;
    let mut places = Places {
        is_host: Table::filled(false, body.values.len()),
        is_fixed: Table::filled(false, body.values.len()),
        has_changed: false,
    };
    for (index, argument) in function.args().iter().enumerate() {
        places.fix(*argument, function.argument_placement(index));
    }
    let order = body.walk(body.entry());
    for inst in &order {
        let view = body.view(*inst);
        if let Some(placement) = view.inst.op.placement(&view) {
            view.inst.results.iter().for_each(|result| places.fix(*result, placement));
        }
    }
    // Loops carry places back to where they begin.
    while std::mem::take(&mut places.has_changed) {
        order.iter().for_each(|inst| places.follow(&body.view(*inst)));
    }
    places.is_host
}

/// For each value on the host whether it only passes: a part on its way from a stack to the device, or from the device to a
/// stack, is copied from or to its place, and takes no memory of its own.
pub(crate) fn in_passing(body: &Body, on_host: &Table<ValueId, bool>) -> Table<ValueId, bool> {
    let mut passing = Table::filled(false, body.values.len());
    if on_host.values().all(|is_on_host| !is_on_host) {
        return passing;
    }
    let is_name = |view: &InstView<'_>| match &view.inst.op {
        Op::BroadcastInDim(_) => view.operand(0).num_elements() == view.result(0).num_elements(),
        _ => {
            view.inst.op.placement(view).is_none()
                && view.regions() == Regions::OfElements
                && is_renaming(view)
        }
    };
    let (order, uses) = (body.walk(body.entry()), body.uses());
    for inst in &order {
        let view = body.view(*inst);
        let is_part = matches!(view.inst.op, Op::Slice(_) | Op::DynamicSlice(_));
        for result in view.inst.results.iter().filter(|result| on_host[**result]) {
            passing[*result] = is_part || (is_name(&view) && passing[view.inst.operands[0]]);
        }
    }
    for inst in order.iter().rev() {
        for result in body.insts[*inst].results.iter().filter(|result| on_host[**result]) {
            let is_put = |(reader, position): &(InstId, usize)| {
                let view = body.view(*reader);
                let is_write = matches!(view.inst.op, Op::DynamicUpdateSlice(_)) && *position == 1;
                is_write || (is_name(&view) && passing[view.inst.results[0]])
            };
            let readers = &uses[*result];
            passing[*result] |= !readers.is_empty() && readers.iter().all(is_put);
        }
    }
    passing
}

struct Places {
    is_host: Table<ValueId, bool>,
    /// Said by the program.
    is_fixed: Table<ValueId, bool>,
    has_changed: bool,
}

impl Places {
    fn fix(&mut self, value: ValueId, placement: Placement) {
        self.is_fixed[value] = true;
        self.is_host[value] = placement == Placement::Host;
        self.has_changed |= self.is_host[value];
    }

    fn put(&mut self, value: ValueId) {
        if !self.is_fixed[value] && !self.is_host[value] {
            self.is_host[value] = true;
            self.has_changed = true;
        }
    }

    /// If one lies on the host, the other does.
    fn give(&mut self, from: ValueId, to: ValueId) {
        if self.is_host[from] {
            self.put(to);
        }
    }

    /// All lie in one place.
    fn join(&mut self, values: &[ValueId]) {
        if values.iter().any(|value| self.is_host[*value]) {
            values.iter().for_each(|value| self.put(*value));
        }
    }

    fn follow(&mut self, view: &InstView<'_>) {
        let (operands, results) = (&view.inst.operands, &view.inst.results);
        match &view.inst.op {
            Op::Slice(_) | Op::DynamicSlice(_) => self.give(operands[0], results[0]),
            // A dim of size 1 in front, as what is put into a stack has it.
            Op::BroadcastInDim(_) if view.operand(0).num_elements() == view.result(0).num_elements() => {
                self.give(operands[0], results[0]);
            }
            Op::DynamicUpdateSlice(_) => {
                self.give(operands[1], results[0]);
                self.join(&[operands[0], results[0]]);
            }
            _ if view.regions() == Regions::Loop => {
                for (index, (operand, result)) in operands.iter().zip(results).enumerate() {
                    let inside = view
                        .inst
                        .regions
                        .iter()
                        .filter_map(|region| view.body.regions[*region].args.get(index).copied());
                    let last = view.inst.regions.len().saturating_sub(1);
                    let returned = view.returned(last).get(index).copied();
                    let carried: Vec<ValueId> =
                        [*operand, *result].into_iter().chain(inside).chain(returned).collect();
                    self.join(&carried);
                }
            }
            _ if view.regions() == Regions::Branches => {
                for (index, result) in results.iter().enumerate() {
                    for region in 0..view.inst.regions.len() {
                        if let Some(returned) = view.returned(region).get(index) {
                            self.give(*returned, *result);
                        }
                    }
                }
            }
            _ if view.inst.op.placement(view).is_none() && is_renaming(view) => {
                operands.iter().zip(results).for_each(|(operand, result)| self.join(&[*operand, *result]));
            }
            _ => {}
        }
    }
}
