//! What annotations and pins cost: the time that the plan would take less without each of them. A parameter and its moments,
//! or the same one of several layers, decided alike, are one.
//!
//! Input: what was fixed before the search, and a way to search without some of it. Output: a sentence for each group of
//! tensors that are decided alike, such as `layers.*.w1 [{}, {"model"}], given: without it a step would take 1.2 ms less`.

use crate::next_best::written;
use crate::report::first_name;
use meshwright_analyze::names;
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;
use meshwright_machine::Seconds;
use meshwright_plan::Decisions;

/// So many groups are asked about one by one; the others together.
const MOST: usize = 8;

/// Tensors that are decided alike.
struct Group {
    /// What they have in common.
    family: String,
    label: String,
    /// The different names that they have but for numbers.
    names: Vec<String>,
    values: Vec<ValueId>,
    results: Vec<usize>,
}

/// What a search with less decided comes to.
pub(crate) enum Without {
    /// A plan that takes less.
    Faster(Seconds),
    /// No plan takes less.
    NothingFaster,
    /// None was found; one may exist.
    Unknown,
}

/// A sentence for each group. `without` searches with less decided, for a plan that takes less than the plan does.
pub(crate) fn cost_of_pins(
    function: &Function,
    fixed: &Decisions,
    mesh: &Mesh,
    plan: Seconds,
    without: &dyn Fn(&Decisions) -> Without,
) -> Vec<String> {
    let mut groups = groups(function, fixed, mesh);
    if groups.len() > MOST {
        let rest = groups.split_off(MOST - 1);
        groups.push(Group {
            family: String::new(),
            names: Vec::new(),
            label: format!("{} other annotations", rest.len()),
            values: rest.iter().flat_map(|group| group.values.clone()).collect(),
            results: rest.iter().flat_map(|group| group.results.clone()).collect(),
        });
    }
    let sentence = |group: &Group| {
        let mut rest = fixed.clone();
        rest.values.retain(|value, _| !group.values.contains(value));
        group.results.iter().for_each(|index| rest.results[*index] = None);
        let label = &group.label;
        match without(&rest) {
            Without::Faster(less) if less.0 < plan.0 * 0.999 => {
                let share = 100.0 * (1.0 - less.0 / plan.0);
                let saved = Seconds(plan.0 - less.0);
                format!("given: {label}; without that a step would take {saved} ({share:.1} %) less")
            }
            Without::Faster(less) if less < plan => format!("given: {label}; that costs less than 0.1 %"),
            Without::NothingFaster => format!("given: {label}; that costs nothing"),
            Without::Faster(_) | Without::Unknown => {
                format!("given: {label}; no faster plan without that was found")
            }
        }
    };
    groups.iter().map(sentence).collect()
}

/// Arguments whose names differ only in numbers, constraints and results, each with those that are decided alike.
fn groups(function: &Function, fixed: &Decisions, mesh: &Mesh) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut add = |name: String, sharding: &Sharding| -> usize {
        let label = written(sharding, mesh);
        let family = format!("{} {label}", leaf(&name));
        let name = if name.contains('\'') { without_numbers(&name) } else { name };
        match groups.iter().position(|group| group.family == family) {
            Some(known) => {
                if !groups[known].names.contains(&name) {
                    groups[known].names.push(name);
                }
                known
            }
            None => {
                groups.push(Group { family, label, names: vec![name], values: vec![], results: vec![] });
                groups.len() - 1
            }
        }
    };
    let argument_names = names::of_arguments(function);
    let mut members = Vec::new();
    for (value, sharding) in &fixed.values {
        members.push((add(first_name(function, &argument_names, *value), sharding), Ok(*value)));
    }
    let result_names = names::of_results(function);
    for (index, sharding) in fixed.results.iter().enumerate() {
        if let Some(sharding) = sharding {
            let name = result_names[index].clone().unwrap_or_else(|| format!("result {index}"));
            members.push((add(name, sharding), Err(index)));
        }
    }
    for (group, member) in members {
        match member {
            Ok(value) => groups[group].values.push(value),
            Err(index) => groups[group].results.push(index),
        }
    }
    for group in &mut groups {
        let (first, others) = (&group.names[0], group.names.len() - 1);
        let more = if others > 0 { format!(" and {others} more like it") } else { String::new() };
        group.label = format!("{first}{more} {}", group.label);
    }
    groups
}

/// The keys in a name, `['layers']['w1']` of `state[1].mu['layers'][3]['w1']`; the whole name if there are none.
fn leaf(name: &str) -> String {
    let keys: Vec<&str> = name.split('[').filter(|part| part.starts_with('\'')).collect();
    if keys.is_empty() { name.to_owned() } else { keys.concat() }
}

/// `layers[3].w1` as `layers[*].w1`.
fn without_numbers(name: &str) -> String {
    let mut text = String::new();
    let mut is_word = false;
    for char in name.chars() {
        if char.is_ascii_digit() && !is_word {
            if !text.ends_with('*') {
                text.push('*');
            }
        } else {
            is_word = char.is_alphanumeric();
            text.push(char);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_words_stay() {
        assert_eq!(without_numbers("params['layers'][13]['w1']"), "params['layers'][*]['w1']");
        assert_eq!(leaf("state[1].mu['layers'][3]['w1']"), leaf("params['layers'][0]['w1']"));
        assert_ne!(leaf("argument 12"), leaf("argument 13"));
    }
}
