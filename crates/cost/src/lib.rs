//! Predicted seconds and bytes, and how a value gets from one sharding to another.
//!
//! Input: a function, its shardings and where its mesh lies on a machine. Output: costs, which are predictions and
//! never measurements. A [`Lowering`] is the one source of what happens on a device, and [`reshard::steps`] of what a
//! resharding does: both are priced here and emitted by the partitioner, so the two cannot disagree.
//!
//! [`analysis::Analysis`] holds what is the same for every plan of a function; [`estimate::estimate`] prices a plan;
//! [`op`], [`arithmetic`], [`curves`], [`collective`], [`combine`], [`op_collectives`] and [`mod@memory`] price its parts. [`calibrate`]
//! makes a machine's figures from measurements.

pub mod analysis;
pub mod arithmetic;
pub mod bandwidth;
pub mod calibrate;
pub mod collective;
pub mod combine;
pub mod curves;
pub mod estimate;
pub mod fusion;
pub mod groups;
pub mod host;
pub mod host_link;
pub mod lowering;
pub mod memory;
pub mod op;
pub mod op_collectives;
pub mod reshard;

pub use analysis::{Analysis, Assumption};
pub use collective::{Collective, CollectiveCost, Prices, ReshardCost};
pub use curves::{MachineFault, read_machine};
pub use estimate::{CollectiveTotal, Estimate, estimate};
pub use lowering::Lowering;
pub use memory::{LiveTensor, Memory, memory, peak_of_whole};

#[cfg(test)]
mod fusion_tests;
#[cfg(test)]
mod host_tests;
#[cfg(test)]
mod tests;
