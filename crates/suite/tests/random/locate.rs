//! Random locations all over a program.
//!
//! Input: a program. Output: the same program, with where things come from. What is in the region of a reducer comes
//! from where the reducer does, as its short form says nothing else; nor do short forms say where the arguments of
//! inner regions come from.

use super::attributes::string;
use super::rng::Rng;
use meshwright_ir::ids::{InstId, RegionId};
use meshwright_ir::location::{Location, LocationRef};
use meshwright_ir::program::{Body, Program};

/// Gives everything in `program` a location, or none.
pub(crate) fn locate(program: &mut Program, seed: u64) {
    let rng = &mut Rng::new(seed ^ 0x10C);
    let mut known = vec![None];
    for _ in 0..8 {
        let location = location(rng, &known);
        known.push(Some(location.into()));
    }
    program.location = rng.pick(&known);
    for decl in &mut program.meshes {
        decl.location = rng.pick(&known);
    }
    for function in &mut program.functions {
        function.location = rng.pick(&known);
        let entry = function.body.entry();
        let num_args = function.args().len();
        function.body.regions[entry].arg_locations = (0..num_args).map(|_| rng.pick(&known)).collect();
        locate_region(rng, &known, &mut function.body, entry);
    }
}

fn locate_region(rng: &mut Rng, known: &[Option<LocationRef>], body: &mut Body, region: RegionId) {
    for inst in body.regions[region].insts.clone() {
        body.insts[inst].location = rng.pick(known);
        for inner in body.insts[inst].regions.clone() {
            if body.insts[inst].op.carries_values() {
                locate_region(rng, known, body, inner);
            } else {
                locate_all(body, inst, inner);
            }
        }
    }
}

fn locate_all(body: &mut Body, from: InstId, region: RegionId) {
    let location = body.insts[from].location.clone();
    body.regions[region].arg_locations = vec![location.clone(); body.regions[region].args.len()];
    for inst in body.regions[region].insts.clone() {
        body.insts[inst].location = location.clone();
        for inner in body.insts[inst].regions.clone() {
            locate_all(body, inst, inner);
        }
    }
}

fn location(rng: &mut Rng, known: &[Option<LocationRef>]) -> Location {
    let place = |rng: &mut Rng| (rng.below(100) as u32, rng.below(100) as u32);
    match rng.below(4) {
        0 => {
            let (start, end) = (place(rng), place(rng));
            let end = Some(end).filter(|end| rng.chance(30) && *end != start);
            Location::File { file: string(rng).into(), start, end }
        }
        1 => Location::Name { name: string(rng).into(), child: rng.pick(known) },
        2 => Location::CallSite { callee: rng.pick(known), caller: rng.pick(known) },
        _ => {
            let parts = (0..2 + rng.below(3)).map(|_| rng.pick(known)).collect();
            Location::Fused { metadata: None, parts }
        }
    }
}
