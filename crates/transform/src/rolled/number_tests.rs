//! Tests that functions with loops compute what they do without, number by number.

use super::tests::{FORTH_AND_BACK, LAYERS_OF_TWO, TWO, program, results, stack};
use super::*;
use meshwright_execute::{DrawOptions, draw, run_function};
use meshwright_ir::program::Program;
use meshwright_tensor::types::Type;
use meshwright_tensor::{Precision, Tensor};

/// Runs a program on drawn numbers with its loops and without, and compares all results bit by bit. Returns the turns of its
/// loops.
fn turns(text: &str, ranks: &[Option<usize>], taken: &[Taken], given: &[Given]) -> Vec<usize> {
    let program = program(text);
    let main = program.main().unwrap();
    let rolled = Rolled::of(main, ranks);
    let made = program.with_only(rolled.written(taken, given));
    meshwright_ir::verify::verify(&made).unwrap();
    let types: Vec<Type> = main.args().iter().map(|arg| main.body.ty(*arg).clone()).collect();
    let inputs = draw(&types, &DrawOptions { seed: 5, int_range: 0..9 }).unwrap();
    let outputs = run(&program, inputs.clone());
    let together = taken.iter().map(|taken| match taken {
        Taken::One(index) => inputs[*index].clone(),
        Taken::Stack { arguments, way } => {
            stacked(arguments.iter().map(|index| &inputs[*index]).collect(), *way)
        }
    });
    let found = run(&made, together.collect());
    for (given, found) in given.iter().zip(&found) {
        // Layers lie one behind the other either way. Results are kept in 64 bits, and arguments as they were drawn.
        let wanted: Vec<f64> = match given {
            Given::One(index) => outputs[*index].to_f64_vec(),
            Given::Stack { layers, .. } => {
                let layer = |layer: &Layer| match layer {
                    Layer::Result(index) => outputs[*index].to_f64_vec(),
                    Layer::Argument(index) => inputs[*index].to_f64_vec(),
                };
                layers.iter().flat_map(layer).collect()
            }
        };
        assert_eq!(wanted, found.to_f64_vec(), "{given:?}");
    }
    rolled.turns()
}

fn run(program: &Program, inputs: Vec<Tensor>) -> Vec<Tensor> {
    run_function(program, "main", inputs, Precision::Wide).unwrap()
}

fn stacked(layers: Vec<&Tensor>, way: Way) -> Tensor {
    let layers: Vec<Tensor> = layers
        .into_iter()
        .map(|layer| match way {
            Way::Along => layer.clone(),
            Way::InFront => {
                let shape = [&[1], &layer.ty().shape[..]].concat();
                layer.reshape(&shape).unwrap()
            }
        })
        .collect();
    Tensor::concatenate(&layers, 0).unwrap()
}

/// Arguments and results of a program as they are.
fn as_they_are(arguments: usize, results: usize) -> (Vec<Taken>, Vec<Given>) {
    ((0..arguments).map(Taken::One).collect(), (0..results).map(Given::One).collect())
}

#[test]
fn layers_one_behind_the_other() {
    let taken = [Taken::One(0), stack(&[1, 2], Way::Along)];
    assert_eq!(turns(TWO, &LAYERS_OF_TWO, &taken, &[Given::One(0), results(&[1, 2], Way::InFront)]), [2]);
    // Results in another order than turns make them, an argument among them.
    let given = [results(&[2, 1], Way::InFront), Given::One(0)];
    assert_eq!(turns(TWO, &LAYERS_OF_TWO, &taken, &given), [2]);
    let (taken, given) = as_they_are(3, 3);
    assert_eq!(turns(TWO, &LAYERS_OF_TWO, &taken, &given), [2]);
}

#[test]
fn a_loop_forth_and_one_back() {
    let ranks = [None, Some(0), Some(1), Some(2)];
    let taken = [Taken::One(0), stack(&[1, 2, 3], Way::Along)];
    assert_eq!(turns(FORTH_AND_BACK, &ranks, &taken, &[Given::One(0)]), [3, 3]);
}

