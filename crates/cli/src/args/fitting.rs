//! Flags of what makes a step fit into the memory besides shardings: microbatches, recomputation, tiles and offload.

use crate::failure::{Failure, Outcome};
use clap::Args;
use meshwright_compile::{Microbatches, Offload, Options, Recompute, Statistics, Tiles};

/// What makes a step fit.
#[derive(Args, Clone, Debug)]
pub(crate) struct Fitting {
    /// Cut the batch of a step into N microbatches, one after the other, and add up what they contribute; or `search` for the number [default: with a search, as few as make it fit, otherwise that of the plan, or 1]
    #[arg(long, value_name = "N|search", allow_negative_numbers = true)]
    pub(crate) microbatches: Option<Microbatches>,
    /// Examples of a microbatch on one replica: the batch is size x number x replicas
    #[arg(long, value_name = "N", value_parser = super::parse::count, allow_negative_numbers = true)]
    pub(crate) microbatch_size: Option<usize>,
    /// Allow microbatches that need so many passes over the batch [default: 2]
    #[arg(long, value_name = "N", value_parser = super::parse::count, allow_negative_numbers = true)]
    pub(crate) microbatch_passes: Option<usize>,
    /// What is put together from the batch and read for each example again, as by batch normalization: `exact`, of the whole batch, in passes over it; or `local`, of each microbatch by itself where it depends on parameters, which changes what the step computes [default: that of the plan, or `exact`]
    #[arg(long, value_name = "exact|local")]
    pub(crate) microbatch_statistics: Option<Statistics>,
    /// Make values of the forward pass again for the backward pass instead of keeping them: `none`, `selective` (all but products with weights), `full` (all but what layers leave to one another), `search`, or the name of a value with `*` for any letters; may be given more than once [default: with a search, as little as makes it fit, otherwise as the program says]
    #[arg(long, value_name = "WHAT", num_args = 1)]
    pub(crate) recompute: Vec<Recompute>,
    /// Run what takes the memory at the peak (attention scores, logits) in N tiles along a dim, forward and backward, so that it is never there as a whole; `none`, or `search` for as many as make the step fit [default: with a search, `search`, otherwise those of the plan, or none]
    #[arg(long, value_name = "N|search|none", allow_negative_numbers = true)]
    pub(crate) tiles: Option<Tiles>,
    /// Keep values in the memory of the host while nothing reads them: `none`, `moments`, `parameters`, `activations` (what the forward pass keeps), `search`, or the name of an argument or of a value with `*` for any letters; may be given more than once [default: with a search, as little as makes it fit, otherwise as the program says]
    #[arg(long, value_name = "WHAT", num_args = 1)]
    pub(crate) offload: Vec<Offload>,
}

impl Fitting {
    /// Options with what these flags say.
    pub(crate) fn in_options(&self, options: Options) -> Outcome<Options> {
        Ok(Options {
            microbatches: self.microbatches,
            microbatch_size: self.microbatch_size,
            microbatch_passes: self.microbatch_passes,
            microbatch_statistics: self.microbatch_statistics,
            recompute: Recompute::all(&self.recompute).map_err(Failure::usage)?,
            tiles: self.tiles,
            offload: Offload::all(&self.offload).map_err(Failure::usage)?,
            ..options
        })
    }
}
