//! What collectives share: which devices take part, how they print, and how contributions combine.
//!
//! A process is a device: partition `device % partitions` of replica `device / partitions`. What the ids of a collective
//! count is [`Ids`]. In a program of partitions alone they are also read as numbers of devices where they are too large
//! to count replicas.

use crate::attribute::{Attr, Attributes};
use crate::eval::Context;
use crate::op::{AttrReader, Op, Violations};
use crate::program::{InstView, Program};
use crate::text::DialectFields;
use crate::vjp::Vjp;
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::TensorType;

use super::mesh_axes::MeshAxes;
use super::reducer::reducer;

/// Methods of [`OpDef`](crate::op::OpDef) that are the same for all collectives over the groups of a field `participants`.
macro_rules! over_groups {
    () => {
        fn traits(&self) -> $crate::op::OpTraits {
            $crate::op::OpTraits::COLLECTIVE
        }

        fn participants(&self) -> Option<&$crate::ops::collective::Participants> {
            Some(&self.participants)
        }

        fn participants_mut(&mut self) -> Option<&mut $crate::ops::collective::Participants> {
            Some(&mut self.participants)
        }
    };
}
pub(super) use over_groups;

/// `replica_groups`: a table with one group per row, shorter groups padded with -1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReplicaGroups {
    /// Number of groups and size of the largest.
    pub shape: [usize; 2],
    /// Row-major.
    pub ids: Vec<i64>,
}

impl ReplicaGroups {
    /// The table of these groups.
    pub fn new(groups: &[Vec<usize>]) -> Self {
        let width = groups.iter().map(Vec::len).max().unwrap_or(0);
        let id = |group: &Vec<usize>, index: usize| group.get(index).map_or(-1, |id| *id as i64);
        let ids = groups.iter().flat_map(|group| (0..width).map(move |index| id(group, index))).collect();
        Self { shape: [groups.len(), width], ids }
    }

    /// Reads a table of integers.
    pub fn from_attribute(name: &str, attribute: &Attr) -> Result<Self, String> {
        let wrong = || format!("`{name}` should be dense<[[0, 1]]> : tensor<1x2xi64>, found `{attribute}`");
        let Attr::Dense(literal) = attribute else {
            return Err(wrong());
        };
        let shape = literal.ty.shape.clone().try_into().map_err(|_| wrong())?;
        Ok(Self { shape, ids: literal.to_ints().ok_or_else(wrong)? })
    }

    /// The table that [`ReplicaGroups::from_attribute`] reads back.
    pub fn to_attribute(&self) -> Attr {
        Attr::Dense(Literal::ints(self.shape.to_vec(), &self.ids))
    }

    /// The groups without padding.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let width = self.shape[1].max(1);
        self.ids
            .chunks(width)
            .map(|row| row.iter().filter_map(|id| usize::try_from(*id).ok()).collect())
            .collect()
    }

    /// Number of devices of each group, if all groups are of one size.
    pub fn group_size(&self) -> Option<usize> {
        let groups = self.groups();
        let size = groups.first()?.len();
        groups.iter().all(|group| group.len() == size).then_some(size)
    }
}

/// Participants of a collective: their groups, and the channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Participants {
    /// The groups; devices of different groups do not exchange anything.
    pub groups: ReplicaGroups,
    /// The axes that the groups run along, if they are given so. The table is empty as long as the mesh is not known.
    pub mesh_axes: Option<MeshAxes>,
    /// Handle and type of `channel_handle`, if it is given.
    pub channel: Option<[i64; 2]>,
    /// Whether ids count all devices.
    pub use_global_device_ids: bool,
}

impl Participants {
    /// Groups of replicas, as Meshwright's own local programs have them.
    pub fn of(groups: &[Vec<usize>]) -> Self {
        Self {
            groups: ReplicaGroups::new(groups),
            mesh_axes: None,
            channel: None,
            use_global_device_ids: false,
        }
    }

    /// Takes `replica_groups`, `channel_handle` and `use_global_device_ids` out of a generic form.
    pub fn read(attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let groups = attributes.required("replica_groups")?;
        let mesh_axes = MeshAxes::read(&groups)?;
        Ok(Self {
            groups: match mesh_axes {
                Some(_) => ReplicaGroups::new(&[]),
                None => ReplicaGroups::from_attribute("replica_groups", &groups)?,
            },
            mesh_axes,
            channel: read_channel(attributes)?,
            use_global_device_ids: attributes.bool("use_global_device_ids")?,
        })
    }

