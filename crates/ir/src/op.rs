//! Ops: everything the compiler knows of one op is behind [`OpDef`], in the op's own file under `ops/`.
//!
//! [`Op`] is an enum over those files' structs, filled by the list in `ops/mod.rs`, so that ops can be compared,
//! hashed and matched. Nothing outside an op's file should need to match on it: the sharding rule, the cost and the
//! local form say what the rest of the compiler asks.

mod given;
mod holds_shardings;
mod linearity;
mod products;
mod reading;
mod traits;
mod violations;

use crate::arguments::Placement;
use crate::attribute::Attributes;
use crate::eval::{Evaluated, Evaluation};
use crate::expand::{self, Expansion};
use crate::ids::{RegionId, ValueId};
use crate::kernel_shape::KernelShape;
use crate::local::{LocalBuilder, Localize};
use crate::ops::collective::Participants;
use crate::ops::collective_local;
use crate::ops::local_code::masked_operands;
use crate::ops::rearrange::Rearrange;
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::RuleBuilder;
use crate::sharding::Reduction;
use crate::text::{Format, OpPrinter, Parsed, Parser};
use crate::vjp::{self, Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::Type;

pub use crate::ops::{Op, READERS};
pub use given::Given;
pub use holds_shardings::HoldsShardings;
pub use linearity::Linearity;
pub use products::{Accuracy, Factor};
pub use reading::{AttrReader, OpReader, ParsedInst};
pub use traits::{Along, DataFlow, Fusing, OpPriority, OpTraits};
pub use violations::Violations;

/// Extent of propagation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Propagation {
    /// As far as they can, even where data then has to move.
    #[default]
    Full,
    /// Not to where dims would not divide or data would have to move.
    Conservative,
}

