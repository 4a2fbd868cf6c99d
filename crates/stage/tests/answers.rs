//! Stages of a small step: that the verifier tells right answers from wrong ones, and that places are the best there are.

use meshwright_analyze::batch::time_axis;
use meshwright_analyze::{Phases, Roles};
use meshwright_ir::diagnostic::Source;
use meshwright_plan::{Phase, Table};
use meshwright_stage::rows::Placed;
use meshwright_stage::verify::verify;
use meshwright_stage::{Part, Refusal, Rows, Staged, Step, at, pieces, places, stages};
use meshwright_transform::microbatch::{Microbatched, in_microbatches};
use meshwright_transform::time::TimeAxis;
use meshwright_transform::{Barriers, flatten, normal};

/// A step in microbatches, and what is known of it.
struct Cut {
    microbatched: Microbatched,
    axis: TimeAxis,
    roles: Roles,
    phases: Phases,
}

impl Cut {
    fn new() -> Self {
        Self::of(include_str!("../../../tests/suite/stages/two_layers.mlir"))
    }

    fn of(text: &str) -> Self {
        let program = meshwright_ir::text::read(&Source::new("step", text)).unwrap();
        let function = normal(&flatten(&program).unwrap().function, Barriers::Dropped).function;
        let roles = Roles::new(&function);
        let axis = time_axis(&function, &roles, 2).unwrap();
        let microbatched = in_microbatches(&function, &axis).unwrap();
        let phases = Phases::new(&function, &roles).unwrap();
        Self { microbatched, axis, roles, phases }
    }

    fn step(&self) -> Step<'_> {
        Step::new(&self.microbatched, &self.axis, &self.roles, &self.phases).unwrap()
    }
}

#[test]
fn wrong_answers_are_found() {
    let cut = Cut::new();
    let step = cut.step();
    let staged = stages(&step, &[1.0; 2], &|_| 1.0).unwrap();
    assert_eq!(verify(&step, &staged), Ok(()));
    let wrong = |change: &dyn Fn(&mut Staged)| {
        let mut other = staged.clone();
        change(&mut other);
        verify(&step, &other).is_err()
    };
    for at in 0..step.inside.len() {
        let Some(stage) = staged.stage[at] else {
            assert!(wrong(&|other| (other.stage[at], other.part[at]) = (Some(0), Some(Part::Forward))));
            continue;
        };
        assert!(wrong(&|other| other.stage[at] = None));
        assert!(wrong(&|other| other.stage[at] = Some(2)));
        // The gradient of a weight may be made elsewhere if what it is made from is there.
        let is_free_to_move = staged.part[at] == Some(Part::WeightGradient);
        let reads_nothing = step.reads(step.inside[at]).iter().all(|value| step.core(*value).is_none());
        if !is_free_to_move && !reads_nothing {
            let is_wrong = wrong(&|other| other.part[at] = Some(Part::WeightGradient));
            assert!(is_wrong, "{at} of stage {stage}");
        }
    }
    for inst in staged.update.sites.keys() {
        assert!(wrong(&|other| other.update.sites.retain(|own, _| own != inst)));
    }
}

#[test]
fn both_gradients_in_one_program_keep_nothing_for_each_other() {
    let cut = Cut::new();
    let step = cut.step();
    let staged = stages(&step, &[1.0; 2], &|_| 1.0).unwrap();
    let schedule = meshwright_plan::Schedule::from_text("0F0 0F1 0B0 0B1\n1F0 1B0 1F1 1B1").unwrap();
    let table = Table::of(&schedule).unwrap();
    let placed = Placed::of(&table).unwrap();
    let pieces = pieces::pieces(&step, &staged, placed.copies());
    let rows = Rows::new(&step, &staged, &pieces, &table, placed);
    let phases: Vec<Phase> = rows.pieces().iter().map(|(id, _)| id.phase).collect();
    assert!(!phases.contains(&Phase::WeightGradient) && phases.contains(&Phase::Backward));
    for (_, piece) in rows.pieces() {
        assert_eq!(piece.function.args().len(), piece.takes.len());
        assert_eq!(piece.function.returned().len(), piece.gives.len());
    }
    assert!(rows.schedule(&table).linear_order().is_ok());
}

