//! The notation for a source of skills, which people type and the lock file stores.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use skills_text::is_exact_path;

use crate::SourceError;

const GITHUB: &str = "https://github.com/";

/// A source of skills. Its `Display` is the canonical notation: parsing it gives the same source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub enum Source {
    /// A git repository.
    Git {
        /// The URL, or the path of a local repository.
        url: String,
        /// A branch, a tag or a full commit. Without it, the default branch.
        rev: Option<String>,
        /// A directory of the repository.
        path: Option<String>,
    },
    /// A directory on this machine, relative to the project or absolute.
    Directory(String),
    /// A package that the project has installed.
    Package {
        /// The package manager.
        kind: PackageKind,
        /// The name of the package.
        name: String,
        /// The version, if several are installed.
        version: Option<String>,
    },
}

/// A package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PackageKind {
    /// Cargo.
    Crate,
    /// npm and other managers of `node_modules`.
    Npm,
    /// pip and other managers of a Python environment.
    Pypi,
}

skills_text::__named!(PackageKind, "package manager", { Crate = "crate", Npm = "npm", Pypi = "pypi" });

impl Source {
    /// Parses `owner/repo[@rev][/path]`, `URL[#rev[:path]]`, a path, or `crate:`, `npm:` or `pypi:` and a name.
    ///
    /// A local path begins with `.`, `/` or `~`. It is a git repository if it has a `#`, ends in `.git`, or holds a bare
    /// repository.
    ///
    /// # Errors
    /// Returns [`SourceError::Usage`] with the reason.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        let usage = |reason: &str| Err(SourceError::Usage(format!("`{text}` is not a source: {reason}")));
        if text.is_empty() || text.starts_with('-') || text.contains(char::is_control) {
            return usage("it is empty, begins with `-`, or has a control character");
        }
        for kind in PackageKind::ALL {
            if let Some(rest) = text.strip_prefix(kind.as_str()).and_then(|rest| rest.strip_prefix(':')) {
                return package(kind, rest).map_or_else(|| usage("the name or version is not valid"), Ok);
            }
        }
        let (place, fragment) =
            text.split_once('#').map_or((text, None), |(place, rest)| (place, Some(rest)));
        let is_local = text.starts_with(['.', '/', '~']);
        if let Some((scheme, _)) = place.split_once("://") {
            if !matches!(scheme, "https" | "ssh" | "file") {
                return usage(
                    "use `https`, `ssh` or `file`; other protocols are not authenticated or run programs",
                );
            }
        } else if is_local {
            if fragment.is_none() && !place.ends_with(".git") && !is_bare(Path::new(place)) {
                return Ok(Self::Directory(place.to_owned()));
            }
        } else if !is_scp(place) {
            return match (fragment, github(text)) {
                (None, Some(source)) => Ok(source),
                _ => usage("write `owner/repo`, a URL, `./path`, or `crate:`, `npm:` or `pypi:` and a name"),
            };
        }
        let (rev, path) = match fragment.unwrap_or_default().split_once(':') {
            Some((rev, path)) => (rev, path),
            None => (fragment.unwrap_or_default(), ""),
        };
        match (optional(rev, is_rev), optional(path, is_exact_path)) {
            (Some(rev), Some(path)) => Ok(Self::Git { url: place.to_owned(), rev, path }),
            _ => usage("the revision or the path after `#` is not valid"),
        }
    }

    /// Returns `true` if both are the same package, in whatever versions.
    pub fn is_same_package(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Package { kind: a, name, .. }, Self::Package { kind: b, name: other, .. }) => {
                (a, name) == (b, other)
            }
            _ => false,
        }
    }

    /// Returns the host of a repository that is not on this machine.
    pub fn host(&self) -> Option<&str> {
        let Self::Git { url, .. } = self else { return None };
        if self.is_local_git() {
            return None;
        }
        let place = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        let authority = place.split('/').next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        // The notation `user@host:path` has no port.
        Some(if url.contains("://") { host } else { host.split(':').next().unwrap_or_default() })
    }

    /// Returns `true` if the source is a git repository on this machine.
    pub(crate) fn is_local_git(&self) -> bool {
        matches!(self, Self::Git { url, .. } if url.starts_with(['.', '/', '~']) || url.starts_with("file://"))
    }
}

/// Returns `None` for an invalid text, and `Some(None)` for an empty one.
fn optional(text: &str, is_valid: fn(&str) -> bool) -> Option<Option<String>> {
    if text.is_empty() { Some(None) } else { is_valid(text).then(|| Some(text.to_owned())) }
}

fn is_rev(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/+".contains(c);
    !text.starts_with(['-', '/', '.']) && !text.contains("..") && text.chars().all(is_plain)
}

/// Returns `true` for the notation `user@host:path` of ssh.
fn is_scp(text: &str) -> bool {
    text.split_once(':').is_some_and(|(host, path)| {
        host.contains('@') && !host.contains('/') && !host.starts_with('-') && !path.starts_with('-')
    })
}

fn is_bare(path: &Path) -> bool {
    path.join("HEAD").is_file() && path.join("objects").is_dir() && path.join("refs").is_dir()
}

fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    !text.is_empty() && !text.starts_with(['.', '-']) && text.chars().all(is_plain)
}

