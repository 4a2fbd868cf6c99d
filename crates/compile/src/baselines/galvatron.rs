//! Galvatron: every leaf of a decision tree over pipeline, tensor, data and sharded data parallelism, each with layers that run
//! again or not.
//!
//! Groups of devices come first, as powers of two (pipelines across slow links); inside of them tensor parallelism by powers
//! of two within a host, and for the devices that are left either data parallelism or ZeRO-3, never both (in which order
//! devices lie is that of [`ParallelDegrees`](meshwright_search::ParallelDegrees)); for each number of microbatches. For a
//! leaf its dynamic program over layers chooses what runs again under the limit of memory: here the stages of a leaf do, each
//! as little as fits. In the paper layers of a stage may be leaves of their own; here they are alike.

use super::Baseline;
use super::prices::{Point, Prices, Ranks};
use crate::error::CompileError;
use crate::pipeline::Cutting;
use crate::recompute::Recompute;

pub(super) const BASELINE: Baseline = Baseline {
    name: "galvatron",
    title: "Galvatron",
    summary: "all leaves of its decision tree over pp, tp, dp or ZeRO-3, and recomputation",
    paper: "Miao et al., Galvatron: Efficient Transformer Training over Multiple GPUs Using Automatic Parallelism, VLDB 2023",
    walk,
};

fn walk(prices: &mut Prices<'_>) -> Result<(), CompileError> {
    prices.makes_again(Recompute::Search)?;
    for pp in prices.groups().into_iter().filter(|groups| groups.is_power_of_two()) {
        let leaves = leaves(prices.devices_of(pp), prices.neighbors(pp)).into_iter();
        let leaves: Vec<Ranks> = leaves.map(|(tp, zero)| Ranks { pp, tp, zero }).collect();
        for microbatches in prices.microbatches() {
            let is_even = |ranks: &&Ranks| prices.shared_by(prices.replicas(**ranks)).contains(&microbatches);
            let own = leaves.iter().filter(is_even);
            let points: Vec<Point> =
                own.map(|ranks| Point { ranks: *ranks, microbatches, cutting: Cutting::Best }).collect();
            prices.price(&points)?;
        }
    }
    Ok(())
}

/// The leaves for so many devices: tensor parallelism over at most so many, and the stage of ZeRO over the rest.
fn leaves(devices: usize, most: usize) -> Vec<(usize, usize)> {
    let tensor = (0..).map(|power| 1 << power).take_while(|tp| *tp <= most);
    let tensor = tensor.filter(|tp| devices.is_multiple_of(*tp));
    let of_tp = |tp: usize| if devices > tp { vec![(tp, 0), (tp, 3)] } else { vec![(tp, 0)] };
    tensor.flat_map(of_tp).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_parallelism_is_sharded_or_not() {
        assert_eq!(leaves(4, 4), [(1, 0), (1, 3), (2, 0), (2, 3), (4, 0)]);
        assert_eq!(leaves(6, 6), [(1, 0), (1, 3), (2, 0), (2, 3)]);
        assert_eq!(leaves(16, 2), [(1, 0), (1, 3), (2, 0), (2, 3)]);
    }
}
