//! `chlo.ragged_dot` (CHLO, "RaggedDotOp"): matrix products of groups of rows of different sizes.
//!
//! The ragged dim of the left operand is split into groups by the third operand. What that means depends on the dim:
//! a row dim (`[b,m,k], [g,b,k,n], [b,g] -> [b,m,n]`), a contracting dim (`[b,m,k], [b,k,n], [b,g] -> [g,b,m,n]`) or a
//! batch dim (`[b,m,k], [b,k,n], [g] -> [b,m,n]`).

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::text::DialectFields;
use meshwright_tensor::types::{ElementType, TensorType, Type};

use super::binary::Binary;
use super::compare::Direction;
use super::dot_general::DotGeneral;

/// Product with batch, contracting, ragged and group dims.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RaggedDot {
    /// Batch dims of the left and the right operand, pairwise.
    pub batch: [Vec<usize>; 2],
    /// Contracting dims of the left and the right operand, pairwise.
    pub contracting: [Vec<usize>; 2],
    /// The ragged dim of the left operand; there should be one.
    pub ragged: Vec<usize>,
    /// The group dim of the right operand, if the ragged dim is a row dim.
    pub group: Vec<usize>,
    /// `DEFAULT`, `HIGH` or `HIGHEST` per operand, if given.
    pub precision: Option<Vec<String>>,
}

/// Elements that a tensor may have.
const LARGEST: usize = 1 << 56;

/// Positions along the ragged dim.
const PLACE: ElementType = ElementType::I64;

const FIELDS: [&str; 6] = [
    "lhs_batching_dimensions",
    "rhs_batching_dimensions",
    "lhs_contracting_dimensions",
    "rhs_contracting_dimensions",
    "lhs_ragged_dimensions",
    "rhs_group_dimensions",
];

impl OpDef for RaggedDot {
    const NAMES: &'static [&'static str] = &["chlo.ragged_dot"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let numbers = attributes.required("ragged_dot_dimension_numbers")?;
        let mut fields = DialectFields::of(&numbers, "chlo.ragged_dot")?;
        let mut dims = |index: usize| fields.dims(FIELDS[index]);
        let op = Self {
            batch: [dims(0)?, dims(1)?],
            contracting: [dims(2)?, dims(3)?],
            ragged: dims(4)?,
            group: dims(5)?,
            precision: attributes.precision_opt("chlo")?,
        };
        fields.finish()?;
        Ok(op)
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let lists = [
            &self.batch[0],
            &self.batch[1],
            &self.contracting[0],
            &self.contracting[1],
            &self.ragged,
            &self.group,
        ];
        let fields = FIELDS.iter().zip(lists).filter(|(_, dims)| !dims.is_empty());
        let fields: Vec<String> = fields.map(|(name, dims)| format!("{name} = {dims:?}")).collect();
        let mut attributes = Attributes::new();
        let numbers = format!("#chlo.ragged_dot<{}>", fields.join(", "));
        attributes.set("ragged_dot_dimension_numbers", Attr::Dialect(numbers.into()));
        if let Some(words) = &self.precision {
            let words = words.iter().map(|word| Attr::word("chlo", "precision", word));
            attributes.set("precision_config", Attr::Array(words.collect()));
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 3, 1, 0) {
            return;
        }
        match self.result_shape(view.operand(0), view.operand(1), view.operand(2)) {
            Ok(shape) => {
                let found = &view.result(0).shape;
                violations.require(*found == shape, || {
                    format!("the result should have shape {shape:?}, not {found:?}")
                });
            }
            Err(message) => violations.messages.push(message),
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let [left, right, sizes] = given.tensors()?[..] else { return None };
        let shape = self.result_shape(left, right, sizes).ok()?;
        Some(vec![TensorType::new(shape, given.element_of_product()?).into()])
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    /// One product with a further dim of groups. Rows are multiplied with every group's matrix, and what is of another
    /// group is left out; of contracted dims each group has both operands with zeros where an element is of another
    /// group. So nothing that is infinite in one group reaches another. What a ragged batch dim means is not agreed on.
    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let (left, right) = (view.operand(0), view.operand(1));
        let [ragged] = self.ragged[..] else { return None };
        if self.batch[0].contains(&ragged) {
            return None;
        }
        let mut dot = DotGeneral {
            batch: self.batch.clone(),
            contracting: self.contracting.clone(),
            precision: self.precision.clone().unwrap_or_default(),
            algorithm: None,
        };
        let result = view.result(0);
        let outer = self.outer_dims(left, ragged);
        let bounds = bounds(operands[2], e);
        let [group] = self.group[..] else {
            let right_of = |dim: &usize| {
                let pairs = [&self.batch, &self.contracting].map(|[lhs, rhs]| lhs.iter().zip(rhs));
                pairs.into_iter().flatten().find(|(a, _)| *a == dim).map(|(_, b)| *b)
            };
            let outer_right = outer.iter().map(right_of).collect::<Option<Vec<usize>>>()?;
            let ragged_right = right_of(&ragged)?;
            let sides = [(left, ragged, outer), (right, ragged_right, outer_right)];
            let groups = result.shape[0];
            let masked = [0, 1].map(|side| {
                let (ty, ragged, outer) = &sides[side];
                let shape = [ty.shape.as_slice(), &[groups]].concat();
                let is_own = of_own_group(&shape, *ragged, outer, ty.rank(), bounds, e);
                let repeated = e.broadcast(operands[side], &shape, (0..ty.rank()).collect());
                dot.batch[side].insert(0, ty.rank());
                e.only_where(is_own, repeated)
            });
            return Some(vec![e.emit(dot, &masked, result.clone())]);
        };
        // The product has batch dims, the others of the left operand, the others of the right one.
        let rows: Vec<usize> = free_dims(left, &[&self.batch[0], &self.contracting[0]]).collect();
        let rows = [self.batch[0].as_slice(), &rows].concat();
        let columns: Vec<usize> = free_dims(right, &[&self.batch[1], &self.contracting[1]]).collect();
        let sizes = |ty: &TensorType, dims: &[usize]| -> Vec<usize> {
            dims.iter().map(|dim| ty.shape[*dim]).collect()
        };
        let shape: Vec<usize> = [sizes(left, &rows), sizes(right, &columns)].concat();
        let row_of = |dim: &usize| rows.iter().position(|row| row == dim);
        let group = rows.len() + columns.iter().position(|dim| *dim == group)?;
        let outer = outer.iter().map(row_of).collect::<Option<Vec<usize>>>()?;
        let is_own = of_own_group(&shape, row_of(&ragged)?, &outer, group, bounds, e);
        let product = e.emit(dot, &operands[..2], TensorType::new(shape, result.element));
        let own = e.only_where(is_own, product);
        Some(vec![e.sum(own, vec![group])])
    }
}

