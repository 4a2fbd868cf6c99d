//! What it costs to bring tensors from one layout to another, for all pairs of layouts.
//!
//! Input: forms, the tensor's elements. Output: seconds (infinite where a complete tensor would have to become
//! contributions) by the tensor's bytes, of the steps of the resharding planner that the partitioner uses. Where all shards
//! are equal the steps follow from the axes that move, from the dims that these axes cannot all cut, and from how many
//! elements a device holds: of few elements fewer steps are planned, of many those that send least; and where several dims
//! change, not from their order. Steps take a fixed time
//! and a time for each byte, so few different reshards have to be planned, and tensors with the same candidates, dims that
//! as many devices divide, and as many elements share rows of them. Where shards are padded, a reshard is planned by itself,
//! for the shape that it is of. Reshards that differ in the names of axes that may change places (module `symmetry`) are
//! planned once.
//!
//! Rows are asked for first ([`Reshards::row`]), then what they need is planned at once, on several threads
//! ([`Reshards::plan`]), and then they have seconds ([`Reshards::seconds`]).

use super::layouts::{Form, Layouts};
use super::symmetry::Symmetry;
use super::{parallel, shared};
use meshwright_cost::collective::{Prices, ReshardCost};
use meshwright_cost::reshard::Planner;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_plan::Placement;
use meshwright_shard::AxisList;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Shards of more elements than this are reshaped by the steps that send least, whatever their size.
const LARGE: usize = 1 << 12;

/// Up to so many elements every power of two counts, then every other.
const FEW: usize = 64;

/// Elements of the shards that stand for all of these.
const TYPICAL: usize = 1 << 18;

/// Where so many dims change, their order is left out: of steps that send as much others may come first then, over other
/// links. Good plans hardly have such reshards, but each layout of a tensor has many.
const SEVERAL: usize = 3;

/// Number of how a dim changes; 0 is not at all.
type ChangeId = u32;

/// What a reshard depends on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    Even(Even),
    Padded(Box<Padded>),
}

/// Where some shard is padded: everything.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Padded {
    /// Of each dim its size and the axes before and after.
    dims: Vec<(usize, AxisList, AxisList)>,
    partial: [AxisSet; 2],
}

/// How a dim changes, and into how many parts the axes that move could cut its shards; [`ALL`] of them if they divide it.
type Change = (ChangeId, u32);

/// Axes that move divide a dim, whatever they are.
const ALL: u32 = 0;

/// Where all shards are equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Even {
    /// How the outermost dim changes, if it does: collectives along it are combined with others.
    outermost: Option<Change>,
    /// How the others change: in order, or of several as if they stood in any.
    changes: Vec<Change>,
    /// If something is summed, then of the dims that do not change the one that can be cut most.
    more: Option<u32>,
    /// The axes of partial sums before and after.
    partial: [AxisSet; 2],
    /// Elements of a shard before, rounded to a power of two.
    elements: usize,
}

/// Whether a tensor is brought to a form from each of its candidates, or from the form to each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    From,
    To,
}

/// A form, the other side of the reshards, which candidates, how many elements the tensor has, by what its dims can be
/// divided, and, if some shards are padded, its shape.
type RowKey<'a> = (Form, Side, usize, usize, usize, Option<&'a [usize]>);

/// A reshard of a tensor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reshard {
    /// It stays as it is.
    None,
    /// A complete tensor would become contributions.
    Impossible,
    /// The one of this number, of a tensor in so many shards.
    Planned { number: u32, shards: u32 },
}

/// Seconds of a reshard of a tensor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seconds {
    /// Overheads and latencies of steps that cannot be combined with others.
    single: f64,
    /// Of those that can.
    combinable: f64,
    /// In which bytes are on their way.
    sent: f64,
}

impl Seconds {
    /// All of them, if of overheads that can be combined a share is left.
    pub(super) fn shared(self, share: f64) -> f64 {
        self.single + self.sent + shared::overheads(self.combinable, self.sent, share)
    }
}

