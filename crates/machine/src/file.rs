//! Reads a machine file (TOML, format in `docs/machines.md`) into a [`Machine`].
//!
//! A file either describes a machine whole or names a `base` spec and overrides some of it; then `[[levels]]` of the
//! base's level names override those. Both ways end in the same checks: every figure present, positive and finite,
//! fractions at most 1, sizes that the hardware has, `assumed` keys that exist.
//! TOML and type errors stop at the first (the parser does); all the checks are reported together.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use toml::Spanned;

use crate::catalog::nearest;
use crate::curve::CurveKinds;
use crate::curve_table::{self, LinkCurve, Tables};
use crate::device_table::{self, DeviceTable};
use crate::error::MachineError;
use crate::figures::Check;
use crate::machine::{Device, Level, LinkKind, Machine, Tier};
use crate::tier_table::{self, TierTable};
use crate::units::{BytesPerSecond, Seconds};
use crate::words;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineFile {
    base: Option<Spanned<String>>,
    name: Option<String>,
    aliases: Option<Vec<String>>,
    description: Option<String>,
    calibrated: Option<bool>,
    source: Option<String>,
    note: Option<String>,
    assumed: Option<Vec<Spanned<String>>>,
    price_per_device_hour: Option<Spanned<f64>>,
    devices_per_host: Option<Spanned<Count>>,
    device: Option<Spanned<DeviceTable>>,
    host: Option<Spanned<TierTable>>,
    nvme: Option<Spanned<TierTable>>,
    levels: Option<Vec<Spanned<LevelTable>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelTable {
    name: String,
    kind: Option<Spanned<KindName>>,
    wraps_every: Option<Spanned<Count>>,
    size: Option<Count>,
    max_size: Option<Count>,
    bandwidth: Option<Spanned<BytesPerSecond>>,
    efficiency: Option<Spanned<f64>>,
    latency: Option<Spanned<Seconds>>,
    curves: Option<Tables<LinkCurve>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindName {
    Switch,
    FullMesh,
    Memory,
    Torus,
}

/// A whole number of at least 1.
#[derive(Clone, Copy)]
struct Count(usize);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        struct CountVisitor;
        impl Visitor<'_> for CountVisitor {
            type Value = Count;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number of at least 1")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Count, E> {
                match usize::try_from(value) {
                    Ok(count) if count > 0 => Ok(Count(count)),
                    _ => Err(E::invalid_value(de::Unexpected::Signed(value), &self)),
                }
            }
        }
        deserializer.deserialize_i64(CountVisitor)
    }
}

impl Machine {
    /// Reads the text of a machine file; `file` is its name for messages. Curves may be of any kind.
    ///
    /// # Errors
    /// Everything wrong with it, in the order of the text; positions where there are any.
    pub fn from_toml(text: &str, file: &str) -> Result<Machine, Vec<MachineError>> {
        read(text, file, None)
    }

    /// The same, where curves of other kinds than those that are known are errors too.
    ///
    /// # Errors
    /// As [`Machine::from_toml`].
    pub fn from_toml_knowing(
        text: &str,
        file: &str,
        kinds: CurveKinds<'_>,
    ) -> Result<Machine, Vec<MachineError>> {
        read(text, file, Some(kinds))
    }
}

fn read(text: &str, file: &str, kinds: Option<CurveKinds<'_>>) -> Result<Machine, Vec<MachineError>> {
    let raw: MachineFile = toml::from_str(text).map_err(|error| vec![toml_error(&error, file, text)])?;
    let mut check = Check { file, text, kinds, errors: Vec::new() };
    let machine = build(&raw, &mut check);
    match (machine, check.errors.is_empty()) {
        (Some(machine), true) => Ok(machine),
        (_, false) => {
            let start =
                |error: &MachineError| error.position.as_ref().map_or(0, |position| position.span.start);
            check.errors.sort_by_key(start);
            Err(check.errors)
        }
        (None, true) => panic!("machine file {file} gave neither a machine nor an error"),
    }
}

