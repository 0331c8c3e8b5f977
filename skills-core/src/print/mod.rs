//! Diagnostics become text: the only readers of a [`Report`](crate::diagnostic::Report).
