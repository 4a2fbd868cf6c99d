//! Metis: a grid of stages and microbatches, in each cell of which a stage begins with data parallelism alone and takes twice
//! as much tensor parallelism only where it does not fit.
//!
//! The paper is of devices that are not alike: it permutes groups of them, prunes groups of very unlike sizes, and balances
//! layers by what each group does in a second. Devices of a machine are alike here, groups of one size, and then its
//! permutations are one; layers are balanced by the priced work of their stages. It runs nothing again.

use super::Baseline;
use super::prices::{Point, Price, Prices, Ranks};
use crate::error::CompileError;
use crate::pipeline::Cutting;
use crate::recompute::Recompute;
use meshwright_search::recompute::Named;

pub(super) const BASELINE: Baseline = Baseline {
    name: "metis",
    title: "Metis",
    summary: "a grid of stages and microbatches, with tensor parallelism only where memory asks for it",
    paper: "Um et al., Metis: Fast Automatic Distributed Training on Heterogeneous GPUs, ATC 2024",
    walk,
};

fn walk(prices: &mut Prices<'_>) -> Result<(), CompileError> {
    prices.makes_again(Recompute::Named(Named::None))?;
    for pp in prices.groups() {
        for microbatches in prices.microbatches() {
            let (devices, most) = (prices.devices_of(pp), prices.neighbors(pp));
            let mut tp = 1;
            while tp <= most && devices.is_multiple_of(tp) {
                let ranks = Ranks { pp, tp, zero: 0 };
                tp *= 2;
                if !prices.shared_by(prices.replicas(ranks)).contains(&microbatches) {
                    continue;
                }
                let point = Point { ranks, microbatches, cutting: Cutting::Best };
                if matches!(prices.price(&[point])?[..], [Price::Plan(..)]) {
                    break;
                }
            }
        }
    }
    Ok(())
}
