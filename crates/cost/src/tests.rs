//! Costs of small programs, counted by hand.

use crate::*;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::mesh::{Axis, AxisSet, Mesh, SubAxisId};
use meshwright_ir::program::Function;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_machine::ElementClass;
use meshwright_machine::{Bytes, Device, Machine};
use meshwright_plan::{Placement, Shardings};
use meshwright_tensor::types::Type;
use meshwright_transform::inline::inline_calls;

pub(crate) fn function(text: &str) -> Function {
    let program = meshwright_ir::text::read(&Source::new("test.mlir", text)).unwrap();
    meshwright_ir::verify::verify(&program).unwrap();
    inline_calls(&program, "main").unwrap()
}

pub(crate) fn placement(spec: &str, sizes: &[usize]) -> Placement {
    let axes = sizes
        .iter()
        .enumerate()
        .map(|(index, size)| Axis { name: format!("x{index}"), size: *size })
        .collect();
    Placement::new(Machine::from_spec(spec).unwrap(), Mesh::new("mesh", axes).unwrap()).unwrap()
}

fn analyze(function: &Function) -> Analysis<'_> {
    Analysis::new(function)
}

/// The instruction called `name`, the `index`-th of that name in the program.
pub(crate) fn find(function: &Function, name: &str, index: usize) -> InstId {
    let body = &function.body;
    let all = body.walk(body.entry());
    all.into_iter().filter(|inst| body.insts[*inst].op.name() == name).nth(index).unwrap()
}

fn result(function: &Function, inst: InstId) -> ValueId {
    function.body.insts[inst].results[0]
}

const MLP: &str = r#"
func.func @main(%x: tensor<64x32xf32>, %w1: tensor<32x128xf32>, %w2: tensor<128x32xf32>) -> tensor<64x32xf32> {
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<64x128xf32>
  %2 = stablehlo.add %1, %1 : tensor<64x128xf32>
  %3 = stablehlo.dot_general %2, %w2, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  return %3 : tensor<64x32xf32>
}
"#;

/// [`MLP`] with the hidden dim sharded over all of the mesh: the second product is a sum over devices.
fn megatron(function: &Function, mesh: &Mesh) -> Shardings {
    let analysis = analyze(function);
    let axes: Vec<SubAxisId> = mesh.sub_axis_ids().collect();
    let mut shardings = Shardings::replicated(function, mesh.clone());
    let shard = |shardings: &mut Shardings, value: ValueId, dim: usize| {
        shardings.values[value].dims[dim].axes.clone_from(&axes);
    };
    let args = function.args().to_vec();
    shard(&mut shardings, args[1], 1);
    shard(&mut shardings, args[2], 0);
    for inst in function.body.insts.ids() {
        let rule = analysis.rule(inst);
        let hidden = rule.factors.iter().position(|factor| factor.size == 128);
        let Some(hidden) = hidden else { continue };
        shardings.strategies[inst].axes[hidden].clone_from(&axes);
        if rule.is_in_results(hidden) {
            shard(&mut shardings, result(function, inst), 1);
        }
    }
    assert_eq!(shardings.verify(function), Vec::<String>::new());
    shardings
}

#[test]
fn what_is_read_twice_costs_the_same_wherever_it_stands() {
    let square = "stablehlo.multiply %x, %x";
    let product = "stablehlo.multiply %x, %y";
    let bytes = |first: &str, second: &str| {
        let text = format!(
            "func.func @main(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {{
  %0 = {first} : tensor<64x32xf32>
  %1 = {second} : tensor<64x32xf32>
  return %0, %1 : tensor<64x32xf32>, tensor<64x32xf32>
}}"
        );
        let function = function(&text);
        let placement = placement("cpu8", &[8]);
        let shardings = Shardings::replicated(&function, placement.mesh.clone());
        estimate(&Lowering::new(&analyze(&function), &shardings), &placement).total()
    };
    assert_eq!(bytes(square, product), bytes(product, square));
}

