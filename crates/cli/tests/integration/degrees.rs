//! Degrees by single flags, constraints on them, and the grid of all ways.

use crate::common::{Ran, Scratch, example};
use serde_json::Value;

/// Runs a command line that may warn.
fn done(scratch: &Scratch, words: &[&str]) -> Ran {
    let ran = scratch.run(words);
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.err);
    ran
}

/// The same, split at spaces.
fn line(scratch: &Scratch, line: &str) -> Ran {
    done(scratch, &line.split_whitespace().collect::<Vec<_>>())
}

/// The lines that tell plans apart: their degrees.
fn degrees(plan: &Value) -> String {
    ["dp", "tp", "cp", "ep", "zero"].map(|name| format!("{name}={}", plan["degrees"][name])).join(",")
}

#[test]
fn flags_say_singly_what_as_says_together() {
    let scratch = Scratch::new("degrees-singly");
    let gpt = example("gpt.mlir");
    let plan =
        |flags: &str| line(&scratch, &format!("plan {gpt} --machine cpu8 --search none --json {flags}")).out;
    assert_eq!(plan("--dp 2 --tp 4 --zero 1"), plan("--as dp=2,tp=4,zero=1"));
    assert_eq!(plan("--tp 4 --as zero=1"), plan("--as tp=4,zero=1"));
    let both = format!("plan {gpt} --machine cpu8 --tp 4 --as tp=4");
    scratch.line(&both).fails(2, &["`tp` is in `--as` and in `--tp`"]);
    for (flags, said) in [
        ("--tp 0", "`0` is nothing for `--tp`"),
        ("--zero 4", "`4` is nothing for `--zero`"),
        ("--tp 3", "do not divide the machine's 8 devices"),
        ("--pp 2", "a pipeline runs microbatches: give `--microbatches`"),
        ("--vp 2", "it needs `pp`"),
        ("--pp 3 --microbatches 2", "do not divide the machine's 8 devices"),
        ("--pp 2 --microbatches 4 --tiles 2", "`--tiles` is not for pipelines"),
        ("--pp 2 --microbatches 4 --schedule none", "with `pp` a schedule has a name"),
        (
            "--tp 2 --schedule 1f1b",
            "a schedule is of pipelines: say their number of groups, by `stages` or by `pp`",
        ),
        ("--schedule 1f1b", "a schedule is of pipelines"),
        ("--tp 2 --group-hosts 2", "a number of hosts for each group is of pipelines"),
        ("--post-validation", "post-validation is of pipelines"),
        ("--delayed-weights stashed", "a choice of delayed weights is of pipelines"),
        (
            "--pp 2 --microbatches 4 --grid --post-validation",
            "`--post-validation` is of a pipeline that is made",
        ),
        ("--pp 2 --microbatches 2 --group-hosts 2", "cannot each be spread over 2 hosts"),
        ("--pp 2 --tp 4 --microbatches 4 --schedule chimera", "keeps two copies of each stage"),
        ("--as dp=8 --microbatches 4 --schedule zb-h1", "a schedule is of pipelines"),
        (
            "--dp 8 --microbatches 4",
            "8 replicas (dp=8, ep=1) cannot share 2 examples, which is each of 4 microbatches",
        ),
        ("--pp 2 --dp 4 --microbatches 4", "numbers that would do: 2"),
        ("--cp search,2", "`search` is nothing for `--cp`"),
        ("--zero 5", "write a stage from 0 to 3"),
        ("--pp 3 --microbatches 2", "give degrees that multiply to one of 1, 2, 4, 8"),
    ] {
        scratch.line(&format!("plan {gpt} --machine cpu8 {flags}")).fails(2, &[said]);
    }
}