    /// The attributes that [`Participants::read`] reads back.
    pub fn attributes(&self) -> Attributes {
        let mut attributes = Attributes::new();
        let groups = match &self.mesh_axes {
            Some(axes) => Attr::Dialect(axes.text.clone()),
            None => self.groups.to_attribute(),
        };
        attributes.set("replica_groups", groups);
        set_channel(&mut attributes, self.channel);
        if self.use_global_device_ids {
            attributes.set("use_global_device_ids", Attr::Unit);
        }
        attributes
    }

    /// Looks up the mesh along whose axes the groups run. Errors: axes that it does not have.
    pub fn resolve(&mut self, program: &Program) -> Result<(), String> {
        if let Some(axes) = &self.mesh_axes
            && let Some(groups) = axes.groups(program)?
        {
            self.groups = ReplicaGroups::new(&groups);
        }
        Ok(())
    }

    /// Returns whether the groups run along axes of a mesh that is not known.
    pub fn is_unresolved(&self) -> bool {
        self.mesh_axes.is_some() && self.groups.ids.is_empty()
    }

    /// Returns whether a group may be of this many devices. Partitions of a replica take part together if there is a
    /// channel but ids do not count all devices (specification, "cross_replica_and_partition").
    pub fn may_have_size(&self, size: usize) -> bool {
        if self.is_unresolved() {
            return true;
        }
        match self.groups.group_size() {
            Some(own) if self.has_partitions() => own > 0 && size > 0 && size.is_multiple_of(own),
            own => own == Some(size),
        }
    }

    /// The number of devices of each group, if the groups say it: partitions of a replica may join besides.
    pub fn size(&self) -> Option<usize> {
        self.groups.group_size().filter(|size| *size > 0 && !self.has_partitions())
    }

    /// Whether the partitions of the replicas take part, so that groups may have more devices than they list.
    fn has_partitions(&self) -> bool {
        has_channel(self.channel) && !self.use_global_device_ids
    }

    /// The number of devices of each group, which is the quotient of two sizes if it may be; `None` if groups differ.
    pub fn size_by(&self, whole: usize, part: usize) -> Option<usize> {
        let quotient = whole.checked_div(part).filter(|size| self.may_have_size(*size));
        quotient.or_else(|| self.groups.group_size()).filter(|size| *size > 0)
    }

    /// Reports a result type other than the inferred one, the shape of which follows from groups of `size` devices.
    pub fn result_type(
        violations: &mut Violations,
        view: &InstView<'_>,
        index: usize,
        inferred: &TensorType,
        size: usize,
    ) {
        let found = view.result(index);
        violations.require(found == inferred, || {
            let message = format!("result {index} should be {inferred}, not {found}");
            let is_other_size = found.shape != inferred.shape;
            if is_other_size { format!("{message}: its group has {size} devices") } else { message }
        });
    }

    /// Checks that every device is in one group, and that global ids have a channel.
    pub fn verify(&self, violations: &mut Violations) {
        self.verify_ids(violations);
        let mut ids: Vec<i64> = self.groups.ids.iter().copied().filter(|id| *id >= 0).collect();
        ids.sort_unstable();
        let is_unique = ids.windows(2).all(|pair| pair[0] != pair[1]);
        let missing = ids.into_iter().zip(0..).find(|(id, expected)| id != expected);
        if let Some((_, missing)) = missing.filter(|_| is_unique) {
            violations.messages.push(format!("device {missing} is in no group of `replica_groups`"));
        }
    }

    /// Checks that every device is in one group at most, and that global ids have a channel.
    pub fn verify_ids(&self, violations: &mut Violations) {
        if self.is_unresolved() {
            return;
        }
        let ids = &self.groups.ids;
        violations.require(ids.iter().all(|id| *id >= -1), || {
            "the ids in `replica_groups` should not be negative, but for the padding -1".into()
        });
        let mut real: Vec<i64> = ids.iter().copied().filter(|id| *id >= 0).collect();
        let count = real.len();
        real.sort_unstable();
        real.dedup();
        violations.require(count > 0, || "`replica_groups` should list the devices".into());
        violations.require(real.len() == count, || "a device is in `replica_groups` twice".into());
        violations.require(
            !self.use_global_device_ids || self.channel.is_some_and(|[handle, _]| handle > 0),
            || "`use_global_device_ids` needs a `channel_handle` with a positive handle".into(),
        );
    }

    /// Exchanges `inputs` within this device's group. Returns what every member gave, in the group's order, and this
    /// device's place in it.
    pub fn exchange(
        &self,
        op: &str,
        ids: Ids,
        inputs: Vec<Tensor>,
        cx: &mut dyn Context,
    ) -> Result<(Vec<Vec<Tensor>>, usize), EvalError> {
        let device = cx.device();
        let groups = self.devices(ids, cx);
        let place = groups.iter().find_map(|group| group.iter().position(|member| *member == device));
        let given = cx.exchange(op, &groups, inputs)?;
        match place {
            Some(place) => Ok((given, place)),
            None => Err(EvalError::new(format!("device {device} is in no group of {op}"))),
        }
    }

