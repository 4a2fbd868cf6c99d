//! Job files of other frameworks, read for the degrees in them.
//!
//! Input: the text of a file that a [`Reader`] knows, and the number of devices. Output: a [`Found`] job. A key that the
//! target's stated version does not have is refused by its name: what it would do is not known.

mod accelerate;
mod deepspeed;
mod keys;
mod launch;
mod maxtext;
mod megatron;
mod mindspeed;
mod nanotron;
mod paddle;
mod sagemaker;
mod settings;
mod shell;
mod sizes;
mod torchtitan;
mod yaml;

pub use launch::beside;
pub use settings::{Setting, changes};
pub use sizes::{ModelSize, StatedSize};

use crate::job::{Degrees, Precision, Recompute};
use crate::targets::torchtitan::Family;
use launch::Launch;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Deref, Range};

/// A job as its file says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Degrees of parallelism.
    pub degrees: Degrees,
    /// Sequences of a step.
    pub global_batch: Option<usize>,
    /// Tokens of a sequence.
    pub sequence: Option<usize>,
    /// Tokens of a sequence of which the file says nothing, where the framework has a default.
    pub default_sequence: Option<usize>,
    /// Sequences of a microbatch on a replica.
    pub microbatch_size: Option<usize>,
    /// Microbatches of a step on each replica.
    pub microbatches: Option<usize>,
    /// What is made again, where the file says it.
    pub recompute: Option<Recompute>,
    /// The type of products, where the file says it.
    pub precision: Option<Precision>,
    /// Whether products of linear layers are in floats of 8 bits.
    pub has_fp8: bool,
    /// The kind of model that the job's program trains, where it says it.
    pub kind: Option<Kind>,
    /// The model of torchtitan that the job trains, where it names one whose form is known.
    pub(crate) family: Option<Family>,
    /// Layers of each stage, where the file says that they are not equal, or the framework cuts them so.
    pub stages: Option<Vec<usize>>,
    /// The optimizer, as `--optimizer` calls it, where the file says it.
    pub optimizer: Option<&'static str>,
    /// The schedule of the stages, where it is another one than 1F1B, interleaved where a group has several.
    pub schedule: Option<&'static str>,
    /// Sizes of the model that the file states.
    pub sizes: Vec<StatedSize>,
    /// What the job does a little otherwise than its degrees say, each a sentence.
    pub notes: Vec<String>,
}

/// Something that decides what a step takes and that a job's file leaves to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaid {
    /// Tokens of a sequence.
    Sequence,
    /// Microbatches of a step on each replica.
    Microbatches,
    /// What is made again for the backward pass.
    Recompute,
}

/// Kinds of models that programs train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A language model.
    Decoder,
    /// An encoder and a decoder.
    EncoderDecoder,
    /// An encoder that fills in words.
    Masked,
}

impl Unsaid {
    /// Sentence of what is done instead, and that `flag` says it.
    pub fn note(self, flag: &str) -> String {
        let (what, instead) = match self {
            Self::Sequence => (
                "how long sequences are",
                "they are of as many tokens as the model has positions, at most 4,096",
            ),
            Self::Microbatches => {
                ("how many microbatches a step has", "it is priced with all sequences at once")
            }
            Self::Recompute => {
                ("what is made again for the backward pass", "it is priced with nothing made again")
            }
        };
        format!("the file does not say {what}: {instead}; `{flag}` says it")
    }
}

