//! How the parts work together: the problem is reduced and bounded; then some threads dive and improve what
//! they find while one tries to prove that nothing is better.

use crate::check::check;
use crate::exact;
use crate::graph::{Dead, Graph, counts_usage_exactly, too_fine};
use crate::incumbent::Incumbent;
use crate::narrow::{Best, Effort, Narrowed, Part};
use crate::neighborhood;
use crate::problem::{Assignment, Problem};
use crate::random::Random;
use crate::reduce::reduce;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Options of the solver.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Threads that work at once.
    pub threads: usize,
    /// Where random choices begin.
    pub seed: u64,
    /// Only answers that cost less are looked for; [`Watch::below`] may want less still.
    pub below: Option<u128>,
    /// The work that may be done, about one unit per cost that is looked at. With one thread, the same work gives the
    /// same answer.
    pub work: Option<u64>,
    /// An answer is good enough that costs at most this share of its cost more than the bound.
    pub close: f64,
    /// Where memory is scarce, the search ends after so many dives that found nothing.
    pub tries: Option<usize>,
    /// Work without a gain after which the search ends, where memory is scarce and there is an answer: so much and
    /// three times what was done before. Prices of memory close the gap between answer and bound slowly. With one thread,
    /// the same work gives the same answer.
    pub patience: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: 1, seed: 0, below: None, work: None, close: 0.0, tries: None, patience: None }
    }
}

/// Observer of a solution under way.
pub trait Watch: Sync {
    /// Whether to stop with what there is.
    fn should_stop(&self) -> bool;

    /// There is a better answer, or a higher bound.
    fn progress(&self, _: Progress) {}

    /// What answers have to cost less than, where the options say so too: asked for when it begins to count, so that it may
    /// still be found out while the problem is read. The same whenever it is asked for.
    fn below(&self) -> Option<u128> {
        None
    }
}

/// Progress of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Cost of the best answer.
    pub cost: Option<u128>,
    /// What every answer costs at least.
    pub bound: u128,
}

/// Reasons for which the search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nothing is better.
    Optimal,
    /// It was told to, or there is no work left.
    Stopped,
    /// The answer is good enough, as asked for.
    Close,
    /// No answer costs less than asked for.
    NothingBelow,
    /// Costs or usages are too large to add up exactly with all others: an answer, or a better one, may exist.
    TooLarge,
    /// There is no answer.
    Infeasible(Infeasible),
}

/// Proofs that there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infeasible {
    /// At this moment more is used than may be, whatever is chosen.
    Moment(u64),
    /// Every strategy of this node is impossible beside what its neighbours can take.
    Node(usize),
    /// Everything was tried; memory is scarcest at this moment, if it is at any.
    Exhausted(Option<u64>),
}

/// Result of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best answer, if there is one.
    pub assignment: Option<Assignment>,
    /// What every answer costs at least.
    pub bound: u128,
    /// Why the search ended.
    pub reason: Reason,
}

/// Sweeps over the whole problem: before anything else, and each time it is narrowed further; and over parts.
const FIRST_SWEEPS: usize = 80;
const SWEEPS: usize = 150;
const FEW_SWEEPS: usize = 20;

/// Sweeps over the whole problem before rules, where only answers that cost less than something are wanted.
const SWEEPS_BEFORE_RULES: usize = 20;

/// Shares of the nodes that a dive fixes at once, in the order in which they are tried.
const SHARES: [f64; 5] = [0.3, 0.1, 0.03, 0.2, 0.01];

/// An answer that costs more than the bound by a larger share of its cost discards little: a better one comes first.
const FAR: f64 = 0.02;

/// How many times longer than until then the search goes on without a gain, and the share of the gap that counts as one.
const LONGER: u64 = 3;
const GAIN: f64 = 1.0 / 32.0;

/// How often a dive takes back what it fixed last, as long as there is no answer.
const TAKEN_BACK: usize = 16;

/// Solves a problem. The problem must be valid (`Problem::validate`).
pub fn solve(problem: &Problem, options: Options, watch: &dyn Watch) -> Solution {
    let mut solution = solve_as_counted(problem, options, watch, 0);
    if solution.reason == Reason::TooLarge && options.below.is_none() && too_fine(problem) > 0 {
        solution = roughly(problem, solution, options, watch);
    }
    if counts_usage_exactly(problem) {
        return solution;
    }
    // A better answer may fit that was counted as too large.
    let reason = if solution.reason == Reason::Stopped { Reason::Stopped } else { Reason::TooLarge };
    Solution { bound: 0, reason, ..solution }
}

