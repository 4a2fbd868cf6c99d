//! A program that does not fit: which tensors take the memory, which limit would do, and what would help.

use crate::table::{Lean, narrowed, render};
use crate::wrap::wrap;
use meshwright_compile::{DoesNotFit, LargeTensor};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source};
use serde::Serialize;

/// The program needs more memory than there is.
const MEMORY: Check = Check("does-not-fit");

/// Diagnostic of a program that does not fit, with what would help; it points at the instruction where the peak is.
pub fn diagnostic(problem: &DoesNotFit) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(MEMORY, problem.span, problem.to_string());
    let (which, others) = match problem.is_searched {
        true => ("the plan that came closest", "others may need less"),
        false => ("these shardings", "`--search rest` may find some that need less"),
    };
    if problem.host.is_some() {
        diagnostic.hints.extend(problem.advice.iter().cloned());
        return diagnostic;
    }
    diagnostic.hints.push(format!(
        "`--memory-limit {}` ({}) would do for {which}: mesh {}, {}; {others}",
        problem.peak.0,
        problem.peak,
        problem.mesh,
        problem.parallelism.join(", ")
    ));
    diagnostic.hints.extend(problem.advice.iter().cloned());
    diagnostic
}

/// The tensors that take the memory; places are in `source`.
pub fn details(problem: &DoesNotFit, source: &Source) -> Details {
    Details {
        text: table(problem, source),
        json: serde_json::to_value(Record::of(problem, source)).expect("plain data has a JSON form"),
    }
}

/// Details of the memory of a program that does not fit.
#[derive(Debug)]
pub struct Details {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: serde_json::Value,
}

fn table(problem: &DoesNotFit, source: &Source) -> String {
    let row = |tensor: &LargeTensor| {
        vec![
            tensor.bytes.to_string(),
            tensor.name.clone(),
            tensor.ty.clone(),
            if tensor.has_batch { "yes" } else { "no" }.to_owned(),
            if tensor.span.is_some() { source.locate(tensor.span) } else { String::new() },
        ]
    };
    let head = [
        ("per device", Lean::Right),
        ("tensor", Lean::Left),
        ("global type", Lean::Left),
        ("shrinks with the batch", Lean::Left),
        ("place", Lean::Left),
    ];
    let rows: Vec<Vec<String>> = problem.tensors.iter().map(row).collect();
    let title = format!(
        "What takes the memory ({} at the peak: {} of arguments, {} made by the program):",
        problem.peak, problem.arguments, problem.temporaries
    );
    format!("{}\n{}", wrap("", &title), render(&head, &narrowed(&head, rows, &[(4, 28), (1, 16), (2, 24)])))
}

#[derive(Serialize)]
struct Record<'a> {
    fits: bool,
    peak_bytes: u64,
    limit_bytes: u64,
    arguments_bytes: u64,
    temporaries_bytes: u64,
    mesh: &'a str,
    parallelism: &'a [String],
    advice: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<HostRecord>,
    tensors: Vec<TensorRecord<'a>>,
}

/// What a host lacks.
#[derive(Serialize)]
struct HostRecord {
    needed_bytes: u64,
    memory_bytes: u64,
    devices: usize,
}

#[derive(Serialize)]
struct TensorRecord<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    bytes_per_device: u64,
    shrinks_with_batch: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

impl<'a> Record<'a> {
    fn of(problem: &'a DoesNotFit, source: &Source) -> Self {
        let tensor = |tensor: &'a LargeTensor| TensorRecord {
            name: &tensor.name,
            ty: &tensor.ty,
            bytes_per_device: tensor.bytes.0,
            shrinks_with_batch: tensor.has_batch,
            place: tensor.span.is_some().then(|| source.locate(tensor.span)),
        };
        Self {
            fits: false,
            peak_bytes: problem.peak.0,
            limit_bytes: problem.limit.0,
            arguments_bytes: problem.arguments.0,
            temporaries_bytes: problem.temporaries.0,
            mesh: &problem.mesh,
            parallelism: &problem.parallelism,
            advice: &problem.advice,
            host: problem.host.map(|host| HostRecord {
                needed_bytes: host.needed.0,
                memory_bytes: host.memory.0,
                devices: host.devices,
            }),
            tensors: problem.tensors.iter().map(tensor).collect(),
        }
    }
}
