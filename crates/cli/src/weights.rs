//! Parameters of a program from checkpoints as Hugging Face writes them, and back.
//!
//! A parameter is an argument of floats with a name in parts, `model.norm.weight`; what an optimizer keeps of it is called
//! so behind the name of a slot, `m.model.norm.weight`. All else that a step returns for the next one is state too.

use crate::failure::{Failure, Finding, Outcome};
use crate::{arrays, input, output};
use meshwright_ir::arguments::Donation;
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Source, Span};
use meshwright_ir::program::Function;
use meshwright_tensor::types::{TensorType, Type};
use meshwright_tensor::{Precision, Tensor};
use meshwright_weights::safetensors::header;
use meshwright_weights::{File, INDEX, SINGLE, Wanted, files_of, read};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A checkpoint does not fit the program.
const WEIGHTS: Check = Check("weights");

/// Bytes of a file of a checkpoint, as `save_pretrained` limits them.
const MOST_BYTES: usize = 5_000_000_000;

/// What of a model's folder is not its weights, and goes with them.
const BESIDE: &[&str] = &["config.json", "generation_config.json"];

/// An argument of a step.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    /// What the program calls it.
    pub(crate) name: Option<String>,
    /// Its type.
    pub(crate) ty: Type,
    /// Whether a result takes its place in the next step.
    pub(crate) is_state: bool,
}

impl Argument {
    /// Whether it is a parameter among these arguments.
    fn is_parameter(&self, all: &[Self]) -> bool {
        let (Some(name), Some(ty)) = (&self.name, self.ty.as_tensor()) else { return false };
        let is_slot = name
            .split_once('.')
            .is_some_and(|(_, rest)| all.iter().any(|other| other.name.as_deref() == Some(rest)));
        ty.element.is_float() && name.contains('.') && !is_slot
    }
}

/// For each argument of a step whether a checkpoint gives it.
pub(crate) fn gives(all: &[Argument]) -> Vec<bool> {
    all.iter().map(|argument| argument.is_state || argument.is_parameter(all)).collect()
}

/// What a checkpoint gives of the arguments of a step: parameters, and zeros for the rest of the state.
pub(crate) fn arguments(folder: &Path, all: &[Argument]) -> Outcome<Vec<Option<Tensor>>> {
    let parameters: Vec<usize> = (0..all.len()).filter(|index| all[*index].is_parameter(all)).collect();
    if parameters.is_empty() {
        let message = "`--weights`: the program has no parameters with names of a checkpoint, such as `model.norm.weight`";
        return Err(Failure::usage(message));
    }
    let wanted = parameters.iter().map(|index| {
        Ok(Wanted {
            name: all[*index].name.clone().unwrap_or_default(),
            ty: tensor_type(&all[*index])?.clone(),
        })
    });
    let tensors = checkpoint(folder, &wanted.collect::<Outcome<Vec<_>>>()?)?;
    let mut given = vec![None; all.len()];
    for (index, tensor) in parameters.into_iter().zip(tensors) {
        given[index] = Some(tensor);
    }
    for (slot, argument) in
        given.iter_mut().zip(all).filter(|(slot, argument)| slot.is_none() && argument.is_state)
    {
        let zeros = Tensor::zeros(tensor_type(argument)?, Precision::Declared);
        *slot = Some(zeros.map_err(|error| Failure::usage(format!("a state cannot be made: {error}")))?);
    }
    Ok(given)
}

/// Arguments of a step as a checkpoint gives them, for those who have no command line. Errors: it does not fit.
pub fn checkpoint_arguments(folder: &Path, function: &Function) -> Result<Vec<Option<Tensor>>, Diagnostics> {
    arguments(folder, &arrays::arguments(function)).map_err(Failure::into_diagnostics)
}

/// The same for all arguments, of which a file of arrays gives those that no checkpoint has.
pub(crate) fn all_arguments(folder: &Path, all: &[Argument], inputs: Option<&Path>) -> Outcome<Vec<Tensor>> {
    let mut given = arguments(folder, all)?;
    let mut rest = arrays::wanted(all);
    rest.retain(|wanted| given[wanted.number].is_none());
    let read = match (inputs, rest.first()) {
        (Some(path), _) => arrays::read(path, &rest)?,
        (None, None) => Vec::new(),
        (None, Some(wanted)) => {
            let name = wanted.numbered_name();
            let message = format!(
                "the checkpoint does not give `{name}`, nor what else is data: give it with `--inputs FILE`"
            );
            return Err(Failure::usage(message));
        }
    };
    for (slot, tensor) in given.iter_mut().filter(|slot| slot.is_none()).zip(read) {
        *slot = Some(tensor);
    }
    Ok(given.into_iter().flatten().collect())
}

