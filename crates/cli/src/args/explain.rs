//! Flags of `meshwright explain`.

use super::StepArguments;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    /// The annotated program, or a model's `config.json`; `-` is stdin
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) step: StepArguments,
    /// A value by its name in the text, such as `%12`, or `%12#1` for one of several results; or as plans name it
    #[arg(long, value_name = "NAME", conflicts_with = "arg")]
    pub(crate) value: Option<String>,
    /// An argument of the entry function, counted from zero
    #[arg(long, value_name = "NUMBER")]
    pub(crate) arg: Option<usize>,
    /// A plan of the program: what becomes of the value between its passes is told instead: kept, made again, in tiles, on the host
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Show every conflict, however many there are
    #[arg(long)]
    pub(crate) full: bool,
}
