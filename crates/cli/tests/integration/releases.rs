//! Folders and checkpoints that older releases wrote are read, run and resumed. What is in `tests/data/manifest-1` was
//! compiled and run for two steps by the release whose manifest is of version 1.

use crate::common::Scratch;
use std::path::Path;

/// The losses of the first four steps, as the older release computed them.
const LOSSES: [f64; 4] = [108.552_650, 19.953_114, 17.296_055, 16.938_007];

/// The file or folder `name` of the older release.
fn old(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/manifest-1").join(name).display().to_string()
}

/// The losses that a run tells step by step.
fn losses(name: &str, arguments: &str) -> Vec<f64> {
    let scratch = Scratch::new(name);
    let line = format!("run {} --inputs {} {arguments} --json", old("folder"), old("inputs.npz"));
    let ran = scratch.line(&line).succeeds().json();
    let steps = ran["steps"].as_array().unwrap();
    steps.iter().map(|step| step["values"]["out1"].as_f64().unwrap()).collect()
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-5 * expected, "{found} is not {expected}");
    }
}

#[test]
fn a_folder_of_version_1_runs() {
    assert_near(&losses("releases-run", "--steps 4"), &LOSSES);
    let scratch = Scratch::new("releases-compare");
    let line = format!("run {} --inputs {} --steps 2 --compare whole", old("folder"), old("inputs.npz"));
    let ran = scratch.line(&line);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_checkpoint_of_version_1_is_resumed() {
    assert_near(
        &losses("releases-resume", &format!("--steps 4 --resume {}", old("checkpoints"))),
        &LOSSES[2..],
    );
}
