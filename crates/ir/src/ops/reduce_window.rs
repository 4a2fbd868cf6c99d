//! `stablehlo.reduce_window` (specification, "reduce_window"): a reduction of each window of its inputs.

use super::binary::Binary;
use super::constant::{is_splat_of, splat_of};
use super::reduce::Reduce;
use super::reducer::{neutral, promoted, reducer, verify_init, verify_reducer};
use super::window::WindowDim;
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::kernel_shape::KernelShape;
use crate::local::{LocalBuilder, Localize};
use crate::op::{Along, AttrReader, Fusing, Given, Linearity, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, InShardy, Passing, ShardingRule};
use crate::sharding::Reduction;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementKind, TensorType, Type};

/// A windowed reduction of n inputs with n initial values, which also fill the padding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReduceWindow {
    /// Size of the window along each dim.
    pub sizes: Vec<usize>,
    /// Steps between windows, if written; else one.
    pub strides: Option<Vec<usize>>,
    /// Steps between elements of the input, if written; else one.
    pub base_dilations: Option<Vec<usize>>,
    /// Steps between positions of a window, if written; else one.
    pub window_dilations: Option<Vec<usize>>,
    /// Low and high padding of each dim, one after the other, if written; else zero.
    pub padding: Option<Vec<i64>>,
}

