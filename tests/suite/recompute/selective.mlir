// test: recompute named=selective
// Products with weights are kept, elementwise ops are made again.
func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x8xf32>, %d: tensor<8x4xf32>, %w: tensor<4x4xf32>, %x: tensor<6x4xf32>, %target: tensor<6x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>) {
  %u1 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
  %t1 = stablehlo.tanh %u1 : tensor<6x8xf32>
  %o1 = stablehlo.dot_general %t1, %b, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %h1 = stablehlo.add %x, %o1 : tensor<6x4xf32>
  %u2 = stablehlo.dot_general %h1, %c, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
  %t2 = stablehlo.tanh %u2 : tensor<6x8xf32>
  %o2 = stablehlo.dot_general %t2, %d, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %h2 = stablehlo.add %h1, %o2 : tensor<6x4xf32>
  %y = stablehlo.dot_general %h2, %w, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  %dy = stablehlo.subtract %y, %target : tensor<6x4xf32>
  %dw = stablehlo.dot_general %h2, %dy, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %dh2 = stablehlo.dot_general %dy, %w, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<6x8xf32>
  %dd = stablehlo.dot_general %t2, %dh2, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %dt2 = stablehlo.dot_general %dh2, %d, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
  %q2 = stablehlo.multiply %t2, %t2 : tensor<6x8xf32>
  %s2 = stablehlo.subtract %one, %q2 : tensor<6x8xf32>
  %du2 = stablehlo.multiply %dt2, %s2 : tensor<6x8xf32>
  %dc = stablehlo.dot_general %h1, %du2, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %dx2 = stablehlo.dot_general %du2, %c, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<4x8xf32>) -> tensor<6x4xf32>
  %dh1 = stablehlo.add %dh2, %dx2 : tensor<6x4xf32>
  %db = stablehlo.dot_general %t1, %dh1, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %dt1 = stablehlo.dot_general %dh1, %b, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
  %q1 = stablehlo.multiply %t1, %t1 : tensor<6x8xf32>
  %s1 = stablehlo.subtract %one, %q1 : tensor<6x8xf32>
  %du1 = stablehlo.multiply %dt1, %s1 : tensor<6x8xf32>
  %da = stablehlo.dot_general %x, %du1, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %a2 = stablehlo.subtract %a, %da : tensor<4x8xf32>
  %b2 = stablehlo.subtract %b, %db : tensor<8x4xf32>
  %c2 = stablehlo.subtract %c, %dc : tensor<4x8xf32>
  %d2 = stablehlo.subtract %d, %dd : tensor<8x4xf32>
  %w2 = stablehlo.subtract %w, %dw : tensor<4x4xf32>
  return %a2, %b2, %c2, %d2, %w2 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
}
// expect:
// module {
//   func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<4x4xf32>, %arg5: tensor<6x4xf32>, %arg6: tensor<6x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>) {
//     %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
//     %1 = stablehlo.tanh %0 : tensor<6x8xf32>
//     %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
//     %3 = stablehlo.add %arg5, %2 : tensor<6x4xf32>
//     %4 = stablehlo.dot_general %3, %arg2, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
//     %5 = stablehlo.tanh %4 : tensor<6x8xf32>
//     %6 = stablehlo.dot_general %5, %arg3, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
//     %7 = stablehlo.add %3, %6 : tensor<6x4xf32>
//     %8 = stablehlo.dot_general %7, %arg4, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
//     %9 = stablehlo.subtract %8, %arg6 : tensor<6x4xf32>
//     %10 = stablehlo.dot_general %7, %9, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
//     %11 = stablehlo.dot_general %9, %arg4, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
//     %cst = stablehlo.constant dense<1.000000e+00> : tensor<6x8xf32>
//     %12 = stablehlo.dot_general %5, %11, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
//     %13 = stablehlo.dot_general %11, %arg3, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
//     %14 = stablehlo.multiply %5, %5 : tensor<6x8xf32>
//     %15 = stablehlo.subtract %cst, %14 : tensor<6x8xf32>
//     %16 = stablehlo.multiply %13, %15 : tensor<6x8xf32>
//     %17:2 = stablehlo.optimization_barrier %16, %2 : tensor<6x8xf32>, tensor<6x4xf32>
//     %18 = stablehlo.add %arg5, %17#1 : tensor<6x4xf32>
//     %19 = stablehlo.dot_general %18, %17#0, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
//     %20 = stablehlo.dot_general %16, %arg2, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<4x8xf32>) -> tensor<6x4xf32>
//     %21 = stablehlo.add %11, %20 : tensor<6x4xf32>
//     %22 = stablehlo.dot_general %1, %21, contracting_dims = [0] x [0] : (tensor<6x8xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
//     %23 = stablehlo.dot_general %21, %arg1, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
//     %24 = stablehlo.multiply %1, %1 : tensor<6x8xf32>
//     %25 = stablehlo.subtract %cst, %24 : tensor<6x8xf32>
//     %26 = stablehlo.multiply %23, %25 : tensor<6x8xf32>
//     %27 = stablehlo.dot_general %arg5, %26, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
//     %28 = stablehlo.subtract %arg0, %27 : tensor<4x8xf32>
//     %29 = stablehlo.subtract %arg1, %22 : tensor<8x4xf32>
//     %30 = stablehlo.subtract %arg2, %19 : tensor<4x8xf32>
//     %31 = stablehlo.subtract %arg3, %12 : tensor<8x4xf32>
//     %32 = stablehlo.subtract %arg4, %10 : tensor<4x4xf32>
//     return %28, %29, %30, %31, %32 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
//   }
// }
// 0 results differ
