//! Tensors as folders of shards: checkpoints, and inputs and results that are too large for one file.
//!
//! A folder holds `index.json` and one `.npy` file per shard, with a checksum each. Shards do not overlap and cover the
//! tensor (those that `combine` add up). A folder is written under another name and renamed when it is complete. Workers
//! read and write the same form (`python/meshwright_xla/store.py`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use meshwright_ir::ops::binary::Binary;
use meshwright_tensor::types::TensorType;
use meshwright_tensor::{Precision, Tensor};
use serde::{Deserialize, Serialize};

use crate::npz;

/// The version of the form that this program reads and writes.
const VERSION: u32 = 1;

/// The file that says what a folder holds.
pub const INDEX: &str = "index.json";

/// Failure to read or write a folder: one sentence, without a trailing period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong.
    pub message: String,
}

/// Contents of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// Version of the form.
    pub version: u32,
    /// Steps that were done when it was written.
    pub step: u64,
    /// Fingerprint of the program that it belongs to.
    pub program: String,
    /// What is in it, by name: `arg0`, `arg1`, ..., or `out0`, ...
    pub arrays: BTreeMap<String, Stored>,
}

/// One tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// What the program calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Global shape.
    pub shape: Vec<usize>,
    /// Element type, such as `bf16`.
    pub element: String,
    /// `sum` if shards of one place are contributions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combine: Option<String>,
    /// Its parts.
    pub shards: Vec<Part>,
}

/// One shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its file, in the same folder.
    pub file: String,
    /// Where it starts in the tensor.
    pub start: Vec<usize>,
    /// Its size per dim.
    pub shape: Vec<usize>,
    /// CRC-32 of the file.
    pub crc32: u32,
}

/// A complete folder.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// What it holds.
    pub index: Index,
}

impl Folder {
    /// Reads what a folder holds.
    ///
    /// # Errors
    /// There is no index, or it cannot be read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = path.join(INDEX);
        let fail = |message: String| StoreError { path: file.clone(), message };
        let text = fs::read_to_string(&file).map_err(|error| fail(format!("cannot be read: {error}")))?;
        let index: Index =
            serde_json::from_str(&text).map_err(|error| fail(format!("is damaged: {error}")))?;
        if index.version != VERSION {
            return Err(fail(format!("is of version {}, and this program reads {VERSION}", index.version)));
        }
        Ok(Self { path: path.to_owned(), index })
    }

    /// A whole tensor, put together.
    ///
    /// # Errors
    /// It is not there or of another type; a file is missing or damaged; shards do not cover it.
    pub fn read(&self, name: &str, ty: &TensorType) -> Result<Tensor, StoreError> {
        let fail = |message: String| StoreError { path: self.path.clone(), message };
        let stored =
            self.index.arrays.get(name).ok_or_else(|| fail(format!("the folder has no `{name}`")))?;
        if stored.shape != ty.shape || stored.element != ty.element.to_string() {
            return Err(fail(format!(
                "`{name}` is {}{:?} there, where a {ty} is needed",
                stored.element, stored.shape
            )));
        }
        let wrong = |error: meshwright_tensor::eval_error::EvalError| fail(format!("`{name}`: {error}"));
        let mut whole = Tensor::zeros(ty, Precision::Declared).map_err(wrong)?;
        let (mut covered, is_sum) = (0usize, stored.combine.is_some());
        for part in &stored.shards {
            let shard = self.part(part, ty)?;
            let fits =
                part.start.len() == ty.rank()
                    && part.start.iter().zip(&part.shape).zip(&ty.shape).all(|((start, size), whole)| {
                        start.checked_add(*size).is_some_and(|end| end <= *whole)
                    });
            if !fits {
                return Err(fail(format!("`{}` lies outside `{name}`", part.file)));
            }
            covered = covered.saturating_add(shard.num_elements());
            let shard = if is_sum {
                let limit: Vec<usize> =
                    part.start.iter().zip(&part.shape).map(|(start, size)| start + size).collect();
                let before = whole.slice(&part.start, &limit, &vec![1; ty.rank()]).map_err(wrong)?;
                Binary::Add.apply(&before, &shard).map_err(wrong)?
            } else {
                shard
            };
            whole.paste(&part.start, &shard).map_err(wrong)?;
        }
        if !is_sum && covered != ty.num_elements() || is_sum && covered < ty.num_elements() {
            return Err(fail(format!("the shards of `{name}` do not cover it")));
        }
        Ok(whole)
    }

    fn part(&self, part: &Part, ty: &TensorType) -> Result<Tensor, StoreError> {
        let path = self.path.join(&part.file);
        let fail = |message: String| StoreError { path: path.clone(), message };
        let mut bytes = Vec::new();
        let opened = File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes));
        opened.map_err(|error| fail(format!("cannot be read: {error}")))?;
        if crc32fast::hash(&bytes) != part.crc32 {
            return Err(fail(format!("is damaged: its checksum is not the one in `{INDEX}`")));
        }
        let ty = TensorType::new(part.shape.clone(), ty.element);
        npz::read_npy(bytes.as_slice(), &ty).map_err(|error| fail(error.0))
    }
}