impl OpDef for ReduceWindow {
    const NAMES: &'static [&'static str] = &["stablehlo.reduce_window"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self {
            sizes: attributes.dims("window_dimensions")?,
            strides: attributes.dims_opt("window_strides")?,
            base_dilations: attributes.dims_opt("base_dilations")?,
            window_dilations: attributes.dims_opt("window_dilations")?,
            padding: attributes.padding_opt("padding")?,
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("window_dimensions", Attr::dims(&self.sizes));
        let lists = [
            ("window_strides", &self.strides),
            ("base_dilations", &self.base_dilations),
            ("window_dilations", &self.window_dilations),
        ];
        for (name, list) in lists {
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
        let count = view.inst.results.len();
        let counts = violations.shape(view, 2 * count, count, 1);
        if !counts || !violations.require(count > 0, || "C1: reduces nothing".into()) {
            return;
        }
        let rank = view.operand(0).rank();
        let has_length = |list: &Option<Vec<usize>>| list.as_ref().is_none_or(|list| list.len() == rank);
        let fits = violations.require(self.sizes.len() == rank, || {
            format!("C4: the window has {} dims, the inputs {rank}", self.sizes.len())
        }) & violations.require(
            [&self.strides, &self.base_dilations, &self.window_dilations].into_iter().all(has_length),
            || format!("C6, C8, C10: strides and dilations should have {rank} entries"),
        ) & violations
            .require(self.padding.as_ref().is_none_or(|list| list.len() == 2 * rank), || {
                format!("C12: the padding should have shape [{rank}, 2]")
            });
        if !fits {
            return;
        }
        let window = self.window();
        let positive = window
            .iter()
            .all(|dim| dim.size > 0 && dim.stride > 0 && dim.base_dilation > 0 && dim.window_dilation > 0);
        if !violations
            .require(positive, || "C5, C7, C9, C11: sizes, strides and dilations must be positive".into())
        {
            return;
        }
        let input_shape = &view.operand(0).shape;
        let shape = self.result_shape(input_shape);
        let combined = verify_reducer(view, 0, count, violations);
        for (index, element) in combined.into_iter().enumerate() {
            let (input, init) = (view.operand(index), view.operand(count + index));
            violations.require(input.shape == *input_shape, || "C2: inputs have different shapes".into());
            verify_init(&format!("C3: initial value {index}"), init, element, violations);
            violations.result_type(view, index, &TensorType::new(shape.clone(), element).into());
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let shape = self.result_shape(&given.tensor(0)?.shape);
        let result = |index| Some(TensorType::new(shape.clone(), given.returned_element(0, index)?).into());
        (0..given.operands.len() / 2).map(result).collect()
    }

    /// Dims whose windows are single elements pass through. Along the others the windows of a shard see elements of
    /// its neighbors; running totals need only what the other shards come to.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let count = view.inst.results.len();
        for (dim, window) in self.window().into_iter().enumerate() {
            let places: Vec<_> = (0..count).map(|index| (index, dim)).collect();
            let (size, num_windows) = (view.operand(0).shape[dim], view.result(0).shape[dim]);
            if window.is_identity() {
                rule.add_dim(size, FactorKind::PassThrough, &places, &places);
            } else {
                // Of a running total, only what each shard comes to is sent; by any reducer, shardings do not propagate.
                let (kind, reach) = match self.running_total(view, dim) {
                    Some(_) => (FactorKind::Permuted, 1),
                    None if self.is_running_of_parts(view, dim) => (FactorKind::Permuted, window.reach(size)),
                    None => (FactorKind::Halo, window.reach(size)),
                };
                let factor = rule.add_moving_dim(size.max(num_windows), kind, reach, &places, &places);
                let (size, passing) = (Some(num_windows), Passing::UnlessConservative);
                rule.factors[factor].in_shardy = InShardy { size, passing, ..InShardy::default() };
            }
        }
        rule
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        super::reduce_window_local::localize(self, cx, b)
    }

    fn exchanges(&self, _: &InstView<'_>) -> bool {
        true
    }

    /// One application of the reducer per window and position in it.
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let shape = operands.first().and_then(Type::as_tensor).map_or(&[][..], |tensor| &tensor.shape);
        let windows = self.window();
        // Running totals are made of those of parts, in as many levels as the size doubles.
        let applied = |(window, size): (&WindowDim, &usize)| match window.is_running(*size) {
            true => size.ilog2() as f64 + 1.0,
            false => window.size as f64,
        };
        let window: f64 = windows.iter().zip(shape).map(applied).product();
        let elements: usize = results.iter().filter_map(Type::as_tensor).map(TensorType::num_elements).sum();
        elements as f64 * window
    }

    /// Sums of one input from a zero.
    fn linearity(&self, view: &InstView<'_>, _: Reduction) -> Linearity {
        let sums = view.inst.results.len() == 1
            && reducer(view.body, view.region(0)) == Some(Binary::Add)
            && view.result(0).element.kind() != ElementKind::Boolean;
        Linearity::in_each(if sums && is_splat_of(view, 1, 0.0) { &[0] } else { &[] })
    }

    fn traits(&self) -> OpTraits {
        OpTraits { keeps_dims: true, fusing: Fusing::Ends, ..OpTraits::NONE }
    }

    fn along(&self, dim: usize) -> Along {
        if self.window().get(dim).is_some_and(|window| window.is_identity()) {
            Along::AsOperands
        } else {
            Along::Own
        }
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let inputs = promoted(view, 0, view.inst.results.len(), inputs, cx.precision())?;
        super::reduce_window_eval::evaluate(self, Evaluation { view, inputs, cx })
    }

    fn kernel(&self, _: &[Type], _: &[Type]) -> KernelShape {
        KernelShape::Reduce
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let view = v.view();
        let is_of_one = view.inst.results.len() == 1 && view.operand(0).element == view.result(0).element;
        let op = is_of_one.then(|| reducer(view.body, view.region(0))).flatten();
        let windows = self.window();
        let is_dilated = windows.iter().any(|dim| dim.base_dilation != 1 || dim.window_dilation != 1);
        let is_filled = windows.iter().any(|dim| !dim.is_unpadded());
        match op {
            // What fills the padding is added as often as it is there.
            Some(Binary::Add) if !(is_filled && v.wants(1)) => self.sum_vjp(v),
            Some(op @ (Binary::Maximum | Binary::Minimum))
                if !is_dilated && self.runs_along(&view).is_none() =>
            {
                self.extreme_vjp(v, op);
            }
            _ => return self.written_vjp(v),
        }
        Ok(())
    }
}

