//! What each segment of a step takes on one group of devices.
//!
//! Input: the short step, a part of the machine, a number of microbatches. Output: [`Segments`]: the step is sharded over
//! the part as one problem, in which each segment counts as often as the whole step has it, so that its dual bound is one
//! of the whole step; then each segment is priced by itself, with all that may run again in its backward pass.

use meshwright_cost::Lowering;
use meshwright_cost::estimate::of_each;
use meshwright_cost::{Analysis, op::alone};
use meshwright_ir::control::Control;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::{Phase, ProgramId};
use meshwright_stage::pieces::{self, Copies};
use meshwright_stage::{Part, Staged, Step};
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, BTreeSet};

use super::short::{Again, Short, at_all_places};
use crate::error::CompileError;
use crate::mesh::placed;
use crate::options::Options;
use crate::pipeline::cut::Cut;
use crate::pipeline::figures::{Priced, StageFigures};
use crate::pipeline::inner::{Inner, Searched, Wanted};

/// What is priced.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    pub(super) program: &'a Program,
    pub(super) short: &'a Short,
    pub(super) machine: &'a Machine,
    /// What a group has of it.
    pub(super) part: &'a Machine,
    pub(super) options: &'a Options,
}

/// Segments of a short step, as a group of devices runs them.
pub(super) struct Segments {
    pub(super) inner: Inner,
    pub(super) each: Vec<Segment>,
    /// Rounds of the update.
    pub(super) rounds: usize,
    pub(super) has_prepass: bool,
    /// What a step takes on these devices alone, without a pipeline.
    pub(super) seconds: Seconds,
    /// What it takes at least, however it is sharded.
    pub(super) bound: Seconds,
    /// Memory that the short step needs.
    pub(super) peak: Bytes,
}

/// A segment.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// With a phase for each gradient.
    pub(super) figures: StageFigures,
    /// Both gradients at once.
    pub(super) backward: Seconds,
    /// Bytes that its largest forward and its largest other program need, beside what is taken and what is kept.
    pub(super) forward_working: Bytes,
    /// What is kept of a microbatch, and the seconds that it takes to make the rest again, for each way to keep less.
    pub(super) ways: Vec<Kept>,
}

/// What a segment keeps of a microbatch in one of the ways to keep less.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Kept {
    pub(super) bytes: Bytes,
    pub(super) seconds: Seconds,
}

impl Segments {
    /// The mesh of a group.
    pub(super) fn mesh(&self) -> &Mesh {
        self.inner.mesh()
    }
}

/// A short step in microbatches.
pub(super) struct ShortCut {
    pub(super) cut: Cut,
    pub(super) microbatches: usize,
}

impl ShortCut {
    /// Errors: it cannot be cut into so many.
    pub(super) fn of(
        program: &Program,
        short: &Short,
        microbatches: usize,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let cut = Cut::of_written(program, short.written.clone(), microbatches, options)?;
        Ok(Self { cut, microbatches })
    }

    /// Seconds of a whole step if all of its instructions could be shared evenly by all devices, without a word between
    /// them; and of the forward pass of a microbatch through each segment of the short step.
    pub(super) fn least(&self, short: &Short, machine: &Machine) -> Result<(f64, Vec<f64>), CompileError> {
        let step = self.step()?;
        let staged = at_all_places(&step);
        let stands_for = short.stands_for(&step, &staged);
        let devices = machine.num_devices() as f64;
        let body = step.body();
        let seconds = |inst: InstId| {
            let view = body.view(inst);
            let operands: Vec<Type> = view.operand_types().cloned().collect();
            let results: Vec<Type> = view.result_types().cloned().collect();
            let own = alone(&view.inst.op, &operands, &results).seconds(&machine.device).0;
            own / devices
        };
        let of_all = |insts: &[InstId]| -> f64 {
            insts.iter().map(|inst| seconds(*inst) * stands_for[*inst] as f64).sum()
        };
        let mut forward = vec![0.0; staged.count];
        for (at, inst) in step.inside.iter().enumerate() {
            if let (Some(segment), Some(Part::Forward)) = (staged.stage[at], staged.part[at]) {
                forward[segment] += seconds(*inst);
            }
        }
        Ok((self.microbatches as f64 * of_all(&step.inside) + of_all(&step.behind), forward))
    }

    pub(super) fn step(&self) -> Result<Step<'_>, CompileError> {
        self.cut.step().map_err(|refusal| self.cut.refused(&refusal))
    }
}

