//! Checks of a lowering against the function and its shardings.
//!
//! Input: a [`Lowering`]. Output: what is wrong with it, in words. It follows the events and knows how each buffer that
//! is there is sharded; what an event should read and make it asks of strategies, policies and regions, not of the walk:
//!
//! - every buffer is made once, before it is read, in a region around the reader, and of every value the one in which
//!   it is kept;
//! - a reshard's source and target are of one value, sharded as it says;
//! - every instruction that works on whole tensors is computed once, in program order, behind its regions;
//! - it reads its operands and makes its results in the shardings that [`super`] says, and of a use that is gathered
//!   again the buffer that was made for it, behind a barrier;
//! - regions nest, and each ends behind its return.

use super::{BufferId, Event, Lowering, Reshard};
use meshwright_ir::ids::{Id, InstId, RegionId, ValueId};
use meshwright_ir::program::{Body, InstView, Regions};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::{PartialReads, Policy, Use};
use std::collections::HashMap;

impl Lowering<'_> {
    /// Says what is wrong: nothing of a lowering that [`Lowering::new`] made.
    pub fn verify(&self) -> Vec<String> {
        let mut check = Check {
            lowering: self,
            body: &self.analysis.function.body,
            buffers: vec![State::Unmade; self.buffers.len()],
            around: Vec::new(),
            entered: HashMap::new(),
            computed: Vec::new(),
            problems: Vec::new(),
        };
        for arg in self.analysis.function.args() {
            check.make(arg.index(), &self.shardings.values[*arg], None);
        }
        self.events.iter().for_each(|event| check.event(event));
        let mut expected = Vec::new();
        in_order(check.body, check.body.entry(), &mut expected);
        if check.computed != expected {
            check.problem("not every instruction is computed once, in order".to_owned());
        }
        for value in expected.iter().flat_map(|inst| &check.body.insts[*inst].results) {
            if matches!(check.buffers[value.index()], State::Unmade) {
                check.problem(format!("{value:?} is never as it is kept"));
            }
        }
        if !check.around.is_empty() {
            check.problem("a region does not end".to_owned());
        }
        check.problems
    }
}

/// The instructions of whole tensors in the order in which they are computed: behind their regions.
fn in_order(body: &Body, region: RegionId, order: &mut Vec<InstId>) {
    for inst in &body.regions[region].insts {
        if body.view(*inst).regions() != Regions::OfElements {
            body.insts[*inst].regions.iter().for_each(|inner| in_order(body, *inner, order));
        }
        order.push(*inst);
    }
}

/// Where a buffer is in its life.
#[derive(Clone, Debug)]
enum State {
    Unmade,
    /// Sharded like this, and for which instruction it was brought there.
    There(Sharding, Option<InstId>),
    /// The region in which it was made has ended.
    Gone,
}

/// A region that has been entered.
struct Around {
    inst: InstId,
    region: RegionId,
    made: Vec<BufferId>,
}

struct Check<'a> {
    lowering: &'a Lowering<'a>,
    body: &'a Body,
    buffers: Vec<State>,
    around: Vec<Around>,
    /// How many regions of each instruction have been entered.
    entered: HashMap<InstId, usize>,
    computed: Vec<InstId>,
    problems: Vec<String>,
}

impl<'a> Check<'a> {
    fn problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    fn event(&mut self, event: &Event) {
        let lowering = self.lowering;
        let view = self.body.view(event.inst());
        match event {
            Event::Reshard(reshard) => self.reshard(reshard),
            Event::Compute { reads, makes, .. } => {
                self.compute(view, lowering.buffers_in(reads), lowering.buffers_in(makes));
            }
            Event::Enter { region, reads, makes, .. } => {
                let count = self.entered.entry(view.id).or_default();
                *count += 1;
                let (number, expected) = (*count, view.inst.regions.get(*count - 1));
                if expected != Some(region) {
                    self.problem(format!("{:?}: its region {region:?} is not the next one", view.id));
                }
                let operands = if number == 1 { view.inst.operands.as_slice() } else { &[] };
                self.read(view, operands, lowering.buffers_in(reads));
                self.around.push(Around { inst: view.id, region: *region, made: Vec::new() });
                self.make_kept(view.id, &self.body.regions[*region].args, lowering.buffers_in(makes));
            }
            Event::Leave { inst } => self.leave(*inst),
        }
    }

    fn reshard(&mut self, reshard: &Reshard) {
        let Reshard { inst, from, to, source, target, is_apart } = reshard;
        let value = self.lowering.buffers[*source].value;
        if *is_apart != self.is_again(*inst, value) {
            self.problem(format!("{inst:?}: a barrier before {value:?} that is not asked for, or none"));
        }
        if self.lowering.buffers[*target].value != value {
            self.problem(format!("{inst:?}: a reshard of {value:?} makes another value"));
        }
        self.read_buffer(*inst, (*source, value), from);
        self.make(*target, to, Some(*inst));
    }

