//! What generated code names: the registry and everything that runs a skill.

#[cfg(feature = "include_dir")]
mod dir;

#[cfg(feature = "install")]
pub mod install;
#[cfg(feature = "typed")]
pub mod typed;

#[cfg(feature = "include_dir")]
pub use dir::Dirs;
#[cfg(feature = "include_dir")]
pub use include_dir;
pub use skills_registry::{
    McpServer, McpServers, Mode, NotFound, Prompt, Registry, Resource, Resources, Skill, Skills, Style,
    Tables, Texts, is_on_path,
};
#[cfg(feature = "typed")]
pub use typed::{Invalid, Violation};

/// What the types of a skill are made of: generated code has these names and no others.
#[cfg(feature = "typed")]
#[doc(hidden)]
pub mod p {
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

    pub use crate::typed::*;
    pub use crate::__serde_impls as serde_impls;
}

/// Keeps the typed half of a skill's module.
#[cfg(feature = "typed")]
#[doc(hidden)]
#[macro_export]
macro_rules! __typed {
    ($($items:tt)*) => { $($items)* };
}

/// Leaves out the typed half of a skill's module.
#[cfg(not(feature = "typed"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __typed {
    ($($items:tt)*) => {};
}

/// Implements serde's traits for the type of a whole schema: what is read is checked.
#[cfg(all(feature = "typed", feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __serde_impls {
    ($type:ident, $tables:ident) => {
        impl $crate::typed::serde::Serialize for $type {
            fn serialize<S: $crate::typed::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::typed::serialize(self, serializer)
            }
        }
        impl<'de> $crate::typed::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::typed::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::typed::deserialize(&$tables, deserializer)
            }
        }
    };
}

/// Leaves serde's traits out.
#[cfg(all(feature = "typed", not(feature = "serde")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __serde_impls {
    ($type:ident, $tables:ident) => {};
}
