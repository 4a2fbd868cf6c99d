// test: verify
// Heads of functions.
func.func @f(tensor<2xf32>) {
  return
}
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "g"}> ({
^bb0(%a: tensor<3xf32>):
  "func.return"() : () -> ()
}) : () -> ()
"func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xf32>) -> (), sym_name = "h"}> ({
^bb0(%a: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
func.func private @f()
// error: syntax @3: the arguments of a function with a body need names
// error: attributes @6: `func.func`: the arguments of the body are not those of `function_type`
// error: attributes @10: `func.func`: `arg_attrs` should list a dictionary per argument
