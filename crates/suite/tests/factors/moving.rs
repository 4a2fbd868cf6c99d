//! Programs whose elements move along sharded dims: a name, the least number of ways to shard it, and the text.

pub(crate) const ALL: &[(&str, usize, &str)] = &[
    (
        "slice 0:4:1 of 8",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>) -> (tensor<4x4xf32>) {
  %r = stablehlo.slice %a [0:4:1, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
"#,
    ),
    (
        "slice 3:8:1 of 8",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>) -> (tensor<5x4xf32>) {
  %r = stablehlo.slice %a [3:8:1, 0:4] : (tensor<8x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
"#,
    ),
    (
        "slice 2:7:1 of 9",
        4,
        r#"func.func @main(%a: tensor<9x4xf32>) -> (tensor<5x4xf32>) {
  %r = stablehlo.slice %a [2:7:1, 0:4] : (tensor<9x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
"#,
    ),
    (
        "slice 0:8:2 of 8",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>) -> (tensor<4x4xf32>) {
  %r = stablehlo.slice %a [0:8:2, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
"#,
    ),
    (
        "slice 1:12:3 of 12",
        4,
        r#"func.func @main(%a: tensor<12x4xf32>) -> (tensor<4x4xf32>) {
  %r = stablehlo.slice %a [1:12:3, 0:4] : (tensor<12x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
"#,
    ),
    (
        "slice 5:6:1 of 8",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>) -> (tensor<1x4xf32>) {
  %r = stablehlo.slice %a [5:6:1, 0:4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
"#,
    ),
    (
        "slice 0:7:1 of 13",
        4,
        r#"func.func @main(%a: tensor<13x4xf32>) -> (tensor<7x4xf32>) {
  %r = stablehlo.slice %a [0:7:1, 0:4] : (tensor<13x4xf32>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}
"#,
    ),
    (
        "slice of both dims",
        4,
        r#"func.func @main(%a: tensor<8x6xf32>) -> (tensor<7x2xf32>) {
  %r = stablehlo.slice %a [1:8, 2:6:2] : (tensor<8x6xf32>) -> tensor<7x2xf32>
  return %r : tensor<7x2xf32>
}
"#,
    ),
    (
        "pad 1 0 0 of 8",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>, %v: tensor<f32>) -> (tensor<9x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<9x4xf32>
  return %r : tensor<9x4xf32>
}
"#,
    ),
    (
        "pad 0 3 0 of 8",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>, %v: tensor<f32>) -> (tensor<11x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [0, 0], high = [3, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<11x4xf32>
  return %r : tensor<11x4xf32>
}
"#,
    ),
    (
        "pad 2 1 0 of 5",
        4,
        r#"func.func @main(%a: tensor<5x4xf32>, %v: tensor<f32>) -> (tensor<8x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [2, 0], high = [1, 0], interior = [0, 0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
"#,
    ),
    (
        "pad 0 0 1 of 4",
        4,
        r#"func.func @main(%a: tensor<4x4xf32>, %v: tensor<f32>) -> (tensor<7x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}
"#,
    ),
    (
        "pad 1 2 2 of 3",
        4,
        r#"func.func @main(%a: tensor<3x4xf32>, %v: tensor<f32>) -> (tensor<10x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [1, 0], high = [2, 0], interior = [2, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<10x4xf32>
  return %r : tensor<10x4xf32>
}
"#,
    ),
    (
        "pad -1 0 0 of 8",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>, %v: tensor<f32>) -> (tensor<7x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [-1, 0], high = [0, 0], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}
"#,
    ),
    (
        "pad -2 -1 0 of 9",
        4,
        r#"func.func @main(%a: tensor<9x4xf32>, %v: tensor<f32>) -> (tensor<6x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [-2, 0], high = [-1, 0], interior = [0, 0] : (tensor<9x4xf32>, tensor<f32>) -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}
"#,
    ),
    (
        "pad -1 1 1 of 6",
        4,
        r#"func.func @main(%a: tensor<6x4xf32>, %v: tensor<f32>) -> (tensor<11x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [-1, 0], high = [1, 0], interior = [1, 0] : (tensor<6x4xf32>, tensor<f32>) -> tensor<11x4xf32>
  return %r : tensor<11x4xf32>
}
"#,
    ),
    (
        "pad 3 -2 1 of 5",
        4,
        r#"func.func @main(%a: tensor<5x4xf32>, %v: tensor<f32>) -> (tensor<10x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [3, 0], high = [-2, 0], interior = [1, 0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<10x4xf32>
  return %r : tensor<10x4xf32>
}
"#,
    ),
    (
        "pad 9 0 0 of 2",
        4,
        r#"func.func @main(%a: tensor<2x4xf32>, %v: tensor<f32>) -> (tensor<11x4xf32>) {
  %r = stablehlo.pad %a, %v, low = [9, 0], high = [0, 0], interior = [0, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<11x4xf32>
  return %r : tensor<11x4xf32>
}
"#,
    ),
    (
        "pad of both dims",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>, %v: tensor<f32>) -> (tensor<9x9xf32>) {
  %r = stablehlo.pad %a, %v, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<9x9xf32>
  return %r : tensor<9x9xf32>
}
"#,
    ),
    (
        "concatenate 4 4",
        4,
        r#"func.func @main(%a0: tensor<4x4xf32>, %a1: tensor<4x4xf32>) -> (tensor<8x4xf32>) {
  %r = stablehlo.concatenate %a0, %a1, dim = 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
"#,
    ),
    (
        "concatenate 8 2",
        4,
        r#"func.func @main(%a0: tensor<8x4xf32>, %a1: tensor<2x4xf32>) -> (tensor<10x4xf32>) {
  %r = stablehlo.concatenate %a0, %a1, dim = 0 : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<10x4xf32>
  return %r : tensor<10x4xf32>
}
"#,
    ),
    (
        "concatenate 3 5",
        4,
        r#"func.func @main(%a0: tensor<3x4xf32>, %a1: tensor<5x4xf32>) -> (tensor<8x4xf32>) {
  %r = stablehlo.concatenate %a0, %a1, dim = 0 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
"#,
    ),
    (
        "concatenate 1 7",
        4,
        r#"func.func @main(%a0: tensor<1x4xf32>, %a1: tensor<7x4xf32>) -> (tensor<8x4xf32>) {
  %r = stablehlo.concatenate %a0, %a1, dim = 0 : (tensor<1x4xf32>, tensor<7x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
"#,
    ),
    (
        "concatenate 2 0 4",
        4,
        r#"func.func @main(%a0: tensor<2x4xf32>, %a1: tensor<0x4xf32>, %a2: tensor<4x4xf32>) -> (tensor<6x4xf32>) {
  %r = stablehlo.concatenate %a0, %a1, %a2, dim = 0 : (tensor<2x4xf32>, tensor<0x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}
"#,
    ),
    (
        "rotated by 3",
        4,
        r#"func.func @main(%a0: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %r = "meshwright.rearrange"(%a0) <{dim = 0 : i64, parts = array<i64: 0, 13, 3, 0, 0, 0, 13, 0>}> : (tensor<16x4xf32>) -> tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}
"#,
    ),
    (
        "rotated by 1 of 7",
        4,
        r#"func.func @main(%a0: tensor<7x4xf32>) -> tensor<7x4xf32> {
  %r = "meshwright.rearrange"(%a0) <{dim = 0 : i64, parts = array<i64: 0, 6, 1, 0, 0, 0, 6, 0>}> : (tensor<7x4xf32>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}
"#,
    ),
    (
        "mirrored edges",
        4,
        r#"func.func @main(%a0: tensor<9x4xf32>) -> tensor<14x4xf32> {
  %r = "meshwright.rearrange"(%a0) <{dim = 0 : i64, parts = array<i64: 0, 1, 2, 1, 0, 0, 9, 0, 0, 5, 3, 1>}> : (tensor<9x4xf32>) -> tensor<14x4xf32>
  return %r : tensor<14x4xf32>
}
"#,
    ),
    (
        "halves of two",
        4,
        r#"func.func @main(%a0: tensor<12x4xf32>, %a1: tensor<12x4xf32>) -> tensor<12x4xf32> {
  %r = "meshwright.rearrange"(%a0, %a1) <{dim = 0 : i64, parts = array<i64: 1, 6, 6, 0, 0, 0, 6, 0>}> : (tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<12x4xf32>
  return %r : tensor<12x4xf32>
}
"#,
    ),
    (
        "parts of three sizes",
        4,
        r#"func.func @main(%a0: tensor<3x4xf32>, %a1: tensor<8x4xf32>, %a2: tensor<5x4xf32>) -> tensor<16x4xf32> {
  %r = "meshwright.rearrange"(%a0, %a1, %a2) <{dim = 0 : i64, parts = array<i64: 1, 2, 5, 1, 0, 0, 3, 0, 2, 4, 1, 1, 1, 0, 2, 0, 2, 0, 5, 0>}> : (tensor<3x4xf32>, tensor<8x4xf32>, tensor<5x4xf32>) -> tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}
