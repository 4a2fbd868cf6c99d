//! Values of other element types than `f32`: narrow integers, half floats, and what widens, narrows or promotes them.
//!
//! A chain of ops on an argument of such a type ends as an `f32` value, on which the program goes on. Some chains are
//! manual computations, whose collectives take several values or promote their elements.

use super::generate::{Generator, typed};
use std::fmt::Write as _;

/// Element types, each with those of its kind that are wider and narrower.
const ELEMENTS: &[(&str, &[&str], &[&str])] = &[
    ("i8", &["i16", "i32"], &[]),
    ("i16", &["i32"], &["i8"]),
    ("i32", &["i64"], &["i8", "i16"]),
    ("i64", &[], &["i8", "i32"]),
    ("ui8", &["ui16", "ui32"], &[]),
    ("ui16", &["ui32"], &["ui8"]),
    ("ui32", &[], &["ui8", "ui16"]),
    ("bf16", &["f32"], &[]),
    ("f16", &["f32"], &[]),
    ("f32", &["f64"], &["bf16", "f16"]),
    ("f64", &[], &["bf16", "f32"]),
];

/// Integers by what their bits may be read as besides: the other sign, and a last dim of so many narrower ones.
const BITS: &[(&str, &str, &[(usize, &str)])] = &[
    ("i8", "ui8", &[]),
    ("ui8", "i8", &[]),
    ("i16", "ui16", &[(2, "i8"), (2, "ui8")]),
    ("ui16", "i16", &[(2, "i8"), (2, "ui8")]),
    ("i32", "ui32", &[(2, "i16"), (4, "i8")]),
    ("ui32", "i32", &[(2, "ui16"), (4, "i8")]),
    ("i64", "i64", &[(2, "i32"), (8, "i8")]),
];

/// Where chains start.
const STARTS: &[&str] = &["i8", "ui8", "i16", "bf16", "f16", "i32"];

/// A value of a chain.
#[derive(Clone)]
struct Link {
    name: String,
    shape: Vec<usize>,
    element: &'static str,
}

impl Link {
    fn ty(&self) -> String {
        typed(&self.shape, self.element)
    }
}

fn others(element: &str) -> (&'static [&'static str], &'static [&'static str]) {
    let known = ELEMENTS.iter().find(|(name, ..)| *name == element);
    known.map_or((&[], &[]), |(_, wider, narrower)| (*wider, *narrower))
}

impl Generator {
    /// A chain of ops on values of another type.
    pub(crate) fn chain(&mut self) {
        let element = self.rng.pick(STARTS);
        let mut link = if self.rng.chance(25) {
            self.exchange(element)
        } else {
            let rank = 2 + self.rng.below(2);
            let shape = self.shape(rank);
            self.link_argument(shape, element)
        };
        for _ in 0..1 + self.rng.below(5) {
            link = match self.rng.below(11) {
                0 | 1 => self.link_constraint(&link),
                2 => self.link_reduce(&link, None),
                3 => self.link_promote(&link),
                4 | 5 => self.link_convert(&link),
                6 | 7 => self.link_dot(&link),
                8 | 9 => self.link_bitcast(&link),
                _ => self.link_binary(&link),
            };
        }
        let result = typed(&link.shape, "f32");
        self.emit(&format!("stablehlo.convert {} : ({}) -> {result}", link.name, link.ty()), link.shape);
    }

    fn link(&mut self, text: &str, shape: Vec<usize>, element: &'static str) -> Link {
        let name = format!("%{}", self.next);
        self.next += 1;
        let _ = writeln!(self.body, "    {name} = {text}");
        Link { name, shape, element }
    }

    fn link_argument(&mut self, shape: Vec<usize>, element: &'static str) -> Link {
        Link { name: self.other_argument(shape.clone(), element), shape, element }
    }

