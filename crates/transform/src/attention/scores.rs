//! Scores of an attention, read backward from the exponentials of its softmax.
//!
//! Input: an `exponential` whose results are summed along one dim. Output: the product of queries and keys that they are
//! made of, what it is multiplied by, which conditions choose very small numbers instead of it, and what is added.
//! What does not differ along the keys (the largest score of a query) changes no probability and is left out.
//! One more score that is joined to them along the keys, the same for all keys of a query, is a sink; where more is joined to
//! them, it is told instead.

use super::band::{Band, Positional};
use super::dims::{Atom, Atoms, Dim, Dims};
use super::reader::{Known, MAX_DEPTH, Root, Side};
use super::takes::Reason;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::Inst;

/// A score that is this small has no part in any sum.
pub(crate) const MASKED: f64 = -1e4;

/// Part of what changes scores.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The value.
    pub(super) root: Root,
    pub(super) kind: PieceKind,
    /// The band of keys that it leaves, where that is all that it does.
    pub(super) band: Option<Band>,
    /// The number that scores of keys that are not seen become, or that is added to them; of other addends unknown.
    pub(super) hidden: Hidden,
}

/// Ways to hide a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hidden {
    /// The number stands in the place of its score.
    Replaced(f64),
    /// The number is added to its score.
    Added(f64),
    /// Its score is not hidden, but for what the numbers that are added say.
    Not,
}

/// Ways to change scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PieceKind {
    /// Keys are seen where the value is so.
    Condition(bool),
    /// The value times a number is added.
    Addend(f64),
}

/// A score that takes its part of the softmax of a query and has no value.
#[derive(Clone, Debug)]
pub(super) struct Sink {
    /// The value.
    pub(super) root: Root,
    /// By which it is multiplied.
    pub(super) factor: f64,
    pub(super) place: SinkPlace,
}

/// Where a sink comes into a softmax.
#[derive(Clone, Debug)]
pub(super) enum SinkPlace {
    /// It is joined to the scores.
    Joined(Both),
    /// Its exponential, which this instruction computes, is added to the sum; with its dims.
    Added(InstId, Dims),
}

/// Keys and a sink together.
#[derive(Clone, Debug)]
pub(super) struct Both {
    /// The atoms of both.
    pub(super) all: Vec<Atom>,
    /// How many positions are before the keys, and behind them.
    pub(super) around: [usize; 2],
    /// Dims of the exponentials.
    pub(super) dims: Dims,
}

impl Sink {
    /// What is joined.
    pub(super) fn both(&self) -> Option<&Both> {
        match &self.place {
            SinkPlace::Joined(both) => Some(both),
            SinkPlace::Added(..) => None,
        }
    }
}

/// Scores and the softmax of them.
pub(super) struct Scores {
    /// The exponentials.
    pub(super) exponential: InstId,
    /// The product of queries and keys.
    pub(super) product: ValueId,
    /// Their dims.
    pub(super) dims: Dims,
    /// The atoms that they are summed along.
    pub(super) keys: Vec<Atom>,
    /// Those of the queries alone.
    pub(super) queries: Vec<Atom>,
    pub(super) scale: f64,
    pub(super) pieces: Vec<Piece>,
    pub(super) q: Root,
    pub(super) k: Root,
    /// One more score in the softmax.
    pub(super) sink: Option<Sink>,
    /// What is added to all scores of a query, and how often.
    pub(super) shifts: Vec<(Root, f64)>,
    /// Whether scores are bounded by a tangent first.
    pub(super) is_capped: bool,
    /// Whether something that differs along the keys is added to the numbers in the place of scores.
    pub(super) is_added_to_hidden: bool,
    /// Relative difference of factors that their elements may round differently.
    pub(super) tolerance: f64,
}

/// Scores on the way to their product.
struct Peeled {
    product: InstId,
    dims: Dims,
    scale: f64,
    is_capped: bool,
    /// What is joined to them.
    joined: Option<Join>,
    conditions: Vec<(ValueId, Dims, bool, f64)>,
    /// With how many conditions have chosen before.
    addends: Vec<(ValueId, Dims, f64, usize)>,
}

