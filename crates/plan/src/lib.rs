//! Decisions as data: what the verbs hand to one another and what is written to files.
//!
//! - [`decisions`] is all that may be decided of a program, with gaps, and [`shardings`] what it is without gaps;
//!   [`policy`], [`tile`], [`partial`] and [`choice`] are parts of them.
//! - Decisions are written in two ways: into a plan ([`plan_file`], its `codec`) and into the program ([`attributes`]).
//!   [`names`] are what a plan calls values and instructions, [`axes`] what both call sub-axes.
//! - [`placement`] is a mesh on a machine; [`degrees`] and [`figures`] are what people compare plans by.
//! - [`device_program`] is the program of one device, [`device_programs`] those of all with their [`schedule`]
//!   ([`schedule_text`] reads one, [`verify_programs`] checks both), [`cross_mesh`] the way of a value between groups; [`bundle`] and [`manifest`] are the compiled folder.
//!
//! This crate decides nothing and prices nothing.

pub mod attributes;
pub mod axes;
pub mod bundle;
pub mod choice;
pub mod cross_mesh;
pub mod decisions;
pub mod degrees;
pub mod device_program;
pub mod device_programs;
pub mod figures;
pub mod fingerprint;
mod json;
pub mod kept;
pub mod manifest;
pub mod names;
pub mod partial;
pub mod placement;
pub mod plan_file;
pub mod policy;
pub mod schedule;
pub mod schedule_text;
pub mod shardings;
pub mod table;
pub mod tile;
pub mod timeline;
pub mod verify_programs;
mod verify_results;
mod verify_validation;

pub use bundle::Bundle;
pub use choice::{Choice, Next};
pub use cross_mesh::CrossMesh;
pub use decisions::Decisions;
pub use degrees::{DegreeName, Degrees};
pub use device_program::{DeviceProgram, Orders};
pub use device_programs::{DeviceGroup, DevicePrograms, Layers, PhaseProgram, Slot, StepPart};
pub use figures::Figures;
pub use fingerprint::fingerprint;
pub use json::Places;
pub use manifest::Manifest;
pub use names::Names;
pub use partial::PartialReads;
pub use placement::Placement;
pub use plan_file::PlanFile;
pub use policy::{Policies, Policy, Use};
pub use schedule::{Action, Event, Phase, ProgramId, Schedule, Transfer};
pub use shardings::Shardings;
pub use table::Table;
pub use tile::Tile;
pub use timeline::Timeline;
