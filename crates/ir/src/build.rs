//! Programs under construction: instructions appended to a region, their types following from what they read.
//!
//! Input: a place at the end of a region ([`Builder::at`]). Output: instructions there, each with the span and location of
//! that place. [`BodyBuilder`] adds to a body that is there already, [`FunctionBuilder`] makes a function from nothing;
//! what short forms stand for and what the partitioner emits is built by the same methods.
//!
//! ```
//! use meshwright_ir::build::{Builder as _, FunctionBuilder};
//! use meshwright_ir::ops::binary::Binary;
//! use meshwright_ir::program::Program;
//! use meshwright_ir::text::{Form, print};
//! use meshwright_tensor::types::{ElementType, TensorType};
//!
//! let mut f = FunctionBuilder::new("main");
//! let x = f.argument("x", TensorType::new([4, 8], ElementType::F32).into());
//! let twice = f.add(Binary::Add, &[x, x]);
//! let total = f.sum(twice, vec![1]);
//! let program = Program::default().with_only(f.finish(&[total]));
//! assert!(print(&program, Form::Pretty).contains("stablehlo.add %arg0, %arg0 : tensor<4x8xf32>"));
//! ```

use crate::attribute::Attributes;
use crate::diagnostic::Span;
use crate::ids::{InstId, RegionId, ValueId};
use crate::location::{Location, LocationRef};
use crate::op::{Given, Op};
use crate::ops::binary::Binary;
use crate::ops::broadcast_in_dim::BroadcastInDim;
use crate::ops::compare::{Compare, Direction};
use crate::ops::constant::Constant;
use crate::ops::convert::Convert;
use crate::ops::iota::Iota;
use crate::ops::reduce::Reduce;
use crate::ops::reducer::binary_region;
use crate::ops::reshape::Reshape;
use crate::ops::return_::Return;
use crate::ops::select::Select;
use crate::ops::transpose::Transpose;
use crate::ops::unary::Unary;
use crate::ops::while_::While;
use crate::program::{Body, Function, Region};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// Place that instructions are added to.
pub struct At<'a> {
    /// The body.
    pub body: &'a mut Body,
    /// The region, at its end.
    pub region: &'a mut RegionId,
    /// Place in the source of all that is added.
    pub span: Span,
    /// Where all that is added says that it comes from.
    pub location: Option<LocationRef>,
}

/// Adds instructions to a program.
pub trait Builder {
    /// Where the next instruction goes.
    fn at(&mut self) -> At<'_>;

    /// Appends an instruction with results of these types, and returns them.
    fn emit_all(
        &mut self,
        op: impl Into<Op>,
        operands: &[ValueId],
        regions: Vec<RegionId>,
        types: Vec<Type>,
    ) -> Vec<ValueId> {
        let At { body, region, span, location } = self.at();
        let inst = body.append(*region, op.into(), operands.to_vec(), regions, types, span);
        body.insts[inst].location = location;
        body.insts[inst].results.clone()
    }

    /// Appends an instruction of one result.
    fn emit(&mut self, op: impl Into<Op>, operands: &[ValueId], ty: TensorType) -> ValueId {
        self.emit_all(op, operands, Vec::new(), vec![ty.into()])[0]
    }

    /// Appends an instruction with regions whose results follow from what it is given, and returns them. Panics if its
    /// op leaves them open ([`crate::op::OpDef::infer`]).
    fn add_all(&mut self, op: impl Into<Op>, operands: &[ValueId], regions: Vec<RegionId>) -> Vec<ValueId> {
        let op = op.into();
        let body = &*self.at().body;
        let types = |values: &[ValueId]| values.iter().map(|value| body.ty(*value)).collect();
        let returned =
            |region: &RegionId| body.terminator(*region).map_or(Vec::new(), |last| types(&last.operands));
        let given = Given {
            operands: types(operands),
            returned: regions.iter().map(returned).collect(),
            element: None,
        };
        let types = op.infer(&given);
        let types =
            types.unwrap_or_else(|| panic!("the types of `{}` do not follow from its operands", op.name()));
        self.emit_all(op, operands, regions, types)
    }