/// The better of a solution for which large costs were all taken for the same, and of one for which the last bits of all
/// were left out.
fn roughly(problem: &Problem, solution: Solution, options: Options, watch: &dyn Watch) -> Solution {
    let dropped = too_fine(problem);
    let other = solve_as_counted(problem, options, &Rough { watch, dropped }, dropped);
    let cost = |solution: &Solution| {
        let assignment = solution.assignment.as_ref()?;
        Some(check(problem, assignment).ok()?.cost)
    };
    let bound = solution.bound.max(other.bound << dropped);
    let other_is_better = match (cost(&solution), cost(&other)) {
        (Some(own), Some(other)) => other < own,
        (None, Some(_)) => true,
        _ => false,
    };
    let best = if other_is_better { other } else { solution };
    let is_optimal = cost(&best) == Some(bound);
    let reason = if is_optimal { Reason::Optimal } else { Reason::TooLarge };
    Solution { bound, reason, ..best }
}

/// Is told of costs as they are of those whose last bits were left out.
struct Rough<'a> {
    watch: &'a dyn Watch,
    dropped: u32,
}

impl Watch for Rough<'_> {
    fn should_stop(&self) -> bool {
        self.watch.should_stop()
    }

    fn progress(&self, progress: Progress) {
        let cost = progress.cost.map(|cost| cost << self.dropped);
        self.watch.progress(Progress { cost, bound: progress.bound << self.dropped });
    }
}

