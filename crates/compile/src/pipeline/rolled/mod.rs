//! Layers of a stage as loops over their stacks.
//!
//! Input: the programs of all stages and phases, in which layers stand one behind the other with arguments and results of their
//! own. Output: the same, where the programs of a stage have a loop over its layers, and what is of one layer of many is a part
//! of a stack, the same in all programs of the stage: its range of the step's arguments and results (`argument 3[4..8]`), its
//! accumulators, and what one phase keeps for another. A table that parts the gradients of inputs and of parameters has two
//! loops then, and what the second needs of the first is a stack.
//!
//! What it changes is local: shards are those that they were, and so are the instructions of a layer, their order, and what is
//! sent. A stage of which no program repeats itself, and what goes to other groups layer by layer, is left written out.

mod chains;

use meshwright_ir::attribute::Attributes;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Def, Function};
use meshwright_plan::{DevicePrograms, Event, Orders, PhaseProgram, ProgramId, Slot};
use meshwright_transform::rolled::{Given, Layer, Rolled, Taken};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

use super::looped::WhyWrittenOut;
use super::lower::MAIN;
use chains::{Chain, chains};

/// Layers of slots, as far as they are known.
type Ranks = BTreeMap<Slot, usize>;

/// Rounds in which layers of slots are followed from program to program.
const ROUNDS: usize = 3;

/// Programs of which some have loops over layers.
pub(super) struct WithLoops {
    pub(super) programs: DevicePrograms,
    /// How many layers the longest loop of each stage has, or why it has none.
    pub(super) stages: Vec<Result<usize, WhyWrittenOut>>,
    /// How many loops each program has, if it has some.
    pub(super) loops: BTreeMap<ProgramId, usize>,
}

/// Programs of stages with loops over layers, of which any may be taken.
pub(super) struct Candidates<'a> {
    programs: &'a DevicePrograms,
    /// Of each stage, in all its copies, or why it can have none.
    stages: Vec<Result<Vec<Written>, WhyWrittenOut>>,
}

impl<'a> Candidates<'a> {
    /// Those of these stages; `next` is the result that each argument of the step becomes in the next one.
    pub(super) fn of(
        programs: &'a DevicePrograms,
        next: &(dyn Fn(usize) -> Option<usize> + Sync),
        is_wanted: &(dyn Fn(usize) -> bool + Sync),
    ) -> Self {
        let count = programs.stages.len() / programs.copies.max(1);
        let names = &Names::of(programs);
        let of_stage = |stage: usize| {
            // Copies of a stage take the same of the step.
            let copies = (0..programs.copies.max(1)).map(|copy| Stage {
                programs,
                stage: stage + copy * count,
                names,
            });
            let found: Vec<(Stage<'_>, Layers)> =
                copies.map(|copy| Ok((copy, copy.layers(next)?))).collect::<Result<_, WhyWrittenOut>>()?;
            if !found.iter().any(|(_, layers)| layers.repeat) {
                return Err(WhyWrittenOut::NoneRepeats);
            }
            if !is_wanted(stage) {
                return Err(WhyWrittenOut::Unwanted);
            }
            let written = found.into_iter().map(|(copy, layers)| (copy, layers.chains(copy), layers.ranks));
            let written: Vec<Written> =
                written.map(|(copy, chains, ranks)| copy.written(chains, &ranks)).collect();
            // Loops that would read what lies in no stack are none.
            let has_loops = written.iter().any(|written| written.turns.values().any(|own| !own.is_empty()));
            if has_loops { Ok(written) } else { Err(WhyWrittenOut::NoneRepeats) }
        };
        Self { programs, stages: (0..count).into_par_iter().map(of_stage).collect() }
    }

    /// The programs with loops in these stages, as far as they can have some.
    pub(super) fn taken(&self, is_wanted: &dyn Fn(usize) -> bool) -> WithLoops {
        let mut made = WithLoops {
            programs: self.programs.clone(),
            stages: Vec::with_capacity(self.stages.len()),
            loops: BTreeMap::new(),
        };
        for (stage, candidate) in self.stages.iter().enumerate() {
            let outcome = match candidate {
                Err(why) => Err(*why),
                Ok(_) if !is_wanted(stage) => Err(WhyWrittenOut::Unwanted),
                Ok(written) => {
                    written.iter().for_each(|written| written.put_into(&mut made));
                    let turns = written.iter().flat_map(|written| written.turns.values().flatten());
                    Ok(turns.copied().max().unwrap_or(0))
                }
            };
            made.stages.push(outcome);
        }
        made
    }
}

/// The programs of a stage with loops.
struct Written {
    programs: Vec<(ProgramId, PhaseProgram)>,
    chains: Vec<Chain>,
    /// The turns of each loop of each program.
    turns: BTreeMap<ProgramId, Vec<usize>>,
}

impl Written {
    fn put_into(&self, made: &mut WithLoops) {
        let have_loops = self.turns.iter().filter(|(_, turns)| !turns.is_empty());
        made.loops.extend(have_loops.map(|(id, turns)| (*id, turns.len())));
        let made = &mut made.programs;
        made.programs.extend(self.programs.iter().cloned());
        for chain in &self.chains {
            for slot in &chain.slots {
                if let (Slot::Accumulator(name), Slot::Accumulator(stack)) = (slot, &chain.stack)
                    && let Some(reduction) = made.accumulators.remove(name)
                {
                    made.accumulators.insert(stack.clone(), reduction);
                }
            }
        }
    }
}

/// What is known of the layers of a stage.
struct Layers {
    /// Those of the step.
    ranges: Vec<Chain>,
    ranks: Ranks,
    /// Slots that turns of loops read together.
    tuples: Vec<Vec<Slot>>,
    /// Whether a program repeats itself.
    repeat: bool,
}

impl Layers {
    /// All chains of the stage.
    fn chains(&self, stage: Stage<'_>) -> Vec<Chain> {
        chains(stage, self.ranges.clone(), &self.tuples)
    }
}

/// The programs of a stage.
#[derive(Clone, Copy)]
struct Stage<'a> {
    programs: &'a DevicePrograms,
    stage: usize,
    names: &'a Names<'a>,
}

