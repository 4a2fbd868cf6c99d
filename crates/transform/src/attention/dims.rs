//! Dims of values as products of atoms: the batches, heads, queries, keys and features of one attention.
//!
//! Input: the dims of a value, and an instruction that only arranges elements. Output: the dims of its result, or of its
//! operand. Where a reshape cuts a dim, its atom becomes two, everywhere at once.
//!
//! Example: scores `[b, n, t, s]` that are reshaped to `[b, k, g, t, s]` cut the atom `n` in `k` and `g`; the keys
//! `[b, s, n, h]` of their product are `[b, s, k g, h]` then.

use meshwright_ir::ids::InstId;
use meshwright_ir::op::Op;
use meshwright_ir::program::Body;

/// An index that runs along dims of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Atom(usize);

/// Atoms of a dim, major first; none of a dim of size one; `None` where the value is constant along the dim.
pub(super) type Dim = Option<Vec<Atom>>;

/// Dims of a value.
pub(super) type Dims = Vec<Dim>;

#[derive(Clone, Copy, Debug)]
enum Is {
    /// May still turn out to be another.
    Open,
    Own,
    Other(Atom),
    Parts(Atom, Atom),
}

/// All atoms of an attention.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    entries: Vec<(usize, Is)>,
}

impl Atoms {
    fn push(&mut self, size: usize, is: Is) -> Atom {
        self.entries.push((size, is));
        Atom(self.entries.len() - 1)
    }

    /// A new atom for each dim of a shape.
    pub(super) fn own(&mut self, shape: &[usize]) -> Dims {
        self.each(shape, Is::Own)
    }

    /// A new atom for each dim of a shape, which may turn out to be one that is known.
    pub(super) fn open(&mut self, shape: &[usize]) -> Dims {
        self.each(shape, Is::Open)
    }

    fn each(&mut self, shape: &[usize], is: Is) -> Dims {
        let atom = |size: &usize| Some(if *size == 1 { Vec::new() } else { vec![self.push(*size, is)] });
        shape.iter().map(atom).collect()
    }

    /// Number of positions along an atom.
    pub(super) fn size(&self, atom: Atom) -> usize {
        self.entries[atom.0].0
    }

    /// Number of positions along atoms.
    pub(super) fn sizes(&self, atoms: &[Atom]) -> usize {
        atoms.iter().map(|atom| self.size(*atom)).product()
    }

    /// The atoms that have not been cut of which these are made.
    pub(super) fn leaves(&self, atoms: &[Atom]) -> Vec<Atom> {
        let mut leaves = Vec::new();
        atoms.iter().for_each(|atom| self.leaves_into(*atom, &mut leaves));
        leaves
    }

    fn leaves_into(&self, atom: Atom, leaves: &mut Vec<Atom>) {
        match self.entries[atom.0].1 {
            Is::Open | Is::Own => leaves.push(atom),
            Is::Other(other) => self.leaves_into(other, leaves),
            Is::Parts(major, minor) => {
                self.leaves_into(major, leaves);
                self.leaves_into(minor, leaves);
            }
        }
    }

    /// The leaves of all dims, in order.
    pub(super) fn all(&self, dims: &[Dim]) -> Vec<Atom> {
        dims.iter().flatten().flat_map(|atoms| self.leaves(atoms)).collect()
    }

    /// The same, in the order of their numbers, to be compared.
    pub(super) fn set(&self, atoms: &[Atom]) -> Vec<Atom> {
        let mut leaves = self.leaves(atoms);
        leaves.sort_unstable();
        leaves
    }

    /// Cuts a leaf in two, the minor one of this size.
    fn cut(&mut self, leaf: Atom, minor: usize) -> Option<(Atom, Atom)> {
        let (size, is) = self.entries[leaf.0];
        if minor == 0 || size % minor != 0 {
            return None;
        }
        let parts = (self.push(size / minor, is), self.push(minor, is));
        self.entries[leaf.0].1 = Is::Parts(parts.0, parts.1);
        Some(parts)
    }

    /// Whether two lists of atoms are the same, where open ones become what they have to be.
    pub(super) fn unify(&mut self, left: &[Atom], right: &[Atom]) -> bool {
        let (mut left, mut right) = (self.leaves(left), self.leaves(right));
        while let (Some(a), Some(b)) = (left.pop(), right.pop()) {
            let (size_a, size_b) = (self.size(a), self.size(b));
            let (more, rest, longer) =
                if size_a > size_b { (a, size_b, &mut left) } else { (b, size_a, &mut right) };
            if size_a == size_b {
                match (self.entries[a.0].1, self.entries[b.0].1) {
                    _ if a == b => {}
                    (Is::Open, _) => self.entries[a.0].1 = Is::Other(b),
                    (_, Is::Open) => self.entries[b.0].1 = Is::Other(a),
                    _ => return false,
                }
                continue;
            }
            let Some((major, minor)) = self.cut(more, rest) else { return false };
            longer.extend([major, minor]);
            let shorter = if size_a > size_b { &mut right } else { &mut left };
            shorter.push(if size_a > size_b { b } else { a });
        }
        left.is_empty() && right.is_empty()
    }

