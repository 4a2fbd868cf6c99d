//! A program that needs more memory than the devices have: how much, for what, and what would help.

use meshwright_analyze::dim_classes::Class;
use meshwright_analyze::roles::DATA;
use meshwright_analyze::{Role, Roles, names};
use meshwright_cost::memory::Memory;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Device, Machine};
use std::collections::BTreeSet;
use std::fmt;

use crate::report::{self, first_name};

/// Tensors that are listed.
const LISTED: usize = 12;

/// Report of a program that does not fit, for the plan that exceeds the limit least of those that were tried.
#[derive(Clone, Debug, PartialEq)]
pub struct DoesNotFit {
    /// Most bytes alive at once on one device: the smallest limit that would do for this plan. Of another plan, which
    /// the search did not meet, it may be less.
    pub peak: Bytes,
    /// The same of the plan that came closest of those of the program as it is, in no other way to need less.
    pub peak_as_it_is: Bytes,
    /// Bytes that may be used.
    pub limit: Bytes,
    /// Whether other plans were tried.
    pub is_searched: bool,
    /// The mesh of the plan.
    pub mesh: String,
    /// What the plan amounts to.
    pub parallelism: Vec<String>,
    /// Where in the source the peak is.
    pub span: Span,
    /// Bytes of the arguments at the peak.
    pub arguments: Bytes,
    /// Bytes of everything else at the peak.
    pub temporaries: Bytes,
    /// The largest tensors at the peak, largest first.
    pub tensors: Vec<LargeTensor>,
    /// What would help and what would not, one sentence each.
    pub advice: Vec<String>,
    /// The memory of a host, where that is what there is too little of.
    pub host: Option<HostShortage>,
    /// No plan that fits, which a search may not have met, takes less, in seconds, if one says so.
    pub(crate) bound: Option<f64>,
}

/// A host whose memory is too small for what its devices keep there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostShortage {
    /// Most bytes that lie there at once.
    pub needed: Bytes,
    /// Bytes that it has, drives included.
    pub memory: Bytes,
    /// Devices that share it.
    pub devices: usize,
}

impl HostShortage {
    /// Of a plan on a machine; none where it fits, or where nobody knows the host.
    pub(crate) fn of(memory: &Memory, machine: &Machine) -> Option<Self> {
        let (host, drives) = (machine.device.host?, machine.device.nvme);
        let has = Bytes(host.memory.0.saturating_add(drives.map_or(0, |drives| drives.memory.0)));
        let devices = machine.devices_of_a_host();
        let needed = Bytes(memory.host.0.saturating_mul(devices as u64));
        let is_short = machine.host_share().is_some_and(|share| memory.host > share);
        is_short.then_some(Self { needed, memory: has, devices })
    }
}

/// A tensor at the peak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargeTensor {
    /// What it is: an argument's name, or the op that makes it.
    pub name: String,
    /// Its global type.
    pub ty: String,
    /// Bytes of one device's shard.
    pub bytes: Bytes,
    /// Where it stands in the source.
    pub span: Span,
    /// Whether it shrinks with the batch, of which there is more than one example.
    pub has_batch: bool,
    /// Whether it is made from data, as activations are.
    pub is_activation: bool,
    /// Whether it says of tokens what they are to tokens, as the scores of attention do.
    pub is_scores: bool,
}

impl DoesNotFit {
    pub(crate) fn new(
        function: &Function,
        roles: &Roles,
        memory: &Memory,
        limit: Bytes,
        is_searched: bool,
        mesh: String,
        parallelism: Vec<String>,
    ) -> Self {
        let argument_names = names::of_arguments(function);
        let has_scores = has_scores(function, roles);
        let tensors: Vec<LargeTensor> = memory
            .largest
            .iter()
            .map(|live| LargeTensor {
                name: match function.argument_index(live.value).is_some() && !live.is_argument {
                    true => format!("{}, gathered", first_name(function, &argument_names, live.value)),
                    false => first_name(function, &argument_names, live.value),
                },
                ty: function.body.ty(live.value).to_string(),
                bytes: live.bytes,
                span: live.span,
                has_batch: num_dims(function, roles, live.value, &roles.batch) > 0,
                is_activation: !live.is_argument && roles.depends[live.value] & DATA != 0,
                is_scores: has_scores && num_dims(function, roles, live.value, &roles.sequence) > 1,
            })
            .collect();
        // Only a step that replaces parameters keeps anything for gradients.
        let is_training = roles.args.iter().any(|arg| arg.role == Role::Parameter && arg.result.is_some());
        let advice = advice(memory, &tensors, limit, is_training);
        Self {
            peak: memory.peak,
            peak_as_it_is: memory.peak,
            limit,
            is_searched,
            mesh,
            parallelism,
            span: memory.span,
            arguments: memory.arguments,
            temporaries: memory.temporaries,
            tensors: tensors.into_iter().take(LISTED).collect(),
            advice,
            host: None,
            bound: None,
        }
    }

    /// The same of a plan that fits on the devices, but not on their hosts.
    pub(crate) fn on_host(self, shortage: HostShortage) -> Self {
        let advice = "keep less there (`--offload`), shard what lies there further, or give the host its memory \
                      (`[host]` of the machine file)";
        Self { host: Some(shortage), advice: vec![advice.to_owned()], ..self }
    }

