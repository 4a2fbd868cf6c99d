//! Names of tensors as files spell them: a checkpoint of a model without its head leaves out the name of the base
//! (`h.0.attn.c_attn.weight` for `transformer.h.0.attn.c_attn.weight`), one of a model inside of another has a name in front
//! (`model.norm.weight` as `module.model.norm.weight`), and one that was TensorFlow's calls scales and shifts of norms as it does
//! (`LayerNorm.gamma`).
//!
//! Input: names that a program asks for, and those that the files have. Output: [`Spelling`], by which most are found.

use std::collections::{BTreeMap, BTreeSet};

/// Ends of names, and what files that were TensorFlow's have for them.
const OLDER_ENDS: [(&str, &str); 2] =
    [("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")];

/// How files spell the names of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As the program does.
    Same,
    /// Without this first part.
    Without(String),
    /// Behind this part.
    Behind(String),
}

impl Spelling {
    /// The spelling with which most of `wanted` are among the names in files. What both have alike is spelled alike.
    pub(crate) fn of<T>(wanted: &BTreeSet<String>, found: &BTreeMap<String, T>) -> Self {
        let firsts = |names: &mut dyn Iterator<Item = &String>| -> BTreeSet<String> {
            names.filter_map(|name| name.split_once('.')).map(|(first, _)| first.to_owned()).collect()
        };
        let without = firsts(&mut wanted.iter()).into_iter().map(Self::Without);
        let behind = firsts(&mut found.keys()).into_iter().map(Self::Behind);
        let mut best = (Self::Same, wanted.iter().filter(|name| found.contains_key(*name)).count());
        for spelling in without.chain(behind) {
            let count = wanted.iter().filter(|name| found.contains_key(&spelling.spell(name, found))).count();
            if count > best.1 {
                best = (spelling, count);
            }
        }
        best.0
    }

    /// The name in files; the program's own where they do not have this one.
    pub(crate) fn spell<T>(&self, name: &str, found: &BTreeMap<String, T>) -> String {
        let other = match self {
            Self::Same => None,
            Self::Without(first) => {
                name.strip_prefix(first.as_str()).and_then(|rest| rest.strip_prefix('.')).map(str::to_owned)
            }
            Self::Behind(first) => Some(format!("{first}.{name}")),
        };
        let candidates = [other, Some(name.to_owned())].into_iter().flatten();
        let mut spelled = candidates.flat_map(|name| [older(&name), Some(name)]).flatten();
        spelled.find(|spelled| found.contains_key(spelled)).unwrap_or_else(|| name.to_owned())
    }
}

/// The name with an older end, if it has one.
fn older(name: &str) -> Option<String> {
    OLDER_ENDS.iter().find_map(|(own, older)| name.strip_suffix(own).map(|front| format!("{front}{older}")))
}
