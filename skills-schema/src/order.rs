//! The one sort of the crate: every list is sorted through it, so that sorting is compiled once.

use std::cmp::Ordering;

/// The numbers below `count` in the order that `compare` gives; equal ones stay as they were.
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}
