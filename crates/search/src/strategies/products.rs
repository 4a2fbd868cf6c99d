//! Products as degrees mean them, where they would be another way if they were left to what is sent least.
//!
//! Of tensor and sequence parallelism they shard the dims along which weights are sharded, and tokens are gathered in front
//! of them (Korthikanti et al., 2022): a step with many tokens would gather the weights, and keep its tokens. Of ZeRO-3 they
//! shard the batch, and weights are gathered (Rajbhandari et al., 2020): a step with few tokens would send these instead, and
//! keep its weights, which is tensor parallelism.
//!
//! Input: a way and what follows from its decisions. Output: the strategies of products that follow from these otherwise.

use crate::problem::{Answer, Problem};
use meshwright_analyze::Roles;
use meshwright_analyze::dim_classes::Class;
use meshwright_analyze::units::{Unit, Units};
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, Inst, InstView};
use meshwright_ir::rule::{FactorIndex, ShardingRule, Strategy};
use meshwright_plan::Shardings;
use std::collections::{BTreeMap, BTreeSet};

/// Sub-axes of an axis, and what of products they shard.
pub(super) struct Sharded {
    pieces: Vec<SubAxisId>,
    along: Along,
}

/// Dims of products that an axis shards.
enum Along {
    /// Those of the model along which it shards weights.
    Weights {
        /// All of them.
        units: BTreeSet<Unit>,
        /// Those of which some shards hold padding.
        padded: BTreeSet<Unit>,
    },
    /// The batch, where it shards no experts.
    Batch,
}

/// What two factors of a product have to be one dim of the model by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    Unit(Unit),
    Batch,
}

impl Sharded {
    /// What an axis shards of weights in an answer.
    pub(super) fn weights(
        problem: &Problem,
        answer: &Answer,
        axis: usize,
        roles: &Roles,
        units: &Units,
    ) -> Self {
        let pieces = problem.meshes[answer.mesh].pieces(axis);
        let is_over = |site: &&crate::dim_sets::Site| {
            let sharding = problem.sharding(answer, site.group);
            sharding.dims[site.dim].axes.iter().any(|own| pieces.contains(own))
        };
        let sets = problem.dim_sets.iter().filter(|set| !set.is_data && !set.work.is_expert());
        let sites = sets.flat_map(|set| set.sites.iter().filter(is_over));
        let unit = |site: &crate::dim_sets::Site| {
            units.of(roles.classes.of(problem.groups[site.group].values[0], site.dim))
        };
        let is_padded = |site: &&&crate::dim_sets::Site| {
            let shards = problem.num_shards(answer, site.group)[site.dim];
            !problem.groups[site.group].shape[site.dim].is_multiple_of(shards)
        };
        let sites: Vec<&crate::dim_sets::Site> = sites.collect();
        let padded = sites.iter().filter(is_padded).filter_map(|site| unit(site)).collect();
        let units = sites.into_iter().filter_map(unit).collect();
        Self { pieces, along: Along::Weights { units, padded } }
    }

    /// The batch over an axis of an answer.
    pub(super) fn batch(problem: &Problem, answer: &Answer, axis: usize) -> Self {
        Self { pieces: problem.meshes[answer.mesh].pieces(axis), along: Along::Batch }
    }

    /// What a dim of one value of a product is to the axis.
    fn wanted(&self, class: Class, roles: &Roles, units: &Units) -> Option<Wanted> {
        match &self.along {
            Along::Weights { units: wanted, .. } => {
                units.of(class).filter(|unit| wanted.contains(unit)).map(Wanted::Unit)
            }
            Along::Batch => roles.batch.contains(&class).then_some(Wanted::Batch),
        }
    }

    /// Returns whether shards along a dim may hold padding.
    fn pads(&self, wanted: Wanted) -> bool {
        matches!((&self.along, wanted), (Along::Weights { padded, .. }, Wanted::Unit(unit)) if padded.contains(&unit))
    }
}

