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

/// Gives `SKILLS` the method that installs them.
#[cfg(feature = "install")]
#[doc(hidden)]
#[macro_export]
macro_rules! __installing {
    ($bundle:ident) => {
        #[allow(dead_code, unreachable_pub)]
        impl $bundle {
            /// Installs or updates all skills below `target`, in the name of this package, and returns what was done.
            ///
            /// # Errors
            /// When the lock file of the target is damaged, or the system refuses to read or write.
            pub fn install(
                &self,
                target: impl ::core::convert::AsRef<$crate::install::Path>,
            ) -> ::core::result::Result<$crate::install::Report, $crate::install::InstallError> {
                let options = $crate::install::InstallOptions::new(::core::env!("CARGO_PKG_NAME"));
                $crate::install::install(self, target.as_ref(), &options)
            }
        }
    };
}

/// Leaves that method out.
#[cfg(not(feature = "install"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __installing {
    ($bundle:ident) => {};
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
