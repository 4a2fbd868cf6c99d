//! Pipelines as they are predicted beside what devices run.

use meshwright_compile::{Options, PipelineOptions, Pipelined, ScheduleChoice, pipeline, read};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Machine;
use meshwright_plan::{Action, Event, Phase, ProgramId};
use meshwright_schedule::SCHEDULES;

/// The rows that the engines run have the actions of the timeline, in its order: but for those for which a stage has nothing
/// to do, and with both gradients at once where it has only one of them.
#[test]
fn devices_run_what_the_timeline_says_in_its_order() {
    let text = include_str!("../../../examples/gpt.mlir");
    let program = read(&Source::new("gpt", text)).unwrap();
    let machine = Machine::from_spec("cpu8:2").unwrap();
    let mut count = 0;
    for named in SCHEDULES {
        let schedule = ScheduleChoice::Named(named);
        let wanted = PipelineOptions { groups: 2, virtual_stages: None, microbatches: 4, schedule };
        let Ok(made) = pipeline(&program, &machine, &Options::default(), &wanted, &Quiet) else { continue };
        count += 1;
        for (group, row) in made.programs.schedule.rows.iter().enumerate() {
            let run: Vec<Action> = row.iter().filter_map(action).collect();
            let runs = made.figures.timeline.groups[group].iter();
            let predicted: Vec<Action> = runs.filter_map(|run| as_run(&made, group, run.action)).collect();
            assert_eq!(run, predicted, "{}, group {group}", named.name);
        }
    }
    assert!(count >= 12, "{count} schedules suit two groups");
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
