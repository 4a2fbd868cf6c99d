//! Makes a finding small: lines, words and bytes are left out as long as what remains does the same.
//!
//! Input: an input and a question. Output: the smallest input found within a number of questions, and a time, for which
//! the answer is still yes.

use std::time::{Duration, Instant};

/// Questions asked at most.
const MOST: usize = 600;

/// No question is asked later.
const LONGEST: Duration = Duration::from_secs(120);

/// The smallest part of `input` found that still has the answer yes.
pub(crate) fn shrink(input: &[u8], mut is_same: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut small = input.to_vec();
    let (mut left, start) = (MOST, Instant::now());
    let mut is_same = |input: &[u8]| start.elapsed() < LONGEST && is_same(input);
    for cut in [lines, words, bytes] {
        small = without_parts(&small, cut, &mut left, &mut is_same);
    }
    small
}

/// Leaves out runs of parts: halves first, then quarters, and so on.
fn without_parts(
    input: &[u8],
    cut: fn(&[u8]) -> Vec<Vec<u8>>,
    left: &mut usize,
    is_same: &mut impl FnMut(&[u8]) -> bool,
) -> Vec<u8> {
    let mut parts = cut(input);
    let mut size = parts.len().div_ceil(2).max(1);
    loop {
        let mut start = 0;
        while start < parts.len() && *left > 0 {
            let end = (start + size).min(parts.len());
            let candidate = [&parts[..start], &parts[end..]].concat();
            *left -= 1;
            match is_same(&candidate.concat()) {
                true => parts = candidate,
                false => start = end,
            }
        }
        if size == 1 || *left == 0 {
            return parts.concat();
        }
        size = size.div_ceil(2);
    }
}

fn lines(input: &[u8]) -> Vec<Vec<u8>> {
    input.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn words(input: &[u8]) -> Vec<Vec<u8>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    input.chunk_by(|left, right| is_word(*left) && is_word(*right)).map(<[u8]>::to_vec).collect()
}

fn bytes(input: &[u8]) -> Vec<Vec<u8>> {
    input.iter().map(|byte| vec![*byte]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let input = b"one\ntwo three bad four\nfive\n".repeat(5);
        let small = shrink(&input, |bytes| bytes.windows(3).any(|window| window == b"bad"));
        assert_eq!(small, b"bad");
    }
}
