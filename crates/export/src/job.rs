//! A training job as frameworks speak of it: degrees, ranks, batches and sizes, read off a plan.
//!
//! Input: a [`PlanFile`], and perhaps the [`Model`] that its program was made of. Output: a [`Job`]. What a plan does that
//! no such words describe is listed in [`Job::beyond`], so that no target passes it over.

use crate::model::{Model, NoSizes};
use crate::partial_zero::PartialZero;
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::PlanTensor;
use meshwright_schedule::{Named, SCHEDULES, Stages};
use meshwright_tensor::names::stacked;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Degrees of parallelism. Those of `dp`, `cp`, `ep`, `tp` and `pp` multiply to the number of devices; `fsdp` and `ep` are
/// over devices of the batch, `sp` over those of `tp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degrees {
    /// Devices that share the batch and hold the same experts.
    pub dp: usize,
    /// Devices of these over which parameters are sharded; 1 if they are not.
    pub fsdp: usize,
    /// Devices that share weights.
    pub tp: usize,
    /// Devices of these that share tokens between the products.
    pub sp: usize,
    /// Devices that share tokens.
    pub cp: usize,
    /// Devices that share experts, and the batch elsewhere.
    pub ep: usize,
    /// Stages of a pipeline, as groups of devices.
    pub pp: usize,
    /// Stages of each group.
    pub vp: usize,
    /// ZeRO's stage.
    pub zero: usize,
}

impl Default for Degrees {
    fn default() -> Self {
        Self { dp: 1, fsdp: 1, tp: 1, sp: 1, cp: 1, ep: 1, pp: 1, vp: 1, zero: 0 }
    }
}

impl Degrees {
    /// All devices.
    pub fn num_devices(&self) -> usize {
        self.dp * self.cp * self.ep * self.tp * self.pp
    }

    /// Devices that share the batch: `ep` counts, as the batch is split there too.
    pub fn replicas(&self) -> usize {
        self.dp * self.ep
    }

    /// `dp` and the degrees that are more than 1, by their names, with the stage of ZeRO if there is one.
    pub fn said(&self) -> Vec<(&'static str, usize)> {
        let Self { dp, fsdp, tp, sp, cp, ep, pp, vp, zero } = *self;
        let others = [("fsdp", fsdp), ("tp", tp), ("sp", sp), ("cp", cp), ("ep", ep), ("pp", pp), ("vp", vp)];
        let others = others.into_iter().filter(|(_, degree)| *degree > 1);
        [("dp", dp)].into_iter().chain(others).chain((zero > 0).then_some(("zero", zero))).collect()
    }
}

impl fmt::Display for Degrees {
    /// As `--as` reads them, without degrees of 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said: Vec<String> =
            self.said().into_iter().map(|(name, degree)| format!("{name}={degree}")).collect();
        f.write_str(&said.join(","))
    }
}

/// Kinds of mesh axes, by what devices along them share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Stages.
    Pipeline,
    /// The batch.
    Data,
    /// Experts, and the batch elsewhere.
    Expert,
    /// Tokens.
    Context,
    /// Weights.
    Tensor,
}

impl Kind {
    /// As degrees are called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pipeline => "pp",
            Self::Data => "dp",
            Self::Expert => "ep",
            Self::Context => "cp",
            Self::Tensor => "tp",
        }
    }
}

/// An axis of the mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// Devices along it.
    pub size: usize,
    /// What they share.
    pub kind: Kind,
}

/// Levels of recomputation: what is made again for the backward pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recompute {
    /// Nothing.
    None,
    /// All but products with weights.
    Selective,
    /// All but what layers leave to one another.
    Full,
}

