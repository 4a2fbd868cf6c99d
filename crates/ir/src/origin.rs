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
        let places = body.insts.ids().map(|inst| Place { call: None, source: source(inst) }).collect();
        Self::known(function, Table::new(), &places, body, |_, place, index| {
            Some(ValueOrigin::Result(place, index))
        })
    }

    /// Origins in a body that was made from the one at hand.
    #[must_use]
    pub fn behind(&self, trace: &Trace, body: &Body) -> Self {
        let mut calls = self.calls.clone();
        // The call through which each scope came in, and the function that it calls.
        let mut entered: Table<ScopeId, Option<(CallId, usize)>> = Table::filled(None, 1);
        let place =
            |entered: &Table<ScopeId, Option<(CallId, usize)>>, scope: ScopeId, inst: InstId| match entered
                [scope]
            {
                None => self.insts[inst].place,
                Some((call, function)) => {
                    Place { call: Some(call), source: Source::Inst(Site { function, inst }) }
                }
            };
        for scope in &trace.entered {
            let around = place(&entered, scope.around, scope.call);
            let Source::Inst(site) = around.source else { panic!("{:?} is a call", scope.call) };
            let call = calls.push(Call { around: around.call, site });
            entered.push(Some((call, scope.function)));
        }
        let nowhere = Place { call: None, source: Source::Function };
        let known = |id| trace.insts.get(id).copied().flatten();
        let places =
            body.insts.ids().map(|id| known(id).map_or(nowhere, |(scope, old)| place(&entered, scope, old)));
        let places = places.collect();
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
        Self::known(self.function, calls, &places, body, named)
    }

    /// The same where instructions have been added to the body since, each behind the value that it reads first.
    #[must_use]
    pub fn grown(self, body: &Body) -> Self {
        if body.insts.len() == self.insts.len() {
            return self;
        }
        let mut places: Table<InstId, Place> = self.insts.values().map(|origin| origin.place).collect();
        while let Some(added) = body.insts.values().nth(places.len()) {
            let place = match added.operands.first().map(|value| body.values[*value].def) {
                Some(Def::Argument(region, index)) if region == body.entry() => {
                    Place { call: None, source: Source::Argument(index) }
                }
                Some(Def::Result(inst, _)) => places[inst],
                _ => Place { call: None, source: Source::Function },
            };
            places.push(place);
        }
        let named = |value: ValueId, _: Place, _: usize| match self.values.get(value) {
            Some(known @ (ValueOrigin::Result(..) | ValueOrigin::Inside(..))) => Some(*known),
            _ => None,
        };
        Self::known(self.function, self.calls.clone(), &places, body, named)
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

    /// Origins where the place of each instruction is known; `named` is the result of the text that a result is, if any,
    /// or the argument that one of a region is.
    fn known(
        function: usize,
        calls: Table<CallId, Call>,
        places: &Table<InstId, Place>,
        body: &Body,
        named: impl Fn(ValueId, Place, usize) -> Option<ValueOrigin>,
    ) -> Self {
        let insts = numbered(places);
        let mut owners: Table<RegionId, Option<(InstId, usize)>> = Table::filled(None, body.regions.len());
        for (id, inst) in body.insts.iter() {
            for (position, region) in inst.regions.iter().enumerate() {
                owners[*region] = Some((id, position));
            }
        }
        let value = |(id, value): (ValueId, &crate::program::Value)| match value.def {
            Def::Argument(region, index) => match owners[region] {
                Some((owner, position)) => match named(id, places[owner], index) {
                    Some(ValueOrigin::Inside(_, _, index)) => ValueOrigin::Inside(insts[owner], position, index),
                    _ => ValueOrigin::Inside(insts[owner], position, index),
                },
                None => ValueOrigin::Argument(index),
            },
            Def::Result(inst, index) => {
                named(id, places[inst], index).unwrap_or(ValueOrigin::Made(insts[inst], index))
            }
        };
        let values = body.values.iter().map(value).collect();
        Self { function, calls, insts, values }
    }
}

/// Numbers the instructions that come from one place.
fn numbered(places: &Table<InstId, Place>) -> Table<InstId, Origin> {
    let mut sorted: Vec<(Place, InstId)> = places.iter().map(|(id, place)| (*place, id)).collect();
    sorted.sort_unstable();
    let mut origins: Table<InstId, Origin> =
        places.values().map(|place| Origin { place: *place, made: 0 }).collect();
    for pair in sorted.windows(2) {
        if let [(before, first), (place, id)] = pair
            && before == place
        {
            origins[*id].made = origins[*first].made + 1;
        }
    }
    origins
}
