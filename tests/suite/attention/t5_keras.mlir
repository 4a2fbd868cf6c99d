// test: attention
// A bias with a gradient in Keras' operations, and a mask that is multiplied by a large number.
module {
  func.func public @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<7x4xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<7x4xbf16>, tensor<32x32xbf16>) {
    %0 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.dot_general %arg5, %arg4, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %6 = stablehlo.iota dim = 0 : tensor<16xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %11 = stablehlo.subtract %9, %10 : tensor<16x16xi32>
    %c = stablehlo.constant dense<-3> : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %12 = call @clip(%11, %c, %c_0) : (tensor<16x16xi32>, tensor<i32>, tensor<i32>) -> tensor<16x16xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %14 = stablehlo.add %12, %13 : tensor<16x16xi32>
    %15:2 = call @_take(%arg3, %14) : (tensor<7x4xbf16>, tensor<16x16xi32>) -> (tensor<16x16x4xbf16>, tensor<16x16x1xi32>)
    %16 = stablehlo.transpose %15#0, dims = [2, 0, 1] : (tensor<16x16x4xbf16>) -> tensor<4x16x16xbf16>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2, 3] : (tensor<4x16x16xbf16>) -> tensor<1x4x16x16xbf16>
    %18 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %20 = stablehlo.add %18, %19 : tensor<2x4x16x16xbf16>
    %21 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %22 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %23 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %25 = stablehlo.compare GE, %23, %24, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %26 = stablehlo.convert %25 : (tensor<16x16xi1>) -> tensor<16x16xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %27 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<16x16xbf16>
    %28 = stablehlo.subtract %27, %26 : tensor<16x16xbf16>
    %cst_2 = stablehlo.constant dense<-9.982440e+08> : tensor<bf16>
    %29 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<16x16xbf16>
    %30 = stablehlo.multiply %28, %29 : tensor<16x16xbf16>
    %31 = stablehlo.broadcast_in_dim %30, dims = [2, 3] : (tensor<16x16xbf16>) -> tensor<1x1x16x16xbf16>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %33 = stablehlo.add %20, %32 : tensor<2x4x16x16xbf16>
    %cst_3 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %34 = stablehlo.reduce(%33 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_4 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %36 = stablehlo.maximum %35, %34 : tensor<2x4x16xbf16>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %39 = stablehlo.subtract %33, %38 : tensor<2x4x16x16xbf16>
    %40 = stablehlo.exponential %39 : tensor<2x4x16x16xbf16>
    %41 = stablehlo.convert %40 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %44 = stablehlo.convert %43 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %46 = stablehlo.divide %40, %45 : tensor<2x4x16x16xbf16>
    %47 = stablehlo.multiply %44, %44 : tensor<2x4x16x1xbf16>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %48 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %49 = stablehlo.divide %48, %47 : tensor<2x4x16x1xbf16>
    %50 = stablehlo.dot_general %5, %46, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %51 = stablehlo.transpose %50, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %52 = stablehlo.reshape %51 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %53 = stablehlo.dot_general %52, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %54 = stablehlo.add %arg5, %53 : tensor<2x16x32xbf16>
    %55 = stablehlo.convert %54 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %56 = stablehlo.multiply %55, %55 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %58 = stablehlo.multiply %57, %55 : tensor<2x16x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%56 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %60 = stablehlo.divide %59, %cst_9 : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_11 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %61 = stablehlo.divide %cst_10, %cst_11 : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %63 = stablehlo.multiply %62, %58 : tensor<2x16x32xf32>
    %64 = stablehlo.convert %63 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %65 = stablehlo.dot_general %64, %52, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %66 = stablehlo.transpose %65, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %67 = stablehlo.dot_general %64, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %68 = stablehlo.reshape %67 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %69 = stablehlo.transpose %68, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %70 = stablehlo.dot_general %69, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %71 = stablehlo.dot_general %69, %46, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %72 = stablehlo.transpose %71, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %73 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %74 = stablehlo.multiply %70, %73 : tensor<2x4x16x16xbf16>
    %75 = stablehlo.multiply %74, %40 : tensor<2x4x16x16xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %76 = stablehlo.reduce(%75 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %77 = stablehlo.reshape %76 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %78 = stablehlo.negate %77 : tensor<2x4x16x1xbf16>
    %79 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %80 = stablehlo.divide %70, %79 : tensor<2x4x16x16xbf16>
    %81 = stablehlo.convert %78 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %84 = stablehlo.convert %83 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %85 = stablehlo.add %80, %84 : tensor<2x4x16x16xbf16>
    %86 = stablehlo.multiply %85, %40 : tensor<2x4x16x16xbf16>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %87 = stablehlo.reduce(%86 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<4x16x16xbf16>
    %88 = stablehlo.reshape %87 : (tensor<4x16x16xbf16>) -> tensor<1x4x16x16xbf16>
    %89 = stablehlo.dot_general %86, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %90 = stablehlo.transpose %89, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %91 = stablehlo.dot_general %86, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %92 = stablehlo.transpose %91, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %93 = stablehlo.reduce(%88 init: %cst_15) applies stablehlo.add across dimensions = [0] : (tensor<1x4x16x16xbf16>, tensor<bf16>) -> tensor<4x16x16xbf16>
    %94 = stablehlo.transpose %93, dims = [1, 2, 0] : (tensor<4x16x16xbf16>) -> tensor<16x16x4xbf16>
    %95 = call @_take_0(%15#1, %94) : (tensor<16x16x1xi32>, tensor<16x16x4xbf16>) -> tensor<7x4xbf16>
    %96 = stablehlo.reshape %72 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %97 = stablehlo.dot_general %96, %arg5, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %98 = stablehlo.transpose %97, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %99 = stablehlo.reshape %90 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %100 = stablehlo.dot_general %99, %arg5, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %101 = stablehlo.transpose %100, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %102 = stablehlo.reshape %92 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %103 = stablehlo.dot_general %102, %arg5, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %104 = stablehlo.transpose %103, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %60, %101, %66, %104, %95, %98 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<7x4xbf16>, tensor<32x32xbf16>
  }
  func.func private @clip(%arg0: tensor<16x16xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<16x16xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<16x16xi32>
    %3 = stablehlo.convert %arg2 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %5 = stablehlo.minimum %4, %2 : tensor<16x16xi32>
    return %5 : tensor<16x16xi32>
  }
  func.func private @_take(%arg0: tensor<7x4xbf16>, %arg1: tensor<16x16xi32>) -> (tensor<16x16x4xbf16>, tensor<16x16x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<7> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<16x16xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<16x16xi1>, tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x16xi32>) -> tensor<16x16x1xi32>
    %c_1 = stablehlo.constant dense<6> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16x16x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<16x16x1xi32>, tensor<16x16x1xi32>) -> tensor<16x16x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<16x16x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<16x16x1xi32>, tensor<16x16x1xi32>) -> tensor<16x16x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<16x16x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<16x16x1xi1>, tensor<i1>) -> tensor<16x16xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<7x4xbf16>, tensor<16x16x1xi32>) -> tensor<16x16x4xbf16>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<16x16xi1>) -> tensor<16x16x4xi1>
    %cst = stablehlo.constant dense<0x7FC0> : tensor<bf16>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<16x16x4xbf16>
    %16 = stablehlo.select %14, %13, %15 : tensor<16x16x4xi1>, tensor<16x16x4xbf16>
    return %16, %5 : tensor<16x16x4xbf16>, tensor<16x16x1xi32>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<16x16xi32>, %arg2: tensor<16x16xi32>) -> tensor<16x16xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<16x16xi1>, tensor<16x16xi32>
    return %0 : tensor<16x16xi32>
  }
  func.func private @_take_0(%arg0: tensor<16x16x1xi32>, %arg1: tensor<16x16x4xbf16>) -> tensor<7x4xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<7x4xbf16>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<7x4xbf16>, tensor<16x16x1xi32>, tensor<16x16x4xbf16>) -> tensor<7x4xbf16>
    return %1 : tensor<7x4xbf16>
  }
}
// expect:
// line 52: with its gradient
// __cudnn$fmhaScaleBiasSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<1x4x16x16xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaScaleBiasSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<1x4x16x16xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
