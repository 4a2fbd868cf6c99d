//! What compilers for GPUs store: XLA's rule.
//!
//! Input: a body and the plain roles of its instructions. Output: roles and what is stored.
//!
//! - Slices, gathers, pads and concatenations are fused too ([`Role::Moves`]): whatever reads them fetches elements itself.
//! - Reductions and updates in place take what they read into themselves ([`Role::Ends`]); what they make is stored.
//! - What a single kernel needs is made inside of it.
//! - What several kernels need is made in each of them where that moves fewer bytes than to write it once and read it in each,
//!   a launch counted as [`LAUNCH`] bytes. All readers make it, or none does: where one has to have it in memory (a product,
//!   a loop, a result), it is there for all.

use super::kernels::{self, Place, WHOLE, share_of};
use super::{Fusion, Role, expands};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::{Fusing, Op};
use meshwright_ir::program::{Body, Def};
use meshwright_tensor::types::Type;
use rustc_hash::FxHashSet;

/// Bytes that are moved while a kernel is launched: a microsecond of it.
const LAUNCH: f64 = 3e6;

/// The most values that a kernel reads.
const MOST_READS: usize = 64;

/// A value in memory that is read, and bytes of it.
pub(super) type Read = (ValueId, f64);

/// What is fused, and by whom values are read.
pub(super) struct Facts<'a> {
    pub(super) body: &'a Body,
    pub(super) roles: Table<InstId, Role>,
    pub(super) is_stored: Table<ValueId, bool>,
    pub(super) order: Vec<InstId>,
    pub(super) uses: Table<ValueId, Vec<(InstId, usize)>>,
}

/// Fusion of a body, from the plain roles of its instructions.
pub(super) fn fusion(body: &Body, mut roles: Table<InstId, Role>) -> Fusion {
    for inst in body.insts.ids() {
        if roles[inst] == Role::Unfused {
            roles[inst] = role(&body.insts[inst].op);
        }
    }
    let order = body.walk(body.entry());
    let is_stored = Table::filled(true, body.values.len());
    let mut facts = Facts { body, roles, is_stored, order, uses: body.uses() };
    let shared = facts.store_shared();
    facts.repeat_cheap(&shared);
    let places = facts.places(None);
    let parts = kernels::parts(&facts, &places);
    Fusion { roles: facts.roles, is_stored: facts.is_stored, parts }
}

fn role(op: &Op) -> Role {
    match op.traits().fusing {
        Fusing::Alone => Role::Unfused,
        Fusing::Fetches => Role::Moves,
        Fusing::Ends => Role::Ends,
    }
}