/// The reshards that were priced so far.
pub(super) struct Reshards<'a> {
    placement: &'a Placement,
    planner: Planner,
    /// By the lists of a dim before, and after, with the shards that stay; none where it was not asked for yet.
    change_of: Vec<Vec<Option<(ChangeId, usize)>>>,
    /// What a dim loses and what it gets behind the axes that stay.
    changes: Vec<(AxisList, AxisList)>,
    /// The axes of both.
    moving: Vec<AxisSet>,
    /// The numbers of what all devices and each dim of a shape can be divided by.
    divisors: FxHashMap<Vec<usize>, usize>,
    number_of_change: FxHashMap<(AxisList, AxisList), ChangeId>,
    symmetry: Symmetry,
    /// What was asked for, by number, and the price by the bytes of a shard before it of those that are planned.
    keys: Vec<Key>,
    prices: Vec<ReshardCost<'a>>,
    number_of_key: FxHashMap<Key, u32>,
    /// Devices along sets of axes.
    sizes: FxHashMap<AxisSet, usize>,
    /// Memory for how the dims of the next one change.
    dims: Vec<(ChangeId, usize)>,
    /// Memory for the next key.
    changed: Vec<Change>,
    /// The numbers of lists of candidates.
    sets: FxHashMap<Arc<[Form]>, usize>,
    rows: FxHashMap<RowKey<'a>, Arc<[Reshard]>>,
}

impl<'a> Reshards<'a> {
    pub(super) fn new(placement: &'a Placement, planner: &Planner) -> Self {
        let nothing = (AxisList::new(), AxisList::new());
        Self {
            placement,
            planner: planner.clone(),
            change_of: Vec::new(),
            changes: vec![nothing],
            moving: vec![AxisSet::EMPTY],
            divisors: FxHashMap::default(),
            number_of_change: FxHashMap::from_iter([(nothing, 0)]),
            symmetry: Symmetry::of(placement),
            keys: Vec::new(),
            prices: Vec::new(),
            number_of_key: FxHashMap::default(),
            sizes: FxHashMap::default(),
            dims: Vec::new(),
            changed: Vec::new(),
            sets: FxHashMap::default(),
            rows: FxHashMap::default(),
        }
    }

    /// The number of a list of candidates.
    pub(super) fn set(&mut self, candidates: &Arc<[Form]>) -> usize {
        let next = self.sets.len();
        *self.sets.entry(candidates.clone()).or_insert(next)
    }

    /// What brings a tensor from a form to each of its candidates, or from each of them to the form. `set` is the
    /// candidates' number.
    pub(super) fn row(
        &mut self,
        layouts: &Layouts,
        (form, side): (Form, Side),
        (candidates, set): (&[Form], usize),
        shape: &'a [usize],
    ) -> Arc<[Reshard]> {
        // All that are large on every device are alike.
        let devices = layouts.mesh.num_devices();
        let elements = shape.iter().product::<usize>().min(LARGE.saturating_mul(2 * devices));
        let is_padded = candidates.iter().chain([&form]).any(|form| !layouts.divides(form.layout, shape));
        let padded = is_padded.then_some(shape);
        let next = self.divisors.len();
        let divisors = shape.iter().map(|size| gcd(*size, devices * devices)).collect();
        let divisors = *self.divisors.entry(divisors).or_insert(next);
        let key = (form, side, set, elements, divisors, padded);
        if let Some(row) = self.rows.get(&key) {
            return row.clone();
        }
        let reshard = |other: &Form| match side {
            Side::From => self.reshard(layouts, (form, *other), shape, (is_padded, elements)),
            Side::To => self.reshard(layouts, (*other, form), shape, (is_padded, elements)),
        };
        let row: Arc<[Reshard]> = candidates.iter().map(reshard).collect();
        self.rows.insert(key, row.clone());
        row
    }

    /// Plans all that was asked for.
    pub(super) fn plan(&mut self) {
        let planned = self.prices.len();
        let made = parallel::map(
            &self.keys[planned..],
            || Prices::with(self.placement, self.planner.clone()),
            |prices, key| match key {
                Key::Even(key) => price(prices, &self.changes, key),
                Key::Padded(key) => price_padded(prices, key),
            },
        );
        self.prices.extend(made);
    }

    /// Seconds of planned reshards of a tensor of so many bytes.
    pub(super) fn seconds(&self, row: &[Reshard], bytes: f64) -> Vec<Seconds> {
        let seconds = |reshard: &Reshard| match *reshard {
            Reshard::None => Seconds { single: 0.0, combinable: 0.0, sent: 0.0 },
            Reshard::Impossible => Seconds { single: f64::INFINITY, combinable: 0.0, sent: 0.0 },
            Reshard::Planned { number, shards } => {
                let price = &self.prices[number as usize];
                let sent = price.bandwidth.seconds_of(1.0 / f64::from(shards), bytes).0;
                let single = (price.fixed - price.combinable).0.max(0.0);
                Seconds { single, combinable: price.combinable.0, sent }
            }
        };
        row.iter().map(seconds).collect()
    }

