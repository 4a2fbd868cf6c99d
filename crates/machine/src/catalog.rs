//! The built-in machines: every file of `machines/`, compiled in.
//!
//! Adding `machines/<name>.toml` adds the machine; no other line changes.

use crate::error::MachineError;
use crate::machine::Machine;

/// File names and texts, in name order.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/machine_files.rs"));

/// Every built-in machine at its default size, in name order.
pub fn list() -> Vec<Machine> {
    FILES.iter().map(|(file, text)| load(file, text)).collect()
}

/// The built-in machine of this name or alias.
pub(crate) fn find(name: &str) -> Result<Machine, MachineError> {
    if name.is_empty() {
        return Err(
            MachineError::new("the machine has no name").hint("a machine is written like `h100:32x8`")
        );
    }
    let machines = list();
    let wanted = normalize(name);
    let position = machines.iter().position(|machine| names(machine).any(|name| normalize(name) == wanted));
    match position {
        Some(position) => Ok(machines[position].clone()),
        None => Err(unknown(name, &machines)),
    }
}

/// A file that does not load is a defect of the build, which the tests below rule out.
fn load(file: &str, text: &str) -> Machine {
    Machine::from_toml(text, file).unwrap_or_else(|errors| panic!("built-in machine file: {}", errors[0]))
}

fn names(machine: &Machine) -> impl Iterator<Item = &str> {
    std::iter::once(&machine.name).chain(&machine.aliases).map(String::as_str)
}

fn normalize(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

fn unknown(name: &str, machines: &[Machine]) -> MachineError {
    let mut error = MachineError::new(format!("unknown machine `{name}`"));
    if let Some(near) = nearest(name, machines.iter().flat_map(names)) {
        error = error.hint(format!("did you mean `{near}`?"));
    }
    let wanted = normalize(name);
    let (kind, size) = wanted.split_at(wanted.trim_end_matches(|letter: char| letter.is_ascii_digit()).len());
    let kind = kind.trim_end_matches('_');
    if !size.is_empty() && machines.iter().flat_map(names).any(|known| normalize(known) == kind) {
        error = error.hint(format!("a number of devices stands behind a colon: `{kind}:{size}`"));
    }
    let known: Vec<&str> = machines.iter().map(|machine| machine.name.as_str()).collect();
    error
        .hint(format!("known machines: {}", known.join(", ")))
        .hint("a machine of your own is a TOML file: give its path, ending in .toml")
}

/// The candidate with the fewest edits to `name`, if they are fewer than half its letters.
pub(crate) fn nearest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let name = normalize(name);
    candidates
        .map(|candidate| (edit_distance(&name, &normalize(candidate)), candidate))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| 2 * distance < name.chars().count())
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::units::Bytes;

    #[test]
    fn every_file_loads_under_its_own_name() {
        for (file, text) in FILES {
            let machine = Machine::from_toml(text, file).unwrap_or_else(|errors| panic!("{}", errors[0]));
            assert_eq!(format!("{}.toml", machine.name), *file);
            assert!(!machine.source.is_empty(), "{file} does not say where its figures come from");
            assert!(!machine.description.is_empty(), "{file} has no description");
        }
    }

    #[test]
    fn no_two_machines_share_a_name() {
        let mut owners = BTreeMap::new();
        for machine in list() {
            for name in names(&machine) {
                let other = owners.insert(normalize(name), machine.name.clone());
                assert_eq!(other, None, "`{name}` is taken twice");
            }
        }
    }

    #[test]
    fn a_calibrated_machine_assumes_nothing() {
        for machine in list() {
            assert!(!machine.calibrated || machine.assumed.is_empty(), "{}", machine.name);
        }
    }

    #[test]
    fn the_promised_machines_are_there() {
        let promised = [
            "cpu8",
            "a100-40",
            "a100-80",
            "h100",
            "h200",
            "b200",
            "ascend_910b",
            "tpu_v4",
            "tpu_v5e",
            "tpu_v5p",
            "tpu_v6e",
            "mi300x",
            "trainium2",
        ];
        for name in promised {
            assert_eq!(find(name).unwrap().name, name);
        }
        let cpu = find("cpu8").unwrap();
        assert_eq!((cpu.num_devices(), cpu.num_hosts(), cpu.device.memory), (8, 1, Bytes(2 << 30)));
        assert!(!cpu.calibrated);
    }
}
