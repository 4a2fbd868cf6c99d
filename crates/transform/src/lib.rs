//! Programs made from programs, of the whole and before anything is partitioned.
//!
//! [`PASSES`] is what every program goes through, in order: first those that change functions in place, as soon as a
//! program is read ([`read`]), then those that make one function of it ([`flatten`]). Each says where all that it leaves
//! comes from, so that what is known of the text is known of the last program ([`meshwright_ir::origin`]).
//! [`VARIANTS`] are programs that compute the same otherwise, among which a plan chooses.

pub mod gspmd;
pub mod inline;
pub mod manual_entry;
pub mod order;
mod partial;
mod passes;
mod rearranged;
mod short_forms;
mod variants;

pub use passes::{Flat, Level, PASSES, Pass, Passed, flatten, read};
pub use variants::{VARIANTS, Variant};
