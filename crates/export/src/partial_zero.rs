//! ZeRO that holds for a part of the state alone: a plan shards what its devices divide, while frameworks shard buffers
//! that they pad, and so all of it.
//!
//! Input: a plan. Output: [`PartialZero`], which targets that pad shards take for the whole stage, or leave out; the job's
//! files say which.

use crate::job::{Axis, Kind, axis_name};
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::PlanTensor;

/// A stage of ZeRO that holds for a part of what it shards. Stages 1 and 2 alone: they send what the stage below sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartialZero {
    /// The stage.
    pub stage: usize,
    /// The share of the moments or gradients, in percent.
    pub percent: f64,
}

impl PartialZero {
    /// That of a plan with these axes, where a stage beyond its own holds for a part.
    pub fn of(plan: &PlanFile, axes: &[Axis]) -> Option<Self> {
        plan.parallelism.iter().find_map(|said| Self::said(said)).or_else(|| {
            let percent = moments_over_data(plan, axes);
            (plan.degrees.zero == 0 && percent > 0.0).then_some(Self { stage: 1, percent })
        })
    }

    /// That which a part of the description of a plan says: `ZeRO-2 for 35 % of the gradients`.
    pub fn said(text: &str) -> Option<Self> {
        let (stage, rest) = text.strip_prefix("ZeRO-")?.split_once(" for ")?;
        let stage = stage.parse().ok().filter(|stage| [1, 2].contains(stage))?;
        let percent: f64 = rest.split_once(" %")?.0.parse().ok()?;
        percent.is_finite().then_some(Self { stage, percent })
    }

    /// Name of what is sharded.
    pub fn what(&self) -> &'static str {
        if self.stage == 1 { "moments" } else { "gradients" }
    }
}

/// The share of the bytes of moments that is sharded over devices that share the batch, beyond their parameters' shards.
fn moments_over_data(plan: &PlanFile, axes: &[Axis]) -> f64 {
    let is_data = |name: &String| {
        axes.iter().any(|axis| axis.name == axis_name(name) && axis.kind == Kind::Data && axis.size > 1)
    };
    let bytes = |tensor: &PlanTensor| {
        let of =
            |name: &String| axes.iter().find(|axis| axis.name == axis_name(name)).map_or(1, |axis| axis.size);
        let shards: usize = tensor.sharding.iter().flatten().map(of).product();
        tensor.bytes_per_device as f64 * shards as f64
    };
    let moments: Vec<&PlanTensor> =
        plan.arguments.iter().filter(|argument| argument.role.as_deref() == Some("moment")).collect();
    let sharded = moments.iter().filter(|moment| moment.sharding.iter().flatten().any(is_data));
    let (sharded, all): (f64, f64) =
        (sharded.map(|moment| bytes(moment)).sum(), moments.iter().map(|moment| bytes(moment)).sum());
    if sharded > 0.0 { (100.0 * sharded / all).round().max(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_plans_say_them() {
        let said = PartialZero::said("ZeRO-2 for 35 % of the gradients");
        assert_eq!(said, Some(PartialZero { stage: 2, percent: 35.0 }));
        for other in
            ["ZeRO-2", "ZeRO-3 for 66 % of the parameters", "ZeRO-2 over 2 for 35 % of the gradients"]
        {
            assert_eq!(PartialZero::said(other), None, "{other}");
        }
    }
}
