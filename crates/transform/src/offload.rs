//! Offload: values lie in the memory of the host while nothing reads them, and are copied to the device for their readers.
//!
//! Input: a function, and the uses that have a value brought from the host: the value, and the reader with which the
//! readers of that copy begin. Output: a function that computes the same, with the copies written as JAX writes them
//! (`annotate_device_placement`).
//!
//! - An argument lies on the host from the start: it is brought in front of its first reader, and of each further one that
//!   is named. A result that takes its place goes back.
//! - What the function makes goes to the host as soon as it is made; readers before the first that is named read it where
//!   it was made.
//! - What its readers make for themselves of a value (other shapes, cheap values) is made again of each copy
//!   ([`OnHost::again`]): what reads that reads the value.
//! - A reader inside of a loop stands for the loop. What a loop makes and others read as a whole is sent behind it.
//! - Of a stack that a loop reads part by part, the parts are brought; of one that a loop writes so, they are sent ([`parts`]).
//!
//! Example, a moment `%m` that is an argument:
//!
//! ```text
//! %m: pinned_host                         %m: pinned_host
//! ...                                     %d = annotate_device_placement %m {device}
//! %n = add %m, %g                         %n = add %d, %g
//!                                         %h = annotate_device_placement %n {pinned_host}
//! return %n                               return %h
//! ```

pub mod parts;

use crate::made::Made;
use crate::passes::Flat;
use meshwright_ir::arguments::Placement;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::custom_call::{Arrival, CustomCall};
use meshwright_ir::program::{Body, Def, Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Rewritten, rewritten};
use std::collections::{BTreeMap, BTreeSet};

/// Values and results that lie on the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnHost {
    /// Values, each with the readers in front of which it is brought to the device.
    pub uses: BTreeMap<ValueId, BTreeSet<InstId>>,
    /// Results of the function that go to the host.
    pub results: BTreeSet<usize>,
    /// Values that wait in a turn of a loop, each with what is made of it there and not kept: other shapes, cheap values,
    /// barriers. They come for their readers alone.
    pub again: BTreeMap<ValueId, BTreeSet<InstId>>,
}

impl OnHost {
    /// The same without uses that move nothing: by instructions that do not read the value in the region in which it is
    /// made, nor inside of one that stands there.
    #[must_use]
    pub fn moving(&self, function: &Function) -> Self {
        let places = Places::new(&function.body, &self.again);
        let mut moving = self.clone();
        moving.uses.retain(|value, readers| {
            readers.retain(|reader| places.is_read_by(*value, *reader));
            !readers.is_empty()
        });
        moving
    }
}

/// The function in which these values lie on the host. Left out are uses by instructions that do not read the value.
#[must_use]
pub fn offload(function: &Function, on_host: &OnHost) -> (Function, Rewritten) {
    let body = &function.body;
    let mut moving = Moving::new(function, on_host);
    let made = rewritten(body, &mut moving);
    let mut placed = function.with_body(made.body.clone());
    for (index, argument) in function.args().iter().enumerate() {
        if moving.arguments.contains(argument) {
            placed.place_argument(index, Placement::Host);
        }
    }
    on_host.results.iter().for_each(|result| placed.place_result(*result, Placement::Host));
    (placed, made)
}

impl Flat {
    /// The same function in which these values lie on the host.
    #[must_use]
    pub fn offloaded(&self, on_host: &OnHost) -> Self {
        let (function, Rewritten { trace, .. }) = offload(&self.function, on_host);
        Self::of_made(self, Made { function, trace })
    }
}

/// A body being copied.
struct Moving {
    /// Arguments of the function that lie on the host.
    arguments: BTreeSet<ValueId>,
    /// Values that go to the host when they are made.
    sent: BTreeSet<ValueId>,
    /// What is brought in front of each instruction.
    brought: BTreeMap<InstId, Vec<ValueId>>,
    /// Values that wait in a turn of a loop.
    waits: BTreeSet<ValueId>,
    /// What is made again in front of each instruction, of what is brought there.
    again: BTreeMap<InstId, BTreeSet<(usize, InstId)>>,
    /// Loops that read values on the host part by part.
    by_parts: BTreeSet<(InstId, ValueId)>,
    /// What takes parts of stacks on the host, and what puts them there.
    taken: BTreeSet<InstId>,
    put: BTreeSet<InstId>,
    /// The return of the function, and what of its operands it reads on the host.
    returned: (Option<InstId>, BTreeSet<usize>),
    /// Where what lies on the host is there, in the new body.
    hosted: BTreeMap<ValueId, ValueId>,
}

