//! Orders of a function's instructions in which what is done for one layer stands behind what is done for another.
//!
//! Input: a function, and of which layer each of its arguments is. Output: its flow, and orders of its instructions with makers
//! in front of readers, each in runs of one layer.

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Function};
use std::collections::{BTreeMap, BTreeSet};

/// A place that reads a value: an instruction of the entry region or one inside of it, and which of its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) inst: InstId,
    pub(super) operand: usize,
    pub(super) value: ValueId,
}

/// Data flow of a function's own region, by position.
pub(super) struct Flow<'a> {
    pub(super) function: &'a Function,
    pub(super) body: &'a Body,
    /// The instructions, without the terminator.
    pub(super) insts: &'a [InstId],
    /// Where each instruction reads what is made around it.
    pub(super) sites: Vec<Vec<Site>>,
    /// The position that makes a value, and which of its results that is.
    pub(super) made: Table<ValueId, Option<(usize, usize)>>,
    /// The layer of each argument of one, and of what is made of that alone.
    pub(super) ranks: BTreeMap<ValueId, usize>,
    /// Arguments that are no layers of stacks in the new function.
    pub(super) apart: BTreeSet<ValueId>,
    /// The last layer that each instruction depends on.
    level: Vec<Option<usize>>,
}

/// The least and the most of some numbers.
#[derive(Clone, Copy)]
struct Span {
    least: usize,
    most: usize,
}

impl Span {
    fn with(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

/// First reads of layers that follow one another, all up or all down.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// The first position of each layer's.
    pub(super) firsts: Vec<usize>,
    last: usize,
    is_up: Option<bool>,
}

impl<'a> Flow<'a> {
    pub(super) fn new(function: &'a Function, ranks: &[Option<usize>]) -> Self {
        let body = &function.body;
        let all = &body.regions[body.entry()].insts;
        let insts = &all[..all.len().saturating_sub(1)];
        let ranks = function.args().iter().zip(ranks).filter_map(|(arg, rank)| Some((*arg, (*rank)?)));
        let mut flow = Self {
            function,
            body,
            insts,
            sites: insts.iter().map(|inst| sites(body, *inst)).collect(),
            made: Table::filled(None, body.values.len()),
            ranks: ranks.collect(),
            apart: BTreeSet::new(),
            level: Vec::with_capacity(insts.len()),
        };
        for (at, inst) in insts.iter().enumerate() {
            let level = |site: &Site| match flow.made[site.value] {
                Some((maker, _)) => flow.level[maker],
                None => flow.ranks.get(&site.value).copied(),
            };
            let own = flow.sites[at].iter().filter_map(level).max();
            let alone = flow.alone(at);
            flow.level.push(own);
            for (result, value) in body.insts[*inst].results.iter().enumerate() {
                flow.made[*value] = Some((at, result));
                flow.ranks.extend(alone.map(|rank| (*value, rank)));
            }
        }
        flow
    }

    /// The layer of which an instruction reads arguments, if it reads nothing else but constants.
    fn alone(&self, at: usize) -> Option<usize> {
        let is_constant =
            |value: ValueId| self.made[value].is_some_and(|(maker, _)| self.sites[maker].is_empty());
        let mut read = self.sites[at].iter().filter(|site| !is_constant(site.value));
        let first = self.ranks.get(&read.next()?.value).copied()?;
        read.all(|site| self.ranks.get(&site.value) == Some(&first)).then_some(first)
    }

    /// The layer of which an instruction reads an argument, or what is made of one, the last one of several.
    fn direct(&self, at: usize) -> Option<usize> {
        self.sites[at].iter().filter_map(|site| self.ranks.get(&site.value).copied()).max()
    }

    /// First reads of layers in an order of the instructions.
    pub(super) fn runs(&self, order: &[usize]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (position, rank) in
            order.iter().enumerate().filter_map(|(at, own)| Some((at, self.direct(*own)?)))
        {
            let is_next = |run: &Run| run.is_up.is_none_or(|is_up| is_up == (rank > run.last));
            match runs.last_mut() {
                Some(run) if run.last == rank => {}
                Some(run) if is_next(run) => {
                    run.is_up = Some(rank > run.last);
                    run.firsts.push(position);
                    run.last = rank;
                }
                _ => runs.push(Run { firsts: vec![position], last: rank, is_up: None }),
            }
        }
        runs
    }

    /// The orders in which layers are looked for.
    pub(super) fn orders(&self) -> Vec<Vec<usize>> {
        let mut orders = vec![self.as_written(), self.by_layers(), self.by_parts()];
        orders.retain(|order| self.keeps_effects(order));
        orders
    }

    /// Whether instructions do what others see, as random numbers of a device's own state or what is fed to a host, one behind the
    /// other as they are written.
    fn keeps_effects(&self, order: &[usize]) -> bool {
        let effects = order.iter().filter(|at| self.has_effects(**at));
        effects.is_sorted()
    }

    fn has_effects(&self, at: usize) -> bool {
        self.body.effect_in(self.insts[at]).is_some()
    }

