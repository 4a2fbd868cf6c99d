//! Evaluates a program whose `main` takes nothing, alone or (`devices=4`) on embedded devices.
//!
//! One line per result: its type and its elements, floats with six digits. `precision=f64` widens the storage.

use meshwright_execute::{RunError, run_local};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_suite::{Finding, Input, Outcome};
use meshwright_tensor::{Precision, Scalar, Tensor};

pub(crate) fn eval(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let program = match super::read_program(&source) {
        Ok(program) => program,
        Err(findings) => return Outcome::findings(findings),
    };
    match run(&program, input) {
        Ok(output) => Outcome::output(output),
        Err(error) => {
            let line = error.span.is_some().then(|| source.place(error.span).line);
            let check = format!("{:?}", error.kind).to_lowercase();
            Outcome::findings(vec![Finding { check, line, message: error.to_string() }])
        }
    }
}

fn run(program: &Program, input: &Input) -> Result<String, RunError> {
    let precision = match input.option("precision") {
        None => Precision::Declared,
        Some("f64") => Precision::Wide,
        Some(other) => return Err(RunError::inputs(format!("there is no precision `{other}`"))),
    };
    let main = program.main().ok_or_else(|| RunError::inputs("there is no main"))?;
    let Some(count) = input.option("devices") else {
        let results = meshwright_execute::run_function(program, &main.name, Vec::new(), precision)?;
        return Ok(results.iter().map(|result| format!("{}\n", text(result))).collect());
    };
    let count: usize = count.parse().map_err(|_| RunError::inputs("`devices` is no number"))?;
    let results = run_local(program, vec![Vec::new(); count], precision, &Quiet)?;
    let lines = results.iter().enumerate().flat_map(|(device, results)| {
        results.iter().map(move |result| format!("device {device}: {}\n", text(result)))
    });
    Ok(lines.collect())
}

fn text(tensor: &Tensor) -> String {
    let mut text = format!("{} ", tensor.ty());
    write_elements(tensor, &mut Vec::new(), &mut text);
    text
}

fn write_elements(tensor: &Tensor, index: &mut Vec<usize>, out: &mut String) {
    if index.len() == tensor.rank() {
        match tensor.get(index).expect("an index inside the shape") {
            Scalar::Float(value) => {
                let rounded: f64 = format!("{value:.5e}").parse().expect("a float's own text");
                out.push_str(&rounded.to_string());
            }
            value => out.push_str(&value.to_string()),
        }
        return;
    }
    out.push('[');
    for at in 0..tensor.shape()[index.len()] {
        out.push_str(if at == 0 { "" } else { ", " });
        index.push(at);
        write_elements(tensor, index, out);
        index.pop();
    }
    out.push(']');
}
