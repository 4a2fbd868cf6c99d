//! How a loop is given the values of which it reads another part in each turn.
//!
//! Input: the slots' shardings and the strategies chosen for them. Output: better shardings of values that a loop carries
//! and does not change. A part of a sharded dim at a place known at run time is a sum over the devices that share the
//! dim, in every turn; where the turns together send more than bringing the whole value to another sharding does,
//! that is done once, before the loop.
//!
//! Example: `scan` over a dim that `seq` shards reads one position per turn. Summed in every turn, each element is sent
//! twice; gathered before the loop, once.

use crate::axes::AxisList;
use crate::prepared::{Prepared, Slot};
use crate::price::{Pricer, Prices};
use crate::strategies::{Chosen, induced, split_factors, tensor_factors};
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::{Function, Regions};
use meshwright_ir::rule::{FactorKind, ShardingRule};
use std::collections::BTreeMap;

/// A value that a loop carries and does not change.
struct Carried {
    slot: Slot,
    /// What enters the loop.
    entering: Slot,
    /// How often the loop runs.
    times: f64,
}

/// Who reads a carried value.
enum Reader {
    /// An instruction, by its position in the order, as this operand.
    Inst(usize, usize),
    /// A loop in the loop, which carries it in this slot.
    Loop(Slot),
}

/// A reader and how often it reads.
type Read = (Reader, f64);

/// Improves `layout` in place. Returns whether anything changed.
pub(crate) fn bring_before_loops(
    function: &Function,
    prepared: &Prepared,
    is_seed: &[bool],
    chosen: &Chosen,
    layout: &mut [AxisList],
    pricer: &Pricer<'_>,
) -> bool {
    let carried = carried(function, prepared, is_seed);
    let mut reads: BTreeMap<Slot, Vec<Read>> =
        carried.iter().map(|carried| (carried.slot, Vec::new())).collect();
    if reads.is_empty() {
        return false;
    }
    for (position, region) in prepared.region_of.iter().enumerate() {
        let num_operands = prepared.whole_rules[prepared.rule_of[position]].operands.len();
        for (operand, slot) in prepared.inst_slots(position).iter().enumerate().take(num_operands) {
            if let Some(reads) = reads.get_mut(slot) {
                reads.push((Reader::Inst(position, operand), prepared.runs[*region] as f64));
            }
        }
    }
    for carried in &carried {
        if let Some(reads) = reads.get_mut(&carried.entering) {
            reads.push((Reader::Loop(carried.slot), carried.times));
        }
    }
    // Bytes decide: how often a small message is sent is left to the passes that combine them.
    let prices = Prices { collective: 0.0, ..*pricer.prices };
    let pricer = &Pricer::new(pricer.mesh, &prices);
    let mut changed = false;
    // Inner loops first: what they want is what they read in the loops around them.
    for carried in carried.iter().rev() {
        let best = Loops { prepared, chosen, layout, pricer }.best(carried, &reads[&carried.slot]);
        if let Some(best) = best {
            layout[prepared.dims_of[carried.slot].clone()].copy_from_slice(&best);
            changed = true;
        }
    }
    changed
}

fn carried(function: &Function, prepared: &Prepared, is_seed: &[bool]) -> Vec<Carried> {
    let body = &function.body;
    let slot = |value: &ValueId| prepared.slot_of[*value];
    let mut all = Vec::new();
    for (inst, region) in prepared.order.iter().zip(&prepared.region_of) {
        let view = body.view(*inst);
        let (Regions::Loop, [_, step]) = (view.regions(), view.inst.regions.as_slice()) else { continue };
        let returned = body.terminator(*step).map_or(&[][..], |end| &end.operands);
        let args = &body.regions[*step].args;
        for ((arg, returned), entering) in args.iter().zip(returned).zip(&view.inst.operands) {
            let carried =
                Carried { slot: slot(arg), entering: slot(entering), times: prepared.runs[*region] as f64 };
            if arg == returned && !is_seed[carried.slot] && !prepared.kept[carried.slot] {
                all.push(carried);
            }
        }
    }
    all
}

/// Whether positions along a factor are chosen at run time, and the results are partial if it is sharded.
fn is_moving(rule: &ShardingRule, factor: usize) -> bool {
    matches!(rule.factors[factor].kind, FactorKind::Indexed | FactorKind::Sliced)
        && !rule.is_in_results(factor)
}

struct Loops<'a> {
    prepared: &'a Prepared,
    chosen: &'a Chosen,
    layout: &'a [AxisList],
    pricer: &'a Pricer<'a>,
}

