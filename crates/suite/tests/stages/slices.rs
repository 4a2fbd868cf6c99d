//! `slices`: the program cut into as many slices of its sequence as `count` says.
//!
//! The output is what slices read of one another, each value by the op that makes it and the dim along which slices lie; or
//! what stands in the way, and where.

use meshwright_analyze::sequence::sequence_axis;
use meshwright_analyze::{Phases, Roles};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Def;
use meshwright_ir::verify::verify;
use meshwright_suite::{Input, Outcome};
use meshwright_transform::microbatch::in_microbatches;
use meshwright_transform::time::sequence::Readers;
use meshwright_transform::{Barriers, normal};

use super::to_cut;

pub(crate) fn slices(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let (program, count, flat) = match to_cut(input, &source) {
        Ok(cut) => cut,
        Err(outcome) => return outcome,
    };
    let function = normal(&flat.function, Barriers::Dropped).function;
    let body = &function.body;
    let line = |inst| source.place(body.insts[inst].span).line;
    let roles = Roles::new(&function);
    let phases = Phases::new(&function, &roles).or_else(|| Phases::of_inference(&function, &roles));
    let axis = match sequence_axis(&function, &roles, &phases.expect("phases"), count) {
        Ok(axis) => axis,
        Err(refusal) => {
            let at = refusal.inst().map_or(String::new(), |inst| format!("line {}: ", line(inst)));
            return Outcome::output(format!("{at}{refusal}\n"));
        }
    };
    let program = program.with_only(match in_microbatches(&function, &axis) {
        Ok(cut) => cut.made.function,
        Err(refusal) => return Outcome::output(format!("{refusal}\n")),
    });
    if let Err(problems) = verify(&program) {
        return Outcome::output(format!("it is broken: {problems:?}"));
    }
    let mut lines = format!("{count} slices of {}\n", axis.size / count);
    for (value, carried) in &axis.carried {
        let Def::Result(inst, _) = body.values[*value].def else { continue };
        let by = match carried.by {
            Readers::Later => "later slices read",
            Readers::Earlier => "earlier slices read",
        };
        let (name, dim) = (body.insts[inst].op.name(), carried.along.dim);
        lines.push_str(&format!("line {}: {by} {name} along dim {dim}\n", line(inst)));
    }
    Outcome::output(lines)
}
