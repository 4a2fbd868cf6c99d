//! `meshwright calibrate`: measures this machine through the engine `xla`, and writes a machine file with what was found.

use crate::args::{CalibrateArguments, Output};
use crate::failure::{Failure, Outcome};
use crate::table::{Lean, render};
use crate::{interrupt, output, workers};
use meshwright_cost::calibrate::{self, Fit, Host, Layout, Measurement, What};
use meshwright_execute::workers::{
    Described, Device, Ended, Job, Measured, Phase, Step, Watch, Work, supervise,
};
use meshwright_machine::{Platform, Seconds};
use meshwright_plan::Manifest;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::io::{IsTerminal, Write};
use std::ops::Range;
use std::path::Path;

/// Devices that a host without accelerators is measured as, if no flag says otherwise: as many as `cpu8` has.
const CPU_DEVICES: usize = 8;

/// Lines of progress where stderr is no terminal, at most.
const LINES: usize = 10;

pub(crate) fn run(arguments: &CalibrateArguments, out: Output) -> Outcome {
    interrupt::listen();
    let layout = layout(arguments)?;
    let measurements = calibrate::measurements(layout);
    let own = workers::own(&arguments.workers, layout.processes)?;
    let job = job(arguments, layout, &measurements, own)?;
    let watch = Watcher::new(&measurements);
    measure(&job, &watch)?;
    let device = watch.device.take();
    let host = Host {
        name: arguments.name.clone(),
        platform: device
            .compute_capability
            .as_ref()
            .map_or(Platform::from_name(&device.platform), |_| Some(Platform::Cuda)),
        compute_capability: device.compute_capability.and_then(|found| found.parse().ok()),
        device: device.kind,
        memory: device.memory,
        host_memory: device.host_memory,
        source: "Measured by `meshwright calibrate` through JAX, all devices at once.".to_owned(),
    };
    let found = watch.found.take();
    let found: Vec<(Measurement, f64)> =
        found.into_iter().map(|(index, seconds)| (measurements[index].clone(), seconds)).collect();
    let fit = calibrate::fit(layout, &host, &found)
        .map_err(|why| Failure::usage(format!("no machine explains what was measured: {why}")))?;
    let text = fit.machine.to_toml();
    let is_stdout = arguments.output == Path::new("-");
    if out.json {
        let rows: Vec<_> = fit.times.iter().map(|(what, measured, predicted)| {
            json!({ "what": name(what), "seconds": measured, "predicted": predicted })
        }).collect();
        if !is_stdout {
            output::write(&arguments.output, text.as_bytes())?;
        }
        return output::print(&output::json(&json!({ "machine": text, "measurements": rows })));
    }
    output::write(&arguments.output, text.as_bytes())?;
    if is_stdout { Ok(()) } else { output::print(&table(&fit)) }
}

/// Runs a job to its end. Errors: a worker is lost, or the command is asked to stop.
fn measure(job: &Job, watch: &Watcher) -> Outcome<Ended> {
    let ended = supervise(job, &std::env::temp_dir(), watch);
    watch.wipe();
    let ended = ended.map_err(|error| workers::unstarted(job, &error))?;
    if let Some(lost) = &ended.lost {
        return Err(workers::failure(lost, None));
    }
    if ended.is_stopped || interrupt::asked() {
        Watcher::say("stopped before everything was measured, as asked: nothing was written");
        return Err(Failure::Stopped(None));
    }
    Ok(ended)
}

/// How many devices each worker has: as asked, or what JAX finds here.
fn layout(arguments: &CalibrateArguments) -> Outcome<Layout> {
    let flags = &arguments.workers;
    let processes = usize::try_from(flags.hosts.unwrap_or(flags.processes)).unwrap_or(usize::MAX);
    let own = workers::own(flags, processes)?;
    if let Some(devices) = arguments.devices {
        let devices = usize::try_from(devices).unwrap_or(usize::MAX);
        if !devices.is_multiple_of(processes) {
            return Err(Failure::usage(format!("{processes} processes do not divide `--devices {devices}`")));
        }
        return Ok(Layout { per_process: devices / processes, processes });
    }
    // A worker that measures nothing says what there is.
    let alone = Layout { per_process: 1, processes: 1 };
    let mut asking = job(arguments, alone, &[], 0..1)?;
    (asking.coordinator, asking.is_across_hosts) = (None, false);
    let watch = Watcher::new(&[]);
    measure(&asking, &watch)?;
    let device = watch.device.take();
    let per_process = devices_of_each(&device, processes, own.len()).map_err(Failure::usage)?;
    Watcher::say(&taken(&device, per_process, processes, own.len()));
    Ok(Layout { per_process, processes })
}

