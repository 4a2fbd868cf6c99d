//! The derivative of every op that has one against finite differences, in f64.
//!
//! Each case is the body of a function of some arguments that ends in `%y`; the loss is the sum of its elements, each with a
//! weight of its own. What `grad` says is compared with `(loss(x + h) - loss(x - h)) / 2h` for each element of each argument
//! of f64.

mod cases;

use cases::CASES;
use cases::edges::EDGES;
use cases::lookups::LOOKUPS;
use cases::matrices::MATRICES;
use cases::reducers::REDUCERS;
use meshwright_grad::grad;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::expand::{expand, expand_for_derivative};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::chlo_unary::ChloUnary;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use meshwright_ir::vjp::Indices;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Precision, Tensor};
use meshwright_transform::inline::inline_entry;
use std::collections::BTreeSet;

const STEP: f64 = 1e-5;

/// The program of a case: arguments `%a`, `%b`, ... of these types, and a result `%y` of the last one.
fn loss(arguments: &[&str], body: &str, result: &str) -> Program {
    let names = ["%a", "%b", "%c", "%d", "%e"];
    let list: Vec<String> =
        arguments.iter().zip(names).map(|(ty, name)| format!("{name}: tensor<{ty}>")).collect();
    let count = result.split('x').rev().skip(1).map(|size| size.parse::<usize>().unwrap()).product::<usize>();
    let rank = result.matches('x').count();
    let dims: Vec<String> = (0..rank).map(|dim| dim.to_string()).collect();
    let text = format!(
        "func.func @main({}) -> tensor<f64> {{\n{body}\n\
         %positions = stablehlo.iota dim = 0 : tensor<{count}xf64>\n\
         %waves = stablehlo.cosine %positions : tensor<{count}xf64>\n\
         %weights = stablehlo.reshape %waves : (tensor<{count}xf64>) -> tensor<{result}>\n\
         %weighed = stablehlo.multiply %y, %weights : tensor<{result}>\n\
         %nothing = stablehlo.constant dense<0.0> : tensor<f64>\n\
         %loss = stablehlo.reduce(%weighed init: %nothing) applies stablehlo.add across dimensions = [{}] : \
         (tensor<{result}>, tensor<f64>) -> tensor<f64>\n\
         return %loss : tensor<f64>\n}}",
        list.join(", "),
        dims.join(", "),
    );
    let program =
        read(&Source::new("case.mlir", text.clone())).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    verify(&program).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    program
}

/// Numbers that lie apart from each other, from zero and from halves; all within `range`.
fn drawn(ty: &TensorType, seed: usize, range: [f64; 2]) -> Tensor {
    let number = |index: usize| {
        let share = ((index * 37 + seed * 61 + 11) % 101) as f64 / 101.0 + 0.003;
        range[0] + share * (range[1] - range[0])
    };
    let count = ty.num_elements();
    match ty.element {
        ElementType::F64 => {
            Tensor::from_vec(ty.element, ty.shape.clone(), (0..count).map(number).collect::<Vec<f64>>())
        }
        ElementType::I1 => Tensor::from_vec(
            ty.element,
            ty.shape.clone(),
            (0..count).map(|at| at % 3 != seed % 3).collect::<Vec<bool>>(),
        ),
        _ => {
            let positions = (0..count).map(|at| ((at * 2 + seed) % 3) as i32).collect::<Vec<i32>>();
            Tensor::from_vec(ElementType::I32, ty.shape.clone(), positions)
        }
    }
}

fn run(program: &Program, inputs: &[Tensor]) -> Vec<Tensor> {
    meshwright_execute::run_function(program, "main", inputs.to_vec(), Precision::Declared)
        .unwrap_or_else(|error| panic!("{error:?}\n{}", print(program, Form::Pretty)))
}

fn number(tensor: &Tensor) -> f64 {
    tensor.to_f64_vec()[0]
}

/// Compares the gradients of a loss with finite differences, also where short forms stay that have a derivative of their own.
fn compare(name: &str, program: &Program, range: [f64; 2]) {
    let entry = || inline_entry(program).unwrap();
    let (written_out, kept) = (expand(entry()), expand_for_derivative(entry()));
    if kept.body.insts.values().any(|inst| inst.op.traits().has_own_derivative) {
        compare_function(&format!("{name}, kept"), program, kept, range);
    }
    compare_function(name, program, written_out, range);
}

