//! Reads decisions from the annotations of a program.
//!
//! Input: `sdy.sharding` on arguments, results and instructions, `sdy.sharding_constraint` ops, and the `meshwright.*`
//! attributes of instructions. Output: [`Decisions`], resolved against one mesh.

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Body, Function, Inst, Program};
use meshwright_ir::sharding::{Sharding, ShardingAttr};
use meshwright_ir::verify;
use meshwright_tensor::types::Type;

use super::{ARGUMENTS, UNDECIDED, policies, stages, strategy, tiles};
use crate::Decisions;

/// A program is sharded over one mesh; annotations are on meshes that cannot be joined to one.
pub const MESHES: Check = Check("several-meshes");

/// An annotation asks for something that propagation does not do.
pub const ANNOTATION: Check = Check("annotation");

/// The mesh that the annotations of a program refer to; `None` if there are no annotations and not exactly one mesh.
/// Errors: annotations refer to meshes whose axes differ, or to one that is not declared.
pub fn annotated_mesh(program: &Program, function: &Function) -> Result<Option<Mesh>, Diagnostics> {
    let mut found: Option<&Mesh> = None;
    for annotation in annotations(function) {
        let mesh = usable_mesh(program, &annotation).map_err(|problem| vec![problem])?;
        if is_without_axes(mesh) {
            continue;
        }
        match found {
            Some(first) if !first.is_like(mesh) => {
                return Err(vec![differing_meshes(&annotation, mesh, first)]);
            }
            Some(_) => {}
            None => found = Some(mesh),
        }
    }
    let mut declared = program.meshes.iter().map(|decl| &decl.mesh).filter(|mesh| !is_without_axes(mesh));
    let only = declared.next().filter(|_| declared.next().is_none());
    Ok(found.or(only).cloned())
}

/// Resolves all annotations of a function (with all calls inlined) against `mesh`. Where none is on a mesh that has
/// axes, none says how to shard anything, and nothing is decided: JAX writes such ones for random keys and callbacks.
///
/// # Errors
/// An annotation on a mesh with other axes, or one that does not fit its tensor or instruction.
pub fn read(program: &Program, function: &Function, mesh: &Mesh) -> Result<Decisions, Diagnostics> {
    let mut decisions = Decisions::on(mesh, function);
    let mut problems = Diagnostics::new();
    let mut has_axes = false;
    for annotation in annotations(function) {
        match usable_mesh(program, &annotation) {
            // An empty mesh stands for any.
            Ok(named) if named.is_maximal() => {
                // A sharding on one device has no dims.
                if let (Place::Value(value), Some(tensor)) = (&annotation.place, annotation.ty.as_tensor()) {
                    decisions.values.insert(*value, Sharding::replicated(tensor.rank()));
                }
                continue;
            }
            Ok(named) if !named.is_like(mesh) && !named.is_empty() => {
                problems.push(differing_meshes(&annotation, named, mesh));
                continue;
            }
            Ok(named) => has_axes |= !is_without_axes(named),
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        }
        // Tokens and tuples are annotated only with shardings that say nothing.
        if annotation.ty.as_tensor().is_none() {
            continue;
        }
        match verify::resolve(program, annotation.sharding, annotation.ty, annotation.span) {
            Err(problem) => problems.push(*problem),
            Ok(mut sharding) => {
                // A value is not sharded over the axes of its contributions, which do not propagate.
                sharding.replicated = sharding.replicated.union(sharding.partial_axes());
                sharding.partial = None;
                match annotation.place {
                    Place::Value(value) => {
                        decisions.values.insert(value, sharding);
                    }
                    Place::Result(index) => decisions.results[index] = Some(sharding),
                }
            }
        }
    }
    if !has_axes {
        decisions = Decisions::on(mesh, function);
    }
    malformed(function, &mut problems);
    decisions.strategies = strategy::read(function, mesh, &mut problems);
    decisions.policies = policies::read(function, &mut problems);
    decisions.tiles = tiles::read(function, &mut problems);
    stages::read(function, &mut decisions, &mut problems);
    if problems.is_empty() { Ok(decisions) } else { Err(problems) }
}

/// The place of an annotation.
pub enum Place {
    /// On a value.
    Value(ValueId),
    /// On a result of the function, by position.
    Result(usize),
}

/// An annotation as it is written.
pub struct Annotation<'a> {
    /// On what it stands.
    pub place: Place,
    /// The sharding that it says.
    pub sharding: &'a ShardingAttr,
    /// Type of what it stands on.
    pub ty: &'a Type,
    span: Span,
}

/// The mesh of an annotation, if it is one that a program can be sharded over, or an empty one.
fn usable_mesh<'a>(program: &'a Program, annotation: &Annotation<'a>) -> Result<&'a Mesh, Diagnostic> {
    let name = &annotation.sharding.mesh;
    match program.resolve_mesh(name) {
        None => {
            let message = format!("the mesh `{name}` is not declared");
            Err(Diagnostic::error(verify::SHARDING, annotation.span, message)
                .hint("declare it at the top of the module: sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>"))
        }
        Some(mesh) => Ok(mesh),
    }
}

/// Whether a mesh says nothing of axes: it is empty, or a single device. A value on a single device is whole on all
/// others too.
fn is_without_axes(mesh: &Mesh) -> bool {
    mesh.axes().is_empty()
}

