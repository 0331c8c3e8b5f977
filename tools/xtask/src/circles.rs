//! Checks that the arrows between the files and folders of a crate go one way, from its `use` lines and its paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::at;

/// The crates whose folders have no circle of files or folders.
const CRATES: [&str; 8] = [
    "adapters/durable",
    "adapters/http",
    "adapters/serve",
    "core/skills-core",
    "core/skills-macros",
    "core/skills-text",
    "core/skills-usage",
    "features/skills-eval",
];

/// Checks that no folder of these crates has a circle of files or folders.
pub(crate) fn check_all() -> Result<(), String> {
    check_crates(Path::new("."))
}

fn check_crates(root: &Path) -> Result<(), String> {
    CRATES.into_iter().try_for_each(|name| Modules::read(&root.join(name).join("src"))?.check())
}

/// A path of modules below a crate, such as `read::source_tree`.
type ModulePath = Vec<String>;

/// The modules of a crate, with their texts.
struct Modules {
    /// The file of each module, as names of folders and of the file.
    files: BTreeMap<ModulePath, Vec<String>>,
    texts: BTreeMap<ModulePath, String>,
    /// The names that each module re-exports, with their full paths.
    exports: BTreeMap<ModulePath, BTreeMap<String, ModulePath>>,
}

impl Modules {
    fn read(source: &Path) -> Result<Self, String> {
        let mut paths = Vec::new();
        add_files(source, &mut paths)?;
        let mut texts = Vec::new();
        for path in paths {
            let text = fs::read_to_string(&path).map_err(at(&path))?;
            let below = path.strip_prefix(source).unwrap_or(&path);
            let names = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
            texts.push((names.collect(), text));
        }
        Ok(Self::new(texts))
    }

    fn new(sources: Vec<(Vec<String>, String)>) -> Self {
        let mut modules = Self { files: BTreeMap::new(), texts: BTreeMap::new(), exports: BTreeMap::new() };
        for (file, text) in sources {
            let mut path = file.clone();
            let name = path.pop().unwrap_or_default();
            match name.trim_end_matches(".rs") {
                "lib" | "main" | "mod" => {}
                name => path.push(name.to_owned()),
            }
            modules.texts.insert(path.clone(), without_tests(&text));
            modules.files.insert(path, file);
        }
        for (module, text) in &modules.texts {
            let mut names = BTreeMap::new();
            for (is_export, path) in split_uses(text).0 {
                if is_export && let Some(path) = modules.absolute(module, &path) {
                    names.insert(path.last().cloned().unwrap_or_default(), path);
                }
            }
            modules.exports.insert(module.clone(), names);
        }
        modules
    }

    /// Returns an error if the entries of a folder, which are its files and the folders in it, form a circle.
    fn check(&self) -> Result<(), String> {
        let mut arrows: BTreeMap<&[String], BTreeMap<&str, BTreeMap<&str, String>>> = BTreeMap::new();
        for (module, from) in &self.files {
            for target in self.targets(module) {
                let Some(to) = self.files.get(&target) else { continue };
                let shared = from.iter().zip(to).take_while(|(from, to)| from == to).count();
                let (Some(first), Some(second)) = (from.get(shared), to.get(shared)) else { continue };
                let folder = arrows.entry(&from[..shared]).or_default();
                let reason = format!("{} uses {}", from.join("/"), target.join("::"));
                folder.entry(first).or_default().entry(second).or_insert(reason);
            }
        }
        for (folder, arrows) in &arrows {
            for start in arrows.keys() {
                if let Some(circle) = find_circle(arrows, start) {
                    return Err(format!("circle in `{}`: {}", folder.join("/"), circle.join("; ")));
                }
            }
        }
        Ok(())
    }

