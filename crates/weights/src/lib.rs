//! Checkpoints as `save_pretrained` writes them: safetensors, in one file or several with an index, to and from the
//! parameters of a program by their names.
//!
//! Input: the names and types of parameters ([`Wanted`]), and files ([`File`]). Output: their tensors ([`read()`]), or what is
//! missing, left over or of another shape; and from tensors the files of a checkpoint ([`write()`]), which `from_pretrained`
//! loads. A parameter that is a stack says so in braces and is put together from the tensors that it names ([`names`]).
//!
//! This crate opens no file: the doors hand it readers.

mod index;
mod read;
mod rows;
pub mod safetensors;
mod spelling;
mod write;

pub use meshwright_tensor::names;

pub use index::{INDEX, SINGLE, files_of};
pub use read::{File, Wanted, read};
pub use write::{Written, write};
