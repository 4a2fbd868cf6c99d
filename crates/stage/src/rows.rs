//! Rows of events: the actions of a table of stages, with what groups hand to one another between them.
//!
//! Input: the pieces of a step and a table of actions. Output: the [`Schedule`] with every transfer and the update, and the
//! [`Slot`]s of each piece on its group. A value is handed over as soon as it is made, to each group that reads it; all rows
//! are parts of the one order in which the table's actions can happen, so that nothing waits forever. Actions for which a
//! stage has nothing to do are left out; copies of parameters are made before all others of a group.
//!
//! A stage that stands in two rows has two copies of its weights. The second copies are stages of their own, numbered
//! behind all others; they gather for themselves, and the update of the first ones adds up both.

use crate::pieces::Copies;
use crate::{Delayed, Piece, Port, Staged, Step};
use meshwright_ir::ids::{Id as _, InstId, ValueId};
use meshwright_plan::{Action, Event, Phase, ProgramId, Schedule, Slot, StepPart, Table, Transfer};
use std::collections::{BTreeMap, BTreeSet};

/// Groups of a table's stages: for each stage those whose rows it is in, the first ones first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed(pub Vec<Vec<usize>>);

impl Placed {
    /// Places of a table's stages; nothing if a microbatch passes through copies that do not belong together.
    pub fn of(table: &Table<'_>) -> Option<Self> {
        // Every stage runs for every microbatch.
        let mut group = vec![None; table.num_stages * table.num_microbatches];
        let at = |stage: usize, microbatch: usize| stage * table.num_microbatches + microbatch;
        for event in table.rows.iter().flatten() {
            let action = table.action(*event);
            if let Some((action, microbatch)) = action.and_then(|action| Some((action, action.microbatch?))) {
                group[at(action.program.stage, microbatch)] = Some(table.events[*event].group);
            }
        }
        // A copy of the first stage stands for the pipeline that begins there.
        let mut first = Vec::new();
        for own in (0..table.num_microbatches).filter_map(|microbatch| group[at(0, microbatch)]) {
            if !first.contains(&own) {
                first.push(own);
            }
        }
        let mut groups = vec![vec![None; first.len()]; table.num_stages];
        for (stage, groups) in groups.iter_mut().enumerate() {
            for microbatch in 0..table.num_microbatches {
                let Some(own) = group[at(stage, microbatch)] else { continue };
                let entered = group[at(0, microbatch)]?;
                let number = first.iter().position(|group| *group == entered)?;
                if *groups[number].get_or_insert(own) != own {
                    return None;
                }
            }
        }
        let groups = groups.into_iter().map(|groups| groups.into_iter().collect::<Option<Vec<usize>>>());
        groups.collect::<Option<Vec<_>>>().filter(|groups| groups.iter().all(|own| own.len() < 3)).map(Self)
    }

    /// Copies of the weights of each stage.
    pub fn copies(&self) -> Copies {
        if self.0.iter().any(|groups| groups.len() > 1) { Copies::Two } else { Copies::One }
    }
}

/// A table behind a pass over all microbatches, which goes through the stages in phase `P`; each group runs its stages one
/// after the other.
pub fn behind_prepass(table: &Table<'_>, placed: &Placed, schedule: &Schedule) -> Schedule {
    let groups = &placed.0;
    let mut rows = vec![Vec::new(); table.rows.len()];
    for (stage, groups) in groups.iter().enumerate() {
        let program = ProgramId { stage, phase: Phase::Prepass };
        let actions = (0..table.num_microbatches).map(|at| Action { program, microbatch: Some(at) });
        groups.first().into_iter().for_each(|group| rows[*group].extend(actions.clone().map(Event::Action)));
    }
    for (row, own) in rows.iter_mut().zip(&schedule.rows) {
        row.extend(own.iter().cloned());
    }
    Schedule { rows }
}

/// Pieces on groups of devices.
pub struct Rows<'p> {
    /// Number of stages, each copy once.
    count: usize,
    pieces: BTreeMap<ProgramId, &'p Piece>,
    placed: Placed,
    /// The stages that read each value.
    readers: BTreeMap<Port, BTreeSet<usize>>,
    /// The program that each phase of the table runs.
    stands_for: BTreeMap<ProgramId, ProgramId>,
    /// The stage that makes each value.
    maker: BTreeMap<ValueId, usize>,
    /// The stage of each accumulator.
    homes: Vec<usize>,
    /// Phases of the update, in order.
    update: Vec<Phase>,
    delayed: Option<Delayed>,
    /// Whether forward passes gather what backward passes read of all microbatches.
    gathers_forward: bool,
}

