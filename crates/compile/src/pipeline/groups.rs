//! The groups of devices of a pipeline: which devices each has, and how it shards the step.
//!
//! Input: the step in microbatches, the machine, and options. Output: [`Groups`]. Groups may have meshes of their own, also of
//! another number of devices; those that have the same mesh on a like part of the machine share one answer ([`Inner`]).

use meshwright_machine::Machine;
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::PlanGroup;

use super::inner::Inner;
use super::layout::Layout;
use crate::error::CompileError;
use crate::options::{MeshChoice, Options};

/// Groups of devices, each with its shardings of the step.
pub(super) struct Groups {
    each: Vec<Group>,
    kinds: Vec<Kind>,
}

struct Group {
    /// The machine's number of each device, by its number in the group.
    devices: Vec<usize>,
    kind: usize,
}

/// Groups that are sharded alike.
struct Kind {
    mesh: Option<MeshChoice>,
    /// What a group has of the machine.
    part: Machine,
    inner: Inner,
    decided: PlanFile,
}

/// How the group of a stage shards the step, and what it has of the machine.
#[derive(Clone, Copy)]
pub(super) struct On<'a> {
    pub(super) inner: &'a Inner,
    pub(super) part: &'a Machine,
    pub(super) devices: &'a [usize],
}

/// The groups of all stages.
#[derive(Clone)]
pub(super) enum OnStages<'a> {
    /// All groups are sharded alike.
    Alike(&'a Inner, &'a Machine),
    /// Those of each stage; where it has copies on two groups, these are alike.
    Each(Vec<On<'a>>),
}

impl<'a> OnStages<'a> {
    /// How a stage is sharded, and over what.
    pub(super) fn of(&self, stage: usize) -> (&'a Inner, &'a Machine) {
        match self {
            Self::Alike(inner, part) => (inner, part),
            Self::Each(stages) => (stages[stage].inner, stages[stage].part),
        }
    }
}

impl Groups {
    /// How all shard the step, and what each has of the machine, if they are alike.
    pub(super) fn alike(&self) -> Option<(&Inner, &Machine)> {
        match self.kinds.as_slice() {
            [kind] => Some((&kind.inner, &kind.part)),
            _ => None,
        }
    }

    /// So many groups that are sharded alike, on as many devices each as that takes; `part` is what each has of the machine.
    pub(super) fn of_one(inner: Inner, part: Machine, count: usize) -> Self {
        let size = inner.mesh().num_devices();
        let group =
            |number: usize| Group { devices: (number * size..(number + 1) * size).collect(), kind: 0 };
        let decided = PlanFile::new(String::new(), part.spec());
        let kinds = vec![Kind { mesh: None, part, inner, decided }];
        Self { each: (0..count).map(group).collect(), kinds }
    }

    /// Groups on their devices; `sharded` shards the step over what a group has of the machine, by its own options.
    ///
    /// # Errors
    /// Those of `sharded`.
    pub(super) fn of(
        layout: Layout,
        options: &Options,
        sharded: &dyn Fn(&Options, &Machine) -> Result<(Inner, PlanFile), CompileError>,
    ) -> Result<Self, CompileError> {
        let mut groups = Self { each: Vec::new(), kinds: Vec::new() };
        for (number, (devices, part)) in layout.groups.into_iter().zip(layout.parts).enumerate() {
            let mesh = mesh_of(options, number);
            let is_like = |kind: &Kind| kind.mesh == mesh && kind.part.spec() == part.spec();
            let kind = match groups.kinds.iter().position(is_like) {
                Some(kind) => kind,
                None => {
                    let (inner, decided) = sharded(&of_group(options, number), &part)?;
                    groups.kinds.push(Kind { mesh, part, inner, decided });
                    groups.kinds.len() - 1
                }
            };
            groups.each.push(Group { devices, kind });
        }
        Ok(groups)
    }

    /// Whether all are sharded alike.
    pub(super) fn are_alike(&self) -> bool {
        self.kinds.len() == 1
    }

    /// Whether two groups are sharded alike.
    pub(super) fn is_like(&self, group: usize, other: usize) -> bool {
        self.each[group].kind == self.each[other].kind
    }

    /// How a group shards the step.
    pub(super) fn inner(&self, group: usize) -> &Inner {
        &self.kind(group).inner
    }

    /// What a group has of the machine.
    pub(super) fn part(&self, group: usize) -> &Machine {
        &self.kind(group).part
    }

    /// The machine's numbers of the devices of a group.
    pub(super) fn devices(&self, group: usize) -> &[usize] {
        &self.each[group].devices
    }

    fn kind(&self, group: usize) -> &Kind {
        &self.kinds[self.each[group].kind]
    }

    /// The devices of all groups.
    pub(super) fn all_devices(&self) -> Vec<&[usize]> {
        self.each.iter().map(|group| group.devices.as_slice()).collect()
    }

    /// The groups of stages, `placed` being those of each.
    pub(super) fn of_stages(&self, placed: &[Vec<usize>]) -> OnStages<'_> {
        if self.are_alike() {
            let kind = self.kind(0);
            return OnStages::Alike(&kind.inner, &kind.part);
        }
        let on = |groups: &Vec<usize>| {
            let group = groups.first().copied().unwrap_or(0);
            On { inner: self.inner(group), part: self.part(group), devices: self.devices(group) }
        };
        OnStages::Each(placed.iter().map(on).collect())
    }

    /// The plan file of the first group, with those that are sharded otherwise.
    pub(super) fn file(&self) -> PlanFile {
        let mut kinds = self.kinds.iter().enumerate();
        let first = kinds.next().map(|(_, kind)| kind.decided.clone());
        let mut plan = first.expect("a pipeline has a group");
        let of_kind = |kind: usize| {
            let own = self.each.iter().enumerate().filter(move |(_, group)| group.kind == kind);
            own.map(|(number, _)| number).collect::<Vec<_>>()
        };
        plan.groups = kinds
            .map(|(number, kind)| {
                let own = kind.decided.clone();
                PlanGroup {
                    groups: of_kind(number),
                    mesh: own.mesh,
                    arguments: own.arguments,
                    results: own.results,
                    shardings: own.shardings,
                    op_strategies: own.op_strategies,
                    policies: own.policies,
                }
            })
            .collect();
        plan
    }
}

/// The mesh of a group, as the options or their plan say it.
fn mesh_of(options: &Options, group: usize) -> Option<MeshChoice> {
    let Some(plan) = &options.plan else {
        return options.group_meshes.get(group).cloned().or_else(|| options.mesh.clone());
    };
    let own = plan.groups.iter().find(|own| own.groups.contains(&group));
    Some(MeshChoice::Axes(own.map_or(&plan.mesh, |own| &own.mesh).clone()))
}

/// The options of one group: its own mesh, and what a plan says of it.
fn of_group(options: &Options, group: usize) -> Options {
    let mut own = options.clone();
    if let Some(plan) = &mut own.plan {
        let planned = std::mem::take(&mut plan.groups);
        if let Some(planned) = planned.into_iter().find(|planned| planned.groups.contains(&group)) {
            let PlanGroup { mesh, arguments, results, shardings, op_strategies, policies, .. } = planned;
            *plan = PlanFile { mesh, arguments, results, shardings, op_strategies, policies, ..plan.clone() };
        }
    } else {
        own.mesh = mesh_of(options, group);
    }
    own.group_meshes = Vec::new();
    own.group_hosts = None;
    own
}