    fn reshard(
        &mut self,
        layouts: &Layouts,
        (from, to): (Form, Form),
        shape: &[usize],
        (is_padded, elements): (bool, usize),
    ) -> Reshard {
        if from == to {
            return Reshard::None;
        }
        if !to.partial.minus(from.partial).is_empty() {
            return Reshard::Impossible;
        }
        let partial = [from.partial, to.partial];
        let (from, to) = (from.layout, to.layout);
        if is_padded && !(layouts.divides(from, shape) && layouts.divides(to, shape)) {
            let sides = layouts.dims(from).into_iter().zip(layouts.dims(to));
            let dims =
                shape.iter().zip(sides).map(|(size, (before, after))| (*size, before, after)).collect();
            let key = Key::Padded(Box::new(Padded { dims, partial }));
            return Reshard::Planned { number: self.number(&key), shards: 1 };
        }
        let shards = layouts.num_shards(from);
        let elements = typical_elements(elements / shards);
        let mut dims = std::mem::take(&mut self.dims);
        dims.clear();
        let mut moving = partial[0].union(partial[1]);
        for (before, after) in layouts.lists_of(from).iter().zip(layouts.lists_of(to)) {
            let (change, staying) = self.change(layouts, *before, *after);
            moving = moving.union(self.moving[change as usize]);
            dims.push((change, staying));
        }
        let moving = self.size(moving);
        let reduced = self.size(partial[0].minus(partial[1]));
        let first = shape.iter().take_while(|size| **size == 1).count();
        let (mut changes, mut outermost, mut more) = (std::mem::take(&mut self.changed), None, None);
        changes.clear();
        for (dim, ((change, staying), size)) in dims.iter().zip(shape).enumerate() {
            let (change, size) = (*change, size / staying);
            if change == 0 && reduced <= 1 {
                continue;
            }
            // A dim that does not change only helps to reduce.
            let most = if change == 0 { reduced } else { moving };
            let parts = if size.is_multiple_of(most) { most } else { gcd(size, most) };
            let parts = if parts == moving { ALL } else { parts as u32 };
            if change != 0 && dim == first {
                outermost = Some((change, parts));
            } else if change != 0 {
                changes.push((change, parts));
            } else if more.is_none_or(|more| more != ALL && (parts == ALL || parts > more)) {
                more = Some(parts);
            }
        }
        self.dims = dims;
        if changes.len() + usize::from(outermost.is_some()) >= SEVERAL {
            changes.sort_unstable();
        }
        let key = Key::Even(Even { outermost, changes, more, partial, elements });
        let number = self.number(&key);
        if let Key::Even(Even { changes, .. }) = key {
            self.changed = changes;
        }
        Reshard::Planned { number, shards: shards as u32 }
    }

    /// Devices along the axes of a set.
    fn size(&mut self, axes: AxisSet) -> usize {
        let mesh = &self.placement.mesh;
        *self.sizes.entry(axes).or_insert_with(|| mesh.set_size(axes))
    }

    fn number(&mut self, key: &Key) -> u32 {
        if let Some(number) = self.number_of_key.get(key) {
            return *number;
        }
        let renamed = (0..self.symmetry.num_ways()).map(|way| self.renamed(way, key)).min();
        let first = renamed.filter(|renamed| renamed < key).unwrap_or_else(|| key.clone());
        let next = self.keys.len() as u32;
        let number = *self.number_of_key.entry(first).or_insert_with_key(|first| {
            self.keys.push(first.clone());
            next
        });
        self.number_of_key.insert(key.clone(), number);
        number
    }

    /// What a reshard depends on, with the axes renamed.
    fn renamed(&mut self, way: usize, key: &Key) -> Key {
        let partial = |partial: &[AxisSet; 2], symmetry: &Symmetry| partial.map(|set| symmetry.set(way, set));
        match key {
            Key::Even(even) => {
                let mut renamed = |(change, parts): &Change| (self.renamed_change(way, *change), *parts);
                let outermost = even.outermost.as_ref().map(&mut renamed);
                let mut changes: Vec<Change> = even.changes.iter().map(renamed).collect();
                if changes.len() + usize::from(outermost.is_some()) >= SEVERAL {
                    changes.sort_unstable();
                }
                Key::Even(Even {
                    outermost,
                    changes,
                    partial: partial(&even.partial, &self.symmetry),
                    ..*even
                })
            }
            Key::Padded(padded) => {
                let list = |list: &AxisList| self.symmetry.list(way, list);
                let renamed =
                    padded.dims.iter().map(|(size, before, after)| (*size, list(before), list(after)));
                let dims = renamed.collect();
                Key::Padded(Box::new(Padded { dims, partial: partial(&padded.partial, &self.symmetry) }))
            }
        }
    }

