//! The stage `schedule`: programs by stage and phase run on groups of embedded devices, as schedules say, and compute in
//! f64 what the whole step computes.
//!
//! Modules are split by `// -----`. The first is the whole step. Each other one is a local program as in [`super::local`]
//! with what it is (`meshwright.program = "1F"`) and which group runs it (`meshwright.group`) as attributes of the
//! module, and a `meshwright.slot` on every argument and result. Devices are numbered group by group. A schedule is a
//! comment: its name, and a row on each line. All accumulators are sums.
//!
//! ```text
//! // schedule: gpipe microbatches=2
//! // 0F0 h:0>1:0
//! // h:0>1:0 1F0
//! ```

use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_execute::{run_function, run_programs};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::sharding::Reduction;
use meshwright_plan::{Bundle, DeviceGroup, DevicePrograms, PhaseProgram, ProgramId, Schedule, Slot};
use meshwright_suite::{Finding, Input, Outcome};
use meshwright_tensor::types::Type;
use meshwright_tensor::{NonFinite, Precision, Tensor, compare};
use std::collections::BTreeMap;

use super::{findings, local};

/// How far sums in another order may be apart, relative to the largest element.
const TOLERANCE: f64 = 1e-9;

pub(crate) fn schedule(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    match run(&source) {
        Ok(output) => Outcome::output(output),
        Err(findings) => Outcome::findings(findings),
    }
}

fn run(source: &Source) -> Result<String, Vec<Finding>> {
    let modules = meshwright_ir::text::read_all(source).map_err(|problems| findings(source, problems))?;
    for module in &modules {
        meshwright_ir::verify::verify(module).map_err(|problems| findings(source, problems))?;
    }
    let mut modules = modules.into_iter();
    let whole = modules.next().expect("a file has a program");
    let programs = programs(&whole, modules.collect());
    for program in programs.programs.values() {
        meshwright_spmd::verify(&program.device).map_err(|problems| findings(source, problems))?;
    }
    let inputs = draw(&programs.arguments, &DrawOptions::default()).expect("drawn inputs");
    let expected = run_function(&whole, "main", inputs.clone(), Precision::Wide).expect("the step runs");
    let mut lines = String::new();
    for (name, num_microbatches, schedule) in schedules(source)? {
        let programs = DevicePrograms { num_microbatches, schedule, ..programs.clone() };
        programs.verify().map_err(|problems| findings(source, problems))?;
        let programs = through_folder(&programs);
        let apart = furthest(&programs, &inputs, &expected);
        assert!(apart <= TOLERANCE, "{name} differs by {apart}");
        lines.push_str(&format!("{name} agrees\n"));
    }
    Ok(lines)
}

/// The programs as a compiled folder gives them back.
fn through_folder(programs: &DevicePrograms) -> DevicePrograms {
    let text = Bundle::of(programs, &[], &[], &[]).to_text();
    let bundle = Bundle::from_text(&text).expect("what is written is read");
    assert_eq!(bundle.to_text(), text);
    let codes = programs.programs.values().map(|program| program.device.program.clone());
    let read = bundle.resolve(codes.collect()).expect("what is read fits together");
    read.verify().expect("it is as right as before");
    read
}

/// How far the results of the programs are from those of the whole step.
fn furthest(programs: &DevicePrograms, inputs: &[Tensor], expected: &[Tensor]) -> f64 {
    let found = run_programs(programs, inputs, Precision::Wide, &Quiet).expect("the programs run");
    assert_eq!(found.len(), expected.len());
    let apart = found.iter().zip(expected).map(|(found, expected)| {
        compare(&found.tensor, expected, NonFinite::ByPosition).expect("the same types").max_rel
    });
    apart.fold(0.0, f64::max)
}

/// The programs of a file, without a schedule.
fn programs(whole: &Program, modules: Vec<Program>) -> DevicePrograms {
    let main = whole.main().expect("a step has an entry");
    let mut groups = BTreeMap::new();
    let mut stages = BTreeMap::new();
    let mut programs = BTreeMap::new();
    for module in modules {
        let id: ProgramId = text(&module.attributes, "meshwright.program").parse().expect("a program");
        let group = match module.attributes.get("meshwright.group") {
            Some(Attr::Int(group, _)) => *group as usize,
            _ => panic!("`{id}` has no group"),
        };
        let main = module.main().expect("a program has an entry");
        let slots = |attributes: &[Attributes]| -> Vec<Slot> {
            let slot = |attributes| text(attributes, "meshwright.slot").parse().expect("a slot");
            attributes.iter().map(slot).collect()
        };
        let (takes, gives) = (slots(&main.arg_attributes), slots(&main.result_attributes));
        let device = local::spread(module);
        groups.insert(group, device.mesh.clone());
        stages.insert(id.stage, group);
        programs.insert(id, PhaseProgram { device, takes, gives });
    }
    let mut numbers = 0..;
    let groups = groups
        .into_values()
        .map(|mesh| DeviceGroup { devices: numbers.by_ref().take(mesh.num_devices()).collect(), mesh });
    let sums = programs.values().flat_map(|program| &program.gives);
    let sums = sums.filter(|slot| matches!(slot, Slot::Accumulator(_))).filter_map(Slot::value);
    DevicePrograms {
        arguments: main.args().iter().map(|arg| main.body.ty(*arg).clone()).collect::<Vec<Type>>(),
        results: main.result_types.clone(),
        groups: groups.collect(),
        stages: stages.into_values().collect(),
        copies: 1,
        num_microbatches: 0,
        accumulators: sums.map(|value| (value.to_owned(), Reduction::Sum)).collect(),
        programs,
        schedule: Schedule::default(),
    }
}

fn text<'a>(attributes: &'a Attributes, name: &str) -> &'a str {
    attributes.get(name).and_then(Attr::as_str).unwrap_or_else(|| panic!("there is no `{name}`"))
}

/// The schedules of a file: name, microbatches, and table.
fn schedules(source: &Source) -> Result<Vec<(String, usize, Schedule)>, Vec<Finding>> {
    let mut schedules = Vec::new();
    let mut lines = source.text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(head) = line.strip_prefix("// schedule: ") else { continue };
        let (name, count) = head.split_once(" microbatches=").expect("a name and a number of microbatches");
        let mut table = String::new();
        while let Some(row) = lines.next_if(|line| line.starts_with("// ") && !line.contains("schedule:")) {
            table.push_str(&row[3..]);
            table.push('\n');
        }
        let table = Schedule::from_text(&table).map_err(|problems| {
            let finding = |problem: meshwright_ir::diagnostic::Diagnostic| Finding {
                check: problem.check.0.to_owned(),
                line: None,
                message: problem.message,
            };
            problems.into_iter().map(finding).collect::<Vec<_>>()
        })?;
        schedules.push((name.to_owned(), count.trim().parse().expect("a number"), table));
    }
    Ok(schedules)
}
