//! The command of a script that starts a job, and what it starts.
//!
//! Input: the text of a script. Output: the words of a [`Launch`], with the program that it is of; whether these are
//! arguments of Megatron-LM; or the job file that it names, which is read instead:
//!
//! ```text
//! cd conf; torchrun -m torchtitan.train --job.config_file job.toml    -> the job of conf/job.toml
//! ```

use super::megatron::is_own_argument;
use super::shell::{Script, Word, script};
use super::{Problem, READERS, Text, accelerate, mindspeed};
use crate::targets::TARGETS;
use std::collections::BTreeMap;
use std::path::Path;

/// A command that starts a job.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub(super) words: Vec<Word>,
    /// The program, if there is one: a file or a module, without folders.
    pub(super) program: Option<String>,
    /// The folder in which it runs, as seen from that of the script; the word that says it, where nobody knows.
    folder: Folder,
}

type Folder = Result<String, Box<Word>>;

/// Programs that start others.
const STARTERS: &[&str] = &["torchrun", "deepspeed", "accelerate", "python", "python3"];

/// Programs in front of those that start others.
const IN_FRONT: &[&str] = &[
    "apptainer",
    "docker",
    "env",
    "exec",
    "ipython",
    "mpiexec",
    "mpirun",
    "nohup",
    "nsys",
    "numactl",
    "pdsh",
    "singularity",
    "srun",
    "ssh",
    "sudo",
    "uv",
];

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

impl Default for Launch {
    fn default() -> Self {
        Self { words: Vec::new(), program: None, folder: Ok(String::new()) }
    }
}

