// test: attention
// Loops whose gradient computes all of a layer again.
module {
  func.func public @main(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<2x32x32xbf16>, %arg2: tensor<2x32x32xbf16>, %arg3: tensor<2x32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>) {
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %0 = stablehlo.sqrt %cst : tensor<f32>
    %1 = stablehlo.convert %0 : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %3 = call @tril(%2) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %4:2 = call @_where(%3, %cst_0) : (tensor<16x16xi1>, tensor<f32>) -> (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>)
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6:10 = stablehlo.while(%iterArg = %arg0, %iterArg_13 = %arg1, %iterArg_14 = %arg2, %iterArg_15 = %arg3, %iterArg_16 = %1, %iterArg_17 = %4#0, %iterArg_18 = %4#1, %iterArg_19 = %c_2, %iterArg_20 = %arg4, %iterArg_21 = %5) : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>
    cond {
      %c_22 = stablehlo.constant dense<2> : tensor<i32>
      %22 = stablehlo.compare LT, %iterArg_19, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %22 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_19) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %23 = func.call @dynamic_index_in_dim(%iterArg_13, %iterArg_19) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %24 = func.call @dynamic_index_in_dim(%iterArg_14, %iterArg_19) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %25 = func.call @dynamic_index_in_dim(%iterArg_15, %iterArg_19) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %26:2 = func.call @closed_call(%iterArg_16, %iterArg_17, %iterArg_18, %iterArg_20, %22, %23, %24, %25) : (tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>)
      %27 = func.call @dynamic_update_index_in_dim(%iterArg_21, %26#1, %iterArg_19) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %c_22 = stablehlo.constant dense<1> : tensor<i32>
      %28 = stablehlo.add %iterArg_19, %c_22 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %iterArg_17, %iterArg_18, %28, %26#0, %27 : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>
    }
    %7 = stablehlo.convert %6#8 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<2x16x32xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<2x16x32xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%8 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %12 = stablehlo.divide %11, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %13 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %15 = stablehlo.multiply %14, %10 : tensor<2x16x32xf32>
    %16 = stablehlo.convert %15 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %17 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %18 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %19 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %20 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %21:11 = stablehlo.while(%iterArg = %arg0, %iterArg_13 = %arg1, %iterArg_14 = %arg2, %iterArg_15 = %arg3, %iterArg_16 = %6#9, %iterArg_17 = %c_12, %iterArg_18 = %16, %iterArg_19 = %17, %iterArg_20 = %18, %iterArg_21 = %19, %iterArg_22 = %20) : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    cond {
      %c_23 = stablehlo.constant dense<2> : tensor<i32>
      %22 = stablehlo.compare LT, %iterArg_17, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %c_23 = stablehlo.constant dense<2> : tensor<i32>
      %22 = stablehlo.subtract %c_23, %iterArg_17 : tensor<i32>
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %23 = stablehlo.subtract %22, %c_24 : tensor<i32>
      %24 = func.call @dynamic_index_in_dim(%iterArg, %23) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %25 = func.call @dynamic_index_in_dim(%iterArg_13, %23) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %26 = func.call @dynamic_index_in_dim(%iterArg_14, %23) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %27 = func.call @dynamic_index_in_dim(%iterArg_15, %23) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %28 = func.call @dynamic_index_in_dim_1(%iterArg_16, %23) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %29:5 = func.call @closed_call_2(%iterArg_18, %24, %25, %26, %27, %28) : (tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>)
      %30 = func.call @dynamic_update_index_in_dim_6(%iterArg_19, %29#1, %23) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %31 = func.call @dynamic_update_index_in_dim_6(%iterArg_20, %29#2, %23) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %32 = func.call @dynamic_update_index_in_dim_6(%iterArg_21, %29#3, %23) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %33 = func.call @dynamic_update_index_in_dim_6(%iterArg_22, %29#4, %23) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %c_25 = stablehlo.constant dense<1> : tensor<i32>
      %34 = stablehlo.add %iterArg_17, %c_25 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %34, %29#0, %30, %31, %32, %33 : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    }
    return %12, %21#7, %21#8, %21#9, %21#10 : tensor<f32>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
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
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<f32>) -> (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    return %0, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<i32>) -> tensor<32x32xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 32] : (tensor<2x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
    return %1 : tensor<32x32xbf16>
  }
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x4x16x16xf32>, %arg3: tensor<2x16x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) {
    %0 = stablehlo.dot_general %arg3, %arg6, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.dot_general %arg3, %arg7, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %7 = stablehlo.convert %6 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %8 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %9 = stablehlo.divide %7, %8 : tensor<2x4x16x16xf32>
    %10 = call @_where_0(%9, %arg1, %arg2) : (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x4x16xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<2x4x16x16xf32>
    %17 = stablehlo.exponential %16 : tensor<2x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x4x16x16xf32>
    %22 = stablehlo.convert %21 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %23 = stablehlo.dot_general %5, %22, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %24 = stablehlo.transpose %23, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %25 = stablehlo.reshape %24 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %26 = stablehlo.dot_general %25, %arg5, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %27 = stablehlo.add %arg3, %26 : tensor<2x16x32xbf16>
    return %27, %arg3 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xf32>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %0 : tensor<2x4x16x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x2x16x32xbf16>, %arg1: tensor<2x16x32xbf16>, %arg2: tensor<i32>) -> tensor<2x2x16x32xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x2x16x32xbf16>, tensor<1x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x16x32xbf16>
    return %1 : tensor<2x2x16x32xbf16>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<2x2x16x32xbf16>, %arg1: tensor<i32>) -> tensor<2x16x32xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 16, 32] : (tensor<2x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x16x32xbf16>) -> tensor<2x16x32xbf16>
    return %1 : tensor<2x16x32xbf16>
  }
  func.func private @closed_call_2(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0:6 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg4, %arg5, %arg0 : tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>
    %1 = stablehlo.dot_general %0#4, %0#2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %2 = stablehlo.reshape %1 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.dot_general %0#4, %0#0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %4 = stablehlo.reshape %3 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %5 = stablehlo.dot_general %0#4, %0#3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %6 = stablehlo.reshape %5 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %7 = stablehlo.dot_general %2, %4, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %8 = stablehlo.convert %7 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.sqrt %cst : tensor<f32>
    %10 = stablehlo.convert %9 : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %13 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %14 = call @tril_3(%13) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %15:2 = call @_where_4(%14, %12, %cst_0) : (tensor<16x16xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<2x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %21 = stablehlo.subtract %15#0, %20 : tensor<2x4x16x16xf32>
    %22 = stablehlo.exponential %21 : tensor<2x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %26 = stablehlo.divide %22, %25 : tensor<2x4x16x16xf32>
    %27 = stablehlo.multiply %24, %24 : tensor<2x4x16x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %29 = stablehlo.divide %28, %27 : tensor<2x4x16x1xf32>
    %30 = stablehlo.convert %26 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %31 = stablehlo.dot_general %6, %30, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %32 = stablehlo.transpose %31, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %33 = stablehlo.reshape %32 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %34 = stablehlo.dot_general %0#5, %33, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %36 = stablehlo.dot_general %0#5, %0#1, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %37 = stablehlo.reshape %36 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %38 = stablehlo.transpose %37, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %39 = stablehlo.dot_general %38, %6, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %40 = stablehlo.dot_general %38, %30, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %41 = stablehlo.transpose %40, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %42 = stablehlo.convert %39 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %43 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %44 = stablehlo.multiply %42, %43 : tensor<2x4x16x16xf32>
    %45 = stablehlo.multiply %44, %22 : tensor<2x4x16x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%45 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %47 = stablehlo.reshape %46 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %48 = stablehlo.negate %47 : tensor<2x4x16x1xf32>
    %49 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %50 = stablehlo.divide %42, %49 : tensor<2x4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%48 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %53 = stablehlo.add %50, %52 : tensor<2x4x16x16xf32>
    %54 = stablehlo.multiply %53, %22 : tensor<2x4x16x16xf32>
    %55 = call @_where_5(%15#1, %54) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %56 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %57 = stablehlo.divide %55, %56 : tensor<2x4x16x16xf32>
    %58 = stablehlo.convert %57 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %59 = stablehlo.dot_general %58, %2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %60 = stablehlo.transpose %59, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %61 = stablehlo.dot_general %58, %4, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %62 = stablehlo.transpose %61, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %63 = stablehlo.reshape %41 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %64 = stablehlo.dot_general %63, %0#4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %65 = stablehlo.transpose %64, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %66 = stablehlo.dot_general %63, %0#3, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %67 = stablehlo.add %0#5, %66 : tensor<2x16x32xbf16>
    %68 = stablehlo.reshape %60 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %69 = stablehlo.dot_general %68, %0#4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %70 = stablehlo.transpose %69, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %71 = stablehlo.dot_general %68, %0#0, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %72 = stablehlo.add %67, %71 : tensor<2x16x32xbf16>
    %73 = stablehlo.reshape %62 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %74 = stablehlo.dot_general %73, %0#4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %75 = stablehlo.transpose %74, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %76 = stablehlo.dot_general %73, %0#2, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %77 = stablehlo.add %72, %76 : tensor<2x16x32xbf16>
    return %77, %70, %35, %75, %65 : tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func private @tril_3(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
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
  func.func private @_where_4(%arg0: tensor<16x16xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %2, %0 : tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_5(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %1 : tensor<2x4x16x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<i32>) -> tensor<2x32x32xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x32xbf16>) -> tensor<1x32x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x32x32xbf16>, tensor<1x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x32xbf16>
    return %1 : tensor<2x32x32xbf16>
  }
}
// expect:
// line 126: forward
// line 188: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.35355339059327373 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.35355339059327373 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.35355339059327373 CAUSAL window 0 scores 2x4x16x16
