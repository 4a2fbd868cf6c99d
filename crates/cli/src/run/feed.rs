//! What a run is given: inputs, batches, a checkpoint to begin with; and where it writes checkpoints.

use super::Compiled;
use crate::args::RunArguments;
use crate::failure::{Failure, Outcome};
use crate::vocabularies::Vocabularies;
use crate::weights::Argument;
use crate::{arrays, weights};
use meshwright_execute::checkpoints::{self, Folder};
use meshwright_execute::npz::{self, Wanted};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::{TensorType, Type};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where everything that a run needs comes from.
pub(super) struct Feed {
    inputs: Option<PathBuf>,
    /// A checkpoint of weights.
    weights: Option<PathBuf>,
    /// The arguments of a step.
    arguments: Vec<Argument>,
    /// For each argument whether that checkpoint gives it.
    in_weights: Vec<bool>,
    /// For each argument the one whose value it begins with, if nobody gives it.
    begins: Vec<Option<usize>>,
    batches: Option<Batches>,
    /// The checkpoint to begin with, and where it is.
    pub(super) resumed: Option<(PathBuf, Folder)>,
    pub(super) checkpoints: Option<Checkpoints>,
    /// The step to begin with, and the one to end with.
    pub(super) steps: std::ops::Range<u64>,
}

/// Arguments that are new in every step.
pub(super) struct Batches {
    pub(super) path: PathBuf,
    /// What they are in the file: with a dim more in front.
    wanted: Vec<Wanted>,
    /// What the file calls them.
    names: Vec<String>,
}

/// Where checkpoints go.
pub(super) struct Checkpoints {
    pub(super) every: u64,
    pub(super) folder: PathBuf,
    pub(super) keep: usize,
}

impl Feed {
    pub(super) fn new(arguments: &RunArguments, compiled: &Compiled) -> Outcome<Self> {
        let all = compiled.arguments();
        let batches = arguments.batches.as_deref().map(|path| Batches::read(path, &all)).transpose()?;
        let resumed = arguments.resume.as_deref().map(|path| resume(path, compiled)).transpose()?;
        let first = resumed.as_ref().map_or(0, |(_, folder)| folder.index.step);
        let last = if resumed.is_some() { arguments.steps } else { first + arguments.steps };
        if first >= last {
            return Err(Failure::usage(format!(
                "`--steps {last}`: the checkpoint is of step {first} already; `--steps` counts all steps, those before \
                 the checkpoint too"
            )));
        }
        let checkpoints = match arguments.checkpoint_every.as_slice() {
            [every, folder] => Some(Checkpoints::new(every, folder, arguments.keep, first)?),
            _ => None,
        };
        let weights = arguments.checkpoint.weights.clone();
        let in_weights = weights.as_ref().map_or(Vec::new(), |_| weights::gives(&all));
        let inputs = arguments.inputs.clone();
        let begins = compiled.bundle.arguments.iter().map(|argument| argument.begins_as).collect();
        let feed = Self {
            inputs,
            weights,
            arguments: all,
            in_weights,
            begins,
            batches,
            resumed,
            checkpoints,
            steps: first..last,
        };
        feed.must_be_of_the_model(compiled)?;
        feed.covers(compiled)?;
        Ok(feed)
    }

    /// Refuses to run without what some argument needs, and more than one step where state would be lost.
    fn covers(&self, compiled: &Compiled) -> Outcome {
        let is_given =
            |index: &usize| self.inputs.is_some() || self.is_given(*index) || self.is_resumed(*index);
        if let Some(missing) = (0..compiled.programs.arguments.len()).find(|index| !is_given(index)) {
            let arguments = crate::plural::count(compiled.programs.arguments.len(), "argument");
            let has_some = self.resumed.is_some() || self.batches.is_some() || self.weights.is_some();
            return Err(Failure::usage(match has_some {
                true => format!("nothing gives argument {missing}: give `--inputs FILE` too"),
                false => format!("the program takes {arguments}: give them with `--inputs FILE`"),
            }));
        }
        Ok(())
    }

    /// Whether an argument is new in every step.
    pub(super) fn is_batch(&self, index: usize) -> bool {
        self.batches.as_ref().is_some_and(|batches| batches.has(index))
    }

    /// Whether an argument is not read from the inputs.
    fn is_given(&self, index: usize) -> bool {
        self.is_batch(index) || self.in_weights.get(index) == Some(&true) || self.begins_as(index).is_some()
    }

