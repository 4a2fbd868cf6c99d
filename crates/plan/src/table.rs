//! Schedules checked by themselves, without programs. Input: a [`Schedule`]; output: a [`Table`], which knows what each
//! event waits for and an order in which all of them can happen, or every [`Fault`]. What it checks:
//!
//! - T1: every stage runs each phase of the table for every microbatch, once (both gradients at once are the same as one
//!   after the other), and updates once in every row that it is in; copies of parameters are made once in each row
//!   that runs the stage, if there are some, and in no other; a transfer stands once in the rows of both groups;
//! - T2: what a group keeps of a microbatch is read there: a stage runs for one microbatch in one row;
//! - T3: rows are parts of one order of all events in which a transfer is one event of both groups and no event comes
//!   before what it needs, so that nothing waits forever; otherwise a circle of events is named.
//!
//! Stage `s` runs forward behind stage `s - 1` and backward behind `s + 1`. If the table has transfers, they are events
//! like others; if it has none, each result is handed on as soon as it is there.

use crate::schedule::{Action, Event, Phase, ProgramId, Schedule};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// So many missing events are named; of more, these are enough.
const MOST_MISSING: usize = 8;

/// A schedule that can run, with what its events need.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    /// The stages, numbered from 0.
    pub num_stages: usize,
    /// The microbatches of a step.
    pub num_microbatches: usize,
    /// Each event once, a transfer with the row of its source.
    pub events: Vec<Placed<'a>>,
    /// Positions in `events` of what each group does, in order.
    pub rows: Vec<Vec<usize>>,
    /// Positions of the actions that each event needs the results of.
    pub needs: Vec<Vec<usize>>,
    /// Positions in an order in which all events can happen.
    pub order: Vec<usize>,
}

/// An event in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed<'a> {
    /// The event.
    pub event: &'a Event,
    /// The row.
    pub group: usize,
}

