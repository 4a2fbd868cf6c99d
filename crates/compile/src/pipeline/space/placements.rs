//! Placements of the field on made cost graphs: with their prices in place of ours, the stages that [`Chain`] is cut into are
//! those of brute force over all that each procedure chooses from, under its own objective.
//!
//! Devices come in groups of one size, since groups of a pipeline here do.

use meshwright_machine::{Bytes, Seconds};

use super::cuts::{Chain, Wants};
use super::segments::{Kept, Segment};
use crate::pipeline::figures::StageFigures;

/// Devices that a made graph is placed on, and sizes that their groups may have.
const DEVICES: usize = 8;
const SIZES: [usize; 4] = [1, 2, 4, 8];

/// Degrees of tensor parallelism.
const DEGREES: [usize; 3] = [1, 2, 4];

/// Graphs of each test.
const GRAPHS: usize = 100;

/// Times that are summed in another order differ by less.
const ROUNDING: f64 = 1e-9;

/// A row of random numbers.
struct Draws(u64);

impl Draws {
    /// A number from 1 to `most`.
    fn up_to(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % most + 1
    }
}

/// A layer of a made graph.
struct Layer {
    /// Seconds of a microbatch forward on one device; backward takes twice as long.
    forward: f64,
    /// Bytes of parameters with all that is updated with them.
    state: u64,
    /// Bytes that a microbatch leaves for the backward pass, and those that are left if the layer runs again.
    kept: u64,
    input: u64,
    /// Seconds that a microbatch waits on two devices of it, and on four.
    words: [f64; 2],
}

/// How each layer of a stage runs on a group.
#[derive(Clone, Copy)]
struct Ranks {
    /// Devices that share a layer.
    tp: usize,
    /// Replicas.
    dp: usize,
}

impl Layer {
    fn of(draws: &mut Draws) -> Self {
        let kept = draws.up_to(40);
        Self {
            forward: draws.up_to(20) as f64,
            state: draws.up_to(30),
            kept,
            input: kept.div_ceil(8),
            words: [draws.up_to(8) as f64 / 4.0, draws.up_to(8) as f64 / 2.0],
        }
    }

    /// On a group; a microbatch is one of all replicas, which sum up gradients for each.
    fn on(&self, Ranks { tp, dp }: Ranks) -> Segment {
        let words = if tp == 1 { 0.0 } else { self.words[tp / 2 - 1] };
        let sum = 2.0 * (dp - 1) as f64 / dp as f64 * self.state as f64 / 64.0;
        let forward = self.forward / (tp * dp) as f64 + words;
        let share = |bytes: u64| Bytes(bytes.div_ceil(tp as u64));
        let kept = share(self.kept.div_ceil(dp as u64));
        let input = Bytes(self.input.div_ceil(dp as u64)).min(kept);
        let figures = StageFigures {
            forward: Seconds(forward),
            state: share(self.state),
            kept,
            ..StageFigures::default()
        };
        let ways = vec![
            Kept { bytes: kept, seconds: Seconds::ZERO },
            Kept { bytes: input, seconds: Seconds(forward) },
        ];
        Segment { figures, backward: Seconds(2.0 * forward + sum), ways }
    }
}

/// A procedure's prices of a stage: of its layers, how it runs, and whether they run again; infinite if it does not fit.
type Price<'a> = &'a dyn Fn(&[Segment], bool, usize) -> f64;

/// Stages that end so, for each way to cut `all` layers in `count`.
fn all_ends(from: usize, all: usize, count: usize) -> Vec<Vec<usize>> {
    match count {
        1 => vec![vec![all]],
        _ => (from + 1..all)
            .flat_map(|to| {
                let rest = all_ends(to, all, count - 1).into_iter();
                rest.map(move |rest| [vec![to], rest].concat())
            })
            .collect(),
    }
}

/// The least of an objective of the stages' prices, over all cuts in so many stages and all that each may make again.
fn least(segments: &[Segment], count: usize, price: Price<'_>, objective: &dyn Fn(&[f64]) -> f64) -> f64 {
    let of_ends = |ends: Vec<usize>| {
        let starts = [0].into_iter().chain(ends.iter().copied());
        let best = |(stage, (from, to)): (usize, (usize, &usize))| {
            let own = &segments[from..*to];
            price(own, false, stage).min(price(own, true, stage))
        };
        let times: Vec<f64> = starts.zip(&ends).enumerate().map(best).collect();
        objective(&times)
    };
    all_ends(0, segments.len(), count).into_iter().map(of_ends).fold(f64::INFINITY, f64::min)
}

/// Seconds of a microbatch on a stage.
fn seconds(own: &[Segment], again: bool) -> f64 {
    own.iter()
        .map(|layer| {
            let more = layer.ways[usize::from(again)].seconds.0;
            layer.figures.forward.0 + layer.backward.0 + more
        })
        .sum()
}

/// Bytes of a stage that keeps so many microbatches: what runs again is there once more, layer by layer.
fn bytes(own: &[Segment], again: bool, in_flight: usize) -> u64 {
    let way = usize::from(again);
    let sum = |of: &dyn Fn(&Segment) -> u64| -> u64 { own.iter().map(of).sum() };
    let kept = sum(&|layer| layer.ways[way].bytes.0);
    let made = own.iter().map(|layer| layer.figures.kept.0 - layer.ways[way].bytes.0).max().unwrap_or(0);
    sum(&|layer| layer.figures.state.0) + kept.max(made) + kept * in_flight as u64
}