impl Moving {
    fn new(function: &Function, on_host: &OnHost) -> Self {
        let (body, places) = (&function.body, Places::new(&function.body, &on_host.again));
        let mut moving = Self {
            arguments: BTreeSet::new(),
            sent: BTreeSet::new(),
            brought: BTreeMap::new(),
            waits: on_host.again.keys().copied().collect(),
            again: BTreeMap::new(),
            by_parts: BTreeSet::new(),
            taken: BTreeSet::new(),
            put: BTreeSet::new(),
            returned: (body.regions[body.entry()].insts.last().copied(), on_host.results.clone()),
            hosted: BTreeMap::new(),
        };
        for (value, readers) in &on_host.uses {
            moving.plan(&places, *value, readers, function.argument_index(*value).is_some());
        }
        let results = on_host.results.iter().filter_map(|result| function.returned().get(*result));
        moving.sent.extend(results.filter(|value| !moving.arguments.contains(value)));
        moving
    }

    /// Plans the copies of one value.
    fn plan(&mut self, places: &Places<'_>, value: ValueId, readers: &BTreeSet<InstId>, is_argument: bool) {
        let body = places.body;
        let all: Vec<InstId> = places.all_readers(value);
        let in_parts = |inst: &InstId| Some((*inst, parts::taken(body, *inst, value)?));
        let in_parts: BTreeMap<InstId, Vec<InstId>> = all.iter().filter_map(in_parts).collect();
        let whole = |inst: &InstId| !in_parts.contains_key(inst);
        let beside = readers.iter().filter_map(|inst| places.beside(value, *inst));
        let mut at: BTreeSet<InstId> = beside.filter(|inst| all.contains(inst)).collect();
        let put = parts::put(body, value).filter(|_| !all.iter().any(whole));
        if is_argument {
            at.extend(all.iter().find(|inst| whole(inst)));
            self.arguments.insert(value);
        } else if at.is_empty() {
            return;
        } else if put.is_some() {
            self.put.extend(put);
        } else {
            self.sent.insert(value);
        }
        // What is made on the device is read there by parts, where its first copy is not for these.
        let moves = |inst: &InstId| is_argument || put.is_some() || at.contains(inst);
        for (inst, taken) in in_parts.iter().filter(|(inst, _)| moves(inst)) {
            self.by_parts.insert((*inst, value));
            self.taken.extend(taken);
        }
        for inst in at.iter().filter(|inst| whole(inst)) {
            self.brought.entry(*inst).or_default().push(value);
            self.again.entry(*inst).or_default().extend(places.made_again(value, *inst));
        }
    }

    /// Appends the copy of a value to a memory, next to an instruction.
    fn copy(
        rewriter: &mut Rewriter<'_>,
        value: ValueId,
        (placement, when): (Placement, Arrival),
        beside: InstId,
        to: RegionId,
    ) -> ValueId {
        let (call, attributes) = CustomCall::placing(placement, when);
        let ty = rewriter.to.ty(value).clone();
        let made = rewriter.on_behalf_of(None, |rewriter| {
            rewriter.append_for(beside, call.into(), vec![value], vec![ty], to)
        });
        if let Def::Result(inst, _) = rewriter.to.values[made[0]].def {
            rewriter.to.insts[inst].attributes = attributes;
        }
        made[0]
    }
}

impl Edit for Moving {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        for value in self.brought.get(&view.id).into_iter().flatten() {
            let hosted = *self.hosted.entry(*value).or_insert_with(|| rewriter.value(*value));
            let when = if self.waits.contains(value) { Arrival::Late } else { Arrival::Ahead };
            let there = Self::copy(rewriter, hosted, (Placement::Device, when), view.id, to);
            rewriter.stand_for(*value, there);
        }
        for (_, inst) in self.again.get(&view.id).into_iter().flatten() {
            let content = &rewriter.from.insts[*inst];
            let operands = rewriter.values(&content.operands);
            match content.op {
                // What it keeps apart are copies now.
                Op::OptimizationBarrier(_) => {
                    let own = content.results.iter().zip(operands);
                    own.for_each(|(result, operand)| rewriter.stand_for(*result, operand));
                }
                _ => rewriter.append_again(*inst, operands, to),
            }
        }
        false
    }

    fn operand(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        to: RegionId,
    ) -> Option<ValueId> {
        let value = view.inst.operands[index];
        let hosted = || self.hosted.get(&value).copied().unwrap_or_else(|| rewriter.value(value));
        if self.put.contains(&view.id) && index == 1 {
            return Some(Self::copy(
                rewriter,
                rewriter.value(value),
                (Placement::Host, Arrival::Ahead),
                view.id,
                to,
            ));
        }
        let is_returned = self.returned.0 == Some(view.id) && self.returned.1.contains(&index);
        let is_stack = self.by_parts.contains(&(view.id, value));
        let is_taken = self.taken.contains(&view.id) && index == 0;
        (is_returned || is_stack || is_taken).then(hosted)
    }

    fn after(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) {
        for value in view.inst.results.iter().filter(|value| self.sent.contains(value)) {
            let made = rewriter.value(*value);
            let hosted = Self::copy(rewriter, made, (Placement::Host, Arrival::Ahead), view.id, to);
            self.hosted.insert(*value, hosted);
        }
        if self.taken.contains(&view.id) {
            let part = view.inst.results[0];
            let there =
                Self::copy(rewriter, rewriter.value(part), (Placement::Device, Arrival::Ahead), view.id, to);
            rewriter.stand_for(part, there);
        }
    }
}

