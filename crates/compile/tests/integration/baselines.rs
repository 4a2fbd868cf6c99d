//! Planners of the field beside our own search: at the same prices it is never worse.

use meshwright_compile::{
    BASELINES, Baselined, CompileError, Constraints, Numbers, Options, PipelinePlan, PipelineSpace,
    Recompute, StepOptions, baseline_plan, from_config, pipeline_plan, read,
};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine};

/// Searches that are only looked over stop when a plan is so near the best.
const NEAR: f64 = 0.02;

fn gpt() -> Program {
    read(&Source::new("gpt.mlir", include_str!("../../../../examples/gpt.mlir"))).unwrap()
}

/// A small Llama with six layers in a loop.
fn llama() -> Program {
    let text = include_str!("../../../../tests/data/models/tiny/llama.json");
    let (few, six) = ("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 6");
    assert!(text.contains(few));
    let mut options = StepOptions::of_batch("16".parse().unwrap());
    options.model.sequence = Some(16);
    from_config(&Source::new("config.json", text.replace(few, six)), &options).unwrap().program
}

fn baselined(
    program: &Program,
    machine: &Machine,
    options: &Options,
    name: &str,
) -> Result<Baselined, CompileError> {
    let baseline = BASELINES.iter().find(|known| known.name == name).unwrap();
    baseline_plan(baseline, program, machine, options, &Quiet)
}

/// Our best pipeline, no pipeline included.
fn ours(program: &Program, machine: &Machine, options: &Options) -> Option<PipelinePlan> {
    let space = PipelineSpace {
        groups: Numbers::Search,
        virtual_stages: Numbers::Search,
        microbatches: Numbers::Search,
        schedules: Vec::new(),
        makes_tables: false,
        is_short: false,
    };
    pipeline_plan(program, machine, options, &space, &Quiet).ok().flatten()
}

/// Each planner has a plan, which takes no less than ours.
fn none_is_better(program: &Program, spec: &str, limit: Option<u64>) {
    let machine = Machine::from_spec(spec).unwrap();
    let options = Options { memory_limit: limit.map(Bytes), ..Options::default() };
    let ours = ours(program, &machine, &options).expect("there is a plan").figures.step().0;
    for baseline in &BASELINES {
        let found = match baselined(program, &machine, &options, baseline.name) {
            Ok(found) => found,
            Err(CompileError::NotAllowed(_)) if limit.is_some() => continue,
            Err(error) => panic!("{spec}, {}: {error}", baseline.name),
        };
        let own = found.plan.figures.step().0;
        assert!(ours <= own * (1.0 + NEAR), "{spec}, {}: {own} is less than {ours}", baseline.name);
        assert!(found.priced > 0);
        let most = found.plan.figures.memory().into_iter().max().unwrap();
        assert!(limit.is_none_or(|limit| most.0 <= limit), "{}: {most}", baseline.name);
        assert!(found.sentence().contains(baseline.title));
    }
}

#[test]
fn no_planner_is_better_on_a_small_model() {
    none_is_better(&gpt(), "cpu8:4", None);
}

#[test]
fn no_planner_is_better_on_layers_in_a_loop() {
    none_is_better(&llama(), "h100:2x2", None);
}

#[test]
fn no_planner_is_better_where_memory_is_short() {
    none_is_better(&gpt(), "cpu8:2", Some(360 << 10));
}

#[test]
fn planners_keep_to_what_is_said() {
    let machine = Machine::from_spec("cpu8:8").unwrap();
    let allowed: Constraints = "pp=2, tp<=2".parse().unwrap();
    let options = Options {
        allowed,
        microbatches: Some("4".parse().unwrap()),
        recompute: Some("full".parse::<Recompute>().unwrap()),
        ..Options::default()
    };
    for name in ["aceso", "galvatron", "greedy", "metis"] {
        let found = baselined(&gpt(), &machine, &options, name).unwrap();
        assert_eq!((found.plan.groups, found.plan.microbatches), (2, 4), "{name}");
        assert!(
            found.plan.again.iter().all(|again| again.starts_with("full")),
            "{name}: {:?}",
            found.plan.again
        );
    }
    let nothing = Options { allowed: "pp=3".parse().unwrap(), ..Options::default() };
    for name in ["aceso", "galvatron", "greedy", "metis"] {
        let error = baselined(&gpt(), &machine, &nothing, name).unwrap_err();
        assert!(error.to_string().contains("none that is allowed"), "{name}: {error}");
    }
}
