//! Finds the directories that crates bundle. `check` judges them as the build does, and says with `-v` why.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use skills_build::{Bundle, BundlePlace, FormatPolicy};
use skills_core::options::Options;
use skills_core::package::Package;
use skills_core::problems::Problems;
use skills_core::read::{CARGO_MANIFEST, Overlay};
use skills_core::report::Report;
use skills_core::span::SourceMap;

/// The largest source file that is searched, in bytes.
const LARGEST: u64 = 1 << 20;

/// The most source files of a package that are searched.
const MAX_SOURCES: usize = 10_000;

/// The most directories that a pattern for members of a workspace matches.
const MAX_MEMBERS: usize = 10_000;

/// The directories of a package with the sources of its programs, libraries and tests.
const SOURCES: [&str; 4] = ["src", "tests", "examples", "benches"];

/// A directory that a crate bundles.
#[derive(Debug)]
pub(super) struct BundleRoot {
    /// Its path below the checked directory; empty for that directory itself.
    pub(super) below: String,
    /// The statement that bundles it, and its place.
    pub(super) why: String,
    real: PathBuf,
    bundle: Bundle,
    package: PathBuf,
    /// The name of the `Cargo.toml` in reports.
    manifest: String,
    caller: Option<String>,
}

impl BundleRoot {
    /// Checks the directory as the build of its package does. `label` is the checked directory.
    pub(super) fn problems(
        &self,
        label: &str,
        options: &Options,
        over: &Overlay,
    ) -> (Problems, [(Report, SourceMap); 2]) {
        let label = match (label, self.below.as_str()) {
            (label, "") => label.to_owned(),
            ("." | "", below) => below.to_owned(),
            (label, below) => format!("{}/{below}", label.trim_end_matches('/')),
        };
        let place =
            BundlePlace { label: &label, manifest: &self.manifest, caller: self.caller.as_deref(), over };
        self.bundle.inspect(&self.package, place, options)
    }
}

/// Finds the directories that crates bundle, below a directory or equal to it. `manifests` are the `Cargo.toml` files
/// below it. The packages around it, and the members of their workspaces, are searched as well. `around` gets the
/// statement that bundles a directory above it.
pub(super) fn find(root: &Path, manifests: &[String], around: &mut Option<String>) -> Vec<BundleRoot> {
    let Ok(real) = root.canonicalize() else { return Vec::new() };
    let mut packages: BTreeSet<PathBuf> = BTreeSet::new();
    packages.extend(manifests.iter().filter_map(|path| Some(real.join(path).parent()?.to_owned())));
    for directory in up_to_repository(&real) {
        packages.insert(directory.to_owned());
        packages.extend(members(directory));
    }
    let mut found: Vec<BundleRoot> = Vec::new();
    for package in packages {
        for declared in declared(&package) {
            let directory = match declared.directory.canonicalize() {
                Ok(directory) => directory,
                // The build fails. Tests may name a directory that does not exist on purpose.
                Err(_) if is_program(&declared.caller) => normalized(&declared.directory),
                Err(_) => continue,
            };
            let why = format!("{} in {}", declared.what, shown(&package.join(&declared.caller)));
            let Ok(below) = directory.strip_prefix(&real) else {
                if real.starts_with(&directory) {
                    around.get_or_insert(why);
                }
                continue;
            };
            if found.iter().any(|known| known.package == package && known.real == directory) {
                continue;
            }
            found.push(BundleRoot {
                below: slashed(below),
                why,
                real: directory,
                bundle: declared.bundle,
                manifest: shown(&package.join(CARGO_MANIFEST)),
                caller: Some(declared.caller).filter(|caller| caller != CARGO_MANIFEST),
                package: package.clone(),
            });
        }
    }
    found.sort_by(|a, b| (&a.below, &a.why).cmp(&(&b.below, &b.why)));
    found
}

