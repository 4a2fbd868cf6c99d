//! An entry function that is the program of one device along some axes (`sdy.func_manual_axes`).
//!
//! Input: a verified program. Output: the same program with the function's body in an `sdy.manual_computation` over
//! these axes, so that nobody behind has to ask. Nothing says how the tensors of the devices along a manual axis make
//! up larger ones, so the function's arguments and results are kept whole along them: all these devices are given the
//! same arguments.
//!
//! On a function that is called the attribute repeats what the manual computation around the call says.

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::RegionId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::HoldsShardings;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::sdy_manual_computation::ManualComputation;
use meshwright_ir::program::{Body, Def, Function, Program, Region};
use meshwright_ir::sdy::SdyAttr;
use meshwright_ir::sharding::{AxisRefAttr, DimShardingAttr, MeshRef, Reduction, ShardingAttr};
use meshwright_ir::verify::STRUCTURE;
use meshwright_tensor::types::Type;

/// The attribute that names the axes.
pub const MANUAL_AXES: &str = "sdy.func_manual_axes";

/// The attribute that holds a sharding.
const SHARDING: &str = "sdy.sharding";

/// The program with the entry function's body in a manual computation; `None` if the function does not say that it is
/// one. The mesh is the first with these axes that a sharding in the function is over, else the first of the module.
///
/// # Errors
/// No mesh has the axes; an argument or a result is sharded along them.
pub fn read(program: &Program) -> Result<Option<Program>, Diagnostics> {
    let Some(main) = program.main() else { return Ok(None) };
    let Some(Attr::Sdy(attribute)) = main.attributes.get(MANUAL_AXES) else { return Ok(None) };
    let SdyAttr::ManualAxes(axes) = &**attribute else { return Ok(None) };
    if axes.is_empty() || main.is_declaration {
        return Ok(None);
    }
    let has_axes = |mesh: &&Mesh| axes.iter().all(|axis| mesh.axis_named(axis).is_some());
    let used = shardings(main);
    let used = used.iter().filter_map(|sharding| program.resolve_mesh(&sharding.mesh));
    let Some(mesh) = used.chain(program.meshes.iter().map(|decl| &decl.mesh)).find(has_axes) else {
        let message =
            format!("`@{}` is manual along \"{}\", but no mesh has that", main.name, axes.join("\", \""));
        return Err(vec![Diagnostic::error(STRUCTURE, main.span, message).hint(
            "declare the mesh at the top of the module: sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>",
        )]);
    };
    let problems = sharded(main, axes);
    if !problems.is_empty() {
        return Err(problems);
    }
    let wrapped = wrapped(main, axes, mesh);
    let mut program = program.clone();
    for function in program.functions.iter_mut().filter(|function| function.name == wrapped.name) {
        *function = wrapped.clone();
    }
    Ok(Some(program))
}

/// The shardings in a function: those of arguments and results, then those of instructions.
fn shardings(function: &Function) -> Vec<ShardingAttr> {
    let body = &function.body;
    let outer = function.arg_attributes.iter().chain(&function.result_attributes);
    let mut found: Vec<ShardingAttr> = outer.filter_map(given).cloned().collect();
    for inst in body.walk(body.entry()).into_iter().map(|inst| &body.insts[inst]) {
        if let Some(Attr::ShardingPerValue(shardings)) = inst.attributes.get(SHARDING) {
            found.extend(shardings.iter().cloned());
        }
        let mut op = inst.op.clone();
        let own = op.shardings_mut().into_iter().flat_map(HoldsShardings::all_mut);
        found.extend(own.map(|sharding| sharding.clone()));
    }
    found
}

/// What is wrong with arguments and results that are sharded along manual axes.
fn sharded(function: &Function, axes: &[String]) -> Diagnostics {
    let args = function.args().iter().map(|arg| function.body.values[*arg].span);
    let args = function.arg_attributes.iter().zip(args).enumerate();
    let args = args.map(|(index, (attributes, span))| ("argument", index, attributes, span));
    let results = function.result_attributes.iter().enumerate();
    let results = results.map(|(index, attributes)| ("result", index, attributes, function.span));
    let problem =
        |(what, index, attributes, span): (&str, usize, &Attributes, Span)| {
            let sharding = given(attributes)?;
            let used = sharding.dims.iter().flat_map(|dim| &dim.axes).chain(&sharding.unreduced);
            let axis = used.into_iter().find(|axis| axes.contains(&axis.name))?;
            let name = &function.name;
            let message = format!(
                "{what} {index} of `@{name}` is sharded along {axis}, along which the function is manual"
            );
            Some(Diagnostic::error(STRUCTURE, span, message).hint(
                "give the part that one device has as the type, and leave the axis out of the sharding",
            ))
        };
    args.chain(results).filter_map(problem).collect()
}

