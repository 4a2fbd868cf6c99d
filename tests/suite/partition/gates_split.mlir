// test: partition
// The gates of a recurrent cell are equal parts of one product: each stays sharded over its units, and so does the state.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%w: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %h0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c0, %h = %h0) : tensor<i32>, tensor<4x8xf32>
  cond {
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x32xf32>) -> tensor<4x32xf32>
    %3 = stablehlo.slice %2 [0:4, 0:8] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %4 = stablehlo.slice %2 [0:4, 8:16] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %5 = stablehlo.slice %2 [0:4, 16:24] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %6 = stablehlo.slice %2 [0:4, 24:32] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.logistic %3 : tensor<4x8xf32>
    %8 = stablehlo.tanh %4 : tensor<4x8xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<4x8xf32>
    %10 = stablehlo.multiply %5, %6 : tensor<4x8xf32>
    %11 = stablehlo.add %9, %10 : tensor<4x8xf32>
    stablehlo.return %1, %11 : tensor<i32>, tensor<4x8xf32>
  }
  return %0#1 : tensor<4x8xf32>
}
// expect:
// all_gather tensor<4x8xf32> dense<[[0, 1, 2, 3]]>
// all_to_all tensor<4x8xf32> dense<[[0, 1, 2, 3]]>
// (tensor<8x8xf32>, tensor<4x2xf32>) -> (tensor<4x2xf32>)
