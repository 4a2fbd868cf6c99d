//! Origins: the instruction of a program's text that each instruction and value of a function made from it comes from.
//!
//! Input: traces of rewrites ([`Trace`]), one behind the other. Output: [`Origins`], for each instruction and value of
//! the last body the function and instruction of the program as it was read, and the calls through which it came in. The
//! names by which decisions are kept follow from these, so that they mean the same when a pass works otherwise.
//!
//! ```text
//! func.func @main(%x) {                    the function with all calls inlined:
//!   %0 = call @f(%x)                         %0 = stablehlo.tanh %x     @f tanh, through the first call of @main
//!   %1 = call @f(%0)                         %1 = stablehlo.tanh %0     @f tanh, through the second
//!   %2 = chlo.square %1                      %2 = stablehlo.multiply .. @main chlo.square
//! }
//! ```
//!
//! Passes before inlining change bodies in place: ids of what was read keep their meaning, and what is added has later
//! ones.

use crate::ids::{CallId, InstId, RegionId, ScopeId, Table, ValueId};
use crate::program::{Body, Def};
use crate::rewrite::Trace;
use std::collections::BTreeSet;

/// An instruction of a program as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Its function, as a position in `Program::functions`.
    pub function: usize,
    /// The instruction in that function's body.
    pub inst: InstId,
}

/// A call that has been replaced by what the callee does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// The call through which this one came in; none in the entry function.
    pub around: Option<CallId>,
    /// The call's own instruction.
    pub site: Site,
}

/// Part of a program's text that something comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The entry function as a whole.
    Function,
    /// An argument of the entry function.
    Argument(usize),
    /// An instruction.
    Inst(Site),
}

/// Part of the text, and the way it came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The innermost call through which it came in; none: it stood in the entry function.
    pub call: Option<CallId>,
    /// The part of the text.
    pub source: Source,
}

/// Origin of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// Where it comes from.
    pub place: Place,
    /// Its position among all instructions that come from there: zero where it is the only one.
    pub made: usize,
}

/// Origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueOrigin {
    /// An argument of the entry function.
    Argument(usize),
    /// A result (by its position) of an instruction of the text, whatever computes it now.
    Result(Place, usize),
    /// An argument of a region of an instruction: positions of the region and of the argument.
    Inside(Origin, usize, usize),
    /// A result of an instruction that a pass has added.
    Made(Origin, usize),
}

/// Origins of all that is in the body of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    /// The entry function, as a position in `Program::functions`.
    pub function: usize,
    /// Calls that have been inlined.
    pub calls: Table<CallId, Call>,
    /// Origin of each instruction.
    pub insts: Table<InstId, Origin>,
    /// Origin of each value.
    pub values: Table<ValueId, ValueOrigin>,
}

impl Origins {
    /// Origins in a function as it was read: everything is its own.
    pub fn own(function: usize, body: &Body) -> Self {
        let source = |inst| Source::Inst(Site { function, inst });
        let own = |inst| Origin { place: Place { call: None, source: source(inst) }, made: 0 };
        let origins = body.insts.ids().map(own).collect();
        Self::known(function, Table::new(), &origins, body, |_, place, index| {
            Some(ValueOrigin::Result(place, index))
        })
    }

    /// Origins in a body that was made from the one at hand.
    #[must_use]
    pub fn behind(&self, trace: &Trace, body: &Body) -> Self {
        let mut calls = self.calls.clone();
        // The call through which each scope came in, and the function that it calls.
        let mut entered: Table<ScopeId, Option<(CallId, usize)>> = Table::filled(None, 1);
        let origin =
            |entered: &Table<ScopeId, Option<(CallId, usize)>>, scope: ScopeId, inst: InstId| match entered
                [scope]
            {
                None => self.insts[inst],
                Some((call, function)) => {
                    let source = Source::Inst(Site { function, inst });
                    Origin { place: Place { call: Some(call), source }, made: 0 }
                }
            };
        for scope in &trace.entered {
            let around = origin(&entered, scope.around, scope.call).place;
            let Source::Inst(site) = around.source else { panic!("{:?} is a call", scope.call) };
            let call = calls.push(Call { around: around.call, site });
            entered.push(Some((call, scope.function)));
        }
        let nowhere = Origin { place: Place { call: None, source: Source::Function }, made: 0 };
        let known = |id| trace.insts.get(id).copied().flatten();
        let from = |id| known(id).map_or(nowhere, |(scope, old)| origin(&entered, scope, old));
        let origins = body.insts.ids().map(from).collect();
        let named = |value: ValueId, at: Place, _: usize| {
            let (scope, index, old) = trace.names.get(value).copied().flatten()?;
            match (entered[scope], old) {
                (None, old) => match self.values[old] {
                    known @ (ValueOrigin::Result(..) | ValueOrigin::Inside(..)) => Some(known),
                    _ => None,
                },
                (Some(_), _) => Some(ValueOrigin::Result(at, index)),
            }
        };
        Self::known(self.function, calls, &origins, body, named)
    }

