//! Functions of numbers that the standard library lacks, or does not compute to the last place: those of complex
//! numbers, and the arithmetic of twice the precision that they need for `f64`.

pub(crate) mod complex_functions;
mod double_double;
pub mod special;
mod work;

pub use self::double_double::Dd;
pub use self::work::Work;
