//! The figures of plans hold together: their parts add up, the groups cover the devices, simpler plans are simpler.

use meshwright_compile::{
    Compiled, Options, ParallelDegrees, PipelineOptions, ScheduleChoice, Search, StepOptions, compile,
    from_config, pipeline, read,
};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Machine;
use meshwright_models::Batch;
use meshwright_plan::{Event, Figures};
use meshwright_schedule::named;

const GPT: &str = include_str!("../../../../examples/gpt.mlir");

fn planned(text: &str, machine: &str, options: &Options) -> Compiled {
    let source = Source::new("model.mlir", text);
    let program = read(&source).unwrap();
    let machine = Machine::from_spec(machine).unwrap();
    compile(&program, &source, &machine, options, &Quiet).unwrap_or_else(|error| panic!("{error}"))
}

fn asked(degrees: &str) -> Options {
    let asked: ParallelDegrees = degrees.parse().unwrap();
    Options { asked: Some(asked), search: Some(Search::None), ..Options::default() }
}

fn figures(compiled: &Compiled) -> &Figures {
    compiled.plan.figures.as_ref().expect("a plan has figures")
}

#[test]
fn parts_add_up_to_the_step_and_to_the_peak() {
    for (machine, options) in [
        ("cpu8", Options::default()),
        ("h100:2x4", asked("dp=2,tp=4,zero=1")),
        ("h100:1x8", asked("dp=8,zero=3")),
        ("tpu_v5p:2x2x2", asked("dp=4,tp=2")),
    ] {
        let options = Options { collectives: meshwright_compile::Collectives::Async, ..options };
        let compiled = planned(GPT, machine, &options);
        let (found, plan) = (figures(&compiled), &compiled.plan);
        let step = plan.predicted.total_seconds;
        let waterfall: f64 = found.waterfall.iter().map(|part| part.seconds).sum();
        assert_eq!(waterfall, step, "{machine}: the same sum, to the last bit");
        for parts in [&found.by_kind, &found.bound_by] {
            let sum: f64 = parts.iter().map(|part| part.seconds).sum();
            assert!((sum - step).abs() <= 1e-9 * step, "{machine}: {sum} {step}: {parts:?}");
        }
        let predicted = &plan.predicted;
        let sum = predicted.compute_seconds + predicted.communication_seconds - predicted.overlapped_seconds;
        assert!((sum - step).abs() <= 1e-9 * step, "{machine}: {predicted:?}");
        let peak: u64 = found.memory.iter().map(|part| part.peak_bytes).sum();
        assert_eq!(peak, plan.memory.peak_bytes, "{machine}: {:?}", found.memory);
        assert!(found.memory.iter().all(|part| part.mean_bytes <= plan.memory.peak_bytes), "{machine}");
    }
}

/// A convolution, and the gradient of its weights, which is one of images with images.
const CONVOLUTION: &str = r#"
func.func @main(%w: tensor<3x3x16x16xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<64x32x32x16xf32>) -> tensor<3x3x16x16xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<64x32x32x16xf32>, tensor<3x3x16x16xf32>) -> tensor<64x32x32x16xf32>
  %1 = stablehlo.convolution(%x, %0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<64x32x32x16xf32>, tensor<64x32x32x16xf32>) -> tensor<3x3x16x16xf32>
  %2 = stablehlo.subtract %w, %1 : tensor<3x3x16x16xf32>
  return %2 : tensor<3x3x16x16xf32>
}
"#;

#[test]
fn convolutions_are_no_attention() {
    let compiled = planned(CONVOLUTION, "h100:1x8", &Options::default());
    let found = figures(&compiled);
    assert_eq!(found.model_flops, found.model_flops_causal);
    assert!(found.model_flops > 0.0 && found.by_kind.iter().all(|part| !part.what.contains("attention")));
    assert_eq!(found.throughput.as_ref().map(|fed| fed.unit.as_str()), Some("samples"));
}

#[test]
fn no_plan_takes_less_than_its_bound() {
    for limit in [None, Some(meshwright_machine::Bytes(280 << 10))] {
        let plan = planned(GPT, "cpu8", &Options { memory_limit: limit, ..Options::default() }).plan;
        assert!(plan.bound_seconds.is_some_and(|bound| bound <= plan.predicted.before_passes_seconds));
    }
}

