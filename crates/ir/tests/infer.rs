//! Types of results follow from what an instruction is given (`OpDef::infer`), in every program of `tests/suite` and
//! `examples`: what is inferred is what the program says. An op that leaves its types open is in a list below; an op
//! that is in none of the programs is among [`MORE`].

use meshwright_ir::diagnostic::Source;
use meshwright_ir::op::{Given, OpReader, READERS};
use meshwright_ir::program::{Function, InstView, Program};
use meshwright_ir::text::read_all;
use meshwright_ir::verify::verify;
use meshwright_tensor::types::Type;
use std::collections::BTreeSet;
use std::path::Path;

/// Ops whose types do not always follow.
const OPEN: &[&str] = &[
    // The type is what they are for.
    "stablehlo.broadcast_in_dim",
    "stablehlo.iota",
    "stablehlo.reshape",
    "stablehlo.rng",
    "stablehlo.rng_bit_generator",
    // What comes in from outside of the program.
    "stablehlo.infeed",
    "stablehlo.recv",
    // A function knows, or a library.
    "func.call",
    "interpreter.run_parallel",
    "stablehlo.composite",
    "stablehlo.custom_call",
    // The mesh knows.
    "meshwright.enter_manual",
    "meshwright.leave_manual",
    "sdy.manual_computation",
];

/// Ops that let the type of elements be chosen, and have none if nothing is asked for or the operands differ in theirs.
const CHOSEN: &[&str] = &[
    "stablehlo.bitcast_convert",
    "stablehlo.convert",
    "stablehlo.convolution",
    "stablehlo.dot",
    "stablehlo.dot_general",
    "stablehlo.einsum",
    "stablehlo.unary_einsum",
];

/// Ops that no file has.
const MORE: &str = r#"
sdy.mesh @mesh = <["x"=2]>
func.func @main(%whole: tensor<4x6xf32>, %row: tensor<1x6xf32>, %number: tensor<complex<f32>>) {
  %part = "meshwright.enter_manual"(%whole) {manual_axes = #sdy<manual_axes{"x"}>, sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %again = "meshwright.leave_manual"(%part) {manual_axes = #sdy<manual_axes{"x"}>, sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} : (tensor<2x6xf32>) -> tensor<4x6xf32>
  %parts = "meshwright.rearrange"(%whole, %again) {dim = 1 : i64, parts = array<i64: 1, 2, 3, 0, 0, 0, 6, 0>} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x9xf32>
  %angle = chlo.broadcast_atan2 %whole, %row : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
  %is_infinite = chlo.is_pos_inf %whole : tensor<4x6xf32> -> tensor<4x6xi1>
  %tangent = stablehlo.tan %number : tensor<complex<f32>>
  %vector = stablehlo.constant dense<1.0> : tensor<6xf32>
  %wide = stablehlo.dot %whole, %vector : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf64>
  %wider = stablehlo.einsum %whole, %vector, config = "ab,b->a" : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf64>
  %sums = stablehlo.unary_einsum %whole, config = "ab->a" : (tensor<4x6xf32>) -> tensor<4xf64>
  return
}
"#;

/// All programs that can be read.
fn programs() -> Vec<(String, Program)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = vec![("MORE".to_owned(), MORE.to_owned())];
    for folder in ["examples", "tests/suite"] {
        read_folder(&root.join(folder), &mut texts);
    }
    let more = read_all(&Source::new("MORE", MORE)).expect("`MORE` can be read");
    verify(&more[0]).expect("`MORE` is right");
    let read = |(name, text): (String, String)| {
        let programs = read_all(&Source::new(&name, text)).unwrap_or_default();
        programs.into_iter().map(move |program| (name.clone(), program))
    };
    texts.into_iter().flat_map(read).collect()
}

fn read_folder(folder: &Path, texts: &mut Vec<(String, String)>) {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    for path in entries {
        if path.is_dir() {
            read_folder(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "mlir") {
            texts.push((path.display().to_string(), std::fs::read_to_string(&path).expect("a text")));
        }
    }
}

fn instructions(function: &Function) -> impl Iterator<Item = InstView<'_>> {
    let body = &function.body;
    let all = if function.is_declaration { Vec::new() } else { body.walk(body.entry()) };
    all.into_iter().map(|inst| body.view(inst))
}

/// Types but for those of elements.
fn shapes(types: &[Type]) -> Vec<Option<&[usize]>> {
    types.iter().map(|ty| ty.as_tensor().map(|tensor| tensor.shape.as_slice())).collect()
}

#[test]
fn inferred_types_are_those_of_the_program() {
    let (mut seen, mut open, mut chosen) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut problems = Vec::new();
    for (file, program) in programs().iter().filter(|(_, program)| verify(program).is_ok()) {
        for view in program.functions.iter().flat_map(instructions) {
            let op = &view.inst.op;
            let name = op.name();
            seen.insert(name);
            let found: Vec<Type> = view.result_types().cloned().collect();
            let given = Given::of(&view);
            match op.infer(&given) {
                // Partitions may join its groups.
                None if op.participants().is_some_and(|all| all.size().is_none()) => continue,
                None => {
                    open.insert(name);
                    continue;
                }
                Some(types) if types == found => {}
                Some(types) => problems.push(format!("{file}: `{name}`: {types:?}, not {found:?}")),
            }
            match op.infer(&Given { element: None, ..given }) {
                Some(types) if types == found => {}
                Some(types) if shapes(&types) != shapes(&found) => {
                    problems.push(format!("{file}: `{name}`: {types:?}, not {found:?}"));
                }
                _ => _ = chosen.insert(name),
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    // Ops of one file are like another.
    let is_unseen = |readers: &&&[OpReader]| !readers.iter().any(|reader| seen.contains(reader.name));
    let unseen: Vec<&str> = READERS.iter().filter(is_unseen).map(|readers| readers[0].name).collect();
    assert_eq!(unseen, [""; 0], "ops that are in no file should be in `MORE`");
    let in_list = |list: &[&'static str]| list.iter().copied().collect::<BTreeSet<&str>>();
    assert_eq!(open, in_list(OPEN));
    assert_eq!(chosen, in_list(CHOSEN));
}

/// Whatever the types are: those of another instruction, one too few, one too many.
#[test]
fn wrong_operands_are_no_panic() {
    let programs = programs();
    let views: Vec<InstView<'_>> =
        programs.iter().flat_map(|(_, program)| &program.functions).flat_map(instructions).collect();
    for (view, other) in views.iter().zip(views.iter().skip(1)) {
        let (own, other) = (Given::of(view), Given::of(other));
        let few: Vec<&Type> = own.operands.iter().skip(1).copied().collect();
        let many = own.operands.iter().chain(&other.operands).copied().collect();
        for operands in [other.operands.clone(), few, many] {
            for returned in [&own.returned, &other.returned] {
                let given =
                    Given { operands: operands.clone(), returned: returned.clone(), element: other.element };
                view.inst.op.infer(&given);
            }
        }
    }
}