#[test]
fn pipelines_of_degrees_run_what_is_asked_for() {
    let scratch = Scratch::new("degrees-schedule");
    let on =
        format!("{} --machine cpu8:4 --microbatches 4 --pp 2 --tp 2 --schedule zb-v", example("gpt.mlir"));
    let plan = line(&scratch, &format!("plan {on} --json")).json();
    assert_eq!((&plan["schedule"], &plan["virtual_stages"]), (&"zb-v".into(), &2.into()));
    let rows = line(&scratch, &format!("plan {on} --dp 1 --sp 1 --grid --json")).json();
    let row = rows["rows"].as_array().unwrap().iter().find(|row| row["fits"] == true).unwrap();
    assert_eq!((&row["schedule"], &row["vp"]), (&"zb-v".into(), &2.into()));
    assert_eq!(row["step_seconds"], plan["step_seconds"]);
}

/// Three layers in two stages lie so or so; unsaid, as a step takes least.
#[test]
fn stages_have_the_layers_that_are_said() {
    let scratch = Scratch::new("degrees-stage-layers");
    let config = format!("{}/../../tests/data/models/tiny/llama.json", env!("CARGO_MANIFEST_DIR"));
    let on = format!("{config} --machine h100:1x2 --seq 16 --global-batch 8 --pp 2 --microbatches 4");
    let seconds = |flags: &str| {
        let plan = line(&scratch, &format!("plan {on} {flags} --json")).json();
        plan["step_seconds"].as_f64().expect("a time")
    };
    let (first, last, best) =
        (seconds("--stage-layers 1,2"), seconds("--stage-layers 2,1 -o plan.json"), seconds(""));
    assert!(first != last && best <= first.min(last), "{first} {last} {best}");
    line(&scratch, &format!("check {config} --plan plan.json --precision f64"));
    // The first stage may be the embedding alone, and the last one the head.
    seconds("--stage-layers 0,3");
    seconds("--stage-layers 3,0");
    let rows = line(&scratch, &format!("plan {on} --tp 1 --grid --stage-layers 2,1 --json")).json();
    let row = rows["rows"].as_array().unwrap().iter().find(|row| row["fits"] == true).unwrap();
    assert_eq!(row["step_seconds"].as_f64(), Some(last));
    for (layers, said) in [
        ("2,2", "stages of 2, 2 layers are not those of 3 layers"),
        ("1,1,1", "layers of 3 stages are said, and pp=2 vp=1 have 2"),
        ("1,1,1 --vp 1,2", "layers of 3 stages are said, and no `pp` and `vp` that are said have so many"),
        ("3", "give the layers of each stage"),
        ("1,-2", "no numbers of layers"),
        ("1,2 --schedule interleaved-1f1b", "layers of 2 stages are said, and pp=2 vp=2 have 4"),
    ] {
        let ran = scratch.line(&format!("plan {on} --stage-layers {layers}"));
        assert!(ran.code != Some(0) && ran.err.contains(said), "{layers}: {}", ran.err);
    }
    let of_none = format!("plan {config} --machine h100:1x2 --seq 16 --global-batch 8 --stage-layers 1,2");
    scratch.line(&of_none).fails(2, &["a number of layers of each stage is of pipelines"]);
}

#[test]
fn pipelines_of_degrees_lie_and_update_as_is_asked_for() {
    let scratch = Scratch::new("degrees-groups");
    let on = format!("{} --machine h100:2x2 --microbatches 4 --pp 2 --tp 2", example("gpt.mlir"));
    let plan = |flags: &str| line(&scratch, &format!("plan {on} {flags} --json")).json();
    let seconds = |plan: &serde_json::Value| plan["step_seconds"].as_f64().unwrap();
    let (one, two, best) = (plan("--group-hosts 1"), plan("--group-hosts 2"), plan("--group-hosts search"));
    assert_eq!(two["devices"], serde_json::json!([[0, 2], [1, 3]]));
    assert_eq!(seconds(&best), seconds(&one).min(seconds(&two)));
    assert_eq!(best["weighed_group_hosts"].as_array().unwrap().len(), 2);
    let rows = line(&scratch, &format!("plan {on} --dp 1 --sp 1 --grid --group-hosts 2 --json")).json();
    let row = rows["rows"].as_array().unwrap().iter().find(|row| row["fits"] == true).unwrap();
    assert!(row["step_seconds"].as_f64() > Some(seconds(&one)));
    assert_eq!(plan("--delayed-weights stashed")["delayed_weights"], "stashed");
    for flags in ["--group-hosts 2", "--delayed-weights stashed"] {
        line(&scratch, &format!("check {on} {flags} --precision f64"));
    }
}

