//! The machine that explains measured times best.
//!
//! Rates are those of the largest things measured; overheads, latencies and bandwidths of links are a least-squares
//! fit of relative errors to all collectives at once, for the kinds of links that fit best.

use super::solve;
use super::{Layout, Measurement, What};
use crate::collective::collective_cost;
use meshwright_ir::mesh::{Axis, AxisSet, Mesh};
use meshwright_machine::{ComputeCapability, ElementClass, LinkKind, Machine, Platform};
use meshwright_plan::Placement;
use std::fmt::Write;

/// Facts of the host besides times.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    /// What the machine is to be called.
    pub name: String,
    /// What the device calls itself.
    pub device: String,
    /// What the device is to JAX, if that is known.
    pub platform: Option<Platform>,
    /// CUDA's compute capability, if it has one.
    pub compute_capability: Option<ComputeCapability>,
    /// Memory of one device, in bytes.
    pub memory: u64,
    /// Memory of the host that programs can keep values in, in bytes, if the device runs programs that do.
    pub host_memory: Option<u64>,
    /// What measured it: engine, version, date or the like.
    pub source: String,
}

/// A machine, and how well it explains what was measured.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The machine.
    pub machine: Machine,
    /// Of each measurement: seconds measured, seconds predicted.
    pub times: Vec<(What, f64, f64)>,
}

impl Fit {
    /// The median and the largest relative error of the measurements that `which` chooses.
    pub fn error(&self, which: impl Fn(&What) -> bool) -> Option<(f64, f64)> {
        let chosen = self.times.iter().filter(|(what, ..)| which(what));
        let mut errors: Vec<f64> =
            chosen.map(|(_, measured, predicted)| (predicted / measured - 1.0).abs()).collect();
        errors.sort_by(f64::total_cmp);
        Some((*errors.get(errors.len() / 2)?, *errors.last()?))
    }
}

/// Figures before they are a machine.
#[derive(Clone, Debug)]
struct Figures {
    flops: [f64; 3],
    grouped: Option<f64>,
    memory_bandwidth: f64,
    /// Bytes per second between a device and its host, one way.
    host: Option<f64>,
    launch: f64,
    collective: f64,
    permute: f64,
    /// Kind, latency and seconds per byte of each level.
    levels: Vec<(LinkKind, f64, f64)>,
}

/// Fits a machine to seconds that each thing took.
///
/// # Errors
/// No product, no elementwise op or no smallest op was measured.
pub fn fit(layout: Layout, host: &Host, measured: &[(Measurement, f64)]) -> Result<Fit, String> {
    // What is too short to tell from noise says nothing.
    let measured: Vec<&(Measurement, f64)> = measured.iter().filter(|(_, seconds)| *seconds > 1e-8).collect();
    let missing = |what: &str| format!("no {what} could be measured");
    let find = |is: fn(&What) -> bool| measured.iter().filter(move |(one, _)| is(&one.what));
    let launch = find(|what| matches!(what, What::Smallest)).map(|(_, seconds)| *seconds).next();
    let launch = launch.unwrap_or(0.0);
    let rate = |class: ElementClass| {
        let rates = measured.iter().filter_map(|(one, seconds)| match one.what {
            What::Product(found, size) if found == class => {
                Some((size, 2.0 * (size as f64).powi(3) / (seconds - launch).max(0.2 * seconds)))
            }
            _ => None,
        });
        // The largest one comes nearest to what large programs reach.
        rates.max_by_key(|(size, _)| *size).map_or(0.0, |(_, rate)| rate)
    };
    let flops = [ElementClass::F64, ElementClass::F32, ElementClass::Bf16].map(rate);
    let Some(any) = flops.into_iter().filter(|rate| *rate > 0.0).reduce(f64::max) else {
        return Err(missing("matrix product"));
    };
    let flops = flops.map(|rate| if rate > 0.0 { rate } else { any });
    // The largest one does not fit in any cache.
    let largest =
        find(|what| matches!(what, What::Elementwise(_))).filter_map(|(one, seconds)| match one.what {
            What::Elementwise(bytes) => Some((bytes, bytes / (seconds - launch).max(0.2 * seconds))),
            _ => None,
        });
    let Some((_, memory_bandwidth)) = largest.max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return Err(missing("elementwise operation"));
    };
    // So does a copy to the host.
    let copies = measured.iter().filter_map(|(one, seconds)| match one.what {
        What::HostCopy(bytes) => Some((bytes, bytes / (seconds - launch).max(0.2 * seconds))),
        _ => None,
    });
    // No link is faster than the memory that it begins in: such a copy was left out.
    let host_bandwidth = copies.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, rate)| rate);
    let host_bandwidth = host_bandwidth.filter(|rate| *rate < memory_bandwidth);
    // One in the middle: the smallest are launched more than computed.
    let mut grouped: Vec<f64> = measured
        .iter()
        .filter_map(|(one, seconds)| match one.what {
            What::DepthwiseConvolution(tokens, channels) => {
                Some(What::depthwise_flops(tokens, channels) / (seconds - launch).max(0.2 * seconds))
            }
            _ => None,
        })
        .collect();
    grouped.sort_by(f64::total_cmp);
    let num_levels = if layout.processes > 1 { 2 } else { 1 };
    let mut figures = Figures {
        flops,
        grouped: grouped.get(grouped.len() / 2).copied(),
        memory_bandwidth,
        host: host_bandwidth,
        launch,
        collective: 0.0,
        permute: 0.0,
        levels: vec![(LinkKind::Switch, 0.0, 0.0); num_levels],
    };
    links(layout, host, &mut figures, &measured)?;
    let machine = machine(layout, host, &figures, "")?;
    let mut fit = Fit { machine, times: Vec::new() };
    for (one, seconds) in &measured {
        let predicted = predicted(layout, &fit.machine, &one.what)?;
        fit.times.push((one.what.clone(), *seconds, predicted));
    }
    let note = note(&fit);
    fit.machine = self::machine(layout, host, &figures, &note)?;
    Ok(fit)
}