fn tensor_type(argument: &Argument) -> Outcome<&TensorType> {
    let ty = &argument.ty;
    ty.as_tensor().ok_or_else(|| Failure::usage(format!("a {ty} cannot be read from a checkpoint")))
}

/// Refuses a checkpoint that is not there, or whose files do not say what is in them, before anything is planned.
pub(crate) fn must_be_there(folder: Option<&Path>) -> Outcome {
    let Some(folder) = folder else { return Ok(()) };
    for mut file in files(folder)? {
        header(&mut file.reader)
            .map_err(|problem| wrong(folder, vec![format!("{}: {problem}", file.name)]))?;
    }
    Ok(())
}

/// Parameters from the files of a folder.
fn checkpoint(folder: &Path, wanted: &[Wanted]) -> Outcome<Vec<Tensor>> {
    read(wanted, &mut files(folder)?).map_err(|problems| wrong(folder, problems))
}

/// The files of a folder, open.
fn files(folder: &Path) -> Outcome<Vec<File<std::fs::File>>> {
    let open = |name: String| {
        let path = folder.join(&name);
        let reader = std::fs::File::open(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                Failure::file(&path, "there is no such file", "is the checkpoint complete?")
            }
            _ => Failure::file(&path, format!("the file cannot be read: {error}"), "check its permissions"),
        })?;
        Ok(File { name, reader })
    };
    file_names(folder)?.into_iter().map(open).collect()
}

fn file_names(folder: &Path) -> Outcome<Vec<String>> {
    if !folder.is_dir() {
        return Err(Failure::file(
            folder,
            "there is no such folder",
            "give a folder that `save_pretrained` wrote",
        ));
    }
    let index = folder.join(INDEX);
    if index.is_file() {
        let text = input::text(&index, "index")?;
        return files_of(&text.text).map_err(|problem| wrong(&index, vec![problem]));
    }
    match folder.join(SINGLE).is_file() {
        true => Ok(vec![SINGLE.to_owned()]),
        false => Err(Failure::file(
            folder,
            format!("there is neither `{SINGLE}` nor `{INDEX}`"),
            "give a folder that `save_pretrained` wrote, with safetensors",
        )),
    }
}

/// All that is wrong with a checkpoint.
fn wrong(path: &Path, problems: Vec<String>) -> Failure {
    let finding = |problem| Finding {
        diagnostic: Diagnostic::error(WEIGHTS, Span::NONE, problem)
            .hint("is it a checkpoint of the model that the program was made of?"),
        source: Some(Source::new(path.display().to_string(), "")),
    };
    Failure::Input(problems.into_iter().map(finding).collect())
}

/// The same for those who have no command line: `results` are those of the function of a step. A folder that is there is
/// replaced. Errors: nothing is trained, or the folder cannot be written.
pub fn save_checkpoint(
    folder: &Path,
    function: &Function,
    results: &[Tensor],
    from: Option<&Path>,
) -> Result<(), Diagnostics> {
    let all = arrays::arguments(function);
    let next: Vec<Option<usize>> = (0..all.len())
        .map(|index| match function.donation(index) {
            Donation::ToResult(result) => Some(result),
            _ => None,
        })
        .collect();
    write(folder, &all, &next, results, from).map_err(Failure::into_diagnostics)
}

/// Writes the parameters of a step after it ran: `results` take the places of arguments, as `next` says it. `from` is the
/// folder that they came from, of which the configuration is copied.
pub(crate) fn write(
    folder: &Path,
    all: &[Argument],
    next: &[Option<usize>],
    results: &[Tensor],
    from: Option<&Path>,
) -> Outcome {
    let trained = |index: usize| Some((all[index].name.clone()?, results.get(next[index]?)?.clone()));
    let parameters: Vec<(String, Tensor)> =
        (0..all.len()).filter(|index| all[*index].is_parameter(all)).filter_map(trained).collect();
    if parameters.is_empty() {
        return Err(Failure::usage(
            "`--save-weights`: the program trains no parameters with names of a checkpoint",
        ));
    }
    let written = meshwright_weights::write(&parameters, MOST_BYTES);
    let mut files: Vec<(String, Vec<u8>)> =
        written.map_err(Failure::usage)?.into_iter().map(|file| (file.name, file.bytes)).collect();
    let beside = |name: &&str| from.map(|from| from.join(name)).filter(|path: &PathBuf| path.is_file());
    for name in BESIDE {
        if let Some(path) = beside(name) {
            files.push(((*name).to_owned(), input::bytes(&path, "configuration")?));
        }
    }
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    output::write_folder(folder, &files)
}
