//! A crate that others rename to `core`. It has nothing that generated code needs.
