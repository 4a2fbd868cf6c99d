// test: attention
// A bias that all layers share.
module {
  func.func public @main(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<2x32x32xbf16>, %arg2: tensor<2x32x32xbf16>, %arg3: tensor<2x32x32xbf16>, %arg4: tensor<7x4xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<7x4xbf16>) {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %5 = stablehlo.subtract %3, %4 : tensor<16x16xi32>
    %c = stablehlo.constant dense<-3> : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %6 = call @clip(%5, %c, %c_0) : (tensor<16x16xi32>, tensor<i32>, tensor<i32>) -> tensor<16x16xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %8 = stablehlo.add %6, %7 : tensor<16x16xi32>
    %9:2 = call @_take(%arg4, %8) : (tensor<7x4xbf16>, tensor<16x16xi32>) -> (tensor<16x16x4xbf16>, tensor<16x16x1xi32>)
    %10 = stablehlo.transpose %9#0, dims = [2, 0, 1] : (tensor<16x16x4xbf16>) -> tensor<4x16x16xbf16>
    %11 = stablehlo.broadcast_in_dim %10, dims = [1, 2, 3] : (tensor<4x16x16xbf16>) -> tensor<1x4x16x16xbf16>
    %12 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %13 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %16 = stablehlo.compare GE, %14, %15, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %17 = call @_where_0(%16, %cst, %cst_2) : (tensor<16x16xi1>, tensor<f32>, tensor<f32>) -> tensor<16x16xf32>
    %18 = stablehlo.convert %17 : (tensor<16x16xf32>) -> tensor<16x16xbf16>
    %19 = stablehlo.broadcast_in_dim %18, dims = [2, 3] : (tensor<16x16xbf16>) -> tensor<1x1x16x16xbf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xbf16>) -> tensor<1x4x16x16xbf16>
    %21 = stablehlo.add %11, %20 : tensor<1x4x16x16xbf16>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x2x4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x4x16x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2x4x16x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %28 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<2x2x4x16x16xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %29 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %30 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %31:16 = stablehlo.while(%iterArg = %arg0, %iterArg_24 = %arg1, %iterArg_25 = %arg2, %iterArg_26 = %arg3, %iterArg_27 = %21, %iterArg_28 = %c_12, %iterArg_29 = %arg5, %iterArg_30 = %22, %iterArg_31 = %23, %iterArg_32 = %24, %iterArg_33 = %25, %iterArg_34 = %26, %iterArg_35 = %27, %iterArg_36 = %28, %iterArg_37 = %29, %iterArg_38 = %30) : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<1x4x16x16xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x32xbf16>
    cond {
      %c_39 = stablehlo.constant dense<2> : tensor<i32>
      %48 = stablehlo.compare LT, %iterArg_28, %c_39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %48 : tensor<i1>
    } do {
      %48 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_28) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %49 = func.call @dynamic_index_in_dim(%iterArg_24, %iterArg_28) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %50 = func.call @dynamic_index_in_dim(%iterArg_25, %iterArg_28) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %51 = func.call @dynamic_index_in_dim(%iterArg_26, %iterArg_28) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %52:10 = func.call @closed_call(%iterArg_27, %iterArg_29, %48, %49, %50, %51) : (tensor<1x4x16x16xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>)
      %53 = func.call @dynamic_update_index_in_dim(%iterArg_30, %52#1, %iterArg_28) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %54 = func.call @dynamic_update_index_in_dim_1(%iterArg_31, %52#2, %iterArg_28) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %55 = func.call @dynamic_update_index_in_dim_1(%iterArg_32, %52#3, %iterArg_28) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %56 = func.call @dynamic_update_index_in_dim_2(%iterArg_33, %52#4, %iterArg_28) : (tensor<2x2x4x16x16xf32>, tensor<2x4x16x16xf32>, tensor<i32>) -> tensor<2x2x4x16x16xf32>
      %57 = func.call @dynamic_update_index_in_dim_3(%iterArg_34, %52#5, %iterArg_28) : (tensor<2x2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<i32>) -> tensor<2x2x4x16x1xf32>
      %58 = func.call @dynamic_update_index_in_dim_3(%iterArg_35, %52#6, %iterArg_28) : (tensor<2x2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<i32>) -> tensor<2x2x4x16x1xf32>
      %59 = func.call @dynamic_update_index_in_dim_4(%iterArg_36, %52#7, %iterArg_28) : (tensor<2x2x4x16x16xbf16>, tensor<2x4x16x16xbf16>, tensor<i32>) -> tensor<2x2x4x16x16xbf16>
      %60 = func.call @dynamic_update_index_in_dim_1(%iterArg_37, %52#8, %iterArg_28) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %61 = func.call @dynamic_update_index_in_dim(%iterArg_38, %52#9, %iterArg_28) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %c_39 = stablehlo.constant dense<1> : tensor<i32>
      %62 = stablehlo.add %iterArg_28, %c_39 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %62, %52#0, %53, %54, %55, %56, %57, %58, %59, %60, %61 : tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<1x4x16x16xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x32xbf16>
    }
    %32 = stablehlo.convert %31#6 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %33 = stablehlo.multiply %32, %32 : tensor<2x16x32xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %35 = stablehlo.multiply %34, %32 : tensor<2x16x32xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%33 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %37 = stablehlo.divide %36, %cst_15 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %38 = stablehlo.divide %cst_16, %cst_17 : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %40 = stablehlo.multiply %39, %35 : tensor<2x16x32xf32>
    %41 = stablehlo.convert %40 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %42 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<bf16>) -> tensor<7x4xbf16>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %43 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %44 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %45 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %46 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %47:21 = stablehlo.while(%iterArg = %arg2, %iterArg_24 = %31#7, %iterArg_25 = %arg0, %iterArg_26 = %arg3, %iterArg_27 = %31#8, %iterArg_28 = %31#9, %iterArg_29 = %31#10, %iterArg_30 = %31#11, %iterArg_31 = %31#12, %iterArg_32 = %31#13, %iterArg_33 = %31#14, %iterArg_34 = %arg1, %iterArg_35 = %31#15, %iterArg_36 = %9#1, %iterArg_37 = %c_23, %iterArg_38 = %42, %iterArg_39 = %41, %iterArg_40 = %43, %iterArg_41 = %44, %iterArg_42 = %45, %iterArg_43 = %46) : tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<16x16x1xi32>, tensor<i32>, tensor<7x4xbf16>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    cond {
      %c_44 = stablehlo.constant dense<2> : tensor<i32>
      %48 = stablehlo.compare LT, %iterArg_37, %c_44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %48 : tensor<i1>
    } do {
      %c_44 = stablehlo.constant dense<2> : tensor<i32>
      %48 = stablehlo.subtract %c_44, %iterArg_37 : tensor<i32>
      %c_45 = stablehlo.constant dense<1> : tensor<i32>
      %49 = stablehlo.subtract %48, %c_45 : tensor<i32>
      %50 = func.call @dynamic_index_in_dim(%iterArg, %49) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %51 = func.call @dynamic_index_in_dim_5(%iterArg_24, %49) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %52 = func.call @dynamic_index_in_dim(%iterArg_25, %49) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %53 = func.call @dynamic_index_in_dim(%iterArg_26, %49) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %54 = func.call @dynamic_index_in_dim_6(%iterArg_27, %49) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %55 = func.call @dynamic_index_in_dim_6(%iterArg_28, %49) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %56 = func.call @dynamic_index_in_dim_7(%iterArg_29, %49) : (tensor<2x2x4x16x16xf32>, tensor<i32>) -> tensor<2x4x16x16xf32>
      %57 = func.call @dynamic_index_in_dim_8(%iterArg_30, %49) : (tensor<2x2x4x16x1xf32>, tensor<i32>) -> tensor<2x4x16x1xf32>
      %58 = func.call @dynamic_index_in_dim_8(%iterArg_31, %49) : (tensor<2x2x4x16x1xf32>, tensor<i32>) -> tensor<2x4x16x1xf32>
      %59 = func.call @dynamic_index_in_dim_9(%iterArg_32, %49) : (tensor<2x2x4x16x16xbf16>, tensor<i32>) -> tensor<2x4x16x16xbf16>
      %60 = func.call @dynamic_index_in_dim_6(%iterArg_33, %49) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %61 = func.call @dynamic_index_in_dim(%iterArg_34, %49) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %62 = func.call @dynamic_index_in_dim_5(%iterArg_35, %49) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %63:6 = func.call @closed_call_10(%iterArg_36, %iterArg_38, %iterArg_39, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62) : (tensor<16x16x1xi32>, tensor<7x4xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> (tensor<7x4xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>)
      %64 = func.call @dynamic_update_index_in_dim_12(%iterArg_40, %63#2, %49) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %65 = func.call @dynamic_update_index_in_dim_12(%iterArg_41, %63#3, %49) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %66 = func.call @dynamic_update_index_in_dim_12(%iterArg_42, %63#4, %49) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %67 = func.call @dynamic_update_index_in_dim_12(%iterArg_43, %63#5, %49) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %c_46 = stablehlo.constant dense<1> : tensor<i32>
      %68 = stablehlo.add %iterArg_37, %c_46 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %68, %63#0, %63#1, %64, %65, %66, %67 : tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x1xf32>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<16x16x1xi32>, tensor<i32>, tensor<7x4xbf16>, tensor<2x16x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>
    }
    return %37, %47#17, %47#18, %47#19, %47#20, %47#15 : tensor<f32>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<7x4xbf16>
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
  func.func private @_where_0(%arg0: tensor<16x16xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<16x16xi1>, tensor<16x16xf32>
    return %2 : tensor<16x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<i32>) -> tensor<32x32xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 32] : (tensor<2x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
    return %1 : tensor<32x32xbf16>
  }
  func.func private @closed_call(%arg0: tensor<1x4x16x16xbf16>, %arg1: tensor<2x16x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) {
    %0 = stablehlo.dot_general %arg1, %arg4, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.dot_general %arg1, %arg5, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %7 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<1x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %8 = stablehlo.add %6, %7 : tensor<2x4x16x16xbf16>
    %9 = stablehlo.convert %8 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x4x16x16xf32>
    %16 = stablehlo.exponential %15 : tensor<2x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x4x16x16xf32>
    %21 = stablehlo.multiply %18, %18 : tensor<2x4x16x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %23 = stablehlo.divide %22, %21 : tensor<2x4x16x1xf32>
    %24 = stablehlo.convert %20 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %25 = stablehlo.dot_general %5, %24, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %27 = stablehlo.reshape %26 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %28 = stablehlo.dot_general %27, %arg3, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %29 = stablehlo.add %arg1, %28 : tensor<2x16x32xbf16>
    return %29, %arg1, %3, %1, %16, %18, %23, %24, %5, %27 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>
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
  func.func private @closed_call_10(%arg0: tensor<16x16x1xi32>, %arg1: tensor<7x4xbf16>, %arg2: tensor<2x16x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<32x32xbf16>, %arg7: tensor<2x16x4x8xbf16>, %arg8: tensor<2x16x4x8xbf16>, %arg9: tensor<2x4x16x16xf32>, %arg10: tensor<2x4x16x1xf32>, %arg11: tensor<2x4x16x1xf32>, %arg12: tensor<2x4x16x16xbf16>, %arg13: tensor<2x16x4x8xbf16>, %arg14: tensor<32x32xbf16>, %arg15: tensor<2x16x32xbf16>) -> (tensor<7x4xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
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
    %21 = stablehlo.convert %20 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %22 = stablehlo.reduce(%21 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<4x16x16xbf16>
    %23 = stablehlo.reshape %22 : (tensor<4x16x16xbf16>) -> tensor<1x4x16x16xbf16>
    %24 = stablehlo.dot_general %21, %arg8, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %25 = stablehlo.transpose %24, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %26 = stablehlo.dot_general %21, %arg7, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %27 = stablehlo.transpose %26, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %28 = stablehlo.reduce(%23 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<1x4x16x16xbf16>, tensor<bf16>) -> tensor<4x16x16xbf16>
    %29 = stablehlo.transpose %28, dims = [1, 2, 0] : (tensor<4x16x16xbf16>) -> tensor<16x16x4xbf16>
    %30 = call @_take_11(%arg0, %29) : (tensor<16x16x1xi32>, tensor<16x16x4xbf16>) -> tensor<7x4xbf16>
    %31 = stablehlo.add %arg1, %30 : tensor<7x4xbf16>
    %32 = stablehlo.reshape %7 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %33 = stablehlo.dot_general %32, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %35 = stablehlo.dot_general %32, %arg6, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %36 = stablehlo.add %arg2, %35 : tensor<2x16x32xbf16>
    %37 = stablehlo.reshape %25 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %38 = stablehlo.dot_general %37, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %39 = stablehlo.transpose %38, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %40 = stablehlo.dot_general %37, %arg5, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %41 = stablehlo.add %36, %40 : tensor<2x16x32xbf16>
    %42 = stablehlo.reshape %27 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %43 = stablehlo.dot_general %42, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %44 = stablehlo.transpose %43, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %45 = stablehlo.dot_general %42, %arg3, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %46 = stablehlo.add %41, %45 : tensor<2x16x32xbf16>
    return %31, %46, %39, %1, %44, %34 : tensor<7x4xbf16>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
  func.func private @_take_11(%arg0: tensor<16x16x1xi32>, %arg1: tensor<16x16x4xbf16>) -> tensor<7x4xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<7x4xbf16>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<7x4xbf16>, tensor<16x16x1xi32>, tensor<16x16x4xbf16>) -> tensor<7x4xbf16>
    return %1 : tensor<7x4xbf16>
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
// line 206: with its gradient
// __cudnn$fmhaScaleBiasSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<1x4x16x16xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaScaleBiasSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<1x4x16x16xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
