//! Plans of small models, and what becomes of them for every target: `tests/data/exports/plans/<plan>.json`, the configuration
//! of its model beside it, and the files below `tests/data/exports/<plan>/<target>`. `BLESS=1` writes these; a refusal is the
//! file `refused.txt`, and what differs from the plan is `changes.txt`.

use meshwright_export::read::Around;
use meshwright_export::{Export, Job, Model, Otherwise, Precision, TARGETS, export, job, planned};
use meshwright_ir::diagnostic::Source;
use meshwright_models::{Batch, Options};
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::PlanModel;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")
}

/// The plans, each with the configuration of its model.
const PLANS: &[(&str, &str)] = &[
    ("data_and_tensor", "exports/llama"),
    ("sharded_and_again", "exports/llama"),
    ("context", "exports/llama"),
    ("experts", "models/tiny/mixtral"),
    ("hosts", "exports/llama"),
    ("llama_8b", "models/released/llama-3.1-8b"),
];

fn plan(name: &str) -> PlanFile {
    let text = std::fs::read_to_string(data().join(format!("exports/plans/{name}.json"))).unwrap();
    PlanFile::from_text(&text).unwrap()
}

fn model(name: &str, plan: &PlanFile) -> meshwright_models::Model {
    let config = std::fs::read_to_string(data().join(format!("{name}.json"))).unwrap();
    let [batch, sequence] = job::batch(plan).unwrap();
    let options = Options { sequence: Some(sequence), batch: Batch::Sequences(batch), ..Options::default() };
    meshwright_models::read(&Source::new("config.json", config), &options).unwrap()
}

/// The job of a plan, with the sizes of its model.
fn job_of(name: &str, of: &str) -> Job {
    let plan = plan(name);
    let model = model(of, &plan);
    assert_eq!(job::same_model(&plan, &model), Ok(()));
    Job::read(&plan, Some(Model::read(&model))).unwrap()
}

/// What is written, by the name of the file; or the refusal.
fn written(job: Job, target: &meshwright_export::Target) -> BTreeMap<String, String> {
    match export(job, target, Otherwise::Nearest) {
        Ok(Export { files, changes, .. }) => {
            let mut all: BTreeMap<String, String> =
                files.into_iter().map(|file| (file.name.to_owned(), file.text)).collect();
            if !changes.is_empty() {
                let lines: Vec<String> = changes.iter().map(|gap| format!("{gap}\n")).collect();
                all.insert("changes.txt".to_owned(), lines.concat());
            }
            all
        }
        Err(gaps) => {
            let lines: Vec<String> = gaps.iter().map(|gap| format!("{gap}\n")).collect();
            BTreeMap::from([("refused.txt".to_owned(), lines.concat())])
        }
    }
}

#[allow(clippy::disallowed_methods)] // tests are told by the environment to write what they find
fn blesses() -> bool {
    std::env::var_os("BLESS").is_some()
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let read = |entry: std::fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), std::fs::read_to_string(entry.path()).unwrap())
    };
    entries.map(read).collect()
}

#[test]
fn every_target_gets_what_is_recorded() {
    for (name, of) in PLANS {
        let job = job_of(name, of);
        for target in TARGETS {
            let found = written(job.clone(), target);
            let folder = data().join("exports").join(name).join(target.name);
            if blesses() {
                let _ = std::fs::remove_dir_all(&folder);
                std::fs::create_dir_all(&folder).unwrap();
                found.iter().for_each(|(file, text)| std::fs::write(folder.join(file), text).unwrap());
            }
            assert_eq!(found, files(&folder), "{name} for {}", target.name);
        }
    }
}

