//! Ops on whole matrices and on features: factors, systems of equations, normalization; and random bits.
//!
//! Operands are bounded by `tanh` and diagonals raised, so that systems are far from singular.

use super::generate::{Generator, Value, ty, typed};
use std::fmt::Write as _;

impl Generator {
    /// A factor of a positive definite matrix, and perhaps the solution of a system with it.
    pub(crate) fn factorize(&mut self, value: &Value) {
        let [batch @ .., rows, columns] = value.shape.as_slice() else { return self.normalize(value) };
        let square = [batch, &[*rows, *rows]].concat();
        if value.shape.contains(&0) || *rows > 16 || *columns > 200 || square.iter().product::<usize>() > 4000
        {
            return self.normalize(value);
        }
        let matrix = self.positive_definite(value, &square);
        let of = ty(&square);
        let lower = self.rng.chance(60);
        let factor = if self.rng.chance(25) {
            let (status, uplo) = (typed(batch, "i32"), if lower { "76" } else { "85" });
            let text = format!(
                "stablehlo.custom_call @lapack_spotrf_ffi({}) {{api_version = 4 : i32, backend_config = {{uplo = {uplo} : ui8}}}} : ({of}) -> ({of}, {status})",
                matrix.name
            );
            let name = self.hidden_pair(&text);
            let to = ty(batch);
            self.emit(&format!("stablehlo.convert {name}#1 : ({status}) -> {to}"), batch.to_vec());
            let factor = Value { name: format!("{name}#0"), shape: square.clone() };
            self.values.push(factor.clone());
            factor
        } else {
            let triangle = if lower { ", lower = true" } else { "" };
            self.emit(&format!("stablehlo.cholesky {}{triangle} : {of}", matrix.name), square.clone())
        };
        if self.rng.chance(60) {
            self.solve(value, factor, lower);
        }
    }

    /// The product of a bounded value and its transpose, with the number of rows added on the diagonal.
    fn positive_definite(&mut self, value: &Value, square: &[usize]) -> Value {
        let rank = square.len();
        let (of, to, positions) = (ty(&value.shape), ty(square), typed(square, "i32"));
        let bounded = self.emit(&format!("stablehlo.tanh {} : {of}", value.name), value.shape.clone());
        let batch: Vec<usize> = (0..rank - 2).collect();
        let product = format!(
            "stablehlo.dot_general {0}, {0}, batching_dims = {batch:?} x {batch:?}, contracting_dims = [{1}] x [{1}] : ({of}, {of}) -> {to}",
            bounded.name,
            rank - 1
        );
        let product = self.emit(&product, square.to_vec());
        let n = self.next;
        let _ = writeln!(
            self.body,
            "    %row{n} = stablehlo.iota dim = {0} : {positions}
    %column{n} = stablehlo.iota dim = {1} : {positions}
    %same{n} = stablehlo.compare EQ, %row{n}, %column{n} : ({positions}, {positions}) -> {2}
    %raised{n} = stablehlo.constant dense<{3}.0> : {to}
    %level{n} = stablehlo.constant dense<0.0> : {to}
    %diagonal{n} = stablehlo.select %same{n}, %raised{n}, %level{n} : {2}, {to}",
            rank - 2,
            rank - 1,
            typed(square, "i1"),
            square[rank - 1],
        );
        self.emit(&format!("stablehlo.add {}, %diagonal{n} : {to}", product.name), square.to_vec())
    }

