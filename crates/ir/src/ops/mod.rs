//! One file per op, or per family of like ops. The list below is the only other line to touch when adding one.

use self::collective::Participants;
use crate::arguments::Placement;
use crate::attribute::Attributes;
use crate::eval::Context;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::kernel_shape::KernelShape;
use crate::local::{LocalBuilder, Localize};
use crate::op::{Accuracy, DataFlow, Given, OpDef, OpReader, Propagation, Spreading, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::OpShardingRule;
use crate::sharding::{Reduction, ShardingAttr};
use crate::text::OpPrinter;
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::minifloat::MiniFloat;
use meshwright_tensor::types::Type;

/// Whether contributions to these operands stay contributions in the type of the result's elements.
fn passes_on(view: &InstView<'_>, operands: &[usize], reduction: Reduction) -> bool {
    let element = |value: &ValueId| view.body.ty(*value).as_tensor().map(|tensor| tensor.element);
    let [result] = view.inst.results.as_slice() else { return true };
    let survives = |operand: &ValueId| match (element(operand), element(result)) {
        (Some(from), Some(to)) => reduction.survives(from, to),
        _ => true,
    };
    operands.iter().filter_map(|index| view.inst.operands.get(*index)).all(survives)
}

/// How an op is kept: as it is, or boxed.
macro_rules! kept {
    ($op:ty) => { $op };
    ($kept:ident of $op:ty) => { $kept<$op> };
}

macro_rules! ops {
    ($($module:ident::$name:ident $(in $kept:ident)?),* $(,)?) => {
        $(pub mod $module;)*

        /// An op with its attributes. Those with many are kept in a box: most ops of a program have few.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Op {
            $($name(kept!($($kept of)? $module::$name)),)*
        }

        $(impl From<$module::$name> for Op {
            fn from(op: $module::$name) -> Self {
                Self::$name(op.into())
            }
        })*

        /// How each op's text is read, one list per file.
        pub const READERS: &[&[OpReader]] = &[$({
            const NAMES: &[&str] = <$module::$name as OpDef>::NAMES;
            const READERS: [OpReader; NAMES.len()] = {
                let mut readers = [OpReader {
                    name: "",
                    parse: <$module::$name as OpDef>::parse,
                    from_attributes: |name, attributes| {
                        <$module::$name as OpDef>::from_attributes(name, attributes).map(Op::from)
                    },
                }; NAMES.len()];
                let mut at = 0;
                while at < NAMES.len() {
                    readers[at].name = NAMES[at];
                    at += 1;
                }
                readers
            };
            &READERS
        }),*];

        impl Op {
            /// See [`OpDef::name`].
            pub fn name(&self) -> &'static str {
                match self { $(Self::$name(op) => op.name(),)* }
            }

            /// See [`OpDef::attributes`].
            pub fn attributes(&self, view: &InstView<'_>) -> Attributes {
                match self { $(Self::$name(op) => op.attributes(view),)* }
            }

            /// See [`OpDef::print`].
            pub fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
                match self { $(Self::$name(op) => op.print(view, p),)* }
            }

            /// See [`OpDef::verify`].
            pub fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
                match self { $(Self::$name(op) => op.verify(view, violations),)* }
            }

            /// See [`OpDef::infer`].
            pub fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
                match self { $(Self::$name(op) => op.infer(given),)* }
            }

            /// See [`OpDef::verify_in`].
            pub fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
                match self { $(Self::$name(op) => op.verify_in(view, scope, violations),)* }
            }

            /// See [`OpDef::result_sharding`].
            pub fn result_sharding(&self, index: usize) -> Option<&ShardingAttr> {
                match self { $(Self::$name(op) => op.result_sharding(index),)* }
            }

            /// See [`OpDef::argument_sharding`].
            pub fn argument_sharding(&self, index: usize) -> Option<ShardingAttr> {
                match self { $(Self::$name(op) => op.argument_sharding(index),)* }
            }

            /// See [`OpDef::without_sharding`].
            pub fn without_sharding(&self) -> Option<Op> {
                match self { $(Self::$name(op) => op.without_sharding(),)* }
            }

            /// See [`OpDef::shardings_mut`].
            pub fn shardings_mut(&mut self) -> Vec<&mut ShardingAttr> {
                match self { $(Self::$name(op) => op.shardings_mut(),)* }
            }

            /// See [`OpDef::set_result_sharding`].
            pub fn set_result_sharding(&mut self, index: usize, ranks: &[usize], sharding: ShardingAttr) -> bool {
                match self { $(Self::$name(op) => op.set_result_sharding(index, ranks, sharding),)* }
            }

            /// See [`OpDef::set_argument_sharding`].
            pub fn set_argument_sharding(&mut self, index: usize, ranks: &[usize], sharding: ShardingAttr) -> bool {
                match self { $(Self::$name(op) => op.set_argument_sharding(index, ranks, sharding),)* }
            }

            /// See [`OpDef::manual_axes`].
            pub fn manual_axes(&self) -> &[String] {
                match self { $(Self::$name(op) => op.manual_axes(),)* }
            }

            /// See [`OpDef::refusal`].
            pub fn refusal(&self) -> Option<&'static str> {
                match self { $(Self::$name(op) => op.refusal(),)* }
            }

            /// See [`OpDef::rule`]. What a rule that the user gave wants whole is needed whole; one that says of the
            /// op what is said anyway, as dumps of rules do, wants nothing. What leaves a sum of elements of a type
            /// without zero is needed whole too: nobody could contribute nothing.
            pub fn rule(&self, view: &InstView<'_>) -> ShardingRule {
                let mut own = match self { $(Self::$name(op) => op.rule(view),)* };
                let has_zero = |ty: &Type| {
                    let small = ty.as_tensor().and_then(|ty| MiniFloat::of(ty.element));
                    small.is_none_or(MiniFloat::has_zero)
                };
                if !view.operand_types().chain(view.result_types()).all(has_zero) {
                    own.need_whole_sums();
                }
                let is_own = |given: &OpShardingRule| {
                    !given.is_custom && self.propagation_rule(view, Propagation::Full).as_ref() == Some(given)
                };
                match OpShardingRule::given(&view.inst.attributes) {
                    Some(given) if !is_own(given) => own.whole_where(given),
                    _ => own,
                }
            }

            /// See [`OpDef::accuracy`].
            pub fn accuracy(&self) -> Option<Accuracy> {
                match self { $(Self::$name(op) => op.accuracy(),)* }
            }

            /// See [`OpDef::placement`].
            pub fn placement(&self, view: &InstView<'_>) -> Option<Placement> {
                match self { $(Self::$name(op) => op.placement(view),)* }
            }

            /// See [`OpDef::flops`].
            pub fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
                match self { $(Self::$name(op) => op.flops(operands, results),)* }
            }

            /// See [`OpDef::bytes`].
            pub fn bytes(&self, operands: &[Type], results: &[Type]) -> f64 {
                match self { $(Self::$name(op) => op.bytes(operands, results),)* }
            }

            /// See [`OpDef::kernel`].
            pub fn kernel(&self, operands: &[Type], results: &[Type]) -> KernelShape {
                match self { $(Self::$name(op) => op.kernel(operands, results),)* }
            }

            /// See [`OpDef::is_short_form`].
            pub fn is_short_form(&self) -> bool {
                match self { $(Self::$name(op) => op.is_short_form(),)* }
            }

            /// See [`OpDef::expand`].
            pub fn expand(
                &self,
                view: &InstView<'_>,
                operands: &[ValueId],
                e: &mut Expansion<'_, '_>,
            ) -> Option<Vec<ValueId>> {
                match self { $(Self::$name(op) => op.expand(view, operands, e),)* }
            }

            /// See [`OpDef::evaluate`].
            pub fn evaluate(
                &self,
                view: &InstView<'_>,
                inputs: Vec<Tensor>,
                cx: &mut dyn Context,
            ) -> Result<Vec<Tensor>, EvalError> {
                match self { $(Self::$name(op) => op.evaluate(view, inputs, cx),)* }
            }

            /// See [`OpDef::localize`].
            pub fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
                match self { $(Self::$name(op) => op.localize(cx, b),)* }
            }

            /// See [`OpDef::carries_values`].
            pub fn carries_values(&self) -> bool {
                match self { $(Self::$name(op) => op.carries_values(),)* }
            }

            /// See [`OpDef::data_flow`].
            pub fn data_flow(&self) -> DataFlow {
                match self { $(Self::$name(op) => op.data_flow(),)* }
            }

            /// See [`OpDef::spreading`].
            pub fn spreading(&self, view: &InstView<'_>) -> Spreading {
                match self { $(Self::$name(op) => op.spreading(view),)* }
            }

            /// See [`OpDef::propagation_rule`].
            pub fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule> {
                match self { $(Self::$name(op) => op.propagation_rule(view, mode),)* }
            }

            /// See [`OpDef::participants`].
            pub fn participants(&self) -> Option<&Participants> {
                match self { $(Self::$name(op) => op.participants(),)* }
            }

            /// See [`OpDef::participants_mut`].
            pub fn participants_mut(&mut self) -> Option<&mut Participants> {
                match self { $(Self::$name(op) => op.participants_mut(),)* }
            }

            /// See [`OpDef::callees`].
            pub fn callees(&self) -> Vec<&str> {
                match self { $(Self::$name(op) => op.callees(),)* }
            }

            /// See [`OpDef::is_call`].
            pub fn is_call(&self) -> bool {
                match self { $(Self::$name(op) => op.is_call(),)* }
            }

            /// See [`OpDef::is_elementwise`].
            pub fn is_elementwise(&self) -> bool {
                match self { $(Self::$name(op) => op.is_elementwise(),)* }
            }

            /// See [`OpDef::has_side_effects`].
            pub fn has_side_effects(&self) -> bool {
                match self { $(Self::$name(op) => op.has_side_effects(),)* }
            }

            /// See [`OpDef::exchanges`].
            pub fn exchanges(&self, view: &InstView<'_>) -> bool {
                match self { $(Self::$name(op) => op.exchanges(view),)* }
            }

            /// See [`OpDef::unknown_kernel`].
            pub fn unknown_kernel(&self, view: &InstView<'_>) -> Option<&str> {
                match self { $(Self::$name(op) => op.unknown_kernel(view),)* }
            }

            /// See [`OpDef::is_collective`].
            pub fn is_collective(&self) -> bool {
                match self { $(Self::$name(op) => op.is_collective(),)* }
            }

            /// See [`OpDef::linear_operands`].
            pub fn linear_operands(&self, view: &InstView<'_>) -> &'static [usize] {
                let operands = match self { $(Self::$name(op) => op.linear_operands(view),)* };
                if passes_on(view, operands, Reduction::Sum) { operands } else { &[] }
            }

            /// See [`OpDef::keeps_finite`].
            pub fn keeps_finite(&self, view: &InstView<'_>, operand: usize) -> bool {
                match self { $(Self::$name(op) => op.keeps_finite(view, operand),)* }
            }

            /// See [`OpDef::arg_name`].
            pub fn arg_name(&self, view: &InstView<'_>, region: usize, arg: usize) -> Option<&'static str> {
                match self { $(Self::$name(op) => op.arg_name(view, region, arg),)* }
            }

            /// See [`OpDef::contributions`].
            pub fn contributions(&self, view: &InstView<'_>, reduction: Reduction) -> Vec<usize> {
                let operands = match self { $(Self::$name(op) => op.contributions(view, reduction),)* };
                if passes_on(view, &operands, reduction) { operands } else { Vec::new() }
            }

            /// See [`OpDef::as_rearrangement`].
            pub fn as_rearrangement(&self, view: &InstView<'_>) -> Option<rearrange::Rearrange> {
                match self { $(Self::$name(op) => op.as_rearrangement(view),)* }
            }

            /// See [`OpDef::keeps_dims`].
            pub fn keeps_dims(&self) -> bool {
                match self { $(Self::$name(op) => op.keeps_dims(),)* }
            }

            /// See [`OpDef::is_alike_along`].
            pub fn is_alike_along(&self, dim: usize) -> bool {
                match self { $(Self::$name(op) => op.is_alike_along(dim),)* }
            }

            /// See [`OpDef::hint_if_whole`].
            pub fn hint_if_whole(&self, view: &InstView<'_>, operand: usize, dim: usize) -> &'static str {
                match self { $(Self::$name(op) => op.hint_if_whole(view, operand, dim),)* }
            }

            /// See [`OpDef::repeats_along`].
            pub fn repeats_along(&self, dim: usize) -> bool {
                match self { $(Self::$name(op) => op.repeats_along(dim),)* }
            }

            /// See [`OpDef::result_names`].
            pub fn result_names(&self, view: &InstView<'_>) -> &'static [&'static str] {
                match self { $(Self::$name(op) => op.result_names(view),)* }
            }
        }
    };
}

mod check_eval;
pub mod collective;
mod collective_local;
pub mod conv_dims;
mod convolution_eval;
mod convolution_local;
mod custom_call_rule;
mod exchange;
mod fft_eval;
mod fold;
pub mod known_numbers;
mod lift;
pub(crate) mod linear_solve_eval;
pub(crate) mod local_code;
pub mod mesh_axes;
mod moving_window;
pub mod parts;
mod reduce_eval;
mod reduce_local;
mod reduce_window_eval;
mod reduce_window_local;
pub mod reducer;
mod reshape_rule;
mod rng_eval;
mod rng_numbers;
mod scatter_eval;
mod sdy_collective_verify;
mod sdy_manual_eval;
mod select_and_scatter_eval;
mod select_and_scatter_local;
pub mod slice_dims;
pub mod slice_factors;
mod slice_local;
mod sort_eval;
mod top_k_local;
pub mod window;
mod window_local;

ops! {
    all_gather::AllGather in Box,
    all_reduce::AllReduce in Box,
    all_to_all::AllToAll in Box,
    async_op::Async,
    batch_norm::BatchNorm,
    binary::Binary,
    bitcast_convert::BitcastConvert,
    branch::Branch,
    broadcast::Broadcast,
    broadcast_in_dim::BroadcastInDim,
    call::Call,
    check::Check in Box,
    chlo_binary::ChloBinary,
    chlo_broadcast::ChloBroadcast in Box,
    chlo_constant::ChloConstant in Box,
    chlo_scan::ChloScan in Box,
    chlo_unary::ChloUnary,
    clamp::Clamp,
    collective_broadcast::CollectiveBroadcast in Box,
    collective_permute::CollectivePermute in Box,
    collective_reduce::CollectiveReduce in Box,
    compare::Compare,
    complex::Complex,
    composite::Composite in Box,
    concatenate::Concatenate,
    constant::Constant in Box,
    convert::Convert,
    convolution::Convolution in Box,
    cross_replica_sum::CrossReplicaSum in Box,
    custom_call::CustomCall in Box,
    device_id::DeviceId,
    dot::Dot,
    dot_general::DotGeneral in Box,
    dynamic_slice::DynamicSlice,
    dynamic_update_slice::DynamicUpdateSlice,
    einsum::Einsum,
    feed::Feed in Box,
    fft::Fft,
    gather::Gather in Box,
    get_dimension_size::GetDimensionSize,
    interpreter_op::InterpreterOp in Box,
    iota::Iota,
    linear_solve::LinearSolve,
    manual_boundary::ManualBoundary,
    map::Map,
    optimization_barrier::OptimizationBarrier,
    pad::Pad in Box,
    ragged_dot::RaggedDot in Box,
    rearrange::Rearrange,
    reduce::Reduce,
    reduce_precision::ReducePrecision,
    reduce_scatter::ReduceScatter in Box,
    reduce_window::ReduceWindow in Box,
    reshape::Reshape,
    return_::Return,
    reverse::Reverse,
    rng::Rng,
    scatter::Scatter in Box,
    sdy_barrier::PropagationBarrier,
    sdy_collective::SdyCollective in Box,
    sdy_constant::SdyConstant in Box,
    sdy_constraint::ShardingConstraint in Box,
    sdy_edge::DataFlowEdge in Box,
    sdy_manual_computation::ManualComputation in Box,
    sdy_named_computation::NamedComputation in Box,
    sdy_sharding_group::ShardingGroup,
    select::Select,
    select_and_scatter::SelectAndScatter in Box,
    send_recv::SendRecv in Box,
    slice::Slice in Box,
    sort::Sort,
    token::Token,
    top_k::TopK,
    torch_index_select::TorchIndexSelect,
    transpose::Transpose,
    tuple::Tuple,
    unary::Unary,
    while_::While,
}
