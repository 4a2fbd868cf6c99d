//! Layers as loops where these are worth it, at what they take.
//!
//! Input: the programs of a pipeline with layers one behind the other, and what they are predicted to take. Output:
//! [`Looped`]: the programs that run, what loops take beside that, and how layers stand in each stage. A loop reads layers from
//! stacks and writes them there, which takes time, and carries stacks, which takes memory: both are read off the local programs
//! with and without loops. Stages that loops make longer than by [`LONGER`], or too large, stay written out.

use meshwright_cost::{Analysis, peak_of_whole};
use meshwright_machine::{Bytes, Platform};
use meshwright_plan::figures::BlockPart;
use meshwright_plan::{DevicePrograms, Event, PhaseProgram, Placement, ProgramId};
use meshwright_spmd::{Account, Places};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use super::cut::Cut;
use super::figures::{self, Priced};
use super::lower::must_verify;
use super::plan;
use super::rolled::{Candidates, WithLoops};
use crate::error::CompileError;
use crate::mesh::placed;
use crate::options::{Options, StageLoops};
use crate::transform::proved;

/// The part of the seconds of a stage that loops may take more.
const LONGER: f64 = 0.005;

/// Form that layers which a step has in stacks take in the programs of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StageLayers {
    /// A loop over them.
    Loop {
        /// Layers of the longest of its loops.
        layers: usize,
        /// The part of the stage's seconds that loops take more than layers one behind the other.
        more: f64,
    },
    /// One behind the other.
    WrittenOut(WhyWrittenOut),
}

/// The reason why layers stand one behind the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WhyWrittenOut {
    /// No two of them lie next to one another in stacks that the stage alone reads and updates.
    NoRange,
    /// Devices hold values in another order.
    OtherOrder,
    /// No two of them do the same.
    NoneRepeats,
    /// Loops would take this part of the stage's seconds more.
    Longer(f64),
    /// Nobody wants loops.
    Unwanted,
    /// With loops a device would need so much, which there is not.
    TooLarge(Bytes),
}

impl fmt::Display for WhyWrittenOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRange => {
                f.write_str("no two layers lie next to one another in stacks that the stage alone reads")
            }
            Self::OtherOrder => f.write_str("devices hold values in another order than the mesh has them"),
            Self::NoneRepeats => f.write_str("no two layers do the same"),
            Self::Longer(part) => write!(f, "a loop would take {:.0} % longer", part * 100.0),
            Self::Unwanted => f.write_str("no loops are wanted"),
            Self::TooLarge(bytes) => write!(f, "with a loop a device would need {bytes}"),
        }
    }
}

/// What a program takes with loops beside what it takes without.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Beside {
    /// Seconds of a run.
    pub(super) seconds: f64,
    /// Bytes beside what it takes.
    pub(super) working: i64,
}

impl Beside {
    /// Bytes that a program needs beside what it takes, if it needs so many without loops.
    pub(super) fn working(self, without: u64) -> u64 {
        without.saturating_add_signed(self.working)
    }
}

/// The programs of a pipeline, with loops over layers where these are worth it.
pub(super) struct Looped {
    pub(super) programs: DevicePrograms,
    /// Bytes that a device of each group needs.
    pub(super) memory: Vec<Bytes>,
    /// For each piece that has loops what they take.
    pub(super) beside: BTreeMap<ProgramId, Beside>,
    /// How layers stand in each stage, if the step has them in stacks.
    pub(super) stages: Vec<StageLayers>,
    /// How many loops over layers each program has, if it has some.
    pub(super) loops: BTreeMap<ProgramId, usize>,
}

