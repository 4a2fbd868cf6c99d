//! Value numbering: which values of a function surely hold the same numbers, whatever was written twice.
//!
//! Input: a function with calls inlined. Output: a [`Numbering`]. Values of one number are equal; values of two numbers
//! may be equal too. Barriers are looked through, so that what was recomputed on purpose has the number of what it
//! recomputes.
//!
//! Values in a loop are numbered as functions of the iteration: the *position* that counts up from 0. A loop that stacks
//! what it makes at its position (as `scan` does) and another loop that reads the stack at its own position, counting
//! up or down, speak of the same values. So a backward loop over layers that makes the forward loop's activations again
//! gives them the forward loop's numbers:
//!
//! ```text
//! forward:   for p in 0..n { ys[p] = x; h = relu(x * w[p]); x = ... }
//! backward:  for j in 0..n { p = n-1-j; x' = barrier(ys[p]); h' = relu(x' * w[p]); ... }      h' has the number of h
//! ```

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::loops::counter;
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::program::{Body, Def, Function, InstView, Regions};
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;

/// A class of values that hold the same numbers.
pub type Number = usize;

/// The number of each value.
#[derive(Clone, Debug)]
pub struct Numbering {
    of: Table<ValueId, Number>,
}

impl Numbering {
    /// Numbers all values of a verified function.
    pub fn new(function: &Function) -> Self {
        let body = &function.body;
        let mut numberer = Numberer {
            body,
            known: FxHashMap::default(),
            facts: Vec::new(),
            of: Table::filled(usize::MAX, body.values.len()),
            loops: Vec::new(),
            num_parameters: 0,
        };
        for (index, arg) in function.args().iter().enumerate() {
            numberer.of[*arg] = numberer.number(Key::Argument(index));
        }
        numberer.region(body.entry());
        Self { of: numberer.of }
    }

    /// The number of a value.
    pub fn of(&self, value: ValueId) -> Number {
        self.of[value]
    }
}

/// Loops inside so many others are not looked into: each level takes two or three times the work.
const DEEPEST: usize = 4;

/// What makes two values the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key<'a> {
    /// An argument of the function.
    Argument(usize),
    /// A value that is like no other.
    Fresh(ValueId),
    /// The iteration of the loop at a depth, counted up, or down to 0 (`is_mirrored`).
    Position { depth: usize, trips: u64, is_mirrored: bool },
    /// What a loop carries, while it is compared with others.
    Symbol { depth: usize, index: usize },
    /// An argument of a function of single elements; they are numbered by how deep they are nested.
    Parameter(usize),
    /// What a loop carries, at its position.
    Carried { made_by: Number, index: usize },
    /// A whole loop: what it starts from, and what its regions return.
    Loop { inits: Vec<Number>, returned: Vec<Vec<Number>> },
    /// The same elements in another shape.
    Reshaped { source: Number, ty: &'a Type },
    /// A result of an op.
    Result {
        op: &'a Op,
        index: usize,
        operands: Vec<Number>,
        types: Vec<&'a Type>,
        returned: Vec<Vec<Number>>,
    },
}

/// What is known of a number.
#[derive(Clone, Debug, Default)]
struct Fact<'a> {
    /// It is `factor` times the ordinal of the iteration of the innermost loop, plus `offset`; a factor of 0: a constant.
    affine: Option<Affine>,
    /// Along its first dim it holds this value at every position of a loop of so many turns, at this depth.
    stack: Option<(Number, u64, usize)>,
    /// The op, and the numbers of what it reads.
    made: Option<(&'a Op, Vec<Number>)>,
    /// What it was before it took another shape, and that shape.
    before: Option<(Number, &'a Type)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Affine {
    factor: i64,
    offset: i64,
    /// The loop, by its depth; of no meaning for constants.
    depth: usize,
}

/// A loop around what is numbered.
#[derive(Clone, Copy, Debug)]
struct Around {
    trips: u64,
    /// Whether its position counts down as it turns.
    is_mirrored: bool,
    /// How often something was read or written at the position, and at its mirror image.
    at_position: usize,
    at_mirror: usize,
}

struct Numberer<'a> {
    body: &'a Body,
    known: FxHashMap<Key<'a>, Number>,
    facts: Vec<Fact<'a>>,
    of: Table<ValueId, Number>,
    loops: Vec<Around>,
    num_parameters: usize,
}

