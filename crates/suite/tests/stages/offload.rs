//! `offload`: the program in which values lie on the host, and how many of its results have other bytes than before, which
//! must be none. `kinds=moments,activations` says which.

use meshwright_analyze::{Phases, Roles};
use meshwright_cost::Analysis;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print};
use meshwright_ir::verify::verify;
use meshwright_search::offload::{Candidate, again, candidates, waits};
use meshwright_suite::{Input, Outcome};
use meshwright_transform::Flat;
use meshwright_transform::offload::OnHost;

use super::recompute::{compared, flat, outcome};

pub(crate) fn offload(input: &Input) -> Outcome {
    let kinds: Vec<&str> = input.option("kinds").expect("kinds of values").split(',').collect();
    outcome(flat(input).map(|(program, flat)| moved(&program, &flat, &kinds)))
}

fn moved(program: &Program, flat: &Flat, kinds: &[&str]) -> String {
    let function = &flat.function;
    let (roles, analysis) = (Roles::new(function), Analysis::new(function));
    let phases = Phases::new(function, &roles);
    let mut on_host = OnHost::default();
    for Candidate { value, kind, readers } in candidates(&analysis, &roles, phases.as_ref()) {
        if kinds.contains(&kind.name()) {
            on_host.results.extend(function.argument_index(value).and_then(|index| roles.args[index].result));
            on_host.uses.insert(value, readers);
        }
    }
    let waiting = on_host.uses.keys().copied().filter(|value| waits(&function.body, *value, false));
    on_host.again = again(&analysis, &waiting.collect());
    let before = program.with_only(function.clone());
    let after = program.with_only(flat.offloaded(&on_host).function);
    if let Err(problems) = verify(&after) {
        return format!("it is broken: {problems:?}");
    }
    print(&after, Form::Pretty) + &compared(&before, &after)
}
