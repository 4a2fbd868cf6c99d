//! `meshwright check`: plans and partitions, runs the partitioned and the undistributed program, and compares every
//! output.

use crate::args::{CheckArguments, FloatPrecision, MemoryLimits, Output, Planning};
use crate::best::{self, Best};
use crate::failure::{Failure, Outcome, warn};
use crate::meaning::LocalStatistics;
use crate::plan_table::{Rows, text, without_numbers};
use crate::table::{Lean, narrowed, render};
use crate::terminal::Terminal;
use crate::vocabularies::Vocabularies;
use crate::{arrays, interrupt, memory, output, pipeline, planning, plural, twin, weights};
use meshwright_analyze::names;
use meshwright_compile::{Compiled, Pipelined, TWIN_TOLERANCE, Twin};
use meshwright_execute::{
    CheckOptions, OutputCheck, Suiting, UnknownKernel, Verdict, check, draw_each, footprint, replaced,
    suiting, unknown_kernels,
};
use meshwright_ir::diagnostic::{Check, Source};
use meshwright_ir::program::{Function, Program};
use meshwright_machine::Bytes;
use meshwright_plan::plan_file::PlanModel;
use meshwright_plan::{DevicePrograms, PlanFile};
use meshwright_present::drawn::{Drawn, DrawnRange};
use meshwright_present::shape;
use meshwright_present::wrap::wrap;
use meshwright_tensor::{NonFinite, Precision, Tensor};
use serde::Serialize;
use std::collections::BTreeMap;

/// A plan does not fit, of which a twin does.
const MEMORY: Check = Check("does-not-fit");

/// More memory than any plan takes.
const ANY_MEMORY: Bytes = Bytes(1 << 60);

/// More outputs than this are grouped, unless all are asked for.
const MOST_ROWS: usize = 40;

/// So many outputs are named of which something is said.
const MOST_NAMED: usize = 5;

pub(crate) fn run(arguments: &CheckArguments, out: Output) -> Outcome {
    arrays::must_be_there(arguments.inputs.as_deref())?;
    weights::must_be_there(arguments.checkpoint.weights.as_deref())?;
    let rows = if arguments.full { Rows::All } else { Rows::Grouped };
    let Some(mut subject) = Subject::of(arguments, rows, out)? else { return Ok(()) };
    // The plan may be all that the user gets, or has to wait for what follows.
    if !out.json {
        output::print(&subject.local.as_ref().map_or_else(String::new, LocalStatistics::head))?;
        output::print(&subject.text)?;
    }
    let precision = if arguments.shrink { Precision::Wide } else { arrays::precision(arguments.numbers) };
    enough_memory(&subject, precision, out)?;
    let suiting = numbers(arguments, &subject.program);
    let inputs = inputs(arguments, &subject, &suiting)?;
    let drawn = Drawn::new(&suiting, &names::of_arguments(&subject.function));
    if !out.json {
        output::print(&drawn.text())?;
    }
    let mut options = CheckOptions::new(precision, &subject.program);
    options.replaced = replaced(&subject.function);
    // To tell rounding, both may have to run in f64.
    let wide = footprint::of_check(subject.whole(), &subject.programs, Precision::Wide);
    options.tells_rounding = memory::shortage(wide).is_none();
    if arguments.shrink {
        options.tolerance = TWIN_TOLERANCE;
    }
    if let Some(tolerance) = arguments.tolerance {
        options.tolerance = tolerance;
        options.tells_rounding = false;
    }
    if arguments.allow_nonfinite {
        options.nonfinite = NonFinite::ByPosition;
    }
    let terminal = Terminal::plain().listening();
    let outputs = check(subject.whole(), &subject.programs, &inputs, &options, &terminal);
    let outputs = outputs.and_then(|outputs| {
        let local = subject.local.as_mut();
        local.map_or(Ok(()), |local| local.compare(&subject.program, &inputs, precision, &terminal))?;
        Ok(outputs)
    });
    terminal.wipe();
    if outputs.is_err() && interrupt::asked() {
        return Err(Failure::stopped("the programs were not compared"));
    }
    let outputs = outputs.map_err(|error| arrays::failure(&error, &subject.source))?;
    let mut result_names = names::of_results(&subject.function);
    if result_names.len() != outputs.len() {
        // Members of tuples have no names.
        result_names = vec![None; outputs.len()];
    }
    let records: Vec<OutputRecord> = outputs
        .iter()
        .zip(&result_names)
        .enumerate()
        .map(|(index, (output, name))| OutputRecord::of(index, name.clone(), output))
        .collect();
    let passes = records.iter().all(|record| record.passes);
    let unknown = unknown_kernels(&subject.program);
    if out.json {
        let not_checked = unknown.iter().map(|kernel| (kernel.name.as_str(), kernel.calls)).collect();
        let report = Report {
            local_statistics: subject.local.as_ref(),
            twin: subject.twin.as_ref(),
            plan: &subject.plan,
            tolerance: options.tolerance,
            outputs: &records,
            agrees: passes,
            drawn: &drawn.0,
            not_checked,
        };
        output::print(&output::json(&report))?;
    } else {
        output::print(&outputs_text(&records, options.tolerance, rows))?;
        if precision == Precision::Wide {
            output::print(&hidden(&records))?;
        }
        output::print(&subject.local.as_ref().map_or_else(String::new, |local| local.text(&result_names)))?;
        output::print(&not_checked(&unknown))?;
        output::print(&advice(&records, arguments, &options))?;
    }
    if passes { Ok(()) } else { Err(Failure::No) }
}

