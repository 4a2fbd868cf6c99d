//! The sharding of a value as the program's text holds it: in attributes of functions and instructions, or in the
//! operations that are shardings themselves.
//!
//! Input: a program, a function's number, a value. An argument of a loop's region has the sharding of the loop's
//! result; inside a manual computation an argument is sharded by the free axes alone.

use super::edges::open;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::sdy_edge::DataFlowEdge;
use meshwright_ir::program::{Body, Def, Inst, Program};
use meshwright_ir::sharding::{AxisRefAttr, ShardingAttr};
use meshwright_ir::types::Type;

/// The name of the attribute.
pub(crate) const SHARDING: &str = "sdy.sharding";

/// The sharding of a value.
pub(crate) fn sharding_of(program: &Program, function: usize, value: ValueId) -> Option<ShardingAttr> {
    let function = &program.functions[function];
    sharding_in(&function.body, &function.arg_attributes, value)
}

/// The sharding of a value of a body, given the attributes of the function's arguments.
pub(crate) fn sharding_in(body: &Body, arguments: &[Attributes], value: ValueId) -> Option<ShardingAttr> {
    match body.values[value].def {
        Def::Argument(region, index) if region == body.entry() => single(arguments.get(index)?).cloned(),
        Def::Argument(region, index) => {
            let (_, owner) = body.insts.iter().find(|(_, inst)| inst.regions.contains(&region))?;
            match owner.op.data_flow() {
                DataFlow::Loop => of_result(body, owner.results.get(index).copied()?),
                _ => owner.op.argument_sharding(index),
            }
        }
        Def::Result(..) => of_result(body, value),
    }
}

/// The sharding in an argument's or a function result's attributes.
pub(crate) fn single(attributes: &Attributes) -> Option<&ShardingAttr> {
    match attributes.get(SHARDING) {
        Some(Attr::Sharding(sharding)) => Some(sharding),
        _ => None,
    }
}

/// The sharding of an instruction's result.
pub(crate) fn of_result(body: &Body, value: ValueId) -> Option<ShardingAttr> {
    let Def::Result(inst, index) = body.values[value].def else { return None };
    let inst = &body.insts[inst];
    inst.op
        .result_sharding(index)
        .or_else(|| match inst.attributes.get(SHARDING)? {
            Attr::ShardingPerValue(shardings) => shardings.get(index),
            _ => None,
        })
        .cloned()
}

/// Sets the sharding of a value. Where an instruction lists one for each of its values, the others become open.
pub(crate) fn set(program: &mut Program, function: usize, value: ValueId, sharding: ShardingAttr) {
    let function = &mut program.functions[function];
    set_in(&mut function.body, &mut function.arg_attributes, value, sharding);
}

/// The same for a body with the attributes of the function's arguments.
pub(crate) fn set_in(body: &mut Body, arguments: &mut [Attributes], value: ValueId, sharding: ShardingAttr) {
    match body.values[value].def {
        Def::Argument(region, index) if region == body.entry() => {
            if let Some(attributes) = arguments.get_mut(index) {
                attributes.set(SHARDING, Attr::Sharding(sharding));
            }
        }
        Def::Argument(region, index) => {
            let owner = body.insts.iter().find(|(_, inst)| inst.regions.contains(&region)).map(|(id, _)| id);
            if let Some(owner) = owner {
                let args = &body.regions[region].args;
                let ranks: Vec<usize> = args.iter().map(|arg| rank(body.ty(*arg))).collect();
                set_argument(body, owner, index, &ranks, sharding);
            }
        }
        Def::Result(inst, index) => set_result(body, inst, index, sharding),
    }
}

fn rank(ty: &Type) -> usize {
    ty.as_tensor().map_or(0, |tensor| tensor.rank())
}

/// Sets one entry of a list; a list that was not there is open in all others.
fn put(list: &mut Option<Vec<ShardingAttr>>, index: usize, ranks: &[usize], sharding: ShardingAttr) {
    let filled = || ranks.iter().map(|rank| open(sharding.mesh.clone(), *rank)).collect();
    if let Some(own) = list.get_or_insert_with(filled).get_mut(index) {
        *own = sharding;
    }
}

