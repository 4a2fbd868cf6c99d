//! Ops that move elements along dims, or look at them through windows.

use super::generate::{Generator, Value, ty};

fn list(numbers: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

impl Generator {
    pub(crate) fn slice(&mut self, value: &Value) {
        let mut shape = Vec::new();
        let mut ranges = Vec::new();
        for size in &value.shape {
            let (mut start, mut limit, mut stride) = (0, *size, 1);
            if *size > 1 && self.rng.chance(35) {
                start = if self.rng.chance(30) { 0 } else { self.rng.below(*size) };
                limit = start + 1 + self.rng.below(size - start);
                stride = self.rng.pick(&[1, 1, 2, 3]);
            }
            shape.push((limit - start).div_ceil(stride));
            ranges.push(format!("{start}:{limit}:{stride}"));
        }
        let text = format!(
            "stablehlo.slice {} [{}] : ({}) -> {}",
            value.name,
            ranges.join(", "),
            ty(&value.shape),
            ty(&shape)
        );
        self.emit(&text, shape);
    }

    pub(crate) fn reverse(&mut self, value: &Value) {
        let dims: Vec<usize> = (0..value.shape.len()).filter(|_| self.rng.chance(50)).collect();
        let text = format!("stablehlo.reverse {}, dims = {dims:?} : {}", value.name, ty(&value.shape));
        self.emit(&text, value.shape.clone());
    }

    pub(crate) fn pad(&mut self, value: &Value) {
        let init = self.scalar();
        let rank = value.shape.len();
        let (mut low, mut high, mut interior) = (vec![0i64; rank], vec![0i64; rank], vec![0i64; rank]);
        let mut shape = value.shape.clone();
        for dim in 0..rank {
            if self.rng.chance(40) {
                let size = shape[dim] as i64;
                interior[dim] = self.rng.pick(&[0, 0, 1, 2]);
                low[dim] = self.rng.below(5) as i64 - 1;
                high[dim] = self.rng.below(5) as i64 - 1;
                let padded = size + (size - 1).max(0) * interior[dim] + low[dim] + high[dim];
                if padded < 1 {
                    (low[dim], high[dim]) = (0, 1);
                }
                let padded = size + (size - 1).max(0) * interior[dim] + low[dim] + high[dim];
                shape[dim] = padded as usize;
            }
        }
        let text = format!(
            "stablehlo.pad {}, {init}, low = {low:?}, high = {high:?}, interior = {interior:?} : ({}, tensor<f32>) -> {}",
            value.name,
            ty(&value.shape),
            ty(&shape)
        );
        self.emit(&text, shape);
    }

    /// With itself or with values that differ along one dim only.
    pub(crate) fn concatenate(&mut self, value: &Value) {
        if value.shape.is_empty() {
            return self.reverse(value);
        }
        let dim = self.rng.below(value.shape.len());
        let like = |other: &&Value| {
            other.shape.len() == value.shape.len()
                && (0..value.shape.len()).all(|at| at == dim || other.shape[at] == value.shape[at])
        };
        let others: Vec<Value> = self.values.iter().filter(like).cloned().collect();
        let count = 1 + self.rng.below(3);
        let mut parts: Vec<Value> = (0..count).map(|_| self.rng.pick(&others)).collect();
        let at = self.rng.below(parts.len() + 1);
        parts.insert(at, value.clone());
        self.join(&parts, dim);
    }

    /// Parts of a value side by side: rotated by some positions, its halves exchanged and one negated, continued at its
    /// ends as in a mirror, or any parts, some of them reversed.
    pub(crate) fn rearrange(&mut self, value: &Value) {
        let dims: Vec<usize> = (0..value.shape.len()).filter(|dim| value.shape[*dim] > 1).collect();
        if dims.is_empty() {
            return self.reverse(value);
        }
        let dim = self.rng.pick(&dims);
        let size = value.shape[dim];
        let by = 1 + self.rng.below(size - 1);
        let parts: Vec<(usize, usize, &str)> = match self.rng.below(4) {
            0 => vec![(size - by, size, ""), (0, size - by, "")],
            1 => vec![(size / 2, size, "negate"), (0, size / 2, "")],
            2 => vec![(1, by + 1, "reverse"), (0, size, ""), (size - 1 - by, size - 1, "reverse")],
            _ => (0..2 + self.rng.below(3))
                .map(|_| {
                    let start = self.rng.below(size);
                    let limit = start + 1 + self.rng.below(size - start);
                    (start, limit, self.rng.pick(&["", "", "reverse", "abs"]))
                })
                .collect(),
        };
        let mut made: Vec<Value> = Vec::new();
        for (start, limit, change) in parts {
            let mut part = value.clone();
            if (start, limit) != (0, size) {
                let range = |at: usize| if at == dim { (start, limit) } else { (0, value.shape[at]) };
                let ranges = (0..value.shape.len()).map(range).map(|(from, to)| format!("{from}:{to}"));
                part.shape[dim] = limit - start;
                let shape = ty(&part.shape);
                let (name, from) = (&value.name, ty(&value.shape));
                let text = format!("stablehlo.slice {name} [{}] : ({from}) -> {shape}", list(ranges));
                part = self.emit(&text, part.shape);
            }
            let dims = if change == "reverse" { format!(", dims = [{dim}]") } else { String::new() };
            if !change.is_empty() {
                let text = format!("stablehlo.{change} {}{dims} : {}", part.name, ty(&part.shape));
                part = self.emit(&text, part.shape);
            }
            made.push(part);
        }
        self.join(&made, dim);
    }

    /// Values that differ along `dim` only, side by side.
    fn join(&mut self, parts: &[Value], dim: usize) {
        let Some(first) = parts.first() else { return };
        let mut shape = first.shape.clone();
        shape[dim] = parts.iter().map(|part| part.shape[dim]).sum();
        let text = format!(
            "stablehlo.concatenate {}, dim = {dim} : ({}) -> {}",
            list(parts.iter().map(|part| &part.name)),
            list(parts.iter().map(|part| ty(&part.shape))),
            ty(&shape)
        );
        self.emit(&text, shape);
    }

    /// Sums or maxima of windows along some dims.
    pub(crate) fn windows(&mut self, value: &Value) {
        let rank = value.shape.len();
        let (mut sizes, mut strides) = (vec![1; rank], vec![1; rank]);
        let (mut bases, mut dilations, mut padding) =
            (vec![1; rank], vec![1; rank], vec![(0i64, 0i64); rank]);
        let mut shape = value.shape.clone();
        for dim in 0..rank {
            if shape[dim] == 0 || !self.rng.chance(50) {
                continue;
            }
            sizes[dim] = 1 + self.rng.below(4);
            strides[dim] = self.rng.pick(&[1, 1, 2, 3]);
            bases[dim] = self.rng.pick(&[1, 1, 1, 2]);
            dilations[dim] = self.rng.pick(&[1, 1, 1, 2]);
            padding[dim] = (self.rng.below(5) as i64 - 1, self.rng.below(5) as i64 - 1);
            let span = (sizes[dim] - 1) * dilations[dim] + 1;
            let padded = |(low, high): (i64, i64)| ((shape[dim] - 1) * bases[dim] + 1) as i64 + low + high;
            if padded(padding[dim]) < span as i64 {
                padding[dim] = (span as i64, 0);
            }
            shape[dim] = (padded(padding[dim]) as usize - span) / strides[dim] + 1;
        }
        let name = self.rng.pick(&["add", "add", "maximum", "minimum"]);
        let init = self.scalar();
        self.reduce_window(value, name, init, [&sizes, &strides, &bases, &dilations], &padding, &shape);
    }

    fn reduce_window(
        &mut self,
        value: &Value,
        name: &str,
        init: &str,
        [sizes, strides, bases, dilations]: [&[usize]; 4],
        padding: &[(i64, i64)],
        shape: &[usize],
    ) {
        if shape.is_empty() {
            return self.reverse(value);
        }
        let array = |numbers: &[usize]| format!("array<i64: {}>", list(numbers));
        let padding = list(padding.iter().map(|(low, high)| format!("[{low}, {high}]")));
        let text = format!(
            "\"stablehlo.reduce_window\"({0}, {init}) <{{base_dilations = {1}, padding = dense<[{padding}]> : tensor<{2}x2xi64>, window_dilations = {3}, window_dimensions = {4}, window_strides = {5}}}> ({{\n    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n      %s = stablehlo.{name} %a, %b : tensor<f32>\n      stablehlo.return %s : tensor<f32>\n    }}) : ({6}, tensor<f32>) -> {7}",
            value.name,
            array(bases),
            shape.len(),
            array(dilations),
            array(sizes),
            array(strides),
            ty(&value.shape),
            ty(shape)
        );
        self.emit(&text, shape.to_vec());
    }

    /// A cumulative sum along one dim, as JAX writes it, forward or from behind.
    pub(crate) fn cumulative(&mut self, value: &Value) {
        if value.shape.is_empty() {
            return self.reverse(value);
        }
        let (rank, dim) = (value.shape.len(), self.rng.below(value.shape.len()));
        let init = self.scalar();
        let (ones, mut sizes, mut padding) = (vec![1; rank], vec![1; rank], vec![(0, 0); rank]);
        let edge = value.shape[dim] as i64 - 1;
        sizes[dim] = value.shape[dim].max(1);
        padding[dim] = if self.rng.chance(60) { (edge, 0) } else { (0, edge) };
        self.reduce_window(value, "add", init, [&sizes, &ones, &ones, &ones], &padding, &value.shape);
    }

    /// A convolution of a value of three or four dims with a new kernel argument, or with another value as kernel.
    pub(crate) fn convolution(&mut self, value: &Value) {
        let [batch, features, spatial @ ..] = value.shape.as_slice() else { return self.windows(value) };
        if spatial.is_empty() || spatial.len() > 2 || value.shape.contains(&0) {
            return self.windows(value);
        }
        let groups = if features.is_multiple_of(2) && self.rng.chance(25) { 2 } else { 1 };
        let out = groups * self.rng.pick(&[1, 2, 3, 4]);
        let mut result = vec![*batch, out];
        let mut kernel = vec![out, features / groups];
        let (mut strides, mut pads) = (Vec::new(), Vec::new());
        let (mut bases, mut dilations, mut reversed) = (Vec::new(), Vec::new(), Vec::new());
        for size in spatial {
            // Sometimes as large as the input: such a kernel is summed over on its shards.
            let taps = if self.rng.chance(30) { *size } else { 1 + self.rng.below(4) };
            let stride = self.rng.pick(&[1, 1, 2]);
            let base = self.rng.pick(&[1, 1, 1, 2]);
            let dilation = self.rng.pick(&[1, 1, 1, 2]);
            let mut pad = (self.rng.below(4) as i64 - 1, self.rng.below(4) as i64 - 1);
            let span = (taps - 1) * dilation + 1;
            let padded = |(low, high): (i64, i64)| ((size - 1) * base + 1) as i64 + low + high;
            if padded(pad) < span as i64 {
                pad = (span as i64, 0);
            }
            result.push((padded(pad) as usize - span) / stride + 1);
            kernel.push(taps);
            strides.push(stride);
            pads.push(format!("[{}, {}]", pad.0, pad.1));
            bases.push(base);
            dilations.push(dilation);
            reversed.push(self.rng.chance(25));
        }
        if result.iter().product::<usize>() * kernel.iter().product::<usize>() > 200_000 {
            return self.windows(value);
        }
        let kernel = self.argument(kernel);
        let dims = list(0..spatial.len());
        let text = format!(
            "stablehlo.convolution({}, {}) dim_numbers = [b, f, {dims}]x[o, i, {dims}]->[b, f, {dims}], window = {{stride = [{}], pad = [{}], lhs_dilate = [{}], rhs_dilate = [{}], reverse = [{}]}} {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({}, {}) -> {}",
            value.name,
            kernel.name,
            list(strides),
            list(pads),
            list(bases),
            list(dilations),
            list(reversed),
            ty(&value.shape),
            ty(&kernel.shape),
            ty(&result)
        );
        self.emit(&text, result);
    }
}
