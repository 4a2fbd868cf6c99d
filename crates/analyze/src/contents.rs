//! What the values of a step are to the memory of a device: parameters, gradients, optimizer state, activations, ...
//!
//! Input: a function with calls inlined and its [`Roles`]. Output: [`Contents`]. An argument is what its role says, and so
//! are other forms of the same numbers, and the result that replaces it; a gradient is what meets a parameter in its
//! update, in any form. Of the rest of a step that trains, what is made before the first gradient of a weight and needed
//! after it is an *activation* (kept for the backward pass), and anything else a temporary; when a value is made and
//! needed last is for those to say who follow the program (`meshwright_cost::memory`). Where nothing trains, what
//! depends on data is an activation.

use std::collections::BTreeMap;

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::Function;

use crate::origins::Origin;
use crate::roles::{DATA, Role, Roles, contracted, makes_weights};

/// Kinds of memory content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// Weights, in whatever element type.
    Parameters,
    /// Gradients of weights.
    Gradients,
    /// Moments and counters of the optimizer.
    OptimizerState,
    /// Other state, such as a cache.
    State,
    /// What the step is fed.
    Data,
    /// What the forward pass keeps for the backward pass; where nothing trains, what is made of data.
    Activations,
    /// What is made and needed within one pass.
    Temporaries,
    /// Values in other layouts than they are kept in: what collectives make, and what they are made from.
    Copies,
}

impl Content {
    /// All of them, in the order of tables.
    pub const ALL: [Content; 8] = [
        Self::Parameters,
        Self::Gradients,
        Self::OptimizerState,
        Self::State,
        Self::Data,
        Self::Activations,
        Self::Temporaries,
        Self::Copies,
    ];

    /// Its name in plans.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parameters => "parameters",
            Self::Gradients => "gradients",
            Self::OptimizerState => "optimizer state",
            Self::State => "other state",
            Self::Data => "data",
            Self::Activations => "activations",
            Self::Temporaries => "temporaries",
            Self::Copies => "communication",
        }
    }
}

/// Content of each value.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Of each value; `None`: an activation or a temporary, as it is needed behind `turn` or not.
    pub of: Table<ValueId, Option<Content>>,
    /// The first instruction that makes a gradient of a weight: the backward pass has begun. `None`: there is none.
    pub turn: Option<InstId>,
}

impl Contents {
    /// Finds out what the values of a function are.
    pub fn new(function: &Function, roles: &Roles) -> Self {
        let body = &function.body;
        let mut known: BTreeMap<Origin, Content> = BTreeMap::new();
        for gradient in roles.gradients.values() {
            known.insert(roles.origins.of(*gradient), Content::Gradients);
        }
        let mut of = Table::filled(None, body.values.len());
        for (value, argument) in function.args().iter().zip(&roles.args) {
            let content = match argument.role {
                Role::Parameter => Content::Parameters,
                Role::Moment { .. } | Role::Counter => Content::OptimizerState,
                Role::State => Content::State,
                Role::Data => Content::Data,
            };
            if content == Content::Parameters {
                known.insert(roles.origins.of(*value), content);
            }
            if let Some(result) = argument.result.and_then(|result| function.returned().get(result)) {
                of[*result] = Some(content);
            }
            of[*value] = Some(content);
        }
        let trains = !roles.gradients.is_empty();
        for value in body.values.ids() {
            if of[value].is_none() {
                of[value] = known.get(&roles.origins.of(value)).copied();
            }
            if of[value].is_none() && !trains && roles.depends[value] & DATA != 0 {
                of[value] = Some(Content::Activations);
            }
        }
        let makes_gradient =
            |id: &&InstId| !contracted(&roles.rules[**id]).is_empty() && makes_weights(roles, **id, function);
        let turn = roles.whole.iter().find(makes_gradient).copied().filter(|_| trains);
        Self { of, turn }
    }
}
