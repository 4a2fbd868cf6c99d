//! Steps on the embedded devices.

use super::compare::Compare;
use super::feed::{Batches, Feed, damaged};
use super::log::Log;
use super::{Compiled, Finished, is_folder, named, note_stop};
use crate::args::RunArguments;
use crate::failure::{Failure, Outcome};
use crate::terminal::Terminal;
use crate::{arrays, memory};
use meshwright_execute::{checkpoints, footprint};
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::Check;
use meshwright_tensor::{Precision, Tensor};
use std::time::Instant;

/// Devices that should hold the same do not.
const COPIES: Check = Check("copies-differ");

/// Runs all steps.
pub(super) fn run(
    arguments: &RunArguments,
    compiled: &Compiled,
    feed: &Feed,
    log: &Log,
) -> Outcome<Finished> {
    let precision = arrays::precision(arguments.numbers);
    let needed = footprint::of_run(&compiled.programs, precision);
    memory::require(needed, "running the program on every device", &compiled.source)?;
    let mut steps = Steps::new(compiled, feed)?;
    let mut compare =
        arguments.compare.map(|with| Compare::new(with, arguments, compiled, feed, log)).transpose()?;
    let mut results = Vec::new();
    for step in feed.steps.clone() {
        results = steps.next(step, precision, log)?;
        if let Some(compare) = &mut compare {
            log.compared(step + 1, compare.step(step, &results, &Quiet)?);
        }
        let done = step + 1;
        let is_stopped = crate::interrupt::asked();
        if let Some(checkpoints) = &feed.checkpoints
            && (done % checkpoints.every == 0 || done == feed.steps.end || is_stopped)
        {
            steps.save(done, checkpoints, log)?;
        }
        if is_stopped && done < feed.steps.end {
            let unsaved = feed.checkpoints.is_none();
            note_stop(done, unsaved.then(|| super::UNSAVED.to_owned()), arguments, log);
            return Ok(Finished { results: None, stopped: Some(done), verdict: Ok(()) });
        }
    }
    if let Some(path) = arguments.outputs.as_deref().filter(|path| is_folder(path)) {
        let tensors = named(&results, &compiled.bundle);
        checkpoints::write(path, feed.steps.end, &compiled.bundle.program, &tensors).map_err(damaged)?;
    }
    let verdict = compare.map_or(Ok(()), |compare| compare.finish(log));
    Ok(Finished { results: Some(results), stopped: None, verdict })
}

/// The state between steps.
pub(super) struct Steps<'a> {
    compiled: &'a Compiled,
    arguments: Vec<Option<Tensor>>,
    batches: Vec<(usize, Tensor)>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(compiled: &'a Compiled, feed: &Feed) -> Outcome<Self> {
        let types = compiled.argument_types();
        let batches = feed.batches().map_or(Ok(Vec::new()), Batches::all)?;
        Ok(Self { compiled, arguments: feed.first(&types)?, batches })
    }

    /// The arguments of a step.
    pub(super) fn arguments(&self, step: u64) -> Outcome<Vec<Tensor>> {
        let each = self.arguments.iter().enumerate();
        each.map(|(index, tensor)| match self.batches.iter().find(|(own, _)| *own == index) {
            Some((_, all)) => entry(all, step),
            None => tensor.clone().ok_or_else(|| Failure::usage(format!("nothing gives argument {index}"))),
        })
        .collect()
    }

    /// Feeds a step's results back.
    pub(super) fn feed_back(&mut self, results: &[Tensor]) {
        for (slot, described) in self.arguments.iter_mut().zip(&self.compiled.bundle.arguments) {
            if let Some(result) = described.next.and_then(|next| results.get(next)) {
                *slot = Some(result.clone());
            }
        }
    }

    /// Runs a step on the embedded devices.
    #[allow(clippy::disallowed_methods)] // the doors read clocks
    fn next(&mut self, step: u64, precision: Precision, log: &Log) -> Outcome<Vec<Tensor>> {
        let results = {
            let inputs = self.arguments(step)?;
            let started = Instant::now();
            let terminal = Terminal::plain();
            let results = local_step(self.compiled, &inputs, precision, &terminal);
            terminal.wipe();
            let results = results?;
            log.step(step + 1, started.elapsed().as_secs_f64(), shown(self.compiled, &results));
            results
        };
        self.feed_back(&results);
        Ok(results)
    }

    fn save(&self, done: u64, checkpoints: &super::feed::Checkpoints, log: &Log) -> Outcome {
        let bundle = &self.compiled.bundle;
        let state = bundle.arguments.iter().enumerate().filter(|(_, described)| described.next.is_some());
        let tensors = state.filter_map(|(index, described)| {
            let tensor = self.arguments[index].clone()?;
            Some((format!("arg{index}"), (described.name.clone(), tensor)))
        });
        let folder = checkpoints::checkpoint_folder(&checkpoints.folder, done);
        checkpoints::write(&folder, done, &bundle.program, &tensors.collect()).map_err(damaged)?;
        checkpoints::prune(&checkpoints.folder, checkpoints.keep);
        log.note(&format!("step {done} saved in {}", folder.display()));
        Ok(())
    }
}

/// The local program's results, put together.
pub(super) fn local_step(
    compiled: &Compiled,
    inputs: &[Tensor],
    precision: Precision,
    control: &dyn Control,
) -> Outcome<Vec<Tensor>> {
    let results = meshwright_execute::run_programs(&compiled.programs, inputs, precision, control)
        .map_err(|error| arrays::failure(&error, &compiled.source))?;
    let apart = results.iter().enumerate().find_map(|(index, result)| Some((index, result.copies.devices?)));
    if let Some((index, (first, second))) = apart {
        let copies = &results[index].copies;
        let message = format!(
            "devices {first} and {second} hold different copies of result {index} (largest difference {:.1e})",
            copies.max_abs
        );
        let hint = "the local program is wrong: compile it again, and `meshwright check` the model";
        return Err(Failure::Check(Box::new(compiled.failure(COPIES, message, hint))));
    }
    Ok(results.into_iter().map(|result| result.tensor).collect())
}

/// Results without dims that are no state.
pub(super) fn shown(compiled: &Compiled, results: &[Tensor]) -> Vec<(usize, f64)> {
    let is_state =
        |index: usize| compiled.bundle.arguments.iter().any(|argument| argument.next == Some(index));
    let each = results.iter().enumerate().filter(|(index, tensor)| tensor.rank() == 0 && !is_state(*index));
    each.filter_map(|(index, tensor)| Some((index, tensor.scalar_as_f64().ok()?))).collect()
}

/// The entry of a step along the first dim, over and over.
fn entry(all: &Tensor, step: u64) -> Outcome<Tensor> {
    let shape = all.shape();
    let at = (step % shape[0].max(1) as u64) as usize;
    let (mut start, mut limit) = (vec![0; shape.len()], shape.to_vec());
    (start[0], limit[0]) = (at, at + 1);
    let cut = all.slice(&start, &limit, &vec![1; shape.len()]).and_then(|part| part.reshape(&shape[1..]));
    cut.map_err(|error| Failure::usage(format!("a batch cannot be cut: {error}")))
}
