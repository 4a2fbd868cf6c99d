//! Values of a job of which flags take the place.
//!
//! Input: the flags and what the file says. Output: a sentence for each value of the file that is not used.

use super::Job;
use crate::args::{LayersOfStages, PipelineArguments, Planning};
use clap::ValueEnum;
use meshwright_compile::Microbatches;
use meshwright_export::read::Found;
use meshwright_schedule::usual;
use std::fmt::Display;

/// What of a job's stages is set aside: its schedule and how many layers each has.
pub(super) fn notes_of_stages(job: &Job, given: &PipelineArguments) -> Vec<String> {
    if job.groups == 1 {
        return Vec::new();
    }
    let own = job.schedule.unwrap_or_else(|| usual(job.virtual_stages));
    let schedule = given.schedule.as_deref().filter(|given| *given != own);
    let schedule = schedule.map(|given| ("--schedule", given.to_owned(), own.to_owned()));
    let layers = given.stage_layers.as_ref().zip(job.stage_layers());
    let layers = layers.filter(|(LayersOfStages(given), own)| given != own);
    let layers = layers.and_then(|(LayersOfStages(given), own)| {
        Some(("--stage-layers", listed(given.iter())?, listed(own.iter())?))
    });
    let note =
        |(flag, given, own)| format!("`{flag} {given}` is taken in place of what the file says: {own}");
    schedule.into_iter().chain(layers).map(note).collect()
}

/// Values that are set aside, in the order in which the help has the flags.
pub(super) fn notes(planning: &Planning, found: &Found) -> Vec<String> {
    let mut notes = Vec::new();
    let mut compared = |flag: &str, given: Option<String>, own: Option<String>, what: &str| {
        let (Some(given), Some(own)) = (given, own) else { return };
        if given != own {
            notes.push(format!("`{flag} {given}` is taken in place of what the file says: {what}{own}"));
        }
    };
    let fitting = &planning.fitting;
    let numbers = |asked: &[Microbatches]| {
        let number = |asked: &Microbatches| match asked {
            Microbatches::Number(number) => number.to_string(),
            Microbatches::Search => "search".to_owned(),
        };
        listed(asked.iter().map(number))
    };
    let words = |number: Option<usize>| number.map(|number| number.to_string());
    compared(
        "--microbatches",
        numbers(&fitting.microbatches),
        words(found.microbatches),
        "microbatches of a step: ",
    );
    compared(
        "--microbatch-size",
        numbers(&fitting.microbatch_size),
        words(found.microbatch_size),
        "sequences of a microbatch: ",
    );
    // Either says the other, of a batch on so many replicas.
    let number =
        found.microbatches.filter(|_| found.microbatch_size.is_none() && fitting.microbatches.is_empty());
    let of_number = words(number).map(|number| format!("{number} microbatches of a step"));
    compared("--microbatch-size", numbers(&fitting.microbatch_size), of_number, "");
    let size =
        found.microbatch_size.filter(|_| found.microbatches.is_none() && fitting.microbatch_size.is_empty());
    let of_size = words(size).map(|size| format!("microbatches of {size} sequences"));
    compared("--microbatches", numbers(&fitting.microbatches), of_size, "");
    let again = fitting.recompute.iter().flat_map(|one| one.0.iter());
    compared("--recompute", listed(again), found.recompute.map(|level| level.name().to_owned()), "");
    let step = &planning.step;
    compared("--optimizer", step.optimizer.clone(), found.optimizer.map(str::to_owned), "");
    let recipe = step.precision_recipe.as_ref().and_then(ValueEnum::to_possible_value);
    compared(
        "--precision-recipe",
        recipe.map(|recipe| recipe.get_name().to_owned()),
        found.recipe().map(str::to_owned),
        "",
    );
    notes
}

fn listed(values: impl Iterator<Item = impl Display>) -> Option<String> {
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    (!values.is_empty()).then(|| values.join(","))
}
