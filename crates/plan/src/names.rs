//! Stable names of what is inside a program, by which plans speak of it.
//!
//! Input: the program as it was read, and the [`Origins`] of the function that was made of it. Output: a name for each
//! value and instruction, and what each name stands for. A name follows from the text that was read alone, so that it
//! means the same when a pass works otherwise:
//!
//! | of | name |
//! | --- | --- |
//! | an argument | `%params['wte']`, or `%arg3` where it has no name of its own |
//! | an instruction, its result | `stablehlo.dot_general "jit(step)/attn/qk"#2`: op, location if it has a name, and which of several that are called so in the function |
//! | its second result | `stablehlo.sort:1` |
//! | through a call | `@layer#1 > stablehlo.tanh` |
//! | the second instruction that a pass made of one | `chlo.square+1` |
//! | an argument of a region | `stablehlo.while^1.0`: region, argument |
//!
//! A name that stands for nothing, or for more than one thing, is refused.

use meshwright_ir::ids::{CallId, Id, InstId, Table, ValueId};
use meshwright_ir::location::Location;
use meshwright_ir::origin::{Origin, Origins, Place, Site, Source, ValueOrigin};
use meshwright_ir::program::{Function, Inst, Program};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Names of the values and instructions of one function.
#[derive(Clone)]
pub struct Names {
    values: Named<ValueId>,
    insts: Named<InstId>,
}

impl Names {
    /// The names of what is in `function`, which was made of the entry function of `program`. `arguments` are the names
    /// that its arguments have of their own.
    pub fn of(
        program: &Program,
        function: &Function,
        origins: &Origins,
        arguments: &[Option<String>],
    ) -> Self {
        let labels = Labels { origins, of_functions: program.functions.iter().map(labels).collect() };
        let arguments = argument_names(arguments);
        let body = &function.body;
        let insts = body.insts.ids().map(|inst| labels.inst(origins.insts[inst])).collect();
        let values = body.values.ids().map(|value| labels.value(origins.values[value], &arguments)).collect();
        Self::new(values, insts)
    }

    /// The names as they are given.
    pub fn new(values: Table<ValueId, String>, insts: Table<InstId, String>) -> Self {
        Self { values: Named::new(values), insts: Named::new(insts) }
    }

    /// Name of a value.
    pub fn of_value(&self, value: ValueId) -> &str {
        &self.values.names[value]
    }

    /// Name of an instruction.
    pub fn of_inst(&self, inst: InstId) -> &str {
        &self.insts.names[inst]
    }

    /// The value of a name.
    ///
    /// # Errors
    /// In words: there is none, or there are several.
    pub fn value(&self, name: &str) -> Result<ValueId, String> {
        self.values.find("value", name)
    }

    /// The instruction of a name.
    ///
    /// # Errors
    /// In words: there is none, or there are several.
    pub fn inst(&self, name: &str) -> Result<InstId, String> {
        self.insts.find("instruction", name)
    }
}

#[derive(Clone)]
struct Named<T: Id> {
    names: Table<T, String>,
    /// What each name stands for; none if that is more than one thing.
    by_name: BTreeMap<String, Option<T>>,
}

impl<T: Id> Named<T> {
    fn new(names: Table<T, String>) -> Self {
        let mut by_name = BTreeMap::new();
        for (id, name) in names.iter() {
            by_name.entry(name.clone()).and_modify(|known| *known = None).or_insert(Some(id));
        }
        Self { names, by_name }
    }

    fn find(&self, what: &str, name: &str) -> Result<T, String> {
        match self.by_name.get(name) {
            Some(Some(id)) => Ok(*id),
            Some(None) => Err(format!("several {what}s of the program are called `{name}`")),
            None => Err(format!("the program has no {what} `{name}`")),
        }
    }
}

/// What arguments are called: by their own names where these tell them apart.
fn argument_names(own: &[Option<String>]) -> Vec<String> {
    let numbered = (0..own.len()).map(|index| format!("arg{index}"));
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    let numbers: Vec<String> = numbered.collect();
    for name in own.iter().flatten().chain(&numbers) {
        *count.entry(name).or_default() += 1;
    }
    let name = |(own, number): (&Option<String>, &String)| {
        let own = own.as_ref().filter(|own| count[own.as_str()] == 1);
        format!("%{}", own.unwrap_or(number))
    };
    own.iter().zip(&numbers).map(name).collect()
}

/// The label of each instruction in its function: op, location, and which of those that are labelled so it is.
fn labels(function: &Function) -> Table<InstId, String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let label = |inst: &Inst| {
        let mut label = plain_label(inst);
        let count = seen.entry(label.clone()).or_default();
        if *count > 0 {
            let _ = write!(label, "#{count}");
        }
        *count += 1;
        label
    };
    function.body.insts.values().map(label).collect()
}

/// The op, or the function that is called, and the name that its location gives it.
fn plain_label(inst: &Inst) -> String {
    let mut label = match inst.op.callees().as_slice() {
        [callee] if inst.op.is_call() => format!("@{callee}"),
        _ => inst.op.name().to_owned(),
    };
    if let Some(name) = inst.location.as_deref().and_then(location_name) {
        let _ = write!(label, " {name:?}");
    }
    label
}

/// The first name in a location. Places in files are left out: they change with every line that is written above.
fn location_name(location: &Location) -> Option<&str> {
    match location {
        Location::Name { name, .. } if !name.is_empty() => Some(name),
        other => other.parts().into_iter().flatten().find_map(|part| location_name(part)),
    }
}

/// The labels of all instructions of a program, and what came of them.
struct Labels<'a> {
    origins: &'a Origins,
    of_functions: Vec<Table<InstId, String>>,
}

impl Labels<'_> {
    fn site(&self, site: Site) -> &str {
        &self.of_functions[site.function][site.inst]
    }

    /// The calls through which something came in, outermost first, each followed by an arrow.
    fn calls(&self, call: Option<CallId>) -> String {
        let Some(call) = call.map(|call| self.origins.calls[call]) else { return String::new() };
        format!("{}{} > ", self.calls(call.around), self.site(call.site))
    }

    fn place(&self, place: Place) -> String {
        let source = match place.source {
            Source::Function => "@",
            Source::Argument(index) => &format!("%arg{index}"),
            Source::Inst(site) => self.site(site),
        };
        self.calls(place.call) + source
    }

    fn inst(&self, origin: Origin) -> String {
        let made = if origin.made > 0 { format!("+{}", origin.made) } else { String::new() };
        self.place(origin.place) + &made
    }

    fn value(&self, origin: ValueOrigin, arguments: &[String]) -> String {
        match origin {
            ValueOrigin::Argument(index) => arguments[index].clone(),
            ValueOrigin::Result(place, index) => self.place(place) + &result(index),
            ValueOrigin::Inside(origin, region, index) => {
                format!("{}^{region}.{index}", self.inst(origin))
            }
            ValueOrigin::Made(origin, index) => {
                format!("{}+{}{}", self.place(origin.place), origin.made, result(index))
            }
        }
    }
}

fn result(index: usize) -> String {
    if index > 0 { format!(":{index}") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_lost_or_ambiguous_are_refused() {
        let values: Table<ValueId, String> = ["a", "b", "a"].map(str::to_owned).into_iter().collect();
        let names = Names::new(values, Table::default());
        assert_eq!(names.value("b"), Ok(ValueId::from_index(1)));
        assert_eq!(names.value("a"), Err("several values of the program are called `a`".to_owned()));
        assert_eq!(names.inst("dot"), Err("the program has no instruction `dot`".to_owned()));
    }
}