/// The parser's error as ours: its message on one line, its span, and a hint where a key is unknown.
fn toml_error(error: &toml::de::Error, file: &str, text: &str) -> MachineError {
    let message = error.message().trim().replace('\n', "; ");
    let mut ours =
        match message.strip_prefix("unknown field `").and_then(|rest| rest.split_once("`, expected ")) {
            Some((key, expected)) => {
                let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
                let mut unknown = MachineError::new(format!("unknown key `{key}`"));
                if let Some(near) = nearest(key, known.iter().copied()) {
                    unknown = unknown.hint(format!("did you mean `{near}`?"));
                }
                if let Some(place) = words::place_of(key).filter(|_| !known.contains(&key)) {
                    unknown = unknown.hint(format!("`{key}` stands {place}"));
                }
                unknown.hint(format!("keys known here: {}", known.join(", ")))
            }
            None => MachineError::new(words::in_words(&message)),
        };
    if let Some(span) = error.span() {
        ours = ours.at(file, text, span);
    }
    ours
}

fn build(raw: &MachineFile, check: &mut Check<'_>) -> Option<Machine> {
    let base = match &raw.base {
        None => None,
        Some(spec) if spec.get_ref().ends_with(".toml") => {
            let error = MachineError::new(format!("`base` is `{}`, but has to be built in", spec.get_ref()));
            check.error(
                spec.span(),
                error.hint("`meshwright machines` lists them; copy from a file what you want of it"),
            );
            return None;
        }
        Some(spec) => match Machine::from_spec(spec.get_ref()) {
            Ok(base) => Some(base),
            Err(error) => {
                check.error(spec.span(), error);
                return None;
            }
        },
    };
    let whole_file = 0..0;
    let name = check.need("name", &whole_file, raw.name.clone(), base.as_ref().map(|base| base.name.clone()));
    let device = device_table::build(raw.device.as_ref(), base.as_ref().map(|base| &base.device), check);
    let [host, nvme] = build_tiers(raw, base.as_ref(), check);
    let device = device.map(|device| Device { host, nvme, ..device });
    let levels = build_levels(raw, base.as_ref(), check);
    let price = raw.price_per_device_hour.as_ref().map(|price| *price.get_ref());
    if let (Some(number), Some(at)) = (price, &raw.price_per_device_hour)
        && !(number.is_finite() && number >= 0.0)
    {
        check
            .error(at.span(), MachineError::new(format!("`price_per_device_hour` is {number}, not a price")));
    }
    let levels = levels?;
    check_assumed(raw, device.as_ref(), &levels, check);

    let (name, device) = (name?, device?);
    let inherited = base.unwrap_or_else(|| Machine::without_levels(name.clone(), device.clone()));
    let default_per_host = if raw.base.is_some() { inherited.devices_per_host } else { levels.first()?.size };
    let mut machine = inherited;
    machine.name = name;
    machine.device = device;
    machine.devices_per_host =
        raw.devices_per_host.as_ref().map_or(default_per_host, |count| count.get_ref().0);
    if let Some(count) = &raw.devices_per_host {
        check_hosts(count.get_ref().0, &count.span(), &levels, check);
    }
    machine.calibrated = raw.calibrated.unwrap_or(machine.calibrated);
    machine.price_per_device_hour = price.or(machine.price_per_device_hour);
    for (field, given) in [
        (&mut machine.description, &raw.description),
        (&mut machine.source, &raw.source),
        (&mut machine.note, &raw.note),
    ] {
        if let Some(given) = given {
            field.clone_from(given);
        }
    }
    // Other names are the base's, not those of what is made from it.
    machine.aliases = raw.aliases.clone().unwrap_or_default();
    if let Some(keys) = &raw.assumed {
        machine.assumed = keys.iter().map(|key| key.get_ref().clone()).collect();
    }
    let at = raw.levels.as_ref().and_then(|levels| levels.first()).map_or(whole_file, Spanned::span);
    machine.with_levels(levels).map_err(|error| check.error(at, error)).ok()
}

