//! Layers of the model at the places at which a step is cut.
//!
//! Input: a step and places of its forward pass. Output: for each place how many layers are in front of it, and for each segment
//! between them what it reads of layers; by the parameters that are read there: `model.layers.7.norm.weight` is one of the layer
//! 7, and so is the eighth row of a stack `model.layers.{0..31}.norm.weight`. Nothing where a place is inside of a layer, or layers
//! have no numbers, or several.

use meshwright_analyze::name_patterns::{Layers, layers};
use meshwright_analyze::names;
use meshwright_analyze::rows::row_of;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Def, Function};
use meshwright_stage::Step;
use std::collections::{BTreeMap, BTreeSet};

use super::cut::{Cut, forward};

/// Instructions that are looked through between a parameter and what reads it.
const MOST_BETWEEN: usize = 8;

/// Positions of the forward pass at which the parameters of a layer are read: the first and the last.
type Span = (usize, usize);

/// A parameter of a layer that an instruction of the forward pass reads.
struct Read<'a> {
    /// Position of the instruction in the forward pass.
    place: usize,
    name: &'a str,
    /// What stands in front of the layer's number in its name.
    prefix: &'a str,
    layer: usize,
}

/// The number of layers in front of each place.
pub(super) fn layers_before(cut: &Cut, step: &Step<'_>, places: &[usize]) -> Vec<Option<usize>> {
    let names = names::of_arguments(&cut.flat.function);
    let mut spans: BTreeMap<usize, Span> = BTreeMap::new();
    let mut prefixes = BTreeSet::new();
    for Read { place, prefix, layer, .. } in reads(cut, step, &names) {
        prefixes.insert(prefix);
        let span = spans.entry(layer).or_insert((place, place));
        *span = (span.0.min(place), span.1.max(place));
    }
    let count = |place: &usize| {
        let before = spans.values().filter(|span| span.1 < *place).count();
        let is_between = spans.iter().all(|(layer, span)| match *layer < before {
            true => span.1 < *place,
            false => span.0 >= *place,
        });
        (prefixes.len() == 1 && is_between).then_some(before)
    };
    places.iter().map(count).collect()
}

/// A parameter of layers: what stands in front of the number of a layer in its name, and what stands behind it.
pub(super) type OfLayers = (String, String);

/// For each segment between these places, the parameters of layers that are read there.
pub(super) fn of_layers(cut: &Cut, step: &Step<'_>, places: &[usize]) -> Vec<BTreeSet<OfLayers>> {
    let names = names::of_arguments(&cut.flat.function);
    let reads = reads(cut, step, &names);
    // Of a prefix with one number alone nothing is a layer; a stack is one of several.
    let mut numbers: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for read in &reads {
        let of_stack = layers(read.name).map_or_else(Vec::new, |layers| layers.numbers);
        numbers.entry(read.prefix).or_default().extend(of_stack.into_iter().chain([read.layer]));
    }
    let mut all = vec![BTreeSet::new(); places.len() + 1];
    for Read { place, name, .. } in reads.iter().filter(|read| numbers[read.prefix].len() > 1) {
        all[places.partition_point(|start| start <= place)].extend(without_number(name));
    }
    all
}

/// A name without the number of its layer: that of a layer is that of a stack.
fn without_number(name: &str) -> Option<OfLayers> {
    let (name, _) = apart(name);
    let Layers { prefix, .. } = layers(name)?;
    let behind = &name[prefix.len()..];
    let behind = match behind.strip_prefix('{') {
        Some(numbers) => numbers.split_once('}')?.1,
        None => behind.trim_start_matches(|letter: char| letter.is_ascii_digit()),
    };
    Some((prefix.to_owned(), behind.to_owned()))
}

/// All parameters of layers that the forward pass reads; `names` are those of the step's arguments.
fn reads<'a>(cut: &Cut, step: &Step<'_>, names: &'a [Option<String>]) -> Vec<Read<'a>> {
    let function = &cut.flat.function;
    let mut reads = Vec::new();
    for (inst, place) in forward(step) {
        let Some((_, origin)) = cut.microbatched.made.trace.insts[inst] else { continue };
        for operand in &function.body.insts[origin].operands {
            let Some((argument, row)) = parameter(function, *operand) else { continue };
            let Some(name) = names.get(argument).and_then(Option::as_deref) else { continue };
            if let Some((prefix, layer)) = layer(name, row) {
                reads.push(Read { place, name, prefix, layer });
            }
        }
    }
    reads
}

/// The argument that a value is, or is made of alone, and which of its rows if it is one.
fn parameter(function: &Function, value: ValueId) -> Option<(usize, Option<usize>)> {
    let body = &function.body;
    let (mut value, mut row) = (value, None);
    for _ in 0..MOST_BETWEEN {
        match body.values[value].def {
            Def::Argument(region, index) if region == body.entry() => return Some((index, row)),
            Def::Argument(..) => return None,
            Def::Result(inst, _) => {
                let own = row_of(body, inst);
                let operands = &body.insts[inst].operands;
                // A row has the numbers of its place beside what it is taken from.
                let (Some(operand), true) = (operands.first(), own.is_some() || operands.len() == 1) else {
                    return None;
                };
                (value, row) = (*operand, own.or(row));
            }
        }
    }
    None
}

/// What stands in front of the number of a layer in a name, and that number; of a stack that of a row.
fn layer(name: &str, row: Option<usize>) -> Option<(&str, usize)> {
    let (name, own) = apart(name);
    let Layers { prefix, numbers } = layers(name)?;
    let number = if numbers.len() == 1 { numbers.first() } else { numbers.get(own.or(row)?) };
    Some((prefix, *number?))
}

/// A layer of a stack that was taken apart is an argument with its number behind the name: the name and that number.
fn apart(name: &str) -> (&str, Option<usize>) {
    let apart = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    let apart = apart.and_then(|(stack, row)| Some((stack, Some(row.parse().ok()?))));
    // The number may be that of the layer itself.
    apart.filter(|(stack, _)| layers(stack).is_some()).unwrap_or((name, None))
}

#[cfg(test)]
mod tests {
    use super::without_number;

    #[test]
    fn layers_have_the_names_of_their_stacks() {
        let of = |name: &str| without_number(name).expect("it is of a layer");
        let one = of("model.layers.0.self_attn.q_proj.weight");
        assert_eq!(one, ("model.layers.".to_owned(), ".self_attn.q_proj.weight".to_owned()));
        for other in ["{1..26}", "{1,3,5}", "12"] {
            assert_eq!(one, of(&format!("model.layers.{other}.self_attn.q_proj.weight")));
        }
        assert_eq!(one, of("model.layers.{1..26}.self_attn.q_proj.weight[3]"));
        assert_eq!(of("params['layers'][3]['w1']"), of("params['layers'][10]['w1']"));
        assert_ne!(of("params['layers'][3]['w1']"), of("params['layers'][3]['w2']"));
        assert_ne!(of("h.0.ln_1.weight"), of("h.0.ln_2.weight"));
        assert_ne!(of("encoder.block.0.layer.0.norm"), of("encoder.block.0.layer.1.norm"));
        assert_eq!(without_number("model.norm.weight"), None);
    }
}
