// test: attention
// Layers in loops: instead of the probabilities, the output and the sums are stacked.
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
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2x4x16x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x4x16x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x2x4x16x1xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2x2x4x16x16xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %13 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %14:18 = stablehlo.while(%iterArg = %arg0, %iterArg_21 = %arg1, %iterArg_22 = %arg2, %iterArg_23 = %arg3, %iterArg_24 = %1, %iterArg_25 = %4#0, %iterArg_26 = %4#1, %iterArg_27 = %c_10, %iterArg_28 = %arg4, %iterArg_29 = %5, %iterArg_30 = %6, %iterArg_31 = %7, %iterArg_32 = %8, %iterArg_33 = %9, %iterArg_34 = %10, %iterArg_35 = %11, %iterArg_36 = %12, %iterArg_37 = %13) : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x32xbf16>
    cond {
      %c_38 = stablehlo.constant dense<2> : tensor<i32>
      %30 = stablehlo.compare LT, %iterArg_27, %c_38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    } do {
      %30 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_27) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %31 = func.call @dynamic_index_in_dim(%iterArg_21, %iterArg_27) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %32 = func.call @dynamic_index_in_dim(%iterArg_22, %iterArg_27) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %33 = func.call @dynamic_index_in_dim(%iterArg_23, %iterArg_27) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %34:10 = func.call @closed_call(%iterArg_24, %iterArg_25, %iterArg_26, %iterArg_28, %30, %31, %32, %33) : (tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>)
      %35 = func.call @dynamic_update_index_in_dim(%iterArg_29, %34#1, %iterArg_27) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %36 = func.call @dynamic_update_index_in_dim_1(%iterArg_30, %34#2, %iterArg_27) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %37 = func.call @dynamic_update_index_in_dim_1(%iterArg_31, %34#3, %iterArg_27) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %38 = func.call @dynamic_update_index_in_dim_2(%iterArg_32, %34#4, %iterArg_27) : (tensor<2x2x4x16x16xf32>, tensor<2x4x16x16xf32>, tensor<i32>) -> tensor<2x2x4x16x16xf32>
      %39 = func.call @dynamic_update_index_in_dim_3(%iterArg_33, %34#5, %iterArg_27) : (tensor<2x2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<i32>) -> tensor<2x2x4x16x1xf32>
      %40 = func.call @dynamic_update_index_in_dim_3(%iterArg_34, %34#6, %iterArg_27) : (tensor<2x2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<i32>) -> tensor<2x2x4x16x1xf32>
      %41 = func.call @dynamic_update_index_in_dim_4(%iterArg_35, %34#7, %iterArg_27) : (tensor<2x2x4x16x16xbf16>, tensor<2x4x16x16xbf16>, tensor<i32>) -> tensor<2x2x4x16x16xbf16>
      %42 = func.call @dynamic_update_index_in_dim_1(%iterArg_36, %34#8, %iterArg_27) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_37, %34#9, %iterArg_27) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %c_38 = stablehlo.constant dense<1> : tensor<i32>
      %44 = stablehlo.add %iterArg_27, %c_38 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %44, %34#0, %35, %36, %37, %38, %39, %40, %41, %42, %43 : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x32xbf16>
    }
    %15 = stablehlo.convert %14#8 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %16 = stablehlo.multiply %15, %15 : tensor<2x16x32xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %18 = stablehlo.multiply %17, %15 : tensor<2x16x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%16 init: %cst_12) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %20 = stablehlo.divide %19, %cst_13 : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %21 = stablehlo.divide %cst_14, %cst_15 : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %23 = stablehlo.multiply %22, %18 : tensor<2x16x32xf32>
    %24 = stablehlo.convert %23 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %25 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %26 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %27 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %28 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %29:21 = stablehlo.while(%iterArg = %arg2, %iterArg_21 = %14#9, %iterArg_22 = %arg0, %iterArg_23 = %arg3, %iterArg_24 = %14#10, %iterArg_25 = %14#11, %iterArg_26 = %14#12, %iterArg_27 = %14#13, %iterArg_28 = %14#14, %iterArg_29 = %14#15, %iterArg_30 = %14#16, %iterArg_31 = %arg1, %iterArg_32 = %14#17, %iterArg_33 = %1, %iterArg_34 = %4#0, %iterArg_35 = %c_20, %iterArg_36 = %24, %iterArg_37 = %25, %iterArg_38 = %26, %iterArg_39 = %27, %iterArg_40 = %28) : tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<f32>, tensor<2x4x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    cond {
      %c_41 = stablehlo.constant dense<2> : tensor<i32>
      %30 = stablehlo.compare LT, %iterArg_35, %c_41, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    } do {
      %c_41 = stablehlo.constant dense<2> : tensor<i32>
      %30 = stablehlo.subtract %c_41, %iterArg_35 : tensor<i32>
      %c_42 = stablehlo.constant dense<1> : tensor<i32>
      %31 = stablehlo.subtract %30, %c_42 : tensor<i32>
      %32 = func.call @dynamic_index_in_dim(%iterArg, %31) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %33 = func.call @dynamic_index_in_dim_5(%iterArg_21, %31) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %34 = func.call @dynamic_index_in_dim(%iterArg_22, %31) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %35 = func.call @dynamic_index_in_dim(%iterArg_23, %31) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %36 = func.call @dynamic_index_in_dim_6(%iterArg_24, %31) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %37 = func.call @dynamic_index_in_dim_6(%iterArg_25, %31) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %38 = func.call @dynamic_index_in_dim_7(%iterArg_26, %31) : (tensor<2x2x4x16x16xf32>, tensor<i32>) -> tensor<2x4x16x16xf32>
      %39 = func.call @dynamic_index_in_dim_8(%iterArg_27, %31) : (tensor<2x2x4x16x1xf32>, tensor<i32>) -> tensor<2x4x16x1xf32>
      %40 = func.call @dynamic_index_in_dim_8(%iterArg_28, %31) : (tensor<2x2x4x16x1xf32>, tensor<i32>) -> tensor<2x4x16x1xf32>
      %41 = func.call @dynamic_index_in_dim_9(%iterArg_29, %31) : (tensor<2x2x4x16x16xbf16>, tensor<i32>) -> tensor<2x4x16x16xbf16>
      %42 = func.call @dynamic_index_in_dim_6(%iterArg_30, %31) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %43 = func.call @dynamic_index_in_dim(%iterArg_31, %31) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %44 = func.call @dynamic_index_in_dim_5(%iterArg_32, %31) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %45:5 = func.call @closed_call_10(%iterArg_33, %iterArg_34, %iterArg_36, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44) : (tensor<f32>, tensor<2x4x16x16xi1>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>)
      %46 = func.call @dynamic_update_index_in_dim_12(%iterArg_37, %45#1, %31) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %47 = func.call @dynamic_update_index_in_dim_12(%iterArg_38, %45#2, %31) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %48 = func.call @dynamic_update_index_in_dim_12(%iterArg_39, %45#3, %31) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %49 = func.call @dynamic_update_index_in_dim_12(%iterArg_40, %45#4, %31) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %c_43 = stablehlo.constant dense<1> : tensor<i32>
      %50 = stablehlo.add %iterArg_35, %c_43 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %50, %45#0, %46, %47, %48, %49 : tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<f32>, tensor<2x4x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    }
    return %20, %29#17, %29#18, %29#19, %29#20 : tensor<f32>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
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
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x4x16x16xf32>, %arg3: tensor<2x16x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) {
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
    %22 = stablehlo.multiply %19, %19 : tensor<2x4x16x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %24 = stablehlo.divide %23, %22 : tensor<2x4x16x1xf32>
    %25 = stablehlo.convert %21 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %26 = stablehlo.dot_general %5, %25, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %27 = stablehlo.transpose %26, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %28 = stablehlo.reshape %27 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %29 = stablehlo.dot_general %28, %arg5, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %30 = stablehlo.add %arg3, %29 : tensor<2x16x32xbf16>
    return %30, %arg3, %3, %1, %17, %19, %24, %25, %5, %28 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>
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
  func.func private @closed_call_10(%arg0: tensor<f32>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x16x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<2x16x4x8xbf16>, %arg8: tensor<2x16x4x8xbf16>, %arg9: tensor<2x4x16x16xf32>, %arg10: tensor<2x4x16x1xf32>, %arg11: tensor<2x4x16x1xf32>, %arg12: tensor<2x4x16x16xbf16>, %arg13: tensor<2x16x4x8xbf16>, %arg14: tensor<32x32xbf16>, %arg15: tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    %0 = stablehlo.dot_general %arg2, %arg15, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %2 = stablehlo.dot_general %arg2, %arg14, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.transpose %3, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %5 = stablehlo.dot_general %4, %arg13, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %6 = stablehlo.dot_general %4, %arg12, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %7 = stablehlo.transpose %6, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %8 = stablehlo.convert %5 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %9 = stablehlo.broadcast_in_dim %arg11, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x4x16x16xf32>
    %11 = stablehlo.multiply %10, %arg9 : tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %13 = stablehlo.reshape %12 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %14 = stablehlo.negate %13 : tensor<2x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %arg10, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %16 = stablehlo.divide %8, %15 : tensor<2x4x16x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %19 = stablehlo.add %16, %18 : tensor<2x4x16x16xf32>
    %20 = stablehlo.multiply %19, %arg9 : tensor<2x4x16x16xf32>
    %21 = call @_where_11(%arg1, %20) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %22 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %23 = stablehlo.divide %21, %22 : tensor<2x4x16x16xf32>
    %24 = stablehlo.convert %23 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %25 = stablehlo.dot_general %24, %arg8, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %26 = stablehlo.transpose %25, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %27 = stablehlo.dot_general %24, %arg7, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %28 = stablehlo.transpose %27, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %29 = stablehlo.reshape %7 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %30 = stablehlo.dot_general %29, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %31 = stablehlo.transpose %30, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %32 = stablehlo.dot_general %29, %arg6, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %33 = stablehlo.add %arg2, %32 : tensor<2x16x32xbf16>
    %34 = stablehlo.reshape %26 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %35 = stablehlo.dot_general %34, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %36 = stablehlo.transpose %35, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %37 = stablehlo.dot_general %34, %arg5, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %38 = stablehlo.add %33, %37 : tensor<2x16x32xbf16>
    %39 = stablehlo.reshape %28 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %40 = stablehlo.dot_general %39, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %42 = stablehlo.dot_general %39, %arg3, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %43 = stablehlo.add %38, %42 : tensor<2x16x32xbf16>
    return %43, %36, %1, %41, %31 : tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func private @_where_11(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %1 : tensor<2x4x16x16xf32>
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
// line 158: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.35355339059327373 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.35355339059327373 CAUSAL window 0 scores 2x4x16x16
