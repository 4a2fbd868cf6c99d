//! A job beside what a target can run. Each rule of a target is one call; what does not hold is a [`Gap`], and where
//! there is something near that the target can run, the job becomes that.

use crate::job::{Degrees, Job, Kind, Recompute};
use crate::model::Model;
use crate::partial_zero::PartialZero;
use crate::targets::hybrid;
use meshwright_schedule::named;
use std::fmt;

/// A part of a job that a target cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What it is, and why the target cannot.
    pub what: String,
    /// What is nearest; none if there is nothing.
    pub instead: Option<String>,
    /// Whether degrees, microbatches, recomputation, a schedule's name or types of numbers say what is nearest, so that a
    /// price of these counts it.
    pub is_priced: bool,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.instead {
            Some(instead) => write!(f, "{}; nearest: {instead}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// Sequence parallelism of a target: tokens sharded between the products, over the devices of tensor parallelism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// Never.
    Never,
    /// Always.
    Always,
    /// Over all of them, since the model has experts.
    ForExperts,
    /// Over all of them or none, as the job says.
    AsAsked,
}

/// Stages of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// All of as many layers.
    Equal,
    /// Each of its own number of layers.
    AsAsked,
}

/// A job that is made to fit.
#[derive(Debug)]
pub struct Fit {
    /// The job, as near to what was planned as the target can run.
    pub job: Job,
    /// What is not as planned.
    pub gaps: Vec<Gap>,
}

impl Fit {
    /// A job that nothing was asked of yet, but that frameworks know no plans beyond degrees.
    pub fn new(job: Job) -> Self {
        let left_out = |what: &String| Gap {
            what: format!("the plan has {what}"),
            instead: Some("without it".into()),
            is_priced: true,
        };
        let gaps = job.beyond.iter().map(left_out).collect();
        Self { job, gaps }
    }

    /// Something that nothing is near to.
    pub fn cannot(&mut self, what: impl Into<String>) {
        self.gaps.push(Gap { what: what.into(), instead: None, is_priced: false });
    }

    /// Something that the job was changed for.
    pub fn changed(&mut self, what: impl Into<String>, instead: impl Into<String>) {
        self.gaps.push(Gap { what: what.into(), instead: Some(instead.into()), is_priced: true });
    }

    /// The same for what no price of the job counts.
    pub fn changed_beside(&mut self, what: impl Into<String>, instead: impl Into<String>) {
        self.gaps.push(Gap { what: what.into(), instead: Some(instead.into()), is_priced: false });
    }

    /// The sizes of a model of the form that most frameworks know, without which nothing can be written.
    pub fn sizes(&mut self) -> Option<Model> {
        let model = self.all_sizes()?;
        self.of_form(&model.plain).then_some(model)
    }

    /// The sizes of a model of which they say all.
    pub fn described_sizes(&mut self) -> Option<Model> {
        let model = self.all_sizes()?;
        self.of_form(&model.described).then_some(model)
    }

    /// The sizes of a model of which they say all with what few frameworks know.
    pub fn said_sizes(&mut self) -> Option<Model> {
        let model = self.all_sizes()?;
        self.of_form(&model.said).then_some(model)
    }

    /// The sizes of a model that may have more than they say.
    pub fn all_sizes(&mut self) -> Option<Model> {
        if let Some(model) = &self.job.model {
            return Some(model.clone());
        }
        match self.job.no_sizes.clone() {
            Some(none) => {
                self.of_form(&Err(none.reason));
            }
            None => self.cannot("the sizes of the model are needed: give its `--config config.json`"),
        }
        None
    }

    fn of_form(&mut self, form: &Result<(), String>) -> bool {
        if let Err(reason) = form {
            self.cannot(format!("the model has no sizes that can be written: {reason}"));
        }
        form.is_ok()
    }

    /// The stages of ZeRO that there are; the next one that shards more is nearest.
    pub fn zero(&mut self, stages: &[usize]) {
        let degrees = &mut self.job.degrees;
        let wanted = degrees.zero;
        if degrees.replicas() == 1 || stages.contains(&wanted) {
            return;
        }
        let more = stages.iter().copied().filter(|stage| *stage > wanted).min();
        let nearest = more.or(stages.iter().copied().max()).unwrap_or(0);
        degrees.zero = nearest;
        degrees.fsdp = match (nearest, degrees.dp) {
            (3, 1) => degrees.ep,
            (3, dp) => dp,
            _ => 1,
        };
        self.changed(format!("zero={wanted} is not among its stages"), format!("zero={nearest}"));
    }

