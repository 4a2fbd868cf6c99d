//! The user's own way: degrees of parallelism as people write them down, to be priced beside what the search finds.
//!
//! Input: [`ParallelDegrees`], such as `dp=32,tp=8,zero=1`, and a machine. Output: the mesh that it means, and the answer with
//! one strategy along each axis. Axes lie on the machine as is common: data parallel outermost, tensor parallel on the
//! links within a host.

use super::{Start, Strategy, context, data, expert, tensor, zero};
use crate::meshes;
use crate::problem::{DimKind, GroupKind, Problem};
use crate::refusal::{Lack, Refusal};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_machine::Machine;
use meshwright_plan::{DegreeName, Degrees};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Degrees of parallelism that a plan should have. A degree of 1 is none; what is not said of `dp` is what the others leave.
///
/// `dp` counts the devices of `fsdp` too, as in a plan's degrees, or those beside them, as people write hybrid sharding:
/// with `fsdp=2`, eight devices are `dp=8` or `dp=4`. Which one is meant shows in the number of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ParallelDegrees {
    dp: Option<usize>,
    fsdp: usize,
    cp: usize,
    ep: usize,
    tp: usize,
    sp: usize,
    zero: usize,
    pp: usize,
    vp: usize,
}

/// How it is written.
const FORM: &str =
    "write degrees such as `dp=32,tp=8,zero=1`; there are dp, fsdp, tp, sp, cp, ep, zero, pp and vp";

/// Degrees as they are written, each with its number: `dp=32,tp=8`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaidDegrees(pub Vec<(DegreeName, usize)>);

impl FromStr for SaidDegrees {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let said = Self::read(text).map_err(Refusal::Unreadable)?;
        ParallelDegrees::of(&said.0).map(|_| said).map_err(Refusal::Unreadable)
    }
}

impl SaidDegrees {
    fn read(text: &str) -> Result<Self, String> {
        let mut said: Vec<(DegreeName, usize)> = Vec::new();
        for part in text.split(',') {
            let (name, number) =
                part.split_once('=').ok_or_else(|| format!("`{part}` is no degree; {FORM}"))?;
            let name: DegreeName = name.trim().parse().map_err(|problem| format!("{problem}; {FORM}"))?;
            if said.iter().any(|(known, _)| *known == name) {
                return Err(format!("`{name}` is there twice"));
            }
            said.push((name, number_of(name, number.trim())?));
        }
        Ok(Self(said))
    }
}

/// The number of a degree, from its text.
pub(crate) fn number_of(name: DegreeName, text: &str) -> Result<usize, String> {
    let number: usize = text.parse().map_err(|_| format!("`{text}` is not a number; {FORM}"))?;
    match (name, number) {
        (DegreeName::Zero, 4..) => Err("ZeRO has the stages 0 to 3".to_owned()),
        (DegreeName::Zero, _) | (_, 1..) => Ok(number),
        (name, 0) => Err(format!("`{name}` is 0; without it, leave it away")),
    }
}

impl FromStr for ParallelDegrees {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let said = SaidDegrees::read(text).map_err(Refusal::Unreadable)?;
        Self::of(&said.0).map_err(Refusal::Unreadable)
    }
}

impl ParallelDegrees {
    /// Degrees of which these are said.
    ///
    /// # Errors
    /// They contradict one another.
    pub fn of(said: &[(DegreeName, usize)]) -> Result<Self, String> {
        let of = |name: DegreeName| said.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
        let or_one = |name: DegreeName| of(name).unwrap_or(1);
        let degrees = Self {
            dp: of(DegreeName::Dp),
            fsdp: or_one(DegreeName::Fsdp),
            cp: or_one(DegreeName::Cp),
            ep: or_one(DegreeName::Ep),
            tp: or_one(DegreeName::Tp),
            sp: or_one(DegreeName::Sp),
            zero: of(DegreeName::Zero).unwrap_or(0),
            pp: or_one(DegreeName::Pp),
            vp: or_one(DegreeName::Vp),
        };
        let Self { tp, sp, .. } = degrees;
        if !tp.is_multiple_of(sp) {
            return Err(format!(
                "sequence parallelism is over the same devices as tensor parallelism: `tp={sp},sp={sp}`, or `cp={sp}`"
            ));
        }
        if degrees.vp > 1 && degrees.pp == 1 {
            return Err("`vp` counts stages of each group of a pipeline: it needs `pp`".to_owned());
        }
        if degrees.zero > 0 && degrees.dp == Some(1) && degrees.ep == 1 && degrees.fsdp == 1 {
            return Err("ZeRO shards over the devices of `dp`, which is 1".to_owned());
        }
        Ok(degrees)
    }
}