    /// Appends an instruction of one result, the type of which follows from the operands.
    fn add(&mut self, op: impl Into<Op>, operands: &[ValueId]) -> ValueId {
        self.add_all(op, operands, Vec::new())[0]
    }

    /// A region with arguments of these types, whose contents `fill` appends; it returns what the region returns.
    fn region(&mut self, args: &[Type], fill: impl FnOnce(&mut Self, &[ValueId]) -> Vec<ValueId>) -> RegionId
    where
        Self: Sized,
    {
        let At { body, region, .. } = self.at();
        let inside = body.regions.push(Region::default());
        let args: Vec<ValueId> = args.iter().map(|ty| body.add_arg(inside, ty.clone(), Span::NONE)).collect();
        let around = std::mem::replace(region, inside);
        let returned = fill(self, &args);
        self.emit_all(Return::Stablehlo, &returned, Vec::new(), Vec::new());
        *self.at().region = around;
        inside
    }

    /// A loop that starts with `init` and goes on as long as `condition` (a scalar of `i1`) holds of what it carries.
    fn repeat(
        &mut self,
        init: &[ValueId],
        condition: impl FnOnce(&mut Self, &[ValueId]) -> ValueId,
        step: impl FnOnce(&mut Self, &[ValueId]) -> Vec<ValueId>,
    ) -> Vec<ValueId>
    where
        Self: Sized,
    {
        let types: Vec<Type> = init.iter().map(|value| self.at().body.ty(*value).clone()).collect();
        let condition = self.region(&types, |builder, args| vec![condition(builder, args)]);
        let step = self.region(&types, step);
        self.emit_all(While, init, vec![condition, step], types)
    }

    /// The type of a tensor.
    fn ty(&mut self, value: ValueId) -> TensorType {
        self.at().body.tensor(value).clone()
    }

    /// A constant.
    fn constant(&mut self, value: Literal) -> ValueId {
        let ty = value.ty.clone();
        self.emit(Constant { value }, &[], ty)
    }

    /// A constant whose elements are all `value`.
    fn splat(&mut self, ty: TensorType, value: f64) -> ValueId {
        self.constant(Literal::splat(ty, value))
    }

    /// `left op right`, both of one type.
    fn binary(&mut self, op: Binary, left: ValueId, right: ValueId) -> ValueId {
        let ty = self.ty(left);
        self.emit(op, &[left, right], ty)
    }

    /// `value op number`, the number in all elements.
    fn with_number(&mut self, op: Binary, value: ValueId, number: usize) -> ValueId {
        let ty = self.ty(value);
        let number = self.splat(ty, number as f64);
        self.binary(op, value, number)
    }

    /// `value` in another shape, its dims being the dims `dims` of that.
    fn broadcast(&mut self, value: ValueId, shape: &[usize], dims: Vec<usize>) -> ValueId {
        let ty = self.ty(value);
        if ty.shape == shape && dims.iter().copied().eq(0..shape.len()) {
            return value;
        }
        self.emit(BroadcastInDim { dims }, &[value], TensorType::new(shape, ty.element))
    }

    /// `value` with elements of another type.
    fn convert(&mut self, value: ValueId, element: ElementType) -> ValueId {
        let ty = self.ty(value);
        if ty.element == element {
            return value;
        }
        self.emit(Convert, &[value], TensorType::new(ty.shape, element))
    }

    /// `value` with its dims in another order.
    fn transpose(&mut self, value: ValueId, permutation: Vec<usize>) -> ValueId {
        if permutation.is_sorted() {
            return value;
        }
        let ty = self.ty(value);
        let shape: Vec<usize> = permutation.iter().map(|dim| ty.shape[*dim]).collect();
        self.emit(Transpose { permutation }, &[value], TensorType::new(shape, ty.element))
    }

    /// Positions along dim `dim` of a shape.
    fn iota(&mut self, shape: &[usize], element: ElementType, dim: usize) -> ValueId {
        self.emit(Iota { dim }, &[], TensorType::new(shape, element))
    }

