//! Twins find the faults that break the program: faults are seeded in the programs of devices, at the same places of the
//! full program and of its twin, and each that breaks the one has to break the other.
//!
//! Faults are such as a wrong lowering makes: collectives that are left out, reduce in another way, or run among other
//! devices or in another order; slices and masks that are off where they depend on the device, as those of the program itself
//! do not; arguments and results that are sharded otherwise.

use meshwright_analyze::{Role, Roles};
use meshwright_compile::{
    Compiled, Options, Search, StepOptions, TWIN_TOLERANCE, Twin, compile, from_config, passes, twin,
};
use meshwright_execute::check::compare_outputs;
use meshwright_execute::{
    CheckOptions, Verdict, check, draw_each, replaced, run_programs, run_single_device, suiting,
};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::collective::{Participants, ReplicaGroups};
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::program::{Body, Def, Function, Program};
use meshwright_ir::sharding::Sharding;
use meshwright_machine::{Bytes, Machine};
use meshwright_models::Batch;
use meshwright_plan::{DeviceProgram, DevicePrograms};
use meshwright_tensor::{Precision, Tensor};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Seeds a fault at an instruction; false: there is none of the kind.
type Seed = fn(&mut Body, InstId) -> bool;

/// Kinds of faults.
const FAULTS: &[(&str, Seed)] = &[
    ("a collective is left out", leave_out),
    ("a sum is a maximum", maximum),
    ("devices of two groups are exchanged", exchange_members),
    ("a group is in another order", turn_groups),
    ("all devices are one group's neighbors", other_axis),
    ("a permute goes the other way", turn_pairs),
    ("a permute lacks a pair", drop_pair),
    ("a slice begins elsewhere", other_start),
    ("a mask is turned around", exchange_choices),
    ("a comparison takes its bound too", include_bound),
    ("positions are added that should be scaled", add_for_multiply),
    ("a quotient is a remainder", exchange_division),
];

/// The tolerance of checks in f64.
pub(crate) const USUAL: f64 = 1e-9;

/// Faults of one kind at most, in one program.
const MOST_OF_A_KIND: usize = 4;

fn leave_out(body: &mut Body, id: InstId) -> bool {
    let inst = &body.insts[id];
    let is_one = inst.op.is_collective() && inst.results.len() == 1;
    let ([operand, ..], [result]) = (inst.operands.as_slice(), inst.results.as_slice()) else { return false };
    let (operand, result) = (*operand, *result);
    if !is_one || body.ty(operand) != body.ty(result) {
        return false;
    }
    for other in body.insts.ids().collect::<Vec<_>>() {
        let operands = &mut body.insts[other].operands;
        operands.iter_mut().filter(|value| **value == result).for_each(|value| *value = operand);
    }
    true
}

fn maximum(body: &mut Body, id: InstId) -> bool {
    if !body.insts[id].op.is_collective() {
        return false;
    }
    let regions = body.insts[id].regions.clone();
    let inner: Vec<InstId> = regions.iter().flat_map(|region| body.regions[*region].insts.clone()).collect();
    let sum = inner.into_iter().find(|inst| body.insts[*inst].op == Op::from(Binary::Add));
    if let Some(sum) = sum {
        body.insts[sum].op = Binary::Maximum.into();
    }
    sum.is_some()
}

/// Changes the groups of a collective.
fn regroup(body: &mut Body, id: InstId, change: impl FnOnce(&mut Vec<Vec<usize>>) -> bool) -> bool {
    let Some(participants) = body.insts[id].op.participants_mut() else { return false };
    let mut groups = participants.groups.groups();
    let is_changed = change(&mut groups);
    let groups = ReplicaGroups::new(&groups);
    *participants = Participants { groups, ..participants.clone() };
    is_changed
}

fn exchange_members(body: &mut Body, id: InstId) -> bool {
    regroup(body, id, |groups| {
        let [one, other, ..] = groups.as_mut_slice() else { return false };
        let (Some(one), Some(other)) = (one.last_mut(), other.last_mut()) else { return false };
        std::mem::swap(one, other);
        true
    })
}

fn turn_groups(body: &mut Body, id: InstId) -> bool {
    regroup(body, id, |groups| {
        groups.iter_mut().for_each(|group| group.reverse());
        groups.first().is_some_and(|group| group.len() > 1)
    })
}

