//! Makes a part of the search space smaller: rules, bounds, what bounds discard, and rules again.

use crate::dual::{Dual, Entry};
use crate::graph::{Dead, Graph};
use crate::problem::Assignment;
use crate::reduce::reduce;

/// A part of the search space.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) graph: Graph,
    /// Prices of moments.
    pub(crate) prices: Vec<(u64, f64)>,
    /// What every assignment costs at least.
    pub(crate) bound: i128,
}

/// The best assignment of all parts.
pub(crate) struct Best {
    /// Only assignments that cost less are looked for.
    pub(crate) below: i128,
    pub(crate) found: Option<(i128, Assignment)>,
}

/// How long a search may go on.
pub(crate) struct Effort<'a> {
    /// Work that is left, about one unit per cost that is looked at.
    pub(crate) work: u64,
    /// Whether to stop now; told of the work since it was asked last.
    pub(crate) should_stop: &'a dyn Fn(u64) -> bool,
    /// What an answer has to cost less than, if that is asked for only after some sweeps.
    pub(crate) wanted: Option<&'a dyn Fn() -> Option<i128>>,
}

/// What became of a part.
pub(crate) enum Narrowed {
    /// Nothing in it costs less than what is known.
    Done,
    /// There is no more effort.
    Spent,
    /// What each node would best take, the clearest first.
    Open(Vec<Choice>),
}

/// The strategy that the bound prefers for a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) node: u32,
    pub(crate) strategy: usize,
    /// How much more everything costs at least with another.
    pub(crate) lead: f64,
}

/// Work of keeping and copying a node, gone or not.
const OVERHEAD: usize = 100;

/// Moves of prices without progress, after which moves become smaller.
const PATIENCE: usize = 8;

/// Sweeps after the last move of prices, at most.
const SETTLING: usize = 20;

/// Sweeps before it is asked what is wanted: what is aimed at moves prices, so all but the first should know it.
const BEFORE_WANTED: usize = 1;

impl<'a> Effort<'a> {
    /// Of so much work.
    pub(crate) fn up_to(work: u64, should_stop: &'a dyn Fn(u64) -> bool) -> Self {
        Self { work, should_stop, wanted: None }
    }

    /// What is wanted, if it was not asked for yet.
    pub(crate) fn wanted(&mut self) -> Option<i128> {
        self.wanted.take().and_then(|wanted| wanted())
    }

    fn spend(&mut self, work: usize) -> bool {
        self.work = self.work.saturating_sub(work as u64);
        !(self.should_stop)(work as u64) && self.work > 0
    }
}

impl Best {
    pub(crate) fn below(below: i128) -> Self {
        Self { below, found: None }
    }

    /// Only what costs less is of use any more.
    pub(crate) fn lower(&mut self, below: Option<i128>) {
        if let Some(below) = below.filter(|below| *below <= self.below) {
            *self = Self::below(below);
        }
    }

    fn offer(&mut self, graph: &Graph, chosen: impl Fn(u32) -> usize) {
        if let Some(cost) = graph.cost(&chosen)
            && cost < self.below
        {
            self.below = cost;
            self.found = Some((cost, graph.assignment(&chosen)));
        }
    }
}

impl Part {
    /// Number of costs that it holds.
    pub(crate) fn entries(&self) -> usize {
        self.graph.edges.iter().map(|edge| edge.costs.len()).sum()
    }

    pub(crate) fn new(graph: Graph) -> Self {
        Self { bound: graph.constant, graph, prices: Vec::new() }
    }

