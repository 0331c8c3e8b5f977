//! What an expression can give, and what a schema takes of it.

pub(crate) mod alternative;
pub(crate) mod fit;
pub(crate) mod kinds;
pub(crate) mod type_set;
