//! Writes what propagation found into a program as `sdy` attributes, so that other tools can read it.
//!
//! Input: a program, its entry function with all calls inlined, and shardings. Output: a program of that one function
//! with `sdy.sharding` on every argument, result and instruction that has tensors as results.

use crate::ValueShardings;
use meshwright_ir::attribute::Attr;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::attributes::with_mesh;
use meshwright_plan::shardings::sharded_insts;

/// `program` with `function` alone in it, annotated. Constraints keep what they say. A mesh of that name that has
/// other axes is replaced.
pub fn annotate(program: &Program, function: &Function, mesh: &Mesh, shardings: &ValueShardings) -> Program {
    let mut function = function.clone();
    let attr = |sharding: &Sharding| sharding.to_attr(mesh);
    let entry = function.body.entry();
    for (value, attributes) in function.body.regions[entry].args.iter().zip(&mut function.arg_attributes) {
        if function.body.values[*value].ty.as_tensor().is_some() {
            attributes.set("sdy.sharding", Attr::Sharding(attr(&shardings.values[*value])));
        }
    }
    for ((sharding, ty), attributes) in
        shardings.results.iter().zip(&function.result_types).zip(&mut function.result_attributes)
    {
        if ty.as_tensor().is_some() {
            attributes.set("sdy.sharding", Attr::Sharding(attr(sharding)));
        }
    }
    for id in sharded_insts(&function.body, entry) {
        let inst = &function.body.insts[id];
        let tensors = inst.results.iter().all(|value| function.body.ty(*value).as_tensor().is_some());
        if inst.results.is_empty() || !tensors || inst.op.result_sharding(0).is_some() {
            continue;
        }
        let per_result = inst.results.iter().map(|value| attr(&shardings.values[*value])).collect();
        function.body.insts[id].attributes.set("sdy.sharding", Attr::ShardingPerValue(per_result));
    }
    with_mesh(program, function, mesh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Sharder, prepare};
    use meshwright_ir::control::Quiet;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::{Form, print, read};
    use meshwright_plan::attributes;
    use meshwright_transform::inline::inline_calls;

    const PROGRAM: &str = r#"
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}) -> tensor<8x4x3xf32> {
  %0 = func.call @product(%a, %b) : (tensor<8x4xf32>, tensor<4x12xf32>) -> tensor<8x12xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x12xf32>) -> tensor<8x4x3xf32>
  return %1 : tensor<8x4x3xf32>
}
func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x12xf32>) -> tensor<8x12xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x12xf32>) -> tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
}
"#;

    fn propagated(text: &str) -> Program {
        let program = read(&Source::new("test", text)).unwrap();
        let function = inline_calls(&program, "main").unwrap();
        let mesh = attributes::annotated_mesh(&program, &function).unwrap().unwrap();
        let fixed = attributes::read(&program, &function, &mesh).unwrap();
        let prepared = prepare(&function);
        let options = Options::default();
        let sharder = Sharder {
            function: &function,
            prepared: &prepared,
            mesh: &mesh,
            options: &options,
            control: &Quiet,
        };
        let found = sharder.values(&fixed);
        annotate(&program, &function, &mesh, &found)
    }

    #[test]
    fn what_was_annotated_is_a_fixed_point() {
        let once = print(&propagated(PROGRAM), Form::Pretty);
        for wanted in [
            r#"%arg1: tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}"#,
            r#"sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>"#,
            r#"sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}, {?}]>]>"#,
            r#"-> (tensor<8x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y", ?}, {?}]>})"#,
        ] {
            assert!(once.contains(wanted), "{wanted} is not in {once}");
        }
        assert_eq!(print(&propagated(&once), Form::Pretty), once);
    }
}
