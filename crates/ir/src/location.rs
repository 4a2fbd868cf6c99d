//! Where a program says that it comes from: MLIR's location attributes (MLIR, "Builtin Dialect", "Location").
//!
//! An unknown location is no location, `None`.

use crate::attribute::Attr;
use meshwright_tensor::quote::write_quoted;
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A shared location, with its hash and its depth, as parts may be shared many times over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocationRef(Arc<Node>);

#[derive(Debug, PartialEq, Eq)]
struct Node {
    hash: u64,
    depth: usize,
    location: Location,
}

impl From<Location> for LocationRef {
    fn from(location: Location) -> Self {
        let mut hasher = DefaultHasher::new();
        location.hash(&mut hasher);
        let inner = location.parts().into_iter().flatten().map(Self::depth).max();
        Self(Arc::new(Node { hash: hasher.finish(), depth: inner.unwrap_or(0) + 1, location }))
    }
}

impl Hash for LocationRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

impl std::ops::Deref for LocationRef {
    type Target = Location;

    fn deref(&self) -> &Location {
        &self.0.location
    }
}

impl LocationRef {
    /// Depth to which locations nest in it: 1 for one without parts.
    pub fn depth(&self) -> usize {
        self.0.depth
    }
}

/// A known location.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// `"f.py":3:1`, perhaps to an end.
    File {
        /// The file's name.
        file: Arc<str>,
        /// Line and column of the start.
        start: (u32, u32),
        /// Line and column of the end, if it is not the start.
        end: Option<(u32, u32)>,
    },
    /// `"name"(location)`.
    Name {
        /// The name.
        name: Arc<str>,
        /// Where what is named comes from.
        child: Option<LocationRef>,
    },
    /// `callsite(callee at caller)`.
    CallSite {
        /// Where the code is.
        callee: Option<LocationRef>,
        /// Where it was called.
        caller: Option<LocationRef>,
    },
    /// `fused<metadata>[a, b]`.
    Fused {
        /// How they were fused.
        metadata: Option<Attr>,
        /// What was fused.
        parts: Vec<Option<LocationRef>>,
    },
    /// Another dialect's location, as written.
    Dialect(Arc<str>),
}

impl Location {
    /// The locations directly inside this one, in the order in which they are written.
    pub fn parts(&self) -> Vec<Option<&LocationRef>> {
        match self {
            Self::File { .. } | Self::Dialect(_) => Vec::new(),
            Self::Name { child, .. } => child.iter().map(Some).collect(),
            Self::CallSite { callee, caller } => vec![callee.as_ref(), caller.as_ref()],
            Self::Fused { parts, .. } => parts.iter().map(Option::as_ref).collect(),
        }
    }

    /// Writes the inside of `loc(...)`; `part` writes the locations inside this one.
    ///
    /// # Errors
    /// Those of `f` and `part`.
    pub fn write<W: fmt::Write>(
        &self,
        f: &mut W,
        part: &mut dyn FnMut(&mut W, Option<&LocationRef>) -> fmt::Result,
    ) -> fmt::Result {
        match self {
            Self::File { file, start: (line, column), end } => {
                write_quoted(f, file)?;
                write!(f, ":{line}:{column}")?;
                match end {
                    Some((end_line, end_column)) if end_line == line => write!(f, " to :{end_column}"),
                    Some((end_line, end_column)) => write!(f, " to {end_line}:{end_column}"),
                    None => Ok(()),
                }
            }
            Self::Name { name, child } => {
                write_quoted(f, name)?;
                if child.is_some() {
                    f.write_str("(")?;
                    part(f, child.as_ref())?;
                    f.write_str(")")?;
                }
                Ok(())
            }
            Self::CallSite { callee, caller } => {
                f.write_str("callsite(")?;
                part(f, callee.as_ref())?;
                f.write_str(" at ")?;
                part(f, caller.as_ref())?;
                f.write_str(")")
            }
            Self::Fused { metadata, parts } => {
                f.write_str("fused")?;
                if let Some(metadata) = metadata {
                    write!(f, "<{metadata}>")?;
                }
                f.write_str("[")?;
                for (index, location) in parts.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    part(f, location.as_ref())?;
                }
                f.write_str("]")
            }
            Self::Dialect(text) => f.write_str(text),
        }
    }
}