fn compare_function(name: &str, program: &Program, function: Function, range: [f64; 2]) {
    let types: Vec<TensorType> =
        function.args().iter().map(|arg| function.body.tensor(*arg).clone()).collect();
    let wrt: Vec<usize> =
        (0..types.len()).filter(|index| types[*index].element == ElementType::F64).collect();
    let made =
        grad(&function, &wrt, 0, Indices::Any).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let made = program.with_only(made);
    let text = print(&made, Form::Pretty);
    verify(&made).unwrap_or_else(|error| panic!("{name}: {error:?}\n{text}"));
    let inputs: Vec<Tensor> = types.iter().enumerate().map(|(seed, ty)| drawn(ty, seed, range)).collect();
    let found = run(&made, &inputs);
    for (gradient, index) in found[1..].iter().zip(&wrt) {
        for (element, found) in gradient.to_f64_vec().into_iter().enumerate() {
            let at = |step: f64| {
                let mut inputs = inputs.clone();
                let mut values = inputs[*index].to_f64_vec();
                values[element] += step;
                inputs[*index] = Tensor::from_vec(ElementType::F64, types[*index].shape.clone(), values);
                number(&run(program, &inputs)[0])
            };
            let wanted = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            let is_near = (wanted - found).abs() <= 1e-6 * (1.0 + wanted.abs());
            assert!(is_near, "{name}: argument {index}, element {element}: {found}, not {wanted}\n{text}");
        }
    }
}

/// Ops of one operand whose results are floats that vary with it.
fn of_one_operand() -> impl Iterator<Item = Unary> {
    use Unary::{CountLeadingZeros, IsFinite, Not, PopulationCount};
    let is_other = |op: &Unary| matches!(op, CountLeadingZeros | IsFinite | Not | PopulationCount);
    Unary::ALL.iter().copied().filter(move |op| !is_other(op))
}

/// Those of them in the `chlo` dialect.
fn of_one_operand_in_chlo() -> impl Iterator<Item = ChloUnary> {
    use ChloUnary::{AsinAcosKernel, Conj, IsInf, IsNegInf, IsPosInf};
    let is_other = |op: &ChloUnary| matches!(op, AsinAcosKernel | Conj | IsInf | IsNegInf | IsPosInf);
    ChloUnary::ALL.iter().copied().filter(move |op| !is_other(op))
}

/// Ops of two operands whose results are floats that vary with them.
const OF_TWO_OPERANDS: [Binary; 9] = [
    Binary::Add,
    Binary::Atan2,
    Binary::Divide,
    Binary::Maximum,
    Binary::Minimum,
    Binary::Multiply,
    Binary::Power,
    Binary::Remainder,
    Binary::Subtract,
];

/// Ops that have a derivative and no case, by the reason.
const WITHOUT_CASE: &[(&str, &[&str])] = &[
    (
        "devices exchange what they have: `collectives.rs` has cases",
        &[
            "stablehlo.all_gather",
            "stablehlo.all_reduce",
            "stablehlo.all_to_all",
            "stablehlo.collective_broadcast",
            "stablehlo.collective_permute",
            "stablehlo.reduce_scatter",
        ],
    ),
    (
        "integers and truth values vary with nothing",
        &[
            "chlo.is_inf",
            "chlo.is_neg_inf",
            "chlo.is_pos_inf",
            "stablehlo.count_leading_zeros",
            "stablehlo.is_finite",
            "stablehlo.not",
            "stablehlo.or",
            "stablehlo.popcnt",
            "stablehlo.shift_left",
            "stablehlo.shift_right_arithmetic",
            "stablehlo.shift_right_logical",
            "stablehlo.xor",
        ],
    ),
    (
        "the operand is passed on as it is, with what is said of its sharding",
        &["sdy.propagation_barrier", "sdy.reshard", "sdy.sharding_constraint"],
    ),
    ("rounding to eight bits leaves no small differences", &["meshwright.scaled_dot"]),
];

/// Whether a letter of a program's text is of no op's name.
fn ends_name(letter: char) -> bool {
    !letter.is_ascii_alphanumeric() && !"._".contains(letter)
}