/// What joins devices, as far as times of collectives tell.
const KINDS: [LinkKind; 2] = [LinkKind::Switch, LinkKind::Memory];

/// Fits the overheads of collectives and of permutes, and kind, latency and bandwidth of each level.
fn links(
    layout: Layout,
    host: &Host,
    figures: &mut Figures,
    measured: &[&(Measurement, f64)],
) -> Result<(), String> {
    let of_links: Vec<_> =
        measured.iter().filter(|(one, _)| matches!(one.what, What::Collectives { .. })).collect();
    if of_links.is_empty() {
        return Ok(());
    }
    let times: Vec<f64> = of_links.iter().map(|(_, seconds)| *seconds).collect();
    let num_levels = figures.levels.len();
    let mut least = f64::INFINITY;
    for choice in 0..KINDS.len().pow(num_levels as u32) {
        let kind = |level: usize| KINDS[choice / KINDS.len().pow(level as u32) % KINDS.len()];
        // Predictions are linear in each figure: a row holds what each alone would predict, with all others zero.
        let levels = (0..num_levels).map(|level| (kind(level), 0.0, 0.0)).collect();
        let zero = Figures { collective: 0.0, permute: 0.0, levels, ..figures.clone() };
        let mut alone =
            vec![Figures { collective: 1.0, ..zero.clone() }, Figures { permute: 1.0, ..zero.clone() }];
        for level in 0..num_levels {
            for (latency, per_byte) in [(1.0, 0.0), (0.0, 1.0)] {
                let mut one = zero.clone();
                one.levels[level] = (kind(level), latency, per_byte);
                alone.push(one);
            }
        }
        let machines: Vec<Machine> =
            alone.iter().map(|one| machine(layout, host, one, "")).collect::<Result<_, _>>()?;
        let row = |what: &What| machines.iter().map(|machine| predicted(layout, machine, what)).collect();
        let rows: Vec<Vec<f64>> = of_links.iter().map(|(one, _)| row(&one.what)).collect::<Result<_, _>>()?;
        let (found, error) = solve::fit(&rows, &times);
        if error < least {
            least = error;
            (figures.collective, figures.permute) = (found[0], found[1]);
            let pairs = found[2..].chunks(2).enumerate();
            figures.levels = pairs.map(|(level, pair)| (kind(level), pair[0], pair[1])).collect();
        }
    }
    Ok(())
}

