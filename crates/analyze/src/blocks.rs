//! Blocks of a model, by what the locations of instructions say of the place that they have in it.
//!
//! What stands behind `layers` is a block of all layers: `layers/attention/softmax` is of the block `attention`; what stands
//! in front of it stays (`encoder attention`). Outside of layers the first word is the block: `embedding`, `head`.

use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::location::Location;
use meshwright_ir::program::{Body, Function, Program};
use std::collections::BTreeMap;

/// The word behind which blocks stand.
const LAYERS: &str = "layers";

/// Number of a block.
pub type Block = usize;

/// The place of an instruction in the model, such as `layers/attention/softmax`.
pub fn place(body: &Body, inst: InstId) -> &str {
    match body.insts[inst].location.as_deref() {
        Some(Location::Name { name, .. }) => name,
        _ => "",
    }
}

/// The block of a place.
pub fn block(place: &str) -> String {
    let parts: Vec<&str> = place.split('/').collect();
    match parts.iter().position(|part| *part == LAYERS) {
        Some(layers) => {
            [&parts[..layers], parts.get(layers + 1..layers + 2).unwrap_or(&[])].concat().join(" ")
        }
        None => parts[..1].join(" "),
    }
}

/// The blocks of a program.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Their names, in order of the program.
    pub names: Vec<String>,
    of_span: BTreeMap<[u32; 2], Block>,
}

impl Blocks {
    /// Those of a program as it was read, of which instructions say that they stand in layers; none of another.
    pub fn of(program: &Program) -> Option<Self> {
        let mut found = Self { names: Vec::new(), of_span: BTreeMap::new() };
        let mut has_layers = false;
        let bodies = program.functions.iter().map(|function| &function.body);
        let all = bodies.flat_map(|body| body.walk(body.entry()).into_iter().map(move |inst| (body, inst)));
        for (body, inst) in all {
            let place = place(body, inst);
            if place.is_empty() {
                continue;
            }
            has_layers |= place.split('/').any(|part| part == LAYERS);
            let name = block(place);
            if name.is_empty() {
                continue;
            }
            let number = found.names.iter().position(|known| *known == name).unwrap_or_else(|| {
                found.names.push(name);
                found.names.len() - 1
            });
            found.of_span.insert(key(body.insts[inst].span), number);
        }
        has_layers.then_some(found)
    }

    /// The block of what was made for a place in the text; none of what belongs to no block.
    pub fn at(&self, span: Span) -> Option<Block> {
        self.of_span.get(&key(span)).copied()
    }

    /// The block that makes each value, or reads an argument first; what loops carry is of the block that makes it there.
    pub fn of_values(&self, function: &Function) -> Table<ValueId, Option<Block>> {
        let body = &function.body;
        let mut of = Table::filled(None, body.values.len());
        let order = body.walk(body.entry());
        for inst in &order {
            let own = self.at(body.insts[*inst].span);
            body.insts[*inst].results.iter().for_each(|result| of[*result] = own);
        }
        for inst in order.iter().rev().filter(|inst| body.insts[**inst].op.carries_values()) {
            let view = body.view(*inst);
            let Some(last) = view.inst.regions.len().checked_sub(1) else { continue };
            for (position, returned) in view.returned(last).iter().enumerate() {
                let made = of[*returned];
                of[view.inst.results[position]] = made;
                (0..=last).for_each(|region| of[view.region(region).args[position]] = made);
            }
        }
        for inst in &order {
            let own = self.at(body.insts[*inst].span);
            for operand in &body.insts[*inst].operands {
                if own.is_some() && of[*operand].is_none() && function.argument_index(*operand).is_some() {
                    of[*operand] = own;
                }
            }
        }
        of
    }
}

fn key(span: Span) -> [u32; 2] {
    [span.start, span.end]
}