impl fmt::Display for ParallelDegrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fsdp, tp, sp, cp, ep, pp, vp, .. } = *self;
        let degrees =
            [("fsdp", fsdp), ("tp", tp), ("sp", sp), ("cp", cp), ("ep", ep), ("pp", pp), ("vp", vp)];
        let mut parts: Vec<String> = self.dp.iter().map(|dp| format!("dp={dp}")).collect();
        parts.extend(
            degrees.iter().filter(|(_, size)| *size > 1).map(|(name, size)| format!("{name}={size}")),
        );
        parts.extend((self.zero > 0).then(|| format!("zero={}", self.zero)));
        f.write_str(&parts.join(","))
    }
}

/// Devices that share the batch.
#[derive(Clone, Copy)]
struct Counts {
    /// Those that hold the same shards of parameters.
    replicas: usize,
    /// Those over which `fsdp` shards parameters.
    shards: usize,
    /// Those of experts over which it shards the other parameters too.
    of_experts: usize,
}

/// Which strategies go first: one takes the dims that those before it left.
const ORDER: [&str; 5] = ["tp", "ep", "cp", "dp", "fsdp"];

/// Degrees laid over a machine.
pub(crate) struct Laid {
    /// The mesh.
    pub(crate) mesh: Mesh,
    /// For each of its axes what it is for.
    uses: Vec<(&'static str, Strategy)>,
}

impl ParallelDegrees {
    /// Groups of devices that run stages of a pipeline; 1 is none.
    pub fn groups(&self) -> usize {
        self.pp
    }

    /// Stages of each group.
    pub fn virtual_stages(&self) -> usize {
        self.vp
    }

    /// Whether moments are sharded and gradients are not, which a loop over microbatches then sums once, behind it.
    pub(crate) fn keeps_gradients(&self) -> bool {
        self.zero == 1 && self.fsdp == 1
    }

    /// Whether moments are sharded and parameters are not, but for masters of which there are copies.
    pub(crate) fn shards_masters(&self) -> bool {
        (1..=2).contains(&self.zero) && self.fsdp == 1
    }

    /// The same degrees of one group alone.
    pub fn inside(&self) -> Self {
        Self { pp: 1, vp: 1, ..*self }
    }

    /// The devices of one group, of so many neighboring devices of a machine.
    ///
    /// # Errors
    /// They do not divide into equal groups.
    pub fn group_of(&self, machine: &Machine) -> Result<Machine, Refusal> {
        let devices = machine.num_devices();
        match devices.is_multiple_of(self.pp) {
            false => Err(Refusal::DoNotDivide { degrees: *self, devices }),
            true => machine.part(devices / self.pp).ok_or(Refusal::Uneven(*self)),
        }
    }

    /// The degrees of a plan on so many devices that is as asked, in each group if it is a pipeline.
    /// Errors: it is for another number of devices.
    pub fn degrees(&self, devices: usize) -> Result<Degrees, Refusal> {
        let Counts { replicas, shards, of_experts } = self.counts(devices)?;
        let state = if self.fsdp > 1 { 3 } else { self.zero };
        let Self { tp, sp, cp, ep, .. } = *self;
        let dp = replicas * shards;
        let fsdp = match (state, self.zero_of_replicas(devices)?) {
            (3, 3) if dp == 1 => ep,
            (3, 3) => dp,
            (3, _) => shards * of_experts,
            _ => 1,
        };
        Ok(Degrees { dp, fsdp, tp, sp, cp, ep, zero: state })
    }

    /// The same with all that so many devices make of it said, so that ways that come to the same are equal; as it is where it is
    /// for another number of devices.
    pub(super) fn on(&self, devices: usize) -> Self {
        match (self.degrees(devices), self.zero_of_replicas(devices)) {
            (Ok(Degrees { dp, fsdp, zero: 3, .. }), Ok(of_replicas)) => {
                // Where it is over all that share the batch, it is not said that it is.
                Self { dp: Some(dp), fsdp, zero: if fsdp >= dp { 3 } else { of_replicas }, ..*self }
            }
            (Ok(Degrees { dp, .. }), _) => Self { dp: Some(dp), ..*self },
            (Err(_), _) => *self,
        }
    }

