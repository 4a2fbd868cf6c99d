//! The figures by which people compare plans: how much of the machine is used, where the time and the memory go, what a
//! step costs. Each is defined in `docs/plan.md`.

use serde::{Deserialize, Serialize};

/// The figures of a plan. Seconds are of one step, bytes of one device, flops of all devices unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Products of the model once, a multiply-add as two operations, attention in full.
    pub model_flops: f64,
    /// The same with attention counted half: no token sees those behind it.
    pub model_flops_causal: f64,
    /// Products that all devices compute, with what is recomputed, computed by several of them, or padded.
    pub executed_flops: f64,
    /// The arithmetic in which most products run: `bf16`, `tf32`, ...
    pub arithmetic: String,
    /// Peak dense rate of one device in that arithmetic, in operations per second.
    pub peak_flops_per_second: f64,
    /// Model flops per second, out of the peak of all devices.
    pub mfu: f64,
    /// The same with attention counted half.
    pub mfu_causal: f64,
    /// Executed flops per second, out of the peak of all devices.
    pub hfu: f64,
    /// What a step is fed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throughput: Option<Throughput>,
    /// Device-hours and money.
    pub cost: StepCost,
    /// From the ideal to the step: every part adds its seconds.
    pub waterfall: Vec<Share>,
    /// The same seconds by kind of work.
    pub by_kind: Vec<Share>,
    /// The same seconds by what has to get faster for them to get less.
    pub bound_by: Vec<Share>,
    /// What each block of the model takes, where the program says which instructions are of one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_block: Vec<BlockPart>,
    /// The place of one device's step beside its roofline.
    pub roofline: Roofline,
    /// What takes the memory of the device.
    pub memory: Vec<MemoryPart>,
    /// The groups of devices that work together along each axis.
    pub process_groups: Vec<ProcessGroups>,
}

/// Data that a step takes, and their rate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throughput {
    /// `tokens`, or `samples` where data has no tokens.
    pub unit: String,
    /// Samples of a step: the batch.
    pub samples_per_step: u64,
    /// Units of a step.
    pub per_step: u64,
    /// Units per second, by all devices.
    pub per_second: f64,
    /// Units per second and device.
    pub per_second_and_device: f64,
}

/// Cost of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepCost {
    /// Hours of one device in a step.
    pub device_hours_per_step: f64,
    /// Hours of one device for a billion tokens (or samples).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_hours_per_billion: Option<f64>,
    /// US dollars of a step, where the machine has a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars_per_step: Option<f64>,
    /// US dollars for a billion tokens (or samples).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars_per_billion: Option<f64>,
}

/// A part of the step's time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// What takes it.
    pub what: String,
    /// Seconds of one step.
    pub seconds: f64,
}

/// Costs of a block of the model on one device, all its layers together. Added up over blocks, seconds are those in which
/// the device works or waits for others, bytes those of the peak and of all collectives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockPart {
    /// The block: `attention`, `mlp`, `head`, ...; nothing for what is of none, as updates of parameters are.
    pub block: String,
    /// The group of devices, in a pipeline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<usize>,
    /// Operations of its products, forward and backward, with what is computed again or padded.
    pub product_flops: f64,
    /// Seconds in which it computes or moves data.
    pub work_seconds: f64,
    /// Seconds in which the device waits for its collectives.
    pub waiting_seconds: f64,
    /// Bytes that its collectives send.
    pub sent_bytes: u64,
    /// Bytes of its values that go to other stages.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub handed_bytes: u64,
    /// Bytes of its values and of arguments that it reads first, at the peak.
    pub peak_bytes: u64,
}

fn is_zero(bytes: &u64) -> bool {
    *bytes == 0
}

/// A step beside the roofline of its device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roofline {
    /// Operations per byte at which peak arithmetic and peak memory take equally long.
    pub ridge_flops_per_byte: f64,
    /// Operations per byte of the step's local work.
    pub step_flops_per_byte: f64,
}

/// Memory that one kind of content takes on one device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryPart {
    /// `parameters`, `gradients`, `optimizer state`, `activations`, ...
    pub what: String,
    /// Bytes at the peak.
    pub peak_bytes: u64,
    /// Bytes on average over the step.
    pub mean_bytes: u64,
}

/// Groups of devices along one axis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessGroups {
    /// The axis.
    pub axis: String,
    /// Devices of one group.
    pub size: usize,
    /// Groups.
    pub count: usize,
    /// How far neighbors of a group are apart in device numbers; `None`: there is no such rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stride: Option<usize>,
    /// Links that they cross, the outermost first.
    pub links: Vec<String>,
    /// The devices of the first group.
    pub first: Vec<usize>,
}

impl ProcessGroups {
    /// All groups, where there is a rule: group `g` of a mesh of `num_devices` devices in order.
    pub fn listed(&self, num_devices: usize) -> Vec<Vec<usize>> {
        let Some(stride) = self.stride else { return vec![self.first.clone()] };
        let span = stride * self.size;
        let starts = (0..num_devices).filter(|device| span > 0 && device % span < stride);
        starts.map(|start| (0..self.size).map(|member| start + member * stride).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_listed_by_their_rule() {
        let groups = |size, stride| ProcessGroups { size, stride: Some(stride), ..ProcessGroups::default() };
        assert_eq!(groups(2, 4).listed(8), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(groups(4, 1).listed(8), [[0, 1, 2, 3], [4, 5, 6, 7]]);
        assert_eq!(groups(2, 2).listed(8), [[0, 2], [1, 3], [4, 6], [5, 7]]);
    }
}
