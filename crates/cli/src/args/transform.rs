//! Flags of `meshwright propagate`, `partition` and `rules`.

use super::{DeviceIds, Passes, Stages};
use crate::parse;
use clap::{Args, ValueEnum};
use meshwright_compile::MeshChoice;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct TransformArguments {
    /// The annotated program; `-` is stdin
    pub(crate) input: PathBuf,
    /// Where to write the result; `-` is stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Sizes for the program's mesh axes, such as `2x4` or `data=2,model=4`; or the mesh of a program that declares none
    #[arg(long, value_name = "AXES", value_parser = parse::mesh)]
    pub(crate) mesh: Option<MeshChoice>,
    #[command(flatten)]
    pub(crate) stages: Stages,
}

#[derive(Args, Debug)]
pub(crate) struct PartitionArguments {
    #[command(flatten)]
    pub(crate) transform: TransformArguments,
    #[command(flatten)]
    pub(crate) passes: Passes,
    /// What a device is to the local program
    #[arg(long, value_enum, value_name = "WHAT", default_value = "replica")]
    pub(crate) ids: DeviceIds,
}

#[derive(Args, Debug)]
pub(crate) struct PropagateArguments {
    #[command(flatten)]
    pub(crate) transform: TransformArguments,
    /// Which pass of Shardy propagates
    #[arg(long, value_enum, value_name = "STRATEGY", default_value = "pipeline")]
    pub(crate) strategy: PropagationStrategy,
    /// Leave axes whole, and shard nothing where data would have to move for it
    #[arg(long)]
    pub(crate) conservative: bool,
    /// Let all calls of a function share one function and its shardings
    #[arg(long)]
    pub(crate) dedup_functions: bool,
    /// Write the sharding rule of every operation too
    #[arg(long)]
    pub(crate) keep_rules: bool,
    /// The form of the shardings that are written
    #[arg(long, value_enum, value_name = "FORM", default_value = "sdy")]
    pub(crate) format: ShardingForm,
}

/// A form of shardings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShardingForm {
    /// Shardy's: `sdy.sharding`
    Sdy,
    /// GSPMD's: `mhlo.sharding` and `@Sharding`
    Gspmd,
}

/// Which pass of Shardy propagates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PropagationStrategy {
    /// Along each factor as far as all tensors agree
    Basic,
    /// Conflicts between factors are resolved for each tensor
    Aggressive,
    /// Basic, then aggressive, what keeps all dims first
    OpPriority,
    /// The same, user priority by user priority
    UserPriority,
    /// The same, with what Shardy does before and after it
    Pipeline,
}

#[derive(Args, Debug)]
pub(crate) struct RulesArguments {
    /// The program; `-` is stdin
    pub(crate) input: PathBuf,
    /// Where to write the result; `-` is stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Leave factors out, or block them, along which data would have to move
    #[arg(long)]
    pub(crate) conservative: bool,
}
