//! Twins of pipelines find faults in the loops that stages have over their layers: faults are seeded in the programs of stages, at
//! the same places of the pipeline and of its twin, and each that breaks the one has to break the other.
//!
//! Faults are such as a wrong writing of loops makes: layers that are read or left at another place of a stack, stacks that are
//! taken for one another, a turn too few, and what a turn leaves that the next one does not read.

use meshwright_compile::{
    Options, PipelineOptions, Pipelined, ScheduleChoice, StageLayers, StageLoops, StepOptions,
    TWIN_TOLERANCE, Twin, from_config, pipeline, pipeline_twin,
};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::constant::Constant;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_machine::Machine;
use meshwright_models::Batch;
use meshwright_plan::{DevicePrograms, ProgramId};
use meshwright_schedule::named;
use meshwright_tensor::literal::Literal;
use std::collections::BTreeMap;

use crate::twin_faults::{Expected, USUAL};

/// Seeds a fault of a kind in a loop; false: there is no place for one.
type Seed = fn(&mut Body, InstId) -> bool;

const FAULTS: &[(&str, Seed)] = &[
    ("all turns read one layer", read_one),
    ("all turns leave one layer", leave_one),
    ("two stacks are taken for one another", exchange_stacks),
    ("a turn too few", fewer_turns),
    ("a turn does not read what the one before left", keep_first),
];

/// The instructions of a turn.
fn turn(body: &Body, id: InstId) -> (RegionId, Vec<InstId>) {
    let region = body.insts[id].regions[1];
    (region, body.regions[region].insts.clone())
}

/// Puts the first place of a stack in the place of that of each turn, for the first instruction of a turn that is one of those.
fn at_first(body: &mut Body, id: InstId, start: usize, is_one: fn(&Op) -> bool) -> bool {
    let (region, insts) = turn(body, id);
    let is_constant = |body: &Body, value: ValueId| match body.values[value].def {
        Def::Result(inst, _) => matches!(body.insts[inst].op, Op::Constant(_)),
        Def::Argument(..) => false,
    };
    let found = insts.iter().copied().find(|inst| {
        let inst = &body.insts[*inst];
        is_one(&inst.op) && !is_constant(body, inst.operands[start])
    });
    let Some(found) = found else { return false };
    let ty = body.tensor(body.insts[found].operands[start]).clone();
    let at = insts.iter().position(|inst| *inst == found).expect("it is one of them");
    let behind = body.regions[region].insts.split_off(at);
    let first = BodyBuilder::standing_for(body, found, region).splat(ty, 0.0);
    body.insts[found].operands[start] = first;
    body.regions[region].insts.extend(behind);
    true
}

fn read_one(body: &mut Body, id: InstId) -> bool {
    at_first(body, id, 1, |op| matches!(op, Op::DynamicSlice(_)))
}

fn leave_one(body: &mut Body, id: InstId) -> bool {
    at_first(body, id, 2, |op| matches!(op, Op::DynamicUpdateSlice(_)))
}

fn exchange_stacks(body: &mut Body, id: InstId) -> bool {
    let (_, insts) = turn(body, id);
    let reads: Vec<InstId> =
        insts.into_iter().filter(|inst| matches!(body.insts[*inst].op, Op::DynamicSlice(_))).collect();
    let stack = |body: &Body, inst: InstId| body.insts[inst].operands[0];
    for (at, one) in reads.iter().enumerate() {
        for other in &reads[at + 1..] {
            let (of_one, of_other) = (stack(body, *one), stack(body, *other));
            if of_one != of_other && body.ty(of_one) == body.ty(of_other) {
                body.insts[*one].operands[0] = of_other;
                body.insts[*other].operands[0] = of_one;
                return true;
            }
        }
    }
    false
}

fn fewer_turns(body: &mut Body, id: InstId) -> bool {
    let condition = body.insts[id].regions[0];
    for inst in body.regions[condition].insts.clone() {
        let Op::Constant(constant) = &body.insts[inst].op else { continue };
        let Some(bound) = constant.value.splat_f64() else { continue };
        let value = Literal::splat(constant.value.ty.clone(), bound - 1.0);
        body.insts[inst].op = Constant { value }.into();
        return true;
    }
    false
}

