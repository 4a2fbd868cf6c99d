//! How a phase of a stage hands over what a later phase of the same stage reads.
//!
//! A value may be read in another sharding than it is kept in, as an activation that is kept sharded along the tokens and
//! gathered in front of a product. In one program the backward pass reads the copy that the forward pass has made, and so do
//! both of its gradients. Programs of phases hand over one copy of a value: here that one which both phases read, so that
//! nothing is gathered twice, in more memory for each microbatch in flight.

use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Regions;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::{Policy, Shardings, Use};
use meshwright_stage::{Part, Staged, Step};
use std::collections::BTreeMap;

/// Shardings in which values are handed from a phase to a later one of their stage, where these are not the ones in which
/// they are kept otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Handed(BTreeMap<ValueId, Handover>);

#[derive(Clone, Debug)]
struct Handover {
    stage: usize,
    sharding: Sharding,
}

impl Handed {
    /// The copies that several phases of a stage read; `whole` is how the group of a stage shards the step.
    pub(super) fn of<'s>(step: &Step<'_>, staged: &Staged, whole: &dyn Fn(usize) -> &'s Shardings) -> Self {
        let mut handed = BTreeMap::new();
        for (at, inst) in step.inside.iter().enumerate() {
            let Some(place) = staged.stage[at].zip(staged.part[at]) else { continue };
            let stage = place.0;
            for value in &step.body().insts[*inst].results {
                if let Some(sharding) = read_by_both(step, staged, whole(stage), place, *value) {
                    handed.insert(*value, Handover { stage, sharding });
                }
            }
        }
        Self(handed)
    }

    /// The sharding in which a value is handed over, if not in its own.
    pub(super) fn sharding(&self, value: ValueId) -> Option<&Sharding> {
        self.0.get(&value).map(|handover| &handover.sharding)
    }

    /// Returns whether a stage hands over values otherwise than it keeps them.
    pub(super) fn is_of(&self, stage: usize) -> bool {
        self.0.values().any(|handover| handover.stage == stage)
    }

    /// Has these stages keep their values in their own shardings. Returns whether that is a change.
    pub(super) fn drop_stages(&mut self, is_dropped: impl Fn(usize) -> bool) -> bool {
        let before = self.0.len();
        self.0.retain(|_, handover| !is_dropped(handover.stage));
        self.0.len() < before
    }
}

/// The sharding in which the phase that makes a value and a later one of the same stage read it, if no other stage does and
/// it takes more memory than its own.
fn read_by_both(
    step: &Step<'_>,
    staged: &Staged,
    whole: &Shardings,
    (stage, part): (usize, Part),
    value: ValueId,
) -> Option<Sharding> {
    let tensor = step.body().ty(value).as_tensor()?;
    let own = &whole.values[value];
    let mut now = Vec::new();
    let mut later = Vec::new();
    for at in step.readers(value) {
        if staged.stage[*at] != Some(stage) {
            return None;
        }
        let wanted = read_as(step, whole, *at, value)?;
        match staged.part[*at] == Some(part) {
            true => now.extend(wanted),
            false => later.extend(wanted),
        }
    }
    let bytes = |sharding: &Sharding| sharding.local_type(tensor, &whole.mesh).num_bytes();
    let is_shared = |sharding: &&Sharding| {
        let is_gathered = own.partial.is_none() && bytes(sharding) > bytes(own);
        is_gathered && later.contains(*sharding)
    };
    now.iter().find(is_shared).cloned()
}

/// The shardings in which an instruction reads a value; none for one that does not say.
fn read_as(step: &Step<'_>, whole: &Shardings, at: usize, value: ValueId) -> Option<Vec<Sharding>> {
    let inst = step.inside[at];
    let view = step.body().view(inst);
    if view.inst.op.carries_values() || !view.inst.regions.is_empty() && view.regions() != Regions::OfElements
    {
        return None;
    }
    if whole.policies.of(Use { reader: inst, value }) != Policy::Keep {
        return None;
    }
    let rule = view.inst.op.rule(&view);
    let operands = view.inst.operands.iter().enumerate().filter(|(_, operand)| **operand == value);
    let strategy = &whole.strategies[inst];
    Some(operands.map(|(index, _)| strategy.operand_sharding(&rule, index, &whole.mesh)).collect())
}
