//! Problems of meshes, and what plans are predicted to cost.
//!
//! Input: a [`Request`]. Output: for a mesh its problem ([`Planner::problem`]), which turns an answer of the solver into a
//! [`Plan`]; of decisions with gaps the whole plan ([`Planner::shardings`]), and its predicted cost ([`Planner::predict`]).
//! Copies that do not fit into the memory are gathered again (module `copies`).

use meshwright_cost::{Lowering, estimate};
use meshwright_ir::control::Quiet;
use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Choice, Decisions, Placement, Shardings};
use meshwright_shard::{Options, Sharder};
use meshwright_solve::Problem;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Request;
use crate::copies;
use crate::evaluation::Evaluation;
use crate::sharding_problem::{AxisSplits, Budget, Copies, Scale, ShardingProblem, Skipped, Space};
use crate::strategies::degrees::ParallelDegrees;

/// A plan that an answer of the solver stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// All that is decided.
    pub shardings: Shardings,
    /// Its predicted cost.
    pub evaluation: Evaluation,
    /// Shardings of the arguments, and the next best ones.
    pub choices: Vec<Choice>,
}

/// Makes the problems of meshes and predicts what plans cost. Pure: equal input, equal output.
///
/// There is one, [`ShardingPlanner`]; tests of the search put problems made by hand in its place.
pub(crate) trait Planner: Sync {
    /// The problem of a mesh.
    ///
    /// # Errors
    /// No plan is fast enough, none fits, or there is too much to choose from.
    fn problem(&self, mesh: &Mesh, budget: Budget) -> Result<Box<dyn MeshProblem + '_>, Skipped>;

    /// The whole plan that decisions on a mesh lead to.
    fn shardings(&self, decisions: &Decisions) -> Shardings;

    /// Predicted cost of a whole plan.
    fn predict(&self, shardings: &Shardings) -> Evaluation;

    /// Predicted cost of the whole plan that decisions lead to.
    fn evaluate(&self, decisions: &Decisions) -> Evaluation {
        self.predict(&self.shardings(decisions))
    }
}

/// The problem of a mesh, and the plans of its answers.
pub(crate) trait MeshProblem {
    /// The problem as the solver is given it.
    fn problem(&self) -> &Problem;

    /// Limits memory to something else.
    fn limit(&mut self, memory: Bytes, copies: Copies);

    /// Meaning of the costs.
    fn scale(&self) -> Scale;

    /// Every decision by itself at its cheapest: no answer takes less.
    fn least(&self) -> Seconds;

    /// The plan that an answer stands for.
    fn plan(&self, assignment: &[usize]) -> Plan;
}

/// The planner of a function: it propagates, prices, and makes problems for the solver.
pub struct ShardingPlanner<'a> {
    request: Request<'a>,
    space: Arc<Space<'a>>,
    options: Options,
    evaluated: Arc<Evaluated>,
}

/// What whole plans cost to which decisions lead, so far.
type Evaluated = Mutex<Vec<(Decisions, Evaluation)>>;

impl<'a> ShardingPlanner<'a> {
    /// The planner of a request, with these decisions fixed instead of its own.
    pub fn new(request: &Request<'a>, fixed: &Decisions) -> Self {
        let replaced = request.roles.args.iter().enumerate();
        let replaced: Vec<_> = replaced.filter_map(|(arg, role)| Some((arg, role.result?))).collect();
        let splits = if request.fixed.mesh.is_some() { AxisSplits::Parts } else { AxisSplits::Whole };
        let space = Space::new(request, fixed, &replaced, splits);
        let options = Options { is_first_order: request.effort.is_look(), ..Options::default() };
        Self { request: *request, space: Arc::new(space), options, evaluated: Arc::default() }
    }

    /// The same within so much memory, for what takes less than a time: what does not depend on these is found out once.
    pub fn within(&self, memory_limit: Bytes, faster_than: Option<Seconds>) -> Self {
        let Self { space, options, evaluated, .. } = self;
        let request = Request { memory_limit, faster_than, ..self.request };
        Self { request, space: space.clone(), options: options.clone(), evaluated: evaluated.clone() }
    }

