//! Writes decisions into a program as attributes.
//!
//! Input: a program, its entry function with all calls inlined, and decisions. Output: a program of that one function, in
//! which what is decided is annotated.

use super::{ARGUMENTS, STRATEGY, UNDECIDED, policies, stages, strategy, tiles};
use crate::Decisions;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Def, Function, MeshDecl, Program};
use meshwright_ir::sharding::{Sharding, ShardingAttr};
use meshwright_tensor::types::ElementType;

/// `program` with `function` alone in it, and what is decided annotated: read again, the annotations are the decisions,
/// on `mesh`.
pub fn write(program: &Program, function: &Function, mesh: &Mesh, decisions: &Decisions) -> Program {
    let mut function = function.clone();
    let entry = function.body.entry();
    for (value, sharding) in &decisions.values {
        let attr = sharding.to_attr(mesh);
        match function.body.values[*value].def {
            Def::Argument(region, index) if region == entry => {
                function.arg_attributes[index].set("sdy.sharding", Attr::Sharding(attr));
            }
            Def::Argument(region, index) => annotate_region_argument(&mut function, region, index, attr),
            Def::Result(id, index) => annotate_result(&mut function, mesh, id, index, attr),
        }
    }
    for (sharding, attributes) in decisions.results.iter().zip(&mut function.result_attributes) {
        if let Some(sharding) = sharding {
            attributes.set("sdy.sharding", Attr::Sharding(sharding.to_attr(mesh)));
        }
    }
    for (id, chosen) in &decisions.strategies {
        function.body.insts[*id].attributes.set(STRATEGY, strategy::attr(chosen, mesh));
    }
    policies::write(&mut function, &decisions.policies);
    tiles::write(&mut function, &decisions.tiles);
    stages::write(&mut function, decisions);
    with_mesh(program, function, mesh)
}

/// Annotates one result of an instruction. Its other results stay as they are; those of which nothing is said are listed.
fn annotate_result(function: &mut Function, mesh: &Mesh, id: InstId, index: usize, attr: ShardingAttr) {
    let body = &function.body;
    let inst = &body.insts[id];
    let rank = |value: &ValueId| body.ty(*value).as_tensor().map_or(0, |tensor| tensor.rank());
    // A constraint says so itself.
    if inst.op.result_sharding(0).is_some() {
        let ranks: Vec<usize> = inst.results.iter().map(rank).collect();
        if let Some(own) = function.body.insts[id].op.shardings_mut() {
            own.set_result(index, &ranks, attr);
        }
        return;
    }
    let (mut per_result, mut undecided) = match inst.attributes.get("sdy.sharding") {
        Some(Attr::ShardingPerValue(shardings)) => (shardings.clone(), undecided(&inst.attributes)),
        _ => {
            let open = inst.results.iter().map(|value| Sharding::open(rank(value)).to_attr(mesh)).collect();
            (open, (0..inst.results.len() as i64).collect())
        }
    };
    per_result[index] = attr;
    undecided.retain(|position| *position != index as i64);
    let attributes = &mut function.body.insts[id].attributes;
    attributes.set("sdy.sharding", Attr::ShardingPerValue(per_result));
    if undecided.is_empty() {
        attributes.remove(UNDECIDED);
    } else {
        attributes.set(UNDECIDED, Attr::DenseArray(ElementType::I64, undecided));
    }
}

fn undecided(attributes: &Attributes) -> Vec<i64> {
    match attributes.get(UNDECIDED) {
        Some(Attr::DenseArray(_, positions)) => positions.clone(),
        _ => Vec::new(),
    }
}

/// Annotates an argument of a region of a loop, by its position among the arguments of all regions.
fn annotate_region_argument(function: &mut Function, region: RegionId, index: usize, attr: ShardingAttr) {
    let body = &function.body;
    let Some((id, inst)) = body.insts.iter().find(|(_, inst)| inst.regions.contains(&region)) else { return };
    let before = inst.regions.iter().take_while(|own| **own != region);
    let position = before.map(|own| body.regions[*own].args.len()).sum::<usize>() + index;
    let mut shardings = match inst.attributes.get(ARGUMENTS) {
        Some(Attr::Dict(shardings)) => shardings.clone(),
        _ => Attributes::new(),
    };
    shardings.set(position.to_string(), Attr::Sharding(attr));
    function.body.insts[id].attributes.set(ARGUMENTS, Attr::Dict(shardings));
}

/// `program` with `function` alone in it; a mesh of that name that has other axes is replaced.
pub fn with_mesh(program: &Program, function: Function, mesh: &Mesh) -> Program {
    let mut meshes = program.meshes.clone();
    match meshes.iter_mut().find(|decl| decl.mesh.name == mesh.name) {
        Some(decl) if decl.mesh == *mesh => {}
        Some(decl) => *decl = declaration(mesh),
        None => meshes.push(declaration(mesh)),
    }
    Program { meshes, functions: vec![function], ..program.clone() }
}

fn declaration(mesh: &Mesh) -> MeshDecl {
    MeshDecl {
        mesh: mesh.clone(),
        attributes: Attributes::new(),
        position: 0,
        location: None,
        span: Span::NONE,
    }
}
