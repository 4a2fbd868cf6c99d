//! The sharding of a value as the program's text holds it: in attributes of functions and instructions, or in the
//! operations that are shardings themselves.
//!
//! Input: a program, a function's number, a value. An argument of a loop's region has the sharding of the loop's
//! result; inside a manual computation an argument is sharded by the free axes alone.

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::{DataFlow, HoldsShardings};
use meshwright_ir::program::{Body, Def, Inst, Program};
use meshwright_ir::sharding::ShardingAttr;
use meshwright_tensor::types::Type;

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
                if let Some(own) = body.insts[owner].op.shardings_mut() {
                    own.set_argument(index, &ranks, sharding);
                }
            }
        }
        Def::Result(inst, index) => set_result(body, inst, index, sharding),
    }
}

fn rank(ty: &Type) -> usize {
    ty.as_tensor().map_or(0, |tensor| tensor.rank())
}

fn set_result(body: &mut Body, inst: InstId, index: usize, sharding: ShardingAttr) {
    let ranks: Vec<usize> = body.insts[inst].results.iter().map(|result| rank(body.ty(*result))).collect();
    let inst = &mut body.insts[inst];
    let own = inst.op.shardings_mut();
    if !own.is_some_and(|own| own.set_result(index, &ranks, sharding.clone())) {
        list(inst, index, &ranks, sharding);
    }
}

/// Sets one entry of an instruction's own list.
fn list(inst: &mut Inst, index: usize, ranks: &[usize], sharding: ShardingAttr) {
    let mut list = match inst.attributes.remove(SHARDING) {
        Some(Attr::ShardingPerValue(list)) => Some(list),
        _ => None,
    };
    sharding.put_into(&mut list, index, ranks);
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
            for sharding in inst.op.shardings_mut().into_iter().flat_map(HoldsShardings::all_mut) {
                *sharding = change(sharding);
            }
            if let Some(Attr::ShardingPerValue(list)) = inst.attributes.get(SHARDING) {
                let list = list.iter().map(&mut *change).collect();
                inst.attributes.set(SHARDING, Attr::ShardingPerValue(list));
            }
        }
    }
}
