//! The meshes that pins can mean if none is given: their axes are called what the pins call them.
//!
//! Input: a machine and pins. Output: meshes with an axis for each name, and at most one more (at least two in all), each
//! name on each axis once.

use crate::options::MeshChoice;
use crate::pin_pattern::PinPattern;
use meshwright_machine::Machine;
use meshwright_plan::plan_file::MeshAxis;
use meshwright_search::{has_equal_axes, meshes};
use std::collections::BTreeSet;

/// See the module's comment. None if the machine has no mesh of so many axes, or a pin shards by a part of an axis.
pub(crate) fn meshes_for(machine: &Machine, pins: &[PinPattern]) -> Vec<MeshChoice> {
    let mut names: Vec<&str> = Vec::new();
    for name in pins.iter().flat_map(|pin| pin.sharding.iter().flatten()) {
        if name.contains(':') {
            return Vec::new();
        }
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let most = (names.len() + 1).max(2);
    let has_equal_axes = has_equal_axes(machine);
    let mut found = Vec::new();
    for mesh in meshes(machine) {
        let sizes: Vec<usize> = mesh.axes().iter().map(|axis| axis.size).collect();
        if sizes.len() > most {
            continue;
        }
        let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
        for places in arrangements(sizes.len(), names.len()) {
            // Axes of one size are alike: only one of them takes the name.
            let key = places.iter().map(|axis| if has_equal_axes { sizes[*axis] } else { *axis }).collect();
            if seen.insert(key) {
                found.push(named(&sizes, &names, &places));
            }
        }
    }
    found
}

/// All ways to take `count` of the numbers below `size`, in order.
fn arrangements(size: usize, count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |places: &Vec<usize>| -> Vec<Vec<usize>> {
            let free = (0..size).filter(|axis| !places.contains(axis));
            free.map(|axis| [places.as_slice(), &[axis]].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn named(sizes: &[usize], names: &[&str], places: &[usize]) -> MeshChoice {
    let mut others = ["x", "y", "z", "w", "v", "u"].into_iter().filter(|other| !names.contains(other));
    let axis = |(axis, size): (usize, &usize)| {
        let own = places.iter().position(|place| *place == axis).map(|index| names[index]);
        let name = own.or_else(|| others.next()).unwrap_or("rest").to_owned();
        MeshAxis { name, size: *size }
    };
    MeshChoice::Axes(sizes.iter().enumerate().map(axis).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(machine: &str, pins: &[&str]) -> Vec<String> {
        let pins: Vec<PinPattern> = pins.iter().map(|pin| pin.parse().unwrap()).collect();
        let text = |mesh: &MeshChoice| match mesh {
            MeshChoice::Axes(axes) => {
                axes.iter().map(|axis| format!("{}={}", axis.name, axis.size)).collect::<Vec<_>>().join(",")
            }
            MeshChoice::Sizes(_) => unreachable!("they have names"),
        };
        meshes_for(&Machine::from_spec(machine).unwrap(), &pins).iter().map(text).collect()
    }

    #[test]
    fn every_axis_can_be_what_a_pin_names() {
        assert_eq!(found("cpu8", &["w=[{model},{}]"]), ["model=8", "model=2,x=4", "x=2,model=4"]);
        assert_eq!(
            found("cpu8", &["w=[{a},{b}]"]),
            ["a=2,b=4", "b=2,a=4", "a=2,b=2,x=2"],
            "two names, and axes of one size are alike"
        );
        assert_eq!(found("cpu8", &["w=[{},{}]"]), ["x=8", "x=2,y=4"]);
        assert!(found("cpu8", &["w=[{model:(1)2}]"]).is_empty());
        assert!(found("h100:4x8", &["w=[{x}]"]).contains(&"y=4,x=8".to_owned()));
    }
}