    fn link_constraint(&mut self, link: &Link) -> Link {
        let (kind, sharding) = (self.constraint_kind(), self.sharding(&link.shape));
        let text = format!("sdy.{kind} {} <{sharding}> : {}", link.name, link.ty());
        self.link(&text, link.shape.clone(), link.element)
    }

    fn link_zero(&mut self, element: &'static str) -> Link {
        let zero = if element.contains('f') { "0.0" } else { "0" };
        self.link(&format!("stablehlo.constant dense<{zero}> : tensor<{element}>"), Vec::new(), element)
    }

    /// Combines a dim, in a wider type if one is given.
    fn link_reduce(&mut self, link: &Link, wider: Option<&'static str>) -> Link {
        if link.shape.is_empty() {
            return link.clone();
        }
        let zero = self.link_zero(link.element);
        let dim = self.rng.below(link.shape.len());
        let mut shape = link.shape.clone();
        shape.remove(dim);
        let element = wider.unwrap_or(link.element);
        let op = self.rng.pick(&["add", "add", "maximum", "minimum"]);
        let region = combiner(op, element);
        let text = format!(
            "\"stablehlo.reduce\"({}, {}) <{{dimensions = array<i64: {dim}>}}> ({region}) : ({}, {}) -> {}",
            link.name,
            zero.name,
            link.ty(),
            zero.ty(),
            typed(&shape, element)
        );
        self.link(&text, shape, element)
    }

    fn link_promote(&mut self, link: &Link) -> Link {
        let (wider, _) = others(link.element);
        let wider = if wider.is_empty() { None } else { Some(self.rng.pick(wider)) };
        self.link_reduce(link, wider)
    }

    fn link_convert(&mut self, link: &Link) -> Link {
        let (wider, narrower) = others(link.element);
        let all: Vec<&'static str> = wider.iter().chain(narrower).copied().collect();
        let element = self.rng.pick(&all);
        let text =
            format!("stablehlo.convert {} : ({}) -> {}", link.name, link.ty(), typed(&link.shape, element));
        self.link(&text, link.shape.clone(), element)
    }

    /// The bits of integers as other integers: as wide ones, or narrower ones along a last dim and perhaps back again.
    fn link_bitcast(&mut self, link: &Link) -> Link {
        let known = BITS.iter().find(|(element, ..)| *element == link.element);
        let Some((_, as_wide, narrower)) = known else { return self.link_convert(link) };
        if narrower.is_empty() || self.rng.chance(40) {
            return self.link_cast(link, link.shape.clone(), as_wide);
        }
        let (count, element) = self.rng.pick(narrower);
        let parts = self.link_cast(link, [link.shape.as_slice(), &[count]].concat(), element);
        if self.rng.chance(40) {
            return parts;
        }
        let whole = self.rng.pick(&[link.element, *as_wide]);
        let parts = self.link_constraint(&parts);
        self.link_cast(&parts, link.shape.clone(), whole)
    }

    fn link_cast(&mut self, link: &Link, shape: Vec<usize>, element: &'static str) -> Link {
        let to = typed(&shape, element);
        let text = format!("stablehlo.bitcast_convert {} : ({}) -> {to}", link.name, link.ty());
        self.link(&text, shape, element)
    }

    /// A product with an argument of the same type; its result may be wider.
    fn link_dot(&mut self, link: &Link) -> Link {
        if link.shape.is_empty() {
            return link.clone();
        }
        let dim = self.rng.below(link.shape.len());
        let columns = self.size();
        let other = self.link_argument(vec![link.shape[dim], columns], link.element);
        let (wider, _) = others(link.element);
        let element =
            if wider.is_empty() || self.rng.chance(40) { link.element } else { self.rng.pick(wider) };
        let mut shape = link.shape.clone();
        shape.remove(dim);
        shape.push(columns);
        let text = format!(
            "stablehlo.dot_general {}, {}, contracting_dims = [{dim}] x [0] : ({}, {}) -> {}",
            link.name,
            other.name,
            link.ty(),
            other.ty(),
            typed(&shape, element)
        );
        self.link(&text, shape, element)
    }

