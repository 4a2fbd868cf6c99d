//! Manual computations from the custom calls that stand for them.
//!
//! ```text
//! %1 = custom_call @Sharding(%a) {devices=[2,4]<=[8]}        %4 = sdy.manual_computation(%1)
//! %2 = custom_call @SPMDFullToShardShape(%1) {manual}             in_shardings=[<@mesh, [{"x"}, {"y"}]>] ... {
//! %3 = call @body(%2)                                    ->     %3 = call @body(%arg)
//! %4 = custom_call @SPMDShardToFullShape(%3) {...}              sdy.return %3
//!                                                             }
//! ```

use super::{ENTER, LEAVE, Reader, SHARDING, unspecified_dims};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::manual_boundary::{ManualBoundary, Way};
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::sdy_manual_computation::ManualComputation;
use meshwright_ir::program::{Body, Def, Region};
use meshwright_ir::sharding::{MeshRef, Reduction, ShardingAttr};
use std::collections::{BTreeMap, BTreeSet};

/// A custom call to another kind of shape.
struct Boundary {
    id: InstId,
    operand: ValueId,
    result: ValueId,
    /// The sharding outside.
    sharding: ShardingAttr,
    manual_axes: Vec<String>,
}

/// What becomes of a body whose calls between boundaries stand in manual computations.
#[derive(Default)]
struct Changes {
    /// The computation that stands where a call stood.
    computations: BTreeMap<InstId, InstId>,
    /// What is read instead of a value.
    values: BTreeMap<ValueId, ValueId>,
    /// What no region holds any more.
    removed: BTreeSet<InstId>,
}

/// Replaces all of them. `arguments` are the shardings of the function's arguments, as they are written.
pub(super) fn computations(reader: &mut Reader, body: &mut Body, arguments: &[Option<String>]) {
    let boundaries: Vec<(Way, Boundary)> =
        body.insts.ids().filter_map(|id| boundary(reader, body, arguments, id)).collect();
    if boundaries.is_empty() {
        return;
    }
    let mut entries: BTreeMap<ValueId, &Boundary> = BTreeMap::new();
    let mut exits: BTreeMap<InstId, &Boundary> = BTreeMap::new();
    for (way, boundary) in &boundaries {
        match way {
            Way::Enter => _ = entries.insert(boundary.result, boundary),
            Way::Leave => _ = exits.insert(boundary.id, boundary),
        }
    }
    let uses = body.uses();
    let mut calls: Vec<(RegionId, InstId)> = Vec::new();
    for (region, content) in body.regions.iter() {
        calls.extend(content.insts.iter().filter(|id| body.insts[**id].op.is_call()).map(|id| (region, *id)));
    }
    let regions: Vec<RegionId> = body.regions.ids().collect();
    let mut changes = Changes::default();
    for (region, call) in calls {
        let of_operand = |operand: &ValueId| entries.get(operand).copied();
        let takes: Option<Vec<&Boundary>> = body.insts[call].operands.iter().map(of_operand).collect();
        let Some(takes) = takes else { continue };
        let Some(gives) = exits_of(body, call, &exits, &uses) else { continue };
        if takes.is_empty() && gives.exits.is_empty() {
            continue;
        }
        computation(body, (region, call), &takes, &gives, &mut changes);
    }
    for (way, boundary) in &boundaries {
        let is_read = || {
            let mut users = uses[boundary.result].iter().map(|(user, _)| user);
            users.any(|user| !changes.computations.contains_key(user))
        };
        if *way == Way::Enter && !is_read() {
            // What is unused now would still stand for whole values.
            changes.removed.insert(boundary.id);
        }
        if !changes.removed.contains(&boundary.id) {
            let (sharding, manual_axes) = (boundary.sharding.clone(), boundary.manual_axes.clone());
            let inst = &mut body.insts[boundary.id];
            inst.op = ManualBoundary { way: *way, sharding, manual_axes }.into();
            inst.attributes = Attributes::new();
        }
    }
    for region in regions {
        let insts = &mut body.regions[region].insts;
        insts.retain(|inst| !changes.removed.contains(inst));
        insts.iter_mut().for_each(|inst| *inst = *changes.computations.get(inst).unwrap_or(inst));
    }
    for inst in body.insts.values_mut() {
        let operands = inst.operands.iter_mut();
        operands.for_each(|value| *value = *changes.values.get(value).unwrap_or(value));
    }
}

