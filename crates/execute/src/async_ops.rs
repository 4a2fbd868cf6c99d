//! `async_start` and `async_done` on a device: what was started and not waited for yet.
//!
//! A collective is an op of its own file, which exchanges once and puts together what it gets. Started, it runs up to
//! the exchange, where the device hands in what it gives and goes on; waited for, it runs again, and the exchange gives
//! it what all members gave. Anything else is computed at the start. A future is the number under which it is kept.

use std::collections::BTreeMap;

use meshwright_ir::eval::Context;
use meshwright_ir::ids::RegionId;
use meshwright_ir::program::{Body, Def};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::ElementType;

use crate::interpreter::{Interpreter, World};
use crate::rendezvous::Ticket;

/// What a device does when an op exchanges.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Exchange {
    /// It hands in and waits.
    #[default]
    Block,
    /// It hands in, and the op is left.
    HandIn,
    /// It has done so.
    HandedIn(Ticket),
    /// It has handed in before, and waits.
    Await(Ticket),
}

/// What was started, by the number of its future.
#[derive(Debug, Default)]
pub(crate) struct Futures {
    next: u64,
    open: BTreeMap<u64, Started>,
}

#[derive(Debug)]
enum Started {
    /// Computed at the start.
    Complete(Vec<Tensor>),
    /// A collective: the function and region to run when all have arrived.
    InFlight { function: usize, region: RegionId, args: Vec<Tensor>, ticket: Ticket },
}

impl<W: World> Interpreter<'_, '_, W> {
    /// See [`Context::start`].
    pub(crate) fn start_region(&mut self, region: RegionId, args: Vec<Tensor>) -> Result<Tensor, EvalError> {
        let (function, body) = self.place();
        let started = if is_closed(body, region) {
            self.exchange = Exchange::HandIn;
            let results = self.call_region(region, args.clone());
            match std::mem::take(&mut self.exchange) {
                Exchange::HandedIn(ticket) => Started::InFlight { function, region, args, ticket },
                _ => Started::Complete(results?),
            }
        } else {
            Started::Complete(self.call_region(region, args)?)
        };
        let number = self.started.next;
        self.started.next += 1;
        self.started.open.insert(number, started);
        Ok(Tensor::from_vec(ElementType::Ui64, [], vec![number]))
    }

    /// See [`Context::finish`].
    pub(crate) fn finish_future(&mut self, future: &Tensor) -> Result<Vec<Tensor>, EvalError> {
        let number = future.dense::<u64>()?.first().copied();
        match number.and_then(|number| self.started.open.remove(&number)) {
            Some(Started::Complete(results)) => Ok(results),
            Some(Started::InFlight { function, region, args, ticket }) => {
                self.exchange = Exchange::Await(ticket);
                let results = self.run_isolated(function, region, args);
                self.exchange = Exchange::Block;
                results
            }
            None => Err(EvalError::new("what is waited for has been waited for before")),
        }
    }
}

/// Whether a region reads nothing from outside, so that it can run when what surrounds it has gone on.
fn is_closed(body: &Body, region: RegionId) -> bool {
    let insts = body.walk(region);
    let is_inside = |operand| match body.values[operand].def {
        Def::Result(inst, _) => insts.contains(&inst),
        Def::Argument(owner, _) => {
            owner == region || insts.iter().any(|inst| body.insts[*inst].regions.contains(&owner))
        }
    };
    insts.iter().flat_map(|inst| &body.insts[*inst].operands).all(|operand| is_inside(*operand))
}
