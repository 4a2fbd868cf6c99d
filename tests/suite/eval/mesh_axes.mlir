// test: eval devices=4
// Groups along a mesh axis.
module attributes {mhlo.num_replicas = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main() -> tensor<2xui32> {
    %0 = stablehlo.replica_id : tensor<ui32>
    %1 = stablehlo.reshape %0 : (tensor<ui32>) -> tensor<1xui32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<1xui32>) -> tensor<2xui32>
    return %2 : tensor<2xui32>
  }
}
// expect:
// device 0: tensor<2xui32> [0, 2]
// device 1: tensor<2xui32> [1, 3]
// device 2: tensor<2xui32> [0, 2]
// device 3: tensor<2xui32> [1, 3]
