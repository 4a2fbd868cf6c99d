//! What share of the overheads of their collectives the tensors of a class take: small ones that can wait for one another
//! are combined (`meshwright_cost::combine`).
//!
//! Input: a prepared function, and the class of each slot. Output: for each class, the collectives that are left of one for
//! each of its tensors, as a share. The gradients of a layer's weights, which the optimizer reads when all of them are
//! there, share one; what the next product reads has its own.
//!
//! It is found on the whole program: tensors of a class are brought to their layouts together if nothing that cannot wait
//! has read one of them before the last is made. What waits until a region ends comes together whatever class it is of
//! ([`Last`]). Neither how large a bucket may be is known here, nor of which kind a collective will be and over which axes:
//! [`overheads`] is what they take at least, as a part of what is sent.

use super::alike::NONE;
use meshwright_cost::combine::{OVERHEAD_SHARE, can_wait};
use meshwright_ir::ids::{RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_shard::Prepared;

/// The share of each of so many classes.
pub(super) fn shares(
    function: &Function,
    prepared: &Prepared,
    of_slot: &[u32],
    num_classes: usize,
) -> Vec<f64> {
    let body = &function.body;
    let count = prepared.order.len();
    // The first position at which a value is read by something that cannot wait.
    let mut read: Table<_, usize> = Table::filled(usize::MAX, body.values.len());
    let mut made_in = Table::filled(None, body.values.len());
    for (position, inst) in prepared.order.iter().enumerate() {
        let results = &body.insts[*inst].results;
        results.iter().for_each(|result| made_in[*result] = Some(prepared.region_of[position]));
    }
    for position in (0..count).rev() {
        let view = body.view(prepared.order[position]);
        let waits = can_wait(&view);
        let later = view.inst.results.iter().map(|result| read[*result]).min().unwrap_or(usize::MAX);
        for operand in &view.inst.operands {
            let is_near = made_in[*operand] == Some(prepared.region_of[position]);
            let at = if waits && is_near { later } else { position };
            read[*operand] = read[*operand].min(at);
        }
    }
    let last = Last::of(function, prepared, (of_slot, &read));
    let mut classes = vec![Class::default(); num_classes];
    for (position, inst) in prepared.order.iter().enumerate() {
        let region = prepared.region_of[position];
        for result in &body.insts[*inst].results {
            let class = of_slot[prepared.slot_of[*result]];
            if class == NONE {
                continue;
            }
            let class = &mut classes[class as usize];
            let runs = prepared.runs[region] as f64;
            class.all += runs;
            if let Some(share) = last.share(*result, region) {
                class.left += runs * share;
                continue;
            }
            match &mut class.open {
                Some((around, until)) if *around == region && position < *until => {
                    *until = read[*result].min(*until);
                }
                open => {
                    *open = Some((region, read[*result]));
                    class.left += runs;
                }
            }
        }
    }
    classes.iter().map(|class| if class.all > 0.0 { class.left / class.all } else { 1.0 }).collect()
}

/// What is read when nothing is left of a region but to hand over its results: gradients, and all that an optimizer makes of
/// them; in a loop over layers, what it stacks. Collectives of it come together, whatever class they are of.
struct Last {
    is_last: Table<ValueId, bool>,
    /// How many values become such in each region: there are at most about so many collectives.
    entries: Table<RegionId, usize>,
}

impl Last {
    fn of(
        function: &Function,
        prepared: &Prepared,
        (of_slot, read): (&[u32], &Table<ValueId, usize>),
    ) -> Self {
        let body = &function.body;
        let ends = ends(body, prepared);
        let mut is_last = Table::filled(false, body.values.len());
        let mut entries = Table::filled(0, body.regions.len());
        for (position, inst) in prepared.order.iter().enumerate() {
            let (view, region) = (body.view(*inst), prepared.region_of[position]);
            let operands = &view.inst.operands;
            let is_behind = can_wait(&view) && operands.iter().any(|operand| is_last[*operand]);
            let is_made = |operand: &ValueId| {
                let is_result = matches!(body.values[*operand].def, Def::Result(..));
                is_result && of_slot[prepared.slot_of[*operand]] != NONE
            };
            let is_there = operands.is_empty() || (can_wait(&view) && !operands.iter().any(is_made));
            let enters = !is_behind && !is_there;
            for result in view.inst.results.iter().filter(|result| read[**result] >= ends[region]) {
                is_last[*result] = true;
                entries[region] += usize::from(enters);
            }
        }
        Self { is_last, entries }
    }

    /// The share of each value, if it is one of these.
    fn share(&self, value: ValueId, region: RegionId) -> Option<f64> {
        self.is_last[value].then(|| 1.0 / self.entries[region].max(1) as f64)
    }
}

/// The position in each region from which on nothing is done that cannot wait but to write and to return.
fn ends(body: &Body, prepared: &Prepared) -> Table<RegionId, usize> {
    let mut ends = Table::filled(usize::MAX, body.regions.len());
    let mut is_open = Table::filled(true, body.regions.len());
    for (position, inst) in prepared.order.iter().enumerate().rev() {
        let region = prepared.region_of[position];
        let (view, is_first) = (body.view(*inst), ends[region] == usize::MAX);
        let writes = matches!(view.inst.op, Op::DynamicUpdateSlice(_)) || is_first;
        is_open[region] &= writes || can_wait(&view);
        if is_open[region] {
            ends[region] = position;
        }
    }
    ends
}

#[derive(Clone, Default)]
struct Class {
    /// How often its tensors are made.
    all: f64,
    /// Collectives that are left, where they share one with other classes a part of it.
    left: f64,
    /// The region of the tensors that come together, and where one of them is read.
    open: Option<(RegionId, usize)>,
}

/// Seconds of so many overheads if a share of them is left, beside the seconds in which bytes are sent.
pub(super) fn overheads(fixed: f64, sent: f64, share: f64) -> f64 {
    let full = sent * OVERHEAD_SHARE / (1.0 - OVERHEAD_SHARE);
    fixed.min((fixed * share).max(full))
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::read;
    use meshwright_shard::prepare;

    /// The shares of the results of each instruction, in their order, each tensor being a class of its own.
    fn shares_of(text: &str) -> Vec<f64> {
        let program = read(&Source::new("step.mlir", text)).unwrap();
        let function = program.main().unwrap();
        let prepared = prepare(function);
        let of_slot: Vec<u32> = (0..prepared.num_slots() as u32).collect();
        let all = shares(function, &prepared, &of_slot, of_slot.len());
        let results = prepared.order.iter().flat_map(|inst| &function.body.insts[*inst].results);
        results.map(|result| all[prepared.slot_of[*result]]).collect()
    }

    #[test]
    fn gradients_and_what_is_made_of_them_share_and_products_on_the_way_do_not() {
        let found = shares_of(
            r#"
func.func @main(%x: tensor<4x4xf32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %h = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = stablehlo.dot_general %h, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %gb = stablehlo.dot_general %h, %y, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = stablehlo.dot_general %y, %b, contracting_dims = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %ga = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %na = stablehlo.subtract %a, %ga : tensor<4x4xf32>
  %nb = stablehlo.subtract %b, %gb : tensor<4x4xf32>
  return %na, %nb : tensor<4x4xf32>, tensor<4x4xf32>
}
"#,
        );
        assert_eq!(found, [1.0, 1.0, 0.5, 1.0, 0.5, 0.5, 0.5]);
    }

    #[test]
    fn what_a_later_product_reads_has_its_own() {
        let found = shares_of(
            r#"
func.func @main(%x: tensor<4x4xf32>, %a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %h = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = stablehlo.negate %h : tensor<4x4xf32>
  %y = stablehlo.dot_general %n, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y, %n : tensor<4x4xf32>, tensor<4x4xf32>
}
"#,
        );
        assert_eq!(found, [1.0, 1.0, 1.0]);
    }

    #[test]
    fn small_ones_share_and_large_ones_do_not() {
        assert_eq!(overheads(10.0, 0.0, 0.1), 1.0);
        assert_eq!(overheads(10.0, 20.0, 0.1), 5.0);
        assert_eq!(overheads(10.0, 1000.0, 0.1), 10.0);
        assert_eq!(overheads(10.0, 0.0, 1.0), 10.0);
    }
}