    /// Elementwise comparison.
    fn compare(&mut self, direction: Direction, left: ValueId, right: ValueId) -> ValueId {
        let ty = TensorType::new(self.ty(left).shape, ElementType::I1);
        self.emit(Compare { direction, compare_type: None }, &[left, right], ty)
    }

    /// `value` where `predicate` holds, else zeros.
    fn only_where(&mut self, predicate: ValueId, value: ValueId) -> ValueId {
        let ty = self.ty(value);
        let zeros = self.splat(ty.clone(), 0.0);
        self.emit(Select, &[predicate, value, zeros], ty)
    }

    /// The sum over some dims.
    fn sum(&mut self, value: ValueId, dims: Vec<usize>) -> ValueId {
        if dims.is_empty() {
            return value;
        }
        self.reduced(Binary::Add, value, dims, 0.0)
    }

    /// `left * right`.
    fn times(&mut self, left: ValueId, right: ValueId) -> ValueId {
        self.binary(Binary::Multiply, left, right)
    }

    /// `left / right`.
    fn over(&mut self, left: ValueId, right: ValueId) -> ValueId {
        self.binary(Binary::Divide, left, right)
    }

    /// `left - right`.
    fn minus(&mut self, left: ValueId, right: ValueId) -> ValueId {
        self.binary(Binary::Subtract, left, right)
    }

    /// `left + right`.
    fn plus(&mut self, left: ValueId, right: ValueId) -> ValueId {
        self.binary(Binary::Add, left, right)
    }

    /// `value * number`.
    fn scaled(&mut self, value: ValueId, number: f64) -> ValueId {
        if number == 1.0 {
            return value;
        }
        let number = self.number_like(value, number);
        self.times(value, number)
    }

    /// A number in all elements of the type of a value.
    fn number_like(&mut self, value: ValueId, number: f64) -> ValueId {
        let ty = self.ty(value);
        self.splat(ty, number)
    }

    /// An elementwise op of one operand, which keeps its type.
    fn unary(&mut self, op: impl Into<Op>, value: ValueId) -> ValueId {
        let ty = self.ty(value);
        self.emit(op, &[value], ty)
    }

    /// An elementwise op of two operands of one type, which it keeps.
    fn binary_of(&mut self, op: impl Into<Op>, left: ValueId, right: ValueId) -> ValueId {
        let ty = self.ty(left);
        self.emit(op, &[left, right], ty)
    }

    /// `-value`.
    fn negated(&mut self, value: ValueId) -> ValueId {
        self.unary(Unary::Negate, value)
    }

    /// `a` where a predicate holds, else `b`.
    fn choose(&mut self, predicate: ValueId, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.ty(a);
        self.emit(Select, &[predicate, a, b], ty)
    }

    /// `value` in another shape with as many elements.
    fn reshaped(&mut self, value: ValueId, shape: &[usize]) -> ValueId {
        let ty = self.ty(value);
        if ty.shape == shape {
            return value;
        }
        self.emit(Reshape, &[value], TensorType::new(shape, ty.element))
    }

    /// A reduction over some dims by an op, from a number that does not change it.
    fn reduced(&mut self, op: Binary, value: ValueId, dims: Vec<usize>, neutral: f64) -> ValueId {
        let ty = self.ty(value);
        let kept = (0..ty.rank()).filter(|dim| !dims.contains(dim)).map(|dim| ty.shape[dim]);
        let result = TensorType::new(kept.collect::<Vec<_>>(), ty.element);
        let scalar = TensorType::scalar(ty.element);
        let init = self.splat(scalar.clone(), neutral);
        let reducer = self.pairwise(op, scalar);
        self.emit_all(Reduce { dims }, &[value, init], vec![reducer], vec![result.into()])[0]
    }

    /// A region that applies an op to two scalars of a type.
    fn pairwise(&mut self, binary: Binary, scalar: TensorType) -> RegionId {
        binary_region(self.at().body, binary, scalar)
    }
}

