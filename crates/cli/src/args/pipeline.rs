//! Flags of pipelines, which `check`, `plan` and `compile` share.

use crate::parse;
use clap::Args;
use meshwright_compile::{GroupHosts, MeshChoice, Numbers, SaidOfPipelines, StageLoops, Validation, Weights};

#[derive(Args, Clone, Debug)]
pub(crate) struct PipelineArguments {
    /// Cut the step into stages on N groups of devices, which run `--microbatches` (with `search` these are searched too, unless a number is given) as `--schedule` says; the mesh is that of each group. Several numbers (`2,4`), or `search` for all that are possible: the best of them [default: none; on a machine of several levels `search` for a training step of which nothing says how it is sharded, unless `--search rest`]
    #[arg(long, value_name = "N|N,N|search")]
    pub(crate) stages: Option<Numbers>,
    /// Stages of each group, or `search` [default: what the schedule is known for, 1 or 2; with `--schedule search` the best of 1, 2 and 4]
    #[arg(long, value_name = "V|V,V|search", requires = "stages")]
    pub(crate) virtual_stages: Option<Numbers>,
    /// What the groups run when: a name, such as `1f1b` or `zb-h1`, a file with a table, or `search` for the best table that is found for the predicted times; with `--pp` a name [default: 1f1b, interleaved-1f1b with several `--virtual-stages`, and all that have a name where other numbers are searched]
    #[arg(long, value_name = "NAME|FILE|search")]
    pub(crate) schedule: Option<String>,
    /// The mesh of each group, where they are not all the same, such as `data=2,model=2; data=4`; also of other numbers of devices
    #[arg(long, value_name = "AXES;AXES", value_parser = parse::meshes, requires = "stages", conflicts_with = "mesh")]
    pub(crate) stage_mesh: Option<GroupMeshes>,
    /// Hosts that each group is spread over, so that groups that hand values to one another are on one host, or `search` for the number with which a step takes least [default: groups are blocks of neighboring devices]
    #[arg(long, value_name = "H|search", value_parser = parse::group_hosts, conflicts_with = "stage_mesh")]
    pub(crate) group_hosts: Option<GroupHosts>,
    /// Have each group update its state before it knows the norm of all gradients, or whether all are finite, and check that when the next step has begun; where something has to be corrected, the update is made again from the old state, which is kept until then
    #[arg(long)]
    pub(crate) post_validation: bool,
    /// Weights that forward and backward passes read in place of those of the step, which changes what it computes: those of the step before (`double-buffered`), those of the step before for microbatches that are in flight when a stage updates (`stashed`), or those of the step before with their last change once more (`predicted`)
    #[arg(long, value_name = "WHICH", value_parser = parse::weights)]
    pub(crate) delayed_weights: Option<Weights>,
    /// Whether stages keep layers that the step has in stacks as loops: `always` where they can, or `never` [default: where loops are predicted to take no longer and fit]
    #[arg(long, value_name = "WHEN", value_parser = parse::stage_loops)]
    pub(crate) stage_loops: Option<StageLoops>,
    /// Layers of each stage of `--pp` (and `--vp`), in their order, such as `9,8,8,7`: what comes before the first layer is in the first stage, and what comes behind the last in the last one [default: stages are cut where a step takes least]
    #[arg(long, value_name = "N,N", value_parser = parse::stage_layers, conflicts_with = "stages")]
    pub(crate) stage_layers: Option<LayersOfStages>,
}

impl PipelineArguments {
    /// What is said beside numbers that degrees may say.
    pub(crate) fn said(&self) -> SaidOfPipelines<'_> {
        SaidOfPipelines {
            schedule: self.schedule.as_deref(),
            group_hosts: self.group_hosts,
            validation: if self.post_validation { Validation::After } else { Validation::Before },
            weights: self.delayed_weights,
            stage_loops: self.stage_loops,
            stage_layers: self.stage_layers.as_ref().map(|layers| &layers.0[..]),
        }
    }

    /// Flags that say something of a pipeline, and whether they are given.
    pub(crate) fn flags(&self) -> [(&'static str, bool); 9] {
        [
            ("--stages", self.stages.is_some()),
            ("--virtual-stages", self.virtual_stages.is_some()),
            ("--schedule", self.schedule.is_some()),
            ("--stage-mesh", self.stage_mesh.is_some()),
            ("--group-hosts", self.group_hosts.is_some()),
            ("--post-validation", self.post_validation),
            ("--delayed-weights", self.delayed_weights.is_some()),
            ("--stage-loops", self.stage_loops.is_some()),
            ("--stage-layers", self.stage_layers.is_some()),
        ]
    }

    /// The first flag that says something of a pipeline, if one is given.
    pub(crate) fn first(&self) -> Option<&'static str> {
        self.flags().into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }
}

/// Layers of each stage.
#[derive(Clone, Debug)]
pub(crate) struct LayersOfStages(pub(crate) Vec<usize>);

/// The meshes of all groups.
#[derive(Clone, Debug)]
pub(crate) struct GroupMeshes(pub(crate) Vec<MeshChoice>);
