//! The program with parts of it in tiles, where it has some.
//!
//! Input: the flat program, and what the options or their plan say of tiles. Output: the same with loops over tiles, and
//! what the plan says of them.

use meshwright_analyze::Roles;
use meshwright_cost::Analysis;
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::{Def, Function, Program};
use meshwright_machine::{Machine, Platform};
use meshwright_plan::plan_file::PlanTile;
use meshwright_plan::plan_file::codec::{self, Named, PLAN};
use meshwright_plan::{Names, PlanFile, Tile};
use meshwright_search::tiles::{Found, Wanted, foremost, found, stacked};
use meshwright_tensor::types::TensorType;
use meshwright_transform::recompute::pairs;
use meshwright_transform::tiles::{Places, Region, TileRefusal, in_tiles, places};
use meshwright_transform::time::{TimeRefusal, divisors};
use meshwright_transform::{Flat, Made};
use std::collections::BTreeSet;

use crate::error::CompileError;
use crate::global::names_in;
use crate::options::{Options, Tiles};

/// Nothing can run in the tiles that were asked for.
const TILES: Check = Check("tiles");

/// What is large may stay this many times as large as what stays whole: smaller tiles take longer and win little.
const SLACK: usize = 8;

/// Tiles may be this many times as many as it takes where a dim divides into no fewer; more are too small.
const SPARE: usize = 4;

/// Where nothing fits, tiles are up to this many times as many as those in which what is large is no larger than what stays
/// whole.
const FINE: usize = 8;

/// Such tiles have no fewer elements than this along their dim: products of fewer rows wait for their weights.
const WIDE: usize = 1024;

/// The most dims that a message names.
const MOST_DIMS: usize = 6;

/// A flat program, and what runs in tiles in it.
pub(crate) struct Tiled {
    /// The program that is worked on.
    pub(crate) flat: Flat,
    /// What the plan says of its tiles.
    pub(crate) tiles: Vec<PlanTile>,
}

impl Tiled {
    /// Puts regions in tiles as the options or their plan say.
    ///
    /// # Errors
    /// [`CompileError::Options`]: nothing can run so. [`CompileError::Plan`]: what the plan says is no region of the program.
    pub(crate) fn of(
        original: &Program,
        source: &Source,
        flat: Flat,
        machine: &Machine,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let platform = machine.device.platform;
        let planned = options.plan.as_ref().filter(|plan| !plan.tiles.is_empty());
        let asked = options.asked_tiles();
        if planned.is_none() && asked.is_none() {
            return Ok(Self { flat, tiles: Vec::new() });
        }
        let names = names_in(original, &flat.function, &flat.origins);
        let function = &flat.function;
        let (tiles, made) = match (planned, asked) {
            (Some(plan), _) => of_plan(function, plan, &names)?,
            (None, Some(Tiles::Number(count))) => in_number(function, count, platform)?,
            (None, Some(Tiles::All)) => {
                let tiles = small(function, Wanted::Possible, 1, platform);
                together(function, finer(function, tiles))
            }
            (None, _) => together(function, small(function, Wanted::Worthwhile, SLACK, platform)),
        };
        let place = |span: Span| (span != Span::NONE).then(|| source.locate(span));
        let named = Named { function: &flat.function, names: &names, place: &place };
        let roles = Roles::new(&flat.function);
        let planned = tiles.iter().map(|tile| PlanTile {
            holds: in_words(&flat.function, &roles, tile.value).to_owned(),
            ..codec::tile(tile, named)
        });
        let tiles = planned.collect();
        let flat = made.map_or_else(|| flat.clone(), |made| Flat::of_made(&flat, made));
        Ok(Self { flat, tiles })
    }
}

/// The tiles of a plan, and the function that runs in them.
fn of_plan(
    function: &Function,
    plan: &PlanFile,
    names: &Names,
) -> Result<(Vec<Tile>, Option<Made>), CompileError> {
    let tiles = codec::tiles(plan, names).map_err(CompileError::Plan)?;
    have_dims(function, plan, &tiles)?;
    match in_tiles(function, &counted(&tiles)) {
        Ok(made) => Ok((tiles, Some(made))),
        Err(refusal) => Err(not_in_tiles(function, plan, &tiles, refusal)),
    }
}

/// Refuses tiles of a plan along dims that there are not.
fn have_dims(function: &Function, plan: &PlanFile, tiles: &[Tile]) -> Result<(), CompileError> {
    for (at, (tile, planned)) in tiles.iter().zip(&plan.tiles).enumerate() {
        let rank = function.body.ty(tile.value).as_tensor().map_or(0, TensorType::rank);
        if tile.dim >= rank {
            let (dims, value) = (if rank == 1 { "dim" } else { "dims" }, &planned.value);
            let message = format!("there is no dim {} of `{value}`, which has {rank} {dims}", tile.dim);
            let hint = "dims count from 0: give another one, or leave this entry out";
            return Err(of_entry(plan, &format!("tiles[{at}].dim"), &message, hint));
        }
    }
    Ok(())
}

