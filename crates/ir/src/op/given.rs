//! What the types of an instruction's results follow from ([`crate::op::OpDef::infer`]).

use crate::program::InstView;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// The types that an instruction is given, and what it is asked for where these leave a choice.
///
/// A `dot_general` of `tensor<2x3xbf16>` and `tensor<3x4xbf16>` gives a `tensor<2x4xbf16>`, or a `tensor<2x4xf32>` if
/// elements of `f32` are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given<'a> {
    /// Types of the operands.
    pub operands: Vec<&'a Type>,
    /// Types of the values that each region returns.
    pub returned: Vec<Vec<&'a Type>>,
    /// Type of the first result's elements. Only ops that let it be chosen look at it: products, whose elements are
    /// those of the operands if nothing is asked for, and conversions.
    pub element: Option<ElementType>,
}

impl<'a> Given<'a> {
    /// Types that an instruction is given, its own results being what is asked for.
    pub fn of(view: &InstView<'a>) -> Self {
        let body = view.body;
        let returned = |index| view.returned(index).iter().map(|value| body.ty(*value)).collect();
        let result = view.result_types().next().and_then(Type::as_tensor);
        Self {
            operands: view.operand_types().collect(),
            returned: (0..view.inst.regions.len()).map(returned).collect(),
            element: result.map(|result| result.element),
        }
    }

    /// Type of an operand that is a tensor.
    pub fn tensor(&self, index: usize) -> Option<&'a TensorType> {
        self.operands.get(index)?.as_tensor()
    }

    /// Types of all operands, if all are tensors.
    pub fn tensors(&self) -> Option<Vec<&'a TensorType>> {
        self.operands.iter().map(|ty| ty.as_tensor()).collect()
    }

    /// Type of the elements of a tensor that a region returns.
    pub fn returned_element(&self, region: usize, index: usize) -> Option<ElementType> {
        Some(self.returned.get(region)?.get(index)?.as_tensor()?.element)
    }

    /// Type of the elements of a product: what is asked for, else that of the first two operands, if they have one.
    pub fn element_of_product(&self) -> Option<ElementType> {
        let natural = || {
            let (left, right) = (self.tensor(0)?.element, self.tensor(1)?.element);
            (left == right).then_some(left)
        };
        self.element.or_else(natural)
    }

    /// Result types of an op with one result of the type of an operand.
    pub fn same_as(&self, index: usize) -> Option<Vec<Type>> {
        Some(vec![Type::clone(self.operands.get(index)?)])
    }

    /// Result types of an op with one result of the shape of an operand.
    pub fn shaped_as(&self, index: usize, element: ElementType) -> Option<Vec<Type>> {
        Some(vec![TensorType::new(self.tensor(index)?.shape.clone(), element).into()])
    }

    /// Result types of an op that gives values of the types of its first `count` operands.
    pub fn same_as_first(&self, count: usize) -> Option<Vec<Type>> {
        Some(self.operands.get(..count)?.iter().copied().cloned().collect())
    }

    /// The types of what a region returns.
    pub fn returned_types(&self, region: usize) -> Option<Vec<Type>> {
        Some(self.returned.get(region)?.iter().copied().cloned().collect())
    }
}