/// Where values are made and read.
struct Places<'a> {
    body: &'a Body,
    region_of: Table<InstId, RegionId>,
    /// The instruction around each region; none around the function's own.
    around: Table<RegionId, Option<InstId>>,
    position: Table<InstId, usize>,
    readers: Table<ValueId, Vec<InstId>>,
    /// What is made of values and not kept.
    again: &'a BTreeMap<ValueId, BTreeSet<InstId>>,
}

impl<'a> Places<'a> {
    fn new(body: &'a Body, again: &'a BTreeMap<ValueId, BTreeSet<InstId>>) -> Self {
        let mut around = Table::filled(None, body.regions.len());
        let mut position = Table::filled(0, body.insts.len());
        let mut readers = Table::filled(Vec::new(), body.values.len());
        for region in body.regions.values() {
            region.insts.iter().enumerate().for_each(|(at, inst)| position[*inst] = at);
        }
        for inst in body.walk(body.entry()) {
            body.insts[inst].regions.iter().for_each(|region| around[*region] = Some(inst));
            body.insts[inst].operands.iter().for_each(|value| readers[*value].push(inst));
        }
        Self { body, region_of: body.region_of(), around, position, readers, again }
    }

    /// The instructions in a value's own region that read it or what is made again of it, or have a reader inside; the return
    /// is none.
    fn all_readers(&self, value: ValueId) -> Vec<InstId> {
        let again = self.again.get(&value).into_iter().flatten();
        let made = again.flat_map(|inst| &self.body.insts[*inst].results);
        let all = std::iter::once(&value).chain(made).flat_map(|value| &self.readers[*value]);
        let all = all.filter_map(|inst| self.beside(value, *inst));
        let all = all.filter(|inst| !matches!(self.body.insts[*inst].op, Op::Return(_)));
        let mut all: Vec<InstId> = all.collect::<BTreeSet<_>>().into_iter().collect();
        all.sort_by_key(|inst| self.position[*inst]);
        all
    }

    /// What has to be made again of a value that is brought in front of an instruction, with its place: it stands before, and
    /// is read behind.
    fn made_again(&self, value: ValueId, reader: InstId) -> Vec<(usize, InstId)> {
        let before = self.position[reader];
        let all = self.again.get(&value).into_iter().flatten();
        let mut all: Vec<(usize, InstId)> =
            all.map(|inst| (self.position[*inst], *inst)).filter(|(at, _)| *at < before).collect();
        all.sort_unstable();
        let mut needed: Vec<(usize, InstId)> = Vec::new();
        for own in all.into_iter().rev() {
            let is_needed = self.body.insts[own.1].results.iter().any(|result| {
                let behind = self.readers[*result].iter().filter_map(|inst| self.beside(*result, *inst));
                behind.into_iter().any(|inst| {
                    self.position[inst] >= before || needed.iter().any(|(_, other)| *other == inst)
                })
            });
            if is_needed {
                needed.push(own);
            }
        }
        needed
    }

    /// Returns whether an instruction reads a value, or stands inside of one that does.
    fn is_read_by(&self, value: ValueId, inst: InstId) -> bool {
        self.beside(value, inst).is_some_and(|inst| self.all_readers(value).contains(&inst))
    }

    /// The region in which a value is made.
    fn home(&self, value: ValueId) -> RegionId {
        match self.body.values[value].def {
            Def::Result(maker, _) => self.region_of[maker],
            Def::Argument(region, _) => region,
        }
    }

    /// The instruction in the region in which a value is made that is `inst`, or has it inside.
    fn beside(&self, value: ValueId, inst: InstId) -> Option<InstId> {
        let own = self.home(value);
        let mut at = inst;
        while self.region_of[at] != own {
            at = self.around[self.region_of[at]]?;
        }
        Some(at)
    }
}
