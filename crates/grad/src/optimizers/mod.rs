//! Optimizers as programs: what they keep of each parameter, and how a step changes both.
//!
//! Each is a file, and a line of [`OPTIMIZERS`]. What they compute is computed, and kept, in `f32` (`f64` for parameters of
//! it), whatever the parameters' own type is.

mod adafactor;
mod adamw;
mod lion;
mod muon;
mod sgd;

pub use adafactor::Adafactor;
pub use adamw::AdamW;
pub use lion::Lion;
pub use muon::Muon;
pub use sgd::Sgd;

use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::ValueId;
use meshwright_tensor::types::{ElementType, TensorType};

/// A tensor that is kept from step to step beside a parameter, zero at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What it is called.
    pub name: &'static str,
    /// Its shape.
    pub shape: Vec<usize>,
}

/// Weight decay of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decay {
    /// As the optimizer does it.
    Applied,
    /// None.
    LeftOut,
}

/// The place of a parameter in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A factor of products between hidden values.
    Hidden,
    /// Any other: an embedding, an output head, a gain, a bias.
    Other,
}

/// A parameter in a step, all of one element type.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its value.
    pub value: ValueId,
    /// Its gradient.
    pub gradient: ValueId,
    /// What is kept beside it, slot by slot.
    pub slots: Vec<ValueId>,
    /// Whether its weights decay.
    pub decay: Decay,
    /// The number of dims at its front that count tensors, each of which is a parameter by itself.
    pub stacks: usize,
    /// Its place in the network.
    pub place: Place,
}

/// A parameter after a step.
#[derive(Clone, Debug)]
pub struct Updated {
    /// Its value.
    pub value: ValueId,
    /// What is kept beside it.
    pub slots: Vec<ValueId>,
}

/// An optimizer.
pub trait Optimizer {
    /// What it keeps of a parameter of a shape, the first dims of which, as many as `stacks`, count tensors.
    fn slots(&self, shape: &[usize], stacks: usize, place: Place) -> Vec<Slot>;

    /// Changes a parameter; `step` is the number of the step, counted from 1, as a scalar of the parameter's element type.
    fn update(&self, b: &mut BodyBuilder<'_>, step: ValueId, parameter: &Parameter) -> Updated;
}

/// Settings that a user may give; those left out are as the authors have them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// The learning rate.
    pub learning_rate: Option<f64>,
    /// The weight decay.
    pub weight_decay: Option<f64>,
}

/// An optimizer that a user can ask for.
#[derive(Clone, Copy)]
pub struct Known {
    /// What it is called.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// The optimizer with these settings.
    pub of: fn(&Settings) -> Box<dyn Optimizer>,
}

/// All optimizers.
pub const OPTIMIZERS: &[Known] = &[
    Known {
        name: "adamw",
        summary: "moments of the gradient, decay apart from them",
        of: |settings| Box::new(AdamW::of(settings)),
    },
    Known { name: "sgd", summary: "descent with momentum", of: |settings| Box::new(Sgd::of(settings)) },
    Known {
        name: "adafactor",
        summary: "second moments of matrices by rows and columns",
        of: |settings| Box::new(Adafactor::of(settings)),
    },
    Known { name: "lion", summary: "the sign of a momentum", of: |settings| Box::new(Lion::of(settings)) },
    Known {
        name: "muon",
        summary: "orthogonal momentum of hidden matrices, AdamW for the rest",
        of: |settings| Box::new(Muon::of(settings)),
    },
];

/// The optimizer of a name.
pub fn known(name: &str) -> Option<&'static Known> {
    OPTIMIZERS.iter().find(|known| known.name == name)
}

/// The element type in which a parameter of another one is updated.
pub(crate) fn kept_element(element: ElementType) -> ElementType {
    if element == ElementType::F64 { element } else { ElementType::F32 }
}

/// `before` moved toward `value`: `share * before + (1 - share) * value`.
fn averaged(b: &mut BodyBuilder<'_>, before: ValueId, value: ValueId, share: f64) -> ValueId {
    let (before, value) = (b.scaled(before, share), b.scaled(value, 1.0 - share));
    b.plus(before, value)
}

/// A scalar in all elements of the shape of a value.
fn spread(b: &mut BodyBuilder<'_>, scalar: ValueId, like: ValueId) -> ValueId {
    let shape = b.ty(like).shape;
    b.broadcast(scalar, &shape, Vec::new())
}

/// `value - rate * (change + decay * value)`.
fn descended(
    b: &mut BodyBuilder<'_>,
    parameter: &Parameter,
    change: ValueId,
    rate: f64,
    weight_decay: f64,
) -> ValueId {
    let value = parameter.value;
    let change = match parameter.decay {
        Decay::Applied if weight_decay != 0.0 => {
            let decay = b.scaled(value, weight_decay);
            b.plus(change, decay)
        }
        _ => change,
    };
    let change = b.scaled(change, rate);
    b.minus(value, change)
}

/// The sum of all squares, a scalar.
pub(crate) fn square_sum(b: &mut BodyBuilder<'_>, value: ValueId) -> ValueId {
    let square = b.times(value, value);
    let rank = b.ty(square).rank();
    b.sum(square, (0..rank).collect())
}

/// A scalar of the element type of a value.
pub(crate) fn scalar_like(b: &mut BodyBuilder<'_>, value: ValueId, number: f64) -> ValueId {
    let element = b.ty(value).element;
    b.splat(TensorType::scalar(element), number)
}
