//! Values that are laid in a row to be gathered together with others, and then put back into shape.
//!
//! Input: reshapes and gathers with the meanings of their operands, in execution order. Output: what a row means once it
//! has its shape again.
//!
//! Of the row of `[4 over y, 2 over x]` a meaning cannot say where `x` stands: between the elements. What is remembered is
//! the value that was laid in a row. A gather of rows along the first dim of their values is one of the values, and a
//! reshape to their shape gives them back.

use crate::verify::meaning::Meaning;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::InstView;
use std::collections::BTreeMap;

/// What a row has.
struct Row {
    shape: Vec<usize>,
    meaning: Meaning,
}

/// The rows so far.
#[derive(Default)]
pub(super) struct Rows(BTreeMap<ValueId, Row>);

impl Rows {
    /// The meaning of a reshape that puts a row back into shape; others may lay their operand in a row.
    pub(super) fn reshaped(&mut self, view: &InstView<'_>, operand: &Meaning) -> Option<Meaning> {
        let (value, result) = (view.inst.operands[0], view.inst.results[0]);
        let (from, to) = (&view.operand(0).shape, &view.result(0).shape);
        self.0.remove(&result);
        // Where the row itself says all, if not in which order, a program's own reshape may come to the same shape and mean
        // other dims: of `[1, 2] -> [2] -> [1, 2]` the first dim may be heads before and layers behind.
        let is_lost = |row: &&Row| !operand.own.minus(row.meaning.own).is_empty();
        if let Some(row) = self.0.get(&value).filter(is_lost).filter(|row| row.shape == *to) {
            return Some(row.meaning.clone());
        }
        if from.len() > 1 && to.len() == 1 {
            self.0.insert(result, Row { shape: from.clone(), meaning: operand.clone() });
        }
        None
    }

    /// The meaning of the value that was laid in a row, if it was.
    pub(super) fn meaning(&self, value: ValueId) -> Option<&Meaning> {
        Some(&self.0.get(&value)?.meaning)
    }

    /// A gather along the first dims: of those operands that are rows, the results are rows too. `meanings` are those of
    /// the gathered values; those of the rows come back.
    pub(super) fn gathered(&mut self, view: &InstView<'_>, mut meanings: Vec<Meaning>) -> Vec<Meaning> {
        for (index, meaning) in meanings.iter_mut().enumerate() {
            let (value, result) = (view.inst.operands[index], view.inst.results[index]);
            self.0.remove(&result);
            let Some(Row { shape, .. }) = self.0.get(&value) else { continue };
            let mut shape = shape.clone();
            let before = view.operand(index).num_elements().max(1);
            shape[0] *= view.result(index).num_elements() / before;
            let mut flat = Meaning::same(1);
            flat.lose(meaning.varies());
            let meaning = std::mem::replace(meaning, flat);
            self.0.insert(result, Row { shape, meaning });
        }
        meanings
    }

    /// A value that is another one.
    pub(super) fn stands_for(&mut self, value: ValueId, other: ValueId) {
        if let Some(Row { shape, meaning }) = self.0.get(&other) {
            let row = Row { shape: shape.clone(), meaning: meaning.clone() };
            self.0.insert(value, row);
        } else {
            self.0.remove(&value);
        }
    }
}
