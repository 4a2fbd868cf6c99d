//! Products of two tensors whose dims have letters: `btd,hkd->bthk`.
//!
//! Products with the weights of linear layers are those that a recipe may have computed in fewer bits ([`Net::linear`]).

use super::{Arithmetic as _, Net};
use crate::options::Recipe;
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::dot_general::DotGeneral;
use meshwright_ir::ops::scaled_dot::ScaledDot;

/// Products in floats of eight bits have inputs and outputs in multiples of so many, as hardware wants them.
const TILE: usize = 16;

impl Net {
    /// The sum of products that a notation says. Each letter is one dim of each tensor at most; a letter that is not in
    /// the result is in both operands.
    pub fn einsum(&mut self, notation: &str, left: ValueId, right: ValueId) -> ValueId {
        self.product_of(notation, left, right, Op::from)
    }

    /// The same of values and the weight of a linear layer, multiplied as the recipe says.
    pub fn linear(&mut self, notation: &str, value: ValueId, weight: ValueId) -> ValueId {
        let multiply = self.of_recipe(weight);
        self.product_of(notation, value, weight, multiply)
    }

    /// How the recipe has values and a weight multiplied. In floats of eight bits are products in layers whose inputs and
    /// outputs hardware takes so.
    fn of_recipe(&mut self, weight: ValueId) -> impl FnOnce(DotGeneral) -> Op + use<> {
        let is_open = self.options.recipe == Recipe::Fp8 && self.scope.contains(&"layers");
        let shape = self.ty(weight).shape;
        move |dot| {
            let size = |dims: &[usize]| dims.iter().map(|dim| shape[*dim]).product::<usize>();
            let [inputs, experts] = [&dot.contracting[1], &dot.batch[1]].map(|dims| size(dims));
            let outputs = shape.iter().product::<usize>() / (inputs * experts).max(1);
            let fits = [inputs, outputs].iter().all(|size| size.is_multiple_of(TILE));
            if is_open && fits { ScaledDot::forward(dot).into() } else { dot.into() }
        }
    }

    fn product_of(
        &mut self,
        notation: &str,
        left: ValueId,
        right: ValueId,
        multiply: impl FnOnce(DotGeneral) -> Op,
    ) -> ValueId {
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
        let product = self.add(multiply(dot), &[left, right]);
        self.transpose(product, result.iter().map(|letter| place(&order, letter)).collect())
    }

    /// A matrix product with the last dim: `[..., i]` with `[o, i]`.
    pub fn product(&mut self, value: ValueId, weight: ValueId) -> ValueId {
        self.product_with_last(value, weight, Op::from)
    }

    /// The same with the weight of a linear layer, multiplied as the recipe says.
    pub fn linear_last(&mut self, value: ValueId, weight: ValueId) -> ValueId {
        let multiply = self.of_recipe(weight);
        self.product_with_last(value, weight, multiply)
    }

    fn product_with_last(
        &mut self,
        value: ValueId,
        weight: ValueId,
        multiply: impl FnOnce(DotGeneral) -> Op,
    ) -> ValueId {
        let (ty, outputs) = (self.ty(value), self.ty(weight).shape[0]);
        let last = ty.rank() - 1;
        let dot = DotGeneral {
            batch: Default::default(),
            contracting: [vec![last], vec![1]],
            precision: Vec::new(),
            algorithm: None,
        };
        let product = self.add(multiply(dot), &[value, weight]);
        assert_eq!(self.ty(product).shape[last], outputs);
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
