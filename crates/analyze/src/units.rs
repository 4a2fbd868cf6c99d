//! Dims that are sharded as one, such as heads, and what sharding them costs: what a dim of a model is, told by its role
//! in products.
//!
//! Input: a function and its [`Roles`]. Output: [`Units`].
//!
//! - Dims are of one unit if they are one dim of the model, or if one begins with the other: the columns of a square
//!   weight `[d, d]` of which a reshape makes `[heads, head]` are heads, however the next weight writes them. So are dims
//!   of which one is made by slicing or concatenating the other: queries, keys and values of one fused weight, the
//!   halves that a rotary embedding turns.
//! - A unit is told by the work along it (flops of the products in which it takes part) and by what sharding it makes
//!   them send: where it is contracted a sum is left, where it is looked up as well, and slices, rotations and windows
//!   move its elements. Heads and hidden widths are kept by one product and contracted by the next, so that there is one
//!   sum in two products; the width of a head is contracted by attention's scores besides.
//! - A dim need not end where its unit does. With grouped queries, `[groups, queries, head]`, a weight of queries holds
//!   more heads than one of keys. So a second part may be cut as well, unless the first product of two activations that
//!   has it contracts it, as scores contract the width of a head, or a kernel needs it whole.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::Function;
use meshwright_ir::rule::{FactorIndex, FactorKind};

use crate::dim_classes::Class;
use crate::roles::{DATA, PARAMETERS, Roles, contracted, factor_classes, is_lookup, split};
use crate::union_find::UnionFind;

/// Names one unit.
pub type Unit = usize;

/// Work of products and lookups along a dim.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Flops of the products in which it takes part.
    pub flops: f64,
    /// Those of them with weights.
    pub with_weights: f64,
    /// Those of them of which it numbers the matrices, as experts do.
    pub numbered: f64,
    /// Bytes that are summed or moved where it is sharded.
    pub sent: f64,
    /// Whether a product or a lookup works on it, as on no dim of stacked layers.
    pub is_used: bool,
}

impl Work {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            flops: self.flops + other.flops,
            with_weights: self.with_weights + other.with_weights,
            numbered: self.numbered + other.numbered,
            sent: self.sent + other.sent,
            is_used: self.is_used || other.is_used,
        }
    }

    /// Returns whether it mostly numbers the matrices of products with weights.
    pub fn is_expert(&self) -> bool {
        self.numbered > 0.0 && 2.0 * self.numbered >= self.with_weights
    }

    /// Bytes that are sent for each operation that is shared; infinite where only lookups work on it.
    pub fn price(&self) -> f64 {
        if self.flops > 0.0 { self.sent / self.flops } else { f64::INFINITY }
    }
}

/// The units of a function.
#[derive(Clone, Debug)]
pub struct Units {
    number: BTreeMap<Class, Unit>,
    work: BTreeMap<Unit, Work>,
    /// Sizes of the parts of dims that have some, as far as these may be cut.
    parts: BTreeMap<Class, Vec<usize>>,
}

impl Units {
    /// Finds the units of `function`.
    pub fn new(function: &Function, roles: &Roles) -> Self {
        let seen = Seen::new(function, roles);
        let position: BTreeMap<Class, usize> =
            seen.sizes.keys().enumerate().map(|(position, class)| (*class, position)).collect();
        let mut sets = UnionFind::new(position.len());
        let firsts = seen.parts.iter().filter_map(|(whole, parts)| Some((*whole, (*parts.first()?)?)));
        for (one, other) in firsts.chain(seen.moved.iter().copied()) {
            sets.join(position[&one], position[&other]);
        }
        let sets = sets.sets();
        let number: BTreeMap<Class, Unit> =
            position.iter().map(|(class, position)| (*class, sets[*position])).collect();
        let mut work: BTreeMap<Unit, Work> = BTreeMap::new();
        for (class, own) in &seen.work {
            let sum = work.entry(number[class]).or_default();
            *sum = sum.and(*own);
        }
        let mut is_inner: BTreeMap<Unit, bool> = BTreeMap::new();
        for (class, contracts) in &seen.met {
            is_inner.entry(number[class]).or_insert(*contracts);
        }
        let mut units = Self { number, work, parts: BTreeMap::new() };
        // Of the second parts in a unit that no kernel needs whole, the cheapest.
        let price = |unit: Unit| units.work(unit).price();
        let in_kernels: BTreeSet<Unit> = seen.whole.iter().map(|class| units.number[class]).collect();
        let second_of = |whole: Class| units.of(seen.chain(whole).get(1).copied().flatten()?);
        let mut second: BTreeMap<Unit, Unit> = BTreeMap::new();
        for whole in seen.parts.keys() {
            if let Some(part) = second_of(*whole).filter(|part| !in_kernels.contains(part)) {
                let known = second.entry(units.number[whole]).or_insert(part);
                if price(part) < price(*known) {
                    *known = part;
                }
            }
        }
        let cut = |whole: Class| -> Vec<usize> {
            let own = units.number[&whole];
            let chain = seen.chain(whole);
            let is_open = |part: &Unit| {
                *part != own && second.get(&own) == Some(part) && is_inner.get(part) != Some(&true)
            };
            let parts =
                if second_of(whole).as_ref().is_some_and(is_open) { &chain[..2] } else { &chain[..1] };
            parts.iter().map_while(|class| *class).map(|class| seen.sizes[&class]).collect()
        };
        units.parts = seen.parts.keys().map(|whole| (*whole, cut(*whole))).collect();
        units
    }

