// test: eval
// Windows that are larger than what they slide over have no place, whatever their body does.
func.func @main() -> (tensor<0xf64>, tensor<0x2xi32>, tensor<0xi32>, tensor<0xf32>) {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 5>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.multiply %a, %b : tensor<f64>
    %s = stablehlo.add %p, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<3xf64>, tensor<f64>) -> tensor<0xf64>
  %y = stablehlo.constant dense<1> : tensor<3x2xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %1 = "stablehlo.reduce_window"(%y, %i) <{window_dimensions = array<i64: 4, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<i32>) -> tensor<0x2xi32>
  %n = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %v = stablehlo.constant dense<0.0> : tensor<3xf32>
  %2:2 = "stablehlo.reduce_window"(%n, %v, %i, %f) <{window_dimensions = array<i64: 5>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    %s = stablehlo.add %a, %c : tensor<i32>
    %t = stablehlo.subtract %b, %d : tensor<f32>
    stablehlo.return %s, %t : tensor<i32>, tensor<f32>
  }) : (tensor<3xi32>, tensor<3xf32>, tensor<i32>, tensor<f32>) -> (tensor<0xi32>, tensor<0xf32>)
  return %0, %1, %2#0, %2#1 : tensor<0xf64>, tensor<0x2xi32>, tensor<0xi32>, tensor<0xf32>
}
// expect:
// tensor<0xf64> []
// tensor<0x2xi32> []
// tensor<0xi32> []
// tensor<0xf32> []
