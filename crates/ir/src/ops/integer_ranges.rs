//! What is known of integers before the program runs: between which bounds they lie, and whether they only count.
//!
//! Input: an integer value of a body. Output: [`Known`]. Programs write the batch of a lookup as `iota` among the
//! components of its indices, correct negative indices that cannot be negative, and give dims that are taken whole a
//! start of zero; read so, such a lookup is as local as one with batching dims.
//!
//! Example: of `concatenate(broadcast(iota), broadcast(clamp 0 %n 23))` the first component counts along dim 0, the second
//! lies between 0 and 23.

use super::binary::Binary;
use super::compare::Direction;
use super::slice_dims::{Loop, SliceDims};
use crate::ids::ValueId;
use crate::op::Op;
use crate::program::{Body, Def, InstView};
use meshwright_tensor::literal::{Literal, read_int};
use meshwright_tensor::types::{ElementKind, ElementType, TensorType};

/// So many values are looked at for one question.
const MOST_VALUES: usize = 64;
/// A list of more constants than this is not read.
const MOST_ELEMENTS: usize = 4096;

/// Range of all elements that are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// No element is less.
    pub low: i128,
    /// No element is greater.
    pub high: i128,
    /// Each element is its own position along this dim.
    pub counts: Option<usize>,
}

/// One position of one dim: only elements that stand there are asked about.
pub type At = Option<(usize, usize)>;

impl Known {
    fn exactly(number: i128) -> Self {
        Self { low: number, high: number, counts: None }
    }

    fn between(low: i128, high: i128) -> Self {
        Self { low, high, counts: None }
    }

    /// What the type says.
    pub(super) fn any(element: ElementType) -> Self {
        let bits = element.bits().min(64) as u32;
        match element.kind() {
            ElementKind::Boolean => Self::between(0, 1),
            ElementKind::Signed => Self::between(-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            _ => Self::between(0, (1i128 << bits) - 1),
        }
    }

    /// Of elements of which each is one of these or of those.
    fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            counts: self.counts.filter(|_| self.counts == other.counts),
        }
    }

    /// Moved by `other`, elementwise.
    fn plus(self, other: Self) -> Self {
        let counts = match (self.is_zero(), other.is_zero()) {
            (_, true) => self.counts,
            (true, _) => other.counts,
            _ => None,
        };
        Self { low: self.low + other.low, high: self.high + other.high, counts }
    }

    /// The products of the two, elementwise, unless they are beyond all types.
    fn times(self, other: Self) -> Option<Self> {
        let ends =
            [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let products = ends.into_iter().map(|(one, other)| one.checked_mul(other).map(Self::exactly));
        products.collect::<Option<Vec<_>>>()?.into_iter().reduce(Self::or)
    }

    /// Elementwise the least or the greatest of the two; `counts` holds where one of them is always it.
    fn chosen(self, other: Self, most: fn(i128, i128) -> i128, is_first: bool, is_second: bool) -> Self {
        let counts = match (is_first, is_second) {
            (true, _) => self.counts,
            (_, true) => other.counts,
            _ => None,
        };
        Self { low: most(self.low, other.low), high: most(self.high, other.high), counts }
    }

    fn least(self, other: Self) -> Self {
        self.chosen(other, i128::min, self.high <= other.low, other.high <= self.low)
    }

    fn greatest(self, other: Self) -> Self {
        self.chosen(other, i128::max, self.low >= other.high, other.low >= self.high)
    }

    fn without_count(self) -> Self {
        Self { counts: None, ..self }
    }

    /// Returns whether all elements are zero.
    pub fn is_zero(self) -> bool {
        (self.low, self.high) == (0, 0)
    }

    /// 1 where a comparison surely holds, 0 where it surely does not, both if that is not known.
    fn compared(self, direction: Direction, other: Self) -> Self {
        let truth = |yes: bool, no: bool| match (yes, no) {
            (true, _) => Self::exactly(1),
            (_, true) => Self::exactly(0),
            _ => Self::between(0, 1),
        };
        let (below, above) = (self.high < other.low, self.low > other.high);
        let (not_above, not_below) = (self.high <= other.low, self.low >= other.high);
        match direction {
            Direction::Less => truth(below, not_below),
            Direction::LessEqual => truth(not_above, above),
            Direction::Greater => truth(above, not_above),
            Direction::GreaterEqual => truth(not_below, below),
            Direction::Equal => truth(not_above && not_below, below || above),
            Direction::NotEqual => truth(below || above, not_above && not_below),
        }
    }
}

