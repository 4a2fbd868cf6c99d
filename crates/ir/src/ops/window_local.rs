//! The inputs of windows that slide along a sharded dim (`reduce_window`, `convolution`).
//!
//! Input: a shard of the dim, and where each device's windows begin and end in the padded and dilated dim. Output: the
//! elements that these windows see, those beyond the edges of the whole dim replaced by what the op pads with, and
//! the padding and dilation that the local op needs to see them at the right positions. Example: windows of three
//! with padding one on 8 elements in four shards need one element from each neighbor; the outermost devices put the
//! filling there, and the local op pads nothing.

use super::halo::{Window, part_at, per_device};
use super::local_code::{one, tensor};
use super::pad::Pad;
use super::window::WindowDim;
use crate::ids::ValueId;
use crate::local::LocalBuilder;
use crate::mesh::SubAxisId;

/// A range of positions in the padded and dilated dim for each device.
pub(super) struct Span<'a> {
    /// The dim of the input.
    pub(super) dim: usize,
    /// The axes that shard it.
    pub(super) axes: &'a [SubAxisId],
    /// Its size in all.
    pub(super) size: usize,
    /// The windows of the whole dim.
    pub(super) window: WindowDim,
    /// The first position of each device.
    pub(super) starts: Vec<i64>,
    /// How many positions each device needs.
    pub(super) len: usize,
    /// Whether the positions descend along the devices.
    pub(super) is_mirrored: bool,
}

/// What a device needs, and how the local op pads and dilates it.
pub(super) struct Seen {
    pub(super) value: ValueId,
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) base_dilation: usize,
}

impl Span<'_> {
    /// Fetches the range out of `value`; `fill` is a scalar.
    pub(super) fn fetch(&self, b: &mut dyn LocalBuilder, value: ValueId, fill: ValueId) -> Seen {
        let (step, low) = (self.window.base_dilation as i64, self.window.low);
        // Element q stands at position low + q * step.
        let starts: Vec<i64> = self
            .starts
            .iter()
            .map(|position| {
                (position - low).div_euclid(step) + i64::from((position - low).rem_euclid(step) != 0)
            })
            .collect();
        let phases: Vec<i64> =
            self.starts.iter().zip(&starts).map(|(position, start)| low + start * step - position).collect();
        let len = if self.len == 0 { 0 } else { (self.len - 1) / self.window.base_dilation + 1 };
        let window = Window {
            dim: self.dim,
            axes: self.axes,
            size: self.size,
            starts,
            len,
            is_mirrored: self.is_mirrored,
        };
        let value = window.fetch_filled(b, value, fill);
        let covered = if len == 0 { 0 } else { (len as i64 - 1) * step + 1 };
        let most = phases.iter().copied().max().unwrap_or(0);
        if phases.iter().all(|phase| *phase == most) {
            let high = self.len as i64 - most - covered;
            return Seen { value, low: most, high, base_dilation: self.window.base_dilation };
        }
        // Devices see their first element at different positions: the gaps are made here, and each takes its part.
        let mut ty = tensor(b, value);
        let rank = ty.rank();
        let (mut before, mut behind, mut gaps) = (vec![0; rank], vec![0; rank], vec![0; rank]);
        (before[self.dim], behind[self.dim]) = (most, self.len as i64 - covered);
        gaps[self.dim] = self.window.base_dilation - 1;
        ty.shape[self.dim] = most as usize + self.len;
        let spread = one(b, Pad { low: before, high: behind, interior: gaps }, &[value, fill], ty);
        let offsets: Vec<i64> = phases.iter().map(|phase| most - phase).collect();
        let start = per_device(b, self.axes, &offsets);
        let value = part_at(b, spread, self.dim, start, self.len);
        Seen { value, low: 0, high: 0, base_dilation: 1 }
    }
}
