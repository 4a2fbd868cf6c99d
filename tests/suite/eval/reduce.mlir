// test: eval
// Reductions count their initial value once, of whatever kind the elements are; any region may be the reducer.
func.func @main() -> (tensor<2xi32>, tensor<f32>, tensor<2xi8>, tensor<i1>, tensor<2xi32>, tensor<2xi32>, tensor<bf16>, tensor<i32>) {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %ten) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  %f = stablehlo.constant dense<[1.0, -3.0]> : tensor<2xf32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %1 = stablehlo.reduce(%f init: %half) applies stablehlo.minimum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %b = stablehlo.constant dense<[[100, 100], [12, 5]]> : tensor<2x2xi8>
  %all = stablehlo.constant dense<-1> : tensor<i8>
  %2 = stablehlo.reduce(%b init: %all) applies stablehlo.and across dimensions = [0] : (tensor<2x2xi8>, tensor<i8>) -> tensor<2xi8>
  %p = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %3 = stablehlo.reduce(%p init: %no) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %4:2 = stablehlo.reduce(%x init: %zero), (%i init: %zero) across dimensions = [1] : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
   reducer(%a: tensor<i32>, %c: tensor<i32>) (%d: tensor<i32>, %e: tensor<i32>) {
    %g = stablehlo.compare GT, %a, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %g, %a, %c : tensor<i1>, tensor<i32>
    %w = stablehlo.select %g, %d, %e : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<i32>, tensor<i32>
  }
  // A thousand ones are a thousand, though bf16 has no number between 256 and 258: half types are summed in f32.
  %one = stablehlo.constant dense<1.0> : tensor<1000xbf16>
  %bzero = stablehlo.constant dense<0.0> : tensor<bf16>
  %5 = stablehlo.reduce(%one init: %bzero) applies stablehlo.add across dimensions = [0] : (tensor<1000xbf16>, tensor<bf16>) -> tensor<bf16>
  %none = stablehlo.constant dense<> : tensor<0xi32>
  %6 = stablehlo.reduce(%none init: %ten) applies stablehlo.maximum across dimensions = [0] : (tensor<0xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1, %2, %3, %4#0, %4#1, %5, %6 : tensor<2xi32>, tensor<f32>, tensor<2xi8>, tensor<i1>, tensor<2xi32>, tensor<2xi32>, tensor<bf16>, tensor<i32>
}
// expect:
// tensor<2xi32> [16, 25]
// tensor<f32> -3
// tensor<2xi8> [4, 4]
// tensor<i1> true
// tensor<2xi32> [3, 6]
// tensor<2xi32> [2, 2]
// tensor<bf16> 1000
// tensor<i32> 10
