//! Where the groups of a pipeline lie on the machine.
//!
//! Input: a machine and groups. Output: [`Layout`]: the devices of each group, and the machine that they are by themselves.
//! Groups are blocks of neighboring devices, or each is spread over more hosts than it needs, so that groups that hand values
//! to one another lie on one host, and what is inside of a group crosses hosts.

use meshwright_machine::{LinkKind, Machine};

use super::refused;
use crate::error::CompileError;
use crate::options::{GroupHosts, MeshChoice, Options};

/// Devices of groups.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// The machine's number of each device of each group.
    pub(super) groups: Vec<Vec<usize>>,
    /// What each group is by itself.
    pub(super) parts: Vec<Machine>,
}

impl Layout {
    /// The devices of each group.
    pub(super) fn devices(&self) -> Vec<&[usize]> {
        self.groups.iter().map(Vec::as_slice).collect()
    }

    /// As the options, or their plan, say: equal blocks, or those of meshes of their own, or groups on so many hosts.
    ///
    /// # Errors
    /// [`CompileError::Options`]: devices that do not divide.
    pub(super) fn of(machine: &Machine, groups: usize, options: &Options) -> Result<Self, CompileError> {
        let sizes = sizes(groups, options)?;
        let layout = match (sizes, hosts_asked(options)) {
            (Some(sizes), None) => return Self::of_sizes(machine, &sizes),
            (Some(_), Some(_)) => return Err(refused::spread_of_unlike()),
            (None, None) => Self::blocks(machine, groups)?,
            (None, Some(hosts)) => Self::on_hosts(machine, groups, hosts)
                .ok_or_else(|| refused::hosts(machine, groups, hosts, &hosts_of_groups(machine, groups)))?,
        };
        let mesh = options.mesh.as_ref();
        let each = layout.groups.first().map_or(0, Vec::len);
        match mesh.map(MeshChoice::num_devices).filter(|wanted| groups > 1 && *wanted != each) {
            Some(wanted) => Err(refused::mesh_of_groups(machine, groups, wanted, each)),
            None => Ok(layout),
        }
    }

    /// Equal blocks of neighboring devices.
    ///
    /// # Errors
    /// [`CompileError::Options`]: devices that do not divide.
    pub(super) fn blocks(machine: &Machine, groups: usize) -> Result<Self, CompileError> {
        let part = refused::part(machine, groups)?;
        let size = part.num_devices();
        let devices = (0..groups).map(|group| (group * size..(group + 1) * size).collect());
        Ok(Self { groups: devices.collect(), parts: vec![part; groups] })
    }

    /// Groups of these sizes, one behind the other.
    fn of_sizes(machine: &Machine, sizes: &[usize]) -> Result<Self, CompileError> {
        let (mut groups, mut parts, mut start) = (Vec::new(), Vec::new(), 0);
        let all: usize = sizes.iter().sum();
        if all != machine.num_devices() {
            return Err(refused::other_sizes(machine, sizes));
        }
        for size in sizes {
            let part = machine.block(start, *size);
            parts.push(part.ok_or_else(|| refused::no_block(machine, start, *size))?);
            groups.push((start..start + size).collect());
            start += size;
        }
        Ok(Self { groups, parts })
    }

    /// Equal groups, each on so many hosts; none if that is not possible.
    pub(super) fn on_hosts(machine: &Machine, groups: usize, hosts: usize) -> Option<Self> {
        let (local, outer) = host(machine)?;
        let all = machine.num_devices();
        let size = all.checked_div(groups).filter(|size| size * groups == all && *size > 0)?;
        let each = size.checked_div(hosts).filter(|each| each * hosts == size)?;
        if !local.is_multiple_of(each) || !outer.is_multiple_of(hosts) || each == 0 {
            return None;
        }
        // A block of hosts has as many groups as a host has parts of them.
        let together = local / each;
        let devices = |group: usize| {
            let (block, place) = (group / together, group % together);
            let hosts = (0..hosts).map(move |host| (block * hosts + host) * local + place * each);
            hosts.flat_map(move |start| start..start + each).collect()
        };
        let mut sizes = vec![each];
        let mut open = hosts;
        for level in &machine.levels()[1..] {
            let taken = open.min(level.size);
            if !open.is_multiple_of(taken) || !level.size.is_multiple_of(taken) {
                return None;
            }
            sizes.push(taken);
            open /= taken;
        }
        let part = machine.with_sizes(&sizes)?;
        Some(Self { groups: (0..groups).map(devices).collect(), parts: vec![part; groups] })
    }
}

