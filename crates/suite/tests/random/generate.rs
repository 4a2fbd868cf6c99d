//! Random small programs with random meshes and annotations, as StableHLO text.
//!
//! A program is a chain of random ops (modules `ops`, `windows`, `chosen`, `elements`, `complex`, `matrices`) over the
//! arguments and earlier values; all of it is drawn from one seed. Arguments, results and some values in between are
//! annotated, in one of three cases with axes that do not divide their dims; module `guides` adds what else guides
//! propagation. Every fifth program cuts axes of 6 and 12 into parts in any way, every seventh has a second mesh over
//! the same devices (module `meshes`). Programs for thousands of devices ([`large`]) have axes of equal size and larger dims.

use super::meshes::Meshes;
use super::rng::Rng;
use std::fmt::Write as _;

/// A float value in scope.
#[derive(Clone)]
pub(crate) struct Value {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
}

/// How large meshes and dims are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// What can be run here.
    Small,
    /// Thousands of devices.
    Large,
}

/// A program being written.
pub(crate) struct Generator {
    pub(crate) rng: Rng,
    /// Type and shape of each argument; those of `f32` are in scope.
    arguments: Vec<(&'static str, Vec<usize>)>,
    pub(crate) body: String,
    pub(crate) values: Vec<Value>,
    pub(crate) next: usize,
    pub(crate) mesh: Vec<(&'static str, usize)>,
    /// How meshes are used beyond that.
    pub(crate) meshes: Meshes,
    scale: Scale,
    zero: bool,
    /// How contributions to arguments and results are written: all of them combine alike.
    pub(crate) unreduced: &'static str,
    /// Whether ops are written, rather than arguments and results.
    pub(crate) is_inside: bool,
    /// How many sharding groups there are.
    pub(crate) groups: usize,
}

/// The text of program number `seed` with `num_ops` ops.
pub(crate) fn program(seed: u64, num_ops: usize) -> String {
    of_scale(seed, num_ops, Scale::Small)
}

/// The same for thousands of devices.
#[allow(dead_code)] // plans are not made for so many
pub(crate) fn large(seed: u64, num_ops: usize) -> String {
    of_scale(seed, num_ops, Scale::Large)
}

fn of_scale(seed: u64, num_ops: usize, scale: Scale) -> String {
    let mut generator = Generator {
        rng: Rng::new(seed),
        arguments: Vec::new(),
        body: String::new(),
        values: Vec::new(),
        next: 0,
        mesh: Vec::new(),
        meshes: Meshes::new(seed),
        scale,
        zero: false,
        unreduced: "unreduced=",
        is_inside: true,
        groups: 0,
    };
    generator.run(num_ops)
}

pub(crate) fn ty(shape: &[usize]) -> String {
    typed(shape, "f32")
}

pub(crate) fn typed(shape: &[usize], element: &str) -> String {
    let mut text = String::from("tensor<");
    for size in shape {
        let _ = write!(text, "{size}x");
    }
    text + element + ">"
}

impl Generator {
    fn run(&mut self, num_ops: usize) -> String {
        self.mesh();
        self.unreduced = self.rng.pick(&["unreduced=", "unreduced=", "unreduced=max", "unreduced=min"]);
        let first = self.shape(2);
        self.argument(first);
        let second = self.shape(3);
        self.argument(second);
        for _ in 0..num_ops {
            self.op();
            if self.rng.chance(8) {
                self.chain();
            }
            if self.rng.chance(15) {
                self.constraint();
            }
            self.guide();
        }
        self.is_inside = false;
        let num_results = self.values.len().min(2);
        let results: Vec<Value> = self.values[self.values.len() - num_results..].to_vec();
        let mut text = String::from("module {\n  sdy.mesh @mesh = <[");
        for (index, (name, size)) in self.mesh.iter().enumerate() {
            let _ = write!(text, "{}\"{name}\"={size}", if index == 0 { "" } else { ", " });
        }
        text.push_str("]>\n");
        text.push_str(&self.meshes.declaration());
        text.push_str("  func.func public @main(");
        for (index, (element, shape)) in self.arguments.clone().iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            let _ = write!(text, "{separator}%arg{index}: {}", typed(shape, element));
            if self.rng.chance(65) {
                let sharding = self.sharding(shape);
                let _ = write!(text, " {{sdy.sharding = #sdy.sharding<{sharding}>}}");
            }
        }
        text.push_str(") -> (");
        for (index, value) in results.iter().enumerate() {
            let _ = write!(text, "{}{}", if index == 0 { "" } else { ", " }, ty(&value.shape));
            if self.rng.chance(40) {
                let sharding = self.sharding(&value.shape);
                let _ = write!(text, " {{sdy.sharding = #sdy.sharding<{sharding}>}}");
            }
        }
        text.push_str(") {\n");
        text.push_str(&self.body);
        let names: Vec<&str> = results.iter().map(|value| value.name.as_str()).collect();
        let types: Vec<String> = results.iter().map(|value| ty(&value.shape)).collect();
        let _ = writeln!(text, "    return {} : {}\n  }}\n}}", names.join(", "), types.join(", "));
        text
    }

    /// One to four axes of 2, 3, 4 or 6 devices, 24 devices at most; or three equal ones and a larger one, in any order.
    fn mesh(&mut self) {
        if self.scale == Scale::Large {
            let equal = self.rng.pick(&[2, 4, 4, 8]);
            let largest = 8192 / (equal * equal * equal);
            let at = self.rng.below(4);
            let size = |index| if index == at { largest } else { equal };
            self.mesh =
                ["x", "y", "z", "w"].into_iter().enumerate().map(|(i, name)| (name, size(i))).collect();
            return;
        }
        let num_axes = 1 + self.rng.below(4);
        let mut devices = 1;
        for name in ["x", "y", "z", "w"].into_iter().take(num_axes) {
            let size = self.rng.pick(&[2, 2, 2, 3, 4, 6]);
            if devices * size <= 24 {
                devices *= size;
                self.mesh.push((name, size));
            }
        }
        self.meshes.begin(&mut self.mesh);
    }

    /// The latest value, constrained.
    pub(crate) fn constraint(&mut self) {
        let Some(value) = self.values.last().cloned() else { return };
        let sharding = self.sharding(&value.shape);
        let kind = self.constraint_kind();
        let text = format!("sdy.{kind} {} <{sharding}> : {}", value.name, ty(&value.shape));
        self.emit(&text, value.shape);
    }

    pub(crate) fn constraint_kind(&mut self) -> &'static str {
        self.rng.pick(&["sharding_constraint", "sharding_constraint", "sharding_constraint", "reshard"])
    }

