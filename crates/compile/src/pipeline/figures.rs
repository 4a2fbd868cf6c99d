//! What a pipeline is predicted to take.
//!
//! Input: the pieces of a step, how they are sharded, the machine and the table. Output: [`PipelineFigures`]: seconds and
//! bytes of each stage, and the timeline of the table with them. A phase takes what its function takes before passes over
//! the local program; what goes to a neighbor is a permute between two groups.

use meshwright_analyze::Role;
use meshwright_cost::estimate::{each_event, seconds_among};
use meshwright_cost::{Analysis, Lowering, memory::memory_on};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{self, InstId, ValueId};
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::plan_file::{PlanShared, PlanStageTimes, PlanTimes, PlanTransfer};
use meshwright_plan::{
    DevicePrograms, Phase, PhaseProgram, ProgramId, Schedule, Shardings, StepPart, Table, Timeline,
};
use meshwright_simulate::{Boundary, Bubbles, Costs, Shared, StageCosts};
use meshwright_stage::{Part, Piece, Port, Staged, Step};
use std::collections::{BTreeMap, BTreeSet};

use super::cut::Cut;
use super::groups::{On, OnStages};
use super::handed::Handed;
use super::looped::Beside;
use super::once::{Once, once};
use super::simulated::{rounds_of, simulated};
use super::transfers::{Links, Ways};
use crate::mesh::placed;

/// Figures of a pipeline.
#[derive(Clone, Debug)]
pub struct PipelineFigures {
    /// Those of each stage.
    pub stages: Vec<StageFigures>,
    /// What runs when.
    pub timeline: Timeline,
}

/// Figures of a stage; seconds of one microbatch, bytes on each of its devices.
#[derive(Clone, Debug, Default)]
pub struct StageFigures {
    /// The groups that it is on: two if it has two copies.
    pub groups: Vec<usize>,
    /// The first and the last instruction of its forward pass, in the order of the text.
    pub source: Option<(Span, Span)>,
    /// The parameters that it reads, as arguments of the step or layers of them.
    pub parameters: Vec<StepPart>,
    /// Seconds of the copies of its parameters, once in a step.
    pub copies: Seconds,
    /// Seconds of the pass before all others.
    pub prepass: Seconds,
    /// Seconds of the forward pass.
    pub forward: Seconds,
    /// Seconds of the gradients of what it received; of both gradients if the table does not part them.
    pub input_gradient: Seconds,
    /// Seconds of the gradients of its parameters.
    pub weight_gradient: Seconds,
    /// Seconds of its part of the update, once in a step.
    pub update: Seconds,
    /// Bytes of parameters and of what is updated with them.
    pub state: Bytes,
    /// Bytes of copies of its parameters, which it keeps for all microbatches.
    pub copied: Bytes,
    /// Bytes of the accumulators of its gradients.
    pub gathered: Bytes,
    /// Bytes that its largest program needs beside its arguments.
    pub working: Bytes,
    /// Bytes that are kept of a microbatch from its forward to its backward pass.
    pub kept: Bytes,
    /// Bytes of them, or that its gradients of inputs make, that are kept until the gradients of parameters are made.
    pub kept_for_weights: Bytes,
    /// Bytes of a microbatch that go to later stages, and values.
    pub up: (Bytes, usize),
    /// Bytes of a microbatch that come back from them.
    pub down: (Bytes, usize),
}

impl StageFigures {
    /// Seconds of a microbatch.
    pub fn work(&self) -> Seconds {
        self.forward + self.input_gradient + self.weight_gradient
    }

    /// Bytes that are there through all microbatches: state, copies of parameters, and accumulators.
    pub fn held(&self) -> Bytes {
        Bytes(self.state.0 + self.copied.0 + self.gathered.0)
    }
}

impl PipelineFigures {
    /// Returns whether gradients of weights are made apart from those of inputs, by phases of their own.
    pub fn weights_are_apart(&self) -> bool {
        self.stages.iter().any(|stage| stage.weight_gradient.0 > 0.0)
    }

    /// Seconds of a step, the update included.
    pub fn step(&self) -> Seconds {
        Seconds(self.timeline.step())
    }

    /// Share of the step that groups wait: convention (a).
    pub fn bubble(&self) -> f64 {
        Bubbles::of(&self.timeline).of_total
    }