impl Loops<'_> {
    fn dims(&self, slot: Slot) -> &[AxisList] {
        &self.layout[self.prepared.dims_of[slot].clone()]
    }

    /// A sharding of a carried value for which less is sent than for the one it has; `None` if there is none.
    fn best(&self, carried: &Carried, reads: &[Read]) -> Option<Vec<AxisList>> {
        let kept = self.dims(carried.slot);
        let is_part = |(reader, _): &Read| match reader {
            Reader::Inst(position, operand) => self.moving_axes(*position, *operand),
            Reader::Loop(slot) => self.dims(*slot) != kept,
        };
        if kept.iter().all(|axes| axes.is_empty()) || !reads.iter().any(is_part) {
            return None;
        }
        let mut best = (self.cost(carried, reads, kept)?, None);
        let candidates = reads.iter().flat_map(|(reader, _)| match reader {
            Reader::Inst(position, operand) => self.candidates(*position, *operand),
            Reader::Loop(slot) => vec![self.dims(*slot).to_vec()],
        });
        for candidate in candidates {
            if let Some(cost) = self.cost(carried, reads, &candidate)
                && cost < best.0
            {
                best = (cost, Some(candidate));
            }
        }
        best.1
    }

    fn rule(&self, position: usize) -> &ShardingRule {
        &self.prepared.whole_rules[self.prepared.rule_of[position]]
    }

    /// Whether an instruction reads a part of a dim that is sharded now.
    fn moving_axes(&self, position: usize, operand: usize) -> bool {
        let (rule, axes) = (self.rule(position), self.chosen.of(position));
        let mut factors = rule.operands[operand].iter().flatten();
        factors.any(|factor| is_moving(rule, *factor) && !axes[*factor].is_empty())
    }

    /// Shardings of an operand in which the parts that an instruction reads are there: as its result is kept, and as the
    /// operand is now with those dims whole.
    fn candidates(&self, position: usize, operand: usize) -> Vec<Vec<AxisList>> {
        let rule = self.rule(position);
        let [result] = &self.prepared.inst_slots(position)[rule.operands.len()..] else { return Vec::new() };
        let slot = self.prepared.inst_slots(position)[operand];
        let of = |slot: Slot, factors: &[Vec<usize>]| {
            let mut axes = self.dealt(rule, self.dims(slot), factors)?;
            (0..axes.len()).filter(|factor| is_moving(rule, *factor)).for_each(|factor| {
                axes[factor] = AxisList::new();
            });
            induced(rule, &rule.operands[operand], &axes, self.pricer.mesh)
        };
        let as_result = of(*result, &rule.results[0]);
        let as_it_is = of(slot, &rule.operands[operand]);
        as_result.into_iter().chain(as_it_is).collect()
    }

    /// The axes of each factor if a tensor is sharded so; `None` if some axes belong to no factor.
    fn dealt(&self, rule: &ShardingRule, dims: &[AxisList], factors: &[Vec<usize>]) -> Option<Vec<AxisList>> {
        let mut axes = vec![AxisList::new(); rule.factors.len()];
        let mut dims = dims.iter().zip(factors);
        dims.all(|(list, own)| split_factors(list, own, rule, self.pricer.mesh, &mut axes)).then_some(axes)
    }

    /// Seconds of bringing a carried value to this sharding and of all its reads. `None` if some reader cannot take it so.
    fn cost(&self, carried: &Carried, reads: &[Read], dims: &[AxisList]) -> Option<f64> {
        let mut seconds = carried.times * self.reshard(carried.slot, self.dims(carried.entering), dims);
        for (reader, times) in reads {
            seconds += times
                * match reader {
                    Reader::Inst(position, operand) => self.read(*position, *operand, dims)?,
                    Reader::Loop(slot) => self.reshard(*slot, dims, self.dims(*slot)),
                };
        }
        Some(seconds)
    }

    fn reshard(&self, slot: Slot, from: &[AxisList], to: &[AxisList]) -> f64 {
        let (shape, bytes) = (self.prepared.shape(slot), self.prepared.bytes[slot]);
        self.pricer.reshard(shape, bytes, from, AxisSet::EMPTY, to)
    }

    /// Seconds of what one read sends if the operand is sharded so.
    fn read(&self, position: usize, operand: usize, dims: &[AxisList]) -> Option<f64> {
        let (rule, slots) = (self.rule(position), self.prepared.inst_slots(position));
        let own = &rule.operands[operand];
        let mut axes = self.chosen.of(position).to_vec();
        let [result] = &slots[rule.operands.len()..] else {
            let wanted = induced(rule, own, &axes, self.pricer.mesh)?;
            return Some(self.reshard(slots[operand], dims, &wanted));
        };
        if !own.iter().flatten().any(|factor| is_moving(rule, *factor)) {
            let wanted = induced(rule, own, &axes, self.pricer.mesh)?;
            return Some(self.reshard(slots[operand], dims, &wanted));
        }
        let dealt = self.dealt(rule, dims, own)?;
        own.iter().flatten().for_each(|factor| axes[*factor] = dealt[*factor]);
        let mut used = AxisSet::EMPTY;
        if !axes.iter().flat_map(|list| list.iter()).all(|axis| used.insert(*axis)) {
            return None;
        }
        let made = induced(rule, tensor_factors(rule, rule.operands.len()), &axes, self.pricer.mesh)?;
        let moving = (0..axes.len()).filter(|factor| is_moving(rule, *factor));
        let partial = moving.fold(AxisSet::EMPTY, |set, factor| set.union(axes[factor].set()));
        let (shape, bytes) = (self.prepared.shape(*result), self.prepared.bytes[*result]);
        Some(self.pricer.reshard(shape, bytes, &made, partial, self.dims(*result)))
    }
}
