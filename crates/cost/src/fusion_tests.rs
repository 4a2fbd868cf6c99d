//! What compilers for GPUs store and read, on small programs.

use crate::op::{LocalTypes, work};
use crate::tests::{find, function};
use crate::{Analysis, Lowering, memory};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::Platform;
use meshwright_plan::Shardings;

const MIB: f64 = 1048576.0;

/// A loss of logits in bf16 whose softmax is in f32, and its gradient in bf16, as models write it: 1024 x 4096 elements, 8 MiB
/// in bf16 and 16 MiB in f32.
const LOSS: &str = r#"
func.func @main(%x: tensor<1024x4096xbf16>) -> (tensor<1024xf32>, tensor<1024x4096xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.convert %x : (tensor<1024x4096xbf16>) -> tensor<1024x4096xf32>
  %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<1024x4096xf32>, tensor<f32>) -> tensor<1024xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<1024xf32>) -> tensor<1024x4096xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<1024x4096xf32>
  %4 = stablehlo.exponential %3 : tensor<1024x4096xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1024x4096xf32>, tensor<f32>) -> tensor<1024xf32>
  %6 = stablehlo.log %5 : tensor<1024xf32>
  %7 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1024xf32>) -> tensor<1024x4096xf32>
  %8 = stablehlo.divide %4, %7 : tensor<1024x4096xf32>
  %9 = stablehlo.convert %8 : (tensor<1024x4096xf32>) -> tensor<1024x4096xbf16>
  return %6, %9 : tensor<1024xf32>, tensor<1024x4096xbf16>
}
"#;

/// Bytes that all instructions move, in MiB, and how many kernels are launched.
fn moved(function: &Function, platform: Option<Platform>) -> (f64, usize) {
    let analysis = Analysis::on(function, platform);
    let mesh = Mesh::new("alone", Vec::new()).unwrap();
    let shardings = Shardings::replicated(function, mesh);
    let (mut types, mut bytes, mut launched) = (LocalTypes::default(), 0.0, 0);
    for inst in function.body.regions[function.body.entry()].insts.iter().copied() {
        types.fill(&analysis, inst, &shardings.strategies[inst], &shardings.mesh);
        let work = work(&analysis, inst, &types.operands, &types.results);
        bytes += work.bytes;
        launched += usize::from(work.is_launched);
    }
    (bytes / MIB, launched)
}

fn stored(function: &Function, platform: Option<Platform>, names: &[(&str, usize)]) -> Vec<bool> {
    let analysis = Analysis::on(function, platform);
    let of = |(name, index): &(&str, usize)| {
        let inst = find(function, name, *index);
        analysis.fusion.is_stored[function.body.insts[inst].results[0]]
    };
    names.iter().map(of).collect()
}

fn peak(function: &Function, platform: Option<Platform>) -> f64 {
    let analysis = Analysis::on(function, platform);
    let shardings = Shardings::replicated(function, Mesh::new("alone", Vec::new()).unwrap());
    memory(&Lowering::new(&analysis, &shardings)).peak.0 as f64 / MIB
}

#[test]
fn wide_logits_are_made_again_on_gpus_and_stored_elsewhere() {
    let function = function(LOSS);
    let wide = [("stablehlo.convert", 0), ("stablehlo.subtract", 0), ("stablehlo.exponential", 0)];
    assert_eq!(stored(&function, Some(Platform::Cuda), &wide), [false; 3]);
    assert_eq!(stored(&function, Some(Platform::Cpu), &wide), [true, false, true]);
    // The argument and the gradient, and a little of each row.
    let there = peak(&function, Some(Platform::Cuda));
    assert!((16.0..16.1).contains(&there), "{there}");
    assert!(peak(&function, None) >= 8.0 + 16.0 + 8.0);
    // The maximum reads the logits, and so do the sum and the gradient, which wait for it; the sum is read by the loss too.
    let (bytes, launched) = moved(&function, Some(Platform::Cuda));
    assert!((3.0 * 8.0 + 8.0..32.1).contains(&bytes), "{bytes}");
    assert_eq!(launched, 4);
    assert!(moved(&function, None).0 > 3.0 * bytes);
}

