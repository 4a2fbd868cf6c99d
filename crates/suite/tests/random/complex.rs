//! Complex numbers: made of real ones, combined, transformed, and taken apart again.
//!
//! A chain of ops on complex values ends as `f32` values, on which the program goes on.

use super::generate::{Generator, Value, ty, typed};

const ELEMENT: &str = "complex<f32>";

fn complex(shape: &[usize]) -> String {
    typed(shape, ELEMENT)
}

impl Generator {
    /// A chain of ops on complex values.
    pub(crate) fn complex_chain(&mut self, value: &Value) {
        let mut last = self.make_complex(value);
        for _ in 0..1 + self.rng.below(4) {
            last = match self.rng.below(7) {
                0 | 1 => self.transform(&last),
                2 => self.complex_binary(&last),
                3 => self.complex_sum(&last),
                4 => self.complex_dot(&last),
                5 => self.complex_constraint(&last),
                _ => self.complex_transpose(&last),
            };
        }
        let (from, to) = (complex(&last.shape), ty(&last.shape));
        for part in self.rng.pick(&[&["real", "imag"][..], &["imag", "real"], &["imag"], &["abs"]]) {
            self.emit(&format!("stablehlo.{part} {} : ({from}) -> {to}", last.name), last.shape.clone());
        }
    }

    /// From two values, from an argument, or from a transform of one value.
    fn make_complex(&mut self, value: &Value) -> Value {
        let shape = value.shape.clone();
        match self.rng.below(4) {
            0 => Value { name: self.other_argument(shape.clone(), ELEMENT), shape },
            1 if !shape.is_empty() => {
                let length = shape[shape.len() - 1 - self.rng.below(shape.len().min(3))..].to_vec();
                let mut half = shape;
                half[value.shape.len() - 1] = half[value.shape.len() - 1] / 2 + 1;
                let (from, to) = (ty(&value.shape), complex(&half));
                let text = format!(
                    "stablehlo.fft {}, type = RFFT, length = {length:?} : ({from}) -> {to}",
                    value.name
                );
                self.hidden(&text, half)
            }
            _ => {
                let same: Vec<Value> =
                    self.values.iter().filter(|other| other.shape == shape).cloned().collect();
                let other = self.rng.pick(&same);
                let (of, to) = (ty(&shape), complex(&shape));
                let text = format!("stablehlo.complex {}, {} : ({of}, {of}) -> {to}", value.name, other.name);
                self.hidden(&text, shape)
            }
        }
    }

    /// A transform of the innermost dims; one that ends as real numbers is made complex again.
    fn transform(&mut self, value: &Value) -> Value {
        let Some(last) = value.shape.last() else { return value.clone() };
        let rank = value.shape.len();
        let mut length = value.shape[rank - 1 - self.rng.below(rank.min(3))..].to_vec();
        let (of, kind) = (complex(&value.shape), self.rng.pick(&["FFT", "IFFT", "IRFFT"]));
        if kind != "IRFFT" {
            let text =
                format!("stablehlo.fft {}, type = {kind}, length = {length:?} : ({of}) -> {of}", value.name);
            return self.hidden(&text, value.shape.clone());
        }
        let whole = if *last > 1 && self.rng.chance(50) { 2 * (last - 1) } else { 2 * last - 1 };
        let inner = length.len() - 1;
        length[inner] = whole;
        let mut shape = value.shape.clone();
        shape[rank - 1] = whole;
        let (real, to) = (ty(&shape), complex(&shape));
        let text =
            format!("stablehlo.fft {}, type = IRFFT, length = {length:?} : ({of}) -> {real}", value.name);
        let made = self.emit(&text, shape.clone());
        self.hidden(&format!("stablehlo.complex {0}, {0} : ({real}, {real}) -> {to}", made.name), shape)
    }

    fn complex_binary(&mut self, value: &Value) -> Value {
        let op = self.rng.pick(&["add", "multiply", "subtract"]);
        let other = if self.rng.chance(50) {
            value.name.clone()
        } else {
            self.other_argument(value.shape.clone(), ELEMENT)
        };
        let text = format!("stablehlo.{op} {}, {other} : {}", value.name, complex(&value.shape));
        self.hidden(&text, value.shape.clone())
    }

    fn complex_sum(&mut self, value: &Value) -> Value {
        if value.shape.is_empty() {
            return self.complex_binary(value);
        }
        let dim = self.rng.below(value.shape.len());
        let mut shape = value.shape.clone();
        shape.remove(dim);
        let zero = self.hidden("stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>", Vec::new());
        let text = format!(
            "stablehlo.reduce({} init: {}) applies stablehlo.add across dimensions = [{dim}] : ({}, tensor<complex<f32>>) -> {}",
            value.name,
            zero.name,
            complex(&value.shape),
            complex(&shape)
        );
        self.hidden(&text, shape)
    }

    /// A product with an argument.
    fn complex_dot(&mut self, value: &Value) -> Value {
        if value.shape.is_empty() {
            return self.complex_binary(value);
        }
        let dim = self.rng.below(value.shape.len());
        let other = vec![value.shape[dim], self.size()];
        let mut shape = value.shape.clone();
        shape.remove(dim);
        shape.push(other[1]);
        let text = format!(
            "stablehlo.dot_general {}, {}, contracting_dims = [{dim}] x [0] : ({}, {}) -> {}",
            value.name,
            self.other_argument(other.clone(), ELEMENT),
            complex(&value.shape),
            complex(&other),
            complex(&shape)
        );
        self.hidden(&text, shape)
    }

    fn complex_constraint(&mut self, value: &Value) -> Value {
        let (kind, sharding) = (self.constraint_kind(), self.sharding(&value.shape));
        let text = format!("sdy.{kind} {} <{sharding}> : {}", value.name, complex(&value.shape));
        self.hidden(&text, value.shape.clone())
    }

    fn complex_transpose(&mut self, value: &Value) -> Value {
        let order: Vec<usize> = (0..value.shape.len()).rev().collect();
        let shape: Vec<usize> = order.iter().map(|dim| value.shape[*dim]).collect();
        let (of, to) = (complex(&value.shape), complex(&shape));
        self.hidden(&format!("stablehlo.transpose {}, dims = {order:?} : ({of}) -> {to}", value.name), shape)
    }
}
