//! Arguments of Megatron-LM core_v0.15.0, in a script.
//!
//! Input: the text of a script, of which all words `--name` are arguments, and the devices, of which `dp` is what its degrees
//! leave. Output: a [`Found`] with the sizes of the model that it states, and its settings. Frameworks that take the same
//! arguments are other [`Dialect`]s.

use super::megatron_arguments::{FLAGS, NOT_READ, VALUES};
use super::{Around, Found, ModelSize, Problem, Reader, StatedSize, count, not_read, product, rest};
use crate::job::{Degrees, Precision, Recompute};
use std::collections::BTreeMap;

pub(super) const READER: Reader = Reader {
    target: "megatron-lm",
    extensions: &[".sh"],
    is_it: |_| true,
    read: |text, around| read_as(&DIALECT, text, around),
    settings: |text| settings_as(&DIALECT, text),
    may_stay: OF_FSDP,
};

/// Values of arguments, by name.
pub(super) type Values<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A framework that takes Megatron's arguments, and perhaps its own.
pub(super) struct Dialect {
    /// Its name and version.
    pub(super) title: &'static str,
    /// Its own arguments without a value.
    pub(super) flags: &'static str,
    /// Its own arguments with a value.
    pub(super) values: &'static str,
    /// Looks at what was found, with the values of arguments by name.
    pub(super) check: fn(Found, Values<'_>) -> Result<Found, Problem>,
}

const DIALECT: Dialect =
    Dialect { title: "Megatron-LM core_v0.15.0", flags: "", values: "", check: |found, _| Ok(found) };

/// Reads a script with the arguments of a framework.
pub(super) fn read_as(dialect: &Dialect, text: &str, around: Around) -> Result<Found, Problem> {
    let arguments = arguments(dialect, text)?;
    (dialect.check)(found(&arguments, around)?, &|name| arguments.get(name).cloned())
}

fn found(arguments: &BTreeMap<String, String>, Around { devices, .. }: Around) -> Result<Found, Problem> {
    must_be_read(arguments)?;
    let size = |name: &str, default: usize| -> Result<usize, String> {
        let Some(value) = arguments.get(name) else { return Ok(default) };
        let size = value.parse().ok().filter(|size| *size > 0);
        size.ok_or_else(|| format!("`--{name} {value}` is no number of at least 1"))
    };
    let given = |name: &str| arguments.contains_key(name).then(|| size(name, 1)).transpose();
    must_start_on(devices, arguments)?;
    let tp = size("tensor-model-parallel-size", 1)?;
    let (cp, pp) = (size("context-parallel-size", 1)?, size("pipeline-model-parallel-size", 1)?);
    let ep = size("expert-model-parallel-size", 1)?;
    let Stages { vp, layers } = stages(arguments, pp)?;
    let replicas = rest(devices, &[tp, cp, pp])?;
    if !replicas.is_multiple_of(ep) {
        return Err(
            format!("`--expert-model-parallel-size {ep}` does not divide the {replicas} replicas").into()
        );
    }
    for fsdp in
        ["use-megatron-fsdp", "use-torch-fsdp2"].into_iter().filter(|name| arguments.contains_key(*name))
    {
        if ep * pp > 1 {
            let beside = if ep > 1 { "experts that are shared" } else { "stages" };
            return Err(format!("Megatron-LM does not start with `--{fsdp}` beside {beside}").into());
        }
    }
    if let Some(own) = given("expert-tensor-parallel-size")?.filter(|own| ep > 1 && *own != tp) {
        return Err(not_read("--expert-tensor-parallel-size", format!("{own} with tp={tp}")));
    }
    // All-to-all is priced; without a word of it, every device gathers all tokens.
    let dispatcher = arguments.get("moe-token-dispatcher-type").map_or("allgather", String::as_str);
    if ep > 1 && !["alltoall", "flex"].contains(&dispatcher) {
        let what = format!("`{dispatcher}` with ep={ep}, which gathers all tokens on each device of experts");
        return Err(not_read("--moe-token-dispatcher-type", what));
    }
    if let Some(own) = given("microbatch-group-size-per-virtual-pipeline-stage")?.filter(|own| *own != pp) {
        return Err(not_read(
            "--microbatch-group-size-per-virtual-pipeline-stage",
            format!("{own} with pp={pp}"),
        ));
    }
    let has = |flag: &str| arguments.contains_key(flag);
    let strategy = arguments.get("data-parallel-sharding-strategy").map(String::as_str);
    let is_kept = has("torch-fsdp2-no-reshard-after-forward");
    let zero = match (has("use-megatron-fsdp"), strategy) {
        _ if has("use-torch-fsdp2") => {
            if is_kept {
                2
            } else {
                3
            }
        }
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
    let recompute = recompute(arguments, pp * vp, layers.as_deref())?;
    let dp = replicas / ep;
    let degrees = Degrees {
        dp,
        fsdp: if zero == 3 { replicas } else { 1 },
        tp,
        sp: if has("sequence-parallel") { tp } else { 1 },
        cp,
        ep,
        pp,
        vp,
        zero,
    };
    let found = Found {
        degrees,
        global_batch: global,
        sequence: given("seq-length")?,
        microbatch_size: micro,
        microbatches,
        recompute: Some(recompute),
        optimizer: arguments
            .get("optimizer")
            .map(|name| super::optimizer("--optimizer", name))
            .transpose()?,
        precision: Some(if has("bf16") || has("fp16") { Precision::Bf16 } else { Precision::F32 }),
        stages: layers,
        sizes: sizes(arguments),
        ..Found::default()
    };
    found.over_context("--context-parallel-size", replicas)
}

/// Arguments with values that change what a step does in a way that is not read, each with those that do not.
const ONLY: &[(&str, &[&str])] = &[
    ("cp-comm-type", &["p2p"]),
    ("mtp-num-layers", &["0"]),
    ("num-distributed-optimizer-instances", &["1"]),
    ("sgd-momentum", &["0.9"]),
    ("exp-avg-dtype", &["fp32"]),
    ("exp-avg-sq-dtype", &["fp32"]),
    ("main-params-dtype", &["fp32"]),
    ("main-grads-dtype", &["fp32"]),
];

fn must_be_read(arguments: &BTreeMap<String, String>) -> Result<(), Problem> {
    for (name, harmless) in ONLY {
        if let Some(value) = arguments.get(*name).filter(|value| !harmless.contains(&value.as_str())) {
            return Err(not_read(&format!("--{name}"), format!("`{value}`")));
        }
    }
    Ok(())
}

/// What is made again, with so many stages. A number of layers of each stage (`block`) is a level where it is that of none
/// or of all.
fn recompute(
    arguments: &BTreeMap<String, String>,
    stages: usize,
    layers: Option<&[usize]>,
) -> Result<Recompute, Problem> {
    let said = |name: &str| arguments.get(name).map(String::as_str);
    let number = |name: &str| said(name).and_then(|value| value.parse::<usize>().ok());
    match said("recompute-granularity") {
        Some("full") => {}
        Some("selective") => {
            // What else there is makes products with weights again.
            let of_level = ["core_attn", "layernorm", "moe_act"];
            let modules = said("recompute-modules").unwrap_or_default().split_whitespace();
            return match modules.into_iter().find(|module| !of_level.contains(module)) {
                Some(module) => Err(not_read("--recompute-modules", format!("`{module}`"))),
                None => Ok(Recompute::Selective),
            };
        }
        Some(other) => {
            return Err(format!("`--recompute-granularity {other}` is neither full nor selective").into());
        }
        None if arguments.contains_key("recompute-activations") => return Ok(Recompute::Selective),
        None => return Ok(Recompute::None),
    }
    let count = number("recompute-num-layers").unwrap_or(1);
    match said("recompute-method") {
        Some("block") => {
            let all = number("num-layers").map(|all| all.div_ceil(stages.max(1)));
            let most = layers.and_then(|layers| layers.iter().copied().max()).or(all);
            match (count, most) {
                (0, _) => Ok(Recompute::None),
                (count, Some(most)) if count >= most => Ok(Recompute::Full),
                _ => Err(not_read("--recompute-method", format!("`block` of {count} layers of each stage"))),
            }
        }
        _ if count > 1 => Err(not_read("--recompute-num-layers", format!("{count} layers together"))),
        _ => Ok(Recompute::Full),
    }
}

/// Arguments that Megatron-FSDP wants beside it, and that change nothing of what is read without it.
pub(super) const OF_FSDP: &[&str] = &["--no-gradient-accumulation-fusion", "--overlap-grad-reduce"];

/// Arguments that say how a step runs.
const SETTINGS: &[&str] = &[
    "context-parallel-size",
    "data-parallel-sharding-strategy",
    "decoder-first-pipeline-num-layers",
    "decoder-last-pipeline-num-layers",
    "expert-model-parallel-size",
    "expert-tensor-parallel-size",
    "global-batch-size",
    "micro-batch-size",
    "num-layers-per-virtual-pipeline-stage",
    "num-virtual-stages-per-pipeline-rank",
    "pipeline-model-parallel-layout",
    "pipeline-model-parallel-size",
    "recompute-activations",
    "recompute-granularity",
    "recompute-method",
    "recompute-num-layers",
    "seq-length",
    "sequence-parallel",
    "tensor-model-parallel-size",
    "torch-fsdp2-no-reshard-after-forward",
    "use-distributed-optimizer",
    "use-megatron-fsdp",
    "use-torch-fsdp2",
];

/// Settings of a script with the arguments of a framework.
pub(super) fn settings_as(dialect: &Dialect, text: &str) -> BTreeMap<String, String> {
    let found = arguments(dialect, text).unwrap_or_default();
    let named = found.into_iter().map(|(name, value)| (format!("--{name}"), value));
    let is_of_step = |name: &str, value: &str| match &name[2..] {
        "ckpt-format" => value == "fsdp_dtensor",
        own => SETTINGS.contains(&own) || OF_FSDP.contains(&name),
    };
    named
        .filter(|(name, value)| is_of_step(name, value))
        .filter(|(name, value)| !(name.ends_with("-size") && name.contains("parallel") && value == "1"))
        .collect()
}

/// The sizes that are stated: with a hidden size also what is meant by an argument that is left out.
fn sizes(arguments: &BTreeMap<String, String>) -> Vec<StatedSize> {
    let stated = |size: ModelSize, name: &str| {
        let value = arguments.get(name)?;
        Some(StatedSize { size, number: value.parse().ok()?, said: format!("--{name} {value}") })
    };
    let is_grouped = arguments.contains_key("group-query-attention");
    let mut found: Vec<StatedSize> = [
        (ModelSize::Layers, "num-layers"),
        (ModelSize::Width, "hidden-size"),
        (ModelSize::Inner, "ffn-hidden-size"),
        (ModelSize::Heads, "num-attention-heads"),
        (ModelSize::HeadDim, "kv-channels"),
        (ModelSize::Vocabulary, "vocab-size"),
        (ModelSize::Experts, "num-experts"),
        (ModelSize::Chosen, "moe-router-topk"),
        (ModelSize::ExpertInner, "moe-ffn-hidden-size"),
    ]
    .into_iter()
    .filter_map(|(size, name)| stated(size, name))
    .collect();
    found.extend(match is_grouped {
        true => stated(ModelSize::KeyHeads, "num-query-groups"),
        false => stated(ModelSize::KeyHeads, "num-attention-heads").map(|heads| StatedSize {
            said: format!("{} without --group-query-attention", heads.said),
            ..heads
        }),
    });
    if arguments.contains_key("hidden-size") {
        let flag = "untie-embeddings-and-output-weights";
        let is_untied = arguments.contains_key(flag);
        let said = if is_untied { format!("--{flag}") } else { format!("no --{flag}") };
        found.push(StatedSize { size: ModelSize::Tied, number: usize::from(!is_untied), said });
    }
    found
}

/// Stages of each rank of a pipeline, and what is in each stage where they are not equal.
struct Stages {
    vp: usize,
    layers: Option<Vec<usize>>,
}

/// Stages as one of the three ways says them, which exclude each other, and as the first and last rank have their own numbers
/// of layers.
fn stages(arguments: &BTreeMap<String, String>, pp: usize) -> Result<Stages, Problem> {
    let number = |name: &str| -> Result<Option<usize>, String> {
        let Some(value) = arguments.get(name) else { return Ok(None) };
        let number = value.parse().map_err(|_| format!("`--{name} {value}` is no number"))?;
        Ok(Some(number))
    };
    const LAYOUT: &str = "pipeline-model-parallel-layout";
    const VIRTUAL: &str = "num-virtual-stages-per-pipeline-rank";
    const PER_STAGE: &str = "num-layers-per-virtual-pipeline-stage";
    let said: Vec<&str> =
        [LAYOUT, VIRTUAL, PER_STAGE].into_iter().filter(|name| arguments.contains_key(*name)).collect();
    if let [first, second, ..] = said[..] {
        return Err(format!(
            "`--{first}` and `--{second}` both say the stages: Megatron-LM takes one of them"
        )
        .into());
    }
    if let Some(layout) = arguments.get(LAYOUT) {
        let layers = layout_layers(layout)?;
        if layers.len() % pp != 0 {
            let count = layers.len();
            return Err(
                format!("`--{LAYOUT}` has {count} stages, which {pp} ranks do not share equally").into()
            );
        }
        return Ok(Stages { vp: layers.len() / pp, layers: unequal(layers) });
    }
    let all = number("num-layers")?;
    let [first, last] =
        [number("decoder-first-pipeline-num-layers")?, number("decoder-last-pipeline-num-layers")?];
    let vp = match number(PER_STAGE)? {
        None => number(VIRTUAL)?.unwrap_or(1),
        Some(each) => {
            let all = all.ok_or_else(|| format!("`--{PER_STAGE}` needs `--num-layers`"))?;
            let stages = each.checked_mul(pp).filter(|step| *step > 0 && all % step == 0);
            let step = stages.ok_or_else(|| {
                format!("`--{PER_STAGE} {each}`: {all} layers on {pp} ranks are not such stages")
            })?;
            all / step
        }
    };
    if vp == 0 {
        return Err(format!("`--{VIRTUAL}` is 0").into());
    }
    let layers = match (all, first, last) {
        (Some(all), first, last) if pp > 1 && (first.is_some() || last.is_some()) => {
            let own = [first, last].into_iter().flatten();
            let inner = own.clone().try_fold(all, usize::checked_sub);
            let ranks = pp.saturating_sub(own.count());
            let each = inner.filter(|inner| if ranks == 0 { *inner == 0 } else { inner % ranks == 0 });
            let Some(each) = each.map(|inner| inner / ranks.max(1)) else {
                return Err(format!("{all} layers are not such stages on {pp} ranks").into());
            };
            let mut of_ranks = vec![each; pp];
            of_ranks[0] = first.unwrap_or(each);
            of_ranks[pp - 1] = last.unwrap_or(each);
            if of_ranks.iter().any(|layers| layers % vp != 0) {
                return Err(format!("the layers of each rank are not {vp} equal stages").into());
            }
            unequal((0..pp * vp).map(|stage| of_ranks[stage % pp] / vp).collect())
        }
        _ => None,
    };
    Ok(Stages { vp, layers })
}

fn unequal(layers: Vec<usize>) -> Option<Vec<usize>> {
    layers.iter().any(|own| *own != layers[0]).then_some(layers)
}

/// Layers of each stage of a layout: `Et*3|(tt|)*2tL` are stages of 3, 2, 2 and 1.
fn layout_layers(layout: &str) -> Result<Vec<usize>, String> {
    /// More layers than any model has.
    const MOST: usize = 1 << 16;
    let wrong =
        || format!("`--pipeline-model-parallel-layout {layout}` is no layout, such as `Et*3|(tt|)*2tL`");
    let text: String = layout.chars().filter(|letter| *letter != ',').collect();
    let mut letters = String::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let (piece, behind) = match rest.strip_prefix('(') {
            Some(inner) => inner.split_once(')').ok_or_else(wrong)?,
            None => rest.split_at(first.len_utf8()),
        };
        let (piece, behind) = repeated(piece, behind).ok_or_else(wrong)?;
        let mut inner = piece.0;
        let mut times = String::new();
        // In parentheses single letters may be repeated too.
        while let Some(letter) = inner.chars().next() {
            let ((own, count), left) =
                repeated(&inner[..letter.len_utf8()], &inner[letter.len_utf8()..]).ok_or_else(wrong)?;
            if count.saturating_mul(own.len()) > MOST {
                return Err(wrong());
            }
            times += &own.repeat(count);
            inner = left;
        }
        if times.len().saturating_mul(piece.1) + letters.len() > MOST {
            return Err(wrong());
        }
        letters += &times.repeat(piece.1);
        rest = behind;
    }
    if letters.chars().any(|letter| !"Etm|L".contains(letter)) {
        return Err(wrong());
    }
    Ok(letters.split('|').map(|stage| stage.matches('t').count()).collect())
}

/// A piece with how often it stands there by the `*N` behind it, and what is behind that.
fn repeated<'a>(piece: &'a str, behind: &'a str) -> Option<((&'a str, usize), &'a str)> {
    let Some(number) = behind.strip_prefix('*') else { return Some(((piece, 1), behind)) };
    let end = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
    Some(((piece, number[..end].parse().ok()?), &number[end..]))
}

