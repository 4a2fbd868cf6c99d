//! Which dims have one size, and which are products of others.
//!
//! Input: functions that take the same arguments and give the same results, and the sharding rules of their instructions.
//! Output: for every dim of every value its *size*, a node: free, the same as another one, or a product of others, as
//! reshapes and sharding rules say: the width of a projection is heads times their width. It is unification, as of types.
//! Dims whose op cannot have another size are *fixed*. The turns of a loop through stacks are a size too, that of the
//! stacks' dim (`turns`).

use crate::axes::SmallMesh;
use crate::choice::Choice;
use crate::moves::{Moving, Port, Times};
use crate::turns::Turns;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, Inst, InstView, Regions};
use meshwright_ir::rule::{FactorKind, ShardingRule, TensorFactors};
use meshwright_plan::Shardings;
use meshwright_plan::shardings::sharded_insts;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Names a size.
pub(crate) type Size = usize;

/// A size.
#[derive(Clone, Debug)]
enum Node {
    Free,
    As(Size),
    /// Of two sizes or more, major first.
    Product(Vec<Size>),
    /// So much more than another one.
    Longer(Size, usize),
}

/// A size that is cut among devices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Use {
    pub(crate) size: Size,
    /// Devices along the axes that cut it, and those of the small mesh.
    pub(crate) devices: [usize; 2],
}

/// The sizes of all dims.
pub(crate) struct Dims<'a> {
    functions: [&'a Function; 2],
    /// The size of the first dim of each value; the others follow.
    first: [Table<ValueId, Size>; 2],
    nodes: Vec<Node>,
    /// The number that each size is.
    numbers: Vec<usize>,
    fixed: BTreeSet<Size>,
    /// How many elements of a size each device needs at least, so that windows find their neighbors next door.
    reaches: BTreeMap<Size, usize>,
    /// The sizes of the factors of each instruction of the first function.
    factors: BTreeMap<InstId, Vec<Size>>,
    /// Loops of each function through stacks, and how many turns they have.
    turns: [Vec<(Turns, Size)>; 2],
    /// The dim along which instructions of each function take parts of stacks, and the turns of the loop around them.
    parts: [BTreeMap<InstId, (usize, Size)>; 2],
}

