//! Seconds of instructions, each by itself on one device.
//!
//! Input: a body and a device. Output: the seconds of each instruction. A loop takes as long as all of its turns, and branches as
//! long as the longest of them.

use meshwright_cost::op::alone;
use meshwright_ir::ids::{InstId, RegionId, Table};
use meshwright_ir::loops::{ASSUMED_TRIP_COUNT, trip_count};
use meshwright_ir::program::{Body, Regions};
use meshwright_machine::Device;
use meshwright_tensor::types::Type;

/// Seconds of each instruction of a body.
pub(super) fn seconds(body: &Body, device: &Device) -> Table<InstId, f64> {
    let mut seconds = Table::filled(0.0, body.insts.len());
    of_region(body, body.entry(), device, &mut seconds);
    seconds
}

/// Fills in those of a region, and returns what they take together.
fn of_region(body: &Body, region: RegionId, device: &Device, seconds: &mut Table<InstId, f64>) -> f64 {
    let mut all = 0.0;
    for inst in &body.regions[region].insts {
        let view = body.view(*inst);
        let inside = |seconds: &mut Table<InstId, f64>| -> Vec<f64> {
            view.inst.regions.iter().map(|region| of_region(body, *region, device, seconds)).collect()
        };
        let took = match view.regions() {
            Regions::Loop => {
                let turns = trip_count(view).unwrap_or(ASSUMED_TRIP_COUNT);
                turns as f64 * inside(seconds).into_iter().sum::<f64>()
            }
            Regions::Branches => inside(seconds).into_iter().fold(0.0, f64::max),
            Regions::OfElements => {
                let operands: Vec<Type> = view.operand_types().cloned().collect();
                let results: Vec<Type> = view.result_types().cloned().collect();
                alone(&view.inst.op, &operands, &results).seconds(device).0
            }
        };
        seconds[*inst] = took;
        all += took;
    }
    all
}
