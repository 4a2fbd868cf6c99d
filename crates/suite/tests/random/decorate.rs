//! Random `sdy` and random attributes all over a program.
//!
//! Input: a verified program. Output: the same program with more meshes, and with attributes, shardings and `sdy` ops
//! that fit. What it computes is another matter.

use super::attributes::{attributes, mesh_ref, pieces, sharding, string};
use super::rng::Rng;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::mesh::{Axis, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::ops::constant::Constant;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::sdy_barrier::{Direction, PropagationBarrier};
use meshwright_ir::ops::sdy_collective::{Change, SdyCollective};
use meshwright_ir::ops::sdy_constant::SdyConstant;
use meshwright_ir::ops::sdy_constraint::{ConstraintKind, ShardingConstraint};
use meshwright_ir::ops::sdy_edge::DataFlowEdge;
use meshwright_ir::ops::sdy_manual_computation::ManualComputation;
use meshwright_ir::ops::sdy_named_computation::NamedComputation;
use meshwright_ir::ops::sdy_sharding_group::ShardingGroup;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::{Body, MeshDecl, Program, Region};
use meshwright_ir::sdy::axes::push_or_merge;
use meshwright_ir::sdy::{AllToAllParam, OpShardingRule, SdyAttr};
use meshwright_ir::sharding::{AxisRefAttr, DimShardingAttr, Reduction, ShardingAttr};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{TensorType, Type};
use std::sync::Arc;

/// Decorates `program`.
pub(crate) fn decorate(program: &mut Program, seed: u64) {
    let rng = &mut Rng::new(seed ^ 0x5D1);
    meshes(rng, program);
    let meshes = program.meshes.clone();
    program.attributes = attributes(rng, &meshes, 2);
    program.name = rng.chance(50).then(|| format!("m{}", string(rng)));
    for function in &mut program.functions {
        function.attributes = attributes(rng, &meshes, 2);
        let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
        for (ty, own) in types.iter().zip(&mut function.arg_attributes) {
            value_attributes(rng, &meshes, ty, own);
        }
        for (ty, own) in function.result_types.iter().zip(&mut function.result_attributes) {
            value_attributes(rng, &meshes, ty, own);
        }
        // Reducers have short forms that leave out attributes, as MLIR's printer does.
        let mut regions = vec![function.body.entry()];
        let loops = function.body.insts.values().filter(|inst| inst.op.carries_values());
        regions.extend(loops.flat_map(|inst| inst.regions.iter().copied()));
        for inst in
            regions.iter().flat_map(|region| function.body.regions[*region].insts.clone()).collect::<Vec<_>>()
        {
            annotate(rng, &meshes, &mut function.body, inst);
        }
        for _ in 0..rng.below(6) {
            let region = rng.pick(&regions);
            Inserter::at(rng, &meshes, &mut function.body, region).run();
        }
    }
}

/// Meshes of every kind beside the program's own, before and behind the functions.
fn meshes(rng: &mut Rng, program: &mut Program) {
    let axis = |name: &str, size: usize| Axis { name: name.into(), size };
    let kinds = [
        Mesh::new("empty", Vec::new()),
        Mesh::with_device_ids("maximal", Vec::new(), vec![rng.below(9)]),
        Mesh::with_device_ids("turned", vec![axis("x", 2), axis("y y", 2)], vec![3, 1, 2, 0]),
        Mesh::new("big mesh", vec![axis("a", 12), axis("\"", 1), axis("c", 8)]),
    ];
    for mesh in kinds.into_iter().map(|mesh| mesh.expect("a mesh")) {
        if rng.chance(50) {
            let attributes = attributes(rng, &program.meshes, 1);
            let position = rng.below(program.functions.len() + 1);
            program.meshes.push(MeshDecl { mesh, attributes, position, location: None, span: Span::NONE });
        }
    }
    program.meshes.sort_by_key(|decl| decl.position);
}

fn value_attributes(rng: &mut Rng, meshes: &[MeshDecl], ty: &Type, own: &mut Attributes) {
    *own = attributes(rng, meshes, 1);
    if rng.chance(50) {
        let rank = ty.as_tensor().map_or(0, TensorType::rank);
        own.set("sdy.sharding", Attr::Sharding(sharding_for(rng, meshes, ty, rank)));
    }
}

/// Tokens have shardings that say nothing.
fn sharding_for(rng: &mut Rng, meshes: &[MeshDecl], ty: &Type, rank: usize) -> ShardingAttr {
    let mut found = sharding(rng, meshes, rank);
    if ty.as_tensor().is_none() {
        found = ShardingAttr { replicated: Vec::new(), unreduced: Vec::new(), ..found };
    }
    found
}

/// Attributes of an instruction, and a sharding for each of its results.
fn annotate(rng: &mut Rng, meshes: &[MeshDecl], body: &mut Body, inst: InstId) {
    if rng.chance(60) {
        return;
    }
    let mut own = attributes(rng, meshes, 2);
    let types: Vec<Type> = body.insts[inst].results.iter().map(|value| body.ty(*value).clone()).collect();
    let per_result = types.iter().map(|ty| {
        let rank = ty.as_tensor().map_or(0, TensorType::rank);
        sharding_for(rng, meshes, ty, rank)
    });
    own.set("sdy.sharding", Attr::ShardingPerValue(per_result.collect()));
    body.insts[inst].attributes = own;
}

/// Inserts instructions somewhere in a region.
struct Inserter<'a> {
    rng: &'a mut Rng,
    meshes: &'a [MeshDecl],
    body: &'a mut Body,
    region: RegionId,
    position: usize,
}