/// Definition of one op. Implemented once per op (or family of like ops).
pub trait OpDef: Sized + Clone {
    /// The full names this file reads, such as `stablehlo.add`.
    const NAMES: &'static [&'static str];

    /// The pretty form, if it is one that ops share. Default: it is not.
    const FORMAT: Option<Format> = None;

    /// The names of those that have no derivative, if others in the file have one. Default: none.
    const WITHOUT_DERIVATIVE: &'static [&'static str] = &[];

    /// The full name. Default: the first of [`OpDef::NAMES`], which has to be the only one then.
    fn name(&self) -> &'static str {
        Self::NAMES[0]
    }

    /// Reads the pretty form; the parser stands behind the op's name. Default: [`OpDef::FORMAT`], if there is one.
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst>
    where
        Op: From<Self>,
    {
        match Self::FORMAT {
            Some(format) => format.parse(p, name, Self::from_attributes),
            None => p.only_generic(name),
        }
    }

    /// Takes what belongs to the op out of the attributes of its generic form.
    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String>;

    /// The op's own attributes as the generic form spells them. `from_attributes` reads them back. Default: none.
    fn attributes(&self, view: &InstView<'_>) -> Attributes {
        let _ = view;
        Attributes::new()
    }

    /// Writes the pretty form behind the op's name, with `p.attributes()` where other attributes stand.
    /// Returns false, having written nothing, if this op has only the generic form. Default: [`OpDef::FORMAT`].
    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        if let Some(format) = Self::FORMAT {
            format.print(view, p);
        }
        Self::FORMAT.is_some()
    }

    /// What holds of the op whatever its operands are. Default: nothing in particular.
    fn traits(&self) -> OpTraits {
        OpTraits::NONE
    }

    /// Checks operand and result types, attributes and regions against the specification.
    fn verify(&self, view: &InstView<'_>, violations: &mut Violations);

    /// The types of the results, from those of the operands and of what the regions return; `None` where these leave
    /// them open (a `reshape`, a custom call). What it gives obeys [`OpDef::verify`] if anything does, so that `verify`
    /// may compare with it ([`Violations::inferred`]).
    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let _ = given;
        None
    }

    /// Checks what depends on where the instruction stands: symbols, meshes, shardings of operands.
    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        let _ = (view, scope, violations);
    }

    /// The shardings that the op itself holds, if it may hold any.
    fn shardings(&self) -> Option<&dyn HoldsShardings> {
        None
    }

    /// The same, to be changed.
    fn shardings_mut(&mut self) -> Option<&mut dyn HoldsShardings> {
        None
    }

    /// What computes the same and says nothing of shardings, of an op that is there for shardings only.
    fn without_sharding(&self) -> Option<Op> {
        None
    }

    /// Mesh axes along which its region is the program of one device.
    fn manual_axes(&self) -> &[String] {
        &[]
    }

    /// The sharding rule of a verified instruction. Default: every device needs all of it.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::replicated(view.operand_types(), view.result_types())
    }

    /// The kernel that it runs, if the evaluator has no reference for it.
    fn unknown_kernel(&self, view: &InstView<'_>) -> Option<&str> {
        let _ = view;
        None
    }

    /// Floating-point (or integer) operations of one execution, by the types of its operands and results.
    /// Default: one per result element of what is elementwise or a short form; none of what moves elements.
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let _ = operands;
        let traits = self.traits();
        if traits.is_elementwise || traits.is_short_form { one_per_element(results) } else { 0.0 }
    }

    /// How accurately it multiplies, if it is a product of its first two operands. Default: it is none.
    fn accuracy(&self) -> Option<Accuracy> {
        None
    }

    /// The memory to which it moves its (only) operand. Default: it moves nothing.
    fn placement(&self, view: &InstView<'_>) -> Option<Placement> {
        let _ = view;
        None
    }

    /// Bytes read and written by one execution. Default: all operands and results once. Zero for what only relabels.
    fn bytes(&self, operands: &[Type], results: &[Type]) -> f64 {
        operands.iter().chain(results).map(|ty| ty.num_bytes() as f64).sum()
    }

    /// Bytes of those that one execution reads of an operand that lies in memory. Default: all of it.
    fn read_bytes(&self, index: usize, operands: &[Type], results: &[Type]) -> f64 {
        let _ = results;
        operands[index].num_bytes() as f64
    }

    /// How many of its operands, the first ones, its results may be written over in place. Default: none.
    fn written_over(&self, num_operands: usize) -> usize {
        let _ = num_operands;
        0
    }

    /// The kernel as which it runs, by the types of its operands and results. Default: elementwise if the op is, a
    /// collective if it is one, else by what it takes: no operations are a move, no bytes either are nothing at all.
    fn kernel(&self, operands: &[Type], results: &[Type]) -> KernelShape {
        if self.traits().is_elementwise {
            return KernelShape::Elementwise;
        }
        if self.traits().is_collective {
            return KernelShape::Collective;
        }
        KernelShape::of_figures(self.flops(operands, results), self.bytes(operands, results))
    }

    /// Writes out what a verified instruction stands for, on values of the operands' types, and returns the results.
    /// `None`, or something that does not obey the specification: this one stands for itself. Where no [`OpDef::evaluate`] is given, it is evaluated by this.
    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let _ = (view, operands, e);
        None
    }

    /// Computes the results. Default: those of what it stands for, if it is a short form.
    fn evaluate(&self, evaluation: Evaluation<'_>) -> Evaluated {
        if self.traits().is_short_form {
            let view = evaluation.view;
            return expand::evaluate(evaluation, |operands, e| self.expand(view, operands, e));
        }
        Err(EvalError::new(format!("`{}` is not evaluated", self.name())))
    }

    /// Emits the local form and returns its results. Partial results stay partial: the caller reduces them over
    /// [`crate::rule::Strategy::partial`]. Default: the same op on local operands, what is reduced along a padded factor
    /// masked before; right whenever no attribute holds a size and every sharded factor is passed through or reduced. Of a
    /// collective: the same among the same devices.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId>
    where
        Op: From<Self>,
    {
        if self.traits().is_collective {
            return collective_local::localize(self.clone().into(), cx, b);
        }
        let regions: Vec<RegionId> =
            (0..cx.view.inst.regions.len()).map(|index| b.copy_region(&cx.view, index)).collect();
        let operands = masked_operands(cx, b);
        b.emit(self.clone().into(), &operands, &regions, cx.result_types.to_vec())
    }

    /// Writes down the backward pass of an instruction of which a result has a cotangent, and gives the cotangents of
    /// operands. Not asked of what values flow through (loops, branches). Default: it has no derivative.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let _ = v;
        vjp::none_because("has no derivative")
    }

    /// When and which way shardings propagate through it, next to other ops.
    fn op_priority(&self, view: &InstView<'_>) -> OpPriority {
        let _ = view;
        if self.traits().is_elementwise { OpPriority::Elementwise } else { OpPriority::Other }
    }

    /// The rule by which Shardy propagates through a verified instruction; `None` if shardings do not pass it. Where
    /// `mode` is conservative, factors along which data would move are left out or blocked. Default: that of
    /// [`OpDef::rule`], between the operands and results of what no values flow through anyway; written out only where
    /// Shardy's has other factors.
    fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule> {
        let has_sides = view.num_operands() > 0 && !view.inst.results.is_empty();
        if !has_sides || self.traits().data_flow != DataFlow::None {
            return None;
        }
        RuleBuilder::of_rule(view, &self.rule(view), mode)
    }

    /// Who takes part in the collective over groups that it is.
    fn participants(&self) -> Option<&Participants> {
        None
    }

    /// The same, to be changed.
    fn participants_mut(&mut self) -> Option<&mut Participants> {
        None
    }

    /// The functions that it may run.
    fn callees(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Whether its local form may send data itself, so that its cost is more than that of bringing operands and
    /// results to the shardings of its strategy.
    fn exchanges(&self, view: &InstView<'_>) -> bool {
        let _ = view;
        false
    }

    /// The operands that may be contributions to a sum, a maximum and so on over devices, which then may be taken after
    /// the op as well as before it. Whether the types of elements allow that is asked besides
    /// ([`Reduction::survives`]). Default: none.
    fn linearity(&self, view: &InstView<'_>, reduction: Reduction) -> Linearity {
        let _ = (view, reduction);
        Linearity::default()
    }

    /// Preferred name of an argument of a region, as MLIR's printer chooses it (`iterArg`); `None`: numbered.
    fn arg_name(&self, arg: usize) -> Option<&'static str> {
        let _ = arg;
        None
    }

    /// If all it does is to put parts of its operands side by side along one dim: as the rearrangement that does so.
    fn as_rearrangement(&self, view: &InstView<'_>) -> Option<Rearrange> {
        let _ = view;
        None
    }

    /// Variation of its first result along a dim, which is that of the operands for most.
    fn along(&self, dim: usize) -> Along {
        let _ = dim;
        Along::AsOperands
    }

    /// What to do, in words, where a dim of an operand is sharded that the op needs whole.
    fn hint_if_whole(&self, view: &InstView<'_>, operand: usize, dim: usize) -> &'static str {
        let _ = (view, operand, dim);
        "shard another dim of the operand, if it has one that the operation leaves alone"
    }

    /// Preferred result names, as MLIR's printer chooses them (`cst`, `c`); empty: numbered.
    fn result_names(&self) -> &'static [&'static str] {
        &[]
    }
}

/// Number of elements of all results: the operations of what computes each of them at once.
pub(crate) fn one_per_element(results: &[Type]) -> f64 {
    results.iter().filter_map(Type::as_tensor).map(|tensor| tensor.num_elements() as f64).sum()
}
