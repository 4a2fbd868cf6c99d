//! Ops that choose among elements: positions of extremes and other reducers that collectives do not know, the largest
//! elements, elements in order, gradients of pooling.

use super::generate::{Generator, Value, ty, typed};
use std::fmt::Write as _;

/// `list(["1", "2"])` is `1, 2`.
fn list(numbers: &[impl std::fmt::Display]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Generator {
    /// A reduction over some dims by a reducer that keeps positions, counts, or takes the first of its kind.
    pub(crate) fn choose_along(&mut self, value: &Value) {
        let dims: Vec<usize> = (0..value.shape.len()).filter(|_| self.rng.chance(50)).collect();
        let kept = value.shape.iter().enumerate().filter(|(dim, _)| !dims.contains(dim));
        let shape: Vec<usize> = kept.map(|(_, size)| *size).collect();
        match self.rng.below(4) {
            2 if !value.shape.is_empty() => self.first_so_far(value),
            0 if !value.shape.is_empty() => self.extreme(value, &dims, shape),
            1 => self.sum_and_count(value, &dims, shape),
            _ => self.first_of_all(value, &dims, shape),
        }
    }

    /// The extreme element and its position along a dim.
    fn extreme(&mut self, value: &Value, dims: &[usize], shape: Vec<usize>) {
        let along = self.rng.below(value.shape.len());
        let (direction, start) = self.rng.pick(&[("GT", "0xFF800000"), ("LT", "0x7F800000")]);
        let (of, name) = (ty(&value.shape), format!("%e{}", self.next));
        let (whole, positions) = (typed(&value.shape, "i32"), typed(&shape, "i32"));
        let _ = writeln!(
            self.body,
            "    {name}_at = stablehlo.iota dim = {along} : {whole}
    {name}_start = stablehlo.constant dense<{start}> : tensor<f32>
    {name}_zero = stablehlo.constant dense<0> : tensor<i32>
    {name}:2 = stablehlo.reduce({0} init: {name}_start), ({name}_at init: {name}_zero) across dimensions = {dims:?} : ({of}, {whole}, tensor<f32>, tensor<i32>) -> ({1}, {positions})
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {{
      %beats = stablehlo.compare {direction}, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %nan = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %wins = stablehlo.or %beats, %nan : tensor<i1>
      %same = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %before = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %first = stablehlo.and %same, %before : tensor<i1>
      %left = stablehlo.or %wins, %first : tensor<i1>
      %value = stablehlo.select %wins, %a, %b : tensor<i1>, tensor<f32>
      %place = stablehlo.select %left, %p, %q : tensor<i1>, tensor<i32>
      stablehlo.return %value, %place : tensor<f32>, tensor<i32>
    }}",
            value.name,
            ty(&shape),
        );
        self.values_and_positions(&name, shape);
    }

    /// The sum of the elements and how many there are.
    fn sum_and_count(&mut self, value: &Value, dims: &[usize], shape: Vec<usize>) {
        let (zero, of, to) = (self.scalar(), ty(&value.shape), ty(&shape));
        let one = self.emit("stablehlo.constant dense<1.0> : tensor<f32>", Vec::new());
        let ones = format!("stablehlo.broadcast_in_dim {}, dims = [] : (tensor<f32>) -> {of}", one.name);
        let ones = self.emit(&ones, value.shape.clone());
        let name = format!("%e{}", self.next);
        let _ = writeln!(
            self.body,
            "    {name}:2 = stablehlo.reduce({} init: {zero}), ({} init: {zero}) across dimensions = {dims:?} : ({of}, {of}, tensor<f32>, tensor<f32>) -> ({to}, {to})
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<f32>, %n: tensor<f32>) {{
      %sum = stablehlo.add %a, %b : tensor<f32>
      %count = stablehlo.add %m, %n : tensor<f32>
      stablehlo.return %sum, %count : tensor<f32>, tensor<f32>
    }}",
            value.name, ones.name,
        );
        self.emit(&format!("stablehlo.subtract {name}#0, {name}#1 : {to}"), shape);
    }

    /// The first element above zero, if there is one: the order of the elements matters.
    fn first_of_all(&mut self, value: &Value, dims: &[usize], shape: Vec<usize>) {
        let name = format!("%e{}", self.next);
        let _ = writeln!(self.body, "    {name} = stablehlo.constant dense<0.0> : tensor<f32>");
        let text = format!(
            "stablehlo.reduce({} init: {name}) across dimensions = {dims:?} : ({}, tensor<f32>) -> {}
     reducer(%a: tensor<f32>, %b: tensor<f32>) {{
      %none = stablehlo.constant dense<0.0> : tensor<f32>
      %found = stablehlo.compare GT, %a, %none : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %or_next = stablehlo.maximum %b, %none : tensor<f32>
      %first = stablehlo.select %found, %a, %or_next : tensor<i1>, tensor<f32>
      stablehlo.return %first : tensor<f32>
    }}",
            value.name,
            ty(&value.shape),
            ty(&shape),
        );
        self.emit(&text, shape);
    }

    /// The first element above zero up to each position along a dim, or from it on.
    fn first_so_far(&mut self, value: &Value) {
        let (rank, dim) = (value.shape.len(), self.rng.below(value.shape.len()));
        let size = value.shape[dim].max(1);
        let (mut sizes, mut padding) = (vec![1; rank], vec![[0, 0]; rank]);
        sizes[dim] = size;
        padding[dim] = if self.rng.chance(50) { [size - 1, 0] } else { [0, size - 1] };
        let (name, of) = (format!("%e{}", self.next), ty(&value.shape));
        let edges: Vec<String> = padding.iter().map(|pair| format!("{pair:?}")).collect();
        let _ = writeln!(self.body, "    {name} = stablehlo.constant dense<0.0> : tensor<f32>");
        let text = format!(
            "\"stablehlo.reduce_window\"({}, {name}) <{{padding = dense<[{}]> : tensor<{rank}x2xi64>, window_dimensions = array<i64: {}>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %none = stablehlo.constant dense<0.0> : tensor<f32>
      %found = stablehlo.compare GT, %a, %none : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %or_next = stablehlo.maximum %b, %none : tensor<f32>
      %first = stablehlo.select %found, %a, %or_next : tensor<i1>, tensor<f32>
      stablehlo.return %first : tensor<f32>
    }}) : ({of}, tensor<f32>) -> {of}",
            value.name,
            list(&edges),
            list(&sizes),
        );
        self.emit(&text, value.shape.clone());
    }

    /// Elements in order along a dim, or those of the value in the order of an argument's.
    pub(crate) fn sort(&mut self, value: &Value) {
        if value.shape.is_empty() {
            return self.choose_along(value);
        }
        let dim = self.rng.below(value.shape.len());
        let direction = self.rng.pick(&["LT", "GT"]);
        let of = ty(&value.shape);
        let operation = |operands: &str, others: &str, of: &str, to: &str| {
            format!(
                "\"stablehlo.sort\"({operands}) <{{dimension = {dim} : i64, is_stable = true}}> ({{
    ^bb0(%l: tensor<f32>, %r: tensor<f32>{others}):
      %before = stablehlo.compare {direction}, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %before : tensor<i1>
    }}) : ({of}) -> {to}"
            )
        };
        if self.rng.chance(50) {
            self.emit(&operation(&value.name, "", &of, &of), value.shape.clone());
            return;
        }
        // Values that are equal but for rounding may come in any order.
        let keys = self.argument(value.shape.clone()).name;
        let (both, others) = (format!("{of}, {of}"), ", %p: tensor<f32>, %q: tensor<f32>");
        let text = operation(&format!("{keys}, {}", value.name), others, &both, &format!("({both})"));
        let name = self.hidden_pair(&text);
        for index in 0..2 {
            self.values.push(Value { name: format!("{name}#{index}"), shape: value.shape.clone() });
        }
    }

    /// The largest elements along the last dim and their positions.
    pub(crate) fn largest(&mut self, value: &Value) {
        let Some((last, rows)) = value.shape.split_last() else { return self.choose_along(value) };
        let k = 1 + self.rng.below(3);
        if k > *last {
            return self.choose_along(value);
        }
        let (shape, name) = ([rows, &[k]].concat(), format!("%e{}", self.next));
        let _ = writeln!(
            self.body,
            "    {name}:2 = chlo.top_k({}, k = {k}) : {} -> ({}, {})",
            value.name,
            ty(&value.shape),
            ty(&shape),
            typed(&shape, "i32"),
        );
        self.values_and_positions(&name, shape);
    }

    /// The product of the first result of `name` and the second, which is of integers.
    fn values_and_positions(&mut self, name: &str, shape: Vec<usize>) {
        let to = ty(&shape);
        let text = format!("stablehlo.convert {name}#1 : ({}) -> {to}", typed(&shape, "i32"));
        let positions = self.emit(&text, shape.clone());
        self.emit(&format!("stablehlo.add {name}#0, {} : {to}", positions.name), shape);
    }

    /// The gradient of pooling by selection: the values of windows, a new argument, go to the elements selected.
    pub(crate) fn pooling_gradient(&mut self, value: &Value) {
        let rank = value.shape.len();
        if rank == 0 || value.shape.contains(&0) {
            return self.choose_along(value);
        }
        let (mut sizes, mut strides, mut padding) = (vec![1; rank], vec![1; rank], vec![(0i64, 0i64); rank]);
        let mut windows = value.shape.clone();
        for dim in 0..rank {
            if !self.rng.chance(60) {
                continue;
            }
            sizes[dim] = 1 + self.rng.below(4);
            strides[dim] = self.rng.pick(&[1, 2, 2, 3]);
            if self.rng.chance(50) {
                padding[dim] = (self.rng.below(4) as i64 - 1, self.rng.below(4) as i64 - 1);
            }
            let padded = |(low, high): (i64, i64)| windows[dim] as i64 + low + high;
            if padded(padding[dim]) < sizes[dim] as i64 {
                padding[dim] = (sizes[dim] as i64, 0);
            }
            windows[dim] = (padded(padding[dim]) as usize - sizes[dim]) / strides[dim] + 1;
        }
        let (source, init) = (self.argument(windows), self.scalar());
        let (select, scatter) =
            (self.rng.pick(&["GE", "GT", "LE"]), self.rng.pick(&["add", "add", "maximum", "subtract"]));
        let edges: Vec<String> = padding.iter().map(|(low, high)| format!("[{low}, {high}]")).collect();
        let text = format!(
            "\"stablehlo.select_and_scatter\"({0}, {1}, {init}) <{{padding = dense<[{2}]> : tensor<{rank}x2xi64>, window_dimensions = array<i64: {3}>, window_strides = array<i64: {4}>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.compare {select}, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }}, {{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.{scatter} %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : ({5}, {6}, tensor<f32>) -> {5}",
            value.name,
            source.name,
            list(&edges),
            list(&sizes),
            list(&strides),
            ty(&value.shape),
            ty(&source.shape),
        );
        self.emit(&text, value.shape.clone());
    }
}
