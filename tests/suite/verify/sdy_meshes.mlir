// test: verify
// A mesh has each axis once and each device once; a sharding names a mesh that is there.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @zero = <["x"=0]>
sdy.mesh @twice = <["x"=2, "y"=2, "x"=4]>
sdy.mesh @too_few = <["x"=2, "y"=2], device_ids=[1, 0]>
sdy.mesh @again = <["x"=2], device_ids=[1, 1]>
sdy.mesh @beyond = <["x"=2], device_ids=[2, 1]>
sdy.mesh @several = <[], device_ids=[1, 0]>
sdy.mesh @negative = <[], device_ids=[-1]>
sdy.mesh @huge = <["x"=1000000000, "y"=1000000000, "z"=1000000000]>
sdy.mesh @mesh = <["x"=2]>
"sdy.mesh"() <{sym_name = "nothing"}> : () -> ()
"sdy.mesh"() <{mesh = 3 : i64, sym_name = "nothing"}> : () -> ()
sdy.mesh @second = <["x"=2]>
func.func private @second() {
  return
}
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "x"=2]>, [{}]>}) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
// error: attributes @4: mesh axis "x" has size 0
// error: attributes @5: mesh axis "x" is named twice
// error: attributes @6: the axes give 4 devices, but there are 2 device ids
// error: attributes @7: device id 1 is listed twice
// error: attributes @8: device id 2 is not below the number of devices, 2
// error: attributes @9: a mesh without axes has at most one device id
// error: syntax @10: a negative or too large number where a size or position is meant
// error: attributes @11: the mesh has more than 16,777,216 devices
// error: names @12: `@mesh` is defined twice
// error: attributes @13: `sdy.mesh` needs a `sym_name` and a `mesh`
// error: attributes @14: `sdy.mesh` needs a `sym_name` and a `mesh`
// error: names @16: `@second` is defined twice
// error: attributes @19: mesh axis "x" is named twice