    /// The unit of a dim; `None` if no instruction works on it.
    pub fn of(&self, class: Class) -> Option<Unit> {
        self.number.get(&class).copied()
    }

    /// Work along a unit.
    pub fn work(&self, unit: Unit) -> Work {
        self.work.get(&unit).copied().unwrap_or_default()
    }

    /// Sizes of the parts of a dim of this size between whose elements it may be cut, major first: all of it, or its heads.
    pub fn parts(&self, class: Class, size: usize) -> Vec<usize> {
        self.parts.get(&class).filter(|parts| !parts.is_empty()).cloned().unwrap_or_else(|| vec![size])
    }
}

/// What the instructions show of classes.
#[derive(Default)]
struct Seen {
    sizes: BTreeMap<Class, usize>,
    work: BTreeMap<Class, Work>,
    /// The parts of dims that are made of several, major first: the finest that some instruction shows.
    parts: BTreeMap<Class, Vec<Option<Class>>>,
    /// Dims between which elements move: what is sliced, padded or concatenated, and what comes of it.
    moved: Vec<(Class, Class)>,
    /// Dims that some kernel needs whole.
    whole: Vec<Class>,
    /// Dims that are made of the same parts in some kernel.
    same: Vec<(Class, Class)>,
    /// The dims of products of two activations in the program's order, and whether the product contracts them.
    met: Vec<(Class, bool)>,
}

impl Seen {
    fn new(function: &Function, roles: &Roles) -> Self {
        let mut seen = Self::default();
        for id in &roles.whole {
            seen.sizes(function, roles, *id);
            for (whole, parts) in split(&function.body, *id, &roles.rules[*id], &roles.classes) {
                let known = seen.parts.remove(&whole).unwrap_or_default();
                // The same dim taken apart twice: it is cut alike, whoever reads it.
                let alike = seen.alike(&known, &parts);
                seen.moved.extend(alike);
                let merged = match parts.len().cmp(&known.len()) {
                    Ordering::Greater => parts,
                    Ordering::Equal => {
                        known.iter().zip(&parts).map(|(known, part)| known.or(*part)).collect()
                    }
                    Ordering::Less => known,
                };
                seen.parts.insert(whole, merged);
            }
            seen.product(function, roles, *id);
        }
        seen.share_parts();
        let same: Vec<(Class, Class)> = seen
            .same
            .iter()
            .flat_map(|(one, other)| seen.alike(&seen.chain(*one), &seen.chain(*other)))
            .collect();
        seen.moved.extend(same);
        seen
    }

    /// Makes parts that are known of one dim known of all that a kernel has made of the same.
    fn share_parts(&mut self) {
        for (one, other) in self.same.iter().chain(self.same.iter().rev()) {
            let (Some(own), Some(parts)) = (self.parts.get(one), self.parts.get(other)) else { continue };
            if own.len() == parts.len() && own != parts {
                let both: Vec<_> = own.iter().zip(parts).map(|(own, part)| own.or(*part)).collect();
                self.parts.insert(*one, both.clone());
                self.parts.insert(*other, both);
            }
        }
    }

    /// Of two dims taken apart, the parts that are alike.
    fn alike(&self, one: &[Option<Class>], other: &[Option<Class>]) -> Vec<(Class, Class)> {
        let pair = |(one, other): (&Option<Class>, &Option<Class>)| {
            let (one, other) = ((*one)?, (*other)?);
            (self.sizes.get(&one) == self.sizes.get(&other)).then_some((one, other))
        };
        one.iter().zip(other).map_while(pair).collect()
    }

    fn sizes(&mut self, function: &Function, roles: &Roles, id: InstId) {
        let inst = &function.body.insts[id];
        for value in inst.operands.iter().chain(&inst.results) {
            let Some(tensor) = function.body.ty(*value).as_tensor() else { continue };
            for (dim, size) in tensor.shape.iter().enumerate() {
                self.sizes.insert(roles.classes.of(*value, dim), *size);
            }
        }
    }

