//! Files that are given as plans though they are others that this program writes.
//!
//! Input: a text that could not be read as a plan. Output: what it is and how a plan comes of it, if it is known.

use super::{PLAN_FILE, has_keys};
use meshwright_ir::diagnostic::{Diagnostic, Span};

/// Such files: keys that they have, what they are, and how a plan comes of them.
const OTHERS: [(&[&str], &str, &str); 2] = [
    (
        &["rows", "unfinished"],
        "a grid of many ways",
        "`meshwright plan MODEL --machine M --as DEGREES --search none -o plan.json` makes the plan of a row, with its \
         microbatches and recomputation (`--microbatches`, `--recompute`)",
    ),
    (
        &["points", "smallest"],
        "a scaling curve",
        "`meshwright plan MODEL --machine M --as DEGREES --search none -o plan.json` makes the plan of a point, on its machine",
    ),
];

/// What a text is that is no plan.
pub(super) fn named(text: &str) -> Option<Diagnostic> {
    let (_, what, hint) = OTHERS.into_iter().find(|(keys, _, _)| has_keys(text, keys))?;
    Some(Diagnostic::error(PLAN_FILE, Span::NONE, format!("this is {what}, not a plan")).hint(hint))
}

#[cfg(test)]
mod tests {
    use crate::PlanFile;

    #[test]
    fn grids_and_curves_are_called_what_they_are() {
        for (text, wanted) in [
            ("{\"unfinished\": false, \"rows\": []}", "this is a grid of many ways, not a plan"),
            ("{\"points\": [], \"smallest\": null}", "this is a scaling curve, not a plan"),
        ] {
            assert_eq!(PlanFile::from_text(text).unwrap_err().message, wanted);
        }
    }
}
