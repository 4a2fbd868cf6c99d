//! Pipelines as they are predicted beside what devices run.

use meshwright_compile::{
    Options, ParallelDegrees, PipelineOptions, Pipelined, ScheduleChoice, pipeline, pipelined_way, read,
};
use meshwright_execute::{draw_each, run_recorded, suiting};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print};
use meshwright_machine::Machine;
use meshwright_plan::{Action, Event, Phase, ProgramId, Slot};
use meshwright_schedule::SCHEDULES;
use meshwright_tensor::types::Type;
use meshwright_tensor::{Precision, Tensor};

/// What devices have run, as they record it, are the actions of the timeline in its order: but for those for which a stage has
/// nothing to do, and with both gradients at once where it has only one of them. What comes from another
/// group is there before it is taken.
#[test]
fn devices_run_what_the_timeline_says_in_its_order() {
    let text = include_str!("../../../../examples/gpt.mlir");
    let program = read(&Source::new("gpt", text)).unwrap();
    let machine = Machine::from_spec("cpu8:2").unwrap();
    let mut count = 0;
    for named in SCHEDULES {
        let schedule = ScheduleChoice::Named(named);
        let wanted = PipelineOptions { groups: 2, virtual_stages: None, microbatches: 4, schedule };
        let Ok(made) = pipeline(&program, &machine, &Options::default(), &wanted, &Quiet) else { continue };
        count += 1;
        let inputs = inputs(&program, &made);
        let (_, ended) = run_recorded(&made.programs, &inputs, Precision::Declared, &Quiet).unwrap();
        for (group, row) in made.programs.schedule.rows.iter().enumerate() {
            let own: Vec<&Event> =
                ended.iter().filter(|(own, _)| *own == group).map(|(_, event)| event).collect();
            assert_eq!(own, row.iter().collect::<Vec<_>>(), "{}, group {group}", named.name);
            let run: Vec<Action> = own.into_iter().filter_map(action).collect();
            let runs = made.figures.timeline.groups[group].iter();
            let predicted: Vec<Action> = runs.filter_map(|run| as_run(&made, group, run.action)).collect();
            assert_eq!(run, predicted, "{}, group {group}", named.name);
        }
        must_follow(&made, &ended, named.name);
    }
    assert!(count >= 12, "{count} schedules suit two groups");
}

/// With ZeRO-1 gradients are contributions in all microbatches, and the update scatters their sums.
#[test]
fn sharded_moments_leave_one_sum_of_gradients() {
    let text = include_str!("../../../../examples/gpt.mlir");
    let program = read(&Source::new("gpt", text)).unwrap();
    let machine = Machine::from_spec("h100:2x4").unwrap();
    let options = Options { microbatches: Some("4".parse().unwrap()), ..Options::default() };
    let way: ParallelDegrees = "dp=2,tp=2,pp=2,zero=1".parse().unwrap();
    let made = pipelined_way(&program, &machine, &options, way, &Quiet).unwrap();
    let scatters = |phase: Phase| {
        let own = made.programs.programs.iter().filter(move |(id, _)| id.phase == phase);
        own.map(|(_, own)| print(&own.device.program, Form::Pretty).matches("reduce_scatter\"").count())
            .sum::<usize>()
    };
    assert_eq!(scatters(Phase::Backward), 0);
    assert!(scatters(Phase::Update(0)) > 0);
}

/// What copies hand to one another, or stages of what both read, once in a step is on its way before the update and behind it.
#[test]
fn what_goes_between_groups_once_in_a_step_takes_its_time() {
    let gpt = include_str!("../../../../examples/gpt.mlir");
    let shared = include_str!("../../../../tests/suite/pipeline/shared_layers.mlir");
    // Behind what a pipeline of the first copies takes, the update of both is one.
    // Of layers that share weights, each microbatch adds up the gradients on its way back: only the weights come back once.
    for (text, schedule, gradients, directions) in
        [(gpt, "chimera", 2, 2), (gpt, "dualpipe", 2, 2), (shared, "1f1b", 0, 1), (gpt, "1f1b", 0, 0)]
    {
        let made = on_devices(text, "cpu8:2", 2, schedule);
        let carried = |name: &str| {
            let links = made.figures.timeline.links.iter();
            let all = links.flat_map(|link| link.carried.iter().map(move |carried| (link.source, carried)));
            let own = all.filter(
                |(_, carried)| matches!(&carried.what, Event::Transfer(transfer) if transfer.value == name),
            );
            let taken = own.inspect(|(_, carried)| assert!(carried.end > carried.start));
            taken.map(|(source, _)| source).collect::<std::collections::BTreeSet<usize>>()
        };
        assert_eq!(
            (carried("gradients").len(), carried("state").len()),
            (gradients, directions),
            "{schedule}"
        );
        let runs = made.figures.timeline.groups.iter().flatten();
        let updates = runs.filter(|run| run.action.program.phase == Phase::Update(0)).count();
        assert_eq!(updates, 2, "{schedule}");
        let last = made.figures.timeline.groups.iter().flatten().map(|run| run.end).fold(0.0, f64::max);
        assert_eq!(made.figures.step().0 > last, directions > 0, "{schedule}");
    }
}

