//! What an instruction on one device makes of the meanings of its operands.
//!
//! Input: an instruction that sends nothing and has no regions of its own kind, and a meaning per operand. Output: a
//! meaning per result, or why there is none. The op's sharding rule, read on local shapes, says which dims move
//! together: a sharded dim that is passed on stays sharded, one that is reduced leaves a contribution. What is known of
//! sums (`OpDef::linearity`) says where contributions may go.

use super::meaning::{Meaning, Problem, Undecided, is_part_of, misplaced, misused, reduction_name};
use super::uniform;
use crate::facts::definition;
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::op::{Linearity, Op};
use meshwright_ir::ops::convolution::Convolution;
use meshwright_ir::ops::reducer;
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::rule::{FactorKind, ShardingRule};
use meshwright_ir::sharding::Reduction;

/// Meanings of all results.
pub(super) fn transfer(
    view: &InstView<'_>,
    operands: &[&Meaning],
    mesh: &Mesh,
) -> Result<Vec<Meaning>, Problem> {
    if let Op::Reshape(_) = view.inst.op {
        return Ok(vec![super::reshape::reshaped(view, operands[0])]);
    }
    let own = operands.iter().fold(side_by_side(view, operands), |own, operand| own.union(operand.own));
    let mut operands: Vec<Meaning> = operands
        .iter()
        .map(|operand| {
            let mut known = (*operand).clone();
            known.forget(own);
            known
        })
        .collect();
    let rule = match &view.inst.op {
        Op::Convolution(op) => convolution_rule(op, view, &mut operands),
        _ => local_rule(view),
    };
    let mut shards = Shards::of(&rule, &operands, mesh)?;
    shards.uniform = uniform::factors(view, &rule, &operands);
    let (partial, unknown) = partial(view, &operands, &rule, &shards, mesh)?;
    shards.own = shards.own.union(unknown);
    let rank = |index: usize| view.body.ty(view.inst.results[index]).as_tensor().map_or(0, |ty| ty.rank());
    let results = 0..view.inst.results.len();
    results
        .map(|index| {
            let mut meaning = Meaning { partial, ..Meaning::same(rank(index)) };
            shards.fill(&mut meaning, &rule, index)?;
            meaning.uniform = uniform::dims(&rule.results[index], &shards.uniform);
            // A shard of what is already a contribution over the same axis says nothing that could be relied on.
            let lost = own.union(shards.own).union(meaning.sharded().intersection(meaning.partial_axes()));
            meaning.lose(lost);
            Ok(meaning)
        })
        .collect()
}

/// Axes along which a concatenation is neither a shard nor the same: they shard some operands and not others, as where
/// tensors of all kinds are laid in rows to be sent together.
fn side_by_side(view: &InstView<'_>, operands: &[&Meaning]) -> AxisSet {
    let Op::Concatenate(_) = view.inst.op else { return AxisSet::EMPTY };
    let of_dim = |dim: usize| {
        let is_told = |operand: &&&Meaning| dim >= 64 || operand.uniform >> dim & 1 == 0;
        let told = operands.iter().filter(is_told);
        let sets: Vec<AxisSet> = told.map(|operand| operand.dims[dim].iter().collect()).collect();
        let both = |merge: fn(AxisSet, AxisSet) -> AxisSet| sets.iter().copied().reduce(merge);
        let (all, some) = (both(AxisSet::intersection), both(AxisSet::union));
        some.unwrap_or(AxisSet::EMPTY).minus(all.unwrap_or(AxisSet::EMPTY))
    };
    (0..view.result(0).rank()).fold(AxisSet::EMPTY, |own, dim| own.union(of_dim(dim)))
}

/// The op's own rule; for ops that take or put positions of dims, dims that stay dims.
fn local_rule(view: &InstView<'_>) -> ShardingRule {
    if !view.inst.op.traits().keeps_dims {
        return view.inst.op.rule(view);
    }
    let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
    for (dim, size) in view.result(0).shape.iter().enumerate() {
        let like = |index: &usize| rule.operands[*index].len() == rule.results[0].len();
        let places = (0..view.num_operands()).filter(like).map(|operand| (operand, dim)).collect::<Vec<_>>();
        let results: Vec<_> = (0..view.inst.results.len()).map(|result| (result, dim)).collect();
        rule.add_dim(*size, FactorKind::PassThrough, &places, &results);
    }
    rule
}

