//! Alpa: an integer program shards each stage over its mesh, and a dynamic program cuts the stages.
//!
//! Sub-meshes are parts of a host of a power of two, or whole hosts, all of one size, each seen as a mesh of two axes. For each
//! number of them, the step is sharded over one by our solver on such meshes, and the stages with the least
//! `sum t_i + (M - 1) max t_i` are those whose longest is shortest, since with like sub-meshes the sum is that of all layers;
//! they run 1F1B. The number of microbatches is the caller's in the paper; where nobody says it, each is tried. All
//! layers run again or none does. In the paper stages may have sub-meshes of unlike sizes.

use meshwright_search::recompute::Named;

use super::Baseline;
use super::prices::Prices;
use crate::error::CompileError;
use crate::options::{Effort, Options};
use crate::pipeline::{Numbers, PipelineSpace, WeighedFate, pipeline_plan};
use crate::recompute::Recompute;
use meshwright_schedule::named;

pub(super) const BASELINE: Baseline = Baseline {
    name: "alpa",
    title: "Alpa",
    summary: "stages on like sub-meshes by its dynamic program, each sharded by an integer program on two axes",
    paper: "Zheng et al., Alpa: Automating Inter- and Intra-Operator Parallelism for Distributed Deep Learning, OSDI 2022",
    walk,
};

fn walk(prices: &mut Prices<'_>) -> Result<(), CompileError> {
    let host = prices.neighbors(1);
    let is_submesh = |groups: &usize| {
        let devices = prices.devices_of(*groups);
        if devices < host { devices.is_power_of_two() } else { devices.is_multiple_of(host) }
    };
    let space = PipelineSpace {
        groups: Numbers::These(prices.groups().into_iter().filter(is_submesh).collect()),
        virtual_stages: Numbers::These(vec![1]),
        microbatches: Numbers::These(prices.microbatches()),
        schedules: named("1f1b").into_iter().collect(),
        makes_tables: false,
        is_short: false,
    };
    let asked = prices.options.recompute.clone();
    let again = asked
        .map_or(vec![Named::None, Named::Full].into_iter().map(Recompute::Named).collect(), |asked| {
            vec![asked]
        });
    let of = |numbers: &Numbers| if let Numbers::These(all) = numbers { all.len() } else { 0 };
    let all = of(&space.groups) * of(&space.microbatches);
    let mut refusal = None;
    for recompute in again {
        let options = Options {
            effort: Effort::Look,
            recompute: Some(recompute),
            memory_limit: Some(prices.limit),
            ..prices.options.clone()
        };
        match pipeline_plan(prices.program, prices.machine, &options, &space, prices.control) {
            Ok(mut found) => {
                let weighed = found.iter().flat_map(|plan| &plan.weighed);
                let is_priced = |fate: &WeighedFate| !matches!(fate, WeighedFate::Left | WeighedFate::Passed);
                let priced = weighed.filter(|own| is_priced(&own.fate)).count();
                // Its bound is one of these sub-meshes alone.
                found.iter_mut().for_each(|plan| plan.weighed.clear());
                prices.take(found.as_ref(), priced, all);
            }
            // None fits; with more that runs again one may.
            Err(error @ CompileError::NotAllowed(_)) => {
                prices.take(None, all, all);
                refusal = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    match refusal {
        Some(refusal) if !prices.has_plan() => Err(refusal),
        _ => Ok(()),
    }
}