#[test]
fn narrow_convolutions_take_longer_on_a_cpu() {
    let mut machine = placement("cpu8", &[8]).machine.device.clone();
    let slower = |machine: &Device, taken: usize, given: usize| {
        let (x, w) = (format!("tensor<2x32x{taken}xf32>"), format!("tensor<4x{taken}x{given}xf32>"));
        let y = format!("tensor<2x29x{given}xf32>");
        let function = function(&format!(
            "func.func @main(%x: {x}, %w: {w}) -> {y} {{\n  \
             %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} \
             {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {w}) -> {y}\n  return %0 : {y}\n}}"
        ));
        let view = function.body.view(find(&function, "stablehlo.convolution", 0));
        let operands: Vec<Type> = view.operand_types().cloned().collect();
        let results: Vec<Type> = view.result_types().cloned().collect();
        let work = op::work(&analyze(&function), view.id, &operands, &results);
        let work = op::Work { bytes: 0.0, is_launched: false, ..work };
        (machine.achievable_flops(ElementClass::F32).0 * work.seconds(machine).0 / work.flops.0).round()
    };
    assert_eq!(
        [(32, 32), (8, 128), (8, 8), (2, 2)].map(|(i, o)| slower(&machine, i, o)),
        [1.0, 1.0, 8.0, 64.0]
    );
    machine.platform = None;
    assert_eq!(slower(&machine, 2, 2), 1.0);
}

#[test]
fn convolutions_in_groups_take_longer_the_more_groups_there_are() {
    let mut machine = placement("cpu8", &[8]).machine.device.clone();
    machine.grouped_convolution_flops = Some(machine.achievable_flops(ElementClass::F32) * (1.0 / 64.0));
    let products = machine.achievable_flops(ElementClass::F32).0;
    // How many times longer it takes than as a product, its channels being in so many shards.
    let slower = |kind: &str, groups: usize, channels: usize, shards: usize| {
        let (examples, features) =
            if kind == "batch" { (2 * groups, channels) } else { (2, channels / groups) };
        let [feature_groups, batch_groups] = if kind == "batch" { [1, groups] } else { [groups, 1] };
        let text = format!(
            "func.func @main(%x: tensor<{examples}x32x{channels}xf32>, %w: tensor<4x{features}x{channels}xf32>) \
-> tensor<2x29x{channels}xf32> {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} \
{{batch_group_count = {batch_groups} : i64, feature_group_count = {feature_groups} : i64}} : \
(tensor<{examples}x32x{channels}xf32>, tensor<4x{features}x{channels}xf32>) -> tensor<2x29x{channels}xf32>
  return %0 : tensor<2x29x{channels}xf32>
}}"
        );
        let function = function(&text);
        let analysis = analyze(&function);
        let inst = find(&function, "stablehlo.convolution", 0);
        let view = function.body.view(inst);
        let shard = |(ty, dim): (&Type, usize)| {
            let mut tensor = ty.as_tensor().unwrap().clone();
            tensor.shape[dim] /= shards;
            Type::Tensor(tensor)
        };
        let of_groups = if kind == "batch" { 0 } else { 2 };
        let operands: Vec<Type> = view.operand_types().zip([of_groups, 2]).map(shard).collect();
        let results: Vec<Type> = view.result_types().zip([2]).map(shard).collect();
        let work =
            op::Work { bytes: 0.0, is_launched: false, ..op::work(&analysis, inst, &operands, &results) };
        (products * work.seconds(&machine).0 / work.flops.0).round()
    };
    for kind in ["features", "batch"] {
        assert_eq!([1, 2, 8, 64].map(|groups| slower(kind, groups, 64, 1)), [1.0, 2.0, 8.0, 64.0], "{kind}");
        // A shard has whole groups: 16 of one channel, one of 16 channels, and one of one.
        assert_eq!([64, 4].map(|groups| slower(kind, groups, 64, 4)), [64.0, 4.0], "{kind}");
        assert_eq!(slower(kind, 64, 64, 64), 64.0, "{kind}");
    }
}