/// What a local convolution does depends on what its operands are shards of. Axes up to the last that features (or the
/// batch) of the input and the kernel's outputs have in common are those of groups; behind them, features are summed
/// over. Spatial dims are summed over where the kernel has shards of them.
///
/// The groups are given a dim of their own, the last of either operand, to which their axes are moved.
fn convolution_rule(op: &Convolution, view: &InstView<'_>, operands: &mut [Meaning]) -> ShardingRule {
    let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
    let (input, kernel, output) = (&op.dims.input, &op.dims.kernel, &op.dims.output);
    let groups = view.operand(0).rank();
    for (operand, dims) in operands.iter_mut().zip(&mut rule.operands) {
        operand.dims.push(Vec::new());
        dims.push(Vec::new());
    }
    move_to_groups(op, view, operands);
    let axes = |operand: usize, dim: usize| operands[operand].dims[dim].as_slice();
    let mut add = |kind, places: &[(usize, usize)], results: &[(usize, usize)]| {
        rule.add_dim(2, kind, places, results);
    };
    let (pass, sum) = (FactorKind::PassThrough, FactorKind::Reduced(Reduction::Sum));
    add(pass, &[(0, groups), (1, groups)], &[(0, output.second)]);
    add(pass, &[(0, input.first)], &[(0, output.first)]);
    add(pass, &[(1, kernel.second)], &[(0, output.second)]);
    // Features that the kernel has it is not known where are left out: what comes of them is not known.
    let (features, taken) = (axes(0, input.second), axes(1, kernel.first));
    let is_decided =
        operands[1].undecided.iter().all(|run| run.axes.iter().all(|axis| !features.contains(axis)));
    let is_summed =
        is_part_of(features, taken) || is_part_of(taken, features) && axes(1, kernel.second).is_empty();
    if is_decided && is_summed {
        add(sum, &[(0, input.second), (1, kernel.first)], &[]);
    }
    for (spatial, dim) in input.spatial.iter().enumerate() {
        let (tap, to) = (kernel.spatial[spatial], output.spatial[spatial]);
        if axes(1, tap).is_empty() {
            add(pass, &[(0, *dim)], &[(0, to)]);
        } else {
            add(sum, &[(0, *dim), (1, tap)], &[]);
        }
    }
    rule
}

/// Moves the axes of groups to the dim behind the others of each operand of a convolution.
fn move_to_groups(op: &Convolution, view: &InstView<'_>, operands: &mut [Meaning]) {
    let (input, kernel, groups) = (&op.dims.input, &op.dims.kernel, view.operand(0).rank());
    let made_of_groups: [&[usize]; 2] = [&[input.first, input.second], &[kernel.second]];
    for (operand, dims) in operands.iter_mut().zip(made_of_groups) {
        let may_be_groups =
            |run: &&mut Undecided| dims.iter().any(|dim| groups < 64 && run.dims >> dim & 1 == 1);
        operand.undecided.iter_mut().filter(may_be_groups).for_each(|run| run.dims |= 1 << groups);
    }
    let is_repeated = |operand: &Meaning, dim: usize| dim < 64 && operand.uniform >> dim & 1 == 1;
    let is_reshaped = definition(view.body, view.inst.operands[1])
        .is_some_and(|kernel| matches!(kernel.inst.op, Op::Reshape(_)));
    for dim in [input.first, input.second] {
        let (features, outputs) = (&operands[0].dims[dim], &operands[1].dims[kernel.second]);
        // What one of them lacks before a common axis was cut without a trace.
        let shared = |own: &[SubAxisId], other: &[SubAxisId]| {
            own.iter().rposition(|axis| other.contains(axis)).map_or(0, |last| last + 1)
        };
        let counts = [shared(features, outputs), shared(outputs, features)];
        for (operand, (dim, count)) in operands.iter_mut().zip([dim, kernel.second].into_iter().zip(counts)) {
            let own: Vec<SubAxisId> = operand.dims[dim].drain(..count).collect();
            operand.dims[groups].extend(own);
        }
        // A kernel that is not sharded may be a shard without a trace (as it is if it was repeated for all groups, which
        // a reshape hides), and the axes of the input those of its groups.
        let is_bare = operands[1].dims[kernel.second].is_empty();
        let may_be_groups = if dim == input.first {
            is_repeated(&operands[1], kernel.second) || is_reshaped
        } else {
            let (features, taken) = (&operands[0].dims[dim], &operands[1].dims[kernel.first]);
            let is_summed = is_part_of(features, taken) || is_repeated(&operands[1], kernel.first);
            !is_summed || is_repeated(&operands[1], kernel.second)
        };
        if is_bare && may_be_groups && groups < 64 {
            let axes = std::mem::take(&mut operands[0].dims[dim]);
            let dims = 1 << dim | 1 << groups;
            operands[0].undecided.extend(axes.into_iter().map(|axis| Undecided { axes: vec![axis], dims }));
        }
    }
}

