//! Random attributes and shardings: everything that a program may carry besides its ops.
//!
//! Input: a source of random numbers and the meshes of a program. Output: attributes that the reader must give back as
//! they are, and shardings that fit.

use super::rng::Rng;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::MeshDecl;
use meshwright_ir::sdy::axes::{push_or_merge, sort_and_merge};
use meshwright_ir::sdy::{AllToAllParam, AxisEdge, EdgeValue, OpShardingRule, PropagationStep, SdyAttr};
use meshwright_ir::sharding::{AxisRefAttr, DimShardingAttr, MeshRef, Reduction, ShardingAttr};
use meshwright_tensor::literal::{Literal, LiteralData, element_bytes, float_bytes, read_f64};
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::sync::Arc;

/// The axes of a mesh, some of them cut into parts, in random order.
pub(crate) fn pieces(rng: &mut Rng, mesh: &Mesh) -> Vec<AxisRefAttr> {
    let mut pieces: Vec<AxisRefAttr> = Vec::new();
    for axis in mesh.axes() {
        let mut pre_size = 1;
        while pre_size < axis.size || (axis.size == 1 && pre_size == 1) {
            let rest = axis.size / pre_size;
            let sizes: Vec<usize> = (1..=rest).filter(|size| rest.is_multiple_of(*size)).collect();
            let size = rng.pick(&sizes).max(if rest == 1 { 1 } else { 2 });
            let size = if rest.is_multiple_of(size) { size } else { rest };
            let sub_axis = (size != axis.size).then_some((pre_size, size));
            pieces.push(AxisRefAttr { name: axis.name.clone(), sub_axis });
            pre_size *= size;
            if rest == 1 {
                break;
            }
        }
    }
    for at in (1..pieces.len()).rev() {
        pieces.swap(at, rng.below(at + 1));
    }
    pieces
}

/// A mesh with axes, by name or written out.
pub(crate) fn mesh_ref<'m>(rng: &mut Rng, meshes: &'m [MeshDecl]) -> (MeshRef, &'m Mesh) {
    let with_axes: Vec<&Mesh> =
        meshes.iter().map(|decl| &decl.mesh).filter(|mesh| !mesh.axes().is_empty()).collect();
    let mesh = rng.pick(&with_axes);
    if rng.chance(80) {
        return (MeshRef::Symbol(mesh.name.clone()), mesh);
    }
    (MeshRef::Inline(Arc::new(unnamed(mesh))), mesh)
}

fn unnamed(mesh: &Mesh) -> Mesh {
    let mut unnamed = mesh.clone();
    unnamed.name.clear();
    unnamed
}

/// A sharding that fits a tensor with `rank` dims; unreduced axes are sums.
pub(crate) fn sharding(rng: &mut Rng, meshes: &[MeshDecl], rank: usize) -> ShardingAttr {
    let (name, mesh) = mesh_ref(rng, meshes);
    let mut dims = vec![DimShardingAttr::default(); rank];
    let (mut replicated, mut unreduced) = (Vec::new(), Vec::new());
    for piece in pieces(rng, mesh) {
        match rng.below(rank + 4) {
            0 => replicated.push(piece),
            1 => unreduced.push(piece),
            2 | 3 => {}
            dim => push_or_merge(&mut dims[dim - 4].axes, &piece, mesh),
        }
    }
    for dim in &mut dims {
        dim.is_open = rng.chance(40);
        if rng.chance(20) && (dim.is_open || !dim.axes.is_empty()) {
            dim.priority = Some(rng.pick(&[0, 1, 7, i64::MAX as u64]));
        }
    }
    let replicated = sort_and_merge(replicated, mesh);
    let unreduced = sort_and_merge(unreduced, mesh);
    ShardingAttr { mesh: name, dims, replicated, unreduced, reduction: Reduction::Sum }
}

/// Text with whatever a string may hold.
pub(crate) fn string(rng: &mut Rng) -> String {
    let parts = [
        "a", "B_2", " ", "\"", "\\", "\n", "\t", "\u{7f}", "é", "漢", "\\n", "22", "//", "{", "0x", "::@",
        "-",
    ];
    (0..rng.below(6)).map(|_| rng.pick(&parts)).collect()
}

