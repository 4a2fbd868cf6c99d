//! Roles and names of strategies on a small training step: an MLP of two layers, trained with momentum.

use meshwright_analyze::{Role, Roles, recognize};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::{Axis, Mesh, SubAxisId};
use meshwright_ir::program::Function;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_ir::text::read;
use meshwright_ir::verify::verify;
use meshwright_plan::Shardings;

/// `x w1 = h`, `h w2 = y`, gradients of `sum(y y) / 2`, momentum, and a counter.
const STEP: &str = r#"
func.func @main(%w1: tensor<4x16xf32> {tf.aliasing_output = 0 : i32}, %w2: tensor<16x4xf32> {tf.aliasing_output = 1 : i32}, %m1: tensor<4x16xf32> {tf.aliasing_output = 2 : i32}, %m2: tensor<16x4xf32> {jax.buffer_donor = true}, %t: tensor<i32> {tf.aliasing_output = 4 : i32}, %x: tensor<8x4xf32>) -> (tensor<4x16xf32> {jax.result_info = "result[0]['w1']"}, tensor<16x4xf32> {jax.result_info = "result[0]['w2']"}, tensor<4x16xf32> {jax.result_info = "result[1]['w1']"}, tensor<16x4xf32> {jax.result_info = "result[1]['w2']"}, tensor<i32> {jax.result_info = "result[2]"}) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %y = stablehlo.dot_general %h, %w2, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %g2 = stablehlo.dot_general %h, %y, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %dh = stablehlo.dot_general %y, %w2, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<16x4xf32>) -> tensor<8x16xf32>
  %g1 = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %c1 = stablehlo.constant dense<9.000000e-01> : tensor<4x16xf32>
  %c2 = stablehlo.constant dense<9.000000e-01> : tensor<16x4xf32>
  %s1 = stablehlo.multiply %c1, %g1 : tensor<4x16xf32>
  %d1 = stablehlo.multiply %c1, %m1 : tensor<4x16xf32>
  %n1 = stablehlo.add %d1, %s1 : tensor<4x16xf32>
  %s2 = stablehlo.multiply %c2, %g2 : tensor<16x4xf32>
  %d2 = stablehlo.multiply %c2, %m2 : tensor<16x4xf32>
  %n2 = stablehlo.add %d2, %s2 : tensor<16x4xf32>
  %p1 = stablehlo.subtract %w1, %n1 : tensor<4x16xf32>
  %p2 = stablehlo.subtract %w2, %n2 : tensor<16x4xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %u = stablehlo.add %t, %one : tensor<i32>
  return %p1, %p2, %n1, %n2, %u : tensor<4x16xf32>, tensor<16x4xf32>, tensor<4x16xf32>, tensor<16x4xf32>, tensor<i32>
}
"#;

fn step(text: &str) -> Function {
    let program = read(&Source::new("step.mlir", text)).unwrap();
    verify(&program).unwrap();
    program.main().unwrap().clone()
}

/// The value that the source calls `name`.
fn value(function: &Function, text: &str, name: &str) -> ValueId {
    let source = Source::new("step.mlir", text);
    let found = function.body.values.iter().find(|(_, value)| source.snippet(value.span) == name);
    found.unwrap_or_else(|| panic!("no {name}")).0
}

#[test]
fn arguments_have_the_roles_that_the_update_gives_them() {
    let function = step(STEP);
    let roles = Roles::new(&function);
    let found: Vec<Role> = roles.args.iter().map(|arg| arg.role).collect();
    let moment = |of| Role::Moment { of };
    assert_eq!(found, [Role::Parameter, Role::Parameter, moment(0), moment(1), Role::Counter, Role::Data]);
    let paths: Vec<Option<&str>> = roles.args.iter().map(|arg| arg.path.as_deref()).collect();
    assert_eq!(paths, [Some("w1"), Some("w2"), Some("w1"), Some("w2"), None, None]);
    // `%m2` is donated, and the only result of its type that nothing aliases is its own.
    assert_eq!(roles.args[3].result, Some(3));
    let gradient = |index: usize| roles.gradients[&index];
    assert_eq!(gradient(0), value(&function, STEP, "%g1"));
    assert_eq!(gradient(1), value(&function, STEP, "%g2"));
}