/// A step gives back all of a stack of which it leaves some layers as they are, as of a frozen one that lies between others.
#[test]
fn a_stack_that_is_given_has_layers_as_they_were_taken() {
    // Layers 0 and 3 are only given back.
    let text = "
func.func @main(%x: tensor<4xf32>, %w0: tensor<4xf32>, %w1: tensor<4xf32>, %w2: tensor<4xf32>, %w3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a1 = stablehlo.multiply %x, %w1 : tensor<4xf32>
  %y1 = more tanh %a1
  %n1 = stablehlo.add %w1, %a1 : tensor<4xf32>
  %a2 = stablehlo.multiply %y1, %w2 : tensor<4xf32>
  %y2 = more tanh %a2
  %n2 = stablehlo.add %w2, %a2 : tensor<4xf32>
  return %y2, %n1, %n2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}";
    let ranks = [None, Some(0), Some(1), Some(2), Some(3)];
    let given = |layers: [Layer; 4], way: Way| [Given::One(0), Given::Stack { layers: layers.into(), way }];
    let in_order = [Layer::Argument(1), Layer::Result(1), Layer::Result(2), Layer::Argument(4)];
    let taken = [Taken::One(0), stack(&[1, 2, 3, 4], Way::InFront)];
    assert_eq!(turns(text, &ranks, &taken, &given(in_order, Way::InFront)), [2]);
    // In another order than that in which they are taken, one of them twice.
    let turned = [Layer::Result(2), Layer::Argument(4), Layer::Argument(4), Layer::Result(1)];
    assert_eq!(turns(text, &ranks, &taken, &given(turned, Way::InFront)), [2]);
    // Of a stack of which the loop writes nothing.
    let as_taken = [Layer::Argument(4), Layer::Argument(1), Layer::Argument(2), Layer::Argument(3)];
    assert_eq!(turns(text, &ranks, &taken, &given(as_taken, Way::InFront)), [2]);
    // Where they are not taken as a stack.
    let apart: Vec<Taken> = (0..5).map(Taken::One).collect();
    assert_eq!(turns(text, &ranks, &apart, &given(in_order, Way::InFront)), [2]);
}

/// Three layers, of which each reads `%w` at these numbers.
fn reading(numbers: [[usize; 2]; 3]) -> String {
    let mut lines = String::new();
    for (layer, [one, other]) in numbers.iter().enumerate() {
        let before = if layer == 0 { "%x".to_owned() } else { format!("%y{}", layer - 1) };
        lines.push_str(&format!(
            "%a{layer} = stablehlo.multiply {before}, %w{one} : tensor<4xf32>\n\
             %b{layer} = stablehlo.add %a{layer}, %w{other} : tensor<4xf32>\n\
             %y{layer} = more tanh %b{layer}\n"
        ));
    }
    let arguments: Vec<String> = (0..4).map(|number| format!("%w{number}: tensor<4xf32>")).collect();
    format!(
        "func.func @main(%x: tensor<4xf32>, {}) -> (tensor<4xf32>) {{\n{lines}return %y2 : tensor<4xf32>\n}}",
        arguments.join(", ")
    )
}

#[test]
fn a_turn_that_reads_a_stack_twice() {
    let ranks = [None, Some(0), Some(1), Some(2), Some(3)];
    let taken = [Taken::One(0), stack(&[1, 2, 3, 4], Way::InFront)];
    let turns = |numbers| turns(&reading(numbers), &ranks, &taken, &[Given::One(0)]);
    // One layer at two places, and two neighbors.
    assert_eq!(turns([[0, 0], [1, 1], [2, 2]]), [3]);
    assert_eq!(turns([[0, 1], [1, 2], [2, 3]]), [3]);
    assert_eq!(turns([[0, 3], [1, 2], [2, 1]]), [3]);
    // One layer in two turns is no stack of its own.
    assert_eq!(turns([[0, 1], [1, 1], [2, 1]]), [3]);
    assert_eq!(turns([[0, 1], [1, 1], [2, 2]]), [2]);
}

#[test]
fn stacks_of_uneven_length() {
    // Of `a` there are three layers, of `b` four, which a range of one stage may well have.
    let names = ["a0", "a1", "a2", "b0", "b1", "b2", "b3"];
    let types = vec!["tensor<4xf32>"; names.len()].join(", ");
    let text = format!(
        "func.func @main({}) -> ({types}) {{\n{}\nreturn {} : {types}\n}}",
        names.map(|name| format!("%{name}: tensor<4xf32>")).join(", "),
        ["a0", "b0", "a1", "b1", "a2", "b2", "b3"]
            .map(|name| format!("%n{name} = more {} %{name}", if name < "b" { "tanh" } else { "negate" }))
            .join("\n"),
        names.map(|name| format!("%n{name}")).join(", ")
    );
    let ranks = [0, 1, 2, 0, 1, 2, 3].map(Some);
    let taken = [stack(&[0, 1, 2], Way::InFront), stack(&[3, 4, 5, 6], Way::InFront)];
    let given = [results(&[0, 1, 2], Way::InFront), results(&[3, 4, 5, 6], Way::InFront)];
    assert_eq!(turns(&text, &ranks, &taken, &given), [3, 4]);
}

