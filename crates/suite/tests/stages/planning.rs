//! Stages on predictions: `plan` searches, `estimate` and `memory` price an annotated program of which nothing is searched.
//!
//! `plan` prints the mesh and what the plan amounts to, its seconds as they were searched, its bytes, and by how much it may
//! be slower than the best; microbatches and what lies on hosts, if there are any. `estimate` prints seconds of compute, and of communication by kind and by level of the machine.
//! `memory` prints the peak of a device, where it is, and what lives there. `machine=h100:1x8` says for what; `memory=1000`
//! limits the bytes that a plan may use, `as=dp:2,tp:4` prices a way of one's own beside it.

use meshwright_compile::{CompileError, Options, Search};
use meshwright_cost::{Analysis, Estimate, Lowering, estimate};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::{Diagnostics, Source};
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::plan_file::{HostMemory, HostPart};
use meshwright_plan::{Placement, PlanFile};
use meshwright_suite::{Finding, Input, Outcome};

use super::annotated::Annotated;
use super::findings;

/// So many of the tensors at the peak are printed.
const LARGEST: usize = 6;

pub(crate) fn plan(input: &Input) -> Outcome {
    outcome(planned(input))
}

pub(crate) fn predict(input: &Input) -> Outcome {
    outcome(on_annotated(input, |machine, _, _, estimate| time_lines(machine, estimate)))
}

pub(crate) fn memory(input: &Input) -> Outcome {
    outcome(on_annotated(input, |_, source, function, estimate| memory_lines(source, function, estimate)))
}

fn outcome(lines: Result<Vec<String>, Vec<Finding>>) -> Outcome {
    lines.map_or_else(Outcome::findings, |lines| Outcome::output(lines.join("\n")))
}

fn machine(input: &Input) -> Machine {
    let spec = input.option("machine").expect("a test of predictions names a machine");
    Machine::from_spec(spec).unwrap_or_else(|error| panic!("{error}"))
}

fn planned(input: &Input) -> Result<Vec<String>, Vec<Finding>> {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let program = meshwright_compile::read(&source).map_err(|problems| findings(&source, problems))?;
    let memory_limit = input.option("memory").map(|bytes| Bytes(bytes.parse().expect("a number of bytes")));
    let asked = input.option("as").map(|degrees| degrees.replace(':', "=").parse().expect("degrees"));
    let options = Options { search: Some(Search::Rest), memory_limit, asked, ..Options::default() };
    let compiled = meshwright_compile::compile(&program, &source, &machine(input), &options, &Quiet);
    let of_program = |problems: Diagnostics| findings(&source, problems);
    match compiled {
        Ok(compiled) => Ok(plan_lines(&compiled.plan)),
        Err(CompileError::Diagnostics(problems)) => Err(of_program(problems)),
        Err(CompileError::Options(problem) | CompileError::NotAllowed(problem)) => {
            Err(of_program(vec![*problem]))
        }
        Err(CompileError::DoesNotFit(problem)) => Ok(vec![format!(
            "does not fit: {} of {} on the plan that needs least",
            problem.peak, problem.limit
        )]),
        Err(other) => panic!("{other}"),
    }
}

fn plan_lines(plan: &PlanFile) -> Vec<String> {
    let axes: Vec<String> = plan.mesh.iter().map(|axis| format!("{}={}", axis.name, axis.size)).collect();
    let seconds = plan.predicted.before_passes_seconds;
    let gap = plan.bound_seconds.map_or(0.0, |bound| 100.0 * (1.0 - bound / seconds).max(0.0));
    let mut lines = vec![
        format!("mesh {}: {}", axes.join(","), plan.parallelism.join("; ")),
        format!("{}, of which at most {gap:.1} % more than the best", Seconds(seconds)),
        format!("{} of {}", Bytes(plan.memory.peak_bytes), Bytes(plan.memory.limit_bytes)),
    ];
    let cut = plan.microbatches.as_ref().filter(|cut| cut.count > 1);
    lines.extend(cut.map(|cut| format!("{} microbatches", cut.count)));
    lines.extend(plan.memory.host.iter().map(host_line));
    lines.extend(plan.reasons.iter().filter(|reason| reason.starts_with("as asked")).cloned());
    lines
}

/// What lies on a host.
fn host_line(host: &HostMemory) -> String {
    let part = |part: &HostPart| format!("{} {}", part.what, Bytes(part.bytes_per_device));
    let parts: Vec<String> = host.parts.iter().map(part).collect();
    format!("{} of {} on each host: {}", Bytes(host.peak_bytes), Bytes(host.limit_bytes), parts.join(", "))
}

/// Prices an annotated program as it is.
fn on_annotated(
    input: &Input,
    lines: impl Fn(&Machine, &Source, &Function, &Estimate) -> Vec<String>,
) -> Result<Vec<String>, Vec<Finding>> {
    let annotated = Annotated::read(input)?;
    let shardings = annotated.sharder().cheapest(&annotated.fixed).1;
    let Annotated { source, function, mesh, .. } = annotated;
    let machine = machine(input);
    let placement = Placement::new(machine.clone(), mesh).expect("the mesh has the machine's devices");
    let analysis = Analysis::on(&function, placement.machine.device.platform);
    let predicted = estimate(&Lowering::new(&analysis, &shardings), &placement);
    Ok(lines(&machine, &source, &function, &predicted))
}

fn time_lines(machine: &Machine, estimate: &Estimate) -> Vec<String> {
    let mut lines = vec![format!("compute {}", estimate.compute)];
    for total in &estimate.collectives {
        let sent = Bytes(total.ring_bytes.round() as u64);
        lines.push(format!("{} {}, {sent} sent, {}", total.count, total.kind.name(), total.seconds));
    }
    let levels = machine.levels().iter().zip(&estimate.levels).filter(|(_, seconds)| seconds.0 > 0.0);
    lines.extend(levels.map(|(level, seconds)| format!("over {}: {seconds}", level.name)));
    lines
}

fn memory_lines(source: &Source, function: &Function, estimate: &Estimate) -> Vec<String> {
    let memory = &estimate.memory;
    let at = source.place(memory.span).line;
    let mut lines = vec![format!("{} at line {at}, {} of them arguments", memory.peak, memory.arguments)];
    for tensor in memory.largest.iter().take(LARGEST) {
        let (name, ty) = (source.snippet(tensor.span), function.body.ty(tensor.value));
        let what = if tensor.is_argument { "argument " } else { "" };
        lines.push(format!("{} {what}{name}: {ty}", tensor.bytes));
    }
    lines
}
