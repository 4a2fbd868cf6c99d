//! Segments of a forward pass as problems of the hull.
//!
//! Input: a function with its phases, costs and a device. Output: [`Segment`]s, one for each layer of the forward pass.
//! Where a loop goes through layers, its body is one segment (`scanned`).
//!
//! - What is read by the forward pass of another segment is *pinned*: it is kept, and there for both.
//! - What is free of data or parameters (random bits, weights in another type) belongs to the segment that alone reads it,
//!   and is decided there by its price; what several read is there.
//! - What is read where the step turns is needed at once, so only what runs backward counts as a reader.
//! - What no forward result needs costs nothing to be made later: it moves to the backward pass.
//! - What has side effects never runs twice, nor does a loop that is most of the forward pass.

use super::hull::{Made, Maker, Problem};
use meshwright_analyze::{Phase, Phases};
use meshwright_cost::Analysis;
use meshwright_cost::fusion::Role;
use meshwright_cost::op::work;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Def, Regions};
use meshwright_machine::{Device, Seconds};
use meshwright_tensor::types::Type;
use meshwright_transform::recompute::{Line, Pair, pairs};
use std::collections::BTreeMap;

/// A segment: its instructions and results, and what is to be decided of them.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// The instructions, by their position in the problem.
    pub insts: Vec<InstId>,
    /// Results, likewise.
    pub values: Vec<ValueId>,
    /// What it leaves to later segments: kept in any case.
    pub pinned: Vec<ValueId>,
    /// What is to be decided.
    pub problem: Problem,
    /// How often it runs in a step.
    pub times: u64,
}

impl Segment {
    /// Appends an instruction to the problem.
    pub(super) fn push_maker(&mut self, inst: InstId, maker: Maker) -> usize {
        self.insts.push(inst);
        self.problem.makers.push(maker);
        self.insts.len() - 1
    }
}

/// Whole picoseconds.
pub(super) fn picoseconds(seconds: Seconds) -> u64 {
    (seconds.0 * 1e12).round() as u64
}

/// Segments that read a free value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    Nowhere,
    One(usize),
    Many,
}

impl Home {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nowhere, home) | (home, Self::Nowhere) => home,
            (one, other) if one == other => one,
            _ => Self::Many,
        }
    }
}