/// Refuses to replace what a folder of shards may not replace: a folder that is one, or is empty, and nothing else.
///
/// # Errors
/// The path is a file, or a folder that holds something else.
pub fn may_replace(path: &Path) -> Result<(), StoreError> {
    let fail = |message: String| Err(StoreError { path: path.to_owned(), message });
    let entries = match fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return fail(format!("cannot be replaced by a folder of shards: {error}")),
    };
    if entries.is_empty() {
        return Ok(());
    }
    let Ok(folder) = Folder::open(path) else {
        return fail(format!(
            "holds something else than shards (no readable `{INDEX}`), and is left as it is"
        ));
    };
    let shards = folder.index.arrays.values().flat_map(|stored| &stored.shards);
    let own: BTreeSet<&str> = shards.map(|part| part.file.as_str()).chain([INDEX]).collect();
    let mut foreign: Vec<String> =
        entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    foreign.retain(|name| !own.contains(name.as_str()));
    match foreign.iter().min() {
        Some(name) => fail(format!("holds `{name}` besides its shards, and is left as it is")),
        None => Ok(()),
    }
}

/// Writes whole tensors as a complete folder, one shard each; a folder of shards that has the name is replaced.
///
/// # Errors
/// A file cannot be written, or the name is that of something else; nothing is left then.
pub fn write(
    path: &Path,
    step: u64,
    program: &str,
    tensors: &BTreeMap<String, (Option<String>, Tensor)>,
) -> Result<(), StoreError> {
    let partial = hidden(path, "partial");
    may_replace(path)?;
    let _ = fs::remove_dir_all(&partial);
    let written = fs::create_dir_all(&partial).and_then(|()| fill(&partial, step, program, tensors));
    let renamed = written.and_then(|()| {
        let before = hidden(path, "replaced");
        if path.exists() {
            let _ = fs::remove_dir_all(&before);
            fs::rename(path, &before)?;
        }
        fs::rename(&partial, path)?;
        // What cannot be removed only takes room.
        let _ = fs::remove_dir_all(&before);
        sync(path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")))
    });
    renamed.map_err(|error| {
        let _ = fs::remove_dir_all(&partial);
        StoreError { path: path.to_owned(), message: format!("cannot be written: {error}") }
    })
}

/// A name beside a folder's own, for what is not complete or is replaced.
fn hidden(path: &Path, what: &str) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.{what}"))
}

/// Removes what was written of a folder that did not become complete; nobody may write it any more.
pub fn remove_partial(path: &Path) {
    // What cannot be removed only takes room.
    let _ = fs::remove_dir_all(hidden(path, "partial"));
}

fn fill(
    folder: &Path,
    step: u64,
    program: &str,
    tensors: &BTreeMap<String, (Option<String>, Tensor)>,
) -> io::Result<()> {
    let mut arrays = BTreeMap::new();
    for (key, (name, tensor)) in tensors {
        let mut bytes = Vec::new();
        npz::write_npy(&mut bytes, tensor).map_err(|error| io::Error::other(error.0))?;
        let file = format!("{key}.0.npy");
        durable(&folder.join(&file), &bytes)?;
        let ty = tensor.ty();
        let (start, crc32) = (vec![0; ty.rank()], crc32fast::hash(&bytes));
        let shards = vec![Part { file, start, shape: ty.shape.clone(), crc32 }];
        let element = ty.element.to_string();
        arrays.insert(
            key.clone(),
            Stored { name: name.clone(), shape: ty.shape, element, combine: None, shards },
        );
    }
    let index = Index { version: VERSION, step, program: program.to_owned(), arrays };
    let text = serde_json::to_string_pretty(&index).map_err(io::Error::other)?;
    durable(&folder.join(INDEX), text.as_bytes())?;
    sync(folder)
}

fn durable(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// The folder of the checkpoint after a step.
pub fn checkpoint_folder(folder: &Path, step: u64) -> PathBuf {
    folder.join(format!("step-{step:09}"))
}

/// The complete checkpoints in a folder, oldest first.
pub fn checkpoints(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| step_of(path).is_some() && path.join(INDEX).is_file())
        .collect();
    found.sort_by_key(|path| step_of(path));
    found
}

/// The step of a checkpoint, which its folder's name says.
pub fn step_of(checkpoint: &Path) -> Option<u64> {
    let digits = checkpoint.file_name()?.to_str()?.strip_prefix("step-")?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Removes all checkpoints but those of the last steps, and what earlier runs did not complete.
pub fn prune(folder: &Path, keep: usize) {
    let complete = checkpoints(folder);
    let old = complete.iter().take(complete.len().saturating_sub(keep)).cloned();
    for path in old.chain(leftovers(folder, ".partial")).chain(leftovers(folder, ".replaced")) {
        // What cannot be removed only takes room.
        let _ = fs::remove_dir_all(path);
    }
}

/// Removes checkpoints that were not completed; nobody may write them any more.
pub fn remove_partial_checkpoints(folder: &Path) {
    for path in leftovers(folder, ".partial") {
        let _ = fs::remove_dir_all(path);
    }
}

/// What is no checkpoint, or is none any more, and whose name ends so.
fn leftovers(folder: &Path, ending: &'static str) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = move |entry: &fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with(".step-") && name.ends_with(ending)
    };
    entries.filter(named).map(|entry| entry.path())
}
