// test: roundtrip
// Functions without a body, their visibility, and tuples.
"builtin.module"() <{sym_name = "m"}> ({
  func.func nested @f(tensor<2xf32> {a.b}, %named: !stablehlo.token) -> (tensor<2xf32> {c = (tensor<i32>) -> ()})
  "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, no_inline, sym_name = "g", sym_visibility = "private"}> ({
  }) : () -> ()
  func.func @main(%a: tensor<2xf32>) -> tuple<tensor<2xf32>> attributes {no_inline, x.y = 1 : i64} {
    %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
    %1 = stablehlo.custom_call @t(%0) : (tensor<2xf32>) -> tuple<tensor<2xf32>>
    return %1 : tuple<tensor<2xf32>>
  }
}) {mhlo.num_replicas = 1 : i32} : () -> ()
// expect:
// module @m attributes {mhlo.num_replicas = 1 : i32} {
//   func.func nested @f(tensor<2xf32> {a.b}, !stablehlo.token) -> (tensor<2xf32> {c = (tensor<i32>) -> ()})
//   func.func private @g(tensor<2xf32>) -> tensor<2xf32> attributes {no_inline}
//   func.func @main(%arg0: tensor<2xf32>) -> tuple<tensor<2xf32>> attributes {no_inline, x.y = 1 : i64} {
//     %0 = call @g(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
//     %1 = stablehlo.custom_call @t(%0) : (tensor<2xf32>) -> tuple<tensor<2xf32>>
//     return %1 : tuple<tensor<2xf32>>
//   }
// }
