// test: attention
// Grouped heads in loops.
module {
  func.func public @main(%arg0: tensor<2x32x16xbf16>, %arg1: tensor<2x32x32xbf16>, %arg2: tensor<2x32x32xbf16>, %arg3: tensor<2x32x16xbf16>, %arg4: tensor<2x16x32xbf16>) -> (tensor<f32>, tensor<2x32x16xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x16xbf16>) {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %2 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.multiply %3, %2 : tensor<4xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %6 = stablehlo.add %5, %4 : tensor<4xi32>
    %7 = stablehlo.negate %6 : tensor<4xi32>
    %8 = stablehlo.convert %7 : (tensor<4xi32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %12 = stablehlo.power %11, %10 : tensor<4xf32>
    %13 = stablehlo.convert %1 : (tensor<16x1xi32>) -> tensor<16x1xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<16x4xf32>
    %18 = stablehlo.cosine %17 : tensor<16x4xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
    %20 = stablehlo.sine %17 : tensor<16x4xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
    %22 = stablehlo.broadcast_in_dim %19, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %23 = stablehlo.broadcast_in_dim %21, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %24 = stablehlo.broadcast_in_dim %19, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %25 = stablehlo.broadcast_in_dim %21, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %26 = stablehlo.iota dim = 0 : tensor<16xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %28 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %30 = stablehlo.multiply %29, %28 : tensor<4xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %32 = stablehlo.add %31, %30 : tensor<4xi32>
    %33 = stablehlo.negate %32 : tensor<4xi32>
    %34 = stablehlo.convert %33 : (tensor<4xi32>) -> tensor<4xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %36 = stablehlo.divide %34, %35 : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %38 = stablehlo.power %37, %36 : tensor<4xf32>
    %39 = stablehlo.convert %27 : (tensor<16x1xi32>) -> tensor<16x1xf32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %42 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<16x4xf32>
    %43 = stablehlo.multiply %41, %42 : tensor<16x4xf32>
    %44 = stablehlo.cosine %43 : tensor<16x4xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
    %46 = stablehlo.sine %43 : tensor<16x4xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
    %48 = stablehlo.broadcast_in_dim %45, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %49 = stablehlo.broadcast_in_dim %47, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %50 = stablehlo.broadcast_in_dim %45, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %51 = stablehlo.broadcast_in_dim %47, dims = [1, 2, 3] : (tensor<16x1x4xf32>) -> tensor<1x16x1x4xf32>
    %52 = stablehlo.iota dim = 0 : tensor<16xi32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %54 = stablehlo.broadcast_in_dim %52, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %55 = stablehlo.broadcast_in_dim %53, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %56 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %57 = stablehlo.compare GE, %55, %56, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %cst_6 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %58:2 = call @_where(%57, %cst_6) : (tensor<16x16xi1>, tensor<f32>) -> (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>)
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %59 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %60 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<2x2x16x2x2x8xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %61 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<2x2x16x2x8xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x2x2x2x16x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x2x2x2x16x1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x2x2x2x16x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %65 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<2x2x2x2x16x16xbf16>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %66 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x2x16x2x8xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %67 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<bf16>) -> tensor<2x2x16x32xbf16>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %68:25 = stablehlo.while(%iterArg = %arg0, %iterArg_27 = %arg1, %iterArg_28 = %arg2, %iterArg_29 = %arg3, %iterArg_30 = %48, %iterArg_31 = %49, %iterArg_32 = %50, %iterArg_33 = %51, %iterArg_34 = %22, %iterArg_35 = %23, %iterArg_36 = %24, %iterArg_37 = %25, %iterArg_38 = %58#0, %iterArg_39 = %58#1, %iterArg_40 = %c_16, %iterArg_41 = %arg4, %iterArg_42 = %59, %iterArg_43 = %60, %iterArg_44 = %61, %iterArg_45 = %62, %iterArg_46 = %63, %iterArg_47 = %64, %iterArg_48 = %65, %iterArg_49 = %66, %iterArg_50 = %67) : tensor<2x32x16xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x16xbf16>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x2x2x8xbf16>, tensor<2x2x16x2x8xbf16>, tensor<2x2x2x2x16x16xf32>, tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x2x16x16xbf16>, tensor<2x2x16x2x8xbf16>, tensor<2x2x16x32xbf16>
    cond {
      %c_51 = stablehlo.constant dense<2> : tensor<i32>
      %84 = stablehlo.compare LT, %iterArg_40, %c_51, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %84 : tensor<i1>
    } do {
      %84 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_40) : (tensor<2x32x16xbf16>, tensor<i32>) -> tensor<32x16xbf16>
      %85 = func.call @dynamic_index_in_dim_0(%iterArg_27, %iterArg_40) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %86 = func.call @dynamic_index_in_dim_0(%iterArg_28, %iterArg_40) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %87 = func.call @dynamic_index_in_dim(%iterArg_29, %iterArg_40) : (tensor<2x32x16xbf16>, tensor<i32>) -> tensor<32x16xbf16>
      %88:10 = func.call @closed_call(%iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_41, %84, %85, %86, %87) : (tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x2x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x16xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>)
      %89 = func.call @dynamic_update_index_in_dim(%iterArg_42, %88#1, %iterArg_40) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %90 = func.call @dynamic_update_index_in_dim_2(%iterArg_43, %88#2, %iterArg_40) : (tensor<2x2x16x2x2x8xbf16>, tensor<2x16x2x2x8xbf16>, tensor<i32>) -> tensor<2x2x16x2x2x8xbf16>
      %91 = func.call @dynamic_update_index_in_dim_3(%iterArg_44, %88#3, %iterArg_40) : (tensor<2x2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<i32>) -> tensor<2x2x16x2x8xbf16>
      %92 = func.call @dynamic_update_index_in_dim_4(%iterArg_45, %88#4, %iterArg_40) : (tensor<2x2x2x2x16x16xf32>, tensor<2x2x2x16x16xf32>, tensor<i32>) -> tensor<2x2x2x2x16x16xf32>
      %93 = func.call @dynamic_update_index_in_dim_5(%iterArg_46, %88#5, %iterArg_40) : (tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<i32>) -> tensor<2x2x2x2x16x1xf32>
      %94 = func.call @dynamic_update_index_in_dim_5(%iterArg_47, %88#6, %iterArg_40) : (tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<i32>) -> tensor<2x2x2x2x16x1xf32>
      %95 = func.call @dynamic_update_index_in_dim_6(%iterArg_48, %88#7, %iterArg_40) : (tensor<2x2x2x2x16x16xbf16>, tensor<2x2x2x16x16xbf16>, tensor<i32>) -> tensor<2x2x2x2x16x16xbf16>
      %96 = func.call @dynamic_update_index_in_dim_3(%iterArg_49, %88#8, %iterArg_40) : (tensor<2x2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<i32>) -> tensor<2x2x16x2x8xbf16>
      %97 = func.call @dynamic_update_index_in_dim(%iterArg_50, %88#9, %iterArg_40) : (tensor<2x2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<i32>) -> tensor<2x2x16x32xbf16>
      %c_51 = stablehlo.constant dense<1> : tensor<i32>
      %98 = stablehlo.add %iterArg_40, %c_51 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %98, %88#0, %89, %90, %91, %92, %93, %94, %95, %96, %97 : tensor<2x32x16xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x16xbf16>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x2x2x8xbf16>, tensor<2x2x16x2x8xbf16>, tensor<2x2x2x2x16x16xf32>, tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x2x16x16xbf16>, tensor<2x2x16x2x8xbf16>, tensor<2x2x16x32xbf16>
    }
    %69 = stablehlo.convert %68#15 : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
    %70 = stablehlo.multiply %69, %69 : tensor<2x16x32xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %72 = stablehlo.multiply %71, %69 : tensor<2x16x32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%70 init: %cst_18) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_19 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %74 = stablehlo.divide %73, %cst_19 : tensor<f32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_21 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %75 = stablehlo.divide %cst_20, %cst_21 : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %77 = stablehlo.multiply %76, %72 : tensor<2x16x32xf32>
    %78 = stablehlo.convert %77 : (tensor<2x16x32xf32>) -> tensor<2x16x32xbf16>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %79 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<bf16>) -> tensor<2x32x16xbf16>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %80 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %81 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<bf16>) -> tensor<2x32x32xbf16>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %82 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<bf16>) -> tensor<2x32x16xbf16>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %83:28 = stablehlo.while(%iterArg = %arg2, %iterArg_27 = %68#16, %iterArg_28 = %arg0, %iterArg_29 = %arg3, %iterArg_30 = %68#17, %iterArg_31 = %68#18, %iterArg_32 = %68#19, %iterArg_33 = %68#20, %iterArg_34 = %68#21, %iterArg_35 = %68#22, %iterArg_36 = %68#23, %iterArg_37 = %arg1, %iterArg_38 = %68#24, %iterArg_39 = %22, %iterArg_40 = %23, %iterArg_41 = %24, %iterArg_42 = %25, %iterArg_43 = %48, %iterArg_44 = %49, %iterArg_45 = %50, %iterArg_46 = %51, %iterArg_47 = %58#0, %iterArg_48 = %c_26, %iterArg_49 = %78, %iterArg_50 = %79, %iterArg_51 = %80, %iterArg_52 = %81, %iterArg_53 = %82) : tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x16xbf16>, tensor<2x32x16xbf16>, tensor<2x2x16x2x2x8xbf16>, tensor<2x2x16x2x8xbf16>, tensor<2x2x2x2x16x16xf32>, tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x2x16x16xbf16>, tensor<2x2x16x2x8xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<2x2x2x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x16xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x16xbf16>
    cond {
      %c_54 = stablehlo.constant dense<2> : tensor<i32>
      %84 = stablehlo.compare LT, %iterArg_48, %c_54, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %84 : tensor<i1>
    } do {
      %c_54 = stablehlo.constant dense<2> : tensor<i32>
      %84 = stablehlo.subtract %c_54, %iterArg_48 : tensor<i32>
      %c_55 = stablehlo.constant dense<1> : tensor<i32>
      %85 = stablehlo.subtract %84, %c_55 : tensor<i32>
      %86 = func.call @dynamic_index_in_dim_0(%iterArg, %85) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %87 = func.call @dynamic_index_in_dim_7(%iterArg_27, %85) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %88 = func.call @dynamic_index_in_dim(%iterArg_28, %85) : (tensor<2x32x16xbf16>, tensor<i32>) -> tensor<32x16xbf16>
      %89 = func.call @dynamic_index_in_dim(%iterArg_29, %85) : (tensor<2x32x16xbf16>, tensor<i32>) -> tensor<32x16xbf16>
      %90 = func.call @dynamic_index_in_dim_8(%iterArg_30, %85) : (tensor<2x2x16x2x2x8xbf16>, tensor<i32>) -> tensor<2x16x2x2x8xbf16>
      %91 = func.call @dynamic_index_in_dim_9(%iterArg_31, %85) : (tensor<2x2x16x2x8xbf16>, tensor<i32>) -> tensor<2x16x2x8xbf16>
      %92 = func.call @dynamic_index_in_dim_10(%iterArg_32, %85) : (tensor<2x2x2x2x16x16xf32>, tensor<i32>) -> tensor<2x2x2x16x16xf32>
      %93 = func.call @dynamic_index_in_dim_11(%iterArg_33, %85) : (tensor<2x2x2x2x16x1xf32>, tensor<i32>) -> tensor<2x2x2x16x1xf32>
      %94 = func.call @dynamic_index_in_dim_11(%iterArg_34, %85) : (tensor<2x2x2x2x16x1xf32>, tensor<i32>) -> tensor<2x2x2x16x1xf32>
      %95 = func.call @dynamic_index_in_dim_12(%iterArg_35, %85) : (tensor<2x2x2x2x16x16xbf16>, tensor<i32>) -> tensor<2x2x2x16x16xbf16>
      %96 = func.call @dynamic_index_in_dim_9(%iterArg_36, %85) : (tensor<2x2x16x2x8xbf16>, tensor<i32>) -> tensor<2x16x2x8xbf16>
      %97 = func.call @dynamic_index_in_dim_0(%iterArg_37, %85) : (tensor<2x32x32xbf16>, tensor<i32>) -> tensor<32x32xbf16>
      %98 = func.call @dynamic_index_in_dim_7(%iterArg_38, %85) : (tensor<2x2x16x32xbf16>, tensor<i32>) -> tensor<2x16x32xbf16>
      %99:5 = func.call @closed_call_13(%iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_49, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98) : (tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<2x2x2x16x16xi1>, tensor<2x16x32xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x16xbf16>, tensor<2x16x2x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x16xbf16>, tensor<2x16x2x8xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>)
      %100 = func.call @dynamic_update_index_in_dim_15(%iterArg_50, %99#1, %85) : (tensor<2x32x16xbf16>, tensor<32x16xbf16>, tensor<i32>) -> tensor<2x32x16xbf16>
      %101 = func.call @dynamic_update_index_in_dim_16(%iterArg_51, %99#2, %85) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %102 = func.call @dynamic_update_index_in_dim_16(%iterArg_52, %99#3, %85) : (tensor<2x32x32xbf16>, tensor<32x32xbf16>, tensor<i32>) -> tensor<2x32x32xbf16>
      %103 = func.call @dynamic_update_index_in_dim_15(%iterArg_53, %99#4, %85) : (tensor<2x32x16xbf16>, tensor<32x16xbf16>, tensor<i32>) -> tensor<2x32x16xbf16>
      %c_56 = stablehlo.constant dense<1> : tensor<i32>
      %104 = stablehlo.add %iterArg_48, %c_56 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %104, %99#0, %100, %101, %102, %103 : tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x32x16xbf16>, tensor<2x32x16xbf16>, tensor<2x2x16x2x2x8xbf16>, tensor<2x2x16x2x8xbf16>, tensor<2x2x2x2x16x16xf32>, tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x2x16x1xf32>, tensor<2x2x2x2x16x16xbf16>, tensor<2x2x16x2x8xbf16>, tensor<2x32x32xbf16>, tensor<2x2x16x32xbf16>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<1x16x1x4xf32>, tensor<2x2x2x16x16xi1>, tensor<i32>, tensor<2x16x32xbf16>, tensor<2x32x16xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x16xbf16>
    }
    return %74, %83#24, %83#25, %83#26, %83#27 : tensor<f32>, tensor<2x32x16xbf16>, tensor<2x32x32xbf16>, tensor<2x32x32xbf16>, tensor<2x32x16xbf16>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<f32>) -> (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<16x16xi1>) -> tensor<2x2x2x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    return %1, %2 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x32x16xbf16>, %arg1: tensor<i32>) -> tensor<32x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 16] : (tensor<2x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x32x16xbf16>) -> tensor<32x16xbf16>
    return %1 : tensor<32x16xbf16>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<i32>) -> tensor<32x32xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 32] : (tensor<2x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x32x32xbf16>) -> tensor<32x32xbf16>
    return %1 : tensor<32x32xbf16>
  }
  func.func private @closed_call(%arg0: tensor<1x16x1x4xf32>, %arg1: tensor<1x16x1x4xf32>, %arg2: tensor<1x16x1x4xf32>, %arg3: tensor<1x16x1x4xf32>, %arg4: tensor<1x16x1x4xf32>, %arg5: tensor<1x16x1x4xf32>, %arg6: tensor<1x16x1x4xf32>, %arg7: tensor<1x16x1x4xf32>, %arg8: tensor<2x2x2x16x16xi1>, %arg9: tensor<2x2x2x16x16xf32>, %arg10: tensor<2x16x32xbf16>, %arg11: tensor<32x16xbf16>, %arg12: tensor<32x32xbf16>, %arg13: tensor<32x32xbf16>, %arg14: tensor<32x16xbf16>) -> (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x2x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x16xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>) {
    %0 = stablehlo.dot_general %arg10, %arg13, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<2x16x32xbf16>) -> tensor<2x16x4x8xbf16>
    %2 = stablehlo.dot_general %arg10, %arg11, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %4 = stablehlo.dot_general %arg10, %arg14, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x16xbf16>) -> tensor<2x16x16xbf16>
    %5 = stablehlo.reshape %4 : (tensor<2x16x16xbf16>) -> tensor<2x16x2x8xbf16>
    %6 = stablehlo.convert %1 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x8xf32>
    %7 = stablehlo.slice %6 [0:2, 0:16, 0:4, 0:4] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %8 = stablehlo.slice %6 [0:2, 0:16, 0:4, 4:8] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %9 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %10 = stablehlo.multiply %7, %9 : tensor<2x16x4x4xf32>
    %11 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %12 = stablehlo.multiply %8, %11 : tensor<2x16x4x4xf32>
    %13 = stablehlo.subtract %10, %12 : tensor<2x16x4x4xf32>
    %14 = stablehlo.broadcast_in_dim %arg6, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %15 = stablehlo.multiply %8, %14 : tensor<2x16x4x4xf32>
    %16 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %17 = stablehlo.multiply %7, %16 : tensor<2x16x4x4xf32>
    %18 = stablehlo.add %15, %17 : tensor<2x16x4x4xf32>
    %19 = stablehlo.concatenate %13, %18, dim = 3 : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x16x4x8xf32>
    %20 = stablehlo.convert %19 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %21 = stablehlo.convert %3 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %22 = stablehlo.slice %21 [0:2, 0:16, 0:2, 0:4] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %23 = stablehlo.slice %21 [0:2, 0:16, 0:2, 4:8] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %24 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %25 = stablehlo.multiply %22, %24 : tensor<2x16x2x4xf32>
    %26 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %27 = stablehlo.multiply %23, %26 : tensor<2x16x2x4xf32>
    %28 = stablehlo.subtract %25, %27 : tensor<2x16x2x4xf32>
    %29 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %30 = stablehlo.multiply %23, %29 : tensor<2x16x2x4xf32>
    %31 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %32 = stablehlo.multiply %22, %31 : tensor<2x16x2x4xf32>
    %33 = stablehlo.add %30, %32 : tensor<2x16x2x4xf32>
    %34 = stablehlo.concatenate %28, %33, dim = 3 : (tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32>) -> tensor<2x16x2x8xf32>
    %35 = stablehlo.convert %34 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %36 = stablehlo.reshape %20 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    %37 = stablehlo.dot_general %35, %36, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4] : (tensor<2x16x2x8xbf16>, tensor<2x16x2x2x8xbf16>) -> tensor<2x2x16x16x2xf32>
    %38 = stablehlo.transpose %37, dims = [0, 1, 4, 3, 2] : (tensor<2x2x16x16x2xf32>) -> tensor<2x2x2x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %40 = stablehlo.multiply %38, %39 : tensor<2x2x2x16x16xf32>
    %41 = call @_where_1(%40, %arg8, %arg9) : (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x2x16xf32>
    %44 = stablehlo.maximum %43, %42 : tensor<2x2x2x16xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %47 = stablehlo.subtract %41, %46 : tensor<2x2x2x16x16xf32>
    %48 = stablehlo.exponential %47 : tensor<2x2x2x16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %52 = stablehlo.divide %48, %51 : tensor<2x2x2x16x16xf32>
    %53 = stablehlo.multiply %50, %50 : tensor<2x2x2x16x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x1xf32>
    %55 = stablehlo.divide %54, %53 : tensor<2x2x2x16x1xf32>
    %56 = stablehlo.convert %52 : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xbf16>
    %57 = stablehlo.dot_general %5, %56, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4] : (tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x2x16xbf16>
    %58 = stablehlo.transpose %57, dims = [0, 4, 1, 3, 2] : (tensor<2x2x8x2x16xbf16>) -> tensor<2x16x2x2x8xbf16>
    %59 = stablehlo.reshape %58 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x32xbf16>
    %60 = stablehlo.dot_general %59, %arg12, contracting_dims = [2] x [0] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %61 = stablehlo.add %arg10, %60 : tensor<2x16x32xbf16>
    return %61, %arg10, %36, %35, %48, %50, %55, %56, %5, %59 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>, tensor<2x16x2x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x1xf32>, tensor<2x2x2x16x16xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x32xbf16>
  }
  func.func private @_where_1(%arg0: tensor<2x2x2x16x16xf32>, %arg1: tensor<2x2x2x16x16xi1>, %arg2: tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %0 : tensor<2x2x2x16x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x2x16x32xbf16>, %arg1: tensor<2x16x32xbf16>, %arg2: tensor<i32>) -> tensor<2x2x16x32xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x16x32xbf16>) -> tensor<1x2x16x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x2x16x32xbf16>, tensor<1x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x16x32xbf16>
    return %1 : tensor<2x2x16x32xbf16>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<2x2x16x2x2x8xbf16>, %arg1: tensor<2x16x2x2x8xbf16>, %arg2: tensor<i32>) -> tensor<2x2x16x2x2x8xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<2x16x2x2x8xbf16>) -> tensor<1x2x16x2x2x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<2x2x16x2x2x8xbf16>, tensor<1x2x16x2x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x16x2x2x8xbf16>
    return %1 : tensor<2x2x16x2x2x8xbf16>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<2x2x16x2x8xbf16>, %arg1: tensor<2x16x2x8xbf16>, %arg2: tensor<i32>) -> tensor<2x2x16x2x8xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x16x2x8xbf16>) -> tensor<1x2x16x2x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x16x2x8xbf16>, tensor<1x2x16x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x16x2x8xbf16>
    return %1 : tensor<2x2x16x2x8xbf16>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<2x2x2x2x16x16xf32>, %arg1: tensor<2x2x2x16x16xf32>, %arg2: tensor<i32>) -> tensor<2x2x2x2x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<2x2x2x16x16xf32>) -> tensor<1x2x2x2x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<2x2x2x2x16x16xf32>, tensor<1x2x2x2x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x2x2x16x16xf32>
    return %1 : tensor<2x2x2x2x16x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<2x2x2x2x16x1xf32>, %arg1: tensor<2x2x2x16x1xf32>, %arg2: tensor<i32>) -> tensor<2x2x2x2x16x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<2x2x2x16x1xf32>) -> tensor<1x2x2x2x16x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<2x2x2x2x16x1xf32>, tensor<1x2x2x2x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x2x2x16x1xf32>
    return %1 : tensor<2x2x2x2x16x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<2x2x2x2x16x16xbf16>, %arg1: tensor<2x2x2x16x16xbf16>, %arg2: tensor<i32>) -> tensor<2x2x2x2x16x16xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<2x2x2x16x16xbf16>) -> tensor<1x2x2x2x16x16xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<2x2x2x2x16x16xbf16>, tensor<1x2x2x2x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x2x2x16x16xbf16>
    return %1 : tensor<2x2x2x2x16x16xbf16>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<2x2x16x32xbf16>, %arg1: tensor<i32>) -> tensor<2x16x32xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 16, 32] : (tensor<2x2x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x32xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x16x32xbf16>) -> tensor<2x16x32xbf16>
    return %1 : tensor<2x16x32xbf16>
  }
  func.func private @dynamic_index_in_dim_8(%arg0: tensor<2x2x16x2x2x8xbf16>, %arg1: tensor<i32>) -> tensor<2x16x2x2x8xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 2, 16, 2, 2, 8] : (tensor<2x2x16x2x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x2x2x8xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x16x2x2x8xbf16>) -> tensor<2x16x2x2x8xbf16>
    return %1 : tensor<2x16x2x2x8xbf16>
  }
  func.func private @dynamic_index_in_dim_9(%arg0: tensor<2x2x16x2x8xbf16>, %arg1: tensor<i32>) -> tensor<2x16x2x8xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 16, 2, 8] : (tensor<2x2x16x2x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x2x8xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x16x2x8xbf16>) -> tensor<2x16x2x8xbf16>
    return %1 : tensor<2x16x2x8xbf16>
  }
  func.func private @dynamic_index_in_dim_10(%arg0: tensor<2x2x2x2x16x16xf32>, %arg1: tensor<i32>) -> tensor<2x2x2x16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 2, 2, 2, 16, 16] : (tensor<2x2x2x2x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x2x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    return %1 : tensor<2x2x2x16x16xf32>
  }
  func.func private @dynamic_index_in_dim_11(%arg0: tensor<2x2x2x2x16x1xf32>, %arg1: tensor<i32>) -> tensor<2x2x2x16x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 2, 2, 2, 16, 1] : (tensor<2x2x2x2x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x2x16x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x2x2x16x1xf32>) -> tensor<2x2x2x16x1xf32>
    return %1 : tensor<2x2x2x16x1xf32>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<2x2x2x2x16x16xbf16>, %arg1: tensor<i32>) -> tensor<2x2x2x16x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 2, 2, 2, 16, 16] : (tensor<2x2x2x2x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x2x16x16xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xbf16>
    return %1 : tensor<2x2x2x16x16xbf16>
  }
  func.func private @closed_call_13(%arg0: tensor<1x16x1x4xf32>, %arg1: tensor<1x16x1x4xf32>, %arg2: tensor<1x16x1x4xf32>, %arg3: tensor<1x16x1x4xf32>, %arg4: tensor<1x16x1x4xf32>, %arg5: tensor<1x16x1x4xf32>, %arg6: tensor<1x16x1x4xf32>, %arg7: tensor<1x16x1x4xf32>, %arg8: tensor<2x2x2x16x16xi1>, %arg9: tensor<2x16x32xbf16>, %arg10: tensor<32x32xbf16>, %arg11: tensor<2x16x32xbf16>, %arg12: tensor<32x16xbf16>, %arg13: tensor<32x16xbf16>, %arg14: tensor<2x16x2x2x8xbf16>, %arg15: tensor<2x16x2x8xbf16>, %arg16: tensor<2x2x2x16x16xf32>, %arg17: tensor<2x2x2x16x1xf32>, %arg18: tensor<2x2x2x16x1xf32>, %arg19: tensor<2x2x2x16x16xbf16>, %arg20: tensor<2x16x2x8xbf16>, %arg21: tensor<32x32xbf16>, %arg22: tensor<2x16x32xbf16>) -> (tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>) {
    %0 = stablehlo.dot_general %arg9, %arg22, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %2 = stablehlo.dot_general %arg9, %arg21, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %3 = stablehlo.reshape %2 : (tensor<2x16x32xbf16>) -> tensor<2x16x2x2x8xbf16>
    %4 = stablehlo.transpose %3, dims = [0, 2, 4, 3, 1] : (tensor<2x16x2x2x8xbf16>) -> tensor<2x2x8x2x16xbf16>
    %5 = stablehlo.dot_general %4, %arg20, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x2x8x2x16xbf16>, tensor<2x16x2x8xbf16>) -> tensor<2x2x2x16x16xbf16>
    %6 = stablehlo.dot_general %4, %arg19, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3] : (tensor<2x2x8x2x16xbf16>, tensor<2x2x2x16x16xbf16>) -> tensor<2x2x8x16xbf16>
    %7 = stablehlo.transpose %6, dims = [0, 3, 1, 2] : (tensor<2x2x8x16xbf16>) -> tensor<2x16x2x8xbf16>
    %8 = stablehlo.convert %5 : (tensor<2x2x2x16x16xbf16>) -> tensor<2x2x2x16x16xf32>
    %9 = stablehlo.broadcast_in_dim %arg18, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x2x2x16x16xf32>
    %11 = stablehlo.multiply %10, %arg16 : tensor<2x2x2x16x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x16xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %13 = stablehlo.reshape %12 : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x1xf32>
    %14 = stablehlo.negate %13 : tensor<2x2x2x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %arg17, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x16x1xf32>) -> tensor<2x2x2x16x16xf32>
    %16 = stablehlo.divide %8, %15 : tensor<2x2x2x16x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x16x1xf32>, tensor<f32>) -> tensor<2x2x2x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16x16xf32>
    %19 = stablehlo.add %16, %18 : tensor<2x2x2x16x16xf32>
    %20 = stablehlo.multiply %19, %arg16 : tensor<2x2x2x16x16xf32>
    %21 = call @_where_14(%arg8, %20) : (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %cst_1 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %23 = stablehlo.multiply %21, %22 : tensor<2x2x2x16x16xf32>
    %24 = stablehlo.transpose %23, dims = [0, 1, 4, 3, 2] : (tensor<2x2x2x16x16xf32>) -> tensor<2x2x16x16x2xf32>
    %25 = stablehlo.convert %24 : tensor<2x2x16x16x2xf32>
    %26 = stablehlo.convert %arg15 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %27 = stablehlo.dot_general %25, %26, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x8xf32>) -> tensor<2x2x16x2x8xf32>
    %28 = stablehlo.transpose %27, dims = [0, 2, 1, 3, 4] : (tensor<2x2x16x2x8xf32>) -> tensor<2x16x2x2x8xf32>
    %29 = stablehlo.convert %28 : (tensor<2x16x2x2x8xf32>) -> tensor<2x16x2x2x8xbf16>
    %30 = stablehlo.convert %24 : tensor<2x2x16x16x2xf32>
    %31 = stablehlo.convert %arg14 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x2x2x8xf32>
    %32 = stablehlo.dot_general %30, %31, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3] : (tensor<2x2x16x16x2xf32>, tensor<2x16x2x2x8xf32>) -> tensor<2x2x16x8xf32>
    %33 = stablehlo.transpose %32, dims = [0, 2, 1, 3] : (tensor<2x2x16x8xf32>) -> tensor<2x16x2x8xf32>
    %34 = stablehlo.convert %33 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %35 = stablehlo.reshape %29 : (tensor<2x16x2x2x8xbf16>) -> tensor<2x16x4x8xbf16>
    %36 = stablehlo.convert %34 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x2x8xf32>
    %37 = stablehlo.slice %36 [0:2, 0:16, 0:2, 0:4] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %38 = stablehlo.slice %36 [0:2, 0:16, 0:2, 4:8] : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x4xf32>
    %39 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %40 = stablehlo.multiply %38, %39 : tensor<2x16x2x4xf32>
    %41 = stablehlo.broadcast_in_dim %arg6, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %42 = stablehlo.multiply %38, %41 : tensor<2x16x2x4xf32>
    %43 = stablehlo.negate %37 : tensor<2x16x2x4xf32>
    %44 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<2x16x2x4xf32>
    %46 = stablehlo.add %42, %45 : tensor<2x16x2x4xf32>
    %47 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x2x4xf32>
    %48 = stablehlo.multiply %37, %47 : tensor<2x16x2x4xf32>
    %49 = stablehlo.add %40, %48 : tensor<2x16x2x4xf32>
    %50 = stablehlo.concatenate %49, %46, dim = 3 : (tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32>) -> tensor<2x16x2x8xf32>
    %51 = stablehlo.convert %50 : (tensor<2x16x2x8xf32>) -> tensor<2x16x2x8xbf16>
    %52 = stablehlo.convert %35 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x4x8xf32>
    %53 = stablehlo.slice %52 [0:2, 0:16, 0:4, 0:4] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %54 = stablehlo.slice %52 [0:2, 0:16, 0:4, 4:8] : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x4xf32>
    %55 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %56 = stablehlo.multiply %54, %55 : tensor<2x16x4x4xf32>
    %57 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %58 = stablehlo.multiply %54, %57 : tensor<2x16x4x4xf32>
    %59 = stablehlo.negate %53 : tensor<2x16x4x4xf32>
    %60 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %61 = stablehlo.multiply %59, %60 : tensor<2x16x4x4xf32>
    %62 = stablehlo.add %58, %61 : tensor<2x16x4x4xf32>
    %63 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<1x16x1x4xf32>) -> tensor<2x16x4x4xf32>
    %64 = stablehlo.multiply %53, %63 : tensor<2x16x4x4xf32>
    %65 = stablehlo.add %56, %64 : tensor<2x16x4x4xf32>
    %66 = stablehlo.concatenate %65, %62, dim = 3 : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x16x4x8xf32>
    %67 = stablehlo.convert %66 : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xbf16>
    %68 = stablehlo.reshape %7 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %69 = stablehlo.dot_general %68, %arg11, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %70 = stablehlo.transpose %69, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %71 = stablehlo.dot_general %68, %arg13, contracting_dims = [2] x [1] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %72 = stablehlo.add %arg9, %71 : tensor<2x16x32xbf16>
    %73 = stablehlo.reshape %51 : (tensor<2x16x2x8xbf16>) -> tensor<2x16x16xbf16>
    %74 = stablehlo.dot_general %73, %arg11, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x16xbf16>, tensor<2x16x32xbf16>) -> tensor<16x32xbf16>
    %75 = stablehlo.transpose %74, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %76 = stablehlo.dot_general %73, %arg12, contracting_dims = [2] x [1] : (tensor<2x16x16xbf16>, tensor<32x16xbf16>) -> tensor<2x16x32xbf16>
    %77 = stablehlo.add %72, %76 : tensor<2x16x32xbf16>
    %78 = stablehlo.reshape %67 : (tensor<2x16x4x8xbf16>) -> tensor<2x16x32xbf16>
    %79 = stablehlo.dot_general %78, %arg11, contracting_dims = [0, 1] x [0, 1] : (tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %80 = stablehlo.transpose %79, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %81 = stablehlo.dot_general %78, %arg10, contracting_dims = [2] x [1] : (tensor<2x16x32xbf16>, tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    %82 = stablehlo.add %77, %81 : tensor<2x16x32xbf16>
    return %82, %75, %1, %80, %70 : tensor<2x16x32xbf16>, tensor<32x16xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x16xbf16>
  }
  func.func private @_where_14(%arg0: tensor<2x2x2x16x16xi1>, %arg1: tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
    return %1 : tensor<2x2x2x16x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_15(%arg0: tensor<2x32x16xbf16>, %arg1: tensor<32x16xbf16>, %arg2: tensor<i32>) -> tensor<2x32x16xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x16xbf16>) -> tensor<1x32x16xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x32x16xbf16>, tensor<1x32x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x16xbf16>
    return %1 : tensor<2x32x16xbf16>
  }
  func.func private @dynamic_update_index_in_dim_16(%arg0: tensor<2x32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<i32>) -> tensor<2x32x32xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x32xbf16>) -> tensor<1x32x32xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x32x32xbf16>, tensor<1x32x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x32xbf16>
    return %1 : tensor<2x32x32xbf16>
  }
}
// expect:
// line 246: with its gradient
// __cudnn$fmhaSoftmax(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
// __cudnn$fmhaSoftmaxBackward(tensor<2x16x4x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x16x2x8xbf16>, tensor<2x4x16xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) scale 0.3535533845424652 CAUSAL window 0 scores 2x4x16x16
