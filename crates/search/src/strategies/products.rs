//! Products of tensor and sequence parallelism: they shard the dims along which weights are sharded, and tokens are gathered
//! in front of them (Korthikanti et al., 2022). Left to themselves, products of a step with many tokens would gather the
//! weights, and keep their tokens.
//!
//! Input: a way and what follows from its decisions. Output: the strategies of products that follow from these otherwise.

use crate::problem::{Answer, Problem};
use meshwright_analyze::Roles;
use meshwright_analyze::units::{Unit, Units};
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, Inst, InstView};
use meshwright_ir::rule::{FactorIndex, ShardingRule, Strategy};
use meshwright_plan::Shardings;
use std::collections::{BTreeMap, BTreeSet};

/// Sub-axes of an axis, and the units of the model along which it shards weights.
pub(super) struct Sharded {
    pieces: Vec<SubAxisId>,
    units: BTreeSet<Unit>,
    /// Those of them of which some shards hold padding.
    padded: BTreeSet<Unit>,
}

impl Sharded {
    /// What an axis shards in an answer.
    pub(super) fn of(problem: &Problem, answer: &Answer, axis: usize, roles: &Roles, units: &Units) -> Self {
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
        Self { units: sites.into_iter().filter_map(unit).collect(), padded, pieces }
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
        let rule = view.inst.op.rule(&view);
        let mut own = found.strategies[inst].clone();
        for axis in sharded {
            let (factor, unit) = factor(&view, &rule, roles, units, &axis.units)?;
            let mesh = &found.mesh;
            let holds = own.axes.get(factor)?.iter().any(|piece| axis.pieces.contains(piece));
            if holds {
                continue;
            }
            own.axes.iter_mut().for_each(|axes| axes.retain(|piece| !axis.pieces.contains(piece)));
            let mut shards: usize = own.axes[factor].iter().map(|piece| mesh.size(*piece)).product();
            for piece in &axis.pieces {
                shards *= mesh.size(*piece);
                let size = rule.factors[factor].size;
                if !(size.is_multiple_of(shards)
                    || axis.padded.contains(&unit) && rule.can_split(factor, shards))
                {
                    break;
                }
                own.axes[factor].push(*piece);
            }
        }
        let is_new = own != found.strategies[inst] && own.is_legal(&rule, &found.mesh);
        is_new.then_some((inst, own))
    };
    products.filter_map(of_product).collect()
}

/// The only factor of a product that is along one of these units, and that unit.
fn factor(
    view: &InstView<'_>,
    rule: &ShardingRule,
    roles: &Roles,
    units: &Units,
    wanted: &BTreeSet<Unit>,
) -> Option<(FactorIndex, Unit)> {
    let operands = view.inst.operands.iter().zip(&rule.operands);
    let places = operands.chain(view.inst.results.iter().zip(&rule.results));
    let mut found = BTreeMap::new();
    for (value, dims) in places {
        for (dim, factors) in dims.iter().enumerate() {
            let unit = units.of(roles.classes.of(*value, dim));
            if let ([factor], Some(unit)) = (factors.as_slice(), unit.filter(|unit| wanted.contains(unit))) {
                found.insert(*factor, unit);
            }
        }
    }
    let mut found = found.into_iter();
    found.next().filter(|_| found.next().is_none())
}
