//! Groups of a pipeline that are not sharded as the plan says of all others.

use super::{MeshAxis, PlanOpStrategy, PlanPolicy, PlanSharding, PlanTensor};
use serde::{Deserialize, Serialize};

/// Groups that have a mesh of their own, and how they shard the step; each field is that of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanGroup {
    /// Numbers of the groups.
    pub groups: Vec<usize>,
    /// Axes of their mesh, major first.
    pub mesh: Vec<MeshAxis>,
    /// How each argument is sharded.
    pub arguments: Vec<PlanTensor>,
    /// How each result is sharded.
    pub results: Vec<PlanTensor>,
    /// Shardings of values inside the program that do not follow from the above.
    #[serde(default)]
    pub shardings: Vec<PlanSharding>,
    /// Strategies of instructions that do not follow from the shardings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub op_strategies: Vec<PlanOpStrategy>,
    /// Memory policies of uses that are not the default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<PlanPolicy>,
}
