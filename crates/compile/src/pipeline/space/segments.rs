//! What each segment of a step takes on one group of devices.
//!
//! Input: the short step, a part of the machine, a number of microbatches. Output: [`Segments`]: the step is sharded over
//! the part as one problem, in which each segment counts as often as the whole step has it, so that its dual bound is one
//! of the whole step; then each segment is priced by itself, with all that may run again in its backward pass.

use meshwright_analyze::Role;
use meshwright_cost::reshard::Planner;
use meshwright_cost::{Analysis, op::work};
use meshwright_ir::control::Control;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::{Phase, ProgramId};
use meshwright_stage::pieces::Copies;
use meshwright_stage::{Part, Piece, Staged, Step};
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::made_anew;
use super::short::{Again, Homes, Short, at_all_places};
use crate::error::CompileError;
use crate::options::Options;
use crate::pipeline::PartsOf;
use crate::pipeline::cut::Cut;
use crate::pipeline::donation::donating_pieces;
use crate::pipeline::figures::{Priced, StageFigures, analyses};
use crate::pipeline::groups::OnStages;
use crate::pipeline::handed::Handed;
use crate::pipeline::inner::Inner;
use crate::pipeline::searchable::{Other, Searchable, Searched, Searches, StandsFor, Wanted};
use crate::pipeline::wanted::Runs;

/// What is priced.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    pub(super) program: &'a Program,
    pub(super) short: &'a Short,
    pub(super) machine: &'a Machine,
    /// What a group has of it.
    pub(super) part: &'a Machine,
    pub(super) options: &'a Options,
    pub(super) reshards: &'a Planner,
}

/// Segments of a short step, as a group of devices runs them.
pub(super) struct Segments {
    pub(super) inner: Arc<Inner>,
    pub(super) each: Vec<Segment>,
    /// Rounds of the update.
    pub(super) rounds: Vec<Phase>,
    pub(super) runs: Runs,
    /// What goes between them once in a step.
    pub(super) once: Vec<OnceBytes>,
    /// What it takes at least, however it is sharded.
    pub(super) bound: Seconds,
    /// What it takes as it is sharded.
    pub(super) seconds: Seconds,
    /// Memory that the short step needs.
    pub(super) peak: Bytes,
    /// Memory within which it was sharded.
    pub(super) memory: Bytes,
    /// Other shardings of it.
    pub(super) others: Vec<Other>,
}

/// Other shardings beside the best that are weighed where memory is short.
const OTHERS: usize = 8;

/// A segment.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// With a phase for each gradient.
    pub(super) figures: StageFigures,
    /// Both gradients at once.
    pub(super) backward: Seconds,
    /// What is kept of a microbatch, and the seconds that it takes to make the rest again, for each way to keep less.
    pub(super) ways: Vec<Kept>,
}

/// Bytes on a device of what a segment hands once in a step to the one that updates what it reads, and of what comes back; of a
/// segment itself, what its copies would.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnceBytes {
    pub(super) reader: usize,
    pub(super) home: usize,
    pub(super) gradients: Bytes,
    pub(super) state: Bytes,
}

/// What a segment keeps of a microbatch in one of the ways to keep less.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Kept {
    pub(super) bytes: Bytes,
    pub(super) seconds: Seconds,
}

impl Segments {
    /// Whether some make copies of parameters.
    pub(super) fn have_copies(&self) -> bool {
        self.each.iter().any(|segment| segment.figures.copies.0 > 0.0)
    }

    /// The mesh of a group.
    pub(super) fn mesh(&self) -> &Mesh {
        self.inner.mesh()
    }
}

/// What devices take at least for instructions, however these are sharded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Least {
    /// Seconds of their work, if all devices of the machine share it evenly.
    work: f64,
    /// Seconds until they run: a device launches its part of an instruction as it would launch all of it.
    launches: f64,
}

impl Least {
    /// Seconds on the devices of one of so many groups.
    pub(super) fn of_group(self, groups: usize) -> f64 {
        self.work * groups as f64 + self.launches
    }

    fn add(&mut self, other: Self, times: f64) {
        self.work += times * other.work;
        self.launches += times * other.launches;
    }
}

/// What devices take at least for a step.
pub(super) struct LeastOfStep {
    /// For all of it.
    pub(super) whole: Least,
    /// For the forward pass of a microbatch through each segment of the short step.
    pub(super) forward: Vec<Least>,
    /// For a microbatch, through all segments and back.
    pub(super) path: Least,
}

/// A short step in microbatches.
pub(super) struct ShortCut {
    pub(super) cut: Cut,
    pub(super) microbatches: usize,
    /// Whether its forward passes can gather what a pass before it would.
    pub(super) can_gather: bool,
}

