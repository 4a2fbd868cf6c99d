//! The part that a step adds to an argument that it replaces: what `b * m + (1 - b) * g` is without `m`.
//!
//! Input: a program, and which result replaces which argument. Output: the program with one more result for each such
//! result of which the argument is a summand: the largest magnitude of the rest. Beside that an error shows which is small
//! beside the argument: a moment may be many times a gradient, and its change is then its decay.
//!
//! The rest is computed by the instructions that lead from the argument to the result, with zeros in its place, as far as
//! they are linear in it element by element. They are no more than the update's own, and leave scalars.
//!
//! Example: of `add (multiply %b, %m), (multiply %c, %g)` it is the magnitude of `multiply %c, %g`.

use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::ValueId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::{Body, Def, Program};
use meshwright_tensor::Tensor;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

/// A chain from an argument to a result is followed over so many instructions.
const LONGEST: usize = 256;

/// A program that says how large the parts are that it adds.
#[derive(Clone, Debug)]
pub(crate) struct AddedParts {
    /// The program, with a scalar more for each part behind its results.
    pub(crate) program: Program,
    /// Which results these are of, in their order.
    of: Vec<usize>,
}

impl AddedParts {
    /// Of a program without short forms in its entry function; `replaced` says which argument each result replaces. None:
    /// it has no results of which an argument is a summand.
    pub(crate) fn of(program: &Program, replaced: &[Option<usize>]) -> Option<Self> {
        let name = program.main()?.name.clone();
        let mut program = program.clone();
        let main = program.functions.iter_mut().find(|function| function.name == name)?;
        let (arguments, returned) = (main.args().to_vec(), main.returned().to_vec());
        let is_plain = main.result_types.iter().all(|ty| ty.as_tensor().is_some());
        if !is_plain || returned.len() != replaced.len() {
            return None;
        }
        let body = &mut main.body;
        let entry = body.entry();
        let last = body.regions[entry].insts.pop()?;
        let (mut of, mut sizes) = (Vec::new(), Vec::new());
        for (result, argument) in replaced.iter().enumerate() {
            let Some(argument) = argument.and_then(|argument| arguments.get(argument)) else { continue };
            let mut without = Without { argument: *argument, body, known: BTreeMap::new() };
            if let Some(size) = without.size(returned[result]) {
                of.push(result);
                sizes.push(size);
            }
        }
        let types: Vec<Type> = sizes.iter().map(|size| body.ty(*size).clone()).collect();
        body.insts[last].operands.extend(&sizes);
        body.regions[entry].insts.push(last);
        main.result_types.extend(types);
        main.result_attributes.resize_with(main.result_types.len(), Default::default);
        (!of.is_empty()).then_some(Self { program, of })
    }

    /// Takes the sizes out of what the program returned: for each result that of the part that is added, where it is known.
    pub(crate) fn taken_from(&self, outputs: &mut Vec<Tensor>) -> Vec<Option<f64>> {
        let sizes = outputs.split_off(outputs.len().saturating_sub(self.of.len()));
        let mut found = vec![None; outputs.len()];
        for (result, size) in self.of.iter().zip(sizes) {
            let size = size.to_f64_vec().first().copied();
            found[*result] = size.filter(|size| size.is_finite());
        }
        found
    }
}

/// Values without the part that an argument has in them.
struct Without<'a> {
    argument: ValueId,
    body: &'a mut Body,
    known: BTreeMap<ValueId, Rest>,
}

/// What a value is without the argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// Nothing is left.
    Zero,
    /// The argument is no summand of it.
    All,
    /// This value.
    Is(ValueId),
}

