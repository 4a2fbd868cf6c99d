//! Tests of models against published figures and losses, in one program: a module for each topic.

mod figures;
mod gradients;
mod hidden;
mod losses;
mod refusals;
mod released;
mod variants;
