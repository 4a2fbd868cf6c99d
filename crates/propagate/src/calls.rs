//! Functions and calls around propagation: every call gets a function of its own before, and calls that came out
//! alike share one again behind.
//!
//! Input: a verified program. [`flatten`] copies each function for its second call and every further one;
//! [`unflatten`] keeps, of all copies of one function with the same shardings of arguments and results and the same
//! manual axes, that of the first call, and names what is left after the original (`f`, `f_0`, `f_1`, ...).

use super::annotation::{sharding_of, single};
use super::edges::calls;
use meshwright_ir::attribute::Attr;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::ShardingAttr;
use meshwright_transform::manual_entry::MANUAL_AXES;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The original name of every function, by name.
pub(crate) type Names = BTreeMap<String, String>;

/// Copies beyond this number share a function instead: nested calls may double at each level.
const MAX_COPIES: usize = 10_000;

/// The position of each function, by name. Of two functions of one name the first counts.
pub(crate) fn positions(program: &Program) -> BTreeMap<String, usize> {
    let mut positions = BTreeMap::new();
    for (index, function) in program.functions.iter().enumerate() {
        positions.entry(function.name.clone()).or_insert(index);
    }
    positions
}

/// Every function under its own name.
pub(crate) fn names(program: &Program) -> Names {
    program.functions.iter().map(|function| (function.name.clone(), function.name.clone())).collect()
}

/// Removes private functions that nothing refers to.
pub(crate) fn remove_uncalled(program: &mut Program) {
    loop {
        let referred: BTreeSet<String> = program
            .functions
            .iter()
            .flat_map(|function| {
                let body = &function.body;
                body.walk(body.entry()).into_iter().flat_map(|inst| {
                    body.insts[inst].op.callees().into_iter().map(str::to_owned).collect::<Vec<_>>()
                })
            })
            .collect();
        let before = program.functions.len();
        let is_private = |visibility: &Option<String>| visibility.as_deref() == Some("private");
        program.functions.retain(|function| {
            function.is_declaration || !is_private(&function.visibility) || referred.contains(&function.name)
        });
        if program.functions.len() == before {
            return;
        }
    }
}

/// Names that are taken.
#[derive(Default)]
struct Taken {
    names: BTreeSet<String>,
    /// For each name that was asked for again: all smaller numbers behind it are taken.
    next: BTreeMap<String, usize>,
}