/// Which axes shard which factors.
struct Shards {
    factors: Vec<Vec<SubAxisId>>,
    /// Runs of axes that shard one of several factors.
    undecided: Vec<(Vec<SubAxisId>, Vec<usize>)>,
    /// What sharded reduced factors leave.
    partial: Option<(Reduction, AxisSet)>,
    own: AxisSet,
    /// Of each factor, whether all elements along it are equal.
    uniform: Vec<bool>,
}

impl Shards {
    fn of(rule: &ShardingRule, operands: &[Meaning], mesh: &Mesh) -> Result<Self, Problem> {
        let mut shards = Self {
            factors: vec![Vec::new(); rule.factors.len()],
            undecided: Vec::new(),
            partial: None,
            own: AxisSet::EMPTY,
            uniform: Vec::new(),
        };
        let sums_elsewhere = (0..rule.factors.len()).any(|factor| is_summed_elsewhere(rule, factor));
        if sums_elsewhere {
            shards.add_with_summed_elsewhere(rule, operands, mesh)?;
        }
        for (index, operand) in operands.iter().enumerate().filter(|_| !sums_elsewhere) {
            for (dim, axes) in operand.dims.iter().enumerate().filter(|(_, axes)| !axes.is_empty()) {
                match rule.operands[index].get(dim).and_then(|factors| factors.first()) {
                    Some(factor) => shards.add(index, *factor, axes, mesh)?,
                    None => shards.own = shards.own.union(axes.iter().collect()),
                }
            }
        }
        for (index, operand) in operands.iter().enumerate() {
            for run in &operand.undecided {
                shards.add_undecided(&rule.operands[index], run);
            }
        }
        let groups = rule.connected_factors();
        let mut place: Vec<(SubAxisId, usize, usize)> = Vec::new();
        for (factor, axes) in shards.factors.iter().enumerate() {
            for axis in axes {
                let clash = place.iter().any(|(other, group, _)| other == axis && *group == groups[factor]);
                // A block of what a broadcast repeats: along the repeated dim it may be a shard over the axis as well.
                let is_repeated = |factor: usize| is_uniform_in_some(rule, operands, factor);
                let mut holders =
                    place.iter().filter(|(other, ..)| other == axis).map(|(.., factor)| *factor);
                if clash && (is_repeated(factor) || holders.any(is_repeated)) {
                    shards.own.insert(*axis);
                } else if clash {
                    return misplaced(format!(
                        "dims that do not belong together are both sharded over {}",
                        mesh.describe(&[*axis]).join("")
                    ));
                }
                place.push((*axis, groups[factor], factor));
            }
        }
        let own = shards.own;
        shards.factors.iter_mut().for_each(|axes| axes.retain(|axis| !own.contains(*axis)));
        shards.reduce(rule)
    }

    fn add(&mut self, operand: usize, factor: usize, axes: &[SubAxisId], mesh: &Mesh) -> Result<(), Problem> {
        let have = &mut self.factors[factor];
        if is_part_of(axes, have) {
            return Ok(());
        }
        if is_part_of(have, axes) {
            *have = axes.to_vec();
            return Ok(());
        }
        let (have, axes) = (mesh.describe(have).join(", "), mesh.describe(axes).join(", "));
        misplaced(format!(
            "operand {operand} is sharded over {axes} where another operand is sharded over {have}"
        ))
    }

