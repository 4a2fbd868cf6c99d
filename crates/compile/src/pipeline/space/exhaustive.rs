//! The joint answer beside everything that there is to choose from, on small random problems: numbers of groups, of their
//! stages and of microbatches, schedules, meshes of groups, places to cut, and what each stage makes again.
//!
//!     cargo test -p meshwright-compile --lib exhaustive                                 # a few
//!     PROBLEMS=0..200 cargo test -p meshwright-compile --lib exhaustive -- --nocapture  # these, a line for each
//!
//! A combination is left only where what it cannot do without already takes longer than the best: stages that make nothing
//! again, however much they keep.

// The range of problems comes from the person who runs the test.
#![allow(clippy::disallowed_methods, clippy::print_stderr)]

use meshwright_cost::reshard::Planner;
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::plan_file::MeshAxis;
use meshwright_plan::{Schedule, Table};
use meshwright_schedule::{SCHEDULES, Stages};
use meshwright_search::Constraints;
use meshwright_stage::rows::Placed;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use super::combinations::Combination;
use super::cuts::{self, Chain};
use super::lacking::Lacking;
use super::segments::{Apart, Group, Segments};
use super::short::Short;
use super::{Numbers, PipelinePlan, PipelineSpace, Search, Timed, pipeline_plan};
use crate::grad::{Trained, TrainingOptions, training_step};
use crate::options::{MeshChoice, Options};
use crate::pipeline::figures::PipelineFigures;
use crate::pipeline::simulated::simulated;
use crate::pipeline::transfers::Links;
use crate::pipeline::{PartsOf, SLICES, refused};

/// What a look may leave.
const NEAR: f64 = 0.02;

/// Times that are summed in another order differ by less.
const ROUNDING: f64 = 1e-9;

const MACHINES: [&str; 7] = ["cpu8:4", "cpu8:6", "h100:1x4", "h100:2x2", "h100:2x4", "h100:4x1", "a100:4x2"];

/// Shares of the memory that the best pipeline takes where there is enough; none for enough.
const LIMITS: [Option<f64>; 5] = [None, Some(1.2), Some(1.0), Some(0.9), Some(0.75)];

/// Shares of its memory in which the short step is sharded.
const SHARES: [f64; 3] = [1.0, 0.7, 0.5];

/// A row of random numbers.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % most
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A problem: a training step, a machine, and what it may take.
struct Problem {
    program: Program,
    machine: Machine,
    options: Options,
}

