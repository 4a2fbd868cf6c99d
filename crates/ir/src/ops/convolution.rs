//! `stablehlo.convolution` (specification, "convolution"): dot products between windows and a kernel, in groups.

use super::conv_dims::ConvDims;
use super::dot_general::is_product;
use super::window::WindowDim;
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::kernel_shape::{self, KernelShape, factors};
use crate::local::{LocalBuilder, Localize};
use crate::op::{Accuracy, Along, AttrReader, Given, Linearity, OpDef, ParsedInst, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::sharding::Reduction;
use crate::text::{OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// A convolution. Lists that are not written have their default: one, zero padding, no reversal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Convolution {
    /// Which dim of each tensor is what.
    pub dims: ConvDims,
    /// Steps between windows.
    pub strides: Option<Vec<usize>>,
    /// Low and high padding of each spatial dim, one after the other.
    pub padding: Option<Vec<i64>>,
    /// Steps between elements of the left operand.
    pub lhs_dilation: Option<Vec<usize>>,
    /// Steps between positions of a window.
    pub rhs_dilation: Option<Vec<usize>>,
    /// Whether the window is reversed along each spatial dim.
    pub reversal: Option<Vec<bool>>,
    /// Groups of features that do not mix.
    pub feature_groups: usize,
    /// Groups of the batch, each with kernels of its own.
    pub batch_groups: usize,
    /// `DEFAULT`, `HIGH` or `HIGHEST` per operand; empty when not given.
    pub precision: Vec<String>,
}

impl OpDef for Convolution {
    const NAMES: &'static [&'static str] = &["stablehlo.convolution"];

    /// `(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1],
    /// rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, ...} : (...) -> ...`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let operands = p.operand_list()?;
        p.field("dim_numbers")?;
        let dims = ConvDims::parse(p)?;
        p.expect(b',')?;
        p.field("window")?;
        let mut window = (None, None, None, None, None);
        p.list(b'{', b'}', |p| {
            match p.word("`stride`, `pad`, `lhs_dilate`, `rhs_dilate` or `reverse`")? {
                "stride" => window.0 = Some(list_behind_equals(p)?),
                "pad" => {
                    p.expect(b'=')?;
                    let pairs = p.list(b'[', b']', Parser::ints)?;
                    if pairs.iter().any(|pair| pair.len() != 2) {
                        return p.expected("a pair of numbers per spatial dim in `pad`");
                    }
                    window.1 = Some(pairs.concat());
                }
                "lhs_dilate" => window.2 = Some(list_behind_equals(p)?),
                "rhs_dilate" => window.3 = Some(list_behind_equals(p)?),
                "reverse" => {
                    p.expect(b'=')?;
                    window.4 = Some(p.list(b'[', b']', |p| match () {
                        () if p.eat_word("true") => Ok(true),
                        () if p.eat_word("false") => Ok(false),
                        () => Ok(p.int()? != 0),
                    })?);
                }
                _ => return p.expected("`stride`, `pad`, `lhs_dilate`, `rhs_dilate` or `reverse`"),
            }
            Ok(())
        })?;
        let mut attributes = p.attr_dict_opt()?;
        let counts = p.from_dict(name, &mut attributes, |_, attributes| Counts::read(attributes))?;
        let (operand_types, result_types) = p.colon_function_type()?;
        let (strides, padding, lhs_dilation, rhs_dilation, reversal) = window;
        let op = counts.convolution(dims, strides, padding, lhs_dilation, rhs_dilation, reversal);
        Ok(ParsedInst::new(op, operands, result_types).typed(operand_types).with(attributes))
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let numbers = attributes.required("dimension_numbers")?;
        let text = match &numbers {
            Attr::Dialect(text) => {
                text.strip_prefix("#stablehlo.conv<").and_then(|rest| rest.strip_suffix('>'))
            }
            _ => None,
        };
        let text = text.ok_or_else(|| format!("expected #stablehlo.conv<...>, found `{numbers}`"))?;
        let dims = ConvDims::read(text)?;
        let strides = attributes.dims_opt("window_strides")?;
        let padding = attributes.ints_opt("padding")?;
        let lhs_dilation = attributes.dims_opt("lhs_dilation")?;
        let rhs_dilation = attributes.dims_opt("rhs_dilation")?;
        let reversal = attributes.ints_opt("window_reversal")?;
        let reversal = reversal.map(|list| list.into_iter().map(|flag| flag != 0).collect());
        let counts = Counts::read(attributes)?;
        Ok(counts.convolution(dims, strides, padding, lhs_dilation, rhs_dilation, reversal))
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = self.printed_behind();
        attributes.set("dimension_numbers", Attr::Dialect(format!("#stablehlo.conv<{}>", self.dims).into()));
        let lists = [
            ("window_strides", &self.strides),
            ("lhs_dilation", &self.lhs_dilation),
            ("rhs_dilation", &self.rhs_dilation),
        ];
        for (name, list) in lists {
            if let Some(list) = list {
                attributes.set(name, Attr::dims(list));
            }
        }
        if let Some(padding) = &self.padding {
            attributes.set("padding", Attr::Dense(Literal::ints(vec![padding.len() / 2, 2], padding)));
        }
        if let Some(reversal) = &self.reversal {
            let flags = reversal.iter().map(|flag| i64::from(*flag)).collect();
            attributes.set("window_reversal", Attr::DenseArray(ElementType::I1, flags));
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text("(");
        p.values(&view.inst.operands);
        p.text(&format!(") dim_numbers = {}, window = {{", self.dims));
        let pairs =
            |list: &Vec<i64>| list.chunks(2).map(|pair| format!("{pair:?}")).collect::<Vec<_>>().join(", ");
        let fields = [
            self.strides.as_ref().map(|list| format!("stride = {list:?}")),
            self.padding.as_ref().map(|list| format!("pad = [{}]", pairs(list))),
            self.lhs_dilation.as_ref().map(|list| format!("lhs_dilate = {list:?}")),
            self.rhs_dilation.as_ref().map(|list| format!("rhs_dilate = {list:?}")),
            self.reversal.as_ref().map(|list| format!("reverse = {list:?}")),
        ];
        p.text(&fields.into_iter().flatten().collect::<Vec<_>>().join(", "));
        p.text("}");
        p.attributes_and(self.printed_behind());
        p.signature();
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if violations.shape(view, 2, 1, 0) {
            self.verify_tensors(view, violations);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let shape = self.result_shape(given.tensor(0)?, given.tensor(1)?)?;
        Some(vec![TensorType::new(shape, given.element_of_product()?).into()])
    }

    /// The batch and the kernel's output features pass through and input features are summed over; a dim that is
    /// made of groups has the group as its major factor. The group's factor, if there is one, is the first.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let (lhs, rhs, result) = (view.operand(0), view.operand(1), view.result(0));
        let ConvDims { input, kernel, output } = &self.dims;
        let groups = self.feature_groups * self.batch_groups;
        if groups > 1 {
            let grouped = if self.feature_groups > 1 { input.second } else { input.first };
            let operands = [(0, grouped), (1, kernel.second)];
            rule.add_dim(groups, FactorKind::PassThrough, &operands, &[(0, output.second)]);
        }
        let mut add = |size: usize, kind, operands: &[(usize, usize)], results: &[(usize, usize)]| {
            // A dim that is all groups has nothing left to shard.
            if size > 1 || groups == 1 {
                rule.add_dim(size, kind, operands, results);
            }
        };
        let batch = result.shape[output.first];
        add(batch, FactorKind::PassThrough, &[(0, input.first)], &[(0, output.first)]);
        let features = rhs.shape[kernel.second] / groups;
        add(features, FactorKind::PassThrough, &[(1, kernel.second)], &[(0, output.second)]);
        let summed = [(0, input.second), (1, kernel.first)];
        add(rhs.shape[kernel.first], FactorKind::Reduced(Reduction::Sum), &summed, &[]);
        for (spatial, window) in self.window(rhs).iter().enumerate() {
            let (from, to, tap) = (input.spatial[spatial], output.spatial[spatial], kernel.spatial[spatial]);
            let windows = result.shape[to];
            if window.is_identity() {
                rule.add_dim(lhs.shape[from], FactorKind::PassThrough, &[(0, from)], &[(0, to)]);
                rule.add_dim(window.size, FactorKind::NeedReplication, &[(1, tap)], &[]);
            } else if windows >= window.size {
                // Each window reads the elements around it.
                let largest = lhs.shape[from].max(windows);
                let reach = window.reach(lhs.shape[from]);
                rule.add_moving_dim(largest, FactorKind::Halo, reach, &[(0, from)], &[(0, to)]);
                rule.add_dim(window.size, FactorKind::NeedReplication, &[(1, tap)], &[]);
            } else {
                // Each position in the window is summed away.
                let largest = lhs.shape[from].max(window.size);
                let sum = FactorKind::Reduced(Reduction::Sum);
                let reach = window.reach(lhs.shape[from]);
                rule.add_moving_dim(largest, sum, reach, &[(0, from), (1, tap)], &[]);
                rule.add_dim(windows, FactorKind::NeedReplication, &[], &[(0, to)]);
            }
        }
        rule
    }

    /// Shardy splits a spatial dim into windows and what is in them, and conservatively has no factor along it.
    fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule> {
        let (lhs, rhs, result) = (view.operand(0), view.operand(1), view.result(0));
        let ConvDims { input, kernel, output } = &self.dims;
        let mut builder = RuleBuilder::new(view);
        let pass = FactorType::PassThrough;
        if self.batch_groups > 1 {
            let operands = [Some(input.first), Some(kernel.second)];
            builder.factor(&operands, &[Some(output.second)], self.batch_groups, pass);
        }
        let batch = result.shape[output.first];
        builder.factor(&[Some(input.first), None], &[Some(output.first)], batch, pass);
        let spatial = if mode == Propagation::Full { input.spatial.len() } else { 0 };
        for spatial in 0..spatial {
            let (from, tap, to) = (input.spatial[spatial], kernel.spatial[spatial], output.spatial[spatial]);
            let (windows, window) = (result.shape[to], rhs.shape[tap]);
            // An input dim is both the windows and what is in them; the larger is more major.
            let mut rest = lhs.shape[from];
            let sides = if windows >= window { [false, true] } else { [true, false] };
            for is_summed in sides {
                let size = rest.min(if is_summed { window } else { windows });
                if size <= 1 {
                    continue;
                }
                if is_summed {
                    builder.factor(&[Some(from), Some(tap)], &[None], size, FactorType::Reduction);
                } else {
                    builder.factor(&[Some(from), None], &[Some(to)], size, FactorType::Permutation);
                }
                rest /= size;
            }
        }
        if self.feature_groups > 1 {
            let operands = [Some(input.second), Some(kernel.second)];
            builder.factor(&operands, &[Some(output.second)], self.feature_groups, pass);
        }
        let features = [Some(input.second), Some(kernel.first)];
        builder.factor(&features, &[None], rhs.shape[kernel.first], FactorType::Reduction);
        let groups = self.batch_groups.saturating_mul(self.feature_groups).max(1);
        let size = result.shape[output.second] / groups;
        if size > 1 {
            builder.factor(&[None, Some(kernel.second)], &[Some(output.second)], size, pass);
        }
        Some(builder.build())
    }

    /// A multiplication and an addition per result element, position in the window and input feature of the group.
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let (Some(rhs), Some(result)) = (operands[1].as_tensor(), results[0].as_tensor()) else {
            return 0.0;
        };
        let window: usize = self.dims.kernel.spatial.iter().map(|dim| rhs.shape[*dim]).product();
        2.0 * result.num_elements() as f64 * window as f64 * rhs.shape[self.dims.kernel.first] as f64
    }

    fn accuracy(&self) -> Option<Accuracy> {
        Some(Accuracy::of_words(&self.precision))
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_each(&[0, 1])
    }

    /// Examples and the kernel's own features do not know of one another; windows do, at the edges.
    fn along(&self, dim: usize) -> Along {
        if !self.is_grouped() && [self.dims.output.first, self.dims.output.second].contains(&dim) {
            Along::AsOperands
        } else {
            Along::Own
        }
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let window = self.window(view.operand(1));
        let result =
            super::convolution_eval::convolve(self, &window, &inputs[0], &inputs[1], view, cx.precision())?;
        Ok(vec![result])
    }

    /// Each device has its share of the groups.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        super::convolution_local::localize(self, cx, b)
    }

    fn exchanges(&self, _: &InstView<'_>) -> bool {
        true
    }

    fn kernel(&self, operands: &[Type], results: &[Type]) -> KernelShape {
        let (Some([lhs, rhs]), Some(result)) = (factors(operands), results[0].as_tensor()) else {
            return KernelShape::Other;
        };
        let ConvDims { kernel, output, .. } = &self.dims;
        KernelShape::Convolution(kernel_shape::Convolution {
            outputs: result.num_elements(),
            window: kernel.spatial.iter().map(|dim| rhs.shape[*dim]).product(),
            taken: rhs.shape[kernel.first],
            given: result.shape[output.second],
            features_per_group: self.features_per_group([lhs, rhs], result),
            elements: [lhs.element, rhs.element],
        })
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| self.input_cotangent(v, cotangent));
        v.give_with(1, |v, cotangent| self.kernel_cotangent(v, cotangent));
        Ok(())
    }
}

