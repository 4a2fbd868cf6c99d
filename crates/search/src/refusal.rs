//! Errors of the search: why nothing is searched, and what to do about it.

use meshwright_ir::mesh::Mesh;
use meshwright_transform::time::divisors;
use std::fmt;

use crate::strategies::degrees::ParallelDegrees;

/// Reason for which there is no plan to look for. Displayed as a message without the hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The fixed mesh is not of the machine's number of devices.
    FixedMesh {
        /// The mesh.
        mesh: Box<Mesh>,
        /// Devices of the machine.
        devices: usize,
    },
    /// The machine has no mesh to choose from.
    NoMesh,
    /// No plan that was found keeps to the constraints.
    NotAllowed(String),
    /// Text that says no degrees of parallelism.
    Unreadable(String),
    /// Degrees that multiply to another number than the machine's devices.
    OtherDevices {
        /// The degrees.
        degrees: ParallelDegrees,
        /// Their product.
        product: usize,
        /// Devices of the machine.
        devices: usize,
    },
    /// Shards of parameters over a part of the replicas, which they do not divide.
    PartOfReplicas {
        /// The degrees.
        degrees: ParallelDegrees,
        /// Devices of the batch.
        dp: usize,
        /// Those of each part.
        fsdp: usize,
    },
    /// Degrees that do not divide the machine's devices.
    DoNotDivide {
        /// The degrees.
        degrees: ParallelDegrees,
        /// Devices of the machine.
        devices: usize,
    },
    /// Degrees of which one would lie unevenly across hosts.
    Uneven(ParallelDegrees),
    /// Degrees that cut the step into stages of a pipeline.
    Stages(ParallelDegrees),
    /// A degree for which the program has nothing to shard.
    NothingFor {
        /// The degree, such as `tp`.
        degree: &'static str,
        /// The lack.
        why: Lack,
    },
}

/// Lack of a program for a degree of parallelism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Data among the arguments.
    Data,
    /// Experts.
    Experts,
    /// A batch that so many devices divide.
    Batch {
        /// The devices.
        devices: usize,
        /// So many times as many, with those that share experts.
        experts: usize,
        /// The sizes that it has.
        sizes: Vec<usize>,
    },
    /// Dims that so many devices divide.
    Dims {
        /// The devices.
        devices: usize,
        /// Style that would shard them, such as `tensor parallel`.
        style: &'static str,
        /// Things along such dims, such as experts, and the sizes that there are, where these are known.
        sizes: Option<(&'static str, Vec<usize>)>,
    },
}

/// The greatest number that divides both.
fn common_divisor(mut one: usize, mut other: usize) -> usize {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

impl Refusal {
    /// Advice for what to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::FixedMesh { devices, .. } => Some(format!("give sizes that multiply to {devices}")),
            Self::OtherDevices { devices, .. } => Some(format!(
                "give degrees that multiply to {devices}; without `dp` it is what the others leave"
            )),
            Self::PartOfReplicas { dp, .. } => {
                let divisors: Vec<String> = divisors(*dp).iter().map(usize::to_string).collect();
                Some(format!("give one of {} as `fsdp`", divisors.join(", ")))
            }
            Self::DoNotDivide { devices, .. } => {
                let divisors: Vec<String> = divisors(*devices).iter().map(usize::to_string).collect();
                Some(format!("give degrees that multiply to one of {}", divisors.join(", ")))
            }
            Self::Uneven(_) => {
                Some("give degrees that divide the devices of a host, or are multiples of them".to_owned())
            }
            Self::Stages(_) => Some("leave out `pp` and `vp`".to_owned()),
            Self::NothingFor { why: Lack::Batch { experts: 2.., .. }, degree } => {
                Some(format!("give a `{degree}` and an `ep` whose product divides the batch"))
            }
            Self::NothingFor { why: Lack::Batch { .. }, degree } => {
                Some(format!("give a `{degree}` that divides the batch"))
            }
            Self::NothingFor { why: Lack::Dims { sizes: Some((_, sizes)), .. }, degree } => {
                let common = sizes.iter().copied().reduce(common_divisor).unwrap_or(1);
                let divisors: Vec<String> = divisors(common).iter().map(usize::to_string).collect();
                Some(format!("{} divide that: give one of these as `{degree}`", divisors.join(", ")))
            }
            Self::NothingFor { degree, .. } => Some(format!("leave out `{degree}`")),
            Self::NotAllowed(_) => Some("allow more, or price ways of your own with `--grid`".to_owned()),
            Self::NoMesh | Self::Unreadable(_) => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FixedMesh { mesh, devices } => {
                let wanted = mesh.num_devices();
                write!(f, "the mesh {mesh} has {wanted} devices, but the machine has {devices}")
            }
            Self::NoMesh => f.write_str("there is no mesh to shard the program over"),
            Self::NotAllowed(constraints) => write!(f, "no plan that was found keeps to `{constraints}`"),
            Self::Unreadable(message) => f.write_str(message),
            Self::PartOfReplicas { degrees, dp, fsdp } => write!(
                f,
                "`{degrees}`: `fsdp` shards over some of the {dp} devices of `dp`, which {fsdp} does not divide"
            ),
            Self::OtherDevices { degrees, product, devices } => {
                write!(f, "`{degrees}` is for {product} devices, but the machine has {devices}")
            }
            Self::DoNotDivide { degrees, devices } => {
                write!(f, "the degrees of `{degrees}` do not divide the machine's {devices} devices")
            }
            Self::Uneven(degrees) => write!(
                f,
                "`{degrees}` does not fit the machine's hosts: an axis would lie unevenly across them"
            ),
            Self::Stages(degrees) => {
                write!(f, "`{degrees}`: this plan is not cut into stages of a pipeline")
            }
            Self::NothingFor { degree, why: why @ Lack::Batch { .. } } => write!(f, "{degree}={why}"),
            Self::NothingFor { degree, why } => {
                write!(f, "the program has nothing for `{degree}`: {why}")
            }
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data => f.write_str("none of its arguments is data that could be sharded"),
            Self::Experts => f.write_str("it has no experts to share among devices"),
            Self::Batch { devices, experts, sizes } => {
                let times = if *experts > 1 { format!(" times ep={experts}") } else { String::new() };
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                write!(f, "{devices}{times} does not divide the batch of {}", sizes.join(" or "))
            }
            Self::Dims { devices, style, sizes } => {
                let Some((what, sizes)) = sizes else {
                    return write!(f, "none of its dims can be cut in {devices} for {style}");
                };
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                let sizes = sizes.join(" or ");
                write!(f, "no dims that {devices} divides for {style} over {devices}: {what} are {sizes}")
            }
        }
    }
}

impl std::error::Error for Refusal {}
