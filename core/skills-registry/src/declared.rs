//! Frontmatter keys whose values are kept as written. A new key of one of the types `Text`, `List` and `Tools` needs one
//! entry here, which gives the struct its field, the row its column and the handle its method, and a line in `known.rs` of
//! `skills-core`.

use crate::facts::FACTS;
use crate::rows::{Texts, row};
use crate::skill::Skill;

/// Declares the keys: the key as `known.rs` spells it, `text` or `list`, the field, and the name of the
/// method. Keys marked `inert` are listed by [`Skill::inert_keys`], and texts marked `prose` by [`Declared::prose`].
macro_rules! declared {
    ($($(#[doc = $doc:literal])+ $key:literal: $kind:ident $field:ident = $get:ident $($mark:ident)?;)+) => {
        row! {
            /// The declared values of a frontmatter. `check` fills them in, and the tables store them.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct Declared, DECLARED: DeclaredColumns {
                $($(#[doc = $doc])+ $field: declared!(@owned $kind),)+
            }
        }

        impl Declared {
            /// Returns the field for the text of a key, or `None` if the key does not hold a text.
            pub fn text(&mut self, key: &str) -> Option<&mut Option<String>> {
                match key { $($key => declared!(@text $kind self $field),)+ _ => None }
            }

            /// Returns the field for the items of a key, or `None` if the key does not hold a list.
            pub fn list(&mut self, key: &str) -> Option<&mut Vec<String>> {
                match key { $($key => declared!(@list $kind self $field),)+ _ => None }
            }

            /// Returns the texts that models and users read, in which a bundle replaces `{{program.version}}`.
            pub fn prose(&mut self) -> impl Iterator<Item = &mut String> {
                let texts = [$($(declared!(@prose $mark self $field),)?)+];
                texts.into_iter().flatten()
            }
        }

        impl<'a> Skill<'a> {
            $($(#[doc = $doc])+ pub fn $get(self) -> declared!(@read $kind) {
                self.fact(FACTS.declared).get(DECLARED.$field)
            })+

            /// Returns the keys of this skill that this library does not act on. If the host ignores them
            /// too, the skill does not run as its author intended.
            pub fn inert_keys(self) -> impl Iterator<Item = &'static str> {
                let given = [$($(declared!(@given $mark $kind self $get $key),)?)+];
                given.into_iter().flatten()
            }
        }
    };
    (@owned text) => { Option<String> };
    (@owned list) => { Vec<String> };
    (@text text $declared:ident $field:ident) => { Some(&mut $declared.$field) };
    (@text list $declared:ident $field:ident) => { None };
    (@list text $declared:ident $field:ident) => { None };
    (@list list $declared:ident $field:ident) => { Some(&mut $declared.$field) };
    (@read text) => { Option<&'a str> };
    (@read list) => { Texts<'a> };
    (@prose prose $declared:ident $field:ident) => { $declared.$field.as_mut() };
    (@prose inert $declared:ident $field:ident) => { None };
    (@given prose $($rest:tt)*) => { None };
    (@given inert text $skill:ident $get:ident $key:literal) => { $skill.$get().map(|_| $key) };
    (@given inert list $skill:ident $get:ident $key:literal) => { $skill.$get().next().map(|_| $key) };
}

declared! {
    /// The program named by `exec`, even if the file does not exist.
    "exec": text exec = declared_exec;
    /// Keywords that trigger the skill, as written.
    "trigger": text trigger = trigger prose;
    /// The URL of a page with more information.
    "homepage": text homepage = homepage prose;
    /// A hint for users about the arguments to type after the name.
    "argument-hint": text argument_hint = argument_hint prose;
    /// The tools the skill may use, each entry as written.
    "allowed-tools": list allowed_tools = allowed_tools;
    /// The names of the arguments, in order.
    "arguments": list arguments = arguments;
    /// When the skill should be used. Clients add this to the description.
    "when-to-use": text when_to_use = when_to_use prose;
    /// The name shown to people.
    "display-name": text display_name = display_name prose;
    /// The model that the skill wants. This library does not act on it.
    "model": text model = model inert;
    /// How much effort the model should spend. This library does not act on it.
    "effort": text effort = effort inert;
    /// Where a client runs the skill, such as `fork`. This library does not act on it.
    "context": text context = context inert;
    /// The kind of sub-agent that runs the skill. This library does not act on it.
    "agent": text agent = agent inert;
    /// The shell for commands in the body. This library does not run any.
    "shell": text shell = shell inert;
    /// Globs of the files for which a client offers the skill. This library does not act on them.
    "paths": list paths = paths inert;
    /// The tools that the skill must not use, each entry as written. The host has to enforce this. `*` if the
    /// key could not be read.
    "disallowed-tools": list disallowed_tools = disallowed_tools inert;
}