#[test]
fn the_batch_is_the_dim_of_the_data_that_weights_do_not_contract() {
    let function = step(STEP);
    let roles = Roles::new(&function);
    let x = function.args()[5];
    assert_eq!(roles.batch.iter().copied().collect::<Vec<_>>(), [roles.classes.of(x, 0)]);
    assert!(roles.sequence.is_empty());
}

/// Tokens that are put into two groups of three places each by their order, and an update of the groups' weights
/// and of others.
const GROUPED: &str = r#"
func.func @main(%w: tensor<2x4x4xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<4x4xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<8x4xf32>) -> (tensor<2x4x4xf32>, tensor<4x4xf32>) {
  %p = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %e = stablehlo.dot_general %x, %p, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %u = stablehlo.subtract %v, %e : tensor<4x4xf32>
  %s = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = stablehlo.constant dense<1.0> : tensor<4x2x3xf32>
  %m = stablehlo.dot_general %s, %r, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2x3xf32>) -> tensor<8x2x3xf32>
  %g = stablehlo.dot_general %m, %x, contracting_dims = [0] x [0] : (tensor<8x2x3xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
  %h = stablehlo.dot_general %g, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x4xf32>) -> tensor<2x3x4xf32>
  %d = stablehlo.dot_general %g, %h, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x4x4xf32>
  %n = stablehlo.subtract %w, %d : tensor<2x4x4xf32>
  return %n, %u : tensor<2x4x4xf32>, tensor<4x4xf32>
}
"#;

#[test]
fn where_data_has_only_tokens_these_are_its_batch() {
    let function = step(GROUPED);
    let roles = Roles::new(&function);
    assert_eq!(
        roles.args.iter().map(|arg| arg.role).collect::<Vec<_>>(),
        [Role::Parameter, Role::Parameter, Role::Data]
    );
    // Also the places in a group are summed over, but no data has them.
    let [places, tokens] =
        [("%g", 1), ("%x", 0)].map(|(name, dim)| roles.classes.of(value(&function, GROUPED, name), dim));
    assert!(roles.batch.contains(&places));
    assert!(roles.batch.contains(&tokens) && !roles.sequence.contains(&tokens));
}

#[test]
fn what_a_sequence_is_cut_from_is_one() {
    // Windows slide along the first seven of nine.
    let text = STEP
        .replace("%x: tensor<8x4xf32>", "%all: tensor<8x9x4xf32>")
        .replace(
            "  %h = stablehlo.dot_general %x",
            r#"  %some = stablehlo.slice %all [0:8, 0:7, 0:4] : (tensor<8x9x4xf32>) -> tensor<8x7x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = "stablehlo.reduce_window"(%some, %zero) <{window_dimensions = array<i64: 1, 3, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<8x7x4xf32>, tensor<f32>) -> tensor<8x5x4xf32>
  %x = stablehlo.reduce(%sums init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x5x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  %h = stablehlo.dot_general %x"#,
        );
    let function = step(&text);
    let roles = Roles::new(&function);
    let all = function.args()[5];
    assert!(roles.batch.contains(&roles.classes.of(all, 0)));
    assert!(roles.sequence.contains(&roles.classes.of(all, 1)), "nine");
}

#[test]
fn without_state_integers_and_what_has_the_batch_are_data() {
    let text = r#"
func.func @main(%w: tensor<4x16xf32>, %b: tensor<8x16xf32>, %x: tensor<8x4xf32>, %k: tensor<3xi32>) -> tensor<8x16xf32> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %y = stablehlo.add %h, %b : tensor<8x16xf32>
  %z = stablehlo.dot_general %y, %w, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x16xf32>
}
"#;
    let roles = Roles::new(&step(text));
    let found: Vec<Role> = roles.args.iter().map(|arg| arg.role).collect();
    assert_eq!(found, [Role::Parameter, Role::Data, Role::Data, Role::Data]);
}

