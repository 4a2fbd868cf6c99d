//! What the nodes of a problem use of the memory, and what they may use.
//!
//! Input: the classes of a problem, a limit. Output: the spans of its nodes. They are made anew for every limit, so that one
//! problem does for all limits of a mesh: its costs are most of it, and stay.

use super::alike::NONE;
use super::{Copies, InstClass, Part, ShardingProblem, SlotClass, Space, Way};
use meshwright_machine::Bytes;
use meshwright_shard::tensor_factors;
use meshwright_solve::Problem;
use meshwright_solve::problem::{Node, Span};

/// What takes less than this share of the memory is left out of what is copied.
const LITTLE: f64 = 0.002;

/// The least that any plan needs: what lies there at some moment, whatever is chosen.
pub(super) fn needs(space: &Space<'_>, slots: &[SlotClass]) -> u64 {
    let node = |(class, slot): (usize, &SlotClass)| {
        let least = slot.bytes.iter().copied().min().unwrap_or(0);
        Node { costs: vec![0], spans: spans(&space.lives[class], &[least]) }
    };
    let nodes = slots.iter().enumerate().map(node).collect();
    Problem { nodes, ..Problem::default() }.least_used()
}

/// What the tensors of a class, of which so many live over spans of moments, use if each takes so many bytes.
fn spans(lives: &[(u64, u64, u64)], bytes: &[u64]) -> Vec<Span> {
    let span = |(start, end, count): &(u64, u64, u64)| Span {
        start: *start,
        end: *end,
        usage: bytes.iter().map(|bytes| bytes.saturating_mul(*count)).collect(),
    };
    lives.iter().map(span).collect()
}

/// Bytes of a limit that are the same part of it as these bytes are of a share; more than all of it where there is no share.
fn in_proportion(bytes: u64, share: u64, limit: u64) -> u64 {
    match share {
        0 if bytes > 0 => limit.saturating_add(1),
        _ => {
            let all = u128::from(bytes) * u128::from(limit);
            u64::try_from(all.div_ceil(u128::from(share.max(1)))).unwrap_or(u64::MAX)
        }
    }
}

impl ShardingProblem<'_> {
    /// At most `limit` bytes may be used at any moment; nothing is said of memory if one device could do everything in
    /// half of it. What lies on the host counts there at moments of its own, in the proportion in which the device's share of
    /// the host is to the limit.
    pub(crate) fn limit(&mut self, memory: Bytes, copies: Copies) {
        let (limit, space) = (memory.0, self.space);
        let is_short = space.whole_peak > limit / 2;
        self.problem.usage_limit = (is_short || space.host_share.is_some()).then_some(limit);
        self.problem.nodes.iter_mut().for_each(|node| node.spans = Vec::new());
        if let Some(share) = space.host_share {
            let in_proportion = |bytes: &u64| in_proportion(*bytes, share, limit);
            for (class, slot) in self.slots.iter().enumerate() {
                let bytes: Vec<u64> = slot.bytes.iter().map(in_proportion).collect();
                self.problem.nodes[slot.node].spans = spans(&space.on_host[class], &bytes);
            }
        }
        if !is_short {
            return;
        }
        for (class, slot) in self.slots.iter().enumerate() {
            let on_device = spans(&space.lives[class], &slot.bytes);
            self.problem.nodes[slot.node].spans.splice(0..0, on_device);
        }
        for (class, own) in self.insts.iter().enumerate().filter(|_| copies == Copies::Counted) {
            for (node, part) in own.nodes.iter().zip(own.parts.iter()) {
                let Some(usage) = self.copies(own, part, limit) else { continue };
                let span = |moment: &u64| Span { start: *moment, end: *moment + 1, usage: usage.clone() };
                self.problem.nodes[*node].spans = space.moments[class].iter().map(span).collect();
            }
        }
    }

    /// Bytes that a part of an instruction needs while it runs, for each way to shard it; none where that is little: what
    /// is read beyond what is kept of it at least (the share of one device), so that a tensor that is kept in shards and
    /// read whole counts twice while it is read; and contributions, which lie beside their sum while they are combined.
    fn copies(&self, class: &InstClass, part: &Part, limit: u64) -> Option<Vec<u64>> {
        let (space, prepared) = (self.space, self.space.prepared);
        let mesh = &self.placement.mesh;
        let rule = &prepared.whole_rules[prepared.rule_of[class.first]];
        let slots = prepared.inst_slots(class.first);
        let devices = mesh.num_devices() as f64;
        let large: Vec<(usize, f64)> = part
            .tensors
            .iter()
            .filter(|tensor| space.alike.of_slot[slots[**tensor]] != NONE)
            .map(|tensor| (*tensor, prepared.bytes[slots[*tensor]]))
            .filter(|(_, bytes)| *bytes > LITTLE * limit as f64)
            .collect();
        let of_way = |way: &Way| {
            let is_partial =
                !way.passed.is_empty() || part.combined.iter().any(|factor| !way.axes[*factor].is_empty());
            let beyond = |(tensor, bytes): &(usize, f64)| {
                let factors = tensor_factors(rule, *tensor).iter().flatten();
                let shards: usize = factors.map(|factor| way.axes[*factor].product(mesh)).product();
                match *tensor < rule.operands.len() {
                    true => bytes / shards as f64 - bytes / devices,
                    false if is_partial => bytes / shards as f64,
                    false => 0.0,
                }
            };
            large.iter().map(beyond).sum::<f64>().max(0.0) as u64
        };
        (!large.is_empty()).then(|| part.ways.iter().map(of_way).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_its_share_fits_the_limit() {
        for (share, limit) in [(100, 7), (7, 100), (1 << 40, 1 << 30), (1, u64::MAX)] {
            assert!(in_proportion(share, share, limit) <= limit);
            assert!(in_proportion(2 * share, share, limit) > limit || limit == u64::MAX);
            assert_eq!(in_proportion(0, share, limit), 0);
        }
        assert_eq!((in_proportion(1, 0, 9), in_proportion(0, 0, 9)), (10, 0));
    }
}
