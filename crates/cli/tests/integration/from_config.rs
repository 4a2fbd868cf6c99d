//! Plans of models by their config.json, without a program: what is planned, checked, compiled and refused.

use crate::common::{PLAIN_DOT, Ran, Scratch, example};
use std::path::Path;

/// A folder with a tiny configuration of the tests of the crate `models`.
fn with_config(test: &str, name: &str) -> Scratch {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/tiny");
    let scratch = Scratch::new(test);
    scratch.file("config.json", std::fs::read_to_string(path.join(format!("{name}.json"))).unwrap());
    scratch
}

/// Runs a command line that may warn.
fn done(scratch: &Scratch, line: &str) -> Ran {
    let ran = scratch.line(line);
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    ran
}

#[test]
fn a_configuration_is_planned_as_the_training_step_that_it_stands_for() {
    let scratch = with_config("config-plan", "llama");
    let step = "--seq 16 --global-batch 8 --precision-recipe f32";
    let plan = format!("plan config.json --machine cpu8 {step} --as dp=2,tp=4 --search none");
    done(&scratch, &format!("{plan} -o plan.json")).says(&["data=2, model=4", "tokens"]);
    let read = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
    let read: serde_json::Value = serde_json::from_str(&read).unwrap();
    let model = &read["model"];
    assert_eq!(model["model_type"], "llama");
    assert_eq!((&model["tokens_per_sequence"], &model["sequences"]), (&16.into(), &8.into()));
    assert_eq!((&model["precision_recipe"], &model["optimizer"]), (&"f32".into(), &"adamw".into()));
    // The same step by its parts has the same program.
    done(&scratch, &format!("model config.json {step} -o loss.mlir"));
    done(&scratch, "grad loss.mlir --optimizer adamw --promise-in-bounds -o step.mlir");
    let by_parts = done(&scratch, "plan step.mlir --machine cpu8 --as dp=2,tp=4 --search none --json").json();
    for key in ["mesh", "predicted", "memory", "collectives"] {
        assert_eq!(by_parts[key], read[key], "{key}");
    }
    // The plan knows how its program was made.
    done(&scratch, "compile config.json --plan plan.json -o compiled");
    done(&scratch, "check config.json --plan plan.json --precision f64");
    scratch
        .line("compile config.json --plan plan.json --seq 32 -o other")
        .fails(2, &["`--seq` is not what the plan was made for, which is 16"]);
    scratch
        .line("check config.json --plan plan.json --optimizer sgd")
        .fails(2, &["`--optimizer` is not what the plan was made for, which is adamw"]);
    let args = "explain config.json --plan plan.json --arg 0";
    done(&scratch, args).says(&["an argument, there from the start"]);
    assert_eq!(scratch.names(), ["compiled", "config.json", "loss.mlir", "plan.json", "step.mlir"]);
}

#[test]
fn a_sequence_that_no_tensor_can_hold_is_refused_by_its_numbers() {
    let scratch = with_config("config-too-long", "llama");
    let step = "plan config.json --machine h100:8x8 --seq 16777216 --global-batch 8";
    let parts = ["8 sequences of 16777216 tokens", "2^52 elements", "--seq", "--global-batch"];
    let refused = scratch.line(step).fails(1, &parts);
    assert_eq!(refused.err.matches("error").count(), 1, "{}", refused.err);
}

/// State that a program takes for the last time has no second place, also where a layer is taken out of a stack.
#[test]
fn stages_write_over_the_state_of_their_layers() {
    let scratch = with_config("config-stages-in-place", "llama");
    let step = "--seq 16 --global-batch 8 --precision-recipe f32 --stages 2 --microbatches 4";
    done(&scratch, &format!("compile config.json --machine cpu8:4 {step} -o compiled"));
    // The last stage gives the loss too.
    for (stage, others) in [(0, 0), (1, 1)] {
        let path = scratch.path("compiled").join(format!("stage-{stage}-update-0.mlir"));
        let text = std::fs::read_to_string(path).unwrap();
        let main = text.lines().find(|line| line.contains("@main")).unwrap();
        let (taken, given) = main.split_once(" -> ").unwrap();
        let states = given.matches("tensor<").count() - others;
        assert!(states > 10, "{states}");
        assert_eq!(taken.matches("tf.aliasing_output").count(), states, "{main}");
    }
}

