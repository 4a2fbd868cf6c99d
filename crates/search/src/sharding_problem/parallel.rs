//! Work on a list by several threads at once; what comes of it does not depend on how many there are.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What each thread takes at a time is so small a part of what each has to do.
const PARTS: usize = 8;

/// What `make` makes of each item, in order. Every thread begins with what `start` makes. The threads are its own: those of
/// the pool may be busy with other meshes for long.
pub(super) fn map<T: Sync, S, R: Send>(
    items: &[T],
    start: impl Fn() -> S + Sync,
    make: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let threads = rayon::current_num_threads().min(items.len().max(1));
    let size = items.len().div_ceil(threads * PARTS).max(1);
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut state, mut made) = (start(), Vec::new());
        loop {
            let first = next.fetch_add(size, Ordering::Relaxed);
            let Some(part) = items.get(first..).filter(|part| !part.is_empty()) else { return made };
            let part = part.iter().take(size);
            made.push((first, part.map(|item| make(&mut state, item)).collect::<Vec<R>>()));
        }
    };
    let mut made: Vec<(usize, Vec<R>)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = others.into_iter().map(|thread| match thread.join() {
            Ok(made) => made,
            Err(why) => std::panic::resume_unwind(why),
        });
        others.flatten().chain(own).collect()
    });
    made.sort_unstable_by_key(|(first, _)| *first);
    made.into_iter().flat_map(|(_, part)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_come_back_in_order() {
        for (len, threads) in [(0, 2), (1, 2), (7, 3), (1000, 4)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let items: Vec<usize> = (0..len).collect();
            let made = pool.install(|| map(&items, || 1, |more, item| item + *more));
            assert_eq!(made, (1..=len).collect::<Vec<_>>());
        }
    }
}
