//! Counts the steps that a thread has done. Tests use it to check that the work grows linearly with the size of an
//! input. Loops over an input count their steps here, especially loops that once took quadratic time.

#[cfg(debug_assertions)]
thread_local! {
    static DONE: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts steps. Does nothing in release builds.
#[inline]
pub fn count(steps: usize) {
    #[cfg(debug_assertions)]
    DONE.set(DONE.get().saturating_add(steps as u64));
    #[cfg(not(debug_assertions))]
    let _ = steps;
}

/// Returns the steps that this thread has counted so far; only in debug builds.
#[cfg(debug_assertions)]
pub fn done() -> u64 {
    DONE.get()
}
