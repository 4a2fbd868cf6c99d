//! From what is decided to a sharding of every value: by propagation alone, or by a search that propagates.

use meshwright_analyze::{Recognized, Roles, recognize};
use meshwright_cost::analysis::Analysis;
use meshwright_cost::estimate::estimate;
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::plan_file::PlanAlternative;
use meshwright_plan::{Decisions, Placement, Policies, Policy, Shardings};
use meshwright_search::seeds::seeds_of;
use meshwright_search::sharding_problem::{self, ShardingProblem, Space};
use meshwright_search::{
    Aim, Alternative, Asked, Evaluation, NotMade, Outcome, Pins, Plan, Question, Scale, meshwise, search,
};
use meshwright_shard::{Options, Prepared, Spreader, prepare};
use std::collections::BTreeMap;

use crate::asked;
use crate::axis_names::name_axes;
use crate::choices;
use crate::copies;
use crate::error::CompileError;
use crate::given_up::{Without, given_up};
use crate::mesh::{MESH, placed};
use crate::namesakes;
use crate::simplest;

/// Plans whose times differ by no larger share take the same time.
const SAME_TIME: f64 = 5e-3;

/// What a search adds to a plan.
pub(crate) struct Searched {
    /// Why, one sentence each.
    pub(crate) reasons: Vec<String>,
    /// What the plan takes and needs in the order of instructions that was searched.
    pub(crate) evaluation: Evaluation,
    /// No plan takes less, in seconds; none if nothing fits.
    pub(crate) bound: Option<f64>,
    /// What else was considered.
    pub(crate) alternatives: Vec<PlanAlternative>,
    /// What was not.
    pub(crate) not_searched: Vec<String>,
}

/// What is searched, and for what.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) function: &'a Function,
    pub(crate) roles: &'a Roles,
    pub(crate) machine: &'a Machine,
    /// The mesh, if it is not to be chosen.
    pub(crate) mesh: Option<&'a Mesh>,
    /// What is decided already.
    pub(crate) decided: &'a Decisions,
    /// Memory of each device that may be used.
    pub(crate) limit: Bytes,
    /// Only plans that take less are of interest.
    pub(crate) faster_than: Option<Seconds>,
    /// The caller's own way.
    pub(crate) asked: Option<Asked>,
    /// By what share a simpler plan may take longer.
    pub(crate) simplest_within: Option<f64>,
    pub(crate) analysis: &'a Analysis<'a>,
    pub(crate) control: &'a dyn Control,
}

