// test: pipeline stages=2 microbatches=4
// The loss has a gradient in it, so that the step goes through its layers four times: stages would want things of each other that are not there.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<16x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x16xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<16x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x16xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<32x16xf32>, %arg9: tensor<32x16xf32>) -> (tensor<16x16xf32> {jax.result_info = "result[0][0]"}, tensor<16x16xf32> {jax.result_info = "result[0][1]"}, tensor<16x16xf32> {jax.result_info = "result[0][2]"}, tensor<16x16xf32> {jax.result_info = "result[0][3]"}, tensor<16x16xf32> {jax.result_info = "result[1][0]"}, tensor<16x16xf32> {jax.result_info = "result[1][1]"}, tensor<16x16xf32> {jax.result_info = "result[1][2]"}, tensor<16x16xf32> {jax.result_info = "result[1][3]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg8, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %1 = stablehlo.tanh %0 : tensor<32x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<32x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %5 = stablehlo.subtract %4, %1 : tensor<32x16xf32>
    %6 = stablehlo.add %arg8, %1 : tensor<32x16xf32>
    %7 = stablehlo.dot_general %6, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %8 = stablehlo.tanh %7 : tensor<32x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<32x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %12 = stablehlo.subtract %11, %8 : tensor<32x16xf32>
    %13 = stablehlo.add %6, %8 : tensor<32x16xf32>
    %14 = stablehlo.dot_general %13, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %15 = stablehlo.tanh %14 : tensor<32x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %17 = stablehlo.subtract %16, %15 : tensor<32x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %19 = stablehlo.subtract %18, %15 : tensor<32x16xf32>
    %20 = stablehlo.add %13, %15 : tensor<32x16xf32>
    %21 = stablehlo.dot_general %20, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %22 = stablehlo.tanh %21 : tensor<32x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %24 = stablehlo.subtract %23, %22 : tensor<32x16xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %26 = stablehlo.subtract %25, %22 : tensor<32x16xf32>
    %27 = stablehlo.add %20, %22 : tensor<32x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %30 = stablehlo.multiply %29, %26 : tensor<32x16xf32>
    %31 = stablehlo.multiply %30, %22 : tensor<32x16xf32>
    %32 = stablehlo.add %30, %31 : tensor<32x16xf32>
    %33 = stablehlo.dot_general %32, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %34 = stablehlo.add %29, %33 : tensor<32x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %36 = stablehlo.multiply %34, %19 : tensor<32x16xf32>
    %37 = stablehlo.multiply %36, %15 : tensor<32x16xf32>
    %38 = stablehlo.add %36, %37 : tensor<32x16xf32>
    %39 = stablehlo.dot_general %38, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %40 = stablehlo.add %34, %39 : tensor<32x16xf32>
    %41 = stablehlo.multiply %40, %12 : tensor<32x16xf32>
    %42 = stablehlo.multiply %41, %8 : tensor<32x16xf32>
    %43 = stablehlo.add %41, %42 : tensor<32x16xf32>
    %44 = stablehlo.dot_general %43, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %45 = stablehlo.add %40, %44 : tensor<32x16xf32>
    %46 = stablehlo.multiply %45, %5 : tensor<32x16xf32>
    %47 = stablehlo.multiply %46, %1 : tensor<32x16xf32>
    %48 = stablehlo.add %46, %47 : tensor<32x16xf32>
    %49 = stablehlo.dot_general %48, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %50 = stablehlo.add %45, %49 : tensor<32x16xf32>
    %51 = stablehlo.dot_general %arg8, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %52 = stablehlo.tanh %51 : tensor<32x16xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %54 = stablehlo.subtract %53, %52 : tensor<32x16xf32>
    %55 = stablehlo.add %arg8, %52 : tensor<32x16xf32>
    %56 = stablehlo.dot_general %55, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %57 = stablehlo.tanh %56 : tensor<32x16xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %59 = stablehlo.subtract %58, %57 : tensor<32x16xf32>
    %60 = stablehlo.add %55, %57 : tensor<32x16xf32>
    %61 = stablehlo.dot_general %60, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %62 = stablehlo.tanh %61 : tensor<32x16xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %64 = stablehlo.subtract %63, %62 : tensor<32x16xf32>
    %65 = stablehlo.add %60, %62 : tensor<32x16xf32>
    %66 = stablehlo.dot_general %65, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %67 = stablehlo.tanh %66 : tensor<32x16xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %69 = stablehlo.subtract %68, %67 : tensor<32x16xf32>
    %70 = stablehlo.add %65, %67 : tensor<32x16xf32>
    %71 = stablehlo.subtract %70, %arg9 : tensor<32x16xf32>
    %72 = stablehlo.multiply %71, %71 : tensor<32x16xf32>
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %74 = stablehlo.multiply %73, %71 : tensor<32x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%72 init: %cst_15) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %76 = stablehlo.divide %75, %cst_16 : tensor<f32>
    %77 = stablehlo.multiply %50, %50 : tensor<32x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%77 init: %cst_17) applies stablehlo.add across dimensions = [1] : (tensor<32x16xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_18) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %cst_19 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %80 = stablehlo.divide %79, %cst_19 : tensor<f32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %81 = stablehlo.multiply %cst_20, %80 : tensor<f32>
    %82 = stablehlo.add %76, %81 : tensor<f32>
    %cst_21 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %83 = stablehlo.multiply %cst_21, %cst_22 : tensor<f32>
    %cst_23 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %84 = stablehlo.divide %83, %cst_23 : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<32xf32>) -> tensor<32x16xf32>
    %87 = stablehlo.multiply %50, %86 : tensor<32x16xf32>
    %88 = stablehlo.multiply %86, %50 : tensor<32x16xf32>
    %89 = stablehlo.add %87, %88 : tensor<32x16xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_25 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %90 = stablehlo.divide %cst_24, %cst_25 : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %92 = stablehlo.multiply %91, %74 : tensor<32x16xf32>
    %93 = stablehlo.multiply %92, %69 : tensor<32x16xf32>
    %94 = stablehlo.multiply %93, %67 : tensor<32x16xf32>
    %95 = stablehlo.add %93, %94 : tensor<32x16xf32>
    %96 = stablehlo.dot_general %95, %65, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %97 = stablehlo.transpose %96, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %98 = stablehlo.dot_general %95, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %99 = stablehlo.add %92, %98 : tensor<32x16xf32>
    %100 = stablehlo.multiply %99, %64 : tensor<32x16xf32>
    %101 = stablehlo.multiply %100, %62 : tensor<32x16xf32>
    %102 = stablehlo.add %100, %101 : tensor<32x16xf32>
    %103 = stablehlo.dot_general %102, %60, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %104 = stablehlo.transpose %103, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %105 = stablehlo.dot_general %102, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %106 = stablehlo.add %99, %105 : tensor<32x16xf32>
    %107 = stablehlo.multiply %106, %59 : tensor<32x16xf32>
    %108 = stablehlo.multiply %107, %57 : tensor<32x16xf32>
    %109 = stablehlo.add %107, %108 : tensor<32x16xf32>
    %110 = stablehlo.dot_general %109, %55, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %111 = stablehlo.transpose %110, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %112 = stablehlo.dot_general %109, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %113 = stablehlo.add %106, %112 : tensor<32x16xf32>
    %114 = stablehlo.multiply %113, %54 : tensor<32x16xf32>
    %115 = stablehlo.multiply %114, %52 : tensor<32x16xf32>
    %116 = stablehlo.add %114, %115 : tensor<32x16xf32>
    %117 = stablehlo.dot_general %116, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %118 = stablehlo.transpose %117, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %119 = stablehlo.dot_general %89, %48, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %120 = stablehlo.add %118, %119 : tensor<16x16xf32>
    %121 = stablehlo.dot_general %89, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %122 = stablehlo.multiply %46, %121 : tensor<32x16xf32>
    %123 = stablehlo.multiply %121, %1 : tensor<32x16xf32>
    %124 = stablehlo.add %121, %123 : tensor<32x16xf32>
    %125 = stablehlo.multiply %45, %124 : tensor<32x16xf32>
    %126 = stablehlo.multiply %124, %5 : tensor<32x16xf32>
    %127 = stablehlo.add %89, %126 : tensor<32x16xf32>
    %128 = stablehlo.dot_general %127, %43, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %129 = stablehlo.add %111, %128 : tensor<16x16xf32>
    %130 = stablehlo.dot_general %127, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %131 = stablehlo.multiply %41, %130 : tensor<32x16xf32>
    %132 = stablehlo.multiply %130, %8 : tensor<32x16xf32>
    %133 = stablehlo.add %130, %132 : tensor<32x16xf32>
    %134 = stablehlo.multiply %40, %133 : tensor<32x16xf32>
    %135 = stablehlo.multiply %133, %12 : tensor<32x16xf32>
    %136 = stablehlo.add %127, %135 : tensor<32x16xf32>
    %137 = stablehlo.dot_general %136, %38, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %138 = stablehlo.add %104, %137 : tensor<16x16xf32>
    %139 = stablehlo.dot_general %136, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %140 = stablehlo.multiply %36, %139 : tensor<32x16xf32>
    %141 = stablehlo.multiply %139, %15 : tensor<32x16xf32>
    %142 = stablehlo.add %139, %141 : tensor<32x16xf32>
    %143 = stablehlo.multiply %34, %142 : tensor<32x16xf32>
    %144 = stablehlo.multiply %142, %19 : tensor<32x16xf32>
    %145 = stablehlo.add %136, %144 : tensor<32x16xf32>
    %146 = stablehlo.dot_general %145, %32, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %147 = stablehlo.add %97, %146 : tensor<16x16xf32>
    %148 = stablehlo.dot_general %145, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %149 = stablehlo.multiply %30, %148 : tensor<32x16xf32>
    %150 = stablehlo.multiply %148, %22 : tensor<32x16xf32>
    %151 = stablehlo.add %148, %150 : tensor<32x16xf32>
    %152 = stablehlo.multiply %29, %151 : tensor<32x16xf32>
    %153 = stablehlo.negate %152 : tensor<32x16xf32>
    %154 = stablehlo.add %149, %153 : tensor<32x16xf32>
    %155 = stablehlo.multiply %154, %24 : tensor<32x16xf32>
    %156 = stablehlo.multiply %155, %22 : tensor<32x16xf32>
    %157 = stablehlo.add %155, %156 : tensor<32x16xf32>
    %158 = stablehlo.dot_general %157, %20, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %159 = stablehlo.transpose %158, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %160 = stablehlo.add %147, %159 : tensor<16x16xf32>
    %161 = stablehlo.dot_general %157, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %162 = stablehlo.add %140, %161 : tensor<32x16xf32>
    %163 = stablehlo.negate %143 : tensor<32x16xf32>
    %164 = stablehlo.add %162, %163 : tensor<32x16xf32>
    %165 = stablehlo.multiply %164, %17 : tensor<32x16xf32>
    %166 = stablehlo.multiply %165, %15 : tensor<32x16xf32>
    %167 = stablehlo.add %165, %166 : tensor<32x16xf32>
    %168 = stablehlo.dot_general %167, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %169 = stablehlo.transpose %168, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %170 = stablehlo.add %138, %169 : tensor<16x16xf32>
    %171 = stablehlo.dot_general %167, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %172 = stablehlo.add %161, %171 : tensor<32x16xf32>
    %173 = stablehlo.add %122, %172 : tensor<32x16xf32>
    %174 = stablehlo.add %131, %172 : tensor<32x16xf32>
    %175 = stablehlo.negate %134 : tensor<32x16xf32>
    %176 = stablehlo.add %174, %175 : tensor<32x16xf32>
    %177 = stablehlo.multiply %176, %10 : tensor<32x16xf32>
    %178 = stablehlo.multiply %177, %8 : tensor<32x16xf32>
    %179 = stablehlo.add %177, %178 : tensor<32x16xf32>
    %180 = stablehlo.dot_general %179, %6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %181 = stablehlo.transpose %180, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %182 = stablehlo.add %129, %181 : tensor<16x16xf32>
    %183 = stablehlo.dot_general %179, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %184 = stablehlo.add %173, %183 : tensor<32x16xf32>
    %185 = stablehlo.negate %125 : tensor<32x16xf32>
    %186 = stablehlo.add %184, %185 : tensor<32x16xf32>
    %187 = stablehlo.multiply %186, %3 : tensor<32x16xf32>
    %188 = stablehlo.multiply %187, %1 : tensor<32x16xf32>
    %189 = stablehlo.add %187, %188 : tensor<32x16xf32>
    %190 = stablehlo.dot_general %189, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %191 = stablehlo.transpose %190, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %192 = stablehlo.add %120, %191 : tensor<16x16xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %194 = stablehlo.multiply %193, %arg4 : tensor<16x16xf32>
    %195 = stablehlo.add %194, %192 : tensor<16x16xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %197 = stablehlo.multiply %196, %arg5 : tensor<16x16xf32>
    %198 = stablehlo.add %197, %182 : tensor<16x16xf32>
    %cst_28 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %200 = stablehlo.multiply %199, %arg6 : tensor<16x16xf32>
    %201 = stablehlo.add %200, %170 : tensor<16x16xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %203 = stablehlo.multiply %202, %arg7 : tensor<16x16xf32>
    %204 = stablehlo.add %203, %160 : tensor<16x16xf32>
    %cst_30 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %206 = stablehlo.multiply %205, %195 : tensor<16x16xf32>
    %207 = stablehlo.subtract %arg0, %206 : tensor<16x16xf32>
    %cst_31 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %209 = stablehlo.multiply %208, %198 : tensor<16x16xf32>
    %210 = stablehlo.subtract %arg1, %209 : tensor<16x16xf32>
    %cst_32 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %212 = stablehlo.multiply %211, %201 : tensor<16x16xf32>
    %213 = stablehlo.subtract %arg2, %212 : tensor<16x16xf32>
    %cst_33 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %215 = stablehlo.multiply %214, %204 : tensor<16x16xf32>
    %216 = stablehlo.subtract %arg3, %215 : tensor<16x16xf32>
    return %207, %210, %213, %216, %195, %198, %201, %204, %82 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>
  }
}
// expect:
// gpipe, 1f1b, eager-1f1b, zb-h1, zb-h2, dualpipe, chimera: line 155: the program cannot be cut into 2 stages: stage 0 would have to read here what stage 1 does not make for it, as where a step goes through its layers more than once
// interleaved-1f1b, looped-bfs, zb-v, v-half, v-min, interleaved-zb, dualpipe-v: line 155: the program cannot be cut into 4 stages: stage 0 would have to read here what stage 1 does not make for it, as where a step goes through its layers more than once
