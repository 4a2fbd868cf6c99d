//! Values of which each device has a contribution: those that annotations call `unreduced`.
//!
//! Input: a function's annotations, and shardings in which every value is complete. Output: the same shardings, with
//! the axes over which annotated values, arguments and results are kept partial. On the way to an annotated value,
//! what is read by nothing else is kept partial too, as far as its instruction leaves contributions or passes them on
//! (`Shardings::partial_reads`):
//!
//! ```text
//! %0 = dot_general %a, %b      // both sharded over "x" along the contracted dim: kept partial over "x"
//! %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}], unreduced={"x"}>
//! ```
//!
//! What is annotated as complete, or not at all, is combined when it is made, or where it is read; or late, where nobody
//! can tell (module `deferred_reductions`).

use crate::prepared::{Prepared, Slot};
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::ops::reducer::neutral;
use meshwright_ir::program::{Function, InstView, Regions};
use meshwright_ir::sharding::{AxisRefAttr, Reduction};
use meshwright_plan::Shardings;
use meshwright_plan::attributes::{Annotation, Place, annotations};
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

/// One value of which an annotation says so; the mesh is not asked yet.
pub(crate) struct PartialAnnotation {
    place: Kept,
    axes: Vec<AxisRefAttr>,
    reduction: Reduction,
}

enum Kept {
    Slot(Slot),
    Result(usize),
}

/// Finds them.
pub(crate) fn partial_annotations(
    function: &Function,
    slot_of: &Table<ValueId, Slot>,
) -> Vec<PartialAnnotation> {
    let has_neutral = |ty: &Type, reduction| {
        ty.as_tensor().is_some_and(|tensor| neutral(reduction, tensor.element).is_some())
    };
    let found = annotations(function).into_iter().filter(|found| {
        !found.sharding.unreduced.is_empty() && has_neutral(found.ty, found.sharding.reduction)
    });
    let entry = |found: Annotation<'_>| PartialAnnotation {
        place: match found.place {
            Place::Value(value) => Kept::Slot(slot_of[value]),
            Place::Result(index) => Kept::Result(index),
        },
        axes: found.sharding.unreduced.clone(),
        reduction: found.sharding.reduction,
    };
    found.map(entry).collect()
}

/// Keeps contributions apart.
pub(crate) fn keep(function: &Function, prepared: &Prepared, mesh: &Mesh, shardings: &mut Shardings) {
    if prepared.partial.is_empty() {
        return;
    }
    let mut slots: BTreeMap<Slot, (Reduction, AxisSet)> = BTreeMap::new();
    for PartialAnnotation { place, axes, reduction } in &prepared.partial {
        let axes = mesh.resolve(axes);
        match place {
            Kept::Slot(slot) => {
                slots.insert(*slot, (*reduction, axes));
            }
            Kept::Result(index) => {
                let result = &mut shardings.results[*index];
                result.partial = free(*reduction, axes, result.sharded_axes());
            }
        }
    }
    for (value, slot) in prepared.slot_of.iter() {
        if let Some((reduction, axes)) = slots.get(slot) {
            let kept = &mut shardings.values[value];
            kept.partial = free(*reduction, *axes, kept.sharded_axes());
        }
    }
    on_the_way(function, prepared, &slots, shardings);
}

fn free(reduction: Reduction, axes: AxisSet, sharded: AxisSet) -> Option<(Reduction, AxisSet)> {
    let axes = axes.minus(sharded);
    (!axes.is_empty()).then_some((reduction, axes))
}

/// Keeps partial what only leads to partial values. Wishes go from readers to what they read, and are granted from
/// the first instruction to the last.
fn on_the_way(
    function: &Function,
    prepared: &Prepared,
    slots: &BTreeMap<Slot, (Reduction, AxisSet)>,
    shardings: &mut Shardings,
) {
    let wishes = wishes(function, prepared, slots, shardings);
    for inst in &prepared.order {
        let view = function.body.view(*inst);
        if let [result] = view.inst.results[..]
            && let Some(wish) = wishes.get(&result)
        {
            grant(&view, result, *wish, shardings);
        }
    }
}

/// As what their only readers would like to have values, since they would pass contributions on.
fn wishes(
    function: &Function,
    prepared: &Prepared,
    slots: &BTreeMap<Slot, (Reduction, AxisSet)>,
    shardings: &Shardings,
) -> BTreeMap<ValueId, (Reduction, AxisSet)> {
    let body = &function.body;
    let uses = body.uses();
    let mut wishes: BTreeMap<ValueId, (Reduction, AxisSet)> = BTreeMap::new();
    for inst in prepared.order.iter().rev() {
        let view = body.view(*inst);
        let [result] = view.inst.results[..] else { continue };
        let kept = shardings.values[result].partial;
        let Some((reduction, axes)) = kept.or(wishes.get(&result).copied()) else { continue };
        let linearity = view.inst.op.linearity(&view, reduction);
        let may_pass = if linearity.together.is_empty() { linearity.each } else { &linearity.together };
        for operand in may_pass.iter().filter_map(|index| view.inst.operands.get(*index)) {
            let is_free = !slots.contains_key(&prepared.slot_of[*operand]);
            if is_free && uses[*operand].len() == 1 && body.ty(*operand).as_tensor().is_some() {
                wishes.insert(*operand, (reduction, axes));
            }
        }
    }
    wishes
}

/// Keeps a result partial as far as its instruction leaves contributions or passes them on.
fn grant(view: &InstView<'_>, result: ValueId, wish: (Reduction, AxisSet), shardings: &mut Shardings) {
    let is_reducer = view.regions() == Regions::OfElements;
    if (view.inst.op.carries_values() || !view.inst.regions.is_empty()) && !is_reducer {
        return;
    }
    let (reduction, wanted) = wish;
    let rule = view.inst.op.rule(view);
    let made = match shardings.strategies[view.id].partial(&rule) {
        Some((own, axes)) if own == reduction => axes,
        Some(_) => return,
        None => AxisSet::EMPTY,
    };
    let wanted = free(reduction, wanted, shardings.values[result].sharded_axes());
    shardings.values[result].partial = wanted;
    // What is passed on depends on what is wanted.
    let passed = shardings.partial_reads(view, &rule).map_or(AxisSet::EMPTY, |passed| passed.axes);
    shardings.values[result].partial = wanted
        .and_then(|(reduction, axes)| free(reduction, axes.intersection(made.union(passed)), AxisSet::EMPTY));
}
