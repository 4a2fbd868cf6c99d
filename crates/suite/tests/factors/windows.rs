//! Windows that slide along sharded dims: a name, the least number of ways to shard it, and the text.

pub(crate) const ALL: &[(&str, usize, &str)] = &[
    (
        "pooling",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>) -> (tensor<4x4xf32>) {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
"#,
    ),
    (
        "windows of three",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
"#,
    ),
    (
        "windows with an argument to start from",
        4,
        r#"func.func @main(%a: tensor<9x4xf32>, %i: tensor<f32>) -> (tensor<9x4xf32>) {
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<9x4xf32>, tensor<f32>) -> tensor<9x4xf32>
  return %r : tensor<9x4xf32>
}
"#,
    ),
    (
        "strided windows",
        4,
        r#"func.func @main(%a: tensor<13x4xf32>) -> (tensor<5x4xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 3, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<13x4xf32>, tensor<f32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
"#,
    ),
    (
        "dilated windows",
        4,
        r#"func.func @main(%a: tensor<12x4xf32>) -> (tensor<11x4xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 3], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<12x4xf32>, tensor<f32>) -> tensor<11x4xf32>
  return %r : tensor<11x4xf32>
}
"#,
    ),
    (
        "dilated inputs",
        4,
        r#"func.func @main(%a: tensor<7x4xf32>) -> (tensor<7x4xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 2], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<7x4xf32>, tensor<f32>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}
"#,
    ),
    (
        "dilated inputs, other phases",
        4,
        r#"func.func @main(%a: tensor<7x4xf32>) -> (tensor<20x4xf32>) {
  %i = stablehlo.constant dense<0.5> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 3, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<7x4xf32>, tensor<f32>) -> tensor<20x4xf32>
  return %r : tensor<20x4xf32>
}
"#,
    ),
    (
        "negative padding",
        4,
        r#"func.func @main(%a: tensor<12x4xf32>) -> (tensor<4x4xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[-2, -1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<12x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
"#,
    ),
    (
        "windows in two dims",
        4,
        r#"func.func @main(%a: tensor<8x6xf32>) -> (tensor<8x3xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}
"#,
    ),
    (
        "running sum",
        4,
        r#"func.func @main(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
"#,
    ),
    (
        "running sum of an odd length",
        4,
        r#"func.func @main(%a: tensor<7x4xf32>) -> (tensor<7x4xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[6, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 7, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<7x4xf32>, tensor<f32>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}
"#,
    ),
    (
        "running maximum from behind",
        4,
        r#"func.func @main(%a: tensor<7x4xf32>) -> (tensor<7x4xf32>) {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 6], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 7, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<7x4xf32>, tensor<f32>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}
"#,
    ),
    (
        "running sums in two dims",
        4,
        r#"func.func @main(%a: tensor<6x5xf32>) -> (tensor<6x5xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[5, 0], [0, 4]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 6, 5>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<f32>) -> tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}
"#,
    ),
    (
        "running sum from something",
        4,
        r#"func.func @main(%a: tensor<6x4xf32>) -> (tensor<6x4xf32>) {
  %i = stablehlo.constant dense<0.5> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[5, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 6, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x4xf32>, tensor<f32>) -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}
