//! The local form of `select_and_scatter` along sharded dims.
//!
//! A device makes the part of the result that it keeps from all windows that touch it: it fetches the elements that
//! these windows see and the windows' values, runs the op on them, and cuts out its part. Windows at the edges of what
//! it fetched are seen in part only, but they touch nothing that is kept. Example: windows of two in steps of two on
//! dims of even shards touch one shard each, and nothing is sent; windows of three need an element of a neighbor.

use super::halo::Window;
use super::local_code::tensor;
use super::reducer::{neutral, reducer};
use super::select_and_scatter::SelectAndScatter;
use super::window::WindowDim;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::mesh::SubAxisId;
use crate::program::InstView;
use meshwright_tensor::literal::Literal;
use std::ops::Range;

/// Emits the local op.
pub(super) fn localize(op: &SelectAndScatter, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let [mut operand, mut source, init] = [cx.operands[0], cx.operands[1], cx.operands[2]];
    let nothing = nothing_scattered(&cx.view);
    let mut local = op.clone();
    let mut made = cx.result(0).clone();
    let mut parts: Vec<(usize, Vec<SubAxisId>, Seen)> = Vec::new();
    for (dim, window) in op.window(made.rank()).into_iter().enumerate() {
        let axes = cx.operand_axes(0, dim);
        if axes.is_empty() || window.is_identity() {
            continue;
        }
        let (size, windows) = (cx.view.operand(0).shape[dim], cx.view.operand(1).shape[dim]);
        let shards = Shards { size, windows, chunk: made.shape[dim], devices: cx.mesh.product(&axes) };
        let seen = shards.seen(&window, nothing.is_some());
        let range = |size: usize, starts: Vec<i64>, len: usize| Window {
            dim,
            axes: &axes,
            size,
            starts,
            len,
            is_mirrored: false,
        };
        operand = range(size, seen.starts.clone(), seen.len).fetch_needed(b, operand, &seen.elements);
        let first = seen.starts.iter().map(|start| start / window.stride as i64).collect();
        let values = range(windows, first, seen.windows);
        source = values.fetch_needed(b, source, &seen.sources);
        if let Some(nothing) = &nothing {
            let nothing = b.constant(nothing.clone());
            source = values.filled(b, source, nothing);
        }
        local.set_padding(dim, window.low, seen.high);
        made.shape[dim] = seen.len;
        parts.push((dim, axes, seen));
    }
    let regions = [0, 1].map(|index| b.copy_region(&cx.view, index));
    let mut result = b.emit(local.into(), &[operand, source, init], &regions, vec![made.into()])[0];
    for (dim, axes, seen) in parts {
        let chunk = cx.result(0).shape[dim];
        let starts = (0..seen.starts.len()).map(|device| (device * chunk) as i64).collect();
        let size = tensor(b, result).shape[dim];
        let kept = Window { dim, axes: &axes, size, starts, len: chunk, is_mirrored: false };
        result = kept.own_part(b, result, &seen.starts);
    }
    vec![result]
}

/// The value that changes nothing wherever it is scattered, if the op is one whose values may be such.
fn nothing_scattered(view: &InstView<'_>) -> Option<Literal> {
    let (source, result) = (view.operand(1).element, view.result(0).element);
    let reduction = reducer(view.body, view.region(1))?.reduction()?;
    if source == result { neutral(reduction, source) } else { None }
}

/// A dim of the operand, cut into shards.
struct Shards {
    size: usize,
    windows: usize,
    chunk: usize,
    devices: usize,
}

/// What each device sees of the dim.
struct Seen {
    /// The first element, a multiple of the stride.
    starts: Vec<i64>,
    /// How many elements.
    len: usize,
    /// The elements that touch what is kept, and those in windows with them.
    elements: Vec<Range<i64>>,
    /// The windows that touch what is kept.
    sources: Vec<Range<i64>>,
    /// How many windows.
    windows: usize,
    /// The padding behind the last element.
    high: i64,
}

impl Shards {
    /// `may_add_windows` says whether there may be windows beyond the last one, which scatter nothing.
    fn seen(&self, window: &WindowDim, may_add_windows: bool) -> Seen {
        let (size, stride, span) = (self.size as i64, window.stride as i64, window.size as i64);
        let mut starts = Vec::with_capacity(self.devices);
        let (mut elements, mut sources) = (Vec::new(), Vec::new());
        // Elements that negative padding drops from the end stand behind the windows.
        let dropped = (-window.high).max(0);
        let (mut len, mut len_with_end, mut pads_end) = (0, 0, false);
        for device in 0..self.devices {
            let (from, to) = (device * self.chunk, ((device + 1) * self.chunk).min(self.size));
            if from >= to {
                starts.push(size / stride * stride);
                elements.push(0..0);
                sources.push(0..0);
                continue;
            }
            let (mut from, mut to) = (from as i64, to as i64);
            // Window w begins at w * stride - low.
            let first = (from + window.low - span).div_euclid(stride) + 1;
            let last = (to - 1 + window.low).div_euclid(stride).min(self.windows as i64 - 1);
            sources.push(first.max(0)..last + 1);
            if first.max(0) <= last {
                let first = first.max(0) * stride;
                from = from.min(first - window.low).min(first).max(0);
                to = to.max(last * stride - window.low + span);
            }
            pads_end |= to > size;
            elements.push(from..to);
            from = from / stride * stride;
            starts.push(from);
            len = len.max(to.min(size) - from);
            len_with_end = len_with_end.max((to + dropped).min(size) - from);
        }
        if may_add_windows && !pads_end && len + window.low >= span {
            let windows = (len + window.low - span) / stride + 1;
            return Seen { starts, len: len as usize, elements, sources, windows: windows as usize, high: 0 };
        }
        // The last windows end where those of the whole dim do.
        let last = (size - len_with_end).div_euclid(stride) * stride;
        let starts = starts.iter().map(|start| *start.min(&last)).collect();
        let windows = self.windows as i64 - last / stride;
        let (len, windows) = ((size - last) as usize, windows.max(0) as usize);
        Seen { starts, len, elements, sources, windows, high: window.high }
    }
}
