//! `meshwright export` and `--weights`: the examples of `docs/export.md`, and what is refused.

use crate::common::Scratch;
use meshwright_execute::npz;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Precision, Tensor};
use std::collections::BTreeMap;
use std::path::Path;

fn repository(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// The commands of an example of the page, without the name of the program.
fn commands(example: usize) -> Vec<String> {
    let page = repository("docs/export.md");
    let block =
        page.split("```sh\n").nth(example + 1).expect("an example").split("```").next().unwrap().to_owned();
    let line = |line: &str| line.strip_prefix("meshwright ").expect("a command").replace('"', "");
    block.lines().map(line).collect()
}

/// A folder with the configuration of a tiny Llama.
fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("config.json", repository("tests/data/exports/llama.json"));
    scratch
}

#[test]
fn the_examples_of_the_page_run() {
    let scratch = scratch("export-page");
    for command in commands(0) {
        let ran = scratch.line(&command);
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.err);
    }
    // A plan of the configuration needs no other.
    for folder in ["job", "job_of_config"] {
        let job = std::fs::read_to_string(scratch.path(&format!("{folder}/job.toml"))).unwrap();
        assert!(job.contains("data_parallel_shard_degree = 8"), "{job}");
    }
    for command in commands(1) {
        let ran = scratch.line(&command);
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.err);
        ran.says(&["what `job/job.toml` says, dp=8,fsdp=8,zero=3 in 1 microbatch, takes"]);
    }
    for command in [3, 4].into_iter().flat_map(commands) {
        let ran = scratch.line(&command);
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.err);
    }
    let nearest = std::fs::read_to_string(scratch.path("nxd/nxd_config.py")).unwrap();
    assert!(nearest.contains("\"zero_one_enabled\": True"), "{nearest}");
}

#[test]
fn one_replica_has_no_distributed_data_parallel() {
    let scratch = scratch("export-one-replica");
    let plan = "plan config.json --seq 16 --global-batch 8 --search none --recompute none";
    for (degrees, is_replicated) in [("tp=2", false), ("dp=2", true)] {
        let made = scratch.line(&format!("{plan} --machine h100:1x2 --as {degrees} -o plan.json"));
        assert_eq!(made.code, Some(0), "{degrees}: {}", made.err);
        let written = scratch.line("export plan.json --to pytorch -o torch --force");
        assert_eq!(written.code, Some(0), "{degrees}: {}", written.err);
        let text = std::fs::read_to_string(scratch.path("torch/parallelize.py")).unwrap();
        assert_eq!(text.contains("return DistributedDataParallel("), is_replicated, "{text}");
        assert_eq!(text.contains("    return model\n"), !is_replicated, "{text}");
    }
}

#[test]
fn a_machine_that_there_is_not_leaves_no_folder() {
    let scratch = scratch("export-no-machine");
    assert_eq!(scratch.line(&commands(0)[4]).code, Some(0));
    let before = scratch.names();
    scratch
        .line("export of_config.json --to torchtitan --nearest --machine nope.toml -o job")
        .fails(1, &["there is no such file", "nope.toml"]);
    assert_eq!(scratch.names(), before);
}

#[test]
fn what_cannot_be_written_is_refused_and_nothing_is_left() {
    let scratch = scratch("export-refused");
    scratch.file("plan.json", repository("tests/data/exports/plans/hosts.json"));
    let before = scratch.names();
    let refusal =
        ["DeepSpeed", "fsdp=2 with dp=4: it has no copies of shards", "nearest: fsdp=4", "`--nearest`"];
    scratch.line("export plan.json --to deepspeed -o job").fails(3, &refusal);
    scratch
        .line("export plan.json --to torchtitan --nearest -o job")
        .fails(3, &["give its `--config config.json`"]);
    scratch.file("config.json", repository("tests/data/models/tiny/mistral.json"));
    let other = "the plan is of another model";
    scratch
        .line("export plan.json --to torchtitan --config config.json -o job")
        .fails(1, &[other, "config.json"]);
    scratch.line("export plan.json --to slurm -o job").fails(2, &["torchtitan", "megatron-lm"]);
    scratch.line("export --to torchtitan").fails(2, &["give the plan and the folder"]);
    assert_eq!(scratch.names(), before);
}