impl<'a> Numberer<'a> {
    fn number(&mut self, key: Key<'a>) -> Number {
        let facts = &mut self.facts;
        *self.known.entry(key).or_insert_with(|| {
            facts.push(Fact::default());
            facts.len() - 1
        })
    }

    fn numbers(&self, values: &[ValueId]) -> Vec<Number> {
        values.iter().map(|value| self.of[*value]).collect()
    }

    /// Numbers what a region holds; what it returns.
    fn region(&mut self, region: RegionId) -> Vec<Number> {
        let body = self.body;
        for inst in &body.regions[region].insts {
            self.inst(*inst);
        }
        body.terminator(region).map_or_else(Vec::new, |last| self.numbers(&last.operands))
    }

    fn inst(&mut self, id: InstId) {
        let view = self.body.view(id);
        let inst = view.inst;
        if view.regions() == Regions::Loop {
            return self.whole_loop(&view);
        }
        if inst.op.data_flow() == DataFlow::Identity {
            for (operand, result) in inst.operands.iter().zip(&inst.results) {
                self.of[*result] = self.of[*operand];
            }
            return;
        }
        let returned = inst.regions.iter().map(|region| self.inner(*region)).collect();
        if inst.op.has_side_effects() || inst.op.is_collective() {
            inst.results.iter().for_each(|result| self.of[*result] = self.number(Key::Fresh(*result)));
            return;
        }
        let operands = self.numbers(&inst.operands);
        if let Some(known) = self.looked_through(&view, &operands) {
            self.of[inst.results[0]] = known;
            return;
        }
        let key =
            Key::Result { op: &inst.op, index: 0, operands, types: view.result_types().collect(), returned };
        for (number, result) in inst.results.iter().enumerate() {
            let mut key = key.clone();
            if let Key::Result { index, .. } = &mut key {
                *index = number;
            }
            self.of[*result] = self.number(key);
        }
        if let [result] = inst.results.as_slice() {
            let operands = self.numbers(&inst.operands);
            let number = self.of[*result];
            self.facts[number].affine = self.affine(&view, &operands);
            self.facts[number].made = Some((&inst.op, operands));
            self.of[*result] = self.as_position(number);
        }
    }

    /// Numbers a region that is a branch, or a function of single elements.
    fn inner(&mut self, region: RegionId) -> Vec<Number> {
        let args = &self.body.regions[region].args;
        for arg in args {
            self.of[*arg] = self.number(Key::Parameter(self.num_parameters));
            self.num_parameters += 1;
        }
        let returned = self.region(region);
        self.num_parameters -= args.len();
        returned
    }

    /// The number of what an instruction only passes on: another shape of something, or a part of a stack.
    fn looked_through(&mut self, view: &InstView<'a>, operands: &[Number]) -> Option<Number> {
        let [result] = *view.inst.results.as_slice() else { return None };
        let ty = self.body.ty(result);
        match &view.inst.op {
            Op::Reshape(_) => Some(self.reshaped(operands[0], view.body.ty(view.inst.operands[0]), ty)),
            Op::BroadcastInDim(broadcast)
                if broadcast.dims.is_sorted()
                    && view.operand(0).num_elements() == view.result(0).num_elements() =>
            {
                Some(self.reshaped(operands[0], view.body.ty(view.inst.operands[0]), ty))
            }
            Op::DynamicSlice(slice) => {
                let is_one = slice.sizes.first() == Some(&1);
                let mut others = slice.sizes.iter().zip(&view.operand(0).shape).skip(1);
                let position = is_one.then(|| self.position(*operands.get(1)?)).flatten()?;
                self.note(position);
                let (part, trips, depth) = self.facts[operands[0]].stack?;
                let is_whole = others.all(|(size, whole)| size == whole);
                let around = self.loops.last()?;
                (is_whole && !position && trips == around.trips && depth == self.loops.len()).then_some(part)
            }
            Op::DynamicUpdateSlice(_) => {
                if let Some(position) = operands.get(2).and_then(|start| self.position(*start)) {
                    self.note(position);
                }
                None
            }
            // Positions are never below 0, which frontends ask for all the same.
            Op::Select(_) => {
                let (op, read) = self.facts[operands[0]].made.as_ref()?;
                let Op::Compare(compare) = op else { return None };
                let is_below = compare.direction == Direction::Less
                    && read[0] == operands[2]
                    && self.constant(read[1]) == Some(0);
                (is_below && self.position(operands[2]).is_some()).then_some(operands[2])
            }
            _ => None,
        }
    }

