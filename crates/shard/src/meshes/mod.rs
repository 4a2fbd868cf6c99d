//! Annotations on several meshes, or on parts of axes that do not fit the mesh's prime factors, as annotations on one.
//!
//! Input: a program and its function with all calls inlined. Output: nothing if the annotations are on one mesh
//! already; else the same function with all annotations on one mesh, that of the manual computations or the first one,
//! whose axes are split where that helps.
//!
//! A position in a mesh is a number whose digits are the coordinates along the pieces of its axes ([`view`]). Two
//! meshes over the same devices are joined digit by digit ([`joint`]): a digit that tells the same devices apart in both
//! is the same digit; what is left is paired by size. Shardings are then renamed ([`rename`]), so that a value in
//! between is cut as its annotation says. Which device holds which shard matters for arguments and results only: where
//! a pairing by size changes it, [`Orders`] says in which order the devices stand for that argument or result.
//!
//! ```text
//! <["x"=6]> with "x":(1)3            is  <["x_0"=3, "x_1"=2]> with "x_0"
//! <["a"=2, "b"=4]>, <["c"=4, "d"=2]>: "c" is "a", "b":(1)2 and "d" is "b":(2)2
//! <["a"=2, "b"=3]>, <["c"=3, "d"=2]>: "c" is "b" and "d" is "a", with the devices in another order
//! ```

mod joint;
mod rename;
mod view;

use joint::Joint;
use meshwright_ir::attribute::Attributes;
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Span};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, MeshDecl, Program};
use meshwright_ir::sharding::{MeshRef, ShardingAttr, resolve_axis};
use meshwright_plan::Orders;
use meshwright_plan::attributes::{MESHES, annotations};
use view::View;

/// A function whose annotations are on one mesh.
#[derive(Clone, Debug)]
pub struct OneMesh {
    /// The program with that mesh declared.
    pub program: Program,
    /// The function.
    pub function: Function,
    /// The mesh.
    pub mesh: Mesh,
    /// The program's mesh that it was made from.
    pub made_from: Mesh,
    /// Arguments and results for which the devices may stand in another order.
    pub orders: Orders,
}

/// Brings all annotations of a function (with all calls inlined) on one mesh. `None`: they are already, or are on
/// meshes that cannot be joined, which is for others to say.
///
/// # Errors
/// Manual computations on meshes whose axes do not fit together.
pub fn on_one_mesh(program: &Program, function: &Function) -> Result<Option<OneMesh>, Diagnostics> {
    if !needs_joining(program, function) {
        return Ok(None);
    }
    let Some(views) = views(program, function) else { return Ok(None) };
    let made_from = views[0].mesh().clone();
    let joint = Joint::new(views, program);
    let mut function = function.clone();
    let orders = joint.orders(program, &function);
    rename::rename(&joint, program, &mut function)?;
    let mut program = program.clone();
    if program.mesh(&joint.mesh.name).is_none() {
        program.meshes.push(MeshDecl {
            mesh: joint.mesh.clone(),
            attributes: Attributes::new(),
            position: 0,
            location: None,
            span: Span::NONE,
        });
    }
    Ok(Some(OneMesh { program, function, mesh: joint.mesh, made_from, orders }))
}

/// A sharding that was written, and which axes it binds.
struct Written<'a> {
    sharding: &'a ShardingAttr,
    manual: &'a [String],
}

/// Every sharding of a function.
fn written(function: &Function) -> impl Iterator<Item = Written<'_>> {
    let boundaries = function.body.insts.values().filter_map(|inst| match &inst.op {
        Op::ManualBoundary(boundary) => {
            Some(Written { sharding: &boundary.sharding, manual: &boundary.manual_axes })
        }
        _ => None,
    });
    let values = annotations(function).into_iter();
    values.map(|annotation| Written { sharding: annotation.sharding, manual: &[] }).chain(boundaries)
}

/// Whether there are several meshes, or parts of axes that are not made of the mesh's pieces.
fn needs_joining(program: &Program, function: &Function) -> bool {
    let mut first: Option<&Mesh> = None;
    let mut last: Option<&MeshRef> = None;
    for Written { sharding, .. } in written(function) {
        if last != Some(&sharding.mesh) {
            last = Some(&sharding.mesh);
            let Some(mesh) = program.resolve_mesh(&sharding.mesh) else { return false };
            match first {
                _ if mesh.axes().is_empty() => {}
                Some(first) if !first.is_like(mesh) => return true,
                _ => first = Some(mesh),
            }
        }
        let mut parts = sharding.all_axes().filter(|axis| axis.sub_axis.is_some()).peekable();
        if parts.peek().is_some()
            && let Some(mesh) = program.resolve_mesh(&sharding.mesh)
            && parts.any(|axis| resolve_axis(axis, mesh).is_err())
        {
            return true;
        }
    }
    false
}

/// The views of all shardings, the one that the others are joined to first; `None` if a mesh is not declared, if
/// their numbers of devices differ, or if there are none.
fn views(program: &Program, function: &Function) -> Option<Vec<View>> {
    let mut views: Vec<View> = Vec::new();
    for Written { sharding, manual } in written(function) {
        let mesh = program.resolve_mesh(&sharding.mesh)?;
        if mesh.axes().is_empty() {
            continue;
        }
        if views.first().is_some_and(|first| first.mesh().num_devices() != mesh.num_devices()) {
            return None;
        }
        let digits = view::digits(sharding, mesh)?;
        let fitting = views.iter_mut().find(|view| view.mesh().is_like(mesh) && view.admits(&digits));
        match fitting {
            Some(view) => view.cut(&digits, manual),
            None => {
                let mut view = View::new(mesh);
                if !view.admits(&digits) {
                    return None;
                }
                view.cut(&digits, manual);
                views.push(view);
            }
        }
    }
    let main = views.iter().position(View::is_manual).unwrap_or(0);
    views.get(main)?;
    views[..=main].rotate_right(1);
    Some(views)
}

/// The refusal of a manual computation whose axes are not those of the mesh that all is joined to.
fn manual_on_other_mesh(span: Span, name: &str, mesh: &Mesh) -> Diagnostic {
    let message = format!(
        "the manual axis \"{name}\" is not made of axes of {}, the mesh of another manual computation",
        mesh.attr()
    );
    Diagnostic::error(MESHES, span, message)
        .hint("write all manual computations of a program against one mesh")
}
