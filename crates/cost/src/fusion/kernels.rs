//! Which instructions a compiler for GPUs computes in the same kernel, and what each kernel reads.
//!
//! Input: what is fused ([`super::gpu`]). Output: the [`Part`] of each instruction.
//!
//! Every instruction that writes something is a kernel, and joins an earlier one where both go through as many elements, and
//!
//! - both read the same value, or it reads what the other writes: the value is read once, or not at all;
//! - it normalizes rows (a softmax, a norm): it reads what the other makes of each row, and nothing but reductions of the same
//!   rows reads that besides.
//!
//! What a kernel waits for must not wait for the other one: each kernel has a depth, above that of all that it waits for. What
//! reduces goes along with what reduces the same dims.

use super::Role;
use super::gpu::{Facts, Read};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Def, Regions};
use rustc_hash::{FxHashMap, FxHashSet};

/// One time, in the parts in which multiples are counted.
pub(crate) const WHOLE: u32 = 1 << 10;

/// The most results of a kernel.
const MOST_WRITES: usize = 32;

/// The most elements of a row that a kernel holds at once.
const MOST_OF_ROW: usize = 1 << 16;

/// A kernel that an instruction is made in, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// What the kernel writes.
    pub(super) kernel: InstId,
    /// The part of the result that it needs.
    pub(super) share: u32,
}

impl Place {
    pub(super) fn times(self, share: u32) -> Self {
        let product = u64::from(self.share) * u64::from(share) / u64::from(WHOLE);
        Self { share: u32::try_from(product).unwrap_or(WHOLE).max(1), ..self }
    }
}

/// How much `part` is of `whole`, and something at least.
pub(super) fn share_of(part: f64, whole: f64) -> u32 {
    ((f64::from(WHOLE) * part / whole.max(1.0)) as u32).clamp(1, WHOLE)
}

/// Makes one place of all in the same kernel.
pub(super) fn join(places: &mut Vec<Place>) {
    places.sort_unstable_by_key(|place| place.kernel);
    places.dedup_by(|next, first| {
        let is_same = next.kernel == first.kernel;
        if is_same {
            first.share = (first.share + next.share).min(WHOLE);
        }
        is_same
    });
}

/// The part of an instruction in kernels. Multiples are in parts of [`WHOLE`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    /// How often each operand is read from memory.
    pub(crate) reads: Vec<u32>,
    /// How often it is made.
    pub(crate) made: u32,
    /// Whether it writes what it makes to memory.
    pub(crate) writes: bool,
    /// Whether a kernel is launched for it.
    pub(crate) begins: bool,
}

impl Part {
    /// Whether nothing is said: it has a kernel, or a part in one, of its own.
    pub(crate) fn is_alone(&self) -> bool {
        self.made == 0
    }
}

/// Dims that are reduced, of a shape.
type Reduced<'a> = (&'a [usize], &'a [usize]);

struct Kernel<'a> {
    region: RegionId,
    /// Larger than that of all that it waits for.
    depth: u32,
    /// How many elements it goes through.
    elements: usize,
    reduced: Option<Reduced<'a>>,
    writes: Vec<InstId>,
}

/// Parts of all instructions.
pub(super) fn parts(facts: &Facts<'_>, places: &Table<InstId, Vec<Place>>) -> Table<InstId, Part> {
    let mut joined = Joined::new(facts, places);
    for id in &facts.order {
        joined.add(*id);
    }
    joined.parts()
}

struct Joined<'a> {
    facts: &'a Facts<'a>,
    places: &'a Table<InstId, Vec<Place>>,
    region_of: Table<InstId, RegionId>,
    reads: Table<InstId, Vec<Read>>,
    kernels: Vec<Kernel<'a>>,
    /// The kernel of each instruction that writes something.
    of: FxHashMap<InstId, usize>,
    /// Kernels that go through a whole value.
    readers: FxHashMap<ValueId, Vec<usize>>,
    /// The deepest of each region.
    deepest: FxHashMap<RegionId, u32>,
}

impl<'a> Joined<'a> {
    fn new(facts: &'a Facts<'a>, places: &'a Table<InstId, Vec<Place>>) -> Self {
        Self {
            facts,
            places,
            region_of: facts.body.region_of(),
            reads: Table::filled(Vec::new(), facts.body.insts.len()),
            kernels: Vec::new(),
            of: FxHashMap::default(),
            readers: FxHashMap::default(),
            deepest: FxHashMap::default(),
        }
    }

