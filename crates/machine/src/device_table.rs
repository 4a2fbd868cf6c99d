//! The table `[device]` of a machine file.
//!
//! Input: the table, and the device of the `base` if there is one. Output: a [`Device`], or errors at their places.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use crate::curve_table::{self, KernelCurves, Tables};
use crate::error::MachineError;
use crate::figures::Check;
use crate::machine::{ComputeCapability, Device, PeakFlops, Platform};
use crate::units::{Bytes, BytesPerSecond, FlopsPerSecond, Seconds};

/// The part of the memory that allocators need, where a file does not say it and the device is no part of a host, whose
/// memory is that of all processes.
const HEADROOM: f64 = 0.05;

/// The keys that hold figures.
pub(crate) const FIGURES: [&str; 15] = [
    "flops.f64",
    "flops.f32",
    "flops.tf32",
    "flops.bf16",
    "flops.fp8",
    "flops.int8",
    "flops_efficiency",
    "memory",
    "memory_headroom",
    "memory_bandwidth",
    "memory_efficiency",
    "launch_overhead",
    "collective_overhead",
    "permute_overhead",
    "grouped_convolution_flops",
];

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeviceTable {
    name: Option<String>,
    platform: Option<Spanned<String>>,
    compute_capability: Option<Spanned<String>>,
    flops: Option<FlopsTable>,
    flops_efficiency: Option<Spanned<f64>>,
    memory: Option<Spanned<Bytes>>,
    memory_headroom: Option<Spanned<f64>>,
    memory_bandwidth: Option<Spanned<BytesPerSecond>>,
    memory_efficiency: Option<Spanned<f64>>,
    launch_overhead: Option<Spanned<Seconds>>,
    collective_overhead: Option<Spanned<Seconds>>,
    permute_overhead: Option<Spanned<Seconds>>,
    grouped_convolution_flops: Option<Spanned<FlopsPerSecond>>,
    curves: Option<Tables<KernelCurves>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FlopsTable {
    f64: Option<Spanned<FlopsPerSecond>>,
    f32: Option<Spanned<FlopsPerSecond>>,
    tf32: Option<Spanned<FlopsPerSecond>>,
    bf16: Option<Spanned<FlopsPerSecond>>,
    fp8: Option<Spanned<FlopsPerSecond>>,
    int8: Option<Spanned<FlopsPerSecond>>,
}

/// The device that a table, or a base and what the table changes of it, describes. What is wrong is reported to `check`.
pub(crate) fn build(
    table: Option<&Spanned<DeviceTable>>,
    base: Option<&Device>,
    check: &mut Check<'_>,
) -> Option<Device> {
    let none = DeviceTable::default();
    let (table, at) = match table {
        Some(table) => (table.get_ref(), table.span()),
        None if base.is_some() => (&none, 0..0),
        None => {
            let error = MachineError::new("missing table `device`").hint(
                "describe the device in `[device]`, or start from another machine with `base = \"h100\"`",
            );
            check.error(0..0, error);
            return None;
        }
    };
    let flops = peak_flops(table.flops.as_ref(), base.map(|base| base.flops), &at, check);
    let name = check.need("device.name", &at, table.name.clone(), base.map(|base| base.name.clone()));
    let flops_efficiency = check.fraction("device.flops_efficiency", &table.flops_efficiency);
    let flops_efficiency =
        check.need("device.flops_efficiency", &at, flops_efficiency, base.map(|base| base.flops_efficiency));
    let memory = check.positive("device.memory", &table.memory);
    let memory = check.need("device.memory", &at, memory, base.map(|base| base.memory));
    let headroom = check.headroom("device.memory_headroom", &table.memory_headroom);
    let memory_bandwidth = check.positive("device.memory_bandwidth", &table.memory_bandwidth);
    let memory_bandwidth =
        check.need("device.memory_bandwidth", &at, memory_bandwidth, base.map(|base| base.memory_bandwidth));
    let memory_efficiency = check.fraction("device.memory_efficiency", &table.memory_efficiency);
    let memory_efficiency = check.need(
        "device.memory_efficiency",
        &at,
        memory_efficiency,
        base.map(|base| base.memory_efficiency),
    );
    let launch_overhead = check.time("device.launch_overhead", &table.launch_overhead);
    let launch_overhead =
        check.need("device.launch_overhead", &at, launch_overhead, base.map(|base| base.launch_overhead));
    let collective_overhead = check.time("device.collective_overhead", &table.collective_overhead);
    let collective_overhead = check.need(
        "device.collective_overhead",
        &at,
        collective_overhead,
        base.map(|base| base.collective_overhead),
    );
    let permute_overhead = check.time("device.permute_overhead", &table.permute_overhead);
    let grouped_convolution_flops =
        check.positive("device.grouped_convolution_flops", &table.grouped_convolution_flops);
    let platform = table.platform.as_ref().and_then(|name| platform(name, check));
    let platform = platform.or(base.and_then(|base| base.platform));
    let capability = table.compute_capability.as_ref().and_then(|text| compute_capability(text, check));
    let known = check.kinds.map(|kinds| kinds.device);
    let base_curves = base.map(|base| &base.curves);
    let curves = curve_table::build(table.curves.as_ref(), base_curves, known, "device.curves", check);
    let unsaid = if platform == Some(Platform::Cpu) { 0.0 } else { HEADROOM };
    Some(Device {
        name: name?,
        platform,
        compute_capability: capability.or(base.and_then(|base| base.compute_capability)),
        flops: flops?,
        flops_efficiency: flops_efficiency?,
        memory: memory?,
        memory_headroom: headroom.or(base.map(|base| base.memory_headroom)).unwrap_or(unsaid),
        memory_bandwidth: memory_bandwidth?,
        memory_efficiency: memory_efficiency?,
        launch_overhead: launch_overhead?,
        collective_overhead: collective_overhead?,
        permute_overhead: permute_overhead.or(base.and_then(|base| base.permute_overhead)),
        grouped_convolution_flops: grouped_convolution_flops
            .or(base.and_then(|base| base.grouped_convolution_flops)),
        curves,
        host: base.and_then(|base| base.host),
        nvme: base.and_then(|base| base.nvme),
    })
}

/// The rates of a table, or of a base.
fn peak_flops(
    given: Option<&FlopsTable>,
    peak: Option<PeakFlops>,
    at: &Range<usize>,
    check: &mut Check<'_>,
) -> Option<PeakFlops> {
    let no_flops = FlopsTable::default();
    let given = given.unwrap_or(&no_flops);
    let f64 = check.positive("device.flops.f64", &given.f64);
    let f64 = check.need("device.flops.f64", at, f64, peak.map(|peak| peak.f64));
    let f32 = check.positive("device.flops.f32", &given.f32);
    let f32 = check.need("device.flops.f32", at, f32, peak.map(|peak| peak.f32));
    let tf32 = check.positive("device.flops.tf32", &given.tf32).or(peak.and_then(|peak| peak.tf32));
    let bf16 = check.positive("device.flops.bf16", &given.bf16);
    let bf16 = check.need("device.flops.bf16", at, bf16, peak.map(|peak| peak.bf16));
    let fp8 = check.positive("device.flops.fp8", &given.fp8).or(peak.map(|peak| peak.fp8)).or(bf16);
    let int8 = check.positive("device.flops.int8", &given.int8).or(peak.map(|peak| peak.int8)).or(bf16);
    Some(PeakFlops { f64: f64?, f32: f32?, tf32, bf16: bf16?, fp8: fp8?, int8: int8? })
}

/// A compute capability; what is wrong with it is reported.
fn compute_capability(text: &Spanned<String>, check: &mut Check<'_>) -> Option<ComputeCapability> {
    let hint = "write it as CUDA does, such as \"9.0\" for Hopper";
    let report = |message| check.error(text.span(), MachineError::new(message).hint(hint));
    text.get_ref().parse().map_err(report).ok()
}

/// The platform of this name; what is wrong with it is reported.
fn platform(name: &Spanned<String>, check: &mut Check<'_>) -> Option<Platform> {
    let text = name.get_ref().as_str();
    let found = Platform::from_name(text);
    if found.is_none() {
        let known = Platform::ALL.map(Platform::name);
        let error = MachineError::new(format!("`{text}` is no platform"));
        let hint = match text {
            "gpu" => "write `cuda` or `rocm`".to_owned(),
            _ => format!("known are {}", known.join(", ")),
        };
        check.error(name.span(), error.hint(hint));
    }
    found
}