"#,
    ),
    (
        "one part many times",
        4,
        r#"func.func @main(%a0: tensor<5x4xf32>) -> tensor<12x4xf32> {
  %r = "meshwright.rearrange"(%a0) <{dim = 0 : i64, parts = array<i64: 0, 3, 2, 0, 0, 3, 2, 0, 0, 3, 2, 0, 0, 3, 2, 0, 0, 3, 2, 0, 0, 3, 2, 0>}> : (tensor<5x4xf32>) -> tensor<12x4xf32>
  return %r : tensor<12x4xf32>
}
"#,
    ),
    (
        "reversed parts of different sizes",
        4,
        r#"func.func @main(%a0: tensor<13x4xf32>) -> tensor<14x4xf32> {
  %r = "meshwright.rearrange"(%a0) <{dim = 0 : i64, parts = array<i64: 0, 2, 5, 1, 0, 9, 4, 1, 0, 0, 2, 1, 0, 6, 3, 0>}> : (tensor<13x4xf32>) -> tensor<14x4xf32>
  return %r : tensor<14x4xf32>
}
"#,
    ),
    (
        "reversed parts across shards",
        4,
        r#"func.func @main(%a0: tensor<16x4xf32>, %a1: tensor<7x4xf32>) -> tensor<24x4xf32> {
  %r = "meshwright.rearrange"(%a0, %a1) <{dim = 0 : i64, parts = array<i64: 0, 1, 9, 1, 1, 2, 5, 1, 0, 10, 6, 1, 1, 0, 2, 0, 0, 3, 2, 1>}> : (tensor<16x4xf32>, tensor<7x4xf32>) -> tensor<24x4xf32>
  return %r : tensor<24x4xf32>
}
"#,
    ),
    (
        "more than there is",
        4,
        r#"func.func @main(%a0: tensor<3x4xf32>) -> tensor<12x4xf32> {
  %r = "meshwright.rearrange"(%a0) <{dim = 0 : i64, parts = array<i64: 0, 0, 3, 1, 0, 0, 3, 0, 0, 1, 2, 1, 0, 0, 3, 0, 0, 0, 1, 0>}> : (tensor<3x4xf32>) -> tensor<12x4xf32>
  return %r : tensor<12x4xf32>
}
"#,
    ),
    (
        "concatenate 5",
        4,
        r#"func.func @main(%a0: tensor<5x4xf32>) -> (tensor<5x4xf32>) {
  %r = stablehlo.concatenate %a0, dim = 0 : (tensor<5x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
"#,
    ),
    (
        "reverse 8",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>) {
  %r = stablehlo.reverse %a, dims = [0] : tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
"#,
    ),
    (
        "reverse 6",
        4,
        r#"func.func @main(%a: tensor<6x4xf32>) -> (tensor<6x4xf32>) {
  %r = stablehlo.reverse %a, dims = [0] : tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}
"#,
    ),
    (
        "reverse 5",
        4,
        r#"func.func @main(%a: tensor<5x4xf32>) -> (tensor<5x4xf32>) {
  %r = stablehlo.reverse %a, dims = [0] : tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
"#,
    ),
    (
        "reverse 3",
        4,
        r#"func.func @main(%a: tensor<3x4xf32>) -> (tensor<3x4xf32>) {
  %r = stablehlo.reverse %a, dims = [0] : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
"#,
    ),
    (
        "reverse both dims",
        4,
        r#"func.func @main(%a: tensor<8x5xf32>) -> (tensor<8x5xf32>) {
  %r = stablehlo.reverse %a, dims = [1, 0] : tensor<8x5xf32>
  return %r : tensor<8x5xf32>
}
"#,
    ),
];