/// Of every cost so many bits are left out, as they are of the bound.
fn solve_as_counted(problem: &Problem, options: Options, watch: &dyn Watch, dropped: u32) -> Solution {
    let mut graph = Graph::new(problem, dropped);
    let shift = graph.shift;
    let infeasible = |dead, forbids: Option<u64>| {
        let why = match (dead, forbids) {
            // Memory is what is wanting if the others would do without it.
            (Dead::Node(_), Some(moment)) if is_possible_without_limit(problem, watch) => {
                Infeasible::Moment(moment)
            }
            (Dead::Node(node), _) => Infeasible::Node(node),
            (Dead::Moment(moment), _) => Infeasible::Moment(moment),
        };
        Solution { assignment: None, bound: 0, reason: Reason::Infeasible(why) }
    };
    let (mut first, mut bound, mut prices) = (None, i128::MIN, Vec::new());
    let mut options = options;
    if let Some(below) = &mut options.below {
        // What cannot be in such an answer goes first: rules take longer than sweeps.
        let mut part = Part::new(graph);
        let mut best = Best::below(shifted(*below, shift));
        let wanted = || watch.below().map(|wanted| shifted(wanted, shift));
        let mut effort =
            Effort { work: u64::MAX, should_stop: &|_| watch.should_stop(), wanted: Some(&wanted) };
        let (_, narrowed) = part.discard::<f32>(SWEEPS_BEFORE_RULES, &mut best, &mut effort);
        best.lower(effort.wanted());
        if let Some(wanted) = watch.below() {
            *below = wanted.min(*below);
        }
        if matches!(narrowed, Narrowed::Done) {
            return nothing_better(problem, best.found, *below, shift);
        }
        (first, bound, prices) = (best.found, part.bound, part.prices);
        graph = part.graph;
    }
    if let Err(dead) = reduce(&mut graph, &|| watch.should_stop()) {
        // Of a problem without what costs as much, that is no answer which costs less.
        return match options.below {
            Some(below) => nothing_better(problem, first, below, shift),
            None => infeasible(dead, graph.forbids),
        };
    }
    let hub = Hub {
        state: Mutex::new(State {
            best: None,
            bound: graph.constant.max(bound),
            root: Part { prices, ..Part::new(graph.clone()) },
            generation: 0,
            gap: i128::MAX,
        }),
        is_done: AtomicBool::new(false),
        is_close: AtomicBool::new(false),
        close: options.close,
        tries: options.tries,
        below: options.below.map_or(i128::MAX, |below| shifted(below, shift)),
        spent: AtomicU64::new(0),
        budget: options.work.unwrap_or(u64::MAX),
        patience: options.patience,
        deadline: AtomicU64::new(u64::MAX),
        shift,
        watch,
    };
    hub.offer(first);
    if hub.is_far() {
        dive(&hub, 0);
    }
    hub.narrow_root(FIRST_SWEEPS);
    if !hub.should_stop() {
        std::thread::scope(|scope| {
            for thread in 1..options.threads.max(1) {
                let (hub, graph) = (&hub, &graph);
                let random = Random(options.seed.wrapping_add(thread as u64));
                scope.spawn(move || improve(hub, graph, thread - 1, random));
            }
            prove(&hub, options.threads, &graph, Random(options.seed));
        });
    }
    let is_done = hub.is_done.load(Ordering::Relaxed);
    let is_close = hub.is_close.load(Ordering::Relaxed);
    let State { best, bound, root, .. } =
        hub.state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let unit = 1_i128 << shift;
    if !is_done {
        let bound = u128::try_from(bound.div_euclid(unit)).unwrap_or(0);
        let reason = if is_close { Reason::Close } else { Reason::Stopped };
        return Solution { assignment: best.map(|(_, found)| found), bound, reason };
    }
    let Some((cost, found)) = best else {
        let (bound, reason) = match options.below {
            Some(below) => (below, Reason::NothingBelow),
            None => (0, Reason::Infeasible(Infeasible::Exhausted(root.scarcest()))),
        };
        return Solution { assignment: None, bound, reason };
    };
    if options.work.is_some() || options.below.is_some() {
        return nothing_better(problem, Some((cost, found)), options.below.unwrap_or(u128::MAX), shift);
    }
    // Of several best answers always the same: the first that the search meets if it knows what they cost.
    let mut again = Best::below(cost + unit);
    let should_stop = |_| watch.should_stop();
    let mut effort = Effort::up_to(u64::MAX, &should_stop);
    let is_complete = exact::search(Part::new(graph), SWEEPS, &mut again, &mut effort) >= cost;
    let bound = u128::try_from(cost >> shift).unwrap_or(0);
    match again.found {
        Some((_, first)) if is_complete => {
            // Costs that are too large to add up exactly were taken for less.
            let is_exact = check(problem, &first).is_ok_and(|value| value.cost == bound);
            let reason = if is_exact { Reason::Optimal } else { Reason::TooLarge };
            Solution { assignment: Some(first), bound, reason }
        }
        _ => Solution { assignment: Some(found), bound, reason: Reason::Stopped },
    }
}

/// Whether what single nodes and edges say leaves something, were there any amount of memory.
fn is_possible_without_limit(problem: &Problem, watch: &dyn Watch) -> bool {
    let mut graph = Graph::new(&Problem { usage_limit: None, ..problem.clone() }, 0);
    reduce(&mut graph, &|| watch.should_stop()).is_ok()
}

/// No answer is better than what was found, or costs less than `below`.
fn nothing_better(problem: &Problem, found: Option<(i128, Assignment)>, below: u128, shift: u32) -> Solution {
    let Some((cost, found)) = found else {
        return Solution { assignment: None, bound: below, reason: Reason::NothingBelow };
    };
    let bound = u128::try_from(cost >> shift).unwrap_or(0);
    // Costs that are too large to add up exactly were taken for less.
    let is_exact = check(problem, &found).is_ok_and(|value| value.cost == bound);
    let reason = if is_exact { Reason::Optimal } else { Reason::TooLarge };
    Solution { assignment: Some(found), bound, reason }
}

/// A cost in the parts that the search counts in.
fn shifted(cost: u128, shift: u32) -> i128 {
    i128::try_from(cost).unwrap_or(i128::MAX >> shift).min(i128::MAX >> shift) << shift
}

/// What all threads know.
struct Hub<'a> {
    state: Mutex<State>,
    /// Nothing is better than what was found.
    is_done: AtomicBool,
    /// What was found is good enough.
    is_close: AtomicBool,
    close: f64,
    tries: Option<usize>,
    /// Only answers that cost less are looked for.
    below: i128,
    /// Work that was done, and that may be done.
    spent: AtomicU64,
    budget: u64,
    patience: Option<u64>,
    /// When the patience ends, as things are.
    deadline: AtomicU64,
    shift: u32,
    watch: &'a dyn Watch,
}

