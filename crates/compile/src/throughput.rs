//! How much data a step takes: samples, and tokens where the data has them.
//!
//! Input: a function with calls inlined and its [`Roles`]. Output: [`Fed`]. The batch and the sequence are those dims of
//! the data that [`Roles`] knows as such, the batch the first of them. Data with one sequence dim are tokens; those with more
//! (images) or none are samples.
//! Where some data has a batch, tokens are only what has one too, and where images come with fewer tokens (captions), the
//! images count.
//! Where more tokens come in than the model works on (targets are the same ids, shifted by one), those that it works on
//! count.

use meshwright_analyze::Roles;
use meshwright_analyze::roles::{contracted, factor_classes};
use meshwright_ir::program::Function;
use meshwright_tensor::types::TensorType;
use std::ops::Range;

/// What a step is fed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fed {
    /// `tokens` or `samples`.
    pub(crate) unit: &'static str,
    /// The batch.
    pub(crate) samples: u64,
    /// Tokens, or samples, of a step.
    pub(crate) units: u64,
}

impl Fed {
    /// The same of a step of so many examples. In microbatches of one example no dim is the batch, so that the data of one
    /// is all that shows.
    pub(crate) fn of_all(self, examples: u64) -> Self {
        match self.samples < examples {
            true => Self {
                units: self.units.saturating_mul(examples / self.samples.max(1)),
                samples: examples,
                ..self
            },
            false => self,
        }
    }
}

/// What a step is fed; `None` if no data has a batch or tokens.
pub(crate) fn fed(function: &Function, roles: &Roles) -> Option<Fed> {
    let body = &function.body;
    let worked_on = lengths(function, roles);
    let (mut samples, mut pixels) = (0_u64, 0_u64);
    let mut tokens: Vec<(Option<u64>, u64)> = Vec::new();
    for index in roles.data() {
        let value = function.args()[index];
        let Some(tensor) = body.ty(value).as_tensor() else { continue };
        let size_of = |is_wanted: &dyn Fn(usize) -> bool| -> Option<u64> {
            let dims = (0..tensor.rank()).filter(|dim| is_wanted(*dim));
            let sizes: Vec<u64> = dims.map(|dim| tensor.shape[dim] as u64).collect();
            (!sizes.is_empty()).then(|| sizes.iter().product())
        };
        let examples = examples(function, roles, index);
        let is_known = |dim: usize| {
            let class = roles.classes.of(value, dim);
            roles.sequence.contains(&class) || roles.batch.contains(&class)
        };
        let is_sequence = |dim: usize| is_known(dim) && !examples.contains(&dim);
        let batch = size_of(&|dim| examples.contains(&dim));
        samples = samples.max(batch.unwrap_or(0));
        let num_sequences = (0..tensor.rank()).filter(|dim| is_sequence(*dim)).count();
        if let (Some(batch), true) = (batch, num_sequences > 1) {
            pixels = pixels.max(batch.saturating_mul(size_of(&is_sequence).unwrap_or(1)));
        }
        if let Some(length) = size_of(&is_sequence).filter(|_| num_sequences == 1) {
            let shorter = length.checked_sub(1).filter(|shorter| worked_on.contains(shorter));
            let length = if worked_on.contains(&length) { length } else { shorter.unwrap_or(length) };
            tokens.push((batch, length));
        }
    }
    let fitting = tokens.iter().filter(|(batch, _)| batch.is_some() || samples == 0);
    let tokens = fitting.map(|(batch, length)| batch.unwrap_or(1).saturating_mul(*length)).max();
    let is_of_images = !roles.data().any(|index| is_ids(function, roles, index));
    let tokens = tokens.filter(|tokens| *tokens >= pixels || !is_of_images).unwrap_or(0);
    match (samples, tokens) {
        (0, 0) => None,
        (samples, 0) => Some(Fed { unit: "samples", samples, units: samples }),
        (samples, tokens) => Some(Fed { unit: "tokens", samples: samples.max(1), units: tokens }),
    }
}

/// The dims of data that are its batch: the first such next to each other. What is cut into patches by rows and columns has one
/// of these behind the batch, which the roles know as the like, since elements of patches meet only as tokens.
fn examples(function: &Function, roles: &Roles, index: usize) -> Range<usize> {
    let value = function.args()[index];
    let rank = function.body.ty(value).as_tensor().map_or(0, TensorType::rank);
    let is_batch = |dim: &usize| roles.batch.contains(&roles.classes.of(value, *dim));
    let start = (0..rank).find(is_batch).unwrap_or(rank);
    start..(start..rank).find(|dim| !is_batch(dim)).unwrap_or(rank)
}

/// Whether data are integers with one sequence dim, as ids of tokens are.
fn is_ids(function: &Function, roles: &Roles, index: usize) -> bool {
    let value = function.args()[index];
    let is_sequence = |dim: &usize| roles.sequence.contains(&roles.classes.of(value, *dim));
    let tensor = function.body.ty(value).as_tensor();
    tensor.is_some_and(|ty| ty.element.is_integer() && (0..ty.rank()).filter(is_sequence).count() == 1)
}

/// The sizes of sequence dims in contractions.
fn lengths(function: &Function, roles: &Roles) -> Vec<u64> {
    let is_contraction = |id: &&meshwright_ir::ids::InstId| !contracted(&roles.rules[**id]).is_empty();
    let mut found: Vec<u64> = Vec::new();
    for id in roles.whole.iter().filter(is_contraction) {
        for (factor, class) in factor_classes(roles, &function.body, *id) {
            if roles.sequence.contains(&class) {
                found.push(roles.rules[*id].factors[factor].size as u64);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
