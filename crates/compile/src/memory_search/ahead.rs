//! Ways that are compiled at the same time, though they are looked at one after the other.
//!
//! Input: options of two ways of which neither depends on the other. Output: what each comes to, when it is asked for; so what is
//! found, and in which order, does not depend on threads. What nobody asks for warns nobody.

use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::thread::Builder;

use super::Asked;
use super::progress::OfWay;
use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::held::Held;
use crate::options::Options;

/// Stack of a thread that compiles: what the first thread of a process has.
const STACK: usize = 8 << 20;

/// What was compiled, and nobody has asked for yet.
#[derive(Default)]
pub(super) struct Ahead<'a>(RefCell<Vec<(Asked, Tried<'a>)>>);

/// What a way comes to, with what is warned of.
type Tried<'a> = (Result<Compiled, CompileError>, Held<'a>);

impl<'a> Ahead<'a> {
    /// Compiles two ways, each as if it were alone.
    pub(super) fn compile(
        &self,
        (program, source, machine): (&Program, &Source, &Machine),
        both: [Options; 2],
        control: &'a dyn Control,
    ) {
        let compiled = |options: &Options| -> Tried<'a> {
            let held = Held::back(control);
            let compiled = compile(program, source, machine, options, &OfWay::begin(&held, options));
            (compiled, held)
        };
        let [first, second] = &both;
        let tried = std::thread::scope(|scope| {
            let beside = || compiled(second);
            match Builder::new().stack_size(STACK).spawn_scoped(scope, beside) {
                Ok(thread) => {
                    let first = compiled(first);
                    [first, thread.join().unwrap_or_else(|why| resume_unwind(why))]
                }
                // Without another thread, one after the other.
                Err(_) => both.each_ref().map(compiled),
            }
        });
        let asked = both.each_ref().map(Asked::of);
        self.0.borrow_mut().extend(asked.into_iter().zip(tried));
    }

    /// What a way comes to, if it was compiled.
    pub(super) fn take(&self, asked: &Asked) -> Option<Result<Compiled, CompileError>> {
        let mut all = self.0.borrow_mut();
        let at = all.iter().position(|(own, _)| own == asked)?;
        let (_, (compiled, held)) = all.swap_remove(at);
        Some(held.taken(compiled))
    }
}