impl ShortCut {
    /// Errors: it cannot be cut into so many.
    pub(super) fn of(
        program: &Program,
        short: &Short,
        microbatches: usize,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let parts = (microbatches, short.parts_of);
        let cut = Cut::of_written(program, short.written.clone(), parts, options)?;
        let can_gather = cut.gathering_step().is_ok_and(|step| step.is_some());
        Ok(Self { cut, microbatches, can_gather })
    }

    /// What a step takes at least if devices share everything evenly, without a word between them.
    pub(super) fn least(&self, short: &Short, machine: &Machine) -> Result<LeastOfStep, CompileError> {
        let step = match self.cut.gathering_step() {
            Ok(Some(gathering)) => gathering,
            _ => self.step()?,
        };
        let staged = at_all_places(&step);
        let homes = Homes::of(&step, &staged, &short.counts());
        let stands_for = short.stands_for(&homes).insts;
        let analysis = Analysis::on(step.function, machine.device.platform);
        let devices = machine.num_devices() as f64;
        let body = step.body();
        let least = |inst: InstId| {
            let view = body.view(inst);
            let operands: Vec<Type> = view.operand_types().cloned().collect();
            let results: Vec<Type> = view.result_types().cloned().collect();
            let parts = work(&analysis, inst, &operands, &results).parts(&machine.device);
            Least { work: parts.arithmetic.0.max(parts.memory.0) / devices, launches: parts.launch.0 }
        };
        let (mut forward, mut path) = (vec![Least::default(); staged.count], Least::default());
        let mut whole = Least::default();
        for (at, inst) in step.inside.iter().enumerate() {
            // What is of no segment only counts turns, or is made anew where it is read.
            let Some((segment, part)) = staged.stage[at].zip(staged.part[at]) else { continue };
            let (own, count) = (least(*inst), stands_for[*inst] as f64);
            whole.add(own, self.microbatches as f64 * count);
            if part == Part::Forward {
                forward[segment].add(own, 1.0);
            }
            if is_on_path(part, short.parts_of) {
                path.add(own, count);
            }
        }
        for inst in &step.behind {
            whole.add(least(*inst), stands_for[*inst] as f64);
        }
        Ok(LeastOfStep { whole, forward, path })
    }

    pub(super) fn step(&self) -> Result<Step<'_>, CompileError> {
        self.cut.step().map_err(|refusal| self.cut.refused(&refusal))
    }
}

/// A short step taken apart: what all shardings of it share.
pub(super) struct Parts<'c> {
    pub(super) cut: &'c Cut,
    pub(super) step: Step<'c>,
    staged: Staged,
    pieces: Vec<Piece>,
    pub(super) stands_for: StandsFor,
}

impl ShortCut {
    /// Takes it apart. The only way to keep less there is, is that of the step: forward passes write nothing then that is made
    /// again.
    pub(super) fn parts(&self, short: &Short) -> Result<Parts<'_>, CompileError> {
        let mut step = self.step()?;
        if let [only] = &short.again[..] {
            step.make_again(&self.cut.microbatched, &only.insts);
        }
        let staged = at_all_places(&step);
        let pieces = donating_pieces(&self.cut, &step, &staged, Copies::One);
        let homes = Homes::of(&step, &staged, &short.counts());
        let mut stands_for = short.stands_for(&homes);
        leave_out_the_loop(&mut stands_for, &step, &pieces);
        let is_parameter = |index: usize| self.cut.role(index) == Role::Parameter;
        made_anew::count(&mut stands_for, &step, &staged, self.microbatches, &is_parameter);
        Ok(Parts { cut: &self.cut, step, staged, pieces, stands_for })
    }
}

/// Has what no program of a stage has count as nothing: what only counts and begins the loop over microbatches.
fn leave_out_the_loop(stands_for: &mut StandsFor, step: &Step<'_>, pieces: &[Piece]) {
    let body = step.body();
    let of_pieces: BTreeSet<InstId> =
        pieces.iter().flat_map(|piece| piece.insts.values().copied().flatten()).collect();
    let is_left_out = |inst: &InstId| !of_pieces.contains(inst) && body.insts[*inst].regions.is_empty();
    // What is inside of an instruction is where that is.
    let inside: BTreeSet<InstId> = of_pieces
        .iter()
        .flat_map(|inst| &body.insts[*inst].regions)
        .flat_map(|region| body.walk(*region))
        .collect();
    for inst in body.walk(body.entry()).iter().filter(|inst| is_left_out(inst) && !inside.contains(inst)) {
        stands_for.insts[*inst] = 0;
    }
}