impl Convolution {
    /// How many features there are in each of the groups that do not know of one another, of operands and a result of these
    /// types, which may be shards; `None`: there is but one group in the whole program. In a depthwise convolution it is 1.
    fn features_per_group(&self, [lhs, rhs]: [&TensorType; 2], result: &TensorType) -> Option<usize> {
        if self.batch_groups > 1 {
            let groups = lhs.shape[self.dims.input.first] / result.shape[self.dims.output.first].max(1);
            return Some(rhs.shape[self.dims.kernel.second] / groups.max(1));
        }
        self.is_grouped().then(|| rhs.shape[self.dims.kernel.first])
    }

    /// Whether features or examples are in groups.
    fn is_grouped(&self) -> bool {
        self.feature_groups > 1 || self.batch_groups > 1
    }

    /// The shape of the result; `None` if the operands are not of the rank of `dims`.
    fn result_shape(&self, lhs: &TensorType, rhs: &TensorType) -> Option<Vec<usize>> {
        let ConvDims { input, kernel, output } = &self.dims;
        let rank = input.rank();
        if [lhs.rank(), rhs.rank()] != [rank; 2] {
            return None;
        }
        let mut shape = vec![0; rank];
        shape[output.first] = lhs.shape[input.first].checked_div(self.batch_groups)?;
        shape[output.second] = rhs.shape[kernel.second];
        for (spatial, window) in self.window(rhs).iter().enumerate() {
            shape[output.spatial[spatial]] = window.num_windows(lhs.shape[input.spatial[spatial]]);
        }
        Some(shape)
    }

