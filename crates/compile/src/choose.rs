//! From what is decided to a sharding of every value: by propagation alone, or by a search that propagates.

use meshwright_cost::analysis::Analysis;
use meshwright_cost::estimate::estimate;
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_ir::mesh::{Axis, Mesh};
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::plan_file::PlanAlternative;
use meshwright_plan::{Placement, Roles, Shardings, recognize};
use meshwright_search::{Evaluation, Pins, Question, search};
use meshwright_shard::decisions::{Decisions, Space};
use meshwright_shard::{Seeds, Spreader, prepare};

use crate::mesh::MESH;

/// What a search adds to a plan.
pub(crate) struct Searched {
    /// The mesh; its axes are named for what they do.
    pub(crate) mesh: Mesh,
    /// What to propagate.
    pub(crate) seeds: Seeds,
    /// Why, one sentence each.
    pub(crate) reasons: Vec<String>,
    /// No plan takes less, in seconds; none if nothing fits.
    pub(crate) bound: Option<f64>,
    /// What else was considered.
    pub(crate) alternatives: Vec<PlanAlternative>,
    /// What was not.
    pub(crate) not_searched: Vec<String>,
}

/// Searches for the mesh (unless there is one) and for what `decided` leaves open.
pub(crate) fn searched(
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    mesh: Option<&Mesh>,
    decided: &Seeds,
    limit: Bytes,
    analysis: &Analysis<'_>,
    control: &dyn Control,
) -> Result<Searched, Diagnostic> {
    let prepared = prepare(function);
    let options = meshwright_shard::Options::default();
    let spread = |mesh: &Mesh, seeds: &Seeds| -> Shardings {
        // Evaluations run on many threads at once and are short; they are stopped between each other.
        let control = &Quiet;
        Spreader { function, prepared: &prepared, mesh, options: &options, control }.cheapest(seeds).1
    };
    let evaluation = |shardings: &Shardings, placement: &Placement| -> Evaluation {
        let estimate = estimate(analysis, shardings, placement);
        Evaluation {
            seconds: estimate.total(),
            compute: estimate.compute,
            communication: estimate.communication,
            peak: estimate.memory.peak,
        }
    };
    let placed =
        |mesh: &Mesh| Placement::new(machine.clone(), mesh.clone()).expect("meshes of the machine's size");
    let evaluate = |mesh: &Mesh, seeds: &Seeds| evaluation(&spread(mesh, seeds), &placed(mesh));
    let replaced = roles.args.iter().enumerate().filter_map(|(arg, role)| Some((arg, role.result?)));
    let space = Space::new(function, &prepared, analysis, decided, &replaced.collect::<Vec<_>>());
    let ask = |mesh: &Mesh, limit: Bytes, answer: &mut dyn FnMut(&dyn Question)| {
        let placement = placed(mesh);
        let decisions = space.on(&placement, limit.0);
        let plan = |assignment: &[usize]| {
            let wanted = decisions.shardings(assignment);
            let spreader = Spreader { function, prepared: &prepared, mesh, options: &options, control };
            let (seeds, found) = spreader.brief(&wanted, decided);
            let evaluation = evaluation(&found, &placement);
            (seeds, evaluation)
        };
        answer(&OfMesh { decisions: &decisions, plan: &plan });
    };
    let pins = Pins { mesh: mesh.cloned(), seeds: Some(decided.clone()) };
    let search_options = meshwright_search::Options { memory_limit: Some(limit), pins };
    let outcome = search(function, roles, machine, &search_options, (&evaluate, &ask), control)
        .map_err(|problem| Diagnostic::error(MESH, Span::NONE, problem))?;
    let wrong = meshwright_search::check::check(function, roles, &search_options.pins, &outcome, &evaluate);
    assert!(wrong.is_empty(), "the search's answer does not hold: {}", wrong.join("; "));
    let named = match mesh {
        Some(mesh) => mesh.clone(),
        None => {
            name_axes(&outcome.mesh, &recognize(function, roles, &spread(&outcome.mesh, &outcome.seeds)).uses)
        }
    };
    let alternative = |found: &meshwright_search::Alternative| PlanAlternative {
        name: found.name.clone(),
        total_seconds: found.evaluation.seconds.0,
        peak_bytes: found.evaluation.peak.0,
        fits: found.score.is_feasible(),
    };
    let bound = outcome.is_feasible().then_some(outcome.bound.0);
    Ok(Searched {
        mesh: named,
        seeds: outcome.seeds,
        bound,
        reasons: outcome.reasons,
        alternatives: outcome.alternatives.iter().map(alternative).collect(),
        not_searched: outcome.not_searched,
    })
}

/// The problem of a mesh as the search asks for it.
struct OfMesh<'a> {
    decisions: &'a Decisions<'a>,
    plan: &'a dyn Fn(&[usize]) -> (Seeds, Evaluation),
}

impl Question for OfMesh<'_> {
    fn problem(&self) -> &meshwright_solve::Problem {
        &self.decisions.problem
    }

    fn seconds(&self, cost: u128) -> Seconds {
        Seconds(cost as f64 * self.decisions.unit + self.decisions.rest)
    }

    fn cost(&self, time: Seconds) -> u128 {
        ((time.0 - self.decisions.rest) / self.decisions.unit).max(0.0) as u128
    }

    fn plan(&self, assignment: &[usize]) -> (Seeds, Evaluation) {
        (self.plan)(assignment)
    }
}

/// A searched mesh with names for what its axes do; what two axes do alike is numbered.
fn name_axes(
    mesh: &Mesh,
    uses: &[(meshwright_ir::mesh::SubAxisId, std::collections::BTreeSet<meshwright_plan::recognize::Use>)],
) -> Mesh {
    use meshwright_plan::recognize::Use;
    let wanted: Vec<&str> = (0..mesh.axes().len())
        .map(|axis| {
            let mut own =
                uses.iter().filter(|(piece, _)| mesh.sub_axis(*piece).axis == axis).map(|(_, uses)| uses);
            let first = own.next();
            match first.filter(|first| own.all(|other| other == *first)) {
                Some(uses) if uses.contains(&Use::Data) => "data",
                Some(uses) if uses.contains(&Use::Expert) => "expert",
                Some(uses) if uses.contains(&Use::Tensor) => "model",
                Some(uses) if uses.contains(&Use::Context) => "context",
                Some(uses) if uses.contains(&Use::Ulysses) => "ulysses",
                _ => mesh.axes()[axis].name.as_str(),
            }
        })
        .collect();
    let name = |axis: usize| {
        let before = wanted[..axis].iter().filter(|name| **name == wanted[axis]).count();
        if before == 0 { wanted[axis].to_owned() } else { format!("{}{}", wanted[axis], before + 1) }
    };
    let axes =
        mesh.axes().iter().enumerate().map(|(index, axis)| Axis { name: name(index), size: axis.size });
    // Names that collide with those of axes without a use leave the mesh as it is.
    Mesh::new(mesh.name.clone(), axes.collect()).unwrap_or_else(|_| mesh.clone())
}