/// The page of all ops, which is made from their files, says which have a derivative.
#[test]
fn every_op_with_a_derivative_has_a_case() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ops.md");
    let page = std::fs::read_to_string(page).expect("the page of all ops");
    let with_derivative = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        match cells.as_slice() {
            ["", name, _, _, _, "yes", _, ""] => Some(name.trim_matches('`').to_owned()),
            _ => None,
        }
    };
    let wanted: BTreeSet<String> = page.lines().filter_map(with_derivative).collect();
    assert!(wanted.contains("stablehlo.dot_general") && wanted.len() > 90, "{wanted:?}");
    let lookups = LOOKUPS.iter().map(|(_, case)| case);
    let cases = CASES.iter().chain(EDGES).chain(REDUCERS).chain(MATRICES).chain(lookups);
    let mut tried: BTreeSet<&str> = cases.flat_map(|case| case.body.split(ends_name)).collect();
    tried.extend(of_one_operand().map(|op| Op::from(op).name()));
    tried.extend(of_one_operand_in_chlo().map(|op| Op::from(op).name()));
    tried.extend(OF_TWO_OPERANDS.map(|op| Op::from(op).name()));
    let excepted: BTreeSet<&str> = WITHOUT_CASE.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let missing: Vec<&str> = wanted
        .iter()
        .map(String::as_str)
        .filter(|name| !tried.contains(name) && !excepted.contains(name))
        .collect();
    assert!(missing.is_empty(), "give these a case, or a reason in `WITHOUT_CASE`: {missing:?}");
    let stale: Vec<&&str> =
        excepted.iter().filter(|name| tried.contains(*name) || !wanted.contains(**name)).collect();
    assert!(stale.is_empty(), "these have a case, or no derivative: {stale:?}");
}

#[test]
fn elementwise_ops_of_one_operand() {
    for op in of_one_operand() {
        let name = Op::from(op).name();
        let body = format!("%y = {name} %a : tensor<2x3xf64>");
        compare(name, &loss(&["2x3xf64"], &body, "2x3xf64"), [0.1, 0.9]);
    }
    for op in of_one_operand_in_chlo() {
        let name = Op::from(op).name();
        let range = if op == ChloUnary::Acosh { [1.1, 3.0] } else { [0.1, 0.9] };
        let body = format!("%y = {name} %a : tensor<2x3xf64> -> tensor<2x3xf64>");
        compare(name, &loss(&["2x3xf64"], &body, "2x3xf64"), range);
    }
}

/// On both sides of zero and of the border between its two sums, and at zero, where it is one half.
#[test]
fn slope_of_the_scaled_bessel_function() {
    let program =
        loss(&["3x7xf64"], "%y = chlo.bessel_i1e %a : tensor<3x7xf64> -> tensor<3x7xf64>", "3x7xf64");
    for range in [[-2.0, 2.0], [4.0, 12.0], [-90.0, -7.0], [100.0, 1000.0]] {
        compare("bessel_i1e", &program, range);
    }
    let text = "
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %y = chlo.bessel_i1e %x : tensor<f64> -> tensor<f64>
  return %y : tensor<f64>
}";
    let program = read(&Source::new("loss.mlir", text)).unwrap();
    let made = program.with_only(grad(&inline_entry(&program).unwrap(), &[0], 0, Indices::Any).unwrap());
    // `i0e(x) - i1e(x) / x - sign(x) i1e(x)` in 60 digits, by mpmath.
    let wanted = [
        (0.0, 0.5),
        (1e-3, 0.49900093691694),
        (-2.5, -0.019172067731570437),
        (8.0, -0.00747852309743514),
        (-30.0, -0.0011675951363651794),
        (1e4, -1.9944869852852436e-07),
    ];
    for (x, wanted) in wanted {
        let found =
            number(&run(&made, &[Tensor::from_vec(ElementType::F64, Vec::<usize>::new(), vec![x])])[1]);
        assert!((found - wanted).abs() <= 2e-16 + 4e-15 * wanted.abs(), "{x}: {found}, not {wanted}");
    }
}

#[test]
fn elementwise_ops_of_two_operands() {
    for op in OF_TWO_OPERANDS {
        let name = Op::from(op).name();
        let body = format!("%y = {name} %a, %b : tensor<2x3xf64>");
        compare(name, &loss(&["2x3xf64", "2x3xf64"], &body, "2x3xf64"), [0.1, 1.9]);
        let body = format!("%y = {name} %a, %a : tensor<2x3xf64>");
        if !matches!(op, Binary::Remainder | Binary::Maximum | Binary::Minimum) {
            compare(name, &loss(&["2x3xf64"], &body, "2x3xf64"), [0.1, 1.9]);
        }
    }
}

#[test]
fn all_other_ops() {
    for case in CASES.iter().chain(EDGES).chain(REDUCERS).chain(MATRICES) {
        compare(case.name, &loss(case.arguments, case.body, case.result), [-1.0, 1.0]);
    }
}