#[test]
fn model_flops_do_not_depend_on_the_plan() {
    // Weights of products: 2 layers of 4 (32 x 32) and 2 (32 x 128), and the head, 32 x 96; 8 x 16 tokens.
    let weights = 2 * (4 * 32 * 32 + 2 * 32 * 128) + 32 * 96;
    let hand = f64::from(8 * 16 * (6 * weights + 12 * 2 * 32 * 16));
    for options in [asked("dp=8"), asked("dp=2,tp=4"), asked("tp=4,dp=2,sp=4")] {
        let compiled = planned(GPT, "cpu8", &options);
        let found = figures(&compiled);
        assert_eq!(found.model_flops, hand);
        assert_eq!(found.model_flops_causal, hand - f64::from(8 * 16 * 6 * 2 * 32 * 16));
        assert!(found.executed_flops >= hand);
        let peak = 8.0 * found.peak_flops_per_second * compiled.plan.predicted.total_seconds;
        assert!((found.mfu - hand / peak).abs() < 1e-12);
        let fed = found.throughput.as_ref().expect("data has tokens");
        assert_eq!((fed.unit.as_str(), fed.samples_per_step, fed.per_step), ("tokens", 8, 128));
    }
}

#[test]
fn groups_hold_every_device_once() {
    let compiled = planned(GPT, "h100:2x4", &asked("dp=2,tp=4"));
    for groups in &figures(&compiled).process_groups {
        let mut all: Vec<usize> = groups.listed(8).concat();
        all.sort_unstable();
        assert_eq!(all, (0..8).collect::<Vec<_>>(), "{groups:?}");
        assert_eq!(groups.listed(8)[0], groups.first);
    }
}

/// Two products, whose weights have to be sharded where memory is short.
const LAYERS: &str = "
func.func @main(%w1: tensor<512x2048xf32>, %w2: tensor<2048x512xf32>, %x: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x2048xf32>) -> tensor<256x2048xf32>
  %t = stablehlo.tanh %h : tensor<256x2048xf32>
  %y = stablehlo.dot_general %t, %w2, contracting_dims = [1] x [0] : (tensor<256x2048xf32>, tensor<2048x512xf32>) -> tensor<256x512xf32>
  return %y : tensor<256x512xf32>
}";

#[test]
fn a_simpler_plan_is_taken_where_that_costs_little() {
    let plan = |simplest_within: Option<f64>| {
        let memory_limit = Some(meshwright_machine::Bytes(3 << 20));
        planned(LAYERS, "cpu8", &Options { simplest_within, memory_limit, ..Options::default() }).plan
    };
    let (own, simple, none) = (plan(None), plan(Some(0.5)), plan(Some(0.0)));
    let says = |reasons: &[String], words: &str| reasons.iter().any(|reason| reason.starts_with(words));
    assert!(says(&own.reasons, "the simplest plan near it: "), "{:?}", own.reasons);
    let words = "the simplest plan within 50 % of the best was asked for: ";
    assert!(says(&simple.reasons, words), "{:?}", simple.reasons);
    assert!(simple.mesh.len() < own.mesh.len(), "{:?}", simple.mesh);
    let slower = simple.predicted.before_passes_seconds / own.predicted.before_passes_seconds;
    assert!((1.0..=1.5).contains(&slower), "{slower}");
    assert_eq!(none.arguments, own.arguments);
}

/// Of each group the blocks send what the collectives of its programs send, as often as its row runs these.
#[test]
fn blocks_of_stages_send_what_their_programs_send() {
    let path = format!("{}/../../tests/data/models/tiny/llama.json", env!("CARGO_MANIFEST_DIR"));
    let config = Source::new(path.clone(), std::fs::read_to_string(path).unwrap());
    let mut step = StepOptions::of_batch(Batch::Sequences(8));
    step.model.sequence = Some(16);
    let step = from_config(&config, &step).expect("a step");
    let machine = Machine::from_spec("h100:1x4").unwrap();
    let wanted = PipelineOptions {
        groups: 2,
        virtual_stages: None,
        microbatches: 4,
        schedule: ScheduleChoice::Named(named("1f1b").expect("a schedule")),
    };
    let made = pipeline(&step.program, &machine, &asked("tp=2"), &wanted, &Quiet).unwrap();
    let figures = made.plan.figures.as_ref().expect("figures");
    for (group, row) in made.programs.schedule.rows.iter().enumerate() {
        let mut sent = 0.0;
        for event in row {
            let Event::Action(action) = event else { continue };
            let device = &made.programs.programs[&action.program].device;
            let body = &device.program.main().expect("a function").body;
            for inst in body.walk(body.entry()) {
                let view = body.view(inst);
                let factor = match view.inst.op.name() {
                    "stablehlo.all_reduce" => 1.0,
                    "stablehlo.all_gather" => 1.0,
                    "stablehlo.reduce_scatter" | "stablehlo.all_to_all" => 0.5,
                    "stablehlo.collective_permute" => 1.0,
                    _ => continue,
                };
                sent += factor * view.operand_types().map(|ty| ty.num_bytes() as f64).sum::<f64>();
            }
        }
        let parts = figures.by_block.iter().filter(|part| part.group == Some(group));
        let found: u64 = parts.map(|part| part.sent_bytes).sum();
        assert!(sent > 0.0 && (found as f64 - sent).abs() <= 64.0, "group {group}: {found}, not {sent}");
    }
}
