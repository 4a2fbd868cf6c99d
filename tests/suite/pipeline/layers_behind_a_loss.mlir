// test: pipeline stages=2 microbatches=4
// A module behind the last layer, with its own loss, predicts a token further on, by the same table: it is no part of where the step turns.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<16x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8xi32>, %arg7: tensor<8xi32>, %arg8: tensor<8xi32>) -> (tensor<10x8xf32> {jax.result_info = "result[0]['e']"}, tensor<16x8xf32> {jax.result_info = "result[0]['j']"}, tensor<8x8xf32> {jax.result_info = "result[0]['l'][0]"}, tensor<8x8xf32> {jax.result_info = "result[0]['l'][1]"}, tensor<8x8xf32> {jax.result_info = "result[0]['l'][2]"}, tensor<8x8xf32> {jax.result_info = "result[0]['m']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %1 = stablehlo.compare LT, %arg6, %0, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %3 = stablehlo.add %arg6, %2 : tensor<8xi32>
    %4 = stablehlo.select %1, %3, %arg6 : tensor<8xi1>, tensor<8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
    %7 = stablehlo.dot_general %6, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.tanh %7 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<8x8xf32>
    %11 = stablehlo.add %6, %8 : tensor<8x8xf32>
    %12 = stablehlo.dot_general %11, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %13 = stablehlo.tanh %12 : tensor<8x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %15 = stablehlo.subtract %14, %13 : tensor<8x8xf32>
    %16 = stablehlo.add %11, %13 : tensor<8x8xf32>
    %17 = stablehlo.dot_general %16, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %18 = stablehlo.tanh %17 : tensor<8x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %20 = stablehlo.subtract %19, %18 : tensor<8x8xf32>
    %21 = stablehlo.add %16, %18 : tensor<8x8xf32>
    %22 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %23 = stablehlo.dot_general %21, %22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %25 = stablehlo.reshape %24 : (tensor<8xf32>) -> tensor<8x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %27 = stablehlo.compare EQ, %23, %26, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %28 = stablehlo.convert %27 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %31 = stablehlo.maximum %30, %24 : tensor<8xf32>
    %32 = stablehlo.compare EQ, %24, %31, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %35 = stablehlo.select %32, %33, %34 : tensor<8xi1>, tensor<8xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %37 = stablehlo.compare EQ, %36, %31, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %40 = stablehlo.select %37, %38, %39 : tensor<8xi1>, tensor<8xf32>
    %41 = stablehlo.divide %35, %40 : tensor<8xf32>
    %42 = stablehlo.is_finite %31 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %44 = stablehlo.select %42, %31, %43 : tensor<8xi1>, tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %48 = stablehlo.subtract %23, %47 : tensor<8x10xf32>
    %49 = stablehlo.exponential %48 : tensor<8x10xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %51 = stablehlo.sign %50 : tensor<8xf32>
    %52 = stablehlo.abs %50 : tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %54 = stablehlo.compare GE, %50, %53, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %55 = stablehlo.log %52 : tensor<8xf32>
    %56 = stablehlo.add %55, %44 : tensor<8xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %57 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %58 = stablehlo.compare LT, %arg7, %57, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_16 = stablehlo.constant dense<10> : tensor<i32>
    %59 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %60 = stablehlo.add %arg7, %59 : tensor<8xi32>
    %61 = stablehlo.select %58, %60, %arg7 : tensor<8xi1>, tensor<8xi32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %63 = "stablehlo.gather"(%arg0, %62) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
    %64 = stablehlo.multiply %21, %63 : tensor<8x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_17) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %66 = stablehlo.subtract %56, %65 : tensor<8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%66 init: %cst_18) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_19 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %68 = stablehlo.divide %67, %cst_19 : tensor<f32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %70 = stablehlo.compare LT, %arg7, %69, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_21 = stablehlo.constant dense<10> : tensor<i32>
    %71 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %72 = stablehlo.add %arg7, %71 : tensor<8xi32>
    %73 = stablehlo.select %70, %72, %arg7 : tensor<8xi1>, tensor<8xi32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %75 = "stablehlo.gather"(%arg0, %74) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
    %76 = stablehlo.concatenate %21, %75, dim = 1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
    %77 = stablehlo.dot_general %76, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %78 = stablehlo.dot_general %77, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %79 = stablehlo.tanh %78 : tensor<8x8xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %81 = stablehlo.subtract %80, %79 : tensor<8x8xf32>
    %82 = stablehlo.add %77, %79 : tensor<8x8xf32>
    %83 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %84 = stablehlo.dot_general %82, %83, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_23 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %85 = stablehlo.reduce(%84 init: %cst_23) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %86 = stablehlo.reshape %85 : (tensor<8xf32>) -> tensor<8x1xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %88 = stablehlo.compare EQ, %84, %87, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %89 = stablehlo.convert %88 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.reduce(%89 init: %cst_24) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %92 = stablehlo.maximum %91, %85 : tensor<8xf32>
    %93 = stablehlo.compare EQ, %85, %92, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %96 = stablehlo.select %93, %94, %95 : tensor<8xi1>, tensor<8xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %98 = stablehlo.compare EQ, %97, %92, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %101 = stablehlo.select %98, %99, %100 : tensor<8xi1>, tensor<8xf32>
    %102 = stablehlo.divide %96, %101 : tensor<8xf32>
    %103 = stablehlo.is_finite %92 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %105 = stablehlo.select %103, %92, %104 : tensor<8xi1>, tensor<8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %107 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %109 = stablehlo.subtract %84, %108 : tensor<8x10xf32>
    %110 = stablehlo.exponential %109 : tensor<8x10xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%110 init: %cst_33) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %112 = stablehlo.sign %111 : tensor<8xf32>
    %113 = stablehlo.abs %111 : tensor<8xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %115 = stablehlo.compare GE, %111, %114, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %116 = stablehlo.log %113 : tensor<8xf32>
    %117 = stablehlo.add %116, %105 : tensor<8xf32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %118 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %119 = stablehlo.compare LT, %arg8, %118, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_36 = stablehlo.constant dense<10> : tensor<i32>
    %120 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %121 = stablehlo.add %arg8, %120 : tensor<8xi32>
    %122 = stablehlo.select %119, %121, %arg8 : tensor<8xi1>, tensor<8xi32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %124 = "stablehlo.gather"(%arg0, %123) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
    %125 = stablehlo.multiply %82, %124 : tensor<8x8xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.reduce(%125 init: %cst_37) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %127 = stablehlo.subtract %117, %126 : tensor<8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %128 = stablehlo.reduce(%127 init: %cst_38) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_39 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %129 = stablehlo.divide %128, %cst_39 : tensor<f32>
    %cst_40 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %130 = stablehlo.multiply %cst_40, %129 : tensor<f32>
    %131 = stablehlo.add %68, %130 : tensor<f32>
    %cst_41 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.multiply %cst_41, %cst_42 : tensor<f32>
    %cst_43 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %133 = stablehlo.divide %132, %cst_43 : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %135 = stablehlo.negate %134 : tensor<8xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
    %137 = stablehlo.multiply %82, %136 : tensor<8x8xf32>
    %138 = stablehlo.multiply %136, %124 : tensor<8x8xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %140 = "stablehlo.scatter"(%139, %123, %137) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %236 = stablehlo.add %arg9, %arg10 : tensor<f32>
      stablehlo.return %236 : tensor<f32>
    }) : (tensor<10x8xf32>, tensor<8x1xi32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %141 = stablehlo.divide %134, %113 : tensor<8xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %143 = stablehlo.select %115, %142, %141 : tensor<8xi1>, tensor<8xf32>
    %144 = stablehlo.select %115, %141, %142 : tensor<8xi1>, tensor<8xf32>
    %145 = stablehlo.negate %143 : tensor<8xf32>
    %146 = stablehlo.add %144, %145 : tensor<8xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %148 = stablehlo.multiply %147, %110 : tensor<8x10xf32>
    %149 = stablehlo.dot_general %148, %82, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %150 = stablehlo.transpose %149, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %151 = stablehlo.dot_general %148, %83, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %152 = stablehlo.add %138, %151 : tensor<8x8xf32>
    %153 = stablehlo.transpose %150, dims = [1, 0] : (tensor<8x10xf32>) -> tensor<10x8xf32>
    %154 = stablehlo.add %140, %153 : tensor<10x8xf32>
    %155 = stablehlo.multiply %152, %81 : tensor<8x8xf32>
    %156 = stablehlo.multiply %155, %79 : tensor<8x8xf32>
    %157 = stablehlo.add %155, %156 : tensor<8x8xf32>
    %158 = stablehlo.dot_general %157, %77, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %159 = stablehlo.transpose %158, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %160 = stablehlo.dot_general %157, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %161 = stablehlo.add %152, %160 : tensor<8x8xf32>
    %162 = stablehlo.dot_general %161, %76, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %163 = stablehlo.transpose %162, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %164 = stablehlo.dot_general %161, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %165 = stablehlo.slice %164 [0:8, 0:8] : (tensor<8x16xf32>) -> tensor<8x8xf32>
    %166 = stablehlo.slice %164 [0:8, 8:16] : (tensor<8x16xf32>) -> tensor<8x8xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %168 = "stablehlo.scatter"(%167, %74, %166) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %236 = stablehlo.add %arg9, %arg10 : tensor<f32>
      stablehlo.return %236 : tensor<f32>
    }) : (tensor<10x8xf32>, tensor<8x1xi32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %169 = stablehlo.add %154, %168 : tensor<10x8xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_48 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %170 = stablehlo.divide %cst_47, %cst_48 : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %172 = stablehlo.negate %171 : tensor<8xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
    %174 = stablehlo.multiply %21, %173 : tensor<8x8xf32>
    %175 = stablehlo.multiply %173, %63 : tensor<8x8xf32>
    %176 = stablehlo.add %165, %175 : tensor<8x8xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %178 = "stablehlo.scatter"(%177, %62, %174) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %236 = stablehlo.add %arg9, %arg10 : tensor<f32>
      stablehlo.return %236 : tensor<f32>
    }) : (tensor<10x8xf32>, tensor<8x1xi32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %179 = stablehlo.add %169, %178 : tensor<10x8xf32>
    %180 = stablehlo.divide %171, %52 : tensor<8xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %182 = stablehlo.select %54, %181, %180 : tensor<8xi1>, tensor<8xf32>
    %183 = stablehlo.select %54, %180, %181 : tensor<8xi1>, tensor<8xf32>
    %184 = stablehlo.negate %182 : tensor<8xf32>
    %185 = stablehlo.add %183, %184 : tensor<8xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %187 = stablehlo.multiply %186, %49 : tensor<8x10xf32>
    %188 = stablehlo.dot_general %187, %21, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %189 = stablehlo.transpose %188, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %190 = stablehlo.dot_general %187, %22, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %191 = stablehlo.add %176, %190 : tensor<8x8xf32>
    %192 = stablehlo.transpose %189, dims = [1, 0] : (tensor<8x10xf32>) -> tensor<10x8xf32>
    %193 = stablehlo.add %179, %192 : tensor<10x8xf32>
    %194 = stablehlo.multiply %191, %20 : tensor<8x8xf32>
    %195 = stablehlo.multiply %194, %18 : tensor<8x8xf32>
    %196 = stablehlo.add %194, %195 : tensor<8x8xf32>
    %197 = stablehlo.dot_general %196, %16, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %198 = stablehlo.transpose %197, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %199 = stablehlo.dot_general %196, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %200 = stablehlo.add %191, %199 : tensor<8x8xf32>
    %201 = stablehlo.multiply %200, %15 : tensor<8x8xf32>
    %202 = stablehlo.multiply %201, %13 : tensor<8x8xf32>
    %203 = stablehlo.add %201, %202 : tensor<8x8xf32>
    %204 = stablehlo.dot_general %203, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %205 = stablehlo.transpose %204, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %206 = stablehlo.dot_general %203, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %207 = stablehlo.add %200, %206 : tensor<8x8xf32>
    %208 = stablehlo.multiply %207, %10 : tensor<8x8xf32>
    %209 = stablehlo.multiply %208, %8 : tensor<8x8xf32>
    %210 = stablehlo.add %208, %209 : tensor<8x8xf32>
    %211 = stablehlo.dot_general %210, %6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %212 = stablehlo.transpose %211, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %213 = stablehlo.dot_general %210, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %214 = stablehlo.add %207, %213 : tensor<8x8xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %216 = "stablehlo.scatter"(%215, %5, %214) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %236 = stablehlo.add %arg9, %arg10 : tensor<f32>
      stablehlo.return %236 : tensor<f32>
    }) : (tensor<10x8xf32>, tensor<8x1xi32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %217 = stablehlo.add %193, %216 : tensor<10x8xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %219 = stablehlo.multiply %218, %217 : tensor<10x8xf32>
    %220 = stablehlo.subtract %arg0, %219 : tensor<10x8xf32>
    %cst_53 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %222 = stablehlo.multiply %221, %163 : tensor<16x8xf32>
    %223 = stablehlo.subtract %arg1, %222 : tensor<16x8xf32>
    %cst_54 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %225 = stablehlo.multiply %224, %212 : tensor<8x8xf32>
    %226 = stablehlo.subtract %arg2, %225 : tensor<8x8xf32>
    %cst_55 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %228 = stablehlo.multiply %227, %205 : tensor<8x8xf32>
    %229 = stablehlo.subtract %arg3, %228 : tensor<8x8xf32>
    %cst_56 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %231 = stablehlo.multiply %230, %198 : tensor<8x8xf32>
    %232 = stablehlo.subtract %arg4, %231 : tensor<8x8xf32>
    %cst_57 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %234 = stablehlo.multiply %233, %159 : tensor<8x8xf32>
    %235 = stablehlo.subtract %arg5, %234 : tensor<8x8xf32>
    return %220, %223, %226, %229, %232, %235, %131 : tensor<10x8xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>
  }
}
// expect:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
