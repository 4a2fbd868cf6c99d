//! Job files of other frameworks beside a plan: what they say becomes flags that are not given; a job with stages is priced as
//! the pipeline that it is.

use crate::args::{
    JobFile, LayersOfStages, MemoryLimits, OneOf, Output, PipelineArguments, PlanArguments, Planning,
    SearchScope,
};
use crate::failure::{Failure, Outcome, warn_all};
use crate::nearest::Nearest;
use crate::pipeline_flags::must_be_known_of_degrees;
use crate::pipeline_plan::of_way;
use crate::plan::{self, Answer, Beside};
use crate::planning::{self, Inputs, NoMachine};
use crate::terminal::Terminal;
use crate::{for_target, input, plural, program, stage_layers};
use meshwright_compile::{DegreeSpace, GridOutcome, Microbatches, Options, ParallelDegrees, PipelinePlan};
use meshwright_export::read::{
    Around, Found, Problem, Setting, Unsaid, beside, changes, read, reader, warning,
};
use meshwright_export::{Export, Fault, Otherwise, export, job, planned, target};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::{Bytes, Seconds};
use meshwright_models::families::Architecture;
use meshwright_plan::PlanFile;
use meshwright_present::wrap::wrap;
use serde_json::json;
use std::path::Path;

mod aside;
mod step;

pub use step::{Contradiction, SaidOfStep, StepOfJob};

/// A job that was read.
struct Job {
    /// The planning that its flags come to.
    planning: Planning,
    /// Whether the model is a configuration.
    is_of_config: bool,
    /// Groups of devices of its pipeline.
    groups: usize,
    /// Stages of each group.
    virtual_stages: usize,
    /// Layers of each stage, where the job has unequal ones.
    stages: Option<Vec<usize>>,
    /// The schedule of the job, where it is not the usual one.
    schedule: Option<&'static str>,
    around: Around,
    /// Whether its products are in 8-bit floats.
    has_fp8: bool,
    /// What it does a little otherwise than it is planned, and what of it flags take the place of.
    notes: Vec<String>,
    source: Source,
}

/// The same planning, with the degrees of a job as what is asked for, and its microbatches and recomputation where no
/// flag says them.
pub(crate) fn asked_for(planning: &Planning, path: &Path) -> Outcome<Planning> {
    let job = Job::read(planning, path)?;
    match job.groups {
        1 => Ok(job.planning),
        _ => Err(Failure::usage(
            "`--from` of a job with stages goes with one value of each flag, `--global-batch` too",
        )),
    }
}

/// Plans, and prices the job beside it. Returns whether it was shown: not where nothing but a job without stages is planned.
pub(crate) fn run(arguments: &PlanArguments, path: &Path, out: Output) -> Outcome<bool> {
    let mut job = Job::read(&arguments.planning, path)?;
    if job.groups > 1 && arguments.pipeline.stages.is_some() {
        return Err(Failure::usage(format!(
            "`--stages` contradicts `{}`, which says pp={}: leave the flag out, or change the job",
            job.source.name, job.groups
        )));
    }
    job.notes.extend(aside::notes_of_stages(&job, &arguments.pipeline));
    if let (Some(LayersOfStages(layers)), 2..) = (&arguments.pipeline.stage_layers, job.groups) {
        job.stages = Some(layers.clone());
    }
    warn_all(&job.source, job.notes.iter().map(|note| warning(note)).collect(), out);
    if job.groups == 1 {
        return run_plain(arguments, &job, out);
    }
    must_be_known_of_degrees(&job.planning, &arguments.pipeline)?;
    let own = job.without_degrees(arguments);
    if own.planning.search == Some(SearchScope::None) {
        // Nothing but the job is planned.
        let schedule = arguments.pipeline.schedule.clone().or(job.schedule.map(str::to_owned));
        let stage_layers = job.stage_layers().map(LayersOfStages);
        let pipeline = PipelineArguments { schedule, stage_layers, ..arguments.pipeline.clone() };
        let own = PlanArguments { planning: job.planning.clone(), pipeline, ..own };
        let Some(answer) = plan::answer(&own, out)? else { return Ok(true) };
        let cut = job.stage_layers().map(|layers| {
            let said = format!("`{}`: it runs{}", job.source.name, stage_layers::in_words(&layers));
            Beside { head: wrap("", &said) + "\n", key: "job", data: json!({ "stage_layers": layers }), said }
        });
        answer.show(arguments, cut.as_ref(), out)?;
        return Ok(true);
    }
    let degrees: DegreeSpace = job.planning.degrees.space().map_err(Failure::usage)?;
    let mut said = arguments.pipeline.said();
    said.schedule = said.schedule.or(job.schedule);
    let layers = job.stage_layers();
    said.stage_layers = layers.as_deref();
    let (degrees, schedule) = said.of_degrees(degrees).map_err(Failure::usage)?;
    let Some(way) = degrees.only() else { return Ok(false) };
    let mut inputs = Inputs::of_groups(&job.planning, NoMachine::Refused, 1, None, out)?;
    inputs.options = Options { schedule, ..said.of_groups(inputs.options) };
    let priced = match of_way(&job.planning, &mut inputs, way) {
        Ok(priced) => Ok(Priced::of(&priced)),
        Err(failure) => Err(failure.no()?),
    };
    let Some(answer) = plan::answer(&own, out)? else { return Ok(true) };
    let (answer, beside) = job.beside(way, priced, answer, &own, out)?;
    answer.show(arguments, Some(&beside), out)?;
    Ok(true)
}