/// What is checked, and how it is told.
struct Subject {
    source: Source,
    /// The plan as text, and as JSON.
    text: String,
    plan: Plan,
    program: Program,
    /// Its entry function with all calls inlined.
    function: Function,
    programs: DevicePrograms,
    /// What the program was made of, where that was a configuration.
    model: Option<PlanModel>,
    /// Where devices are compared with another program.
    local: Option<LocalStatistics>,
    /// The twin that is checked in the program's place.
    twin: Option<serde_json::Value>,
}

/// A plan as JSON.
#[derive(Serialize)]
#[serde(untagged)]
enum Plan {
    OfStep(Box<PlanFile>),
    OfPipeline(serde_json::Value),
}

impl Subject {
    /// Plans as the flags say; nothing if they say to stop before the end.
    fn of(arguments: &CheckArguments, rows: Rows, out: Output) -> Outcome<Option<Self>> {
        let (planning, no_machine) = (&arguments.planning, planning::NoMachine::DevicesOfMesh);
        let paths = (arguments.plan.as_deref(), None);
        // A twin is of what is asked for.
        let compile = if arguments.shrink { best::as_asked } else { best::compile };
        let compiled = |planning: &Planning| compile(planning, &arguments.pipeline, no_machine, paths, out);
        let compiled = match compiled(planning) {
            // A twin is small, whatever the plan takes.
            Err(failure) if arguments.shrink && planning.memory_limit.is_none() && failure.is_refusal() => {
                let memory_limit = Some(MemoryLimits::Each(vec![ANY_MEMORY]));
                let Ok(found) = compiled(&Planning { memory_limit, ..planning.clone() }) else {
                    return Err(failure);
                };
                let said = failure.into_diagnostics().into_iter().next().map(|own| own.message);
                let said = said.unwrap_or_default();
                let message = format!("{said}: the twin is that of a plan for devices with memory enough");
                warn(MEMORY, message, None, out);
                found
            }
            compiled => compiled?,
        };
        compiled.warn_of_numbers(out);
        let planned = match compiled {
            Best::Stopped => return Ok(None),
            Best::Stages(planned) => {
                planning::must_be_finished(&planned.pipelined.plan)?;
                let (text, plan) = (pipeline::text(&planned), Plan::OfPipeline(pipeline::json(&planned)));
                if arguments.shrink {
                    return Self::of_pipeline_twin(&planned, text, plan, rows).map(Some);
                }
                let pipeline::Planned { source, pipelined, .. } = *planned;
                let Pipelined { program, function, programs, plan: PlanFile { model, .. }, .. } = pipelined;
                return Ok(Some(Self {
                    source,
                    text,
                    plan,
                    program,
                    function,
                    programs,
                    model,
                    local: None,
                    twin: None,
                }));
            }
            Best::Whole(planned) => *planned,
        };
        planned.must_be_finished()?;
        let text = text(&planned.compiled.plan, &planned.source.name, &planned.machine.spec(), rows);
        if arguments.shrink {
            return Self::of_twin(planned, text, rows).map(Some);
        }
        let planning::Planned { source, compiled, .. } = planned;
        let local = LocalStatistics::of(&compiled, &planning.fitting)?;
        let Compiled { program, function, programs, plan, .. } = compiled;
        let model = plan.model.clone();
        let plan = Plan::OfStep(Box::new(plan));
        Ok(Some(Self { source, text, plan, program, function, programs, model, local, twin: None }))
    }

