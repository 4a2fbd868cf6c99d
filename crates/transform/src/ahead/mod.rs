//! What layers make of parameters alone, made once in front of their loops.
//!
//! Input: a function, and which of its values follow from parameters, and from data. Output: the same where loops over layers
//! read copies of their parameters as they compute with them: converted to narrower floats, or rounded to eight bits with
//! their scales. Those are stacked in front of the loops, once for all that read them alike, a part for each layer.
//!
//! So a step in microbatches converts its parameters once, as frameworks do that keep them in `bf16` beside masters in `f32`
//! (Micikevicius et al., Mixed Precision Training, 2018); and what shards of them are brought together for is what is
//! computed with. What only moves elements, takes as many bytes as what it is
//! made of, or has annotations, stays where it is.
//!
//! ```text
//! %ws: 4x8x8xf32                             %s = convert %ws
//! while(%i, %x)                              while(%i, %x)
//!   %w = dynamic_slice %ws, %i                 %w = dynamic_slice %s, %i
//!   return %i + 1, dot %x, convert %w          return %i + 1, dot %x, %w
//! ```

mod find;
mod write;

use crate::made::Made;
use crate::normal::needed;
use find::Layers;
pub use find::only_moves;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::Function;
use meshwright_ir::rewrite::{Rewritten, rewritten};
use std::collections::BTreeMap;
use write::Ahead;

/// Knowledge of the values of a function.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Returns whether a value follows from parameters.
    pub is_of_parameters: &'a dyn Fn(ValueId) -> bool,
    /// Returns whether a value follows from data.
    pub is_of_data: &'a dyn Fn(ValueId) -> bool,
}

/// Makes ahead of loops over layers what they make of parameters alone; none if there is nothing of that kind.
pub fn made_ahead(function: &Function, known: Known<'_>) -> Option<Made> {
    let body = &function.body;
    let loops = body.regions[body.entry()].insts.iter().filter(|inst| {
        let content = &body.insts[**inst];
        matches!(content.op, Op::While(_)) && content.results.iter().any(|result| (known.is_of_data)(*result))
    });
    let found: BTreeMap<InstId, Layers<'_>> =
        loops.filter_map(|inst| Some((*inst, Layers::of(body.view(*inst), known)?))).collect();
    if found.is_empty() {
        return None;
    }
    let made = Made::of(function, rewritten(body, &mut Ahead::new(&found)));
    let Rewritten { body, trace, .. } = needed(&made.function.body);
    Some(Made { trace: trace.behind(&made.trace), function: function.with_body(body) })
}
