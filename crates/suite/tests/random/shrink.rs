//! Makes a program that fails as small as it still fails.
//!
//! Input: the text of a program with one function, and a test that holds for it. Output: the text of a smaller program
//! for which it holds. In turn, until nothing helps any more: a result is dropped; an instruction is replaced by an
//! operand of its type or by a new argument; the function returns what its last instruction reads; an annotation, or
//! one axis of it, is removed; what nobody uses goes away.

use meshwright_ir::attribute::Attr;
use meshwright_ir::diagnostic::{Source, Span};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::ops::Op;
use meshwright_ir::program::{Body, Function, Program};
use meshwright_ir::rewrite::{Rewriter, Unchanged};
use meshwright_ir::sharding::ShardingAttr;
use meshwright_ir::text::{Form, print, read};

/// See the module's comment.
pub(crate) fn smallest(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut best = text.to_owned();
    while let Some(smaller) = candidates(&best).into_iter().find(|text| *text != best && fails(text)) {
        best = smaller;
    }
    best
}

/// What an instruction's results become.
#[derive(Clone, Copy)]
enum Instead {
    /// Arguments of the function.
    Arguments,
    /// The operand at this position.
    Operand(usize),
}

/// Programs with one thing less.
fn candidates(text: &str) -> Vec<String> {
    let Ok(program) = read(&Source::new("shrinking.mlir", text)) else { return Vec::new() };
    let Some(main) = program.main() else { return Vec::new() };
    let body = &main.body;
    let mut found = Vec::new();
    let returned = main.returned().to_vec();
    let mut offer = |function: Function| {
        let smaller = Program { functions: vec![function], ..program.clone() };
        found.push(print(&smaller, Form::Pretty));
    };
    if returned.len() > 1 {
        for dropped in 0..returned.len() {
            let kept: Vec<usize> = (0..returned.len()).filter(|index| *index != dropped).collect();
            offer(rebuilt(main, &kept.iter().map(|index| returned[*index]).collect::<Vec<_>>(), &kept, None));
        }
    }
    let all: Vec<usize> = (0..returned.len()).collect();
    let insts: Vec<InstId> = body.regions[body.entry()].insts.iter().rev().skip(1).copied().collect();
    for value in &returned {
        if let meshwright_ir::program::Def::Result(inst, _) = body.values[*value].def {
            for operand in &body.insts[inst].operands {
                offer(rebuilt(main, &[*operand], &[], None));
            }
        }
    }
    for inst in insts {
        let source = &body.insts[inst];
        for (position, operand) in source.operands.iter().enumerate() {
            if let [result] = source.results.as_slice()
                && body.ty(*result) == body.ty(*operand)
            {
                offer(rebuilt(main, &returned, &all, Some((inst, Instead::Operand(position)))));
            }
        }
        if !matches!(source.op, Op::Constant(_)) {
            offer(rebuilt(main, &returned, &all, Some((inst, Instead::Arguments))));
        }
    }
    for function in with_fewer_annotations(main) {
        offer(function);
    }
    found
}