#[test]
fn a_single_layer_is_no_loop() {
    let text = "
func.func @main(%x: tensor<4xf32>, %w0: tensor<1x4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4xf32>, tensor<1x4xf32>) {
  %a0 = stablehlo.reshape %w0 : (tensor<1x4xf32>) -> tensor<4xf32>
  %b0 = stablehlo.multiply %x, %a0 : tensor<4xf32>
  %y0 = more tanh %b0
  %n0 = stablehlo.add %w0, %w0 : tensor<1x4xf32>
  return %y0, %n0 : tensor<4xf32>, tensor<1x4xf32>
}";
    let taken = [Taken::One(0), stack(&[1], Way::Along)];
    let given = [Given::One(0), results(&[1], Way::Along)];
    assert_eq!(turns(text, &[None, Some(0)], &taken, &given), [0; 0]);
}

/// An update of two parameters of which each line makes one value: `r` and `s` are drawn, `m` and `f` are of both, `n` is what
/// the parameter becomes.
fn drawing(lines: &[&str]) -> String {
    let line = |name: &&str| {
        let layer = &name[1..];
        match &name[..1] {
            "m" => format!("%m{layer} = stablehlo.subtract %r{layer}, %s{layer} : tensor<4xf32>\n"),
            "f" => format!("%f{layer} = more tanh %m{layer}\n"),
            "n" => format!("%n{layer} = stablehlo.multiply %w{layer}, %f{layer} : tensor<4xf32>\n"),
            _ => format!(
                "%{name} = stablehlo.rng %lo, %hi, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, \
                 tensor<1xi64>) -> tensor<4xf32>\n"
            ),
        }
    };
    let lines: String = lines.iter().map(line).collect();
    format!(
        "func.func @main(%w0: tensor<4xf32>, %w1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {{
  %lo = stablehlo.constant dense<0.0> : tensor<f32>
  %hi = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<4> : tensor<1xi64>
  {lines}return %n0, %n1 : tensor<4xf32>, tensor<4xf32>
}}"
    )
}

#[test]
fn what_has_effects_stays_in_its_order() {
    let ranks = [Some(0), Some(1)];
    let taken = [stack(&[0, 1], Way::InFront)];
    let given = [results(&[0, 1], Way::InFront)];
    let turns = |lines: &[&str]| turns(&drawing(lines), &ranks, &taken, &given);
    assert_eq!(turns(&["r0", "s0", "m0", "f0", "n0", "r1", "s1", "m1", "f1", "n1"]), [2]);
    // All is drawn before the loop.
    assert_eq!(turns(&["r0", "r1", "s0", "s1", "m0", "f0", "n0", "m1", "f1", "n1"]), [2]);
    // Sorted by layers, these would draw other numbers.
    assert_eq!(turns(&["r0", "r1", "s0", "s1", "m0", "m1", "f0", "f1", "n0", "n1"]), [0; 0]);
}

#[test]
fn a_stack_takes_the_place_that_its_arguments_gave_away() {
    // Both results are the same values; each argument's place is that of the result it names.
    let text = "
func.func @main(%w0: tensor<4xf32> {tf.aliasing_output = 2 : i32}, %w1: tensor<4xf32> {tf.aliasing_output = 3 : i32}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %f0 = more tanh %w0
  %f1 = more tanh %w1
  return %f0, %f1, %f0, %f1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}";
    let (ranks, taken) = ([Some(0), Some(1)], [stack(&[0, 1], Way::InFront)]);
    let given = [results(&[0, 1], Way::InFront), results(&[2, 3], Way::InFront)];
    assert_eq!(turns(text, &ranks, &taken, &given), [2]);
    let program = program(text);
    let made = Rolled::of(program.main().unwrap(), &ranks).written(&taken, &given);
    assert_eq!(made.donation(0), meshwright_ir::arguments::Donation::ToResult(1));
}
