//! The event loop. An event begins when the group has done what stands before it and all that it needs has come; what
//! ends first is looked at first, so that a link carries results in the order in which they are made.
//!
//! A group computes one thing at a time and sends and receives beside it. A link carries one thing at a time in each
//! direction. A transfer that the table writes down begins when both groups have come to it, and the group that is
//! handed to waits for its end. What is handed on once in a step goes over the same links.

use crate::Costs;
use crate::once::{self, Once};
use meshwright_plan::timeline::{Carried, Level, Link, Run};
use meshwright_plan::{Event, Phase, Table, Timeline, Transfer};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

/// Predicts when everything of a table happens.
pub fn simulate(table: &Table<'_>, costs: &Costs) -> Timeline {
    let mut simulation = Simulation::of(table, costs);
    for at in 0..table.events.len() {
        if simulation.waits[at] == 0 {
            simulation.begin(at);
        }
    }
    while let Some(Reverse(End { at, .. })) = simulation.ends.pop() {
        simulation.end(at);
    }
    simulation.timeline()
}

/// The end of an event; earlier ones come first, equal ones in order of the table.
#[derive(PartialEq)]
struct End {
    time: f64,
    at: usize,
}

impl Eq for End {}

impl PartialOrd for End {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for End {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.at.cmp(&other.at))
    }
}

/// Begin and end of an event, and what it waited for.
#[derive(Clone, Copy, Default)]
struct Times {
    start: f64,
    end: f64,
    /// Latest of the times from which the group had nothing else to do.
    free: f64,
    /// Seconds of waiting for what is on a link.
    exposed: f64,
}

/// Events that come behind each event.
struct Readers {
    /// Where those of each event begin, and where all end.
    starts: Vec<usize>,
    events: Vec<usize>,
}

impl Readers {
    /// Those of pairs of an event and one behind it, among so many events, in the order of the pairs.
    fn of<I: Iterator<Item = (usize, usize)>>(count: usize, pairs: impl Fn() -> I) -> Self {
        let mut starts = vec![0; count + 1];
        pairs().for_each(|(at, _)| starts[at + 1] += 1);
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut events = vec![0; starts[count]];
        for (at, reader) in pairs() {
            events[next[at]] = reader;
            next[at] += 1;
        }
        Self { starts, events }
    }

    /// The numbers of those behind an event.
    fn of_event(&self, at: usize) -> Range<usize> {
        self.starts[at]..self.starts[at + 1]
    }
}

/// The events of a row, each with the next one.
fn pairs(row: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    row.iter().copied().zip(row.iter().skip(1).copied())
}

/// Departures and arrivals of results from other groups that each event waits for.
struct Arrivals {
    /// Where there is room for those of each event.
    starts: Vec<usize>,
    /// How many have come.
    counts: Vec<usize>,
    all: Vec<(f64, f64)>,
}

impl Arrivals {
    /// None yet; `most` are those that an event waits for.
    fn of(most: &[usize]) -> Self {
        let ends = most.iter().scan(0, |end, count| {
            let start = *end;
            *end += count;
            Some(start)
        });
        let starts: Vec<usize> = ends.collect();
        Self { starts, counts: vec![0; most.len()], all: vec![(0.0, 0.0); most.iter().sum()] }
    }

    fn push(&mut self, at: usize, arrival: (f64, f64)) {
        debug_assert!(self.starts.get(at + 1).is_none_or(|next| self.starts[at] + self.counts[at] < *next));
        self.all[self.starts[at] + self.counts[at]] = arrival;
        self.counts[at] += 1;
    }

    fn of_event(&self, at: usize) -> &[(f64, f64)] {
        &self.all[self.starts[at]..][..self.counts[at]]
    }
}

/// What links carry: of each group, the groups that it sends to, in the order in which it does so first.
struct Links(Vec<Vec<(usize, Vec<Carried>)>>);

impl Links {
    /// What goes from one group to another.
    fn between(&mut self, (source, target): (usize, usize)) -> &mut Vec<Carried> {
        let of_source = &mut self.0[source];
        let at = of_source.iter().position(|(own, _)| *own == target).unwrap_or(of_source.len());
        if at == of_source.len() {
            of_source.push((target, Vec::new()));
        }
        &mut of_source[at].1
    }

    /// All of them, in order of source and target.
    fn in_order(self) -> Vec<Link> {
        let of_source = |(source, mut links): (usize, Vec<(usize, Vec<Carried>)>)| {
            links.sort_by_key(|(target, _)| *target);
            links.into_iter().map(move |(target, carried)| Link { source, target, carried })
        };
        self.0.into_iter().enumerate().flat_map(of_source).collect()
    }
}