    /// The same of the plan that came closest in several ways to need less memory, this one, where that of the program as it
    /// is needs so many bytes. What would help are none of these then.
    pub(crate) fn in_way(mut self, way: &str, peak_as_it_is: Bytes) -> Self {
        self.peak_as_it_is = peak_as_it_is;
        if self.arguments <= self.limit {
            self.advice = vec!["more devices would help, or a smaller model".to_owned()];
        }
        self.advice.insert(0, format!("that is with {way}: of all ways that were tried, this needs least"));
        self
    }

    /// Says what the limit leaves of the device's memory, and how to use it.
    pub(crate) fn tell_of_headroom(&mut self, device: &Device) {
        let (memory, part) = (device.memory, device.memory_headroom);
        if part > 0.0 {
            self.advice.push(format!(
                "{} % of the device's {memory} are left to allocators (`memory_headroom`); `--memory-limit {}` would \
                 use them too",
                report::percent(part),
                memory.0
            ));
        }
    }
}

/// How many dims of a value that is made from data are of these classes, and longer than one.
fn num_dims(function: &Function, roles: &Roles, value: ValueId, classes: &BTreeSet<Class>) -> usize {
    let Some(tensor) = function.body.ty(value).as_tensor() else { return 0 };
    let of_data = roles.depends[value] & DATA != 0;
    let is_of = |dim: &usize| tensor.shape[*dim] > 1 && classes.contains(&roles.classes.of(value, *dim));
    (0..tensor.rank()).filter(|dim| of_data && is_of(dim)).count()
}

/// Whether some product is of tokens with tokens, as attention has them.
fn has_scores(function: &Function, roles: &Roles) -> bool {
    let body = &function.body;
    let products = body.insts.ids().filter(|inst| body.view(*inst).is_matmul());
    products
        .flat_map(|inst| &body.insts[inst].results)
        .any(|made| num_dims(function, roles, *made, &roles.sequence) > 1)
}

/// What would help: `tensors` are the largest of the peak.
fn advice(memory: &Memory, tensors: &[LargeTensor], limit: Bytes, is_training: bool) -> Vec<String> {
    let mut advice = Vec::new();
    let listed: u64 = tensors.iter().filter(|tensor| !tensor.has_batch).map(|tensor| tensor.bytes.0).sum();
    // What is known not to shrink with the batch: state, and such tensors among the largest.
    let fixed = Bytes(memory.arguments.0.max(listed));
    if memory.arguments > limit {
        advice.push(format!(
            "the arguments alone take {} on each device: neither smaller batches nor recomputing would help; more \
             devices, or axes that shard the state further, would",
            memory.arguments
        ));
        return advice;
    }
    let sum = |is_wanted: &dyn Fn(&LargeTensor) -> bool| -> u64 {
        tensors.iter().filter(|tensor| is_wanted(tensor)).map(|tensor| tensor.bytes.0).sum()
    };
    let (batch, activations) = (sum(&|tensor| tensor.has_batch), sum(&|tensor| tensor.is_activation));
    if batch == 0 && activations > 0 && is_training {
        advice.push(format!(
            "what takes the memory does not shrink with the batch, but {} of it are activations: {RECOMPUTE}",
            Bytes(activations)
        ));
        advice.extend(fuse(tensors));
        return advice;
    }
    if batch == 0 {
        advice.push(format!(
            "what takes the memory does not shrink with the batch, and recomputing would not free it; \
             {} of it is state",
            memory.arguments
        ));
        return advice;
    }
    if fixed < limit {
        let left = (limit.0 - fixed.0) as f64 / (memory.peak.0 - fixed.0).max(1) as f64;
        let smaller = match is_training {
            true => "microbatches would help (`--microbatches search`)",
            false => "smaller batches would help",
        };
        advice.push(format!(
            "{smaller}: activations take most of the {} beyond the state, and about {:.0} % of the \
             batch would fit",
            memory.temporaries,
            (left * 100.0).floor().max(1.0)
        ));
        advice.extend(is_training.then(|| RECOMPUTE.to_owned()));
        advice.extend(fuse(tensors));
    } else {
        advice.push(
            "smaller batches or recomputing alone would not do: what does not shrink with the batch exceeds the limit"
                .to_owned(),
        );
    }
    advice
}

/// What helps a step that keeps activations.
const RECOMPUTE: &str =
    "recomputing would help where activations are kept for the gradients (`--recompute search`)";

/// What helps where scores of attention are kept.
fn fuse(tensors: &[LargeTensor]) -> Option<String> {
    let scores: u64 = tensors.iter().filter(|tensor| tensor.is_scores).map(|tensor| tensor.bytes.0).sum();
    (scores > 0).then(|| {
        format!(
            "attention in tiles would help (`--tiles search`): it keeps no scores of tokens for tokens, which take {} at the peak",
            Bytes(scores)
        )
    })
}

/// Two different numbers of bytes in words that differ.
fn apart(a: Bytes, b: Bytes) -> (String, String) {
    let (short_a, short_b) = (a.to_string(), b.to_string());
    if short_a == short_b { (format!("{} bytes", a.0), format!("{} bytes", b.0)) } else { (short_a, short_b) }
}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(HostShortage { needed, memory, devices }) = self.host {
            let (needed, memory) = apart(needed, memory);
            let who = match devices {
                1 => "the device of a host needs".to_owned(),
                _ => format!("the {devices} devices of a host need"),
            };
            return write!(f, "{who} {needed} of its memory, but it has {memory}");
        }
        let (peak, limit) = apart(self.peak, self.limit);
        write!(f, "the program needs {peak} on each device, but only {limit} may be used")
    }
}
