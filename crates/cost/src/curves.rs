//! Shares of a device's rates that kernels reach: the one place that prices kinds of kernels.
//!
//! Input: a kernel, its operations and bytes, and a device. Output: [`Shares`] of the rate of large products and of the
//! memory bandwidth. What a machine file says of a kind, a curve by operations or by bytes, counts on top of what is known
//! of convolutions everywhere; where it says nothing, kernels reach all of it.
//!
//! A kind that a machine file may speak of has a name in [`KERNELS`] and a line in `curve`, where kernels that ops run as
//! ([`KernelShape`]) get their kind, and nothing else; those of links ([`LINKS`]) are the kinds of collectives.

use crate::arithmetic::Asked;
use crate::op::Work;
use meshwright_ir::kernel_shape::{Attention, ChunkScan, Convolution, KernelShape};
use meshwright_machine::{
    Curve, CurveKinds, Device, Machine, MachineError, Platform, Seconds, file_and_sizes,
};

/// Kinds of kernels that a machine file may give curves of.
pub const KERNELS: [&str; 9] =
    ["attention", "convolution", "elementwise", "matmul", "move", "other", "reduce", "scan", "sort"];

/// Kinds of collectives that a machine file may give curves of, and `any` for those that have none of their own.
pub const LINKS: [&str; 6] =
    ["all_gather", "all_reduce", "all_to_all", ANY, "collective_permute", "reduce_scatter"];

/// All collectives.
pub(crate) const ANY: &str = "any";

/// Fault of a machine that a file says.
#[derive(Clone, Debug, PartialEq)]
pub enum MachineFault {
    /// Everything wrong with the file, in the order of the text.
    File(Vec<MachineError>),
    /// The sizes behind its name.
    Sizes(MachineError),
}

/// Reads a machine file as a user gives it: as [`Machine::from_toml`], but with the kinds of curves that there are, and in the
/// sizes behind its name, if there are any (`cluster.toml:4x8`).
///
/// # Errors
/// [`MachineFault`].
pub fn read_machine(text: &str, name: &str) -> Result<Machine, MachineFault> {
    let (file, sizes) = file_and_sizes(name);
    let kinds = CurveKinds { device: &KERNELS, links: &LINKS };
    let machine = Machine::from_toml_knowing(text, file, kinds).map_err(MachineFault::File)?;
    match sizes {
        Some(sizes) => machine.resized(sizes).map_err(MachineFault::Sizes),
        None => Ok(machine),
    }
}

/// Parts of what the device reaches at best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// Of the rate of large products.
    pub arithmetic: f64,
    /// Of the memory bandwidth of large elementwise ops.
    pub memory: f64,
}

