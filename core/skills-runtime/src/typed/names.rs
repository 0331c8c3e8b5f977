//! The names that the generated types of a skill use, and no others.

pub use core::clone::Clone;
pub use core::cmp::{Eq, PartialEq};
pub use core::default::Default;
pub use core::fmt::Debug;
pub use core::marker::Copy;
pub use core::option::Option::{self, None, Some};
pub use core::primitive::{bool, f64, i32, i64, str, u32, u64, usize};
pub use core::result::Result::{self, Ok};
pub use serde_json::Value;
pub use std::boxed::Box;
pub use std::string::String;
pub use std::vec::Vec;

pub use super::{
    Checker, Decode, Decoding, Encode, Invalid, Map, Repair, Slot, ValueType, Writer, format, from_json,
    has_keys, optional, or_text, place, repair, required, rest, tag, to_json, variant,
};
pub use crate::__serde_impls as serde_impls;
