//! The simplest plan that is nearly as fast as the best: what a team can read, write down and keep.
//!
//! Input: what a search found, and by how much a simpler plan may be slower. Output: the plan to take. A plan is simpler
//! the fewer of its mesh axes do two things, then if it is a common style, then the fewer kinds of layouts its arguments
//! have, then the fewer axes it has; of two that are equally simple, the faster one is taken.

use meshwright_analyze::recognize;
use meshwright_analyze::recognize::{Use, Uses};
use meshwright_ir::program::Function;
use meshwright_machine::Seconds;
use meshwright_plan::Shardings;
use meshwright_search::{Other, Outcome, Request, ShardingPlanner};
use std::collections::BTreeSet;

use crate::report;

/// So many plans are looked at, the fastest.
const MOST: usize = 12;

/// How complicated a plan is; less is simpler.
type Complexity = (usize, bool, usize, usize);

/// A plan that is taken instead of the best.
pub(crate) struct Simplest {
    pub(crate) shardings: Shardings,
    /// Why, as a sentence.
    pub(crate) reason: String,
}

/// The simplest plan that takes at most `within` (a share) longer than the best; `None`: the best is.
pub(crate) fn simplest(planner: &ShardingPlanner<'_>, outcome: &Outcome, within: f64) -> Option<Simplest> {
    let Request { function, roles, .. } = *planner.request();
    let complexity = |shardings: &Shardings, is_style: bool| -> Complexity {
        let uses = recognize(function, roles, shardings).uses;
        let doubled = uses.iter().filter(|(_, uses)| does_two_things(uses)).count();
        let axes = shardings.mesh.axes().iter().filter(|axis| axis.size > 1).count();
        (doubled, !is_style, layouts(function, shardings), axes)
    };
    let own = complexity(&outcome.shardings, false);
    let mut best: Option<(Complexity, Other, Shardings)> = None;
    for other in outcome.others(1.0 + within).into_iter().take(MOST) {
        let shardings = other.shardings(planner);
        if shardings == outcome.shardings {
            continue;
        }
        let found = complexity(&shardings, other.style.is_some());
        if found < best.as_ref().map_or(own, |(least, ..)| *least) {
            best = Some((found, other, shardings));
        }
    }
    let (_, other, shardings) = best?;
    let what = other.style.clone().unwrap_or_else(|| format!("the plan of the mesh {}", shardings.mesh));
    let (own, taken) = (outcome.evaluation.seconds, other.evaluation.seconds);
    let reason = format!(
        "the simplest plan within {} % of the best was asked for: {what}, {taken}, {}",
        report::percent(within),
        slower(own, taken)
    );
    Some(Simplest { shardings, reason })
}

/// What the fastest common style costs beside the plan, as a sentence; `None`: none fits, or the plan is one.
pub(crate) fn nearest_style(outcome: &Outcome) -> Option<String> {
    let style = outcome.others(f64::INFINITY).into_iter().find(|other| other.style.is_some())?;
    let (own, seconds) = (outcome.evaluation.seconds, style.evaluation.seconds);
    let percent = (100.0 * (seconds.0 / own.0 - 1.0)).ceil();
    (seconds > own && percent.is_finite()).then(|| {
        format!(
            "the simplest plan near it: {}, {}; `--simplest-within {percent}%` considers it",
            style.style.unwrap_or_default(),
            slower(own, seconds)
        )
    })
}

fn slower(own: Seconds, other: Seconds) -> String {
    format!("{:.1} % slower", 100.0 * (other.0 / own.0 - 1.0))
}

/// Whether an axis does something besides what it mainly does; sequence parallelism comes with tensor parallelism.
fn does_two_things(uses: &Uses) -> bool {
    uses.besides.iter().any(|one| !matches!(one, Use::Sequence | Use::Sharded | Use::Embedding))
}

/// Kinds of layouts that arguments have: which axes shard which dims.
fn layouts(function: &Function, shardings: &Shardings) -> usize {
    let kinds: BTreeSet<Vec<Vec<_>>> = function
        .args()
        .iter()
        .map(|value| shardings.values[*value].dims.iter().map(|dim| dim.axes.clone()).collect())
        .collect();
    kinds.len()
}
