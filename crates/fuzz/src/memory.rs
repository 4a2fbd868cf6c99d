//! An allocator with a limit. A thread that asks for more than is left waits forever, so that its case can be reported
//! instead of the whole test being killed.

#![allow(unsafe_code)] // an allocator that counts is one

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The system's allocator, giving out at most `LIMIT` bytes at a time.
pub struct LimitedAllocator<const LIMIT: usize> {
    used: AtomicUsize,
    is_exceeded: AtomicBool,
}

impl<const LIMIT: usize> Default for LimitedAllocator<LIMIT> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const LIMIT: usize> LimitedAllocator<LIMIT> {
    /// With nothing given out.
    pub const fn new() -> Self {
        Self { used: AtomicUsize::new(0), is_exceeded: AtomicBool::new(false) }
    }

    /// Returns whether somebody asked for too much, and is waiting.
    pub fn is_exceeded(&self) -> bool {
        self.is_exceeded.load(Ordering::Relaxed)
    }

    fn take(&self, size: usize) {
        let before = self.used.fetch_add(size, Ordering::Relaxed);
        if before.saturating_add(size) > LIMIT {
            self.used.fetch_sub(size, Ordering::Relaxed);
            self.is_exceeded.store(true, Ordering::Relaxed);
            loop {
                std::thread::sleep(Duration::from_secs(3600));
            }
        }
    }
}

// Safety: everything is passed on to the system's allocator.
unsafe impl<const LIMIT: usize> GlobalAlloc for LimitedAllocator<LIMIT> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.take(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.used.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        self.take(new_size.saturating_sub(layout.size()));
        self.used.fetch_sub(layout.size().saturating_sub(new_size), Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
