//! The walk that gives every value of a local program its meaning.
//!
//! A loop is walked until what it carries means the same before and after its body; only the last walk reports. In the others
//! an instruction is looked at again only where something that it reads means something else than before.

mod loops;
mod rows;

use self::loops::Loop;
use self::rows::Rows;
use super::Found;
use super::asked::{REDUCTIONS, Readers};
use super::collectives::{self, KnownMembers};
use super::meaning::{Meaning, Problem, join};
use super::transfer::{is_neutral, is_neutral_value, transfer};
use crate::facts::devices::axes_in_order;
use crate::facts::scalars::{self, Integers, PerDevice, Scalars};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::async_op::Async;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::program::{Body, Def, Inst, InstView};
use meshwright_ir::sharding::Reduction;
use meshwright_plan::DeviceProgram;
use meshwright_tensor::types::TensorType;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The meaning of every value of `main`, and everything that contradicts itself, unless nobody is told of it (`is_silent`),
/// where loops need not be walked once more for it.
pub(super) fn meanings(device: &DeviceProgram, is_silent: bool) -> (Table<ValueId, Meaning>, Found) {
    let Some(main) = device.program.main() else {
        return (Table::new(), Found::default());
    };
    let body = &main.body;
    let rank = |value: ValueId| body.ty(value).as_tensor().map_or(0, |tensor| tensor.rank());
    let mut walk = Walk {
        device,
        readers: OnceCell::new(),
        body,
        mesh: &device.mesh,
        meanings: body.values.ids().map(|value| Meaning::same(rank(value))).collect(),
        scalars: Table::filled(None, body.values.len()),
        members: KnownMembers::default(),
        decided: Vec::new(),
        is_silent,
        found: Found::default(),
        manual: device.manual,
        blocks: blocks(body),
        loops: BTreeMap::new(),
        rows: Rows::default(),
        clock: 1,
        changed: Table::filled(0, body.values.len()),
        seen: Table::filled(0, body.insts.len()),
    };
    for (arg, (_, sharding)) in main.args().iter().zip(&device.arguments) {
        let mut meaning = Meaning::of(sharding);
        meaning.lose(sharding.used_axes().minus(sharding.replicated).intersection(device.manual));
        walk.set(*arg, meaning);
    }
    walk.region(body.entry());
    walk.results(device);
    (walk.meanings, walk.found)
}

struct Walk<'a> {
    device: &'a DeviceProgram,
    readers: OnceCell<Readers>,
    body: &'a Body,
    mesh: &'a Mesh,
    meanings: Table<ValueId, Meaning>,
    scalars: Scalars,
    members: KnownMembers,
    /// For each loop and branch around here, the axes along which devices may decide differently.
    decided: Vec<AxisSet>,
    /// Whether nothing is reported: what a loop carries may still change.
    is_silent: bool,
    found: Found,
    /// Axes along which parts of the program were written for one device.
    manual: AxisSet,
    /// Products that are written to a place of their own or sent on ([`blocks`]).
    blocks: BTreeSet<ValueId>,
    /// What is known of the loops that were walked.
    loops: BTreeMap<InstId, Loop>,
    /// What was laid in a row to be gathered.
    rows: Rows,
    /// Moments at which meanings change, and the last one of each value.
    clock: u32,
    changed: Table<ValueId, u32>,
    /// The moment at which each instruction was looked at; 0 if it was not yet.
    seen: Table<InstId, u32>,
}

