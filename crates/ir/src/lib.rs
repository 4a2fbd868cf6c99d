//! The program form: StableHLO, its text, its types, its ops, and what the compiler knows of each op.
//!
//! A [`program::Program`] is read from text by [`text::read`], checked by [`verify::verify`] and written by
//! [`text::print`]. Each op is one file under [`ops`]: its text form, type rule, sharding rule, cost, evaluation and
//! local form. [`mesh`], [`sharding`] and [`rule`] are the nouns of sharding.

pub mod arguments;
pub mod attribute;
pub mod build;
pub mod calls;
pub mod composites;
pub mod const_eval;
pub mod control;
pub mod diagnostic;
pub mod eval;
pub mod expand;
pub mod ids;
pub mod kernel_shape;
pub mod kernels;
pub mod local;
pub mod location;
pub mod loops;
pub mod mesh;
pub mod op;
pub mod ops;
pub mod origin;
pub mod program;
pub mod rewrite;
pub mod rule;
pub mod scope;
pub mod sdy;
pub mod sharding;
pub mod text;
pub mod verify;
pub mod vjp;