/// Returns `true` if a file belongs to every build of a package.
fn is_program(caller: &str) -> bool {
    caller == "build.rs" || caller.starts_with("src/")
}

/// Resolves `..` in a path that does not exist.
fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(normal.pop()),
            std::path::Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

/// A statement of a package that bundles a directory.
struct Declared {
    directory: PathBuf,
    bundle: Bundle,
    what: &'static str,
    /// The file with the statement, below the package.
    caller: String,
}

/// Returns the directories that a package bundles: those of its build script, then those of its sources and of its
/// `Cargo.toml`. A package that does not name the crates of this project bundles none.
fn declared(package: &Path) -> Vec<Declared> {
    let is_user = text(&package.join(CARGO_MANIFEST)).is_some_and(|manifest| manifest.contains("skills"));
    if !is_user {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut sources: Vec<String> = Vec::new();
    for directory in SOURCES {
        gather(package, directory, &mut sources);
    }
    sources.sort();
    for caller in std::iter::once("build.rs".to_owned()).chain(sources) {
        let Some(text) = text(&package.join(&caller)) else { continue };
        if !["skills!", "skills (", "skills(", "Bundle", "skills_build"]
            .iter()
            .any(|word| text.contains(word))
        {
            continue;
        }
        for Statement { what, dir, options } in statements(&text) {
            // The macro looks for the directory below the package, and then beside the calling file.
            let own = package.join(&dir);
            let beside = package.join(&caller).parent().map(|directory| directory.join(&dir));
            let beside = beside.filter(|beside| what != BUILD_SCRIPT && !own.is_dir() && beside.is_dir());
            let directory = beside.unwrap_or(own);
            let bundle = with_options(Bundle::new(&directory), &options);
            found.push(Declared { directory, bundle, what, caller: caller.clone() });
        }
    }
    let manifest = Package::read(package, CARGO_MANIFEST);
    if let Some(dir) = manifest.skills_dir() {
        found.push(Declared {
            directory: package.join(dir),
            bundle: Bundle::new(dir),
            what: "`[package.metadata.skills]`",
            caller: CARGO_MANIFEST.to_owned(),
        });
    }
    found
}

/// Adds the Rust files below a directory of a package. Hidden directories, links, skills and other packages have none.
fn gather(package: &Path, directory: &str, sources: &mut Vec<String>) {
    let mut stack = vec![directory.to_owned()];
    while let Some(directory) = stack.pop() {
        let Ok(entries) = fs::read_dir(package.join(&directory)) else { continue };
        let path = package.join(&directory);
        if [CARGO_MANIFEST, "SKILL.md", "skill.json"].iter().any(|name| path.join(name).exists()) {
            continue;
        }
        for entry in entries.filter_map(Result::ok) {
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
            if name.starts_with('.') || name == "target" {
                continue;
            }
            let path = format!("{directory}/{name}");
            if kind.is_dir() {
                stack.push(path);
            } else if kind.is_file() && name.ends_with(".rs") && sources.len() < MAX_SOURCES {
                sources.push(path);
            }
        }
    }
}

/// Returns the directories of the members that a `Cargo.toml` with a workspace names.
fn members(directory: &Path) -> Vec<PathBuf> {
    let Some(manifest) = text(&directory.join(CARGO_MANIFEST)) else { return Vec::new() };
    let Ok(table) = manifest.parse::<toml::Table>() else { return Vec::new() };
    let members = table.get("workspace").and_then(|workspace| workspace.get("members")?.as_array());
    let mut found = Vec::new();
    for pattern in members.into_iter().flatten().filter_map(toml::Value::as_str) {
        let mut paths = vec![directory.to_owned()];
        for part in pattern.split('/').filter(|part| !part.is_empty()) {
            paths = match part.split_once('*') {
                None => paths.into_iter().map(|path| path.join(part)).collect(),
                Some((start, end)) => {
                    let entries = paths.iter().flat_map(|path| fs::read_dir(path).into_iter().flatten());
                    // A link could lead anywhere, even back.
                    let directories = entries
                        .filter_map(Result::ok)
                        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
                    let named = directories.filter(|entry| {
                        let name = entry.file_name();
                        let name = name.to_string_lossy();
                        name.len() >= part.len() - 1 && name.starts_with(start) && name.ends_with(end)
                    });
                    named.map(|entry| entry.path()).take(MAX_MEMBERS).collect()
                }
            };
        }
        paths.retain(|path| normalized(path).starts_with(directory) && path.join(CARGO_MANIFEST).is_file());
        found.extend(paths);
    }
    found
}

/// Returns a directory and those above it, up to the root of its repository.
fn up_to_repository(directory: &Path) -> impl Iterator<Item = &Path> {
    let mut is_below = true;
    directory.ancestors().take_while(move |above| {
        let is_top = above.join(".git").exists();
        std::mem::replace(&mut is_below, !is_top)
    })
}

/// Reads a regular file of a bounded size. A link is not followed, because it may lead out of the repository.
fn text(path: &Path) -> Option<String> {
    String::from_utf8(skills_files::read(path, LARGEST).ok()?).ok()
}

/// Returns a path relative to the current directory, if it is below it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok().and_then(|here| here.canonicalize().ok());
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    slashed(&below.unwrap_or_else(|| path.to_owned()))
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

const BUILD_SCRIPT: &str = "`skills_build`";

/// A statement that bundles a directory.
struct Statement {
    what: &'static str,
    dir: String,
    /// The names of the options, with the texts of their values.
    options: Vec<(String, String)>,
}

/// Finds `skills!("DIR", …)`, `#[skills("DIR", …)]`, `skills_build::bundle("DIR")` and `Bundle::new("DIR")…` in Rust.
fn statements(text: &str) -> Vec<Statement> {
    let Ok(tokens) = text.parse::<TokenStream>() else { return Vec::new() };
    let mut found = Vec::new();
    let mut stack = vec![tokens];
    while let Some(tokens) = stack.pop() {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(ident) => {
                    found.extend(statement(&ident.to_string(), tokens.get(at + 1..).unwrap_or_default()));
                }
                TokenTree::Group(group) => stack.push(group.stream()),
                _ => {}
            }
        }
    }
    found
}

