// test: eval
// Two replicas of two partitions: ids count replicas without a channel, whole replicas or partitions with one, devices
// where the program says so.
func.func @collect(%a: tensor<1xi32>) -> (tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<1xi32>) -> tensor<2xi32>
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<1xi32>) -> tensor<4xi32>
  %2 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, use_global_device_ids} : (tensor<1xi32>) -> tensor<2xi32>
  %3 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>} : (tensor<1xi32>) -> tensor<1xi32>
  %4 = "stablehlo.collective_reduce"(%a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<1xi32>) -> tensor<1xi32>
  return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>
}
func.func @main() -> (tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) {
  %a = stablehlo.constant dense<0> : tensor<1xi32>
  %b = stablehlo.constant dense<1> : tensor<1xi32>
  %c = stablehlo.constant dense<2> : tensor<1xi32>
  %d = stablehlo.constant dense<3> : tensor<1xi32>
  %0:20 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@collect, @collect], [@collect, @collect]]} : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>)
  return %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11, %0#12, %0#13, %0#14 : tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>
}
// expect:
// tensor<2xi32> [3, 1]
// tensor<4xi32> [0, 2, 1, 3]
// tensor<2xi32> [1, 2]
// tensor<1xi32> [0]
// tensor<1xi32> [0]
// tensor<2xi32> [2, 0]
// tensor<4xi32> [0, 2, 1, 3]
// tensor<2xi32> [1, 2]
// tensor<1xi32> [0]
// tensor<1xi32> [2]