    /// Refuses numbers in files that the model does not have, before anything runs.
    fn must_be_of_the_model(&self, compiled: &Compiled) -> Outcome {
        let made = compiled.plan().and_then(|(_, plan)| plan.model);
        let vocabularies = Vocabularies::of(made.as_ref(), self.weights.as_deref(), &self.arguments);
        if let Some(batches) = &self.batches {
            batches.must_be_of(&vocabularies)?;
        }
        let all = self.read_from_inputs();
        let is_known = |wanted: &Wanted| vocabularies.has(wanted.number);
        let Some(path) = self.inputs.as_ref().filter(|_| all.iter().any(is_known)) else { return Ok(()) };
        let read = match path.is_dir() {
            true => {
                read_each(path, &all.iter().filter(|wanted| is_known(wanted)).cloned().collect::<Vec<_>>())?
            }
            false => arrays::read_some(path, &all, &is_known)?,
        };
        let known = all.iter().filter(|wanted| is_known(wanted));
        known.zip(&read).try_for_each(|(wanted, tensor)| vocabularies.must_have(wanted.number, tensor, path))
    }

    fn begins_as(&self, index: usize) -> Option<usize> {
        self.begins.get(index).copied().flatten()
    }

    fn is_resumed(&self, index: usize) -> bool {
        let name = format!("arg{index}");
        self.resumed.as_ref().is_some_and(|(_, folder)| folder.index.arrays.contains_key(&name))
    }

    /// The arguments that `--inputs` is read for.
    fn read_from_inputs(&self) -> Vec<Wanted> {
        let mut wanted = arrays::wanted(&self.arguments);
        wanted.retain(|wanted| !self.is_given(wanted.number));
        wanted
    }

    /// All arguments of the first step; those that are new in every step are missing.
    pub(super) fn first(&self, types: &[Type]) -> Outcome<Vec<Option<Tensor>>> {
        let mut all = match &self.weights {
            Some(folder) => weights::arguments(folder, &self.arguments)?,
            None => vec![None; types.len()],
        };
        let wanted = self.read_from_inputs();
        if let (Some(path), false) = (&self.inputs, wanted.is_empty()) {
            for (wanted, tensor) in wanted.iter().zip(read_each(path, &wanted)?) {
                all[wanted.number] = Some(tensor);
            }
        }
        for index in 0..all.len() {
            if let Some(first) = self.begins_as(index) {
                all[index] = all[first].clone();
            }
        }
        if let Some((_, folder)) = &self.resumed {
            for (index, ty) in types.iter().enumerate().filter(|(index, _)| self.is_resumed(*index)) {
                all[index] = Some(folder.read(&format!("arg{index}"), tensor_type(ty)?).map_err(damaged)?);
            }
        }
        Ok(all)
    }

    /// What the inputs' file calls arguments that it does not call `arg0`, `arg1`, ...; checks their types on the way.
    pub(super) fn input_names(&self) -> Outcome<BTreeMap<String, String>> {
        let wanted = self.read_from_inputs();
        let Some(path) = self.inputs.as_deref().filter(|path| !path.is_dir()) else {
            return Ok(BTreeMap::new());
        };
        Ok(own_names(&wanted, &arrays::names_for(path, &wanted)?))
    }

    /// The file of inputs.
    pub(super) fn inputs(&self) -> Option<&Path> {
        self.inputs.as_deref()
    }

    /// The file of batches.
    pub(super) fn batches(&self) -> Option<&Batches> {
        self.batches.as_ref()
    }
}

impl Batches {
    fn read(path: &Path, all: &[Argument]) -> Outcome<Self> {
        let hint = "np.savez(FILE, arg7=...) with a dim more in front than argument 7 has, an entry per step; the name of the \
                    argument in the program does too";
        let shapes = npz::shapes(arrays::open(path)?).map_err(|error| Failure::file(path, error.0, hint))?;
        let given = arrays::wanted(all);
        let mut wanted: Vec<Wanted> = Vec::new();
        for (name, shape) in shapes {
            let own = given.iter().find(|own| own.numbered_name() == name);
            let own = own.or_else(|| given.iter().find(|own| own.name.as_ref() == Some(&name)));
            let Some((own, ty)) = own.and_then(|own| Some((own, own.ty.as_tensor()?))) else {
                return Err(Failure::file(path, format!("`{name}` is no argument of the program"), hint));
            };
            match shape.split_first() {
                Some((count, rest)) if rest == ty.shape && *count > 0 => {
                    let ty = TensorType { shape: shape.clone(), ..ty.clone() };
                    wanted.push(Wanted { ty: ty.into(), ..own.clone() });
                }
                Some((0, rest)) if rest == ty.shape => {
                    return Err(Failure::file(path, format!("`{name}` has no entries, not one batch"), hint));
                }
                _ => {
                    let message = format!(
                        "`{name}` has shape {shape:?}, but argument {} is a {ty}: a dim of batches comes before that",
                        own.number
                    );
                    return Err(Failure::file(path, message, hint));
                }
            }
        }
        wanted.sort_by_key(|own| own.number);
        wanted.dedup_by_key(|own| own.number);
        // Element types too, before anything runs.
        let names = arrays::names_for(path, &wanted)?;
        Ok(Self { path: path.to_owned(), wanted, names })
    }

    fn has(&self, index: usize) -> bool {
        self.wanted.iter().any(|own| own.number == index)
    }