    /// The devices of each group, as far as this device's replica or partition goes. All members of a group see the same.
    pub fn devices(&self, ids: Ids, cx: &dyn Context) -> Vec<Vec<usize>> {
        let groups = self.groups.groups();
        let ids = ids.that_fit(groups.iter().flatten(), cx);
        groups.iter().map(|group| ids.devices(group, cx)).collect()
    }
}

/// Meaning of the ids of a collective (specification, "Process groups").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    /// Replicas, for each partition apart.
    Replicas,
    /// Replicas, all partitions of which take part.
    WholeReplicas,
    /// Partitions, for each replica apart.
    Partitions,
    /// Devices.
    Devices,
}

impl Ids {
    /// Of collectives that may take whole replicas.
    pub fn of_all(participants: &Participants) -> Self {
        match (has_channel(participants.channel), participants.use_global_device_ids) {
            (false, _) => Self::Replicas,
            (true, false) => Self::WholeReplicas,
            (true, true) => Self::Devices,
        }
    }

    /// Of collectives that take partitions if there is a channel.
    pub fn of_partitions(channel: Option<[i64; 2]>) -> Self {
        if has_channel(channel) { Self::Partitions } else { Self::Replicas }
    }

    /// These, or devices if some id is too large to be one of these.
    pub fn that_fit<'a>(self, all: impl IntoIterator<Item = &'a usize>, cx: &dyn Context) -> Self {
        let partitions = cx.partitions().max(1);
        let count = match self {
            Self::Replicas | Self::WholeReplicas => cx.num_devices() / partitions,
            Self::Partitions => partitions,
            Self::Devices => return self,
        };
        if all.into_iter().all(|id| *id < count) { self } else { Self::Devices }
    }

    /// The devices that `ids` name for this device.
    pub fn devices(self, ids: &[usize], cx: &dyn Context) -> Vec<usize> {
        let partitions = cx.partitions().max(1);
        let (replica, partition) = (cx.device() / partitions, cx.device() % partitions);
        let of_partition = |partition: usize| {
            ids.iter().map(move |replica| replica.saturating_mul(partitions).saturating_add(partition))
        };
        match self {
            Self::Replicas => of_partition(partition).collect(),
            Self::WholeReplicas => (0..partitions).flat_map(of_partition).collect(),
            Self::Partitions => {
                ids.iter().map(|partition| (replica * partitions).saturating_add(*partition)).collect()
            }
            Self::Devices => ids.to_vec(),
        }
    }
}

fn has_channel(channel: Option<[i64; 2]>) -> bool {
    channel.is_some_and(|[handle, _]| handle > 0)
}

/// The participants of a collective that stands in the backward pass for another one: the same, on a channel of their own.
pub(super) fn going_back(v: &Vjp<'_>, participants: &Participants) -> Participants {
    Participants { channel: channel_back(v, participants.channel), ..participants.clone() }
}

/// A channel that no collective of the function has, if one is given.
pub(super) fn channel_back(v: &Vjp<'_>, channel: Option<[i64; 2]>) -> Option<[i64; 2]> {
    let [_, kind] = channel.filter(|_| has_channel(channel))?;
    let of = |op: &Op| match op {
        Op::CollectivePermute(permute) => permute.channel,
        op => op.participants().and_then(|participants| participants.channel),
    };
    let last = v.body.insts.values().filter_map(|inst| of(&inst.op)).map(|[handle, _]| handle).max();
    Some([last.unwrap_or(0).max(0) + 1, kind])
}

/// Takes `channel_handle` out of a generic form: its handle and type.
pub fn read_channel(attributes: &mut AttrReader<'_>) -> Result<Option<[i64; 2]>, String> {
    let Some(attribute) = attributes.take("channel_handle") else {
        return Ok(None);
    };
    let mut fields = DialectFields::of(&attribute, "stablehlo.channel_handle")?;
    let channel = [fields.int_or("handle", 0)?, fields.int_or("type", 0)?];
    fields.finish()?;
    Ok(Some(channel))
}

/// Writes `channel_handle` back.
pub fn set_channel(attributes: &mut Attributes, channel: Option<[i64; 2]>) {
    if let Some([handle, kind]) = channel {
        let text = format!("#stablehlo.channel_handle<handle = {handle}, type = {kind}>");
        attributes.set("channel_handle", Attr::Dialect(text.into()));
    }
}

