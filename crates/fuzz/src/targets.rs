//! What is done with an input: one target for each kind of input that users give.
//!
//! A target takes bytes. It ends in [`Reached`], or in an error if what it found contradicts itself; a panic, a hang
//! or a flood of memory is for whoever runs it to see.

use crate::{bounded, exported, whole_way};
use meshwright_execute::npz;
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print, read, read_all};
use meshwright_ir::verify::verify;
use meshwright_machine::Machine;
use meshwright_plan::{Bundle, PlanFile, Schedule, Table};
use meshwright_simulate::{Costs, least, simulate};
use meshwright_solve::{Options as SolveOptions, Watch, check, format, solve};
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::io::Cursor;

/// Progress of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// It is refused.
    Errors,
    /// It is read.
    Read,
    /// It was also run, planned with or solved, to an answer or to an error.
    Run,
}

/// A kind of input and what is done with it.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Folders of the repository that hold inputs, and how their names end.
    pub corpus: &'static [(&'static str, &'static str)],
    /// Runs it.
    pub run: fn(&[u8]) -> Result<Reached, String>,
}

const PROGRAMS: &[(&str, &str)] =
    &[("examples", "mlir"), ("tests/suite", "mlir"), ("crates/fuzz/corpus", "mlir")];

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "read", about: "text to programs", corpus: PROGRAMS, run: reads },
    Target { name: "verify", about: "text to verified programs", corpus: PROGRAMS, run: verifies },
    Target {
        name: "print",
        about: "programs that are printed and read again",
        corpus: PROGRAMS,
        run: prints,
    },
    Target { name: "eval", about: "small programs that are evaluated", corpus: PROGRAMS, run: evaluates },
    Target {
        name: "check",
        about: "small programs that are planned or partitioned, run on devices and compared",
        corpus: PROGRAMS,
        run: checks,
    },
    Target {
        name: "machine",
        about: "machine files and names of machines",
        corpus: &[("crates/machine/machines", "toml"), ("crates/fuzz/corpus/machine", "toml")],
        run: machine,
    },
    Target {
        name: "plan",
        about: "plan files, compiled with",
        corpus: &[("crates/fuzz/corpus/plan", "json")],
        run: plan,
    },
    Target {
        name: "schedule",
        about: "tables of schedules, checked, simulated and written again",
        corpus: &[("tests/suite/schedule", "schedule"), ("crates/fuzz/corpus/schedule", "schedule")],
        run: schedule,
    },
    Target {
        name: "manifest",
        about: "manifests of compiled folders",
        corpus: &[("crates/fuzz/corpus/manifest", "json")],
        run: manifest,
    },
    Target {
        name: "problem",
        about: "problems for the solver, solved, and solutions",
        corpus: &[("crates/fuzz/corpus/problem", "json")],
        run: problem,
    },
    Target {
        name: "arrays",
        about: "`.npy` arrays and `.npz` archives",
        corpus: &[("crates/fuzz/corpus/arrays", "npy"), ("crates/fuzz/corpus/arrays", "npz")],
        run: arrays,
    },
    Target {
        name: "weights",
        about: "files of safetensors",
        corpus: &[("crates/fuzz/corpus/weights", "safetensors")],
        run: exported::weights,
    },
    Target {
        name: "job",
        about: "job files of other frameworks",
        corpus: &[
            ("tests/data/exports", "toml"),
            ("tests/data/exports", "json"),
            ("tests/data/exports", "sh"),
            ("tests/data/exports", "yaml"),
            ("tests/data/exports", "yml"),
        ],
        run: exported::job,
    },
    Target {
        name: "export",
        about: "plan files, exported to every target",
        corpus: &[("tests/data/exports/plans", "json")],
        run: exported::export,
    },
];

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

fn programs(bytes: &[u8]) -> Vec<Program> {
    let read = text(bytes).map(|text| read_all(&Source::new("fuzzed.mlir", text)));
    read.and_then(Result::ok).unwrap_or_default()
}

fn reads(bytes: &[u8]) -> Result<Reached, String> {
    Ok(if programs(bytes).is_empty() { Reached::Errors } else { Reached::Read })
}