    /// The moment with the highest price; without prices, that at which most could be used beyond what there is.
    pub(crate) fn scarcest(&self) -> Option<u64> {
        let dearest = self.prices.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(moment, _)| *moment);
        dearest.or_else(|| {
            let mut excess: Vec<i128> = self.graph.room.iter().map(|room| -i128::from(*room)).collect();
            for span in self.graph.nodes.iter().flat_map(|node| &node.spans) {
                let most = i128::from(span.usage.iter().copied().max().unwrap_or(0));
                excess[span.start as usize..span.end as usize].iter_mut().for_each(|row| *row += most);
            }
            let (row, most) = excess.iter().enumerate().rev().max_by_key(|(_, excess)| **excess)?;
            (*most > 0).then(|| self.graph.moments[row])
        })
    }

    /// Narrows the part until little more is discarded.
    pub(crate) fn narrow(&mut self, sweeps: usize, best: &mut Best, effort: &mut Effort) -> Narrowed {
        loop {
            if !effort.spend(4 * self.entries() + OVERHEAD * self.graph.nodes.len()) {
                return Narrowed::Spent;
            }
            if let Err(dead) = reduce(&mut self.graph, &|| (effort.should_stop)(0)) {
                if let Dead::Moment(moment) = dead {
                    // No price is enough there.
                    self.prices = vec![(moment, f64::INFINITY)];
                }
                return Narrowed::Done;
            }
            if self.graph.left().next().is_none() {
                best.offer(&self.graph, |_| 0);
                return Narrowed::Done;
            }
            let (share, narrowed) = self.discard::<f64>(sweeps, best, effort);
            if share <= 0.02 || !matches!(narrowed, Narrowed::Open(_)) {
                return narrowed;
            }
        }
    }

    /// Raises the bound and discards what it can, without rules before. Returns the share of strategies that were
    /// discarded (all, if there is nothing to choose any more) and what is left.
    pub(crate) fn discard<C: Entry>(
        &mut self,
        sweeps: usize,
        best: &mut Best,
        effort: &mut Effort,
    ) -> (f64, Narrowed) {
        let mut dual = Dual::<C>::new(&self.graph, self.prices_of_rows());
        let mut keep = vec![true; dual.unary.len()];
        let is_open = self.raise(&mut dual, sweeps, best, effort, &mut keep);
        let with_prices = self.graph.moments.iter().copied().zip(dual.prices.iter().copied());
        self.prices = with_prices.filter(|(_, price)| *price > 0.0).collect();
        match is_open {
            None => return (0.0, Narrowed::Spent),
            Some(false) => return (0.0, Narrowed::Done),
            Some(true) => {}
        }
        let limit = self.graph.limit(best.below);
        self.bound = self.bound.max(self.graph.surely(dual.bound()));
        if let Some(chosen) = dual.decode(&self.graph) {
            let place = |node: u32| chosen[dual.nodes.partition_point(|other| *other < node)];
            best.offer(&self.graph, place);
        }
        dual.discard(limit, &mut keep);
        dual.commit(&mut self.graph);
        let mut choices = Vec::new();
        let mut discarded = 0;
        for (own, node) in dual.nodes.iter().enumerate() {
            let keep = &keep[dual.range(own)];
            let left = keep.iter().filter(|keep| **keep).count();
            discarded += keep.len() - left;
            let (lead, strategy) = dual.lead(own);
            if left == 0 {
                return (0.0, Narrowed::Done);
            }
            if left < keep.len() {
                self.graph.restrict(*node, keep);
            }
            if left > 1 && keep[strategy] {
                let strategy = keep[..strategy].iter().filter(|keep| **keep).count();
                choices.push(Choice { node: *node, strategy, lead });
            }
        }
        if choices.is_empty() {
            return (1.0, Narrowed::Open(choices));
        }
        choices.sort_by(|a, b| b.lead.total_cmp(&a.lead).then(a.node.cmp(&b.node)));
        (discarded as f64 / keep.len() as f64, Narrowed::Open(choices))
    }

    /// Raises the bound. `None`: no more effort; false: it is above what is known.
    fn raise<C: Entry>(
        &self,
        dual: &mut Dual<C>,
        sweeps: usize,
        best: &mut Best,
        effort: &mut Effort,
        keep: &mut [bool],
    ) -> Option<bool> {
        let entries = dual.entries();
        let mut highest = (f64::NEG_INFINITY, dual.prices.clone());
        let (mut scale, mut stalled) = (0.3, 0);
        for sweep in 1..=sweeps {
            if !effort.spend(2 * entries) {
                return None;
            }
            dual.sweep();
            if sweep == BEFORE_WANTED {
                best.lower(effort.wanted());
            }
            let limit = self.graph.limit(best.below);
            let bound = dual.bound();
            if bound > limit {
                return Some(false);
            }
            dual.discard(limit, keep);
            stalled += 1;
            if bound > highest.0 + 1e-3 * (limit - bound) {
                stalled = 0;
            }
            if bound > highest.0 {
                highest = (bound, dual.prices.clone());
            }
            if stalled > PATIENCE.max(sweeps / 16) {
                stalled = 0;
                scale *= 0.6;
                if scale < 0.02 {
                    break;
                }
            }
            // Without an assignment to aim at, a twentieth is thought to be missing: of the bound, or of what there is.
            let gap = if best.below < i128::MAX / 2 { limit - bound } else { dual.spread() };
            let aim = limit.min(bound + 0.05 * bound.abs().max(gap));
            if sweep < sweeps {
                dual.move_prices(&self.graph, scale * (aim - bound));
            }
            if (sweep % 16 == 0 || sweep.is_power_of_two())
                && let Some(chosen) = dual.decode(&self.graph)
            {
                let place = |node: u32| chosen[dual.nodes.partition_point(|other| *other < node)];
                best.offer(&self.graph, place);
            }
        }
        dual.reprice(&self.graph, highest.1);
        let mut last = f64::NEG_INFINITY;
        for _ in 0..SETTLING {
            dual.sweep();
            let bound = dual.bound();
            let is_over = bound > self.graph.limit(best.below);
            if is_over || bound < last + 1e-3 * (best.below as f64 - bound) {
                break;
            }
            last = bound;
        }
        Some(dual.bound() <= self.graph.limit(best.below))
    }

    /// A moment that is gone gives its price to the next one that is left.
    fn prices_of_rows(&self) -> Vec<f64> {
        let mut prices = vec![0.0; self.graph.room.len()];
        for (moment, price) in &self.prices {
            let row = self
                .graph
                .moments
                .partition_point(|other| other < moment)
                .min(prices.len().saturating_sub(1));
            if let Some(own) = prices.get_mut(row) {
                *own += price;
            }
        }
        prices
    }
}