/// All arguments with their values; flags have empty ones.
fn arguments(dialect: &Dialect, text: &str) -> Result<BTreeMap<String, String>, Problem> {
    let is_among = |names: &str, name: &str| names.split_whitespace().any(|own| own == name);
    let mut arguments = BTreeMap::new();
    let code = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let code: Vec<&str> = code.collect();
    let code = code.join("\n").replace("\\\n", " ");
    let mut words = code.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let Some(name) = word.strip_prefix("--") else { continue };
        let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
        if is_among(FLAGS, name) || is_among(dialect.flags, name) {
            arguments.insert(name.to_owned(), String::new());
        } else if is_among(VALUES, name) || is_among(dialect.values, name) {
            let mut value = value.or_else(|| words.next()).unwrap_or_default().to_owned();
            while let Some(next) =
                words.next_if(|next| name == "recompute-modules" && !next.starts_with("--"))
            {
                value = format!("{value} {next}");
            }
            arguments.insert(name.to_owned(), value.trim_matches(['"', '\'']).to_owned());
        } else if is_among(NOT_READ, name) {
            return Err(Problem::UnknownKey(format!("what `--{name}` does to a step is not read")));
        } else {
            let message = format!("`--{name}` is no argument of {} that is read", dialect.title);
            return Err(Problem::UnknownKey(message));
        }
    }
    Ok(arguments)
}

