//! `roundtrip`: a program as the printer writes it, after checking that both printed forms read back as the same
//! program. `verify`: what is wrong with a program, from its text to its types.

use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print};
use meshwright_suite::{Input, Outcome};

/// The pretty form, or with the option `generic` the generic form.
pub(crate) fn roundtrip(input: &Input) -> Outcome {
    let program = match super::read_program(&Source::new(input.name.as_str(), input.text.as_str())) {
        Ok(program) => program,
        Err(findings) => return Outcome::findings(findings),
    };
    for form in [Form::Pretty, Form::Generic] {
        if let Err(outcome) = reads_back(&program, form) {
            return outcome;
        }
    }
    let form = if input.option("generic").is_some() { Form::Generic } else { Form::Pretty };
    Outcome::output(print(&program, form))
}

/// What goes wrong when the printed text is read again.
fn reads_back(program: &Program, form: Form) -> Result<(), Outcome> {
    let printed = print(program, form);
    let again = super::read_program(&Source::new("printed", printed.as_str())).map_err(|findings| {
        Outcome { output: format!("the {form:?} form does not read back:\n{printed}"), findings }
    })?;
    match [Form::Pretty, Form::Generic].into_iter().find(|form| print(&again, *form) != print(program, *form))
    {
        None => Ok(()),
        Some(other) => Err(Outcome::output(format!(
            "the {form:?} form reads back as another program:\n{}",
            print(&again, other)
        ))),
    }
}

/// All diagnostics, or `ok`.
pub(crate) fn verify(input: &Input) -> Outcome {
    match super::read_program(&Source::new(input.name.as_str(), input.text.as_str())) {
        Ok(_) => Outcome::output("ok"),
        Err(findings) => Outcome::findings(findings),
    }
}
