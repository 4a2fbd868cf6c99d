//! What all parts of the recognition read: a body, what its values are, and their dims.

use std::collections::BTreeMap;

use super::dims::{Atom, Atoms, Dims};
use super::links::Links;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::{Body, Def, Inst};
use meshwright_tensor::types::TensorType;

/// Deepest chain of instructions that is followed for one question.
pub(super) const MAX_DEPTH: usize = 40;

/// A body with what is known of it.
pub(super) struct Known<'a> {
    pub(super) body: &'a Body,
    pub(super) links: Links,
    pub(super) uses: Table<ValueId, Vec<(InstId, usize)>>,
    /// The position of each instruction in the order of execution.
    pub(super) position: Table<InstId, usize>,
    pub(super) region_of: Table<InstId, RegionId>,
    /// The instruction that each region belongs to.
    owners: BTreeMap<RegionId, InstId>,
}

impl<'a> Known<'a> {
    pub(super) fn of(body: &'a Body) -> Self {
        let mut position = Table::filled(0, body.insts.len());
        let mut owners = BTreeMap::new();
        for (at, id) in body.walk(body.entry()).into_iter().enumerate() {
            position[id] = at;
            owners.extend(body.insts[id].regions.iter().map(|region| (*region, id)));
        }
        let (uses, region_of) = (body.uses(), body.region_of());
        Self { body, links: Links::of(body), uses, position, region_of, owners }
    }

    /// The instruction that makes a value, behind barriers and loops.
    pub(super) fn made(&self, value: ValueId) -> Option<(InstId, &'a Inst)> {
        match self.body.values[self.links.first(value)].def {
            Def::Result(id, _) => Some((id, &self.body.insts[id])),
            Def::Argument(..) => None,
        }
    }