    /// Bytes that a device of each group needs: state and accumulators of its stages, what is kept of microbatches when most
    /// is, and the largest of its programs.
    pub fn memory(&self) -> Vec<Bytes> {
        let of_group = |group: usize| {
            let own = || self.stages.iter().filter(move |stage| stage.groups.contains(&group));
            let held: u64 = own().map(|stage| stage.held().0).sum();
            let working = own().map(|stage| stage.working.0).max().unwrap_or(0);
            Bytes(held + working + self.timeline.peak(group) as u64)
        };
        (0..self.timeline.groups.len()).map(of_group).collect()
    }

    /// Seconds of the stage that takes longest, by their mean: 1 if all are equal.
    pub fn imbalance(&self) -> f64 {
        let work = self.stages.iter().map(|stage| stage.work().0);
        let (longest, sum) = work.fold((0.0_f64, 0.0), |(longest, sum), own| (longest.max(own), sum + own));
        if sum > 0.0 { longest * self.stages.len() as f64 / sum } else { 1.0 }
    }
}

/// A pipeline of which figures are wanted.
pub(super) struct Priced<'a> {
    pub(super) cut: &'a Cut,
    pub(super) step: &'a Step<'a>,
    pub(super) staged: &'a Staged,
    pub(super) pieces: &'a [Piece],
    /// What is known of each piece, however it is sharded.
    pub(super) analyses: &'a [Analysis<'a>],
    /// How the group of each stage is sharded.
    pub(super) on: OnStages<'a>,
    pub(super) handed: &'a Handed,
    /// How many stages like each one a program has; one, if not given.
    pub(super) alike: Option<&'a [u64]>,
    /// What the loops over layers of its programs take, if they have some.
    pub(super) loops: Option<&'a BTreeMap<ProgramId, Beside>>,
    /// The whole machine.
    pub(super) machine: &'a Machine,
}

/// What is known of pieces, however they are sharded.
pub(super) fn analyses<'a>(pieces: &'a [Piece], machine: &Machine) -> Vec<Analysis<'a>> {
    pieces.iter().map(|piece| Analysis::on(&piece.function, machine.device.platform)).collect()
}

/// Bytes that a device of each group needs, event by event of its row, where programs need so many beside what they take.
pub(super) fn memory(programs: &DevicePrograms, beyond: &BTreeMap<ProgramId, u64>) -> Vec<Bytes> {
    let needs = |id: ProgramId| beyond.get(&id).copied().unwrap_or(0);
    (0..programs.groups.len()).map(|group| Bytes(programs.peak_bytes(group, &needs))).collect()
}