impl Problem {
    fn of(seed: u64) -> Self {
        let draws = &mut Draws(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        draws.below(2);
        let program = step(draws);
        let machine = Machine::from_spec(draws.of(&MACHINES)).unwrap();
        let recompute = draws.of(&[None, None, Some("none"), Some("full"), Some("search")]);
        let recompute = recompute.map(|words| words.parse().unwrap());
        let mut problem = Self { program, machine, options: Options { recompute, ..Options::default() } };
        if let Some(share) = draws.of(&LIMITS)
            && let Some(free) = problem.joint()
        {
            let most = free.figures.memory().into_iter().max().unwrap_or_default();
            problem.options.memory_limit = Some(Bytes((most.0 as f64 * share) as u64));
        }
        problem
    }

    fn space() -> PipelineSpace {
        PipelineSpace {
            groups: Numbers::Search,
            virtual_stages: Numbers::Search,
            microbatches: Numbers::Search,
            schedules: Vec::new(),
            makes_tables: false,
            is_short: false,
        }
    }

    fn joint(&self) -> Option<PipelinePlan> {
        pipeline_plan(&self.program, &self.machine, &self.options, &Self::space(), &Quiet).ok().flatten()
    }

    /// The least seconds of all that there is, and what takes them.
    fn least(&self) -> Option<(f64, String)> {
        let Self { program, machine, options } = self;
        let space = Self::space();
        let short = Arc::new(Short::of(program, PartsOf::Batch, options, machine).unwrap());
        let search = Search {
            program,
            machine,
            options,
            space: &space,
            short: &short,
            reshards: Planner::default(),
            control: &Quiet,
            best: None,
            to_beat: None,
            whole: Vec::new(),
            pathless: Vec::new(),
            lacking: Lacking::new(machine.device.usable_memory(), machine.num_devices()),
            closest: None,
            lacks: false,
            allowed: Constraints::default(),
        };
        let mut best = Best { seconds: f64::INFINITY, words: String::new() };
        for open in search.combinations().unwrap() {
            let part = refused::part(machine, open.groups).unwrap();
            let mut own = Best { seconds: f64::INFINITY, words: String::new() };
            let parts = open.cut.parts(&short).unwrap();
            for mesh in meshes(part.num_devices()) {
                let on_mesh = Options { mesh: mesh.map(MeshChoice::Axes), ..options.clone() };
                let group = Group {
                    program,
                    short: &short,
                    machine,
                    part: &part,
                    options: &on_mesh,
                    reshards: &search.reshards,
                };
                let Ok(searchable) = group.searchable(&parts, &Quiet) else { continue };
                let analysis = searchable.analysis();
                let searches = &searchable.searches(&analysis, &Quiet);
                let apart = Apart { parts: &parts, analyses: &parts.analyses(machine), searches };
                let mut known = Vec::new();
                for share in SHARES {
                    let memory = Bytes((search.memory_of_short(open.groups).0 as f64 * share) as u64);
                    let Ok(segments) = group.segments(apart, memory, None) else { break };
                    if known.contains(&segments.peak) {
                        continue;
                    }
                    known.push(segments.peak);
                    own.of_segments(&search, &open, &segments);
                    if options.memory_limit.is_none() {
                        break;
                    }
                }
            }
            let group =
                Group { program, short: &short, machine, part: &part, options, reshards: &search.reshards };
            let whole = group.whole(&open.cut, Seconds(f64::MAX), &Quiet);
            let bound = whole.map_or(0.0, |whole| open.bound_of(whole)).max(open.bound);
            assert!(
                bound <= own.seconds * (1.0 + ROUNDING),
                "{bound} is above {} of {}",
                own.seconds,
                own.words
            );
            if own.seconds < best.seconds {
                best = own;
            }
        }
        best.seconds.is_finite().then_some((best.seconds, best.words))
    }
}

/// A step of a chain of products of random sizes.
fn step(draws: &mut Draws) -> Program {
    let batch = draws.of(&[4, 6, 8, 16]);
    let tokens = draws.of(&[1, 16, 128]);
    let sizes: Vec<usize> = (0..3 + draws.below(4)).map(|_| draws.of(&[256, 1024, 4096, 8192])).collect();
    let ty = |size: usize| format!("tensor<{batch}x{tokens}x{size}xf32>");
    let mut args = vec![format!("%x: {}", ty(sizes[0]))];
    let mut body = String::from("  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n");
    let mut value = "%x".to_owned();
    for (at, pair) in sizes.windows(2).enumerate() {
        let weight = format!("tensor<{}x{}xf32>", pair[0], pair[1]);
        let (from, to) = (ty(pair[0]), ty(pair[1]));
        args.push(format!("%w{at}: {weight}"));
        let _ = writeln!(
            body,
            "  %p{at} = stablehlo.dot_general {value}, %w{at}, contracting_dims = [2] x [0] : ({from}, {weight}) -> {to}\n  \
             %t{at} = stablehlo.tanh %p{at} : {to}"
        );
        value = format!("%t{at}");
        if pair[0] == pair[1] && at > 0 && draws.below(2) == 0 {
            let _ = writeln!(body, "  %r{at} = stablehlo.add {value}, %t{} : {to}", at - 1);
            value = format!("%r{at}");
        }
    }
    let last = ty(sizes[sizes.len() - 1]);
    let text = format!(
        "func.func @main({}) -> tensor<f32> {{\n{body}  %s = stablehlo.multiply {value}, {value} : {last}\n  \
         %l = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : \
         ({last}, tensor<f32>) -> tensor<f32>\n  return %l : tensor<f32>\n}}\n",
        args.join(", ")
    );
    let loss = crate::read(&Source::new("random.mlir", text)).unwrap();
    let trained = (1..sizes.len()).map(|index| format!("arg{index}")).collect();
    let optimizer = TrainingOptions::of(draws.of(&["sgd", "adamw"]));
    training_step(&loss, &Trained::Named(trained), 0, &optimizer).unwrap()
}

/// Meshes of so many devices, with their axes in each order; one device has none.
fn meshes(devices: usize) -> Vec<Option<Vec<MeshAxis>>> {
    let mut all = vec![Vec::new()];
    let mut done = Vec::new();
    while let Some(sizes) = all.pop() {
        let left = devices / sizes.iter().product::<usize>();
        if left == 1 {
            done.push(sizes);
            continue;
        }
        for size in (2..=left).filter(|size| left.is_multiple_of(*size)) {
            all.push([sizes.as_slice(), &[size]].concat());
        }
    }
    let axis = |(at, size): (usize, &usize)| MeshAxis { name: ["x", "y", "z"][at].to_owned(), size: *size };
    let axes = |sizes: Vec<usize>| sizes.iter().enumerate().map(axis).collect();
    if devices == 1 { vec![None] } else { done.into_iter().map(|sizes| Some(axes(sizes))).collect() }
}

/// The best so far.
struct Best {
    seconds: f64,
    words: String,
}

impl Best {
    /// All schedules with these segments.
    fn of_segments(&mut self, search: &Search<'_>, open: &Combination, segments: &Segments) {
        let chain = Chain::new(segments, &search.short.like);
        let devices = open.layout.devices();
        let mut links = Links::new(search.machine, &devices);
        for named in SCHEDULES.into_iter().filter(|named| named.copies == 1 && named.name != SLICES) {
            // One group does one thing after the other.
            let most = match open.groups {
                1 => 1,
                groups if named.virtual_stages > 1 => chain.len() / groups,
                _ => 1,
            };
            for virtual_stages in 1..=most {
                let timed = search.timed(open, segments, &chain, virtual_stages);
                let Ok(schedule) = named.table(&timed.numbers) else { continue };
                let before = self.seconds;
                self.of_table(&timed, timed.segments.runs.table(schedule).unwrap(), &mut links);
                if self.seconds < before {
                    let Stages { groups, virtual_stages, microbatches, .. } = timed.numbers;
                    let name = named.name;
                    self.words = format!(
                        "{groups} x {virtual_stages}, {microbatches} microbatches, {name}, {}{}",
                        segments.mesh(),
                        self.words
                    );
                }
            }
        }
    }

