//! Ways to shard tensors, by number.
//!
//! Input: a mesh, and dims or shapes. Output: numbers of layouts; equal layouts have equal numbers, so tables of what
//! it costs to get from one to another are tables over numbers. A layout says for every dim which sub-axes shard it; a
//! [`Form`] also over which axes every device has but a contribution.

use super::AxisSplits;
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::rule::ShardingRule;
use meshwright_ir::sharding::Sharding;
use meshwright_shard::{AxisList, induced, tensor_factors};
use rustc_hash::FxHashMap;

/// A tensor, or an instruction, with more ways than this to be sharded is too much to choose from.
const MOST: usize = 1 << 13;

/// Where a size need not divide, at most this part of it is padding.
const PADDING: usize = 8;

/// Number of a layout.
pub(super) type LayoutId = u32;

/// How a tensor lies on the devices.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Form {
    pub(super) layout: LayoutId,
    /// The axes over which its contributions are still to be summed.
    pub(super) partial: AxisSet,
}

impl Form {
    pub(super) fn complete(layout: LayoutId) -> Self {
        Self { layout, partial: AxisSet::EMPTY }
    }
}

/// The layouts that were met so far.
pub(super) struct Layouts {
    pub(super) mesh: Mesh,
    pub(super) splits: AxisSplits,
    lists: Vec<AxisList>,
    /// Into how many shards each of them cuts a dim.
    shards: Vec<usize>,
    number_of_list: FxHashMap<AxisList, u32>,
    layouts: Vec<Vec<u32>>,
    number_of: FxHashMap<Vec<u32>, LayoutId>,
}

impl Layouts {
    pub(super) fn new(mesh: &Mesh, splits: AxisSplits) -> Self {
        let mut layouts = Self {
            mesh: mesh.clone(),
            splits,
            lists: Vec::new(),
            shards: Vec::new(),
            number_of_list: FxHashMap::default(),
            layouts: Vec::new(),
            number_of: FxHashMap::default(),
        };
        layouts.list(&AxisList::new());
        layouts
    }

    fn list(&mut self, axes: &AxisList) -> u32 {
        if let Some(number) = self.number_of_list.get(axes) {
            return *number;
        }
        self.lists.push(*axes);
        self.shards.push(axes.product(&self.mesh));
        let number = self.lists.len() as u32 - 1;
        self.number_of_list.insert(*axes, number);
        number
    }

    /// The number of a layout.
    pub(super) fn number(&mut self, dims: &[AxisList]) -> LayoutId {
        let lists: Vec<u32> = dims.iter().map(|axes| self.list(axes)).collect();
        if let Some(number) = self.number_of.get(&lists) {
            return *number;
        }
        self.layouts.push(lists.clone());
        let number = self.layouts.len() as LayoutId - 1;
        self.number_of.insert(lists, number);
        number
    }

    /// The numbers of the lists that shard the dims; 0 is the empty one.
    pub(super) fn lists_of(&self, layout: LayoutId) -> &[u32] {
        &self.layouts[layout as usize]
    }

    /// The axes of a list.
    pub(super) fn axes(&self, list: u32) -> &AxisList {
        &self.lists[list as usize]
    }

    /// Into how many shards a list cuts a dim.
    pub(super) fn shards(&self, list: u32) -> usize {
        self.shards[list as usize]
    }

    /// The axes that shard each dim.
    pub(super) fn dims(&self, layout: LayoutId) -> Vec<AxisList> {
        self.lists_of(layout).iter().map(|list| *self.axes(*list)).collect()
    }

    /// Layouts as forms; if contributions are possible, then each over all sets of the axes that it leaves.
    pub(super) fn forms(&self, layouts: &[LayoutId], is_open: bool) -> Vec<Form> {
        let mut forms: Vec<Form> = layouts.iter().copied().map(Form::complete).collect();
        if is_open {
            for layout in layouts {
                let own = self
                    .lists_of(*layout)
                    .iter()
                    .fold(AxisSet::EMPTY, |set, list| set.union(self.axes(*list).set()));
                forms.extend(
                    left(&self.mesh, own).into_iter().map(|partial| Form { layout: *layout, partial }),
                );
            }
        }
        forms
    }

    /// How many elements of a tensor of this shape lie on a device, padding included.
    pub(super) fn local_elements(&self, layout: LayoutId, shape: &[usize]) -> usize {
        let lists = self.lists_of(layout).iter().zip(shape);
        lists.map(|(list, size)| size.div_ceil(self.shards(*list))).product()
    }

    /// Whether a layout cuts a tensor of this shape into equal shards without padding.
    pub(super) fn divides(&self, layout: LayoutId, shape: &[usize]) -> bool {
        let mut lists = self.lists_of(layout).iter().zip(shape);
        lists.all(|(list, size)| size.is_multiple_of(self.shards(*list)))
    }