impl Priced<'_> {
    /// Figures of a table, whose stages are on these groups, and these on these devices of the machine.
    pub(super) fn figures(
        &self,
        table: &Table<'_>,
        schedule: &Schedule,
        groups: &[Vec<usize>],
        devices: &[&[usize]],
    ) -> PipelineFigures {
        let used: BTreeSet<ProgramId> =
            (0..table.events.len()).filter_map(|at| Some(table.action(at)?.program)).collect();
        let mut stages = self.stages(&used);
        for (stage, groups) in stages.iter_mut().zip(groups) {
            stage.groups.clone_from(groups);
        }
        let costs = self.costs(&stages, devices);
        let timeline = simulated(table, schedule, &rounds_of(&self.staged.update), &costs);
        PipelineFigures { stages, timeline }
    }

    /// Figures of the stages if these programs run, without their groups.
    pub(super) fn stages(&self, used: &BTreeSet<ProgramId>) -> Vec<StageFigures> {
        (0..self.staged.count).map(|stage| self.stage(stage, used)).collect()
    }

    /// The same as a simulation takes them, with groups on these devices of the machine.
    pub(super) fn costs(&self, stages: &[StageFigures], devices: &[&[usize]]) -> Costs {
        let rounds = rounds_of(&self.staged.update).len();
        let mut links = Links::new(self.machine, devices);
        Costs {
            boundaries: (1..stages.len()).map(|next| self.boundary(stages, next, &mut links)).collect(),
            stages: stages.iter().map(|stage| costs(stage, rounds)).collect(),
            shared: self.once().iter().map(|own| self.shared(own, stages, &mut links)).collect(),
            slowdowns: BTreeMap::new(),
        }
    }

    /// What a plan says of these stages, for whatever table they are put into.
    pub(super) fn times(&self, stages: &[StageFigures], devices: &[&[usize]], memory: &[Bytes]) -> PlanTimes {
        let of_stage = |(number, own): (usize, &StageFigures)| {
            let seconds = |phase| self.piece(number, phase).map_or(0.0, |piece| self.seconds(piece).0);
            PlanStageTimes {
                copies_seconds: own.copies.0,
                prepass_seconds: own.prepass.0,
                forward_seconds: own.forward.0,
                backward_seconds: seconds(Phase::Backward),
                input_gradient_seconds: seconds(Phase::InputGradient),
                weight_gradient_seconds: seconds(Phase::WeightGradient),
                update_seconds: own.update.0,
                held_bytes: own.held().0,
                working_bytes: own.working.0,
                kept_bytes: own.kept.0,
                kept_for_weights_bytes: own.kept_for_weights.0,
            }
        };
        let Costs { boundaries, shared: once, .. } = self.costs(stages, devices);
        let shared = |own: Shared| PlanShared {
            reader: own.reader,
            home: own.home,
            gradients_seconds: own.gradients,
            state_seconds: own.state,
        };
        let transfer = |own: &Boundary| PlanTransfer { up_seconds: own.up, down_seconds: own.down };
        PlanTimes {
            update_rounds: rounds_of(&self.staged.update).len(),
            stages: stages.iter().enumerate().map(of_stage).collect(),
            transfers: boundaries.iter().map(transfer).collect(),
            shared: once.into_iter().map(shared).collect(),
            group_bytes: memory.iter().map(|bytes| bytes.0).collect(),
        }
    }

    /// Seconds between a stage and the one before it.
    fn boundary(&self, stages: &[StageFigures], next: usize, links: &mut Links<'_>) -> Boundary {
        let own = next - 1;
        let OnStages::Each(on) = &self.on else {
            return boundary(&stages[own], &stages[next], links);
        };
        Boundary {
            up: self.unlike(&on[own], &on[next], &self.crossing(|from, to| from <= own && to > own)),
            down: self.unlike(&on[next], &on[own], &self.crossing(|from, to| from >= next && to < next)),
        }
    }

    /// Seconds of values from one group to another that is not sharded like it.
    fn unlike(&self, from: &On<'_>, to: &On<'_>, values: &BTreeSet<ValueId>) -> f64 {
        let ways = Ways { body: self.step.body(), handed: self.handed, machine: self.machine };
        ways.seconds(from, to, values).0
    }

    /// What goes between stages once in a step.
    pub(super) fn once(&self) -> Vec<Once> {
        once(self.cut, self.step, self.staged, self.pieces)
    }

    /// Seconds of it, with the stages on their groups. Copies of a stage are sharded alike.
    fn shared(&self, own: &Once, stages: &[StageFigures], links: &mut Links<'_>) -> Shared {
        let Once { reader, home, gradients, state } = own;
        let (gradients, state) = match &self.on {
            OnStages::Each(on) if reader != home => (
                self.unlike(&on[*reader], &on[*home], gradients),
                self.unlike(&on[*home], &on[*reader], state),
            ),
            _ => {
                let bytes = |values: &BTreeSet<ValueId>| self.bytes(*reader, values.iter().copied());
                once_seconds((&stages[*reader], &stages[*home]), (bytes(gradients), bytes(state)), links)
            }
        };
        Shared { reader: *reader, home: *home, gradients, state }
    }

    fn stage(&self, stage: usize, used: &BTreeSet<ProgramId>) -> StageFigures {
        let seconds =
            |phase: Phase| self.piece(stage, phase).map_or(Seconds::ZERO, |piece| self.seconds(piece));
        let is_used = |phase: Phase| used.contains(&ProgramId { stage, phase });
        let parts_gradients = is_used(Phase::InputGradient) || is_used(Phase::WeightGradient);
        let (input_gradient, weight_gradient) = match parts_gradients {
            true => (seconds(Phase::InputGradient), seconds(Phase::WeightGradient)),
            false => (seconds(Phase::Backward), Seconds::ZERO),
        };
        let update = self.staged.update.usual_phases().into_iter();
        let readers = &self.staged.update.readers;
        let state = self.arguments(stage).into_iter().filter(|index| self.cut.role(*index) != Role::Data);
        let args = self.step.function.args();
        let own = self.pieces.iter().filter(|piece| piece.id.stage == stage);
        StageFigures {
            groups: Vec::new(),
            source: self.source(stage),
            parameters: (0..readers.len())
                .filter(|index| readers[*index].contains(&stage))
                .map(|index| self.cut.parts.arguments[index])
                .collect(),
            copies: seconds(Phase::Copies),
            prepass: seconds(Phase::Prepass),
            forward: seconds(Phase::Forward),
            input_gradient,
            weight_gradient,
            update: update.map(seconds).sum(),
            state: self.bytes(stage, state.map(|index| args[index]).chain(self.earlier(stage))),
            copied: self.copied(stage),
            gathered: self.gathered(stage),
            working: own.map(|piece| self.working_beside_copies(piece)).max().unwrap_or_default(),
            kept: self.bytes(stage, self.kept(stage)),
            kept_for_weights: self.bytes(stage, self.kept_for_weights(stage)),
            up: self.size(stage, self.crossing(|from, to| from <= stage && to > stage)),
            down: self.size(stage, self.crossing(|from, to| from >= stage && to < stage)),
        }
    }

    pub(super) fn piece(&self, stage: usize, phase: Phase) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.id == ProgramId { stage, phase })
    }

    pub(super) fn seconds(&self, piece: &Piece) -> Seconds {
        let alike = self.alike.map_or(1, |alike| alike[piece.id.stage]);
        let (shardings, analysis) = (self.of_piece(piece), self.analysis(piece));
        let placement = placed(self.on.of(piece.id.stage).1, &shardings.mesh);
        let written_out = seconds_among(&Lowering::new(analysis, &shardings), &placement, alike);
        Seconds((written_out.0 + self.loops_of(piece).seconds).max(0.0))
    }

    /// What the loops of a program take.
    fn loops_of(&self, piece: &Piece) -> Beside {
        self.loops.and_then(|loops| loops.get(&piece.id)).copied().unwrap_or_default()
    }

    pub(super) fn analysis(&self, piece: &Piece) -> &Analysis<'_> {
        let own = self.pieces.iter().position(|own| own.id == piece.id);
        &self.analyses[own.expect("it is one of the pieces")]
    }

    pub(super) fn of_piece(&self, piece: &Piece) -> Shardings {
        self.on.of(piece.id.stage).0.of_piece(piece, self.handed)
    }

    /// Seconds of each instruction of a stage's forward pass, with what brings its operands to it and with what is inside.
    pub(super) fn each_forward(&self, stage: usize) -> BTreeMap<InstId, f64> {
        let mut each = BTreeMap::new();
        let Some(piece) = self.piece(stage, Phase::Forward) else { return each };
        let shardings = self.of_piece(piece);
        let analysis = self.analysis(piece);
        let placement = placed(self.on.of(stage).1, &shardings.mesh);
        let body = &piece.function.body;
        let mut outermost: ids::Table<InstId, Option<InstId>> = ids::Table::filled(None, body.insts.len());
        for inst in &body.regions[body.entry()].insts {
            outermost[*inst] = piece.insts[*inst];
            for inner in body.insts[*inst].regions.iter().flat_map(|region| body.walk(*region)) {
                outermost[inner] = piece.insts[*inst];
            }
        }
        each_event(&Lowering::new(analysis, &shardings), &placement, &mut |event, took| {
            if let Some(inst) = outermost[event.inst()] {
                *each.entry(inst).or_default() += took.seconds.0;
            }
        });
        each
    }

    /// Bytes that a program needs beside its arguments.
    pub(super) fn working(&self, piece: &Piece) -> Bytes {
        self.working_as(piece, self.analysis(piece))
    }

    /// The same where what it makes of parameters is counted with what is there through all microbatches.
    fn working_beside_copies(&self, piece: &Piece) -> Bytes {
        let made = if piece.id.phase == Phase::Copies { self.copied(piece.id.stage).0 } else { 0 };
        Bytes(self.working(piece).0.saturating_sub(made))
    }

    /// The same of a piece of which this is known.
    fn working_as(&self, piece: &Piece, analysis: &Analysis<'_>) -> Bytes {
        let taken = piece.function.args().iter().filter_map(|arg| piece.values[*arg]);
        let taken = self.bytes(piece.id.stage, taken.collect::<Vec<_>>());
        let shardings = self.of_piece(piece);
        let peak = memory_on(&Lowering::new(analysis, &shardings), self.machine.device.platform).peak;
        Bytes(self.loops_of(piece).working(peak.0.saturating_sub(taken.0)))
    }

    /// Bytes that each program needs beside what it takes: what it writes over that needs no other place.
    pub(super) fn beyond(&self, programs: &DevicePrograms) -> BTreeMap<ProgramId, u64> {
        let beyond = |(id, program): (&ProgramId, &PhaseProgram)| {
            let piece = self.piece_of(*id)?;
            let Some(donating) = self.donating(piece, program) else {
                return Some((*id, self.working(piece).0));
            };
            let analysis = Analysis::on(&donating.function, self.machine.device.platform);
            Some((*id, self.working_as(&donating, &analysis).0))
        };
        programs.programs.iter().filter_map(beyond).collect()
    }

    /// A piece that writes over what its program does; none if it does so as it is.
    pub(super) fn donating(&self, piece: &Piece, program: &PhaseProgram) -> Option<Piece> {
        let main = program.device.program.main()?;
        let is_alike = |index: usize| piece.function.donation(index) == main.donation(index);
        if (0..piece.takes.len()).all(is_alike) {
            return None;
        }
        let mut donating = piece.clone();
        donating.function.arg_attributes.clone_from(&main.arg_attributes);
        Some(donating)
    }

    /// The piece that a program was made of: copies of stages have the pieces of the first ones.
    pub(super) fn piece_of(&self, id: ProgramId) -> Option<&Piece> {
        let own = ProgramId { stage: id.stage % self.staged.count.max(1), ..id };
        self.pieces.iter().find(|piece| piece.id == own)
    }

    /// Bytes of the copies of parameters of a stage.
    fn copied(&self, stage: usize) -> Bytes {
        let given = self.piece(stage, Phase::Copies).map_or(&[][..], |piece| &piece.gives);
        let value = |port: &Port| match port {
            Port::Copy(value) => Some(*value),
            _ => None,
        };
        self.bytes(stage, given.iter().filter_map(value))
    }

    /// Bytes of what a stage adds up, as its turns add to it.
    fn gathered(&self, stage: usize) -> Bytes {
        let points = self.step.points.iter().zip(&self.staged.update.homes);
        self.bytes(stage, points.filter(|(_, home)| **home == stage).map(|(point, _)| point.before))
    }

    /// Bytes of values on a device of a stage's group.
    pub(super) fn bytes(&self, stage: usize, values: impl IntoIterator<Item = ValueId>) -> Bytes {
        let inner = self.on.of(stage).0;
        let bytes = |value: ValueId| inner.local_bytes(self.step.body(), self.handed, value);
        Bytes(values.into_iter().map(bytes).sum())
    }

    /// The parameters of earlier steps that the pieces of a stage take.
    fn earlier(&self, stage: usize) -> Vec<ValueId> {
        let own = self.pieces.iter().filter(|piece| piece.id.stage == stage).flat_map(|piece| &piece.takes);
        let earlier = own.filter_map(|port| match port {
            Port::Earlier(index, depth) => Some((*index, *depth)),
            _ => None,
        });
        let earlier: BTreeSet<(usize, usize)> = earlier.collect();
        earlier.into_iter().map(|(index, _)| self.step.function.args()[index]).collect()
    }

    /// The arguments of the step that the pieces of a stage take.
    fn arguments(&self, stage: usize) -> BTreeSet<usize> {
        let own = self.pieces.iter().filter(|piece| piece.id.stage == stage);
        own.flat_map(|piece| &piece.takes)
            .filter_map(|port| match port {
                Port::Argument(index) => Some(*index),
                _ => None,
            })
            .collect()
    }

    /// The values of a microbatch that are there behind its forward pass, and read backward.
    pub(super) fn kept(&self, stage: usize) -> BTreeSet<ValueId> {
        let values = |ports: &[Port]| -> BTreeSet<ValueId> {
            ports
                .iter()
                .filter_map(|port| match port {
                    Port::Value(value) => Some(*value),
                    _ => None,
                })
                .collect()
        };
        let Some(forward) = self.piece(stage, Phase::Forward) else { return BTreeSet::new() };
        let there: BTreeSet<ValueId> =
            values(&forward.takes).union(&values(&forward.gives)).copied().collect();
        let backward = [Phase::InputGradient, Phase::WeightGradient, Phase::Backward];
        let read = backward.into_iter().filter_map(|phase| self.piece(stage, phase));
        let read: BTreeSet<ValueId> = read.flat_map(|piece| values(&piece.takes)).collect();
        there.intersection(&read).copied().collect()
    }

    /// The values of a microbatch that its gradients of parameters read.
    fn kept_for_weights(&self, stage: usize) -> BTreeSet<ValueId> {
        let taken = self.piece(stage, Phase::WeightGradient).map_or(&[][..], |piece| &piece.takes);
        let value = |port: &Port| match port {
            Port::Value(value) => Some(*value),
            _ => None,
        };
        taken.iter().filter_map(value).collect()
    }

    /// What a turn hands from stages to others, for which `is_meant` holds of both.
    fn crossing(&self, is_meant: impl Fn(usize, usize) -> bool) -> BTreeSet<ValueId> {
        let mut values = BTreeSet::new();
        for (at, inst) in self.step.inside.iter().enumerate() {
            let Some(from) = self.staged.stage[at] else { continue };
            for value in &self.step.body().insts[*inst].results {
                let readers =
                    self.step.readers(*value).iter().filter_map(|reader| self.staged.stage[*reader]);
                if readers.into_iter().any(|to| is_meant(from, to)) {
                    values.insert(*value);
                }
            }
        }
        values
    }

    /// Bytes of values on a device of a stage's group, and how many they are.
    fn size(&self, stage: usize, values: BTreeSet<ValueId>) -> (Bytes, usize) {
        let count = values.len();
        (self.bytes(stage, values), count)
    }

    /// The first and the last place in the source of what a stage computes forward.
    fn source(&self, stage: usize) -> Option<(Span, Span)> {
        let is_own = |at: &usize| {
            self.staged.stage[*at] == Some(stage) && self.staged.part[*at] == Some(Part::Forward)
        };
        let own = (0..self.step.inside.len()).filter(is_own);
        let spans = own.map(|at| self.step.body().insts[self.step.inside[at]].span);
        // What was inlined stands elsewhere.
        let spans: Vec<Span> = spans.filter(|span| self.cut.is_of_entry(*span)).collect();
        let first = spans.iter().min_by_key(|span| span.start)?;
        let last = spans.iter().max_by_key(|span| span.start)?;
        Some((*first, *last))
    }
}