/// Masters are read by the copies that are made of them, once in a step, and by the update; ZeRO-1 shards them.
#[test]
fn stages_convert_their_weights_once_in_a_step() {
    let scratch = with_config("config-stages-copies", "llama");
    for (number, asked) in ["--pp 2", "--pp 2 --dp 2 --zero 1"].into_iter().enumerate() {
        let devices = 2 << number;
        let step = format!(
            "--machine cpu8:{devices} --seq 16 --global-batch 8 --precision-recipe bf16 --microbatches 2 {asked}"
        );
        done(&scratch, &format!("compile config.json {step} -o compiled{number}"));
        let manifest = scratch.path(&format!("compiled{number}")).join("manifest.json");
        let manifest: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(manifest).unwrap()).unwrap();
        for row in manifest["schedule"].as_array().unwrap() {
            assert!(row.as_str().unwrap().contains("C0 "), "{row}");
        }
        for program in manifest["programs"].as_array().unwrap() {
            // Norms are computed in f32, with vectors; of layers these have a dim more.
            let is_master = |taken: &&serde_json::Value| {
                let slot = taken["slot"].as_str().unwrap();
                let dims = taken["shape"].as_array().unwrap().len() - usize::from(slot.ends_with(']'));
                slot.starts_with("argument ") && taken["element"] == "f32" && dims > 1
            };
            let masters: Vec<&serde_json::Value> =
                program["takes"].as_array().unwrap().iter().filter(is_master).collect();
            let name = program["program"].as_str().unwrap();
            assert_eq!(masters.is_empty(), name.ends_with(['F', 'B']), "{name}: {masters:?}");
            for master in masters.iter().filter(|_| asked.contains("zero")) {
                assert!(master.to_string().contains("data"), "{name}: {master}");
            }
        }
        done(&scratch, &format!("check config.json {step} --precision f64")).says(&["agree"]);
    }
}

#[test]
fn blocks_add_up_to_the_whole() {
    for (name, degrees) in [
        ("llama", "--dp 2 --tp 2 --cp 2"),
        ("deepseek_v3", "--dp 2 --ep 2 --tp 2"),
        ("mamba2", "--tp 4 --zero 3"),
    ] {
        let scratch = with_config(&format!("blocks-{name}"), name);
        let step = "--seq 16 --global-batch 16 --microbatches 2";
        let line = format!("plan config.json --machine h100:1x8 {step} {degrees} --search none --json");
        let plan = done(&scratch, &line).json();
        let parts = plan["figures"]["by_block"].as_array().unwrap();
        let total = |key: &str| parts.iter().map(|part| part[key].as_f64().unwrap()).sum::<f64>();
        let is_near = |found: f64, wanted: f64, key: &str| {
            assert!(
                (found - wanted).abs() <= 1e-9 * wanted.abs() + 8.0,
                "{name}, {key}: {found}, not {wanted}"
            );
        };
        let figures = &plan["figures"];
        is_near(8.0 * total("product_flops"), figures["executed_flops"].as_f64().unwrap(), "flops");
        is_near(total("peak_bytes"), plan["memory"]["peak_bytes"].as_f64().unwrap(), "memory");
        let collectives = plan["collectives"].as_array().unwrap().iter();
        let sent: f64 = collectives.map(|kind| kind["ring_bytes"].as_f64().unwrap()).sum();
        is_near(total("sent_bytes"), sent, "bytes that are sent");
        let seconds = total("work_seconds") + total("waiting_seconds");
        let step = plan["predicted"]["total_seconds"].as_f64().unwrap();
        assert!((seconds / step - 1.0).abs() < 1e-9, "{name}: {seconds}, not {step}");
        let names: Vec<&str> = parts.iter().map(|part| part["block"].as_str().unwrap()).collect();
        let block = if name == "mamba2" { "mamba" } else { "attention" };
        assert!(names.iter().any(|own| own.ends_with(block)), "{name}: {names:?}");
    }
}

