//! Pipelines whose microbatches read weights of earlier steps, beside a sequential emulation that knows nothing of programs:
//! gradient descent on a chain of products, written out.

use meshwright_compile::{Options, PipelineOptions, Pipelined, ScheduleChoice, Weights, pipeline, read};
use meshwright_execute::{run_programs, run_single_device};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_schedule::named;
use meshwright_tensor::types::ElementType;
use meshwright_tensor::{Precision, Tensor};
use std::fmt::Write as _;

const LAYERS: usize = 6;
const WIDTH: usize = 3;
const EXAMPLES: usize = 8;
const MICROBATCHES: usize = 4;
const STEPS: usize = 6;
const RATE: f64 = 0.0625;

/// A matrix, row by row.
type Matrix = Vec<f64>;

/// The step `w := w - rate * d(sum of (x w0 w1 ...)^2) / dw`, as text.
fn text() -> String {
    let (w, h) = (format!("tensor<{WIDTH}x{WIDTH}xf32>"), format!("tensor<{EXAMPLES}x{WIDTH}xf32>"));
    let arguments = (0..LAYERS).map(|at| format!("%w{at}: {w} {{tf.aliasing_output = {at} : i32}}"));
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let results = vec![w.clone(); LAYERS].join(", ");
    let mut text = format!("func.func public @main({arguments}, %h0: {h}) -> ({results}, tensor<f32>) {{\n");
    let mut product = |name: &str, one: &str, other: &str, dims: (usize, usize), types: [&str; 3]| {
        let [a, b, c] = types;
        writeln!(
            text,
            "  %{name} = stablehlo.dot_general %{one}, %{other}, contracting_dims = [{}] x [{}] : ({a}, {b}) -> {c}",
            dims.0, dims.1
        )
        .unwrap();
    };
    for at in 0..LAYERS {
        product(&format!("h{}", at + 1), &format!("h{at}"), &format!("w{at}"), (1, 0), [&h, &w, &h]);
    }
    writeln!(text, "  %g{LAYERS} = stablehlo.add %h{LAYERS}, %h{LAYERS} : {h}").unwrap();
    writeln!(text, "  %s = stablehlo.multiply %h{LAYERS}, %h{LAYERS} : {h}").unwrap();
    writeln!(text, "  %z = stablehlo.constant dense<0.0> : tensor<f32>").unwrap();
    writeln!(
        text,
        "  %l = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1] : ({h}, tensor<f32>) -> \
         tensor<f32>\n  %r = stablehlo.constant dense<{RATE}> : {w}"
    )
    .unwrap();
    for at in (0..LAYERS).rev() {
        let next = at + 1;
        writeln!(
            text,
            "  %d{at} = stablehlo.dot_general %h{at}, %g{next}, contracting_dims = [0] x [0] : ({h}, {h}) -> {w}\n  \
             %g{at} = stablehlo.dot_general %g{next}, %w{at}, contracting_dims = [1] x [1] : ({h}, {w}) -> {h}\n  \
             %c{at} = stablehlo.multiply %d{at}, %r : {w}\n  %n{at} = stablehlo.subtract %w{at}, %c{at} : {w}"
        )
        .unwrap();
    }
    let names = (0..LAYERS).map(|at| format!("%n{at}")).collect::<Vec<_>>().join(", ");
    write!(text, "  return {names}, %l : {results}, tensor<f32>\n}}\n").unwrap();
    text
}

fn cut(program: &Program, groups: usize, weights: Weights) -> Pipelined {
    let schedule = ScheduleChoice::Named(named("1f1b").unwrap());
    let wanted = PipelineOptions { groups, virtual_stages: None, microbatches: MICROBATCHES, schedule };
    let options = Options { weights: Some(weights), ..Options::default() };
    let machine = Machine::from_spec(&format!("cpu8:{groups}")).unwrap();
    pipeline(program, &machine, &options, &wanted, &Quiet).unwrap()
}

/// `a b`, or with one of them transposed, of matrices with these sizes.
fn product(a: &dyn Fn(usize, usize) -> f64, b: &dyn Fn(usize, usize) -> f64, sizes: [usize; 3]) -> Matrix {
    let [rows, inner, columns] = sizes;
    let entry = |at: usize| (0..inner).map(|k| a(at / columns, k) * b(k, at % columns)).sum();
    (0..rows * columns).map(entry).collect()
}

/// Gradients of a microbatch at these weights.
fn gradients(weights: &[Matrix], x: &Matrix) -> Vec<Matrix> {
    let (n, w) = (x.len() / WIDTH, WIDTH);
    let mut hidden = vec![x.clone()];
    for own in weights {
        let h = hidden.last().unwrap();
        hidden.push(product(&|i, k| h[i * w + k], &|k, j| own[k * w + j], [n, w, w]));
    }
    let mut g: Matrix = hidden.last().unwrap().iter().map(|own| 2.0 * own).collect();
    let mut found = Vec::new();
    for (own, h) in weights.iter().zip(&hidden).rev() {
        found.push(product(&|i, k| h[k * w + i], &|k, j| g[k * w + j], [w, n, w]));
        g = product(&|i, k| g[i * w + k], &|k, j| own[j * w + k], [n, w, w]);
    }
    found.reverse();
    found
}

