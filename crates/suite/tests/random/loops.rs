//! Loops: over a value, and over microbatches whose sums add up.

use super::generate::{Generator, Value, ty};
use std::fmt::Write as _;

impl Generator {
    /// A loop that runs three times over the value.
    pub(crate) fn repeat(&mut self, value: &Value) {
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

    /// A loop of three turns that adds up sums of the value over its first dim. It starts at zero, at such a sum, or at
    /// another value of that shape; what is carried may be read in between, and what is added may come from an inner loop,
    /// which adds up too, or writes rows.
    pub(crate) fn accumulate(&mut self, value: &Value) {
        let Some((_, rest)) = value.shape.split_first() else { return self.unary(value) };
        let (n, whole, part) = (self.next, ty(&value.shape), ty(rest));
        let rest = rest.to_vec();
        self.next += 1;
        let _ = writeln!(
            self.body,
            "    %n{n} = stablehlo.constant dense<0> : tensor<i32>\n    %f{n} = stablehlo.constant dense<0.0> : tensor<f32>\n    \
             %z{n} = stablehlo.constant dense<0.0> : {part}"
        );
        let sum = |name: &str, of: &str| {
            format!(
                "%{name} = stablehlo.reduce({of} init: %f{n}) applies stablehlo.add across dimensions = [0] : \
                 ({whole}, tensor<f32>) -> {part}"
            )
        };
        let start = match self.rng.below(8) {
            0 => {
                let _ = writeln!(self.body, "    {}", sum(&format!("s{n}"), &value.name));
                format!("%s{n}")
            }
            1 => self.other_argument(rest.clone(), "f32"),
            _ => format!("%z{n}"),
        };
        let added = match self.rng.below(8) {
            0 => self.added_by_inner_loop(n, &part),
            1 if !rest.is_empty() => self.rows_of_inner_loop(n, &rest),
            2 => format!(
                "      %t = stablehlo.tanh %x{n} : {part}\n      %u = stablehlo.multiply %r, %t : {part}\n"
            ),
            3 => format!("      %u = stablehlo.negate %r : {part}\n"),
            _ => format!("      %u = stablehlo.add %r, %r2 : {part}\n"),
        };
        let text = format!(
            "      %s = stablehlo.convert %i{n} : (tensor<i32>) -> tensor<f32>
      %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> {whole}
      %m = stablehlo.multiply {0}, %b : {whole}
      %h = stablehlo.tanh %m : {whole}
      {1}
      {2}
{added}      %y = stablehlo.add %x{n}, %u : {part}
",
            value.name,
            sum("r", "%m"),
            sum("r2", "%h"),
        );
        let text = loop_of((&format!("{n}"), 3), (&format!("%x{n}"), &start, &part), &text, n);
        self.body.push_str(&text);
        self.values.push(Value { name: format!("%{n}#0"), shape: rest });
    }

    /// `%u`, what an inner loop of two turns adds up.
    fn added_by_inner_loop(&mut self, n: usize, part: &str) -> String {
        let inner = format!("      %y = stablehlo.add %w{n}, %r : {part}\n");
        let text = loop_of((&format!("v{n}"), 2), (&format!("%w{n}"), &format!("%z{n}"), part), &inner, n);
        format!("{text}      %u = stablehlo.add %v{n}#0, %r2 : {part}\n")
    }

    /// `%u`, to which an inner loop writes the first row and the second, if there is one.
    fn rows_of_inner_loop(&mut self, n: usize, rest: &[usize]) -> String {
        let (part, row) = (ty(rest), ty(&[&[1], &rest[1..]].concat()));
        let limits: Vec<String> = rest
            .iter()
            .enumerate()
            .map(|(dim, size)| format!("0:{}", if dim == 0 { 1 } else { *size }))
            .collect();
        let zeros = vec![format!(", %n{n}"); rest.len() - 1].concat();
        let types = vec!["tensor<i32>"; rest.len()].join(", ");
        let inner = format!(
            "      %o = stablehlo.slice %r [{}] : ({part}) -> {row}
      %y = stablehlo.dynamic_update_slice %w{n}, %o, %iv{n}{zeros} : ({part}, {row}, {types}) -> {part}
",
            limits.join(", ")
        );
        let text = loop_of((&format!("v{n}"), 2), (&format!("%w{n}"), &format!("%z{n}"), &part), &inner, n);
        format!("{text}      %u = stablehlo.add %v{n}#0, %r2 : {part}\n")
    }
}

/// `%name:2`, a loop that carries one value besides its counter `%i` with the name; the body's text makes `%y` of it.
fn loop_of(
    (name, turns): (&str, usize),
    (carried, start, ty): (&str, &str, &str),
    text: &str,
    n: usize,
) -> String {
    format!(
        "    %{name}:2 = stablehlo.while({carried} = {start}, %i{name} = %n{n}) : {ty}, tensor<i32>
    cond {{
      %k{name} = stablehlo.constant dense<{turns}> : tensor<i32>
      %p{name} = stablehlo.compare LT, %i{name}, %k{name}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p{name} : tensor<i1>
    }} do {{
      %one{name} = stablehlo.constant dense<1> : tensor<i32>
      %j{name} = stablehlo.add %i{name}, %one{name} : tensor<i32>
{text}      stablehlo.return %y, %j{name} : {ty}, tensor<i32>
    }}
"
    )
}
