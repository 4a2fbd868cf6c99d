//! Which dims of parameters are one dim of the model, such as the hidden width: `w1`'s columns and `w2`'s rows.
//!
//! Input: a function's roles, units and groups. Output: [`DimSet`]s. Dims are in one set if they are of one unit
//! ([`Units`]: heads, hidden widths, vocabularies, experts) in any two members of their groups.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_analyze::roles::Roles;
use meshwright_analyze::union_find::UnionFind;
use meshwright_analyze::units::{Unit, Units, Work};

use crate::problem::{DimKind, Group, GroupKind};

/// Dims of parameters that are one dim of the model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DimSet {
    /// Where parameters have it, in order.
    pub(crate) sites: Vec<Site>,
    /// Where state and data have it, as caches do.
    pub(crate) fed: Vec<Site>,
    /// Where what products make has it.
    pub(crate) made: Vec<Site>,
    /// What is done along it.
    pub(crate) work: Work,
    /// Whether it is the width of the residual stream, which all layers share.
    pub(crate) is_residual: bool,
    /// Whether the data has it too, as its batch or as tokens.
    pub(crate) is_data: bool,
}

/// A dim of a group's tensors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The group.
    pub(crate) group: usize,
    /// Its dim.
    pub(crate) dim: usize,
    /// Sizes of the parts between whose elements it may be cut, major first.
    pub(crate) parts: Vec<usize>,
}

/// The sets of dims of parameter groups.
pub(crate) fn dim_sets(roles: &Roles, units: &Units, groups: &[Group]) -> Vec<DimSet> {
    let of_dim = |group: &Group, dim: usize| -> BTreeSet<Unit> {
        let classes = group.values.iter().map(|value| roles.classes.of(*value, dim));
        classes.filter_map(|class| units.of(class)).collect()
    };
    let site = |group: usize, dim: usize| {
        let class = roles.classes.of(groups[group].values[0], dim);
        Site { group, dim, parts: units.parts(class, groups[group].shape[dim]) }
    };
    // The sites of parameters, each with its units; those that share a unit are a set.
    let mut sites: Vec<(Site, BTreeSet<Unit>)> = Vec::new();
    for (number, group) in groups.iter().enumerate().filter(|(_, group)| group.kind == GroupKind::Parameter) {
        let sized = (0..group.shape.len()).filter(|dim| group.shape[*dim] > 1);
        sites.extend(sized.map(|dim| (site(number, dim), of_dim(group, dim))));
    }
    let mut sets = UnionFind::new(sites.len());
    let mut first: BTreeMap<Unit, usize> = BTreeMap::new();
    for (number, (_, own)) in sites.iter().enumerate() {
        for unit in own {
            sets.join(*first.entry(*unit).or_insert(number), number);
        }
    }
    let mut by_set: BTreeMap<usize, (Vec<Site>, BTreeSet<Unit>)> = BTreeMap::new();
    for ((site, own), set) in sites.into_iter().zip(sets.sets()) {
        let (sites, all) = by_set.entry(set).or_default();
        sites.push(site);
        all.extend(own);
    }
    let data: BTreeSet<Unit> =
        roles.batch.union(&roles.sequence).filter_map(|class| units.of(*class)).collect();
    let fed = dims_of(groups, &|kind| matches!(kind, GroupKind::State | GroupKind::Data));
    let residual: BTreeSet<Unit> = dims_of(groups, &|kind| kind == GroupKind::Activation)
        .flat_map(|(group, dim)| of_dim(&groups[group], dim))
        .collect();
    let fed: Vec<(usize, usize)> = fed.collect();
    let made: Vec<(usize, usize)> = dims_of(groups, &|kind| kind == GroupKind::Product).collect();
    let sites_in = |own: &BTreeSet<Unit>, all: &[(usize, usize)]| -> Vec<Site> {
        let shared = all.iter().filter(|(group, dim)| !of_dim(&groups[*group], *dim).is_disjoint(own));
        shared.map(|(group, dim)| site(*group, *dim)).collect()
    };
    by_set
        .into_values()
        .map(|(sites, own)| DimSet {
            sites,
            fed: sites_in(&own, &fed),
            made: sites_in(&own, &made),
            work: own.iter().fold(Work::default(), |sum, unit| sum.and(units.work(*unit))),
            is_residual: !residual.is_disjoint(&own),
            is_data: !data.is_disjoint(&own),
        })
        .collect()
}

/// The dims of groups of some kinds along which there are neither examples nor tokens: group and dim.
fn dims_of<'a>(
    groups: &'a [Group],
    wanted: &'a dyn Fn(GroupKind) -> bool,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    groups.iter().enumerate().filter(|(_, group)| wanted(group.kind)).flat_map(|(number, group)| {
        let others = group.dims.iter().enumerate().filter(|(_, kind)| **kind == DimKind::Other);
        others.map(move |(dim, _)| (number, dim))
    })
}
