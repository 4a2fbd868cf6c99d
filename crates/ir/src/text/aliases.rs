//! Aliases: names for attributes and types. What they stand for is copied where they are used, so a few lines could
//! stand for more than any memory holds, or nest deeper than any stack: both are errors.
//!
//! The cost of an alias is the length of its text with the aliases in it written out.

use super::parser::{MAX_DEPTH, NESTING, Parsed, Parser};
use crate::attribute::Attr;
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// The cost of all uses of aliases in one file.
const MAX_COST: usize = 1 << 24;

/// What an alias stands for.
#[derive(Clone, Debug)]
struct Alias<T> {
    value: T,
    /// How deep it nests.
    depth: usize,
    cost: usize,
}

/// The aliases read so far.
#[derive(Debug, Default)]
pub(crate) struct Aliases<'s> {
    attributes: BTreeMap<&'s str, Alias<Attr>>,
    types: BTreeMap<&'s str, Alias<Type>>,
    /// Those of locations too, with `#` or `!`.
    declared: BTreeSet<&'s str>,
    /// The cost of all uses.
    cost: usize,
}

impl<'s> Aliases<'s> {
    /// Notes that `alias` (with `#` or `!`) is defined; false if it was before.
    pub(super) fn declare(&mut self, alias: &'s str) -> bool {
        self.declared.insert(alias)
    }
}

impl<'s> Parser<'s> {
    /// Reads what `#name` stands for.
    pub(super) fn define_attribute(&mut self, name: &'s str) -> Parsed<()> {
        let alias = self.alias_of(Self::attribute)?;
        self.aliases.attributes.insert(name, alias);
        Ok(())
    }

    /// Reads what `!name` stands for.
    pub(super) fn define_type(&mut self, name: &'s str) -> Parsed<()> {
        let alias = self.alias_of(Self::ty)?;
        self.aliases.types.insert(name, alias);
        Ok(())
    }

    fn alias_of<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<Alias<T>> {
        let (start, before, outer) = (self.token.start, self.aliases.cost, self.deepest);
        self.deepest = self.depth;
        let value = read(self)?;
        let depth = self.deepest - self.depth;
        self.deepest = self.deepest.max(outer);
        let cost = self.last_end.saturating_sub(start) + (self.aliases.cost - before);
        Ok(Alias { value, depth, cost })
    }

    /// What `#name` stands for, if it is an alias; consumes it.
    pub(super) fn attribute_alias(&mut self, name: &str) -> Parsed<Option<Attr>> {
        let alias = self.aliases.attributes.get(name);
        let Some((depth, cost)) = alias.map(|alias| (alias.depth, alias.cost)) else {
            return Ok(None);
        };
        self.use_alias(depth, cost)?;
        Ok(self.aliases.attributes.get(name).map(|alias| alias.value.clone()))
    }

    /// What `!name` stands for, if it is an alias; consumes it.
    pub(super) fn type_alias(&mut self, name: &str) -> Parsed<Option<Type>> {
        let alias = self.aliases.types.get(name);
        let Some((depth, cost)) = alias.map(|alias| (alias.depth, alias.cost)) else {
            return Ok(None);
        };
        self.use_alias(depth, cost)?;
        Ok(self.aliases.types.get(name).map(|alias| alias.value.clone()))
    }

    fn use_alias(&mut self, depth: usize, cost: usize) -> Parsed<()> {
        // The use itself is one level of its surroundings and one of what it stands for.
        let depth = (self.depth + depth).saturating_sub(1);
        self.deepest = self.deepest.max(depth);
        if depth > MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} deep, by way of aliases");
            return self.fail(NESTING, self.here(), message, "no real program nests this deep");
        }
        self.aliases.cost = self.aliases.cost.saturating_add(cost);
        if self.aliases.cost > MAX_COST {
            let message = format!("aliases stand for more than {MAX_COST} characters in all");
            return self.fail(NESTING, self.here(), message, "write the program without aliases");
        }
        self.bump();
        Ok(())
    }
}
