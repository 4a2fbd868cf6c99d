//! Copies between a tensor and a part of it, run by run of what lies side by side in both.
//!
//! Input: where the part lies ([`Place`]), and bytes of the tensor or of the part. Output: those of the other. Of
//! `[4, 6]` the part `(:,1:6:2)` has four times three runs of one element, `(:,1:4)` four runs of three, and `(1:3)` one run.

use crate::names::Place;

/// A part of a tensor, row by row.
pub(crate) struct Rows<'a> {
    /// Where it lies.
    pub(crate) place: &'a Place,
    /// Size of the tensor's dim that it is cut along.
    pub(crate) size: usize,
    /// Bytes at one position of that dim.
    pub(crate) row: usize,
}

impl Rows<'_> {
    /// Where the part's runs lie in a block of the dim, in the part's order, and the bytes of each.
    fn runs(&self) -> (impl Iterator<Item = usize> + use<>, usize) {
        let (row, place) = (self.row, self.place);
        let neighbors = if place.step == 1 { place.range.len() } else { 1 };
        let starts = place.positions().step_by(neighbors).map(move |at| at * row);
        (starts, row * neighbors)
    }

    /// Bytes of a block of the tensor, and of what the part has of it; at least one, so that blocks can be counted.
    fn blocks(&self) -> (usize, usize) {
        let block = |positions: usize| (positions * self.row).max(1);
        (block(self.size), block(self.place.positions().len()))
    }

    /// Appends the part of a tensor.
    pub(crate) fn take(&self, tensor: &[u8], part: &mut Vec<u8>) {
        for block in tensor.chunks_exact(self.blocks().0) {
            let (starts, run) = self.runs();
            starts.for_each(|start| part.extend_from_slice(&block[start..start + run]));
        }
    }

    /// Writes the part into a tensor.
    pub(crate) fn put(&self, part: &[u8], tensor: &mut [u8]) {
        let (of_tensor, of_part) = self.blocks();
        for (block, own) in tensor.chunks_exact_mut(of_tensor).zip(part.chunks_exact(of_part)) {
            let (starts, run) = self.runs();
            for (start, own) in starts.zip(own.chunks_exact(run.max(1))) {
                block[start..start + run].copy_from_slice(own);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_put_back() {
        let tensor: Vec<u8> = (0..48).collect();
        for (range, step) in [(0..6, 1), (1..4, 1), (1..6, 2), (0..6, 3), (5..6, 1)] {
            let place = Place { dim: 1, range, step };
            let rows = Rows { place: &place, size: 6, row: 2 };
            let mut part = Vec::new();
            rows.take(&tensor, &mut part);
            let of_block = |block: usize| {
                let at = move |at: usize| [block * 12 + at * 2, block * 12 + at * 2 + 1];
                place.positions().flat_map(at)
            };
            let places: Vec<usize> = (0..4).flat_map(of_block).collect();
            assert_eq!(part, places.iter().map(|place| *place as u8).collect::<Vec<_>>());
            let mut whole = vec![u8::MAX; 48];
            rows.put(&part, &mut whole);
            let is_put = |at: usize| whole[at] == if places.contains(&at) { at as u8 } else { u8::MAX };
            assert!((0..48).all(is_put), "{place:?}");
        }
    }
}
