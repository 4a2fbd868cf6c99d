//! Pieces of a step as programs of devices.

use meshwright_ir::control::Quiet;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Program;
use meshwright_plan::{
    DeviceGroup, DeviceProgram, DevicePrograms, Event, Orders, PhaseProgram, ProgramId, Schedule,
};
use meshwright_stage::{Piece, Port, Rows, Step};
use std::collections::BTreeMap;

use super::cut::Cut;
use super::inner::Inner;
use crate::error::CompileError;
use crate::options::Options;
use crate::stages::{self, Stages};
use crate::transform::{lower, numbered};

/// The programs of all groups.
pub(super) fn programs(
    cut: &Cut,
    step: &Step<'_>,
    rows: &Rows<'_>,
    inner: &Inner,
    schedule: Schedule,
    options: &Options,
) -> Result<DevicePrograms, CompileError> {
    let mesh = inner.mesh();
    let size = mesh.num_devices();
    let groups = 0..schedule.rows.len();
    let groups = groups.map(|group| DeviceGroup {
        devices: (group * size..(group + 1) * size).collect(),
        mesh: mesh.clone(),
    });
    let groups = groups.collect();
    let mut lowered: BTreeMap<ProgramId, PhaseProgram> = BTreeMap::new();
    for (id, piece) in rows.pieces() {
        let twin = lowered.get(&piece.id).map(|twin| twin.device.clone());
        let device = match twin {
            Some(device) => device,
            None => device(piece, inner, options)?,
        };
        let slots = |ports: &[Port]| ports.iter().map(|port| rows.slot(id, *port)).collect();
        lowered.insert(id, PhaseProgram { device, takes: slots(&piece.takes), gives: slots(&piece.gives) });
    }
    let accumulators = rows.accumulators().into_iter();
    let function = &cut.microbatched.made.function;
    let types = |values: &[ValueId]| values.iter().map(|value| function.body.ty(*value).clone()).collect();
    let programs = DevicePrograms {
        arguments: types(function.args()),
        results: types(function.returned()),
        groups,
        stages: rows.groups(),
        copies: rows.copies(),
        num_microbatches: num_microbatches(&schedule),
        accumulators: accumulators.map(|(name, index)| (name, step.points[index].reduction)).collect(),
        programs: lowered,
        schedule,
    };
    if let Err(problems) = programs.verify() {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("the pipeline's programs are broken: {}", problems.join("; "));
    }
    Ok(programs)
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
fn device(piece: &Piece, inner: &Inner, options: &Options) -> Result<DeviceProgram, CompileError> {
    let shardings = inner.of_piece(piece);
    let program = Program::default().with_only(piece.function.clone());
    let own = Options { stop_after: None, ..options.clone() };
    let stages = Stages::new(&stages::stages_of_partition(), &own, &Quiet)?;
    let orders = Orders::default();
    let device = lower(&program, &piece.function, &shardings, None, &own, &stages, &Quiet, &mut |_, _| {})?;
    numbered(device, &piece.function, orders, &own, &stages, &Quiet)
}
