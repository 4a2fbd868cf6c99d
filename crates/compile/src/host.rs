//! The memory of a host in a plan: how much lies there, and what.
//!
//! Input: what was chosen. Output: [`HostMemory`], if the machine says what a host has and the plan puts anything there. What
//! its memory has no room for lies on its drives, if it has any.

use meshwright_analyze::Role;
use meshwright_ir::ids::ValueId;
use meshwright_machine::Bytes;
use meshwright_plan::Policy;
use meshwright_plan::plan_file::{HostMemory, HostPart};
use meshwright_search::offload::{Kind, waits};
use std::collections::BTreeSet;

use crate::decided::Chosen;
use crate::driver::Request;
use crate::global::Global;

/// The memory of one host.
pub(crate) fn memory(request: &Request<'_>, global: &Global, chosen: &Chosen) -> Option<HostMemory> {
    let bytes = chosen.estimate.memory.host;
    let host = request.machine.device.host.filter(|_| bytes > Bytes(0))?;
    let devices = request.machine.devices_of_a_host();
    let values: BTreeSet<ValueId> =
        global.fixed.policies.uses(Policy::Offload).map(|group| group.value).collect();
    // Arguments lie there all the time, and of what is made in between some go before others come.
    let mut left = bytes.0;
    let mut part = |kind: Kind| {
        let own = values.iter().filter(|value| kind_of(global, **value) == kind);
        let bytes_per_device = own.map(|value| local_bytes(chosen, *value)).sum::<u64>().min(left);
        left -= bytes_per_device;
        HostPart { what: kind.name().to_owned(), bytes_per_device }
    };
    Some(HostMemory {
        devices,
        peak_bytes: bytes.0.saturating_mul(devices as u64),
        limit_bytes: host.memory.0,
        drive_bytes: request.machine.on_drives(bytes).0.saturating_mul(devices as u64),
        parts: Kind::ALL.into_iter().map(&mut part).filter(|part| part.bytes_per_device > 0).collect(),
    })
}

fn kind_of(global: &Global, value: ValueId) -> Kind {
    let role = global.function.argument_index(value).map(|index| global.roles.args[index].role);
    match role {
        Some(Role::Parameter) => Kind::Parameters,
        Some(_) => Kind::Moments,
        None if waits(&global.function.body, value, global.num_microbatches() > 1) => Kind::Waiting,
        None => Kind::Activations,
    }
}

/// Bytes of one device's shard.
fn local_bytes(chosen: &Chosen, value: ValueId) -> u64 {
    let shardings = &chosen.shardings;
    let global = chosen.function.body.ty(value).as_tensor();
    global.map_or(0, |global| shardings.values[value].local_type(global, &shardings.mesh).num_bytes() as u64)
}