impl Facts<'_> {
    /// Whether an operand may be made inside of what reads it.
    pub(super) fn takes(&self, reader: InstId, position: usize) -> bool {
        let inst = &self.body.insts[reader];
        match self.roles[reader] {
            Role::Unfused => false,
            // What is written over lies in memory.
            Role::Ends => position >= inst.op.written_over(inst.operands.len()),
            Role::Relabels => inst.results.len() == 1 && !matches!(inst.op, Op::OptimizationBarrier(_)),
            Role::Fusible | Role::Moves => true,
        }
    }

    /// The value whose memory a value shares.
    pub(super) fn owner(&self, mut value: ValueId) -> ValueId {
        while let Def::Result(inst, index) = self.body.values[value].def
            && self.roles[inst] == Role::Relabels
            && let Some(operand) = self.body.insts[inst].operands.get(index)
            && self.is_stored[*operand]
        {
            value = *operand;
        }
        value
    }

    /// Whether an instruction writes what it makes to memory.
    pub(super) fn writes(&self, inst: InstId) -> bool {
        let made = &self.body.insts[inst];
        let shares = |index: usize| {
            self.roles[inst] == Role::Relabels
                && made.operands.get(index).is_some_and(|operand| self.is_stored[*operand])
        };
        made.results.iter().enumerate().any(|(index, result)| self.is_stored[*result] && !shares(index))
    }

    /// Stores what has to lie in memory, and what several kernels need, which is returned.
    fn store_shared(&mut self) -> Vec<InstId> {
        let mut shared = Vec::new();
        self.places(Some(&mut shared));
        shared.reverse();
        shared
    }

    /// The kernels that each instruction is made in. With `shared`, decides what is stored, and notes what several of them need.
    fn places(&mut self, mut shared: Option<&mut Vec<InstId>>) -> Table<InstId, Vec<Place>> {
        let region_of = self.body.region_of();
        let mut places: Table<InstId, Vec<Place>> = Table::filled(Vec::new(), self.body.insts.len());
        for id in self.order.clone().into_iter().rev() {
            let own = vec![Place { kernel: id, share: WHOLE }];
            match self.roles[id] {
                Role::Unfused => continue,
                Role::Ends => {
                    places[id] = own;
                    continue;
                }
                Role::Fusible | Role::Moves | Role::Relabels => {}
            }
            let results = &self.body.insts[id].results;
            let mut found: Vec<Place> = Vec::new();
            let mut is_needed = false;
            for (reader, position) in results.iter().flat_map(|result| &self.uses[*result]) {
                if region_of[*reader] != region_of[id] || !self.takes(*reader, *position) {
                    is_needed = true;
                    continue;
                }
                let share = self.share(*reader, *position);
                found.extend(places[*reader].iter().map(|place| place.times(share)));
            }
            kernels::join(&mut found);
            if let Some(shared) = &mut shared {
                let is_shared = found.len() > 1 && !expands(&self.body.view(id));
                for result in results {
                    self.is_stored[*result] = is_needed || is_shared;
                }
                if !is_needed && is_shared {
                    shared.push(id);
                }
            }
            // What several kernels need is in them once it is known not to be stored.
            places[id] = if self.is_stored[results[0]] { own } else { found };
        }
        places
    }

    /// The part of an operand that an instruction fetches.
    fn share(&self, reader: InstId, position: usize) -> u32 {
        let view = self.body.view(reader);
        if self.roles[reader] != Role::Moves {
            return WHOLE;
        }
        let (operands, results): (Vec<Type>, Vec<Type>) =
            (view.operand_types().cloned().collect(), view.result_types().cloned().collect());
        let whole = operands[position].num_bytes() as f64;
        share_of(view.inst.op.read_bytes(position, &operands, &results), whole)
    }

    /// Makes again in each kernel, in program order, what costs less so.
    fn repeat_cheap(&mut self, shared: &[InstId]) {
        let shared: FxHashSet<InstId> = shared.iter().copied().collect();
        let mut counts: Table<InstId, usize> = Table::filled(0, self.body.insts.len());
        // How many kernels need each, those that have others of these inside counted as they are now.
        let places = self.needed_in();
        for id in self.body.insts.ids() {
            counts[id] = places[id];
        }
        let mut reads: Table<InstId, Vec<Read>> = Table::filled(Vec::new(), self.body.insts.len());
        for id in self.order.clone() {
            if matches!(self.roles[id], Role::Unfused | Role::Ends) {
                continue;
            }
            reads[id] = self.reads(id, &reads);
            if !shared.contains(&id) {
                continue;
            }
            let result = self.body.insts[id].results[0];
            let made = self.body.ty(result).num_bytes() as f64;
            let read: f64 = reads[id].iter().map(|(_, bytes)| bytes).sum();
            let kernels = counts[id] as f64;
            let is_cheap = kernels * read < read + (kernels + 1.0) * made + LAUNCH;
            self.is_stored[result] = !is_cheap || reads[id].len() > MOST_READS;
        }
        // Other names of what is stored are stored.
        for id in self.order.clone() {
            let body = self.body;
            let Some(inst) = Some(&body.insts[id]).filter(|_| self.roles[id] == Role::Relabels) else {
                continue;
            };
            for (operand, result) in inst.operands.iter().zip(&inst.results) {
                self.is_stored[*result] |= self.is_stored[*operand];
            }
        }
    }

    /// How many kernels need each instruction that is shared.
    fn needed_in(&mut self) -> Table<InstId, usize> {
        let places = self.places(None);
        let mut counts = Table::filled(0, self.body.insts.len());
        for id in self.order.iter().copied() {
            let mut found: Vec<InstId> = Vec::new();
            for (reader, _) in self.body.insts[id].results.iter().flat_map(|result| &self.uses[*result]) {
                found.extend(places[*reader].iter().map(|place| place.kernel));
            }
            found.sort_unstable();
            found.dedup();
            counts[id] = found.len();
        }
        counts
    }

    /// The values in memory that an instruction is made from, and the bytes of each.
    pub(super) fn reads(&self, id: InstId, known: &Table<InstId, Vec<Read>>) -> Vec<Read> {
        let view = self.body.view(id);
        let (operands, results): (Vec<Type>, Vec<Type>) =
            (view.operand_types().cloned().collect(), view.result_types().cloned().collect());
        let mut found: Vec<Read> = Vec::new();
        for (position, operand) in view.inst.operands.iter().enumerate() {
            let bytes = view.inst.op.read_bytes(position, &operands, &results);
            if self.is_stored[*operand] {
                if bytes > 0.0 {
                    found.push((self.owner(*operand), bytes));
                }
                continue;
            }
            let Def::Result(maker, _) = self.body.values[*operand].def else { continue };
            let share = bytes / (operands[position].num_bytes() as f64).max(1.0);
            found.extend(known[maker].iter().map(|(value, bytes)| (*value, bytes * share)));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        found.dedup_by_key(|read| read.0);
        found.truncate(MOST_READS + 1);
        found
    }
}