    /// All stages of a table.
    fn of_table(&mut self, timed: &Timed<'_>, schedule: Schedule, links: &mut Links<'_>) {
        let table = Table::of(&schedule).unwrap();
        let placed = Placed::of(&table).unwrap();
        let is_apart = cuts::Wants::of(&table, timed.limit).is_apart;
        let mut on = OnTable { timed, schedule: &schedule, table: &table, placed: &placed, is_apart, links };
        let count = table.num_stages;
        let mut open = vec![Vec::new()];
        while let Some(ends) = open.pop() {
            let (from, left) = (ends.last().copied().unwrap_or(0), count - ends.len());
            match left {
                0 => self.of_cut(&mut on, &ends),
                1 => open.push([ends.as_slice(), &[timed.chain.len()]].concat()),
                _ => open.extend(
                    (from + 1..=timed.chain.len() + 1 - left).map(|to| [ends.as_slice(), &[to]].concat()),
                ),
            }
        }
    }

    /// All that the stages of a cut may make again.
    fn of_cut(&mut self, on: &mut OnTable<'_, '_>, ends: &[usize]) {
        let ways = on.timed.chain.ways().len();
        // The ways of the first stages are known.
        let mut open = vec![Vec::new()];
        while let Some(known) = open.pop() {
            let with = |rest: usize| {
                let own = known.iter().copied().chain((known.len()..ends.len()).map(|_| rest));
                cuts::Stages { ends: ends.to_vec(), ways: own.collect() }
            };
            let fastest = on.figures(&with(0));
            if fastest.step().0 >= self.seconds {
                continue;
            }
            if on.fits(&fastest) {
                self.seconds = fastest.step().0;
                self.words = format!(", stages up to {ends:?} in ways {:?}", with(0).ways);
                continue;
            }
            if known.len() < ends.len() && on.can_fit(&known, ends) {
                open.extend((0..ways).rev().map(|way| [known.as_slice(), &[way]].concat()));
            }
        }
    }
}

/// A table that stages are put into.
struct OnTable<'a, 'b> {
    timed: &'a Timed<'a>,
    schedule: &'a Schedule,
    table: &'a Table<'a>,
    placed: &'a Placed,
    is_apart: bool,
    links: &'a mut Links<'b>,
}

impl OnTable<'_, '_> {
    fn figures(&mut self, stages: &cuts::Stages) -> PipelineFigures {
        let Self { timed, schedule, table, placed, is_apart, .. } = *self;
        let own = timed.figures_of(stages, placed, is_apart);
        let costs = timed.costs(&own, stages, self.links);
        let timeline = simulated(table, schedule, &timed.segments.rounds, &costs);
        PipelineFigures { stages: own, timeline }
    }

