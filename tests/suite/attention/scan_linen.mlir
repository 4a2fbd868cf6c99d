// test: attention
// Flax' loop over layers.
module {
  func.func public @main(%arg0: tensor<2x4x8xf32>, %arg1: tensor<2x32x4x8xf32>, %arg2: tensor<2x32xf32>, %arg3: tensor<2x4x8x32xf32>, %arg4: tensor<2x4x8xf32>, %arg5: tensor<2x32x4x8xf32>, %arg6: tensor<2x4x8xf32>, %arg7: tensor<2x32x4x8xf32>, %arg8: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x32xf32>, tensor<2x4x8x32xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<2x16xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x16xi32>) -> tensor<2x16x1xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<2x16xi32>) -> tensor<2x1x16xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x16x1xi32>) -> tensor<2x16x16xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x1x16xi32>) -> tensor<2x16x16xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<2x16x16xi32>, tensor<2x16x16xi32>) -> tensor<2x16x16xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 2, 3] : (tensor<2x16x16xi1>) -> tensor<2x1x16x16xi1>
    %8 = stablehlo.convert %7 : (tensor<2x1x16x16xi1>) -> tensor<2x1x16x16xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.sqrt %cst : tensor<f32>
    %10 = stablehlo.convert %9 : (tensor<f32>) -> tensor<bf16>
    %cst_0 = stablehlo.constant dense<-3.389530e+38> : tensor<bf16>
    %11:2 = call @_where(%8, %cst_0) : (tensor<2x1x16x16xf32>, tensor<bf16>) -> (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>)
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x32x4x8xbf16>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x32x4x8xbf16>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x32x4x8xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %16 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2x2x4x16x16xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %19 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<2x2x4x16x1xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %20 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<2x2x4x16x1xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %21 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<2x2x4x16x16xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<2x4x8x32xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<2x2x16x4x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %25:26 = stablehlo.while(%iterArg = %arg0, %iterArg_28 = %arg1, %iterArg_29 = %arg2, %iterArg_30 = %arg3, %iterArg_31 = %arg4, %iterArg_32 = %arg5, %iterArg_33 = %arg6, %iterArg_34 = %arg7, %iterArg_35 = %10, %iterArg_36 = %11#0, %iterArg_37 = %11#1, %iterArg_38 = %c, %iterArg_39 = %arg8, %iterArg_40 = %12, %iterArg_41 = %13, %iterArg_42 = %14, %iterArg_43 = %15, %iterArg_44 = %16, %iterArg_45 = %17, %iterArg_46 = %18, %iterArg_47 = %19, %iterArg_48 = %20, %iterArg_49 = %21, %iterArg_50 = %22, %iterArg_51 = %23, %iterArg_52 = %24) : tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x32xf32>, tensor<2x4x8x32xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<bf16>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x4x8xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x4x8xbf16>, tensor<2x32x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x4x16x1xbf16>, tensor<2x2x4x16x1xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x4x8x32xbf16>, tensor<2x2x16x4x8xbf16>
    cond {
      %c_53 = stablehlo.constant dense<2> : tensor<i32>
      %45 = stablehlo.compare LT, %iterArg_38, %c_53, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %45 : tensor<i1>
    } do {
      %45 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_38) : (tensor<2x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %46 = func.call @dynamic_index_in_dim_0(%iterArg_28, %iterArg_38) : (tensor<2x32x4x8xf32>, tensor<i32>) -> tensor<32x4x8xf32>
      %47 = func.call @dynamic_index_in_dim_1(%iterArg_29, %iterArg_38) : (tensor<2x32xf32>, tensor<i32>) -> tensor<32xf32>
      %48 = func.call @dynamic_index_in_dim_2(%iterArg_30, %iterArg_38) : (tensor<2x4x8x32xf32>, tensor<i32>) -> tensor<4x8x32xf32>
      %49 = func.call @dynamic_index_in_dim(%iterArg_31, %iterArg_38) : (tensor<2x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %50 = func.call @dynamic_index_in_dim_0(%iterArg_32, %iterArg_38) : (tensor<2x32x4x8xf32>, tensor<i32>) -> tensor<32x4x8xf32>
      %51 = func.call @dynamic_index_in_dim(%iterArg_33, %iterArg_38) : (tensor<2x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %52 = func.call @dynamic_index_in_dim_0(%iterArg_34, %iterArg_38) : (tensor<2x32x4x8xf32>, tensor<i32>) -> tensor<32x4x8xf32>
      %53:14 = func.call @closed_call(%iterArg_35, %iterArg_36, %iterArg_37, %iterArg_39, %45, %46, %47, %48, %49, %50, %51, %52) : (tensor<bf16>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>, tensor<2x16x32xbf16>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>) -> (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>, tensor<2x16x32xbf16>, tensor<32x4x8xbf16>, tensor<32x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>, tensor<2x4x16x1xbf16>, tensor<2x4x16x1xbf16>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>, tensor<2x16x4x8xbf16>)
      %54 = func.call @dynamic_update_index_in_dim(%iterArg_40, %53#1, %iterArg_38) : (tensor<2x32x4x8xbf16>, tensor<32x4x8xbf16>, tensor<i32>) -> tensor<2x32x4x8xbf16>
      %55 = func.call @dynamic_update_index_in_dim_4(%iterArg_41, %53#2, %iterArg_38) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %56 = func.call @dynamic_update_index_in_dim(%iterArg_42, %53#3, %iterArg_38) : (tensor<2x32x4x8xbf16>, tensor<32x4x8xbf16>, tensor<i32>) -> tensor<2x32x4x8xbf16>
      %57 = func.call @dynamic_update_index_in_dim(%iterArg_43, %53#4, %iterArg_38) : (tensor<2x32x4x8xbf16>, tensor<32x4x8xbf16>, tensor<i32>) -> tensor<2x32x4x8xbf16>
      %58 = func.call @dynamic_update_index_in_dim_5(%iterArg_44, %53#5, %iterArg_38) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %59 = func.call @dynamic_update_index_in_dim_5(%iterArg_45, %53#6, %iterArg_38) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %60 = func.call @dynamic_update_index_in_dim_6(%iterArg_46, %53#7, %iterArg_38) : (tensor<2x2x4x16x16xbf16>, tensor<2x4x16x16xbf16>, tensor<i32>) -> tensor<2x2x4x16x16xbf16>
      %61 = func.call @dynamic_update_index_in_dim_7(%iterArg_47, %53#8, %iterArg_38) : (tensor<2x2x4x16x1xbf16>, tensor<2x4x16x1xbf16>, tensor<i32>) -> tensor<2x2x4x16x1xbf16>
      %62 = func.call @dynamic_update_index_in_dim_7(%iterArg_48, %53#9, %iterArg_38) : (tensor<2x2x4x16x1xbf16>, tensor<2x4x16x1xbf16>, tensor<i32>) -> tensor<2x2x4x16x1xbf16>
      %63 = func.call @dynamic_update_index_in_dim_6(%iterArg_49, %53#10, %iterArg_38) : (tensor<2x2x4x16x16xbf16>, tensor<2x4x16x16xbf16>, tensor<i32>) -> tensor<2x2x4x16x16xbf16>
      %64 = func.call @dynamic_update_index_in_dim_5(%iterArg_50, %53#11, %iterArg_38) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %65 = func.call @dynamic_update_index_in_dim_8(%iterArg_51, %53#12, %iterArg_38) : (tensor<2x4x8x32xbf16>, tensor<4x8x32xbf16>, tensor<i32>) -> tensor<2x4x8x32xbf16>
      %66 = func.call @dynamic_update_index_in_dim_5(%iterArg_52, %53#13, %iterArg_38) : (tensor<2x2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
      %c_53 = stablehlo.constant dense<1> : tensor<i32>
      %67 = stablehlo.add %iterArg_38, %c_53 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %67, %53#0, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66 : tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x32xf32>, tensor<2x4x8x32xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<bf16>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x4x8xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x4x8xbf16>, tensor<2x32x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x4x16x1xbf16>, tensor<2x2x4x16x1xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x4x8x32xbf16>, tensor<2x2x16x4x8xbf16>
    }
    %26 = stablehlo.convert %25#12 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %27 = stablehlo.multiply %26, %26 : tensor<2x16x32xf32>
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %29 = stablehlo.multiply %28, %26 : tensor<2x16x32xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%27 init: %cst_15) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %31 = stablehlo.divide %30, %cst_16 : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %32 = stablehlo.divide %cst_17, %cst_18 : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %34 = stablehlo.multiply %33, %29 : tensor<2x16x32xf32>
    %35 = stablehlo.convert %34 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x32x4x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x4x8x32xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x32x4x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x32x4x8xf32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %44:25 = stablehlo.while(%iterArg = %25#13, %iterArg_28 = %25#14, %iterArg_29 = %25#15, %iterArg_30 = %25#16, %iterArg_31 = %25#17, %iterArg_32 = %25#18, %iterArg_33 = %25#19, %iterArg_34 = %25#20, %iterArg_35 = %25#21, %iterArg_36 = %25#22, %iterArg_37 = %25#23, %iterArg_38 = %25#24, %iterArg_39 = %25#25, %iterArg_40 = %10, %iterArg_41 = %11#0, %iterArg_42 = %c_27, %iterArg_43 = %35, %iterArg_44 = %36, %iterArg_45 = %37, %iterArg_46 = %38, %iterArg_47 = %39, %iterArg_48 = %40, %iterArg_49 = %41, %iterArg_50 = %42, %iterArg_51 = %43) : tensor<2x32x4x8xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x4x8xbf16>, tensor<2x32x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x4x16x1xbf16>, tensor<2x2x4x16x1xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x4x8x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<bf16>, tensor<2x4x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x32xf32>, tensor<2x4x8x32xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>
    cond {
      %c_52 = stablehlo.constant dense<2> : tensor<i32>
      %45 = stablehlo.compare LT, %iterArg_42, %c_52, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %45 : tensor<i1>
    } do {
      %c_52 = stablehlo.constant dense<2> : tensor<i32>
      %45 = stablehlo.subtract %c_52, %iterArg_42 : tensor<i32>
      %c_53 = stablehlo.constant dense<1> : tensor<i32>
      %46 = stablehlo.subtract %45, %c_53 : tensor<i32>
      %47 = func.call @dynamic_index_in_dim_9(%iterArg, %46) : (tensor<2x32x4x8xbf16>, tensor<i32>) -> tensor<32x4x8xbf16>
      %48 = func.call @dynamic_index_in_dim_10(%iterArg_28, %46) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %49 = func.call @dynamic_index_in_dim_9(%iterArg_29, %46) : (tensor<2x32x4x8xbf16>, tensor<i32>) -> tensor<32x4x8xbf16>
      %50 = func.call @dynamic_index_in_dim_9(%iterArg_30, %46) : (tensor<2x32x4x8xbf16>, tensor<i32>) -> tensor<32x4x8xbf16>
      %51 = func.call @dynamic_index_in_dim_11(%iterArg_31, %46) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %52 = func.call @dynamic_index_in_dim_11(%iterArg_32, %46) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %53 = func.call @dynamic_index_in_dim_12(%iterArg_33, %46) : (tensor<2x2x4x16x16xbf16>, tensor<i32>) -> tensor<2x4x16x16xbf16>
      %54 = func.call @dynamic_index_in_dim_13(%iterArg_34, %46) : (tensor<2x2x4x16x1xbf16>, tensor<i32>) -> tensor<2x4x16x1xbf16>
      %55 = func.call @dynamic_index_in_dim_13(%iterArg_35, %46) : (tensor<2x2x4x16x1xbf16>, tensor<i32>) -> tensor<2x4x16x1xbf16>
      %56 = func.call @dynamic_index_in_dim_12(%iterArg_36, %46) : (tensor<2x2x4x16x16xbf16>, tensor<i32>) -> tensor<2x4x16x16xbf16>
      %57 = func.call @dynamic_index_in_dim_11(%iterArg_37, %46) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %58 = func.call @dynamic_index_in_dim_14(%iterArg_38, %46) : (tensor<2x4x8x32xbf16>, tensor<i32>) -> tensor<4x8x32xbf16>
      %59 = func.call @dynamic_index_in_dim_11(%iterArg_39, %46) : (tensor<2x2x16x4x8xbf16>, tensor<i32>) -> tensor<2x16x4x8xbf16>
      %60:9 = func.call @closed_call_15(%iterArg_40, %iterArg_41, %iterArg_43, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59) : (tensor<bf16>, tensor<2x4x16x16xi1>, tensor<2x16x32xbf16>, tensor<32x4x8xbf16>, tensor<2x16x32xbf16>, tensor<32x4x8xbf16>, tensor<32x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>, tensor<2x4x16x1xbf16>, tensor<2x4x16x1xbf16>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>, tensor<2x16x4x8xbf16>) -> (tensor<2x16x32xbf16>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>)
      %61 = func.call @dynamic_update_index_in_dim_17(%iterArg_44, %60#1, %46) : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<2x4x8xf32>
      %62 = func.call @dynamic_update_index_in_dim_18(%iterArg_45, %60#2, %46) : (tensor<2x32x4x8xf32>, tensor<32x4x8xf32>, tensor<i32>) -> tensor<2x32x4x8xf32>
      %63 = func.call @dynamic_update_index_in_dim_19(%iterArg_46, %60#3, %46) : (tensor<2x32xf32>, tensor<32xf32>, tensor<i32>) -> tensor<2x32xf32>
      %64 = func.call @dynamic_update_index_in_dim_20(%iterArg_47, %60#4, %46) : (tensor<2x4x8x32xf32>, tensor<4x8x32xf32>, tensor<i32>) -> tensor<2x4x8x32xf32>
      %65 = func.call @dynamic_update_index_in_dim_17(%iterArg_48, %60#5, %46) : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<2x4x8xf32>
      %66 = func.call @dynamic_update_index_in_dim_18(%iterArg_49, %60#6, %46) : (tensor<2x32x4x8xf32>, tensor<32x4x8xf32>, tensor<i32>) -> tensor<2x32x4x8xf32>
      %67 = func.call @dynamic_update_index_in_dim_17(%iterArg_50, %60#7, %46) : (tensor<2x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<2x4x8xf32>
      %68 = func.call @dynamic_update_index_in_dim_18(%iterArg_51, %60#8, %46) : (tensor<2x32x4x8xf32>, tensor<32x4x8xf32>, tensor<i32>) -> tensor<2x32x4x8xf32>
      %c_54 = stablehlo.constant dense<1> : tensor<i32>
      %69 = stablehlo.add %iterArg_42, %c_54 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %69, %60#0, %61, %62, %63, %64, %65, %66, %67, %68 : tensor<2x32x4x8xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x4x8xbf16>, tensor<2x32x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x4x16x1xbf16>, tensor<2x2x4x16x1xbf16>, tensor<2x2x4x16x16xbf16>, tensor<2x2x16x4x8xbf16>, tensor<2x4x8x32xbf16>, tensor<2x2x16x4x8xbf16>, tensor<bf16>, tensor<2x4x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x32xf32>, tensor<2x4x8x32xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>
    }
    return %31, %44#17, %44#18, %44#19, %44#20, %44#21, %44#22, %44#23, %44#24 : tensor<f32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x32xf32>, tensor<2x4x8x32xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>, tensor<2x4x8xf32>, tensor<2x32x4x8xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x16x16xf32>, %arg1: tensor<bf16>) -> (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x16x16xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<2x1x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x1x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<2x1x16x16xi1>) -> tensor<2x4x16x16xi1>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    return %2, %3 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<2x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x32x4x8xf32>, %arg1: tensor<i32>) -> tensor<32x4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 32, 4, 8] : (tensor<2x32x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x4x8xf32>) -> tensor<32x4x8xf32>
    return %1 : tensor<32x4x8xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<2x32xf32>, %arg1: tensor<i32>) -> tensor<32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 32] : (tensor<2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32xf32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<2x4x8x32xf32>, %arg1: tensor<i32>) -> tensor<4x8x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 8, 32] : (tensor<2x4x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x32xf32>) -> tensor<4x8x32xf32>
    return %1 : tensor<4x8x32xf32>
  }
  func.func private @closed_call(%arg0: tensor<bf16>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x4x16x16xbf16>, %arg3: tensor<2x16x32xbf16>, %arg4: tensor<4x8xf32>, %arg5: tensor<32x4x8xf32>, %arg6: tensor<32xf32>, %arg7: tensor<4x8x32xf32>, %arg8: tensor<4x8xf32>, %arg9: tensor<32x4x8xf32>, %arg10: tensor<4x8xf32>, %arg11: tensor<32x4x8xf32>) -> (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>, tensor<2x16x32xbf16>, tensor<32x4x8xbf16>, tensor<32x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>, tensor<2x4x16x1xbf16>, tensor<2x4x16x1xbf16>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>, tensor<2x16x4x8xbf16>) {
    %0 = stablehlo.convert %arg9 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %1 = stablehlo.convert %arg8 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %2 = stablehlo.dot_general %arg3, %0, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.reshape %1 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %5 = stablehlo.add %2, %4 : tensor<2x16x4x8xbf16>
    %6 = stablehlo.convert %arg5 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %7 = stablehlo.convert %arg4 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %8 = stablehlo.dot_general %arg3, %6, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %9 = stablehlo.reshape %7 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %11 = stablehlo.add %8, %10 : tensor<2x16x4x8xbf16>
    %12 = stablehlo.convert %arg11 : (tensor<32x4x8xf32>) -> tensor<32x4x8xbf16>
    %13 = stablehlo.convert %arg10 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %14 = stablehlo.dot_general %arg3, %12, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %15 = stablehlo.reshape %13 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    %17 = stablehlo.add %14, %16 : tensor<2x16x4x8xbf16>
    %18 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %19 = stablehlo.divide %5, %18 : tensor<2x16x4x8xbf16>
    %20 = stablehlo.dot_general %19, %11, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %21 = call @_where_3(%20, %arg1, %arg2) : (tensor<2x4x16x16xbf16>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %22 = stablehlo.reduce(%21 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x4x16xbf16>
    %24 = stablehlo.maximum %23, %22 : tensor<2x4x16xbf16>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %27 = stablehlo.subtract %21, %26 : tensor<2x4x16x16xbf16>
    %28 = stablehlo.exponential %27 : tensor<2x4x16x16xbf16>
    %29 = stablehlo.convert %28 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %32 = stablehlo.convert %31 : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xbf16>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %34 = stablehlo.divide %28, %33 : tensor<2x4x16x16xbf16>
    %35 = stablehlo.multiply %32, %32 : tensor<2x4x16x1xbf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %36 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x4x16x1xbf16>
    %37 = stablehlo.divide %36, %35 : tensor<2x4x16x1xbf16>
    %38 = stablehlo.dot_general %17, %34, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %39 = stablehlo.transpose %38, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %40 = stablehlo.convert %arg7 : (tensor<4x8x32xf32>) -> tensor<4x8x32xbf16>
    %41 = stablehlo.convert %arg6 : (tensor<32xf32>) -> tensor<32xbf16>
    %42 = stablehlo.dot_general %39, %40, contracting_dims = [2, 3] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x32xbf16>
    %43 = stablehlo.reshape %41 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x1x32xbf16>) -> tensor<2x16x32xbf16>
    %45 = stablehlo.add %42, %44 : tensor<2x16x32xbf16>
    %46 = stablehlo.add %arg3, %45 : tensor<2x16x32xbf16>
    return %46, %0, %arg3, %6, %12, %11, %19, %28, %32, %37, %34, %17, %40, %39 : tensor<2x16x32xbf16>, tensor<32x4x8xbf16>, tensor<2x16x32xbf16>, tensor<32x4x8xbf16>, tensor<32x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>, tensor<2x4x16x1xbf16>, tensor<2x4x16x1xbf16>, tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>, tensor<4x8x32xbf16>, tensor<2x16x4x8xbf16>
  }
  func.func private @_where_3(%arg0: tensor<2x4x16x16xbf16>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %0 : tensor<2x4x16x16xbf16>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x32x4x8xbf16>, %arg1: tensor<32x4x8xbf16>, %arg2: tensor<i32>) -> tensor<2x32x4x8xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<32x4x8xbf16>) -> tensor<1x32x4x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x32x4x8xbf16>, tensor<1x32x4x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x4x8xbf16>
    return %1 : tensor<2x32x4x8xbf16>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<2x2x16x32xbf16>, %arg1: tensor<2x16x32xbf16>, %arg2: tensor<i32>) -> tensor<2x2x16x32xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x2x16x32xbf16>, tensor<1x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x16x32xbf16>
    return %1 : tensor<2x2x16x32xbf16>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<2x2x16x4x8xbf16>, %arg1: tensor<2x16x4x8xbf16>, %arg2: tensor<i32>) -> tensor<2x2x16x4x8xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x16x4x8xbf16>) -> tensor<1x2x16x4x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x16x4x8xbf16>, tensor<1x2x16x4x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x16x4x8xbf16>
    return %1 : tensor<2x2x16x4x8xbf16>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<2x2x4x16x16xbf16>, %arg1: tensor<2x4x16x16xbf16>, %arg2: tensor<i32>) -> tensor<2x2x4x16x16xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x4x16x16xbf16>) -> tensor<1x2x4x16x16xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x4x16x16xbf16>, tensor<1x2x4x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x4x16x16xbf16>
    return %1 : tensor<2x2x4x16x16xbf16>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<2x2x4x16x1xbf16>, %arg1: tensor<2x4x16x1xbf16>, %arg2: tensor<i32>) -> tensor<2x2x4x16x1xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x4x16x1xbf16>) -> tensor<1x2x4x16x1xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x4x16x1xbf16>, tensor<1x2x4x16x1xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x4x16x1xbf16>
    return %1 : tensor<2x2x4x16x1xbf16>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<2x4x8x32xbf16>, %arg1: tensor<4x8x32xbf16>, %arg2: tensor<i32>) -> tensor<2x4x8x32xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x8x32xbf16>) -> tensor<1x4x8x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x4x8x32xbf16>, tensor<1x4x8x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x8x32xbf16>
    return %1 : tensor<2x4x8x32xbf16>
  }
  func.func private @dynamic_index_in_dim_9(%arg0: tensor<2x32x4x8xbf16>, %arg1: tensor<i32>) -> tensor<32x4x8xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 32, 4, 8] : (tensor<2x32x4x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x4x8xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x32x4x8xbf16>) -> tensor<32x4x8xbf16>
    return %1 : tensor<32x4x8xbf16>
  }
  func.func private @dynamic_index_in_dim_10(%arg0: tensor<2x2x16x32xbf16>, %arg1: tensor<i32>) -> tensor<2x16x32xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 16, 32] : (tensor<2x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x16x32xbf16>) -> tensor<2x16x32xbf16>
    return %1 : tensor<2x16x32xbf16>
  }
  func.func private @dynamic_index_in_dim_11(%arg0: tensor<2x2x16x4x8xbf16>, %arg1: tensor<i32>) -> tensor<2x16x4x8xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 16, 4, 8] : (tensor<2x2x16x4x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x4x8xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x16x4x8xbf16>) -> tensor<2x16x4x8xbf16>
    return %1 : tensor<2x16x4x8xbf16>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<2x2x4x16x16xbf16>, %arg1: tensor<i32>) -> tensor<2x4x16x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 4, 16, 16] : (tensor<2x2x4x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x16x16xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    return %1 : tensor<2x4x16x16xbf16>
  }
  func.func private @dynamic_index_in_dim_13(%arg0: tensor<2x2x4x16x1xbf16>, %arg1: tensor<i32>) -> tensor<2x4x16x1xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 4, 16, 1] : (tensor<2x2x4x16x1xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x16x1xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x16x1xbf16>) -> tensor<2x4x16x1xbf16>
    return %1 : tensor<2x4x16x1xbf16>
  }
  func.func private @dynamic_index_in_dim_14(%arg0: tensor<2x4x8x32xbf16>, %arg1: tensor<i32>) -> tensor<4x8x32xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 8, 32] : (tensor<2x4x8x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x32xbf16>) -> tensor<4x8x32xbf16>
    return %1 : tensor<4x8x32xbf16>
  }
  func.func private @closed_call_15(%arg0: tensor<bf16>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x16x32xbf16>, %arg3: tensor<32x4x8xbf16>, %arg4: tensor<2x16x32xbf16>, %arg5: tensor<32x4x8xbf16>, %arg6: tensor<32x4x8xbf16>, %arg7: tensor<2x16x4x8xbf16>, %arg8: tensor<2x16x4x8xbf16>, %arg9: tensor<2x4x16x16xbf16>, %arg10: tensor<2x4x16x1xbf16>, %arg11: tensor<2x4x16x1xbf16>, %arg12: tensor<2x4x16x16xbf16>, %arg13: tensor<2x16x4x8xbf16>, %arg14: tensor<4x8x32xbf16>, %arg15: tensor<2x16x4x8xbf16>) -> (tensor<2x16x32xbf16>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<32xbf16>) -> tensor<1x1x32xbf16>
    %2 = stablehlo.reshape %1 : (tensor<1x1x32xbf16>) -> tensor<32xbf16>
    %3 = stablehlo.dot_general %arg2, %arg15, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x4x8xbf16>) -> tensor<32x4x8xbf16>
    %4 = stablehlo.transpose %3, dims = [1, 2, 0] : (tensor<32x4x8xbf16>) -> tensor<4x8x32xbf16>
    %5 = stablehlo.dot_general %arg2, %arg14, contracting_dims = [2] x [2] : (tensor<2x16x32xbf16>, tensor<4x8x32xbf16>) -> tensor<2x16x4x8xbf16>
    %6 = stablehlo.convert %2 : (tensor<32xbf16>) -> tensor<32xf32>
    %7 = stablehlo.convert %4 : (tensor<4x8x32xbf16>) -> tensor<4x8x32xf32>
    %8 = stablehlo.transpose %5, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %9 = stablehlo.dot_general %8, %arg13, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %10 = stablehlo.dot_general %8, %arg12, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %11 = stablehlo.transpose %10, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %12 = stablehlo.broadcast_in_dim %arg11, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %13 = stablehlo.multiply %9, %12 : tensor<2x4x16x16xbf16>
    %14 = stablehlo.multiply %13, %arg9 : tensor<2x4x16x16xbf16>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %15 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16xbf16>
    %16 = stablehlo.reshape %15 : (tensor<2x4x16xbf16>) -> tensor<2x4x16x1xbf16>
    %17 = stablehlo.negate %16 : tensor<2x4x16x1xbf16>
    %18 = stablehlo.broadcast_in_dim %arg10, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x16xbf16>
    %19 = stablehlo.divide %9, %18 : tensor<2x4x16x16xbf16>
    %20 = stablehlo.convert %17 : (tensor<2x4x16x1xbf16>) -> tensor<2x4x16x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x16xf32>
    %23 = stablehlo.convert %22 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %24 = stablehlo.add %19, %23 : tensor<2x4x16x16xbf16>
    %25 = stablehlo.multiply %24, %arg9 : tensor<2x4x16x16xbf16>
    %26 = call @_where_16(%arg1, %25) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
    %27 = stablehlo.dot_general %26, %arg8, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %28 = stablehlo.transpose %27, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %29 = stablehlo.dot_general %26, %arg7, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %30 = stablehlo.transpose %29, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %31 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<bf16>) -> tensor<2x16x4x8xbf16>
    %32 = stablehlo.divide %30, %31 : tensor<2x16x4x8xbf16>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %33 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %34 = stablehlo.reshape %33 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %35 = stablehlo.reshape %34 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %36 = stablehlo.dot_general %11, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %37 = stablehlo.transpose %36, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %38 = stablehlo.dot_general %11, %arg6, contracting_dims = [2, 3] x [1, 2] : (tensor<2x16x4x8xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x32xbf16>
    %39 = stablehlo.add %arg2, %38 : tensor<2x16x32xbf16>
    %40 = stablehlo.convert %35 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %41 = stablehlo.convert %37 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %42 = stablehlo.reduce(%28 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %43 = stablehlo.reshape %42 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %44 = stablehlo.reshape %43 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %45 = stablehlo.dot_general %28, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %46 = stablehlo.transpose %45, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %47 = stablehlo.dot_general %28, %arg5, contracting_dims = [2, 3] x [1, 2] : (tensor<2x16x4x8xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x32xbf16>
    %48 = stablehlo.add %39, %47 : tensor<2x16x32xbf16>
    %49 = stablehlo.convert %44 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %50 = stablehlo.convert %46 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %51 = stablehlo.reduce(%32 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16x4x8xbf16>, tensor<bf16>) -> tensor<4x8xbf16>
    %52 = stablehlo.reshape %51 : (tensor<4x8xbf16>) -> tensor<1x1x4x8xbf16>
    %53 = stablehlo.reshape %52 : (tensor<1x1x4x8xbf16>) -> tensor<4x8xbf16>
    %54 = stablehlo.dot_general %32, %arg4, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x4x8xbf16>, tensor<2x16x32xbf16>) -> tensor<4x8x32xbf16>
    %55 = stablehlo.transpose %54, dims = [2, 0, 1] : (tensor<4x8x32xbf16>) -> tensor<32x4x8xbf16>
    %56 = stablehlo.dot_general %32, %arg3, contracting_dims = [2, 3] x [1, 2] : (tensor<2x16x4x8xbf16>, tensor<32x4x8xbf16>) -> tensor<2x16x32xbf16>
    %57 = stablehlo.add %48, %56 : tensor<2x16x32xbf16>
    %58 = stablehlo.convert %53 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %59 = stablehlo.convert %55 : (tensor<32x4x8xbf16>) -> tensor<32x4x8xf32>
    return %57, %49, %50, %6, %7, %58, %59, %40, %41 : tensor<2x16x32xbf16>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<4x8x32xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>, tensor<4x8xf32>, tensor<32x4x8xf32>
  }
  func.func private @_where_16(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xbf16>
    return %1 : tensor<2x4x16x16xbf16>
  }
  func.func private @dynamic_update_index_in_dim_17(%arg0: tensor<2x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<2x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x8xf32>
    return %1 : tensor<2x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_18(%arg0: tensor<2x32x4x8xf32>, %arg1: tensor<32x4x8xf32>, %arg2: tensor<i32>) -> tensor<2x32x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<32x4x8xf32>) -> tensor<1x32x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x32x4x8xf32>, tensor<1x32x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x4x8xf32>
    return %1 : tensor<2x32x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_19(%arg0: tensor<2x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<i32>) -> tensor<2x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<2x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<2x32xf32>
    return %1 : tensor<2x32xf32>
  }
  func.func private @dynamic_update_index_in_dim_20(%arg0: tensor<2x4x8x32xf32>, %arg1: tensor<4x8x32xf32>, %arg2: tensor<i32>) -> tensor<2x4x8x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x8x32xf32>) -> tensor<1x4x8x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x4x8x32xf32>, tensor<1x4x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x8x32xf32>
    return %1 : tensor<2x4x8x32xf32>
  }
}
// expect:
// line 216: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 1 CAUSAL window 0 scores 2x4x16x16
