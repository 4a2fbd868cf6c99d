//! Between which bounds the integers that a program is given should lie, and why.
//!
//! Input: a verified program. Output: for each argument of its entry function what suits it, where something in the
//! program says so: it is looked up in a table, compared with positions, chosen by. Outside of these bounds JAX's lookups
//! give NaN and its one-hots nothing, so that numbers drawn anyhow test little.
//!
//! Each such reader (`readers`) asks for bounds of what it reads, and these are followed back to arguments
//! (`Walk::back`): through what moves elements, sums with known numbers, loops and branches.
//!
//! Example: `gather %table, (select (compare LT %x, 0), (add %x, 50), %x)` of 50 rows wants `%x` from 0 to 49: the sum
//! only mends negative indices.

use meshwright_ir::expand::expand;
use meshwright_ir::ids::{RegionId, Table, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::branch::Branch;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::constant::splat_of;
use meshwright_ir::ops::integer_ranges::{At, Known, joined, known, moved};
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::ops::slice_dims::SliceDims;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::{Body, Def, InstView, Program};
use meshwright_tensor::literal::{read_f64, read_int};
use meshwright_tensor::types::ElementKind;
use meshwright_transform::inline::inline_calls;
use std::collections::BTreeSet;
use std::fmt;

/// So many values are looked at for one reader.
const MOST_VALUES: usize = 512;
/// Numbers that may be greater are taken to be any.
const LARGE: i128 = 1 << 30;
/// What is multiplied by more is taken for a mask, which hides what it adds so much to.
const HIDES: f64 = 1e4;

/// Numbers that suit an argument, as a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The least number.
    pub low: i64,
    /// The greatest.
    pub high: i64,
    /// Who wants it so.
    pub purpose: Purpose,
}

/// Purposes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Rows of a table of so many are looked up.
    Lookup(usize),
    /// Rows of a table of so many are written.
    Place(usize),
    /// Slices of so many out of so many begin there.
    Start(usize, usize),
    /// It is compared with positions or other numbers of a range, whose ends are these.
    Positions(i64, i64),
    /// One of so many branches is run.
    Branch(usize),
    /// It is moved between these.
    Clamped(i64, i64),
    /// Zeros hide something, ones do not.
    Mask,
    /// It is compared with a number.
    Compared(i64),
}

impl Purpose {
    /// Only the most urgent wishes count.
    fn urgency(self) -> u8 {
        match self {
            Self::Compared(_) => 2,
            Self::Mask => 1,
            _ => 0,
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lookup(rows) => write!(f, "looked up in a table of {rows} rows"),
            Self::Place(rows) => write!(f, "places in a table of {rows} rows"),
            Self::Start(size, all) => write!(f, "starts of slices of {size} out of {all}"),
            Self::Positions(low, high) => write!(f, "compared with {low} to {high}"),
            Self::Branch(count) => write!(f, "chooses among {count} branches"),
            Self::Clamped(low, high) => write!(f, "kept between {low} and {high}"),
            Self::Mask => f.write_str("a mask"),
            Self::Compared(number) => write!(f, "compared with {number}"),
        }
    }
}

/// Ranges that suit the arguments of the entry function; `None` where nothing is known to, or where it is no integer.
pub fn of_arguments(program: &Program) -> Vec<Option<Wanted>> {
    let Some(function) = program.main().and_then(|main| inline_calls(program, &main.name)).map(expand) else {
        return Vec::new();
    };
    let body = &function.body;
    let mut walk = Walk::new(body);
    for inst in body.walk(body.entry()) {
        readers(&body.view(inst), &mut |value, at, bounds, purpose| walk.from(value, at, bounds, purpose));
    }
    walk.found.iter().map(|wishes| suiting(wishes)).collect()
}

/// Numbers between two, these included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    low: i128,
    high: i128,
}

impl Bounds {
    fn new(low: i128, high: i128) -> Self {
        Self { low, high }
    }

    fn of(known: Known) -> Self {
        Self::new(known.low, known.high)
    }

    fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// Whether some type holds them.
    fn fit(self) -> bool {
        self.low >= i128::from(i64::MIN) && self.high <= i128::from(u64::MAX)
    }

