//! What the partitioned program does, in order: which reshards are emitted where, and which local tensors there are.
//!
//! Input: an analyzed function and its shardings. Output: a [`Lowering`]. It follows the partitioner: an instruction
//! reads its operands as its strategy asks; a value brought to the same sharding twice is brought there once per
//! region and kept until its last reader, or until one for which it is gathered again; what an instruction makes is brought to the sharding its result is kept in,
//! and is itself a tensor until then (and longer, unless partial, if something reads it as it was made). Both the time
//! and the memory of a plan are read off the lowering, so they speak of the same program.

use crate::analysis::Analysis;
use meshwright_ir::ids::{Id, InstId, RegionId, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::{Body, Regions};
use meshwright_ir::rule::{ShardingRule, Strategy, TensorFactors};
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_plan::{PassedOn, Policy, Shardings, Use};
use std::collections::HashMap;
use std::ops::Range;

/// Index of a local tensor: below the number of values, a value as it is kept; above, another form of one.
pub(crate) type BufferId = usize;

/// A value in one sharding on one device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    /// The global value.
    pub(crate) value: ValueId,
    /// Bytes of the shard.
    pub(crate) bytes: u64,
}

/// One thing that happens.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// An instruction runs (a return included, which makes nothing). A loop's results are made after its regions.
    Compute { inst: InstId, reads: Range<usize>, makes: Range<usize> },
    /// A value is brought from one sharding to another for (or by) `inst`.
    Reshard(Box<Reshard>),
    /// A region of `inst` begins; its arguments take over what is read.
    Enter { inst: InstId, reads: Range<usize>, makes: Range<usize> },
    /// It ends.
    Leave { inst: InstId },
}

/// A change of sharding. Rare and large, so events hold it at arm's length.
#[derive(Clone, Debug)]
pub(crate) struct Reshard {
    pub(crate) inst: InstId,
    pub(crate) from: Sharding,
    pub(crate) to: Sharding,
    pub(crate) source: BufferId,
    pub(crate) target: BufferId,
}

/// All that happens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lowering {
    pub(crate) events: Vec<Event>,
    pub(crate) buffers: Vec<Buffer>,
    /// What the ranges of events point into.
    pub(crate) pool: Vec<BufferId>,
}

impl Lowering {
    /// Follows the partitioner through a function with verified shardings.
    pub(crate) fn new(analysis: &Analysis<'_>, shardings: &Shardings) -> Self {
        let body = &analysis.function.body;
        let mesh = &shardings.mesh;
        let mut walk = Walk {
            analysis,
            body,
            shardings,
            mesh,
            lowering: Lowering::default(),
            known: HashMap::new(),
            log: vec![Vec::new()],
            scratch: Vec::new(),
        };
        walk.lowering.events.reserve(body.insts.len());
        walk.lowering.buffers = body
            .values
            .ids()
            .map(|value| Buffer { value, bytes: walk.bytes(value, &shardings.values[value]) })
            .collect();
        walk.region(body.entry(), &Returned::Results);
        walk.lowering
    }

    pub(crate) fn slice(&self, range: &Range<usize>) -> &[BufferId] {
        &self.pool[range.clone()]
    }
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
    analysis: &'a Analysis<'a>,
    body: &'a Body,
    shardings: &'a Shardings,
    mesh: &'a Mesh,
    lowering: Lowering,
    /// The forms of each value that exist besides the one it is kept in.
    known: HashMap<ValueId, Vec<Form>>,
    /// Per region around here, the values that got another form in it.
    log: Vec<Vec<ValueId>>,
    /// What the instruction at hand reads and makes; kept for its memory.
    scratch: Vec<BufferId>,
}

