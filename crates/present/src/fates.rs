//! What a plan does with a value, as text and as JSON.

use meshwright_compile::{Fate, FateKind, InTiles};
use serde_json::{Value, json};

/// Returns what becomes of a value as JSON: bytes of the whole value, of what a loop makes in one of its turns, and of each loop
/// over tiles the bytes at a time.
pub fn to_json(fate: &Fate) -> Value {
    let (kind, reader) = match &fate.kind {
        FateKind::Given => ("given", None),
        FateKind::Kept => ("kept", None),
        FateKind::Passing => ("passing", None),
        FateKind::MadeAgain(reader) => ("made_again", Some(reader)),
        FateKind::OnHost(reader) => ("on_host", Some(reader)),
        FateKind::InTiles => ("in_tiles", None),
        FateKind::Gone => ("gone", None),
    };
    let tiles: Vec<Value> = fate.tiles.iter().map(tiles_json).collect();
    json!({ "value": fate.name, "bytes": fate.bytes.0, "turns": fate.turns, "fate": kind, "reader": reader, "tiles": tiles })
}

fn tiles_json(tiles: &InTiles) -> Value {
    json!({
        "region": tiles.region.value,
        "count": tiles.region.count,
        "dim": tiles.dim,
        "bytes": tiles.bytes.0,
        "made_again": tiles.is_again,
    })
}

/// Says what becomes of values, a line for each and for each loop over tiles in which it is made; bytes are those of whole values,
/// which is said where they are not all that counts.
pub fn text(fates: &[Fate]) -> String {
    let lines: String = fates.iter().map(one).collect();
    let is_shared =
        |fate: &Fate| matches!(fate.kind, FateKind::MadeAgain(_) | FateKind::OnHost(_) | FateKind::Kept);
    match fates.iter().any(is_shared) {
        true => format!(
            "{lines}Bytes are those of the whole value, of which each device has its part, of each microbatch.\n"
        ),
        false => lines,
    }
}

fn one(fate: &Fate) -> String {
    let Fate { name, bytes, turns, kind, tiles } = fate;
    let each = if *turns > 1 { format!(" in each of {turns} turns") } else { String::new() };
    let what = match kind {
        FateKind::Given => format!("an argument, there from the start: {bytes} in all"),
        FateKind::Kept => format!("kept for the backward pass: {bytes} in all{each}"),
        FateKind::Passing => {
            format!("there until its last reader, none of which is in the backward pass: {bytes} in all")
        }
        FateKind::MadeAgain(reader) => {
            format!("made again in the backward pass, first for {reader}: {bytes} less is kept{each}")
        }
        FateKind::OnHost(reader) => {
            format!("on the host until {reader} reads it: {bytes} in all{each}, less on devices")
        }
        FateKind::InTiles if tiles.iter().all(|tiles| tiles.dim.is_none()) => {
            format!("there in tiles alone: {bytes} in all")
        }
        FateKind::InTiles => format!("never there as a whole: {bytes} in all"),
        FateKind::Gone => {
            "not made: nothing needs it, or an equal value or a kernel stands for it".to_owned()
        }
    };
    let lines: String = tiles.iter().map(tiles_line).collect();
    format!("{name}: {what}\n{lines}")
}

fn tiles_line(tiles: &InTiles) -> String {
    let InTiles { region, dim, bytes, is_again } = tiles;
    let made = if *is_again { "made again" } else { "made" };
    let (count, value) = (region.count, &region.value);
    match dim {
        Some(dim) => format!("  {made} in {count} tiles along dim {dim}, {bytes} at a time, with {value}\n"),
        None => format!("  {made} whole in each of {count} tiles, {bytes} at a time, with {value}\n"),
    }
}