/// A copy of a stage.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Copy {
    stage: usize,
    number: usize,
}

impl<'p> Rows<'p> {
    /// Those of `pieces` that a table runs, and those of the update.
    pub fn new(
        step: &Step<'_>,
        staged: &Staged,
        pieces: &'p [Piece],
        table: &Table<'_>,
        placed: Placed,
    ) -> Self {
        let events = 0..table.events.len();
        let programs: BTreeSet<ProgramId> = events.filter_map(|at| Some(table.action(at)?.program)).collect();
        let stands_for: BTreeMap<ProgramId, ProgramId> =
            programs.into_iter().map(|id| (id, alone(pieces, id))).collect();
        let used: BTreeSet<ProgramId> = stands_for.values().copied().collect();
        let is_used =
            |piece: &&Piece| used.contains(&piece.id) || piece.id.phase == Phase::Copies || is_update(piece);
        let pieces: BTreeMap<ProgramId, &Piece> =
            pieces.iter().filter(is_used).map(|piece| (piece.id, piece)).collect();
        let mut readers: BTreeMap<Port, BTreeSet<usize>> = BTreeMap::new();
        for (id, piece) in &pieces {
            let values = piece.takes.iter().filter(|port| matches!(port, Port::Value(_)));
            values.for_each(|port| {
                readers.entry(*port).or_default().insert(id.stage);
            });
        }
        let mut maker = BTreeMap::new();
        let mut made_by = |inst: InstId, stage: usize| {
            let results = &step.body().insts[inst].results;
            maker.extend(results.iter().map(|value| (*value, stage)));
        };
        for (inst, stage) in step.inside.iter().zip(&staged.stage) {
            stage.iter().for_each(|stage| made_by(*inst, *stage));
        }
        staged.update.sites.iter().for_each(|(inst, site)| made_by(*inst, site.stage));
        let (homes, update) = (staged.update.homes.clone(), staged.update.phases());
        let delayed = staged.delayed.clone();
        Self {
            count: staged.count,
            pieces,
            placed,
            readers,
            stands_for,
            maker,
            homes,
            update,
            delayed,
            gathers_forward: step.gathers_forward(),
        }
    }

    /// The pieces that run, each copy under the number that it has as a stage of its own.
    pub fn pieces(&self) -> Vec<(ProgramId, &'p Piece)> {
        let mut all = Vec::new();
        for (id, piece) in &self.pieces {
            all.push((*id, *piece));
            if !is_update(piece) && self.placed.0[id.stage].len() > 1 {
                all.push((ProgramId { stage: id.stage + self.count, ..*id }, *piece));
            }
        }
        all
    }

    /// The group of each stage, copies behind the others.
    pub fn groups(&self) -> Vec<usize> {
        let number = |number: usize| {
            self.placed
                .0
                .iter()
                .map(move |groups| groups.get(number).or(groups.first()).copied().unwrap_or(0))
        };
        match self.placed.copies() {
            Copies::One => number(0).collect(),
            Copies::Two => number(0).chain(number(1)).collect(),
        }
    }

    /// Number of copies of each stage.
    pub fn copies(&self) -> usize {
        match self.placed.copies() {
            Copies::One => 1,
            Copies::Two => 2,
        }
    }

    fn group(&self, Copy { stage, number }: Copy) -> usize {
        let groups = &self.placed.0[stage];
        groups.get(number).or(groups.first()).copied().unwrap_or(0)
    }

    /// The copy that a number of a stage stands for.
    fn copy(&self, stage: usize) -> Copy {
        Copy { stage: stage % self.count, number: stage / self.count }
    }

    /// Slot of an argument or a result of a piece that runs as the program `id`.
    pub fn slot(&self, id: ProgramId, port: Port) -> Slot {
        let own = self.copy(id.stage);
        let here = self.group(own);
        let number = own.number;
        let name = name(port, number);
        match port {
            Port::Argument(index) => Slot::Argument(StepPart::whole(index)),
            Port::Result(index) => Slot::Result(StepPart::whole(index)),
            Port::Microbatch => Slot::Microbatch,
            Port::Valid => Slot::Valid,
            Port::Earlier(index, depth) => Slot::Argument(self.earlier(index, depth, Delayed::argument)),
            Port::EarlierResult(index, depth) => Slot::Result(self.earlier(index, depth, Delayed::result)),
            Port::Value(value) => match self.group(Copy { stage: self.maker[&value], number }) == here {
                true => Slot::Stash(name),
                false => Slot::Received(name),
            },
            // Stages of a group make their own.
            Port::Copy(value) => Slot::Stash(format!("c{}.{}", id.stage, value.index())),
            Port::Accumulator(index) => match self.group(Copy { stage: self.homes[index], number }) == here {
                true => Slot::Accumulator(name),
                false => Slot::Received(name),
            },
            Port::Twin(index) => match self.group(Copy { stage: self.homes[index], number: 1 }) == here {
                true => Slot::Accumulator(name),
                false => Slot::Received(name),
            },
        }
    }

