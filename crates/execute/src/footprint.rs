//! How much memory of this host a run takes, found out before it runs.
//!
//! Input: a verified program and a precision. Output: a [`Footprint`]. It follows the interpreter through the program:
//! a tensor lives from the instruction that makes it to its last reader ([`crate::liveness`]), in the storage of the
//! precision, and an instruction may write over an operand of the same size that it reads for the last time.
//! What moves elements without computing (a transpose, a slice, a broadcast) shares the memory of its operand, as
//! host tensors do. Of a loop it counts one turn, of a conditional its largest branch. Scratch memory of kernels is not
//! counted, so the figure is what a run takes at least.

use meshwright_ir::expand::written_out;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::async_op::Async;
use meshwright_ir::program::{Body, Function, InstView, Program};
use meshwright_plan::device_programs::Held;
use meshwright_plan::kept::Key;
use meshwright_plan::{DeviceProgram, DevicePrograms, Event, PhaseProgram, ProgramId, Slot};
use meshwright_tensor::Precision;
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

use crate::liveness::{Liveness, liveness};

/// Bytes that one run of a program takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Of its inputs, which belong to whoever runs it; as declared, whatever the precision.
    pub inputs: u64,
    /// The most that is alive at once besides.
    pub beyond: u64,
    /// Of its results.
    pub results: u64,
}

impl Footprint {
    /// Of the entry function of a verified program; nothing if there is none.
    pub fn of(program: &Program, precision: Precision) -> Self {
        let Some(main) = program.main() else { return Self::default() };
        let mut walk = Walk { program, precision, known: BTreeMap::new() };
        let types = || main.args().iter().map(|value| main.body.ty(*value));
        // Inputs that the precision keeps otherwise are copied; the copies belong to the run.
        let owned = |ty: &Type| {
            let own = bytes(ty, precision);
            if own == bytes(ty, Precision::Declared) { 0 } else { own }
        };
        let args: Vec<u64> = types().map(owned).collect();
        let beyond = walk.region(&main.body, &liveness(&main.body), main.body.entry(), &args);
        Self {
            inputs: sum(types().map(|ty| bytes(ty, Precision::Declared))),
            beyond,
            results: sum(main.result_types.iter().map(|ty| bytes(ty, precision))),
        }
    }
}

/// Bytes of [`crate::check()`]: the inputs, and the larger of the undistributed run and the run on all devices, which
/// has the undistributed run's results beside it.
pub fn of_check(whole: &Program, sharded: &DevicePrograms, precision: Precision) -> u64 {
    let alone = Footprint::of(whole, precision);
    let devices = on_all_devices(sharded, precision).saturating_add(alone.results);
    alone.inputs.saturating_add(alone.beyond.max(devices))
}

/// Bytes of [`crate::run_programs()`]: the global inputs, of which devices take views, what all devices make, and what they
/// keep between programs. All groups may need most at once.
pub fn of_run(programs: &DevicePrograms, precision: Precision) -> u64 {
    let inputs = sum(programs.arguments.iter().map(|ty| bytes(ty, Precision::Declared)));
    inputs.saturating_add(on_all_devices(programs, precision))
}

fn on_all_devices(programs: &DevicePrograms, precision: Precision) -> u64 {
    if let Some(device) = programs.as_whole() {
        return on_devices(device, precision);
    }
    let groups = programs.groups.iter().enumerate().map(|(index, group)| {
        let devices = group.devices.len() as u64;
        in_row(programs, index, precision).saturating_mul(devices)
    });
    sum(groups)
}