fn keep_first(body: &mut Body, id: InstId) -> bool {
    let (region, _) = turn(body, id);
    let args = body.regions[region].args.clone();
    let Some(last) = body.regions[region].insts.last().copied() else { return false };
    // What is written into a stack stays a stack.
    let is_written = |body: &Body, value: ValueId| match body.values[value].def {
        Def::Result(inst, _) => {
            matches!(body.insts[inst].op, Op::DynamicUpdateSlice(_))
        }
        Def::Argument(..) => false,
    };
    let is_carried = |(at, arg): (usize, &ValueId)| {
        let next = body.insts[last].operands[at];
        next != *arg && body.tensor(*arg).element.is_float() && !is_written(body, next)
    };
    let Some(at) = args.iter().enumerate().position(is_carried) else { return false };
    body.insts[last].operands[at] = args[at];
    true
}

/// A fault that a pipeline can have: the program, the number of its loop, and the kind.
type Fault = (ProgramId, usize, &'static str);

/// All pipelines with one fault each.
fn faulty(programs: &DevicePrograms) -> BTreeMap<Fault, DevicePrograms> {
    let mut found = BTreeMap::new();
    for (id, program) in &programs.programs {
        let main = program.device.program.main().expect("a program");
        let insts = main.body.regions[main.body.entry()].insts.iter().copied();
        let loops = insts.filter(|inst| matches!(main.body.insts[*inst].op, Op::While(_)));
        for (number, inst) in loops.enumerate() {
            for (kind, seed) in FAULTS {
                let mut body = main.body.clone();
                if seed(&mut body, inst) {
                    let mut other = programs.clone();
                    let device = &mut other.programs.get_mut(id).expect("it is one of them").device;
                    device.program = device.program.with_only(Function { body, ..main.clone() });
                    found.insert((*id, number, *kind), other);
                }
            }
        }
    }
    found
}

/// A tiny model of so many layers in two stages with loops, and its twin.
fn planned(layers: usize, schedule: &str) -> (Pipelined, Twin) {
    let path = format!("{}/../../tests/data/models/tiny/llama.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a file");
    let text = text.replace("\"num_hidden_layers\": 2", &format!("\"num_hidden_layers\": {layers}"));
    let mut step = StepOptions::of_batch(Batch::Sequences(4));
    step.model.sequence = Some(8);
    step.model.recipe = "f32".parse().expect("a recipe");
    let step = from_config(&Source::new(path, text), &step).expect("a step");
    let machine = Machine::from_spec("cpu8:2").expect("a machine");
    let options = Options { stage_loops: Some(StageLoops::Always), ..Options::default() };
    let schedule = ScheduleChoice::Named(named(schedule).expect("a schedule"));
    let wanted = PipelineOptions { groups: 2, virtual_stages: None, microbatches: 2, schedule };
    let made = pipeline(&step.program, &machine, &options, &wanted, &Quiet).expect("a pipeline");
    let twin = pipeline_twin(&made, &machine, &options, 16, &Quiet).expect("a twin");
    (made, twin)
}

/// Seeds faults in both, of which so many at least break the pipeline.
fn every_fault_is_found(layers: usize, schedule: &str, least: usize) {
    let (made, twin) = planned(layers, schedule);
    assert!(made.layers.iter().all(|own| matches!(own, StageLayers::Loop { .. })), "{:?}", made.layers);
    assert!(!twin.unproven.iter().any(|own| own.contains("loop")), "{:?}", twin.unproven);
    let expected = Expected::of(&made.program, USUAL);
    let of_twin = Expected::of(&twin.program, TWIN_TOLERANCE);
    assert!(expected.agrees_with(&made.programs) && of_twin.agrees_with(&twin.programs), "{schedule}");
    let in_twin = faulty(&twin.programs);
    let mut broken = 0;
    for (fault, programs) in faulty(&made.programs) {
        if expected.agrees_with(&programs) {
            continue;
        }
        broken += 1;
        let same = in_twin.get(&fault);
        let same = same.unwrap_or_else(|| panic!("{schedule}: the twin has no place for: {fault:?}"));
        assert!(!of_twin.agrees_with(same), "{schedule}: the twin does not find: {fault:?}");
    }
    assert!(broken >= least, "{schedule}: only {broken} faults break the pipeline");
}

#[test]
fn a_twin_finds_the_faults_of_loops_over_layers() {
    every_fault_is_found(10, "1f1b", 15);
}

#[test]
fn a_twin_finds_the_faults_of_loops_that_part_gradients() {
    every_fault_is_found(10, "zb-h1", 20);
}
