// test: verify
// Accuracies, dialect attributes and groups along mesh axes.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.tanh %a {result_accuracy = #stablehlo.result_accuracy<ulps = 5, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2x2xf32>
    %1 = stablehlo.abs %a {x.y = #stablehlo.dot<lhs_batching_dims = [1]>} : tensor<2x2xf32>
    %2 = stablehlo.abs %a {x.y = #stablehlo.conv<[b, f]x[i, i]->[b, f]>} : tensor<2x2xf32>
    %3 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mush, axes = [#stablehlo.axis_ref<name = "y">]>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
    %4 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "z">]>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
    return %a : tensor<2x2xf32>
  }
}
// error: syntax @6: `#stablehlo.result_accuracy`: HIGHEST goes with no tolerances
// error: syntax @7: `#stablehlo.dot`: unknown field `lhs_batching_dims`
// error: syntax @8: `#stablehlo.conv`: [i, i] should name dim `i` once
// error: names @9: `replica_groups`: the mesh `@mush` is not declared
// error: attributes @10: `replica_groups`: the mesh has no axis "z"
