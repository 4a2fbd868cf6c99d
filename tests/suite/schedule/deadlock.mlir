// test: schedule
// Stage 0 wants a gradient before it hands on what that is made of.
// schedule: 1f1b microbatches=2
// 0F0 h:0>1:0 0F1 dh:1>0:0 0B0 h:0>1:1 dh:1>0:1 0B1 0U0
// h:0>1:0 1F0 1B0 h:0>1:1 1F1 dh:1>0:0 1B1 dh:1>0:1 1U0
func.func @main(%x: tensor<2x4x4xf32>, %t: tensor<2x4x2xf32>, %w0: tensor<4x6xf32>, %w1: tensor<6x2xf32>)
    -> (tensor<4x6xf32>, tensor<6x2xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rate0 = stablehlo.constant dense<0.1> : tensor<4x6xf32>
  %rate1 = stablehlo.constant dense<0.1> : tensor<6x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x6xf32>
  %xs = stablehlo.reshape %x : (tensor<2x4x4xf32>) -> tensor<8x4xf32>
  %ts = stablehlo.reshape %t : (tensor<2x4x2xf32>) -> tensor<8x2xf32>
  %a = stablehlo.dot_general %xs, %w0, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %h = stablehlo.tanh %a : tensor<8x6xf32>
  %y = stablehlo.dot_general %h, %w1, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x2xf32>) -> tensor<8x2xf32>
  %d = stablehlo.subtract %y, %ts : tensor<8x2xf32>
  %sq = stablehlo.multiply %d, %d : tensor<8x2xf32>
  %loss = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
  %dy = stablehlo.add %d, %d : tensor<8x2xf32>
  %g1 = stablehlo.dot_general %h, %dy, contracting_dims = [0] x [0] : (tensor<8x6xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %dh = stablehlo.dot_general %dy, %w1, contracting_dims = [1] x [1] : (tensor<8x2xf32>, tensor<6x2xf32>) -> tensor<8x6xf32>
  %hh = stablehlo.multiply %h, %h : tensor<8x6xf32>
  %slope = stablehlo.subtract %one, %hh : tensor<8x6xf32>
  %da = stablehlo.multiply %dh, %slope : tensor<8x6xf32>
  %g0 = stablehlo.dot_general %xs, %da, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %s0 = stablehlo.multiply %rate0, %g0 : tensor<4x6xf32>
  %s1 = stablehlo.multiply %rate1, %g1 : tensor<6x2xf32>
  %n0 = stablehlo.subtract %w0, %s0 : tensor<4x6xf32>
  %n1 = stablehlo.subtract %w1, %s1 : tensor<6x2xf32>
  return %n0, %n1, %loss : tensor<4x6xf32>, tensor<6x2xf32>, tensor<f32>
}
// -----
module attributes {meshwright.group = 0 : i32, meshwright.program = "0F"} {
  sdy.mesh @mesh = <["data"=1]>
  func.func @main(%x: tensor<2x4x4xf32> {meshwright.slot = "argument 0"},
                  %w: tensor<4x6xf32> {meshwright.slot = "argument 2"},
                  %m: tensor<i32> {meshwright.slot = "microbatch"})
      -> (tensor<4x6xf32> {meshwright.slot = "stash h"}) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %x, %m, %0, %0, sizes = [1, 4, 4] : (tensor<2x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %xs = stablehlo.reshape %1 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %a = stablehlo.dot_general %xs, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %h = stablehlo.tanh %a : tensor<4x6xf32>
    return %h : tensor<4x6xf32>
  }
}
// -----
module attributes {meshwright.group = 0 : i32, meshwright.program = "0B"} {
  sdy.mesh @mesh = <["data"=1]>
  func.func @main(%x: tensor<2x4x4xf32> {meshwright.slot = "argument 0"},
                  %m: tensor<i32> {meshwright.slot = "microbatch"},
                  %h: tensor<4x6xf32> {meshwright.slot = "stash h"},
                  %dh: tensor<4x6xf32> {meshwright.slot = "received dh"},
                  %sum: tensor<4x6xf32> {meshwright.slot = "accumulator g0"})
      -> (tensor<4x6xf32> {meshwright.slot = "accumulator g0"}) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %x, %m, %0, %0, sizes = [1, 4, 4] : (tensor<2x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %xs = stablehlo.reshape %1 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %one = stablehlo.constant dense<1.0> : tensor<4x6xf32>
    %hh = stablehlo.multiply %h, %h : tensor<4x6xf32>
    %slope = stablehlo.subtract %one, %hh : tensor<4x6xf32>
    %da = stablehlo.multiply %dh, %slope : tensor<4x6xf32>
    %g = stablehlo.dot_general %xs, %da, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %s = stablehlo.add %sum, %g : tensor<4x6xf32>
    return %s : tensor<4x6xf32>
  }
}
// -----
module attributes {meshwright.group = 0 : i32, meshwright.program = "0U0"} {
  sdy.mesh @mesh = <["data"=1]>
  func.func @main(%w: tensor<4x6xf32> {meshwright.slot = "argument 2"},
                  %sum: tensor<4x6xf32> {meshwright.slot = "accumulator g0"})
      -> (tensor<4x6xf32> {meshwright.slot = "result 0"}) {
    %rate = stablehlo.constant dense<0.1> : tensor<4x6xf32>
    %s = stablehlo.multiply %rate, %sum : tensor<4x6xf32>
    %n = stablehlo.subtract %w, %s : tensor<4x6xf32>
    return %n : tensor<4x6xf32>
  }
}
// -----
module attributes {meshwright.group = 1 : i32, meshwright.program = "1F"} {
  sdy.mesh @mesh = <["model"=1]>
  func.func @main(%h: tensor<4x6xf32> {meshwright.slot = "received h"},
                  %w: tensor<6x2xf32> {meshwright.slot = "argument 3"},
                  %t: tensor<2x4x2xf32> {meshwright.slot = "argument 1"},
                  %m: tensor<i32> {meshwright.slot = "microbatch"},
                  %sum: tensor<f32> {meshwright.slot = "accumulator loss"})
      -> (tensor<4x2xf32> {meshwright.slot = "stash d"},
          tensor<f32> {meshwright.slot = "accumulator loss"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_slice %t, %m, %0, %0, sizes = [1, 4, 2] : (tensor<2x4x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2xf32>
    %ts = stablehlo.reshape %1 : (tensor<1x4x2xf32>) -> tensor<4x2xf32>
    %y = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
    %d = stablehlo.subtract %y, %ts : tensor<4x2xf32>
    %sq = stablehlo.multiply %d, %d : tensor<4x2xf32>
    %l = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
    %s = stablehlo.add %sum, %l : tensor<f32>
    return %d, %s : tensor<4x2xf32>, tensor<f32>
  }
}
// -----
module attributes {meshwright.group = 1 : i32, meshwright.program = "1B"} {
  sdy.mesh @mesh = <["model"=1]>
  func.func @main(%h: tensor<4x6xf32> {meshwright.slot = "received h"},
                  %d: tensor<4x2xf32> {meshwright.slot = "stash d"},
                  %w: tensor<6x2xf32> {meshwright.slot = "argument 3"},
                  %sum: tensor<6x2xf32> {meshwright.slot = "accumulator g1"})
      -> (tensor<4x6xf32> {meshwright.slot = "stash dh"},
          tensor<6x2xf32> {meshwright.slot = "accumulator g1"}) {
    %dy = stablehlo.add %d, %d : tensor<4x2xf32>
    %g = stablehlo.dot_general %h, %dy, contracting_dims = [0] x [0] : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<6x2xf32>
    %dh = stablehlo.dot_general %dy, %w, contracting_dims = [1] x [1] : (tensor<4x2xf32>, tensor<6x2xf32>) -> tensor<4x6xf32>
    %s = stablehlo.add %sum, %g : tensor<6x2xf32>
    return %dh, %s : tensor<4x6xf32>, tensor<6x2xf32>
  }
}
// -----
module attributes {meshwright.group = 1 : i32, meshwright.program = "1U0"} {
  sdy.mesh @mesh = <["model"=1]>
  func.func @main(%w: tensor<6x2xf32> {meshwright.slot = "argument 3"},
                  %sum: tensor<6x2xf32> {meshwright.slot = "accumulator g1"},
                  %loss: tensor<f32> {meshwright.slot = "accumulator loss"})
      -> (tensor<6x2xf32> {meshwright.slot = "result 1"},
          tensor<f32> {meshwright.slot = "result 2"}) {
    %rate = stablehlo.constant dense<0.1> : tensor<6x2xf32>
    %s = stablehlo.multiply %rate, %sum : tensor<6x2xf32>
    %n = stablehlo.subtract %w, %s : tensor<6x2xf32>
    return %n, %loss : tensor<6x2xf32>, tensor<f32>
  }
}
// error: schedule: the schedule never ends: group 0 waits at `dh:1>0:0` for group 1, group 1 waits at `h:0>1:1` for group 0