impl Priced<'_> {
    /// The programs with loops; `memory` is what groups need without, and `beyond` what each program needs beside what it takes.
    pub(super) fn looped(
        &self,
        written_out: DevicePrograms,
        (memory, beyond, limit): (Vec<Bytes>, &BTreeMap<ProgramId, u64>, Bytes),
        wanted: Option<StageLoops>,
    ) -> Looped {
        let parts = &self.cut.parts.arguments;
        if parts.iter().all(|part| part.layers.is_none()) {
            let (beside, loops) = (BTreeMap::new(), BTreeMap::new());
            return Looped { programs: written_out, memory, beside, stages: Vec::new(), loops };
        }
        let next = next(self.cut);
        let mut refused: BTreeMap<usize, WhyWrittenOut> = BTreeMap::new();
        if wanted == Some(StageLoops::Never) {
            refused = (0..self.staged.count).map(|stage| (stage, WhyWrittenOut::Unwanted)).collect();
        }
        let longer = if wanted == Some(StageLoops::Always) { f64::INFINITY } else { LONGER };
        let mut known: BTreeMap<ProgramId, Beside> = BTreeMap::new();
        let candidates = {
            let next = |index: usize| next.get(&index).copied();
            Candidates::of(&written_out, &next, &|stage| !refused.contains_key(&stage))
        };
        loop {
            let is_wanted = |stage: usize| !refused.contains_key(&stage);
            let WithLoops { programs, stages: outcomes, loops } = candidates.taken(&is_wanted);
            let has_loops = |id: &ProgramId| outcomes.get(id.stage).is_some_and(Result::is_ok);
            for (id, program) in programs.programs.iter().filter(|(id, _)| has_loops(id)) {
                known.entry(*id).or_insert_with(|| self.beside(*id, &written_out.programs[id], program));
            }
            let beside: BTreeMap<ProgramId, Beside> =
                known.iter().filter(|(id, _)| has_loops(id)).map(|(id, own)| (*id, *own)).collect();
            let of_program = |id: ProgramId| {
                let own = ProgramId { stage: id.stage % self.staged.count.max(1), ..id };
                beside.get(&own).copied().unwrap_or_default()
            };
            let with_loops =
                beyond.iter().map(|(id, bytes)| (*id, of_program(*id).working(*bytes))).collect();
            let own = figures::memory(&programs, &with_loops);
            let more: Vec<f64> =
                (0..self.staged.count).map(|stage| self.more(stage, &written_out, &beside)).collect();
            let have_loops: Vec<usize> =
                (0..self.staged.count).filter(|stage| outcomes[*stage].is_ok()).collect();
            let too_long = have_loops.iter().copied().filter(|stage| more[*stage] > longer);
            let too_long = too_long.map(|stage| (stage, WhyWrittenOut::Longer(more[stage])));
            let mut others: BTreeMap<usize, WhyWrittenOut> = too_long.collect();
            if others.is_empty() {
                let of_groups = own.iter().zip(&memory).enumerate();
                let is_larger =
                    |(_, (own, without)): &(usize, (&Bytes, &Bytes))| **own > limit.max(**without);
                let too_large = of_groups.filter(is_larger).map(|(group, (own, _))| (group, *own)).collect();
                let groups = |stage: usize| {
                    written_out.stages[stage..].iter().copied().step_by(self.staged.count.max(1)).collect()
                };
                let stages: Vec<(usize, Vec<usize>)> =
                    have_loops.iter().map(|stage| (*stage, groups(*stage))).collect();
                let working = |stage: usize| {
                    let programs = beside.iter().filter(|(id, _)| id.stage == stage);
                    programs.map(|(_, own)| own.working).max().unwrap_or(0)
                };
                let largest = largest_of_groups(&stages, &too_large, &working);
                let why = |(stage, bytes)| (stage, WhyWrittenOut::TooLarge(bytes));
                others = largest.into_iter().map(why).collect();
            }
            if !others.is_empty() {
                refused.extend(others);
                continue;
            }
            let stages = outcomes.iter().enumerate().map(|(stage, outcome)| match outcome {
                Ok(layers) => StageLayers::Loop { layers: *layers, more: more[stage] },
                // Why it is not wanted is known here.
                Err(WhyWrittenOut::Unwanted) => StageLayers::WrittenOut(refused[&stage]),
                Err(why) => StageLayers::WrittenOut(*why),
            });
            let stages = stages.collect();
            programs.programs.par_iter().for_each(|(_, program)| proved(&program.device));
            must_verify(&programs);
            return Looped { programs, memory: own, beside, stages, loops };
        }
    }

    /// What a program takes with loops beside what it takes without.
    fn beside(&self, id: ProgramId, without: &PhaseProgram, with: &PhaseProgram) -> Beside {
        let placement = placed(self.on.of(id.stage % self.staged.count.max(1)).1, &without.device.mesh);
        let platform = self.machine.device.platform;
        let ((one, before), (other, after)) =
            (taken(without, &placement, platform), taken(with, &placement, platform));
        Beside { seconds: other - one, working: after - before }
    }

    /// The part of a stage's seconds of a step that loops take more.
    fn more(&self, stage: usize, programs: &DevicePrograms, beside: &BTreeMap<ProgramId, Beside>) -> f64 {
        let mut runs: BTreeMap<ProgramId, usize> = BTreeMap::new();
        for event in programs.schedule.rows.iter().flatten() {
            if let Event::Action(action) = event {
                *runs.entry(action.program).or_default() += 1;
            }
        }
        let (mut without, mut more) = (0.0, 0.0);
        for piece in self.pieces.iter().filter(|piece| piece.id.stage == stage) {
            let runs = runs.get(&piece.id).copied().unwrap_or(0) as f64;
            without += self.seconds(piece).0 * runs;
            more += beside.get(&piece.id).map_or(0.0, |own| own.seconds) * runs;
        }
        if without > 0.0 { more / without } else { 0.0 }
    }
}

