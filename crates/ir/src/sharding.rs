//! Shardings: how a tensor is sharded over a mesh.
//!
//! [`ShardingAttr`] is what the text says (`#sdy.sharding<@mesh, [{"data"}, {?}]>`, with names);
//! [`Sharding`] is the same resolved against a [`Mesh`]. Representation and terms follow Shardy's
//! "Sharding representation": a list of axes per dim (major first), dims open or closed, axes that must stay
//! replicated, axes over which the value is still unreduced.

use crate::attribute::write_symbol;
use crate::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_tensor::quote::write_quoted;
use meshwright_tensor::types::{ElementType, TensorType};
use std::fmt;
use std::sync::Arc;

/// An axis, or `"x":(pre_size)size` of it, by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AxisRefAttr {
    /// Name of the axis.
    pub name: String,
    /// `(pre_size, size)` of a sub-axis.
    pub sub_axis: Option<(usize, usize)>,
}

/// One dim's entry in a sharding's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct DimShardingAttr {
    /// Axes that shard the dim, major first.
    pub axes: Vec<AxisRefAttr>,
    /// Whether propagation may shard it further (`?`).
    pub is_open: bool,
    /// User priority (`p1`), lower first.
    pub priority: Option<u64>,
}

/// The mesh that a sharding is written against.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MeshRef {
    /// `@mesh`: the symbol of an `sdy.mesh`, without `@`.
    Symbol(String),
    /// `mesh<["a"=2]>`: written out. Its name is empty.
    Inline(Arc<Mesh>),
}

/// `#sdy.sharding<@mesh, [...]>` as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShardingAttr {
    /// The mesh.
    pub mesh: MeshRef,
    /// One entry per dim.
    pub dims: Vec<DimShardingAttr>,
    /// Axes along which the value must stay replicated.
    pub replicated: Vec<AxisRefAttr>,
    /// Axes over which the value is only a contribution.
    pub unreduced: Vec<AxisRefAttr>,
    /// How contributions combine: a sum unless the text says otherwise.
    pub reduction: Reduction,
}

impl ShardingAttr {
    /// All dims open and not sharded.
    pub fn open(mesh: MeshRef, rank: usize) -> Self {
        Self {
            mesh,
            dims: vec![DimShardingAttr { is_open: true, ..DimShardingAttr::default() }; rank],
            replicated: Vec::new(),
            unreduced: Vec::new(),
            reduction: Reduction::Sum,
        }
    }

    /// Becomes one entry of a list; a list that was not there is open in all others, `ranks` being theirs.
    pub fn put_into(self, list: &mut Option<Vec<Self>>, index: usize, ranks: &[usize]) {
        let filled = || ranks.iter().map(|rank| Self::open(self.mesh.clone(), *rank)).collect();
        if let Some(own) = list.get_or_insert_with(filled).get_mut(index) {
            *own = self;
        }
    }
}

impl fmt::Display for AxisRefAttr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_quoted(f, &self.name)?;
        match self.sub_axis {
            Some((pre_size, size)) => write!(f, ":({pre_size}){size}"),
            None => Ok(()),
        }
    }
}

/// Writes items separated by commas.
pub(crate) fn write_list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}

impl fmt::Display for DimShardingAttr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        write_list(f, &self.axes)?;
        if self.is_open {
            f.write_str(if self.axes.is_empty() { "?" } else { ", ?" })?;
        }
        f.write_str("}")?;
        match self.priority {
            Some(priority) => write!(f, "p{priority}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for MeshRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol(name) => write_symbol(f, name),
            Self::Inline(mesh) => write!(f, "mesh{}", mesh.attr()),
        }
    }
}

impl fmt::Display for ShardingAttr {
    /// The part between `#sdy.sharding<` and `>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, [", self.mesh)?;
        write_list(f, &self.dims)?;
        f.write_str("]")?;
        let how = if self.reduction == Reduction::Sum { "" } else { self.reduction.name() };
        for (name, how, axes) in [("replicated", "", &self.replicated), ("unreduced", how, &self.unreduced)] {
            if !axes.is_empty() {
                write!(f, ", {name}={how}{{")?;
                write_list(f, axes)?;
                f.write_str("}")?;
            }
        }
        Ok(())
    }
}

/// Reductions that combine partial values of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reduction {
    /// Addition.
    Sum,
    /// Product.
    Product,
    /// Largest.
    Max,
    /// Smallest.
    Min,
    /// Logical or bitwise and.
    And,
    /// Logical or bitwise or.
    Or,
}

impl Reduction {
    /// All reductions.
    pub const ALL: [Self; 6] = [Self::Sum, Self::Product, Self::Max, Self::Min, Self::And, Self::Or];

