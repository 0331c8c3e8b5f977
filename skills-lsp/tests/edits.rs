//! Random edits in an editor, against a fresh check of the same text on disk: equal problems (SPEC 17.10).
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::path::{Path, PathBuf};

use skills_core::options::Options;
use skills_core::print::text;
use skills_core::read::{Overlaid, Overlay};
use skills_lsp::Root;

/// A generator of numbers that is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % end.max(1)
    }
}

const FILES: [(&str, &str); 5] = [
    (
        "pdf/SKILL.md",
        "---\nname: pdf\ndescription: Reads PDF files.\nexec: run\n---\n# PDF\n\nSee [notes](references/notes.md).\n",
    ),
    ("pdf/bin/run", "#!/bin/sh\ncat\n"),
    (
        "sum/skill.json",
        r#"{ "name": "sum", "description": "Adds.", "category": "m", "mode": "composite", "calls": ["add"],
  "input": { "type": "object", "properties": { "list": { "type": "array" } } }, "output": {},
  "pipeline": [{ "step": "one", "skill": "add", "input": { "text": "{{input.list | join: ', '}}" } }] }"#,
    ),
    (
        "add/skill.json",
        r#"{ "name": "add", "description": "Adds.", "category": "m", "mode": "llm",
  "input": { "type": "object", "properties": { "text": { "type": "string" } } }, "output": {} }"#,
    ),
    ("add/prompt.md", "Add {{input.text}}.\n{{#if input.text}}yes{{/if}}\n"),
];

const PIECES: [&str; 18] = [
    "\n", ":", " ", "\"", "{", "}", "[", "]", ",", "---\n", "{{", "}}", "é", "\t", "name", "\r\n",
    "\u{202e}", "|",
];

fn plant(root: &Path) {
    for (path, text) in FILES {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

// SPEC 17.10, 12.1; the number of edits is set by SKILLS_EDITS
#[test]
fn an_edited_text_is_judged_as_a_saved_one() {
    let top =
        std::env::temp_dir().canonicalize().unwrap().join(format!("skills-lsp-edits-{}", std::process::id()));
    let (editor, disk): (PathBuf, PathBuf) = (top.join("editor/skills"), top.join("disk/skills"));
    plant(&editor);
    plant(&disk);
    let count = std::env::var("SKILLS_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    let mut random = Random(0x5eed);
    let mut over = Overlay::default();
    let mut root = Root::new(editor.clone(), false, &over);
    let mut texts = FILES.map(|(_, text)| text.to_owned());
    let mut faults = 0;
    for _ in 0..count {
        let file = random.below(FILES.len());
        let (path, original) = FILES[file];
        let text = &mut texts[file];
        // Now and then the text is whole again, so that not all edits meet rubble.
        if random.below(12) == 0 {
            original.clone_into(text);
        }
        let place = |random: &mut Random, text: &str| {
            let at = random.below(text.len() + 1);
            (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap()
        };
        let (a, b) = (place(&mut random, text), place(&mut random, text));
        match random.below(3) {
            0 => text.replace_range(a.min(b)..a.max(b), ""),
            _ => text.insert_str(a, PIECES[random.below(PIECES.len())]),
        }
        over.put(editor.join(path), Overlaid { bytes: text.clone().into_bytes(), executable: false });
        root.edit(&editor.join(path), &over);
        fs::write(disk.join(path), text.as_bytes()).unwrap();
        let fresh = skills_core::load(&disk, "", &Options::default());
        let told = text::print(root.report(), root.sources());
        assert_eq!(told, text::print(&fresh.report, fresh.catalog.sources()), "{path}: {text:?}");
        faults += usize::from(!told.is_empty());
    }
    fs::remove_dir_all(&top).unwrap();
    assert!(faults > count / 3, "too few edits break anything: {faults}");
}
