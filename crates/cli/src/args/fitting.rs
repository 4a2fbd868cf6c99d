//! Flags of what makes a step fit into the memory besides shardings: microbatches, recomputation, tiles and offload.

use crate::failure::{Failure, Outcome};
use crate::parse::between_commas;
use clap::Args;
use meshwright_compile::{Microbatches, Offload, Options, Recompute, Statistics, Tiles};
use std::str::FromStr;

/// What makes a step fit.
#[derive(Args, Clone, Debug)]
pub(crate) struct Fitting {
    /// Cut the batch of a step into N microbatches, one after the other, and add up what they contribute; or `search` for the number; of several, as a list, `plan` takes the fastest [default: with a search, as few as make it fit, otherwise that of the plan, or 1]
    #[arg(long, value_name = "N|N,N|search", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) microbatches: Vec<Microbatches>,
    /// Examples of a microbatch on one replica: the batch is size x number x replicas; of several, as a list, `plan` takes the fastest; `search` is a search for their number
    #[arg(long, value_name = "N|N,N|search", value_delimiter = ',', value_parser = super::parse::microbatch_size, allow_negative_numbers = true)]
    pub(crate) microbatch_size: Vec<Microbatches>,
    /// Allow microbatches that need so many passes over the batch, 3 at most; those over data alone do not count [default: 2]
    #[arg(long, value_name = "N", value_parser = super::parse::microbatch_passes, allow_negative_numbers = true)]
    pub(crate) microbatch_passes: Option<usize>,
    /// What is put together from the batch and read for each example again, as by batch normalization: `exact`, of the whole batch, in passes over it; or `local`, of each microbatch by itself where it depends on parameters, which changes what the step computes [default: that of the plan, or `exact`]
    #[arg(long, value_name = "exact|local")]
    pub(crate) microbatch_statistics: Option<Statistics>,
    /// Make values of the forward pass again for the backward pass instead of keeping them: `none`, `selective` (all but products with weights), `full` (all but what layers leave to one another), `search`, or the name of a value with `*` for any letters; may be given more than once; of a list, `none,full`, `plan` takes the fastest [default: with a search, as little as makes it fit, otherwise as the program says]
    #[arg(long, value_name = "WHAT|WHAT,WHAT", num_args = 1)]
    pub(crate) recompute: Vec<OneOf>,
    /// Run what takes the memory at the peak (attention scores, logits) in N tiles along a dim, forward and backward, so that it is never there as a whole; `none`, or `search` for as many as make the step fit [default: with a search, `search`, otherwise those of the plan, or none]
    #[arg(long, value_name = "N|search|none", allow_negative_numbers = true)]
    pub(crate) tiles: Option<Tiles>,
    /// Keep values in the memory of the host while nothing reads them: `none`, `moments`, `parameters`, `activations` (what the forward pass keeps), `waiting` (what waits in turns of loops over layers), `search`, or the name of an argument or of a value with `*` for any letters; may be given more than once [default: with a search, as little as makes it fit, otherwise as the program says]
    #[arg(long, value_name = "WHAT", num_args = 1)]
    pub(crate) offload: Vec<Offload>,
}

/// What is made again: one of several that are listed, or the only one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OneOf(pub(crate) Vec<Recompute>);

impl FromStr for OneOf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let listed: Vec<Recompute> =
            between_commas(text).into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let is_name = |asked: &Recompute| matches!(asked, Recompute::Values(_));
        // Names of values add up, and are no ways to choose from.
        match listed.len() > 1 && listed.iter().any(is_name) {
            true => Err(format!("`{text}` lists names of values: give each with a `--recompute` of its own")),
            false => Ok(Self(listed)),
        }
    }
}

impl Fitting {
    /// The number of microbatches, the first of several. Where their size is searched, so is their number.
    pub(crate) fn num_microbatches(&self) -> Option<Microbatches> {
        let is_open = self.microbatch_size.contains(&Microbatches::Search);
        self.microbatches.first().copied().or(is_open.then_some(Microbatches::Search))
    }

    /// The size of microbatches, the first of several; none where it follows from their number.
    pub(crate) fn size_of_microbatches(&self) -> Option<usize> {
        match self.microbatch_size.first()? {
            Microbatches::Number(size) => Some(*size),
            Microbatches::Search => None,
        }
    }

    /// Whether anything is said of the microbatches of a step.
    pub(crate) fn says_microbatches(&self) -> bool {
        !self.microbatches.is_empty() || !self.microbatch_size.is_empty()
    }

    /// Whether statistics of each microbatch by itself are asked for.
    pub(crate) fn has_local_statistics(&self) -> bool {
        self.microbatch_statistics == Some(Statistics::Local)
    }

    /// All that is said of what is made again, the first of several ways.
    pub(crate) fn made_again(&self) -> impl Iterator<Item = &Recompute> {
        self.recompute.iter().filter_map(|one| one.0.first())
    }

    /// Errors: a flag lists several values, which are for `plan` to choose from ([`crate::listed`]), or two say the number of
    /// microbatches.
    fn must_say_one(&self) -> Outcome<()> {
        let number = self.microbatches.iter().find_map(|asked| match asked {
            Microbatches::Number(number) => Some(number),
            Microbatches::Search => None,
        });
        if let (Some(number), true) = (number, self.microbatch_size.contains(&Microbatches::Search)) {
            return Err(Failure::usage(format!(
                "`--microbatch-size search` is a search for the number of microbatches, which `--microbatches {number}` \
                 says: leave out one of them"
            )));
        }
        let several = [
            ("--microbatches", self.microbatches.len() > 1),
            ("--microbatch-size", self.microbatch_size.len() > 1),
            ("--recompute", self.recompute.iter().any(|one| one.0.len() > 1)),
        ];
        match several.into_iter().find(|(_, is_so)| *is_so) {
            Some((flag, _)) => Err(Failure::usage(format!(
                "several values are for `plan` to choose from: give one with `{flag}`"
            ))),
            None => Ok(()),
        }
    }

    /// Options with what these flags say.
    pub(crate) fn in_options(&self, options: Options) -> Outcome<Options> {
        self.must_say_one()?;
        let again: Vec<Recompute> = self.made_again().cloned().collect();
        Ok(Options {
            microbatches: self.num_microbatches(),
            microbatch_size: self.size_of_microbatches(),
            microbatch_passes: self.microbatch_passes,
            microbatch_statistics: self.microbatch_statistics,
            recompute: Recompute::all(&again).map_err(Failure::usage)?,
            tiles: self.tiles,
            offload: Offload::all(&self.offload).map_err(Failure::usage)?,
            ..options
        })
    }
}
