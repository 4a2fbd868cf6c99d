//! Parameters that are gathered once in a step stay so.
//!
//! A loop over microbatches may gather parameters before it, or in its forward pass and keep them for the backward pass. The
//! stages of a pipeline run no loop: each of their programs gathers what it reads, in every microbatch. Where a step was
//! sharded as if it were the loop, parameters are therefore kept as all of the loop reads them, and the update gathers what
//! it has made, once: ZeRO-1 instead of ZeRO-3, which takes the memory of a loop that gathers before it.

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
    let reads = reads(function, shardings);
    for argument in 0..function.args().len() {
        let own = function.args()[argument];
        let role = &roles.args[argument];
        let mut wanted = reads.iter().filter(|read| read.argument == argument).map(|read| &read.sharding);
        let Some(sharding) = wanted.next() else { continue };
        let is_free = role.role == Role::Parameter && !fixed.values.contains_key(&own);
        if !is_free || wanted.any(|other| other != sharding) || !is_larger(function, own, sharding, shardings)
        {
            continue;
        }
        if let Some(result) = role.result {
            if fixed.results.get(result).is_some_and(Option::is_some) {
                continue;
            }
            shardings.results[result] = sharding.clone();
        }
        shardings.values[own] = sharding.clone();
        for inside in reads.iter().filter(|read| read.argument == argument).flat_map(|read| &read.inside) {
            shardings.values[*inside] = sharding.clone();
        }
    }
}

/// How turns of a loop read an argument.
struct Read {
    argument: usize,
    sharding: Sharding,
    /// All that it is called in the loop and behind it, if that carries it as it is: they are sharded alike.
    inside: Vec<ValueId>,
}

/// All reads of arguments for the turns of loops: of those that loops carry and do not change, and by what stands in front
/// of loops, as it does what all turns would do alike.
fn reads(function: &Function, shardings: &Shardings) -> Vec<Read> {
    let body = &function.body;
    let mut found = Vec::new();
    let entry = &body.regions[body.entry()].insts;
    let is_loop =
        |inst: &InstId| body.insts[*inst].regions.len() == 2 && body.insts[*inst].op.carries_values();
    let Some(last) = entry.iter().rposition(is_loop) else { return found };
    for inst in &entry[..=last] {
        let view = body.view(*inst);
        if !is_loop(inst) {
            if !view.inst.regions.is_empty() {
                continue;
            }
            let rule = view.inst.op.rule(&view);
            for (index, operand) in view.inst.operands.iter().enumerate() {
                let Some(argument) = function.argument_index(*operand) else { continue };
                let sharding = shardings.strategies[*inst].operand_sharding(&rule, index, &shardings.mesh);
                found.push(Read { argument, sharding, inside: Vec::new() });
            }
            continue;
        }
        let turns = view.inst.regions[1];
        let Some(next) = body.terminator(turns) else { continue };
        let carried = body.regions[turns].args.iter().zip(&next.operands).zip(&view.inst.operands);
        for (index, ((inside, next), outside)) in carried.enumerate() {
            let Some(argument) = function.argument_index(*outside).filter(|_| inside == next) else {
                continue;
            };
            let kept = || shardings.values[*inside].clone();
            let sharding = read_as(function, *inside, shardings).unwrap_or_else(kept);
            let inside = view.inst.regions.iter().map(|region| body.regions[*region].args[index]);
            let inside = inside.chain([view.inst.results[index]]).collect();
            found.push(Read { argument, sharding, inside });
        }
    }
    found
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

/// Whether a device has more of a value in this sharding than it keeps now.
fn is_larger(function: &Function, value: ValueId, sharding: &Sharding, shardings: &Shardings) -> bool {
    let Some(tensor) = function.body.ty(value).as_tensor() else { return false };
    let bytes = |sharding: &Sharding| sharding.local_type(tensor, &shardings.mesh).num_bytes();
    sharding.partial.is_none() && bytes(sharding) > bytes(&shardings.values[value])
}