#[test]
fn a_batch_comes_from_the_left_where_square_weights_keep_the_width() {
    let text = r#"
func.func @main(%v: tensor<4x4xf32>, %w: tensor<4x4xf32>, %x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %h = stablehlo.add %x, %a : tensor<8x4xf32>
  %b = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %y = stablehlo.add %h, %b : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
"#;
    // Sizes decide nothing: there may be as many examples as features.
    for text in [text.to_owned(), text.replace("8x4", "4x4")] {
        let function = step(&text);
        let roles = Roles::new(&function);
        let found: Vec<Role> = roles.args.iter().map(|arg| arg.role).collect();
        assert_eq!(found, [Role::Parameter, Role::Parameter, Role::Data]);
        let x = function.args()[2];
        assert_eq!(roles.batch.iter().copied().collect::<Vec<_>>(), [roles.classes.of(x, 0)]);
    }
}

/// A prompt in front of the tokens of each example is all that is trained: attention, two frozen weights, and
/// gradients of half the sum of squares.
const PROMPT: &str = r#"
func.func @main(%p: tensor<2x4xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<4x6xf32>, %w: tensor<6x4xf32>, %x: tensor<8x3x4xf32>, %y: tensor<8x5x4xf32>) -> tensor<2x4xf32> {
  %s = stablehlo.broadcast_in_dim %p, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<8x2x4xf32>
  %h = stablehlo.concatenate %s, %x, dim = 1 : (tensor<8x2x4xf32>, tensor<8x3x4xf32>) -> tensor<8x5x4xf32>
  %a = stablehlo.dot_general %h, %h, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x5x4xf32>, tensor<8x5x4xf32>) -> tensor<8x5x5xf32>
  %o = stablehlo.dot_general %a, %h, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x5x5xf32>, tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
  %u = stablehlo.dot_general %o, %v, contracting_dims = [2] x [0] : (tensor<8x5x4xf32>, tensor<4x6xf32>) -> tensor<8x5x6xf32>
  %z = stablehlo.dot_general %u, %w, contracting_dims = [2] x [0] : (tensor<8x5x6xf32>, tensor<6x4xf32>) -> tensor<8x5x4xf32>
  %dz = stablehlo.subtract %z, %y : tensor<8x5x4xf32>
  %du = stablehlo.dot_general %dz, %w, contracting_dims = [2] x [1] : (tensor<8x5x4xf32>, tensor<6x4xf32>) -> tensor<8x5x6xf32>
  %do = stablehlo.dot_general %du, %v, contracting_dims = [2] x [1] : (tensor<8x5x6xf32>, tensor<4x6xf32>) -> tensor<8x5x4xf32>
  %d1 = stablehlo.dot_general %a, %do, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<8x5x5xf32>, tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
  %da = stablehlo.dot_general %do, %h, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x5x4xf32>, tensor<8x5x4xf32>) -> tensor<8x5x5xf32>
  %d2 = stablehlo.dot_general %da, %h, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x5x5xf32>, tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
  %dh = stablehlo.add %d1, %d2 : tensor<8x5x4xf32>
  %ds = stablehlo.slice %dh [0:8, 0:2, 0:4] : (tensor<8x5x4xf32>) -> tensor<8x2x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %g = stablehlo.reduce(%ds init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %n = stablehlo.subtract %p, %g : tensor<2x4xf32>
  return %n : tensor<2x4xf32>
}
"#;

