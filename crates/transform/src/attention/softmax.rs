//! All that is computed of the exponentials of a softmax, forward and backward.
//!
//! Input: scores. Output: the products and sums in which something takes part that is, by the algebra of
//! [`Sum`], made of the exponentials and the gradient of the probabilities; what they are made of, and the dims of what
//! they give.

use std::collections::{BTreeMap, BTreeSet};

use super::algebra::Sum;
use super::dims::{Atom, Atoms, Dim, Dims};
use super::reader::{Known, MAX_DEPTH, Root};
use super::scores::{PieceKind, Scores};
use super::takes::Reason;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::dot_general::DotGeneral;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::Inst;

/// A product of something made of the exponentials with another value.
pub(super) struct Product {
    pub(super) id: InstId,
    pub(super) of: Sum,
    /// The atoms that are summed along.
    pub(super) along: Vec<Atom>,
    /// The other value.
    pub(super) with: Root,
    pub(super) dims: Dims,
}

/// A value summed along some of its dims.
pub(super) struct Total {
    pub(super) id: InstId,
    pub(super) of: Totaled,
    pub(super) along: Vec<Atom>,
    pub(super) dims: Dims,
}

/// Something that is summed along dims other than the keys.
#[derive(Clone, Debug)]
pub(super) enum Totaled {
    /// Something made of the exponentials.
    Sum(Sum),
    /// The product of this position.
    Product(usize),
}

/// The product of the output's gradient and the values.
pub(super) struct Upstream {
    pub(super) id: InstId,
    pub(super) gradient: Root,
    pub(super) values: Root,
}

/// All that is computed of the exponentials.
pub(super) struct Softmax<'a, 'k> {
    known: &'k Known<'a>,
    pub(super) atoms: Atoms,
    pub(super) scores: Scores,
    seen: BTreeMap<ValueId, (Dims, Sum)>,
    /// Results of products, arranged otherwise.
    arranged: BTreeMap<ValueId, (Dims, usize)>,
    pub(super) products: Vec<Product>,
    pub(super) totals: Vec<Total>,
    pub(super) upstream: Option<Upstream>,
    /// Values made of the exponentials that something else reads.
    pub(super) read_otherwise: Vec<(ValueId, InstId)>,
}

impl<'a, 'k> Softmax<'a, 'k> {
    /// The softmax whose exponentials an instruction computes, if they are of scores.
    ///
    /// # Errors
    /// As of [`Scores::of`].
    pub(super) fn of(known: &'k Known<'a>, exponential: InstId) -> Option<Result<Self, Reason>> {
        let mut atoms = Atoms::default();
        let scores = match Scores::of(known, &mut atoms, exponential)? {
            Ok(scores) => scores,
            Err(reason) => return Some(Err(reason)),
        };
        let value = known.body.insts[exponential].results[0];
        let mut softmax = Self {
            known,
            atoms,
            seen: BTreeMap::from([(value, (scores.dims.clone(), Sum::exponentials()))]),
            scores,
            arranged: BTreeMap::new(),
            products: Vec::new(),
            totals: Vec::new(),
            upstream: None,
            read_otherwise: Vec::new(),
        };
        softmax.follow(value);
        Some(Ok(softmax))
    }

    /// Reads all that is made of a value, in the order of execution.
    fn follow(&mut self, from: ValueId) {
        let known = self.known;
        let mut next: BTreeSet<(usize, InstId)> = BTreeSet::new();
        let add = |next: &mut BTreeSet<(usize, InstId)>, value: ValueId| {
            next.extend(known.readers(value).map(|id| (known.position[id], id)));
        };
        add(&mut next, from);
        while let Some((_, id)) = next.pop_first() {
            if let Some(result) = self.read(id) {
                add(&mut next, result);
            }
        }
    }

    /// Reads an instruction; its result if more is to be known of that.
    fn read(&mut self, id: InstId) -> Option<ValueId> {
        let inst = &self.known.body.insts[id];
        let Some(result) = inst.results.first().copied() else {
            self.note_unread(id, false);
            return None;
        };
        if let Op::OptimizationBarrier(_) | Op::DynamicUpdateSlice(_) | Op::DynamicSlice(_) = inst.op {
            return None;
        }
        if let Some((dims, product)) = self.arranged.get(&self.known.links.first(inst.operands[0])).cloned() {
            return self.read_product(id, &dims, product);
        }
        if let Op::DotGeneral(op) = &inst.op {
            let is_read = self.product(id, inst, op);
            self.note_unread(id, is_read.is_some());
            return is_read;
        }
        let made = self.elementwise(id, inst);
        self.note_unread(id, made.is_some());
        let (dims, sum) = made?;
        self.seen.insert(result, (dims, sum?));
        Some(result)
    }

