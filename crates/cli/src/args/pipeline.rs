//! Flags of pipelines, which `check`, `plan` and `compile` share.

use crate::parse;
use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct PipelineArguments {
    /// Cut the step into stages on N groups of devices, which run `--microbatches` as `--schedule` says; the mesh is that of each group
    #[arg(long, value_name = "N", value_parser = parse::count, requires = "microbatches")]
    pub(crate) stages: Option<usize>,
    /// Stages of each group [default: what the schedule is known for, 1 or 2]
    #[arg(long, value_name = "V", value_parser = parse::count, requires = "stages")]
    pub(crate) virtual_stages: Option<usize>,
    /// What the groups run when: a name, such as `1f1b` or `zb-h1`, a file with a table, or `search` for the best table that is found for the predicted times [default: 1f1b]
    #[arg(long, value_name = "NAME|FILE|search", requires = "stages")]
    pub(crate) schedule: Option<String>,
}
