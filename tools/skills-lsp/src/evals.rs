//! Completion and hover in the files of `evals`.

use std::path::Path;

use lsp_types::CompletionItemKind;
use skills_registry::evals::{
    CASE_KEYS, EvalKey, INPUT, OUTPUT, QUERY_KEYS, SHOULD_TRIGGER, SKILL_NAME, SUITE_KEYS,
};

use crate::complete::{self, Word};
use crate::draft::Cursor;
use crate::index::IndexedSkill;
use crate::root::Root;

/// Returns `true` if a path is a file of cases or queries.
pub(crate) fn is_file(path: &Path) -> bool {
    let is_json = path.extension().is_some_and(|ending| ending == "json");
    is_json && path.parent().and_then(Path::file_name).is_some_and(|name| name == "evals")
}

/// Returns the keys of the object at a path of keys and indexes.
fn keys(path: &[&str]) -> &'static [EvalKey] {
    match path {
        [] => &SUITE_KEYS,
        ["evals", _] => &CASE_KEYS,
        [index] if index.bytes().all(|byte| byte.is_ascii_digit()) => &QUERY_KEYS,
        _ => &[],
    }
}

/// Returns the words that fit at a position, for the tests of a skill.
pub(crate) fn words(root: &Root, skill: Option<&IndexedSkill>, cursor: &Cursor) -> Vec<Word> {
    let path: Vec<&str> = cursor.path.iter().map(String::as_str).collect();
    match (cursor.is_key, path.as_slice()) {
        (true, ["evals", _, key]) if *key == INPUT.name || *key == OUTPUT.name => {
            let schema = skill.and_then(|skill| skill.schema(root.session(), key));
            schema.map_or_else(Vec::new, complete::properties)
        }
        (true, path) => {
            let known = keys(path).iter();
            known.map(|key| Word::new(key.name, CompletionItemKind::PROPERTY, key.meaning)).collect()
        }
        (false, [key]) if *key == SKILL_NAME.name => {
            let own = skill.into_iter();
            own.map(|skill| Word::new(&skill.name, CompletionItemKind::MODULE, &skill.description)).collect()
        }
        (false, [.., key]) if *key == SHOULD_TRIGGER.name => complete::bare(&["true", "false"]),
        _ => Vec::new(),
    }
}

/// Returns the meaning of the key at a path.
pub(crate) fn meaning(path: &[&str]) -> Option<&'static str> {
    let (last, above) = path.split_last()?;
    keys(above).iter().find(|key| key.name == *last).map(|key| key.meaning)
}
