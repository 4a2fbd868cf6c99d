//! Flags of `meshwright export`.

use crate::parse;
use clap::Args;
use std::path::PathBuf;

/// What stands behind the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  meshwright export plan.json --to torchtitan --config config.json -o job
  meshwright export plan.json --to megatron-lm --config config.json --nearest -o job
  meshwright export plan.json --to jax -o job
  meshwright export --to list

Options are those of the versions that the list states. What only you know (data, tokenizer, steps, learning rate) is left
to you.";

#[derive(Args, Debug)]
pub(crate) struct ExportArguments {
    /// The plan, as `meshwright plan -o` writes it
    pub(crate) plan: Option<PathBuf>,
    /// The framework to write it for; `list` shows all, with the versions whose options are written
    #[arg(long, value_name = "TARGET", value_parser = parse::export_targets())]
    pub(crate) to: String,
    /// The folder to write
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// The `config.json` of the model that was planned, which most targets need for its sizes
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The machine that the plan was made for, if it is no built-in one: what `--nearest` writes is priced on it
    #[arg(long, value_name = "FILE", requires = "nearest")]
    pub(crate) machine: Option<String>,
    /// Write what is nearest where the target cannot run the plan as it is, and say what that changes and what it costs
    #[arg(long)]
    pub(crate) nearest: bool,
    /// Replace a folder that is there, if it holds nothing but such files
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct JobFile {
    /// Price what a job file of another framework says beside the plan, as `--as` does: `job.toml` of torchtitan, the JSON of DeepSpeed, PaddleNLP or SageMaker, the YAML of Accelerate, Nanotron or MaxText, or a script with arguments of Megatron-LM or MindSpeed-LLM, or that starts the job of such a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["said", "dp", "fsdp", "tp", "sp", "cp", "ep", "zero", "pp", "vp", "grid"])]
    pub(crate) from: Option<PathBuf>,
    /// Of a config.json: the fastest of all ways (as `--grid` has them) that this framework can run, as `export --to` would write it
    #[arg(long = "for", value_name = "TARGET", value_parser = parse::export_targets(), conflicts_with_all = ["from", "grid", "mesh", "search", "pins", "simplest_within", "stages", "stop_after", "dump_after", "layers", "group_hosts", "post_validation", "delayed_weights", "stage_loops", "stage_layers"])]
    pub(crate) target: Option<String>,
}
