// test: partition
// Exchanges of several values, one behind the other, stay.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    %2:2 = "stablehlo.all_to_all"(%b, %b) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %3:2 = "stablehlo.all_to_all"(%2#1, %2#0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %s = stablehlo.add %3#0, %3#1 : tensor<4x8xf32>
    sdy.return %s : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
// expect:
// all_to_all tensor<4x8xf32> tensor<4x8xf32> dense<[[0, 1]]>
// all_to_all tensor<4x8xf32> tensor<4x8xf32> dense<[[0, 1]]>
// (tensor<4x8xf32>) -> (tensor<4x8xf32>)