impl<'a> Inserter<'a> {
    fn at(rng: &'a mut Rng, meshes: &'a [MeshDecl], body: &'a mut Body, region: RegionId) -> Self {
        let position = rng.below(body.regions[region].insts.len());
        Self { rng, meshes, body, region, position }
    }

    fn insert(
        &mut self,
        op: impl Into<Op>,
        operands: Vec<ValueId>,
        regions: Vec<RegionId>,
        types: Vec<Type>,
    ) -> Vec<ValueId> {
        let inst = self.body.append(self.region, op.into(), operands, regions, types, Span::NONE);
        let insts = &mut self.body.regions[self.region].insts;
        insts.pop();
        insts.insert(self.position, inst);
        self.position += 1;
        self.body.insts[inst].results.clone()
    }

    fn identity(&mut self, op: impl Into<Op>, value: ValueId) -> ValueId {
        let ty = self.body.ty(value).clone();
        self.insert(op, vec![value], Vec::new(), vec![ty])[0]
    }

    fn run(&mut self) {
        let before = &self.body.regions[self.region];
        let mut values: Vec<ValueId> = before.args.clone();
        values.extend(before.insts[..self.position].iter().flat_map(|inst| &self.body.insts[*inst].results));
        // What an edge reads has no other use.
        let edges = self.body.insts.values().filter(|inst| matches!(inst.op, Op::DataFlowEdge(_)));
        let taken: Vec<ValueId> = edges.flat_map(|inst| inst.operands.iter().copied()).collect();
        values.retain(|value| self.body.ty(*value).as_tensor().is_some() && !taken.contains(value));
        if values.is_empty() {
            return;
        }
        let value = self.rng.pick(&values);
        let tensor = self.body.tensor(value).clone();
        if !tensor.element.is_float() {
            return;
        }
        // A value without a sharding and without other uses.
        let fresh = self.identity(Unary::Negate, value);
        match self.rng.below(9) {
            0 => {
                let kind = self.rng.pick(&[ConstraintKind::Constraint, ConstraintKind::Reshard]);
                let sharding = sharding(self.rng, self.meshes, tensor.rank());
                self.identity(ShardingConstraint { kind, sharding }, fresh);
            }
            1 => {
                let allowed = self.rng.pick(&[Direction::None, Direction::Forward, Direction::Backward]);
                self.identity(PropagationBarrier { allowed }, fresh);
            }
            2 => {
                let id = self.rng.next() as i64;
                self.insert(ShardingGroup { id }, vec![fresh], Vec::new(), Vec::new());
            }
            3 => {
                let sharding = self.rng.chance(50).then(|| sharding(self.rng, self.meshes, tensor.rank()));
                self.identity(DataFlowEdge::Inst(sharding), fresh);
            }
            4 => {
                let constant = Constant { value: Literal::splat(tensor.clone(), 0.5) };
                self.insert(SdyConstant { constant }, Vec::new(), Vec::new(), vec![tensor.into()]);
            }
            5 => self.rule(&tensor, fresh),
            6 => self.named_computation(&tensor, fresh),
            7 => self.manual_computation(&tensor, fresh),
            _ => self.collectives(&tensor, fresh),
        }
    }

    fn rule(&mut self, tensor: &TensorType, value: ValueId) {
        let dims: Vec<Vec<usize>> = (0..tensor.rank()).map(|dim| vec![dim]).collect();
        let rule = OpShardingRule {
            operands: vec![dims.clone()],
            results: vec![dims],
            sizes: tensor.shape.iter().map(|size| *size as i64).collect(),
            need_replication: (0..tensor.rank()).filter(|_| self.rng.chance(30)).collect(),
            blocked_propagation: (0..tensor.rank()).filter(|_| self.rng.chance(30)).collect(),
            is_custom: self.rng.chance(50),
            ..OpShardingRule::default()
        };
        self.identity(Unary::Tanh, value);
        let inst = self.body.regions[self.region].insts[self.position - 1];
        self.body.insts[inst].attributes.set("sdy.sharding_rule", Attr::Sdy(Arc::new(SdyAttr::Rule(rule))));
    }

    /// A region that negates its only argument.
    fn region(&mut self, ty: &Type) -> RegionId {
        let region = self.body.regions.push(Region::default());
        let argument = self.body.add_arg(region, ty.clone(), Span::NONE);
        let inst = self.body.append(
            region,
            Unary::Negate.into(),
            vec![argument],
            Vec::new(),
            vec![ty.clone()],
            Span::NONE,
        );
        let result = self.body.insts[inst].results[0];
        self.body.append(region, Return::Sdy.into(), vec![result], Vec::new(), Vec::new(), Span::NONE);
        region
    }

