//! Which results are made from the gradient of which argument, told by the way in which gradients are computed.
//!
//! Input: a function with calls inlined. Output: [`Training`]. Where a weight `w` meets an activation `a` in a
//! contraction, reverse differentiation makes the gradient of `w` by another contraction that reads `a` again and sums
//! over the dims of `a` that the first one kept: `y = a w` keeps the batch of `a`, and `dw = a^T dy` sums over it. A
//! forward pass never does so, whatever its residual connections look like. A gather from a table and the scatter
//! into its gradient are such a pair too, with the indices for `a`.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::ShardingRule;
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;

use crate::dim_classes::{Class, DimClasses};
use crate::flow::{Marks, Sources, downstream, has_branches};
use crate::origins::{Origin, Origins};
use crate::roles::{contracted, is_lookup};

/// What shows that a function trains.
#[derive(Clone, Debug, Default)]
pub(super) struct Training {
    /// Arguments and results of equal types, the result being computed from the argument's gradient.
    pub(super) pairs: BTreeSet<(usize, usize)>,
    /// The contractions that make gradients.
    pub(super) contractions: BTreeSet<InstId>,
    /// Origins of the activations that they read.
    pub(super) activations: BTreeSet<Origin>,
    /// Classes of the dims that they sum over, or sums of what is broadcast (`spread`): batch, tokens, pixels.
    pub(super) summed: BTreeSet<Class>,
}

/// An operand of a contraction.
struct Operand {
    inst: InstId,
    value: ValueId,
    origin: Origin,
    /// Its dims that are in the results, and those that are not.
    kept: BTreeSet<Class>,
    summed: BTreeSet<Class>,
}

/// Looks for gradients.
pub(super) fn training(
    function: &Function,
    insts: &[InstId],
    rules: &Table<InstId, ShardingRule>,
    classes: &DimClasses,
    origins: &Origins,
    varies: &Table<ValueId, Marks>,
) -> Training {
    let body = &function.body;
    let is_contraction = |id: &&InstId| is_lookup(&rules[**id]) || !contracted(&rules[**id]).is_empty();
    let mut operands: BTreeMap<InstId, Vec<Operand>> = BTreeMap::new();
    for id in insts.iter().filter(is_contraction) {
        operands.insert(*id, operands_of(body, *id, &rules[*id], origins, varies));
    }
    // For each argument, what it meets: origins of activations and the dims of them that are kept.
    let mut of_origin: BTreeMap<Origin, Vec<usize>> = BTreeMap::new();
    for (index, value) in function.args().iter().enumerate() {
        of_origin.entry(origins.of(*value)).or_default().push(index);
    }
    let mut met: BTreeMap<usize, BTreeMap<Origin, BTreeSet<Class>>> = BTreeMap::new();
    for operands in operands.values() {
        for weight in operands {
            for other in operands.iter().filter(|other| other.origin != weight.origin) {
                for index in of_origin.get(&weight.origin).into_iter().flatten() {
                    met.entry(*index).or_default().entry(other.origin).or_default().extend(&other.kept);
                }
            }
        }
    }
    let frontiers = Frontiers::new(body, insts, operands.keys().copied());
    let mut reads: BTreeMap<Origin, Vec<&Operand>> = BTreeMap::new();
    for read in operands.values().flatten() {
        reads.entry(read.origin).or_default().push(read);
    }
    // Steps have thousands of both, of which few are of one type.
    let mut of_type: FxHashMap<&Type, Vec<usize>> = FxHashMap::default();
    for index in met.keys() {
        of_type.entry(body.ty(function.args()[*index])).or_default().push(*index);
    }
    let mut found = Training::default();
    for (result, value) in function.returned().iter().enumerate() {
        for index in of_type.get(&function.result_types[result]).into_iter().flatten().copied() {
            for (origin, kept) in &met[&index] {
                let of_origin = reads.get(origin).into_iter().flatten();
                let sums = of_origin.filter(|read| !kept.is_disjoint(&read.summed));
                for read in sums.filter(|read| frontiers.has(*value, read.inst)) {
                    found.pairs.insert((index, result));
                    found.contractions.insert(read.inst);
                    found.activations.insert(read.origin);
                }
            }
        }
    }
    // Where two trained weights meet, as those of an adapter that is added to a fixed one, each is the other's activation, and
    // what their gradients are summed over is none of data's.
    let mut fed = Table::filled(0, body.values.len());
    let is_trained = |index: usize| found.pairs.range((index, 0)..(index + 1, 0)).next().is_some();
    function.args().iter().enumerate().for_each(|(index, arg)| fed[*arg] = Marks::from(!is_trained(index)));
    let fed = downstream(body, fed);
    for id in &found.contractions {
        let rule = &rules[*id];
        let is_activation = |read: &&Operand| found.activations.contains(&read.origin);
        if operands[id].iter().filter(is_activation).any(|read| fed[read.value] == 0) {
            continue;
        }
        for read in operands[id].iter().filter(is_activation) {
            let position = body.insts[*id].operands.iter().position(|operand| *operand == read.value);
            for (dim, factors) in rule.operands[position.expect("one of them")].iter().enumerate() {
                if !factors.iter().any(|factor| rule.is_in_results(*factor)) {
                    found.summed.insert(classes.of(read.value, dim));
                }
            }
        }
    }
    found
}

