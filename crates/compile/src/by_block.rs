//! What each block of a model takes on one device: operations, time, bytes that are sent, and memory at the peak.
//!
//! Input: what figures are worked out from, with the program as it was read. Output: a [`BlockPart`] for each block, as the
//! locations of instructions name them (`analyze::blocks`), and one for what is of none. They are read off the local program
//! and the lowering, so that they add up to what the plan says as a whole.

use meshwright_analyze::Blocks;
use meshwright_analyze::blocks::Block;
use meshwright_cost::lowering::Lowering;
use meshwright_cost::memory::at_peak;
use meshwright_ir::diagnostic::Span;
use meshwright_plan::figures::BlockPart;
use meshwright_spmd::Account;
use std::collections::BTreeMap;

use crate::figures::Facts;

/// The parts, in order of the program; none of a program that does not say what its blocks are.
pub(crate) fn by_block(facts: &Facts<'_>) -> Vec<BlockPart> {
    let Some(blocks) = Blocks::of(facts.original) else { return Vec::new() };
    let names = blocks.names.iter().cloned().chain([String::new()]);
    let mut parts: Vec<BlockPart> = names.map(|block| BlockPart { block, ..BlockPart::default() }).collect();
    let other = parts.len() - 1;
    for (number, own) in accounted(&blocks, facts.account) {
        let block = std::mem::take(&mut parts[number].block);
        parts[number] = BlockPart { block, ..own };
    }
    let of_values = blocks.of_values(facts.function);
    let lowering = Lowering::new(facts.analysis, facts.shardings);
    let held = at_peak(&lowering, facts.placement, |value| of_values[value].unwrap_or(other));
    held.into_iter().for_each(|(block, bytes)| parts[block].peak_bytes = bytes.0);
    parts.retain(|part| *part != BlockPart { block: part.block.clone(), ..BlockPart::default() });
    parts
}

/// Operations, time and bytes that are sent in a program by block, without names and memory; what is of none is behind all.
pub(crate) fn accounted(blocks: &Blocks, account: &Account) -> BTreeMap<Block, BlockPart> {
    let mut parts: BTreeMap<Block, BlockPart> = BTreeMap::new();
    let mut sent: BTreeMap<Block, f64> = BTreeMap::new();
    for ([start, end], place) in &account.places {
        let block = blocks.at(Span { start: *start, end: *end }).unwrap_or(blocks.names.len());
        let part = parts.entry(block).or_default();
        part.product_flops += place.product_flops;
        part.work_seconds += place.work;
        part.waiting_seconds += place.exposed;
        *sent.entry(block).or_default() += place.sent_bytes;
    }
    for (block, bytes) in sent {
        parts.entry(block).or_default().sent_bytes = bytes.round() as u64;
    }
    parts
}