#[test]
fn what_is_written_is_read_back_with_the_same_degrees() {
    let mut read = std::collections::BTreeSet::new();
    for (name, of) in PLANS {
        for reader in meshwright_export::read::READERS {
            let target = meshwright_export::target(reader.target).unwrap();
            let Ok(Export { job, files, .. }) = export(job_of(name, of), target, Otherwise::Nearest) else {
                continue;
            };
            let is_its = |name: &str| reader.extensions.iter().any(|extension| name.ends_with(extension));
            let file = files.iter().find(|file| is_its(file.name)).unwrap();
            let found =
                meshwright_export::read::read(file.name, &file.text, Around::devices(job.num_devices()))
                    .unwrap();
            let mut degrees = job.degrees;
            if degrees.dp == 1 && degrees.ep == 1 {
                degrees.zero = 0;
            }
            assert_eq!(found.degrees, degrees, "{name} for {}: {}", target.name, file.text);
            // What a file leaves out is said where the job is started.
            let says = |what: &str, is_said: bool, by_start: &[&str]| {
                assert_eq!(
                    is_said,
                    !by_start.contains(&reader.target),
                    "{what} of {name} for {}",
                    target.name
                );
            };
            let of_start = ["accelerate", "sagemaker"];
            says("microbatches", found.microbatches == Some(job.microbatches), &of_start);
            says("a microbatch", found.microbatch_size == Some(job.microbatch_size()), &of_start);
            says("the batch", found.global_batch == Some(job.global_batch), &of_start);
            says(
                "a sequence",
                found.sequence == Some(job.sequence),
                &["accelerate", "sagemaker", "deepspeed"],
            );
            says("precision", found.precision == Some(job.precision), &["sagemaker"]);
            says("recomputation", found.recompute == Some(job.recompute), &["sagemaker", "deepspeed"]);
            assert_eq!(found.optimizer.unwrap_or("adamw"), "adamw");
            if ["megatron-lm", "torchtitan"].contains(&reader.target) {
                let uneven = |stages: &Vec<usize>| stages.iter().any(|own| *own != stages[0]);
                assert_eq!(found.stages, job.stages.filter(uneven), "{name}: {}", file.text);
            }
            read.insert(reader.target);
        }
    }
    // Nanotron has none of these models: `read_back` has one for it.
    assert_eq!(read.len(), meshwright_export::read::READERS.len() - 1, "{read:?}");
}

#[test]
fn keys_that_are_not_known_are_named() {
    let read = |name: &str, text: &str| {
        meshwright_export::read::read(name, text, Around::devices(8)).unwrap_err().to_string()
    };
    assert!(
        read("job.toml", "[parallelism]\ntensor_paralel_degree = 2\n")
            .contains("`parallelism.tensor_paralel_degree`")
    );
    assert!(read("job.toml", "[paralelism]\n").contains("`paralelism`"));
    assert!(
        read("job.toml", "[parallelism]\ntensor_parallel_degree = 3\n")
            .contains("do not divide the 8 devices")
    );
    assert!(
        read("ds.json", "{\"zero_optimization\": {\"stages\": 2}}").contains("`zero_optimization.stages`")
    );
    assert!(read("ds.json", "{\"sequence_parallel_size\": \"auto\"}").contains("`auto`"));
    assert!(read("ds.json", "{").contains("EOF"));
    assert!(read("run.sh", "torchrun x.py --tensor-parallel 2").contains("`--tensor-parallel`"));
    assert!(read("run.sh", "x.py --micro-batch-size 3 --global-batch-size 10").contains("no multiple"));
    assert!(read("job.cfg", "").contains("`*.toml` of torchtitan"));
}

