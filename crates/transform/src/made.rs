//! A function made from another one, as most that is done to a program before it is partitioned leaves it.

use meshwright_ir::program::Function;
use meshwright_ir::rewrite::{Rewritten, Trace};

use crate::passes::Flat;

/// A function that was made from another one.
#[derive(Clone, Debug)]
pub struct Made {
    /// The function.
    pub function: Function,
    /// Where all that is in it comes from in the other one.
    pub trace: Trace,
}

impl Made {
    /// The function whose body became another.
    pub(crate) fn of(function: &Function, Rewritten { body, trace, .. }: Rewritten) -> Self {
        Self { function: function.with_body(body), trace }
    }
}

impl Flat {
    /// A function that was made from that of `before`.
    #[must_use]
    pub fn of_made(before: &Self, Made { function, trace }: Made) -> Self {
        let origins = before.origins.behind(&trace, &function.body);
        Self { function, origins }
    }
}
