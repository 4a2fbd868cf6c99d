//! The index of a checkpoint of several files.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The file of a checkpoint that is one.
pub const SINGLE: &str = "model.safetensors";

/// The index of a checkpoint of several files.
pub const INDEX: &str = "model.safetensors.index.json";

/// The files that an index lists, each once, in order.
///
/// # Errors
/// Text that is no index; a file that would lie elsewhere than beside the index.
pub fn files_of(index: &str) -> Result<Vec<String>, String> {
    let value: Value =
        serde_json::from_str(index).map_err(|error| format!("the index is no JSON: {error}"))?;
    let map = value.get("weight_map").and_then(Value::as_object);
    let map = map.ok_or("the index has no `weight_map`, which says in which file each tensor is")?;
    let mut files = BTreeSet::new();
    for (name, file) in map {
        let Some(file) = file.as_str().filter(|file| !file.is_empty() && !file.contains(['/', '\\'])) else {
            return Err(format!("`weight_map` gives no file of the folder for `{name}`, but {file}"));
        };
        files.insert(file.to_owned());
    }
    if files.is_empty() {
        Err("the index lists no tensor".to_owned())
    } else {
        Ok(files.into_iter().collect())
    }
}

/// An index of tensors, each with its file, which take so many bytes in all.
pub(crate) fn text(files: &[(String, String)], bytes: usize) -> String {
    let map: Map<String, Value> =
        files.iter().map(|(name, file)| (name.clone(), Value::from(file.as_str()))).collect();
    let index = json!({ "metadata": { "total_size": bytes }, "weight_map": map });
    serde_json::to_string_pretty(&index).expect("plain data has a JSON form") + "\n"
}