/// The weights of a layer that a microbatch reads, of those of this step, of the one before, and of the one before that.
fn read_as(weights: Weights, is_in_flight: bool, [now, before, first]: [&Matrix; 3]) -> Matrix {
    match weights {
        Weights::DoubleBuffered => before.clone(),
        Weights::Stashed if is_in_flight => before.clone(),
        Weights::Stashed => now.clone(),
        Weights::Predicted => {
            before.iter().zip(first).map(|(before, first)| before + (before - first)).collect()
        }
    }
}

/// Weights after some steps, one microbatch after the other.
fn emulated(
    weights: Weights,
    first: &[Matrix],
    x: &Matrix,
    stage_of: &dyn Fn(usize) -> usize,
    stages: usize,
) -> Vec<Matrix> {
    let mut versions = [first.to_vec(), first.to_vec(), first.to_vec()];
    for _ in 0..STEPS {
        let mut sums = vec![vec![0.0; WIDTH * WIDTH]; LAYERS];
        for microbatch in 0..MICROBATCHES {
            let of_layer = |layer: usize| {
                let [now, before, first] = &versions;
                let is_in_flight = microbatch < stages - 1 - stage_of(layer);
                read_as(weights, is_in_flight, [&now[layer], &before[layer], &first[layer]])
            };
            let read: Vec<Matrix> = (0..LAYERS).map(of_layer).collect();
            // Microbatches take every n-th example.
            let examples = (0..EXAMPLES).filter(|at| at % MICROBATCHES == microbatch);
            let own: Matrix = examples.flat_map(|at| x[at * WIDTH..(at + 1) * WIDTH].to_vec()).collect();
            for (sum, own) in sums.iter_mut().zip(gradients(&read, &own)) {
                sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
        }
        let [now, before, _] = versions;
        let descend =
            |(own, sum): (&Matrix, &Matrix)| own.iter().zip(sum).map(|(own, sum)| own - RATE * sum).collect();
        let next = now.iter().zip(&sums).map(descend).collect();
        versions = [next, now, before];
    }
    versions[0].clone()
}

fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|at| ((at * 37 + seed * 11) % 17) as f64 / 17.0 - 0.4).collect()
}

/// The stage whose forward pass reads a parameter.
fn stage_of(made: &Pipelined, layer: usize) -> usize {
    *made.staged.update.readers[layer].first().unwrap()
}

#[test]
fn devices_do_what_the_delays_say() {
    let program = read(&Source::new("chain", text())).unwrap();
    let first: Vec<Matrix> = (0..LAYERS).map(|at| numbers(WIDTH * WIDTH, at)).collect();
    let x = numbers(EXAMPLES * WIDTH, 99);
    let tensor =
        |rows: usize, own: &Matrix| Tensor::from_vec(ElementType::F32, vec![rows, WIDTH], own.clone());
    let mut all = Vec::new();
    for weights in Weights::ALL {
        for groups in [2, 3] {
            let made = cut(&program, groups, weights);
            let delayed = made.staged.delayed.clone().unwrap();
            let given = first.iter().map(|own| tensor(WIDTH, own)).chain([tensor(EXAMPLES, &x)]);
            let mut inputs: Vec<Tensor> = given.collect();
            inputs.extend(delayed.earlier().map(|(index, _)| tensor(WIDTH, &first[index])));
            let mut whole = inputs.clone();
            let next = made.bundle().arguments;
            for _ in 0..STEPS {
                let results = run_programs(&made.programs, &inputs, Precision::Wide, &Quiet).unwrap();
                let alone =
                    run_single_device(&made.program, "main", whole.clone(), Precision::Wide, &Quiet).unwrap();
                for (index, result) in
                    next.iter().enumerate().filter_map(|(index, own)| Some((index, own.next?)))
                {
                    inputs[index] = results[result].tensor.clone();
                    whole[index] = alone[result].clone();
                }
            }
            let expected = emulated(weights, &first, &x, &|layer| stage_of(&made, layer), groups);
            for (layer, own) in expected.iter().enumerate() {
                let name = format!("{} over {groups}, layer {layer}", weights.name());
                for found in [inputs[layer].to_f64_vec(), whole[layer].to_f64_vec()] {
                    let apart = own.iter().zip(&found).map(|(own, found)| (own - found).abs());
                    assert!(apart.fold(0.0, f64::max) < 1e-9, "{name}: {own:?} {found:?}");
                }
            }
            all.push(expected);
        }
    }
    // They are different things, and none is the step as it is written.
    all.dedup();
    assert!(all.len() >= 4);
}

#[test]
fn nothing_is_delayed_unasked() {
    let program = read(&Source::new("chain", text())).unwrap();
    let wanted = |name: &str| PipelineOptions {
        groups: 2,
        virtual_stages: None,
        microbatches: MICROBATCHES,
        schedule: ScheduleChoice::Named(named(name).unwrap()),
    };
    let machine = Machine::from_spec("cpu8:2").unwrap();
    let options = Options { weights: Some(Weights::DoubleBuffered), ..Options::default() };
    let refused = pipeline(&program, &machine, &options, &wanted("zb-h1"), &Quiet).unwrap_err();
    assert!(format!("{refused:?}").contains("only `1f1b`"), "{refused:?}");
    let made = pipeline(&program, &machine, &Options::default(), &wanted("1f1b"), &Quiet).unwrap();
    assert!(made.staged.delayed.is_none() && made.plan.delayed_weights.is_none());
}
