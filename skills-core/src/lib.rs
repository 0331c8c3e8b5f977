//! Files become a checked `Catalog`, or diagnostics that say what to type.
