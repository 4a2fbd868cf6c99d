//! Ops: everything the compiler knows of one op is behind [`OpDef`], in the op's own file under `ops/`.
//!
//! [`Op`] is an enum over those files' structs, filled by the list in `ops/mod.rs`, so that ops can be compared,
//! hashed and matched. Nothing outside an op's file should need to match on it: the sharding rule, the cost and the
//! local form say what the rest of the compiler asks.

mod given;
mod products;
mod reading;
mod violations;

use crate::arguments::Placement;
use crate::attribute::Attributes;
use crate::eval::Context;
use crate::expand::{self, Expansion};
use crate::ids::{RegionId, ValueId};
use crate::kernel_shape::KernelShape;
use crate::local::{LocalBuilder, Localize};
use crate::ops::collective::Participants;
use crate::ops::local_code::masked_operands;
use crate::ops::rearrange::Rearrange;
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::RuleBuilder;
use crate::sharding::{Reduction, ShardingAttr};
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::Type;

pub use crate::ops::{Op, READERS};
pub use given::Given;
pub use products::{Accuracy, Factor};
pub use reading::{AttrReader, OpReader, ParsedInst};
pub use violations::Violations;

/// How values pass through an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataFlow {
    /// Only as its sharding rule says.
    None,
    /// Result i is operand i.
    Identity,
    /// Operand i, argument i of each region, what the last region returns as value i, and result i are one value.
    Loop,
    /// Result i is what one of the regions returns as value i.
    Branches,
    /// Argument i of the region is operand i, result i what it returns as value i.
    Region,
}

/// When shardings spread through an op, next to others: first through what keeps all dims, last out of a broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spreading {
    /// At first, both ways; the op is elementwise.
    Elementwise,
    /// At first, both ways; the op only arranges elements anew.
    PassThrough,
    /// At first, from operands to results only.
    Forward,
    /// Later; from operands to results at the very last.
    Expanding,
    /// Later.
    Other,
}

/// How far shardings are to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Propagation {
    /// As far as they can, even where data then has to move.
    #[default]
    Full,
    /// Not to where dims would not divide or data would have to move.
    Conservative,
}

