//! Which links a group of devices crosses, and what each member gets of them.
//!
//! Input: the groups of a mesh axis (or of several) as [`Span`]s over device numbers, or explicit groups.
//! Output: one [`Crossing`] per level on which members differ, innermost first.
//!
//! Example: `h100:32x8`, one axis of size 64 with stride 4. Each group has 2 members in every host (4 apart) and
//! reaches 32 hosts: it crosses `nvlink` with 2 members and `infiniband` with 32 members of `inner` 2. A hierarchical
//! all_reduce of S bytes first reduce_scatters inside (2 members), then all_reduces S/2 bytes over 32 hosts, both
//! members of a host at once, each through its own share of the network, and gathers inside at last.
//!
//! All groups of an axis run at the same time, as they do in an SPMD program; where they share a link (groups that
//! interleave along a torus axis), [`Crossing::bandwidth`] is the share of one.

use crate::machine::{Level, LinkKind, Machine};
use crate::units::{BytesPerSecond, Seconds};

/// Part of a device group: `size` members whose numbers lie `stride` apart.
///
/// On a mesh whose last axis is the fastest, an axis has the product of the later axes' sizes as its stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Distance between neighbors in device numbers.
    pub stride: usize,
    /// Number of members.
    pub size: usize,
}

/// Use of the links of one level by a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing<'m> {
    /// The level crossed.
    pub level: &'m Level,
    /// Its position in [`Machine::levels`].
    pub level_index: usize,
    /// Units of this level in the group; at least 2.
    pub members: usize,
    /// Distance between them in units of this level.
    pub stride: usize,
    /// Members of the group inside each of those units: they can split the traffic, each with its own bandwidth.
    pub inner: usize,
}

/// Patterns of sends inside a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// all_gather, reduce_scatter and all_reduce: each sends to neighbors in a ring.
    Ring,
    /// all_to_all: each sends another part to every other.
    AllToAll,
    /// collective_permute: each sends everything to the next one.
    Shift,
}

impl Machine {
    /// The crossings of the groups that the spans describe: member (k1, k2, ...) of a group is its first device plus
    /// the sum of `k * stride`; the groups together are all devices. Spans of size 1 do not matter. The cost is that
    /// of the number of levels, unless the spans do not line up with them; then it is that of the number of devices.
    ///
    /// # Panics
    /// If a stride or size is 0, or a span does not divide the devices: the mesh was not made for this machine.
    pub fn crossings(&self, spans: &[Span]) -> Vec<Crossing<'_>> {
        let num_devices = self.num_devices();
        let mut spans: Vec<Span> = spans.iter().copied().filter(|span| span.size != 1).collect();
        spans.sort();
        for Span { stride, size } in &spans {
            let extent = stride * size;
            assert!(
                extent > 0 && num_devices.is_multiple_of(extent),
                "a span of {size} devices, {stride} apart, does not divide {num_devices} devices"
            );
        }
        self.aligned_crossings(&spans)
            .unwrap_or_else(|| self.crossings_of_groups(&groups(num_devices, &spans)))
    }

    /// The crossings of explicit groups of device numbers, such as the replica groups of a collective; where groups
    /// differ, the worst of each figure.
    ///
    /// # Panics
    /// If a device number is not below [`Machine::num_devices`].
    pub fn crossings_of_groups(&self, groups: &[Vec<usize>]) -> Vec<Crossing<'_>> {
        let mut crossings = Vec::new();
        let mut below = 1;
        for (level_index, level) in self.levels().iter().enumerate() {
            let mut worst: Option<(usize, usize, usize)> = None;
            for group in groups {
                assert!(
                    group.iter().all(|&device| device < self.num_devices()),
                    "no such device in {group:?}"
                );
                if let Some((members, stride, inner)) = cross(group, below, level.size) {
                    let (m, s, i) = worst.unwrap_or((members, stride, inner));
                    worst = Some((m.max(members), s.max(stride), i.min(inner)));
                }
            }
            if let Some((members, stride, inner)) = worst {
                crossings.push(Crossing { level, level_index, members, stride, inner });
            }
            below *= level.size;
        }
        crossings
    }

    /// The crossings where every span is a product of whole steps of levels; `None` otherwise.
    fn aligned_crossings(&self, spans: &[Span]) -> Option<Vec<Crossing<'_>>> {
        let mut crossings = Vec::new();
        let mut inner = 1;
        let mut below = 1;
        for (level_index, level) in self.levels().iter().enumerate() {
            let above = below * level.size;
            let (mut members, mut stride) = (1, usize::MAX);
            for span in spans {
                // The part of the span that lies between `below` and `above`.
                let from = span.stride.max(below);
                let to = (span.stride * span.size).min(above);
                if from >= to {
                    continue;
                }
                if from % below != 0 || to % from != 0 || above % to != 0 {
                    return None;
                }
                members *= to / from;
                stride = stride.min(from / below);
            }
            if members > 1 {
                crossings.push(Crossing { level, level_index, members, stride, inner });
                inner *= members;
            }
            below = above;
        }
        Some(crossings)
    }
}

