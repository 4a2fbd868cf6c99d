//! How a step is sharded over the devices of one group.
//!
//! Input: the step in microbatches, the part of the machine that a group is, and the options. Output: [`Inner`]: shardings
//! of the whole step, from which those of each of its pieces follow, so that all pieces of a group agree on what they hand
//! to one another.

use meshwright_analyze::{Roles, recognize};
use meshwright_cost::reshard::Planner;
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::origin::Origins;
use meshwright_ir::program::{Body, Function, Program};
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_machine::Machine;
use meshwright_plan::plan_file::codec::{self, Named};
use meshwright_plan::{Decisions, PlanFile, Shardings};
use meshwright_search::{ParallelDegrees, Refusal, RequestedWays};
use meshwright_shard::{Minimized, Propagated};
use meshwright_stage::{Piece, Port};

use super::handed::Handed;
use super::stay_gathered::{Copied, Kept, copies_stay_gathered, stay_gathered};
use crate::choose;
use crate::decided::{Decided, WrittenFunction};
use crate::driver::Request;
use crate::error::CompileError;
use crate::global::Global;
use crate::options::{Options, Search};
use crate::report;
use crate::stages::{self, Stages};
use crate::uneven::uneven;

/// Shardings of a step over a group.
pub(super) struct Inner {
    /// Of the step's function.
    whole: Shardings,
}

impl Inner {
    /// Shards a step over a machine as the options say; the same as a plan file has it. One device has nothing to shard.
    /// Parameters that all turns gather stay so if that is wanted.
    ///
    /// # Errors
    /// As of any program that is sharded over this machine.
    pub(super) fn of(
        program: &Program,
        function: &Function,
        origins: &Origins,
        machine: &Machine,
        (options, stays_gathered): (&Options, bool),
        control: &dyn Control,
    ) -> Result<(Self, PlanFile), CompileError> {
        let is_planned = options.plan.as_ref().is_some_and(|plan| !plan.mesh.is_empty());
        if machine.num_devices() == 1 && options.mesh.is_none() && !is_planned {
            let mesh = Mesh::new("mesh", Vec::new()).expect("no axes are a mesh");
            let whole = Shardings::replicated(function, mesh);
            let plan = report::decisions(program, function, &Roles::new(function), machine, &whole);
            return Ok((Self { whole }, plan));
        }
        let own = Options {
            microbatches: None,
            microbatch_size: None,
            recompute: None,
            stop_after: None,
            // A group has a part of what this is searched for.
            memory_limit: None,
            allowed: options.allowed.apart().1,
            // What it says of stages and of what is made again is done already.
            plan: options.plan.clone().map(|plan| PlanFile {
                policies: Vec::new(),
                stages: Vec::new(),
                schedule: Vec::new(),
                ..plan
            }),
            ..options.clone()
        };
        let source = Source::new("step", "");
        let request = Request {
            original: program,
            source: &source,
            machine,
            options: &own,
            control,
            stages: Stages::new(&stages::stages(), &own, control)?,
            reshards: Planner::default(),
        };
        let global = Global::as_it_is(&request, function.clone(), origins.clone())?;
        let mut found = Decided::as_written(&request, &global)?;
        if stays_gathered && options.plan.is_none() && options.asked.is_none() {
            let Global { function, roles, fixed, .. } = &global;
            let copied = Copied::of(options);
            stay_gathered(function, roles, fixed, &mut found, (Kept::Plain, copied));
            copies_stay_gathered(function, roles, fixed, &mut found, (Kept::Converted, copied));
        }
        let (plan, found) = written(program, &global, machine, &found);
        Ok((Self { whole: carried_over(&found, &global.function, function) }, plan))
    }

    /// A step that is sharded already; the same as a plan file has it.
    ///
    /// # Errors
    /// A local program.
    pub(super) fn known(
        program: &Program,
        function: &Function,
        origins: &Origins,
        machine: &Machine,
        whole: Shardings,
        options: &Options,
    ) -> Result<(Self, PlanFile), CompileError> {
        let own = Options {
            microbatches: None,
            microbatch_size: None,
            stop_after: None,
            recompute: None,
            ..options.clone()
        };
        let global = as_it_is(program, function, origins, machine, &own, &Quiet)?;
        // Which sums are taken late is not the same in the whole step and in the short one that this was carried over from.
        let found = carried_over(&whole, function, &global.function);
        let (plan, found) = written(program, &global, machine, &found);
        Ok((Self { whole: carried_over(&found, &global.function, function) }, plan))
    }

