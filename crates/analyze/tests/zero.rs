//! Where gradients lie while a loop adds them up.

use meshwright_analyze::zero::left_by_a_loop;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::{Def, Function};
use meshwright_ir::text::read;

/// A function that makes `%g` of what a loop leaves of `%sum`.
fn of(end: &str, ty: &str) -> Function {
    let text = format!(
        "func.func @main(%x: tensor<4x2xf32>, %n: tensor<i32>) -> {ty} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<4x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<4x2xf32>
    cond {{
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }} do {{
      %y = stablehlo.add %sum, %x : tensor<4x2xf32>
      %m = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %m, %y : tensor<i32>, tensor<4x2xf32>
    }}
  {end}
  return %g : {ty}
}}
"
    );
    read(&Source::new("test", text)).unwrap().main().unwrap().clone()
}

#[test]
fn what_a_loop_leaves_is_found_behind_other_forms_of_it() {
    let forms = "%t = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %r = stablehlo.reshape %t : (tensor<2x4xf32>) -> tensor<8xf32>
  %g = stablehlo.convert %r : (tensor<8xf32>) -> tensor<8xbf16>";
    let function = of(forms, "tensor<8xbf16>");
    let path = left_by_a_loop(&function.body, function.returned()[0]).unwrap();
    assert_eq!((path.len(), path[0]), (4, function.returned()[0]));
    let Def::Result(inst, index) = function.body.values[path[3]].def else { panic!("it is made") };
    assert!(function.body.insts[inst].op.carries_values() && index == 1);
}

#[test]
fn what_is_computed_of_it_is_left_by_no_loop() {
    let twice = "%g = stablehlo.add %0#1, %0#1 : tensor<4x2xf32>";
    let function = of(twice, "tensor<4x2xf32>");
    assert_eq!(left_by_a_loop(&function.body, function.returned()[0]), None);
    // An argument neither.
    assert_eq!(left_by_a_loop(&function.body, function.args()[0]), None);
}