impl Recompute {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::None, Self::Selective, Self::Full];

    /// As `--recompute` reads it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Selective => "selective",
            Self::Full => "full",
        }
    }

    /// The level that a plan says, or else the least that makes all of it again, beside what the plan says in its place.
    pub fn of_words(said: &str) -> (Self, Option<String>) {
        if let Some(level) = Self::ALL.into_iter().find(|level| level.name() == said) {
            return (level, None);
        }
        let has_products = said.split(", ").any(|part| part.ends_with("products with weights"));
        (if has_products { Self::Full } else { Self::Selective }, Some(said.to_owned()))
    }
}

/// The type that products are computed in; parameters and what the optimizer keeps are f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// f32, or TF32 where the device has it.
    F32,
    /// bf16.
    Bf16,
}

/// A training job.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Fingerprint of the program that was planned.
    pub program: String,
    /// The machine.
    pub machine: String,
    /// Hosts.
    pub nodes: usize,
    /// Devices of a host.
    pub devices_per_node: usize,
    /// Degrees of parallelism.
    pub degrees: Degrees,
    /// The mesh, major first: the order of ranks.
    pub axes: Vec<Axis>,
    /// Sequences of a step.
    pub global_batch: usize,
    /// Tokens of a sequence.
    pub sequence: usize,
    /// Layers of each stage, in the order of the forward pass; none where stages begin inside of layers, or sizes are not known.
    pub stages: Option<Vec<usize>>,
    /// Microbatches of a step on each replica.
    pub microbatches: usize,
    /// What each group of devices of a pipeline runs, in order, in PyTorch's notation.
    pub schedule: Vec<String>,
    /// Names of schedules that run just this.
    pub schedule_names: Vec<&'static str>,
    /// What is made again; of a plan that makes another part again, the least level that has all of it.
    pub recompute: Recompute,
    /// What the plan makes again where that is no level: in kinds, of all stages together.
    pub partial_recompute: Option<String>,
    /// The type of products.
    pub precision: Precision,
    /// The optimizer, as `grad --optimizer` calls it; none where the program has no training step.
    pub optimizer: Option<String>,
    /// Sizes of the model; none if no configuration was given.
    pub model: Option<Model>,
    /// Why a configuration that was given has no such sizes.
    pub no_sizes: Option<NoSizes>,
    /// The program's arguments.
    pub arguments: Vec<PlanTensor>,
    /// A stage of ZeRO beyond that of the degrees that holds for a part of the state.
    pub partial_zero: Option<PartialZero>,
    /// Devices of which each does what another one does.
    pub replicated: usize,
    /// What the plan does beyond all this.
    pub beyond: Vec<String>,
    /// Whether what is written has the plan's shardings themselves, whatever their degrees are.
    pub has_shardings: bool,
    /// What the job does a little otherwise than the plan, whichever target runs it: its files say it, and nothing is refused
    /// for it.
    pub notes: Vec<String>,
}

impl Job {
    /// The job of a plan.
    ///
    /// # Errors
    /// A plan without data of a batch of sequences; sizes and degrees that are none.
    pub fn read(plan: &PlanFile, model: Option<Result<Model, NoSizes>>) -> Result<Self, String> {
        let Some([global_batch, sequence]) = batch(plan) else {
            return Err("no data of the plan's program is a batch of sequences, `[batch, tokens]`".to_owned());
        };
        counts(plan)?;
        for (what, name) in [("machine", &plan.machine), ("program", &plan.program)] {
            // Both stand in the first lines of files, which scripts and modules take for comments.
            if name.contains(|c: char| c.is_control() || matches!(c, '"' | '\\')) {
                return Err(format!(
                    "`{what}` of the plan is no name of one: it has a control character, a quote or a backslash"
                ));
            }
        }
        let (model, no_sizes) = match model {
            Some(Ok(model)) => (Some(model), None),
            Some(Err(reason)) => (None, Some(reason)),
            None => (None, None),
        };
        let (recompute, partial_recompute) = recompute(plan);
        let mut job = Self {
            program: plan.program.clone(),
            machine: plan.machine.clone(),
            nodes: 1,
            devices_per_node: 1,
            degrees: degrees(plan),
            axes: axes(plan),
            global_batch,
            sequence,
            stages: None,
            microbatches: plan.microbatches.as_ref().map_or(1, |microbatches| microbatches.count),
            schedule: plan.schedule.clone(),
            schedule_names: Vec::new(),
            recompute,
            partial_recompute,
            precision: precision(plan),
            optimizer: optimizer(plan),
            model,
            no_sizes,
            arguments: plan.arguments.clone(),
            partial_zero: None,
            replicated: replicated(plan),
            beyond: Vec::new(),
            has_shardings: false,
            notes: Vec::new(),
        };
        job.partial_zero = PartialZero::of(plan, &job.axes);
        job.stages = job.model.as_ref().and_then(|model| stages(plan, model.layers));
        [job.nodes, job.devices_per_node] = hosts(&plan.machine, job.num_devices());
        job.beyond = beyond(plan, &job);
        job.notes = notes(plan, &job);
        let is_run = |named: &Named| job.rows_by(named).is_some_and(|rows| rows == job.schedule);
        job.schedule_names = SCHEDULES.iter().filter(|named| is_run(named)).map(|named| named.name).collect();
        Ok(job)
    }