    /// Name, such as `sum`, in Shardy's words where it has one.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Product => "product",
            Self::Max => "max",
            Self::Min => "min",
            Self::And => "and",
            Self::Or => "or",
        }
    }

    /// The reduction of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reduction| reduction.name() == name)
    }

    /// Returns whether combining elements of one type and then changing to the other gives what changing and then
    /// combining gives. Integers wrap around: a sum stays what it is in fewer bits, but not in more; a maximum in
    /// more, but not in fewer. Floats are taken to keep order and, but for rounding, sums.
    pub fn survives(self, from: ElementType, to: ElementType) -> bool {
        match (self, from.is_integer() || to.is_integer()) {
            _ if from.kind() != to.kind() => false,
            (Self::Sum | Self::Product, true) => to.bits() <= from.bits(),
            (Self::Max | Self::Min, true) => to.bits() >= from.bits(),
            (Self::And | Self::Or, _) | (_, false) => true,
        }
    }
}

/// Sharding of one dim.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct DimSharding {
    /// Sub-axes that shard the dim, major first.
    pub axes: Vec<SubAxisId>,
    /// Whether propagation may shard it further.
    pub is_open: bool,
    /// User priority, lower first; zero when not given.
    pub priority: u64,
}

/// Sharding of a value over a mesh.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Sharding {
    /// One entry per dim.
    pub dims: Vec<DimSharding>,
    /// Sub-axes along which the value must stay replicated.
    pub replicated: AxisSet,
    /// Sub-axes over which every device holds only a contribution, and how contributions combine.
    pub partial: Option<(Reduction, AxisSet)>,
}

impl Sharding {
    /// Replicated and closed.
    pub fn replicated(rank: usize) -> Self {
        Self { dims: vec![DimSharding::default(); rank], ..Self::default() }
    }

    /// Replicated and open in every dim: nothing is known yet.
    pub fn open(rank: usize) -> Self {
        Self { dims: vec![DimSharding { is_open: true, ..DimSharding::default() }; rank], ..Self::default() }
    }

    /// Closed, with the given sub-axes per dim.
    pub fn of(dims: impl IntoIterator<Item = Vec<SubAxisId>>) -> Self {
        let dims = dims.into_iter().map(|axes| DimSharding { axes, ..DimSharding::default() }).collect();
        Self { dims, ..Self::default() }
    }

    /// The sub-axes of each dim.
    pub fn dim_axes(&self) -> impl Iterator<Item = &[SubAxisId]> {
        self.dims.iter().map(|dim| dim.axes.as_slice())
    }

    /// All sub-axes that shard some dim.
    pub fn sharded_axes(&self) -> AxisSet {
        self.dims.iter().flat_map(|dim| &dim.axes).collect()
    }

    /// The axes over which it is partial.
    pub fn partial_axes(&self) -> AxisSet {
        self.partial.map_or(AxisSet::EMPTY, |(_, axes)| axes)
    }

    /// All sub-axes that it uses: sharding a dim, explicitly replicated, or partial.
    pub fn used_axes(&self) -> AxisSet {
        self.sharded_axes().union(self.replicated).union(self.partial_axes())
    }

    /// Returns whether every device holds the whole value.
    pub fn is_fully_replicated(&self) -> bool {
        self.dims.iter().all(|dim| dim.axes.is_empty()) && self.partial.is_none()
    }

    /// Returns whether both place the data alike, whatever is open, closed or explicitly replicated.
    pub fn places_like(&self, other: &Sharding) -> bool {
        self.partial == other.partial && self.dim_axes().eq(other.dim_axes())
    }

    /// Number of shards along `dim`.
    pub fn num_shards(&self, dim: usize, mesh: &Mesh) -> usize {
        mesh.product(&self.dims[dim].axes)
    }

    /// The local shape on each device. A dim of size s in n shards is cut every c = ceil(s/n) elements, so that
    /// device i holds [i*c, (i+1)*c). What lies at s or beyond is padding, and its contents are unspecified.
    pub fn local_shape(&self, shape: &[usize], mesh: &Mesh) -> Vec<usize> {
        shape.iter().zip(&self.dims).map(|(size, dim)| size.div_ceil(mesh.product(&dim.axes))).collect()
    }

    /// Returns whether some dim of a tensor of `shape` does not divide, so that shards hold padding.
    pub fn is_padded(&self, shape: &[usize], mesh: &Mesh) -> bool {
        shape.iter().zip(&self.dims).any(|(size, dim)| !size.is_multiple_of(mesh.product(&dim.axes)))
    }