    /// The small twin of what was planned; `text` is the plan.
    fn of_twin(planned: planning::Planned, text: String, rows: Rows) -> Outcome<Self> {
        let twin = twin::of(&planned)?;
        let planning::Planned { source, compiled, .. } = planned;
        let text = text + &twin::text(&twin, rows);
        let said = Some(twin::json(&twin));
        let Twin { program, function, programs, .. } = twin;
        let plan = Plan::OfStep(Box::new(compiled.plan));
        Ok(Self { source, text, plan, program, function, programs, model: None, local: None, twin: said })
    }

    /// The small twin of a pipeline.
    fn of_pipeline_twin(planned: &pipeline::Planned, text: String, plan: Plan, rows: Rows) -> Outcome<Self> {
        let twin = twin::of_pipeline(planned)?;
        let (source, text) = (planned.source.clone(), text + &twin::text(&twin, rows));
        let said = Some(twin::json(&twin));
        let Twin { program, function, programs, .. } = twin;
        Ok(Self { source, text, plan, program, function, programs, model: None, local: None, twin: said })
    }

    /// The program that devices compute together, undistributed.
    fn whole(&self) -> &Program {
        self.local.as_ref().map_or(&self.program, |local| &local.whole)
    }
}

/// Refuses to run what this host does not have the memory for. As JSON, stdout still gets the plan.
fn enough_memory(subject: &Subject, precision: Precision, out: Output) -> Outcome {
    let needed = footprint::of_check(subject.whole(), &subject.programs, precision);
    let Some(shortage) = memory::shortage(needed) else { return Ok(()) };
    if out.json {
        let report = NotRun {
            plan: &subject.plan,
            ran: false,
            needed_bytes: shortage.needed.0,
            available_bytes: shortage.available.0,
        };
        output::print(&output::json(&report))?;
    }
    Err(shortage.failure("running the program whole and on every device", &subject.source))
}

/// The result of `check --json` for a program that this host cannot run.
#[derive(Serialize)]
struct NotRun<'a> {
    plan: &'a Plan,
    ran: bool,
    needed_bytes: u64,
    available_bytes: u64,
}

/// The arguments to run on: those given, or drawn.
fn inputs(
    arguments: &CheckArguments,
    subject: &Subject,
    suiting: &[Option<Suiting>],
) -> Outcome<Vec<Tensor>> {
    let function = &subject.function;
    let types = arrays::argument_types(function);
    let drawn = || {
        draw_each(&types, arguments.seed, suiting)
            .map_err(|error| arrays::failure(&error.into(), &subject.source))
    };
    let all = arrays::arguments(function);
    let inputs = match (&arguments.checkpoint.weights, &arguments.inputs) {
        (None, path @ Some(_)) => arrays::read_all(path.as_deref(), function)?,
        (None, None) => drawn()?,
        (Some(folder), Some(path)) => weights::all_arguments(folder, &all, Some(path))?,
        (Some(folder), None) => {
            let given = weights::arguments(folder, &all)?;
            given.into_iter().zip(drawn()?).map(|(given, drawn)| given.unwrap_or(drawn)).collect()
        }
    };
    if let Some(path) = &arguments.inputs {
        let weights = arguments.checkpoint.weights.as_deref();
        Vocabularies::of(subject.model.as_ref(), weights, &all).must_have_all(&inputs, path)?;
    }
    Ok(inputs)
}

/// The numbers to draw: integers as asked for, all others as suits the program. Nothing if none are drawn.
fn numbers(arguments: &CheckArguments, program: &Program) -> Vec<Option<Suiting>> {
    let mut suiting = if arguments.inputs.is_none() { suiting(program) } else { Vec::new() };
    if let Some(asked) = &arguments.int_range {
        Suiting::ask(&mut suiting, asked);
    }
    suiting
}

