//! Segments of a forward pass as problems of the hull.
//!
//! Input: a function with its phases, costs and a device. Output: [`Segment`]s, one for each layer of the forward pass.
//!
//! - What is read by the forward pass of another segment is *pinned*: it is kept, and there for both.
//! - What is free of data or parameters (random bits, weights in another type) belongs to the segment that alone reads it,
//!   and is decided there by its price; what several read is there.
//! - What is read where the step turns is needed at once, so only what runs backward counts as a reader.
//! - What no forward result needs costs nothing to be made later: it moves to the backward pass.
//! - What has side effects never runs twice, nor does a loop that is most of the forward pass.

use super::hull::{Made, Maker, Problem};
use meshwright_analyze::phases::reads;
use meshwright_analyze::{Phase, Phases};
use meshwright_cost::Analysis;
use meshwright_cost::fusion::Role;
use meshwright_cost::op::work;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Def, Regions};
use meshwright_machine::{Device, Seconds};
use meshwright_tensor::types::Type;
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
    device: &'a Device,
    /// All instructions of the function's own region.
    insts: &'a [InstId],
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
        let mut of_insts = Table::filled(Vec::new(), body.insts.len());
        let mut readers = Table::filled(Vec::new(), body.values.len());
        for inst in insts {
            let read = reads(body, *inst);
            for value in &read {
                if readers[*value].last() != Some(inst) {
                    readers[*value].push(*inst);
                }
            }
            of_insts[*inst] = read;
        }
        let home = Table::filled(Home::Nowhere, body.insts.len());
        let is_forward_needed = Table::filled(false, body.insts.len());
        let mut facts = Self {
            analysis,
            phases,
            device,
            insts,
            reads: of_insts,
            readers,
            home,
            forward_seconds: Seconds::ZERO,
            is_forward_needed,
        };
        facts.forward_seconds = phases.forward.insts.iter().map(|inst| facts.seconds(*inst)).sum();
        facts.find_homes();
        facts.find_needed();
        facts
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
        match self.phases.of[reader] {
            Phase::Backward | Phase::Update => true,
            Phase::Free => {
                let results = &self.analysis.function.body.insts[reader].results;
                self.home[reader] == Home::Nowhere && !results.is_empty()
            }
            Phase::Forward | Phase::Turning => false,
        }
    }

    /// The instructions of the function's own region that read a value, in order.
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
        let mut segments = vec![Segment::default(); count];
        let mut number: BTreeMap<ValueId, usize> = BTreeMap::new();
        for inst in self.insts {
            if let Home::One(segment) = self.home[*inst]
                && !self.reads[*inst].is_empty()
            {
                self.add(*inst, &mut segments[segment], &mut number);
            }
        }
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
        let maker = segment.insts.len();
        let may_repeat = !self.has_effects(inst) && !self.is_the_forward_pass(inst);
        let reads = self.reads[inst].iter().filter_map(|value| number.get(value).copied()).collect();
        let seconds = if self.is_forward_needed[inst] { self.seconds(inst) } else { Seconds::ZERO };
        let picoseconds = (seconds.0 * 1e12).round() as u64;
        segment.insts.push(inst);
        segment.problem.makers.push(Maker { picoseconds, reads, may_repeat });
        for (index, result) in results.iter().enumerate() {
            number.insert(*result, segment.values.len());
            segment.values.push(*result);
            let bytes = Some(body.ty(*result).num_bytes() as u64);
            let bytes = bytes.filter(|_| !may_repeat || self.is_stored(inst, index));
            let is_needed = self.readers[*result].iter().any(|reader| self.is_late(*reader));
            segment.problem.values.push(Made { maker, bytes, is_needed });
        }
    }

    /// Whether a reader of what an instruction makes belongs to the forward pass of another segment.
    fn is_elsewhere(&self, reader: InstId, maker: InstId) -> bool {
        self.phases.of[reader] == Phase::Forward && self.home[reader] != self.home[maker]
    }

    /// Whether a result has memory of its own.
    fn is_stored(&self, inst: InstId, result: usize) -> bool {
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
        let body = &self.analysis.function.body;
        let inside = body.insts[inst].regions.iter().flat_map(|region| body.walk(*region));
        std::iter::once(inst).chain(inside).any(|inst| body.insts[inst].op.has_side_effects())
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
