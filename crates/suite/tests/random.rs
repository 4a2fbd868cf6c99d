//! Random programs, meshes and annotations through every stage: read, verify, propagate, partition, run on the
//! embedded devices in f64, compare with the undistributed program.
//!
//!     cargo test -p meshwright-suite --test random                               # some hundreds
//!     RANDOM=100000..200000 cargo test --release -p meshwright-suite --test random   # these seeds
//!
//! The same programs, decorated with shardings, `sdy` ops and attributes of every kind, are printed and read again in both
//! forms.
//!
//! A failure is made smaller (fewer ops of the same seed) and printed with its program.

// The range of seeds comes from the person who runs the test.
#![allow(clippy::disallowed_methods, clippy::print_stderr)]

#[path = "random/attributes.rs"]
mod attributes;
#[path = "random/decorate.rs"]
mod decorate;
#[path = "random/generate.rs"]
mod generate;
#[path = "random/rng.rs"]
mod rng;

use meshwright_execute::check::{CheckOptions, check};
use meshwright_execute::draw::{DrawOptions, draw};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::inline::inline_calls;
use meshwright_ir::program::Program;
use meshwright_ir::tensor::{NonFinite, Precision};
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::types::Type;
use meshwright_ir::verify::verify;
use std::ops::Range;

/// What is wrong with program `seed` cut to `num_ops` ops, and its text.
fn problem(seed: u64, num_ops: usize) -> Option<(String, String)> {
    let (text, _) = generate::program(seed, num_ops);
    let attempt = std::panic::catch_unwind(|| run(seed, &text));
    match attempt {
        Ok(Ok(())) => None,
        Ok(Err(problem)) => Some((problem, text)),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Some((format!("panic: {}", message.unwrap_or_default()), text))
        }
    }
}

fn run(seed: u64, text: &str) -> Result<(), String> {
    let describe = |error: &dyn std::fmt::Debug| format!("{error:?}");
    let program = read(&Source::new("random.mlir", text)).map_err(|error| describe(&error))?;
    verify(&program).map_err(|error| describe(&error))?;
    let function = inline_calls(&program, "main").ok_or("no main")?;
    let mesh = &program.meshes[0].mesh;
    let seeds =
        meshwright_shard::seeds_from_annotations(&program, &function, mesh).map_err(|e| describe(&e))?;
    let shardings =
        meshwright_shard::propagate(&function, mesh, &seeds, &meshwright_shard::Options::default(), &Quiet);
    let problems = shardings.verify(&function);
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let mut device = meshwright_spmd::partition(&program, &function, &shardings);
    meshwright_spmd::verify(&device).map_err(|error| describe(&error))?;
    meshwright_spmd::verify_meaning(&device)
        .map_err(|error| format!("{}\n{}", describe(&error), print(&device.program, Form::Pretty)))?;
    meshwright_spmd::optimize::run(&mut device, &[], &Quiet);
    meshwright_spmd::verify(&device).map_err(|error| describe(&error))?;

    let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
    let options = DrawOptions { seed, int_range: -2..11 };
    let inputs = draw(&types, &options).map_err(|error| describe(&error))?;
    let options = CheckOptions {
        nonfinite: NonFinite::ByPosition,
        ..CheckOptions::new(Precision::Wide, &Program::default())
    };
    let outputs = check(&program, &device, &inputs, &options, &Quiet).map_err(|error| describe(&error))?;
    for (index, output) in outputs.iter().enumerate() {
        if !output.verdict.passes() {
            let local = print(&device.program, Form::Pretty);
            return Err(format!("output {index}: {:?} {:?}\n{local}", output.verdict, output.difference));
        }
    }
    Ok(())
}

fn seeds() -> Range<u64> {
    let chosen = std::env::var("RANDOM").ok();
    let parsed = chosen.as_deref().and_then(|text| {
        let (start, end) = text.split_once("..")?;
        Some(start.parse().ok()?..end.parse().ok()?)
    });
    parsed.unwrap_or(0..300)
}

/// Prints a decorated program in each form and reads it again.
fn reads_back(seed: u64) -> Result<(), String> {
    let (text, _) = generate::program(seed, 1 + (seed % 12) as usize);
    let mut program = read(&Source::new("random.mlir", text)).map_err(|error| format!("{error:?}"))?;
    decorate::decorate(&mut program, seed);
    let printed = [Form::Pretty, Form::Generic].map(|form| print(&program, form));
    verify(&program).map_err(|error| format!("not verified: {error:?}\n{}", printed[0]))?;
    for text in &printed {
        let again = read(&Source::new("printed.mlir", text.as_str()))
            .map_err(|error| format!("not read: {error:?}\n{text}"))?;
        verify(&again).map_err(|error| format!("not verified when read: {error:?}\n{text}"))?;
        for (form, before) in [Form::Pretty, Form::Generic].into_iter().zip(&printed) {
            let after = print(&again, form);
            if after != *before {
                let lines = before.lines().zip(after.lines()).find(|(before, after)| before != after);
                return Err(format!("another program: {lines:#?}"));
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
fn partitioned_programs_compute_what_whole_ones_do() {
    let mut failures = 0;
    for seed in seeds() {
        let num_ops = 1 + (seed % 12) as usize;
        if problem(seed, num_ops).is_none() {
            continue;
        }
        let smallest = (1..=num_ops).find_map(|count| problem(seed, count).map(|found| (count, found)));
        if let Some((count, (problem, text))) = smallest {
            eprintln!("---- seed {seed}, {count} ops ----\n{problem}\n{text}");
        }
        failures += 1;
        assert!(failures < 10, "more than ten programs fail; stopping");
    }
    assert_eq!(failures, 0, "{failures} programs fail");
}
