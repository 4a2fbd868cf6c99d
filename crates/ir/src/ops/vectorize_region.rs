//! Regions of elementwise ops applied to many elements at once: what reductions, windows, scatters and sorts with any
//! region evaluate with.
//!
//! A region over scalars whose ops are all elementwise means the same for tensors of one shape, element by element.
//! Evaluating it once on whole tensors spares interpreting it for every element.

use std::collections::{BTreeMap, BTreeSet};

use super::constant::tensor_of;
use crate::build::Builder;
use crate::eval::{Context, Evaluation};
use crate::ids::{InstId, ValueId};
use crate::op::Op;
use crate::program::{Body, Def, InstView};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType};

/// A region that can be applied to whole tensors.
pub(super) struct VectorizedRegion<'a> {
    body: &'a Body,
    args: &'a [ValueId],
    insts: &'a [InstId],
    returned: &'a [ValueId],
}

impl<'a> VectorizedRegion<'a> {
    /// Region `index` of an instruction, if all its ops are elementwise or constants and it reads nothing else.
    pub(super) fn new(view: &InstView<'a>, index: usize) -> Option<Self> {
        let body = view.body;
        let region = view.region(index);
        let own: BTreeSet<InstId> = region.insts.iter().copied().collect();
        let (terminator, insts) = region.insts.split_last()?;
        let returned = &body.insts[*terminator].operands;
        let is_known = |value: &ValueId| match body.values[*value].def {
            Def::Argument(owner, _) => owner == view.inst.regions[index],
            Def::Result(inst, _) => own.contains(&inst),
        };
        let is_simple = |inst: &InstId| {
            let inst = &body.insts[*inst];
            let is_scalar = |value: &ValueId| body.ty(*value).as_tensor().is_some_and(|ty| ty.rank() == 0);
            inst.results.iter().all(is_scalar)
                && inst.operands.iter().all(is_known)
                && (inst.op.is_elementwise() || matches!(inst.op, Op::Constant(_)))
        };
        let lifts = insts.iter().all(is_simple) && returned.iter().all(is_known);
        lifts.then_some(Self { body, args: &region.args, insts, returned })
    }

    /// What the region returns for every element of `args`, which are of one shape.
    pub(super) fn run(&self, args: Vec<Tensor>, cx: &mut dyn Context) -> Result<Vec<Tensor>, EvalError> {
        self.values(args, self.returned, cx)
    }

    /// What some values of the region are for every element of `args`, which are of one shape.
    pub(super) fn values(
        &self,
        args: Vec<Tensor>,
        wanted: &[ValueId],
        cx: &mut dyn Context,
    ) -> Result<Vec<Tensor>, EvalError> {
        let Some(shape) = args.first().map(|arg| arg.shape().to_vec()) else {
            return Err(EvalError::new("a region without arguments is applied to elements"));
        };
        let mut known: BTreeMap<ValueId, Tensor> = self.args.iter().copied().zip(args).collect();
        let find = |known: &BTreeMap<ValueId, Tensor>, value: &ValueId| {
            known.get(value).cloned().ok_or_else(|| EvalError::new("a region reads what it does not hold"))
        };
        for id in self.insts {
            let view = self.body.view(*id);
            let results = match &view.inst.op {
                Op::Constant(constant) => {
                    vec![tensor_of(&constant.value, cx.precision())?.broadcast(&shape, &[])?]
                }
                op => {
                    let operands = view.inst.operands.iter().map(|value| find(&known, value));
                    let inputs = operands.collect::<Result<_, _>>()?;
                    op.evaluate(Evaluation { view: &view, inputs, cx })?
                }
            };
            known.extend(view.inst.results.iter().copied().zip(results));
        }
        wanted.iter().map(|value| find(&known, value)).collect()
    }

    /// The region as it is written out.
    pub(super) fn elementwise(&self) -> ElementwiseRegion {
        let step = |id: &InstId| {
            let inst = &self.body.insts[*id];
            let result = |value: &ValueId| (*value, self.body.tensor(*value).element);
            Step {
                op: inst.op.clone(),
                operands: inst.operands.clone(),
                results: inst.results.iter().map(result).collect(),
            }
        };
        ElementwiseRegion {
            args: self.args.to_vec(),
            steps: self.insts.iter().map(step).collect(),
            returned: self.returned.to_vec(),
        }
    }
}

/// A region of elementwise ops, apart from its body.
pub(super) struct ElementwiseRegion {
    args: Vec<ValueId>,
    steps: Vec<Step>,
    returned: Vec<ValueId>,
}

/// An instruction of such a region.
struct Step {
    op: Op,
    operands: Vec<ValueId>,
    results: Vec<(ValueId, ElementType)>,
}

impl ElementwiseRegion {
    /// The region written out for every element of `args`, which are of one shape. Returns what the region returns;
    /// `None` if it has no arguments.
    pub(super) fn write(&self, args: &[ValueId], b: &mut impl Builder) -> Option<Vec<ValueId>> {
        let shape = b.ty(*args.first()?).shape;
        let mut known: BTreeMap<ValueId, ValueId> =
            self.args.iter().copied().zip(args.iter().copied()).collect();
        for step in &self.steps {
            let results = match &step.op {
                Op::Constant(constant) => {
                    let scalar = b.constant(constant.value.clone());
                    vec![b.broadcast(scalar, &shape, Vec::new())]
                }
                op => {
                    let operands = step.operands.iter().map(|value| known.get(value).copied());
                    let types = step
                        .results
                        .iter()
                        .map(|(_, element)| TensorType::new(shape.clone(), *element).into());
                    let types = types.collect();
                    b.emit_all(op.clone(), &operands.collect::<Option<Vec<_>>>()?, Vec::new(), types)
                }
            };
            known.extend(step.results.iter().map(|(value, _)| *value).zip(results));
        }
        self.returned.iter().map(|value| known.get(value).copied()).collect()
    }
}
