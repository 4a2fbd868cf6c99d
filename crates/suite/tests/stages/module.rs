//! The stages `module` and `rules`: what propagation makes of a module, and the rules by which it does.
//!
//! `module`: the annotated program as text, which reads back as a valid program. Options: `strategy` (basic, aggressive, op-priority, user-priority; otherwise
//! the pipeline), `conservative`, `shared` (calls of one function share it). `rules`: the program with the rule of each
//! instruction; option: `conservative`.

use meshwright_ir::diagnostic::Source;
use meshwright_ir::op::Propagation;
use meshwright_ir::text::{Form, print};
use meshwright_propagate::{
    Calls, PropagateOptions, PropagationPass, Rules, annotate_rules, propagate_module,
};
use meshwright_suite::{Input, Outcome};

use super::{findings, read_program};

pub(crate) fn module(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let options = PropagateOptions {
        strategy: match input.option("strategy") {
            Some("basic") => PropagationPass::Basic,
            Some("aggressive") => PropagationPass::Aggressive,
            Some("op-priority") => PropagationPass::OpPriority,
            Some("user-priority") => PropagationPass::UserPriority,
            _ => PropagationPass::Pipeline,
        },
        mode: mode(input),
        calls: if input.option("shared").is_some() { Calls::Shared } else { Calls::Separate },
        rules: Rules::Given,
    };
    let annotated = read_program(&source)
        .and_then(|program| propagate_module(&program, &options).map_err(|found| findings(&source, found)));
    match annotated {
        Ok(program) => {
            let output = print(&program, Form::Pretty);
            let again = read_program(&Source::new("printed", output.as_str()));
            Outcome { findings: again.err().unwrap_or_default(), output }
        }
        Err(found) => Outcome::findings(found),
    }
}

pub(crate) fn rules(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    match read_program(&source) {
        Ok(program) => Outcome::output(print(&annotate_rules(&program, mode(input)), Form::Pretty)),
        Err(found) => Outcome::findings(found),
    }
}

fn mode(input: &Input) -> Propagation {
    if input.option("conservative").is_some() { Propagation::Conservative } else { Propagation::Full }
}
