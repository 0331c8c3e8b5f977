//! Random edits in an editor, against a fresh check of the same texts on disk: equal problems and edits (SPEC 17.10, 17.14).
//!
//! `SKILLS_EDITS` sets their number, `SKILLS_SEED` the seed.
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use skills_core::options::Options;
use skills_core::read::{Overlaid, Overlay};
use skills_lsp::Root;
use skills_report::fix::Checked;
use skills_report::json;

/// A deterministic random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % end.max(1)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

const SKILLS: &[(&str, &str)] = &[
    (
        "pdf/SKILL.md",
        "---\nname: pdf\ndescription: Reads PDF files.\nexec: run\nschema: in.json\n---\n# PDF\n\nSee [notes](references/notes.md) and `scripts/go.py`.\n",
    ),
    ("pdf/bin/run", "#!/bin/sh\ncat\n"),
    ("pdf/in.json", r#"{ "type": "object", "properties": { "file": { "$ref": "parts.json#/path" } } }"#),
    ("pdf/parts.json", r#"{ "path": { "type": "string", "minLength": 1 } }"#),
    ("pdf/references/notes.md", "# Notes\n"),
    ("pdf/agents/openai.yaml", "interface:\n  display_name: PDF\n"),
    (
        "sum/skill.json",
        r#"{ "name": "sum", "description": "Adds.", "category": "m", "mode": "composite", "calls": ["add", "count"],
  "input": { "type": "object", "properties": { "list": { "type": "array", "items": { "type": "string" } } }, "required": ["list"] },
  "output": { "type": "object", "properties": { "total": { "type": "number" } }, "required": ["total"] },
  "pipeline": [
    { "step": "one", "skill": "add", "input": { "text": "{{input.list | join: ', '}}" } },
    { "step": "two", "skill": "count", "input": { "text": "{{steps.one.text}}" }, "if": "{{steps.one.text}}" }
  ],
  "outputMapping": { "total": "{{steps.two.count}}" } }"#,
    ),
    (
        "add/skill.json",
        r#"{ "name": "add", "description": "Adds.", "category": "m", "mode": "llm",
  "input": { "type": "object", "properties": { "text": { "type": "string" } } },
  "output": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] } }"#,
    ),
    ("add/prompt.md", "Add {{input.text}}.\n{{#if input.text}}yes{{/if}}\n"),
    (
        "count/skill.json",
        r#"{ "name": "count", "description": "Counts.", "category": "m", "mode": "code",
  "input": { "$ref": "in.json" },
  "output": { "type": "object", "properties": { "count": { "type": "number" } }, "required": ["count"] } }"#,
    ),
    (
        "count/in.json",
        r#"{ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] }"#,
    ),
    (
        "count/SKILL.md",
        "---\nname: count\ndescription: Counts.\n---\n# Count\n\n<!-- skills: allow(broken-link) -->\n[x](no.md)\n",
    ),
    (
        "group/twin/SKILL.md",
        "---\nname: twin\ndescription: Is one of two.\nlicence: MIT\n---\nSee ../../pdf/SKILL.md.\n",
    ),
    (
        "twin/SKILL.md",
        "---toml\nname = \"twin-b\"\ndescription = \"Is the other.\"\nlicence = \"MIT\"\n---\n# Twin\n",
    ),
];

const PROJECTS: &[(&str, &str)] = &[
    ("desk/ROLE.md", "---\nskills: [pdf, sum]\n---\nWork at the desk.\n"),
    ("field/ROLE.md", "Work outside.\n"),
];

/// Further names for files.
const NAMES: &[&str] = &[
    "add/prompt.md",
    "add/SKILL.md",
    "new/SKILL.md",
    "count/parts.json",
    "pdf/notes.md",
    "twin/skill.json",
    "pdf/.skillignore",
    "other/skill.json",
];

const PIECES: &[&str] = &[
    "\n",
    ":",
    " ",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    "---\n",
    "{{",
    "}}",
    "é",
    "🎉",
    "\t",
    "name",
    "\r\n",
    "\u{202e}",
    "|",
    "add",
    "count",
    "twin",
    "\"calls\": [\"sum\"],",
    "{{input.list}}",
    "{{steps.one.text | size}}",
    "schema: parts.json\n",
    "{ \"$ref\": \"in.json\" }",
    "exec: run\n",
    "#!",
    "<<<<<<< a\n",
    "-----BEGIN ",
    "metadata:\n  skills-allow: key-unknown\n",
    "\"type\": \"number\"",
    "string",
];

/// One file: the saved text, and the text in the editor.
#[derive(Clone, Default)]
struct State {
    saved: Option<String>,
    open: Option<String>,
}

impl State {
    fn text(&self) -> Option<&String> {
        self.open.as_ref().or(self.saved.as_ref())
    }
}

/// An editor on one directory, and a directory in which everything is saved.
struct Trial {
    editor: PathBuf,
    disk: PathBuf,
    files: BTreeMap<String, State>,
    over: Overlay,
    root: Root,
    is_projects: bool,
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Removes a file, and directories that are empty afterwards.
fn remove(root: &Path, path: &str) {
    fs::remove_file(root.join(path)).unwrap();
    for above in Path::new(path).ancestors().skip(1).filter(|above| above.file_name().is_some()) {
        fs::remove_dir(root.join(above)).ok();
    }
}

impl Trial {
    fn new(top: &Path, originals: &[(&str, &str)], is_projects: bool) -> Self {
        let name = if is_projects { "projects" } else { "skills" };
        let (editor, disk) = (top.join("editor").join(name), top.join("disk").join(name));
        let mut files = BTreeMap::new();
        for (path, text) in originals {
            write(&editor.join(path), text);
            write(&disk.join(path), text);
            files.insert((*path).to_owned(), State { saved: Some((*text).to_owned()), open: None });
        }
        let over = Overlay::default();
        let root = Root::new(editor.clone(), is_projects, &over);
        Self { editor, disk, files, over, root, is_projects }
    }

