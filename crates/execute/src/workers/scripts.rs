//! The workers' program: the Python package `meshwright_xla`, carried in the binary so that nothing need be installed
//! but JAX. Output: a folder that holds it, for as long as the run lasts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The package's name.
pub(super) const PACKAGE: &str = "meshwright_xla";

macro_rules! files {
    ($($name:literal),*) => { [$(($name, include_str!(concat!("../../../../python/meshwright_xla/", $name)))),*] };
}

const FILES: [(&str, &str); 18] = files![
    "__init__.py",
    "__main__.py",
    "ahead.py",
    "manual.py",
    "measure.py",
    "memories.py",
    "messages.py",
    "pipeline.py",
    "same_job.py",
    "shards.py",
    "state.py",
    "stop.py",
    "store.py",
    "transfers.py",
    "way_texts.py",
    "whole.py",
    "worker.py",
    "xla_client.py"
];

/// A folder that goes when this does.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder in the system's place for such, of a name that is not taken.
    pub(super) fn new(parent: &Path) -> io::Result<Self> {
        for number in 0..10_000 {
            let path = parent.join(format!("meshwright-run-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "no name for a folder is free"))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes the package into it.
    pub(super) fn unpack(&self) -> io::Result<()> {
        let package = self.0.join(PACKAGE);
        fs::create_dir(&package)?;
        FILES.iter().try_for_each(|(name, text)| fs::write(package.join(name), text))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left is in the system's place for what may be lost.
        let _ = fs::remove_dir_all(&self.0);
    }
}