    /// The rows of a schedule for the job's stages and microbatches, if it has any for them.
    pub fn rows_by(&self, named: &Named) -> Option<Vec<String>> {
        let Degrees { pp, vp, .. } = self.degrees;
        let stages = Stages { groups: pp, virtual_stages: vp, microbatches: self.microbatches, layers: None };
        let table = named.table(&stages).ok()?;
        Some(table.to_string().lines().map(str::to_owned).collect())
    }

    /// All devices.
    pub fn num_devices(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product()
    }

    /// The first of the last axes that lie within hosts: their devices, together, are at most those of a host.
    pub fn first_axis_within_hosts(&self) -> usize {
        let mut devices = 1;
        let is_within = |axis: &&Axis| {
            devices *= axis.size;
            devices <= self.devices_per_node
        };
        self.axes.len() - self.axes.iter().rev().take_while(is_within).count()
    }

    /// The classes of a layer in `transformers`, if a configuration was given.
    pub fn layer_class(&self) -> Option<&'static str> {
        let of_model = self.model.as_ref().map(|model| model.layer_class);
        of_model.or(self.no_sizes.as_ref().map(|none| none.layer_class))
    }

    /// Sequences of a microbatch on a replica.
    pub fn microbatch_size(&self) -> usize {
        (self.global_batch / (self.degrees.replicas() * self.microbatches)).max(1)
    }

    /// Kinds of the axes with more than one device, major first, each once.
    pub fn order(&self) -> Vec<Kind> {
        let mut order: Vec<Kind> =
            self.axes.iter().filter(|axis| axis.size > 1).map(|axis| axis.kind).collect();
        order.dedup();
        order
    }
}

/// Refuses sizes of 0, and more devices than can be counted.
fn counts(plan: &PlanFile) -> Result<(), String> {
    let meshwright_plan::Degrees { dp, fsdp, tp, sp, cp, ep, zero } = plan.degrees;
    let sizes: Vec<usize> = plan.mesh.iter().map(|axis| axis.size).collect();
    let microbatches = plan.microbatches.as_ref().map_or(1, |microbatches| microbatches.count);
    let is_counted = |sizes: &[usize]| {
        let product = sizes.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
        product.is_some_and(|product| product > 0)
    };
    let of_degrees = [dp, fsdp, tp, sp, cp, ep, microbatches, plan.schedule.len().max(1)];
    match is_counted(&sizes) && is_counted(&of_degrees) && zero <= 3 {
        true => Ok(()),
        false => {
            Err("the plan has an axis, a degree or a number of microbatches that is 0, or too large"
                .to_owned())
        }
    }
}

