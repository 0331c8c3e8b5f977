//! Places in the form of `permissions`: relative to the skill, the workspace, the home directory or the root.

use std::path::{Path, PathBuf};

use skills_exec::Request;
use skills_registry::AskedPath;

/// The directory in which a path of `permissions` begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Base {
    Skill,
    Workspace,
    Home,
    Root,
}

/// A path of `permissions`, by where it begins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) base: Base,
    /// The rest, with `/` as separator; may be empty.
    pub(crate) rest: String,
}

impl Place {
    pub(crate) fn new(base: Base, rest: &str) -> Self {
        Self { base, rest: rest.to_owned() }
    }

    /// Formats the place as in `permissions`.
    pub(crate) fn text(&self) -> String {
        let rest = &self.rest;
        match (self.base, rest.is_empty()) {
            (Base::Skill, true) => ".".to_owned(),
            (Base::Skill, false) => rest.clone(),
            (Base::Workspace, true) => "$WORKSPACE".to_owned(),
            (Base::Workspace, false) => format!("$WORKSPACE/{rest}"),
            (Base::Home, true) => "~".to_owned(),
            (Base::Home, false) => format!("~/{rest}"),
            (Base::Root, _) => format!("/{rest}"),
        }
    }

    /// Returns `true` if everything at `other` is at or below this place.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.base == other.base && is_below(&other.rest, &self.rest)
    }

    /// Returns the directory that contains the place.
    pub(crate) fn parent(&self) -> Self {
        let rest = self.rest.rsplit_once('/').map_or("", |(parent, _)| parent);
        Self::new(self.base, rest)
    }
}

/// Returns `true` if a path is at or below another.
fn is_below(path: &str, above: &str) -> bool {
    above.is_empty() || path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The directories of a run, by their real paths.
#[derive(Debug)]
pub(crate) struct Roots {
    pub(crate) skill: PathBuf,
    pub(crate) workspace: PathBuf,
    home: Option<PathBuf>,
    /// The temporary directory, if it is the home directory that the program sees.
    private_home: Option<PathBuf>,
    /// Paths that every program may read, or write.
    always: Vec<(PathBuf, bool)>,
    /// The paths that the sandbox of this run grants.
    granted: Vec<(PathBuf, bool)>,
}

impl Roots {
    /// Reads the directories of a request.
    pub(crate) fn of(request: &Request, scratch: Option<&Path>) -> Self {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let skill = real(&request.directory);
        let workspace = real(request.workspace.as_deref().unwrap_or(Path::new(".")));
        let home = std::env::home_dir().filter(|home| home.is_absolute()).map(|home| real(&home));
        let mut always = vec![(skill.clone(), false)];
        always.extend(scratch.map(|scratch| (real(scratch), true)));
        let mut granted = Vec::new();
        let mut private_home = scratch.filter(|_| request.sandbox.is_some()).map(Path::to_owned);
        if let Some(sandbox) = &request.sandbox {
            always.extend(sandbox.readable.iter().map(|path| (real(path), false)));
            always.extend(sandbox.writable.iter().map(|path| (real(path), true)));
            let paths = sandbox.granted.iter().flat_map(|granted| {
                let read = granted.read.iter().map(|path| (path, false));
                read.chain(granted.write.iter().map(|path| (path, true)))
            });
            for (text, writes) in paths {
                let path = match AskedPath::parse(text) {
                    Ok(AskedPath::Skill(rest)) => skill.join(rest),
                    Ok(AskedPath::Workspace(rest)) => workspace.join(rest),
                    Ok(AskedPath::Home(rest)) => {
                        private_home = None;
                        home.clone().unwrap_or_default().join(rest)
                    }
                    Ok(AskedPath::Root(rest)) => Path::new("/").join(rest),
                    Ok(AskedPath::Tmpdir(_)) | Err(_) => continue,
                };
                granted.push((real(&path), writes));
            }
            if sandbox.granted.is_none() {
                granted.push((workspace.clone(), true));
            }
        }
        Self { skill, workspace, home, private_home, always, granted }
    }

    /// If the program looks for a file in its private home directory that exists in the real one, returns the
    /// place of the real file.
    pub(crate) fn looked_for(&self, path: &Path) -> Option<Place> {
        let rest = path.strip_prefix(self.private_home.as_deref()?).ok()?;
        let there = self.home.as_deref()?.join(rest);
        (!rest.as_os_str().is_empty() && there.exists()).then(|| self.place(&there))
    }

    /// Returns `true` if every program has this right.
    pub(crate) fn is_always(&self, path: &Path, writes: bool) -> bool {
        has(&self.always, path, writes)
    }

    /// Returns `true` if the sandbox of this run refuses the right.
    pub(crate) fn is_denied(&self, path: &Path, writes: bool) -> bool {
        !self.is_always(path, writes) && !has(&self.granted, path, writes)
    }

    /// Returns the place of a real path. If `permissions` cannot express the path, returns a directory above it.
    pub(crate) fn place(&self, path: &Path) -> Place {
        let roots = [
            (Base::Skill, Some(self.skill.as_path())),
            (Base::Workspace, Some(self.workspace.as_path())),
            (Base::Home, self.home.as_deref()),
            (Base::Root, Some(Path::new("/"))),
        ];
        let below = roots.into_iter().filter_map(|(base, root)| {
            let root = root?;
            Some((base, root.components().count(), path.strip_prefix(root).ok()?))
        });
        // The innermost directory; of equal ones, the first.
        let found = below.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let (base, _, mut rest) = found.unwrap_or((Base::Root, 0, Path::new("")));
        loop {
            if let Some(place) = rest.to_str().map(|rest| Place::new(base, rest))
                && AskedPath::parse(&place.text()).is_ok_and(|asked| is_of(asked, base))
            {
                return place;
            }
            match rest.parent() {
                Some(parent) => rest = parent,
                None => return Place::new(base, ""),
            }
        }
    }
}

/// Returns `true` if a parsed path begins in the expected directory. This is not certain, because a file of a
/// skill can be named `~`.
fn is_of(asked: AskedPath<'_>, base: Base) -> bool {
    matches!(
        (asked, base),
        (AskedPath::Skill(_), Base::Skill)
            | (AskedPath::Workspace(_), Base::Workspace)
            | (AskedPath::Home(_), Base::Home)
            | (AskedPath::Root(_), Base::Root)
    )
}

fn has(paths: &[(PathBuf, bool)], path: &Path, writes: bool) -> bool {
    paths.iter().any(|(above, may_write)| (*may_write || !writes) && path.starts_with(above))
}