#[test]
fn two_readers_make_again_what_three_would_have_stored() {
    let of = |readers: usize| {
        let mut text = String::from(
            "func.func @main(%a: tensor<4194304xf32>, %b: tensor<4194304xf32>) -> tensor<f32> {\n  \
             %zero = stablehlo.constant dense<0.0> : tensor<f32>\n  %x = stablehlo.add %a, %b : tensor<4194304xf32>\n  \
             %s0 = stablehlo.constant dense<1.0> : tensor<f32>\n",
        );
        // Each waits for the one before, so that they are kernels of their own.
        for reader in 0..readers {
            text += &format!(
                "  %w{reader} = stablehlo.broadcast_in_dim %s{reader}, dims = [] : (tensor<f32>) -> tensor<4194304xf32>\n  \
                 %y{reader} = stablehlo.multiply %x, %w{reader} : tensor<4194304xf32>\n  \
                 %s{} = stablehlo.reduce(%y{reader} init: %zero) applies stablehlo.add across dimensions = [0] : \
                 (tensor<4194304xf32>, tensor<f32>) -> tensor<f32>\n",
                reader + 1
            );
        }
        let function = function(&format!("{text}  return %s{readers} : tensor<f32>\n}}\n"));
        (
            stored(&function, Some(Platform::Cuda), &[("stablehlo.add", 0)])[0],
            moved(&function, Some(Platform::Cuda)).0.round(),
        )
    };
    assert_eq!(of(1), (false, 32.0));
    assert_eq!(of(2), (false, 64.0));
    // Both operands, what is made of them, and two more times that: the first one is in the same kernel.
    assert_eq!(of(4), (true, 32.0 + 16.0 + 3.0 * 16.0));
}

#[test]
fn what_a_product_reads_is_there_for_all() {
    let function = function(
        r#"
func.func @main(%x: tensor<256x256xf32>, %w: tensor<256x256xbf16>) -> (tensor<256x256xbf16>, tensor<256xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.convert %x : (tensor<256x256xf32>) -> tensor<256x256xbf16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<256x256xbf16>, tensor<bf16>) -> tensor<256xbf16>
  return %1, %2 : tensor<256x256xbf16>, tensor<256xbf16>
}
"#,
    );
    assert_eq!(stored(&function, Some(Platform::Cuda), &[("stablehlo.convert", 0)]), [true]);
    // The sum is made beside it, of what is in registers.
    let whole = 256.0 * 256.0 / MIB;
    let (bytes, launched) = moved(&function, Some(Platform::Cuda));
    assert!((bytes - (4.0 + 2.0 + 6.0) * whole).abs() < 0.01, "{bytes}");
    assert_eq!(launched, 2);
}

#[test]
fn a_norm_is_one_kernel_and_slices_are_fetched_by_their_readers() {
    let function = function(
        r#"
func.func @main(%all: tensor<2x1024x1024xf32>, %i: tensor<i32>) -> tensor<1024x1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.dynamic_slice %all, %i, %c, %c, sizes = [1, 1024, 1024] : (tensor<2x1024x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1024x1024xf32>
  %x = stablehlo.reshape %s : (tensor<1x1024x1024xf32>) -> tensor<1024x1024xf32>
  %0 = stablehlo.multiply %x, %x : tensor<1024x1024xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %2 = stablehlo.rsqrt %1 : tensor<1024xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1024xf32>
  %4 = stablehlo.multiply %x, %3 : tensor<1024x1024xf32>
  return %4 : tensor<1024x1024xf32>
}
"#,
    );
    assert_eq!(
        stored(&function, Some(Platform::Cuda), &[("stablehlo.dynamic_slice", 0), ("stablehlo.reshape", 0)]),
        [false; 2]
    );
    let (bytes, launched) = moved(&function, Some(Platform::Cuda));
    assert!((8.0..8.1).contains(&bytes), "{bytes}");
    assert_eq!(launched, 1);
}