impl Parts<'_> {
    /// What is known of its pieces, however they are sharded.
    pub(super) fn analyses(&self, machine: &Machine) -> Vec<Analysis<'_>> {
        analyses(&self.pieces, machine)
    }

    /// Prices the segments with shardings of the step; `part` is what a group has of the machine.
    pub(super) fn segments(
        &self,
        searched: Searched,
        analyses: &[Analysis<'_>],
        short: &Short,
        machine: &Machine,
        part: &Machine,
    ) -> Segments {
        let Searched { inner, bound, seconds, peak, memory, others } = searched;
        let Self { cut, step, staged, pieces, .. } = self;
        let groups = (machine.num_devices() / part.num_devices()) as u64;
        let alike: Vec<u64> = short.counts().iter().map(|count| (count / groups).max(1)).collect();
        let handed = Handed::of(step, staged, &|_| inner.whole());
        let kept_apart = Handed::default();
        let priced = |handed| Priced {
            cut,
            step,
            staged,
            pieces,
            analyses,
            on: OnStages::Alike(&inner, part),
            handed,
            alike: Some(&alike),
            loops: None,
            machine,
        };
        let (priced, apart) = (priced(&handed), priced(&kept_apart));
        let phases = (0..staged.count).flat_map(|stage| {
            [Phase::InputGradient, Phase::WeightGradient].map(|phase| ProgramId { stage, phase })
        });
        let figures = priced.stages(&phases.collect()).into_iter().enumerate();
        let each = figures
            .map(|(number, figures)| segment((&priced, &apart), number, figures, &short.again))
            .collect();
        let once = priced.once().into_iter().map(|own| OnceBytes {
            reader: own.reader,
            home: own.home,
            gradients: priced.bytes(own.reader, own.gradients),
            state: priced.bytes(own.reader, own.state),
        });
        let (rounds, runs, once) = (staged.update.phases(), Runs::of(cut, step), once.collect());
        Segments { inner: Arc::new(inner), each, rounds, runs, once, bound, seconds, peak, memory, others }
    }

    /// What is known of the step as a whole, in which instructions stand for others, however it is sharded.
    pub(super) fn of_all(&self, machine: &Machine) -> Analysis<'_> {
        let StandsFor { insts, carried } = &self.stands_for;
        let all = Analysis::on(self.step.function, machine.device.platform);
        all.standing_for(insts.clone(), carried.clone())
    }
}

/// A short step taken apart, with what is known of its pieces.
#[derive(Clone, Copy)]
pub(super) struct Apart<'p> {
    pub(super) parts: &'p Parts<'p>,
    pub(super) analyses: &'p [Analysis<'p>],
    pub(super) searches: &'p Searches<'p>,
}

impl Group<'_> {
    /// What is to be sharded over the part: a step whose instructions stand for others.
    fn wanted<'w>(&'w self, cut: &'w Cut, stands_for: &'w StandsFor) -> Wanted<'w> {
        Wanted {
            program: self.program,
            function: &cut.microbatched.made.function,
            origins: &cut.origins,
            stands_for,
            machine: self.part,
            options: self.options,
            is_for_bound: false,
            others: 0,
            reshards: self.reshards,
        }
    }

    /// The short step, to be sharded over the part.
    ///
    /// # Errors
    /// A mesh that does not fit.
    pub(super) fn searchable<'w>(
        &'w self,
        parts: &'w Parts<'w>,
        control: &dyn Control,
    ) -> Result<Searchable<'w>, CompileError> {
        let wanted = Wanted { others: OTHERS, ..self.wanted(parts.cut, &parts.stands_for) };
        Searchable::of(wanted, control)
    }

    /// Shards a short step within so much memory, and prices its segments. Only what takes less than `faster_than` on the
    /// devices of one group is of interest.
    pub(super) fn segments(
        &self,
        Apart { parts, analyses, searches }: Apart<'_>,
        memory: Bytes,
        faster_than: Option<Seconds>,
    ) -> Result<Segments, CompileError> {
        let Self { short, machine, part, .. } = *self;
        let searched = searches.within(memory, faster_than)?;
        Ok(parts.segments(searched, analyses, short, machine, part))
    }

    /// Prices the segments with other shardings, of which this bound holds too.
    pub(super) fn otherwise(
        &self,
        Apart { parts, analyses, .. }: Apart<'_>,
        Other { inner, seconds, peak }: Other,
        (bound, memory): (Seconds, Bytes),
    ) -> Segments {
        let Self { short, machine, part, .. } = *self;
        let searched = Searched { inner, bound, seconds, peak, memory, others: Vec::new() };
        parts.segments(searched, analyses, short, machine, part)
    }
}

/// Whether a part of a step is on the way of a microbatch through all stages and back: gradients of parameters may be made
/// behind it, but those of slices are made at once with those of inputs.
fn is_on_path(part: Part, parts_of: PartsOf) -> bool {
    match part {
        Part::Forward | Part::InputGradient => true,
        Part::WeightGradient => parts_of == PartsOf::Sequence,
        _ => false,
    }
}

