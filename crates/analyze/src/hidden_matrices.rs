//! Parameters that are matrices between hidden values, as optimizers of matrices (Muon) want them.
//!
//! Input: a function with calls inlined that computes a loss, and which arguments are trained. Output: those of them that
//! are factors of products, the other factor of which depends on something trained, and of which something trained is a
//! factor again behind them. That leaves out what is looked up in (embeddings), what multiplies data as it comes (input
//! layers, embeddings by one-hot vectors), what makes the scores (output heads), and what is in no product (gains, biases,
//! tables of positions that are added). A table that is an embedding and a head both is one no more.
//!
//! ```text
//! scores = head (w2 tanh (w1 (rows of table by tokens)))        w1 and w2
//! ```

use crate::flow::{Marks, Sources, downstream, upstream, whole_insts};
use crate::roles::{contracted, is_lookup};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::ShardingRule;
use std::collections::BTreeSet;

/// The value depends on arguments that are not trained.
const FED: Marks = 1;
/// The value depends on arguments that are.
const TRAINED: Marks = 2;

/// What a trained argument is to a product or a lookup.
enum Use {
    /// A factor between hidden values.
    Hidden,
    /// Anything at an end of the network.
    End,
}

/// Those of the trained arguments, given by their positions, that are matrices between hidden values, in the order given.
pub fn hidden_matrices(function: &Function, trained: &[usize]) -> Vec<usize> {
    let body = &function.body;
    let mut marks = Table::filled(0, body.values.len());
    for (index, argument) in function.args().iter().enumerate() {
        marks[*argument] = if trained.contains(&index) { TRAINED } else { FED };
    }
    let marks = downstream(body, marks);
    let sources = Sources::new(body);
    let (mut hidden, mut ends) = (BTreeSet::new(), BTreeSet::new());
    for (value, role) in uses(body, &marks) {
        let arguments = made_of(body, &sources, value);
        match role {
            Use::Hidden => hidden.extend(arguments),
            Use::End => ends.extend(arguments),
        }
    }
    let is_hidden = |index: &usize| {
        let argument = function.args()[*index];
        hidden.contains(&argument) && !ends.contains(&argument)
    };
    trained.iter().copied().filter(is_hidden).collect()
}

/// Values that depend on nothing but what is trained and are read by a product or a lookup, with what they are there.
fn uses(body: &Body, marks: &Table<ValueId, Marks>) -> Vec<(ValueId, Use)> {
    let is_weight = |value: &&ValueId| marks[**value] == TRAINED;
    let (mut products, mut uses) = (Vec::<InstId>::new(), Vec::new());
    for id in whole_insts(body, body.entry()) {
        let (inst, rule) = (&body.insts[id], body.insts[id].op.rule(&body.view(id)));
        if is_lookup(&rule) {
            uses.extend(inst.operands.iter().filter(is_weight).map(|value| (*value, Use::End)));
        } else if is_product(&inst.op, &rule) && inst.operands.iter().any(|value| is_weight(&value)) {
            products.push(id);
        }
    }
    let mut read = Table::filled(0, body.values.len());
    for id in &products {
        body.insts[*id].operands.iter().for_each(|operand| read[*operand] = 1);
    }
    let reaches = upstream(body, read);
    for id in products {
        let inst = &body.insts[id];
        let goes_on = inst.results.iter().any(|result| reaches[*result] != 0);
        for (position, value) in inst.operands.iter().enumerate().filter(|(_, value)| is_weight(value)) {
            let mut others = inst.operands.iter().enumerate().filter(|(other, _)| *other != position);
            let is_behind_another = others.any(|(_, other)| marks[*other] & TRAINED != 0);
            uses.push((*value, if goes_on && is_behind_another { Use::Hidden } else { Use::End }));
        }
    }
    uses
}

/// Whether an instruction multiplies matrices: a scan sums over what it reads, too, but its rates are no matrix.
fn is_product(op: &Op, rule: &ShardingRule) -> bool {
    !matches!(op, Op::SelectiveScan(_)) && !contracted(rule).is_empty()
}

/// The arguments of the function that a value is made of.
fn made_of(body: &Body, sources: &Sources<'_>, value: ValueId) -> BTreeSet<ValueId> {
    let (mut found, mut seen, mut pending) = (BTreeSet::new(), BTreeSet::new(), vec![value]);
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match (sources.handed_over(value), body.values[value].def) {
            (Some(from), _) => pending.extend(from),
            (None, Def::Result(id, _)) => pending.extend(&body.insts[id].operands),
            (None, Def::Argument(region, _)) if region == body.entry() => {
                found.insert(value);
            }
            (None, Def::Argument(..)) => {}
        }
    }
    found
}
