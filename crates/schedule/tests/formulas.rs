//! Every schedule against what its authors say of it: bubbles by formula, in the formula's convention, and what groups
//! keep, at equal costs; tables of others, event for event; and the published example of the zero bubble paper.

use meshwright_plan::{Schedule, Table, Timeline};
use meshwright_schedule::{Named, Number, Refusal, SCHEDULES, Stages, named};
use meshwright_simulate::{Bubbles, Costs, least, simulate};

fn stages(groups: usize, virtual_stages: usize, microbatches: usize) -> Stages {
    Stages { groups, virtual_stages, microbatches, layers: None }
}

fn table(name: &str, stages: Stages) -> Schedule {
    named(name).unwrap().table(&stages).unwrap_or_else(|refusal| panic!("{name} {stages:?}: {refusal}"))
}

/// The timeline if each of the three phases of a whole group takes `costs`, and it keeps 1 of a microbatch.
fn timed(name: &str, stages: Stages, costs: [f64; 3], transfer: f64) -> Timeline {
    let schedule = table(name, stages);
    let table =
        Table::of(&schedule).unwrap_or_else(|faults| panic!("{name} {stages:?}: {}", faults[0].message));
    assert_eq!((table.num_stages, table.num_microbatches), (stages.count(), stages.microbatches));
    let share = stages.virtual_stages as f64;
    let mut costs = Costs::uniform(stages.count(), costs.map(|cost| cost / share), transfer);
    for stage in &mut costs.stages {
        (stage.kept, stage.kept_for_weights) = (1.0 / share, 1.0 / share);
    }
    let timeline = simulate(&table, &costs);
    let (least, makespan) = (least(&table, &costs, 0), timeline.makespan());
    assert!(
        least < makespan + 1e-9 && (transfer > 0.0 || least > makespan - 1e-9),
        "{name}: {least} {makespan}"
    );
    timeline
}

fn peak(timeline: &Timeline) -> f64 {
    (0..timeline.groups.len()).map(|group| timeline.peak(group)).fold(0.0, f64::max)
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found} instead of {expected}");
}

#[test]
fn bubbles_are_those_of_the_formulas() {
    for (groups, microbatches) in [(2, 4), (4, 8), (4, 12), (8, 16), (8, 24)] {
        let (p, m) = (groups as f64, microbatches as f64);
        let of_total = |name: &str, virtual_stages: usize| {
            Bubbles::of(&timed(name, stages(groups, virtual_stages, microbatches), [1.0; 3], 0.0)).of_total
        };
        for name in ["gpipe", "1f1b", "eager-1f1b", "terapipe"] {
            assert_near(of_total(name, 1), (p - 1.0) / (m + p - 1.0), name);
        }
        for (virtual_stages, v) in [(2, 2.0), (4, 4.0)] {
            for name in ["interleaved-1f1b", "looped-bfs"] {
                assert_near(of_total(name, virtual_stages), (p - 1.0) / (v * m + p - 1.0), name);
            }
            let name = "interleaved-zb";
            assert_near(of_total(name, virtual_stages), (p - 1.0) / (3.0 * v * m + p - 1.0), name);
        }
        assert_near(of_total("zb-h1", 1), (p - 1.0) / (3.0 * m + p - 1.0), "zb-h1");
    }
}

#[test]
fn zero_bubbles_are_zero_within_the_span() {
    for (groups, microbatches) in [(2, 4), (4, 7), (4, 9), (8, 15), (8, 25)] {
        let (p, m) = (groups as f64, microbatches as f64);
        let h2 = timed("zb-h2", stages(groups, 1, microbatches), [1.0; 3], 0.0);
        assert_near(Bubbles::of(&h2).of_span, 0.0, "zb-h2");
        assert_near(h2.makespan(), 3.0 * m + p - 1.0, "zb-h2");
        let v = timed("zb-v", stages(groups, 2, microbatches), [1.0; 3], 0.0);
        assert_near(Bubbles::of(&v).of_span, 0.0, "zb-v");
        assert_near(v.makespan(), 3.0 * m + (p - 1.0) / 2.0, "zb-v");
    }
}

#[test]
fn groups_keep_as_much_as_the_authors_say() {
    let at = |name: &str, groups: usize, virtual_stages: usize| {
        peak(&timed(name, stages(groups, virtual_stages, 3 * groups), [1.0; 3], 0.0))
    };
    for groups in [2, 3, 4, 5, 6, 7, 8] {
        let p = groups as f64;
        assert_near(at("gpipe", groups, 1), 3.0 * p, "gpipe");
        assert_near(at("looped-bfs", groups, 2), 3.0 * p, "looped-bfs");
        for name in ["1f1b", "zb-h1"] {
            assert_near(at(name, groups, 1), p, name);
        }
        for name in ["eager-1f1b", "zb-h2"] {
            assert_near(at(name, groups, 1), 2.0 * p - 1.0, name);
        }
        assert_near(at("interleaved-1f1b", groups, 2), p + (p - 1.0) / 2.0, "interleaved-1f1b");
        assert_near(at("zb-v", groups, 2), p, "zb-v");
        assert_near(at("v-half", groups, 2), ((groups + 2) / 2) as f64, "v-half");
        assert_near(at("v-min", groups, 2), ((groups + 4) / 3) as f64, "v-min");
        assert_near(at("dualpipe-v", groups, 2), (2.0 * p + 1.0) / 2.0, "dualpipe-v");
    }
    assert_near(at("interleaved-1f1b", 8, 2), 11.5, "interleaved-1f1b");
    for groups in [2, 4, 6, 8] {
        assert_near(at("dualpipe", groups, 1), groups as f64 + 1.0, "dualpipe");
        assert_near(at("chimera", groups, 1), groups as f64, "chimera");
    }
}

