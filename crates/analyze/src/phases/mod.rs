//! Phases of a training step, told by its data flow alone: what runs forward, where it turns, what runs backward and
//! what updates; and the order of the forward pass, with the places at which it can be cut.
//!
//! Input: a function with calls inlined and its [`Roles`]. Output: [`Phases`]. The names of values, the order of the text
//! and the loss play no part:
//!
//! - What does not depend on both data and parameters is *free*: masks, random bits, weights in another type.
//! - A gradient depends on all parameters that the loss depends on (the *full* set), and what runs *forward* lacks some of
//!   them: those of later layers. Where there are several losses, it may lack none but lead to layers of another one.
//! - Of the rest, what all gradients are made from is where the step is *turning*, from logits to their cotangents; with it
//!   goes what no gradient depends on, as a loss that is only reported. What is made from gradients is the *update*, and
//!   what remains runs *backward*. Parameters that are frozen have no gradients, but what theirs would be made from counts.
//! - The forward pass is in order by the number of parameters that it depends on; what comes from the side, as an embedding
//!   of the time for each layer, is made where it is read. Between layers the fewest bytes cross: the residual stream.
//!   These are the *places* to cut, and what lies between two of them is a *segment*.
//!
//! Example: of `h = tanh(x a); y = h b; dy = y - t; db = h^T dy; dh = dy b^T; da = x^T (dh (1 - h^2))`, `h` and `1 - h^2`
//! are forward (they lack `b`), `y` and `dy` are turning, and the rest is backward.
//!
//! What is inside a loop or a branch is of its phase.

mod gradients;
mod order;
mod ranks;
mod sets;

pub use order::ForwardOrder;

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Function};
use std::collections::{BTreeMap, BTreeSet};

use crate::roles::{DATA, Roles, contracted};
use sets::Sets;

/// Phase of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// It depends on data or on parameters at most, and can be made wherever it is read.
    Free,
    /// It leads to the loss.
    Forward,
    /// Every gradient is made from it, or none: the loss and where it begins to be differentiated.
    Turning,
    /// It makes gradients.
    Backward,
    /// It makes something of gradients.
    Update,
}

/// Phases of all instructions of a function that trains.
#[derive(Clone, Debug)]
pub struct Phases {
    /// The phase of each instruction.
    pub of: Table<InstId, Phase>,
    /// The forward pass in order.
    pub forward: ForwardOrder,
    /// What the gradients are summed up in.
    pub gradients: BTreeSet<ValueId>,
}

impl Phases {
    /// Finds the phases of a function; `None` if nothing in it trains.
    pub fn new(function: &Function, roles: &Roles) -> Option<Self> {
        let flow = Flow::new(function, roles);
        let sums = gradients::summed(function, roles, &flow);
        let gradients = sums.iter().flatten().copied().collect();
        Self::of(function, flow, &sums, gradients)
    }

    /// The phases of a function that infers: all that depends on data and on parameters runs forward, until what depends on
    /// all parameters of the results, where it turns. `None` if it trains, or if no result depends on both.
    pub fn of_inference(function: &Function, roles: &Roles) -> Option<Self> {
        let flow = Flow::new(function, roles);
        let results = function.returned().iter().copied().filter(|value| flow.is_core(*value));
        let results: Vec<BTreeSet<ValueId>> = results.map(|value| BTreeSet::from([value])).collect();
        roles.gradients.is_empty().then(|| Self::of(function, flow, &results, BTreeSet::new())).flatten()
    }

    /// Each of `ends` is made, taken together, from all parameters that what leads to it depends on.
    fn of(
        function: &Function,
        mut flow: Flow<'_>,
        ends: &[BTreeSet<ValueId>],
        gradients: BTreeSet<ValueId>,
    ) -> Option<Self> {
        flow.follow(&gradients);
        let full = flow.full(ends)?;
        let phases = flow.phases(&full);
        let forward = ForwardOrder::new(&flow, &phases, &full);
        let body = &function.body;
        let mut of = Table::filled(Phase::Free, body.insts.len());
        for (inst, phase) in flow.insts.iter().zip(&phases) {
            of[*inst] = *phase;
            let inside = body.insts[*inst].regions.iter().flat_map(|region| body.walk(*region));
            inside.for_each(|inst| of[inst] = *phase);
        }
        Some(Self { of, forward, gradients })
    }
}

/// The values that an instruction reads, in its regions too.
pub fn reads(body: &Body, inst: InstId) -> Vec<ValueId> {
    let content = &body.insts[inst];
    let mut read = content.operands.clone();
    if !content.regions.is_empty() {
        read.extend(body.view(inst).captured());
    }
    read
}