    /// Whether they say more than a type does.
    fn are_narrow(self) -> bool {
        self.low > -LARGE && self.high < LARGE
    }

    fn and(self, other: Self) -> Self {
        Self::new(self.low.max(other.low), self.high.min(other.high))
    }

    fn or(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// Of the summands of `count` numbers alike.
    fn shared(self, count: usize) -> Self {
        let count = count.max(1) as i128;
        // A sum of few may be small: the least is rounded down.
        Self::new(self.low.div_euclid(count), self.high.div_euclid(count))
    }
}

/// What the wishes for one argument come to: the most urgent together, as far as they go together.
fn suiting(wishes: &[(Bounds, Purpose)]) -> Option<Wanted> {
    let urgency = wishes.iter().map(|(_, purpose)| purpose.urgency()).min()?;
    let mut left = wishes.iter().filter(|(_, purpose)| purpose.urgency() == urgency);
    let (mut bounds, mut purpose) = *left.next()?;
    for (other, because) in left {
        let both = match because {
            // Whichever number it is compared with, both answers should come up.
            Purpose::Compared(_) => bounds.or(*other),
            _ => bounds.and(*other),
        };
        if !both.is_empty() && both != bounds {
            (bounds, purpose) = (both, *because);
        }
    }
    Some(Wanted { low: i64::try_from(bounds.low).ok()?, high: i64::try_from(bounds.high).ok()?, purpose })
}

/// Tells of every value that an instruction wants to lie between bounds.
fn readers(view: &InstView<'_>, wants: &mut dyn FnMut(ValueId, At, Bounds, Purpose)) {
    let operands = view.inst.operands.as_slice();
    match &view.inst.op {
        Op::Gather(op) => {
            let at = |rows, size| match size {
                1 => Purpose::Lookup(rows),
                size => Purpose::Start(size, rows),
            };
            positions(view, (&op.dims, &op.slice_sizes), 1, &at, wants);
        }
        Op::Scatter(op) => {
            let (table, updates) = (view.operand(0), view.operand(view.num_operands() - 1));
            let mut sizes = vec![1; table.rank()];
            for (dim, window) in op.dims.table_window(table.rank()).into_iter().zip(&op.dims.window) {
                sizes[dim] = updates.shape[*window];
            }
            let at = |rows, size| match size {
                1 => Purpose::Place(rows),
                size => Purpose::Start(size, rows),
            };
            positions(view, (&op.dims, &sizes), view.num_operands() / 2, &at, wants);
        }
        Op::DynamicSlice(op) => starts(view, &op.sizes, 1, wants),
        Op::DynamicUpdateSlice(_) => starts(view, &view.operand(1).shape, 2, wants),
        Op::Branch(Branch::Case) => {
            let count = view.inst.regions.len();
            wants(operands[0], None, Bounds::new(0, count as i128 - 1), Purpose::Branch(count));
        }
        Op::Clamp(_) => {
            let of = |operand| Bounds::of(known(view.body, operand, None));
            let (low, high) = (of(operands[0]), of(operands[2]));
            let bounds = Bounds::new(low.low, high.high);
            if bounds.are_narrow() && !bounds.is_empty() {
                wants(operands[1], None, bounds, Purpose::Clamped(low.low as i64, high.high as i64));
            }
        }
        Op::Compare(op) => {
            for (one, other) in [(0, 1), (1, 0)] {
                compared(view, op.direction, one, other, wants);
            }
        }
        Op::Binary(Binary::Subtract) if number(view, 0) == Some(1.0) => {
            wants(operands[1], None, Bounds::new(0, 1), Purpose::Mask);
        }
        Op::Binary(Binary::Subtract) if number(view, 1) == Some(1.0) && is_float(view) => {
            wants(operands[0], None, Bounds::new(0, 1), Purpose::Mask);
        }
        Op::Binary(Binary::Multiply) if is_float(view) => {
            for (one, other) in [(0, 1), (1, 0)] {
                if number(view, other).is_some_and(|number| number.abs() >= HIDES) {
                    wants(operands[one], None, Bounds::new(0, 1), Purpose::Mask);
                }
            }
        }
        _ => {}
    }
}

fn is_float(view: &InstView<'_>) -> bool {
    view.operand(0).element.kind() == ElementKind::Float
}

/// The number that an operand repeats.
fn number(view: &InstView<'_>, index: usize) -> Option<f64> {
    let literal = splat_of(view, index)?;
    let bytes = literal.splat_bytes()?;
    match literal.ty.element.kind() {
        ElementKind::Float => Some(read_f64(bytes, literal.ty.element)),
        ElementKind::Complex => None,
        _ => Some(read_int(bytes, literal.ty.element) as f64),
    }
}

/// The index vectors of a lookup or of what writes into a table, component by component.
fn positions(
    view: &InstView<'_>,
    (dims, sizes): (&SliceDims, &[usize]),
    indices: usize,
    purpose: &dyn Fn(usize, usize) -> Purpose,
    wants: &mut dyn FnMut(ValueId, At, Bounds, Purpose),
) {
    let vector_dim = dims.index_vector_dim;
    let has_components = vector_dim < view.operand(indices).rank();
    for (component, dim) in dims.index_map.iter().enumerate() {
        let (rows, size) = (view.operand(0).shape[*dim], sizes[*dim]);
        let bounds = Bounds::new(0, rows as i128 - size as i128);
        let at = has_components.then_some((vector_dim, component));
        wants(view.inst.operands[indices], at, bounds, purpose(rows, size));
    }
}

/// The start indices of a slice, which are operands from `first` on. Of dims that are taken whole any will do.
fn starts(
    view: &InstView<'_>,
    sizes: &[usize],
    first: usize,
    wants: &mut dyn FnMut(ValueId, At, Bounds, Purpose),
) {
    for (dim, (whole, size)) in view.operand(0).shape.iter().zip(sizes).enumerate() {
        if size < whole {
            let bounds = Bounds::new(0, *whole as i128 - *size as i128);
            wants(view.inst.operands[first + dim], None, bounds, Purpose::Start(*size, *whole));
        }
    }
}

/// What a comparison wants of one side: of positions that it is one of them, of a number that both answers come up.
fn compared(
    view: &InstView<'_>,
    direction: Direction,
    one: usize,
    other: usize,
    wants: &mut dyn FnMut(ValueId, At, Bounds, Purpose),
) {
    let value = view.inst.operands[one];
    let is_equality = matches!(direction, Direction::Equal | Direction::NotEqual);
    if let Some(number) = number(view, other) {
        // Of most numbers it matters little whether they are zero or below.
        if number.abs() < LARGE as f64 && number != 0.0 {
            let bounds = Bounds::new((number.floor() as i128).min(0), (number.ceil() as i128).max(1));
            wants(value, None, bounds, Purpose::Compared(number as i64));
        }
        return;
    }
    if is_float(view) {
        return;
    }
    let range = Bounds::of(known(view.body, view.inst.operands[other], None));
    if range.are_narrow() && range.low < range.high {
        let purpose = Purpose::Positions(range.low as i64, range.high as i64);
        // Lengths are compared with positions below them.
        let bounds = if is_equality { range } else { Bounds::new(range.low, range.high + 1) };
        wants(value, None, bounds, purpose);
    }
}

/// Follows wishes back to arguments.
struct Walk<'a> {
    body: &'a Body,
    /// The instruction that each region is part of.
    owners: Table<RegionId, Option<InstView<'a>>>,
    found: Vec<Vec<(Bounds, Purpose)>>,
}

