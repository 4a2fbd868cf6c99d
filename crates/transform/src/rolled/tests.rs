//! Tests of layers as loops, on programs of a few lines.

use super::*;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print, read};

/// What a layer does beside what is written down here: as much as makes a loop worth it.
const MORE: usize = 24;

/// A program of these lines, of which `%b = more OP %a` stands for so many of the same instruction one behind the other.
pub(super) fn program(text: &str) -> Program {
    let mut whole = String::new();
    for line in text.lines() {
        let Some((result, (op, operand))) = line
            .trim()
            .split_once(" = more ")
            .and_then(|(result, rest)| Some((result, rest.split_once(' ')?)))
        else {
            whole.push_str(line);
            whole.push('\n');
            continue;
        };
        let name = |at: usize| if at == MORE { result.to_owned() } else { format!("{result}_{at}") };
        for at in 1..=MORE {
            let before = if at == 1 { operand.to_owned() } else { name(at - 1) };
            whole.push_str(&format!("{} = stablehlo.{op} {before} : tensor<4xf32>\n", name(at)));
        }
    }
    read(&Source::new("rolled", whole)).unwrap()
}

/// The text of a program with its loops; `layers` says of each argument of which layer it is.
fn rolled(
    program: &Program,
    layers: &[Option<usize>],
    arguments: &[Taken],
    results: &[Given],
) -> (Vec<usize>, String) {
    let rolled = Rolled::of(program.main().unwrap(), layers);
    let made = program.with_only(rolled.written(arguments, results));
    meshwright_ir::verify::verify(&made).unwrap();
    (rolled.turns(), print(&made, Form::Pretty))
}

/// Number of turns of loops of a program whose arguments and results stay as they are.
fn turns(text: &str, layers: &[Option<usize>]) -> Vec<usize> {
    let program = program(text);
    let main = program.main().unwrap();
    let arguments: Vec<Taken> = (0..main.args().len()).map(Taken::One).collect();
    let results: Vec<Given> = (0..main.returned().len()).map(Given::One).collect();
    let (turns, text) = rolled(&program, layers, &arguments, &results);
    assert_eq!(text.matches("stablehlo.while").count(), turns.len(), "{text}");
    turns
}

pub(super) fn stack(arguments: &[usize], way: Way) -> Taken {
    Taken::Stack { arguments: arguments.to_vec(), way }
}

/// Results as layers of a stack.
pub(super) fn results(results: &[usize], way: Way) -> Given {
    Given::Stack { layers: results.iter().map(|index| Layer::Result(*index)).collect(), way }
}

pub(super) const TWO: &str = "
func.func @main(%x: tensor<4xf32>, %w0: tensor<1x4xf32>, %w1: tensor<1x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a0 = stablehlo.reshape %w0 : (tensor<1x4xf32>) -> tensor<4xf32>
  %b0 = stablehlo.multiply %x, %a0 : tensor<4xf32>
  %y0 = more tanh %b0
  %a1 = stablehlo.reshape %w1 : (tensor<1x4xf32>) -> tensor<4xf32>
  %b1 = stablehlo.multiply %y0, %a1 : tensor<4xf32>
  %y1 = more tanh %b1
  return %y1, %b0, %b1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}";

pub(super) const LAYERS_OF_TWO: [Option<usize>; 3] = [None, Some(0), Some(1)];

#[test]
fn layers_one_behind_the_other_are_a_loop_over_stacks() {
    let program = program(TWO);
    let given = [Given::One(0), results(&[1, 2], Way::InFront)];
    let taken = [Taken::One(0), stack(&[1, 2], Way::Along)];
    let (turns, text) = rolled(&program, &LAYERS_OF_TWO, &taken, &given);
    assert_eq!(turns, [2]);
    let signature = "(%arg0: tensor<4xf32>, %arg1: tensor<2x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>)";
    assert!(text.contains(signature), "{text}");
    assert_eq!(text.matches("stablehlo.tanh").count(), MORE, "{text}");
    assert_eq!(text.matches("stablehlo.dynamic_slice").count(), 1, "{text}");
    assert_eq!(text.matches("stablehlo.dynamic_update_slice").count(), 1, "{text}");
}

#[test]
fn what_layers_leave_is_read_by_itself_where_no_stack_is_wanted() {
    let taken = [Taken::One(0), Taken::One(1), Taken::One(2)];
    let given = [Given::One(0), Given::One(1), Given::One(2)];
    let (turns, text) = rolled(&program(TWO), &LAYERS_OF_TWO, &taken, &given);
    assert_eq!(turns, [2]);
    assert!(text.contains("stablehlo.concatenate %0, %1, dim = 0"), "{text}");
}

