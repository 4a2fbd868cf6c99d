//! Places in a source text.

/// A range of bytes in one source text. `Span::NONE` is used for what the compiler made itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte; zero means "no place".
    pub end: u32,
}

impl Span {
    /// No place in the source.
    pub const NONE: Span = Span { start: 0, end: 0 };

    /// The bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// Returns whether it names a place.
    pub fn is_some(self) -> bool {
        self.end != 0
    }
}
