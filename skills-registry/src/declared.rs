//! The keys of a frontmatter that a program reads as they are written: their struct, their columns and what a handle
//! answers. Another key is one entry here, two words more in `layout`, and a line in `known.rs` of `skills-core`.

use std::borrow::Cow;

use crate::layout::skill;
use crate::list::Texts;
use crate::skill::Skill;

/// Declares the keys: the key as `known.rs` spells it, a `text` or a `list`, the field, and what the handle calls it; those
/// marked `inert` are told by [`Skill::inert_keys`]. Each takes two words of the row of a skill, behind all others.
macro_rules! declared {
    ($($(#[doc = $doc:literal])+ $key:literal: $kind:ident $field:ident = $get:ident $($inert:ident)?;)+) => {
        /// What a frontmatter declares; `check` fills it in, and the tables hold it.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Declared {
            $($(#[doc = $doc])+ pub $field: declared!(@owned $kind),)+
        }

        #[expect(non_camel_case_types, reason = "named as the fields are")]
        enum Column { $($field,)+ End }

        const _: () = assert!(place(Column::End) == skill::WIDTH, "a row has room for every key, and no more");

        impl Declared {
            /// Returns where the text of a key goes; nothing where the key has no text here.
            pub fn text(&mut self, key: &str) -> Option<&mut Option<String>> {
                match key { $($key => declared!(@text $kind self $field),)+ _ => None }
            }

            /// Returns where the items of a key go; nothing where the key has none here.
            pub fn list(&mut self, key: &str) -> Option<&mut Vec<String>> {
                match key { $($key => declared!(@list $kind self $field),)+ _ => None }
            }

            /// Returns what goes into the columns, each with its place in the row.
            pub(crate) fn columns(&self) -> [(u32, Said<'_>); Column::End as usize] {
                [$((place(Column::$field), declared!(@column $kind self $field)),)+]
            }
        }

        impl<'a> Skill<'a> {
            $($(#[doc = $doc])+ pub fn $get(self) -> declared!(@read $kind) {
                declared!(@get $kind)(self, place(Column::$field))
            })+

            /// Returns the keys that the skill gives and that nothing here acts on, in the order of SPEC 8.11: a host that
            /// does not either runs the skill otherwise than its author meant.
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
    (@column text $declared:ident $field:ident) => { Said::Text($declared.$field.as_deref()) };
    (@column list $declared:ident $field:ident) => { Said::List(&$declared.$field) };
    (@read text) => { Option<&'a str> };
    (@read list) => { Texts<'a> };
    (@get text) => { Skill::optional };
    (@get list) => { Skill::texts };
    (@given inert text $skill:ident $get:ident $key:literal) => { $skill.$get().map(|_| $key) };
    (@given inert list $skill:ident $get:ident $key:literal) => { $skill.$get().next().map(|_| $key) };
}

declared! {
    /// The program that the skill asks for, whether the file is there or not.
    "exec": text exec = declared_exec;
    /// Keywords that call for the skill, as written (SPEC 8.4).
    "trigger": text trigger = trigger;
    /// Where more is to be read.
    "homepage": text homepage = homepage;
    /// What users are told to type behind the name.
    "argument-hint": text argument_hint = argument_hint;
    /// The tools the skill may use, each whole (SPEC 2.5).
    "allowed-tools": list allowed_tools = allowed_tools;
    /// The names of the arguments, in order (SPEC 8.5).
    "arguments": list arguments = arguments;
    /// When the skill is to be used, which clients add to the description (SPEC 8.8).
    "when-to-use": text when_to_use = when_to_use;
    /// The name that people are shown.
    "display-name": text display_name = display_name;
    /// The model that the skill asks for; nothing here acts on it (SPEC 8.11).
    "model": text model = model inert;
    /// How hard the model is to think; nothing here acts on it (SPEC 8.11).
    "effort": text effort = effort inert;
    /// Where a client runs the skill, such as `fork`; nothing here acts on it (SPEC 8.11).
    "context": text context = context inert;
    /// The kind of sub-agent that runs it; nothing here acts on it (SPEC 8.11).
    "agent": text agent = agent inert;
    /// The shell for commands in the body; nothing here runs any (SPEC 8.5, 8.11).
    "shell": text shell = shell inert;
    /// Globs of the files for which a client offers the skill; nothing here acts on them (SPEC 8.11).
    "paths": list paths = paths inert;
    /// The tools that the skill may not use, each whole; the host is to see to it (SPEC 8.11). `*` where the key could not be read (SPEC 8.12).
    "disallowed-tools": list disallowed_tools = disallowed_tools inert;
}

/// What a frontmatter says under one key.
pub(crate) enum Said<'a> {
    Text(Option<&'a str>),
    List(&'a [String]),
}

/// Returns the place of a column in the row of a skill.
const fn place(column: Column) -> u32 {
    skill::DECLARED + column as u32 * 2
}

impl<'a> Skill<'a> {
    /// Returns what a model is told of the skill before it loads it: the description, and behind a blank what
    /// `when_to_use` says (SPEC 8.8).
    pub fn offer(self) -> Cow<'a, str> {
        offer(self.description(), self.when_to_use())
    }
}

/// Puts the two parts of what a model is told together (SPEC 8.8).
pub(crate) fn offer<'a>(description: &'a str, when: Option<&str>) -> Cow<'a, str> {
    match when.map(str::trim).filter(|when| !when.is_empty()) {
        Some(when) if description.trim().is_empty() => Cow::Owned(when.to_owned()),
        Some(when) => Cow::Owned(format!("{} {when}", description.trim_end())),
        None => Cow::Borrowed(description),
    }
}
