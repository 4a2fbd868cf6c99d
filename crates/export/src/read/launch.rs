//! The command of a script that starts a job, and what it starts.
//!
//! Input: the text of a script. Output: the words of a [`Launch`], with the program that it is of; whether these are
//! arguments of Megatron-LM; or the job file that it names, which is read instead.

use super::megatron::is_own_argument;
use super::shell::{Script, Word, script};
use super::{Problem, READERS, mindspeed};
use crate::targets::TARGETS;
use std::collections::BTreeMap;

/// A command that starts a job.
#[derive(Clone, Debug, Default)]
pub(super) struct Launch {
    pub(super) words: Vec<Word>,
    /// The program, if there is one: a file or a module, without folders.
    pub(super) program: Option<String>,
}

/// Programs that start others.
const STARTERS: &[&str] = &["torchrun", "deepspeed", "accelerate", "python", "python3"];

/// Modules that start programs.
const MODULES: &[&str] = &[
    "accelerate.commands.launch",
    "paddle.distributed.launch",
    "torch.distributed.launch",
    "torch.distributed.run",
];

/// Arguments of what starts processes.
const OF_STARTERS: &[&str] = &[
    "local-rank",
    "master-addr",
    "master-port",
    "master_addr",
    "master_port",
    "max-restarts",
    "max_restarts",
    "nnodes",
    "node-rank",
    "node_rank",
    "nproc-per-node",
    "nproc_per_node",
    "rdzv-backend",
    "rdzv-endpoint",
    "rdzv-id",
    "rdzv_backend",
    "rdzv_endpoint",
    "rdzv_id",
];

impl Launch {
    /// The command of a script that starts a job: that with Megatron's arguments, or else that which names a job file, or the
    /// last one. A script that starts nothing says arguments in its variables.
    ///
    /// # Errors
    /// It is no script; it starts several such jobs; a command begins with an argument.
    pub(super) fn of(text: &str) -> Result<Self, Problem> {
        let Script { commands, given } = script(text)?;
        let mut launches: Vec<Self> = commands.iter().filter_map(|words| Self::of_command(words)).collect();
        if launches.is_empty() {
            let words = commands.into_iter().flatten().chain(given).flat_map(|word| {
                let pieces: Vec<Word> = word.text.split_whitespace().map(|text| word.part(text)).collect();
                pieces
            });
            return Ok(Self { words: words.collect(), program: None });
        }
        if let Some(cut) = commands.iter().map(|words| &words[0]).find(|word| word.text.starts_with("--")) {
            let message = format!(
                "a command begins with `{}`: the line before has to end with a backslash, and not in a comment",
                cut.text
            );
            return Err(Problem::Syntax(message, cut.place.clone()));
        }
        let is_known = |launch: &Self| launch.is_megatron() || !launch.files().is_empty();
        if launches.iter().any(is_known) {
            launches.retain(is_known);
        }
        let last = launches.pop().unwrap_or_default();
        let texts = |launch: &Self| launch.words.iter().map(|word| word.text.clone()).collect::<Vec<_>>();
        match launches.iter().find(|other| is_known(other) && texts(other) != texts(&last)) {
            Some(other) => {
                let place = other.words[0].place.clone();
                Err(Problem::Syntax("the script starts several jobs: give that of one".to_owned(), place))
            }
            None => Ok(last),
        }
    }

    fn of_command(words: &[Word]) -> Option<Self> {
        let name = |word: &Word| word.text.rsplit('/').next().unwrap_or_default().to_owned();
        let module = words.windows(2).find(|pair| {
            ["-m", "--module"].contains(&pair[0].text.as_str()) && !MODULES.contains(&pair[1].text.as_str())
        });
        let file = words.iter().find(|word| word.text.ends_with(".py"));
        let program = file.map(name).or_else(|| module.map(|pair| pair[1].text.clone()));
        let is_started = words.iter().any(|word| STARTERS.contains(&name(word).as_str()));
        (program.is_some() || is_started).then(|| Self { words: words.to_vec(), program })
    }

    /// The values of what starts processes, by name; all that is said with `--name value` or `--name=value`.
    fn said(&self) -> BTreeMap<&str, &str> {
        let mut said = BTreeMap::new();
        for (at, word) in self.words.iter().enumerate() {
            let Some(name) = word.text.strip_prefix("--") else { continue };
            let next = self.words.get(at + 1).map_or("", |next| next.text.as_str());
            let (name, value) = name.split_once('=').unwrap_or((name, next));
            said.insert(name, value);
        }
        said
    }

