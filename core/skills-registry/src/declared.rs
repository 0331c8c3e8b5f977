//! Frontmatter keys whose values are kept as written: their struct, their columns and the methods of the
//! handle. A new key needs one entry here, two words more in `layout`, and a line in `known.rs` of
//! `skills-core`.

use std::borrow::Cow;

use crate::layout::skill;
use crate::list::Texts;
use crate::skill::Skill;

/// Declares the keys: the key as `known.rs` spells it, `text` or `list`, the field, and the name of the
/// method. Keys marked `inert` are listed by [`Skill::inert_keys`]. The value of each key takes two words at
/// the end of a skill's row.
macro_rules! declared {
    ($($(#[doc = $doc:literal])+ $key:literal: $kind:ident $field:ident = $get:ident $($inert:ident)?;)+) => {
        /// The declared values of a frontmatter. `check` fills them in, and the tables store them.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Declared {
            $($(#[doc = $doc])+ pub $field: declared!(@owned $kind),)+
        }

        #[expect(non_camel_case_types, reason = "each method has the name of its field")]
        enum Column { $($field,)+ End }

        const _: () = assert!(place(Column::End) == skill::WIDTH, "a row has room for every key, and no more");

        impl Declared {
            /// Returns the field for the text of a key, or `None` if the key does not hold a text.
            pub fn text(&mut self, key: &str) -> Option<&mut Option<String>> {
                match key { $($key => declared!(@text $kind self $field),)+ _ => None }
            }

            /// Returns the field for the items of a key, or `None` if the key does not hold a list.
            pub fn list(&mut self, key: &str) -> Option<&mut Vec<String>> {
                match key { $($key => declared!(@list $kind self $field),)+ _ => None }
            }

            /// Returns the column values, each with its position in the row.
            pub(crate) fn columns(&self) -> [(u32, DeclaredValue<'_>); Column::End as usize] {
                [$((place(Column::$field), declared!(@column $kind self $field)),)+]
            }
        }

        impl<'a> Skill<'a> {
            $($(#[doc = $doc])+ pub fn $get(self) -> declared!(@read $kind) {
                declared!(@get $kind)(self, place(Column::$field))
            })+

            /// Returns the keys of this skill that this library does not act on. If the host ignores them
            /// too, the skill does not run as its author intended.
            pub fn inert_keys(self) -> impl Iterator<Item = &'static str> {
                let given = [$($(declared!(@given $inert $kind self $get $key),)?)+];
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
    (@column text $declared:ident $field:ident) => { DeclaredValue::Text($declared.$field.as_deref()) };
    (@column list $declared:ident $field:ident) => { DeclaredValue::List(&$declared.$field) };
    (@read text) => { Option<&'a str> };
    (@read list) => { Texts<'a> };
    (@get text) => { Skill::optional };
    (@get list) => { Skill::texts };
    (@given inert text $skill:ident $get:ident $key:literal) => { $skill.$get().map(|_| $key) };
    (@given inert list $skill:ident $get:ident $key:literal) => { $skill.$get().next().map(|_| $key) };
}

declared! {
    /// The program named by `exec`, even if the file does not exist.
    "exec": text exec = declared_exec;
    /// Keywords that trigger the skill, as written.
    "trigger": text trigger = trigger;
    /// The URL of a page with more information.
    "homepage": text homepage = homepage;
    /// A hint for users about the arguments to type after the name.
    "argument-hint": text argument_hint = argument_hint;
    /// The tools the skill may use, each entry as written.
    "allowed-tools": list allowed_tools = allowed_tools;
    /// The names of the arguments, in order.
    "arguments": list arguments = arguments;
    /// When the skill should be used. Clients add this to the description.
    "when-to-use": text when_to_use = when_to_use;
    /// The name shown to people.
    "display-name": text display_name = display_name;
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

/// The value of a frontmatter key.
pub(crate) enum DeclaredValue<'a> {
    Text(Option<&'a str>),
    List(&'a [String]),
}

/// Returns the position of a column in the row of a skill.
const fn place(column: Column) -> u32 {
    skill::DECLARED + column as u32 * 2
}

impl<'a> Skill<'a> {
    /// Returns the text that describes the skill to a model before it loads it: the description, a space, and
    /// `when_to_use`.
    pub fn offer(self) -> Cow<'a, str> {
        offer(self.description(), self.when_to_use())
    }
}

/// Joins the two parts of the description for a model.
pub(crate) fn offer<'a>(description: &'a str, when: Option<&str>) -> Cow<'a, str> {
    match when.map(str::trim).filter(|when| !when.is_empty()) {
        Some(when) if description.trim().is_empty() => Cow::Owned(when.to_owned()),
        Some(when) => Cow::Owned(format!("{} {when}", description.trim_end())),
        None => Cow::Borrowed(description),
    }
}
