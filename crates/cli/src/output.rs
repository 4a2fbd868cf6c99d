//! What commands write. A file or folder appears whole or not at all: it is written under another name beside its
//! place and then renamed, so that an error leaves nothing half written. A link is followed, and what is neither file
//! nor folder (a pipe, `/dev/null`) is written to, never replaced.

use crate::args::Output;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes to stdout. A reader that went away is no error.
pub(crate) fn print(text: &str) -> Outcome {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => Err(Failure::file(
            Path::new("stdout"),
            format!("cannot be written: {error}"),
            "is the disk full?",
        )),
    }
}

/// A result as JSON for stdout.
pub(crate) fn json(result: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(result).expect("plain data has a JSON form");
    text.push('\n');
    text
}

/// Writes a program's text. As JSON, stdout says where it is, or holds the text if it goes there.
pub(crate) fn program(path: &Path, text: &str, out: Output) -> Outcome {
    if !out.json {
        return write(path, text.as_bytes());
    }
    if path == Path::new("-") {
        return print(&json(&serde_json::json!({ "program": text })));
    }
    write(path, text.as_bytes())?;
    print(&json(&serde_json::json!({ "output": path.display().to_string() })))
}

/// Writes a file as a whole; `-` is stdout.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Outcome {
    if path == Path::new("-") {
        return print(&String::from_utf8_lossy(bytes));
    }
    if path.is_dir() {
        return Err(Failure::file(path, "this is a folder", "give the path of the file to write"));
    }
    let place = behind_links(path);
    let before = fs::metadata(&place).ok();
    if before.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        let stream = fs::OpenOptions::new().write(true).open(&place);
        return stream
            .and_then(|mut stream| stream.write_all(bytes))
            .map_err(|error| unwritable(path, &error));
    }
    let mut has_written = interrupt::writing();
    let partial = beside(&place)?;
    // Who may read the file stays as it was.
    let keep = || before.map_or(Ok(()), |metadata| fs::set_permissions(&partial, metadata.permissions()));
    let written =
        fs::write(&partial, bytes).and_then(|()| keep()).and_then(|()| fs::rename(&partial, &place));
    *has_written |= written.is_ok();
    written.map_err(|error| {
        let _ = fs::remove_file(&partial);
        unwritable(path, &error)
    })
}

/// What a path leads to; the path itself if nothing is there.
fn behind_links(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Refuses the name of something that is there, before work is done for a folder that would replace it; `is_forced`: it may.
pub(crate) fn is_new(folder: &Path, is_forced: bool) -> Outcome {
    if folder.exists() && !is_forced {
        let hint = "give another folder, or `--force` to replace this one";
        return Err(Failure::file(folder, "there is a folder or file of this name", hint));
    }
    has_place(folder)
}

/// Writes a folder of files as a whole. A folder that holds nothing but files of these names is replaced, which
/// [`is_new`] asks about before; any other is left alone.
pub(crate) fn write_folder(path: &Path, files: &[(&str, &[u8])]) -> Outcome {
    let path = &behind_links(path);
    let mut has_written = interrupt::writing();
    let partial = beside(path)?;
    let replaces = replaceable(path, files)?;
    let written = fs::create_dir(&partial)
        .and_then(|()| files.iter().try_for_each(|(name, bytes)| fs::write(partial.join(name), bytes)))
        .and_then(|()| put(&partial, path, replaces));
    *has_written |= written.is_ok();
    written.map_err(|error| {
        let _ = fs::remove_dir_all(&partial);
        unwritable(path, &error)
    })
}

/// Whether there is a folder to replace. Errors: something is there that we did not write.
fn replaceable(path: &Path, files: &[(&str, &[u8])]) -> Outcome<bool> {
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(false) };
    let hint = "give a new name: only a folder of nothing but such files is replaced";
    if !metadata.is_dir() {
        return Err(Failure::file(path, "there is a file of this name", hint));
    }
    let entries = fs::read_dir(path).map_err(|error| unwritable(path, &error))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    match names.iter().find(|name| files.iter().all(|(own, _)| own != name)) {
        None => Ok(true),
        Some(other) => {
            Err(Failure::file(path, format!("the folder holds other files, such as `{other}`"), hint))
        }
    }
}

fn put(partial: &Path, path: &Path, replaces: bool) -> io::Result<()> {
    if !replaces {
        return fs::rename(partial, path);
    }
    let old = with_suffix(path, "old");
    fs::rename(path, &old)?;
    fs::rename(partial, path).inspect_err(|_| {
        // The earlier folder must not be lost.
        let _ = fs::rename(&old, path);
    })?;
    // The new folder is in its place; leftovers of the earlier one are no error.
    let _ = fs::remove_dir_all(&old);
    Ok(())
}

/// Refuses a path that nothing can be written to, before work is done for it.
pub(crate) fn has_place(path: &Path) -> Outcome {
    beside(path).map(drop)
}

/// A name beside `path` under which nothing is yet.
fn beside(path: &Path) -> Outcome<PathBuf> {
    if path.file_name().is_none() {
        return Err(Failure::file(
            path,
            "this is not the name of a file or folder",
            "give a path that ends in a name",
        ));
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !parent.is_dir() {
        let message = format!("the folder {} does not exist", parent.display());
        return Err(Failure::file(path, message, "make it first"));
    }
    Ok(with_suffix(path, "partial"))
}

/// `folder/.name.SUFFIX-PROCESS`: hidden, in the same file system, and unlike any other process's.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.{suffix}-{}", std::process::id()))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::file(path, format!("cannot be written: {error}"), "check permissions and space of the folder")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed with the value.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("meshwright-output-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_appears_whole_and_alone() {
        let folder = Folder::new("file");
        let file = folder.0.join("plan.json");
        write(&file, b"one").unwrap();
        write(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(folder.names(), ["plan.json"]);
        assert!(write(&folder.0, b"x").is_err());
        assert!(write(&folder.0.join("none/plan.json"), b"x").is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn links_are_followed_and_devices_stay_devices() {
        let folder = Folder::new("links");
        let file = folder.0.join("plan.json");
        write(&file, b"one").unwrap();
        let link = folder.0.join("link.json");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let null = Path::new("/dev/null");
        write(null, b"gone").unwrap();
        assert!(!fs::metadata(null).unwrap().is_file());
        assert!(write(Path::new("/dev/full"), b"x").is_err());
    }

    #[test]
    fn only_our_own_folder_is_replaced() {
        let folder = Folder::new("folder");
        let compiled = folder.0.join("compiled");
        write_folder(&compiled, &[("m", b"1"), ("n", b"1")]).unwrap();
        write_folder(&compiled, &[("m", b"2"), ("n", b"2")]).unwrap();
        assert_eq!(fs::read(compiled.join("m")).unwrap(), b"2");
        assert_eq!(folder.names(), ["compiled"]);

        let theirs = folder.0.join("theirs");
        fs::create_dir(&theirs).unwrap();
        write_folder(&theirs, &[("m", b"1")]).unwrap();
        fs::write(theirs.join("thesis.txt"), "years of work").unwrap();
        assert!(write_folder(&theirs, &[("m", b"1")]).is_err());
        assert!(theirs.join("thesis.txt").exists() && theirs.join("m").exists());
        assert_eq!(folder.names(), ["compiled", "theirs"]);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = Folder::new("failure");
        let compiled = folder.0.join("compiled");
        assert!(write_folder(&compiled, &[("m", b"1"), ("no/such", b"1")]).is_err());
        assert_eq!(folder.names(), [""; 0]);
    }
}