    /// The axes of all operands, where a dim may have a second factor that some results have summed: what those operands
    /// leave that have the first one alone shards the second. Of dims between which it is not decided which one axes shard,
    /// a kernel needs those whole that have no factor; what may shard a dim, and is known to shard its first factor, does.
    fn add_with_summed_elsewhere(
        &mut self,
        rule: &ShardingRule,
        operands: &[Meaning],
        mesh: &Mesh,
    ) -> Result<(), Problem> {
        let mut sharded: Vec<OfDim<'_>> = Vec::new();
        for (index, operand) in operands.iter().enumerate() {
            let with_factors: Vec<usize> =
                (0..operand.dims.len()).filter(|dim| !rule.operands[index][*dim].is_empty()).collect();
            for (dim, axes) in operand.dims.iter().enumerate() {
                let may_be = |run: &&Undecided, dim: usize| dim < 64 && run.dims >> dim & 1 == 1;
                let is_it = |run: &&Undecided| {
                    let mut open = with_factors.iter().filter(|dim| may_be(run, **dim));
                    open.next() == Some(&dim) && open.next().is_none()
                };
                let decided = operand.undecided.iter().filter(is_it).flat_map(|run| &run.axes);
                let axes: Vec<SubAxisId> = axes.iter().chain(decided).copied().collect();
                let runs = operand.undecided.iter().filter(|run| may_be(run, dim));
                let perhaps: AxisSet = runs.flat_map(|run| &run.axes).collect();
                if !axes.is_empty() {
                    sharded.push(OfDim {
                        operand: index,
                        factors: &rule.operands[index][dim],
                        axes,
                        perhaps,
                    });
                }
            }
        }
        let has_second =
            |own: &&OfDim<'_>| matches!(own.factors, [_, second] if is_summed_elsewhere(rule, *second));
        for own in sharded.iter().filter(|own| !has_second(own)) {
            match own.factors {
                [factor, ..] => self.add(own.operand, *factor, &own.axes, mesh)?,
                [] => self.own = self.own.union(own.axes.iter().collect()),
            }
        }
        for own in sharded.iter().filter(has_second) {
            let first = &self.factors[own.factors[0]];
            let axes = own.with_those_of(first);
            let of_first = first.len().min(axes.len());
            self.add(own.operand, own.factors[0], &axes[..of_first], mesh)?;
            self.add(own.operand, own.factors[1], &axes[of_first..], mesh)?;
        }
        Ok(())
    }

    fn add_undecided(&mut self, dims: &[Vec<usize>], run: &Undecided) {
        let known: AxisSet = self.factors.iter().flatten().collect();
        if run.axes.iter().any(|axis| known.contains(*axis)) {
            return;
        }
        let candidates = dims.iter().enumerate().filter(|(dim, _)| run.dims >> dim & 1 == 1);
        let candidates: Vec<Option<usize>> =
            candidates.map(|(_, factors)| factors.first().copied()).collect();
        let same = self.undecided.iter_mut().find(|(axes, _)| *axes == run.axes);
        match (candidates.iter().copied().collect::<Option<Vec<usize>>>(), same) {
            (Some(factors), Some((_, before))) => before.retain(|factor| factors.contains(factor)),
            (Some(factors), None) => self.undecided.push((run.axes.clone(), factors)),
            (None, _) => self.own = self.own.union(run.axes.iter().collect()),
        }
    }

    /// Works out what factors that no result has leave behind.
    fn reduce(mut self, rule: &ShardingRule) -> Result<Self, Problem> {
        let mut left = Meaning::default();
        for (factor, axes) in self.factors.iter().enumerate().filter(|(_, axes)| !axes.is_empty()) {
            let axes: AxisSet = axes.iter().collect();
            match (rule.is_in_results(factor), rule.factors[factor].kind) {
                (_, FactorKind::NeedReplication) => self.own = self.own.union(axes),
                (true, _) => {}
                (false, FactorKind::Reduced(reduction)) => left.add_partial(reduction, axes)?,
                (false, _) => self.own = self.own.union(axes),
            }
        }
        for (axes, factors) in std::mem::take(&mut self.undecided) {
            let set: AxisSet = axes.iter().collect();
            let reduction = |factor: &usize| match rule.factors[*factor].kind {
                FactorKind::Reduced(reduction) if !rule.is_in_results(*factor) => Some(reduction),
                _ => None,
            };
            let passes = |factor: &usize| {
                rule.is_in_results(*factor) && rule.factors[*factor].kind != FactorKind::NeedReplication
            };
            match factors.first().map(reduction) {
                Some(Some(first)) if factors.iter().all(|factor| reduction(factor) == Some(first)) => {
                    left.add_partial(first, set)?;
                }
                Some(_) if factors.iter().all(passes) => self.undecided.push((axes, factors)),
                _ => self.own = self.own.union(set),
            }
        }
        self.partial = left.partial;
        Ok(self)
    }