/// The function that returns these values, with the attributes of the results at `kept`, one instruction replaced and
/// everything that is not needed left out.
fn rebuilt(
    main: &Function,
    returned: &[ValueId],
    kept: &[usize],
    replaced: Option<(InstId, Instead)>,
) -> Function {
    let from = &main.body;
    let entry = from.entry();
    let insts = &from.regions[entry].insts;
    let is_replaced = |inst: InstId| replaced.filter(|(other, _)| *other == inst).map(|(_, instead)| instead);
    let mut is_needed = Table::filled(false, from.values.len());
    returned.iter().for_each(|value| is_needed[*value] = true);
    let mut is_kept = Table::filled(false, from.insts.len());
    for inst in insts.iter().rev().skip(1) {
        let source = &from.insts[*inst];
        if !source.results.iter().any(|result| is_needed[*result]) {
            continue;
        }
        is_kept[*inst] = true;
        match is_replaced(*inst) {
            Some(Instead::Arguments) => {}
            Some(Instead::Operand(position)) => is_needed[source.operands[position]] = true,
            None => {
                source.operands.iter().for_each(|operand| is_needed[*operand] = true);
                for inner in source.regions.iter().flat_map(|region| from.walk(*region)) {
                    from.insts[inner].operands.iter().for_each(|operand| is_needed[*operand] = true);
                }
            }
        }
    }
    let mut rewriter = Rewriter::within(from, Body::new());
    let own = rewriter.to.entry();
    let mut arg_attributes = Vec::new();
    for (arg, attributes) in main.args().iter().zip(&main.arg_attributes) {
        if is_needed[*arg] {
            let new = rewriter.to.add_arg(own, from.ty(*arg).clone(), Span::NONE);
            rewriter.stand_for(*arg, new);
            arg_attributes.push(attributes.clone());
        }
    }
    for inst in insts.iter().filter(|inst| is_kept[**inst]) {
        let source = &from.insts[*inst];
        match is_replaced(*inst) {
            Some(Instead::Arguments) => {
                for result in source.results.iter().filter(|result| is_needed[**result]) {
                    let new = rewriter.to.add_arg(own, from.ty(*result).clone(), Span::NONE);
                    rewriter.stand_for(*result, new);
                    arg_attributes.push(Default::default());
                }
            }
            Some(Instead::Operand(position)) => {
                rewriter.map[source.results[0]] = rewriter.map[source.operands[position]];
            }
            None => rewriter.walk_each(&[*inst], own, &mut Unchanged),
        }
    }
    let Rewriter { to: mut body, map, .. } = rewriter;
    if let Some(end) = from.terminator(entry) {
        let operands = returned.iter().filter_map(|value| map[*value]).collect();
        body.append(own, end.op.clone(), operands, Vec::new(), Vec::new(), Span::NONE);
    }
    Function {
        arg_attributes,
        result_types: returned.iter().map(|value| from.ty(*value).clone()).collect(),
        result_attributes: match kept.len() == returned.len() {
            true => kept.iter().map(|index| main.result_attributes[*index].clone()).collect(),
            false => vec![Default::default(); returned.len()],
        },
        result_spans: Vec::new(),
        body,
        ..main.clone()
    }
}

/// The function without one of its annotations on arguments and results, or without one axis of one.
fn with_fewer_annotations(main: &Function) -> Vec<Function> {
    let mut found = Vec::new();
    for (is_argument, count) in [(true, main.arg_attributes.len()), (false, main.result_attributes.len())] {
        for index in 0..count {
            let list = if is_argument { &main.arg_attributes } else { &main.result_attributes };
            let Some(Attr::Sharding(sharding)) = list[index].get("sdy.sharding") else { continue };
            for smaller in [None].into_iter().chain(with_fewer_axes(sharding).into_iter().map(Some)) {
                let mut function = main.clone();
                let list = match is_argument {
                    true => &mut function.arg_attributes,
                    false => &mut function.result_attributes,
                };
                match smaller {
                    None => {
                        list[index].remove("sdy.sharding");
                    }
                    Some(smaller) => list[index].set("sdy.sharding", Attr::Sharding(smaller)),
                }
                found.push(function);
            }
        }
    }
    found
}

fn with_fewer_axes(sharding: &ShardingAttr) -> Vec<ShardingAttr> {
    let mut found = Vec::new();
    for dim in 0..sharding.dims.len() {
        for axis in 0..sharding.dims[dim].axes.len() {
            let mut smaller = sharding.clone();
            smaller.dims[dim].axes.remove(axis);
            found.push(smaller);
        }
        if sharding.dims[dim].is_open {
            let mut smaller = sharding.clone();
            smaller.dims[dim].is_open = false;
            found.push(smaller);
        }
    }
    found
}
