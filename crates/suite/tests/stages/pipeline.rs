//! The stage `pipeline`: the step as a pipeline of every schedule that has a name, on embedded devices, computes in f64 what
//! the undistributed step computes.
//!
//! `stages` and `microbatches` say of how many, `data` over how many devices of a group the batch is sharded, `recompute=full`
//! what is made again, and `meshes` (`data=2,model=2;data=4`) the mesh of each group of a second pipeline. Schedules that
//! interleave have two stages on each group. `slices=2,4` says into how many slices the sequence of a causal model is cut for
//! TeraPipe. The output is what crosses between stages, which schedules agree, where layers are loops over stacks, and why
//! others are refused. The first plan leads to the same programs when it is given back.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_compile::{
    CompileError, MeshChoice, Options, PipelineOptions, Pipelined, ScheduleChoice, StageLoops, pipeline, read,
};
use meshwright_execute::{CheckOptions, check, draw_each, suiting};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_plan::plan_file::MeshAxis;
use meshwright_plan::{Layers, PlanFile, Slot};
use meshwright_schedule::SCHEDULES;
use meshwright_suite::{Finding, Input, Outcome};
use meshwright_tensor::Precision;
use meshwright_tensor::types::Type;

use super::findings;

/// The schedule of slices of a sequence.
const SLICES: &str = "terapipe";

/// Stages of each group where a schedule interleaves several.
const INTERLEAVED: usize = 2;

pub(crate) fn pipelines(input: &Input) -> Outcome {
    match run(input) {
        Ok(lines) => Outcome::output(lines),
        Err(found) => Outcome::findings(found),
    }
}

fn run(input: &Input) -> Result<String, Vec<Finding>> {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let program = read(&source).map_err(|problems| findings(&source, problems))?;
    let number = |name: &str| input.option(name).map(|text| text.parse::<usize>().expect("a number"));
    let groups = number("stages").expect("a number of stages");
    let microbatches = number("microbatches").expect("a number of microbatches");
    let recompute = input.option("recompute").map(|text| text.parse().expect("what is made again"));
    let slices = input.option("slices").unwrap_or_default().split(',').filter(|text| !text.is_empty());
    let slices: Vec<usize> = slices.map(|text| text.parse().expect("a number of slices")).collect();
    let data = vec![MeshAxis { name: "data".to_owned(), size: number("data").unwrap_or(1) }];
    // Programs of a few numbers are faster without.
    let stage_loops = Some(StageLoops::Always);
    let alike =
        Options { mesh: Some(MeshChoice::Axes(data.clone())), recompute, stage_loops, ..Options::default() };
    let mut lines = of_groups(&source, &program, (&alike, &vec![data.clone(); groups]), microbatches);
    for slices in slices {
        lines.push_str(&of_slices(&source, &program, (&alike, data[0].size), (groups, slices)));
    }
    if let Some(meshes) = input.option("meshes") {
        let meshes: Vec<Vec<MeshAxis>> = meshes.split(';').map(mesh).collect();
        let group_meshes = meshes.iter().cloned().map(MeshChoice::Axes).collect();
        let unlike = Options { mesh: None, group_meshes, ..alike };
        lines.push_str("groups with meshes of their own:\n");
        lines.push_str(&of_groups(&source, &program, (&unlike, &meshes), microbatches));
    }
    Ok(lines)
}

/// What becomes of a step as pipelines of every schedule, on groups of these meshes.
fn of_groups(
    source: &Source,
    program: &Program,
    (options, meshes): (&Options, &[Vec<MeshAxis>]),
    microbatches: usize,
) -> String {
    let size = |mesh: &Vec<MeshAxis>| mesh.iter().map(|axis| axis.size).product::<usize>();
    let devices: usize = meshes.iter().map(size).sum();
    let machine = Machine::from_spec(&format!("cpu8:{devices}")).expect("a machine");
    let (mut crossing, mut agree, mut refused) = (String::new(), Vec::new(), BTreeMap::new());
    let mut loops: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for named in SCHEDULES.into_iter().filter(|named| named.name != SLICES) {
        let virtual_stages = (named.virtual_stages > 1).then_some(INTERLEAVED);
        let schedule = ScheduleChoice::Named(named);
        let wanted = PipelineOptions { groups: meshes.len(), virtual_stages, microbatches, schedule };
        match pipeline(program, &machine, options, &wanted, &Quiet) {
            Ok(made) => {
                must_agree(program, &made, named.name);
                if agree.is_empty() {
                    crossing = crossings(&made);
                    must_come_back(program, &machine, &made);
                }
                agree.push(named.name);
                if let Some(found) = loops_of(&made) {
                    loops.entry(found).or_default().push(named.name);
                }
            }
            Err(error) => refused.entry(reason(source, error)).or_insert_with(Vec::new).push(named.name),
        }
    }
    let refused = refused.iter().map(|(why, names)| format!("{}: {why}\n", names.join(", ")));
    let agree = if agree.is_empty() { String::new() } else { format!("{} agree\n", agree.join(", ")) };
    let loops = loops.iter().map(|(found, names)| format!("{}: {found}\n", names.join(", ")));
    crossing + &agree + &loops.collect::<String>() + &refused.collect::<String>()
}

