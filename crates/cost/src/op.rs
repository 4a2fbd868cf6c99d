//! Seconds of one op on one device.
//!
//! Input: an instruction and the local types of its operands and results. Output: seconds by the roofline model: the
//! larger of flops / achievable flops of its [`crate::arithmetic`] and bytes / achievable memory bandwidth, of which its
//! kernel reaches a share ([`crate::curves`]), plus the overhead of a launch.
//!
//! Fused instructions ([`crate::fusion`]) are charged only for bytes that cross the edge of a fusion: operands that
//! are stored in memory, and the result if it is stored; and for a launch only if they store something. So the cost of
//! a function is the sum over its instructions, each depending on its own local types alone.

use crate::analysis::Analysis;
use crate::arithmetic::{Arithmetic, Asked};
use crate::curves;
use crate::fusion::{Part, Role, WHOLE};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Op;
use meshwright_ir::program::Inst;
use meshwright_ir::rule::{ShardingRule, Strategy, TensorFactors};
use meshwright_machine::{Device, Flops, Seconds};
use meshwright_tensor::types::Type;

/// Flops and bytes of one execution of an instruction on one device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Arithmetic.
    pub flops: Flops,
    /// What it is computed in, as far as the program says; [`Work::arithmetic`] says the rest.
    pub asked: Asked,
    /// As what it runs.
    pub kernel: KernelShape,
    /// Whether rows of what it multiplies begin at multiples of 16 bytes.
    pub is_aligned: bool,
    /// Bytes read from and written to memory.
    pub bytes: f64,
    /// Whether it is launched as an op of its own (or ends a fusion that is).
    pub is_launched: bool,
}

/// The work of an instruction with operands and results of the given local types.
pub fn work(analysis: &Analysis<'_>, inst: InstId, operands: &[Type], results: &[Type]) -> Work {
    let source = &analysis.function.body.insts[inst];
    let role = analysis.fusion.roles[inst];
    let part = analysis.fusion.part(inst);
    if role == Role::Unfused || (role == Role::Ends && part.is_alone()) {
        return alone(&source.op, operands, results);
    }
    let is_stored = &analysis.fusion.is_stored;
    if !part.is_alone() && role != Role::Relabels {
        return in_kernels(&source.op, part, operands, results);
    }
    let relabels = role == Role::Relabels;
    let bytes = match relabels {
        true => made_bytes(source, results, is_stored),
        // A constant lies in memory from the start.
        false if source.op.bytes(operands, results) == 0.0 => 0.0,
        false => {
            stored_bytes(&source.operands, operands, is_stored)
                + stored_bytes(&source.results, results, is_stored)
        }
    };
    let is_launched = match relabels {
        true => bytes > 0.0 && (part.is_alone() || part.begins),
        // A constant lies in memory from the start.
        false => !source.operands.is_empty() && source.results.iter().any(|result| is_stored[*result]),
    };
    Work {
        flops: Flops(source.op.flops(operands, results)),
        // Elementwise ops may read predicates, so their result decides.
        asked: Asked::of(&source.op, operands, results.first()),
        kernel: source.op.kernel(operands, results),
        is_aligned: true,
        bytes,
        is_launched,
    }
}

/// The work of an op that is made in several kernels, or in one that others are made in.
fn in_kernels(op: &Op, part: &Part, operands: &[Type], results: &[Type]) -> Work {
    let own = alone(op, operands, results);
    let read = |index: usize| op.read_bytes(index, operands, results);
    let all: f64 = (0..operands.len()).map(read).sum();
    let written = match op {
        // What is the same everywhere is filled in, as often as a step runs.
        Op::Constant(constant) if constant.value.splat_bytes().is_some() => {
            results.iter().map(|made| made.num_bytes() as f64).sum()
        }
        _ => (own.bytes - all).max(0.0),
    };
    let written = if part.writes { written } else { 0.0 };
    let reads: f64 = part.reads.iter().enumerate().map(|(index, times)| share(*times) * read(index)).sum();
    Work {
        flops: Flops(own.flops.0 * share(part.made)),
        asked: Asked::of(op, operands, results.first()),
        bytes: reads + written,
        is_launched: part.begins,
        ..own
    }
}

/// A multiple that kernels count in parts.
fn share(parts: u32) -> f64 {
    f64::from(parts) / f64::from(WHOLE)
}

/// The work of an op that is fused with no other, with operands and results of these types.
pub fn alone(op: &Op, operands: &[Type], results: &[Type]) -> Work {
    let (flops, bytes) = (op.flops(operands, results), op.bytes(operands, results));
    Work {
        flops: Flops(flops),
        asked: Asked::of(op, operands, operands.first().or(results.first())),
        kernel: op.kernel(operands, results),
        is_aligned: operands.iter().take(2).all(is_aligned),
        bytes,
        is_launched: flops > 0.0 || bytes > 0.0,
    }
}

/// Whether rows of a tensor begin at multiples of 16 bytes.
fn is_aligned(ty: &Type) -> bool {
    ty.as_tensor().is_none_or(|tensor| {
        tensor.shape.last().is_none_or(|row| (row * tensor.element.bits()).is_multiple_of(8 * 16))
    })
}

/// Bytes of the values that lie in memory. What a fusion reads twice is read from memory once.
fn stored_bytes(values: &[ValueId], types: &[Type], is_stored: &Table<ValueId, bool>) -> f64 {
    let is_first = |index: usize| !values[..index].contains(&values[index]);
    let stored = values
        .iter()
        .zip(types)
        .enumerate()
        .filter(|(index, (value, _))| is_stored[**value] && is_first(*index));
    stored.map(|(_, (_, ty))| ty.num_bytes() as f64).sum()
}

/// Bytes that an instruction that relabels writes: what lies in memory already is not written again.
fn made_bytes(source: &Inst, results: &[Type], is_stored: &Table<ValueId, bool>) -> f64 {
    let made = source.operands.iter().zip(&source.results).zip(results);
    made.filter(|((operand, result), _)| is_stored[**result] && !is_stored[**operand])
        .map(|(_, ty)| ty.num_bytes() as f64)
        .sum()
}

impl Work {
    /// The class of arithmetic in which it runs on a device, and in how many passes: what a dense peak is of.
    pub fn arithmetic(&self, device: &Device) -> Arithmetic {
        self.asked.on(device)
    }

    /// Time that it takes.
    pub fn seconds(&self, device: &Device) -> Seconds {
        let parts = self.parts(device);
        parts.arithmetic.max(parts.memory) + parts.launch
    }

    /// Seconds in which it keeps a link between the device and its host busy, if it is a copy between them and the machine
    /// says anything of that link. Each of its bytes is read once and written once.
    pub fn on_host_link(&self, device: &Device) -> Option<Seconds> {
        let host = device.host.filter(|_| self.kernel == KernelShape::HostCopy)?;
        Some(Seconds(0.5 * self.bytes / host.achievable_bandwidth().0))
    }

    /// Parts of that time.
    pub fn parts(&self, device: &Device) -> WorkParts {
        let shares = curves::shares(self, device);
        let rate = self.arithmetic(device).achievable(device) * shares.arithmetic;
        let bandwidth = device.achievable_memory_bandwidth() * shares.memory;
        WorkParts {
            arithmetic: self.flops / rate,
            memory: self.on_host_link(device).unwrap_or(Seconds(self.bytes / bandwidth.0)),
            launch: if self.is_launched { device.launch_overhead } else { Seconds::ZERO },
        }
    }
}

/// Parts of the time of an instruction: the larger of arithmetic and memory, and its launch.
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