    /// Returns whether it has arguments of Megatron-LM, or starts a program of it.
    pub(super) fn is_megatron(&self) -> bool {
        let names = self.said();
        let is_own = names.keys().any(|name| is_own_argument(name) || mindspeed::is_own_argument(name));
        is_own || self.program.as_ref().is_some_and(|program| program.starts_with("pretrain_"))
    }

    /// Returns whether it has an argument of which this holds.
    pub(super) fn has(&self, is_it: fn(&str) -> bool) -> bool {
        self.said().into_keys().any(is_it)
    }

    /// Job files that it names.
    fn files(&self) -> Vec<&Word> {
        // The name of a file without another framework's key before it.
        let name = |word: &Word| word.text.rsplit('=').next().unwrap_or_default().to_owned();
        let is_job = |word: &&Word| {
            let name = name(word);
            let endings = READERS.iter().flat_map(|reader| reader.extensions).filter(|end| **end != ".sh");
            word.unknowns.is_empty()
                && endings.into_iter().any(|end| name.ends_with(*end) && name.len() > end.len())
        };
        self.words.iter().filter(is_job).collect()
    }

    /// Refuses a launch of another number of processes than there are devices; one in variables, or of as many hosts as come,
    /// says none.
    pub(super) fn must_start_on(&self, devices: usize) -> Result<(), String> {
        let said = self.said();
        let number = |names: &[&str]| {
            names.iter().find_map(|name| Some((format!("--{name} {}", said.get(name)?), *said.get(name)?)))
        };
        let count =
            |said: &Option<(String, &str)>| said.as_ref().and_then(|(_, value)| value.parse::<usize>().ok());
        let (hosts, each) =
            (number(&["nnodes", "num_nodes"]), number(&["nproc_per_node", "nproc-per-node", "num_gpus"]));
        // What starts processes of one host, if it is not said of how many.
        let is_torchrun = |word: &Word| {
            let name = word.text.rsplit('/').next().unwrap_or_default();
            name == "torchrun" || name.starts_with("torch.distributed.")
        };
        let of_one = hosts.is_none() && self.words.iter().any(is_torchrun);
        match (count(&hosts), count(&each)) {
            (Some(hosts_count), Some(each_count)) if hosts_count.saturating_mul(each_count) != devices => {
                let (hosts, each) = (hosts.unwrap_or_default().0, each.unwrap_or_default().0);
                let started = hosts_count.saturating_mul(each_count);
                Err(format!(
                    "`{hosts}` and `{each}` start {started} processes, but there are {devices} devices"
                ))
            }
            (None, Some(each_count)) if of_one && each_count != devices => Err(format!(
                "`{}` starts {each_count} processes, on one host as no `--nnodes` says more, but there are {devices} devices",
                each.unwrap_or_default().0
            )),
            _ => Ok(()),
        }
    }

    /// What it starts, in words.
    fn started(&self) -> String {
        match &self.program {
            Some(program) => format!("`{program}`"),
            None => "nothing that is known".to_owned(),
        }
    }
}

/// The job file beside a script that names one: it is read instead. None, if the script says its job itself.
///
/// # Errors
/// A script that cannot be read; one of no framework whose jobs are read; a launch of other devices; arguments that change
/// what the file says.
pub fn beside(name: &str, text: &str, devices: usize) -> Result<Option<String>, Problem> {
    if !name.ends_with(".sh") {
        return Ok(None);
    }
    let launch = Launch::of(text)?;
    if launch.is_megatron() {
        return Ok(None);
    }
    let files = launch.files();
    let file = match files[..] {
        [] => return Err(refusal(text, &launch)),
        [file] => file,
        [first, second, ..] => {
            return Err(Problem::Syntax(
                format!(
                    "both `{}` and `{}` may say the job: give the one that does",
                    first.text, second.text
                ),
                second.place.clone(),
            ));
        }
    };
    launch.must_start_on(devices)?;
    let own = file.text.rsplit('=').next().unwrap_or_default().to_owned();
    match launch.words.iter().find(|word| changes_job(word) && *word != file) {
        Some(word) => Err(Problem::Syntax(
            format!("`{}` changes what `{own}` says: write it into that file, and give the file", word.text),
            word.place.clone(),
        )),
        None => Ok(Some(own)),
    }
}