#[test]
fn lookups_outside_of_tables() {
    for (clamps, case) in LOOKUPS {
        let program = loss(case.arguments, case.body, case.result);
        compare(case.name, &program, [-1.0, 1.0]);
        let function = inline_entry(&program).unwrap();
        let clamps_in = |function: &Function| {
            function.body.insts.values().filter(|inst| matches!(inst.op, Op::Clamp(_))).count()
        };
        let made = grad(&function, &[0], 0, Indices::Any).unwrap();
        assert_eq!(clamps_in(&made) - clamps_in(&function), *clamps, "{}", case.name);
    }
}

/// What is only subtracted for its range has no effect; what is returned has one.
#[test]
fn a_maximum_that_is_the_loss_has_a_gradient() {
    let text = "
func.func @main(%x: tensor<4xf64>) -> tensor<f64> {
  %low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %y = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
  return %y : tensor<f64>
}";
    let program = read(&Source::new("loss.mlir", text)).unwrap();
    let made = program.with_only(grad(&inline_entry(&program).unwrap(), &[0], 0, Indices::Any).unwrap());
    let x = Tensor::from_vec(ElementType::F64, [4], vec![1.0, 4.0, 2.0, 3.0]);
    assert_eq!(run(&made, &[x])[1].to_f64_vec(), [0.0, 1.0, 0.0, 0.0]);
}

/// Where several elements are the extreme, each gets a share, which is that of `jax.grad` (JAX 0.10.2).
#[test]
fn equal_elements_share_as_in_jax() {
    let running = |padding: &str| {
        format!(
            r#"%low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
               %0 = "stablehlo.reduce_window"(%a, %low) <{{window_dimensions = array<i64: 7>,
                 padding = dense<[{padding}]> : tensor<1x2xi64>}}> ({{
               ^bb0(%l: tensor<f64>, %r: tensor<f64>):
                 %s = stablehlo.maximum %l, %r : tensor<f64>
                 stablehlo.return %s : tensor<f64>
               }}) : (tensor<7xf64>, tensor<f64>) -> tensor<7xf64>
               %w = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf64>
               %y = stablehlo.multiply %0, %w : tensor<7xf64>"#
        )
    };
    let scatter = r#"%i = stablehlo.constant dense<[[0], [1], [1], [2], [0]]> : tensor<5x1xi32>
         %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
           scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.maximum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<3xf64>, tensor<5x1xi32>, tensor<5xf64>) -> tensor<3xf64>
         %w = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
         %y = stablehlo.multiply %0, %w : tensor<3xf64>"#;
    let gradients = |arguments: &[&str], body: &str, result: &str, inputs: &[&[f64]]| -> Vec<Vec<f64>> {
        // The sum of all elements, with the weights of the body alone.
        let text = print(&loss(arguments, body, result), Form::Pretty);
        let text = text.replace("stablehlo.iota dim = 0", "stablehlo.constant dense<0.0>");
        let program = read(&Source::new("ties.mlir", text)).unwrap();
        let wrt: Vec<usize> = (0..arguments.len()).collect();
        let made = grad(&inline_entry(&program).unwrap(), &wrt, 0, Indices::Any).unwrap();
        let tensor = |values: &&[f64]| Tensor::from_vec(ElementType::F64, [values.len()], values.to_vec());
        let found = run(&program.with_only(made), &inputs.iter().map(tensor).collect::<Vec<_>>());
        found[1..].iter().map(Tensor::to_f64_vec).collect()
    };
    let x: &[f64] = &[2.0, 2.0, 3.0, 3.0, 3.0, 1.0, 3.0];
    assert_eq!(
        gradients(&["7xf64"], &running("[6, 0]"), "7xf64", &[x]),
        [[2.0, 1.0, 8.625, 5.625, 7.25, 0.0, 3.5]]
    );
    assert_eq!(
        gradients(&["7xf64"], &running("[0, 6]"), "7xf64", &[x]),
        [[0.0, 0.0, 3.0, 1.75, 4.25, 0.0, 19.0]]
    );
    let third = 1.0 / 3.0;
    let found =
        gradients(&["3xf64", "5xf64"], scatter, "3xf64", &[&[2.0, 1.0, 5.0], &[2.0, 4.0, 4.0, 5.0, 2.0]]);
    assert_eq!(found, [vec![third, 0.0, 1.5], vec![third, 1.0, 1.0, 1.5, third]]);
}
