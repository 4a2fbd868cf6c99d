//! Places where the calls of an attention run, and the values that they read there.
//!
//! Input: an attention. Output: the instruction before which each call stands, and which of the values that are the same but
//! for the order of their elements each operand is made of.

use super::dims::{Atom, Atoms, Dim, Dims};
use super::masks::Bias;
use super::matched::{Attention, Given, Gradient};
use super::reader::{Known, Root};
use super::roles::{Layout, Roles};
use super::scores::{Piece, PieceKind};
use super::takes::Reason;
use super::way::Way;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::Def;
use meshwright_tensor::types::ElementType;

/// A value that is there, with its dims.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) value: ValueId,
    pub(super) dims: Dims,
}

/// A part of the bias.
#[derive(Clone, Debug)]
pub(super) struct BiasPart {
    pub(super) operand: Operand,
    pub(super) kind: PieceKind,
}

/// What a call reads that the forward call reads too.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    pub(super) q: Operand,
    pub(super) k: Operand,
    pub(super) v: Operand,
    pub(super) bias: Vec<BiasPart>,
    /// Conditions that may leave a query no key.
    pub(super) unseen: Vec<BiasPart>,
    /// The score of the sink, if there is one.
    pub(super) sink: Option<Operand>,
}

/// An attention with the places of its calls.
pub(super) struct Placed {
    pub(super) attention: Attention,
    pub(super) forward_at: InstId,
    pub(super) forward: Inputs,
    pub(super) backward: Option<Backward>,
    /// How the gradient gets the results of the forward call.
    pub(super) way: Way,
}

/// The call for the gradient.
pub(super) struct Backward {
    pub(super) at: InstId,
    pub(super) inputs: Inputs,
    /// The gradient of the output.
    pub(super) output: Operand,
}

impl Placed {
    /// The attention with places for its calls, if what they read is there.
    pub(super) fn of(known: &Known<'_>, attention: Attention) -> Result<Self, Reason> {
        let first = |given: &mut dyn Iterator<Item = &Given>| {
            let made = given.filter_map(|given| match known.body.values[given.value].def {
                Def::Result(id, _) => Some(id),
                Def::Argument(..) => None,
            });
            made.min_by_key(|id| known.position[*id])
        };
        let backward_at = match &attention.gradient {
            Some(_) => {
                let mut all = attention.gradients();
                Some(first(&mut all).ok_or(Reason::Gradient)?)
            }
            None => None,
        };
        let forward_at = first(&mut attention.outputs.iter()).or(backward_at).ok_or(Reason::Place)?;
        let place = Place { known, attention: &attention, at: forward_at };
        let forward = place.inputs([&attention.q, &attention.k, &attention.v], Reads::All)?;
        let way = match backward_at {
            Some(at) => Way::between(known, &attention, forward_at, at),
            None => Way::Direct,
        };
        // What the forward call keeps is made of the sink already.
        let reads = if matches!(way, Way::Again) { Reads::All } else { Reads::AllButSinks };
        let backward = match (&attention.gradient, backward_at) {
            (Some(gradient), Some(at)) => {
                let place = Place { at, ..place };
                let inputs = place.inputs([&gradient.q, &gradient.k, &gradient.v], reads)?;
                let output = place.operand(&gradient.output, &output_groups(&attention), None)?;
                Some(Backward { at, inputs, output })
            }
            _ => None,
        };
        Ok(Self { forward_at, forward, backward, attention, way })
    }

    /// Whether the forward call keeps what its gradient needs.
    pub(super) fn keeps_sums(&self) -> bool {
        self.backward.is_some() && !matches!(self.way, Way::Again)
    }

    /// All values that are given, each with the values that its call reads.
    pub(super) fn given(&self) -> impl Iterator<Item = (ValueId, Vec<ValueId>)> + '_ {
        let forward = self.forward.values();
        let mut backward = forward.clone();
        if let Some(own) = &self.backward {
            backward.extend(own.inputs.values());
            backward.push(own.output.value);
        }
        if let Way::Stacked(stacked) = &self.way {
            backward.extend([stacked.write_index, stacked.read_index]);
        }
        let outputs = self.attention.outputs.iter().map(move |given| (given.value, forward.clone()));
        outputs.chain(self.attention.gradients().map(move |given| (given.value, backward.clone())))
    }
}

impl Operand {
    fn moved(&self, to: impl Fn(ValueId) -> ValueId) -> Self {
        Self { value: to(self.value), dims: self.dims.clone() }
    }
}

impl Inputs {
    /// The same in another body.
    pub(super) fn moved(&self, to: impl Fn(ValueId) -> ValueId) -> Self {
        let part = |part: &BiasPart| BiasPart { operand: part.operand.moved(&to), kind: part.kind };
        let [q, k, v] = [&self.q, &self.k, &self.v].map(|operand| operand.moved(&to));
        let [bias, unseen] = [&self.bias, &self.unseen].map(|parts| parts.iter().map(part).collect());
        Self { q, k, v, bias, unseen, sink: self.sink.as_ref().map(|sink| sink.moved(&to)) }
    }

    fn values(&self) -> Vec<ValueId> {
        let own = [&self.q, &self.k, &self.v].map(|operand| operand.value);
        let parts = self.bias.iter().chain(&self.unseen).map(|part| &part.operand);
        own.into_iter().chain(parts.chain(&self.sink).map(|operand| operand.value)).collect()
    }
}