/// Returns whether a word behind a program says something else than its job file.
fn changes_job(word: &Word) -> bool {
    /// Beginnings of arguments of Accelerate and of keys of MaxText that do.
    const STARTS: &[&str] = &[
        "--fsdp_",
        "--mixed_precision",
        "--parallelism_config_",
        "--tp_size",
        "--use_deepspeed",
        "--use_fsdp",
        "--zero_stage",
        "dcn_",
        "dtype=",
        "gradient_accumulation_steps=",
        "ici_",
        "max_target_length=",
        "per_device_batch_size=",
        "remat_policy=",
        "weight_dtype=",
    ];
    let of_titan = |text: &str| {
        let name = text.strip_prefix("--").map(|name| name.split('=').next().unwrap_or_default());
        let tables = ["activation_checkpoint.", "model.", "optimizer.", "parallelism.", "training."];
        name.is_some_and(|name| tables.iter().any(|table| name.starts_with(table)))
    };
    STARTS.iter().any(|start| word.text.starts_with(start)) || of_titan(&word.text)
}

/// Why a script is no job by itself.
pub(super) fn not_its_own(text: &str) -> Problem {
    let launch = match Launch::of(text) {
        Ok(launch) => launch,
        Err(problem) => return problem,
    };
    match launch.files().first() {
        Some(file) => Problem::Other(format!("it starts the job of `{}`: give that file", file.text)),
        None => refusal(text, &launch),
    }
}

