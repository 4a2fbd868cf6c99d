module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x64xf32>, %arg1: tensor<64x10xf32>, %arg2: tensor<3xf32>, %arg3: tensor<64x1xf32>, %arg4: tensor<32x64xf32>, %arg5: tensor<64x10xf32>, %arg6: tensor<3xf32>, %arg7: tensor<64x1xf32>, %arg8: tensor<i32>, %arg9: tensor<16x32xf32>, %arg10: tensor<16xf32>, %arg11: tensor<16xi32>, %arg12: tensor<16xf32>) -> (tensor<32x64xf32> {jax.result_info = "result[0]['a']"}, tensor<64x10xf32> {jax.result_info = "result[0]['c']"}, tensor<3xf32> {jax.result_info = "result[0]['logs']"}, tensor<64x1xf32> {jax.result_info = "result[0]['r']"}, tensor<32x64xf32> {jax.result_info = "result[1]['a']"}, tensor<64x10xf32> {jax.result_info = "result[1]['c']"}, tensor<3xf32> {jax.result_info = "result[1]['logs']"}, tensor<64x1xf32> {jax.result_info = "result[1]['r']"}, tensor<i32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]['big']"}, tensor<f32> {jax.result_info = "result[4]['lo']"}, tensor<16x10xf32> {jax.result_info = "result[4]['pred']"}, tensor<f32> {jax.result_info = "result[4]['worst']"}) {
    %0 = stablehlo.dot_general %arg9, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %1:3 = call @silu(%0) : (tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>)
    %2 = stablehlo.dot_general %1#0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x1xf32>) -> tensor<16x1xf32>
    %3 = stablehlo.reshape %2 : (tensor<16x1xf32>) -> tensor<16xf32>
    %4 = stablehlo.subtract %3, %arg10 : tensor<16xf32>
    %5 = stablehlo.abs %4 : tensor<16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %7 = stablehlo.compare GE, %4, %6, FLOAT : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
    %8 = stablehlo.multiply %5, %arg12 : tensor<16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%arg12 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %11 = stablehlo.divide %9, %10 : tensor<f32>
    %12 = stablehlo.dot_general %1#0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x10xf32>) -> tensor<16x10xf32>
    %13:3 = call @log_softmax(%12) : (tensor<16x10xf32>) -> (tensor<16x10xf32>, tensor<16x10xf32>, tensor<16x1xf32>)
    %14 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %16 = stablehlo.compare LT, %14, %15, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_2 = stablehlo.constant dense<16> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %18 = stablehlo.add %14, %17 : tensor<16xi32>
    %19 = stablehlo.select %16, %18, %14 : tensor<16xi1>, tensor<16xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %21 = stablehlo.compare LT, %arg11, %20, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_4 = stablehlo.constant dense<10> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %23 = stablehlo.add %arg11, %22 : tensor<16xi32>
    %24 = stablehlo.select %21, %23, %arg11 : tensor<16xi1>, tensor<16xi32>
    %25 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %27 = stablehlo.concatenate %25, %26, dim = 1 : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x2xi32>
    %28 = "stablehlo.gather"(%13#0, %27) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<16x10xf32>, tensor<16x2xi32>) -> tensor<16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %30 = stablehlo.divide %29, %cst_6 : tensor<f32>
    %31 = stablehlo.negate %30 : tensor<f32>
    %32 = stablehlo.multiply %arg0, %arg0 : tensor<32x64xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %34 = stablehlo.multiply %33, %arg0 : tensor<32x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%32 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.add %cst_9, %35 : tensor<f32>
    %37 = stablehlo.multiply %arg3, %arg3 : tensor<64x1xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %39 = stablehlo.multiply %38, %arg3 : tensor<64x1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%37 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x1xf32>, tensor<f32>) -> tensor<f32>
    %41 = stablehlo.add %36, %40 : tensor<f32>
    %42 = stablehlo.multiply %arg1, %arg1 : tensor<64x10xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<64x10xf32>
    %44 = stablehlo.multiply %43, %arg1 : tensor<64x10xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%42 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<f32>
    %46 = stablehlo.add %41, %45 : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %48 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %49 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %50 = stablehlo.concatenate %47, %48, %49, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
    %51 = stablehlo.negate %arg2 : tensor<3xf32>
    %52 = stablehlo.exponential %51 : tensor<3xf32>
    %53 = stablehlo.multiply %50, %52 : tensor<3xf32>
    %54 = stablehlo.add %53, %arg2 : tensor<3xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %57 = stablehlo.multiply %50, %56 : tensor<3xf32>
    %58 = stablehlo.multiply %56, %52 : tensor<3xf32>
    %59 = stablehlo.multiply %57, %52 : tensor<3xf32>
    %60 = stablehlo.negate %59 : tensor<3xf32>
    %61 = stablehlo.add %56, %60 : tensor<3xf32>
    %62 = stablehlo.slice %58 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %63 = stablehlo.reshape %62 : (tensor<1xf32>) -> tensor<f32>
    %64 = stablehlo.slice %58 [1:2] : (tensor<3xf32>) -> tensor<1xf32>
    %65 = stablehlo.reshape %64 : (tensor<1xf32>) -> tensor<f32>
    %66 = stablehlo.slice %58 [2:3] : (tensor<3xf32>) -> tensor<1xf32>
    %67 = stablehlo.reshape %66 : (tensor<1xf32>) -> tensor<f32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<64x10xf32>
    %69 = stablehlo.multiply %68, %44 : tensor<64x10xf32>
    %70 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %71 = stablehlo.multiply %70, %39 : tensor<64x1xf32>
    %72 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %73 = stablehlo.multiply %72, %34 : tensor<32x64xf32>
    %74 = stablehlo.negate %65 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %75 = stablehlo.divide %74, %cst_16 : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %78 = "stablehlo.scatter"(%77, %27, %76) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %140 = stablehlo.add %arg13, %arg14 : tensor<f32>
      stablehlo.return %140 : tensor<f32>
    }) : (tensor<16x10xf32>, tensor<16x2xi32>, tensor<16xf32>) -> tensor<16x10xf32>
    %79 = call @log_softmax_0(%13#1, %13#2, %78) : (tensor<16x10xf32>, tensor<16x1xf32>, tensor<16x10xf32>) -> tensor<16x10xf32>
    %80 = stablehlo.dot_general %79, %1#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x10xf32>, tensor<16x64xf32>) -> tensor<10x64xf32>
    %81 = stablehlo.transpose %80, dims = [1, 0] : (tensor<10x64xf32>) -> tensor<64x10xf32>
    %82 = stablehlo.add %69, %81 : tensor<64x10xf32>
    %83 = stablehlo.dot_general %79, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x10xf32>, tensor<64x10xf32>) -> tensor<16x64xf32>
    %84 = stablehlo.divide %63, %10 : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %86 = stablehlo.multiply %85, %arg12 : tensor<16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %88 = stablehlo.select %7, %87, %86 : tensor<16xi1>, tensor<16xf32>
    %89 = stablehlo.select %7, %86, %87 : tensor<16xi1>, tensor<16xf32>
    %90 = stablehlo.negate %88 : tensor<16xf32>
    %91 = stablehlo.add %89, %90 : tensor<16xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %93 = stablehlo.dot_general %92, %1#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x1xf32>, tensor<16x64xf32>) -> tensor<1x64xf32>
    %94 = stablehlo.transpose %93, dims = [1, 0] : (tensor<1x64xf32>) -> tensor<64x1xf32>
    %95 = stablehlo.add %71, %94 : tensor<64x1xf32>
    %96 = stablehlo.dot_general %92, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x1xf32>, tensor<64x1xf32>) -> tensor<16x64xf32>
    %97 = stablehlo.add %83, %96 : tensor<16x64xf32>
    %98 = call @silu_1(%1#1, %1#2, %0, %97) : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
    %99 = stablehlo.dot_general %98, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %100 = stablehlo.transpose %99, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %101 = stablehlo.add %73, %100 : tensor<32x64xf32>
    %cst_19 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %103 = stablehlo.multiply %102, %arg4 : tensor<32x64xf32>
    %104 = stablehlo.add %103, %101 : tensor<32x64xf32>
    %cst_20 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<64x10xf32>
    %106 = stablehlo.multiply %105, %arg5 : tensor<64x10xf32>
    %107 = stablehlo.add %106, %82 : tensor<64x10xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %109 = stablehlo.multiply %108, %arg6 : tensor<3xf32>
    %110 = stablehlo.add %109, %61 : tensor<3xf32>
    %cst_22 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %112 = stablehlo.multiply %111, %arg7 : tensor<64x1xf32>
    %113 = stablehlo.add %112, %95 : tensor<64x1xf32>
    %114 = stablehlo.abs %arg9 : tensor<16x32xf32>
    %cst_23 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %115 = stablehlo.reduce(%114 init: %cst_23) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %116 = stablehlo.dot_general %arg9, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %117 = call @silu_2(%116) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %118 = stablehlo.dot_general %117, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x1xf32>) -> tensor<16x1xf32>
    %119 = stablehlo.reshape %118 : (tensor<16x1xf32>) -> tensor<16xf32>
    %120 = stablehlo.subtract %119, %arg10 : tensor<16xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %121 = stablehlo.reduce(%120 init: %cst_24) applies stablehlo.maximum across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %122 = stablehlo.dot_general %117, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x1xf32>) -> tensor<16x1xf32>
    %123 = stablehlo.reshape %122 : (tensor<16x1xf32>) -> tensor<16xf32>
    %124 = stablehlo.subtract %123, %arg10 : tensor<16xf32>
    %cst_25 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %125 = stablehlo.reduce(%124 init: %cst_25) applies stablehlo.minimum across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %cst_26 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %127 = stablehlo.multiply %126, %104 : tensor<32x64xf32>
    %128 = stablehlo.subtract %arg0, %127 : tensor<32x64xf32>
    %cst_27 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<64x10xf32>
    %130 = stablehlo.multiply %129, %107 : tensor<64x10xf32>
    %131 = stablehlo.subtract %arg1, %130 : tensor<64x10xf32>
    %cst_28 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %133 = stablehlo.multiply %132, %110 : tensor<3xf32>
    %134 = stablehlo.subtract %arg2, %133 : tensor<3xf32>
    %cst_29 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %136 = stablehlo.multiply %135, %113 : tensor<64x1xf32>
    %137 = stablehlo.subtract %arg3, %136 : tensor<64x1xf32>
    %c_30 = stablehlo.constant dense<1> : tensor<i32>
    %138 = stablehlo.add %arg8, %c_30 : tensor<i32>
    %139 = stablehlo.dot_general %117, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x10xf32>) -> tensor<16x10xf32>
    return %128, %131, %134, %137, %104, %107, %110, %113, %138, %55, %115, %125, %139, %121 : tensor<32x64xf32>, tensor<64x10xf32>, tensor<3xf32>, tensor<64x1xf32>, tensor<32x64xf32>, tensor<64x10xf32>, tensor<3xf32>, tensor<64x1xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<16x10xf32>, tensor<f32>
  }
  func.func private @silu(%arg0: tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<16x64xf32>
    %1 = stablehlo.exponential %0 : tensor<16x64xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %3 = stablehlo.add %2, %1 : tensor<16x64xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %5 = stablehlo.divide %4, %3 : tensor<16x64xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<16x64xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<16x64xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<16x64xf32>
    return %9, %8, %5 : tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>
  }
  func.func private @log_softmax(%arg0: tensor<16x10xf32>) -> (tensor<16x10xf32>, tensor<16x10xf32>, tensor<16x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<16x10xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<16xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x10xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<16x10xf32>
    %6 = stablehlo.exponential %5 : tensor<16x10xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<16x10xf32>, tensor<f32>) -> tensor<16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %9 = stablehlo.log %8 : tensor<16x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x10xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<16x10xf32>
    return %11, %6, %8 : tensor<16x10xf32>, tensor<16x10xf32>, tensor<16x1xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<16x10xf32>, %arg1: tensor<16x1xf32>, %arg2: tensor<16x10xf32>) -> tensor<16x10xf32> {
    %0 = stablehlo.negate %arg2 : tensor<16x10xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<16x10xf32>, tensor<f32>) -> tensor<16xf32>
    %2 = stablehlo.reshape %1 : (tensor<16xf32>) -> tensor<16x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<16x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<16xf32>) -> tensor<16x10xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<16x10xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<16x10xf32>
    return %7 : tensor<16x10xf32>
  }
  func.func private @silu_1(%arg0: tensor<16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<16x64xf32>, %arg3: tensor<16x64xf32>) -> tensor<16x64xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<16x64xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<16x64xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<16x64xf32>
    %3 = stablehlo.add %1, %2 : tensor<16x64xf32>
    return %3 : tensor<16x64xf32>
  }
  func.func private @silu_2(%arg0: tensor<16x64xf32>) -> tensor<16x64xf32> {
    %0 = stablehlo.negate %arg0 : tensor<16x64xf32>
    %1 = stablehlo.exponential %0 : tensor<16x64xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %3 = stablehlo.add %2, %1 : tensor<16x64xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %5 = stablehlo.divide %4, %3 : tensor<16x64xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<16x64xf32>
    return %6 : tensor<16x64xf32>
  }
}
