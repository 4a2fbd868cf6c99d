//! All that is computed of the exponentials of a softmax, forward and backward.
//!
//! Input: scores. Output: the products and sums in which something takes part that is, by the algebra of
//! [`Sum`], made of the exponentials and the gradient of the probabilities; what they are made of, and the dims of what
//! they give.

use std::collections::{BTreeMap, BTreeSet};

use super::algebra::{Beside, Sum};
use super::dims::{Atom, Atoms, Dim, Dims};
use super::form::Form;
use super::reader::{Known, MAX_DEPTH, Root};
use super::scores::{Both, PieceKind, Scores, Sink, SinkPlace};
use super::takes::Reason;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::dot_general::DotGeneral;
use meshwright_ir::ops::pad::Pad;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::ops::slice::Slice;
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
    seen: BTreeMap<ValueId, (Dims, Form)>,
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
        let mut softmax = Self::with(known, atoms, scores);
        if let Some(sink) = softmax.added_sink() {
            let Self { atoms, scores, .. } = softmax;
            softmax = Self::with(known, atoms, Scores { sink: Some(sink), ..scores });
        }
        Some(Ok(softmax))
    }

    /// All that is computed of the exponentials of these scores.
    fn with(known: &'k Known<'a>, atoms: Atoms, scores: Scores) -> Self {
        let result = |id: InstId| known.body.insts[id].results[0];
        let of_keys = |form: Form| (result(scores.exponential), (scores.dims.clone(), form));
        let exponentials = Sum::exponentials();
        let seen = match scores.sink.as_ref().map(|sink| &sink.place) {
            None => vec![of_keys(exponentials.into())],
            Some(SinkPlace::Joined(both)) => {
                let form = Form { keys: exponentials, sink: Some(Sum::exponential_of_sink()) };
                vec![(result(scores.exponential), (both.dims.clone(), form))]
            }
            Some(SinkPlace::Added(id, dims)) => {
                let of_sink = (dims.clone(), Sum::exponential_of_sink().into());
                vec![of_keys(exponentials.into()), (result(*id), of_sink)]
            }
        };
        let from: Vec<ValueId> = seen.iter().map(|(value, _)| *value).collect();
        let mut softmax = Self {
            known,
            atoms,
            seen: seen.into_iter().collect(),
            scores,
            arranged: BTreeMap::new(),
            products: Vec::new(),
            totals: Vec::new(),
            upstream: None,
            read_otherwise: Vec::new(),
        };
        softmax.follow(&from);
        softmax
    }

    /// The sink whose exponential is added to the sum of the others.
    fn added_sink(&mut self) -> Option<Sink> {
        let known = self.known;
        let adds = |(_, id): &&(ValueId, InstId)| matches!(known.body.insts[*id].op, Op::Binary(Binary::Add));
        let sums: Vec<(ValueId, InstId)> = self.read_otherwise.iter().filter(adds).copied().collect();
        sums.into_iter().find_map(|(value, id)| {
            let (dims, form) = self.form(value)?;
            form.alone()?.is_total().then_some(())?;
            let other = known.body.insts[id].operands.iter().find(|other| **other != value)?;
            self.scores.added_sink(known, &mut self.atoms, *other, &dims)
        })
    }

    /// Reads all that is made of values, in the order of execution.
    fn follow(&mut self, from: &[ValueId]) {
        let known = self.known;
        let mut next: BTreeSet<(usize, InstId)> = BTreeSet::new();
        let add = |next: &mut BTreeSet<(usize, InstId)>, value: ValueId| {
            next.extend(known.readers(value).map(|id| (known.position[id], id)));
        };
        from.iter().for_each(|value| add(&mut next, *value));
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
        let (dims, form) = made?;
        self.seen.insert(result, (dims, form?));
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
    fn elementwise(&mut self, id: InstId, inst: &Inst) -> Option<(Dims, Option<Form>)> {
        let known = self.known;
        match (&inst.op, &inst.operands[..]) {
            (Op::Convert(_) | Op::Transpose(_) | Op::Reshape(_) | Op::BroadcastInDim(_), [value]) => {
                let (dims, form) = self.form(*value)?;
                let dims = self.atoms.forward(known.body, id, &dims)?;
                Some((self.filled(dims, inst.results[0])?, Some(form)))
            }
            (Op::Slice(op), [value]) => {
                let (dims, form) = self.form(*value)?;
                let (dims, form) = self.sliced(op, inst.results[0], dims, form)?;
                Some((dims, Some(form)))
            }
            (Op::Pad(op), [value, with]) => {
                let (dims, form) = self.form(*value)?;
                (known.number(*with) == Some(0.0)).then_some(())?;
                let (dims, form) = (self.padded(op, &dims)?, form.alone()?.clone());
                Some((dims, Some(Form::padded(form))))
            }
            (Op::Unary(Unary::Negate), [value]) => {
                let (dims, form) = self.form(*value)?;
                Some((dims, form.map(|sum| Some(sum.scaled(-1.0)))))
            }
            (Op::Binary(op), [left, right]) => {
                let (dims, left, right) = self.both(*left, *right)?;
                let form = left.with(&right, |left, right| match op {
                    Binary::Add => Some(left.plus(right)),
                    Binary::Subtract => Some(left.plus(&right.scaled(-1.0))),
                    Binary::Multiply => left.times(right),
                    Binary::Divide => left.over(right),
                    Binary::Power => left.to_the(right.as_number()?),
                    _ => None,
                });
                Some((dims, Some(form?)))
            }
            (Op::Select(_), [condition, yes, no]) => {
                let (value, other, is_seen) = match known.number(*no) {
                    Some(number) => (yes, number, true),
                    None => (no, known.number(*yes)?, false),
                };
                let (dims, form) = self.form(*value)?;
                let is_same = other == 0.0 && form.alone()?.vanishes_with_them();
                (is_same && self.is_condition(*condition, &dims, is_seen)).then_some((dims, Some(form)))
            }
            (Op::Reduce(op), [value, init]) => {
                let view = known.body.view(id);
                let adds = reducer(known.body, view.region(0)) == Some(Binary::Add);
                (adds && known.number(*init) == Some(0.0)).then_some(())?;
                let (dims, form) = self.form(*value)?;
                self.reduced(id, &op.dims, &dims, form)
            }
            _ => None,
        }
    }

    /// The part of the keys, or that of the sink, of what both have together.
    fn sliced(&self, op: &Slice, result: ValueId, mut dims: Dims, form: Form) -> Option<(Dims, Form)> {
        let at = self.place_of_both(&dims)?;
        let (keys, [before, _]) = (self.atoms.sizes(&self.scores.keys), self.keys_and_sink()?.around);
        let is_whole = |dim: usize| {
            dim == at
                || dims[dim].as_ref().is_some_and(|dim_atoms| {
                    let size = self.atoms.sizes(dim_atoms);
                    self.known.ty(result).is_some_and(|ty| ty.shape[dim] == size)
                })
        };
        (op.stride.iter().all(|stride| *stride == 1) && (0..dims.len()).all(is_whole)).then_some(())?;
        let of_sink = if before == 1 { 0 } else { keys };
        if (op.start[at], op.limit[at]) == (before, before + keys) {
            dims[at] = Some(self.scores.keys.clone());
            Some((dims, form.keys.into()))
        } else if (op.start[at], op.limit[at]) == (of_sink, of_sink + 1) {
            dims[at] = Some(Vec::new());
            Some((dims, form.beside().clone().into()))
        } else {
            None
        }
    }

    /// The dims of something along the keys with zero beside them, where the sink is.
    fn padded(&self, op: &Pad, dims: &[Dim]) -> Option<Dims> {
        let both = self.keys_and_sink()?;
        let keys = self.atoms.leaves(&self.scores.keys);
        let is_keys = |dim: &Dim| dim.as_ref().is_some_and(|dim| self.atoms.leaves(dim) == keys);
        let at = dims.iter().position(is_keys)?;
        self.pads(op, at).then(|| {
            let mut dims = dims.to_vec();
            dims[at] = Some(both.all.clone());
            dims
        })
    }

    /// Whether zeros are put around the keys, along this dim, where the sink is.
    fn pads(&self, op: &Pad, at: usize) -> bool {
        let Some(both) = self.keys_and_sink() else { return false };
        let around = |dim: usize| if dim == at { both.around } else { [0, 0] };
        let fits = |dim: usize| [op.low[dim], op.high[dim]] == around(dim).map(|size| size as i64);
        (0..op.low.len()).all(|dim| fits(dim) && op.interior[dim] == 0)
    }

    /// The dim along which a value has the keys and the sink together.
    fn place_of_both(&self, dims: &[Dim]) -> Option<usize> {
        let all = self.atoms.leaves(&self.keys_and_sink()?.all);
        dims.iter().position(|dim| dim.as_ref().is_some_and(|dim| self.atoms.leaves(dim) == all))
    }

    /// Keys and the sink, where that is joined to the scores.
    fn keys_and_sink(&self) -> Option<&Both> {
        self.scores.sink.as_ref()?.both()
    }

    /// Whether there is a sink.
    fn beside(&self) -> Beside {
        self.scores.sink.as_ref().map_or(Beside::Nothing, |_| Beside::Sink)
    }

    /// A sum along dims: of the keys, of none, or one that is taken note of.
    fn reduced(
        &mut self,
        id: InstId,
        along: &[usize],
        dims: &Dims,
        form: Form,
    ) -> Option<(Dims, Option<Form>)> {
        let (along, rest) = split(along, dims)?;
        let (along, keys) = (self.atoms.set(&along), self.atoms.set(&self.scores.keys));
        if along.is_empty() {
            return Some((rest, Some(form)));
        }
        let is_of_both = self.keys_and_sink().is_some_and(|both| self.atoms.set(&both.all) == along);
        if along == keys || is_of_both {
            return Some((rest, Some(form.summed(self.beside())?.into())));
        }
        let sum = form.alone()?.clone();
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
            self.form(*value).is_some_and(|(_, form)| is_wanted(&form.keys, &body.insts[*id].op))
        };
        self.known.made(self.scores.product).is_some_and(is_batched)
            && self.read_otherwise.iter().any(is_read)
    }

    /// What a value is made of: something known, or a number.
    pub(super) fn form(&self, value: ValueId) -> Option<(Dims, Form)> {
        if let Some(seen) = self.seen.get(&self.known.links.first(value)) {
            return Some(seen.clone());
        }
        let shape = &self.known.ty(value)?.shape;
        let dims = shape.iter().map(|size| if *size == 1 { Some(Vec::new()) } else { None }).collect();
        Some((dims, Sum::number(self.known.number(value)?).into()))
    }

    /// Two operands of one shape.
    fn both(&mut self, left: ValueId, right: ValueId) -> Option<(Dims, Form, Form)> {
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
        let both = self.keys_and_sink().map(|both| both.all.clone());
        let mut open = (0..dims.len()).filter(|dim| dims[*dim].is_none());
        let only = open.next().filter(|_| open.next().is_none());
        let own = self.atoms.all(&dims);
        for atoms in [Some(keys), both].into_iter().flatten() {
            if let Some(dim) = only
                && shape[dim] == self.atoms.sizes(&atoms)
                && !own.iter().any(|atom| atoms.contains(atom))
            {
                dims[dim] = Some(atoms);
            }
        }
        Some(dims)
    }

    /// A value as the gradient of the probabilities: a product of two values that is arranged and multiplied by numbers.
    fn gradient(&mut self, value: ValueId, dims: &Dims) -> Option<(Dims, Form)> {
        dims.iter().all(Option::is_some).then_some(())?;
        let (product, own, factor) = self.upstream_product(value, dims, MAX_DEPTH)?;
        let is_padded = self.place_of_both(dims).is_some();
        match &self.upstream {
            Some(upstream) => (upstream.id == product).then_some(())?,
            None => self.upstream = Some(self.upstream_of(product, &own)?),
        }
        let gradient = Sum::gradient(factor);
        Some((dims.clone(), if is_padded { Form::padded(gradient) } else { gradient.into() }))
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
            (Op::Pad(op), [value, with]) => {
                let at = self.place_of_both(dims).filter(|at| self.pads(op, *at))?;
                (known.number(*with) == Some(0.0)).then_some(())?;
                let mut before = dims.clone();
                before[at] = Some(self.scores.keys.clone());
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
        let (dims, form) = self.form(inst.operands[side])?;
        let of = form.alone()?.clone();
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
