//! What a loop over layers makes of parameters alone.

use super::Known;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::loops::{Access, Way, scan};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::program::{Body, Def, InstView, Regions};
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::{BTreeMap, BTreeSet};

/// A loop over layers, and what of its body is made ahead of it.
pub(super) struct Layers<'a> {
    pub(super) view: InstView<'a>,
    /// How often its body runs.
    pub(super) count: usize,
    /// The values of its body that are made ahead.
    pub(super) found: BTreeMap<ValueId, MadeAhead>,
    /// The values of its body that turns make of the counter, and of what stays and follows from no data.
    pub(super) alone: BTreeSet<ValueId>,
    /// The instructions that read a layer of parameters, with the stack of all as it is in front of the loop.
    pub(super) slices: BTreeMap<InstId, ValueId>,
}

/// How a value is made ahead.
pub(super) enum MadeAhead {
    /// A stack is converted as a whole; what layers of it go through, in order: the first takes one of the stack, the last
    /// converts it.
    Converted { chain: Vec<InstId> },
    /// By a loop of these instructions of the body, in order, which puts it into a stack; `at` is the layer in this body.
    Stacked { insts: Vec<InstId>, at: ValueId },
}

impl<'a> Layers<'a> {
    /// Those of a loop; none if there is nothing to make ahead, or its turns are not counted.
    pub(super) fn of(view: InstView<'a>, known: Known<'_>) -> Option<Self> {
        let scan = scan(view)?;
        let is_read = |access: &&Access| {
            let is_layer = access.way == Way::Read && (access.dim, access.size) == (0, 1);
            let stack = scan.before(&view, access);
            is_layer
                && goes_through(access, scan.counter.trip_count, view.body.tensor(stack))
                && (known.is_of_parameters)(stack)
                && !(known.is_of_data)(stack)
                && access.carried.is_none_or(|index| view.returned(1)[index] == view.region(1).args[index])
        };
        let accesses: BTreeMap<InstId, Access> =
            scan.accesses.iter().filter(is_read).map(|access| (access.inst, *access)).collect();
        let alone = alone(&view, scan.counter.index, known);
        let mut search = Search {
            body: view.body,
            accesses: &accesses,
            alone: &alone,
            found: BTreeMap::new(),
            seen: BTreeSet::new(),
        };
        for inst in &view.region(1).insts {
            let inner = view.body.view(*inst);
            let is_alone = inner.inst.results.iter().all(|result| alone.contains(result));
            if !is_alone || inner.inst.results.is_empty() {
                let reads = inner.inst.operands.iter().copied().chain(inner.captured());
                reads.for_each(|value| search.value(value));
            }
        }
        let found = search.found;
        let slices = accesses.values().map(|access| (access.inst, scan.before(&view, access))).collect();
        let count = usize::try_from(scan.counter.trip_count).ok()?;
        (!found.is_empty()).then_some(Self { view, count, found, alone, slices })
    }
}

/// Whether turns read each layer of a stack once.
fn goes_through(access: &Access, turns: u64, stack: &TensorType) -> bool {
    let last = i64::try_from(turns).unwrap_or(i64::MAX) - 1;
    let ends = (access.at.at(0), access.at.at(turns.saturating_sub(1)));
    stack.shape.first().is_some_and(|size| *size as i64 == last + 1)
        && access.at.factor.abs() == 1
        && (ends == (0, last) || ends == (last, 0))
}

/// Values of a loop's body that its turns make of its counter and of what stays the same and follows from no data.
fn alone(view: &InstView<'_>, counter: usize, known: Known<'_>) -> BTreeSet<ValueId> {
    let body = view.body;
    let (region, args) = (view.inst.regions[1], &view.region(1).args);
    let stays = |index: usize| {
        view.returned(1)[index] == args[index] && !(known.is_of_data)(view.inst.operands[index])
    };
    let mut alone: BTreeSet<ValueId> =
        (0..args.len()).filter(|index| *index == counter || stays(*index)).map(|index| args[index]).collect();
    let insts: BTreeSet<InstId> = view.region(1).insts.iter().copied().collect();
    for inst in &view.region(1).insts {
        let inner = body.view(*inst);
        let is_there = |value: &ValueId| match body.values[*value].def {
            Def::Argument(owner, _) if owner == region => alone.contains(value),
            Def::Result(maker, _) if insts.contains(&maker) => alone.contains(value),
            _ => !(known.is_of_data)(*value),
        };
        let is_alone = body.effect_in(*inst).is_none()
            && inner.regions() == Regions::OfElements
            && inner.inst.operands.iter().chain(&inner.captured()).all(is_there);
        if inner.inst.op.traits().data_flow == DataFlow::Identity {
            let operands = inner.inst.operands.iter().zip(&inner.inst.results);
            let own: Vec<ValueId> =
                operands.filter(|(operand, _)| is_there(operand)).map(|(_, result)| *result).collect();
            alone.extend(own);
        } else if is_alone {
            alone.extend(&inner.inst.results);
        }
    }
    alone
}