struct Simulation<'a> {
    table: &'a Table<'a>,
    costs: &'a Costs,
    has_transfers: bool,
    /// Events that stand behind each event in a row, and events that need its result.
    row_readers: Readers,
    readers: Readers,
    /// How many events each one still waits for.
    waits: Vec<usize>,
    arrivals: Arrivals,
    times: Vec<Times>,
    ends: BinaryHeap<Reverse<End>>,
    links: Links,
    /// What is handed on once in a step, behind events.
    once: BTreeMap<usize, Vec<Once>>,
    /// The groups that a result was sent to, and when: its readers there wait for the same. Empty between events.
    sent: Vec<(usize, (f64, f64))>,
    /// When the last of what others update has come to each group.
    updated: Vec<f64>,
}

impl<'a> Simulation<'a> {
    fn of(table: &'a Table<'a>, costs: &'a Costs) -> Self {
        let count = table.events.len();
        let mut waits: Vec<usize> = table.needs.iter().map(Vec::len).collect();
        let mut once: BTreeMap<usize, Vec<Once>> = BTreeMap::new();
        for own in once::all(table, costs) {
            own.reader.iter().for_each(|reader| waits[*reader] += 1);
            once.entry(own.behind).or_default().push(own);
        }
        let arrivals = Arrivals::of(&waits);
        for (_, next) in table.rows.iter().flat_map(|row| pairs(row)) {
            waits[next] += 1;
        }
        Self {
            table,
            costs,
            has_transfers: table.has_transfers(),
            row_readers: Readers::of(count, || table.rows.iter().flat_map(|row| pairs(row))),
            readers: Readers::of(count, || {
                let needs = table.needs.iter().enumerate();
                needs.flat_map(|(at, needs)| needs.iter().map(move |other| (*other, at)))
            }),
            waits,
            arrivals,
            times: vec![Times::default(); count],
            ends: BinaryHeap::new(),
            links: Links(vec![Vec::new(); table.rows.len()]),
            once,
            sent: Vec::new(),
            updated: vec![0.0; table.rows.len()],
        }
    }

    /// Begins an event that waits for nothing more.
    fn begin(&mut self, at: usize) {
        let times = &mut self.times[at];
        let exposed = |(sent, arrived): &(f64, f64)| (arrived - sent.max(times.free)).max(0.0);
        let arrivals = self.arrivals.of_event(at);
        times.exposed = arrivals.iter().map(exposed).fold(0.0, f64::max);
        let arrival = arrivals.iter().map(|(_, arrived)| *arrived).fold(0.0, f64::max);
        times.start = times.free.max(arrival);
        times.exposed = times.exposed.min(times.start - times.free);
        let placed = self.table.events[at];
        let end = match placed.event {
            Event::Action(action) => {
                let program = action.program;
                times.start + self.costs.seconds(program.stage, program.phase, placed.group)
            }
            Event::Transfer(transfer) => {
                // The table does not say of which stage the value is: one that the source has.
                let seconds = self.between(transfer.source, transfer.target);
                let (groups, what) = ((transfer.source, transfer.target), placed.event.clone());
                let start = self.times[at].start;
                let carried = self.carry(groups, what, start, seconds);
                self.times[at].start = carried.0;
                carried.1
            }
        };
        self.times[at].end = end;
        self.ends.push(Reverse(End { time: end, at }));
    }

    /// Seconds of a transfer between two groups: of the first stages of theirs that are neighbors.
    fn between(&self, source: usize, target: usize) -> f64 {
        let stages = |group: usize| {
            let actions = self.table.rows[group].iter().filter_map(|at| self.table.action(*at));
            actions.map(|action| action.program.stage).collect::<std::collections::BTreeSet<_>>()
        };
        let targets = stages(target);
        let pairs = stages(source).into_iter().flat_map(|own| targets.iter().map(move |other| (own, *other)));
        let mut neighbors = pairs.filter(|(own, other)| own.abs_diff(*other) == 1);
        neighbors.next().map_or(0.0, |(own, other)| self.costs.transfer_seconds(own, other))
    }

    /// Puts a result on a link; its departure and arrival.
    fn carry(&mut self, groups: (usize, usize), what: Event, ready: f64, seconds: f64) -> (f64, f64) {
        let carried = self.links.between(groups);
        let start = carried.last().map_or(ready, |last: &Carried| ready.max(last.end));
        let end = start + seconds;
        carried.push(Carried { what, ready, start, end });
        (start, end)
    }