    /// Into how many shards a layout cuts a tensor.
    pub(super) fn num_shards(&self, layout: LayoutId) -> usize {
        self.lists_of(layout).iter().map(|list| self.shards(*list)).product()
    }

    /// All layouts that give every axis to a dim that it cuts, or to none; of a tensor for which something is
    /// fixed only those that add axes to its open dims. None: there are too many.
    pub(super) fn of_shape(
        &mut self,
        shape: &[usize],
        fixed: Option<&Sharding>,
        may_pad: bool,
    ) -> Option<Vec<LayoutId>> {
        let mut found = match fixed {
            Some(fixed) if fixed.dims.iter().all(|dim| !dim.is_open) => Vec::new(),
            _ => spread((&self.mesh, self.splits), shape.len(), |dim, shards| {
                cuts(shape[dim], shards, may_pad)
            })?,
        };
        if let Some(fixed) = fixed {
            found.retain(|dims| agrees(dims, fixed));
            let own: Vec<AxisList> = fixed.dim_axes().map(AxisList::of).collect();
            if !found.contains(&own) {
                found.insert(0, own);
            }
        }
        Some(found.iter().map(|dims| self.number(dims)).collect())
    }
}

/// Whether a size is cut into so many shards: evenly, or with little padding.
fn cuts(size: usize, shards: usize, may_pad: bool) -> bool {
    size > 1 && (size.is_multiple_of(shards) || may_pad && pads_little(size, shards))
}

/// Whether little of the shards of a size is padding, if anything.
pub(crate) fn pads_little(size: usize, shards: usize) -> bool {
    (size.div_ceil(shards) * shards - size) * PADDING <= size
}

/// The sets of whole axes of a mesh that share nothing with `used`, but for the empty one.
pub(super) fn left(mesh: &Mesh, used: AxisSet) -> Vec<AxisSet> {
    let mut sets = vec![AxisSet::EMPTY];
    for position in (0..mesh.axes().len()).filter(|position| mesh.axes()[*position].size > 1) {
        let axis: AxisSet = mesh.pieces(position).into_iter().collect();
        if axis.is_disjoint(used) {
            sets.extend(sets.clone().into_iter().map(|set| set.union(axis)));
        }
    }
    sets.split_off(1)
}

/// Whether a layout only adds axes to the open dims of a fixed sharding.
fn agrees(dims: &[AxisList], fixed: &Sharding) -> bool {
    dims.iter().zip(&fixed.dims).all(|(axes, own)| {
        let has_more = axes.len() > own.axes.len();
        axes.starts_with(&own.axes)
            && (!has_more || own.is_open)
            && axes.iter().all(|axis| !fixed.replicated.contains(*axis))
    })
}

/// All ways to give every axis to one of some factors that it cuts, or to none. None: there are too many.
pub(super) fn strategies(
    rule: &ShardingRule,
    factors: &[usize],
    (mesh, splits): (&Mesh, AxisSplits),
) -> Option<Vec<Vec<AxisList>>> {
    let can = |index: usize, shards: usize| {
        let factor = &rule.factors[index];
        let is_open = factor.kind.is_shardable() && factors.contains(&index);
        is_open && cuts(factor.size, shards, true) && rule.can_split(index, shards)
    };
    let mut found = spread((mesh, splits), rule.factors.len(), can)?;
    let tensors = || (0..rule.operands.len() + rule.results.len()).map(|tensor| tensor_factors(rule, tensor));
    found.retain(|axes| tensors().all(|factors| induced(rule, factors, axes, mesh).is_some()));
    Some(found)
}

/// All ways to give every axis of a mesh, or where that `can` not be the largest first part of it, to one of `count`, which
/// can be cut into so many shards, or to none. None: there are too many.
fn spread(
    (mesh, splits): (&Mesh, AxisSplits),
    count: usize,
    can: impl Fn(usize, usize) -> bool,
) -> Option<Vec<Vec<AxisList>>> {
    let mut found = vec![vec![AxisList::new(); count]];
    for position in 0..mesh.axes().len() {
        let pieces = mesh.pieces(position);
        if mesh.axes()[position].size == 1 {
            continue;
        }
        let mut more = Vec::new();
        for known in &found {
            for index in 0..count {
                let before = known[index].product(mesh);
                let cut = |len: &usize| {
                    let shards = pieces[..*len].iter().map(|piece| mesh.size(*piece)).product::<usize>();
                    can(index, before * shards)
                };
                let least = match splits {
                    AxisSplits::Parts => 1,
                    AxisSplits::Whole => pieces.len(),
                };
                if let Some(len) = (least..=pieces.len()).rev().find(cut) {
                    let mut next = known.clone();
                    next[index].extend(&pieces[..len]);
                    more.push(next);
                }
            }
        }
        found.extend(more);
        if found.len() > MOST {
            return None;
        }
    }
    Some(found)
}