/// The result of `check --json`.
#[derive(Serialize)]
struct Report<'a> {
    /// Where the devices were compared with the step with statistics of each microbatch by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    local_statistics: Option<&'a LocalStatistics>,
    /// The twin that was checked in the program's place.
    #[serde(skip_serializing_if = "Option::is_none")]
    twin: Option<&'a serde_json::Value>,
    plan: &'a Plan,
    tolerance: f64,
    outputs: &'a [OutputRecord],
    agrees: bool,
    /// From where integers were drawn.
    drawn: &'a [DrawnRange],
    /// Calls of kernels without a reference, by name.
    not_checked: BTreeMap<&'a str, usize>,
}

/// What was left out: kernels that constants stood in for.
fn not_checked(unknown: &[UnknownKernel]) -> String {
    if unknown.is_empty() {
        return String::new();
    }
    let calls: usize = unknown.iter().map(|kernel| kernel.calls).sum();
    let names: Vec<String> =
        unknown.iter().map(|kernel| format!("@{} ({})", kernel.name, kernel.calls)).collect();
    let text = format!(
        "Not checked: {}, for which there is no reference: {}. Constants stood in for their results.",
        plural::count(calls, "op"),
        names.join(", ")
    );
    wrap("", &text)
}

/// How one output compares.
#[derive(Clone, Serialize)]
struct OutputRecord {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    shape: Vec<usize>,
    element: String,
    /// JSON has no infinity: `null` then.
    max_abs_error: f64,
    max_rel_error: f64,
    /// The argument that it replaces, the largest change of that, and the error relative to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_change: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_error_of_change: Option<f64>,
    /// Rounding hides an error of one percent of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    change_hidden_by_rounding: Option<bool>,
    num_nonfinite: usize,
    #[serde(serialize_with = "as_words")]
    verdict: Verdict,
    passes: bool,
}

impl OutputRecord {
    fn of(index: usize, name: Option<String>, output: &OutputCheck) -> Self {
        Self {
            index,
            name,
            shape: output.ty.shape.clone(),
            element: output.ty.element.to_string(),
            max_abs_error: output.difference.max_abs,
            max_rel_error: output.difference.max_rel,
            replaces: output.change.map(|change| change.argument),
            max_change: output.change.map(|change| change.largest),
            max_error_of_change: output.change.map(|change| change.max_rel),
            change_hidden_by_rounding: output.change.map(|change| change.is_hidden),
            num_nonfinite: output.difference.num_nonfinite,
            verdict: output.verdict,
            passes: output.verdict.passes(),
        }
    }
}

impl OutputRecord {
    /// Its largest relative error: beside what it is, or beside what changes of the argument that it replaces.
    fn worst(&self) -> f64 {
        self.max_rel_error.max(self.max_error_of_change.unwrap_or(0.0))
    }
}

/// The outputs of which f64 proves little: what the step adds is lost in what is there.
fn hidden(records: &[OutputRecord]) -> String {
    let hidden: Vec<&OutputRecord> =
        records.iter().filter(|record| record.change_hidden_by_rounding == Some(true)).collect();
    let name =
        |record: &&OutputRecord| record.name.clone().unwrap_or_else(|| format!("output {}", record.index));
    let mut names: Vec<String> = hidden.iter().take(MOST_NAMED).map(name).collect();
    if hidden.is_empty() {
        return String::new();
    }
    if hidden.len() > names.len() {
        names.push(format!("{} more", hidden.len() - names.len()));
    }
    let text = format!(
        "Of {} the change is so small beside what is there that rounding hides an error of one percent of it: {}.",
        plural::count(hidden.len(), "output"),
        names.join(", ")
    );
    wrap("", &text)
}

/// What to try when outputs do not agree.
fn advice(records: &[OutputRecord], arguments: &CheckArguments, options: &CheckOptions) -> String {
    let mut advice = String::new();
    if records.iter().any(|record| record.num_nonfinite > 0 && !record.passes) {
        let hint = match arguments.inputs {
            Some(_) => ": `--allow-nonfinite` compares them position by position.",
            None => {
                "; drawn numbers may not suit it: give `--inputs FILE`, a narrower `--int-range`, or \
                 `--allow-nonfinite`, which compares them position by position."
            }
        };
        advice +=
            &wrap("", &format!("The undistributed program computes NaN or infinity on these inputs{hint}"));
    }
    // Rounding is told by a run of both in f64.
    let says_more = !options.tells_rounding
        && !arguments.shrink
        && arguments.numbers.precision == FloatPrecision::Declared;
    if says_more && records.iter().any(|record| record.verdict == Verdict::Differs) {
        advice += "`--precision f64` tells a wrong program from one that rounds in another order.\n";
    }
    advice
}