    fn note_unread(&mut self, id: InstId, is_read: bool) {
        if is_read {
            return;
        }
        let operands = &self.known.body.insts[id].operands;
        let seen = operands.iter().filter(|value| self.seen.contains_key(&self.known.links.first(**value)));
        self.read_otherwise.extend(seen.map(|value| (*value, id)));
    }

    /// What an instruction makes of what is known; without a sum if nothing follows.
    fn elementwise(&mut self, id: InstId, inst: &Inst) -> Option<(Dims, Option<Sum>)> {
        let known = self.known;
        match (&inst.op, &inst.operands[..]) {
            (Op::Convert(_) | Op::Transpose(_) | Op::Reshape(_) | Op::BroadcastInDim(_), [value]) => {
                let (dims, sum) = self.form(*value)?;
                let dims = self.atoms.forward(known.body, id, &dims)?;
                Some((self.filled(dims, inst.results[0])?, Some(sum)))
            }
            (Op::Unary(Unary::Negate), [value]) => {
                let (dims, sum) = self.form(*value)?;
                Some((dims, Some(sum.scaled(-1.0))))
            }
            (Op::Binary(op), [left, right]) => {
                let (dims, left, right) = self.both(*left, *right)?;
                let sum = match op {
                    Binary::Add => left.plus(&right),
                    Binary::Subtract => left.plus(&right.scaled(-1.0)),
                    Binary::Multiply => left.times(&right)?,
                    Binary::Divide => left.over(&right)?,
                    Binary::Power => left.to_the(right.as_number()?)?,
                    _ => return None,
                };
                Some((dims, Some(sum)))
            }
            (Op::Select(_), [condition, yes, no]) => {
                let (value, other, is_seen) = match known.number(*no) {
                    Some(number) => (yes, number, true),
                    None => (no, known.number(*yes)?, false),
                };
                let (dims, sum) = self.form(*value)?;
                let is_same = other == 0.0 && sum.vanishes_with_them();
                (is_same && self.is_condition(*condition, &dims, is_seen)).then_some((dims, Some(sum)))
            }
            (Op::Reduce(op), [value, init]) => {
                let view = known.body.view(id);
                let adds = reducer(known.body, view.region(0)) == Some(Binary::Add);
                (adds && known.number(*init) == Some(0.0)).then_some(())?;
                let (dims, sum) = self.form(*value)?;
                self.reduced(id, &op.dims, &dims, sum)
            }
            _ => None,
        }
    }

    /// A sum along dims: of the keys, of none, or one that is taken note of.
    fn reduced(&mut self, id: InstId, along: &[usize], dims: &Dims, sum: Sum) -> Option<(Dims, Option<Sum>)> {
        let (along, rest) = split(along, dims)?;
        let (along, keys) = (self.atoms.set(&along), self.atoms.set(&self.scores.keys));
        if along.is_empty() {
            return Some((rest, Some(sum)));
        }
        if along == keys {
            return Some((rest, Some(sum.summed()?)));
        }
        self.totals.push(Total { id, of: Totaled::Sum(sum), along, dims: rest.clone() });
        Some((rest, None))
    }

    /// Sums of the result of a product along some atoms; `None` if there are none.
    pub(super) fn totals_of(&self, product: usize, along: &[Atom]) -> Option<impl Iterator<Item = &Total>> {
        let along = self.atoms.set(along);
        let is_of = move |total: &&Total| {
            matches!(total.of, Totaled::Product(of) if of == product) && self.atoms.set(&total.along) == along
        };
        let totals = self.totals.iter().filter(is_of);
        totals.clone().next().is_some().then_some(totals)
    }

    /// Whether something changes the probabilities of queries and keys with batches, elementwise.
    pub(super) fn is_changed(&self) -> bool {
        self.is_read_otherwise(|sum, op| {
            let is_elementwise = matches!(op, Op::Select(_) | Op::Binary(Binary::Multiply));
            is_elementwise && sum.as_probabilities().is_some()
        })
    }

    /// Whether something is added to what the exponentials of queries and keys with batches sum up to.
    pub(super) fn is_joined(&self) -> bool {
        self.is_read_otherwise(|sum, op| match op {
            Op::Binary(Binary::Add) => sum.is_total(),
            Op::Binary(Binary::Divide) => sum.is_total_and_more(),
            _ => false,
        })
    }

