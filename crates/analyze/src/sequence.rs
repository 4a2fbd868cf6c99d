//! The sequence of a step: the dims of its data along which a causal model can be cut into slices of tokens.
//!
//! Input: a function, its roles and phases. Output: the [`TimeAxis`] along one of the dims that are not the batch: those that
//! [`Roles`] takes for the sequence come first.

use std::collections::BTreeSet;

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::Function;
use meshwright_transform::time::TimeAxis;
use meshwright_transform::time::sequence::{Runs, Sequence, SequenceRefusal, Stopped};

use crate::dim_classes::Class;
use crate::phases::{Phase, Phases};
use crate::roles::{DATA, Roles};

/// The time axis along the sequence of a function.
///
/// # Errors
/// What stands in the way along the dim that most of the step could be cut along.
pub fn sequence_axis(
    function: &Function,
    roles: &Roles,
    phases: &Phases,
    count: usize,
) -> Result<TimeAxis, SequenceRefusal> {
    let is_data = |value: ValueId| roles.depends[value] == DATA;
    let runs = |inst: InstId| match phases.of[inst] {
        Phase::Free => Runs::Anywhere,
        Phase::Forward => Runs::Forward,
        Phase::Turning => Runs::Turning,
        Phase::Backward => Runs::Backward,
        Phase::Update => Runs::Behind,
    };
    let mut furthest = Stopped { refusal: SequenceRefusal::NoSequence, cut: 0 };
    for class in candidates(function, roles, phases) {
        let has = |value: ValueId, dim: usize| roles.classes.of(value, dim) == class;
        let sequence = Sequence { has: &has, is_data: &is_data, runs: &runs };
        match TimeAxis::along_sequence(function, &sequence, count) {
            Ok(axis) => return Ok(axis),
            Err(stopped) if stopped.cut > furthest.cut || furthest.refusal == SequenceRefusal::NoSequence => {
                furthest = stopped;
            }
            Err(_) => {}
        }
    }
    Err(furthest.refusal)
}

/// Classes of dims of data that the forward pass reads beside the batch.
fn candidates(function: &Function, roles: &Roles, phases: &Phases) -> Vec<Class> {
    let body = &function.body;
    let mut classes = BTreeSet::new();
    for inst in &body.regions[body.entry()].insts {
        if phases.of[*inst] != Phase::Forward {
            continue;
        }
        for value in body.insts[*inst].operands.iter().filter(|value| roles.depends[**value] == DATA) {
            let shape = body.ty(*value).as_tensor().map_or(&[][..], |ty| &ty.shape);
            let dims = (0..shape.len()).filter(|dim| shape[*dim] > 1);
            classes.extend(dims.map(|dim| roles.classes.of(*value, dim)));
        }
    }
    let others = classes.difference(&roles.sequence).copied().filter(|class| !roles.batch.contains(class));
    classes.intersection(&roles.sequence).copied().chain(others).collect()
}
