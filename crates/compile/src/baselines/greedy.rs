//! Greedy stages: layers are dealt out from the first to the last, as people do by hand.
//!
//! Each stage takes layers until it has its share of all layers, or of all work (as GPipe balances estimated operations). For
//! each number of groups the first of these that fits is taken: the fewest devices for tensor parallelism, within a host,
//! then as many microbatches as leave little to wait for, and more.

use super::Baseline;
use super::prices::{Point, Price, Prices, Ranks};
use crate::error::CompileError;
use crate::pipeline::Cutting;
use crate::recompute::Recompute;

pub(super) const BASELINE: Baseline = Baseline {
    name: "greedy",
    title: "greedy stages",
    summary: "layers dealt out evenly by number or by work, and the fewest devices for tensors that fit",
    paper: "as in Huang et al., GPipe, NeurIPS 2019",
    walk,
};

/// Microbatches for each group, which leave it little to wait for.
const FOR_EACH: usize = 4;

fn walk(prices: &mut Prices<'_>) -> Result<(), CompileError> {
    prices.makes_again(Recompute::Search)?;
    for pp in prices.groups() {
        for cutting in [Cutting::ByLayers, Cutting::ByWork] {
            first(prices, pp, &cutting)?;
        }
    }
    Ok(())
}

/// Prices points of so many groups until one fits.
fn first(prices: &mut Prices<'_>, pp: usize, cutting: &Cutting) -> Result<(), CompileError> {
    let (devices, most) = (prices.devices_of(pp), prices.neighbors(pp));
    let mut tp = 1;
    while tp <= most && devices.is_multiple_of(tp) {
        let ranks = Ranks { pp, tp, zero: 0 };
        let usual = if pp == 1 { 1 } else { FOR_EACH * pp };
        let all = prices.shared_by(prices.replicas(ranks));
        let enough = all.iter().copied().filter(|count| *count >= usual);
        let fewer = all.last().copied().filter(|count| *count < usual);
        for microbatches in fewer.into_iter().chain(enough) {
            let point = Point { ranks, microbatches, cutting: cutting.clone() };
            if matches!(prices.price(&[point])?[..], [Price::Plan(..)]) {
                return Ok(());
            }
        }
        tp *= 2;
    }
    Ok(())
}
