// test: roundtrip locations
// Where things come from: aliases in front of and behind their uses, call sites, fused and named locations, ranges.
#loc = loc("model.py":1:1)
#late = loc("late"(#behind))
module @m attributes {a.where = loc(fused["x", #loc])} {
  func.func public @main(%x: tensor<4xf32> loc("x"), %y: tensor<4xf32>) -> (tensor<f32>) {
    %0 = stablehlo.add %x, %y : tensor<4xf32> loc(#late)
    %1 = stablehlo.multiply %0, %0 : tensor<4xf32> loc(callsite(#late at "run.py":7:3 to 9:1))
    %zero = stablehlo.constant dense<0.0> : tensor<f32> loc(fused<"why">[#loc, unknown])
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc(#loc)
    %3:2 = stablehlo.while(%i = %2, %j = %zero) : tensor<f32>, tensor<f32>
    cond {
      %4 = stablehlo.compare LT, %i, %j : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("cond")
      stablehlo.return %4 : tensor<i1> loc(#loc)
    } do {
      stablehlo.return %i, %j : tensor<f32>, tensor<f32>
    } loc("a \"loop\"")
    return %3#0 : tensor<f32> loc(#loc)
  } loc("main"(callsite("a" at "b")))
} loc(#loc)
#behind = loc("file with \\ and space.py":3:4)
// expect:
// #loc3 = loc("x")
// #loc4 = loc(unknown)
// module @m attributes {a.where = loc(fused["x", "model.py":1:1])} {
//   func.func public @main(%arg0: tensor<4xf32> loc("x"), %arg1: tensor<4xf32> loc(unknown)) -> tensor<f32> {
//     %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32> loc(#loc10)
//     %1 = stablehlo.multiply %0, %0 : tensor<4xf32> loc(#loc13)
//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc11)
//     %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc(#loc)
//     %3:2 = stablehlo.while(%iterArg = %2, %iterArg_0 = %cst) : tensor<f32>, tensor<f32>
//     cond {
//       %4 = stablehlo.compare LT, %iterArg, %iterArg_0 : (tensor<f32>, tensor<f32>) -> tensor<i1> loc(#loc8)
//       stablehlo.return %4 : tensor<i1> loc(#loc)
//     } do {
//       stablehlo.return %iterArg, %iterArg_0 : tensor<f32>, tensor<f32> loc(#loc4)
//     } loc(#loc7)
//     return %3#0 : tensor<f32> loc(#loc)
//   } loc(#loc12)
// } loc(#loc)
// #loc = loc("model.py":1:1)
// #loc1 = loc("a")
// #loc2 = loc("b")
// #loc5 = loc("file with \\ and space.py":3:4)
// #loc6 = loc("run.py":7:3 to 9:1)
// #loc7 = loc("a \22loop\22")
// #loc8 = loc("cond")
// #loc9 = loc(callsite(#loc1 at #loc2))
// #loc10 = loc("late"(#loc5))
// #loc11 = loc(fused<"why">[#loc, #loc4])
// #loc12 = loc("main"(#loc9))
// #loc13 = loc(callsite(#loc10 at #loc6))
