//! What makes a step fit into the memory besides shardings, as Python says it.
//!
//! Input: words by name, as `python/meshwright/fitting.py` gives them. Output: options with what they say.

use meshwright_compile::{MOST_PASSES, Microbatches, Offload, Options, Recompute};
use std::collections::BTreeMap;
use std::str::FromStr;

/// Words by name.
pub(crate) type Said = BTreeMap<String, Vec<String>>;

/// The word for a number that is looked for.
pub(crate) const SEARCH: &str = "search";

/// Options with what was said.
///
/// Errors: words that say nothing, in words.
pub(crate) fn in_options(said: &Said, options: Options) -> Result<Options, String> {
    // A search for the size of microbatches is one for their number.
    let is_open = said.get("microbatch_size").is_some_and(|words| *words == [SEARCH]);
    let microbatches: Option<Microbatches> = one(said, "microbatches")?;
    Ok(Options {
        microbatches: microbatches.or(is_open.then_some(Microbatches::Search)),
        microbatch_size: if is_open { None } else { count(said, "microbatch_size")? },
        microbatch_passes: passes(said)?,
        microbatch_statistics: one(said, "microbatch_statistics")?,
        recompute: Recompute::all(&each(said, "recompute")?)?,
        tiles: one(said, "tiles")?,
        offload: Offload::all(&each(said, "offload")?)?,
        ..options
    })
}

/// All that is said under a name.
fn each<T: FromStr<Err = String>>(said: &Said, name: &str) -> Result<Vec<T>, String> {
    said.get(name).into_iter().flatten().map(|word| word.parse()).collect()
}

/// The one thing that is said under a name, if any is.
fn one<T: FromStr<Err = String>>(said: &Said, name: &str) -> Result<Option<T>, String> {
    let mut found = each(said, name)?;
    match found.len() {
        0 | 1 => Ok(found.pop()),
        several => Err(format!("`{name}` is one thing, but {several} are given")),
    }
}

/// A number of at least 1.
fn count(said: &Said, name: &str) -> Result<Option<usize>, String> {
    let Some(Word(word)) = one(said, name)? else { return Ok(None) };
    match word.parse() {
        Ok(0) | Err(_) => Err(format!("`{name}` is `{word}`; write a number of at least 1")),
        Ok(count) => Ok(Some(count)),
    }
}

/// Passes over the batch, no more than can be allowed.
fn passes(said: &Said) -> Result<Option<usize>, String> {
    match count(said, "microbatch_passes")? {
        Some(passes) if passes > MOST_PASSES => Err(format!(
            "`microbatch_passes` is {passes}, and at most {MOST_PASSES} can be allowed; what needs more can be taken of each \
             microbatch by itself, which changes the step: `microbatch_statistics=\"local\"`"
        )),
        passes => Ok(passes),
    }
}

/// A word as it is.
struct Word(String);

impl FromStr for Word {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}