#[test]
fn of_lists_the_best_way_is_taken() {
    let scratch = Scratch::new("degrees-lists");
    let gpt = example("gpt.mlir");
    let seconds = |flags: &str| {
        let plan = line(&scratch, &format!("plan {gpt} --machine cpu8 --search none --json {flags}")).json();
        (plan["predicted"]["before_passes_seconds"].as_f64().unwrap(), degrees(&plan))
    };
    let each = ["--tp 2", "--tp 4", "--tp 8"].map(seconds);
    let best = each.iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    assert_eq!(seconds("--tp 2,4,8"), *best);
    assert!(seconds("--tp search").0 <= best.0);
}

#[test]
fn constraints_change_the_plan_or_leave_none() {
    let scratch = Scratch::new("degrees-allowed");
    let gpt = example("gpt.mlir");
    let plan = |allow: &str| {
        let words = ["plan", &gpt, "--machine", "h100:1x4", "--search", "rest", "--json", "--allow", allow];
        done(&scratch, &words).json()
    };
    let free = line(&scratch, &format!("plan {gpt} --machine h100:1x4 --search rest --json")).json();
    // Each clause rules the free plan out and is kept to.
    let own = |name: &str| free["degrees"][name].as_u64().unwrap();
    let mut clauses = vec!["cp>=2".to_owned(), "tp in 2".to_owned(), "tp@nvlink, tp>2".to_owned()];
    clauses.push(format!("dp!={}", own("dp")));
    for clause in clauses {
        let found = plan(&clause);
        assert_ne!(degrees(&found), degrees(&free), "{clause}");
        if clause == "tp in 2" {
            assert_eq!(found["degrees"]["tp"], 2);
        }
    }
    // Devices that compute the same are of no way.
    let same = line(&scratch, &format!("plan {gpt} --machine cpu8 --json --allow dp=1,tp=1,cp=1")).json();
    assert_eq!(["dp", "tp", "cp"].map(|name| same["degrees"][name].as_u64()), [Some(1); 3]);
    for (allow, said) in [
        ("tp>8", "`tp>8` leaves no plan: it rules out all"),
        ("tp=8@nvlink", "`tp=8@nvlink` leaves no plan"),
        ("dp=4, tp=4", "`tp=4` leaves no plan beside `dp=4`"),
        ("pp in 3,5", "`pp in 3,5` leaves no pipeline: there may be 2, 4 groups"),
    ] {
        let words = ["plan", &gpt, "--machine", "h100:2x4", "--allow", allow, "-o", "plan.json"];
        scratch.run(words).fails(3, &[said]);
    }
    let words = ["plan", &gpt, "--machine", "h100:2x4", "--as", "tp=4", "--allow", "tp<=2"];
    scratch.run(words).fails(3, &["`tp<=2` leaves no plan: it rules out `tp=4`"]);
    for (allow, said) in [
        ("tp<=8@ethernet", "no links called `ethernet`; there are nvlink, infiniband"),
        ("tp is 8", "`tp is 8` is no constraint"),
        ("mp=8", "`mp` is no kind of parallelism"),
    ] {
        scratch.run(["plan", &gpt, "--machine", "h100:2x4", "--allow", allow]).fails(2, &[said]);
    }
    assert_eq!(scratch.names(), Vec::<String>::new());
}

