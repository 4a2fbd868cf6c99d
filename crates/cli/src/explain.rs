//! `meshwright explain`: where a value's sharding came from, where shardings are at odds, and what the partitioned
//! program sends.

use crate::args::{ExplainArguments, Output};
use crate::failure::{Failure, Outcome};
use crate::program::Given;
use crate::{input, output, planning, program};
use meshwright_compile::explanation::{Conflict, Question};
use meshwright_compile::{NamedValue, Options, Sent};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_models::ScanForm;
use meshwright_plan::PlanFile;
use meshwright_present::{explanation, fates};
use serde_json::{Value, json};

pub(crate) fn run(arguments: &ExplainArguments, out: Output) -> Outcome {
    let plan = arguments.plan.as_deref().map(|plan| input::text(plan, "plan")).transpose()?;
    let planned = plan.as_ref().map(planning::read_plan).transpose()?;
    let model = planned.as_ref().and_then(|plan| plan.model.as_ref());
    let Given { source, program, .. } =
        program::read(&arguments.input, None, &arguments.step, model, ScanForm::WrittenOut, out)?;
    let asked = match (&arguments.value, arguments.arg) {
        (Some(name), _) => {
            let found = meshwright_compile::named_value(&source, &program, name);
            Some(found.map_err(|why| Failure::usage(format!("`--value {name}`: {why}")))?)
        }
        (None, Some(index)) => Some(Question::Argument(index).into()),
        (None, None) => None,
    };
    if let Some(plan) = plan.zip(planned) {
        let what = "`--plan` says what becomes of a value: give it with `--value` or `--arg`";
        return fates_of(&program, &source, &plan, &asked.ok_or_else(|| Failure::usage(what))?, out);
    }
    let Some(NamedValue { question, .. }) = asked else {
        let found = meshwright_compile::conflicts(&program, &program);
        let found = found.map_err(|error| planning::failure(error, &source, None))?;
        return conflicts(&source, &found, &sent(&program), arguments.full, out);
    };
    let found = meshwright_compile::explain(&program, &program, question);
    match found.map_err(|error| planning::failure(error, &source, None))? {
        Some(found) if out.json => output::print(&output::json(&explanation::to_json(&source, &found))),
        Some(found) => output::print(&explanation::text(&source, &found)),
        None => Err(Failure::usage(match question {
            Question::Argument(index) => no_argument(&program, index),
            Question::Value(span, _) if !span.is_some() => {
                "the text does not have this value, which a pass makes: give `--plan` to ask what becomes of it".into()
            }
            Question::Value(..) => {
                "propagation does not see this value: constants are copied for each reader".into()
            }
        })),
    }
}

/// What a plan does with a value.
fn fates_of(
    program: &Program,
    source: &Source,
    (plan, planned): &(Source, PlanFile),
    asked: &NamedValue,
    out: Output,
) -> Outcome {
    let found = meshwright_compile::fates(program, planned, asked);
    let found = found.map_err(|error| planning::failure(error, source, Some(plan)))?;
    if out.json {
        let rows: Vec<Value> = found.iter().map(fates::to_json).collect();
        return output::print(&output::json(&json!({ "fates": rows })));
    }
    output::print(&fates::text(&found))
}

fn no_argument(program: &Program, index: usize) -> String {
    let count = program.main().map_or(0, |main| main.args().len());
    let has = match count {
        0 => "it has none".to_owned(),
        1 => "it has one, `--arg 0`".to_owned(),
        count => format!("it has {count}, `--arg 0` to `--arg {}`", count - 1),
    };
    format!("the program has no argument {index}: {has}")
}

/// What the partitioned program sends; `None` if it cannot be partitioned as it is (for want of a mesh, say).
fn sent(program: &Program) -> Option<Vec<Sent>> {
    let device = meshwright_compile::partition(program, &Options::default(), &Quiet).ok()?;
    Some(meshwright_compile::sent(&device))
}

fn conflicts(
    source: &Source,
    found: &[Conflict],
    sent: &Option<Vec<Sent>>,
    full: bool,
    out: Output,
) -> Outcome {
    if out.json {
        let list: Vec<Value> =
            found.iter().map(|conflict| explanation::conflict_json(source, conflict)).collect();
        let sent = sent
            .as_ref()
            .map(|sent| sent.iter().map(|sent| explanation::sent_json(source, sent)).collect::<Vec<Value>>());
        return output::print(&output::json(&json!({ "conflicts": list, "communication": sent })));
    }
    let sent = sent.as_ref().map_or(String::new(), |sent| explanation::communication(source, sent));
    output::print(&(explanation::conflicts(source, found, full) + &sent))
}
