//! Creates entries in the notation of `skills_core::rule::Example` as real files in a temporary directory.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use skills_core::diagnostic::Diagnostic;
use skills_core::levels::{Levels, Profile};
use skills_core::read::{Content, ReadOptions, SourceTree, read};
use skills_core::report::Report;

/// A directory below the system's temporary one, removed on drop.
pub(crate) struct Disk {
    pub(crate) top: PathBuf,
}

impl Disk {
    /// Makes the root `skills` with these entries, in this order.
    pub(crate) fn new(entries: &[(&str, &str)]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("skills-core-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let top = fs::canonicalize(std::env::temp_dir()).unwrap().join(name);
        fs::create_dir_all(top.join("skills")).unwrap();
        let disk = Self { top };
        for (notation, text) in entries {
            disk.plant(notation, text);
        }
        disk
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.top.join("skills")
    }

    /// Creates one entry; its path is below the root.
    pub(crate) fn plant(&self, notation: &str, text: &str) {
        let root = self.root();
        if let Some((path, target)) = notation.split_once(" -> ") {
            assert!(text.is_empty(), "`{notation}`: a link has no text");
            return symlink(target, ready(&root.join(path))).unwrap();
        }
        let Some((path, mark)) = notation.strip_suffix(')').and_then(|path| path.rsplit_once(" (")) else {
            return fs::write(ready(&root.join(notation)), text).unwrap();
        };
        let latin = |text: &str| text.chars().map(|sign| u8::try_from(sign).unwrap()).collect::<Vec<_>>();
        let file = root.join(path);
        match mark {
            "missing" | "file" => {
                assert_eq!(path, ".", "`{notation}`: only the root is marked so");
                fs::remove_dir(&root).unwrap();
                if mark == "file" {
                    fs::write(&root, text).unwrap();
                }
            }
            "fifo" => assert!(Command::new("mkfifo").arg(ready(&file)).status().unwrap().success()),
            "executable" => {
                fs::write(ready(&file), text).unwrap();
                self.allow(path, 0o755);
            }
            "linked" => {
                fs::write(ready(&file), text).unwrap();
                fs::hard_link(&file, self.top.join("another name")).unwrap();
            }
            "unreadable" => {
                fs::write(ready(&file), text).unwrap();
                self.allow(path, 0o000);
            }
            "latin-1" => fs::write(ready(&file), latin(text)).unwrap(),
            "latin-1 name" => {
                let path = OsString::from_vec(latin(path));
                fs::write(ready(&root.join(path)), text).unwrap();
            }
            mark => {
                let size = mark.strip_suffix(" bytes").expect("a mark that is known").parse().unwrap();
                let mut file = fs::File::create(ready(&file)).unwrap();
                if text != "\0" {
                    let bytes: Vec<u8> = text.bytes().cycle().take(size).collect();
                    return file.write_all(&bytes).unwrap();
                }
                // The zeros are a hole in the file, which needs no disk space.
                file.set_len(u64::try_from(size).unwrap()).unwrap();
            }
        }
    }

    /// Sets the mode of a path below the root.
    pub(crate) fn allow(&self, path: &str, mode: u32) {
        fs::set_permissions(self.root().join(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) fn read(&self) -> Reading {
        self.read_with(&ReadOptions::default())
    }

    pub(crate) fn read_with(&self, options: &ReadOptions) -> Reading {
        Reading::of(&self.root(), options)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.top).ok();
    }
}

fn ready(path: &Path) -> &Path {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    path
}

/// The result of reading a root.
pub(crate) struct Reading {
    pub(crate) tree: SourceTree,
    pub(crate) report: Report,
}

impl Reading {
    pub(crate) fn of(root: &Path, options: &ReadOptions) -> Self {
        let mut report = Report::default();
        let tree = read(root, "skills", options, &mut report);
        report.settle(&Levels::default(), Profile::Bundle, &tree.sources);
        for diagnostic in &report.diagnostics {
            assert!(!diagnostic.help.is_empty(), "`{}` has no help", diagnostic.rule.code);
            let span = tree.sources.file_of(diagnostic.span);
            assert!(span.skill.is_none_or(|skill| skill < tree.skills.len()), "the skill is in the tree");
        }
        Self { tree, report }
    }

    /// Returns the problems as `path:line:column code`, sorted.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.report.diagnostics.iter().map(|problem| self.place(problem)).collect()
    }

    fn place(&self, problem: &Diagnostic) -> String {
        let (start, _) = self.tree.sources.positions(problem.span);
        let path = self.tree.sources.display_path(problem.span);
        format!("{path}:{}:{} {}", start.line, start.column, problem.rule.code)
    }

    pub(crate) fn only(&self) -> &Diagnostic {
        assert_eq!(self.report.diagnostics.len(), 1, "{:?}", self.problems());
        &self.report.diagnostics[0]
    }

    /// Returns the paths of the skills.
    pub(crate) fn skills(&self) -> Vec<&str> {
        self.tree.skills.iter().map(|skill| skill.path.as_str()).collect()
    }

    /// Returns the files of all skills, each as `skill/path`.
    pub(crate) fn files(&self) -> Vec<String> {
        let skills = self.tree.skills.iter();
        skills
            .flat_map(|skill| skill.files.iter().map(|file| format!("{}/{}", skill.path, file.path)))
            .collect()
    }

    /// Formats the whole result, for comparing two readings.
    pub(crate) fn picture(&self) -> String {
        let mut text = self.problems().join("\n");
        for skill in &self.tree.skills {
            text += &format!("\nskill {} {}", skill.path, skill.name);
            for file in &skill.files {
                let kind = match file.content {
                    Content::Text(_) => "text",
                    Content::Bytes(_) => "bytes",
                    Content::Unread => "unread",
                };
                let bytes = String::from_utf8_lossy(file.bytes(&self.tree.sources));
                text += &format!("\n{} {kind} {} {bytes:?}", file.path, file.executable);
            }
        }
        text
    }
}

/// A `SKILL.md`.
pub(crate) const MD: &str = "---\nname: a\ndescription: Does a thing.\n---\nBody\n";
