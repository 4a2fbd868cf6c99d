//! Blocks that models are made of, each as plain data (what a configuration says of it) and as instructions.

pub mod activation;
pub mod attention;
pub mod causal_convolution;
pub mod linear;
pub mod loss;
pub mod mamba;
pub mod mamba2;
pub mod mla;
pub mod mlp;
pub mod moe;
pub mod norm;
pub mod projections;
pub mod relative;
pub mod rotary;
pub mod router;