/// What the cost model says of one thing.
fn predicted(layout: Layout, machine: &Machine, what: &What) -> Result<f64, String> {
    let device = &machine.device;
    let roofline = |flops: f64, class: ElementClass, bytes: f64| {
        let arithmetic = flops / device.achievable_flops(class).0;
        arithmetic.max(bytes / device.achievable_memory_bandwidth().0) + device.launch_overhead.0
    };
    Ok(match what {
        What::Product(class, size) => {
            let width = match class {
                ElementClass::F64 => 8.0,
                ElementClass::F32 => 4.0,
                ElementClass::Tf32 | ElementClass::Bf16 | ElementClass::Fp8 | ElementClass::Int8 => 2.0,
            };
            let size = *size as f64;
            roofline(2.0 * size.powi(3), *class, 3.0 * width * size * size)
        }
        What::Elementwise(bytes) => roofline(0.0, ElementClass::F32, *bytes),
        What::DepthwiseConvolution(tokens, channels) => {
            let products = device.achievable_flops(ElementClass::F32).0;
            let rate = device.grouped_convolution_flops.map_or(products, |rate| rate.0.min(products));
            let flops = What::depthwise_flops(*tokens, *channels);
            roofline(flops * products / rate, ElementClass::F32, What::depthwise_bytes(*tokens, *channels))
        }
        What::Smallest => device.launch_overhead.0,
        What::HostCopy(bytes) => {
            let rate = device.host.map_or(f64::INFINITY, |host| host.achievable_bandwidth().0);
            bytes / rate + device.launch_overhead.0
        }
        What::Collectives { each, members, stride } => {
            let devices = layout.num_devices();
            let sizes = [devices / (members * stride), *members, *stride];
            let axis = |(index, size): (usize, usize)| Axis { name: format!("a{index}"), size };
            let mesh = Mesh::new("mesh", sizes.into_iter().enumerate().map(axis).collect());
            let placed = mesh.and_then(|mesh| Placement::new(machine.clone(), mesh));
            let placement = placed?;
            let axes: AxisSet = placement.mesh.pieces(1).iter().collect();
            each.iter().map(|(kind, bytes)| collective_cost(*kind, axes, &placement).seconds(*bytes).0).sum()
        }
    })
}

/// What the fit's error is, for the file.
fn note(fit: &Fit) -> String {
    let mut text = "Errors of the fit, median and worst of all that was measured:".to_owned();
    let kinds: [(&str, fn(&What) -> bool); 5] = [
        ("matrix products", |what| matches!(what, What::Product(..))),
        ("depthwise convolutions", |what| matches!(what, What::DepthwiseConvolution(..))),
        ("elementwise operations", |what| matches!(what, What::Elementwise(_))),
        ("copies to and from the host", |what| matches!(what, What::HostCopy(_))),
        ("collectives", |what| matches!(what, What::Collectives { .. })),
    ];
    for (index, (name, which)) in kinds.into_iter().enumerate() {
        if let Some((median, worst)) = fit.error(which) {
            let comma = if index > 0 { ";" } else { "" };
            let _ = write!(text, "{comma} {name} {:.0} % and {:.0} %", 100.0 * median, 100.0 * worst);
        }
    }
    text.push_str(".\nSmall matrices and what fits in a cache are not modeled, and make the worst errors.");
    text
}

