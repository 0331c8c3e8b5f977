//! Reports names that are not portable to other systems. Used by `read` and `files`.

use skills_text::{hidden_runs, shell_word, sort};
use unicode_normalization::UnicodeNormalization;

use super::problem::{FILE, ROOT, UnplacedProblem};
use crate::frontmatter::describe_hidden;
use crate::name::device;
use crate::rule::{files, lints};

/// The maximum length of a path in bytes. It leaves room for a target directory within the 260 characters
/// that Windows allows.
const LONGEST: usize = 240;

/// Reports a name of a file or directory that is not valid on Windows.
pub(super) fn reserved(name: &str) -> Option<UnplacedProblem> {
    let why = if let Some(sign) = name.chars().find(|sign| is_forbidden(*sign)) {
        format!("Windows does not allow `{}` in a name", sign.escape_default())
    } else if name.ends_with(['.', ' ']) {
        "Windows does not allow a name that ends in a dot or a space".to_owned()
    } else {
        let device = device(name)?;
        format!("on Windows `{device}` is a device, with any file extension")
    };
    let title = format!("`{name}` is not a valid file name on Windows");
    let fixed = fixed_name(name);
    let help = format!("rename it to `{fixed}`");
    Some(UnplacedProblem::new(&files::PATH_RESERVED, title, help).label(why).rename(fixed))
}

/// Reports a name with invisible characters.
pub(super) fn hidden(name: &str) -> Option<UnplacedProblem> {
    let (.., first) = hidden_runs(name).into_iter().next()?;
    // Control characters were already reported by `reserved`.
    (first >= ' ').then(|| {
        let title = format!("hidden character U+{:04X} in the name", u32::from(first));
        let help = format!("remove the character from the name: these are {}", describe_hidden(first));
        UnplacedProblem::new(&lints::HIDDEN_UNICODE, title, help).label("invisible here")
    })
}

/// Reports a path that is too long; `path` begins with the directory of the skill.
pub(super) fn long(path: &str) -> Option<UnplacedProblem> {
    (path.len() > LONGEST).then(|| {
        let title = format!("the path is longer than {LONGEST} bytes");
        UnplacedProblem::new(
            &files::PATH_LONG,
            title,
            "shorten the name of the file or of a directory above it",
        )
        .label(format!("{} bytes", path.len()))
    })
}

/// Folds case and Unicode composition, so that two names are equal if any file system treats them as equal.
pub fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.to_lowercase().nfd().collect()
}

/// Reports two paths that differ only in letter case or composition.
pub(super) fn same_but_case(path: &str, other: &str) -> UnplacedProblem {
    let [name, other_name] =
        [path, other].map(|path| path.rsplit('/').next().unwrap_or_default().to_lowercase());
    let (what, more, label) = match name == other_name {
        true => (
            "letter case",
            "upper and lower case",
            format!("`{other}` is the same path on macOS and Windows"),
        ),
        false => (
            "the Unicode composition of their letters",
            "the composition of accents",
            format!("`{}` is the same path on macOS", other.escape_default()),
        ),
    };
    let help = format!("rename one of the two, so that they differ in more than {more}");
    UnplacedProblem::new(&files::PATH_CASE, format!("two paths differ only in {what}"), help).label(label)
}

/// Finds names in one directory that differ only in case. Returns each with the earlier name that equals it.
pub(super) fn collisions<'a>(names: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    // If there are only a few plain names, comparing them pairwise costs less than copying them.
    let is_plain = names.len() <= 8 && names.iter().all(|name| name.is_ascii());
    let differs =
        |(at, name): (usize, &&str)| names[..at].iter().all(|other| !name.eq_ignore_ascii_case(other));
    if is_plain && names.iter().enumerate().all(differs) {
        return Vec::new();
    }
    let mut folded: Vec<(String, &str)> = names.iter().map(|name| (folded(name), *name)).collect();
    sort(&mut folded, &|a, b| a.cmp(b));
    folded.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| (pair[1].1, pair[0].1)).collect()
}

/// The paths of skills and of the directories above them, each checked once.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The first of `paths` for each path without letter case.
    first: skills_text::Places,
    paths: Vec<String>,
    /// Paths that are equal to an earlier one.
    later: Vec<String>,
}

impl Places {
    /// Adds the path of a skill; returns its problems and the problems of new directories above it.
    pub(super) fn add(&mut self, path: &str) -> Vec<(String, UnplacedProblem)> {
        let mut problems = Vec::new();
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        for part in ends.map(|end| &path[..end]).filter(|part| !part.is_empty()) {
            let at = self.first.first(folded(part), self.paths.len());
            match self.paths.get(at) {
                None => self.paths.push(part.to_owned()),
                Some(first) if first == part || self.later.iter().any(|later| later == part) => continue,
                Some(first) => {
                    problems.push((part.to_owned(), same_but_case(part, first)));
                    self.later.push(part.to_owned());
                }
            }
            let name = part.rsplit('/').next().unwrap_or(part);
            problems.extend(reserved(name).map(|problem| (part.to_owned(), problem)));
            problems.extend(hidden(name).map(|problem| (part.to_owned(), problem)));
        }
        problems
    }
}

/// Reports a file that git ignores but that is bundled. `unknown` is the reason why it may be tracked nevertheless.
pub(super) fn git_ignored(path: &str, unknown: Option<&str>) -> UnplacedProblem {
    let help = format!(
        "add a line to the `.skillignore` of the skill: `/{path}` to exclude it too, `!/{path}` to keep it without this warning"
    );
    UnplacedProblem::new(&files::GIT_IGNORED, format!("`{path}` is bundled although git ignores it"), help)
        .label(match unknown {
            None => "a line of a `.gitignore` matches it".to_owned(),
            Some(why) => {
                format!("a line of a `.gitignore` matches it; it may be committed, but the index of git cannot be read: {why}")
            }
        })
}

