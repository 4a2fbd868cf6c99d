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
use meshwright_ir::program::InstView;
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
    flow::meanings(device).0
}

/// Checks what the values of a verified device program mean. Errors: every rule that is broken.
pub fn verify_meaning(device: &DeviceProgram) -> Result<(), Diagnostics> {
    let (_, found) = flow::meanings(device);
    if found.diagnostics.is_empty() { Ok(()) } else { Err(found.diagnostics) }
}

/// Checks the form of a device program. Errors: every rule that is broken.
pub fn verify(device: &DeviceProgram) -> Result<(), Diagnostics> {
    let mut found = meshwright_ir::verify::verify(&device.program).err().unwrap_or_default();
    let Some(main) = device.program.main() else {
        return Err(found);
    };
    let mut require = |holds: bool, span: Span, message: String| {
        if !holds {
            found.push(Diagnostic::error(DEVICE_PROGRAM, span, message));
        }
    };
    let takes: Vec<&Type> = main.args().iter().map(|arg| main.body.ty(*arg)).collect();
    let local = |(ty, sharding)| crate::partition::local_type(ty, sharding, &device.mesh);
    require(
        takes.len() == device.arguments.len(),
        main.span,
        format!("the local program takes {} arguments, not {}", takes.len(), device.arguments.len()),
    );
    require(
        main.result_types.len() == device.results.len(),
        main.span,
        format!("the local program has {} results, not {}", main.result_types.len(), device.results.len()),
    );
    for (index, (ty, (global, sharding))) in takes.into_iter().zip(&device.arguments).enumerate() {
        let expected = local((global, sharding));
        let span = main.body.values[main.args()[index]].span;
        require(
            *ty == expected,
            span,
            format!(
                "argument {index} of the local program is {ty}, but a device's shard of {global} is {expected}"
            ),
        );
    }
    for (index, (ty, (global, sharding))) in main.result_types.iter().zip(&device.results).enumerate() {
        let expected = local((global, sharding));
        require(
            *ty == expected,
            main.span,
            format!(
                "result {index} of the local program is {ty}, but a device's shard of {global} is {expected}"
            ),
        );
    }
    for id in main.body.walk(main.body.entry()) {
        let view = main.body.view(id);
        let name = view.inst.op.name();
        let span = view.inst.span;
        require(
            !name.starts_with("sdy.") || name == "sdy.return",
            span,
            format!("`{name}` stands in the program of one device"),
        );
        for (rows, distinct_in) in
            [("replica_groups", Distinct::Everywhere), ("source_target_pairs", Distinct::PerColumn)]
        {
            if let Some(problem) = devices_are_distinct(&view, rows, distinct_in, device.mesh.num_devices()) {
                require(false, span, format!("`{name}`: {problem}"));
            }
        }
    }
    for attributes in main.arg_attributes.iter().chain(&main.result_attributes) {
        let is_bare = attributes.get("sdy.sharding").is_none();
        require(is_bare, main.span, "a `sdy.sharding` stands in the program of one device".into());
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
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