impl Walk<'_> {
    fn report(&mut self, inst: InstId, rule: &str, problem: &str) {
        if self.is_silent {
            return;
        }
        let source = &self.body.insts[inst];
        self.found.error(source.span, format!("{rule}: `{}`: {problem}", source.op.name()));
    }

    /// Walks a region. Its last instruction returns; the caller looks at what.
    fn region(&mut self, region: RegionId) {
        for inst in &self.body.regions[region].insts {
            self.instruction(*inst);
        }
    }

    /// Gives a value its meaning.
    fn set(&mut self, value: ValueId, meaning: Meaning) {
        if self.meanings[value] != meaning {
            self.meanings[value] = meaning;
            self.clock += 1;
            self.changed[value] = self.clock;
        }
    }

    /// Whether all that an instruction's results follow from is what it was when it was looked at.
    fn is_known(&self, view: &InstView<'_>) -> bool {
        let seen = self.seen[view.id];
        let is_row = |ty: Option<&TensorType>| ty.is_some_and(|tensor| tensor.rank() == 1);
        let looks_around = match &view.inst.op {
            Op::While(_) | Op::Branch(_) | Op::Async(_) | Op::Select(_) => true,
            // What was laid in a row is remembered beside what the row means.
            Op::Reshape(_) | Op::AllGather(_) => {
                view.operand_types().chain(view.result_types()).any(|ty| is_row(ty.as_tensor()))
            }
            _ => false,
        };
        seen > 0 && !looks_around && view.inst.operands.iter().all(|operand| self.changed[*operand] <= seen)
    }

    fn instruction(&mut self, inst: InstId) {
        let view = self.body.view(inst);
        if self.is_silent && self.is_known(&view) {
            return;
        }
        // Known scalars are the same in all walks.
        if std::mem::replace(&mut self.seen[inst], self.clock) == 0 {
            scalars::evaluate(&view, &mut self.scalars, self.mesh);
        }
        let meanings = match &view.inst.op {
            Op::Return(_) => return,
            Op::While(_) => return self.carrying(view),
            Op::Branch(_) => return self.branches(view),
            Op::Async(Async::Start) => Ok(vec![self.started(view)]),
            // What was started means the same when it is there.
            Op::Async(Async::Done) => {
                self.rows.stands_for(view.inst.results[0], view.inst.operands[0]);
                Ok(self.operands(&view).into_iter().cloned().collect())
            }
            op if op.is_collective() => self.collective(view),
            Op::Reshape(_) => {
                let operand = &self.meanings[view.inst.operands[0]];
                match self.rows.reshaped(&view, operand) {
                    Some(meaning) => Ok(vec![meaning]),
                    None => self.local(view),
                }
            }
            _ => self.local(view),
        };
        match meanings {
            Ok(meanings) => {
                for (result, mut meaning) in view.inst.results.iter().zip(meanings) {
                    // Along manual axes only the author knows what differing values are.
                    meaning.lose(meaning.varies().intersection(self.manual));
                    self.set(*result, meaning);
                }
            }
            Err((rule, problem)) => {
                self.report(inst, rule, &problem);
                // Reported once: what follows from it is not.
                for result in &view.inst.results {
                    let mut meaning = self.meanings[*result].clone();
                    meaning.lose(self.mesh.all());
                    self.set(*result, meaning);
                }
            }
        }
    }

    fn operands(&self, view: &InstView<'_>) -> Vec<&Meaning> {
        view.inst.operands.iter().map(|operand| &self.meanings[*operand]).collect()
    }

    fn collective(&mut self, view: InstView<'_>) -> Result<Vec<Meaning>, Problem> {
        let over = match self.members.of(&view.inst.op, self.mesh) {
            Some(members) => members.axes(),
            None => self.mesh.all(),
        };
        for differs in self.decided.clone() {
            // Along manual axes only the author knows what differs.
            let clash = differs.intersection(over).minus(self.manual);
            if !clash.is_empty() {
                let names = self.mesh.describe(&clash.iter().collect::<Vec<_>>()).join(", ");
                let problem = format!(
                    "members that differ along {names} may run it in another order: what decides whether it runs is \
                     not the same for them"
                );
                self.report(view.id, "D5", &problem);
            }
        }
        let is_of_rows = matches!(&view.inst.op, Op::AllGather(op) if op.dim == 0);
        let meaning = |value: &ValueId| {
            let row = self.rows.meaning(*value).filter(|_| is_of_rows);
            row.unwrap_or(&self.meanings[*value]).clone()
        };
        let mut operands: Vec<Meaning> = view.inst.operands.iter().map(meaning).collect();
        // What is the same along a manual axis may be combined over it too, if the author says so.
        for operand in &mut operands {
            operand.lose(self.manual.intersection(operand.varies().union(over)));
        }
        let operands: Vec<&Meaning> = operands.iter().collect();
        let is_settled = |value: ValueId| is_settled(self.body, value);
        let found = collectives::transfer(&view, &operands, &mut self.members, self.mesh, is_settled)?;
        Ok(if is_of_rows { self.rows.gathered(&view, found) } else { found })
    }

    /// What the op in the region of an `async_start` makes; it stands in the order of collectives where it is started.
    fn started(&mut self, view: InstView<'_>) -> Meaning {
        let region = view.inst.regions[0];
        for (arg, operand) in view.region(0).args.iter().zip(&view.inst.operands) {
            self.set(*arg, self.meanings[*operand].clone());
            self.rows.stands_for(*arg, *operand);
        }
        self.region(region);
        let Some(returned) = self.returned(region).first().copied() else { return Meaning::default() };
        self.rows.stands_for(view.inst.results[0], returned);
        self.meanings[returned].clone()
    }

    fn local(&self, view: InstView<'_>) -> Result<Vec<Meaning>, Problem> {
        if let [result] = view.inst.results.as_slice()
            && let Some(PerDevice::Each(_)) = &self.scalars[*result]
        {
            return Ok(vec![self.of_scalar(*result)]);
        }
        let operands = self.operands(&view);
        let varies = operands.iter().fold(AxisSet::EMPTY, |axes, operand| axes.union(operand.varies()));
        let found = match &view.inst.op {
            Op::OptimizationBarrier(_) => Ok(operands.into_iter().cloned().collect()),
            Op::DynamicSlice(_) => self.own_slice(&view, &operands),
            Op::DynamicUpdateSlice(_) => match self.placed(&view, &operands) {
                Some(meaning) => Ok(vec![meaning]),
                None => transfer(&view, &operands, self.mesh),
            },
            Op::Select(_) => self.chosen(&view, &operands),
            Op::Binary(Binary::Add) => match self.counted(&view) {
                Some(meaning) => Ok(vec![meaning]),
                None => transfer(&view, &operands, self.mesh),
            },
            _ => transfer(&view, &operands, self.mesh),
        };
        match (found, view.inst.results.as_slice()) {
            (Err((rule, _)), [result]) if rule == "D7" && self.blocks.contains(result) => {
                let mut own = Meaning::same(view.result(0).rank());
                own.lose(varies);
                Ok(vec![own])
            }
            (found, _) => found,
        }
    }

    /// What is known device by device.
    fn of_scalar(&self, value: ValueId) -> Meaning {
        let rank = self.body.ty(value).as_tensor().map_or(0, |tensor| tensor.rank());
        let mut meaning = Meaning::same(rank);
        meaning.own = self.differs(value);
        meaning
    }

    /// The axes along which a known scalar differs.
    fn differs(&self, value: ValueId) -> AxisSet {
        match &self.scalars[value] {
            Some(known) => known.axes(),
            None => self.mesh.all(),
        }
    }

    /// A slice whose starts are known on each device is this device's shard where they say so, or the window of one.
    fn own_slice(&self, view: &InstView<'_>, operands: &[&Meaning]) -> Result<Vec<Meaning>, Problem> {
        let operand = operands[0];
        let mut cut: Vec<(usize, Vec<SubAxisId>)> = Vec::new();
        let mut own = AxisSet::EMPTY;
        for dim in 0..view.result(0).rank() {
            let start = view.inst.operands[dim + 1];
            let Some(starts) = self.integers(start) else {
                own = own.union(operands[dim + 1].varies());
                continue;
            };
            let differs = starts.grid.axes();
            let sharded: AxisSet = operand.dims[dim].iter().collect();
            match axes_in_order(&starts.values, &starts.grid) {
                Some(axes) if differs.is_disjoint(operand.varies()) => cut.push((dim, axes)),
                // A window of a shard: still positions of this dim.
                _ if differs.minus(sharded).is_empty() => {}
                _ => own = own.union(differs),
            }
        }
        let same = Meaning::same(0);
        let mut starts: Vec<&Meaning> = vec![&same; operands.len()];
        starts[0] = operand;
        let mut meanings = transfer(view, &starts, self.mesh)?;
        for (dim, axes) in cut {
            meanings[0].dims[dim].extend(axes);
        }
        meanings[0].lose(own);
        Ok(meanings)
    }

    /// A shard that each device puts at its own place among neutral elements contributes to what its readers combine.
    fn placed(&self, view: &InstView<'_>, operands: &[&Meaning]) -> Option<Meaning> {
        let (update, whole) = (view.operand(1), view.result(0));
        let mut differing = (0..whole.rank()).filter(|dim| update.shape[*dim] != whole.shape[*dim]);
        let (Some(dim), None) = (differing.next(), differing.next()) else { return None };
        let starts = self.integers(view.inst.operands[dim + 2])?;
        let axes = axes_in_order(&starts.values, &starts.grid)?;
        let size = update.shape[dim];
        let is_own = |at: usize| starts.values[at] == (size * starts.grid.index_along(at, &axes)) as i64;
        let fits = size * self.mesh.product(&axes) == whole.shape[dim];
        let mut meaning = operands[1].clone();
        let kept = meaning.dims[dim].len().checked_sub(axes.len())?;
        if !fits || !(0..starts.grid.len()).all(is_own) || meaning.dims[dim].split_off(kept) != axes {
            return None;
        }
        let result = view.inst.results[0];
        let asked =
            self.readers.get_or_init(|| Readers::new(self.body)).asked(self.body, result, self.device);
        let mut reductions = REDUCTIONS.into_iter().filter(|reduction| asked.contains(reduction));
        let reduction = reductions.find(|reduction| is_neutral(view, 0, *reduction))?;
        meaning.uniform = 0;
        meaning.add_partial(reduction, axes.iter().collect()).is_ok().then_some(meaning)
    }

    /// What is contributed by one device alone, or by whoever holds it: `select(own, x, neutral)`.
    fn chosen(&self, view: &InstView<'_>, operands: &[&Meaning]) -> Result<Vec<Meaning>, Problem> {
        let own = operands[0].own;
        let (taken, other) = (operands[1], operands[2]);
        let is_once = self.integers(view.inst.operands[0]).is_some_and(|chosen| {
            let count: i64 = chosen.values.iter().sum();
            count >= 0 && count as usize * self.mesh.set_size(own) == chosen.grid.len()
        }) && taken.varies().is_disjoint(own);
        let is_gathered = match self.body.values[view.inst.operands[1]].def {
            Def::Result(inst, _) => matches!(self.body.insts[inst].op, Op::Gather(_)),
            Def::Argument(..) => false,
        };
        // Where the mask is of the device's own for another reason, it is not known who contributes.
        let over = match (is_once, is_gathered) {
            (true, _) => own,
            (false, true) => own.intersection(self.follows_device(view.inst.operands[0])),
            (false, false) => AxisSet::EMPTY,
        };
        let is_contributed = !over.is_empty();
        // What is neutral for several reductions contributes to the one that a reader asks for. What is looked up, masked
        // and then never combined is the program's own choice.
        let mut neutral: Vec<Reduction> =
            REDUCTIONS.into_iter().filter(|reduction| is_neutral(view, 2, *reduction)).collect();
        if let (true, false, [result]) = (is_contributed, neutral.is_empty(), view.inst.results.as_slice()) {
            let readers = self.readers.get_or_init(|| Readers::new(self.body));
            let asked = readers.asked(self.body, *result, self.device);
            match is_once {
                true => neutral.sort_by_key(|reduction| !asked.contains(reduction)),
                false => neutral.retain(|reduction| asked.contains(reduction)),
            }
        }
        let neutral = neutral.first().copied();
        let (true, Some(reduction)) = (is_contributed, neutral) else {
            return transfer(view, operands, self.mesh);
        };
        let (mut predicate, mut taken) = (operands[0].clone(), taken.clone());
        predicate.forget(over);
        taken.forget(over);
        let mut meanings = transfer(view, &[&predicate, &taken, other], self.mesh)?;
        meanings[0].add_partial(reduction, over)?;
        Ok(meanings)
    }

    /// The axes along which a value differs by where the device stands, as the mask of what it holds does; the program's
    /// own masks do along none.
    fn follows_device(&self, value: ValueId) -> AxisSet {
        let (mut seen, mut open) = (BTreeSet::new(), vec![value]);
        let (mut known, mut carried) = (AxisSet::EMPTY, AxisSet::EMPTY);
        while let Some(value) = open.pop() {
            if matches!(&self.scalars[value], Some(PerDevice::Each(_))) {
                known = known.union(self.differs(value));
                continue;
            }
            match self.body.values[value].def {
                Def::Argument(region, _) if region != self.body.entry() => {
                    carried = carried.union(self.meanings[value].own);
                }
                Def::Argument(..) => {}
                // Which positions were chosen or sent is the program's own matter; a mask compares them with the device's.
                Def::Result(inst, _) if chooses(&self.body.insts[inst].op) => {}
                Def::Result(inst, _) if seen.insert(inst) => open.extend(&self.body.insts[inst].operands),
                Def::Result(..) => {}
            }
        }
        // What a loop carries may be such a mask too, if nothing else says so.
        if known.is_empty() { carried } else { known }
    }

    /// Positions counted along a dim, plus where this device's positions begin.
    fn counted(&self, view: &InstView<'_>) -> Option<Meaning> {
        let [left, right] = *view.inst.operands.as_slice() else { return None };
        let (count, start) = if self.scalars[right].is_some() { (left, right) } else { (right, left) };
        let dim = iota_dim(self.body, count)?;
        let starts = self.integers(start)?;
        let axes = axes_in_order(&starts.values, &starts.grid)?;
        let mut meaning = self.meanings[count].clone();
        meaning.dims[dim].extend(axes);
        Some(meaning)
    }

    /// Integers of all devices, if they are known and not all the same.
    fn integers(&self, value: ValueId) -> Option<Integers> {
        self.scalars[value].as_ref().and_then(PerDevice::integers)
    }

    fn returned(&self, region: RegionId) -> Vec<ValueId> {
        self.body.terminator(region).map_or(Vec::new(), |inst| inst.operands.clone())
    }

    fn branches(&mut self, view: InstView<'_>) {
        let chooser = &self.meanings[view.inst.operands[0]];
        let (differs, is_partial) = (chooser.varies(), chooser.partial.is_some());
        if is_partial {
            self.report(view.id, "D6", "a contribution decides which branch runs");
        }
        let mut joined: Option<Vec<Meaning>> = None;
        for region in &view.inst.regions {
            self.decided.push(differs);
            self.region(*region);
            self.decided.pop();
            let returned = self.returned(*region);
            let meanings: Vec<Meaning> = returned.iter().map(|value| self.meanings[*value].clone()).collect();
            joined = Some(match joined {
                None => meanings,
                Some(before) => {
                    let mut both = Vec::new();
                    for (index, (left, right)) in before.iter().zip(&meanings).enumerate() {
                        both.push(join(left, right, self.mesh).unwrap_or_else(|(rule, problem)| {
                            self.report(view.id, rule, &format!("result {index} of the branches: {problem}"));
                            left.clone()
                        }));
                    }
                    both
                }
            });
        }
        for (result, mut meaning) in view.inst.results.iter().zip(joined.unwrap_or_default()) {
            meaning.lose(differs.minus(meaning.varies()));
            self.set(*result, meaning);
        }
    }

    /// What `main` returns must mean what the device program says.
    fn results(&mut self, device: &DeviceProgram) {
        let Some(main) = device.program.main() else { return };
        let Some(terminator) = self.body.regions[self.body.entry()].insts.last().copied() else { return };
        for (index, (value, (_, declared))) in main.returned().iter().zip(&device.results).enumerate() {
            let (found, declared) = (self.meanings[*value].clone(), Meaning::of(declared));
            let axes = |axes: AxisSet| self.mesh.describe(&axes.iter().collect::<Vec<_>>()).join(", ");
            let partial = found.partial_axes().minus(declared.partial_axes());
            if !partial.is_empty() {
                let problem = format!(
                    "result {index} is returned as complete, but is a contribution over {}",
                    axes(partial)
                );
                self.report(terminator, "D6", &problem);
                continue;
            }
            let agree = found.dims.iter().zip(&declared.dims).all(|(found, declared)| {
                let known: Vec<SubAxisId> =
                    declared.iter().copied().filter(|axis| found.contains(axis)).collect();
                *found == known
            });
            let shape = self.body.ty(*value).as_tensor().map_or(&[][..], |tensor| &tensor.shape);
            if !agree && in_line(&found, shape, &found) != in_line(&declared, shape, &found) {
                let (found, declared) = (found.describe(self.mesh), declared.describe(self.mesh));
                self.report(terminator, "D7", &format!("result {index} is {found}, not {declared}"));
            }
        }
    }
}

