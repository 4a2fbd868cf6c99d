//! `transform`: what a pass over programs of the whole makes of one (`pass=NAME`), a variant of it (`variant=NAME`), or what
//! layers make of so many parameters alone, put ahead of them (`parameters=N`: the first N arguments, others are data).
//!
//! The output is the new program, or `nothing to do`; behind one whose instructions are new, where each comes from in
//! the text: its function and op, the calls that lead there, and a number where several come from one.

use meshwright_analyze::copies::with_copies;
use meshwright_analyze::flow::downstream;
use meshwright_analyze::roles::{DATA, PARAMETERS};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::Table;
use meshwright_ir::origin::{self, Origins, Place, Site};
use meshwright_ir::program::{Function, Program};
use meshwright_ir::text::{Form, print};
use meshwright_suite::{Input, Outcome};
use meshwright_transform::{Made, PASSES, Passed, VARIANTS};

use super::{findings, read_program};

pub(crate) fn transform(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let program = match read_program(&source) {
        Ok(program) => program,
        Err(found) => return Outcome::findings(found),
    };
    if let Some(name) = input.option("variant") {
        let variant = VARIANTS.iter().find(|variant| variant.name == name).expect("a variant that there is");
        let main = program.main().expect("a program with an entry function");
        return written(&program.with_only((variant.of)(main)), String::new());
    }
    if let Some(count) = input.option("parameters") {
        let count: usize = count.parse().expect("a number of parameters");
        let main = program.main().expect("a program with an entry function");
        return match with_parameters_ahead(main, &|index| index < count) {
            Some(made) => written(&program.with_only(made.function), String::new()),
            None => Outcome::output("nothing to do\n"),
        };
    }
    let name = input.option("pass").expect("a test names a pass or a variant");
    let pass = PASSES.iter().find(|pass| pass.name == name).expect("a pass that there is");
    match (pass.run)(&program) {
        Ok(None) => Outcome::output("nothing to do\n"),
        Ok(Some(passed)) => written(&passed.program, origins(&program, &passed)),
        Err(problems) => Outcome::findings(findings(&source, problems)),
    }
}

/// What layers make of parameters alone ahead of them, where these arguments are parameters and all others are data.
pub(crate) fn with_parameters_ahead(
    function: &Function,
    is_parameter: &dyn Fn(usize) -> bool,
) -> Option<Made> {
    let mut marks = Table::filled(0, function.body.values.len());
    for (index, argument) in function.args().iter().enumerate() {
        marks[*argument] = if is_parameter(index) { PARAMETERS } else { DATA };
    }
    with_copies(function, &downstream(&function.body, marks))
}

/// The program, which must verify, with more behind it.
fn written(program: &Program, more: String) -> Outcome {
    if let Err(problems) = meshwright_ir::verify::verify(program) {
        return Outcome::output(format!("it is broken: {problems:?}"));
    }
    Outcome::output(print(program, Form::Pretty) + &more)
}

/// Where the instructions come from, if they are new.
fn origins(program: &Program, passed: &Passed) -> String {
    let (Some(trace), Some(made)) = (&passed.trace, passed.program.functions.first()) else {
        return String::new();
    };
    let is_main = |function: &Function| function.name == made.name;
    let main = program.functions.iter().position(is_main).expect("the entry function was there");
    let origins = Origins::own(main, &program.functions[main].body).behind(trace, &made.body);
    let mut text = String::new();
    for id in made.body.walk(made.body.entry()) {
        let origin = origins.insts[id];
        let name = made.body.insts[id].op.name();
        text += &format!("{name}: {}", place(program, &origins, origin.place));
        text += &(if origin.made > 0 { format!(" ({})\n", origin.made) } else { "\n".to_owned() });
    }
    text
}

/// `@main call > @layer stablehlo.tanh`.
fn place(program: &Program, origins: &Origins, place: Place) -> String {
    let origin::Source::Inst(own) = place.source else { return format!("{:?}", place.source) };
    let site = |site: Site| {
        let function = &program.functions[site.function];
        format!("@{} {}", function.name, function.body.insts[site.inst].op.name())
    };
    let sites = origins.path(place).into_iter().chain([own]).map(site);
    sites.collect::<Vec<_>>().join(" > ")
}