/// The hosts that the options, or their plan, say of each group.
pub(super) fn hosts_asked(options: &Options) -> Option<usize> {
    let asked = match options.group_hosts {
        Some(GroupHosts::Number(hosts)) => Some(hosts),
        Some(GroupHosts::Search) | None => None,
    };
    options.plan.as_ref().map_or(asked, |plan| plan.group_hosts)
}

/// Devices of a host and the number of hosts; none on a machine whose innermost links are no host's, or whose links are shared
/// by all that lie between their ends.
pub(super) fn host(machine: &Machine) -> Option<(usize, usize)> {
    let is_torus = |kind: &LinkKind| matches!(kind, LinkKind::Torus { .. });
    let (inner, outer) = machine.levels().split_first()?;
    let has_torus = machine.levels().iter().any(|level| is_torus(&level.kind));
    let hosts: usize = outer.iter().map(|level| level.size).product();
    (!has_torus && hosts > 1 && inner.size > 1).then_some((inner.size, hosts))
}

/// Numbers of hosts that each of so many equal groups can be on, the fewest first: blocks of neighbors.
pub(super) fn hosts_of_groups(machine: &Machine, groups: usize) -> Vec<usize> {
    let Some((_, outer)) = host(machine) else { return Vec::new() };
    (1..=outer).filter(|hosts| Layout::on_hosts(machine, groups, *hosts).is_some()).collect()
}

/// Devices of each group, if they have meshes of their own.
fn sizes(groups: usize, options: &Options) -> Result<Option<Vec<usize>>, CompileError> {
    if let Some(plan) = options.plan.as_ref().filter(|plan| !plan.groups.is_empty()) {
        let size = |group: usize| {
            let own = plan.groups.iter().find(|own| own.groups.contains(&group));
            own.map_or(&plan.mesh, |own| &own.mesh).iter().map(|axis| axis.size).product()
        };
        return Ok(Some((0..groups).map(size).collect()));
    }
    if options.group_meshes.is_empty() {
        return Ok(None);
    }
    if options.group_meshes.len() != groups {
        return Err(refused::other_number_of_meshes(options.group_meshes.len(), groups));
    }
    Ok(Some(options.group_meshes.iter().map(MeshChoice::num_devices).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_blocks_or_spread_over_hosts() {
        let machine = Machine::from_spec("h100:4x8").unwrap();
        assert_eq!(hosts_of_groups(&machine, 4), [1, 2, 4]);
        let block = Layout::blocks(&machine, 4).unwrap();
        assert_eq!(Layout::on_hosts(&machine, 4, 1).unwrap(), block);
        let spread = Layout::on_hosts(&machine, 4, 4).unwrap();
        assert_eq!(spread.groups[1], [2, 3, 10, 11, 18, 19, 26, 27]);
        assert_eq!(spread.parts[0].spec(), "h100:4x2");
        let pairs = Layout::on_hosts(&machine, 4, 2).unwrap();
        assert_eq!(pairs.groups[1], [4, 5, 6, 7, 12, 13, 14, 15]);
        assert_eq!(pairs.groups[2][..4], [16, 17, 18, 19]);
        assert!(hosts_of_groups(&Machine::from_spec("cpu8").unwrap(), 2).is_empty());
        assert!(hosts_of_groups(&Machine::from_spec("tpu_v4:4x4x4").unwrap(), 2).is_empty());
    }

    #[test]
    fn groups_of_other_sizes_lie_inside_of_hosts_or_on_whole_ones() {
        let machine = Machine::from_spec("h100:2x8").unwrap();
        let layout = Layout::of_sizes(&machine, &[8, 4, 2, 2]).unwrap();
        assert_eq!(layout.groups[2], [12, 13]);
        assert_eq!(layout.parts[1].spec(), "h100:1x4");
        assert!(Layout::of_sizes(&machine, &[4, 8, 4]).is_err());
        assert!(Layout::of_sizes(&machine, &[8, 4]).is_err());
    }
}