    /// Takes ZeRO of a part of the state for that of all, as the first of `stages` that shards as much: the target pads
    /// shards, so that no size keeps it from sharding, and up to ZeRO-2 it sends no more for that. If there is none, the
    /// part is not sharded.
    pub fn pads_shards(&mut self, stages: &[usize]) {
        let Some(partial) = self.job.partial_zero.take() else { return };
        let degrees = &mut self.job.degrees;
        let of_all = stages.iter().copied().find(|stage| *stage >= partial.stage);
        if let Some(stage) = of_all.filter(|stage| degrees.zero < *stage && degrees.replicas() > 1) {
            degrees.zero = stage;
        }
        let here = match (self.job.degrees.zero, partial.stage) {
            (zero, stage) if zero < stage => "none are",
            (2.., 1) => "all are, and gradients too",
            _ => "all are",
        };
        let PartialZero { stage, percent } = partial;
        let what = partial.what();
        self.job.notes.push(format!(
            "The plan shards {percent} % of the {what} over the batch (ZeRO-{stage}); here {here}."
        ));
    }

    /// Refuses devices that do what others do: frameworks share the batch over all that share nothing else.
    pub fn shares_over_all(&mut self) {
        let replicated = self.job.replicated;
        if replicated > 1 {
            self.cannot(format!(
                "the plan shards nothing over {replicated} devices, which all do the same: it shares the batch over all \
                 devices that share nothing else"
            ));
        }
    }

    /// Leaves ZeRO of a part of the state out: the target has no such thing.
    pub fn partial_zero_is_left_out(&mut self) {
        if let Some(partial) = self.job.partial_zero.take() {
            let (stage, percent, what) = (partial.stage, partial.percent, partial.what());
            self.changed(format!("the plan has ZeRO-{stage} for {percent} % of the {what}"), "without it");
        }
    }

    /// Makes all again that a level has, where the plan makes a part of that again: no target has the plan's choice.
    pub fn partial_recompute_is_a_level(&mut self) {
        if let Some(words) = self.job.partial_recompute.take() {
            let level = self.job.recompute.name();
            self.changed(
                format!("the plan makes {words} again, which no level of recomputation is"),
                format!("`{level}`"),
            );
        }
    }

    /// Says what the target keeps where recomputation is selective, in its own words: a plan keeps products with weights.
    pub fn selective_keeps(&mut self, what: &str) {
        if self.job.recompute == Recompute::Selective {
            self.job.notes.push(format!(
                "Selective recomputation keeps {what} here; the plan's keeps products with weights: memory differs."
            ));
        }
    }

    /// Sequence parallelism as the target has it.
    pub fn sequence(&mut self, form: Sequence) {
        let degrees = &mut self.job.degrees;
        let (tp, sp) = (degrees.tp, degrees.sp);
        let nearest = match form {
            Sequence::Never => 1,
            Sequence::Always | Sequence::ForExperts => tp,
            Sequence::AsAsked if sp == 1 => 1,
            Sequence::AsAsked => tp,
        };
        if sp != nearest {
            degrees.sp = nearest;
            self.changed(
                format!(
                    "sp={sp} with tp={tp}: tokens are sharded over {}",
                    match form {
                        Sequence::Never => "none of these devices",
                        Sequence::Always => "all of these devices, always",
                        Sequence::ForExperts => "all of these devices in a model with experts",
                        Sequence::AsAsked => "all of these devices, or none",
                    }
                ),
                format!("sp={nearest}"),
            );
        }
    }

    /// A kind of parallelism that is not written for the target: its devices share the batch instead, where it has as many shards.
    pub fn without(&mut self, kind: Kind) {
        self.without_because(kind, "nothing of this kind is written for it");
    }

