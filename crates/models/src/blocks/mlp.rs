//! Feed-forward layers: two products with a function between, or three where the function is a gate (Shazeer, "GLU
//! variants").

use crate::blocks::activation::Activation;
use crate::blocks::linear::Linear;
use crate::net::Net;
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;

/// A feed-forward layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    /// Its name below the layer's.
    pub name: String,
    /// Its first products.
    pub inner: Inner,
    /// The function between.
    pub activation: Activation,
    /// The last product.
    pub down: Linear,
}

/// First products of a feed-forward layer.
#[derive(Clone, Debug, PartialEq)]
pub enum Inner {
    /// One.
    Up(Linear),
    /// One times the function of another: gate, then what it lets through.
    Gated(Linear, Linear),
    /// Both of one weight, the gate first.
    Fused(Linear),
}

impl Mlp {
    /// Writes the block for a value.
    pub fn write(&self, net: &mut Net, x: ValueId) -> ValueId {
        net.within(&self.name, "mlp", |net| {
            let inner = match &self.inner {
                Inner::Up(up) => {
                    let up = up.write(net, x);
                    self.activation.write(net, up)
                }
                Inner::Gated(gate, up) => {
                    let gate = gate.write(net, x);
                    let up = up.write(net, x);
                    let gate = self.activation.write(net, gate);
                    net.times(gate, up)
                }
                Inner::Fused(both) => {
                    let parts = both.write_parts(net, x, &[both.outputs / 2; 2]);
                    let gate = self.activation.write(net, parts[0]);
                    net.times(gate, parts[1])
                }
            };
            self.down.write(net, inner)
        })
    }
}
