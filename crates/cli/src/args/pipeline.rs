//! Flags of pipelines, which `check`, `plan` and `compile` share.

use crate::parse;
use clap::Args;
use meshwright_compile::Numbers;

#[derive(Args, Clone, Debug)]
pub(crate) struct PipelineArguments {
    /// Cut the step into stages on N groups of devices, which run `--microbatches` as `--schedule` says; the mesh is that of each group. Several numbers (`2,4`), or `search` for all that are possible: the best of them
    #[arg(long, value_name = "N|N,N|search", value_parser = parse::numbers, requires = "microbatches")]
    pub(crate) stages: Option<Numbers>,
    /// Stages of each group, or `search` [default: what the schedule is known for, 1 or 2]
    #[arg(long, value_name = "V|V,V|search", value_parser = parse::numbers, requires = "stages")]
    pub(crate) virtual_stages: Option<Numbers>,
    /// What the groups run when: a name, such as `1f1b` or `zb-h1`, a file with a table, or `search` for the best table that is found for the predicted times [default: 1f1b, and all that have a name where other numbers are searched]
    #[arg(long, value_name = "NAME|FILE|search", requires = "stages")]
    pub(crate) schedule: Option<String>,
}
