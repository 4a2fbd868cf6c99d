//! What is cleaned up after propagation.
//!
//! Input: a program without data-flow edges. Copies of constants that came out alike are merged; sharding groups are
//! removed; constraints become reshards; shardings of arguments, results and regions that do not divide are cut to
//! what does; arguments and results of entry functions lose sub-axes that nobody asked for; every sharding is closed.
//! After Shardy's `export_pipeline.cc`.

use super::annotation::{SHARDING, sharding_of, single, transform};
use super::axis::gcd;
use super::constants;
use super::edit::Editor;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Op;
use meshwright_ir::ops::sdy_constraint::ConstraintKind;
use meshwright_ir::program::Program;
use meshwright_ir::sharding::{AxisRefAttr, MeshRef, ShardingAttr};
use meshwright_tensor::types::Type;
use std::collections::BTreeSet;

/// The results of functions that are called are sharded as what they return.
pub(crate) fn returned_to_results(program: &mut Program, entries: &[usize]) {
    let entries: BTreeSet<usize> = entries.iter().copied().collect();
    for index in (0..program.functions.len()).filter(|index| !entries.contains(index)) {
        if program.functions[index].is_declaration {
            continue;
        }
        for (result, value) in program.functions[index].returned().to_vec().into_iter().enumerate() {
            let sharding = sharding_of(program, index, value);
            let Some(attributes) = program.functions[index].result_attributes.get_mut(result) else {
                continue;
            };
            match sharding {
                Some(sharding) => attributes.set(SHARDING, Attr::Sharding(sharding)),
                None => {
                    attributes.remove(SHARDING);
                }
            }
        }
    }
}

/// Everything else.
pub(crate) fn run(program: &mut Program, entries: &[usize]) {
    constants::merge(program);
    for function in &mut program.functions {
        let mut groups: Vec<InstId> = Vec::new();
        for (id, inst) in function.body.insts.iter() {
            if matches!(inst.op, Op::ShardingGroup(_)) {
                groups.push(id);
            }
        }
        let mut editor = Editor::new(&mut function.body);
        groups.into_iter().for_each(|group| editor.remove(group));
        editor.finish();
        for inst in function.body.insts.values_mut() {
            if let Op::ShardingConstraint(constraint) = &mut inst.op {
                constraint.kind = ConstraintKind::Reshard;
            }
            let is_custom = |attr: &Attr| attr.to_string().contains(", custom");
            if inst.attributes.get("sdy.sharding_rule").is_some_and(|rule| !is_custom(rule)) {
                inst.attributes.remove("sdy.sharding_rule");
            }
        }
    }
    remove_unread_reshards(program);
    divide(program);
    let names: BTreeSet<String> = entries
        .iter()
        .filter_map(|index| program.functions.get(*index))
        .map(|function| function.name.clone())
        .collect();
    for function in program.functions.iter_mut().filter(|function| names.contains(&function.name)) {
        let lists = function.arg_attributes.iter_mut().chain(&mut function.result_attributes);
        for attributes in lists {
            if let Some(sharding) = single(attributes) {
                let whole = without_sub_axes(sharding);
                attributes.set(SHARDING, Attr::Sharding(whole));
            }
        }
    }
    transform(program, &mut |sharding| {
        let mut closed = sharding.clone();
        for dim in &mut closed.dims {
            dim.is_open = false;
            dim.priority = None;
        }
        closed.replicated.clear();
        closed
    });
}

/// Removes reshards that nobody reads.
fn remove_unread_reshards(program: &mut Program) {
    for function in program.functions.iter_mut().filter(|function| !function.is_declaration) {
        let order = function.body.walk(function.body.entry());
        let mut editor = Editor::new(&mut function.body);
        for inst in order.into_iter().rev() {
            let is_unread = |editor: &Editor<'_>| {
                editor.body.insts[inst].results.iter().all(|result| editor.uses(*result).is_empty())
            };
            if matches!(editor.body.insts[inst].op, Op::ShardingConstraint(_)) && is_unread(&editor) {
                editor.remove(inst);
            }
        }
        editor.finish();
    }
}