#[test]
fn a_folder_is_replaced_only_if_asked() {
    let scratch = scratch("export-force");
    scratch.file("plan.json", repository("tests/data/exports/plans/hosts.json"));
    let ran = scratch.line("export plan.json --to deepspeed --nearest -o job --json");
    let said = ran.json();
    assert_eq!(said["changes"][0]["instead"], "fsdp=4");
    assert_eq!(said["files"], serde_json::json!(["ds_config.json", "launch.sh"]));
    let again = "export plan.json --to deepspeed --nearest -o job";
    scratch.line(again).fails(1, &["there is a folder or file of this name", "--force"]);
    assert_eq!(scratch.line(&format!("{again} --force")).code, Some(0));
    scratch.file("job/mine.txt", "notes");
    scratch.line(&format!("{again} --force")).fails(1, &["other files, such as `mine.txt`"]);
}

#[test]
fn a_job_file_that_is_not_understood_is_refused() {
    let scratch = scratch("export-from");
    for command in &commands(0)[..2] {
        scratch.line(command).succeeds();
    }
    let refused = |file: &str, text: &str, said: &[&str]| {
        scratch.file(file, text);
        scratch.line(&format!("plan step.mlir --machine h100:1x8 --from {file}")).fails(1, said);
    };
    refused("job.toml", "[parallelism]\ntp = 2\n", &["`parallelism.tp`", "job.toml"]);
    refused("job.json", "{\"zero_optimization\": {\"stage\": 4}}", &["ZeRO has the stages 0 to 3"]);
    refused("job.yaml", "tp: 2", &["`*.toml` of torchtitan"]);
    scratch.line("plan step.mlir --machine h100:1x8 --from job.toml --as dp=8").fails(2, &["--from"]);
    scratch.line("plan step.mlir --from job.toml").fails(2, &["--machine"]);
}