fn boundary(
    reader: &mut Reader,
    body: &Body,
    arguments: &[Option<String>],
    id: InstId,
) -> Option<(Way, Boundary)> {
    let inst = &body.insts[id];
    let Op::CustomCall(call) = &inst.op else { return None };
    let way = match call.target.as_str() {
        ENTER => Way::Enter,
        LEAVE => Way::Leave,
        _ => return None,
    };
    let ([operand], [result]) = (&inst.operands[..], &inst.results[..]) else { return None };
    let rank = body.ty(*result).as_tensor()?.rank();
    // Its own sharding is that of the result; that of the operand stands at what makes it.
    let own = inst.attributes.get(SHARDING).and_then(Attr::as_str).unwrap_or("{replicated}").to_owned();
    let (before, open) = match body.values[*operand].def {
        Def::Result(maker, _) => {
            let maker = &body.insts[maker];
            let open = match &maker.op {
                Op::CustomCall(call) => unspecified_dims(&call.attributes),
                _ => Vec::new(),
            };
            let text = maker.attributes.get(SHARDING).and_then(Attr::as_str);
            let text =
                text.or_else(|| (way == Way::Leave && is_inside(body, *operand)).then_some("{manual}"));
            (text.unwrap_or("{replicated}").to_owned(), open)
        }
        Def::Argument(region, index) if region == body.entry() => {
            let text = arguments.get(index).and_then(Option::as_deref);
            (text.unwrap_or("{replicated}").to_owned(), Vec::new())
        }
        Def::Argument(..) => ("{replicated}".to_owned(), Vec::new()),
    };
    let (outside, inside) = if way == Way::Enter { (before, own) } else { (own, before) };
    let open = if way == Way::Enter { open } else { unspecified_dims(&call.attributes) };
    // What is manual outside is bound by a computation around this one.
    let bound = reader.manual_axes(&outside, rank, inst.span);
    let mut manual_axes = reader.manual_axes(&inside, rank, inst.span);
    manual_axes.retain(|axis| !bound.contains(axis));
    let nothing = ShardingAttr {
        mesh: MeshRef::Symbol("mesh".into()),
        dims: vec![Default::default(); rank],
        replicated: Vec::new(),
        unreduced: Vec::new(),
        reduction: Reduction::Sum,
    };
    let sharding = reader.sharding(&outside, 0, rank, &open, inst.span).unwrap_or(nothing);
    Some((way, Boundary { id, operand: *operand, result: *result, sharding, manual_axes }))
}

/// Whether a value is made, by instructions that say nothing of their shardings, of what is manual along all axes.
fn is_inside(body: &Body, value: ValueId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let Def::Result(maker, _) = body.values[value].def else { continue };
        let inst = &body.insts[maker];
        match inst.attributes.get(SHARDING).and_then(Attr::as_str) {
            Some("{manual}") => return true,
            None if seen.insert(maker) => open.extend(&inst.operands),
            _ => {}
        }
    }
    false
}

/// What the results of a call lead to.
struct Gives<'a> {
    /// The exits, each with the number of the result.
    exits: Vec<(usize, &'a Boundary)>,
    /// The constraints between the call and them.
    constraints: Vec<InstId>,
}

/// The exits that results of a call lead to, directly or behind constraints inside. `None` if a result is used
/// otherwise.
fn exits_of<'a>(
    body: &Body,
    call: InstId,
    exits: &BTreeMap<InstId, &'a Boundary>,
    uses: &Table<ValueId, Vec<(InstId, usize)>>,
) -> Option<Gives<'a>> {
    let mut found = Gives { exits: Vec::new(), constraints: Vec::new() };
    for (index, result) in body.insts[call].results.iter().enumerate() {
        let mut open = vec![*result];
        while let Some(value) = open.pop() {
            for (user, _) in &uses[value] {
                if let Some(exit) = exits.get(user) {
                    found.exits.push((index, exit));
                } else if let Op::CustomCall(call) = &body.insts[*user].op
                    && call.target == super::CONSTRAINT
                {
                    found.constraints.push(*user);
                    open.extend(&body.insts[*user].results);
                } else {
                    return None;
                }
            }
        }
    }
    Some(found)
}

/// Puts a call of a region into a manual computation.
fn computation(
    body: &mut Body,
    (region, call): (RegionId, InstId),
    takes: &[&Boundary],
    gives: &Gives<'_>,
    changes: &mut Changes,
) {
    let inside = body.regions.push(Region::default());
    let mut args = Vec::with_capacity(takes.len());
    for entry in takes {
        let (ty, span) = (body.ty(entry.result).clone(), body.values[entry.result].span);
        args.push(body.add_arg(inside, ty, span));
    }
    let exits = || gives.exits.iter().map(|(_, exit)| *exit);
    let types = exits().map(|exit| body.ty(exit.result).clone()).collect();
    let manual_axes = takes.iter().copied().chain(exits()).flat_map(|boundary| boundary.manual_axes.clone());
    let manual_axes: BTreeSet<String> = manual_axes.collect();
    let op = ManualComputation {
        in_shardings: takes.iter().map(|entry| entry.sharding.clone()).collect(),
        out_shardings: exits().map(|exit| exit.sharding.clone()).collect(),
        manual_axes: manual_axes.into_iter().collect(),
    };
    let operands: Vec<ValueId> = takes.iter().map(|entry| entry.operand).collect();
    // It stands where the call stood, and the call in it.
    let results = BodyBuilder::standing_for(body, call, region).emit_all(op, &operands, vec![inside], types);
    changes.computations.extend(body.regions[region].insts.pop().map(|whole| (call, whole)));
    body.regions[inside].insts.push(call);
    body.insts[call].operands = args;
    let returned: Vec<ValueId> =
        gives.exits.iter().map(|(index, _)| body.insts[call].results[*index]).collect();
    BodyBuilder::standing_for(body, call, inside).add_all(Return::Sdy, &returned, Vec::new());
    for (result, exit) in results.into_iter().zip(exits()) {
        body.values[result].span = body.values[exit.result].span;
        changes.values.insert(exit.result, result);
        changes.removed.insert(exit.id);
    }
    changes.removed.extend(&gives.constraints);
}
