//! Propagation as Shardy's users expect it: the whole module, with its functions, calls, regions and meshes.
//!
//! Input: a verified program with annotations, and [`PropagateOptions`]. Output: the same program with a sharding on
//! all that propagation decided.
//!
//! - `engine` propagates shardings to a fixed point, by `basic` or `aggressive` steps ([`PropagationPass`]);
//! - op priorities let what keeps all dims go first; user priorities (`p0`, `p1`, ...) come before them;
//! - the pipeline prepares the module before (`import`: meshes, constants, edges, constraints, groups, calls) and cleans
//!   up behind (`export`).
//!
//! The semantics are those of Shardy's documents "Propagation" and "Sharding representation" and of its sources under
//! `transforms/propagation`, `transforms/import` and `transforms/export`.

mod aggressive;
mod annotation;
mod axis;
mod basic;
mod calls;
mod constants;
mod constraints;
mod edges;
mod edit;
mod engine;
pub mod explain;
mod export;
mod groups;
mod import;
mod priorities;
mod projection;
mod sharding;
mod state;
mod write_back;

pub use groups::{GROUP, joined, synced};

use engine::{Conflicts, Engine};
use meshwright_ir::attribute::Attr;
use meshwright_ir::diagnostic::Diagnostics;
use meshwright_ir::op::{Op, Propagation};
use meshwright_ir::program::Program;
use meshwright_ir::sdy::{OpShardingRule, SdyAttr};
use state::{Node, State};
use std::collections::BTreeSet;

/// Shardy's propagation passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PropagationPass {
    /// Along each factor as far as all tensors agree.
    Basic,
    /// Conflicts between factors are resolved for each tensor.
    Aggressive,
    /// Basic, then aggressive, op priority by op priority.
    OpPriority,
    /// The same, user priority by user priority.
    UserPriority,
    /// The same between import and export.
    #[default]
    Pipeline,
}

/// Treatment of functions that are called from several places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Calls {
    /// Each call is propagated by itself; calls with the same shardings share a function.
    #[default]
    Separate,
    /// All calls share one function and its shardings.
    Shared,
}

/// Rules that instructions keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rules {
    /// Only those that the user gave.
    #[default]
    Given,
    /// All, as `sdy.sharding_rule`.
    All,
}

/// Options of propagation through a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PropagateOptions {
    /// The pass.
    pub strategy: PropagationPass,
    /// Whether shardings go only to where dims divide and nothing has to move.
    pub mode: Propagation,
    /// What becomes of functions that are called from several places. Only the pipeline asks.
    pub calls: Calls,
    /// Whether the rules of instructions are written too.
    pub rules: Rules,
}

/// Completes the annotations of a verified program.
///
/// # Errors
/// A value in sharding groups that do not fit it.
pub fn propagate_module(program: &Program, options: &PropagateOptions) -> Result<Program, Diagnostics> {
    let mut program = match options.rules {
        Rules::All => annotate_rules(program, options.mode),
        Rules::Given => program.clone(),
    };
    if options.strategy == PropagationPass::Pipeline {
        return pipeline(program, options);
    }
    let added = edges::add(&mut program);
    groups::sync(&mut program.functions);
    let entries = entries(&program);
    let mut program = run(&program, options, &entries, Calls::Shared);
    edges::remove(&mut program, &added);
    Ok(program)
}

fn pipeline(program: Program, options: &PropagateOptions) -> Result<Program, Diagnostics> {
    let Prepared { program, names, added } = prepare(program, options)?;
    let entries = entries(&program);
    let mut program = run(&program, options, &entries, options.calls);
    edges::remove(&mut program, &added);
    export::returned_to_results(&mut program, &entries);
    if options.calls == Calls::Separate {
        calls::unflatten(&mut program, &names);
    }
    export::run(&mut program, &entries);
    Ok(program)
}

/// A program that is ready for propagation.
struct Prepared {
    program: Program,
    names: calls::Names,
    added: edges::Added,
}

