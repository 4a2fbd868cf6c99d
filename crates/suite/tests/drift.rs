//! The drift between the two propagations: on how many values of the programs in `tests/suite` they agree.
//!
//! Input: every program of `tests/suite` with one function to run and annotations on one mesh. Output: `drift.txt`, with
//! the figures of each file and the values on which they do not agree, first as `meshwright propagate` decides (the crate
//! `propagate`, Shardy's), then as `compile` and `partition` spread annotations (the crate `shard`).
//!
//!     BLESS=1 cargo test -p meshwright-suite --test drift    # writes the list

use std::fmt::Write;
use std::path::Path;

use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::Sharding;
use meshwright_ir::verify::verify;
use meshwright_plan::attributes::{self, annotated_mesh};
use meshwright_plan::shardings::sharded_insts;
use meshwright_propagate::{PropagateOptions, propagate_module};
use meshwright_shard::{Options, Sharder, prepare};
use meshwright_suite::discover;
use meshwright_transform::inline::inline_calls;

const HEAD: &str = "\
Values on which the two propagations agree, of those with dims in the programs of tests/suite that have annotations.
Below each file, the values on which they do not: as `propagate` decides, then as `compile` decides by annotations.
";

/// What each propagation says of the values of one function.
struct Both {
    function: Function,
    mesh: Mesh,
    by_module: Table<ValueId, Option<Sharding>>,
    in_function: Table<ValueId, Sharding>,
}

/// Both propagations of a program; `None` if it is not one that both take.
fn both(source: &Source) -> Option<Both> {
    let program = meshwright_ir::text::read(source).ok()?;
    verify(&program).ok()?;
    let function = inline_calls(&program, &program.main()?.name)?;
    let mesh = annotated_mesh(&program, &function).ok()??;
    let seeds = attributes::read(&program, &function, &mesh).ok()?;
    if seeds.is_empty() {
        return None;
    }
    let options = Options::default();
    let prepared = prepare(&function);
    let sharder =
        Sharder { function: &function, prepared: &prepared, mesh: &mesh, options: &options, control: &Quiet };
    let in_function = sharder.values(&seeds).values;
    // What is inlined is propagated inlined by both, so that values correspond.
    let alone = Program { functions: vec![function.clone()], ..program };
    let completed = propagate_module(&alone, &PropagateOptions::default()).ok()?;
    let found = attributes::read(&completed, completed.main()?, &mesh).ok()?;
    let mut by_module = Table::filled(None, function.body.values.len());
    // Propagation changes bodies in place, so values keep their ids; it only adds some.
    for (value, sharding) in found.values {
        if function.body.values.get(value).is_some() {
            by_module[value] = Some(sharding);
        }
    }
    Some(Both { function, mesh, by_module, in_function })
}

/// The sharded dims of a value, without what is open.
fn text(sharding: Option<&Sharding>, mesh: &Mesh) -> String {
    let dims = sharding.iter().flat_map(|sharding| &sharding.dims);
    let dims: Vec<String> = dims.map(|dim| format!("{{{}}}", mesh.describe(&dim.axes).join(", "))).collect();
    dims.join(" ")
}

/// The file's figures and the values that differ; `None` if there is nothing to compare.
fn report(name: &str, source: &Source) -> Option<(usize, usize, String)> {
    let Both { function, mesh, by_module, in_function } = both(source)?;
    let body = &function.body;
    let made = sharded_insts(body, body.entry()).into_iter().flat_map(|inst| &body.insts[inst].results);
    let has_dims = |value: &&ValueId| body.ty(**value).as_tensor().is_some_and(|tensor| tensor.rank() > 0);
    let (mut all, mut alike, mut lines) = (0, 0, String::new());
    for value in function.args().iter().chain(made).filter(has_dims) {
        all += 1;
        let whole = Sharding::replicated(body.tensor(*value).rank());
        let first = text(Some(by_module[*value].as_ref().unwrap_or(&whole)), &mesh);
        let second = text(Some(&in_function[*value]), &mesh);
        if first == second {
            alike += 1;
        } else {
            let _ = writeln!(lines, "    {} {first} / {second}", source.snippet(body.values[*value].span));
        }
    }
    (all > 0).then(|| (all, alike, format!("{name}: {alike} of {all}\n{lines}")))
}

#[test]
fn the_two_propagations_agree_as_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut all, mut alike, mut files) = (0, 0, String::new());
    for test in discover(&root.join("../../tests/suite")).expect("the suite") {
        let text = std::fs::read_to_string(&test.path).expect("a test");
        let Some((own, same, lines)) = report(&test.name, &Source::new(test.name.as_str(), text.as_str()))
        else {
            continue;
        };
        (all, alike) = (all + own, alike + same);
        if own != same {
            files += &lines;
        }
    }
    let found = format!("{HEAD}\nAll: {alike} of {all}\n\n{files}");
    let path = root.join("tests/drift.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &found).expect("the list");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "crates/suite/tests/drift.txt is out of date; BLESS=1 writes it anew");
}
