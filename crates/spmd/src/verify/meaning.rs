//! What a local value means globally, along every axis of the mesh: the same on all devices, a shard of a dim, a
//! contribution to a reduction, or something of the device's own.
//!
//! A value whose dim is sharded may also hold elements of neighboring shards (the edges that a window reads), or lack
//! some: what counts is that devices differ along the axis because they hold other positions of that dim.

use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::sharding::{Reduction, Sharding};

/// What contradicts itself: the rule that is broken (`D6`: contributions, `D7`: shards) and how.
pub(super) type Problem = (&'static str, String);

/// A contribution is used as what it is not.
pub(super) fn misused<T>(problem: String) -> Result<T, Problem> {
    Err(("D6", problem))
}

/// Shards do not fit together.
pub(super) fn misplaced<T>(problem: String) -> Result<T, Problem> {
    Err(("D7", problem))
}

/// The meaning of one local value. Each axis stands in one field at most; an axis in none leaves the value the same.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Meaning {
    /// Axes that shard each dim, major first.
    pub dims: Vec<Vec<SubAxisId>>,
    /// Axes (major first) that shard one of several dims: a reshape of local shapes does not always tell which.
    pub undecided: Vec<Undecided>,
    /// Axes over which each device holds a contribution, and how contributions combine.
    pub partial: Option<(Reduction, AxisSet)>,
    /// Axes along which devices differ in a way that is not known.
    pub own: AxisSet,
    /// Dims (bit `d` stands for dim `d`) along which all elements are equal, as a broadcast makes them. Such a value
    /// may be a shard of that dim over any axes without a trace.
    pub uniform: u64,
}

/// Axes that shard one of the dims in a bit set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// Major first.
    pub axes: Vec<SubAxisId>,
    /// Bit `d` stands for dim `d`.
    pub dims: u64,
}

impl Meaning {
    /// The same on all devices.
    pub(crate) fn same(rank: usize) -> Self {
        Self { dims: vec![Vec::new(); rank], ..Self::default() }
    }

    /// As a sharding says.
    pub(crate) fn of(sharding: &Sharding) -> Self {
        let dims = sharding.dim_axes().map(<[SubAxisId]>::to_vec).collect();
        Self { dims, partial: sharding.partial, ..Self::default() }
    }

    /// Axes that shard some dim.
    pub(crate) fn sharded(&self) -> AxisSet {
        self.dims.iter().flatten().chain(self.undecided.iter().flat_map(|run| &run.axes)).collect()
    }

    /// Axes over which it is partial.
    pub(crate) fn partial_axes(&self) -> AxisSet {
        self.partial.map_or(AxisSet::EMPTY, |(_, axes)| axes)
    }

    /// Axes along which devices hold different things.
    pub(crate) fn varies(&self) -> AxisSet {
        self.sharded().union(self.partial_axes()).union(self.own)
    }

    /// Elements may differ along a dim from now on.
    pub(crate) fn vary_along(&mut self, dim: usize) {
        self.uniform &= !u32::try_from(dim).ok().and_then(|dim| 1u64.checked_shl(dim)).unwrap_or(0);
    }

    /// The same along `axes` from now on.
    pub(crate) fn forget(&mut self, axes: AxisSet) {
        self.dims.iter_mut().for_each(|dim| dim.retain(|axis| !axes.contains(*axis)));
        self.undecided.iter_mut().for_each(|run| run.axes.retain(|axis| !axes.contains(*axis)));
        self.undecided.retain(|run| !run.axes.is_empty());
        self.partial = self.partial.and_then(|(reduction, before)| {
            let left = before.minus(axes);
            (!left.is_empty()).then_some((reduction, left))
        });
        self.own = self.own.minus(axes);
    }

    /// Of the device's own along `axes` from now on.
    pub(crate) fn lose(&mut self, axes: AxisSet) {
        self.forget(axes);
        self.own = self.own.union(axes);
    }

    /// Adds an axis to what the value is partial over. Errors: it is partial in another way.
    pub(crate) fn add_partial(&mut self, reduction: Reduction, axes: AxisSet) -> Result<(), Problem> {
        if axes.is_empty() {
            return Ok(());
        }
        match self.partial {
            Some((other, _)) if other != reduction => misused(format!(
                "the result is a contribution to a {} and to a {}",
                reduction_name(other),
                reduction_name(reduction)
            )),
            before => {
                let all = before.map_or(axes, |(_, before)| before.union(axes));
                self.partial = Some((reduction, all));
                Ok(())
            }
        }
    }