/// Number of loops of each program, with the ranges of stacks of the step that they take; none if they take none.
fn loops_of(made: &Pipelined) -> Option<String> {
    let mut ranges = BTreeSet::new();
    let mut found = Vec::new();
    for (id, program) in &made.programs.programs {
        ranges.extend(program.takes.iter().filter_map(|slot| match slot {
            Slot::Argument(part) => Some(part.layers.filter(|own| own.count > 1)?),
            _ => None,
        }));
        let body = &program.device.program.main()?.body;
        let insts = &body.regions[body.entry()].insts;
        let count = insts.iter().filter(|inst| body.insts[**inst].op.carries_values()).count();
        found.push(format!("{id} {count}"));
    }
    let ranges: Vec<String> =
        ranges.iter().map(|own: &Layers| format!("{}..{}", own.first, own.end())).collect();
    (!ranges.is_empty()).then(|| format!("layers {}, loops {}", ranges.join(", "), found.join(", ")))
}

/// What becomes of a step whose sequence is cut into slices, on groups of so many devices.
fn of_slices(
    source: &Source,
    program: &Program,
    (options, devices): (&Options, usize),
    (groups, slices): (usize, usize),
) -> String {
    let machine = Machine::from_spec(&format!("cpu8:{}", groups * devices)).expect("a machine");
    let named = SCHEDULES.into_iter().find(|named| named.name == SLICES).expect("a schedule of slices");
    let schedule = ScheduleChoice::Named(named);
    let wanted = PipelineOptions { groups, virtual_stages: None, microbatches: slices, schedule };
    match pipeline(program, &machine, options, &wanted, &Quiet) {
        Ok(made) => {
            must_agree(program, &made, named.name);
            must_come_back(program, &machine, &made);
            format!("{slices} slices: {}{SLICES} agrees\n", crossings(&made).replace('\n', "; "))
        }
        Err(error) => format!("{slices} slices: {}\n", reason(source, error)),
    }
}

/// A mesh as `--mesh` has it.
fn mesh(text: &str) -> Vec<MeshAxis> {
    let axis = |text: &str| {
        let (name, size) = text.split_once('=').expect("an axis and its size");
        MeshAxis { name: name.to_owned(), size: size.parse().expect("a size") }
    };
    text.split(',').map(axis).collect()
}

/// The plan of a pipeline leads to the same programs.
fn must_come_back(program: &Program, machine: &Machine, made: &Pipelined) {
    let plan = PlanFile::from_text(&made.plan.to_text()).expect("a plan");
    let wanted = PipelineOptions::of_plan(&plan).expect("a schedule").expect("a pipeline");
    let options = Options { plan: Some(plan), ..Options::default() };
    let again = match pipeline(program, machine, &options, &wanted, &Quiet) {
        Ok(again) => again,
        Err(error) => panic!("the plan does not come back: {error}"),
    };
    assert_eq!((again.bundle(), again.schedule), (made.bundle(), made.schedule));
    let texts = |made: &Pipelined| made.files("").into_iter().filter(|(name, _)| name.ends_with(".mlir"));
    assert!(texts(&again).eq(texts(made)));
}

fn reason(source: &Source, error: CompileError) -> String {
    match error {
        CompileError::Diagnostics(problems) => {
            let found = findings(source, problems);
            found.first().map_or_else(String::new, |found| match found.line {
                Some(line) => format!("line {line}: {}", found.message),
                None => found.message.clone(),
            })
        }
        CompileError::Options(problem) => problem.message.clone(),
        other => panic!("{other}"),
    }
}

/// Number of values that go up and down between neighbors.
fn crossings(made: &Pipelined) -> String {
    let pairs = made.figures.stages.windows(2).enumerate();
    let line = |(stage, pair): (usize, &[meshwright_compile::StageFigures])| {
        format!("{stage} -> {}: {} up, {} down\n", stage + 1, pair[0].up.1, pair[1].down.1)
    };
    pairs.map(line).collect()
}

fn must_agree(program: &Program, made: &Pipelined, name: &str) {
    let function = &made.function;
    let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
    let inputs = draw_each(&types, 0, &suiting(program)).expect("drawn inputs");
    let options = CheckOptions::new(Precision::Wide, program);
    let outputs = check(program, &made.programs, &inputs, &options, &Quiet).expect("both run");
    for (index, output) in outputs.iter().enumerate() {
        assert!(output.verdict.passes(), "{name}, result {index}: {output:?}");
    }
}