/// The memory of a host, and its drives, which are reached through it.
fn build_tiers(raw: &MachineFile, base: Option<&Machine>, check: &mut Check<'_>) -> [Option<Tier>; 2] {
    let base = base.map(|base| &base.device);
    let host = tier_table::build("host", raw.host.as_ref(), base.and_then(|base| base.host), check);
    let nvme = tier_table::build("nvme", raw.nvme.as_ref(), base.and_then(|base| base.nvme), check);
    if let (None, Some(_), None, Some(table)) = (host, nvme, &raw.host, &raw.nvme) {
        let error = MachineError::new("the machine has `[nvme]`, but no `[host]`");
        check.error(
            table.span(),
            error.hint("what goes to the drives goes through the host: describe it too"),
        );
    }
    [host, nvme]
}

fn build_levels(raw: &MachineFile, base: Option<&Machine>, check: &mut Check<'_>) -> Option<Vec<Level>> {
    let given: &[Spanned<LevelTable>] = raw.levels.as_deref().unwrap_or(&[]);
    for (index, table) in given.iter().enumerate() {
        let name = &table.get_ref().name;
        if given[..index].iter().any(|earlier| earlier.get_ref().name == *name) {
            check.error(table.span(), MachineError::new(format!("level `{name}` is given twice")));
        }
    }
    let Some(base) = base else {
        if given.is_empty() {
            let error = MachineError::new("missing table `levels`")
                .hint("give one `[[levels]]` for each kind of link, the fastest first");
            check.error(0..0, error);
            return None;
        }
        // Each level is built before any is missed, so that all the errors are found.
        let levels: Vec<Option<Level>> =
            given.iter().map(|table| build_level(table.get_ref(), &table.span(), None, check)).collect();
        return levels.into_iter().collect();
    };
    let mut levels = base.levels().to_vec();
    for table in given {
        let name = &table.get_ref().name;
        match levels.iter_mut().find(|level| level.name == *name) {
            Some(level) => *level = build_level(table.get_ref(), &table.span(), Some(level), check)?,
            None => {
                let known: Vec<&str> = base.levels().iter().map(|level| level.name.as_str()).collect();
                let error = MachineError::new(format!("`{}` has no level `{name}`", base.name))
                    .hint(format!("its levels are {}", known.join(", ")));
                check.error(table.span(), error);
            }
        }
    }
    Some(levels)
}

fn build_level(
    table: &LevelTable,
    at: &Range<usize>,
    base: Option<&Level>,
    check: &mut Check<'_>,
) -> Option<Level> {
    let key = |key: &str| format!("levels.{}.{key}", table.name);
    let size = check.need(&key("size"), at, table.size.map(|count| count.0), base.map(|base| base.size));
    let kind = build_kind(table, at, base, check);
    let bandwidth = check.positive(&key("bandwidth"), &table.bandwidth);
    let bandwidth = check.need(&key("bandwidth"), at, bandwidth, base.map(|base| base.bandwidth));
    let efficiency = check.fraction(&key("efficiency"), &table.efficiency);
    let efficiency = check.need(&key("efficiency"), at, efficiency, base.map(|base| base.efficiency));
    let latency = check.time(&key("latency"), &table.latency);
    let latency = check.need(&key("latency"), at, latency, base.map(|base| base.latency));
    let known = check.kinds.map(|kinds| kinds.links);
    let base_curves = base.map(|base| &base.curves);
    let curves = curve_table::build(table.curves.as_ref(), base_curves, known, &key("curves"), check);
    let max_size = table.max_size.map(|count| count.0).or(base.and_then(|base| base.max_size));
    if kind == Some(LinkKind::FullMesh) && max_size.is_none() {
        let error = MachineError::new(format!("missing key `{}`", key("max_size")))
            .hint("a full mesh shares its bandwidth among `max_size - 1` links, so it must be known");
        check.error(at.clone(), error);
    }
    Some(Level {
        name: table.name.clone(),
        size: size?,
        max_size,
        kind: kind?,
        bandwidth: bandwidth?,
        efficiency: efficiency?,
        latency: latency?,
        curves,
    })
}

