//! The stage `pipeline`: the step as a pipeline of every schedule that has a name, on embedded devices, computes in f64 what
//! the undistributed step computes.
//!
//! `stages` and `microbatches` say of how many, `data` over how many devices of a group the batch is sharded, `recompute=full`
//! what is made again. Schedules that interleave have two stages on each group. The output is what crosses between stages,
//! which schedules agree, and why others are refused.

use std::collections::BTreeMap;

use meshwright_compile::{
    CompileError, MeshChoice, Options, PipelineOptions, Pipelined, ScheduleChoice, pipeline, read,
};
use meshwright_execute::{CheckOptions, check, draw_each, suiting_ranges};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_plan::plan_file::MeshAxis;
use meshwright_schedule::SCHEDULES;
use meshwright_suite::{Finding, Input, Outcome};
use meshwright_tensor::Precision;
use meshwright_tensor::types::Type;

use super::findings;

/// The schedule of slices of a sequence, which are no microbatches.
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
    let data = number("data").unwrap_or(1);
    let recompute = input.option("recompute").map(|text| text.parse().expect("what is made again"));
    let mesh = MeshChoice::Axes(vec![MeshAxis { name: "data".to_owned(), size: data }]);
    let options = Options { mesh: Some(mesh), recompute, ..Options::default() };
    let machine = Machine::from_spec(&format!("cpu8:{}", groups * data)).expect("a machine");
    let (mut crossing, mut agree, mut refused) = (String::new(), Vec::new(), BTreeMap::new());
    for named in SCHEDULES.into_iter().filter(|named| named.name != SLICES) {
        let virtual_stages = (named.virtual_stages > 1).then_some(INTERLEAVED);
        let schedule = ScheduleChoice::Named(named);
        let wanted = PipelineOptions { groups, virtual_stages, microbatches, schedule, stages: None };
        match pipeline(&program, &machine, &options, &wanted, &Quiet) {
            Ok(made) => {
                must_agree(&program, &made, named.name);
                if crossing.is_empty() {
                    crossing = crossings(&made);
                }
                agree.push(named.name);
            }
            Err(error) => refused.entry(reason(&source, error)).or_insert_with(Vec::new).push(named.name),
        }
    }
    let refused = refused.iter().map(|(why, names)| format!("{}: {why}\n", names.join(", ")));
    let agree = if agree.is_empty() { String::new() } else { format!("{} agree\n", agree.join(", ")) };
    Ok(crossing + &agree + &refused.collect::<String>())
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
    let inputs = draw_each(&types, 0, &suiting_ranges(program)).expect("drawn inputs");
    let options = CheckOptions::new(Precision::Wide, program);
    let outputs = check(program, &made.programs, &inputs, &options, &Quiet).expect("both run");
    for (index, output) in outputs.iter().enumerate() {
        assert!(output.verdict.passes(), "{name}, result {index}: {output:?}");
    }
}
