// test: verify
// Regions inside each other that do not end are read once, not once for each of them.
func.func @main(%a: tensor<i1>) -> tensor<i1> {
  %0 = "stablehlo.if"(%a) ({
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
  %1 = "stablehlo.if"(%a) ({
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
  %2 = "stablehlo.if"(%a) ({
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
  %3 = "stablehlo.if"(%a) ({
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
  %4 = "stablehlo.if"(%a) ({
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
    "stablehlo.return"(%a) 16xf32>) -> tensor<i1>
  %8 = "unclosed>
  %8 = "unclosed>
  %8 = "unclosed>
// error: syntax @5: expected `:`, found `16`
// error: syntax @6: expected `:`, found `16`
// error: syntax @8: expected `:`, found `16`
// error: syntax @9: expected `:`, found `16`
// error: syntax @11: expected `:`, found `16`
// error: syntax @12: expected `:`, found `16`
// error: syntax @14: expected `:`, found `16`
// error: syntax @15: expected `:`, found `16`
// error: syntax @17: expected `:`, found `16`
// error: syntax @18: expected `:`, found `16`
// error: syntax @19: expected an operation, found a string without an end
// error: syntax @20: expected an operation, found a string without an end
// error: syntax @21: expected an operation, found a string without an end