    fn fits(&self, figures: &PipelineFigures) -> bool {
        figures.memory().iter().all(|needed| *needed <= self.timed.limit)
    }

    /// Whether all groups may have the memory if the first stages have these ways and each other one keeps as little as in
    /// any, and works in as little.
    fn can_fit(&mut self, known: &[usize], ends: &[usize]) -> bool {
        let Self { timed, schedule, table, placed, is_apart, .. } = *self;
        let with = |rest: usize| {
            let own = known.iter().copied().chain((known.len()..ends.len()).map(|_| rest));
            cuts::Stages { ends: ends.to_vec(), ways: own.collect() }
        };
        let figures = |rest: usize| timed.figures_of(&with(rest), placed, is_apart);
        let mut least = figures(0);
        for other in (1..timed.chain.ways().len()).map(figures) {
            for (own, other) in least.iter_mut().zip(other) {
                own.kept = own.kept.min(other.kept);
                own.working = own.working.min(other.working);
            }
        }
        let costs = timed.costs(&least, &with(0), self.links);
        let timeline = simulated(table, schedule, &timed.segments.rounds, &costs);
        self.fits(&PipelineFigures { stages: least, timeline })
    }
}

fn problems() -> Option<Range<u64>> {
    let chosen = std::env::var("PROBLEMS").ok()?;
    let (start, end) = chosen.split_once("..")?;
    Some(start.parse().ok()?..end.parse().ok()?)
}

#[test]
fn the_joint_answer_is_that_of_an_exhaustive_search() {
    let chosen = problems();
    let (mut equal, mut wrong) = (0, 0);
    for seed in chosen.clone().unwrap_or(5..8) {
        let problem = Problem::of(seed);
        let (joint, least) = (problem.joint(), problem.least());
        let step = joint.as_ref().map(|joint| joint.figures.step().0);
        let ratio = match (step, &least) {
            (Some(step), Some((least, _))) => step / least,
            // The search closes in on a limit in more steps.
            (_, None) => 1.0,
            (None, Some(_)) => f64::INFINITY,
        };
        let bound = joint.as_ref().map_or(0.0, |joint| joint.bound.0);
        let is_below = least.as_ref().is_none_or(|(least, _)| bound <= least * (1.0 + ROUNDING));
        equal += usize::from(ratio <= 1.0 + ROUNDING);
        let is_wrong = ratio > 1.0 + NEAR || !is_below;
        wrong += usize::from(is_wrong);
        if chosen.is_some() || is_wrong {
            let limit = problem.options.memory_limit;
            let found = joint.as_ref().map(|joint| {
                let ways = &joint.again;
                format!(
                    "{} x {}, {} microbatches, {}, {}, {:?} {ways:?}",
                    joint.groups,
                    joint.virtual_stages,
                    joint.microbatches,
                    joint.schedule_name(),
                    joint.mesh,
                    joint.segments
                )
            });
            eprintln!(
                "{seed} {} {limit:?} {:?}: {ratio:.4} of {}{}{}",
                problem.machine.spec(),
                problem.options.recompute,
                least.as_ref().map_or("nothing", |(_, words)| words),
                if is_below { "" } else { ", the bound is ABOVE" },
                if ratio > 1.0 + ROUNDING {
                    format!("; found: {found:?} bound {bound} step {step:?}")
                } else {
                    String::new()
                },
            );
        }
    }
    eprintln!("{equal} equal, {wrong} wrong");
    assert_eq!(wrong, 0, "{wrong} answers are not those of an exhaustive search");
}
