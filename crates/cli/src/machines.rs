//! `meshwright machines`: the built-in machines as a table, or one of them as a file to start one's own from.

use crate::args::{MachinesArguments, Output};
use crate::failure::Outcome;
use crate::table::{Lean, render};
use crate::{input, output};
use meshwright_machine::{Machine, list};
use serde::Serialize;

pub(crate) fn run(arguments: &MachinesArguments, out: Output) -> Outcome {
    let Some(name) = &arguments.name else {
        return output::print(&if out.json { json(&list()) } else { table(&list()) });
    };
    let machine = input::machine(name)?;
    output::print(&if out.json { json(std::slice::from_ref(&machine)) } else { machine.to_toml() })
}

fn table(machines: &[Machine]) -> String {
    let row = |machine: &Machine| {
        vec![
            machine.spec(),
            machine.num_devices().to_string(),
            machine.device.memory.to_string(),
            machine.device.flops.bf16.to_string(),
            machine.levels()[0].bandwidth.to_string(),
            if machine.calibrated { "yes" } else { "no" }.to_owned(),
            machine.description.clone(),
        ]
    };
    let head = [
        ("machine", Lean::Left),
        ("devices", Lean::Right),
        ("memory", Lean::Right),
        ("bf16", Lean::Right),
        ("inner link", Lean::Right),
        ("calibrated", Lean::Left),
        ("description", Lean::Left),
    ];
    let mut text = render(&head, &machines.iter().map(row).collect::<Vec<_>>());
    text.push_str(
        "\nOther sizes: `h100:32x8` is 32 hosts of 8. A machine of your own is a TOML file; \
         `meshwright machines h100` prints one to start from.\n",
    );
    text
}

#[derive(Serialize)]
struct Record {
    name: String,
    aliases: Vec<String>,
    spec: String,
    description: String,
    num_devices: usize,
    num_hosts: usize,
    memory_bytes: u64,
    calibrated: bool,
    source: String,
    note: String,
    toml: String,
}

fn json(machines: &[Machine]) -> String {
    let record = |machine: &Machine| Record {
        name: machine.name.clone(),
        aliases: machine.aliases.clone(),
        spec: machine.spec(),
        description: machine.description.clone(),
        num_devices: machine.num_devices(),
        num_hosts: machine.num_hosts(),
        memory_bytes: machine.device.memory.0,
        calibrated: machine.calibrated,
        source: machine.source.clone(),
        note: machine.note.clone(),
        toml: machine.to_toml(),
    };
    let records: Vec<Record> = machines.iter().map(record).collect();
    output::json(&records)
}