/// The pipeline's steps before propagation.
fn prepare(mut program: Program, options: &PropagateOptions) -> Result<Prepared, Diagnostics> {
    calls::remove_uncalled(&mut program);
    import::lift_meshes(&mut program);
    import::remove_axes_of_size_one(&mut program);
    import::results_to_calls(&mut program);
    constants::split(&mut program);
    import::clean_manual_axes(&mut program);
    let names = calls::names(&program);
    let names = match options.calls {
        Calls::Separate => calls::flatten(&mut program, names),
        Calls::Shared => names,
    };
    let mut added = edges::add(&mut program);
    if options.calls == Calls::Separate {
        added.extend(edges::add_for_calls(&mut program));
    }
    constraints::apply(&mut program);
    groups::import(&mut program)?;
    if options.calls == Calls::Shared {
        added.extend(edges::add_for_calls(&mut program));
    }
    groups::sync(&mut program.functions);
    Ok(Prepared { program, names, added })
}

/// Writes the sharding rule of each instruction that has none, as `sdy.sharding_rule`.
pub fn annotate_rules(program: &Program, mode: Propagation) -> Program {
    let mut annotated = program.clone();
    for (function, to) in program.functions.iter().zip(&mut annotated.functions) {
        let body = &function.body;
        for id in body.walk(body.entry()) {
            let view = body.view(id);
            let attributes = &mut to.body.insts[id].attributes;
            if attributes.get(OpShardingRule::NAME).is_some() {
                continue;
            }
            if let Some(rule) = view.inst.op.propagation_rule(&view, mode) {
                attributes.set(OpShardingRule::NAME, Attr::Sdy(SdyAttr::Rule(rule).into()));
            }
        }
    }
    annotated
}

/// The functions that nobody calls: their results are the program's.
fn entries(program: &Program) -> Vec<usize> {
    let called: BTreeSet<String> = edges::calls(program).into_iter().map(|(_, _, callee)| callee).collect();
    let is_entry = |index: &usize| {
        let function = &program.functions[*index];
        !function.is_declaration && !called.contains(&function.name)
    };
    (0..program.functions.len()).filter(is_entry).collect()
}

/// Runs one pass over a program with edges.
fn run(program: &Program, options: &PropagateOptions, entries: &[usize], calls: Calls) -> Program {
    let state = State::of(program);
    let order = order(&state, entries, calls);
    let mut engine = Engine::new(state, options.mode, order);
    match options.strategy {
        PropagationPass::Basic => engine.to_fixed_point(Conflicts::Basic, None, entries),
        PropagationPass::Aggressive => engine.to_fixed_point(Conflicts::Aggressive, None, entries),
        PropagationPass::OpPriority => engine.by_op_priority(entries),
        PropagationPass::UserPriority | PropagationPass::Pipeline => {
            priorities::by_user_priority(&mut engine, entries)
        }
    }
    write_back::write_back(&engine.state)
}

/// The order in which instructions are visited first: that of the text, entry functions before those that they call.
/// Where calls are separate, what is called is visited at its call.
fn order(state: &State<'_>, entries: &[usize], calls: Calls) -> Vec<Node> {
    let program = state.program;
    let mut order = Vec::new();
    let mut is_seen = vec![false; program.functions.len()];
    for function in entries.iter().copied().chain(0..program.functions.len()) {
        visit(state, function, calls, &mut is_seen, &mut order);
    }
    order
}

fn visit(state: &State<'_>, function: usize, calls: Calls, is_seen: &mut [bool], order: &mut Vec<Node>) {
    if std::mem::replace(&mut is_seen[function], true) {
        return;
    }
    let program = state.program;
    let body = &program.functions[function].body;
    let mut called = Vec::new();
    for inst in body.walk(body.entry()) {
        order.push(state.node(function, inst));
        if let Op::Call(call) = &body.insts[inst].op
            && let Some(callee) = state.function(&call.callee)
        {
            match calls {
                Calls::Separate => visit(state, callee, calls, is_seen, order),
                Calls::Shared => called.push(callee),
            }
        }
    }
    for callee in called {
        visit(state, callee, calls, is_seen, order);
    }
}