impl Found {
    /// The recipe of numbers (`f32`, `bf16`, `fp8`), where the file says it.
    pub fn recipe(&self) -> Option<&'static str> {
        match self.precision {
            _ if self.has_fp8 => Some("fp8"),
            Some(Precision::Bf16) => Some("bf16"),
            Some(Precision::F32) => Some("f32"),
            None => None,
        }
    }

    /// Tokens of a sequence of the job as it is written.
    pub fn length(&self) -> Option<usize> {
        self.sequence.or(self.default_sequence)
    }

    /// Statements that the file does not make; of models of which nobody has to say how long sequences are, that one too.
    pub fn unsaid(&self) -> Vec<Unsaid> {
        let mut unsaid = Vec::new();
        unsaid.extend(self.length().is_none().then_some(Unsaid::Sequence));
        unsaid.extend(self.microbatches.is_none().then_some(Unsaid::Microbatches));
        unsaid.extend(self.recompute.is_none().then_some(Unsaid::Recompute));
        unsaid
    }

    /// The same job beside a program, which says the types of its numbers and its optimizer itself: what the file says of them
    /// is a note.
    #[must_use]
    pub fn beside_program(mut self) -> Self {
        self.notes.retain(|note| !note.ends_with(F16_PRICED) && !note.ends_with(F8_PRICED));
        let said: Vec<String> =
            self.recipe().into_iter().chain(self.optimizer).map(|name| format!("`{name}`")).collect();
        if !said.is_empty() {
            let (are, they) = if said.len() == 1 { ("is", "it") } else { ("are", "they") };
            self.notes.push(format!(
                "{} {are} what the job says of its numbers and optimizer; of a program {they} {are} its own, and so priced",
                said.join(" and ")
            ));
        }
        self
    }

    /// The same job, whose state is in so many shards over the batch, and over the devices that share tokens too, always:
    /// degrees have it over the batch alone. `key` is what shares tokens.
    ///
    /// # Errors
    /// Parameters are in no shards but those over tokens.
    fn over_context(mut self, key: &str, shards: usize) -> Result<Self, Problem> {
        let Degrees { cp, zero, .. } = self.degrees;
        if cp == 1 || zero == 0 {
            return Ok(self);
        }
        if zero == 3 && shards == 1 {
            let what =
                format!("{cp}, and parameters are in shards over these devices alone, not over those of dp");
            return Err(not_read(key, what));
        }
        let whole = if shards == 1 { "whole".to_owned() } else { format!("in shards over {shards}") };
        self.notes.push(format!(
            "the job has its state in shards over {} devices, as those that share tokens (cp={cp}) count too; it is priced \
             with state {whole}, which takes more memory",
            shards * cp
        ));
        Ok(self)
    }
}

/// A job file is not read, or says what cannot be planned.
const JOB: Check = Check("job");

/// A warning about a job that does something a little otherwise than it is planned.
pub fn warning(note: &str) -> Diagnostic {
    Diagnostic::warning(JOB, Span::NONE, note)
}

/// What to do about a file that is wrong.
const CORRECT: &str =
    "a job is read as the framework would run it: correct the file, or say the degrees instead";

/// Reasons why a job file is not read, each a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A key that is not known, or whose meaning is not read: the rest says a job without it.
    UnknownKey(String),
    /// The text is no file of its kind, from one byte to another.
    Syntax(String, std::ops::Range<usize>),
    /// Anything else.
    Other(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::UnknownKey(message) | Self::Syntax(message, _) | Self::Other(message)) = self;
        f.write_str(message)
    }
}

impl Problem {
    /// The same at its place in the file of this text, with what to do. Where only its words say where it is, that is the
    /// first name in backquotes.
    pub fn diagnostic(&self, text: &str) -> Diagnostic {
        let named = || {
            let name = self.to_string();
            let name = name.split('`').nth(1).unwrap_or_default().to_owned();
            place(text, &name).map_or(Span::NONE, |bytes| Span::new(bytes.start, bytes.end))
        };
        let (span, hint) = match self {
            Self::UnknownKey(_) => {
                (named(), "what is not known may change what the job does: take it out to read the rest")
            }
            Self::Syntax(_, bytes) => (Span::new(bytes.start, bytes.end), CORRECT),
            Self::Other(_) => (named(), CORRECT),
        };
        Diagnostic::error(JOB, span, self.to_string()).hint(hint)
    }
}