    /// A parameter of an earlier step, or what takes its place.
    fn earlier(&self, index: usize, depth: usize, number: fn(&Delayed, (usize, usize)) -> usize) -> StepPart {
        let delayed = self.delayed.as_ref().expect("a stage reads weights of earlier steps");
        StepPart::whole(number(delayed, (index, depth)))
    }

    /// The accumulators by name, with their numbers.
    pub fn accumulators(&self) -> BTreeMap<String, usize> {
        let indices = 0..self.homes.len();
        match self.placed.copies() {
            Copies::One => indices.map(|index| (name(Port::Accumulator(index), 0), index)).collect(),
            Copies::Two => indices
                .flat_map(|index| [0, 1].map(|number| (name(Port::Accumulator(index), number), index)))
                .collect(),
        }
    }

    /// The schedule of a table with everything that is handed over, and the update behind it.
    pub fn schedule(&self, table: &Table<'_>) -> Schedule {
        let mut rows = vec![Vec::new(); table.rows.len()];
        self.make_copies(&mut rows);
        let mut is_before = true;
        for at in &table.order {
            let phase = table.action(*at).map(|action| action.program.phase);
            let gathers = |phase| match phase {
                Phase::Prepass => true,
                Phase::Forward => self.gathers_forward,
                _ => false,
            };
            if is_before && phase.is_some_and(|phase| !gathers(phase)) {
                is_before = false;
                self.hand_sums(&|piece| !is_update(piece), &mut rows);
            }
            if let Some(action) = table.action(*at).filter(|action| action.microbatch.is_some()) {
                let stage = action.program.stage;
                let group = table.events[*at].group;
                let number = self.placed.0[stage].iter().position(|own| *own == group).unwrap_or(0);
                self.act(action, Copy { stage, number }, &mut rows);
            }
        }
        self.hand_sums(&is_update, &mut rows);
        let mut made = Vec::new();
        for phase in &self.update {
            let own = self.run_update(*phase, &mut rows);
            match phase {
                // What the optimistic update does not take for granted it waits for; the rest is exchanged behind it.
                Phase::Update(0) if self.update.contains(&Phase::Optimistic) => {
                    self.hand_on(&own, &|port| self.is_awaited(port), &mut rows);
                    made = own;
                }
                Phase::Optimistic => self.hand_on(&made, &|port| !self.is_awaited(port), &mut rows),
                _ => self.hand_on(&own, &|_| true, &mut rows),
            }
        }
        Schedule { rows }
    }

    /// Appends the copies of parameters of all stages, in each of their groups.
    fn make_copies(&self, rows: &mut [Vec<Event>]) {
        for id in self.pieces.keys().filter(|id| id.phase == Phase::Copies) {
            for (number, group) in self.placed.0[id.stage].iter().enumerate() {
                let program = ProgramId { stage: id.stage + number * self.count, ..*id };
                rows[*group].push(Event::Action(Action { program, microbatch: None }));
            }
        }
    }

    /// Whether an optimistic update reads it.
    fn is_awaited(&self, port: Port) -> bool {
        let mut optimistic = self.pieces.values().filter(|piece| piece.id.phase == Phase::Optimistic);
        optimistic.any(|piece| piece.takes.contains(&port))
    }

    /// Appends a phase of the update in all stages that have it.
    fn run_update(&self, phase: Phase, rows: &mut [Vec<Event>]) -> Vec<Action> {
        let own = self.pieces.values().filter(|piece| piece.id.phase == phase);
        let own = own.map(|piece| Action { program: piece.id, microbatch: None });
        let own: Vec<Action> = own.collect();
        for action in &own {
            let group = self.group(Copy { stage: action.program.stage, number: 0 });
            rows[group].push(Event::Action(*action));
        }
        own
    }