#[test]
fn the_gradient_of_a_prompt_is_summed_over_the_batch() {
    let around = PROMPT
        .replace("%p: tensor<2x4xf32>", "%p: tensor<1x2x4xf32>")
        .replace("-> tensor<2x4xf32> {", "-> tensor<1x2x4xf32> {")
        .replace("dims = [1, 2] : (tensor<2x4xf32>)", "dims = [0, 1, 2] : (tensor<1x2x4xf32>)")
        .replace("%n = stablehlo.subtract %p, %g : tensor<2x4xf32>", "%r = stablehlo.reshape %g : (tensor<2x4xf32>) -> tensor<1x2x4xf32>\n  %n = stablehlo.subtract %p, %r : tensor<1x2x4xf32>")
        .replace("return %n : tensor<2x4xf32>", "return %n : tensor<1x2x4xf32>");
    // Along the features too, which are no batch.
    let of_tokens = PROMPT
        .replace("%p: tensor<2x4xf32>", "%p: tensor<2xf32>")
        .replace("-> tensor<2x4xf32> {", "-> tensor<2xf32> {")
        .replace("dims = [1, 2] : (tensor<2x4xf32>)", "dims = [1] : (tensor<2xf32>)")
        .replace(
            "dimensions = [0] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<2x4xf32>",
            "dimensions = [0, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<2xf32>",
        )
        .replace("%p, %g : tensor<2x4xf32>", "%p, %g : tensor<2xf32>")
        .replace("return %n : tensor<2x4xf32>", "return %n : tensor<2xf32>");
    // One for both tokens, broadcast to these before it is to the examples, beside a dim of one element.
    let twice = PROMPT
        .replace("%p: tensor<2x4xf32>", "%p: tensor<4xf32>")
        .replace("-> tensor<2x4xf32> {", "-> tensor<4xf32> {")
        .replace("  %s = stablehlo.broadcast_in_dim %p", "  %t = stablehlo.broadcast_in_dim %p, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>\n  %s = stablehlo.broadcast_in_dim %t")
        .replace("  %n = stablehlo.subtract %p, %g : tensor<2x4xf32>", "  %i = stablehlo.reshape %g : (tensor<2x4xf32>) -> tensor<2x1x4xf32>\n  %j = stablehlo.reduce(%i init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x4xf32>\n  %f = stablehlo.reduce(%j init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>\n  %n = stablehlo.subtract %p, %f : tensor<4xf32>")
        .replace("return %n : tensor<2x4xf32>", "return %n : tensor<4xf32>");
    for text in [PROMPT.to_owned(), around, of_tokens, twice] {
        let function = step(&text);
        let roles = Roles::new(&function);
        let found: Vec<Role> = roles.args.iter().map(|arg| arg.role).collect();
        assert_eq!(found, [Role::Parameter, Role::Parameter, Role::Parameter, Role::Data, Role::Data]);
        let class = |name, dim| roles.classes.of(value(&function, &text, name), dim);
        assert_eq!(roles.batch.iter().copied().collect::<Vec<_>>(), [class("%h", 0)]);
        assert!(roles.sequence.contains(&class("%h", 1)));
    }
}

#[test]
fn what_features_a_gradient_is_summed_over_are_no_batch() {
    // One weight for two heads, a frozen one behind them, and a scale for each head and a bias of the result.
    let text = r#"
func.func @main(%w: tensor<4x3xf32> {tf.aliasing_output = 0 : i32}, %c: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<5xf32> {tf.aliasing_output = 2 : i32}, %o: tensor<6x5xf32>, %x: tensor<8x4xf32>) -> (tensor<4x3xf32>, tensor<2xf32>, tensor<5xf32>) {
  %ws = stablehlo.broadcast_in_dim %w, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<2x4x3xf32>
  %h = stablehlo.dot_general %x, %ws, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<2x4x3xf32>) -> tensor<8x2x3xf32>
  %cs = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xf32>) -> tensor<8x2x3xf32>
  %k = stablehlo.multiply %h, %cs : tensor<8x2x3xf32>
  %m = stablehlo.reshape %k : (tensor<8x2x3xf32>) -> tensor<8x6xf32>
  %p = stablehlo.dot_general %m, %o, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x5xf32>) -> tensor<8x5xf32>
  %bs = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<5xf32>) -> tensor<8x5xf32>
  %y = stablehlo.add %p, %bs : tensor<8x5xf32>
  %dm = stablehlo.dot_general %y, %o, contracting_dims = [1] x [1] : (tensor<8x5xf32>, tensor<6x5xf32>) -> tensor<8x6xf32>
  %dk = stablehlo.reshape %dm : (tensor<8x6xf32>) -> tensor<8x2x3xf32>
  %dh = stablehlo.multiply %dk, %cs : tensor<8x2x3xf32>
  %hk = stablehlo.multiply %dk, %h : tensor<8x2x3xf32>
  %dw = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x2x3xf32>) -> tensor<4x2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %gw = stablehlo.reduce(%dw init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  %gc = stablehlo.reduce(%hk init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<8x2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %gb = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x5xf32>, tensor<f32>) -> tensor<5xf32>
  %nw = stablehlo.subtract %w, %gw : tensor<4x3xf32>
  %nc = stablehlo.subtract %c, %gc : tensor<2xf32>
  %nb = stablehlo.subtract %b, %gb : tensor<5xf32>
  return %nw, %nc, %nb : tensor<4x3xf32>, tensor<2xf32>, tensor<5xf32>
}
"#;
    let function = step(text);
    let roles = Roles::new(&function);
    let found: Vec<Role> = roles.args.iter().map(|arg| arg.role).collect();
    assert_eq!(found[..1], [Role::Parameter]);
    assert_eq!(found[3..], [Role::Parameter, Role::Data]);
    assert_eq!(roles.batch.iter().copied().collect::<Vec<_>>(), [roles.classes.of(function.args()[4], 0)]);
}

