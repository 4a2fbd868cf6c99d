//! Flags of `schedule` and `simulate`.

use super::parse;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::str::FromStr;

/// What stands behind the help of `schedule`.
pub(super) const EXAMPLES: &str = "\
Examples:
  meshwright schedule 1f1b --stages 4 --microbatches 8
  meshwright schedule zb-v --stages 8 --microbatches 24 -o zb-v.schedule
  meshwright schedule search --stages 4 --microbatches 8 --costs 3,3,2,0.5 --keep 4 -o best.schedule
  meshwright schedule verify best.schedule

A table has a row for each group of devices. `2F0` is stage 2, forward, microbatch 0; I and W are the gradients of
input and weights, B is both.";

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ScheduleArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ScheduleCommand>,
    /// The schedule, or `search` for the best table that is found for these costs
    #[arg(value_name = "NAME", required = true, value_parser = parse::schedules())]
    pub(crate) name: Option<String>,
    /// Groups of devices, each with its stages
    #[arg(long, value_name = "P", required = true, value_parser = parse::count)]
    pub(crate) stages: Option<usize>,
    /// Stages of each group [default: what the schedule is known for, 1 or 2; of `search` the best of 1, 2 and 4]
    #[arg(long, value_name = "V", value_parser = parse::count)]
    pub(crate) virtual_stages: Option<usize>,
    /// Microbatches of a step
    #[arg(long, value_name = "M", required = true, value_parser = parse::count)]
    pub(crate) microbatches: Option<usize>,
    /// Layers of the model: no stage has less than one
    #[arg(long, value_name = "L", value_parser = parse::count)]
    pub(crate) layers: Option<usize>,
    #[command(flatten)]
    pub(crate) costs: CostArguments,
    /// Of `search`: microbatches whose activations a group may keep at once, such as `4` or `2.5` [default: as many as 1F1B]
    #[arg(long, value_name = "COUNT", value_parser = parse::kept, allow_negative_numbers = true)]
    pub(crate) keep: Option<f64>,
    /// Where to write the table; `-` is stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ScheduleCommand {
    /// Check a table: every action once, and an order of all of them in which none waits forever
    Verify(VerifyArguments),
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArguments {
    /// The table: a row for each group, such as `0F0 0F1 0B0 0B1`; `-` is stdin
    pub(crate) schedule: PathBuf,
    /// Refuse a table in which a group keeps more microbatches than this at once
    #[arg(long, value_name = "COUNT", value_parser = parse::kept, allow_negative_numbers = true)]
    pub(crate) keep: Option<f64>,
}

/// Seconds of everything.
#[derive(Args, Debug)]
pub(crate) struct CostArguments {
    /// Seconds of a microbatch on a whole group: forward, input gradient, weight gradient, and of a transfer between stages [default: 1,1,1]
    #[arg(long, value_name = "F,I,W[,TRANSFER]", value_parser = parse::phase_costs)]
    pub(crate) costs: Option<PhaseCosts>,
}

/// Seconds of a microbatch on a whole group, as `--costs` gives them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseCosts {
    /// Seconds of the forward pass, the input gradient and the weight gradient.
    pub phases: [f64; 3],
    /// Seconds of a transfer from a stage to the next one.
    pub transfer: f64,
}

impl FromStr for PhaseCosts {
    type Err = String;

    /// Reads `1,1,1`, or with a transfer `1,1,1,0.1`.
    fn from_str(text: &str) -> Result<Self, String> {
        parse::phase_costs(text)
    }
}

impl Default for PhaseCosts {
    /// One second each, and transfers that take no time.
    fn default() -> Self {
        Self { phases: [1.0; 3], transfer: 0.0 }
    }
}

#[derive(Args, Debug)]
pub(crate) struct SimulateArguments {
    /// A plan with stages, a folder that was compiled with one, or a table: a row for each group, such as `0F0 0F1 0B0 0B1`; `-` is stdin
    #[arg(value_name = "PLAN|TABLE")]
    pub(crate) schedule: PathBuf,
    /// Of a plan: what if it had so many microbatches, each as large as they are
    #[arg(long, value_name = "M", value_parser = parse::count)]
    pub(crate) microbatches: Option<usize>,
    /// Of a plan: what if its groups ran this schedule, or the table in this file
    #[arg(long = "schedule", value_name = "NAME|FILE")]
    pub(crate) other: Option<String>,
    #[command(flatten)]
    pub(crate) costs: CostArguments,
    /// What if links between groups were faster or slower, such as `0.5x`
    #[arg(long, value_name = "FACTOR", value_parser = parse::factor)]
    pub(crate) link_bandwidth: Option<f64>,
    /// What if a group were slower, such as `3=1.5x`; may be given more than once
    #[arg(long, value_name = "GROUP=FACTOR", value_parser = parse::slow_group)]
    pub(crate) slow: Vec<(usize, f64)>,
    /// Write a trace that Chrome and Perfetto open
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Write the picture of the schedule
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}
