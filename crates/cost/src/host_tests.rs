//! Memory of programs that keep part of their values on the host, counted by hand.

use crate::tests::{function, placement};
use crate::{Analysis, Lowering, Memory, memory};
use meshwright_machine::Bytes;
use meshwright_plan::Shardings;

/// A matrix of 64 x 64 in f32.
const MATRIX: u64 = 64 * 64 * 4;

fn of(text: &str) -> Memory {
    let function = function(text);
    let mesh = placement("cpu8", &[8]).mesh;
    memory(&Lowering::new(&Analysis::new(&function), &Shardings::replicated(&function, mesh)))
}

#[test]
fn weights_on_the_host_take_the_device_no_memory_until_they_are_moved() {
    let text = |kind: &str| {
        format!(
            "func.func @main(%w: tensor<64x64xf32>{kind}, %x: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %0 = stablehlo.custom_call @annotate_device_placement(%w) {{has_side_effect = true, \
mhlo.frontend_attributes = {{_xla_buffer_placement = \"device\"}}}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}}"
        )
    };
    for kind in ["mhlo.memory_kind", "jax.memory_kind"] {
        let found = of(&text(&format!(" {{{kind} = \"pinned_host\"}}")));
        // The copy on the device, what it is multiplied with and the product.
        assert_eq!(
            (found.peak, found.host, found.arguments),
            (Bytes(3 * MATRIX), Bytes(MATRIX), Bytes(MATRIX))
        );
    }
    // What is on the device already is not copied.
    let found = of(&text(""));
    assert_eq!((found.peak, found.host), (Bytes(3 * MATRIX), Bytes(0)));
}

/// Eight activations are put on a stack, then taken from it again, as JAX writes `save_and_offload_only_these_names`.
fn stacked(moved: bool) -> String {
    let to = |place: &str| {
        format!(
            "stablehlo.custom_call @annotate_device_placement(%from) {{has_side_effect = true, \
             mhlo.frontend_attributes = {{_xla_buffer_placement = \"{place}\"}}}} : (tensor<64x64xf32>) -> tensor<64x64xf32>"
        )
    };
    let put = if moved {
        to("pinned_host").replace("%from", "%h")
    } else {
        "stablehlo.negate %h : tensor<64x64xf32>".into()
    };
    let take = if moved {
        to("device").replace("%from", "%t1")
    } else {
        "stablehlo.negate %t1 : tensor<64x64xf32>".into()
    };
    format!(
        r#"func.func @main(%w: tensor<64x64xf32>, %x: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %empty = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<8x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %stack = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<8x64x64xf32>
  cond {{
    %go = stablehlo.compare LT, %i, %eight, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %p = {put}
    %p1 = stablehlo.broadcast_in_dim %p, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %s = stablehlo.dynamic_update_slice %stack, %p1, %i, %zero, %zero : (tensor<8x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x64x64xf32>
    %d = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %d, %s : tensor<i32>, tensor<64x64xf32>, tensor<8x64x64xf32>
  }}
  %1:3 = stablehlo.while(%i = %zero, %h = %0#1, %stack = %0#2) : tensor<i32>, tensor<64x64xf32>, tensor<8x64x64xf32>
  cond {{
    %go = stablehlo.compare LT, %i, %eight, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %t0 = stablehlo.dynamic_slice %stack, %i, %zero, %zero, sizes = [1, 64, 64] : (tensor<8x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %t1 = stablehlo.reshape %t0 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %t = {take}
    %d = stablehlo.dot_general %h, %t, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %d, %stack : tensor<i32>, tensor<64x64xf32>, tensor<8x64x64xf32>
  }}
  return %1#1 : tensor<64x64xf32>
}}
"#
    )
}

#[test]
fn a_stack_of_what_is_moved_to_the_host_lies_there_through_all_loops() {
    let (kept, moved) = (of(&stacked(false)), of(&stacked(true)));
    assert_eq!(kept.host, Bytes(0));
    assert!(kept.peak >= Bytes(10 * MATRIX), "{}", kept.peak);
    // The stack, and the part that is on its way.
    assert!((8 * MATRIX..=10 * MATRIX).contains(&moved.host.0), "{}", moved.host);
    assert!(moved.peak <= Bytes(6 * MATRIX), "{}", moved.peak);
}
