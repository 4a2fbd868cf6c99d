//! Two pieces of work at the same time, neither of which depends on the other.
//!
//! Input: what each of them does. Output: what both come to, which does not depend on threads.

use meshwright_ir::control::Control;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Stack of a thread that compiles: what the first thread of a process has.
const STACK: usize = 8 << 20;

/// Whether work may be done at once: not on one thread, nor where somebody looks at the order in which it is done.
pub(crate) fn is_possible(control: &dyn Control) -> bool {
    rayon::current_num_threads() > 1 && !control.is_watched()
}

/// What both come to, the first on this thread; one after the other where there is no further thread.
pub(crate) fn both<A, B: Send>(first: impl FnOnce() -> A, second: impl Fn() -> B + Sync) -> (A, B) {
    let beside = &second;
    scope(|scope| match Builder::new().stack_size(STACK).spawn_scoped(scope, beside) {
        Ok(thread) => {
            let first = first();
            (first, thread.join().unwrap_or_else(|why| resume_unwind(why)))
        }
        Err(_) => (first(), second()),
    })
}