struct State {
    best: Option<(i128, Assignment)>,
    bound: i128,
    /// The problem without what cannot be in a better answer.
    root: Part,
    /// How often the root was narrowed.
    generation: usize,
    /// Between answer and bound, when that last became notably less.
    gap: i128,
}

impl Hub<'_> {
    fn should_stop(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
            || self.is_close.load(Ordering::Relaxed)
            || self.spent.load(Ordering::Relaxed) >= self.budget.min(self.deadline.load(Ordering::Relaxed))
            || self.watch.should_stop()
    }

    /// Counts work. Returns whether to stop.
    fn spend(&self, work: u64) -> bool {
        self.spent.fetch_add(work, Ordering::Relaxed);
        self.should_stop()
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// A record of the best answer for a search of one's own.
    fn best(&self) -> Best {
        Best::below(self.with(|state| state.best.as_ref().map_or(self.below, |(cost, _)| *cost)))
    }

    /// Whether there is an answer that costs far more than the bound.
    fn is_far(&self) -> bool {
        let is_far = |cost: i128, bound: i128| (cost - bound) as f64 > FAR * cost as f64;
        self.with(|state| state.best.as_ref().is_some_and(|(cost, _)| is_far(*cost, state.bound)))
    }

    /// Whether there is no answer, and memory is scarce.
    fn is_short(&self) -> bool {
        self.with(|state| state.best.is_none() && !state.root.prices.is_empty())
    }

    fn offer(&self, found: Option<(i128, Assignment)>) {
        let Some((cost, assignment)) = found else { return };
        self.with(|state| {
            if state.best.as_ref().is_none_or(|(known, _)| cost < *known) {
                state.best = Some((cost, assignment));
                self.tell(state);
            }
        });
    }

    fn raise(&self, bound: i128) {
        self.with(|state| {
            if bound > state.bound {
                state.bound = bound;
                self.tell(state);
            }
        });
    }

    fn tell(&self, state: &mut State) {
        self.note_gain(state);
        if let Some((cost, _)) = state.best
            && self.close > 0.0
            && (cost - state.bound) as f64 <= self.close * cost as f64
        {
            self.is_close.store(true, Ordering::Relaxed);
        }
        let plain = |cost: i128| u128::try_from(cost >> self.shift).unwrap_or(0);
        let cost = state.best.as_ref().map(|(cost, _)| plain(*cost));
        self.watch.progress(Progress { cost, bound: plain(state.bound) });
    }

    /// Moves the end of the patience if answer and bound are notably closer together; without prices there is none.
    fn note_gain(&self, state: &mut State) {
        let (Some(patience), Some((cost, _))) = (self.patience, &state.best) else { return };
        if state.root.prices.iter().all(|(_, price)| *price <= 0.0) {
            state.gap = i128::MAX;
            self.deadline.store(u64::MAX, Ordering::Relaxed);
            return;
        }
        let gap = cost - state.bound;
        if gap as f64 <= (1.0 - GAIN) * state.gap as f64 {
            state.gap = gap;
            let spent = self.spent.load(Ordering::Relaxed);
            let deadline = spent.saturating_mul(1 + LONGER).saturating_add(patience);
            self.deadline.store(deadline, Ordering::Relaxed);
        }
    }

    /// Narrows the problem as a whole for as long as that closes a part of the gap.
    fn raise_root(&self) {
        let gap = || {
            let (bound, cost) = (self.with(|state| state.bound), self.best().below);
            // Without an answer, a twentieth is thought to be missing.
            (bound, if cost < i128::MAX { cost } else { bound + bound.abs() / 20 })
        };
        while !self.should_stop() {
            let (before, _) = gap();
            self.narrow_root(SWEEPS);
            let (after, cost) = gap();
            if after - before <= (cost - before) / 20 {
                break;
            }
        }
    }

    /// Narrows the problem as a whole by what is known now.
    fn narrow_root(&self, sweeps: usize) {
        let (mut root, mut best) = (self.with(|state| state.root.clone()), self.best());
        let should_stop = |work| self.spend(work);
        let narrowed = root.narrow(sweeps, &mut best, &mut Effort::up_to(u64::MAX, &should_stop));
        self.offer(best.found);
        match narrowed {
            Narrowed::Done => {
                self.with(|state| state.root.prices = root.prices);
                self.is_done.store(true, Ordering::Relaxed);
            }
            Narrowed::Spent => {}
            Narrowed::Open(_) => {
                let bound = root.bound;
                self.with(|state| {
                    state.root = root;
                    state.generation += 1;
                    self.note_gain(state);
                });
                self.raise(bound);
            }
        }
    }
}

