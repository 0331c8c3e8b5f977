//! A crate that others rename to `core`: nothing generated code needs is in it.
