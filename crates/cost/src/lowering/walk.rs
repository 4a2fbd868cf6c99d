//! The walk over the global function that makes the events.
//!
//! Input: an analyzed function and its shardings. Output: a [`Lowering`].

use super::{Buffer, BufferId, Event, Lowering, Reshard};
use crate::analysis::Analysis;
use meshwright_ir::ids::{Id, InstId, RegionId, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::{Body, Regions};
use meshwright_ir::rule::{ShardingRule, Strategy, TensorFactors};
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_plan::{PartialReads, Policy, Shardings, Use};
use std::collections::HashMap;
use std::ops::Range;

pub(super) fn lowering<'a>(analysis: &'a Analysis<'a>, shardings: &'a Shardings) -> Lowering<'a> {
    let body = &analysis.function.body;
    let mut walk = Walk {
        body,
        mesh: &shardings.mesh,
        lowering: Lowering {
            analysis,
            shardings,
            events: Vec::with_capacity(body.insts.len()),
            buffers: Vec::new(),
            pool: Vec::new(),
        },
        known: HashMap::new(),
        log: vec![Vec::new()],
        scratch: Vec::new(),
    };
    let kept = |value| Buffer { value, bytes: walk.bytes(value, &shardings.values[value]) };
    walk.lowering.buffers = body.values.ids().map(kept).collect();
    walk.region(body.entry(), &Returned::Results);
    walk.lowering
}

/// How the values that a region returns must be sharded.
enum Returned<'a> {
    /// As the function's results.
    Results,
    /// Like these values: the arguments of a loop's body, the results of a conditional.
    As(&'a [ValueId]),
    /// Whole on every device: a loop's condition.
    Whole,
}

/// A value in another sharding than it is kept in.
struct Form {
    sharding: Sharding,
    buffer: BufferId,
    /// The instruction that it was made for; none if it is what its own instruction made.
    reader: Option<InstId>,
}

struct Walk<'a> {
    body: &'a Body,
    mesh: &'a Mesh,
    lowering: Lowering<'a>,
    /// The forms of each value that exist besides the one it is kept in.
    known: HashMap<ValueId, Vec<Form>>,
    /// Per region around here, the values that got another form in it.
    log: Vec<Vec<ValueId>>,
    /// What the instruction at hand reads and makes; kept for its memory.
    scratch: Vec<BufferId>,
}

impl<'a> Walk<'a> {
    fn bytes(&self, value: ValueId, sharding: &Sharding) -> u64 {
        match self.body.ty(value).as_tensor() {
            Some(tensor) => {
                let dims = tensor.shape.iter().zip(&sharding.dims);
                let elements: usize =
                    dims.map(|(size, dim)| size.div_ceil(self.mesh.product(&dim.axes))).product();
                (elements * tensor.element.bits()).div_ceil(8) as u64
            }
            None => self.body.ty(value).num_bytes() as u64,
        }
    }

