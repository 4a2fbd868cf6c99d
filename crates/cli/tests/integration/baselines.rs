//! `--search NAME`: plans of planners of the field are plans like any other, and say whose they are.

use crate::common::{PLAIN_DOT, Ran, Scratch, example};
use serde_json::Value;

const NAMES: [&str; 5] = ["aceso", "alpa", "galvatron", "greedy", "metis"];

/// Runs a command line that may warn.
fn done(scratch: &Scratch, line: &str) -> Ran {
    let ran = scratch.line(line);
    assert_eq!(ran.code, Some(0), "{line}: {}{}", ran.out, ran.err);
    ran
}

#[test]
fn every_planner_says_whose_plan_it_is_and_what_it_priced() {
    let scratch = Scratch::new("baselines-json");
    let gpt = example("gpt.mlir");
    for name in NAMES {
        let json = done(&scratch, &format!("plan {gpt} --machine cpu8:2 --search {name} --json")).json();
        let baseline = &json["baseline"];
        assert_eq!(baseline["name"], name);
        let of = |key: &str| baseline[key].as_u64().unwrap();
        assert!(of("points_priced") > 0 && of("points") > 0, "{baseline}");
        assert!(json["step_seconds"].as_f64().unwrap() > 0.0);
    }
    let ran = done(&scratch, &format!("plan {gpt} --machine cpu8:2 --search aceso"));
    ran.says(&["It was chosen by the procedure of Aceso (Liu et al.", "at the prices of this plan"]);
}

#[test]
fn its_plan_is_compiled_and_checked_as_any_other() {
    let scratch = Scratch::new("baselines-run");
    let gpt = example("gpt.mlir");
    for name in NAMES {
        // Allowed is what is a pipeline, of those that degrees say.
        let allow = if name == "alpa" { "" } else { "--allow pp=2" };
        let flags = format!("--machine cpu8:4 --search {name} {allow} --microbatches 4");
        done(&scratch, &format!("compile {gpt} {flags} -o of-flags-{name}"));
        let own = format!("of-flags-{name}/plan.json");
        done(&scratch, &format!("check {gpt} --plan {own} --precision f64 --tolerance 1e-9"))
            .says(&["agree with the undistributed program"]);
        let plan: Value =
            serde_json::from_str(&std::fs::read_to_string(scratch.path(&own)).unwrap()).unwrap();
        let reasons = plan["reasons"].as_array().unwrap();
        assert!(
            reasons.iter().any(|reason| reason.as_str().unwrap().contains("chosen by the procedure of")),
            "{plan}"
        );
        done(&scratch, &format!("compile {gpt} --plan {own} -o of-plan-{name}"));
        let read = |folder: &str| {
            std::fs::read_to_string(scratch.path(&format!("{folder}-{name}/manifest.json"))).unwrap()
        };
        assert_eq!(read("of-plan"), read("of-flags"), "{name}");
        // A plan that `plan` wrote leads there too.
        if name == "aceso" {
            done(&scratch, &format!("plan {gpt} {flags} -o planned.json"));
            done(&scratch, &format!("compile {gpt} --plan planned.json -o of-planned-{name}"));
            assert_eq!(read("of-planned"), read("of-flags"), "{name}");
        }
    }
}

#[test]
fn what_a_planner_chooses_is_not_said_beside_it() {
    let scratch = Scratch::new("baselines-usage");
    let plan = format!("plan {} --machine cpu8:4", example("gpt.mlir"));
    for flags in [
        "--mesh data=4",
        "--as dp=4",
        "--tp 2",
        "--pp search --microbatches 4",
        "--stages 2 --microbatches 4",
        "--simplest-within 3%",
        "--tiles 2",
        "--offload moments",
        "--microbatch-size 1",
        "--layers written-out",
        "--stop-after search",
    ] {
        let flag = flags.split(' ').next().unwrap();
        let flag = format!("`{}` ", flag.trim_end());
        let ran = scratch.line(&format!("{plan} --search aceso {flags}"));
        let ran = ran.fails(2, &["--search aceso"]);
        assert!(ran.err.contains(flag.trim()), "{flags}: {}", ran.err);
        assert_eq!(ran.err.matches("error").count(), 1, "{}", ran.err);
    }
    scratch
        .line(&format!("{plan} --search aces"))
        .fails(2, &["aces", "alpa", "aceso", "galvatron", "greedy", "metis", "rest"]);
    scratch.line(&format!("{plan} --search aceso --grid")).fails(2, &["--grid", "--search"]);
}

#[test]
fn what_cannot_be_planned_is_said() {
    let scratch = Scratch::new("baselines-refused");
    scratch.file("dot.mlir", PLAIN_DOT);
    for name in NAMES {
        let plan = format!("plan {} --machine cpu8:2 --search {name}", example("gpt.mlir"));
        scratch.line(&format!("{plan} --microbatches 4 --memory-limit 1KiB")).fails(3, &["fits"]);
        scratch.line(&format!("{plan} --memory-limit 1GiB,2GiB")).fails(2, &["memory limits"]);
        scratch.line(&format!("{plan} --microbatches 7")).fails(2, &["does not divide into 7", "1, 2, 4, 8"]);
    }
}
