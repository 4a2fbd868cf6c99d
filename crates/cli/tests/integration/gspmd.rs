//! GSPMD's form of shardings, as a user meets it: read by every command that shards a program, written on request.

use crate::common::Scratch;

const PROGRAM: &str = r#"module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, %w: tensor<16x8xf32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<2.0> : tensor<8x16xf32>
    %0 = stablehlo.multiply %x, %c : tensor<8x16xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}
"#;

#[test]
fn what_is_read_is_spread_and_written_again() {
    let scratch = Scratch::new("gspmd");
    scratch.file("g.mlir", PROGRAM);
    scratch.line("check g.mlir --machine cpu8").succeeds().says(&["agree", "x=2, y=4"]);
    scratch.line("propagate g.mlir -o s.mlir").succeeds();
    let text = std::fs::read_to_string(scratch.path("s.mlir")).unwrap();
    assert!(
        text.contains("sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>") && !text.contains("mhlo.sharding"),
        "{text}"
    );
    scratch.line("propagate g.mlir -o again.mlir --format gspmd").succeeds();
    let text = std::fs::read_to_string(scratch.path("again.mlir")).unwrap();
    for part in [
        "%x: tensor<8x16xf32> {mhlo.sharding = \"{devices=[2,1,4]<=[8] last_tile_dim_replicate}\"}",
        "%w: tensor<16x8xf32> {mhlo.sharding = \"{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}\"}",
        "@Sharding",
    ] {
        let part = part.replace("%x", "%arg0").replace("%w", "%arg1");
        assert!(text.contains(&part), "{part}\n{text}");
    }
    assert!(!text.contains("sdy."), "{text}");
    scratch.line("check again.mlir --machine cpu8").succeeds().says(&["agree"]);
}

const MANUAL: &str = r#"sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%b: tensor<4x16xf32>) {
    %1 = stablehlo.sine %b : tensor<4x16xf32>
    %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %3 = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %4 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%c: tensor<4x4xf32>) {
      %5 = stablehlo.cosine %c : tensor<4x4xf32>
      sdy.return %5 : tensor<4x4xf32>
    } : (tensor<4x16xf32>) -> tensor<4x16xf32>
    sdy.return %4 : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
"#;

#[test]
fn manual_computations_become_functions_called_on_shards() {
    let scratch = Scratch::new("gspmd-manual");
    scratch.file("s.mlir", MANUAL);
    scratch.line("check s.mlir --machine cpu8").succeeds().says(&["agree"]);
    scratch.line("propagate s.mlir -o g.mlir --format gspmd").succeeds();
    let text = std::fs::read_to_string(scratch.path("g.mlir")).unwrap();
    for part in [
        "@SPMDFullToShardShape",
        "@SPMDShardToFullShape",
        "\"{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}\"",
        "\"{manual}\"",
        "func.func private @manual_computation_0",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("sdy."), "{text}");
    scratch.line("check g.mlir --machine cpu8").succeeds().says(&["agree"]);
    let lines = |file: &str| {
        scratch.line(&format!("partition {file} -o l.mlir")).succeeds();
        std::fs::read_to_string(scratch.path("l.mlir")).unwrap().matches("stablehlo.all_").count()
    };
    assert_eq!(lines("s.mlir"), lines("g.mlir"));
}

#[test]
fn what_is_not_understood_is_an_error_at_its_place() {
    let scratch = Scratch::new("gspmd-wrong");
    scratch.file("g.mlir", PROGRAM.replace("{devices=[2,4]<=[8]}", "{devices=[2,4]<=[9]}"));
    for command in ["check g.mlir --machine cpu8", "partition g.mlir -o o.mlir", "propagate g.mlir -o o.mlir"]
    {
        scratch.line(command).fails(1, &["g.mlir:6:", "error[gspmd-sharding]", "each of 8 devices"]);
    }
}