#[test]
fn only_what_crosses_a_fusion_is_charged() {
    let function = function(MLP);
    let analysis = analyze(&function);
    let stored = |name, index| analysis.fusion.is_stored[result(&function, find(&function, name, index))];
    assert!(stored("stablehlo.dot_general", 0));
    // Read twice, but by one instruction.
    assert!(!stored("stablehlo.multiply", 0));
    assert!(stored("stablehlo.add", 0));
    let mut types = op::LocalTypes::default();
    let mut bytes = |inst| {
        let body = &function.body;
        let strategy = Strategy::replicated(analysis.rule(inst));
        types.fill(&analysis, inst, &strategy, &placement("cpu8", &[8]).mesh);
        assert!(types.operands.iter().eq(body.view(inst).operand_types()));
        op::work(&analysis, inst, &types.operands, &types.results).bytes
    };
    let hidden = 64.0 * 128.0 * 4.0;
    // The product is read once, though it is multiplied by itself; the sum is written.
    assert_eq!(bytes(find(&function, "stablehlo.multiply", 0)), hidden);
    assert_eq!(bytes(find(&function, "stablehlo.add", 0)), hidden);
    let first = bytes(find(&function, "stablehlo.dot_general", 0));
    assert_eq!(first, hidden + (64.0 * 32.0 + 32.0 * 128.0) * 4.0);
}

#[test]
fn broadcasts_and_chains_into_elementwise_ops_are_free() {
    let function = function(
        r#"
func.func @main(%x: tensor<64x32xf32>, %b: tensor<32xf32>) -> tensor<64x32xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
  %2 = stablehlo.multiply %x, %0 : tensor<64x32xf32>
  %3 = stablehlo.add %2, %1 : tensor<64x32xf32>
  %4 = stablehlo.maximum %3, %0 : tensor<64x32xf32>
  return %4 : tensor<64x32xf32>
}
"#,
    );
    let analysis = analyze(&function);
    let place = placement("cpu8", &[8]);
    let shardings = Shardings::replicated(&function, place.mesh.clone());
    let mut types = op::LocalTypes::default();
    let mut total = (0.0, 0);
    for inst in function.body.insts.ids() {
        types.fill(&analysis, inst, &shardings.strategies[inst], &place.mesh);
        let work = op::work(&analysis, inst, &types.operands, &types.results);
        total = (total.0 + work.bytes, total.1 + usize::from(work.is_launched));
    }
    // x and b are read, the result is written, in one launch.
    assert_eq!(total, ((64.0 * 32.0 * 2.0 + 32.0) * 4.0, 1));
    let memory = memory(&Lowering::new(&analysis, &shardings));
    // x is not donated, so the result needs a place of its own.
    assert_eq!(memory.peak, Bytes((64 * 32 * 2 + 32) * 4));
    assert_eq!((memory.arguments, memory.temporaries), (Bytes(64 * 32 * 4 + 32 * 4), Bytes(64 * 32 * 4)));
}

#[test]
fn a_megatron_block_is_one_all_reduce() {
    let function = function(MLP);
    let place = placement("h100:1x8", &[8]);
    let shardings = megatron(&function, &place.mesh);
    let analysis = analyze(&function);
    let found = estimate(&Lowering::new(&analysis, &shardings), &place);
    let [total] = found.collectives.as_slice() else { panic!("{:?}", found.collectives) };
    let bytes = 64.0 * 32.0 * 4.0;
    assert_eq!((total.kind, total.count, total.result_bytes), (Collective::AllReduce, 1, bytes));
    assert_eq!(total.ring_bytes, 2.0 * 7.0 / 8.0 * bytes);
    let price = collective::collective_cost(Collective::AllReduce, place.mesh.all(), &place);
    assert_eq!(found.communication, price.seconds(bytes));
    assert!(!found.is_calibrated);
    let whole =
        estimate(&Lowering::new(&analysis, &Shardings::replicated(&function, place.mesh.clone())), &place);
    assert!(whole.collectives.is_empty() && found.compute < whole.compute);
    // Per device: x whole, an eighth of the weights; at most two hidden tensors or the sum at a time.
    let (x, w, hidden) = (64 * 32 * 4, 32 * 16 * 4, 64 * 16 * 4);
    assert_eq!(found.memory.peak, Bytes(x + 2 * w + hidden + x));
    assert_eq!(found.memory.largest[0].bytes, Bytes(x));
    assert_eq!(found.total(), found.compute + found.communication);
}

