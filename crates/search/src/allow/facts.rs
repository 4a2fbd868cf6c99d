//! What constraints are asked of: degrees, and the links that their devices reach one another by.

use crate::refusal::Refusal;
use crate::strategies::degrees::ParallelDegrees;
use meshwright_analyze::Recognized;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_machine::Machine;
use meshwright_plan::{DegreeName, Degrees, Placement};
use std::collections::BTreeMap;

/// Facts of a plan, or of a way that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The degrees, of one group if it is a pipeline.
    pub degrees: Degrees,
    /// Groups of devices that run stages, and the stages of each.
    stages: (usize, usize),
    /// For each degree of more than one device the outermost level of links between them, by position.
    reach: BTreeMap<DegreeName, usize>,
    /// What the levels are called, the innermost first.
    levels: Vec<String>,
}

impl Facts {
    /// Those of a plan as it was recognized.
    pub fn of_plan(recognized: &Recognized, mesh: &Mesh, machine: &Machine) -> Self {
        let axes = DegreeName::ALL.map(|name| (name, recognized.axes_of(name)));
        Self::on(machine, mesh, recognized.degrees(mesh), axes.into_iter().collect())
    }

    /// Those of a way that was asked for.
    ///
    /// # Errors
    /// It does not fit the machine.
    pub fn of_way(way: &ParallelDegrees, machine: &Machine) -> Result<Self, Refusal> {
        let degrees = way.degrees(machine.num_devices())?;
        let group = way.group_of(machine)?;
        let laid = way.inside().lay(&group)?;
        let axes = DegreeName::ALL.map(|name| (name, laid.axes_of(name)));
        let mut facts = Self::on(&group, &laid.mesh, degrees, axes.into_iter().collect());
        facts.stages = (way.groups(), way.virtual_stages());
        facts.reach.extend(reach_of_stages(way.groups(), machine, &group));
        Ok(facts)
    }

    /// Those of so many groups with so many stages each, whatever is inside of them; `group` is what one has of the machine.
    pub fn of_stages(stages: (usize, usize), machine: &Machine, group: &Machine) -> Self {
        let reach = reach_of_stages(stages.0, machine, group).into_iter().collect();
        let levels = machine.levels().iter().map(|level| level.name.clone()).collect();
        Self { degrees: Degrees::default(), stages, reach, levels }
    }

    /// The number of a degree.
    pub(crate) fn number(&self, name: DegreeName) -> usize {
        match name {
            DegreeName::Pp => self.stages.0,
            DegreeName::Vp => self.stages.1,
            name => self.degrees.get(name),
        }
    }

    fn on(machine: &Machine, mesh: &Mesh, degrees: Degrees, axes: BTreeMap<DegreeName, AxisSet>) -> Self {
        let placement = Placement::new(machine.clone(), mesh.clone()).expect("the mesh is the machine's");
        let outermost = |axes: AxisSet| {
            let axes: Vec<SubAxisId> = axes.iter().collect();
            placement.crossings(&axes).iter().map(|crossing| crossing.level_index).max()
        };
        let reach = axes.into_iter().filter_map(|(name, axes)| Some((name, outermost(axes)?))).collect();
        let levels = machine.levels().iter().map(|level| level.name.clone()).collect();
        Self { degrees, stages: (1, 1), reach, levels }
    }

    /// Returns whether the devices of a degree reach one another without links outside of a level.
    pub(crate) fn is_within(&self, degree: DegreeName, level: &str) -> bool {
        let Some(outermost) = self.reach.get(&degree) else { return true };
        self.levels.iter().position(|known| known == level).is_some_and(|level| *outermost <= level)
    }
}

/// The level of links over which stages go from group to group: the outermost of which a group has not all.
fn reach_of_stages(groups: usize, machine: &Machine, group: &Machine) -> Option<(DegreeName, usize)> {
    let levels = machine.levels().iter().zip(group.levels()).enumerate();
    let outermost = levels.filter(|(_, (all, own))| all.size > own.size).map(|(at, _)| at).max();
    outermost.filter(|_| groups > 1).map(|level| (DegreeName::Pp, level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allow::Constraints;

    #[test]
    fn each_clause_rules_ways_out() {
        let machine = Machine::from_spec("h100:4x8").unwrap();
        let broken = |clauses: &str, way: &str| {
            let facts = Facts::of_way(&way.parse().unwrap(), &machine).unwrap();
            let clauses: Constraints = clauses.parse().unwrap();
            clauses.broken(&facts).map(ToString::to_string)
        };
        for (clauses, allowed, ruled_out) in [
            ("dp=4", "tp=8", "tp=4"),
            ("dp!=4", "tp=4", "tp=8"),
            ("tp<=8", "tp=8", "tp=16"),
            ("tp<8", "tp=4", "tp=8"),
            ("cp>=2", "cp=2", "tp=2"),
            ("zero>0", "zero=1", "tp=8"),
            ("fsdp=2", "dp=16,fsdp=2", "dp=32"),
            ("sp=1", "tp=8", "tp=8,sp=8"),
            ("ep in 1,4", "ep=4", "ep=2"),
            ("pp in 1,2", "pp=2,tp=8", "pp=4,tp=8"),
            ("pp@nvlink", "tp=8", "pp=4,tp=8"),
            ("vp=1", "pp=4,tp=8", "pp=4,vp=2,tp=8"),
            ("tp@nvlink", "tp=8", "tp=16"),
            ("tp<=16@nvlink", "tp=8", "tp=16"),
            ("dp@infiniband", "dp=32", ""),
            ("dp@nvlink", "dp=1,tp=32", "dp=4,tp=8"),
            ("cp@nvlink", "cp=8", "cp=16"),
            ("ep@nvlink", "ep=8", "ep=16"),
            // What is 1 crosses no links, and a part of a degree only its own.
            ("sp@nvlink", "tp=16", "tp=16,sp=16"),
            ("sp<=8@nvlink", "tp=16,sp=8", "tp=16,sp=16"),
            ("fsdp@nvlink", "dp=32", "dp=32,zero=3"),
            ("fsdp@nvlink", "dp=32,zero=1", "fsdp=32"),
            ("fsdp<=8@nvlink", "dp=4,fsdp=8", "dp=2,fsdp=16"),
            ("fsdp@nvlink", "dp=1,ep=8,tp=4,zero=1", "dp=1,ep=8,tp=4,zero=3"),
        ] {
            assert_eq!(broken(clauses, allowed), None, "{clauses}");
            if !ruled_out.is_empty() {
                assert_eq!(broken(clauses, ruled_out).as_deref(), Some(clauses));
            }
        }
        let strange: Constraints = "tp@ethernet".parse().unwrap();
        assert!(strange.suit(&machine).unwrap_err().contains("there are nvlink, infiniband"));
    }

    #[test]
    fn what_holds_of_every_plan_without_stages_is_no_constraint_on_one() {
        for (clauses, left) in [("pp=1, vp in 1,2", ""), ("pp<=4, tp<=8", "tp<=8"), ("pp>1", "pp>1")] {
            let clauses: Constraints = clauses.parse().unwrap();
            assert_eq!(clauses.of_one_group().to_string(), left, "{clauses}");
        }
    }
}