/// Something that is joined to scores.
struct Join {
    /// The atoms of both.
    all: Vec<Atom>,
    /// Those of the scores alone.
    own: Vec<Atom>,
    /// How many positions are before the scores, and behind them.
    around: [usize; 2],
    /// What it is, with its dims and the number that it is multiplied by; `None` if it is more than one score.
    sink: Option<(ValueId, Dims, f64)>,
}

impl Scores {
    /// The scores whose exponentials an instruction computes. `None` if it computes those of nothing like scores.
    ///
    /// # Errors
    /// [`Reason::Joined`]: there is more in the softmax than scores and a sink. [`Reason::Bias`]: what stands in the place of scores does
    /// not hide them.
    pub(super) fn of(
        known: &Known<'_>,
        atoms: &mut Atoms,
        exponential: InstId,
    ) -> Option<Result<Self, Reason>> {
        let inst = &known.body.insts[exponential];
        if !matches!(inst.op, Op::Unary(Unary::Exponential)) {
            return None;
        }
        let mut dims = atoms.own(&known.ty(inst.results[0])?.shape);
        let mut keys = summed(known, inst.results[0], &dims, 1)?;
        let mut peeled = known.peel(atoms, inst.operands[0], &dims, MAX_DEPTH)?;
        let mut sink = None;
        if let Some(join) = peeled.joined.take() {
            if atoms.set(&join.all) != atoms.set(&keys) {
                return None;
            }
            let own = join.own.clone();
            let all = atoms.leaves(&join.all);
            let Some(found) = join.sink(known, atoms, &dims, &mut peeled.addends) else {
                return Some(Err(Reason::Joined));
            };
            let is_all = |dim: &&mut Dim| dim.as_ref().is_some_and(|dim| atoms.leaves(dim) == all);
            *dims.iter_mut().find(is_all)? = Some(own.clone());
            (keys, sink) = (own, Some(found));
        }
        // What was small enough may have been scaled behind it.
        if !peeled.conditions.iter().all(|(.., number)| *number <= MASKED) {
            return Some(Err(Reason::Bias));
        }
        let [left, right] = known.sides(atoms, peeled.product, &peeled.dims, Atoms::own)?;
        let of_keys = |side: &Side, atoms: &Atoms| atoms.set(&side.free) == atoms.set(&keys);
        let (q, k) = match (of_keys(&left, atoms), of_keys(&right, atoms)) {
            (_, true) => (left, right),
            (true, false) => (right, left),
            (false, false) => return None,
        };
        let mut scores = Self {
            exponential,
            product: known.body.insts[peeled.product].results[0],
            keys: atoms.leaves(&keys),
            dims,
            queries: q.free,
            scale: peeled.scale,
            pieces: Vec::new(),
            q: q.root,
            k: k.root,
            sink,
            shifts: Vec::new(),
            is_capped: peeled.is_capped,
            is_added_to_hidden: false,
            tolerance: if known.ty(inst.results[0])?.element.bits() < 32 { 1e-2 } else { 1e-6 },
        };
        for (value, dims, factor, conditions) in peeled.addends {
            let before = scores.pieces.len();
            scores.add(known, atoms, value, &dims, factor, MAX_DEPTH);
            scores.is_added_to_hidden |= conditions > 0 && scores.pieces.len() > before;
        }
        for (value, dims, is_seen, number) in peeled.conditions {
            scores.condition(known, atoms, value, &dims, is_seen, Hidden::Replaced(number));
        }
        Some(Ok(scores))
    }

