//! Programs of one op each, but for what it takes.

pub(crate) mod edges;
pub(crate) mod lookups;
pub(crate) mod matrices;
pub(crate) mod reducers;

/// The body of a function.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// Types of `%a`, `%b`, ...
    pub(crate) arguments: &'static [&'static str],
    /// What ends in `%y`.
    pub(crate) body: &'static str,
    /// The type of `%y`.
    pub(crate) result: &'static str,
}

const fn case(
    name: &'static str,
    arguments: &'static [&'static str],
    body: &'static str,
    result: &'static str,
) -> Case {
    Case { name, arguments, body, result }
}

pub(crate) const CASES: &[Case] = &[
    case(
        "cholesky, both triangles",
        &["2x3x3xf64"],
        "%eye = stablehlo.constant dense<[[4.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 6.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %2 = stablehlo.cholesky %1, lower = true : tensor<2x3x3xf64>
         %3 = stablehlo.cholesky %1, lower = false : tensor<2x3x3xf64>
         %y = stablehlo.concatenate %2, %3, dim = 1 : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x6x3xf64>",
        "2x6x3xf64",
    ),
    case(
        "triangular_solve, left, lower, NO_TRANSPOSE",
        &["2x3x3xf64", "2x3x2xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = true, lower = true, \
         unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : \
         (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>",
        "2x3x2xf64",
    ),
    case(
        "triangular_solve, left, lower, TRANSPOSE",
        &["2x3x3xf64", "2x3x2xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = true, lower = true, \
         unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : \
         (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>",
        "2x3x2xf64",
    ),
    case(
        "triangular_solve, left, lower, ADJOINT",
        &["2x3x3xf64", "2x3x2xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = true, lower = true, \
         unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : \
         (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>",
        "2x3x2xf64",
    ),
    case(
        "triangular_solve, left, upper, NO_TRANSPOSE",
        &["2x3x3xf64", "2x3x2xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = true, lower = false, \
         unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : \
         (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>",
        "2x3x2xf64",
    ),
    case(
        "triangular_solve, left, upper, TRANSPOSE",
        &["2x3x3xf64", "2x3x2xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = true, lower = false, \
         unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : \
         (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>",
        "2x3x2xf64",
    ),
    case(
        "triangular_solve, left, upper, ADJOINT",
        &["2x3x3xf64", "2x3x2xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = true, lower = false, \
         unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>}> : \
         (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>",
        "2x3x2xf64",
    ),
    case(
        "triangular_solve, right, lower, NO_TRANSPOSE",
        &["2x3x3xf64", "2x2x3xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = false, lower = true, \
         unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : \
         (tensor<2x3x3xf64>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>",
        "2x2x3xf64",
    ),
    case(
        "triangular_solve, right, lower, TRANSPOSE",
        &["2x3x3xf64", "2x2x3xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = false, lower = true, \
         unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : \
         (tensor<2x3x3xf64>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>",
        "2x2x3xf64",
    ),
    case(
        "triangular_solve, right, lower, ADJOINT",
        &["2x3x3xf64", "2x2x3xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = false, lower = true, \
         unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : \
         (tensor<2x3x3xf64>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>",
        "2x2x3xf64",
    ),
    case(
        "triangular_solve, right, upper, NO_TRANSPOSE",
        &["2x3x3xf64", "2x2x3xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = false, lower = false, \
         unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : \
         (tensor<2x3x3xf64>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>",
        "2x2x3xf64",
    ),
    case(
        "triangular_solve, right, upper, TRANSPOSE",
        &["2x3x3xf64", "2x2x3xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = false, lower = false, \
         unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : \
         (tensor<2x3x3xf64>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>",
        "2x2x3xf64",
    ),
    case(
        "triangular_solve, right, upper, ADJOINT",
        &["2x3x3xf64", "2x2x3xf64"],
        "%eye = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %y = \"stablehlo.triangular_solve\"(%1, %b) <{left_side = false, lower = false, \
         unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>}> : \
         (tensor<2x3x3xf64>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>",
        "2x2x3xf64",
    ),
    case(
        "broadcast_in_dim",
        &["1x3xf64"],
        "%y = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<1x3xf64>) -> tensor<3x2x4xf64>",
        "3x2x4xf64",
    ),
    case(
        "reshape, transpose and reverse",
        &["2x3x2xf64"],
        "%0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<2x3x2xf64>) -> tensor<3x2x2xf64>
         %1 = stablehlo.reverse %0, dims = [0, 2] : tensor<3x2x2xf64>
         %y = stablehlo.reshape %1 : (tensor<3x2x2xf64>) -> tensor<6x2xf64>",
        "6x2xf64",
    ),
    case(
        "slice",
        &["7x4xf64"],
        "%y = stablehlo.slice %a [1:6:2, 1:3] : (tensor<7x4xf64>) -> tensor<3x2xf64>",
        "3x2xf64",
    ),
    case(
        "pad",
        &["3x2xf64", "f64"],
        "%y = stablehlo.pad %a, %b, low = [1, -1], high = [-1, 2], interior = [2, 1] : \
         (tensor<3x2xf64>, tensor<f64>) -> tensor<7x4xf64>",
        "7x4xf64",
    ),
    case(
        "concatenate",
        &["2x2xf64", "2x1xf64"],
        "%y = stablehlo.concatenate %a, %b, %a, dim = 1 : \
         (tensor<2x2xf64>, tensor<2x1xf64>, tensor<2x2xf64>) -> tensor<2x5xf64>",
        "2x5xf64",
    ),
    case(
        "select and clamp",
        &["2x3xf64", "2x3xf64", "2x3xi1", "f64"],
        "%0 = stablehlo.select %c, %a, %b : tensor<2x3xi1>, tensor<2x3xf64>
         %1 = stablehlo.constant dense<0.7> : tensor<f64>
         %2 = stablehlo.negate %d : tensor<f64>
         %y = stablehlo.clamp %2, %0, %1 : (tensor<f64>, tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>",
        "2x3xf64",
    ),
    case(
        "dot_general",
        &["2x3x4x2xf64", "5x4x3x2xf64"],
        "%y = stablehlo.dot_general %a, %b, batching_dims = [3] x [3], contracting_dims = [2, 1] x [1, 2] : \
         (tensor<2x3x4x2xf64>, tensor<5x4x3x2xf64>) -> tensor<2x2x5xf64>",
        "2x2x5xf64",
    ),
    case(
        "dot",
        &["2x3xf64", "3x4xf64"],
        "%y = stablehlo.dot %a, %b : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>",
        "2x4xf64",
    ),
    case(
        "reduce by a sum",
        &["2x3x2xf64", "f64"],
        "%y = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [2, 0] : \
         (tensor<2x3x2xf64>, tensor<f64>) -> tensor<3xf64>",
        "3xf64",
    ),
    case(
        "reduce by a maximum",
        &["2x3x2xf64"],
        "%0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
         %y = stablehlo.reduce(%a init: %0) applies stablehlo.maximum across dimensions = [1] : \
         (tensor<2x3x2xf64>, tensor<f64>) -> tensor<2x2xf64>",
        "2x2xf64",
    ),
    case(
        "reduce by a product",
        &["2x3x2xf64"],
        "%0 = stablehlo.constant dense<1.0> : tensor<f64>
         %y = stablehlo.reduce(%a init: %0) applies stablehlo.multiply across dimensions = [2, 0] : \
         (tensor<2x3x2xf64>, tensor<f64>) -> tensor<3xf64>",
        "3xf64",
    ),
    case(
        "reduce_window by a sum",
        &["5x6xf64"],
        r#"%0 = stablehlo.constant dense<0.0> : tensor<f64>
         %y = "stablehlo.reduce_window"(%a, %0) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>,
           base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 2>,
           padding = dense<[[1, 0], [-1, 2]]> : tensor<2x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.add %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<5x6xf64>, tensor<f64>) -> tensor<5x3xf64>"#,
        "5x3xf64",
    ),
    case(
        "reduce_window by a maximum",
        &["5x6xf64"],
        r#"%0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
         %y = "stablehlo.reduce_window"(%a, %0) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>,
           padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.maximum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<5x6xf64>, tensor<f64>) -> tensor<3x3xf64>"#,
        "3x3xf64",
    ),
    case(
        "convolution",
        &["2x7x4xf64", "3x2x4xf64"],
        "%y = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], \
         window = {stride = [2], pad = [[1, 2]], lhs_dilate = [1], rhs_dilate = [2], reverse = [true]} \
         {feature_group_count = 2 : i64, batch_group_count = 1 : i64} : \
         (tensor<2x7x4xf64>, tensor<3x2x4xf64>) -> tensor<2x3x4xf64>",
        "2x3x4xf64",
    ),
    case(
        "dynamic_slice and dynamic_update_slice",
        &["5x3xf64", "2x2xf64", "i32"],
        "%0 = stablehlo.dynamic_slice %a, %c, %c, sizes = [2, 2] : \
         (tensor<5x3xf64>, tensor<i32>, tensor<i32>) -> tensor<2x2xf64>
         %1 = stablehlo.multiply %0, %b : tensor<2x2xf64>
         %y = stablehlo.dynamic_update_slice %a, %1, %c, %c : \
         (tensor<5x3xf64>, tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> tensor<5x3xf64>",
        "5x3xf64",
    ),
    case(
        "gather",
        &["4x3xf64", "5xi32"],
        r#"%y = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
           collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
           slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf64>, tensor<5xi32>) -> tensor<5x3xf64>"#,
        "5x3xf64",
    ),
    case(
        "scatter that adds",
        &["2x3xf64", "4xi32", "4x3xf64"],
        r#"%y = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<
           update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
           index_vector_dim = 1>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.add %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<2x3xf64>, tensor<4xi32>, tensor<4x3xf64>) -> tensor<2x3xf64>"#,
        "2x3xf64",
    ),
    case(
        "scatter that overwrites",
        &["2x3xf64", "4xi32", "4x3xf64"],
        r#"%y = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<
           update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
           index_vector_dim = 1>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           stablehlo.return %r : tensor<f64>
         }) : (tensor<2x3xf64>, tensor<4xi32>, tensor<4x3xf64>) -> tensor<2x3xf64>"#,
        "2x3xf64",
    ),
    case(
        "sort of two",
        &["2x4xf64", "2x4xf64"],
        r#"%0, %1 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>, %m: tensor<f64>, %n: tensor<f64>):
           %p = stablehlo.compare GT, %l, %r : (tensor<f64>, tensor<f64>) -> tensor<i1>
           stablehlo.return %p : tensor<i1>
         }) : (tensor<2x4xf64>, tensor<2x4xf64>) -> (tensor<2x4xf64>, tensor<2x4xf64>)
         %2 = stablehlo.multiply %0, %0 : tensor<2x4xf64>
         %y = stablehlo.add %2, %1 : tensor<2x4xf64>"#,
        "2x4xf64",
    ),
    case(
        "top_k",
        &["2x5xf64"],
        "%0, %1 = chlo.top_k(%a, k = 2) : tensor<2x5xf64> -> (tensor<2x2xf64>, tensor<2x2xi32>)
         %y = stablehlo.multiply %0, %0 : tensor<2x2xf64>",
        "2x2xf64",
    ),
    case(
        "complex numbers",
        &["4xf64", "4xf64"],
        "%0 = stablehlo.complex %a, %b : tensor<4xcomplex<f64>>
         %1 = stablehlo.multiply %0, %0 : tensor<4xcomplex<f64>>
         %2 = stablehlo.fft %1, type = FFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
         %3 = stablehlo.imag %2 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
         %4 = stablehlo.abs %0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
         %y = stablehlo.add %3, %4 : tensor<4xf64>",
        "4xf64",
    ),
    case(
        "conjugates, and real parts",
        &["4xf64", "4xf64"],
        "%0 = stablehlo.complex %a, %b : tensor<4xcomplex<f64>>
         %1 = chlo.conj %0 : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
         %2 = stablehlo.multiply %1, %1 : tensor<4xcomplex<f64>>
         %3 = stablehlo.real %2 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
         %4 = stablehlo.imag %2 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
         %y = stablehlo.add %3, %4 : tensor<4xf64>",
        "4xf64",
    ),
    case(
        "conversions",
        &["3x2xf64", "3x2xi32"],
        "%0 = stablehlo.convert %a : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
         %1 = stablehlo.multiply %0, %0 : tensor<3x2xcomplex<f64>>
         %2 = stablehlo.real %1 : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
         %3 = stablehlo.convert %b : (tensor<3x2xi32>) -> tensor<3x2xf64>
         %y = stablehlo.multiply %2, %3 : tensor<3x2xf64>",
        "3x2xf64",
    ),
    case(
        // In as many bits as there are, so that no step of a difference is lost.
        "reduce_precision",
        &["3x2xf64"],
        "%0 = stablehlo.multiply %a, %a : tensor<3x2xf64>
         %1 = stablehlo.reduce_precision %0, format = e11m52 : tensor<3x2xf64>
         %y = stablehlo.multiply %1, %a : tensor<3x2xf64>",
        "3x2xf64",
    ),
    case(
        "polygamma and zeta by their second operand",
        &["4xf64"],
        "%three = stablehlo.constant dense<3.0> : tensor<4xf64>
         %two = stablehlo.constant dense<2.0> : tensor<4xf64>
         %0 = stablehlo.add %a, %three : tensor<4xf64>
         %1 = chlo.polygamma %two, %0 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
         %2 = chlo.zeta %three, %0 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
         %y = stablehlo.subtract %1, %2 : tensor<4xf64>",
        "4xf64",
    ),
    case(
        "transforms of real numbers",
        &["6xf64"],
        "%0 = stablehlo.fft %a, type = RFFT, length = [6] : (tensor<6xf64>) -> tensor<4xcomplex<f64>>
         %1 = stablehlo.multiply %0, %0 : tensor<4xcomplex<f64>>
         %y = stablehlo.fft %1, type = IRFFT, length = [6] : (tensor<4xcomplex<f64>>) -> tensor<6xf64>",
        "6xf64",
    ),
    case(
        "barriers and short forms",
        &["2x3xf64", "3xf64"],
        "%0, %1 = stablehlo.optimization_barrier %a, %b : tensor<2x3xf64>, tensor<3xf64>
         %y = chlo.broadcast_multiply %0, %1 : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>",
        "2x3xf64",
    ),
    case(
        "softmax",
        &["2x3xf64"],
        "%low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
         %zero = stablehlo.constant dense<0.0> : tensor<f64>
         %m = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1] : \
         (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
         %ms = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<2xf64>) -> tensor<2x3xf64>
         %d = stablehlo.subtract %a, %ms : tensor<2x3xf64>
         %e = stablehlo.exponential %d : tensor<2x3xf64>
         %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : \
         (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
         %ss = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<2xf64>) -> tensor<2x3xf64>
         %y = stablehlo.divide %e, %ss : tensor<2x3xf64>",
        "2x3xf64",
    ),
    case(
        "a maximum that matters",
        &["2x3xf64"],
        "%low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
         %m = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1] : \
         (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
         %ms = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<2xf64>) -> tensor<2x3xf64>
         %d = stablehlo.subtract %a, %ms : tensor<2x3xf64>
         %y = stablehlo.exponential %d : tensor<2x3xf64>",
        "2x3xf64",
    ),
    case(
        "a loop that counts down by two",
        &["5x2xf64", "2xf64"],
        "%first = stablehlo.constant dense<5> : tensor<i32>
         %0:3 = stablehlo.while(%i = %first, %x = %b, %t = %a) : tensor<i32>, tensor<2xf64>, tensor<5x2xf64>
         cond {
           %end = stablehlo.constant dense<1> : tensor<i32>
           %p = stablehlo.compare GT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
           stablehlo.return %p : tensor<i1>
         } do {
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %two = stablehlo.constant dense<2> : tensor<i32>
           %at = stablehlo.subtract %i, %two : tensor<i32>
           %w = stablehlo.dynamic_slice %a, %at, %zero, sizes = [1, 2] : \
           (tensor<5x2xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
           %v = stablehlo.reshape %w : (tensor<1x2xf64>) -> tensor<2xf64>
           %s = stablehlo.sine %x : tensor<2xf64>
           %z = stablehlo.multiply %v, %s : tensor<2xf64>
           %r = stablehlo.reshape %z : (tensor<2xf64>) -> tensor<1x2xf64>
           %u = stablehlo.dynamic_update_slice %t, %r, %at, %zero : \
           (tensor<5x2xf64>, tensor<1x2xf64>, tensor<i32>, tensor<i32>) -> tensor<5x2xf64>
           stablehlo.return %at, %z, %u : tensor<i32>, tensor<2xf64>, tensor<5x2xf64>
         }
         %last = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf64>) -> tensor<5x2xf64>
         %y = stablehlo.multiply %last, %0#2 : tensor<5x2xf64>",
        "5x2xf64",
    ),
    case(
        "a loop that counts down without a sign",
        &["5x2xf64", "2xf64"],
        "%first = stablehlo.constant dense<5> : tensor<ui32>
         %0:3 = stablehlo.while(%i = %first, %x = %b, %t = %a) : tensor<ui32>, tensor<2xf64>, tensor<5x2xf64>
         cond {
           %end = stablehlo.constant dense<1> : tensor<ui32>
           %p = stablehlo.compare GT, %i, %end : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
           stablehlo.return %p : tensor<i1>
         } do {
           %zero = stablehlo.constant dense<0> : tensor<ui32>
           %two = stablehlo.constant dense<2> : tensor<ui32>
           %at = stablehlo.subtract %i, %two : tensor<ui32>
           %w = stablehlo.dynamic_slice %a, %at, %zero, sizes = [1, 2] : \
           (tensor<5x2xf64>, tensor<ui32>, tensor<ui32>) -> tensor<1x2xf64>
           %v = stablehlo.reshape %w : (tensor<1x2xf64>) -> tensor<2xf64>
           %s = stablehlo.sine %x : tensor<2xf64>
           %z = stablehlo.multiply %v, %s : tensor<2xf64>
           %r = stablehlo.reshape %z : (tensor<2xf64>) -> tensor<1x2xf64>
           %u = stablehlo.dynamic_update_slice %t, %r, %at, %zero : \
           (tensor<5x2xf64>, tensor<1x2xf64>, tensor<ui32>, tensor<ui32>) -> tensor<5x2xf64>
           stablehlo.return %at, %z, %u : tensor<ui32>, tensor<2xf64>, tensor<5x2xf64>
         }
         %last = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf64>) -> tensor<5x2xf64>
         %y = stablehlo.multiply %last, %0#2 : tensor<5x2xf64>",
        "5x2xf64",
    ),
    case(
        "a loop of more turns than its counter can count from zero",
        &["2xf64"],
        "%first = stablehlo.constant dense<-100> : tensor<i8>
         %0:2 = stablehlo.while(%i = %first, %x = %a) : tensor<i8>, tensor<2xf64>
         cond {
           %end = stablehlo.constant dense<100> : tensor<i8>
           %p = stablehlo.compare LT, %i, %end : (tensor<i8>, tensor<i8>) -> tensor<i1>
           stablehlo.return %p : tensor<i1>
         } do {
           %one = stablehlo.constant dense<1> : tensor<i8>
           %most = stablehlo.constant dense<0.9> : tensor<2xf64>
           %j = stablehlo.add %i, %one : tensor<i8>
           %m = stablehlo.multiply %x, %most : tensor<2xf64>
           %b = stablehlo.add %m, %a : tensor<2xf64>
           %z = stablehlo.sine %b : tensor<2xf64>
           stablehlo.return %j, %z : tensor<i8>, tensor<2xf64>
         }
         %y = stablehlo.negate %0#1 : tensor<2xf64>",
        "2xf64",
    ),
    case(
        "selective_scan, chunks that do not come out even",
        &["2x7x3xf64", "2x7x3xf64", "3x2xf64", "2x7x2xf64", "2x7x2xf64"],
        r#"%y = "meshwright.selective_scan"(%a, %b, %c, %d, %e) : (tensor<2x7x3xf64>, tensor<2x7x3xf64>, tensor<3x2xf64>, tensor<2x7x2xf64>, tensor<2x7x2xf64>) -> tensor<2x7x3xf64>"#,
        "2x7x3xf64",
    ),
    case(
        "selective_scan, a single token",
        &["1x1x2xf64", "1x1x2xf64", "2x3xf64", "1x1x3xf64", "1x1x3xf64"],
        r#"%y = "meshwright.selective_scan"(%a, %b, %c, %d, %e) : (tensor<1x1x2xf64>, tensor<1x1x2xf64>, tensor<2x3xf64>, tensor<1x1x3xf64>, tensor<1x1x3xf64>) -> tensor<1x1x2xf64>"#,
        "1x1x2xf64",
    ),
    case(
        "branches",
        &["3xf64", "3xf64", "i32"],
        r#"%y = "stablehlo.case"(%c) ({
           %0 = stablehlo.sine %a : tensor<3xf64>
           stablehlo.return %0 : tensor<3xf64>
         }, {
           %0 = stablehlo.tanh %a : tensor<3xf64>
           %1 = stablehlo.multiply %0, %b : tensor<3xf64>
           stablehlo.return %1 : tensor<3xf64>
         }, {
           %0 = stablehlo.exponential %b : tensor<3xf64>
           %1 = stablehlo.multiply %0, %a : tensor<3xf64>
           stablehlo.return %1 : tensor<3xf64>
         }) : (tensor<i32>) -> tensor<3xf64>"#,
        "3xf64",
    ),
];