fn set_argument(body: &mut Body, owner: InstId, index: usize, ranks: &[usize], sharding: ShardingAttr) {
    match &mut body.insts[owner].op {
        Op::NamedComputation(named) => put(&mut named.in_shardings, index, ranks, sharding),
        Op::ManualComputation(manual) => {
            if let Some(outer) = manual.in_shardings.get_mut(index) {
                let mut joined = sharding;
                for (dim, outer) in joined.dims.iter_mut().zip(&outer.dims) {
                    let is_manual = |axis: &&AxisRefAttr| is_manual(axis, &manual.manual_axes);
                    let before: Vec<_> = outer.axes.iter().take_while(is_manual).cloned().collect();
                    dim.axes.splice(..0, before);
                }
                joined.replicated.clone_from(&outer.replicated);
                joined.unreduced.clone_from(&outer.unreduced);
                *outer = joined;
            }
        }
        _ => {}
    }
}

fn is_manual(axis: &AxisRefAttr, manual_axes: &[String]) -> bool {
    manual_axes.contains(&axis.name)
}

fn set_result(body: &mut Body, inst: InstId, index: usize, sharding: ShardingAttr) {
    let ranks: Vec<usize> = body.insts[inst].results.iter().map(|result| rank(body.ty(*result))).collect();
    let inst = &mut body.insts[inst];
    match &mut inst.op {
        Op::DataFlowEdge(edge) => match &mut **edge {
            DataFlowEdge::Inst(own) => *own = Some(sharding),
            DataFlowEdge::Func => list(inst, index, &ranks, sharding),
        },
        Op::ShardingConstraint(constraint) => constraint.sharding = sharding,
        Op::SdyCollective(collective) => collective.out_sharding = sharding,
        Op::NamedComputation(named) => put(&mut named.out_shardings, index, &ranks, sharding),
        Op::ManualComputation(manual) => {
            if let Some(own) = manual.out_shardings.get_mut(index) {
                *own = sharding;
            }
        }
        _ => list(inst, index, &ranks, sharding),
    }
}

/// Sets one entry of an instruction's own list.
fn list(inst: &mut Inst, index: usize, ranks: &[usize], sharding: ShardingAttr) {
    let mut list = match inst.attributes.remove(SHARDING) {
        Some(Attr::ShardingPerValue(list)) => Some(list),
        _ => None,
    };
    put(&mut list, index, ranks, sharding);
    inst.attributes.set(SHARDING, Attr::ShardingPerValue(list.unwrap_or_default()));
}

/// Replaces every sharding of a program, wherever it stands.
pub(crate) fn transform(program: &mut Program, change: &mut dyn FnMut(&ShardingAttr) -> ShardingAttr) {
    for function in &mut program.functions {
        let lists = function.arg_attributes.iter_mut().chain(&mut function.result_attributes);
        for attributes in lists {
            if let Some(sharding) = single(attributes) {
                let changed = change(sharding);
                attributes.set(SHARDING, Attr::Sharding(changed));
            }
        }
        for inst in function.body.insts.ids().collect::<Vec<_>>() {
            let inst = &mut function.body.insts[inst];
            let each = |list: &mut Vec<ShardingAttr>,
                        change: &mut dyn FnMut(&ShardingAttr) -> ShardingAttr| {
                list.iter_mut().for_each(|sharding| *sharding = change(sharding));
            };
            match &mut inst.op {
                Op::DataFlowEdge(edge) => {
                    if let DataFlowEdge::Inst(Some(own)) = &mut **edge {
                        *own = change(own);
                    }
                }
                Op::ShardingConstraint(constraint) => constraint.sharding = change(&constraint.sharding),
                Op::SdyCollective(collective) => collective.out_sharding = change(&collective.out_sharding),
                Op::NamedComputation(named) => {
                    for list in [&mut named.in_shardings, &mut named.out_shardings].into_iter().flatten() {
                        each(list, change);
                    }
                }
                Op::ManualComputation(manual) => {
                    each(&mut manual.in_shardings, change);
                    each(&mut manual.out_shardings, change);
                }
                _ => {}
            }
            if let Some(Attr::ShardingPerValue(list)) = inst.attributes.get(SHARDING) {
                let mut list = list.clone();
                each(&mut list, change);
                inst.attributes.set(SHARDING, Attr::ShardingPerValue(list));
            }
        }
    }
}
