//! Loops over the layers of a model: scans over stacks of parameters, or over what such a scan has stacked.
//!
//! Input: a function and its [`Roles`]. Output: the loops, in the order of the program. A scan over the tokens of a
//! sequence has the same form, but its stacks come from data. A backward loop need not read parameters: where these were
//! cast on the way, it reads what the forward loop has stacked of them.

use crate::roles::{DATA, PARAMETERS, Roles};
use meshwright_ir::ids::InstId;
use meshwright_ir::loops::{Scan, Way, scan};
use meshwright_ir::program::{Def, Function, InstView};
use std::collections::BTreeMap;

/// A loop of which each iteration is a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerLoop {
    /// The loop.
    pub inst: InstId,
    /// What it carries, reads and writes.
    pub scan: Scan,
}

/// The loops over layers of a function.
pub fn layer_loops(function: &Function, roles: &Roles) -> Vec<LayerLoop> {
    let body = &function.body;
    let mut found: BTreeMap<InstId, LayerLoop> = BTreeMap::new();
    let mut order = Vec::new();
    for inst in body.walk(body.entry()) {
        let view = body.view(inst);
        let Some(scan) = scan(view) else { continue };
        if is_over_layers(&view, &scan, roles, &found) {
            found.insert(inst, LayerLoop { inst, scan });
            order.push(inst);
        }
    }
    order.into_iter().filter_map(|inst| found.remove(&inst)).collect()
}

/// Whether a scan reads stacks of parameters, or stacks that one of these loops has written.
fn is_over_layers(
    view: &InstView<'_>,
    scan: &Scan,
    roles: &Roles,
    found: &BTreeMap<InstId, LayerLoop>,
) -> bool {
    let is_written = |inst: InstId, index: usize| {
        let writes = |other: &LayerLoop| {
            let mut accesses = other.scan.accesses.iter();
            accesses.any(|access| access.way == Way::Write && access.carried == Some(index))
        };
        found.get(&inst).is_some_and(writes)
    };
    let reads = scan.accesses.iter().filter(|access| access.way == Way::Read);
    reads.map(|access| scan.before(view, access)).any(|stack| {
        let is_of_parameters = roles.depends[stack] & (DATA | PARAMETERS) == PARAMETERS;
        let is_of_layers = match view.body.values[stack].def {
            Def::Result(inst, index) => is_written(inst, index),
            Def::Argument(..) => false,
        };
        is_of_parameters || is_of_layers
    })
}