/// What one op is. Implemented once per op (or family of like ops).
pub trait OpDef: Sized + Clone {
    /// The full names this file reads, such as `stablehlo.add`.
    const NAMES: &'static [&'static str];

    /// The full name.
    fn name(&self) -> &'static str;

    /// Reads the pretty form; the parser stands behind the op's name. Default: there is none.
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        p.only_generic(name)
    }

    /// Takes what belongs to the op out of the attributes of its generic form.
    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String>;

    /// The op's own attributes as the generic form spells them. `from_attributes` reads them back. Default: none.
    fn attributes(&self, view: &InstView<'_>) -> Attributes {
        let _ = view;
        Attributes::new()
    }

    /// Writes the pretty form behind the op's name, with `p.attributes()` where other attributes stand.
    /// Returns false, having written nothing, if this op has only the generic form, as is the default.
    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let _ = (view, p);
        false
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

    /// The sharding that the op itself gives to a result.
    fn result_sharding(&self, index: usize) -> Option<&ShardingAttr> {
        let _ = index;
        None
    }

    /// The sharding that the op itself gives to an argument of its region.
    fn argument_sharding(&self, index: usize) -> Option<ShardingAttr> {
        let _ = index;
        None
    }

    /// What computes the same and says nothing of shardings, of an op that is there for shardings only.
    fn without_sharding(&self) -> Option<Op> {
        None
    }

    /// All shardings that the op itself holds, to be changed.
    fn shardings_mut(&mut self) -> Vec<&mut ShardingAttr> {
        Vec::new()
    }

    /// Gives a result a sharding, if the op itself holds those of its results; false if it does not. Where it has to
    /// begin a list of them, the others are open, `ranks` being the ranks of all results.
    fn set_result_sharding(&mut self, index: usize, ranks: &[usize], sharding: ShardingAttr) -> bool {
        let _ = (index, ranks, sharding);
        false
    }

    /// The same for an argument of its region.
    fn set_argument_sharding(&mut self, index: usize, ranks: &[usize], sharding: ShardingAttr) -> bool {
        let _ = (index, ranks, sharding);
        false
    }

    /// Mesh axes along which its region is the program of one device.
    fn manual_axes(&self) -> &[String] {
        &[]
    }

    /// Why the compiler cannot spread the op over devices yet; `None` if it can.
    fn refusal(&self) -> Option<&'static str> {
        None
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
    /// Default: one per result element.
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let _ = operands;
        results.iter().filter_map(Type::as_tensor).map(|tensor| tensor.num_elements() as f64).sum()
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

    /// The kernel as which it runs, by the types of its operands and results. Default: elementwise if the op is, a
    /// collective if it is one, else by what it takes: no operations are a move, no bytes either are nothing at all.
    fn kernel(&self, operands: &[Type], results: &[Type]) -> KernelShape {
        if self.is_elementwise() {
            return KernelShape::Elementwise;
        }
        if self.is_collective() {
            return KernelShape::Collective;
        }
        KernelShape::of_figures(self.flops(operands, results), self.bytes(operands, results))
    }

    /// Whether it may stand for other ops, which [`OpDef::expand`] then writes out.
    fn is_short_form(&self) -> bool {
        false
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

    /// Computes the results. `inputs` fit the operand types. Default: what it stands for, if it is a short form.
    fn evaluate(
        &self,
        view: &InstView<'_>,
        inputs: Vec<Tensor>,
        cx: &mut dyn Context,
    ) -> Result<Vec<Tensor>, EvalError> {
        if self.is_short_form() {
            return expand::evaluate(view, inputs, cx, |operands, e| self.expand(view, operands, e));
        }
        Err(EvalError::new(format!("`{}` is not evaluated", self.name())))
    }

    /// Emits the local form and returns its results. Partial results stay partial: the caller reduces them over
    /// [`crate::rule::Strategy::partial`]. Default: the same op on local operands, what is reduced along a padded factor
    /// masked before; right whenever no attribute holds a size and every sharded factor is passed through or reduced.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId>
    where
        Op: From<Self>,
    {
        let regions: Vec<RegionId> =
            (0..cx.view.inst.regions.len()).map(|index| b.copy_region(&cx.view, index)).collect();
        let operands = masked_operands(cx, b);
        b.emit(self.clone().into(), &operands, &regions, cx.result_types.to_vec())
    }

    /// Whether the op's regions take and return whole values that it carries (loops), operand `i`, region arguments
    /// `i` and result `i` being one value; otherwise they are functions of single elements (reducers).
    fn carries_values(&self) -> bool {
        false
    }

    /// How values pass through its regions, or through it as they are.
    fn data_flow(&self) -> DataFlow {
        DataFlow::None
    }

    /// When and which way shardings spread through it, next to other ops.
    fn spreading(&self, view: &InstView<'_>) -> Spreading {
        let _ = view;
        if self.is_elementwise() { Spreading::Elementwise } else { Spreading::Other }
    }

    /// The rule by which Shardy propagates through a verified instruction; `None` if shardings do not pass it. Where
    /// `mode` is conservative, factors along which data would move are left out or blocked. Default: that of
    /// [`OpDef::rule`], if some dim can be sharded.
    fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule> {
        let _ = mode;
        if self.is_elementwise() {
            return RuleBuilder::elementwise(view);
        }
        RuleBuilder::of_rule(view, &self.rule(view))
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

    /// Whether it runs its only callee on its operands and gives what that returns.
    fn is_call(&self) -> bool {
        false
    }

    /// Whether each element of its results depends on the elements at the same place of its operands alone, in the
    /// same way for every shape: `evaluate` then takes operands of any one shape, whatever the types say.
    fn is_elementwise(&self) -> bool {
        false
    }

    /// Whether it does more than compute its results, so that it must stay where it is even if nobody reads them.
    fn has_side_effects(&self) -> bool {
        false
    }

    /// Whether its local form may send data itself, so that its cost is more than that of bringing operands and
    /// results to the shardings of its strategy.
    fn exchanges(&self, view: &InstView<'_>) -> bool {
        let _ = view;
        false
    }

    /// Whether it moves data between devices.
    fn is_collective(&self) -> bool {
        false
    }

    /// The operands in each of which the (only) result is linear when the others are held fixed, and in which a sum
    /// over devices may therefore be taken after the op as well as before it. Whether the types of elements allow that
    /// is asked besides ([`Reduction::survives`]).
    fn linear_operands(&self, view: &InstView<'_>) -> &'static [usize] {
        let _ = view;
        &[]
    }

    /// Whether finite numbers in a linear operand give finite numbers, rounding aside, as far as the other operands are
    /// known. A product of tensors is taken to: it adds up terms in any order anyway.
    fn keeps_finite(&self, view: &InstView<'_>, operand: usize) -> bool {
        let _ = (view, operand);
        true
    }

    /// Preferred name of an argument of a region, as MLIR's printer chooses it (`iterArg`); `None`: numbered.
    fn arg_name(&self, view: &InstView<'_>, region: usize, arg: usize) -> Option<&'static str> {
        let _ = (view, region, arg);
        None
    }

    /// The operands that may all be contributions at once to a sum, a maximum and so on over devices: contributions to
    /// all of them make a contribution to the (only) result. Whether the types of elements allow that is asked besides
    /// ([`Reduction::survives`]). Default: none.
    fn contributions(&self, view: &InstView<'_>, reduction: Reduction) -> Vec<usize> {
        let _ = (view, reduction);
        Vec::new()
    }

    /// If all it does is to put parts of its operands side by side along one dim: as the rearrangement that does so.
    fn as_rearrangement(&self, view: &InstView<'_>) -> Option<Rearrange> {
        let _ = view;
        None
    }

    /// Whether dim i of each result comes from dim i of the operands of its rank, whichever positions it takes or puts:
    /// on local operands, whose dims need not be whole, such a dim still is what it was.
    fn keeps_dims(&self) -> bool {
        false
    }

    /// Whether it does the same at all positions of a dim of its first result: where all elements of the operands along
    /// the dim are equal, those of the result are.
    fn is_alike_along(&self, dim: usize) -> bool {
        let _ = dim;
        true
    }

    /// What to do, in words, where a dim of an operand is sharded that the op needs whole.
    fn hint_if_whole(&self, view: &InstView<'_>, operand: usize, dim: usize) -> &'static str {
        let _ = (view, operand, dim);
        "shard another dim of the operand, if it has one that the operation leaves alone"
    }

    /// Whether all elements along a dim of its results are equal, if no operand has the dim.
    fn repeats_along(&self, dim: usize) -> bool {
        let _ = dim;
        false
    }

    /// Preferred result names, as MLIR's printer chooses them (`cst`, `c`); empty: numbered.
    fn result_names(&self, view: &InstView<'_>) -> &'static [&'static str] {
        let _ = view;
        &[]
    }
}
