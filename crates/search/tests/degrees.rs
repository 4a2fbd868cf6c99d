//! Ways of one's own laid over programs: which dims a style takes, told by what they are for.

use meshwright_analyze::Roles;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::text::read;
use meshwright_ir::verify::verify;
use meshwright_machine::Machine;
use meshwright_plan::{Decisions, Shardings};
use meshwright_search::{Refusal, as_requested};
use meshwright_shard::Propagated;
use std::cell::RefCell;

/// Attention to a cache, with square weights: 4 heads of keys, each for 2 of queries; arguments have no names.
const GROUPED: &str = r#"
func.func @main(%q: tensor<32x32xf32>, %k: tensor<32x16xf32>, %o: tensor<32x32xf32>, %cache: tensor<2x6x4x4xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<2x32xf32>, %at: tensor<i32>) -> (tensor<2x32xf32>, tensor<2x6x4x4xf32>) {
  %0 = stablehlo.dot_general %x, %q, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x32xf32>) -> tensor<2x32xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x32xf32>) -> tensor<2x4x2x4xf32>
  %2 = stablehlo.dot_general %x, %k, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x16xf32>) -> tensor<2x16xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x16xf32>) -> tensor<2x1x4x4xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %cache, %3, %c, %at, %c, %c : (tensor<2x6x4x4xf32>, tensor<2x1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x6x4x4xf32>
  %5 = stablehlo.dot_general %1, %4, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x2x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x2x6xf32>
  %6 = stablehlo.tanh %5 : tensor<2x4x2x6xf32>
  %7 = stablehlo.dot_general %6, %4, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x2x6xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x2x4xf32>
  %8 = stablehlo.reshape %7 : (tensor<2x4x2x4xf32>) -> tensor<2x32xf32>
  %9 = stablehlo.dot_general %8, %o, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x32xf32>) -> tensor<2x32xf32>
  %10 = stablehlo.add %x, %9 : tensor<2x32xf32>
  return %10, %4 : tensor<2x32xf32>, tensor<2x6x4x4xf32>
}
"#;

/// Attention of tokens with weights `[width, heads, head]`; queries are turned by halves, as rotary embeddings do.
const HEADS: &str = r#"
func.func @main(%q: tensor<32x8x4xf32>, %k: tensor<32x8x4xf32>, %o: tensor<8x4x32xf32>, %x: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
  %0 = stablehlo.dot_general %x, %q, contracting_dims = [2] x [0] : (tensor<2x6x32xf32>, tensor<32x8x4xf32>) -> tensor<2x6x8x4xf32>
  %1 = stablehlo.slice %0 [0:2, 0:6, 0:8, 0:2] : (tensor<2x6x8x4xf32>) -> tensor<2x6x8x2xf32>
  %2 = stablehlo.slice %0 [0:2, 0:6, 0:8, 2:4] : (tensor<2x6x8x4xf32>) -> tensor<2x6x8x2xf32>
  %3 = stablehlo.concatenate %2, %1, dim = 3 : (tensor<2x6x8x2xf32>, tensor<2x6x8x2xf32>) -> tensor<2x6x8x4xf32>
  %4 = stablehlo.dot_general %x, %k, contracting_dims = [2] x [0] : (tensor<2x6x32xf32>, tensor<32x8x4xf32>) -> tensor<2x6x8x4xf32>
  %5 = stablehlo.dot_general %3, %4, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x8x4xf32>, tensor<2x6x8x4xf32>) -> tensor<2x8x6x6xf32>
  %6 = stablehlo.tanh %5 : tensor<2x8x6x6xf32>
  %7 = stablehlo.dot_general %6, %4, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x8x6x6xf32>, tensor<2x6x8x4xf32>) -> tensor<2x8x6x4xf32>
  %8 = stablehlo.dot_general %7, %o, contracting_dims = [1, 3] x [0, 1] : (tensor<2x8x6x4xf32>, tensor<8x4x32xf32>) -> tensor<2x6x32xf32>
  %9 = stablehlo.add %x, %8 : tensor<2x6x32xf32>
  return %9 : tensor<2x6x32xf32>
}
"#;