/// A builder at the end of a region of a body.
pub struct BodyBuilder<'b> {
    /// The body.
    pub body: &'b mut Body,
    /// The region.
    pub region: RegionId,
    /// Place in the source of all that is added.
    pub span: Span,
    /// Where all that is added says that it comes from.
    pub location: Option<LocationRef>,
}

impl<'b> BodyBuilder<'b> {
    /// A builder of what stands for (a part of) an instruction of the body: with its span and location.
    pub fn standing_for(body: &'b mut Body, inst: InstId, region: RegionId) -> Self {
        let (span, location) = (body.insts[inst].span, body.insts[inst].location.clone());
        Self { body, region, span, location }
    }
}

impl Builder for BodyBuilder<'_> {
    fn at(&mut self) -> At<'_> {
        At { body: self.body, region: &mut self.region, span: self.span, location: self.location.clone() }
    }
}

/// A function under construction.
pub struct FunctionBuilder {
    function: Function,
    region: RegionId,
}

impl FunctionBuilder {
    /// A function without arguments.
    pub fn new(name: &str) -> Self {
        let body = Body::new();
        let region = body.entry();
        let function = Function {
            name: name.to_owned(),
            visibility: None,
            arg_attributes: Vec::new(),
            result_types: Vec::new(),
            result_attributes: Vec::new(),
            result_spans: Vec::new(),
            attributes: Attributes::new(),
            body,
            is_declaration: false,
            span: Span::NONE,
            location: None,
        };
        Self { function, region }
    }

    /// Adds an argument that is called `name` ([`Location::Name`]).
    pub fn argument(&mut self, name: &str, ty: Type) -> ValueId {
        self.argument_with(name, ty, Attributes::new())
    }

    /// Adds an argument with attributes.
    pub fn argument_with(&mut self, name: &str, ty: Type, attributes: Attributes) -> ValueId {
        let body = &mut self.function.body;
        let entry = body.entry();
        let arg = body.add_arg(entry, ty, Span::NONE);
        let location = Location::Name { name: name.into(), child: None }.into();
        body.regions[entry].arg_locations.push(Some(location));
        self.function.arg_attributes.push(attributes);
        arg
    }

    /// The function, which returns these values.
    pub fn finish(self, results: &[ValueId]) -> Function {
        let attributes = vec![Attributes::new(); results.len()];
        self.finish_with(results, attributes)
    }

    /// The function, which returns these values with attributes.
    pub fn finish_with(mut self, results: &[ValueId], attributes: Vec<Attributes>) -> Function {
        self.emit_all(Return::Func, results, Vec::new(), Vec::new());
        let mut function = self.function;
        function.result_types = results.iter().map(|value| function.body.ty(*value).clone()).collect();
        function.result_attributes = attributes;
        function
    }
}

impl Builder for FunctionBuilder {
    fn at(&mut self) -> At<'_> {
        At { body: &mut self.function.body, region: &mut self.region, span: Span::NONE, location: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;
    use crate::text::{Form, print};
    use crate::verify::verify;

    #[test]
    fn a_loop_and_a_reducer_are_built_and_verify() {
        let mut f = FunctionBuilder::new("main");
        let (number, tensor) = (TensorType::scalar(ElementType::I32), TensorType::new([4], ElementType::F32));
        let x = f.argument("x", tensor.into());
        let begin = f.splat(number.clone(), 0.0);
        let carried = f.repeat(
            &[begin, x],
            |f, args| {
                let end = f.splat(number.clone(), 3.0);
                f.compare(Direction::Less, args[0], end)
            },
            |f, args| vec![f.with_number(Binary::Add, args[0], 1), f.add(Binary::Add, &[args[1], x])],
        );
        let total = f.sum(carried[1], vec![0]);
        let program = Program::default().with_only(f.finish(&[total]));
        assert_eq!(verify(&program), Ok(()));
        let text = print(&program, Form::Pretty);
        assert!(text.contains("%arg0: tensor<4xf32>) -> tensor<f32>"), "{text}");
        assert!(text.contains("stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0)"), "{text}");
        assert!(text.contains("applies stablehlo.add across dimensions = [0]"), "{text}");
    }
}
