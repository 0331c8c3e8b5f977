//! A value with the place it was written at.

use crate::span::Span;

/// A value with the place it was written at.
#[derive(Clone, Debug)]
pub(super) struct Spanned<T> {
    pub(super) value: T,
    pub(super) span: Span,
}