fn other_axis(body: &mut Body, id: InstId) -> bool {
    regroup(body, id, |groups| {
        let (size, mut devices) = (groups.first().map_or(0, Vec::len), groups.concat());
        devices.sort_unstable();
        let neighbors: Vec<Vec<usize>> = devices.chunks(size.max(1)).map(<[usize]>::to_vec).collect();
        let strided: Vec<Vec<usize>> = (0..devices.len() / size.max(1))
            .map(|first| devices.iter().copied().skip(first).step_by(devices.len() / size.max(1)).collect())
            .collect();
        let other = if *groups == neighbors { strided } else { neighbors };
        let is_other = *groups != other;
        *groups = other;
        is_other
    })
}

fn turn_pairs(body: &mut Body, id: InstId) -> bool {
    let Op::CollectivePermute(permute) = &mut body.insts[id].op else { return false };
    let before = permute.pairs.clone();
    permute.pairs.iter_mut().for_each(|pair| pair.reverse());
    let mut sorted = [before, permute.pairs.clone()];
    sorted.iter_mut().for_each(|pairs| pairs.sort_unstable());
    sorted[0] != sorted[1]
}

fn drop_pair(body: &mut Body, id: InstId) -> bool {
    let Op::CollectivePermute(permute) = &mut body.insts[id].op else { return false };
    permute.pairs.pop().is_some()
}

fn other_start(body: &mut Body, id: InstId) -> bool {
    if !is_of_device(body, id) {
        return false;
    }
    let first = match body.insts[id].op {
        Op::DynamicSlice(_) => 1,
        Op::DynamicUpdateSlice(_) => 2,
        _ => return false,
    };
    // The position along one dim is taken for that along the next.
    let starts = &mut body.insts[id].operands[first..];
    let is_changed = starts.windows(2).any(|pair| pair[0] != pair[1]);
    starts.rotate_left(1);
    is_changed
}

fn exchange_choices(body: &mut Body, id: InstId) -> bool {
    let is_one = matches!(body.insts[id].op, Op::Select(_)) && is_of_device(body, id);
    if is_one {
        body.insts[id].operands.swap(1, 2);
    }
    is_one
}

/// Whether what an instruction reads depends on which device it is.
fn is_of_device(body: &Body, id: InstId) -> bool {
    let mut open = body.insts[id].operands.clone();
    let mut seen = BTreeSet::new();
    while let Some(value) = open.pop() {
        let Def::Result(inst, _) = body.values[value].def else { continue };
        if matches!(body.insts[inst].op, Op::DeviceId(_)) {
            return true;
        }
        if seen.insert(inst) {
            open.extend(&body.insts[inst].operands);
        }
    }
    false
}

fn include_bound(body: &mut Body, id: InstId) -> bool {
    if !is_of_device(body, id) {
        return false;
    }
    let Op::Compare(compare) = &mut body.insts[id].op else { return false };
    compare.direction = match compare.direction {
        Direction::Less => Direction::LessEqual,
        Direction::LessEqual => Direction::Less,
        Direction::Greater => Direction::GreaterEqual,
        Direction::GreaterEqual => Direction::Greater,
        Direction::Equal => Direction::NotEqual,
        Direction::NotEqual => Direction::Equal,
    };
    true
}

/// Whether an instruction computes one integer, as positions of devices are.
fn is_position(body: &Body, id: InstId) -> bool {
    let ty = body.insts[id].results.first().and_then(|result| body.ty(*result).as_tensor());
    ty.is_some_and(|ty| ty.rank() == 0 && ty.element.is_integer())
}

fn exchange(body: &mut Body, id: InstId, pairs: &[[Binary; 2]]) -> bool {
    let op = &body.insts[id].op;
    let other = pairs.iter().find(|[from, _]| *op == Op::from(*from)).map(|[_, to]| *to);
    let Some(other) = other.filter(|_| is_position(body, id)) else { return false };
    body.insts[id].op = other.into();
    true
}

fn add_for_multiply(body: &mut Body, id: InstId) -> bool {
    exchange(body, id, &[[Binary::Multiply, Binary::Add]])
}

fn exchange_division(body: &mut Body, id: InstId) -> bool {
    exchange(body, id, &[[Binary::Divide, Binary::Remainder], [Binary::Remainder, Binary::Divide]])
}