    /// The window along each spatial dim for a kernel of type `rhs`.
    pub fn window(&self, rhs: &TensorType) -> Vec<WindowDim> {
        let entry = |list: &Option<Vec<usize>>, dim: usize| {
            *list.as_ref().and_then(|list| list.get(dim)).unwrap_or(&1)
        };
        let padding = |at: usize| *self.padding.as_ref().and_then(|list| list.get(at)).unwrap_or(&0);
        let kernel = self.dims.kernel.spatial.iter().enumerate();
        kernel
            .map(|(spatial, dim)| WindowDim {
                size: rhs.shape[*dim],
                stride: entry(&self.strides, spatial),
                low: padding(2 * spatial),
                high: padding(2 * spatial + 1),
                base_dilation: entry(&self.lhs_dilation, spatial),
                window_dilation: entry(&self.rhs_dilation, spatial),
            })
            .collect()
    }

    /// Whether the window is reversed along a spatial dim.
    pub(super) fn is_reversed(&self, spatial: usize) -> bool {
        self.reversal.as_ref().is_some_and(|list| list[spatial])
    }

    /// Changes the padding of one spatial dim.
    pub(super) fn set_padding(&mut self, spatial: usize, low: i64, high: i64) {
        let count = self.dims.input.spatial.len();
        let padding = self.padding.get_or_insert_with(|| vec![0; 2 * count]);
        (padding[2 * spatial], padding[2 * spatial + 1]) = (low, high);
    }

