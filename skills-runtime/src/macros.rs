//! Macros of generated code: what the features of this crate leave in it.

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

/// Keeps what makes skills callable.
#[cfg(feature = "call")]
#[doc(hidden)]
#[macro_export]
macro_rules! __call {
    ($($items:tt)*) => { $($items)* };
}

/// Leaves out what makes skills callable.
#[cfg(not(feature = "call"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __call {
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
