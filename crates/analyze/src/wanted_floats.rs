//! How large the floats of trained parameters should be, so that signals and gradients keep their size through layers.
//!
//! Input: a verified program. Output: for each argument of its entry function that is a parameter what it does where it is
//! first read, and from that the numbers that suit it ([`Wanted`]). Numbers that are drawn anyhow test little: behind many
//! matrices of small positive numbers all rows are alike, and gradients are nothing but rounding.
//!
//! - A matrix has as many summands as it contracts: normal numbers of variance `1 / n` keep a signal of variance 1 (LeCun,
//!   Bottou, Orr, Müller, "Efficient BackProp", 1998; it is within a small factor of what families of models begin with).
//! - A table of which rows are looked up begins signals: variance 1.
//! - What multiplies signals, as the weights of norms do, lies around one; what is added to them is small beside them.
//!
//! A parameter is followed through what moves its elements, through loops that carry it, and through what is computed of it
//! without data (`1 + w`).
//!
//! Example: in `dot %x, (convert %w)` with `%w` of 64 x 16, contracted over 64, `%w` is a matrix of 64 summands.

use crate::roles::{DATA, Role, Roles, contracted, is_lookup};
use meshwright_ir::expand::expand;
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::{Function, InstView, Program};
use meshwright_ir::rule::ShardingRule;
use meshwright_transform::inline::inline_calls;
use std::collections::BTreeSet;

/// Uses of a parameter, which say how large its numbers should be. Of several the first in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// Something is computed of it that is for positive numbers, as a logarithm.
    Positive,
    /// It is multiplied with signals, and so many products are summed.
    Matrix(usize),
    /// Rows of it are looked up.
    Table,
    /// It multiplies signals element by element.
    Factor,
    /// It is added to signals.
    Summand,
}

impl Wanted {
    /// The order in which uses count: of two matrices the first that is read, which is that of the forward pass.
    fn rank(self) -> u8 {
        match self {
            Self::Positive => 0,
            Self::Matrix(_) => 1,
            Self::Table => 2,
            Self::Factor => 3,
            Self::Summand => 4,
        }
    }
}

/// Uses of the parameters of the entry function; `None` for other arguments, and where nothing is known.
pub fn of_arguments(program: &Program) -> Vec<Option<Wanted>> {
    let inlined = program.main().and_then(|main| inline_calls(program, &main.name));
    let Some(function) = inlined.map(expand) else { return Vec::new() };
    let roles = Roles::new(&function);
    let is_float = |index: usize| {
        let ty = function.body.ty(function.args()[index]).as_tensor();
        ty.is_some_and(|ty| ty.element.is_float()) && roles.args[index].role == Role::Parameter
    };
    let mut found: Vec<Option<Wanted>> = vec![None; function.args().len()];
    let parameters: Vec<usize> = (0..found.len()).filter(|index| is_float(*index)).collect();
    if parameters.is_empty() {
        return found;
    }
    let holds = parameters_in(&function, &roles, &parameters);
    let body = &function.body;
    for id in body.walk(body.entry()) {
        let view = body.view(id);
        for (operand, value) in
            view.inst.operands.iter().enumerate().filter(|(_, value)| !holds[**value].is_empty())
        {
            let Some(wanted) = wanted(&view, operand, &roles, &holds) else { continue };
            for parameter in &holds[*value] {
                let before = &mut found[*parameter];
                if before.is_none_or(|before| wanted.rank() < before.rank()) {
                    *before = Some(wanted);
                }
            }
        }
    }
    found
}

/// The parameters whose elements a value holds.
type Holds = Table<ValueId, BTreeSet<usize>>;

/// For every value the parameters that it is made of without data.
fn parameters_in(function: &Function, roles: &Roles, parameters: &[usize]) -> Holds {
    let body = &function.body;
    let mut holds: Holds = Table::filled(BTreeSet::new(), body.values.len());
    for index in parameters {
        holds[function.args()[*index]].insert(*index);
    }
    for id in body.walk(body.entry()) {
        let view = body.view(id);
        match view.inst.op.data_flow() {
            DataFlow::Identity => pass_on(&view, &mut holds, |_| true),
            DataFlow::Loop => {
                let last = view.inst.regions.len().saturating_sub(1);
                let (taken, returned) = (&view.region(last).args, view.returned(last));
                let stays = |index: usize| taken.get(index) == returned.get(index);
                pass_on(&view, &mut holds, stays);
                for region in &view.inst.regions {
                    for (index, arg) in body.regions[*region].args.iter().enumerate() {
                        if let Some(operand) = view.inst.operands.get(index).filter(|_| stays(index)) {
                            holds[*arg] = holds[*operand].clone();
                        }
                    }
                }
            }
            DataFlow::None => {
                if let [result] = view.inst.results.as_slice() {
                    let operands = holding(&view, roles);
                    let held = operands.iter().flat_map(|operand| holds[*operand].iter().copied()).collect();
                    holds[*result] = held;
                }
            }
            DataFlow::Branches | DataFlow::Region => {}
        }
    }
    holds
}

/// Results hold what the operands at their places do.
fn pass_on(view: &InstView<'_>, holds: &mut Holds, stays: impl Fn(usize) -> bool) {
    for (index, (operand, result)) in view.inst.operands.iter().zip(&view.inst.results).enumerate() {
        if stays(index) {
            holds[*result] = holds[*operand].clone();
        }
    }
}

