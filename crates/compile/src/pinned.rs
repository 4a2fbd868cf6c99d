//! Pins written into a program, on the mesh that suits them best.
//!
//! Input: a program and options with pins. Output: the program with what they say as annotations of its own, and options
//! with their mesh. Where no mesh is given, each that the names of the pins can mean ([`crate::pin_meshes`]) is a variant
//! of the program: all are compiled, and the one whose step takes least is taken.

use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_machine::Machine;

use crate::driver::compile;
use crate::error::CompileError;
use crate::options::{MeshChoice, Options, Search};
use crate::pin::{PIN, pin};
use crate::pin_meshes::meshes_for;
use crate::pin_pattern::matching;

/// A program with pins in it, and how to compile it.
pub struct PinnedProgram {
    /// The program; its annotations are its own and those that were pinned.
    pub program: Program,
    /// The options without pins; what pins leave open is searched, if nothing else is said.
    pub options: Options,
}

/// The program with the pins of the options; `None` if there are none. As [`compile()`] does it, which may be given what
/// this returns, where a program is compiled several times with the same pins.
///
/// # Errors
/// [`CompileError::Options`]: pins that fit no argument, or no mesh. Those of [`compile()`] if no mesh leads to a plan.
pub fn pinned(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Option<PinnedProgram>, CompileError> {
    let pins = matching(program, &options.pins)?;
    if pins.is_empty() {
        return Ok(None);
    }
    let on = |mesh: &Option<MeshChoice>| {
        let program = pin(program, mesh.as_ref(), &pins)?;
        let search = options.search.or(Some(Search::Rest));
        let options = Options { mesh: mesh.clone(), search, pins: Vec::new(), ..options.clone() };
        Ok(PinnedProgram { program, options })
    };
    if options.mesh.is_some() || !program.meshes.is_empty() {
        return on(&options.mesh).map(Some);
    }
    let mut meshes = meshes_for(machine, &options.pins).into_iter().map(Some);
    match (meshes.next(), meshes.next()) {
        (None, _) => Err(too_many_axes()),
        (Some(only), None) => on(&only).map(Some),
        (Some(first), Some(second)) => {
            let variants = [first, second].into_iter().chain(meshes).map(|mesh| on(&mesh));
            best(variants, source, machine, &Aside(control)).map(Some)
        }
    }
}

/// The variant whose step takes least, or why the first leads to no plan.
fn best(
    variants: impl Iterator<Item = Result<PinnedProgram, CompileError>>,
    source: &Source,
    machine: &Machine,
    control: &dyn Control,
) -> Result<PinnedProgram, CompileError> {
    let mut best: Option<(f64, PinnedProgram)> = None;
    let mut wrong = None;
    for variant in variants {
        let seconds = variant.and_then(|variant| {
            let options = Options { stop_after: None, ..variant.options.clone() };
            let compiled = compile(&variant.program, source, machine, &options, control)?;
            Ok((compiled.plan.predicted.total_seconds, variant))
        });
        match seconds {
            Ok(found) if best.as_ref().is_none_or(|(least, _)| found.0 < *least) => best = Some(found),
            Ok(_) => {}
            Err(CompileError::Interrupted) => return Err(CompileError::Interrupted),
            Err(error) => _ = wrong.get_or_insert(error),
        }
    }
    match best {
        Some((_, variant)) => Ok(variant),
        None => Err(wrong.unwrap_or_else(too_many_axes)),
    }
}

fn too_many_axes() -> CompileError {
    let message = "the pins name more axes than a mesh of this machine has";
    let problem = Diagnostic::error(PIN, Span::NONE, message).hint("give a mesh with axes of these names");
    CompileError::Options(Box::new(problem))
}

/// Control of a variant that is only tried: nothing of it is dumped or warned of.
struct Aside<'a>(&'a dyn Control);

impl Control for Aside<'_> {
    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }

    fn progress(&self, stage: &str, done: usize, total: usize) {
        self.0.progress(stage, done, total);
    }
}