#[test]
fn a_value_is_brought_to_one_sharding_once() {
    let function = function(
        r#"
func.func @main(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %0 = stablehlo.add %x, %y : tensor<64x32xf32>
  %1 = stablehlo.multiply %x, %y : tensor<64x32xf32>
  return %0, %1 : tensor<64x32xf32>, tensor<64x32xf32>
}
"#,
    );
    let place = placement("cpu8", &[8]);
    let mut shardings = Shardings::replicated(&function, place.mesh.clone());
    let axes: Vec<SubAxisId> = place.mesh.sub_axis_ids().collect();
    shardings.values[function.args()[0]].dims[0].axes.clone_from(&axes);
    let analysis = analyze(&function);
    let found = estimate(&Lowering::new(&analysis, &shardings), &place);
    assert_eq!(found.collectives.len(), 1);
    assert_eq!((found.collectives[0].kind, found.collectives[0].count), (Collective::AllGather, 1));
    // The gathered form lives from its first reader to its last.
    let whole = 64 * 32 * 4;
    assert_eq!(found.memory.peak, Bytes(whole / 8 + whole + whole + whole));
    // Results that leave the function differently are resharded there.
    shardings.results[0].dims[1].axes.clone_from(&axes);
    let found = estimate(&Lowering::new(&analysis, &shardings), &place);
    assert!(
        found.compute
            > estimate(
                &Lowering::new(&analysis, &Shardings::replicated(&function, place.mesh.clone())),
                &place
            )
            .compute
    );
    assert_eq!(found.collectives[0].count, 1);
}

const LOOP: &str = r#"
func.func @main(%x: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%iterArg = %x, %iterArg_0 = %c) : tensor<64x64xf32>, tensor<i32>
  cond {
    %c_1 = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg_0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dot_general %iterArg, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %iterArg_0, %c_1 : tensor<i32>
    stablehlo.return %1, %2 : tensor<64x64xf32>, tensor<i32>
  }
  return %0#0 : tensor<64x64xf32>
}
"#;

#[test]
fn loops_count_as_often_as_they_run() {
    let function = function(LOOP);
    let place = placement("cpu8", &[8]);
    let shardings = Shardings::replicated(&function, place.mesh.clone());
    let seconds = |count: Option<u64>| {
        let analysis = Analysis::with_trip_counts(&function, &|_| count);
        let found = estimate(&Lowering::new(&analysis, &shardings), &place);
        (found.compute.0, found.assumptions)
    };
    let (five, none) = seconds(Some(5));
    assert!(none.is_empty());
    let (ten, _) = seconds(Some(10));
    assert!((ten / five - 2.0).abs() < 1e-9, "{ten} and {five}");
    let (assumed, assumptions) = seconds(None);
    assert_eq!(analyze(&function).trip_counts[find(&function, "stablehlo.while", 0)], 5);
    assert_eq!(assumed, seconds(Some(analysis::ASSUMED_TRIP_COUNT)).0);
    let [Assumption::TripCount { inst, count, .. }] = assumptions.as_slice() else {
        panic!("{assumptions:?}")
    };
    assert_eq!((*inst, *count), (find(&function, "stablehlo.while", 0), analysis::ASSUMED_TRIP_COUNT));
}

