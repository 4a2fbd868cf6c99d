//! Checks a device program. What it checks:
//!
//! - D1: the local program is well formed (`meshwright_ir::verify`);
//! - D2: arguments and results are as many as the global ones, and have the local types of their global types and
//!   shardings;
//! - D3: replica groups partition the devices; a permute's sources and targets are distinct devices;
//! - D4: no `sdy` op or attribute is left;
//! - D5: all members of a group run its collectives in one order: what decides whether one runs is the same for them;
//! - D6: a contribution to a reduction is not used as if it were complete, nor counted more than once;
//! - D7: shards that meet are shards of the same positions, and results are what the device program says.
//!
//! [`verify`] checks D1 to D4, [`verify_meaning`] the others: it works out what every local value means globally
//! ([`Meaning`]), starting from what arguments mean. What it cannot work out it does not report.

mod asked;
mod collectives;
mod flow;
mod meaning;
mod reshape;
mod transfer;
mod uniform;

pub use meaning::{Meaning, Undecided};

use meshwright_ir::attribute::Attr;
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::program::{Function, InstView};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::DeviceProgram;
use meshwright_tensor::types::Type;

/// The partitioner made a program that its own rules forbid.
pub const DEVICE_PROGRAM: Check = Check("device-program");

/// What was found, without repetitions.
#[derive(Default)]
struct Found {
    diagnostics: Diagnostics,
}

impl Found {
    fn error(&mut self, span: Span, message: String) {
        let diagnostic = Diagnostic::error(DEVICE_PROGRAM, span, message);
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }
}

/// Global meaning of every value of a verified device program's `main`.
pub fn meanings(device: &DeviceProgram) -> Table<ValueId, Meaning> {
    flow::meanings(device, true).0
}

/// Checks what the values of a verified device program mean. Errors: every rule that is broken.
pub fn verify_meaning(device: &DeviceProgram) -> Result<(), Diagnostics> {
    let (_, found) = flow::meanings(device, false);
    if found.diagnostics.is_empty() { Ok(()) } else { Err(found.diagnostics) }
}

/// Checks the form of a device program. Errors: every rule that is broken.
pub fn verify(device: &DeviceProgram) -> Result<(), Diagnostics> {
    let mut found = meshwright_ir::verify::verify(&device.program).err().unwrap_or_default();
    let Some(main) = device.program.main() else {
        return Err(found);
    };
    let walked = main.body.walk(main.body.entry()).into_iter();
    found.extend(signature(device, main));
    found.extend(walked.flat_map(|id| instruction(&main.body.view(id), device.mesh.num_devices())));
    let attributes = main.arg_attributes.iter().chain(&main.result_attributes);
    let annotated = attributes.filter(|attributes| attributes.get("sdy.sharding").is_some());
    let message = "a `sdy.sharding` stands in the program of one device";
    found.extend(annotated.map(|_| wrong(main.span, message.into())));
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn wrong(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(DEVICE_PROGRAM, span, message)
}

/// Checks that arguments and results are shards of those of the whole program.
fn signature(device: &DeviceProgram, main: &Function) -> Diagnostics {
    let mut found = Diagnostics::new();
    let (num_args, num_results) = (main.args().len(), main.result_types.len());
    if num_args != device.arguments.len() {
        let message = format!("the local program takes {num_args} arguments, not {}", device.arguments.len());
        found.push(wrong(main.span, message));
    }
    if num_results != device.results.len() {
        let message = format!("the local program has {num_results} results, not {}", device.results.len());
        found.push(wrong(main.span, message));
    }
    let args = main.args().iter().map(|arg| (main.body.ty(*arg), main.body.values[*arg].span));
    let results = main.result_types.iter().map(|ty| (ty, main.span));
    let mut compare = |what: String, (ty, span): (&Type, Span), (global, sharding): &(Type, Sharding)| {
        let expected = crate::partition::local_type(global, sharding, &device.mesh);
        if *ty != expected {
            let message = format!(
                "{what} of the local program is {ty}, but a device's shard of {global} is {expected}"
            );
            found.push(wrong(span, message));
        }
    };
    for (index, (local, whole)) in args.zip(&device.arguments).enumerate() {
        compare(format!("argument {index}"), local, whole);
    }
    for (index, (local, whole)) in results.zip(&device.results).enumerate() {
        compare(format!("result {index}"), local, whole);
    }
    found
}

/// Checks that an instruction is one device's, and that its groups are of so many devices.
fn instruction(view: &InstView<'_>, num_devices: usize) -> Diagnostics {
    let (name, span) = (view.inst.op.name(), view.inst.span);
    let mut found = Diagnostics::new();
    if name.starts_with("sdy.") && name != "sdy.return" {
        found.push(wrong(span, format!("`{name}` stands in the program of one device")));
    }
    for (rows, distinct_in) in
        [("replica_groups", Distinct::Everywhere), ("source_target_pairs", Distinct::PerColumn)]
    {
        let problem = devices_are_distinct(view, rows, distinct_in, num_devices);
        found.extend(problem.map(|problem| wrong(span, format!("`{name}`: {problem}"))));
    }
    found
}

enum Distinct {
    /// Every device occurs exactly once.
    Everywhere,
    /// No device occurs twice in one column.
    PerColumn,
}

fn devices_are_distinct(
    view: &InstView<'_>,
    name: &str,
    distinct: Distinct,
    num_devices: usize,
) -> Option<String> {
    let attributes = view.inst.op.attributes(view);
    let Some(Attr::Dense(literal)) = attributes.get(name) else {
        return None;
    };
    let devices = literal.to_ints()?;
    let columns = match distinct {
        Distinct::Everywhere => 1,
        Distinct::PerColumn => *literal.ty.shape.last()?,
    };
    for column in 0..columns {
        let mut seen = vec![false; num_devices];
        for device in devices.iter().skip(column).step_by(columns).filter(|device| **device >= 0) {
            match seen.get_mut(*device as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Some(format!("device {device} is named twice or does not exist")),
            }
        }
        if matches!(distinct, Distinct::Everywhere) && seen.contains(&false) {
            return Some("the groups do not hold every device".into());
        }
    }
    None
}
