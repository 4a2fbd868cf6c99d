//! Arguments of Megatron-LM core_v0.15.0, in a script: those of the first command that has any.

use super::{Found, Reader, count, product, rest};
use crate::job::{Degrees, Precision, Recompute};
use std::collections::BTreeMap;

pub(super) const READER: Reader = Reader { target: "megatron-lm", extension: ".sh", read };

/// Arguments without a value.
const FLAGS: &[&str] = &[
    "sequence-parallel",
    "use-distributed-optimizer",
    "use-megatron-fsdp",
    "overlap-grad-reduce",
    "overlap-param-gather",
    "no-gradient-accumulation-fusion",
    "bf16",
    "fp16",
    "group-query-attention",
    "swiglu",
    "disable-bias-linear",
    "add-qkv-bias",
    "qk-layernorm",
    "untie-embeddings-and-output-weights",
    "use-rope-scaling",
    "moe-router-pre-softmax",
    "moe-grouped-gemm",
    "use-mcore-models",
    "use-flash-attn",
    "recompute-activations",
    "no-masked-softmax-fusion",
    "attention-softmax-in-fp32",
    "accumulate-allreduce-grads-in-fp32",
    "use-rotary-position-embeddings",
    "mock-data",
    "standalone",
    "no-load-optim",
    "no-load-rng",
];

/// Arguments with a value, those of `torchrun` too.
const VALUES: &[&str] = &[
    "tensor-model-parallel-size",
    "pipeline-model-parallel-size",
    "context-parallel-size",
    "cp-comm-type",
    "expert-model-parallel-size",
    "expert-tensor-parallel-size",
    "num-virtual-stages-per-pipeline-rank",
    "data-parallel-sharding-strategy",
    "ckpt-format",
    "recompute-granularity",
    "recompute-method",
    "recompute-num-layers",
    "micro-batch-size",
    "global-batch-size",
    "seq-length",
    "num-layers",
    "hidden-size",
    "ffn-hidden-size",
    "num-attention-heads",
    "num-query-groups",
    "kv-channels",
    "max-position-embeddings",
    "vocab-size",
    "make-vocab-size-divisible-by",
    "position-embedding-type",
    "rotary-base",
    "rotary-percent",
    "rope-scaling-factor",
    "normalization",
    "norm-epsilon",
    "attention-dropout",
    "hidden-dropout",
    "init-method-std",
    "num-experts",
    "moe-router-topk",
    "moe-ffn-hidden-size",
    "moe-token-dispatcher-type",
    "moe-router-load-balancing-type",
    "moe-aux-loss-coeff",
    "transformer-impl",
    "tokenizer-type",
    "tokenizer-model",
    "data-path",
    "split",
    "train-iters",
    "lr",
    "min-lr",
    "lr-decay-style",
    "lr-decay-iters",
    "lr-warmup-iters",
    "lr-warmup-fraction",
    "weight-decay",
    "clip-grad",
    "optimizer",
    "adam-beta1",
    "adam-beta2",
    "adam-eps",
    "seed",
    "log-interval",
    "save",
    "load",
    "save-interval",
    "eval-interval",
    "eval-iters",
    "distributed-backend",
    "num-workers",
    "nnodes",
    "node_rank",
    "nproc_per_node",
    "rdzv_backend",
    "rdzv_endpoint",
    "master_addr",
    "master_port",
];

fn read(text: &str, devices: usize) -> Result<Found, String> {
    let arguments = arguments(text)?;
    let size = |name: &str, default: usize| -> Result<usize, String> {
        let Some(value) = arguments.get(name) else { return Ok(default) };
        let size = value.parse().ok().filter(|size| *size > 0);
        size.ok_or_else(|| format!("`--{name} {value}` is no number of at least 1"))
    };
    let given = |name: &str| arguments.contains_key(name).then(|| size(name, 1)).transpose();
    let tp = size("tensor-model-parallel-size", 1)?;
    let (cp, pp) = (size("context-parallel-size", 1)?, size("pipeline-model-parallel-size", 1)?);
    let (vp, ep) = (size("num-virtual-stages-per-pipeline-rank", 1)?, size("expert-model-parallel-size", 1)?);
    let replicas = rest(devices, &[tp, cp, pp])?;
    if !replicas.is_multiple_of(ep) {
        return Err(format!("`--expert-model-parallel-size {ep}` does not divide the {replicas} replicas"));
    }
    let has = |flag: &str| arguments.contains_key(flag);
    let strategy = arguments.get("data-parallel-sharding-strategy").map(String::as_str);
    let zero = match (has("use-megatron-fsdp"), strategy) {
        (true, Some("optim_grads_params")) => 3,
        (true, Some("optim_grads")) => 2,
        (true, Some("optim")) => 1,
        _ => usize::from(has("use-distributed-optimizer")),
    };
    let micro = given("micro-batch-size")?;
    // Without a global batch there is one microbatch.
    let global = match (given("global-batch-size")?, micro) {
        (None, Some(size)) => Some(product(&[size, replicas])?),
        (global, _) => global,
    };
    let microbatches = match (global, micro) {
        (Some(global), Some(micro)) => Some(count(global, micro, replicas)?),
        _ => None,
    };
    let recompute = match arguments.get("recompute-granularity").map(String::as_str) {
        Some("full") => Recompute::Full,
        Some("selective") => Recompute::Selective,
        Some(other) => {
            return Err(format!("`--recompute-granularity {other}` is neither full nor selective"));
        }
        None if has("recompute-activations") => Recompute::Selective,
        None => Recompute::None,
    };
    let dp = replicas / ep;
    let degrees = Degrees {
        dp,
        fsdp: if zero == 3 { dp } else { 1 },
        tp,
        sp: if has("sequence-parallel") { tp } else { 1 },
        cp,
        ep,
        pp,
        vp,
        zero,
    };
    Ok(Found {
        degrees,
        global_batch: global,
        sequence: given("seq-length")?,
        microbatch_size: micro,
        microbatches,
        recompute: Some(recompute),
        precision: if has("bf16") { Precision::Bf16 } else { Precision::F32 },
    })
}

/// All arguments with their values; flags have empty ones.
fn arguments(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut arguments = BTreeMap::new();
    let code = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let code: Vec<&str> = code.collect();
    let code = code.join("\n").replace("\\\n", " ");
    let mut words = code.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let Some(name) = word.strip_prefix("--") else { continue };
        let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
        if FLAGS.contains(&name) {
            arguments.insert(name.to_owned(), String::new());
        } else if VALUES.contains(&name) {
            let value = value.or_else(|| words.next()).unwrap_or_default();
            arguments.insert(name.to_owned(), value.trim_matches('"').to_owned());
        } else {
            return Err(format!("`--{name}` is no argument of Megatron-LM core_v0.15.0 that is read"));
        }
    }
    Ok(arguments)
}
