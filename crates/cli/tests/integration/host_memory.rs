//! Programs that need more memory than this host has are refused before they run, with their plan.

use crate::common::Scratch;

/// 64 TiB, of which 2048 devices hold 32 GiB each.
const HUGE: &str = r#"sdy.mesh @mesh = <["x"=2048]>
func.func @main(%a: tensor<4194304x4194304xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4194304x4194304xf32> {
  %0 = stablehlo.add %a, %a : tensor<4194304x4194304xf32>
  return %0 : tensor<4194304x4194304xf32>
}
"#;

#[cfg(target_os = "linux")]
#[test]
fn what_this_host_cannot_hold_is_planned_but_not_run() {
    let scratch = Scratch::new("host");
    scratch.file("huge.mlir", HUGE);
    let said = ["host-memory", "192.0 TiB", "available", "`meshwright plan`"];
    let ran = scratch.line("check huge.mlir --machine h100:256x8").fails(3, &said);
    ran.says(&["Plan of huge.mlir", "x=2048 (2048 devices)"]);
    let ran = scratch.line("check huge.mlir --machine h100:256x8 --json").fails(3, &[]);
    assert_eq!((&ran.json()["ran"], &ran.json()["plan"]["machine"]), (&false.into(), &"h100:256x8".into()));
    scratch.line("plan huge.mlir --machine h100:256x8").succeeds();
    scratch.line("compile huge.mlir --machine h100:256x8 -o compiled").succeeds();
    scratch.line("run compiled --inputs none.npz --outputs out.npz").fails(3, &["host-memory", "128.0 TiB"]);
    scratch.line("eval huge.mlir --inputs none.npz").fails(3, &["host-memory", "128.0 TiB"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_the_address_space_is_kept() {
    let scratch = Scratch::new("limit");
    scratch.file("big.mlir", HUGE.replace("4194304x4194304", "32768x32768").replace("=2048", "=8"));
    let binary = env!("CARGO_BIN_EXE_meshwright");
    let line = format!(
        "ulimit -v 4000000; exec {binary} check {} --machine cpu8 --memory-limit 8GiB",
        scratch.path("big.mlir").display()
    );
    let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains("host-memory"), "{err}");
}

#[test]
fn what_repeats_may_be_larger_than_the_host() {
    let scratch = Scratch::new("repeats");
    let text = "func.func @main() -> tensor<4194304x4194304xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<4194304x4194304xf32>
  return %0 : tensor<4194304x4194304xf32>
}
";
    scratch.file("iota.mlir", text);
    scratch.line("eval iota.mlir").succeeds().says(&["4.194303e6"]);
}
