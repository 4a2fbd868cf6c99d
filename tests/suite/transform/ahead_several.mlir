// test: transform parameters=1
// Two loops read what is made alike but for one thing: the greatest of a column in the first, the least in the second. Each
// reads a stack of its own. A weight that says how it is sharded is converted where it was.
sdy.mesh @mesh = <["data"=2]>
func.func @main(%ws: tensor<3x4x4xf32>, %x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<2x4xf32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %low = stablehlo.constant dense<0.0> : tensor<f32>
    %a = stablehlo.dynamic_slice %ws, %i, %none, %none, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %b = stablehlo.reshape %a : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %m:2 = "stablehlo.reduce"(%b, %b, %low, %low) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %b0: tensor<f32>, %b1: tensor<f32>):
      %most = stablehlo.maximum %a0, %b0 : tensor<f32>
      %least = stablehlo.minimum %a1, %b1 : tensor<f32>
      stablehlo.return %most, %least : tensor<f32>, tensor<f32>
    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
    %n = stablehlo.convert %m#0 : (tensor<4xf32>) -> tensor<4xbf16>
    %o = stablehlo.convert %n : (tensor<4xbf16>) -> tensor<4xf32>
    %e = stablehlo.broadcast_in_dim %o, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    %y = stablehlo.add %h, %e : tensor<2x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y : tensor<i32>, tensor<2x4xf32>
  }
  %2:2 = stablehlo.while(%i = %zero, %h = %0#1) : tensor<i32>, tensor<2x4xf32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %low = stablehlo.constant dense<0.0> : tensor<f32>
    %a = stablehlo.dynamic_slice %ws, %i, %none, %none, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %b = stablehlo.reshape %a : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %m:2 = "stablehlo.reduce"(%b, %b, %low, %low) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %b0: tensor<f32>, %b1: tensor<f32>):
      %most = stablehlo.maximum %a0, %b0 : tensor<f32>
      %least = stablehlo.minimum %a1, %b1 : tensor<f32>
      stablehlo.return %most, %least : tensor<f32>, tensor<f32>
    }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
    %n = stablehlo.convert %m#1 : (tensor<4xf32>) -> tensor<4xbf16>
    %o = stablehlo.convert %n : (tensor<4xbf16>) -> tensor<4xf32>
    %e = stablehlo.broadcast_in_dim %o, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    %y = stablehlo.add %h, %e : tensor<2x4xf32>
    %w = stablehlo.convert %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<4x4xf32>) -> tensor<4x4xbf16>
    %v = stablehlo.convert %w : (tensor<4x4xbf16>) -> tensor<4x4xf32>
    %z = stablehlo.dot_general %y, %v, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %z : tensor<i32>, tensor<2x4xf32>
  }
  return %2#1 : tensor<2x4xf32>
}
// expect:
// module {
//   sdy.mesh @mesh = <["data"=2]>
//   func.func @main(%arg0: tensor<3x4x4xf32>, %arg1: tensor<2x4xf32>) -> tensor<2x4xf32> {
//     %c = stablehlo.constant dense<0> : tensor<i32>
//     %c_0 = stablehlo.constant dense<0> : tensor<i32>
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
//     %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
//     %1:2 = stablehlo.while(%iterArg = %c_0, %iterArg_3 = %0) : tensor<i32>, tensor<3x4xbf16>
//     cond {
//       %c_4 = stablehlo.constant dense<3> : tensor<i32>
//       %6 = stablehlo.compare LT, %iterArg, %c_4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %6 : tensor<i1>
//     } do {
//       %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %arg0, %iterArg, %c_5, %c_5, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
//       %7 = stablehlo.reshape %6 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
//       %8:2 = stablehlo.reduce(%7 init: %cst_4), (%7 init: %cst_4) across dimensions = [0] : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
//        reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<f32>, %arg5: tensor<f32>)  {
//         %13 = stablehlo.maximum %arg2, %arg4 : tensor<f32>
//         %14 = stablehlo.minimum %arg3, %arg5 : tensor<f32>
//         stablehlo.return %13, %14 : tensor<f32>, tensor<f32>
//       }
//       %9 = stablehlo.convert %8#0 : (tensor<4xf32>) -> tensor<4xbf16>
//       %c_6 = stablehlo.constant dense<1> : tensor<i32>
//       %10 = stablehlo.add %iterArg, %c_6 : tensor<i32>
//       %11 = stablehlo.reshape %9 : (tensor<4xbf16>) -> tensor<1x4xbf16>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %12 = stablehlo.dynamic_update_slice %iterArg_3, %11, %iterArg, %c_7 : (tensor<3x4xbf16>, tensor<1x4xbf16>, tensor<i32>, tensor<i32>) -> tensor<3x4xbf16>
//       stablehlo.return %10, %12 : tensor<i32>, tensor<3x4xbf16>
//     }
//     %2:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %arg1) : tensor<i32>, tensor<2x4xf32>
//     cond {
//       %c_4 = stablehlo.constant dense<3> : tensor<i32>
//       %6 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %6 : tensor<i1>
//     } do {
//       %c_4 = stablehlo.constant dense<1> : tensor<i32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %1#1, %iterArg, %c_5, sizes = [1, 4] : (tensor<3x4xbf16>, tensor<i32>, tensor<i32>) -> tensor<1x4xbf16>
//       %7 = stablehlo.reshape %6 : (tensor<1x4xbf16>) -> tensor<4xbf16>
//       %8 = stablehlo.convert %7 : (tensor<4xbf16>) -> tensor<4xf32>
//       %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
//       %10 = stablehlo.add %iterArg_3, %9 : tensor<2x4xf32>
//       %11 = stablehlo.add %iterArg, %c_4 : tensor<i32>
//       stablehlo.return %11, %10 : tensor<i32>, tensor<2x4xf32>
//     }
//     %c_1 = stablehlo.constant dense<0> : tensor<i32>
//     %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
//     %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
//     %4:2 = stablehlo.while(%iterArg = %c_1, %iterArg_3 = %3) : tensor<i32>, tensor<3x4xbf16>
//     cond {
//       %c_4 = stablehlo.constant dense<3> : tensor<i32>
//       %6 = stablehlo.compare LT, %iterArg, %c_4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %6 : tensor<i1>
//     } do {
//       %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %arg0, %iterArg, %c_5, %c_5, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
//       %7 = stablehlo.reshape %6 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
//       %8:2 = stablehlo.reduce(%7 init: %cst_4), (%7 init: %cst_4) across dimensions = [0] : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
//        reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<f32>, %arg5: tensor<f32>)  {
//         %13 = stablehlo.maximum %arg2, %arg4 : tensor<f32>
//         %14 = stablehlo.minimum %arg3, %arg5 : tensor<f32>
//         stablehlo.return %13, %14 : tensor<f32>, tensor<f32>
//       }
//       %9 = stablehlo.convert %8#1 : (tensor<4xf32>) -> tensor<4xbf16>
//       %c_6 = stablehlo.constant dense<1> : tensor<i32>
//       %10 = stablehlo.add %iterArg, %c_6 : tensor<i32>
//       %11 = stablehlo.reshape %9 : (tensor<4xbf16>) -> tensor<1x4xbf16>
//       %c_7 = stablehlo.constant dense<0> : tensor<i32>
//       %12 = stablehlo.dynamic_update_slice %iterArg_3, %11, %iterArg, %c_7 : (tensor<3x4xbf16>, tensor<1x4xbf16>, tensor<i32>, tensor<i32>) -> tensor<3x4xbf16>
//       stablehlo.return %10, %12 : tensor<i32>, tensor<3x4xbf16>
//     }
//     %5:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %2#1) : tensor<i32>, tensor<2x4xf32>
//     cond {
//       %c_4 = stablehlo.constant dense<3> : tensor<i32>
//       %6 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       stablehlo.return %6 : tensor<i1>
//     } do {
//       %c_4 = stablehlo.constant dense<1> : tensor<i32>
//       %c_5 = stablehlo.constant dense<0> : tensor<i32>
//       %6 = stablehlo.dynamic_slice %arg0, %iterArg, %c_5, %c_5, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
//       %7 = stablehlo.reshape %6 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
//       %c_6 = stablehlo.constant dense<0> : tensor<i32>
//       %8 = stablehlo.dynamic_slice %4#1, %iterArg, %c_6, sizes = [1, 4] : (tensor<3x4xbf16>, tensor<i32>, tensor<i32>) -> tensor<1x4xbf16>
//       %9 = stablehlo.reshape %8 : (tensor<1x4xbf16>) -> tensor<4xbf16>
//       %10 = stablehlo.convert %9 : (tensor<4xbf16>) -> tensor<4xf32>
//       %11 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
//       %12 = stablehlo.add %iterArg_3, %11 : tensor<2x4xf32>
//       %13 = stablehlo.convert %7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : (tensor<4x4xf32>) -> tensor<4x4xbf16>
//       %14 = stablehlo.convert %13 : (tensor<4x4xbf16>) -> tensor<4x4xf32>
//       %15 = stablehlo.dot_general %12, %14, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
//       %16 = stablehlo.add %iterArg, %c_4 : tensor<i32>
//       stablehlo.return %16, %15 : tensor<i32>, tensor<2x4xf32>
//     }
//     return %5#1 : tensor<2x4xf32>
//   }
// }