/// What the attributes of an argument or a result say of its sharding.
fn given(attributes: &Attributes) -> Option<&ShardingAttr> {
    match attributes.get(SHARDING) {
        Some(Attr::Sharding(sharding)) => Some(sharding),
        _ => None,
    }
}

/// The function with its contents in a manual computation; ids of these stay.
fn wrapped(function: &Function, axes: &[String], mesh: &Mesh) -> Function {
    let mut manual_axes = axes.to_vec();
    manual_axes.sort_by_key(|name| mesh.axis_named(name));
    let own = &function.body;
    let crossing = |ty: &Type, attributes: Option<&Attributes>| crossing(ty, attributes, &manual_axes, mesh);
    let in_shardings = function.args().iter().enumerate();
    let in_shardings =
        in_shardings.map(|(index, arg)| crossing(own.ty(*arg), function.arg_attributes.get(index)));
    let out_shardings = function.result_types.iter().enumerate();
    let out_shardings = out_shardings.map(|(index, ty)| crossing(ty, function.result_attributes.get(index)));
    let op = ManualComputation {
        in_shardings: in_shardings.collect(),
        out_shardings: out_shardings.collect(),
        manual_axes: manual_axes.clone(),
    };
    let mut wrapped = function.clone();
    wrapped.attributes.remove(MANUAL_AXES);
    let region = contents_inside(&mut wrapped.body);
    let (operands, types) = (wrapped.args().to_vec(), function.result_types.clone());
    let entry = wrapped.body.entry();
    let (span, location) = (function.span, function.location.clone());
    let mut builder = BodyBuilder { body: &mut wrapped.body, region: entry, span, location };
    let results = builder.emit_all(op, &operands, vec![region], types);
    builder.add_all(Return::Func, &results, Vec::new());
    wrapped
}

/// Moves all that a function does into a new region, which it returns; the function's own has only arguments then.
fn contents_inside(body: &mut Body) -> RegionId {
    let entry = body.entry();
    let args = std::mem::take(&mut body.regions[entry].args);
    let insts = std::mem::take(&mut body.regions[entry].insts);
    if let Some(last) = insts.last() {
        body.insts[*last].op = Return::Sdy.into();
    }
    let inside = body.regions.push(Region { args: args.clone(), arg_locations: Vec::new(), insts });
    for (index, arg) in args.into_iter().enumerate() {
        body.values[arg].def = Def::Argument(inside, index);
        let (ty, span) = (body.ty(arg).clone(), body.values[arg].span);
        body.add_arg(entry, ty, span);
    }
    inside
}

/// The sharding at the border: what the function says of the value, and all manual axes kept off it.
fn crossing(ty: &Type, attributes: Option<&Attributes>, manual_axes: &[String], mesh: &Mesh) -> ShardingAttr {
    let open = DimShardingAttr { is_open: true, ..DimShardingAttr::default() };
    let mut sharding = attributes.and_then(given).cloned().unwrap_or_else(|| ShardingAttr {
        mesh: MeshRef::Symbol(mesh.name.clone()),
        dims: vec![open; ty.as_tensor().map_or(0, |tensor| tensor.rank())],
        replicated: Vec::new(),
        unreduced: Vec::new(),
        reduction: Reduction::Sum,
    });
    let named: Vec<&String> = sharding.replicated.iter().map(|axis| &axis.name).collect();
    let free: Vec<AxisRefAttr> = manual_axes
        .iter()
        .filter(|name| !named.contains(name))
        .map(|name| AxisRefAttr::whole(name))
        .collect();
    sharding.replicated.extend(free);
    sharding.replicated.sort_by_key(|axis| (mesh.axis_named(&axis.name), axis.sub_axis));
    sharding
}