#[test]
fn too_many_stages_are_refused_with_what_there_is() {
    let cut = Cut::new();
    let step = cut.step();
    let places = step.valleys.iter().filter(|place| **place > 0).count();
    match stages(&step, &vec![1.0; places + 2], &|_| 1.0) {
        Err(Refusal::TooFewPlaces { count, places: found, .. }) => {
            assert_eq!((count, found.len()), (places + 2, places));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn losses_of_one_head_are_in_the_stages_of_their_layers() {
    let cut = Cut::of(include_str!("../../../tests/suite/pipeline/early_exits.mlir"));
    let step = cut.step();
    let all: Vec<usize> = step.places.iter().copied().filter(|place| *place > 0).collect();
    for cuts in [&all[..], &all[..1], &all[1..3], &all[all.len() - 1..]] {
        let staged = at(&step, cuts.to_vec());
        assert_eq!(verify(&step, &staged), Ok(()), "{cuts:?}");
    }
    assert!(longest_of_mean(&step, 2) < 1.1);
}

#[test]
fn what_layers_make_of_one_value_is_in_their_stages() {
    let cut = Cut::of(include_str!("../../../tests/suite/pipeline/conditioned_layers.mlir"));
    let step = cut.step();
    for count in 2..5 {
        assert!(longest_of_mean(&step, count) < 1.2, "{count}");
    }
}

/// What the longest of so many stages has of the mean, if all instructions cost the same.
fn longest_of_mean(step: &Step<'_>, count: usize) -> f64 {
    let staged = stages(step, &vec![1.0; count], &|_| 1.0).unwrap();
    let costs = places::costs(step, &staged.cuts, &|_| 1.0);
    let mean = costs.iter().sum::<f64>() / count as f64;
    costs.into_iter().fold(0.0, f64::max) / mean
}

#[test]
fn a_step_that_goes_back_to_its_layers_is_refused_where_it_does() {
    let cut = Cut::of(include_str!("../../../tests/suite/pipeline/gradient_penalty.mlir"));
    let step = cut.step();
    match stages(&step, &[1.0; 2], &|_| 1.0) {
        Err(Refusal::Crossed { count: 2, reader: (reader, 0), made: (made, 1) }) => {
            let values = &step.body().insts[made].results;
            assert!(step.reads(reader).iter().any(|value| values.contains(value)));
        }
        other => panic!("{other:?}"),
    }
}

/// The longest stage, if stages end behind these parts.
fn longest(costs: &[f64], ends: &[usize], speeds: &[f64]) -> f64 {
    let starts = [0].into_iter().chain(ends.iter().copied());
    let ends = ends.iter().copied().chain([costs.len()]);
    let took = starts
        .zip(ends)
        .zip(speeds)
        .map(|((start, end), speed)| costs[start..end].iter().sum::<f64>() / speed);
    took.fold(0.0, f64::max)
}

/// The least longest stage of all ways to cut, on devices of these speeds.
fn least(costs: &[f64], speeds: &[f64]) -> f64 {
    let [first, others @ ..] = speeds else { return f64::INFINITY };
    if others.is_empty() {
        return costs.iter().sum::<f64>() / first;
    }
    let cuts = 1..=costs.len() - others.len();
    let of = |cut: usize| (costs[..cut].iter().sum::<f64>() / first).max(least(&costs[cut..], others));
    cuts.map(of).fold(f64::INFINITY, f64::min)
}

#[test]
fn places_make_the_longest_stage_as_short_as_can_be() {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / 1e6
    };
    for size in 1..9 {
        let costs: Vec<f64> = (0..size).map(|_| random()).collect();
        for count in 1..=size {
            let speeds: Vec<f64> = (0..count).map(|stage| [1.0, 0.5, 0.25][stage % 3]).collect();
            for speeds in [&vec![1.0; count], &speeds] {
                let ends = places::shortest(&costs, speeds);
                assert_eq!(ends.len(), count - 1);
                assert!(ends.windows(2).all(|pair| pair[0] < pair[1]));
                assert_eq!(longest(&costs, &ends, speeds), least(&costs, speeds), "{costs:?} on {speeds:?}");
            }
        }
    }
}
