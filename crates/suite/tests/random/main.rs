//! Random programs, meshes and annotations through every stage: read, verify, propagate, partition, run on the
//! embedded devices in f64, compare with the undistributed program.
//!
//!     cargo test -p meshwright-suite --test random                               # a hundred
//!     RANDOM=100000..200000 cargo test --release -p meshwright-suite --test random   # these seeds
//!
//! Others are for thousands of devices, with axes of equal size; those go as far as the checked local program.
//!
//! The same programs, decorated with shardings, `sdy` ops, attributes and locations of every kind, are printed and read
//! again in both forms, with locations and without.
//!
//! A program that fails is made as small as it stays wrong, and printed.
//!
//! Normal forms and plans of the same programs are modules of their own.

// The range of seeds comes from the person who runs the test.
#![allow(clippy::disallowed_methods, clippy::print_stderr)]

mod ahead;
mod attributes;
mod chosen;
mod complex;
mod decorate;
mod elements;
mod generate;
mod guides;
mod locate;
mod loops;
mod matrices;
mod meshes;
mod microbatches;
mod module;
mod normal;
mod ops;
mod pipeline;
mod plans;
mod recompute;
mod shrink;
mod training;
mod windows;

use meshwright_fuzz::rng;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print, print_with_locations, read};
use meshwright_ir::verify::verify;
use std::ops::Range;

fn seeds() -> Range<u64> {
    let chosen = std::env::var("RANDOM").ok();
    let parsed = chosen.as_deref().and_then(|text| {
        let (start, end) = text.split_once("..")?;
        Some(start.parse().ok()?..end.parse().ok()?)
    });
    parsed.unwrap_or(0..100)
}

/// Prints a decorated program in each form and reads it again.
fn reads_back(seed: u64) -> Result<(), String> {
    let text = generate::program(seed, 1 + (seed % 12) as usize);
    let mut program = read(&Source::new("random.mlir", text)).map_err(|error| format!("{error:?}"))?;
    decorate::decorate(&mut program, seed);
    locate::locate(&mut program, seed);
    let text = print(&program, Form::Pretty);
    verify(&program).map_err(|error| format!("not verified: {error:?}\n{text}"))?;
    reads_back_as(&program, print)?;
    reads_back_as(&program, print_with_locations)
}

fn reads_back_as(program: &Program, print: fn(&Program, Form) -> String) -> Result<(), String> {
    let printed = [Form::Pretty, Form::Generic].map(|form| print(program, form));
    for text in &printed {
        let again = read(&Source::new("printed.mlir", text.as_str()))
            .map_err(|error| format!("not read: {error:?}\n{text}"))?;
        verify(&again).map_err(|error| format!("not verified when read: {error:?}\n{text}"))?;
        for (form, before) in [Form::Pretty, Form::Generic].into_iter().zip(&printed) {
            let after = print(&again, form);
            if after != *before {
                let lines = before.lines().zip(after.lines()).find(|(before, after)| before != after);
                return Err(format!("another program: {lines:#?}\n{before}\n=======\n{after}"));
            }
        }
    }
    Ok(())
}

#[test]
fn programs_survive_print_and_read() {
    let found: Vec<String> = seeds()
        .filter_map(|seed| Some(format!("---- seed {seed} ----\n{}", reads_back(seed).err()?)))
        .take(3)
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn propagated_modules_say_what_was_annotated() {
    let found: Vec<String> = seeds()
        .filter_map(|seed| {
            let text = generate::program(seed, 1 + (seed % 12) as usize);
            let problem = module::problem(&text)?;
            Some(format!("---- seed {seed} ----\n{problem}\n{text}"))
        })
        .take(3)
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn partitioned_programs_compute_what_whole_ones_do() {
    all_go_well(seeds(), generate::program, pipeline::problem);
}

#[test]
fn programs_in_microbatches_compute_what_whole_ones_do() {
    all_go_well(seeds(), generate::program, microbatches::problem);
    let Range { start, end } = seeds();
    let some = start..start + (end - start).min(100);
    let ways: usize = some.clone().map(|seed| microbatches::ways(seed, &generate::program(seed, 6))).sum();
    assert!(ways as u64 >= some.end - some.start, "{ways} ways to cut are few");
}

#[test]
fn what_layers_make_of_weights_alone_is_the_same_ahead_of_them() {
    all_go_well(seeds(), ahead::program, ahead::problem);
    let changed = seeds().filter(|seed| ahead::is_changed(&ahead::program(*seed, 0))).count();
    assert!(changed as u64 * 2 >= seeds().end - seeds().start, "{changed} programs that change are few");
}

#[test]
fn programs_that_make_values_again_compute_the_same() {
    all_go_well(seeds(), generate::program, recompute::problem);
}

#[test]
fn training_steps_in_parts_compute_what_whole_ones_do() {
    let Range { start, end } = seeds();
    // A step is planned and run in three ways.
    let some = start..start + (end - start).div_ceil(6);
    all_go_well(some.clone(), training::loss, training::problem);
    let few = some.start..some.end.min(some.start + 10);
    let ran = few.clone().map(|seed| training::ran(seed, &training::loss(seed, 1 + (seed % 12) as usize)));
    let [plans, local, hosted] =
        ran.fold([0, 0, 0], |sum, ran| [sum[0] + ran.plans, sum[1] + ran.local, sum[2] + ran.hosted]);
    assert!(plans as u64 >= few.end - few.start, "{plans} plans are few");
    let are_few = few.end - few.start < 10;
    assert!(local > 0 || are_few, "no plan has statistics of each microbatch");
    assert!(hosted > 0 || are_few, "no plan has values on the host");
}

/// One program for thousands of devices takes as long as ten others.
#[test]
fn programs_for_thousands_of_devices_are_what_they_should_be() {
    let Range { start, end } = seeds();
    all_go_well(start..start + (end - start).div_ceil(10), generate::large, pipeline::problem_before_running);
}

/// Makes a program of each seed and looks for what is wrong with it.
fn all_go_well(
    seeds: Range<u64>,
    program: fn(u64, usize) -> String,
    problem_of: fn(u64, &str) -> Option<String>,
) {
    let mut failures = 0;
    for seed in seeds {
        let text = program(seed, 1 + (seed % 12) as usize);
        let Some(problem) = problem_of(seed, &text) else { continue };
        // What is left must fail in the same way: a smaller program may be wrong by itself.
        let kind = |problem: &str| {
            problem.split_once("message:").map(|(_, said)| said[..24.min(said.len())].to_owned())
        };
        let same = |text: &str| problem_of(seed, text).is_some_and(|other| kind(&other) == kind(&problem));
        let small = shrink::smallest(&text, same);
        let problem = problem_of(seed, &small).unwrap_or(problem);
        eprintln!("---- seed {seed} ----\n{problem}\n{small}");
        failures += 1;
        assert!(failures < 10, "more than ten programs fail; stopping");
    }
    assert_eq!(failures, 0, "{failures} programs fail");
}