/// In a pipeline the blocks of each group add up to what its programs compute and send, and to what its devices hold.
#[test]
fn blocks_of_stages_add_up_to_their_programs() {
    for (name, flags) in
        [("llama", "--pp 2 --tp 2"), ("mixtral", "--pp 2 --ep 2"), ("mamba2", "--pp 2 --dp 2 --zero 1")]
    {
        let scratch = with_config(&format!("blocks-of-stages-{name}"), name);
        let step = "--seq 16 --global-batch 16 --microbatches 4 --precision-recipe f32";
        done(&scratch, &format!("compile config.json --machine h100:1x4 {step} {flags} -o compiled"));
        let read = |file: &str| -> serde_json::Value {
            let text = std::fs::read_to_string(scratch.path("compiled").join(file)).unwrap();
            serde_json::from_str(&text).unwrap()
        };
        let (plan, manifest) = (read("plan.json"), read("manifest.json"));
        let parts = plan["figures"]["by_block"].as_array().unwrap_or_else(|| panic!("{name}: {plan}"));
        let of_group = |group: usize, key: &str| {
            let own = parts.iter().filter(|part| part["group"] == group);
            own.filter_map(|part| part[key].as_f64()).sum::<f64>()
        };
        for (group, own) in manifest["groups"].as_array().unwrap().iter().enumerate() {
            let held = own["memory_bytes"].as_f64().unwrap();
            assert_eq!(of_group(group, "peak_bytes"), held, "{name}, group {group}");
        }
        let all: f64 = (0..2).map(|group| of_group(group, "product_flops")).sum();
        let executed = plan["figures"]["executed_flops"].as_f64().unwrap();
        // Some of a Llama's products are computed by both devices of a group.
        let more = 2.0 * all / executed - 1.0;
        assert!(more.abs() < 1e-9 || name == "llama" && (0.0..0.05).contains(&more), "{name}: {more}");
        assert!(of_group(0, "handed_bytes") > 0.0 && of_group(1, "handed_bytes") > 0.0, "{name}");
        let blocks = |group: usize| {
            let own = parts.iter().filter(|part| part["group"] == group);
            own.map(|part| part["block"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert!(blocks(0).contains(&"embedding".to_owned()), "{name}: {:?}", blocks(0));
        assert!(blocks(1).contains(&"head".to_owned()), "{name}: {:?}", blocks(1));
    }
}

#[test]
fn families_are_searched_and_checked() {
    for (name, devices) in
        [("llama", 4), ("mixtral", 2), ("deepseek_v3", 4), ("mamba2", 2), ("jamba", 2), ("t5", 2), ("vit", 2)]
    {
        let scratch = with_config(&format!("config-{name}"), name);
        let seq = if name == "vit" { "" } else { "--seq 16" };
        let step = format!("{seq} --global-batch 8 --precision-recipe f32 --optimizer sgd --precision f64");
        let ran = scratch.line(&format!("check config.json --machine cpu8:{devices} {step}"));
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        ran.says(&["outputs agree with the undistributed program"]);
    }
}

/// Images are samples, of which a step has as many as its batch says.
#[test]
fn images_are_counted_as_such() {
    let scratch = with_config("config-images", "vit");
    let line = "plan config.json --machine h100:1x2 --global-batch 4 --dp 2 --search none --json";
    let fed = &done(&scratch, line).json()["figures"]["throughput"];
    assert_eq!(
        (&fed["unit"], &fed["samples_per_step"], &fed["per_step"]),
        (&"samples".into(), &4.into(), &4.into())
    );
}

/// The sinks of attention are cut with their heads, also where a device has one group of these.
#[test]
fn sinks_of_grouped_heads_are_cut_with_them() {
    let scratch = with_config("config-sinks", "gpt_oss");
    let config = std::fs::read_to_string(scratch.path("config.json")).unwrap();
    let heads = |key: &str, from: usize| (format!("\"{key}\": {from},"), format!("\"{key}\": {},", 2 * from));
    let config = [heads("num_attention_heads", 4), heads("num_key_value_heads", 2)]
        .iter()
        .fold(config, |config, (from, to)| config.replace(from, to));
    scratch.file("config.json", config);
    let step = "--seq 16 --global-batch 8 --precision-recipe f32 --optimizer adamw";
    let line =
        format!("check config.json --machine cpu8:4 {step} --tp 4 --search none --precision f64 --shrink");
    done(&scratch, &line).says(&["outputs agree with the undistributed program"]);
}

#[test]
fn what_a_step_takes_has_to_be_said_and_to_fit() {
    let scratch = with_config("config-refused", "llama");
    let plan = "plan config.json --machine cpu8";
    scratch.line(plan).fails(2, &["no batch", "--global-batch 512"]);
    scratch
        .line(&format!("{plan} --seq 24 --global-batch 1ktok"))
        .fails(1, &["a batch of 1024 tokens holds no whole number of sequences of 24"]);
    scratch.line(&format!("{plan} --global-batch many")).fails(2, &["`many` is no batch"]);
    for (range, end) in [("8..", "end"), ("..8", "start")] {
        let said = format!("`{range}` is a range of batches without its {end}");
        scratch.line(&format!("{plan} --global-batch {range}")).fails(2, &[&said]);
    }
    scratch.line(&format!("{plan} --global-batch 8,")).fails(2, &["a batch is left empty"]);
    scratch.line(&format!("{plan} --global-batch 8 --optimizer best")).fails(2, &["adamw", "none"]);
    scratch.line(&format!("{plan} --global-batch 8 --precision-recipe fp4")).fails(2, &["bf16"]);
    scratch.file("config.json", "{\"model_type\": \"resnet\"}");
    scratch.line(&format!("{plan} --global-batch 8")).fails(1, &["config.json:1:16", "`resnet`"]);
    scratch.file("dot.mlir", PLAIN_DOT);
    for flag in
        ["--seq 8", "--global-batch 8", "--optimizer adamw", "--precision-recipe f32", "--capacity-factor 2"]
    {
        let name = flag.split(' ').next().unwrap();
        let said = format!("`{name}` goes with a model's config.json");
        for command in ["plan dot.mlir --machine cpu8", "eval dot.mlir", "explain dot.mlir"] {
            scratch.line(&format!("{command} {flag}")).fails(2, &[&said]);
        }
    }
    assert_eq!(scratch.names(), ["config.json", "dot.mlir"]);
}

#[test]
fn of_several_batches_the_one_with_most_tokens_per_second_is_taken() {
    let scratch = with_config("config-batches", "llama");
    let on = "config.json --machine cpu8 --seq 16 --search none --tp 2";
    let rate = |batch: &str| {
        let plan = done(&scratch, &format!("plan {on} --global-batch {batch} --json")).json();
        plan["figures"]["throughput"]["per_second"].as_f64().unwrap()
    };
    let rates = ["8", "16", "24"].map(rate);
    let best = [8, 16, 24][(0..3).max_by(|a, b| rates[*a].total_cmp(&rates[*b])).unwrap()];
    for batches in ["8..24", "24,8,16", "128tok..384tok"] {
        let ran = done(&scratch, &format!("plan {on} --global-batch {batches} -o plan.json"));
        ran.says(&["taken: most tokens per second", "takes in most tokens per second"]);
        let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
        let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
        assert_eq!(plan["model"]["sequences"], best, "{batches}");
        assert!(plan["reasons"][0].as_str().unwrap().contains("tokens per second"), "{}", plan["reasons"]);
    }
    // Pipelines too, and what does not fit stays.
    let stages = "--machine cpu8:4 --seq 16 --pp 2 --tp 2 --microbatches 4";
    let found = done(&scratch, &format!("plan config.json {stages} --global-batch 16,32 --json")).json();
    assert_eq!(found["batches"].as_array().unwrap().len(), 2, "{found}");
    let tight = format!("plan config.json {stages} --global-batch 16,4096 --memory-limit 2MiB");
    done(&scratch, &tight).says(&["4096", "it needs"]);
    let none = format!("plan config.json {stages} --global-batch 16,32 --memory-limit 1KiB -o none.json");
    scratch.line(&none).fails(3, &["none of these batches has a plan", "with 16", "with 32"]);
    // Where each contradicts the other flags, it is the command line that is wrong, as with one alone.
    let wrong = "plan config.json --machine cpu8 --seq 16 --global-batch 3,5 --dp 8 --search none";
    let ran = scratch.line(wrong).fails(2, &["none of these batches has a plan", "with 3: ", "with 5: "]);
    assert!(ran.out.contains("dp=8 does not divide the batch of 5"), "{}", ran.out);
    let one = wrong.replace("3,5", "5");
    scratch.line(&one).fails(2, &["dp=8 does not divide the batch of 5"]);
    // The rows of a grid are of all batches.
    let grid = "plan config.json --machine cpu8:4 --seq 16 --global-batch 8,16 --grid --tp 2 --cp 1";
    done(&scratch, &format!("{grid} -o grid.csv")).says(&["with a batch of", "batch"]);
    let rows = done(&scratch, &format!("{grid} --json")).json();
    let rows = rows["rows"].as_array().unwrap();
    let of = |row: &serde_json::Value, key: &str| row[key].as_f64();
    let each: Vec<f64> =
        rows.iter().filter_map(|row| Some(of(row, "step_seconds")? / of(row, "sequences")?)).collect();
    assert!(each.is_sorted() && each.len() == rows.len(), "{each:?}");
    for (line, said) in [
        ("check config.json --machine cpu8 --seq 16 --global-batch 8,16", "give one with `--global-batch`"),
        ("plan config.json --machine cpu8 --seq 16 --global-batch 16..8", "is no range of batches"),
    ] {
        scratch.line(line).fails(2, &[said]);
    }
    assert_eq!(scratch.names(), ["config.json", "grid.csv", "plan.json"]);
}

#[test]
fn of_listed_microbatches_and_ways_to_recompute_the_fastest_is_taken() {
    let scratch = with_config("config-listed", "llama");
    let on = "config.json --machine cpu8:4 --seq 16 --global-batch 16 --search none --tp 2";
    let seconds = |flags: &str| {
        let plan = done(&scratch, &format!("plan {on} {flags} --json")).json();
        plan["predicted"]["total_seconds"].as_f64().unwrap()
    };
    let each = ["1", "2"].into_iter().flat_map(|count| ["none", "full"].map(|again| (count, again)));
    let each = each.map(|(count, again)| seconds(&format!("--microbatches {count} --recompute {again}")));
    let least = each.reduce(f64::min).unwrap();
    assert_eq!(seconds("--microbatches 1,2 --recompute none,full"), least);
    let text = done(&scratch, &format!("plan {on} --microbatches 1,2 --recompute none,full")).out;
    let head = ["microbatches", "recompute", "step", "tokens/s"];
    assert_eq!(text.lines().next().unwrap().split_whitespace().collect::<Vec<_>>(), head);
    // Pipelines too.
    let stages = "plan config.json --machine cpu8:4 --seq 16 --global-batch 16 --pp 2 --tp 2";
    let found = done(&scratch, &format!("{stages} --microbatches 2,4 --json")).json();
    let counts: Vec<_> =
        found["listed"].as_array().unwrap().iter().map(|row| row["microbatches"].as_u64()).collect();
    assert_eq!(counts, [Some(2), Some(4)]);
    // What is wrong with one value is no fault of the others.
    done(&scratch, &format!("plan {on} --microbatches 2,3")).says(&["does not divide into 3", "taken: most"]);
    done(&scratch, &format!("plan {on} --microbatch-size 1,2"))
        .says(&["microbatch size", "taken: most tokens"]);
    // Each value has its rows, also where they are no plans.
    let grid = "plan config.json --machine cpu8:4 --seq 16 --global-batch 16 --grid --tp 2 --cp 1 --zero 0";
    let rows = done(&scratch, &format!("{grid} --microbatches 1,2,3 --recompute none,full --json")).json();
    let rows = rows["rows"].as_array().unwrap().iter();
    let asked: Vec<&str> = rows.clone().filter_map(|row| row["asked"].as_str()).collect();
    assert!(asked.len() == rows.len() && asked.contains(&"1 microbatch, recompute full"), "{asked:?}");
    let thirds: Vec<_> = rows.filter(|row| row["asked"].as_str().unwrap().starts_with("3 ")).collect();
    assert!(!thirds.is_empty() && thirds.iter().all(|row| row["fits"] == false), "16 are no 3 x n");
    done(&scratch, &format!("{grid} --microbatches 2,3 --recompute none,full"))
        .says(&["best   dp=1,tp=2,sp=2,pp=2", "2 microbatches, recompute none"]);
    // Programs too, of which nothing is known of tokens.
    let step = example("gpt.mlir");
    done(&scratch, &format!("plan {step} --machine cpu8 --as dp=2,tp=4 --search none --microbatches 1,2"))
        .says(&["taken: the fastest"]);
    for (line, said) in [
        (
            "check config.json --machine cpu8 --seq 16 --global-batch 8 --microbatches 2,4",
            "give one with `--microbatches`",
        ),
        (
            "compile config.json --machine cpu8 --seq 16 --global-batch 8 --recompute none,full -o x",
            "give one with `--recompute`",
        ),
        ("plan config.json --machine cpu8 --seq 16 --global-batch 8 --microbatches 2,search", "stands alone"),
        ("plan config.json --machine cpu8 --seq 16 --global-batch 8 --recompute none,w1", "names of values"),
        (
            "plan config.json --machine cpu8 --seq 16 --global-batch 8 --microbatch-size 2,0",
            "--microbatch-size",
        ),
        (
            "plan config.json --machine cpu8 --seq 16 --global-batch 8 --microbatches 3,5",
            "does not divide into 3",
        ),
        (
            "plan config.json --machine cpu8 --seq 16 --global-batch 8 --microbatches 1,2 --memory-limit 1GiB,2GiB",
            "one value of each flag",
        ),
    ] {
        scratch.line(line).fails(2, &[said]);
    }
    let none = format!("plan {on} --microbatches 2,4 --memory-limit 1KiB -o none.json");
    scratch.line(&none).fails(3, &["nothing of what is listed has a plan", "with 2 microbatches", "with 4"]);
    assert_eq!(scratch.names(), ["config.json"]);
}

/// The lines of shell of a page.
fn commands(page: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let page = std::fs::read_to_string(path).unwrap();
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

/// The words of a line, of which some are quoted.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[test]
fn the_examples_of_the_page_do_what_it_says() {
    let scratch = with_config("config-page", "llama");
    let lines = commands("from_config.md");
    assert!(lines.len() >= 8, "{lines:?}");
    for line in lines {
        // A model of the size of a test, on fewer devices, of fewer sequences: on as many as degrees are asked for.
        let are_eight = ["--tp 8", "--pp 4 --tp 2", "--pp 2,4 --tp 2", "--pp 2 --tp 4"];
        let is_wide = are_eight.into_iter().any(|degrees| line.contains(degrees));
        let devices = if is_wide { "h100:1x8" } else { "h100:1x4" };
        let smaller = [
            ("h100:8x8", devices),
            ("{1..128}x8", "{1..2}x2"),
            ("--seq 8192", "--seq 16"),
            ("--global-batch 512", "--global-batch 16"),
            ("--global-batch 256..512", "--global-batch 8..16"),
            ("--global-batch 256,512", "--global-batch 8,16"),
            ("--global-batch 4Mtok", "--global-batch 4ktok"),
        ];
        let line = smaller.into_iter().fold(line, |line, (own, less)| line.replace(own, less));
        let ran = scratch.run(words(&line).iter().skip(1));
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    }
    for written in ["plan.json", "grid.csv", "compiled", "stages", "batches.csv"] {
        assert!(scratch.names().contains(&written.to_owned()), "{:?}", scratch.names());
    }
}

/// What a command line that is refused says.
fn refused(scratch: &Scratch, line: &str) -> String {
    let ran = scratch.line(line);
    assert_ne!(ran.code, Some(0), "{line}: {}", ran.out);
    ran.err
}

/// What `model` says of one device is what the plan of the same degrees says.
#[test]
fn a_model_with_degrees_has_the_blocks_of_its_plan() {
    for (name, degrees) in [("llama", "--tp 2 --cp 2"), ("deepseek_v3", "--dp 2 --ep 2 --zero 1")] {
        let scratch = with_config(&format!("sharded-{name}"), name);
        let step = "--seq 16 --global-batch 16 --precision-recipe f32";
        let model = done(&scratch, &format!("model config.json {step} {degrees} --json")).json();
        let plan = format!("plan config.json --machine h100:1x4 {step} {degrees} --search none --json");
        let plan = done(&scratch, &plan).json();
        let sharded = &model["sharded"];
        assert_eq!(sharded["machine"], "h100:1x4");
        assert_eq!(sharded["by_block"], plan["figures"]["by_block"], "{name}");
        assert_eq!(sharded["peak_bytes"], plan["memory"]["peak_bytes"], "{name}");
        let text = done(&scratch, &format!("model config.json {step} {degrees}")).out;
        assert!(text.contains("by block of the model") && text.contains("sends"), "{text}");
    }
    let scratch = with_config("sharded-refused", "llama");
    for (flags, why) in [
        ("--tp 2,4", "give each degree one number"),
        ("--pp 2", "stages need microbatches"),
        ("--machine h100:1x8", "goes with degrees"),
        ("--tp 2 --allow cp=1", "unexpected argument '--allow'"),
        ("--tp 3 --machine h100:1x8", "do not divide"),
    ] {
        let said = refused(&scratch, &format!("model config.json --seq 16 --global-batch 16 {flags}"));
        assert!(said.contains(why), "{flags}: {said}");
    }
}

#[test]
fn a_folder_is_replaced_only_where_that_is_asked_for() {
    let scratch = with_config("replaced", "llama");
    let compile = "compile config.json --machine cpu8:2 --seq 16 --global-batch 4 -o compiled";
    done(&scratch, compile);
    let said = refused(&scratch, compile);
    assert!(said.contains("there is a folder or file of this name") && said.contains("--force"), "{said}");
    done(&scratch, &format!("{compile} --force"));
}

#[test]
fn what_would_fit_is_said_of_what_does_not() {
    let scratch = Scratch::new("would_fit");
    let path = format!("{}/../../tests/data/models/tiny/mixtral.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    scratch.file("config.json", text.replace("\"num_local_experts\": 4", "\"num_local_experts\": 6"));
    let step = "plan config.json --machine h100:1x8 --seq 16 --global-batch 8";
    scratch
        .line(&format!("{step} --ep 4 --search none"))
        .fails(2, &["for expert parallel over 4: experts are 6", "1, 2, 3, 6 divide that"]);
    // Devices that share experts share the batch, too.
    scratch
        .line(&format!("{} --ep 2 --search none", step.replace("--global-batch 8", "--global-batch 4")))
        .fails(2, &["dp=4 times ep=2 does not divide the batch of 4", "an `ep` whose product divides"]);
    scratch.line(&format!("{step} --dp 8 --microbatches 8 --search none")).fails(
        2,
        &["8 replicas (dp=8, ep=1) cannot share 1 example, which is each of 8 microbatches", "would do: 1"],
    );
    scratch
        .line(&format!("{step} --microbatches 2 --microbatch-size search"))
        .fails(2, &["which `--microbatches 2` says: leave out one of them"]);
}

#[test]
fn products_in_bf16_are_warned_of_once_on_devices_without() {
    let scratch = Scratch::new("from-config-no-bf16");
    let config = format!("{}/../../tests/data/models/tiny/llama.json", env!("CARGO_MANIFEST_DIR"));
    let plan = |more: &str| {
        let ran = scratch.line(&format!(
            "plan {config} --machine v100:1x2 --seq 16 --global-batch 8 --as dp=2 --search none {more}"
        ));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.err.matches("v100 has no bf16").count()
    };
    assert_eq!(plan(""), 1);
    assert_eq!(plan("--precision-recipe f32"), 0);
}