fn element(rng: &mut Rng) -> ElementType {
    let all: Vec<ElementType> = ElementType::ALL.iter().map(|(element, _)| *element).collect();
    rng.pick(&all)
}

fn float(rng: &mut Rng) -> (f64, ElementType) {
    let element = rng.pick(&[ElementType::F16, ElementType::Bf16, ElementType::F32, ElementType::F64]);
    let value = match rng.below(6) {
        0 => rng.pick(&[0.0, -0.0, 1.0, -1.5, 0.1, 1e30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]),
        1 => f64::from_bits(rng.next()),
        2 => f64::from(f32::from_bits(rng.next() as u32)),
        _ => (rng.next() % 100_000) as f64 / 1000.0,
    };
    let bytes = float_bytes(value, element);
    (read_f64(&bytes, element), element)
}

fn literal(rng: &mut Rng) -> Literal {
    let element = element(rng);
    let shape: Vec<usize> = (0..rng.below(4)).map(|_| rng.pick(&[0, 1, 2, 3, 5])).collect();
    let count: usize = shape.iter().product();
    let size = element_bytes(element);
    let is_splat = rng.chance(30) && count > 0;
    let mut bytes: Vec<u8> = Vec::new();
    for _ in 0..if is_splat { 1 } else { count } {
        let mut one: Vec<u8> = (0..size).map(|_| rng.next() as u8).collect();
        let bits = if element == ElementType::I1 { 1 } else { element.bits() };
        if bits < 8 {
            one[0] &= (1u8 << bits) - 1;
        }
        bytes.extend(one);
    }
    let data = if is_splat { LiteralData::Splat(bytes.into()) } else { LiteralData::Dense(bytes.into()) };
    Literal { ty: TensorType::new(shape, element), data }.normalized()
}

fn int(rng: &mut Rng) -> Attr {
    let element = rng.pick(&[
        Some(ElementType::I8),
        Some(ElementType::I32),
        Some(ElementType::I64),
        Some(ElementType::Ui8),
        Some(ElementType::Ui64),
        None,
    ]);
    let value = match element {
        Some(ElementType::I8) => i128::from(rng.next() as i8),
        Some(ElementType::I32) => i128::from(rng.next() as i32),
        Some(ElementType::Ui8) => i128::from(rng.next() as u8),
        Some(ElementType::Ui64) => i128::from(rng.next()),
        _ => i128::from(rng.next() as i64),
    };
    Attr::Int(value, element)
}

/// Any attribute, nested up to `depth` deep.
pub(crate) fn attribute(rng: &mut Rng, meshes: &[MeshDecl], depth: usize) -> Attr {
    match rng.below(if depth == 0 { 11 } else { 14 }) {
        0 => Attr::Unit,
        1 => Attr::Bool(rng.chance(50)),
        2 => int(rng),
        3 => {
            let (value, element) = float(rng);
            Attr::Float(value.to_bits(), element)
        }
        4 => Attr::String(string(rng).into()),
        5 => Attr::Symbol(rng.pick(&["f", "a b", "f.2", "\"", "outer::@inner"]).into()),
        6 => Attr::Type(rng.pick(&[
            Type::Token,
            Type::Tensor(TensorType::new([2, 0], ElementType::Bf16)),
            Type::Tuple(vec![Type::Token, Type::Tensor(TensorType::scalar(ElementType::ComplexF32))]),
        ])),
        7 if rng.chance(30) => {
            let (first, element) = float(rng);
            let rounded = |value: f64| read_f64(&float_bytes(value, element), element).to_bits();
            let values = std::iter::once(first).chain((0..rng.below(4)).map(|_| float(rng).0)).map(rounded);
            Attr::FloatArray(element, values.collect())
        }
        7 => {
            let element = rng.pick(&[ElementType::I1, ElementType::I8, ElementType::I32, ElementType::I64]);
            let value = |rng: &mut Rng| match element {
                ElementType::I1 => i64::from(rng.chance(50)),
                ElementType::I8 => i64::from(rng.next() as i8),
                ElementType::I32 => i64::from(rng.next() as i32),
                _ => rng.next() as i64,
            };
            Attr::DenseArray(element, (0..rng.below(4)).map(|_| value(rng)).collect())
        }
        8 => Attr::Dense(literal(rng)),
        9 => Attr::Dialect(
            rng.pick(&["#stablehlo<precision DEFAULT>", "#test.one", "#test.two<[3], \"a>b\">"]).into(),
        ),
        10 | 11 => sdy(rng, meshes),
        12 => Attr::Array((0..rng.below(4)).map(|_| attribute(rng, meshes, depth - 1)).collect()),
        _ => Attr::Dict(attributes(rng, meshes, depth - 1)),
    }
}