/// By how many devices a parameter is shared in a plan, without those of the batch.
fn shared_by(plan: &Value, name: &str) -> u64 {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let model: Vec<(String, u64)> = list(&plan["mesh"])
        .iter()
        .map(|axis| (text(&axis["name"]), axis["size"].as_u64().unwrap()))
        .filter(|(name, _)| name.starts_with("model"))
        .collect();
    let shares = |argument: &Value| -> u64 {
        let axes =
            list(&argument["sharding"]).iter().flat_map(list).map(|axis| text(&axis)).collect::<Vec<_>>();
        model.iter().filter(|(name, _)| axes.contains(name)).map(|(_, size)| size).product()
    };
    let own = list(&plan["arguments"]);
    let own = own.iter().filter(|own| own["role"] == "parameter" && text(&own["name"]).ends_with(name));
    own.map(shares).max().expect("there is such a parameter")
}

#[test]
fn constraints_on_parts_change_the_plan_or_leave_none() {
    let scratch = Scratch::new("degrees-allowed-parts");
    let gpt = example("gpt.mlir");
    let on = ["plan", &gpt, "--machine", "cpu8:4"];
    let plan = |allow: &str| done(&scratch, &[&on[..], &["--json", "--allow", allow]].concat()).json();
    let whole = plan("dp=1, tp=4");
    assert_eq!(["['up']", "['down']"].map(|name| shared_by(&whole, name)), [4, 4]);
    // Each part that a clause is about becomes another, and the rest need not.
    let found = plan("dp=1, up: tp=1");
    assert_eq!(shared_by(&found, "['up']"), 1);
    assert_ne!(found["arguments"], whole["arguments"]);
    let found = plan("dp=1, layers 0: tp<=2");
    for name in ["up", "down", "query", "output"] {
        assert!(shared_by(&found, &format!("['layers'][0]['{name}']")) <= 2, "{name}");
    }
    assert_ne!(found["arguments"], whole["arguments"]);
    for (allow, code, said) in [
        ("up: tp=3", 3, "`up: tp=3`"),
        ("layers 0-1: tp>8", 3, "`layers 0-1: tp>8`"),
        ("gate: tp=1", 2, "`gate: tp=1`: the program multiplies with no such parameters, but with `"),
        ("layers 0-99: tp=1", 2, "`layers 0-99: tp=1`: the program has 2 layers, numbered 0 to 1"),
        ("up: cp=2", 2, "`cp` is of the whole model"),
    ] {
        scratch.run([&on[..], &["--allow", allow, "-o", "plan.json"]].concat()).fails(code, &[said]);
    }
    // Parts that there are not are said of ways too.
    for way in [&["--as", "tp=4", "--search", "none"][..], &["--grid", "--tp", "4"], &["--pp", "2"]] {
        let part = ["--allow", "layers 0-99: tp=1"];
        scratch.run([&on[..], way, &part].concat()).fails(2, &["the program has 2 layers, numbered 0 to 1"]);
    }
    // A way shards all parts alike.
    let way = ["--as", "tp=4", "--search", "none", "--allow", "up: tp=1"];
    scratch.run([&on[..], &way].concat()).fails(3, &["`up: tp=1` leaves no plan: it rules out `tp=4`"]);
    assert_eq!(scratch.names(), Vec::<String>::new());
}

