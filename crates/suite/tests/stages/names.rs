//! The stage `names`: what the arguments of an annotated program are, and what its plan is called in the field.
//!
//! The first line is the plan's name when nothing is searched, the second its degrees, the third the roles of the
//! arguments in order, with what the dims of data are: `b` of the batch, `s` of a sequence, `-` neither.

use meshwright_analyze::{Role, Roles, recognize};
use meshwright_suite::{Finding, Input, Outcome};

use super::annotated::Annotated;

pub(crate) fn names(input: &Input) -> Outcome {
    match names_of(input) {
        Ok(output) => Outcome::output(output),
        Err(findings) => Outcome::findings(findings),
    }
}

fn names_of(input: &Input) -> Result<String, Vec<Finding>> {
    let annotated = Annotated::read(input)?;
    let shardings = annotated.sharder().everything(&annotated.fixed);
    let Annotated { function, mesh, .. } = &annotated;
    let roles = Roles::new(function);
    let dims = |index: usize| -> String {
        let value = function.args()[index];
        let rank = function.body.ty(value).as_tensor().map_or(0, |tensor| tensor.rank());
        let letter = |dim: usize| match roles.classes.of(value, dim) {
            class if roles.batch.contains(&class) => "b",
            class if roles.sequence.contains(&class) => "s",
            _ => "-",
        };
        (0..rank).map(letter).collect::<Vec<_>>().join(" ")
    };
    let role = |(index, role): (usize, Role)| match role {
        Role::Parameter => "parameter".to_owned(),
        Role::Moment { of } => format!("moment of {of}"),
        Role::Counter => "counter".to_owned(),
        Role::State => "state".to_owned(),
        Role::Data => format!("data [{}]", dims(index)),
    };
    let all: Vec<String> = roles.args.iter().map(|arg| arg.role).enumerate().map(role).collect();
    let recognized = recognize(function, &roles, &shardings);
    let degrees = recognized.degrees(mesh);
    Ok(format!("{}\n{degrees}\n{}\n", recognized.text(), all.join(", ")))
}
