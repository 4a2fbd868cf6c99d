//! cuDNN's fused attention, as JAX calls it: `@__cudnn$fmhaSoftmax`, with `ScaleBias` and `Dropout`, and their
//! `Backward`. Letters: B batch, N query heads, K key heads, T queries, S keys, H features.
//!
//! Operands of the forward call: q, k, v, the bias, and how many queries and keys of each batch count; `BTNH` or `BNTH`,
//! as the configuration says. Results: the output (`BNTH`), the logarithms of the sums of the exponentials (`BNT`) where a
//! gradient follows, and an empty workspace. Backward: q, k, v, those logarithms, the output's gradient, the bias, the
//! output, the lengths; the gradients of q, k, v and the bias, and the workspace.
//!
//! Batches and heads pass through; where several query heads share a key head, the key heads do, and the query heads of
//! one where it is alone on a device: of its gradient each device has what its own query heads give, which are summed.
//! Without a mask the queries of a forward call pass through too.

use super::attention_eval::{Mask, Masking, backward, forward};
use super::{Kernel, Reference, attention_vjp, tensors};
use crate::attribute::Attr;
use crate::kernel_shape::{self, KernelShape};
use crate::ops::custom_call::CustomCall;
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::{TensorType, Type};

/// What targets begin with: cuDNN's own, and those of a fused attention of Ascend devices with the same operands.
const PREFIXES: [&str; 2] = ["__cudnn$fmha", "__npu$fmha"];

pub(super) struct Attention;

/// Positions of dims in q, k and v: queries or keys, and heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) sequence: usize,
    pub(super) heads: usize,
}

impl Layout {
    /// As the numbers of the dims in a product of the configuration say.
    fn of(call: &CustomCall, config: &str) -> Option<Self> {
        let product = match call.target.ends_with("Backward") {
            false => "bmm1_dot_dimension_numbers",
            true => "bmm2_grad_gemm2_dot_dimension_numbers",
        };
        match list(field(config, product)?, "lhs_batch_dimensions")?.as_slice() {
            [0, 2] => Some(Self { sequence: 1, heads: 2 }),
            [0, 1] => Some(Self { sequence: 2, heads: 1 }),
            _ => None,
        }
    }
}

/// A call whose operands and results are those of the kernel.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) is_backward: bool,
    pub(super) layout: Layout,
    /// The position of the bias among the operands, and of the lengths of queries and keys.
    pub(super) bias: Option<usize>,
    pub(super) lengths: Option<usize>,
    /// The position of the logarithms among the operands (backward) or the results.
    pub(super) sums: Option<usize>,
    /// Whether the bias has a gradient.
    pub(super) has_bias_gradient: bool,
    pub(super) batches: usize,
    pub(super) heads: usize,
    pub(super) key_heads: usize,
    pub(super) queries: usize,
    pub(super) keys: usize,
}

impl Shape {
    /// `None` if the call is none that is known.
    pub(super) fn of(call: &CustomCall, operands: &[&TensorType], results: &[&TensorType]) -> Option<Self> {
        let is_backward = call.target.ends_with("Backward");
        let has_bias = call.target.contains("Bias");
        let config = config(call)?;
        let layout = Layout::of(call, config)?;
        let [q, k, v, rest @ ..] = operands else { return None };
        if [q, k, v].iter().any(|tensor| tensor.rank() != 4) {
            return None;
        }
        let is_masked_by_length = mask(config).is_some_and(Mask::has_lengths);
        let (fixed, num_rest) = match is_backward {
            false => (0, usize::from(has_bias)),
            true => (2, 3 + usize::from(has_bias)),
        };
        if rest.len() != num_rest + if is_masked_by_length { 2 } else { 0 } {
            return None;
        }
        let bias = has_bias.then_some(3 + fixed);
        let (gradients, extra) = if is_backward { (3, results.len()) } else { (1, results.len()) };
        let extra = extra.checked_sub(gradients + 1)?;
        let shape = Self {
            is_backward,
            layout,
            bias,
            lengths: is_masked_by_length.then_some(3 + num_rest),
            sums: if is_backward { Some(3) } else { (extra == 1).then_some(1) },
            has_bias_gradient: is_backward && extra == 1,
            batches: q.shape[0],
            heads: q.shape[layout.heads],
            key_heads: k.shape[layout.heads],
            queries: q.shape[layout.sequence],
            keys: k.shape[layout.sequence],
        };
        (extra <= 1 && shape.fits(operands, results)).then_some(shape)
    }