    fn fill(&self, meaning: &mut Meaning, rule: &ShardingRule, result: usize) -> Result<(), Problem> {
        for (dim, factors) in meaning.dims.iter_mut().zip(&rule.results[result]) {
            *dim = factors.iter().flat_map(|factor| &self.factors[*factor]).copied().collect();
        }
        for (axes, factors) in &self.undecided {
            let has = |dim: &Vec<usize>| dim.iter().any(|factor| factors.contains(factor));
            let dims: Vec<usize> = rule.results[result]
                .iter()
                .enumerate()
                .filter(|(_, dim)| has(dim))
                .map(|(dim, _)| dim)
                .collect();
            match dims.as_slice() {
                [] => {}
                [dim] if meaning.dims[*dim].is_empty() => meaning.dims[*dim].extend(axes),
                dims => {
                    let dims = dims.iter().filter(|dim| **dim < 64).fold(0, |set, dim| set | 1 << dim);
                    meaning.undecided.push(Undecided { axes: axes.clone(), dims });
                }
            }
        }
        let own = || rule.results[result].iter().flatten();
        for (factor, axes) in self.factors.iter().enumerate().filter(|(_, axes)| !axes.is_empty()) {
            if is_summed_elsewhere(rule, factor) && own().next().is_some() && !own().any(|own| *own == factor)
            {
                meaning.add_partial(Reduction::Sum, axes.iter().collect())?;
            }
        }
        Ok(())
    }
}

/// What shards a dim of an operand.
struct OfDim<'a> {
    operand: usize,
    factors: &'a [usize],
    axes: Vec<SubAxisId>,
    /// What may shard it, or another dim.
    perhaps: AxisSet,
}

impl OfDim<'_> {
    /// Its axes with those of a factor that may shard it: these stand among the first ones, which the factor has too.
    fn with_those_of(&self, factor: &[SubAxisId]) -> Vec<SubAxisId> {
        let count = self.axes.iter().take_while(|axis| factor.contains(axis)).count();
        let (shared, rest) = self.axes.split_at(count);
        if !is_part_of(shared, factor) {
            return self.axes.clone();
        }
        let is_here = |axis: &&SubAxisId| shared.contains(axis) || self.perhaps.contains(**axis);
        let first: Vec<SubAxisId> = factor.iter().filter(is_here).copied().collect();
        let rest = rest.iter().filter(|axis| !first.contains(axis));
        first.iter().chain(rest).copied().collect()
    }
}

fn is_summed_elsewhere(rule: &ShardingRule, factor: usize) -> bool {
    rule.factors[factor].kind == FactorKind::SummedElsewhere
}

/// Whether all elements along a factor are equal in an operand that has it.
fn is_uniform_in_some(rule: &ShardingRule, operands: &[Meaning], factor: usize) -> bool {
    operands.iter().zip(&rule.operands).any(|(operand, dims)| {
        let is_uniform = |(dim, factors): (usize, &Vec<usize>)| {
            dim < 64 && operand.uniform >> dim & 1 == 1 && factors.contains(&factor)
        };
        dims.iter().enumerate().any(is_uniform)
    })
}

/// What the results are partial over: what operands are, where the op lets contributions through, and what reduced
/// factors leave. Also the axes along which that cannot be told.
fn partial(
    view: &InstView<'_>,
    operands: &[Meaning],
    rule: &ShardingRule,
    shards: &Shards,
    mesh: &Mesh,
) -> Result<(Option<(Reduction, AxisSet)>, AxisSet), Problem> {
    let mut all = Meaning { partial: shards.partial, ..Meaning::default() };
    for operand in operands {
        if let Some((reduction, axes)) = operand.partial {
            all.add_partial(reduction, axes)?;
        }
    }
    let Some((reduction, axes)) = all.partial else { return Ok((None, AxisSet::EMPTY)) };
    let axes = axes.minus(shards.own);
    let is_partial = |index: &usize| operands[*index].partial.is_some();
    let partial: Vec<usize> = (0..operands.len()).filter(is_partial).collect();
    let Linearity { each, together, .. } = view.inst.op.linearity(view, reduction);
    let contributions = Contributions { view, operands, rule, shards, mesh, reduction, axes, partial };
    // Contributions to all operands make a contribution to the result.
    if !together.is_empty() && contributions.partial.iter().all(|index| together.contains(index)) {
        return Ok((all.partial, contributions.made_of_all(&together)?));
    }
    contributions.made_of_one(each, &together)?;
    Ok((all.partial, AxisSet::EMPTY))
}

/// Operands that are contributions, of an instruction whose result is one.
struct Contributions<'a> {
    view: &'a InstView<'a>,
    operands: &'a [Meaning],
    rule: &'a ShardingRule,
    shards: &'a Shards,
    mesh: &'a Mesh,
    reduction: Reduction,
    /// The axes over which the result is a contribution.
    axes: AxisSet,
    /// Which operands are.
    partial: Vec<usize>,
}

