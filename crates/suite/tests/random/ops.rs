//! Ops that neither move elements along their dims nor look at them through windows.

use super::generate::{Generator, Value, ty, typed};
use std::fmt::Write as _;

impl Generator {
    /// Appends a random op.
    pub(crate) fn op(&mut self) {
        let value = {
            let recent = self.values.len().min(5);
            let at = self.values.len() - 1 - self.rng.below(recent);
            self.values[at].clone()
        };
        let elements: usize = value.shape.iter().product();
        match self.rng.below(46) {
            0 if elements <= 600 => self.accumulate(&value),
            1 | 2 => self.binary(&value),
            3 => self.transpose(&value),
            4 | 5 => self.reshape(&value),
            6 if elements <= 600 => self.broadcast(&value),
            7 | 8 => self.reduce(&value),
            9..=12 => self.dot(&value),
            13 => self.slice(&value),
            14 if elements <= 600 => self.concatenate(&value),
            15 => self.iota(&value),
            16 => self.gather(&value),
            17 => self.scatter(&value),
            18 => self.dynamic(&value),
            19 => self.repeat(&value),
            20 => self.select(&value),
            21 => self.cumulative(&value),
            22 | 23 if elements <= 600 => self.windows(&value),
            24 | 25 => self.convolution(&value),
            26 => self.reverse(&value),
            27 if elements <= 600 => self.pad(&value),
            28 if elements <= 600 => self.concatenate(&value),
            29 => self.choose(&value),
            30 | 31 if elements <= 600 => self.rearrange(&value),
            32 => self.choose_along(&value),
            33 => self.largest(&value),
            34 if elements <= 600 => self.pooling_gradient(&value),
            35 | 36 if elements <= 2000 => self.complex_chain(&value),
            37 | 38 => self.factorize(&value),
            39 if elements <= 2000 => self.normalize(&value),
            40 | 41 if elements <= 2000 => self.random_bits(&value),
            42 => self.sort(&value),
            43 => self.clamp(&value),
            44 => self.barrier(&value),
            45 => self.reduce_precision(&value),
            _ => self.unary(&value),
        }
    }

    /// A case of two or three branches, each of some ops that keep the shape of `value`.
    fn choose(&mut self, value: &Value) {
        let which = self.indices(Vec::new());
        // Constants must stand where all branches see them.
        self.scalar();
        let before = self.values.len();
        let (name, shape) = (format!("%b{}", self.next), ty(&value.shape));
        self.next += 1;
        let _ = writeln!(self.body, "    {name} = \"stablehlo.case\"({which}) ({{");
        for branch in 0..2 + self.rng.below(2) {
            if branch > 0 {
                self.body.push_str("    }, {\n");
            }
            let mut last = value.clone();
            for _ in 0..self.rng.below(3) {
                match self.rng.below(5) {
                    0 => self.unary(&last),
                    1 => self.binary(&last),
                    2 => self.cumulative(&last),
                    3 => self.reverse(&last),
                    _ => self.constraint(),
                }
                last = self.values.last().filter(|made| made.shape == value.shape).unwrap_or(&last).clone();
            }
            let _ = writeln!(self.body, "      stablehlo.return {} : {shape}", last.name);
            self.values.truncate(before);
        }
        let _ = writeln!(self.body, "    }}) : (tensor<i32>) -> {shape}");
        self.values.push(Value { name, shape: value.shape.clone() });
    }

    pub(crate) fn unary(&mut self, value: &Value) {
        let name = self.rng.pick(&["tanh", "negate", "abs", "cosine"]);
        self.emit(&format!("stablehlo.{name} {} : {}", value.name, ty(&value.shape)), value.shape.clone());
    }

    fn binary(&mut self, value: &Value) {
        let same: Vec<Value> =
            self.values.iter().filter(|other| other.shape == value.shape).cloned().collect();
        let other = self.rng.pick(&same);
        let name = self.rng.pick(&["add", "multiply", "subtract", "maximum"]);
        let text = format!("stablehlo.{name} {}, {} : {}", value.name, other.name, ty(&value.shape));
        self.emit(&text, value.shape.clone());
    }

