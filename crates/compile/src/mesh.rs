//! Which mesh a program is sharded over, as far as that is decided before any search.
//!
//! In this order: the axes that the caller gave; those of the plan; the program's own `sdy.mesh`.
//! Axes that are given replace those of the program's mesh, so that a program annotated for `data=2,model=4` can be
//! sharded over `data=4,model=2`; its annotations must fit the new axes. A program whose annotations name a mesh that
//! it does not declare gets the given one under that name. Whoever decided the mesh is told what is wrong with it.

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Function, MeshDecl, Program};
use meshwright_ir::sharding::{MeshRef, ShardingAttr};
use meshwright_ir::verify;
use meshwright_machine::Machine;
use meshwright_plan::plan_file::MeshAxis;
use meshwright_plan::{Orders, Placement, axes};
use meshwright_shard::{OneMesh, on_one_mesh};
use std::collections::BTreeSet;

use crate::error::CompileError;
use crate::options::{MeshChoice, Options};
use meshwright_plan::plan_file::codec::PLAN;

/// A mesh does not fit the machine, or there is none.
pub(crate) const MESH: Check = Check("mesh");

/// Names of axes that are given by size alone.
const AXIS_NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// Who decided the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The caller.
    Options,
    /// The plan.
    Plan,
    /// The program.
    Program,
}

impl Origin {
    fn whose(self) -> &'static str {
        match self {
            Self::Options => "the given mesh",
            Self::Plan => "the plan's mesh",
            Self::Program => "the program's mesh",
        }
    }

    /// One thing wrong with the mesh, as its origin's fault.
    fn blame(self, diagnostic: Diagnostic) -> CompileError {
        match self {
            Self::Options => CompileError::Options(Box::new(diagnostic)),
            Self::Plan => CompileError::Plan(vec![Diagnostic { check: PLAN, ..diagnostic }]),
            Self::Program => diagnostic.into(),
        }
    }
}

/// A mesh and who decided it.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    /// The mesh.
    pub(crate) mesh: Mesh,
    /// Who decided it.
    pub(crate) origin: Origin,
}

/// A program whose annotations are on one mesh.
pub(crate) struct OnMesh {
    /// The program, with the mesh declared.
    pub(crate) program: Program,
    /// Its entry function with all calls inlined.
    pub(crate) function: Function,
    /// The mesh, if it is decided.
    pub(crate) decided: Option<Decided>,
    /// Arguments and results for which the devices stand in another order.
    pub(crate) orders: Orders,
}

impl OnMesh {
    fn joined(one: OneMesh, origin: Origin) -> Self {
        let decided = Some(Decided { mesh: one.mesh, origin });
        Self { program: one.program, function: one.function, decided, orders: one.orders }
    }
}

/// The program and its mesh, if that is decided; annotations on several meshes are brought on one.
///
/// # Errors
/// No mesh of the given axes; annotations that do not fit it; meshes that cannot be joined.
pub(crate) fn decide(
    program: &Program,
    function: Function,
    options: &Options,
) -> Result<OnMesh, CompileError> {
    let given = given_axes(program, options)?;
    let (program, decided) = match (on_one_mesh(program, &function)?, given) {
        (Some(one), None) => return Ok(OnMesh::joined(one, Origin::Program)),
        (Some(one), Some((axes, origin)))
            if [&one.mesh, &one.made_from].iter().any(|mesh| axes::of_mesh(mesh) == axes) =>
        {
            return Ok(OnMesh::joined(one, origin));
        }
        (Some(_), Some((axes, origin))) => {
            let (program, mesh) = replace(program, &axes, origin)?;
            if let Some(one) = on_one_mesh(&program, &function)? {
                return Ok(OnMesh::joined(one, origin));
            }
            (program, Some(Decided { mesh, origin }))
        }
        (None, given) => with_axes(program, &function, given)?,
    };
    Ok(OnMesh { program, function, decided, orders: Orders::default() })
}

/// The program with the mesh of the options in place of its own.
///
/// # Errors
/// As [`decide`]; annotations on several meshes.
pub(crate) fn given(
    program: &Program,
    function: &Function,
    options: &Options,
) -> Result<Program, CompileError> {
    Ok(with_axes(program, function, given_axes(program, options)?)?.0)
}

/// The axes that the options or their plan give.
fn given_axes(program: &Program, options: &Options) -> Result<Option<(Vec<MeshAxis>, Origin)>, CompileError> {
    Ok(match (&options.mesh, &options.plan) {
        (Some(choice), _) => Some((resolve(choice, program)?, Origin::Options)),
        (None, Some(plan)) => Some((plan.mesh.clone(), Origin::Plan)),
        (None, None) => None,
    })
}