    /// The degrees as they are said, also where they are for another number of devices.
    pub fn as_said(&self) -> Degrees {
        let &Self { dp, fsdp, tp, sp, cp, ep, zero, .. } = self;
        Degrees { dp: dp.unwrap_or(1), fsdp, tp, sp, cp, ep, zero: if fsdp > 1 { 3 } else { zero } }
    }

    /// Over how many devices the batch is shared and the state is sharded.
    /// Errors: it is for another number of devices.
    fn counts(&self, devices: usize) -> Result<Counts, Refusal> {
        let product = |degrees: &[usize]| degrees.iter().copied().try_fold(1_usize, usize::checked_mul);
        let &Self { fsdp, cp, ep, tp, pp, .. } = self;
        let all = devices;
        if !all.is_multiple_of(pp) {
            return Err(Refusal::DoNotDivide { degrees: *self, devices });
        }
        let devices = all / pp;
        let beside = |replicas: usize| Counts { replicas, shards: fsdp, of_experts: 1 };
        let Some(dp) = self.dp else {
            let others = product(&[fsdp, cp, ep, tp]).filter(|others| devices.is_multiple_of(*others));
            let replicas = others.map(|others| devices / others);
            return replicas.map(beside).ok_or(Refusal::DoNotDivide { degrees: *self, devices: all });
        };
        if product(&[dp, fsdp, cp, ep, tp]) == Some(devices) {
            return Ok(beside(dp));
        }
        let total = product(&[dp, cp, ep, tp]);
        if total == Some(devices) && dp.is_multiple_of(fsdp) {
            return Ok(Counts { replicas: dp / fsdp, shards: fsdp, of_experts: 1 });
        }
        if total == Some(devices) && fsdp.is_multiple_of(dp) && ep.is_multiple_of(fsdp / dp) {
            return Ok(Counts { replicas: 1, shards: dp, of_experts: fsdp / dp });
        }
        // With `dp` the degrees make up the devices, so that `fsdp` is a part of it.
        if total == Some(devices) && fsdp < dp {
            return Err(Refusal::PartOfReplicas { degrees: *self, dp, fsdp });
        }
        Err(match product(&[dp, fsdp, cp, ep, tp, pp]) {
            Some(product) => Refusal::OtherDevices { degrees: *self, product, devices: all },
            None => Refusal::DoNotDivide { degrees: *self, devices: all },
        })
    }

    /// The stage of ZeRO over those devices of the batch over which `fsdp` shards nothing. Where `dp` counts those of
    /// `fsdp` too, stage 3 is that of `fsdp`.
    fn zero_of_replicas(&self, devices: usize) -> Result<usize, Refusal> {
        let Counts { replicas, .. } = self.counts(devices)?;
        let is_all = self.fsdp > 1 && self.dp.is_some_and(|dp| dp != replicas);
        Ok(if is_all && self.zero == 3 { 0 } else { self.zero })
    }