    fn fits(&self, operands: &[&TensorType], results: &[&TensorType]) -> bool {
        let &Self { batches, heads, key_heads, queries, keys, layout, .. } = self;
        let packed = |tensor: &TensorType, length: usize, heads: usize| {
            tensor.rank() == 4
                && tensor.shape[0] == batches
                && tensor.shape[layout.sequence] == length
                && tensor.shape[layout.heads] == heads
        };
        let unpacked = |tensor: &TensorType, heads: usize, length: usize| {
            tensor.rank() == 4 && tensor.shape[..3] == [batches, heads, length]
        };
        let (q, k, v) = (operands[0], operands[1], operands[2]);
        let (features, values) = (q.shape[3], v.shape[3]);
        let bias_fits = |tensor: &TensorType| {
            tensor.rank() == 4
                && [1, batches].contains(&tensor.shape[0])
                && [1, heads].contains(&tensor.shape[1])
                && tensor.shape[2..] == [queries, keys]
        };
        let sums_fit = |tensor: &TensorType| tensor.shape == [batches, heads, queries];
        let lengths_fit = |at: usize| operands[at..].iter().all(|tensor| tensor.shape == [batches]);
        key_heads > 0
            && heads % key_heads == 0
            && packed(k, keys, key_heads)
            && packed(v, keys, key_heads)
            && k.shape[3] == features
            && self.bias.is_none_or(|at| bias_fits(operands[at]))
            && self.lengths.is_none_or(lengths_fit)
            && match self.is_backward {
                false => {
                    unpacked(results[0], heads, queries)
                        && results[0].shape[3] == values
                        && self.sums.is_none_or(|at| sums_fit(results[at]))
                }
                true => {
                    let output =
                        |tensor: &TensorType| packed(tensor, queries, heads) && tensor.shape[3] == values;
                    sums_fit(operands[3])
                        && output(operands[4])
                        && output(operands[5 + usize::from(self.bias.is_some())])
                        && unpacked(results[0], heads, queries)
                        && unpacked(results[1], key_heads, keys)
                        && unpacked(results[2], key_heads, keys)
                        && (!self.has_bias_gradient
                            || self.bias.is_some_and(|at| operands[at].shape == results[3].shape))
                }
            }
    }
}

impl Kernel for Attention {
    fn runs(&self, target: &str) -> bool {
        let name = PREFIXES.into_iter().find_map(|prefix| target.strip_prefix(prefix));
        let name = name.map(|name| name.strip_suffix("Backward").unwrap_or(name));
        matches!(name, Some("Softmax" | "SoftmaxDropout" | "ScaleBiasSoftmax" | "ScaleBiasSoftmaxDropout"))
    }

