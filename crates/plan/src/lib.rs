//! Decisions as data: what the verbs hand to one another and what is written to files.

pub mod device_program;
pub mod placement;
pub mod shardings;

pub use device_program::DeviceProgram;
pub use placement::Placement;
pub use shardings::Shardings;