impl Launch {
    /// The command of a script that starts a job: that with Megatron's arguments, or else that which names a job file, or the
    /// last one. A script that starts nothing says arguments in its variables.
    ///
    /// # Errors
    /// It is no script; it starts several such jobs; a command begins with an argument.
    pub(super) fn of(text: &str) -> Result<Self, Problem> {
        let Script { commands, given } = script(text)?;
        let mut launches: Vec<Self> = Vec::new();
        let mut folder: Folder = Ok(String::new());
        for words in &commands {
            match words[0].text.as_str() {
                "cd" | "pushd" => folder = moved(&folder, words),
                _ => launches.extend(Self::of_command(words, &folder)),
            }
        }
        if launches.is_empty() {
            let words = commands.into_iter().flatten().chain(given).flat_map(|word| {
                let pieces: Vec<Word> = word.text.split_whitespace().map(|text| word.part(text)).collect();
                pieces
            });
            return Ok(Self { words: words.collect(), ..Self::default() });
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

    /// One of a command that begins with a program, or with what starts one.
    fn of_command(words: &[Word], folder: &Folder) -> Option<Self> {
        let name = |word: &Word| word.text.rsplit('/').next().unwrap_or_default().to_owned();
        let first = name(&words[0]);
        let is_program = |word: &&Word| word.text.ends_with(".py");
        let begins = STARTERS.contains(&first.as_str())
            || IN_FRONT.contains(&first.as_str())
            || is_program(&&words[0])
            || !words[0].unknowns.is_empty();
        let module = words.windows(2).find(|pair| {
            ["-m", "--module"].contains(&pair[0].text.as_str()) && !MODULES.contains(&pair[1].text.as_str())
        });
        let program =
            words.iter().find(is_program).map(name).or_else(|| module.map(|pair| pair[1].text.clone()));
        let is_started = words.iter().any(|word| STARTERS.contains(&name(word).as_str()));
        (begins && (program.is_some() || is_started)).then(|| Self {
            words: words.to_vec(),
            program,
            folder: folder.clone(),
        })
    }

    /// Words behind the program; all of them, if none is known.
    pub(super) fn behind_program(&self) -> &[Word] {
        let is_it = |word: &Word| self.program.as_ref().is_some_and(|program| word.text.ends_with(program));
        let start = self.words.iter().position(is_it).map_or(0, |at| at + 1);
        &self.words[start..]
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
        let hosts = number(&["nnodes", "num_nodes", "num_machines"]);
        let each = number(&["nproc_per_node", "nproc-per-node", "num_gpus"]);
        // Accelerate counts the processes of all hosts.
        if let Some(in_all) =
            number(&["num_processes"]).filter(|said| count(&Some(said.clone())) != Some(devices))
        {
            return Err(format!("`{}` is not the number of devices, {devices}", in_all.0));
        }
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

    /// The program that it starts, in words.
    fn started(&self) -> String {
        match &self.program {
            Some(program) => format!("`{program}`"),
            None => "nothing that is known".to_owned(),
        }
    }
}

/// The job file beside a script, or a configuration of Accelerate, that names one: it is read instead. None, if the text says its
/// job itself.
///
/// # Errors
/// A script that cannot be read; one of no framework whose jobs are read; a launch of other devices; arguments that change
/// what the file says.
pub fn beside(name: &str, text: &str, devices: usize) -> Result<Option<String>, Problem> {
    if accelerate::READER.reads(name, text) {
        return accelerate::beside(text, devices);
    }
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
    let behind = launch.behind_program();
    let changing = launch.words.iter().find(|word| changes_job(word) && *word != file);
    if let Some(word) = changing.or_else(|| behind.iter().find(|word| is_other_key(word) && *word != file)) {
        return Err(Problem::Syntax(
            format!("`{}` changes what `{own}` says: write it into that file, and give the file", word.text),
            word.place.clone(),
        ));
    }
    // A word of a script's caller is left to flags; the value of an argument is no argument.
    let is_open = |at: usize| {
        let word = &behind[at];
        let is_value = at.checked_sub(1).is_some_and(|before| behind[before].text.starts_with("--"));
        word.is_open() && !is_value && !["$@", "$*"].contains(&word.text.as_str())
    };
    if let Some(word) = (0..behind.len()).find(|at| is_open(*at)).map(|at| &behind[at]) {
        let message = format!(
            "`{}` may stand for arguments that change what `{own}` says: write these, or give the file",
            word.text
        );
        return Err(Problem::Syntax(message, word.place.clone()));
    }
    match &launch.folder {
        Ok(folder) => Ok(Some(Path::new(folder).join(own).to_string_lossy().into_owned())),
        Err(_) if Path::new(&own).is_absolute() => Ok(Some(own)),
        Err(word) => Err(Problem::Syntax(
            format!(
                "it goes to `{}`, which only running the script says, so that nobody knows which file `{own}` is: give that \
                 file",
                word.text
            ),
            word.place.clone(),
        )),
    }
}

/// The folder behind a command that goes to another one.
fn moved(folder: &Folder, words: &[Word]) -> Folder {
    let Some(word) = words.iter().skip(1).find(|word| !word.text.starts_with("--")) else {
        return Err(Box::new(words[0].clone()));
    };
    let is_own = |written: &str| {
        written.contains("dirname") && ["$0", "${0}", "BASH_SOURCE"].iter().any(|name| written.contains(name))
    };
    match (word.unknown(), folder) {
        _ if !words[0].unknowns.is_empty() || word.text == "-" => Err(Box::new(word.clone())),
        (None, _) if Path::new(&word.text).is_absolute() => Ok(word.text.clone()),
        (None, Ok(folder)) => Ok(Path::new(folder).join(&word.text).to_string_lossy().into_owned()),
        (None, Err(unknown)) => Err(unknown.clone()),
        // The folder of the script itself.
        (Some(unknown), _) if unknown.written == word.text && is_own(&word.text) => Ok(String::new()),
        (Some(_), _) => Err(Box::new(word.clone())),
    }
}

/// Returns whether a word behind a program gives a key another value, as MaxText takes `key=value`, of which a step is not
/// known to be the same.
fn is_other_key(word: &Word) -> bool {
    /// Keys that say where things lie, and how often something is written.
    const IDLE: &[&str] = &[
        "base_output_directory",
        "checkpoint_period",
        "dataset_path",
        "dataset_type",
        "enable_checkpointing",
        "hf_access_token",
        "hf_path",
        "hf_train_files",
        "learning_rate",
        "load_parameters_path",
        "log_period",
        "run_name",
        "steps",
        "tokenizer_path",
    ];
    let Some((key, _)) = word.text.split_once('=') else { return false };
    let is_key =
        key.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_');
    is_key && !IDLE.contains(&key)
}

/// Returns whether a word behind a program says something else than its job file.
fn changes_job(word: &Word) -> bool {
    /// Beginnings of arguments of Accelerate, and of programs that it starts, that do.
    const STARTS: &[&str] = &[
        "--fsdp_",
        "--gradient_accumulation_steps",
        "--mixed_precision",
        "--parallelism_config_",
        "--per_device_train_batch_size",
        "--tp_size",
        "--use_deepspeed",
        "--use_fsdp",
        "--zero_stage",
    ];
    /// Tables of torchtitan's jobs that say nothing of a step.
    const IDLE: &[&str] = &["checkpoint", "comm", "job", "metrics", "profiling", "validation"];
    let of_titan = |text: &str| {
        let name = text.strip_prefix("--").map(|name| name.split('=').next().unwrap_or_default());
        let table = name.and_then(|name| name.split_once('.')).map(|(table, _)| table);
        table.is_some_and(|table| !IDLE.contains(&table))
    };
    STARTS.iter().any(|start| word.text.starts_with(start)) || of_titan(&word.text)
}

/// Says why a script is no job by itself.
pub(super) fn not_its_own(text: &Text<'_>) -> Problem {
    let launch = match text.launch() {
        Ok(launch) => launch,
        Err(problem) => return problem,
    };
    match launch.files().first() {
        Some(file) => Problem::Other(format!("it starts the job of `{}`: give that file", file.text)),
        None => refusal(text, launch),
    }
}

/// Says why a script is not read: it is of no framework whose jobs are, by its name where the script says it.
pub(super) fn refusal(text: &str, launch: &Launch) -> Problem {
    // Comments may name other frameworks; the first line of an export says its own.
    let lines =
        || text.lines().filter(|line| !line.trim_start().starts_with('#') || line.starts_with("# For "));
    let has_reader = |name: &str| READERS.iter().any(|reader| reader.target == name);
    let named = TARGETS.iter().filter(|target| !has_reader(target.name));
    let named = named.into_iter().find(|target| lines().any(|line| line.contains(target.title)));
    let of = named.map_or_else(String::new, |target| {
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
        // What does not start it says nothing of it; nor does what stands in front of the program.
        let around = "echo starting pretrain_gpt.py\nsrun --nodes 1 --ntasks-per-node 8 python pretrain_gpt.py \
                      --tensor-model-parallel-size 2\npkill -f pretrain_gpt.py\n";
        assert_eq!(found(around).degrees.tp, 2);
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
            ("cd conf\npython3 -m maxtext.train base/config.yml \"$@\"", "conf/base/config.yml"),
            ("cd \"$(dirname \"$0\")\"\npython3 -m maxtext.train config.yml", "config.yml"),
            ("(cd y; ls)\npython3 -m maxtext.train /z/config.yml", "/z/config.yml"),
            ("(cd y; python3 -m maxtext.train config.yml)", "y/config.yml"),
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
            ("python3 -m maxtext.train config.yml num_experts=4", "`num_experts=4` changes what"),
            ("python3 -m maxtext.train config.yml $MORE", "`$MORE` may stand for arguments"),
            (
                "torchrun -m torchtitan.train --job.config_file a.toml --quantize.linear x",
                "`--quantize.linear`",
            ),
            (
                "accelerate launch --num_processes 4 --config_file a.yaml train.py",
                "is not the number of devices, 8",
            ),
            (
                "accelerate launch --config_file a.yaml train.py --gradient_accumulation_steps 8",
                "changes what",
            ),
            ("cd $WORK\npython3 -m maxtext.train config.yml", "it goes to `$WORK`"),
            ("(cd y; ls)\npython3 -m maxtext.train config.yml", "it goes to `-`"),
            ("# As DeepSpeed has it.\ntorchrun x.py", "it starts `x.py`: it has no argument"),
            ("echo hello", "it starts nothing that is known"),
        ] {
            let problem = refused("launch.sh", text, 8);
            assert!(problem.contains(said), "{text}: {problem}");
        }
    }
}
