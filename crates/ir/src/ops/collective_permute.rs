//! `stablehlo.collective_permute` (specification, "collective_permute").

use crate::attribute::Attributes;
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::Type;

use super::collective::{Ids, channel_back, read_channel, read_pairs, set_channel, set_pairs};
use super::collective_local::rule_but_for;

/// Sends the operand from each source to its target; a device that is no target gets zeros.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CollectivePermute {
    /// Source and target devices.
    pub pairs: Vec<[i64; 2]>,
    /// Handle and type of `channel_handle`, if it is given.
    pub channel: Option<[i64; 2]>,
}

impl OpDef for CollectivePermute {
    const NAMES: &'static [&'static str] = &["stablehlo.collective_permute"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { pairs: read_pairs(attributes)?, channel: read_channel(attributes)? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        set_pairs(&mut attributes, &self.pairs);
        set_channel(&mut attributes, self.channel);
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        violations.inferred(view);
        violations.require(self.pairs.iter().flatten().all(|id| *id >= 0), || {
            "C4: a device in `source_target_pairs` is negative".into()
        });
        for (side, constraint, name) in [(0, "C2", "source"), (1, "C3", "target")] {
            let mut ids: Vec<i64> = self.pairs.iter().map(|pair| pair[side]).collect();
            ids.sort_unstable();
            ids.dedup();
            violations.require(ids.len() == self.pairs.len(), || {
                format!("{constraint}: a device is a {name} twice in `source_target_pairs`")
            });
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        rule_but_for(view, &[])
    }

    fn traits(&self) -> OpTraits {
        OpTraits::COLLECTIVE
    }

    /// What targets pass back goes to their sources.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let pairs = self.pairs.iter().map(|[source, target]| [*target, *source]).collect();
        let back = Self { pairs, channel: channel_back(v, self.channel) };
        v.give_with(0, |v, cotangent| {
            let ty = v.ty(cotangent);
            v.emit(back, &[cotangent], ty)
        });
        Ok(())
    }

    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        let device = cx.device();
        let named = self.groups();
        let ids = Ids::of_partitions(self.channel).that_fit(named.iter().flatten(), cx);
        let groups: Vec<Vec<usize>> = named.iter().map(|group| ids.devices(group, cx)).collect();
        let ty = inputs[0].ty();
        let Some(group) = groups.iter().find(|group| group.contains(&device)) else {
            return Ok(vec![Tensor::zeros(&ty, cx.precision())?]);
        };
        let given = cx.exchange(self.name(), &groups, inputs)?;
        let source = self.pairs.iter().find_map(|pair| {
            let [source, target] = pair.map(|id| usize::try_from(id).ok());
            (ids.devices(&[target?], cx) == [device]).then(|| ids.devices(&[source?], cx).first().copied())?
        });
        let place = source.and_then(|source| group.iter().position(|member| *member == source));
        Ok(vec![match place {
            Some(place) => given[place][0].clone(),
            None => Tensor::zeros(&ty, cx.precision())?,
        }])
    }
}

impl CollectivePermute {
    /// Devices that reach each other through pairs, ascending: they wait for each other, others do not take part.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for pair in &self.pairs {
            let mut merged: Vec<usize> = pair.iter().filter_map(|id| usize::try_from(*id).ok()).collect();
            groups.retain_mut(|group| {
                let touches = group.iter().any(|member| merged.contains(member));
                if touches {
                    merged.append(group);
                }
                !touches
            });
            merged.sort_unstable();
            merged.dedup();
            groups.push(merged);
        }
        groups.sort_unstable();
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_the_chains_and_rings_of_pairs() {
        let groups = |pairs: &[[i64; 2]]| CollectivePermute { pairs: pairs.to_vec(), channel: None }.groups();
        assert_eq!(groups(&[[0, 1], [2, 3], [1, 0]]), [vec![0, 1], vec![2, 3]]);
        assert_eq!(groups(&[[4, 5], [0, 1], [5, 0]]), [vec![0, 1, 4, 5]]);
        assert_eq!(groups(&[[3, 3]]), [vec![3]]);
        assert!(groups(&[]).is_empty());
    }
}
