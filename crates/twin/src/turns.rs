//! Loops over layers that are alike, in fewer turns.
//!
//! Input: functions, and how many turns each of their loops is to have. Output: what loops go through ([`Turns`]), and a
//! function with shorter ones ([`shorten`]). Only a loop that goes through whole stacks, a part in each turn, can be
//! shorter: its turns are a dim of the stacks, and so a size like any other. Its bound and the places at which it goes
//! through stacks from their end get numbers of their own.
//!
//! ```text
//! while(%i = 0, ..) of 32                              of 3
//!   %w = dynamic_slice %ws, %i, 0                      the same
//!   %r = dynamic_slice %rs, %at, 0     at = 31 - %i    at %at - 29
//! ```

use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::{Access, Counter, Way, counter, scan};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::constant::Constant;
use meshwright_ir::program::{Body, Def, Function, InstView};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

/// Turns of a loop through layers that are alike: a first and a last one, and one that is neither.
pub(crate) const LEAST_TURNS: usize = 3;

/// A loop that goes through stacks.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    /// The loop.
    pub(crate) inst: InstId,
    counter: Counter,
    /// Its parts of stacks.
    pub(crate) accesses: Vec<Access>,
}

impl Turns {
    /// All loops of a function that go through whole stacks and may have fewer turns.
    pub(crate) fn all(function: &Function) -> Vec<Self> {
        let body = &function.body;
        body.walk(body.entry()).into_iter().filter_map(|inst| Self::of(body.view(inst))).collect()
    }

    fn of(view: InstView<'_>) -> Option<Self> {
        let found = scan(view)?;
        let (counter, count) = (found.counter, i64::try_from(found.counter.trip_count).ok()?);
        bound(&view, counter, counter.trip_count)?;
        let is_through_all = |access: &Access| {
            let stack = view.body.ty(access.stack).as_tensor();
            let is_whole = stack.is_some_and(|stack| stack.shape[access.dim] as i64 == count);
            let at = (access.at.factor, access.at.offset);
            is_whole && access.size == 1 && (at == (1, 0) || at == (-1, count - 1))
        };
        let is_longer = found.counter.trip_count > LEAST_TURNS as u64 && !found.accesses.is_empty();
        (is_longer && found.accesses.iter().all(is_through_all)).then_some(Self {
            inst: view.id,
            counter,
            accesses: found.accesses,
        })
    }

    /// How many turns it has.
    pub(crate) fn count(&self) -> usize {
        self.counter.trip_count as usize
    }
}

/// What a counter is compared with where its loop has so many turns: the comparison, which operand of it, and the number.
fn bound(view: &InstView<'_>, counter: Counter, turns: u64) -> Option<(InstId, usize, i64)> {
    let body = view.body;
    let condition = *view.inst.regions.first()?;
    let decides = *body.terminator(condition)?.operands.first()?;
    let Def::Result(inst, _) = body.values[decides].def else { return None };
    let Op::Compare(compare) = &body.insts[inst].op else { return None };
    let count = *body.regions[condition].args.get(counter.index)?;
    let operand = body.insts[inst].operands.iter().position(|operand| *operand != count)?;
    let turns = i64::try_from(turns).ok()?;
    let behind = match compare.direction {
        Direction::Less | Direction::Greater | Direction::NotEqual => turns,
        Direction::LessEqual | Direction::GreaterEqual => turns - 1,
        Direction::Equal => return None,
    };
    let number = counter.start.checked_add(counter.step.checked_mul(behind)?)?;
    Some((inst, operand, number))
}

/// Gives a loop of a function so many turns; nothing where that leaves it with others. Types are those of the shorter stacks
/// already.
pub(crate) fn shorten(body: &mut Body, loop_: &Turns, turns: usize) -> Option<()> {
    let (compare, operand, number) = bound(&body.view(loop_.inst), loop_.counter, turns as u64)?;
    let [condition, step] = *body.insts[loop_.inst].regions.as_slice() else { return None };
    let of = body.insts[compare].operands[operand];
    let number = constant(body, condition, compare, of, number);
    body.insts[compare].operands[operand] = number;
    let fewer = (loop_.count() - turns) as i64;
    // Parts that begin at one number begin at one again.
    let mut known: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for access in loop_.accesses.iter().filter(|access| access.at.factor < 0) {
        let place = access.dim + if access.way == Way::Read { 1 } else { 2 };
        let start = body.insts[access.inst].operands[place];
        let start = *known.entry(start).or_insert_with(|| {
            let fewer = constant(body, step, access.inst, start, fewer);
            let ty = body.ty(start).clone();
            insert(body, step, access.inst, Binary::Subtract.into(), vec![start, fewer], ty)
        });
        body.insts[access.inst].operands[place] = start;
    }
    (counter(&body.view(loop_.inst))?.trip_count == turns as u64).then_some(())
}

/// A number of the type of another value, in front of an instruction.
fn constant(body: &mut Body, region: RegionId, before: InstId, like: ValueId, number: i64) -> ValueId {
    let ty = body.ty(like).as_tensor().expect("an index is a tensor").clone();
    let value = Literal::splat(ty.clone(), number as f64);
    insert(body, region, before, Constant { value }.into(), Vec::new(), ty.into())
}

/// The result of a new instruction, in front of another one.
fn insert(
    body: &mut Body,
    region: RegionId,
    before: InstId,
    op: Op,
    operands: Vec<ValueId>,
    ty: Type,
) -> ValueId {
    let span = body.insts[before].span;
    let new = body.append(region, op, operands, Vec::new(), vec![ty], span);
    let insts = &mut body.regions[region].insts;
    insts.pop();
    let place = insts.iter().position(|inst| *inst == before).unwrap_or(insts.len());
    insts.insert(place, new);
    body.insts[new].results[0]
}