    /// `@mesh, [{"x"}, {?}]`; in one of three the axes need not divide the dims.
    pub(crate) fn sharding(&mut self, shape: &[usize]) -> String {
        let (mesh, mut free) = self.meshes.pick(&self.mesh);
        let mut dims = Vec::new();
        let may_pad = self.rng.chance(33);
        for size in shape {
            let (mut axes, mut rest) = (Vec::new(), *size);
            while !free.is_empty() && self.rng.chance(50) {
                let (name, parts) = free.remove(self.rng.below(free.len()));
                let (first, second) = self.meshes.parts(parts);
                let choices = [(format!("\"{name}\""), parts)];
                let pieces = [
                    (format!("\"{name}\":(1){first}"), first),
                    (format!("\"{name}\":({first}){second}"), second),
                ];
                let parts_too = second > 1 && self.rng.chance(30);
                let chosen = if parts_too { self.rng.pick(&pieces) } else { self.rng.pick(&choices) };
                let (text, count) = chosen;
                if may_pad || rest.is_multiple_of(count) && rest > 0 {
                    rest = rest.div_ceil(count);
                    axes.push(text);
                }
            }
            if self.rng.chance(50) {
                axes.push("?".into());
            }
            let priority = if axes.is_empty() { String::new() } else { self.priority() };
            dims.push(format!("{{{}}}{priority}", axes.join(", ")));
        }
        let unused: Vec<&str> = free.iter().map(|(name, _)| *name).collect();
        format!("@{mesh}, [{}]{}", dims.join(", "), self.beside_dims(&unused))
    }

    pub(crate) fn size(&mut self) -> usize {
        match self.scale {
            Scale::Small => self.rng.pick(&[1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12]),
            Scale::Large => self.rng.pick(&[1, 2, 4, 8, 8, 12, 16, 64, 128, 1024]),
        }
    }

    pub(crate) fn shape(&mut self, rank: usize) -> Vec<usize> {
        (0..rank).map(|_| self.size()).collect()
    }

    pub(crate) fn argument(&mut self, shape: Vec<usize>) -> Value {
        let value = Value { name: format!("%arg{}", self.arguments.len()), shape: shape.clone() };
        self.arguments.push(("f32", shape));
        self.values.push(value.clone());
        value
    }

    pub(crate) fn indices(&mut self, shape: Vec<usize>) -> String {
        self.other_argument(shape, "i32")
    }

    /// An argument that is not in scope.
    pub(crate) fn other_argument(&mut self, shape: Vec<usize>, element: &'static str) -> String {
        self.arguments.push((element, shape));
        format!("%arg{}", self.arguments.len() - 1)
    }

    /// Appends `%n = text` and brings the result into scope.
    pub(crate) fn emit(&mut self, text: &str, shape: Vec<usize>) -> Value {
        let value = self.hidden(text, shape);
        self.values.push(value.clone());
        value
    }

    /// Appends `%n = text`, whose result is not an `f32` value to go on with.
    pub(crate) fn hidden(&mut self, text: &str, shape: Vec<usize>) -> Value {
        let value = Value { name: format!("%{}", self.next), shape };
        self.next += 1;
        let _ = writeln!(self.body, "    {} = {text}", value.name);
        value
    }

    /// Appends `%n:2 = text`, whose results are not in scope. Returns `%n`.
    pub(crate) fn hidden_pair(&mut self, text: &str) -> String {
        let name = format!("%{}", self.next);
        self.next += 1;
        let _ = writeln!(self.body, "    {name}:2 = {text}");
        name
    }

    pub(crate) fn scalar(&mut self) -> &'static str {
        if !self.zero {
            self.zero = true;
            self.body.push_str("    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n");
            self.body.push_str("    %some = stablehlo.constant dense<0.75> : tensor<f32>\n");
        }
        if self.rng.chance(70) { "%zero" } else { "%some" }
    }
}
