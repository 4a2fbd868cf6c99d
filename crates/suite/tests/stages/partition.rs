//! The stage `partition`: an annotated program becomes the program of one device, which computes the same.
//!
//! Output: warnings, the collectives of the local program in order, each with its result types and groups or pairs, at the end
//! the local types of arguments and results. The program is checked for what its values mean, and run in f64 beside
//! the undistributed one, unless the option `unchecked` is given. `ids=partition` numbers devices as partitions, `ints=60..100` draws integers
//! from this range.

use meshwright_compile::{CompileError, Ids, Options};
use meshwright_execute::check::{CheckOptions, check};
use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::{Diagnostic, Source};
use meshwright_ir::program::{InstView, Program};
use meshwright_plan::{DeviceProgram, DevicePrograms};
use meshwright_suite::{Finding, Input, Outcome};
use meshwright_tensor::types::Type;
use meshwright_tensor::{NonFinite, Precision};
use std::ops::Range;
use std::sync::Mutex;

use super::findings;

pub(crate) fn partition(input: &Input) -> Outcome {
    match partitioned(input) {
        Ok(output) => Outcome::output(output),
        Err(findings) => Outcome::findings(findings),
    }
}

fn partitioned(input: &Input) -> Result<String, Vec<Finding>> {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let program = meshwright_compile::read(&source).map_err(|problems| findings(&source, problems))?;
    let ids = if input.option("ids") == Some("partition") { Ids::Partition } else { Ids::Replica };
    let options = Options { ids, ..Options::default() };
    let warnings = Warnings::default();
    let device =
        meshwright_compile::partition(&program, &options, &warnings).map_err(|error| match error {
            CompileError::Diagnostics(problems) => findings(&source, problems),
            other => panic!("{other}"),
        })?;
    if input.option("unchecked").is_none() {
        must_agree(&program, &device, int_range(input));
    }
    let main = device.program.main().expect("a local program has a main");
    let body = &main.body;
    let insts = body.walk(body.entry()).into_iter().map(|id| body.view(id));
    let mut lines = std::mem::take(&mut *warnings.lines.lock().unwrap());
    lines.extend(insts.filter(|view| view.inst.op.is_collective()).map(|view| line(&view)));
    let list = |types: Vec<&Type>| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let takes = list(main.args().iter().map(|arg| body.ty(*arg)).collect());
    lines.push(format!("({takes}) -> ({})", list(main.result_types.iter().collect())));
    Ok(lines.join("\n"))
}

/// Keeps what a run warns of.
#[derive(Default)]
struct Warnings {
    lines: Mutex<Vec<String>>,
}

impl Control for Warnings {
    fn warn(&self, warning: &Diagnostic) {
        self.lines.lock().unwrap().push(format!("warning: {}", warning.message));
    }
}

fn line(view: &InstView<'_>) -> String {
    let attributes = view.inst.op.attributes(view);
    let mut text = view.inst.op.name().trim_start_matches("stablehlo.").to_owned();
    view.result_types().for_each(|ty| text += &format!(" {ty}"));
    for name in ["replica_groups", "source_target_pairs", "channel_handle"] {
        if let Some(value) = attributes.get(name) {
            let value = value.to_string();
            text += &format!(" {}", value.split(" : ").next().unwrap_or_default());
        }
    }
    text
}

/// The range that integers are drawn from.
fn int_range(input: &Input) -> Range<i64> {
    let Some(given) = input.option("ints") else { return 0..3 };
    let ends = given.split_once("..").and_then(|(least, end)| Some(least.parse().ok()?..end.parse().ok()?));
    ends.expect("`ints` is a range such as 0..100")
}

/// Both programs give the same results.
fn must_agree(program: &Program, device: &DeviceProgram, int_range: Range<i64>) {
    let types: Vec<Type> = device.arguments.iter().map(|(ty, _)| ty.clone()).collect();
    let inputs = draw(&types, &DrawOptions { int_range, ..DrawOptions::default() }).expect("drawn inputs");
    let options = CheckOptions {
        nonfinite: NonFinite::ByPosition,
        tells_rounding: false,
        ..CheckOptions::new(Precision::Wide, &Program::default())
    };
    let outputs = check(program, &DevicePrograms::whole(device.clone()), &inputs, &options, &Quiet)
        .expect("both programs run");
    for (index, output) in outputs.iter().enumerate() {
        assert!(output.verdict.passes(), "result {index}: {:?}, {:?}", output.verdict, output.difference);
    }
}