    /// The same, with a way that has to be beaten where the request has none.
    pub fn beating(self, way: Option<ParallelDegrees>) -> Self {
        let request = Request { parallelism: self.request.parallelism.or(way), ..self.request };
        Self { request, ..self }
    }

    /// The input of the search.
    pub fn request(&self) -> &Request<'a> {
        &self.request
    }

    /// The whole plan that decisions on a mesh lead to.
    ///
    /// # Panics
    /// If they say no mesh.
    pub fn shardings(&self, decisions: &Decisions) -> Shardings {
        let Request { function, prepared, .. } = self.request;
        let mesh = decisions.mesh.as_ref().expect("the mesh is decided");
        // Evaluations run on many threads at once and are short; they are stopped between each other.
        let sharder = Sharder { function, prepared, mesh, options: &self.options, control: &Quiet };
        sharder.cheapest(decisions).1
    }

    fn place(&self, mesh: &Mesh) -> Placement {
        let machine = self.request.machine.clone();
        Placement::new(machine, mesh.clone()).expect("the mesh has the machine's devices")
    }

    /// Predicted cost of shardings.
    pub fn predict(&self, shardings: &Shardings) -> Evaluation {
        self.predict_on(shardings, &self.place(&shardings.mesh))
    }

    fn predict_on(&self, shardings: &Shardings, placement: &Placement) -> Evaluation {
        let estimate = estimate(&Lowering::new(self.request.analysis, shardings), placement);
        let levels = estimate.levels.iter().copied().enumerate();
        let (total, host) = (estimate.total(), estimate.memory.host);
        let drives = placement.machine.drive_seconds(host);
        let share = placement.machine.host_share().unwrap_or(Bytes(u64::MAX));
        Evaluation {
            busiest: levels
                .reduce(|most, level| if level.1 > most.1 { level } else { most })
                .filter(|(_, seconds)| seconds.0 > 0.0),
            // Drives are busy all along the step.
            seconds: if drives > total { drives } else { total },
            compute: estimate.compute,
            communication: estimate.communication,
            peak: estimate.memory.peak,
            beyond_host: Bytes(host.0.saturating_sub(share.0)),
        }
    }
}

impl Planner for ShardingPlanner<'_> {
    fn problem(&self, mesh: &Mesh, budget: Budget) -> Result<Box<dyn MeshProblem + '_>, Skipped> {
        let problem = self.space.on(self.place(mesh), budget)?;
        Ok(Box::new(PlannedProblem { planner: self, problem }))
    }

    fn shardings(&self, decisions: &Decisions) -> Shardings {
        self.shardings(decisions)
    }

    fn predict(&self, shardings: &Shardings) -> Evaluation {
        self.predict(shardings)
    }

    fn evaluate(&self, decisions: &Decisions) -> Evaluation {
        let known = || self.evaluated.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().iter().find(|(own, _)| own == decisions).map(|(_, evaluation)| *evaluation);
        found.unwrap_or_else(|| {
            let evaluation = self.predict(&self.shardings(decisions));
            known().push((decisions.clone(), evaluation));
            evaluation
        })
    }
}

/// The problem of a mesh with the planner that made it.
struct PlannedProblem<'a> {
    planner: &'a ShardingPlanner<'a>,
    problem: ShardingProblem<'a>,
}

impl MeshProblem for PlannedProblem<'_> {
    fn problem(&self) -> &Problem {
        &self.problem.problem
    }

    fn limit(&mut self, memory: Bytes, copies: Copies) {
        self.problem.limit(memory, copies);
    }

    fn scale(&self) -> Scale {
        self.problem.scale
    }

    fn least(&self) -> Seconds {
        self.problem.least
    }

    fn plan(&self, assignment: &[usize]) -> Plan {
        let Self { planner, problem } = self;
        let Request { analysis, memory_limit, .. } = planner.request;
        let mut shardings = problem.shardings(assignment);
        copies::drop_until_it_fits(analysis, &mut shardings, memory_limit);
        let evaluation = planner.predict_on(&shardings, problem.placement());
        Plan { shardings, evaluation, choices: problem.choices(assignment) }
    }
}
