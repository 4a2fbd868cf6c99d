//! Whether the collectives that a program contains fit the mesh that it is sharded over.
//!
//! Input: a function whose manual computations are inlined, and the mesh. Errors: groups that leave devices out, that
//! name devices which the mesh does not have, or that join devices along axes that are not manual.

use meshwright_ir::diagnostic::{Diagnostic, Diagnostics};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, Inst};

use crate::must_be_global::NOT_GLOBAL;

/// Checks all collectives.
pub(crate) fn groups_must_fit(function: &Function, mesh: &Mesh) -> Result<(), Diagnostics> {
    let insts = || function.body.insts.values();
    let names = insts().flat_map(|inst| inst.op.manual_axes());
    let named = names.filter_map(|name| mesh.axis_named(name)).flat_map(|axis| mesh.pieces(axis));
    let manual: AxisSet = named.collect();
    let problems: Diagnostics = insts()
        .filter(|inst| inst.op.is_collective())
        .filter_map(|inst| problem(inst, manual, mesh))
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn problem(inst: &Inst, manual: AxisSet, mesh: &Mesh) -> Option<Diagnostic> {
    let groups = groups(&inst.op)?;
    let name = inst.op.name();
    let error =
        |message: String, hint: String| Some(Diagnostic::error(NOT_GLOBAL, inst.span, message).hint(hint));
    let mut seen = vec![false; mesh.num_devices()];
    for device in groups.iter().flatten() {
        match seen.get_mut(*device) {
            Some(seen) => *seen = true,
            None => {
                let message = format!(
                    "`{name}` names device {device}, but the mesh {mesh} has {} devices",
                    mesh.num_devices()
                );
                return error(
                    message,
                    "give a mesh of as many devices as the program was written for".into(),
                );
            }
        }
    }
    let may_leave_out = matches!(inst.op, Op::CollectiveBroadcast(_) | Op::CollectivePermute(_));
    if !may_leave_out && let Some(missing) = seen.iter().position(|seen| !seen) {
        let message = format!("`{name}`: device {missing} of the mesh {mesh} is in no group");
        return error(
            message,
            "list all devices of the mesh, a group for each position along the other axes".into(),
        );
    }
    let free: Vec<_> = mesh.sub_axis_ids().filter(|axis| !manual.contains(*axis)).collect();
    let place = |device: usize| mesh.index_along(mesh.position_of(device), &free);
    let crosses = groups.iter().any(|group| group.iter().any(|member| place(*member) != place(group[0])));
    if crosses {
        let axes = mesh.describe(&free).join(", ");
        let message =
            format!("`{name}` joins devices along {axes}, which the program does not handle itself");
        return error(
            message,
            "add these axes to `manual_axes`, or join devices along manual axes only".into(),
        );
    }
    None
}

/// Who exchanges with whom, as device numbers.
fn groups(op: &Op) -> Option<Vec<Vec<usize>>> {
    match op {
        Op::CollectivePermute(permute) => Some(permute.groups()),
        op => op.participants().map(|participants| participants.groups.groups()),
    }
}