#[test]
fn rows_of_a_grid_are_what_plans_with_their_degrees_cost() {
    let scratch = Scratch::new("degrees-grid");
    let gpt = example("gpt.mlir");
    let grid = format!("plan {gpt} --machine cpu8 --grid --allow cp=1 -o grid.csv");
    line(&scratch, &format!("{grid} --sp 1 --zero 0,3")).says(&[
        "best ",
        "worst ",
        "on the frontier",
        "not allowed by `cp=1`",
    ]);
    let json = line(&scratch, &format!("{grid} --json")).json();
    let rows = json["rows"].as_array().unwrap();
    let csv = std::fs::read_to_string(scratch.path("grid.csv")).unwrap();
    assert_eq!(csv.lines().count(), rows.len() + 1);
    let plans: Vec<&Value> = rows.iter().filter(|row| row["fits"] == true).collect();
    assert!(plans.len() > 10 && plans.len() < rows.len(), "{}", plans.len());
    for row in plans.iter().step_by(4) {
        let way = row["degrees"].as_str().unwrap();
        let plan =
            line(&scratch, &format!("plan {gpt} --machine cpu8 --as {way} --search none --json")).json();
        assert_eq!(row["step_seconds"], plan["predicted"]["total_seconds"], "{way}");
        assert_eq!(row["peak_bytes"], plan["memory"]["peak_bytes"], "{way}");
        assert_eq!(row["mfu"], plan["figures"]["mfu"], "{way}");
    }
    let tight = scratch.line(&format!("plan {gpt} --machine cpu8 --grid --memory-limit 1KiB"));
    tight.fails(3, &["none is a plan", "needs least memory"]);
    scratch.line(&format!("plan {gpt} --machine cpu8 --grid --mesh 2x4")).fails(2, &["--grid"]);
}

#[test]
fn what_is_wrong_with_one_value_of_a_list_is_the_reason_of_its_rows() {
    let scratch = Scratch::new("degrees-lists");
    let tiny =
        |name: &str| format!("{}/../../tests/data/models/tiny/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let rows = |name: &str, flags: &str| {
        let grid = format!("plan {} --machine cpu8 --grid --cp 1 --json {flags}", tiny(name));
        line(&scratch, &grid).json()["rows"].as_array().expect("a list").clone()
    };
    let reasons = |rows: &[Value]| -> Vec<String> {
        rows.iter().filter_map(|row| row["reason"].as_str().map(str::to_owned)).collect()
    };
    for name in ["llama", "mixtral", "gpt2", "mamba2"] {
        let of_step = "--seq 16 --global-batch 16 --ep 1";
        // Each value that is said has a row, one that divides nothing too.
        let found = rows(name, &format!("{of_step} --tp 2,3,8 --pp 1,2,64 --zero 1 --microbatches 2,3,8"));
        let has = |degree: &str, value: u64| found.iter().any(|row| row[degree] == value);
        assert!(
            [2, 3, 8].iter().all(|tp| has("tp", *tp)) && [1, 2, 64].iter().all(|pp| has("pp", *pp)),
            "{name}"
        );
        assert!(found.iter().any(|row| row["fits"] == true), "{name}");
        let why = reasons(&found).join("\n");
        assert!(why.contains("do not divide the machine's 8 devices"), "{name}: {why}");
        assert!(why.contains("does not divide into 3"), "{name}: {why}");
        // Nothing trains: what is made again is the reason of its own rows.
        let flags = format!("{of_step} --tp 1,2 --zero 0 --optimizer none --recompute none,full");
        let found = rows(name, &flags);
        assert!(found.iter().any(|row| row["fits"] == true), "{name}");
        assert!(reasons(&found).iter().all(|why| why.contains("nothing can be made again")), "{name}");
        let found = rows(name, "--seq 16 --global-batch 16,1001tok --ep 1 --tp 1,2 --zero 0");
        let asked: Vec<&str> = found.iter().filter_map(|row| row["asked"].as_str()).collect();
        assert!(
            !asked.is_empty() && asked.iter().all(|asked| *asked == "batch 1001tok"),
            "{name}: {asked:?}"
        );
    }
    // What is wrong with all values is said as of one.
    let all = format!("plan {} --machine cpu8 --grid --seq 16 --global-batch 1001tok,1003tok", tiny("llama"));
    scratch.line(&all).fails(1, &["no whole number of sequences"]);
}

