//! Dims along which elements move, and how their sizes hang together.
//!
//! Input: an instruction whose windows slide, or that takes parts of dims, pads or joins them. Output: for each such dim, what
//! is of one size, as it is or so many times, and what keeps its size ([`Moving`]); and its attributes between other sizes ([`resized`]). Sizes that
//! differ otherwise stay.
//!
//! ```text
//! convolution, windows of 3 in steps of 2   3000 -> 1500    16 -> 8
//! its gradient for the kernel               3000 and windows of 1500, 2 apart: 16 and 8
//! running total                             256 in windows of 256, padded by 255: 8, 8 and 7
//! slice of 64:128                           128 -> 64       16 -> 8
//! slice of 255:256                          256 -> 1        8 -> 1
//! ```

use meshwright_ir::op::Op;
use meshwright_ir::ops::concatenate::Concatenate;
use meshwright_ir::ops::conv_dims::ConvDims;
use meshwright_ir::ops::convolution::Convolution;
use meshwright_ir::ops::pad::Pad;
use meshwright_ir::ops::reduce_window::ReduceWindow;
use meshwright_ir::ops::slice::Slice;
use meshwright_ir::ops::window::WindowDim;
use meshwright_ir::program::InstView;

/// A dim that is more times than this another one has no smaller twin by that.
const MOST_TIMES: usize = 32;

/// A part of a dim that keeps its size is at most so large.
const MOST_KEPT: usize = 16;

/// A tensor of an instruction, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Port {
    Operand(usize),
    Result(usize),
}

/// A dim of a tensor.
type Place = (Port, usize);

/// How often a dim is a size.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Times {
    /// The size, so many of them: parts that are joined.
    Parts(usize),
    /// So many elements for each of the size: steps between windows.
    Steps(usize),
}

impl Times {
    pub(crate) fn count(self) -> usize {
        match self {
            Self::Parts(count) | Self::Steps(count) => count,
        }
    }
}

/// Dims of one instruction along which elements move together.
#[derive(Debug, Default)]
pub(crate) struct Moving {
    /// The dims that one size makes.
    pub(crate) dims: Vec<(Place, Times)>,
    /// Dims that are so much more than the size: it with an end that stays.
    pub(crate) longer: Vec<(Place, usize)>,
    /// The dims that keep their sizes.
    pub(crate) kept: Vec<Place>,
    /// Elements of the size that each device needs at least: those of its neighbors are enough then, as before, and windows
    /// stay smaller than what they slide over.
    pub(crate) reach: usize,
}

impl Moving {
    /// All of an instruction; dims along which nothing moves are in none.
    pub(crate) fn all(view: &InstView<'_>) -> Vec<Self> {
        match &view.inst.op {
            Op::Convolution(convolution) => Self::convolution(convolution, view),
            Op::ReduceWindow(reduce) => {
                let count = view.inst.results.len();
                let of = |(dim, window): (usize, &WindowDim)| {
                    let from = (0..count).map(|index| (Port::Operand(index), dim)).collect();
                    let to = (0..count).map(|index| (Port::Result(index), dim)).collect();
                    Self::window(view, window, from, to)
                };
                let windows = reduce.window();
                windows.iter().enumerate().filter(|(_, window)| !window.is_identity()).map(of).collect()
            }
            Op::SelectAndScatter(scatter) => {
                let windows = scatter.window(view.operand(0).rank());
                let of = |(dim, window): (usize, &WindowDim)| {
                    let from = vec![(Port::Operand(0), dim), (Port::Result(0), dim)];
                    Self::window(view, window, from, vec![(Port::Operand(1), dim)])
                };
                windows.iter().enumerate().filter(|(_, window)| !window.is_identity()).map(of).collect()
            }
            Op::Slice(slice) => {
                let of = |dim: usize| {
                    let (whole, part) = ((Port::Operand(0), dim), (Port::Result(0), dim));
                    match slice.stride[dim] {
                        1 => Self::part(view, (whole, part), slice.start[dim]),
                        stride => Self::every(view, (whole, part), stride),
                    }
                };
                let is_part = |dim: &usize| view.operand(0).shape[*dim] != view.result(0).shape[*dim];
                (0..slice.start.len()).filter(is_part).map(of).collect()
            }
            Op::Pad(pad) => {
                let of = |dim: usize| {
                    let (whole, part) = ((Port::Result(0), dim), (Port::Operand(0), dim));
                    match (usize::try_from(pad.low[dim]), pad.interior[dim]) {
                        (Ok(low), 0) if pad.high[dim] >= 0 => Self::part(view, (whole, part), low),
                        (Ok(_), interior) => Self::every(view, (whole, part), interior + 1),
                        (Err(_), _) => Self::kept(vec![whole, part]),
                    }
                };
                let is_plain =
                    |dim: &usize| pad.low[*dim] == 0 && pad.high[*dim] == 0 && pad.interior[*dim] == 0;
                (0..pad.low.len()).filter(|dim| !is_plain(dim)).map(of).collect()
            }
            Op::Concatenate(concatenate) => vec![Self::joined(concatenate, view)],
            _ => Vec::new(),
        }
    }