    /// The same where instructions have been added to the body since, each behind the value that it reads first.
    #[must_use]
    pub fn grown(self, body: &Body) -> Self {
        if body.insts.len() == self.insts.len() {
            return self;
        }
        let mut origins = self.insts.clone();
        while let Some(added) = body.insts.values().nth(origins.len()) {
            let place = match added.operands.first().map(|value| body.values[*value].def) {
                Some(Def::Argument(region, index)) if region == body.entry() => {
                    Place { call: None, source: Source::Argument(index) }
                }
                Some(Def::Result(inst, _)) => origins[inst].place,
                _ => Place { call: None, source: Source::Function },
            };
            origins.push(Origin { place, made: ADDED });
        }
        let named = |value: ValueId, _: Place, _: usize| match self.values.get(value) {
            Some(known @ (ValueOrigin::Result(..) | ValueOrigin::Inside(..))) => Some(*known),
            _ => None,
        };
        Self::known(self.function, self.calls.clone(), &origins, body, named)
    }

    /// Calls through which something came in, the outermost first.
    pub fn path(&self, place: Place) -> Vec<Site> {
        let mut path = Vec::new();
        let mut call = place.call;
        while let Some(id) = call {
            path.push(self.calls[id].site);
            call = self.calls[id].around;
        }
        path.reverse();
        path
    }

    /// Origins where that of each instruction before the last step is known; `named` is the result of the text that a result is, if any,
    /// or the argument that one of a region is.
    fn known(
        function: usize,
        calls: Table<CallId, Call>,
        before: &Table<InstId, Origin>,
        body: &Body,
        named: impl Fn(ValueId, Place, usize) -> Option<ValueOrigin>,
    ) -> Self {
        let insts = numbered(before);
        let mut owners: Table<RegionId, Option<(InstId, usize)>> = Table::filled(None, body.regions.len());
        for (id, inst) in body.insts.iter() {
            for (position, region) in inst.regions.iter().enumerate() {
                owners[*region] = Some((id, position));
            }
        }
        // Of several that are one result of the text, made by passes, the first one is called as that is.
        let mut called = BTreeSet::new();
        let mut is_first = |found: &ValueOrigin| match *found {
            ValueOrigin::Result(place, index) => called.insert((place, index)),
            _ => true,
        };
        let value = |(id, value): (ValueId, &crate::program::Value)| match value.def {
            Def::Argument(region, index) => match owners[region] {
                Some((owner, position)) => match named(id, insts[owner].place, index) {
                    Some(ValueOrigin::Inside(_, _, index)) => {
                        ValueOrigin::Inside(insts[owner], position, index)
                    }
                    _ => ValueOrigin::Inside(insts[owner], position, index),
                },
                None => ValueOrigin::Argument(index),
            },
            Def::Result(inst, index) => {
                let found = named(id, insts[inst].place, index).filter(&mut is_first);
                found.unwrap_or(ValueOrigin::Made(insts[inst], index))
            }
        };
        let values = body.values.iter().map(value).collect();
        Self { function, calls, insts, values }
    }
}

/// Position of what has just been added: behind all that comes from the same place.
const ADDED: usize = usize::MAX;

/// Numbers the instructions that come from one place. Each keeps the number that it had, so that it is called the same
/// where others are gone, unless several were made of one.
fn numbered(before: &Table<InstId, Origin>) -> Table<InstId, Origin> {
    let mut sorted: Vec<(Origin, InstId)> = before.iter().map(|(id, origin)| (*origin, id)).collect();
    sorted.sort_unstable();
    let mut origins = before.clone();
    let mut last: Option<Origin> = None;
    for (origin, id) in sorted {
        let least = last.filter(|last| last.place == origin.place).map_or(0, |last| last.made + 1);
        let made = if origin.made == ADDED { least } else { origin.made.max(least) };
        origins[id].made = made;
        last = Some(origins[id]);
    }
    origins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;
    use crate::ids::Id;
    use crate::program::Function;

    fn function(lines: &str) -> Function {
        let text = format!(
            "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {{\n{lines}  return %0 : tensor<2xf32>\n}}"
        );
        let program = crate::text::read(&Source::new("test", text)).unwrap();
        program.functions.into_iter().next().unwrap()
    }

    #[test]
    fn of_several_copies_of_a_result_one_is_called_as_it_is() {
        let line = |number: usize| format!("  %{number} = stablehlo.tanh %a : tensor<2xf32>\n");
        let (before, after) = (function(&line(0)), function(&(line(0) + &line(1))));
        let old =
            |body: &Body| body.insts.iter().find(|(_, inst)| inst.op.name() == "stablehlo.tanh").unwrap().0;
        let inst = old(&before.body);
        let scope = ScopeId::from_index(0);
        let is_copy = |inst: &crate::program::Inst| inst.op.name() == "stablehlo.tanh";
        let insts = after.body.insts.values().map(|own| is_copy(own).then_some((scope, inst))).collect();
        let result = before.body.insts[inst].results[0];
        let names = after.body.values.values().map(|value| match value.def {
            Def::Result(..) => Some((scope, 0, result)),
            Def::Argument(..) => None,
        });
        let trace = Trace { entered: Vec::new(), insts, names: names.collect() };
        let origins = Origins::own(0, &before.body).behind(&trace, &after.body);
        let of_copies: Vec<ValueOrigin> = after
            .body
            .insts
            .values()
            .filter(|own| is_copy(own))
            .map(|own| origins.values[own.results[0]])
            .collect();
        assert!(matches!(of_copies[..], [ValueOrigin::Result(..), ValueOrigin::Made(..)]), "{of_copies:?}");
    }
}