    /// The same elements in another shape.
    fn reshaped(&mut self, source: Number, from: &'a Type, to: &'a Type) -> Number {
        let (source, from) = self.facts[source].before.unwrap_or((source, from));
        if from == to {
            return source;
        }
        let number = self.number(Key::Reshaped { source, ty: to });
        self.facts[number].before = Some((source, from));
        number
    }

    /// Notes that something is read or written at the position, or at its mirror image.
    fn note(&mut self, is_mirrored: bool) {
        if let Some(around) = self.loops.last_mut() {
            *(if is_mirrored { &mut around.at_mirror } else { &mut around.at_position }) += 1;
        }
    }

    /// Whether a number is the position of the innermost loop (`false`) or its mirror image (`true`).
    fn position(&self, number: Number) -> Option<bool> {
        let around = self.loops.last()?;
        let Affine { factor, offset, depth } = self.facts[number].affine?;
        let last = i64::try_from(around.trips).ok()? - 1;
        if depth != self.loops.len() {
            return None;
        }
        match (factor, offset) {
            (1, 0) => Some(around.is_mirrored),
            (-1, offset) if offset == last => Some(!around.is_mirrored),
            _ => None,
        }
    }

    /// One number for all that is the position, and one for its mirror image.
    fn as_position(&mut self, number: Number) -> Number {
        let (Some(is_mirrored), Some(around)) = (self.position(number), self.loops.last()) else {
            return number;
        };
        let affine = self.facts[number].affine;
        let key = Key::Position { depth: self.loops.len(), trips: around.trips, is_mirrored };
        let position = self.number(key);
        self.facts[position].affine = affine;
        position
    }

    fn constant(&self, number: Number) -> Option<i64> {
        self.facts[number].affine.filter(|affine| affine.factor == 0).map(|affine| affine.offset)
    }

    /// An integer that follows from the iteration.
    fn affine(&self, view: &InstView<'_>, operands: &[Number]) -> Option<Affine> {
        let tensor = view.inst.results.first().and_then(|result| view.body.ty(*result).as_tensor())?;
        if tensor.num_elements() != 1 || !tensor.element.is_integer() {
            return None;
        }
        let depth = self.loops.len();
        let known = |index: usize| {
            let affine = self.facts[*operands.get(index)?].affine?;
            (affine.factor == 0 || affine.depth == depth).then_some(affine)
        };
        let sum = |a: Affine, b: Affine, sign: i64| {
            let factor = a.factor.checked_add(b.factor.checked_mul(sign)?)?;
            let offset = a.offset.checked_add(b.offset.checked_mul(sign)?)?;
            Some(Affine { factor, offset, depth })
        };
        match &view.inst.op {
            Op::Constant(constant) => match constant.value.to_ints()?.as_slice() {
                [only] => Some(Affine { factor: 0, offset: *only, depth }),
                _ => None,
            },
            Op::Binary(Binary::Add) => sum(known(0)?, known(1)?, 1),
            Op::Binary(Binary::Subtract) => sum(known(0)?, known(1)?, -1),
            Op::Convert(_) => known(0),
            _ => None,
        }
    }

