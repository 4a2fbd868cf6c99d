//! Mamba (Gu and Dao, "Linear-time sequence modeling with selective state spaces"): each channel has states of its own, of
//! which `meshwright.selective_scan` is the recurrence.
//!
//! Input: [`Mamba`], sizes as a configuration says them. Output: what it writes of a value `[b, t, width]`.

use crate::blocks::activation::Activation;
use crate::blocks::causal_convolution::CausalConvolution;
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::norm::Norm;
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::selective_scan::SelectiveScan;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::types::ElementType;

/// A Mamba layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Mamba {
    /// Its name below the layer's.
    pub name: String,
    /// Number of channels.
    pub inner: usize,
    /// States of a channel.
    pub state: usize,
    /// Width of what lengths of steps are made of.
    pub step_rank: usize,
    /// Steps that the convolution sees.
    pub kernel: usize,
    /// The function behind the convolution, and of the gate.
    pub activation: Activation,
    /// Bias of the first and the last product.
    pub bias: Bias,
    /// Bias of the convolution.
    pub conv_bias: Bias,
    /// Norms of what its steps are made of and of what states are written and read by (Jamba): what is added to variances.
    pub norms: Option<f64>,
    /// Width of what it makes.
    pub width: usize,
}

impl Mamba {
    /// Writes the block for a value, `[b, t, d]`.
    pub fn write(&self, net: &mut Net, x: ValueId) -> ValueId {
        net.within(&self.name, "mamba", |net| {
            net.caches_per_sequence((self.kernel + self.state) * self.inner);
            let sizes = [self.inner, self.inner];
            let parts = Linear::new("in_proj", 2 * self.inner, self.bias).write_parts(net, x, &sizes);
            let convolution = CausalConvolution {
                width: self.inner,
                kernel: self.kernel,
                bias: self.conv_bias,
                activation: self.activation,
            };
            let mixed = net.scoped("convolution", |net| convolution.write(net, parts[0]));
            let y = self.scan(net, mixed);
            let gate = self.activation.write(net, parts[1]);
            let y = net.times(y, gate);
            Linear::new("out_proj", self.width, self.bias).write(net, y)
        })
    }

    /// The scan of `mixed`, `[b, t, inner]`: how long its steps are and how states are written and read is said by the
    /// values themselves.
    fn scan(&self, net: &mut Net, mixed: ValueId) -> ValueId {
        let sizes = [self.step_rank, self.state, self.state];
        let said = Linear::new("x_proj", sizes.iter().sum(), Bias::None).write(net, mixed);
        let parts = net.parts(said, 2, &sizes);
        let mut normed = |name: &str, part: ValueId| match self.norms {
            Some(epsilon) => Norm::rms(name, epsilon).write(net, part),
            None => part,
        };
        let steps = normed("dt_layernorm", parts[0]);
        let writes = normed("b_layernorm", parts[1]);
        let reads = normed("c_layernorm", parts[2]);
        let steps = Linear::new("dt_proj", self.inner, Bias::Added).write(net, steps);
        net.scoped("scan", |net| {
            let steps = net.convert(steps, ElementType::F32);
            let steps = net.softplus(steps);
            let rates = net.param_f32("A_log", &[self.inner, self.state]);
            let rates = net.map(Unary::Exponential, rates);
            let rates = net.map(Unary::Negate, rates);
            let y = net.add(SelectiveScan, &[mixed, steps, rates, writes, reads]);
            let skip = net.param("D", &[self.inner]);
            let skipped = net.along(Binary::Multiply, mixed, skip, &[2]);
            net.plus(y, skipped)
        })
    }
}
