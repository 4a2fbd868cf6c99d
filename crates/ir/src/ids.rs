//! Typed ids and the tables they index.
//!
//! An id is a `Copy` newtype over `u32`, so a value can never be mistaken for an instruction.
//! Analyses live in a [`Table`] beside the program, never on its nodes.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Something that is an index into one table.
pub trait Id: Copy + Eq {
    /// The id of position `index`.
    fn from_index(index: usize) -> Self;
    /// The position this id names.
    fn index(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 entities"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

id!(
    /// A value of one function: an argument, a region argument or a result.
    ValueId, "v"
);
id!(
    /// An instruction of one function.
    InstId, "i"
);
id!(
    /// A single-block region of one function.
    RegionId, "r"
);
id!(
    /// A call that has been inlined.
    CallId, "c"
);
id!(
    /// A body of which a copy has been made within another one.
    ScopeId, "s"
);

/// A vector indexed by an id.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Table<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V> Table<K, V> {
    /// An empty table.
    pub fn new() -> Self {
        Self { items: Vec::new(), key: PhantomData }
    }

    /// A table of `len` copies of `value`.
    pub fn filled(value: V, len: usize) -> Self
    where
        V: Clone,
    {
        Self { items: vec![value; len], key: PhantomData }
    }

    /// Appends `value` and returns its id.
    pub fn push(&mut self, value: V) -> K {
        let id = K::from_index(self.items.len());
        self.items.push(value);
        id
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Takes away all entries behind the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// Appends copies of `value` until there are `len` entries.
    pub fn resize(&mut self, value: V, len: usize)
    where
        V: Clone,
    {
        self.items.resize(len, value);
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.items.len()).map(K::from_index)
    }

    /// All entries with their ids, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(index, value)| (K::from_index(index), value))
    }

    /// All entries, in order.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }

    /// All entries for writing, in order.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }

    /// The entry of `id`, if there is one.
    pub fn get(&self, id: K) -> Option<&V> {
        self.items.get(id.index())
    }
}

impl<K: Id, V> Default for Table<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, V> FromIterator<V> for Table<K, V> {
    fn from_iter<I: IntoIterator<Item = V>>(iter: I) -> Self {
        Self { items: iter.into_iter().collect(), key: PhantomData }
    }
}

impl<K: Id, V> Index<K> for Table<K, V> {
    type Output = V;
    fn index(&self, id: K) -> &V {
        &self.items[id.index()]
    }
}

impl<K: Id, V> IndexMut<K> for Table<K, V> {
    fn index_mut(&mut self, id: K) -> &mut V {
        &mut self.items[id.index()]
    }
}

impl<K: Id, V: fmt::Debug> fmt::Debug for Table<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.items).finish()
    }
}
