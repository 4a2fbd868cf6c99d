//! Predicted seconds and bytes, and how a value gets from one sharding to another.
//!
//! Input: a function, its shardings and where its mesh lies on a machine. Output: costs, which are predictions and
//! never measurements. [`reshard::steps`] is the one source of what a resharding does: search prices its steps, the
//! partitioner emits them, so the two cannot disagree.

pub mod collective;
pub mod reshard;
