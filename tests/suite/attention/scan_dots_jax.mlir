// test: attention
// Loops that keep the products of weights only.
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
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %8 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %9:13 = stablehlo.while(%iterArg = %arg0, %iterArg_16 = %arg1, %iterArg_17 = %arg2, %iterArg_18 = %arg3, %iterArg_19 = %1, %iterArg_20 = %4#0, %iterArg_21 = %4#1, %iterArg_22 = %c_5, %iterArg_23 = %arg4, %iterArg_24 = %5, %iterArg_25 = %6, %iterArg_26 = %7, %iterArg_27 = %8) : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>
    cond {
      %c_28 = stablehlo.constant dense<2> : tensor<i32>
      %25 = stablehlo.compare LT, %iterArg_22, %c_28, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %25 : tensor<i1>
    } do {
      %25 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_22) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %26 = func.call @dynamic_index_in_dim(%iterArg_16, %iterArg_22) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %27 = func.call @dynamic_index_in_dim(%iterArg_17, %iterArg_22) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %28 = func.call @dynamic_index_in_dim(%iterArg_18, %iterArg_22) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %29:5 = func.call @closed_call(%iterArg_19, %iterArg_20, %iterArg_21, %iterArg_23, %25, %26, %27, %28) : (tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>)
      %30 = func.call @dynamic_update_index_in_dim(%iterArg_24, %29#1, %iterArg_22) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %31 = func.call @dynamic_update_index_in_dim(%iterArg_25, %29#2, %iterArg_22) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %32 = func.call @dynamic_update_index_in_dim(%iterArg_26, %29#3, %iterArg_22) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %33 = func.call @dynamic_update_index_in_dim(%iterArg_27, %29#4, %iterArg_22) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %c_28 = stablehlo.constant dense<1> : tensor<i32>
      %34 = stablehlo.add %iterArg_22, %c_28 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %34, %29#0, %30, %31, %32, %33 : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>
    }
    %10 = stablehlo.convert %9#8 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %11 = stablehlo.multiply %10, %10 : tensor<2x16x32xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %13 = stablehlo.multiply %12, %10 : tensor<2x16x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%11 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %15 = stablehlo.divide %14, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %16 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %18 = stablehlo.multiply %17, %13 : tensor<2x16x32xf32>
    %19 = stablehlo.convert %18 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %20 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %21 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %24:14 = stablehlo.while(%iterArg = %9#9, %iterArg_16 = %9#10, %iterArg_17 = %9#11, %iterArg_18 = %arg0, %iterArg_19 = %arg1, %iterArg_20 = %arg2, %iterArg_21 = %arg3, %iterArg_22 = %9#12, %iterArg_23 = %c_15, %iterArg_24 = %19, %iterArg_25 = %20, %iterArg_26 = %21, %iterArg_27 = %22, %iterArg_28 = %23) : tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    cond {
      %c_29 = stablehlo.constant dense<2> : tensor<i32>
      %25 = stablehlo.compare LT, %iterArg_23, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %25 : tensor<i1>
    } do {
      %c_29 = stablehlo.constant dense<2> : tensor<i32>
      %25 = stablehlo.subtract %c_29, %iterArg_23 : tensor<i32>
      %c_30 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.subtract %25, %c_30 : tensor<i32>
      %27 = func.call @dynamic_index_in_dim_1(%iterArg, %26) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %28 = func.call @dynamic_index_in_dim_1(%iterArg_16, %26) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %29 = func.call @dynamic_index_in_dim_1(%iterArg_17, %26) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %30 = func.call @dynamic_index_in_dim(%iterArg_18, %26) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %31 = func.call @dynamic_index_in_dim(%iterArg_19, %26) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %32 = func.call @dynamic_index_in_dim(%iterArg_20, %26) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %33 = func.call @dynamic_index_in_dim(%iterArg_21, %26) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %34 = func.call @dynamic_index_in_dim_1(%iterArg_22, %26) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %35:5 = func.call @closed_call_2(%iterArg_24, %27, %28, %29, %30, %31, %32, %33, %34) : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>)
      %36 = func.call @dynamic_update_index_in_dim_6(%iterArg_25, %35#1, %26) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %37 = func.call @dynamic_update_index_in_dim_6(%iterArg_26, %35#2, %26) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %38 = func.call @dynamic_update_index_in_dim_6(%iterArg_27, %35#3, %26) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %39 = func.call @dynamic_update_index_in_dim_6(%iterArg_28, %35#4, %26) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %c_31 = stablehlo.constant dense<1> : tensor<i32>
      %40 = stablehlo.add %iterArg_23, %c_31 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %40, %35#0, %36, %37, %38, %39 : tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    }
    return %15, %24#10, %24#11, %24#12, %24#13 : tensor<f32>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
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
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x4x16x16xf32>, %arg3: tensor<2x16x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) {
    %0 = stablehlo.dot_general %arg3, %arg6, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reduce_precision %0, format = e8m7 : tensor<2x16x32xbf16>
    %2 = stablehlo.reshape %1 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %4 = stablehlo.reduce_precision %3, format = e8m7 : tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %6 = stablehlo.dot_general %arg3, %arg7, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %7 = stablehlo.reduce_precision %6, format = e8m7 : tensor<2x16x32xbf16>
    %8 = stablehlo.reshape %7 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %9 = stablehlo.dot_general %2, %5, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %10 = stablehlo.convert %9 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %11 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x4x16x16xf32>
    %13 = call @_where_0(%12, %arg1, %arg2) : (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<2x4x16xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<2x4x16x16xf32>
    %20 = stablehlo.exponential %19 : tensor<2x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %24 = stablehlo.divide %20, %23 : tensor<2x4x16x16xf32>
    %25 = stablehlo.convert %24 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %26 = stablehlo.dot_general %8, %25, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %27 = stablehlo.transpose %26, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %28 = stablehlo.reshape %27 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %29 = stablehlo.dot_general %28, %arg5, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %30 = stablehlo.add %arg3, %29 : tensor<2x16x32xbf16>
    return %30, %1, %4, %7, %arg3 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>
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
  func.func private @closed_call_2(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<2x16x32xbf16>, %arg2: tensor<2x16x32xbf16>, %arg3: tensor<2x16x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<32x32xbf16>, %arg8: tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0:9 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg0 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0#0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.reshape %0#1 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.reshape %0#2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.dot_general %1, %2, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %5 = stablehlo.convert %4 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %6 = stablehlo.sqrt %cst : tensor<f32>
    %7 = stablehlo.convert %6 : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %9 = stablehlo.divide %5, %8 : tensor<2x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %11 = call @tril_3(%10) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %12:2 = call @_where_4(%11, %9, %cst_0) : (tensor<16x16xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x4x16xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %18 = stablehlo.subtract %12#0, %17 : tensor<2x4x16x16xf32>
    %19 = stablehlo.exponential %18 : tensor<2x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x4x16x16xf32>
    %24 = stablehlo.multiply %21, %21 : tensor<2x4x16x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %26 = stablehlo.divide %25, %24 : tensor<2x4x16x1xf32>
    %27 = stablehlo.convert %23 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %28 = stablehlo.dot_general %3, %27, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %29 = stablehlo.transpose %28, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %30 = stablehlo.reshape %29 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %31 = stablehlo.dot_general %0#8, %30, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %33 = stablehlo.dot_general %0#8, %0#4, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %34 = stablehlo.reshape %33 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %35 = stablehlo.transpose %34, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %36 = stablehlo.dot_general %35, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %37 = stablehlo.dot_general %35, %27, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %38 = stablehlo.transpose %37, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %39 = stablehlo.convert %36 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %40 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %41 = stablehlo.multiply %39, %40 : tensor<2x4x16x16xf32>
    %42 = stablehlo.multiply %41, %19 : tensor<2x4x16x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %44 = stablehlo.reshape %43 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %45 = stablehlo.negate %44 : tensor<2x4x16x1xf32>
    %46 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %47 = stablehlo.divide %39, %46 : tensor<2x4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%45 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %50 = stablehlo.add %47, %49 : tensor<2x4x16x16xf32>
    %51 = stablehlo.multiply %50, %19 : tensor<2x4x16x16xf32>
    %52 = call @_where_5(%12#1, %51) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %53 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %54 = stablehlo.divide %52, %53 : tensor<2x4x16x16xf32>
    %55 = stablehlo.convert %54 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %56 = stablehlo.dot_general %55, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %57 = stablehlo.transpose %56, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %58 = stablehlo.dot_general %55, %2, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %59 = stablehlo.transpose %58, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %60 = stablehlo.reshape %38 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %61 = stablehlo.dot_general %60, %0#7, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %62 = stablehlo.transpose %61, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %63 = stablehlo.dot_general %60, %0#6, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %64 = stablehlo.add %0#8, %63 : tensor<2x16x32xbf16>
    %65 = stablehlo.reshape %57 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %66 = stablehlo.dot_general %65, %0#7, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %67 = stablehlo.transpose %66, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %68 = stablehlo.dot_general %65, %0#3, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %69 = stablehlo.add %64, %68 : tensor<2x16x32xbf16>
    %70 = stablehlo.reshape %59 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %71 = stablehlo.dot_general %70, %0#7, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %72 = stablehlo.transpose %71, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %73 = stablehlo.dot_general %70, %0#5, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %74 = stablehlo.add %69, %73 : tensor<2x16x32xbf16>
    return %74, %67, %32, %72, %62 : tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
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
// line 141: forward
// line 200: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.35355339059327373 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.35355339059327373 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.35355339059327373 CAUSAL window 0 scores 2x4x16x16