fn machine(layout: Layout, host: &Host, figures: &Figures, note: &str) -> Result<Machine, String> {
    let string = |text: &str| {
        format!("{:?}", text.chars().filter(|c| !c.is_control() || *c == '\n').collect::<String>())
    };
    let Host { name, device, platform, compute_capability, memory, host_memory, source } = host;
    // What a host calls the memory of a device is a share of its own.
    let headroom = if *platform == Some(Platform::Cpu) { "memory_headroom = 0.0\n" } else { "" };
    let platform = platform.map_or(String::new(), |is| format!("platform = \"{}\"\n", is.name()));
    let capability =
        compute_capability.map_or(String::new(), |found| format!("compute_capability = \"{found}\"\n"));
    let grouped = figures
        .grouped
        .map_or(String::new(), |rate| format!("grouped_convolution_flops = {:e}\n", rate.max(1.0)));
    let [f64, f32, bf16] = figures.flops.map(|rate| rate.max(1.0));
    let mut text = format!(
        "name = {}\ndescription = {}\ncalibrated = true\nsource = {}\nnote = {}\ndevices_per_host = {}\n\n\
         [device]\nname = {}\n{platform}{capability}flops_efficiency = 1.0\nmemory = {memory}\n{headroom}memory_bandwidth = {:e}\n\
         memory_efficiency = 1.0\nlaunch_overhead = {:e}\ncollective_overhead = {:e}\npermute_overhead = {:e}\n{grouped}\n\
         [device.flops]\nf64 = {f64:e}\nf32 = {f32:e}\nbf16 = {bf16:e}\n",
        string(name),
        string(&format!("{} of {device}, measured", layout.num_devices())),
        string(source),
        string(note),
        layout.per_process,
        string(device),
        figures.memory_bandwidth.max(1.0),
        figures.launch,
        figures.collective,
        figures.permute,
    );
    // Without either nothing of a plan is moved to the host.
    if let (Some(memory), Some(bandwidth)) = (host_memory, figures.host) {
        let bandwidth = bandwidth.max(1.0);
        let _ = write!(text, "\n[host]\nmemory = {memory}\nbandwidth = {bandwidth:e}\nefficiency = 1.0\n");
    }
    let sizes = [("inside", layout.per_process), ("across", layout.processes)];
    for ((kind, latency, per_byte), (level, size)) in figures.levels.iter().zip(sizes) {
        let kind = kind.name();
        let bandwidth = if *per_byte > 0.0 { (1.0 / per_byte).max(1.0) } else { 1e18 };
        let _ = write!(
            text,
            "\n[[levels]]\nname = \"{level}\"\nkind = \"{kind}\"\nsize = {size}\nbandwidth = {bandwidth:e}\n\
             efficiency = 1.0\nlatency = {latency:e}\n"
        );
    }
    Machine::from_toml(&text, "calibrate")
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::measurements;
    use meshwright_ir::diagnostic::Source;

    #[test]
    fn what_made_the_times_comes_back() {
        let host = Host {
            name: "it".into(),
            device: "it".into(),
            platform: Some(Platform::Cpu),
            compute_capability: None,
            memory: 1 << 30,
            host_memory: None,
            source: "test".into(),
        };
        for (kinds, processes) in
            [("memory", 1), ("switch", 1), ("memory switch", 2), ("switch switch", 2), ("memory memory", 2)]
        {
            let layout = Layout { per_process: 4, processes };
            let kinds = kinds.split(' ').map(|kind| match kind {
                "memory" => LinkKind::Memory,
                _ => LinkKind::Switch,
            });
            let speeds = [(2e-5, 1e-9), (7e-5, 4e-9)];
            let wanted = Figures {
                flops: [1e10, 2e10, 3e10],
                grouped: Some(1e8),
                memory_bandwidth: 5e9,
                host: None,
                launch: 7e-6,
                collective: 3e-5,
                permute: 2e-4,
                levels: kinds.zip(speeds).map(|(kind, (latency, byte))| (kind, latency, byte)).collect(),
            };
            let source = machine(layout, &host, &wanted, "").unwrap();
            let time = |one: Measurement| {
                let seconds = predicted(layout, &source, &one.what).unwrap();
                (one, seconds)
            };
            let measured: Vec<_> = measurements(layout).into_iter().map(time).collect();
            let found = fit(layout, &host, &measured).unwrap();
            // Of several levels a permute takes the slowest, which is not linear.
            let tolerance = if processes == 1 { 1e-6 } else { 0.05 };
            for (found, wanted) in found.machine.levels().iter().zip(&wanted.levels) {
                assert_eq!(found.kind, wanted.0);
                assert!((found.latency.0 / wanted.1 - 1.0).abs() < tolerance, "{found:?}");
                assert!((found.bandwidth.0 * wanted.2 - 1.0).abs() < tolerance, "{found:?}");
            }
            let grouped = found.machine.device.grouped_convolution_flops.unwrap().0;
            assert!((grouped / 1e8 - 1.0).abs() < 1e-6, "{grouped}");
            let of_links = |what: &What| matches!(what, What::Collectives { .. });
            assert!(found.error(of_links).unwrap().1 < tolerance);
        }
    }

    #[test]
    fn what_was_not_measured_is_not_said() {
        let layout = Layout { per_process: 2, processes: 1 };
        let source = Machine::from_spec("cpu:2").unwrap();
        let host = Host {
            name: "it".into(),
            device: "it".into(),
            platform: None,
            compute_capability: None,
            memory: 1 << 30,
            host_memory: None,
            source: "test".into(),
        };
        let all = measurements(layout).into_iter();
        let without = all.filter(|one| !matches!(one.what, What::DepthwiseConvolution(..)));
        let measured: Vec<_> = without
            .map(|one| {
                let seconds = predicted(layout, &source, &one.what).unwrap();
                (one, seconds)
            })
            .collect();
        let machine = fit(layout, &host, &measured).unwrap().machine;
        assert_eq!(machine.device.grouped_convolution_flops, None);
        assert_eq!(machine.device.platform, None);
    }

    #[test]
    fn the_link_to_the_host_is_that_of_the_largest_copy() {
        let layout = Layout { per_process: 1, processes: 1 };
        let source = Machine::from_spec("h100:1").unwrap();
        let host = |host_memory| Host {
            name: "it".into(),
            device: "it".into(),
            platform: Some(Platform::Cuda),
            compute_capability: None,
            memory: 1 << 36,
            host_memory,
            source: "test".into(),
        };
        // As an H200 copied them: the small ones wait.
        let rate = |bytes: f64| match bytes {
            _ if bytes < 1e8 => 20.5e9,
            _ if bytes < 1e9 => 47.9e9,
            _ => 52.5e9,
        };
        let times = |one: Measurement| {
            let seconds = match one.what {
                What::HostCopy(bytes) => bytes / rate(bytes),
                _ => predicted(layout, &source, &one.what).unwrap(),
            };
            (one, seconds)
        };
        let measured: Vec<_> = measurements(layout).into_iter().map(times).collect();
        let fitted = |memory, measured: &[_]| fit(layout, &host(memory), measured).unwrap();
        let found = fitted(Some(128 << 30), &measured);
        let link = found.machine.device.host.unwrap();
        assert_eq!(link.memory.0, 128 << 30);
        assert!((link.achievable_bandwidth().0 / 52.5e9 - 1.0).abs() < 1e-2, "{link:?}");
        assert!(found.machine.note.contains("copies to and from the host"), "{}", found.machine.note);
        // Devices that keep nothing there, as CPUs, measure no such copy.
        assert_eq!(fitted(None, &measured).machine.device.host, None);
        let without: Vec<_> =
            measured.iter().filter(|(one, _)| !matches!(one.what, What::HostCopy(_))).cloned().collect();
        assert_eq!(fitted(Some(128 << 30), &without).machine.device.host, None);
        // Nor do those whose compiler leaves it out.
        let left_out = |(one, seconds): (Measurement, f64)| match one.what {
            What::HostCopy(bytes) => (one, bytes / 9e15),
            _ => (one, seconds),
        };
        let measured: Vec<_> = measurements(layout).into_iter().map(times).map(left_out).collect();
        assert_eq!(fitted(Some(128 << 30), &measured).machine.device.host, None);
    }

    #[test]
    fn both_programs_compute_alike() {
        for one in measurements(Layout { per_process: 2, processes: 2 }) {
            if matches!(one.what, What::HostCopy(_)) {
                for (program, count) in one.programs.iter().zip(one.counts) {
                    assert_eq!(program.matches("annotate_device_placement").count(), count);
                    meshwright_ir::text::read(&Source::new("program.mlir", program.as_str())).unwrap();
                }
            }
            let What::Collectives { each, .. } = &one.what else { continue };
            let count = |program: usize, op: &str| one.programs[program].matches(op).count();
            assert_eq!(count(0, "dot_general"), count(1, "dot_general"));
            for (kind, _) in each {
                for program in [0, 1] {
                    assert_eq!(count(program, &format!("stablehlo.{}", kind.name())), one.counts[program]);
                }
            }
            for program in &one.programs {
                let source = Source::new("program.mlir", program.as_str());
                meshwright_ir::text::read(&source).unwrap();
            }
        }
    }
}
