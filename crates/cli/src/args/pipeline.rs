//! Flags of pipelines, which `check`, `plan` and `compile` share.

use crate::parse;
use clap::Args;
use meshwright_compile::{GroupHosts, MeshChoice, Numbers, Weights};

#[derive(Args, Clone, Debug)]
pub(crate) struct PipelineArguments {
    /// Cut the step into stages on N groups of devices, which run `--microbatches` as `--schedule` says; the mesh is that of each group. Several numbers (`2,4`), or `search` for all that are possible: the best of them [default: none; on a machine of several levels `search` for a training step of which nothing says how it is sharded, unless `--search rest`]
    #[arg(long, value_name = "N|N,N|search", requires = "microbatches", group = "says_stages")]
    pub(crate) stages: Option<Numbers>,
    /// Stages of each group, or `search` [default: what the schedule is known for, 1 or 2]
    #[arg(long, value_name = "V|V,V|search", requires = "stages")]
    pub(crate) virtual_stages: Option<Numbers>,
    /// What the groups run when: a name, such as `1f1b` or `zb-h1`, a file with a table, or `search` for the best table that is found for the predicted times; with `--pp` a name [default: 1f1b, and all that have a name where other numbers are searched]
    #[arg(long, value_name = "NAME|FILE|search", requires = "says_stages")]
    pub(crate) schedule: Option<String>,
    /// The mesh of each group, where they are not all the same, such as `data=2,model=2; data=4`; also of other numbers of devices
    #[arg(long, value_name = "AXES;AXES", value_parser = parse::meshes, requires = "stages", conflicts_with = "mesh")]
    pub(crate) stage_mesh: Option<GroupMeshes>,
    /// Hosts that each group is spread over, so that groups that hand values to one another are on one host, or `search` for the number with which a step takes least [default: groups are blocks of neighboring devices]
    #[arg(long, value_name = "H|search", value_parser = parse::group_hosts, requires = "stages", conflicts_with = "stage_mesh")]
    pub(crate) group_hosts: Option<GroupHosts>,
    /// Have each group update its state before it knows the norm of all gradients, or whether all are finite, and check that when the next step has begun; where something has to be corrected, the update is made again from the old state, which is kept until then
    #[arg(long, requires = "stages")]
    pub(crate) post_validation: bool,
    /// Weights that forward and backward passes read in place of those of the step, which changes what it computes: those of the step before (`double-buffered`), those of the step before for microbatches that are in flight when a stage updates (`stashed`), or those of the step before with their last change once more (`predicted`)
    #[arg(long, value_name = "WHICH", value_parser = parse::weights, requires = "stages")]
    pub(crate) delayed_weights: Option<Weights>,
}

/// The meshes of all groups.
#[derive(Clone, Debug)]
pub(crate) struct GroupMeshes(pub(crate) Vec<MeshChoice>);
