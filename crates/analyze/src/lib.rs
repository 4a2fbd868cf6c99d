//! What can be known of a function, whatever becomes of it: its data flow, what its arguments are, which dims are the
//! batch, tokens or heads; and of a function with shardings: which parallelism that is.
//!
//! [`roles`] says what arguments are (parameters, optimizer state, data), [`flow`] and [`origins`] where values come from,
//! [`phases`] what runs forward and backward, [`dim_classes`] which dims are the same, [`recognize()`] what shardings
//! amount to, [`numbering`] which values are equal, [`layer_loops()`] which loops go through the layers and
//! [`model_flops()`] how much work there is without recomputation.

pub mod batch;
pub mod blocks;
pub mod contents;
pub mod copies;
mod degrees;
pub mod dim_classes;
pub mod flow;
mod hidden_matrices;
pub mod kept_copies;
mod layer_loops;
pub mod model_flops;
pub mod name_patterns;
pub mod names;
pub mod numbering;
pub mod origins;
pub mod phases;
pub mod recognize;
pub mod roles;
pub mod rows;
pub mod sequence;
pub mod union_find;
pub mod units;
pub mod wanted_floats;
pub mod wanted_numbers;
pub mod zero;

pub use blocks::Blocks;
pub use contents::{Content, Contents};
pub use hidden_matrices::hidden_matrices;
pub use layer_loops::{LayerLoop, layer_loops};
pub use model_flops::{ModelFlops, model_flops};
pub use phases::{Phase, Phases};
pub use recognize::{Recognized, recognize};
pub use roles::{Role, Roles};
pub use units::Units;
