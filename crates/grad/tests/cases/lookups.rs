//! Gathers with indices outside of their table, each with the number of clamps that its backward pass needs.

use super::{Case, case};

pub(crate) const LOOKUPS: &[(usize, Case)] = &[
    (
        1,
        case(
            "rows before the first and behind the last one",
            &["4x3xf64"],
            r#"%i = stablehlo.constant dense<[-2, 1, 3, 4, 9]> : tensor<5xi32>
               %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
               collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
               slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf64>, tensor<5xi32>) -> tensor<5x3xf64>"#,
            "5x3xf64",
        ),
    ),
    (
        1,
        case(
            "windows that hang over edges, with a room of their own along each dim",
            &["4x5xf64"],
            r#"%i = stablehlo.constant dense<[[-1, 1], [2, 4], [1, 1], [9, -9]]> : tensor<4x2xi64>
               %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
               start_index_map = [1, 0], index_vector_dim = 1>,
               slice_sizes = array<i64: 3, 2>}> : (tensor<4x5xf64>, tensor<4x2xi64>) -> tensor<4x3x2xf64>"#,
            "4x3x2xf64",
        ),
    ),
    (
        1,
        case(
            "indices that cannot name the last row",
            &["140x2xf64"],
            r#"%i = stablehlo.constant dense<[-128, 127, 3]> : tensor<3xi8>
               %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
               collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
               slice_sizes = array<i64: 1, 2>}> : (tensor<140x2xf64>, tensor<3xi8>) -> tensor<3x2xf64>"#,
            "3x2xf64",
        ),
    ),
    (
        1,
        case(
            "one position of each row",
            &["3x4xf64", "3x2xi32"],
            r#"%four = stablehlo.constant dense<4> : tensor<3x2xi32>
               %i = stablehlo.multiply %b, %four : tensor<3x2xi32>
               %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
               operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1],
               index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> :
               (tensor<3x4xf64>, tensor<3x2xi32>) -> tensor<3x2xf64>"#,
            "3x2xf64",
        ),
    ),
    (
        0,
        case(
            "rows at numbers that are clamped",
            &["4x3xf64", "5xi32"],
            r#"%zero = stablehlo.constant dense<0> : tensor<i32>
               %three = stablehlo.constant dense<3> : tensor<i32>
               %nine = stablehlo.constant dense<9> : tensor<5xi32>
               %n = stablehlo.multiply %b, %nine : tensor<5xi32>
               %i = stablehlo.clamp %zero, %n, %three : (tensor<i32>, tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
               %y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
               collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
               slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf64>, tensor<5xi32>) -> tensor<5x3xf64>"#,
            "5x3xf64",
        ),
    ),
    (
        0,
        case(
            "rows outside are filled",
            &["4x3xf64"],
            r#"%i = stablehlo.constant dense<[[-2], [1], [3], [4], [9]]> : tensor<5x1xi32>
               %zero = stablehlo.constant dense<0> : tensor<5x1xi32>
               %last = stablehlo.constant dense<3> : tensor<1xi32>
               %room = stablehlo.broadcast_in_dim %last, dims = [1] : (tensor<1xi32>) -> tensor<5x1xi32>
               %0 = stablehlo.compare GE, %i, %zero, SIGNED : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
               %1 = stablehlo.compare LE, %i, %room, SIGNED : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
               %2 = stablehlo.and %0, %1 : tensor<5x1xi1>
               %true = stablehlo.constant dense<true> : tensor<i1>
               %3 = stablehlo.reduce(%2 init: %true) applies stablehlo.and across dimensions = [1] :
               (tensor<5x1xi1>, tensor<i1>) -> tensor<5xi1>
               %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<5xi1>) -> tensor<5x3xi1>
               %5 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
               collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
               slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf64>, tensor<5x1xi32>) -> tensor<5x3xf64>
               %half = stablehlo.constant dense<0.5> : tensor<5x3xf64>
               %y = stablehlo.select %4, %5, %half : tensor<5x3xi1>, tensor<5x3xf64>"#,
            "5x3xf64",
        ),
    ),
    (
        1,
        case(
            "other rows are filled than those outside",
            &["4x3xf64"],
            r#"%i = stablehlo.constant dense<[-2, 1, 3, 4, 9]> : tensor<5xi32>
               %four = stablehlo.constant dense<4> : tensor<5xi32>
               %0 = stablehlo.compare LE, %i, %four, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
               %1 = stablehlo.and %0, %0 : tensor<5xi1>
               %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<5xi1>) -> tensor<5x3xi1>
               %3 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
               collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
               slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf64>, tensor<5xi32>) -> tensor<5x3xf64>
               %half = stablehlo.constant dense<0.5> : tensor<5x3xf64>
               %y = stablehlo.select %2, %3, %half : tensor<5x3xi1>, tensor<5x3xf64>"#,
            "5x3xf64",
        ),
    ),
    (
        0,
        case(
            "a scatter at indices that cannot name the last row",
            &["140x2xf64", "3x2xf64"],
            r#"%i = stablehlo.constant dense<[-128, 127, 3]> : tensor<3xi8>
               %y = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<
               update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
               index_vector_dim = 1>}> ({
             ^bb0(%l: tensor<f64>, %r: tensor<f64>):
               %s = stablehlo.add %l, %r : tensor<f64>
               stablehlo.return %s : tensor<f64>
             }) : (tensor<140x2xf64>, tensor<3xi8>, tensor<3x2xf64>) -> tensor<140x2xf64>"#,
            "140x2xf64",
        ),
    ),
    (
        0,
        case(
            "slices and updates that hang over edges",
            &["5x3xf64", "2x2xf64"],
            "%low = stablehlo.constant dense<-2> : tensor<i32>
             %high = stablehlo.constant dense<4> : tensor<i32>
             %0 = stablehlo.dynamic_slice %a, %high, %low, sizes = [2, 2] : \
             (tensor<5x3xf64>, tensor<i32>, tensor<i32>) -> tensor<2x2xf64>
             %1 = stablehlo.multiply %0, %b : tensor<2x2xf64>
             %y = stablehlo.dynamic_update_slice %a, %1, %low, %high : \
             (tensor<5x3xf64>, tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> tensor<5x3xf64>",
            "5x3xf64",
        ),
    ),
];