fn with_axes(
    program: &Program,
    function: &Function,
    given: Option<(Vec<MeshAxis>, Origin)>,
) -> Result<(Program, Option<Decided>), CompileError> {
    let own = meshwright_plan::attributes::annotated_mesh(program, function)?;
    match (given, own) {
        (None, own) => Ok((program.clone(), own.map(|mesh| Decided { mesh, origin: Origin::Program }))),
        // The same axes: nothing to replace, and the program may even have several such meshes.
        (Some((axes, origin)), Some(mesh)) if axes::of_mesh(&mesh) == axes => {
            Ok((program.clone(), Some(Decided { mesh, origin })))
        }
        (Some((axes, origin)), own) => {
            // One of several meshes, none of which is annotated.
            let like = program.meshes.iter().find(|decl| own.is_none() && axes::of_mesh(&decl.mesh) == axes);
            let (program, mesh) = match like {
                Some(decl) => (program.clone(), decl.mesh.clone()),
                None => replace(program, &axes, origin)?,
            };
            Ok((program, Some(Decided { mesh, origin })))
        }
    }
}

/// The axes that a choice means for a program.
fn resolve(choice: &MeshChoice, program: &Program) -> Result<Vec<MeshAxis>, CompileError> {
    let sizes = match choice {
        MeshChoice::Axes(axes) => return Ok(axes.clone()),
        MeshChoice::Sizes(sizes) => sizes,
    };
    let own = program.meshes.iter().map(|decl| decl.mesh.axes()).find(|axes| axes.len() == sizes.len());
    let names: Vec<String> = match own {
        Some(axes) => axes.iter().map(|axis| axis.name.clone()).collect(),
        None => AXIS_NAMES.map(str::to_owned).to_vec(),
    };
    if sizes.len() > names.len() {
        let message = format!("more than {} axes need names", names.len());
        let diagnostic = Diagnostic::error(MESH, Span::NONE, message).hint("write them as `a=2,b=2,...`");
        return Err(Origin::Options.blame(diagnostic));
    }
    Ok(names.into_iter().zip(sizes).map(|(name, size)| MeshAxis { name, size: *size }).collect())
}

/// The program with the given axes for its mesh, and that mesh.
fn replace(program: &Program, given: &[MeshAxis], origin: Origin) -> Result<(Program, Mesh), CompileError> {
    let mut mesh =
        axes::to_mesh(given).map_err(|problem| origin.blame(Diagnostic::error(MESH, Span::NONE, problem)))?;
    let mut program = program.clone();
    // Empty meshes and single devices stay what they are.
    let own: Vec<&MeshDecl> = program.meshes.iter().filter(|decl| !decl.mesh.axes().is_empty()).collect();
    if let [first, rest @ ..] = own.as_slice() {
        if let Some(other) = rest.iter().find(|decl| decl.mesh.axes() != first.mesh.axes()) {
            let message =
                format!("the program has meshes with different axes: {} and {}", first.mesh, other.mesh);
            let hint = "a mesh can only be given for a program with one mesh";
            return Err(Diagnostic::error(MESH, other.span, message).hint(hint).into());
        }
        mesh.name.clone_from(&first.mesh.name);
    }
    let written_for =
        own.first().map_or(String::new(), |decl| format!(", which are written for {}", decl.mesh));
    if own.is_empty() {
        while program.mesh(&mesh.name).is_some() {
            mesh.name.push('_');
        }
        program.meshes.push(declaration(mesh.clone()));
    }
    for decl in program.meshes.iter_mut().filter(|decl| !decl.mesh.axes().is_empty()) {
        let name = std::mem::take(&mut decl.mesh.name);
        decl.mesh = mesh.clone();
        decl.mesh.name = name;
    }
    verify::verify(&program).map_err(|found| {
        let whose = origin.whose();
        let message = format!("{whose} {mesh} does not fit the program's annotations{written_for}");
        let mut diagnostic = Diagnostic::error(MESH, Span::NONE, message);
        diagnostic.hints.extend(found.into_iter().next().map(|first| first.message));
        origin.blame(diagnostic)
    })?;
    Ok((program, mesh))
}

fn declaration(mesh: Mesh) -> MeshDecl {
    MeshDecl { mesh, attributes: Attributes::new(), position: 0, location: None, span: Span::NONE }
}

/// Declares the given mesh under every name that shardings of a program without any mesh refer to.
///
/// # Errors
/// No mesh of the given axes.
pub(crate) fn declare(program: &mut Program, choice: &MeshChoice) -> Result<(), CompileError> {
    let names = referred(program);
    if !program.meshes.is_empty() || names.is_empty() {
        return Ok(());
    }
    let axes = resolve(choice, program)?;
    let mesh = axes::to_mesh(&axes)
        .map_err(|problem| Origin::Options.blame(Diagnostic::error(MESH, Span::NONE, problem)))?;
    program.meshes.extend(names.into_iter().map(|name| {
        let mut mesh = mesh.clone();
        mesh.name = name;
        declaration(mesh)
    }));
    Ok(())
}

