//! Memory policies: how a value comes to be there when it is read again.
//!
//! A *use* is a value and the group of readers that share one copy of it. A group is named by its first reader and
//! lasts, within the region of that reader, until the next group of the same value begins; readers that begin no group
//! belong to the one before. So each copy is made once, and every reader is in exactly one group. [`Policies`] stores
//! only what differs from [`Policy::Keep`].
//!
//! Here policies only have names. What each does is in the walk of the lowering (`meshwright_cost::lowering`), and what
//! chooses them in the search (`copies`); both codecs go by their names and need nothing of a new one.
//!
//! Example, a parameter `%w` that is kept sharded and read whole in the forward and in the backward pass:
//!
//! ```text
//! %1 = dot_general %x, %w     // the first group: gathered for this reader
//! ...
//! %8 = dot_general %dy, %w    // Use { value: %w, reader: %8 } -> GatherAgain: the first copy is free in between
//! ```
//!
//! A value of the forward pass that the backward pass makes again has [`Policy::Recompute`] for the first reader that reads
//! it so. That may be an instruction that is made again itself: the use is that of its second run. What is to be made again
//! is decided of the program as it is written; the program in which it is (`meshwright_transform::recompute`) has the same
//! names, so that there the policy is the record of it.
//!
//! So it is with [`Policy::Offload`]: an argument of the function, or what the forward pass keeps, lies in the memory of the
//! host until that reader reads it (`meshwright_transform::offload`). The result that replaces such an argument goes back
//! there.

use meshwright_ir::ids::{InstId, ValueId};
use std::collections::BTreeMap;

/// Policies by which a group of readers gets its copy of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// The copy of the group before is kept for it.
    #[default]
    Keep,
    /// It is gathered again from where the value lies, so that the copy before need not be kept until then: parameters
    /// are gathered in the forward and again in the backward pass, as FSDP does it.
    GatherAgain,
    /// It is computed again from what is kept, so that it need not be kept since the forward pass.
    Recompute,
    /// It lies in the memory of the host until then, and is copied to the device for it.
    Offload,
}

impl Policy {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Keep, Self::GatherAgain, Self::Recompute, Self::Offload];

    /// Name in plans and attributes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::GatherAgain => "gather_again",
            Self::Recompute => "recompute",
            Self::Offload => "offload",
        }
    }

    /// The policy of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }

    /// The names of all policies, for messages.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

/// A group of readers that share one copy of a value, named by the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Use {
    /// The reader with which the group begins.
    pub reader: InstId,
    /// The value, one of its operands.
    pub value: ValueId,
}

/// The policy of every use; [`Policy::Keep`] where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    /// What differs from the default.
    stored: BTreeMap<Use, Policy>,
}

impl Policies {
    /// The policy of a use.
    pub fn of(&self, group: Use) -> Policy {
        self.stored.get(&group).copied().unwrap_or_default()
    }

    /// Gives a use a policy.
    pub fn set(&mut self, group: Use, policy: Policy) {
        if policy == Policy::default() {
            self.stored.remove(&group);
        } else {
            self.stored.insert(group, policy);
        }
    }

    /// Policies that differ from the default, by reader and value.
    pub fn iter(&self) -> impl Iterator<Item = (Use, Policy)> + '_ {
        self.stored.iter().map(|(group, policy)| (*group, *policy))
    }

    /// Uses with this policy, which is not the default.
    pub fn uses(&self, policy: Policy) -> impl Iterator<Item = Use> + '_ {
        self.iter().filter(move |(_, own)| *own == policy).map(|(group, _)| group)
    }

    /// Values that are made again, each with the reader with which those begin that read it so.
    pub fn made_again(&self) -> BTreeMap<ValueId, InstId> {
        let again = self.stored.iter().filter(|(_, policy)| **policy == Policy::Recompute);
        again.map(|(group, _)| (group.value, group.reader)).rev().collect()
    }

    /// Number of uses that have this policy, which is not the default.
    pub fn count(&self, policy: Policy) -> usize {
        self.stored.values().filter(|own| **own == policy).count()
    }

    /// Returns whether every use has the default.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }
}

impl FromIterator<(Use, Policy)> for Policies {
    fn from_iter<T: IntoIterator<Item = (Use, Policy)>>(uses: T) -> Self {
        let mut policies = Self::default();
        uses.into_iter().for_each(|(group, policy)| policies.set(group, policy));
        policies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::ids::Id;

    #[test]
    fn only_what_differs_is_stored() {
        let group = Use { reader: InstId::from_index(3), value: ValueId::from_index(1) };
        let mut policies: Policies = [(group, Policy::Keep)].into_iter().collect();
        assert!(policies.is_empty());
        policies.set(group, Policy::GatherAgain);
        assert_eq!((policies.of(group), policies.count(Policy::GatherAgain)), (Policy::GatherAgain, 1));
        policies.set(group, Policy::Keep);
        assert_eq!(policies, Policies::default());
    }

    #[test]
    fn what_is_made_again_begins_with_its_first_reader() {
        let group = |reader: usize| Use { reader: InstId::from_index(reader), value: ValueId::from_index(1) };
        let again =
            [(group(5), Policy::Recompute), (group(3), Policy::Recompute), (group(2), Policy::GatherAgain)];
        let policies: Policies = again.into_iter().collect();
        assert_eq!(policies.made_again(), [(ValueId::from_index(1), InstId::from_index(3))].into());
    }

    #[test]
    fn names_are_read_back() {
        for policy in Policy::ALL {
            assert_eq!(Policy::from_name(policy.name()), Some(policy));
        }
        assert_eq!(Policy::from_name("recompte"), None);
    }
}
