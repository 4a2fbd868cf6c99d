//! Stacks of what layers read and leave: which there are, and who fills them.
//!
//! Input: values of layers, in order. Output: how they lie in a stack, as an argument, filled by a loop, or put together.

use meshwright_ir::build::Builder;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::concatenate::Concatenate;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::dynamic_update_slice::DynamicUpdateSlice;
use meshwright_ir::ops::slice::Slice;
use meshwright_tensor::types::{ElementType, TensorType};

use super::repeats::Made;

/// Place of the layers of a stack in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Along their first dim, of which each has one: `[1, ...]` becomes `[layers, ...]`.
    Along,
    /// Along a dim in front of theirs: `[...]` becomes `[layers, ...]`.
    InFront,
}

impl Way {
    /// The type of a stack of so many layers of a type.
    pub fn stack(self, layer: &TensorType, count: usize) -> TensorType {
        let mut ty = layer.clone();
        match self {
            Self::Along => ty.shape[0] = count,
            Self::InFront => ty.shape.insert(0, count),
        }
        ty
    }

    /// A layer as a stack of one.
    pub(super) fn as_stack(self, layer: ValueId, builder: &mut impl Builder) -> ValueId {
        match self {
            Self::Along => layer,
            Self::InFront => {
                let shape = self.stack(&builder.ty(layer), 1).shape;
                builder.reshaped(layer, &shape)
            }
        }
    }

    /// What a stack of one layer holds.
    fn of_one(self, one: ValueId, builder: &mut impl Builder) -> ValueId {
        match self {
            Self::Along => one,
            Self::InFront => {
                let shape = builder.ty(one).shape[1..].to_vec();
                builder.reshaped(one, &shape)
            }
        }
    }

    /// The layer at a position of a stack.
    pub(super) fn layer(self, stack: ValueId, at: usize, builder: &mut impl Builder) -> ValueId {
        let shape = builder.ty(stack).shape;
        let (mut start, mut limit) = (vec![0; shape.len()], shape.clone());
        (start[0], limit[0]) = (at, at + 1);
        let one = builder.add(Slice { start, limit, stride: vec![1; shape.len()] }, &[stack]);
        self.of_one(one, builder)
    }

    /// The layer at a position, behind which a zero stands for the other dims.
    pub(super) fn layer_at(
        self,
        stack: ValueId,
        position: (ValueId, ValueId),
        builder: &mut impl Builder,
    ) -> ValueId {
        let mut sizes = builder.ty(stack).shape;
        sizes[0] = 1;
        let starts = starts(sizes.len(), position);
        let one = builder.add(DynamicSlice { sizes }, &[&[stack], &starts[..]].concat());
        self.of_one(one, builder)
    }

    /// A stack with another layer at a position, behind which a zero stands for the other dims.
    pub(super) fn with_layer(
        self,
        stack: ValueId,
        layer: ValueId,
        position: (ValueId, ValueId),
        builder: &mut impl Builder,
    ) -> ValueId {
        let layer = self.as_stack(layer, builder);
        let starts = starts(builder.ty(stack).rank(), position);
        builder.add(DynamicUpdateSlice, &[&[stack, layer], &starts[..]].concat())
    }

    /// A stack of layers.
    pub(super) fn put_together(self, layers: &[ValueId], builder: &mut impl Builder) -> ValueId {
        let parts: Vec<ValueId> = layers.iter().map(|layer| self.as_stack(*layer, builder)).collect();
        builder.add(Concatenate { dim: 0 }, &parts)
    }
}

/// The first index of a layer at a position of a stack, dim by dim.
fn starts(rank: usize, (at, zero): (ValueId, ValueId)) -> Vec<ValueId> {
    std::iter::once(at).chain(std::iter::repeat_n(zero, rank - 1)).collect()
}

/// Positions of a stack, one for each turn of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Positions {
    /// That of the first turn.
    pub(super) first: usize,
    pub(super) is_down: bool,
}

impl Positions {
    /// Where these values are in a stack, one behind or in front of the other.
    pub(super) fn of(values: &[ValueId], stack: &[ValueId]) -> Option<Self> {
        let at = |first: usize, is_down: bool| {
            values.iter().enumerate().all(|(turn, value)| {
                let position = if is_down { first.checked_sub(turn) } else { Some(first + turn) };
                position.and_then(|position| stack.get(position)) == Some(value)
            })
        };
        let firsts = stack.iter().enumerate().filter(|(_, value)| **value == values[0]);
        let mut all = firsts.flat_map(|(first, _)| [false, true].map(|is_down| Self { first, is_down }));
        all.find(|found| at(found.first, found.is_down))
    }

    /// The position of a turn that is a value.
    pub(super) fn at(self, turn: ValueId, builder: &mut impl Builder) -> ValueId {
        match self {
            Self { first: 0, is_down: false } => turn,
            Self { first, is_down } => {
                let first = builder.splat(TensorType::scalar(ElementType::I32), first as f64);
                if is_down { builder.minus(first, turn) } else { builder.plus(first, turn) }
            }
        }
    }
}

/// What a loop writes into a stack in each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// What the turn makes.
    Made(Made),
    /// What the turn before has left.
    Carried(usize),
}

/// Who fills a stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling {
    pub(super) by: usize,
    pub(super) source: Source,
    pub(super) positions: Positions,
}

/// Values that are layers of one stack.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    pub(super) values: Vec<ValueId>,
    pub(super) way: Way,
    /// The loop that fills it, or a part of it.
    pub(super) filling: Option<Filling>,
    /// The stack whose place it takes.
    pub(super) over: Option<usize>,
    /// The stack in the new function, where that is there.
    pub(super) now: Option<ValueId>,
    /// Whether that has all layers.
    pub(super) is_whole: bool,
}

impl Stack {
    /// One that is not there yet.
    pub(super) fn of(values: Vec<ValueId>, way: Way, filling: Option<Filling>) -> Self {
        Self { values, way, filling, over: None, now: None, is_whole: false }
    }
}
