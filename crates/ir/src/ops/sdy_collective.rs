//! The collectives of `sdy` (Shardy dialect, `CollectiveOpInterface`): a value unchanged, with another sharding that
//! devices reach by one kind of communication. They are global: types do not change, and the result's sharding is
//! written out.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Given, HoldsShardings, OpDef, ParsedInst, Propagation, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::OpShardingRule;
use crate::sdy::{AllToAllParam, AxisList, AxisLists, SdyAttr};
use crate::sharding::{AxisRefAttr, Reduction, ShardingAttr, resolve_axis};
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use meshwright_tensor::types::Type;

/// A collective.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SdyCollective {
    /// What happens to which axes.
    pub change: Change,
    /// The sharding of the result.
    pub out_sharding: ShardingAttr,
}

/// Changes of the axes that shard a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Per dim, axes that no longer shard it.
    AllGather(Vec<Vec<AxisRefAttr>>),
    /// Per dim, axes that shard it now.
    AllSlice(Vec<Vec<AxisRefAttr>>),
    /// Axes over which the value is no longer unreduced.
    AllReduce(Reduction, Vec<AxisRefAttr>),
    /// Per dim, axes over which the value is no longer unreduced and that shard the dim now.
    ReduceScatter(Reduction, Vec<Vec<AxisRefAttr>>),
    /// Axes that go from one dim to another.
    AllToAll(Vec<AllToAllParam>),
    /// Other axes of the same sizes.
    CollectivePermute,
    /// Per dim, axes that shard it no longer, and over which the value is unreduced now.
    ShardedToUnreduced(Vec<Vec<AxisRefAttr>>),
    /// Axes along which the value was replicated, and over which it is unreduced now.
    ReplicatedToUnreduced(Vec<AxisRefAttr>),
}

/// The reductions by their numbers in the generic form.
const REDUCTIONS: [Reduction; 3] = [Reduction::Sum, Reduction::Max, Reduction::Min];

impl Change {
    /// Name of the attribute that holds the axes.
    fn key(&self) -> &'static str {
        match self {
            Self::AllGather(_) => "gathering_axes",
            Self::AllSlice(_) => "slicing_axes",
            Self::AllReduce(..) => "reduction_axes",
            Self::ReduceScatter(..) => "reduce_scatter_axes",
            Self::AllToAll(_) => "params",
            Self::CollectivePermute => "",
            Self::ShardedToUnreduced(_) | Self::ReplicatedToUnreduced(_) => "axes",
        }
    }

    /// The change that `name` makes, without axes yet.
    fn of(name: &str) -> Self {
        match name {
            "sdy.all_gather" => Self::AllGather(Vec::new()),
            "sdy.all_slice" => Self::AllSlice(Vec::new()),
            "sdy.all_reduce" => Self::AllReduce(Reduction::Sum, Vec::new()),
            "sdy.reduce_scatter" => Self::ReduceScatter(Reduction::Sum, Vec::new()),
            "sdy.all_to_all" => Self::AllToAll(Vec::new()),
            "sdy.sharded_to_unreduced" => Self::ShardedToUnreduced(Vec::new()),
            "sdy.replicated_to_unreduced" => Self::ReplicatedToUnreduced(Vec::new()),
            _ => Self::CollectivePermute,
        }
    }

    /// Reduction that combines partial values, where one does.
    pub fn reduction(&self) -> Option<Reduction> {
        match self {
            Self::AllReduce(reduction, _) | Self::ReduceScatter(reduction, _) => Some(*reduction),
            _ => None,
        }
    }

    fn reduction_mut(&mut self) -> Option<&mut Reduction> {
        match self {
            Self::AllReduce(reduction, _) | Self::ReduceScatter(reduction, _) => Some(reduction),
            _ => None,
        }
    }

    /// The axes per dim, of those that have them.
    fn per_dim_mut(&mut self) -> Option<&mut Vec<Vec<AxisRefAttr>>> {
        match self {
            Self::AllGather(axes)
            | Self::AllSlice(axes)
            | Self::ReduceScatter(_, axes)
            | Self::ShardedToUnreduced(axes) => Some(axes),
            _ => None,
        }
    }

    /// The axes as an attribute.
    fn axes(&self) -> Option<SdyAttr> {
        match self {
            Self::AllGather(axes)
            | Self::AllSlice(axes)
            | Self::ReduceScatter(_, axes)
            | Self::ShardedToUnreduced(axes) => Some(SdyAttr::AxisRefLists(axes.clone())),
            Self::AllReduce(_, axes) | Self::ReplicatedToUnreduced(axes) => {
                Some(SdyAttr::AxisRefList(axes.clone()))
            }
            Self::AllToAll(params) => Some(SdyAttr::AllToAllParams(params.clone())),
            Self::CollectivePermute => None,
        }
    }
}

