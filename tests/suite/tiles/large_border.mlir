// test: tiles count=2 possible
// Where all that can run in tiles has a border as large as what is in it, that is what runs.
func.func @main(%x: tensor<4x6xf32>, %w: tensor<6x6xf32>) -> tensor<4x6xf32> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %a = stablehlo.tanh %h : tensor<4x6xf32>
  return %a : tensor<4x6xf32>
}
