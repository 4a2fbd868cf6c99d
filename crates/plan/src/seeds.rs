//! What is fixed before propagation begins.
//!
//! Seeds come from a program's annotations, from a plan made earlier or from a search; propagation never overrides
//! them, it may add axes to their open dims.

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::Function;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;

/// The attribute by which an instruction of a global program says how it is spread.
pub const STRATEGY: &str = "meshwright.strategy";

/// The attribute by which an instruction says which of its operands it brings to where it reads them anew; see
/// `Shardings::anew`.
pub const ANEW: &str = "meshwright.anew";

/// Shardings of values and of function results, and strategies of instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seeds {
    /// Values with their shardings. A value that is named twice keeps the last one.
    pub values: Vec<(ValueId, Sharding)>,
    /// The sharding of each function result, where it is fixed.
    pub results: Vec<Option<Sharding>>,
    /// Instructions that are spread in a given way, whatever the shardings of their tensors suggest. Legal ones.
    pub strategies: Vec<(InstId, Strategy)>,
    /// Operands that are brought to where they are read anew, ascending; see `Shardings::anew`.
    pub anew: Vec<(InstId, usize)>,
}

impl Seeds {
    /// Nothing fixed.
    pub fn none(function: &Function) -> Self {
        Self { results: vec![None; function.result_types.len()], ..Self::default() }
    }

    /// Whether nothing is fixed.
    pub fn is_empty(&self) -> bool {
        let says_something = self.results.iter().any(Option::is_some);
        self.values.is_empty() && !says_something && self.strategies.is_empty() && self.anew.is_empty()
    }
}
