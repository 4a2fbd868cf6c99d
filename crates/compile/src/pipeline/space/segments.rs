//! What each segment of a step takes on one group of devices.
//!
//! Input: the short step, a part of the machine, a number of microbatches. Output: [`Segments`]: the step is sharded over
//! the part as one problem, in which each segment counts as often as the whole step has it, so that its dual bound is one
//! of the whole step; then each segment is priced by itself, with all that may run again in its backward pass.

use meshwright_cost::Lowering;
use meshwright_cost::estimate::{Took, each_event};
use meshwright_cost::lowering::Event;
use meshwright_cost::{Analysis, op::work};
use meshwright_ir::control::Control;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::Phase;
use meshwright_plan::figures::Share;
use meshwright_stage::pieces::{self, Copies};
use meshwright_stage::{Part, Piece, Staged, Step};
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, BTreeSet};

use super::short::{Again, Homes, Short, at_all_places};
use crate::error::CompileError;
use crate::mesh::placed;
use crate::options::Options;
use crate::pipeline::cut::Cut;
use crate::pipeline::figures::{Priced, StageFigures};
use crate::pipeline::inner::{Inner, Searched, StandsFor, Wanted};

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
    /// What it takes at least, however it is sharded.
    pub(super) bound: Seconds,
    /// Memory that the short step needs.
    pub(super) peak: Bytes,
    /// Seconds of the whole step, over all groups, by kind of work.
    pub(super) by_kind: Vec<Share>,
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

/// Seconds that all devices of a machine take at least.
pub(super) struct Least {
    /// For the whole step.
    pub(super) whole: f64,
    /// For the forward pass of a microbatch through each segment of the short step.
    pub(super) forward: Vec<f64>,
    /// For a microbatch, forward through all segments and back through all gradients of inputs.
    pub(super) path: f64,
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

    /// What a step takes at least if all devices share everything evenly, without a word between them.
    pub(super) fn least(&self, short: &Short, machine: &Machine) -> Result<Least, CompileError> {
        let step = self.step()?;
        let staged = at_all_places(&step);
        let homes = Homes::of(&step, &staged, &short.counts());
        let stands_for = short.stands_for(&homes).insts;
        let analysis = Analysis::new(step.function);
        let devices = machine.num_devices() as f64;
        let body = step.body();
        let seconds = |inst: InstId| {
            let view = body.view(inst);
            let operands: Vec<Type> = view.operand_types().cloned().collect();
            let results: Vec<Type> = view.result_types().cloned().collect();
            let own = work(&analysis, inst, &operands, &results).seconds(&machine.device).0;
            own / devices
        };
        let of_all = |insts: &[InstId]| -> f64 {
            insts.iter().map(|inst| seconds(*inst) * stands_for[*inst] as f64).sum()
        };
        let (mut forward, mut path) = (vec![0.0; staged.count], 0.0);
        for (at, inst) in step.inside.iter().enumerate() {
            let Some((segment, part)) = staged.stage[at].zip(staged.part[at]) else { continue };
            if part == Part::Forward {
                forward[segment] += seconds(*inst);
            }
            if matches!(part, Part::Forward | Part::InputGradient) {
                path += seconds(*inst) * stands_for[*inst] as f64;
            }
        }
        let whole = self.microbatches as f64 * of_all(&step.inside) + of_all(&step.behind);
        Ok(Least { whole, forward, path })
    }

    pub(super) fn step(&self) -> Result<Step<'_>, CompileError> {
        self.cut.step().map_err(|refusal| self.cut.refused(&refusal))
    }
}

/// A short step taken apart: what all shardings of it share.
pub(super) struct Parts<'c> {
    pub(super) cut: &'c Cut,
    microbatches: usize,
    step: Step<'c>,
    staged: Staged,
    pieces: Vec<Piece>,
    homes: Homes,
    pub(super) stands_for: StandsFor,
}

impl ShortCut {
    /// Takes it apart.
    pub(super) fn parts(&self, short: &Short) -> Result<Parts<'_>, CompileError> {
        let step = self.step()?;
        let staged = at_all_places(&step);
        let pieces = pieces::pieces(&step, &staged, Copies::One);
        let homes = Homes::of(&step, &staged, &short.counts());
        let stands_for = short.stands_for(&homes);
        Ok(Parts { cut: &self.cut, microbatches: self.microbatches, step, staged, pieces, homes, stands_for })
    }
}

