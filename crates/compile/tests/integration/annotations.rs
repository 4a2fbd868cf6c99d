//! Which annotations decide how a program is sharded, so that nothing is searched for without being asked.

use meshwright_compile::{Compiled, MeshChoice, Options, compile, read};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Machine;

/// Two products of many rows, with `constraints` on what lies between them.
fn compiled(constraints: &str, between: &str) -> Compiled {
    let text = format!(
        "sdy.mesh @empty_mesh = <[]>
sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>
sdy.mesh @mesh = <[\"data\"=8]>
func.func @main(%x: tensor<4096x256xf32>, %a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<4096x256xf32> {{
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<4096x256xf32>, tensor<256x256xf32>) -> tensor<4096x256xf32>
{constraints}  %9 = stablehlo.dot_general {between}, %b, contracting_dims = [1] x [0] : (tensor<4096x256xf32>, tensor<256x256xf32>) -> tensor<4096x256xf32>
  return %9 : tensor<4096x256xf32>
}}
"
    );
    let source = Source::new("test", text.as_str());
    let machine = Machine::from_spec("cpu8").unwrap();
    let program = read(&source).unwrap();
    let options = Options { mesh: Some(MeshChoice::Sizes(vec![8])), ..Options::default() };
    compile(&program, &source, &machine, &options, &Quiet).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn constraints_on_meshes_without_axes_leave_everything_to_the_search() {
    let plain = compiled("", "%0").plan;
    assert_eq!(plain.parallelism, ["data parallel over 8"]);
    let keys = "  %1 = sdy.sharding_constraint %0 <@empty_mesh, [{}, {}]> : tensor<4096x256xf32>\n";
    let callbacks = "  %1 = sdy.sharding_constraint %0 <@maximal_mesh_3, []> : tensor<4096x256xf32>\n";
    for constraint in [keys, callbacks] {
        let plan = compiled(constraint, "%1").plan;
        assert!(plan.bound_seconds.is_some(), "{constraint}");
        assert_eq!((plan.parallelism, plan.predicted), (plain.parallelism.clone(), plain.predicted.clone()));
    }
}

#[test]
fn a_constraint_on_a_mesh_with_axes_decides() {
    let whole = "  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<4096x256xf32>\n";
    let plan = compiled(whole, "%1").plan;
    assert_eq!((plan.bound_seconds, plan.parallelism), (None, vec!["replicated over 8".to_owned()]));
}
