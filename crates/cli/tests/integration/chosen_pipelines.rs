//! Pipelines whose numbers are chosen, of models whose layers are in a loop: what is compiled of them is what was planned.

use crate::common::{Ran, Scratch};
use std::path::Path;

/// A small model with six layers in a loop.
fn with_layers(test: &str) -> Scratch {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/tiny/llama.json");
    let text = std::fs::read_to_string(path).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    config["num_hidden_layers"] = 6.into();
    let scratch = Scratch::new(test);
    scratch.file("config.json", config.to_string());
    scratch
}

/// Runs a command line that may warn.
fn done(scratch: &Scratch, line: &str) -> Ran {
    let ran = scratch.line(line);
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    ran
}

const STEP: &str = "config.json --seq 16 --global-batch 8 --precision-recipe f32";

#[test]
fn stages_take_the_layers_of_stacks_that_are_theirs() {
    let scratch = with_layers("chosen-layers");
    done(&scratch, &format!("compile {STEP} --machine cpu8:8 --stages 2 --microbatches 4 -o first"));
    let manifest = std::fs::read_to_string(scratch.path("first/manifest.json")).unwrap();
    let layer = |layer: usize| manifest.contains(&format!("[{layer}]\""));
    assert!((0..6).all(layer) && !layer(6), "{manifest}");
    // The plan leads to the same programs, what runs again and what is gathered again included.
    for limit in ["1GiB", "600KiB"] {
        let numbers = "--machine cpu8:8 --stages 4 --microbatches 4";
        done(&scratch, &format!("compile {STEP} {numbers} --memory-limit {limit} -o of-{limit}"));
        let plan = format!("--plan of-{limit}/plan.json");
        done(&scratch, &format!("compile config.json {plan} -o again-{limit}"));
        let folder = std::fs::read_dir(scratch.path(&format!("of-{limit}"))).unwrap();
        for entry in folder {
            let name = entry.unwrap().file_name();
            let [first, again] = ["of", "again"]
                .map(|folder| std::fs::read(scratch.path(&format!("{folder}-{limit}")).join(&name)).unwrap());
            assert!(first == again, "{limit}: {name:?} differs");
        }
    }
}

#[test]
fn each_stage_makes_again_what_was_chosen_for_it() {
    let scratch = with_layers("chosen-again");
    let line = format!("check {STEP} --machine cpu8:8 --stages 2,4 --microbatches search --precision f64");
    done(&scratch, &line).says(&["pipeline parallel over", "agree with the undistributed program"]);
    let short_of_memory = format!("{line} --memory-limit 420KiB");
    done(&scratch, &short_of_memory).says(&["products with weights", "agree with the undistributed program"]);
}

#[test]
fn constraints_are_about_stages_too() {
    let scratch = with_layers("chosen-allowed");
    let plan = format!("plan {STEP} --machine");
    done(&scratch, &format!("{plan} h100:2x4 --allow pp=4")).says(&["pipeline parallel over 4"]);
    done(&scratch, &format!("{plan} h100:2x4 --allow pp>=2,vp=1,tp=1")).says(&["pipeline parallel over"]);
    // Stages that are asked for are looked at on one host, too.
    done(&scratch, &format!("{plan} cpu8 --allow pp=2")).says(&["pipeline parallel over 2"]);
    done(&scratch, &format!("{plan} h100:2x4 --allow pp=1")).says(&["parallelism"]);
    for (flags, problem) in [
        ("--allow pp=3", "`pp=3` leaves no pipeline: there may be 2, 4"),
        ("--allow pp=4,vp=64", "`pp=4, vp=64` leaves no pipeline"),
        ("--stages 4 --microbatches 4 --allow pp=2", "`pp=2` rules out 4 groups with 1 stages each"),
        ("--stages search --microbatches 4 --allow pp@nvlink,pp>1", "leaves no pipeline"),
    ] {
        scratch.line(&format!("{plan} h100:2x4 {flags}")).fails(3, &[problem]);
    }
}

#[test]
fn stages_are_looked_at_where_there_are_several_hosts() {
    let scratch = with_layers("chosen-hosts");
    let seconds = |flags: &str| {
        done(&scratch, &format!("plan {STEP} --machine h100:2x4 {flags} -o plan.json"));
        let text = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
        let plan: serde_json::Value = serde_json::from_str(&text).unwrap();
        plan["predicted"]["total_seconds"].as_f64().unwrap()
    };
    let (best, whole) = (seconds(""), seconds("--search rest"));
    assert!(best <= whole, "{best} is more than {whole}");
}
