//! Which code an input reaches, if the compiler counts it.
//!
//! With `RUSTFLAGS` as `docs/testing.md` gives them, LLVM counts each edge of the program in one byte and registers the
//! bytes when the program starts (SanitizerCoverage's inline 8-bit counters). Without them there are no counters, and
//! every input is as good as another.

#![allow(unsafe_code)] // the compiler calls what counts edges

use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize, Ordering};

static START: AtomicPtr<AtomicU8> = AtomicPtr::new(std::ptr::null_mut());
static LEN: AtomicUsize = AtomicUsize::new(0);

/// Called by what LLVM adds to each object file; all of them name the same bytes.
///
/// # Safety
/// `start` and `stop` are the bounds of counters that live as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    START.store(start.cast(), Ordering::Relaxed);
    LEN.store(stop as usize - start as usize, Ordering::Relaxed);
}

fn counters() -> &'static [AtomicU8] {
    let start = START.load(Ordering::Relaxed);
    if start.is_null() {
        return &[];
    }
    // Safety: the bounds are those of counters that live as long as the program; they are only read as atomics here.
    unsafe { std::slice::from_raw_parts(start, LEN.load(Ordering::Relaxed)) }
}

/// Edges that have been reached so far.
#[derive(Debug, Default)]
pub struct Seen {
    /// For each edge, a bit for each order of magnitude in which it was counted.
    orders: Vec<u8>,
}

impl Seen {
    /// Returns whether anything is counted.
    pub fn is_counted() -> bool {
        !counters().is_empty()
    }

    /// Forgets what was counted before a run.
    pub fn start() {
        counters().iter().for_each(|counter| counter.store(0, Ordering::Relaxed));
    }

    /// Takes in what a run has reached; the number of edges that it reached anew, or more often than before.
    pub fn take_in(&mut self) -> usize {
        let counters = counters();
        self.orders.resize(counters.len(), 0);
        let mut num_new = 0;
        for (counter, orders) in counters.iter().zip(&mut self.orders) {
            let count = counter.load(Ordering::Relaxed);
            if count > 0 {
                let order = 1 << count.ilog2();
                num_new += usize::from(*orders & order == 0);
                *orders |= order;
            }
        }
        num_new
    }

    /// The number of edges that were reached.
    pub fn num_edges(&self) -> usize {
        self.orders.iter().filter(|orders| **orders != 0).count()
    }
}
