//! How passes over whole programs run: the list is [`PASSES`].
//!
//! Input: a program. Output: what the passes of a [`Level`] make of it, and where all that is in it comes from. A pass is
//! a function from a program to [`Passed`]; it says which [`Level`] it is of, and finds nothing to do in most programs.

use meshwright_ir::diagnostic::Diagnostics;
use meshwright_ir::origin::Origins;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::rewrite::Trace;
use std::borrow::Cow;

use crate::PASSES;

/// A pass: its name and what it makes of a program.
pub struct Pass {
    /// Name, for tests and reports.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// When it runs.
    pub level: Level,
    /// The program that it makes; `None` if there is nothing to do.
    pub run: fn(&Program) -> Result<Option<Passed>, Diagnostics>,
}

/// Levels of passes: when they run, and what they may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// As soon as a program is read. It changes functions in place: ids keep their meaning, and what is added has later
    /// ones.
    Read,
    /// Before anything is decided. From the first such pass on the entry function stands alone.
    Function,
}

/// Result of a pass.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The program.
    pub program: Program,
    /// What all that is in its only function was made for; `None` of one that was changed in place.
    pub trace: Option<Trace>,
}

impl Passed {
    /// A program of which functions were changed in place, if any was.
    pub fn in_place(program: Option<Program>) -> Option<Self> {
        Some(Self { program: program?, trace: None })
    }
}

/// The entry function of a program with all that it calls.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The function.
    pub function: Function,
    /// Where all that is in it comes from.
    pub origins: Origins,
}

fn at(level: Level) -> impl Iterator<Item = &'static Pass> {
    PASSES.iter().filter(move |pass| pass.level == level)
}

/// Runs the passes over a program that was just read; `None` if none has anything to do.
///
/// # Errors
/// Of the first pass that the program does not suit.
pub fn read(program: &Program) -> Result<Option<Program>, Diagnostics> {
    let mut read = None;
    for pass in at(Level::Read) {
        if let Some(passed) = (pass.run)(read.as_ref().unwrap_or(program))? {
            read = Some(passed.program);
        }
    }
    Ok(read)
}

/// Runs the passes that make one function of a program, with all that the entry function calls.
///
/// # Errors
/// No entry function; a function without a body.
pub fn flatten(program: &Program) -> Result<Flat, Diagnostics> {
    let main = program.main().map(|main| main.name.as_str());
    let entry = program.functions.iter().position(|function| Some(function.name.as_str()) == main);
    let mut origins = entry.map(|entry| Origins::own(entry, &program.functions[entry].body));
    let mut made = Cow::Borrowed(program);
    for pass in at(Level::Function) {
        let Some(passed) = (pass.run)(&made)? else { continue };
        if let (Some(trace), Some(function)) = (&passed.trace, passed.program.functions.first()) {
            origins = origins.map(|origins| origins.behind(trace, &function.body));
        }
        made = Cow::Owned(passed.program);
    }
    let function: Option<Function> = made.into_owned().functions.into_iter().next();
    let (function, origins) =
        function.zip(origins).expect("a pass refuses a program without an entry function");
    Ok(Flat { function, origins })
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source as Text;
    use meshwright_ir::ids::Id as _;
    use meshwright_ir::ids::{InstId, ValueId};
    use meshwright_ir::origin::{Origin, Place, Site, Source, ValueOrigin};
    use std::collections::BTreeSet;

    const TEXT: &str = "
func.func private @layer(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = func.call @square(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @square(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = chlo.broadcast_multiply %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32>, %n: tensor<i32>, %c: tensor<f32>) -> tensor<8xf32> {
  %0 = func.call @layer(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call @layer(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = chlo.broadcast_add %1, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3:2 = stablehlo.while(%i = %n, %x = %2) : tensor<i32>, tensor<8xf32>
  cond {
    %4 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %4 = func.call @square(%x) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %i, %4 : tensor<i32>, tensor<8xf32>
  }
  %5 = \"stablehlo.case\"(%n) ({
    %6 = func.call @layer(%3#1) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %6 : tensor<8xf32>
  }, {
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}";

    /// `main call0 > layer tanh0`.
    fn place(program: &Program, origins: &Origins, place: Place) -> String {
        let Source::Inst(site) = place.source else { return format!("{:?}", place.source) };
        let mut sites = origins.path(place);
        sites.push(site);
        let site = |site: &Site| {
            let function = &program.functions[site.function];
            let name = function.body.insts[site.inst].op.name();
            let name = name.split('.').next_back().unwrap_or(name);
            format!("{} {}{}", function.name, name, site.inst.index())
        };
        sites.iter().map(site).collect::<Vec<_>>().join(" > ")
    }

    /// The instructions in order, each with where it comes from and what its results are of that.
    fn described(program: &Program, Flat { function, origins }: &Flat) -> String {
        let body = &function.body;
        let value = |value: &ValueId| match origins.values[*value] {
            ValueOrigin::Result(_, index) => format!(" result {index}"),
            _ => " -".to_owned(),
        };
        let line = |id: InstId| {
            let (inst, origin) = (&body.insts[id], origins.insts[id]);
            let (name, at) = (inst.op.name(), place(program, origins, origin.place));
            let results: String = inst.results.iter().map(value).collect();
            format!("{name}: {at} [{}]{results}\n", origin.made)
        };
        body.walk(body.entry()).into_iter().map(line).collect()
    }

    #[test]
    fn all_that_is_flat_and_written_out_is_known_by_its_text() {
        let program = meshwright_ir::text::read(&Text::new("test", TEXT)).unwrap();
        let flat = flatten(&program).unwrap();
        let found = described(&program, &flat);
        let wanted = "\
stablehlo.tanh: main call0 > layer tanh0 [0] result 0
stablehlo.multiply: main call0 > layer call1 > square broadcast_multiply0 [0] result 0
stablehlo.tanh: main call1 > layer tanh0 [0] result 0
stablehlo.multiply: main call1 > layer call1 > square broadcast_multiply0 [0] result 0
stablehlo.broadcast_in_dim: main broadcast_add2 [0] -
stablehlo.add: main broadcast_add2 [1] result 0
stablehlo.while: main while7 [0] result 0 result 1
stablehlo.compare: main compare3 [0] result 0
stablehlo.return: main return4 [0]
stablehlo.multiply: main call5 > square broadcast_multiply0 [0] result 0
stablehlo.return: main return6 [0]
stablehlo.case: main case11 [0] result 0
stablehlo.tanh: main call8 > layer tanh0 [0] result 0
stablehlo.multiply: main call8 > layer call1 > square broadcast_multiply0 [0] result 0
stablehlo.return: main return9 [0]
stablehlo.return: main return10 [0]
func.return: main return12 [0]
";
        assert_eq!(found, wanted);
    }

    #[test]
    fn no_two_come_from_one() {
        let program = meshwright_ir::text::read(&Text::new("test", TEXT)).unwrap();
        let Flat { function, origins } = flatten(&program).unwrap();
        let insts: BTreeSet<&Origin> = origins.insts.values().collect();
        assert_eq!(insts.len(), function.body.insts.len());
        let values: BTreeSet<&ValueOrigin> = origins.values.values().collect();
        assert_eq!(values.len(), function.body.values.len());
    }
}