/// Work of one attempt at a proof, at first.
const ATTEMPT: u64 = 200_000_000;

/// Proves that nothing is better, in attempts that become longer; in between the problem is narrowed by what
/// was found.
fn prove(hub: &Hub, threads: usize, graph: &Graph, mut random: Random) {
    // Alone, it looks for answers too.
    let is_alone = threads < 2;
    let should_stop = |work| hub.spend(work);
    let mut attempt = ATTEMPT;
    let mut dives = 0;
    hub.raise_root();
    while !hub.should_stop() {
        let before = hub.best().below;
        // Where memory is scarce, answers are hard to find: all kinds of dives come before long proofs.
        while is_alone && dives < SHARES.len() && (hub.is_short() || hub.is_far()) && !hub.should_stop() {
            dive(hub, dives);
            dives += 1;
        }
        if hub.best().below < before {
            hub.raise_root();
        }
        if hub.tries.is_some_and(|tries| dives >= tries) && hub.is_short() {
            return;
        }
        let root = hub.with(|state| state.root.clone());
        let mut best = hub.best();
        let bound = exact::search(root, FEW_SWEEPS, &mut best, &mut Effort::up_to(attempt, &should_stop));
        let is_complete = bound >= best.below;
        hub.offer(best.found);
        if is_complete {
            hub.is_done.store(true, Ordering::Relaxed);
            return;
        }
        attempt = attempt.saturating_mul(2);
        if is_alone {
            dive(hub, dives);
            dives += 1;
        }
        if hub.best().below < before || before == i128::MAX {
            hub.raise_root();
        }
        // Most is gained by looking around what is known.
        if dives >= SHARES.len() || !is_alone {
            let rounds = 400 << dives.min(8);
            look_around(hub, graph, &mut random, rounds);
        }
    }
}

/// Looks for better answers until told to stop.
fn improve(hub: &Hub, graph: &Graph, thread: usize, mut random: Random) {
    for number in 0..SHARES.len() {
        if hub.should_stop() {
            return;
        }
        dive(hub, number + thread);
    }
    while !hub.should_stop() {
        look_around(hub, graph, &mut random, 2000);
        if hub.best().below == i128::MAX {
            dive(hub, random.below(SHARES.len()));
        }
    }
}

fn dive(hub: &Hub, number: usize) {
    let should_stop = |work| hub.spend(work);
    let mut root = hub.with(|state| state.root.clone());
    // Later dives are more careful with memory.
    for (_, price) in &mut root.prices {
        *price *= 1.0 + 0.2 * (number / SHARES.len()) as f64;
    }
    let takes_back = if hub.with(|state| state.best.is_none()) { TAKEN_BACK } else { 0 };
    let mut best = hub.best();
    exact::dive(
        root,
        FEW_SWEEPS,
        SHARES[number % SHARES.len()],
        takes_back,
        &mut best,
        &mut Effort::up_to(u64::MAX, &should_stop),
    );
    hub.offer(best.found);
}

/// Solves regions around the best answer again.
fn look_around(hub: &Hub, graph: &Graph, random: &mut Random, rounds: u64) {
    let Some((_, assignment)) = hub.with(|state| state.best.clone()) else { return };
    let chosen = graph.strategies(&assignment);
    let Some(incumbent) = Incumbent::new(graph, chosen) else { return };
    let root = hub.with(|state| state.root.clone());
    let should_stop = |work| hub.spend(work);
    let search = neighborhood::Search { graph, root: &root, should_stop: &should_stop };
    let before = incumbent.cost;
    let after = search.run(incumbent, random, rounds);
    if after.cost < before {
        hub.offer(Some((after.cost, graph.assignment(|node| after.chosen[node as usize] as usize))));
    }
}