    /// Changes the dilation of one spatial dim of the left operand.
    pub(super) fn set_lhs_dilation(&mut self, spatial: usize, dilation: usize) {
        let count = self.dims.input.spatial.len();
        if self.lhs_dilation.is_some() || dilation != 1 {
            self.lhs_dilation.get_or_insert_with(|| vec![1; count])[spatial] = dilation;
        }
    }

    /// The attributes that the pretty form writes in braces.
    fn printed_behind(&self) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("feature_group_count", Attr::position(self.feature_groups));
        attributes.set("batch_group_count", Attr::position(self.batch_groups));
        if !self.precision.is_empty() {
            attributes.set("precision_config", Attr::precision(&self.precision));
        }
        attributes
    }

    fn verify_tensors(&self, view: &InstView<'_>, violations: &mut Violations) {
        let (lhs, rhs, result) = (view.operand(0), view.operand(1), view.result(0));
        let ConvDims { input, kernel, .. } = &self.dims;
        let rank = input.rank();
        let mut fits = violations.require([lhs, rhs, result].iter().all(|ty| ty.rank() == rank), || {
            format!("C1, C26: the dim numbers are for rank {rank}, the tensors are {lhs}, {rhs} and {result}")
        });
        let has_length = |list: &Option<Vec<usize>>| list.as_ref().is_none_or(|list| list.len() == rank - 2);
        let lists = [&self.strides, &self.lhs_dilation, &self.rhs_dilation];
        fits &= violations.require(lists.into_iter().all(has_length), || {
            format!("C2, C5, C7: strides and dilations should have {} entries", rank - 2)
        });
        fits &= violations.require(
            self.padding.as_ref().is_none_or(|list| list.len() == 2 * (rank - 2))
                && self.reversal.as_ref().is_none_or(|list| list.len() == rank - 2),
            || format!("C4, C9: padding and reversal should be for {} spatial dims", rank - 2),
        );
        let positive = lists.into_iter().flatten().flatten().all(|entry| *entry > 0);
        fits &= violations.require(positive, || "C3, C6, C8: strides and dilations must be positive".into());
        let (features, batches) = (self.feature_groups, self.batch_groups);
        fits &= violations.require(features > 0 && batches > 0, || "C21-C22: no groups".into());
        fits &= violations.require(features == 1 || batches == 1, || {
            "C23: groups of features and of the batch at once".into()
        });
        violations.require(self.precision.is_empty() || self.precision.len() == 2, || {
            "C24: `precision_config` should have two entries".into()
        });
        if !fits {
            return;
        }
        fits &= violations.require(lhs.shape[input.first] % batches == 0, || {
            format!("C10: a batch of {} does not divide into {batches} groups", lhs.shape[input.first])
        });
        fits &= violations.require(lhs.shape[input.second] % features == 0, || {
            format!("C11: {} input features do not divide into {features} groups", lhs.shape[input.second])
        });
        let summed = lhs.shape[input.second] / features;
        fits &= violations.require(rhs.shape[kernel.first] == summed, || {
            format!("C14: the kernel takes {} input features, not {summed}", rhs.shape[kernel.first])
        });
        fits &= violations.require(rhs.shape[kernel.second] % (features * batches) == 0, || {
            format!(
                "C15-C16: {} output features do not divide into {} groups",
                rhs.shape[kernel.second],
                features * batches
            )
        });
        if let Some(shape) = self.result_shape(lhs, rhs).filter(|_| fits) {
            // As for products of matrices, the result may be wider (`preferred_element_type`).
            let of_a_kind = rhs.element == lhs.element && is_product(lhs.element, result.element);
            violations.require(of_a_kind, || {
                format!("C27: elements of {}, {} and {}", lhs.element, rhs.element, result.element)
            });
            violations.require(shape == result.shape, || {
                format!("C25: the result's shape should be {shape:?}, not {:?}", result.shape)
            });
        }
    }
}