struct Search<'a> {
    body: &'a Body,
    /// The instructions that read a layer of parameters.
    accesses: &'a BTreeMap<InstId, Access>,
    alone: &'a BTreeSet<ValueId>,
    found: BTreeMap<ValueId, MadeAhead>,
    seen: BTreeSet<ValueId>,
}

impl Search<'_> {
    /// Deals with a value that is read by what is not alone, or what moves or widens it.
    fn value(&mut self, value: ValueId) {
        let Def::Result(inst, index) = self.body.values[value].def else { return };
        if !self.alone.contains(&value) || !self.seen.insert(value) {
            return;
        }
        let content = &self.body.insts[inst];
        if content.op.traits().data_flow == DataFlow::Identity {
            return self.value(content.operands[index]);
        }
        if content.results.len() == 1
            && !only_moves(&self.body.view(inst))
            && let Some(made) = self.worth_it(value)
        {
            self.found.insert(value, made);
            return;
        }
        content.operands.iter().for_each(|operand| self.value(*operand));
    }

    /// How a value is made ahead, if it takes fewer bytes than the matrices that it is made of, and nothing is said of how what
    /// leads to it is sharded.
    fn worth_it(&self, value: ValueId) -> Option<MadeAhead> {
        let mut closure = Closure { insts: BTreeSet::new(), slices: BTreeSet::new() };
        self.close(value, &mut closure)?;
        let Closure { insts, slices } = closure;
        let parts = || slices.iter().map(|inst| self.body.tensor(self.body.insts[*inst].results[0]));
        let bytes: usize = parts().map(TensorType::num_bytes).sum();
        let has_matrix = parts().any(|ty| ty.shape.iter().filter(|size| **size > 1).count() > 1);
        let is_annotated = |inst: &InstId| self.body.insts[*inst].attributes.get("sdy.sharding").is_some();
        let says_sharding = insts.iter().chain(&slices).any(is_annotated);
        if !has_matrix || says_sharding || self.body.tensor(value).num_bytes() >= bytes {
            return None;
        }
        if let Some(chain) = self.chain(value) {
            return Some(MadeAhead::Converted { chain });
        }
        let mut starts = slices.iter().map(|inst| self.body.insts[*inst].operands[1]);
        let at = starts.next()?;
        let is_number = |value: ValueId| self.body.tensor(value).element == ElementType::I32;
        let mut ways = slices.iter().map(|inst| self.accesses[inst].at);
        let first = ways.next()?;
        (is_number(at) && ways.all(|way| way == first))
            .then(|| MadeAhead::Stacked { insts: insts.into_iter().collect(), at })
    }

    /// Gathers what a value is made of, down to the layers of parameters; none if the number of the turn is in it.
    fn close(&self, value: ValueId, closure: &mut Closure) -> Option<()> {
        match self.body.values[value].def {
            Def::Argument(..) if self.alone.contains(&value) => None,
            Def::Result(inst, index) if self.alone.contains(&value) => {
                let view = self.body.view(inst);
                if self.accesses.contains_key(&inst) {
                    closure.slices.insert(inst);
                    return Some(());
                }
                if view.inst.op.traits().data_flow == DataFlow::Identity {
                    return self.close(view.inst.operands[index], closure);
                }
                if closure.insts.insert(inst) {
                    let reads = view.inst.operands.iter().copied().chain(view.captured());
                    for read in reads {
                        self.close(read, closure)?;
                    }
                }
                Some(())
            }
            // It is around the loop.
            _ => Some(()),
        }
    }

    /// The instructions that a layer of a stack goes through, if they but change its shape before the last, which converts it.
    fn chain(&self, value: ValueId) -> Option<Vec<InstId>> {
        let mut chain = Vec::new();
        let mut at = value;
        loop {
            let Def::Result(inst, index) = self.body.values[at].def else { return None };
            let content = &self.body.insts[inst];
            if content.op.traits().data_flow == DataFlow::Identity {
                at = content.operands[index];
                continue;
            }
            let is_last = chain.is_empty();
            chain.push(inst);
            match content.op {
                Op::Convert(_) if is_last => {}
                Op::Reshape(_) | Op::Transpose(_) if !is_last => {}
                Op::DynamicSlice(_) if self.accesses.contains_key(&inst) => break,
                _ => return None,
            }
            at = content.operands[0];
        }
        chain.reverse();
        Some(chain)
    }
}

/// Returns whether an instruction makes nothing but elements that it reads, or the same in as many bits or more.
pub fn only_moves(view: &InstView<'_>) -> bool {
    if matches!(view.inst.op, Op::Convert(_)) {
        return view.result(0).element.bits() >= view.operand(0).element.bits();
    }
    let operands: Vec<Type> = view.operand_types().cloned().collect();
    let results: Vec<Type> = view.result_types().cloned().collect();
    view.inst.op.flops(&operands, &results) == 0.0
}

/// What a value is made of.
struct Closure {
    insts: BTreeSet<InstId>,
    slices: BTreeSet<InstId>,
}
