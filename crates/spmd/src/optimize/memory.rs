//! The memory that a local program needs on a device, by the cost model: its function is taken for the whole program
//! of a mesh of one device, so that liveness and fusion are those of predictions.

use super::PassContext;
use meshwright_cost::{Analysis, peak_of_whole};
use meshwright_ir::program::{Body, Function};
use meshwright_machine::Bytes;

impl PassContext<'_> {
    fn main(&self) -> &Function {
        self.device.program.main().expect("a device program has one function")
    }

    /// The most bytes alive at once in a function.
    fn peak_of(&self, function: &Function) -> Bytes {
        let platform = self.target.and_then(|target| target.placement.machine.device.platform);
        peak_of_whole(&Analysis::on(function, platform))
    }

    /// The most bytes alive at once in the program with `body` in place of its own.
    pub(super) fn peak(&self, body: &Body) -> Bytes {
        self.peak_of(&self.main().with_body(body.clone()))
    }

    /// The body, if the program with it in place of its own needs no more than a pass may raise it to in order to send less:
    /// all that may be used of the machine, or what it needs anyway.
    pub(super) fn fitting(&self, body: Body) -> Option<Body> {
        let function = self.main().with_body(body);
        let peak = self.peak_of(&function);
        let fits = self.target.is_some_and(|target| peak <= target.memory_limit) || peak <= self.own_peak();
        fits.then_some(function.body)
    }

    /// What the program needs as it is.
    fn own_peak(&self) -> Bytes {
        *self.known.peak.get_or_init(|| self.peak_of(self.main()))
    }
}
