//! Windows that slide over a padded and dilated dim, as `reduce_window` and `convolution` describe them
//! (specification, "reduce_window", C15).

/// The window along one dim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowDim {
    /// Positions in the window.
    pub size: usize,
    /// Steps between windows.
    pub stride: usize,
    /// Positions added before the first element (negative: elements dropped).
    pub low: i64,
    /// Positions added behind the last element (negative: elements dropped).
    pub high: i64,
    /// Steps between neighboring elements of the input.
    pub base_dilation: usize,
    /// Steps between neighboring positions of the window.
    pub window_dilation: usize,
}

impl WindowDim {
    /// Padding with which `num_windows` values, one per window, are slid over to give each of `size` elements what the
    /// windows that it is in have for it: windows and elements have changed places, steps and dilations too.
    pub(super) fn edges_back(&self, size: usize, num_windows: usize) -> [i64; 2] {
        let reach = ((self.size as i64) - 1) * self.window_dilation as i64;
        let spread = |count: usize, by: usize| match count as i64 {
            0 => 0,
            count => (count - 1) * by as i64 + 1,
        };
        let low = reach - self.low;
        [low, spread(size, self.base_dilation) + reach - low - spread(num_windows, self.stride)]
    }

    /// Returns whether each window is one element, in order: the dim passes through.
    pub fn is_identity(&self) -> bool {
        let one_each = [self.size, self.stride, self.base_dilation] == [1, 1, 1];
        one_each && self.low == 0 && self.high == 0
    }

    /// Returns whether windows over a dim of `size` positions end at each of them and hold all before it, or begin there and
    /// hold all behind it.
    pub fn is_running(&self, size: usize) -> bool {
        let edge = size as i64 - 1;
        size > 1
            && self.size == size
            && (self.stride, self.base_dilation, self.window_dilation) == (1, 1, 1)
            && [(edge, 0), (0, edge)].contains(&(self.low, self.high))
    }

    /// Returns whether there is neither padding nor dilation of the input.
    pub fn is_unpadded(&self) -> bool {
        self.low == 0 && self.high == 0 && self.base_dilation == 1
    }

    /// Positions of the dilated and padded input of `size` elements; negative where padding drops more than there is.
    pub fn padded_size(&self, size: usize) -> i64 {
        let gaps = || (size as i64 - 1).saturating_mul(self.base_dilation as i64);
        let dilated = if size == 0 { 0 } else { gaps().saturating_add(1) };
        dilated.saturating_add(self.low).saturating_add(self.high)
    }

    /// Positions between the first and the last of a window, both included.
    pub fn span(&self) -> usize {
        let gaps = || (self.size - 1).saturating_mul(self.window_dilation);
        if self.size == 0 { 0 } else { gaps().saturating_add(1) }
    }

    /// Number of elements of an input of `size` around the ones that a window stands for, on the wider side.
    pub fn reach(&self, size: usize) -> usize {
        let behind = (self.num_windows(size).max(1) - 1) * self.stride + self.span();
        let behind = behind as i64 - self.low - (size as i64 - 1) * self.base_dilation as i64 - 1;
        self.low.unsigned_abs().max(behind.unsigned_abs()) as usize / self.base_dilation
    }

    /// Number of windows that fit an input of `size` elements.
    pub fn num_windows(&self, size: usize) -> usize {
        let padded = usize::try_from(self.padded_size(size)).unwrap_or(0);
        match padded {
            0 => 0,
            _ if self.span() > padded => 0,
            _ => (padded - self.span()) / self.stride.max(1) + 1,
        }
    }

    /// The input element that position `tap` of window `window` sees, or none if it lies in the padding.
    pub fn element(&self, window: usize, tap: usize, size: usize) -> Option<usize> {
        let position = (window * self.stride + tap * self.window_dilation) as i64 - self.low;
        let position = usize::try_from(position).ok()?;
        let element = position / self.base_dilation;
        (position % self.base_dilation == 0 && element < size).then_some(element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_counted_as_the_specification_counts_them() {
        let mut window =
            WindowDim { size: 2, stride: 4, low: 2, high: 1, base_dilation: 2, window_dilation: 3 };
        // Three elements dilate to five positions, eight with padding; a window spans four.
        assert_eq!((window.padded_size(3), window.span(), window.num_windows(3)), (8, 4, 2));
        assert_eq!([0, 1].map(|tap| window.element(0, tap, 3)), [None, None]);
        assert_eq!([0, 1].map(|tap| window.element(1, tap, 3)), [Some(1), None]);
        window.low = -9;
        assert_eq!(window.num_windows(3), 0);
        assert_eq!(WindowDim { low: 0, high: 0, ..window }.num_windows(0), 0);
    }
}
