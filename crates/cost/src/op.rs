//! Seconds of one op on one device.
//!
//! Input: an instruction and the local types of its operands and results. Output: seconds by the roofline model: the
//! larger of flops / achievable flops of its [`crate::arithmetic`] and bytes / achievable memory bandwidth, plus the overhead
//! of a launch.
//!
//! Fused instructions ([`crate::fusion`]) are charged only for bytes that cross the edge of a fusion: operands that
//! are stored in memory, and the result if it is stored; and for a launch only if they store something. So the cost of
//! a function is the sum over its instructions, each depending on its own local types alone.

use crate::analysis::Analysis;
use crate::arithmetic::{Arithmetic, Asked};
use crate::fusion::Role;
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Op;
use meshwright_ir::rule::{ShardingRule, Strategy, TensorFactors};
use meshwright_machine::{Device, Flops, Platform, Seconds};
use meshwright_tensor::types::Type;

/// Flops and bytes of one execution of an instruction on one device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Arithmetic.
    pub flops: Flops,
    /// What it is computed in, as far as the program says; [`Work::arithmetic`] says the rest.
    pub asked: Asked,
    /// Of a convolution in groups, which engines run slower than products: how far it is on the way from groups of
    /// [`ENOUGH`] features (0) to one feature per group (1), as a ratio of logarithms.
    pub grouping: f64,
    /// Of a convolution without groups, how many features it takes and gives, as their geometric mean; infinite of all else.
    pub width: f64,
    /// Bytes read from and written to memory.
    pub bytes: f64,
    /// Whether it is launched as an op of its own (or ends a fusion that is).
    pub is_launched: bool,
}

/// With so many features in each group, convolutions reach what products do.
pub const ENOUGH: usize = 64;

/// With so many features, convolutions without groups reach on a CPU what products do.
const WIDE: f64 = 32.0;

/// The work of an instruction with operands and results of the given local types.
pub fn work(analysis: &Analysis<'_>, inst: InstId, operands: &[Type], results: &[Type]) -> Work {
    let body = &analysis.function.body;
    let source = &body.insts[inst];
    let is_stored = &analysis.fusion.is_stored;
    let flops = source.op.flops(operands, results);
    let stored_bytes = |values: &[meshwright_ir::ids::ValueId], types: &[Type]| -> f64 {
        // What a fusion reads twice is read from memory once.
        let is_first = |index: usize| !values[..index].contains(&values[index]);
        let stored = values
            .iter()
            .zip(types)
            .enumerate()
            .filter(|(index, (value, _))| is_stored[**value] && is_first(*index));
        stored.map(|(_, (_, ty))| ty.num_bytes() as f64).sum()
    };
    let role = analysis.fusion.roles[inst];
    let bytes = match role {
        Role::Alone => source.op.bytes(operands, results),
        // A constant lies in memory from the start.
        Role::Fusible if source.op.bytes(operands, results) == 0.0 => 0.0,
        Role::Fusible => stored_bytes(&source.operands, operands) + stored_bytes(&source.results, results),
        // What lies in memory already is not written again.
        Role::Relabels => {
            let made = source.operands.iter().zip(&source.results).zip(results);
            made.filter(|((operand, result), _)| is_stored[**result] && !is_stored[**operand])
                .map(|(_, ty)| ty.num_bytes() as f64)
                .sum()
        }
    };
    let is_launched = match role {
        Role::Alone => flops > 0.0 || bytes > 0.0,
        // A constant lies in memory from the start.
        Role::Fusible => {
            !source.operands.is_empty() && source.results.iter().any(|result| is_stored[*result])
        }
        Role::Relabels => bytes > 0.0,
    };
    // Elementwise ops may read predicates, so their result decides.
    let decisive = if role == Role::Alone { operands.first().or(results.first()) } else { results.first() };
    let asked = Asked::of(&source.op, operands, decisive);
    let grouping = match &source.op {
        Op::Convolution(convolution) => {
            convolution.features_per_group(operands, &results[0]).map_or(0.0, grouping)
        }
        _ => 0.0,
    };
    let width = match &source.op {
        Op::Convolution(convolution) => convolution.width(operands, &results[0]).unwrap_or(f64::INFINITY),
        _ => f64::INFINITY,
    };
    Work { flops: Flops(flops), asked, grouping, width, bytes, is_launched }
}

