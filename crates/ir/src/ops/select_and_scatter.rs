//! `stablehlo.select_and_scatter` (specification, "select_and_scatter"): the gradient of pooling by selection.

use super::reducer::{returned_types, verify_reducer};
use super::window::WindowDim;
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::kernel_shape::KernelShape;
use crate::local::{LocalBuilder, Localize};
use crate::op::{Along, AttrReader, Given, OpDef, OpTraits, Propagation, Violations, one_per_element};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// Of each window of the operand, region 0 selects one element; region 1 combines there the values of the source
/// that belong to the windows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SelectAndScatter {
    /// Size of the window along each dim, if written; else one.
    pub sizes: Option<Vec<usize>>,
    /// Steps between windows, if written; else one.
    pub strides: Option<Vec<usize>>,
    /// Low and high padding of each dim, one after the other, if written; else zero.
    pub padding: Option<Vec<i64>>,
}

impl OpDef for SelectAndScatter {
    const NAMES: &'static [&'static str] = &["stablehlo.select_and_scatter"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self {
            sizes: attributes.dims_opt("window_dimensions")?,
            strides: attributes.dims_opt("window_strides")?,
            padding: attributes.padding_opt("padding")?,
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        for (name, list) in [("window_dimensions", &self.sizes), ("window_strides", &self.strides)] {
            if let Some(list) = list {
                attributes.set(name, Attr::dims(list));
            }
        }
        if let Some(padding) = &self.padding {
            attributes.set("padding", Attr::Dense(Literal::ints(vec![padding.len() / 2, 2], padding)));
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 3, 1, 2) {
            return;
        }
        let (operand, source, init) = (view.operand(0), view.operand(1), view.operand(2));
        violations.require(operand.element == source.element, || {
            format!("C1: elements of {} are scattered into {}", source.element, operand.element)
        });
        violations.require(*init == TensorType::scalar(operand.element), || {
            format!("C3: the initial value should be a tensor<{}>, not {init}", operand.element)
        });
        let rank = operand.rank();
        let has_length = |list: &Option<Vec<usize>>| list.as_ref().is_none_or(|list| list.len() == rank);
        let has_sizes = has_length(&self.sizes) && (self.sizes.is_some() || rank == 0);
        let fits = violations
            .require(has_sizes, || format!("C4: `window_dimensions` should have {rank} entries"))
            & violations.require(has_length(&self.strides), || {
                format!("C6: `window_strides` should have {rank} entries")
            })
            & violations.require(self.padding.as_ref().is_none_or(|list| list.len() == 2 * rank), || {
                format!("C8: the padding should have shape [{rank}, 2]")
            });
        if !fits {
            return;
        }
        let window = self.window(rank);
        let positive = violations.require(window.iter().all(|dim| dim.size > 0), || {
            "C5: `window_dimensions` should be positive".into()
        }) & violations.require(window.iter().all(|dim| dim.stride > 0), || {
            "C7: `window_strides` should be positive".into()
        });
        if positive {
            let windows: Vec<usize> =
                window.iter().zip(&operand.shape).map(|(dim, size)| dim.num_windows(*size)).collect();
            violations.require(source.shape == windows, || {
                format!(
                    "C2: the source should have one element per window, {windows:?}, not {:?}",
                    source.shape
                )
            });
        }
        let scalar: Type = TensorType::scalar(operand.element).into();
        let takes = |index: usize| -> Vec<&Type> {
            view.region(index).args.iter().map(|arg| view.body.ty(*arg)).collect()
        };
        violations.require(takes(0) == [&scalar, &scalar], || {
            format!("C9: `select` should take two scalars of {}", operand.element)
        });
        violations.require(returned_types(view, 0) == [&TensorType::scalar(ElementType::I1).into()], || {
            "C9: `select` should return a tensor<i1>".into()
        });
        let combined = verify_reducer(view, 1, 1, violations)[0];
        violations.result_type(view, 0, &TensorType::new(operand.shape.clone(), combined).into());
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.shaped_as(0, given.returned_element(1, 0)?)
    }

    fn flops(&self, _: &[Type], results: &[Type]) -> f64 {
        one_per_element(results)
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        Ok(vec![super::select_and_scatter_eval::evaluate(self, Evaluation { view, inputs, cx })?])
    }

    /// Dims whose windows are single elements pass through. Along the others windows reach into neighboring shards.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let (shape, windows) = (&view.operand(0).shape, &view.operand(1).shape);
        for (dim, window) in self.window(shape.len()).into_iter().enumerate() {
            let (size, operands) = (shape[dim], [(0, dim), (1, dim)]);
            if window.is_identity() {
                rule.add_dim(size, FactorKind::PassThrough, &operands, &[(0, dim)]);
            } else if size > 0 && windows[dim] > 0 {
                let (largest, reach) = (size.max(windows[dim]), window.reach(size));
                rule.add_moving_dim(largest, FactorKind::Halo, reach, &operands, &[(0, dim)]);
            }
        }
        rule
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        super::select_and_scatter_local::localize(self, cx, b)
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        self.sum_vjp(v)
    }

    fn exchanges(&self, _: &InstView<'_>) -> bool {
        true
    }

    fn traits(&self) -> OpTraits {
        OpTraits { keeps_dims: true, ..OpTraits::NONE }
    }

    fn along(&self, dim: usize) -> Along {
        let rank = self.sizes.as_ref().map_or(0, Vec::len);
        if self.window(rank).get(dim).is_some_and(WindowDim::is_identity) {
            Along::AsOperands
        } else {
            Along::Own
        }
    }

    /// Shardy has a factor of its own along the windows of the source.
    fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule> {
        let is_plain = |dim: usize| {
            let padding = self.padding.as_ref().and_then(|padding| padding.get(2 * dim..2 * dim + 2));
            let is_one = |list: &Option<Vec<usize>>| {
                list.as_ref().and_then(|list| list.get(dim)).is_none_or(|size| *size == 1)
            };
            padding.is_none_or(|padding| padding == [0, 0]) && is_one(&self.strides) && is_one(&self.sizes)
        };
        let is_blocked = mode == Propagation::Conservative;
        let mut builder = RuleBuilder::new(view);
        for (dim, size) in view.result(0).shape.iter().enumerate() {
            if is_plain(dim) {
                builder.everywhere(dim, *size, FactorType::PassThrough);
                continue;
            }
            let source = view.operand(1).shape[dim];
            let mut add = |operands: [Option<usize>; 3], result, size, kind| {
                builder.factor(&operands, &[result], size, kind);
                if is_blocked {
                    builder.blocked();
                }
            };
            add([None, Some(dim), None], None, source, FactorType::NeedReplication);
            add([Some(dim), None, None], Some(dim), *size, FactorType::Permutation);
        }
        Some(builder.build())
    }

    fn kernel(&self, _: &[Type], _: &[Type]) -> KernelShape {
        KernelShape::Reduce
    }
}

impl SelectAndScatter {
    /// The window along each of `rank` dims.
    pub fn window(&self, rank: usize) -> Vec<WindowDim> {
        let of = |list: &Option<Vec<usize>>, dim: usize| list.as_ref().map_or(1, |list| list[dim]);
        let edge = |at: usize| self.padding.as_ref().map_or(0, |padding| padding[at]);
        let dim = |dim: usize| WindowDim {
            size: of(&self.sizes, dim),
            stride: of(&self.strides, dim),
            low: edge(2 * dim),
            high: edge(2 * dim + 1),
            base_dilation: 1,
            window_dilation: 1,
        };
        (0..rank).map(dim).collect()
    }

    /// Changes the padding of one dim.
    pub(super) fn set_padding(&mut self, dim: usize, low: i64, high: i64) {
        let rank = self.sizes.as_ref().map_or(0, Vec::len);
        let padding = self.padding.get_or_insert_with(|| vec![0; 2 * rank]);
        (padding[2 * dim], padding[2 * dim + 1]) = (low, high);
    }
}
