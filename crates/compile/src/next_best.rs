//! What was decided of the arguments, in words: a sentence for each group that decides together.
//!
//! Example: `12 arguments such as layers.0.w1 (64x256): [{}, {"model"}]; the next best, [{"data"}, {"model"}], takes 12 us
//! more`.

use crate::report::first_name;
use meshwright_analyze::names;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Choice, Next};

/// So many groups are told of, those of most bytes.
const MOST: usize = 12;

/// A sentence for each group, in the order of the program.
pub(crate) fn sentences(function: &Function, choices: &[Choice], mesh: &Mesh) -> Vec<String> {
    let bytes = |choice: &Choice| -> usize {
        choice.values.iter().map(|value| function.body.ty(*value).num_bytes()).sum()
    };
    let mut largest: Vec<usize> = (0..choices.len()).collect();
    largest.sort_by_key(|index| std::cmp::Reverse(bytes(&choices[*index])));
    largest.truncate(MOST);
    largest.sort_unstable();
    let names = names::of_arguments(function);
    let mut sentences: Vec<String> =
        largest.iter().map(|index| sentence(function, &names, &choices[*index], mesh)).collect();
    if choices.len() > MOST {
        sentences.push(format!("and {} groups of smaller arguments", choices.len() - MOST));
    }
    sentences
}

fn sentence(function: &Function, names: &[Option<String>], choice: &Choice, mesh: &Mesh) -> String {
    let kept = written(&choice.kept, mesh);
    let next = match &choice.next {
        None => "there is no other way".to_owned(),
        Some(Next { sharding, seconds, bytes }) => {
            let (other, size) = (written(sharding, mesh), Bytes(bytes.unsigned_abs()));
            let memory = match bytes.signum() {
                1 => format!(" and {size} more"),
                -1 => format!(" and {size} less"),
                _ => String::new(),
            };
            if *seconds < 0.0 {
                format!("{other} would save {}, but takes {size} more", Seconds(-seconds))
            } else {
                format!("the next best, {other}, takes {} more{memory}", Seconds(*seconds))
            }
        }
    };
    format!("{}: {kept}; {next}", group(function, names, choice))
}

/// `layers.0.w1 and 11 others (64x256)`.
fn group(function: &Function, names: &[Option<String>], choice: &Choice) -> String {
    let shape = function.body.ty(choice.values[0]);
    let first = first_name(function, names, choice.values[0]);
    match choice.values.len() - 1 {
        0 => format!("{first} ({shape})"),
        1 => format!("{first} and 1 other ({shape})"),
        others => format!("{first} and {others} others ({shape})"),
    }
}

/// A sharding as Shardy writes dims: `[{"data"}, {}]`.
pub(crate) fn written(sharding: &Sharding, mesh: &Mesh) -> String {
    let dim = |axes: Vec<String>| {
        let axes: Vec<String> = axes.iter().map(|axis| format!("\"{axis}\"")).collect();
        format!("{{{}}}", axes.join(", "))
    };
    let dims: Vec<String> = sharding.dim_axes().map(|axes| dim(mesh.describe(axes))).collect();
    format!("[{}]", dims.join(", "))
}
