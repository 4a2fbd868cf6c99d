//! Products of two tensors whose dims have letters: `btd,hkd->bthk`.

use super::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::dot_general::DotGeneral;

impl Net {
    /// The sum of products that a notation says. Each letter is one dim of each tensor at most; a letter that is not in
    /// the result is in both operands.
    pub fn einsum(&mut self, notation: &str, left: ValueId, right: ValueId) -> ValueId {
        let parts: Vec<Vec<char>> =
            notation.split([',', '-', '>']).map(|part| part.chars().collect()).collect();
        let [lhs, rhs, _, result] = &parts[..] else { panic!("`{notation}` is not `a,b->c`") };
        let place = |letters: &[char], letter: &char| {
            let found = letters.iter().position(|other| other == letter);
            found.unwrap_or_else(|| panic!("`{letter}` is missing in a part of `{notation}`"))
        };
        let shared: Vec<char> = lhs.iter().copied().filter(|letter| rhs.contains(letter)).collect();
        let (batch, contracting): (Vec<char>, Vec<char>) =
            shared.into_iter().partition(|letter| result.contains(letter));
        let dims = |letters: &[char]| [lhs, rhs].map(|side| letters.iter().map(|l| place(side, l)).collect());
        let dot = DotGeneral {
            batch: dims(&batch),
            contracting: dims(&contracting),
            precision: Vec::new(),
            algorithm: None,
        };
        let is_free = |letter: &&char| !batch.contains(letter) && !contracting.contains(letter);
        let free = [lhs, rhs].into_iter().flat_map(|side| side.iter().filter(is_free));
        let order: Vec<char> = batch.iter().chain(free).copied().collect();
        let product = self.add(dot, &[left, right]);
        self.transpose(product, result.iter().map(|letter| place(&order, letter)).collect())
    }

    /// A matrix product with the last dim: `[..., i]` with `[o, i]`.
    pub fn product(&mut self, value: ValueId, weight: ValueId) -> ValueId {
        let (ty, outputs) = (self.ty(value), self.ty(weight).shape[0]);
        let last = ty.rank() - 1;
        let dot = DotGeneral {
            batch: Default::default(),
            contracting: [vec![last], vec![1]],
            precision: Vec::new(),
            algorithm: None,
        };
        let product = self.add(dot, &[value, weight]);
        debug_assert_eq!(self.ty(product).shape[last], outputs);
        product
    }

    /// A tensor with its last dim split into parts of that size.
    pub fn split_last(&mut self, value: ValueId, parts: &[usize]) -> ValueId {
        let shape = self.ty(value).shape;
        let outer = &shape[..shape.len() - 1];
        self.reshape(value, &[outer, parts].concat())
    }

    /// A tensor with its last `count` dims as one.
    pub fn merge_last(&mut self, value: ValueId, count: usize) -> ValueId {
        let shape = self.ty(value).shape;
        let (outer, inner) = shape.split_at(shape.len() - count);
        self.reshape(value, &[outer, &[inner.iter().product()]].concat())
    }
}