#[test]
fn layers_that_are_not_alike_stay_written_out() {
    assert_eq!(turns(TWO, &LAYERS_OF_TWO), [2]);
    assert_eq!(turns(&TWO.replacen("tanh %b1", "cosine %b1", 1), &LAYERS_OF_TWO), [0; 0]);
    // The second one reads twice what the first one has made.
    assert_eq!(turns(&TWO.replacen("multiply %y0, %a1", "multiply %y0, %y0", 1), &LAYERS_OF_TWO), [0; 0]);
    // Nothing says that they are layers.
    assert_eq!(turns(TWO, &[None; 3]), [0; 0]);
    // A loop would be longer.
    assert_eq!(
        turns(
            &TWO.replace("more tanh", "stablehlo.negate")
                .replace("%b0\n", "%b0 : tensor<4xf32>\n")
                .replace("%b1\n", "%b1 : tensor<4xf32>\n"),
            &LAYERS_OF_TWO
        ),
        [0; 0]
    );
}

#[test]
fn a_layer_that_lacks_something_stays_in_front_of_the_loop() {
    let text = "
func.func @main(%x: tensor<4xf32>, %w0: tensor<1x4xf32>, %w1: tensor<1x4xf32>, %w2: tensor<1x4xf32>) -> (tensor<4xf32>) {
  %a0 = stablehlo.reshape %w0 : (tensor<1x4xf32>) -> tensor<4xf32>
  %y0 = stablehlo.multiply %x, %a0 : tensor<4xf32>
  %a1 = stablehlo.reshape %w1 : (tensor<1x4xf32>) -> tensor<4xf32>
  %b1 = stablehlo.multiply %y0, %a1 : tensor<4xf32>
  %y1 = more tanh %b1
  %a2 = stablehlo.reshape %w2 : (tensor<1x4xf32>) -> tensor<4xf32>
  %b2 = stablehlo.multiply %y1, %a2 : tensor<4xf32>
  %y2 = more tanh %b2
  return %y2 : tensor<4xf32>
}";
    let taken = [Taken::One(0), stack(&[1, 2, 3], Way::Along)];
    let ranks = [None, Some(0), Some(1), Some(2)];
    let (turns, text) = rolled(&program(text), &ranks, &taken, &[Given::One(0)]);
    assert_eq!(turns, [2]);
    let (before, inside) = text.split_once("stablehlo.while").unwrap();
    assert!(before.contains("stablehlo.slice %arg1 [0:1, 0:4]"), "{text}");
    // The loop begins at the second row of the stack.
    assert!(inside.contains("stablehlo.add %c_"), "{text}");
}

#[test]
fn an_update_that_goes_from_instruction_to_instruction_is_sorted_by_layers() {
    let text = "
func.func @main(%w0: tensor<1x4xf32> {tf.aliasing_output = 0 : i32}, %w1: tensor<1x4xf32> {tf.aliasing_output = 1 : i32}, %g0: tensor<4xf32>, %g1: tensor<4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %c = stablehlo.constant dense<0.5> : tensor<f32>
  %r = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
  %f0 = more tanh %g0
  %f1 = more tanh %g1
  %a0 = stablehlo.reshape %f0 : (tensor<4xf32>) -> tensor<1x4xf32>
  %a1 = stablehlo.reshape %f1 : (tensor<4xf32>) -> tensor<1x4xf32>
  %b0 = stablehlo.multiply %a0, %r : tensor<1x4xf32>
  %b1 = stablehlo.multiply %a1, %r : tensor<1x4xf32>
  %n0 = stablehlo.subtract %w0, %b0 : tensor<1x4xf32>
  %n1 = stablehlo.subtract %w1, %b1 : tensor<1x4xf32>
  return %n0, %n1 : tensor<1x4xf32>, tensor<1x4xf32>
}";
    let program = program(text);
    let main = program.main().unwrap();
    let ranks = [Some(0), Some(1), None, None];
    let read: Vec<Vec<ValueId>> = Rolled::of(main, &ranks).layers().collect();
    assert!(read.contains(&main.args()[2..].to_vec()), "{read:?}");
    let taken = [stack(&[0, 1], Way::Along), stack(&[2, 3], Way::InFront)];
    let given = [results(&[0, 1], Way::Along)];
    let (turns, text) = rolled(&program, &ranks, &taken, &given);
    assert_eq!(turns, [2]);
    // The stack of what is updated is written over in its place.
    let signature = "%arg0: tensor<2x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2x4xf32>";
    assert!(text.contains(signature), "{text}");
    assert_eq!(text.matches("stablehlo.broadcast_in_dim").count(), 1, "{text}");
    assert!(!text.contains("dense<0.000000e+00>"), "nothing is filled with zeros: {text}");
}

