//! What guides propagation besides the axes of dims: priorities, replicated and unreduced axes, barriers, sharding
//! groups and rules of the user's own.
//!
//! Input: a program being written. Output: more text in its shardings, and more instructions that leave its values alone.

use super::generate::{Generator, Value, ty};
use std::fmt::Write as _;

impl Generator {
    /// The priority of a dim: mostly none.
    pub(crate) fn priority(&mut self) -> String {
        if self.rng.chance(15) { format!("p{}", self.rng.below(3)) } else { String::new() }
    }

    /// `, replicated={"x"}, unreduced={"y"}` of axes that no dim has.
    pub(crate) fn beside_dims(&mut self, unused: &[&str]) -> String {
        let (mut replicated, mut unreduced) = (Vec::new(), Vec::new());
        // In the mesh's order.
        for name in unused {
            match self.rng.below(12) {
                0 => replicated.push(format!("\"{name}\"")),
                1 => unreduced.push(format!("\"{name}\"")),
                _ => {}
            }
        }
        let mut text = String::new();
        // What is only constrained adds up.
        if self.is_inside && self.unreduced != "unreduced=" {
            unreduced.clear();
        }
        for (what, axes) in [("replicated=", replicated), (self.unreduced, unreduced)] {
            if !axes.is_empty() {
                let _ = write!(text, ", {what}{{{}}}", axes.join(", "));
            }
        }
        text
    }

    /// Now and then an instruction that guides propagation.
    pub(crate) fn guide(&mut self) {
        let Some(value) = self.values.last().cloned() else { return };
        match self.rng.below(24) {
            0 => {
                let direction = self.rng.pick(&["NONE", "FORWARD", "BACKWARD"]);
                let (name, ty) = (&value.name, ty(&value.shape));
                let text = format!("sdy.propagation_barrier {name} allowed_direction={direction} : {ty}");
                self.emit(&text, value.shape);
            }
            1 => self.group(&value),
            2 => self.ruled(&value),
            _ => {}
        }
    }

    /// Puts the value into a group with an earlier one of its shape.
    fn group(&mut self, value: &Value) {
        let like = |other: &&Value| other.shape == value.shape && other.name != value.name;
        let others: Vec<Value> = self.values.iter().filter(like).cloned().collect();
        if others.is_empty() {
            return;
        }
        let other = self.rng.pick(&others);
        // Groups that share a value are one.
        let id = self.rng.below(self.groups + 1);
        let known = self.body.contains(&format!("group_id={id} :"));
        let id = if known && !self.body.contains(&format!("group_id={id} : {}\n", ty(&value.shape))) {
            self.groups + 1
        } else {
            id
        };
        self.groups = self.groups.max(id + 1);
        for member in [value, &other] {
            let _ = writeln!(
                self.body,
                "    sdy.sharding_group {} group_id={id} : {}",
                member.name,
                ty(&member.shape)
            );
        }
    }

    /// An instruction with a rule that says something else than its own.
    fn ruled(&mut self, value: &Value) {
        let rank = value.shape.len();
        if rank == 0 || rank > 6 {
            return;
        }
        let letters = ["i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"];
        let mut sizes: Vec<usize> = value.shape.clone();
        let operand: Vec<usize> = (0..rank).collect();
        let mut result = Vec::new();
        for dim in 0..rank {
            // The dim's own factor, that of another dim of its size, or a new one.
            let others: Vec<usize> = (0..rank)
                .filter(|other| value.shape[*other] == value.shape[dim] && !result.contains(other))
                .collect();
            if others.is_empty() || self.rng.chance(20) {
                sizes.push(value.shape[dim]);
                result.push(sizes.len() - 1);
            } else {
                result.push(if others.contains(&dim) && self.rng.chance(70) {
                    dim
                } else {
                    self.rng.pick(&others)
                });
            }
        }
        let list = |factors: &[usize]| factors.iter().map(|f| letters[*f]).collect::<Vec<_>>().join(", ");
        let named: Vec<String> =
            sizes.iter().enumerate().map(|(factor, size)| format!("{}={size}", letters[factor])).collect();
        let chosen = |generator: &mut Self| -> Vec<usize> {
            (0..sizes.len()).filter(|_| generator.rng.chance(15)).collect()
        };
        let mut kinds = String::new();
        for kind in ["need_replication", "blocked_propagation"] {
            let factors = chosen(self);
            if !factors.is_empty() {
                let _ = write!(kinds, " {kind}={{{}}}", list(&factors));
            }
        }
        let rule = format!("([{}])->([{}]) {{{}}}{kinds}", list(&operand), list(&result), named.join(", "));
        let text = format!(
            "stablehlo.tanh {} {{sdy.sharding_rule = #sdy.op_sharding_rule<{rule}>}} : {}",
            value.name,
            ty(&value.shape)
        );
        self.emit(&text, value.shape.clone());
    }
}
