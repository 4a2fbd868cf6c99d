//! Events of small programs, and mistakes that the verifier notices.

use super::{BufferId, Event, Lowering};
use crate::Analysis;
use crate::estimate::estimate;
use crate::tests::{find, function, placement};
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Reduction;
use meshwright_plan::{Policy, Shardings, Use};

/// A weight that is read twice, in a loop and in a branch; and a reducer.
const PROGRAM: &str = r#"
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %s: tensor<f32>, %p: tensor<i1>) -> (tensor<8x8xf32>, tensor<8xf32>) {
  %0 = stablehlo.add %x, %w : tensor<8x8xf32>
  %1 = stablehlo.multiply %0, %w : tensor<8x8xf32>
  %2 = stablehlo.while(%i = %1) : tensor<8x8xf32> cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %3 = stablehlo.add %i, %w : tensor<8x8xf32>
    stablehlo.return %3 : tensor<8x8xf32>
  }
  %4 = "stablehlo.if"(%p) ({
    stablehlo.return %2 : tensor<8x8xf32>
  }, {
    stablehlo.return %w : tensor<8x8xf32>
  }) : (tensor<i1>) -> tensor<8x8xf32>
  %5 = stablehlo.constant dense<0.0> : tensor<f32>
  %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %7 = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %4, %6 : tensor<8x8xf32>, tensor<8xf32>
}
"#;

/// With the weight gathered again for the loop.
const EVENTS: &str = "\
reshard [1] -> [v1@17]
stablehlo.add [0 v1@17] -> [4]
stablehlo.multiply [4 v1@17] -> [5]
enter [5] -> [6]
stablehlo.constant [] -> [7]
stablehlo.return [7] -> []
leave [] -> []
enter [] -> [8]
reshard apart [1] -> [v1@18]
stablehlo.add [8 v1@18] -> [9]
stablehlo.return [9] -> []
leave [] -> []
stablehlo.while [] -> [10]
enter [3] -> []
stablehlo.return [10] -> []
leave [] -> []
enter [] -> []
stablehlo.return [v1@17] -> []
leave [] -> []
stablehlo.if [] -> [11]
stablehlo.constant [] -> [12]
stablehlo.reduce [11 12] -> [16]
func.return [11 16] -> []";

/// All replicated but the weight, which is sharded over the mesh.
fn shardings(function: &Function) -> Shardings {
    let mesh = placement("cpu8", &[8]).mesh;
    let axes = mesh.sub_axis_ids().collect();
    let mut shardings = Shardings::replicated(function, mesh);
    shardings.values[function.args()[1]].dims[0].axes = axes;
    shardings
}

/// Each event in a line: values by number, other forms of them by number of the buffer.
fn listing(lowering: &Lowering<'_>) -> Vec<String> {
    let body = &lowering.analysis.function.body;
    let name = |buffer: &BufferId| match lowering.is_kept(*buffer) {
        true => format!("{buffer}"),
        false => format!("{:?}@{buffer}", lowering.buffers[*buffer].value),
    };
    let names = |buffers: &[BufferId]| buffers.iter().map(name).collect::<Vec<_>>().join(" ");
    let line = |event: &Event| {
        let (reads, makes) = lowering.accesses(event);
        let what = match event {
            Event::Compute { .. } => body.insts[event.inst()].op.name(),
            Event::Reshard(reshard) if reshard.is_apart => "reshard apart",
            Event::Reshard(_) => "reshard",
            Event::Enter { .. } => "enter",
            Event::Leave { .. } => "leave",
        };
        format!("{what} [{}] -> [{}]", names(reads), names(makes))
    };
    lowering.events.iter().map(line).collect()
}

