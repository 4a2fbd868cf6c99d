//! The memory of a function's arguments, as far as a program says anything of it.
//!
//! Input: the attributes that JAX writes on arguments. Output: what a run may do with an argument's memory
//! ([`Donation`]), and in which memory the argument lies ([`Placement`]).

use crate::attribute::{Attr, Attributes};
use crate::program::Function;

/// Uses of the memory of an argument that is no longer needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Donation {
    /// It stays the caller's.
    Kept,
    /// A result takes its place (`tf.aliasing_output = k`).
    ToResult(usize),
    /// Any result may take its place (`jax.buffer_donor = true`).
    ToAny,
}

/// The memory that a value lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// That of the device.
    Device,
    /// That of the host to which the device belongs.
    Host,
}

impl Placement {
    /// The memory of this name (`pinned_host`, `unpinned_host`, `device`); `None` for another.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "device" => Some(Self::Device),
            "pinned_host" | "unpinned_host" => Some(Self::Host),
            _ => None,
        }
    }

    /// Its name in programs: the host's is pinned, so that devices reach it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Host => "pinned_host",
        }
    }
}

impl Function {
    /// Use of the memory of an argument.
    pub fn donation(&self, argument: usize) -> Donation {
        let Some(attributes) = self.arg_attributes.get(argument) else { return Donation::Kept };
        let aliased = attributes.get("tf.aliasing_output").and_then(Attr::as_int);
        let aliased = aliased.and_then(|result| usize::try_from(result).ok());
        match aliased.filter(|result| *result < self.result_types.len()) {
            Some(result) => Donation::ToResult(result),
            None if attributes.get("jax.buffer_donor").and_then(Attr::as_int) == Some(1) => Donation::ToAny,
            None => Donation::Kept,
        }
    }

    /// Gives the memory of an argument to a result of its size, or to none.
    pub fn donate(&mut self, argument: usize, result: Option<usize>) {
        let attributes = &mut self.arg_attributes[argument];
        match result {
            Some(result) => attributes.set("tf.aliasing_output", Attr::i32(result as i32)),
            None => drop(attributes.remove("tf.aliasing_output")),
        }
    }

    /// Puts an argument into a memory.
    pub fn place_argument(&mut self, argument: usize, placement: Placement) {
        self.arg_attributes[argument].set(KINDS[0], Attr::string(placement.name()));
    }

    /// Puts a result into a memory.
    pub fn place_result(&mut self, result: usize, placement: Placement) {
        self.result_attributes[result].set(KINDS[0], Attr::string(placement.name()));
    }

    /// The memory in which an argument lies.
    pub fn argument_placement(&self, argument: usize) -> Placement {
        self.arg_attributes.get(argument).and_then(kind_of_memory).unwrap_or(Placement::Device)
    }
}

/// The attributes that name it.
const KINDS: [&str; 2] = ["mhlo.memory_kind", "jax.memory_kind"];

/// The memory that attributes of an argument or of a result name.
fn kind_of_memory(attributes: &Attributes) -> Option<Placement> {
    KINDS.into_iter().find_map(|name| Placement::from_name(attributes.get(name)?.as_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;

    fn function(attributes: &str) -> Function {
        let text = format!(
            "func.func @main(%a: tensor<2xf32>{attributes}) -> tensor<2xf32> {{\n  return %a : tensor<2xf32>\n}}"
        );
        let program = crate::text::read(&Source::new("test.mlir", text.as_str())).unwrap();
        program.main().unwrap().clone()
    }

    #[test]
    fn only_what_is_given_up_is_donated() {
        let of = |attributes: &str| function(attributes).donation(0);
        assert_eq!(of(""), Donation::Kept);
        assert_eq!(of(" {jax.buffer_donor = true}"), Donation::ToAny);
        assert_eq!(of(" {jax.buffer_donor = false}"), Donation::Kept);
        assert_eq!(of(" {tf.aliasing_output = 0 : i32}"), Donation::ToResult(0));
        assert_eq!(of(" {jax.buffer_donor = false, tf.aliasing_output = 0 : i32}"), Donation::ToResult(0));
        // There is no such result.
        assert_eq!(of(" {tf.aliasing_output = 1 : i32}"), Donation::Kept);
        assert_eq!(of(" {tf.aliasing_output = -1 : i32}"), Donation::Kept);
    }

    #[test]
    fn memory_is_known_by_name() {
        let of = |attributes: &str| function(attributes).argument_placement(0);
        assert_eq!(of(" {mhlo.memory_kind = \"pinned_host\"}"), Placement::Host);
        assert_eq!(of(" {jax.memory_kind = \"unpinned_host\"}"), Placement::Host);
        assert_eq!(of(" {mhlo.memory_kind = \"device\"}"), Placement::Device);
        assert_eq!(of(""), Placement::Device);
    }
}