    fn named_computation(&mut self, tensor: &TensorType, value: ValueId) {
        let ty = Type::from(tensor.clone());
        let region = self.region(&ty);
        let mut shardings =
            || self.rng.chance(50).then(|| vec![sharding(self.rng, self.meshes, tensor.rank())]);
        let (in_shardings, out_shardings) = (shardings(), shardings());
        let name = string(self.rng);
        self.insert(
            NamedComputation { name, in_shardings, out_shardings },
            vec![value],
            vec![region],
            vec![ty],
        );
    }

    /// Whole axes that divide the dims are manual.
    fn manual_computation(&mut self, tensor: &TensorType, value: ValueId) {
        let (name, mesh) = mesh_ref(self.rng, self.meshes);
        let mut dims = vec![DimShardingAttr::default(); tensor.rank()];
        let (mut local, mut manual_axes) = (tensor.shape.clone(), Vec::new());
        for axis in mesh.axes() {
            let dim = self.rng.below(tensor.rank() + 1);
            if dim < tensor.rank() && local[dim].is_multiple_of(axis.size) {
                local[dim] /= axis.size;
                dims[dim].axes.push(AxisRefAttr::whole(&axis.name));
                manual_axes.push(axis.name.clone());
            }
        }
        let sharding = ShardingAttr {
            mesh: name,
            dims,
            replicated: Vec::new(),
            unreduced: Vec::new(),
            reduction: Reduction::Sum,
        };
        let region = self.region(&TensorType::new(local, tensor.element).into());
        let (in_shardings, out_shardings) = (vec![sharding.clone()], vec![sharding]);
        let op = ManualComputation { in_shardings, out_shardings, manual_axes };
        self.insert(op, vec![value], vec![region], vec![tensor.clone().into()]);
    }

    /// Slices along random axes, and undoes it in one of several ways.
    fn collectives(&mut self, tensor: &TensorType, value: ValueId) {
        let (name, mesh) = mesh_ref(self.rng, self.meshes);
        let rank = tensor.rank();
        let mut lists: Vec<Vec<AxisRefAttr>> = vec![Vec::new(); rank];
        for piece in pieces(self.rng, mesh) {
            let dim = self.rng.below(rank + 1);
            if dim < rank {
                push_or_merge(&mut lists[dim], &piece, mesh);
            }
        }
        let of = |lists: &[Vec<AxisRefAttr>]| ShardingAttr {
            mesh: name.clone(),
            dims: lists
                .iter()
                .map(|axes| DimShardingAttr { axes: axes.clone(), ..Default::default() })
                .collect(),
            replicated: Vec::new(),
            unreduced: Vec::new(),
            reduction: Reduction::Sum,
        };
        let (sliced, none) = (of(&lists), of(&vec![Vec::new(); rank]));
        let change = match self.rng.chance(50) {
            true => Change::AllSlice(lists.clone()),
            false => Change::ReduceScatter(
                self.rng.pick(&[Reduction::Sum, Reduction::Max, Reduction::Min]),
                lists.clone(),
            ),
        };
        let value = self.identity(SdyCollective { change, out_sharding: sliced.clone() }, value);
        let all: Vec<AxisRefAttr> = meshwright_ir::sdy::axes::sort_and_merge(lists.concat(), mesh);
        let unreduced = ShardingAttr { unreduced: all.clone(), ..none.clone() };
        match self.rng.below(4) {
            0 => {
                self.identity(SdyCollective { change: Change::AllGather(lists), out_sharding: none }, value);
            }
            1 => {
                self.identity(
                    SdyCollective { change: Change::CollectivePermute, out_sharding: sliced },
                    value,
                );
            }
            2 => {
                let change = Change::ShardedToUnreduced(lists);
                let value = self.identity(SdyCollective { change, out_sharding: unreduced }, value);
                let change = Change::AllReduce(Reduction::Sum, all.clone());
                let value = self.identity(SdyCollective { change, out_sharding: none.clone() }, value);
                if !all.is_empty() {
                    let out_sharding = ShardingAttr { unreduced: all.clone(), ..none };
                    self.identity(
                        SdyCollective { change: Change::ReplicatedToUnreduced(all), out_sharding },
                        value,
                    );
                }
            }
            _ => {
                let source = lists.iter().position(|axes| !axes.is_empty());
                let (Some(source), true) = (source, rank > 1) else { return };
                let target = if source == 0 { 1 } else { 0 };
                let axes = vec![lists[source].pop().expect("an axis")];
                axes.iter().for_each(|axis| push_or_merge(&mut lists[target], axis, mesh));
                let params = vec![AllToAllParam { axes, source: source as i64, target: target as i64 }];
                let out_sharding = of(&lists);
                self.identity(SdyCollective { change: Change::AllToAll(params), out_sharding }, value);
            }
        }
    }
}