    /// The local type on each device.
    pub fn local_type(&self, global: &TensorType, mesh: &Mesh) -> TensorType {
        TensorType::new(self.local_shape(&global.shape, mesh), global.element)
    }

    /// Start of `device`'s shard in the global tensor; at the end or beyond for one that is all padding.
    pub fn shard_start(&self, shape: &[usize], mesh: &Mesh, device: usize) -> Vec<usize> {
        shape
            .iter()
            .zip(&self.dims)
            .map(|(size, dim)| size.div_ceil(mesh.product(&dim.axes)) * mesh.index_along(device, &dim.axes))
            .collect()
    }

    /// Resolves names against `mesh` for a tensor of `shape`.
    /// Errors (with what to do): what [`crate::sdy::check_sharding`] lists, a sub-axis that is not made of the mesh's
    /// [`crate::mesh::SubAxis`]es.
    pub fn resolve(attr: &ShardingAttr, mesh: &Mesh, shape: &[usize]) -> Result<Self, ShardingError> {
        crate::sdy::check_tensor_sharding(attr, mesh, shape.len())?;
        let claim = |axes: &[AxisRefAttr]| -> Result<Vec<SubAxisId>, ShardingError> {
            let pieces = axes.iter().map(|axis| resolve_axis(axis, mesh)).collect::<Result<Vec<_>, _>>()?;
            Ok(pieces.concat())
        };
        let mut dims = Vec::with_capacity(shape.len());
        for dim in &attr.dims {
            let axes = claim(&dim.axes)?;
            dims.push(DimSharding { axes, is_open: dim.is_open, priority: dim.priority.unwrap_or(0) });
        }
        let replicated = claim(&attr.replicated)?.iter().collect();
        let unreduced: AxisSet = claim(&attr.unreduced)?.iter().collect();
        let partial = (!unreduced.is_empty()).then_some((attr.reduction, unreduced));
        Ok(Self { dims, replicated, partial })
    }

    /// The same with names.
    pub fn to_attr(&self, mesh: &Mesh) -> ShardingAttr {
        let names = |axes: &[SubAxisId]| -> Vec<AxisRefAttr> {
            mesh.merge(axes)
                .into_iter()
                .map(|(axis, pre_size, size)| {
                    let whole = &mesh.axes()[axis];
                    let sub_axis = (size != whole.size).then_some((pre_size, size));
                    AxisRefAttr { name: whole.name.clone(), sub_axis }
                })
                .collect()
        };
        let set = |axes: AxisSet| names(&axes.iter().collect::<Vec<_>>());
        ShardingAttr {
            mesh: MeshRef::Symbol(mesh.name.clone()),
            dims: self
                .dims
                .iter()
                .map(|dim| DimShardingAttr {
                    axes: names(&dim.axes),
                    is_open: dim.is_open,
                    priority: (dim.priority > 0).then_some(dim.priority),
                })
                .collect(),
            replicated: set(self.replicated),
            unreduced: set(self.partial_axes()),
            reduction: self.partial.map_or(Reduction::Sum, |(reduction, _)| reduction),
        }
    }
}

/// Misfit of a sharding and its mesh or tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardingError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl Mesh {
    /// The sub-axes that axes of a checked sharding stand for, as a set.
    pub fn resolve(&self, axes: &[AxisRefAttr]) -> AxisSet {
        axes.iter().flat_map(|axis| resolve_axis(axis, self).unwrap_or_default()).collect()
    }
}

/// The sub-axes that an axis of a checked sharding stands for.
///
/// # Errors
/// It is a part of an axis that begins or ends within a sub-axis.
pub fn resolve_axis(axis: &AxisRefAttr, mesh: &Mesh) -> Result<Vec<SubAxisId>, ShardingError> {
    let pieces = mesh.axis_named(&axis.name).map_or(Vec::new(), |position| mesh.pieces(position));
    let Some((pre_size, size)) = axis.sub_axis else {
        return Ok(pieces);
    };
    let chosen: Vec<SubAxisId> = pieces
        .into_iter()
        .filter(|id| {
            let piece = mesh.sub_axis(*id);
            piece.pre_size >= pre_size && piece.pre_size * piece.size <= pre_size.saturating_mul(size)
        })
        .collect();
    let fits = mesh.product(&chosen) == size
        && chosen.first().is_some_and(|first| mesh.sub_axis(*first).pre_size == pre_size);
    if fits {
        return Ok(chosen);
    }
    Err(ShardingError {
        message: format!("sub-axis {axis} cuts through the prime factors of axis \"{}\"", axis.name),
        hint: "an axis is split into its prime factors, the smallest first; write it as several axes".into(),
    })
}
