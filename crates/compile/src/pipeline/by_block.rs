//! What each block of a model takes on a device of each group of a pipeline.
//!
//! Input: a pipeline with its prices, its programs, and the program as it was read. Output: a [`BlockPart`] for each group
//! and block. Operations and bytes are read off the programs of the group, each as often as its row runs it; memory is what
//! the group holds when it holds most, so that over its blocks it adds up to that.

use meshwright_analyze::Blocks;
use meshwright_analyze::blocks::Block;
use meshwright_cost::memory::at_peak;
use meshwright_cost::{Analysis, Lowering};
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::program::Program;
use meshwright_plan::figures::BlockPart;
use meshwright_plan::{CrossMesh, DevicePrograms, Event, Phase, PhaseProgram, ProgramId, Slot};
use meshwright_spmd::{Account, Places};
use meshwright_stage::Piece;
use std::collections::BTreeMap;

use super::figures::Priced;
use crate::by_block::accounted;
use crate::mesh::placed;

/// What a program takes of each block.
type Parts = BTreeMap<Block, BlockPart>;

impl Priced<'_> {
    /// The parts, by group and in order of the program; none of a program that does not say what its blocks are.
    /// `beyond` are the bytes that each program needs beside what it takes.
    pub(super) fn by_block(
        &self,
        original: &Program,
        programs: &DevicePrograms,
        beyond: &BTreeMap<ProgramId, u64>,
    ) -> Vec<BlockPart> {
        let Some(blocks) = Blocks::of(original) else { return Vec::new() };
        let of_step = blocks.of_values(self.step.function);
        let own = ByBlock { priced: self, blocks: &blocks, of_step, programs };
        let of_slots = own.of_slots();
        let accounts = own.pieces().map(|piece| (piece.id, own.account(piece))).collect();
        let known = Known { of_slots, accounts, beyond };
        (0..programs.groups.len()).flat_map(|group| own.group(group, &known)).collect()
    }
}

/// What is asked of all groups.
struct Known<'a> {
    /// The block of what is bound to each slot.
    of_slots: BTreeMap<&'a Slot, Block>,
    /// What one run of each piece takes, without memory.
    accounts: BTreeMap<ProgramId, Parts>,
    /// Bytes that each program needs beside what it takes.
    beyond: &'a BTreeMap<ProgramId, u64>,
}

struct ByBlock<'a> {
    priced: &'a Priced<'a>,
    blocks: &'a Blocks,
    /// The block of each value of the step.
    of_step: Table<ValueId, Option<Block>>,
    programs: &'a DevicePrograms,
}

impl<'a> ByBlock<'a> {
    /// The number of what is of no block.
    fn other(&self) -> Block {
        self.blocks.names.len()
    }

