//! Tables made by priorities: whenever a group is free, it takes what comes first in a list among what it can begin.
//!
//! A group looks at the next microbatch of every stage and phase that it has. Gradients of parameters wait until
//! there is a gap that is worth it, or until memory is short. Forward passes go ahead only so far, and leave room for
//! the stages behind them on the same group, so that no table gets stuck.

use super::instance::{FORWARD, INPUT, Id, Instance, Rows, WEIGHT};

/// A list of priorities.
#[derive(Clone, Copy)]
struct Rule {
    order: Order,
    /// How far forward passes go ahead, in multiples of what fills the way to the last stage and back.
    ahead: f64,
    /// The part of a gradient of parameters by which it may delay what comes.
    patience: f64,
}

/// Orders of passes that can begin at the same time.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// Gradients, then forward passes of later stages.
    Backward,
    /// Forward passes of later stages, gradients, then other forward passes.
    LaterForward,
    /// Forward passes.
    Forward,
    /// The other direction than before.
    Alternating,
}

const ORDERS: [Order; 4] = [Order::Backward, Order::LaterForward, Order::Forward, Order::Alternating];
const AHEAD: [f64; 6] = [1.0, 1.15, 1.3, 1.6, 2.0, f64::INFINITY];
const PATIENCE: [f64; 3] = [0.0, 0.5, 1.0];

/// The tables of all lists, with their seconds.
pub(super) fn tables(instance: &Instance) -> Vec<(f64, Rows)> {
    let mut tables = Vec::new();
    for order in ORDERS {
        for ahead in AHEAD {
            for patience in PATIENCE {
                let rule = Rule { order, ahead, patience };
                let rows = List::new(instance, rule).run();
                let timed = rows.and_then(|rows| instance.timed(&rows).map(|times| (times.value, rows)));
                tables.extend(timed);
            }
        }
    }
    tables
}

struct List<'a> {
    instance: &'a Instance,
    rule: Rule,
    /// The stages of each group, in order.
    stages: Vec<Vec<usize>>,
    /// Microbatches that each stage and phase has done.
    done: Vec<[usize; 3]>,
    /// Microbatches that each stage may have begun before their gradients.
    most_ahead: Vec<usize>,
    /// Room that each stage leaves for later ones of its group.
    reserve: Vec<f64>,
    end: Vec<f64>,
    free: Vec<f64>,
    kept: Vec<f64>,
    /// The phase that each group ran last, gradients of parameters aside.
    last: Vec<usize>,
    rows: Rows,
}

impl<'a> List<'a> {
    fn new(instance: &'a Instance, rule: Rule) -> Self {
        let count = instance.num_stages();
        let mut stages = vec![Vec::new(); instance.groups];
        (0..count).for_each(|stage| stages[instance.homes[stage]].push(stage));
        let reserve = |stage: usize| {
            let later = stages[instance.homes[stage]].iter().filter(|other| **other > stage);
            later.map(|other| instance.kept[*other][0].max(instance.kept[*other][1])).sum()
        };
        Self {
            reserve: (0..count).map(reserve).collect(),
            most_ahead: most_ahead(instance, rule.ahead),
            instance,
            rule,
            stages,
            done: vec![[0; 3]; count],
            end: vec![f64::NAN; instance.num_actions()],
            free: vec![0.0; instance.groups],
            kept: vec![0.0; instance.groups],
            last: vec![INPUT; instance.groups],
            rows: vec![Vec::new(); instance.groups],
        }
    }

