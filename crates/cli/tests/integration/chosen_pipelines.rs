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
    let two = "--machine cpu8:8 --stages 2 --microbatches 4 --stage-loops always";
    done(&scratch, &format!("compile {STEP} {two} -o first"));
    let manifest = std::fs::read_to_string(scratch.path("first/manifest.json")).unwrap();
    let layers = |range: &str| manifest.contains(&format!("argument 1[{range}]\""));
    assert!(layers("0..3") && layers("3..6"), "{manifest}");
    // A stage has one loop over its layers in each of its programs, and what is kept for the way back is stacks.
    for program in ["forward", "backward", "update-0"] {
        let text = std::fs::read_to_string(scratch.path(&format!("first/stage-1-{program}.mlir"))).unwrap();
        assert_eq!(text.matches("stablehlo.while").count(), 1, "{program}");
    }
    // The plan leads to the same programs, what runs again and what is gathered again included.
    for limit in ["1GiB", "600KiB"] {
        let numbers = "--machine cpu8:8 --stages 4 --microbatches 4 --stage-loops always";
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

/// What runs is priced: reading few tokens' layers from stacks takes long beside what is computed of them.
#[test]
fn stages_say_whether_their_layers_are_loops_and_why() {
    let scratch = with_layers("chosen-loops");
    let plan = format!("plan {STEP} --machine cpu8:8 --stages 2 --microbatches 4");
    done(&scratch, &plan).says(&["layers of stage", "written out, since a loop would take"]);
    let never = done(&scratch, &format!("{plan} --stage-loops never --json")).json();
    let always = done(&scratch, &format!("{plan} --stage-loops always --json -o always.json")).json();
    assert_eq!(never["stages"][0]["layers"]["written_out"], "no loops are wanted", "{never}");
    assert_eq!(always["stages"][0]["layers"]["loop"], 3, "{always}");
    assert!(always["stages"][0]["layers"]["longer_share"].as_f64() > Some(0.1), "{always}");
    assert!(always["step_seconds"].as_f64() > never["step_seconds"].as_f64(), "{always}");
    // The plan file has them too, and so has its twin, over stacks of the layers that stay.
    let report = done(&scratch, "check config.json --plan always.json --shrink --json").json();
    assert_eq!(report["agrees"], true);
    let unproven = report["twin"]["unproven"].as_array().expect("a list");
    assert!(unproven.iter().all(|own| !own.as_str().expect("words").contains("loop")), "{unproven:?}");
    let of_layers =
        |argument: &serde_json::Value| ["shape", "twin_shape"].map(|key| argument[key][0].as_u64());
    let arguments = report["twin"]["arguments"].as_array().expect("a list");
    assert!(arguments.iter().any(|own| of_layers(own) == [Some(6); 2]), "{arguments:?}");
    scratch.line(&format!("{plan} --stage-loops sometimes")).fails(2, &["stages have loops always or never"]);
}

#[test]
fn each_stage_makes_again_what_was_chosen_for_it() {
    let scratch = with_layers("chosen-again");
    let line = format!("check {STEP} --machine cpu8:8 --stages 2,4 --microbatches search --precision f64");
    done(&scratch, &line).says(&["pipeline parallel over", "agree with the undistributed program"]);
    let short_of_memory = format!("{line} --memory-limit 420KiB");
    done(&scratch, &short_of_memory).says(&["products with weights", "agree with the undistributed program"]);
}

/// A program of the file tests.
fn of_suite(scratch: &Scratch, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/pipeline").join(name);
    scratch.file(name, std::fs::read(path).unwrap());
}

/// Each layer of the decoder reads what the encoder made, so that less crosses nowhere inside of it.
#[test]
fn a_segment_that_has_nearly_all_is_cut_where_less_crosses_than_around() {
    let scratch = Scratch::new("chosen-valleys");
    of_suite(&scratch, "encoder_decoder.mlir");
    let asked = "plan encoder_decoder.mlir --machine cpu8:4 --microbatches 4 --json";
    let two = done(&scratch, &format!("{asked} --stages 2")).json();
    assert!(two["imbalance"].as_f64().unwrap() < 1.1, "{two}");
    let several = done(&scratch, &format!("{asked} --stages search")).json();
    assert!(several["step_seconds"].as_f64() < two["step_seconds"].as_f64(), "{several}");
}

/// One group is one program for all devices.
#[test]
fn a_search_of_stages_takes_no_longer_than_one_program() {
    let scratch = Scratch::new("chosen-one-program");
    for name in ["two_losses.mlir", "convolution_net.mlir"] {
        of_suite(&scratch, name);
        for flags in ["", "--memory-limit 90KiB", "--microbatches search"] {
            let line = format!("plan {name} --machine cpu8:4 --json {flags}");
            let whole = scratch.line(&line);
            let searched = scratch.line(&format!("{line} --stages search"));
            if whole.code == Some(0) {
                assert_eq!(searched.code, Some(0), "{line}: {}", searched.err);
                let whole = whole.json()["predicted"]["total_seconds"].as_f64();
                let searched = searched.json();
                assert!(searched["step_seconds"].as_f64() <= whole, "{line}: {whole:?} {searched}");
                assert!(
                    searched["bound_seconds"].as_f64() <= searched["step_seconds"].as_f64(),
                    "{searched}"
                );
                let weighed = searched["weighed"].as_array().unwrap();
                assert!(weighed.iter().any(|own| own["groups"] == 1), "{searched}");
            }
        }
    }
    let one = "--machine cpu8:4 --microbatches 2 --json";
    let whole = done(&scratch, &format!("plan two_losses.mlir {one} --search rest")).json();
    let group = done(&scratch, &format!("plan two_losses.mlir {one} --stages 1")).json();
    assert_eq!(whole, group);
}

#[test]
fn microbatches_of_stages_have_a_size_too() {
    let scratch = Scratch::new("chosen-size");
    of_suite(&scratch, "two_losses.mlir");
    let line = "plan two_losses.mlir --machine cpu8:4 --stages 2 --microbatch-size 1";
    let found = done(&scratch, &format!("{line} -o plan.json --json")).json();
    let plan: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(scratch.path("plan.json")).unwrap()).unwrap();
    let own = &plan["microbatches"];
    assert_eq!(own["size"], 1, "{own}");
    assert_eq!(own["count"], found["microbatches"]);
    let replicas = own["replicas"].as_u64().unwrap() * own["count"].as_u64().unwrap();
    assert_eq!(Some(replicas), own["batch"].as_u64());
    scratch
        .line(&format!("{line} --microbatches 3"))
        .fails(2, &["on any number of replicas do not make a batch"]);
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

/// `check` and `compile` take the fastest of several ways with stages, as `plan` does.
#[test]
fn of_several_numbers_of_groups_all_take_the_fastest() {
    let scratch = with_layers("chosen-degrees");
    let asked = format!("{STEP} --machine cpu8:4 --pp 2,4 --microbatches 4");
    let found = done(&scratch, &format!("plan {asked} --json")).json();
    let groups = format!("pipeline parallel over {}", found["groups"]);
    done(&scratch, &format!("check {asked}")).says(&[&groups, "agree with the undistributed program"]);
    done(&scratch, &format!("compile {asked} -o out"));
    done(&scratch, "simulate out").says(&[&format!("on {} groups", found["groups"])]);
    // The fastest may have one group.
    done(&scratch, &format!("check {STEP} --machine cpu8:4 --pp 1,2 --microbatches 1")).says(&["agree with"]);
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

/// Two hosts of two devices, with links between hosts that are as slow.
fn hosts(bandwidth: &str) -> String {
    let level = |name: &str, bandwidth: &str| {
        format!(
            "[[levels]]\nname = \"{name}\"\nkind = \"switch\"\nsize = 2\nbandwidth = \"{bandwidth}\"\n\
             efficiency = 0.8\nlatency = \"1 us\"\n"
        )
    };
    format!(
        "name = \"hosts\"\ndescription = \"Two hosts\"\nsource = \"Assumed.\"\n\
         [device]\nname = \"one core\"\nplatform = \"cpu\"\nflops_efficiency = 0.7\nmemory = \"2 GiB\"\n\
         memory_bandwidth = \"4 GB/s\"\nmemory_efficiency = 0.8\nlaunch_overhead = \"1 us\"\n\
         collective_overhead = \"1 us\"\n\
         [device.flops]\nf64 = \"20 GFLOP/s\"\nf32 = \"40 GFLOP/s\"\nbf16 = \"10 GFLOP/s\"\n{}{}",
        level("memory", "2 GB/s"),
        level("network", bandwidth),
    )
}

/// What crosses between layers of a decoder is more than between those of an encoder: steps with fewer layers and the whole one are
/// cut between both all the same, so that a pipeline takes what it was planned to.
#[test]
fn stages_of_encoder_decoders_are_those_that_were_planned() {
    let scratch = Scratch::new("chosen-encoder-decoder");
    let tiny = format!("{}/../../tests/data/models/tiny/t5.json", env!("CARGO_MANIFEST_DIR"));
    let config = std::fs::read_to_string(tiny).expect("a configuration");
    scratch.file("config.json", config.replace("\"num_layers\": 2", "\"num_layers\": 6"));
    let asked = "--seq 16 --global-batch 64 --stages 2,4 --microbatches 8 --json";
    let ran = done(&scratch, &format!("plan config.json --machine v100:1x4 {asked}"));
    assert!(!ran.err.contains("other places to cut"), "{}", ran.err);
    let found = ran.json();
    let weighed = found["weighed"].as_array().expect("a list").iter();
    let planned = weighed.filter_map(|row| row["step_seconds"].as_f64()).fold(f64::INFINITY, f64::min);
    let taken = found["step_seconds"].as_f64().expect("a time");
    assert!(taken <= 1.05 * planned, "{taken} in place of {planned}");
}

/// What a long sequence hands on between narrow stages wants the links of one host, and so do the gradients that the devices of a
/// group sum up; of searched numbers too, where nobody says where groups lie.
#[test]
fn groups_of_a_search_lie_where_a_step_takes_least() {
    let scratch = with_layers("chosen-hosts-of-groups");
    scratch.file("slow.toml", hosts("20 MB/s"));
    let found = |sizes: &str, hosts: &str| {
        let asked = "--stages 2,4 --microbatches 4 --schedule 1f1b --virtual-stages 1 --json -o plan.json";
        let line =
            format!("plan config.json {sizes} --precision-recipe f32 --machine slow.toml {asked} {hosts}");
        let found = done(&scratch, &line).json();
        let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
        let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
        assert_eq!(plan["predicted"]["total_seconds"], found["step_seconds"]);
        assert_eq!(plan.get("group_hosts").unwrap_or(&serde_json::Value::Null), &found["group_hosts"]);
        found
    };
    let seconds = |found: &serde_json::Value| found["step_seconds"].as_f64().unwrap();
    let spread = found("--seq 128 --global-batch 64", "");
    assert_eq!(spread["group_hosts"], 2);
    assert_eq!(spread["process_groups"], serde_json::json!([[0, 1], [2, 3]]));
    let weighed = &spread["weighed_group_hosts"];
    assert!(weighed[0]["hosts"] == 1 && seconds(&weighed[0]) > seconds(&spread), "{spread}");
    let short = "--seq 16 --global-batch 8";
    let blocks = found(short, "");
    assert_eq!(blocks["group_hosts"], serde_json::Value::Null);
    assert_eq!(blocks["process_groups"], serde_json::json!([[0, 2], [1, 3]]));
    let elsewhere = found(short, "--group-hosts 2");
    assert!(seconds(&elsewhere) > seconds(&blocks), "{elsewhere}");
}

/// The embedding, which is the head too.
#[test]
fn tied_parameters_of_a_search_are_listed() {
    let scratch = with_layers("chosen-tied");
    let text = std::fs::read_to_string(scratch.path("config.json")).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    config["tie_word_embeddings"] = true.into();
    scratch.file("config.json", config.to_string());
    let line = format!("plan {STEP} --machine cpu8:4 --stages 2 --microbatches search");
    let found = done(&scratch, &format!("{line} --json")).json();
    let tied = found["tied"].as_array().unwrap();
    assert!(tied.len() == 1 && tied[0]["groups"] == serde_json::json!([0, 1]), "{found}");
    done(&scratch, &line)
        .says(&["is read by stages 0 and", "are sent twice in a step, in groups: 2 of 2 devices"]);
}

#[test]
fn who_allows_more_gets_no_worse_a_plan() {
    let scratch = with_layers("chosen-wider");
    let plan = |allow: &str| {
        let found = done(&scratch, &format!("plan {STEP} --machine h100:2x4 --json --allow {allow}")).json();
        let step = found["step_seconds"].as_f64().or(found["predicted"]["total_seconds"].as_f64());
        step.unwrap_or_else(|| panic!("no time: {found}"))
    };
    for inside in ["tp=2", "cp=1,tp=1"] {
        let wide = plan(inside);
        for narrow in ["pp<=2", "pp=4"] {
            let narrow = plan(&format!("{narrow},{inside}"));
            assert!(wide <= narrow * 1.000_001, "{inside}: {wide} and {narrow}");
        }
    }
}

#[test]
fn the_plan_file_of_degrees_says_what_is_printed() {
    let scratch = with_layers("chosen-figures");
    let step =
        "plan config.json --seq 64 --global-batch 16 --machine h100:2x8 --pp 2 --tp 2 --microbatches 4";
    let printed = done(&scratch, &format!("{step} --search none --json")).json();
    done(&scratch, &format!("{step} --search none -o plan.json"));
    let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    let seconds = |name: &str| plan["predicted"][name].as_f64().unwrap();
    assert_eq!(Some(seconds("total_seconds")), printed["step_seconds"].as_f64());
    let [compute, communication] = ["compute_seconds", "communication_seconds"].map(seconds);
    assert!(compute > 0.0 && communication > 0.0, "{compute} {communication}");
    // The rest is waited for other stages.
    assert!(compute + communication < seconds("total_seconds"), "{compute} {communication}");
}