    pub(super) fn ty(&self, value: ValueId) -> Option<&'a TensorType> {
        self.body.ty(value).as_tensor()
    }

    /// The readers of a value and of all that are the same.
    pub(super) fn readers(&self, value: ValueId) -> impl Iterator<Item = InstId> + '_ {
        let others = self.links.others(value).iter().copied();
        std::iter::once(value).chain(others).flat_map(|value| &self.uses[value]).map(|(reader, _)| *reader)
    }

    /// The loop that an instruction stands in, and where in it.
    pub(super) fn around(&self, id: InstId) -> Option<InstId> {
        self.owners.get(&self.region_of[id]).copied()
    }

    /// Whether a value is there when an instruction runs.
    pub(super) fn is_there(&self, value: ValueId, at: InstId) -> bool {
        let (region, is_before) = match self.body.values[value].def {
            Def::Argument(region, _) => (region, true),
            Def::Result(id, _) => (self.region_of[id], self.position[id] < self.position[at]),
        };
        is_before && self.is_around(region, at)
    }

    /// Whether an instruction stands in the region of another, or in one inside.
    pub(super) fn encloses(&self, id: InstId, at: InstId) -> bool {
        self.is_around(self.region_of[id], at)
    }

    fn is_around(&self, region: RegionId, at: InstId) -> bool {
        let mut inside = Some(self.region_of[at]);
        while let Some(own) = inside.filter(|own| *own != region) {
            inside = self.owners.get(&own).map(|owner| self.region_of[*owner]);
        }
        inside.is_some()
    }

    /// The number that all elements of a value are.
    pub(super) fn number(&self, value: ValueId) -> Option<f64> {
        self.number_within(value, MAX_DEPTH)
    }

    fn number_within(&self, value: ValueId, depth: usize) -> Option<f64> {
        let (_, inst) = self.made(value)?;
        let operand = |at: usize| self.number_within(*inst.operands.get(at)?, depth.checked_sub(1)?);
        let is_float = self.ty(*inst.results.first()?)?.element.is_float();
        match &inst.op {
            Op::Constant(op) => op.value.splat_f64(),
            Op::Convert(_) if !is_float => None,
            Op::Binary(_) if !is_float => None,
            Op::BroadcastInDim(_) | Op::Reshape(_) | Op::Transpose(_) | Op::Convert(_) => operand(0),
            Op::Unary(op) => {
                let x = operand(0)?;
                Some(match op {
                    Unary::Sqrt => x.sqrt(),
                    Unary::Rsqrt => x.sqrt().recip(),
                    Unary::Negate => -x,
                    _ => return None,
                })
            }
            Op::Binary(op) => {
                let (x, y) = (operand(0)?, operand(1)?);
                Some(match op {
                    Binary::Add => x + y,
                    Binary::Subtract => x - y,
                    Binary::Multiply => x * y,
                    Binary::Divide => x / y,
                    Binary::Power => x.powf(y),
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}

/// A value at the beginning of a chain of rearrangements.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// The value.
    pub(super) value: ValueId,
    /// Its dims.
    pub(super) dims: Dims,
    /// All values of the chain with their dims, from the end.
    pub(super) chain: Vec<(ValueId, Dims)>,
}

/// An operand of a product.
pub(super) struct Side {
    /// What it is.
    pub(super) root: Root,
    /// The atoms that the other operand does not have.
    pub(super) free: Vec<Atom>,
}

impl Known<'_> {
    /// Both operands of a product whose result has these dims; `contracted` makes the atoms that are summed along.
    pub(super) fn sides(
        &self,
        atoms: &mut Atoms,
        product: InstId,
        dims: &Dims,
        contracted: fn(&mut Atoms, &[usize]) -> Dims,
    ) -> Option<[Side; 2]> {
        let inst = &self.body.insts[product];
        let Op::DotGeneral(op) = &inst.op else { return None };
        let left = &self.ty(inst.operands[0])?.shape;
        let sizes: Vec<usize> = op.contracting[0].iter().map(|dim| left[*dim]).collect();
        let features = contracted(atoms, &sizes);
        let mut rest = dims[op.batch[0].len()..].iter();
        let mut side = |side: usize| {
            let (mut free, mut all) = (Vec::new(), Dims::new());
            for dim in 0..self.ty(inst.operands[side])?.rank() {
                let at = |of: &[Vec<usize>; 2]| of[side].iter().position(|other| *other == dim);
                let own = match (at(&op.batch), at(&op.contracting)) {
                    (Some(at), _) => dims[at].clone(),
                    (_, Some(at)) => features[at].clone(),
                    _ => rest.next()?.clone().inspect(|atoms| free.extend(atoms)),
                };
                all.push(own);
            }
            Some(Side { root: self.root(atoms, inst.operands[side], &all), free })
        };
        Some([side(0)?, side(1)?])
    }

    /// What a value is before its elements were arranged, and before they were widened.
    pub(super) fn root(&self, atoms: &mut Atoms, value: ValueId, dims: &Dims) -> Root {
        let mut root = Root { value, dims: dims.clone(), chain: Vec::new() };
        loop {
            root.chain.push((root.value, root.dims.clone()));
            let first = self.links.first(root.value);
            if first != root.value {
                root.value = first;
                root.chain.push((first, root.dims.clone()));
            }
            let Some((id, inst)) = self.made(first) else { return root };
            if matches!(inst.op, Op::Convert(_)) && !self.widens(inst) {
                return root;
            }
            let Some(dims) = atoms.backward(self.body, id, &root.dims) else { return root };
            (root.value, root.dims) = (inst.operands[0], dims);
        }
    }

    fn widens(&self, inst: &Inst) -> bool {
        let element = |value: &ValueId| self.ty(*value).map(|ty| ty.element);
        let (from, to) = (element(&inst.operands[0]), element(&inst.results[0]));
        from.zip(to).is_some_and(|(from, to)| {
            from == to || (from.is_float() && to.is_float() && from.bits() < to.bits())
        })
    }
}
