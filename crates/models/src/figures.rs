//! The figures of the field, counted in the program of a model.
//!
//! Input: a [`Model`]. Output: [`Figures`]. Parameters are the program's arguments, operations those of its products as
//! `analyze::model_flops` counts them, of the forward pass; a training step takes three times as many. A block is what
//! the locations of instructions say (`layers/attention/...`).

use crate::Model;
use meshwright_analyze::blocks::{block, place};
use meshwright_analyze::flow::runs_of_insts;
use meshwright_analyze::model_flops::{ModelFlops, Product, model_flops};
use meshwright_analyze::roles::{DATA, Roles};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::{Body, Function};
use std::collections::{BTreeMap, BTreeSet};

/// The figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Parameters.
    pub parameters: u64,
    /// Parameters that one token uses.
    pub active: u64,
    /// Operations of the forward pass over the batch.
    pub flops: f64,
    /// The part of `flops` that the products between tokens take, counted in full.
    pub attention_flops: f64,
    /// Operations of each block, in order of the program.
    pub blocks: Vec<BlockFlops>,
    /// Bytes that decoding keeps for each token.
    pub cache_bytes_per_token: u64,
    /// Bytes that decoding keeps for each sequence, however long it is.
    pub cache_bytes_per_sequence: u64,
    /// Bytes of the batch that the products of a layer read, on average over layers: what a backward pass needs of it,
    /// if all else is made again.
    pub activation_bytes_per_layer: f64,
    /// Operations for each byte that products read and write.
    pub intensity: f64,
}

/// Operations of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockFlops {
    /// The block.
    pub block: String,
    /// Operations of the forward pass over the batch.
    pub flops: f64,
}

impl Model {
    /// Counts the figures.
    pub fn figures(&self) -> Figures {
        let main = self.program.main().expect("a model is one function");
        let roles = Roles::new(main);
        let flops = model_flops(main, &roles);
        let element = self.recipe.compute().bits() as u64 / 8;
        let moved = bytes_moved(main, &flops);
        Figures {
            parameters: self.parameters.iter().map(|parameter| parameter.num_elements()).sum(),
            active: self.parameters.iter().map(|parameter| parameter.num_active()).sum(),
            blocks: blocks(&main.body, &flops),
            flops: flops.once,
            attention_flops: flops.attention,
            cache_bytes_per_token: self.cached.per_token * element,
            cache_bytes_per_sequence: self.cached.per_sequence * element,
            activation_bytes_per_layer: kept_by_layers(main, &roles, &flops) / self.depth.max(1) as f64,
            intensity: flops.once / moved.max(1.0),
        }
    }
}

fn blocks(body: &Body, flops: &ModelFlops) -> Vec<BlockFlops> {
    let mut found: Vec<BlockFlops> = Vec::new();
    for Product { inst, flops, .. } in &flops.products {
        let block = block(place(body, *inst));
        match found.iter_mut().find(|known| known.block == block) {
            Some(known) => known.flops += flops,
            None => found.push(BlockFlops { block, flops: *flops }),
        }
    }
    found
}

fn bytes(body: &Body, value: ValueId) -> f64 {
    body.ty(value).num_bytes() as f64
}

/// Bytes of all operands and results of products, in all turns of loops.
fn bytes_moved(function: &Function, flops: &ModelFlops) -> f64 {
    let body = &function.body;
    let runs = runs_of_insts(body);
    let of = |inst: &InstId| {
        let inst = &body.insts[*inst];
        inst.operands.iter().chain(&inst.results).map(|value| bytes(body, *value)).sum::<f64>()
    };
    flops.products.iter().map(|product| of(&product.inst) * runs[product.inst]).sum()
}

/// Bytes of all values of the data that products in layers read, in all layers.
fn kept_by_layers(function: &Function, roles: &Roles, flops: &ModelFlops) -> f64 {
    let body = &function.body;
    let runs = runs_of_insts(body);
    let (mut seen, mut kept) = (BTreeSet::new(), BTreeMap::new());
    for Product { inst, .. } in &flops.products {
        if !place(body, *inst).contains("layers") {
            continue;
        }
        for operand in &body.insts[*inst].operands {
            if roles.depends[*operand] & DATA != 0 && seen.insert(*operand) {
                kept.insert(*operand, bytes(body, *operand) * runs[*inst]);
            }
        }
    }
    kept.values().sum()
}
