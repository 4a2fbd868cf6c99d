//! Arrays in npz files: the arguments of a program, and what it computed.

use crate::args::{FloatPrecision, Numbers};
use crate::failure::{Failure, Finding, Outcome};
use crate::plural;
use crate::weights::Argument;
use meshwright_analyze::names;
use meshwright_execute::npz::Wanted;
use meshwright_execute::{RunError, RunErrorKind, npz};
use meshwright_ir::arguments::Donation;
use meshwright_ir::diagnostic::{Check, Diagnostic, Source};
use meshwright_ir::program::Function;
use meshwright_tensor::types::Type;
use meshwright_tensor::{Precision, Tensor};
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;

/// A run did not give results.
const RUN: Check = Check("run");

/// A `check` op of the program found another value than it expects.
const CHECK: Check = Check("check");

/// How to write a file of arguments.
const HINT: &str = "np.savez(FILE, arg0=..., arg1=...) writes such a file, by the numbers of the program's arguments; \
                    their names in the program do too";

/// The types of a function's arguments.
pub(crate) fn argument_types(function: &Function) -> Vec<Type> {
    function.args().iter().map(|value| function.body.ty(*value).clone()).collect()
}

/// A function's arguments, as checkpoints are asked for them.
pub(crate) fn arguments(function: &Function) -> Vec<Argument> {
    let names = names::of_arguments(function);
    let all = argument_types(function).into_iter().zip(names).enumerate();
    let argument = |(index, (ty, name))| {
        let is_state = matches!(function.donation(index), Donation::ToResult(_));
        Argument { name, ty, is_state }
    };
    all.map(argument).collect()
}

/// Refuses to run a program with arguments of these types without a file of them.
pub(crate) fn needed(path: Option<&Path>, types: &[Type]) -> Outcome {
    if path.is_some() || types.is_empty() {
        return Ok(());
    }
    let arguments = plural::count(types.len(), "argument");
    Err(Failure::usage(format!("the program takes {arguments}: give them with `--inputs FILE`")))
}

/// The arguments of a function from a file; without a file, none are needed ([`needed`]).
pub(crate) fn read_all(path: Option<&Path>, function: &Function) -> Outcome<Vec<Tensor>> {
    path.map_or(Ok(Vec::new()), |path| read(path, &wanted(&arguments(function))))
}

/// Arguments as files of arrays are asked for them.
pub(crate) fn wanted(all: &[Argument]) -> Vec<Wanted> {
    let each = all.iter().enumerate();
    each.map(|(number, own)| Wanted { number, name: own.name.clone(), ty: own.ty.clone() }).collect()
}

/// The array of each of these arguments.
pub(crate) fn read(path: &Path, wanted: &[Wanted]) -> Outcome<Vec<Tensor>> {
    npz::read(open(path)?, wanted).map_err(|error| Failure::file(path, error.0, HINT))
}

/// The same of a file that has all of these arguments, of which only some are read.
pub(crate) fn read_some(
    path: &Path,
    wanted: &[Wanted],
    is_read: &dyn Fn(&Wanted) -> bool,
) -> Outcome<Vec<Tensor>> {
    npz::read_some(open(path)?, wanted, is_read).map_err(|error| Failure::file(path, error.0, HINT))
}

/// What a file calls these arrays, whose types are checked without reading them.
pub(crate) fn names_for(path: &Path, wanted: &[Wanted]) -> Outcome<Vec<String>> {
    npz::names_for(open(path)?, wanted).map_err(|error| Failure::file(path, error.0, HINT))
}

/// Refuses a file that cannot be read, before anything takes time.
pub(crate) fn must_be_there(path: Option<&Path>) -> Outcome {
    path.map_or(Ok(()), |path| open(path).map(drop))
}

/// A file of arrays.
pub(crate) fn open(path: &Path) -> Outcome<BufReader<std::fs::File>> {
    if path.is_dir() {
        return Err(Failure::file(path, "this is a folder", "give the path of an npz file"));
    }
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::file(path, "there is no such file", "check the path"),
        _ => Failure::file(path, format!("the file cannot be read: {error}"), "check its permissions"),
    })?;
    Ok(BufReader::new(file))
}

/// Writes `out0`, `out1`, ... to a file.
pub(crate) fn write(path: &Path, results: Vec<Tensor>) -> Outcome {
    let arrays: BTreeMap<String, Tensor> =
        results.into_iter().enumerate().map(|(index, tensor)| (format!("out{index}"), tensor)).collect();
    let mut bytes = std::io::Cursor::new(Vec::new());
    npz::write_to(&mut bytes, &arrays)
        .map_err(|error| Failure::file(path, error.0, "is there enough memory?"))?;
    crate::output::write(path, bytes.get_ref())
}

/// How floats are kept.
pub(crate) fn precision(numbers: Numbers) -> Precision {
    match numbers.precision {
        FloatPrecision::Declared => Precision::Declared,
        FloatPrecision::F64 => Precision::Wide,
    }
}

/// Why a run failed, as a failure of the command: inputs and what no evaluator can compute are the user's, the rest
/// is a device's.
pub(crate) fn failure(error: &RunError, source: &Source) -> Failure {
    let check = if error.kind == RunErrorKind::CheckFailed { CHECK } else { RUN };
    let diagnostic = Diagnostic::error(check, error.span, error.to_string());
    let finding = Finding { diagnostic, source: Some(source.clone()) };
    match (error.kind, error.device) {
        (RunErrorKind::Inputs, _) | (RunErrorKind::Evaluation, None) => Failure::Input(vec![finding]),
        (RunErrorKind::CheckFailed, _) => Failure::Check(Box::new(finding)),
        _ => Failure::Worker(Box::new(finding)),
    }
}
