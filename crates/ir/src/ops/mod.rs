//! One file per op, or per family of like ops. The list below is the only other line to touch when adding one.

use self::collective::Participants;
use crate::arguments::Placement;
use crate::attribute::Attributes;
use crate::eval::{Evaluated, Evaluation};
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::kernel_shape::KernelShape;
use crate::local::{LocalBuilder, Localize};
use crate::op::{
    Accuracy, Along, DataFlow, Given, HoldsShardings, Linearity, OpDef, OpPriority, OpReader, OpTraits,
    Propagation, Violations,
};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::OpShardingRule;
use crate::sharding::{Reduction, ShardingAttr};
use crate::text::OpPrinter;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::minifloat::MiniFloat;
use meshwright_tensor::types::Type;

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

        /// Readers of each op's text, one list per file.
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

        /// A value of each op's own type, for an expression that is the same for all.
        macro_rules! of_each {
            ($of:expr, $op:ident => $value:expr) => {
                match $of { $(Op::$name($op) => $value,)* }
            };
        }
    };
}

mod bessel_vjp;
mod check_eval;
pub mod collective;
pub(crate) mod collective_local;
pub mod conv_dims;
mod convolution_eval;
mod convolution_local;
mod convolution_vjp;
mod custom_call_rule;
mod family;
mod fft_eval;
mod fold_reducer;
mod folds;
mod gather_vjp;
mod halo;
pub mod integer_ranges;
pub(crate) mod linear_solve_eval;
pub(crate) mod linear_solve_vjp;
pub(crate) mod local_code;
pub mod mesh_axes;
mod moving_window;
mod reduce_eval;
mod reduce_local;
mod reduce_vjp;
mod reduce_window_eval;
mod reduce_window_local;
mod reduce_window_vjp;
pub mod reducer;
mod reshape_rule;
mod rng_eval;
mod rng_numbers;
mod scatter_eval;
mod scatter_vjp;
mod sdy_collective_verify;
mod sdy_manual_eval;
mod sdy_region;
mod select_and_scatter_eval;
mod select_and_scatter_local;
mod select_and_scatter_vjp;
mod selective_scan_loops;
pub mod shard_pieces;
pub mod slice_dims;
pub mod slice_factors;
mod slice_local;
mod sort_eval;
mod sort_vjp;
mod top_k_local;
mod vectorize_region;
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
    scaled_dot::ScaledDot in Box,
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
    selective_scan::SelectiveScan,
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

/// Methods of [`Op`] that are those of the op it is.
macro_rules! forward {
    ($(fn $method:ident(&self $(, $arg:ident: $ty:ty)*) $(-> $result:ty)?;)*) => {
        impl Op {
            $(
                #[doc = concat!("See [`OpDef::", stringify!($method), "`].")]
                pub fn $method(&self $(, $arg: $ty)*) $(-> $result)? {
                    of_each!(self, op => op.$method($($arg),*))
                }
            )*
        }
    };
}

forward! {
    fn name(&self) -> &'static str;
    fn attributes(&self, view: &InstView<'_>) -> Attributes;
    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool;
    fn traits(&self) -> OpTraits;
    fn verify(&self, view: &InstView<'_>, violations: &mut Violations);
    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>>;
    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations);
    fn shardings(&self) -> Option<&dyn HoldsShardings>;
    fn without_sharding(&self) -> Option<Op>;
    fn manual_axes(&self) -> &[String];
    fn unknown_kernel(&self, view: &InstView<'_>) -> Option<&str>;
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64;
    fn accuracy(&self) -> Option<Accuracy>;
    fn placement(&self, view: &InstView<'_>) -> Option<Placement>;
    fn bytes(&self, operands: &[Type], results: &[Type]) -> f64;
    fn read_bytes(&self, index: usize, operands: &[Type], results: &[Type]) -> f64;
    fn written_over(&self, num_operands: usize) -> usize;
    fn kernel(&self, operands: &[Type], results: &[Type]) -> KernelShape;
    fn expand(&self, view: &InstView<'_>, operands: &[ValueId], e: &mut Expansion<'_, '_>) -> Option<Vec<ValueId>>;
    fn evaluate(&self, evaluation: Evaluation<'_>) -> Evaluated;
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId>;
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated;
    fn op_priority(&self, view: &InstView<'_>) -> OpPriority;
    fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule>;
    fn participants(&self) -> Option<&Participants>;
    fn callees(&self) -> Vec<&str>;
    fn exchanges(&self, view: &InstView<'_>) -> bool;
    fn as_rearrangement(&self, view: &InstView<'_>) -> Option<rearrange::Rearrange>;
    fn along(&self, dim: usize) -> Along;
    fn hint_if_whole(&self, view: &InstView<'_>, operand: usize, dim: usize) -> &'static str;
    fn arg_name(&self, arg: usize) -> Option<&'static str>;
    fn result_names(&self) -> &'static [&'static str];
}

impl Op {
    /// See [`OpDef::shardings_mut`].
    pub fn shardings_mut(&mut self) -> Option<&mut dyn HoldsShardings> {
        of_each!(self, op => op.shardings_mut())
    }

    /// See [`OpDef::participants_mut`].
    pub fn participants_mut(&mut self) -> Option<&mut Participants> {
        of_each!(self, op => op.participants_mut())
    }

    /// See [`OpDef::rule`]. What a rule that the user gave wants whole is needed whole; one that says of the
    /// op what is said anyway, as dumps of rules do, wants nothing. What leaves a sum of elements of a type
    /// without zero is needed whole too: nobody could contribute nothing.
    pub fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut own = of_each!(self, op => op.rule(view));
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
        match OpShardingRule::from_attributes(&view.inst.attributes) {
            Some(given) if !is_own(given) => own.whole_where(given),
            _ => own,
        }
    }

    /// See [`OpDef::linearity`]; what the types of elements do not allow is left out.
    pub fn linearity(&self, view: &InstView<'_>, reduction: Reduction) -> Linearity {
        of_each!(self, op => op.linearity(view, reduction)).for_types(view, reduction)
    }

    /// The sharding that the op itself gives to a result.
    pub fn result_sharding(&self, index: usize) -> Option<&ShardingAttr> {
        self.shardings()?.result(index)
    }

    /// The sharding that the op itself gives to an argument of its region.
    pub fn argument_sharding(&self, index: usize) -> Option<ShardingAttr> {
        self.shardings()?.argument(index)
    }

    /// See [`OpTraits::data_flow`].
    pub fn data_flow(&self) -> DataFlow {
        self.traits().data_flow
    }

    /// Returns whether the op is a loop: its regions take and return whole values that it carries, operand `i`, region
    /// arguments `i` and result `i` being one value.
    pub fn carries_values(&self) -> bool {
        self.traits().data_flow == DataFlow::Loop
    }

    /// See [`OpTraits::is_call`].
    pub fn is_call(&self) -> bool {
        self.traits().is_call
    }

    /// See [`OpTraits::is_elementwise`].
    pub fn is_elementwise(&self) -> bool {
        self.traits().is_elementwise
    }

    /// See [`OpTraits::is_short_form`].
    pub fn is_short_form(&self) -> bool {
        self.traits().is_short_form
    }

    /// See [`OpTraits::is_collective`].
    pub fn is_collective(&self) -> bool {
        self.traits().is_collective
    }

    /// See [`OpTraits::has_side_effects`].
    pub fn has_side_effects(&self) -> bool {
        self.traits().has_side_effects
    }
}
