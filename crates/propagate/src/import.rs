//! What is brought into one form before propagation.
//!
//! Input: a verified program. Meshes written out inside shardings become declared ones, and meshes that are alike one;
//! axes of size 1 disappear from shardings; a call without shardings takes those of the callee's results; a manual
//! computation lists its axes in mesh order, and shardings at its border keep the manual axes free that they do not
//! use. After Shardy's passes of the same purposes under `transforms/import`.

use super::annotation::{SHARDING, single, transform};
use super::calls::positions;
use super::edges::calls;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Op;
use meshwright_ir::program::{MeshDecl, Program};
use meshwright_ir::sdy::axes::sort_and_merge;
use meshwright_ir::sharding::{AxisRefAttr, MeshRef, ShardingAttr};

/// Declares meshes that are written out, and uses one name for meshes that are alike.
pub(crate) fn lift_meshes(program: &mut Program) {
    let mut meshes: Vec<Mesh> = Vec::new();
    for declared in &program.meshes {
        if !meshes.iter().any(|other| other.is_like(&declared.mesh)) {
            meshes.push(declared.mesh.clone());
        }
    }
    let declared: Vec<Mesh> = program.meshes.iter().map(|decl| decl.mesh.clone()).collect();
    let mut lifted: Vec<Mesh> = Vec::new();
    transform(program, &mut |sharding| {
        let own = match &sharding.mesh {
            MeshRef::Symbol(name) => declared.iter().find(|mesh| mesh.name == *name),
            MeshRef::Inline(mesh) => Some(&**mesh),
        };
        let Some(own) = own else { return sharding.clone() };
        let known =
            meshes.iter().chain(&lifted).find(|other| other.is_like(own)).map(|mesh| mesh.name.clone());
        let name = known.unwrap_or_else(|| {
            let taken = |name: &str| declared.iter().chain(&lifted).any(|mesh| mesh.name == name);
            let base = match own.device_ids() {
                [device] if own.is_maximal() => format!("maximal_mesh_{device}"),
                _ if own.is_empty() => "empty_mesh".to_owned(),
                _ => "mesh".to_owned(),
            };
            let numbered = (0..=declared.len() + lifted.len()).map(|number| format!("{base}_{number}"));
            let name =
                std::iter::once(base.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(base);
            lifted.push(own.named(name.clone()));
            name
        });
        ShardingAttr { mesh: MeshRef::Symbol(name), ..sharding.clone() }
    });
    let declarations = lifted.into_iter().map(|mesh| MeshDecl {
        mesh,
        attributes: Attributes::new(),
        position: 0,
        span: Span::NONE,
        location: None,
    });
    program.meshes.extend(declarations);
}

/// Drops axes of size 1 from all shardings.
pub(crate) fn remove_axes_of_size_one(program: &mut Program) {
    let meshes = program.meshes.clone();
    transform(program, &mut |sharding| {
        let mesh = match &sharding.mesh {
            MeshRef::Symbol(name) => meshes.iter().map(|decl| &decl.mesh).find(|mesh| mesh.name == *name),
            MeshRef::Inline(mesh) => Some(&**mesh),
        };
        let Some(mesh) = mesh else { return sharding.clone() };
        let counts = |axis: &AxisRefAttr| axis.size(mesh) != 1;
        let mut sharding = sharding.clone();
        for dim in &mut sharding.dims {
            dim.axes.retain(counts);
            if dim.axes.is_empty() && !dim.is_open {
                dim.priority = None;
            }
        }
        sharding.replicated.retain(counts);
        sharding.unreduced.retain(counts);
        sharding
    });
}

/// A call without shardings takes those of the callee's results, if it has some.
pub(crate) fn results_to_calls(program: &mut Program) {
    let positions = positions(program);
    for (function, inst, callee) in calls(program) {
        let Some(callee) = positions.get(&callee).map(|index| &program.functions[*index]) else { continue };
        let results: Vec<Option<&ShardingAttr>> = callee.result_attributes.iter().map(single).collect();
        let Some(mesh) = results.iter().flatten().next().map(|sharding| sharding.mesh.clone()) else {
            continue;
        };
        let list: Vec<ShardingAttr> = results
            .iter()
            .zip(&callee.result_types)
            .map(|(sharding, ty)| match sharding {
                Some(sharding) => (*sharding).clone(),
                None => ShardingAttr::open(mesh.clone(), ty.as_tensor().map_or(0, |tensor| tensor.rank())),
            })
            .collect();
        let call = &mut program.functions[function].body.insts[inst];
        if call.attributes.get(SHARDING).is_none() {
            call.attributes.set(SHARDING, Attr::ShardingPerValue(list));
        }
    }
}

/// Sorts manual axes, and keeps those free that a sharding at the border does not use.
pub(crate) fn clean_manual_axes(program: &mut Program) {
    let declared = program.meshes.clone();
    for function in &mut program.functions {
        let body = &mut function.body;
        for inst in body.insts.ids().collect::<Vec<_>>() {
            let types = |values: &[meshwright_ir::ids::ValueId]| -> Vec<bool> {
                values.iter().map(|value| body.ty(*value).as_tensor().is_some()).collect()
            };
            let is_tensor = [types(&body.insts[inst].operands), types(&body.insts[inst].results)];
            let Op::ManualComputation(manual) = &mut body.insts[inst].op else { continue };
            let all = manual.in_shardings.iter().chain(&manual.out_shardings);
            let resolved = all.filter_map(|sharding| match &sharding.mesh {
                MeshRef::Symbol(name) => {
                    let mesh = declared.iter().map(|decl| &decl.mesh).find(|mesh| mesh.name == *name)?;
                    Some((sharding.mesh.clone(), mesh.clone()))
                }
                MeshRef::Inline(mesh) => Some((sharding.mesh.clone(), (**mesh).clone())),
            });
            let resolved: Vec<(MeshRef, Mesh)> = resolved.collect();
            let common = resolved.iter().find(|(_, mesh)| !mesh.is_empty()).or(resolved.first());
            let Some((mesh_ref, mesh)) = common else { continue };
            manual.manual_axes.sort_by_key(|name| mesh.axis_named(name));
            let axes: Vec<AxisRefAttr> =
                manual.manual_axes.iter().map(|name| AxisRefAttr::whole(name)).collect();
            let lists = [&mut manual.in_shardings, &mut manual.out_shardings];
            for (list, is_tensor) in lists.into_iter().zip(&is_tensor) {
                for sharding in
                    list.iter_mut().zip(is_tensor).filter(|(_, is_tensor)| **is_tensor).map(|(own, _)| own)
                {
                    keep_free(sharding, &axes, mesh_ref, mesh);
                }
            }
        }
    }
}

/// Adds what a sharding leaves of `axes` to those that stay free.
fn keep_free(sharding: &mut ShardingAttr, axes: &[AxisRefAttr], mesh_ref: &MeshRef, mesh: &Mesh) {
    let used: Vec<AxisRefAttr> = sharding
        .dims
        .iter()
        .flat_map(|dim| &dim.axes)
        .chain(&sharding.replicated)
        .chain(&sharding.unreduced)
        .cloned()
        .collect();
    let mut unused = Vec::new();
    for axis in axes {
        let (mut at, end) = (1, axis.next_pre_size(mesh));
        let mut taken: Vec<(usize, usize)> = used
            .iter()
            .filter(|other| other.name == axis.name)
            .map(|other| (other.pre_size(), other.next_pre_size(mesh)))
            .collect();
        taken.sort_unstable();
        if end == 1 && taken.is_empty() {
            unused.push(axis.clone());
        }
        for (start, stop) in taken.into_iter().chain([(end, end)]) {
            if start > at {
                let is_whole = at == 1 && start == end;
                let sub_axis = if is_whole { None } else { Some((at, start / at)) };
                unused.push(AxisRefAttr { name: axis.name.clone(), sub_axis });
            }
            at = at.max(stop);
        }
    }
    if !unused.is_empty() {
        sharding.mesh.clone_from(mesh_ref);
        sharding.replicated =
            sort_and_merge([std::mem::take(&mut sharding.replicated), unused].concat(), mesh);
    }
}