fn operands_of(
    body: &Body,
    id: InstId,
    rule: &ShardingRule,
    origins: &Origins,
    varies: &Table<ValueId, Marks>,
) -> Vec<Operand> {
    let inst = &body.insts[id];
    let mut operands = Vec::new();
    for (value, dims) in inst.operands.iter().zip(&rule.operands).filter(|(value, _)| varies[**value] != 0) {
        let (mut kept, mut summed) = (BTreeSet::new(), BTreeSet::new());
        for (dim, factors) in dims.iter().enumerate() {
            let is_kept = factors.iter().any(|factor| rule.is_in_results(*factor));
            if is_kept { &mut kept } else { &mut summed }.insert(origins.dims.of(*value, dim));
        }
        operands.push(Operand { inst: id, value: *value, origin: origins.of(*value), kept, summed });
    }
    operands
}

/// The contractions that values are computed from without another contraction in between.
struct Frontiers<'a> {
    body: &'a Body,
    sources: Sources<'a>,
    /// Numbers of the contractions, in the order of instructions.
    number_of: BTreeMap<InstId, usize>,
    /// A bit per contraction for each value.
    sets: Table<ValueId, Vec<u64>>,
}

impl<'a> Frontiers<'a> {
    /// Passes over all instructions until nothing changes: one where nothing turns or branches; else one more, and one for each
    /// loop or branch around another.
    fn new(body: &'a Body, insts: &[InstId], contractions: impl Iterator<Item = InstId>) -> Self {
        let number_of: BTreeMap<InstId, usize> =
            contractions.enumerate().map(|(number, id)| (id, number)).collect();
        let empty = vec![0; number_of.len().div_ceil(64)];
        let sets = Table::filled(empty, body.values.len());
        let mut frontiers = Self { body, sources: Sources::new(body), number_of, sets };
        let turns = |id: &InstId| body.insts[*id].op.carries_values() || has_branches(body, *id);
        let has_turns = insts.iter().any(turns);
        let mut is_open = true;
        while is_open {
            let mut is_changed = false;
            for id in insts {
                is_changed |= frontiers.instruction(*id);
            }
            is_open = is_changed && has_turns;
        }
        frontiers
    }

    /// Whether anything changed for what an instruction makes, or hands to its regions.
    fn instruction(&mut self, id: InstId) -> bool {
        let body = self.body;
        let inst = &body.insts[id];
        let carried = inst.regions.iter().filter(|_| inst.op.carries_values());
        let args = carried.flat_map(|region| &body.regions[*region].args);
        let mut is_changed = false;
        for value in args.chain(&inst.results) {
            is_changed |= self.value(*value);
        }
        is_changed
    }

    fn value(&mut self, value: ValueId) -> bool {
        let (handed, body) = (self.sources.handed_over(value), self.body);
        let from = match (&handed, body.values[value].def) {
            (Some(handed), _) => handed,
            (None, Def::Result(id, _)) => match self.number_of.get(&id) {
                Some(number) => return add(&mut self.sets[value], number / 64, 1 << (number % 64)),
                None => &body.insts[id].operands,
            },
            (None, Def::Argument(..)) => return false,
        };
        let mut set = std::mem::take(&mut self.sets[value]);
        let mut changed = false;
        for source in from.iter().filter(|source| **source != value) {
            for (word, bits) in self.sets[*source].iter().enumerate() {
                changed |= add(&mut set, word, *bits);
            }
        }
        self.sets[value] = set;
        changed
    }

    /// Whether a value is computed from a contraction so.
    fn has(&self, value: ValueId, contraction: InstId) -> bool {
        let number = self.number_of[&contraction];
        self.sets[value][number / 64] >> (number % 64) & 1 == 1
    }
}

/// Adds bits to a word of a set; whether one is new.
fn add(set: &mut [u64], word: usize, bits: u64) -> bool {
    let before = set[word];
    set[word] |= bits;
    set[word] != before
}
