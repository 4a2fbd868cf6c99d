//! The sharding of every value and the strategy of every instruction of one function (calls inlined).
//!
//! An instruction reads its operands as its strategy asks (`Strategy::operand_sharding`), whatever sharding they are
//! kept in; what it computes (`Strategy::result_sharding`, possibly partial) is brought to the sharding of the result
//! value. Both steps are reshards, priced and emitted by the same planner. An instruction with inner regions that
//! carry values (`while`) has no strategy of its own: each carried value's operand is brought to the sharding of the
//! region argument, and so is what the body returns; results, condition arguments and body arguments are sharded
//! alike. What a branch returns is brought to the sharding of the conditional's result. A value that is kept partial is
//! combined where it is read, unless its reader passes contributions on (`partial`).

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::{Body, Function, InstView, Regions};
use meshwright_ir::rule::{ShardingRule, Strategy};
use meshwright_ir::sharding::Sharding;
use meshwright_tensor::types::Type;

use crate::Policies;

/// Shardings and strategies of one function over a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shardings {
    /// The mesh.
    pub mesh: Mesh,
    /// How each value is kept between the instruction that defines it and those that read it.
    pub values: Table<ValueId, Sharding>,
    /// How each instruction is computed. Instructions inside regions of single elements (reducers) have no factors.
    pub strategies: Table<InstId, Strategy>,
    /// The axes over which each instruction passes contributions to a sum on although its result is not kept as one: it
    /// is combined as soon as it is made.
    pub deferred: Table<InstId, AxisSet>,
    /// How each result of the function leaves it.
    pub results: Vec<Sharding>,
    /// How copies of values in other shardings come to their readers.
    pub policies: Policies,
}

impl Shardings {
    /// Everything replicated.
    pub fn replicated(function: &Function, mesh: Mesh) -> Self {
        let body = &function.body;
        let strategies = body.insts.ids().map(|inst| replicated(&body.view(inst))).collect();
        Self::with_strategies(function, mesh, strategies)
    }

    /// The same where the sharding rules of the instructions are known.
    pub fn replicated_by<'r>(
        function: &Function,
        mesh: Mesh,
        rule: impl Fn(InstId) -> &'r ShardingRule,
    ) -> Self {
        let strategies = function.body.insts.ids().map(|inst| Strategy::replicated(rule(inst))).collect();
        Self::with_strategies(function, mesh, strategies)
    }

    /// Whole values, made as these strategies, which shard nothing, say.
    fn with_strategies(function: &Function, mesh: Mesh, strategies: Table<InstId, Strategy>) -> Self {
        let body = &function.body;
        Self {
            mesh,
            values: body.values.values().map(|value| Sharding::replicated(rank(&value.ty))).collect(),
            strategies,
            deferred: Table::filled(AxisSet::EMPTY, body.insts.len()),
            results: function.result_types.iter().map(|ty| Sharding::replicated(rank(ty))).collect(),
            policies: Policies::default(),
        }
    }

    /// The same of a function that has some of the values and instructions, each pair the number there and the one here; all
    /// else is replicated there.
    #[must_use]
    pub fn carried_over(
        &self,
        to: &Function,
        values: impl IntoIterator<Item = (ValueId, ValueId)>,
        insts: impl IntoIterator<Item = (InstId, InstId)>,
    ) -> Self {
        let body = &to.body;
        let mut value_here: Table<ValueId, Option<ValueId>> = Table::filled(None, body.values.len());
        values.into_iter().for_each(|(there, here)| value_here[there] = Some(here));
        let mut inst_here: Table<InstId, Option<InstId>> = Table::filled(None, body.insts.len());
        insts.into_iter().for_each(|(there, here)| inst_here[there] = Some(here));
        let value = |(there, here): (ValueId, &Option<ValueId>)| match here {
            Some(here) => self.values[*here].clone(),
            None => Sharding::replicated(rank(body.ty(there))),
        };
        let strategy = |(there, here): (InstId, &Option<InstId>)| match here {
            Some(here) => self.strategies[*here].clone(),
            None => replicated(&body.view(there)),
        };
        Self {
            mesh: self.mesh.clone(),
            values: value_here.iter().map(value).collect(),
            strategies: inst_here.iter().map(strategy).collect(),
            deferred: inst_here
                .values()
                .map(|here| here.map_or(AxisSet::EMPTY, |here| self.deferred[here]))
                .collect(),
            results: to.result_types.iter().map(|ty| Sharding::replicated(rank(ty))).collect(),
            policies: Policies::default(),
        }
    }

    /// Checks that every value has a sharding of its rank, every instruction a legal strategy, and that carried
    /// values agree. Returns what is wrong, in words.
    pub fn verify(&self, function: &Function) -> Vec<String> {
        let body = &function.body;
        let mut problems = Vec::new();
        for (id, value) in body.values.iter() {
            let Some(tensor) = value.ty.as_tensor() else { continue };
            let sharding = &self.values[id];
            if sharding.dims.len() != tensor.rank() {
                problems.push(format!(
                    "{id:?} of rank {} has a sharding of {} dims",
                    tensor.rank(),
                    sharding.dims.len()
                ));
                continue;
            }
            let mut used = AxisSet::EMPTY;
            if !sharding.dims.iter().flat_map(|dim| &dim.axes).all(|axis| used.insert(*axis)) {
                problems.push(format!("{id:?} is sharded twice over one axis"));
            }
        }
        for id in sharded_insts(body, body.entry()) {
            let view = body.view(id);
            let rule: ShardingRule = view.inst.op.rule(&view);
            if view.inst.op.carries_values() {
                for region in &view.inst.regions {
                    let args = &body.regions[*region].args;
                    for (arg, result) in args.iter().zip(&view.inst.results) {
                        if !self.values[*arg].places_like(&self.values[*result]) {
                            problems.push(format!(
                                "{arg:?} and {result:?} carry one value but are sharded differently"
                            ));
                        }
                    }
                }
            } else if !self.strategies[id].is_legal(&rule, &self.mesh) {
                problems.push(format!("{id:?} ({}) has an illegal strategy", view.inst.op.name()));
            }
        }
        problems
    }
}

/// Dims of a value; a token has none.
fn rank(ty: &Type) -> usize {
    ty.as_tensor().map_or(0, |tensor| tensor.rank())
}

/// The strategy in which all devices compute all of an instruction.
fn replicated(view: &InstView<'_>) -> Strategy {
    Strategy::replicated(&view.inst.op.rule(view))
}

/// All instructions of a region that work on whole tensors, in execution order: those inside loops and branches too,
/// those inside reducers not. A loop comes before its contents.
pub fn sharded_insts(body: &Body, region: RegionId) -> Vec<InstId> {
    let mut order = Vec::new();
    collect(body, region, &mut order);
    order
}

fn collect(body: &Body, region: RegionId, order: &mut Vec<InstId>) {
    for inst in &body.regions[region].insts {
        order.push(*inst);
        if body.view(*inst).regions() != Regions::OfElements {
            for inner in &body.insts[*inst].regions {
                collect(body, *inner, order);
            }
        }
    }
}