/// The axes of a value and its dims (by position), in the order in which its elements lie; axes that `known` does not have
/// are left out. A reshape that moves axes between dims of one element on a device does not change it.
fn in_line(meaning: &Meaning, shape: &[usize], known: &Meaning) -> Vec<Result<SubAxisId, usize>> {
    let mut line = Vec::new();
    for (dim, (axes, size)) in meaning.dims.iter().zip(shape).enumerate() {
        let is_known = |axis: &&SubAxisId| known.dims.iter().flatten().any(|other| other == *axis);
        line.extend(axes.iter().filter(is_known).map(|axis| Ok(*axis)));
        line.extend((*size > 1).then_some(Err(dim)));
    }
    line
}

/// Whether a value that means the same on all devices is no contribution for sure: an argument, or what a collective
/// has put together. (A dim that a broadcast made may be sharded without a trace, and a sum over it is a contribution.)
fn is_settled(body: &Body, value: ValueId) -> bool {
    match body.values[value].def {
        Def::Argument(region, _) => region == body.entry(),
        Def::Result(inst, _) => match &body.insts[inst].op {
            Op::AllReduce(_) | Op::AllGather(_) => true,
            Op::Async(Async::Start) => body
                .terminator(body.insts[inst].regions[0])
                .and_then(|inst| inst.operands.first())
                .is_some_and(|value| is_settled(body, *value)),
            Op::Async(Async::Done) => is_settled(body, body.insts[inst].operands[0]),
            _ => false,
        },
    }
}