/// Seconds between two neighbors on groups that are sharded alike.
pub(super) fn boundary(own: &StageFigures, next: &StageFigures, links: &mut Links<'_>) -> Boundary {
    Boundary {
        up: links.between(&own.groups, &next.groups, own.up.0),
        down: links.between(&next.groups, &own.groups, next.down.0),
    }
}

/// Seconds of gradients from a stage that reads what another one updates, and of state that comes back, on groups that are
/// sharded alike. Of copies that there are not it is what they take at most.
pub(super) fn once_seconds(
    (reader, home): (&StageFigures, &StageFigures),
    (gradients, state): (Bytes, Bytes),
    links: &mut Links<'_>,
) -> (f64, f64) {
    let first = home.groups.first().copied();
    let others: Vec<usize> = reader.groups.iter().copied().filter(|group| Some(*group) != first).collect();
    let homes = vec![first.unwrap_or(0); others.len()];
    (links.between(&others, &homes, gradients), links.between(&homes, &others, state))
}

pub(super) fn costs(stage: &StageFigures, rounds: usize) -> StageCosts {
    StageCosts {
        copies: stage.copies.0,
        prepass: stage.prepass.0,
        forward: stage.forward.0,
        input_gradient: stage.input_gradient.0,
        weight_gradient: stage.weight_gradient.0,
        update: stage.update.0 / rounds.max(1) as f64,
        kept: stage.kept.0 as f64,
        kept_for_weights: stage.kept_for_weights.0 as f64,
    }
}