/// The operands whose elements stand in the result: moved, or changed by numbers and other parameters.
fn holding<'a>(view: &InstView<'a>, roles: &Roles) -> &'a [ValueId] {
    let operands = view.inst.operands.as_slice();
    match &view.inst.op {
        Op::Convert(_)
        | Op::BroadcastInDim(_)
        | Op::Reshape(_)
        | Op::Transpose(_)
        | Op::Slice(_)
        | Op::Reverse(_)
        | Op::DynamicSlice(_)
        | Op::Pad(_)
        | Op::ShardingConstraint(_)
        | Op::PropagationBarrier(_) => &operands[..1],
        Op::Concatenate(_) => operands,
        Op::DynamicUpdateSlice(_) => &operands[..2],
        Op::Unary(Unary::Negate)
        | Op::Clamp(_)
        | Op::Binary(Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide)
            if !has_data(view, roles) =>
        {
            operands
        }
        _ => &[],
    }
}

/// Whether the first result is computed of data.
fn has_data(view: &InstView<'_>, roles: &Roles) -> bool {
    view.inst.results.first().is_some_and(|result| roles.depends[*result] & DATA != 0)
}

/// What an instruction wants of an operand that holds parameters.
fn wanted(view: &InstView<'_>, operand: usize, roles: &Roles, holds: &Holds) -> Option<Wanted> {
    let rule = &roles.rules[view.id];
    match &view.inst.op {
        Op::Unary(Unary::Log | Unary::Sqrt | Unary::Rsqrt) => Some(Wanted::Positive),
        Op::Binary(Binary::Power) if operand == 0 => Some(Wanted::Positive),
        Op::Binary(Binary::Divide) if operand == 1 => Some(Wanted::Positive),
        Op::Gather(_) if operand == 0 => Some(Wanted::Table),
        Op::Binary(op @ (Binary::Multiply | Binary::Add | Binary::Subtract)) if has_data(view, roles) => {
            // What is computed of it and of itself is its update.
            let (own, other) = (view.inst.operands[operand], view.inst.operands[1 - operand]);
            let is_update = !holds[own].is_disjoint(&holds[other]);
            let wanted = if *op == Binary::Multiply { Wanted::Factor } else { Wanted::Summand };
            (!is_update).then_some(wanted)
        }
        Op::Convolution(_) if operand == 1 => Some(Wanted::Matrix(summands(view, operand, rule))),
        _ if !contracted(rule).is_empty() && !is_lookup(rule) => {
            Some(Wanted::Matrix(summands(view, operand, rule)))
        }
        _ => None,
    }
}

/// How many elements of an operand go into one of the result.
fn summands(view: &InstView<'_>, operand: usize, rule: &ShardingRule) -> usize {
    let factors: BTreeSet<_> = rule.operands.get(operand).into_iter().flatten().flatten().copied().collect();
    let kept = factors.iter().filter(|factor| rule.is_in_results(**factor));
    let kept: usize = kept.map(|factor| rule.factors[*factor].size.max(1)).product();
    (view.operand(operand).num_elements() / kept.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;

    /// What suits the arguments of a function, its name and parentheses included.
    fn wanted(text: &str) -> Vec<Option<Wanted>> {
        let source = Source::new("wanted.mlir", format!("func.func @main{text}"));
        let program = meshwright_ir::text::read(&source).expect("a program");
        meshwright_ir::verify::verify(&program).expect("a right one");
        of_arguments(&program)
    }

    /// A table, matrices of which one is in a stack that a loop carries, a bias, and a norm's weight to which one is added.
    const LAYERS: &str = r#"(%table: tensor<10x8xf32>, %w: tensor<4x8x32xf32>, %u: tensor<32x8xf32>, %b: tensor<8xf32>,
          %g: tensor<8xf32>, %labels: tensor<16xi32>) -> tensor<16x8xf32> {
        %at = stablehlo.reshape %labels : (tensor<16xi32>) -> tensor<16x1xi32>
        %x = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
          collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}>
          : (tensor<10x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %0:3 = stablehlo.while(%i = %zero, %y = %x, %ws = %w) : tensor<i32>, tensor<16x8xf32>, tensor<4x8x32xf32>
        cond {
          %n = stablehlo.constant dense<4> : tensor<i32>
          %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        } do {
          %one = stablehlo.constant dense<1> : tensor<i32>
          %1 = stablehlo.dynamic_slice %ws, %i, %zero, %zero, sizes = [1, 8, 32]
            : (tensor<4x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
          %2 = stablehlo.reshape %1 : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
          %wide = stablehlo.dot %y, %2 : (tensor<16x8xf32>, tensor<8x32xf32>) -> tensor<16x32xf32>
          %3 = stablehlo.dot %wide, %u : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
          %4 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<16x8xf32>
          %5 = stablehlo.add %3, %4 : tensor<16x8xf32>
          %6 = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %6, %5, %ws : tensor<i32>, tensor<16x8xf32>, tensor<4x8x32xf32>
        }
        %ones = stablehlo.constant dense<1.0> : tensor<8xf32>
        %1 = stablehlo.add %g, %ones : tensor<8xf32>
        %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<8xf32>) -> tensor<16x8xf32>
        %3 = stablehlo.multiply %0#1, %2 : tensor<16x8xf32>
        return %3 : tensor<16x8xf32>
    }"#;

    #[test]
    fn parameters_are_followed_to_what_they_do() {
        let found = wanted(LAYERS);
        let expected =
            [Wanted::Table, Wanted::Matrix(8), Wanted::Matrix(32), Wanted::Summand, Wanted::Factor];
        assert_eq!(found[..5], expected.map(Some));
        assert_eq!(found[5], None);
    }
}
