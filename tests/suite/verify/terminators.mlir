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
// error: structure @5: a region of `stablehlo.if` ends with `func.return`
// error: structure @7: a region of `stablehlo.if` ends with `sdy.return`
// error: op @9: `sdy.named_computation`: the region should end with `sdy.return`