/// Data flow of the function's own region, by position.
struct Flow<'a> {
    body: &'a Body,
    insts: &'a [InstId],
    /// What each instruction reads.
    reads: Vec<Vec<ValueId>>,
    /// Where each value is made, if that is in this region.
    made_at: Table<ValueId, Option<usize>>,
    /// Whether each instruction depends on both data and parameters.
    is_core: Vec<bool>,
    /// The parameters that each one depends on.
    depends: Sets,
    /// Number of each parameter.
    number: Table<ValueId, Option<usize>>,
    /// Where the gradients of frozen parameters would branch off, if anything trains.
    frozen: Vec<usize>,
    /// The gradients that are made from each one, and those that would be.
    reaches: Sets,
    /// Whether it is made from a gradient.
    is_behind: Vec<bool>,
}

impl<'a> Flow<'a> {
    /// What follows from data and parameters: tensors of real numbers. What else is updated from gradients counts steps, or
    /// scales the loss.
    fn new(function: &'a Function, roles: &Roles) -> Self {
        let body = &function.body;
        let insts = &body.regions[body.entry()].insts[..];
        let reads: Vec<Vec<ValueId>> = insts.iter().map(|inst| reads(body, *inst)).collect();
        let mut made_at = Table::filled(None, body.values.len());
        for (at, inst) in insts.iter().enumerate() {
            body.insts[*inst].results.iter().for_each(|result| made_at[*result] = Some(at));
        }
        let is_tensor = |value: &ValueId| {
            body.ty(*value).as_tensor().is_some_and(|ty| ty.element.is_float() && ty.rank() > 0)
        };
        let parameters: Vec<ValueId> =
            roles.parameters().map(|index| function.args()[index]).filter(is_tensor).collect();
        let mut number = Table::filled(None, body.values.len());
        parameters.iter().enumerate().for_each(|(index, parameter)| number[*parameter] = Some(index));
        let mut depends = Sets::new(insts.len(), parameters.len());
        for (at, read) in reads.iter().enumerate() {
            for value in read {
                number[*value].into_iter().for_each(|index| depends.insert(at, index));
                made_at[*value].into_iter().for_each(|from| depends.add(from, at));
            }
        }
        let has_data =
            |inst: &InstId| body.insts[*inst].results.iter().any(|result| roles.depends[*result] & DATA != 0);
        let is_core = |(at, inst): (usize, &InstId)| has_data(inst) && sets::count(depends.of(at)) > 0;
        let is_core = insts.iter().enumerate().map(is_core).collect();
        let (reaches, is_behind) = (Sets::new(0, 0), Vec::new());
        let frozen = Vec::new();
        let mut flow =
            Self { body, insts, reads, made_at, is_core, number, depends, frozen, reaches, is_behind };
        if !roles.gradients.is_empty() {
            let is_frozen = |index: &usize| !roles.gradients.contains_key(index);
            let frozen = roles.parameters().filter(is_frozen).map(|index| function.args()[index]);
            flow.frozen = flow.branches(frozen, roles);
        }
        flow
    }

    /// Where the gradients of parameters would branch off: what the last of several contractions with one reads beside it. The
    /// first of them is its layer's, the last brings a cotangent past that layer.
    fn branches(&self, of: impl Iterator<Item = ValueId>, roles: &Roles) -> Vec<usize> {
        let mut met: BTreeMap<usize, Vec<usize>> =
            of.filter_map(|parameter| Some((self.number[parameter]?, Vec::new()))).collect();
        for (at, inst) in self.insts.iter().enumerate() {
            if met.is_empty() || !self.is_core[at] || contracted(&roles.rules[*inst]).is_empty() {
                continue;
            }
            let operands = &self.body.insts[*inst].operands;
            let mut made = operands.iter().filter_map(|value| self.made_at[*value]);
            let Some(beside) = made.rfind(|from| self.is_core[*from]) else { continue };
            for number in operands.iter().flat_map(|value| self.parameters_of(*value)) {
                met.entry(number).and_modify(|met| met.push(beside));
            }
        }
        met.into_values().filter(|met| met.len() > 1).filter_map(|met| met.last().copied()).collect()
    }

