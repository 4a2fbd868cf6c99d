//! Reducers that are none of the plain ones, running totals, scatters that multiply or take extremes, and windows that hang
//! over edges.

use super::{Case, case};

pub(crate) const REDUCERS: &[Case] = &[
    case(
        "a reduction by a region, which begins with a number",
        &["3x2x5xf64", "f64"],
        r#"%y = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0, 2>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %m = stablehlo.maximum %l, %r : tensor<f64>
           %d = stablehlo.subtract %l, %r : tensor<f64>
           %s = stablehlo.abs %d : tensor<f64>
           %n = stablehlo.negate %s : tensor<f64>
           %e = stablehlo.exponential %n : tensor<f64>
           %p = stablehlo.log_plus_one %e : tensor<f64>
           %t = stablehlo.add %m, %p : tensor<f64>
           stablehlo.return %t : tensor<f64>
         }) : (tensor<3x2x5xf64>, tensor<f64>) -> tensor<2xf64>"#,
        "2xf64",
    ),
    case(
        "the largest element with what belongs to it",
        &["2x7xf64", "2x7xf64"],
        r#"%low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
         %zero = stablehlo.constant dense<0.0> : tensor<f64>
         %0:2 = "stablehlo.reduce"(%a, %b, %low, %zero) <{dimensions = array<i64: 1>}> ({
         ^bb0(%l: tensor<f64>, %m: tensor<f64>, %r: tensor<f64>, %s: tensor<f64>):
           %c = stablehlo.compare GE, %l, %r, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
           %x = stablehlo.select %c, %l, %r : tensor<i1>, tensor<f64>
           %z = stablehlo.select %c, %m, %s : tensor<i1>, tensor<f64>
           stablehlo.return %x, %z : tensor<f64>, tensor<f64>
         }) : (tensor<2x7xf64>, tensor<2x7xf64>, tensor<f64>, tensor<f64>) -> (tensor<2xf64>, tensor<2xf64>)
         %y = stablehlo.multiply %0#0, %0#1 : tensor<2xf64>"#,
        "2xf64",
    ),
    case(
        "windows that multiply, with padding, steps and a number that they begin with",
        &["5x6xf64", "f64"],
        r#"%y = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 3>,
           window_strides = array<i64: 2, 1>, window_dilations = array<i64: 1, 2>,
           padding = dense<[[1, 0], [2, -1]]> : tensor<2x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.multiply %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<5x6xf64>, tensor<f64>) -> tensor<3x3xf64>"#,
        "3x3xf64",
    ),
    case(
        "sums of windows whose padding is a number",
        &["5xf64", "f64"],
        r#"%y = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 3>,
           padding = dense<[[2, 1]]> : tensor<1x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.add %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<5xf64>, tensor<f64>) -> tensor<6xf64>"#,
        "6xf64",
    ),
    case(
        "extremes of windows with gaps",
        &["9xf64"],
        r#"%low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
         %high = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
         %0 = "stablehlo.reduce_window"(%a, %low) <{window_dimensions = array<i64: 3>,
           window_dilations = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.maximum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<9xf64>, tensor<f64>) -> tensor<7xf64>
         %1 = "stablehlo.reduce_window"(%a, %high) <{window_dimensions = array<i64: 5>,
           base_dilations = array<i64: 2>, window_strides = array<i64: 2>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.minimum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<9xf64>, tensor<f64>) -> tensor<7xf64>
         %y = stablehlo.multiply %0, %1 : tensor<7xf64>"#,
        "7xf64",
    ),
    case(
        "running totals, both ways",
        &["2x7xf64"],
        r#"%one = stablehlo.constant dense<1.0> : tensor<f64>
         %low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
         %0 = "stablehlo.reduce_window"(%a, %one) <{window_dimensions = array<i64: 1, 7>,
           padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.multiply %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<2x7xf64>, tensor<f64>) -> tensor<2x7xf64>
         %1 = "stablehlo.reduce_window"(%a, %low) <{window_dimensions = array<i64: 1, 7>,
           padding = dense<[[0, 0], [0, 6]]> : tensor<2x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %m = stablehlo.maximum %l, %r : tensor<f64>
           %d = stablehlo.subtract %l, %r : tensor<f64>
           %n = stablehlo.compare NE, %d, %d, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
           %b = stablehlo.add %l, %r : tensor<f64>
           %s = stablehlo.abs %d : tensor<f64>
           %g = stablehlo.negate %s : tensor<f64>
           %e = stablehlo.exponential %g : tensor<f64>
           %p = stablehlo.log_plus_one %e : tensor<f64>
           %t = stablehlo.add %m, %p : tensor<f64>
           %c = stablehlo.select %n, %b, %t : tensor<i1>, tensor<f64>
           stablehlo.return %c : tensor<f64>
         }) : (tensor<2x7xf64>, tensor<f64>) -> tensor<2x7xf64>
         %2 = "stablehlo.reduce_window"(%a, %low) <{window_dimensions = array<i64: 2, 1>,
           padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.maximum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<2x7xf64>, tensor<f64>) -> tensor<2x7xf64>
         %3 = stablehlo.multiply %0, %1 : tensor<2x7xf64>
         %y = stablehlo.multiply %3, %2 : tensor<2x7xf64>"#,
        "2x7xf64",
    ),
    case(
        "a running total in a loop",
        &["3xf64", "4x3xf64"],
        r#"%first = stablehlo.constant dense<0> : tensor<i32>
         %0:2 = stablehlo.while(%i = %first, %x = %a) : tensor<i32>, tensor<3xf64>
         cond {
           %four = stablehlo.constant dense<4> : tensor<i32>
           %c = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
           stablehlo.return %c : tensor<i1>
         } do {
           %one = stablehlo.constant dense<1> : tensor<i32>
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %j = stablehlo.add %i, %one : tensor<i32>
           %w = stablehlo.dynamic_slice %b, %i, %zero, sizes = [1, 3] : (tensor<4x3xf64>, tensor<i32>, tensor<i32>) -> tensor<1x3xf64>
           %v = stablehlo.reshape %w : (tensor<1x3xf64>) -> tensor<3xf64>
           %s = stablehlo.sine %x : tensor<3xf64>
           %m = stablehlo.add %s, %v : tensor<3xf64>
           %n = stablehlo.constant dense<1.0> : tensor<f64>
           %t = "stablehlo.reduce_window"(%m, %n) <{window_dimensions = array<i64: 3>,
             padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
           ^bb0(%l: tensor<f64>, %r: tensor<f64>):
             %p = stablehlo.multiply %l, %r : tensor<f64>
             stablehlo.return %p : tensor<f64>
           }) : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
           stablehlo.return %j, %t : tensor<i32>, tensor<3xf64>
         }
         %y = stablehlo.multiply %0#1, %a : tensor<3xf64>"#,
        "3xf64",
    ),
    case(
        "scatters that multiply and take extremes, at places that come twice or are not there",
        &["4x2xf64", "5x2xf64"],
        r#"%i = stablehlo.constant dense<[[2], [0], [2], [9], [-1]]> : tensor<5x1xi32>
         %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
           inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.multiply %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<4x2xf64>, tensor<5x1xi32>, tensor<5x2xf64>) -> tensor<4x2xf64>
         %1 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
           inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.maximum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<4x2xf64>, tensor<5x1xi32>, tensor<5x2xf64>) -> tensor<4x2xf64>
         %2 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
           inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.minimum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<4x2xf64>, tensor<5x1xi32>, tensor<5x2xf64>) -> tensor<4x2xf64>
         %3 = stablehlo.multiply %1, %2 : tensor<4x2xf64>
         %y = stablehlo.add %0, %3 : tensor<4x2xf64>"#,
        "4x2xf64",
    ),
    case(
        "a scatter that multiplies by zeros",
        &["3xf64", "5xf64"],
        r#"%i = stablehlo.constant dense<[[0], [0], [1], [1], [2]]> : tensor<5x1xi32>
         %mask = stablehlo.constant dense<[0.0, 1.0, 0.0, 0.0, 1.0]> : tensor<5xf64>
         %u = stablehlo.multiply %b, %mask : tensor<5xf64>
         %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
           inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.multiply %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<3xf64>, tensor<5x1xi32>, tensor<5xf64>) -> tensor<3xf64>"#,
        "3xf64",
    ),
    case(
        "updates whose windows hang over edges",
        &["5x3xf64", "4x2x2xf64"],
        r#"%i = stablehlo.constant dense<[[3, 2], [-1, 0], [1, 1], [9, -9]]> : tensor<4x2xi8>
         %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
           scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.add %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<5x3xf64>, tensor<4x2xi8>, tensor<4x2x2xf64>) -> tensor<5x3xf64>
         %1 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
           scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           stablehlo.return %r : tensor<f64>
         }) : (tensor<5x3xf64>, tensor<4x2xi8>, tensor<4x2x2xf64>) -> tensor<5x3xf64>
         %y = stablehlo.multiply %0, %1 : tensor<5x3xf64>"#,
        "5x3xf64",
    ),
    case(
        "a scatter to what is selected of windows",
        &["5x6xf64", "2x4xf64", "f64"],
        r#"%x = stablehlo.constant dense<1.0> : tensor<f64>
         %y = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 3, 3>,
           window_strides = array<i64: 3, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.compare GE, %l, %r, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
           stablehlo.return %s : tensor<i1>
         }, {
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.add %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<5x6xf64>, tensor<2x4xf64>, tensor<f64>) -> tensor<5x6xf64>"#,
        "5x6xf64",
    ),
];