    /// The same for a reason of its own.
    pub fn without_because(&mut self, kind: Kind, reason: &str) {
        let degrees = &mut self.job.degrees;
        let size = match kind {
            Kind::Pipeline => degrees.pp,
            Kind::Data => degrees.dp,
            Kind::Expert => degrees.ep,
            Kind::Context => degrees.cp,
            Kind::Tensor => degrees.tp,
        };
        if size == 1 {
            return;
        }
        let what = format!("{}={size}: {reason}", kind.name());
        let is_batch = kind == Kind::Expert;
        let shards = degrees.replicas() * if is_batch { 1 } else { size };
        // Without stages nothing asks for many microbatches.
        let of_shard = self.job.global_batch / shards;
        let microbatches = match kind {
            Kind::Pipeline => (1..=self.job.microbatches).rev().find(|count| of_shard.is_multiple_of(*count)),
            _ => Some(self.job.microbatches),
        };
        let microbatches = microbatches
            .filter(|count| of_shard > 0 && self.job.global_batch.is_multiple_of(shards * count))
            .filter(|_| matches!(kind, Kind::Pipeline | Kind::Context | Kind::Expert));
        let Some(microbatches) = microbatches else { return self.cannot(what) };
        match kind {
            Kind::Pipeline => {
                (degrees.pp, degrees.vp) = (1, 1);
                (self.job.stages, self.job.microbatches) = (None, microbatches);
                (self.job.schedule, self.job.schedule_names) = (Vec::new(), Vec::new());
            }
            Kind::Context => degrees.cp = 1,
            _ => degrees.ep = 1,
        }
        degrees.dp *= size;
        if degrees.fsdp > 1 {
            // Shards may have been on the devices of experts before.
            degrees.fsdp = (degrees.fsdp * size).min(degrees.dp);
        }
        let instead = match kind {
            Kind::Pipeline => format!("dp={} in {microbatches} microbatches", degrees.dp),
            _ => format!("dp={}", degrees.dp),
        };
        for axis in self.job.axes.iter_mut().filter(|axis| axis.kind == kind) {
            axis.kind = Kind::Data;
        }
        self.changed(what, instead);
    }

    /// State that is sharded over devices of the batch is sharded over those that share tokens too.
    pub fn zero_over_context(&mut self) {
        let degrees = self.job.degrees;
        if degrees.cp > 1 && degrees.zero > 0 {
            self.changed_beside(
                format!(
                    "zero={} with cp={}: state is sharded over the devices of cp too, always",
                    degrees.zero, degrees.cp
                ),
                format!("state over {} devices", hybrid(&degrees)[1] * degrees.cp),
            );
        }
    }

    /// State of what is no expert is sharded over the devices that share experts too, as they share the batch; a plan shards
    /// it over the others alone, if nothing else is asked for. What that sends is another thing where parameters are gathered.
    pub fn zero_over_experts(&mut self) {
        let degrees = &mut self.job.degrees;
        let Degrees { dp, fsdp, ep, zero, .. } = *degrees;
        if ep == 1 || dp == 1 {
            return;
        }
        match zero {
            1 | 2 => {
                let devices = degrees.replicas();
                self.job.notes.push(format!(
                    "ZeRO-{zero} shards state of what is no expert over all {devices} devices of the batch here, a plan's over \
                     the {dp} that hold the same experts."
                ));
            }
            3 if fsdp >= dp && fsdp < dp * ep => {
                degrees.fsdp = dp * ep;
                self.changed(
                    format!(
                        "fsdp={fsdp} with ep={ep}: what is no expert is sharded over the devices of ep too, always"
                    ),
                    format!("fsdp={}", dp * ep),
                );
            }
            3 if fsdp < dp => {
                self.changed_beside(
                    format!(
                        "fsdp={fsdp} with ep={ep}: what is no expert is sharded over the devices of ep too, always"
                    ),
                    format!("what is no expert over {} devices", fsdp * ep),
                );
            }
            _ => {}
        }
    }

    /// Parameters are sharded over all devices of the batch, or over none.
    pub fn whole_fsdp(&mut self) {
        let degrees = &mut self.job.degrees;
        let (fsdp, dp) = (degrees.fsdp, degrees.dp);
        if degrees.zero == 3 && fsdp > 1 && fsdp < dp {
            degrees.fsdp = dp;
            self.changed(
                format!("fsdp={fsdp} with dp={dp}: it has no copies of shards"),
                format!("fsdp={dp}"),
            );
        }
    }

    /// The order in which ranks are laid, outermost first. Within a host any order is as good as another.
    pub fn ranks(&mut self, order: &[Kind]) {
        let first = self.job.first_axis_within_hosts();
        self.job.axes[first..].sort_by_key(|axis| order.iter().position(|kind| *kind == axis.kind));
        if self.job.nodes == 1 {
            return;
        }
        let found = self.job.order();
        let places: Option<Vec<usize>> =
            found.iter().map(|kind| order.iter().position(|other| other == kind)).collect();
        if places.is_some_and(|places| places.is_sorted_by(|a, b| a < b)) {
            return;
        }
        let list = |kinds: &[Kind]| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
        let own: Vec<Kind> = order.iter().copied().filter(|kind| found.contains(kind)).collect();
        let what = format!("ranks in the order {} (outermost first)", list(&found));
        self.job.axes.sort_by_key(|axis| order.iter().position(|kind| *kind == axis.kind));
        self.changed_beside(what, format!("the order {}", list(&own)));
    }