    fn compute(&mut self, view: InstView<'_>, reads: &[BufferId], makes: &[BufferId]) {
        let (inst, lowering) = (view.id, self.lowering);
        self.computed.push(inst);
        if view.regions() != Regions::OfElements {
            if self.entered.get(&inst).copied().unwrap_or(0) < view.inst.regions.len() {
                self.problem(format!("{inst:?} is computed before its regions"));
            }
            self.read(view, &[], reads);
            return self.make_kept(inst, &view.inst.results, makes);
        }
        let captured = lowering.analysis.captured(inst);
        let values: Vec<ValueId> = view.inst.operands.iter().chain(captured).copied().collect();
        self.read(view, &values, reads);
        let (rule, strategy) = (view.inst.op.rule(&view), &lowering.shardings.strategies[inst]);
        let passed = lowering.shardings.partial_reads(&view, &rule);
        if makes.len() != view.inst.results.len() {
            self.problem(format!("{inst:?} makes {} results", makes.len()));
        }
        for (index, (result, made)) in view.inst.results.iter().zip(makes).enumerate() {
            let partial = PartialReads::of_results(passed.as_ref(), strategy, &rule);
            let sharding =
                Sharding { partial, ..strategy.result_sharding(&rule, index, &lowering.shardings.mesh) };
            if lowering.buffers[*made].value != *result {
                self.problem(format!("{inst:?}: result {index} is another value"));
            }
            self.make(*made, &sharding, None);
        }
    }

    fn leave(&mut self, inst: InstId) {
        let Some(around) = self.around.pop() else {
            return self.problem(format!("{inst:?}: a region ends that was not entered"));
        };
        if around.inst != inst || self.body.regions[around.region].insts.last() != self.computed.last() {
            self.problem(format!("{inst:?}: a region ends before its return"));
        }
        around.made.into_iter().for_each(|buffer| self.buffers[buffer] = State::Gone);
    }

    /// Values that `view` reads, its operands first, each in the sharding that it asks for.
    fn read(&mut self, view: InstView<'_>, values: &[ValueId], reads: &[BufferId]) {
        if values.len() != reads.len() {
            self.problem(format!("{:?} reads {} values instead of {}", view.id, reads.len(), values.len()));
        }
        for (index, (value, buffer)) in values.iter().zip(reads).enumerate() {
            self.read_buffer(view.id, (*buffer, *value), &self.wanted(view, index, *value));
        }
    }

    fn read_buffer(&mut self, inst: InstId, (buffer, value): (BufferId, ValueId), wanted: &Sharding) {
        if self.lowering.buffers[buffer].value != value {
            self.problem(format!("{inst:?} reads another value than {value:?}"));
        }
        let State::There(sharding, made_for) = &self.buffers[buffer] else {
            return self.problem(format!("{inst:?} reads {value:?} where it is not"));
        };
        if !sharding.places_like(wanted) && self.body.ty(value).as_tensor().is_some() {
            self.problem(format!("{inst:?} reads {value:?} in another sharding than it asks for"));
        } else if self.is_again(inst, value) && !self.lowering.is_kept(buffer) && *made_for != Some(inst) {
            self.problem(format!("{inst:?} does not gather {value:?} again"));
        }
    }

    fn is_again(&self, reader: InstId, value: ValueId) -> bool {
        self.lowering.shardings.policies.of(Use { reader, value }) == Policy::GatherAgain
    }

    /// The sharding in which an instruction reads its operand `index`, or a value from around its reducers.
    fn wanted(&self, view: InstView<'_>, index: usize, value: ValueId) -> Sharding {
        let shardings = self.lowering.shardings;
        let whole = Sharding::replicated(shardings.values[value].dims.len());
        let region = self.around.last().map_or(self.body.entry(), |around| around.region);
        if self.body.regions[region].insts.last() == Some(&view.id) {
            return self.returned(index).unwrap_or(whole);
        }
        match view.regions() {
            Regions::Branches => whole,
            Regions::Loop => shardings.values[view.region(0).args[index]].clone(),
            Regions::OfElements if index >= view.num_operands() => whole,
            Regions::OfElements => {
                let (rule, strategy) = (view.inst.op.rule(&view), &shardings.strategies[view.id]);
                let passed = shardings.partial_reads(&view, &rule);
                PartialReads::operand_sharding(passed.as_ref(), strategy, &rule, index, &shardings.mesh)
            }
        }
    }

    /// The sharding in which the region at hand returns a value; `None`: whole.
    fn returned(&self, index: usize) -> Option<Sharding> {
        let shardings = self.lowering.shardings;
        let Some(around) = self.around.last() else { return shardings.results.get(index).cloned() };
        let view = self.body.view(around.inst);
        let like = match view.regions() {
            Regions::Loop if view.inst.regions.first() == Some(&around.region) => return None,
            Regions::Loop => &self.body.regions[around.region].args,
            Regions::Branches | Regions::OfElements => &view.inst.results,
        };
        like.get(index).map(|value| shardings.values[*value].clone())
    }

    /// Values that are made as they are kept.
    fn make_kept(&mut self, inst: InstId, values: &[ValueId], makes: &[BufferId]) {
        if !values.iter().map(|value| value.index()).eq(makes.iter().copied()) {
            self.problem(format!("{inst:?} makes other values than it should"));
        }
        let shardings = self.lowering.shardings;
        makes.iter().for_each(|made| {
            self.make(*made, &shardings.values[self.lowering.buffers[*made].value], None);
        });
    }

    fn make(&mut self, buffer: BufferId, sharding: &Sharding, made_for: Option<InstId>) {
        let value = self.lowering.buffers[buffer].value;
        let kept = &self.lowering.shardings.values[value];
        if !matches!(self.buffers[buffer], State::Unmade) {
            self.problem(format!("{value:?} is made twice"));
        }
        if self.lowering.is_kept(buffer)
            && !kept.places_like(sharding)
            && self.body.ty(value).as_tensor().is_some()
        {
            self.problem(format!("{value:?} is made otherwise than it is kept"));
        }
        self.buffers[buffer] = State::There(sharding.clone(), made_for);
        if let Some(around) = self.around.last_mut() {
            around.made.push(buffer);
        }
    }
}
