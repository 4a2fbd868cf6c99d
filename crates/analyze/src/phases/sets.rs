//! Rows of sets of small numbers, as bits: one for each instruction of a function, of parameters or of gradients.

/// Sets of numbers below a limit, by row.
pub(super) struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    /// Empty sets of numbers below `limit`.
    pub(super) fn new(rows: usize, limit: usize) -> Self {
        let words = limit.div_ceil(64);
        Self { words, bits: vec![0; rows * words] }
    }

    /// The words of a set.
    pub(super) fn of(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    /// Puts a number into a set.
    pub(super) fn insert(&mut self, row: usize, number: usize) {
        self.bits[row * self.words + number / 64] |= 1 << (number % 64);
    }

    /// Whether a set has a number.
    pub(super) fn has(&self, row: usize, number: usize) -> bool {
        self.bits[row * self.words + number / 64] >> (number % 64) & 1 == 1
    }

    /// Puts all that is in one set into another.
    pub(super) fn add(&mut self, from: usize, to: usize) {
        for word in 0..self.words {
            let bits = self.bits[from * self.words + word];
            self.bits[to * self.words + word] |= bits;
        }
    }
}

/// Numbers of a set, ascending.
pub(super) fn numbers(set: &[u64]) -> impl Iterator<Item = usize> {
    let words = set.iter().enumerate().filter(|(_, word)| **word != 0);
    words.flat_map(|(at, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit))
}

/// How many numbers a set has.
pub(super) fn count(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// How many numbers two sets have in common.
pub(super) fn count_common(one: &[u64], other: &[u64]) -> u32 {
    one.iter().zip(other).map(|(one, other)| (one & other).count_ones()).sum()
}

/// What is in one of two sets.
pub(super) fn united(one: &[u64], other: &[u64]) -> Vec<u64> {
    one.iter().zip(other).map(|(one, other)| one | other).collect()
}

/// Returns whether a set holds all of another.
pub(super) fn covers(set: &[u64], other: &[u64]) -> bool {
    set.iter().zip(other).all(|(own, other)| other & !own == 0)
}
