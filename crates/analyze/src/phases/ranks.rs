//! Ranks of the forward pass: which layer each of its instructions is of.
//!
//! Input: data flow, phases, and which instructions lead to the loss. Output: a rank for each, by which they are in order: the
//! number of parameters that it depends on. What layers read beside what the layer in front of them makes is made where it is
//! read, with the rank of what first reads it:
//!
//! - What comes from the side, made of data by parameters of its own, as an embedding of the time for each layer.
//! - What layers make of one value that several of them read, each by parameters of its own, if that is made by few parameters and no
//!   larger than all that is made of it: it goes from layer to layer instead. So goes the time where parameters have embedded it
//!   for all layers.
//!
//! Example: of `c = t a; h = x b; g = h (c d); y = g (c e)`, `c e` has the rank of `y`, although it depends on fewer parameters
//! than `g`.

use std::collections::BTreeSet;

use super::{Flow, Phase, sets};

/// A value that is read for several layers depends on at most this part of all parameters, unlike what an encoder makes, and its
/// readers have at least as many between them, unlike those of one layer.
const SHARE: u32 = 4;

/// Rank of each forward instruction in the order.
pub(super) fn ranks(
    flow: &Flow<'_>,
    phases: &[Phase],
    (order, leads): (&[usize], &[bool]),
    full: &[u64],
) -> Vec<u32> {
    let count = (0..flow.insts.len()).map(|at| sets::count_common(flow.depends.of(at), full)).collect();
    let ways = Ways { flow, phases, order, leads, readers: flow.readers(), count };
    let mut rank = ways.count.clone();
    let mut is_late = ways.rank_the_side(&mut rank);
    ways.of_shared(&mut rank, &mut is_late, sets::count(full));
    for at in order.iter().copied() {
        let read = ways.made(at).into_iter().filter(|from| phases[*from] == Phase::Forward);
        rank[at] = read.map(|from| rank[from]).fold(rank[at], u32::max);
    }
    rank
}

/// The ways from forward instructions to the loss.
struct Ways<'a> {
    flow: &'a Flow<'a>,
    phases: &'a [Phase],
    /// Forward instructions, each behind what it reads.
    order: &'a [usize],
    /// Whether each instruction leads to the loss.
    leads: &'a [bool],
    readers: Vec<Vec<usize>>,
    /// The number of parameters that each one depends on.
    count: Vec<u32>,
}

impl Ways<'_> {
    /// What an instruction reads that is not free.
    fn made(&self, at: usize) -> Vec<usize> {
        let made = self.flow.reads[at].iter().filter_map(|value| self.flow.made_at[*value]);
        made.filter(|from| self.phases[*from] != Phase::Free).collect()
    }

    /// What reads it and leads to the loss.
    fn on_the_way(&self, at: usize) -> BTreeSet<usize> {
        let is_read = |reader: &&usize| self.phases[**reader] == Phase::Turning || self.leads[**reader];
        self.readers[at].iter().filter(is_read).copied().collect()
    }

    /// What comes from the side, made of data by parameters of its own, has the rank of what first reads it together with something
    /// of layers, and what is made of it alone has no less. Returns what has such a rank.
    fn rank_the_side(&self, rank: &mut [u32]) -> Vec<bool> {
        let mut is_side = vec![false; rank.len()];
        for at in self.order.iter().copied() {
            let read = self.made(at);
            is_side[at] =
                read.iter().all(|from| is_side[*from]) && (read.is_empty() || self.on_the_way(at).len() == 1);
        }
        let mut is_late = vec![false; rank.len()];
        for at in self.order.iter().rev().copied().filter(|at| is_side[*at]) {
            let readers = self.on_the_way(at);
            let meets = |reader: usize| self.made(reader).iter().any(|other| !is_side[*other]);
            if let Some(first) = readers.iter().map(|reader| rank[*reader]).min()
                && readers.iter().all(|reader| is_late[*reader] || meets(*reader))
            {
                (is_late[at], rank[at]) = (true, first);
            }
        }
        is_late
    }

    /// The same for what layers make of values that earlier layers read too, of `all` parameters that there are.
    fn of_shared(&self, rank: &mut [u32], is_late: &mut [bool], all: u32) {
        let first = self.first_met(rank, is_late);
        let mut is_shared = vec![false; rank.len()];
        self.order.iter().for_each(|at| is_shared[*at] = self.is_shared(*at, &first, all));
        for at in self.order.iter().copied() {
            let made = self.made(at);
            if let Some((own, _)) = first[at].filter(|_| !made.is_empty())
                && made.into_iter().all(|from| is_late[from] || is_shared[from])
            {
                (is_late[at], rank[at]) = (true, own);
            }
        }
    }

    /// Where what each instruction makes is first read together with something that depends on more parameters, if it is read in no
    /// other way, and that.
    fn first_met(&self, rank: &[u32], is_late: &[bool]) -> Vec<Option<(u32, usize)>> {
        let mut first = vec![None; rank.len()];
        for at in self.order.iter().rev().copied().filter(|at| !is_late[*at]) {
            let deeper = |reader: usize| {
                let made = self.made(reader).into_iter();
                let deepest = made.max_by_key(|other| (self.count[*other], *other))?;
                (self.count[deepest] > self.count[at]).then_some((rank[reader], deepest))
            };
            let met = |reader: usize| first[reader].or_else(|| deeper(reader));
            let met: Option<Vec<(u32, usize)>> = self.on_the_way(at).into_iter().map(met).collect();
            first[at] = met.and_then(|met| met.into_iter().min());
        }
        first
    }

    /// Whether a value is read for several layers: what some make of it is first read together with what follows from it.
    fn is_shared(&self, from: usize, first: &[Option<(u32, usize)>], all: u32) -> bool {
        if SHARE * self.count[from] > all {
            return false;
        }
        let readers = self.on_the_way(from).into_iter().filter_map(|reader| Some((reader, first[reader]?)));
        let readers: Vec<(usize, (u32, usize))> = readers.collect();
        let ranks = || readers.iter().map(|(_, (rank, _))| *rank);
        let is_wide =
            ranks().max().zip(ranks().min()).is_some_and(|(last, first)| SHARE * (last - first) >= all);
        let bytes: u64 = readers.iter().map(|(reader, _)| self.flow.bytes_made(*reader)).sum();
        if !is_wide || self.flow.bytes_made(from) > bytes {
            return false;
        }
        let mut follows = vec![false; first.len()];
        follows[from] = true;
        for at in self.order.iter().copied().filter(|at| *at > from) {
            follows[at] = self.made(at).into_iter().any(|other| follows[other]);
        }
        readers.iter().any(|(_, (_, met))| follows[*met])
    }
}
