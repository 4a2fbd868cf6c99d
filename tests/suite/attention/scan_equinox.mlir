// test: attention
// Equinox' layers in a loop.
module {
  func.func public @main(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<2x32x32xbf16>, %arg2: tensor<2x32x32xbf16>, %arg3: tensor<2x32x32xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %1 = call @tril(%0) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst = stablehlo.constant dense<-3.389530e+38> : tensor<bf16>
    %2:2 = call @_where(%1, %cst) : (tensor<16x16xi1>, tensor<bf16>) -> (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x4x16x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2x4x16x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x4x16x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2x2x4x16x16xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %12:17 = stablehlo.while(%iterArg = %arg0, %iterArg_20 = %arg1, %iterArg_21 = %arg2, %iterArg_22 = %arg3, %iterArg_23 = %2#0, %iterArg_24 = %2#1, %iterArg_25 = %c_9, %iterArg_26 = %arg4, %iterArg_27 = %3, %iterArg_28 = %4, %iterArg_29 = %5, %iterArg_30 = %6, %iterArg_31 = %7, %iterArg_32 = %8, %iterArg_33 = %9, %iterArg_34 = %10, %iterArg_35 = %11) : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x32xbf16>
    cond {
      %c_36 = stablehlo.constant dense<2> : tensor<i32>
      %28 = stablehlo.compare LT, %iterArg_25, %c_36, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %28 : tensor<i1>
    } do {
      %28 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_25) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %29 = func.call @dynamic_index_in_dim(%iterArg_20, %iterArg_25) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %30 = func.call @dynamic_index_in_dim(%iterArg_21, %iterArg_25) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %31 = func.call @dynamic_index_in_dim(%iterArg_22, %iterArg_25) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %32:10 = func.call @closed_call(%iterArg_23, %iterArg_24, %iterArg_26, %28, %29, %30, %31) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>, tensor<2x16x32xbf16>)
      %33 = func.call @dynamic_update_index_in_dim(%iterArg_27, %32#1, %iterArg_25) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %34 = func.call @dynamic_update_index_in_dim_1(%iterArg_28, %32#2, %iterArg_25) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %35 = func.call @dynamic_update_index_in_dim_1(%iterArg_29, %32#3, %iterArg_25) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %36 = func.call @dynamic_update_index_in_dim_2(%iterArg_30, %32#4, %iterArg_25) : (tensor<2x2x4x16x16xf32>, tensor<2x4x16x16xf32>, tensor<i32>) -> tensor<2x2x4x16x16xf32>
      %37 = func.call @dynamic_update_index_in_dim_3(%iterArg_31, %32#5, %iterArg_25) : (tensor<2x2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<i32>) -> tensor<2x2x4x16x1xf32>
      %38 = func.call @dynamic_update_index_in_dim_3(%iterArg_32, %32#6, %iterArg_25) : (tensor<2x2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<i32>) -> tensor<2x2x4x16x1xf32>
      %39 = func.call @dynamic_update_index_in_dim_1(%iterArg_33, %32#7, %iterArg_25) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %40 = func.call @dynamic_update_index_in_dim_4(%iterArg_34, %32#8, %iterArg_25) : (tensor<2x2x4x16x16xbf16>, tensor<2x4x16x16xbf16>, tensor<i32>) -> tensor<2x2x4x16x16xbf16>
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_35, %32#9, %iterArg_25) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %c_36 = stablehlo.constant dense<1> : tensor<i32>
      %42 = stablehlo.add %iterArg_25, %c_36 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %42, %32#0, %33, %34, %35, %36, %37, %38, %39, %40, %41 : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x32xbf16>
    }
    %13 = stablehlo.convert %12#7 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %14 = stablehlo.multiply %13, %13 : tensor<2x16x32xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %16 = stablehlo.multiply %15, %13 : tensor<2x16x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%14 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %18 = stablehlo.divide %17, %cst_12 : tensor<f32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %19 = stablehlo.divide %cst_13, %cst_14 : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %21 = stablehlo.multiply %20, %16 : tensor<2x16x32xf32>
    %22 = stablehlo.convert %21 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %25 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %26 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %27:20 = stablehlo.while(%iterArg = %12#8, %iterArg_20 = %arg0, %iterArg_21 = %arg1, %iterArg_22 = %arg2, %iterArg_23 = %12#9, %iterArg_24 = %12#10, %iterArg_25 = %12#11, %iterArg_26 = %12#12, %iterArg_27 = %12#13, %iterArg_28 = %12#14, %iterArg_29 = %12#15, %iterArg_30 = %12#16, %iterArg_31 = %arg3, %iterArg_32 = %2#0, %iterArg_33 = %c_19, %iterArg_34 = %22, %iterArg_35 = %23, %iterArg_36 = %24, %iterArg_37 = %25, %iterArg_38 = %26) : tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x4x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    cond {
      %c_39 = stablehlo.constant dense<2> : tensor<i32>
      %28 = stablehlo.compare LT, %iterArg_33, %c_39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %28 : tensor<i1>
    } do {
      %c_39 = stablehlo.constant dense<2> : tensor<i32>
      %28 = stablehlo.subtract %c_39, %iterArg_33 : tensor<i32>
      %c_40 = stablehlo.constant dense<1> : tensor<i32>
      %29 = stablehlo.subtract %28, %c_40 : tensor<i32>
      %30 = func.call @dynamic_index_in_dim_5(%iterArg, %29) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %31 = func.call @dynamic_index_in_dim(%iterArg_20, %29) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %32 = func.call @dynamic_index_in_dim(%iterArg_21, %29) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %33 = func.call @dynamic_index_in_dim(%iterArg_22, %29) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %34 = func.call @dynamic_index_in_dim_6(%iterArg_23, %29) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %35 = func.call @dynamic_index_in_dim_6(%iterArg_24, %29) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %36 = func.call @dynamic_index_in_dim_7(%iterArg_25, %29) : (tensor<2x2x4x16x16xf32>, tensor<i32>) -> tensor<2x4x16x16xf32>
      %37 = func.call @dynamic_index_in_dim_8(%iterArg_26, %29) : (tensor<2x2x4x16x1xf32>, tensor<i32>) -> tensor<2x4x16x1xf32>
      %38 = func.call @dynamic_index_in_dim_8(%iterArg_27, %29) : (tensor<2x2x4x16x1xf32>, tensor<i32>) -> tensor<2x4x16x1xf32>
      %39 = func.call @dynamic_index_in_dim_6(%iterArg_28, %29) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %40 = func.call @dynamic_index_in_dim_9(%iterArg_29, %29) : (tensor<2x2x4x16x16xbf16>, tensor<i32>) -> tensor<2x4x16x16xbf16>
      %41 = func.call @dynamic_index_in_dim_5(%iterArg_30, %29) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %42 = func.call @dynamic_index_in_dim(%iterArg_31, %29) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %43:5 = func.call @closed_call_10(%iterArg_32, %iterArg_34, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42) : (tensor<2x4x16x16xi1>, tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>)
      %44 = func.call @dynamic_update_index_in_dim_12(%iterArg_35, %43#1, %29) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %45 = func.call @dynamic_update_index_in_dim_12(%iterArg_36, %43#2, %29) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %46 = func.call @dynamic_update_index_in_dim_12(%iterArg_37, %43#3, %29) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %47 = func.call @dynamic_update_index_in_dim_12(%iterArg_38, %43#4, %29) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %c_41 = stablehlo.constant dense<1> : tensor<i32>
      %48 = stablehlo.add %iterArg_33, %c_41 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %48, %43#0, %44, %45, %46, %47 : tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x4x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    }
    return %18, %27#16, %27#17, %27#18, %27#19 : tensor<f32>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
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
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<bf16>) -> (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<bf16>) -> tensor<16x16xbf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<16x16xi1>) -> tensor<4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<16x16xbf16>) -> tensor<4x16x16xbf16>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3] : (tensor<4x16x16xi1>) -> tensor<2x4x16x16xi1>
    %4 = stablehlo.broadcast_in_dim %2, dims = [1, 2, 3] : (tensor<4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    return %3, %4 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<i32>) -> tensor<32x32xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 32] : (tensor<2x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
    return %1 : tensor<32x32xbf16>
  }
  func.func private @closed_call(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<2x16x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>, tensor<2x16x32xbf16>) {
    %0 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %2 = stablehlo.reshape %1 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %4 = stablehlo.transpose %3, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %6 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %7 = stablehlo.transpose %6, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %8 = stablehlo.reshape %7 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %cst = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %10 = stablehlo.divide %2, %9 : tensor<2x16x4x8xbf16>
    %11 = stablehlo.dot_general %10, %5, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %12 = call @_where_0(%11, %arg0, %arg1) : (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %13 = stablehlo.convert %12 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<2x4x16xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<2x4x16x16xf32>
    %20 = stablehlo.exponential %19 : tensor<2x4x16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %24 = stablehlo.divide %20, %23 : tensor<2x4x16x16xf32>
    %25 = stablehlo.multiply %22, %22 : tensor<2x4x16x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %27 = stablehlo.divide %26, %25 : tensor<2x4x16x1xf32>
    %28 = stablehlo.convert %24 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %29 = stablehlo.dot_general %28, %8, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %30 = stablehlo.transpose %29, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %31 = stablehlo.reshape %30 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %32 = stablehlo.dot_general %arg6, %31, contracting_dims = [1] x [2] : (tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %33 = stablehlo.transpose %32, dims = [1, 2, 0] : (tensor<32x2x16xbf16>) -> tensor<2x16x32xbf16>
    %34 = stablehlo.add %arg2, %33 : tensor<2x16x32xbf16>
    return %34, %arg2, %5, %10, %20, %22, %27, %8, %28, %31 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where_0(%arg0: tensor<2x4x16x16xbf16>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %0 : tensor<2x4x16x16xbf16>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x2x16x32xbf16>, %arg1: tensor<2x16x32xbf16>, %arg2: tensor<i32>) -> tensor<2x2x16x32xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x2x16x32xbf16>, tensor<1x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x16x32xbf16>
    return %1 : tensor<2x2x16x32xbf16>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<2x2x16x4x8xbf16>, %arg1: tensor<2x16x4x8xbf16>, %arg2: tensor<i32>) -> tensor<2x2x16x4x8xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x16x4x8xbf16>) -> tensor<1x2x16x4x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x16x4x8xbf16>, tensor<1x2x16x4x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
    return %1 : tensor<2x2x16x4x8xbf16>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<2x2x4x16x16xf32>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<i32>) -> tensor<2x2x4x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x4x16x16xf32>, tensor<1x2x4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x4x16x16xf32>
    return %1 : tensor<2x2x4x16x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<2x2x4x16x1xf32>, %arg1: tensor<2x4x16x1xf32>, %arg2: tensor<i32>) -> tensor<2x2x4x16x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x4x16x1xf32>) -> tensor<1x2x4x16x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x4x16x1xf32>, tensor<1x2x4x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x4x16x1xf32>
    return %1 : tensor<2x2x4x16x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<2x2x4x16x16xbf16>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<i32>) -> tensor<2x2x4x16x16xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x4x16x16xbf16>) -> tensor<1x2x4x16x16xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x4x16x16xbf16>, tensor<1x2x4x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x4x16x16xbf16>
    return %1 : tensor<2x2x4x16x16xbf16>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<2x2x16x32xbf16>, %arg1: tensor<i32>) -> tensor<2x16x32xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 16, 32] : (tensor<2x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x16x32xbf16>) -> tensor<2x16x32xbf16>
    return %1 : tensor<2x16x32xbf16>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<2x2x16x4x8xbf16>, %arg1: tensor<i32>) -> tensor<2x16x4x8xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 16, 4, 8] : (tensor<2x2x16x4x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x4x8xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x16x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    return %1 : tensor<2x16x4x8xbf16>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<2x2x4x16x16xf32>, %arg1: tensor<i32>) -> tensor<2x4x16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 4, 16, 16] : (tensor<2x2x4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    return %1 : tensor<2x4x16x16xf32>
  }
  func.func private @dynamic_index_in_dim_8(%arg0: tensor<2x2x4x16x1xf32>, %arg1: tensor<i32>) -> tensor<2x4x16x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 4, 16, 1] : (tensor<2x2x4x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x16x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    return %1 : tensor<2x4x16x1xf32>
  }
  func.func private @dynamic_index_in_dim_9(%arg0: tensor<2x2x4x16x16xbf16>, %arg1: tensor<i32>) -> tensor<2x4x16x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 4, 16, 16] : (tensor<2x2x4x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x16x16xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    return %1 : tensor<2x4x16x16xbf16>
  }
  func.func private @closed_call_10(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x16x32xbf16>, %arg2: tensor<2x16x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<2x16x4x8xbf16>, %arg7: tensor<2x16x4x8xbf16>, %arg8: tensor<2x4x16x16xf32>, %arg9: tensor<2x4x16x1xf32>, %arg10: tensor<2x4x16x1xf32>, %arg11: tensor<2x16x4x8xbf16>, %arg12: tensor<2x4x16x16xbf16>, %arg13: tensor<2x16x32xbf16>, %arg14: tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0 = stablehlo.transpose %arg1, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %1 = stablehlo.dot_general %0, %arg14, contracting_dims = [0] x [0] : (tensor<32x2x16xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %2 = stablehlo.dot_general %0, %arg13, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %3 = stablehlo.reshape %1 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %5 = stablehlo.dot_general %4, %arg12, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x16x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %6 = stablehlo.transpose %5, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %7 = stablehlo.dot_general %4, %arg11, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x4x16x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %8 = stablehlo.convert %7 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %9 = stablehlo.broadcast_in_dim %arg10, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x4x16x16xf32>
    %11 = stablehlo.multiply %10, %arg8 : tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %13 = stablehlo.reshape %12 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %14 = stablehlo.negate %13 : tensor<2x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %16 = stablehlo.divide %8, %15 : tensor<2x4x16x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %19 = stablehlo.add %16, %18 : tensor<2x4x16x16xf32>
    %20 = stablehlo.multiply %19, %arg8 : tensor<2x4x16x16xf32>
    %21 = stablehlo.convert %20 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %22 = call @_where_11(%arg0, %21) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %23 = stablehlo.dot_general %22, %arg7, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %24 = stablehlo.transpose %23, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %25 = stablehlo.dot_general %22, %arg6, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %26 = stablehlo.transpose %25, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_1 = stablehlo.constant dense<2.828130e+00> : tensor<bf16>
    %27 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %28 = stablehlo.divide %26, %27 : tensor<2x16x4x8xbf16>
    %29 = stablehlo.reshape %6 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %30 = stablehlo.transpose %29, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %31 = stablehlo.dot_general %30, %arg5, contracting_dims = [0] x [0] : (tensor<32x2x16xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %32 = stablehlo.add %arg1, %31 : tensor<2x16x32xbf16>
    %33 = stablehlo.dot_general %30, %arg2, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %34 = stablehlo.reshape %24 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %35 = stablehlo.transpose %34, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %36 = stablehlo.dot_general %35, %arg4, contracting_dims = [0] x [0] : (tensor<32x2x16xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %37 = stablehlo.add %32, %36 : tensor<2x16x32xbf16>
    %38 = stablehlo.dot_general %35, %arg2, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %39 = stablehlo.reshape %28 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %40 = stablehlo.transpose %39, dims = [2, 0, 1] : (tensor<2x16x32xbf16>) -> tensor<32x2x16xbf16>
    %41 = stablehlo.dot_general %40, %arg3, contracting_dims = [0] x [0] : (tensor<32x2x16xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %42 = stablehlo.add %37, %41 : tensor<2x16x32xbf16>
    %43 = stablehlo.dot_general %40, %arg2, contracting_dims = [1, 2] x [0, 1] : (tensor<32x2x16xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    return %42, %43, %38, %33, %2 : tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func private @_where_11(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %1 : tensor<2x4x16x16xbf16>
  }
  func.func private @dynamic_update_index_in_dim_12(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<i32>) -> tensor<2x32x32xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x32xbf16>) -> tensor<1x32x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x32x32xbf16>, tensor<1x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x32xbf16>
    return %1 : tensor<2x32x32xbf16>
  }
}
// expect:
// line 162: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