    /// `arg7`, ... of each of them.
    pub(super) fn numbered_names(&self) -> Vec<String> {
        self.wanted.iter().map(Wanted::numbered_name).collect()
    }

    /// What the file calls those that it does not call so.
    pub(super) fn own_names(&self) -> BTreeMap<String, String> {
        own_names(&self.wanted, &self.names)
    }

    /// Refuses numbers that a model does not have.
    fn must_be_of(&self, vocabularies: &Vocabularies) -> Outcome {
        if !self.wanted.iter().any(|own| vocabularies.has(own.number)) {
            return Ok(());
        }
        self.all()?.iter().try_for_each(|(index, all)| vocabularies.must_have(*index, all, &self.path))
    }

    /// All entries of all of them: read once, for as long as steps are run.
    pub(super) fn all(&self) -> Outcome<Vec<(usize, Tensor)>> {
        let read = arrays::read(&self.path, &self.wanted)?;
        Ok(self.wanted.iter().map(|own| own.number).zip(read).collect())
    }
}

/// What a file calls arrays that it does not call `arg0`, `arg1`, ...
fn own_names(wanted: &[Wanted], names: &[String]) -> BTreeMap<String, String> {
    let pairs = wanted.iter().map(Wanted::numbered_name).zip(names.iter().cloned());
    pairs.filter(|(name, found)| name != found).collect()
}

/// Arguments from the inputs, a file or a folder of shards.
fn read_each(path: &Path, wanted: &[Wanted]) -> Outcome<Vec<Tensor>> {
    if !path.is_dir() {
        return arrays::read(path, wanted);
    }
    let folder = Folder::open(path).map_err(damaged)?;
    let read =
        |wanted: &Wanted| folder.read(&wanted.numbered_name(), tensor_type(&wanted.ty)?).map_err(damaged);
    wanted.iter().map(read).collect()
}

impl Checkpoints {
    fn new(every: &str, folder: &str, keep: u64, first: u64) -> Outcome<Self> {
        let number = every.parse().ok().filter(|every| *every > 0);
        let Some(every) = number else {
            let message = format!("`--checkpoint-every {every} {folder}`: `{every}` is no number of steps");
            return Err(Failure::usage(message));
        };
        let folder = PathBuf::from(folder);
        std::fs::create_dir_all(&folder).map_err(|error| {
            Failure::file(
                &folder,
                format!("the folder cannot be made: {error}"),
                "give a folder that may be written",
            )
        })?;
        if let Some(later) = checkpoints::checkpoints(&folder)
            .into_iter()
            .rfind(|path| checkpoints::step_of(path) > Some(first))
        {
            let message = format!(
                "the run begins at step {first}, but the folder has `{}` of an earlier run",
                name(&later)
            );
            let hint = format!(
                "go on from there with `--resume {}`, give another folder, or move away what is of a later step",
                folder.display()
            );
            return Err(Failure::file(&folder, message, hint));
        }
        Ok(Self { every, folder, keep: usize::try_from(keep).unwrap_or(usize::MAX) })
    }
}

/// The checkpoint in a folder: the folder itself, or the newest of those in it.
fn resume(path: &Path, compiled: &Compiled) -> Outcome<(PathBuf, Folder)> {
    let all = checkpoints::checkpoints(path);
    let chosen =
        if path.join(checkpoints::INDEX).is_file() { Some(path.to_owned()) } else { all.last().cloned() };
    let Some(chosen) = chosen else {
        let hint = "`--checkpoint-every N DIR` writes checkpoints into DIR";
        return Err(Failure::file(path, "there is no complete checkpoint", hint));
    };
    let folder = Folder::open(&chosen).map_err(damaged)?;
    let (found, own) = (&folder.index.program, &compiled.bundle.program);
    if found != own && !found.is_empty() && !own.is_empty() {
        let message = format!("the checkpoint is of another program ({found}, not {own})");
        return Err(Failure::file(
            &chosen,
            message,
            "resume the program that wrote it; mesh and plan may differ",
        ));
    }
    let state = compiled.bundle.arguments.iter().enumerate().filter(|(_, argument)| argument.next.is_some());
    let missing =
        state.map(|(index, _)| format!("arg{index}")).find(|name| !folder.index.arrays.contains_key(name));
    if let Some(name) = missing {
        let message =
            format!("the folder is no checkpoint of this program: it has no `{name}`, which is state");
        return Err(Failure::file(&chosen, message, "give a folder that `--checkpoint-every N DIR` wrote"));
    }
    Ok((chosen, folder))
}

/// What is wrong with a checkpoint or another folder of shards.
pub(super) fn damaged(error: checkpoints::StoreError) -> Failure {
    let hint = "if it is a checkpoint, remove its folder: the one before is used then";
    Failure::file(&error.path, error.message, hint)
}

fn tensor_type(ty: &Type) -> Outcome<&TensorType> {
    ty.as_tensor().ok_or_else(|| Failure::usage(format!("a {ty} cannot be read from a file")))
}

/// The last part of a path.
fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