/// The most that a device of a group has at once, the step's arguments not counted.
fn in_row(programs: &DevicePrograms, group: usize, precision: Precision) -> u64 {
    let own = |held: Held<'_>| {
        held.ty.as_tensor().map_or(0, |ty| bytes(&held.sharding.local_type(ty, held.mesh).into(), precision))
    };
    let beyond: BTreeMap<ProgramId, u64> = programs
        .of_group(group)
        .map(|(id, program)| (id, Footprint::of(&program.device.program, precision).beyond))
        .collect();
    let mut kept: BTreeMap<Key<'_>, u64> = BTreeMap::new();
    let mut peak = 0;
    let row = programs.schedule.rows.get(group).map_or(&[][..], Vec::as_slice);
    for (event, last) in row.iter().zip(programs.last_reads(group)) {
        match event {
            Event::Action(action) => {
                let inside = beyond.get(&action.program).copied().unwrap_or(0);
                peak = peak.max(sum(kept.values().copied()).saturating_add(inside));
                let given = programs.programs.get(&action.program).into_iter().flat_map(PhaseProgram::given);
                for (slot, held) in given {
                    if let Some(value) = slot.value() {
                        let is_sum = matches!(slot, Slot::Accumulator(_));
                        kept.insert((value, action.microbatch.filter(|_| !is_sum)), own(held));
                    }
                }
            }
            Event::Transfer(transfer) if transfer.target == group => {
                let held = programs.held(group, &transfer.value).map_or(0, own);
                kept.insert((&transfer.value, transfer.microbatch), held);
            }
            Event::Transfer(_) => {}
        }
        kept.retain(|key, _| !last.contains(key));
    }
    peak.max(sum(kept.into_values()))
}

fn on_devices(sharded: &DeviceProgram, precision: Precision) -> u64 {
    let local = Footprint::of(&sharded.program, precision).beyond;
    local.saturating_mul(sharded.mesh.num_devices() as u64)
}

/// Bytes of a value as host tensors keep it.
fn bytes(ty: &Type, precision: Precision) -> u64 {
    let tensor = match ty {
        Type::Tensor(tensor) => tensor,
        Type::Token => return 0,
        Type::Tuple(members) | Type::Future(members) => {
            return sum(members.iter().map(|member| bytes(member, precision)));
        }
    };
    let size = meshwright_tensor::dispatch!(precision.storage(tensor.element), T => size_of::<T>());
    if tensor.shape.contains(&0) {
        return 0;
    }
    tensor.shape.iter().fold(size as u64, |bytes, size| bytes.saturating_mul(*size as u64))
}

fn sum(all: impl Iterator<Item = u64>) -> u64 {
    all.fold(0, u64::saturating_add)
}

struct Walk<'p> {
    program: &'p Program,
    precision: Precision,
    /// What functions take besides their arguments, which their callers keep.
    known: BTreeMap<&'p str, u64>,
}

/// Memory that values share.
struct Block {
    bytes: u64,
    /// How many values that are still needed lie in it.
    users: usize,
}

/// What is alive in a region.
struct Live {
    blocks: Vec<Block>,
    /// The memory that each value lies in.
    of: Table<ValueId, Option<usize>>,
    now: u64,
    peak: u64,
}

impl Live {
    /// Puts a value into memory of its own.
    fn make(&mut self, value: ValueId, bytes: u64) {
        self.of[value] = Some(self.blocks.len());
        self.blocks.push(Block { bytes, users: 1 });
        self.now = self.now.saturating_add(bytes);
    }

    /// Puts a value into the memory of another one.
    fn share(&mut self, value: ValueId, other: ValueId) {
        if let Some(block) = self.of[other] {
            self.of[value] = Some(block);
            self.blocks[block].users += 1;
        }
    }

    /// A value is not needed any more.
    fn drop(&mut self, value: ValueId) {
        if let Some(block) = self.of[value].take() {
            let block = &mut self.blocks[block];
            block.users -= 1;
            if block.users == 0 {
                self.now = self.now.saturating_sub(block.bytes);
            }
        }
    }

    fn note(&mut self, on_top: u64) {
        self.peak = self.peak.max(self.now.saturating_add(on_top));
    }
}