impl RaggedDot {
    /// The shape of the result, or what does not fit.
    fn result_shape(
        &self,
        left: &TensorType,
        right: &TensorType,
        sizes: &TensorType,
    ) -> Result<Vec<usize>, String> {
        if !sizes.element.is_integer() || sizes.rank() == 0 {
            return Err(format!("the group sizes should be integers, not {sizes}"));
        }
        let [ragged] = self.ragged[..] else {
            return Err("there should be exactly one ragged dim on the left".into());
        };
        let pairs = [(&self.batch, "batching"), (&self.contracting, "contracting")];
        for ([lhs, rhs], what) in pairs {
            if lhs.len() != rhs.len() {
                return Err(format!("different numbers of {what} dims on the two sides"));
            }
        }
        check_dims(left, &[&self.batch[0], &self.contracting[0]], "left")?;
        check_dims(right, &[&self.batch[1], &self.contracting[1], &self.group], "right")?;
        if ragged >= left.rank() {
            return Err(format!("the left operand has no dim {ragged}"));
        }
        for ([lhs, rhs], what) in pairs {
            for (a, b) in lhs.iter().zip(rhs) {
                if left.shape[*a] != right.shape[*b] {
                    return Err(format!(
                        "{what} dim {a} of the left operand is not of the size of dim {b} of the right"
                    ));
                }
            }
        }
        let num_groups = sizes.shape[sizes.rank() - 1];
        let (is_batch, is_contracting) =
            (self.batch[0].contains(&ragged), self.contracting[0].contains(&ragged));
        let is_row = !is_batch && !is_contracting;
        if self.group.len() != usize::from(is_row) {
            return Err("the right operand has a group dim if and only if the ragged dim is a row dim".into());
        }
        if let [group] = self.group[..]
            && right.shape[group] != num_groups
        {
            return Err(format!(
                "the group dim has size {}, but there are {num_groups} groups",
                right.shape[group]
            ));
        }
        self.check_sizes(left, sizes, ragged)?;
        // What it stands for has tensors of these shapes with the groups as a further dim.
        for ty in [left, sizes] {
            let elements =
                ty.shape.iter().try_fold(num_groups.max(1), |count, size| count.checked_mul((*size).max(1)));
            if elements.is_none_or(|elements| elements > LARGEST) {
                return Err(format!("{ty} with {num_groups} groups is too large"));
            }
        }
        let mut shape = if is_contracting { vec![num_groups] } else { Vec::new() };
        shape.extend(self.batch[0].iter().map(|dim| left.shape[*dim]));
        shape.extend(free_dims(left, &[&self.batch[0], &self.contracting[0]]).map(|dim| left.shape[dim]));
        let used = [&self.batch[1], &self.contracting[1], &self.group];
        shape.extend(free_dims(right, &used).map(|dim| right.shape[dim]));
        Ok(shape)
    }