fn verifies(bytes: &[u8]) -> Result<Reached, String> {
    let are_right = programs(bytes).iter().filter(|program| verify(program).is_ok()).count();
    Ok(if are_right == 0 { Reached::Errors } else { Reached::Read })
}

fn prints(bytes: &[u8]) -> Result<Reached, String> {
    let mut reached = Reached::Errors;
    for program in programs(bytes).iter().filter(|program| verify(program).is_ok()) {
        reads_back(program)?;
        reached = Reached::Read;
    }
    Ok(reached)
}

fn evaluates(bytes: &[u8]) -> Result<Reached, String> {
    let mut reached = Reached::Errors;
    for program in programs(bytes).iter().filter(|program| verify(program).is_ok()) {
        let is_run = bounded::is_small(program) && bounded::evaluate(program);
        reached = reached.max(if is_run { Reached::Run } else { Reached::Read });
    }
    Ok(reached)
}

/// Reads, verifies, prints and, where it is small, evaluates a text.
pub fn all_but_devices(text: &str) -> Result<Reached, String> {
    Ok(prints(text.as_bytes())?.max(evaluates(text.as_bytes())?))
}

/// Prints a verified program and reads it again. The pretty form may leave out what is as if it were not written, such as
/// `has_side_effect = false`.
pub fn reads_back(program: &Program) -> Result<(), String> {
    let printed = [Form::Pretty, Form::Generic].map(|form| print(program, form));
    for (text, forms) in [(&printed[0], &[Form::Pretty][..]), (&printed[1], &[Form::Pretty, Form::Generic])] {
        let again = read(&Source::new("printed.mlir", text.as_str()))
            .map_err(|problems| format!("what was printed is not read: {:?}\n{text}", problems.first()))?;
        verify(&again)
            .map_err(|problems| format!("what was printed is wrong: {:?}\n{text}", problems.first()))?;
        if forms.iter().zip(&printed).any(|(form, before)| print(&again, *form) != *before) {
            return Err(format!("what was printed is another program\n{text}"));
        }
    }
    Ok(())
}

fn checks(bytes: &[u8]) -> Result<Reached, String> {
    text(bytes).map_or(Ok(Reached::Errors), whole_way::whole_way)
}

fn machine(bytes: &[u8]) -> Result<Reached, String> {
    let Some(text) = text(bytes) else { return Ok(Reached::Errors) };
    if !text.trim().contains('\n') {
        return Ok(if Machine::from_spec(text.trim()).is_ok() { Reached::Run } else { Reached::Errors });
    }
    let Ok(machine) = Machine::from_toml(text, "fuzzed.toml") else { return Ok(Reached::Errors) };
    let written = machine.to_toml();
    match Machine::from_toml(&written, "written.toml") {
        Ok(again) if again.to_toml() == written => Ok(Reached::Run),
        Ok(_) => Err(format!("what was written is another machine\n{written}")),
        Err(problems) => Err(format!("what was written is not read: {:?}\n{written}", problems.first())),
    }
}

/// A small program that plan files are tried on.
const PLANNED_WITH: &str = include_str!("../corpus/planned.mlir");

fn plan(bytes: &[u8]) -> Result<Reached, String> {
    let Some(Ok(plan)) = text(bytes).map(PlanFile::from_text) else { return Ok(Reached::Errors) };
    let source = Source::new("planned.mlir", PLANNED_WITH);
    let program = meshwright_compile::read(&source).map_err(|problems| format!("{problems:?}"))?;
    let machine = Machine::from_spec("cpu8").map_err(|error| format!("{error:?}"))?;
    let options = meshwright_compile::Options { plan: Some(plan), ..Default::default() };
    let compiled = meshwright_compile::compile(&program, &source, &machine, &options, &Quiet);
    Ok(if compiled.is_ok() { Reached::Run } else { Reached::Read })
}