    /// As they are written, but for what several layers in a row read and no layer makes, which stands in front.
    fn as_written(&self) -> Vec<usize> {
        let all: Vec<usize> = (0..self.insts.len()).collect();
        let runs = self.runs(&all);
        // The run, and the layer of it, behind whose first read each position stands.
        let mut segments = vec![(0, 0); all.len()];
        for (number, run) in runs.iter().enumerate() {
            for (layer, first) in run.firsts.iter().enumerate() {
                segments[*first..].fill((number, layer));
            }
        }
        let needs = self.needs(&segments);
        // What has effects stays where it is, and with it what is made of that.
        let mut stays = vec![false; all.len()];
        for at in &all {
            let mut makers = self.sites[*at].iter().filter_map(|site| self.made[site.value]);
            stays[*at] = self.has_effects(*at) || makers.any(|(maker, _)| stays[maker]);
        }
        let is_shared = |at: &usize| {
            if stays[*at] {
                return false;
            }
            let is_of_all = needs[*at].values().any(|span| span.least < span.most);
            self.level[*at].is_none() && (is_of_all || self.sites[*at].is_empty())
        };
        let (mut order, rest): (Vec<usize>, Vec<usize>) = all.into_iter().partition(is_shared);
        order.extend(rest);
        order
    }

    /// What is of no layer first, then layer by layer.
    fn by_layers(&self) -> Vec<usize> {
        let layers = self.layers();
        let mut order: Vec<usize> = (0..self.insts.len()).collect();
        order.sort_by_key(|at| layers[*at]);
        order
    }

    /// What is of no layer first, then what has to do with each other by way of layers, in the order of the arguments that are
    /// read there: one parameter after the other, each layer by layer.
    fn by_parts(&self) -> Vec<usize> {
        let layers = self.layers();
        // Each position leads to another one of its part; the first argument of a layer that each part reads.
        let mut part: Vec<usize> = (0..self.insts.len()).collect();
        let root = |part: &[usize], mut at: usize| {
            while part[at] != at {
                at = part[at];
            }
            at
        };
        let number = |value: &ValueId| self.ranks.get(value).and(self.function.argument_index(*value));
        let mut first = vec![usize::MAX; self.insts.len()];
        for at in (0..self.insts.len()).filter(|at| layers[*at].is_some()) {
            let mut own = at;
            for site in &self.sites[at] {
                first[own] = first[own].min(number(&site.value).unwrap_or(usize::MAX));
                let Some((maker, _)) = self.made[site.value].filter(|(maker, _)| layers[*maker].is_some())
                else {
                    continue;
                };
                let other = root(&part, maker);
                if other != own {
                    first[other] = first[other].min(first[own]);
                    part[own] = other;
                    own = other;
                }
            }
        }
        let mut order: Vec<usize> = (0..self.insts.len()).collect();
        order.sort_by_key(|at| layers[*at].map(|_| first[root(&part, *at)]));
        order
    }

    /// The last layer that each instruction depends on; of one that depends on none the only one that reads it.
    fn layers(&self) -> Vec<Option<usize>> {
        // What all that reads an instruction has in common, if it is in no layer itself; no layer if there is nothing.
        let mut read_by: Vec<Option<Option<usize>>> = vec![None; self.insts.len()];
        let mut layers = vec![None; self.insts.len()];
        for at in (0..self.insts.len()).rev() {
            let is_free = self.sites[at].is_empty();
            layers[at] = self.level[at].or(read_by[at].flatten().filter(|_| !is_free));
            for (maker, _) in self.sites[at].iter().filter_map(|site| self.made[site.value]) {
                let all = read_by[maker].get_or_insert(layers[at]);
                *all = all.filter(|layer| Some(*layer) == layers[at]);
            }
        }
        layers
    }

    /// Of what is in no layer, for each run the layers that read it, by itself or by way of what is in none either.
    fn needs(&self, segments: &[(usize, usize)]) -> Vec<BTreeMap<usize, Span>> {
        let mut needs: Vec<BTreeMap<usize, Span>> = vec![BTreeMap::new(); self.insts.len()];
        for at in (0..self.insts.len()).rev() {
            let (run, layer) = segments[at];
            let own = match self.level[at] {
                Some(_) => BTreeMap::from([(run, Span { least: layer, most: layer })]),
                None => needs[at].clone(),
            };
            for (maker, _) in self.sites[at].iter().filter_map(|site| self.made[site.value]) {
                if self.level[maker].is_some() {
                    continue;
                }
                for (run, span) in &own {
                    let all = needs[maker].entry(*run).or_insert(*span);
                    *all = all.with(*span);
                }
            }
        }
        needs
    }
}

/// Where an instruction reads what is made around it: its own operands, then those inside of its regions.
fn sites(body: &Body, inst: InstId) -> Vec<Site> {
    let content = &body.insts[inst];
    let operands = content.operands.iter().enumerate();
    let mut sites: Vec<Site> =
        operands.map(|(operand, value)| Site { inst, operand, value: *value }).collect();
    if content.regions.is_empty() {
        return sites;
    }
    let mut inside = BTreeSet::new();
    let mut open = Vec::new();
    for region in &content.regions {
        inside.extend(body.regions[*region].args.iter().copied());
        for own in body.walk(*region) {
            let content = &body.insts[own];
            inside.extend(content.results.iter().copied());
            inside
                .extend(content.regions.iter().flat_map(|region| body.regions[*region].args.iter().copied()));
            let operands = content.operands.iter().enumerate();
            open.extend(operands.map(|(operand, value)| Site { inst: own, operand, value: *value }));
        }
    }
    sites.extend(open.into_iter().filter(|site| !inside.contains(&site.value)));
    sites
}
