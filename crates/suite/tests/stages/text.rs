//! `roundtrip`: a program as the printer writes it, after checking that all printed forms read back as the same
//! program. `verify`: what is wrong with a program, from its text to its types.

use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print, print_with_locations};
use meshwright_suite::{Input, Outcome};

/// A way to print.
#[derive(Clone, Copy, Debug)]
struct Style {
    form: Form,
    with_locations: bool,
}

impl Style {
    fn print(self, program: &Program) -> String {
        let print = if self.with_locations { print_with_locations } else { print };
        print(program, self.form)
    }
}

/// The pretty form or, with the option `generic`, the generic form; with the option `locations`, with locations.
pub(crate) fn roundtrip(input: &Input) -> Outcome {
    let program = match super::read_program(&Source::new(input.name.as_str(), input.text.as_str())) {
        Ok(program) => program,
        Err(findings) => return Outcome::findings(findings),
    };
    for with_locations in [false, true] {
        for form in [Form::Pretty, Form::Generic] {
            if let Err(outcome) = reads_back(&program, Style { form, with_locations }) {
                return outcome;
            }
        }
    }
    let form = if input.option("generic").is_some() { Form::Generic } else { Form::Pretty };
    let style = Style { form, with_locations: input.option("locations").is_some() };
    Outcome::output(style.print(&program))
}

/// What goes wrong when the printed text is read again.
fn reads_back(program: &Program, style: Style) -> Result<(), Outcome> {
    let printed = style.print(program);
    let again = super::read_program(&Source::new("printed", printed.as_str())).map_err(|findings| {
        Outcome { output: format!("as {style:?} it does not read back:\n{printed}"), findings }
    })?;
    for form in [Form::Pretty, Form::Generic] {
        let other = Style { form, ..style };
        if other.print(&again) != other.print(program) {
            let output = format!("as {style:?} it reads back as another program:\n{}", other.print(&again));
            return Err(Outcome::output(output));
        }
    }
    Ok(())
}

/// All diagnostics, or `ok`.
pub(crate) fn verify(input: &Input) -> Outcome {
    match super::read_program(&Source::new(input.name.as_str(), input.text.as_str())) {
        Ok(_) => Outcome::output("ok"),
        Err(findings) => Outcome::findings(findings),
    }
}