fn github(text: &str) -> Option<Source> {
    let mut parts = text.splitn(3, '/');
    let (owner, mut repo) = (parts.next()?, parts.next()?);
    let (mut rev, path) = ("", parts.next().unwrap_or_default());
    if let Some((name, after)) = repo.split_once('@') {
        (repo, rev) = (name, after);
        if rev.is_empty() {
            return None;
        }
    }
    let (rev, path) = (optional(rev, is_rev)?, optional(path.trim_end_matches('/'), is_exact_path)?);
    (is_name(owner) && is_name(repo)).then(|| Source::Git {
        url: format!("{GITHUB}{owner}/{repo}"),
        rev,
        path,
    })
}

fn package(kind: PackageKind, text: &str) -> Option<Source> {
    // The first `@` of an npm package may begin its scope.
    let (name, version) = match text.char_indices().skip(1).find(|(_, c)| *c == '@') {
        Some((at, _)) => (text.get(..at)?, Some(text.get(at + 1..)?)),
        None => (text, None),
    };
    let is_valid = match (kind, name.strip_prefix('@').and_then(|name| name.split_once('/'))) {
        (PackageKind::Npm, Some((scope, name))) => is_name(scope) && is_name(name),
        _ => is_name(name),
    };
    let is_version = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-+!".contains(c))
    };
    let version = version.map(str::to_owned);
    (is_valid && version.as_deref().is_none_or(is_version)).then(|| Source::Package {
        kind,
        name: name.to_owned(),
        version,
    })
}

impl TryFrom<String> for Source {
    type Error = SourceError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        source.to_string()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => f.write_str(path),
            Self::Package { kind, name, version } => {
                write!(f, "{kind}:{name}")?;
                version.as_ref().map_or(Ok(()), |version| write!(f, "@{version}"))
            }
            Self::Git { url, rev, path } => {
                let rev_text = rev.as_deref().unwrap_or_default();
                let short =
                    url.strip_prefix(GITHUB).filter(|rest| !rev_text.contains('/') && github(rest).is_some());
                if let Some(short) = short.filter(|rest| rest.split('/').count() == 2) {
                    f.write_str(short)?;
                    rev.as_ref().map_or(Ok(()), |rev| write!(f, "@{rev}"))?;
                    return path.as_ref().map_or(Ok(()), |path| write!(f, "/{path}"));
                }
                f.write_str(url)?;
                // A local path with `#` is always a repository, even if it does not exist when the lock file
                // is read.
                if rev.is_some() || path.is_some() || !url.contains([':', '@']) {
                    write!(f, "#{rev_text}")?;
                }
                path.as_ref().map_or(Ok(()), |path| write!(f, ":{path}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 21.1: each notation is parsed, and printed in a form that parses to the same source
    #[test]
    fn notations_survive_a_round_trip() {
        for (text, shown) in [
            ("acme/skills", "acme/skills"),
            ("acme/skills@v1.2/tools/pdf", "acme/skills@v1.2/tools/pdf"),
            ("acme/skills/tools/", "acme/skills/tools"),
            ("https://github.com/acme/skills", "acme/skills"),
            ("https://github.com/acme/skills#feature/x", "https://github.com/acme/skills#feature/x"),
            ("https://git.example/a.git#v1:skills", "https://git.example/a.git#v1:skills"),
            ("ssh://git@git.example/a.git#:skills", "ssh://git@git.example/a.git#:skills"),
            ("git@github.com:acme/skills.git#v1", "git@github.com:acme/skills.git#v1"),
            ("file:///srv/a.git", "file:///srv/a.git"),
            ("./a.git", "./a.git#"),
            ("../shared/skills", "../shared/skills"),
            ("crate:tokio@1.2.3", "crate:tokio@1.2.3"),
            ("npm:@acme/ui@2.0.0", "npm:@acme/ui@2.0.0"),
            ("npm:@acme/ui", "npm:@acme/ui"),
            ("pypi:ruamel.yaml", "pypi:ruamel.yaml"),
        ] {
            let source = Source::parse(text).expect(text);
            assert_eq!(source.to_string(), shown);
            assert_eq!(Source::parse(shown).expect(shown), source);
        }
    }

    // SPEC 14.20
    #[test]
    fn the_host_of_a_repository_is_that_which_git_connects_to() {
        for (text, host) in [
            ("acme/skills", Some("github.com")),
            ("https://git.example:8443/a.git#v1", Some("git.example:8443")),
            ("https://github.com@evil.example/a.git", Some("evil.example")),
            ("ssh://git@git.example/a.git", Some("git.example")),
            ("git@git.example:acme/skills.git", Some("git.example")),
            ("file:///srv/a.git", None),
            ("./a.git", None),
            ("crate:tokio", None),
        ] {
            assert_eq!(Source::parse(text).expect(text).host(), host, "{text}");
        }
    }

    // SPEC 21.1, 21.4: a text that is not a source, or that a program could take for an option, is refused
    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "--upload-pack=x",
            "skills",
            "a/b@",
            "a/b@-x",
            "a/b/../c",
            "a/b@x..y",
            "http://a.example/b",
            "ext::sh -c id",
            "git://a.example/b",
            "./a.git#v1:../b",
            "./a.git#--x",
            "crate:",
            "crate:../x",
            "npm:../x",
            "npm:@a/../b",
            "pypi:a/b",
            "crate:a@",
            "-oProxyCommand=x@h:y",
            "a/b\n",
        ] {
            assert!(matches!(Source::parse(text), Err(SourceError::Usage(_))), "{text}");
        }
    }
}
