//! The `sdy` dialect beyond shardings: its other attributes, what they mean together, and the rules they obey.
//!
//! [`SdyAttr`] is an attribute as written (facts after Shardy's `attrs.td`); [`axes`] compares and joins axes, [`check`]
//! holds the rules of shardings, [`verify`] those of attributes on instructions and functions.

pub mod axes;
pub mod check;
pub mod edges;
mod read;
pub mod rule_attr;
pub mod rule_builder;
pub mod verify;

pub use check::{check_sharding, check_tensor_sharding};
pub use edges::{AxisEdge, EdgeValue, PropagationStep};
pub use rule_attr::OpShardingRule;

use crate::mesh::{Axis, Mesh};
use crate::sharding::{AxisRefAttr, DimShardingAttr, ShardingAttr, write_list};
use meshwright_tensor::quote::write_quoted;
use rule_attr::{DimFactors, TensorDims};
use std::fmt;

/// An attribute of the dialect that is no sharding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SdyAttr {
    /// `#sdy.mesh<["a"=2]>`; its name is empty.
    Mesh(Mesh),
    /// `#sdy<mesh_axis"a"=2>`.
    MeshAxis(Axis),
    /// `#sdy<sub_axis_info(1)2>`: pre-size and size.
    SubAxisInfo(usize, usize),
    /// `#sdy<axis_ref"a":(1)2>`.
    AxisRef(AxisRefAttr),
    /// `#sdy<axis_ref_list{"a", "b"}>`.
    AxisRefList(Vec<AxisRefAttr>),
    /// `#sdy<list_of_axis_ref_lists[{"a"}, {}]>`.
    AxisRefLists(Vec<Vec<AxisRefAttr>>),
    /// `#sdy<manual_axes{"a"}>`.
    ManualAxes(Vec<String>),
    /// `#sdy<dimension_sharding{"a", ?}p1>`.
    DimSharding(DimShardingAttr),
    /// `#sdy<all_to_all_param{"a"}: 0->1>`.
    AllToAllParam(AllToAllParam),
    /// `#sdy<all_to_all_param_list[{"a"}: 0->1]>`.
    AllToAllParams(Vec<AllToAllParam>),
    /// `#sdy<dim_mapping ij>`.
    DimMapping(DimFactors),
    /// `#sdy<tensor_mapping[i, jk]>`.
    TensorMapping(Vec<DimFactors>),
    /// `#sdy.op_sharding_rule<...>`.
    Rule(OpShardingRule),
    /// `#sdy<edge_value_ref operand-0>`.
    EdgeValue(EdgeValue),
    /// `#sdy<axis_to_propagation_details{"a" = operand-0 -> [result-0]}>`.
    AxisEdge(AxisEdge),
    /// `#sdy<propagation_one_step{step-0 = [...]}>`.
    PropagationStep(PropagationStep),
    /// `#sdy.propagation_edges<[...]>`.
    PropagationEdges(Vec<PropagationStep>),
}

/// `{"a"}: 0->1`: axes that move from one dim to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AllToAllParam {
    /// The axes.
    pub axes: Vec<AxisRefAttr>,
    /// The dim that they shard before.
    pub source: i64,
    /// The dim that they shard after.
    pub target: i64,
}

/// `{"a", "b"}`.
#[derive(Clone, Copy, Debug)]
pub struct AxisList<'a>(pub &'a [AxisRefAttr]);

impl fmt::Display for AxisList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        write_list(f, self.0)?;
        f.write_str("}")
    }
}

/// `[{"a"}, {}]`, items between brackets.
pub(crate) fn write_brackets<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    f.write_str("[")?;
    write_list(f, items)?;
    f.write_str("]")
}

/// `[{"a"}, {}]`.
#[derive(Clone, Copy, Debug)]
pub struct AxisLists<'a>(pub &'a [Vec<AxisRefAttr>]);

impl fmt::Display for AxisLists<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_brackets(f, &self.0.iter().map(|axes| AxisList(axes)).collect::<Vec<_>>())
    }
}

/// `[<@mesh, [...]>, <@mesh, [...]>]`.
pub fn write_per_value(shardings: &[ShardingAttr]) -> String {
    let items: Vec<String> = shardings.iter().map(|sharding| format!("<{sharding}>")).collect();
    format!("[{}]", items.join(", "))
}

/// `{"a", "b"}`: names of whole axes.
#[derive(Clone, Copy, Debug)]
pub struct ManualAxes<'a>(pub &'a [String]);

impl fmt::Display for ManualAxes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, name) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            write_quoted(f, name)?;
        }
        f.write_str("}")
    }
}

impl fmt::Display for AllToAllParam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}->{}", AxisList(&self.axes), self.source, self.target)
    }
}

impl fmt::Display for SdyAttr {
    /// As MLIR writes it: `#sdy.name<...>` where the text behind the name is in angles, else `#sdy<name...>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh(mesh) => return write!(f, "#sdy.mesh{}", mesh.attr()),
            Self::DimMapping(factors) if factors.is_empty() => return f.write_str("#sdy.dim_mapping"),
            Self::Rule(rule) => return write!(f, "#sdy.op_sharding_rule<{rule}>"),
            Self::PropagationEdges(steps) => {
                f.write_str("#sdy.propagation_edges<")?;
                write_brackets(f, steps)?;
                return f.write_str(">");
            }
            _ => f.write_str("#sdy<")?,
        }
        match self {
            Self::Mesh(_) | Self::Rule(_) | Self::PropagationEdges(_) => {}
            Self::MeshAxis(axis) => {
                f.write_str("mesh_axis")?;
                write_quoted(f, &axis.name)?;
                write!(f, "={}", axis.size)?;
            }
            Self::SubAxisInfo(pre_size, size) => write!(f, "sub_axis_info({pre_size}){size}")?,
            Self::AxisRef(axis) => write!(f, "axis_ref{axis}")?,
            Self::AxisRefList(axes) => write!(f, "axis_ref_list{}", AxisList(axes))?,
            Self::AxisRefLists(lists) => write!(f, "list_of_axis_ref_lists{}", AxisLists(lists))?,
            Self::ManualAxes(names) => write!(f, "manual_axes{}", ManualAxes(names))?,
            Self::DimSharding(dim) => write!(f, "dimension_sharding{dim}")?,
            Self::AllToAllParam(param) => write!(f, "all_to_all_param{param}")?,
            Self::AllToAllParams(params) => {
                f.write_str("all_to_all_param_list")?;
                write_brackets(f, params)?;
            }
            // MLIR leaves out the spaces of these two and could not read them back.
            Self::DimMapping(factors) => {
                f.write_str("dim_mapping ")?;
                factors.iter().try_for_each(|factor| rule_attr::FactorName(*factor).fmt(f))?;
            }
            Self::EdgeValue(value) => write!(f, "edge_value_ref {value}")?,
            Self::TensorMapping(dims) => write!(f, "tensor_mapping{}", TensorDims(dims))?,
            Self::AxisEdge(edge) => write!(f, "axis_to_propagation_details{edge}")?,
            Self::PropagationStep(step) => write!(f, "propagation_one_step{step}")?,
        }
        f.write_str(">")
    }
}
