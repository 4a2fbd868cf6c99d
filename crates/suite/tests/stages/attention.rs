//! The stage `attention`: which attentions of a program become calls of a kernel, and that these compute the same. The kernel
//! is cuDNN's on Hopper, or that of the option `kernel`, by its name in plans.
//!
//! The first lines say what was found, each with the line of its exponential; then the calls with the types of their
//! operands and what their configuration says. What is left is run beside the program it was made from, in f64, with
//! drawn inputs, and must agree.

use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_execute::run_function;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::op::Op;
use meshwright_ir::ops::custom_call::CustomCall;
use meshwright_ir::program::{Function, InstView, Program};
use meshwright_suite::{Input, Outcome};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, Type};
use meshwright_tensor::{NonFinite, Precision, Tensor, compare, convert};
use meshwright_transform::Made;
use meshwright_transform::attention::{Attended, Found, Recognized, Takes, attention};

use super::{findings, read_program};

/// How far sums in another order may be apart, relative to the largest element.
const TOLERANCE: f64 = 1e-9;

/// Sums of numbers that cancel out, such as the gradient of a bias of all keys, leave no more than this.
const ROUNDING: f64 = 1e-11;

pub(crate) fn attentions(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let program = match read_program(&source) {
        Ok(program) => program,
        Err(found) => return Outcome::findings(found),
    };
    let function = match meshwright_transform::flatten(&program) {
        Ok(flat) => flat.function,
        Err(problems) => return Outcome::findings(findings(&source, problems)),
    };
    let takes = match input.option("kernel").map(Takes::by_id) {
        Some(None) => return Outcome::output("no kernel is called so\n".to_owned()),
        Some(Some(takes)) => takes,
        None => &Takes::CUDNN_HOPPER,
    };
    let Attended { made, found } = attention(&function, takes);
    let mut text: String = found.iter().map(|found| line(&source, &function, found)).collect();
    if let Some(Made { function: made, .. }) = made {
        let body = &made.body;
        let calls = body.walk(body.entry()).into_iter().map(|id| body.view(id));
        text.extend(calls.filter_map(call));
        text += &difference(&program.with_only(function), &program.with_only(made));
    }
    Outcome::output(text)
}

fn line(source: &Source, function: &Function, found: &Found) -> String {
    let line = source.place(function.body.insts[found.exponential].span).line;
    let outcome = match &found.outcome {
        Ok(Recognized::Forward) => "forward".to_owned(),
        Ok(Recognized::WithGradient) => "with its gradient".to_owned(),
        Ok(Recognized::Again) => "computed again, with its gradient".to_owned(),
        Err(reason) => format!("left, as {reason}"),
    };
    format!("line {line}: {outcome}\n")
}

/// A call of the kernel, with what matters of its configuration.
fn call(view: InstView<'_>) -> Option<String> {
    let Op::CustomCall(call) = &view.inst.op else { return None };
    let CustomCall { target, attributes } = &**call;
    let types: Vec<String> = view.operand_types().map(Type::to_string).collect();
    let config = attributes.get("backend_config")?.as_str()?;
    let fields = ["fmha_scale", "mask_type", "sliding_window_length", "dimensions"].map(|name| {
        let value = config.split(&format!("\"{name}\": ")).nth(1).unwrap_or_default();
        let end = value.find(if value.starts_with('[') { ']' } else { ',' }).unwrap_or(value.len());
        value[..end].trim_matches(['[', '"']).replace("\", \"", "x")
    });
    let [scale, mask, window, sizes] = fields;
    Some(format!("{target}({}) scale {scale} {mask} window {window} scores {sizes}\n", types.join(", ")))
}

/// Drawn numbers around zero, and large enough that the probabilities of keys are not all alike.
fn spread(drawn: &Tensor) -> Result<Tensor, EvalError> {
    let element = drawn.ty().element;
    if !element.is_float() {
        return Ok(drawn.clone());
    }
    let wide: Vec<f64> = drawn.to_f64_vec().iter().map(|x| (x - 0.015) * 40.0).collect();
    let wide = Tensor::from_vec(ElementType::F64, drawn.shape().to_vec(), wide);
    convert(&wide, element, Precision::Wide)
}

/// Where the programs differ.
fn difference(before: &Program, after: &Program) -> String {
    if let Err(problems) = meshwright_ir::verify::verify(after) {
        return format!("it is broken: {problems:?}\n");
    }
    let Some(main) = before.main() else { return "there is no main\n".to_owned() };
    let types: Vec<Type> = main.args().iter().map(|value| main.body.ty(*value).clone()).collect();
    let run = |program: &Program| {
        let inputs = draw(&types, &DrawOptions::default())?;
        let inputs = inputs.iter().map(spread).collect::<Result<Vec<_>, _>>()?;
        run_function(program, &main.name, inputs, Precision::Wide)
    };
    let (expected, actual) = match (run(before), run(after)) {
        (Ok(expected), Ok(actual)) => (expected, actual),
        (Err(error), _) | (_, Err(error)) => return format!("it does not run: {error:?}\n"),
    };
    let mut text = String::new();
    for (index, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
        match compare(actual, expected, NonFinite::ByPosition) {
            Ok(difference) if difference.within(TOLERANCE) || difference.max_abs <= ROUNDING => {}
            other => text += &format!("result {index} differs: {other:?}\n"),
        }
    }
    text
}