/// A value of which the elements at a place should lie between bounds.
type Wish = (ValueId, At, Bounds);

impl<'a> Walk<'a> {
    fn new(body: &'a Body) -> Self {
        let mut owners = Table::filled(None, body.regions.len());
        for inst in body.walk(body.entry()) {
            for region in &body.insts[inst].regions {
                owners[*region] = Some(body.view(inst));
            }
        }
        Self { body, owners, found: vec![Vec::new(); body.regions[body.entry()].args.len()] }
    }

    /// From one reader to all arguments behind it.
    fn from(&mut self, value: ValueId, at: At, bounds: Bounds, purpose: Purpose) {
        if bounds.is_empty() {
            return;
        }
        let mut seen: BTreeSet<(ValueId, At)> = BTreeSet::new();
        let mut pending: Vec<Wish> = vec![(value, at, bounds)];
        while let Some((value, at, bounds)) = pending.pop() {
            if bounds.is_empty() || !bounds.fit() || seen.len() == MOST_VALUES || !seen.insert((value, at)) {
                continue;
            }
            match self.body.values[value].def {
                Def::Argument(region, index) => match &self.owners[region] {
                    None => {
                        let ty = self.body.ty(value).as_tensor();
                        let is_integer = |kind| matches!(kind, ElementKind::Signed | ElementKind::Unsigned);
                        if ty.is_some_and(|ty| is_integer(ty.element.kind())) {
                            self.found[index].push((bounds, purpose));
                        }
                    }
                    Some(owner) => carried(owner, index, |value| pending.push((value, None, bounds))),
                },
                Def::Result(inst, result) => {
                    let view = self.body.view(inst);
                    match view.inst.op.data_flow() {
                        // What is computed of a mask is none.
                        DataFlow::None if purpose == Purpose::Mask => {
                            pending.extend(moved(&view, at).map(|(operand, at)| (operand, at, bounds)));
                        }
                        DataFlow::None => self.back(&view, result, at, bounds, &mut pending),
                        DataFlow::Identity => pending.push((view.inst.operands[result], at, bounds)),
                        DataFlow::Loop => carried(&view, result, |value| pending.push((value, at, bounds))),
                        DataFlow::Branches | DataFlow::Region => {
                            let ends = (0..view.inst.regions.len()).map(|region| view.returned(region));
                            pending.extend(ends.filter_map(|end| Some((*end.get(result)?, at, bounds))));
                        }
                    }
                }
            }
        }
    }