/// Ranges of the index vectors that a gather or a scatter reads.
pub struct Positions {
    /// Of each component, in the order of the index map.
    known: Vec<Known>,
    /// Dims of the table whose component counts the index vectors along a dim of the indices, as if the two were batching
    /// dims: (dim of the table, dim of the indices).
    pub counted: Vec<(usize, usize)>,
    /// The dimension numbers with these as batching dims.
    pub dims: SliceDims,
}

impl Positions {
    /// Reads operand `indices` of an op whose table is operand 0.
    pub fn of(dims: &SliceDims, view: &InstView<'_>, indices: usize) -> Self {
        let (ty, vector_dim) = (view.operand(indices), dims.index_vector_dim);
        let at = |component: usize| (vector_dim < ty.rank()).then_some((vector_dim, component));
        let known = |component: usize| known(view.body, view.inst.operands[indices], at(component));
        let known: Vec<Known> = (0..dims.index_map.len()).map(known).collect();
        let loops = dims.index_loops(ty.rank());
        let mut counted: Vec<(usize, usize)> = Vec::new();
        for (dim, known) in dims.index_map.iter().zip(&known) {
            let Some(along) = known.counts.filter(|_| dims.collapsed.contains(dim)) else { continue };
            let is_free =
                loops.contains(&(along, Loop::Free)) && counted.iter().all(|(_, other)| *other != along);
            if is_free && view.operand(0).shape[*dim] == ty.shape[along] {
                counted.push((*dim, along));
            }
        }
        let mut dims = dims.clone();
        for (dim, along) in &counted {
            dims.collapsed.retain(|other| other != dim);
            dims.table_batching.push(*dim);
            dims.indices_batching.push(*along);
        }
        Self { known, counted, dims }
    }

    /// Returns whether every component lies between zero and `most`, each with an entry of its own.
    pub fn are_within(&self, most: &[i64]) -> bool {
        let mut bounds = self.known.iter().zip(most);
        bounds.all(|(known, most)| known.low >= 0 && known.high <= i128::from(*most))
    }

    /// Returns whether windows always start at zero along a dim of the table.
    pub fn start_at_zero(&self, dim: usize) -> bool {
        self.dims.index_map.iter().zip(&self.known).all(|(other, known)| *other != dim || known.is_zero())
    }
}

struct Question<'a> {
    body: &'a Body,
    left: usize,
}

/// Range of a value's elements that stand at a place.
pub fn known(body: &Body, value: ValueId, at: At) -> Known {
    Question { body, left: MOST_VALUES }.of(value, at)
}