impl<'p> Walk<'p> {
    /// The most bytes alive in a region at once; its arguments lie in memory of `args` bytes, which it may free.
    fn region(&mut self, body: &'p Body, liveness: &Liveness, region: RegionId, args: &[u64]) -> u64 {
        let mut live =
            Live { blocks: Vec::new(), of: Table::filled(None, body.values.len()), now: 0, peak: 0 };
        let region = &body.regions[region];
        for (value, bytes) in region.args.iter().zip(args).filter(|(value, _)| liveness.is_read[**value]) {
            live.make(*value, *bytes);
        }
        live.note(0);
        for id in &region.insts {
            self.inst(body, liveness, *id, &mut live);
        }
        live.peak
    }

    fn inst(&mut self, body: &'p Body, liveness: &Liveness, id: InstId, live: &mut Live) {
        let view = body.view(id);
        let inst = view.inst;
        let takes = &liveness.takes[id];
        let taken: Vec<ValueId> =
            inst.operands.iter().zip(takes).filter(|(_, takes)| **takes).map(|(value, _)| *value).collect();
        let made: Vec<(ValueId, u64)> =
            inst.results.iter().map(|value| (*value, bytes(body.ty(*value), self.precision))).collect();
        if inst.op.carries_values() {
            // The loop takes over what it starts from.
            let args: Vec<u64> = (inst.operands.iter().zip(takes))
                .map(|(value, takes)| if *takes { bytes(body.ty(*value), self.precision) } else { 0 })
                .collect();
            taken.iter().for_each(|value| live.drop(*value));
            let regions = inst.regions.iter().map(|region| self.region(body, liveness, *region, &args));
            let inside = regions.fold(0, u64::max);
            live.note(inside);
            made.iter().for_each(|(value, bytes)| live.make(*value, *bytes));
        } else if is_view(&view) {
            for (index, (value, _)) in made.iter().enumerate() {
                let source = if inst.results.len() == inst.operands.len() { index } else { 0 };
                match inst.operands.get(source) {
                    Some(source) => live.share(*value, *source),
                    // Constants and counters keep no more than what differs.
                    None => live.make(*value, 0),
                }
            }
            taken.iter().for_each(|value| live.drop(*value));
        } else {
            live.note(self.inside(&view, liveness));
            // What is written over is given up before its place is taken.
            let mut free: Vec<ValueId> = taken.clone();
            for (value, bytes) in &made {
                let same = free.iter().position(|old| is_alone(live, *old, *bytes));
                if let Some(position) = same {
                    live.drop(free.swap_remove(position));
                }
                live.make(*value, *bytes);
            }
            live.note(0);
            free.iter().for_each(|value| live.drop(*value));
        }
        live.note(0);
        let unread = inst.results.iter().filter(|value| !liveness.is_read[**value]);
        unread.chain(&liveness.drops[id]).for_each(|value| live.drop(*value));
    }

    /// What runs inside of an instruction takes, its operands not counted.
    fn inside(&mut self, view: &InstView<'p>, liveness: &Liveness) -> u64 {
        if let ([callee], true) = (&view.inst.op.callees()[..], view.inst.op.is_call()) {
            return self.function(callee);
        }
        if let Some(body) = written_out(view) {
            let mut walk = Walk { program: self.program, precision: self.precision, known: BTreeMap::new() };
            let args = vec![0; view.num_operands()];
            return walk.region(&body, &crate::liveness::liveness(&body), body.entry(), &args);
        }
        // Functions of single elements take next to nothing, branches what they make.
        let regions = view.inst.regions.iter().filter(|region| view.body.regions[**region].args.is_empty());
        regions.map(|region| self.region(view.body, liveness, *region, &[])).fold(0, u64::max)
    }

    fn function(&mut self, name: &str) -> u64 {
        let Some(function) = self.program.functions.iter().find(|function| function.name == name) else {
            return 0;
        };
        if let Some(known) = self.known.get(function.name.as_str()) {
            return *known;
        }
        let Function { body, .. } = function;
        let args = vec![0; function.args().len()];
        let taken = self.region(body, &liveness(body), body.entry(), &args);
        self.known.insert(&function.name, taken);
        taken
    }
}