impl<'a> Dims<'a> {
    /// All dims of both functions, each with a size of its own.
    pub(crate) fn new(functions: [&'a Function; 2]) -> Self {
        let mut numbers = Vec::new();
        let first = functions.map(|function| {
            let values = function.body.values.values();
            values
                .map(|value| {
                    let start = numbers.len();
                    numbers.extend(value.ty.as_tensor().into_iter().flat_map(|tensor| tensor.shape.clone()));
                    start
                })
                .collect()
        });
        let turns = functions.map(|function| {
            let sized = |turns: Turns| {
                numbers.push(turns.count());
                (turns, numbers.len() - 1)
            };
            Turns::all(function).into_iter().map(sized).collect::<Vec<_>>()
        });
        let parts = [0, 1].map(|index: usize| {
            let of = |(turns, size): &(Turns, Size)| {
                turns.accesses.iter().map(|access| (access.inst, (access.dim, *size))).collect::<Vec<_>>()
            };
            turns[index].iter().flat_map(of).collect()
        });
        let nodes = vec![Node::Free; numbers.len()];
        let (fixed, reaches, factors) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        Self { functions, first, nodes, numbers, fixed, reaches, factors, turns, parts }
    }

    /// The size of a dim of a value of a function.
    pub(crate) fn of(&self, function: usize, value: ValueId, dim: usize) -> Size {
        self.first[function][value] + dim
    }

    /// The number that a size is.
    pub(crate) fn number(&self, size: Size) -> usize {
        self.numbers[size]
    }

    /// Unifies what the instructions say; those of `fixed` keep their sizes.
    pub(crate) fn read(&mut self, fixed: &[BTreeSet<InstId>; 2]) {
        let [one, other] = self.functions;
        for (a, b) in one.args().iter().zip(other.args()).chain(one.returned().iter().zip(other.returned())) {
            self.whole_between((0, *a), (1, *b));
        }
        for (index, function) in self.functions.into_iter().enumerate() {
            let body = &function.body;
            for id in sharded_insts(body, body.entry()) {
                self.instruction(index, &body.view(id), id);
                if fixed[index].contains(&id) {
                    let inst = &body.insts[id];
                    inst.operands.iter().chain(&inst.results).for_each(|value| self.fix_all(index, *value));
                }
            }
        }
        // What the compiler made a loop of, as microbatches, is as long as it made it.
        let [own, whole] = [0, 1].map(|index: usize| {
            self.turns[index].iter().map(|(_, size)| self.root(*size)).collect::<BTreeSet<_>>()
        });
        self.fixed.extend(own.difference(&whole));
        self.settle();
    }

    /// Makes every size lead to its root at once, and says of free sizes how far windows reach.
    fn settle(&mut self) {
        for size in 0..self.nodes.len() {
            self.find(size);
        }
        for (size, reach) in std::mem::take(&mut self.reaches) {
            for leaf in self.leaves(size) {
                let known = self.reaches.entry(leaf).or_default();
                *known = reach.max(*known);
            }
        }
    }

    /// The loops of a function through stacks, and how many turns they have.
    pub(crate) fn turns(&self, function: usize) -> &[(Turns, Size)] {
        &self.turns[function]
    }

    /// The free sizes that are turns of loops.
    pub(crate) fn turn_leaves(&self) -> BTreeSet<Size> {
        self.turns.iter().flatten().flat_map(|(_, size)| self.leaves(*size)).collect()
    }

    fn instruction(&mut self, function: usize, view: &InstView<'_>, id: InstId) {
        let inst = view.inst;
        if inst.op.carries_values() {
            for (position, result) in inst.results.iter().enumerate() {
                self.whole(function, inst.operands[position], *result);
                for region in 0..inst.regions.len() {
                    self.whole(function, view.region(region).args[position], *result);
                }
                if let Some(last) = inst.regions.len().checked_sub(1) {
                    self.whole(function, view.returned(last)[position], *result);
                }
            }
        } else if view.regions() == Regions::Branches {
            for region in 0..inst.regions.len() {
                for (returned, result) in view.returned(region).iter().zip(&inst.results) {
                    self.whole(function, *returned, *result);
                }
            }
        } else if matches!(inst.op, Op::Reshape(_)) {
            let dims = |value: ValueId, dims: &Self| -> Vec<Size> {
                (0..dims.rank(function, value)).map(|dim| dims.of(function, value, dim)).collect()
            };
            let (from, to) = (dims(inst.operands[0], self), dims(inst.results[0], self));
            self.align(from, to);
        } else if !inst.results.is_empty() {
            self.rule(function, view, id, &inst.op.rule(view));
        }
    }

    fn rank(&self, function: usize, value: ValueId) -> usize {
        self.functions[function].body.ty(value).as_tensor().map_or(0, |tensor| tensor.rank())
    }

    /// All dims of two values of one shape.
    fn whole(&mut self, function: usize, a: ValueId, b: ValueId) {
        self.whole_between((function, a), (function, b));
    }

    fn whole_between(&mut self, (one, a): (usize, ValueId), (other, b): (usize, ValueId)) {
        for dim in 0..self.rank(one, a).min(self.rank(other, b)) {
            self.unify(self.of(one, a, dim), self.of(other, b, dim));
        }
    }

    fn fix_all(&mut self, function: usize, value: ValueId) {
        let sizes = (0..self.rank(function, value)).map(|dim| self.of(function, value, dim));
        self.fixed.extend(sizes.collect::<Vec<_>>());
    }

    /// Each dim is the product of its factors, unless elements move along it (`moves`); one of which a loop takes parts, or
    /// with a factor of which it has a part, is fixed. Dims without factors, of which the rule says nothing, are one size if
    /// they are one number, unless nothing is known of the kernel that is called.
    fn rule(&mut self, function: usize, view: &InstView<'_>, id: InstId, rule: &ShardingRule) {
        let numbers: Vec<usize> = rule.factors.iter().map(|factor| factor.size).collect();
        let sizes: Vec<Size> = numbers.iter().map(|number| self.add(*number)).collect();
        let inst = view.inst;
        let is_known = inst.op.unknown_kernel(view).is_none();
        let moves = Moving::all(view);
        let part = self.parts[function].get(&id).copied();
        let mut untold: BTreeMap<usize, Size> = BTreeMap::new();
        for (port, value, dims) in ports(inst, rule) {
            for (dim, factors) in dims.iter().enumerate() {
                let size = self.of(function, value, dim);
                let number = self.numbers[size];
                if moves.iter().any(|own| own.has((port, dim))) {
                    if let [factor] = factors.as_slice()
                        && numbers[*factor] == number
                    {
                        self.unify(size, sizes[*factor]);
                    }
                    continue;
                }
                if let Some((_, turns)) = part.filter(|(along, _)| *along == dim) {
                    // A part has one element.
                    if number == self.numbers[turns] {
                        self.unify(size, turns);
                    }
                    continue;
                }
                let factors: Vec<usize> =
                    factors.iter().copied().filter(|factor| numbers[*factor] != 1).collect();
                // A loop's turns read and write parts of such a dim at places of their own.
                let is_held = |factor: &usize| {
                    matches!(rule.factors[*factor].kind, FactorKind::Halo | FactorKind::Sliced)
                };
                let product: usize = factors.iter().map(|factor| numbers[*factor]).product();
                if factors.is_empty() && is_known {
                    let first = *untold.entry(number).or_insert(size);
                    self.unify(first, size);
                } else if product != number || factors.iter().any(is_held) {
                    self.fixed.insert(size);
                    self.fixed.extend(factors.iter().map(|factor| sizes[*factor]));
                } else {
                    self.align(vec![size], factors.iter().map(|factor| sizes[*factor]).collect());
                }
            }
        }
        for moving in moves {
            let of = |(port, dim): (Port, usize)| match port {
                Port::Operand(index) => self.of(function, inst.operands[index], dim),
                Port::Result(index) => self.of(function, inst.results[index], dim),
            };
            let kept: Vec<Size> = moving.kept.iter().map(|place| of(*place)).collect();
            let dims: Vec<(Size, Times)> =
                moving.dims.iter().map(|(place, times)| (of(*place), *times)).collect();
            let longer: Vec<(Size, usize)> =
                moving.longer.iter().map(|(place, more)| (of(*place), *more)).collect();
            self.fixed.extend(kept);
            self.moving(&dims, &longer, moving.reach);
        }
        if function == 0 {
            self.factors.insert(id, sizes);
        }
    }

    /// Dims that are one size, each so many times, and those that are so much more.
    fn moving(&mut self, dims: &[(Size, Times)], longer: &[(Size, usize)], reach: usize) {
        let Some((size, times)) = dims.first() else { return };
        let unit = self.add(self.numbers[*size] / times.count());
        for (size, times) in dims {
            let times_of = self.add(times.count());
            self.fixed.insert(times_of);
            let product = match times {
                Times::Parts(_) => vec![times_of, unit],
                Times::Steps(_) => vec![unit, times_of],
            };
            self.align(vec![*size], product);
        }
        for (size, more) in longer {
            self.nodes.push(Node::Longer(unit, *more));
            self.numbers.push(self.numbers[*size]);
            self.unify(*size, self.nodes.len() - 1);
        }
        for leaf in self.leaves(unit) {
            let known = self.reaches.entry(leaf).or_default();
            *known = reach.max(*known);
        }
    }

    fn add(&mut self, number: usize) -> Size {
        self.nodes.push(Node::Free);
        self.numbers.push(number);
        self.nodes.len() - 1
    }

    fn root(&self, mut size: Size) -> Size {
        while let Node::As(other) = self.nodes[size] {
            size = other;
        }
        size
    }

    /// The same; what lies on the way leads there at once from now on.
    fn find(&mut self, size: Size) -> Size {
        let root = self.root(size);
        let mut at = size;
        while let Node::As(next) = self.nodes[at] {
            if next != root {
                self.nodes[at] = Node::As(root);
            }
            at = next;
        }
        root
    }

    fn unify(&mut self, a: Size, b: Size) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        if self.numbers[a] != self.numbers[b] {
            self.fixed.extend([a, b]);
            return;
        }
        let (a, b) = if matches!(self.nodes[a], Node::Free) { (b, a) } else { (a, b) };
        let before = std::mem::replace(&mut self.nodes[b], Node::As(a));
        match (self.nodes[a].clone(), before) {
            (Node::Product(one), Node::Product(other)) => self.align(one, other),
            (Node::Longer(one, more), Node::Longer(other, as_much)) if more == as_much => {
                self.unify(one, other);
            }
            (_, Node::Free) => {}
            (_, before) => {
                self.nodes.push(before);
                self.numbers.push(self.numbers[a]);
                self.fixed.extend([a, self.nodes.len() - 1]);
            }
        }
    }