    /// Whether something else reads, by an op, what is made of the exponentials of queries and keys with batches.
    fn is_read_otherwise(&self, is_wanted: impl Fn(&Sum, &Op) -> bool) -> bool {
        let body = self.known.body;
        let is_batched = |(id, _): (InstId, &Inst)| matches!(&body.insts[id].op, Op::DotGeneral(op) if !op.batch[0].is_empty());
        let is_read = |(value, id): &(ValueId, InstId)| {
            self.form(*value).is_some_and(|(_, sum)| is_wanted(&sum, &body.insts[*id].op))
        };
        self.known.made(self.scores.product).is_some_and(is_batched)
            && self.read_otherwise.iter().any(is_read)
    }

    /// What a value is made of: something known, or a number.
    pub(super) fn form(&self, value: ValueId) -> Option<(Dims, Sum)> {
        if let Some(seen) = self.seen.get(&self.known.links.first(value)) {
            return Some(seen.clone());
        }
        let shape = &self.known.ty(value)?.shape;
        let dims = shape.iter().map(|size| if *size == 1 { Some(Vec::new()) } else { None }).collect();
        Some((dims, Sum::number(self.known.number(value)?)))
    }

    /// Two operands of one shape.
    fn both(&mut self, left: ValueId, right: ValueId) -> Option<(Dims, Sum, Sum)> {
        let (left_dims, right_dims, left, right) = match (self.form(left), self.form(right)) {
            (Some(left), Some(right)) => (left.0, right.0, left.1, right.1),
            (Some(known), None) => {
                let other = self.gradient(right, &known.0)?;
                (known.0, other.0, known.1, other.1)
            }
            (None, Some(known)) => {
                let other = self.gradient(left, &known.0)?;
                (other.0, known.0, other.1, known.1)
            }
            (None, None) => return None,
        };
        let merged = left_dims.into_iter().zip(right_dims).map(|pair| match pair {
            (Some(left), Some(right)) => self.atoms.unify(&left, &right).then_some(Some(left)),
            (left, right) => Some(left.or(right)),
        });
        Some((merged.collect::<Option<Dims>>()?, left, right))
    }

    /// The dims of a value along one of which it was broadcast over the keys.
    fn filled(&mut self, mut dims: Dims, value: ValueId) -> Option<Dims> {
        let shape = &self.known.ty(value)?.shape;
        let keys = self.atoms.leaves(&self.scores.keys);
        let size = self.atoms.sizes(&keys);
        let mut open = (0..dims.len()).filter(|dim| dims[*dim].is_none());
        let only = open.next().filter(|dim| open.next().is_none() && shape[*dim] == size);
        if let Some(dim) = only
            && !self.atoms.all(&dims).iter().any(|atom| keys.contains(atom))
        {
            dims[dim] = Some(keys);
        }
        Some(dims)
    }

    /// A value as the gradient of the probabilities: a product of two values that is arranged and multiplied by numbers.
    fn gradient(&mut self, value: ValueId, dims: &Dims) -> Option<(Dims, Sum)> {
        dims.iter().all(Option::is_some).then_some(())?;
        let (product, own, factor) = self.upstream_product(value, dims, MAX_DEPTH)?;
        match &self.upstream {
            Some(upstream) => (upstream.id == product).then_some(())?,
            None => self.upstream = Some(self.upstream_of(product, &own)?),
        }
        Some((dims.clone(), Sum::gradient(factor)))
    }

    fn upstream_product(&mut self, value: ValueId, dims: &Dims, depth: usize) -> Option<(InstId, Dims, f64)> {
        let known = self.known;
        let (id, inst) = known.made(value)?;
        let depth = depth.checked_sub(1)?;
        match (&inst.op, &inst.operands[..]) {
            (Op::DotGeneral(_), _) => Some((id, dims.clone(), 1.0)),
            (Op::Convert(_) | Op::Transpose(_) | Op::Reshape(_), [value]) => {
                let before = self.atoms.backward(known.body, id, dims)?;
                self.upstream_product(*value, &before, depth)
            }
            (Op::Binary(op @ (Binary::Multiply | Binary::Divide)), [left, right]) => {
                let (value, by) = match (known.number(*left), known.number(*right), op) {
                    (_, Some(by), Binary::Multiply) => (left, by),
                    (_, Some(by), _) => (left, by.recip()),
                    (Some(by), _, Binary::Multiply) => (right, by),
                    _ => return None,
                };
                let (id, dims, factor) = self.upstream_product(*value, dims, depth)?;
                Some((id, dims, factor * by))
            }
            _ => None,
        }
    }

