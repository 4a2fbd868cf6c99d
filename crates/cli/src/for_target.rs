//! `meshwright plan --for TARGET`: the fastest plan that another framework can run.
//!
//! Input: a configuration, and a target of `export`. All ways are priced, with as little made again as fits, and those that
//! keep to its constraints with its further levels of recomputation. What it runs of degrees is asked of its
//! own rules before anything is compiled, and the fastest of these is the plan, if the target would write it as it is. The
//! plan says what that costs beside the fastest of all. Ctrl-C leaves the fastest of what is priced by then.

use crate::args::{Output, PlanArguments};
use crate::failure::{Failure, Outcome};
use crate::plan::Answer;
use crate::planning::{Inputs, NoMachine, Planned, failure, one_limit};
use crate::terminal::Terminal;
use crate::{pipeline, plural, program, scaling};
use meshwright_compile::{
    CompileError, Compiled, DegreeSpace, GridFigures, GridOutcome, GridRow, Held, MAKING, Microbatches,
    NO_OPTIMIZER, Options, Pipelined, Recompute, Search, Unsaid, best_first, pipelined_way,
};
use meshwright_export::constraints::{Constraints, Step, Way, constraints, gaps, stage_layers};
use meshwright_export::{
    Degrees, EXPORT, Fault, Model, Otherwise, Precision, Recompute as Level, Target, export,
    job::SHORT_PRODUCTS, planned, target,
};
use meshwright_ir::control::{Control, ToTheEnd};
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Seconds};
use meshwright_plan::{DegreeName, PlanFile};
use meshwright_present::grid::{is_unfinished, why_none};

/// The plan for a target of this name, and what the compiler warns of it.
pub(crate) fn planned(
    arguments: &PlanArguments,
    name: &str,
    out: Output,
) -> Outcome<(Answer, Vec<Diagnostic>)> {
    let target = target(name).ok_or_else(|| {
        Failure::usage("`--for`: `list` is no framework; `meshwright export --to list` shows them")
    })?;
    let limit = one_limit(&arguments.planning)?;
    let wanted = &arguments.wanted;
    if wanted.tokens.is_some() && !wanted.is_any() {
        return Err(Failure::usage(
            "`--tokens` is of a `--deadline` or a `--budget`: give one, or leave it out",
        ));
    }
    if let Some(name) = &arguments.planning.machine
        && scaling::machines(name)?.is_some()
    {
        return Err(Failure::usage(format!(
            "`--for` plans for one machine, and `{name}` are several: give one of them"
        )));
    }
    let config = program::config_text(&arguments.planning.model)?;
    if !program::is_config(&config) {
        return Err(Failure::usage(
            "`--for` goes with a model's config.json: a program does not say the sizes that job files want",
        ));
    }
    let mut inputs = Inputs::read(&arguments.planning, NoMachine::Refused, None, out)?;
    scaling::a_budget_must_have_a_price(wanted, &inputs.machine, &inputs.machine.spec())?;
    // Of single numbers others are open, as in a grid; what is written together is one way.
    let is_one_way = arguments.planning.degrees.said().iter().any(|flag| flag == "--as");
    if inputs.options.asked.is_some() && !is_one_way {
        inputs.options.asked = None;
        inputs.options.degrees = arguments.planning.degrees.space().map_err(Failure::usage)?;
    }
    let said = arguments.pipeline.said();
    if said.schedule.is_some() {
        let degrees = arguments.planning.degrees.space().map_err(Failure::usage)?;
        let (degrees, schedule) = said.of_degrees(degrees).map_err(Failure::usage)?;
        inputs.options.schedule = schedule;
        match inputs.options.asked {
            Some(_) => inputs.options.asked = degrees.only(),
            None => inputs.options.degrees = degrees,
        }
    }
    let terminal = Terminal::plain().listening();
    let options = Options { memory_limit: limit, ..inputs.options.clone() };
    let of_target = ForTarget { target, config: &config };
    let found = of_target.fastest(&inputs.program, &inputs.source, &inputs.machine, &options, &terminal);
    terminal.wipe();
    let answer = match found.map_err(|error| failure(error, &inputs.source, None))? {
        Ok(Runs::Step(compiled)) => {
            let Inputs { source, machine, .. } = inputs;
            let (compiled, weighed) = (*compiled, Vec::new());
            Answer::Plain(Box::new(Planned { source, machine, options, compiled, weighed }))
        }
        Ok(Runs::Pipeline(pipelined)) => {
            let Inputs { source, machine, .. } = inputs;
            let (pipelined, searched) = (*pipelined, None);
            Answer::Stages(Box::new(pipeline::Planned { source, machine, options, pipelined, searched }))
        }
        Err(refusal) => return Err(Failure::check(*refusal)),
    };
    if wanted.is_any() {
        let fed = answer.figures().and_then(|figures| figures.throughput);
        let unit = fed.as_ref().map(|fed| fed.unit.as_str());
        scaling::must_count_tokens(unit, wanted, scaling::GOALS).map_err(Failure::usage)?;
    }
    Ok((answer, terminal.take_warnings()))
}

