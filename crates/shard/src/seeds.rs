//! What the user fixed: shardings of arguments, results and intermediate values.
//!
//! Input: a program's annotations (`sdy.sharding` on arguments, results and instructions, `sdy.sharding_constraint`
//! ops; `meshwright.strategy` on instructions). Output: [`Seeds`], resolved against one mesh.

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::{Sharding, ShardingAttr};
use meshwright_ir::verify;
use meshwright_plan::Seeds;
use meshwright_tensor::types::Type;

use crate::given as strategies;
use crate::refusals::refusals;

/// A program is spread over one mesh; annotations are on meshes that cannot be joined to one.
pub const MESHES: Check = Check("several-meshes");

/// An annotation asks for something that propagation does not do.
pub const ANNOTATION: Check = Check("annotation");

/// The mesh that the annotations of a program refer to; `None` if there are no annotations and not exactly one mesh.
/// Errors: annotations refer to meshes whose axes differ, or to one that is not declared.
pub fn annotated_mesh(program: &Program, function: &Function) -> Result<Option<Mesh>, Diagnostics> {
    let refused = refusals(function);
    if !refused.is_empty() {
        return Err(refused);
    }
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
/// axes, none says how to spread anything, and there are no seeds: JAX writes such ones for random keys and callbacks.
/// Errors: an annotation on a mesh with other axes, one that does not fit its tensor, or
/// instructions that cannot be spread.
pub fn seeds_from_annotations(
    program: &Program,
    function: &Function,
    mesh: &Mesh,
) -> Result<Seeds, Diagnostics> {
    let mut seeds = Seeds::none(function);
    let mut problems = refusals(function);
    let mut has_axes = false;
    for annotation in annotations(function) {
        match usable_mesh(program, &annotation) {
            // An empty mesh stands for any.
            Ok(named) if named.is_maximal() => {
                // A sharding on one device has no dims.
                if let (Place::Value(value), Some(tensor)) = (&annotation.place, annotation.ty.as_tensor()) {
                    seeds.values.push((*value, Sharding::replicated(tensor.rank())));
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
                    Place::Value(value) => seeds.values.push((value, sharding)),
                    Place::Result(index) => seeds.results[index] = Some(sharding),
                }
            }
        }
    }
    if !has_axes {
        seeds = Seeds::none(function);
    }
    seeds.strategies = strategies::given(function, mesh, &mut problems);
    seeds.anew = strategies::given_anew(function, &mut problems);
    if problems.is_empty() { Ok(seeds) } else { Err(problems) }
}

pub(crate) enum Place {
    Value(ValueId),
    Result(usize),
}

pub(crate) struct Annotation<'a> {
    pub(crate) place: Place,
    pub(crate) sharding: &'a ShardingAttr,
    pub(crate) ty: &'a Type,
    span: Span,
}

/// The mesh of an annotation, if it is one that a program can be spread over, or an empty one.
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
            "the mesh `{name}` is {found}, of {own} devices, but the program is spread over {spread}, of {all}"
        );
        return Diagnostic::error(MESHES, annotation.span, message).hint(
            "write all annotations against meshes of the same devices; their axes and order may differ",
        );
    }
    let message = format!("the mesh `{name}` is {found}, but the program is spread over {spread}");
    Diagnostic::error(MESHES, annotation.span, message)
        .hint("leave away the given mesh, or write all annotations against meshes with its axes and devices")
}

/// All annotations: arguments, results, then instructions in order of their ids.
pub(crate) fn annotations(function: &Function) -> Vec<Annotation<'_>> {
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
        let own: Vec<&ShardingAttr> =
            (0..inst.results.len()).map_while(|index| inst.op.result_sharding(index)).collect();
        let per_result = match inst.attributes.get("sdy.sharding") {
            _ if !own.is_empty() => own,
            Some(Attr::ShardingPerValue(shardings)) => shardings.iter().collect(),
            _ => continue,
        };
        for (value, sharding) in inst.results.iter().zip(per_result) {
            list.push(Annotation {
                place: Place::Value(*value),
                sharding,
                ty: body.ty(*value),
                span: inst.span,
            });
        }
    }
    list
}

fn single(attributes: &Attributes) -> Option<&ShardingAttr> {
    match attributes.get("sdy.sharding") {
        Some(Attr::Sharding(sharding)) => Some(sharding),
        _ => None,
    }
}