    fn add(&mut self, id: InstId) {
        let body = self.facts.body;
        let region = self.region_of[id];
        self.reads[id] = match self.facts.roles[id] {
            Role::Unfused => {
                let owners = body.insts[id].operands.iter().map(|value| (self.facts.owner(*value), 0.0));
                owners.collect()
            }
            _ => self.facts.reads(id, &self.reads),
        };
        let is_unfused = self.facts.roles[id] == Role::Unfused;
        if !(is_unfused || self.facts.roles[id] == Role::Ends || self.facts.writes(id)) {
            return;
        }
        let waits: Vec<usize> = self.reads[id].iter().filter_map(|(value, _)| self.maker(*value)).collect();
        let above = waits.iter().map(|kernel| self.kernels[*kernel].depth + 1).max().unwrap_or(0);
        // Loops read from around them: all before them comes first.
        let is_loop = body.view(id).regions() != Regions::OfElements;
        let depth = if is_loop { self.deepest.get(&region).map_or(0, |depth| depth + 1) } else { above };
        let (elements, reduced) = if is_unfused { (0, None) } else { self.goes_through(id) };
        let into = if elements > 0 { self.to_join(id, elements, reduced, &waits) } else { None };
        let kernel = into.unwrap_or_else(|| {
            self.kernels.push(Kernel { region, depth, elements, reduced, writes: Vec::new() });
            self.kernels.len() - 1
        });
        let own = &mut self.kernels[kernel];
        own.writes.push(id);
        own.reduced = own.reduced.or(reduced);
        let depth = own.depth;
        self.of.insert(id, kernel);
        let deepest = self.deepest.entry(region).or_default();
        *deepest = (*deepest).max(depth);
        for (value, _) in &self.reads[id] {
            if elements > 0 && self.elements(*value) == elements {
                self.readers.entry(*value).or_default().push(kernel);
            }
        }
    }

    /// The kernel that an instruction can be computed in, of those before it.
    fn to_join(
        &self,
        id: InstId,
        elements: usize,
        reduced: Option<Reduced<'_>>,
        waits: &[usize],
    ) -> Option<usize> {
        let mut reads: Vec<&Read> = self.reads[id].iter().collect();
        reads.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut makers: Vec<usize> = waits.to_vec();
        makers.sort_unstable_by_key(|kernel| (std::cmp::Reverse(self.kernels[*kernel].depth), *kernel));
        makers.dedup();
        let siblings = reads.iter().filter_map(|(value, _)| self.readers.get(value));
        let all = makers.iter().copied().chain(siblings.flat_map(|known| known.iter().rev().copied()));
        let mut tried = FxHashSet::default();
        all.filter(|kernel| tried.insert(*kernel))
            .find(|kernel| self.may_join(id, *kernel, elements, reduced, waits))
    }

    fn may_join(
        &self,
        id: InstId,
        into: usize,
        elements: usize,
        reduced: Option<Reduced<'_>>,
        waits: &[usize],
    ) -> bool {
        let kernel = &self.kernels[into];
        let is_first = |other: &usize| *other == into || self.kernels[*other].depth < kernel.depth;
        kernel.region == self.region_of[id]
            && kernel.elements == elements
            && kernel.writes.len() < MOST_WRITES
            && (kernel.reduced.is_none() || reduced.is_none() || kernel.reduced == reduced)
            && waits.iter().all(is_first)
            && self.normalizes(id, into)
    }

    /// Whether nothing that an instruction reads is reduced in a kernel, or all of it is of rows, and goes into one more
    /// kernel at most.
    fn normalizes(&self, id: InstId, into: usize) -> bool {
        let kernel = &self.kernels[into];
        let Some((shape, dims)) = kernel.reduced else { return true };
        let body = self.facts.body;
        let is_reduction = |inst: InstId| matches!(body.insts[inst].op, Op::Reduce(_));
        let made = self.reads[id].iter().filter(|(value, _)| self.maker(*value) == Some(into));
        let mut made = made
            .filter(
                |(value, _)| matches!(body.values[*value].def, Def::Result(inst, _) if is_reduction(inst)),
            )
            .peekable();
        if made.peek().is_none() {
            return true;
        }
        let row: usize = dims.iter().map(|dim| shape[*dim]).product();
        let is_of_rows = row <= MOST_OF_ROW && dims.iter().all(|dim| *dim >= shape.len() - dims.len());
        // What comes of all its reductions goes into the same kernel.
        let results = body.insts[id].results.iter().filter(|_| is_reduction(id)).copied();
        let mut all = made.map(|(value, _)| *value).chain(results);
        is_of_rows && all.all(|value| self.outside(value, kernel) <= 1)
    }

