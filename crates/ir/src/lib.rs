//! The program form: StableHLO, its text, its types, its ops, and what the compiler knows of each op.

pub mod diagnostic;
pub mod eval_error;
pub mod ids;
pub mod tensor;
pub mod types;