    /// The sides of the product that is the gradient of the probabilities.
    fn upstream_of(&mut self, id: InstId, dims: &Dims) -> Option<Upstream> {
        let [left, right] = self.known.sides(&mut self.atoms, id, dims, Atoms::open)?;
        let is_of_keys = self.atoms.set(&right.free) == self.atoms.set(&self.scores.keys);
        let (gradient, values) = if is_of_keys { (left, right) } else { (right, left) };
        (self.atoms.set(&values.free) == self.atoms.set(&self.scores.keys)).then_some(())?;
        Some(Upstream { id, gradient: gradient.root, values: values.root })
    }

    /// Whether a condition is one of those of the scores.
    fn is_condition(&mut self, value: ValueId, dims: &Dims, is_seen: bool) -> bool {
        if let Some(number) = self.known.number(value) {
            return (number != 0.0) == is_seen;
        }
        let root = self.known.root(&mut self.atoms, value, dims);
        let positional = self.known.positional(&mut self.atoms, root.value, &root.dims);
        let band = positional.and_then(|positional| positional.holds());
        let pieces = self.scores.pieces.clone();
        let is_own = |piece: &super::scores::Piece| {
            (piece.kind == PieceKind::Condition(is_seen)
                && piece.root.value == root.value
                && self.atoms.unify_dims(&piece.root.dims, &root.dims))
                || (is_seen && piece.band.is_some() && piece.band == band)
        };
        if pieces.iter().any(is_own) {
            return true;
        }
        match self.known.both(root.value) {
            Some(both) if is_seen => both.iter().all(|value| self.is_condition(*value, &root.dims, true)),
            _ => false,
        }
    }

    /// A product with what is known on one side; its result, of which arrangements are followed.
    fn product(&mut self, id: InstId, inst: &Inst, op: &DotGeneral) -> Option<ValueId> {
        let is_seen = |side: usize| self.seen.contains_key(&self.known.links.first(inst.operands[side]));
        let side = match (is_seen(0), is_seen(1)) {
            (true, false) => 0,
            (false, true) => 1,
            _ => return None,
        };
        let other = 1 - side;
        let (dims, of) = self.form(inst.operands[side])?;
        let shape = &self.known.ty(inst.operands[other])?.shape;
        let mut with = self.atoms.open(shape);
        for of in [&op.batch, &op.contracting] {
            of[other].iter().zip(&of[side]).for_each(|(to, from)| with[*to].clone_from(&dims[*from]));
        }
        let along: Vec<Atom> =
            op.contracting[side].iter().filter_map(|dim| dims[*dim].clone()).flatten().collect();
        let free = |side: usize, dims: &Dims| -> Dims {
            let is_free = |dim: &usize| !op.batch[side].contains(dim) && !op.contracting[side].contains(dim);
            (0..dims.len()).filter(is_free).map(|dim| dims[dim].clone()).collect()
        };
        let mut result: Dims = op.batch[side].iter().map(|dim| dims[*dim].clone()).collect();
        let [left, right] = if side == 0 { [&dims, &with] } else { [&with, &dims] };
        result.extend(free(0, left));
        result.extend(free(1, right));
        let with = self.known.root(&mut self.atoms, inst.operands[other], &with);
        let along = self.atoms.leaves(&along);
        self.products.push(Product { id, of, along, with, dims: result.clone() });
        self.arranged.insert(inst.results[0], (result, self.products.len() - 1));
        Some(inst.results[0])
    }

    /// What is made of the result of a product: arrangements, and a sum along some dims.
    fn read_product(&mut self, id: InstId, dims: &Dims, product: usize) -> Option<ValueId> {
        let inst = &self.known.body.insts[id];
        let result = *inst.results.first()?;
        if let Op::Reduce(op) = &inst.op {
            let adds = reducer(self.known.body, self.known.body.view(id).region(0)) == Some(Binary::Add);
            let (along, dims) = split(&op.dims, dims).filter(|_| adds && inst.operands.len() == 2)?;
            let along = self.atoms.set(&along);
            self.totals.push(Total { id, of: Totaled::Product(product), along, dims });
            return None;
        }
        let dims = self.atoms.forward(self.known.body, id, dims)?;
        self.arranged.insert(result, (dims, product));
        Some(result)
    }
}

/// The atoms of some dims, and the other dims.
fn split(along: &[usize], dims: &[Dim]) -> Option<(Vec<Atom>, Dims)> {
    let summed = along.iter().map(|dim| dims[*dim].clone()).collect::<Option<Vec<_>>>()?.concat();
    let rest = (0..dims.len()).filter(|dim| !along.contains(dim)).map(|dim| dims[dim].clone()).collect();
    Some((summed, rest))
}