/// Why a script is not read: it is of no framework whose jobs are, by its name where the script says it.
pub(super) fn refusal(text: &str, launch: &Launch) -> Problem {
    let of = TARGETS.iter().find(|target| text.contains(target.title)).map_or_else(String::new, |target| {
        format!(", of {}, whose jobs are programs in Python", target.title)
    });
    let other = launch
        .said()
        .into_keys()
        .find(|name| !OF_STARTERS.contains(name) && !["m", "standalone"].contains(name));
    let other = other.map_or_else(String::new, |name| format!(" (`--{name}` is none)"));
    Problem::Other(format!(
        "it starts {}{of}: it has no argument of Megatron-LM{other} and names no job file that is read, so that nothing says \
         how devices share the work",
        launch.started()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Around, Found, Kind, read};

    fn refused(name: &str, text: &str, devices: usize) -> String {
        let problem = beside(name, text, devices)
            .and_then(|_| read(name, text, Around::devices(devices)))
            .expect_err(text);
        problem.to_string()
    }

    fn found(text: &str) -> Found {
        read("job.sh", text, Around::devices(8)).unwrap_or_else(|problem| panic!("{text}: {problem}"))
    }

    #[test]
    fn arguments_are_read_as_the_shell_puts_them_together() {
        let one = "TP=4\nGPUS=8\nARGS=\"--tensor-model-parallel-size $TP\"\nARGS+=\" --micro-batch-size 2\"\n\
                   DATA=(\n  --data-path $DATA_PATH # blended\n  --seq-length $((1024*4))\n)\n\
                   torchrun --nproc_per_node ${GPUS} pretrain_gpt.py $ARGS \"${DATA[@]}\" --bf16 \"$@\"\n";
        let job = found(one);
        assert_eq!(
            (job.degrees.tp, job.degrees.dp, job.microbatch_size, job.sequence),
            (4, 2, Some(2), Some(4096))
        );
        assert_eq!(job.kind, Some(Kind::Decoder));
        let within = "OPTS=\"--tensor-model-parallel-size 2 --micro-batch-size 1\"\n\
                      run_cmd=\"python -u /x/pretrain_gpt.py ${OPTS}\"\nsrun -l sh -c \"${run_cmd}\"\n";
        assert_eq!(found(within).degrees.tp, 2);
        // What nobody knows to be there may be there, where it says nothing of the step.
        let logged = "A=(--tensor-model-parallel-size 2)\nif [ -n \"$KEY\" ]; then A+=(--wandb-project x); fi\n\
                      torchrun pretrain_gpt.py ${A[@]}\n";
        assert_eq!(found(logged).degrees.tp, 2);
        let problem = refused("job.sh", &logged.replace("--wandb-project", "--context-parallel-size"), 8);
        assert!(problem.contains("`--context-parallel-size` may be there or not"), "{problem}");
        // Arguments alone, as another script takes them.
        assert_eq!(found("ARGS=\"--tensor-model-parallel-size 4\"\n").degrees.tp, 4);
    }

    #[test]
    fn what_nobody_knows_is_named() {
        for (text, said) in [
            ("pretrain_gpt.py --tensor-model-parallel-size $TP", "write `TP=...` in front of it"),
            ("pretrain_gpt.py --tensor-model-parallel-size $1", "`$1` nobody knows what it is"),
            ("pretrain_gpt.py --num-layers 8 $MORE", "`$MORE` may stand for arguments"),
            ("if [ -f x ]; then TP=2; fi\npretrain_gpt.py --tensor-model-parallel-size $TP", "under a test"),
            ("pretrain_gpt.py --tensor-model-parallel-size --bf16", "has no value"),
            ("pretrain_gpt.py --num-layers 8 # x \\\n  --bf16", "begins with `--bf16`"),
            ("pretrain_gpt.py --num-layers many", "`--num-layers many` is no number"),
            ("pretrain_gpt.py --num-layers 8\npretrain_gpt.py --num-layers 9\n", "starts several jobs"),
            ("torchrun --nproc_per_node 4 pretrain_gpt.py --num-layers 8", "on one host as no `--nnodes`"),
            ("pretrain_retro.py --num-layers 8", "the steps of `pretrain_retro.py` are not read"),
            ("pretrain_gpt.py --bf16 --fp16 --num-layers 8", "`--fp16` and `--bf16` both"),
            (
                "pretrain_gpt.py --bf16 --fp8-param-gather --num-layers 8",
                "says nothing without `--fp8-format`",
            ),
        ] {
            let problem = refused("job.sh", text, 8);
            assert!(problem.contains(said), "{text}: {problem}");
        }
        assert_eq!(found("torchrun --nproc_per_node gpu pretrain_gpt.py --num-layers 8").degrees.dp, 8);
    }

    #[test]
    fn numbers_are_read_as_they_are_or_said() {
        let fp8 = found("pretrain_gpt.py --bf16 --fp8-format hybrid --fp8-param-gather --num-layers 8");
        assert_eq!((fp8.recipe(), fp8.notes.len()), (Some("fp8"), 2));
        assert!(fp8.notes[0].contains("the recipe `delayed`"), "{:?}", fp8.notes);
        let f16 = found("pretrain_gpt.py --fp16 --num-layers 8");
        assert_eq!(f16.recipe(), Some("bf16"));
        assert!(f16.notes[0].contains("computes in f16"), "{:?}", f16.notes);
    }

    #[test]
    fn jobs_of_other_frameworks_are_read_from_their_files() {
        let file = |text: &str| beside("launch.sh", text, 8).unwrap();
        for (text, own) in [
            ("torchrun -m torchtitan.train --job.config_file job.toml \"$@\"", "job.toml"),
            (
                "CONFIG=conf/ds.json\ndeepspeed --num_gpus 8 train.py --deepspeed_config=$CONFIG --seed 1",
                "conf/ds.json",
            ),
            ("accelerate launch --config_file a.yaml train.py --bf16", "a.yaml"),
            ("python3 -m maxtext.train config.yml run_name=x", "config.yml"),
        ] {
            assert_eq!(file(text).as_deref(), Some(own), "{text}");
        }
        assert_eq!(file("pretrain_gpt.py --num-layers 8 --vocab-file vocab.json"), None);
        for (text, said) in [
            ("# For NeMo 2.4.0.\ntorchrun recipe.py", "it starts `recipe.py`, of NeMo"),
            ("python train.py --config a.yaml --deepspeed b.json", "both `a.yaml` and `b.json`"),
            (
                "torchrun --nproc_per_node 4 -m torchtitan.train --job.config_file job.toml",
                "but there are 8 devices",
            ),
            (
                "torchrun -m torchtitan.train --job.config_file job.toml --training.seq_len 128",
                "`--training.seq_len` changes what `job.toml` says",
            ),
            ("python3 -m maxtext.train config.yml ici_fsdp_parallelism=4", "write it into that file"),
            ("echo hello", "it starts nothing that is known"),
        ] {
            let problem = refused("launch.sh", text, 8);
            assert!(problem.contains(said), "{text}: {problem}");
        }
    }
}