    /// Takes note of a condition.
    fn condition(
        &mut self,
        known: &Known<'_>,
        atoms: &mut Atoms,
        value: ValueId,
        dims: &Dims,
        is_seen: bool,
        hidden: Hidden,
    ) {
        let root = known.root(atoms, value, dims);
        if let Some((_, inst)) = known.made(root.value)
            && matches!(inst.op, Op::Unary(Unary::Not))
        {
            return self.condition(known, atoms, inst.operands[0], &root.dims, !is_seen, hidden);
        }
        if let Some([left, right]) = known.both(root.value) {
            let is_true = |value: ValueId| known.number(value).is_some_and(|x| x != 0.0);
            let only = if is_true(left) { right } else { left };
            if is_true(left) || is_true(right) {
                return self.condition(known, atoms, only, &root.dims, is_seen, hidden);
            }
        }
        let positional = known.positional(atoms, root.value, &root.dims);
        if let Some(Positional::Number(x)) = positional
            && (x != 0.0) == is_seen
        {
            return;
        }
        let band = positional.and_then(|positional| match is_seen {
            true => positional.holds(),
            false => inverted(positional).holds(),
        });
        self.pieces.push(Piece { root, kind: PieceKind::Condition(is_seen), band, hidden });
    }

    /// Takes note of what is added, part by part.
    fn add(
        &mut self,
        known: &Known<'_>,
        atoms: &mut Atoms,
        value: ValueId,
        dims: &Dims,
        factor: f64,
        depth: usize,
    ) {
        let root = known.root(atoms, value, dims);
        let keys = atoms.leaves(&self.keys);
        if !atoms.all(&root.dims).iter().any(|atom| keys.contains(atom)) {
            self.shifts.push((root, factor));
            return;
        }
        let band = match known.positional(atoms, root.value, &root.dims) {
            Some(Positional::Number(_)) => return,
            Some(positional) => masks(positional, factor),
            None => None,
        };
        let (band, hidden) = band.map_or((None, Hidden::Not), |(band, x)| (Some(band), Hidden::Added(x)));
        if let (None, Some((_, inst)), Some(depth)) = (band, known.made(root.value), depth.checked_sub(1)) {
            let mut add = |value: ValueId, factor: f64| {
                self.add(known, atoms, value, &root.dims, factor, depth);
            };
            match (&inst.op, &inst.operands[..]) {
                (Op::Binary(Binary::Add), [left, right]) => {
                    [left, right].into_iter().for_each(|value| add(*value, factor));
                    return;
                }
                (Op::Convert(_), [value]) => return add(*value, factor),
                (Op::Select(_), [condition, yes, no]) => {
                    let is_masked =
                        |value: &ValueId| known.number(*value).is_some_and(|x| x * factor <= MASKED);
                    let (value, hidden, is_seen) = match (is_masked(yes), is_masked(no)) {
                        (false, true) => (yes, no, true),
                        (true, false) => (no, yes, false),
                        _ => return self.push(root, factor, band, hidden),
                    };
                    add(*value, factor);
                    let hidden = Hidden::Added(known.number(*hidden).unwrap_or(MASKED) * factor);
                    return self.condition(known, atoms, *condition, &root.dims, is_seen, hidden);
                }
                _ => {}
            }
        }
        self.push(root, factor, band, hidden);
    }

    /// The sink whose exponential a value is that is added to the sum of these: what is added to the scores is added to it.
    pub(super) fn added_sink(
        &self,
        known: &Known<'_>,
        atoms: &mut Atoms,
        value: ValueId,
        dims: &Dims,
    ) -> Option<Sink> {
        let exponential = known.root(atoms, value, dims);
        let (id, inst) = known.made(exponential.value)?;
        matches!(inst.op, Op::Unary(Unary::Exponential)).then_some(())?;
        let mut value = inst.operands[0];
        if let [shift, rest @ ..] = &self.shifts[..] {
            let (_, inst) = known.made(value)?;
            let (Op::Binary(Binary::Subtract), [sink, by]) = (&inst.op, &inst.operands[..]) else {
                return None;
            };
            let by = known.root(atoms, *by, &exponential.dims);
            let is_same = by.value == shift.0.value && atoms.unify_dims(&by.dims, &shift.0.dims);
            (is_same && shift.1 == -1.0 && rest.is_empty()).then_some(())?;
            value = *sink;
        }
        let root = known.root(atoms, value, &exponential.dims);
        let place = SinkPlace::Added(id, exponential.dims);
        root.dims.iter().all(Option::is_some).then_some(Sink { root, factor: 1.0, place })
    }