    fn renamed_change(&mut self, way: usize, change: ChangeId) -> ChangeId {
        let (before, after) = self.changes[change as usize];
        let renamed = (self.symmetry.list(way, &before), self.symmetry.list(way, &after));
        self.number_of_pair(renamed)
    }

    /// The number of what a dim loses and gets.
    fn number_of_pair(&mut self, change: (AxisList, AxisList)) -> ChangeId {
        *self.number_of_change.entry(change).or_insert_with(|| {
            self.changes.push(change);
            self.moving.push(change.0.set().union(change.1.set()));
            self.changes.len() as ChangeId - 1
        })
    }

    /// How a dim changes from one list to another, and into how many shards the axes cut it that stay.
    fn change(&mut self, layouts: &Layouts, before: u32, after: u32) -> (ChangeId, usize) {
        let list = before;
        let (before, after) = (before as usize, after as usize);
        if self.change_of.len() <= before {
            self.change_of.resize(before + 1, Vec::new());
        }
        let row = &mut self.change_of[before];
        if row.len() <= after {
            row.resize(after + 1, None);
        }
        if let Some(known) = row[after] {
            return known;
        }
        let (old, new) = (layouts.axes(list), layouts.axes(after as u32));
        let same = old.common_prefix(new);
        let number = self.number_of_pair((AxisList::of(&old[same..]), AxisList::of(&new[same..])));
        let known = (number, AxisList::of(&old[..same]).product(&layouts.mesh));
        self.change_of[before][after] = Some(known);
        known
    }
}

fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Plans a reshard of a tensor whose dims all shards divide.
fn price<'a>(prices: &mut Prices<'a>, changes: &[(AxisList, AxisList)], key: &Even) -> ReshardCost<'a> {
    let mesh = &prices.placement.mesh;
    // One that does not change lies in front where the outermost one is none of those that do.
    let unchanged = || (0, key.more.unwrap_or(1));
    let mut dims = vec![key.outermost.unwrap_or_else(unchanged)];
    dims.extend(&key.changes);
    dims.extend(key.outermost.and(key.more).map(|parts| (0, parts)));
    let change = |(change, _): &Change| &changes[*change as usize];
    let side = |of: fn(&(AxisList, AxisList)) -> &AxisList| {
        Sharding::of(dims.iter().map(|dim| of(change(dim)).to_vec()).collect::<Vec<_>>())
    };
    let (mut from, mut to) = (side(|change| &change.0), side(|change| &change.1));
    for (side, partial) in [&mut from, &mut to].into_iter().zip(key.partial) {
        side.partial = (!partial.is_empty()).then_some((Reduction::Sum, partial));
    }
    let moving = dims
        .iter()
        .map(change)
        .fold(key.partial[0].union(key.partial[1]), |set, (old, new)| set.union(old.set()).union(new.set()));
    let moving = mesh.set_size(moving);
    let size = |(_, parts): &Change| if *parts == ALL { moving } else { *parts as usize };
    let mut shape: Vec<usize> = dims.iter().map(size).collect();
    let shards = mesh.set_size(from.sharded_axes());
    let missing = |shape: &[usize]| key.elements.div_ceil((shape.iter().product::<usize>() / shards).max(1));
    if let Some(dim) = dims.iter().position(|(_, parts)| *parts == ALL) {
        shape[dim] *= missing(&shape).next_power_of_two();
    }
    // What is missing still lies in a dim that cannot be cut.
    if missing(&shape) > 1 {
        let uncut = (missing(&shape)..).find(|size| gcd(*size, mesh.num_devices()) == 1);
        shape.extend(uncut);
        [&mut from, &mut to].into_iter().for_each(|side| side.dims.extend(Sharding::replicated(1).dims));
    }
    let price = prices.reshard(&from, &to, &shape);
    // Of the whole tensor's bytes a shard has its part.
    ReshardCost { bandwidth: price.bandwidth.scaled(shards as f64), ..price }
}

/// Elements of the shards for which those of so many are priced.
fn typical_elements(elements: usize) -> usize {
    match elements.max(1).next_power_of_two() {
        few if few <= FEW => few,
        more if more <= LARGE => 1 << more.ilog2().next_multiple_of(2),
        _ => TYPICAL,
    }
}