    /// Returns the modules that a module names.
    fn targets(&self, module: &ModulePath) -> BTreeSet<ModulePath> {
        let mut found = BTreeSet::new();
        let (uses, rest) = split_uses(&self.texts[module]);
        for (is_export, path) in uses {
            let Some(path) = self.absolute(module, &path) else { continue };
            // A module that only re-exports an item of its own child does not depend on it.
            let is_unused = is_export && path.last().is_some_and(|name| !has_word(&rest, name));
            let target = self.resolve(&path);
            if !(is_unused && target.starts_with(module)) {
                found.insert(target);
            }
        }
        for path in paths_in(&rest) {
            found.extend(self.absolute(module, &path).map(|path| self.resolve(&path)));
        }
        found.remove(module);
        found
    }

    /// Returns the path from the root of the crate; `None` for a path into another crate.
    fn absolute(&self, module: &ModulePath, path: &[String]) -> Option<ModulePath> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let (above, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (module.as_slice(), &path[1..]),
            "super" => (&module[..module.len().checked_sub(supers)?], &path[supers..]),
            child => {
                let mut full = module.clone();
                full.push(child.to_owned());
                self.files.contains_key(&full).then_some((module.as_slice(), path))?
            }
        };
        Some([above, rest].concat())
    }

    /// Returns the module that defines the item at a path.
    fn resolve(&self, path: &[String]) -> ModulePath {
        let mut path = path.to_vec();
        // Each step follows one re-export; there are never so many in a row.
        for _ in 0..8 {
            let length = (0..=path.len()).rev().find(|length| self.files.contains_key(&path[..*length]));
            let (module, rest) = path.split_at(length.unwrap_or(0));
            let export = rest.first().and_then(|name| self.exports.get(module)?.get(name));
            match export {
                Some(target) => path = [target, &rest[1..]].concat(),
                None => return module.to_vec(),
            }
        }
        path
    }
}

/// Returns the reasons of the arrows of a circle through an entry.
fn find_circle(arrows: &BTreeMap<&str, BTreeMap<&str, String>>, start: &str) -> Option<Vec<String>> {
    let mut came_from: BTreeMap<&str, (&str, &String)> = BTreeMap::new();
    let mut open = vec![start];
    while let Some(from) = open.pop() {
        for (to, reason) in arrows.get(from).into_iter().flatten() {
            if *to == start {
                let (mut reasons, mut entry) = (vec![reason.clone()], from);
                while let Some((above, reason)) = came_from.get(entry).filter(|_| entry != start) {
                    reasons.push((*reason).clone());
                    entry = above;
                }
                reasons.reverse();
                return Some(reasons);
            }
            if !came_from.contains_key(to) {
                came_from.insert(to, (from, reason));
                open.push(to);
            }
        }
    }
    None
}

/// Removes comments and modules of tests.
fn without_tests(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_test = line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test");
        match lines.peek().filter(|_| is_test) {
            Some(next) if next.starts_with("mod ") && next.ends_with('{') => break,
            Some(next) if next.starts_with("mod ") => drop(lines.next()),
            _ if line.trim_start().starts_with("//") => {}
            _ => code.extend([line, "\n"]),
        }
    }
    code
}

/// Splits the declarations of a text from the rest of it: whether a path is re-exported, and the path.
fn split_uses(text: &str) -> (Vec<(bool, ModulePath)>, String) {
    let (mut uses, mut rest) = (Vec::new(), String::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((is_export, tree)) = declared_tree(line) else {
            rest.extend([line, "\n"]);
            continue;
        };
        let mut tree = tree.to_owned();
        while !tree.contains(';') {
            let Some(next) = lines.next() else { break };
            tree.push_str(next);
        }
        let tree = tree.split(';').next().unwrap_or_default();
        add_tree(tree, &[], &mut |path| uses.push((is_export, path)));
    }
    (uses, rest)
}

/// Returns the tree of a line that starts with `use`, and whether it is a re-export.
fn declared_tree(line: &str) -> Option<(bool, &str)> {
    let line = line.trim_start();
    let Some(rest) = line.strip_prefix("pub") else { return Some((false, line.strip_prefix("use ")?)) };
    let rest = match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')')?.1,
        None => rest,
    };
    Some((true, rest.trim_start().strip_prefix("use ")?))
}