/// How many devices a worker has that was not told so: of accelerators all that this host has, divided among its own
/// workers; CPU devices are made, [`CPU_DEVICES`] in all, or one more for each worker until they divide.
///
/// Errors: more workers than devices.
fn devices_of_each(found: &Device, processes: usize, own: usize) -> Result<usize, String> {
    if found.platform == "cpu" {
        return Ok(CPU_DEVICES.div_ceil(processes));
    }
    match found.count / own {
        0 => Err(format!("`--processes {own}`: JAX has {} devices here ({})", found.count, found.kind)),
        each => Ok(each),
    }
}

/// Says which devices are measured, if no flag said so.
fn taken(found: &Device, per_process: usize, processes: usize, own: usize) -> String {
    let all = per_process * processes;
    let which = match (found.platform.as_str(), per_process * own) {
        ("cpu", _) => "they share this host's cores".to_owned(),
        (_, here) if here == found.count && own == processes => "all that JAX has".to_owned(),
        (_, here) => format!("{here} of the {} that JAX has on this host", found.count),
    };
    format!("measuring {all} devices ({}): {which}; `--devices` takes another number", found.kind)
}

fn job(
    arguments: &CalibrateArguments,
    layout: Layout,
    measurements: &[Measurement],
    own: Range<usize>,
) -> Outcome<Job> {
    let flags = &arguments.workers;
    let measured = |one: &Measurement| Measured {
        family: one.family.clone(),
        counts: one.counts,
        programs: one.programs.clone(),
        arguments: one.arguments.clone(),
    };
    Ok(Job {
        manifest: Described::One(Manifest::of_devices(layout.num_devices())),
        processes: layout.processes,
        own,
        is_across_hosts: flags.hosts.is_some(),
        coordinator: flags.coordinator.clone(),
        platform: flags.platform.clone(),
        work: Work::Measure {
            measurements: measurements.iter().map(measured).collect(),
            longest: workers::seconds("--longest", arguments.longest)?,
        },
        python: workers::python(flags.python.as_deref()),
        python_path: workers::environment("PYTHONPATH"),
        hang_timeout: workers::hang_timeout(flags)?,
    })
}

struct Watcher {
    /// Everything that is measured, in words.
    names: Vec<String>,
    is_terminal: bool,
    is_shown: Cell<bool>,
    found: RefCell<Vec<(usize, f64)>>,
    device: RefCell<Device>,
}

impl Watcher {
    fn new(measurements: &[Measurement]) -> Self {
        Self {
            names: measurements.iter().map(|one| name(&one.what)).collect(),
            is_terminal: std::io::stderr().is_terminal(),
            is_shown: Cell::new(false),
            found: RefCell::default(),
            device: RefCell::default(),
        }
    }

    fn say(line: &str) {
        let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
    }

