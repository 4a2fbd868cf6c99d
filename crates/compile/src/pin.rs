//! Shardings that the caller gives for arguments, written into the program as its own annotations would be.
//!
//! Input: a program, a mesh and one [`Pin`] per argument that is decided. Output: the program with that mesh and an
//! `sdy.sharding` on each of those arguments.

use crate::error::CompileError;
use crate::options::MeshChoice;
use meshwright_analyze::names;
use meshwright_ir::attribute::Attr;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::program::{MeshDecl, Program};
use meshwright_plan::axes;

/// A sharding that was given for an argument does not fit.
pub(crate) const PIN: Check = Check("pin");

/// The sharding of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pin {
    /// Position of the argument.
    pub(crate) argument: usize,
    /// For each dim the axes that shard it, major first.
    pub(crate) sharding: Vec<Vec<String>>,
}

/// Annotates arguments of the entry function. Without pins, the program stays as it is.
///
/// # Errors
/// [`CompileError::Options`]: there is no such argument, the mesh has no names or clashes with the program's, or a
/// sharding does not fit its mesh or argument.
pub(crate) fn pin(
    program: &Program,
    mesh: Option<&MeshChoice>,
    pins: &[Pin],
) -> Result<Program, CompileError> {
    let wrong = |message: String, hint: &str| {
        CompileError::Options(Box::new(Diagnostic::error(PIN, Span::NONE, message).hint(hint)))
    };
    if pins.is_empty() {
        return Ok(program.clone());
    }
    let mut program = program.clone();
    let mesh = match mesh {
        Some(MeshChoice::Axes(given)) => {
            axes::to_mesh(given).map_err(|problem| wrong(problem, "give each axis a name and a size"))?
        }
        _ => match program.meshes.as_slice() {
            [only] => only.mesh.clone(),
            _ => {
                let hint = "give one with the names that the pins use, such as `data=2,model=4`";
                return Err(wrong("pins need a mesh whose axes have names".to_owned(), hint));
            }
        },
    };
    if let Some(other) = program.meshes.iter().find(|declared| declared.mesh.name == mesh.name) {
        if other.mesh != mesh {
            let message =
                format!("the program has a mesh of its own, {}, which is not that of the pins", other.mesh);
            return Err(wrong(message, "leave the mesh away, or pin with the axes of the program's mesh"));
        }
    } else {
        program.meshes.push(MeshDecl {
            mesh: mesh.clone(),
            attributes: Default::default(),
            position: 0,
            location: None,
            span: Span::NONE,
        });
    }
    let names = program.main().map(names::of_arguments).unwrap_or_default();
    let main = program.main().map(|main| main.name.clone());
    let main = program.functions.iter_mut().find(|function| Some(&function.name) == main.as_ref());
    let Some(main) = main else { return Ok(program) };
    for pin in pins {
        let argument = main.args().get(pin.argument).copied();
        let Some(ty) = argument.and_then(|value| main.body.ty(value).as_tensor().cloned()) else {
            let message = format!("the program has no tensor as argument {}", pin.argument);
            return Err(wrong(message, "pin arguments that the program has"));
        };
        let sharding = axes::resolve(&pin.sharding, &mesh, &ty.shape).map_err(|error| {
            let name = names.get(pin.argument).and_then(|name| Some(format!(", `{}`", name.as_ref()?)));
            let (argument, name) = (pin.argument, name.unwrap_or_default());
            wrong(format!("the pin of argument {argument}{name}: {}", error.message), &error.hint)
        })?;
        main.arg_attributes[pin.argument].set("sdy.sharding", Attr::Sharding(sharding.to_attr(&mesh)));
    }
    Ok(program)
}