/// The degrees of a plan, with those of its stages.
pub fn degrees(plan: &PlanFile) -> Degrees {
    let meshwright_plan::Degrees { dp, fsdp, tp, sp, cp, ep, zero } = plan.degrees;
    let pp = plan.schedule.len().max(1);
    let stages = plan.stages.iter().map(|stage| stage.stage.saturating_add(1)).max().unwrap_or(1);
    Degrees { dp, fsdp, tp, sp, cp, ep, pp, vp: (stages / pp).max(1), zero }
}

/// Layers of each stage of a pipeline, of so many, where each stage begins between two of them.
fn stages(plan: &PlanFile, layers: usize) -> Option<Vec<usize>> {
    let before = plan.stages.iter().map(|stage| stage.layers_before);
    let ends = before.chain([Some(layers)]).collect::<Option<Vec<usize>>>()?;
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, end)| end.checked_sub(start)).collect()
}

/// Hosts of a machine, and devices of each, by its spec: `h100:8x8` are eight hosts of eight.
fn hosts(machine: &str, devices: usize) -> [usize; 2] {
    let sizes = machine.rsplit_once(':').map(|(_, sizes)| sizes).unwrap_or_default();
    let inner = sizes.rsplit('x').next().and_then(|size| size.parse::<usize>().ok());
    match inner.filter(|inner| *inner > 0 && devices.is_multiple_of(*inner)) {
        Some(inner) => [devices / inner, inner],
        None => [1, devices],
    }
}

/// The name of the axis of which a part is written `model:(1)2`.
pub(crate) fn axis_name(written: &str) -> &str {
    written.split(':').next().unwrap_or(written)
}

/// The axes, each with what it shards of data, of experts, or else of weights.
fn axes(plan: &PlanFile) -> Vec<Axis> {
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    let mut note = |names: Option<&Vec<String>>, kind: Kind| {
        for name in names.into_iter().flatten() {
            let known = kinds.entry(axis_name(name).to_owned()).or_insert(kind);
            *known = if kind == Kind::Expert { kind } else { *known };
        }
    };
    for argument in plan.arguments.iter().filter(|argument| argument.role.as_deref() == Some("data")) {
        note(argument.sharding.first(), Kind::Data);
        note(argument.sharding.get(1), Kind::Context);
    }
    if plan.degrees.ep > 1 {
        for argument in &plan.arguments {
            let dim = argument.name.as_deref().and_then(expert_dim);
            note(dim.and_then(|dim| argument.sharding.get(dim)), Kind::Expert);
        }
    }
    // Of what shards no data as it comes, the batch may be cut where it is looked up: that is so if nothing else is left.
    let of = |is_it: &dyn Fn(&str) -> bool| -> usize {
        plan.mesh.iter().filter(|axis| is_it(&axis.name)).map(|axis| axis.size).product()
    };
    let of_data = of(&|name| kinds.get(name) == Some(&Kind::Data));
    let others = of(&|name| !kinds.contains_key(name));
    let is_batch = plan.degrees.tp == 1 && of_data.checked_mul(others) == Some(plan.degrees.dp);
    let other = if is_batch { Kind::Data } else { Kind::Tensor };
    let axis = |axis: &meshwright_plan::plan_file::MeshAxis| Axis {
        name: axis.name.clone(),
        size: axis.size,
        kind: kinds.get(&axis.name).copied().unwrap_or(other),
    };
    // Groups are of neighbors.
    let groups = plan.schedule.len();
    let pipeline = Axis { name: "pipeline".to_owned(), size: groups, kind: Kind::Pipeline };
    let inside = plan.mesh.iter().map(axis);
    (groups > 1).then_some(pipeline).into_iter().chain(inside).collect()
}

/// The dim of a stack along which experts are: `model.layers.{0..3}.mlp.experts.{0..7}.up_proj.weight` has it as its
/// second.
fn expert_dim(name: &str) -> Option<usize> {
    let before = &name[..name.find("experts.{")?];
    Some(stacked(before).len())
}

