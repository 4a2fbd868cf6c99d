//! Random programs through propagation of whole modules, by every strategy.
//!
//! Input: a program's text. What must hold of the output: it is verified, and reads back as printed; a dim that the user
//! closed has the axes that it had, an open one at least those; without annotations there are none.

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::op::Propagation;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::ShardingAttr;
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use meshwright_propagate::{Calls, PropagateOptions, PropagationPass, Rules, propagate_module};

const STRATEGIES: [PropagationPass; 5] = [
    PropagationPass::Basic,
    PropagationPass::Aggressive,
    PropagationPass::OpPriority,
    PropagationPass::UserPriority,
    PropagationPass::Pipeline,
];

/// What goes wrong, if anything does.
pub(crate) fn problem(text: &str) -> Option<String> {
    let program = match read(&Source::new("random.mlir", text)) {
        Ok(program) => program,
        Err(error) => return Some(format!("not read: {error:?}")),
    };
    for strategy in STRATEGIES {
        for mode in [Propagation::Full, Propagation::Conservative] {
            let options = PropagateOptions { strategy, mode, calls: Calls::Separate, rules: Rules::Given };
            if let Err(problem) = holds(&program, &options) {
                return Some(format!("{strategy:?}, {mode:?}: {problem}"));
            }
        }
    }
    None
}

fn holds(program: &Program, options: &PropagateOptions) -> Result<(), String> {
    let output = propagate_module(program, options).map_err(|error| format!("{error:?}"))?;
    let text = print(&output, Form::Pretty);
    verify(&output).map_err(|error| format!("not verified: {error:?}\n{text}"))?;
    let again =
        read(&Source::new("again.mlir", text.as_str())).map_err(|error| format!("{error:?}\n{text}"))?;
    if print(&again, Form::Pretty) != text {
        return Err(format!("reads back as another program\n{text}"));
    }
    let main = |program: &Program| program.main().cloned().ok_or("no main");
    // Export cuts what does not divide.
    if options.strategy != PropagationPass::Pipeline {
        keeps(&main(program)?, &main(&output)?).map_err(|problem| format!("{problem}\n{text}"))?;
    }
    let before = print(program, Form::Pretty);
    let annotates = ["sdy.sharding", "sdy.reshard", "sdy.manual_computation"];
    let is_annotated = annotates.iter().any(|annotation| before.contains(annotation));
    if !is_annotated && text.contains("sdy.sharding") {
        return Err(format!("shardings out of nothing\n{text}"));
    }
    Ok(())
}

/// Whether what the user said of arguments and results still holds.
fn keeps(before: &Function, after: &Function) -> Result<(), String> {
    let sharding = |attributes: &Attributes| match attributes.get("sdy.sharding") {
        Some(Attr::Sharding(sharding)) => Some(sharding.clone()),
        _ => None,
    };
    let all = |function: &Function| -> Vec<Option<ShardingAttr>> {
        function.arg_attributes.iter().chain(&function.result_attributes).map(sharding).collect()
    };
    for (index, (before, after)) in all(before).into_iter().zip(all(after)).enumerate() {
        let Some(before) = before else { continue };
        let after = after.ok_or_else(|| format!("the sharding of {index} is lost"))?;
        for (dim, (before, after)) in before.dims.iter().zip(&after.dims).enumerate() {
            let is_kept = match before.is_open {
                false => before.axes == after.axes,
                // The last axis may have grown from a part of it.
                true => before.axes.len() <= after.axes.len(),
            };
            if !is_kept {
                return Err(format!("dim {dim} of argument or result {index} was {before} and is {after}"));
            }
        }
    }
    Ok(())
}
