//! Constraints of a target on plans of a step, before there are any: what a search has to keep to, so that what it finds starts.
//!
//! Input: a target and a [`Step`]. Output: [`Constraints`]: clauses in the grammar of `--allow` and levels of recomputation, or
//! what stands in the way of every plan. They are asked of the target's own rules (`fit`), with jobs of one kind of
//! parallelism beside data parallelism; what is left of combinations is asked for each way by itself ([`gaps`]).

use crate::job::{Axis, Degrees, Job, Kind, Precision, Recompute};
use crate::model::{Model, NoSizes};
use crate::{Gap, Target, fitted};
use std::collections::{BTreeMap, BTreeSet};

/// A training step of which plans are wanted.
#[derive(Clone, Debug)]
pub struct Step {
    /// The machine.
    pub machine: String,
    /// Its devices.
    pub devices: usize,
    /// Sequences of a step.
    pub global_batch: usize,
    /// Tokens of a sequence.
    pub sequence: usize,
    /// The type of products.
    pub precision: Precision,
    /// The optimizer; none of a loss alone.
    pub optimizer: Option<String>,
    /// Sizes of the model, or why it has none.
    pub sizes: Result<Model, NoSizes>,
    /// What no target knows, such as products in 8-bit floats.
    pub beyond: Vec<String>,
}

/// A way to run it.
#[derive(Clone, Debug)]
pub struct Way {
    /// Degrees of parallelism, for all devices.
    pub degrees: Degrees,
    /// Microbatches of a step on each replica.
    pub microbatches: usize,
    /// What is made again, and where that is no level, what it is.
    pub recompute: (Recompute, Option<String>),
    /// The schedule of stages, if it has a name; else the usual one.
    pub schedule: Option<&'static str>,
}

/// Constraints of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    /// Clauses on single degrees, as `--allow` reads them: `tp in 1,2,4`, `pp=1`.
    pub clauses: Vec<String>,
    /// Levels of recomputation that it has.
    pub recompute: Vec<Recompute>,
}

impl Step {
    /// The job that a way is, on one host: in which order ranks lie, where stages begin, and what each group runs when, is known
    /// of plans alone.
    pub fn job(&self, way: &Way) -> Job {
        let Way { degrees, microbatches, recompute: (recompute, partial_recompute), schedule } = way.clone();
        let Degrees { dp, ep, cp, tp, pp, vp, fsdp, zero, .. } = degrees;
        let axis = |kind: Kind, size: usize| Axis { name: kind.name().to_owned(), size, kind };
        let copies =
            if zero == 3 && fsdp > 1 && fsdp < dp && dp.is_multiple_of(fsdp) { dp / fsdp } else { 1 };
        let axes = [
            axis(Kind::Pipeline, pp),
            axis(Kind::Data, copies),
            axis(Kind::Data, dp / copies),
            axis(Kind::Expert, ep),
            axis(Kind::Context, cp),
            axis(Kind::Tensor, tp),
        ];
        let (model, no_sizes) = match self.sizes.clone() {
            Ok(model) => (Some(model), None),
            Err(none) => (None, Some(none)),
        };
        let count = pp * vp;
        let layers = model.as_ref().map_or(count, |model| model.layers);
        let stages = (0..count).map(|stage| layers / count + usize::from(stage < layers % count));
        let mut job = Job {
            program: String::new(),
            machine: self.machine.clone(),
            nodes: 1,
            devices_per_node: self.devices,
            degrees,
            axes: axes.into_iter().filter(|axis| axis.size > 1).collect(),
            global_batch: self.global_batch,
            sequence: self.sequence,
            stages: (count > 1).then(|| stages.collect()),
            microbatches,
            schedule: Vec::new(),
            schedule_names: Vec::new(),
            recompute,
            partial_recompute,
            precision: self.precision,
            optimizer: self.optimizer.clone(),
            model,
            no_sizes,
            arguments: Vec::new(),
            partial_zero: None,
            replicated: 1,
            beyond: self.beyond.clone(),
            has_shardings: false,
            notes: Vec::new(),
        };
        if pp > 1 {
            // A table of many groups takes long to make, and says no more than its name.
            job.schedule_names = vec![schedule.unwrap_or_else(|| meshwright_schedule::usual(vp))];
        }
        job
    }
}

/// Gaps of a way: what a target cannot run of it, as far as that is known before there is a plan.
pub fn gaps(target: &Target, step: &Step, way: &Way) -> Vec<Gap> {
    fitted(step.job(way), target).gaps
}