impl Parts<'_> {
    /// Prices the segments with shardings of the step; `part` is what a group has of the machine.
    pub(super) fn segments(
        &self,
        searched: Searched,
        short: &Short,
        machine: &Machine,
        part: &Machine,
    ) -> Segments {
        let Searched { inner, bound, peak } = searched;
        let Self { cut, microbatches, step, staged, pieces, homes, stands_for } = self;
        let priced = Priced { cut, step, staged, pieces, inner: &inner, machine, part };
        let timed = Timed::of(&priced, homes, stands_for, *microbatches);
        let used = BTreeSet::new();
        let figures = priced.stages(&used).into_iter().enumerate();
        let each = figures.map(|(number, figures)| {
            let figures = timed.figures(&priced, homes, number, figures);
            segment(&priced, number, figures, &short.again, &timed.turn)
        });
        let each = each.collect();
        let by_kind = timed.by_kind();
        let (rounds, has_prepass) = (staged.update.rounds(), step.has_prepass());
        Segments { inner, each, rounds, has_prepass, bound, peak, by_kind }
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
        let parts = short_cut.parts(short)?;
        let wanted = Wanted {
            program,
            function: &parts.cut.microbatched.made.function,
            origins: &parts.cut.origins,
            stands_for: &parts.stands_for,
            machine: part,
            options,
            memory,
            faster_than,
        };
        let searched = Inner::searched(&wanted, control)?;
        Ok(parts.segments(searched, short, machine, part))
    }
}

impl Group<'_> {
    /// Seconds that one microbatch takes at least through all forward passes and back through all gradients of inputs,
    /// however the step is sharded.
    pub(super) fn path(
        &self,
        short_cut: &ShortCut,
        memory: Bytes,
        control: &dyn Control,
    ) -> Result<f64, CompileError> {
        let Self { program, short, part, options, .. } = *self;
        let step = short_cut.step()?;
        let staged = at_all_places(&step);
        let counts = short.counts();
        let mut insts: Table<InstId, u64> = Table::filled(0, step.body().insts.len());
        for (at, inst) in step.inside.iter().enumerate() {
            if let (Some(segment), Some(Part::Forward | Part::InputGradient)) =
                (staged.stage[at], staged.part[at])
            {
                insts[*inst] = counts[segment];
            }
        }
        let carried = Table::filled(0, step.body().values.len());
        let wanted = Wanted {
            program,
            function: &short_cut.cut.microbatched.made.function,
            origins: &short_cut.cut.origins,
            stands_for: &StandsFor { insts, carried },
            machine: part,
            options,
            memory,
            faster_than: None,
        };
        let found = Inner::searched(&wanted, control)?;
        Ok(found.bound.0 / short_cut.microbatches as f64)
    }
}

/// Seconds of a short step, each segment for itself: those of one microbatch by what they are part of, and once in a step,
/// with the sums of gradients behind the loop and what is gathered before it.
struct Timed {
    parts: Vec<BTreeMap<Part, f64>>,
    once: Vec<f64>,
    /// Of each instruction in a turn.
    turn: Table<InstId, f64>,
    /// Of the whole step by kind of work: of local work, and of all collectives.
    work: BTreeMap<Kind, f64>,
    communication: Seconds,
}

/// Kinds of local work, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Products,
    Attention,
    Elementwise,
    Movement,
}

impl Kind {
    /// What figures call it.
    fn name(self) -> &'static str {
        match self {
            Self::Products => "matrix products",
            Self::Attention => "attention products",
            Self::Elementwise => "element-wise operations",
            Self::Movement => "data movement",
        }
    }

    fn of(kernel: &KernelShape) -> Self {
        match kernel {
            KernelShape::Matmul(_) | KernelShape::Convolution(_) => Self::Products,
            KernelShape::Attention(_) => Self::Attention,
            KernelShape::Move | KernelShape::HostCopy | KernelShape::Nothing => Self::Movement,
            KernelShape::Elementwise
            | KernelShape::Reduce
            | KernelShape::Sort(_)
            | KernelShape::Collective
            | KernelShape::Other => Self::Elementwise,
        }
    }
}

