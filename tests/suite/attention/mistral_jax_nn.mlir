// test: attention
// A window of keys, as `jax.nn.dot_product_attention` writes it out.
module {
  func.func public @main(%arg0: tensor<32x16xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x16xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>) {
    %c = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
    %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
    %0 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %4 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %6 = stablehlo.reshape %1 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %7 = stablehlo.dot_general %6, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x16x2x2x8xbf16>, tensor<2x16x2x8xbf16>) -> tensor<2x2x16x2x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x16x2x16xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x2x16x2x16xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<2x2x16x16xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %12 = call @tril(%11) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %13 = stablehlo.broadcast_in_dim %12, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<2x2x16x16xi1>
    %15 = stablehlo.and %10, %14 : tensor<2x2x16x16xi1>
    %16 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %17 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1x16xi32>
    %19 = stablehlo.add %17, %18 : tensor<1x16xi32>
    %20 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %22 = stablehlo.compare LE, %20, %21, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %23 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %24 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1x16xi32>
    %26 = stablehlo.subtract %24, %25 : tensor<1x16xi32>
    %27 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %28 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %29 = stablehlo.compare GE, %27, %28, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %30 = stablehlo.and %29, %22 : tensor<16x16xi1>
    %31 = stablehlo.broadcast_in_dim %30, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<2x2x16x16xi1>
    %33 = stablehlo.and %15, %32 : tensor<2x2x16x16xi1>
    %cst_5 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %34:2 = call @_where(%33, %9, %cst_5) : (tensor<2x2x16x16xi1>, tensor<2x2x16x2x16xf32>, tensor<f32>) -> (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>)
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %35 = stablehlo.reduce(%34#0 init: %cst_6) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x2x16xf32>
    %37 = stablehlo.maximum %36, %35 : tensor<2x2x2x16xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %40 = stablehlo.subtract %34#0, %39 : tensor<2x2x2x16x16xf32>
    %41 = stablehlo.exponential %40 : tensor<2x2x2x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_8) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %45 = stablehlo.divide %41, %44 : tensor<2x2x2x16x16xf32>
    %46 = stablehlo.multiply %43, %43 : tensor<2x2x2x16x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x1xf32>
    %48 = stablehlo.divide %47, %46 : tensor<2x2x2x16x1xf32>
    %49 = stablehlo.convert %45 : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xbf16>
    %50 = stablehlo.dot_general %5, %49, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4] : (tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x2x16xbf16>
    %51 = stablehlo.transpose %50, dims = [3, 0, 4, 1, 2] : (tensor<2x2x8x2x16xbf16>) -> tensor<2x2x16x2x8xbf16>
    %52 = stablehlo.transpose %51, dims = [1, 2, 3, 0, 4] : (tensor<2x2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %53 = stablehlo.reshape %52 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %54 = stablehlo.reshape %53 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %55 = stablehlo.dot_general %54, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %56 = stablehlo.add %arg4, %55 : tensor<2x16x32xbf16>
    %57 = stablehlo.convert %56 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %58 = stablehlo.multiply %57, %57 : tensor<2x16x32xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %60 = stablehlo.multiply %59, %57 : tensor<2x16x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%58 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %62 = stablehlo.divide %61, %cst_12 : tensor<f32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %63 = stablehlo.divide %cst_13, %cst_14 : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %65 = stablehlo.multiply %64, %60 : tensor<2x16x32xf32>
    %66 = stablehlo.convert %65 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %67 = stablehlo.dot_general %66, %54, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %68 = stablehlo.transpose %67, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %69 = stablehlo.dot_general %66, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %70 = stablehlo.reshape %69 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %71 = stablehlo.reshape %70 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %72 = stablehlo.transpose %71, dims = [3, 0, 1, 2, 4] : (tensor<2x16x2x2x8xbf16>) -> tensor<2x2x16x2x8xbf16>
    %73 = stablehlo.transpose %72, dims = [1, 3, 4, 0, 2] : (tensor<2x2x16x2x8xbf16>) -> tensor<2x2x8x2x16xbf16>
    %74 = stablehlo.dot_general %73, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x2x8x2x16xbf16>, tensor<2x16x2x8xbf16>) -> tensor<2x2x2x16x16xbf16>
    %75 = stablehlo.transpose %74, dims = [2, 0, 1, 3, 4] : (tensor<2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xbf16>
    %76 = stablehlo.dot_general %73, %49, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3] : (tensor<2x2x8x2x16xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x16xbf16>
    %77 = stablehlo.transpose %76, dims = [0, 3, 1, 2] : (tensor<2x2x8x16xbf16>) -> tensor<2x16x2x8xbf16>
    %78 = stablehlo.convert %75 : (tensor<2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xf32>
    %79 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %80 = stablehlo.multiply %78, %79 : tensor<2x2x2x16x16xf32>
    %81 = stablehlo.multiply %80, %41 : tensor<2x2x2x16x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_15) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %83 = stablehlo.reshape %82 : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %84 = stablehlo.negate %83 : tensor<2x2x2x16x1xf32>
    %85 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %86 = stablehlo.divide %78, %85 : tensor<2x2x2x16x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.reduce(%84 init: %cst_16) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x1xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x16xf32>
    %89 = stablehlo.add %86, %88 : tensor<2x2x2x16x16xf32>
    %90 = stablehlo.multiply %89, %41 : tensor<2x2x2x16x16xf32>
    %91 = call @_where_0(%34#1, %90) : (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x16x2x16xf32>
    %cst_17 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x2x16x2x16xf32>
    %93 = stablehlo.multiply %91, %92 : tensor<2x2x16x2x16xf32>
    %94 = stablehlo.dot_general %93, %6, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2x16x2x16xf32>, tensor<2x16x2x2x8xbf16>) -> tensor<2x2x16x8xf32>
    %95 = stablehlo.transpose %94, dims = [0, 2, 1, 3] : (tensor<2x2x16x8xf32>) -> tensor<2x16x2x8xf32>
    %96 = stablehlo.convert %95 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %97 = stablehlo.dot_general %93, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2x16x2x16xf32>, tensor<2x16x2x8xbf16>) -> tensor<2x2x16x2x8xf32>
    %98 = stablehlo.transpose %97, dims = [0, 2, 1, 3, 4] : (tensor<2x2x16x2x8xf32>) -> tensor<2x16x2x2x8xf32>
    %99 = stablehlo.convert %98 : (tensor<2x16x2x2x8xf32>) -> tensor<2x16x2x2x8xbf16>
    %100 = stablehlo.reshape %99 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %101 = stablehlo.reshape %77 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %102 = stablehlo.dot_general %101, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %103 = stablehlo.transpose %102, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %104 = stablehlo.reshape %96 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %105 = stablehlo.dot_general %104, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %106 = stablehlo.transpose %105, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %107 = stablehlo.reshape %100 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %108 = stablehlo.dot_general %107, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %109 = stablehlo.transpose %108, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %62, %106, %68, %109, %103 : tensor<f32>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where(%arg0: tensor<2x2x16x16xi1>, %arg1: tensor<2x2x16x2x16xf32>, %arg2: tensor<f32>) -> (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x16x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x2x16x16xi1>) -> tensor<2x2x2x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x16x2x16xf32>) -> tensor<2x2x2x16x16xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %4, %1 : tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x2x2x16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>) -> tensor<2x2x16x2x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x16x2x16xf32>
    return %2 : tensor<2x2x16x2x16xf32>
  }
}
// expect:
// line 56: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.3535533845424652 CAUSAL window 5 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 5 scores 2x4x16x16
