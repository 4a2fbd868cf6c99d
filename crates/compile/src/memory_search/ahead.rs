//! Ways that are compiled at the same time, though they are looked at one after the other.
//!
//! Input: options of two ways of which neither depends on the other. Output: what each comes to, when it is asked for; so what is
//! found, and in which order, does not depend on threads. What nobody asks for warns nobody.

use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use std::cell::RefCell;

use super::Asked;
use super::progress::OfWay;
use crate::at_once;
use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::held::Held;
use crate::options::Options;

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
        let (first, second) = at_once::both(|| compiled(first), || compiled(second));
        let asked = both.each_ref().map(Asked::of);
        self.0.borrow_mut().extend(asked.into_iter().zip([first, second]));
    }

    /// What a way comes to, if it was compiled.
    pub(super) fn take(&self, asked: &Asked) -> Option<Result<Compiled, CompileError>> {
        let mut all = self.0.borrow_mut();
        let at = all.iter().position(|(own, _)| own == asked)?;
        let (_, (compiled, held)) = all.swap_remove(at);
        Some(held.taken(compiled))
    }
}
