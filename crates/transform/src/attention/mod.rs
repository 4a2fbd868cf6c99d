//! Attention as a program writes it out, and its gradient, as calls of a platform's kernel.
//!
//! Input: a function with all calls inlined, and what the platform's kernel takes. Output: the function with calls
//! (`__cudnn$fmha...`, see `meshwright_ir::kernels`) in place of the scores, the softmax and the products; and for every
//! attention that was found, what became of it.
//!
//! An attention is known by its dataflow:
//! - `scores`: exponentials of a product `q k^T`, scaled, masked, with a bias; whatever does not differ along the keys
//!   may be subtracted first;
//! - `softmax`: everything that is made of them and is, by algebra, `p = e / rowsum(e)` or the gradient of the scores,
//!   `p (x - rowsum(p x))` with `x = g v^T`, however it is written (`algebra`); one more score beside those of the keys may
//!   have its part of the sum (`form`), and what it does is done beside the calls (`sinks`);
//! - `matched`: the products of these with values: the output `p v`, and the gradients `p^T g`, `ds k`, `ds^T q`.
//!
//! Values are compared by where their elements come from (`dims`, `reader`), through transposes, reshapes, broadcasts,
//! widening, barriers and loops over layers (`links`). Masks that follow from positions become causal or a window of keys
//! (`band`, `masks`), all others a bias; queries that one on data leaves no key get what the program gives them beside the
//! call (`unseen`). What nothing needs then is left out (`live`, `rewrite`); an attention of which
//! something is still needed stays as it is written.

mod algebra;
mod band;
mod config;
mod dims;
mod emit;
mod features;
mod form;
mod links;
mod live;
mod masks;
mod matched;
mod places;
mod positions;
mod reader;
mod rewrite;
mod roles;
mod scores;
mod sinks;
mod softmax;
mod takes;
mod unseen;
mod way;

pub(crate) use positions::Positions;
pub(crate) use scores::MASKED;
pub use takes::{Found, Reason, Recognized, Takes};

use crate::made::Made;
use live::Needed;
use matched::Attention;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::{Body, Function};
use places::Placed;
use reader::Known;
use roles::Sharing;
use softmax::Softmax;
use std::collections::BTreeMap;

/// A function with its attentions as calls.
#[derive(Clone, Debug)]
pub struct Attended {
    /// The function; `None` if no attention has become a call.
    pub made: Option<Made>,
    /// All attentions that were found, in order.
    pub found: Vec<Found>,
}

/// The function with those attentions as calls that the kernel takes.
pub fn attention(function: &Function, takes: &'static Takes) -> Attended {
    let body = &function.body;
    let known = Known::of(body);
    let (mut found, mut placed) = (Vec::new(), Vec::new());
    for exponential in body.walk(body.entry()) {
        match placed_for(&known, exponential, takes) {
            Some(Ok(attention)) => placed.push(attention),
            Some(Err(reason)) => found.push(Found { exponential, outcome: Err(reason) }),
            None => {}
        }
    }
    let needed = keep_whole(&known, &mut placed, &mut found);
    found.extend(placed.iter().map(|placed| {
        let attention = &placed.attention;
        let recognized = match (&attention.gradient, attention.outputs.is_empty()) {
            (None, _) => Recognized::Forward,
            (Some(_), false) => Recognized::WithGradient,
            (Some(_), true) => Recognized::Again,
        };
        Found { exponential: attention.exponential, outcome: Ok(recognized) }
    }));
    found.sort_by_key(|found| known.position[found.exponential]);
    let made = (!placed.is_empty()).then(|| Made::of(function, rewrite::with_calls(body, &placed, &needed)));
    Attended { made, found }
}

/// The attention whose exponentials an instruction computes, with places for its calls.
fn placed_for(
    known: &Known<'_>,
    exponential: InstId,
    takes: &'static Takes,
) -> Option<Result<Placed, Reason>> {
    let mut first = None;
    for sharing in [Sharing::Repeated, Sharing::AsWritten] {
        let softmax = match Softmax::of(known, exponential)? {
            Ok(softmax) => softmax,
            Err(reason) => return Some(Err(reason)),
        };
        let attention = Attention::of(known, softmax, takes, sharing)?;
        match attention.and_then(|attention| Placed::of(known, attention)) {
            Ok(placed) => return Some(Ok(placed)),
            Err(reason) => first = first.or(Some(reason)),
        }
    }
    first.map(Err)
}

/// Leaves out attentions of which exponentials are still needed; what is needed with the others as calls.
fn keep_whole(known: &Known<'_>, placed: &mut Vec<Placed>, found: &mut Vec<Found>) -> Needed {
    loop {
        let given: BTreeMap<ValueId, Vec<ValueId>> = placed.iter().flat_map(Placed::given).collect();
        let needed = Needed::of(known.body, &given);
        let is_whole = |placed: &Placed| !needed.has_inst(known.body, placed.attention.exponential);
        let Some(at) = placed.iter().position(|placed| !is_whole(placed)) else { return needed };
        let Attention { exponential, readers, is_changed, .. } = &placed[at].attention;
        let reason = match readers.iter().find(|reader| needed.has_inst(known.body, **reader)) {
            Some(_) if *is_changed => Reason::Changed,
            Some(reader) => Reason::ReadElsewhere(name(known.body, *reader)),
            None => Reason::Gradient,
        };
        found.push(Found { exponential: *exponential, outcome: Err(reason) });
        placed.remove(at);
    }
}

fn name(body: &Body, id: InstId) -> &'static str {
    body.insts[id].op.name()
}
