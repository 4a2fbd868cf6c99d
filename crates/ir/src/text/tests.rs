//! Reading and printing, on small programs.

use super::{Form, print, read};
use crate::diagnostic::Source;
use crate::verify::verify;

fn round_trip(text: &str) {
    for form in [Form::Pretty, Form::Generic] {
        let program = read(&Source::new("test.mlir", text)).unwrap();
        verify(&program).unwrap();
        let printed = print(&program, form);
        let again = read(&Source::new("printed.mlir", printed.as_str()))
            .unwrap_or_else(|diagnostics| panic!("{diagnostics:?}\n{printed}"));
        assert_eq!(print(&again, form), printed);
        assert_eq!(print(&again, Form::Pretty), print(&program, Form::Pretty));
        if form == Form::Pretty {
            assert_eq!(printed, text);
        }
    }
}

#[test]
fn loops_calls_and_reductions_round_trip() {
    round_trip(
        r#"module @jit_f attributes {mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", ?}, {}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<4x4xf32>) -> (tensor<8x4xf32> {jax.result_info = "w"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<[0.899999976, 1.000000e+00]> : tensor<2xf32>
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c) : tensor<8x4xf32>, tensor<i32>
    cond {
      %c_2 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c_2 : tensor<i1>
    } do {
      %5 = stablehlo.dot_general %iterArg, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      %6 = func.call @f(%5) : (tensor<8x4xf32>) -> tensor<8x4xf32>
      stablehlo.return %6, %iterArg_1 : tensor<8x4xf32>, tensor<i32>
    }
    %1 = call @f(%0#0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"data"}, {"model":(1)2}]> : tensor<8x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.reduce(%3 init: %cst_0) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
      %5 = stablehlo.add %arg2, %arg2 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }
    return %2 : tensor<8x4xf32>
  }
  func.func private @f(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
"#,
    );
}

#[test]
fn all_errors_are_reported_each_once() {
    let text = r#"func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.ad %a, %a : tensor<2xf32>
  %1 = stablehlo.add %0, %a : tensor<2xf32>
  %2 = stablehlo.add %a, %missing : tensor<2xf32>
  %3 = stablehlo.add %a, %a : tensor<3xf32>
  %4 = stablehlo.constant dense<[1.0, 2.0 : tensor<2xf32>
  return %a : tensor<2xf32>
}
"#;
    let source = Source::new("bad.mlir", text);
    let diagnostics = read(&source).unwrap_err();
    let found: Vec<(usize, &str)> =
        diagnostics.iter().map(|found| (source.place(found.span).line, found.check.0)).collect();
    assert_eq!(
        found,
        [(2, "unknown-op"), (4, "names"), (5, "signature"), (5, "signature"), (6, "syntax")],
        "{diagnostics:#?}"
    );
    assert_eq!(diagnostics[0].hints, ["did you mean `stablehlo.add`?"]);
}

#[test]
fn truncated_files_end_in_an_error() {
    let text = "module {\n  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n    return %a : tensor<2xf32>\n  }\n}\n";
    assert!(read(&Source::new("whole.mlir", text)).is_ok());
    for end in 0..text.len() - 2 {
        assert!(read(&Source::new("cut.mlir", &text[..end])).is_err(), "{}", &text[..end]);
    }
}

fn problems(text: String) -> Vec<crate::diagnostic::Diagnostic> {
    read(&Source::new("bad.mlir", text)).unwrap_err()
}

/// Each of many errors would otherwise search all that is behind it.
#[test]
fn what_has_no_end_is_searched_once() {
    let lines = |line: &dyn Fn(usize) -> String| (0..1000).map(line).collect::<String>();
    let function = |code: String| format!("func.func @main(%a: tensor<2xf32>) {{\n{code}  return\n}}\n");
    let unclosed = lines(&|at| format!("  %{at} = stablehlo.abs %a {{x.y = #foo<}} : tensor<2xf32>\n"));
    for text in [function(unclosed.clone()), function(unclosed + "\u{e9}\n")] {
        let found = problems(text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "this `<` is never closed");
    }
    let found = problems(lines(&|at| format!("func.func private @f{at}() attributes {{x.y = #foo<}}\n")));
    assert_eq!(found.len(), 1);
    // One error per function, not one per line behind each.
    let found = problems(lines(&|at| format!("func.func @f{at}() {{\n")));
    assert_eq!(found.len(), 1000);
}

#[test]
fn long_names_are_not_repeated() {
    let name = "a".repeat(1 << 20);
    let found = problems(format!("func.func @main() {{\n  stablehlo.{name}\n}}\n"));
    assert_eq!(found.len(), 1);
    assert!(found[0].message.len() < 100 && found[0].hints.is_empty());
}

#[test]
fn control_characters_are_escaped_in_messages() {
    let found = problems("func.func @main() {\n  \0\n}\n".to_owned());
    assert_eq!(found[0].message, "expected an operation, found `\\0`");
    let found = problems("module @\"abc".to_owned());
    assert_eq!(found[0].message, "expected `{`, found a string without an end");
}

#[test]
fn many_attributes_are_found_by_name() {
    let names =
        |separator: &str| (0..2000).map(|at| format!("a{at} = {at}")).collect::<Vec<_>>().join(separator);
    let text = format!("func.func private @f() attributes {{{}}}\n", names(", ").replace('a', "x.a"));
    let program = read(&Source::new("many.mlir", text)).unwrap();
    let mut attributes = program.functions[0].attributes.clone();
    assert_eq!(attributes.get("x.a1234").and_then(|value| value.as_int()), Some(1234));
    assert_eq!(attributes.remove("x.a7").and_then(|value| value.as_int()), Some(7));
    assert!(attributes.get("x.a7").is_none() && attributes.remove("x.b").is_none());
    let twice =
        format!("func.func private @f() attributes {{x.y = #stablehlo.dot<{}, a0 = 1>}}\n", names(", "));
    assert!(problems(twice)[0].message.contains("`a0` is given twice"));
}