    fn push(&mut self, root: Root, factor: f64, band: Option<Band>, hidden: Hidden) {
        self.pieces.push(Piece { root, kind: PieceKind::Addend(factor), band, hidden });
    }
}

fn inverted(positional: Positional) -> Positional {
    match positional {
        Positional::Two { band, inside, outside } => {
            Positional::Two { band, inside: f64::from(inside == 0.0), outside: f64::from(outside == 0.0) }
        }
        other => other,
    }
}

/// The band that is left where an addend makes scores very small outside, and changes nothing inside; and by how much.
fn masks(positional: Positional, factor: f64) -> Option<(Band, f64)> {
    let Positional::Two { band, inside, outside } = positional else { return None };
    let is_masked = |x: f64| f64::from(x * factor <= MASKED);
    if inside != 0.0 && outside != 0.0 {
        return None;
    }
    let seen = Positional::Two { band, inside: 1.0 - is_masked(inside), outside: 1.0 - is_masked(outside) };
    Some((seen.holds()?, (inside + outside) * factor))
}

/// The atoms along which the exponentials are added up.
fn summed(known: &Known<'_>, exponentials: ValueId, dims: &Dims, depth: usize) -> Option<Vec<Atom>> {
    known.uses[exponentials].iter().find_map(|(reader, _)| {
        let inst = &known.body.insts[*reader];
        match &inst.op {
            Op::Reduce(op) if inst.operands.len() == 2 => {
                let view = known.body.view(*reader);
                let adds = reducer(known.body, view.region(0)) == Some(Binary::Add);
                let atoms: Vec<Atom> =
                    op.dims.iter().filter_map(|dim| dims[*dim].clone()).flatten().collect();
                (adds && !atoms.is_empty()).then_some(atoms)
            }
            Op::Convert(_) if depth > 0 => summed(known, inst.results[0], dims, depth - 1),
            _ => None,
        }
    })
}