    /// How many kernels read a value that are no reductions of the same rows.
    fn outside(&self, value: ValueId, kernel: &Kernel<'_>) -> usize {
        let mut found: Vec<InstId> = Vec::new();
        let mut values = vec![value];
        while let Some(value) = values.pop() {
            for (reader, position) in &self.facts.uses[value] {
                if !self.facts.takes(*reader, *position) {
                    return usize::MAX;
                }
                if self.facts.roles[*reader] == Role::Relabels {
                    let results = &self.facts.body.insts[*reader].results;
                    values.extend(results.iter().filter(|result| self.facts.is_stored[**result]));
                }
                found.extend(self.places[*reader].iter().map(|place| place.kernel));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|inst| {
            let (elements, reduced) = self.goes_through(*inst);
            !(reduced.is_some() && reduced == kernel.reduced) || elements != kernel.elements
        });
        found.len()
    }

    /// How many elements an instruction that writes something goes through, none if it joins no other, and what it reduces.
    fn goes_through(&self, id: InstId) -> (usize, Option<Reduced<'a>>) {
        let body = self.facts.body;
        let inst = &body.insts[id];
        match &inst.op {
            Op::Reduce(reduce) => {
                let Some(shape) = body.ty(inst.operands[0]).as_tensor().map(|tensor| tensor.shape.as_slice())
                else {
                    return (0, None);
                };
                (shape.iter().product(), Some((shape, reduce.dims.as_slice())))
            }
            _ if self.facts.roles[id] == Role::Ends => (0, None),
            _ => (inst.results.first().map_or(0, |result| self.elements(*result)), None),
        }
    }

    fn elements(&self, value: ValueId) -> usize {
        self.facts.body.ty(value).as_tensor().map_or(0, |tensor| tensor.num_elements())
    }

    fn maker(&self, value: ValueId) -> Option<usize> {
        match self.facts.body.values[value].def {
            Def::Result(inst, _) => self.of.get(&inst).copied(),
            _ => None,
        }
    }

    /// What each kernel reads is charged to the first instruction in it that does.
    fn parts(&self) -> Table<InstId, Part> {
        let (facts, body) = (self.facts, self.facts.body);
        let mut parts = Table::filled(Part::default(), body.insts.len());
        let mut known: FxHashSet<(ValueId, usize)> = FxHashSet::default();
        let mut begun: FxHashSet<usize> = FxHashSet::default();
        for id in &facts.order {
            if let Some(kernel) = self.of.get(id) {
                known.extend(body.insts[*id].results.iter().map(|result| (*result, *kernel)));
            }
            let role = facts.roles[*id];
            if matches!(role, Role::Unfused) {
                continue;
            }
            let mut made: FxHashMap<usize, u32> = FxHashMap::default();
            let mut kernels: Vec<(usize, u32)> = Vec::new();
            for place in &self.places[*id] {
                let Some(kernel) = self.of.get(&place.kernel) else { continue };
                match made.get(kernel) {
                    Some(index) => {
                        let (_, share) = &mut kernels[*index as usize];
                        *share = (*share).max(place.share);
                    }
                    None => {
                        made.insert(*kernel, kernels.len() as u32);
                        kernels.push((*kernel, place.share));
                    }
                }
            }
            let reads = body.insts[*id].operands.iter().map(|operand| {
                if !facts.is_stored[*operand] {
                    return 0;
                }
                let owner = facts.owner(*operand);
                kernels
                    .iter()
                    .filter(|(kernel, _)| known.insert((owner, *kernel)))
                    .map(|(_, share)| *share)
                    .sum()
            });
            let reads: Vec<u32> = reads.collect();
            let writes = role == Role::Ends || facts.writes(*id);
            // A constant lies in memory from the start.
            let begins = writes
                && !body.insts[*id].operands.is_empty()
                && self.of.get(id).is_some_and(|kernel| begun.insert(*kernel));
            let times = kernels.iter().map(|(_, share)| *share).sum::<u32>();
            parts[*id] = Part { reads, made: times.max(1), writes, begins };
        }
        parts
    }
}