    /// From a result of an instruction to what it is made of.
    fn back(&self, view: &InstView<'_>, result: usize, at: At, bounds: Bounds, pending: &mut Vec<Wish>) {
        if let Some((operand, at)) = moved(view, at) {
            return pending.push((operand, at, bounds));
        }
        let operands = view.inst.operands.as_slice();
        match &view.inst.op {
            Op::Concatenate(op) => {
                let parts = joined(view, op.dim, at);
                pending.extend(parts.into_iter().map(|(operand, at)| (operand, at, bounds)));
            }
            Op::ShardingConstraint(_) | Op::PropagationBarrier(_) => pending.push((operands[0], at, bounds)),
            // Elements are taken from anywhere.
            Op::Sort(_) => pending.push((operands[result], None, bounds)),
            Op::Reverse(_) | Op::DynamicSlice(_) | Op::Gather(_) => pending.push((operands[0], None, bounds)),
            Op::DynamicUpdateSlice(_) | Op::Pad(_) => {
                pending.extend(operands[..2].iter().map(|operand| (*operand, None, bounds)));
            }
            Op::Select(_) => {
                let branches = [operands[1], operands[2]];
                for (one, other) in [(0, 1), (1, 0)] {
                    if !self.is_moved_by_a_number(branches[one], branches[other]) {
                        pending.push((branches[one], at, bounds));
                    }
                }
            }
            // What lies outside is moved to where it may be.
            Op::Clamp(_) => pending.push((operands[1], at, bounds)),
            Op::Unary(Unary::Negate) => {
                pending.push((operands[0], at, Bounds::new(-bounds.high, -bounds.low)));
            }
            Op::Unary(Unary::Abs) => pending.push((operands[0], at, bounds.and(Bounds::new(0, i128::MAX)))),
            Op::Unary(Unary::Floor | Unary::Ceil | Unary::RoundEven | Unary::RoundAway) => {
                pending.push((operands[0], at, bounds));
            }
            Op::Binary(op) => self.binary(*op, view, at, bounds, pending),
            Op::Reduce(op) if operands.len() == 2 => {
                let count = op.dims.iter().map(|dim| view.operand(0).shape[*dim]).product();
                self.reduced(view, count, bounds, pending);
            }
            Op::ReduceWindow(op) if operands.len() == 2 => {
                self.reduced(view, op.sizes.iter().product(), bounds, pending);
            }
            _ => {}
        }
    }

