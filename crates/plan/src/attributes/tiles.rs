//! Tiles as an attribute of the function: `meshwright.tiles = [{count = 8 : i64, dim = 2 : i64, makes = array<i64: 9>,
//! reads = array<i64: 0, 1, 2>, value = 5 : i64}]`. Values are said by their positions in the text, from 0.

use super::{ANNOTATION, TILES};
use crate::tile::Tile;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics};
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::program::{Body, Function};
use meshwright_tensor::types::ElementType;
use std::collections::BTreeMap;

/// The tiles that a function says.
pub(super) fn read(function: &Function, problems: &mut Diagnostics) -> Vec<Tile> {
    let Some(attr) = function.attributes.get(TILES) else { return Vec::new() };
    let values = in_order(&function.body);
    let all = match attr {
        Attr::Array(tiles) => tiles.iter().map(|attr| tile(attr, &values)).collect(),
        _ => None,
    };
    all.unwrap_or_else(|| {
        let hint = "it is a list such as `[{count = 8 : i64, dim = 2 : i64, makes = array<i64: 9>, reads = array<i64: 0>, \
                    value = 5 : i64}]`, with positions of values in the text";
        problems.push(Diagnostic::error(ANNOTATION, function.span, format!("`{TILES}` does not fit")).hint(hint));
        Vec::new()
    })
}

fn tile(attr: &Attr, values: &[ValueId]) -> Option<Tile> {
    let Attr::Dict(said) = attr else { return None };
    let number = |name: &str| said.get(name)?.as_int().and_then(|number| usize::try_from(number).ok());
    let all = |name: &str| -> Option<Vec<ValueId>> {
        let Some(Attr::DenseArray(_, positions)) = said.get(name) else { return None };
        positions.iter().map(|at| values.get(usize::try_from(*at).ok()?).copied()).collect()
    };
    Some(Tile {
        value: *values.get(number("value")?)?,
        dim: number("dim")?,
        count: number("count")?,
        reads: all("reads")?,
        makes: all("makes")?,
    })
}

/// Writes tiles on the function.
pub(super) fn write(function: &mut Function, tiles: &[Tile]) {
    if tiles.is_empty() {
        return;
    }
    let values = in_order(&function.body);
    let position: BTreeMap<ValueId, i64> = values.into_iter().zip(0..).collect();
    let all = |values: &[ValueId]| {
        Attr::DenseArray(ElementType::I64, values.iter().map(|value| position[value]).collect())
    };
    let attr = |tile: &Tile| {
        let mut said = Attributes::new();
        said.set("count", Attr::i64(tile.count as i64));
        said.set("dim", Attr::i64(tile.dim as i64));
        said.set("makes", all(&tile.makes));
        said.set("reads", all(&tile.reads));
        said.set("value", Attr::i64(position[&tile.value]));
        Attr::Dict(said)
    };
    let tiles = tiles.iter().map(attr).collect();
    function.attributes.set(TILES, Attr::Array(tiles));
}

/// All values in the order of the text: what an instruction makes before what is inside of it.
fn in_order(body: &Body) -> Vec<ValueId> {
    let mut values = Vec::with_capacity(body.values.len());
    collect(body, body.entry(), &mut values);
    values
}

fn collect(body: &Body, region: RegionId, values: &mut Vec<ValueId>) {
    values.extend(&body.regions[region].args);
    for inst in &body.regions[region].insts {
        let inst = &body.insts[*inst];
        values.extend(&inst.results);
        inst.regions.iter().for_each(|region| collect(body, *region, values));
    }
}
