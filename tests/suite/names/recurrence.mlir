// test: names
// A recurrence whose products run sixteen times, and one product over all its steps: the work of a loop counts as often
// as it runs. Tokens split outside of the loop only are no context parallelism, as no device goes through a part of it.
sdy.mesh @mesh = <["model"=2, "rest"=2]>
func.func @forward(%inner: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %head: tensor<8x64xf32>, %x: tensor<16x2x8xf32>) -> (tensor<16x2x64xf32>, tensor<16x2x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<16> : tensor<i32>
  %start = stablehlo.constant dense<0.0> : tensor<2x8xf32>
  %none = stablehlo.constant dense<0.0> : tensor<16x2x8xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %start, %all = %none) : tensor<i32>, tensor<2x8xf32>, tensor<16x2x8xf32>
  cond {
    %more = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 2, 8] : (tensor<16x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %now = stablehlo.reshape %row : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %kept = stablehlo.dot_general %h, %inner, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %sum = stablehlo.add %now, %kept : tensor<2x8xf32>
    %new = stablehlo.tanh %sum : tensor<2x8xf32>
    %made = stablehlo.reshape %new : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %written = stablehlo.dynamic_update_slice %all, %made, %i, %zero, %zero : (tensor<16x2x8xf32>, tensor<1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x2x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %new, %written : tensor<i32>, tensor<2x8xf32>, tensor<16x2x8xf32>
  }
  %tokens = sdy.sharding_constraint %x <@mesh, [{"rest"}, {}, {}]> : tensor<16x2x8xf32>
  %y = stablehlo.dot_general %tokens, %head, contracting_dims = [2] x [0] : (tensor<16x2x8xf32>, tensor<8x64xf32>) -> tensor<16x2x64xf32>
  return %y, %0#2 : tensor<16x2x64xf32>, tensor<16x2x8xf32>
}
// expect:
// tensor parallel over 2, sequence parallel over 2
// dp=1, fsdp=1, tp=2, sp=1, cp=2, ep=1, zero=0
// parameter, parameter, data [s b -]