/// All groups of the spans, over all devices.
fn groups(num_devices: usize, spans: &[Span]) -> Vec<Vec<usize>> {
    let mut offsets = vec![0];
    for span in spans {
        offsets =
            (0..span.size).flat_map(|k| offsets.iter().map(move |offset| offset + k * span.stride)).collect();
    }
    let is_first = |device: &usize| spans.iter().all(|span| (device / span.stride).is_multiple_of(span.size));
    (0..num_devices)
        .filter(is_first)
        .map(|first| offsets.iter().map(|offset| first + offset).collect())
        .collect()
}

/// How one group crosses the level whose units hold `below` devices each, `size` units in one domain:
/// members, stride and inner, or `None` where it does not.
fn cross(group: &[usize], below: usize, size: usize) -> Option<(usize, usize, usize)> {
    let mut units: Vec<usize> = group.iter().map(|device| device / below).collect();
    units.sort();
    let mut worst: Option<(usize, usize, usize)> = None;
    for domain in units.chunk_by(|a, b| a / size == b / size) {
        let runs: Vec<&[usize]> = domain.chunk_by(|a, b| a == b).collect();
        if runs.len() < 2 {
            continue;
        }
        let stride = runs.windows(2).map(|pair| pair[1][0] - pair[0][0]).min()?;
        let inner = runs.iter().map(|run| run.len()).min()?;
        let (m, s, i) = worst.unwrap_or((runs.len(), stride, inner));
        worst = Some((m.max(runs.len()), s.max(stride), i.min(inner)));
    }
    worst
}

