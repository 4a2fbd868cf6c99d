//! Writes a [`Machine`] as the text of a machine file that [`Machine::from_toml`] reads back to the same machine.
//!
//! The text is whole (it names no base), so that a manifest keeps the figures it was made with.

use std::fmt::{self, Write};

use crate::curve::Curves;
use crate::machine::{Device, Level, LinkKind, Machine, Tier};
use crate::quantity::print;

impl Machine {
    /// The text of a machine file with every figure; quantities carry their unit.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        self.write_toml(&mut text).expect("a string takes everything");
        text
    }

    fn write_toml(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "name = {}", string(&self.name))?;
        if !self.aliases.is_empty() {
            writeln!(out, "aliases = {}", strings(&self.aliases))?;
        }
        writeln!(out, "description = {}", string(&self.description))?;
        writeln!(out, "calibrated = {}", self.calibrated)?;
        writeln!(out, "source = {}", string(&self.source))?;
        writeln!(out, "note = {}", string(&self.note))?;
        writeln!(out, "assumed = {}", strings(&self.assumed))?;
        if let Some(price) = self.price_per_device_hour {
            writeln!(out, "price_per_device_hour = {price:?}")?;
        }
        writeln!(out, "devices_per_host = {}", self.devices_per_host)?;

        write_device(&self.device, out)?;
        let tiers = [("host", &self.device.host), ("nvme", &self.device.nvme)];
        tiers
            .iter()
            .try_for_each(|(name, tier)| tier.iter().try_for_each(|tier| write_tier(name, tier, out)))?;
        self.levels().iter().try_for_each(|level| write_level(level, out))
    }
}

fn write_device(device: &Device, out: &mut String) -> fmt::Result {
    writeln!(out, "\n[device]")?;
    writeln!(out, "name = {}", string(&device.name))?;
    if let Some(platform) = device.platform {
        writeln!(out, "platform = \"{}\"", platform.name())?;
    }
    if let Some(capability) = device.compute_capability {
        writeln!(out, "compute_capability = \"{capability}\"")?;
    }
    writeln!(out, "flops_efficiency = {:?}", device.flops_efficiency)?;
    writeln!(out, "memory = \"{}\"", print(device.memory))?;
    writeln!(out, "memory_headroom = {:?}", device.memory_headroom)?;
    writeln!(out, "memory_bandwidth = \"{}\"", print(device.memory_bandwidth))?;
    writeln!(out, "memory_efficiency = {:?}", device.memory_efficiency)?;
    writeln!(out, "launch_overhead = \"{}\"", print(device.launch_overhead))?;
    writeln!(out, "collective_overhead = \"{}\"", print(device.collective_overhead))?;
    if let Some(overhead) = device.permute_overhead {
        writeln!(out, "permute_overhead = \"{}\"", print(overhead))?;
    }
    if let Some(rate) = device.grouped_convolution_flops {
        writeln!(out, "grouped_convolution_flops = \"{}\"", print(rate))?;
    }
    let flops = &device.flops;
    writeln!(out, "\n[device.flops]")?;
    let rates = [
        ("f64", Some(flops.f64)),
        ("f32", Some(flops.f32)),
        ("tf32", flops.tf32),
        ("bf16", Some(flops.bf16)),
        ("fp8", Some(flops.fp8)),
        ("int8", Some(flops.int8)),
    ];
    for (class, rate) in rates {
        if let Some(rate) = rate {
            writeln!(out, "{class} = \"{}\"", print(rate))?;
        }
    }
    write_curves("device.curves", &device.curves, out)
}

fn write_tier(name: &str, tier: &Tier, out: &mut String) -> fmt::Result {
    writeln!(out, "\n[{name}]")?;
    writeln!(out, "memory = \"{}\"", print(tier.memory))?;
    writeln!(out, "bandwidth = \"{}\"", print(tier.bandwidth))?;
    writeln!(out, "efficiency = {:?}", tier.efficiency)
}

fn write_level(level: &Level, out: &mut String) -> fmt::Result {
    writeln!(out, "\n[[levels]]")?;
    writeln!(out, "name = {}", string(&level.name))?;
    writeln!(out, "kind = \"{}\"", level.kind.name())?;
    if let LinkKind::Torus { wraps_every } = level.kind {
        writeln!(out, "wraps_every = {wraps_every}")?;
    }
    writeln!(out, "size = {}", level.size)?;
    if let Some(max_size) = level.max_size {
        writeln!(out, "max_size = {max_size}")?;
    }
    writeln!(out, "bandwidth = \"{}\"", print(level.bandwidth))?;
    writeln!(out, "efficiency = {:?}", level.efficiency)?;
    writeln!(out, "latency = \"{}\"", print(level.latency))?;
    write_curves("levels.curves", &level.curves, out)
}

/// One table for each kind; their names are words.
fn write_curves(table: &str, curves: &Curves, out: &mut String) -> fmt::Result {
    for (kind, curves) in curves.iter() {
        writeln!(out, "\n[{table}.{kind}]")?;
        let by_class = curves.by_class.iter().map(|(class, curve)| (class.name(), curve));
        for (key, curve) in curves.points.iter().map(|curve| ("points", curve)).chain(by_class) {
            writeln!(out, "{key} = {:?}", curve.points())?;
        }
    }
    Ok(())
}

/// A TOML string, quoted and escaped by the TOML writer itself.
fn string(text: &str) -> String {
    toml::Value::from(text).to_string()
}

fn strings(texts: &[String]) -> String {
    let items: Vec<String> = texts.iter().map(|text| string(text)).collect();
    format!("[{}]", items.join(", "))
}

#[cfg(test)]
mod tests {
    use crate::{Machine, list};

    #[test]
    fn every_machine_reads_back_the_same() {
        for machine in list() {
            let text = machine.to_toml();
            let again = Machine::from_toml(&text, "again.toml")
                .unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
            assert_eq!(again, machine);
            assert_eq!(again.to_toml(), text);
        }
    }

    #[test]
    fn what_a_base_or_a_file_says_of_convolutions_is_kept() {
        let file = "base = \"cpu8\"\n[device]\ngrouped_convolution_flops = \"3 GFLOP/s\"\n";
        let machine = Machine::from_toml(file, "own.toml").unwrap();
        assert_eq!(machine.device.grouped_convolution_flops.unwrap().0, 3e9);
        assert_eq!(Machine::from_spec("cpu8").unwrap().device.grouped_convolution_flops, None);
        let again = Machine::from_toml(&machine.to_toml(), "again.toml").unwrap();
        assert_eq!(again, machine);
    }

    #[test]
    fn odd_strings_and_figures_survive() {
        let mut machine = Machine::from_spec("tpu_v4:3x5x7").unwrap();
        machine.note = "a \"quoted\"\nline \\ and 'more' ☂".to_string();
        machine.price_per_device_hour = Some(1.0 / 3.0);
        machine.device.flops_efficiency = 0.1 + 0.2;
        assert_eq!(Machine::from_toml(&machine.to_toml(), "odd.toml").unwrap(), machine);
    }
}
