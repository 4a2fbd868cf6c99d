//! Gradients of programs of one device, against finite differences in f64 on two devices: of the sum of the losses of both, by
//! the argument of each.

use meshwright_execute::run_local;
use meshwright_grad::grad;
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use meshwright_ir::vjp::Indices;
use meshwright_tensor::types::ElementType;
use meshwright_tensor::{Precision, Tensor};
use meshwright_transform::inline::inline_entry;

const STEP: f64 = 1e-5;

/// What each makes of `%x`, a `tensor<4x2xf64>`, and the type of it.
const CASES: &[(&str, &str, &str)] = &[
    (
        "all_reduce add",
        r#"%y = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.add %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<4x2xf64>) -> tensor<4x2xf64>"#,
        "4x2",
    ),
    (
        "all_reduce maximum, on a channel",
        r#"%y = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>,
           replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.maximum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<4x2xf64>) -> tensor<4x2xf64>"#,
        "4x2",
    ),
    (
        "all_gather",
        r#"%y = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> :
           (tensor<4x2xf64>) -> tensor<4x4xf64>"#,
        "4x4",
    ),
    (
        "reduce_scatter",
        r#"%y = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64,
           replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.add %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<4x2xf64>) -> tensor<2x2xf64>"#,
        "2x2",
    ),
    (
        "all_to_all",
        r#"%y = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64,
           replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf64>) -> tensor<2x4xf64>"#,
        "2x4",
    ),
    (
        "collective_permute, to one device",
        r#"%y = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> :
           (tensor<4x2xf64>) -> tensor<4x2xf64>"#,
        "4x2",
    ),
    (
        "collective_broadcast, from the second device",
        r#"%y = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> :
           (tensor<4x2xf64>) -> tensor<4x2xf64>"#,
        "4x2",
    ),
    (
        "collective_broadcast, in a group that not all are in, on a channel",
        r#"%y = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>,
           replica_groups = dense<[[1]]> : tensor<1x1xi64>}> : (tensor<4x2xf64>) -> tensor<4x2xf64>"#,
        "4x2",
    ),
];

/// The loss weighs what a device has of `%y` by its argument, so that devices differ.
fn loss(body: &str, result: &str) -> Program {
    let text = format!(
        "func.func @main(%x: tensor<4x2xf64>, %w: tensor<{result}xf64>) -> tensor<f64> {{\n{body}\n\
         %s = stablehlo.sine %y : tensor<{result}xf64>\n\
         %p = stablehlo.multiply %s, %w : tensor<{result}xf64>\n\
         %zero = stablehlo.constant dense<0.0> : tensor<f64>\n\
         %loss = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0, 1] : \
         (tensor<{result}xf64>, tensor<f64>) -> tensor<f64>\n\
         return %loss : tensor<f64>\n}}"
    );
    read(&Source::new("loss.mlir", text.clone())).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

fn drawn(shape: &[usize], seed: usize) -> Tensor {
    let number = |at: usize| ((at * 37 + seed * 61 + 11) % 101) as f64 / 50.0 - 1.0;
    let count: usize = shape.iter().product();
    Tensor::from_vec(ElementType::F64, shape.to_vec(), (0..count).map(number).collect::<Vec<f64>>())
}

fn run(program: &Program, inputs: &[Vec<Tensor>]) -> Vec<Vec<Tensor>> {
    run_local(program, inputs.to_vec(), Precision::Declared, &Quiet)
        .unwrap_or_else(|error| panic!("{error:?}\n{}", print(program, Form::Pretty)))
}

#[test]
fn gradients_through_collectives() {
    for (name, body, result) in CASES {
        let program = loss(body, result);
        let made = program.with_only(grad(&inline_entry(&program).unwrap(), &[0], 0, Indices::Any).unwrap());
        assert_eq!(verify(&made), Ok(()), "{name}");
        let shape: Vec<usize> = result.split('x').map(|size| size.parse().unwrap()).collect();
        let inputs: Vec<Vec<Tensor>> =
            (0..2).map(|device| vec![drawn(&[4, 2], device), drawn(&shape, 5 + device)]).collect();
        let found = run(&made, &inputs);
        for device in 0..2 {
            for (element, found) in found[device][1].to_f64_vec().into_iter().enumerate() {
                let at = |step: f64| {
                    let mut inputs = inputs.clone();
                    let mut values = inputs[device][0].to_f64_vec();
                    values[element] += step;
                    inputs[device][0] = Tensor::from_vec(ElementType::F64, [4, 2], values);
                    run(&program, &inputs).iter().map(|results| results[0].to_f64_vec()[0]).sum::<f64>()
                };
                let wanted = (at(STEP) - at(-STEP)) / (2.0 * STEP);
                let is_near = (wanted - found).abs() <= 1e-6 * (1.0 + wanted.abs());
                assert!(is_near, "{name}: device {device}, element {element}: {found}, not {wanted}");
            }
        }
    }
}