    /// Whether all dims of two values are the same ones.
    pub(super) fn unify_dims(&mut self, left: &[Dim], right: &[Dim]) -> bool {
        left.len() == right.len()
            && left.iter().zip(right).all(|(left, right)| match (left, right) {
                (Some(left), Some(right)) => self.unify(left, right),
                (None, None) => true,
                _ => false,
            })
    }

    /// The dims in another shape of the same elements.
    pub(super) fn regroup(&mut self, dims: &[Dim], from: &[usize], to: &[usize]) -> Option<Dims> {
        let mut pieces: Vec<(Option<Atom>, usize)> = Vec::new();
        for (dim, size) in dims.iter().zip(from) {
            match dim {
                Some(atoms) => {
                    pieces.extend(self.leaves(atoms).into_iter().map(|atom| (Some(atom), self.size(atom))))
                }
                None => pieces.extend((*size > 1).then_some((None, *size))),
            }
        }
        let mut regrouped: Dims = Vec::new();
        for size in to.iter().rev() {
            regrouped.push(self.take(&mut pieces, *size)?);
        }
        regrouped.reverse();
        pieces.is_empty().then_some(regrouped)
    }

    /// A dim of this size from the end of what is left.
    fn take(&mut self, pieces: &mut Vec<(Option<Atom>, usize)>, size: usize) -> Option<Dim> {
        let (mut rest, mut atoms, mut is_constant) = (size, Vec::new(), false);
        while rest > 1 {
            let (mut piece, mut len) = pieces.pop()?;
            if len > rest {
                let major = match piece {
                    Some(atom) => {
                        let (major, minor) = self.cut(atom, rest)?;
                        piece = Some(minor);
                        Some(major)
                    }
                    None if len % rest == 0 => None,
                    None => return None,
                };
                pieces.push((major, len / rest));
                len = rest;
            }
            if rest % len != 0 {
                return None;
            }
            rest /= len;
            match piece {
                Some(atom) => atoms.push(atom),
                None => is_constant = true,
            }
        }
        atoms.reverse();
        match is_constant {
            false => Some(Some(atoms)),
            true => atoms.is_empty().then_some(None),
        }
    }

    /// The dims of the result of an instruction that only arranges elements, or changes their type.
    pub(super) fn forward(&mut self, body: &Body, id: InstId, dims: &[Dim]) -> Option<Dims> {
        let inst = &body.insts[id];
        let from = &body.ty(*inst.operands.first()?).as_tensor()?.shape;
        let to = &body.ty(*inst.results.first()?).as_tensor()?.shape;
        match &inst.op {
            Op::Convert(_) => Some(dims.to_vec()),
            Op::Transpose(op) => Some(op.permutation.iter().map(|dim| dims[*dim].clone()).collect()),
            Op::Reshape(_) => self.regroup(dims, from, to),
            Op::BroadcastInDim(op) => {
                let mut result: Dims =
                    to.iter().map(|size| if *size == 1 { Some(Vec::new()) } else { None }).collect();
                for (operand, at) in op.dims.iter().enumerate() {
                    if from[operand] == to[*at] {
                        result[*at].clone_from(&dims[operand]);
                    }
                }
                Some(result)
            }
            _ => None,
        }
    }

    /// The dims of the operand of such an instruction.
    pub(super) fn backward(&mut self, body: &Body, id: InstId, dims: &[Dim]) -> Option<Dims> {
        let inst = &body.insts[id];
        let from = &body.ty(*inst.operands.first()?).as_tensor()?.shape;
        let to = &body.ty(*inst.results.first()?).as_tensor()?.shape;
        match &inst.op {
            Op::Convert(_) => Some(dims.to_vec()),
            Op::Transpose(op) => {
                let mut operand = vec![None; dims.len()];
                op.permutation.iter().zip(dims).for_each(|(dim, own)| operand[*dim].clone_from(own));
                Some(operand)
            }
            Op::Reshape(_) => self.regroup(dims, to, from),
            Op::BroadcastInDim(op) => {
                let dim = |(operand, at): (usize, &usize)| match from[operand] == to[*at] {
                    true => dims[*at].clone(),
                    false => Some(Vec::new()),
                };
                Some(op.dims.iter().enumerate().map(dim).collect())
            }
            _ => None,
        }
    }
}
