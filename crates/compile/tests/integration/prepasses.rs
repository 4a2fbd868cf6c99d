//! Steps that have to see all examples before any of them goes on, in stages.

use crate::agreement;
use meshwright_compile::{Options, PipelineOptions, Pipelined, ScheduleChoice, pipeline, read};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Machine;
use meshwright_schedule::SCHEDULES;

/// Three layers; the loss has the squares of the sums over the batch of what the first one makes, as a loss of balance has:
/// the gradient of an example reads the sum over all.
const STEP: &str = r#"
func.func @main(%w: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<8x8xf32> {tf.aliasing_output = 1 : i32}, %u: tensor<8x8xf32> {tf.aliasing_output = 2 : i32}, %x: tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %ones = stablehlo.constant dense<1.0> : tensor<16x8xf32>
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %h = stablehlo.tanh %a : tensor<16x8xf32>
  %s = stablehlo.reduce(%h init: %none) applies stablehlo.add across dimensions = [0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %k = stablehlo.tanh %b : tensor<16x8xf32>
  %y = stablehlo.dot_general %k, %u, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %du = stablehlo.dot_general %k, %y, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %dk = stablehlo.dot_general %y, %u, contracting_dims = [1] x [1] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %kk = stablehlo.multiply %k, %k : tensor<16x8xf32>
  %ks = stablehlo.subtract %ones, %kk : tensor<16x8xf32>
  %db = stablehlo.multiply %dk, %ks : tensor<16x8xf32>
  %dv = stablehlo.dot_general %h, %db, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %dh = stablehlo.dot_general %db, %v, contracting_dims = [1] x [1] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %all = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<8xf32>) -> tensor<16x8xf32>
  %dt = stablehlo.add %dh, %all : tensor<16x8xf32>
  %hh = stablehlo.multiply %h, %h : tensor<16x8xf32>
  %hs = stablehlo.subtract %ones, %hh : tensor<16x8xf32>
  %da = stablehlo.multiply %dt, %hs : tensor<16x8xf32>
  %dw = stablehlo.dot_general %x, %da, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %nw = stablehlo.subtract %w, %dw : tensor<8x8xf32>
  %nv = stablehlo.subtract %v, %dv : tensor<8x8xf32>
  %nu = stablehlo.subtract %u, %du : tensor<8x8xf32>
  return %nw, %nv, %nu : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
"#;

fn made(schedule: &str, options: &Options) -> Pipelined {
    let program = read(&Source::new("step", STEP)).unwrap();
    let machine = Machine::from_spec("cpu8:4").unwrap();
    let named = SCHEDULES.into_iter().find(|named| named.name == schedule).unwrap();
    let schedule = ScheduleChoice::Named(named);
    let wanted = PipelineOptions { groups: 2, virtual_stages: None, microbatches: 4, schedule };
    pipeline(&program, &machine, options, &wanted, &Quiet).unwrap()
}

fn must_agree(made: &Pipelined) {
    agreement::must_agree(&made.program, &made.programs, &made.function);
}

fn has_prepass(made: &Pipelined) -> bool {
    made.plan.schedule.iter().any(|row| row.contains('P'))
}

#[test]
fn forward_passes_that_all_come_first_gather_what_a_pass_before_them_would() {
    let pipelined = made("gpipe", &Options::default());
    must_agree(&pipelined);
    assert!(pipelined.plan.gathers_forward && !has_prepass(&pipelined));
    let again = made("gpipe", &Options { plan: Some(pipelined.plan.clone()), ..Options::default() });
    assert_eq!(again.plan.schedule, pipelined.plan.schedule);
    // A plan that has the pass keeps it.
    let with_pass = made("1f1b", &Options::default());
    must_agree(&with_pass);
    assert!(!with_pass.plan.gathers_forward && has_prepass(&with_pass));
    assert!(pipelined.figures.stages.iter().all(|stage| stage.prepass.0 == 0.0));
    assert!(with_pass.figures.stages.iter().any(|stage| stage.prepass.0 > 0.0));
}
