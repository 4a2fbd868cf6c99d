//! The program of one device as a list of what happens in it: the walk that is priced, swept for memory, and emitted.
//!
//! Input: an analyzed function and its shardings. Output: a [`Lowering`]: events in program order, and the local
//! tensors ([`Buffer`]) that they read and make. The partitioner emits these events and decides nothing itself; time
//! ([`mod@crate::estimate`]) and memory ([`mod@crate::memory`]) are read off the same list.
//!
//! A value has one buffer in the sharding in which it is *kept* (`Shardings::values`), and others in the shardings in
//! which it is read or made:
//!
//! - [`Event::Reshard`] reads a value in one sharding and makes it in another, by the steps of
//!   [`crate::reshard::steps`].
//! - [`Event::Compute`] reads the instruction's operands as its strategy asks (`Strategy::operand_sharding`, with the
//!   contributions that are passed on), then what its reducers read from around them, whole. It makes the results as
//!   the strategy gives them (`Strategy::result_sharding`), possibly partial; reshards bring them to how they are kept.
//!   A return reads what the function's results (`Shardings::results`), the arguments of the loop's body or the
//!   results of the conditional are kept like, a loop's condition whole; it makes nothing.
//! - [`Event::Enter`] begins a region and makes its arguments, as they are kept. The first of an instruction reads the
//!   operands: a loop's as its body's arguments are kept, a conditional's whole. The others read nothing: a loop's body
//!   finds what the condition saw.
//! - [`Event::Leave`] ends it, behind its return. What was made since is gone.
//! - [`Event::Compute`] behind an instruction's regions reads nothing and makes its results, as they are kept.
//!
//! Operands are brought to an instruction in their order, and a value to the same sharding once: the buffer serves all
//! readers behind it, in the same region and those inside. A use of `Policy::GatherAgain` begins a group: for its reader
//! the value is brought there again from how it is kept, behind a barrier, and readers behind it share that buffer. What
//! is made otherwise than it is kept serves readers too, unless it is partial.
//!
//! ```text
//! %1 = dot_general %x, %w      Reshard %w -> %w'; Compute reads %x, %w'
//! %2 = while(%i = %1) {...}    Enter reads %1, makes %i; ...; Leave; Enter ...; Leave; Compute makes %2
//! %3 = dot_general %2, %w      Compute reads %2, %w'; with GatherAgain: Reshard %w -> %w''; Compute reads %2, %w''
//! ```

use crate::analysis::Analysis;
use meshwright_ir::ids::{Id, InstId, RegionId, ValueId};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::Shardings;
use std::ops::Range;

mod verify;
mod walk;

#[cfg(test)]
mod tests;

/// Number of a local tensor: below the number of values, that value as it is kept; from there on, another form of one.
pub type BufferId = usize;

/// A value in one sharding on one device.
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    /// The global value.
    pub value: ValueId,
    /// Bytes of the shard.
    pub bytes: u64,
}

/// A step of the program of one device. Ranges are those of [`Lowering::buffers_in`].
#[derive(Clone, Debug)]
pub enum Event {
    /// An instruction runs (a return included), or the regions of one have run.
    Compute {
        /// The global instruction.
        inst: InstId,
        /// Its operands, and what its reducers read from around them.
        reads: Range<usize>,
        /// Its results.
        makes: Range<usize>,
    },
    /// A value is brought from one sharding to another.
    Reshard(Box<Reshard>),
    /// A region of a loop or a conditional begins; its arguments take over what is read.
    Enter {
        /// The loop or conditional.
        inst: InstId,
        /// The region.
        region: RegionId,
        /// The operands, if it is the first of its regions.
        reads: Range<usize>,
        /// The region's arguments.
        makes: Range<usize>,
    },
    /// A region ends, behind its return.
    Leave {
        /// The loop or conditional.
        inst: InstId,
    },
}

impl Event {
    /// The instruction that it is part of, or that a reshard is done for or by.
    pub fn inst(&self) -> InstId {
        match self {
            Self::Reshard(reshard) => reshard.inst,
            Self::Compute { inst, .. } | Self::Enter { inst, .. } | Self::Leave { inst } => *inst,
        }
    }
}

/// A change of sharding. Rare and large, so events hold it at arm's length.
#[derive(Clone, Debug)]
pub struct Reshard {
    /// The instruction that reads the target, or that makes the source.
    pub inst: InstId,
    /// The sharding of the source.
    pub from: Sharding,
    /// The sharding of the target.
    pub to: Sharding,
    /// The buffer that is read.
    pub source: BufferId,
    /// The buffer that is made.
    pub target: BufferId,
    /// A barrier stands before it, since it must not be merged with an earlier one.
    pub is_apart: bool,
}

/// All that happens.
#[derive(Clone, Debug)]
pub struct Lowering<'a> {
    /// The function.
    pub analysis: &'a Analysis<'a>,
    /// Decisions for it.
    pub shardings: &'a Shardings,
    /// The events in order; the last is the function's return.
    pub events: Vec<Event>,
    /// The local tensors.
    pub buffers: Vec<Buffer>,
    /// The buffers that the ranges of events are of.
    pool: Vec<BufferId>,
}

impl<'a> Lowering<'a> {
    /// Lowers a function with verified shardings.
    pub fn new(analysis: &'a Analysis<'a>, shardings: &'a Shardings) -> Self {
        walk::lowering(analysis, shardings)
    }

    /// The buffers of a range that an event gives.
    pub fn buffers_in(&self, range: &Range<usize>) -> &[BufferId] {
        &self.pool[range.clone()]
    }

    /// The buffers that an event reads and makes.
    pub fn accesses<'e>(&'e self, event: &'e Event) -> (&'e [BufferId], &'e [BufferId]) {
        match event {
            Event::Compute { reads, makes, .. } | Event::Enter { reads, makes, .. } => {
                (self.buffers_in(reads), self.buffers_in(makes))
            }
            Event::Reshard(reshard) => {
                (std::slice::from_ref(&reshard.source), std::slice::from_ref(&reshard.target))
            }
            Event::Leave { .. } => (&[], &[]),
        }
    }

    /// True of the buffer that is its value as it is kept.
    pub fn is_kept(&self, buffer: BufferId) -> bool {
        buffer == self.buffers[buffer].value.index()
    }
}