/// Why a plan's regions cannot run in tiles, at the first of them that cannot.
fn not_in_tiles(function: &Function, plan: &PlanFile, tiles: &[Tile], refusal: TileRefusal) -> CompileError {
    let own = |tile: &Tile| {
        let (region, count) = region(tile);
        if count < 2 { Some(TileRefusal::Single) } else { region.cut(function, count).err() }
    };
    let refused = tiles.iter().enumerate().find_map(|(at, tile)| Some((at, tile, own(tile)?)));
    let Some((at, tile, refusal)) = refused else {
        let message = format!("these regions cannot run in tiles beside one another: {refusal}");
        return of_entry(plan, "tiles", &message, "leave one of them out");
    };
    if let TileRefusal::Time(TimeRefusal::Indivisible { size, count, .. }) = refusal {
        let message = format!("dim {} has {size} elements, which do not divide into {count} tiles", tile.dim);
        let counts: Vec<String> = divisors(size).iter().skip(1).map(ToString::to_string).collect();
        return of_entry(
            plan,
            &format!("tiles[{at}].count"),
            &message,
            &format!("numbers of tiles are {}", counts.join(", ")),
        );
    }
    if refusal == TileRefusal::Single {
        let hint = "give a larger number, or leave this entry out";
        return of_entry(plan, &format!("tiles[{at}].count"), &refusal.to_string(), hint);
    }
    let message = format!("the region cannot run in tiles along dim {}: {refusal}", tile.dim);
    of_entry(plan, &format!("tiles[{at}]"), &message, "leave this entry out")
}

fn of_entry(plan: &PlanFile, path: &str, message: &str, hint: &str) -> CompileError {
    let problem = Diagnostic::error(PLAN, plan.places.at(path), format!("`{path}`: {message}"));
    CompileError::Plan(vec![problem.hint(hint)])
}

/// The regions that run in tiles under a plan, and where that leaves the values of the function of which it says so.
///
/// # Errors
/// [`CompileError::Plan`]: what the plan says is no region of the program.
pub(crate) fn places_of_plan(
    function: &Function,
    plan: &PlanFile,
    names: &Names,
) -> Result<(Vec<Region>, Places), CompileError> {
    let tiles = codec::tiles(plan, names).map_err(CompileError::Plan)?;
    have_dims(function, plan, &tiles)?;
    let regions: Vec<Region> = tiles.iter().map(|tile| region(tile).0).collect();
    let places =
        places(function, &regions).map_err(|refusal| not_in_tiles(function, plan, &tiles, refusal))?;
    Ok((regions, places))
}

/// Those of some tiles that can run beside one another, and the function that does; none if that is none of them.
fn together(function: &Function, mut tiles: Vec<Tile>) -> (Vec<Tile>, Option<Made>) {
    while !tiles.is_empty() {
        match in_tiles(function, &counted(&tiles)) {
            Ok(made) => return (tiles, Some(made)),
            // The region waits for another one, which waits for it.
            Err(TileRefusal::Circle(value)) => tiles.retain(|tile| tile.value != value),
            Err(_) => {
                let can = |(region, count): &(Region, usize)| region.cut(function, *count).is_ok();
                let before = tiles.len();
                tiles.retain(|tile| can(&region(tile)));
                // Each can by itself: one after the other is left out until the others can.
                if tiles.len() == before {
                    tiles.pop();
                }
            }
        }
    }
    (tiles, None)
}

fn counted(tiles: &[Tile]) -> Vec<(Region, usize)> {
    tiles.iter().map(region).collect()
}

fn region(tile: &Tile) -> (Region, usize) {
    let Tile { value, dim, count, reads, makes } = tile.clone();
    (Region { value, dim, reads, makes }, count)
}

/// Instructions of loops over layers that run again in the backward loop where the options want tiles, so that what is
/// large lies in tiles in both.
pub(crate) fn again_in_layers(
    function: &Function,
    roles: &Roles,
    analysis: &Analysis<'_>,
    options: &Options,
) -> BTreeSet<InstId> {
    let again = |wanted: Wanted, suits: &dyn Fn(&Found) -> bool| {
        stacked(function, roles, analysis, &pairs(&function.body), wanted, suits)
    };
    match options.asked_tiles() {
        Some(Tiles::Number(count)) => again(Wanted::Possible, &|found| found.size.is_multiple_of(count)),
        Some(Tiles::All) => again(Wanted::Possible, &|_| true),
        Some(Tiles::Most) => again(Wanted::Worthwhile, &|_| true),
        None | Some(Tiles::None | Tiles::Search) => BTreeSet::new(),
    }
}

/// The regions of a function that are wanted in tiles.
pub(crate) fn regions(
    function: &Function,
    wanted: Wanted,
    platform: Option<Platform>,
    suits: &dyn Fn(&Found) -> bool,
) -> Vec<Found> {
    found(function, &Roles::new(function), &Analysis::on(function, platform), wanted, suits)
}

