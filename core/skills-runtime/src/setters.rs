//! Setters of options: each takes them, sets one field and returns them.

/// Writes setters: the name of each, what it takes, which field it sets, and to what. The type itself is `#[must_use]`.
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
    // Those of what lies behind a method.
    (in $own:ident; $($(#[$about:meta])* $name:ident($given:ident: $type:ty) => $($field:ident).+ = $value:expr;)+) => {$(
        $(#[$about])*
        pub fn $name(mut self, $given: $type) -> Self {
            self.$own().$($field).+ = $value;
            self
        }
    )+};
}
