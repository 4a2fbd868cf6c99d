//! Settings of two job files of one target that differ: what to change in the one to have the other.
//!
//! Input: the name of a file that a reader knows, its text, and that of the file to be had. Output: [`Setting`]s by their
//! names in the target, in order, with the old and the new value. Only such settings are compared as say how a step runs:
//! degrees, stages, batches, what is made again.

use super::{reader, yaml};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A setting to be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name in the target's file.
    pub name: String,
    /// What the file says; nothing where it is not there.
    pub old: Option<String>,
    /// What it should say; nothing where it should not be there.
    pub new: Option<String>,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, old, new } = self;
        let value = |value: &str| if value.is_empty() { String::new() } else { format!(" {value}") };
        match (old, new) {
            (Some(old), Some(new)) => write!(f, "`{name}`{} -> {new}", value(old)),
            (Some(_), None) => write!(f, "leave out `{name}`"),
            (None, Some(new)) => write!(f, "add `{name}{}`", value(new)),
            (None, None) => write!(f, "`{name}`"),
        }
    }
}

/// Settings in which a file differs from another one of its kind, in the order of their names.
pub fn changes(name: &str, own: &str, other: &str) -> Vec<Setting> {
    let Some(reader) = reader(name, own) else { return Vec::new() };
    let (own, other) = ((reader.settings)(own), (reader.settings)(other));
    let names: BTreeSet<&String> = own.keys().chain(other.keys()).collect();
    let setting = |name: &String| {
        let (old, new) = (own.get(name).cloned(), other.get(name).cloned());
        let stays = new.is_none() && reader.may_stay.contains(&name.as_str());
        (old != new && !stays).then(|| Setting { name: name.clone(), old, new })
    };
    names.into_iter().filter_map(setting).collect()
}

/// The settings of a text in JSON that are wanted.
pub(super) fn of_json(text: &str, wanted: &[&str]) -> BTreeMap<String, String> {
    of_tree(&serde_json::from_str(text).unwrap_or_default(), wanted)
}

/// The settings of a text in YAML that are wanted.
pub(super) fn of_yaml(text: &str, wanted: &[&str]) -> BTreeMap<String, String> {
    of_tree(&yaml::parse(text).unwrap_or_default(), wanted)
}

/// The settings of a tree that are wanted, each by its path, such as `tokens.sequence_length`; or by what its path begins
/// with, such as `parallelism.*`.
fn of_tree(tree: &Value, wanted: &[&str]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open: Vec<(String, &Value)> = vec![(String::new(), tree)];
    while let Some((path, value)) = open.pop() {
        if let Value::Object(object) = value {
            let dot = if path.is_empty() { "" } else { "." };
            open.extend(object.iter().map(|(key, value)| (format!("{path}{dot}{key}"), value)));
            continue;
        }
        let is_wanted = wanted.iter().any(|wanted| match wanted.strip_suffix('*') {
            Some(start) => path.starts_with(start),
            None => path == *wanted,
        });
        if is_wanted {
            found.insert(path, value.to_string());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, own: &str, other: &str) -> Vec<String> {
        changes(name, own, other).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn settings_that_differ_are_named_as_the_target_does() {
        let own =
            "torchrun pretrain_gpt.py --tensor-model-parallel-size 2 --micro-batch-size 1 --bf16 --lr 0.1";
        let other = "torchrun pretrain_gpt.py --tensor-model-parallel-size=4 --micro-batch-size 1 --sequence-parallel --lr 0.2";
        let found = said("launch.sh", own, other);
        assert_eq!(found, ["add `--sequence-parallel`", "`--tensor-model-parallel-size` 2 -> 4"]);
        // What Megatron-FSDP wants beside itself is part of the change.
        let fsdp =
            "torchrun pretrain_gpt.py --use-megatron-fsdp --ckpt-format fsdp_dtensor --overlap-grad-reduce";
        let plain = "torchrun pretrain_gpt.py --ckpt-format torch_dist";
        let found = said("launch.sh", plain, fsdp);
        let more =
            ["add `--ckpt-format fsdp_dtensor`", "add `--overlap-grad-reduce`", "add `--use-megatron-fsdp`"];
        assert_eq!(found, more);
        let found = said("launch.sh", fsdp, plain);
        assert_eq!(found, ["leave out `--ckpt-format`", "leave out `--use-megatron-fsdp`"]);
        let own = "[parallelism]\ntensor_parallel_degree = 2\n[training]\nsteps = 3\n";
        let found = said("job.toml", own, "[parallelism]\n[training]\nsteps = 4\n");
        assert_eq!(found, ["leave out `parallelism.tensor_parallel_degree`"]);
        let found = said(
            "ds.json",
            r#"{"zero_optimization": {"stage": 1}}"#,
            r#"{"zero_optimization": {"stage": 3}}"#,
        );
        assert_eq!(found, ["`zero_optimization.stage` 1 -> 3"]);
    }
}
