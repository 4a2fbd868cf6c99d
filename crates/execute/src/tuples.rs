//! Tuples of a run. A value of the interpreter is a tensor; that of a tuple is the number under which its members are
//! kept, as long as somebody holds the number.

use std::collections::BTreeMap;

use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, Type};

/// The tuples that are still held, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Tuples {
    next: u64,
    /// The stand-in that was given out, and the members.
    held: BTreeMap<u64, (Tensor, Vec<Tensor>)>,
    /// How many may be held before those that nobody holds any more are looked for.
    limit: usize,
}

/// Tuples that are kept without looking for some to drop.
const FEW: usize = 64;

impl Tuples {
    /// A stand-in for a tuple of these members.
    pub(crate) fn pack(&mut self, members: Vec<Tensor>) -> Tensor {
        if self.held.len() >= self.limit {
            // A tuple may be a member of one that is dropped: what is left may be more than what is held.
            self.held.retain(|_, (stand_in, _)| !stand_in.is_unshared());
            self.limit = FEW.max(2 * self.held.len());
        }
        let number = self.next;
        self.next += 1;
        let stand_in = Tensor::from_vec(ElementType::Ui64, [], vec![number]);
        self.held.insert(number, (stand_in.clone(), members));
        stand_in
    }

    /// The members of a tuple.
    pub(crate) fn unpack(&self, stand_in: &Tensor) -> Result<Vec<Tensor>, EvalError> {
        let number = stand_in.dense::<u64>()?.first().copied();
        let held = number.and_then(|number| self.held.get(&number));
        let (_, members) = held.ok_or_else(|| EvalError::new("this tuple was made by another device"))?;
        Ok(members.clone())
    }

    /// A value of a type as tensors: itself, or the members of the tuple, in order.
    pub(crate) fn flat(&self, value: Tensor, ty: &Type) -> Result<Vec<Tensor>, EvalError> {
        let Type::Tuple(types) = ty else { return Ok(vec![value]) };
        let members = self.unpack(&value)?.into_iter().zip(types);
        Ok(members.map(|(member, ty)| self.flat(member, ty)).collect::<Result<Vec<_>, _>>()?.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_that_nobody_holds_are_dropped() {
        let mut tuples = Tuples::default();
        let held = tuples.pack(vec![Tensor::scalar_i32(7)]);
        for number in 0..1000 {
            let inner = tuples.pack(vec![Tensor::scalar_i32(number)]);
            tuples.pack(vec![inner]);
        }
        assert!(tuples.held.len() <= 2 * FEW, "{} are held", tuples.held.len());
        assert_eq!(tuples.unpack(&held).unwrap()[0].scalar_as_i64(), Ok(7));
    }

    #[test]
    fn members_of_members_come_in_order() {
        let mut tuples = Tuples::default();
        let inner = tuples.pack(vec![Tensor::scalar_i32(2)]);
        let outer = tuples.pack(vec![Tensor::scalar_i32(1), inner]);
        let scalar = Type::Tensor(Tensor::scalar_i32(0).ty());
        let ty = Type::Tuple(vec![scalar.clone(), Type::Tuple(vec![scalar])]);
        let flat: Vec<_> = tuples.flat(outer, &ty).unwrap().iter().map(Tensor::scalar_as_i64).collect();
        assert_eq!(flat, [Ok(1), Ok(2)]);
    }
}