    /// For people: `[{"x"}, {}], partial sum over "y"`.
    pub fn describe(&self, mesh: &Mesh) -> String {
        let list = |axes: &[SubAxisId]| {
            mesh.describe(axes).iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
        };
        let set = |axes: AxisSet| list(&axes.iter().collect::<Vec<_>>());
        let dims: Vec<String> = self.dims.iter().map(|axes| format!("{{{}}}", list(axes))).collect();
        let mut text = format!("[{}]", dims.join(", "));
        for run in &self.undecided {
            let dims: Vec<String> =
                (0..64).filter(|dim| run.dims >> dim & 1 == 1).map(|dim| dim.to_string()).collect();
            text += &format!(", {} in dim {}", list(&run.axes), dims.join(" or "));
        }
        if let Some((reduction, axes)) = self.partial {
            text += &format!(", partial {} over {}", reduction_name(reduction), set(axes));
        }
        if !self.own.is_empty() {
            text += &format!(", own along {}", set(self.own));
        }
        text
    }
}

/// Whether `part` lists some of the axes of `whole` in its order. A value that is the same in all positions of a dim may
/// have been made as a shard of it without a trace, and only been cut further afterwards.
pub(super) fn is_part_of(part: &[SubAxisId], whole: &[SubAxisId]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|axis| rest.any(|other| other == axis))
}

/// The word for a reduction.
pub(crate) fn reduction_name(reduction: Reduction) -> &'static str {
    match reduction {
        Reduction::Sum => "sum",
        Reduction::Product => "product",
        Reduction::Max => "maximum",
        Reduction::Min => "minimum",
        Reduction::And => "and",
        Reduction::Or => "or",
    }
}

/// What a value means that is either of two: carried round a loop, or returned by one of several branches. What is
/// the same on all devices may stand for a shard (zeros, say). Errors: shards of different dims, or something
/// complete next to a contribution; the latter is left to the caller, which knows whether it is neutral.
pub(crate) fn join(left: &Meaning, right: &Meaning, mesh: &Mesh) -> Result<Meaning, Problem> {
    let own = left.own.union(right.own);
    let uniform = left.uniform & right.uniform;
    let (mut left, mut right) = (left.clone(), right.clone());
    left.forget(own);
    right.forget(own);
    let mut joined = left.clone();
    for (dim, axes) in right.dims.iter().enumerate() {
        let mine = &mut joined.dims[dim];
        match (mine.as_slice(), axes.as_slice()) {
            (mine, other) if is_part_of(other, mine) => {}
            (mine_axes, other) if is_part_of(mine_axes, other) => *mine = axes.clone(),
            (mine, other) => {
                let (mine, other) = (mesh.describe(mine).join(", "), mesh.describe(other).join(", "));
                return misplaced(format!("dim {dim} is sharded over {mine} and over {other}"));
            }
        }
    }
    for run in &right.undecided {
        if !run.axes.iter().all(|axis| joined.sharded().contains(*axis)) {
            joined.undecided.push(run.clone());
        }
    }
    if let Some((reduction, axes)) = right.partial {
        joined.add_partial(reduction, axes)?;
    }
    let decided: AxisSet = joined.dims.iter().flatten().collect();
    joined.undecided.retain(|run| !run.axes.iter().any(|axis| decided.contains(*axis)));
    let mut seen = AxisSet::EMPTY;
    let twice = joined.dims.iter().flatten().find(|axis| !seen.insert(**axis));
    if let Some(axis) = twice {
        return misplaced(format!("two dims are sharded over {}", mesh.describe(&[*axis]).join("")));
    }
    let clash = joined.partial_axes().intersection(joined.sharded());
    if !clash.is_empty() {
        let axes: Vec<SubAxisId> = clash.iter().collect();
        return misplaced(format!(
            "it is a shard and a contribution over {}",
            mesh.describe(&axes).join(", ")
        ));
    }
    joined.own = own;
    joined.uniform = uniform;
    Ok(joined)
}
