// test: eval
// Windowed reductions: the initial value fills the padding and the gaps, so it may count more than once.
func.func @main() -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<4xf32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>) {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  %1 = "stablehlo.reduce_window"(%x, %one) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  %y = stablehlo.constant dense<[1.5, -2.0, 4.0, 0.5]> : tensor<4xf32>
  %fzero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%y, %fzero) <{window_dimensions = array<i64: 4>, padding = dense<[[3, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = stablehlo.constant dense<[3, 9, 1, 4]> : tensor<4xi32>
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %3 = "stablehlo.reduce_window"(%z, %least) <{window_dimensions = array<i64: 4>, padding = dense<[[0, 3]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  // Largest value and its position.
  %p = stablehlo.iota dim = 0 : tensor<4xi32>
  %4:2 = "stablehlo.reduce_window"(%z, %p, %least, %zero) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %g = stablehlo.compare GE, %a, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %g, %a, %c : tensor<i1>, tensor<i32>
    %w = stablehlo.select %g, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<i32>, tensor<i32>
  }) : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %0, %1, %2, %3, %4#0, %4#1 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<4xf32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>
}
// expect:
// tensor<2x2xi32> [[0, 0], [3, 4]]
// tensor<2x2xi32> [[3, 3], [5, 6]]
// tensor<4xf32> [1.5, -0.5, 3.5, 4]
// tensor<4xi32> [9, 9, 4, 4]
// tensor<2xi32> [9, 9]
// tensor<2xi32> [1, 1]