/// A framework that is to run a plan, and the configuration of the model that it is of.
#[derive(Clone, Copy, Debug)]
pub struct ForTarget<'a> {
    /// The framework.
    pub target: &'a Target,
    /// The model's `config.json`.
    pub config: &'a Source,
}

/// A plan that a framework can run.
#[derive(Debug)]
pub enum Runs {
    /// One without stages.
    Step(Box<Compiled>),
    /// A pipeline.
    Pipeline(Box<Pipelined>),
}

impl Runs {
    fn plan(&self) -> &PlanFile {
        match self {
            Self::Step(compiled) => &compiled.plan,
            Self::Pipeline(pipelined) => &pipelined.plan,
        }
    }

    fn plan_mut(&mut self) -> &mut PlanFile {
        match self {
            Self::Step(compiled) => &mut compiled.plan,
            Self::Pipeline(pipelined) => &mut pipelined.plan,
        }
    }
}

impl ForTarget<'_> {
    /// The fastest plan of all ways that the options leave open that the framework runs as it is; else why it runs none. Where
    /// the options say no recomputation, the search goes on with its levels of that, and keeps to its constraints; what it
    /// would still refuse is left out before it is compiled. Where `control` asks for the end, it is the fastest of what is priced
    /// by then, as a plan that is [`PlanFile::unfinished`]. It is warned of the plan that is taken alone.
    ///
    /// # Errors
    /// As [`meshwright_compile::grid`]. [`CompileError::Interrupted`]: `control` said so before there was one.
    pub fn fastest(
        &self,
        program: &Program,
        source: &Source,
        machine: &Machine,
        options: &Options,
        control: &dyn Control,
    ) -> Result<Result<Runs, Box<Diagnostic>>, CompileError> {
        let mut opened = options.clone();
        let has_microbatches = opened.microbatches.is_some() || opened.microbatch_size.is_some();
        if has_microbatches && opened.asked.is_none() {
            let open = opened.degrees.clone().or_in_microbatches();
            let is_listed = open.ways(machine.num_devices(), Unsaid::Searched { experts: true }).is_ok();
            opened.degrees = if is_listed { open } else { opened.degrees.or_search(DegreeName::Pp) };
        }
        let options = &opened;
        let step = match step(options, machine, self.config) {
            Ok(step) => step,
            Err(fault) => return Ok(Err(fault)),
        };
        let constraints = match constraints(self.target, &step) {
            Ok(constraints) => constraints,
            Err(reasons) => return Ok(Err(Box::new(self.runs_none(&reasons.join("; "))))),
        };
        let of_rows = Held::back(control);
        let mut all: Vec<Priced> = Vec::new();
        let mut left = Level::ALL.to_vec();
        // What fits as it is comes first, else what fits with as little made again as there is.
        while !all.last().is_some_and(|last| last.has_plans() || last.is_unfinished()) && !left.is_empty() {
            let options = match (left.remove(0), &options.recompute) {
                (Level::None, _) => options.clone(),
                (_, Some(_)) => break,
                (level, None) => Options { recompute: level.name().parse().ok(), ..options.clone() },
            };
            let rows = meshwright_compile::grid_so_far(program, source, machine, &options, &of_rows)?;
            all.push(Priced { options, rows });
        }
        let Some((first, figures)) = all.last().and_then(|whole| whole.plans().next()) else {
            if all.last().is_some_and(Priced::is_unfinished) {
                return Err(CompileError::Interrupted);
            }
            let why = all.last().and_then(|whole| why_none(&whole.rows));
            let why = why.unwrap_or_else(|| "there is none".to_owned());
            let message = format!("no way is a plan that {} could run: {why}", self.target.title);
            return Ok(Err(Box::new(Diagnostic::error(EXPORT, Span::NONE, message).hint(HINT))));
        };
        let mut fastest = (first.clone(), figures.clone());
        // More made again may be faster than less, and than ways that need less memory.
        if options.recompute.is_none() {
            let levels = constraints.recompute.iter().filter(|level| left.contains(level));
            for level in levels {
                let kept = self.kept(program, source, machine, (options, *level), &constraints, &of_rows)?;
                let first = kept.plans().next().filter(|(_, own)| own.seconds < fastest.1.seconds);
                fastest = first.map_or(fastest, |(row, own)| (row.clone(), own.clone()));
                all.push(kept);
            }
        }
        let count: usize = all.iter().map(|priced| priced.plans().count()).sum();
        // Stages that the framework cuts by itself are priced as it cuts them.
        let stages = stage_layers(self.target, &step);
        let is_cut_by_itself =
            |row: &GridRow| stages.contains_key(&(row.way.groups() * row.way.virtual_stages()));
        for at in 0..all.len() {
            if all[at]
                .plans()
                .any(|(row, figures)| is_cut_by_itself(row) && self.refuses(&step, row, figures).is_none())
            {
                let mut options = Options { stage_layers: stages.clone(), ..all[at].options.clone() };
                options.allowed.clauses.extend(clauses(STAGES, self.target)?.clauses);
                let rows = meshwright_compile::grid_so_far(program, source, machine, &options, &of_rows)?;
                all.push(Priced { options, rows });
            }
        }
        let is_unfinished = all.iter().any(Priced::is_unfinished);
        let mut refusal = self.refuses(&step, &fastest.0, &fastest.1);
        let mut plans: Vec<(&Options, &GridRow, &GridFigures)> = all
            .iter()
            .flat_map(|priced| priced.plans().map(|(row, figures)| (&priced.options, row, figures)))
            .filter(|(options, row, _)| !is_cut_by_itself(row) || !options.stage_layers.is_empty())
            .filter(|(_, row, figures)| self.refuses(&step, row, figures).is_none())
            .collect();
        plans.sort_by(|(.., one), (.., other)| {
            one.seconds.0.total_cmp(&other.seconds.0).then(one.peak.0.cmp(&other.peak.0))
        });
        for (options, row, figures) in plans {
            if row.way.groups() == 1 {
                control.progress(MAKING, 0, 0);
            }
            let of_made = Held::back(control);
            // What is chosen is made, and not lost for who asks for an end meanwhile.
            let to_the_end = ToTheEnd(&of_made);
            let mut made = match compiled(program, source, machine, (options, row, figures), &to_the_end) {
                Ok(made) => made,
                // Its programs need more than its row says.
                Err(CompileError::NotAllowed(problem)) => {
                    refusal = refusal.or(Some(problem.message));
                    continue;
                }
                Err(error) => return Err(error),
            };
            match self.can_run(made.plan(), &source.name) {
                Ok(()) => {
                    let fastest = (&fastest.0, &fastest.1);
                    let said =
                        reason(self.target, figures.seconds, fastest, refusal.as_deref(), is_unfinished);
                    let plan = made.plan_mut();
                    plan.reasons.push(said);
                    plan.unfinished |= is_unfinished;
                    return Ok(Ok(of_made.taken(made)));
                }
                // Where ranks lie and stages begin is known of plans alone.
                Err(problem) => refusal = refusal.or(Some(problem)),
            }
        }
        // What is not priced may be what it runs.
        if is_unfinished {
            return Err(CompileError::Interrupted);
        }
        let refusal = refusal.unwrap_or_else(|| "no way fits into memory".to_owned());
        let ways = plural::count(count, "way");
        let message = format!(
            "{} {} can run none of {ways} that fit: {refusal}",
            self.target.title, self.target.version
        );
        let mut diagnostic = Diagnostic::error(EXPORT, Span::NONE, message);
        if !constraints.clauses.is_empty() {
            let clauses = constraints.clauses.join(", ");
            diagnostic = diagnostic.hint(format!("it runs ways with `{clauses}`, and not all of these"));
        }
        Ok(Err(Box::new(diagnostic.hint(HINT))))
    }

    /// All ways that keep to the framework's constraints, with a level of recomputation.
    fn kept(
        &self,
        program: &Program,
        source: &Source,
        machine: &Machine,
        (options, level): (&Options, Level),
        constraints: &Constraints,
        control: &dyn Control,
    ) -> Result<Priced, CompileError> {
        let mut allowed = options.allowed.clone();
        for clause in &constraints.clauses {
            allowed.clauses.extend(clauses(clause, self.target)?.clauses);
        }
        let options = Options { recompute: level.name().parse().ok(), allowed, ..options.clone() };
        let rows = meshwright_compile::grid_so_far(program, source, machine, &options, control)?;
        Ok(Priced { options, rows })
    }

    /// Why the framework would not run what a row says, as far as that is known without its plan.
    fn refuses(&self, step: &Step, row: &GridRow, figures: &GridFigures) -> Option<String> {
        let meshwright_plan::Degrees { dp, fsdp, tp, sp, cp, ep, zero } = row.degrees?;
        let (pp, vp) = (row.way.groups(), row.way.virtual_stages());
        let way = Way {
            degrees: Degrees { dp, fsdp, tp, sp, cp, ep, pp, vp, zero },
            microbatches: figures.microbatches,
            recompute: Level::of_words(figures.recompute.as_deref().unwrap_or(Level::None.name())),
            schedule: figures.schedule,
        };
        gaps(self.target, step, &way).first().map(ToString::to_string)
    }

    fn runs_none(&self, why: &str) -> Diagnostic {
        let message = format!("{} {} can run no plan of this: {why}", self.target.title, self.target.version);
        Diagnostic::error(EXPORT, Span::NONE, message).hint("plan for another framework (`export --to list`)")
    }

    /// Whether the target runs a plan as it is; else why not.
    fn can_run(&self, plan: &PlanFile, name: &str) -> Result<(), String> {
        let job = planned::job(plan, name, Some(self.config)).map_err(|fault| match fault {
            Fault::Plan(found) | Fault::Config(found) => found.message,
        })?;
        let gaps = export(job, self.target, Otherwise::Refused).err().unwrap_or_default();
        gaps.first().map_or(Ok(()), |gap| Err(gap.to_string()))
    }
}

