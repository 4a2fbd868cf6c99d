//! Numbers of instructions, the same for those that do the same with other values.
//!
//! Input: a body. Output: a number for each instruction, by its op, its attributes, its types and what is inside of it.

use meshwright_ir::attribute::Attributes;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::Body;
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;

/// What two instructions that do the same have in common.
#[derive(PartialEq, Eq, Hash)]
struct Key<'a> {
    op: &'a Op,
    attributes: &'a Attributes,
    operands: Vec<&'a Type>,
    results: Vec<&'a Type>,
    /// Contents of its regions, in which what is made inside has numbers.
    inside: Vec<Token<'a>>,
}

#[derive(PartialEq, Eq, Hash)]
enum Token<'a> {
    Argument(&'a Type),
    Inst(usize),
    /// A value that was made inside before.
    Own(usize),
    Around,
    End,
}

/// Numbers instructions.
pub(super) struct Numbers<'a> {
    body: &'a Body,
    known: FxHashMap<Key<'a>, usize>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(body: &'a Body) -> Self {
        Self { body, known: FxHashMap::default() }
    }

    /// The number of an instruction.
    pub(super) fn of(&mut self, inst: InstId) -> usize {
        let content = &self.body.insts[inst];
        let mut inside = Vec::new();
        let mut own = FxHashMap::default();
        for region in &content.regions {
            self.region(*region, &mut own, &mut inside);
        }
        let body = self.body;
        let types = |values: &'a [ValueId]| values.iter().map(|value| body.ty(*value)).collect();
        let key = Key {
            op: &content.op,
            attributes: &content.attributes,
            operands: types(&content.operands),
            results: types(&content.results),
            inside,
        };
        let next = self.known.len();
        *self.known.entry(key).or_insert(next)
    }

    fn region(&mut self, region: RegionId, own: &mut FxHashMap<ValueId, usize>, tokens: &mut Vec<Token<'a>>) {
        let body = self.body;
        for arg in &body.regions[region].args {
            own.insert(*arg, own.len());
            tokens.push(Token::Argument(body.ty(*arg)));
        }
        for inst in &body.regions[region].insts {
            let content = &body.insts[*inst];
            tokens.push(Token::Inst(self.of(*inst)));
            tokens.extend(content.operands.iter().map(|value| match own.get(value) {
                Some(number) => Token::Own(*number),
                None => Token::Around,
            }));
            for region in &content.regions {
                self.region(*region, own, tokens);
            }
            for result in &content.results {
                own.insert(*result, own.len());
            }
        }
        tokens.push(Token::End);
    }
}