    fn shardings(&self) -> &'a Shardings {
        self.lowering.shardings
    }

    fn whole(&self, value: ValueId) -> Sharding {
        Sharding::replicated(self.shardings().values[value].dims.len())
    }

    fn region(&mut self, region: RegionId, returned: &Returned<'_>) {
        let (body, analysis) = (self.body, self.lowering.analysis);
        let insts = &body.regions[region].insts;
        for inst in insts {
            match analysis.regions[*inst] {
                _ if insts.last() == Some(inst) => self.terminator(*inst, returned),
                Regions::Loop | Regions::Branches => self.with_regions(*inst),
                Regions::OfElements => self.instruction(*inst),
            }
        }
    }

    fn terminator(&mut self, inst: InstId, returned: &Returned<'_>) {
        let (body, shardings) = (self.body, self.shardings());
        let mut reads = Vec::with_capacity(body.insts[inst].operands.len());
        for (index, operand) in body.insts[inst].operands.iter().enumerate() {
            reads.push(match returned {
                Returned::Results => self.read_as(inst, *operand, &shardings.results[index]),
                Returned::As(values) => self.read_as(inst, *operand, &shardings.values[values[index]]),
                Returned::Whole => self.read_as(inst, *operand, &self.whole(*operand)),
            });
        }
        self.compute(inst, &reads, &[]);
    }

    /// A loop or a conditional.
    fn with_regions(&mut self, inst: InstId) {
        let (body, shardings) = (self.body, self.shardings());
        let source = &body.insts[inst];
        let is_loop = self.lowering.analysis.regions[inst] == Regions::Loop;
        let mut reads = Vec::with_capacity(source.operands.len());
        for (index, operand) in source.operands.iter().enumerate() {
            let args = &body.regions[source.regions[0]].args;
            reads.push(match args.get(index) {
                Some(arg) => self.read_as(inst, *operand, &shardings.values[*arg]),
                None => self.read_as(inst, *operand, &self.whole(*operand)),
            });
        }
        for (index, region) in source.regions.iter().enumerate() {
            let args = &body.regions[*region].args;
            let returned = match (is_loop, index) {
                (false, _) => Returned::As(&source.results),
                (true, 0) => Returned::Whole,
                (true, _) => Returned::As(args),
            };
            self.enter(inst, *region, if index == 0 { &reads } else { &[] });
            self.region(*region, &returned);
            self.leave(inst);
        }
        let results: Vec<BufferId> = source.results.iter().map(|result| result.index()).collect();
        self.compute(inst, &[], &results);
    }

    fn instruction(&mut self, inst: InstId) {
        let (body, shardings, analysis) = (self.body, self.shardings(), self.lowering.analysis);
        let view = body.view(inst);
        let (rule, strategy) = (analysis.rule(inst), &shardings.strategies[inst]);
        let passed = shardings.partial_reads(&view, rule);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        for (index, operand) in view.inst.operands.iter().enumerate() {
            let partial = PartialReads::of_operand(passed.as_ref(), index);
            let is_there = is_like(&shardings.values[*operand], strategy, &rule.operands[index], partial);
            scratch.push(if is_there {
                operand.index()
            } else {
                let to = PartialReads::operand_sharding(passed.as_ref(), strategy, rule, index, self.mesh);
                self.read_as(inst, *operand, &to)
            });
        }
        for value in analysis.captured(inst) {
            scratch.push(self.read_as(inst, *value, &self.whole(*value)));
        }
        let reads = scratch.len();
        let partial = PartialReads::of_results(passed.as_ref(), strategy, rule);
        let mut made = Vec::new();
        for (index, result) in view.inst.results.iter().enumerate() {
            if is_like(&shardings.values[*result], strategy, &rule.results[index], partial) {
                scratch.push(result.index());
            } else {
                let sharding = made_sharding(strategy, rule, index, partial, self.mesh);
                let buffer = self.buffer(*result, &sharding);
                scratch.push(buffer);
                made.push((*result, sharding, buffer));
            }
        }
        self.compute(inst, &scratch[..reads], &scratch[reads..]);
        self.scratch = scratch;
        made.into_iter().for_each(|(value, from, source)| self.keep(inst, value, from, source));
    }

    /// Brings what an instruction made to how it is kept.
    fn keep(&mut self, inst: InstId, value: ValueId, from: Sharding, source: BufferId) {
        let to = self.shardings().values[value].clone();
        let remembered = from.partial.is_none().then(|| from.clone());
        self.reshard(Reshard { inst, from, to, source, target: value.index(), is_apart: false });
        if let Some(sharding) = remembered {
            self.remember(value, Form { sharding, buffer: source, reader: None });
        }
    }

    /// The tensor that holds `value`, read by `inst`, sharded like `to`; it is made if there is none, or gathered
    /// again, once for each instruction.
    fn read_as(&mut self, inst: InstId, value: ValueId, to: &Sharding) -> BufferId {
        let kept = &self.shardings().values[value];
        if kept.places_like(to) || self.body.ty(value).as_tensor().is_none() {
            return value.index();
        }
        let forms = self.known.get(&value).map_or(&[][..], Vec::as_slice);
        let known = forms.iter().rev().find(|form| form.sharding.places_like(to));
        let is_apart = match self.shardings().policies.of(Use { reader: inst, value }) {
            // What is made again is a value of its own.
            Policy::Keep | Policy::Recompute | Policy::Offload => false,
            Policy::GatherAgain => true,
        };
        if let Some(form) = known.filter(|form| !is_apart || form.reader == Some(inst)) {
            return form.buffer;
        }
        let target = self.buffer(value, to);
        let (from, source) = (kept.clone(), value.index());
        self.reshard(Reshard { inst, from, to: to.clone(), source, target, is_apart });
        self.remember(value, Form { sharding: to.clone(), buffer: target, reader: Some(inst) });
        target
    }

    fn remember(&mut self, value: ValueId, form: Form) {
        self.known.entry(value).or_default().push(form);
        if let Some(log) = self.log.last_mut() {
            log.push(value);
        }
    }

    fn buffer(&mut self, value: ValueId, sharding: &Sharding) -> BufferId {
        let bytes = self.bytes(value, sharding);
        self.lowering.buffers.push(Buffer { value, bytes });
        self.lowering.buffers.len() - 1
    }

    fn pooled(&mut self, buffers: impl IntoIterator<Item = BufferId>) -> Range<usize> {
        let start = self.lowering.pool.len();
        self.lowering.pool.extend(buffers);
        start..self.lowering.pool.len()
    }

    fn reshard(&mut self, reshard: Reshard) {
        self.lowering.events.push(Event::Reshard(Box::new(reshard)));
    }

    fn compute(&mut self, inst: InstId, reads: &[BufferId], makes: &[BufferId]) {
        let reads = self.pooled(reads.iter().copied());
        let makes = self.pooled(makes.iter().copied());
        self.lowering.events.push(Event::Compute { inst, reads, makes });
    }

    fn enter(&mut self, inst: InstId, region: RegionId, reads: &[BufferId]) {
        let reads = self.pooled(reads.iter().copied());
        let makes = self.pooled(self.body.regions[region].args.iter().map(|arg| arg.index()));
        self.lowering.events.push(Event::Enter { inst, region, reads, makes });
        self.log.push(Vec::new());
    }

    fn leave(&mut self, inst: InstId) {
        self.lowering.events.push(Event::Leave { inst });
        for value in self.log.pop().into_iter().flatten() {
            if let Some(forms) = self.known.get_mut(&value) {
                forms.pop();
            }
        }
    }
}

/// Whether a value kept like `kept` is placed as a strategy shards a tensor with these factors.
fn is_like(
    kept: &Sharding,
    strategy: &Strategy,
    tensor: &TensorFactors,
    partial: Option<(Reduction, AxisSet)>,
) -> bool {
    kept.partial == partial
        && kept.dims.len() == tensor.len()
        && kept.dims.iter().zip(tensor).all(|(dim, factors)| {
            let wanted = factors.iter().flat_map(|factor| &strategy.axes[*factor]);
            dim.axes.iter().eq(wanted)
        })
}

fn made_sharding(
    strategy: &Strategy,
    rule: &ShardingRule,
    index: usize,
    partial: Option<(Reduction, AxisSet)>,
    mesh: &Mesh,
) -> Sharding {
    let sharding = strategy.tensor_sharding(rule, &rule.results[index], mesh);
    Sharding { partial, ..sharding.expect("a legal strategy shards every result") }
}