/// The same for a job without stages, whose row of a grid says what it takes.
fn run_plain(arguments: &PlanArguments, job: &Job, out: Output) -> Outcome<bool> {
    let is_one = matches!(&arguments.planning.memory_limit, None | Some(MemoryLimits::Each(_)));
    let limit = arguments.planning.memory_limit.as_ref().and_then(MemoryLimits::least);
    let degrees: DegreeSpace = job.planning.degrees.space().map_err(Failure::usage)?;
    let (Some(way), true) = (degrees.only(), is_one) else { return Ok(false) };
    let says_how = arguments.planning.search == Some(SearchScope::None)
        || arguments.planning.stages.stop_after.is_some()
        || arguments.pipeline.stages.is_some()
        || arguments.pipeline.stage_layers.is_some()
        || arguments.job.target.is_some();
    if says_how {
        return Ok(false);
    }
    let inputs = Inputs::read(&job.planning, NoMachine::Refused, None, out)?;
    let terminal = Terminal::plain().listening();
    let rows = inputs.grid(limit, &terminal);
    terminal.wipe();
    let rows = rows.map_err(|error| planning::failure(error, &inputs.source, None))?;
    let Some(row) = rows.into_iter().next() else { return Ok(false) };
    let priced = match row.outcome {
        GridOutcome::Plan(figures) => Ok(Priced {
            step: figures.seconds,
            microbatches: figures.microbatches,
            schedule: None,
            bubble: None,
            peak: figures.peak,
        }),
        GridOutcome::DoesNotFit { peak, limit, .. } => Err(format!("it needs {peak} of {limit}")),
        GridOutcome::NotAllowed(why) => Err(format!("`{why}` does not allow it")),
        GridOutcome::Refused(why) => Err(why),
        GridOutcome::Unpriced => return Ok(false),
    };
    let own = job.without_degrees(arguments);
    let Some(mut answer) = plan::answer(&own, out)? else { return Ok(true) };
    // The job itself is the best that is known then.
    if priced.as_ref().is_ok_and(|priced| is_faster(priced.step, answer.seconds())) {
        let Some(as_asked) = plan::answer(arguments, out)? else { return Ok(true) };
        answer = as_asked;
    }
    let (answer, beside) = job.beside(way, priced, answer, &own, out)?;
    answer.show(arguments, Some(&beside), out)?;
    Ok(true)
}

/// What a job takes.
struct Priced {
    step: Seconds,
    microbatches: usize,
    /// The schedule of its stages, if it has some.
    schedule: Option<String>,
    bubble: Option<f64>,
    peak: Bytes,
}

impl Priced {
    fn of(plan: &PipelinePlan) -> Self {
        Self {
            step: plan.figures.step(),
            microbatches: plan.microbatches,
            schedule: Some(plan.schedule_name().to_owned()),
            bubble: Some(plan.figures.bubble()),
            peak: plan.figures.memory().into_iter().max().unwrap_or_default(),
        }
    }
}

/// A share of a step that is not worth a change.
const NOTHING: f64 = 5e-4;