    /// The pieces that are programs.
    fn pieces(&self) -> impl Iterator<Item = &'a Piece> {
        let programs = &self.programs.programs;
        self.priced.pieces.iter().filter(move |piece| programs.contains_key(&piece.id))
    }

    /// The block of each value of a piece: that of the step's, or of what makes or reads it there.
    fn of_values(&self, piece: &Piece) -> Table<ValueId, Block> {
        let own = self.blocks.of_values(&piece.function);
        let of = |(value, of_step): (ValueId, &Option<ValueId>)| {
            of_step.and_then(|value| self.of_step[value]).or(own[value]).unwrap_or(self.other())
        };
        piece.values.iter().map(of).collect()
    }

    /// The block of what is bound to each slot.
    fn of_slots(&self) -> BTreeMap<&'a Slot, Block> {
        let mut found = BTreeMap::new();
        for (id, program) in &self.programs.programs {
            let Some(piece) = self.priced.piece_of(*id) else { continue };
            let of = self.of_values(piece);
            let values = piece.function.args().iter().chain(piece.function.returned());
            for (slot, value) in program.takes.iter().chain(&program.gives).zip(values) {
                let own = found.entry(slot).or_insert(of[*value]);
                if *own == self.other() {
                    *own = of[*value];
                }
            }
        }
        found
    }

    /// What one run of a piece takes, without memory.
    fn account(&self, piece: &Piece) -> Parts {
        let program = &self.programs.programs[&piece.id];
        let placement = placed(self.priced.on.of(piece.id.stage).1, &program.device.mesh);
        let places = Places { is_attention: &|_| false, again: &|_, _| 0.0 };
        accounted(self.blocks, &Account::new(&program.device, &placement, &places))
    }

    /// The parts of a group.
    fn group(&self, group: usize, known: &Known<'_>) -> Vec<BlockPart> {
        let names = self.blocks.names.iter().cloned().chain([String::new()]);
        let empty = |block| BlockPart { block, group: Some(group), ..BlockPart::default() };
        let mut parts: Vec<BlockPart> = names.map(empty).collect();
        let mut runs: BTreeMap<ProgramId, u64> = BTreeMap::new();
        // Of every microbatch the same is handed over.
        let mut handed: BTreeMap<(&str, usize), u64> = BTreeMap::new();
        for event in self.programs.schedule.rows.get(group).into_iter().flatten() {
            match event {
                // What is made again after all is no part of a usual step.
                Event::Action(action) if action.program.phase == Phase::Redo => {}
                Event::Action(action) => *runs.entry(action.program).or_default() += 1,
                Event::Transfer(transfer) if transfer.source == group => {
                    let own = [Slot::Stash(transfer.value.clone()), Slot::Received(transfer.value.clone())];
                    let block = own.iter().find_map(|slot| known.of_slots.get(slot)).copied();
                    let bytes = handed
                        .entry((&transfer.value, transfer.target))
                        .or_insert_with(|| self.handed(group, transfer.target, &transfer.value));
                    parts[block.unwrap_or(self.other())].handed_bytes += *bytes;
                }
                Event::Transfer(_) => {}
            }
        }
        for (id, runs) in runs {
            let Some(piece) = self.priced.piece_of(id) else { continue };
            for (block, one) in known.accounts.get(&piece.id).into_iter().flatten() {
                let part = &mut parts[*block];
                part.product_flops += one.product_flops * runs as f64;
                part.work_seconds += one.work_seconds * runs as f64;
                part.waiting_seconds += one.waiting_seconds * runs as f64;
                part.sent_bytes += one.sent_bytes * runs;
            }
        }
        for (block, bytes) in self.at_peak(group, known) {
            parts[block].peak_bytes = u64::try_from(bytes).unwrap_or(0);
        }
        parts.retain(|part| *part != empty(part.block.clone()));
        parts
    }

    /// Bytes that a device sends, or receives, of a value between two groups.
    fn handed(&self, source: usize, target: usize, value: &str) -> u64 {
        let ends = self.programs.held(source, value).zip(self.programs.held(target, value));
        let Some((from, to)) = ends else { return 0 };
        let Some(ty) = from.ty.as_tensor() else { return 0 };
        match CrossMesh::between(from, to) {
            Some(way) => (way.most_elements() * ty.element.bits()).div_ceil(8) as u64,
            None => from.sharding.local_type(ty, from.mesh).num_bytes() as u64,
        }
    }

    /// Bytes by block when a device of a group holds most.
    fn at_peak(&self, group: usize, known: &Known<'_>) -> BTreeMap<Block, i128> {
        let peak = self.programs.peak(group, &|id| known.beyond.get(&id).copied().unwrap_or(0));
        let mut found: BTreeMap<Block, i128> = BTreeMap::new();
        for (slot, bytes) in &peak.held {
            let block = known.of_slots.get(slot).copied().unwrap_or(self.other());
            *found.entry(block).or_default() += i128::from(*bytes);
        }
        let running =
            peak.program.and_then(|id| Some((self.priced.piece_of(id)?, &self.programs.programs[&id])));
        if let Some((piece, program)) = running {
            self.add_working(piece, program, &mut found);
        }
        found
    }

    /// Adds what a program needs beside what it takes: what it holds when it holds most, without its arguments.
    fn add_working(&self, piece: &Piece, program: &PhaseProgram, found: &mut BTreeMap<Block, i128>) {
        let donating = self.priced.donating(piece, program).unwrap_or_else(|| piece.clone());
        let (on, machine) = self.priced.on.of(piece.id.stage);
        let shardings = on.of_piece(&donating, self.priced.handed);
        let analysis = Analysis::on(&donating.function, self.priced.machine.device.platform);
        let placement = placed(machine, &shardings.mesh);
        let of = self.of_values(piece);
        let held = at_peak(&Lowering::new(&analysis, &shardings), &placement, |value| of[value]);
        for (block, bytes) in held {
            *found.entry(block).or_default() += i128::from(bytes.0);
        }
        for arg in piece.function.args() {
            let Some(value) = piece.values[*arg] else { continue };
            let bytes = on.local_bytes(self.priced.step.body(), self.priced.handed, value);
            *found.entry(of[*arg]).or_default() -= i128::from(bytes);
        }
    }
}
