//! What the elements of a value are made of: those of the keys, and of one more beside them where a sink is joined to these.
//!
//! Input: what one or two values are made of. Output: what is made of them, element by element, or summed along.

use super::algebra::{Beside, Sum};

/// What a value is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    /// Along the keys.
    pub(super) keys: Sum,
    /// Beside them; `None` if nothing is there, or the same as along the keys.
    pub(super) sink: Option<Sum>,
}

impl From<Sum> for Form {
    fn from(keys: Sum) -> Self {
        Self { keys, sink: None }
    }
}

impl Form {
    /// The same all along the keys, and nothing beside them.
    pub(super) fn padded(keys: Sum) -> Self {
        Self { keys, sink: Some(Sum::zero()) }
    }

    /// What it is made of, if nothing else is beside the keys.
    pub(super) fn alone(&self) -> Option<&Sum> {
        self.sink.is_none().then_some(&self.keys)
    }

    /// What it is beside the keys.
    pub(super) fn beside(&self) -> &Sum {
        self.sink.as_ref().unwrap_or(&self.keys)
    }

    /// Changed element by element.
    pub(super) fn map(&self, change: impl Fn(&Sum) -> Option<Sum>) -> Option<Self> {
        let sink = match &self.sink {
            Some(sink) => Some(change(sink)?),
            None => None,
        };
        Some(Self { keys: change(&self.keys)?, sink })
    }

    /// Made of two values, element by element.
    pub(super) fn with(&self, other: &Self, made: impl Fn(&Sum, &Sum) -> Option<Sum>) -> Option<Self> {
        let sink = match (&self.sink, &other.sink) {
            (None, None) => None,
            _ => Some(made(self.beside(), other.beside())?),
        };
        Some(Self { keys: made(&self.keys, &other.keys)?, sink })
    }

    /// Summed along the keys and what is beside them.
    pub(super) fn summed(&self, beside: Beside) -> Option<Sum> {
        let keys = self.keys.summed(beside)?;
        Some(self.sink.as_ref().map_or(keys.clone(), |sink| keys.plus(sink)))
    }
}