fn build_kind(
    table: &LevelTable,
    at: &Range<usize>,
    base: Option<&Level>,
    check: &mut Check<'_>,
) -> Option<LinkKind> {
    let (inherited, inherited_wraps) = match base.map(|base| base.kind) {
        None => (None, None),
        Some(LinkKind::Switch) => (Some(KindName::Switch), None),
        Some(LinkKind::FullMesh) => (Some(KindName::FullMesh), None),
        Some(LinkKind::Memory) => (Some(KindName::Memory), None),
        Some(LinkKind::Torus { wraps_every }) => (Some(KindName::Torus), Some(wraps_every)),
    };
    let given = table.kind.as_ref().map(|kind| *kind.get_ref());
    let kind = check.need(&format!("levels.{}.kind", table.name), at, given, inherited)?;
    let wraps_key = format!("levels.{}.wraps_every", table.name);
    let wraps = table.wraps_every.as_ref();
    if let Some(count) = wraps.filter(|_| kind != KindName::Torus) {
        check.error(count.span(), MachineError::new(format!("`{wraps_key}` is for `kind = \"torus\"` only")));
    }
    Some(match kind {
        KindName::Switch => LinkKind::Switch,
        KindName::FullMesh => LinkKind::FullMesh,
        KindName::Memory => LinkKind::Memory,
        KindName::Torus => {
            let given = wraps.map(|count| count.get_ref().0);
            LinkKind::Torus { wraps_every: check.need(&wraps_key, at, given, inherited_wraps)? }
        }
    })
}

/// Hosts of `count` devices must fill what an innermost switch or full mesh joins. A torus may be of any size.
fn check_hosts(count: usize, at: &Range<usize>, levels: &[Level], check: &mut Check<'_>) {
    let Some(first) = levels.first().filter(|level| !matches!(level.kind, LinkKind::Torus { .. })) else {
        return;
    };
    let (name, domain) = (&first.name, first.max_size.unwrap_or(first.size));
    if domain > count && !domain.is_multiple_of(count) {
        let message =
            format!("`devices_per_host` is {count}, but {domain} devices of `{name}` do not fill such hosts");
        check.error(at.clone(), MachineError::new(message).hint("give a divisor, or leave it out"));
    }
}

