//! Decisions as attributes of a program: one of their two codecs (the other is the plan file).
//!
//! Input and output: a program whose entry function has all calls inlined, and [`crate::Decisions`]. What `sdy` has a
//! form for is written in that form, so that other tools can read it; the rest is `meshwright.*`:
//!
//! | attribute | on | holds |
//! | --- | --- | --- |
//! | `sdy.sharding` | arguments, results, instructions | shardings |
//! | `meshwright.undecided` | instructions | results of which `sdy.sharding` says nothing, by position |
//! | `meshwright.arguments` | loops | shardings of arguments of their regions, by position |
//! | `meshwright.strategy` | instructions | the axes of each factor of the sharding rule |
//! | `meshwright.policies` | instructions | for each memory policy the operands that it is for, by position |
//! | `meshwright.tiles` | the function | regions that run in tiles |
//! | `meshwright.stage` | instructions | the stage of a pipeline that it is in, if not the first |
//! | `meshwright.schedule` | the function | the rows of the schedule |
//!
//! What [`write()`] wrote, [`read()`] gives back.

mod policies;
mod read;
mod stages;
mod strategy;
mod tiles;
mod write;

pub use read::{ANNOTATION, Annotation, MESHES, Place, annotated_mesh, annotations, read};
pub use strategy::{strategy, strategy_names};
pub use write::{with_mesh, write};

/// Attribute of an instruction with its strategy.
pub const STRATEGY: &str = "meshwright.strategy";

/// Attribute of an instruction with the policies of its operands.
pub const POLICIES: &str = "meshwright.policies";

/// Attribute of an instruction with the results of which its `sdy.sharding` says nothing.
pub const UNDECIDED: &str = "meshwright.undecided";

/// Attribute of an instruction with shardings of arguments of its regions.
pub const ARGUMENTS: &str = "meshwright.arguments";

/// Attribute of a function with its regions in tiles.
pub const TILES: &str = "meshwright.tiles";

/// Attribute of an instruction with its stage.
pub const STAGE: &str = "meshwright.stage";

/// Attribute of a function with the rows of its schedule.
pub const SCHEDULE: &str = "meshwright.schedule";

/// Returns whether an attribute of this name says what is decided, which a local program has no use for.
pub fn says_decisions(name: &str) -> bool {
    ["sdy.sharding", STRATEGY, POLICIES, UNDECIDED, ARGUMENTS, TILES, STAGE, SCHEDULE].contains(&name)
}
