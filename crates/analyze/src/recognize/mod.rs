//! What a way of sharding a step over a mesh is called in the field.
//!
//! Input: a function, its [`Roles`] and its [`Shardings`]. Output: what each mesh axis does ([`Uses`]) and one line,
//! such as `data parallel over 2, tensor parallel over 4, ZeRO-1`. Names are recognized from what is sharded, never
//! taken from how the plan came about.
//!
//! An axis is named for the factors that it shards in contractions, where the work is, each weighted by its flops
//! (module `work`):
//!
//! | the axis shards | it is |
//! | --- | --- |
//! | the batch | data parallel |
//! | pixels along which windows of weights slide | spatial parallel |
//! | tokens, also where they attend to one another, or nothing else | context parallel |
//! | tokens against weights, heads where they attend | Ulysses |
//! | tokens against weights outside of the loop that steps along them | sequence parallel |
//! | a dim that weights share with activations and keep (experts) | expert parallel |
//! | any other factor of a contraction with weights, or heads | tensor parallel (column: kept, row: contracted) |
//! | the last, and tokens between contractions, or less often than the last | tensor parallel with sequence parallelism |
//! | rows of tables that are looked up | embedding parallel |
//! | tensors, but nothing of the above | sharded |
//! | next to nothing | replicated |
//!
//! A use needs a tenth of the work in question to be named; where an axis shards tokens in some contractions with
//! weights and the weights in others, what it does less is named only if it is a third of both. The use with the most
//! work is the axis' *main* use, and only main uses have degrees; of an axis that shards experts and the batch elsewhere
//! the experts are the main use. What state is sharded over axes of the batch has names of its own: [`crate::zero`].

mod words;
mod work;

use std::collections::BTreeSet;

use meshwright_ir::mesh::{AxisSet, SubAxisId};
use meshwright_ir::program::Function;

use crate::roles::Roles;
use crate::zero::{Zero, zero};
use meshwright_plan::shardings::Shardings;
use work::{Work, work};

/// Uses of a mesh axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// Shards the batch.
    Data,
    /// Shards experts.
    Expert,
    /// Shards weights and the activations that they make.
    Tensor,
    /// Shards tokens where nothing else is sharded and tokens do not know of one another.
    Sequence,
    /// Shards tokens against weights and heads in attention.
    Ulysses,
    /// Shards tokens throughout.
    Context,
    /// Shards images.
    Spatial,
    /// Shards the rows of tables that are looked up.
    Embedding,
    /// Shards tensors in no way that has a name.
    Sharded,
}

/// All that one axis is used for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// What it does most, for which it counts; `None`: nothing.
    pub main: Option<Use>,
    /// What else it does.
    pub besides: BTreeSet<Use>,
}

impl Uses {
    /// Returns whether it does this, mainly or besides.
    pub fn has(&self, wanted: Use) -> bool {
        self.main == Some(wanted) || self.besides.contains(&wanted)
    }
}

/// Kinds of parallelism of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognized {
    /// For each sub-axis what it is used for.
    pub uses: Vec<(SubAxisId, Uses)>,
    /// What state is sharded over the axes that shard the batch.
    pub zero: Zero,
    /// In words, for people: one entry per kind of parallelism. Never empty.
    pub parts: Vec<String>,
}

impl Recognized {
    /// All in one line: `data parallel over 2, tensor parallel over 4, ZeRO-1`.
    pub fn text(&self) -> String {
        self.parts.join(", ")
    }

    /// The sub-axes of whose uses something holds.
    pub(crate) fn axes(&self, holds: impl Fn(&Uses) -> bool) -> AxisSet {
        self.uses.iter().filter(|(_, uses)| holds(uses)).map(|(axis, _)| *axis).collect()
    }
}

/// The least share of an axis's work that is worth a name.
const SHARE: f64 = 0.1;
/// The least share of the contractions with weights for the lesser of tokens and weights.
const LESSER: f64 = 0.33;
/// The share of the contractions with weights over tokens from which on sliding windows make them images, whatever attends.
const IMAGES: f64 = 0.5;

/// Finds out what `shardings` amounts to.
pub fn recognize(function: &Function, roles: &Roles, shardings: &Shardings) -> Recognized {
    let mesh = &shardings.mesh;
    let work: Vec<Work> = work(function, roles, shardings);
    let uses = mesh.sub_axis_ids().zip(&work).map(|(axis, work)| (axis, uses(work))).collect();
    let touched: AxisSet =
        mesh.sub_axis_ids().zip(&work).filter(|(_, work)| work.sharded > 0.0).map(|(axis, _)| axis).collect();
    let mut recognized = Recognized { uses, zero: Zero::default(), parts: Vec::new() };
    let data = recognized.axes(|uses| uses.has(Use::Data));
    recognized.zero = zero(function, roles, shardings, data);
    recognized.parts = words::parts(&recognized, mesh, touched);
    recognized
}

fn uses(work: &Work) -> Uses {
    let all = work.with_weights + work.attention;
    let is_worth = |part: f64, whole: f64| part > 0.0 && part >= SHARE * whole;
    // Each use with the work that it makes of the axis.
    let mut found: Vec<(Use, f64)> = Vec::new();
    let has_data = is_worth(work.batch, all);
    if has_data {
        found.push((Use::Data, work.batch));
    }
    if is_worth(work.experts, all) {
        found.push((Use::Expert, work.experts + if has_data { work.batch } else { 0.0 }));
    }
    let both = work.tokens_of_weights + work.weights;
    let is_main = |part: f64| is_worth(part, work.with_weights) && part >= LESSER * both;
    let heads = is_worth(work.heads, work.attention) && work.heads > work.tokens_of_attention;
    let tokens_attend = is_worth(work.tokens_of_attention, work.attention);
    let shards_tokens = is_main(work.tokens_of_weights);
    let tokens = work.tokens_of_weights + work.tokens_of_attention;
    let are_images =
        work.windows > 0.0 && (!tokens_attend || work.windows >= IMAGES * work.tokens_of_weights);
    let of_tokens = if shards_tokens && are_images {
        Some((Use::Spatial, tokens))
    } else if shards_tokens && heads {
        Some((Use::Ulysses, work.tokens_of_weights + work.heads))
    } else if shards_tokens && work.is_recurrent && !tokens_attend {
        Some((Use::Sequence, tokens))
    } else if shards_tokens || (tokens_attend && !heads) {
        Some((Use::Context, tokens))
    } else {
        None
    };
    found.extend(of_tokens);
    if is_main(work.weights) || (heads && !shards_tokens) {
        found.push((Use::Tensor, work.weights + if shards_tokens { 0.0 } else { work.heads }));
        if is_worth(work.tokens_between, work.between) && of_tokens.is_none() {
            found.push((Use::Sequence, 0.0));
        }
    }
    let has_tensor = found.iter().any(|(found, _)| *found == Use::Tensor);
    if is_worth(work.rows, work.parameters) && !has_tensor {
        found.push((Use::Embedding, 0.0));
    }
    if found.is_empty() && is_worth(work.sharded, work.tensors) {
        found.push((Use::Sharded, 0.0));
    }
    // The first of equals.
    let main = found.iter().rev().max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(main, _)| *main);
    let besides = found.iter().map(|(found, _)| *found).filter(|found| Some(*found) != main).collect();
    Uses { main, besides }
}
