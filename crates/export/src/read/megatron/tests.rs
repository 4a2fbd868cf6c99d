//! Arguments of scripts, and what is refused of them.

use super::*;

const SCRIPT: &str =
    "torchrun pretrain_gpt.py --micro-batch-size 1 --global-batch-size 8 --bf16 --num-layers 8 ";

fn found(arguments: &str) -> Found {
    read_as(&DIALECT, &Text::new(&format!("{SCRIPT}{arguments}")), Around::devices(4)).unwrap()
}

fn problem(arguments: &str) -> Problem {
    read_as(&DIALECT, &Text::new(&format!("{SCRIPT}{arguments}")), Around::devices(4)).unwrap_err()
}

#[test]
fn a_launch_is_of_all_devices() {
    found("--nnodes 2 --nproc_per_node 2");
    found("--nnodes=2 --nproc-per-node=2 --rdzv-backend c10d");
    found("--nnodes $NODES --nproc_per_node 8");
    found("--nnodes 1:4 --nproc_per_node 8");
    let Problem::Other(message) = problem("--nnodes 4 --nproc_per_node 8") else { panic!("another problem") };
    assert!(message.contains("start 32 processes, but there are 4 devices"), "{message}");
}

#[test]
fn stages_are_read_as_megatron_counts_them() {
    let stages = |arguments: &str| {
        let found = found(&format!("--pipeline-model-parallel-size 2 {arguments}"));
        (found.degrees.vp, found.stages)
    };
    assert_eq!(stages(""), (1, None));
    assert_eq!(stages("--num-layers-per-virtual-pipeline-stage 2"), (2, None));
    assert_eq!(stages("--pipeline-model-parallel-layout 'Et*4|t*4L'"), (1, None));
    assert_eq!(stages("--pipeline-model-parallel-layout='Et*3|t*5L'"), (1, Some(vec![3, 5])));
    let layout = "--pipeline-model-parallel-layout 'Et,(t|)*2,t*2|ttt,L'";
    assert_eq!(stages(layout), (2, Some(vec![2, 1, 2, 3])));
    assert_eq!(stages("--decoder-first-pipeline-num-layers 3"), (1, Some(vec![3, 5])));
    assert_eq!(
        stages("--decoder-first-pipeline-num-layers 2 --num-virtual-stages-per-pipeline-rank 2"),
        (2, Some(vec![1, 3, 1, 3]))
    );
}

#[test]
fn stages_that_are_none_are_refused() {
    for (arguments, said) in [
        ("--pipeline-model-parallel-layout 'Et*3|t*5|L'", "has 3 stages"),
        ("--pipeline-model-parallel-layout 'E(t'", "is no layout"),
        ("--pipeline-model-parallel-layout 'Ex|tL'", "is no layout"),
        ("--pipeline-model-parallel-layout 'Et*99999999999|L'", "is no layout"),
        ("--num-layers-per-virtual-pipeline-stage 3", "8 layers on 2 ranks"),
        ("--decoder-last-pipeline-num-layers 9", "8 layers are not such stages"),
        (
            "--num-layers-per-virtual-pipeline-stage 2 --num-virtual-stages-per-pipeline-rank 2",
            "both say the stages",
        ),
    ] {
        let problem = problem(&format!("--pipeline-model-parallel-size 2 {arguments}")).to_string();
        assert!(problem.contains(said), "{problem}");
    }
}

#[test]
fn batches_that_grow_are_priced_whole() {
    let job = found("--rampup-batch-size 4 4 1000");
    assert_eq!(job.global_batch, Some(8));
    assert!(job.notes.iter().any(|note| note.contains("a step of the whole batch")), "{:?}", job.notes);
    for arguments in ["--rampup-batch-size 4 4", "--rampup-batch-size 4 four 1000"] {
        let problem = problem(arguments).to_string();
        assert!(problem.contains("`--rampup-batch-size"), "{problem}");
    }
}

#[test]
fn what_changes_a_step_and_is_not_read_is_refused_by_name() {
    for arguments in [
        "--fp4-format e2m1",
        "--notaflag 3",
        "--mtp-num-layers 1",
        "--optimizer adagrad",
        "--optimizer sgd --sgd-momentum 0",
        "--grad-reduce-in-bf16",
        "--fp32-residual-connection",
        "--moe-token-drop-policy position",
        "--moe-expert-capacity-factor 1.0",
        "--num-distributed-optimizer-instances 2",
        "--expert-model-parallel-size 2",
        "--expert-model-parallel-size 2 --moe-token-dispatcher-type allgather",
        "--expert-model-parallel-size 2 --tensor-model-parallel-size 2 --expert-tensor-parallel-size 1",
        "--recompute-granularity full --recompute-method block --recompute-num-layers 3",
        "--recompute-granularity full --recompute-method uniform --recompute-num-layers 2",
        "--recompute-granularity selective --recompute-modules core_attn mlp",
    ] {
        assert!(matches!(problem(arguments), Problem::UnknownKey(_)), "{arguments}");
    }
    let level = |arguments: &str| found(&format!("--recompute-granularity {arguments}")).recompute.unwrap();
    assert_eq!(level("full --recompute-method block --recompute-num-layers 8"), Recompute::Full);
    assert_eq!(level("full --recompute-method block --recompute-num-layers 0"), Recompute::None);
    assert_eq!(level("full --recompute-method uniform --recompute-num-layers 1"), Recompute::Full);
    assert_eq!(level("selective --recompute-modules core_attn layernorm"), Recompute::Selective);
    assert_eq!(found("--optimizer sgd").optimizer, Some("sgd"));
    assert_eq!(found("").optimizer, None);
    assert_eq!(found("--use-torch-fsdp2").degrees.zero, 3);
    for arguments in [
        "--attention-backend fused",
        "--tp-comm-overlap",
        "--moe-layer-freq 1",
        "--train-samples 100",
        "--num-distributed-optimizer-instances 1",
        "--expert-model-parallel-size 2 --moe-token-dispatcher-type alltoall",
        "--manual-gc",
    ] {
        found(arguments);
    }
}