    fn wipe(&self) {
        if self.is_shown.take() {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

impl Watch for Watcher {
    fn phase(&self, _: usize, _: Phase) {}

    fn log(&self, rank: usize, line: &str) {
        self.wipe();
        Self::say(&format!("[{rank}] {line}"));
    }

    fn step(&self, _: &Step) {}

    fn saved(&self, _: u64, _: &str, _: f64) {}

    fn results(&self, _: u64) {}

    fn device(&self, device: &Device) {
        *self.device.borrow_mut() = device.clone();
    }

    fn measured(&self, index: usize, seconds: f64) {
        let before = self.found.borrow().last().map_or(0, |(last, _)| last + 1);
        self.found.borrow_mut().push((index, seconds));
        // What is left out, being larger than what takes long, is behind as well.
        let (done, all) = (index + 1, self.names.len());
        if self.is_terminal {
            self.is_shown.set(true);
            let text = format!("\r\x1b[Kat {done} of {all}");
            let _ = std::io::stderr().write_all(text.as_bytes());
        } else if done * LINES / all > before * LINES / all {
            Self::say(&format!("at {done} of {all}"));
        }
    }

    fn unmeasured(&self, index: usize, why: &str) {
        self.wipe();
        let name = self.names.get(index).map_or("something", String::as_str);
        Self::say(&format!("{name}: cannot be measured, nor what is larger of its kind: {why}"));
    }

    fn should_stop(&self) -> bool {
        interrupt::asked()
    }
}

/// What was measured, in words.
fn name(what: &What) -> String {
    match what {
        What::Product(class, size) => {
            format!("product {size}x{size} {}", format!("{class:?}").to_lowercase())
        }
        What::Elementwise(bytes) => format!("elementwise, {bytes:.0} bytes"),
        What::DepthwiseConvolution(tokens, channels) => {
            format!("depthwise convolution, {tokens} tokens of {channels} channels")
        }
        What::Smallest => "smallest op".to_owned(),
        What::HostCopy(bytes) => format!("copy to or from the host, {bytes:.0} bytes"),
        What::Collectives { each, members, stride } => {
            let kinds: Vec<&str> = each.iter().map(|(kind, _)| kind.name()).collect();
            let bytes = each.first().map_or(0.0, |(_, bytes)| *bytes);
            format!("{}, {members} devices {stride} apart, {bytes:.0} bytes", kinds.join(" + "))
        }
    }
}

/// Measured beside predicted.
fn table(fit: &Fit) -> String {
    let row = |(what, measured, predicted): &(What, f64, f64)| {
        let error = format!("{:+.0} %", 100.0 * (predicted / measured - 1.0));
        vec![name(what), Seconds(*measured).to_string(), Seconds(*predicted).to_string(), error]
    };
    let head =
        [("what", Lean::Left), ("measured", Lean::Right), ("predicted", Lean::Right), ("error", Lean::Right)];
    let table = render(&head, &fit.times.iter().map(row).collect::<Vec<_>>());
    format!("{table}\n{}\n", fit.machine.note)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(platform: &str, count: usize) -> Device {
        let kind = "D".into();
        Device {
            platform: platform.into(),
            kind,
            memory: 1,
            host_memory: None,
            count,
            compute_capability: None,
        }
    }

    #[test]
    fn accelerators_are_divided_among_the_workers_of_a_host() {
        let each = |count, processes, own| devices_of_each(&found("gpu", count), processes, own);
        assert_eq!(
            [each(1, 1, 1), each(8, 1, 1), each(8, 4, 4), each(7, 2, 2)],
            [Ok(1), Ok(8), Ok(2), Ok(3)]
        );
        // Two hosts with a worker each.
        assert_eq!(each(4, 2, 1), Ok(4));
        assert!(each(1, 2, 2).unwrap_err().contains("JAX has 1 devices here"));
    }

    #[test]
    fn cpu_devices_are_as_many_as_workers_divide() {
        let each = |processes, own| devices_of_each(&found("cpu", 1), processes, own);
        assert_eq!([each(1, 1), each(4, 4), each(3, 3), each(16, 16), each(2, 1)], [8, 2, 3, 1, 4].map(Ok));
    }

    #[test]
    fn what_is_left_out_is_said() {
        let said = |count, per, processes, own| taken(&found("gpu", count), per, processes, own);
        assert!(said(8, 8, 1, 1).starts_with("measuring 8 devices (D): all that JAX has; `--devices`"));
        assert!(
            said(7, 3, 2, 2).starts_with("measuring 6 devices (D): 6 of the 7 that JAX has on this host")
        );
        assert!(
            said(4, 4, 2, 1).starts_with("measuring 8 devices (D): 4 of the 4 that JAX has on this host")
        );
        assert!(taken(&found("cpu", 1), 8, 1, 1).contains("share this host's cores"));
    }
}