fn as_words<S: serde::Serializer>(verdict: &Verdict, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(verdict.words())
}

fn outputs_text(records: &[OutputRecord], tolerance: f64, rows: Rows) -> String {
    let head = [
        ("output", Lean::Right),
        ("name", Lean::Left),
        ("shape", Lean::Left),
        ("element", Lean::Left),
        ("max abs error", Lean::Right),
        ("max rel error", Lean::Right),
        ("of the change", Lean::Right),
        ("", Lean::Left),
    ];
    let table = render(&head, &narrowed(&head, output_rows(records, rows), &[(1, 16)]));
    let told = records.iter().filter(|record| record.verdict == Verdict::Agrees || !record.passes);
    let worst = told.map(OutputRecord::worst).max_by(f64::total_cmp);
    let failing = records.iter().filter(|record| !record.passes).count();
    let told_apart = |verdict: Verdict, what: &str| match records
        .iter()
        .filter(|record| record.verdict == verdict)
        .count()
    {
        0 => String::new(),
        count => format!("; {count} {what}"),
    };
    let rounding = told_apart(Verdict::Rounding, "nothing but rounding")
        + &told_apart(Verdict::AgreesWide, "only in f64, so that the difference is rounding");
    let verdict = match failing {
        0 if records.is_empty() => "The program has no outputs.".to_owned(),
        0 => format!(
            "{} with the undistributed program within {tolerance:e} (largest relative error {:.1e}){rounding}.",
            if records.len() == 1 {
                "The output agrees".to_owned()
            } else {
                format!("All {} outputs agree", records.len())
            },
            worst.unwrap_or(0.0),
        ),
        _ => format!(
            "{failing} of {} do NOT agree with the undistributed program within {tolerance:e}.",
            plural::count(records.len(), "output")
        ),
    };
    format!("\n{table}\n{}", wrap("", &verdict))
}

/// A row per output; if there are many, one per group of outputs that agree and are alike but for numbers in their
/// names, with the group's largest errors.
fn output_rows(records: &[OutputRecord], rows: Rows) -> Vec<Vec<String>> {
    let grouped = rows == Rows::Grouped && records.len() > MOST_ROWS;
    let mut groups: Vec<(usize, OutputRecord)> = Vec::new();
    for record in records {
        let mut group = record.clone();
        if grouped && record.passes {
            group.name = record.name.as_deref().map(without_numbers);
        }
        let alike = |(_, other): &&mut (usize, OutputRecord)| {
            grouped
                && other.passes
                && record.verdict == other.verdict
                && other.name == group.name
                && other.shape == group.shape
                && other.element == group.element
        };
        match groups.iter_mut().find(alike) {
            Some((count, other)) => {
                *count += 1;
                other.max_abs_error = other.max_abs_error.max(record.max_abs_error);
                other.max_rel_error = other.max_rel_error.max(record.max_rel_error);
                other.max_error_of_change =
                    other.max_error_of_change.into_iter().chain(record.max_error_of_change).reduce(f64::max);
            }
            None => groups.push((1, group)),
        }
    }
    let error = |record: &OutputRecord, error: f64| match record.verdict {
        Verdict::NotCompared => "-".to_owned(),
        _ => format!("{error:.1e}"),
    };
    let row = |(count, record): &(usize, OutputRecord)| {
        vec![
            if *count == 1 { record.index.to_string() } else { format!("{count} of them") },
            if *count == 1 { records[record.index].name.clone() } else { record.name.clone() }
                .unwrap_or_default(),
            shape(&record.shape),
            record.element.clone(),
            error(record, record.max_abs_error),
            error(record, record.max_rel_error),
            record.max_error_of_change.map_or_else(String::new, |of_change| error(record, of_change)),
            match record.verdict {
                Verdict::Agrees => String::new(),
                verdict if verdict.passes() => verdict.words().to_owned(),
                verdict => verdict.words().to_uppercase(),
            },
        ]
    };
    groups.iter().map(row).collect()
}