    /// What follows from gradients.
    fn follow(&mut self, gradients: &BTreeSet<ValueId>) {
        self.is_behind = vec![false; self.insts.len()];
        self.reaches = Sets::new(self.insts.len(), gradients.len() + self.frozen.len());
        for (number, gradient) in gradients.iter().enumerate() {
            self.made_at[*gradient].into_iter().for_each(|at| self.reaches.insert(at, number));
        }
        for (number, at) in self.frozen.iter().enumerate() {
            self.reaches.insert(*at, gradients.len() + number);
        }
        for (at, read) in self.reads.iter().enumerate() {
            let is_behind = |value: &ValueId| {
                self.made_at[*value].is_some_and(|from| self.is_behind[from] || gradients.contains(value))
            };
            self.is_behind[at] = read.iter().any(is_behind);
        }
        for (at, read) in self.reads.iter().enumerate().rev() {
            read.iter().filter_map(|value| self.made_at[*value]).for_each(|from| self.reaches.add(at, from));
        }
    }

    /// Whether a value depends on data and on parameters.
    fn is_core(&self, value: ValueId) -> bool {
        self.made_at[value].is_some_and(|at| self.is_core[at])
    }

    /// The parameters that every gradient of the main chain depends on, each with all that it is the sum of; gradients that
    /// depend on less than half of all are those of side branches.
    fn full(&self, sums: &[BTreeSet<ValueId>]) -> Option<Vec<u64>> {
        let united = |sum: &BTreeSet<ValueId>| {
            let rows = sum.iter().filter_map(|value| Some(self.depends.of(self.made_at[*value]?).to_vec()));
            rows.reduce(|one, other| sets::united(&one, &other))
        };
        let rows: Vec<Vec<u64>> = sums.iter().filter_map(united).collect();
        let all = rows.iter().cloned().reduce(|one, other| sets::united(&one, &other))?;
        let mut full = all.clone();
        for row in rows.iter().filter(|row| 2 * sets::count(row) > sets::count(&all)) {
            full.iter_mut().zip(row).for_each(|(word, own)| *word &= own);
        }
        (sets::count(&full) > 0).then_some(full)
    }

    /// Whether a layer follows from each instruction: something that leads to gradients and reads a parameter on which nothing
    /// else that it reads depends yet.
    fn leads_to_layers(&self) -> Vec<bool> {
        let mut leads = vec![false; self.insts.len()];
        for (at, read) in self.reads.iter().enumerate().rev() {
            if !self.is_core[at] || self.is_behind[at] || sets::count(self.reaches.of(at)) == 0 {
                continue;
            }
            let core =
                read.iter().filter_map(|value| self.made_at[*value]).filter(|from| self.is_core[*from]);
            let core: Vec<usize> = core.collect();
            let is_new = |number: usize| !core.iter().any(|from| self.depends.has(*from, number));
            let is_layer = read.iter().any(|value| self.parameters_of(*value).into_iter().any(is_new));
            let follows = leads[at] || is_layer;
            core.into_iter().for_each(|from| leads[from] |= follows);
        }
        leads
    }

    /// The parameters that a value is made of, if it follows from nothing else.
    fn parameters_of(&self, value: ValueId) -> Vec<usize> {
        match self.made_at[value] {
            None => self.number[value].into_iter().collect(),
            Some(at) if !self.is_core[at] => sets::numbers(self.depends.of(at)).collect(),
            Some(_) => Vec::new(),
        }
    }

    /// The phase of the instruction at each position.
    fn phases(&self, full: &[u64]) -> Vec<Phase> {
        let leads = self.leads_to_layers();
        let is_past = |at: usize| self.is_core[at] && sets::covers(self.depends.of(at), full) && !leads[at];
        let past = (0..self.insts.len()).filter(|at| is_past(*at));
        // The first of those from which most gradients are made.
        let most = past
            .map(|at| self.reaches.of(at))
            .reduce(|most, other| if sets::count(other) > sets::count(most) { other } else { most });
        let phase = |at: usize| {
            let reached = self.reaches.of(at);
            match () {
                () if !self.is_core[at] => Phase::Free,
                () if self.is_behind[at] => Phase::Update,
                () if !is_past(at) => Phase::Forward,
                () if most == Some(reached) || sets::count(reached) == 0 => Phase::Turning,
                () => Phase::Backward,
            }
        };
        (0..self.insts.len()).map(phase).collect()
    }

    /// Where the results of an instruction are read.
    fn readers(&self) -> Vec<Vec<usize>> {
        let mut readers = vec![Vec::new(); self.insts.len()];
        for (at, read) in self.reads.iter().enumerate() {
            read.iter().filter_map(|value| self.made_at[*value]).for_each(|from| readers[from].push(at));
        }
        readers
    }

    fn bytes(&self, value: ValueId) -> u64 {
        self.body.ty(value).num_bytes() as u64
    }

    /// Bytes of what an instruction makes.
    fn bytes_made(&self, at: usize) -> u64 {
        self.body.insts[self.insts[at]].results.iter().map(|result| self.bytes(*result)).sum()
    }
}
