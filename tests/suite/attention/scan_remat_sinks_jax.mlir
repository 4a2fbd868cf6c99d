// test: attention
// The same with layers that are computed again.
module @jit_l attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x32x16xbf16>, %arg1: tensor<3x32x32xbf16>, %arg2: tensor<3x32x32xbf16>, %arg3: tensor<3x4xf32>, %arg4: tensor<3x32x16xbf16>, %arg5: tensor<2x16x32xbf16>) -> (tensor<3x32x16xbf16> {jax.result_info = "result[0]['k']"}, tensor<3x32x32xbf16> {jax.result_info = "result[0]['o']"}, tensor<3x32x32xbf16> {jax.result_info = "result[0]['q']"}, tensor<3x4xf32> {jax.result_info = "result[0]['s']"}, tensor<3x32x16xbf16> {jax.result_info = "result[0]['v']"}, tensor<2x16x32xbf16> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %5 = stablehlo.compare  GE, %3, %4,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %6 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %7 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %10 = stablehlo.subtract %8, %9 : tensor<16x16xi32>
    %c = stablehlo.constant dense<5> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %12 = stablehlo.compare  LT, %10, %11,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %13 = stablehlo.and %5, %12 : tensor<16x16xi1>
    %cst = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %14:2 = call @_where(%13, %cst) : (tensor<16x16xi1>, tensor<f32>) -> (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<3x2x16x32xbf16>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %16:10 = stablehlo.while(%iterArg = %arg0, %iterArg_11 = %arg1, %iterArg_12 = %arg2, %iterArg_13 = %arg3, %iterArg_14 = %arg4, %iterArg_15 = %14#0, %iterArg_16 = %14#1, %iterArg_17 = %c_1, %iterArg_18 = %arg5, %iterArg_19 = %15) : tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<3x2x16x32xbf16>
    cond {
      %c_20 = stablehlo.constant dense<3> : tensor<i32>
      %30 = stablehlo.compare  LT, %iterArg_17, %c_20,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    } do {
      %c_20 = stablehlo.constant dense<0> : tensor<i32>
      %c_21 = stablehlo.constant dense<0> : tensor<i32>
      %30 = stablehlo.dynamic_slice %iterArg, %iterArg_17, %c_20, %c_21, sizes = [1, 32, 16] : (tensor<3x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xbf16>
      %31 = stablehlo.reshape %30 : (tensor<1x32x16xbf16>) -> tensor<32x16xbf16>
      %c_22 = stablehlo.constant dense<0> : tensor<i32>
      %c_23 = stablehlo.constant dense<0> : tensor<i32>
      %32 = stablehlo.dynamic_slice %iterArg_11, %iterArg_17, %c_22, %c_23, sizes = [1, 32, 32] : (tensor<3x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
      %33 = stablehlo.reshape %32 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
      %c_24 = stablehlo.constant dense<0> : tensor<i32>
      %c_25 = stablehlo.constant dense<0> : tensor<i32>
      %34 = stablehlo.dynamic_slice %iterArg_12, %iterArg_17, %c_24, %c_25, sizes = [1, 32, 32] : (tensor<3x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
      %35 = stablehlo.reshape %34 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
      %c_26 = stablehlo.constant dense<0> : tensor<i32>
      %36 = stablehlo.dynamic_slice %iterArg_13, %iterArg_17, %c_26, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %37 = stablehlo.reshape %36 : (tensor<1x4xf32>) -> tensor<4xf32>
      %c_27 = stablehlo.constant dense<0> : tensor<i32>
      %c_28 = stablehlo.constant dense<0> : tensor<i32>
      %38 = stablehlo.dynamic_slice %iterArg_14, %iterArg_17, %c_27, %c_28, sizes = [1, 32, 16] : (tensor<3x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xbf16>
      %39 = stablehlo.reshape %38 : (tensor<1x32x16xbf16>) -> tensor<32x16xbf16>
      %40:2 = func.call @closed_call(%iterArg_15, %iterArg_16, %iterArg_18, %31, %33, %35, %37, %39) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>)
      %41 = stablehlo.broadcast_in_dim %40#1, dims = [1, 2, 3] : (tensor<2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
      %c_29 = stablehlo.constant dense<0> : tensor<i32>
      %c_30 = stablehlo.constant dense<0> : tensor<i32>
      %c_31 = stablehlo.constant dense<0> : tensor<i32>
      %42 = stablehlo.dynamic_update_slice %iterArg_19, %41, %iterArg_17, %c_29, %c_30, %c_31 : (tensor<3x2x16x32xbf16>, tensor<1x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x16x32xbf16>
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %43 = stablehlo.add %iterArg_17, %c_32 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %43, %40#0, %42 : tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<3x2x16x32xbf16>
    }
    %17 = stablehlo.convert %16#8 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<2x16x32xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %20 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %22 = stablehlo.multiply %21, %19 : tensor<2x16x32xf32>
    %23 = stablehlo.convert %22 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<3x32x16xbf16>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<3x32x32xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<3x32x32xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %28 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<3x32x16xbf16>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %29:13 = stablehlo.while(%iterArg = %16#9, %iterArg_11 = %arg0, %iterArg_12 = %arg1, %iterArg_13 = %arg2, %iterArg_14 = %arg3, %iterArg_15 = %arg4, %iterArg_16 = %c_10, %iterArg_17 = %23, %iterArg_18 = %24, %iterArg_19 = %25, %iterArg_20 = %26, %iterArg_21 = %27, %iterArg_22 = %28) : tensor<3x2x16x32xbf16>, tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>
    cond {
      %c_23 = stablehlo.constant dense<3> : tensor<i32>
      %30 = stablehlo.compare  LT, %iterArg_16, %c_23,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    } do {
      %c_23 = stablehlo.constant dense<3> : tensor<i32>
      %30 = stablehlo.subtract %c_23, %iterArg_16 : tensor<i32>
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %31 = stablehlo.subtract %30, %c_24 : tensor<i32>
      %c_25 = stablehlo.constant dense<0> : tensor<i32>
      %c_26 = stablehlo.constant dense<0> : tensor<i32>
      %c_27 = stablehlo.constant dense<0> : tensor<i32>
      %32 = stablehlo.dynamic_slice %iterArg, %31, %c_25, %c_26, %c_27, sizes = [1, 2, 16, 32] : (tensor<3x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x32xbf16>
      %33 = stablehlo.reshape %32 : (tensor<1x2x16x32xbf16>) -> tensor<2x16x32xbf16>
      %c_28 = stablehlo.constant dense<0> : tensor<i32>
      %c_29 = stablehlo.constant dense<0> : tensor<i32>
      %34 = stablehlo.dynamic_slice %iterArg_11, %31, %c_28, %c_29, sizes = [1, 32, 16] : (tensor<3x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xbf16>
      %35 = stablehlo.reshape %34 : (tensor<1x32x16xbf16>) -> tensor<32x16xbf16>
      %c_30 = stablehlo.constant dense<0> : tensor<i32>
      %c_31 = stablehlo.constant dense<0> : tensor<i32>
      %36 = stablehlo.dynamic_slice %iterArg_12, %31, %c_30, %c_31, sizes = [1, 32, 32] : (tensor<3x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
      %37 = stablehlo.reshape %36 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
      %c_32 = stablehlo.constant dense<0> : tensor<i32>
      %c_33 = stablehlo.constant dense<0> : tensor<i32>
      %38 = stablehlo.dynamic_slice %iterArg_13, %31, %c_32, %c_33, sizes = [1, 32, 32] : (tensor<3x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
      %39 = stablehlo.reshape %38 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
      %c_34 = stablehlo.constant dense<0> : tensor<i32>
      %40 = stablehlo.dynamic_slice %iterArg_14, %31, %c_34, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %41 = stablehlo.reshape %40 : (tensor<1x4xf32>) -> tensor<4xf32>
      %c_35 = stablehlo.constant dense<0> : tensor<i32>
      %c_36 = stablehlo.constant dense<0> : tensor<i32>
      %42 = stablehlo.dynamic_slice %iterArg_15, %31, %c_35, %c_36, sizes = [1, 32, 16] : (tensor<3x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xbf16>
      %43 = stablehlo.reshape %42 : (tensor<1x32x16xbf16>) -> tensor<32x16xbf16>
      %44:6 = func.call @closed_call_39(%iterArg_17, %33, %35, %37, %39, %41, %43) : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>)
      %45 = stablehlo.broadcast_in_dim %44#1, dims = [1, 2] : (tensor<32x16xbf16>) -> tensor<1x32x16xbf16>
      %c_37 = stablehlo.constant dense<0> : tensor<i32>
      %c_38 = stablehlo.constant dense<0> : tensor<i32>
      %46 = stablehlo.dynamic_update_slice %iterArg_18, %45, %31, %c_37, %c_38 : (tensor<3x32x16xbf16>, tensor<1x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x16xbf16>
      %47 = stablehlo.broadcast_in_dim %44#2, dims = [1, 2] : (tensor<32x32xbf16>) -> tensor<1x32x32xbf16>
      %c_39 = stablehlo.constant dense<0> : tensor<i32>
      %c_40 = stablehlo.constant dense<0> : tensor<i32>
      %48 = stablehlo.dynamic_update_slice %iterArg_19, %47, %31, %c_39, %c_40 : (tensor<3x32x32xbf16>, tensor<1x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x32xbf16>
      %49 = stablehlo.broadcast_in_dim %44#3, dims = [1, 2] : (tensor<32x32xbf16>) -> tensor<1x32x32xbf16>
      %c_41 = stablehlo.constant dense<0> : tensor<i32>
      %c_42 = stablehlo.constant dense<0> : tensor<i32>
      %50 = stablehlo.dynamic_update_slice %iterArg_20, %49, %31, %c_41, %c_42 : (tensor<3x32x32xbf16>, tensor<1x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x32xbf16>
      %51 = stablehlo.broadcast_in_dim %44#4, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
      %c_43 = stablehlo.constant dense<0> : tensor<i32>
      %52 = stablehlo.dynamic_update_slice %iterArg_21, %51, %31, %c_43 : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
      %53 = stablehlo.broadcast_in_dim %44#5, dims = [1, 2] : (tensor<32x16xbf16>) -> tensor<1x32x16xbf16>
      %c_44 = stablehlo.constant dense<0> : tensor<i32>
      %c_45 = stablehlo.constant dense<0> : tensor<i32>
      %54 = stablehlo.dynamic_update_slice %iterArg_22, %53, %31, %c_44, %c_45 : (tensor<3x32x16xbf16>, tensor<1x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x16xbf16>
      %c_46 = stablehlo.constant dense<1> : tensor<i32>
      %55 = stablehlo.add %iterArg_16, %c_46 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %55, %44#0, %46, %48, %50, %52, %54 : tensor<3x2x16x32xbf16>, tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>, tensor<i32>, tensor<2x16x32xbf16>, tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>
    }
    return %29#8, %29#9, %29#10, %29#11, %29#12, %29#7 : tensor<3x32x16xbf16>, tensor<3x32x32xbf16>, tensor<3x32x32xbf16>, tensor<3x4xf32>, tensor<3x32x16xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<f32>) -> (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    return %0, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<2x16x32xbf16>, %arg3: tensor<32x16xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<32x32xbf16>, %arg6: tensor<4xf32>, %arg7: tensor<32x16xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) {
    %0 = stablehlo.dot_general %arg2, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %4 = stablehlo.dot_general %arg2, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %7 = stablehlo.reshape %6 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %9 = stablehlo.reshape %8 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %10 = stablehlo.dot_general %1, %7, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %12 = stablehlo.multiply %10, %11 : tensor<2x4x16x16xbf16>
    %13 = stablehlo.convert %12 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %14 = call @_where_14(%13, %arg0, %arg1) : (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %15 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x16x1xf32>
    %17 = stablehlo.concatenate %14, %16, dim = 3 : (tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %21 = stablehlo.subtract %17, %20 : tensor<2x4x16x17xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %24 = stablehlo.maximum %23, %22 : tensor<2x4x16xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %27 = stablehlo.subtract %21, %26 : tensor<2x4x16x17xf32>
    %28 = stablehlo.exponential %27 : tensor<2x4x16x17xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %32 = stablehlo.divide %28, %31 : tensor<2x4x16x17xf32>
    %33 = stablehlo.slice %32 [0:2, 0:4, 0:16, 0:16] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x16xf32>
    %34 = stablehlo.convert %33 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %35 = stablehlo.dot_general %9, %34, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %36 = stablehlo.transpose %35, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %37 = stablehlo.reshape %36 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %38 = stablehlo.dot_general %37, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %39 = stablehlo.add %arg2, %38 : tensor<2x16x32xbf16>
    return %39, %arg2 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where_14(%arg0: tensor<2x4x16x16xf32>, %arg1: tensor<2x4x16x16xi1>, %arg2: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %0 : tensor<2x4x16x16xf32>
  }
  func.func private @closed_call_39(%arg0: tensor<2x16x32xbf16>, %arg1: tensor<2x16x32xbf16>, %arg2: tensor<32x16xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<32x32xbf16>, %arg5: tensor<4xf32>, %arg6: tensor<32x16xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>) {
    %0:7 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg0 : tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>, tensor<2x16x32xbf16>
    %1 = stablehlo.dot_general %0#0, %0#3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %2 = stablehlo.reshape %1 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %3 = stablehlo.dot_general %0#0, %0#1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %4 = stablehlo.reshape %3 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %5 = stablehlo.dot_general %0#0, %0#5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %6 = stablehlo.reshape %5 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %7 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %8 = stablehlo.reshape %7 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %9 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 4] : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %10 = stablehlo.reshape %9 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %11 = stablehlo.dot_general %2, %8, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %cst = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %13 = stablehlo.multiply %11, %12 : tensor<2x4x16x16xbf16>
    %14 = stablehlo.iota dim = 0 : tensor<16xi32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %19 = stablehlo.compare  GE, %17, %18,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %20 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %21 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %23 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %24 = stablehlo.subtract %22, %23 : tensor<16x16xi32>
    %c = stablehlo.constant dense<5> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %26 = stablehlo.compare  LT, %24, %25,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %27 = stablehlo.and %19, %26 : tensor<16x16xi1>
    %28 = stablehlo.convert %13 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %29:2 = call @_where_40(%27, %28, %cst_0) : (tensor<16x16xi1>, tensor<2x4x16x16xf32>, tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>)
    %30 = stablehlo.broadcast_in_dim %0#4, dims = [1] : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x16x1xf32>
    %32 = stablehlo.concatenate %29#0, %31, dim = 3 : (tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %36 = stablehlo.subtract %32, %35 : tensor<2x4x16x17xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %39 = stablehlo.maximum %38, %37 : tensor<2x4x16xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %42 = stablehlo.subtract %36, %41 : tensor<2x4x16x17xf32>
    %43 = stablehlo.exponential %42 : tensor<2x4x16x17xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %47 = stablehlo.divide %43, %46 : tensor<2x4x16x17xf32>
    %48 = stablehlo.multiply %45, %45 : tensor<2x4x16x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %50 = stablehlo.divide %49, %48 : tensor<2x4x16x1xf32>
    %51 = stablehlo.slice %47 [0:2, 0:4, 0:16, 0:16] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x16xf32>
    %52 = stablehlo.convert %51 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %53 = stablehlo.dot_general %10, %52, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %54 = stablehlo.transpose %53, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %55 = stablehlo.reshape %54 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %56 = stablehlo.dot_general %0#6, %55, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %57 = stablehlo.transpose %56, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %58 = stablehlo.dot_general %0#6, %0#2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %59 = stablehlo.reshape %58 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %60 = stablehlo.transpose %59, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xbf16>) -> tensor<2x4x8x16xbf16>
    %61 = stablehlo.dot_general %60, %10, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
    %62 = stablehlo.dot_general %60, %52, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
    %63 = stablehlo.transpose %62, dims = [0, 3, 1, 2] : (tensor<2x4x8x16xbf16>) -> tensor<2x16x4x8xbf16>
    %64 = stablehlo.convert %61 : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.pad %64, %cst_6, low = [0, 0, 0, 0], high = [0, 0, 0, 1], interior = [0, 0, 0, 0] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16x17xf32>
    %66 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %67 = stablehlo.multiply %65, %66 : tensor<2x4x16x17xf32>
    %68 = stablehlo.multiply %67, %43 : tensor<2x4x16x17xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x17xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %70 = stablehlo.reshape %69 : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
    %71 = stablehlo.negate %70 : tensor<2x4x16x1xf32>
    %72 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x17xf32>
    %73 = stablehlo.divide %65, %72 : tensor<2x4x16x17xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%71 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x17xf32>
    %76 = stablehlo.add %73, %75 : tensor<2x4x16x17xf32>
    %77 = stablehlo.multiply %76, %43 : tensor<2x4x16x17xf32>
    %78 = stablehlo.slice %77 [0:2, 0:4, 0:16, 0:16] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x16xf32>
    %79 = stablehlo.slice %77 [0:2, 0:4, 0:16, 16:17] : (tensor<2x4x16x17xf32>) -> tensor<2x4x16x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_9) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<2x4x16x1xf32>, tensor<f32>) -> tensor<4xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [1] : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_10) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x4x1x1xf32>, tensor<f32>) -> tensor<4xf32>
    %83 = call @_where_58(%29#1, %78) : (tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
    %84 = stablehlo.convert %83 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
    %cst_11 = stablehlo.constant dense<3.535160e-01> : tensor<bf16>
    %85 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2x4x16x16xbf16>
    %86 = stablehlo.multiply %84, %85 : tensor<2x4x16x16xbf16>
    %87 = stablehlo.dot_general %86, %2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %88 = stablehlo.transpose %87, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %89 = stablehlo.dot_general %86, %8, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
    %90 = stablehlo.transpose %89, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xbf16>) -> tensor<2x16x4x8xbf16>
    %91 = stablehlo.reshape %63 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %92 = stablehlo.reduce(%91 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %93 = stablehlo.reshape %88 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %94 = stablehlo.reduce(%93 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x16x2x2x8xbf16>, tensor<bf16>) -> tensor<2x16x2x8xbf16>
    %95 = stablehlo.reshape %92 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %96 = stablehlo.dot_general %95, %0#0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %97 = stablehlo.transpose %96, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %98 = stablehlo.dot_general %95, %0#5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %99 = stablehlo.add %0#6, %98 : tensor<2x16x32xbf16>
    %100 = stablehlo.reshape %94 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %101 = stablehlo.dot_general %100, %0#0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %102 = stablehlo.transpose %101, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %103 = stablehlo.dot_general %100, %0#1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %104 = stablehlo.add %99, %103 : tensor<2x16x32xbf16>
    %105 = stablehlo.reshape %90 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %106 = stablehlo.dot_general %105, %0#0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %107 = stablehlo.transpose %106, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %108 = stablehlo.dot_general %105, %0#3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %109 = stablehlo.add %104, %108 : tensor<2x16x32xbf16>
    return %109, %102, %57, %107, %82, %97 : tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<4xf32>, tensor<32x16xbf16>
  }
  func.func private @_where_40(%arg0: tensor<16x16xi1>, %arg1: tensor<2x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %2, %0 : tensor<2x4x16x16xf32>, tensor<2x4x16x16xi1>
  }
  func.func private @_where_58(%arg0: tensor<2x4x16x16xi1>, %arg1: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
    return %1 : tensor<2x4x16x16xf32>
  }
}
// expect:
// line 179: forward
// line 248: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.353515625 CAUSAL window 5 scores 2x4x16x16
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.353515625 CAUSAL window 5 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.353515625 CAUSAL window 5 scores 2x4x16x16
