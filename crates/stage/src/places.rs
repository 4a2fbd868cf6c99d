//! Places at which a step is cut: out of those where least crosses, the ones that make stages equally long.
//!
//! Input: a step, a number of stages and what each instruction costs. Output: positions of the forward order. A backward
//! instruction costs where it would go if the step were cut at all places; of all ways to make stages of the parts between
//! them, the one whose longest stage is shortest is taken, the earliest places first. Where there are too few such places, or
//! they make stages much longer than others would, all are open at which less crosses than around them.

use crate::{Class, Refusal, Step, assign, at, verify};
use meshwright_ir::ids::InstId;

/// Valleys are cut at if that makes the longest stage at most so much of what it is otherwise: more crosses there.
const WORTH_MORE: f64 = 0.8;

/// A segment that has a larger share of all instructions leaves stages nothing to choose.
const MOST: f64 = 0.8;

/// The places at which a step is cut into stages on devices of these speeds.
///
/// # Errors
/// [`Refusal::TooFewPlaces`].
pub fn balanced(
    step: &Step<'_>,
    speeds: &[f64],
    cost: &dyn Fn(InstId) -> f64,
) -> Result<Vec<usize>, Refusal> {
    let count = speeds.len();
    let [narrow, wide] = [&step.places, &step.valleys].map(|places| behind_something(places));
    if count == 0 || wide.len() + 1 < count {
        return Err(too_few(step, count, &wide));
    }
    if narrow.len() + 1 < count || narrow == wide {
        return Ok(cut(step, &wide, speeds, cost).0);
    }
    let [(places, longest), (valleys, shorter)] =
        [&narrow, &wide].map(|places| cut(step, places, speeds, cost));
    Ok(if shorter <= WORTH_MORE * longest { valleys } else { places })
}

/// The same of those places alone where about as little crosses as anywhere.
///
/// # Errors
/// [`Refusal::TooFewPlaces`].
pub fn where_least_crosses(
    step: &Step<'_>,
    speeds: &[f64],
    cost: &dyn Fn(InstId) -> f64,
) -> Result<Vec<usize>, Refusal> {
    let (places, count) = (behind_something(&step.places), speeds.len());
    match count == 0 || places.len() + 1 < count {
        true => Err(too_few(step, count, &places)),
        false => Ok(cut(step, &places, speeds, cost).0),
    }
}

/// Those of `places` that make the longest stage shortest, and what that costs.
fn cut(step: &Step<'_>, places: &[usize], speeds: &[f64], cost: &dyn Fn(InstId) -> f64) -> (Vec<usize>, f64) {
    let parts = costs(step, places, cost);
    let ends = shortest(&parts, speeds);
    let starts = [0].into_iter().chain(ends.iter().copied());
    let ranges = starts.zip(ends.iter().copied().chain([parts.len()]));
    let took = ranges.zip(speeds).map(|((start, end), speed)| parts[start..end].iter().sum::<f64>() / speed);
    let longest = took.fold(0.0, f64::max);
    (ends.into_iter().map(|end| places[end - 1]).collect(), longest)
}

/// Kind of the places between segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Those where about as little crosses as anywhere.
    Least,
    /// All at which less crosses than around.
    Valleys,
}

/// The places between segments, of which stages are put together: those that the step is said to have, or that suit it.
pub fn open(step: &Step<'_>) -> Vec<usize> {
    at_each(step, step.between.unwrap_or_else(|| between(step)))
}

/// Those where least crosses or, where one segment would have most of all instructions then, all at which less crosses than
/// around, if stages may end at each.
pub fn between(step: &Step<'_>) -> Between {
    let [narrow, wide] = [Between::Least, Between::Valleys].map(|between| at_each(step, between));
    let most = |places: &[usize]| costs(step, places, &|_| 1.0).into_iter().fold(0.0, f64::max);
    let all: f64 = costs(step, &[], &|_| 1.0).iter().sum();
    let longest = most(&narrow);
    if narrow == wide || longest <= MOST * all || most(&wide) > WORTH_MORE * longest {
        return Between::Least;
    }
    let is_sound = verify::verify(step, &at(step, wide)).is_ok();
    if is_sound { Between::Valleys } else { Between::Least }
}

/// All places of a kind.
fn at_each(step: &Step<'_>, between: Between) -> Vec<usize> {
    behind_something(match between {
        Between::Least => &step.places,
        Between::Valleys => &step.valleys,
    })
}

fn behind_something(places: &[usize]) -> Vec<usize> {
    places.iter().copied().filter(|place| *place > 0).collect()
}

/// Costs of each part between these places, forward and backward.
pub fn costs(step: &Step<'_>, places: &[usize], cost: &dyn Fn(InstId) -> f64) -> Vec<f64> {
    let stage = assign::assigned(step, places);
    let mut costs = vec![0.0; places.len() + 1];
    for (at, inst) in step.inside.iter().enumerate() {
        if let Some(stage) = stage[at] {
            costs[stage] += cost(*inst);
        }
    }
    costs
}

/// Numbers of `costs` that the first stage has, the first two together, and so on, so that the longest of the stages, each on
/// devices of its speed, is as short as possible and none is empty; the last one, which has all, left out. There are at most
/// as many stages as costs.
///
/// By dynamic programming over how many parts so many stages take: exact, in time `costs`³ `speeds` as sums are added up anew.
pub fn shortest(costs: &[f64], speeds: &[f64]) -> Vec<usize> {
    let (count, first) = (speeds.len(), speeds.first().copied().unwrap_or(1.0));
    let total = |from: usize, to: usize| costs[from..to].iter().sum::<f64>();
    // For each number of stages and of parts: the longest stage, and where its last stage begins.
    let mut best: Vec<Vec<(f64, usize)>> =
        vec![(0..=costs.len()).map(|end| (total(0, end) / first, 0)).collect()];
    for stages in 1..count {
        let longest = |end: usize| {
            let starts = stages..end;
            let took = |start: usize| total(start, end) / speeds[stages];
            let ways = starts.map(|start| (best[stages - 1][start].0.max(took(start)), start));
            ways.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or((f64::INFINITY, end))
        };
        let row = (0..=costs.len()).map(longest).collect();
        best.push(row);
    }
    let mut ends = Vec::new();
    let mut end = costs.len();
    for stages in (1..count).rev() {
        end = best[stages][end].1;
        ends.push(end);
    }
    ends.reverse();
    ends
}

fn too_few(step: &Step<'_>, count: usize, places: &[usize]) -> Refusal {
    let crossing = |place: &usize| step.crossing[*place];
    let least = places.iter().map(crossing).min().unwrap_or(0);
    let others = (1..step.crossing.len())
        .filter(|at| !places.contains(at) && step.crossing[*at] > least + least / 100);
    let next = others.min_by_key(|at| step.crossing[*at]);
    let next = next.and_then(|at| {
        let is_there = |inst: usize| step.class[inst] == Class::Forward(at);
        let inst = (0..step.inside.len()).find(|inst| is_there(*inst))?;
        Some((step.crossing[at], step.inside[inst]))
    });
    let behind = |place: &usize| {
        let before = (0..step.inside.len()).filter_map(|at| match step.class[at] {
            Class::Forward(own) if own < *place => Some((own, step.inside[at])),
            _ => None,
        });
        before.max().map(|(_, inst)| inst)
    };
    Refusal::TooFewPlaces { count, places: places.iter().filter_map(behind).collect(), least, next }
}