/// The attributes that both forms spell alike.
struct Counts {
    feature_groups: usize,
    batch_groups: usize,
    precision: Vec<String>,
}

impl Counts {
    fn read(attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let mut count = |name: &str| {
            let count = attributes.int_or(name, 1)?;
            usize::try_from(count).map_err(|_| format!("`{name}` is {count}"))
        };
        let (feature_groups, batch_groups) = (count("feature_group_count")?, count("batch_group_count")?);
        Ok(Self { feature_groups, batch_groups, precision: attributes.precision()? })
    }

    fn convolution(
        self,
        dims: ConvDims,
        strides: Option<Vec<usize>>,
        padding: Option<Vec<i64>>,
        lhs_dilation: Option<Vec<usize>>,
        rhs_dilation: Option<Vec<usize>>,
        reversal: Option<Vec<bool>>,
    ) -> Convolution {
        let Self { feature_groups, batch_groups, precision } = self;
        Convolution {
            dims,
            strides,
            padding,
            lhs_dilation,
            rhs_dilation,
            reversal,
            feature_groups,
            batch_groups,
            precision,
        }
    }
}

/// `= [1, 2]`.
fn list_behind_equals(p: &mut Parser<'_>) -> Parsed<Vec<usize>> {
    p.expect(b'=')?;
    p.sizes()
}
