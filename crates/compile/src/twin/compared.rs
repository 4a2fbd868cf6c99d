//! What a twin has of what it is the twin of, found by comparing the two.
//!
//! Input: programs of devices, or policies, of a plan and of its twin. Output: in words what of the plan does not occur in the
//! twin. Collectives are of one kind if they are one op, combine by the same op, and send along the same parts of the same
//! axes; policies if they have one name.

use meshwright_cost::groups::axes_of;
use meshwright_ir::mesh::{Axis, AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::{Function, InstView, Program};
use meshwright_plan::{DeviceProgram, Policies};
use std::collections::BTreeSet;

/// The kinds of collectives of a program, in words.
pub(crate) fn kinds(device: &DeviceProgram) -> BTreeSet<String> {
    kinds_in(&device.program, &device.mesh)
}

fn kinds_in(program: &Program, mesh: &Mesh) -> BTreeSet<String> {
    let bodies = program.functions.iter().map(|function| &function.body);
    let views = bodies.flat_map(|body| body.walk(body.entry()).into_iter().map(move |inst| body.view(inst)));
    let sent = views.filter(|view| view.inst.op.is_collective() && !matches!(view.inst.op, Op::Async(_)));
    sent.map(|view| kind(&view, mesh)).collect()
}

/// `all_reduce by max over data, the minor part of model`.
fn kind(view: &InstView<'_>, mesh: &Mesh) -> String {
    let op = &view.inst.op;
    let name = op.name().trim_start_matches("stablehlo.");
    let by = match op {
        Op::AllReduce(_) | Op::ReduceScatter(_) => {
            let combined = reducer(view.body, view.region(0)).and_then(|op| op.reduction());
            format!(" by {}", combined.map_or("another op", |reduction| reduction.name()))
        }
        _ => String::new(),
    };
    format!("{name}{by} over {}", parts(axes_of(op, mesh), mesh).join(", "))
}

/// The axes that some sub-axes are of, by name, with the part that they are where that is not all of it. The parts of an axis
/// are those of the twin's too, which has fewer devices along each.
fn parts(axes: AxisSet, mesh: &Mesh) -> Vec<String> {
    let part = |(position, axis): (usize, &Axis)| {
        let has: Vec<bool> = mesh.pieces(position).iter().map(|piece| axes.contains(*piece)).collect();
        let which = match (*has.first()?, *has.last()?) {
            _ if !has.contains(&true) => return None,
            _ if !has.contains(&false) => return Some(axis.name.clone()),
            (true, false) => "the major part",
            (false, true) => "the minor part",
            (true, true) => "the outer parts",
            (false, false) => "an inner part",
        };
        Some(format!("{which} of {}", axis.name))
    };
    mesh.axes().iter().enumerate().filter_map(part).collect()
}

/// Policies of which a plan has uses, and its twin none that one of its instructions reads.
pub(crate) fn missing_policies(plan: &Policies, twin: &Policies, function: &Function) -> Vec<String> {
    let insts = &function.body.insts;
    let is_there = |reader| insts.get(reader).is_some();
    let wanted: BTreeSet<&str> = plan.iter().map(|(_, policy)| policy.name()).collect();
    let occurring: BTreeSet<&str> =
        twin.iter().filter(|(own, _)| is_there(own.reader)).map(|(_, policy)| policy.name()).collect();
    wanted.difference(&occurring).map(|policy| format!("the policy {policy}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::ids::{Id, InstId, ValueId};
    use meshwright_plan::{Policy, Use};

    /// The kinds of an `all_reduce` over these groups that combines by this op, on a mesh.
    fn reduced(groups: &str, combined: &str, axes: &[(&str, usize)]) -> Vec<String> {
        let text = format!(
            r#"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = "stablehlo.all_reduce"(%a) <{{replica_groups = dense<{groups}}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.{combined} %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}
"#
        );
        let program = meshwright_ir::text::read(&Source::new("reduced.mlir", text)).unwrap();
        let axes = axes.iter().map(|(name, size)| Axis { name: (*name).to_owned(), size: *size });
        let mesh = Mesh::new("mesh", axes.collect()).unwrap();
        kinds_in(&program, &mesh).into_iter().collect()
    }

    #[test]
    fn what_is_combined_by_and_along_which_part_tells_collectives_apart() {
        let (pairs, halves) = ("[[0, 1], [2, 3]]> : tensor<2x2xi64>", "[[0, 2], [1, 3]]> : tensor<2x2xi64>");
        for (groups, combined, axes, wanted) in [
            (pairs, "add", &[("x", 4)][..], "all_reduce by sum over the minor part of x"),
            (halves, "add", &[("x", 4)], "all_reduce by sum over the major part of x"),
            (halves, "maximum", &[("x", 4)], "all_reduce by max over the major part of x"),
            (pairs, "add", &[("x", 2), ("y", 2)], "all_reduce by sum over y"),
            ("[[0, 1, 2, 3]]> : tensor<1x4xi64>", "add", &[("x", 4)], "all_reduce by sum over x"),
            (
                "[[0, 1, 2, 3]]> : tensor<1x4xi64>",
                "add",
                &[("x", 2), ("y", 2)],
                "all_reduce by sum over x, y",
            ),
            ("[[0, 1, 2, 3]]> : tensor<1x4xi64>", "subtract", &[("x", 4)], "all_reduce by another op over x"),
        ] {
            assert_eq!(reduced(groups, combined, axes), [wanted]);
        }
    }

    #[test]
    fn parts_of_an_axis_are_those_of_an_axis_with_fewer_devices() {
        let ends = "[[0, 1, 4, 5], [2, 3, 6, 7]]> : tensor<2x4xi64>";
        assert_eq!(reduced(ends, "add", &[("x", 8)]), ["all_reduce by sum over the outer parts of x"]);
        let within = "[[0, 2], [1, 3], [4, 6], [5, 7]]> : tensor<4x2xi64>";
        assert_eq!(reduced(within, "add", &[("x", 8)]), ["all_reduce by sum over an inner part of x"]);
        let minor = "[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>";
        let small = "[[0, 1], [2, 3]]> : tensor<2x2xi64>";
        assert_eq!(reduced(minor, "add", &[("x", 8)]), reduced(small, "add", &[("x", 4)]));
    }

    #[test]
    fn policies_that_no_use_of_the_twin_has_are_named() {
        let text = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.negate %a : tensor<4xf32>\n  \
                    return %0 : tensor<4xf32>\n}\n";
        let program = meshwright_ir::text::read(&Source::new("negate.mlir", text)).unwrap();
        let function = &program.functions[0];
        let of = |readers: &[(usize, Policy)]| {
            let mut policies = Policies::default();
            for (reader, policy) in readers {
                let value = ValueId::from_index(0);
                policies.set(Use { reader: InstId::from_index(*reader), value }, *policy);
            }
            policies
        };
        let plan = of(&[(0, Policy::GatherAgain), (7, Policy::Offload)]);
        assert_eq!(
            missing_policies(&plan, &of(&[]), function),
            ["the policy gather_again", "the policy offload"]
        );
        // Of what the twin does not have nothing is read.
        assert_eq!(missing_policies(&plan, &plan, function), ["the policy offload"]);
        let twin = of(&[(0, Policy::Offload), (1, Policy::GatherAgain)]);
        assert_eq!(missing_policies(&plan, &twin, function), Vec::<String>::new());
    }
}