/// Searches for the mesh (unless there is one) and for what `decided` leaves open. The axes of a mesh that was searched are
/// named for what they do.
/// Errors: [`CompileError::Options`]: a mesh or a way of the caller's that does not fit the machine or the program.
pub(crate) fn searched(wanted: Wanted<'_>) -> Result<(Searched, Shardings), CompileError> {
    let Wanted { function, roles, machine, mesh, decided, limit, faster_than, asked, .. } = wanted;
    let Wanted { analysis, control, simplest_within, .. } = wanted;
    let chooser = Chooser { wanted, prepared: &prepare(function), options: &Options::default() };
    let replaced = roles.args.iter().enumerate().filter_map(|(arg, role)| Some((arg, role.result?)));
    let replaced: Vec<(usize, usize)> = replaced.collect();
    let space = |decided: &Decisions| Space::new(function, chooser.prepared, analysis, decided, &replaced);
    let free = space(decided);
    let ask = |mesh: &Mesh, aim: Aim, answer: &mut dyn FnMut(&mut dyn Question)| {
        chooser.ask(&free, decided, mesh, aim, answer)
    };
    let evaluate = |mesh: &Mesh, seeds: &Decisions| {
        chooser.evaluation(&chooser.spread(mesh, seeds), &chooser.placed(mesh))
    };
    let pins = Pins { mesh: mesh.cloned(), seeds: Some(decided.clone()) };
    let search_options = meshwright_search::Options { memory_limit: Some(limit), pins, asked, faster_than };
    let outcome =
        search(function, roles, machine, &search_options, (&evaluate, &ask), control).map_err(refused)?;
    let wrong = meshwright_search::check::check(function, roles, &search_options.pins, &outcome, &evaluate);
    assert!(wrong.is_empty(), "the search's answer does not hold: {}", wrong.join("; "));
    let spread = |mesh: &Mesh, seeds: &Decisions| chooser.spread(mesh, seeds);
    let within = simplest_within.filter(|_| outcome.is_feasible());
    let simpler = within.and_then(|within| simplest::simplest(function, roles, &outcome, within, &spread));
    let (own_mesh, seeds) = match &simpler {
        Some(simpler) => (&simpler.mesh, &simpler.seeds),
        None => (&outcome.mesh, &outcome.seeds),
    };
    let own = spread(own_mesh, seeds);
    let recognized = recognize(function, roles, &own);
    let evaluation = chooser.evaluation(&own, &chooser.placed(own_mesh));
    let named = match mesh {
        Some(mesh) => mesh.clone(),
        None => name_axes(own_mesh, &recognized.uses),
    };
    let mut reasons = outcome.reasons.clone();
    let about_simplest = match &simpler {
        Some(simpler) => Some(simpler.reason.clone()),
        None => simplest::nearest_style(function, &outcome).filter(|_| outcome.is_feasible()),
    };
    if let (Some(_), Some(first)) = (&simpler, reasons.first_mut()) {
        *first = first.replacen("this plan", "the best plan", 1);
    }
    let place = 2.min(reasons.len());
    reasons.splice(place..place, about_simplest);
    let shared = outcome.is_feasible().then(|| nothing_shared(own_mesh.num_devices(), &recognized));
    reasons.splice(0..0, shared.flatten());
    reasons.extend(asked.filter(|_| mesh.is_none()).and_then(|asked| unlike_asked(&chooser, asked)));
    reasons.extend(gathered_again(&own.policies));
    if simpler.is_none() && outcome.is_feasible() {
        let without = |rest: &Decisions| {
            let space = space(rest);
            let ask = |mesh: &Mesh, aim: Aim, answer: &mut dyn FnMut(&mut dyn Question)| {
                chooser.ask(&space, rest, mesh, aim, answer)
            };
            let below = outcome.evaluation.seconds;
            let found = meshwise::on_mesh(&outcome.mesh, &ask, limit, Some(below), control);
            match found.plan.filter(|plan| plan.evaluation.peak <= limit) {
                Some(plan) => Without::Faster(plan.evaluation.seconds),
                None if found.is_proven && found.bound.0 >= below.0 * (1.0 - 1e-6) => Without::NothingFaster,
                None => Without::Unknown,
            }
        };
        reasons.extend(given_up(function, decided, &named, outcome.evaluation.seconds, &without));
    }
    if simpler.is_none() {
        reasons.extend(choices::sentences(function, &outcome.choices, &named));
    }
    let renamed = namesakes(&chooser, &outcome, &recognized.text());
    for (name, told_apart) in &renamed {
        let is_about = |reason: &&mut String| reason.starts_with(&format!("{name}: "));
        reasons.iter_mut().filter(is_about).for_each(|reason| *reason = reason.replacen(name, told_apart, 1));
    }
    let name = |name: &String| renamed.get(name).unwrap_or(name).clone();
    let alternative = |found: &meshwright_search::Alternative| PlanAlternative {
        name: name(&found.name),
        total_seconds: found.evaluation.seconds.0,
        peak_bytes: found.evaluation.peak.0,
        fits: found.score.is_feasible(),
    };
    let bound = outcome.is_feasible().then_some(outcome.bound.0);
    let searched = Searched {
        evaluation,
        bound,
        alternatives: outcome.asked.iter().chain(&outcome.alternatives).map(alternative).collect(),
        reasons,
        not_searched: outcome.not_searched,
    };
    Ok((searched, Shardings { mesh: named, ..own }))
}

