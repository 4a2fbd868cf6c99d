// test: pipeline stages=2 microbatches=4 meshes=data=2,model=2;data=4
// All layers have the same weights, which both stages hold: the first updates them.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x10xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x8xf32>, %arg7: tensor<8xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layer']['in']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layer']['out']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layer']['in']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layer']['out']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg6, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.tanh %0 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<8x16xf32>
    %4 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.add %arg6, %4 : tensor<8x8xf32>
    %6 = stablehlo.dot_general %5, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %7 = stablehlo.tanh %6 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %9 = stablehlo.subtract %8, %7 : tensor<8x16xf32>
    %10 = stablehlo.dot_general %7, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.add %5, %10 : tensor<8x8xf32>
    %12 = stablehlo.dot_general %11, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %13 = stablehlo.tanh %12 : tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %15 = stablehlo.subtract %14, %13 : tensor<8x16xf32>
    %16 = stablehlo.dot_general %13, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %17 = stablehlo.add %11, %16 : tensor<8x8xf32>
    %18 = stablehlo.dot_general %17, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %19 = stablehlo.tanh %18 : tensor<8x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %21 = stablehlo.subtract %20, %19 : tensor<8x16xf32>
    %22 = stablehlo.dot_general %19, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %23 = stablehlo.add %17, %22 : tensor<8x8xf32>
    %24 = stablehlo.dot_general %23, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.reshape %25 : (tensor<8xf32>) -> tensor<8x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %28 = stablehlo.compare EQ, %24, %27, FLOAT : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xi1>
    %29 = stablehlo.convert %28 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %32 = stablehlo.maximum %31, %25 : tensor<8xf32>
    %33 = stablehlo.compare EQ, %25, %32, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %36 = stablehlo.select %33, %34, %35 : tensor<8xi1>, tensor<8xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.compare EQ, %37, %32, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %41 = stablehlo.select %38, %39, %40 : tensor<8xi1>, tensor<8xf32>
    %42 = stablehlo.divide %36, %41 : tensor<8xf32>
    %43 = stablehlo.is_finite %32 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %45 = stablehlo.select %43, %32, %44 : tensor<8xi1>, tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %49 = stablehlo.subtract %24, %48 : tensor<8x10xf32>
    %50 = stablehlo.exponential %49 : tensor<8x10xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.sign %51 : tensor<8xf32>
    %53 = stablehlo.abs %51 : tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %55 = stablehlo.compare GE, %51, %54, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %56 = stablehlo.log %53 : tensor<8xf32>
    %57 = stablehlo.add %56, %45 : tensor<8xf32>
    %58 = call @_one_hot(%arg7) : (tensor<8xi32>) -> tensor<8x10xf32>
    %59 = stablehlo.multiply %24, %58 : tensor<8x10xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %61 = stablehlo.subtract %57, %60 : tensor<8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_16) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_17 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %63 = stablehlo.divide %62, %cst_17 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %64 = stablehlo.divide %cst_18, %cst_19 : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %66 = stablehlo.negate %65 : tensor<8xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %68 = stablehlo.multiply %67, %58 : tensor<8x10xf32>
    %69 = stablehlo.divide %65, %53 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %71 = stablehlo.select %55, %70, %69 : tensor<8xi1>, tensor<8xf32>
    %72 = stablehlo.select %55, %69, %70 : tensor<8xi1>, tensor<8xf32>
    %73 = stablehlo.negate %71 : tensor<8xf32>
    %74 = stablehlo.add %72, %73 : tensor<8xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %76 = stablehlo.multiply %75, %50 : tensor<8x10xf32>
    %77 = stablehlo.add %68, %76 : tensor<8x10xf32>
    %78 = stablehlo.dot_general %77, %23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
    %79 = stablehlo.transpose %78, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %80 = stablehlo.dot_general %77, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x8xf32>
    %81 = stablehlo.dot_general %80, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %82 = stablehlo.transpose %81, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %83 = stablehlo.dot_general %80, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %84 = stablehlo.multiply %83, %21 : tensor<8x16xf32>
    %85 = stablehlo.multiply %84, %19 : tensor<8x16xf32>
    %86 = stablehlo.add %84, %85 : tensor<8x16xf32>
    %87 = stablehlo.dot_general %86, %17, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %88 = stablehlo.transpose %87, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %89 = stablehlo.dot_general %86, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %90 = stablehlo.add %80, %89 : tensor<8x8xf32>
    %91 = stablehlo.dot_general %90, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %92 = stablehlo.transpose %91, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %93 = stablehlo.add %82, %92 : tensor<16x8xf32>
    %94 = stablehlo.dot_general %90, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %95 = stablehlo.multiply %94, %15 : tensor<8x16xf32>
    %96 = stablehlo.multiply %95, %13 : tensor<8x16xf32>
    %97 = stablehlo.add %95, %96 : tensor<8x16xf32>
    %98 = stablehlo.dot_general %97, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %99 = stablehlo.transpose %98, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %100 = stablehlo.add %88, %99 : tensor<8x16xf32>
    %101 = stablehlo.dot_general %97, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %102 = stablehlo.add %90, %101 : tensor<8x8xf32>
    %103 = stablehlo.dot_general %102, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %104 = stablehlo.transpose %103, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %105 = stablehlo.add %93, %104 : tensor<16x8xf32>
    %106 = stablehlo.dot_general %102, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %107 = stablehlo.multiply %106, %9 : tensor<8x16xf32>
    %108 = stablehlo.multiply %107, %7 : tensor<8x16xf32>
    %109 = stablehlo.add %107, %108 : tensor<8x16xf32>
    %110 = stablehlo.dot_general %109, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %111 = stablehlo.transpose %110, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %112 = stablehlo.add %100, %111 : tensor<8x16xf32>
    %113 = stablehlo.dot_general %109, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
    %114 = stablehlo.add %102, %113 : tensor<8x8xf32>
    %115 = stablehlo.dot_general %114, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %116 = stablehlo.transpose %115, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %117 = stablehlo.add %105, %116 : tensor<16x8xf32>
    %118 = stablehlo.dot_general %114, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
    %119 = stablehlo.multiply %118, %3 : tensor<8x16xf32>
    %120 = stablehlo.multiply %119, %1 : tensor<8x16xf32>
    %121 = stablehlo.add %119, %120 : tensor<8x16xf32>
    %122 = stablehlo.dot_general %121, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %123 = stablehlo.transpose %122, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %124 = stablehlo.add %112, %123 : tensor<8x16xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %126 = stablehlo.multiply %125, %arg3 : tensor<8x10xf32>
    %127 = stablehlo.add %126, %79 : tensor<8x10xf32>
    %cst_22 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %129 = stablehlo.multiply %128, %arg4 : tensor<8x16xf32>
    %130 = stablehlo.add %129, %124 : tensor<8x16xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %132 = stablehlo.multiply %131, %arg5 : tensor<16x8xf32>
    %133 = stablehlo.add %132, %117 : tensor<16x8xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %135 = stablehlo.multiply %134, %127 : tensor<8x10xf32>
    %136 = stablehlo.subtract %arg0, %135 : tensor<8x10xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %138 = stablehlo.multiply %137, %130 : tensor<8x16xf32>
    %139 = stablehlo.subtract %arg1, %138 : tensor<8x16xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %141 = stablehlo.multiply %140, %133 : tensor<16x8xf32>
    %142 = stablehlo.subtract %arg2, %141 : tensor<16x8xf32>
    return %136, %139, %142, %127, %130, %133, %63 : tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<8x10xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<f32>
  }
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x10xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x10xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x10xi32>) -> tensor<8x10xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x10xi32>, tensor<8x10xi32>) -> tensor<8x10xi1>
    %5 = stablehlo.convert %4 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    return %5 : tensor<8x10xf32>
  }
}
// expect:
// 0 -> 1: 1 up, 2 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
// groups with meshes of their own:
// 0 -> 1: 1 up, 2 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe-v agree
// dualpipe, chimera: groups 0 and 1 have copies of the same stages, whose gradients are added up, but meshes of their own