impl Contributions<'_> {
    /// Where the operands `together` make the result, one that is complete would count once per device. Returns the axes
    /// along which it cannot be told whether one is.
    fn made_of_all(&self, together: &[usize]) -> Result<AxisSet, Problem> {
        let Self { view, operands, rule, shards, mesh, reduction, .. } = *self;
        let mut unknown = AxisSet::EMPTY;
        for index in together {
            let operand = &operands[*index];
            // A shard of a reduced dim contributes, even if it is the same on all devices.
            let gone: AxisSet =
                rule.operands[*index].iter().flatten().flat_map(|f| &shards.factors[*f]).collect();
            let missing = self.axes.minus(operand.partial_axes().union(gone).union(operand.sharded()));
            if missing.is_empty() || is_idempotent(reduction) || is_neutral(view, *index, reduction) {
                continue;
            }
            if rule.operands[*index].iter().flatten().any(|factor| self.may_be_shards(*factor)) {
                // It may be a shard of what a broadcast made.
                unknown = unknown.union(missing);
            } else {
                let missing = mesh.describe(&missing.iter().collect::<Vec<_>>()).join(", ");
                return misused(format!(
                    "operand {index} is complete, but the result is a contribution to a {} over {missing}: \
                     it would count once per device",
                    reduction_name(reduction)
                ));
            }
        }
        Ok(unknown)
    }

    /// Whether a factor is combined here, or contributions are equal along it too.
    fn may_be_shards(&self, factor: usize) -> bool {
        let has = |operand: &usize| self.rule.operands[*operand].iter().flatten().any(|own| *own == factor);
        let meets = !self.rule.is_in_results(factor) || self.partial.iter().all(has);
        self.shards.uniform[factor] && meets
    }

    /// A contribution to one of the operands `each` makes one to the result, if the others are the same everywhere.
    fn made_of_one(&self, each: &[usize], together: &[usize]) -> Result<(), Problem> {
        let Self { operands, mesh, partial, .. } = self;
        if let Some(first) = partial.first().filter(|_| !partial.iter().all(|index| each.contains(index))) {
            let index = partial.iter().find(|index| !together.contains(index)).unwrap_or(first);
            let names = mesh.describe(&self.axes.iter().collect::<Vec<_>>()).join(", ");
            return misused(format!(
                "operand {index} is only a contribution to a {} over {names}, but is used as if it were complete",
                reduction_name(self.reduction)
            ));
        }
        for index in partial {
            let over = operands[*index].partial_axes();
            for (other, meaning) in operands.iter().enumerate().filter(|(other, _)| other != index) {
                let clash = over.intersection(meaning.varies());
                if !clash.is_empty() {
                    let names = mesh.describe(&clash.iter().collect::<Vec<_>>()).join(", ");
                    return misused(format!(
                        "operand {index} is a contribution to a sum over {names}, and operand {other} is not the same \
                         on all devices that contribute"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Whether combining something twice changes nothing.
fn is_idempotent(reduction: Reduction) -> bool {
    !matches!(reduction, Reduction::Sum | Reduction::Product)
}

/// Whether an operand consists of constants that change nothing when combined.
pub(super) fn is_neutral(view: &InstView<'_>, operand: usize, reduction: Reduction) -> bool {
    is_neutral_value(view.body, view.inst.operands[operand], reduction)
}

/// How far back from a value its constant is looked for: a reshard takes few steps.
const FAR: usize = 16;

/// Whether a value consists of constants that change nothing when combined, repeated, cut, padded, put in another order or
/// sent as they may be.
pub(super) fn is_neutral_value(body: &Body, value: ValueId, reduction: Reduction) -> bool {
    let mut value = value;
    for _ in 0..FAR {
        let Def::Result(inst, _) = body.values[value].def else { return false };
        let inst = &body.insts[inst];
        match &inst.op {
            Op::Constant(constant) => return reducer::is_neutral(reduction, &constant.value),
            Op::Pad(_) if !is_neutral_value(body, inst.operands[1], reduction) => return false,
            Op::AllGather(_)
            | Op::AllToAll(_)
            | Op::BroadcastInDim(_)
            | Op::DynamicSlice(_)
            | Op::Pad(_)
            | Op::Reshape(_)
            | Op::Reverse(_)
            | Op::Slice(_)
            | Op::Transpose(_) => value = inst.operands[0],
            _ => return false,
        }
    }
    false
}