/// The caller's own way, without a search: the mesh, named for what its axes do, and what to propagate.
/// Errors: [`CompileError::Options`]: it does not fit the machine or the program.
pub(crate) fn as_asked(
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    asked: Asked,
) -> Result<(Mesh, Decisions), CompileError> {
    let (mesh, seeds) = meshwright_search::as_asked(function, roles, machine, asked).map_err(refused)?;
    let options = Options::default();
    let spreader =
        Spreader { function, prepared: &prepare(function), mesh: &mesh, options: &options, control: &Quiet };
    let shardings = spreader.cheapest(&seeds).1;
    Ok((name_axes(&mesh, &recognize(function, roles, &shardings).uses), seeds))
}

/// What tells those common styles from the plan that are called like it, but take longer, by their names.
fn namesakes(chooser: &Chooser<'_>, outcome: &Outcome, name: &str) -> BTreeMap<String, String> {
    let function = chooser.wanted.function;
    let is_other = |style: &&Alternative| {
        style.name == name && style.evaluation.seconds.0 > outcome.evaluation.seconds.0 * (1.0 + SAME_TIME)
    };
    let told_apart = |style: &Alternative| {
        let mesh = &outcome.problem.meshes[style.answer.mesh];
        let seeds = seeds_of(&outcome.problem, function, &style.answer);
        let own = chooser.spread(&outcome.mesh, &outcome.seeds);
        namesakes::told_apart(name, function, &own, &chooser.spread(mesh, &seeds))
    };
    outcome.alternatives.iter().filter(is_other).map(|style| (name.to_owned(), told_apart(style))).collect()
}

/// Where the caller's own way, which is priced beside the plan, is not what was asked for.
fn unlike_asked(chooser: &Chooser<'_>, asked: Asked) -> Option<String> {
    let Wanted { function, roles, machine, .. } = chooser.wanted;
    let wanted = asked.degrees(machine.num_devices()).ok()?;
    let (mesh, seeds) = meshwright_search::as_asked(function, roles, machine, asked).ok()?;
    let found = recognize(function, roles, &chooser.spread(&mesh, &seeds)).degrees(&mesh);
    let difference = asked::difference(&wanted, &found, roles)?;
    Some(format!("as asked ({asked}): asked for {difference}"))
}

/// Why nothing is shared by the devices, where the fastest plan shares nothing, and what to do.
fn nothing_shared(num_devices: usize, recognized: &Recognized) -> Option<String> {
    let is_whole = recognized.uses.iter().all(|(_, uses)| uses.main.is_none());
    (num_devices > 1 && is_whole).then(|| {
        "the devices do nearly all of the work alike: the step is so small that messages would take longer than \
         sharing it saves; a larger batch or model would be shared, and one device is about as fast"
            .to_owned()
    })
}

/// What is sent again because memory is short.
fn gathered_again(policies: &Policies) -> Option<String> {
    let count = policies.count(Policy::GatherAgain);
    let operands = if count == 1 { "operand is" } else { "operands are" };
    (count > 0).then(|| {
        format!("memory: {count} {operands} brought anew to where they are read, so that no copy is kept until then")
    })
}

/// `asked` is to be the plan, but shardings or a mesh are given too.
pub(crate) fn meshes_twice(asked: Asked) -> CompileError {
    let problem = format!(
        "without a search, `{asked}` is the whole plan and has a mesh of its own: leave out the other mesh, pins and annotations, or search"
    );
    refused(problem)
}

/// The simplest plan is wanted of a search that is not to be.
pub(crate) fn nothing_to_choose_from() -> CompileError {
    let problem = "the simplest plan is chosen among those that a search finds, but nothing is to be searched: search \
                   (`--search rest`), or leave out `--simplest-within`";
    refused(problem.to_owned())
}

