//! Training steps of a loss whose gradient is known, against the optimizers' formulas, in f64.

use meshwright_execute::run_function;
use meshwright_grad::optimizers::{OPTIMIZERS, Settings, known};
use meshwright_grad::{LossScaling, Training, training_step};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use meshwright_ir::vjp::Indices;
use meshwright_tensor::types::ElementType;
use meshwright_tensor::{Precision, Tensor};

/// The loss is the sum of `w * g`, and the gradient `g`.
const LOSS: &str = "
func.func @main(%g: tensor<3x2xf64>, %w: tensor<3x2xf64>) -> tensor<f64> {
  %0 = stablehlo.multiply %g, %w : tensor<3x2xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] :
    (tensor<3x2xf64>, tensor<f64>) -> tensor<f64>
  return %loss : tensor<f64>
}";

const W: [f64; 6] = [0.5, -1.0, 2.0, 0.25, -0.75, 1.5];
const G: [f64; 6] = [0.3, -0.2, 0.1, 0.7, -0.4, 0.6];

fn step(optimizer: &str, clip: Option<f64>, scaling: LossScaling) -> Program {
    step_of(LOSS, optimizer, clip, scaling)
}

fn step_of(loss: &str, optimizer: &str, clip: Option<f64>, scaling: LossScaling) -> Program {
    step_at(vec![1], loss, optimizer, clip, scaling)
}

/// The step where the parameters at these positions are matrices between hidden values.
fn step_at(
    hidden: Vec<usize>,
    loss: &str,
    optimizer: &str,
    clip: Option<f64>,
    scaling: LossScaling,
) -> Program {
    let program = read(&Source::new("loss.mlir", loss)).unwrap();
    let settings = Settings { learning_rate: Some(0.1), weight_decay: Some(0.01) };
    let optimizer = (known(optimizer).unwrap().of)(&settings);
    let training = Training {
        parameters: vec![1],
        undecayed: Vec::new(),
        hidden,
        loss: 0,
        optimizer: optimizer.as_ref(),
        clip,
        scaling,
        indices: Indices::Any,
    };
    let made = training_step(program.main().unwrap(), &training).unwrap();
    let made = program.with_only(made);
    verify(&made).unwrap_or_else(|error| panic!("{error:?}\n{}", print(&made, Form::Pretty)));
    made
}

/// Parameters and all that is kept after some steps, from zeros.
fn after(program: &Program, steps: usize, gradient: [f64; 6]) -> Vec<Tensor> {
    let main = program.main().unwrap();
    let zero =
        |index: usize| Tensor::zeros(main.body.tensor(main.args()[index]), Precision::Declared).unwrap();
    let num_states = main.returned().len() - 1;
    let matrix = |values: [f64; 6]| Tensor::from_vec(ElementType::F64, [3, 2], values.to_vec());
    let mut states: Vec<Tensor> = (0..num_states).map(zero).collect();
    states[0] = matrix(W);
    scale(&mut states, main);
    for _ in 0..steps {
        let mut inputs = states.clone();
        inputs.push(matrix(gradient));
        states = run_function(program, "main", inputs, Precision::Declared).unwrap();
        states.pop();
    }
    states
}

/// A loss scale of 4, if there is one.
fn scale(states: &mut [Tensor], main: &meshwright_ir::program::Function) {
    for (index, state) in states.iter_mut().enumerate() {
        let ty = main.body.tensor(main.args()[index]);
        if ty.rank() == 0 && ty.element == ElementType::F32 {
            *state = Tensor::from_vec(ElementType::F32, Vec::<usize>::new(), vec![4.0_f32]);
        }
    }
}

fn assert_near(found: &Tensor, wanted: &[f64]) {
    let found = found.to_f64_vec();
    let is_near = found.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 1e-9);
    assert!(found.len() == wanted.len() && is_near, "{found:?}, not {wanted:?}");
}

/// Two steps of a formula for each element.
fn two_steps(mut formula: impl FnMut(usize, usize, f64) -> f64) -> Vec<f64> {
    (0..6).map(|at| (1..=2).fold(W[at], |w, step| formula(at, step, w))).collect()
}