/// Some attributes under names that no op has.
pub(crate) fn attributes(rng: &mut Rng, meshes: &[MeshDecl], depth: usize) -> Attributes {
    let names = ["test.a", "test.b_2", "test.\u{e9}", "test.quoted name", "test.\"", "test.$x", "test.-"];
    (0..rng.below(3)).map(|_| (rng.pick(&names).to_owned(), attribute(rng, meshes, depth))).collect()
}

fn sdy(rng: &mut Rng, meshes: &[MeshDecl]) -> Attr {
    let (_, mesh) = mesh_ref(rng, meshes);
    let axes = pieces(rng, mesh);
    let axis = axes[0].clone();
    let value = |rng: &mut Rng| match rng.chance(50) {
        true => EdgeValue::Operand(rng.below(9) as i64),
        false => EdgeValue::Result(rng.below(9) as i64),
    };
    let edge = AxisEdge { axis: axis.clone(), source: EdgeValue::Operand(9), targets: vec![value(rng)] };
    let step = |step: i64| PropagationStep { step, edges: vec![edge.clone(), edge.clone()] };
    let param = AllToAllParam { axes: axes.clone(), source: rng.below(3) as i64, target: -1 };
    let factors = |rng: &mut Rng| -> Vec<usize> { (0..rng.below(3)).map(|_| rng.below(25)).collect() };
    let tensor = |rng: &mut Rng| -> Vec<Vec<usize>> { (0..rng.below(3)).map(|_| factors(rng)).collect() };
    Attr::Sdy(Arc::new(match rng.below(18) {
        0 => SdyAttr::Mesh(unnamed(mesh)),
        1 => SdyAttr::MeshAxis(mesh.axes()[0].clone()),
        2 => SdyAttr::SubAxisInfo(rng.below(9), rng.below(9)),
        3 => SdyAttr::AxisRef(axis),
        4 => SdyAttr::AxisRefList(axes),
        5 => SdyAttr::AxisRefLists(vec![axes, Vec::new()]),
        6 => SdyAttr::ManualAxes((0..rng.below(3)).map(|_| string(rng)).collect()),
        7 => SdyAttr::DimSharding(DimShardingAttr { axes, is_open: rng.chance(50), priority: Some(3) }),
        8 => SdyAttr::AllToAllParam(param),
        9 => SdyAttr::AllToAllParams(vec![param.clone(), param]),
        10 => SdyAttr::DimMapping(factors(rng)),
        11 => SdyAttr::TensorMapping(tensor(rng)),
        12 => SdyAttr::Rule(OpShardingRule {
            operands: vec![tensor(rng), tensor(rng)],
            results: vec![tensor(rng)],
            sizes: (0..rng.below(25)).map(|_| (rng.next() >> 34) as i64).collect(),
            reduction: factors(rng),
            need_replication: factors(rng),
            permutation: factors(rng),
            blocked_propagation: factors(rng),
            is_custom: rng.chance(50),
        }),
        13 => SdyAttr::EdgeValue(value(rng)),
        14 => SdyAttr::AxisEdge(edge),
        15 => SdyAttr::PropagationStep(step(rng.next() as i64)),
        16 => SdyAttr::PropagationEdges(vec![step(3), step(0)]),
        _ => {
            let rank = rng.below(3);
            let mut free = sharding(rng, meshes, rank);
            if !free.unreduced.is_empty() {
                free.reduction = rng.pick(&[Reduction::Sum, Reduction::Max, Reduction::Min]);
            }
            let list = vec![free.clone(); rng.below(3)];
            return if rng.chance(50) { Attr::Sharding(free) } else { Attr::ShardingPerValue(list) };
        }
    }))
}