impl Group<'_> {
    /// Shards a short step within so much memory, and prices its segments. Only what takes less than `faster_than` on the
    /// devices of one group is of interest.
    pub(super) fn segments(
        &self,
        short_cut: &ShortCut,
        memory: Bytes,
        faster_than: Option<Seconds>,
        control: &dyn Control,
    ) -> Result<Segments, CompileError> {
        let Self { program, short, machine, part, options } = *self;
        let cut = &short_cut.cut;
        let step = short_cut.step()?;
        let staged = at_all_places(&step);
        let pieces = pieces::pieces(&step, &staged, Copies::One);
        let stands_for = short.stands_for(&step, &staged);
        let function = &cut.microbatched.made.function;
        let wanted = Wanted {
            program,
            function,
            origins: &cut.origins,
            stands_for: &stands_for,
            machine: part,
            options,
            memory,
            faster_than,
        };
        let Searched { inner, seconds, bound, peak } = Inner::searched(&wanted, control)?;
        let priced =
            Priced { cut, step: &step, staged: &staged, pieces: &pieces, inner: &inner, machine, part };
        let apart = [Phase::InputGradient, Phase::WeightGradient];
        let used =
            (0..staged.count).flat_map(|stage| apart.map(|phase| ProgramId { stage, phase })).collect();
        let figures = priced.stages(&used).into_iter().enumerate();
        let each = figures.map(|(number, figures)| segment(&priced, number, figures, &short.again)).collect();
        let (rounds, has_prepass) = (staged.update.rounds(), step.has_prepass());
        Ok(Segments { inner, each, rounds, has_prepass, seconds, bound, peak })
    }
}

fn segment(priced: &Priced<'_>, number: usize, figures: StageFigures, again: &[Again]) -> Segment {
    let phase = |phase: Phase| priced.piece(number, phase);
    let backward = phase(Phase::Backward).map_or(Seconds::ZERO, |piece| priced.seconds(piece));
    let forward_working = phase(Phase::Forward).map_or(Bytes(0), |piece| priced.working(piece));
    let seconds = forward_seconds(priced, number);
    let kept = priced.kept(number);
    let ways = again.iter().map(|way| without(priced, number, &kept, &way.insts, &seconds)).collect();
    let forward_working = Bytes(forward_working.0.saturating_sub(figures.kept.0));
    Segment { figures, backward, forward_working, ways }
}

/// Seconds of each instruction of a segment's forward pass.
fn forward_seconds(priced: &Priced<'_>, number: usize) -> BTreeMap<InstId, Seconds> {
    let Some(piece) = priced.piece(number, Phase::Forward) else { return BTreeMap::new() };
    let shardings = priced.inner.of_piece(piece);
    let analysis = Analysis::new(&piece.function);
    let placement = placed(priced.part, &shardings.mesh);
    let seconds: Table<InstId, Seconds> = of_each(&Lowering::new(&analysis, &shardings), &placement);
    let of_step = |(inst, seconds): (InstId, &Seconds)| Some((piece.insts[inst]?, *seconds));
    seconds.iter().filter_map(of_step).collect()
}

/// What is kept if these instructions run again: what they read instead of what they make.
fn without(
    priced: &Priced<'_>,
    number: usize,
    kept: &BTreeSet<ValueId>,
    again: &BTreeSet<InstId>,
    seconds: &BTreeMap<InstId, Seconds>,
) -> Kept {
    let Priced { step, staged, cut, .. } = *priced;
    let is_again = |at: usize| {
        let origin = cut.microbatched.made.trace.insts[step.inside[at]];
        is_forward(staged, number, at) && origin.is_some_and(|(_, origin)| again.contains(&origin))
    };
    let (mut open, mut left, mut made): (Vec<ValueId>, BTreeSet<ValueId>, BTreeSet<usize>) =
        (kept.iter().copied().collect(), BTreeSet::new(), BTreeSet::new());
    while let Some(value) = open.pop() {
        match step.core(value) {
            Some(at) if is_again(at) => {
                if made.insert(at) {
                    let read = step.reads(step.inside[at]);
                    open.extend(read.into_iter().filter(|value| step.core(*value).is_some()));
                }
            }
            _ => {
                left.insert(value);
            }
        }
    }
    let seconds = made.iter().filter_map(|at| seconds.get(&step.inside[*at]).copied()).sum();
    Kept { bytes: priced.bytes(left), seconds }
}

fn is_forward(staged: &Staged, number: usize, at: usize) -> bool {
    staged.stage[at] == Some(number) && staged.part[at] == Some(Part::Forward)
}