/// Where a setting stands in a text: `--name` of a script, with a value or without, or the keys of a path `table.key`, one
/// behind the other. Comments do not count.
fn place(text: &str, said: &str) -> Option<Range<usize>> {
    let name = said.split([' ', '=']).next()?;
    let keys: Vec<&str> = if name.starts_with("--") { vec![name] } else { name.split('.').collect() };
    let is_inner = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    let comments: Vec<Range<usize>> = text
        .split_inclusive('\n')
        .scan(0, |start, line| {
            let from = *start;
            *start += line.len();
            Some((from..*start, line.trim_start().starts_with('#')))
        })
        .filter_map(|(range, is_comment)| is_comment.then_some(range))
        .collect();
    let mut from = 0;
    let mut found = None;
    for key in keys.into_iter().filter(|key| !key.is_empty()) {
        let at = text[from..].match_indices(key).map(|(at, _)| from + at).find(|at| {
            let end = at + key.len();
            !text[..*at].ends_with(is_inner)
                && !text[end..].starts_with(is_inner)
                && !comments.iter().any(|range| range.contains(at))
        })?;
        from = at + key.len();
        found = Some(at..from);
    }
    found
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self::Other(message)
    }
}

/// Knowledge of a job beside its file.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// All devices.
    pub devices: usize,
    /// Layers of the model, where they are known.
    pub layers: Option<usize>,
}

impl Around {
    /// So many devices, and a model of which nothing is known.
    pub fn devices(devices: usize) -> Self {
        Self { devices, layers: None }
    }
}

/// The text of a job file; the command of a script is looked for once.
#[derive(Debug)]
pub struct Text<'a> {
    text: &'a str,
    launch: OnceCell<Result<Launch, Problem>>,
}

impl<'a> Text<'a> {
    /// Nothing is looked for yet.
    pub fn new(text: &'a str) -> Self {
        Self { text, launch: OnceCell::new() }
    }

    /// The command that starts a job, if it is a script.
    ///
    /// Errors: as of [`Launch::of`].
    fn launch(&self) -> Result<&Launch, Problem> {
        self.launch.get_or_init(|| Launch::of(self.text)).as_ref().map_err(Problem::clone)
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.text
    }
}

/// A form of job file that can be read.
#[derive(Debug)]
pub struct Reader {
    /// The target whose file it is.
    pub target: &'static str,
    /// What its files' names end with.
    pub extensions: &'static [&'static str],
    /// Returns whether a text of such a file is one of it, and not of another framework.
    pub is_it: fn(&Text<'_>) -> bool,
    /// Reads the text of a job.
    pub read: fn(&Text<'_>, Around) -> Result<Found, Problem>,
    /// The settings of a text that say how a step runs, by their names, in order.
    pub settings: fn(&str) -> BTreeMap<String, String>,
    /// Settings that others want beside them, and that may stay without these.
    pub may_stay: &'static [&'static str],
}

impl Reader {
    /// Returns whether it reads a file of this name and text.
    pub fn reads(&self, name: &str, text: &str) -> bool {
        self.is_of(name, &Text::new(text))
    }

    fn is_of(&self, name: &str, text: &Text<'_>) -> bool {
        self.has_name(name) && (self.is_it)(text)
    }

    fn has_name(&self, name: &str) -> bool {
        self.extensions.iter().any(|extension| name.ends_with(extension))
    }
}

/// The reader of a file of this name and text.
pub fn reader(name: &str, text: &str) -> Option<&'static Reader> {
    reader_of(name, &Text::new(text))
}

