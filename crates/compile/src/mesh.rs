//! Which mesh a program is spread over, as far as that is decided before any search.
//!
//! In this order: the axes that the user gave; those of the plan; the program's own `sdy.mesh`.
//! Axes that the user gives replace those of the program's mesh, so that a program annotated for `data=2,model=4` can
//! be spread over `data=4,model=2`; its annotations must fit the new axes.

use meshwright_ir::attribute::Attributes;
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Function, MeshDecl, Program};
use meshwright_ir::verify;
use meshwright_machine::Machine;
use meshwright_plan::axes;
use meshwright_plan::plan_file::MeshAxis;

/// A mesh does not fit the machine, or there is none.
pub const MESH: Check = Check("mesh");

/// The program with the given axes for its mesh, and that mesh.
///
/// # Errors
/// No mesh of these axes; annotations that do not fit it; a program with several meshes.
pub(crate) fn replace(program: &Program, given: &[MeshAxis]) -> Result<(Program, Mesh), Diagnostics> {
    let mut mesh =
        axes::to_mesh(given).map_err(|problem| vec![Diagnostic::error(MESH, Span::NONE, problem)])?;
    let mut program = program.clone();
    // Empty meshes and single devices stay what they are.
    let own: Vec<&MeshDecl> = program.meshes.iter().filter(|decl| !decl.mesh.axes().is_empty()).collect();
    if let [first, rest @ ..] = own.as_slice() {
        if let Some(other) = rest.iter().find(|decl| decl.mesh.axes() != first.mesh.axes()) {
            let message =
                format!("the program has meshes with different axes: {} and {}", first.mesh, other.mesh);
            let hint = "a mesh can only be given for a program with one mesh";
            return Err(vec![Diagnostic::error(MESH, other.span, message).hint(hint)]);
        }
        mesh.name.clone_from(&first.mesh.name);
    }
    if own.is_empty() {
        while program.mesh(&mesh.name).is_some() {
            mesh.name.push('_');
        }
        let decl =
            MeshDecl { mesh: mesh.clone(), attributes: Attributes::new(), position: 0, span: Span::NONE };
        program.meshes.push(decl);
    }
    for decl in program.meshes.iter_mut().filter(|decl| !decl.mesh.axes().is_empty()) {
        let name = std::mem::take(&mut decl.mesh.name);
        decl.mesh = mesh.clone();
        decl.mesh.name = name;
    }
    verify::verify(&program).map_err(|found| {
        let hint = format!("the mesh was given as {mesh}");
        found.into_iter().map(|diagnostic| diagnostic.hint(hint.clone())).collect::<Diagnostics>()
    })?;
    Ok((program, mesh))
}

/// The program's own mesh: what its annotations refer to, or the only one it declares.
pub(crate) fn own(program: &Program, function: &Function) -> Result<Option<Mesh>, Diagnostics> {
    meshwright_shard::annotated_mesh(program, function)
}

/// Refuses a mesh of another number of devices than the machine's.
pub(crate) fn fits(mesh: &Mesh, machine: &Machine, program: &Program) -> Result<(), Diagnostic> {
    let (wanted, found) = (mesh.num_devices(), machine.num_devices());
    if wanted == found {
        return Ok(());
    }
    let span = program.meshes.iter().find(|decl| decl.mesh == *mesh).map_or(Span::NONE, |decl| decl.span);
    let message =
        format!("the mesh {mesh} has {wanted} devices, but the machine {} has {found}", machine.spec());
    Err(Diagnostic::error(MESH, span, message).hint(format!(
        "give a mesh whose sizes multiply to {found} (`--mesh`), or a machine of {wanted} devices (`--machine`)"
    )))
}

/// There is no mesh and none is searched for.
pub(crate) fn missing() -> Diagnostic {
    Diagnostic::error(MESH, Span::NONE, "the program declares no mesh")
        .hint("give one, such as `--mesh data=2,model=4`, or declare `sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>`")
}
