// test: eval
// Regions that are more than one op: the largest element with its place, elements of largest magnitude, updates that
// meet at one place, rows sorted by two keys, and what pooling selects.
func.func @main() -> (tensor<2xf32>, tensor<2xi32>, tensor<3xi32>, tensor<4xf32>, tensor<5xi32>, tensor<5xf32>, tensor<4x4xi32>) {
  %x = stablehlo.constant dense<[[1.0, 7.0, 7.0], [5.0, -2.0, 0.0]]> : tensor<2x3xf32>
  %place = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %low), (%place init: %none) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %greater = stablehlo.compare GE, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = stablehlo.select %greater, %a, %c : tensor<i1>, tensor<f32>
    %at = stablehlo.select %greater, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %value, %at : tensor<f32>, tensor<i32>
  }
  %y = stablehlo.constant dense<[3, -9, 4, 1]> : tensor<4xi32>
  %1 = "stablehlo.reduce_window"(%y, %none) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %abs_a = stablehlo.abs %a : tensor<i32>
    %abs_b = stablehlo.abs %b : tensor<i32>
    %greater = stablehlo.compare GE, %abs_a, %abs_b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %larger = stablehlo.select %greater, %a, %b : tensor<i1>, tensor<i32>
    stablehlo.return %larger : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  %table = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %indices = stablehlo.constant dense<[[2], [0], [2], [9], [2]]> : tensor<5x1xi32>
  %updates = stablehlo.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0]> : tensor<5xf32>
  %2 = "stablehlo.scatter"(%table, %indices, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %factor = stablehlo.constant dense<0.5> : tensor<f32>
    %halved = stablehlo.multiply %a, %factor : tensor<f32>
    %moved = stablehlo.add %halved, %b : tensor<f32>
    stablehlo.return %moved : tensor<f32>
  }) : (tensor<4xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4xf32>
  %major = stablehlo.constant dense<[2, 1, 2, 1, 0]> : tensor<5xi32>
  %minor = stablehlo.constant dense<[1.0, 5.0, -1.0, 4.0, 0.0]> : tensor<5xf32>
  %3:2 = "stablehlo.sort"(%major, %minor) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %equal = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %then = stablehlo.compare LT, %c, %d, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %tie = stablehlo.and %equal, %then : tensor<i1>
    %before = stablehlo.or %less, %tie : tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<5xi32>, tensor<5xf32>) -> (tensor<5xi32>, tensor<5xf32>)
  %image = stablehlo.constant dense<[[1, 2, 0, 0], [4, 4, 1, 0], [0, 9, 8, 8], [0, 0, 8, 8]]> : tensor<4x4xi32>
  %source = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %4 = "stablehlo.select_and_scatter"(%image, %source, %none) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %keeps = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %keeps : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %added = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %added : tensor<i32>
  }) : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i32>) -> tensor<4x4xi32>
  return %0#0, %0#1, %1, %2, %3#0, %3#1, %4 : tensor<2xf32>, tensor<2xi32>, tensor<3xi32>, tensor<4xf32>, tensor<5xi32>, tensor<5xf32>, tensor<4x4xi32>
}
// expect:
// tensor<2xf32> [7, 5]
// tensor<2xi32> [1, 0]
// tensor<3xi32> [-9, -9, 4]
// tensor<4xf32> [20.5, 2, 67.875, 4]
// tensor<5xi32> [0, 1, 1, 2, 2]
// tensor<5xf32> [0, 4, 5, -1, 1]
// tensor<4x4xi32> [[0, 0, 0, 0], [0, 0, 0, 0], [0, 40, 60, 0], [0, 0, 0, 0]]