    /// What one instruction does along its dims.
    fn product(&mut self, function: &Function, roles: &Roles, id: InstId) {
        let body = &function.body;
        let (inst, rule) = (&body.insts[id], &roles.rules[id]);
        let bytes: f64 = inst.results.iter().map(|value| body.ty(*value).num_bytes() as f64).sum();
        let reduced = contracted(rule);
        let is_product = !reduced.is_empty() && !is_lookup(rule);
        let types =
            |values: &[ValueId]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<_>>();
        let flops =
            if is_product { inst.op.flops(&types(&inst.operands), &types(&inst.results)) } else { 0.0 };
        let has_weights = inst.operands.iter().any(|operand| roles.depends[*operand] == PARAMETERS);
        let is_of_activations = inst.operands.iter().all(|operand| roles.depends[*operand] & DATA != 0);
        for (factor, class) in factor_classes(roles, body, id) {
            let kind = rule.factors[factor].kind;
            let is_sent = match kind {
                FactorKind::Permuted
                | FactorKind::Halo
                | FactorKind::NeedReplication
                | FactorKind::SummedElsewhere => true,
                _ => kind.combines().is_some() && !rule.is_in_results(factor),
            };
            let own = Work {
                flops,
                with_weights: if has_weights { flops } else { 0.0 },
                numbered: if has_weights && is_product && roles.experts.contains(&class) {
                    flops
                } else {
                    0.0
                },
                sent: if is_sent { bytes } else { 0.0 },
                is_used: is_product || (is_lookup(rule) && kind == FactorKind::Indexed),
            };
            let sum = self.work.entry(class).or_default();
            *sum = sum.and(own);
            if is_product && is_of_activations {
                self.met.push((class, reduced.contains(&factor)));
            }
        }
        self.moves(function, roles, id);
        // A scan reads rates beside activations, which are parameters.
        let reads_activations = inst.operands.first().is_some_and(|first| roles.depends[*first] & DATA != 0);
        if reads_activations && matches!(inst.op, Op::CustomCall(_)) {
            self.kernel(function, roles, id);
        }
    }

    /// Which dims a kernel of activations needs whole, and which it has made of the same factors: those are cut alike.
    fn kernel(&mut self, function: &Function, roles: &Roles, id: InstId) {
        let (inst, rule) = (&function.body.insts[id], &roles.rules[id]);
        let values = inst.operands.iter().chain(&inst.results);
        let mut made_of: BTreeMap<&Vec<FactorIndex>, Class> = BTreeMap::new();
        for (value, dims) in values.zip(rule.operands.iter().chain(&rule.results)) {
            for (dim, factors) in dims.iter().enumerate() {
                let class = roles.classes.of(*value, dim);
                if factors.iter().all(|factor| !rule.factors[*factor].kind.is_shardable()) {
                    self.whole.push(class);
                }
                if factors.len() > 1 {
                    let first = *made_of.entry(factors).or_insert(class);
                    self.same.push((first, class));
                }
            }
        }
    }

    /// The dims between which an instruction moves elements.
    fn moves(&mut self, function: &Function, roles: &Roles, id: InstId) {
        let (inst, rule) = (&function.body.insts[id], &roles.rules[id]);
        let mut first: BTreeMap<FactorIndex, Class> = BTreeMap::new();
        let values = inst.operands.iter().chain(&inst.results);
        for (value, dims) in values.zip(rule.operands.iter().chain(&rule.results)) {
            for (dim, factors) in dims.iter().enumerate() {
                let [factor] = factors.as_slice() else { continue };
                if rule.factors[*factor].kind == FactorKind::Permuted {
                    let class = roles.classes.of(*value, dim);
                    self.moved.push((*first.entry(*factor).or_insert(class), class));
                }
            }
        }
    }

    /// The parts of a dim, each taken apart as far as some instruction does; never empty, `None` where nothing is known of
    /// a part.
    fn chain(&self, whole: Class) -> Vec<Option<Class>> {
        let mut chain = Vec::new();
        // Parts are smaller than the whole, so this ends; a class that is its own part would not.
        let mut open = vec![Some(whole)];
        while let Some(next) = open.pop() {
            match next.and_then(|class| Some((class, self.parts.get(&class)?))) {
                Some((class, parts)) if parts.iter().all(|part| self.is_smaller(*part, class)) => {
                    open.extend(parts.iter().rev().copied());
                }
                _ => chain.push(next),
            }
        }
        chain
    }

    fn is_smaller(&self, part: Option<Class>, whole: Class) -> bool {
        part.is_none_or(|part| self.sizes.get(&part) < self.sizes.get(&whole))
    }
}