#[test]
fn rows_that_do_not_fit_say_the_fewest_microbatches_with_which_they_do() {
    let scratch = Scratch::new("degrees-fewest");
    let config = format!("{}/../../tests/data/models/tiny/llama.json", env!("CARGO_MANIFEST_DIR"));
    let on = format!("plan {config} --machine cpu8 --seq 64 --global-batch 64 --memory-limit 1200KiB");
    let grid = format!("{on} --grid --cp 1 --zero 0,3");
    let ran = scratch.line(&format!("{grid} --json"));
    let rows = ran.json()["rows"].as_array().expect("a list").clone();
    let found: Vec<(String, u64)> = rows
        .iter()
        .filter_map(|row| {
            Some((row["degrees"].as_str()?.to_owned(), row["fits_with_microbatches"].as_u64()?))
        })
        .collect();
    assert!(found.len() > 2 && found.iter().any(|(_, count)| *count > 2), "{found:?}");
    for (way, count) in &found {
        let code =
            |count: u64| scratch.line(&format!("{on} --as {way} --search none --microbatches {count}")).code;
        assert_eq!((code(*count), code(count / 2)), (Some(0), Some(3)), "{way} with {count}");
    }
    let said = scratch.line(&grid);
    assert!(said.out.contains("of them fit in microbatches, at the fewest"), "{}", said.out);
    // Where the number is said, others are nobody's question.
    let said = scratch.line(&format!("{grid} --pp 1 --microbatches 1 --json"));
    assert!(said.json()["rows"][0].get("fits_with_microbatches").is_none(), "{}", said.out);
}

/// A model with more heads than its keys have, and a number of both that the devices do not divide.
const HEADS: &str = r#"{"model_type": "llama", "hidden_size": 192, "intermediate_size": 512, "num_hidden_layers": 2,
    "num_attention_heads": 12, "num_key_value_heads": 3, "vocab_size": 1024, "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0, "tie_word_embeddings": false, "hidden_act": "silu"}"#;