    /// The dims of the left operand that group sizes of more than one dim have in front.
    fn outer_dims(&self, left: &TensorType, ragged: usize) -> Vec<usize> {
        let before = |dims: &[usize]| -> Vec<usize> {
            dims.iter().copied().take_while(|dim| *dim != ragged).collect()
        };
        let [batch, contracting] = [&self.batch[0], &self.contracting[0]];
        let mut outer = batch.clone();
        if batch.contains(&ragged) {
            outer = before(batch);
        } else if contracting.contains(&ragged) {
            outer.extend(before(contracting));
        } else {
            outer.extend(free_dims(left, &[batch, contracting]).filter(|dim| *dim < ragged));
        }
        outer
    }

    /// Group sizes are one list, or one for each position of the dims in front of the ragged one.
    fn check_sizes(&self, left: &TensorType, sizes: &TensorType, ragged: usize) -> Result<(), String> {
        if sizes.rank() == 1 {
            return Ok(());
        }
        let expected: Vec<usize> = self.outer_dims(left, ragged).iter().map(|dim| left.shape[*dim]).collect();
        let found = &sizes.shape[..sizes.rank() - 1];
        if found == expected {
            return Ok(());
        }
        Err(format!("the group sizes should have the outer dims {expected:?}, not {found:?}"))
    }
}

/// Where each group starts and ends, of the shape of the sizes: it ends behind all elements of those up to it.
fn bounds(sizes: ValueId, e: &mut Expansion<'_, '_>) -> [ValueId; 2] {
    let sizes = e.convert(sizes, PLACE);
    let shape = e.ty(sizes).shape;
    let last = shape.len() - 1;
    let pairs = [shape.as_slice(), &[shape[last]]].concat();
    let repeated = e.broadcast(sizes, &pairs, (0..=last).collect());
    let (before, own) = (e.iota(&pairs, PLACE, last), e.iota(&pairs, PLACE, last + 1));
    let is_before = e.compare(Direction::LessEqual, before, own);
    let counted = e.only_where(is_before, repeated);
    let ends = e.sum(counted, vec![last]);
    [e.binary(Binary::Subtract, ends, sizes), ends]
}

/// Where in a shape the element's place along `ragged` is in the group that its place along `group` says. The dims in
/// front of the groups' sizes are the dims `outer`.
fn of_own_group(
    shape: &[usize],
    ragged: usize,
    outer: &[usize],
    group: usize,
    bounds: [ValueId; 2],
    e: &mut Expansion<'_, '_>,
) -> ValueId {
    let outer = if e.ty(bounds[0]).rank() == 1 { &[] } else { outer };
    let dims = [outer, &[group]].concat();
    let [starts, ends] = bounds.map(|bound| e.broadcast(bound, shape, dims.clone()));
    let place = e.iota(shape, PLACE, ragged);
    let has_begun = e.compare(Direction::GreaterEqual, place, starts);
    let is_open = e.compare(Direction::Less, place, ends);
    e.binary(Binary::And, has_begun, is_open)
}

/// Dims that are in none of the lists.
fn free_dims(ty: &TensorType, lists: &[&Vec<usize>]) -> impl Iterator<Item = usize> {
    (0..ty.rank()).filter(move |dim| !lists.iter().any(|list| list.contains(dim)))
}

fn check_dims(ty: &TensorType, lists: &[&Vec<usize>], side: &str) -> Result<(), String> {
    let mut seen = vec![false; ty.rank()];
    for dim in lists.iter().copied().flatten() {
        match seen.get_mut(*dim) {
            None => return Err(format!("the {side} operand has no dim {dim}")),
            Some(seen) if *seen => return Err(format!("dim {dim} of the {side} operand is used twice")),
            Some(seen) => *seen = true,
        }
    }
    Ok(())
}
