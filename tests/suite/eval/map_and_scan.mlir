// test: eval
// A function of single elements, one that is only ops of elements and one that is not; scans forward, backward and of
// nothing.
func.func @main() -> (tensor<2x2xi32>, tensor<3xi32>, tensor<3xi32>, tensor<i32>, tensor<2x3xi32>, tensor<2xi32>, tensor<0xi32>, tensor<i32>) {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %c = stablehlo.constant dense<1> : tensor<i32>
    %p = stablehlo.multiply %x, %y : tensor<i32>
    %q = stablehlo.add %p, %c : tensor<i32>
    stablehlo.return %q : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %v = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = "stablehlo.map"(%v) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>):
    %s = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %r = stablehlo.reduce(%s init: %c) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %2:2 = chlo.scan(%v) inits(%z) dimension=0 {
  ^bb0(%in: tensor<i32>, %carry: tensor<i32>):
    %n = stablehlo.add %in, %carry : tensor<i32>
    stablehlo.return %n, %n : tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  %m = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zz = stablehlo.constant dense<0> : tensor<2xi32>
  %3:2 = chlo.scan(%m) inits(%zz) dimension=1 attributes {is_reverse = true} {
  ^bb0(%in: tensor<2xi32>, %carry: tensor<2xi32>):
    %n = stablehlo.add %in, %carry : tensor<2xi32>
    stablehlo.return %n, %n : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  %e = stablehlo.constant dense<> : tensor<0xi32>
  %4:2 = chlo.scan(%e) inits(%z) dimension=0 {
  ^bb0(%in: tensor<i32>, %carry: tensor<i32>):
    %n = stablehlo.add %in, %carry : tensor<i32>
    stablehlo.return %n, %n : tensor<i32>, tensor<i32>
  } : (tensor<0xi32>, tensor<i32>) -> (tensor<0xi32>, tensor<i32>)
  return %0, %1, %2#0, %2#1, %3#0, %3#1, %4#0, %4#1 : tensor<2x2xi32>, tensor<3xi32>, tensor<3xi32>, tensor<i32>, tensor<2x3xi32>, tensor<2xi32>, tensor<0xi32>, tensor<i32>
}
// expect:
// tensor<2x2xi32> [[2, 5], [10, 17]]
// tensor<3xi32> [2, 4, 6]
// tensor<3xi32> [1, 3, 6]
// tensor<i32> 6
// tensor<2x3xi32> [[6, 5, 3], [15, 11, 6]]
// tensor<2xi32> [6, 15]
// tensor<0xi32> []
// tensor<i32> 0