    /// Sets the text of a file in the editor.
    fn put(&mut self, path: &str, text: &str) {
        write(&self.disk.join(path), text);
        self.files.entry(path.to_owned()).or_default().open = Some(text.to_owned());
        let real = self.editor.join(path);
        self.over.insert(real.clone(), Overlaid { bytes: text.as_bytes().to_vec(), executable: false });
        self.root.touch_text(&real);
    }

    fn save(&mut self, path: &str) {
        let Some(State { saved, open: Some(text) }) = self.files.get_mut(path) else { return };
        write(&self.editor.join(path), text);
        *saved = Some(text.clone());
        self.root.touch();
    }

    /// Closes a file; unsaved changes are lost.
    fn close(&mut self, path: &str) {
        let Some(state) = self.files.get_mut(path) else { return };
        self.over.clear(&self.editor.join(path));
        state.open = None;
        match &state.saved {
            Some(text) => write(&self.disk.join(path), text),
            None => {
                remove(&self.disk, path);
                self.files.remove(path);
            }
        }
        self.root.touch();
    }

    fn delete(&mut self, path: &str) {
        let Some(state) = self.files.remove(path) else { return };
        self.over.clear(&self.editor.join(path));
        if state.saved.is_some() {
            remove(&self.editor, path);
        }
        remove(&self.disk, path);
        self.root.touch();
    }

    fn rename(&mut self, from: &str, to: &str) {
        let Some(state) = self.files.get(from).cloned() else { return };
        if from == to || self.files.contains_key(to) {
            return;
        }
        self.delete(from);
        if let Some(text) = &state.saved {
            write(&self.editor.join(to), text);
            write(&self.disk.join(to), text);
            self.files.entry(to.to_owned()).or_default().saved = Some(text.clone());
        }
        if let Some(text) = &state.open {
            self.put(to, text);
        }
        self.root.touch();
    }

    fn step(&mut self, random: &mut Random, originals: &[(&str, &str)]) {
        let paths: Vec<String> = self.files.keys().cloned().collect();
        let path = paths[random.below(paths.len())].clone();
        match random.below(100) {
            0 => self.save(&path),
            1 => self.close(&path),
            2 if !self.is_projects => self.rename(&path, random.of(NAMES)),
            3 if paths.len() > 2 => self.delete(&path),
            // A text is sometimes replaced with a valid one, so that not all edits apply to broken texts.
            4..=14 => {
                let (path, text) = random.of(originals);
                self.put(path, text);
            }
            _ => {
                let mut text = self.files[&path].text().unwrap().clone();
                let place = |random: &mut Random, text: &str| {
                    let at = random.below(text.len() + 1);
                    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap()
                };
                let (a, b) = (place(random, &text), place(random, &text));
                match random.below(6) {
                    0 => text.replace_range(a.min(b)..a.max(b), ""),
                    1 => text.replace_range(
                        a..(a + 1..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(a),
                        "",
                    ),
                    2 => {
                        // A part of another file is pasted.
                        let other = self.files[&paths[random.below(paths.len())]].text().unwrap();
                        let (c, d) = (place(random, other), place(random, other));
                        text.insert_str(a, &other[c.min(d)..c.max(d)]);
                    }
                    _ => text.insert_str(a, random.of(PIECES)),
                }
                text.truncate(
                    (0..=text.len().min(4_000)).rev().find(|at| text.is_char_boundary(*at)).unwrap(),
                );
                self.put(&path, &text);
            }
        }
    }

    /// Compares with a fresh check; returns whether there is any problem.
    fn compare(&mut self, last: &str) -> bool {
        self.root.refresh(&self.over);
        let incremental = json::print(self.root.report(), self.root.sources());
        let fresh = if self.is_projects {
            let loaded = skills_core::projects::load(&self.disk, "", &Options::default(), None);
            json::print(&loaded.report, &loaded.sources)
        } else {
            let loaded = skills_core::load(&self.disk, "", &Options::default());
            json::print(loaded.report(), loaded.sources())
        };
        assert_eq!(incremental, fresh, "{last}");
        !incremental.is_empty()
    }
}

// SPEC 17.10, 17.16, 12.1
#[test]
fn an_edited_text_has_the_problems_of_a_saved_one() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let count = number("SKILLS_EDITS").unwrap_or_else(|| test_bed::rounds(60));
    let seed = number("SKILLS_SEED").unwrap_or(0x5eed);
    let top =
        std::env::temp_dir().canonicalize().unwrap().join(format!("skills-lsp-edits-{}", std::process::id()));
    let mut random = Random(u64::try_from(seed).unwrap());
    let (mut faults, mut compared) = (0, 0);
    for (originals, is_projects, count) in [(SKILLS, false, count), (PROJECTS, true, count / 20)] {
        let mut trial = Trial::new(&top, originals, is_projects);
        for edit in 0..count {
            trial.step(&mut random, originals);
            // Some edits are so fast that they are checked together.
            if random.below(8) > 0 {
                compared += 1;
                faults += usize::from(trial.compare(&format!("edit {edit} of seed {seed}")));
            }
        }
    }
    fs::remove_dir_all(&top).unwrap();
    eprintln!("{count} edits, {compared} comparisons, {faults} with problems");
    assert!(faults > compared / 3, "too few edits break anything: {faults}");
}