    /// Whether one value is another one and a known number, as the index is that a negative one stands for.
    fn is_moved_by_a_number(&self, value: ValueId, other: ValueId) -> bool {
        let Def::Result(inst, 0) = self.body.values[value].def else { return false };
        let view = self.body.view(inst);
        let is_sum = matches!(view.inst.op, Op::Binary(Binary::Add | Binary::Subtract));
        let sides = view.inst.operands.iter().enumerate();
        is_sum && sides.clone().any(|(side, operand)| *operand == other && number(&view, 1 - side).is_some())
    }

    fn reduced(&self, view: &InstView<'_>, count: usize, bounds: Bounds, pending: &mut Vec<Wish>) {
        let bounds = match reducer(view.body, view.region(0)) {
            Some(Binary::Add) => bounds.shared(count),
            Some(Binary::Minimum | Binary::Maximum) => bounds,
            _ => return,
        };
        pending.push((view.inst.operands[0], None, bounds));
    }

    fn binary(&self, op: Binary, view: &InstView<'_>, at: At, bounds: Bounds, pending: &mut Vec<Wish>) {
        let operands = view.inst.operands.as_slice();
        for (one, other) in [(0, 1), (1, 0)] {
            let number = number(view, other).map(|number| number as i128);
            let by = match number {
                Some(number) => Bounds::new(number, number),
                None => Bounds::of(known(self.body, operands[other], at)),
            };
            let is_left = one == 0;
            let wanted = match (op, number) {
                (Binary::Minimum | Binary::Maximum, _) => bounds,
                (Binary::Add, _) if by.are_narrow() => {
                    Bounds::new(bounds.low - by.low, bounds.high - by.high)
                }
                (Binary::Add, _) => bounds.shared(2),
                (Binary::Subtract, _) if is_left && by.are_narrow() => {
                    Bounds::new(bounds.low + by.high, bounds.high + by.low)
                }
                (Binary::Subtract, _) if !is_left && by.are_narrow() => {
                    Bounds::new(by.high - bounds.high, by.low - bounds.low)
                }
                (Binary::Multiply, Some(number @ 1..LARGE)) => {
                    Bounds::new((bounds.low + number - 1).div_euclid(number), bounds.high.div_euclid(number))
                }
                (Binary::Divide, Some(number @ 1..LARGE)) if is_left => {
                    Bounds::new(bounds.low * number, (bounds.high + 1) * number - 1)
                }
                (Binary::ShiftRightArithmetic | Binary::ShiftRightLogical, Some(bits @ 0..32)) if is_left => {
                    Bounds::new(bounds.low << bits, ((bounds.high + 1) << bits) - 1)
                }
                _ => continue,
            };
            pending.push((operands[one], at, wanted));
        }
    }
}

