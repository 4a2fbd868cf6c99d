//! Updates that are validated behind the step, beside those that wait.

use meshwright_compile::{
    Indices, LossScaling, Options, PipelineOptions, Pipelined, ScheduleChoice, Settings, Trained,
    TrainingOptions, Validation, pipeline, read, training_step,
};
use meshwright_execute::{draw_each, run_recorded, suiting};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_plan::{Event, Phase};
use meshwright_schedule::named;
use meshwright_tensor::types::{ElementType, Type};
use meshwright_tensor::{Precision, Tensor};

/// A step of five layers whose gradients are scaled and clipped; where it is tied, the last one has the weights of the first,
/// transposed, so that its group gives the other one a gradient that is no accumulator.
fn step(clip: f64, is_tied: bool) -> Program {
    let layers = (0..5).map(|layer| {
        let before = if layer == 0 { "%x".to_owned() } else { format!("%h{}", layer - 1) };
        let weight = if is_tied && layer == 4 { "%t0".to_owned() } else { format!("%w{layer}") };
        format!(
            "  %d{layer} = stablehlo.dot_general {before}, {weight}, contracting_dims = [1] x [0] : \
             (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>\n\
             \x20 %h{layer} = stablehlo.tanh %d{layer} : tensor<8x16xf32>\n"
        )
    });
    let weights = (0..5).map(|layer| format!("%w{layer}: tensor<16x16xf32>")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "func.func public @main({weights}, %x: tensor<8x16xf32>) -> tensor<f32> {{\n  \
         %t0 = stablehlo.transpose %w0, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>\n{}  \
         %s = stablehlo.multiply %h4, %h4 : tensor<8x16xf32>\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n  \
         %l = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1] : \
         (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>\n  return %l : tensor<f32>\n}}\n",
        layers.collect::<String>()
    );
    let loss = read(&Source::new("loss", text)).unwrap();
    let options = TrainingOptions {
        optimizer: "adamw".to_owned(),
        settings: Settings { learning_rate: Some(1e-2), weight_decay: Some(0.1) },
        undecayed: Vec::new(),
        clip: Some(clip),
        scaling: LossScaling::Dynamic { interval: 100 },
        indices: Indices::Any,
    };
    let trained =
        Trained::Named((0..if is_tied { 4 } else { 5 }).map(|layer| format!("arg{layer}")).collect());
    training_step(&loss, &trained, 0, &options).unwrap()
}

fn cut(program: &Program, schedule: &str, validation: Validation) -> Pipelined {
    let schedule = ScheduleChoice::Named(named(schedule).unwrap());
    let wanted = PipelineOptions { groups: 2, virtual_stages: None, microbatches: 4, schedule };
    let options = Options { validation, ..Options::default() };
    pipeline(program, &Machine::from_spec("cpu8:2").unwrap(), &options, &wanted, &Quiet).unwrap()
}

/// Arguments as `check` draws them, the loss scaled by so much.
fn inputs(program: &Program, made: &Pipelined, scale: f64) -> Vec<Tensor> {
    let function = &made.function;
    let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
    let mut inputs = draw_each(&types, 0, &suiting(program)).unwrap();
    let scalars = types
        .iter()
        .enumerate()
        .filter(|(_, ty)| ty.as_tensor().is_some_and(|ty| ty.rank() == 0 && ty.element.is_float()));
    for (index, _) in scalars {
        inputs[index] = Tensor::from_vec(ElementType::F32, [], vec![scale as f32]);
    }
    inputs
}

fn f64s(tensors: impl IntoIterator<Item = Tensor>) -> Vec<Vec<u64>> {
    tensors.into_iter().map(|own| own.to_f64_vec().into_iter().map(f64::to_bits).collect()).collect()
}

/// The results to the bit, and how often an update was made again.
fn ran(made: &Pipelined, inputs: &[Tensor]) -> (Vec<Vec<u64>>, usize) {
    let (results, ended) = run_recorded(&made.programs, inputs, Precision::Declared, &Quiet).unwrap();
    let is_redo = |(_, event): &&(usize, Event)| matches!(event, Event::Action(action) if action.program.phase == Phase::Redo);
    (f64s(results.into_iter().map(|own| own.tensor)), ended.iter().filter(is_redo).count())
}

/// Compares results with those where all wait, to the bit. Returns how many updates were made again, and the stages.
fn made_again(program: &Program, schedule: &str, scale: f64) -> (usize, usize) {
    let waits = cut(program, schedule, Validation::Before);
    let goes_on = cut(program, schedule, Validation::After);
    assert!(goes_on.plan.post_validation && !waits.plan.post_validation);
    let inputs = inputs(program, &waits, scale);
    let (expected, none) = ran(&waits, &inputs);
    let (found, again) = ran(&goes_on, &inputs);
    assert_eq!((found, none), (expected, 0), "{schedule}, scale {scale}");
    (again, goes_on.staged.count)
}

/// Nothing to correct, a norm to clip, a gradient that overflows.
const CASES: [(f64, f64, usize); 3] = [(1e6, 2.0, 0), (1e-9, 2.0, 2), (1e6, f64::INFINITY, 2)];

/// The same to the bit as where all wait, and made again only where something has to be corrected.
#[test]
fn what_does_not_stand_is_made_again() {
    for (clip, scale, redone) in CASES {
        let program = step(clip, false);
        for schedule in ["1f1b", "zb-h2", "zb-v"] {
            let (again, stages) = made_again(&program, schedule, scale);
            assert_eq!(again, redone * stages / 2, "{schedule}, clip {clip}, scale {scale}");
        }
    }
}

/// What one stage has of the gradient of a parameter of another is waited for.
#[test]
fn gradients_of_two_stages_are_put_together_first() {
    for (clip, scale, _) in CASES {
        let program = step(clip, true);
        for schedule in ["1f1b", "zb-h2", "zb-v"] {
            made_again(&program, schedule, scale);
        }
    }
}

/// The update waits for nobody: the step is no longer than where all wait, but for the validation, and shorter where groups
/// begin and end one after the other.
#[test]
fn the_next_step_does_not_wait() {
    let program = step(1.0, false);
    for schedule in ["1f1b", "zb-h2", "zb-v"] {
        let waits = cut(&program, schedule, Validation::Before);
        let goes_on = cut(&program, schedule, Validation::After);
        // The validation takes time of its own.
        let stages = goes_on.figures.stages.iter().zip(&waits.figures.stages);
        let more = stages.map(|(own, other)| (own.update.0 - other.update.0).max(0.0)).sum::<f64>();
        let most = (waits.figures.step().0 + more) * (1.0 + 1e-9);
        assert!(goes_on.figures.step().0 <= most, "{schedule}");
        assert!(schedule != "zb-h2" || goes_on.figures.step() < waits.figures.step());
        assert!(goes_on.memory.iter().zip(&waits.memory).all(|(own, other)| own > other), "{schedule}");
        for row in &goes_on.programs.schedule.rows {
            let phase = |event: &Event| match event {
                Event::Action(action) => Some(action.program.phase),
                Event::Transfer(_) => None,
            };
            let first = row.iter().position(|event| phase(event) == Some(Phase::Update(0))).unwrap();
            let last = row.iter().rposition(|event| phase(event) == Some(Phase::Optimistic)).unwrap();
            assert!(row[first..last].iter().all(|event| phase(event).is_some()), "{schedule}: {row:?}");
        }
    }
}