/// Reports a `Cargo.toml` in a skill.
pub(super) fn cargo_toml() -> UnplacedProblem {
    UnplacedProblem::new(
        &files::CARGO_TOML,
        "`cargo package` leaves this directory out",
        "rename the file to `Cargo.toml.txt`, and explain that in the skill",
    )
    .label("a directory with a `Cargo.toml` counts as another package")
    .rename("Cargo.toml.txt")
}

fn is_forbidden(sign: char) -> bool {
    sign < ' ' || matches!(sign, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\\')
}

/// Returns a similar name that is not reserved.
fn fixed_name(name: &str) -> String {
    let fixed: String = name.chars().map(|sign| if is_forbidden(sign) { '-' } else { sign }).collect();
    let fixed = fixed.trim_end_matches(['.', ' ']);
    match device(fixed) {
        // The name must also be valid for a skill, so it cannot begin with `_`.
        Some(_) => match fixed.split_once('.') {
            Some((stem, ending)) => format!("{}-file.{ending}", stem.trim_end()),
            None => format!("{}-skill", fixed.to_ascii_lowercase()),
        },
        None if fixed.is_empty() => "_".to_owned(),
        None => fixed.to_owned(),
    }
}

/// Reports a skill in the directory of another skill.
pub(super) fn nested(path: &str, above: &str) -> UnplacedProblem {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (outer, beside) = match above.rsplit_once('/') {
        Some((folder, outer)) => (outer, format!("{folder}/{name}")),
        None => (above, name.to_owned()),
    };
    let (title, help) = match outer {
        "" => {
            let title = "a skill lies in the directory of the skill that is the root".to_owned();
            (title, "move both skills into one directory, beside each other".to_owned())
        }
        outer => {
            let title = format!("the skill `{name}` lies in the directory of the skill `{outer}`");
            (title, format!("move it beside the other skill: `git mv {FILE} {ROOT}{}`", shell_word(&beside)))
        }
    };
    UnplacedProblem::new(&files::SKILL_NESTED, title, help)
        .label("it is a skill of its own, and the other skill does not contain its files")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::{Spelling, is_legal};

    // SPEC 1.4
    #[test]
    fn names_that_windows_reserves() {
        let short = [
            "con", "nul", "com1", "COM¹", "a.", "a ", "a:b", "a?", "a|b", "a*", "<a", "a>", "\"a", "a\\b",
            "a\tb",
        ];
        for name in short.into_iter().chain(["CON.txt", "Aux.tar.gz", "LPT9.md", "con .txt", "CONIN$"]) {
            assert!(reserved(name).is_some(), "`{name}` is reserved");
            assert!(reserved(&fixed_name(name)).is_none(), "`{}` is offered for `{name}`", fixed_name(name));
        }
        for name in ["con", "AUX", "com1"] {
            let fixed = fixed_name(name);
            assert!(is_legal(&fixed, Spelling::Skill), "`{fixed}` is offered for a skill");
        }
        for name in ["console", "com10", "lpt", "a.b", ".a", "nul-", "auxiliary.md", "数据.md", "com"] {
            assert!(reserved(name).is_none(), "`{name}` is free");
        }
    }

    // SPEC 1.4
    #[test]
    fn case_is_folded_beyond_ascii() {
        assert_eq!(collisions(&["README.md", "Readme.md", "a"]), [("Readme.md", "README.md")]);
        assert_eq!(collisions(&["Éa", "éa"]), [("éa", "Éa")]);
        let many = ["A", "a", "b", "c", "d", "e", "f", "g", "h", "i"];
        assert_eq!(collisions(&many), [("a", "A")]);
        assert!(collisions(&["a", "b"]).is_empty());
    }

    // SPEC 12.11
    #[test]
    fn names_that_are_canonically_equal_collide_in_every_script() {
        for (composed, decomposed) in [
            ("caf\u{e9}", "cafe\u{301}"),
            ("\u{304c}", "\u{304b}\u{3099}"), // Japanese: KA with a voiced mark
            ("ti\u{1ebf}ng", "tie\u{302}\u{301}ng"), // Vietnamese: two marks on one letter
            ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}"), // Korean: a syllable of three letters
            ("\u{958}", "\u{915}\u{93c}"),    // Devanagari: never composed
            ("a\u{323}\u{302}", "a\u{302}\u{323}"), // marks in another order
        ] {
            // Of two equal names, the one with the lower bytes counts as the earlier.
            let (first, later) = (composed.min(decomposed), composed.max(decomposed));
            assert_eq!(collisions(&[composed, decomposed]), [(later, first)], "{decomposed:?}");
        }
        // The letters of the fullwidth forms are compatible, and not equal.
        assert!(collisions(&["\u{ff21}", "A"]).is_empty());
    }

    // SPEC 1.4
    #[test]
    fn a_category_is_reported_once() {
        let mut places = Places::default();
        assert!(places.add("docs/a").is_empty());
        let found: Vec<_> = places.add("Docs/a").into_iter().map(|(path, _)| path).collect();
        assert_eq!(found, ["Docs", "Docs/a"]);
        assert!(places.add("Docs/b").is_empty());
        assert_eq!(places.add("aux/b").len(), 1);
        assert!(places.add("aux/c").is_empty());
    }
}