/// `` `2F0` in row 1 ``.
impl fmt::Display for Placed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` in row {}", self.event, self.group)
    }
}

/// Something that is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Row, and position in it, of the event that it is about, if there is one.
    pub place: Option<(usize, usize)>,
    /// Why it is wrong.
    pub message: String,
}

impl<'a> Table<'a> {
    /// Checks a schedule.
    ///
    /// # Errors
    /// All that T1 and T2 find, or a circle.
    pub fn of(schedule: &'a Schedule) -> Result<Self, Vec<Fault>> {
        let mut found = Vec::new();
        let index = Index::of(schedule, &mut found);
        index.missing(&mut found);
        index.copies_elsewhere(&mut found);
        index.split_microbatches(schedule, &mut found);
        if !found.is_empty() {
            return Err(found);
        }
        let before = index.last_prepasses();
        let mut table = Self {
            num_stages: index.num_stages,
            num_microbatches: index.num_microbatches,
            needs: (0..index.events.len()).map(|at| index.needs(at, &before)).collect(),
            events: index.events,
            rows: index.rows,
            order: Vec::new(),
        };
        table.order = table.in_order().map_err(|circle| vec![circle])?;
        Ok(table)
    }

    /// The action at a position, if it is one.
    pub fn action(&self, at: usize) -> Option<Action> {
        as_action(self.events[at].event)
    }

    /// The row of each stage that runs its first microbatch: of several copies the one that updates.
    pub fn homes(&self) -> Vec<usize> {
        let mut homes = vec![0; self.num_stages];
        for at in 0..self.events.len() {
            if let Some(Action { program, microbatch: Some(0) }) = self.action(at)
                && program.phase == Phase::Forward
            {
                homes[program.stage] = self.events[at].group;
            }
        }
        homes
    }

    /// Returns whether transfers are written down.
    pub fn has_transfers(&self) -> bool {
        self.events.iter().any(|placed| matches!(placed.event, Event::Transfer(_)))
    }

    /// T3.
    fn in_order(&self) -> Result<Vec<usize>, Fault> {
        let behind = self.behind();
        let mut waits: Vec<usize> = self.needs.iter().map(Vec::len).collect();
        self.rows.iter().flat_map(|row| row.iter().skip(1)).for_each(|at| waits[*at] += 1);
        let mut order: Vec<usize> = (0..waits.len()).filter(|at| waits[*at] == 0).collect();
        let mut next = 0;
        while let Some(at) = order.get(next) {
            next += 1;
            for other in behind.of(*at) {
                waits[*other] -= 1;
                if waits[*other] == 0 {
                    order.push(*other);
                }
            }
        }
        if order.len() == waits.len() { Ok(order) } else { Err(self.circle(&self.before(), &waits)) }
    }

    /// The events that come behind each event: those that need it, and the next ones of its rows.
    fn behind(&self) -> Behind {
        let needs = || {
            self.needs
                .iter()
                .enumerate()
                .flat_map(|(at, needed)| needed.iter().map(move |other| (*other, at)))
        };
        let stands = || self.rows.iter().flat_map(|row| row.windows(2).map(|pair| (pair[0], pair[1])));
        let mut starts = vec![0; self.needs.len() + 1];
        needs().chain(stands()).for_each(|(other, _)| starts[other + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut events = vec![0; starts.last().copied().unwrap_or(0)];
        for (other, at) in needs().chain(stands()) {
            events[next[other]] = at;
            next[other] += 1;
        }
        starts.windows(2).for_each(|pair| events[pair[0]..pair[1]].sort_unstable());
        Behind { starts, events }
    }

    /// The events that each event comes behind, and why.
    fn before(&self) -> Vec<Vec<(usize, Why)>> {
        let needs = |needs: &Vec<usize>| needs.iter().map(|other| (*other, Why::Needs)).collect();
        let mut before: Vec<Vec<(usize, Why)>> = self.needs.iter().map(needs).collect();
        for row in &self.rows {
            row.windows(2).for_each(|pair| before[pair[1]].push((pair[0], Why::StandsBehind)));
        }
        before
    }

    /// Events that wait for each other; `waits` says how many events each one still waits for.
    fn circle(&self, before: &[Vec<(usize, Why)>], waits: &[usize]) -> Fault {
        let waiting = |at: usize| before[at].iter().find(|(other, _)| waits[*other] > 0).copied();
        let mut path: Vec<(usize, Why)> = Vec::new();
        let mut at = (0..waits.len()).find(|at| waits[*at] > 0).unwrap_or(0);
        while let Some((other, why)) = waiting(at) {
            if let Some(start) = path.iter().position(|(seen, _)| *seen == at) {
                path.drain(..start);
                break;
            }
            path.push((at, why));
            at = other;
        }
        let name = |at: usize| self.events[at].to_string();
        let first = path.first().map_or(0, |(at, _)| *at);
        let others = path.iter().skip(1).map(|(at, _)| *at).chain([first]);
        let steps = path.iter().zip(others).map(|((_, why), other)| format!("{why} {}", name(other)));
        let message = format!(
            "the schedule never ends: {} {}",
            name(first),
            steps.collect::<Vec<_>>().join(", which ")
        );
        let row = self.events[first].group;
        let position = self.rows[row].iter().position(|at| *at == first);
        Fault { place: position.map(|position| (row, position)), message }
    }
}

/// The events that come behind each event, in order of their positions.
struct Behind {
    /// Where those of each event begin, and where all end.
    starts: Vec<usize>,
    events: Vec<usize>,
}

impl Behind {
    fn of(&self, at: usize) -> &[usize] {
        &self.events[self.starts[at]..self.starts[at + 1]]
    }
}

/// Reason for which an event comes behind another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Needs,
    StandsBehind,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Needs => "needs",
            Self::StandsBehind => "stands behind",
        })
    }
}

fn as_action(event: &Event) -> Option<Action> {
    match event {
        Event::Action(action) => Some(*action),
        Event::Transfer(_) => None,
    }
}

/// The row and the position of each event that was met and is no action of a microbatch, by the row for what may stand in
/// several.
type Seen<'a> = FxHashMap<(Option<usize>, &'a Event), (usize, usize)>;

/// Where everything is.
struct Index<'a> {
    num_stages: usize,
    num_microbatches: usize,
    events: Vec<Placed<'a>>,
    rows: Vec<Vec<usize>>,
    /// The actions of microbatches, each with its position.
    actions: FxHashMap<Action, usize>,
    /// Their phases.
    phases: BTreeSet<Phase>,
    /// Updates by round, with the stage and the position.
    updates: BTreeMap<usize, Vec<(usize, usize)>>,
    /// Phases of optimistic updates, with the stage and the position.
    optimistic: BTreeMap<(Phase, usize), usize>,
    /// Where copies of parameters are made, by stage and row.
    copies: BTreeMap<(usize, usize), usize>,
}

impl<'a> Index<'a> {
    /// Numbers all events; those that stand where they should not are found.
    fn of(schedule: &'a Schedule, found: &mut Vec<Fault>) -> Self {
        let mut index = Self {
            num_stages: 0,
            num_microbatches: 0,
            events: Vec::new(),
            rows: Vec::new(),
            actions: FxHashMap::default(),
            phases: BTreeSet::new(),
            updates: BTreeMap::new(),
            optimistic: BTreeMap::new(),
            copies: BTreeMap::new(),
        };
        let mut seen: Seen<'_> = Seen::default();
        for (group, row) in schedule.rows.iter().enumerate() {
            let mut positions = Vec::new();
            for (position, event) in row.iter().enumerate() {
                let mut wrong = |message| found.push(Fault { place: Some((group, position)), message });
                let at = match index.known(event, group, &seen) {
                    Ok(at) => at,
                    Err(message) => {
                        wrong(message);
                        continue;
                    }
                };
                if !as_action(event).is_some_and(|action| is_of_microbatch(&action)) {
                    seen.insert((at_row(event, group), event), (group, at));
                }
                positions.push(at);
            }
            index.rows.push(positions);
        }
        index.one_sided(schedule, found);
        index
    }

    /// The position of an event that is met in a row, which is a new one unless it is a transfer that its partner has.
    fn known(&mut self, event: &'a Event, group: usize, seen: &Seen<'a>) -> Result<usize, String> {
        let before = match event {
            Event::Action(action) if is_of_microbatch(action) => {
                self.actions.get(action).map(|at| self.events[*at].group)
            }
            _ => seen.get(&(at_row(event, group), event)).map(|(row, _)| *row),
        };
        if let Some(row) = before {
            return Err(format!("`{event}` stands in row {row} and again in row {group}"));
        }
        match event {
            Event::Action(action) => {
                if action.program.phase == Phase::Step {
                    return Err(format!("`{event}` is a whole step, which has no stages to schedule"));
                }
                self.count(*action, group);
            }
            Event::Transfer(transfer) => {
                if transfer.source == transfer.target || ![transfer.source, transfer.target].contains(&group)
                {
                    return Err(format!(
                        "`{event}` stands in row {group}, which is not one of two groups of it"
                    ));
                }
                if let Some((_, at)) = seen.get(&(Some(transfer.partner(group)), event)) {
                    self.events[*at].group = transfer.source;
                    return Ok(*at);
                }
            }
        }
        self.events.push(Placed { event, group });
        Ok(self.events.len() - 1)
    }

    fn count(&mut self, action: Action, group: usize) {
        let at = self.events.len();
        self.num_stages = self.num_stages.max(action.program.stage + 1);
        if action.program.phase == Phase::Copies {
            self.copies.insert((action.program.stage, group), at);
        } else if let Phase::Update(round) = action.program.phase {
            self.updates.entry(round).or_default().push((action.program.stage, at));
        } else if Phase::OF_POST_VALIDATION.contains(&action.program.phase) {
            self.optimistic.insert((action.program.phase, action.program.stage), at);
        } else {
            self.num_microbatches = self.num_microbatches.max(action.microbatch.unwrap_or(0) + 1);
            self.actions.insert(action, at);
            self.phases.insert(action.program.phase);
        }
    }

    /// Transfers that only one of two rows has.
    fn one_sided(&self, schedule: &Schedule, found: &mut Vec<Fault>) {
        for (group, row) in schedule.rows.iter().enumerate() {
            for (position, event) in row.iter().enumerate() {
                let Event::Transfer(transfer) = event else { continue };
                let partner = schedule.rows.get(transfer.partner(group));
                if transfer.source != transfer.target && !partner.is_some_and(|row| row.contains(event)) {
                    let other = transfer.partner(group);
                    let message = format!("`{event}` stands in row {group}, but not in row {other}");
                    found.push(Fault { place: Some((group, position)), message });
                }
            }
        }
    }

    fn at(&self, stage: usize, phase: Phase, microbatch: usize) -> Option<usize> {
        let action = Action { program: ProgramId { stage, phase }, microbatch: Some(microbatch) };
        self.actions.get(&action).copied()
    }

    /// Where a gradient or pass is made for a microbatch: by its own phase, or by one that makes two.
    fn makers(&self, stage: usize, part: Phase, microbatch: usize) -> impl Iterator<Item = usize> {
        let phases = Phase::OF_MICROBATCH.into_iter().filter(move |phase| phase.parts().contains(&part));
        phases.filter_map(move |phase| self.at(stage, phase, microbatch))
    }

    /// Whether a microbatch has no gradient of a stage at all.
    fn lacks_backward(&self, stage: usize, microbatch: usize) -> bool {
        let parts = [Phase::InputGradient, Phase::WeightGradient];
        parts.into_iter().all(|part| self.makers(stage, part, microbatch).next().is_none())
    }

    /// T1: actions that no row has, and work that is done twice.
    fn missing(&self, found: &mut Vec<Fault>) {
        let whole = found.len() + MOST_MISSING;
        let mut miss = |message: String| {
            found.push(Fault { place: None, message });
            found.len() >= whole
        };
        if self.actions.is_empty() {
            miss("no stage runs for a microbatch".to_owned());
            return;
        }
        for part in [Phase::Prepass, Phase::Forward, Phase::InputGradient, Phase::WeightGradient] {
            let is_used = |phase: &Phase| phase.parts().contains(&part);
            if part != Phase::Forward && !self.phases.iter().any(is_used) {
                continue;
            }
            if self.is_made_once(part) {
                continue;
            }
            for stage in 0..self.num_stages {
                for microbatch in 0..self.num_microbatches {
                    let makers: Vec<usize> = self.makers(stage, part, microbatch).collect();
                    let message = match makers.as_slice() {
                        // A gradient that is made apart nowhere is missing together with the other one.
                        [] if part == Phase::WeightGradient && self.lacks_backward(stage, microbatch) => {
                            continue;
                        }
                        [] if part == Phase::InputGradient && self.lacks_backward(stage, microbatch) => {
                            format!("`{stage}B{microbatch}` is missing")
                        }
                        [] => format!("`{stage}{}{microbatch}` is missing", part.letter()),
                        [_] => continue,
                        [first, second, ..] => {
                            format!("{} and {} do the same", self.events[*first], self.events[*second])
                        }
                    };
                    if miss(message) {
                        return;
                    }
                }
            }
        }
        for round in 0..self.updates.keys().next_back().map_or(0, |last| last + 1) {
            let there = self.updates.get(&round).map_or(&[][..], Vec::as_slice);
            let absent = (0..self.num_stages).find(|stage| there.iter().all(|(own, _)| own != stage));
            if absent.is_some_and(|stage| miss(format!("`{stage}U{round}` is missing"))) {
                return;
            }
        }
    }

    /// Whether every stage makes a part of the work once for each microbatch, which is told without looking for what is not.
    fn is_made_once(&self, part: Phase) -> bool {
        let cells = self.num_stages.saturating_mul(self.num_microbatches);
        if cells > self.actions.len() {
            return false;
        }
        let mut times = vec![0_u8; cells];
        let actions = self.events.iter().filter_map(|placed| as_action(placed.event));
        for action in actions.filter(|action| action.program.phase.parts().contains(&part)) {
            let Some(microbatch) = action.microbatch else { continue };
            let made = &mut times[action.program.stage * self.num_microbatches + microbatch];
            *made = made.saturating_add(1);
        }
        times.iter().all(|times| *times == 1)
    }

    /// T1: copies of parameters that a row has without the stage, or lacks beside it.
    fn copies_elsewhere(&self, found: &mut Vec<Fault>) {
        if self.copies.is_empty() {
            return;
        }
        let are_made: BTreeSet<(usize, usize)> = self.copies.keys().copied().collect();
        let have_copies: BTreeSet<usize> = are_made.iter().map(|(stage, _)| *stage).collect();
        let run = self.events.iter().filter_map(|placed| {
            let action = as_action(placed.event).filter(|action| action.microbatch.is_some())?;
            Some((action.program.stage, placed.group))
        });
        let run: BTreeSet<(usize, usize)> = run.filter(|(stage, _)| have_copies.contains(stage)).collect();
        let missing = run.difference(&are_made).map(|(stage, row)| {
            format!(
                "`{stage}C0` is missing in row {row}, which runs stage {stage}, as others do that make copies"
            )
        });
        let elsewhere = are_made
            .difference(&run)
            .map(|(stage, row)| format!("`{stage}C0` stands in row {row}, which does not run stage {stage}"));
        found.extend(missing.chain(elsewhere).map(|message| Fault { place: None, message }));
    }

    /// T2.
    fn split_microbatches(&self, schedule: &Schedule, found: &mut Vec<Fault>) {
        let mut homes: FxHashMap<(usize, Option<usize>), (usize, &Event)> = FxHashMap::default();
        for (group, row) in schedule.rows.iter().enumerate() {
            for (position, event) in row.iter().enumerate() {
                let Some(action) = as_action(event).filter(|action| action.microbatch.is_some()) else {
                    continue;
                };
                let key = (action.program.stage, action.microbatch);
                let (home, first) = *homes.entry(key).or_insert((group, event));
                if home != group && first != event {
                    let message = format!("`{event}` stands in row {group}, but `{first}` in row {home}");
                    found.push(Fault { place: Some((group, position)), message });
                }
            }
        }
    }

    /// The last pass of the last stage before all others in each row: behind these all of them are done.
    fn last_prepasses(&self) -> Vec<usize> {
        let is_of_last = |at: &&usize| {
            let last = ProgramId { stage: self.num_stages - 1, phase: Phase::Prepass };
            as_action(self.events[**at].event).is_some_and(|action| action.program == last)
        };
        self.rows.iter().filter_map(|row| row.iter().rfind(is_of_last).copied()).collect()
    }

    /// The actions that an event needs the results of; a forward pass those that are `before` all of them.
    fn needs(&self, at: usize, before: &[usize]) -> Vec<usize> {
        let Some(Action { program: ProgramId { stage, phase }, microbatch }) =
            as_action(self.events[at].event)
        else {
            return Vec::new();
        };
        let microbatch = microbatch.unwrap_or(0);
        let all = |stage: usize, part: Phase| {
            (0..self.num_microbatches).flat_map(move |microbatch| self.makers(stage, part, microbatch))
        };
        let behind = |part: Phase| stage.checked_sub(1).and_then(|stage| self.at(stage, part, microbatch));
        let copies = self.copies.get(&(stage, self.events[at].group)).copied().into_iter();
        match phase {
            Phase::Step | Phase::Copies => Vec::new(),
            Phase::Prepass => copies.chain(behind(Phase::Prepass)).collect(),
            Phase::Forward if stage == 0 => copies.chain(before.iter().copied()).collect(),
            Phase::Forward => copies.chain(behind(Phase::Forward)).collect(),
            Phase::InputGradient | Phase::Backward => {
                let own = self.at(stage, Phase::Forward, microbatch);
                own.into_iter().chain(self.makers(stage + 1, Phase::InputGradient, microbatch)).collect()
            }
            Phase::WeightGradient => self.at(stage, Phase::InputGradient, microbatch).into_iter().collect(),
            Phase::Update(0) | Phase::Optimistic => all(stage, Phase::WeightGradient).collect(),
            Phase::Validation => {
                let first = self.updates.get(&0).into_iter().flatten().map(|(_, at)| *at);
                first.chain(self.optimistic.get(&(Phase::Optimistic, stage)).copied()).collect()
            }
            Phase::Redo => self.optimistic.get(&(Phase::Validation, stage)).copied().into_iter().collect(),
            Phase::Update(round) => self.updates[&(round - 1)].iter().map(|(_, at)| *at).collect(),
        }
    }
}

/// Whether an action is counted among those of microbatches.
fn is_of_microbatch(action: &Action) -> bool {
    !matches!(action.program.phase, Phase::Copies | Phase::Update(_))
        && !Phase::OF_POST_VALIDATION.contains(&action.program.phase)
}

/// Which row an event belongs to, for what may stand in several: updates of copies, transfers.
fn at_row(event: &Event, group: usize) -> Option<usize> {
    match event {
        Event::Action(action) if action.microbatch.is_some() => None,
        Event::Action(_) | Event::Transfer(_) => Some(group),
    }
}