/// Who knows values by their names.
struct Names<'a> {
    /// The stages whose programs take or give each value.
    stages: BTreeMap<&'a str, BTreeSet<usize>>,
    /// Values that groups send one another.
    sent: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    fn of(programs: &'a DevicePrograms) -> Self {
        let mut stages: BTreeMap<&'a str, BTreeSet<usize>> = BTreeMap::new();
        for (id, program) in &programs.programs {
            for name in program.takes.iter().chain(&program.gives).filter_map(Slot::value) {
                stages.entry(name).or_default().insert(id.stage);
            }
        }
        let events = programs.schedule.rows.iter().flatten();
        let sent = events.filter_map(|event| match event {
            Event::Transfer(transfer) => Some(transfer.value.as_str()),
            Event::Action(_) => None,
        });
        Self { stages, sent: sent.collect() }
    }
}

impl<'a> Stage<'a> {
    /// Its programs, the last ones of a step first.
    fn own(self) -> impl Iterator<Item = (ProgramId, &'a PhaseProgram)> {
        let own = self.programs.programs.iter().rev().filter(move |(id, _)| id.stage == self.stage);
        own.map(|(id, program)| (*id, program))
    }

    /// Those of all copies of the stage.
    fn of_copies(self) -> impl Iterator<Item = (ProgramId, &'a PhaseProgram)> {
        let programs = self.programs.programs.iter().filter(move |(id, _)| self.is_copy(**id));
        programs.map(|(id, program)| (*id, program))
    }

    /// Whether a program is of the stage or of another copy of it.
    fn is_copy(self, id: ProgramId) -> bool {
        let count = self.programs.stages.len() / self.programs.copies.max(1);
        id.stage % count.max(1) == self.stage % count.max(1)
    }

    /// Its layers, or why it has none.
    fn layers(self, next: &dyn Fn(usize) -> Option<usize>) -> Result<Layers, WhyWrittenOut> {
        if self.own().any(|(_, program)| program.device.orders != Orders::default()) {
            return Err(WhyWrittenOut::OtherOrder);
        }
        let (ranges, mut ranks) = chains::ranges(self, next);
        if ranges.is_empty() {
            return Err(WhyWrittenOut::NoRange);
        }
        for _ in 0..ROUNDS {
            let before = ranks.len();
            for (_, program) in self.own() {
                let main = main_of(program);
                follow(program, &Rolled::of(main, &of_arguments(program, &ranks)), &mut ranks);
            }
            if ranks.len() == before {
                break;
            }
        }
        let (mut tuples, mut repeat) = (Vec::new(), false);
        for (_, program) in self.own() {
            let rolled = Rolled::of(main_of(program), &of_arguments(program, &ranks));
            repeat |= !rolled.turns().is_empty();
            tuples.extend(rolled.layers().filter_map(|values| {
                values.iter().map(|value| taken(program, *value)).collect::<Option<Vec<Slot>>>()
            }));
        }
        Ok(Layers { ranges, ranks, tuples, repeat })
    }

    /// Its programs with loops.
    fn written(self, chains: Vec<Chain>, ranks: &Ranks) -> Written {
        let mut turns = BTreeMap::new();
        let programs = self.own().map(|(id, program)| {
            let (made, own) = write(id, program, &chains, ranks);
            turns.insert(id, own);
            (id, made)
        });
        let programs = programs.collect();
        Written { programs, chains, turns }
    }

    /// Whether anything beside the programs of the stage knows a value of this name.
    fn is_known_elsewhere(self, name: &str) -> bool {
        let stages = self.names.stages.get(name);
        stages.is_some_and(|stages| stages.iter().any(|stage| *stage != self.stage))
            || self.names.sent.contains(name)
    }
}

fn main_of(program: &PhaseProgram) -> &Function {
    let mut functions = program.device.program.functions.iter();
    functions.find(|function| function.name == MAIN).expect("a program of a phase has one")
}