    /// Stages of a pipeline as the target cuts them: each of as many layers as are asked for, or all of equally many.
    pub fn stages(&mut self, form: Stages) {
        let (degrees, Some(model)) = (self.job.degrees, self.job.model.as_ref()) else { return };
        let (count, layers) = (degrees.pp * degrees.vp, model.layers);
        if count == 1 {
            return;
        }
        let equal = layers.is_multiple_of(count).then(|| vec![layers / count; count]);
        let what = match (&self.job.stages, form) {
            (Some(_), Stages::AsAsked) => return,
            (own, Stages::Equal) if *own == equal && own.is_some() => return,
            (Some(own), Stages::Equal) => {
                let own: Vec<String> = own.iter().map(usize::to_string).collect();
                format!("stages of {} layers", own.join(", "))
            }
            (None, _) => "stages that begin inside of layers".to_owned(),
        };
        match equal {
            Some(equal) => {
                self.job.stages = Some(equal);
                self.changed(what, format!("{} layers in each stage", layers / count));
            }
            None => self.cannot(format!("{what}: {layers} layers are not {count} equal stages")),
        }
    }

    /// Stages of a pipeline as the target cuts them by itself.
    pub fn own_stages(&mut self, own: Vec<usize>) {
        if own.len() == 1 {
            return;
        }
        let list = |stages: &[usize]| stages.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let planned = self.job.stages.replace(own.clone());
        // Before there is a plan, it has no schedule, and its stages are not known.
        if self.job.schedule.is_empty() || planned.as_ref() == Some(&own) {
            return;
        }
        let what = match planned {
            Some(planned) => format!("stages of {} layers", list(&planned)),
            None => "stages that begin inside of layers".to_owned(),
        };
        self.changed(
            format!("{what}: it cuts them by the work of layers and of the head"),
            format!("stages of {} layers", list(&own)),
        );
    }

    /// Schedules of pipelines that there are, by name, the most common first.
    pub fn schedule(&mut self, known: &[&'static str]) {
        let job = &self.job;
        if job.degrees.pp == 1 || job.schedule_names.iter().any(|name| known.contains(name)) {
            return;
        }
        let what = match job.schedule_names.first() {
            Some(name) => format!("the schedule {name}"),
            None => "a schedule that has no name".to_owned(),
        };
        let nearest = known.iter().filter_map(|name| named(name));
        let nearest = nearest.filter_map(|named| Some((named.name, job.rows_by(&named)?))).next();
        match nearest {
            Some((name, rows)) => {
                self.job.schedule = rows;
                self.job.schedule_names = vec![name];
                self.changed(what, name);
            }
            None => {
                let (degrees, microbatches) = (job.degrees, job.microbatches);
                self.cannot(format!(
                    "{what}: no schedule that it has is for pp={}, vp={} and {microbatches} microbatches",
                    degrees.pp, degrees.vp
                ));
            }
        }
    }

    /// Levels of recomputation that there are; the next more is nearest.
    pub fn recompute(&mut self, levels: &[Recompute]) {
        let wanted = self.job.recompute;
        if levels.contains(&wanted) {
            return;
        }
        let more = levels.iter().copied().filter(|level| *level > wanted).min();
        let nearest = more.or(levels.iter().copied().max()).unwrap_or(wanted);
        self.job.recompute = nearest;
        if self.job.partial_recompute.is_some() {
            return;
        }
        self.changed(format!("recomputation `{}`", wanted.name()), format!("`{}`", nearest.name()));
    }

    /// The optimizers that there are, the most common first.
    pub fn optimizer(&mut self, known: &[&str]) {
        let what = match self.job.optimizer.as_deref() {
            Some(name) if known.contains(&name) => return,
            Some(name) => format!("the optimizer {name}"),
            None => "the program has no optimizer: it is a loss, not a training step".to_owned(),
        };
        self.job.optimizer = Some(known[0].to_owned());
        self.changed_beside(what, format!("the optimizer {}", known[0]));
    }

    /// A number that something has to divide.
    pub fn divides(&mut self, what: &str, number: usize, by: usize) {
        if !number.is_multiple_of(by) {
            self.cannot(format!("{what}, {number}, has to be divisible by {by}"));
        }
    }
}
