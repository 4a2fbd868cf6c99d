//! Who reads what in a turn.

use crate::Step;
use meshwright_ir::ids::{Table, ValueId};

/// Reads and readers of the instructions of a turn, by position.
#[derive(Clone, Debug)]
pub(crate) struct DataFlow {
    /// What each one reads, as it is called outside of the loop.
    pub(crate) reads: Vec<Vec<ValueId>>,
    /// Where each value is read.
    pub(crate) readers: Table<ValueId, Vec<usize>>,
}

impl Default for DataFlow {
    fn default() -> Self {
        Self { reads: Vec::new(), readers: Table::filled(Vec::new(), 0) }
    }
}

impl DataFlow {
    pub(crate) fn new(step: &Step<'_>) -> Self {
        let reads: Vec<Vec<ValueId>> = step.inside.iter().map(|inst| step.reads(*inst)).collect();
        let mut readers = Table::filled(Vec::new(), step.body().values.len());
        for (at, read) in reads.iter().enumerate() {
            read.iter().for_each(|value| readers[*value].push(at));
        }
        Self { reads, readers }
    }
}
