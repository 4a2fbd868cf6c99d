// test: propagate complete
// The batch and the weights are sharded over one axis: the weights are gathered for use, the gradient of the
// weights comes out scattered, and the update stays where the weights are.
sdy.mesh @mesh = <["data"=2]>
func.func @step(%w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, tf.aliasing_output = 0 : i32}, %x: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x16xf32>, tensor<16x32xf32>) -> tensor<256x32xf32>
  %dy = stablehlo.tanh %y : tensor<256x32xf32>
  %dw = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<256x16xf32>, tensor<256x32xf32>) -> tensor<16x32xf32>
  %new = stablehlo.subtract %w, %dw : tensor<16x32xf32>
  return %new : tensor<16x32xf32>
}
// expect:
// %w [{"data"}, {}]
// %x [{"data"}, {}]
// %y [{"data"}, {}]    made [{"data"}, {}] from [{"data"}, {}] x [{}, {}]
// %dy [{"data"}, {}]
// %dw [{"data"}, {}]    made [{}, {}], unreduced={"data"} from [{"data"}, {}] x [{"data"}, {}]
// %new [{"data"}, {}]
// result 0 [{"data"}, {}]
