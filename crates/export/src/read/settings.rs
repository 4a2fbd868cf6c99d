//! Settings of two job files of one target that differ: what to change in the one to have the other.
//!
//! Input: the name of a file that a reader knows, its text, and that of the file to be had. Output: [`Setting`]s by their
//! names in the target, in order, with the old and the new value. Only such settings are compared as say how a step runs:
//! degrees, stages, batches, what is made again. What both files mean alike is no change, in whichever words they say it.

use super::{Around, Found, read, reader, yaml};
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

impl Setting {
    /// Verb of what is to be done with it: change, add or leave out.
    pub fn verb(&self) -> &'static str {
        match (&self.old, &self.new) {
            (Some(_), Some(_)) | (None, None) => "change",
            (None, Some(_)) => "add",
            (Some(_), None) => "leave out",
        }
    }

    /// Object of that verb, as its file writes it.
    pub fn object(&self) -> String {
        let Self { name, old, new } = self;
        let value = |value: &str| if value.is_empty() { String::new() } else { format!(" {value}") };
        match (old, new) {
            (Some(old), Some(new)) => format!("`{name}`{} -> {new}", value(old)),
            (None, Some(new)) => format!("`{name}{}`", value(new)),
            (Some(_), None) | (None, None) => format!("`{name}`"),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verb() {
            "change" => f.write_str(&self.object()),
            verb => write!(f, "{verb} {}", self.object()),
        }
    }
}

/// Parts of names of settings, and whether what they say is the same in two jobs. Of several, the first counts.
type Same = (&'static [&'static str], fn(&Found, &Found) -> bool);

const SAME: &[Same] = &[
    (&["recompute", "activation_checkpoint", "remat"], |own, other| own.recompute == other.recompute),
    (&["batch", "accumulation"], |own, other| {
        let of = |found: &Found| (found.global_batch, found.microbatch_size, found.microbatches);
        of(own) == of(other)
    }),
    (&["precision", "dtype"], |own, other| {
        let of = |found: &Found| (found.precision, found.has_fp8);
        of(own) == of(other)
    }),
    (&["stage_less", "layers", "layout", "schedule", "engine", "virtual", "module_fqns"], |own, other| {
        let of = |found: &Found| (found.degrees.pp, found.degrees.vp, found.stages.clone(), found.schedule);
        of(own) == of(other)
    }),
    (&["parallel", "shard", "zero", "fsdp", "distributed", "reduce", "ckpt"], |own, other| {
        own.degrees == other.degrees
    }),
    (&["seq", "length"], |own, other| own.length() == other.length()),
];

/// Settings in which a file differs from another one of its kind, in the order of their names.
pub fn changes(name: &str, own: &str, other: &str, around: Around) -> Vec<Setting> {
    let Some(reader) = reader(name, own) else { return Vec::new() };
    let jobs = read(name, own, around).ok().zip(read(name, other, around).ok());
    let is_same = |name: &str| {
        let named = |(parts, _): &&Same| parts.iter().any(|part| name.contains(part));
        let same = SAME.iter().find(named).map(|(_, same)| same);
        same.zip(jobs.as_ref()).is_some_and(|(same, (own, other))| same(own, other))
    };
    let (own, other) = ((reader.settings)(own), (reader.settings)(other));
    let names: BTreeSet<&String> = own.keys().chain(other.keys()).collect();
    let setting = |name: &String| {
        let (old, new) = (own.get(name).cloned(), other.get(name).cloned());
        let stays = new.is_none() && reader.may_stay.contains(&name.as_str());
        let is_change = !means_same(name, old.as_deref(), new.as_deref()) && !stays && !is_same(name);
        is_change.then(|| Setting { name: name.clone(), old, new })
    };
    names.into_iter().filter_map(setting).collect()
}

/// Returns whether two values of a setting are one: a number in other letters, or a degree of 1 that is not written.
fn means_same(name: &str, old: Option<&str>, new: Option<&str>) -> bool {
    let number = |value: Option<&str>| value.and_then(|value| value.parse::<f64>().ok());
    let is_degree = name.contains("parallel") && !name.contains("shard") && !name.contains("fsdp");
    match (old, new) {
        (Some(one), None) | (None, Some(one)) => is_degree && one == "1",
        (old, new) => old == new || number(old).is_some_and(|own| Some(own) == number(new)),
    }
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
        changes(name, own, other, Around::devices(8)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn settings_that_mean_the_same_are_no_change() {
        let titan = "[parallelism]\ndata_parallel_shard_degree = -1\n[training]\nlocal_batch_size = 2\n";
        let other = "[parallelism]\ndata_parallel_shard_degree = 8\ntensor_parallel_degree = 1\n[training]\n\
                     local_batch_size = 2\nglobal_batch_size = 16\n[activation_checkpoint]\nmode = \"selective\"\n";
        assert!(said("job.toml", titan, other).is_empty());
        let full = other.replace("selective", "full");
        assert_eq!(said("job.toml", titan, &full), ["add `activation_checkpoint.mode \"full\"`"]);
        let deepspeed = r#"{"train_micro_batch_size_per_gpu": 2, "zero_optimization": {"stage": 1}}"#;
        let other = r#"{"train_batch_size": 16, "gradient_accumulation_steps": 1, "zero_optimization": {"stage": 1.0}}"#;
        assert!(said("ds.json", deepspeed, &other.replace("1.0", "1")).is_empty());
        let script = "torchrun pretrain_gpt.py --num-layers 4 --recompute-activations";
        let other = "torchrun pretrain_gpt.py --num-layers 4 --recompute-granularity selective --context-parallel-size 1";
        assert!(said("job.sh", script, other).is_empty());
        let maxtext = "ici_fsdp_parallelism: -1\nici_tensor_parallelism: 2\n";
        let other = "ici_fsdp_parallelism: 2\nici_tensor_parallelism: 4\nici_data_parallelism: 1\n";
        assert_eq!(
            said("m.yml", maxtext, other),
            ["`ici_fsdp_parallelism` -1 -> 2", "`ici_tensor_parallelism` 2 -> 4"]
        );
    }

    #[test]
    fn settings_that_differ_are_named_as_the_target_does() {
        let own =
            "torchrun pretrain_gpt.py --tensor-model-parallel-size 2 --micro-batch-size 1 --bf16 --lr 0.1";
        let other = "torchrun pretrain_gpt.py --tensor-model-parallel-size=4 --micro-batch-size 1 --sequence-parallel --lr 0.2";
        let found = said("launch.sh", own, other);
        assert_eq!(found, ["add `--sequence-parallel`", "`--tensor-model-parallel-size` 2 -> 4"]);
        // What Megatron-FSDP wants beside itself is part of the change.
        let fsdp = "torchrun pretrain_gpt.py --use-megatron-fsdp --data-parallel-sharding-strategy optim_grads --ckpt-format fsdp_dtensor --overlap-grad-reduce";
        let plain = "torchrun pretrain_gpt.py --ckpt-format torch_dist";
        let found = said("launch.sh", plain, fsdp);
        let more = [
            "add `--ckpt-format fsdp_dtensor`",
            "add `--data-parallel-sharding-strategy optim_grads`",
            "add `--overlap-grad-reduce`",
            "add `--use-megatron-fsdp`",
        ];
        assert_eq!(found, more);
        let found = said("launch.sh", fsdp, plain);
        assert_eq!(
            found,
            [
                "leave out `--ckpt-format`",
                "leave out `--data-parallel-sharding-strategy`",
                "leave out `--use-megatron-fsdp`",
            ]
        );
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
