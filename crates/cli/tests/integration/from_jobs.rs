//! `plan --from FILE`: jobs of other frameworks as they are really written.

use crate::common::{Ran, Scratch};

const STEP: &str = "plan config.json --machine h100:1x8 --seq 16 --global-batch 16";

fn repository(path: &str) -> String {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A folder with a configuration.
fn scratch(name: &str, model: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("config.json", repository(model));
    scratch
}

fn llama(name: &str) -> Scratch {
    scratch(name, "tests/data/exports/llama.json")
}

fn from(scratch: &Scratch, file: &str, text: &str, more: &str) -> Ran {
    scratch.file(file, text);
    scratch.line(&format!("{STEP} --search none --from {file} {more}"))
}

#[test]
fn every_job_that_is_written_is_read_back_by_its_script_or_refused_by_name() {
    let scratch = llama("from-launches");
    let plan = format!("{STEP} --as dp=4,tp=2,sp=2,zero=1 --search none --recompute full");
    let own = scratch.line(&format!("{plan} --json -o plan.json")).json();
    for target in [
        "torchtitan",
        "megatron-lm",
        "megatron-bridge",
        "nemo",
        "deepspeed",
        "accelerate",
        "maxtext",
        "mindspeed",
        "neuronx-distributed",
        "paddle",
    ] {
        let written = scratch.line(&format!("export plan.json --to {target} --nearest -o {target}"));
        assert_eq!(written.code, Some(0), "{target}: {}", written.err);
        let read = format!("{STEP} --search none --from {target}/launch.sh --json");
        if ["megatron-bridge", "nemo", "neuronx-distributed"].contains(&target) {
            scratch.line(&read).fails(1, &["whose jobs are programs in Python"]);
            continue;
        }
        let ran = scratch.line(&read);
        assert_eq!(ran.code, Some(0), "{target}: {}", ran.err);
        assert_eq!(ran.json()["degrees"]["tp"], own["degrees"]["tp"], "{target}");
        let is_its_own = ["megatron-lm", "mindspeed"].contains(&target);
        assert_eq!(ran.err.contains("this is the job that"), !is_its_own, "{target}: {}", ran.err);
    }
}

#[test]
fn scripts_are_read_as_the_shell_reads_them() {
    let scratch = llama("from-scripts");
    let script = "#!/bin/bash\n# A host of eight.\nGPUS=8\nNODES=${NODES:-1}\nTP=2\nLAUNCH=(\n  --nproc_per_node $GPUS # of it\n\
                  --nnodes $NODES\n)\nARGS=\"--tensor-model-parallel-size $TP\"\nARGS+=\" --micro-batch-size 1 \\\n \
                  --global-batch-size $((GPUS * 2))\"\nif [[ \"$TP\" -gt 1 ]]; then\n  ARGS+=\" --sequence-parallel\"\nfi\n\
                  torchrun ${LAUNCH[@]} pretrain_gpt.py $ARGS --bf16 \"$@\"\n";
    let json = from(&scratch, "job.sh", script, "--json").json();
    assert_eq!((&json["degrees"]["tp"], &json["degrees"]["sp"]), (&2.into(), &2.into()), "{json}");
    let unset = script.replace("TP=2\n", "");
    from(&scratch, "job.sh", &unset, "").fails(1, &["job.sh:9:6", "`$TP`", "write `TP=...` in front of it"]);
    let less = script
        .replace("GPUS=8", "GPUS=4")
        .replace("    --nnodes $NODES\n", "")
        .replace("--nnodes $NODES\n", "");
    from(&scratch, "job.sh", &less, "").fails(1, &["starts 4 processes, on one host", "there are 8 devices"]);
}

#[test]
fn numbers_of_other_types_are_priced_as_they_are_or_said() {
    let scratch = llama("from-numbers");
    let script = "torchrun pretrain_gpt.py --micro-batch-size 2 --global-batch-size 16 ";
    let f16 = from(&scratch, "job.sh", &format!("{script}--fp16"), "");
    assert!(
        f16.err.contains("`--fp16`: it computes in f16 and scales its loss; it is priced in bf16"),
        "{}",
        f16.err
    );
    let fp8 = from(&scratch, "job.sh", &format!("{script}--bf16 --fp8-format hybrid"), "-o fp8.json");
    assert_eq!(fp8.code, Some(0), "{}", fp8.err);
    assert!(fp8.err.contains("they are priced as the recipe `fp8` has them"), "{}", fp8.err);
    let plan = std::fs::read_to_string(scratch.path("fp8.json")).unwrap();
    assert!(plan.contains("\"precision_recipe\": \"fp8\""), "{plan}");
}

#[test]
fn a_job_is_of_the_kind_of_its_program() {
    let script =
        |program: &str| format!("torchrun {program} --micro-batch-size 2 --global-batch-size 16 --bf16\n");
    let of_llama = llama("from-programs");
    for (program, said) in [
        ("pretrain_t5.py", "the job trains an encoder and a decoder, but `config.json` is a language model"),
        ("pretrain_bert.py", "the job trains an encoder that fills in words"),
        ("pretrain_ict.py", "the steps of `pretrain_ict.py` are not read"),
        ("pretrain_vision_classify.py", "those of `pretrain_bert.py`, `pretrain_gpt.py`"),
    ] {
        from(&of_llama, "job.sh", &script(program), "").fails(1, &[said]);
    }
    let of_bert = scratch("from-bert", "tests/data/models/tiny/bert.json");
    assert_eq!(from(&of_bert, "job.sh", &script("pretrain_bert.py"), "").code, Some(0));
    from(&of_bert, "job.sh", &script("pretrain_gpt.py"), "")
        .fails(1, &["is an encoder that fills in words, `bert`"]);
}

#[test]
fn a_job_of_torchtitan_is_of_the_model_that_it_names() {
    let job = "[model]\nname = \"llama3\"\n[training]\nlocal_batch_size = 2\n";
    for name in ["gpt2", "mamba2", "qwen3", "vit"] {
        let other = scratch("from-other-models", &format!("tests/data/models/tiny/{name}.json"));
        let said = format!("its `model.name` is `llama3`, but `config.json` is `{name}`");
        from(&other, "job.toml", job, "").fails(1, &["job.toml:2:1", "of another model", said.as_str()]);
    }
    let own = from(&llama("from-named-models"), "job.toml", job, "");
    assert!(!own.err.contains("another model"), "{}", own.err);
}

#[test]
fn values_of_a_wrong_kind_are_named_at_their_place() {
    let scratch = llama("from-kinds");
    for (file, text, said) in [
        ("a.yaml", "distributed_type: FSDP\nnum_machines: two\n", ["a.yaml:2:1", "\"two\", not a number"]),
        (
            "t.toml",
            "[parallelism]\ntensor_parallel_degree = \"two\"\n",
            ["t.toml:2:1", "not a number of at least 1"],
        ),
        (
            "d.json",
            "{\n \"zero_optimization\": {\n  \"stage\": \"three\"}}",
            ["d.json:3:4", "not a number of 0 or more"],
        ),
        ("m.yml", "base_config: b\nici_tensor_parallelism: x\n", ["m.yml:2:1", "not a number"]),
        ("job.sh", "pretrain_gpt.py \\\n  --seq-length long\n", ["job.sh:2:3", "is no number of at least 1"]),
    ] {
        from(&scratch, file, text, "").fails(1, &said);
    }
}

#[test]
fn what_flags_take_the_place_of_is_said() {
    let scratch = llama("from-flags");
    let script =
        "torchrun pretrain_gpt.py --micro-batch-size 1 --global-batch-size 16 --bf16 --optimizer adam\n";
    let more = "--microbatches 1 --recompute full --optimizer lion --precision-recipe f32";
    let ran = from(&scratch, "job.sh", script, more);
    for said in [
        "`--microbatches 1` is taken in place of what the file says: microbatches of a step: 2",
        "`--recompute full` is taken in place of what the file says: none",
        "`--optimizer lion` is taken in place of what the file says: adamw",
        "`--precision-recipe f32` is taken in place of what the file says: bf16",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    let same = from(&scratch, "job.sh", script, "--microbatches 2 --recompute none");
    assert!(!same.err.contains("in place of"), "{}", same.err);
    from(&scratch, "job.sh", script, "--tp 2").fails(2, &["--from", "--tp"]);
    let stages = script.replace("--bf16", "--bf16 --pipeline-model-parallel-size 2");
    from(&scratch, "job.sh", &stages, "--stages 2")
        .fails(2, &["`--stages` contradicts `job.sh`, which says pp=2"]);
    let other = from(&scratch, "job.sh", &stages, "--schedule gpipe");
    let said = "`--schedule gpipe` is taken in place of what the file says: 1f1b";
    assert!(other.err.contains(said), "{}", other.err);
}

/// A Llama of eight layers, of the form that all frameworks know.
const PLAIN: &str = r#"{"model_type": "llama", "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 8,
    "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 96, "max_position_embeddings": 64,
    "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": false}"#;

#[test]
fn jobs_with_stages_experts_and_shared_tokens_come_back_as_they_were_planned() {
    let ways = [
        ("plain", "torchtitan", "--pp 2 --dp 4 --zero 3 --microbatches 4 --recompute full"),
        ("plain", "deepspeed", "--dp 4 --cp 2 --zero 0 --recompute none"),
        ("mixtral", "torchtitan", "--dp 4 --ep 2 --zero 3 --recompute none"),
        ("plain", "megatron-lm", "--pp 2 --tp 2 --sp 2 --dp 2 --zero 1 --microbatches 4 --recompute none"),
        ("plain", "megatron-lm", "--pp 2 --vp 2 --dp 4 --zero 0 --microbatches 4 --recompute selective"),
        ("plain", "megatron-lm", "--dp 4 --cp 2 --zero 0 --recompute none"),
        ("mixtral", "megatron-lm", "--pp 2 --ep 2 --dp 2 --zero 0 --microbatches 4 --recompute none"),
        ("mixtral", "megatron-lm", "--dp 4 --ep 2 --zero 1 --recompute none"),
        ("mixtral", "deepspeed", "--dp 4 --ep 2 --zero 1 --recompute none"),
        ("plain", "mindspeed", "--pp 2 --cp 2 --dp 2 --zero 0 --microbatches 4 --recompute full"),
        ("plain", "nanotron", "--dp 8 --zero 1 --recompute full"),
        ("mixtral", "maxtext", "--dp 2 --ep 2 --tp 2 --zero 3 --fsdp 4 --recompute full"),
        ("plain", "paddle", "--pp 2 --tp 2 --sp 1 --dp 2 --zero 1 --microbatches 4 --recompute full"),
    ];
    for (model, target, flags) in ways {
        let scratch = match model {
            "plain" => Scratch::new("from-round-trips"),
            _ => scratch("from-round-trips", "tests/data/models/tiny/mixtral.json"),
        };
        if model == "plain" {
            scratch.file("config.json", PLAIN);
        }
        let ran = scratch.line(&format!("{STEP} --for {target} {flags} -o plan.json --json"));
        assert_eq!(ran.code, Some(0), "{target} {flags}: {}", ran.err);
        let planned = ran.json();
        let file = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
        let file: serde_json::Value = serde_json::from_str(&file).unwrap();
        scratch.line(&format!("export plan.json --to {target} -o job")).succeeds();
        // What is made again DeepSpeed's file leaves to the script.
        let kept = if target == "deepspeed" { "--recompute none" } else { "" };
        let ran = scratch.line(&format!("{STEP} --search none --from job/launch.sh {kept} --json"));
        assert_eq!(ran.code, Some(0), "{target} {flags}: {}", ran.err);
        let read = ran.json();
        assert_eq!(read["degrees"], file["degrees"], "{target} {flags}");
        for number in ["groups", "virtual_stages", "microbatches", "schedule"] {
            assert_eq!(read[number], planned[number], "{target} {flags}: {number}");
        }
        let seconds = read.get("step_seconds").unwrap_or(&read["predicted"]["total_seconds"]);
        assert_eq!(seconds, &file["predicted"]["total_seconds"], "{target} {flags}");
        let layers = read["job"]["stage_layers"].as_array().map_or(0, Vec::len);
        let groups = read["groups"].as_u64().unwrap_or(1) * read["virtual_stages"].as_u64().unwrap_or(1);
        assert_eq!(layers as u64, if groups > 1 { groups } else { 0 }, "{target} {flags}");
    }
}