fn refused(problem: String) -> CompileError {
    CompileError::Options(Box::new(Diagnostic::error(MESH, Span::NONE, problem)))
}

/// Spreads a function and predicts what that costs.
struct Chooser<'a> {
    wanted: Wanted<'a>,
    prepared: &'a Prepared,
    options: &'a Options,
}

impl Chooser<'_> {
    fn spread(&self, mesh: &Mesh, seeds: &Decisions) -> Shardings {
        // Evaluations run on many threads at once and are short; they are stopped between each other.
        self.spreader(mesh, &Quiet).cheapest(seeds).1
    }

    fn spreader<'a>(&'a self, mesh: &'a Mesh, control: &'a dyn Control) -> Spreader<'a> {
        Spreader {
            function: self.wanted.function,
            prepared: self.prepared,
            mesh,
            options: self.options,
            control,
        }
    }

    fn placed(&self, mesh: &Mesh) -> Placement {
        placed(self.wanted.machine, mesh)
    }

    fn evaluation(&self, shardings: &Shardings, placement: &Placement) -> Evaluation {
        let estimate = estimate(self.wanted.analysis, shardings, placement);
        let levels = estimate.levels.iter().copied().enumerate();
        Evaluation {
            busiest: levels
                .reduce(|most, level| if level.1 > most.1 { level } else { most })
                .filter(|(_, seconds)| seconds.0 > 0.0),
            seconds: estimate.total(),
            compute: estimate.compute,
            communication: estimate.communication,
            peak: estimate.memory.peak,
        }
    }

    /// Hands over the problem of a mesh.
    fn ask(
        &self,
        space: &Space<'_>,
        decided: &Decisions,
        mesh: &Mesh,
        aim: Aim,
        answer: &mut dyn FnMut(&mut dyn Question),
    ) -> Result<(), NotMade> {
        let placement = self.placed(mesh);
        let below = aim.below.map(|below| below.0);
        let parts = self.wanted.mesh.is_some();
        let wanted = sharding_problem::Wanted { below, pairs: aim.pairs, parts };
        let decisions = space.on(&placement, aim.memory.0, wanted).map_err(
            |sharding_problem::NotMade { bound, needs, decisions, choices, pairs }| NotMade {
                bound: Seconds(bound),
                needs: Bytes(needs),
                decisions,
                choices,
                pairs,
            },
        )?;
        let plan = |decisions: &ShardingProblem<'_>, assignment: &[usize]| {
            let wanted = decisions.shardings(assignment);
            let spreader = self.spreader(mesh, self.wanted.control);
            let mut seeds = spreader.minimize(&wanted, decided).decisions;
            let mut found = wanted;
            copies::drop_until_it_fits(self.wanted.analysis, &mut found, self.wanted.limit);
            seeds.policies.clone_from(&found.policies);
            let evaluation = self.evaluation(&found, &placement);
            Plan { seeds, evaluation, choices: decisions.choices(assignment) }
        };
        answer(&mut OfMesh { decisions, plan: &plan });
        Ok(())
    }
}

/// The problem of a mesh as the search asks for it.
struct OfMesh<'a> {
    decisions: ShardingProblem<'a>,
    plan: &'a dyn Fn(&ShardingProblem<'_>, &[usize]) -> Plan,
}

impl Question for OfMesh<'_> {
    fn problem(&self) -> &meshwright_solve::Problem {
        &self.decisions.problem
    }

    fn limit(&mut self, memory: Bytes, copies: bool) {
        self.decisions.limit(memory.0, copies);
    }

    fn scale(&self) -> Scale {
        Scale { unit: self.decisions.unit, rest: self.decisions.rest }
    }

    fn least(&self) -> Seconds {
        Seconds(self.decisions.least)
    }

    fn plan(&self, assignment: &[usize]) -> Plan {
        (self.plan)(&self.decisions, assignment)
    }
}