    /// Both lists have one product: what stands at one place of both is one size, and a size that stands where the other
    /// list has several is their product.
    fn align(&mut self, left: Vec<Size>, right: Vec<Size>) {
        let is_real = |size: &Size| self.numbers[*size] != 1;
        let mut sides = [left, right].map(|side| side.into_iter().filter(is_real).collect::<VecDeque<_>>());
        while let (Some(a), Some(b)) = (sides[0].pop_front(), sides[1].pop_front()) {
            let (a, b) = (self.find(a), self.find(b));
            if self.numbers[a] == self.numbers[b] {
                self.unify(a, b);
                continue;
            }
            let larger = usize::from(self.numbers[a] < self.numbers[b]);
            let (large, small) = if larger == 0 { (a, b) } else { (b, a) };
            if let Node::Product(parts) = self.nodes[large].clone() {
                parts.into_iter().rev().for_each(|part| sides[larger].push_front(part));
                sides[1 - larger].push_front(small);
                continue;
            }
            let (number, part) = (self.numbers[large], self.numbers[small]);
            let is_free = matches!(self.nodes[large], Node::Free);
            if part == 0 || !number.is_multiple_of(part) || !is_free {
                self.fixed.extend([large, small]);
                break;
            }
            let rest = self.add(number / part);
            self.nodes[large] = Node::Product(vec![small, rest]);
            sides[larger].push_front(rest);
        }
        let left = sides.into_iter().flatten().collect::<Vec<_>>();
        self.fixed.extend(left);
    }

