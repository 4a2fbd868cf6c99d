//! From propagation back to the program: every sharding in its slot becomes an annotation.
//!
//! Input: [`State`]. Output: its program with the shardings of arguments, function results and instructions replaced.

use super::annotation::{SHARDING, set};
use super::state::{State, Value};
use meshwright_ir::attribute::Attr;
use meshwright_ir::op::DataFlow;
use meshwright_ir::program::{Def, Program};

/// The annotated program.
pub(super) fn write_back(state: &State<'_>) -> Program {
    let mut program = state.program.clone();
    for (value, sharding) in state.shardings.iter().enumerate() {
        let Some(sharding) = sharding.as_ref().filter(|_| is_own(state, value)) else { continue };
        let (function, id) = state.id(value);
        set(&mut program, function, id, sharding.to_attr(&state.meshes));
    }
    for (function, results) in program.functions.iter_mut().zip(&state.results) {
        for (attributes, sharding) in function.result_attributes.iter_mut().zip(results) {
            if let Some(sharding) = sharding {
                attributes.set(SHARDING, Attr::Sharding(sharding.to_attr(&state.meshes)));
            }
        }
    }
    program
}

/// Whether the value is its own slot, and its sharding not only what an edge behind it says.
fn is_own(state: &State<'_>, value: Value) -> bool {
    if state.slot(value) != Some(value) {
        return false;
    }
    let (function, def) = state.def(value);
    match def {
        Def::Argument(region, _) => match state.owner(function, region) {
            None => true,
            Some(owner) => {
                let place = state.places[owner];
                state.body(owner).insts[place.inst].op.data_flow() == DataFlow::Region
            }
        },
        Def::Result(..) => true,
    }
}