/// The mesh of a program without search: the first that it declares, or writes into a sharding, and that has axes.
pub fn own_mesh(program: &Program) -> Option<Mesh> {
    let declared = program.meshes.iter().map(|decl| &decl.mesh).find(|mesh| !mesh.axes().is_empty());
    let mut found = declared.cloned();
    see_shardings(program, &mut |sharding| match &sharding.mesh {
        MeshRef::Inline(mesh) if found.is_none() && !mesh.axes().is_empty() => found = Some((**mesh).clone()),
        _ => {}
    });
    found
}

/// The names of meshes in all shardings of a program.
fn referred(program: &Program) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    see_shardings(program, &mut |sharding| {
        if let MeshRef::Symbol(name) = &sharding.mesh {
            names.insert(name.clone());
        }
    });
    names
}

fn see_shardings(program: &Program, see: &mut dyn FnMut(&ShardingAttr)) {
    for function in &program.functions {
        let outer = function.arg_attributes.iter().chain(&function.result_attributes);
        outer.for_each(|attributes| see_attributes(attributes, see));
        let body = &function.body;
        let ids: Vec<InstId> = body.insts.ids().collect();
        for id in ids {
            let view = body.view(id);
            see_attributes(&view.inst.attributes, see);
            see_attributes(&view.inst.op.attributes(&view), see);
        }
    }
}

fn see_attributes(attributes: &Attributes, see: &mut dyn FnMut(&ShardingAttr)) {
    for (_, attribute) in attributes.iter() {
        match attribute {
            Attr::Sharding(sharding) => see(sharding),
            Attr::ShardingPerValue(shardings) => shardings.iter().for_each(&mut *see),
            _ => {}
        }
    }
}

/// Refuses a mesh of another number of devices than the machine's.
pub(crate) fn fits(decided: &Decided, machine: &Machine, program: &Program) -> Result<(), CompileError> {
    let Decided { mesh, origin } = decided;
    let (wanted, found) = (mesh.num_devices(), machine.num_devices());
    if wanted == found {
        return Ok(());
    }
    let devices = |count: usize| format!("{count} device{}", if count == 1 { "" } else { "s" });
    let whose = origin.whose();
    let shape = if mesh.axes().is_empty() { "without axes".to_owned() } else { mesh.to_string() };
    let message =
        format!("{whose} {shape} has {}, but the machine {} has {found}", devices(wanted), machine.spec());
    let hint = match origin {
        Origin::Options => {
            format!("give sizes that multiply to {found}, or a machine of {} (`--machine`)", devices(wanted))
        }
        Origin::Plan => format!(
            "use a machine of {} (`--machine`), or make a plan for this one: `meshwright plan MODEL --machine {} \
             -o plan.json`",
            devices(wanted),
            machine.spec()
        ),
        Origin::Program => format!(
            "give a mesh whose sizes multiply to {found} (`--mesh`), or a machine of {} (`--machine`)",
            devices(wanted)
        ),
    };
    let span = match origin {
        Origin::Program => {
            program.meshes.iter().find(|decl| decl.mesh == *mesh).map_or(Span::NONE, |decl| decl.span)
        }
        _ => Span::NONE,
    };
    Err(origin.blame(Diagnostic::error(MESH, span, message).hint(hint)))
}

/// Where a mesh of the machine's size lies on it.
pub(crate) fn placed(machine: &Machine, mesh: &Mesh) -> Placement {
    Placement::new(machine.clone(), mesh.clone()).expect("the mesh has the machine's devices")
}

/// There is no mesh and none is searched for.
pub(crate) fn missing(program: &Program) -> Diagnostics {
    let mut declared = program.meshes.iter().filter(|decl| !decl.mesh.axes().is_empty());
    if let (Some(first), Some(second)) = (declared.next(), declared.next()) {
        let message = format!(
            "the program declares several meshes, @{} and @{} among them, and no annotation says which is meant",
            first.mesh.name, second.mesh.name
        );
        let hint = format!("annotate an argument, or name the axes of one: `--mesh {}`", first.mesh);
        return vec![Diagnostic::error(MESH, second.span, message).hint(hint)];
    }
    let diagnostic = Diagnostic::error(MESH, Span::NONE, "the program declares no mesh").hint(
        "give one, such as `--mesh data=2,model=4`, or declare `sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>`",
    );
    vec![diagnostic]
}
