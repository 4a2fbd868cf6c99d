//! Files of several modules, and programs that check themselves, as a user runs them.

use crate::common::Scratch;

const CHECKED: &str = "func.func @one() -> tensor<2xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<2xi32>
  check.expect_eq_const %0, dense<[0, 1]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
";

#[test]
fn checks_decide_the_exit_code() {
    let scratch = Scratch::new("checks");
    scratch.file("holds.mlir", CHECKED);
    scratch.line("eval holds.mlir").succeeds().says(&["out0"]);
    scratch.file("fails.mlir", CHECKED.replace("[0, 1]", "[0, 3]"));
    let said =
        "`check.expect_eq_const`: at index [1] the value is 1, but 3 is expected; 1 of 2 elements differ";
    scratch.line("eval fails.mlir").fails(3, &["error[check]", said, "fails.mlir:3:3"]);
}

#[test]
fn modules_of_a_file_are_evaluated_in_turn() {
    let scratch = Scratch::new("modules");
    let second = CHECKED.replace("@one", "@two");
    scratch
        .file("both.mlir", format!("// Nothing but a comment.\n\n// -----\n\n{CHECKED}// -----\n{second}"));
    scratch.line("eval both.mlir").succeeds();
    assert_eq!(scratch.line("eval both.mlir --json").succeeds().json().as_array().unwrap().len(), 2);
    scratch.line("fmt both.mlir -o out.mlir").succeeds();
    assert_eq!(scratch.line("fmt out.mlir").out.matches("// -----\n").count(), 1);
    scratch.line("eval both.mlir --outputs o.npz").fails(2, &["the file holds 2 modules"]);
    scratch
        .line("plan both.mlir --machine cpu8")
        .fails(1, &["2 modules, split by `// -----`, where one is expected"]);
    scratch.file(
        "broken.mlir",
        format!("{CHECKED}// -----\n{}", second.replace("@two() -> tensor", "@two() -> tenor")),
    );
    scratch.line("eval broken.mlir").fails(1, &["broken.mlir:7:"]);
}

#[test]
fn the_function_to_run_must_be_clear() {
    let scratch = Scratch::new("main");
    scratch.file("two.mlir", format!("{CHECKED}{}", CHECKED.replace("@one", "@two")));
    scratch.line("eval two.mlir").fails(1, &["no function `@main`, but `@one`, `@two`"]);
}

#[test]
fn fmt_prints_what_it_reads() {
    let scratch = Scratch::new("fmt");
    scratch.file("one.mlir", CHECKED);
    let pretty =
        scratch.line("fmt one.mlir").succeeds().says(&["    %0 = stablehlo.iota dim = 0 : tensor<2xi32>\n"]);
    let generic = scratch.line("fmt one.mlir --generic").succeeds().says(&["\"stablehlo.iota\"()"]);
    scratch.file("pretty.mlir", &pretty.out);
    scratch.file("generic.mlir", &generic.out);
    assert_eq!(scratch.line("fmt generic.mlir").succeeds().out, pretty.out);
    assert_eq!(scratch.line("fmt pretty.mlir --generic").succeeds().out, generic.out);
    scratch.file("wrong.mlir", CHECKED.replace("iota dim = 0", "iota dim = 1"));
    scratch.line("fmt wrong.mlir").fails(1, &["stablehlo.iota"]);
}