/// What is made again: the level that the plan says, or else the least that makes all of it again, beside what the plan says
/// in its place (`20 products with weights, 9 reductions`).
fn recompute(plan: &PlanFile) -> (Recompute, Option<String>) {
    let made_again = plan.policies.iter().filter(|policy| policy.policy == "recompute");
    let values: BTreeSet<&str> = made_again.map(|policy| policy.value.as_str()).collect();
    match plan.recompute.as_deref() {
        Some(said) if !said.is_empty() => Recompute::of_words(said),
        _ if values.is_empty() => (Recompute::None, None),
        // A plan that does not say of which kind they are.
        _ => (Recompute::Full, Some(format!("{} values", values.len()))),
    }
}

/// Whether products are in floats of eight bits.
fn has_short_products(plan: &PlanFile) -> bool {
    let is_of_model = plan.model.as_ref().is_some_and(|model| model.precision_recipe == "fp8");
    is_of_model || plan.figures.as_ref().is_some_and(|figures| figures.arithmetic.contains("fp8"))
}

/// The type of products: what the program was made by says it, or else the arithmetic in which a device runs most of them.
fn precision(plan: &PlanFile) -> Precision {
    let recipe = plan.model.as_ref().map(|model| model.precision_recipe.as_str());
    match (recipe, &plan.figures) {
        _ if has_short_products(plan) => Precision::Bf16,
        (Some("f32"), _) => Precision::F32,
        (Some(_), _) => Precision::Bf16,
        (None, Some(figures)) if figures.arithmetic.contains("bf16") => Precision::Bf16,
        _ => Precision::F32,
    }
}

/// The optimizer, by what it keeps of each parameter.
fn optimizer(plan: &PlanFile) -> Option<String> {
    let parameters: BTreeSet<&str> = names(plan, "parameter").collect();
    let slots = names(plan, "moment").filter_map(|name| name.split_once(['.', '[']).map(|(slot, _)| slot));
    let slots: BTreeSet<&str> = slots.collect();
    let has = |slot: &str| slots.contains(slot);
    let optimizer = match () {
        () if parameters.is_empty() || slots.is_empty() => return None,
        () if has("momentum") && has("m") => "muon",
        () if has("m") && has("v") => "adamw",
        () if has("row_variance") || has("variance") => "adafactor",
        // Both keep the same.
        () if has("momentum") => "sgd or lion",
        () => return None,
    };
    Some(optimizer.to_owned())
}

fn names<'a>(plan: &'a PlanFile, role: &'a str) -> impl Iterator<Item = &'a str> {
    let all = plan.arguments.iter().filter(move |argument| argument.role.as_deref() == Some(role));
    all.filter_map(|argument| argument.name.as_deref())
}

/// Devices along axes that shard nothing, as the plan says it: `replicated over 8`.
fn replicated(plan: &PlanFile) -> usize {
    let of = |said: &String| said.strip_prefix("replicated over ")?.parse::<usize>().ok();
    plan.parallelism.iter().filter_map(of).filter(|count| *count > 0).fold(1, usize::saturating_mul)
}

/// Words for products in floats of eight bits, which no target is written with.
pub const SHORT_PRODUCTS: &str = "products in 8-bit floats";

impl Job {
    /// The same, where products in floats of eight bits are asked for by others.
    pub fn without_short_products(mut self) -> Self {
        self.beyond.retain(|what| what != SHORT_PRODUCTS);
        self
    }
}