impl Without<'_> {
    /// The largest magnitude of a result without the argument; none where the argument is no summand of it, or all.
    fn size(&mut self, result: ValueId) -> Option<ValueId> {
        let ty = self.body.ty(result).as_tensor().filter(|ty| ty.element.is_float())?.clone();
        let Rest::Is(rest) = self.rest(result, 0) else { return None };
        let (region, span) = (self.body.entry(), self.body.values[result].span);
        let mut builder = BodyBuilder { body: self.body, region, span, location: None };
        let size = builder.add(Unary::Abs, &[rest]);
        Some(builder.reduced(Binary::Maximum, size, (0..ty.rank()).collect(), 0.0))
    }

    fn rest(&mut self, value: ValueId, depth: usize) -> Rest {
        if value == self.argument {
            return Rest::Zero;
        }
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let rest = if depth < LONGEST { self.made(value, depth) } else { Rest::All };
        self.known.insert(value, rest);
        rest
    }

    /// Of what an instruction makes.
    fn made(&mut self, value: ValueId, depth: usize) -> Rest {
        let Def::Result(inst, 0) = self.body.values[value].def else { return Rest::All };
        let (op, operands) = (self.body.insts[inst].op.clone(), self.body.insts[inst].operands.clone());
        // The operands in which it is linear, and those that it has to be no part of.
        let (linear, others) = match &op {
            Op::Binary(Binary::Add | Binary::Subtract) => (0..2, 0..0),
            Op::Binary(Binary::Multiply) if self.rest(operands[0], depth + 1) == Rest::All => (1..2, 0..1),
            Op::Binary(Binary::Multiply | Binary::Divide) => (0..1, 1..2),
            Op::Select(_) => (1..3, 0..1),
            Op::Unary(Unary::Negate)
            | Op::Convert(_)
            | Op::Reshape(_)
            | Op::Transpose(_)
            | Op::BroadcastInDim(_)
            | Op::Slice(_)
            | Op::ShardingConstraint(_) => (0..1, 0..0),
            _ => return Rest::All,
        };
        if self.body.insts[inst].results.len() != 1
            || others.into_iter().any(|index| self.rest(operands[index], depth + 1) != Rest::All)
        {
            return Rest::All;
        }
        let rests: Vec<Rest> = linear.clone().map(|index| self.rest(operands[index], depth + 1)).collect();
        if rests.iter().all(|rest| *rest == Rest::All) {
            return Rest::All;
        }
        if rests.iter().all(|rest| *rest == Rest::Zero) {
            return Rest::Zero;
        }
        let mut left = operands.clone();
        for (index, rest) in linear.zip(rests) {
            left[index] = match rest {
                Rest::All => operands[index],
                Rest::Is(value) => value,
                Rest::Zero => match self.zeros(operands[index]) {
                    Some(zeros) => zeros,
                    None => return Rest::All,
                },
            };
        }
        let (types, span) = (vec![self.body.ty(value).clone()], self.body.insts[inst].span);
        let entry = self.body.entry();
        let made = self.body.append(entry, op, left, Vec::new(), types, span);
        Rest::Is(self.body.insts[made].results[0])
    }

    /// Zeros of a value's type.
    fn zeros(&mut self, like: ValueId) -> Option<ValueId> {
        let ty = self.body.ty(like).as_tensor()?.clone();
        let (region, span) = (self.body.entry(), self.body.values[like].span);
        let mut builder = BodyBuilder { body: self.body, region, span, location: None };
        Some(builder.constant(Literal::splat(ty, 0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpreter::run_single_device;
    use meshwright_ir::control::Quiet;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::verify::verify;
    use meshwright_tensor::Precision;
    use meshwright_tensor::types::ElementType;

    /// The sizes of the parts that are added to what the first arguments are replaced by.
    fn added(text: &str, inputs: &[&[f64]], replaced: &[Option<usize>]) -> Option<Vec<Option<f64>>> {
        let source = Source::new("added.mlir", format!("func.func @main{text}"));
        let program = meshwright_ir::text::read(&source).expect("a program");
        let parts = AddedParts::of(&program, replaced)?;
        verify(&parts.program).expect("a right program");
        let tensor = |values: &&[f64]| Tensor::from_vec(ElementType::F64, [values.len()], values.to_vec());
        let inputs = inputs.iter().map(tensor).collect();
        let mut outputs =
            run_single_device(&parts.program, "main", inputs, Precision::Wide, &Quiet).expect("numbers");
        let sizes = parts.taken_from(&mut outputs);
        assert_eq!(outputs.len(), replaced.len());
        Some(sizes)
    }

    #[test]
    fn what_is_added_to_a_moment_is_told_from_its_decay() {
        let text = "(%m: tensor<2xf64>, %v: tensor<2xf64>, %w: tensor<2xf64>, %g: tensor<2xf64>)
              -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
            %b = stablehlo.constant dense<0.9> : tensor<2xf64>
            %c = stablehlo.constant dense<0.1> : tensor<2xf64>
            %0 = stablehlo.multiply %b, %m : tensor<2xf64>
            %1 = stablehlo.multiply %c, %g : tensor<2xf64>
            %2 = stablehlo.add %0, %1 : tensor<2xf64>
            %3 = stablehlo.subtract %g, %v : tensor<2xf64>
            %4 = stablehlo.multiply %3, %c : tensor<2xf64>
            %5 = stablehlo.add %v, %4 : tensor<2xf64>
            %6 = stablehlo.multiply %w, %w : tensor<2xf64>
            return %2, %5, %6, %m : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
        }";
        let inputs: [&[f64]; 4] = [&[1.0, 2.0], &[3.0, 4.0], &[5.0, 6.0], &[1e-3, -2e-3]];
        let found = added(text, &inputs, &[Some(0), Some(1), Some(2), None]).unwrap();
        let near = |size: Option<f64>| size.is_some_and(|size| (size - 2e-4).abs() < 1e-15);
        assert!(near(found[0]) && near(found[1]), "{found:?}");
        assert_eq!(found[2..], [None, None]);
        // Nothing is added to what stays as it is.
        assert_eq!(added(text, &inputs, &[None, None, None, Some(0)]), None);
    }
}