/// `V-Half` has about half of 1F1B's bubble, `V-Min` about two thirds of it.
#[test]
fn controllable_memory_has_about_the_bubble_that_is_said() {
    for groups in [4, 5, 6, 7, 8] {
        let one = (groups as f64 - 1.0) * 3.0;
        let bubble = |name: &str| {
            let microbatches = 3 * groups;
            let timeline = timed(name, stages(groups, 2, microbatches), [1.0; 3], 0.0);
            (timeline.makespan() - 3.0 * microbatches as f64) / one
        };
        assert!((bubble("v-half") - 0.5).abs() < 0.12, "{groups}: {}", bubble("v-half"));
        assert!((bubble("v-min") - 0.667).abs() < 0.07, "{groups}: {}", bubble("v-min"));
    }
}

#[test]
fn two_directions_have_the_bubble_of_their_formulas() {
    for groups in [2, 4, 6, 8] {
        let (p, microbatches) = (groups as f64, 4 * groups);
        let m = microbatches as f64;
        // The authors' (PP / 2 - 1) (F&B + B - 3 W), with F&B = 3 and B = 2, has both results of a pair at its end. Here
        // one runs after the other and hands on its result at once, so that it is half of that.
        let dualpipe = timed("dualpipe", stages(groups, 1, microbatches), [1.0; 3], 0.0);
        assert_near(dualpipe.makespan() - 3.0 * m, p / 2.0 - 1.0, "dualpipe");
        // The same, with groups that are half as many, with stages of half the cost.
        let folded = timed("dualpipe-v", stages(groups / 2, 2, microbatches), [1.0; 3], 0.0);
        assert_near(folded.makespan() - 3.0 * m, (p / 2.0 - 1.0) / 2.0, "dualpipe-v");
        // D - 2 slots where forward and backward passes are equally long.
        let chimera = timed("chimera", stages(groups, 1, microbatches), [1.0, 0.5, 0.5], 0.0);
        assert_near(Bubbles::of(&chimera).of_total, (p - 2.0) / (2.0 * m + p - 2.0), "chimera");
    }
}

/// The example of the zero bubble paper (6.2 billion parameters, 8 stages, 24 microbatches) in milliseconds.
#[test]
fn the_example_of_the_zero_bubble_paper() {
    let (costs, transfer) = ([29.718, 29.444, 19.927], 0.527);
    let at = |name: &str, virtual_stages: usize| {
        Bubbles::of(&timed(name, stages(8, virtual_stages, 24), costs, transfer)).of_span
    };
    for (name, expected) in [("1f1b", 0.2347), ("zb-h1", 0.1323), ("zb-h2", 0.0698)] {
        assert!((at(name, 1) - expected).abs() < 1e-3, "{name}: {}", at(name, 1));
    }
    // They leave out p transfers, which interleaving cannot hide.
    let timeline = timed("interleaved-1f1b", stages(8, 4, 24), costs, transfer);
    let (ideal, span) = (24.0 * costs.iter().sum::<f64>(), timeline.longest_span() - 8.0 * transfer);
    assert!(((span - ideal) / span - 0.0808).abs() < 1e-3, "interleaved-1f1b: {}", (span - ideal) / span);
}

fn all_ways_lead_to_a_table(schedule: Named, stages: Stages, refusal: &Refusal) {
    for way in &refusal.nearest {
        let mut other = stages;
        for (number, value) in way {
            match number {
                Number::Groups => other.groups = *value,
                Number::VirtualStages => other.virtual_stages = *value,
                Number::Microbatches => other.microbatches = *value,
            }
        }
        assert!(!way.is_empty() && schedule.table(&other).is_ok(), "{} {stages:?}: {refusal}", schedule.name);
    }
}

/// Layers stand in the way of other numbers than the rules of a schedule do.
#[test]
fn numbers_that_are_hinted_at_break_no_rule_of_few_layers() {
    for schedule in SCHEDULES {
        for (groups, virtual_stages, microbatches, layers) in
            (2..=5).flat_map(|groups| (1..=3).map(move |each| (groups, each))).flat_map(|(groups, each)| {
                [1, 4, 5]
                    .into_iter()
                    .flat_map(move |count| (2..=7).map(move |layers| (groups, each, count, layers)))
            })
        {
            let stages = Stages { layers: Some(layers), ..stages(groups, virtual_stages, microbatches) };
            if let Err(refusal) = schedule.table(&stages) {
                assert!(!refusal.nearest.is_empty(), "{} {stages:?}: {refusal}", schedule.name);
                all_ways_lead_to_a_table(schedule, stages, &refusal);
            }
        }
    }
}

#[test]
fn every_schedule_makes_a_table_or_says_why_not() {
    for schedule in SCHEDULES {
        for groups in 1..=6 {
            for virtual_stages in 1..=3 {
                for microbatches in 1..=13 {
                    let stages = stages(groups, virtual_stages, microbatches);
                    match schedule.table(&stages) {
                        Ok(table) => {
                            let table = Table::of(&table);
                            let table = table.unwrap_or_else(|faults| {
                                panic!("{} {stages:?}: {}", schedule.name, faults[0].message)
                            });
                            assert_eq!(table.num_microbatches, microbatches, "{} {stages:?}", schedule.name);
                        }
                        Err(refusal) => {
                            assert!(!refusal.nearest.is_empty(), "{refusal}");
                            all_ways_lead_to_a_table(schedule, stages, &refusal);
                        }
                    }
                }
            }
        }
    }
}
