//! Annotations in the names of one mesh. Input: a function, and the mesh that its views were joined to. Output: the
//! function with every sharding, the axes of every `sdy` collective and all manual axes written in that mesh.

use super::joint::{Joined, Joint};
use super::manual_on_other_mesh;
use super::view::{Digit, digit_of};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::{Diagnostics, Span};
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::op::{HoldsShardings, Op};
use meshwright_ir::ops::manual_boundary::ManualBoundary;
use meshwright_ir::ops::sdy_collective::{Change, SdyCollective};
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::{AxisRefAttr, DimSharding, Sharding, ShardingAttr};

const SHARDING: &str = "sdy.sharding";

/// Renames everything.
///
/// # Errors
/// A manual axis that is not made of axes of the mesh.
pub(super) fn rename(joint: &Joint, program: &Program, function: &mut Function) -> Result<(), Diagnostics> {
    let renaming = Renaming { joint, program };
    for attributes in function.arg_attributes.iter_mut().chain(&mut function.result_attributes) {
        renaming.attributes(attributes);
    }
    let mut problems = Diagnostics::new();
    for inst in function.body.insts.values_mut() {
        renaming.attributes(&mut inst.attributes);
        match &mut inst.op {
            Op::ManualBoundary(boundary) => {
                let problem = renaming.boundary(boundary, inst.span).err();
                // The boundaries of one computation say the same.
                problems.extend(problem.filter(|problem| !problems.contains(problem)));
            }
            Op::SdyCollective(collective) => renaming.collective(collective),
            op => {
                let own = op.shardings_mut().into_iter().flat_map(HoldsShardings::all_mut);
                own.for_each(|sharding| renaming.sharding(sharding));
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

struct Renaming<'a> {
    joint: &'a Joint,
    program: &'a Program,
}

impl Renaming<'_> {
    fn attributes(&self, attributes: &mut Attributes) {
        let renamed = match attributes.get(SHARDING) {
            Some(Attr::Sharding(sharding)) => {
                let mut sharding = sharding.clone();
                self.sharding(&mut sharding);
                Attr::Sharding(sharding)
            }
            Some(Attr::ShardingPerValue(list)) => {
                let mut list = list.clone();
                list.iter_mut().for_each(|sharding| self.sharding(sharding));
                Attr::ShardingPerValue(list)
            }
            _ => return,
        };
        attributes.set(SHARDING, renamed);
    }

    /// Shardings on meshes without axes stay what they are.
    fn sharding(&self, sharding: &mut ShardingAttr) {
        let Some(joined) = self.joint.view_of(sharding, self.program) else { return };
        let dims = sharding.dims.iter().map(|dim| DimSharding {
            axes: pieces(joined, &dim.axes),
            is_open: dim.is_open,
            priority: dim.priority.unwrap_or(0),
        });
        let unreduced = pieces(joined, &sharding.unreduced);
        let renamed = Sharding {
            dims: dims.collect(),
            replicated: pieces(joined, &sharding.replicated).iter().collect(),
            partial: (!unreduced.is_empty()).then(|| (sharding.reduction, unreduced.iter().collect())),
        };
        *sharding = renamed.to_attr(&self.joint.mesh);
    }

    fn collective(&self, collective: &mut SdyCollective) {
        if let Some(joined) = self.joint.view_of(&collective.out_sharding, self.program) {
            let lists: Vec<&mut Vec<AxisRefAttr>> = match &mut collective.change {
                Change::AllGather(lists)
                | Change::AllSlice(lists)
                | Change::ReduceScatter(_, lists)
                | Change::ShardedToUnreduced(lists) => lists.iter_mut().collect(),
                Change::AllReduce(_, axes) | Change::ReplicatedToUnreduced(axes) => vec![axes],
                Change::AllToAll(params) => params.iter_mut().map(|param| &mut param.axes).collect(),
                Change::CollectivePermute => Vec::new(),
            };
            for list in lists {
                let renamed = Sharding::of([pieces(joined, list)]).to_attr(&self.joint.mesh);
                *list = renamed.dims.into_iter().flat_map(|dim| dim.axes).collect();
            }
        }
        self.sharding(&mut collective.out_sharding);
    }

    fn boundary(
        &self,
        boundary: &mut ManualBoundary,
        span: Span,
    ) -> Result<(), meshwright_ir::diagnostic::Diagnostic> {
        let Some(joined) = self.joint.view_of(&boundary.sharding, self.program) else { return Ok(()) };
        let mesh = &self.joint.mesh;
        let mut names = Vec::new();
        for name in &boundary.manual_axes {
            let whole = digit_of(&AxisRefAttr::whole(name), joined.view.mesh());
            let Some(digit) = whole.filter(|digit| digit.size > 1) else { continue };
            let own = joined.exact_pieces(digit).unwrap_or_default();
            let is_inside = |axis: &usize| {
                let pieces = mesh.pieces(*axis);
                !pieces.is_empty() && pieces.iter().all(|piece| own.contains(piece))
            };
            let axes: Vec<usize> = (0..mesh.axes().len()).filter(is_inside).collect();
            let size: usize = axes.iter().map(|axis| mesh.axes()[*axis].size).product();
            if size != digit.size {
                return Err(manual_on_other_mesh(span, name, mesh));
            }
            names.extend(axes.into_iter().map(|axis| mesh.axes()[axis].name.clone()));
        }
        boundary.manual_axes = names;
        self.sharding(&mut boundary.sharding);
        Ok(())
    }
}

/// The pieces of axes, in their order.
fn pieces(joined: &Joined, axes: &[AxisRefAttr]) -> Vec<SubAxisId> {
    let digits = axes.iter().filter_map(|axis| digit_of(axis, joined.view.mesh()));
    digits.filter(|digit: &Digit| digit.size > 1).flat_map(|digit| joined.pieces(digit)).collect()
}