fn schedule(bytes: &[u8]) -> Result<Reached, String> {
    let Some(Ok(schedule)) = text(bytes).map(Schedule::from_text) else { return Ok(Reached::Errors) };
    if Schedule::from_text(&schedule.to_string()).as_ref() != Ok(&schedule) {
        return Err("what is written is not what was read".to_owned());
    }
    let Ok(table) = Table::of(&schedule) else { return Ok(Reached::Read) };
    let costs = Costs::uniform(table.num_stages, [1.0; 3], 0.5);
    let (found, least) = (simulate(&table, &costs).makespan(), least(&table, &costs, 0));
    match least > found * (1.0 + 1e-9) {
        true => Err(format!("a table that takes at least {least} s takes {found} s")),
        false => Ok(Reached::Run),
    }
}

fn manifest(bytes: &[u8]) -> Result<Reached, String> {
    let Some(bundle) = text(bytes).and_then(|text| Bundle::from_text(text).ok()) else {
        return Ok(Reached::Errors);
    };
    if Bundle::from_text(&bundle.to_text()).as_ref() != Ok(&bundle) {
        return Err("what is written is not what was read".to_owned());
    }
    let codes = vec![Program::default(); bundle.programs.len()];
    let _ = bundle.resolve(codes).map(|programs| programs.verify());
    Ok(Reached::Read)
}

/// Whoever solves stops by itself.
struct Unwatched;

impl Watch for Unwatched {
    fn should_stop(&self) -> bool {
        false
    }
}

/// Work that a problem may take.
const WORK: u64 = 2_000_000;

fn problem(bytes: &[u8]) -> Result<Reached, String> {
    let _ = format::read_solution(bytes);
    let Ok(problem) = format::read_problem(bytes) else { return Ok(Reached::Errors) };
    let solution = solve(&problem, SolveOptions { work: Some(WORK), ..SolveOptions::default() }, &Unwatched);
    match solution.assignment.as_ref().map(|assignment| check(&problem, assignment)) {
        Some(Err(why)) => Err(format!("the answer is none: {why:?}")),
        _ => Ok(Reached::Run),
    }
}

fn arrays(bytes: &[u8]) -> Result<Reached, String> {
    let mut reached = Reached::Errors;
    for (shape, element) in
        [(vec![2, 3], ElementType::F32), (Vec::new(), ElementType::I64), (vec![4], ElementType::I1)]
    {
        let ty = TensorType::new(shape, element);
        let is_read = npz::read_npy(Cursor::new(bytes), &ty).is_ok()
            | npz::read(Cursor::new(bytes), &npz::Wanted::numbered(&[Type::Tensor(ty)])).is_ok();
        reached = reached.max(if is_read { Reached::Read } else { Reached::Errors });
    }
    let is_listed = npz::shapes(Cursor::new(bytes)).is_ok();
    Ok(reached.max(if is_listed { Reached::Read } else { Reached::Errors }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::damage::damage;
    use crate::rng::Rng;
    use std::path::Path;

    /// Inputs larger than this take long.
    const SMALL: usize = 1500;

    /// Every target takes its smallest inputs, whole and damaged, and some come to the end.
    #[test]
    fn targets_run_their_inputs() {
        for target in TARGETS {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let mut inputs = Vec::new();
            for (folder, extension) in target.corpus {
                let mut folders = vec![root.join(folder)];
                while let Some(folder) = folders.pop() {
                    for entry in std::fs::read_dir(folder).expect("a folder of inputs") {
                        let path = entry.expect("an entry").path();
                        if path.is_dir() {
                            folders.push(path);
                        } else if path.extension().is_some_and(|found| found == *extension) {
                            inputs.push(std::fs::read(path).expect("an input"));
                        }
                    }
                }
            }
            inputs.sort_by_key(Vec::len);
            let num_small = inputs.iter().filter(|input| input.len() < SMALL).count();
            inputs.truncate(num_small.max(3));
            let step = inputs.len().div_ceil(20);
            let (mut rng, mut furthest) = (Rng::new(1), Reached::Errors);
            for input in inputs.iter().step_by(step) {
                let other = damage(&mut rng, input.clone(), |rng| &inputs[rng.below(inputs.len())]);
                for input in [input, &other] {
                    let reached = (target.run)(input).unwrap_or_else(|why| panic!("{}: {why}", target.name));
                    furthest = furthest.max(reached);
                }
            }
            assert!(furthest > Reached::Errors, "{}: no input is read", target.name);
        }
    }
}
