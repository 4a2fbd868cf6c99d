// test: verify
// Regions end with the return of their own kind; a function may end with any.
func.func @main(%p: tensor<i1>) -> tensor<i1> {
  %0 = "stablehlo.if"(%p) ({
    func.return %p : tensor<i1>
  }, {
    sdy.return %p : tensor<i1>
  }) : (tensor<i1>) -> tensor<i1>
  %1 = sdy.named_computation<"a">(%p) (%a: tensor<i1>) {
    stablehlo.return %a : tensor<i1>
  } : (tensor<i1>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
// error: structure