impl Question<'_> {
    fn of(&mut self, value: ValueId, at: At) -> Known {
        let Some(ty) = self.body.ty(value).as_tensor() else { return Known::any(ElementType::I64) };
        let any = Known::any(ty.element);
        if ty.element.is_inexact() {
            return any;
        }
        let Some(left) = self.left.checked_sub(1) else { return any };
        self.left = left;
        let Def::Result(inst, 0) = self.body.values[value].def else { return any };
        let found = self.result(&self.body.view(inst), ty, at);
        // What does not fit the type has wrapped around.
        found.filter(|found| found.low >= any.low && found.high <= any.high).unwrap_or(any)
    }

    fn result(&mut self, view: &InstView<'_>, ty: &TensorType, at: At) -> Option<Known> {
        let operands = view.inst.operands.as_slice();
        if let Some((operand, at)) = moved(view, at) {
            let from = self.body.tensor(operand).element;
            // To a boolean it is whether the number is zero.
            if from != ty.element && (from.is_inexact() || ty.element == ElementType::I1) {
                return None;
            }
            let known = self.of(operand, at);
            let counts = known.counts.and_then(|dim| moved_dim(view, dim));
            return Some(Known { counts, ..known });
        }
        match (&view.inst.op, operands) {
            (Op::Constant(constant), []) => constants(&constant.value, at),
            (Op::Iota(iota), []) => Some(match at {
                Some((dim, place)) if dim == iota.dim => Known::exactly(place as i128),
                _ => {
                    let last = ty.shape.get(iota.dim)?.checked_sub(1)?;
                    Known { low: 0, high: last as i128, counts: Some(iota.dim) }
                }
            }),
            (Op::Concatenate(op), _) => self.concatenated(op.dim, view, at),
            (Op::Clamp(_), [low, value, high]) => {
                let scalar = |known: &mut Self, operand: ValueId| {
                    let rank = known.body.tensor(operand).rank();
                    known.of(operand, at.filter(|_| rank > 0))
                };
                let (low, high) = (scalar(self, *low), scalar(self, *high));
                Some(self.of(*value, at).greatest(low).least(high))
            }
            (Op::Select(_), [predicate, on_true, on_false]) => {
                let of_all = view.operand(0).rank() > 0;
                let predicate = self.of(*predicate, at.filter(|_| of_all));
                match (predicate.low, predicate.high) {
                    (1, 1) => Some(self.of(*on_true, at)),
                    (0, 0) => Some(self.of(*on_false, at)),
                    _ => Some(self.of(*on_true, at).or(self.of(*on_false, at))),
                }
            }
            (Op::Compare(op), [left, right]) if !view.operand(0).element.is_inexact() => {
                Some(self.of(*left, at).compared(op.direction, self.of(*right, at)))
            }
            (Op::Binary(op), [left, right]) if ty.element.is_integer() => {
                let (left, right) = (self.of(*left, at), self.of(*right, at));
                match op {
                    Binary::Add => Some(left.plus(right)),
                    Binary::Subtract => {
                        let less = Known::between(-right.high, -right.low);
                        Some(if right.is_zero() { left } else { left.plus(less).without_count() })
                    }
                    Binary::Multiply => left.times(right),
                    Binary::Minimum => Some(left.least(right)),
                    Binary::Maximum => Some(left.greatest(right)),
                    Binary::Remainder if left.low >= 0 && right.low > 0 => {
                        Some(if left.high < right.low { left } else { Known::between(0, right.high - 1) })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn concatenated(&mut self, dim: usize, view: &InstView<'_>, at: At) -> Option<Known> {
        let parts = joined(view, dim, at);
        let is_one = at.is_some_and(|(other, _)| other == dim);
        let known = parts.into_iter().map(|(operand, at)| self.of(operand, at)).reduce(Known::or)?;
        // Each part counts from its own start.
        Some(if known.counts == Some(dim) && !is_one { known.without_count() } else { known })
    }
}

/// The operand whose elements an op moves about, if that is all it does but for their type, and where those that come
/// to stand at a place of the result stand in it.
pub fn moved(view: &InstView<'_>, at: At) -> Option<(ValueId, At)> {
    let ([operand], [result]) = (view.inst.operands.as_slice(), view.inst.results.as_slice()) else {
        return None;
    };
    let (from, to) = (&view.body.ty(*operand).as_tensor()?.shape, &view.body.ty(*result).as_tensor()?.shape);
    let at = match &view.inst.op {
        Op::Convert(_) => at,
        Op::BroadcastInDim(op) => at.and_then(|(dim, place)| {
            let dim =
                op.dims.iter().position(|to| *to == dim).filter(|dim| from[*dim] == to[op.dims[*dim]])?;
            Some((dim, place))
        }),
        Op::Reshape(_) => at.and_then(|(dim, place)| Some((same_dim(to, dim, from)?, place))),
        Op::Transpose(op) => at.map(|(dim, place)| (op.permutation[dim], place)),
        Op::Slice(op) => at.map(|(dim, place)| (dim, op.start[dim] + place * op.stride[dim])),
        _ => return None,
    };
    Some((*operand, at))
}

/// Where a dim of the operand of what [`moved`] moves comes to stand, with all its positions as they were.
fn moved_dim(view: &InstView<'_>, dim: usize) -> Option<usize> {
    let (from, to) = (&view.operand(0).shape, &view.result(0).shape);
    match &view.inst.op {
        Op::BroadcastInDim(op) => op.dims.get(dim).copied().filter(|other| to[*other] == from[dim]),
        Op::Reshape(_) => same_dim(from, dim, to),
        Op::Transpose(op) => op.permutation.iter().position(|from| *from == dim),
        Op::Slice(op) => Some(dim).filter(|dim| (op.start[*dim], op.stride[*dim]) == (0, 1)),
        _ => Some(dim),
    }
}

/// The operands of a concatenation along `dim` in which the elements at a place stand, and where in them.
pub fn joined(view: &InstView<'_>, dim: usize, at: At) -> Vec<(ValueId, At)> {
    let Some((_, mut place)) = at.filter(|(other, _)| *other == dim) else {
        return view.inst.operands.iter().map(|operand| (*operand, at)).collect();
    };
    for (index, operand) in view.inst.operands.iter().enumerate() {
        let size = view.operand(index).shape.get(dim).copied().unwrap_or(0);
        if place < size {
            return vec![(*operand, Some((dim, place)))];
        }
        place -= size;
    }
    Vec::new()
}

fn constants(literal: &Literal, at: At) -> Option<Known> {
    if literal.splat_bytes().is_none() && literal.ty.num_elements() > MOST_ELEMENTS {
        return None;
    }
    if let Some(bytes) = literal.splat_bytes() {
        return Some(Known::exactly(read_int(bytes, literal.ty.element)));
    }
    let numbers = literal.to_ints()?;
    let (size, minor) = match at {
        Some((dim, _)) => {
            (*literal.ty.shape.get(dim)?, literal.ty.shape.get(dim + 1..)?.iter().product::<usize>())
        }
        None => (1, 1),
    };
    let is_asked =
        |index: &usize| at.is_none_or(|(_, place)| minor > 0 && (index / minor) % size.max(1) == place);
    let asked = numbers.iter().enumerate().filter(|(index, _)| is_asked(index));
    asked.map(|(_, number)| Known::exactly(i128::from(*number))).reduce(Known::or)
}

/// The dim of `to` that holds what `dim` of `from` holds, if one alone does; both shapes have the same elements in the
/// same order.
fn same_dim(from: &[usize], dim: usize, to: &[usize]) -> Option<usize> {
    let major = |shape: &[usize], dim: usize| shape[..dim].iter().product::<usize>();
    (0..to.len()).find(|other| to[*other] == from[dim] && major(to, *other) == major(from, dim))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;

    /// What is known of what a function returns, at the places asked about.
    fn known(text: &str, at: At) -> Known {
        let module = format!("func.func @main(%n: tensor<4xi32>) -> tensor<4x2xi32> {{\n{text}\n}}\n");
        let program = crate::text::read(&Source::new("known.mlir", module)).expect("a program");
        let main = program.main().expect("a function");
        super::known(&main.body, main.returned()[0], at)
    }

    const JOINED: &str = "
        %c = stablehlo.iota dim = 0 : tensor<4xi32>
        %z = stablehlo.constant dense<0> : tensor<4xi32>
        %f = stablehlo.constant dense<4> : tensor<4xi32>
        %l = stablehlo.compare LT, %c, %z : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
        %a = stablehlo.add %c, %f : tensor<4xi32>
        %s = stablehlo.select %l, %a, %c : tensor<4xi1>, tensor<4xi32>
        %h = stablehlo.constant dense<9> : tensor<i32>
        %o = stablehlo.constant dense<0> : tensor<i32>
        %m = stablehlo.clamp %o, %n, %h : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
        %x = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
        %y = stablehlo.reshape %m : (tensor<4xi32>) -> tensor<4x1xi32>
        %j = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
        return %j : tensor<4x2xi32>";

    #[test]
    fn components_are_told_apart() {
        assert_eq!(known(JOINED, Some((1, 0))), Known { low: 0, high: 3, counts: Some(0) });
        assert_eq!(known(JOINED, Some((1, 1))), Known::between(0, 9));
        assert_eq!(known(JOINED, None), Known::between(0, 9));
    }

    #[test]
    fn what_may_wrap_around_is_not_known() {
        let text = "
            %c = stablehlo.constant dense<2147483647> : tensor<4x2xi32>
            %x = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<4xi32>) -> tensor<4x2xi32>
            %s = stablehlo.add %x, %c : tensor<4x2xi32>
            return %s : tensor<4x2xi32>";
        assert_eq!(known(text, None), Known::any(ElementType::I32));
    }

    #[test]
    fn lists_are_read_by_place() {
        let text = "
            %c = stablehlo.constant dense<[[1, 0], [2, 0], [3, 0], [7, 0]]> : tensor<4x2xi32>
            return %c : tensor<4x2xi32>";
        assert_eq!(known(text, Some((1, 0))), Known::between(1, 7));
        assert!(known(text, Some((1, 1))).is_zero());
        assert_eq!(known(text, Some((0, 3))), Known::between(0, 7));
    }
}
