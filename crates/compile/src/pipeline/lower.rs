//! Pieces of a step as programs of devices.

use meshwright_ir::control::Quiet;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Program;
use meshwright_plan::{
    DeviceGroup, DeviceProgram, DevicePrograms, Event, PhaseProgram, ProgramId, Schedule, Slot,
};
use meshwright_stage::{Delayed, Piece, Port, Rows, Staged, Step};
use meshwright_tensor::types::Type;
use rayon::prelude::*;
use std::collections::BTreeMap;

use super::cut::Cut;
use super::donation::donate;
use super::groups::Groups;
use super::handed::Handed;
use super::inner::Inner;
use crate::error::CompileError;
use crate::options::Options;
use crate::stages::{self, Stages};
use crate::transform::{Proof, lower};

/// The name of a piece's function.
pub(super) const MAIN: &str = "main";

/// The programs of all groups, whose devices are to be numbered ([`number`]).
pub(super) fn programs(
    cut: &Cut,
    (step, staged): (&Step<'_>, &Staged),
    rows: &Rows<'_>,
    (groups, handed): (&Groups, &Handed),
    schedule: Schedule,
    options: &Options,
) -> Result<DevicePrograms, CompileError> {
    let of_stages = rows.groups();
    let group = |group: usize| DeviceGroup {
        devices: groups.devices(group).to_vec(),
        mesh: groups.inner(group).mesh().clone(),
    };
    let all = (0..schedule.rows.len()).map(group).collect();
    // Copies of a stage are on groups that are sharded alike.
    let mut of_pieces: BTreeMap<ProgramId, (&Piece, &Inner)> = BTreeMap::new();
    for (id, piece) in rows.pieces() {
        of_pieces.entry(piece.id).or_insert_with(|| (piece, groups.inner(of_stages[id.stage])));
    }
    let of_pieces: Vec<_> = of_pieces.into_iter().collect();
    let devices: Vec<_> = of_pieces
        .par_iter()
        .map(|(id, (piece, inner))| Ok((*id, device(piece, (inner, handed), options)?)))
        .collect();
    let devices: BTreeMap<ProgramId, DeviceProgram> =
        devices.into_iter().collect::<Result<_, CompileError>>()?;
    let lowered = rows.pieces().into_iter().map(|(id, piece)| {
        let slots = |ports: &[Port]| ports.iter().map(|port| rows.slot(id, *port)).collect();
        let device = devices[&piece.id].clone();
        (id, PhaseProgram { device, takes: slots(&piece.takes), gives: slots(&piece.gives) })
    });
    let lowered: BTreeMap<ProgramId, PhaseProgram> = lowered.collect();
    let accumulators = rows.accumulators().into_iter();
    let given = &cut.given;
    let ty = |value: &ValueId| given.body.ty(*value).clone();
    let types = |values: &[ValueId]| values.iter().map(ty).collect::<Vec<Type>>();
    let earlier = staged.delayed.iter().flat_map(Delayed::earlier);
    let earlier: Vec<Type> = earlier.map(|(index, _)| ty(&given.args()[index])).collect();
    let mut programs = DevicePrograms {
        arguments: [types(given.args()), earlier.clone()].concat(),
        results: [types(given.returned()), earlier].concat(),
        groups: all,
        stages: of_stages,
        copies: rows.copies(),
        num_microbatches: num_microbatches(&schedule),
        accumulators: accumulators.map(|(name, index)| (name, step.points[index].reduction)).collect(),
        programs: lowered,
        schedule,
    };
    donate(&mut programs, cut);
    as_given(&mut programs, cut);
    must_verify(&programs);
    Ok(programs)
}

/// Panics if the programs do not go together, which is a defect.
pub(super) fn must_verify(programs: &DevicePrograms) {
    if let Err(problems) = programs.verify() {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("the pipeline's programs are broken: {}", problems.join("; "));
    }
}

/// Says of arguments and results what they are of those that are given.
fn as_given(programs: &mut DevicePrograms, cut: &Cut) {
    for program in programs.programs.values_mut() {
        for slot in program.takes.iter_mut().chain(&mut program.gives) {
            match slot {
                // Those of earlier steps stand behind all others.
                Slot::Argument(part) => *part = cut.parts.arguments.get(part.index).copied().unwrap_or(*part),
                Slot::Result(part) => *part = cut.parts.results.get(part.index).copied().unwrap_or(*part),
                _ => {}
            }
        }
    }
}

/// One more than the last microbatch that any event is of.
fn num_microbatches(schedule: &Schedule) -> usize {
    let actions = schedule.rows.iter().flatten().filter_map(|event| match event {
        Event::Action(action) => action.microbatch,
        Event::Transfer(_) => None,
    });
    actions.max().map_or(0, |last| last + 1)
}

/// The program of each device of a group.
fn device(
    piece: &Piece,
    (inner, handed): (&Inner, &Handed),
    options: &Options,
) -> Result<DeviceProgram, CompileError> {
    let shardings = inner.of_piece(piece, handed);
    let program = Program::default().with_only(piece.function.clone());
    let own = Options { stop_after: None, ..options.clone() };
    let stages = Stages::new(&stages::stages_of_partition(), &own, &Quiet)?;
    let (function, watch) = (&piece.function, &mut |_: &'static str, _: &DeviceProgram| {});
    lower(&program, function, &shardings, None, &own, &stages, &Quiet, watch, Proof::Always)
}

/// Gives all devices their numbers.
pub(super) fn number(programs: &mut DevicePrograms, options: &Options) {
    for program in programs.programs.values_mut() {
        meshwright_spmd::number_devices(&mut program.device, options.ids);
    }
}
