//! The names that values are printed with.
//!
//! In the pretty form they follow MLIR's printer: all values of a region are named before those of the regions inside
//! it, nested regions go on counting where the region around them stopped, and an op may ask for names (`%cst`), made
//! unique by `_N`. In the generic form every value of the module has a number of its own, regions counted from the
//! last to the first.

use super::printer::Form;
use crate::ids::{RegionId, Table, ValueId};
use crate::program::{Body, Program};
use std::collections::BTreeSet;
use std::fmt;

/// The name of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// `%0`.
    Number(u32),
    /// `%0#1`.
    Part(u32, u32),
    /// `%arg0`.
    Argument(u32),
    /// `%cst`.
    Hint(&'static str),
    /// `%cst_0`.
    NumberedHint(&'static str, u32),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "%{number}"),
            Self::Part(number, part) => write!(f, "%{number}#{part}"),
            Self::Argument(number) => write!(f, "%arg{number}"),
            Self::Hint(hint) => write!(f, "%{hint}"),
            Self::NumberedHint(hint, number) => write!(f, "%{hint}_{number}"),
        }
    }
}

/// The names of all values of one function.
pub(super) type Names = Table<ValueId, Name>;

#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    arg: u32,
    conflict: u32,
}

/// The names of each function's values.
pub(super) fn names(program: &Program, form: Form) -> Vec<Names> {
    let mut all: Vec<Names> = program
        .functions
        .iter()
        .map(|function| Table::filled(Name::Number(0), function.body.values.len()))
        .collect();
    let mut counters = Counters::default();
    for (function, names) in program.functions.iter().zip(&mut all).rev() {
        let body = &function.body;
        match form {
            Form::Pretty => {
                Pretty { body, names, used: BTreeSet::new() }.region(body.entry(), &[], Counters::default())
            }
            Form::Generic => number(body, body.entry(), names, &mut counters),
        }
    }
    all
}

/// Numbers the values of a region, then those of the regions inside, the last one first.
fn number(body: &Body, region: RegionId, names: &mut Names, counters: &mut Counters) {
    for arg in &body.regions[region].args {
        names[*arg] = Name::Argument(counters.arg);
        counters.arg += 1;
    }
    for inst in &body.regions[region].insts {
        number_results(&body.insts[*inst].results, names, counters);
    }
    for inst in body.regions[region].insts.iter().rev() {
        for inner in body.insts[*inst].regions.iter().rev() {
            number(body, *inner, names, counters);
        }
    }
}

fn number_results(results: &[ValueId], names: &mut Names, counters: &mut Counters) {
    for (part, result) in results.iter().enumerate() {
        names[*result] = match results.len() {
            1 => Name::Number(counters.value),
            _ => Name::Part(counters.value, part as u32),
        };
    }
    counters.value += u32::from(!results.is_empty());
}

struct Pretty<'a> {
    body: &'a Body,
    names: &'a mut Names,
    /// Names that were asked for and are in scope.
    used: BTreeSet<Name>,
}

impl Pretty<'_> {
    /// Names the values of `region`, whose arguments ask for `arg_hints`, then those of the regions inside.
    fn region(&mut self, region: RegionId, arg_hints: &[Option<&'static str>], mut counters: Counters) {
        let mut added = Vec::new();
        self.own_values(region, arg_hints, &mut counters, &mut added);
        let body = self.body;
        for inst in &body.regions[region].insts {
            let view = body.view(*inst);
            for inner in &view.inst.regions {
                let args = 0..body.regions[*inner].args.len();
                let hints: Vec<_> = args.map(|arg| view.inst.op.arg_name(arg)).collect();
                self.region(*inner, &hints, counters);
            }
        }
        for name in added {
            self.used.remove(&name);
        }
    }

    fn own_values(
        &mut self,
        region: RegionId,
        arg_hints: &[Option<&'static str>],
        counters: &mut Counters,
        added: &mut Vec<Name>,
    ) {
        let body = self.body;
        for (index, arg) in body.regions[region].args.iter().enumerate() {
            self.names[*arg] = match arg_hints.get(index).copied().flatten() {
                Some(hint) => self.unique(hint, counters, added),
                None => {
                    counters.arg += 1;
                    Name::Argument(counters.arg - 1)
                }
            };
        }
        for inst in &body.regions[region].insts {
            let view = body.view(*inst);
            match view.inst.op.result_names() {
                [] => number_results(&view.inst.results, self.names, counters),
                hints => {
                    for (result, hint) in view.inst.results.iter().zip(hints) {
                        self.names[*result] = self.unique(hint, counters, added);
                    }
                }
            }
        }
    }

    fn unique(&mut self, hint: &'static str, counters: &mut Counters, added: &mut Vec<Name>) -> Name {
        let mut name = Name::Hint(hint);
        while !self.used.insert(name) {
            name = Name::NumberedHint(hint, counters.conflict);
            counters.conflict += 1;
        }
        added.push(name);
        name
    }
}