    /// The sizes that a size is the product of: free ones, and such as are more than another one.
    pub(crate) fn leaves(&self, size: Size) -> Vec<Size> {
        let size = self.root(size);
        match &self.nodes[size] {
            Node::Product(parts) => parts.iter().flat_map(|part| self.leaves(*part)).collect(),
            _ => vec![size],
        }
    }

    /// What a leaf is so much more than, if it is.
    pub(crate) fn longer(&self, leaf: Size) -> Option<(Size, usize)> {
        match self.nodes[leaf] {
            Node::Longer(size, more) => Some((size, more)),
            _ => None,
        }
    }

    /// The free sizes that keep their number.
    pub(crate) fn fixed_leaves(&self) -> BTreeSet<Size> {
        let mut found = BTreeSet::new();
        let mut open: Vec<Size> = self.fixed.iter().copied().collect();
        while let Some(size) = open.pop() {
            for leaf in self.leaves(size) {
                if found.insert(leaf) {
                    open.extend(self.longer(leaf).map(|(size, _)| size));
                }
            }
        }
        found
    }

    /// How many elements of a free size each device needs at least.
    pub(crate) fn reach(&self, leaf: Size) -> usize {
        self.reaches.get(&leaf).copied().unwrap_or(0)
    }

    /// All free sizes.
    pub(crate) fn all_leaves(&self) -> BTreeSet<Size> {
        (0..self.nodes.len()).flat_map(|size| self.leaves(size)).collect()
    }

    /// How many elements sums of the undistributed function are of, before and in the twin: what means divide by.
    pub(crate) fn counts(&self, choice: &Choice) -> BTreeMap<usize, usize> {
        let function = self.functions[1];
        let body = &function.body;
        let count = |value: ValueId, dims: &[usize]| {
            let sizes = || dims.iter().map(|dim| self.of(1, value, *dim));
            let before: usize = sizes().map(|size| self.number(size)).product();
            (before, sizes().map(|size| choice.number(self, size)).product())
        };
        let all = |value: ValueId| count(value, &(0..self.rank(1, value)).collect::<Vec<_>>());
        let arguments = function.args().iter().map(|value| all(*value));
        let sums = sharded_insts(body, body.entry()).into_iter().filter_map(|id| match &body.insts[id].op {
            Op::Reduce(reduce) => Some(count(*body.insts[id].operands.first()?, &reduce.dims)),
            _ => None,
        });
        // Where one number counts different things, it is what a sum says.
        arguments.chain(sums).filter(|(before, after)| before != after).collect()
    }

    /// The sizes that shardings and strategies of the first function cut, with the devices along their axes.
    pub(crate) fn uses(&self, function: &Function, shardings: &Shardings, mesh: &SmallMesh) -> Vec<Use> {
        let mut uses = BTreeSet::new();
        let mut cut = |size: Size, axes: &[SubAxisId]| {
            if !axes.is_empty() {
                let devices = [shardings.mesh.product(axes), mesh.product(axes)];
                uses.insert(Use { size: self.root(size), devices });
            }
        };
        for (value, sharding) in shardings.values.iter() {
            for (dim, axes) in sharding.dim_axes().enumerate().take(self.rank(0, value)) {
                cut(self.of(0, value, dim), axes);
            }
        }
        for (value, sharding) in function.returned().iter().zip(&shardings.results) {
            for (dim, axes) in sharding.dim_axes().enumerate().take(self.rank(0, *value)) {
                cut(self.of(0, *value, dim), axes);
            }
        }
        for (inst, sizes) in &self.factors {
            for (axes, size) in shardings.strategies[*inst].axes.iter().zip(sizes) {
                cut(*size, axes);
            }
        }
        uses.into_iter().collect()
    }
}

/// The tensors of an instruction with the factors of their dims.
fn ports<'a>(
    inst: &'a Inst,
    rule: &'a ShardingRule,
) -> impl Iterator<Item = (Port, ValueId, &'a TensorFactors)> {
    let operands = inst.operands.iter().zip(&rule.operands).enumerate();
    let results = inst.results.iter().zip(&rule.results).enumerate();
    let operands = operands.map(|(index, (value, dims))| (Port::Operand(index), *value, dims));
    operands.chain(results.map(|(index, (value, dims))| (Port::Result(index), *value, dims)))
}