#[test]
fn adamw_sgd_and_lion_are_their_formulas() {
    let (mut m, mut v) = ([0.0; 6], [0.0; 6]);
    let wanted = two_steps(|at, step, w| {
        m[at] = 0.9 * m[at] + 0.1 * G[at];
        v[at] = 0.999 * v[at] + 0.001 * G[at] * G[at];
        let whole = |beta: f64| 1.0 - beta.powi(step as i32);
        w - 0.1 * ((m[at] / whole(0.9)) / ((v[at] / whole(0.999)).sqrt() + 1e-8) + 0.01 * w)
    });
    let states = after(&step("adamw", None, LossScaling::None), 2, G);
    assert_near(&states[0], &wanted);
    assert_near(&states[1], &m);
    assert_near(&states[2], &v);
    assert_near(&states[3], &[2.0]);
    let mut m = [0.0; 6];
    let wanted = two_steps(|at, _, w| {
        m[at] = 0.9 * m[at] + G[at] + 0.01 * w;
        w - 0.1 * m[at]
    });
    assert_near(&after(&step("sgd", None, LossScaling::None), 2, G)[0], &wanted);
    let mut m = [0.0_f64; 6];
    let wanted = two_steps(|at, _, w| {
        let change = (0.9 * m[at] + 0.1 * G[at]).signum();
        m[at] = 0.99 * m[at] + 0.01 * G[at];
        w - 0.1 * (change + 0.01 * w)
    });
    assert_near(&after(&step("lion", None, LossScaling::None), 2, G)[0], &wanted);
}

#[test]
fn adafactor_keeps_rows_and_columns() {
    let states = after(&step("adafactor", None, LossScaling::None), 1, G);
    let row = |at: usize| (G[2 * at].powi(2) + G[2 * at + 1].powi(2)) / 2.0;
    let column = |at: usize| (0..3).map(|row| G[2 * row + at].powi(2)).sum::<f64>() / 3.0;
    assert_near(&states[1], &[row(0), row(1), row(2)]);
    assert_near(&states[2], &[column(0), column(1)]);
    let all = (row(0) + row(1) + row(2)) / 3.0;
    let change: Vec<f64> = (0..6).map(|at| G[at] / (row(at / 2) * column(at % 2) / all).sqrt()).collect();
    let size = |values: &[f64]| (values.iter().map(|value| value * value).sum::<f64>() / 6.0).sqrt();
    let rate = size(&W) * 0.1 / size(&change).max(1.0);
    let wanted: Vec<f64> = (0..6).map(|at| W[at] * (1.0 - 0.1 * 0.01) - rate * change[at]).collect();
    assert_near(&states[0], &wanted);
}

#[test]
fn muon_moves_by_a_matrix_that_is_nearly_orthogonal() {
    let states = after(&step("muon", None, LossScaling::None), 1, G);
    let moved = states[0].to_f64_vec();
    let stretch = 0.1 * 1.5_f64.sqrt();
    let x: Vec<f64> = (0..6).map(|at| (W[at] - moved[at] - 0.1 * 0.01 * W[at]) / stretch).collect();
    let dot = |a: usize, b: usize| (0..3).map(|row| x[2 * row + a] * x[2 * row + b]).sum::<f64>();
    let range = 0.4..1.6;
    assert!(range.contains(&dot(0, 0)) && range.contains(&dot(1, 1)) && dot(0, 1).abs() < 0.4, "{x:?}");
}

/// Embeddings and heads: with AdamW's own rate and state, and the decay that was asked for.
#[test]
fn muon_leaves_matrices_at_the_ends_to_adamw() {
    let made = step_at(Vec::new(), LOSS, "muon", None, LossScaling::None);
    let states = after(&made, 2, G);
    let (mut m, mut v) = ([0.0; 6], [0.0; 6]);
    let wanted = two_steps(|at, step, w| {
        m[at] = 0.9 * m[at] + 0.1 * G[at];
        v[at] = 0.999 * v[at] + 0.001 * G[at] * G[at];
        let whole = |beta: f64| 1.0 - beta.powi(step as i32);
        w - 1e-3 * ((m[at] / whole(0.9)) / ((v[at] / whole(0.999)).sqrt() + 1e-8) + 0.01 * w)
    });
    assert_near(&states[0], &wanted);
    assert_near(&states[1], &m);
    assert_near(&states[2], &v);
    assert_near(&states[3], &[2.0]);
}