impl Walk<'_> {
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

    fn region(&mut self, region: RegionId, returned: &Returned<'_>) {
        let body = self.body;
        for inst in &body.regions[region].insts {
            if self.is_terminator(region, *inst) {
                self.terminator(*inst, returned);
            } else if self.analysis.class(*inst).regions == Regions::Loop {
                self.carrying(*inst);
            } else {
                self.instruction(*inst);
            }
        }
    }

    fn is_terminator(&self, region: RegionId, inst: InstId) -> bool {
        self.body.regions[region].insts.last() == Some(&inst)
    }

    fn terminator(&mut self, inst: InstId, returned: &Returned<'_>) {
        let (body, shardings) = (self.body, self.shardings);
        let mut reads = Vec::with_capacity(body.insts[inst].operands.len());
        for (index, operand) in body.insts[inst].operands.iter().enumerate() {
            reads.push(match returned {
                Returned::Results => self.read_as(inst, *operand, &shardings.results[index]),
                Returned::As(values) => self.read_as(inst, *operand, &shardings.values[values[index]]),
                Returned::Whole => {
                    let rank = shardings.values[*operand].dims.len();
                    self.read_as(inst, *operand, &Sharding::replicated(rank))
                }
            });
        }
        self.compute(inst, &reads, &[]);
    }

    fn carrying(&mut self, inst: InstId) {
        let (body, shardings) = (self.body, self.shardings);
        let source = &body.insts[inst];
        let args = &body.regions[source.regions[0]].args;
        let reads: Vec<BufferId> = source
            .operands
            .iter()
            .zip(args)
            .map(|(operand, arg)| self.read_as(inst, *operand, &shardings.values[*arg]))
            .collect();
        for (index, region) in source.regions.iter().enumerate() {
            // What the loop starts from is taken over once; the body finds what the condition saw.
            let reads = if index == 0 { reads.as_slice() } else { &[] };
            self.enter(inst, reads, &body.regions[*region].args);
            let args = &body.regions[*region].args;
            let returned = if index == 0 { Returned::Whole } else { Returned::As(args) };
            self.region(*region, &returned);
            self.leave(inst);
        }
        let results: Vec<BufferId> = source.results.iter().map(|result| result.index()).collect();
        self.compute(inst, &[], &results);
    }

    fn instruction(&mut self, inst: InstId) {
        let (body, shardings, mesh) = (self.body, self.shardings, self.mesh);
        let view = body.view(inst);
        let rule = self.analysis.rule(inst);
        let strategy = &shardings.strategies[inst];
        let passed = shardings.passed_on(&view, rule);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        for (index, operand) in view.inst.operands.iter().enumerate() {
            let kept = &shardings.values[*operand];
            let partial = PassedOn::of_operand(passed.as_ref(), index);
            let buffer = if is_like(kept, strategy, &rule.operands[index], partial) {
                operand.index()
            } else {
                let to = PassedOn::operand_sharding(passed.as_ref(), strategy, rule, index, mesh);
                self.read_as(inst, *operand, &to)
            };
            scratch.push(buffer);
        }
        if self.analysis.class(inst).regions == Regions::Branches {
            for region in &view.inst.regions {
                self.enter(inst, &[], &[]);
                self.region(*region, &Returned::As(&view.inst.results));
                self.leave(inst);
            }
        }
        let partial = PassedOn::of_results(passed.as_ref(), strategy, rule);
        let reads = scratch.len();
        let mut made = Vec::new();
        // What a conditional gives is made in its branches, as it is kept.
        let is_conditional = self.analysis.class(inst).regions == Regions::Branches;
        for (index, result) in view.inst.results.iter().enumerate() {
            if is_conditional || is_like(&shardings.values[*result], strategy, &rule.results[index], partial)
            {
                scratch.push(result.index());
            } else {
                let sharding = made_sharding(strategy, rule, index, partial, mesh);
                let buffer = self.buffer(*result, &sharding);
                scratch.push(buffer);
                made.push((*result, sharding, buffer));
            }
        }
        self.compute(inst, &scratch[..reads], &scratch[reads..]);
        self.scratch = scratch;
        for (value, sharding, buffer) in made {
            let to = shardings.values[value].clone();
            let remembered = sharding.partial.is_none().then(|| sharding.clone());
            let target = value.index();
            let reshard = Reshard { inst, from: sharding, to, source: buffer, target };
            self.lowering.events.push(Event::Reshard(Box::new(reshard)));
            if let Some(sharding) = remembered {
                self.remember(value, Form { sharding, buffer, reader: None });
            }
        }
    }

    fn compute(&mut self, inst: InstId, reads: &[BufferId], makes: &[BufferId]) {
        let (reads, makes) = (self.pooled(reads), self.pooled(makes));
        self.lowering.events.push(Event::Compute { inst, reads, makes });
    }

    fn pooled(&mut self, buffers: &[BufferId]) -> Range<usize> {
        let start = self.lowering.pool.len();
        self.lowering.pool.extend_from_slice(buffers);
        start..self.lowering.pool.len()
    }

    fn enter(&mut self, inst: InstId, reads: &[BufferId], args: &[ValueId]) {
        let reads = self.pooled(reads);
        let start = self.lowering.pool.len();
        self.lowering.pool.extend(args.iter().map(|arg| arg.index()));
        let makes = start..self.lowering.pool.len();
        self.lowering.events.push(Event::Enter { inst, reads, makes });
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

    fn buffer(&mut self, value: ValueId, sharding: &Sharding) -> BufferId {
        let bytes = self.bytes(value, sharding);
        self.lowering.buffers.push(Buffer { value, bytes });
        self.lowering.buffers.len() - 1
    }

    fn remember(&mut self, value: ValueId, form: Form) {
        self.known.entry(value).or_default().push(form);
        if let Some(log) = self.log.last_mut() {
            log.push(value);
        }
    }

    /// The tensor that holds `value`, an operand of `inst`, sharded like `to`; it is made if there is none, or gathered
    /// again, once for each instruction.
    fn read_as(&mut self, inst: InstId, value: ValueId, to: &Sharding) -> BufferId {
        let kept = &self.shardings.values[value];
        if kept.places_like(to) || self.body.ty(value).as_tensor().is_none() {
            return value.index();
        }
        let forms = self.known.get(&value).map_or(&[][..], Vec::as_slice);
        let known = forms.iter().rev().find(|form| form.sharding.places_like(to));
        let begins_group = self.shardings.policies.of(Use { reader: inst, value }) == Policy::GatherAgain;
        if let Some(form) = known.filter(|form| !begins_group || form.reader == Some(inst)) {
            return form.buffer;
        }
        let target = self.buffer(value, to);
        let (from, source) = (kept.clone(), value.index());
        let reshard = Reshard { inst, from, to: to.clone(), source, target };
        self.lowering.events.push(Event::Reshard(Box::new(reshard)));
        self.remember(value, Form { sharding: to.clone(), buffer: target, reader: Some(inst) });
        target
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
