//! Decisions as data: what the verbs hand to one another and what is written to files.

pub mod axes;
pub mod device_program;
pub mod fingerprint;
mod json;
pub mod manifest;
pub mod names;
pub mod placement;
pub mod plan_file;
pub mod shardings;

pub use device_program::DeviceProgram;
pub use fingerprint::fingerprint;
pub use manifest::Manifest;
pub use placement::Placement;
pub use plan_file::PlanFile;
pub use shardings::Shardings;