impl Group<'_> {
    /// Seconds that all microbatches take at least on the devices of one group, however the step is sharded and however much memory
    /// there is; what is at least `enough` may be less than that.
    pub(super) fn whole(
        &self,
        short_cut: &ShortCut,
        enough: Seconds,
        control: &dyn Control,
    ) -> Result<Seconds, CompileError> {
        let parts = short_cut.parts(self.short)?;
        bound(self.wanted(parts.cut, &parts.stands_for), (Bytes(u64::MAX), Some(enough)), control)
    }

    /// Seconds that one microbatch takes at least through all stages and back, however the step is sharded; what is at
    /// least `enough` may be less than that.
    pub(super) fn path(
        &self,
        short_cut: &ShortCut,
        memory: Bytes,
        enough: Option<f64>,
        control: &dyn Control,
    ) -> Result<f64, CompileError> {
        let Self { short, .. } = *self;
        let step = short_cut.step()?;
        let staged = at_all_places(&step);
        let counts = short.counts();
        let body = step.body();
        let mut insts: Table<InstId, u64> = Table::filled(0, body.insts.len());
        let mut carried = Table::filled(0, body.values.len());
        for (at, inst) in step.inside.iter().enumerate() {
            if let (Some(segment), Some(part)) = (staged.stage[at], staged.part[at])
                && is_on_path(part, short.parts_of)
            {
                insts[*inst] = counts[segment];
                for inner in body.insts[*inst].regions.iter().flat_map(|region| body.walk(*region)) {
                    insts[inner] = counts[segment];
                    body.insts[inner].operands.iter().for_each(|value| carried[*value] = counts[segment]);
                }
            }
        }
        let faster_than = enough.map(|enough| Seconds(enough * short_cut.microbatches as f64));
        let stands_for = StandsFor { insts, carried };
        let bound = bound(self.wanted(&short_cut.cut, &stands_for), (memory, faster_than), control)?;
        Ok(bound.0 / short_cut.microbatches as f64)
    }
}

/// Seconds that a step takes at least within so much memory; what does not take less than a time may be less than that.
fn bound(
    wanted: Wanted<'_>,
    (memory, faster_than): (Bytes, Option<Seconds>),
    control: &dyn Control,
) -> Result<Seconds, CompileError> {
    let searchable = Searchable::of(Wanted { is_for_bound: true, ..wanted }, control)?;
    let analysis = searchable.analysis();
    Ok(searchable.searches(&analysis, control).within(memory, faster_than)?.bound)
}

/// Prices a segment, whose backward pass reads copies that its forward pass has made, or makes them anew where that is
/// `apart`.
fn segment(
    (priced, apart): (&Priced<'_>, &Priced<'_>),
    number: usize,
    figures: StageFigures,
    again: &[Again],
) -> Segment {
    let backward =
        |of: &Priced<'_>| of.piece(number, Phase::Backward).map_or(Seconds::ZERO, |piece| of.seconds(piece));
    let (kept, forward) = (priced.kept(number), priced.each_forward(number));
    let way = |of: &Priced<'_>, more: Seconds, way: &Again| {
        let kept = without(of, number, &kept, &way.insts, &forward);
        Kept { seconds: kept.seconds + more, ..kept }
    };
    let copied: Vec<Kept> = again.iter().map(|own| way(priced, Seconds::ZERO, own)).collect();
    let (together, hands_over) = (backward(priced), priced.handed.is_of(number));
    // What hands nothing over otherwise makes nothing anew.
    let anew = match hands_over {
        true => {
            let more = Seconds((backward(apart).0 - together.0).max(0.0));
            again.iter().map(|own| way(apart, more, own)).collect()
        }
        false => copied.clone(),
    };
    let ways = [copied, anew].concat();
    let backward = together;
    Segment { figures, backward, ways }
}

/// What is said of a stage that gathers parameters again, behind what it makes again.
pub(crate) const GATHERS_AGAIN: &str = ", gathers again";

/// What a stage makes again in its backward pass if its segments keep less in this way, one of [`Segment::ways`].
pub(super) fn words(again: &[Again], way: usize) -> String {
    let own = &again[way % again.len()].words;
    match way / again.len() {
        0 => own.clone(),
        _ => format!("{own}{GATHERS_AGAIN}"),
    }
}

/// What is kept if these instructions run again: what they read instead of what they make.
fn without(
    priced: &Priced<'_>,
    number: usize,
    kept: &BTreeSet<ValueId>,
    again: &BTreeSet<InstId>,
    seconds: &BTreeMap<InstId, f64>,
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
    let seconds = made.iter().filter_map(|at| seconds.get(&step.inside[*at])).sum();
    Kept { bytes: priced.bytes(number, left), seconds: Seconds(seconds) }
}

fn is_forward(staged: &Staged, number: usize, at: usize) -> bool {
    staged.stage[at] == Some(number) && staged.part[at] == Some(Part::Forward)
}