fn reader_of(name: &str, text: &Text<'_>) -> Option<&'static Reader> {
    READERS.iter().copied().find(|reader| reader.is_of(name, text))
}

/// All of them. Of several for files of a name, the first takes a text that says that it is its own.
pub const READERS: &[&Reader] = &[
    &torchtitan::READER,
    &paddle::READER,
    &sagemaker::READER,
    &deepspeed::READER,
    &mindspeed::READER,
    &megatron::READER,
    &accelerate::READER,
    &nanotron::READER,
    &maxtext::READER,
];

/// Reads a job file by the ending of its name.
///
/// # Errors
/// A file of no known form; text that is not of its form; a key that is not known, or that changes what a step does in a way
/// that is not read; degrees that do not fit the devices.
pub fn read(name: &str, text: &str, around: Around) -> Result<Found, Problem> {
    let text = &Text::new(text);
    let reader = reader_of(name, text).ok_or_else(|| {
        if name.ends_with(".sh") {
            return launch::not_its_own(text);
        }
        let known: Vec<String> = READERS
            .iter()
            .map(|reader| format!("`*{}` of {}", reader.extensions.join("` or `*"), reader.target))
            .collect();
        let known = known.join(", ");
        Problem::Other(match READERS.iter().any(|reader| reader.has_name(name)) {
            true => format!("it has no key by which a job file is known; those that are read are {known}"),
            false => format!("a job file is one of {known}"),
        })
    })?;
    let mut found = (reader.read)(text, around)?;
    // Frameworks take ZeRO over one device for none.
    let Degrees { dp, fsdp, ep, zero, .. } = &mut found.degrees;
    if *dp == 1 && *ep == 1 && *fsdp <= 1 {
        (*fsdp, *zero) = (1, 0);
    }
    Ok(found)
}

/// A key with a value that changes what a step does in a way that is not read.
fn not_read(key: &str, value: impl fmt::Display) -> Problem {
    Problem::UnknownKey(format!("what `{key}` does to a step is not read: it is {value}"))
}

/// The optimizer of a name, in the letters of the file. Plain Adam keeps and computes what AdamW does, but for where weights
/// decay.
///
/// Errors: one that is not known here.
fn optimizer(key: &str, name: &str) -> Result<&'static str, Problem> {
    match name.to_ascii_lowercase().as_str() {
        "adam" | "adamw" => Ok("adamw"),
        "sgd" => Ok("sgd"),
        "lion" => Ok("lion"),
        "muon" => Ok("muon"),
        "adafactor" => Ok("adafactor"),
        _ => Err(not_read(key, format!("`{name}`, an optimizer that is not known here"))),
    }
}

/// The product of sizes, which may be anything.
fn product(sizes: &[usize]) -> Result<usize, String> {
    let product = sizes.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
    product.ok_or_else(|| format!("{sizes:?} multiply to more than can be counted"))
}

/// Devices that are left for data parallelism by other degrees.
fn rest(devices: usize, degrees: &[usize]) -> Result<usize, String> {
    let taken = product(degrees)?;
    match taken > 0 && devices.is_multiple_of(taken) {
        true => Ok(devices / taken),
        false => Err(format!("degrees that multiply to {taken} do not divide the {devices} devices")),
    }
}

/// Refuses degrees that do not make up all devices; `what` they are.
fn must_be_all(what: &str, sizes: &[usize], devices: usize) -> Result<(), Problem> {
    match product(sizes)? {
        said if said == devices => Ok(()),
        said => Err(format!("{what} multiply to {said}, but there are {devices} devices").into()),
    }
}

/// Note on a job that computes in f16; `said` says it.
fn f16_note(said: &str) -> String {
    format!("`{said}`: it computes in f16 and scales its loss; {F16_PRICED}")
}

/// The price of f16, in a note.
const F16_PRICED: &str = "it is priced in bf16, of the same size, without that";

/// The price of products in 8 bits, in a note.
const F8_PRICED: &str =
    "they are priced as the recipe `fp8` has them, scaled row by row, with gradients of weights in bf16";

/// Note on products in 8 bits; `said` says it, and `scaled` by what they are scaled.
fn fp8_note(said: &str, scaled: &str) -> String {
    format!("`{said}`: products of linear layers in 8 bits are scaled by {scaled}; {F8_PRICED}")
}

/// The type of products, by PyTorch's and JAX's name of a type.
fn precision(name: &str) -> Precision {
    if name == "float32" { Precision::F32 } else { Precision::Bf16 }
}

/// Microbatches of a replica, of a whole batch.
fn count(global: usize, size: usize, replicas: usize) -> Result<usize, String> {
    let step = product(&[size, replicas])?;
    match step > 0 && global.is_multiple_of(step) {
        true => Ok(global / step),
        false => Err(format!("a batch of {global} is no multiple of {size} on each of {replicas} replicas")),
    }
}
