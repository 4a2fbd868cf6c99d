//! The job of a plan and of the configuration that it was made of.
//!
//! Input: a plan file, and perhaps a `config.json`, which has to be that of the model that was planned. Output: a [`Job`]
//! with the sizes of that model. What is wrong is told of the file that is at fault ([`Fault`]).

use crate::job::{self, Job};
use crate::model::{Model, NoSizes};
use crate::{Export, Gap, Target};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_models::{Batch, LayerForm, Options};
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::PlanTensor;

/// A plan or a configuration is none that can be exported, or a target cannot run a plan as it is.
pub const EXPORT: Check = Check("export");

/// A fault, by the file that is at fault.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The plan.
    Plan(Diagnostic),
    /// The configuration.
    Config(Diagnostic),
}

/// The configuration that a plan keeps of its model, where it was made of one.
pub fn config(plan: &PlanFile, plan_name: &str) -> Option<Source> {
    let text = plan.model.as_ref()?.config.as_ref()?;
    Some(Source::new(format!("configuration in {plan_name}"), text.as_str()))
}

/// The job of a plan; `config` is the text of the model's configuration, `plan_name` what messages call the plan.
///
/// # Errors
/// A plan without a batch of sequences, or that contradicts itself; a configuration that is none, or that of another model.
pub fn job(plan: &PlanFile, plan_name: &str, config: Option<&Source>) -> Result<Job, Fault> {
    let plan = &with_stacks(plan);
    agrees_on_zero(plan).map_err(Fault::Plan)?;
    let sizes = config.map(|config| sizes(plan, plan_name, config)).transpose().map_err(Fault::Config)?;
    Job::read(plan, sizes).map_err(|message| {
        let diagnostic = Diagnostic::error(EXPORT, Span::NONE, message);
        Fault::Plan(diagnostic.hint("plan a training step of a language model, `[batch, tokens]`"))
    })
}

/// Refuses a plan whose degrees were changed by hand: its own words say another stage of ZeRO.
fn agrees_on_zero(plan: &PlanFile) -> Result<(), Diagnostic> {
    let whole = plan.parallelism.iter().filter(|part| !part.contains(" for "));
    let stage = whole.filter_map(|part| part.strip_prefix("ZeRO-")?.chars().next()?.to_digit(10)).max();
    let Some(stage) = stage.filter(|stage| *stage as usize != plan.degrees.zero) else { return Ok(()) };
    let message = format!(
        "the plan contradicts itself: `degrees` say zero={}, and `parallelism` says ZeRO-{stage}",
        plan.degrees.zero
    );
    let hint = "degrees follow from the shardings of a plan: plan again with others (`--zero`)";
    Err(Diagnostic::error(EXPORT, Span::NONE, message).hint(hint))
}

/// The sizes of the model in a configuration, or why it has none that frameworks know.
fn sizes(plan: &PlanFile, plan_name: &str, config: &Source) -> Result<Result<Model, NoSizes>, Diagnostic> {
    let [batch, sequence] = job::batch(plan).unwrap_or([1, 1]);
    let has_stacks =
        plan.arguments.iter().any(|argument| argument.name.as_deref().is_some_and(|name| name.contains('{')));
    let options = Options {
        sequence: Some(sequence),
        batch: Batch::Sequences(batch),
        layers: if has_stacks { LayerForm::Loop } else { LayerForm::WrittenOut },
        ..Options::default()
    };
    let model = meshwright_models::read(config, &options)?;
    job::same_model(plan, &model).map_err(|message| {
        Diagnostic::error(EXPORT, Span::NONE, message)
            .hint(format!("give the configuration of the model that `{plan_name}` is a plan of"))
    })?;
    Ok(Model::read(&model))
}

/// Refuses what a target cannot run.
pub fn refusal(target: &Target, gap: &Gap) -> Diagnostic {
    let message = format!("{} {} cannot run the plan: {gap}", target.title, target.version);
    let search = format!("`plan --for {}` searches among what it runs", target.name);
    let hint = match gap.instead {
        Some(_) => format!("`--nearest` writes what is nearest; {search}"),
        None => "plan again with what it can run, or export to another target (`--to list`)".to_owned(),
    };
    Diagnostic::error(EXPORT, Span::NONE, message).hint(hint)
}

/// Says what was written instead of what was planned, for warnings.
pub fn changes<'a>(written: &'a Export, target: &'a Target) -> impl Iterator<Item = String> + 'a {
    written.changes.iter().map(|change| format!("{} cannot run this as planned: {change}", target.title))
}

/// The plan of a pipeline with the layers of each stack as one argument again, and one result: `w[0]`, `w[1]` are `w`.
fn with_stacks(plan: &PlanFile) -> PlanFile {
    let [arguments, results] = [&plan.arguments, &plan.results].map(|tensors| stacked(tensors));
    PlanFile { arguments, results, ..plan.clone() }
}

fn stacked(tensors: &[PlanTensor]) -> Vec<PlanTensor> {
    let mut all: Vec<PlanTensor> = Vec::with_capacity(tensors.len());
    for tensor in tensors {
        let name = tensor.name.as_deref().and_then(|name| name.strip_suffix(']')?.rsplit_once('['));
        let layer = name.and_then(|(stack, layer)| Some((stack, layer.parse::<usize>().ok()?)));
        let Some((stack, layer)) = layer.filter(|_| tensor.shape.first() == Some(&1)) else {
            all.push(PlanTensor { index: all.len(), ..tensor.clone() });
            continue;
        };
        match all.last_mut().filter(|last| last.name.as_deref() == Some(stack)) {
            Some(last) if last.shape[0] == layer => {
                last.shape[0] += 1;
                last.bytes_per_device += tensor.bytes_per_device;
            }
            _ => {
                let name = Some(stack.to_owned());
                all.push(PlanTensor { index: all.len(), name, ..tensor.clone() });
            }
        }
    }
    all
}
