// test: verify
// Reductions may combine in a wider type than they read, of the same kind.
func.func @main(%v: tensor<2xf32>, %wide: tensor<f64>, %narrow: tensor<bf16>) {
  %0 = stablehlo.reduce(%v init: %wide) across dimensions = [0] : (tensor<2xf32>, tensor<f64>) -> tensor<f64>
   reducer(%p: tensor<f64>, %q: tensor<f64>) {
    %r = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }
  %1 = stablehlo.reduce(%v init: %narrow) across dimensions = [0] : (tensor<2xf32>, tensor<bf16>) -> tensor<bf16>
   reducer(%p: tensor<bf16>, %q: tensor<bf16>) {
    %r = stablehlo.add %p, %q : tensor<bf16>
    stablehlo.return %r : tensor<bf16>
  }
  return
}
// error: op @9: `stablehlo.reduce`: the region combines elements of bf16, to which f32 cannot be promoted
