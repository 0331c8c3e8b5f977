//! Defines setters of options. Each takes the options by value, sets one field and returns them.

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
