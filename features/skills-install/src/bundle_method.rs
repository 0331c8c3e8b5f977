//! Defines the method `install` of a generated bundle.

/// Adds the method that installs the skills to `SKILLS`.
#[doc(hidden)]
#[macro_export]
macro_rules! __installing {
    ($bundle:ident $id:expr) => {
        #[allow(dead_code, unreachable_pub)]
        impl $bundle {
            /// Installs or updates all skills at `target` under the name of this bundle, and returns the executed
            /// steps. Writes stubs if `skills.toml` has the key `stub`.
            ///
            /// # Errors
            /// If the lock file of the target is damaged, or the system refuses to read or write.
            pub fn install(
                &self,
                target: impl ::core::convert::Into<$crate::Target>,
            ) -> ::core::result::Result<$crate::Report, $crate::InstallError> {
                $crate::install(self, target, &$crate::InstallOptions::new($id).of_program(self))
            }
        }
    };
}