/// A loop inside that one.
const INNER: &str = "\
%j = stablehlo.while(%k = %v) : tensor<64x64xf32> cond {
      %f = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %f : tensor<i1>
    } do {
      %n = stablehlo.negate %k : tensor<64x64xf32>
      stablehlo.return %n : tensor<64x64xf32>
    }
    ";

#[test]
fn collectives_in_a_loop_count_as_often_as_it_runs() {
    let function = function(LOOP);
    let place = placement("cpu8", &[8]);
    let mut shardings = Shardings::replicated(&function, place.mesh.clone());
    // The contracted dim of the product is sharded: both operands are sliced, the result is reduced.
    let dot = find(&function, "stablehlo.dot_general", 0);
    let analysis = Analysis::with_trip_counts(&function, &|_| Some(5));
    let rule = analysis.rule(dot);
    let contracted = (0..rule.factors.len()).find(|factor| !rule.is_in_results(*factor)).unwrap();
    shardings.strategies[dot].axes[contracted] = place.mesh.sub_axis_ids().collect();
    assert_eq!(shardings.verify(&function), Vec::<String>::new());
    let found = estimate(&Lowering::new(&analysis, &shardings), &place);
    let [total] = found.collectives.as_slice() else { panic!("{:?}", found.collectives) };
    assert_eq!((total.kind, total.count), (Collective::AllReduce, 5));
    assert_eq!(total.ring_bytes, 5.0 * 2.0 * 7.0 / 8.0 * 64.0 * 64.0 * 4.0);
}

#[test]
fn a_loop_takes_over_what_it_starts_from() {
    let function = function(LOOP);
    let place = placement("cpu8", &[8]);
    let shardings = Shardings::replicated(&function, place.mesh.clone());
    let memory = memory(&Lowering::new(&analyze(&function), &shardings));
    let matrix = 64 * 64 * 4;
    // x (donated, so the loop writes over it), w, the product; the two counters and their successor.
    assert_eq!(memory.inst, Some(find(&function, "stablehlo.dot_general", 0)));
    assert_eq!(memory.peak, Bytes(3 * matrix + 4));
    assert_eq!(memory.arguments, Bytes(matrix));
}

#[test]
fn what_an_inner_loop_starts_from_each_time_stays() {
    let text = LOOP.replace("%c = ", "%v = stablehlo.negate %w : tensor<64x64xf32>\n  %c = ");
    let text = text.replace(
        "%1 = stablehlo.dot_general %iterArg, %w,",
        &format!("{INNER}%1 = stablehlo.dot_general %iterArg, %j,"),
    );
    let function = function(&text);
    let mesh = placement("cpu8", &[8]).mesh;
    let memory = memory(&Lowering::new(&analyze(&function), &Shardings::replicated(&function, mesh)));
    // x, w, what the inner loop starts from and gives, and the product: it writes beside what the next turn needs.
    assert_eq!(memory.peak, Bytes(5 * 64 * 64 * 4 + 4));
}

#[test]
fn an_update_of_donated_state_takes_no_more_than_the_state() {
    let text = |attributes: &str| {
        format!(
            "func.func @main(%p: tensor<64x64xf32>{attributes}, %g: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %0 = stablehlo.subtract %p, %g : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}}"
        )
    };
    let peak = |attributes: &str| {
        let function = function(&text(attributes));
        let mesh = placement("cpu8", &[8]).mesh;
        memory(&Lowering::new(&analyze(&function), &Shardings::replicated(&function, mesh))).peak
    };
    let matrix = 64 * 64 * 4;
    assert_eq!(peak(" {tf.aliasing_output = 0 : i32}"), Bytes(2 * matrix));
    assert_eq!(peak(" {jax.buffer_donor = true}"), Bytes(2 * matrix));
    assert_eq!(peak(""), Bytes(3 * matrix));
}

