//! One worker: its process, what it says, and its last lines of log.

use super::job::Job;
use super::messages::{Message, Phase};
use super::scripts::PACKAGE;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Lines of log that are kept of each worker.
const LINES: usize = 20;

/// The longest line of log that is kept whole.
const LONGEST: usize = 2000;

/// How long an ended worker's last words are waited for. Only what it started and did not keep in its process group
/// can hold its output open for longer.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What a worker says: a message, or a line of its log.
pub(super) enum Said {
    Message(Message),
    Line(String),
    /// A message that cannot be read, and why.
    Garbled(String),
}

/// A worker that was started.
pub(super) struct Worker {
    child: Child,
    stdin: Option<ChildStdin>,
    readers: Vec<JoinHandle<()>>,
    /// How it ended, if it did.
    pub(super) ended: Option<ExitStatus>,
    pub(super) phase: Phase,
    /// Steps that it has done.
    pub(super) step: u64,
    /// Events of the next one that it had still to launch when it last said so.
    pub(super) left: u64,
    /// When it last said anything, and when it last came further.
    pub(super) heard: Instant,
    pub(super) moved: Instant,
    pub(super) is_done: bool,
    /// Why it gave up, if it said so: kind, what it did, message.
    pub(super) failed: Option<[String; 3]>,
    pub(super) log: VecDeque<String>,
}

impl Worker {
    /// Starts worker `rank`; what it says goes to `said` with its number. It runs in a process group of its own, so that
    /// Ctrl-C reaches the supervisor alone, and so that whatever it starts ends with it.
    pub(super) fn start(
        job: &Job,
        folder: &Path,
        rank: usize,
        now: Instant,
        said: &Sender<(usize, Said)>,
    ) -> io::Result<Self> {
        let mut search = OsString::from(folder);
        if let Some(others) = job.python_path.as_ref().filter(|others| !others.is_empty()) {
            search.push(":");
            search.push(others);
        }
        let mut child = Command::new(&job.python)
            .args(["-u", "-m", PACKAGE])
            .arg(folder.join("job.json"))
            .arg(rank.to_string())
            .env("PYTHONPATH", search)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let mut readers = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let said = said.clone();
            readers.push(thread::spawn(move || {
                each_line(stdout, |line| {
                    let heard = match serde_json::from_str(&line) {
                        Ok(message) => Said::Message(message),
                        Err(why) if line.starts_with("{\"event\"") => {
                            let shown: String = line.chars().take(LONGEST).collect();
                            Said::Garbled(format!("it said what cannot be read ({why}): {shown}"))
                        }
                        Err(_) => Said::Line(line),
                    };
                    said.send((rank, heard)).is_ok()
                });
            }));
        }
        if let Some(stderr) = child.stderr.take() {
            let said = said.clone();
            readers.push(thread::spawn(move || {
                each_line(stderr, |line| said.send((rank, Said::Line(line))).is_ok());
            }));
        }
        Ok(Self {
            stdin: child.stdin.take(),
            child,
            readers,
            ended: None,
            phase: Phase::Starting,
            step: 0,
            left: 0,
            heard: now,
            moved: now,
            is_done: false,
            failed: None,
            log: VecDeque::new(),
        })
    }

    /// Keeps a line of its log.
    pub(super) fn keep(&mut self, line: String) {
        if self.log.len() == LINES {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }

    /// Asks it to stop; workers agree on the step. One that does not listen any more is found out otherwise.
    pub(super) fn ask_to_stop(&mut self) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(b"\"stop\"\n");
            let _ = stdin.flush();
        }
    }

    /// Whether it has ended; what it left behind then ends too. Errors: the system does not say.
    pub(super) fn poll(&mut self) -> io::Result<bool> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait()?;
            if self.ended.is_some() {
                self.kill_group();
            }
        }
        Ok(self.ended.is_some())
    }

    /// Kills the worker, if it still runs, and all that it started. The worker leads its group, so that the group has
    /// its number, which the system gives to nobody else as long as anyone is in the group.
    fn kill_group(&self) {
        if let Ok(number) = i32::try_from(self.child.id()) {
            // Where nobody is left there is nothing to do.
            let _ = killpg(Pid::from_raw(number), Signal::SIGKILL);
        }
    }
}

impl Drop for Worker {
    /// Nothing is left behind: the process and what it started are killed, if they still run, and it is waited for.
    #[allow(clippy::disallowed_methods)] // see `LAST_WORDS`
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.kill_group();
            let _ = self.child.wait();
        }
        self.stdin = None;
        let since = Instant::now();
        for reader in self.readers.drain(..) {
            while !reader.is_finished() && since.elapsed() < LAST_WORDS {
                thread::sleep(Duration::from_millis(5));
            }
            if reader.is_finished() {
                let _ = reader.join();
            }
        }
    }
}

/// Calls `then` for each line until it returns false or the stream ends. Bytes that are no text are replaced.
fn each_line(stream: impl Read, mut then: impl FnMut(String) -> bool) {
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let mut line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                let is_message = line.starts_with('{');
                if line.chars().count() > LONGEST && !is_message {
                    line = line.chars().take(LONGEST).chain("...".chars()).collect();
                }
                if !then(line) {
                    return;
                }
            }
        }
    }
}