    /// Lays it over a machine. Errors: it is for another number of devices, or an axis would cross hosts unevenly.
    pub(crate) fn lay(&self, machine: &Machine) -> Result<Laid, Refusal> {
        if self.pp > 1 || self.vp > 1 {
            return Err(Refusal::Stages(*self));
        }
        let Counts { replicas, shards, of_experts } = self.counts(machine.num_devices())?;
        let zero = self.zero_of_replicas(machine.num_devices())?;
        let state = [data::DATA, zero::ONE, zero::ONE, zero::THREE][zero];
        // Without other devices of the batch, state lies on those of the experts.
        let experts = if replicas * shards > 1 { 0 } else { zero };
        let experts =
            [expert::EXPERT, expert::WITH_MOMENTS, expert::WITH_MOMENTS, expert::WITH_STATE][experts];
        let uses = [
            ("dp", replicas, state),
            ("fsdp", shards, zero::THREE),
            ("cp", self.cp, context::CONTEXT),
            ("ep", self.ep / of_experts, experts),
            ("ep", of_experts, expert::WITH_STATE),
            ("tp", self.tp / self.sp, tensor::AS_ASKED),
            ("tp", self.sp, tensor::AS_ASKED_WITH_SEQUENCE),
        ];
        let axes =
            meshes::laid_over(machine, &uses.map(|(_, size, _)| size)).ok_or(Refusal::Uneven(*self))?;
        let uses = axes.iter().map(|(degree, _)| (uses[*degree].0, uses[*degree].2)).collect();
        Ok(Laid { mesh: meshes::mesh(&axes.iter().map(|(_, size)| *size).collect::<Vec<_>>()), uses })
    }
}

impl Laid {
    /// The axes that make up a degree, as a plan is recognized: `dp` counts those of `fsdp`, which are those over which
    /// parameters are sharded too, `sp` is the part of `tp` that shards tokens, and ZeRO is over the devices of the batch.
    pub(crate) fn axes_of(&self, name: DegreeName) -> AxisSet {
        let of = |wanted: &[&str]| -> AxisSet {
            let axes = self.uses.iter().enumerate().filter(|(_, (use_, _))| wanted.contains(use_));
            axes.flat_map(|(axis, _)| self.mesh.pieces(axis)).collect()
        };
        let pieces = |axis: usize| self.mesh.pieces(axis);
        match name {
            DegreeName::Dp => of(&["dp", "fsdp"]),
            DegreeName::Fsdp => self.axes_of_state().flat_map(pieces).collect(),
            DegreeName::Tp => of(&["tp"]),
            DegreeName::Sp => self.axes_with_sequence().flat_map(pieces).collect(),
            DegreeName::Cp => of(&["cp"]),
            DegreeName::Ep => of(&["ep"]),
            DegreeName::Zero => of(&["dp", "fsdp", "ep"]),
            DegreeName::Pp | DegreeName::Vp => AxisSet::EMPTY,
        }
    }

    /// Axes over which weights are sharded, and tokens where activations are not.
    pub(crate) fn axes_with_sequence(&self) -> impl Iterator<Item = usize> {
        self.axes_by(&[tensor::WITH_SEQUENCE.name])
    }

    /// Axes over which both parameters and the batch are sharded.
    pub(crate) fn axes_of_state(&self) -> impl Iterator<Item = usize> {
        self.axes_by(&[zero::THREE.name, expert::WITH_STATE.name])
    }

    /// The axes along which the strategy has one of these names.
    fn axes_by(&self, names: &'static [&'static str]) -> impl Iterator<Item = usize> {
        (0..self.uses.len()).filter(|axis| names.contains(&self.uses[*axis].1.name))
    }

    /// The answer on the problem's mesh of this number. Errors: the program has nothing for one of the strategies.
    pub(crate) fn start(&self, problem: &Problem, mesh: usize) -> Result<Start, Refusal> {
        let mut answer = problem.replicated(mesh);
        for wanted in ORDER {
            for (axis, (name, strategy)) in self.uses.iter().enumerate() {
                if *name == wanted && !(strategy.apply)(problem, &mut answer, axis) {
                    return Err(self.nothing_for(name, strategy, problem));
                }
            }
        }
        let sizes = self.mesh.axes().iter().map(|axis| axis.size);
        let styles = self.uses.iter().map(|(_, strategy)| strategy.name).zip(sizes).collect();
        Ok(Start { styles, answer })
    }