/// Neighbors on one host hand values to one another over the links inside of it.
#[test]
fn each_two_neighbors_have_their_own_links() {
    let made = on_devices(include_str!("../../../../examples/gpt.mlir"), "h100:2x2", 4, "1f1b");
    let transfers = made.plan.times.unwrap().transfers;
    let per_byte = |stage: usize| transfers[stage].up_seconds / made.figures.stages[stage].up.0.0 as f64;
    assert_eq!(per_byte(0), per_byte(2));
    assert!(per_byte(1) > per_byte(0), "{transfers:?}");
}

/// Masters are copied as products take them; of eight bits, which are widened for products, these are kept with their scale.
#[test]
fn stages_keep_copies_in_as_few_bits_as_there_are() {
    let made = on_devices(include_str!("../../../../tests/suite/pipeline/copies.mlir"), "cpu8:2", 2, "1f1b");
    let copies = made.programs.programs.iter().filter(|(id, _)| id.phase == Phase::Copies);
    let kept = copies.flat_map(|(_, own)| own.given().map(|(_, held)| held.ty.to_string()));
    let mut kept: Vec<String> = kept.collect();
    kept.sort_unstable();
    let [matrices, eight, scale] = ["tensor<4x4xbf16>", "tensor<4x4xf8E4M3FN>", "tensor<f32>"];
    assert_eq!(kept, [matrices, matrices, matrices, eight, scale]);
}

fn on_devices(text: &str, machine: &str, groups: usize, schedule: &str) -> Pipelined {
    let program = read(&Source::new("step", text)).unwrap();
    let machine = Machine::from_spec(machine).unwrap();
    let named = SCHEDULES.into_iter().find(|named| named.name == schedule).unwrap();
    let schedule = ScheduleChoice::Named(named);
    let wanted = PipelineOptions { groups, virtual_stages: None, microbatches: 4, schedule };
    pipeline(&program, &machine, &Options::default(), &wanted, &Quiet).unwrap()
}

/// What an action takes from another group has come before it ends.
fn must_follow(made: &Pipelined, ended: &[(usize, Event)], name: &str) {
    for (at, (group, event)) in ended.iter().enumerate() {
        let Event::Action(action) = event else { continue };
        let program = &made.programs.programs[&action.program];
        for slot in program.takes.iter().filter(|slot| matches!(slot, Slot::Received(_))) {
            let is_hand = |(own, event): &(usize, Event)| {
                own == group
                    && matches!(event, Event::Transfer(transfer)
                        if Some(transfer.value.as_str()) == slot.value() && transfer.target == *group)
            };
            assert!(ended[..at].iter().any(is_hand), "{name}: {action} has not got {slot}");
        }
    }
}

/// Arguments as `check` draws them.
fn inputs(program: &Program, made: &Pipelined) -> Vec<Tensor> {
    let function = &made.function;
    let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
    draw_each(&types, 0, &suiting(program)).unwrap()
}

fn action(event: &Event) -> Option<Action> {
    match event {
        Event::Action(action) => Some(*action),
        Event::Transfer(_) => None,
    }
}

/// The action that a group runs for one of the table, if its stage has something to do.
fn as_run(made: &Pipelined, group: usize, action: Action) -> Option<Action> {
    let programs = &made.programs;
    let stages = programs.stages.len() / programs.copies;
    // A second copy of a stage has a number of its own.
    let own = (0..programs.copies).map(|copy| action.program.stage + copy * stages);
    let stage = own.into_iter().find(|stage| programs.stages[*stage] == group)?;
    let is_there = |phase: Phase| programs.programs.contains_key(&ProgramId { stage, phase });
    let phase = match action.program.phase {
        phase @ (Phase::InputGradient | Phase::WeightGradient) if !is_there(phase) => {
            // The first stage hands nothing back: its gradients of weights are all of its backward pass.
            let alone = if stage % stages == 0 { Phase::WeightGradient } else { Phase::InputGradient };
            if phase == alone && is_there(Phase::Backward) { Phase::Backward } else { return None }
        }
        phase => phase,
    };
    is_there(phase).then_some(Action { program: ProgramId { stage, phase }, ..action })
}