/// `assumed` must name keys that hold figures, or it would hide a misspelling.
fn check_assumed(raw: &MachineFile, device: Option<&Device>, levels: &[Level], check: &mut Check<'_>) {
    let mut known: Vec<String> = ["price_per_device_hour", "devices_per_host"].map(String::from).to_vec();
    known.extend(device_table::FIGURES.map(|key| format!("device.{key}")));
    known.extend(
        ["host", "nvme"].iter().flat_map(|tier| tier_table::FIGURES.map(|key| format!("{tier}.{key}"))),
    );
    known.extend(
        device.iter().flat_map(|device| device.curves.kinds()).map(|kind| format!("device.curves.{kind}")),
    );
    for level in levels {
        known.extend(level.curves.kinds().map(|kind| format!("levels.{}.curves.{kind}", level.name)));
        let keys = ["bandwidth", "efficiency", "latency", "max_size", "wraps_every"];
        known.extend(keys.map(|key| format!("levels.{}.{key}", level.name)));
    }
    for key in raw.assumed.iter().flatten() {
        if known.iter().any(|known| known == key.get_ref()) {
            continue;
        }
        let mut error = MachineError::new(format!("`assumed` names the unknown figure `{}`", key.get_ref()));
        if let Some(near) = nearest(key.get_ref(), known.iter().map(String::as_str)) {
            error = error.hint(format!("did you mean `{near}`?"));
        }
        check.error(key.span(), error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Bytes, FlopsPerSecond};

    /// A whole file; tests spoil it one place at a time.
    const WHOLE: &str = r#"name = "mine"
[device]
name = "Chip"
flops_efficiency = 0.8
memory = "80 GB"
memory_bandwidth = 3e12
memory_efficiency = 0.9
launch_overhead = "5 us"
collective_overhead = 0
[device.flops]
f64 = "10 TFLOP/s"
f32 = "20 TFLOP/s"
bf16 = "300 TFLOP/s"
[[levels]]
name = "inside"
kind = "switch"
size = 4
bandwidth = "300 GB/s"
efficiency = 1
latency = "1 us"
"#;

    fn errors(text: &str) -> Vec<String> {
        let errors = Machine::from_toml(text, "my.toml").expect_err("the file is wrong");
        errors.iter().map(MachineError::to_string).collect()
    }

    /// The only error of `WHOLE` with one place spoiled.
    fn spoiled(from: &str, to: &str) -> String {
        assert!(WHOLE.contains(from));
        let mut errors = errors(&WHOLE.replacen(from, to, 1));
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors.remove(0)
    }

    #[test]
    fn a_whole_file_is_read() {
        let machine = Machine::from_toml(WHOLE, "my.toml").unwrap();
        assert_eq!(machine.spec(), "mine:4");
        assert_eq!((machine.devices_per_host, machine.calibrated), (4, false));
        assert_eq!(machine.device.memory, Bytes(80_000_000_000));
        assert_eq!(machine.device.memory_bandwidth, BytesPerSecond(3e12));
        assert_eq!(machine.device.flops.int8, FlopsPerSecond(300e12));
        assert_eq!(machine.levels()[0].latency, Seconds(1e-6));
    }

    #[test]
    fn the_files_in_the_documentation_load() {
        let page = include_str!("../../../docs/machines.md");
        let files: Vec<&str> =
            page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        let loaded: Vec<String> =
            files.iter().map(|text| Machine::from_toml(text, "docs").unwrap().spec()).collect();
        assert_eq!(loaded, ["h100:1x8", "our-cluster:16x8", "h100-measured:2x8"]);
    }

    #[test]
    fn a_base_is_overridden_key_by_key() {
        let text = "base = \"h100:4x8\"\nname = \"ours\"\n[device]\nmemory = \"60 GB\"\n\
                    [[levels]]\nname = \"infiniband\"\nbandwidth = \"100 GB/s\"\nsize = 16\n";
        let ours = Machine::from_toml(text, "my.toml").unwrap();
        let h100 = Machine::from_spec("h100:16x8").unwrap();
        assert_eq!(ours.spec(), "ours:16x8");
        assert_eq!(ours.device.memory, Bytes(60_000_000_000));
        assert_eq!(ours.device.flops, h100.device.flops);
        assert_eq!(ours.levels()[0], h100.levels()[0]);
        assert_eq!(ours.levels()[1].bandwidth, BytesPerSecond(100e9));
        assert_eq!(ours.levels()[1].latency, h100.levels()[1].latency);
    }

    #[test]
    fn unknown_keys_are_named_with_the_nearest() {
        let text = spoiled("memory =", "memry =");
        assert!(
            text.starts_with("my.toml:5:1: unknown key `memry`\n  hint: did you mean `memory`?"),
            "{text}"
        );
        let text = spoiled("name = \"mine\"", "name = \"mine\"\nmemory_headroom = 0.1");
        assert!(text.contains("hint: `memory_headroom` stands below `[device]`"), "{text}");
        let text = spoiled("efficiency = 1", "efficiency = \"80 %\"");
        assert!(text.ends_with("invalid type: string \"80 %\", expected a number such as `0.9`"), "{text}");
        assert!(spoiled("name = \"mine\"", "nmae = \"mine\"").starts_with("my.toml:1:1: unknown key `nmae`"));
        assert!(spoiled("latency =", "hops = 1\nlatency =").starts_with("my.toml:20:1: unknown key `hops`"));
    }

    #[test]
    fn missing_keys_are_named_at_their_table() {
        assert_eq!(spoiled("name = \"mine\"", ""), "my.toml:1:1: missing key `name`");
        assert_eq!(spoiled("memory = \"80 GB\"", ""), "my.toml:2:1: missing key `device.memory`");
        assert_eq!(spoiled("size = 4", ""), "my.toml:14:1: missing key `levels.inside.size`");
        let text = spoiled("\"switch\"", "\"torus\"");
        assert_eq!(text, "my.toml:14:1: missing key `levels.inside.wraps_every`");
        assert!(spoiled("\"switch\"", "\"full_mesh\"").contains("missing key `levels.inside.max_size`"));
        assert_eq!(errors("").len(), 3);
    }

    #[test]
    fn wrong_types_and_values_are_pointed_at() {
        assert_eq!(
            spoiled("\"80 GB\"", "true"),
            "my.toml:5:10: invalid type: boolean `true`, expected an amount of memory such as \"80 GB\" or \
             \"64 GiB\", or a number of bytes"
        );
        assert_eq!(spoiled("\"80 GB\"", "-3"), "my.toml:5:10: `-3` is negative");
        assert_eq!(spoiled("\"80 GB\"", "0"), "my.toml:5:10: `device.memory` is 0, but must be more");
        assert_eq!(spoiled("3e12", "nan"), "my.toml:6:20: `NaN` is not a finite number");
        assert!(
            spoiled("3e12", "\"3 Tb/s\"").starts_with("my.toml:6:20: `3 Tb/s` has the unknown unit `Tb/s`")
        );
        assert_eq!(
            spoiled("efficiency = 0.8", "efficiency = 1.5"),
            "my.toml:4:20: `device.flops_efficiency` is 1.5, but must be above 0 and at most 1"
        );
        assert_eq!(
            spoiled("size = 4", "size = 0"),
            "my.toml:17:8: invalid value: integer `0`, expected a whole number of at least 1"
        );
        assert!(spoiled("size = 4", "size = 4\nmax_size = 2").contains("joins at most 2 units, not 4"));
        assert!(spoiled("size = 4", "size = 2000000").contains("too large"));
        assert!(spoiled("\"switch\"", "\"hub\"").starts_with("my.toml:16:8: unknown variant `hub`"));
    }

    #[test]
    fn figures_that_no_hardware_has_are_refused() {
        assert_eq!(
            spoiled("\"300 GB/s\"", "\"1e-300 B/s\""),
            "my.toml:18:13: `levels.inside.bandwidth` is 1e-300 B/s, but must be at least 1 B/s"
        );
        assert_eq!(
            spoiled("efficiency = 0.8", "efficiency = 1e-300"),
            "my.toml:4:20: `device.flops_efficiency` is 1e-300, but must be at least 1e-6"
        );
        assert_eq!(
            spoiled("\"5 us\"", "1e300"),
            "my.toml:8:19: `device.launch_overhead` is 1e300 s, but must be at most 3600 s"
        );
    }

    #[test]
    fn headroom_is_five_per_cent_unless_said_and_none_on_a_host() {
        let usable = |text: &str| Machine::from_toml(text, "my.toml").unwrap().device.usable_memory();
        assert_eq!(usable(WHOLE), Bytes(76_000_000_000));
        let said = |line: &str| WHOLE.replacen("[device]\n", &format!("[device]\n{line}\n"), 1);
        assert_eq!(usable(&said("memory_headroom = 0")), Bytes(80_000_000_000));
        assert_eq!(usable(&said("memory_headroom = 0.25")), Bytes(60_000_000_000));
        assert_eq!(usable(&said("platform = \"cpu\"")), Bytes(80_000_000_000));
        assert_eq!(usable("base = \"h100\"\n[device]\nmemory = \"100 GB\"\n"), Bytes(95_000_000_000));
        assert_eq!(
            spoiled("[device]\n", "[device]\nmemory_headroom = 1.0\n"),
            "my.toml:3:19: `device.memory_headroom` is 1, but must be at least 0 and below 1"
        );
    }

    #[test]
    fn prices_are_kept_and_checked() {
        let price = |text: &str| {
            let text = format!("price_per_device_hour = {text}\n{WHOLE}");
            let errors = |errors: Vec<MachineError>| errors[0].to_string();
            Machine::from_toml(&text, "my.toml").map(|machine| machine.price_per_device_hour).map_err(errors)
        };
        assert_eq!(price("2.5"), Ok(Some(2.5)));
        assert_eq!(price("3"), Ok(Some(3.0)));
        assert_eq!(price("-1.0").unwrap_err(), "my.toml:1:25: `price_per_device_hour` is -1, not a price");
        assert!(price("inf").unwrap_err().contains("not a price"));
        let derived =
            Machine::from_toml("base = \"h100\"\nprice_per_device_hour = 2.5\n", "my.toml").unwrap();
        assert_eq!(
            Machine::from_toml(&derived.to_toml(), "again.toml").unwrap().price_per_device_hour,
            Some(2.5)
        );
    }

    #[test]
    fn hosts_are_filled() {
        let hosts = |count: usize, size: usize| {
            let text = WHOLE.replace("size = 4", &format!("size = {size}"));
            let text = format!("devices_per_host = {count}\n{text}");
            Machine::from_toml(&text, "my.toml").map_err(|errors| errors[0].to_string())
        };
        assert!(hosts(3, 8).unwrap_err().starts_with(
            "my.toml:1:20: `devices_per_host` is 3, but 8 devices of `inside` do not fill such hosts"
        ));
        assert_eq!(hosts(4, 8).unwrap().num_hosts(), 2);
        // A host may have room for more.
        assert_eq!(hosts(8, 4).unwrap().num_hosts(), 1);
    }

    #[test]
    fn other_names_are_not_inherited() {
        let derived = Machine::from_toml("base = \"h100\"\nname = \"ours\"", "my.toml").unwrap();
        assert!(derived.aliases.is_empty());
    }

    #[test]
    fn all_checks_are_reported_in_order() {
        let text = WHOLE.replace("\"80 GB\"", "0").replace("efficiency = 1\n", "efficiency = 2\n");
        let found = errors(&text);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("my.toml:5:10:") && found[1].starts_with("my.toml:19:14:"), "{found:?}");
    }

    #[test]
    fn broken_toml_and_bases_have_positions() {
        assert!(errors("name = ")[0].starts_with("my.toml:1:8: "));
        assert!(errors("# \u{2602}\nbase = \"h10\"")[0].starts_with("my.toml:2:8: unknown machine `h10`"));
        assert!(
            errors("base = \"own.toml\"")[0]
                .starts_with("my.toml:1:8: `base` is `own.toml`, but has to be built in")
        );
        let level = "base = \"h100\"\n[[levels]]\nname = \"nvlnk\"\n";
        assert!(errors(level)[0].starts_with("my.toml:2:1: `h100` has no level `nvlnk`"));
        let platform = WHOLE.replace("[device]\n", "[device]\nplatform = \"gpu\"\n");
        assert!(errors(&platform)[0].starts_with("my.toml:3:12: `gpu` is no platform"));
        let assumed = "base = \"h100\"\nassumed = [\"device.memry\"]\n";
        assert!(
            errors(assumed)[0].starts_with("my.toml:2:12: `assumed` names the unknown figure `device.memry`")
        );
        let twice = format!("{WHOLE}[[levels]]{}", WHOLE.split("[[levels]]").nth(1).unwrap());
        assert_eq!(errors(&twice), ["my.toml:21:1: level `inside` is given twice"]);
    }
}