impl OpDef for SdyCollective {
    const NAMES: &'static [&'static str] = &[
        "sdy.all_gather",
        "sdy.all_slice",
        "sdy.all_reduce",
        "sdy.reduce_scatter",
        "sdy.all_to_all",
        "sdy.collective_permute",
        "sdy.sharded_to_unreduced",
        "sdy.replicated_to_unreduced",
    ];

    fn name(&self) -> &'static str {
        match self.change {
            Change::AllGather(_) => "sdy.all_gather",
            Change::AllSlice(_) => "sdy.all_slice",
            Change::AllReduce(..) => "sdy.all_reduce",
            Change::ReduceScatter(..) => "sdy.reduce_scatter",
            Change::AllToAll(_) => "sdy.all_to_all",
            Change::CollectivePermute => "sdy.collective_permute",
            Change::ShardedToUnreduced(_) => "sdy.sharded_to_unreduced",
            Change::ReplicatedToUnreduced(_) => "sdy.replicated_to_unreduced",
        }
    }

    /// `max [{"x"}, {}] %x out_sharding=<@mesh, [...]> : type`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let mut change = Change::of(name);
        if let Some(reduction) = change.reduction_mut() {
            *reduction = p.reduction_opt().unwrap_or(Reduction::Sum);
        }
        match &mut change {
            Change::AllToAll(params) => *params = p.all_to_all_params()?,
            Change::AllReduce(_, axes) | Change::ReplicatedToUnreduced(axes) => *axes = p.axis_list()?,
            other => {
                if let Some(axes) = other.per_dim_mut() {
                    *axes = p.axis_lists()?;
                }
            }
        }
        let operand = p.operand()?;
        p.field("out_sharding")?;
        let out_sharding = p.angled_sharding()?;
        let op = Self { change, out_sharding };
        Ending::Result.parse(p, op, vec![operand])
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let mut change = Change::of(name);
        if let Some(reduction) = change.reduction_mut() {
            let number = attributes.int_or("reduction_op", 0)?;
            let found = usize::try_from(number).ok().and_then(|number| REDUCTIONS.get(number));
            *reduction = *found.ok_or_else(|| format!("`reduction_op` should be 0, 1 or 2, not {number}"))?;
        }
        let key = change.key();
        if !key.is_empty() {
            let found = attributes.sdy(key)?;
            let wrong = || format!("`{key}` should list axes, found `{found}`");
            match (&mut change, &*found) {
                (Change::AllToAll(params), SdyAttr::AllToAllParams(list)) => params.clone_from(list),
                (
                    Change::AllReduce(_, axes) | Change::ReplicatedToUnreduced(axes),
                    SdyAttr::AxisRefList(list),
                ) => axes.clone_from(list),
                (other, SdyAttr::AxisRefLists(lists)) => {
                    other.per_dim_mut().ok_or_else(wrong)?.clone_from(lists);
                }
                _ => return Err(wrong()),
            }
        }
        Ok(Self { change, out_sharding: attributes.sharding("out_sharding")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("out_sharding", Attr::Sharding(self.out_sharding.clone()));
        if let Some(axes) = self.change.axes() {
            attributes.set(self.change.key(), Attr::Sdy(axes.into()));
        }
        let number = REDUCTIONS.iter().position(|reduction| Some(*reduction) == self.change.reduction());
        if let Some(number) = number.filter(|number| *number > 0) {
            attributes.set("reduction_op", Attr::i32(number as i32));
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        if let Some(reduction) = self.change.reduction().filter(|reduction| *reduction != Reduction::Sum) {
            p.text(&format!(" {}", reduction.name()));
        }
        match &self.change {
            Change::AllGather(axes)
            | Change::AllSlice(axes)
            | Change::ReduceScatter(_, axes)
            | Change::ShardedToUnreduced(axes) => p.text(&format!(" {}", AxisLists(axes))),
            Change::AllReduce(_, axes) | Change::ReplicatedToUnreduced(axes) => {
                p.text(&format!(" {}", AxisList(axes)));
            }
            Change::AllToAll(params) => {
                p.text(" ");
                p.list(params);
            }
            Change::CollectivePermute => {}
        }
        p.operands();
        p.text(&format!(" out_sharding=<{}>", self.out_sharding));
        Ending::Result.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.identity(view);
        violations.all_tensors(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        super::sdy_collective_verify::verify(self, view, scope, violations);
    }

    fn shardings(&self) -> Option<&dyn HoldsShardings> {
        Some(self)
    }

    fn shardings_mut(&mut self) -> Option<&mut dyn HoldsShardings> {
        Some(self)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    /// Shardy lets nothing pass: it is there to change a sharding.
    fn propagation_rule(&self, _: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        None
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(inputs)
    }

    /// The operand is already sharded as the result; the compiler chose its own way there. An all-reduce that stands in
    /// the program of the whole (see `sdy/contributions.rs`) combines the devices' copies.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        match &self.change {
            Change::AllReduce(reduction, axes) => {
                let pieces = axes.iter().flat_map(|axis| resolve_axis(axis, cx.mesh).unwrap_or_default());
                vec![b.all_reduce(cx.operands[0], &pieces.collect::<Vec<_>>(), *reduction)]
            }
            _ => cx.operands.to_vec(),
        }
    }
}

impl HoldsShardings for SdyCollective {
    fn result(&self, _: usize) -> Option<&ShardingAttr> {
        Some(&self.out_sharding)
    }

    fn all_mut(&mut self) -> Vec<&mut ShardingAttr> {
        vec![&mut self.out_sharding]
    }

    fn set_result(&mut self, _: usize, _: &[usize], sharding: ShardingAttr) -> bool {
        self.out_sharding = sharding;
        true
    }
}