    fn link_binary(&mut self, link: &Link) -> Link {
        let op = self.rng.pick(&["add", "multiply", "maximum", "minimum"]);
        let text = format!("stablehlo.{op} {}, {} : {}", link.name, link.name, link.ty());
        self.link(&text, link.shape.clone(), link.element)
    }

    /// A manual computation whose collectives take two values, or promote their elements.
    fn exchange(&mut self, element: &'static str) -> Link {
        let (axis, members) = self.mesh[0];
        let axes: Vec<String> = self.mesh.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let devices: usize = self.mesh.iter().map(|(_, size)| size).product();
        let apart = devices / members;
        let group =
            |first: usize| (0..members).map(|at| (first + at * apart).to_string()).collect::<Vec<_>>();
        let groups: Vec<String> = (0..apart).map(|first| format!("[{}]", group(first).join(", "))).collect();
        let groups = format!("dense<[{}]> : tensor<{apart}x{members}xi64>", groups.join(", "));
        let columns = self.size();
        let (whole, own) = (vec![members * members, columns], vec![members, columns]);
        let left = self.link_argument(whole.clone(), element);
        let right = self.link_argument(whole.clone(), element);
        let ty = typed(&own, element);
        let (wider, _) = others(element);
        let (body, made) = if self.rng.chance(50) {
            let [first, second] = self.rng.pick(&[["p", "q"], ["q", "p"], ["p", "p"]]);
            let [back, too] = self.rng.pick(&[["0", "1"], ["1", "0"], ["1", "1"]]);
            let exchange = |name: &str, one: &str, other: &str| {
                format!(
                    "      %{name}:2 = \"stablehlo.all_to_all\"({one}, {other}) <{{concat_dimension = 0 : i64, \
                     replica_groups = {groups}, split_count = {members} : i64, split_dimension = 0 : i64}}> : \
                     ({ty}, {ty}) -> ({ty}, {ty})\n"
                )
            };
            let text = exchange("there", &format!("%{first}"), &format!("%{second}"))
                + &exchange("back", &format!("%there#{back}"), &format!("%there#{too}"));
            (text + &format!("      %made = stablehlo.subtract %back#0, %back#1 : {ty}\n"), element)
        } else {
            let made = if self.rng.chance(70) { self.rng.pick(wider) } else { element };
            let combined = typed(&own, made);
            let op = self.rng.pick(&["add", "add", "maximum"]);
            let region = combiner(op, made);
            let reduce = |name: &str, of: &str| {
                format!(
                    "      %{name} = \"stablehlo.all_reduce\"(%{of}) <{{replica_groups = {groups}}}> ({region}) : \
                     ({ty}) -> {combined}\n"
                )
            };
            let text = reduce("first", "p") + &reduce("second", "q");
            (text + &format!("      %made = stablehlo.add %first, %second : {combined}\n"), made)
        };
        let sharding = format!("<@mesh, [{{\"{axis}\"}}, {{}}]>");
        let result = typed(&whole, made);
        let text = format!(
            "sdy.manual_computation({}, {}) in_shardings=[{sharding}, {sharding}] out_shardings=[{sharding}] \
             manual_axes={{{}}} (%p: {ty}, %q: {ty}) {{\n{body}      sdy.return %made : {}\n    }} : ({}, {}) -> \
             {result}",
            left.name,
            right.name,
            axes.join(", "),
            typed(&own, made),
            left.ty(),
            right.ty(),
        );
        self.link(&text, whole, made)
    }
}

/// The region that combines two scalars of a type.
fn combiner(op: &str, element: &str) -> String {
    format!(
        "{{\n    ^bb0(%l: tensor<{element}>, %r: tensor<{element}>):\n      %s = stablehlo.{op} %l, %r : \
         tensor<{element}>\n      stablehlo.return %s : tensor<{element}>\n    }}"
    )
}
