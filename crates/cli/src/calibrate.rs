//! `meshwright calibrate`: measures this machine through the engine `xla`, and writes a machine file with what was found.

use crate::args::{CalibrateArguments, Output};
use crate::failure::{Failure, Outcome};
use crate::table::{Lean, render};
use crate::{interrupt, output, workers};
use meshwright_cost::calibrate::{self, Fit, Host, Layout, Measurement, What};
use meshwright_execute::workers::{Job, Measured, Phase, Step, Watch, Work, supervise};
use meshwright_machine::Seconds;
use meshwright_plan::Manifest;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::io::{IsTerminal, Write};
use std::path::Path;

pub(crate) fn run(arguments: &CalibrateArguments, out: Output) -> Outcome {
    interrupt::listen();
    let layout = layout(arguments)?;
    let measurements = calibrate::measurements(layout);
    let job = job(arguments, layout, &measurements)?;
    let watch = Watcher {
        total: measurements.len(),
        is_terminal: std::io::stderr().is_terminal(),
        is_shown: Cell::new(false),
        found: RefCell::default(),
        device: RefCell::default(),
    };
    let ended = supervise(&job, &std::env::temp_dir(), &watch);
    watch.wipe();
    let ended = ended.map_err(|error| workers::unstarted(&job, &error))?;
    if let Some(lost) = ended.lost {
        return Err(workers::failure(&lost, None));
    }
    if ended.is_stopped || interrupt::asked() {
        return Err(Failure::usage("stopped before everything was measured: nothing was written"));
    }
    let (kind, memory) = watch.device.take();
    let host = Host {
        name: arguments.name.clone(),
        device: kind,
        memory,
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

fn layout(arguments: &CalibrateArguments) -> Outcome<Layout> {
    let devices = arguments.devices as usize;
    let processes = arguments.workers.hosts.unwrap_or(arguments.workers.processes);
    let processes = usize::try_from(processes).unwrap_or(usize::MAX);
    if !devices.is_multiple_of(processes) {
        return Err(Failure::usage(format!("{processes} processes do not divide `--devices {devices}`")));
    }
    Ok(Layout { per_process: devices / processes, processes })
}

fn job(arguments: &CalibrateArguments, layout: Layout, measurements: &[Measurement]) -> Outcome<Job> {
    let flags = &arguments.workers;
    let measured = |one: &Measurement| Measured {
        family: one.family.clone(),
        counts: one.counts,
        programs: one.programs.clone(),
        arguments: one.arguments.clone(),
    };
    let own = workers::own(flags, layout.processes)?;
    Ok(Job {
        manifest: Manifest::of_devices(layout.num_devices()),
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
    total: usize,
    is_terminal: bool,
    is_shown: Cell<bool>,
    found: RefCell<Vec<(usize, f64)>>,
    device: RefCell<(String, u64)>,
}

impl Watcher {
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
        let _ = std::io::stderr().write_all(format!("[{rank}] {line}\n").as_bytes());
    }

    fn step(&self, _: &Step) {}

    fn saved(&self, _: u64, _: &str, _: f64) {}

    fn results(&self, _: u64) {}

    fn device(&self, kind: &str, memory: u64) {
        *self.device.borrow_mut() = (kind.to_owned(), memory);
    }

    fn measured(&self, index: usize, seconds: f64) {
        self.found.borrow_mut().push((index, seconds));
        if self.is_terminal {
            self.is_shown.set(true);
            let text = format!("\r\x1b[Kmeasured {}/{}", index + 1, self.total);
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
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
        What::Smallest => "smallest op".to_owned(),
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
