//! Memory where one device computes everything: of a program that is not sharded, or of the local program of one device.
//!
//! Input: an analyzed function. Output: its peak, and while which values are alive.

use super::{NEVER, Sweep};
use crate::analysis::Analysis;
use crate::lowering::{Event, Lowering};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_machine::Bytes;
use meshwright_plan::Shardings;

/// While a value lies in memory when one device computes everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// The value.
    pub value: ValueId,
    /// The first moment, and one past the last; moments are counted along the program.
    pub moments: (u64, u64),
}

/// Lives of values in memory, if one device computes everything.
#[derive(Clone, Debug, Default)]
pub struct Lives {
    /// The lives of all values that lie in memory, in order of the values. What another value takes the place of ends
    /// there.
    pub lives: Vec<Life>,
    /// The moment at which each instruction runs that reads or makes tensors.
    pub moments: Vec<(InstId, u64)>,
    /// The peak.
    pub peak: Bytes,
    /// The lives of all values that lie on the host, likewise.
    pub on_host: Vec<Life>,
    /// The most bytes that lie on the host.
    pub host_peak: Bytes,
}

/// The lives of all values, on the device and on its host.
pub fn lives(analysis: &Analysis<'_>) -> Lives {
    let function = analysis.function;
    let shardings = on_one_device(analysis);
    let lowering = Lowering::new(analysis, &shardings);
    let mut sweep = Sweep::new(&lowering);
    let (peak, _) = sweep.peak();
    let host_peak = Bytes(sweep.peak_on_host());
    let after = lowering.events.len() as u64;
    let life = |(buffer, value): (usize, ValueId), replaced: usize| {
        let end = (sweep.last[buffer] as u64).saturating_add(1).min(replaced as u64).min(after);
        let moments = (sweep.start[buffer] as u64, end);
        (sweep.start[buffer] != NEVER && moments.0 < moments.1).then_some(Life { value, moments })
    };
    let values = || function.body.values.ids().enumerate();
    let on_device = values().filter(|(buffer, _)| sweep.bytes[*buffer] > 0);
    let on_host = values().filter(|(buffer, _)| sweep.on_host[*buffer] > 0);
    let moment = |(at, event): (usize, &Event)| match event {
        Event::Compute { inst, .. } => Some((*inst, at as u64)),
        _ => None,
    };
    Lives {
        lives: on_device.filter_map(|own| life(own, sweep.replaced[own.0])).collect(),
        // Nothing on the host takes the place of anything there.
        on_host: on_host.filter_map(|own| life(own, NEVER)).collect(),
        host_peak,
        moments: lowering.events.iter().enumerate().filter_map(moment).collect(),
        peak: Bytes(peak),
    }
}

/// The most bytes that are alive at one time.
pub fn peak_of_whole(analysis: &Analysis<'_>) -> Bytes {
    let shardings = on_one_device(analysis);
    Bytes(Sweep::new(&Lowering::new(analysis, &shardings)).peak().0)
}

fn on_one_device(analysis: &Analysis<'_>) -> Shardings {
    let alone = Mesh::new("alone", Vec::new()).expect("a mesh without axes");
    Shardings::replicated_by(analysis.function, alone, |inst| analysis.rule(inst))
}