/// What to change in a job.
enum Changes {
    /// Settings of its file, what the framework does a little otherwise, and what a step takes then, if that is not what the
    /// plan does.
    Settings(Vec<Setting>, Vec<String>, Option<Seconds>),
    /// Degrees, and why no settings are said.
    Degrees(String, String),
    /// Nothing is shared, over so many devices.
    Whole(usize),
    /// Nothing, as it says.
    Nothing(String),
}

/// Whether a step that takes so long is worth a change.
fn is_faster(seconds: Seconds, than: Seconds) -> bool {
    than.0 > seconds.0 * (1.0 + NOTHING)
}

impl Changes {
    /// What makes a plan faster is said by no settings.
    fn of_no_setting() -> Self {
        Self::Nothing("it shards otherwise than any settings of the job say".to_owned())
    }

    /// In words.
    fn text(&self) -> String {
        match self {
            Self::Settings(settings, notes, seconds) => {
                let of = |verb: &str| -> Option<String> {
                    let own = settings.iter().filter(|setting| setting.verb() == verb);
                    let own: Vec<String> = own.map(Setting::object).collect();
                    (!own.is_empty()).then(|| format!("{verb} {}", own.join(", ")))
                };
                let verbs = ["change", "add", "leave out"].into_iter().filter_map(of);
                let notes = notes.iter().map(|note| note.trim_end_matches('.').to_owned());
                let change = verbs.chain(notes).collect::<Vec<_>>().join("; ");
                match seconds {
                    None => change,
                    Some(seconds) => format!(
                        "{change}; by these alone a step takes {seconds}, and what is left to the plan no setting says"
                    ),
                }
            }
            Self::Degrees(degrees, why) => format!("change {degrees}; {why}"),
            Self::Whole(devices) => format!(
                "it shards nothing, so that all {devices} devices do the same; no settings of the job say that, and one \
                 device takes as long"
            ),
            Self::Nothing(why) => why.clone(),
        }
    }
}

impl Job {
    /// Layers of each stage of its pipeline: those that it says, or as many in each.
    fn stage_layers(&self) -> Option<Vec<usize>> {
        let equal = || {
            let (layers, stages) = (self.around.layers?, self.groups.checked_mul(self.virtual_stages)?);
            (stages > 1 && layers.is_multiple_of(stages)).then(|| vec![layers / stages; stages])
        };
        self.stages.clone().or_else(equal)
    }

    /// What the caller asks for, of the job's step.
    fn without_degrees(&self, arguments: &PlanArguments) -> PlanArguments {
        PlanArguments {
            job: JobFile { from: None, ..arguments.job.clone() },
            planning: Planning { step: self.planning.step.clone(), ..arguments.planning.clone() },
            pipeline: PipelineArguments { stage_layers: None, ..arguments.pipeline.clone() },
            ..arguments.clone()
        }
    }