/// The mesh of a sharding.
fn mesh_of<'m>(meshes: &'m [Mesh], sharding: &'m ShardingAttr) -> Option<&'m Mesh> {
    match &sharding.mesh {
        MeshRef::Symbol(name) => meshes.iter().find(|mesh| mesh.name == *name),
        MeshRef::Inline(mesh) => Some(mesh),
    }
}

/// Cuts shardings at the borders of functions, calls and regions to what divides.
fn divide(program: &mut Program) {
    let meshes: Vec<Mesh> = program.meshes.iter().map(|decl| decl.mesh.clone()).collect();
    let in_attributes = |attributes: &mut Attributes, ty: &Type| {
        if let (Some(sharding), Some(tensor)) = (single(attributes), ty.as_tensor()) {
            let even = evenly(sharding, &tensor.shape, &meshes);
            attributes.set(SHARDING, Attr::Sharding(even));
        }
    };
    for function in &mut program.functions {
        let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
        function
            .arg_attributes
            .iter_mut()
            .zip(&types)
            .for_each(|(attributes, ty)| in_attributes(attributes, ty));
        let results = function.result_attributes.iter_mut().zip(&function.result_types);
        results.for_each(|(attributes, ty)| in_attributes(attributes, ty));
        for inst in function.body.insts.ids().collect::<Vec<_>>() {
            let shapes = |values: &[meshwright_ir::ids::ValueId]| -> Vec<Option<Vec<usize>>> {
                let shape = |ty: &Type| ty.as_tensor().map(|tensor| tensor.shape.clone());
                values.iter().map(|value| shape(function.body.ty(*value))).collect()
            };
            let operands = shapes(&function.body.insts[inst].operands);
            let results = shapes(&function.body.insts[inst].results);
            let each = |list: &mut Vec<ShardingAttr>, shapes: &[Option<Vec<usize>>]| {
                for (sharding, shape) in list.iter_mut().zip(shapes) {
                    if let Some(shape) = shape {
                        *sharding = evenly(sharding, shape, &meshes);
                    }
                }
            };
            let inst = &mut function.body.insts[inst];
            match &mut inst.op {
                Op::ManualComputation(manual) => {
                    each(&mut manual.in_shardings, &operands);
                    each(&mut manual.out_shardings, &results);
                }
                Op::Call(_) => {
                    if let Some(Attr::ShardingPerValue(list)) = inst.attributes.get(SHARDING) {
                        let mut list = list.clone();
                        each(&mut list, &results);
                        inst.attributes.set(SHARDING, Attr::ShardingPerValue(list));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The most of a sharding that divides a shape.
fn evenly(sharding: &ShardingAttr, shape: &[usize], meshes: &[Mesh]) -> ShardingAttr {
    let Some(mesh) = mesh_of(meshes, sharding) else { return sharding.clone() };
    let mut even = sharding.clone();
    for (dim, size) in even.dims.iter_mut().zip(shape) {
        let shards = dim.axes.iter().fold(1usize, |shards, axis| shards.saturating_mul(axis.size(mesh)));
        if shards != 0 && size.is_multiple_of(shards) {
            continue;
        }
        let mut rest = *size as u64;
        let mut axes: Vec<AxisRefAttr> = Vec::new();
        for axis in &dim.axes {
            let own = axis.size(mesh) as u64;
            let shared = gcd(own, rest);
            if shared == 1 {
                break;
            }
            if shared != own {
                let sub_axis = Some((axis.pre_size(), shared as usize));
                axes.push(AxisRefAttr { name: axis.name.clone(), sub_axis });
                break;
            }
            axes.push(axis.clone());
            rest /= shared;
        }
        dim.axes = axes;
        dim.priority = None;
    }
    even
}

/// Without sub-axes in open dims, and what follows them.
fn without_sub_axes(sharding: &ShardingAttr) -> ShardingAttr {
    let mut whole = sharding.clone();
    for dim in whole.dims.iter_mut().filter(|dim| dim.is_open) {
        let kept = dim.axes.iter().take_while(|axis| axis.sub_axis.is_none()).count();
        dim.axes.truncate(kept);
    }
    whole
}