/// Reads the statement that begins with a word.
fn statement(word: &str, rest: &[TokenTree]) -> Option<Statement> {
    match (word, rest) {
        ("skills", [TokenTree::Punct(mark), TokenTree::Group(group), ..]) if mark.as_char() == '!' => {
            arguments(group.stream(), "`skills!`")
        }
        // The attribute of the derive macro.
        ("skills", [TokenTree::Group(group)]) => arguments(group.stream(), "`#[skills]`"),
        ("bundle", [TokenTree::Group(group), ..]) => {
            let dir = only_string(group.stream())?;
            Some(Statement { what: BUILD_SCRIPT, dir, options: Vec::new() })
        }
        (
            "Bundle",
            [
                TokenTree::Punct(_),
                TokenTree::Punct(_),
                TokenTree::Ident(new),
                TokenTree::Group(group),
                rest @ ..,
            ],
        ) if new == "new" => {
            let dir = only_string(group.stream())?;
            let mut options = Vec::new();
            let mut rest = rest;
            while let [TokenTree::Punct(dot), TokenTree::Ident(name), TokenTree::Group(value), next @ ..] =
                rest
            {
                if dot.as_char() != '.' {
                    break;
                }
                options.push((name.to_string(), value.stream().to_string()));
                rest = next;
            }
            Some(Statement { what: BUILD_SCRIPT, dir, options })
        }
        _ => None,
    }
}