    /// Whether a dim is in it.
    pub(crate) fn has(&self, place: Place) -> bool {
        self.kept.contains(&place)
            || self.dims.iter().any(|(own, _)| *own == place)
            || self.longer.iter().any(|(own, _)| *own == place)
    }

    fn kept(kept: Vec<Place>) -> Self {
        Self { kept, ..Self::default() }
    }

    /// Forward, windows are fewer than elements, and what is in them keeps its size; in the gradient of the kernel it is the
    /// other way around.
    fn convolution(convolution: &Convolution, view: &InstView<'_>) -> Vec<Self> {
        let dims = &convolution.dims;
        let of = |(spatial, window): (usize, &WindowDim)| {
            let from = (Port::Operand(0), dims.input.spatial[spatial]);
            let tap = (Port::Operand(1), dims.kernel.spatial[spatial]);
            let to = (Port::Result(0), dims.output.spatial[spatial]);
            let windows = size(view, to);
            let (other, kept) = if windows >= window.size { (to, tap) } else { (tap, to) };
            let few = windows.min(window.size);
            Self { kept: vec![kept], ..Self::stepped(view, (vec![from], vec![other]), few, window) }
        };
        convolution.window(view.operand(1)).iter().enumerate().map(of).collect()
    }

    /// Windows of a reduction: over all that there is, all up to each, or of a size that they keep.
    fn window(view: &InstView<'_>, window: &WindowDim, from: Vec<Place>, to: Vec<Place>) -> Self {
        let elements = size(view, from[0]);
        let once = |places: Vec<Place>| places.into_iter().map(|place| (place, Times::Parts(1))).collect();
        if window.is_running(elements) {
            return Self { dims: once([from, to].concat()), ..Self::default() };
        }
        if window.size == elements && window.is_unpadded() && window.window_dilation == 1 {
            return Self { dims: once(from), kept: to, ..Self::default() };
        }
        Self::stepped(view, (from, to), window.size, window)
    }

    /// What windows of a size that stays slide over, and what they give.
    fn stepped(
        view: &InstView<'_>,
        (from, to): (Vec<Place>, Vec<Place>),
        size_of_window: usize,
        window: &WindowDim,
    ) -> Self {
        let [many, few] = match size(view, from[0]) < size(view, to[0]) {
            true => [&to, &from],
            false => [&from, &to],
        };
        let steps = size(view, many[0]).checked_div(size(view, few[0])).unwrap_or(0);
        if steps * size(view, few[0]) != size(view, many[0]) {
            return Self::kept([from, to].concat());
        }
        let stepped = many.iter().map(|place| (*place, Times::Steps(steps)));
        let dims = stepped.chain(few.iter().map(|place| (*place, Times::Parts(1)))).collect();
        let span = size_of_window * window.window_dilation.max(window.stride);
        Self { dims, reach: span.div_ceil(steps.max(1)) + 1, ..Self::default() }
    }

    /// A part of a dim that begins somewhere: all are so many of one size, or the part is at an end and stays, or what is
    /// beside it does.
    fn part(view: &InstView<'_>, (whole, part): (Place, Place), start: usize) -> Self {
        let [all, some] = [whole, part].map(|place| size(view, place));
        let unit = gcd(gcd(all, some), start);
        if unit > 1 && all / unit <= MOST_TIMES {
            let times = |place: Place, size: usize| (place, Times::Parts(size / unit));
            return Self { dims: vec![times(whole, all), times(part, some)], ..Self::default() };
        }
        if some <= MOST_KEPT && (start == 0 || start + some == all) {
            let dims = vec![(whole, Times::Parts(1))];
            return Self { dims, kept: vec![part], reach: some + 1, ..Self::default() };
        }
        if all - some <= MOST_KEPT {
            let dims = vec![(part, Times::Parts(1))];
            return Self { dims, longer: vec![(whole, all - some)], ..Self::default() };
        }
        Self::kept(vec![whole, part])
    }

    /// Every n-th element of a dim.
    fn every(view: &InstView<'_>, (whole, part): (Place, Place), step: usize) -> Self {
        if size(view, whole) != size(view, part) * step {
            return Self::kept(vec![whole, part]);
        }
        Self { dims: vec![(part, Times::Parts(1)), (whole, Times::Steps(step))], ..Self::default() }
    }

