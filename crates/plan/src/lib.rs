//! Decisions as data: what the verbs hand to one another and what is written to files.

pub mod axes;
pub mod bundle;
pub mod choice;
pub mod degrees;
pub mod device_program;
pub mod device_programs;
pub mod figures;
pub mod fingerprint;
mod json;
mod json_path;
pub mod manifest;
pub mod passed_on;
pub mod placement;
pub mod plan_file;
pub mod schedule;
pub mod schedule_text;
pub mod seeds;
pub mod shardings;
pub mod verify_programs;

pub use bundle::Bundle;
pub use choice::{Choice, Next};
pub use degrees::Degrees;
pub use device_program::{DeviceProgram, Orders};
pub use device_programs::{DeviceGroup, DevicePrograms, PhaseProgram, Slot};
pub use figures::Figures;
pub use fingerprint::fingerprint;
pub use manifest::Manifest;
pub use passed_on::PassedOn;
pub use placement::Placement;
pub use plan_file::PlanFile;
pub use schedule::{Action, Event, Phase, ProgramId, Schedule, Transfer};
pub use seeds::Seeds;
pub use shardings::Shardings;