    /// What it takes, beside a plan, and what of it to change to have that.
    ///
    /// Errors: the programs of the plan cannot be made.
    fn beside(
        &self,
        way: ParallelDegrees,
        priced: Result<Priced, String>,
        answer: Answer,
        arguments: &PlanArguments,
        out: Output,
    ) -> Outcome<(Answer, Beside)> {
        let (name, plan) = (&self.source.name, answer.seconds());
        let priced = match priced {
            Ok(priced) => priced,
            Err(why) => {
                let said = format!("what `{name}` says, {way}, is no plan: {why}");
                let data = json!({ "degrees": way.to_string(), "refusal": why });
                return Ok((answer, Beside { head: format!("{said}\n\n"), key: "job", data, said }));
            }
        };
        let Priced { step, microbatches, schedule, bubble, peak } = priced;
        let share = step.0 / plan.0;
        let than = match 100.0 * (share - 1.0) {
            more if more >= 0.05 => format!("{more:.1} % more than the plan"),
            less if less <= -0.05 => format!("{:.1} % less than the plan", -less),
            _ => "as long as the plan".to_owned(),
        };
        let by = schedule.as_ref().map_or_else(String::new, |schedule| format!(" by {schedule}"));
        let cut = self.stage_layers().map_or_else(String::new, |layers| stage_layers::in_words(&layers));
        let count = plural::count(microbatches, "microbatch");
        let mut said = format!("what `{name}` says, {way} in {count}{by}{cut}, takes {step}: {than}");
        let mut data = json!({
            "degrees": way.to_string(),
            "microbatches": microbatches,
            "schedule": schedule,
            "step_seconds": step.0,
            "bubble_share": bubble,
            "peak_bytes": peak.0,
            "stage_layers": self.stage_layers(),
            "notes": self.notes,
        });
        let mut head = wrap("", &said);
        let mut answer = answer;
        if share > 1.0 + NOTHING {
            let wins = Seconds(step.0 - plan.0);
            let (with_programs, plan) = answer.plan_file(&arguments.planning)?;
            answer = with_programs;
            let changes = match self.changes(plan.as_ref(), way)? {
                // Settings that do not say all of the plan may take longer than others.
                Changes::Settings(settings, notes, Some(seconds)) => {
                    let least = if is_faster(seconds, step) { seconds } else { step };
                    match self.changes_that_run(arguments, way, least, out)? {
                        Changes::Nothing(_) if is_faster(seconds, step) => {
                            Changes::Settings(settings, notes, Some(seconds))
                        }
                        changes => changes,
                    }
                }
                of_degrees @ (Changes::Degrees(..) | Changes::Nothing(_)) => {
                    match self.changes_that_run(arguments, way, step, out)? {
                        Changes::Nothing(_) => of_degrees,
                        changes => changes,
                    }
                }
                Changes::Settings(settings, _, None) if settings.is_empty() => {
                    match self.changes_that_run(arguments, way, step, out)? {
                        Changes::Settings(settings, ..) if settings.is_empty() => Changes::of_no_setting(),
                        Changes::Nothing(_) => Changes::of_no_setting(),
                        changes => changes,
                    }
                }
                changes => changes,
            };
            let won = format!(
                "the plan wins {wins} a step, {:.1} %: {}",
                100.0 * (1.0 - 1.0 / share),
                changes.text()
            );
            head = wrap("", &said) + &wrap("", &won);
            said = format!("{said}; {won}");
            data["wins_seconds"] = json!(wins.0);
            data["wins_share"] = json!(1.0 - 1.0 / share);
            if let Changes::Settings(.., Some(seconds)) = &changes {
                data["changed_step_seconds"] = json!(seconds.0);
            }
            data["changes"] = match changes {
                Changes::Settings(settings, ..) => settings
                    .into_iter()
                    .map(|Setting { name, old, new }| json!({ "setting": name, "from": old, "to": new }))
                    .collect(),
                Changes::Degrees(degrees, why) => json!([{ "degrees": degrees, "reason": why }]),
                Changes::Whole(devices) => json!([{ "replicated_over": devices }]),
                Changes::Nothing(why) => json!([{ "reason": why }]),
            };
        }
        Ok((answer, Beside { head: head + "\n", key: "job", data, said }))
    }

    /// What to change in the job's file to have a plan: by its own settings, where its framework runs the plan as it is.
    ///
    /// Errors: the changed job cannot be priced.
    fn changes(&self, plan: Option<&PlanFile>, way: ParallelDegrees) -> Outcome<Changes> {
        let name = &self.source.name;
        let Some(plan) = plan else {
            return Ok(Changes::Degrees(format!("`{way}`"), "the plan was not written out".to_owned()));
        };
        let devices: usize = plan.mesh.iter().map(|axis| axis.size).product();
        let stages = plan.schedule.len();
        if stages <= 1 && plan.parallelism == [format!("replicated over {devices}")] {
            return Ok(Changes::Whole(devices));
        }
        let own = job::degrees(plan).to_string();
        let degrees = |why: String| match own == way.to_string() {
            true => Ok(Changes::Nothing(format!(
                "its degrees stay, and no settings of the job say the rest; {why}"
            ))),
            false => Ok(Changes::Degrees(format!("`{way}` -> `{own}`"), why)),
        };
        let known = reader(name, &self.source.text);
        let Some((reader, target)) = known.and_then(|reader| Some((reader, target(reader.target)?))) else {
            return degrees(format!("`{name}` is of no framework that is known"));
        };
        let config = planned::config(plan, name);
        let job = match planned::job(plan, name, config.as_ref()) {
            // The job has that already.
            Ok(job) if self.has_fp8 => job.without_short_products(),
            Ok(job) => job,
            Err(Fault::Plan(found) | Fault::Config(found)) => return degrees(found.message),
        };
        match export(job, target, Otherwise::Refused) {
            Ok(written) => {
                let file = written.files.iter().find(|file| reader.reads(file.name, &file.text));
                let text = file.map_or("", |file| file.text.as_str());
                let priced = match &config {
                    Some(config) => self.priced(plan, config, &written)?,
                    None => None,
                };
                Ok(Changes::Settings(
                    changes(name, &self.source.text, text, self.around),
                    written.job.notes,
                    priced,
                ))
            }
            Err(gaps) => {
                let gap = gaps.first().map_or_else(String::new, ToString::to_string);
                degrees(format!("{} {} does not run that as it is: {gap}", target.title, target.version))
            }
        }
    }