/// Parts of blocks with what loops take, which is of no block. Devices that need less with loops, since they write stacks over,
/// need less of what is of none, as far as there is some.
pub(super) fn with_loops(
    mut parts: Vec<BlockPart>,
    programs: &DevicePrograms,
    (beside, stages): (&BTreeMap<ProgramId, Beside>, usize),
    (before, after): (&[Bytes], &[Bytes]),
) -> Vec<BlockPart> {
    if parts.is_empty() || beside.is_empty() {
        return parts;
    }
    for (group, row) in programs.schedule.rows.iter().enumerate() {
        let actions = row.iter().filter_map(|event| match event {
            Event::Action(action) => Some(action.program),
            Event::Transfer(_) => None,
        });
        let own = actions.map(|id| ProgramId { stage: id.stage % stages.max(1), ..id });
        let seconds: f64 = own.filter_map(|id| beside.get(&id)).map(|own| own.seconds).sum();
        if seconds == 0.0 && before[group] == after[group] {
            continue;
        }
        let is_other = |part: &BlockPart| part.group == Some(group) && part.block.is_empty();
        let at = parts.iter().position(is_other).unwrap_or_else(|| {
            let behind = parts.iter().rposition(|part| part.group <= Some(group)).map_or(0, |last| last + 1);
            parts.insert(behind, BlockPart { group: Some(group), ..BlockPart::default() });
            behind
        });
        parts[at].work_seconds += seconds;
        parts[at].peak_bytes = (parts[at].peak_bytes + after[group].0).saturating_sub(before[group].0);
    }
    parts
}

/// What the options say of loops, or their plan.
///
/// # Errors
/// [`CompileError::Plan`]: a word that is none.
pub(super) fn wanted(options: &Options) -> Result<Option<StageLoops>, CompileError> {
    let planned = options.plan.as_ref().and_then(|plan| Some((plan, plan.stage_loops.as_ref()?)));
    match (options.stage_loops, planned) {
        (Some(own), _) => Ok(Some(own)),
        (None, None) => Ok(None),
        (None, Some((file, word))) => {
            word.parse().map(Some).map_err(|why| plan::refused(file, "stage_loops", why))
        }
    }
}

/// Of each group that is too large, and needs so much as `too_large` says, the stage whose loops take most beside. `stages` have
/// loops, each with its groups.
fn largest_of_groups(
    stages: &[(usize, Vec<usize>)],
    too_large: &BTreeMap<usize, Bytes>,
    beside: &dyn Fn(usize) -> i64,
) -> BTreeMap<usize, Bytes> {
    let mut largest = BTreeMap::new();
    for (group, bytes) in too_large {
        let own = stages.iter().filter(|(_, groups)| groups.contains(group)).map(|(stage, _)| *stage);
        if let Some(stage) = own.max_by_key(|stage| (beside(*stage), Reverse(*stage))) {
            let known = largest.entry(stage).or_insert(*bytes);
            *known = (*known).max(*bytes);
        }
    }
    largest
}

/// Seconds of a local program, and bytes beside its arguments.
fn taken(program: &PhaseProgram, placement: &Placement, platform: Option<Platform>) -> (f64, i64) {
    let seconds = Account::new(&program.device, placement, &Places::UNKNOWN).seconds().0;
    let Some(main) = program.device.program.main() else { return (seconds, 0) };
    let peak = peak_of_whole(&Analysis::on(main, platform)).0;
    let arguments: usize = main.args().iter().map(|arg| main.body.ty(*arg).num_bytes()).sum();
    (seconds, peak as i64 - arguments as i64)
}

/// The result of the step as it is given that each of its arguments becomes in the next one.
pub(super) fn next(cut: &Cut) -> BTreeMap<usize, usize> {
    let parts = &cut.parts;
    let next = |index: usize| Some((parts.arguments[index].index, parts.results[cut.next(index)?].index));
    (0..parts.arguments.len()).filter_map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_is_too_large_gives_up_the_loops_that_take_most() {
        // Two groups of two stages each, of which the last has no loops.
        let stages: Vec<(usize, Vec<usize>)> =
            [(0, 0), (1, 1), (2, 0)].map(|(stage, group)| (stage, vec![group])).into();
        let beside = |stage: usize| [10, 20, 30][stage];
        let largest = |too_large: &[(usize, u64)]| {
            let too_large = too_large.iter().map(|(group, bytes)| (*group, Bytes(*bytes))).collect();
            largest_of_groups(&stages, &too_large, &beside).into_iter().collect::<Vec<_>>()
        };
        assert_eq!(largest(&[]), []);
        assert_eq!(largest(&[(0, 7)]), [(2, Bytes(7))]);
        assert_eq!(largest(&[(0, 7), (1, 9)]), [(1, Bytes(9)), (2, Bytes(7))]);
        // A stage in two copies is on both groups.
        let copies = [(0, vec![0, 1])];
        let both = [(0, Bytes(7)), (1, Bytes(9))].into_iter().collect();
        assert_eq!(largest_of_groups(&copies, &both, &beside), [(0, Bytes(9))].into_iter().collect());
    }
}