/// Layers of a program's arguments.
fn of_arguments(program: &PhaseProgram, ranks: &Ranks) -> Vec<Option<usize>> {
    program.takes.iter().map(|slot| ranks.get(slot).copied()).collect()
}

/// The slot of a value that is an argument.
fn taken(program: &PhaseProgram, value: ValueId) -> Option<Slot> {
    let main = main_of(program);
    match main.body.values[value].def {
        Def::Argument(region, index) if region == main.body.entry() => program.takes.get(index).cloned(),
        _ => None,
    }
}

/// Finds layers of slots by what turns of loops read together.
fn follow(program: &PhaseProgram, rolled: &Rolled<'_>, ranks: &mut Ranks) {
    for values in rolled.layers() {
        let slots: Option<Vec<Slot>> = values.iter().map(|value| taken(program, *value)).collect();
        let Some(slots) = slots.filter(|slots| slots.iter().all(|slot| !ranks.contains_key(slot))) else {
            continue;
        };
        ranks.extend(slots.into_iter().enumerate().map(|(rank, slot)| (slot, rank)));
    }
}

/// A program with stacks in the place of their layers, and loops; and the turns of each loop.
fn write(
    id: ProgramId,
    program: &PhaseProgram,
    chains: &[Chain],
    ranks: &Ranks,
) -> (PhaseProgram, Vec<usize>) {
    let program = complete(id, program, chains);
    let main = main_of(&program);
    let chain_of = |slot: &Slot| chains.iter().find(|chain| chain.slots.contains(slot));
    let stacked = |slot: &Slot| chain_of(slot).filter(|chain| chain.is_taken_by(id, &program.takes));
    let is_stacked: Vec<bool> = program.takes.iter().map(|slot| stacked(slot).is_some()).collect();
    let rolled = Rolled::of_stacks(main, &of_arguments(&program, ranks), &is_stacked);
    let position = |slots: &[Slot], slot: &Slot| slots.iter().position(|own| own == slot);
    let mut made = program.clone();
    let (mut arguments, mut results) = (Vec::new(), Vec::new());
    made.takes.clear();
    made.device.arguments.clear();
    for (index, (slot, held)) in program.takes.iter().zip(&program.device.arguments).enumerate() {
        match stacked(slot) {
            None => {
                arguments.push(Taken::One(index));
                made.takes.push(slot.clone());
                made.device.arguments.push(held.clone());
            }
            Some(chain) if !made.takes.contains(&chain.stack) => {
                let own =
                    chain.slots.iter().map(|slot| position(&program.takes, slot).expect("it is complete"));
                arguments.push(Taken::Stack { arguments: own.collect(), way: chain.way });
                made.takes.push(chain.stack.clone());
                made.device.arguments.push(chain.held(held));
            }
            Some(_) => {}
        }
    }
    made.gives.clear();
    made.device.results.clear();
    for (index, (slot, held)) in program.gives.iter().zip(&program.device.results).enumerate() {
        let chain = chain_of(slot);
        if chain.is_none_or(|chain| chain.kept.contains(slot)) {
            results.push(Given::One(index));
            made.gives.push(slot.clone());
            made.device.results.push(held.clone());
        }
        if let Some(chain) = chain.filter(|chain| !made.gives.contains(&chain.stack)) {
            let layer = |slot: &Slot| match position(&program.gives, slot) {
                Some(index) => Layer::Result(index),
                None => {
                    let taken = position(&program.takes, slot);
                    Layer::Argument(taken.expect("who makes a stack has all of it"))
                }
            };
            results.push(Given::Stack { layers: chain.slots.iter().map(layer).collect(), way: chain.way });
            made.gives.push(chain.stack.clone());
            made.device.results.push(chain.held(held));
        }
    }
    let written = rolled.written(&arguments, &results);
    for function in &mut made.device.program.functions {
        if function.name == MAIN {
            *function = written.clone();
        }
    }
    (made, rolled.turns())
}

/// The program with all layers of a stack of which it takes some.
fn complete(id: ProgramId, program: &PhaseProgram, chains: &[Chain]) -> PhaseProgram {
    let mut program = program.clone();
    for chain in chains {
        if !chain.is_taken_by(id, &program.takes) {
            continue;
        }
        let is_taken = |slot: &Slot| program.takes.contains(slot);
        let Some(at) = program.takes.iter().position(|slot| chain.slots.contains(slot)) else { continue };
        let missing: Vec<Slot> = chain.slots.iter().filter(|slot| !is_taken(slot)).cloned().collect();
        for slot in missing {
            let held = program.device.arguments[at].clone();
            let functions = &mut program.device.program.functions;
            let Some(main) = functions.iter_mut().find(|function| function.name == MAIN) else { continue };
            let ty = main.body.ty(main.args()[at]).clone();
            let entry = main.body.entry();
            main.body.add_arg(entry, ty, Span::NONE);
            if !main.body.regions[entry].arg_locations.is_empty() {
                main.body.regions[entry].arg_locations.push(None);
            }
            main.arg_attributes.push(Attributes::new());
            program.takes.push(slot);
            program.device.arguments.push(held);
        }
    }
    program
}