    /// What to change in the job's file where no settings say what makes the plan faster: to have the fastest plan that its
    /// framework runs, if that is faster than a step of so long.
    ///
    /// Errors: that cannot be searched.
    fn changes_that_run(
        &self,
        arguments: &PlanArguments,
        way: ParallelDegrees,
        step: Seconds,
        out: Output,
    ) -> Outcome<Changes> {
        let nothing = |why: &str| Ok(Changes::Nothing(format!("no settings of the job say it; {why}")));
        let name = &self.source.name;
        let known = reader(name, &self.source.text);
        let Some(target) = known.and_then(|reader| target(reader.target)).filter(|_| self.is_of_config)
        else {
            return nothing("of a program nobody knows what else its framework runs");
        };
        if self.has_fp8 {
            return nothing("what else its framework runs with products in 8 bits is not searched");
        }
        let job = JobFile { from: None, target: Some(target.name.to_owned()) };
        let own = PlanArguments { job, ..arguments.clone() };
        let runs = format!("the fastest that {} {} runs", target.title, target.version);
        // Pipelines run the microbatches of a job, which ways without stages need not.
        let mut asked = vec![own.clone()];
        if self.groups > 1 && !own.planning.fitting.says_microbatches() {
            let mut pipelines = own.clone();
            pipelines.planning.fitting.microbatches = self.planning.fitting.microbatches.clone();
            asked.push(pipelines);
        }
        let mut best: Option<(Answer, &Planning)> = None;
        for own in &asked {
            match for_target::planned(own, target.name, out).map(|(found, _)| found) {
                Ok(found) if found.is_unfinished() => return Err(Failure::stopped(planning::NOT_AT_ITS_END)),
                Ok(found) if best.as_ref().is_none_or(|(best, _)| found.seconds() < best.seconds()) => {
                    best = Some((found, &own.planning));
                }
                Ok(_) => {}
                Err(failure) => drop(failure.no()?),
            }
        }
        let Some((found, planning)) = best else {
            return nothing(&format!("{} {} runs nothing faster", target.title, target.version));
        };
        let seconds = found.seconds();
        if !is_faster(seconds, step) {
            return nothing(&format!("{runs} takes {seconds}"));
        }
        let (_, plan) = found.plan_file(planning)?;
        match self.changes(plan.as_ref(), way)? {
            Changes::Settings(settings, notes, _) => Ok(Changes::Settings(settings, notes, Some(seconds))),
            changes => Ok(changes),
        }
    }

    /// What a step of a job that was written of a plan takes, if that is not what was planned.
    fn priced(&self, plan: &PlanFile, config: &Source, written: &Export) -> Outcome<Option<Seconds>> {
        let Some(machine) = &self.planning.machine else { return Ok(None) };
        let machine = input::machine(machine)?;
        let terminal = Terminal::plain();
        let price = Nearest::of(plan, config, &machine, written, &terminal);
        terminal.wipe();
        let price = price.map_err(|error| planning::failure(error, config, None))?;
        Ok(price.filter(|price| !price.is_as_planned()).and_then(|price| price.seconds()))
    }

