//! Adds dependencies to the manifest of a package. All existing lines stay unchanged.

use std::path::{Path, PathBuf};

use toml::Table;

use super::changes::SetupChanges;
use skills_commands::failure::CommandError;

/// The version of the packages, which is that of this command.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The source of the packages.
pub(super) enum CrateOrigin {
    Registry,
    Git { url: String, rev: Option<String> },
    Path(PathBuf),
}

impl CrateOrigin {
    /// Parses the answer to a question: an address of a git repository, or else a checkout.
    pub(super) fn of_answer(answer: &str) -> Result<Self, CommandError> {
        if answer.contains("://") || answer.starts_with("git@") {
            return Self::of_repository(&super::plain(answer)?, None);
        }
        Self::of_checkout(Path::new(answer))
    }

    /// Uses a git repository. Cargo reads only addresses with a scheme, so a local path and `git@HOST:PATH` are
    /// rewritten.
    pub(super) fn of_repository(url: &str, rev: Option<String>) -> Result<Self, CommandError> {
        if url.contains("://") {
            return Ok(Self::Git { url: url.to_owned(), rev });
        }
        let path = Path::new(url);
        if path.exists() {
            let real = path.canonicalize().map_err(|error| CommandError::unreadable(path, error))?;
            let url = super::plain(&format!("file://{}", real.display()))?;
            return Ok(Self::Git { url, rev });
        }
        match url.split_once(':') {
            Some((host, path)) if host.contains('@') && !host.contains('/') && !path.starts_with('/') => {
                Ok(Self::Git { url: format!("ssh://{host}/{path}"), rev })
            }
            _ => Err(format!(
                "`{url}` is no address that cargo can read, and no directory: write a URL such as `https://…`"
            )
            .into()),
        }
    }

    /// Uses a checkout, which must exist.
    pub(super) fn of_checkout(path: &Path) -> Result<Self, CommandError> {
        path.canonicalize().map(Self::Path).map_err(|error| CommandError::unreadable(path, error))
    }

    /// Returns the value of a dependency on a package that lies in `below` of the checkout.
    fn value(&self, below: &str) -> String {
        match self {
            Self::Registry => quoted(VERSION),
            // A registry needs the version, and the sources stay out of the published package.
            Self::Git { url, rev: None } => format!("{{ version = {VERSION:?}, git = {} }}", quoted(url)),
            Self::Git { url, rev: Some(rev) } => {
                format!("{{ version = {VERSION:?}, git = {}, rev = {} }}", quoted(url), quoted(rev))
            }
            Self::Path(root) => {
                // Joining an empty path would add a trailing slash.
                let path = if below.is_empty() { root.clone() } else { root.join(below) };
                format!("{{ version = {VERSION:?}, path = {} }}", quoted(&path.to_string_lossy()))
            }
        }
    }
}

/// The message for an unknown origin. The registry is not the default, because anyone could still register
/// these names.
const NO_ORIGIN: &str = "the packages are not published yet: name their source with `--git URL` or `--path CHECKOUT`, or use \
                         `--registry` once they are published";

/// Returns `true` if `Cargo.toml` lacks a dependency, so that the source of the packages must be known.
pub(super) fn needs_origin(changes: &SetupChanges) -> Result<bool, CommandError> {
    let Some(text) = changes.read("Cargo.toml")? else { return Ok(true) };
    let table = parse(&text)?;
    Ok(PACKAGES.iter().any(|(section, package, _)| !names(&table, section, package)))
}

/// The packages that a program needs: the section, the name, and the directory in a checkout.
const PACKAGES: [(&str, &str, &str); 2] =
    [("dependencies", "skills-bundle", ""), ("build-dependencies", "skills-build", "core/skills-build")];

/// Adds missing dependencies to `Cargo.toml`, or creates the file.
pub(super) fn change(changes: &mut SetupChanges, origin: Option<&CrateOrigin>) -> Result<(), CommandError> {
    let text = match changes.read("Cargo.toml")? {
        Some(text) => text,
        None => fresh(&changes.name()),
    };
    let table = parse(&text)?;
    if !table.contains_key("package") {
        return Err(no_package(&table).into());
    }
    let mut edited = text.clone();
    for (section, package, below) in PACKAGES {
        if names(&table, section, package) {
            continue;
        }
        let value = origin.ok_or(NO_ORIGIN)?.value(below);
        match add(&edited, section, package, &value) {
            Some(added) => edited = added,
            None => changes
                .add_note(format!("Cargo.toml was not edited: add `{package} = {value}` to its [{section}]")),
        }
    }
    if edited != text || !changes.is_there("Cargo.toml") {
        changes.replace("Cargo.toml", edited);
    }
    Ok(())
}

/// Returns the error for a directory whose `Cargo.toml` has no package, with the commands to use instead.
fn no_package(table: &Table) -> String {
    let members = table.get("workspace").and_then(|workspace| workspace.get("members"));
    let members = members.and_then(toml::Value::as_array).into_iter().flatten();
    // A pattern such as `crates/*` names no directory.
    let member = members.filter_map(toml::Value::as_str).find(|member| !member.contains(['*', '?', '[']));
    let of = match member {
        Some(member) => {
            format!("set up a member with `skills init {}`, or ", skills_text::shell_word(member))
        }
        None => String::new(),
    };
    format!(
        "Cargo.toml describes a workspace without a package: {of}create a member with `skills init NAME --cargo` and add \
         NAME to `members` in Cargo.toml"
    )
}