    fn rule(&self, call: &CustomCall, view: &InstView<'_>) -> Option<ShardingRule> {
        let (operands, results) = tensors(view)?;
        let shape = Shape::of(call, &operands, &results)?;
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let Layout { sequence, heads } = shape.layout;
        // A broadcast bias has one gradient for all batches, or heads.
        let is_shared = |dim: usize, size: usize| {
            shape.has_bias_gradient && size > 1 && shape.bias.is_some_and(|at| operands[at].shape[dim] == 1)
        };
        // The gradient of a key head adds up what its query heads give, also where a device has one of them.
        let head_factors: &[(usize, bool)] = match shape.heads / shape.key_heads {
            1 if !shape.is_backward => &[(shape.heads, true)],
            shared => &[(shape.key_heads, true), (shared, false)],
        };
        // Where queries, keys and the rest have their heads and their length.
        let query_like: &[usize] = if shape.is_backward { &[0, 4] } else { &[0] };
        let output = shape.is_backward.then_some(5 + usize::from(shape.bias.is_some()));
        let key_results: &[usize] = if shape.is_backward { &[1, 2] } else { &[] };
        let by_query = |rule: &mut ShardingRule, factor: usize, dim: usize, unpacked: usize| {
            for at in query_like.iter().copied().chain(output) {
                rule.operands[at][dim].push(factor);
            }
            rule.results[0][unpacked].push(factor);
            if let Some(at) = shape.sums {
                let of = if shape.is_backward { &mut rule.operands[at] } else { &mut rule.results[at] };
                of[unpacked].push(factor);
            }
            if let Some(at) = shape.bias
                && operands[at].shape[unpacked] > 1
            {
                rule.operands[at][unpacked].push(factor);
                if shape.has_bias_gradient {
                    rule.results[3][unpacked].push(factor);
                }
            }
        };
        let by_key = |rule: &mut ShardingRule, factor: usize, dim: usize, unpacked: usize| {
            for at in [1, 2] {
                rule.operands[at][dim].push(factor);
            }
            for at in key_results {
                rule.results[*at][unpacked].push(factor);
            }
        };
        // What a bias of all batches gets of each is added up; it shows in its heads that it is no workspace.
        let batch = match is_shared(0, shape.batches) {
            false => Some(FactorKind::PassThrough),
            true if shape.heads > 1 && !is_shared(1, shape.heads) => Some(FactorKind::SummedElsewhere),
            true => None,
        };
        if let Some(kind) = batch {
            let factor = rule.add(shape.batches, kind);
            by_query(&mut rule, factor, 0, 0);
            by_key(&mut rule, factor, 0, 0);
            for at in shape.lengths.map_or(0..0, |at| at..at + 2) {
                rule.operands[at][0].push(factor);
            }
        }
        if !is_shared(1, shape.heads) {
            for &(size, is_of_keys) in head_factors {
                let is_kept = is_of_keys || !shape.is_backward;
                let kind = if is_kept { FactorKind::PassThrough } else { FactorKind::SummedElsewhere };
                let factor = rule.add(size, kind);
                // A part of a group of heads would be matched with the keys of another.
                rule.factors[factor].is_even = !is_of_keys;
                by_query(&mut rule, factor, heads, 1);
                if is_of_keys {
                    by_key(&mut rule, factor, heads, 1);
                }
            }
        }
        let is_masked = config(call).and_then(masking).is_none_or(|masking| !masking.is_none());
        if !shape.is_backward && !is_masked {
            let factor = rule.add(shape.queries, FactorKind::PassThrough);
            by_query(&mut rule, factor, sequence, 2);
        }
        Some(rule)
    }

    /// The configuration holds the sizes of the scores, `[B, N, T, S]`.
    fn localized(&self, call: &CustomCall, operands: &[Type], _: &[Type]) -> CustomCall {
        let sizes = || {
            let q = operands.first()?.as_tensor()?;
            let k = operands.get(1)?.as_tensor()?;
            let Layout { sequence, heads } = Layout::of(call, config(call)?)?;
            Some([q.shape[0], q.shape[heads], q.shape[sequence], k.shape[sequence]])
        };
        let rewritten = sizes().and_then(|sizes| {
            let config = config(call)?;
            let shape = field(config, "intermediate_tensor_shape")?.strip_prefix('{')?;
            let list = field(&shape[..shape.find('}')?], "dimensions")?.strip_prefix('[')?;
            let list = &list[..list.find(']')?];
            let start = list.as_ptr() as usize - config.as_ptr() as usize;
            let sizes = sizes.map(|size| format!("\"{size}\"")).join(", ");
            Some(format!("{}{sizes}{}", &config[..start], &config[start + list.len()..]))
        });
        let mut local = call.clone();
        if let Some(config) = rewritten {
            local.attributes.set("backend_config", Attr::string(&config));
        }
        local
    }