pub(super) const FORTH_AND_BACK: &str = "
func.func @main(%x: tensor<4xf32>, %w0: tensor<1x4xf32>, %w1: tensor<1x4xf32>, %w2: tensor<1x4xf32>) -> (tensor<4xf32>) {
  %a0 = stablehlo.reshape %w0 : (tensor<1x4xf32>) -> tensor<4xf32>
  %b0 = stablehlo.multiply %x, %a0 : tensor<4xf32>
  %y0 = more tanh %b0
  %a1 = stablehlo.reshape %w1 : (tensor<1x4xf32>) -> tensor<4xf32>
  %b1 = stablehlo.multiply %y0, %a1 : tensor<4xf32>
  %y1 = more tanh %b1
  %a2 = stablehlo.reshape %w2 : (tensor<1x4xf32>) -> tensor<4xf32>
  %b2 = stablehlo.multiply %y1, %a2 : tensor<4xf32>
  %y2 = more tanh %b2
  %h = stablehlo.cosine %y2 : tensor<4xf32>
  %p2 = stablehlo.multiply %h, %b2 : tensor<4xf32>
  %q2 = stablehlo.multiply %p2, %a2 : tensor<4xf32>
  %s2 = more negate %q2
  %r2 = stablehlo.add %s2, %y1 : tensor<4xf32>
  %p1 = stablehlo.multiply %r2, %b1 : tensor<4xf32>
  %q1 = stablehlo.multiply %p1, %a1 : tensor<4xf32>
  %s1 = more negate %q1
  %r1 = stablehlo.add %s1, %y0 : tensor<4xf32>
  %p0 = stablehlo.multiply %r1, %b0 : tensor<4xf32>
  %q0 = stablehlo.multiply %p0, %a0 : tensor<4xf32>
  %s0 = more negate %q0
  %r0 = stablehlo.add %s0, %x : tensor<4xf32>
  return %r0 : tensor<4xf32>
}";

#[test]
fn a_loop_back_reads_what_the_loop_forth_stacked() {
    let taken = [Taken::One(0), stack(&[1, 2, 3], Way::Along)];
    let ranks = [None, Some(0), Some(1), Some(2)];
    let (turns, text) = rolled(&program(FORTH_AND_BACK), &ranks, &taken, &[Given::One(0)]);
    assert_eq!(turns, [3, 3]);
    assert_eq!(text.matches("stablehlo.tanh").count(), MORE, "{text}");
    assert!(!text.contains("concatenate"), "{text}");
}

#[test]
fn parameters_of_which_a_layer_lacks_some_are_loops_of_their_own() {
    let arguments: Vec<String> =
        ["a0", "a1", "a2", "b0", "b1", "b2", "b3"].map(|name| format!("%{name}: tensor<4xf32>")).into();
    let lines: Vec<String> = ["a0", "b0", "a1", "b1", "a2", "b2", "b3"]
        .map(|name| match name.starts_with('a') {
            true => format!("%n{name} = more tanh %{name}"),
            false => format!("%n{name} = more negate %{name}"),
        })
        .into();
    let names: Vec<String> =
        ["a0", "a1", "a2", "b0", "b1", "b2", "b3"].map(|name| format!("%n{name}")).into();
    let types = vec!["tensor<4xf32>"; names.len()].join(", ");
    let text = format!(
        "func.func @main({}) -> ({types}) {{\n{}\nreturn {} : {types}\n}}",
        arguments.join(", "),
        lines.join("\n"),
        names.join(", ")
    );
    let ranks = [0, 1, 2, 0, 1, 2, 3].map(Some);
    assert_eq!(turns(&text, &ranks), [3, 4]);
}

#[test]
fn parameters_that_are_alike_are_no_layers_of_one_stack() {
    let names: Vec<String> =
        (0..2).flat_map(|parameter| (0..3).map(move |layer| format!("p{parameter}l{layer}"))).collect();
    let each = |form: &dyn Fn(&String) -> String| names.iter().map(form).collect::<Vec<_>>();
    let types = vec!["tensor<4xf32>"; names.len()].join(", ");
    let text = format!(
        "func.func @main({}) -> ({types}) {{\n{}\nreturn {} : {types}\n}}",
        each(&|name| format!("%{name}: tensor<4xf32>")).join(", "),
        each(&|name| format!("%n{name} = more tanh %{name}")).join("\n"),
        each(&|name| format!("%n{name}")).join(", ")
    );
    assert_eq!(turns(&text, &[0, 1, 2, 0, 1, 2].map(Some)), [3]);
}