impl Taken {
    /// Takes a name, or it with the least number that makes it new.
    fn unique(&mut self, name: &str) -> String {
        if self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_default();
        loop {
            let numbered = format!("{name}_{next}");
            *next += 1;
            if self.names.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// Gives every call a function of its own.
pub(crate) fn flatten(program: &mut Program, mut names: Names) -> Names {
    let called: BTreeSet<String> = calls(program).into_iter().map(|(_, _, callee)| callee).collect();
    let mut taken = Taken { names: names.keys().cloned().collect(), next: BTreeMap::new() };
    let mut claimed: BTreeSet<String> = BTreeSet::new();
    let mut pending: Vec<usize> = (0..program.functions.len())
        .rev()
        .filter(|index| !called.contains(&program.functions[*index].name))
        .collect();
    let mut copies = 0;
    let mut positions = positions(program);
    while let Some(function) = pending.pop() {
        let own: Vec<_> = {
            let body = &program.functions[function].body;
            body.walk(body.entry())
                .into_iter()
                .filter_map(|inst| match &body.insts[inst].op {
                    Op::Call(call) => Some((inst, call.callee.clone())),
                    _ => None,
                })
                .collect()
        };
        let mut found = Vec::new();
        for (inst, callee) in own {
            let Some(index) = positions.get(&callee).copied() else { continue };
            if program.functions[index].is_declaration {
                continue;
            }
            if claimed.insert(callee.clone()) {
                found.push(index);
                continue;
            }
            if copies == MAX_COPIES {
                continue;
            }
            copies += 1;
            let name = taken.unique(&callee);
            claimed.insert(name.clone());
            let original = names.get(&callee).cloned().unwrap_or(callee);
            names.insert(name.clone(), original);
            let mut copy = program.functions[index].clone();
            copy.name.clone_from(&name);
            program.functions.push(copy);
            positions.insert(name.clone(), program.functions.len() - 1);
            found.push(program.functions.len() - 1);
            if let Op::Call(call) = &mut program.functions[function].body.insts[inst].op {
                call.callee = name;
            }
        }
        pending.extend(found.into_iter().rev());
    }
    names
}

/// What calls of one function must have in common to share it.
type Key = (Option<Attr>, Vec<Option<ShardingAttr>>);

/// The axes along which a function is the program of one device.
fn manual_axes(program: &Program, index: usize) -> Option<Attr> {
    program.functions[index].attributes.get(MANUAL_AXES).cloned()
}

/// The shardings of a function's arguments and results.
fn shardings(program: &Program, index: usize) -> Vec<Option<ShardingAttr>> {
    let function = &program.functions[index];
    let arguments = function.args().iter().map(|arg| sharding_of(program, index, *arg));
    arguments.chain(function.result_attributes.iter().map(|attributes| single(attributes).cloned())).collect()
}

/// Lets calls that came out alike share a function.
pub(crate) fn unflatten(program: &mut Program, names: &Names) {
    let all = calls(program);
    let called: BTreeSet<&String> = all.iter().map(|(_, _, callee)| callee).collect();
    let positions = positions(program);
    let index_of = |name: &str| positions.get(name).copied();
    // Called functions behind the others, callees before callers.
    let is_kept = |index: &usize| {
        let function = &program.functions[*index];
        function.is_declaration || !called.contains(&function.name)
    };
    let mut order: Vec<usize> = (0..program.functions.len()).filter(is_kept).collect();
    let roots = order.clone();
    let mut is_placed = vec![false; program.functions.len()];
    roots.iter().for_each(|root| is_placed[*root] = true);
    let mut is_open = vec![false; program.functions.len()];
    let mut callees: Vec<Vec<&String>> = vec![Vec::new(); program.functions.len()];
    all.iter().for_each(|(caller, _, callee)| callees[*caller].push(callee));
    for root in roots {
        // An explicit stack: how deep calls nest is up to the input.
        let mut stack = vec![(root, 0)];
        while let Some((function, next)) = stack.pop() {
            let Some(callee) = callees[function].get(next) else {
                is_open[function] = false;
                if !std::mem::replace(&mut is_placed[function], true) {
                    order.push(function);
                }
                continue;
            };
            is_open[function] = true;
            stack.push((function, next + 1));
            if let Some(callee) = index_of(callee)
                && !is_placed[callee]
                && !is_open[callee]
            {
                stack.push((callee, 0));
            }
        }
    }
    let mut new_names: BTreeMap<String, String> = BTreeMap::new();
    let mut taken = Taken::default();
    for index in &order {
        let name = &program.functions[*index].name;
        let original = names.get(name).unwrap_or(name);
        new_names.insert(name.clone(), taken.unique(original));
    }
    let mut first: HashMap<(String, Key), String> = HashMap::new();
    let mut shared: BTreeMap<String, String> = BTreeMap::new();
    for caller in &order {
        for callee in &callees[*caller] {
            let Some(index) = index_of(callee) else { continue };
            let original = names.get(*callee).unwrap_or(callee).clone();
            let key = (manual_axes(program, index), shardings(program, index));
            let target = first.entry((original, key)).or_insert_with(|| (*callee).clone());
            shared.insert((*callee).clone(), target.clone());
        }
    }
    let renamed = |name: &String| new_names.get(name).unwrap_or(name).clone();
    let is_first =
        |function: &&Function| shared.get(&function.name).is_none_or(|target| *target == function.name);
    let functions = order.iter().map(|index| &program.functions[*index]).filter(is_first);
    let mut functions: Vec<Function> = functions.cloned().collect();
    for function in &mut functions {
        function.name = renamed(&function.name);
        function.attributes.remove(MANUAL_AXES);
        for inst in function.body.insts.values_mut() {
            if let Op::Call(call) = &mut inst.op {
                call.callee = renamed(shared.get(&call.callee).unwrap_or(&call.callee));
            }
        }
    }
    program.functions = functions;
    remove_uncalled(program);
}