    fn flops(&self, call: &CustomCall, operands: &[Type], results: &[Type]) -> f64 {
        let KernelShape::Attention(shape) = self.shape(call, operands, results) else { return 0.0 };
        let scores = [shape.batch, shape.queries, shape.keys].map(|size| size as f64);
        let features = (shape.features + shape.values) as f64;
        // Two products forward, five backward; a causal mask leaves half, a window its part.
        let products = if shape.is_backward { 2.5 } else { 1.0 };
        let causal = if shape.is_causal { 0.5 } else { 1.0 };
        let masking = config(call).and_then(masking);
        let seen = masking.map_or(causal, |masking| masking.share(shape.queries, shape.keys));
        2.0 * products * features * scores.iter().product::<f64>() * seen
    }

    fn shape(&self, call: &CustomCall, operands: &[Type], results: &[Type]) -> KernelShape {
        let tensors =
            |types| -> Vec<&TensorType> { <[Type]>::iter(types).filter_map(Type::as_tensor).collect() };
        let (operands, results) = (tensors(operands), tensors(results));
        let Some(shape) = Shape::of(call, &operands, &results) else { return KernelShape::Other };
        KernelShape::Attention(kernel_shape::Attention {
            batch: shape.batches * shape.heads,
            queries: shape.queries,
            keys: shape.keys,
            features: operands[0].shape[3],
            values: operands[2].shape[3],
            is_causal: config(call).and_then(mask).is_some_and(Mask::is_causal),
            is_backward: shape.is_backward,
            element: operands[0].element,
        })
    }

    fn reference(&self, call: &CustomCall, view: &InstView<'_>) -> Option<Reference> {
        let (operands, results) = tensors(view)?;
        let shape = Shape::of(call, &operands, &results)?;
        let config = config(call)?;
        // What cuDNN drops out is its own secret.
        if number(config, "dropout_rate").unwrap_or(0.0) > 0.0 {
            return None;
        }
        let (scale, masking) = (number(config, "fmha_scale")?, masking(config)?);
        let results: Vec<TensorType> = results.into_iter().cloned().collect();
        Some(match shape.is_backward {
            false => Box::new(move |inputs, precision| {
                forward(&shape, inputs, scale, masking, &results, precision)
            }),
            true => Box::new(move |inputs, precision| {
                backward(&shape, inputs, scale, masking, &results, precision)
            }),
        })
    }

    fn vjp(&self, call: &CustomCall, v: &mut Vjp<'_>) -> Differentiated {
        attention_vjp::vjp(call, v)
    }
}

/// The configuration, JSON in a string.
fn config(call: &CustomCall) -> Option<&str> {
    call.attributes.get("backend_config")?.as_str()
}

/// The text behind `"name":`, to the end.
fn field<'c>(config: &'c str, name: &str) -> Option<&'c str> {
    let key = format!("\"{name}\"");
    let behind = &config[config.find(&key)? + key.len()..];
    Some(behind.trim_start().strip_prefix(':')?.trim_start())
}

/// The integers of the list under `name`, which are written as strings.
fn list(config: &str, name: &str) -> Option<Vec<usize>> {
    let inside = field(config, name)?.strip_prefix('[')?.split_once(']')?.0;
    inside.split(',').map(|item| item.trim().trim_matches('"').parse().ok()).collect()
}

fn number(config: &str, name: &str) -> Option<f64> {
    field(config, name)?.split([',', '}']).next()?.trim().trim_matches('"').parse().ok()
}

fn mask(config: &str) -> Option<Mask> {
    match field(config, "mask_type")?.split([',', '}']).next()?.trim().trim_matches('"') {
        "NO_MASK" => Some(Mask::None),
        "PADDING" => Some(Mask::Lengths),
        "CAUSAL" => Some(Mask::Causal),
        "PADDING_CAUSAL" => Some(Mask::CausalLengths),
        _ => None,
    }
}

/// `None` for masks without a reference.
pub(super) fn masking(config: &str) -> Option<Masking> {
    let whole = |name: &str, default: f64| number(config, name).unwrap_or(default);
    let is_paged = field(config, "is_paged_attention").is_some_and(|value| value.starts_with("true"));
    if is_paged || whole("max_seg_per_batch", 1.0) != 1.0 {
        return None;
    }
    Some(Masking { mask: mask(config)?, window: whole("sliding_window_length", 0.0) as usize })
}
