//! Tensor parallel (Shoeybi et al., 2019): the axis shards one dim of every weight, so that what one product leaves
//! sharded the next one contracts.
//!
//! Which dims those are follows from what they do in products ([`DimSet`]): those go first along which least is sent for
//! the work that is shared, which are heads and hidden widths. Experts come after them, being a style of their own, then
//! the width of the residual stream, which would make every product communicate. A set is taken if no weight of it is
//! sharded over the axis yet. Caches are sharded like the weights that fill them.
//!
//! Heads stay whole: a weight of keys that has fewer heads than the axis devices is sharded over a part of the axis, and
//! the devices of the rest hold the same. Where that is so of all weights of a set, or a dim does not divide, the style is
//! not taken unasked; as degrees ask for it, such heads are shared likewise, and other dims (vocabularies) are padded.

use super::{Strategy, data, shard_with_moments_as, shard_with_moments_over};
use crate::dim_sets::{DimSet, Site};
use crate::problem::{Answer, Cut, DimKind, GroupKind, Problem};
use meshwright_ir::mesh::SubAxisId;

/// Weights are sharded.
pub(super) const TENSOR: Strategy = Strategy { name: "tensor parallel", apply };

/// Weights are sharded, and tokens where activations are not (Korthikanti et al., 2022).
pub(super) const WITH_SEQUENCE: Strategy =
    Strategy { name: "tensor and sequence parallel", apply: apply_with_sequence };

/// The same as degrees ask for it: what does not divide is padded, or held by several devices.
pub(super) const AS_ASKED: Strategy =
    Strategy { name: TENSOR.name, apply: |problem, answer, axis| apply_to(problem, answer, axis, true) };

/// The same with sequence parallelism.
pub(super) const AS_ASKED_WITH_SEQUENCE: Strategy = Strategy {
    name: WITH_SEQUENCE.name,
    apply: |problem, answer, axis| with_sequence(problem, answer, axis, true),
};

fn apply(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    apply_to(problem, answer, axis, false)
}

fn apply_to(problem: &Problem, answer: &mut Answer, axis: usize, is_asked: bool) -> bool {
    let mut order: Vec<&DimSet> =
        problem.dim_sets.iter().filter(|set| !set.is_data && set.work.is_used).collect();
    let rank = |set: &DimSet| (set.is_residual, set.work.is_expert());
    // Ties go to what touches the fewest weights.
    order.sort_by(|a, b| {
        let prices = a.work.price().total_cmp(&b.work.price());
        rank(a).cmp(&rank(b)).then(prices).then(a.sites.len().cmp(&b.sites.len()))
    });
    let mut any = false;
    for set in order {
        if set.sites.iter().all(|site| problem.is_free(answer, site.group, axis)) {
            let is_sharded = shard_set(problem, answer, set, axis);
            if is_sharded && !set.work.is_expert() {
                shard_made(problem, answer, set, axis);
            }
            any |= is_sharded && set.work.flops > 0.0;
            if is_asked && !is_sharded && !set.is_residual && !set.work.is_expert() {
                match pad_set(problem, answer, set, axis) {
                    true => any |= set.work.flops > 0.0,
                    false => share_set(problem, answer, set, axis),
                }
            }
        }
    }
    any
}

/// Shards what products make along a set's dims. Otherwise weights might be gathered where they are small, which shards
/// the tokens instead.
fn shard_made(problem: &Problem, answer: &mut Answer, set: &DimSet, axis: usize) {
    let pieces = problem.meshes[answer.mesh].pieces(axis);
    for site in &set.made {
        if problem.is_free(answer, site.group, axis) {
            let taken = fitting(problem, answer, site, &pieces);
            problem.shard_over(answer, site.group, taken, site.dim);
        }
    }
}

fn apply_with_sequence(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    with_sequence(problem, answer, axis, false)
}

fn with_sequence(problem: &Problem, answer: &mut Answer, axis: usize, is_asked: bool) -> bool {
    apply_to(problem, answer, axis, is_asked)
        && data::shard_kind(problem, answer, axis, GroupKind::Activation, DimKind::Sequence)
}

