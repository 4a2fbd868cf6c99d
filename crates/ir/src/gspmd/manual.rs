//! Manual computations from the custom calls that stand for them.
//!
//! ```text
//! %1 = custom_call @Sharding(%a) {devices=[2,4]<=[8]}        %4 = sdy.manual_computation(%1)
//! %2 = custom_call @SPMDFullToShardShape(%1) {manual}             in_shardings=[<@mesh, [{"x"}, {"y"}]>] ... {
//! %3 = call @body(%2)                                    ->     %3 = call @body(%arg)
//! %4 = custom_call @SPMDShardToFullShape(%3) {...}              sdy.return %3
//!                                                             }
//! ```

use super::{ENTER, LEAVE, Reader, SHARDING, remove, unspecified_dims};
use crate::attribute::{Attr, Attributes};
use crate::ids::{InstId, RegionId, Table, ValueId};
use crate::op::Op;
use crate::ops::manual_boundary::{ManualBoundary, Way};
use crate::ops::return_::Return;
use crate::ops::sdy_manual_computation::ManualComputation;
use crate::program::{Body, Def, Region};
use crate::sharding::{MeshRef, Reduction, ShardingAttr};

/// A custom call to another kind of shape.
struct Boundary {
    id: InstId,
    operand: ValueId,
    result: ValueId,
    /// The sharding outside.
    sharding: ShardingAttr,
    manual_axes: Vec<String>,
}

/// Replaces all of them.
pub(super) fn computations(reader: &mut Reader, body: &mut Body) {
    let boundaries: Vec<(Way, Boundary)> =
        body.insts.ids().filter_map(|id| boundary(reader, body, id)).collect();
    if boundaries.is_empty() {
        return;
    }
    let (entries, exits): (Vec<_>, Vec<_>) = boundaries.iter().partition(|(way, _)| *way == Way::Enter);
    let mut replaced: Vec<InstId> = Vec::new();
    let calls: Vec<InstId> = body.insts.ids().filter(|id| body.insts[*id].op.is_call()).collect();
    let uses = body.uses();
    for call in calls {
        let of_operand =
            |operand: &ValueId| entries.iter().map(|(_, entry)| entry).find(|entry| entry.result == *operand);
        let takes: Option<Vec<&Boundary>> = body.insts[call].operands.iter().map(of_operand).collect();
        let Some(takes) = takes.filter(|takes| !takes.is_empty()) else { continue };
        let gives: Option<Vec<(usize, &Boundary)>> = exits_of(body, call, &exits, &uses);
        let Some(gives) = gives else { continue };
        replaced.extend(computation(body, call, &takes, &gives));
    }
    for (way, boundary) in &boundaries {
        if !replaced.contains(&boundary.id) {
            let (sharding, manual_axes) = (boundary.sharding.clone(), boundary.manual_axes.clone());
            let inst = &mut body.insts[boundary.id];
            inst.op = ManualBoundary { way: *way, sharding, manual_axes }.into();
            inst.attributes = Attributes::new();
        }
    }
    // What is unused now would still stand for whole values.
    let unused = |id: &InstId| {
        let boundary = boundaries.iter().any(|(_, boundary)| boundary.id == *id);
        boundary && replaced.contains(id)
    };
    let unused: Vec<InstId> = body.insts.ids().filter(unused).collect();
    remove(body, &unused);
}

fn boundary(reader: &mut Reader, body: &Body, id: InstId) -> Option<(Way, Boundary)> {
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
            (text.unwrap_or("{replicated}").to_owned(), open)
        }
        Def::Argument(..) => ("{replicated}".to_owned(), Vec::new()),
    };
    let (outside, inside) = if way == Way::Enter { (before, own) } else { (own, before) };
    let open = if way == Way::Enter { open } else { unspecified_dims(&call.attributes) };
    let manual_axes = reader.manual_axes(&inside, rank, inst.span);
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