    /// A step as it is, for ways that say how it is sharded over a group.
    ///
    /// # Errors
    /// A mesh or annotations that do not fit.
    pub(super) fn unsharded(
        program: &Program,
        function: &Function,
        origins: &Origins,
        machine: &Machine,
        options: &Options,
    ) -> Result<Global, CompileError> {
        let own = Options {
            microbatches: None,
            microbatch_size: None,
            stop_after: None,
            asked: None,
            search: Some(Search::None),
            ..options.clone()
        };
        as_it_is(program, function, origins, machine, &own, &Quiet)
    }

    /// A step that is sharded so.
    pub(super) fn sharded(whole: Shardings) -> Self {
        Self { whole }
    }

    /// The mesh of a group.
    pub(super) fn mesh(&self) -> &Mesh {
        &self.whole.mesh
    }

    /// Bytes of a value of the step on a device.
    pub(super) fn local_bytes(&self, body: &Body, handed: &Handed, value: ValueId) -> u64 {
        let sharding = handed.sharding(value).unwrap_or(&self.whole.values[value]);
        let tensor = body.ty(value).as_tensor();
        tensor.map_or(0, |ty| sharding.local_type(ty, &self.whole.mesh).num_bytes() as u64)
    }

    /// Those of the whole step.
    pub(super) fn whole(&self) -> &Shardings {
        &self.whole
    }

    /// Those of a piece of the step.
    pub(super) fn of_piece(&self, piece: &Piece, handed: &Handed) -> Shardings {
        let (body, whole) = (&piece.function.body, &self.whole);
        let values = piece.values.iter().filter_map(|(value, old)| Some((value, (*old)?)));
        let insts = piece.insts.iter().filter_map(|(inst, old)| Some((inst, (*old)?)));
        let mut own = whole.carried_over(&piece.function, values, insts);
        for (inst, old) in piece.insts.iter() {
            if let (None, [result]) = (old, &body.insts[inst].results[..]) {
                // The sum of what two copies have gathered: kept as they are.
                own.strategies[inst] = elementwise(&own.strategies[inst], &own.values[*result]);
            }
        }
        for (arg, port) in piece.function.args().iter().zip(&piece.takes) {
            if let Port::Value(value) | Port::Copy(value) = port
                && let Some(sharding) = handed.sharding(*value)
            {
                own.values[*arg] = sharding.clone();
            }
        }
        let results = piece.function.returned().iter().zip(&piece.gives);
        own.results = results
            .map(|(value, port)| match port {
                Port::Result(index) => whole.results[*index].clone(),
                Port::Value(old) | Port::Copy(old) if let Some(sharding) = handed.sharding(*old) => {
                    sharding.clone()
                }
                Port::Copy(old) => whole.values[*old].clone(),
                // An accumulator is left as it was taken.
                Port::Accumulator(_) => {
                    let taken = piece.takes.iter().position(|taken| taken == port);
                    let carried = taken.map_or(*value, |taken| piece.function.args()[taken]);
                    own.values[carried].clone()
                }
                _ => own.values[*value].clone(),
            })
            .collect();
        own
    }
}

/// All that ways to shard a step over a group share.
pub(super) struct InnerWays<'a> {
    global: &'a Global,
    requested: RequestedWays<'a>,
    written: WrittenFunction<'a>,
    /// The step as its caller numbers it.
    to: &'a Function,
}

impl<'a> InnerWays<'a> {
    /// Those of a step ([`Inner::unsharded`]).
    ///
    /// # Errors
    /// The machine has no mesh.
    pub(super) fn of(
        global: &'a Global,
        to: &'a Function,
        machine: &'a Machine,
        copied: Copied,
    ) -> Result<Self, Refusal> {
        let requested = RequestedWays::new(&global.function, &global.roles, machine)?;
        let requested = match copied {
            Copied::Once => requested.in_stages(),
            Copied::Anew => requested.with_whole_masters(),
        };
        Ok(Self { global, requested, written: WrittenFunction::of(global), to })
    }