    /// Between scalars or values of its shape; the lower bound is the smaller one.
    fn clamp(&mut self, value: &Value) {
        let shape = if self.rng.chance(50) { value.shape.clone() } else { Vec::new() };
        let (of, bound) = (ty(&value.shape), ty(&shape));
        let high = self.argument(shape.clone());
        let low = self.emit(&format!("stablehlo.negate {} : {bound}", high.name), shape).name;
        let text = format!(
            "stablehlo.clamp {low}, {}, {} : ({bound}, {of}, {bound}) -> {of}",
            value.name, high.name
        );
        self.emit(&text, value.shape.clone());
    }

    /// The value and another one, held together.
    fn barrier(&mut self, value: &Value) {
        let other = self.rng.pick(&self.values);
        let text = format!(
            "stablehlo.optimization_barrier {}, {} : {}, {}",
            value.name,
            other.name,
            ty(&value.shape),
            ty(&other.shape)
        );
        let name = self.hidden_pair(&text);
        for (index, shape) in [value.shape.clone(), other.shape].into_iter().enumerate() {
            self.values.push(Value { name: format!("{name}#{index}"), shape });
        }
    }

    fn reduce_precision(&mut self, value: &Value) {
        let format = self.rng.pick(&["e8m7", "e8m10", "e8m3"]);
        let text =
            format!("stablehlo.reduce_precision {}, format = {format} : {}", value.name, ty(&value.shape));
        self.emit(&text, value.shape.clone());
    }