    /// Numbers a loop: at first with symbols for what it carries, to know it again; then for good.
    fn whole_loop(&mut self, view: &InstView<'a>) {
        let inst = view.inst;
        let body = self.body;
        if self.loops.len() >= DEEPEST {
            let inner = inst.regions.iter().flat_map(|region| body.walk(*region));
            let made: Vec<ValueId> =
                inner.flat_map(|inner| body.insts[inner].results.iter().copied()).collect();
            let args = inst.regions.iter().flat_map(|region| body.regions[*region].args.iter().copied());
            for value in args.chain(made).chain(inst.results.iter().copied()).collect::<Vec<_>>() {
                self.of[value] = self.number(Key::Fresh(value));
            }
            return;
        }
        let trips = counter(view).filter(|counter| counter.start == 0 && counter.step == 1);
        let (trips, counts) = trips.map_or((0, None), |counter| (counter.trip_count, Some(counter.index)));
        let inits = self.numbers(&inst.operands);
        let last = inst.regions.len() - 1;
        let body_args = &body.regions[inst.regions[last]].args;
        let passed = view.returned(last);
        let is_kept: Vec<bool> =
            (0..inits.len()).map(|index| passed.get(index) == body_args.get(index)).collect();
        let depth = self.loops.len() + 1;
        let symbol = |index: usize| Key::Symbol { depth, index };
        let mut around = Around { trips, is_mirrored: false, at_position: 0, at_mirror: 0 };
        let mut returned = self.turn(view, &mut around, &inits, &is_kept, counts, &symbol);
        if around.at_mirror > 0 && around.at_position == 0 {
            around.is_mirrored = true;
            returned = self.turn(view, &mut around, &inits, &is_kept, counts, &symbol);
        }
        let made_by = self.number(Key::Loop { inits: inits.clone(), returned });
        let carried = |index: usize| Key::Carried { made_by, index };
        self.turn(view, &mut around, &inits, &is_kept, counts, &carried);
        for (index, result) in inst.results.iter().enumerate() {
            self.of[*result] = if is_kept[index] {
                inits[index]
            } else {
                let key = Key::Result {
                    op: &inst.op,
                    index,
                    operands: vec![made_by],
                    types: Vec::new(),
                    returned: Vec::new(),
                };
                let number = self.number(key);
                if let Some(part) = self.stacked(&around, body_args[index], passed[index]) {
                    self.facts[number].stack = Some((part, trips, depth));
                }
                number
            };
        }
    }

    /// Numbers the regions of a loop, what it carries being as `carried` says; what the regions return.
    fn turn(
        &mut self,
        view: &InstView<'a>,
        around: &mut Around,
        inits: &[Number],
        is_kept: &[bool],
        counts: Option<usize>,
        carried: &dyn Fn(usize) -> Key<'a>,
    ) -> Vec<Vec<Number>> {
        self.loops.push(*around);
        let depth = self.loops.len();
        let mut returned = Vec::with_capacity(view.inst.regions.len());
        for region in &view.inst.regions {
            for (index, arg) in self.body.regions[*region].args.iter().enumerate() {
                self.of[*arg] = if is_kept[index] {
                    inits[index]
                } else {
                    let number = self.number(carried(index));
                    // Loops of one depth share their symbols, but count with others of them.
                    let is_counter = counts == Some(index);
                    self.facts[number].affine = is_counter.then_some(Affine { factor: 1, offset: 0, depth });
                    if is_counter { self.as_position(number) } else { number }
                };
            }
            returned.push(self.region(*region));
        }
        if let Some(after) = self.loops.pop() {
            (around.at_position, around.at_mirror) = (after.at_position, after.at_mirror);
        }
        returned
    }

