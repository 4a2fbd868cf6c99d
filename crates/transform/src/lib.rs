//! Programs made from programs, of the whole and before anything is partitioned.
//!
//! Input and output of all of them is a program or a function of it.

mod contributions;
pub mod gspmd;
pub mod inline;
pub mod manual_entry;
pub mod order;
mod rearranged;
