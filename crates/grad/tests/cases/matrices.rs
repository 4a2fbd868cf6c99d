//! Calls of LAPACK's routines, of fused attention, and of the scan of Mamba-2.

use super::{Case, case};

pub(crate) const MATRICES: &[Case] = &[
    case(
        "potrf, both triangles",
        &["2x3x3xf64"],
        r#"%eye = stablehlo.constant dense<[[4.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 6.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %2:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%1) {api_version = 4 : i32, backend_config = {uplo = 76 : ui8}} :
           (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2xi32>)
         %3:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%1) {api_version = 4 : i32, backend_config = {uplo = 85 : ui8}} :
           (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2xi32>)
         %y = stablehlo.concatenate %2#0, %3#0, dim = 1 : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x6x3xf64>"#,
        "2x6x3xf64",
    ),
    case(
        "trsm, left, and right with the transpose",
        &["2x3x3xf64", "2x3x3xf64"],
        r#"%eye = stablehlo.constant dense<[[4.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 6.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %eye, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %2 = stablehlo.custom_call @lapack_dtrsm_ffi(%1, %b) {api_version = 4 : i32, backend_config =
           {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} :
           (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
         %y = stablehlo.custom_call @lapack_dtrsm_ffi(%1, %2) {api_version = 4 : i32, backend_config =
           {diag = 85 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}} :
           (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>"#,
        "2x3x3xf64",
    ),
    case(
        "getrf of 3x3",
        &["2x3x3xf64"],
        r#"%0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) {api_version = 4 : i32, backend_config = {}} :
           (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xi32>, tensor<2xi32>)
         %s = stablehlo.sine %0#0 : tensor<2x3x3xf64>
         %y = stablehlo.multiply %s, %a : tensor<2x3x3xf64>"#,
        "2x3x3xf64",
    ),
    case(
        "getrf of 4x2",
        &["2x4x2xf64"],
        r#"%0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) {api_version = 4 : i32, backend_config = {}} :
           (tensor<2x4x2xf64>) -> (tensor<2x4x2xf64>, tensor<2x2xi32>, tensor<2xi32>)
         %s = stablehlo.sine %0#0 : tensor<2x4x2xf64>
         %y = stablehlo.multiply %s, %a : tensor<2x4x2xf64>"#,
        "2x4x2xf64",
    ),
    case(
        "getrf of 2x4",
        &["2x2x4xf64"],
        r#"%0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) {api_version = 4 : i32, backend_config = {}} :
           (tensor<2x2x4xf64>) -> (tensor<2x2x4xf64>, tensor<2x2xi32>, tensor<2xi32>)
         %s = stablehlo.sine %0#0 : tensor<2x2x4xf64>
         %y = stablehlo.multiply %s, %a : tensor<2x2x4xf64>"#,
        "2x2x4xf64",
    ),
    case(
        "geqrf and orgqr of 3x3",
        &["2x3x3xf64"],
        r#"%0:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a) {api_version = 4 : i32, backend_config = {}} :
           (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>)
         %v = stablehlo.slice %0#0 [0:2, 0:3, 0:3] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
         %q = stablehlo.custom_call @lapack_dorgqr_ffi(%v, %0#1) {api_version = 4 : i32, backend_config = {}} :
           (tensor<2x3x3xf64>, tensor<2x3xf64>) -> tensor<2x3x3xf64>
         %u = stablehlo.broadcast_in_dim %0#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
         %p = stablehlo.add %q, %u : tensor<2x3x3xf64>
         %s = stablehlo.sine %0#0 : tensor<2x3x3xf64>
         %y = stablehlo.concatenate %s, %p, dim = 2 : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x6xf64>"#,
        "2x3x6xf64",
    ),
    case(
        "geqrf and orgqr of 4x2",
        &["2x4x2xf64"],
        r#"%0:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a) {api_version = 4 : i32, backend_config = {}} :
           (tensor<2x4x2xf64>) -> (tensor<2x4x2xf64>, tensor<2x2xf64>)
         %v = stablehlo.slice %0#0 [0:2, 0:4, 0:2] : (tensor<2x4x2xf64>) -> tensor<2x4x2xf64>
         %q = stablehlo.custom_call @lapack_dorgqr_ffi(%v, %0#1) {api_version = 4 : i32, backend_config = {}} :
           (tensor<2x4x2xf64>, tensor<2x2xf64>) -> tensor<2x4x2xf64>
         %u = stablehlo.broadcast_in_dim %0#1, dims = [0, 2] : (tensor<2x2xf64>) -> tensor<2x4x2xf64>
         %p = stablehlo.add %q, %u : tensor<2x4x2xf64>
         %s = stablehlo.sine %0#0 : tensor<2x4x2xf64>
         %y = stablehlo.concatenate %s, %p, dim = 2 : (tensor<2x4x2xf64>, tensor<2x4x2xf64>) -> tensor<2x4x4xf64>"#,
        "2x4x4xf64",
    ),
    case(
        "geqrf and orgqr of 2x4",
        &["2x2x4xf64"],
        r#"%0:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a) {api_version = 4 : i32, backend_config = {}} :
           (tensor<2x2x4xf64>) -> (tensor<2x2x4xf64>, tensor<2x2xf64>)
         %v = stablehlo.slice %0#0 [0:2, 0:2, 0:2] : (tensor<2x2x4xf64>) -> tensor<2x2x2xf64>
         %q = stablehlo.custom_call @lapack_dorgqr_ffi(%v, %0#1) {api_version = 4 : i32, backend_config = {}} :
           (tensor<2x2x2xf64>, tensor<2x2xf64>) -> tensor<2x2x2xf64>
         %u = stablehlo.broadcast_in_dim %0#1, dims = [0, 2] : (tensor<2x2xf64>) -> tensor<2x2x2xf64>
         %p = stablehlo.add %q, %u : tensor<2x2x2xf64>
         %s = stablehlo.sine %0#0 : tensor<2x2x4xf64>
         %y = stablehlo.concatenate %s, %p, dim = 2 : (tensor<2x2x4xf64>, tensor<2x2x2xf64>) -> tensor<2x2x6xf64>"#,
        "2x2x6xf64",
    ),
    case(
        "orgqr with more columns than reflectors",
        &["4x3xf64", "2xf64"],
        r#"%q = stablehlo.custom_call @lapack_dorgqr_ffi(%a, %b) {api_version = 4 : i32, backend_config = {}} :
           (tensor<4x3xf64>, tensor<2xf64>) -> tensor<4x3xf64>
         %y = stablehlo.sine %q : tensor<4x3xf64>"#,
        "4x3xf64",
    ),
    case(
        "syevd, both triangles",
        &["2x3x3xf64"],
        r#"%spread = stablehlo.constant dense<[[1.0, 0.3, 0.0], [0.3, 3.0, 0.5], [0.0, 0.5, 6.0]]> : tensor<3x3xf64>
         %0 = stablehlo.broadcast_in_dim %spread, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
         %1 = stablehlo.add %a, %0 : tensor<2x3x3xf64>
         %2:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%1) {api_version = 4 : i32, backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} :
           (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2xi32>)
         %3:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%1) {api_version = 4 : i32, backend_config = {mode = 86 : ui8, uplo = 85 : ui8}} :
           (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2xi32>)
         %4 = stablehlo.broadcast_in_dim %2#1, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
         %5 = stablehlo.multiply %2#0, %4 : tensor<2x3x3xf64>
         %y = stablehlo.add %5, %3#0 : tensor<2x3x3xf64>"#,
        "2x3x3xf64",
    ),
    case(
        "attention, BTNH, NO_MASK",
        &["2x3x2x2xf64", "2x4x1x2xf64", "2x4x1x2xf64"],
        r#"%0:2 = stablehlo.custom_call @__cudnn$fmhaSoftmax(%a, %b, %c) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22dimensions\22: [\222\22, \222\22, \223\22, \224\22]}, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \222\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22dropout_rate\22: 0.0, \22sliding_window_length\22: 0, \22max_seg_per_batch\22: 1, \22is_paged_attention\22: false}", operand_layouts = [dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>], result_layouts = [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<0> : tensor<1xindex>]} :
           (tensor<2x3x2x2xf64>, tensor<2x4x1x2xf64>, tensor<2x4x1x2xf64>) -> (tensor<2x2x3x2xf64>, tensor<0xui8>)
         %y = stablehlo.sine %0#0 : tensor<2x2x3x2xf64>"#,
        "2x2x3x2xf64",
    ),
    case(
        "attention, BNTH, CAUSAL, with a bias",
        &["2x2x3x2xf64", "2x1x4x2xf64", "2x1x4x2xf64", "1x2x3x4xf64"],
        r#"%0:3 = stablehlo.custom_call @__cudnn$fmhaScaleBiasSoftmax(%a, %b, %c, %d) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22dimensions\22: [\222\22, \222\22, \223\22, \224\22]}, \22mask_type\22: \22CAUSAL\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22dropout_rate\22: 0.0, \22sliding_window_length\22: 2, \22max_seg_per_batch\22: 1, \22is_paged_attention\22: false}", operand_layouts = [dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>], result_layouts = [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[2, 1, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} :
           (tensor<2x2x3x2xf64>, tensor<2x1x4x2xf64>, tensor<2x1x4x2xf64>, tensor<1x2x3x4xf64>) -> (tensor<2x2x3x2xf64>, tensor<2x2x3xf64>, tensor<0xui8>)
         %y = stablehlo.sine %0#0 : tensor<2x2x3x2xf64>"#,
        "2x2x3x2xf64",
    ),
    case(
        "attention, BNTH, CAUSAL, with a bias, and what its sums say",
        &["2x2x3x2xf64", "2x1x4x2xf64", "2x1x4x2xf64", "1x2x3x4xf64"],
        r#"%0:3 = stablehlo.custom_call @__cudnn$fmhaScaleBiasSoftmax(%a, %b, %c, %d) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22dimensions\22: [\222\22, \222\22, \223\22, \224\22]}, \22mask_type\22: \22CAUSAL\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22dropout_rate\22: 0.0, \22sliding_window_length\22: 2, \22max_seg_per_batch\22: 1, \22is_paged_attention\22: false}", operand_layouts = [dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>], result_layouts = [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[2, 1, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} :
           (tensor<2x2x3x2xf64>, tensor<2x1x4x2xf64>, tensor<2x1x4x2xf64>, tensor<1x2x3x4xf64>) -> (tensor<2x2x3x2xf64>, tensor<2x2x3xf64>, tensor<0xui8>)
         %1 = stablehlo.broadcast_in_dim %0#1, dims = [0, 1, 2] : (tensor<2x2x3xf64>) -> tensor<2x2x3x2xf64>
         %2 = stablehlo.sine %0#0 : tensor<2x2x3x2xf64>
         %y = stablehlo.multiply %1, %2 : tensor<2x2x3x2xf64>"#,
        "2x2x3x2xf64",
    ),
    case(
        "attention, BTNH, NO_MASK, the sums alone",
        &["2x3x2x2xf64", "2x4x1x2xf64", "2x4x1x2xf64"],
        r#"%0:3 = stablehlo.custom_call @__cudnn$fmhaSoftmax(%a, %b, %c) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22dimensions\22: [\222\22, \222\22, \223\22, \224\22]}, \22mask_type\22: \22NO_MASK\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \222\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22dropout_rate\22: 0.0, \22sliding_window_length\22: 0, \22max_seg_per_batch\22: 1, \22is_paged_attention\22: false}", operand_layouts = [dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>], result_layouts = [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[2, 1, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} :
           (tensor<2x3x2x2xf64>, tensor<2x4x1x2xf64>, tensor<2x4x1x2xf64>) -> (tensor<2x2x3x2xf64>, tensor<2x2x3xf64>, tensor<0xui8>)
         %y = stablehlo.sine %0#1 : tensor<2x2x3xf64>"#,
        "2x2x3xf64",
    ),
    case(
        "attention, BTNH, PADDING_CAUSAL",
        &["2x3x2x2xf64", "2x4x1x2xf64", "2x4x1x2xf64"],
        r#"%ql = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
         %kl = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
         %0:2 = stablehlo.custom_call @__cudnn$fmhaSoftmax(%a, %b, %c, %ql, %kl) {api_version = 2 : i32, backend_config = "{\22fmha_scale\22: 0.5, \22intermediate_tensor_shape\22: {\22dimensions\22: [\222\22, \222\22, \223\22, \224\22]}, \22mask_type\22: \22PADDING_CAUSAL\22, \22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \222\22]}, \22bmm2_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22dropout_rate\22: 0.0, \22sliding_window_length\22: 0, \22max_seg_per_batch\22: 1, \22is_paged_attention\22: false}"} :
           (tensor<2x3x2x2xf64>, tensor<2x4x1x2xf64>, tensor<2x4x1x2xf64>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2x2x3x2xf64>, tensor<0xui8>)
         %y = stablehlo.sine %0#0 : tensor<2x2x3x2xf64>"#,
        "2x2x3x2xf64",
    ),
    case(
        "scan of Mamba-2, heads that share a group, and a last chunk that is not full",
        &["2x5x4x2xf64", "2x5x4xf64", "4xf64", "2x5x2x3xf64", "2x5x2x3xf64"],
        r#"%0 = stablehlo.custom_call @mamba_chunk_scan_combined_fwd(%a, %b, %c, %d, %e) {api_version = 4 : i32, backend_config = {chunk_size = 2 : i64}} :
           (tensor<2x5x4x2xf64>, tensor<2x5x4xf64>, tensor<4xf64>, tensor<2x5x2x3xf64>, tensor<2x5x2x3xf64>) -> tensor<2x5x4x2xf64>
         %y = stablehlo.sine %0 : tensor<2x5x4x2xf64>"#,
        "2x5x4x2xf64",
    ),
];