    /// The rows; none if nothing can go on.
    fn run(mut self) -> Option<Rows> {
        let mut choices: Vec<Option<(f64, Id)>> =
            (0..self.free.len()).map(|group| self.choice(group)).collect();
        for _ in 0..self.instance.num_actions() {
            let all = choices
                .iter()
                .enumerate()
                .filter_map(|(group, choice)| choice.map(|(start, id)| (start, group, id)));
            let (start, group, id) =
                all.min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)))?;
            self.take(group, start, id);
            let [stage, phase, _] = self.instance.parts(id);
            let reader = match phase {
                FORWARD => self.instance.homes.get(stage + 1),
                INPUT => stage.checked_sub(1).map(|below| &self.instance.homes[below]),
                _ => None,
            };
            if let Some(reader) = reader.copied().filter(|reader| *reader != group) {
                choices[reader] = self.choice(reader);
            }
            choices[group] = self.choice(group);
        }
        Some(self.rows)
    }

    /// What a group does next, and from when on.
    fn choice(&self, group: usize) -> Option<(f64, Id)> {
        let passes = self.stages[group].iter().flat_map(|stage| [(*stage, FORWARD), (*stage, INPUT)]);
        let passes: Vec<(f64, usize, usize, Id)> =
            passes.filter_map(|(stage, phase)| self.pass(group, stage, phase)).collect();
        let first = passes.iter().map(|pass| pass.0).fold(f64::INFINITY, f64::min);
        let left =
            self.stages[group].iter().filter(|stage| self.done[**stage][WEIGHT] < self.done[**stage][INPUT]);
        let oldest = left.min_by_key(|stage| (self.done[**stage][WEIGHT], **stage)).copied();
        let filler = oldest.map(|stage| self.instance.id(stage, WEIGHT, self.done[stage][WEIGHT]));
        let free = self.free[group];
        if let Some(id) = filler {
            let gap = self.instance.cost(id) * (1.0 - self.rule.patience);
            if first - free > gap {
                return Some((free, id));
            }
        }
        let at_once = passes.iter().filter(|pass| pass.0 <= first);
        let best = at_once.min_by_key(|(_, stage, phase, _)| self.rank(group, *stage, *phase));
        best.map(|(start, _, _, id)| (*start, *id))
    }

    /// The next pass of a stage, if it may be run.
    fn pass(&self, group: usize, stage: usize, phase: usize) -> Option<(f64, usize, usize, Id)> {
        let microbatch = self.done[stage][phase];
        if microbatch == self.instance.microbatches {
            return None;
        }
        if phase == FORWARD {
            let is_full =
                self.kept[group] + self.instance.kept[stage][0] + self.reserve[stage] > self.instance.limit;
            if is_full || microbatch - self.done[stage][INPUT] >= self.most_ahead[stage] {
                return None;
            }
        }
        let id = self.instance.id(stage, phase, microbatch);
        let start = self.instance.start(id, self.free[group], &self.end)?;
        Some((start, stage, phase, id))
    }

    /// Place in the list: the least comes first.
    fn rank(&self, group: usize, stage: usize, phase: usize) -> (usize, usize) {
        let behind = self.instance.num_stages() - stage;
        let is_later = self.stages[group].first() != Some(&stage);
        let class = match (self.rule.order, phase) {
            (Order::Backward, INPUT) => 0,
            (Order::Backward, _) => 1,
            (Order::LaterForward, FORWARD) => {
                if is_later {
                    0
                } else {
                    2
                }
            }
            (Order::LaterForward, _) => 1,
            (Order::Forward, FORWARD) => 0,
            (Order::Forward, _) => 1,
            (Order::Alternating, phase) => usize::from(phase == self.last[group]),
        };
        (class, if phase == FORWARD { behind } else { stage })
    }

    fn take(&mut self, group: usize, start: f64, id: Id) {
        let [stage, phase, _] = self.instance.parts(id);
        let end = start + self.instance.cost(id);
        self.kept[group] += self.instance.change(id).iter().sum::<f64>();
        self.end[id] = end;
        self.free[group] = end;
        self.done[stage][phase] += 1;
        if phase != WEIGHT {
            self.last[group] = phase;
        }
        self.rows[group].push(id);
    }
}

/// Microbatches that fill the way of each stage to the last one and back, times a factor.
fn most_ahead(instance: &Instance, factor: f64) -> Vec<usize> {
    let count = instance.num_stages();
    let mut work = vec![0.0; instance.groups];
    for stage in 0..count {
        work[instance.homes[stage]] += instance.seconds[stage].iter().sum::<f64>();
    }
    let period = work.into_iter().fold(f64::MIN_POSITIVE, f64::max);
    let mut way = 0.0;
    let mut ahead = vec![0; count];
    for stage in (0..count).rev() {
        way += instance.seconds[stage][FORWARD] + instance.seconds[stage][INPUT];
        if stage + 1 < count {
            way += instance.up[stage] + instance.down[stage];
        }
        let microbatches = (factor * way / period).ceil().max(1.0);
        ahead[stage] = if microbatches < 1e9 { microbatches as usize } else { usize::MAX };
    }
    ahead
}
