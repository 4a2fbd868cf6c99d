// test: verify
// What is not compiled is named, with what to do about it.
func.func @main(%a: tensor<2xf32>, %n: tensor<1xi32>) -> tensor<2xf32> {
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<?xf32>
  %1 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<*xf32>
  %2 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %3 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xf32, #stablehlo.bounds<4>>
  %4 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xf32, #sparse_tensor.encoding<{ map = (i) -> (i : dense) }>>
  %5 = stablehlo.convert %a : (tensor<2xf32>) -> memref<2xf32>
  %6 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xindex>
  %7 = stablehlo.dynamic_reshape %a, %n : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  %8 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2xf32>
  %9 = "vhlo.add_v1"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %10 = arith.constant 1 : i32
  %11 = "tosa.add"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %a : tensor<2xf32>
}
// error: types @4: the type `tensor<?xf32>` has dims of unknown size
// error: types @5: the type `tensor<*xf32>` has dims of unknown size
// error: types @6: the element type `!quant.uniform` is quantized
// error: types @7: a tensor type with the encoding `#stablehlo.bounds<4>` is not supported
// error: types @8: a tensor type with the encoding `#sparse_tensor.encoding<{ map = (i) -> (i : dense) }>` is not supported
// error: types @9: the type `memref` is not supported
// error: types @10: `index` is not an element type
// error: unknown-op @11: the operation `stablehlo.dynamic_reshape` takes sizes that are known only when it runs
// error: unknown-op @12: the operation `stablehlo.uniform_quantize` works on quantized types
// error: unknown-op @13: the operation `vhlo.add_v1` belongs to the form in which programs are stored
// error: unknown-op @14: the operation `arith.constant` is not known
// error: unknown-op @15: the operation `tosa.add` is not known
