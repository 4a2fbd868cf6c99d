//! `normal`: the normal form of a program, `barriers=kept` or without.
//!
//! The output is the new program; behind it what each barrier guarded, and the loops that go through stacks: how often
//! they run, what they carry, and where in the stacks each iteration reads and writes. Values are printed as in the new
//! program.

use meshwright_analyze::{LayerLoop, Roles, layer_loops};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::ValueId;
use meshwright_ir::loops::{Access, Scan, scan};
use meshwright_ir::program::{Body, Def, Function, Program};
use meshwright_ir::text::{Form, print};
use meshwright_suite::{Input, Outcome};
use meshwright_transform::{Barriers, Guard, Normal, flatten, normal};

use super::{findings, read_program};

pub(crate) fn normal_form(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let flat = match read_program(&source).map(|program| (flatten(&program), program)) {
        Ok((Ok(flat), program)) => (flat, program),
        Ok((Err(problems), _)) => return Outcome::findings(findings(&source, problems)),
        Err(found) => return Outcome::findings(found),
    };
    let (flat, program) = flat;
    let barriers = match input.option("barriers") {
        Some("kept") => Barriers::Kept,
        Some(other) => return Outcome::output(format!("barriers are not {other}")),
        None => Barriers::Dropped,
    };
    let Normal { function, guards, .. } = normal(&flat.function, barriers);
    let made: Program = program.with_only(function);
    if let Err(problems) = meshwright_ir::verify::verify(&made) {
        return Outcome::output(format!("it is broken: {problems:?}"));
    }
    let function = &made.functions[0];
    let mut text = print(&made, Form::Pretty);
    guards.iter().for_each(|guard| text += &guarded(&function.body, guard));
    Outcome::output(text + &scans(function))
}

/// `guarded: kept argument 0, tanh; recomputed dot_general`.
fn guarded(body: &Body, guard: &Guard) -> String {
    let list = |values: &[ValueId]| {
        let names: Vec<String> = values.iter().map(|value| name(body, *value)).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    format!("guarded: kept {}; recomputed {}\n", list(&guard.kept), list(&guard.recomputed))
}

/// What makes a value: an op, or an argument of the function or of a region.
fn name(body: &Body, value: ValueId) -> String {
    match body.values[value].def {
        Def::Argument(region, index) if region == body.entry() => format!("argument {index}"),
        Def::Argument(_, index) => format!("carried {index}"),
        Def::Result(inst, index) => {
            let own = &body.insts[inst];
            let name = own.op.name().trim_start_matches("stablehlo.");
            if own.results.len() > 1 { format!("{name}:{index}") } else { name.to_owned() }
        }
    }
}

/// All loops that go through stacks, those over layers named so.
fn scans(function: &Function) -> String {
    let body = &function.body;
    let layers: Vec<LayerLoop> = layer_loops(function, &Roles::new(function));
    let mut text = String::new();
    for inst in body.walk(body.entry()) {
        let Some(found) = scan(body.view(inst)) else { continue };
        let is_layer_loop = layers.iter().any(|layer| layer.inst == inst);
        let kind = if is_layer_loop { "layer loop" } else { "loop" };
        let Scan { counter, carried, accesses } = found;
        text += &format!("{kind} of {}: carries {carried:?}\n", counter.trip_count);
        accesses.iter().for_each(|access| text += &described(body, access));
    }
    text
}

/// `  Read argument 1 [-1 * t + 3, 1 of them] along dim 0`.
fn described(body: &Body, access: &Access) -> String {
    let Access { way, stack, dim, size, at, .. } = access;
    let stack = name(body, *stack);
    format!("  {way:?} {size} of {stack} along dim {dim} at {} * t + {}\n", at.factor, at.offset)
}
