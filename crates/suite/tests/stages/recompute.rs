//! `phases`: which instructions run forward, turn, run backward and update, one line each, and how the forward pass is cut.
//!
//! `recompute`: the program in which values are made again, and how many of its results have other bytes than
//! before, which must be none. `again=2:7` names the result of the third instruction and the eighth as its first reader; `named=full` is a
//! way that has a name. With neither, what every price of a byte on `machine` leads to: kept bytes, nanoseconds of what is
//! made again, and in words what that is.

use meshwright_analyze::{Phases, Roles};
use meshwright_cost::Analysis;
use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_execute::run_function;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::text::{Form, print};
use meshwright_ir::verify::verify;
use meshwright_machine::Machine;
use meshwright_search::recompute::{Named, Recomputation, uses};
use meshwright_suite::{Finding, Input, Outcome};
use meshwright_tensor::Precision;
use meshwright_tensor::types::Type;
use meshwright_transform::recompute::MadeAgain;
use meshwright_transform::{Flat, flatten};
use std::fmt::Write;

use super::{findings, read_program};

pub(crate) fn phases(input: &Input) -> Outcome {
    outcome(flat(input).map(|(_, flat)| phase_lines(&flat.function)))
}

pub(crate) fn recompute(input: &Input) -> Outcome {
    outcome(flat(input).map(|(program, flat)| match (input.option("again"), input.option("named")) {
        (Some(uses), _) => made_again(&program, &flat, &numbered(&flat.function, uses)),
        (None, Some(name)) => {
            let named =
                Named::ALL.into_iter().find(|named| named.name() == name).expect("a name that there is");
            let again = on_machine(input, &flat.function, &|of| uses(of, &of.named(named)));
            made_again(&program, &flat, &again)
        }
        (None, None) => on_machine(input, &flat.function, &hull_lines),
    }))
}

pub(super) fn outcome(text: Result<String, Vec<Finding>>) -> Outcome {
    text.map_or_else(Outcome::findings, Outcome::output)
}

pub(super) fn flat(input: &Input) -> Result<(Program, Flat), Vec<Finding>> {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let program = read_program(&source)?;
    let flat = flatten(&program).map_err(|problems| findings(&source, problems))?;
    Ok((program, flat))
}

fn phase_lines(function: &Function) -> String {
    let Some(phases) = Phases::new(function, &Roles::new(function)) else {
        return "nothing trains".to_owned();
    };
    let body = &function.body;
    let mut text = String::new();
    for inst in &body.regions[body.entry()].insts {
        let _ = writeln!(text, "{:?} {}", phases.of[*inst], body.insts[*inst].op.name());
    }
    let forward = &phases.forward;
    let _ = writeln!(text, "crossing {:?}", forward.crossing);
    let _ = writeln!(text, "segments {:?}, layers {:?}", forward.segments(), forward.layers(body));
    text
}

/// `2:7,3:7`: results of instructions by position, each with its reader.
fn numbered(function: &Function, uses: &str) -> MadeAgain {
    let body = &function.body;
    let inst = |text: &str| body.regions[body.entry()].insts[text.parse::<usize>().expect("a position")];
    let use_of = |text: &str| {
        let (value, reader) = text.split_once(':').expect("a value and its reader");
        (body.insts[inst(value)].results[0], inst(reader))
    };
    uses.split(',').map(use_of).collect()
}

fn on_machine<T>(input: &Input, function: &Function, work: &dyn Fn(&Recomputation<'_>) -> T) -> T {
    let machine = Machine::from_spec(input.option("machine").unwrap_or("h100:1x8")).expect("a machine");
    let (roles, analysis) = (Roles::new(function), Analysis::new(function));
    let phases = Phases::new(function, &roles).expect("a program that trains");
    work(&Recomputation::new(&analysis, &roles, &phases, &machine.device))
}

fn hull_lines(of: &Recomputation<'_>) -> String {
    let hull = of.hull();
    let mut text = format!("{} segments, {} bytes between them\n", of.segments.len(), of.pinned().0);
    for point in &hull.points {
        let (kept, nanoseconds) = (point.kept.0, point.seconds.0 * 1e9);
        let _ = writeln!(text, "{kept} bytes, {nanoseconds:.0} ns: {}", of.in_words(&of.again(&hull, point)));
    }
    text
}

fn made_again(program: &Program, flat: &Flat, again: &MadeAgain) -> String {
    let before = program.with_only(flat.function.clone());
    let after = program.with_only(flat.recomputed(again).function);
    if let Err(problems) = verify(&after) {
        return format!("it is broken: {problems:?}");
    }
    print(&after, Form::Pretty) + &compared(&before, &after)
}

pub(super) fn compared(before: &Program, after: &Program) -> String {
    let main = &before.functions[0];
    let types: Vec<Type> = main.args().iter().map(|arg| main.body.ty(*arg).clone()).collect();
    let inputs = draw(&types, &DrawOptions { seed: 1, int_range: 0..3 }).expect("inputs");
    let run = |program: &Program| -> Vec<Vec<u8>> {
        let results =
            run_function(program, &main.name, inputs.clone(), Precision::Declared).expect("it runs");
        results.iter().map(|result| result.to_le_bytes().expect("a tensor")).collect()
    };
    let count = run(before).into_iter().zip(run(after)).filter(|(one, other)| one != other).count();
    format!("{count} results differ\n")
}