    /// What a carried value holds at each position, if the loop does nothing but write one part of it per turn there.
    fn stacked(&mut self, around: &Around, arg: ValueId, passed: ValueId) -> Option<Number> {
        let body = self.body;
        let Def::Result(id, _) = body.values[passed].def else { return None };
        let update = body.view(id);
        let Op::DynamicUpdateSlice(_) = update.inst.op else { return None };
        let [stack, part, first, ..] = *update.inst.operands.as_slice() else { return None };
        let (whole, piece) = (body.tensor(stack), body.tensor(part));
        let is_layer = piece.shape.first() == Some(&1)
            && piece.shape[1..] == whole.shape[1..]
            && u64::try_from(whole.shape[0]) == Ok(around.trips);
        self.loops.push(*around);
        let position = self.position(self.of[first]);
        self.loops.pop();
        (stack == arg && is_layer && position == Some(false)).then(|| self.of[part])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::read;

    /// How many different numbers the instructions called `name` make.
    fn different(text: &str, name: &str) -> (usize, usize) {
        let program = read(&Source::new("test", text)).unwrap();
        let function = &program.functions[0];
        let numbering = Numbering::new(function);
        let insts = function.body.insts.values().filter(|inst| inst.op.name() == name);
        let mut numbers: Vec<Number> = insts.map(|inst| numbering.of(inst.results[0])).collect();
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        (numbers.len(), count)
    }

    #[test]
    fn what_is_made_again_behind_a_barrier_is_the_same() {
        let text = "func.func @main(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.dot %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1:2 = stablehlo.optimization_barrier %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
  %2 = stablehlo.dot %1#0, %1#1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.dot %1#1, %1#0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}";
        assert_eq!(different(text, "stablehlo.dot"), (2, 3));
    }

    /// A loop that stacks what it carries, and one that counts down (or up) through the stack.
    fn two_loops(index: &str) -> String {
        format!(
            "func.func @main(%x: tensor<2xf32>, %w: tensor<3x2xf32>, %ys: tensor<3x2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f:3 = stablehlo.while(%i = %zero, %c = %x, %s = %ys) : tensor<i32>, tensor<2xf32>, tensor<3x2xf32>
  cond {{
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %o = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ws = stablehlo.dynamic_slice %w, %i, %o, sizes = [1, 2] : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %wr = stablehlo.reshape %ws : (tensor<1x2xf32>) -> tensor<2xf32>
    %m = stablehlo.multiply %c, %wr : tensor<2xf32>
    %e = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %u = stablehlo.dynamic_update_slice %s, %e, %i, %o : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %m, %u : tensor<i32>, tensor<2xf32>, tensor<3x2xf32>
  }}
  %b:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<2xf32>
  cond {{
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %o = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<3> : tensor<i32>
    %r = stablehlo.subtract %n, %i : tensor<i32>
    %q = stablehlo.subtract %r, %one : tensor<i32>
    %below = stablehlo.compare LT, {index}, %o : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %over = stablehlo.add {index}, %n : tensor<i32>
    %k = stablehlo.select %below, %over, {index} : tensor<i1>, tensor<i32>
    %ws = stablehlo.dynamic_slice %w, %k, %o, sizes = [1, 2] : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %xs = stablehlo.dynamic_slice %f#2, %q, %o, sizes = [1, 2] : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %wr = stablehlo.reshape %ws : (tensor<1x2xf32>) -> tensor<2xf32>
    %xr = stablehlo.reshape %xs : (tensor<1x2xf32>) -> tensor<2xf32>
    %m = stablehlo.multiply %xr, %wr : tensor<2xf32>
    %d = stablehlo.add %c, %m : tensor<2xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %d : tensor<i32>, tensor<2xf32>
  }}
  return %f#1, %b#1 : tensor<2xf32>, tensor<2xf32>
}}"
        )
    }

    #[test]
    fn a_backward_loop_makes_the_values_of_the_forward_loop_again() {
        assert_eq!(different(&two_loops("%q"), "stablehlo.multiply"), (1, 2));
    }

    #[test]
    fn other_layers_are_other_values() {
        // The stack is read from its end, the weights from their beginning.
        assert_eq!(different(&two_loops("%i"), "stablehlo.multiply"), (2, 2));
    }
}
