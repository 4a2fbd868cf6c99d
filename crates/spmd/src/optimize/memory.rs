//! The memory that a local program needs on a device, by the cost model: its function is taken for the whole program
//! of a mesh of one device, so that liveness and fusion are those of predictions.

use super::PassContext;
use meshwright_cost::{Analysis, Lowering, Memory};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Body;
use meshwright_machine::Bytes;
use meshwright_plan::Shardings;

impl PassContext<'_> {
    /// Memory of the program with `body` in place of its own.
    pub(super) fn memory(&self, body: &Body) -> Memory {
        let main = self.device.program.main().expect("a device program has one function");
        let function = main.with_body(body.clone());
        let alone = Mesh::new("alone", Vec::new()).expect("a mesh without axes");
        let platform = self.target.and_then(|target| target.placement.machine.device.platform);
        let (analysis, shardings) =
            (Analysis::on(&function, platform), Shardings::replicated(&function, alone));
        meshwright_cost::memory(&Lowering::new(&analysis, &shardings))
    }

    /// The most bytes alive at once.
    pub(super) fn peak(&self, body: &Body) -> Bytes {
        self.memory(body).peak
    }

    /// Whether the program with `body` in place of its own needs no more than a pass may raise it to in order to send less:
    /// all that may be used of the machine, or what it needs anyway.
    pub(super) fn fits(&self, body: &Body) -> bool {
        let peak = self.peak(body);
        self.target.is_some_and(|target| peak <= target.memory_limit) || peak <= self.own_peak()
    }

    /// What the program needs as it is.
    fn own_peak(&self) -> Bytes {
        *self.known.peak.get_or_init(|| self.peak(self.body))
    }
}
