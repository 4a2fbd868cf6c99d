//! Decisions as data: what the verbs hand to one another and what is written to files.

pub mod attributes;
pub mod axes;
pub mod choice;
pub mod decisions;
pub mod degrees;
pub mod device_program;
pub mod figures;
pub mod fingerprint;
mod json;
pub mod manifest;
pub mod names;
pub mod passed_on;
pub mod placement;
pub mod plan_file;
pub mod policy;
pub mod shardings;

pub use choice::{Choice, Next};
pub use decisions::Decisions;
pub use degrees::Degrees;
pub use device_program::{DeviceProgram, Orders};
pub use figures::Figures;
pub use fingerprint::fingerprint;
pub use json::Places;
pub use manifest::Manifest;
pub use names::Names;
pub use passed_on::PassedOn;
pub use placement::Placement;
pub use plan_file::PlanFile;
pub use policy::{Policies, Policy, Use};
pub use shardings::Shardings;
