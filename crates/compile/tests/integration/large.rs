//! Tensors that no test can hold: their local programs are read, not run.

use meshwright_compile::{Options, partition, read};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::text::{Form, print};

fn partitioned(text: &str) -> String {
    let program = read(&Source::new("large.mlir", text)).expect("it is read");
    let device = partition(&program, &Options::default(), &Quiet).expect("it is partitioned");
    print(&device.program, Form::Pretty)
}

#[test]
fn own_shards_begin_beyond_32_bits() {
    let text = partitioned(
        "sdy.mesh @mesh = <[\"x\"=4]>
func.func @main(%a: tensor<17179869184xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<17179869184xbf16> {
  %0 = sdy.sharding_constraint %a <@mesh, [{\"x\"}]> : tensor<17179869184xbf16>
  return %0 : tensor<17179869184xbf16>
}",
    );
    assert!(text.contains("stablehlo.constant dense<4294967296> : tensor<i64>"), "{text}");
}

#[test]
fn edges_of_windows_lie_beyond_32_bits() {
    let text = partitioned(
        "sdy.mesh @mesh = <[\"x\"=2]>
func.func @main(%a: tensor<4000000000xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<4000000000xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = \"stablehlo.reduce_window\"(%a, %zero) <{window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<bf16>, %r: tensor<bf16>):
    %s = stablehlo.add %l, %r : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4000000000xbf16>, tensor<bf16>) -> tensor<4000000000xbf16>
  return %0 : tensor<4000000000xbf16>
}",
    );
    assert!(text.contains("stablehlo.constant dense<4000000000> : tensor<2000000002xi64>"), "{text}");
}
