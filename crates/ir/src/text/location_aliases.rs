//! The aliases of locations, numbered as MLIR's printer numbers them.
//!
//! Every location that is printed gets an alias, and so do the locations inside it. They are numbered by depth (what
//! has no locations inside first), and by the order in which they are met. Those that an argument of a region needs
//! stand in front of the module, as arguments are read at once; the others behind it.

use crate::location::LocationRef;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;

/// What a printer does with locations.
#[derive(Clone, Copy)]
pub(super) enum Locations<'a> {
    /// They are not printed.
    Hidden,
    /// They are noted, in a first run whose text is thrown away.
    Collect(&'a RefCell<Aliases>),
    /// They are printed by these aliases.
    Shown(&'a Aliases),
}

/// The aliases of a program's locations; the unknown location has one too.
#[derive(Default)]
pub(super) struct Aliases {
    entries: Vec<Entry>,
    /// The position of each location in the list. Looked up, never iterated.
    positions: HashMap<Option<LocationRef>, usize>,
    /// The list's positions in order of number.
    order: Vec<usize>,
}

struct Entry {
    location: Option<LocationRef>,
    depth: usize,
    may_be_behind: bool,
    parts: Vec<usize>,
    number: usize,
}

impl Aliases {
    /// Notes a location that is printed; `may_be_behind` says whether its alias may stand behind the module.
    pub(super) fn visit(&mut self, location: Option<&LocationRef>, may_be_behind: bool) -> (usize, usize) {
        let location = location.cloned();
        if let Some(position) = self.positions.get(&location).copied() {
            if !may_be_behind {
                self.put_in_front(position);
            }
            return (self.entries[position].depth, position);
        }
        let position = self.entries.len();
        self.positions.insert(location.clone(), position);
        let entry =
            Entry { location: location.clone(), depth: 1, may_be_behind, parts: Vec::new(), number: 0 };
        self.entries.push(entry);
        for part in location.iter().flat_map(|location| location.parts()) {
            let (depth, part) = self.visit(part, may_be_behind);
            let entry = &mut self.entries[position];
            entry.depth = entry.depth.max(depth + 1);
            entry.parts.push(part);
        }
        (self.entries[position].depth, position)
    }

    fn put_in_front(&mut self, position: usize) {
        if std::mem::replace(&mut self.entries[position].may_be_behind, false) {
            for part in self.entries[position].parts.clone() {
                self.put_in_front(part);
            }
        }
    }

    /// Numbers all that were noted.
    pub(super) fn number(&mut self) {
        self.order = (0..self.entries.len()).collect();
        self.order.sort_by_key(|position| self.entries[*position].depth);
        for (number, position) in self.order.iter().enumerate() {
            self.entries[*position].number = number;
        }
    }

    /// Writes the definitions that stand behind the module, or those in front of it.
    pub(super) fn write_definitions(&self, out: &mut String, behind: bool) {
        for position in &self.order {
            let entry = &self.entries[*position];
            if entry.may_be_behind == behind {
                self.write_alias(out, entry.location.as_ref());
                out.push_str(" = loc(");
                self.write_inside(out, entry.location.as_ref());
                out.push_str(")\n");
            }
        }
    }

    /// Writes ` loc(#loc1)`.
    pub(super) fn write_short(&self, out: &mut String, location: Option<&LocationRef>) {
        out.push_str(" loc(");
        self.write_alias(out, location);
        out.push(')');
    }

    /// Writes ` loc("name"(#loc1))`.
    pub(super) fn write_long(&self, out: &mut String, location: Option<&LocationRef>) {
        out.push_str(" loc(");
        self.write_inside(out, location);
        out.push(')');
    }

    fn write_alias(&self, out: &mut String, location: Option<&LocationRef>) {
        out.push_str("#loc");
        let position = self.positions.get(&location.cloned());
        match position.map(|position| self.entries[*position].number) {
            None | Some(0) => {}
            Some(number) => {
                let _ = write!(out, "{number}");
            }
        }
    }

    fn write_inside(&self, out: &mut String, location: Option<&LocationRef>) {
        match location {
            None => out.push_str("unknown"),
            Some(location) => {
                let _ = location.write(out, &mut |out, part| {
                    self.write_alias(out, part);
                    Ok(())
                });
            }
        }
    }
}