/// What is allowed of ways with stages.
const STAGES: &str = "pp>1";

/// A clause in the grammar of `--allow`.
fn clauses(text: &str, target: &Target) -> Result<meshwright_compile::Constraints, CompileError> {
    let read: meshwright_compile::Constraints = text.parse().map_err(|problem| {
        let message = format!("a constraint of {} is none: {problem}", target.title);
        CompileError::Options(Box::new(Diagnostic::error(EXPORT, Span::NONE, message)))
    })?;
    Ok(read)
}

const HINT: &str = "`--grid` shows all ways; allow others, or export with `--nearest`";

/// Ways that were priced, with the options that lead to them.
struct Priced {
    options: Options,
    rows: Vec<GridRow>,
}

impl Priced {
    fn has_plans(&self) -> bool {
        self.plans().next().is_some()
    }

    /// Whether somebody asked for the end before all were priced.
    fn is_unfinished(&self) -> bool {
        is_unfinished(&self.rows)
    }

    /// Those that are plans, the best first.
    fn plans(&self) -> impl Iterator<Item = (&GridRow, &GridFigures)> {
        best_first(&self.rows).into_iter().filter_map(|row| match &row.outcome {
            GridOutcome::Plan(figures) => Some((row, figures.as_ref())),
            _ => None,
        })
    }
}