    /// Errors: what is no job file, or says what it cannot mean.
    fn read(planning: &Planning, path: &Path) -> Outcome<Self> {
        let mut source = input::text(path, "job file")?;
        let Some(machine) = &planning.machine else {
            return Err(Failure::usage(
                "`--from`: a job file says nothing of links: give the machine with `--machine`",
            ));
        };
        let devices = input::machine(machine)?.num_devices();
        let name_of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut name = name_of(path);
        let mut notes = Vec::new();
        let mut path = path.to_owned();
        // A script may name a file that names another one.
        while let Some(file) =
            beside(&name, &source.text, devices).map_err(|problem| at_fault(&source, problem))?
        {
            path = path.with_file_name("").join(&file);
            if !path.is_file() {
                let message =
                    format!("it starts the job of `{file}`, and there is no such file ({})", path.display());
                return Err(at_fault(&source, Problem::Other(message)));
            }
            notes.push(format!("this is the job that `{}` starts", source.name));
            (source, name) = (input::text(&path, "job file")?, name_of(&path));
        }
        // What comes from stdin can be read only once.
        let text = match planning.model != Path::new("-") {
            true => Some(program::text(&planning.model)?),
            false => None,
        };
        let around = Around { devices, layers: text.as_ref().and_then(layers_of_config) };
        let found = read(&name, &source.text, around).map_err(|problem| at_fault(&source, problem))?;
        if let Some(config) = text.as_ref().filter(|text| program::is_config(text)) {
            found.same_model(config).map_err(|problem| at_fault(&source, problem))?;
        }
        let has_open_length = text.as_ref().is_some_and(has_open_length);
        let is_of_config = text.as_ref().is_some_and(program::is_config);
        let found = if is_of_config || text.is_none() { found } else { found.beside_program() };
        let other = |message: String| at_fault(&source, Problem::Other(message));
        let said = found.degrees.to_string().parse().map_err(|refusal| other(format!("{refusal}")))?;
        notes.extend(aside::notes(planning, &found));
        let mut planning = Planning { degrees: planning.degrees.with(said), ..planning.clone() };
        match text.filter(|_| planning.step.given().is_empty()) {
            Some(text) if !program::is_config(&text) => step::must_be_of_batch(&text, &name, &found)?,
            None if planning.step.given().is_empty() => {}
            _ => step::fill_in(&mut planning.step, &name, &found)?,
        }
        let given = |what: &Unsaid| match what {
            Unsaid::Sequence => planning.step.seq.is_some() || !has_open_length,
            Unsaid::Microbatches => planning.fitting.says_microbatches(),
            Unsaid::Recompute => !planning.fitting.recompute.is_empty(),
        };
        let unsaid = found.unsaid();
        let unsaid = unsaid.iter().filter(|what| !given(what)).map(|what| what.note(flag(*what)));
        let unsaid: Vec<String> = unsaid.collect();
        notes.extend(found.notes);
        notes.extend(unsaid);
        let Found { degrees, microbatches, recompute, stages, schedule, has_fp8, .. } = found;
        if !planning.fitting.says_microbatches() {
            planning.fitting.microbatches.extend(microbatches.map(Microbatches::Number));
        }
        if planning.fitting.recompute.is_empty() {
            planning
                .fitting
                .recompute
                .extend(recompute.map(|level| level.name().parse::<OneOf>()).transpose().ok().flatten());
        }
        Ok(Self {
            planning,
            is_of_config,
            groups: degrees.pp,
            virtual_stages: degrees.vp,
            stages,
            schedule,
            around,
            has_fp8,
            notes,
            source,
        })
    }
}

/// What the caller says instead of a file.
fn flag(unsaid: Unsaid) -> &'static str {
    match unsaid {
        Unsaid::Sequence => "--seq",
        Unsaid::Microbatches => "--microbatches",
        Unsaid::Recompute => "--recompute",
    }
}

/// Layers of the decoder in a configuration; none where it is another text.
pub fn layers_of_config(text: &Source) -> Option<usize> {
    match architecture(text)? {
        Architecture::Decoder(decoder) => Some(decoder.layers.len()),
        _ => None,
    }
}

/// Returns whether somebody has to say how long the sequences of a configuration's model are.
pub fn has_open_length(text: &Source) -> bool {
    architecture(text).is_some_and(|model| model.length().is_none())
}

fn architecture(text: &Source) -> Option<Architecture> {
    let options = meshwright_models::Options { sequence: Some(1), ..meshwright_models::Options::default() };
    let model = program::is_config(text).then(|| meshwright_models::read(text, &options).ok())??;
    Some(model.architecture)
}

fn at_fault(source: &Source, problem: Problem) -> Failure {
    Failure::input(source, vec![problem.diagnostic(&source.text)])
}