/// Shards the dims of a set over `axis`, those with fewer heads over a part of it; none if no dim takes the whole axis.
pub(crate) fn shard_set(problem: &Problem, answer: &mut Answer, set: &DimSet, axis: usize) -> bool {
    let pieces = problem.meshes[answer.mesh].pieces(axis);
    let mut sharded = answer.clone();
    let mut is_whole = false;
    for site in &set.sites {
        let taken = fitting(problem, &sharded, site, &pieces);
        let done = shard_with_moments_over(problem, &mut sharded, site.group, taken, site.dim);
        is_whole |= done && taken.len() == pieces.len();
    }
    for site in &set.fed {
        let taken = fitting(problem, &sharded, site, &pieces);
        if problem.is_free(&sharded, site.group, axis) {
            problem.shard_over(&mut sharded, site.group, taken, site.dim);
        }
    }
    if is_whole {
        *answer = sharded;
    }
    is_whole
}

/// Shards the dims of a set over `axis` where they do not divide, with little padding in the last shards; not where they
/// are made of parts that stay whole.
fn pad_set(problem: &Problem, answer: &mut Answer, set: &DimSet, axis: usize) -> bool {
    let pieces = problem.meshes[answer.mesh].pieces(axis);
    let is_plain = |site: &Site| site.parts == [problem.groups[site.group].shape[site.dim]];
    if !set.sites.iter().all(is_plain) {
        return false;
    }
    let mut sharded = answer.clone();
    let mut pads = |site: &Site| {
        shard_with_moments_as(problem, &mut sharded, (site.group, site.dim), &pieces, Cut::Padded)
    };
    if !set.sites.iter().all(&mut pads) {
        return false;
    }
    for site in set.fed.iter().chain(&set.made) {
        if problem.is_free(&sharded, site.group, axis) {
            problem.shard_as(&mut sharded, (site.group, site.dim), &pieces, Cut::Padded);
        }
    }
    *answer = sharded;
    true
}

/// Shards the dims of a set over the part of `axis` between whose devices they can be cut; those of the rest hold the same.
fn share_set(problem: &Problem, answer: &mut Answer, set: &DimSet, axis: usize) {
    let pieces = problem.meshes[answer.mesh].pieces(axis);
    for site in &set.sites {
        let taken = fitting(problem, answer, site, &pieces);
        shard_with_moments_over(problem, answer, site.group, taken, site.dim);
    }
    for site in set.fed.iter().chain(&set.made) {
        if problem.is_free(answer, site.group, axis) {
            let taken = fitting(problem, answer, site, &pieces);
            problem.shard_over(answer, site.group, taken, site.dim);
        }
    }
}

/// The first of some sub-axes, as far as they cut between the parts of a dim.
fn fitting<'a>(problem: &Problem, answer: &Answer, site: &Site, pieces: &'a [SubAxisId]) -> &'a [SubAxisId] {
    let mesh = &problem.meshes[answer.mesh];
    let mut shards = problem.num_shards(answer, site.group)[site.dim];
    let fits = |piece: &&SubAxisId| {
        shards *= mesh.size(**piece);
        is_between(&site.parts, shards)
    };
    &pieces[..pieces.iter().take_while(fits).count()]
}

/// Whether so many equal shards of a dim are cut between its parts: every part is whole, or cut where those before it
/// are cut into single elements.
fn is_between(parts: &[usize], shards: usize) -> bool {
    let mut rest = shards;
    for part in parts {
        if part.is_multiple_of(rest) {
            return true;
        }
        if !rest.is_multiple_of(*part) {
            return false;
        }
        rest /= part;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_between;

    #[test]
    fn heads_stay_whole() {
        let cut = |parts: &[usize]| [2, 3, 4, 8, 16].map(|shards| is_between(parts, shards));
        assert_eq!(cut(&[8]), [true, false, true, true, false]);
        assert_eq!(cut(&[4, 6]), [true, false, true, true, false], "4 groups of 6 queries");
        assert_eq!(cut(&[6, 4]), [true, true, false, false, false], "groups are whole first");
    }
}