impl Backward {
    /// The same in another body.
    pub(super) fn moved(&self, to: impl Fn(ValueId) -> ValueId) -> Self {
        Self { at: self.at, inputs: self.inputs.moved(&to), output: self.output.moved(&to) }
    }
}

impl Attention {
    /// All gradients that are given.
    pub(super) fn gradients(&self) -> impl Iterator<Item = &Given> {
        self.gradient.iter().flat_map(|gradient| {
            let Gradient { of_q, of_k, of_v, of_bias, of_sink, .. } = gradient;
            [of_q, of_k, of_v, of_bias, of_sink].into_iter().flatten()
        })
    }
}

/// Dims of an operand as the kernel wants them: each the atoms of some roles.
pub(super) type Groups = [Vec<Atom>; 4];

/// Queries, keys or values, and what is like them.
pub(super) fn packed(
    layout: Layout,
    batches: &[Atom],
    positions: &[Atom],
    heads: &[Atom],
    features: &[Atom],
) -> Groups {
    let [a, b] = match layout {
        Layout::Btnh => [positions, heads],
        Layout::Bnth => [heads, positions],
    };
    [batches, a, b, features].map(<[Atom]>::to_vec)
}

/// Dims of the output, and of its gradient.
pub(super) fn output_groups(attention: &Attention) -> Groups {
    let roles = &attention.roles;
    packed(attention.layout, &roles.batches, &roles.queries, &roles.heads(), &roles.values)
}

/// Dims of queries, keys and values.
pub(super) fn input_groups(attention: &Attention) -> [Groups; 3] {
    let Roles { batches, key_heads, queries, keys, features, values, .. } = &attention.roles;
    let layout = attention.layout;
    [
        packed(layout, batches, queries, &attention.roles.heads(), features),
        packed(layout, batches, keys, key_heads, features),
        packed(layout, batches, keys, key_heads, values),
    ]
}

/// What a call reads of what the attention does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    All,
    AllButSinks,
}

/// An instruction before which a call is to stand.
struct Place<'k, 'a> {
    known: &'k Known<'a>,
    attention: &'k Attention,
    at: InstId,
}

impl Place<'_, '_> {
    fn inputs(&self, [q, k, v]: [&Root; 3], reads: Reads) -> Result<Inputs, Reason> {
        let [of_q, of_k, of_v] = input_groups(self.attention);
        let Attention { bias, unseen, sink, element, .. } = self.attention;
        let element = Some(*element);
        let unseen = unseen.as_ref().map(|unseen| &unseen.conditions);
        Ok(Inputs {
            q: self.operand(q, &of_q, element)?,
            k: self.operand(k, &of_k, element)?,
            v: self.operand(v, &of_v, element)?,
            bias: self.parts(bias.as_ref())?,
            unseen: self.parts(unseen)?,
            sink: match sink {
                Some(sink) if reads == Reads::All => Some(self.sink(&sink.root)?),
                _ => None,
            },
        })
    }

    /// The first value of the chain that is there: it is the smallest.
    fn sink(&self, root: &Root) -> Result<Operand, Reason> {
        let is_there = |(value, _): &&(ValueId, Dims)| self.known.is_there(*value, self.at);
        let (value, dims) = root.chain.iter().rev().find(is_there).ok_or(Reason::Place)?;
        Ok(Operand { value: *value, dims: dims.clone() })
    }

    /// The parts of what is added to scores, or conditions.
    fn parts(&self, bias: Option<&Bias>) -> Result<Vec<BiasPart>, Reason> {
        let Some(bias) = bias else { return Ok(Vec::new()) };
        let groups = self.attention.groups_of(bias);
        let part = |piece: &Piece| {
            Ok(BiasPart { operand: self.operand(&piece.root, &groups, None)?, kind: piece.kind })
        };
        bias.pieces.iter().map(part).collect()
    }

    /// Of the values of a chain that are there, the first one whose dims are these already, else the first of no others.
    fn operand(&self, root: &Root, groups: &Groups, element: Option<ElementType>) -> Result<Operand, Reason> {
        let atoms = &self.attention.atoms;
        let has_type = |value: &ValueId| {
            element.is_none_or(|element| self.known.ty(*value).is_some_and(|ty| ty.element == element))
        };
        let fits = |(value, dims): &&(ValueId, Dims)| {
            self.known.is_there(*value, self.at) && is_of(atoms, dims, groups) && has_type(value)
        };
        let is_arranged = |(_, dims): &&(ValueId, Dims)| {
            dims.len() == 4
                && dims.iter().zip(groups).all(|(dim, group)| {
                    dim.as_ref().is_some_and(|dim| atoms.leaves(dim) == atoms.leaves(group))
                })
        };
        let mut all = root.chain.iter().filter(fits);
        let found = all.clone().find(is_arranged).or_else(|| all.next()).ok_or(Reason::Place)?;
        Ok(Operand { value: found.0, dims: found.1.clone() })
    }
}

/// Whether every atom of these dims is one of the groups'.
fn is_of(atoms: &Atoms, dims: &[Dim], groups: &Groups) -> bool {
    let all: Vec<Atom> = groups.iter().flat_map(|group| atoms.leaves(group)).collect();
    dims.iter().all(Option::is_some) && atoms.all(dims).iter().all(|atom| all.contains(atom))
}
