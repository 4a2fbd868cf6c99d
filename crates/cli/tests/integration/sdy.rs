//! What `sdy` can say, as a user meets it: sharded like any program, or refused at its place by every command.

use crate::common::{Ran, Scratch};

/// A program on two meshes around `body`, which makes `%r` of `%a`.
fn program(body: &str) -> String {
    format!(
        "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>
sdy.mesh @none = <[]>
sdy.mesh @one = <[], device_ids=[0]>
sdy.mesh @turned = <[\"x\"=2, \"y\"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%a: tensor<8x16xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{\"x\"}}, {{}}]>}}) -> tensor<8x16xf32> {{
{body}
  return %r : tensor<8x16xf32>
}}
"
    )
}

/// Every command that shards a program.
fn partitioned(scratch: &Scratch) -> Vec<Ran> {
    ["check s.mlir --machine cpu8", "plan s.mlir --machine cpu8 -o o.json", "partition s.mlir -o o.mlir"]
        .map(|line| scratch.line(line))
        .into()
}

#[test]
fn reshards_and_collectives_fix_shardings() {
    let scratch = Scratch::new("sdy-spread");
    for body in [
        "  %r = sdy.reshard %a <@mesh, [{}, {\"x\"}]> : tensor<8x16xf32>",
        "  %r = sdy.all_gather [{\"x\"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>",
        "  %r = sdy.all_slice [{\"y\"}, {}] %a out_sharding=<@mesh, [{\"x\", \"y\"}, {}]> : tensor<8x16xf32>",
        "  %r = sdy.all_to_all [{\"x\"}: 0->1] %a out_sharding=<@mesh, [{}, {\"x\"}]> : tensor<8x16xf32>",
        "  %0 = sdy.collective_permute %a out_sharding=<@mesh, [{\"y\":(2)2}, {}]> : tensor<8x16xf32>
  %r = stablehlo.negate %0 : tensor<8x16xf32>",
        "  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %2 = sdy.all_reduce {\"x\"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<16x16xf32>
  %r = stablehlo.slice %2 [0:8, 0:16] : (tensor<16x16xf32>) -> tensor<8x16xf32>",
        "  %0 = sdy.constant dense<2.0> : tensor<8x16xf32>
  %r = stablehlo.multiply %a, %0 {sdy.sharding = #sdy.sharding_per_value<[<@none, [{}, {}]>]>} : tensor<8x16xf32>",
    ] {
        scratch.file("s.mlir", program(body).replace("sdy.mesh @turned", "// sdy.mesh @turned"));
        scratch.line("check s.mlir --machine cpu8").succeeds().says(&["agree"]);
        scratch.line("propagate s.mlir -o o.mlir").succeeds();
        scratch.line("check o.mlir --machine cpu8").succeeds().says(&["agree"]);
    }
    let text = std::fs::read_to_string(scratch.path("o.mlir")).unwrap();
    assert!(text.contains("sdy.mesh @one = <[], device_ids=[0]>"), "{text}");
}

#[test]
fn regions_and_what_guides_propagation_are_sharded() {
    let scratch = Scratch::new("sdy-regions");
    for body in [
        "  %r = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}, {}]>] out_shardings=[<@mesh, [{\"x\"}, {}]>] manual_axes={\"x\"} (%b: tensor<4x16xf32>) {
    %0 = \"stablehlo.all_reduce\"(%b) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> ({
    ^bb0(%c: tensor<f32>, %d: tensor<f32>):
      %1 = stablehlo.add %c, %d : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    sdy.return %0 : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>",
        "  %r = sdy.named_computation<\"f\">(%a) (%b: tensor<8x16xf32>) {
    sdy.return %b : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>",
        "  %r = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8x16xf32>",
        "  %r = stablehlo.negate %a : tensor<8x16xf32>
  sdy.sharding_group %r group_id=0 : tensor<8x16xf32>",
        "  %r = sdy.func_data_flow_edge %a : tensor<8x16xf32>",
    ] {
        scratch.file("s.mlir", program(body).replace("sdy.mesh @turned", "// sdy.mesh @turned"));
        for ids in ["replica", "partition"] {
            scratch.line(&format!("check s.mlir --machine cpu8 --ids {ids}")).succeeds().says(&["agree"]);
            scratch.line(&format!("partition s.mlir -o o.mlir --ids {ids}")).succeeds();
        }
    }
    let text = std::fs::read_to_string(scratch.path("o.mlir")).unwrap();
    assert!(
        text.contains("mhlo.num_partitions = 8") && text.contains("mhlo.sharding = \"{manual}\""),
        "{text}"
    );
}

#[test]
fn rules_and_manual_axes_of_the_users_own_are_obeyed() {
    let scratch = Scratch::new("sdy-given");
    let body = "  %r = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16}, custom>} : tensor<8x16xf32>";
    scratch.file("s.mlir", program(body));
    for ran in partitioned(&scratch) {
        ran.succeeds();
    }
    let body = "  %r = stablehlo.negate %a : tensor<8x16xf32>";
    let manual = |axis: &str| {
        program(body).replace(
            ") -> tensor<8x16xf32> {",
            &format!(
                ") -> tensor<8x16xf32> attributes {{sdy.func_manual_axes = #sdy<manual_axes{{\"{axis}\"}}>}} {{"
            ),
        )
    };
    scratch.file("s.mlir", manual("y"));
    for ran in partitioned(&scratch) {
        ran.succeeds();
    }
    scratch.file("s.mlir", manual("nowhere"));
    for ran in partitioned(&scratch) {
        ran.fails(1, &["error[structure]", "manual along", "no mesh"]);
    }
    // Propagation alone obeys such a rule too.
    let body = "  %r = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=16, k=16}, custom>} : tensor<8x16xf32>";
    scratch.file("s.mlir", program(body));
    scratch.line("propagate s.mlir -o -").succeeds().says(&["custom>"]);
}

#[test]
fn meshes_of_every_kind() {
    let scratch = Scratch::new("sdy-meshes");
    for sharding in
        ["<@one, []>", "<mesh<[\"x\"=2, \"y\"=4]>, [{\"x\"}, {}]>", "<@mesh, [{}, {}], unreduced={\"y\"}>"]
    {
        let body = format!(
            "  %r = stablehlo.negate %a {{sdy.sharding = #sdy.sharding_per_value<[{sharding}]>}} : tensor<8x16xf32>"
        );
        scratch.file("s.mlir", program(&body));
        scratch.line("check s.mlir --machine cpu8").succeeds().says(&["agree"]);
        scratch.line("partition s.mlir -o o.mlir").succeeds();
        scratch.line("fmt s.mlir").succeeds().says(&[sharding]);
    }
    let body = "  %r = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@turned, [{\"x\"}, {}]>]>} : tensor<8x16xf32>";
    scratch.file("s.mlir", program(body));
    // The same devices in another order.
    scratch.line("check s.mlir").succeeds().says(&["agree"]);
    scratch.line("partition s.mlir -o o.mlir").succeeds();
    scratch.file("s.mlir", program(body).replace("@mesh, [{\"x\"}, {}]", "@turned, [{\"x\"}, {}]"));
    scratch.line("check s.mlir --machine cpu8").succeeds().says(&["agree"]);
}

#[test]
fn what_the_program_itself_sends_and_what_goes_to_other_devices_is_predicted() {
    let scratch = Scratch::new("sdy-predicted");
    let seconds = |text: String| {
        scratch.file("p.mlir", text);
        // An argument that stands on other devices is warned of.
        let json = scratch.line("plan p.mlir --machine cpu8:2 --json").json();
        json["predicted"]["communication_seconds"].as_f64().unwrap()
    };
    let turned = r#"sdy.mesh @mesh = <["x"=2]>
sdy.mesh @turned = <["x"=2], device_ids=[1, 0]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@turned, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %r = stablehlo.add %a, %b : tensor<8xf32>
  return %r : tensor<8xf32>
}
"#;
    assert!(seconds(turned.to_owned()) > 0.0);
    assert_eq!(seconds(turned.replace("@turned, [", "@mesh, [")), 0.0);
    let manual = |inside: &str| {
        format!(
            r#"sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {{
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x"}}]>] out_shardings=[<@mesh, [{{"x"}}]>] manual_axes={{"x"}} (%b: tensor<4xf32>) {{
    %1 = {inside} : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  }} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}}
"#
        )
    };
    let exchanged = r#""stablehlo.collective_permute"(%b) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>"#;
    assert!(seconds(manual(exchanged)) > seconds(manual(r#""stablehlo.exponential"(%b)"#)));
}
