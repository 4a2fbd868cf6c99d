//! What all examples have to be seen for first, gathered by the forward pass instead of by a pass before it.
//!
//! Input: a step with a pass over the batch before the step itself, as a loss of balance between experts needs it. Output:
//! the same without that pass. The forward pass makes most of what the pass before makes; what it does not make, it makes
//! now. Nothing is made twice, but all forward passes of a step come before its first backward pass, which reads what they
//! gather.

use crate::shorter::have_like_regions;
use crate::{Class, Pass, Step};
use meshwright_analyze::flow::{Marks, downstream};
use meshwright_ir::ids::{InstId, Table, ValueId};
use std::collections::{BTreeMap, BTreeSet};

impl Step<'_> {
    /// Lets the forward pass gather what all examples have to be seen for. False: it reads some of that itself, or there is no
    /// such pass; then the step is as it was.
    pub fn gather_forward(&mut self) -> bool {
        if !self.has_prepass() {
            return false;
        }
        self.late = self.behind_prepass();
        let is_forward =
            |at: &usize| matches!(self.class[*at], Class::Forward(_)) && self.pass[*at] == Pass::Main;
        if (0..self.inside.len()).filter(is_forward).any(|at| self.is_late(at)) {
            self.late = Table::filled(0, 0);
            return false;
        }
        let twins = self.twins();
        let (mut kept, mut moved) = (Vec::new(), Vec::new());
        for at in 0..self.inside.len() {
            match (self.pass[at], twins.contains_key(&at)) {
                (Pass::Main, _) => kept.push(at),
                (Pass::Before, false) => moved.push(at),
                (Pass::Before, true) => {}
            }
        }
        if let (Some(before), Some(main)) = (self.counter(Pass::Before), self.counter(Pass::Main)) {
            self.outside.insert(before, main);
        }
        for (own, twin) in twins {
            let pair = [own, twin].map(|at| &self.function.body.insts[self.inside[at]].results);
            self.outside.extend(pair[0].iter().copied().zip(pair[1].iter().copied()));
        }
        kept.extend(moved);
        self.gathers_forward = true;
        self.keep(&kept);
        true
    }

    /// Whether values depend on what a pass before the step gathers.
    fn behind_prepass(&self) -> Table<ValueId, Marks> {
        let body = self.body();
        let mut marks = Table::filled(0, body.values.len());
        let gathered = self.points.iter().filter(|point| point.pass == Pass::Before);
        gathered.for_each(|point| marks[point.whole] = 1);
        downstream(body, marks)
    }

    /// Whether an instruction of a turn, by position, depends on what the forward passes of all microbatches gather.
    pub(crate) fn is_late(&self, at: usize) -> bool {
        let results = &self.body().insts[self.inside[at]].results;
        results.iter().any(|result| self.late.get(*result).is_some_and(|marks| *marks != 0))
    }

    /// For each instruction of the pass before the step, by position, the one of the step that makes the same of the same.
    fn twins(&self) -> BTreeMap<usize, usize> {
        let body = self.body();
        let mut same: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        same.extend(self.counter(Pass::Before).zip(self.counter(Pass::Main)));
        let mut open: BTreeMap<Vec<ValueId>, Vec<usize>> = BTreeMap::new();
        for at in (0..self.inside.len()).filter(|at| self.pass[*at] == Pass::Main) {
            open.entry(self.reads(self.inside[at])).or_default().push(at);
        }
        let (mut twins, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for at in (0..self.inside.len()).filter(|at| self.pass[*at] == Pass::Before) {
            let read = self.reads(self.inside[at]);
            let read: Vec<ValueId> =
                read.into_iter().map(|value| same.get(&value).copied().unwrap_or(value)).collect();
            let is_twin = |other: &&usize| {
                !taken.contains(*other) && are_alike(self, self.inside[at], self.inside[**other])
            };
            if let Some(twin) = open.get(&read).and_then(|others| others.iter().find(is_twin)) {
                let results = [at, *twin].map(|at| &body.insts[self.inside[at]].results);
                same.extend(results[0].iter().copied().zip(results[1].iter().copied()));
                taken.insert(*twin);
                twins.insert(at, *twin);
            }
        }
        twins
    }
}

/// Whether two instructions that read the same make the same.
fn are_alike(step: &Step<'_>, one: InstId, other: InstId) -> bool {
    let body = step.body();
    let (a, b) = (body.view(one), body.view(other));
    a.inst.op == b.inst.op
        && a.inst.operands.len() == b.inst.operands.len()
        && a.result_types().eq(b.result_types())
        && have_like_regions(body, one, other)
        && step.origin(one).is_some_and(|origin| step.origin(other) == Some(origin))
}