/// Whether an op says which values come, not what they are.
fn chooses(op: &Op) -> bool {
    op.is_collective()
        || matches!(op, Op::Select(_) | Op::DynamicSlice(_) | Op::DynamicUpdateSlice(_) | Op::Gather(_))
}

/// The dim along which a value counts 0, 1, 2, ...
fn iota_dim(body: &Body, value: ValueId) -> Option<usize> {
    let Def::Result(inst, _) = body.values[value].def else { return None };
    let inst = &body.insts[inst];
    match &inst.op {
        Op::Iota(iota) => Some(iota.dim),
        Op::Convert(_) => iota_dim(body, inst.operands[0]),
        _ => None,
    }
}

/// Products that nobody reads but a `dynamic_update_slice`, which writes them to their place: each device has a block of
/// the whole, of its own rows and columns, say. Likewise those that are sent on, alone or added to what came.
fn blocks(body: &Body) -> BTreeSet<ValueId> {
    let is_sent = |value: ValueId| match body.values[value].def {
        Def::Result(inst, _) => matches!(body.insts[inst].op, Op::CollectivePermute(_) | Op::Async(_)),
        Def::Argument(..) => false,
    };
    let is_block = |inst: &Inst, index: usize| match inst.op {
        Op::DynamicUpdateSlice(_) => index == 1,
        Op::CollectivePermute(_) | Op::Async(_) => true,
        Op::Binary(Binary::Add) => inst.operands.get(1 - index).is_some_and(|other| is_sent(*other)),
        _ => false,
    };
    let is_product = |value: &ValueId| match body.values[*value].def {
        Def::Result(inst, _) => body.view(inst).is_matmul(),
        Def::Argument(..) => false,
    };
    let mut blocks = BTreeSet::new();
    let mut num_uses: Table<ValueId, usize> = Table::filled(0, body.values.len());
    for inst in body.insts.values() {
        for (index, operand) in inst.operands.iter().enumerate() {
            num_uses[*operand] += 1;
            if is_block(inst, index) {
                blocks.insert(*operand);
            }
        }
    }
    blocks.retain(|value| num_uses[*value] == 1 && is_product(value));
    blocks
}