    /// Why a strategy cannot be applied.
    fn nothing_for(&self, degree: &'static str, strategy: &Strategy, problem: &Problem) -> Refusal {
        let devices_of = |names: &[&str]| -> usize {
            let axes = self.uses.iter().zip(self.mesh.axes()).filter(|((other, _), _)| names.contains(other));
            axes.map(|(_, axis)| axis.size).product()
        };
        // Devices that share parameters share the batch too, and `dp` counts them; so do those of experts, which it does not.
        let [devices, replicas, experts] =
            [devices_of(&[degree]), devices_of(&["dp", "fsdp"]), devices_of(&["ep"])];
        let [of_data, drawn] =
            [GroupKind::Data, GroupKind::Product].map(|kind| problem.sizes_of(kind, DimKind::Batch));
        let batch = if of_data.is_empty() { drawn } else { of_data };
        let is_uneven = |batch: &usize| !batch.is_multiple_of(replicas * experts);
        let is_data = ["dp", "fsdp"].contains(&degree);
        let is_of_experts = degree == "ep";
        let has_data = problem.groups_of(|kind| kind == GroupKind::Data).next().is_some();
        let why = if (is_data || degree == "cp") && !has_data {
            Lack::Data
        } else if is_of_experts && problem.sizes_of(GroupKind::Product, DimKind::Expert).is_empty() {
            Lack::Experts
        } else if (is_data || is_of_experts) && !batch.is_empty() && batch.iter().all(is_uneven) {
            let why = Lack::Batch { devices: replicas, experts, sizes: batch.into_iter().collect() };
            return Refusal::NothingFor { degree: "dp", why };
        } else {
            // Other degrees shard what parameters have, too.
            let (what, sizes) = match degree {
                "cp" => ("tokens of a sequence", problem.sizes_of(GroupKind::Data, DimKind::Sequence)),
                "ep" => ("experts", problem.sizes_of(GroupKind::Product, DimKind::Expert)),
                _ => ("", BTreeSet::new()),
            };
            let is_lack = !sizes.is_empty() && sizes.iter().all(|size| size % devices != 0);
            let sizes = is_lack.then(|| (what, sizes.into_iter().collect()));
            Lack::Dims { devices, style: strategy.name, sizes }
        };
        Refusal::NothingFor { degree, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(text: &str, machine: &str) -> Result<String, Refusal> {
        let laid = text.parse::<ParallelDegrees>()?.lay(&Machine::from_spec(machine).unwrap())?;
        let axes = laid.mesh.axes().iter().zip(&laid.uses);
        Ok(axes.map(|(axis, (name, _))| format!("{name}={}", axis.size)).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn data_is_outermost_and_tensors_are_innermost() {
        assert_eq!(laid("dp=2,tp=4", "cpu8").unwrap(), "dp=2 tp=4");
        assert_eq!(laid("tp=8", "h100:4x8").unwrap(), "dp=4 tp=8");
        assert_eq!(laid("tp=4,dp=8,zero=1", "h100:4x8").unwrap(), "dp=4 dp=2 tp=4");
        assert_eq!(laid("dp=2,fsdp=16", "h100:4x8").unwrap(), "dp=2 fsdp=2 fsdp=8");
        assert_eq!(laid("tp=8,sp=2", "h100:4x8").unwrap(), "dp=4 tp=2 tp=4");
    }

    #[test]
    fn degrees_as_they_are_printed_mean_what_they_were_made_from() {
        for (asked, printed) in [
            ("dp=4,fsdp=2", "dp=8, fsdp=2, tp=1, sp=1, cp=1, ep=1, zero=3"),
            ("dp=4,fsdp=2,zero=3", "dp=8, fsdp=8, tp=1, sp=1, cp=1, ep=1, zero=3"),
            ("fsdp=2", "dp=8, fsdp=2, tp=1, sp=1, cp=1, ep=1, zero=3"),
            ("zero=3,tp=2", "dp=4, fsdp=4, tp=2, sp=1, cp=1, ep=1, zero=3"),
            ("tp=4,sp=2,zero=1", "dp=2, fsdp=1, tp=4, sp=2, cp=1, ep=1, zero=1"),
            ("dp=1,fsdp=2,ep=2,tp=4,zero=3", "dp=1, fsdp=2, tp=4, sp=1, cp=1, ep=2, zero=3"),
        ] {
            let degrees =
                |text: &str| text.parse::<ParallelDegrees>().unwrap().degrees(8).unwrap().to_string();
            assert_eq!(degrees(asked), printed);
            assert_eq!(degrees(printed), printed, "printed for {asked}");
        }
    }

    #[test]
    fn equal_links_make_equal_meshes() {
        assert_eq!(laid("dp=4,tp=2", "cpu8").unwrap(), "tp=2 dp=4");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (text, machine, wanted) in [
            ("dp=3,tp=4", "cpu8", "is for 12 devices, but the machine has 8"),
            ("tp=16", "cpu8", "the degrees of `tp=16` do not divide the machine's 8 devices"),
            ("dp=8,fsdp=3", "cpu8", "the 8 devices of `dp`, which 3 does not divide"),
            ("dp=4,fsdp=3,tp=2", "cpu8", "the 4 devices of `dp`, which 3 does not divide"),
            ("tp=0", "cpu8", "`tp` is 0"),
            ("tp=2,tp=4", "cpu8", "twice"),
            ("pp=2", "cpu8", "cut into stages"),
            ("mp=2", "cpu8", "`mp` is no kind of parallelism"),
            ("zero=4", "cpu8", "stages 0 to 3"),
            ("tp=2,sp=4", "cpu8", "same devices"),
            ("dp", "cpu8", "`dp` is no degree"),
        ] {
            let message = laid(text, machine).unwrap_err().to_string();
            assert!(message.contains(wanted), "{message}");
        }
    }
}
