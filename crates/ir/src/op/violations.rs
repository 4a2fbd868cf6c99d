//! What a verifier finds wrong with one instruction.

use super::given::Given;
use crate::program::InstView;
use crate::sharding::ShardingError;
use meshwright_tensor::types::Type;

/// Violations of one instruction; each entry is a sentence, with the constraint it breaks where the
/// specification numbers it.
#[derive(Debug, Default)]
pub struct Violations {
    /// The sentences.
    pub messages: Vec<String>,
    /// Shardings that do not fit.
    pub shardings: Vec<ShardingError>,
}

impl Violations {
    /// Reports `message` unless `holds`. Returns `holds`.
    pub fn require(&mut self, holds: bool, message: impl FnOnce() -> String) -> bool {
        if !holds {
            self.messages.push(message());
        }
        holds
    }

    /// Reports a number of operands other than `expected`. Returns whether it is right.
    pub fn num_operands(&mut self, view: &InstView<'_>, expected: usize) -> bool {
        let found = view.inst.operands.len();
        self.require(found == expected, || format!("takes {expected} operands, not {found}"))
    }

    /// Reports a number of results other than `expected`. Returns whether it is right.
    pub fn num_results(&mut self, view: &InstView<'_>, expected: usize) -> bool {
        let found = view.inst.results.len();
        self.require(found == expected, || format!("has {expected} results, not {found}"))
    }

    /// Reports a number of regions other than `expected`. Returns whether it is right.
    pub fn num_regions(&mut self, view: &InstView<'_>, expected: usize) -> bool {
        let found = view.inst.regions.len();
        self.require(found == expected, || format!("has {expected} regions, not {found}"))
    }

    /// Reports every operand and result that is not a tensor. Returns whether all are.
    pub fn all_tensors(&mut self, view: &InstView<'_>) -> bool {
        let tensors = view.operand_types().chain(view.result_types()).all(|ty| ty.as_tensor().is_some());
        self.require(tensors, || "all operands and results must be tensors".into())
    }

    /// Reports a sharding that does not fit, `what` being whose it is. Returns whether it fits.
    pub fn sharding(&mut self, checked: Result<(), ShardingError>, what: &str) -> bool {
        let fits = checked.is_ok();
        if let Err(ShardingError { message, hint }) = checked {
            let message = if what.is_empty() { message } else { format!("{what}: {message}") };
            self.shardings.push(ShardingError { message, hint });
        }
        fits
    }

    /// Operand, result and region counts, and tensors everywhere: what most rules start from.
    pub fn shape(&mut self, view: &InstView<'_>, operands: usize, results: usize, regions: usize) -> bool {
        self.num_operands(view, operands)
            & self.num_results(view, results)
            & self.num_regions(view, regions)
            & self.all_tensors(view)
    }

    /// Reports what is not one operand with one result of its type, and no regions.
    pub fn identity(&mut self, view: &InstView<'_>) {
        if self.num_operands(view, 1) & self.num_results(view, 1) & self.num_regions(view, 0) {
            self.result_type(view, 0, view.body.ty(view.inst.operands[0]));
        }
    }

    /// Reports a result type other than the inferred one.
    pub fn result_type(&mut self, view: &InstView<'_>, index: usize, inferred: &Type) -> bool {
        let found = view.body.ty(view.inst.results[index]);
        self.require(found == inferred, || format!("result {index} should be {inferred}, not {found}"))
    }

    /// Reports result types other than those that [`crate::op::OpDef::infer`] gives. It gives some unless something is
    /// wrong with the operands, which is reported before.
    pub fn inferred(&mut self, view: &InstView<'_>) {
        match view.inst.op.infer(&Given::of(view)) {
            Some(types) if self.num_results(view, types.len()) => {
                for (index, ty) in types.iter().enumerate() {
                    self.result_type(view, index, ty);
                }
            }
            Some(_) => {}
            None => {
                let is_known = !self.messages.is_empty();
                self.require(is_known, || "the operands do not fit".into());
            }
        }
    }
}
