//! What queries get that conditions on data leave no key.
//!
//! The number that stands in the place of every score makes all keys count alike: the output is the mean of all values, and
//! all that the gradient reaches are the values. A number that is none makes the output none. Where there is a sink it is
//! larger than all of them: the output is zero, and so is every gradient.
//!
//! ```text
//! bias     as if they saw all keys: no number is left that is small enough to mask all of them
//! output   select(is seen, the call's output, sum of values / number of keys)
//! gradient the call gets select(is seen, gradient, 0); values get the rest / number of keys beside what it gives
//! ```

use super::dims::{Atom, Dim};
use super::emit::rearranged;
use super::matched::Attention;
use super::places::{BiasPart, Groups, Operand, output_groups};
use super::scores::PieceKind;
use meshwright_ir::build::Builder;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::types::ElementType;

/// Queries by whether conditions leave them a key.
pub(super) struct Queries {
    /// Whether they do.
    is_seen: ValueId,
    /// Its dims: batches, heads, queries.
    dims: Vec<Dim>,
    /// How much of each value the output of the others is; `None` if it is zero.
    share: Option<f64>,
}

impl Queries {
    /// The queries of an attention with such conditions.
    pub(super) fn of(attention: &Attention, b: &mut impl Builder, parts: &[BiasPart]) -> Option<Self> {
        let unseen = attention.unseen.as_ref()?;
        let groups = attention.groups_of(&unseen.conditions);
        let mut all = None;
        for BiasPart { operand, kind } in parts {
            let mut condition = attention.arrange(b, operand, &groups);
            if *kind == PieceKind::Condition(false) {
                condition = b.unary(Unary::Not, condition);
            }
            all = Some(all.map_or(condition, |all| b.binary(Binary::And, all, condition)));
        }
        let is_seen = b.reduced(Binary::Or, all?, vec![3], 0.0);
        Some(Self { is_seen, dims: dims_of(&groups[..3]), share: unseen.share })
    }

    /// The output of a call, with the mean of all values for queries without a key.
    pub(super) fn with_means(
        &self,
        attention: &Attention,
        b: &mut impl Builder,
        values: &Operand,
        output: ValueId,
    ) -> ValueId {
        let to = dims_of(&attention.output_dims());
        let is_seen = self.arranged(attention, b, &to);
        let Some(share) = self.share else { return b.only_where(is_seen, output) };
        let [.., of_v] = attention.gradient_groups();
        let values = attention.arrange(b, values, &of_v);
        let values = b.convert(values, ElementType::F32);
        let sum = b.sum(values, vec![2]);
        let mean = b.scaled(sum, share);
        let mean = b.convert(mean, attention.element);
        let [batches, heads, _, features] = of_v;
        let mean = rearranged(b, &attention.atoms, mean, &dims_of(&[batches, heads, features]), &to);
        b.choose(is_seen, output, mean)
    }

    /// One value for queries that have a key, another for those without; both have dims of these groups.
    pub(super) fn seen_or(
        &self,
        attention: &Attention,
        b: &mut impl Builder,
        groups: &Groups,
        seen: ValueId,
        unseen: ValueId,
    ) -> ValueId {
        let is_seen = self.arranged(attention, b, &dims_of(groups));
        b.choose(is_seen, seen, unseen)
    }

    /// A gradient of the output, zero for queries without a key.
    pub(super) fn only_seen(
        &self,
        attention: &Attention,
        b: &mut impl Builder,
        gradient: ValueId,
    ) -> ValueId {
        let is_seen = self.arranged(attention, b, &dims_of(&output_groups(attention)));
        b.only_where(is_seen, gradient)
    }

    /// The gradient of the values with what queries without a key add to it.
    pub(super) fn with_shares(
        &self,
        attention: &Attention,
        b: &mut impl Builder,
        gradient: ValueId,
        of_v: ValueId,
    ) -> ValueId {
        let Some(share) = self.share else { return of_v };
        let from = dims_of(&output_groups(attention));
        let is_seen = self.arranged(attention, b, &from);
        let is_unseen = b.unary(Unary::Not, is_seen);
        let gradient = b.convert(gradient, ElementType::F32);
        let shares = b.scaled(gradient, share);
        let shares = b.only_where(is_unseen, shares);
        let roles = &attention.roles;
        let apart: [&[Atom]; 5] =
            [&roles.batches, &roles.key_heads, &roles.shared, &roles.queries, &roles.values];
        let apart = dims_of(&apart.map(<[Atom]>::to_vec));
        let shares = rearranged(b, &attention.atoms, shares, &from, &apart);
        let sum = b.sum(shares, vec![2, 3]);
        let left = [apart[0].clone(), apart[1].clone(), apart[4].clone()];
        let [.., to]: [Groups; 3] = attention.gradient_groups();
        let sum = rearranged(b, &attention.atoms, sum, &left, &dims_of(&to));
        let sum = b.convert(sum, attention.element);
        b.plus(of_v, sum)
    }

    fn arranged(&self, attention: &Attention, b: &mut impl Builder, to: &[Dim]) -> ValueId {
        rearranged(b, &attention.atoms, self.is_seen, &self.dims, to)
    }
}

fn dims_of(groups: &[Vec<Atom>]) -> Vec<Dim> {
    groups.iter().cloned().map(Some).collect()
}