/// All that divides into so many tiles, and the function that runs in them.
fn in_number(
    function: &Function,
    count: usize,
    platform: Option<Platform>,
) -> Result<(Vec<Tile>, Option<Made>), CompileError> {
    let all = regions(function, Wanted::Possible, platform, &|found| found.size.is_multiple_of(count));
    let tiles: Vec<Tile> =
        all.iter().filter(|found| found.size.is_multiple_of(count)).map(|found| tile(found, count)).collect();
    match (all.is_empty(), tiles.is_empty()) {
        (true, _) => return Err(nothing_possible(function, platform)),
        (false, true) => return Err(indivisible(function, &all, count)),
        (false, false) => {}
    }
    match together(function, tiles) {
        (_, None) => Err(nothing_possible(function, platform)),
        found => Ok(found),
    }
}

/// The wanted regions, each in so many tiles that what is large in it becomes at most `slack` times as large as what stays whole.
fn small(function: &Function, wanted: Wanted, slack: usize, platform: Option<Platform>) -> Vec<Tile> {
    let least = |found: &Found| found.ratio.div_ceil(slack).max(2);
    let count = |found: &Found| divisors(found.size).into_iter().find(|count| *count >= least(found));
    let suits = |found: &Found| count(found).is_some_and(|count| count <= SPARE * least(found));
    let all = regions(function, wanted, platform, &suits);
    all.iter().map(|found| tile(found, count(found).unwrap_or(found.size))).collect()
}

/// Returns whether a region may run in more tiles than it takes.
pub(crate) fn may_be_finer(found: &Found) -> bool {
    found.size / 2 >= WIDE
}

/// The same in up to [`FINE`] times as many tiles, as far as the dims divide: what is large in them becomes small beside what
/// stays whole.
fn finer(function: &Function, mut tiles: Vec<Tile>) -> Vec<Tile> {
    for tile in &mut tiles {
        let size = function.body.tensor(tile.value).shape[tile.dim];
        let is_wide = |count: &usize| *count <= FINE * tile.count && size / count >= WIDE;
        let most = divisors(size).into_iter().filter(is_wide).max();
        tile.count = most.unwrap_or(tile.count).max(tile.count);
    }
    tiles
}

fn tile(found: &Found, count: usize) -> Tile {
    let Region { value, dim, reads, makes } = found.region.clone();
    Tile { value, dim, count, reads, makes }
}

/// What is large in a region, as people call it: attention scores or activations.
fn in_words(function: &Function, roles: &Roles, value: ValueId) -> &'static str {
    let Some(ty) = function.body.ty(value).as_tensor() else { return "" };
    let is_of_tokens =
        |dim: &usize| ty.shape[*dim] > 1 && roles.sequence.contains(&roles.classes.of(value, *dim));
    match (0..ty.rank()).filter(is_of_tokens).count() {
        0 | 1 => "activations",
        _ => "attention scores",
    }
}

fn nothing_possible(function: &Function, platform: Option<Platform>) -> CompileError {
    let trains = !Roles::new(function).gradients.is_empty();
    let (dim, hint) = match trains {
        true => ("no dim but the batch", "leave `--tiles` out; `--microbatches` cuts the batch"),
        false => ("no dim", "leave `--tiles` out"),
    };
    let why = format!("{dim} along which its makers and readers are independent or add up in one pass");
    let Some(value) = foremost(function, &Analysis::on(function, platform)) else {
        return refused("nothing can run in tiles: nothing is made".to_owned(), hint.to_owned());
    };
    let body = &function.body;
    let span = match body.values[value].def {
        Def::Result(inst, _) => body.insts[inst].span,
        _ => Span::NONE,
    };
    let ty = body.ty(value);
    let message = format!(
        "nothing can run in tiles: of what is made, values as this one, {ty}, take most of the memory at the peak, and it \
         has {why}"
    );
    Diagnostic::error(TILES, span, message).hint(hint).into()
}

fn indivisible(function: &Function, all: &[Found], count: usize) -> CompileError {
    let roles = Roles::new(function);
    let mut dims: Vec<String> = Vec::new();
    for Found { region: Region { value, dim, .. }, size, .. } in all {
        let shape = function.body.tensor(*value).shape.iter().map(ToString::to_string);
        let shape = shape.collect::<Vec<_>>().join("x");
        let counts = divisors(*size).iter().skip(1).map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let own = format!("{} {shape} along dim {dim}: {counts}", in_words(function, &roles, *value));
        if !dims.contains(&own) {
            dims.push(own);
        }
    }
    let more = dims.len().saturating_sub(MOST_DIMS);
    dims.truncate(MOST_DIMS);
    dims.extend((more > 0).then(|| format!("{more} more")));
    let message = format!("no dim of what can run in tiles divides into {count}");
    refused(message, format!("numbers of tiles are, of {}", dims.join("; of ")))
}

fn refused(message: String, hint: String) -> CompileError {
    CompileError::Options(Box::new(Diagnostic::error(TILES, Span::NONE, message).hint(hint)))
}