    /// Hands accumulators to the groups of those pieces that read them, unless they have them.
    fn hand_sums(&self, are_readers: &dyn Fn(&Piece) -> bool, rows: &mut [Vec<Event>]) {
        let mut read: BTreeSet<(Port, usize)> = BTreeSet::new();
        for piece in self.pieces.values().filter(|piece| are_readers(piece)) {
            let group = self.group(Copy { stage: piece.id.stage, number: 0 });
            let taken = piece.takes.iter().filter(|port| !piece.gives.contains(port));
            read.extend(taken.map(|port| (*port, group)));
        }
        for (port, target) in read {
            let (index, number) = match port {
                Port::Accumulator(index) => (index, 0),
                Port::Twin(index) => (index, 1),
                _ => continue,
            };
            let source = self.group(Copy { stage: self.homes[index], number });
            let value = name(port, 0);
            let is_there =
                |event: &Event| matches!(event, Event::Transfer(transfer) if transfer.value == value);
            if !rows[target].iter().any(is_there) {
                hand(value, None, source, target, rows);
            }
        }
    }

    /// Appends an action of a copy, and hands over what it makes.
    fn act(&self, action: Action, own: Copy, rows: &mut [Vec<Event>]) {
        let program = self.stands_for.get(&action.program).copied().unwrap_or(action.program);
        let Some(piece) = self.pieces.get(&program) else { return };
        let source = self.group(own);
        let stage = own.stage + own.number * self.count;
        rows[source].push(Event::Action(Action { program: ProgramId { stage, ..program }, ..action }));
        self.hand_values((piece, action.microbatch, own), &|_| true, rows);
    }

    /// Hands over those of what a phase of the update makes that are wanted.
    fn hand_on(&self, actions: &[Action], is_wanted: &dyn Fn(Port) -> bool, rows: &mut [Vec<Event>]) {
        for action in actions {
            let own = Copy { stage: action.program.stage, number: 0 };
            if let Some(piece) = self.pieces.get(&action.program) {
                self.hand_values((piece, None, own), is_wanted, rows);
            }
        }
    }

    /// Hands those of the values that a piece makes that are wanted to the groups that read them.
    fn hand_values(
        &self,
        (piece, microbatch, own): (&Piece, Option<usize>, Copy),
        is_wanted: &dyn Fn(Port) -> bool,
        rows: &mut [Vec<Event>],
    ) {
        let source = self.group(own);
        let is_handed = |port: &&Port| matches!(port, Port::Value(_)) && is_wanted(**port);
        for port in piece.gives.iter().filter(is_handed) {
            let group = |stage: &usize| self.group(Copy { stage: *stage, number: own.number });
            let targets: BTreeSet<usize> = self.readers.get(port).into_iter().flatten().map(group).collect();
            for target in targets {
                hand(name(*port, own.number), microbatch, source, target, rows);
            }
        }
    }
}

/// The program that a phase of a table stands for: where a stage has only one of the two gradients, that is all of its
/// backward pass.
fn alone(pieces: &[Piece], id: ProgramId) -> ProgramId {
    let is_there = |phase: Phase| pieces.iter().any(|piece| piece.id == ProgramId { phase, ..id });
    let other = match id.phase {
        Phase::InputGradient => Phase::WeightGradient,
        Phase::WeightGradient => Phase::InputGradient,
        _ => return id,
    };
    match is_there(id.phase) && !is_there(other) {
        true => ProgramId { phase: Phase::Backward, ..id },
        false => id,
    }
}

fn is_update(piece: &Piece) -> bool {
    piece.id.phase.is_of_update()
}

/// Appends a transfer to both rows.
fn hand(value: String, microbatch: Option<usize>, source: usize, target: usize, rows: &mut [Vec<Event>]) {
    if source != target {
        let event = Event::Transfer(Transfer { value, microbatch, source, target });
        rows[source].push(event.clone());
        rows[target].push(event);
    }
}

/// Name of a value on its way, `v12`, or `a3` of an accumulator; those of a second copy end with `.1`.
fn name(port: Port, copy: usize) -> String {
    let name = match port {
        Port::Value(value) => format!("v{}", value.index()),
        Port::Accumulator(index) => format!("a{index}"),
        Port::Twin(index) => return format!("a{index}.1"),
        Port::Argument(_)
        | Port::Result(_)
        | Port::Microbatch
        | Port::Copy(_)
        | Port::Valid
        | Port::Earlier(..)
        | Port::EarlierResult(..) => {
            return port_name(port);
        }
    };
    if copy == 0 { name } else { format!("{name}.{copy}") }
}

/// Name of what is no value of the pipeline.
fn port_name(port: Port) -> String {
    match port {
        Port::Argument(index) => format!("argument-{index}"),
        Port::Result(index) => format!("result-{index}"),
        _ => "microbatch".to_owned(),
    }
}