/// A plan written as `name=axes of dims` for values and `name=axes of factors` for what makes them.
fn recognized(values: &[(&str, &[&[u8]])], strategies: &[(&str, &[&[u8]])]) -> String {
    let function = step(STEP);
    let roles = Roles::new(&function);
    let axes = [("x", 2), ("y", 4)].map(|(name, size)| Axis { name: name.into(), size });
    let mesh = Mesh::new("mesh", axes.to_vec()).unwrap();
    // Axis 0 is all of `x`, axis 1 all of `y`.
    let ids = |axes: &[u8]| -> Vec<SubAxisId> {
        axes.iter().flat_map(|axis| mesh.pieces(usize::from(*axis))).collect()
    };
    let mut shardings = Shardings::replicated(&function, mesh.clone());
    for (name, dims) in values {
        shardings.values[value(&function, STEP, name)] = Sharding::of(dims.iter().map(|axes| ids(axes)));
    }
    let made: Table<ValueId, Option<InstId>> = function
        .body
        .values
        .values()
        .map(|value| match value.def {
            meshwright_ir::program::Def::Result(inst, _) => Some(inst),
            meshwright_ir::program::Def::Argument(..) => None,
        })
        .collect();
    for (name, factors) in strategies {
        let inst = made[value(&function, STEP, name)].unwrap();
        shardings.strategies[inst] = Strategy { axes: factors.iter().map(|axes| ids(axes)).collect() };
    }
    assert_eq!(shardings.verify(&function), Vec::<String>::new());
    recognize(&function, &roles, &shardings).text()
}

/// The batch of every contraction over `x`; further `y` over the hidden dim.
const DATA: [(&str, &[&[u8]]); 5] = [
    ("%h", &[&[0], &[], &[]]),
    ("%y", &[&[0], &[], &[]]),
    ("%g2", &[&[], &[], &[0]]),
    ("%dh", &[&[0], &[], &[]]),
    ("%g1", &[&[], &[], &[0]]),
];
const DATA_TENSOR: [(&str, &[&[u8]]); 5] = [
    ("%h", &[&[0], &[1], &[]]),
    ("%y", &[&[0], &[], &[1]]),
    ("%g2", &[&[1], &[], &[0]]),
    ("%dh", &[&[0], &[1], &[]]),
    ("%g1", &[&[], &[1], &[0]]),
];

#[test]
fn data_and_tensor_parallelism_are_told_by_the_factors_that_axes_shard() {
    assert_eq!(recognized(&[], &[]), "replicated over 8");
    assert_eq!(recognized(&[], &DATA), "data parallel over 2, replicated over 4");
    assert_eq!(recognized(&[], &DATA_TENSOR), "data parallel over 2, tensor parallel over 4");
}

#[test]
fn zero_is_told_by_the_state_that_data_axes_shard() {
    let moments: [(&str, &[&[u8]]); 2] = [("%m1", &[&[0], &[1]]), ("%m2", &[&[1], &[0]])];
    let gradients: [(&str, &[&[u8]]); 2] = [("%g1", &[&[0], &[1]]), ("%g2", &[&[1], &[0]])];
    let parameters: [(&str, &[&[u8]]); 2] = [("%w1", &[&[0], &[1]]), ("%w2", &[&[1], &[0]])];
    let both = "data parallel over 2, tensor parallel over 4";
    let mut values = moments.to_vec();
    assert_eq!(recognized(&values, &DATA_TENSOR), format!("{both}, ZeRO-1"));
    values.extend(gradients);
    assert_eq!(recognized(&values, &DATA_TENSOR), format!("{both}, ZeRO-2"));
    values.extend(parameters);
    assert_eq!(recognized(&values, &DATA_TENSOR), format!("{both}, ZeRO-3"));
    // Sharded over the tensor axis alone, state is just tensor parallel.
    let tensor: [(&str, &[&[u8]]); 2] = [("%m1", &[&[], &[1]]), ("%w1", &[&[], &[1]])];
    assert_eq!(recognized(&tensor, &DATA_TENSOR), both);
}