/// See [`Work::grouping`].
fn grouping(features_per_group: usize) -> f64 {
    1.0 - (features_per_group.clamp(1, ENOUGH) as f64).ln() / (ENOUGH as f64).ln()
}

impl Work {
    /// The share of what products reach. Between many features in a group and one it falls geometrically: with XLA on a CPU,
    /// convolutions with 64, 32, 8 and one feature in a group were measured at 85, 26, 7.9 and 0.3 GFLOP/s, and a single
    /// feature in a single group at 0.2.
    ///
    /// On a CPU narrow ones without groups fall behind too: where products reached 34 GFLOP/s, convolutions from 1 to 1
    /// feature were measured at 0.16, from 3 to 8 at 2, from 8 to 8 at 6, from 16 to 16 at 10 to 20, from 32 to 32 at 49.
    fn share(&self, device: &Device) -> f64 {
        let narrow = match device.platform {
            Some(Platform::Cpu) => (self.width / WIDE).min(1.0).powf(1.5),
            _ => 1.0,
        };
        let least = device
            .grouped_convolution_flops
            .map_or(1.0, |rate| (rate.0 / Asked::F32.on(device).achievable(device).0).min(1.0));
        least.powf(self.grouping) * narrow
    }

    /// The class of arithmetic in which it runs on a device, and in how many passes: what a dense peak is of.
    pub fn arithmetic(&self, device: &Device) -> Arithmetic {
        self.asked.on(device)
    }

    /// How long it takes.
    pub fn seconds(&self, device: &Device) -> Seconds {
        let parts = self.parts(device);
        parts.arithmetic.max(parts.memory) + parts.launch
    }

    /// What that is made of.
    pub fn parts(&self, device: &Device) -> WorkParts {
        WorkParts {
            arithmetic: self.flops / (self.arithmetic(device).achievable(device) * self.share(device)),
            memory: Seconds(self.bytes / device.achievable_memory_bandwidth().0),
            launch: if self.is_launched { device.launch_overhead } else { Seconds::ZERO },
        }
    }
}

/// What the time of an instruction is made of: the larger of arithmetic and memory, and its launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkParts {
    /// Seconds of its arithmetic at the rate that is reached.
    pub arithmetic: Seconds,
    /// Seconds of its reads and writes at the bandwidth that is reached.
    pub memory: Seconds,
    /// Seconds until it runs.
    pub launch: Seconds,
}

/// The local types of an instruction under a strategy. Keep one and fill it again and again: it reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct LocalTypes {
    /// Of the operands, sharded as the strategy asks.
    pub operands: Vec<Type>,
    /// Of the results, as the strategy makes them.
    pub results: Vec<Type>,
}

impl LocalTypes {
    /// Works out the types of `inst`.
    pub fn fill(&mut self, analysis: &Analysis<'_>, inst: InstId, strategy: &Strategy, mesh: &Mesh) {
        let view = analysis.function.body.view(inst);
        let rule = analysis.rule(inst);
        fill(&mut self.operands, view.operand_types(), &rule.operands, rule, strategy, mesh);
        fill(&mut self.results, view.result_types(), &rule.results, rule, strategy, mesh);
    }
}

fn fill<'a>(
    slots: &mut Vec<Type>,
    types: impl ExactSizeIterator<Item = &'a Type>,
    tensors: &[TensorFactors],
    rule: &ShardingRule,
    strategy: &Strategy,
    mesh: &Mesh,
) {
    debug_assert_eq!(strategy.axes.len(), rule.factors.len());
    slots.resize(types.len(), Type::Token);
    for ((slot, global), dims) in slots.iter_mut().zip(types).zip(tensors) {
        let Type::Tensor(global) = global else {
            slot.clone_from(global);
            continue;
        };
        if !matches!(slot, Type::Tensor(_)) {
            *slot = Type::Tensor(global.clone());
        }
        let Type::Tensor(local) = slot else { continue };
        local.element = global.element;
        local.shape.clone_from(&global.shape);
        for (size, factors) in local.shape.iter_mut().zip(dims) {
            for factor in factors {
                let axes = &strategy.axes[*factor];
                if !axes.is_empty() {
                    *size = size.div_ceil(mesh.product(axes));
                }
            }
        }
    }
}
