//! The type of an expression's result, and the values that a schema accepts.

pub(crate) mod alternative;
pub(crate) mod fit;
mod kinds;
pub(crate) mod type_set;

pub(crate) use kinds::Kinds;
pub(crate) use type_set::Type;
