//! Attentions of the program as calls of a platform's kernel, as a plan says them.

use serde::{Deserialize, Serialize};

/// Attentions that the program writes out, and what became of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanAttention {
    /// The kernel that those of them become calls of which it takes. This decides.
    pub kernel: String,
    /// What became of them: those alike together, in order of the first.
    #[serde(default)]
    pub found: Vec<PlanAttentions>,
}

/// Attentions of which the same became.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanAttentions {
    /// How many; those of a loop count once.
    pub count: usize,
    /// What they are now.
    pub form: AttentionForm,
    /// Why they are written out; empty for calls.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The stable name of the first one's softmax, at its exponential.
    #[serde(default)]
    pub first: String,
}

/// Form of an attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttentionForm {
    /// A call, without a gradient.
    Forward,
    /// A call and one for its gradient.
    WithGradient,
    /// A call that the program makes again for the gradient.
    Again,
    /// As the program writes it.
    WrittenOut,
}
