//! Flags of `check`.

use super::{Numbers, PipelineArguments, Planning, Weights};
use crate::parse;
use clap::Args;
use std::ops::Range;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) planning: Planning,
    #[command(flatten)]
    pub(crate) pipeline: PipelineArguments,
    /// Use a plan instead of making one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mesh", "search"])]
    pub(crate) plan: Option<PathBuf>,
    /// Check a small twin of the program: the same graph, axes, strategies and policies with small sizes on few devices, in f64, for what is too large for this host
    #[arg(long, conflicts_with_all = ["inputs", "weights", "stages"])]
    pub(crate) shrink: bool,
    /// The arguments as arrays of an npz file, called `arg0`, `arg1`, ... or as the program calls them; otherwise drawn from a seed
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) checkpoint: Weights,
    /// Seed of drawn arguments
    #[arg(long, value_name = "NUMBER", default_value = "0", value_parser = parse::seed, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Drawn integers are at least A and less than B [default: what each argument is used for says it, otherwise 0..100]
    #[arg(long, value_name = "A..B", value_parser = parse::range, allow_hyphen_values = true)]
    pub(crate) int_range: Option<Range<i64>>,
    #[command(flatten)]
    pub(crate) numbers: Numbers,
    /// Compare NaN and infinity position by position, instead of refusing them
    #[arg(long)]
    pub(crate) allow_nonfinite: bool,
    /// Largest error, relative to an output's largest magnitude, and to the largest change of an argument that it replaces [default: 1e-4, with `--precision f64` 1e-9; what differs by rounding alone passes, as f64 tells]
    #[arg(long, value_name = "ERROR", value_parser = parse::tolerance, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Show everything: every argument and output, reason and process group, and what passes changed
    #[arg(long)]
    pub(crate) full: bool,
}