/// Plans a reshard as it is.
fn price_padded<'a>(prices: &mut Prices<'a>, key: &Padded) -> ReshardCost<'a> {
    let [from, to] = [0, 1].map(|side| {
        let partial = key.partial[side];
        let lists = key.dims.iter().map(|(_, before, after)| [before, after][side].to_vec());
        let sharding = Sharding::of(lists);
        Sharding { partial: (!partial.is_empty()).then_some((Reduction::Sum, partial)), ..sharding }
    });
    let shape: Vec<usize> = key.dims.iter().map(|(size, ..)| *size).collect();
    prices.reshard(&from, &to, &shape)
}

#[cfg(test)]
mod tests {
    use super::super::AxisSplits;
    use super::*;
    use meshwright_ir::mesh::{Axis, Mesh};
    use meshwright_machine::{Machine, Seconds as MachineSeconds};

    /// Seconds of all reshards of tensors of four bytes between some of their forms, of those that change few dims and of all:
    /// as they are priced here, as the planner makes them, and by how much the two differ in all.
    fn seconds(machine: &str, sizes: &[usize], shapes: &[&[usize]]) -> [[f64; 3]; 2] {
        let axes =
            sizes.iter().zip(["a", "b", "c"]).map(|(size, name)| Axis { name: name.into(), size: *size });
        let mesh = Mesh::new("mesh", axes.collect()).unwrap();
        let placement = Placement::new(Machine::from_spec(machine).unwrap(), mesh).unwrap();
        let (mut layouts, mut reshards) = (
            Layouts::new(&placement.mesh, AxisSplits::Whole),
            Reshards::new(&placement, &Planner::default()),
        );
        let mut asked = Vec::new();
        for shape in shapes {
            let found = layouts.of_shape(shape, None, false).unwrap();
            let forms: Arc<[Form]> = layouts.forms(&found, true).into();
            let set = reshards.set(&forms);
            for form in forms.iter().step_by(7) {
                let row = reshards.row(&layouts, (*form, Side::From), (&forms, set), shape);
                asked.push((*shape, *form, forms.clone(), row));
            }
        }
        reshards.plan();
        let mut prices = Prices::new(&placement);
        let mut sums = [[0.0; 3]; 2];
        for (shape, from, forms, row) in asked {
            let bytes = 4.0 * shape.iter().product::<usize>() as f64;
            let priced = reshards.seconds(&row, bytes);
            for ((to, reshard), priced) in forms.iter().zip(row.iter()).zip(priced).step_by(5) {
                if !matches!(reshard, Reshard::Planned { .. }) {
                    continue;
                }
                let sharding = |form: &Form| Sharding {
                    partial: (!form.partial.is_empty()).then_some((Reduction::Sum, form.partial)),
                    ..Sharding::of(layouts.dims(form.layout).iter().map(|list| list.to_vec()))
                };
                let made = prices.reshard(&sharding(&from), &sharding(to), shape);
                assert!(made.combinable <= made.fixed + MachineSeconds(1e-12), "{made:?}");
                let (priced, made) = (priced.shared(1.0), (made.fixed + made.bandwidth.seconds(bytes)).0);
                let lists = layouts.lists_of(from.layout).iter().zip(layouts.lists_of(to.layout));
                let are_few = lists.filter(|(before, after)| before != after).count() < SEVERAL;
                for sums in sums.iter_mut().skip(usize::from(!are_few)) {
                    *sums = [sums[0] + priced, sums[1] + made, sums[2] + (priced - made).abs()];
                }
            }
        }
        sums
    }

    #[test]
    fn reshards_cost_what_the_planner_makes_of_them() {
        // Dims that axes divide only in part, and dims that all of them divide at once.
        let shapes: [&[usize]; 5] =
            [&[8, 1024, 4096], &[128256, 4096], &[8, 64, 8, 128], &[4096], &[16, 48, 256]];
        for (machine, sizes) in
            [("h100:64x8", &[8, 8, 8][..]), ("h100:16x8", &[16, 8]), ("gb200:2x64", &[4, 2, 16])]
        {
            for ([priced, made, differ], most) in
                seconds(machine, sizes, &shapes).into_iter().zip([0.01, 0.06])
            {
                assert!(made > 0.0 && differ < most * made, "{machine} {sizes:?}: {priced} {made} {differ}");
            }
        }
    }
}