/// The strategies of products that do not shard what these axes shard, as they are if they do.
pub(super) fn strategies(
    function: &Function,
    roles: &Roles,
    units: &Units,
    sharded: &[Sharded],
    found: &Shardings,
) -> BTreeMap<InstId, Strategy> {
    let body = &function.body;
    let is_product = |inst: &Inst| matches!(inst.op, Op::DotGeneral(_));
    let products = body.insts.iter().filter(|(_, inst)| is_product(inst)).map(|(id, _)| id);
    let of_product = |inst: InstId| {
        let view = body.view(inst);
        let product = Product { view: &view, rule: &view.inst.op.rule(&view), roles, units };
        let mut own = found.strategies[inst].clone();
        for axis in sharded {
            let factors = product.factors(axis);
            if factors.iter().any(|(factor, _)| product.is_so(&own, axis, *factor)) {
                continue;
            }
            let put = |factor: &(FactorIndex, Wanted)| product.put(&own, axis, *factor, &found.mesh);
            if let Some(put) = factors.iter().find_map(put) {
                own = put;
            }
        }
        let is_new = own != found.strategies[inst] && own.is_legal(product.rule, &found.mesh);
        is_new.then_some((inst, own))
    };
    products.filter_map(of_product).collect()
}

/// A product and what is known of its dims.
struct Product<'a> {
    view: &'a InstView<'a>,
    rule: &'a ShardingRule,
    roles: &'a Roles,
    units: &'a Units,
}

impl Product<'_> {
    /// The class of each dim of results and operands that is one factor, with that factor.
    fn dims(&self) -> impl Iterator<Item = (FactorIndex, Class)> {
        let results = self.view.inst.results.iter().zip(&self.rule.results);
        let places = results.chain(self.view.inst.operands.iter().zip(&self.rule.operands));
        places.flat_map(|(value, dims)| {
            let of_one = |(dim, factors): (usize, &Vec<FactorIndex>)| match factors[..] {
                [factor] => Some((factor, self.roles.classes.of(*value, dim))),
                _ => None,
            };
            dims.iter().enumerate().filter_map(of_one)
        })
    }

    /// The factors along what an axis shards, in the order of the result's dims: those of the batch, which some products have as
    /// examples and as places of experts too, or the only one of weights.
    fn factors(&self, axis: &Sharded) -> Vec<(FactorIndex, Wanted)> {
        let mut found: Vec<(FactorIndex, Wanted)> = Vec::new();
        for (factor, class) in self.dims() {
            if let Some(wanted) = axis.wanted(class, self.roles, self.units)
                && !found.iter().any(|(known, _)| *known == factor)
            {
                found.push((factor, wanted));
            }
        }
        if matches!(axis.along, Along::Weights { .. }) && found.len() > 1 {
            found.clear();
        }
        found
    }

    /// Returns whether the axis shards the factor already, or experts in place of the batch.
    fn is_so(&self, own: &Strategy, axis: &Sharded, factor: FactorIndex) -> bool {
        let holds = |factor: FactorIndex| {
            own.axes.get(factor).is_some_and(|axes| axes.iter().any(|piece| axis.pieces.contains(piece)))
        };
        let is_of_experts = |(factor, class)| self.roles.experts.contains(&class) && holds(factor);
        holds(factor) || matches!(axis.along, Along::Batch) && self.dims().any(is_of_experts)
    }

    /// The strategy with an axis on a factor, in the order of the mesh; of weights as far as that divides, and of the batch only
    /// if all of it does.
    fn put(
        &self,
        own: &Strategy,
        axis: &Sharded,
        (factor, wanted): (FactorIndex, Wanted),
        mesh: &Mesh,
    ) -> Option<Strategy> {
        let mut own = own.clone();
        own.axes.iter_mut().for_each(|axes| axes.retain(|piece| !axis.pieces.contains(piece)));
        let mut shards: usize = own.axes[factor].iter().map(|piece| mesh.size(*piece)).product();
        for piece in &axis.pieces {
            shards *= mesh.size(*piece);
            let divides = self.rule.factors[factor].size.is_multiple_of(shards);
            if !(divides || axis.pads(wanted) && self.rule.can_split(factor, shards)) {
                if wanted == Wanted::Batch {
                    return None;
                }
                break;
            }
            own.axes[factor].push(*piece);
        }
        if wanted == Wanted::Batch {
            own.axes[factor].sort_unstable();
        }
        Some(own)
    }
}