/// Returns the manifest of a package that is named after its directory.
fn fresh(directory: &str) -> String {
    let mut name: String = directory
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '-' })
        .collect();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name.insert_str(0, "agent-");
    }
    let name = name.trim_end_matches('-');
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
}

fn parse(text: &str) -> Result<Table, CommandError> {
    text.parse()
        .map_err(|error: toml::de::Error| CommandError::unreadable("Cargo.toml".as_ref(), error.message()))
}

/// Returns a text as a string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Returns `true` if a section contains a package under any name.
fn names(table: &Table, section: &str, package: &str) -> bool {
    let Some(section) = table.get(section).and_then(toml::Value::as_table) else { return false };
    let mut renamed = section.values().filter_map(|value| value.get("package")?.as_str());
    section.contains_key(package) || renamed.any(|name| name == package)
}

/// Adds a line at the end of a section, or adds the section at the end of the text. Parses the result again
/// and accepts it only if that key is the only difference.
fn add(text: &str, section: &str, key: &str, value: &str) -> Option<String> {
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let line = format!("{key} = {value}{ending}");
    let header = format!("[{section}]");
    let mut edited = String::with_capacity(text.len() + line.len());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let found =
        lines.iter().position(|line| line.trim().split('#').next().unwrap_or("").trim_end() == header);
    if let Some(at) = found {
        let next = lines.iter().skip(at + 1).position(|line| line.trim_start().starts_with('['));
        let mut end = next.map_or(lines.len(), |next| at + 1 + next);
        // Blank lines and comments above a header belong to the section that follows.
        while end > at + 1 && next.is_some() && lines.get(end - 1).is_some_and(|line| is_apart(line)) {
            end -= 1;
        }
        while end > at + 1 && lines.get(end - 1).is_some_and(|line| line.trim().is_empty()) {
            end -= 1;
        }
        let (before, after) = lines.split_at_checked(end)?;
        edited.push_str(&before.concat());
        if !edited.ends_with('\n') {
            edited.push_str(ending);
        }
        edited.push_str(&line);
        edited.push_str(&after.concat());
    } else {
        edited.push_str(text);
        if !text.is_empty() && !text.ends_with('\n') {
            edited.push_str(ending);
        }
        edited.push_str(&format!("{ending}[{section}]{ending}{line}"));
    }
    let mut wanted = parse(text).ok()?;
    let table = wanted.entry(section).or_insert_with(|| Table::new().into()).as_table_mut()?;
    table.insert(key.to_owned(), format!("v = {value}").parse::<Table>().ok()?.remove("v")?);
    (parse(&edited).ok()? == wanted).then_some(edited)
}

fn is_apart(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 18.4: comments, order and line ends stay
    #[test]
    fn a_line_is_added_and_the_rest_stays() {
        let add = |text: &str| add(text, "dependencies", "k", "\"1\"");
        let cases = [
            ("[package]\nname = \"a\"\n", Some("[package]\nname = \"a\"\n\n[dependencies]\nk = \"1\"\n")),
            ("[dependencies]\n", Some("[dependencies]\nk = \"1\"\n")),
            (
                "[dependencies] # all\nz = \"1\" # why\n\n# of tests\n[dev-dependencies]\n",
                Some("[dependencies] # all\nz = \"1\" # why\nk = \"1\"\n\n# of tests\n[dev-dependencies]\n"),
            ),
            ("[dependencies]\r\nz = \"1\"", Some("[dependencies]\r\nz = \"1\"\r\nk = \"1\"\r\n")),
            (
                "[dependencies.z]\nversion = \"1\"\n",
                Some("[dependencies.z]\nversion = \"1\"\n\n[dependencies]\nk = \"1\"\n"),
            ),
            (
                "[dependencies]\nz = { version = \"1\", features = [\n\"a\",\n] }\n",
                Some("[dependencies]\nz = { version = \"1\", features = [\n\"a\",\n] }\nk = \"1\"\n"),
            ),
            // A line inside a string that looks like a section header, and sections that are written as keys.
            ("a = \"\"\"\n[dependencies]\n\"\"\"\n", None),
            ("dependencies.z = \"1\"\n", None),
            ("dependencies = { z = \"1\" }\n", None),
        ];
        for (text, wanted) in cases {
            assert_eq!(add(text).as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn a_dependency_is_recognized_under_any_name() {
        let table = |text: &str| parse(text).unwrap();
        let known = |text: &str| names(&table(text), "dependencies", "skills-bundle");
        assert!(known("[dependencies]\nskills-bundle = \"1\""));
        assert!(known("[dependencies]\nkit = { package = \"skills-bundle\", version = \"1\" }"));
        assert!(!known("[dependencies]\nskills = \"1\""));
        assert!(!known("[dev-dependencies]\nskills-bundle = \"1\""));
    }
}