/// Facts of a function's own region that segments are made from.
pub(super) struct Facts<'a> {
    pub(super) analysis: &'a Analysis<'a>,
    pub(super) phases: &'a Phases,
    pub(super) device: &'a Device,
    /// All instructions of the function's own region.
    insts: &'a [InstId],
    /// Loops that run forward and backward through layers, and the line of each.
    pub(super) layers: Vec<(Pair, Line<'a>)>,
    /// The position of each instruction among those of its line.
    pub(super) position: Table<InstId, usize>,
    /// What each of them reads.
    reads: Table<InstId, Vec<ValueId>>,
    /// The instructions that read each value.
    readers: Table<ValueId, Vec<InstId>>,
    home: Table<InstId, Home>,
    /// Seconds of the forward pass.
    forward_seconds: Seconds,
    /// Whether an instruction is needed for what the forward pass gives: without it, it may run later.
    is_forward_needed: Table<InstId, bool>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(analysis: &'a Analysis<'a>, phases: &'a Phases, device: &'a Device) -> Self {
        let body = &analysis.function.body;
        let insts = &body.regions[body.entry()].insts[..];
        let entry = Line::of_entry(body);
        let readers = entry.readers();
        // Where all parameters are of layers, the step turns in both loops.
        let is_trained = |pair: &Pair| {
            matches!(phases.of[pair.forward], Phase::Forward | Phase::Turning)
                && matches!(phases.of[pair.backward], Phase::Turning | Phase::Backward)
        };
        let layers: Vec<(Pair, Line<'a>)> = pairs(body)
            .into_iter()
            .filter(is_trained)
            .map(|pair| (pair.clone(), Line::of_pair(body, &pair)))
            .collect();
        let home = Table::filled(Home::Nowhere, body.insts.len());
        let is_forward_needed = Table::filled(false, body.insts.len());
        let mut facts = Self {
            analysis,
            phases,
            device,
            insts,
            layers,
            position: Table::filled(0, body.insts.len()),
            reads: Table::filled(Vec::new(), body.insts.len()),
            readers,
            home,
            forward_seconds: Seconds::ZERO,
            is_forward_needed,
        };
        facts.add_lines(&entry);
        facts.forward_seconds = phases.forward.insts.iter().map(|inst| facts.seconds(*inst)).sum();
        facts.find_homes();
        facts.find_needed();
        facts
    }

    /// What stands where in each line, and what it reads.
    fn add_lines(&mut self, entry: &Line<'a>) {
        let layers = std::mem::take(&mut self.layers);
        for line in layers.iter().map(|(_, line)| line).chain([entry]) {
            for (at, inst) in
                line.insts.iter().enumerate().filter(|(at, inst)| line.position(**inst) == Some(*at))
            {
                self.position[*inst] = at;
                self.reads[*inst].clone_from(&line.reads[at]);
            }
        }
        for (_, line) in &layers {
            for (value, readers) in line.readers().iter().filter(|(value, _)| line.made(*value).is_some()) {
                self.readers[value].clone_from(readers);
            }
        }
        self.layers = layers;
    }

    fn find_homes(&mut self) {
        let body = &self.analysis.function.body;
        for (segment, range) in self.phases.forward.layers(body).into_iter().enumerate() {
            self.phases.forward.insts[range].iter().for_each(|inst| self.home[*inst] = Home::One(segment));
        }
        for inst in self.insts.iter().rev().filter(|inst| self.phases.of[**inst] == Phase::Free) {
            let readers = body.insts[*inst].results.iter().flat_map(|result| &self.readers[*result]);
            self.home[*inst] = readers.map(|reader| self.home[*reader]).fold(Home::Nowhere, Home::and);
        }
        // What is made of them for the backward pass alone goes with them.
        for inst in self.insts.iter().filter(|inst| self.phases.of[**inst] == Phase::Free) {
            if self.home[*inst] == Home::Nowhere && !body.insts[*inst].results.is_empty() {
                let homes = self.reads[*inst].iter().filter_map(|value| self.home_of_free(*value));
                self.home[*inst] = homes.fold(Home::Nowhere, Home::and);
            }
        }
    }

    /// Home of what makes a value, if that is free.
    fn home_of_free(&self, value: ValueId) -> Option<Home> {
        match self.analysis.function.body.values[value].def {
            Def::Result(maker, _) if self.phases.of[maker] == Phase::Free => Some(self.home[maker]),
            _ => None,
        }
    }

    fn find_needed(&mut self) {
        let body = &self.analysis.function.body;
        for inst in self.insts.iter().rev() {
            let is_by = |reader: &InstId| match self.phases.of[*reader] {
                Phase::Turning => true,
                Phase::Forward => self.is_forward_needed[*reader],
                Phase::Free if self.home[*reader] != Home::Nowhere => self.is_forward_needed[*reader],
                Phase::Free => body.insts[*reader].results.is_empty(),
                Phase::Backward | Phase::Update => false,
            };
            let mut readers = body.insts[*inst].results.iter().flat_map(|result| &self.readers[*result]);
            self.is_forward_needed[*inst] = readers.any(is_by);
        }
    }

    /// Returns whether an instruction reads values in the backward pass.
    pub(super) fn is_late(&self, reader: InstId) -> bool {
        if self.layers.iter().any(|(_, line)| line.is_backward(reader)) {
            return true;
        }
        match self.phases.of[reader] {
            Phase::Backward | Phase::Update => true,
            Phase::Free => {
                let results = &self.analysis.function.body.insts[reader].results;
                self.home[reader] == Home::Nowhere && !results.is_empty()
            }
            Phase::Forward | Phase::Turning => false,
        }
    }

    /// The instructions of a value's line that read it, in order.
    pub(super) fn readers(&self, value: ValueId) -> &[InstId] {
        &self.readers[value]
    }

    /// Makers of what an instruction reads that is free, lies in no memory and is made of less, as a broadcast is: to keep it
    /// would take memory for it.
    pub(super) fn fused_reads(&self, inst: InstId) -> impl Iterator<Item = InstId> {
        let body = &self.analysis.function.body;
        self.reads[inst].iter().filter_map(move |value| {
            let Def::Result(maker, index) = body.values[*value].def else { return None };
            let read: usize = self.reads[maker].iter().map(|value| body.ty(*value).num_bytes()).sum();
            let is_made_of_less = read > 0 && read < body.ty(*value).num_bytes();
            let is_free = self.phases.of[maker] == Phase::Free;
            (is_free && is_made_of_less && !self.is_stored(maker, index)).then_some(maker)
        })
    }

    /// All segments, in order.
    pub(super) fn segments(&self) -> Vec<Segment> {
        let body = &self.analysis.function.body;
        let count = self.phases.forward.layers(body).len();
        let mut segments = vec![Segment { times: 1, ..Segment::default() }; count];
        let mut number: BTreeMap<ValueId, usize> = BTreeMap::new();
        for inst in self.insts {
            if let Home::One(segment) = self.home[*inst]
                && !self.reads[*inst].is_empty()
            {
                self.add(*inst, &mut segments[segment], &mut number);
            }
        }
        segments.extend(self.layers.iter().map(|(pair, line)| self.layer(pair, line)));
        segments
    }

    fn add(&self, inst: InstId, segment: &mut Segment, number: &mut BTreeMap<ValueId, usize>) {
        let body = &self.analysis.function.body;
        let results = &body.insts[inst].results;
        let is_pinned =
            |result: &ValueId| self.readers[*result].iter().any(|reader| self.is_elsewhere(*reader, inst));
        if results.iter().any(is_pinned) {
            segment.pinned.extend(results);
            return;
        }
        let may_repeat =
            !self.has_effects(inst) && !self.is_the_forward_pass(inst) && self.is_layers(inst).is_none();
        let seconds = if self.is_forward_needed[inst] { self.seconds(inst) } else { Seconds::ZERO };
        let reads = self.reads[inst].iter().filter_map(|value| number.get(value).copied()).collect();
        let maker = segment.push_maker(inst, Maker { picoseconds: picoseconds(seconds), reads, may_repeat });
        for (index, result) in results.iter().enumerate() {
            number.insert(*result, segment.values.len());
            segment.values.push(*result);
            let is_of_layers = self.is_layers(inst).is_some_and(|pair| pair.stacks_alone(index));
            let bytes = if is_of_layers { 0 } else { body.ty(*result).num_bytes() as u64 };
            let bytes = Some(bytes).filter(|_| !may_repeat || self.is_stored(inst, index));
            let is_needed = self.is_needed(*result);
            segment.problem.values.push(Made { maker, bytes, keeping: 0, is_needed });
        }
    }

    /// The loops that an instruction is the forward one of.
    fn is_layers(&self, inst: InstId) -> Option<&Pair> {
        self.layers.iter().map(|(pair, _)| pair).find(|pair| pair.forward == inst)
    }

    /// Whether the backward pass reads a value.
    pub(super) fn is_needed(&self, value: ValueId) -> bool {
        self.readers[value].iter().any(|reader| self.is_late(*reader))
    }

    /// Whether a reader of what an instruction makes belongs to the forward pass of another segment.
    fn is_elsewhere(&self, reader: InstId, maker: InstId) -> bool {
        self.phases.of[reader] == Phase::Forward && self.home[reader] != self.home[maker]
    }

    /// Whether a result has memory of its own.
    pub(super) fn is_stored(&self, inst: InstId, result: usize) -> bool {
        let content = &self.analysis.function.body.insts[inst];
        let is_stored = |value: ValueId| self.analysis.fusion.is_stored[value];
        let shares = self.analysis.fusion.roles[inst] == Role::Relabels
            && content.operands.get(result).is_some_and(|operand| is_stored(*operand));
        is_stored(content.results[result]) && !shares
    }

    /// Whether an instruction is a loop that takes more than half of the forward pass: what it makes for the backward pass
    /// is as much when it runs again.
    fn is_the_forward_pass(&self, inst: InstId) -> bool {
        let is_loop = self.analysis.function.body.view(inst).regions() == Regions::Loop;
        is_loop && 2.0 * self.seconds(inst).0 > self.forward_seconds.0
    }

    fn has_effects(&self, inst: InstId) -> bool {
        self.analysis.function.body.effect_in(inst).is_some()
    }

    /// Seconds of one run of an instruction, before anything is sharded.
    pub(super) fn seconds(&self, inst: InstId) -> Seconds {
        let view = self.analysis.function.body.view(inst);
        if view.regions() == Regions::OfElements {
            let operands: Vec<Type> = view.operand_types().cloned().collect();
            let results: Vec<Type> = view.result_types().cloned().collect();
            return work(self.analysis, inst, &operands, &results).seconds(self.device);
        }
        let regions = view.inst.regions.iter().flat_map(|region| &view.body.regions[*region].insts);
        let turn: Seconds = regions.map(|inner| self.seconds(*inner)).sum();
        turn * self.analysis.trip_counts[inst] as f64
    }
}