/// The step that is planned, as targets are asked about it.
///
/// Errors: the configuration is none.
fn step(options: &Options, machine: &Machine, config: &Source) -> Result<Step, Box<Diagnostic>> {
    let made = options.model.as_ref();
    let [sequence, sequences] = made.map_or([1, 1], |made| [made.tokens_per_sequence, made.sequences]);
    let recipe = made.map_or("bf16", |made| &made.precision_recipe);
    let of_model = meshwright_models::Options {
        sequence: Some(sequence),
        batch: meshwright_models::Batch::Sequences(sequences),
        ..meshwright_models::Options::default()
    };
    Ok(Step {
        machine: machine.spec(),
        devices: machine.num_devices(),
        global_batch: sequences,
        sequence,
        precision: if recipe == "f32" { Precision::F32 } else { Precision::Bf16 },
        optimizer: made.map(|made| made.optimizer.clone()).filter(|name| name != NO_OPTIMIZER),
        sizes: Model::read(&meshwright_models::read(config, &of_model)?),
        beyond: if recipe == "fp8" { vec![SHORT_PRODUCTS.to_owned()] } else { Vec::new() },
    })
}

/// What a row becomes.
fn compiled(
    program: &Program,
    source: &Source,
    machine: &Machine,
    (options, row, figures): (&Options, &GridRow, &GridFigures),
    control: &dyn Control,
) -> Result<Runs, CompileError> {
    let options = &row_options(row, figures, options);
    match row.way.groups() {
        1 => {
            let made = meshwright_compile::compile(program, source, machine, options, control)?;
            Ok(Runs::Step(Box::new(made)))
        }
        _ => {
            let made = pipelined_way(program, machine, options, row.way, control)?;
            Ok(Runs::Pipeline(Box::new(made)))
        }
    }
}

