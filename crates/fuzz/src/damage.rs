//! Damage to a text: bytes, tokens and lines, removed, repeated, moved, exchanged, or replaced by something extreme.
//!
//! Input: a corpus and a seed. Output: one of its texts (or any bytes) with some damage, the same for the same seed.

use crate::rng::Rng;

/// Words that mean something to a reader, or nearly do.
const WORDS: [&str; 60] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "255",
    "256",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "99999999999999999999999999999999999999999",
    "1e999",
    "-0.0",
    "0x",
    "0xFFFFFFFF",
    "0x7FC00000",
    "nan",
    "\"",
    "\"\"",
    "\"\\",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "->",
    ":",
    ",",
    "=",
    "#",
    "#0",
    "%",
    "%0",
    "%arg0",
    "@",
    "@main",
    "^bb0",
    "!",
    "loc",
    "loc(unknown)",
    "tensor<",
    "tensor<?xf32>",
    "tensor<0xf32>",
    "i1",
    "f32",
    "ui2",
    "complex<f32>",
    "dense<>",
    "dense<\"0x",
    "array<i64: ",
    "stablehlo.",
    "sdy.mesh",
    "#sdy.sharding<@mesh, [",
    "{?}p",
    "\u{e9}\u{0}",
];

/// A text of the corpus with damage.
pub fn damaged(corpus: &[String], seed: u64) -> String {
    let rng = &mut Rng::new(seed);
    let text = &corpus[rng.below(corpus.len())];
    let bytes = text.clone().into_bytes();
    let bytes = damage(rng, bytes, |rng| corpus[rng.below(corpus.len())].as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Damages bytes; `other` gives another input to take lines of.
pub fn damage<'a>(rng: &mut Rng, mut bytes: Vec<u8>, other: impl Fn(&mut Rng) -> &'a [u8]) -> Vec<u8> {
    if rng.chance(30) {
        // Most of the file still means something.
        for _ in 0..1 + rng.below(2) {
            number(rng, &mut bytes);
        }
        return bytes;
    }
    for _ in 0..1 + rng.below(4) {
        match rng.below(10) {
            0 => byte(rng, &mut bytes),
            1 => cut(rng, &mut bytes),
            2 => repeat(rng, &mut bytes),
            3 | 4 => word(rng, &mut bytes),
            5 => number(rng, &mut bytes),
            6 | 7 => tokens(rng, &mut bytes),
            8 => lines(rng, &mut bytes),
            _ => {
                let other = String::from_utf8_lossy(other(rng));
                graft(rng, &mut bytes, &other);
            }
        }
    }
    bytes
}

fn place(rng: &mut Rng, bytes: &[u8]) -> usize {
    rng.below(bytes.len() + 1)
}

/// A stretch of bytes, most often a short one.
fn stretch(rng: &mut Rng, bytes: &[u8]) -> std::ops::Range<usize> {
    let start = place(rng, bytes);
    let longest = if rng.chance(80) { 20 } else { bytes.len() };
    start..(start + rng.below(longest + 1)).min(bytes.len())
}

fn byte(rng: &mut Rng, bytes: &mut [u8]) {
    if !bytes.is_empty() {
        let at = rng.below(bytes.len());
        bytes[at] = if rng.chance(50) { rng.below(256) as u8 } else { bytes[at] ^ 1 << rng.below(8) };
    }
}

fn cut(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let range = if rng.chance(20) { place(rng, bytes)..bytes.len() } else { stretch(rng, bytes) };
    bytes.drain(range);
}

/// A stretch again and again: deep nesting, long lists.
fn repeat(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let range = stretch(rng, bytes);
    let piece = bytes[range.clone()].to_vec();
    let most = (20_000 / piece.len().max(1)).max(1);
    let times = if rng.chance(80) { 1 + rng.below(4) } else { 1 + rng.below(most) };
    bytes.splice(range.end..range.end, piece.repeat(times));
}

fn word(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let start = place(rng, bytes);
    let end = if rng.chance(50) { start } else { token_end(bytes, start) };
    let word = rng.pick(&WORDS);
    bytes.splice(start..end, word.bytes());
}

/// A number by another one.
fn number(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let digits: Vec<usize> = (0..bytes.len())
        .filter(|at| bytes[*at].is_ascii_digit() && (*at == 0 || !bytes[at - 1].is_ascii_digit()))
        .collect();
    if digits.is_empty() {
        return;
    }
    let start = rng.pick(&digits);
    let end = start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let numbers = &WORDS[..13];
    let number = rng.pick(numbers);
    bytes.splice(start..end, number.bytes());
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'%' | b'@' | b'#' | b'!')
}

fn token_end(bytes: &[u8], start: usize) -> usize {
    let length = bytes[start..].iter().take_while(|byte| is_word(**byte)).count();
    (start + length.max(1)).min(bytes.len())
}

/// A token removed, doubled, or exchanged with another one of the file.
fn tokens(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = token_end(bytes, at);
        if !bytes[at].is_ascii_whitespace() {
            found.push(at..end);
        }
        at = end;
    }
    if found.is_empty() {
        return;
    }
    let (first, second) = (rng.pick(&found), rng.pick(&found));
    let other = bytes[second].to_vec();
    match rng.below(3) {
        0 => drop(bytes.drain(first)),
        1 => drop(bytes.splice(first.end..first.end, [b" ".to_vec(), other].concat())),
        _ => drop(bytes.splice(first, other)),
    }
}

/// A line removed, doubled, or exchanged with another one.
fn lines(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (first, second) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(3) {
        0 => drop(lines.remove(first)),
        1 => lines.insert(second, lines[first].clone()),
        _ => lines.swap(first, second),
    }
    *bytes = lines.join(&b'\n');
}

/// A few lines of another file.
fn graft(rng: &mut Rng, bytes: &mut Vec<u8>, other: &str) {
    let lines: Vec<&str> = other.lines().collect();
    let start = rng.below(lines.len().max(1)).min(lines.len());
    let end = (start + 1 + rng.below(5)).min(lines.len());
    let piece = lines[start..end].join("\n");
    let from = place(rng, bytes);
    let at = bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| from + at);
    bytes.splice(at..at, piece.bytes());
}
