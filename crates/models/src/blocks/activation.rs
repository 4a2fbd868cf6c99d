//! Activation functions by the names that configurations give them.

use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::chlo_unary::ChloUnary;
use meshwright_ir::ops::unary::Unary;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// An activation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// `x sigmoid(x)`.
    Silu,
    /// `x` times the share of a normal distribution below `x`.
    Gelu,
    /// The same, approximated by tanh.
    GeluTanh,
    /// `max(x, 0)`.
    Relu,
    /// The square of it.
    ReluSquared,
}

/// Functions and the names of them.
const NAMES: [(&str, Activation); 9] = [
    ("silu", Activation::Silu),
    ("swish", Activation::Silu),
    ("gelu", Activation::Gelu),
    ("gelu_new", Activation::GeluTanh),
    ("gelu_pytorch_tanh", Activation::GeluTanh),
    ("gelu_fast", Activation::GeluTanh),
    ("gelu_python", Activation::Gelu),
    ("relu", Activation::Relu),
    ("relu2", Activation::ReluSquared),
];

impl Activation {
    /// The function of a name, or a message that lists the names.
    pub fn from_name(name: &str) -> Result<Self, String> {
        let found = NAMES.iter().find(|(known, _)| *known == name).map(|(_, activation)| *activation);
        found.ok_or_else(|| {
            let known: Vec<&str> = NAMES.iter().map(|(known, _)| *known).collect();
            format!("`{name}` is no activation that is known; these are: {}", known.join(", "))
        })
    }

    /// The function of a value.
    pub fn write(self, net: &mut Net, x: ValueId) -> ValueId {
        match self {
            Self::Silu => {
                let gate = net.map(Unary::Logistic, x);
                net.times(x, gate)
            }
            Self::Gelu => {
                let scaled = net.scaled(x, FRAC_1_SQRT_2);
                let ty = net.ty(scaled);
                let erf = net.emit(ChloUnary::Erf, &[scaled], ty);
                let share = net.with(Binary::Add, erf, 1.0);
                let product = net.times(x, share);
                net.scaled(product, 0.5)
            }
            Self::GeluTanh => {
                let square = net.times(x, x);
                let cube = net.times(square, x);
                let cubic = net.scaled(cube, 0.044715);
                let inner = net.plus(x, cubic);
                let inner = net.scaled(inner, FRAC_2_PI.sqrt());
                let tanh = net.map(Unary::Tanh, inner);
                let share = net.with(Binary::Add, tanh, 1.0);
                let product = net.times(x, share);
                net.scaled(product, 0.5)
            }
            Self::Relu => net.with(Binary::Maximum, x, 0.0),
            Self::ReluSquared => {
                let positive = net.with(Binary::Maximum, x, 0.0);
                net.times(positive, positive)
            }
        }
    }
}