#[test]
fn one_copy_serves_all_readers_and_each_group_has_its_own() {
    let function = function(PROGRAM);
    let (analysis, mut shardings) = (Analysis::new(&function), shardings(&function));
    let count = |shardings: &Shardings| {
        let lowering = Lowering::new(&analysis, shardings);
        assert_eq!(lowering.verify(), Vec::<String>::new());
        listing(&lowering).iter().filter(|line| line.starts_with("reshard")).count()
    };
    assert_eq!(count(&shardings), 1);
    // A group that begins in a loop ends there.
    let weight: ValueId = function.args()[1];
    let again = Use { reader: find(&function, "stablehlo.add", 1), value: weight };
    shardings.policies.set(again, Policy::GatherAgain);
    assert_eq!(count(&shardings), 2);
    let lowering = Lowering::new(&analysis, &shardings);
    assert_eq!(listing(&lowering).join("\n"), EVENTS);
}

#[test]
fn a_copy_stands_for_as_many_as_the_reader_that_stands_for_most() {
    let function = function(PROGRAM);
    let shardings = shardings(&function);
    let sent = |counts: [u64; 2]| {
        let body = &function.body;
        let mut insts = Table::filled(0, body.insts.len());
        let readers = [("stablehlo.add", 0), ("stablehlo.multiply", 0)];
        readers.iter().zip(counts).for_each(|((name, at), count)| insts[find(&function, name, *at)] = count);
        let analysis = Analysis::new(&function).standing_for(insts, Table::filled(0, body.values.len()));
        estimate(&Lowering::new(&analysis, &shardings), &placement("cpu8", &[8])).communication.0
    };
    let once = sent([1, 1]);
    assert!(once > 0.0);
    assert_eq!([sent([0, 1]), sent([1, 0]), sent([0, 3]), sent([0, 0])], [once, once, 3.0 * once, 0.0]);
}

#[test]
fn no_event_can_be_left_out_or_come_twice() {
    let function = function(PROGRAM);
    let (analysis, shardings) = (Analysis::new(&function), shardings(&function));
    let lowering = Lowering::new(&analysis, &shardings);
    for at in 0..lowering.events.len() {
        let mut less = lowering.clone();
        let event = less.events.remove(at);
        assert_ne!(less.verify(), Vec::<String>::new(), "without {event:?}");
        let mut more = lowering.clone();
        more.events.insert(at, event.clone());
        assert_ne!(more.verify(), Vec::<String>::new(), "with {event:?} twice");
    }
}

#[test]
fn what_is_read_is_as_it_is_asked_for() {
    let function = function(PROGRAM);
    let (analysis, mut shardings) = (Analysis::new(&function), shardings(&function));
    let decided = shardings.clone();
    let kept = Lowering::new(&analysis, &decided);
    let group = Use { reader: find(&function, "stablehlo.multiply", 0), value: function.args()[1] };
    shardings.policies.set(group, Policy::GatherAgain);
    let again = Lowering::new(&analysis, &shardings);
    // Each has the other's policies.
    let swapped = |events: &Lowering<'_>, other: &Lowering<'_>| {
        let events = events.clone();
        Lowering { shardings: other.shardings, ..events }.verify().len()
    };
    assert!(swapped(&kept, &again) > 0 && swapped(&again, &kept) > 0);
    let mut sharded = decided.clone();
    sharded.values[function.args()[0]] = decided.values[function.args()[1]].clone();
    assert!(Lowering { shardings: &sharded, ..kept.clone() }.verify() != Vec::<String>::new());
}

#[test]
fn what_a_reducer_reads_from_around_it_is_whole() {
    let function = function(&PROGRAM.replace("%7 = stablehlo.add %l, %r", "%7 = stablehlo.add %l, %s"));
    let (analysis, mut shardings) = (Analysis::new(&function), shardings(&function));
    let scalar = function.args()[2];
    shardings.values[scalar].partial = Some((Reduction::Sum, shardings.mesh.all()));
    let lowering = Lowering::new(&analysis, &shardings);
    assert_eq!(lowering.verify(), Vec::<String>::new());
    let events = listing(&lowering);
    let reduce = events.iter().position(|event| event.starts_with("stablehlo.reduce")).unwrap();
    assert_eq!(
        events[reduce - 1..=reduce],
        ["reshard [2] -> [v2@18]", "stablehlo.reduce [11 12 v2@18] -> [16]"]
    );
}