/// Whether a result is another view of the first operand (or of the operand of its number): nothing is computed, and
/// besides that operand there are only single elements, such as where a slice starts.
fn is_view(view: &InstView<'_>) -> bool {
    // What is started holds its operand until it is waited for.
    if matches!(view.inst.op, Op::Async(Async::Start)) {
        return true;
    }
    let types: Vec<Type> = view.operand_types().cloned().collect();
    let results: Vec<Type> = view.result_types().cloned().collect();
    if !view.inst.regions.is_empty() || view.inst.op.is_collective() || view.inst.op.is_call() {
        return false;
    }
    let is_single = |ty: &Type| ty.as_tensor().is_none_or(|tensor| tensor.rank() == 0);
    view.inst.op.flops(&types, &results) == 0.0 && (types.iter().skip(1).all(is_single) || types == results)
}

/// Whether a value of so many bytes has its memory for itself.
fn is_alone(live: &Live, value: ValueId, bytes: u64) -> bool {
    live.of[value].is_some_and(|block| live.blocks[block].users == 1 && live.blocks[block].bytes == bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_tensor::types::{ElementType, TensorType};

    fn footprint(text: &str, precision: Precision) -> Footprint {
        let program = meshwright_ir::text::read(&Source::new("test", text)).unwrap();
        meshwright_ir::verify::verify(&program).unwrap();
        Footprint::of(&program, precision)
    }

    /// Two products of which the first is not needed behind the second, and what only moves elements around them.
    const PRODUCTS: &str = "func.func @main(%a: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<100x100xf32>) -> tensor<100x100xf32>
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  %2 = stablehlo.concatenate %1, %1, dim = 0 : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<200x100xf32>
  %3 = stablehlo.slice %2 [0:100, 0:100] : (tensor<200x100xf32>) -> tensor<100x100xf32>
  %4 = stablehlo.exponential %3 : tensor<100x100xf32>
  return %4 : tensor<100x100xf32>
}";

    #[test]
    fn tensors_live_from_maker_to_last_reader() {
        let declared = footprint(PRODUCTS, Precision::Declared);
        assert_eq!(declared, Footprint { inputs: 40_000, beyond: 120_000, results: 40_000 });
        // Widened, the input is copied, and freed behind the product.
        let wide = footprint(PRODUCTS, Precision::Wide);
        assert_eq!(wide, Footprint { inputs: 40_000, beyond: 240_000, results: 80_000 });
    }

    #[test]
    fn what_repeats_is_stored_once() {
        let text = "func.func @main() -> tensor<1000000x1000000xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<1000000x1000000xf32>
  %1 = stablehlo.reshape %0 : (tensor<1000000x1000000xf32>) -> tensor<1000000x1000000xf32>
  return %1 : tensor<1000000x1000000xf32>
}";
        let found = footprint(text, Precision::Declared);
        assert_eq!((found.beyond, found.results), (0, 4_000_000_000_000));
    }

    #[test]
    fn loops_take_over_what_they_carry_and_calls_count_once() {
        let text = "func.func @main(%a: tensor<1000xf32>, %n: tensor<i32>) -> tensor<1000xf32> {
  %0 = call @twice(%a) : (tensor<1000xf32>) -> tensor<1000xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.while(%i = %zero, %x = %0) : tensor<i32>, tensor<1000xf32>
   cond {
    %2 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = func.call @twice(%x) : (tensor<1000xf32>) -> tensor<1000xf32>
    stablehlo.return %i, %2 : tensor<i32>, tensor<1000xf32>
  }
  return %1#1 : tensor<1000xf32>
}
func.func private @twice(%a: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = stablehlo.add %a, %a : tensor<1000xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<1000xf32>
  return %1 : tensor<1000xf32>
}";
        let found = footprint(text, Precision::Declared);
        // In the loop: what it carries, and the sum in the function, into which the product is written.
        assert_eq!((found.inputs, found.beyond), (4004, 8004));
    }

    #[test]
    fn absurd_sizes_saturate() {
        let absurd = TensorType::new([1 << 40, 1 << 40], ElementType::F32);
        assert_eq!(bytes(&absurd.into(), Precision::Declared), u64::MAX);
    }
}