/// Takes `source_target_pairs` (a table of two columns) out of a generic form.
pub fn read_pairs(attributes: &mut AttrReader<'_>) -> Result<Vec<[i64; 2]>, String> {
    read_pairs_opt(attributes)?.ok_or_else(|| "attribute `source_target_pairs` is missing".to_owned())
}

/// As [`read_pairs`]; `None` when missing.
pub fn read_pairs_opt(attributes: &mut AttrReader<'_>) -> Result<Option<Vec<[i64; 2]>>, String> {
    let name = "source_target_pairs";
    let Some(attribute) = attributes.take(name) else {
        return Ok(None);
    };
    let table = ReplicaGroups::from_attribute(name, &attribute)?;
    if table.shape[1] != 2 && table.shape[0] != 0 {
        return Err("C1: `source_target_pairs` should have two columns".into());
    }
    Ok(Some(table.ids.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()))
}

/// Writes `source_target_pairs` back.
pub fn set_pairs(attributes: &mut Attributes, pairs: &[[i64; 2]]) {
    let ids: Vec<i64> = pairs.iter().flatten().copied().collect();
    attributes.set("source_target_pairs", ReplicaGroups { shape: [pairs.len(), 2], ids }.to_attribute());
}

/// Combines contributions in order with region 0 of a collective, so that all members get the same bits.
pub fn combine(
    view: &InstView<'_>,
    contributions: impl IntoIterator<Item = Tensor>,
    cx: &mut dyn Context,
) -> Result<Tensor, EvalError> {
    let mut contributions = contributions.into_iter();
    let Some(mut total) = contributions.next() else {
        return Err(EvalError::new("a collective without contributions"));
    };
    let binary = reducer(view.body, view.region(0));
    for next in contributions {
        total = match binary {
            Some(binary) => binary.apply(&total, &next)?,
            None => call_on_elements(view, &total, &next, cx)?,
        };
    }
    Ok(total)
}

/// Any region, applied to one pair of elements after the other.
fn call_on_elements(
    view: &InstView<'_>,
    left: &Tensor,
    right: &Tensor,
    cx: &mut dyn Context,
) -> Result<Tensor, EvalError> {
    let len = left.num_elements();
    if len == 0 {
        return Ok(left.clone());
    }
    let flat = [left.reshape(&[len])?, right.reshape(&[len])?];
    let mut combined = Vec::with_capacity(len);
    for at in 0..len {
        let element = |side: &Tensor| side.slice(&[at], &[at + 1], &[1])?.reshape(&[]);
        let args = vec![element(&flat[0])?, element(&flat[1])?];
        let results = cx.call_region(view.inst.regions[0], args)?;
        combined.push(results[0].reshape(&[1])?);
    }
    Tensor::concatenate(&combined, 0)?.reshape(left.shape())
}

/// Part `place` of a tensor that is cut into parts of `size` along `dim`.
pub fn part(x: &Tensor, dim: usize, place: usize, size: usize) -> Result<Tensor, EvalError> {
    let (mut start, mut limit) = (vec![0; x.rank()], x.shape().to_vec());
    start[dim] = place * size;
    limit[dim] = (place + 1) * size;
    x.slice(&start, &limit, &vec![1; x.rank()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uneven_groups_are_padded() {
        let groups = vec![vec![0, 2, 3], vec![1]];
        let table = ReplicaGroups::new(&groups);
        assert_eq!((table.shape, table.ids.as_slice()), ([2, 3], &[0, 2, 3, 1, -1, -1][..]));
        assert_eq!(table.groups(), groups);
        assert_eq!(table.group_size(), None);
        assert_eq!(ReplicaGroups::new(&[vec![0], vec![1]]).group_size(), Some(1));
        let attribute = table.to_attribute();
        assert_eq!(attribute.to_string(), "dense<[[0, 2, 3], [1, -1, -1]]> : tensor<2x3xi64>");
        assert_eq!(ReplicaGroups::from_attribute("replica_groups", &attribute), Ok(table));
    }

    #[test]
    fn devices_are_in_one_group() {
        let problems = |participants: Participants| {
            let mut violations = Violations::default();
            participants.verify(&mut violations);
            violations.messages.len()
        };
        assert_eq!(problems(Participants::of(&[vec![0, 1], vec![2, 3]])), 0);
        assert_eq!(problems(Participants::of(&[vec![0, 1], vec![1, 3]])), 1);
        assert_eq!(problems(Participants::of(&[])), 1);
        let global = Participants { use_global_device_ids: true, ..Participants::of(&[vec![0]]) };
        assert_eq!(problems(global.clone()), 1);
        assert_eq!(problems(Participants { channel: Some([1, 1]), ..global }), 0);
    }
}
