//! Macros that include or omit parts of generated code by the features of the facade and of this crate.

/// Keeps items. The facade selects this macro or the next one by its own features, because another part of
/// the program may enable more features of this crate.
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

/// Implements serde's traits for the type of a whole schema. Deserialized values are checked.
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

/// Defines setters. Each line has the name, the parameter, the field and its new value. The type itself is `#[must_use]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __setters {
    ($($(#[$about:meta])* $name:ident($given:ident: $type:ty) => $($field:ident).+ = $value:expr;)+) => {$(
        $(#[$about])*
        pub fn $name(mut self, $given: $type) -> Self {
            self.$($field).+ = $value;
            self
        }
    )+};
    // Setters of fields that a method returns.
    (in $own:ident; $($(#[$about:meta])* $name:ident($given:ident: $type:ty) => $($field:ident).+ = $value:expr;)+) => {$(
        $(#[$about])*
        pub fn $name(mut self, $given: $type) -> Self {
            self.$own().$($field).+ = $value;
            self
        }
    )+};
}