/// The exits that results of a call lead to, directly or behind constraints inside. `None` if a result is used otherwise.
fn exits_of<'a>(
    body: &Body,
    call: InstId,
    exits: &[&'a (Way, Boundary)],
    uses: &Table<ValueId, Vec<(InstId, usize)>>,
) -> Option<Vec<(usize, &'a Boundary)>> {
    let mut found = Vec::new();
    for (index, result) in body.insts[call].results.iter().enumerate() {
        let mut open = vec![*result];
        while let Some(value) = open.pop() {
            for (user, _) in &uses[value] {
                if let Some((_, exit)) = exits.iter().find(|(_, exit)| exit.id == *user) {
                    found.push((index, exit));
                } else if let Op::CustomCall(call) = &body.insts[*user].op
                    && call.target == super::CONSTRAINT
                {
                    open.extend(&body.insts[*user].results);
                } else {
                    return None;
                }
            }
        }
    }
    Some(found)
}

/// Puts a call into a manual computation. Returns the boundaries that it replaces.
fn computation(
    body: &mut Body,
    call: InstId,
    takes: &[&Boundary],
    gives: &[(usize, &Boundary)],
) -> Vec<InstId> {
    let Some(region) = region_of(body, call) else { return Vec::new() };
    let inside = body.regions.push(Region::default());
    let mut args = Vec::with_capacity(takes.len());
    for entry in takes {
        let (ty, span) = (body.ty(entry.result).clone(), body.values[entry.result].span);
        args.push(body.add_arg(inside, ty, span));
    }
    let span = body.insts[call].span;
    let types = gives.iter().map(|(_, exit)| body.ty(exit.result).clone()).collect();
    let mut manual_axes: Vec<String> = Vec::new();
    for name in
        takes.iter().chain(gives.iter().map(|(_, exit)| exit)).flat_map(|boundary| &boundary.manual_axes)
    {
        if !manual_axes.contains(name) {
            manual_axes.push(name.clone());
        }
    }
    manual_axes.sort_unstable();
    let op = ManualComputation {
        in_shardings: takes.iter().map(|entry| entry.sharding.clone()).collect(),
        out_shardings: gives.iter().map(|(_, exit)| exit.sharding.clone()).collect(),
        manual_axes,
    };
    let operands = takes.iter().map(|entry| entry.operand).collect();
    let whole = body.append(region, op.into(), operands, vec![inside], types, span);
    // The computation stands where the call stood, and the call in it.
    let insts = &mut body.regions[region].insts;
    insts.pop();
    if let Some(at) = insts.iter().position(|inst| *inst == call) {
        insts[at] = whole;
    }
    body.regions[inside].insts.push(call);
    body.insts[call].operands = args;
    let returned = gives.iter().map(|(index, _)| body.insts[call].results[*index]).collect();
    body.append(inside, Return::Sdy.into(), returned, Vec::new(), Vec::new(), span);
    for (position, (_, exit)) in gives.iter().enumerate() {
        let result = body.insts[whole].results[position];
        body.values[result].span = body.values[exit.result].span;
        for inst in body.insts.values_mut() {
            inst.operands.iter_mut().filter(|value| **value == exit.result).for_each(|value| *value = result);
        }
    }
    // Constraints between the call and its exits have no readers any more.
    let results = body.insts[call].results.clone();
    let ends = takes.iter().map(|entry| entry.id).chain(gives.iter().map(|(_, exit)| exit.id));
    let replaced: Vec<InstId> = ends.collect();
    remove(body, &replaced);
    let idle: Vec<InstId> = body
        .insts
        .ids()
        .filter(|id| {
            let inst = &body.insts[*id];
            let is_constraint = matches!(&inst.op, Op::CustomCall(call) if call.target == super::CONSTRAINT);
            is_constraint && inst.operands.iter().any(|operand| results.contains(operand))
        })
        .collect();
    remove(body, &idle);
    replaced
}

fn region_of(body: &Body, id: InstId) -> Option<RegionId> {
    body.regions.ids().find(|region| body.regions[*region].insts.contains(&id))
}
