//! The type of an expression's result, and the values that a schema accepts.

pub(crate) mod alternative;
pub(crate) mod fit;
pub(crate) mod kinds;
pub(crate) mod type_set;
