//! In which order the seeds take part: user priorities first, then what the seeded tensor is for.
//!
//! Input: a function and its seeds. Output: a [`Phase`] per seeded dim; lower phases reach their fixed point before
//! higher ones begin, so on a conflict over an axis the lower phase has already won.
//!
//! A user says with a priority (`{"data"}p0`) what should win. Most programs do not, although they mean something:
//!
//! - *batch and weights* (first): what an argument that is no state is sharded over is the batch; weights sharded
//!   over an axis that does not shard the batch are tensor parallel. The two never fight over an axis.
//! - *constraints* (then): a constraint on an intermediate value says how the value is kept *there*. It propagates where
//!   the weights left the axis free: with the residual stream constrained to `[data, model, -]`, attention and MLP
//!   stay tensor parallel over `model` (sequence parallelism).
//! - *stored* (last): state that is sharded over an axis of the batch is sharded to save memory (ZeRO, FSDP). It is
//!   gathered for use, its gradients are scattered, and elementwise updates follow it.
//!
//! *State* is an argument that aliases or is donated to a result, as optimizers and caches are. In a program without
//! state (a loss function) it is every argument that is not of integers, which batches of tokens are. A user priority
//! always comes before this order. With [`SeedOrder::Ignore`] only user priorities count, as in Shardy.

use meshwright_ir::arguments::Donation;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::Function;
use meshwright_ir::sharding::{DimSharding, Sharding};
use meshwright_plan::Decisions;
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// Orders of the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SeedOrder {
    /// See the module's comment.
    #[default]
    Infer,
    /// Only user priorities count.
    Ignore,
    /// Larger tensors first.
    Largest,
}

/// When a seeded dim takes part: user priority, then role.
pub(crate) type Phase = (u64, u8);

const BATCH_AND_WEIGHTS: u8 = 0;
const CONSTRAINTS: u8 = 1;
const STORED: u8 = 2;

/// The phases of the dims of every seed, in the seeds' order.
pub(crate) struct Phases {
    pub(crate) values: Vec<Vec<Phase>>,
    pub(crate) results: Vec<Vec<Phase>>,
}

impl Phases {
    /// The order in which seeded dims take part, by which propagation goes: the number of the phase of each that waits for one.
    pub(crate) fn order(&self, fixed: &Decisions) -> Vec<usize> {
        let values = fixed.values.values().zip(&self.values);
        let results = fixed.results.iter().zip(&self.results);
        let results = results.filter_map(|(sharding, phases)| Some((sharding.as_ref()?, phases)));
        let dims = values.chain(results).flat_map(|(sharding, phases)| sharding.dims.iter().zip(phases));
        let waiting: Vec<Phase> =
            dims.filter(|(dim, phase)| waits(dim, **phase)).map(|(_, phase)| *phase).collect();
        let numbers: BTreeSet<Phase> = waiting.iter().copied().collect();
        let numbers: BTreeMap<Phase, usize> = numbers.into_iter().zip(0..).collect();
        waiting.iter().map(|phase| numbers[phase]).collect()
    }
}

/// Whether a seeded dim waits for its phase: one with a priority of its own takes no axes either before its time.
pub(crate) fn waits(dim: &DimSharding, phase: Phase) -> bool {
    !dim.axes.is_empty() || phase.0 > 0
}

/// Finds the phase of every seeded dim.
pub(crate) fn phases(function: &Function, fixed: &Decisions, roles: SeedOrder) -> Phases {
    let state = StateArguments::of(function);
    let batch: AxisSet = fixed
        .values
        .iter()
        .filter(|(value, _)| function.argument_index(**value).is_some_and(|index| !state.arguments[index]))
        .fold(AxisSet::EMPTY, |axes, (_, sharding)| axes.union(sharding.sharded_axes()));
    let of_state = |sharding: &Sharding| -> Vec<u8> {
        let stored = |axes: AxisSet| if axes.is_disjoint(batch) { BATCH_AND_WEIGHTS } else { STORED };
        sharding.dims.iter().map(|dim| stored(dim.axes.iter().collect())).collect()
    };
    let of_others = |sharding: &Sharding, role: u8| vec![role; sharding.dims.len()];
    let with_priority = |sharding: &Sharding, levels: Vec<u8>, ty: &Type| -> Vec<Phase> {
        let level = |level: u8| match roles {
            SeedOrder::Infer => level,
            SeedOrder::Ignore => 0,
            // Sizes within a factor of two are alike.
            SeedOrder::Largest => (ty.num_bytes() | 1).leading_zeros() as u8,
        };
        sharding.dims.iter().zip(levels).map(|(dim, own)| (dim.priority, level(own))).collect()
    };
    let values = fixed.values.iter().map(|(value, sharding)| {
        let levels = match function.argument_index(*value) {
            Some(index) if state.arguments[index] => of_state(sharding),
            Some(_) => of_others(sharding, BATCH_AND_WEIGHTS),
            None => of_others(sharding, CONSTRAINTS),
        };
        with_priority(sharding, levels, function.body.ty(*value))
    });
    let results = fixed.results.iter().enumerate().map(|(index, sharding)| {
        let Some(sharding) = sharding else { return Vec::new() };
        let levels = match state.results[index] {
            true => of_state(sharding),
            false => of_others(sharding, CONSTRAINTS),
        };
        with_priority(sharding, levels, &function.result_types[index])
    });
    Phases { values: values.collect(), results: results.collect() }
}

/// Which arguments and results are state.
struct StateArguments {
    arguments: Vec<bool>,
    results: Vec<bool>,
}

impl StateArguments {
    /// `tf.aliasing_output = k` names the result; `jax.buffer_donor` does not, so every result of the type of a
    /// donated argument counts as state.
    fn of(function: &Function) -> Self {
        let mut results = vec![false; function.result_types.len()];
        let mut arguments = vec![false; function.args().len()];
        for (index, argument) in function.args().iter().enumerate() {
            let donation = function.donation(index);
            arguments[index] = donation != Donation::Kept;
            match donation {
                Donation::Kept => {}
                Donation::ToResult(result) => results[result] = true,
                Donation::ToAny => {
                    let ty = function.body.ty(*argument);
                    for (other, state) in function.result_types.iter().zip(&mut results) {
                        *state |= other == ty;
                    }
                }
            }
        }
        if !arguments.contains(&true) {
            let is_integer = |ty: &Type| ty.as_tensor().is_some_and(|tensor| tensor.element.is_integer());
            arguments = function.args().iter().map(|value| !is_integer(function.body.ty(*value))).collect();
        }
        Self { arguments, results }
    }
}
