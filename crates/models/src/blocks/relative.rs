//! Biases of scores by the distance of key and query (T5): distances are sorted into buckets, each near one for itself and
//! far ones by their logarithm; each bucket has a bias for each head.

use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_tensor::types::ElementType;

/// Biases of scores by distance.
#[derive(Clone, Debug, PartialEq)]
pub struct RelativeBias {
    /// The full name of the table.
    pub name: String,
    /// Number of heads.
    pub heads: usize,
    /// Number of buckets.
    pub buckets: usize,
    /// The distance from which on all are in the last bucket.
    pub farthest: usize,
    /// The keys that have buckets of their own.
    pub sides: Sides,
}

/// Keys that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Those before a query.
    Before,
    /// Those before it and those behind it.
    Both,
}

impl RelativeBias {
    /// The bucket of a key that lies `distance` behind the query.
    fn bucket(&self, distance: i64) -> usize {
        let (buckets, offset, distance) = match self.sides {
            Sides::Both => {
                let half = self.buckets / 2;
                (half, if distance > 0 { half } else { 0 }, distance.unsigned_abs())
            }
            Sides::Before => (self.buckets, 0, distance.min(0).unsigned_abs()),
        };
        let exact = buckets / 2;
        if (distance as usize) < exact {
            return offset + distance as usize;
        }
        // In f32, as the authors compute it, so that the same distances begin a bucket.
        let share = (distance as f32 / exact as f32).ln() / (self.farthest as f64 / exact as f64).ln() as f32;
        let far = exact + (share * (buckets - exact) as f32) as usize;
        offset + far.min(buckets - 1)
    }

    /// The biases, `[heads, queries, keys]`, of a sequence that attends to itself.
    pub fn write(&self, net: &mut Net, length: usize) -> ValueId {
        let furthest = length as i64 - 1;
        let buckets: Vec<f64> = (-furthest..=furthest).map(|distance| self.bucket(distance) as f64).collect();
        let buckets = net.numbers(&buckets, ElementType::I32);
        let table = net.param_f32(&self.name, &[self.buckets, self.heads]);
        let by_distance = net.rows(table, buckets);
        let shape = [length, length];
        let [query, key] = [0, 1].map(|dim| net.iota(&shape, ElementType::I32, dim));
        let distance = net.minus(key, query);
        let place = net.with(Binary::Add, distance, furthest as f64);
        let biases = net.rows(by_distance, place);
        net.transpose(biases, vec![2, 0, 1])
    }
}
