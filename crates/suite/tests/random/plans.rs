//! Random programs, meshes and annotations through the whole compiler: a plan read back gives the same shardings and the
//! same program, annotated, searched, or searched with less memory; and the least memory that is named is enough.
//!
//!     cargo test -p meshwright-suite --test random plans                               # some
//!     RANDOM=1000..2000 cargo test --release -p meshwright-suite --test random plans   # these seeds

// The range of seeds comes from the person who runs the test.
#![allow(clippy::disallowed_methods)]

use crate::generate;
use meshwright_compile::{CompileError, Options, Search, compile, read};
use meshwright_ir::control::{Quiet, View};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::{Bytes, Machine};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Plans, with so much of the memory that is needed otherwise, and gives the plan back.
fn replayed(seed: u64, text: &str, search: Search, share: f64) {
    let source = Source::new("random.mlir", text);
    let program = read(&source).unwrap();
    let num_devices = program.meshes[0].mesh.num_devices();
    let machine = Machine::from_spec(&format!("cpu8:{num_devices}")).unwrap();
    let compiled = |options: &Options| compile(&program, &source, &machine, options, &Quiet);
    let with_limit = |memory_limit: Option<Bytes>| {
        compiled(&Options { search: Some(search), memory_limit, ..Options::default() })
    };
    let made = with_limit(None).and_then(|made| {
        let limit = Bytes((made.plan.memory.peak_bytes as f64 * share) as u64);
        if share < 1.0 { with_limit(Some(limit)) } else { Ok(made) }
    });
    let made = match made {
        Ok(made) => made,
        Err(CompileError::DoesNotFit(problem)) => with_limit(Some(problem.peak))
            .unwrap_or_else(|error| panic!("what is named is not enough: {error}")),
        // Of several meshes, none may be annotated.
        Err(CompileError::Diagnostics(found)) if found[0].message.contains("declares several meshes") => {
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let plan = made.plan.clone();
    let memory_limit = Some(Bytes(plan.memory.limit_bytes));
    let again = compiled(&Options { plan: Some(plan), memory_limit, ..Options::default() });
    let again = again.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.shardings, made.shardings, "seed {seed}");
    assert_eq!(
        View::Programs(&|| again.programs.named()).text(),
        View::Programs(&|| made.programs.named()).text()
    );
    assert_eq!(again.plan.collectives, made.plan.collectives);
}

#[test]
fn a_plan_gives_its_program_again() {
    let chosen = std::env::var("RANDOM").ok();
    let range = chosen.as_deref().and_then(|text| {
        let (start, end) = text.split_once("..")?;
        Some(start.parse().ok()?..end.parse().ok()?)
    });
    for seed in range.unwrap_or(0..40) {
        let text = generate::program(seed, 1 + (seed % 12) as usize);
        for (search, share) in [(Search::None, 1.0), (Search::Rest, 1.0), (Search::Rest, 0.8)] {
            let ran = catch_unwind(AssertUnwindSafe(|| replayed(seed, &text, search, share)));
            assert!(ran.is_ok(), "seed {seed}, {search:?}, {share} of the memory:\n{text}");
        }
    }
}
