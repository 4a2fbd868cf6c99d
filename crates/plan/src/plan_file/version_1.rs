//! Plans of version 1, as earlier releases wrote them: read, never written.
//!
//! Input: their JSON. Output: a [`super::PlanFile`] whose decisions inside the program are [`Numbered`]: by numbers of
//! values and instructions in the entry function with all calls inlined, where later versions have stable names.

use super::{
    Memory, MeshAxis, PlanAlternative, PlanCollective, PlanPass, PlanTensor, Predicted, VERSION as CURRENT,
};
use crate::{Degrees, Figures};
use serde::Deserialize;

/// The version that this module reads.
pub const VERSION: u32 = 1;

/// Decisions inside the program, by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbered {
    /// Shardings of values.
    pub constraints: Vec<Constraint>,
    /// Strategies of instructions.
    pub spreads: Vec<Spread>,
    /// Operands that are gathered again for their reader.
    pub anew: Vec<Anew>,
}

/// Sharding of a value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Number of the value.
    pub value: usize,
    /// Place in the source.
    #[serde(default)]
    pub place: Option<String>,
    /// Global shape.
    pub shape: Vec<usize>,
    /// For each dim the axes that shard it, major first.
    pub sharding: Vec<Vec<String>>,
}

/// Strategy of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Number of the instruction.
    pub instruction: usize,
    /// Its op.
    pub op: String,
    /// Place in the source.
    #[serde(default)]
    pub place: Option<String>,
    /// For each factor of its sharding rule the axes that shard it, major first.
    pub factors: Vec<Vec<String>>,
}

/// Operand that is gathered again for its reader.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anew {
    /// Number of the instruction.
    pub instruction: usize,
    /// Its op.
    pub op: String,
    /// Place in the source.
    #[serde(default)]
    pub place: Option<String>,
    /// Position of the operand.
    pub operand: usize,
}

/// Everything that such a file holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanFile {
    #[serde(rename = "version")]
    _version: u32,
    program: String,
    machine: String,
    mesh: Vec<MeshAxis>,
    #[serde(default)]
    ranks: String,
    #[serde(default)]
    strategies: Vec<String>,
    #[serde(default)]
    degrees: Degrees,
    #[serde(default)]
    asked: Option<String>,
    #[serde(default)]
    reasons: Vec<String>,
    #[serde(default)]
    alternatives: Vec<PlanAlternative>,
    #[serde(default)]
    not_searched: Vec<String>,
    #[serde(default)]
    bound_seconds: Option<f64>,
    #[serde(default)]
    assumptions: Vec<String>,
    #[serde(default)]
    replicated: Vec<String>,
    #[serde(default)]
    predicted: Predicted,
    #[serde(default)]
    memory: Memory,
    #[serde(default)]
    figures: Option<Figures>,
    #[serde(default)]
    collectives: Vec<PlanCollective>,
    #[serde(default)]
    passes: Vec<PlanPass>,
    arguments: Vec<PlanTensor>,
    results: Vec<PlanTensor>,
    #[serde(default)]
    constraints: Vec<Constraint>,
    #[serde(default)]
    spreads: Vec<Spread>,
    #[serde(default)]
    anew: Vec<Anew>,
}

impl From<PlanFile> for super::PlanFile {
    fn from(old: PlanFile) -> Self {
        let numbered = Numbered { constraints: old.constraints, spreads: old.spreads, anew: old.anew };
        Self {
            version: CURRENT,
            mesh: old.mesh,
            ranks: old.ranks,
            parallelism: old.strategies,
            degrees: old.degrees,
            asked: old.asked,
            reasons: old.reasons,
            alternatives: old.alternatives,
            not_searched: old.not_searched,
            bound_seconds: old.bound_seconds,
            assumptions: old.assumptions,
            replicated: old.replicated,
            predicted: old.predicted,
            memory: old.memory,
            figures: old.figures,
            collectives: old.collectives,
            passes: old.passes,
            arguments: old.arguments,
            results: old.results,
            numbered: Some(Box::new(numbered)),
            ..Self::new(old.program, old.machine)
        }
    }
}