    fn transpose(&mut self, value: &Value) {
        let mut order: Vec<usize> = (0..value.shape.len()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, self.rng.below(at + 1));
        }
        let shape: Vec<usize> = order.iter().map(|dim| value.shape[*dim]).collect();
        let text = format!(
            "stablehlo.transpose {}, dims = {order:?} : ({}) -> {}",
            value.name,
            ty(&value.shape),
            ty(&shape)
        );
        self.emit(&text, shape);
    }

    fn reshape(&mut self, value: &Value) {
        let mut shape = value.shape.clone();
        if shape.len() > 1 && self.rng.chance(50) {
            let at = self.rng.below(shape.len() - 1);
            shape[at] *= shape.remove(at + 1);
        } else if !shape.is_empty() && shape.len() < 5 {
            let at = self.rng.below(shape.len());
            let parts: Vec<usize> = (1..=shape[at]).filter(|part| shape[at].is_multiple_of(*part)).collect();
            let part = self.rng.pick(&parts);
            shape[at] /= part;
            shape.insert(at, part);
        }
        let text = format!("stablehlo.reshape {} : ({}) -> {}", value.name, ty(&value.shape), ty(&shape));
        self.emit(&text, shape);
    }

    fn broadcast(&mut self, value: &Value) {
        let at = self.rng.below(value.shape.len() + 1);
        let mut shape = value.shape.clone();
        for size in &mut shape {
            if *size == 1 && self.rng.chance(50) {
                *size = 4;
            }
        }
        let size = self.rng.pick(&[2, 3, 4]);
        shape.insert(at, size);
        let dims: Vec<usize> = (0..shape.len()).filter(|dim| *dim != at).collect();
        let text = format!(
            "stablehlo.broadcast_in_dim {}, dims = {dims:?} : ({}) -> {}",
            value.name,
            ty(&value.shape),
            ty(&shape)
        );
        self.emit(&text, shape);
    }

    fn reduce(&mut self, value: &Value) {
        let dims: Vec<usize> = (0..value.shape.len()).filter(|_| self.rng.chance(50)).collect();
        let shape: Vec<usize> = value
            .shape
            .iter()
            .enumerate()
            .filter(|(dim, _)| !dims.contains(dim))
            .map(|(_, size)| *size)
            .collect();
        let name = self.rng.pick(&["add", "add", "maximum", "minimum"]);
        let init = self.scalar();
        let text = format!(
            "stablehlo.reduce({} init: {init}) applies stablehlo.{name} across dimensions = {dims:?} : ({}, tensor<f32>) -> {}",
            value.name,
            ty(&value.shape),
            ty(&shape)
        );
        self.emit(&text, shape);
    }

    /// A product with a new argument over one or two dims, possibly batched over one.
    fn dot(&mut self, value: &Value) {
        let mut order: Vec<usize> = (0..value.shape.len()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, self.rng.below(at + 1));
        }
        let num_contracting = self.rng.below(3).min(order.len());
        let num_batch = self.rng.below(2).min(order.len() - num_contracting);
        let contracting = order[..num_contracting].to_vec();
        let batch = order[num_contracting..num_contracting + num_batch].to_vec();
        let free = self.size();
        // The new argument is [batch, free, contracting].
        let sizes = |dims: &[usize]| -> Vec<usize> { dims.iter().map(|dim| value.shape[*dim]).collect() };
        let right_shape = [sizes(&batch), vec![free], sizes(&contracting)].concat();
        let left_free: usize = (0..value.shape.len())
            .filter(|dim| !contracting.contains(dim) && !batch.contains(dim))
            .map(|dim| value.shape[dim])
            .product();
        if left_free * free * sizes(&batch).iter().product::<usize>() > 4000 {
            return self.unary(value);
        }
        let right = self.argument(right_shape.clone());
        let right_contracting: Vec<usize> = (0..num_contracting).map(|at| num_batch + 1 + at).collect();
        let right_batch: Vec<usize> = (0..num_batch).collect();
        let rest: Vec<usize> =
            (0..value.shape.len()).filter(|dim| !contracting.contains(dim) && !batch.contains(dim)).collect();
        let shape = [sizes(&batch), sizes(&rest), vec![free]].concat();
        let batching = match num_batch {
            0 => String::new(),
            _ => format!(", batching_dims = {batch:?} x {right_batch:?}"),
        };
        let text = format!(
            "stablehlo.dot_general {}, {}{batching}, contracting_dims = {contracting:?} x {right_contracting:?} : ({}, {}) -> {}",
            value.name,
            right.name,
            ty(&value.shape),
            ty(&right_shape),
            ty(&shape)
        );
        self.emit(&text, shape);
    }

    fn iota(&mut self, value: &Value) {
        if value.shape.is_empty() {
            return self.unary(value);
        }
        let dim = self.rng.below(value.shape.len());
        let iota =
            self.emit(&format!("stablehlo.iota dim = {dim} : {}", ty(&value.shape)), value.shape.clone());
        let text = format!("stablehlo.multiply {}, {} : {}", value.name, iota.name, ty(&value.shape));
        self.emit(&text, value.shape.clone());
    }

    /// Rows of the value chosen by a new index argument, as an embedding does.
    fn gather(&mut self, value: &Value) {
        let [rows, width] = value.shape[..] else {
            return self.unary(value);
        };
        if width > 0 && self.rng.chance(40) {
            return self.row_by_row(value, rows, width);
        }
        let count = self.size();
        let indices = self.indices(vec![count, 1]);
        let text = format!(
            "\"stablehlo.gather\"({}, {indices}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, {width}>}}> : ({}, tensor<{count}x1xi32>) -> {}",
            value.name,
            ty(&[rows, width]),
            ty(&[count, width])
        );
        self.emit(&text, vec![count, width]);
    }

    /// Of each row the element at a place of its own, and the value with it written elsewhere. The rows are batching dims,
    /// or an index that counts them.
    fn row_by_row(&mut self, value: &Value, rows: usize, width: usize) {
        let batching =
            |side: &str, indices: &str| format!("{side}_batching_dims = [0], {indices}_batching_dims = [0]");
        let is_counted = self.rng.chance(50);
        let components = if is_counted { 2 } else { 1 };
        let mut places = || {
            let places = self.indices(vec![rows, 1]);
            if !is_counted {
                return places;
            }
            let (counted, joined) = (format!("%n{}", self.next), format!("%p{}", self.next));
            self.next += 1;
            let one = format!("tensor<{rows}x1xi32>");
            let _ = writeln!(
                self.body,
                "    {counted} = stablehlo.iota dim = 0 : {one}\n    {joined} = stablehlo.concatenate {counted}, {places}, dim = 1 : ({one}, {one}) -> tensor<{rows}x2xi32>"
            );
            joined
        };
        let (from, to) = (places(), places());
        let (whole, column) = (ty(&[rows, width]), ty(&[rows, 1]));
        let dims = match is_counted {
            true => "collapsed_slice_dims = [0], start_index_map = [0, 1]".to_owned(),
            false => format!("{}, start_index_map = [1]", batching("operand", "start_indices")),
        };
        let text = format!(
            "\"stablehlo.gather\"({}, {from}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], {dims}, index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}> : ({whole}, tensor<{rows}x{components}xi32>) -> {column}",
            value.name
        );
        let read = self.emit(&text, vec![rows, 1]);
        let dims = match is_counted {
            true => "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1]".to_owned(),
            false => format!("{}, scatter_dims_to_operand_dims = [1]", batching("input", "scatter_indices")),
        };
        let text = format!(
            "\"stablehlo.scatter\"({}, {to}, {}) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], {dims}, index_vector_dim = 1>}}> ({{\n    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n      stablehlo.return %b : tensor<f32>\n    }}) : ({whole}, tensor<{rows}x{components}xi32>, {column}) -> {whole}",
            value.name, read.name
        );
        self.emit(&text, vec![rows, width]);
    }

    /// The value's rows added to rows of another one, chosen by a new index argument.
    fn scatter(&mut self, value: &Value) {
        let [count, width] = value.shape[..] else {
            return self.unary(value);
        };
        let rows = self.size();
        let target = if self.rng.chance(50) {
            let zero = self.scalar();
            let text = format!(
                "stablehlo.broadcast_in_dim {zero}, dims = [] : (tensor<f32>) -> {}",
                ty(&[rows, width])
            );
            self.emit(&text, vec![rows, width])
        } else {
            self.argument(vec![rows, width])
        };
        let indices = self.indices(vec![count, 1]);
        let text = format!(
            "\"stablehlo.scatter\"({}, {indices}, {}) <{{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}}> ({{\n    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n      %s = stablehlo.add %a, %b : tensor<f32>\n      stablehlo.return %s : tensor<f32>\n    }}) : ({}, tensor<{count}x1xi32>, {}) -> {}",
            target.name,
            value.name,
            ty(&[rows, width]),
            ty(&[count, width]),
            ty(&[rows, width])
        );
        self.emit(&text, vec![rows, width]);
    }

    /// A dynamic slice and its write-back at another place. The window is smaller than the value along any dims.
    fn dynamic(&mut self, value: &Value) {
        if value.shape.is_empty() {
            return self.unary(value);
        }
        let mut sizes = value.shape.clone();
        for size in sizes.iter_mut().filter(|size| **size > 0) {
            *size = if self.rng.chance(40) { *size } else { 1 + self.rng.below(*size) };
        }
        let _ = writeln!(self.body, "    %c{0} = stablehlo.constant dense<0> : tensor<i32>", self.next);
        let zero = format!("%c{}", self.next);
        let rank = sizes.len();
        let mut starts = || -> Vec<String> {
            (0..rank)
                .map(|_| if self.rng.chance(60) { self.indices(Vec::new()) } else { zero.clone() })
                .collect()
        };
        let (from, to) = (starts(), starts());
        let index_types = vec!["tensor<i32>"; rank].join(", ");
        let text = format!(
            "stablehlo.dynamic_slice {}, {}, sizes = {sizes:?} : ({}, {index_types}) -> {}",
            value.name,
            from.join(", "),
            ty(&value.shape),
            ty(&sizes)
        );
        let part = self.emit(&text, sizes.clone());
        let text = format!(
            "stablehlo.dynamic_update_slice {0}, {1}, {2} : ({3}, {4}, {index_types}) -> {3}",
            value.name,
            part.name,
            to.join(", "),
            ty(&value.shape),
            ty(&sizes)
        );
        self.emit(&text, value.shape.clone());
    }

    fn select(&mut self, value: &Value) {
        let n = self.next;
        let _ = writeln!(
            self.body,
            "    %m{n} = stablehlo.compare GT, {0}, {0}, FLOAT : ({1}, {1}) -> {2}\n    %l{n} = stablehlo.tanh {0} : {1}",
            value.name,
            ty(&value.shape),
            typed(&value.shape, "i1")
        );
        let text = format!(
            "stablehlo.select %m{n}, {}, %l{n} : {}, {}",
            value.name,
            typed(&value.shape, "i1"),
            ty(&value.shape)
        );
        self.emit(&text, value.shape.clone());
    }
}
