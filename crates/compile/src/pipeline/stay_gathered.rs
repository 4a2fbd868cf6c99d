//! Parameters that are gathered once in a step stay so.
//!
//! A loop over microbatches may gather parameters before it, or in its forward pass and keep them for the backward pass. The
//! stages of a pipeline run no loop: each of their programs gathers what it reads, in every microbatch. Where a step was
//! sharded as if it were the loop, parameters are therefore kept as all of the loop reads them, and the update gathers what
//! it has made, once: ZeRO-1 instead of ZeRO-3, in the memory that the loop would have taken.

use meshwright_analyze::{Role, Roles};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Function};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::{Decisions, Policy, Shardings, Use};

/// Keeps every parameter as the loops that read it have it, but for those that are `fixed`.
pub(super) fn stay_gathered(
    function: &Function,
    roles: &Roles,
    fixed: &Decisions,
    shardings: &mut Shardings,
) {
    for (argument, inside) in read_in_turns(function) {
        let own = function.args()[argument];
        let role = &roles.args[argument];
        let kept = || shardings.values[inside].clone();
        let sharding = read_as(function, inside, shardings).unwrap_or_else(kept);
        let is_free = role.role == Role::Parameter && !fixed.values.contains_key(&own);
        if !is_free || !is_larger(function, own, &sharding, shardings) {
            continue;
        }
        if let Some(result) = role.result {
            if fixed.results.get(result).is_some_and(Option::is_some) {
                continue;
            }
            shardings.results[result] = sharding.clone();
        }
        shardings.values[inside] = sharding.clone();
        shardings.values[own] = sharding;
    }
}

/// The sharding in which all of a loop's body reads what it carries, if that is one and is kept once it is made.
fn read_as(function: &Function, inside: ValueId, shardings: &Shardings) -> Option<Sharding> {
    let body = &function.body;
    let uses = body.uses();
    let mut wanted =
        uses[inside].iter().filter(|(reader, _)| !is_return(body, *reader)).map(|(reader, index)| {
            let view = body.view(*reader);
            let is_plain = view.inst.regions.is_empty() && !view.inst.op.carries_values();
            let is_kept = shardings.policies.of(Use { reader: *reader, value: inside }) == Policy::Keep;
            let rule = view.inst.op.rule(&view);
            (is_plain && is_kept)
                .then(|| shardings.strategies[*reader].operand_sharding(&rule, *index, &shardings.mesh))
        });
    let first = wanted.next()??;
    wanted.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

fn is_return(body: &Body, inst: InstId) -> bool {
    matches!(body.insts[inst].op, Op::Return(_))
}

/// Arguments that loops carry and do not change, each with what it is called in the body.
fn read_in_turns(function: &Function) -> Vec<(usize, ValueId)> {
    let body = &function.body;
    let mut found = Vec::new();
    for inst in &body.regions[body.entry()].insts {
        let inst = &body.insts[*inst];
        let [_, turns] = inst.regions[..] else { continue };
        let Some(last) = body.terminator(turns).filter(|_| inst.op.carries_values()) else { continue };
        let carried = body.regions[turns].args.iter().zip(&last.operands).zip(&inst.operands);
        let unchanged = carried.filter(|((inside, next), _)| inside == next);
        found.extend(
            unchanged
                .filter_map(|((inside, _), outside)| Some((function.argument_index(*outside)?, *inside))),
        );
    }
    found
}

/// Whether a device has more of a value in this sharding than it keeps now.
fn is_larger(function: &Function, value: ValueId, sharding: &Sharding, shardings: &Shardings) -> bool {
    let Some(tensor) = function.body.ty(value).as_tensor() else { return false };
    let bytes = |sharding: &Sharding| sharding.local_type(tensor, &shardings.mesh).num_bytes();
    sharding.partial.is_none() && bytes(sharding) > bytes(&shardings.values[value])
}