/// By what the curve of a kernel is read, and of which rate it gives shares.
enum By {
    Flops(&'static str),
    Bytes(&'static str),
}

/// The curve of a kernel.
fn curve(kernel: &KernelShape) -> Option<By> {
    Some(match kernel {
        KernelShape::Matmul(_) => By::Flops("matmul"),
        KernelShape::Attention(_) => By::Flops("attention"),
        KernelShape::ChunkScan(_) => By::Flops("scan"),
        KernelShape::Convolution(_) => By::Flops("convolution"),
        KernelShape::Elementwise => By::Bytes("elementwise"),
        KernelShape::Move => By::Bytes("move"),
        KernelShape::Reduce => By::Bytes("reduce"),
        KernelShape::Sort(_) => By::Bytes("sort"),
        KernelShape::Other => By::Flops("other"),
        KernelShape::Nothing | KernelShape::HostCopy | KernelShape::Collective => return None,
    })
}

/// The shares that a kernel reaches.
pub(crate) fn shares(work: &Work, device: &Device) -> Shares {
    let known = match &work.kernel {
        KernelShape::Convolution(convolution) => convolution_share(convolution, device),
        KernelShape::Matmul(_) if device.platform == Some(Platform::Cuda) && !work.is_aligned => UNALIGNED,
        KernelShape::Attention(attention)
            if device.curves.of("attention", work.arithmetic(device).class).is_none() =>
        {
            attention_share(attention, device)
        }
        KernelShape::ChunkScan(scan) if device.curves.of("scan", work.arithmetic(device).class).is_none() => {
            scan_share(scan, device)
        }
        _ => 1.0,
    };
    let mut shares = Shares { arithmetic: known, memory: 1.0 };
    if device.curves.is_empty() {
        return shares;
    }
    let class = work.arithmetic(device).class;
    let read = |kind, by| device.curves.of(kind, class).map_or(1.0, |curve| curve.share(by));
    match curve(&work.kernel) {
        Some(By::Flops(kind)) => shares.arithmetic *= read(kind, work.flops.0),
        Some(By::Bytes(kind)) => shares.memory *= read(kind, work.bytes),
        None => {}
    }
    shares
}

/// The curve of what only moves bytes, whatever they are.
pub(crate) fn move_curve(device: &Device) -> Option<&Curve> {
    device.curves.of_kind("move")
}

/// Seconds in which so many bytes are read and written that only come to other places.
pub fn moving(bytes: f64, device: &Device) -> Seconds {
    let share = move_curve(device).map_or(1.0, |curve| curve.share(bytes));
    Seconds(bytes / (device.achievable_memory_bandwidth().0 * share))
}

/// Of what products reach, those reach this part on GPUs whose operands have rows that begin anywhere, as with a vocabulary of
/// 50,257: the fast kernels want them at multiples of 16 bytes. With XLA on an H100, 0.33 and 0.43 of it were measured.
const UNALIGNED: f64 = 0.4;

/// Rows of queries and of keys that an attention kernel takes at once.
const ATTENTION_TILE: usize = 128;

/// Steps of a chunk, and elements of a state, that the kernels of a scan take at once.
const SCAN_TILE: usize = 64;

/// Of what products reach, attention kernels of GPUs reach a part that grows with the features of a head: between products
/// lie exponentials, whose number does not. With cuDNN on an H100, where products reached 708 TFLOP/s, heads of 64 and 128
/// features were measured at 0.58 and 0.71 of that forward, and at 0.52 and 0.63 in the gradient. Tiles that are not full, and
/// those that a causal mask cuts, take as long as others.
fn attention_share(attention: &Attention, device: &Device) -> f64 {
    if device.platform != Some(Platform::Cuda) {
        return 1.0;
    }
    let features = attention.features.max(1) as f64;
    let most = if attention.is_backward { 0.8 } else { 0.92 };
    let tiles = |size: usize| size.div_ceil(ATTENTION_TILE).max(1);
    let full = |size: usize| size.max(1) as f64 / (tiles(size) * ATTENTION_TILE) as f64;
    let diagonal = if attention.is_causal { 1.0 / tiles(attention.keys) as f64 } else { 0.0 };
    most * features / (features + 36.0) * full(attention.queries) * full(attention.keys) / (1.0 + diagonal)
}

/// Of what products reach, the kernels of a scan reach the part that those of attention reach whose heads have as many
/// features, with what a state holds and what a chunk masks as the keys. It is not measured.
fn scan_share(scan: &ChunkScan, device: &Device) -> f64 {
    if !matches!(device.platform, Some(Platform::Cuda | Platform::Rocm)) {
        return 1.0;
    }
    let features = scan.features.max(1) as f64;
    let most = if scan.is_backward { 0.8 } else { 0.92 };
    let tiles = |size: usize| size.div_ceil(SCAN_TILE).max(1);
    let full = |size: usize| size.max(1) as f64 / (tiles(size) * SCAN_TILE) as f64;
    most * features / (features + 36.0) * full(scan.chunk) * full(scan.state)
}

/// With so many features in each group, convolutions reach what products do.
const ENOUGH: usize = 64;

/// With so many features, convolutions without groups reach on a CPU what products do.
const WIDE: f64 = 32.0;

/// Between many features in a group and one, what a convolution reaches falls geometrically: with XLA on a CPU,
/// convolutions with 64, 32, 8 and one feature in a group were measured at 85, 26, 7.9 and 0.3 GFLOP/s, and a single
/// feature in a single group at 0.2.
///
/// On a CPU narrow ones without groups fall behind too: where products reached 34 GFLOP/s, convolutions from 1 to 1
/// feature were measured at 0.16, from 3 to 8 at 2, from 8 to 8 at 6, from 16 to 16 at 10 to 20, from 32 to 32 at 49.
fn convolution_share(convolution: &Convolution, device: &Device) -> f64 {
    match convolution.features_per_group {
        Some(features) => {
            let least = device
                .grouped_convolution_flops
                .map_or(1.0, |rate| (rate.0 / Asked::F32.on(device).achievable(device).0).min(1.0));
            // How far it is on the way from many features to one, as a ratio of logarithms.
            least.powf(1.0 - (features.clamp(1, ENOUGH) as f64).ln() / (ENOUGH as f64).ln())
        }
        None if device.platform == Some(Platform::Cpu) => {
            let width = ((convolution.taken.max(1) * convolution.given.max(1)) as f64).sqrt();
            (width / WIDE).min(1.0).powf(1.5)
        }
        None => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::Collective;
    use crate::op::{Work, alone};
    use crate::tests::{find, function};
    use meshwright_ir::kernel_shape::{Attention, Matmul, Sort};
    use meshwright_tensor::types::{ElementType, Type};

    /// A device with these tables.
    fn device(tables: &str) -> Device {
        let text = format!("base = \"h100\"\nname = \"ours\"\n{tables}");
        read_machine(&text, "ours.toml").unwrap_or_else(|fault| panic!("{fault:?}")).device
    }

    /// The work of the first instruction of this name.
    fn work_of(text: &str, name: &str) -> Work {
        let function = function(text);
        let view = function.body.view(find(&function, name, 0));
        let operands: Vec<Type> = view.operand_types().cloned().collect();
        let results: Vec<Type> = view.result_types().cloned().collect();
        alone(&view.inst.op, &operands, &results)
    }

    fn product(element: &str) -> Work {
        let ty = format!("tensor<512x512x{element}>");
        let text = format!(
            "func.func @main(%a: {ty}) -> {ty} {{\n  \
             %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : ({ty}, {ty}) -> {ty}\n  \
             return %0 : {ty}\n}}"
        );
        work_of(&text, "stablehlo.dot_general")
    }

    #[test]
    fn kinds_are_those_that_machine_files_may_name() {
        let element = ElementType::F32;
        let attention = Attention {
            batch: 1,
            queries: 1,
            keys: 1,
            features: 1,
            values: 1,
            is_causal: false,
            is_backward: false,
            element,
        };
        let convolution = Convolution {
            outputs: 1,
            window: 1,
            taken: 1,
            given: 1,
            features_per_group: None,
            elements: [element; 2],
        };
        let scan = ChunkScan {
            batch: 1,
            length: 1,
            heads: 1,
            features: 1,
            groups: 1,
            state: 1,
            chunk: 1,
            is_backward: false,
            element,
        };
        let kernels = [
            KernelShape::Attention(attention),
            KernelShape::Convolution(convolution),
            KernelShape::Elementwise,
            KernelShape::Matmul(Matmul { batch: 1, m: 1, n: 1, k: 1, elements: [element; 2] }),
            KernelShape::Move,
            KernelShape::Other,
            KernelShape::Reduce,
            KernelShape::ChunkScan(scan),
            KernelShape::Sort(Sort { rows: 1, length: 1 }),
        ];
        let names = kernels.iter().filter_map(curve).map(|by| match by {
            By::Flops(kind) | By::Bytes(kind) => kind,
        });
        assert!(names.eq(KERNELS));
        assert!(Collective::ALL.iter().all(|kind| LINKS.contains(&kind.name())) && LINKS.contains(&ANY));
        for machine in meshwright_machine::list() {
            let text = machine.to_toml();
            assert_eq!(read_machine(&text, "built in").as_ref(), Ok(&machine), "{}", machine.name);
        }
    }

    #[test]
    fn a_kind_that_there_is_not_is_an_error_with_its_place() {
        let text = "base = \"h100\"\n[device.curves.matmull]\npoints = [[1e9, 0.5]]\n";
        let Err(MachineFault::File(errors)) = read_machine(text, "ours.toml") else { panic!("it is read") };
        assert_eq!(
            errors[0].to_string(),
            "ours.toml:2:16: `device.curves.matmull` is a curve of an unknown kind\n  \
             hint: did you mean `matmul`?\n  \
             hint: known are attention, convolution, elementwise, matmul, move, other, reduce, scan, sort"
        );
    }

    #[test]
    fn products_reach_the_share_that_the_curve_of_their_class_says() {
        let plain = device("");
        let flops = 2.0 * 512f64.powi(3);
        let curved = device(
            "[device.curves.matmul]\npoints = [[1e6, 0.01], [1e9, 0.25]]\nf64 = [[1.0, 1.0]]\nfp8 = [[1e6, 0.5]]\n",
        );
        let slower = |element: &str| {
            let work = product(element);
            assert_eq!(work.flops.0, flops);
            work.parts(&curved).arithmetic / work.parts(&plain).arithmetic
        };
        let between = 0.01 * 25f64.powf((flops / 1e6).ln() / 1e3f64.ln());
        for (element, share) in [("bf16", between), ("f32", between), ("f64", 1.0), ("f8E4M3FN", 0.5)] {
            assert!((slower(element) * share - 1.0).abs() < 1e-12, "{element}: {}", slower(element));
        }
        // Launches and memory are what they were.
        let (now, before) = (product("bf16").parts(&curved), product("bf16").parts(&plain));
        assert_eq!((now.memory, now.launch), (before.memory, before.launch));
    }

    #[test]
    fn what_moves_bytes_reaches_a_share_of_the_memory_bandwidth() {
        let add = work_of(
            "func.func @main(%a: tensor<1024xf32>) -> tensor<1024xf32> {\n  \
             %0 = stablehlo.add %a, %a : tensor<1024xf32>\n  return %0 : tensor<1024xf32>\n}",
            "stablehlo.add",
        );
        let (plain, curved) = (device(""), device("[device.curves.elementwise]\npoints = [[1e3, 0.25]]\n"));
        assert_eq!(add.parts(&curved).memory, add.parts(&plain).memory * 4.0);
        assert_eq!(add.parts(&curved).arithmetic, add.parts(&plain).arithmetic);
        assert_eq!(moving(1e6, &curved), moving(1e6, &plain));
        let moves = device("[device.curves.move]\npoints = [[1e3, 0.25], [1e6, 0.5]]\n");
        assert_eq!([1e3, 1e6].map(|bytes| moving(bytes, &moves) / moving(bytes, &plain)), [4.0, 2.0]);
        assert_eq!(add.parts(&moves), add.parts(&plain));
    }
}
