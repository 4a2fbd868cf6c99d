//! The machine that explains measured times best.
//!
//! Rates are those of the largest things measured; overheads, latencies and bandwidths of links are a least-squares
//! fit of relative errors to all collectives at once.

use super::solve;
use super::{Layout, Measurement, What};
use crate::collective::collective_cost;
use meshwright_ir::mesh::{Axis, AxisSet, Mesh};
use meshwright_machine::{ElementClass, Machine};
use meshwright_plan::Placement;
use std::fmt::Write;

/// What is known of the host besides times.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    /// What the machine is to be called.
    pub name: String,
    /// What the device calls itself.
    pub device: String,
    /// Memory of one device, in bytes.
    pub memory: u64,
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
    memory_bandwidth: f64,
    launch: f64,
    collective: f64,
    permute: f64,
    /// Latency and seconds per byte of each level.
    levels: Vec<(f64, f64)>,
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
    let num_levels = if layout.processes > 1 { 2 } else { 1 };
    let mut figures = Figures {
        flops,
        memory_bandwidth,
        launch,
        collective: 0.0,
        permute: 0.0,
        levels: vec![(0.0, 0.0); num_levels],
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

/// Fits the overheads of collectives and of permutes, and latency and bandwidth of each level.
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
    // Predictions are linear in each figure: a row holds what each alone would predict, with all others zero.
    let zero = Figures {
        collective: 0.0,
        permute: 0.0,
        levels: vec![(0.0, 0.0); figures.levels.len()],
        ..figures.clone()
    };
    let mut alone =
        vec![Figures { collective: 1.0, ..zero.clone() }, Figures { permute: 1.0, ..zero.clone() }];
    for level in 0..figures.levels.len() {
        for unit in [(1.0, 0.0), (0.0, 1.0)] {
            let mut one = zero.clone();
            one.levels[level] = unit;
            alone.push(one);
        }
    }
    let machines: Vec<Machine> =
        alone.iter().map(|one| machine(layout, host, one, "")).collect::<Result<_, _>>()?;
    let (mut rows, mut times) = (Vec::new(), Vec::new());
    for (one, seconds) in of_links {
        let row = machines.iter().map(|machine| predicted(layout, machine, &one.what));
        rows.push(row.collect::<Result<Vec<f64>, _>>()?);
        times.push(*seconds);
    }
    let found = solve::fit(&rows, &times);
    (figures.collective, figures.permute) = (found[0], found[1]);
    for (level, pair) in figures.levels.iter_mut().zip(found[2..].chunks(2)) {
        *level = (pair[0], pair[1]);
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
                _ => 2.0,
            };
            let size = *size as f64;
            roofline(2.0 * size.powi(3), *class, 3.0 * width * size * size)
        }
        What::Elementwise(bytes) => roofline(0.0, ElementClass::F32, *bytes),
        What::Smallest => device.launch_overhead.0,
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
    let kinds: [(&str, fn(&What) -> bool); 3] = [
        ("matrix products", |what| matches!(what, What::Product(..))),
        ("elementwise operations", |what| matches!(what, What::Elementwise(_))),
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
    let Host { name, device, memory, source } = host;
    let [f64, f32, bf16] = figures.flops.map(|rate| rate.max(1.0));
    let mut text = format!(
        "name = {}\ndescription = {}\ncalibrated = true\nsource = {}\nnote = {}\ndevices_per_host = {}\n\n\
         [device]\nname = {}\nflops_efficiency = 1.0\nmemory = {memory}\nmemory_bandwidth = {:e}\n\
         memory_efficiency = 1.0\nlaunch_overhead = {:e}\ncollective_overhead = {:e}\npermute_overhead = {:e}\n\n\
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
    let sizes = [("inside", layout.per_process), ("across", layout.processes)];
    for ((latency, per_byte), (level, size)) in figures.levels.iter().zip(sizes) {
        let bandwidth = if *per_byte > 0.0 { (1.0 / per_byte).max(1.0) } else { 1e18 };
        let _ = write!(
            text,
            "\n[[levels]]\nname = \"{level}\"\nkind = \"switch\"\nsize = {size}\nbandwidth = {bandwidth:e}\n\
             efficiency = 1.0\nlatency = {latency:e}\n"
        );
    }
    Machine::from_toml(&text, "calibrate")
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}