    /// Lets go on what waits for an event that has come to its end.
    fn end(&mut self, at: usize) {
        let placed = self.table.events[at];
        let times = self.times[at];
        for number in self.row_readers.of_event(at) {
            let reader = self.row_readers.events[number];
            let is_sent = matches!(placed.event, Event::Transfer(transfer)
                if !self.table.rows[transfer.target].contains(&reader));
            let free = if is_sent { times.start } else { times.end };
            self.times[reader].free = self.times[reader].free.max(free);
            self.release(reader);
        }
        let mut sent = std::mem::take(&mut self.sent);
        for number in self.readers.of_event(at) {
            let reader = self.readers.events[number];
            let target = self.table.events[reader].group;
            if target == placed.group || self.has_transfers {
                self.arrivals.push(reader, (times.end, times.end));
            } else {
                let arrival = match sent.iter().find(|(group, _)| *group == target) {
                    Some((_, arrival)) => *arrival,
                    None => {
                        let arrival = self.hand_on(at, reader);
                        sent.push((target, arrival));
                        arrival
                    }
                };
                self.arrivals.push(reader, (times.end, arrival.1));
            }
            self.release(reader);
        }
        sent.clear();
        self.sent = sent;
        for Once { reader, groups, seconds, name, .. } in self.once.remove(&at).unwrap_or_default() {
            let (source, target) = groups;
            let what = Transfer { value: name.to_owned(), microbatch: None, source, target };
            let (_, arrival) = self.carry(groups, Event::Transfer(what), times.end, seconds);
            match reader {
                Some(reader) => {
                    self.arrivals.push(reader, (times.end, arrival));
                    self.release(reader);
                }
                None => self.updated[target] = self.updated[target].max(arrival),
            }
        }
    }

    /// Sends the result of an action to the group of its reader.
    fn hand_on(&mut self, at: usize, reader: usize) -> (f64, f64) {
        let end = self.times[at].end;
        let (Some(action), Some(next)) = (self.table.action(at), self.table.action(reader)) else {
            return (end, end);
        };
        let (made, read) = (action.program.phase, next.program.phase);
        // What is summed up over microbatches goes another way.
        if read.is_of_update() || made == Phase::WeightGradient || made == Phase::Prepass && read != made {
            return (end, end);
        }
        let seconds = self.costs.transfer_seconds(action.program.stage, next.program.stage);
        let groups = (self.table.events[at].group, self.table.events[reader].group);
        self.carry(groups, Event::Action(action), end, seconds)
    }

    fn release(&mut self, at: usize) {
        self.waits[at] -= 1;
        if self.waits[at] == 0 {
            self.begin(at);
        }
    }

    fn timeline(self) -> Timeline {
        let runs = |row: &Vec<usize>| {
            let mut runs = Vec::with_capacity(row.len());
            runs.extend(row.iter().filter_map(|at| self.run(*at)));
            runs
        };
        let groups: Vec<Vec<Run>> = self.table.rows.iter().map(runs).collect();
        let memory = groups.iter().map(|runs| self.memory(runs)).collect();
        let last = |runs: &Vec<Run>| runs.last().map_or(0.0, |run| run.end);
        let ready =
            groups.iter().zip(&self.updated).map(|(runs, updated)| last(runs).max(*updated)).collect();
        Timeline { memory, ready, groups, links: self.links.in_order(), period: None }
    }

    fn run(&self, at: usize) -> Option<Run> {
        let Times { start, end, exposed, .. } = self.times[at];
        self.table.action(at).map(|action| Run { action, start, end, exposed })
    }

    /// What a group keeps; changes by nothing are left out.
    fn memory(&self, runs: &[Run]) -> Vec<Level> {
        let mut levels: Vec<Level> = Vec::with_capacity(runs.len());
        for run in runs {
            let stage = self.costs.stages.get(run.action.program.stage).copied().unwrap_or_default();
            for (time, change) in
                [run.start, run.end].into_iter().zip(stage.kept_by(run.action.program.phase))
            {
                if change != 0.0 {
                    let bytes = levels.last().map_or(0.0, |level| level.bytes) + change;
                    levels.push(Level { time, bytes });
                }
            }
        }
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::simulate;
    use crate::Costs;
    use meshwright_plan::{Schedule, Table};

    #[test]
    fn copies_of_parameters_come_before_all_microbatches() {
        let schedule = Schedule::from_text("0C0 0F0 0B0 0U0\n1C0 1F0 1B0 1U0").unwrap();
        let mut costs = Costs::uniform(2, [1.0; 3], 0.0);
        let table = Table::of(&schedule).unwrap();
        let without = simulate(&table, &costs).makespan();
        costs.stages[0].copies = 2.0;
        costs.stages[1].copies = 4.0;
        let timeline = simulate(&table, &costs);
        // The second group makes its copies while the first one makes its own and runs forward.
        assert_eq!([0, 1].map(|group| timeline.groups[group][1].start), [2.0, 4.0]);
        assert_eq!(timeline.makespan(), without + 3.0);
    }
}