    /// Returns whether experts could be sharded.
    pub(super) fn has_experts(&self) -> bool {
        self.requested.has_experts()
    }

    /// The step as a way shards it.
    ///
    /// # Errors
    /// It does not fit the group or the program.
    pub(super) fn sharded(&self, way: ParallelDegrees) -> Result<Inner, Refusal> {
        let complete = |decisions: &Decisions, known: &mut Option<Propagated>| {
            self.written.complete(decisions, known, &Quiet)
        };
        let found = choose::with_named_axes(self.global, self.requested.shardings(way, &complete)?);
        Ok(Inner { whole: carried_over(&found, &self.global.function, self.to) })
    }
}

/// Shardings of a step as a plan file has them, and with what follows from them.
fn written(
    program: &Program,
    global: &Global,
    machine: &Machine,
    found: &Shardings,
) -> (PlanFile, Shardings) {
    let Minimized { decisions, shardings, .. } = WrittenFunction::of(global).settle(found, &global.fixed);
    let found = &shardings;
    let mut plan = report::decisions(program, &global.function, &global.roles, machine, found);
    let recognized = recognize(&global.function, &global.roles, found);
    plan.degrees = recognized.degrees(&found.mesh);
    plan.uneven = uneven(&global.function, &global.roles, &recognized, found);
    plan.parallelism = recognized.parts;
    let names = &global.names(program);
    let named = Named { function: &global.function, names, place: &|_| None };
    codec::write(&mut plan, &decisions, &found.mesh, named);
    (plan, shardings)
}

/// A step as it stands, with what its annotations fix.
pub(super) fn as_it_is(
    program: &Program,
    function: &Function,
    origins: &Origins,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Global, CompileError> {
    let program = program.with_only(function.clone());
    let source = Source::new("step", "");
    let request = Request {
        original: &program,
        source: &source,
        machine,
        options,
        control,
        stages: Stages::new(&stages::stages(), options, control)?,
        reshards: Planner::default(),
    };
    Global::as_it_is(&request, function.clone(), origins.clone())
}

/// The strategy of an elementwise instruction that makes a result of this sharding.
fn elementwise(open: &Strategy, sharding: &Sharding) -> Strategy {
    let mut strategy = open.clone();
    for (factor, dim) in strategy.axes.iter_mut().zip(&sharding.dims) {
        factor.clone_from(&dim.axes);
    }
    strategy
}

/// Shardings of a function that is another one with other numbers: the same instructions in the same order.
pub(super) fn carried_over(found: &Shardings, from: &Function, to: &Function) -> Shardings {
    let Pairs { values, insts, .. } = Pairs::of(from, to);
    let values = values.into_iter().map(|(old, new)| (new, old));
    let mut own = found.carried_over(to, values, insts.into_iter().map(|(old, new)| (new, old)));
    own.results.clone_from(&found.results);
    own
}

/// What is the same in two bodies.
pub(super) struct Pairs<'a> {
    from: &'a Body,
    to: &'a Body,
    pub(super) values: Vec<(ValueId, ValueId)>,
    pub(super) insts: Vec<(InstId, InstId)>,
}

impl<'a> Pairs<'a> {
    pub(super) fn of(from: &'a Function, to: &'a Function) -> Self {
        let mut pairs = Self { from: &from.body, to: &to.body, values: Vec::new(), insts: Vec::new() };
        pairs.regions(from.body.entry(), to.body.entry());
        pairs
    }

    fn regions(&mut self, from: RegionId, to: RegionId) {
        let (one, other) = (&self.from.regions[from], &self.to.regions[to]);
        assert_eq!(one.insts.len(), other.insts.len(), "the step is in its normal form already");
        self.values.extend(one.args.iter().copied().zip(other.args.iter().copied()));
        for (inst, twin) in one.insts.iter().zip(&other.insts) {
            let (own, same) = (&self.from.insts[*inst], &self.to.insts[*twin]);
            assert_eq!(own.op.name(), same.op.name(), "the step is in its normal form already");
            self.values.extend(own.results.iter().copied().zip(same.results.iter().copied()));
            self.insts.push((*inst, *twin));
            for (inner, twin) in own.regions.iter().zip(&same.regions) {
                self.regions(*inner, *twin);
            }
        }
    }
}