/// A fault that a program can have.
struct Fault {
    /// Its kind, and its number among those of its kind.
    name: String,
    place: Place,
}

/// Where a fault is.
enum Place {
    At(Seed, InstId),
    /// Shards that devices are handed, in another order.
    Argument(usize),
    /// Shards that are put together in another order.
    Result(usize),
}

impl Fault {
    /// The program with it.
    fn seeded(&self, device: &DeviceProgram) -> DeviceProgram {
        let mut faulty = device.clone();
        match self.place {
            Place::At(seed, id) => {
                let main = device.program.main().expect("a program");
                let mut body = main.body.clone();
                assert!(seed(&mut body, id), "{}", self.name);
                faulty.program = device.program.with_only(Function { body, ..main.clone() });
            }
            Place::Argument(index) => turn_dims(&mut faulty.arguments[index].1),
            Place::Result(index) => turn_dims(&mut faulty.results[index].1),
        }
        faulty
    }
}

fn turn_dims(sharding: &mut Sharding) {
    sharding.dims.iter_mut().for_each(|dim| dim.axes.reverse());
}

/// All faults that a program can have, in its order.
fn faults(device: &DeviceProgram) -> Vec<Fault> {
    let main = device.program.main().expect("a program");
    let insts = main.body.walk(main.body.entry());
    let mut found = Vec::new();
    let mut body = main.body.clone();
    for (kind, seed) in FAULTS {
        let mut count = 0;
        for id in &insts {
            let is_one = seed(&mut body, *id);
            // Groups of devices are written anew even where that changes nothing.
            if is_one || main.body.insts[*id].op.is_collective() {
                body = main.body.clone();
            }
            if is_one {
                let name = format!("{kind}, {count} ({})", main.body.insts[*id].op.name());
                found.push(Fault { name, place: Place::At(*seed, *id) });
                count += 1;
            }
        }
    }
    let turns = |sharding: &Sharding| {
        let mut turned = sharding.clone();
        turn_dims(&mut turned);
        turned.dims.iter().map(|dim| &dim.axes).ne(sharding.dims.iter().map(|dim| &dim.axes))
    };
    for index in 0..device.arguments.len().max(device.results.len()) {
        if device.arguments.get(index).is_some_and(|(_, sharding)| turns(sharding)) {
            let name = format!("argument {index} in another order");
            found.push(Fault { name, place: Place::Argument(index) });
        }
        if device.results.get(index).is_some_and(|(_, sharding)| turns(sharding)) {
            let name = format!("result {index} in another order");
            found.push(Fault { name, place: Place::Result(index) });
        }
    }
    found
}

