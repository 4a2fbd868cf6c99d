// test: attention
// Layers with sinks in a scan, whose loop keeps what the gradient needs, the probabilities of the sinks too.
module @jit_l attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x32x16xbf16>, %arg1: tensor<3x32x32xbf16>, %arg2: tensor<3x32x32xbf16>, %arg3: tensor<3x4xf32>, %arg4: tensor<3x32x16xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<3x32x16xbf16> {jax.result_info = "result[0]['k']"}, tensor<3x32x32xbf16> {jax.result_info = "result[0]['o']"}, tensor<3x32x32xbf16> {jax.result_info = "result[0]['q']"}, tensor<3x4xf32> {jax.result_info = "result[0]['s']"}, tensor<3x32x16xbf16> {jax.result_info = "result[0]['v']"}, tensor<2x16x32xbf16> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %5 = stablehlo.compare  GE, %3, %4,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %6:2 = call @_where(%5, %cst) : (tensor<16x16xi1>, tensor<f32>) -> (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<3x2x16x32xbf16>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<3x2x16x2x2x8xbf16>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<3x2x16x2x8xbf16>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x2x2x2x16x17xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x2x2x2x16x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x2x2x2x16x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %13 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<3x2x2x2x16x16xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<3x2x16x2x8xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %15 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<3x2x16x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %16:18 = stablehlo.while(%iterArg = %arg0, %iterArg_18 = %arg1, %iterArg_19 = %arg2, %iterArg_20 = %arg3, %iterArg_21 = %arg4, %iterArg_22 = %6#0, %iterArg_23 = %6#1, %iterArg_24 = %c, %iterArg_25 = %arg5, %iterArg_26 = %7, %iterArg_27 = %8, %iterArg_28 = %9, %iterArg_29 = %10, %iterArg_30 = %11, %iterArg_31 = %12, %iterArg_32 = %13, %iterArg_33 = %14, %iterArg_34 = %15) : tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>, tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<3x2x16x32xbf16>, tensor<3x2x16x2x2x8xbf16>, tensor<3x2x16x2x8xbf16>, tensor<3x2x2x2x16x17xf32>, tensor<3x2x2x2x16x1xf32>, tensor<3x2x2x2x16x1xf32>, tensor<3x2x2x2x16x16xbf16>, tensor<3x2x16x2x8xbf16>, tensor<3x2x16x32xbf16>
    cond {
      %c_35 = stablehlo.constant dense<3> : tensor<i32>
      %30 = stablehlo.compare  LT, %iterArg_24, %c_35,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    } do {
      %c_35 = stablehlo.constant dense<0> : tensor<i32>
      %c_36 = stablehlo.constant dense<0> : tensor<i32>
      %30 = stablehlo.dynamic_slice %iterArg, %iterArg_24, %c_35, %c_36, sizes = [1, 32, 16] : (tensor<3x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xbf16>
      %31 = stablehlo.reshape %30 : (tensor<1x32x16xbf16>) -> tensor<32x16xbf16>
      %c_37 = stablehlo.constant dense<0> : tensor<i32>
      %c_38 = stablehlo.constant dense<0> : tensor<i32>
      %32 = stablehlo.dynamic_slice %iterArg_18, %iterArg_24, %c_37, %c_38, sizes = [1, 32, 32] : (tensor<3x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
      %33 = stablehlo.reshape %32 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
      %c_39 = stablehlo.constant dense<0> : tensor<i32>
      %c_40 = stablehlo.constant dense<0> : tensor<i32>
      %34 = stablehlo.dynamic_slice %iterArg_19, %iterArg_24, %c_39, %c_40, sizes = [1, 32, 32] : (tensor<3x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
      %35 = stablehlo.reshape %34 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
      %c_41 = stablehlo.constant dense<0> : tensor<i32>
      %36 = stablehlo.dynamic_slice %iterArg_20, %iterArg_24, %c_41, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %37 = stablehlo.reshape %36 : (tensor<1x4xf32>) -> tensor<4xf32>
      %c_42 = stablehlo.constant dense<0> : tensor<i32>
      %c_43 = stablehlo.constant dense<0> : tensor<i32>
      %38 = stablehlo.dynamic_slice %iterArg_21, %iterArg_24, %c_42, %c_43, sizes = [1, 32, 16] : (tensor<3x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xbf16>
      %39 = stablehlo.reshape %38 : (tensor<1x32x16xbf16>) -> tensor<32x16xbf16>
      %40:10 = func.call @closed_call(%iterArg_22, %iterArg_23, %iterArg_25, %31, %33, %35, %37, %39) : (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x2x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x2x2x16x17xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x16xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>)
      %41 = stablehlo.broadcast_in_dim %40#1, dims = [1, 2, 3] : (tensor<2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
      %c_44 = stablehlo.constant dense<0> : tensor<i32>
      %c_45 = stablehlo.constant dense<0> : tensor<i32>
      %c_46 = stablehlo.constant dense<0> : tensor<i32>
      %42 = stablehlo.dynamic_update_slice %iterArg_26, %41, %iterArg_24, %c_44, %c_45, %c_46 : (tensor<3x2x16x32xbf16>, tensor<1x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x16x32xbf16>
      %43 = stablehlo.broadcast_in_dim %40#2, dims = [1, 2, 3, 4, 5] : (tensor<2x16x2x2x8xbf16>) -> tensor<1x2x16x2x2x8xbf16>
      %c_47 = stablehlo.constant dense<0> : tensor<i32>
      %c_48 = stablehlo.constant dense<0> : tensor<i32>
      %c_49 = stablehlo.constant dense<0> : tensor<i32>
      %c_50 = stablehlo.constant dense<0> : tensor<i32>
      %c_51 = stablehlo.constant dense<0> : tensor<i32>
      %44 = stablehlo.dynamic_update_slice %iterArg_27, %43, %iterArg_24, %c_47, %c_48, %c_49, %c_50, %c_51 : (tensor<3x2x16x2x2x8xbf16>, tensor<1x2x16x2x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x16x2x2x8xbf16>
      %45 = stablehlo.broadcast_in_dim %40#3, dims = [1, 2, 3, 4] : (tensor<2x16x2x8xbf16>) -> tensor<1x2x16x2x8xbf16>
      %c_52 = stablehlo.constant dense<0> : tensor<i32>
      %c_53 = stablehlo.constant dense<0> : tensor<i32>
      %c_54 = stablehlo.constant dense<0> : tensor<i32>
      %c_55 = stablehlo.constant dense<0> : tensor<i32>
      %46 = stablehlo.dynamic_update_slice %iterArg_28, %45, %iterArg_24, %c_52, %c_53, %c_54, %c_55 : (tensor<3x2x16x2x8xbf16>, tensor<1x2x16x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x16x2x8xbf16>
      %47 = stablehlo.broadcast_in_dim %40#4, dims = [1, 2, 3, 4, 5] : (tensor<2x2x2x16x17xf32>) -> tensor<1x2x2x2x16x17xf32>
      %c_56 = stablehlo.constant dense<0> : tensor<i32>
      %c_57 = stablehlo.constant dense<0> : tensor<i32>
      %c_58 = stablehlo.constant dense<0> : tensor<i32>
      %c_59 = stablehlo.constant dense<0> : tensor<i32>
      %c_60 = stablehlo.constant dense<0> : tensor<i32>
      %48 = stablehlo.dynamic_update_slice %iterArg_29, %47, %iterArg_24, %c_56, %c_57, %c_58, %c_59, %c_60 : (tensor<3x2x2x2x16x17xf32>, tensor<1x2x2x2x16x17xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x2x2x16x17xf32>
      %49 = stablehlo.broadcast_in_dim %40#5, dims = [1, 2, 3, 4, 5] : (tensor<2x2x2x16x1xf32>) -> tensor<1x2x2x2x16x1xf32>
      %c_61 = stablehlo.constant dense<0> : tensor<i32>
      %c_62 = stablehlo.constant dense<0> : tensor<i32>
      %c_63 = stablehlo.constant dense<0> : tensor<i32>
      %c_64 = stablehlo.constant dense<0> : tensor<i32>
      %c_65 = stablehlo.constant dense<0> : tensor<i32>
      %50 = stablehlo.dynamic_update_slice %iterArg_30, %49, %iterArg_24, %c_61, %c_62, %c_63, %c_64, %c_65 : (tensor<3x2x2x2x16x1xf32>, tensor<1x2x2x2x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x2x2x16x1xf32>
      %51 = stablehlo.broadcast_in_dim %40#6, dims = [1, 2, 3, 4, 5] : (tensor<2x2x2x16x1xf32>) -> tensor<1x2x2x2x16x1xf32>
      %c_66 = stablehlo.constant dense<0> : tensor<i32>
      %c_67 = stablehlo.constant dense<0> : tensor<i32>
      %c_68 = stablehlo.constant dense<0> : tensor<i32>
      %c_69 = stablehlo.constant dense<0> : tensor<i32>
      %c_70 = stablehlo.constant dense<0> : tensor<i32>
      %52 = stablehlo.dynamic_update_slice %iterArg_31, %51, %iterArg_24, %c_66, %c_67, %c_68, %c_69, %c_70 : (tensor<3x2x2x2x16x1xf32>, tensor<1x2x2x2x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x2x2x16x1xf32>
      %53 = stablehlo.broadcast_in_dim %40#7, dims = [1, 2, 3, 4, 5] : (tensor<2x2x2x16x16xbf16>) -> tensor<1x2x2x2x16x16xbf16>
      %c_71 = stablehlo.constant dense<0> : tensor<i32>
      %c_72 = stablehlo.constant dense<0> : tensor<i32>
      %c_73 = stablehlo.constant dense<0> : tensor<i32>
      %c_74 = stablehlo.constant dense<0> : tensor<i32>
      %c_75 = stablehlo.constant dense<0> : tensor<i32>
      %54 = stablehlo.dynamic_update_slice %iterArg_32, %53, %iterArg_24, %c_71, %c_72, %c_73, %c_74, %c_75 : (tensor<3x2x2x2x16x16xbf16>, tensor<1x2x2x2x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x2x2x16x16xbf16>
      %55 = stablehlo.broadcast_in_dim %40#8, dims = [1, 2, 3, 4] : (tensor<2x16x2x8xbf16>) -> tensor<1x2x16x2x8xbf16>
      %c_76 = stablehlo.constant dense<0> : tensor<i32>
      %c_77 = stablehlo.constant dense<0> : tensor<i32>
      %c_78 = stablehlo.constant dense<0> : tensor<i32>
      %c_79 = stablehlo.constant dense<0> : tensor<i32>
      %56 = stablehlo.dynamic_update_slice %iterArg_33, %55, %iterArg_24, %c_76, %c_77, %c_78, %c_79 : (tensor<3x2x16x2x8xbf16>, tensor<1x2x16x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x16x2x8xbf16>
      %57 = stablehlo.broadcast_in_dim %40#9, dims = [1, 2, 3] : (tensor<2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
      %c_80 = stablehlo.constant dense<0> : tensor<i32>
      %c_81 = stablehlo.constant dense<0> : tensor<i32>
      %c_82 = stablehlo.constant dense<0> : tensor<i32>
      %58 = stablehlo.dynamic_update_slice %iterArg_34, %57, %iterArg_24, %c_80, %c_81, %c_82 : (tensor<3x2x16x32xbf16>, tensor<1x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x16x32xbf16>
      %c_83 = stablehlo.constant dense<1> : tensor<i32>
      %59 = stablehlo.add %iterArg_24, %c_83 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %59, %40#0, %42, %44, %46, %48, %50, %52, %54, %56, %58 : tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>, tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<3x2x16x32xbf16>, tensor<3x2x16x2x2x8xbf16>, tensor<3x2x16x2x8xbf16>, tensor<3x2x2x2x16x17xf32>, tensor<3x2x2x2x16x1xf32>, tensor<3x2x2x2x16x1xf32>, tensor<3x2x2x2x16x16xbf16>, tensor<3x2x16x2x8xbf16>, tensor<3x2x16x32xbf16>
    }
    %17 = stablehlo.convert %16#8 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<2x16x32xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_11 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %20 = stablehlo.divide %cst_10, %cst_11 : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %22 = stablehlo.multiply %21, %19 : tensor<2x16x32xf32>
    %23 = stablehlo.convert %22 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<3x32x16xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %25 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<3x32x32xbf16>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %26 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<3x32x32xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %28 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<3x32x16xbf16>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %29:21 = stablehlo.while(%iterArg = %arg2, %iterArg_18 = %16#9, %iterArg_19 = %arg0, %iterArg_20 = %arg4, %iterArg_21 = %16#10, %iterArg_22 = %16#11, %iterArg_23 = %16#12, %iterArg_24 = %16#13, %iterArg_25 = %16#14, %iterArg_26 = %16#15, %iterArg_27 = %16#16, %iterArg_28 = %arg1, %iterArg_29 = %16#17, %iterArg_30 = %6#0, %iterArg_31 = %c_17, %iterArg_32 = %23, %iterArg_33 = %24, %iterArg_34 = %25, %iterArg_35 = %26, %iterArg_36 = %27, %iterArg_37 = %28) : tensor<3x32x32xbf16>, tensor<3x2x16x32xbf16>, tensor<3x32x16xbf16>, tensor<3x32x16xbf16>, tensor<3x2x16x2x2x8xbf16>, tensor<3x2x16x2x8xbf16>, tensor<3x2x2x2x16x17xf32>, tensor<3x2x2x2x16x1xf32>, tensor<3x2x2x2x16x1xf32>, tensor<3x2x2x2x16x16xbf16>, tensor<3x2x16x2x8xbf16>, tensor<3x32x32xbf16>, tensor<3x2x16x32xbf16>, tensor<2x2x2x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>
    cond {
      %c_38 = stablehlo.constant dense<3> : tensor<i32>
      %30 = stablehlo.compare  LT, %iterArg_31, %c_38,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    } do {
      %c_38 = stablehlo.constant dense<3> : tensor<i32>
      %30 = stablehlo.subtract %c_38, %iterArg_31 : tensor<i32>
      %c_39 = stablehlo.constant dense<1> : tensor<i32>
      %31 = stablehlo.subtract %30, %c_39 : tensor<i32>
      %c_40 = stablehlo.constant dense<0> : tensor<i32>
      %c_41 = stablehlo.constant dense<0> : tensor<i32>
      %32 = stablehlo.dynamic_slice %iterArg, %31, %c_40, %c_41, sizes = [1, 32, 32] : (tensor<3x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
      %33 = stablehlo.reshape %32 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
      %c_42 = stablehlo.constant dense<0> : tensor<i32>
      %c_43 = stablehlo.constant dense<0> : tensor<i32>
      %c_44 = stablehlo.constant dense<0> : tensor<i32>
      %34 = stablehlo.dynamic_slice %iterArg_18, %31, %c_42, %c_43, %c_44, sizes = [1, 2, 16, 32] : (tensor<3x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x32xbf16>
      %35 = stablehlo.reshape %34 : (tensor<1x2x16x32xbf16>) -> tensor<2x16x32xbf16>
      %c_45 = stablehlo.constant dense<0> : tensor<i32>
      %c_46 = stablehlo.constant dense<0> : tensor<i32>
      %36 = stablehlo.dynamic_slice %iterArg_19, %31, %c_45, %c_46, sizes = [1, 32, 16] : (tensor<3x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xbf16>
      %37 = stablehlo.reshape %36 : (tensor<1x32x16xbf16>) -> tensor<32x16xbf16>
      %c_47 = stablehlo.constant dense<0> : tensor<i32>
      %c_48 = stablehlo.constant dense<0> : tensor<i32>
      %38 = stablehlo.dynamic_slice %iterArg_20, %31, %c_47, %c_48, sizes = [1, 32, 16] : (tensor<3x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xbf16>
      %39 = stablehlo.reshape %38 : (tensor<1x32x16xbf16>) -> tensor<32x16xbf16>
      %c_49 = stablehlo.constant dense<0> : tensor<i32>
      %c_50 = stablehlo.constant dense<0> : tensor<i32>
      %c_51 = stablehlo.constant dense<0> : tensor<i32>
      %c_52 = stablehlo.constant dense<0> : tensor<i32>
      %c_53 = stablehlo.constant dense<0> : tensor<i32>
      %40 = stablehlo.dynamic_slice %iterArg_21, %31, %c_49, %c_50, %c_51, %c_52, %c_53, sizes = [1, 2, 16, 2, 2, 8] : (tensor<3x2x16x2x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x2x2x8xbf16>
      %41 = stablehlo.reshape %40 : (tensor<1x2x16x2x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
      %c_54 = stablehlo.constant dense<0> : tensor<i32>
      %c_55 = stablehlo.constant dense<0> : tensor<i32>
      %c_56 = stablehlo.constant dense<0> : tensor<i32>
      %c_57 = stablehlo.constant dense<0> : tensor<i32>
      %42 = stablehlo.dynamic_slice %iterArg_22, %31, %c_54, %c_55, %c_56, %c_57, sizes = [1, 2, 16, 2, 8] : (tensor<3x2x16x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x2x8xbf16>
      %43 = stablehlo.reshape %42 : (tensor<1x2x16x2x8xbf16>) -> tensor<2x16x2x8xbf16>
      %c_58 = stablehlo.constant dense<0> : tensor<i32>
      %c_59 = stablehlo.constant dense<0> : tensor<i32>
      %c_60 = stablehlo.constant dense<0> : tensor<i32>
      %c_61 = stablehlo.constant dense<0> : tensor<i32>
      %c_62 = stablehlo.constant dense<0> : tensor<i32>
      %44 = stablehlo.dynamic_slice %iterArg_23, %31, %c_58, %c_59, %c_60, %c_61, %c_62, sizes = [1, 2, 2, 2, 16, 17] : (tensor<3x2x2x2x16x17xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x2x16x17xf32>
      %45 = stablehlo.reshape %44 : (tensor<1x2x2x2x16x17xf32>) -> tensor<2x2x2x16x17xf32>
      %c_63 = stablehlo.constant dense<0> : tensor<i32>
      %c_64 = stablehlo.constant dense<0> : tensor<i32>
      %c_65 = stablehlo.constant dense<0> : tensor<i32>
      %c_66 = stablehlo.constant dense<0> : tensor<i32>
      %c_67 = stablehlo.constant dense<0> : tensor<i32>
      %46 = stablehlo.dynamic_slice %iterArg_24, %31, %c_63, %c_64, %c_65, %c_66, %c_67, sizes = [1, 2, 2, 2, 16, 1] : (tensor<3x2x2x2x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x2x16x1xf32>
      %47 = stablehlo.reshape %46 : (tensor<1x2x2x2x16x1xf32>) -> tensor<2x2x2x16x1xf32>
      %c_68 = stablehlo.constant dense<0> : tensor<i32>
      %c_69 = stablehlo.constant dense<0> : tensor<i32>
      %c_70 = stablehlo.constant dense<0> : tensor<i32>
      %c_71 = stablehlo.constant dense<0> : tensor<i32>
      %c_72 = stablehlo.constant dense<0> : tensor<i32>
      %48 = stablehlo.dynamic_slice %iterArg_25, %31, %c_68, %c_69, %c_70, %c_71, %c_72, sizes = [1, 2, 2, 2, 16, 1] : (tensor<3x2x2x2x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x2x16x1xf32>
      %49 = stablehlo.reshape %48 : (tensor<1x2x2x2x16x1xf32>) -> tensor<2x2x2x16x1xf32>
      %c_73 = stablehlo.constant dense<0> : tensor<i32>
      %c_74 = stablehlo.constant dense<0> : tensor<i32>
      %c_75 = stablehlo.constant dense<0> : tensor<i32>
      %c_76 = stablehlo.constant dense<0> : tensor<i32>
      %c_77 = stablehlo.constant dense<0> : tensor<i32>
      %50 = stablehlo.dynamic_slice %iterArg_26, %31, %c_73, %c_74, %c_75, %c_76, %c_77, sizes = [1, 2, 2, 2, 16, 16] : (tensor<3x2x2x2x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x2x16x16xbf16>
      %51 = stablehlo.reshape %50 : (tensor<1x2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xbf16>
      %c_78 = stablehlo.constant dense<0> : tensor<i32>
      %c_79 = stablehlo.constant dense<0> : tensor<i32>
      %c_80 = stablehlo.constant dense<0> : tensor<i32>
      %c_81 = stablehlo.constant dense<0> : tensor<i32>
      %52 = stablehlo.dynamic_slice %iterArg_27, %31, %c_78, %c_79, %c_80, %c_81, sizes = [1, 2, 16, 2, 8] : (tensor<3x2x16x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x2x8xbf16>
      %53 = stablehlo.reshape %52 : (tensor<1x2x16x2x8xbf16>) -> tensor<2x16x2x8xbf16>
      %c_82 = stablehlo.constant dense<0> : tensor<i32>
      %c_83 = stablehlo.constant dense<0> : tensor<i32>
      %54 = stablehlo.dynamic_slice %iterArg_28, %31, %c_82, %c_83, sizes = [1, 32, 32] : (tensor<3x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
      %55 = stablehlo.reshape %54 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
      %c_84 = stablehlo.constant dense<0> : tensor<i32>
      %c_85 = stablehlo.constant dense<0> : tensor<i32>
      %c_86 = stablehlo.constant dense<0> : tensor<i32>
      %56 = stablehlo.dynamic_slice %iterArg_29, %31, %c_84, %c_85, %c_86, sizes = [1, 2, 16, 32] : (tensor<3x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x32xbf16>
      %57 = stablehlo.reshape %56 : (tensor<1x2x16x32xbf16>) -> tensor<2x16x32xbf16>
      %58:6 = func.call @closed_call_66(%iterArg_30, %iterArg_32, %33, %35, %37, %39, %41, %43, %45, %47, %49, %51, %53, %55, %57) : (tensor<2x2x2x16x16xi1>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x16xbf16>, tensor<2x16x2x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x2x2x16x17xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x16xbf16>, tensor<2x16x2x8xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>)
      %59 = stablehlo.broadcast_in_dim %58#1, dims = [1, 2] : (tensor<32x16xbf16>) -> tensor<1x32x16xbf16>
      %c_87 = stablehlo.constant dense<0> : tensor<i32>
      %c_88 = stablehlo.constant dense<0> : tensor<i32>
      %60 = stablehlo.dynamic_update_slice %iterArg_33, %59, %31, %c_87, %c_88 : (tensor<3x32x16xbf16>, tensor<1x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x16xbf16>
      %61 = stablehlo.broadcast_in_dim %58#2, dims = [1, 2] : (tensor<32x32xbf16>) -> tensor<1x32x32xbf16>
      %c_89 = stablehlo.constant dense<0> : tensor<i32>
      %c_90 = stablehlo.constant dense<0> : tensor<i32>
      %62 = stablehlo.dynamic_update_slice %iterArg_34, %61, %31, %c_89, %c_90 : (tensor<3x32x32xbf16>, tensor<1x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x32xbf16>
      %63 = stablehlo.broadcast_in_dim %58#3, dims = [1, 2] : (tensor<32x32xbf16>) -> tensor<1x32x32xbf16>
      %c_91 = stablehlo.constant dense<0> : tensor<i32>
      %c_92 = stablehlo.constant dense<0> : tensor<i32>
      %64 = stablehlo.dynamic_update_slice %iterArg_35, %63, %31, %c_91, %c_92 : (tensor<3x32x32xbf16>, tensor<1x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x32xbf16>
      %65 = stablehlo.broadcast_in_dim %58#4, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
      %c_93 = stablehlo.constant dense<0> : tensor<i32>
      %66 = stablehlo.dynamic_update_slice %iterArg_36, %65, %31, %c_93 : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
      %67 = stablehlo.broadcast_in_dim %58#5, dims = [1, 2] : (tensor<32x16xbf16>) -> tensor<1x32x16xbf16>
      %c_94 = stablehlo.constant dense<0> : tensor<i32>
      %c_95 = stablehlo.constant dense<0> : tensor<i32>
      %68 = stablehlo.dynamic_update_slice %iterArg_37, %67, %31, %c_94, %c_95 : (tensor<3x32x16xbf16>, tensor<1x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x16xbf16>
      %c_96 = stablehlo.constant dense<1> : tensor<i32>
      %69 = stablehlo.add %iterArg_31, %c_96 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %69, %58#0, %60, %62, %64, %66, %68 : tensor<3x32x32xbf16>, tensor<3x2x16x32xbf16>, tensor<3x32x16xbf16>, tensor<3x32x16xbf16>, tensor<3x2x16x2x2x8xbf16>, tensor<3x2x16x2x8xbf16>, tensor<3x2x2x2x16x17xf32>, tensor<3x2x2x2x16x1xf32>, tensor<3x2x2x2x16x1xf32>, tensor<3x2x2x2x16x16xbf16>, tensor<3x2x16x2x8xbf16>, tensor<3x32x32xbf16>, tensor<3x2x16x32xbf16>, tensor<2x2x2x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>
    }
    return %29#16, %29#17, %29#18, %29#19, %29#20, %29#15 : tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<f32>) -> (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<16x16xi1>) -> tensor<2x2x2x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    return %1, %2 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x2x2x16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>, %arg2: tensor<2x16x32xbf16>, %arg3: tensor<32x16xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<4xf32>, %arg7: tensor<32x16xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x2x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x2x2x16x17xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x16xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>) {
    %0 = stablehlo.dot_general %arg2, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %4 = stablehlo.dot_general %arg2, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %6 = stablehlo.reshape %1 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %7 = stablehlo.dot_general %3, %6, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x16x2x8xbf16>, tensor<2x16x2x2x8xbf16>) -> tensor<2x2x16x16x2xf32>
    %8 = stablehlo.transpose %7, dims = [0, 1, 4, 3, 2] : (tensor<2x2x16x16x2xf32>) -> tensor<2x2x2x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x2x2x16x16xf32>
    %11 = call @_where_18(%10, %arg0, %arg1) : (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %12 = stablehlo.reshape %arg6 : (tensor<4xf32>) -> tensor<1x2x2x1x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x1x1xf32>) -> tensor<2x2x2x16x1xf32>
    %14 = stablehlo.concatenate %11, %13, dim = 4 : (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x16x17xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x2x16xf32>
    %17 = stablehlo.maximum %16, %15 : tensor<2x2x2x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<2x2x2x16x17xf32>
    %21 = stablehlo.exponential %20 : tensor<2x2x2x16x17xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x17xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %25 = stablehlo.divide %21, %24 : tensor<2x2x2x16x17xf32>
    %26 = stablehlo.multiply %23, %23 : tensor<2x2x2x16x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x1xf32>
    %28 = stablehlo.divide %27, %26 : tensor<2x2x2x16x1xf32>
    %29 = stablehlo.slice %25 [0:2, 0:2, 0:2, 0:16, 0:16] : (tensor<2x2x2x16x17xf32>) -> tensor<2x2x2x16x16xf32>
    %30 = stablehlo.convert %29 : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xbf16>
    %31 = stablehlo.dot_general %5, %30, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x2x16xbf16>
    %32 = stablehlo.transpose %31, dims = [0, 4, 1, 3, 2] : (tensor<2x2x8x2x16xbf16>) -> tensor<2x16x2x2x8xbf16>
    %33 = stablehlo.reshape %32 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %34 = stablehlo.reshape %33 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %35 = stablehlo.dot_general %34, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %36 = stablehlo.add %arg2, %35 : tensor<2x16x32xbf16>
    return %36, %arg2, %6, %3, %21, %23, %28, %30, %5, %34 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x2x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x2x2x16x17xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x16xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where_18(%arg0: tensor<2x2x2x16x16xf32>, %arg1: tensor<2x2x2x16x16xi1>, %arg2: tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %0 : tensor<2x2x2x16x16xf32>
  }
  func.func private @closed_call_66(%arg0: tensor<2x2x2x16x16xi1>, %arg1: tensor<2x16x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<2x16x32xbf16>, %arg4: tensor<32x16xbf16>, %arg5: tensor<32x16xbf16>, %arg6: tensor<2x16x2x2x8xbf16>, %arg7: tensor<2x16x2x8xbf16>, %arg8: tensor<2x2x2x16x17xf32>, %arg9: tensor<2x2x2x16x1xf32>, %arg10: tensor<2x2x2x16x1xf32>, %arg11: tensor<2x2x2x16x16xbf16>, %arg12: tensor<2x16x2x8xbf16>, %arg13: tensor<32x32xbf16>, %arg14: tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>) {
    %0 = stablehlo.dot_general %arg1, %arg14, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %2 = stablehlo.dot_general %arg1, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %4 = stablehlo.reshape %3 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %5 = stablehlo.transpose %4, dims = [0, 2, 4, 3, 1] : (tensor<2x16x2x2x8xbf16>) -> tensor<2x2x8x2x16xbf16>
    %6 = stablehlo.dot_general %5, %arg12, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x2x16xbf16>, tensor<2x16x2x8xbf16>) -> tensor<2x2x2x16x16xbf16>
    %7 = stablehlo.dot_general %5, %arg11, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x2x16xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x16xbf16>
    %8 = stablehlo.transpose %7, dims = [0, 3, 1, 2] : (tensor<2x2x8x16xbf16>) -> tensor<2x16x2x8xbf16>
    %9 = stablehlo.convert %6 : (tensor<2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.pad %9, %cst, low = [0, 0, 0, 0, 0], high = [0, 0, 0, 0, 1], interior = [0, 0, 0, 0, 0] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16x17xf32>
    %11 = stablehlo.broadcast_in_dim %arg10, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<2x2x2x16x17xf32>
    %13 = stablehlo.multiply %12, %arg8 : tensor<2x2x2x16x17xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_0) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x17xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %15 = stablehlo.reshape %14 : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %16 = stablehlo.negate %15 : tensor<2x2x2x16x1xf32>
    %17 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x17xf32>
    %18 = stablehlo.divide %10, %17 : tensor<2x2x2x16x17xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%16 init: %cst_1) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x1xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x17xf32>
    %21 = stablehlo.add %18, %20 : tensor<2x2x2x16x17xf32>
    %22 = stablehlo.multiply %21, %arg8 : tensor<2x2x2x16x17xf32>
    %23 = stablehlo.slice %22 [0:2, 0:2, 0:2, 0:16, 0:16] : (tensor<2x2x2x16x17xf32>) -> tensor<2x2x2x16x16xf32>
    %24 = stablehlo.slice %22 [0:2, 0:2, 0:2, 0:16, 16:17] : (tensor<2x2x2x16x17xf32>) -> tensor<2x2x2x16x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_2) applies stablehlo.add across dimensions = [0, 3, 4] : (tensor<2x2x2x16x1xf32>, tensor<f32>) -> tensor<2x2xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [1, 2] : (tensor<2x2xf32>) -> tensor<1x2x2x1x1xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x2x2x1x1xf32>) -> tensor<4xf32>
    %28 = call @_where_83(%arg0, %23) : (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %30 = stablehlo.multiply %28, %29 : tensor<2x2x2x16x16xf32>
    %31 = stablehlo.transpose %30, dims = [0, 1, 4, 3, 2] : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x16x16x2xf32>
    %32 = stablehlo.convert %31 : tensor<2x2x16x16x2xf32>
    %33 = stablehlo.convert %arg7 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %34 = stablehlo.dot_general %32, %33, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x8xf32>) -> tensor<2x2x16x2x8xf32>
    %35 = stablehlo.transpose %34, dims = [0, 2, 1, 3, 4] : (tensor<2x2x16x2x8xf32>) -> tensor<2x16x2x2x8xf32>
    %36 = stablehlo.convert %35 : (tensor<2x16x2x2x8xf32>) -> tensor<2x16x2x2x8xbf16>
    %37 = stablehlo.convert %31 : tensor<2x2x16x16x2xf32>
    %38 = stablehlo.convert %arg6 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x2x2x8xf32>
    %39 = stablehlo.dot_general %37, %38, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x2x8xf32>) -> tensor<2x2x16x8xf32>
    %40 = stablehlo.transpose %39, dims = [0, 2, 1, 3] : (tensor<2x2x16x8xf32>) -> tensor<2x16x2x8xf32>
    %41 = stablehlo.convert %40 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %42 = stablehlo.reshape %36 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %43 = stablehlo.reshape %8 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %44 = stablehlo.dot_general %43, %arg3, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %45 = stablehlo.transpose %44, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %46 = stablehlo.dot_general %43, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %47 = stablehlo.add %arg1, %46 : tensor<2x16x32xbf16>
    %48 = stablehlo.reshape %41 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %49 = stablehlo.dot_general %48, %arg3, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %50 = stablehlo.transpose %49, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %51 = stablehlo.dot_general %48, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %52 = stablehlo.add %47, %51 : tensor<2x16x32xbf16>
    %53 = stablehlo.reshape %42 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %54 = stablehlo.dot_general %53, %arg3, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %55 = stablehlo.transpose %54, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %56 = stablehlo.dot_general %53, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %57 = stablehlo.add %52, %56 : tensor<2x16x32xbf16>
    return %57, %50, %1, %55, %27, %45 : tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>
  }
  func.func private @_where_83(%arg0: tensor<2x2x2x16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %1 : tensor<2x2x2x16x16xf32>
  }
}
// expect:
// line 280: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
