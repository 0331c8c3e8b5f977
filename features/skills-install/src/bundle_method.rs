//! The method `install` of a generated bundle.

/// Gives `SKILLS` the method that installs them.
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
                target: impl ::core::convert::AsRef<$crate::Path>,
            ) -> ::core::result::Result<$crate::Report, $crate::InstallError> {
                let options = $crate::InstallOptions::new(::core::env!("CARGO_PKG_NAME"));
                $crate::install(self, target.as_ref(), &options)
            }
        }
    };
}
