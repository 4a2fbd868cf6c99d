// test: partition
// A sharding in GSPMD's form in a program whose shardings are in Shardy's, at an argument, a result and an operation.
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                  %b: tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"})
      -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.add %a, %b {mhlo.sharding = "{devices=[4,1]<=[4]}"} : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// error: not-global @8: `stablehlo.add` carries a GSPMD sharding that is not used: the module declares the mesh `@mesh`, so its shardings are those in Shardy's form (`sdy.sharding`)
// error: not-global @6: argument 1 carries a GSPMD sharding that is not used: the module declares the mesh `@mesh`, so its shardings are those in Shardy's form (`sdy.sharding`)
// error: not-global @7: result 0 carries a GSPMD sharding that is not used: the module declares the mesh `@mesh`, so its shardings are those in Shardy's form (`sdy.sharding`)
