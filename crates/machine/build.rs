//! Lists `machines/*.toml`, so that a new machine is one new file and no other line.
//!
//! Output: `$OUT_DIR/machine_files.rs`, one array expression of `(file name, text)` in name order.

// Cargo tells a build script where things are through the environment.
#![allow(clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("machines");
    println!("cargo::rerun-if-changed={}", folder.display());

    let mut paths: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();

    let mut code = String::from("&[\n");
    for path in &paths {
        let name = path.file_name().expect("a file has a name").to_string_lossy();
        code.push_str(&format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string()));
    }
    code.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("machine_files.rs");
    fs::write(out, code)
}