#[test]
fn what_degrees_do_not_come_to_is_said_with_its_reason() {
    let scratch = Scratch::new("degrees-said");
    scratch.file("heads.json", HEADS);
    let on = "plan heads.json --machine cpu8 --seq 64 --global-batch 64 --search none";
    let plan = line(&scratch, &format!("{on} --tp 4 --json")).json();
    let held = plan["uneven"].as_array().expect("a list");
    for name in ["q_proj", "k_proj", "v_proj", "o_proj"] {
        assert!(
            held.iter().any(|line| line.as_str().is_some_and(|line| line.contains(name))),
            "{name}: {held:?}"
        );
    }
    let plan = line(&scratch, &format!("{on} --tp 8 --zero 3 --json")).json();
    let asked = plan["asked"].as_str().expect("what was asked for");
    assert!(asked.starts_with("zero=3, amounts to zero=0: no data axis has more than 1 device"), "{asked}");
    for (flags, said) in [
        ("--dp 8 --fsdp 3", "the 8 devices of `dp`, which 3 does not divide"),
        ("--dp 8 --microbatches 3", "numbers that would do: 1, 2, 4, 8"),
    ] {
        let ran = scratch.line(&format!("{on} {flags}"));
        ran.fails(2, &[said]);
    }
    // What is searched beside a number that is said.
    let tight = format!("{on} --dp 8 --microbatches 4 --recompute search --memory-limit 1MiB");
    scratch.line(&tight).fails(3, &["that is with 4 microbatches, recompute"]);
    let searched = "plan heads.json --machine cpu8 --seq 64 --global-batch 64 --stages 2 --microbatches 4";
    line(&scratch, searched).says(&["pipeline parallel over 2, dp="]);
    // A language model inside of another says what it is.
    for (name, text) in [
        ("missing.json", r#"{"text_config": {"hidden_size": 64}}"#),
        ("around.json", r#"{"model_type": "llava", "text_config": {"hidden_size": 64}}"#),
    ] {
        scratch.file(name, text);
        let ran = scratch.line(&format!("plan {name} --machine cpu8 --global-batch 8"));
        ran.fails(1, &["`text_config` says none of its own", "`model_type` of the language model"]);
    }
}

#[test]
fn pipelines_of_a_grid_are_what_plans_with_their_degrees_are() {
    let scratch = Scratch::new("degrees-pipelines");
    let gpt = example("gpt.mlir");
    let on = format!("plan {gpt} --machine cpu8 --microbatches 4 --json");
    let grid = line(&scratch, &format!("{on} --grid --cp 1 --zero 0 --sp 1 --vp 1,2")).json();
    let rows = grid["rows"].as_array().unwrap();
    let pipelines = |row: &&Value| row["fits"] == true && row["pp"].as_u64() > Some(1);
    let plans: Vec<&Value> = rows.iter().filter(pipelines).collect();
    assert!(plans.len() > 2, "{rows:?}");
    for row in plans.iter().step_by(2) {
        let way = row["degrees"].as_str().unwrap();
        let flags: String = way.split(',').map(|part| format!(" --{}", part.replace('=', " "))).collect();
        let plan = line(&scratch, &format!("{on}{flags}")).json();
        assert_eq!(row["step_seconds"], plan["step_seconds"], "{way}");
        assert_eq!(row["bubble_share"], plan["bubble_share"], "{way}");
        let most = plan["memory_bytes"].as_array().unwrap().iter().filter_map(Value::as_u64).max();
        assert_eq!(row["peak_bytes"].as_u64(), most, "{way}");
        let parts = row["by_kind"].as_array().unwrap().iter().filter_map(|part| part["seconds"].as_f64());
        let (sum, step) = (parts.sum::<f64>(), row["step_seconds"].as_f64().unwrap());
        assert!(sum >= step * 0.999, "{way}: {sum} of {step}");
    }
    // Rows that cannot be cut stay.
    let refused = |row: &Value| row["reason"].as_str().is_some_and(|why| why.contains("stages"));
    assert!(rows.iter().any(refused), "{rows:?}");
    let of_size =
        format!("plan {gpt} --machine cpu8 --microbatch-size 1 --grid --cp 1 --zero 0 --sp 1 --tp 1 --json");
    for row in line(&scratch, &of_size).json()["rows"].as_array().unwrap() {
        if let (Some(dp), Some(count)) = (row["dp"].as_u64(), row["microbatches"].as_u64()) {
            assert_eq!(dp * count, 8, "{row}");
        }
    }
    line(&scratch, &format!("check {gpt} --machine cpu8 --pp 2 --dp 2 --tp 2 --microbatches 4"));
    let all = line(
        &scratch,
        &format!("{on} --recompute search --grid --tp 4 --sp 1 --cp 1 --dp 2 --pp 1 --zero 0"),
    )
    .json();
    assert_eq!(all["rows"].as_array().unwrap().len(), 1, "{all}");
}

#[test]
fn parameters_are_gathered_where_tokens_are_few() {
    let scratch = Scratch::new("degrees-few-tokens");
    // Devices have fewer tokens than hidden elements: to send these would be less than to gather the weights.
    for (model, machine, flags, wanted) in [
        ("mistral-7b-v0.1", "h100:1x8", "--seq 1024 --global-batch 8 --dp 8", "dp=8,tp=1,cp=1,ep=1"),
        ("mixtral-8x7b", "h100:8x8", "--seq 512 --global-batch 64 --dp 8 --ep 8", "dp=8,tp=1,cp=1,ep=8"),
        ("mixtral-8x7b", "h100:8x8", "--seq 512 --global-batch 64 --dp 64", "dp=64,tp=1,cp=1,ep=1"),
    ] {
        let config = format!("{}/../../tests/data/models/released/{model}.json", env!("CARGO_MANIFEST_DIR"));
        let step = format!("plan {config} --machine {machine} {flags} --zero 3 --search none --json");
        assert_eq!(degrees(&line(&scratch, &step).json()), format!("{wanted},zero=3"), "{model} {flags}");
    }
}

#[test]
fn devices_of_experts_have_examples_of_their_own() {
    let scratch = Scratch::new("degrees-experts");
    let config = format!("{}/../../tests/data/models/tiny/mixtral.json", env!("CARGO_MANIFEST_DIR"));
    let step = format!("plan {config} --machine h100:1x8 --seq 16 --global-batch 16 --search none --json");
    let plan = line(&scratch, &format!("{step} --dp 2 --ep 4 --microbatch-size 1")).json();
    let numbers = ["count", "size", "replicas"].map(|key| plan["microbatches"][key].as_u64());
    assert_eq!(numbers, [2, 1, 8].map(Some));
    scratch
        .line(&format!("{step} --dp 2 --ep 4 --microbatches 4"))
        .fails(2, &["8 replicas (dp=2, ep=4) cannot share 4 examples"]);
}

#[test]
fn norms_of_heads_are_scattered_beside_nothing_else() {
    let scratch = Scratch::new("degrees-norms-of-heads");
    let config =
        format!("{}/../../tests/data/models/released/qwen3-30b-a3b.json", env!("CARGO_MANIFEST_DIR"));
    // A row of what is scattered over `ep` would not show that norms of heads are shards over `tp`.
    let step = format!("plan {config} --machine h100:4x8 --seq 4096 --global-batch 256 --search none --json");
    line(&scratch, &format!("{step} --tp 4 --ep 8 --zero 1 --microbatches 32 --recompute none"));
}

#[test]
fn a_first_layer_of_its_own_kind_is_a_layer() {
    let scratch = Scratch::new("degrees-first-layer");
    let config =
        format!("{}/../../tests/data/models/released/deepseek-v2-lite.json", env!("CARGO_MANIFEST_DIR"));
    let step = format!("plan {config} --machine h100:4x8 --seq 4096 --global-batch 256 --json");
    let plan = line(&scratch, &format!("{step} --pp 2 --ep 8 --zero 1 --microbatches 8")).json();
    let slowest = plan["imbalance"].as_f64().unwrap();
    assert!(slowest < 1.2, "26 layers are alike, so that two stages are about equal: {slowest}");
}

#[test]
fn masters_of_weights_are_sharded_as_moments_are() {
    let scratch = Scratch::new("degrees-masters");
    scratch.file(
        "config.json",
        r#"{"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 4,
            "num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": 256, "max_position_embeddings": 64,
            "rms_norm_eps": 1e-5, "hidden_act": "silu", "tie_word_embeddings": false}"#,
    );
    let of = |recipe: &str, more: &str| {
        let words = format!(
            "plan config.json --machine cpu8 --seq 64 --global-batch 16 --dp 4 --tp 2 --search none --json \
             --precision-recipe {recipe} {more}"
        );
        let plan: Value = serde_json::from_str(&line(&scratch, &words).out).unwrap();
        let names = plan["parallelism"].as_array().unwrap().iter();
        let name = names.last().and_then(Value::as_str).unwrap().to_owned();
        let arguments = plan["arguments"].as_array().unwrap();
        let is_weight = |own: &&Value| own["name"].as_str().is_some_and(|name| name.contains("gate_proj"));
        let shards: Vec<u64> =
            arguments.iter().filter(is_weight).map(|own| own["bytes_per_device"].as_u64().unwrap()).collect();
        (name, shards[0])
    };
    // 4 layers of 128x64 in f32 on two devices of `tp`, and on the four of `dp`.
    let (whole, shared) = (4 * 128 * 64 * 4 / 2, 4 * 128 * 64 * 4 / 8);
    for recipe in ["bf16", "fp8"] {
        for recompute in ["none", "full"] {
            for stage in [1, 2] {
                let more = format!("--microbatches 2 --zero {stage} --recompute {recompute}");
                assert_eq!(of(recipe, &more), (format!("ZeRO-{stage}"), shared), "{recipe} {more}");
            }
        }
    }
    // In f32 there are no copies, and in one microbatch none that are kept.
    assert_eq!(of("f32", "--microbatches 2 --zero 1"), ("ZeRO-1".to_owned(), whole));
    assert_eq!(of("bf16", "--zero 1").1, whole);
    assert_eq!(of("bf16", "--microbatches 2 --zero 3"), ("ZeRO-3".to_owned(), shared));
}