fn differing_meshes(annotation: &Annotation<'_>, mesh: &Mesh, other: &Mesh) -> Diagnostic {
    let (found, spread) = (mesh.attr(), other.attr());
    let name = &annotation.sharding.mesh;
    let (own, all) = (mesh.num_devices(), other.num_devices());
    if own != all {
        let message = format!(
            "the mesh `{name}` is {found}, of {own} devices, but the program is sharded over {spread}, of {all}"
        );
        return Diagnostic::error(MESHES, annotation.span, message).hint(
            "write all annotations against meshes of the same devices; their axes and order may differ",
        );
    }
    let message = format!("the mesh `{name}` is {found}, but the program is sharded over {spread}");
    Diagnostic::error(MESHES, annotation.span, message)
        .hint("leave away the given mesh, or write all annotations against meshes with its axes and devices")
}

/// All annotations: arguments, results, then instructions in order of their ids.
pub fn annotations(function: &Function) -> Vec<Annotation<'_>> {
    let body = &function.body;
    let mut list = Vec::new();
    for (value, attributes) in function.args().iter().zip(&function.arg_attributes) {
        if let Some(sharding) = single(attributes) {
            let span = body.values[*value].span;
            list.push(Annotation { place: Place::Value(*value), sharding, ty: body.ty(*value), span });
        }
    }
    for (index, (ty, attributes)) in function.result_types.iter().zip(&function.result_attributes).enumerate()
    {
        if let Some(sharding) = single(attributes) {
            let span = function.result_span(index);
            list.push(Annotation { place: Place::Result(index), sharding, ty, span });
        }
    }
    for (_, inst) in body.insts.iter() {
        list.extend(of_results(body, inst));
        list.extend(of_region_arguments(body, inst));
    }
    list
}

fn on_value<'a>(body: &'a Body, inst: &Inst, value: ValueId, sharding: &'a ShardingAttr) -> Annotation<'a> {
    Annotation { place: Place::Value(value), sharding, ty: body.ty(value), span: inst.span }
}

fn of_results<'a>(body: &'a Body, inst: &'a Inst) -> Vec<Annotation<'a>> {
    let own: Vec<&ShardingAttr> =
        (0..inst.results.len()).map_while(|index| inst.op.result_sharding(index)).collect();
    let per_result = match inst.attributes.get("sdy.sharding") {
        _ if !own.is_empty() => own,
        Some(Attr::ShardingPerValue(shardings)) => shardings.iter().collect(),
        _ => return Vec::new(),
    };
    let undecided = match inst.attributes.get(UNDECIDED) {
        Some(Attr::DenseArray(_, positions)) => positions.as_slice(),
        _ => &[],
    };
    let all = inst.results.iter().zip(per_result).enumerate();
    all.filter(|(index, _)| !undecided.contains(&(*index as i64)))
        .map(|(_, (value, sharding))| on_value(body, inst, *value, sharding))
        .collect()
}

fn of_region_arguments<'a>(body: &'a Body, inst: &'a Inst) -> Vec<Annotation<'a>> {
    let Some(Attr::Dict(shardings)) = inst.attributes.get(ARGUMENTS) else { return Vec::new() };
    let args: Vec<ValueId> =
        inst.regions.iter().flat_map(|region| body.regions[*region].args.iter().copied()).collect();
    let annotation = |(position, attr): (&str, &'a Attr)| {
        let Attr::Sharding(sharding) = attr else { return None };
        Some(on_value(body, inst, *args.get(position.parse::<usize>().ok()?)?, sharding))
    };
    shardings.iter().filter_map(annotation).collect()
}

/// Refuses what is said of results and of arguments of regions in another form than it has.
fn malformed(function: &Function, problems: &mut Diagnostics) {
    let body = &function.body;
    for inst in body.insts.values() {
        let undecided = inst.attributes.get(UNDECIDED).is_none_or(|attr| match attr {
            Attr::DenseArray(_, positions) => positions.iter().all(|position| {
                usize::try_from(*position).is_ok_and(|position| position < inst.results.len())
            }),
            _ => false,
        });
        let num_args: usize = inst.regions.iter().map(|region| body.regions[*region].args.len()).sum();
        let arguments = inst.attributes.get(ARGUMENTS).is_none_or(|attr| match attr {
            Attr::Dict(shardings) => shardings.iter().all(|(position, attr)| {
                let is_there = position.parse::<usize>().is_ok_and(|position| position < num_args);
                is_there && matches!(attr, Attr::Sharding(_))
            }),
            _ => false,
        });
        let wrong = [
            (undecided, UNDECIDED, "it is `array<i64: 1>`: positions of results, from 0"),
            (arguments, ARGUMENTS, "it is `{\"0\" = #sdy.sharding<...>}`: shardings by position, from 0"),
        ];
        for (_, name, form) in wrong.into_iter().filter(|(fits, ..)| !fits) {
            problems
                .push(Diagnostic::error(ANNOTATION, inst.span, format!("`{name}` does not fit")).hint(form));
        }
    }
}

fn single(attributes: &Attributes) -> Option<&ShardingAttr> {
    match attributes.get("sdy.sharding") {
        Some(Attr::Sharding(sharding)) => Some(sharding),
        _ => None,
    }
}