/// Reads the arguments of the macro: the directory, then options.
fn arguments(tokens: TokenStream, what: &'static str) -> Option<Statement> {
    let mut tokens = tokens.into_iter();
    let dir = string(&tokens.next()?)?;
    let mut options = Vec::new();
    let rest: Vec<TokenTree> = tokens.collect();
    for (at, token) in rest.iter().enumerate() {
        let TokenTree::Ident(name) = token else { continue };
        let value = match rest.get(at + 1) {
            Some(TokenTree::Group(group)) => group.stream().to_string(),
            _ => String::new(),
        };
        options.push((name.to_string(), value));
    }
    Some(Statement { what, dir, options })
}

fn with_options(bundle: Bundle, options: &[(String, String)]) -> Bundle {
    options.iter().fold(bundle, |bundle, (name, value)| with_option(bundle, name, value))
}

/// Sets an option, written as in the macro or in a build script. Other words are ignored, since the build reports them.
fn with_option(mut bundle: Bundle, name: &str, value: &str) -> Bundle {
    let number = value.replace(['_', ' '], "").trim_end_matches("u64").parse::<u64>().ok();
    let set: Option<fn(Bundle, &str) -> Bundle> = match name {
        "deny" => Some(Bundle::deny),
        "warn" => Some(Bundle::warn),
        "allow" => Some(Bundle::allow),
        _ => None,
    };
    if let Some(set) = set {
        for rule in value.split(',') {
            let rule: String = rule.chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
            if !rule.is_empty() {
                bundle = set(bundle, &rule);
            }
        }
        return bundle;
    }
    match (name, number) {
        ("catalog_budget", Some(tokens)) => bundle.catalog_budget(tokens),
        ("file_cap", Some(bytes)) => bundle.file_cap(bytes),
        ("skill_cap", Some(bytes)) => bundle.skill_cap(bytes),
        ("bundle_cap", Some(bytes)) => bundle.bundle_cap(bytes),
        ("flat", _) => bundle.flat(),
        ("doctest", _) => bundle.doctest(),
        ("formats", _) if value.to_ascii_lowercase().ends_with("assert") => {
            bundle.formats(FormatPolicy::Assert)
        }
        ("formats", _) if value.to_ascii_lowercase().ends_with("ignore") => {
            bundle.formats(FormatPolicy::Ignore)
        }
        _ => bundle,
    }
}

/// Returns the only token of a list of arguments, if it is a string.
fn only_string(tokens: TokenStream) -> Option<String> {
    let mut tokens = tokens.into_iter();
    let text = string(&tokens.next()?)?;
    tokens.next().is_none().then_some(text)
}

fn string(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    Some(syn::parse_str::<syn::LitStr>(&literal.to_string()).ok()?.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 11.35
    #[test]
    fn statements_that_bundle_are_found() {
        let text = r##"
            //! skills!("in/a/comment")
            skills::skills!("skills/", deny(name-mismatch, "long-body"), flat);
            mod inner { agent_kit::skills! { r"raw" } }
            #[derive(Skills)] #[skills("derived")] struct Set;
            fn main() {
                skills_build::bundle("built");
                skills_build::Bundle::new("other").deny("long-body").file_cap(1_000).build();
                skills_build::bundle(dir);
                println!("skills!(\"in/a/string\")");
            }
        "##;
        let mut dirs: Vec<String> = statements(text).into_iter().map(|found| found.dir).collect();
        dirs.sort();
        assert_eq!(dirs, ["built", "derived", "other", "raw", "skills/"]);
        let options =
            |text: &str| format!("{:?}", with_options(Bundle::new("a"), &statements(text)[0].options));
        let macro_ = options("skills!(\"a\", deny(name-mismatch, long_body), file_cap(1_000), flat)");
        let script =
            options("Bundle::new(\"a\").deny(\"name-mismatch\").deny(\"long-body\").file_cap(1000).flat()");
        assert_eq!(macro_, script);
        let deep = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
        assert!(statements(&"(".repeat(100_000)).is_empty() && statements(&deep).is_empty());
    }
}
