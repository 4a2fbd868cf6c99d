//! Norms over the last dim, computed in f32.

use crate::blocks::linear::Bias;
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::types::ElementType;

/// A norm.
#[derive(Clone, Debug, PartialEq)]
pub struct Norm {
    /// Its name below the layer's; of parameters that have none of their own, the name of the whole.
    pub name: String,
    /// Its form.
    pub form: NormForm,
    /// Added to the variance.
    pub epsilon: f64,
}

/// Forms of norms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormForm {
    /// By the root of the mean square, times a weight.
    Rms,
    /// The same, times one more than a weight (Gemma).
    RmsPlusOne,
    /// By mean and variance, times a weight, perhaps with a bias.
    Layer(Bias),
}

impl Norm {
    /// A norm by the root of the mean square.
    pub fn rms(name: &str, epsilon: f64) -> Self {
        Self { name: name.to_owned(), form: NormForm::Rms, epsilon }
    }

    /// A norm by mean and variance, with a bias.
    pub fn layer(name: &str, epsilon: f64) -> Self {
        Self { name: name.to_owned(), form: NormForm::Layer(Bias::Added), epsilon }
    }

    /// The value with its last dim normalized, of the value's type.
    pub fn write(&self, net: &mut Net, value: ValueId) -> ValueId {
        net.scoped("norm", |net| self.write_here(net, value))
    }

    fn write_here(&self, net: &mut Net, value: ValueId) -> ValueId {
        let ty = net.ty(value);
        let (last, width) = (ty.rank() - 1, ty.shape[ty.rank() - 1]);
        let kept: Vec<usize> = (0..last).collect();
        let mut x = net.convert(value, ElementType::F32);
        if matches!(self.form, NormForm::Layer(_)) {
            let mean = net.mean(x);
            x = net.along(Binary::Subtract, x, mean, &kept);
        }
        let square = net.times(x, x);
        let variance = net.mean(square);
        let variance = net.with(Binary::Add, variance, self.epsilon);
        let inverse = net.map(Unary::Rsqrt, variance);
        let normal = net.along(Binary::Multiply, x, inverse, &kept);
        let mut weight = net.param_f32(&format!("{}.weight", self.name), &[width]);
        if self.form == NormForm::RmsPlusOne {
            weight = net.with(Binary::Add, weight, 1.0);
        }
        let mut result = net.along(Binary::Multiply, normal, weight, &[last]);
        if self.form == NormForm::Layer(Bias::Added) {
            let bias = net.param_f32(&format!("{}.bias", self.name), &[width]);
            result = net.along(Binary::Add, result, bias, &[last]);
        }
        net.convert(result, ty.element)
    }
}
