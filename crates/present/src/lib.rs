//! What people read, as text: diagnostics with their source lines, plans, programs that do not fit, explanations, timelines.
//!
//! Input: plain data of the compiler; output: text (or JSON), the same for the command and for Python. Nothing is
//! printed here.

pub mod diagnostics;
pub mod does_not_fit;
pub mod drawn;
pub mod explanation;
pub mod fates;
pub mod figures;
pub mod frontier;
pub mod grid;
pub mod keywords;
pub mod plan_table;
pub mod plural;
pub mod process_groups;
pub mod scaling;
pub mod table;
pub mod timeline;
pub mod wrap;

/// `8x4`; a value without dims is `scalar`.
pub fn shape(sizes: &[usize]) -> String {
    match sizes {
        [] => "scalar".to_owned(),
        _ => sizes.iter().map(usize::to_string).collect::<Vec<_>>().join("x"),
    }
}