#[test]
fn what_changes_a_step_and_is_not_read_is_refused_by_name() {
    let read = |name: &str, text: &str| meshwright_export::read::read(name, text, Around::devices(8));
    for (key, text) in [
        ("model.converters", "[model]\nconverters = [\"float8\"]\n"),
        ("training.enable_cpu_offload", "[training]\nenable_cpu_offload = true\n"),
        ("training.dtype", "[training]\ndtype = \"bfloat16\"\n"),
        ("optimizer.name", "[optimizer]\nname = \"Shampoo\"\n"),
        ("comm.mode", "[comm]\nmode = \"fake_backend\"\n"),
        (
            "activation_checkpoint.selective_ac_option",
            "[activation_checkpoint]\nselective_ac_option = \"2\"\n",
        ),
        (
            "parallelism.expert_tensor_parallel_degree",
            "[parallelism]\nexpert_parallel_degree = 2\ntensor_parallel_degree = 2\n",
        ),
        (
            "parallelism.pipeline_parallel_layers_per_stage",
            "[parallelism]\npipeline_parallel_degree = 2\npipeline_parallel_layers_per_stage = 1\n",
        ),
    ] {
        let problem = read("job.toml", text).unwrap_err().to_string();
        assert!(problem.contains(&format!("what `{key}` does to a step is not read")), "{problem}");
    }
    let harmless =
        "[model]\nconverters = []\n[training]\ndtype = \"float32\"\n[optimizer]\nname = \"Adam\"\n";
    assert_eq!(read("job.toml", harmless).unwrap().optimizer, Some("adamw"));
    // Sequences are as long as torchtitan has them where the file does not say it.
    let found = read("job.toml", harmless).unwrap();
    assert_eq!((found.sequence, found.length()), (None, Some(2048)));
    assert!(!found.unsaid().contains(&meshwright_export::read::Unsaid::Sequence));
    let found = read("job.toml", "[training]\nseq_len = 512\n").unwrap();
    assert_eq!(found.length(), Some(512));
    for (key, text) in [
        (
            "zero_optimization.offload_optimizer.device",
            r#"{"zero_optimization": {"offload_optimizer": {"device": "cpu"}}}"#,
        ),
        (
            "zero_optimization.zero_hpz_partition_size",
            r#"{"zero_optimization": {"zero_hpz_partition_size": 8}}"#,
        ),
        (
            "zero_optimization.zero_quantized_weights",
            r#"{"zero_optimization": {"zero_quantized_weights": true}}"#,
        ),
        (
            "activation_checkpointing.cpu_checkpointing",
            r#"{"activation_checkpointing": {"cpu_checkpointing": true}}"#,
        ),
        ("data_types.grad_accum_dtype", r#"{"data_types": {"grad_accum_dtype": "bf16"}}"#),
        ("optimizer.type", r#"{"optimizer": {"type": "OneBitAdam"}}"#),
        ("communication_data_type", r#"{"communication_data_type": "bf16"}"#),
        ("bf16.bf16_optimizer_states", r#"{"bf16": {"enabled": true, "bf16_optimizer_states": true}}"#),
        ("fp16.fp16_master_weights_and_grads", r#"{"fp16": {"fp16_master_weights_and_grads": true}}"#),
        ("zero_optimization.reduce_scatter", r#"{"zero_optimization": {"reduce_scatter": false}}"#),
    ] {
        let problem = read("ds.json", text).unwrap_err().to_string();
        assert!(problem.contains(&format!("what `{key}` does to a step is not read")), "{problem}");
    }
    let harmless = r#"{"zero_optimization": {"stage": 2, "offload_optimizer": {"device": "none"}, "zero_hpz_partition_size": 1},
                       "communication_data_type": "fp32",
                       "optimizer": {"type": "Lion"}}"#;
    assert_eq!(read("ds.json", harmless).unwrap().optimizer, Some("lion"));
}

#[test]
fn stages_of_torchtitan_are_read_as_it_cuts_them() {
    let stages = |layers: usize, text: &str| {
        let text = format!("[parallelism]\npipeline_parallel_degree = 2\n{text}");
        let found =
            meshwright_export::read::read("job.toml", &text, Around { devices: 2, layers: Some(layers) });
        found.map(|found| (found.degrees.vp, found.stages)).map_err(|problem| problem.to_string())
    };
    let interleaved = "pipeline_parallel_schedule = \"Interleaved1F1B\"\n";
    // The first and the last stage count as having one layer more.
    assert_eq!(stages(6, ""), Ok((1, None)));
    assert_eq!(stages(7, ""), Ok((1, Some(vec![4, 3]))));
    assert_eq!(stages(6, interleaved), Ok((2, Some(vec![1, 2, 2, 1]))));
    let none =
        "pipeline_parallel_first_stage_less_layers = 0\npipeline_parallel_last_stage_less_layers = 0\n";
    assert_eq!(stages(8, &format!("{interleaved}{none}")), Ok((2, None)));
    let each = "pipeline_parallel_layers_per_stage = 1\n";
    assert_eq!(stages(6, &format!("{interleaved}{each}")), Ok((4, Some(vec![0, 1, 1, 1, 1, 1, 1, 0]))));
    assert!(stages(6, each).unwrap_err().contains("`1F1B` has one stage on each group, but there are 8"));
    assert!(
        stages(5, &format!("{interleaved}{each}")).unwrap_err().contains("7 stages are not shared equally")
    );
    let modules = "module_fqns_per_model_part = [[\"tok_embeddings\", \"layers.0\"], [\"layers.1\", \"layers.2\", \"output\"]]\n";
    assert_eq!(stages(3, modules), Ok((1, Some(vec![1, 2]))));
    assert!(stages(0, interleaved).unwrap_err().contains("0 layers are not 4 stages"));
}

#[test]
fn without_nearest_everything_else_is_refused() {
    let job = job_of("sharded_and_again", "exports/llama");
    let target = meshwright_export::target("nanotron").unwrap();
    let gaps = export(job, target, Otherwise::Refused).unwrap_err();
    assert!(
        gaps.iter().any(|gap| gap.to_string() == "zero=3 is not among its stages; nearest: zero=1"),
        "{gaps:?}"
    );
}

#[test]
fn a_plan_of_another_model_is_told_apart() {
    let plan = plan("data_and_tensor");
    let other = model("models/tiny/mistral", &plan);
    let said = job::same_model(&plan, &other).unwrap_err();
    assert!(said.starts_with("the plan is of another model"), "{said}");
}

/// What the plan of a Llama says that its program was made of, in types of numbers by this name.
fn made_of(plan: &PlanFile, recipe: &str) -> PlanModel {
    let [sequences, tokens_per_sequence] = job::batch(plan).unwrap();
    PlanModel {
        model_type: "llama".to_owned(),
        config: Some(std::fs::read_to_string(data().join("exports/llama.json")).unwrap()),
        tokens_per_sequence,
        sequences,
        precision_recipe: recipe.to_owned(),
        optimizer: "adamw".to_owned(),
        capacity_factor: 1.0,
        scan_kernel: None,
    }
}

/// TPUs and Trainium multiply numbers in f32 in bf16.
#[test]
fn types_of_numbers_are_those_of_the_recipe_and_not_those_that_devices_multiply_in() {
    let precision = |recipe: Option<&str>, arithmetic: &str| {
        let mut plan = plan("data_and_tensor");
        plan.model = recipe.map(|recipe| made_of(&plan, recipe));
        plan.figures.as_mut().unwrap().arithmetic = arithmetic.to_owned();
        Job::read(&plan, None).unwrap().precision
    };
    assert_eq!(precision(Some("f32"), "bf16"), Precision::F32);
    assert_eq!(precision(Some("bf16"), "bf16"), Precision::Bf16);
    assert_eq!(precision(Some("bf16"), "f16"), Precision::Bf16);
    assert_eq!(precision(Some("fp8"), "fp8"), Precision::Bf16);
    // Of a program nothing else is known.
    assert_eq!(precision(None, "bf16"), Precision::Bf16);
    assert_eq!(precision(None, "tf32"), Precision::F32);
}

#[test]
fn a_plan_keeps_the_configuration_that_it_was_made_of() {
    let mut plan = plan("data_and_tensor");
    assert!(planned::config(&plan, "plan.json").is_none());
    plan.model = Some(made_of(&plan, "bf16"));
    let again = PlanFile::from_text(&plan.to_text()).unwrap();
    let config = planned::config(&again, "plan.json").unwrap();
    assert_eq!(config.name, "configuration in plan.json");
    let job = planned::job(&again, "plan.json", Some(&config)).unwrap();
    assert_eq!(job.model, job_of("data_and_tensor", "exports/llama").model);
}