/// The constraints of a target on plans of a step.
///
/// # Errors
/// It runs none: what stands in the way of all.
pub fn constraints(target: &Target, step: &Step) -> Result<Constraints, Vec<String>> {
    let ask = |way: Way| {
        let gaps = gaps(target, step, &way);
        (way, gaps)
    };
    let asked: Vec<(Way, Vec<Gap>)> = ways(step).into_iter().map(ask).collect();
    let runs: Vec<&Way> = asked.iter().filter(|(_, gaps)| gaps.is_empty()).map(|(way, _)| way).collect();
    if runs.is_empty() {
        return Err(of_all(&asked));
    }
    let of: [(&str, fn(&Degrees) -> usize); 5] = [
        ("tp", |degrees| degrees.tp),
        ("cp", |degrees| degrees.cp),
        ("ep", |degrees| degrees.ep),
        ("pp", |degrees| degrees.pp),
        ("zero", |degrees| degrees.zero),
    ];
    let clause = |(name, number): (&str, fn(&Degrees) -> usize)| {
        let all: BTreeSet<usize> = asked.iter().map(|(way, _)| number(&way.degrees)).collect();
        let own: BTreeSet<usize> = runs.iter().map(|way| number(&way.degrees)).collect();
        let numbers: Vec<String> = own.iter().map(usize::to_string).collect();
        match numbers.as_slice() {
            _ if own == all => None,
            [one] => Some(format!("{name}={one}")),
            several => Some(format!("{name} in {}", several.join(","))),
        }
    };
    let recompute: BTreeSet<Recompute> = runs.iter().map(|way| way.recompute.0).collect();
    Ok(Constraints {
        clauses: of.into_iter().filter_map(clause).collect(),
        recompute: recompute.into_iter().collect(),
    })
}

/// Layers of each stage, by the number of stages, where a target cuts a model into stages by itself; nothing of numbers for which it
/// runs stages of any layers.
pub fn stage_layers(target: &Target, step: &Step) -> BTreeMap<usize, Vec<usize>> {
    let layers = step.sizes.as_ref().map_or(0, |model| model.layers);
    let own = |count: usize| -> Option<(usize, Vec<usize>)> {
        let degrees = Degrees { pp: count, ..Degrees::default() };
        let way = Way { degrees, microbatches: count, recompute: (Recompute::None, None), schedule: None };
        let job = step.job(&way);
        let equal = job.stages.clone().filter(|equal| equal.iter().all(|own| *own > 0))?;
        // Which of two it is given, if it cuts by itself, is the same to it.
        let given = |more: usize, less: usize| {
            let mut given = equal.clone();
            (given[more], given[less]) = (given[more] + 1, given[less] - 1);
            fitted(Job { stages: Some(given), ..job.clone() }, target).job.stages
        };
        let (found, other) = (given(0, count - 1)?, given(count - 1, 0)?);
        (found == other && found.iter().sum::<usize>() == layers).then_some((count, found))
    };
    (2..=layers).filter_map(own).collect()
}

/// The reasons that stand in the way of all; where these differ, those of the way that has the fewest.
fn of_all(asked: &[(Way, Vec<Gap>)]) -> Vec<String> {
    let words = |gaps: &[Gap]| gaps.iter().map(|gap| gap.what.clone()).collect::<Vec<String>>();
    let least =
        asked.iter().min_by_key(|(_, gaps)| gaps.len()).map(|(_, gaps)| words(gaps)).unwrap_or_default();
    let is_of_all = |what: &String| asked.iter().all(|(_, gaps)| gaps.iter().any(|gap| gap.what == *what));
    let common: Vec<String> = least.iter().filter(|what| is_of_all(what)).cloned().collect();
    if common.is_empty() { least } else { common }
}

/// Ways of one kind of parallelism beside data parallelism, with each stage of ZeRO and each level of recomputation. Other
/// kinds may take what devices are left, so each number goes with all that may be left for data parallelism.
fn ways(step: &Step) -> Vec<Way> {
    let divisors = |of: usize| (1..=of).filter(move |number| of.is_multiple_of(*number));
    let devices = step.devices;
    let numbers: Vec<usize> = divisors(devices).skip(1).collect();
    let one = Degrees::default();
    let kinds: [fn(usize) -> Vec<Degrees>; 4] = [
        |tp| [1, tp].map(|sp| Degrees { tp, sp, ..Degrees::default() }).to_vec(),
        |cp| vec![Degrees { cp, ..Degrees::default() }],
        |ep| vec![Degrees { ep, ..Degrees::default() }],
        |pp| vec![Degrees { pp, ..Degrees::default() }],
    ];
    let layers = step.sizes.as_ref().map_or(1, |model| model.layers);
    let each = kinds.iter().flat_map(|of| numbers.iter().flat_map(|number| of(*number)));
    let each = each.filter(|degrees| degrees.pp <= layers);
    let of_data = |degrees: Degrees| {
        let left = devices / degrees.num_devices();
        divisors(left).filter(move |dp| degrees != one || *dp == left).map(move |dp| (degrees, dp))
    };
    let mut ways = Vec::new();
    for (degrees, dp) in [one].into_iter().chain(each).flat_map(of_data) {
        let replicas = dp * degrees.ep;
        let shards = [(0, 1), (1, 1), (2, 1), (3, replicas)];
        // Without other devices of the batch there is nothing to share state with.
        for (zero, fsdp) in shards.into_iter().filter(|(zero, _)| *zero == 0 || replicas > 1) {
            for level in Recompute::ALL {
                let degrees = Degrees { dp, zero, fsdp, ..degrees };
                let microbatches = degrees.pp;
                ways.push(Way { degrees, microbatches, recompute: (level, None), schedule: None });
            }
        }
    }
    ways
}