#[test]
fn a_partial_sum_wanted_sharded_is_scattered() {
    let function = function(MLP);
    let place = placement("h100:1x8", &[8]);
    let mut shardings = megatron(&function, &place.mesh);
    let last = result(&function, find(&function, "stablehlo.dot_general", 1));
    let all: Vec<SubAxisId> = place.mesh.sub_axis_ids().collect();
    shardings.values[last] = Sharding::of([all.clone(), vec![]]);
    shardings.results[0] = Sharding::of([all.clone(), vec![]]);
    let found = estimate(&Lowering::new(&analyze(&function), &shardings), &place);
    let [total] = found.collectives.as_slice() else { panic!("{:?}", found.collectives) };
    assert_eq!((total.kind, total.result_bytes), (Collective::ReduceScatter, 64.0 * 32.0 * 4.0 / 8.0));
    let axes: AxisSet = all.iter().collect();
    let price = collective::collective_cost(Collective::ReduceScatter, axes, &place);
    assert_eq!(found.communication, price.seconds(64.0 * 32.0 * 4.0));
}

#[test]
fn collectives_of_the_program_itself_are_priced_by_their_groups() {
    let function = function(
        r#"
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"#,
    );
    let placement = placement("cpu8:4", &[2, 2]);
    let shardings = Shardings::replicated(&function, placement.mesh.clone());
    let found = estimate(&Lowering::new(&analyze(&function), &shardings), &placement);
    let first: AxisSet = placement.mesh.sub_axis_ids().take(1).collect();
    let price = crate::collective::collective_cost(Collective::AllReduce, first, &placement);
    let [total] = found.collectives.as_slice() else { panic!("{:?}", found.collectives) };
    assert_eq!((total.kind, total.count, total.ring_bytes), (Collective::AllReduce, 1, 128.0));
    assert_eq!(found.communication, price.seconds(128.0));
}

/// The gradients of some weights, of which each device has a share: what follows them can wait, or is a product.
fn gradients(count: usize, is_read_at_once: bool) -> String {
    let args: Vec<String> =
        (0..count).map(|n| format!("%x{n}: tensor<64x32xf32>, %y{n}: tensor<64x32xf32>")).collect();
    let mut text = format!("func.func @main({}) -> tensor<32x32xf32> {{\n", args.join(", "));
    let mut last = String::from("%0");
    for n in 0..count {
        let (left, right) = (format!("%x{n}"), format!("%y{n}"));
        text += &format!(
            "  %{n} = stablehlo.dot_general {left}, {right}, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>\n"
        );
        if n > 0 {
            let op = match is_read_at_once {
                true => format!(
                    "dot_general {last}, %{n}, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>"
                ),
                false => format!("maximum {last}, %{n} : tensor<32x32xf32>"),
            };
            text += &format!("  %s{n} = stablehlo.{op}\n");
            last = format!("%s{n}");
        }
    }
    text + &format!("  return {last} : tensor<32x32xf32>\n}}\n")
}

#[test]
fn small_sums_that_can_wait_share_an_overhead() {
    let placement = placement("h100:1x8", &[8]);
    let axes: Vec<SubAxisId> = placement.mesh.sub_axis_ids().collect();
    let communication = |count: usize, is_read_at_once: bool| {
        let function = function(&gradients(count, is_read_at_once));
        let mut shardings = Shardings::replicated(&function, placement.mesh.clone());
        let analysis = analyze(&function);
        for inst in function.body.insts.ids() {
            let rule = analysis.rule(inst);
            if let Some(batch) = rule.factors.iter().position(|factor| factor.size == 64) {
                shardings.strategies[inst].axes[batch].clone_from(&axes);
            }
        }
        let found = estimate(&Lowering::new(&analysis, &shardings), &placement);
        (found.communication, found.collectives[0].count)
    };
    let (one, _) = communication(1, false);
    let (ten, count) = communication(10, false);
    assert_eq!(count, 10);
    assert!(ten.0 < 1.2 * one.0, "{ten:?} is much more than {one:?}");
    // The first product reads two sums, every other one more.
    let (ten, _) = communication(10, true);
    assert!((ten.0 / one.0 - 9.0).abs() < 0.2, "{ten:?} is not nine times {one:?}");
}
