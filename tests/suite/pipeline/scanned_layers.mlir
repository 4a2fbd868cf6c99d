// test: pipeline stages=2 microbatches=4 data=2
// A loop over six layers, as jax.lax.scan writes it: the programs of a stage have loops over three.
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<6x4xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<6x4x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<6x8x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<6x4x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<4x4xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<4x4xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<6x4xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<6x4x8xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<6x8x4xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<6x4x8xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<4x4xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<4x4xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<6x4xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<6x4x8xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<6x8x4xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<6x4x8xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<4x4xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<8x4xf32>, %arg19: tensor<8x4xf32>) -> (tensor<4x4xf32> {jax.result_info = "result[0]['in']"}, tensor<6x4xf32> {jax.result_info = "result[0]['layers']['g']"}, tensor<6x4x8xf32> {jax.result_info = "result[0]['layers']['w1']"}, tensor<6x8x4xf32> {jax.result_info = "result[0]['layers']['w2']"}, tensor<6x4x8xf32> {jax.result_info = "result[0]['layers']['w3']"}, tensor<4x4xf32> {jax.result_info = "result[0]['out']"}, tensor<4x4xf32> {jax.result_info = "result[1]['in']"}, tensor<6x4xf32> {jax.result_info = "result[1]['layers']['g']"}, tensor<6x4x8xf32> {jax.result_info = "result[1]['layers']['w1']"}, tensor<6x8x4xf32> {jax.result_info = "result[1]['layers']['w2']"}, tensor<6x4x8xf32> {jax.result_info = "result[1]['layers']['w3']"}, tensor<4x4xf32> {jax.result_info = "result[1]['out']"}, tensor<4x4xf32> {jax.result_info = "result[2]['in']"}, tensor<6x4xf32> {jax.result_info = "result[2]['layers']['g']"}, tensor<6x4x8xf32> {jax.result_info = "result[2]['layers']['w1']"}, tensor<6x8x4xf32> {jax.result_info = "result[2]['layers']['w2']"}, tensor<6x4x8xf32> {jax.result_info = "result[2]['layers']['w3']"}, tensor<4x4xf32> {jax.result_info = "result[2]['out']"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.dot_general %arg18, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x8x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x8x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x1x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x8x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x8x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x8x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %13:18 = stablehlo.while(%iterArg = %arg1, %iterArg_57 = %arg2, %iterArg_58 = %arg3, %iterArg_59 = %arg4, %iterArg_60 = %c, %iterArg_61 = %0, %iterArg_62 = %1, %iterArg_63 = %2, %iterArg_64 = %3, %iterArg_65 = %4, %iterArg_66 = %5, %iterArg_67 = %6, %iterArg_68 = %7, %iterArg_69 = %8, %iterArg_70 = %9, %iterArg_71 = %10, %iterArg_72 = %11, %iterArg_73 = %12) : tensor<6x4xf32>, tensor<6x4x8xf32>, tensor<6x8x4xf32>, tensor<6x4x8xf32>, tensor<i32>, tensor<8x4xf32>, tensor<6x8x4xf32>, tensor<6x8x1xf32>, tensor<6x8x1xf32>, tensor<6x1x4xf32>, tensor<6x8x4xf32>, tensor<6x8x4xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>
    cond {
      %c_74 = stablehlo.constant dense<6> : tensor<i32>
      %142 = stablehlo.compare LT, %iterArg_60, %c_74, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %142 : tensor<i1>
    } do {
      %142 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_60) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %143 = func.call @dynamic_index_in_dim_0(%iterArg_57, %iterArg_60) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %144 = func.call @dynamic_index_in_dim_1(%iterArg_58, %iterArg_60) : (tensor<6x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %145 = func.call @dynamic_index_in_dim_0(%iterArg_59, %iterArg_60) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %146:13 = func.call @closed_call(%iterArg_61, %142, %143, %144, %145) : (tensor<8x4xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
      %147 = func.call @dynamic_update_index_in_dim(%iterArg_62, %146#1, %iterArg_60) : (tensor<6x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<6x8x4xf32>
      %148 = func.call @dynamic_update_index_in_dim_2(%iterArg_63, %146#2, %iterArg_60) : (tensor<6x8x1xf32>, tensor<8x1xf32>, tensor<i32>) -> tensor<6x8x1xf32>
      %149 = func.call @dynamic_update_index_in_dim_2(%iterArg_64, %146#3, %iterArg_60) : (tensor<6x8x1xf32>, tensor<8x1xf32>, tensor<i32>) -> tensor<6x8x1xf32>
      %150 = func.call @dynamic_update_index_in_dim_3(%iterArg_65, %146#4, %iterArg_60) : (tensor<6x1x4xf32>, tensor<1x4xf32>, tensor<i32>) -> tensor<6x1x4xf32>
      %151 = func.call @dynamic_update_index_in_dim(%iterArg_66, %146#5, %iterArg_60) : (tensor<6x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<6x8x4xf32>
      %152 = func.call @dynamic_update_index_in_dim(%iterArg_67, %146#6, %iterArg_60) : (tensor<6x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<6x8x4xf32>
      %153 = func.call @dynamic_update_index_in_dim_4(%iterArg_68, %146#7, %iterArg_60) : (tensor<6x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<6x8x8xf32>
      %154 = func.call @dynamic_update_index_in_dim_4(%iterArg_69, %146#8, %iterArg_60) : (tensor<6x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<6x8x8xf32>
      %155 = func.call @dynamic_update_index_in_dim_4(%iterArg_70, %146#9, %iterArg_60) : (tensor<6x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<6x8x8xf32>
      %156 = func.call @dynamic_update_index_in_dim_4(%iterArg_71, %146#10, %iterArg_60) : (tensor<6x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<6x8x8xf32>
      %157 = func.call @dynamic_update_index_in_dim_4(%iterArg_72, %146#11, %iterArg_60) : (tensor<6x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<6x8x8xf32>
      %158 = func.call @dynamic_update_index_in_dim_4(%iterArg_73, %146#12, %iterArg_60) : (tensor<6x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<6x8x8xf32>
      %c_74 = stablehlo.constant dense<1> : tensor<i32>
      %159 = stablehlo.add %iterArg_60, %c_74 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_57, %iterArg_58, %iterArg_59, %159, %146#0, %147, %148, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158 : tensor<6x4xf32>, tensor<6x4x8xf32>, tensor<6x8x4xf32>, tensor<6x4x8xf32>, tensor<i32>, tensor<8x4xf32>, tensor<6x8x4xf32>, tensor<6x8x1xf32>, tensor<6x8x1xf32>, tensor<6x1x4xf32>, tensor<6x8x4xf32>, tensor<6x8x4xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>
    }
    %14 = stablehlo.dot_general %13#5, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %15 = stablehlo.subtract %14, %arg19 : tensor<8x4xf32>
    %16 = stablehlo.multiply %15, %15 : tensor<8x4xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %18 = stablehlo.multiply %17, %15 : tensor<8x4xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%16 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %20 = stablehlo.divide %19, %cst_13 : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %21 = stablehlo.divide %cst_14, %cst_15 : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %23 = stablehlo.multiply %22, %18 : tensor<8x4xf32>
    %24 = stablehlo.dot_general %23, %13#5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %25 = stablehlo.transpose %24, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %26 = stablehlo.dot_general %23, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %31:21 = stablehlo.while(%iterArg = %13#6, %iterArg_57 = %13#7, %iterArg_58 = %13#8, %iterArg_59 = %13#9, %iterArg_60 = %13#10, %iterArg_61 = %arg2, %iterArg_62 = %13#11, %iterArg_63 = %13#12, %iterArg_64 = %13#13, %iterArg_65 = %13#14, %iterArg_66 = %arg4, %iterArg_67 = %13#15, %iterArg_68 = %13#16, %iterArg_69 = %arg3, %iterArg_70 = %13#17, %iterArg_71 = %c_20, %iterArg_72 = %26, %iterArg_73 = %27, %iterArg_74 = %28, %iterArg_75 = %29, %iterArg_76 = %30) : tensor<6x8x4xf32>, tensor<6x8x1xf32>, tensor<6x8x1xf32>, tensor<6x1x4xf32>, tensor<6x8x4xf32>, tensor<6x4x8xf32>, tensor<6x8x4xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x4x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x4xf32>, tensor<6x8x8xf32>, tensor<i32>, tensor<8x4xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>, tensor<6x8x4xf32>, tensor<6x4x8xf32>
    cond {
      %c_77 = stablehlo.constant dense<6> : tensor<i32>
      %142 = stablehlo.compare LT, %iterArg_71, %c_77, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %142 : tensor<i1>
    } do {
      %c_77 = stablehlo.constant dense<6> : tensor<i32>
      %142 = stablehlo.subtract %c_77, %iterArg_71 : tensor<i32>
      %c_78 = stablehlo.constant dense<1> : tensor<i32>
      %143 = stablehlo.subtract %142, %c_78 : tensor<i32>
      %144 = func.call @dynamic_index_in_dim_1(%iterArg, %143) : (tensor<6x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %145 = func.call @dynamic_index_in_dim_5(%iterArg_57, %143) : (tensor<6x8x1xf32>, tensor<i32>) -> tensor<8x1xf32>
      %146 = func.call @dynamic_index_in_dim_5(%iterArg_58, %143) : (tensor<6x8x1xf32>, tensor<i32>) -> tensor<8x1xf32>
      %147 = func.call @dynamic_index_in_dim_6(%iterArg_59, %143) : (tensor<6x1x4xf32>, tensor<i32>) -> tensor<1x4xf32>
      %148 = func.call @dynamic_index_in_dim_1(%iterArg_60, %143) : (tensor<6x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %149 = func.call @dynamic_index_in_dim_0(%iterArg_61, %143) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %150 = func.call @dynamic_index_in_dim_1(%iterArg_62, %143) : (tensor<6x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %151 = func.call @dynamic_index_in_dim_7(%iterArg_63, %143) : (tensor<6x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %152 = func.call @dynamic_index_in_dim_7(%iterArg_64, %143) : (tensor<6x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %153 = func.call @dynamic_index_in_dim_7(%iterArg_65, %143) : (tensor<6x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %154 = func.call @dynamic_index_in_dim_0(%iterArg_66, %143) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %155 = func.call @dynamic_index_in_dim_7(%iterArg_67, %143) : (tensor<6x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %156 = func.call @dynamic_index_in_dim_7(%iterArg_68, %143) : (tensor<6x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %157 = func.call @dynamic_index_in_dim_1(%iterArg_69, %143) : (tensor<6x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %158 = func.call @dynamic_index_in_dim_7(%iterArg_70, %143) : (tensor<6x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %159:5 = func.call @closed_call_8(%iterArg_72, %144, %145, %146, %147, %148, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x8xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>)
      %160 = func.call @dynamic_update_index_in_dim_10(%iterArg_73, %159#1, %143) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %161 = func.call @dynamic_update_index_in_dim_11(%iterArg_74, %159#2, %143) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %162 = func.call @dynamic_update_index_in_dim(%iterArg_75, %159#3, %143) : (tensor<6x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<6x8x4xf32>
      %163 = func.call @dynamic_update_index_in_dim_11(%iterArg_76, %159#4, %143) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_79 = stablehlo.constant dense<1> : tensor<i32>
      %164 = stablehlo.add %iterArg_71, %c_79 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_57, %iterArg_58, %iterArg_59, %iterArg_60, %iterArg_61, %iterArg_62, %iterArg_63, %iterArg_64, %iterArg_65, %iterArg_66, %iterArg_67, %iterArg_68, %iterArg_69, %iterArg_70, %164, %159#0, %160, %161, %162, %163 : tensor<6x8x4xf32>, tensor<6x8x1xf32>, tensor<6x8x1xf32>, tensor<6x1x4xf32>, tensor<6x8x4xf32>, tensor<6x4x8xf32>, tensor<6x8x4xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x4x8xf32>, tensor<6x8x8xf32>, tensor<6x8x8xf32>, tensor<6x8x4xf32>, tensor<6x8x8xf32>, tensor<i32>, tensor<8x4xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>, tensor<6x8x4xf32>, tensor<6x4x8xf32>
    }
    %32 = stablehlo.dot_general %31#16, %arg18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %33 = stablehlo.transpose %32, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %35 = stablehlo.multiply %34, %arg6 : tensor<4x4xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %37 = stablehlo.multiply %36, %33 : tensor<4x4xf32>
    %38 = stablehlo.add %35, %37 : tensor<4x4xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %40 = stablehlo.multiply %39, %arg7 : tensor<6x4xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %42 = stablehlo.multiply %41, %31#17 : tensor<6x4xf32>
    %43 = stablehlo.add %40, %42 : tensor<6x4xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %45 = stablehlo.multiply %44, %arg8 : tensor<6x4x8xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %47 = stablehlo.multiply %46, %31#18 : tensor<6x4x8xf32>
    %48 = stablehlo.add %45, %47 : tensor<6x4x8xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %50 = stablehlo.multiply %49, %arg9 : tensor<6x8x4xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %52 = stablehlo.multiply %51, %31#19 : tensor<6x8x4xf32>
    %53 = stablehlo.add %50, %52 : tensor<6x8x4xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %55 = stablehlo.multiply %54, %arg10 : tensor<6x4x8xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %57 = stablehlo.multiply %56, %31#20 : tensor<6x4x8xf32>
    %58 = stablehlo.add %55, %57 : tensor<6x4x8xf32>
    %cst_31 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %60 = stablehlo.multiply %59, %arg11 : tensor<4x4xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %62 = stablehlo.multiply %61, %25 : tensor<4x4xf32>
    %63 = stablehlo.add %60, %62 : tensor<4x4xf32>
    %cst_33 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %65 = stablehlo.multiply %64, %arg12 : tensor<4x4xf32>
    %cst_34 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %67 = stablehlo.multiply %66, %33 : tensor<4x4xf32>
    %68 = stablehlo.multiply %67, %33 : tensor<4x4xf32>
    %69 = stablehlo.add %65, %68 : tensor<4x4xf32>
    %cst_35 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %71 = stablehlo.multiply %70, %arg13 : tensor<6x4xf32>
    %cst_36 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %73 = stablehlo.multiply %72, %31#17 : tensor<6x4xf32>
    %74 = stablehlo.multiply %73, %31#17 : tensor<6x4xf32>
    %75 = stablehlo.add %71, %74 : tensor<6x4xf32>
    %cst_37 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %77 = stablehlo.multiply %76, %arg14 : tensor<6x4x8xf32>
    %cst_38 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %79 = stablehlo.multiply %78, %31#18 : tensor<6x4x8xf32>
    %80 = stablehlo.multiply %79, %31#18 : tensor<6x4x8xf32>
    %81 = stablehlo.add %77, %80 : tensor<6x4x8xf32>
    %cst_39 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %83 = stablehlo.multiply %82, %arg15 : tensor<6x8x4xf32>
    %cst_40 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %85 = stablehlo.multiply %84, %31#19 : tensor<6x8x4xf32>
    %86 = stablehlo.multiply %85, %31#19 : tensor<6x8x4xf32>
    %87 = stablehlo.add %83, %86 : tensor<6x8x4xf32>
    %cst_41 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %89 = stablehlo.multiply %88, %arg16 : tensor<6x4x8xf32>
    %cst_42 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %91 = stablehlo.multiply %90, %31#20 : tensor<6x4x8xf32>
    %92 = stablehlo.multiply %91, %31#20 : tensor<6x4x8xf32>
    %93 = stablehlo.add %89, %92 : tensor<6x4x8xf32>
    %cst_43 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %95 = stablehlo.multiply %94, %arg17 : tensor<4x4xf32>
    %cst_44 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %97 = stablehlo.multiply %96, %25 : tensor<4x4xf32>
    %98 = stablehlo.multiply %97, %25 : tensor<4x4xf32>
    %99 = stablehlo.add %95, %98 : tensor<4x4xf32>
    %cst_45 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %101 = stablehlo.multiply %100, %38 : tensor<4x4xf32>
    %102 = stablehlo.sqrt %69 : tensor<4x4xf32>
    %cst_46 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %104 = stablehlo.add %102, %103 : tensor<4x4xf32>
    %105 = stablehlo.divide %101, %104 : tensor<4x4xf32>
    %106 = stablehlo.subtract %arg0, %105 : tensor<4x4xf32>
    %cst_47 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %108 = stablehlo.multiply %107, %43 : tensor<6x4xf32>
    %109 = stablehlo.sqrt %75 : tensor<6x4xf32>
    %cst_48 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %111 = stablehlo.add %109, %110 : tensor<6x4xf32>
    %112 = stablehlo.divide %108, %111 : tensor<6x4xf32>
    %113 = stablehlo.subtract %arg1, %112 : tensor<6x4xf32>
    %cst_49 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %115 = stablehlo.multiply %114, %48 : tensor<6x4x8xf32>
    %116 = stablehlo.sqrt %81 : tensor<6x4x8xf32>
    %cst_50 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %118 = stablehlo.add %116, %117 : tensor<6x4x8xf32>
    %119 = stablehlo.divide %115, %118 : tensor<6x4x8xf32>
    %120 = stablehlo.subtract %arg2, %119 : tensor<6x4x8xf32>
    %cst_51 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %122 = stablehlo.multiply %121, %53 : tensor<6x8x4xf32>
    %123 = stablehlo.sqrt %87 : tensor<6x8x4xf32>
    %cst_52 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<6x8x4xf32>
    %125 = stablehlo.add %123, %124 : tensor<6x8x4xf32>
    %126 = stablehlo.divide %122, %125 : tensor<6x8x4xf32>
    %127 = stablehlo.subtract %arg3, %126 : tensor<6x8x4xf32>
    %cst_53 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %129 = stablehlo.multiply %128, %58 : tensor<6x4x8xf32>
    %130 = stablehlo.sqrt %93 : tensor<6x4x8xf32>
    %cst_54 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %132 = stablehlo.add %130, %131 : tensor<6x4x8xf32>
    %133 = stablehlo.divide %129, %132 : tensor<6x4x8xf32>
    %134 = stablehlo.subtract %arg4, %133 : tensor<6x4x8xf32>
    %cst_55 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %136 = stablehlo.multiply %135, %63 : tensor<4x4xf32>
    %137 = stablehlo.sqrt %99 : tensor<4x4xf32>
    %cst_56 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %139 = stablehlo.add %137, %138 : tensor<4x4xf32>
    %140 = stablehlo.divide %136, %139 : tensor<4x4xf32>
    %141 = stablehlo.subtract %arg5, %140 : tensor<4x4xf32>
    return %106, %113, %120, %127, %134, %141, %38, %43, %48, %53, %58, %63, %69, %75, %81, %87, %93, %99, %20 : tensor<4x4xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>, tensor<6x8x4xf32>, tensor<6x4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>, tensor<6x8x4xf32>, tensor<6x4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>, tensor<6x8x4xf32>, tensor<6x4x8xf32>, tensor<4x4xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4xf32>, %arg1: tensor<i32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 4] : (tensor<6x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<6x8x4xf32>, %arg1: tensor<i32>) -> tensor<8x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 4] : (tensor<6x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<8x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<8x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<8x1xf32>
    %8 = stablehlo.divide %7, %6 : tensor<8x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<8x1xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %12 = stablehlo.multiply %arg0, %11 : tensor<8x4xf32>
    %13 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<8x4xf32>
    %16 = stablehlo.dot_general %15, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %17:3 = call @silu(%16) : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
    %18 = stablehlo.dot_general %15, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %19 = stablehlo.multiply %17#0, %18 : tensor<8x8xf32>
    %20 = stablehlo.dot_general %19, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %21 = stablehlo.add %arg0, %20 : tensor<8x4xf32>
    return %21, %arg0, %10, %7, %13, %12, %15, %17#1, %17#2, %16, %18, %17#0, %19 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @silu(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
    %1 = stablehlo.exponential %0 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %3 = stablehlo.add %2, %1 : tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.divide %4, %3 : tensor<8x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<8x8xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<8x8xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<8x8xf32>
    return %9, %8, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x8x4xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<i32>) -> tensor<6x8x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x4xf32>
    return %1 : tensor<6x8x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<6x8x1xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<i32>) -> tensor<6x8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x1xf32>) -> tensor<1x8x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x8x1xf32>, tensor<1x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x1xf32>
    return %1 : tensor<6x8x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<6x1x4xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<i32>) -> tensor<6x1x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x1x4xf32>, tensor<1x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x1x4xf32>
    return %1 : tensor<6x1x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<6x8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>) -> tensor<6x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x8x8xf32>
    return %1 : tensor<6x8x8xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<6x8x1xf32>, %arg1: tensor<i32>) -> tensor<8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 1] : (tensor<6x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x1xf32>) -> tensor<8x1xf32>
    return %1 : tensor<8x1xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<6x1x4xf32>, %arg1: tensor<i32>) -> tensor<1x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 4] : (tensor<6x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    return %1 : tensor<1x4xf32>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<6x8x8xf32>, %arg1: tensor<i32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 8] : (tensor<6x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
  func.func private @closed_call_8(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<8x1xf32>, %arg3: tensor<8x1xf32>, %arg4: tensor<1x4xf32>, %arg5: tensor<8x4xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<8x4xf32>, %arg8: tensor<8x8xf32>, %arg9: tensor<8x8xf32>, %arg10: tensor<8x8xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8xf32>, %arg14: tensor<8x4xf32>, %arg15: tensor<8x8xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg15, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %2 = stablehlo.dot_general %arg0, %arg14, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.multiply %arg13, %2 : tensor<8x8xf32>
    %4 = stablehlo.multiply %2, %arg12 : tensor<8x8xf32>
    %5 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.dot_general %3, %arg11, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
    %8 = call @silu_9(%arg8, %arg9, %arg10, %4) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %9 = stablehlo.dot_general %8, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %11 = stablehlo.dot_general %8, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
    %12 = stablehlo.add %7, %11 : tensor<8x4xf32>
    %13 = stablehlo.multiply %arg5, %12 : tensor<8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %15 = stablehlo.reshape %14 : (tensor<4xf32>) -> tensor<1x4xf32>
    %16 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %17 = stablehlo.multiply %12, %16 : tensor<8x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%15 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %19 = stablehlo.multiply %arg1, %17 : tensor<8x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    %21 = stablehlo.reshape %20 : (tensor<8xf32>) -> tensor<8x1xf32>
    %22 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %23 = stablehlo.multiply %17, %22 : tensor<8x4xf32>
    %24 = stablehlo.add %arg0, %23 : tensor<8x4xf32>
    %25 = stablehlo.multiply %21, %arg2 : tensor<8x1xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %27 = stablehlo.divide %25, %26 : tensor<8x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
    %30 = stablehlo.multiply %arg1, %29 : tensor<8x4xf32>
    %31 = stablehlo.add %24, %30 : tensor<8x4xf32>
    %32 = stablehlo.multiply %29, %arg1 : tensor<8x4xf32>
    %33 = stablehlo.add %31, %32 : tensor<8x4xf32>
    return %33, %18, %10, %1, %6 : tensor<8x4xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>
  }
  func.func private @silu_9(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<8x8xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<8x8xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<8x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x8xf32>
    return %3 : tensor<8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_10(%arg0: tensor<6x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> tensor<6x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<6x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<6x4xf32>
    return %1 : tensor<6x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_11(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<6x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    return %1 : tensor<6x4x8xf32>
  }
}

// expect:
// 0 -> 1: 1 up, 1 down
// gpipe, 1f1b, eager-1f1b, interleaved-1f1b, looped-bfs, zb-h1, zb-h2, zb-v, v-half, v-min, interleaved-zb, dualpipe, dualpipe-v, chimera agree
// gpipe, 1f1b, eager-1f1b: layers 0..3, 3..6, loops 0F 1, 0B 1, 0U0 1, 1F 1, 1B 1, 1U0 1
// chimera: layers 0..3, 3..6, loops 0F 1, 0B 1, 0U0 1, 1F 1, 1B 1, 1U0 1, 2F 1, 2B 1, 3F 1, 3B 1
// dualpipe: layers 0..3, 3..6, loops 0F 1, 0I 1, 0W 1, 0B 1, 0U0 1, 1F 1, 1B 1, 1U0 1, 2F 1, 2I 1, 2W 1, 2B 1, 3F 1, 3B 1
// zb-h1, zb-h2: layers 0..3, 3..6, loops 0F 1, 0I 1, 0W 1, 0U0 1, 1F 1, 1I 1, 1W 1, 1U0 1
// interleaved-1f1b, looped-bfs: layers 1..3, 3..5, loops 0F 0, 0B 0, 0U0 0, 1F 1, 1B 1, 1U0 1, 2F 1, 2B 1, 2U0 1, 3F 0, 3B 0, 3U0 0
// dualpipe-v: layers 1..3, 3..5, loops 0F 0, 0I 0, 0W 0, 0B 0, 0U0 0, 1F 1, 1I 1, 1W 1, 1B 1, 1U0 1, 2F 1, 2I 1, 2W 1, 2B 1, 2U0 1, 3F 0, 3I 0, 3W 0, 3B 0, 3U0 0
// zb-v, v-half, v-min, interleaved-zb: layers 1..3, 3..5, loops 0F 0, 0I 0, 0W 0, 0U0 0, 1F 1, 1I 1, 1W 1, 1U0 1, 2F 1, 2I 1, 2W 1, 2U0 1, 3F 0, 3I 0, 3W 0, 3U0 0
