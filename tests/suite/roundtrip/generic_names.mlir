// test: roundtrip generic
// In the generic form all values of a module have numbers of their own, the last region first.
module @m attributes {mhlo.num_replicas = 1 : i32} {
  func.func public @main(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %i: tensor<i32>) -> (tensor<2xf32> {jax.result_info = "x"}) attributes {no_inline, x.y} {
    %cst = stablehlo.constant dense<1.0> : tensor<2xf32>
    %0:2 = stablehlo.while(%x = %a, %j = %i) : tensor<2xf32>, tensor<i32>
    cond {
      %p = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %y = stablehlo.add %x, %cst : tensor<2xf32>
      stablehlo.return %y, %j : tensor<2xf32>, tensor<i32>
    }
    return %0#0 : tensor<2xf32>
  }
  func.func private @g(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %a, %a : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
// expect:
// "builtin.module"() <{sym_name = "m"}> ({
//   "func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}, {}], function_type = (tensor<2xf32>, tensor<i32>) -> tensor<2xf32>, no_inline, res_attrs = [{jax.result_info = "x"}], sym_name = "main", sym_visibility = "public"}> ({
//   ^bb0(%arg1: tensor<2xf32>, %arg2: tensor<i32>):
//     %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf32>}> : () -> tensor<2xf32>
//     %2:2 = "stablehlo.while"(%arg1, %arg2) ({
//     ^bb0(%arg5: tensor<2xf32>, %arg6: tensor<i32>):
//       %4 = "stablehlo.compare"(%arg6, %arg2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
//       "stablehlo.return"(%4) : (tensor<i1>) -> ()
//     }, {
//     ^bb0(%arg3: tensor<2xf32>, %arg4: tensor<i32>):
//       %3 = "stablehlo.add"(%arg3, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
//       "stablehlo.return"(%3, %arg4) : (tensor<2xf32>, tensor<i32>) -> ()
//     }) : (tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>, tensor<i32>)
//     "func.return"(%2#0) : (tensor<2xf32>) -> ()
//   }) {x.y} : () -> ()
//   "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "g", sym_visibility = "private"}> ({
//   ^bb0(%arg0: tensor<2xf32>):
//     %0 = "stablehlo.add"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
//     "func.return"(%0) : (tensor<2xf32>) -> ()
//   }) : () -> ()
// }) {mhlo.num_replicas = 1 : i32} : () -> ()