"#,
    ),
    (
        "running sum of integers",
        4,
        r#"func.func @main(%a: tensor<6x4xi32>) -> (tensor<6x4xi32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[5, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 6, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<6x4xi32>, tensor<i32>) -> tensor<6x4xi32>
  return %r : tensor<6x4xi32>
}
"#,
    ),
    (
        "running sum over a longer dim",
        4,
        r#"func.func @main(%a: tensor<4x16xf32>) -> (tensor<4x16xf32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 16>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x16xf32>, tensor<f32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}
"#,
    ),
    (
        "convolution",
        8,
        r#"func.func @main(%a: tensor<4x3x8xf32>, %k: tensor<4x3x3xf32>) -> (tensor<4x4x8xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x3x8xf32>, tensor<4x3x3xf32>) -> tensor<4x4x8xf32>
  return %r : tensor<4x4x8xf32>
}
"#,
    ),
    (
        "strided convolution",
        8,
        r#"func.func @main(%a: tensor<2x3x9xf32>, %k: tensor<4x3x3xf32>) -> (tensor<2x4x4xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x4xf32>
  return %r : tensor<2x4x4xf32>
}
"#,
    ),
    (
        "convolution with both dilations",
        8,
        r#"func.func @main(%a: tensor<2x2x7xf32>, %k: tensor<4x2x3xf32>) -> (tensor<2x4x14xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[2, 3]], lhs_dilate = [2], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x7xf32>, tensor<4x2x3xf32>) -> tensor<2x4x14xf32>
  return %r : tensor<2x4x14xf32>
}
"#,
    ),
    (
        "transposed convolution",
        8,
        r#"func.func @main(%a: tensor<2x2x5xf32>, %k: tensor<2x2x4xf32>) -> (tensor<2x2x14xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [3], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x5xf32>, tensor<2x2x4xf32>) -> tensor<2x2x14xf32>
  return %r : tensor<2x2x14xf32>
}
"#,
    ),
    (
        "reversed convolution",
        8,
        r#"func.func @main(%a: tensor<2x2x8xf32>, %k: tensor<4x2x3xf32>) -> (tensor<2x4x8xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 2]], lhs_dilate = [1], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x8xf32>, tensor<4x2x3xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}
"#,
    ),
    (
        "convolution of images",
        8,
        r#"func.func @main(%a: tensor<2x2x6x8xf32>, %k: tensor<3x2x3x2xf32>) -> (tensor<2x3x6x4xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x6x8xf32>, tensor<3x2x3x2xf32>) -> tensor<2x3x6x4xf32>
  return %r : tensor<2x3x6x4xf32>
}
"#,
    ),
    (
        "causal convolution of groups",
        8,
        r#"func.func @main(%a: tensor<2x4x8xf32>, %k: tensor<4x1x4xf32>) -> (tensor<2x4x8xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x4x8xf32>, tensor<4x1x4xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}
"#,
    ),
    (
        "gradient of a kernel",
        8,
        r#"func.func @main(%a: tensor<2x3x8xf32>, %k: tensor<4x3x8xf32>) -> (tensor<2x4x3xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x8xf32>, tensor<4x3x8xf32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}
"#,
    ),
    (
        "gradient of a strided kernel",
        8,
        r#"func.func @main(%a: tensor<2x3x9xf32>, %k: tensor<4x3x4xf32>) -> (tensor<2x4x5xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x9xf32>, tensor<4x3x4xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}
"#,
    ),
    (
        "gradient of a kernel, reversed",
        8,
        r#"func.func @main(%a: tensor<2x3x10xf32>, %k: tensor<4x3x7xf32>) -> (tensor<2x4x4xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2], pad = [[1, 2]], lhs_dilate = [1], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x10xf32>, tensor<4x3x7xf32>) -> tensor<2x4x4xf32>
  return %r : tensor<2x4x4xf32>
}
"#,
    ),
    (
        "large kernels with dilated inputs",
        8,
        r#"func.func @main(%a: tensor<2x2x5xf32>, %k: tensor<2x2x8xf32>) -> (tensor<2x2x4xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 2]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x5xf32>, tensor<2x2x8xf32>) -> tensor<2x2x4xf32>
  return %r : tensor<2x2x4xf32>
}
"#,
    ),
    (
        "gradient of an image kernel",
        8,
        r#"func.func @main(%a: tensor<2x3x6x7xf32>, %k: tensor<4x3x6x6xf32>) -> (tensor<2x4x3x3xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x6x7xf32>, tensor<4x3x6x6xf32>) -> tensor<2x4x3x3xf32>
  return %r : tensor<2x4x3x3xf32>
}
"#,
    ),
    (
        "batches in groups",
        8,
        r#"func.func @main(%a: tensor<4x2x8xf32>, %k: tensor<4x2x3xf32>) -> (tensor<2x4x8xf32>) {
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x2x8xf32>, tensor<4x2x3xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}
"#,
    ),
];
