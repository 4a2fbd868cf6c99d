//! Reverse mode: from a function that computes a loss to one that computes the loss and its gradients.
//!
//! Input: a function without calls and without short forms, the arguments that are trained, and which result is the loss.
//! Output of [`grad`]: the same function with a backward pass behind its forward pass. Each op says in its own file what
//! it passes back (`OpDef::vjp`); here are only the order, the regions and what is kept: values of the forward pass are
//! read where they are, and what the turns of a loop make is stacked by the loop, turn by turn, as JAX's `scan` does.
//! Cotangents that are zero are not there, and those of a value are added up in the order in which its readers come, the
//! last one first.
//!
//! ```text
//! %y = tanh %x                       %y = tanh %x
//! %l = reduce add %y          ->     %l = reduce add %y
//! return %l                          %dy = broadcast 1
//!                                    %dx = multiply %dy, (1 + %y) * (1 - %y)
//!                                    return %l, %dx
//! ```

mod activity;
mod backward;
mod branches;
mod loops;
pub mod optimizers;
mod residuals;
mod shift;
mod sigmoid;
mod step;

pub use step::{LossScaling, Training, training_step};

use backward::Backward;
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::program::Function;
use meshwright_ir::vjp::Indices;

/// Something that has no derivative.
pub const DERIVATIVE: Check = Check("derivative");

/// The function that returns a result of another one, the loss, and its gradients by arguments.
///
/// `function` has no calls and no short forms; `wrt` are positions of arguments, in the order of the gradients.
///
/// # Errors
/// The loss is no single number of a float type, an argument has no elements of a float type, or an instruction between
/// them has no derivative: each is named at its place.
pub fn grad(
    function: &Function,
    wrt: &[usize],
    of: usize,
    indices: Indices,
) -> Result<Function, Diagnostics> {
    let loss = checked(function, wrt, of)?;
    let arguments: Vec<ValueId> = wrt.iter().map(|index| function.args()[*index]).collect();
    let mut body = function.body.clone();
    let entry = body.entry();
    body.regions[entry].insts.pop();
    let mut backward = Backward::of(body, &arguments, loss, indices);
    let gradients = backward.run(loss, &arguments);
    if !backward.problems.is_empty() {
        return Err(backward.problems);
    }
    let mut body = backward.body;
    let results: Vec<ValueId> = [loss].into_iter().chain(gradients).collect();
    let result_types = results.iter().map(|value| body.ty(*value).clone()).collect();
    let mut end = BodyBuilder { body: &mut body, region: entry, span: Span::NONE, location: None };
    end.emit_all(Return::Func, &results, Vec::new(), Vec::new());
    let mut result_attributes = vec![Default::default(); results.len()];
    result_attributes[0] = function.result_attributes.get(of).cloned().unwrap_or_default();
    let result_spans = Vec::new();
    // Results that arguments were donated to are no longer there.
    let mut arg_attributes = function.arg_attributes.clone();
    for attributes in &mut arg_attributes {
        for name in ["tf.aliasing_output", "jax.buffer_donor"] {
            attributes.remove(name);
        }
    }
    Ok(Function { arg_attributes, result_types, result_attributes, result_spans, ..function.with_body(body) })
}

/// The loss, if it and the arguments are what can be differentiated.
fn checked(function: &Function, wrt: &[usize], of: usize) -> Result<ValueId, Diagnostics> {
    let mut problems = Diagnostics::new();
    let mut report = |span: Span, message: String, hint: &str| {
        problems.push(Diagnostic::error(DERIVATIVE, span, message).hint(hint));
    };
    let loss = function.returned().get(of).copied();
    match loss.map(|loss| function.body.ty(loss)) {
        None => {
            let message = format!("`@{}` has no result {of}", function.name);
            report(function.span, message, "name the result that is the loss, counted from 0");
        }
        Some(ty) => {
            let fits = ty.as_tensor().is_some_and(|ty| ty.rank() == 0 && ty.element.is_float());
            if !fits {
                let message = format!("the loss is a {ty}, not a single number of a float type");
                report(function.result_span(of), message, "reduce it to a scalar, such as its mean");
            }
        }
    }
    for index in wrt {
        let Some(argument) = function.args().get(*index) else {
            let message = format!("`@{}` has no argument {index}", function.name);
            report(function.span, message, "arguments are counted from 0");
            continue;
        };
        let ty = function.body.ty(*argument);
        if !activity::has_cotangent(ty) {
            let message = format!("argument {index} is a {ty}, which has no gradient");
            let hint = "only elements of float and complex types have one";
            report(function.body.values[*argument].span, message, hint);
        }
    }
    loss.filter(|_| problems.is_empty()).ok_or(problems)
}