    /// Parts that are joined: each is so many of one size, or all but one are small and stay.
    fn joined(concatenate: &Concatenate, view: &InstView<'_>) -> Self {
        let operands = (0..view.num_operands()).map(|index| (Port::Operand(index), concatenate.dim));
        let (mut parts, all) = (operands.collect::<Vec<_>>(), (Port::Result(0), concatenate.dim));
        let unit = parts.iter().fold(0, |unit, place| gcd(unit, size(view, *place)));
        if unit > 1 {
            let times = |place: Place| (place, Times::Parts(size(view, place) / unit));
            parts.push(all);
            return Self { dims: parts.into_iter().map(times).collect(), ..Self::default() };
        }
        parts.sort_by_key(|place| size(view, *place));
        let Some(largest) = parts.pop() else { return Self::default() };
        let more = size(view, all) - size(view, largest);
        if more > MOST_KEPT {
            parts.extend([largest, all]);
            return Self::kept(parts);
        }
        let dims = vec![(largest, Times::Parts(1))];
        Self { dims, longer: vec![(all, more)], kept: parts, reach: 0 }
    }
}

/// The op of an instruction along whose dims elements move, between the types of `new`.
pub(crate) fn resized(old: &InstView<'_>, new: &InstView<'_>) -> Option<Op> {
    Some(match &old.inst.op {
        Op::Convolution(convolution) => {
            let (lhs, rhs, result) = (new.operand(0), new.operand(1), new.result(0));
            let ConvDims { input, kernel, output } = &convolution.dims;
            let feature_groups = lhs.shape[input.second].checked_div(rhs.shape[kernel.first])?;
            let batch_groups = lhs.shape[input.first].checked_div(result.shape[output.first])?;
            Convolution { feature_groups, batch_groups, ..Convolution::clone(convolution) }.into()
        }
        Op::ReduceWindow(reduce) => {
            let mut made = ReduceWindow::clone(reduce);
            for (dim, window) in reduce.window().iter().enumerate() {
                let [before, now] = [old, new].map(|view| view.operand(0).shape[dim]);
                if window.size != before {
                    continue;
                }
                made.sizes[dim] = now;
                if let Some(padding) = made.padding.as_mut().filter(|_| window.is_running(before)) {
                    let edges =
                        [window.low, window.high].map(|edge| if edge == 0 { 0 } else { now as i64 - 1 });
                    padding[2 * dim..2 * dim + 2].copy_from_slice(&edges);
                }
            }
            made.into()
        }
        Op::Slice(slice) => {
            let mut made = Slice::clone(slice);
            for dim in 0..slice.start.len() {
                let sizes = |view: &InstView<'_>| [view.operand(0), view.result(0)].map(|ty| ty.shape[dim]);
                let ([all, _], [new_all, some]) = (sizes(old), sizes(new));
                if slice.stride[dim] == 1 {
                    made.start[dim] = moved(slice.start[dim], sizes(old), sizes(new));
                    made.limit[dim] = made.start[dim] + some;
                } else {
                    made.limit[dim] = new_all.saturating_sub(all - slice.limit[dim]);
                }
            }
            made.into()
        }
        Op::Pad(pad) => {
            let mut made = Pad::clone(pad);
            for dim in (0..pad.low.len()).filter(|dim| pad.interior[*dim] == 0 && pad.high[*dim] >= 0) {
                let Ok(low) = usize::try_from(pad.low[dim]) else { continue };
                let sizes = |view: &InstView<'_>| [view.result(0), view.operand(0)].map(|ty| ty.shape[dim]);
                let ([all, some], start) = (sizes(new), moved(low, sizes(old), sizes(new)));
                (made.low[dim], made.high[dim]) = (start as i64, all as i64 - (start + some) as i64);
            }
            made.into()
        }
        _ => return None,
    })
}

/// Where a part of a dim begins whose sizes are now others: at the same part of it, or so far from its end.
fn moved(start: usize, [all, some]: [usize; 2], [new_all, new_some]: [usize; 2]) -> usize {
    if all as i64 - some as i64 == new_all as i64 - new_some as i64 {
        return start;
    }
    if some != new_some {
        return start * new_some / some.max(1);
    }
    if start > 0 && start + some == all { new_all.saturating_sub(new_some) } else { start }
}

fn size(view: &InstView<'_>, (port, dim): Place) -> usize {
    match port {
        Port::Operand(index) => view.operand(index).shape[dim],
        Port::Result(index) => view.result(index).shape[dim],
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