/// Every n-th of each kind, so that few are left, which lie all over the program.
fn chosen(faults: Vec<Fault>) -> Vec<Fault> {
    let mut kinds: BTreeMap<String, Vec<Fault>> = BTreeMap::new();
    for fault in faults {
        let kind = fault.name.split([',', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']).next();
        kinds.entry(kind.unwrap_or_default().to_owned()).or_default().push(fault);
    }
    let thinned = kinds.into_values().flat_map(|of_kind| {
        let step = of_kind.len().div_ceil(MOST_OF_A_KIND).max(1);
        of_kind.into_iter().step_by(step)
    });
    thinned.collect()
}

/// What a program computes of inputs that suit it.
pub(crate) struct Expected {
    inputs: Vec<Tensor>,
    outputs: Vec<Tensor>,
    options: CheckOptions,
}

impl Expected {
    /// Of the undistributed program, which runs once for all faults.
    pub(crate) fn of(whole: &Program, tolerance: f64) -> Self {
        let main = whole.main().expect("a program");
        let types: Vec<_> = main.args().iter().map(|value| main.body.ty(*value).clone()).collect();
        let inputs = draw_each(&types, 0, &suiting(whole)).expect("numbers");
        let outputs = run_single_device(whole, &main.name, inputs.clone(), Precision::Wide, &Quiet);
        let options = CheckOptions { tolerance, ..CheckOptions::new(Precision::Wide, whole) };
        Self { inputs, outputs: outputs.expect("results"), options }
    }

    /// Whether devices compute the same; not where they cannot run at all.
    fn agrees(&self, device: &DeviceProgram) -> bool {
        self.agrees_with(&DevicePrograms::whole(device.clone()))
    }

    /// The same of devices in groups.
    pub(crate) fn agrees_with(&self, programs: &DevicePrograms) -> bool {
        let run = || {
            let found = run_programs(programs, &self.inputs, Precision::Wide, &Quiet)?;
            compare_outputs(&found, &self.outputs, &self.inputs, &self.options)
        };
        let outputs = catch_unwind(AssertUnwindSafe(run));
        matches!(outputs, Ok(Ok(outputs)) if outputs.iter().all(|output| output.verdict.passes()))
    }
}

/// A tiny model that is planned for eight devices, and its twin.
fn planned(name: &str, degrees: &str) -> (Compiled, Twin) {
    planned_of(&format!("tiny/{name}"), 32, degrees)
}

/// The same of any model's configuration, with sequences of so many tokens.
fn planned_of(model: &str, sequence: usize, degrees: &str) -> (Compiled, Twin) {
    let path = format!("{}/../../tests/data/models/{model}.json", env!("CARGO_MANIFEST_DIR"));
    let config = Source::new(path.clone(), std::fs::read_to_string(path).expect("a file"));
    let mut step = StepOptions::of_batch(Batch::Sequences(16));
    step.model.sequence = Some(sequence);
    step.model.recipe = "f32".parse().expect("a recipe");
    let step = from_config(&config, &step).expect("a step");
    let machine = Machine::from_spec("cpu8").expect("a machine");
    let asked = Some(degrees.parse().expect("degrees"));
    // Passes find other collectives to join in a small program; faults are those of the partitioner.
    let without_passes = passes().into_iter().map(|(name, _)| name.to_owned()).collect();
    // Nothing of the full program runs but what is small.
    let memory_limit = Some(Bytes(1 << 50));
    let options =
        Options { asked, search: Some(Search::None), without_passes, memory_limit, ..Options::default() };
    let compiled = compile(&step.program, &step.source, &machine, &options, &Quiet).expect("a plan");
    let twin = twin(&compiled, &machine, &options, 16, &Quiet).expect("a twin");
    (compiled, twin)
}

/// Seeds faults in both, of which so many at least break the full program.
fn every_fault_is_found(name: &str, degrees: &str, least: usize) {
    let (compiled, twin) = planned(name, degrees);
    let device = |programs: &DevicePrograms| programs.as_whole().expect("one program").clone();
    let (full, small) = (device(&compiled.programs), device(&twin.programs));
    let expected = Expected::of(&compiled.program, USUAL);
    let of_twin = Expected::of(&twin.program, TWIN_TOLERANCE);
    assert!(expected.agrees(&full) && of_twin.agrees(&small), "{name} {degrees}");
    let in_twin: BTreeMap<String, Fault> =
        faults(&small).into_iter().map(|fault| (fault.name.clone(), fault)).collect();
    let mut broken = 0;
    for fault in chosen(faults(&full)) {
        if expected.agrees(&fault.seeded(&full)) {
            continue;
        }
        broken += 1;
        let same = in_twin.get(&fault.name);
        let same =
            same.unwrap_or_else(|| panic!("{name} {degrees}: the twin has no place for: {}", fault.name));
        let same = same.seeded(&small);
        assert!(!of_twin.agrees(&same), "{name} {degrees}: the twin does not find: {}", fault.name);
    }
    assert!(broken >= least, "{name} {degrees}: only {broken} faults break the program");
}

#[test]
fn a_twin_finds_the_faults_of_experts() {
    every_fault_is_found("mixtral", "dp=2,ep=2,tp=2", 25);
}

#[test]
fn a_twin_finds_the_faults_of_tensor_parallelism() {
    every_fault_is_found("llama", "dp=2,tp=4", 20);
}

#[test]
fn a_twin_finds_the_faults_of_shards_of_the_state() {
    every_fault_is_found("gpt2", "dp=4,tp=2,zero=3", 10);
}

#[test]
fn a_twin_finds_the_faults_of_scans_and_convolutions() {
    every_fault_is_found("mamba2", "dp=2,tp=4", 10);
}

#[test]
fn a_twin_finds_the_faults_of_hybrids() {
    every_fault_is_found("nemotron_h", "dp=4,tp=2", 10);
}

/// Has a device add one percent too much of the gradient to a moment: the summand of the result that is not made of the
/// argument alone. False: it is no such sum.
fn one_percent_more(body: &mut Body, result: usize, argument: usize) -> bool {
    let entry = body.entry();
    let moment = body.regions[entry].args[argument];
    let returned = body.terminator(entry).expect("it returns").operands.clone();
    let mut value = returned[result];
    let sum = loop {
        let Def::Result(inst, 0) = body.values[value].def else { return false };
        match (&body.insts[inst].op, body.insts[inst].operands.as_slice()) {
            (Op::Binary(Binary::Add), _) => break inst,
            (_, [operand, ..]) => value = *operand,
            _ => return false,
        }
    };
    let reads_moment = |value: ValueId| match body.values[value].def {
        Def::Result(inst, _) => body.insts[inst].operands.contains(&moment),
        Def::Argument(..) => value == moment,
    };
    let operands = body.insts[sum].operands.clone();
    let Some(place) = (0..2).find(|place| !reads_moment(operands[*place])) else { return false };
    let ty = body.tensor(operands[place]).clone();
    let at = body.regions[entry].insts.iter().position(|inst| *inst == sum).expect("it is in the entry");
    let after = body.regions[entry].insts.split_off(at);
    let mut builder = BodyBuilder::standing_for(body, sum, entry);
    let factor = builder.splat(ty, 1.01);
    let more = builder.times(operands[place], factor);
    body.insts[sum].operands[place] = more;
    body.regions[entry].insts.extend(after);
    true
}

/// Has every moment be off by one percent of its gradient, which the twin has to find of each, but for so many whose
/// gradients are zero in exact numbers.
fn every_gradient_is_seen(model: &str, sequence: usize, degrees: &str, zero: usize) {
    let (_, twin) = planned_of(model, sequence, degrees);
    let types: Vec<_> =
        twin.function.args().iter().map(|value| twin.function.body.ty(*value).clone()).collect();
    let inputs = draw_each(&types, 0, &suiting(&twin.program)).expect("numbers");
    let mut options = CheckOptions::new(Precision::Wide, &twin.program);
    (options.tolerance, options.replaced) = (TWIN_TOLERANCE, replaced(&twin.function));
    let right = check(&twin.program, &twin.programs, &inputs, &options, &Quiet).expect("numbers");
    for (result, output) in right.iter().enumerate() {
        assert!(output.verdict.passes(), "{model}: result {result}: {output:?}");
    }
    let mut programs = twin.programs.clone();
    let roles = Roles::new(&twin.function);
    let mut seeded = Vec::new();
    for (argument, of) in roles.args.iter().enumerate() {
        let (Role::Moment { .. }, Some(result)) = (of.role, of.result) else { continue };
        for program in programs.programs.values_mut() {
            let main = &mut program.device.program.functions[0];
            if one_percent_more(&mut main.body, result, argument) {
                seeded.push(result);
            }
        }
    }
    let least = roles.moments().count();
    assert_eq!(seeded.len(), least, "{model}: a moment is no sum");
    let wrong = check(&twin.program, &programs, &inputs, &options, &Quiet).expect("numbers");
    let is_hidden = |result: &usize| right[*result].change.is_some_and(|change| change.is_hidden);
    assert_eq!(seeded.iter().filter(|result| is_hidden(result)).count(), zero, "{model} {degrees}");
    for result in seeded.into_iter().filter(|result| !is_hidden(result)) {
        let found = &wrong[result];
        assert_eq!(found.verdict, Verdict::Differs, "{model} {degrees}: result {result}: {found:?}");
    }
}

#[test]
fn a_twin_finds_gradients_that_are_off_by_one_percent() {
    every_gradient_is_seen("released/llama-3.1-70b", 4096, "tp=8,zero=3", 0);
    // A softmax takes the bias of keys out again.
    every_gradient_is_seen("released/gpt2", 1024, "dp=2,tp=4", 2);
    every_gradient_is_seen("released/mamba2-2.7b", 1024, "dp=2,tp=4", 0);
    every_gradient_is_seen("released/gemma-2-2b", 1024, "dp=2,tp=4", 0);
}

#[test]
fn a_twin_finds_gradients_of_experts_that_are_off_by_one_percent() {
    every_gradient_is_seen("released/mixtral-8x7b", 1024, "dp=2,tp=4", 0);
    every_gradient_is_seen("released/deepseek-v2-lite", 1024, "dp=2,tp=4", 0);
}