#[test]
fn a_job_with_stages_is_priced_beside_the_plan() {
    let scratch = scratch("export-from-stages");
    scratch.file("config.json", repository("tests/data/models/tiny/mistral.json"));
    let step = "plan config.json --machine h100:2x2 --seq 16 --global-batch 8";
    // Neither file mixes precisions: torchtitan does beside shards alone.
    let flags = "--as tp=2,sp=2,pp=2 --microbatches 8 --recompute none --precision-recipe f32";
    let own = scratch.line(&format!("{step} {flags} --json")).json();
    let toml = "[parallelism]\npipeline_parallel_degree = 2\ntensor_parallel_degree = 2\n\
                [training]\nlocal_batch_size = 8\n\
                [activation_checkpoint]\nmode = \"none\"\n";
    scratch.file("job.toml", toml);
    let script = "torchrun pretrain.py --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 \
                  --sequence-parallel --micro-batch-size 1 --global-batch-size 8\n";
    scratch.file("job.sh", script);
    for file in ["job.toml", "job.sh"] {
        let json = scratch.line(&format!("{step} --from {file} --json")).json();
        let said = format!(
            "what `{file}` says, dp=1,tp=2,sp=2,pp=2 in 8 microbatches by 1f1b in stages of 1, 1 layers, takes "
        );
        // A plan without stages says it among its reasons alone.
        match json["job"]["step_seconds"].as_f64() {
            Some(seconds) => {
                assert_eq!(Some(seconds), own["step_seconds"].as_f64(), "{file}");
                assert_eq!(json["job"]["stage_layers"], serde_json::json!([1, 1]), "{file}");
            }
            None => assert!(json["reasons"].to_string().contains(&said), "{json}"),
        }
    }
    let ran = scratch.line(&format!("{step} --from job.toml -o plan.json"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.says(&[
        "what `job.toml` says, dp=1,tp=2,sp=2,pp=2 in 8 microbatches by 1f1b in stages of 1, 1 layers",
    ]);
    let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
    assert!(plan.contains("what `job.toml` says"), "{plan}");
    // What is no file of its kind is refused at its place.
    scratch.file("cut.toml", "[parallelism]\npipeline_par");
    scratch.line(&format!("{step} --from cut.toml")).fails(1, &["cut.toml:2:", "correct the file"]);
    // What is no pipeline is said, and the plan stays.
    scratch.file("job.toml", toml.replace("parallel_degree = 2\ntensor", "parallel_degree = 4\ntensor"));
    let ran = scratch.line(&format!("{} --from job.toml", step.replace("h100:2x2", "h100:2x4")));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.says(&["what `job.toml` says"]);
}

#[test]
fn exported_jobs_of_other_frameworks_are_planned_again() {
    let scratch = scratch("export-from-others");
    scratch.file("config.json", repository("tests/data/exports/llama.json"));
    let step = "plan config.json --machine h100:1x8 --seq 16 --global-batch 16 --search none";
    let plan = format!("{step} --as dp=4,tp=2,zero=1 --recompute full");
    let own = scratch.line(&format!("{plan} --json -o plan.json")).json();
    for (target, file) in [("mindspeed", "launch.sh"), ("megatron-lm", "launch.sh")] {
        scratch.line(&format!("export plan.json --to {target} --nearest -o {target}")).succeeds();
        let json = scratch.line(&format!("{step} --from {target}/{file} --json")).json();
        assert_eq!(json["degrees"], own["degrees"], "{target}");
    }
    let ran = scratch.line(&format!("{step} --as dp=8,zero=3 --recompute full -o plan.json"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    scratch.line("export plan.json --to accelerate -o accelerate").succeeds();
    let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
    scratch.file("edited.json", plan.replace("\"zero\": 3", "\"zero\": 1"));
    scratch
        .line("export edited.json --to accelerate -o edited")
        .fails(1, &["contradicts itself", "`degrees` say zero=1", "ZeRO-3"]);
    let json = scratch.line(&format!("{step} --from accelerate/accelerate.yaml --json")).json();
    assert_eq!(json["degrees"]["fsdp"], 8, "{json}");
    // Optimizers are read, and stages as the framework cuts them.
    scratch.file(
        "ds.json",
        r#"{"train_batch_size": 16, "optimizer": {"type": "Lion"}, "zero_optimization": {"stage": 1}}"#,
    );
    scratch.line(&format!("{step} --from ds.json --recompute none -o lion.json")).succeeds();
    let lion = std::fs::read_to_string(scratch.path("lion.json")).unwrap();
    assert!(lion.contains("\"optimizer\": \"lion\""), "{lion}");
    scratch.file(
        "job.toml",
        "[parallelism]\npipeline_parallel_degree = 2\npipeline_parallel_first_stage_less_layers = 0\n\
         [training]\nlocal_batch_size = 4\n[activation_checkpoint]\nmode = \"none\"\n",
    );
    scratch.line(&format!("{step} --from job.toml")).succeeds().says(&["it runs in stages of 2, 1 layers"]);
    let other = scratch.line(&format!("{step} --from job.toml --stage-layers 1,2"));
    assert!(other.err.contains("`--stage-layers 1,2` is taken in place of what the file says: 2,1"));
    other.says(&["it runs in stages of 1, 2 layers"]);
    scratch.file("whole.json", r#"{"train_batch_size": 16, "zero_optimization": {"stage": 1}}"#);
    scratch
        .line(&format!("{step} --from whole.json --stage-layers 1,2"))
        .fails(2, &["a number of layers of each stage is of pipelines"]);
    scratch.file("job.yaml", "distributed_type: FSDP\nfsdp_config:\n  fsdp_offload_params: true\n");
    scratch
        .line(&format!("{step} --from job.yaml"))
        .fails(1, &["`fsdp_config.fsdp_offload_params` does to a step is not read", "take it out"]);
}

#[test]
fn a_job_says_what_to_change_and_has_to_be_of_the_same_model() {
    let scratch = scratch("export-from-changes");
    scratch.file("config.json", repository("tests/data/models/tiny/llama.json"));
    let step = "plan config.json --machine h100:1x4 --seq 64 --global-batch 64 --allow dp>1";
    let script = |more: &str| {
        format!(
            "torchrun pretrain.py --tensor-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 64 --bf16 {more}\n"
        )
    };
    scratch.file("job.sh", script(""));
    let ran = scratch.line(&format!("{step} --from job.sh"));
    ran.succeeds().says(&[
        "what `job.sh` says, dp=2,tp=2",
        "the plan wins",
        "% more than the plan",
        "change ",
    ]);
    for (stated, own) in [
        ("--num-layers 77", "`--num-layers 77`, but `config.json` has 3 layers"),
        ("--hidden-size 999", "`--hidden-size 999`, but `config.json` has 32 elements of a token"),
        ("--num-experts 8", "`--num-experts 8`, but `config.json` has 0 experts"),
    ] {
        scratch.file("other.sh", script(stated));
        scratch.line(&format!("{step} --from other.sh")).fails(1, &["of another model", own]);
    }
}

#[test]
fn what_a_job_has_and_degrees_do_not_is_warned_of() {
    let scratch = scratch("export-from-notes");
    let step = "plan config.json --machine h100:1x4 --seq 16 --global-batch 16";
    scratch.file(
        "ds.json",
        r#"{"train_batch_size": 16, "sequence_parallel_size": 2, "zero_optimization": {"stage": 1}}"#,
    );
    let ran = scratch.line(&format!("{step} --from ds.json"));
    for said in ["in shards over 4 devices", "does not say what is made again", "ds.json"] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    // A plan that is best on one device alone is no job, but for JAX, whose shardings say it.
    ran.says(&["the plan wins", "`zero_optimization.stage` 1 -> 0", "by these alone a step takes"]);
    let ran = scratch.line(&format!("{step} --from ds.json --allow pp=1"));
    ran.says(&["it shards nothing", "all 4 devices do the same"]);
    scratch.line(&format!("{step} --allow pp=1 -o plan.json")).succeeds();
    scratch
        .line("export plan.json --to megatron-lm --nearest -o job")
        .fails(3, &["shards nothing over 4 devices, which all do the same"]);
    scratch.line("export plan.json --to jax -o job").succeeds();
    let ran = scratch.line(&format!("{step} --from ds.json --search none --recompute full"));
    assert!(ran.err.contains("warning[job]") && !ran.err.contains("made again"), "{}", ran.err);
    scratch.file(
        "job.toml",
        "[parallelism]\ndata_parallel_replicate_degree = 2\nfsdp_reshard_after_forward = \"never\"\n",
    );
    scratch
        .line(&format!("{step} --from job.toml"))
        .fails(1, &["`parallelism.data_parallel_replicate_degree`", "beside 2 shards that are kept"]);
}

#[test]
fn what_is_given_in_place_of_something_else_is_said() {
    let scratch = scratch("export-in-place");
    scratch.file("config.json", repository("tests/data/models/tiny/llama.json"));
    scratch
        .line(
            "plan config.json --machine cpu8 --seq 16 --global-batch 8 --as dp=8 --search none -o plan.json",
        )
        .succeeds();
    scratch
        .line("export config.json --to torchtitan -o job")
        .fails(1, &["config.json of a model, not a plan"]);
    let other = repository("tests/data/models/tiny/llama.json");
    scratch.file("other.json", other.replace("\"rope_theta\": 500000.0", "\"rope_theta\": 10000.0"));
    scratch
        .line("export plan.json --to torchtitan --config other.json -o job")
        .fails(1, &["`plan.json` is the plan of another model than this configuration"]);
    scratch.file("grid.json", "{\"unfinished\": false, \"rows\": [{\"degrees\": \"dp=8\"}]}");
    let grid = scratch.line("export grid.json --to torchtitan -o job");
    let grid = grid.fails(1, &["this is a grid of many ways, not a plan", "makes the plan of a row"]);
    assert!(!grid.err.contains("unknown field"), "{}", grid.err);
    scratch
        .line("check plan.json --machine cpu8")
        .fails(1, &["this is a plan, not a program or the config.json"]);
}

#[test]
fn what_is_made_again_is_in_a_plan_by_degrees() {
    let scratch = scratch("export-recompute");
    for command in &commands(0)[..2] {
        scratch.line(command).succeeds();
    }
    let plan = "plan step.mlir --machine h100:1x8 --as dp=8 --search none --recompute full -o plan.json";
    scratch.line(plan).succeeds();
    assert!(
        std::fs::read_to_string(scratch.path("plan.json")).unwrap().contains("\"policy\": \"recompute\"")
    );
}

/// A tensor of numbers that follow from its place.
fn tensor(shape: &[usize], element: ElementType) -> Tensor {
    let number = |at: usize| (at * 7 % 11) as f32 / 50.0 - 0.1;
    let count = shape.iter().product::<usize>();
    let bytes: Vec<u8> = match element {
        ElementType::F32 => (0..count).flat_map(|at| number(at).to_le_bytes()).collect(),
        _ => (0..count).flat_map(|at| ((at * 5 % 13) as i32).to_le_bytes()).collect(),
    };
    Tensor::from_le_bytes(&TensorType::new(shape, element), &bytes, Precision::Declared).unwrap()
}

fn arrays(scratch: &Scratch, name: &str, arrays: &BTreeMap<String, Tensor>) {
    let mut bytes = std::io::Cursor::new(Vec::new());
    npz::write_to(&mut bytes, arrays).unwrap();
    scratch.file(name, bytes.into_inner());
}

#[test]
fn weights_are_read_by_name_trained_and_written_back() {
    let scratch = scratch("export-weights");
    let [model, grad] = [0, 1].map(|at| commands(0)[at].clone());
    let record = scratch.line(&format!("{model} --json")).succeeds().json();
    scratch.line(&grad).succeeds();
    let mut all = BTreeMap::new();
    let mut parameters = Vec::new();
    for (index, argument) in record["parameter_arguments"].as_array().unwrap().iter().enumerate() {
        let shape: Vec<usize> = serde_json::from_value(argument["shape"].clone()).unwrap();
        let own = tensor(&shape, ElementType::F32);
        all.insert(format!("arg{index}"), own.clone());
        parameters.push((argument["name"].as_str().unwrap().to_owned(), own));
    }
    let tokens = tensor(&[8, 16], ElementType::I32);
    let count = parameters.len();
    let data =
        |first: usize| BTreeMap::from([first, first + 1].map(|at| (format!("arg{at}"), tokens.clone())));
    arrays(&scratch, "tokens.npz", &data(count));
    all.extend(data(count));
    arrays(&scratch, "all.npz", &all);
    std::fs::create_dir(scratch.path("hub")).unwrap();
    scratch.file("hub/config.json", repository("tests/data/exports/llama.json"));
    let written = meshwright_weights::write(&parameters, 9000).unwrap();
    assert!(written.len() > 3, "several files, and an index");
    written.iter().for_each(|file| drop(scratch.file(&format!("hub/{}", file.name), &file.bytes)));

    // The loss is that of the same weights given one by one.
    let expected = scratch.line("eval loss.mlir --inputs all.npz --json").succeeds().out;
    scratch.line(&commands(2)[0]).succeeds().says(&["out0"]);
    let loss = "eval loss.mlir --weights hub --inputs tokens.npz --json";
    assert_eq!(scratch.line(loss).succeeds().out, expected);
    let check = "check loss.mlir --machine cpu8:2 --as dp=2 --search none --weights hub";
    scratch.line(check).succeeds().says(&["agrees with the undistributed program"]);

    // A step changes them, and what is written back is read again.
    scratch.line("plan step.mlir --machine cpu8:2 --as dp=2,zero=1 --search none -o plan.json").succeeds();
    arrays(&scratch, "tokens.npz", &data(3 * count + 1));
    for command in &commands(2)[1..] {
        let ran = scratch.line(command);
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.err);
    }
    let written = std::fs::read_dir(scratch.path("trained")).unwrap();
    let mut names: Vec<_> = written.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["config.json", "model.safetensors"]);
    arrays(&scratch, "tokens.npz", &data(count));
    let trained = scratch.line(&loss.replace("hub", "trained")).succeeds().out;
    assert_ne!(trained, expected);

    // Of the step of a configuration it is known which tokens there are.
    let step = "compile hub/config.json --seq 16 --global-batch 8 -o of_config";
    let ran = scratch.line(&format!("{step} --machine cpu8:2 --dp 2 --search none"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let manifest = std::fs::read_to_string(scratch.path("of_config/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let described = manifest["arguments"].as_array().unwrap();
    let number_of = |name: &str| described.iter().position(|own| own["name"] == name).unwrap();
    let fed = ["tokens", "labels"].map(|name| (format!("arg{}", number_of(name)), tokens.clone()));
    for (name, other) in [("tokens", 96_i32), ("labels", -100)] {
        let bytes = [other.to_le_bytes(), 95_i32.to_le_bytes()].concat().repeat(8 * 16 / 2);
        let of = |shape: &[usize]| {
            let ty = TensorType::new(shape, ElementType::I32);
            Tensor::from_le_bytes(&ty, &bytes, Precision::Declared).unwrap()
        };
        let argument = format!("arg{}", number_of(name));
        let said = format!("`{name}` holds {other}, but the model has 96 of them, from 0 on");
        let mut inputs = BTreeMap::from(fed.clone());
        inputs.insert(argument.clone(), of(&[8, 16]));
        arrays(&scratch, "inputs.npz", &inputs);
        arrays(&scratch, "batches.npz", &BTreeMap::from([(argument, of(&[1, 8, 16]))]));
        for flag in ["inputs", "batches"] {
            let run = format!("run of_config --weights hub --{flag} {flag}.npz");
            scratch.line(&run).fails(1, &[&format!("{flag}.npz"), said.as_str()]);
        }
        // Processes of XLA, which read files by themselves, are not begun.
        let all = described.iter().enumerate().map(|(index, own)| {
            let shape: Vec<usize> = serde_json::from_value(own["shape"].clone()).unwrap();
            let element = if own["element"] == "f32" { ElementType::F32 } else { ElementType::I32 };
            let name = format!("arg{index}");
            let given = inputs.get(&name).cloned();
            (name, given.unwrap_or_else(|| tensor(&shape, element)))
        });
        arrays(&scratch, "whole.npz", &all.collect());
        let run = "run of_config --engine xla --platform cpu --inputs whole.npz";
        scratch.line(run).fails(1, &["whole.npz", said.as_str()]);
        // So it is beside the weights of a program.
        let named = ["tokens", "labels"];
        let named = named.map(|name| (name.to_owned(), inputs[&format!("arg{}", number_of(name))].clone()));
        arrays(&scratch, "data.npz", &BTreeMap::from(named));
        scratch.line("eval loss.mlir --weights hub --inputs data.npz").fails(1, &["data.npz", said.as_str()]);
        let of = "hub/config.json --seq 16 --global-batch 8 --weights hub --inputs inputs.npz";
        for command in [format!("eval {of}"), format!("check {of} --machine cpu8:2 --dp 2 --search none")] {
            scratch.line(&command).fails(1, &["inputs.npz", said.as_str()]);
        }
    }

    // What is new in every step goes by its name, too.
    let entry = |name: &str| (name.to_owned(), tensor(&[1, 8, 16], ElementType::I32));
    arrays(&scratch, "batches.npz", &["tokens", "labels"].map(entry).into());
    let run = "run of_config --weights hub --batches batches.npz --steps 2";
    let ran = scratch.line(run);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let twice = [entry("tokens"), entry("labels"), entry(&format!("arg{}", number_of("tokens")))];
    arrays(&scratch, "batches.npz", &twice.into());
    scratch.line(run).fails(1, &["2 arrays are needed, 3 are there; unexpected: tokens", "batches.npz"]);

    // What is wrong is named.
    let file = std::fs::read(scratch.path("trained/model.safetensors")).unwrap();
    scratch.file("trained/model.safetensors", &file[..file.len() - 100]);
    scratch.line(&loss.replace("hub", "trained")).fails(1, &["the file is cut off", "model.safetensors"]);
    let (first, rest) = (&parameters[..1], &parameters[1..]);
    let extra = [first, &[("lm_head.bias".to_owned(), tensor(&[96], ElementType::F32))]].concat();
    let one = meshwright_weights::write(&extra, 1 << 30).unwrap();
    scratch.file("trained/model.safetensors", &one[0].bytes);
    let ran = scratch.line(&loss.replace("hub", "trained"));
    ran.fails(
        1,
        &[
            "and 25 more are missing from the checkpoint",
            "`lm_head.bias` is in the checkpoint, but no parameter",
        ],
    );
    assert!(rest.len() > 4);
    scratch
        .line("eval loss.mlir --weights nowhere --inputs tokens.npz")
        .fails(1, &["there is no such folder"]);
    scratch.line("eval loss.mlir --weights hub").fails(2, &["`arg12`", "`--inputs FILE`"]);
    scratch.file("hub/model.safetensors.index.json", r#"{"weight_map": {"a": "gone.safetensors"}}"#);
    scratch
        .line(loss)
        .fails(1, &["there is no such file", "gone.safetensors", "is the checkpoint complete?"]);
}

#[test]
fn what_degrees_alone_take_is_said_where_a_plan_takes_less() {
    let scratch = Scratch::new("export-degrees-alone");
    scratch.file("config.json", repository("tests/data/models/released/tinyllama-1.1b.json"));
    let plan = "plan config.json --machine h100:1x8 --seq 1024 --global-batch 32 -o plan.json";
    let pins = [r#"lm_head.weight=[{"data"}, {}]"#, r#"tokens=[{"data"}, {}]"#];
    let words = plan.split(' ').chain(["--mesh", "data=8"]).chain(pins.iter().flat_map(|pin| ["--pin", pin]));
    let ran = scratch.run(words.collect::<Vec<_>>());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = scratch.line("export plan.json --to torchtitan -o job");
    assert!(ran.out.contains("Not all of the plan is in its degrees"), "{}", ran.out);
    // A plan of degrees is what these say.
    let ran =
        scratch.line(&format!("{} --dp 8 --zero 2 --search none", plan.replace("plan.json", "same.json")));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = scratch.line("export same.json --to torchtitan -o same");
    assert!(!ran.out.contains("was planned to take"), "{}", ran.out);
}

#[test]
fn the_price_is_of_the_types_of_numbers_that_are_written() {
    let scratch = Scratch::new("export-priced-numbers");
    scratch.file("config.json", repository("tests/data/models/released/tinyllama-1.1b.json"));
    for (planned, written, way, what) in [
        ("fp8", "bf16", "--machine h100:1x8 --as dp=8,zero=2", "the plan has products in 8-bit floats"),
        ("bf16", "f32", "--machine h100:1x2 --as tp=2,sp=2", "bf16 on one replica"),
    ] {
        let plan = |recipe: &str| {
            let step = "plan config.json --seq 512 --global-batch 8 --search none";
            let ran =
                scratch.line(&format!("{step} {way} --precision-recipe {recipe} -o {recipe}.json --json"));
            assert_eq!(ran.code, Some(0), "{way}: {}", ran.err);
            ran.json()["predicted"]["total_seconds"].as_f64().unwrap()
        };
        let (as_planned, as_written) = (plan(planned), plan(written));
        let export = format!("export {planned}.json --to torchtitan --nearest --force -o job --json");
        let json = scratch.line(&export).json();
        let changes = json["changes"].as_array().unwrap();
        let own = changes.iter().find(|change| change["what"].to_string().contains(what));
        assert_eq!(own.unwrap()["priced"], true, "{json}");
        assert_eq!(json["price"]["leaves_out"], serde_json::json!([]), "{json}");
        let seconds = json["price"]["written"]["step_seconds"].as_f64().unwrap();
        assert!((seconds / as_written - 1.0).abs() < 0.01, "{seconds} is not {as_written}");
        assert!((seconds / as_planned - 1.0).abs() > 0.01, "{seconds} is {as_planned}");
    }
}
