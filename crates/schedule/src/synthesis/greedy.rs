//! Tables made by priorities: whenever a group is free, it takes what comes first in a list among what it can begin. Or
//! tables made of others: forward passes and gradients of inputs stay in their order, and the rest is put anew.
//!
//! A group looks at the next microbatch of every stage and phase that it has. Gradients of parameters wait until
//! there is a gap that is worth it, or until memory is short. Forward passes go ahead only so far, and leave room for
//! the stages behind them on the same group, so that no table gets stuck.

use meshwright_ir::control::Control;

use super::instance::{FORWARD, INPUT, Id, Instance, Rows, WEIGHT};

/// A list of priorities.
#[derive(Clone, Copy)]
struct Rule<'a> {
    order: Order<'a>,
    /// How far forward passes go ahead: with 0 as many as keep the way to the last stage and back full, with 1 as many
    /// as a group can run until the first gradient is back, between the two in between.
    ahead: f64,
    /// The part of a gradient of parameters by which it may delay what comes.
    patience: f64,
}

/// Orders of passes that can begin at the same time.
#[derive(Clone, Copy, PartialEq)]
enum Order<'a> {
    /// Gradients, then forward passes of later stages.
    Backward,
    /// Forward passes of later stages, gradients, then other forward passes.
    LaterForward,
    /// Forward passes.
    Forward,
    /// The other direction than before.
    Alternating,
    /// That of a table.
    Kept(&'a Rows),
}

const ORDERS: [Order<'static>; 4] =
    [Order::Backward, Order::LaterForward, Order::Forward, Order::Alternating];
const AHEAD: [f64; 9] = [0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, f64::INFINITY];
const PATIENCE: [f64; 3] = [0.0, 0.5, 1.0];

/// Actions that all lists together look at, each once for each group: of large tables not all lists are tried.
const LOOKS: usize = 100_000_000;

/// The tables of all lists, or of some of them all over, with their seconds; of those before it is stopped.
pub(super) fn tables(instance: &Instance, control: &dyn Control) -> Vec<(f64, Rows)> {
    let rules = ORDERS.into_iter().flat_map(|order| {
        let rules = AHEAD.into_iter().flat_map(move |ahead| PATIENCE.map(|patience| (ahead, patience)));
        rules.map(move |(ahead, patience)| Rule { order, ahead, patience })
    });
    let rules: Vec<Rule<'_>> = rules.collect();
    let step = rules.len().div_ceil((LOOKS / looks(instance)).max(1));
    let tried = rules.into_iter().step_by(step).take_while(|_| !control.should_stop());
    tried.filter_map(|rule| List::new(instance, rule).timed()).collect()
}

/// Looks that one list takes.
fn looks(instance: &Instance) -> usize {
    instance.num_actions().saturating_mul(instance.groups).max(1)
}

/// Tables in which passes are in the order of given rows, with their seconds.
pub(super) fn refilled(instance: &Instance, rows: &Rows) -> Vec<(f64, Rows)> {
    let mut passes = rows.clone();
    passes.iter_mut().for_each(|row| row.retain(|id| instance.parts(*id)[1] != WEIGHT));
    let order = Order::Kept(&passes);
    let few = if looks(instance) > LOOKS / PATIENCE.len() { 1 } else { PATIENCE.len() };
    let rules = PATIENCE.into_iter().map(|patience| Rule { order, ahead: f64::INFINITY, patience });
    rules.take(few).filter_map(|rule| List::new(instance, rule).timed()).collect()
}

/// Begin, stage and phase of a pass, and its number.
type Pass = (f64, usize, usize, Id);

struct List<'a> {
    instance: &'a Instance,
    rule: Rule<'a>,
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
    /// Passes of each group, gradients of parameters aside.
    passed: Vec<usize>,
    rows: Rows,
}

impl<'a> List<'a> {
    fn new(instance: &'a Instance, rule: Rule<'a>) -> Self {
        let count = instance.num_stages();
        let mut stages = vec![Vec::new(); instance.groups];
        (0..count).for_each(|stage| stages[instance.homes[stage]].push(stage));
        let reserve = |stage: usize| {
            if let Order::Kept(_) = rule.order {
                return 0.0;
            }
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
            passed: vec![0; instance.groups],
            rows: vec![Vec::new(); instance.groups],
        }
    }

    /// The rows and their seconds; none if nothing can go on.
    fn timed(self) -> Option<(f64, Rows)> {
        let instance = self.instance;
        let rows = self.run()?;
        instance.timed(&rows).map(|times| (times.value, rows))
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
        let passes = self.passes(group);
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

    /// The passes that a group may run next, by the order that is kept or by the next of each stage.
    fn passes(&self, group: usize) -> Vec<Pass> {
        if let Order::Kept(rows) = self.rule.order {
            let next = rows[group].get(self.passed[group]).map(|id| self.instance.parts(*id));
            return next.and_then(|[stage, phase, _]| self.pass(group, stage, phase)).into_iter().collect();
        }
        let passes = self.stages[group].iter().flat_map(|stage| [(*stage, FORWARD), (*stage, INPUT)]);
        passes.filter_map(|(stage, phase)| self.pass(group, stage, phase)).collect()
    }

    /// The next pass of a stage, if it may be run.
    fn pass(&self, group: usize, stage: usize, phase: usize) -> Option<Pass> {
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
            (Order::Kept(_), _) => 0,
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
            self.passed[group] += 1;
        }
        self.rows[group].push(id);
    }
}

/// Microbatches that each stage may have begun before their gradients; see [`Rule::ahead`].
fn most_ahead(instance: &Instance, ahead: f64) -> Vec<usize> {
    let count = instance.num_stages();
    let own = |group: usize| (0..count).filter(move |stage| instance.homes[*stage] == group);
    let work = |group: usize| own(group).map(|stage| instance.seconds[stage].iter().sum::<f64>()).sum();
    let period = (0..instance.groups).map(work).fold(f64::MIN_POSITIVE, f64::max);
    let mut way = 0.0;
    let mut most = vec![usize::MAX; count];
    for stage in (0..count).rev() {
        way += instance.seconds[stage][FORWARD];
        if stage + 1 < count {
            way += instance.up[stage] + instance.seconds[stage + 1][INPUT] + instance.down[stage];
        }
        let forward: f64 = own(instance.homes[stage]).map(|stage| instance.seconds[stage][FORWARD]).sum();
        let turn = period * (1.0 - ahead) + forward * ahead;
        if ahead.is_finite() && turn > 0.0 {
            most[stage] = (way / turn + 1e-9).floor().max(1.0) as usize;
        }
    }
    most
}