impl ReduceWindow {
    /// The shape of the results: the windows that fit inputs of a shape.
    fn result_shape(&self, input: &[usize]) -> Vec<usize> {
        self.window().iter().zip(input).map(|(dim, size)| dim.num_windows(*size)).collect()
    }

    /// The window along each dim, with the defaults of what is not written.
    pub fn window(&self) -> Vec<WindowDim> {
        let entry = |list: &Option<Vec<usize>>, dim: usize| {
            *list.as_ref().and_then(|list| list.get(dim)).unwrap_or(&1)
        };
        let padding = |at: usize| *self.padding.as_ref().and_then(|list| list.get(at)).unwrap_or(&0);
        (0..self.sizes.len())
            .map(|dim| WindowDim {
                size: self.sizes[dim],
                stride: entry(&self.strides, dim),
                low: padding(2 * dim),
                high: padding(2 * dim + 1),
                base_dilation: entry(&self.base_dilations, dim),
                window_dilation: entry(&self.window_dilations, dim),
            })
            .collect()
    }

    /// How elements combine if each result along `dim` is the total of all elements up to it, or from it on, and
    /// nothing else.
    pub(super) fn running_total(&self, view: &InstView<'_>, dim: usize) -> Option<Reduction> {
        let is_promoted = view.operand(0).element != view.result(0).element;
        if !self.is_running(view, dim) || view.inst.results.len() != 1 || is_promoted {
            return None;
        }
        let reduction = reducer(view.body, view.region(0))?.reduction()?;
        let neutral = neutral(reduction, view.operand(0).element)?;
        let is_neutral = splat_of(view, 1)?.splat_bytes() == neutral.splat_bytes();
        is_neutral.then_some(reduction)
    }

    /// Whether each result along `dim` is of all elements up to it, or from it on.
    fn is_running(&self, view: &InstView<'_>, dim: usize) -> bool {
        self.window()[dim].is_running(view.operand(0).shape[dim])
    }

    /// The dim along which each result is of all elements up to it, or from it on, if along all others it is of one.
    pub(super) fn runs_along(&self, view: &InstView<'_>) -> Option<usize> {
        let dim = (0..self.sizes.len()).find(|dim| self.is_running(view, *dim))?;
        let mut others = self.window().into_iter().enumerate().filter(|(other, _)| *other != dim);
        others.all(|(_, window)| window.is_identity()).then_some(dim)
    }

    /// Whether each result along `dim` is of all elements up to it, or from it on, by a reducer that is no plain op
    /// and may be applied to parts first. The windows along the other dims are single elements, so that the order stays.
    pub(super) fn is_running_of_parts(&self, view: &InstView<'_>, dim: usize) -> bool {
        let count = view.inst.results.len();
        let mut others = self.window().into_iter().enumerate().filter(|(other, _)| *other != dim);
        let is_of_one_type =
            (0..2 * count).all(|index| view.operand(index).element == view.result(index % count).element);
        self.is_running(view, dim)
            && reducer(view.body, view.region(0)).is_none()
            && others.all(|(_, window)| window.is_identity())
            && is_of_one_type
            && Reduce::may_restart(view)
    }

    /// Changes the padding of one dim.
    pub(super) fn set_padding(&mut self, dim: usize, low: i64, high: i64) {
        let rank = self.sizes.len();
        let padding = self.padding.get_or_insert_with(|| vec![0; 2 * rank]);
        (padding[2 * dim], padding[2 * dim + 1]) = (low, high);
    }

    /// Changes the dilation of one dim of the inputs.
    pub(super) fn set_base_dilation(&mut self, dim: usize, dilation: usize) {
        let rank = self.sizes.len();
        if self.base_dilations.is_some() || dilation != 1 {
            self.base_dilations.get_or_insert_with(|| vec![1; rank])[dim] = dilation;
        }
    }
}