/// Queries, keys and values of one weight, which slices take apart.
const FUSED: &str = r#"
func.func @main(%qkv: tensor<32x96xf32>, %o: tensor<32x32xf32>, %x: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
  %0 = stablehlo.dot_general %x, %qkv, contracting_dims = [2] x [0] : (tensor<2x6x32xf32>, tensor<32x96xf32>) -> tensor<2x6x96xf32>
  %1 = stablehlo.slice %0 [0:2, 0:6, 0:32] : (tensor<2x6x96xf32>) -> tensor<2x6x32xf32>
  %2 = stablehlo.slice %0 [0:2, 0:6, 32:64] : (tensor<2x6x96xf32>) -> tensor<2x6x32xf32>
  %3 = stablehlo.slice %0 [0:2, 0:6, 64:96] : (tensor<2x6x96xf32>) -> tensor<2x6x32xf32>
  %4 = stablehlo.reshape %1 : (tensor<2x6x32xf32>) -> tensor<2x6x8x4xf32>
  %5 = stablehlo.reshape %2 : (tensor<2x6x32xf32>) -> tensor<2x6x8x4xf32>
  %6 = stablehlo.reshape %3 : (tensor<2x6x32xf32>) -> tensor<2x6x8x4xf32>
  %7 = stablehlo.dot_general %4, %5, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x8x4xf32>, tensor<2x6x8x4xf32>) -> tensor<2x8x6x6xf32>
  %8 = stablehlo.tanh %7 : tensor<2x8x6x6xf32>
  %9 = stablehlo.dot_general %8, %6, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x8x6x6xf32>, tensor<2x6x8x4xf32>) -> tensor<2x8x6x4xf32>
  %10 = stablehlo.transpose %9, dims = [0, 2, 1, 3] : (tensor<2x8x6x4xf32>) -> tensor<2x6x8x4xf32>
  %11 = stablehlo.reshape %10 : (tensor<2x6x8x4xf32>) -> tensor<2x6x32xf32>
  %12 = stablehlo.dot_general %11, %o, contracting_dims = [2] x [0] : (tensor<2x6x32xf32>, tensor<32x32xf32>) -> tensor<2x6x32xf32>
  %13 = stablehlo.add %x, %12 : tensor<2x6x32xf32>
  return %13 : tensor<2x6x32xf32>
}
"#;

/// A step that trains on four examples.
const STEP: &str = r#"
func.func @main(%w: tensor<16x32xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x16xf32>) -> tensor<16x32xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [0] x [0] : (tensor<4x16xf32>, tensor<4x32xf32>) -> tensor<16x32xf32>
  %2 = stablehlo.subtract %w, %1 : tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}
"#;

/// How the arguments of a program are sharded on eight devices by a way of one's own, or why they are not.
fn laid(text: &str, asked: &str) -> Result<Vec<String>, Refusal> {
    let program = read(&Source::new("program.mlir", text)).unwrap();
    verify(&program).unwrap();
    let function = program.main().unwrap();
    let machine = Machine::from_spec("cpu8").unwrap();
    let asked_for = RefCell::new(None);
    let complete = |decisions: &Decisions, _: &mut Option<Propagated>| {
        asked_for.replace(Some(decisions.clone()));
        Shardings::replicated(function, decisions.mesh.clone().unwrap())
    };
    as_requested(function, &Roles::new(function), &machine, asked.parse()?, &complete)?;
    let decisions = asked_for.into_inner().unwrap();
    let mesh = decisions.mesh.as_ref().unwrap();
    let described = |value| {
        let sharding = decisions.values.get(value)?;
        let dims = sharding.dim_axes().map(|axes| match mesh.describe(axes).join(",") {
            none if none.is_empty() => "-".to_owned(),
            axes => axes,
        });
        Some(dims.collect::<Vec<_>>().join(" "))
    };
    Ok(function.args().iter().map(|value| described(value).unwrap_or_default()).collect())
}

/// The same of a way that fits.
fn sharded(text: &str, asked: &str) -> Vec<String> {
    laid(text, asked).unwrap()
}

#[test]
fn heads_stay_whole_where_keys_have_fewer_than_there_are_devices() {
    let wanted = ["- x", "- x:(1)4", "x -", "- - x:(1)4 -", "- -", ""];
    assert_eq!(sharded(GROUPED, "tp=8"), wanted);
}

#[test]
fn heads_are_sharded_and_not_their_width() {
    assert_eq!(sharded(HEADS, "tp=8"), ["- x -", "- x -", "x - -", "- - -"]);
}

#[test]
fn a_fused_weight_is_sharded_with_what_reads_it() {
    assert_eq!(sharded(FUSED, "tp=8"), ["- x", "x -", "- - -"]);
}

#[test]
fn a_batch_that_does_not_divide_is_named() {
    for asked in ["dp=8", "dp=2,fsdp=4", "dp=8,fsdp=2", "fsdp=8", "dp=8,zero=3"] {
        let refusal = laid(STEP, asked).unwrap_err();
        assert_eq!(refusal.to_string(), "dp=8 does not divide the batch of 4", "{asked}");
        assert_eq!(refusal.hint().as_deref(), Some("give a `dp` that divides the batch"), "{asked}");
    }
    // It is not the batch that is in the way of experts.
    let refusal = laid(STEP, "dp=1,ep=8").unwrap_err().to_string();
    assert_eq!(refusal, "the program has nothing for `ep`: it has no experts to share among devices");
}
