//! The part of a stage's work that each instruction of a turn belongs to.
//!
//! Input: a step and the stage of each of its instructions. Output: a [`Part`] for each. In a stage,
//! [`Part::Forward`] is what values for later stages are made from, [`Part::InputGradient`] what values for earlier
//! ones are made from, and [`Part::WeightGradient`] the rest. So what only the backward pass wants of the forward pass is
//! made there, and what is recomputed for it stays behind.
//!
//! Where nothing trains, all is [`Part::Forward`]; and so is, where the forward pass gathers what all examples have to be seen
//! for, what that is made from.
//! Two stages have nobody to hand on to: in the last one what is only reported, as the loss, is made forward (without
//! such, what is of the forward pass); in the first one what several accumulators are made from counts as gradient of the
//! input.

use crate::{Class, Pass, Step};
use meshwright_transform::time::sequence::Readers;

/// A part of the work of a stage for one microbatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The pass before all others.
    Prepass,
    /// The forward pass.
    Forward,
    /// Gradients of what the stage received.
    InputGradient,
    /// Gradients of its parameters.
    WeightGradient,
}

/// The part of each instruction, by position in the turn; none of those that are free.
pub fn parts(step: &Step<'_>, stage: &[Option<usize>], count: usize) -> Vec<Option<Part>> {
    let mut marks = Marks { step, stage, part: vec![None; stage.len()] };
    let sent = |is_sent: &dyn Fn(usize, usize) -> bool| -> Vec<usize> {
        let reads = |reader: usize| step.flow.reads[reader].iter().filter_map(move |value| step.core(*value));
        let edges = (0..stage.len()).filter(|reader| stage[*reader].is_some());
        let edges = edges.flat_map(|reader| reads(reader).map(move |from| (from, reader)));
        let is_sent = |(from, reader): &(usize, usize)| {
            stage[*from].zip(stage[*reader]).is_some_and(|(from, to)| is_sent(from, to))
        };
        edges.filter(is_sent).map(|(from, _)| from).collect()
    };
    let last = count - 1;
    for at in 0..stage.len() {
        if stage[at].is_some() && step.pass[at] == Pass::Before {
            marks.part[at] = Some(Part::Prepass);
        }
    }
    if !step.trains {
        let all = (0..stage.len()).filter(|at| stage[*at].is_some());
        marks.mark(all.collect(), Part::Forward);
        return marks.part;
    }
    marks.mark(sent(&|from, to| from < to), Part::Forward);
    marks.mark(made_forward(step, &|at| stage[at] == Some(last)), Part::Forward);
    marks.mark(sent(&|from, to| from > to), Part::InputGradient);
    marks.mark(shared(step, stage), Part::InputGradient);
    for at in 0..stage.len() {
        if stage[at].is_some() && marks.part[at].is_none() {
            marks.part[at] = Some(Part::WeightGradient);
        }
    }
    marks.part
}

/// Instructions of a turn that the forward pass makes, although nobody reads them in a later stage. `is_last` says which are in the
/// last stage.
pub(crate) fn made_forward(step: &Step<'_>, is_last: &dyn Fn(usize) -> bool) -> Vec<usize> {
    // Backward passes of slices come in the other order.
    let keys = step.points.iter().filter(|point| point.by == Some(Readers::Later));
    let mut made: Vec<usize> = keys.filter_map(|point| step.core(point.next)).collect();
    if step.gathers_forward() {
        let gathered = step.points.iter().filter(|point| point.pass == Pass::Before);
        made.extend(gathered.filter_map(|point| step.core(point.next)));
    }
    let is_reported = |at: &usize| is_last(*at) && step.class[*at] != Class::Backward && !step.is_late(*at);
    let reported: Vec<usize> = ends(step).into_iter().filter(is_reported).collect();
    let is_own = |at: &usize| is_last(*at) && matches!(step.class[*at], Class::Forward(_));
    match reported.is_empty() {
        true => made.extend((0..step.inside.len()).filter(is_own)),
        false => made.extend(reported),
    }
    made
}

/// Instructions that add to an accumulator for the update, if they are not free.
pub(crate) fn ends(step: &Step<'_>) -> Vec<usize> {
    let sums = step.points.iter().filter(|point| point.by.is_none());
    sums.filter_map(|point| step.core(point.next)).collect()
}

/// Instructions of the first stage from which several accumulators are made.
fn shared(step: &Step<'_>, stage: &[Option<usize>]) -> Vec<usize> {
    // The only accumulator that each instruction leads to, or that there are several.
    let mut leads: Vec<Leads> = vec![Leads::Nowhere; stage.len()];
    for (number, point) in step.points.iter().enumerate() {
        step.core(point.next).into_iter().for_each(|at| leads[at] = Leads::To(number));
    }
    for at in (0..stage.len()).rev() {
        for result in &step.body().insts[step.inside[at]].results {
            for reader in &step.flow.readers[*result] {
                leads[at] = leads[at].and(leads[*reader]);
            }
        }
    }
    let is_shared = |at: &usize| {
        stage[*at] == Some(0) && step.class[*at] != Class::Free && leads[*at] == Leads::ToSeveral
    };
    (0..stage.len()).filter(is_shared).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leads {
    Nowhere,
    To(usize),
    ToSeveral,
}

impl Leads {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nowhere, other) | (other, Self::Nowhere) => other,
            (own, other) if own == other => own,
            _ => Self::ToSeveral,
        }
    }
}

struct Marks<'s, 'a> {
    step: &'s Step<'a>,
    stage: &'s [Option<usize>],
    part: Vec<Option<Part>>,
}

impl Marks<'_, '_> {
    /// Marks instructions, and what they are made from in their stage, unless it is marked already.
    fn mark(&mut self, mut open: Vec<usize>, part: Part) {
        while let Some(at) = open.pop() {
            if self.part[at].is_some() {
                continue;
            }
            self.part[at] = Some(part);
            let read = self.step.flow.reads[at].iter().filter_map(|value| self.step.core(*value));
            open.extend(read.filter(|from| self.stage[*from] == self.stage[at]));
        }
    }
}