/// Refuses a launch of another number of processes than there are devices; one in variables, or of as many hosts as come, says
/// none.
fn must_start_on(devices: usize, arguments: &BTreeMap<String, String>) -> Result<(), String> {
    let number = |names: [&str; 2]| names.iter().find_map(|name| arguments.get(*name)?.parse::<usize>().ok());
    let (hosts, each) = (number(["nnodes"; 2]), number(["nproc_per_node", "nproc-per-node"]));
    match hosts.zip(each) {
        Some((hosts, each)) if hosts.saturating_mul(each) != devices => Err(format!(
            "`--nnodes {hosts}` and `--nproc_per_node {each}` start {} processes, but there are {devices} devices",
            hosts.saturating_mul(each)
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str =
        "torchrun pretrain_gpt.py --micro-batch-size 1 --global-batch-size 8 --bf16 --num-layers 8 ";

    fn found(arguments: &str) -> Found {
        read_as(&DIALECT, &format!("{SCRIPT}{arguments}"), Around::devices(4)).unwrap()
    }

    fn problem(arguments: &str) -> Problem {
        read_as(&DIALECT, &format!("{SCRIPT}{arguments}"), Around::devices(4)).unwrap_err()
    }

    #[test]
    fn a_launch_is_of_all_devices() {
        found("--nnodes 2 --nproc_per_node 2");
        found("--nnodes=2 --nproc-per-node=2 --rdzv-backend c10d");
        found("--nnodes $NODES --nproc_per_node 8");
        found("--nnodes 1:4 --nproc_per_node 8");
        let Problem::Other(message) = problem("--nnodes 4 --nproc_per_node 8") else {
            panic!("another problem")
        };
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
        assert_eq!(stages("--pipeline-model-parallel-layout=Et*3|t*5L"), (1, Some(vec![3, 5])));
        let layout = "--pipeline-model-parallel-layout Et,(t|)*2,t*2|ttt,L";
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
            ("--pipeline-model-parallel-layout Et*3|t*5|L", "has 3 stages"),
            ("--pipeline-model-parallel-layout E(t", "is no layout"),
            ("--pipeline-model-parallel-layout Ex|tL", "is no layout"),
            ("--pipeline-model-parallel-layout Et*99999999999|L", "is no layout"),
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
    fn what_changes_a_step_and_is_not_read_is_refused_by_name() {
        for arguments in [
            "--fp8-format hybrid",
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
        let level =
            |arguments: &str| found(&format!("--recompute-granularity {arguments}")).recompute.unwrap();
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
}