    /// The solution of a system with a triangular factor of `value`; the right side is `value` or an argument.
    fn solve(&mut self, value: &Value, factor: Value, lower: bool) {
        let [batch @ .., rows, _] = value.shape.as_slice() else { return };
        let (left_side, unit_diagonal) = (self.rng.chance(60), self.rng.chance(25));
        let right = if left_side && self.rng.chance(50) {
            value.clone()
        } else {
            let others = self.size();
            let sides = if left_side { [*rows, others] } else { [others, *rows] };
            self.argument([batch, &sides].concat())
        };
        let (mut a, of) = (factor, ty(&[batch, &[*rows, *rows]].concat()));
        if unit_diagonal {
            // Small beside the ones on the diagonal.
            let scale = format!("stablehlo.constant dense<{:?}> : {of}", 0.125 / *rows as f64);
            let scale = self.emit(&scale, a.shape.clone());
            a = self.emit(&format!("stablehlo.multiply {}, {} : {of}", a.name, scale.name), a.shape);
        }
        let transpose = self.rng.pick(&["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]);
        let to = ty(&right.shape);
        let text = format!(
            "\"stablehlo.triangular_solve\"({}, {}) <{{left_side = {left_side}, lower = {lower}, unit_diagonal = {unit_diagonal}, transpose_a = #stablehlo<transpose {transpose}>}}> : ({of}, {to}) -> {to}",
            a.name, right.name
        );
        self.emit(&text, right.shape);
    }

    /// Each feature normalized over all other dims, and perhaps the gradients of that.
    pub(crate) fn normalize(&mut self, value: &Value) {
        if value.shape.is_empty() || value.shape.contains(&0) {
            return self.complex_chain(value);
        }
        let dim = self.rng.below(value.shape.len());
        let features = vec![value.shape[dim]];
        let (of, one) = (ty(&value.shape), ty(&features));
        let options = format!("{{epsilon = 0.5 : f32, feature_index = {dim} : i64}}");
        let x = self.emit(&format!("stablehlo.tanh {} : {of}", value.name), value.shape.clone()).name;
        let scale = self.argument(features.clone()).name;
        if self.rng.chance(30) {
            let [offset, mean, variance] = [(); 3].map(|()| self.argument(features.clone()).name);
            let text = format!(
                "\"stablehlo.batch_norm_inference\"({x}, {scale}, {offset}, {mean}, {variance}) {options} : ({of}, {one}, {one}, {one}, {one}) -> {of}"
            );
            self.emit(&text, value.shape.clone());
            return;
        }
        let offset = self.argument(features.clone()).name;
        let training = format!("%{}", self.next);
        self.next += 1;
        let _ = writeln!(
            self.body,
            "    {training}:3 = \"stablehlo.batch_norm_training\"({x}, {scale}, {offset}) {options} : ({of}, {one}, {one}) -> ({of}, {one}, {one})"
        );
        self.values.push(Value { name: format!("{training}#1"), shape: features.clone() });
        self.values.push(Value { name: format!("{training}#0"), shape: value.shape.clone() });
        if self.rng.chance(50) {
            let output = self.argument(value.shape.clone()).name;
            let gradients = format!("%{}", self.next);
            self.next += 1;
            let _ = writeln!(
                self.body,
                "    {gradients}:3 = \"stablehlo.batch_norm_grad\"({x}, {scale}, {training}#1, {training}#2, {output}) {options} : ({of}, {one}, {one}, {one}, {of}) -> ({of}, {one}, {one})"
            );
            self.values.push(Value { name: format!("{gradients}#2"), shape: features.clone() });
            // The other gradients may be zero but for rounding.
            let text = format!("stablehlo.add {gradients}#1, {scale} : {one}");
            self.emit(&text, features);
            self.emit(&format!("stablehlo.add {gradients}#0, {output} : {of}"), value.shape.clone());
        }
    }

    /// Random bits of an argument's state, and of the state behind them, as numbers beside `value`.
    pub(crate) fn random_bits(&mut self, value: &Value) {
        let (algorithm, words) = self.rng.pick(&[
            ("THREE_FRY", 2),
            ("THREE_FRY", 2),
            ("PHILOX", 2),
            ("PHILOX", 3),
            ("DEFAULT", 2),
            ("DEFAULT", 3),
        ]);
        let (element, per_word) = self.rng.pick(&[("ui64", 1), ("ui64", 1), ("ui32", 2)]);
        let mut state = self.other_argument(vec![words * per_word], element);
        let of = typed(&[words * per_word], element);
        let mut sum = value.clone();
        for _ in 0..1 + self.rng.below(2) {
            let bits = self.rng.pick(&["ui8", "ui16", "ui32", "ui32", "ui64", "i32"]);
            let (bits, to) = (typed(&value.shape, bits), ty(&value.shape));
            let text = format!(
                "stablehlo.rng_bit_generator {state}, algorithm = {algorithm} : ({of}) -> ({of}, {bits})"
            );
            let name = self.hidden_pair(&text);
            state = format!("{name}#0");
            let low = self.hidden(&format!("stablehlo.constant dense<127> : {bits}"), Vec::new()).name;
            let low = self.hidden(&format!("stablehlo.and {name}#1, {low} : {bits}"), Vec::new()).name;
            let drawn =
                self.emit(&format!("stablehlo.convert {low} : ({bits}) -> {to}"), value.shape.clone());
            let op = self.rng.pick(&["add", "multiply"]);
            let text = format!("stablehlo.{op} {}, {} : {to}", sum.name, drawn.name);
            sum = self.emit(&text, value.shape.clone());
        }
    }
}