#[test]
fn gradients_are_clipped_together() {
    let norm = G.iter().map(|g| g * g).sum::<f64>().sqrt();
    let wanted: Vec<f64> = G.iter().map(|g| g * 0.5 / (norm + 1e-6)).collect();
    let states = after(&step("sgd", Some(0.5), LossScaling::None), 1, G);
    let momentum: Vec<f64> = (0..6).map(|at| wanted[at] + 0.01 * W[at]).collect();
    let found = states[1].to_f64_vec();
    // The norm is a number of f64, as the gradients are.
    assert!(found.iter().zip(&momentum).all(|(one, other)| (one - other).abs() < 1e-15), "{found:?}");
}

#[test]
fn a_step_that_overflows_is_left_out_and_halves_the_scale() {
    let program = step("adamw", None, LossScaling::Dynamic { interval: 2 });
    let plain = after(&step("adamw", None, LossScaling::None), 2, G);
    let states = after(&program, 2, G);
    assert_near(&states[0], &plain[0].to_f64_vec());
    assert_near(&states[4], &[8.0]);
    assert_near(&states[5], &[0.0]);
    let mut infinite = G;
    infinite[3] = f64::INFINITY;
    let states = after(&program, 1, infinite);
    assert_near(&states[0], &W);
    assert_near(&states[3], &[0.0]);
    assert_near(&states[4], &[2.0]);
}

#[test]
fn states_are_donated_and_keep_their_names() {
    for known in OPTIMIZERS {
        let program = step(known.name, None, LossScaling::None);
        let main = program.main().unwrap();
        let num_states = main.returned().len() - 1;
        for index in 0..num_states {
            let donation = main.donation(index);
            assert_eq!(donation, meshwright_ir::arguments::Donation::ToResult(index), "{}", known.name);
            assert_eq!(
                main.body.ty(main.args()[index]),
                main.body.ty(main.returned()[index]),
                "{}",
                known.name
            );
        }
    }
}

/// A stack of three vectors is no matrix.
#[test]
fn stacks_are_updated_tensor_by_tensor() {
    let named =
        LOSS.replace("%w: tensor<3x2xf64>)", "%w: tensor<3x2xf64> loc(\"layers.{0..2}.norm.weight\"))");
    for optimizer in ["muon", "adafactor"] {
        let made = step_of(&named, optimizer, None, LossScaling::None);
        let states = after(&made, 1, G);
        let kept: usize = states[1..].iter().map(Tensor::num_elements).sum();
        assert_eq!(kept, if optimizer == "muon" { 13 } else { 7 }, "{optimizer}");
        for layer in 0..3 {
            let own = |values: [f64; 6]| values[2 * layer..2 * layer + 2].to_vec();
            let alone = vector_step(optimizer, &own(W), &own(G));
            let found = states[0].to_f64_vec()[2 * layer..2 * layer + 2].to_vec();
            let is_near = found.iter().zip(&alone).all(|(one, other)| (one - other).abs() < 1e-9);
            assert!(is_near, "{optimizer}: {found:?}, not {alone:?}");
        }
    }
}

/// A vector after a step.
fn vector_step(optimizer: &str, vector: &[f64], gradient: &[f64]) -> Vec<f64> {
    let loss = LOSS.replace("3x2xf64", "2xf64").replace("dimensions = [0, 1]", "dimensions = [0]");
    let made = step_of(&loss, optimizer, None, LossScaling::None);
    let main = made.main().unwrap();
    let mut inputs: Vec<Tensor> = main
        .args()
        .iter()
        .map(|arg| Tensor::zeros(main.body.tensor(*arg), Precision::Declared).unwrap())
        .collect();
    let tensor = |values: &[f64]| Tensor::from_vec(ElementType::F64, [2], values.to_vec());
    let last = inputs.len() - 1;
    (inputs[0], inputs[last]) = (tensor(vector), tensor(gradient));
    run_function(&made, "main", inputs, Precision::Declared).unwrap()[0].to_f64_vec()
}