/// What degrees do not say.
fn beyond(plan: &PlanFile, job: &Job) -> Vec<String> {
    let mut beyond = Vec::new();
    let irregular = ["besides", "mostly", "sharded", " for ", "spatial", "embedding"];
    for said in &plan.parallelism {
        // That experts share the batch elsewhere is what degrees of them mean.
        let is_expected = said.starts_with("expert") && said.ends_with("(besides data parallel)");
        let is_partial_zero = PartialZero::said(said).is_some();
        if !is_expected && !is_partial_zero && irregular.iter().any(|word| said.contains(word)) {
            beyond.push(said.clone());
        }
    }
    // Where an axis is of several kinds, degrees say how far each goes: that is said already.
    let is_said = beyond.iter().any(|said| said.contains("besides"));
    // What nothing is sharded along counts as an axis of weights.
    let of_weights = job.degrees.tp.saturating_mul(job.replicated);
    let by_kind = |kind: Kind| -> usize {
        job.axes.iter().filter(|axis| axis.kind == kind).map(|axis| axis.size).product()
    };
    let Degrees { dp, cp, ep, .. } = job.degrees;
    for (kind, degree) in
        [(Kind::Data, dp), (Kind::Tensor, of_weights), (Kind::Context, cp), (Kind::Expert, ep)]
    {
        if by_kind(kind) != degree && !is_said {
            let (name, found) = (kind.name(), by_kind(kind));
            beyond.push(format!("{name}={degree}, but axes of that kind have {found} devices"));
        }
    }
    if has_short_products(plan) {
        beyond.push(SHORT_PRODUCTS.to_owned());
    }
    if !plan.tiles.is_empty() {
        beyond.push(format!("{} regions in tiles", plan.tiles.len()));
    }
    let offloaded = plan.policies.iter().filter(|policy| policy.policy == "offload").count();
    if offloaded > 0 {
        beyond.push(format!("{offloaded} values on the host meanwhile"));
    }
    if !job.global_batch.is_multiple_of(job.degrees.replicas() * job.microbatches) {
        beyond.push(format!("a batch of {} in unequal shards", job.global_batch));
    }
    beyond
}

/// What frameworks do a little otherwise than plans.
fn notes(plan: &PlanFile, job: &Job) -> Vec<String> {
    let has_experts = job.model.as_ref().is_some_and(|model| model.experts.is_some());
    let factor = plan.model.as_ref().filter(|_| has_experts).map(|model| model.capacity_factor);
    let note = factor.map(|factor| {
        format!(
            "The plan's experts take at most {factor} times an even share of each sequence's tokens; here none are \
             dropped, and busy experts take longer."
        )
    });
    note.into_iter().collect()
}

/// Sequences and tokens of the batch that a plan's program takes, by its data, or else by what the program was made of: images
/// are no tokens.
pub fn batch(plan: &PlanFile) -> Option<[usize; 2]> {
    let data = plan.arguments.iter().filter(|argument| argument.role.as_deref() == Some("data"));
    let of_data = data.filter_map(|argument| <[usize; 2]>::try_from(argument.shape.clone()).ok()).next();
    of_data.or(plan.model.as_ref().map(|model| [model.sequences, model.tokens_per_sequence]))
}

/// Compares the parameters of a plan's program with those of a model.
///
/// # Errors
/// A parameter that the plan lacks, has in another shape, or has too much.
pub fn same_model(plan: &PlanFile, model: &meshwright_models::Model) -> Result<(), String> {
    let of_plan = |name: &str| plan.arguments.iter().find(|argument| argument.name.as_deref() == Some(name));
    for parameter in &model.parameters {
        let (name, shape) = (&parameter.name, &parameter.shape);
        match of_plan(name) {
            None => return Err(format!("the plan is of another model: it has no argument `{name}`")),
            Some(found) if found.shape != *shape => {
                let found = &found.shape;
                return Err(format!(
                    "the plan is of another model: its `{name}` has shape {found:?}, not {shape:?}"
                ));
            }
            Some(_) => {}
        }
    }
    let own: BTreeSet<&str> = model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    match names(plan, "parameter").find(|name| !own.contains(name)) {
        Some(name) => {
            Err(format!("the plan is of another model: the configuration has no parameter `{name}`"))
        }
        None => Ok(()),
    }
}
