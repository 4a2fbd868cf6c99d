//! Programs made from whole programs, before anything is partitioned.
//!
//! [`PASSES`] is what every program goes through, in order: first those that change functions in place, as soon as a
//! program is read ([`read`]), then those that make one function of it ([`flatten`]). Each says where all that it leaves
//! comes from, so that what is known of the text is known of the last program ([`meshwright_ir::origin`]).
//! [`VARIANTS`] are programs that compute the same otherwise, among which a plan chooses. [`normal()`] is the form in
//! which the dependences of a program are looked at, [`mod@recompute`] makes values again that a plan does not keep,
//! [`mod@offload`] puts them on the host meanwhile, [`microbatch`] cuts a step along its [`time`] axis, with
//! [`statistics`] of the whole batch or of its parts, where loops stand in the way after they were [distributed](distribute)
//! or [written out](unroll), and with what layers make of parameters alone made [ahead] of it; [`tiles`] cuts parts of it
//! along theirs.

pub mod ahead;
pub mod attention;
pub mod distribute;
pub mod gspmd;
pub mod inline;
mod made;
pub mod manual_entry;
pub mod microbatch;
mod normal;
pub mod offload;
pub mod order;
mod partial;
mod passes;
mod rearranged;
pub mod recompute;
pub mod rolled;
mod short_forms;
pub mod stacks;
pub mod statistics;
pub mod tiles;
pub mod time;
mod turns;
pub mod unroll;
mod variants;

pub use made::Made;
pub use normal::{Barriers, Guard, Normal, normal};
pub use offload::offload;
pub use passes::{Flat, Level, Pass, Passed, flatten, read};
pub use variants::Variant;

use meshwright_ir::program::Function;

/// All passes in order.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "gspmd-form",
        summary: "shardings in GSPMD's form become those of sdy",
        level: Level::Read,
        run: |program| Ok(Passed::in_place(gspmd::read(program)?)),
    },
    Pass {
        name: "manual-entry",
        summary: "an entry function of one device becomes a manual computation",
        level: Level::Read,
        run: |program| Ok(Passed::in_place(manual_entry::read(program)?)),
    },
    Pass {
        name: "inline",
        summary: "calls, named and manual computations are inlined, and parts put together anew are rearrangements",
        level: Level::Function,
        run: |program| inline::inline_all(program).map(Some),
    },
    Pass {
        name: "short-forms",
        summary: "ops that stand for others are written out",
        level: Level::Function,
        run: |program| Ok(short_forms::write_out(program)),
    },
];

/// All variants; the first is searched first, and of two that are equally good it is taken.
pub const VARIANTS: &[Variant] = &[
    Variant { name: "written", summary: "instructions in the order of the program", of: Function::clone },
    Variant {
        name: "early-updates",
        summary: "each parameter is updated as soon as its gradient is there",
        of: order::early_updates,
    },
];
