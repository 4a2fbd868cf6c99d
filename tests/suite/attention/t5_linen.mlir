// test: attention
// A bias with a gradient for Flax.
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
    %18 = stablehlo.iota dim = 0 : tensor<16xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<16xi32>) -> tensor<2x16xi32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<2x16xi32>) -> tensor<2x16x1xi32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0, 2] : (tensor<2x16xi32>) -> tensor<2x1x16xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x16x1xi32>) -> tensor<2x16x16xi32>
    %23 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x1x16xi32>) -> tensor<2x16x16xi32>
    %24 = stablehlo.compare GE, %22, %23, SIGNED : (tensor<2x16x16xi32>, tensor<2x16x16xi32>) -> tensor<2x16x16xi1>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 2, 3] : (tensor<2x16x16xi1>) -> tensor<2x1x16x16xi1>
    %26 = stablehlo.convert %25 : (tensor<2x1x16x16xi1>) -> tensor<2x1x16x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x16x16xf32>
    %28 = stablehlo.compare GT, %26, %27, FLOAT : (tensor<2x1x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %cst_3 = stablehlo.constant dense<-3.389530e+38> : tensor<bf16>
    %29 = call @_where_0(%28, %c_2, %cst_3) : (tensor<2x1x16x16xi1>, tensor<i32>, tensor<bf16>) -> tensor<2x1x16x16xbf16>
    %30 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %31 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<2x1x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %32 = stablehlo.add %30, %31 : tensor<2x4x16x16xbf16>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %33 = stablehlo.sqrt %cst_4 : tensor<f32>
    %34 = stablehlo.convert %33 : (tensor<f32>) -> tensor<bf16>
    %35 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %36 = stablehlo.divide %1, %35 : tensor<2x16x4x8xbf16>
    %37 = stablehlo.dot_general %36, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %38 = stablehlo.add %37, %32 : tensor<2x4x16x16xbf16>
    %cst_5 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %39 = stablehlo.reduce(%38 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_6 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %40 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %41 = stablehlo.maximum %40, %39 : tensor<2x4x16xbf16>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %44 = stablehlo.subtract %38, %43 : tensor<2x4x16x16xbf16>
    %45 = stablehlo.exponential %44 : tensor<2x4x16x16xbf16>
    %46 = stablehlo.convert %45 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %49 = stablehlo.convert %48 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %51 = stablehlo.divide %45, %50 : tensor<2x4x16x16xbf16>
    %52 = stablehlo.multiply %49, %49 : tensor<2x4x16x1xbf16>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %53 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %54 = stablehlo.divide %53, %52 : tensor<2x4x16x1xbf16>
    %55 = stablehlo.dot_general %5, %51, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %56 = stablehlo.transpose %55, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %57 = stablehlo.reshape %56 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %58 = stablehlo.dot_general %57, %arg1, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %59 = stablehlo.add %arg5, %58 : tensor<2x16x32xbf16>
    %60 = stablehlo.convert %59 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %61 = stablehlo.multiply %60, %60 : tensor<2x16x32xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %63 = stablehlo.multiply %62, %60 : tensor<2x16x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%61 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %65 = stablehlo.divide %64, %cst_11 : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_13 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %66 = stablehlo.divide %cst_12, %cst_13 : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %68 = stablehlo.multiply %67, %63 : tensor<2x16x32xf32>
    %69 = stablehlo.convert %68 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %70 = stablehlo.dot_general %69, %57, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %71 = stablehlo.transpose %70, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %72 = stablehlo.dot_general %69, %arg1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %73 = stablehlo.reshape %72 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %74 = stablehlo.transpose %73, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %75 = stablehlo.dot_general %74, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %76 = stablehlo.dot_general %74, %51, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %77 = stablehlo.transpose %76, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %78 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %79 = stablehlo.multiply %75, %78 : tensor<2x4x16x16xbf16>
    %80 = stablehlo.multiply %79, %45 : tensor<2x4x16x16xbf16>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %81 = stablehlo.reduce(%80 init: %cst_14) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %82 = stablehlo.reshape %81 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %83 = stablehlo.negate %82 : tensor<2x4x16x1xbf16>
    %84 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %85 = stablehlo.divide %75, %84 : tensor<2x4x16x16xbf16>
    %86 = stablehlo.convert %83 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %89 = stablehlo.convert %88 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %90 = stablehlo.add %85, %89 : tensor<2x4x16x16xbf16>
    %91 = stablehlo.multiply %90, %45 : tensor<2x4x16x16xbf16>
    %92 = stablehlo.dot_general %91, %36, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %93 = stablehlo.transpose %92, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %94 = stablehlo.dot_general %91, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %95 = stablehlo.transpose %94, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %96 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %97 = stablehlo.divide %95, %96 : tensor<2x16x4x8xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %98 = stablehlo.reduce(%91 init: %cst_16) applies stablehlo.add across dimensions = [0] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<4x16x16xbf16>
    %99 = stablehlo.reshape %98 : (tensor<4x16x16xbf16>) -> tensor<1x4x16x16xbf16>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %100 = stablehlo.reduce(%99 init: %cst_17) applies stablehlo.add across dimensions = [0] : (tensor<1x4x16x16xbf16>, tensor<bf16>) -> tensor<4x16x16xbf16>
    %101 = stablehlo.transpose %100, dims = [1, 2, 0] : (tensor<4x16x16xbf16>) -> tensor<16x16x4xbf16>
    %102 = call @_take_1(%15#1, %101) : (tensor<16x16x1xi32>, tensor<16x16x4xbf16>) -> tensor<7x4xbf16>
    %103 = stablehlo.reshape %77 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %104 = stablehlo.dot_general %103, %arg5, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %105 = stablehlo.transpose %104, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %106 = stablehlo.reshape %93 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %107 = stablehlo.dot_general %106, %arg5, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %108 = stablehlo.transpose %107, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %109 = stablehlo.reshape %97 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %110 = stablehlo.dot_general %109, %arg5, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %111 = stablehlo.transpose %110, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %65, %108, %71, %111, %102, %105 : tensor<f32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<7x4xbf16>, tensor<32x32xbf16>
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
  func.func private @_where_0(%arg0: tensor<2x1x16x16xi1>, %arg1: tensor<i32>, %arg2: tensor<bf16>) -> tensor<2x1x16x16xbf16> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<2x1x16x16xbf16>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<bf16>) -> tensor<2x1x16x16xbf16>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<2x1x16x16xi1>, tensor<2x1x16x16xbf16>
    return %3 : tensor<2x1x16x16xbf16>
  }
  func.func private @_take_1(%arg0: tensor<16x16x1xi32>, %arg1: tensor<16x16x4xbf16>) -> tensor<7x4xbf16> {
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
// line 59: with its gradient
// __cudnn$fmhaScaleBiasSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<1x4x16x16xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaScaleBiasSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<1x4x16x16xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