impl Known<'_> {
    fn peel(&self, atoms: &mut Atoms, value: ValueId, dims: &Dims, depth: usize) -> Option<Peeled> {
        let depth = depth.checked_sub(1)?;
        let (id, inst) = self.made(value)?;
        if !matches!(inst.op, Op::BroadcastInDim(_))
            && let Some(before) = atoms.backward(self.body, id, dims)
        {
            return self.peel(atoms, inst.operands[0], &before, depth);
        }
        match (&inst.op, &inst.operands[..]) {
            (Op::DotGeneral(_), _) => Some(Peeled {
                product: id,
                dims: dims.clone(),
                scale: 1.0,
                is_capped: false,
                joined: None,
                conditions: Vec::new(),
                addends: Vec::new(),
            }),
            (Op::Binary(op), [left, right]) => self.peel_binary(atoms, *op, [*left, *right], dims, depth),
            (Op::Select(_), [condition, yes, no]) => {
                let is_masked = |value: &ValueId| self.number(*value).is_some_and(|x| x <= MASKED);
                let (value, hidden, is_seen) = match (is_masked(yes), is_masked(no)) {
                    (false, true) => (yes, no, true),
                    (true, false) => (no, yes, false),
                    _ => return None,
                };
                let mut peeled = self.peel(atoms, *value, dims, depth)?;
                peeled.conditions.push((*condition, dims.clone(), is_seen, self.number(*hidden)?));
                Some(peeled.without_sink())
            }
            (Op::Concatenate(op), operands) => (0..operands.len()).find_map(|at| {
                let length = |value: &ValueId| self.ty(*value).map_or(0, |ty| ty.shape[op.dim]);
                let mut own = dims.clone();
                own[op.dim] = atoms.own(&[length(&operands[at])]).pop()?;
                let peeled = self.peel(atoms, operands[at], &own, depth)?;
                let around = [&operands[..at], &operands[at + 1..]];
                let sink = match around.concat()[..] {
                    [sink] if length(&sink) == 1 && peeled.joined.is_none() => {
                        let mut dims = dims.clone();
                        dims[op.dim] = Some(Vec::new());
                        Some((sink, dims, 1.0))
                    }
                    _ => None,
                };
                let joined = Join {
                    all: dims[op.dim].clone()?,
                    own: own[op.dim].clone()?,
                    around: around.map(|values| values.iter().map(length).sum()),
                    sink,
                };
                Some(Peeled { joined: Some(joined), ..peeled })
            }),
            (Op::Unary(Unary::Tanh), [value]) => {
                let peeled = self.peel(atoms, *value, dims, depth)?;
                Some(Peeled { is_capped: true, ..peeled.without_sink() })
            }
            _ => None,
        }
    }

    fn peel_binary(
        &self,
        atoms: &mut Atoms,
        op: Binary,
        operands: [ValueId; 2],
        dims: &Dims,
        depth: usize,
    ) -> Option<Peeled> {
        let [left, right] = operands;
        let is_whole = |peeled: &Peeled| peeled.joined.is_none();
        let first = self.peel(atoms, left, dims, depth);
        let (mut peeled, other, is_second) = match first {
            Some(peeled) if is_whole(&peeled) => (peeled, right, true),
            first => match (first, self.peel(atoms, right, dims, depth)) {
                (Some(peeled), second) if !second.as_ref().is_some_and(is_whole) => (peeled, right, true),
                (_, second) => (second?, left, false),
            },
        };
        let conditions = peeled.conditions.len();
        match (op, is_second) {
            (Binary::Add, _) => peeled.addends.push((other, dims.clone(), 1.0, conditions)),
            (Binary::Subtract, true) => peeled.addends.push((other, dims.clone(), -1.0, conditions)),
            (Binary::Multiply, _) => peeled.scaled(self.number(other)?),
            (Binary::Divide, true) => peeled.scaled(self.number(other)?.recip()),
            _ => return None,
        }
        Some(peeled)
    }

    /// The two conditions that have to hold both.
    pub(super) fn both(&self, value: ValueId) -> Option<[ValueId; 2]> {
        match self.made(value)? {
            (_, Inst { op: Op::Binary(Binary::And), operands, .. }) => {
                <[ValueId; 2]>::try_from(&operands[..]).ok()
            }
            _ => None,
        }
    }
}

impl Join {
    /// What is joined as a sink, if it is one for each query and nothing tells it from the keys. Leaves out what is added to
    /// both.
    fn sink(
        self,
        known: &Known<'_>,
        atoms: &mut Atoms,
        dims: &Dims,
        addends: &mut Vec<(ValueId, Dims, f64, usize)>,
    ) -> Option<Sink> {
        let Self { all, around, sink, .. } = self;
        let (value, own, factor) = sink?;
        let all = atoms.leaves(&all);
        let mut is_one = true;
        addends.retain(|(value, dims, ..)| {
            let is_of_both = atoms.all(dims).iter().any(|atom| all.contains(atom));
            let root = known.root(atoms, *value, dims);
            is_one &= !atoms.all(&root.dims).iter().any(|atom| all.contains(atom));
            !is_of_both
        });
        let root = known.root(atoms, value, &own);
        let both = Both { all, around, dims: dims.clone() };
        (is_one && root.dims.iter().all(Option::is_some)).then_some(Sink {
            root,
            factor,
            place: SinkPlace::Joined(both),
        })
    }
}

impl Peeled {
    /// The same where something is done to what is joined that tells it from a sink.
    fn without_sink(mut self) -> Self {
        if let Some(join) = &mut self.joined {
            join.sink = None;
        }
        self
    }

    fn scaled(&mut self, by: f64) {
        self.scale *= by;
        if let Some(Join { sink: Some((.., factor)), .. }) = &mut self.joined {
            *factor *= by;
        }
        self.addends.iter_mut().for_each(|(_, _, factor, _)| *factor *= by);
        self.conditions.iter_mut().for_each(|(_, _, _, number)| *number *= by);
    }
}
