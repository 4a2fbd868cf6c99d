//! The best pipeline of all numbers is the best of each: nothing that the bounds leave is better.

use meshwright_compile::{
    Numbers, Options, PipelinePlan, PipelineSpace, pipeline_of, pipeline_plan, pipeline_that_fits, read,
};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine};

/// Searches that are only looked over stop when a plan is so near the best.
const NEAR: f64 = 0.02;

fn example() -> Program {
    let text = include_str!("../../../../examples/gpt.mlir");
    read(&Source::new("gpt.mlir", text)).unwrap()
}

fn best(
    program: &Program,
    machine: &str,
    limit: Option<u64>,
    groups: Numbers,
    microbatches: Numbers,
) -> Option<PipelinePlan> {
    let machine = Machine::from_spec(machine).unwrap();
    let options = Options { memory_limit: limit.map(Bytes), ..Options::default() };
    let space = PipelineSpace {
        groups,
        virtual_stages: Numbers::Search,
        microbatches,
        schedules: Vec::new(),
        makes_tables: false,
        is_short: false,
    };
    pipeline_plan(program, &machine, &options, &space, &Quiet).ok().flatten()
}

/// The joint answer, and the least of all combinations by themselves.
fn both(machine: &str, limit: Option<u64>) {
    let program = example();
    let joint = best(&program, machine, limit, Numbers::Search, Numbers::Search);
    let devices = Machine::from_spec(machine).unwrap().num_devices();
    let mut least = f64::INFINITY;
    for groups in (1..=devices).filter(|groups| devices.is_multiple_of(*groups)) {
        for microbatches in [1, 2, 4, 8] {
            let own = Numbers::These(vec![groups]);
            let found = best(&program, machine, limit, own, Numbers::These(vec![microbatches]));
            least = found.map_or(least, |found| least.min(found.figures.step().0));
        }
    }
    match joint {
        Some(joint) => {
            let step = joint.figures.step().0;
            assert!(step <= least * (1.0 + NEAR), "{machine}: {step} is more than {least}");
            assert!(
                least * (1.0 + NEAR) >= joint.bound.0,
                "{machine}: the bound {} is above {least}",
                joint.bound
            );
        }
        None => assert_eq!(least, f64::INFINITY, "{machine}"),
    }
}

#[test]
fn the_joint_answer_is_the_best_of_all() {
    both("cpu8:4", None);
    both("h100:2x2", None);
}

#[test]
fn little_memory_is_kept_to() {
    both("cpu8:2", Some(1 << 20));
    both("cpu8:2", Some(1 << 17));
}

/// A plan that was chosen for devices with more memory than there is gives way to one whose programs fit.
#[test]
fn programs_that_do_not_fit_are_searched_for_again() {
    let program = example();
    let machine = Machine::from_spec("h100:2x2").unwrap();
    let space = PipelineSpace {
        groups: Numbers::These(vec![2]),
        virtual_stages: Numbers::Search,
        microbatches: Numbers::Search,
        schedules: Vec::new(),
        makes_tables: false,
        is_short: false,
    };
    let roomy = Options::default();
    let mut plan = pipeline_plan(&program, &machine, &roomy, &space, &Quiet).unwrap().unwrap();
    let first = (plan.microbatches, plan.schedule_name(), plan.figures.step());
    let made = pipeline_of(&program, &machine, &roomy, &plan, &Quiet).unwrap();
    let limit = Bytes(made.memory.iter().max().unwrap().0 * 3 / 4);
    assert!(made.misfit(limit).is_some());
    let scarce = Options { memory_limit: Some(limit), ..roomy };
    let bound = plan.bound;
    let made = pipeline_that_fits(&program, &machine, &scarce, &mut plan, &Quiet).unwrap();
    assert!(made.misfit(limit).is_none(), "{limit}: {:?}", made.memory);
    assert_ne!(first, (plan.microbatches, plan.schedule_name(), plan.figures.step()));
    assert_eq!(made.figures.stages.len(), plan.figures.stages.len());
    assert!(plan.bound <= bound && plan.figures.step() >= bound);
}