/// The longest stage of our cut.
fn ours(
    segments: &[Segment],
    count: usize,
    memory: u64,
    in_flight: &dyn Fn(usize) -> usize,
) -> Option<Vec<f64>> {
    let chain = Chain::of(segments.iter().collect());
    let wants = Wants {
        in_flight: (0..count).map(|stage| vec![(in_flight(stage), 0)]).collect(),
        is_apart: false,
        memory: Bytes(memory),
    };
    let stages = chain.stages(&wants)?;
    let ways = stages.ways.iter().map(|way| chain.ways()[*way] == 1);
    Some(
        stages
            .ranges()
            .into_iter()
            .zip(ways)
            .map(|((from, to), again)| seconds(&segments[from..to], again))
            .collect(),
    )
}

fn longest(times: &[f64]) -> f64 {
    times.iter().copied().fold(0.0, f64::max)
}

fn graph(draws: &mut Draws) -> Vec<Layer> {
    (0..4 + draws.up_to(4)).map(|_| Layer::of(draws)).collect()
}

fn on(layers: &[Layer], ranks: Ranks) -> Vec<Segment> {
    layers.iter().map(|layer| layer.on(ranks)).collect()
}

/// Alpa: like sub-meshes, and `sum t + (M - 1) max t`.
#[test]
fn stages_are_those_of_alpa() {
    let draws = &mut Draws(1);
    for _ in 0..GRAPHS {
        let layers = graph(draws);
        let microbatches = draws.up_to(16) as f64;
        let objective = |times: &[f64]| times.iter().sum::<f64>() + (microbatches - 1.0) * longest(times);
        for size in SIZES.into_iter().filter(|size| DEVICES / size <= layers.len()) {
            let segments = on(&layers, Ranks { tp: 1, dp: size });
            let (count, price) =
                (DEVICES / size, |own: &[Segment], again: bool, _: usize| seconds(own, again));
            let best = least(&segments, count, &price, &objective);
            let own = objective(&ours(&segments, count, u64::MAX, &|_| 1).unwrap());
            assert!(own <= best * (1.0 + ROUNDING), "{own} {best}");
        }
    }
}

/// PipeDream: a chain whose stages have replicas, and the longest stage, with the weights of all microbatches in flight
/// within the memory.
#[test]
fn stages_are_those_of_pipedream() {
    let draws = &mut Draws(2);
    let mut found = 0;
    for _ in 0..GRAPHS {
        let layers = graph(draws);
        let memory = 60 + draws.up_to(400);
        let (mut best, mut own) = (f64::INFINITY, f64::INFINITY);
        for size in SIZES.into_iter().filter(|size| DEVICES / size <= layers.len()) {
            let count = DEVICES / size;
            let segments = on(&layers, Ranks { tp: 1, dp: size });
            let in_flight = |stage: usize| count - stage;
            let price = |own: &[Segment], again: bool, stage: usize| {
                let fits = !again && bytes(own, again, in_flight(stage)) <= memory;
                if fits { seconds(own, again) } else { f64::INFINITY }
            };
            best = best.min(least(&segments, count, &price, &longest));
            own = own
                .min(ours(&segments, count, memory, &in_flight).map_or(f64::INFINITY, |own| longest(&own)));
        }
        assert!(own <= best * (1.0 + ROUNDING), "{own} {best}");
        found += usize::from(best.is_finite());
    }
    assert!(found > GRAPHS / 4, "{found}");
}

/// Piper: stages with replicas and degrees of tensor parallelism, each of which may make its activations again, and the time
/// per sample of the slowest within the memory. Its graph is cut in an order in which each layer reads only earlier ones.
#[test]
fn stages_are_those_of_piper() {
    let draws = &mut Draws(3);
    let (mut found, mut again) = (0, 0);
    for _ in 0..GRAPHS {
        let layers = graph(draws);
        let memory = 20 + draws.up_to(200);
        let (mut best, mut without, mut own) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for size in SIZES.into_iter().filter(|size| DEVICES / size <= layers.len()) {
            let count = DEVICES / size;
            for tp in DEGREES.into_iter().filter(|tp| size.is_multiple_of(*tp)) {
                let segments = on(&layers, Ranks { tp, dp: size / tp });
                let in_flight = |stage: usize| count - stage;
                let price = |own: &[Segment], again: bool, stage: usize| {
                    let fits = bytes(own, again, in_flight(stage)) <= memory;
                    if fits { seconds(own, again) } else { f64::INFINITY }
                };
                let keeping = |own: &[Segment], again: bool, stage: usize| match again {
                    true => f64::INFINITY,
                    false => price(own, again, stage),
                };
                best = best.min(least(&segments, count, &price, &longest));
                without = without.min(least(&segments, count, &keeping, &longest));
                let found = ours(&segments, count, memory, &in_flight);
                own = own.min(found.map_or(f64::INFINITY, |own| longest(&own)));
            }
        }
        assert!(own <= best * (1.0 + ROUNDING), "{own} {best}");
        found += usize::from(best.is_finite());
        again += usize::from(best < without);
    }
    assert!(found > GRAPHS / 4 && again > 0, "{found} {again}");
}