impl Crossing<'_> {
    /// The rate at which one member sends into this level, its peers and all the other groups doing the same.
    ///
    /// Time is (bytes that a member sends) / (this), where a member that takes part with S bytes sends
    /// S (n-1)/n in an all_gather (S gathered), reduce_scatter or all_to_all, twice that in an all_reduce, and S in a
    /// shift (through shared memory other bytes, see `docs/machines.md`). With B the level's achievable bandwidth, n the
    /// members and s the stride:
    ///
    /// | links | ring | all_to_all | shift |
    /// | --- | --- | --- | --- |
    /// | switch, memory | B | B | B |
    /// | full mesh of N | B (n-1)/(N-1) | B (n-1)/(N-1) | B/(N-1) |
    /// | torus axis, whole ring (n s = size) | B/s | B (n-1)/(s floor(n²/4)) | B/(2 s) |
    /// | torus axis, otherwise a line | B/(2 s) | B (n-1)/(2 s floor(n²/4)) | B/(2 s) |
    ///
    /// On a torus, s groups share each link, and an all_to_all is bound by the links that halve the ring or line.
    pub fn bandwidth(&self, pattern: Pattern) -> BytesPerSecond {
        let full = self.level.achievable_bandwidth();
        let members = self.members as f64;
        match self.level.kind {
            LinkKind::Switch | LinkKind::Memory => full,
            LinkKind::FullMesh => {
                let num_peers = self.level.max_size.unwrap_or(self.level.size).max(self.members) - 1;
                match pattern {
                    Pattern::Ring | Pattern::AllToAll => full * ((members - 1.0) / num_peers as f64),
                    Pattern::Shift => full / num_peers as f64,
                }
            }
            LinkKind::Torus { .. } => {
                let is_ring = self.level.wraps() && self.members * self.stride == self.level.size;
                let one_way = full / (2.0 * self.stride as f64);
                let both_ways = if is_ring { one_way * 2.0 } else { one_way };
                match pattern {
                    Pattern::Ring => both_ways,
                    Pattern::Shift => one_way,
                    Pattern::AllToAll => {
                        let pairs_across = (self.members * self.members / 4) as f64;
                        both_ways * ((members - 1.0) / pairs_across)
                    }
                }
            }
        }
    }

    /// Time for one step to a neighbor in the group, without the bytes.
    pub fn latency(&self) -> Seconds {
        match self.level.kind {
            LinkKind::Switch | LinkKind::FullMesh | LinkKind::Memory => self.level.latency,
            LinkKind::Torus { .. } => self.level.latency * self.stride as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (level, members, stride, inner) of each crossing.
    fn figures(crossings: &[Crossing<'_>]) -> Vec<(String, usize, usize, usize)> {
        crossings.iter().map(|c| (c.level.name.clone(), c.members, c.stride, c.inner)).collect()
    }

    fn crossings(spec: &str, spans: &[(usize, usize)]) -> Vec<(String, usize, usize, usize)> {
        let spans: Vec<Span> = spans.iter().map(|&(stride, size)| Span { stride, size }).collect();
        figures(&Machine::from_spec(spec).unwrap().crossings(&spans))
    }

    fn nvlink(members: usize, stride: usize) -> (String, usize, usize, usize) {
        ("nvlink".to_string(), members, stride, 1)
    }

    fn infiniband(members: usize, inner: usize) -> (String, usize, usize, usize) {
        ("infiniband".to_string(), members, 1, inner)
    }

    #[test]
    fn an_axis_inside_a_host_crosses_one_level() {
        assert_eq!(crossings("h100:4x8", &[(1, 8)]), [nvlink(8, 1)]);
        assert_eq!(crossings("h100:4x8", &[(2, 4)]), [nvlink(4, 2)]);
        assert_eq!(crossings("h100:4x8", &[(1, 1)]), []);
        assert_eq!(crossings("h100:4x8", &[]), []);
    }

    #[test]
    fn an_axis_across_hosts_knows_how_many_members_a_host_has() {
        assert_eq!(crossings("h100:4x8", &[(8, 4)]), [infiniband(4, 1)]);
        assert_eq!(crossings("h100:4x8", &[(4, 8)]), [nvlink(2, 4), infiniband(4, 2)]);
        assert_eq!(crossings("h100:4x8", &[(1, 32)]), [nvlink(8, 1), infiniband(4, 8)]);
        // Two axes together: 2 neighbors in the host, and every second host.
        assert_eq!(
            crossings("h100:4x8", &[(16, 2), (1, 2)]),
            [nvlink(2, 1), ("infiniband".to_string(), 2, 2, 2)]
        );
    }

    #[test]
    fn spans_that_straddle_hosts_take_the_worst_group() {
        // Groups of 6 over hosts of 8: {0..5}, {6..11} with 2 in host 0 and 4 in host 1, ...
        assert_eq!(crossings("h100:3x8", &[(1, 6)]), [nvlink(6, 1), infiniband(2, 2)]);
        // Stride 6, size 4: {0, 6, 12, 18}: 0 and 6 share host 0, 12 is alone.
        assert_eq!(crossings("h100:3x8", &[(6, 4)]), [nvlink(2, 6), infiniband(3, 1)]);
    }

    #[test]
    fn explicit_groups_give_the_same() {
        let machine = Machine::from_spec("h100:2x8").unwrap();
        let crossings = machine.crossings_of_groups(&[vec![0, 1], vec![2, 10]]);
        assert_eq!(figures(&crossings), [nvlink(2, 1), infiniband(2, 1)]);
        assert_eq!(machine.crossings_of_groups(&[vec![3]]), []);
    }

    #[test]
    fn a_torus_axis_shares_its_links_between_interleaved_groups() {
        let machine = Machine::from_spec("tpu_v5e:16x16").unwrap();
        let full = machine.levels()[0].achievable_bandwidth();
        let ring =
            |stride, size| machine.crossings(&[Span { stride, size }])[0].bandwidth(Pattern::Ring) / full;
        assert_eq!(ring(1, 16), 1.0);
        assert_eq!(ring(16, 16), 1.0);
        assert_eq!(ring(4, 4), 0.25);
        assert_eq!(ring(1, 4), 0.5);
        assert_eq!(ring(2, 4), 0.25);
        let whole = &machine.crossings(&[Span { stride: 1, size: 16 }])[0];
        assert_eq!(whole.bandwidth(Pattern::Shift) / full, 0.5);
        assert_eq!(whole.bandwidth(Pattern::AllToAll) / full, 15.0 / 64.0);
        let both = machine.crossings(&[Span { stride: 1, size: 256 }]);
        assert_eq!(both.iter().map(|c| (c.members, c.inner)).collect::<Vec<_>>(), [(16, 1), (16, 16)]);
    }

    #[test]
    fn a_short_torus_axis_is_a_line() {
        let machine = Machine::from_spec("tpu_v5e:2x4").unwrap();
        let crossing = &machine.crossings(&[Span { stride: 1, size: 4 }])[0];
        let full = crossing.level.achievable_bandwidth();
        assert_eq!(crossing.bandwidth(Pattern::Ring) / full, 0.5);
        assert_eq!(crossing.bandwidth(Pattern::AllToAll) / full, 3.0 / 8.0);
    }

    #[test]
    fn a_pair_on_a_full_mesh_has_one_link() {
        let machine = Machine::from_spec("mi300x:2").unwrap();
        let crossing = &machine.crossings(&[Span { stride: 1, size: 2 }])[0];
        let expected = crossing.level.achievable_bandwidth() / 7.0;
        assert!((crossing.bandwidth(Pattern::Ring) / expected - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_fast_way_agrees_with_enumeration() {
        let mut state = 0_u64;
        let mut draw = |most: usize| {
            // A linear congruential generator (Knuth, The Art of Computer Programming, 3.3.4).
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            1 + (state >> 33) as usize % most
        };
        for _ in 0..1000 {
            let (hosts, devices) = (draw(6), draw(8));
            let machine = Machine::from_spec(&format!("h100:{hosts}x{devices}")).unwrap();
            let num_devices = machine.num_devices();
            let mut spans =
                vec![Span { stride: draw(12), size: draw(12) }, Span { stride: draw(12), size: draw(4) }];
            spans.retain(|span| num_devices.is_multiple_of(span.stride * span.size));
            spans.sort();
            // Two spans are two axes of one mesh: the one ends where the other begins or earlier.
            if spans.len() == 2 && spans[1].stride % (spans[0].stride * spans[0].size) != 0 {
                spans.truncate(1);
            }
            let slow = machine.crossings_of_groups(&groups(num_devices, &spans));
            let fast = machine.crossings(&spans);
            assert_eq!(figures(&fast), figures(&slow), "{hosts}x{devices}, {spans:?}");
        }
    }
}
