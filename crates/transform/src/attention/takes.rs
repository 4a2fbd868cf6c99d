//! What a platform's attention takes, and why an attention is left as it is written.

use meshwright_ir::ids::InstId;
use meshwright_tensor::types::ElementType;
use std::fmt;

/// Attention that a platform has a kernel for.
#[derive(Clone, Debug)]
pub struct Takes {
    /// Its name for people, as in `cuDNN's attention takes bf16 and f16`.
    pub name: &'static str,
    /// Its name in plans.
    pub id: &'static str,
    /// Types of queries, keys and values.
    pub elements: &'static [ElementType],
    /// The most features of a head.
    pub features: usize,
    /// What the number of features is a multiple of.
    pub multiple: usize,
    /// Whether values may have fewer features than keys; where they may not, they get zeros.
    pub fewer_values: bool,
    /// What the targets of its calls begin with.
    pub prefix: &'static str,
}

impl Takes {
    /// cuDNN's flash attention on devices of Hopper's generation and later. From version 9.10 on it takes values with fewer
    /// features than keys, as latent attention has them.
    pub const CUDNN_HOPPER: Self = Self {
        name: "cuDNN",
        id: "cudnn-hopper",
        elements: &[ElementType::Bf16, ElementType::F16],
        features: 256,
        multiple: 8,
        fewer_values: true,
        prefix: "__cudnn$fmha",
    };

    /// The same on devices of Ampere's and Ada's generations.
    pub const CUDNN_AMPERE: Self =
        Self { id: "cudnn-ampere", features: 128, fewer_values: false, ..Self::CUDNN_HOPPER };

    /// The fused attention of Ascend devices (`npu_fusion_attention`).
    pub const NPU: Self = Self {
        name: "the NPU's fused attention",
        id: "npu-fusion",
        elements: &[ElementType::Bf16, ElementType::F16],
        features: 512,
        multiple: 16,
        fewer_values: false,
        prefix: "__npu$fmha",
    };

    /// All of them.
    pub const ALL: [&'static Self; 3] = [&Self::CUDNN_HOPPER, &Self::CUDNN_AMPERE, &Self::NPU];

    /// Returns whether it is called as another one is.
    pub fn is_called_as(&self, other: &Self) -> bool {
        self.prefix == other.prefix
    }

    /// The one that plans call so.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|takes| takes.id == id)
    }

    /// The one of an NVIDIA GPU of this compute capability.
    pub fn of_cuda(major: u32) -> Option<&'static Self> {
        match major {
            9.. => Some(&Self::CUDNN_HOPPER),
            8 => Some(&Self::CUDNN_AMPERE),
            _ => None,
        }
    }
}

/// An attention that a program writes out.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The exponential of its softmax, in the function that was read.
    pub exponential: InstId,
    /// What became of it.
    pub outcome: Result<Recognized, Reason>,
}

/// An attention that has become calls of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognized {
    /// Without a gradient.
    Forward,
    /// With its gradient.
    WithGradient,
    /// Computed again for its gradient, as the program says; the first time is an attention of its own.
    Again,
}

/// Cause for which an attention is left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Elements of another type than the kernel takes.
    Element(ElementType, &'static Takes),
    /// A number of features that it does not take.
    Features(usize, &'static Takes),
    /// Values with more features than keys.
    Values(usize, usize),
    /// An odd number of queries or keys with a bias that has a gradient.
    OddLength(usize),
    /// Scores bounded by a tangent.
    Capped,
    /// More in the softmax than scores and a sink: it is joined to them along the keys, or added to what they sum up to.
    Joined,
    /// Probabilities that something changes before they meet the values.
    Changed,
    /// Probabilities that something else needs: the name of an op that reads them.
    ReadElsewhere(&'static str),
    /// A gradient that is none of this attention alone.
    Gradient,
    /// A mask or bias that has no form that the kernel takes.
    Bias,
    /// A mask that leaves a query no key.
    Unseen,
    /// Several masks that may together leave a query no key.
    Hidden,
    /// Dims that are no batches, heads, queries and keys.
    Dims,
    /// Something that is not there yet, or not in the loop of the gradient, where the kernel would run.
    Place,
}

impl PartialEq for Takes {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Takes {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(element, takes) => {
                let all: Vec<String> = takes.elements.iter().map(ToString::to_string).collect();
                write!(f, "its elements are {element}; {} takes {}", takes.name, all.join(" and "))
            }
            Self::Features(features, Takes { name, features: most, multiple, .. }) => {
                write!(f, "a head has {features} features; {name} takes multiples of {multiple} up to {most}")
            }
            Self::Values(features, values) => {
                write!(f, "keys have {features} features, values {values}")
            }
            Self::OddLength(length) => {
                write!(f, "the bias has a gradient, and {length} positions are an odd number")
            }
            Self::Capped => f.write_str("the scores are capped by a tangent"),
            Self::Joined => f.write_str("its softmax is over more than its keys and one sink for each head"),
            Self::Changed => {
                f.write_str("the probabilities are changed before they meet the values, as by dropout")
            }
            Self::ReadElsewhere(op) => write!(f, "the probabilities are needed elsewhere, by `{op}`"),
            Self::Gradient => f.write_str("its gradient is not that of an attention"),
            Self::Bias => f.write_str("its mask or bias has a form that the kernel does not take"),
            Self::Unseen => {
                f.write_str("its mask leaves a query no key, for which the kernel computes something else")
            }
            Self::Hidden => f.write_str(
                "its masks together may leave a query no key, for which the kernel computes something else",
            ),
            Self::Dims => f.write_str("its dims are not those of batches, heads, queries and keys"),
            Self::Place => f.write_str("what the kernel needs is not there where it would run"),
        }
    }
}
