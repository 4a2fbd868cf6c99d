//! Random small programs with random meshes and annotations, as StableHLO text.
//!
//! A program is a chain of random ops over the arguments and earlier values; all of it is drawn from one seed, and a
//! smaller `num_ops` of the same seed gives a prefix of the same program, which is how failures are made smaller.

use super::rng::Rng;
use std::fmt::Write as _;

/// A float value in scope.
#[derive(Clone)]
struct Value {
    name: String,
    shape: Vec<usize>,
}

/// A program being written.
pub(crate) struct Generator {
    rng: Rng,
    /// Type and shape of each argument; `i32` ones are indices.
    arguments: Vec<(&'static str, Vec<usize>)>,
    body: String,
    values: Vec<Value>,
    next: usize,
    mesh: Vec<(&'static str, usize)>,
    zero: bool,
}

/// The text of program number `seed` with `num_ops` ops, and how many devices its mesh has.
pub(crate) fn program(seed: u64, num_ops: usize) -> (String, usize) {
    let mut generator = Generator {
        rng: Rng::new(seed),
        arguments: Vec::new(),
        body: String::new(),
        values: Vec::new(),
        next: 0,
        mesh: Vec::new(),
        zero: false,
    };
    generator.run(num_ops)
}

fn ty(shape: &[usize]) -> String {
    typed(shape, "f32")
}

fn typed(shape: &[usize], element: &str) -> String {
    let mut text = String::from("tensor<");
    for size in shape {
        let _ = write!(text, "{size}x");
    }
    text + element + ">"
}

impl Generator {
    fn run(&mut self, num_ops: usize) -> (String, usize) {
        let meshes: [&[(&'static str, usize)]; 12] = [
            &[("x", 2)],
            &[("x", 3)],
            &[("x", 4)],
            &[("x", 2), ("y", 2)],
            &[("x", 3), ("y", 2)],
            &[("x", 6)],
            &[("x", 2), ("y", 4)],
            &[("x", 2), ("y", 2), ("z", 2)],
            &[("x", 4), ("y", 2)],
            &[("x", 3), ("y", 3)],
            &[("x", 2), ("y", 3), ("z", 2)],
            &[("x", 2), ("y", 2), ("z", 2), ("w", 2)],
        ];
        self.mesh = self.rng.pick(&meshes).to_vec();
        // Annotations come from a generator of their own, so that a prefix of the ops keeps them.
        let mut annotations = Rng::new(self.rng.next());
        let first = self.shape(2);
        self.argument(first);
        let second = self.shape(3);
        self.argument(second);
        for _ in 0..num_ops {
            self.op();
        }
        let num_results = self.values.len().min(2);
        let results: Vec<Value> = self.values[self.values.len() - num_results..].to_vec();
        let mut text = String::from("module {\n  sdy.mesh @mesh = <[");
        for (index, (name, size)) in self.mesh.iter().enumerate() {
            let _ = write!(text, "{}\"{name}\"={size}", if index == 0 { "" } else { ", " });
        }
        text.push_str("]>\n  func.func public @main(");
        for (index, (element, shape)) in self.arguments.clone().iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            let _ = write!(text, "{separator}%arg{index}: {}", typed(shape, element));
            if annotations.chance(65) {
                let sharding = self.sharding(&mut annotations, shape);
                let _ = write!(text, " {{sdy.sharding = #sdy.sharding<{sharding}>}}");
            }
        }
        text.push_str(") -> (");
        for (index, value) in results.iter().enumerate() {
            let _ = write!(text, "{}{}", if index == 0 { "" } else { ", " }, ty(&value.shape));
            if annotations.chance(40) {
                let sharding = self.sharding(&mut annotations, &value.shape);
                let _ = write!(text, " {{sdy.sharding = #sdy.sharding<{sharding}>}}");
            }
        }
        text.push_str(") {\n");
        text.push_str(&self.body);
        let names: Vec<&str> = results.iter().map(|value| value.name.as_str()).collect();
        let types: Vec<String> = results.iter().map(|value| ty(&value.shape)).collect();
        let _ = writeln!(text, "    return {} : {}\n  }}\n}}", names.join(", "), types.join(", "));
        (text, self.mesh.iter().map(|(_, size)| size).product())
    }

    /// `@mesh, [{"x"}, {?}]`; in one of three the axes need not divide the dims.
    fn sharding(&self, rng: &mut Rng, shape: &[usize]) -> String {
        let mut free: Vec<(&str, usize)> = self.mesh.clone();
        let mut dims = Vec::new();
        let may_pad = rng.chance(33);
        for size in shape {
            let (mut axes, mut rest) = (Vec::new(), *size);
            while !free.is_empty() && rng.chance(50) {
                let (name, parts) = free.remove(rng.below(free.len()));
                if may_pad || rest.is_multiple_of(parts) && rest > 0 {
                    rest = rest.div_ceil(parts);
                    axes.push(format!("\"{name}\""));
                } else if parts == 4 && rest.is_multiple_of(2) && rest > 0 {
                    rest /= 2;
                    axes.push(format!("\"{name}\":(1)2"));
                }
            }
            if rng.chance(50) {
                axes.push("?".into());
            }
            dims.push(format!("{{{}}}", axes.join(", ")));
        }
        format!("@mesh, [{}]", dims.join(", "))
    }

    fn size(&mut self) -> usize {
        self.rng.pick(&[1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12])
    }

    fn shape(&mut self, rank: usize) -> Vec<usize> {
        (0..rank).map(|_| self.size()).collect()
    }

    fn argument(&mut self, shape: Vec<usize>) -> Value {
        let value = Value { name: format!("%arg{}", self.arguments.len()), shape: shape.clone() };
        self.arguments.push(("f32", shape));
        self.values.push(value.clone());
        value
    }

    fn indices(&mut self, shape: Vec<usize>) -> String {
        self.arguments.push(("i32", shape));
        format!("%arg{}", self.arguments.len() - 1)
    }

    /// Appends `%n = text` and brings the result into scope.
    fn emit(&mut self, text: &str, shape: Vec<usize>) -> Value {
        let value = Value { name: format!("%{}", self.next), shape };
        self.next += 1;
        let _ = writeln!(self.body, "    {} = {text}", value.name);
        self.values.push(value.clone());
        value
    }

    fn scalar(&mut self) -> &'static str {
        if !self.zero {
            self.zero = true;
            self.body.push_str("    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n");
            self.body.push_str("    %some = stablehlo.constant dense<0.75> : tensor<f32>\n");
        }
        if self.rng.chance(70) { "%zero" } else { "%some" }
    }

    fn op(&mut self) {
        let value = {
            let recent = self.values.len().min(5);
            let at = self.values.len() - 1 - self.rng.below(recent);
            self.values[at].clone()
        };
        let elements: usize = value.shape.iter().product();
        match self.rng.below(22) {
            0 => self.unary(&value),
            1 | 2 => self.binary(&value),
            3 => self.transpose(&value),
            4 | 5 => self.reshape(&value),
            6 if elements <= 600 => self.broadcast(&value),
            7 | 8 => self.reduce(&value),
            9..=12 => self.dot(&value),
            13 => self.slice(&value),
            14 if elements <= 600 => self.pad_or_concatenate(&value),
            15 => self.iota(&value),
            16 => self.gather(&value),
            17 => self.scatter(&value),
            18 => self.dynamic(&value),
            19 => self.repeat(&value),
            20 => self.select(&value),
            21 => self.cumulative(&value),
            _ => self.unary(&value),
        }
    }

    fn unary(&mut self, value: &Value) {
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

    fn slice(&mut self, value: &Value) {
        let mut shape = Vec::new();
        let mut ranges = Vec::new();
        for size in &value.shape {
            let (mut start, mut limit) = (0, *size);
            if *size > 1 && self.rng.chance(35) {
                start = self.rng.below(*size);
                limit = start + 1 + self.rng.below(size - start);
            }
            shape.push(limit - start);
            ranges.push(format!("{start}:{limit}"));
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

    fn pad_or_concatenate(&mut self, value: &Value) {
        if value.shape.is_empty() {
            return self.unary(value);
        }
        let dim = self.rng.below(value.shape.len());
        let mut shape = value.shape.clone();
        if self.rng.chance(50) {
            shape[dim] *= 2;
            let text = format!(
                "stablehlo.concatenate {0}, {0}, dim = {dim} : ({1}, {1}) -> {2}",
                value.name,
                ty(&value.shape),
                ty(&shape)
            );
            self.emit(&text, shape);
            return;
        }
        let init = self.scalar();
        let mut low = vec![0; shape.len()];
        low[dim] = 1 + self.rng.below(3);
        shape[dim] += low[dim];
        let none = vec![0; shape.len()];
        let text = format!(
            "stablehlo.pad {}, {init}, low = {low:?}, high = {none:?}, interior = {none:?} : ({}, tensor<f32>) -> {}",
            value.name,
            ty(&value.shape),
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

    /// A dynamic slice and its write-back at another place.
    fn dynamic(&mut self, value: &Value) {
        if value.shape.is_empty() {
            return self.unary(value);
        }
        let dim = self.rng.below(value.shape.len());
        let mut sizes = value.shape.clone();
        sizes[dim] = 1 + self.rng.below(sizes[dim]);
        let index = self.indices(Vec::new());
        let _ = writeln!(self.body, "    %c{0} = stablehlo.constant dense<0> : tensor<i32>", self.next);
        let zero = format!("%c{}", self.next);
        let starts: Vec<&str> =
            (0..value.shape.len()).map(|at| if at == dim { &*index } else { &*zero }).collect();
        let index_types = vec!["tensor<i32>"; starts.len()].join(", ");
        let text = format!(
            "stablehlo.dynamic_slice {}, {}, sizes = {sizes:?} : ({}, {index_types}) -> {}",
            value.name,
            starts.join(", "),
            ty(&value.shape),
            ty(&sizes)
        );
        let part = self.emit(&text, sizes.clone());
        let text = format!(
            "stablehlo.dynamic_update_slice {0}, {1}, {2} : ({3}, {4}, {index_types}) -> {3}",
            value.name,
            part.name,
            vec![zero.as_str(); value.shape.len()].join(", "),
            ty(&value.shape),
            ty(&sizes)
        );
        self.emit(&text, value.shape.clone());
    }

    /// A loop that runs three times over the value.
    fn repeat(&mut self, value: &Value) {
        let (n, shape) = (self.next, ty(&value.shape));
        self.next += 1;
        let _ = write!(
            self.body,
            "    %n{n} = stablehlo.constant dense<0> : tensor<i32>
    %{n}:2 = stablehlo.while(%x{n} = {}, %i{n} = %n{n}) : {shape}, tensor<i32>
    cond {{
      %k = stablehlo.constant dense<3> : tensor<i32>
      %p = stablehlo.compare LT, %i{n}, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i{n}, %one : tensor<i32>
      %t = stablehlo.tanh %x{n} : {shape}
      %u = stablehlo.add %t, %x{n} : {shape}
      stablehlo.return %u, %j : {shape}, tensor<i32>
    }}
",
            value.name
        );
        self.values.push(Value { name: format!("%{n}#0"), shape: value.shape.clone() });
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

    /// A cumulative sum along one dim, as JAX writes it.
    fn cumulative(&mut self, value: &Value) {
        if value.shape.is_empty() {
            return self.unary(value);
        }
        let (rank, dim) = (value.shape.len(), self.rng.below(value.shape.len()));
        let init = self.scalar();
        let ones = vec!["1"; rank].join(", ");
        let window: Vec<String> =
            (0..rank).map(|at| if at == dim { value.shape[at].to_string() } else { "1".into() }).collect();
        let padding: Vec<String> =
            (0..rank).map(|at| format!("[{}, 0]", if at == dim { value.shape[at] - 1 } else { 0 })).collect();
        let text = format!(
            "\"stablehlo.reduce_window\"({0}, {init}) <{{base_dilations = array<i64: {ones}>, padding = dense<[{1}]> : tensor<{rank}x2xi64>, window_dilations = array<i64: {ones}>, window_dimensions = array<i64: {2}>, window_strides = array<i64: {ones}>}}> ({{\n    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n      %s = stablehlo.add %a, %b : tensor<f32>\n      stablehlo.return %s : tensor<f32>\n    }}) : ({3}, tensor<f32>) -> {3}",
            value.name,
            padding.join(", "),
            window.join(", "),
            ty(&value.shape)
        );
        self.emit(&text, value.shape.clone());
    }
}