/// The options that lead to the plan of a row.
fn row_options(row: &GridRow, figures: &GridFigures, options: &Options) -> Options {
    let recompute = figures.recompute.as_deref().filter(|_| options.recompute == Some(Recompute::Search));
    let is_said = options.microbatches.is_some() || options.microbatch_size.is_some();
    Options {
        asked: Some(row.way),
        degrees: DegreeSpace::default(),
        search: Some(Search::None),
        // A row says how many there are of a size.
        microbatches: is_said.then_some(Microbatches::Number(figures.microbatches)),
        microbatch_size: None,
        recompute: match row.way.groups() {
            1 => recompute.and_then(|words| words.parse().ok()).or_else(|| options.recompute.clone()),
            _ => options.recompute.clone(),
        },
        ..options.clone()
    }
}

/// What the target costs.
fn reason(
    target: &Target,
    seconds: Seconds,
    fastest: (&GridRow, &GridFigures),
    refusal: Option<&str>,
    is_unfinished: bool,
) -> String {
    let name = format!("{} {}", target.title, target.version);
    match refusal {
        None if is_unfinished => format!("{name} runs the fastest of the ways that were priced as it is."),
        None => format!("{name} runs the fastest of all ways as it is."),
        Some(refusal) => {
            let more = 100.0 * (seconds.0 / fastest.1.seconds.0 - 1.0);
            let than = if more < 0.0 { "faster" } else { "slower" };
            format!(
                "It is the fastest that {name} runs as it is, {:.1} % {than} than `{}`, of which that holds: {refusal}.",
                more.abs(),
                fastest.0.way
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_compile::{StepOptions, from_config};
    use meshwright_models::Batch;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Somebody who waits for so many rows.
    struct Waiting(AtomicUsize);

    impl Control for Waiting {
        fn should_stop(&self) -> bool {
            self.0.load(Ordering::SeqCst) == 0
        }

        fn progress(&self, stage: &str, _: usize, _: usize) {
            if stage == "grid" {
                let less = |left: usize| left.checked_sub(1);
                let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
            }
        }
    }

    #[test]
    fn what_is_priced_before_the_end_is_the_plan() {
        let text = include_str!("../../../tests/data/exports/llama.json");
        let config = Source::new("llama.json", text);
        let mut asked = StepOptions::of_batch(Batch::Sequences(8));
        asked.model.sequence = Some(16);
        let made = from_config(&config, &asked).unwrap();
        let options = Options {
            asked: "dp=2".parse().ok(),
            search: Some(Search::Rest),
            model: Some(made.model),
            ..Options::default()
        };
        let machine = Machine::from_spec("h100:1x2").unwrap();
        let wanted = ForTarget { target: target("megatron-lm").unwrap(), config: &config };
        let stopped = |rows: usize| {
            let control = Waiting(AtomicUsize::new(rows));
            wanted.fastest(&made.program, &made.source, &machine, &options, &control)
        };
        assert!(matches!(stopped(0), Err(CompileError::Interrupted)));
        // The row without recomputation is priced, and those behind are not.
        let plan = stopped(1).unwrap().unwrap();
        let said = plan.plan().reasons.last().unwrap();
        assert!(plan.plan().unfinished && said.contains("of the ways that were priced"), "{said}");
        assert!(!stopped(usize::MAX).unwrap().unwrap().plan().unfinished);
    }
}
