//! What instructions take, each by itself.
//!
//! Input: a body, and what an instruction without regions takes. Output: the same of each instruction. A loop takes as much as all of
//! its turns, and branches as much as the one that takes most.

use meshwright_cost::op::alone;
use meshwright_ir::ids::{InstId, RegionId, Table};
use meshwright_ir::loops::{ASSUMED_TRIP_COUNT, trip_count};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Regions};
use meshwright_machine::Device;
use meshwright_tensor::types::Type;

/// What an op takes with operands and results of these types.
type Takes<'a> = &'a dyn Fn(&Op, &[Type], &[Type]) -> f64;

/// Seconds of each instruction of a body on one device.
pub(super) fn seconds(body: &Body, device: &Device) -> Table<InstId, f64> {
    taken(body, &|op, operands, results| alone(op, operands, results).seconds(device).0)
}

/// Operations and bytes of each instruction of a body, whatever runs it.
pub(super) fn work(body: &Body) -> Table<InstId, f64> {
    taken(body, &|op, operands, results| op.flops(operands, results) + op.bytes(operands, results))
}

fn taken(body: &Body, takes: Takes<'_>) -> Table<InstId, f64> {
    let mut taken = Table::filled(0.0, body.insts.len());
    of_region(body, body.entry(), takes, &mut taken);
    taken
}

/// Fills in what instructions of a region take, and returns what they take together.
fn of_region(body: &Body, region: RegionId, takes: Takes<'_>, taken: &mut Table<InstId, f64>) -> f64 {
    let mut all = 0.0;
    for inst in &body.regions[region].insts {
        let view = body.view(*inst);
        let inside = |taken: &mut Table<InstId, f64>| -> Vec<f64> {
            view.inst.regions.iter().map(|region| of_region(body, *region, takes, taken)).collect()
        };
        let own = match view.regions() {
            Regions::Loop => {
                let turns = trip_count(view).unwrap_or(ASSUMED_TRIP_COUNT);
                turns as f64 * inside(taken).into_iter().sum::<f64>()
            }
            Regions::Branches => inside(taken).into_iter().fold(0.0, f64::max),
            Regions::OfElements => {
                let operands: Vec<Type> = view.operand_types().cloned().collect();
                let results: Vec<Type> = view.result_types().cloned().collect();
                takes(&view.inst.op, &operands, &results)
            }
        };
        taken[*inst] = own;
        all += own;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::read;
    use meshwright_machine::Machine;

    /// Seconds of the first instruction of an op.
    fn of(text: &str, op: &str) -> f64 {
        let program = read(&Source::new("test", text)).expect("a program");
        let body = &program.functions[0].body;
        let machine = Machine::from_spec("cpu8:1").expect("a machine");
        let inst = body.insts.ids().find(|inst| body.insts[*inst].op.name() == op).expect("the op");
        seconds(body, &machine.device)[inst]
    }

    #[test]
    fn a_loop_takes_as_long_as_its_turns() {
        let turns = |count: usize| {
            format!(
                "func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<64x64xf32>
  cond {{
    %n = stablehlo.constant dense<{count}> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.dot_general %y, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<64x64xf32>
  }}
  return %0#1 : tensor<64x64xf32>
}}"
            )
        };
        let product = of(&turns(1), "stablehlo.dot_general");
        let [one, five] = [1, 5].map(|count| of(&turns(count), "stablehlo.while"));
        assert!(one > product && product > 0.0);
        assert!((five - 5.0 * one).abs() < 1e-9 * five, "{one} {five}");
    }

    #[test]
    fn branches_take_as_long_as_the_longest() {
        let text = "func.func @main(%x: tensor<64x64xf32>, %n: tensor<i32>) -> tensor<64x64xf32> {
  %0 = \"stablehlo.case\"(%n) ({
    %1 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %1 : tensor<64x64xf32>
  }, {
    %1 = stablehlo.negate %x : tensor<64x64xf32>
    stablehlo.return %1 : tensor<64x64xf32>
  }) : (tensor<i32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}";
        let [branches, product, other] =
            ["stablehlo.case", "stablehlo.dot_general", "stablehlo.negate"].map(|op| of(text, op));
        assert!((branches - product.max(other)).abs() < 1e-12, "{branches} {product} {other}");
    }
}