/// Passes each path of a `use` tree to `add`.
fn add_tree(tree: &str, above: &[String], add: &mut dyn FnMut(ModulePath)) {
    let tree = tree.trim();
    let (lead, group) = match tree.split_once('{') {
        Some((lead, group)) => (lead, group.strip_suffix('}')),
        None => (tree, None),
    };
    let lead = lead.split(" as ").next().unwrap_or_default();
    let names = lead.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    let path: ModulePath = above.iter().cloned().chain(names).collect();
    let Some(group) = group else { return add(path) };
    let (mut depth, mut start) = (0_usize, 0);
    for (end, sign) in group.char_indices().chain([(group.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let part = &group[start..end];
                if !part.trim().is_empty() {
                    add_tree(part, &path, add);
                }
                start = (end + 1).min(group.len());
            }
            _ => {}
        }
    }
}

/// Returns the paths of a text with at least two names, except those of `pub(in …)`.
fn paths_in(text: &str) -> Vec<ModulePath> {
    let mut parts = text.split("pub(in ");
    let first = parts.next().unwrap_or_default();
    let text: String =
        std::iter::once(first).chain(parts.filter_map(|part| Some(part.split_once(')')?.1))).collect();
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = text.split(|c: char| !is_of_path(c)).filter(|word| word.contains("::"));
    words.map(|word| word.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()).collect()
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|other| other == word)
}

fn add_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        if path.is_dir() {
            add_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)]) -> Result<(), String> {
        let split = |path: &str| path.split('/').map(str::to_owned).collect();
        Modules::new(files.iter().map(|(path, text)| (split(path), (*text).to_owned())).collect()).check()
    }

    #[test]
    fn a_circle_of_folders_is_found() {
        let read = ("read/mod.rs", "mod names;\n");
        let upward = ("read/names.rs", "use crate::{check::{self, unicode}, rule};\n");
        let check_mod = ("check/mod.rs", "pub(crate) mod unicode;\nuse crate::read::names::folded;\n");
        let unicode = ("check/unicode.rs", "");
        let error = check(&[read, upward, check_mod, unicode]).unwrap_err();
        assert!(error.starts_with("circle in ``: ") && error.contains("read/names.rs uses check"), "{error}");
        assert_eq!(check(&[read, ("read/names.rs", ""), check_mod, unicode]), Ok(()));
    }

    #[test]
    fn a_circle_of_files_is_found() {
        let a = ("read/a.rs", "pub use super::b::B;\nfn a(b: B) {}\n");
        for line in ["use super::a;", "fn b() { super::a::a() }", "use crate::read::{\n    a,\n};"] {
            let error = check(&[("read/mod.rs", "mod a;\nmod b;\n"), a, ("read/b.rs", line)]).unwrap_err();
            assert!(error.starts_with("circle in `read`"), "{error}");
        }
        let test = "#[cfg(test)]\nmod tests {\n    use super::super::a;\n}\n";
        assert_eq!(check(&[("read/mod.rs", "mod a;\nmod b;\n"), a, ("read/b.rs", test)]), Ok(()));
    }

    #[test]
    fn an_item_is_of_the_file_that_defines_it() {
        let root = ("lib.rs", "mod read;\nmod tree;\npub(crate) use tree::Node;\npub use read::read;\n");
        let read = ("read.rs", "use crate::Node;\nfn read(node: Node) {}\n");
        assert_eq!(check(&[root, read, ("tree.rs", "struct Node;\n")]), Ok(()));
        let error = check(&[root, read, ("tree.rs", "use crate::read;\n")]).unwrap_err();
        assert!(error.contains("tree.rs uses read") && error.contains("read.rs uses tree"), "{error}");
    }

    #[test]
    fn this_workspace_has_no_circle() {
        assert_eq!(check_crates(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))), Ok(()));
    }
}