/// What a value that an instruction carries through its regions is made of: what it was before, and what a turn of the
/// loop makes of it.
fn carried(view: &InstView<'_>, index: usize, mut tell: impl FnMut(ValueId)) {
    if let Some(operand) = view.inst.operands.get(index) {
        tell(*operand);
    }
    let last = view.inst.regions.len().saturating_sub(1);
    if view.inst.op.data_flow() == DataFlow::Loop
        && let Some(returned) = view.returned(last).get(index)
    {
        tell(*returned);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;

    /// What suits the arguments of a function, its name and parentheses included, and why.
    fn wanted(text: &str) -> Vec<String> {
        let source = Source::new("wanted.mlir", format!("func.func @main{text}"));
        let program = meshwright_ir::text::read(&source).expect("a program");
        meshwright_ir::verify::verify(&program).expect("a right one");
        let told = |own: Option<Wanted>| {
            own.map_or("anything".into(), |own| format!("{}..={} {}", own.low, own.high, own.purpose))
        };
        of_arguments(&program).into_iter().map(told).collect()
    }

    #[test]
    fn components_of_an_index_have_bounds_of_their_own() {
        let found = wanted(
            r#"(%t: tensor<6x80xf32>, %a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xf32> {
            %0 = stablehlo.iota dim = 0 : tensor<4xi32>
            %c = stablehlo.constant dense<20> : tensor<4xi32>
            %1 = stablehlo.multiply %0, %c : tensor<4xi32>
            %2 = stablehlo.add %1, %b : tensor<4xi32>
            %3 = stablehlo.reshape %a : (tensor<4xi32>) -> tensor<4x1xi32>
            %4 = stablehlo.reshape %2 : (tensor<4xi32>) -> tensor<4x1xi32>
            %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
            %6 = "stablehlo.gather"(%t, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
              start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
              : (tensor<6x80xf32>, tensor<4x2xi32>) -> tensor<4xf32>
            return %6 : tensor<4xf32>
        }"#,
        );
        // Twenty rows for each of four.
        assert_eq!(
            found,
            ["anything", "0..=5 looked up in a table of 6 rows", "0..=19 looked up in a table of 80 rows"]
        );
    }

    #[test]
    fn loops_and_negative_indices_are_seen_through() {
        let found = wanted(
            r#"(%x: tensor<32xf32>, %start: tensor<i32>, %turns: tensor<i32>) -> tensor<f32> {
            %zero = stablehlo.constant dense<0> : tensor<i32>
            %sum = stablehlo.constant dense<0.0> : tensor<f32>
            %0:4 = stablehlo.while(%i = %zero, %at = %start, %y = %sum, %n = %turns)
              : tensor<i32>, tensor<i32>, tensor<f32>, tensor<i32>
            cond {
              %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %1 : tensor<i1>
            } do {
              %one = stablehlo.constant dense<1> : tensor<i32>
              %all = stablehlo.constant dense<32> : tensor<i32>
              %1 = stablehlo.compare LT, %at, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
              %2 = stablehlo.add %at, %all : tensor<i32>
              %3 = stablehlo.select %1, %2, %at : tensor<i1>, tensor<i32>
              %4 = stablehlo.dynamic_slice %x, %3, sizes = [1] : (tensor<32xf32>, tensor<i32>) -> tensor<1xf32>
              %5 = stablehlo.reshape %4 : (tensor<1xf32>) -> tensor<f32>
              %6 = stablehlo.add %y, %5 : tensor<f32>
              %7 = stablehlo.add %i, %one : tensor<i32>
              stablehlo.return %7, %at, %6, %n : tensor<i32>, tensor<i32>, tensor<f32>, tensor<i32>
            }
            return %0#2 : tensor<f32>
        }"#,
        );
        assert_eq!(found, ["anything", "0..=31 starts of slices of 1 out of 32", "anything"]);
    }

    #[test]
    fn masks_are_zero_or_one_and_steps_are_not() {
        let found = wanted(
            r#"(%mask: tensor<4xi32>, %step: tensor<i32>, %kind: tensor<4xi32>) -> (tensor<4xf32>, tensor<f32>, tensor<4xi1>) {
            %one = stablehlo.constant dense<1.0> : tensor<4xf32>
            %0 = stablehlo.convert %mask : (tensor<4xi32>) -> tensor<4xf32>
            %1 = stablehlo.subtract %one, %0 : tensor<4xf32>
            %all = stablehlo.constant dense<1.0> : tensor<f32>
            %c = stablehlo.constant dense<100.0> : tensor<f32>
            %2 = stablehlo.convert %step : (tensor<i32>) -> tensor<f32>
            %3 = stablehlo.divide %2, %c : tensor<f32>
            %4 = stablehlo.subtract %all, %3 : tensor<f32>
            %three = stablehlo.constant dense<3> : tensor<4xi32>
            %5 = stablehlo.compare EQ, %kind, %three : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
            return %1, %4, %5 : tensor<4xf32>, tensor<f32>, tensor<4xi1>
        }"#,
        );
        assert_eq!(found, ["0..=1 a mask", "anything", "0..=3 compared with 3"]);
    }

    #[test]
    fn wishes_that_do_not_go_together_are_left_out() {
        let wish = |low, high, purpose| (Bounds::new(low, high), purpose);
        let found = suiting(&[
            wish(0, 1, Purpose::Mask),
            wish(0, 9, Purpose::Lookup(10)),
            wish(20, 30, Purpose::Clamped(20, 30)),
            wish(0, 4, Purpose::Branch(5)),
        ]);
        assert_eq!(found, Some(Wanted { low: 0, high: 4, purpose: Purpose::Branch(5) }));
        let found = suiting(&[wish(0, 5, Purpose::Compared(5)), wish(0, 7, Purpose::Compared(7))]);
        assert_eq!(found, Some(Wanted { low: 0, high: 7, purpose: Purpose::Compared(7) }));
    }
}
