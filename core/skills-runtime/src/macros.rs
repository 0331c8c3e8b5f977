//! Macros of generated code: what the features of the facade and of this crate leave in it.

/// Keeps items. The facade picks between this and the next by its own features: those of this crate may be more, when
/// something else in the program asks for them.
#[doc(hidden)]
#[macro_export]
macro_rules! __keep {
    ($($items:tt)*) => { $($items)* };
}

/// Leaves items out.
#[doc(hidden)]
#[macro_export]
macro_rules! __omit {
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
