//! The programs: a name, the least number of ways to shard it, and the text.

pub(crate) const ALL: &[(&str, usize, &str)] = &[
    (
        "rows of a table",
        8,
        r#"func.func @main(%t: tensor<8x4xf32>, %i: tensor<4x6x1xi32>) -> (tensor<4x6x4xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<4x6x1xi32>) -> tensor<4x6x4xf32>
  return %0 : tensor<4x6x4xf32>
}
"#,
    ),
    (
        "rows by plain unsigned bytes",
        8,
        r#"func.func @main(%t: tensor<8x4xf32>, %i: tensor<6xui8>) -> (tensor<4x6xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<6xui8>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
"#,
    ),
    (
        "elements by pairs, components first",
        8,
        r#"func.func @main(%t: tensor<4x2x8xf32>, %i: tensor<2x6xi32>) -> (tensor<6x2xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [2, 0]>, slice_sizes = array<i64: 1, 2, 1>}> : (tensor<4x2x8xf32>, tensor<2x6xi32>) -> tensor<6x2xf32>
  return %0 : tensor<6x2xf32>
}
"#,
    ),
    (
        "batches of windows",
        4,
        r#"func.func @main(%t: tensor<4x6x8xf32>, %i: tensor<6x4x1xi32>) -> (tensor<6x4x3xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<4x6x8xf32>, tensor<6x4x1xi32>) -> tensor<6x4x3xf32>
  return %0 : tensor<6x4x3xf32>
}
"#,
    ),
    (
        "one position of each row, its dim kept",
        6,
        r#"func.func @main(%t: tensor<4x6x8xf32>, %i: tensor<4x1xi32>) -> (tensor<4x1x8xf32>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<4x6x8xf32>, tensor<4x1xi32>) -> tensor<4x1x8xf32>
  return %0 : tensor<4x1x8xf32>
}
"#,
    ),
    (
        "one position of each row replaced, its dim kept, the others from zero",
        6,
        r#"func.func @main(%t: tensor<4x6x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x1x8xf32>) -> (tensor<4x6x8xf32>) {
  %z = stablehlo.constant dense<0> : tensor<4x1xi32>
  %p = stablehlo.concatenate %i, %z, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %0 = "stablehlo.scatter"(%t, %p, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x6x8xf32>, tensor<4x2xi32>, tensor<4x1x8xf32>) -> tensor<4x6x8xf32>
  return %0 : tensor<4x6x8xf32>
}
"#,
    ),
    (
        "one element of each row, the rows counted by an index",
        4,
        r#"func.func @main(%t: tensor<8x6xf32>, %i: tensor<8x1xi32>, %u: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x6xf32>) {
  %n = stablehlo.iota dim = 0 : tensor<8x1xi32>
  %p = stablehlo.concatenate %i, %n, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %0 = "stablehlo.gather"(%t, %p) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x6xf32>, tensor<8x2xi32>) -> tensor<8xf32>
  %1 = "stablehlo.scatter"(%t, %p, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<8x2xi32>, tensor<8xf32>) -> tensor<8x6xf32>
  return %0, %1 : tensor<8xf32>, tensor<8x6xf32>
}
"#,
    ),
    (
        "sums into rows",
        10,
        r#"func.func @main(%t: tensor<8x4xf32>, %i: tensor<4x6x1xi32>, %u: tensor<4x6x4xf32>) -> (tensor<8x4xf32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<4x6x1xi32>, tensor<4x6x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"#,
    ),
    (
        "maxima into rows",
        10,
        r#"func.func @main(%t: tensor<8x4xf32>, %i: tensor<4x6x1xi32>, %u: tensor<4x6x4xf32>) -> (tensor<8x4xf32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<4x6x1xi32>, tensor<4x6x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"#,
    ),
    (
        "products into rows",
        10,
        r#"func.func @main(%t: tensor<8x4xf32>, %i: tensor<4x6x1xi32>, %u: tensor<4x6x4xf32>) -> (tensor<8x4xf32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<4x6x1xi32>, tensor<4x6x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"#,
    ),
    (
        "rows replaced",
        4,
        r#"func.func @main(%t: tensor<8x4xf32>, %i: tensor<4x6x1xi32>, %u: tensor<4x6x4xf32>) -> (tensor<8x4xf32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<4x6x1xi32>, tensor<4x6x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"#,
    ),
    (
        "rows combined in order",
        4,
        r#"func.func @main(%t: tensor<8x4xf32>, %i: tensor<4x6x1xi32>, %u: tensor<4x6x4xf32>) -> (tensor<8x4xf32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<4x6x1xi32>, tensor<4x6x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"#,
    ),
    (
        "sums into zeros",
        10,
        r#"func.func @main(%i: tensor<4x6x1xi32>, %u: tensor<4x6x4xf32>) -> (tensor<8x4xf32>) {
  %t = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<4x6x1xi32>, tensor<4x6x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"#,
    ),
    (
        "batches of sums",
        6,
        r#"func.func @main(%t: tensor<4x6x8xf32>, %i: tensor<4x6x2x1xi32>, %u: tensor<4x6x2xf32>) -> (tensor<4x6x8xf32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6x8xf32>, tensor<4x6x2x1xi32>, tensor<4x6x2xf32>) -> tensor<4x6x8xf32>
  return %0 : tensor<4x6x8xf32>
}
"#,
    ),
    (
        "sums at pairs, windows over the edge",
        5,
        r#"func.func @main(%t: tensor<4x8x4xf32>, %i: tensor<6x2xi32>, %u: tensor<2x6xf32>) -> (tensor<4x8x4xf32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x8x4xf32>, tensor<6x2xi32>, tensor<2x6xf32>) -> tensor<4x8x4xf32>
  return %0 : tensor<4x8x4xf32>
}
"#,
    ),
    (
        "two tables at once",
        2,
        r#"func.func @main(%t: tensor<8xf32>, %s: tensor<8xi32>, %i: tensor<6x1xi32>, %u: tensor<6xf32>, %v: tensor<6xi32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %0:2 = "stablehlo.scatter"(%t, %s, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %r = stablehlo.add %a, %c : tensor<f32>
    %q = stablehlo.maximum %b, %d : tensor<i32>
    stablehlo.return %r, %q : tensor<f32>, tensor<i32>
  }) : (tensor<8xf32>, tensor<8xi32>, tensor<6x1xi32>, tensor<6xf32>, tensor<6xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>
}
"#,
    ),
    (
        "convolution",
        8,
        r#"func.func @main(%x: tensor<4x5x6x4xf32>, %k: tensor<2x3x4x6xf32>) -> (tensor<4x3x6x6xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 0], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x5x6x4xf32>, tensor<2x3x4x6xf32>) -> tensor<4x3x6x6xf32>
  return %0 : tensor<4x3x6x6xf32>
}
"#,
    ),
    (
        "convolution by ones",
        8,
        r#"func.func @main(%x: tensor<4x4x8xf32>, %k: tensor<1x4x6xf32>) -> (tensor<4x6x8xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[0, i, o]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x4x8xf32>, tensor<1x4x6xf32>) -> tensor<4x6x8xf32>
  return %0 : tensor<4x6x8xf32>
}
"#,
    ),
    (
        "depthwise convolution",
        4,
        r#"func.func @main(%x: tensor<4x8x4xf32>, %k: tensor<4x1x4xf32>) -> (tensor<4x8x4xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[3, 0]]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x8x4xf32>, tensor<4x1x4xf32>) -> tensor<4x8x4xf32>
  return %0 : tensor<4x8x4xf32>
}
"#,
    ),
    (
        "feature groups",
        6,
        r#"func.func @main(%x: tensor<4x8x8xf32>, %k: tensor<3x2x16xf32>) -> (tensor<4x6x16xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x8x8xf32>, tensor<3x2x16xf32>) -> tensor<4x6x16xf32>
  return %0 : tensor<4x6x16xf32>
}
"#,
    ),
    (
        "batch groups",
        6,
        r#"func.func @main(%x: tensor<8x6x4xf32>, %k: tensor<6x4x8xf32>) -> (tensor<2x4x8xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<8x6x4xf32>, tensor<6x4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}
"#,
    ),
    (
        "cumulative sum",
        2,
        r#"func.func @main(%x: tensor<4x6x2xf32>) -> (tensor<4x6x2xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [5, 0], [0, 0]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 6, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6x2xf32>, tensor<f32>) -> tensor<4x6x2xf32>
  return %0 : tensor<4x6x2xf32>
}
"#,
    ),
    (
        "dynamic slices",
        4,
        r#"func.func @main(%x: tensor<4x8x6xf32>, %i: tensor<i32>) -> (tensor<4x3x6xf32>) {
  %0 = stablehlo.dynamic_slice %x, %i, %i, %i, sizes = [4, 3, 6] : (tensor<4x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x3x6xf32>
  return %0 : tensor<4x3x6xf32>
}
"#,
    ),
    (
        "dynamic updates",
        4,
        r#"func.func @main(%x: tensor<4x8x6xf32>, %u: tensor<4x3x6xf32>, %i: tensor<i32>) -> (tensor<4x8x6xf32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i, %i : (tensor<4x8x6xf32>, tensor<4x3x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x6xf32>
  return %0 : tensor<4x8x6xf32>
}
"#,
    ),
    (
        "dynamic slices of one, small indices",
        4,
        r#"func.func @main(%x: tensor<9x5xbf16>, %i: tensor<i8>, %j: tensor<i8>) -> (tensor<1x4xbf16>) {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [1, 4] : (tensor<9x5xbf16>, tensor<i8>, tensor<i8>) -> tensor<1x4xbf16>
  return %0 : tensor<1x4xbf16>
}
"#,
    ),
    (
        "dynamic slices of nearly all",
        4,
        r#"func.func @main(%x: tensor<11x6xi1>, %i: tensor<ui32>, %j: tensor<ui32>) -> (tensor<10x2xi1>) {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [10, 2] : (tensor<11x6xi1>, tensor<ui32>, tensor<ui32>) -> tensor<10x2xi1>
  return %0 : tensor<10x2xi1>
}
"#,
    ),
    (
        "dynamic updates of one, small indices",
        4,
        r#"func.func @main(%x: tensor<9x5xbf16>, %u: tensor<1x4xbf16>, %i: tensor<i8>, %j: tensor<i8>) -> (tensor<9x5xbf16>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<9x5xbf16>, tensor<1x4xbf16>, tensor<i8>, tensor<i8>) -> tensor<9x5xbf16>
  return %0 : tensor<9x5xbf16>
}
"#,
    ),
    (
        "dynamic updates of nearly all",
        4,
        r#"func.func @main(%x: tensor<11x6xi1>, %u: tensor<10x2xi1>, %i: tensor<ui32>, %j: tensor<ui32>) -> (tensor<11x6xi1>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<11x6xi1>, tensor<10x2xi1>, tensor<ui32>, tensor<ui32>) -> tensor<11x6xi1>
  return %0 : tensor<11x6xi1>
}
"#,
    ),
    (
        "dynamic updates at known places",
        4,
        r#"func.func @main(%x: tensor<9x6xf32>, %u: tensor<4x2xf32>) -> (tensor<9x6xf32>) {
  %i = stablehlo.constant dense<7> : tensor<i64>
  %j = stablehlo.constant dense<-2> : tensor<i64>
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<9x6xf32>, tensor<4x2xf32>, tensor<i64>, tensor<i64>) -> tensor<9x6xf32>
  return %0 : tensor<9x6xf32>
}
"#,
    ),
    (
        "largest two",
        4,
        r#"func.func @main(%x: tensor<4x6x8xf32>) -> (tensor<4x6x2xf32>, tensor<4x6x2xi32>) {
  %v, %i = chlo.top_k(%x, k = 2) : tensor<4x6x8xf32> -> (tensor<4x6x2xf32>, tensor<4x6x2xi32>)
  return %v, %i : tensor<4x6x2xf32>, tensor<4x6x2xi32>
}
"#,
    ),
    (
        "sorted together",
        4,
        r#"func.func @main(%x: tensor<4x8x6xf32>, %y: tensor<4x8x6xi32>) -> (tensor<4x8x6xf32>, tensor<4x8x6xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %r = stablehlo.compare GT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4x8x6xf32>, tensor<4x8x6xi32>) -> (tensor<4x8x6xf32>, tensor<4x8x6xi32>)
  return %0#0, %0#1 : tensor<4x8x6xf32>, tensor<4x8x6xi32>
}
"#,
    ),
    (
        "sum from a start",
        6,
        r#"func.func @main(%x: tensor<4x6x8xf32>) -> (tensor<6xf32>) {
  %z = stablehlo.constant dense<0.01> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
"#,
    ),
    (
        "maximum from a start",
        6,
        r#"func.func @main(%x: tensor<4x6x8xf32>) -> (tensor<6xf32>) {
  %z = stablehlo.constant dense<0.01> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0, 2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
"#,
    ),
    (
        "product from a start",
        6,
        r#"func.func @main(%x: tensor<4x6x8xf32>) -> (tensor<6xf32>) {
  %z = stablehlo.constant dense<0.01> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.multiply across dimensions = [0, 2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
"#,
    ),
    (
        "position of the maximum",
        2,
        r#"func.func @main(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %0:2 = stablehlo.reduce(%x init: %z), (%p init: %n) across dimensions = [1] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %g = stablehlo.compare GE, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %g, %a, %c : tensor<i1>, tensor<f32>
    %w = stablehlo.select %g, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}
"#,
    ),
    (
        "batched product",
        10,
        r#"func.func @main(%x: tensor<4x6x8xf32>, %y: tensor<4x8x2xf32>) -> (tensor<4x6x2xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x6x8xf32>, tensor<4x8x2xf32>) -> tensor<4x6x2xf32>
  return %0 : tensor<4x6x2xf32>
}
"#,
    ),
    (
        "branches that use values around them",
        3,
        r#"func.func @main(%x: tensor<4x8xf32>, %i: tensor<i32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  %h = stablehlo.add %x, %x : tensor<4x8xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.case"(%i) ({
    %a = stablehlo.reduce(%h init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    stablehlo.return %a : tensor<8xf32>
  }, {
    %a = stablehlo.reduce(%h init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %g = stablehlo.compare GT, %i, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = "stablehlo.if"(%g) ({
    stablehlo.return %h : tensor<4x8xf32>
  }, {
    stablehlo.return %x : tensor<4x8xf32>
  }) : (tensor<i1>) -> tensor<4x8xf32>
  return %0, %1 : tensor<8xf32>, tensor<4x8xf32>
}
"#,
    ),
    (
        "scan of Mamba-2",
        13,
        r#"func.func @main(%x: tensor<4x5x8x6xf32>, %s: tensor<4x5x8xf32>, %a: tensor<8xf32>, %w: tensor<4x5x2x3xf32>, %r: tensor<4x5x2x3xf32>) -> tensor<4x5x8x6xf32> {
  %y = stablehlo.custom_call @mamba_chunk_scan_combined_fwd(%x, %s, %a, %w, %r) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} : (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>) -> tensor<4x5x8x6xf32>
  return %y : tensor<4x5x8x6xf32>
}
"#,
    ),
    (
        "gradients of the scan of Mamba-2",
        13,
        r#"func.func @main(%x: tensor<4x5x8x6xf32>, %s: tensor<4x5x8xf32>, %a: tensor<8xf32>, %w: tensor<4x5x2x3xf32>, %r: tensor<4x5x2x3xf32>, %g: tensor<4x5x8x6xf32>) -> (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>) {
  %d:5 = stablehlo.custom_call @mamba_chunk_scan_combined_bwd(%x, %s, %a, %w, %r, %g) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} : (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>, tensor<4x5x8x6xf32>) -> (tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>)
  return %d#0, %d#1, %d#2, %d#3, %d#4 : tensor<4x5x8x6xf32>, tensor<4x5x8xf32>, tensor<4x8xf32>, tensor<4x5x2x3xf32>, tensor<4x5x2x3xf32>
}
"#,
    ),
];