impl Timed {
    fn of(priced: &Priced<'_>, homes: &Homes, stands_for: &StandsFor, microbatches: usize) -> Self {
        let Priced { step, staged, inner, part, .. } = *priced;
        let body = step.body();
        let mut of_turn: Table<InstId, Option<usize>> = Table::filled(None, body.insts.len());
        step.inside.iter().enumerate().for_each(|(at, inst)| of_turn[*inst] = Some(at));
        // What is inside of an instruction, as the turns of a scan, is counted and told with it.
        let mut around: Table<InstId, InstId> = body.insts.ids().collect();
        for inst in body.walk(body.entry()) {
            if step.loops.iter().any(|(_, turns)| *turns == inst) {
                continue;
            }
            for inner in body.insts[inst].regions.iter().flat_map(|region| &body.regions[*region].insts) {
                around[*inner] = around[inst];
            }
        }
        let counts = (stands_for.insts.clone(), stands_for.carried.clone());
        let analysis = Analysis::new(step.function).standing_for(counts.0, counts.1);
        let lowering = Lowering::new(&analysis, inner.whole());
        let placement = placed(part, inner.mesh());
        let mut timed = Self {
            parts: vec![BTreeMap::new(); staged.count],
            once: vec![0.0; staged.count],
            turn: Table::filled(0.0, body.insts.len()),
            work: BTreeMap::new(),
            communication: Seconds::ZERO,
        };
        each_event(&lowering, &placement, &mut |event, Took { seconds, sent }| {
            let inst = event.inst();
            timed.communication = timed.communication + sent;
            let local = seconds.0 - sent.0;
            if let Event::Reshard(_) = event {
                *timed.work.entry(Kind::Movement).or_default() += local;
            } else {
                let view = body.view(inst);
                let operands: Vec<Type> = view.operand_types().cloned().collect();
                let results: Vec<Type> = view.result_types().cloned().collect();
                let kind = Kind::of(&view.inst.op.kernel(&operands, &results));
                *timed.work.entry(kind).or_default() += local;
            }
            let outer = around[inst];
            let (segment, count) = match event {
                Event::Reshard(reshard) if step.loops.iter().any(|(_, turns)| *turns == inst) => {
                    let value = lowering.buffers[reshard.source].value;
                    (homes.carried[value], stands_for.carried[value])
                }
                _ => (homes.insts[outer], stands_for.insts[outer]),
            };
            let seconds = seconds.0 / count as f64;
            match (of_turn[outer], segment) {
                (Some(at), Some(segment)) => {
                    // What is free is made for whoever reads it first.
                    let part = staged.part[at].unwrap_or(Part::Forward);
                    let own = seconds / microbatches as f64;
                    *timed.parts[segment].entry(part).or_default() += own;
                    timed.turn[outer] += own;
                }
                (_, segment) => timed.once[segment.unwrap_or(0)] += seconds,
            }
        });
        timed
    }

    /// Seconds of the whole step by kind of work.
    fn by_kind(&self) -> Vec<Share> {
        let share = |what: &str, seconds: f64| Share { what: what.to_owned(), seconds };
        let mut shares: Vec<Share> =
            self.work.iter().map(|(kind, seconds)| share(kind.name(), *seconds)).collect();
        shares.push(share("communication", self.communication.0));
        shares.retain(|share| share.seconds > 0.0);
        shares
    }

    /// Figures of a segment with these seconds, and with memory for what is gathered before the loop.
    fn figures(
        &self,
        priced: &Priced<'_>,
        homes: &Homes,
        number: usize,
        figures: StageFigures,
    ) -> StageFigures {
        let Priced { step, staged, inner, .. } = *priced;
        let body = step.body();
        let of = |part: Part| Seconds(self.parts[number].get(&part).copied().unwrap_or(0.0));
        let bytes = |value: ValueId| inner.local_bytes(body, value);
        let is_gathered = |inside: ValueId, outside: ValueId| {
            homes.carried[inside] == Some(number)
                && inner.whole().values[inside] != inner.whole().values[outside]
        };
        let gathered = step.unchanged().filter(|(inside, outside)| is_gathered(*inside, *outside));
        let gathered: u64 = gathered.map(|(inside, _)| bytes(inside)).sum();
        let points = step.points.iter().zip(&staged.update.homes).filter(|(_, home)| **home == number);
        let sums = points.map(|(point, _)| bytes(point.before).max(bytes(point.whole))).sum();
        StageFigures {
            prepass: of(Part::Prepass),
            forward: of(Part::Forward),
            input_gradient: of(Part::InputGradient),
            weight_gradient: of(Part::WeightGradient),
            update: Seconds(self.once[number]),
            state: Bytes(figures.state.0 + gathered),
            gathered: Bytes(sums),
            ..figures
        }
    }
}

fn segment(
    priced: &Priced<'_>,
    number: usize,
    figures: StageFigures,
    again: &[Again],
    seconds: &Table<InstId, f64>,
) -> Segment {
    let forward_working =
        priced.piece(number, Phase::Forward).map_or(Bytes(0), |piece| priced.working(piece));
    let kept = priced.kept(number);
    let ways = again.iter().map(|way| without(priced, number, &kept, &way.insts, seconds)).collect();
    let forward_working = Bytes(forward_working.0.saturating_sub(figures.kept.0));
    let backward = figures.input_gradient + figures.weight_gradient;
    Segment { figures, backward, forward_working, ways }
}

/// What is kept if these instructions run again: what they read instead of what they make.
fn without(
    priced: &Priced<'_>,
    number: usize,
    kept: &BTreeSet<ValueId>,
    again: &BTreeSet<InstId>,
    seconds: &Table<InstId, f64>,
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
    let seconds = made.iter().map(|at| seconds[step.inside[*at]]).sum();
    Kept { bytes: priced.bytes(left), seconds: Seconds(seconds) }
}

fn is_forward(staged: &Staged, number: usize, at: usize) -> bool {
    staged.stage[at] == Some(number) && staged.part[at] == Some(Part::Forward)
}
