//! Folds the accesses of runs into permissions, in the short form that a person would write.

use std::collections::{BTreeMap, BTreeSet};

use skills_registry::{Net, Permissions};

use crate::access::{Access, Object, Right};
use crate::observed::Use;
use crate::place::{Base, Place};

/// If at least this many entries of a directory are used, the permissions name the directory instead of the
/// entries.
const FOLD_MIN: usize = 3;

/// The folded accesses: the permissions, and the first use of each.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    pub(crate) permissions: Permissions,
    pub(crate) uses: Vec<Use>,
}

/// Folds accesses, which come from one or several runs in their order.
pub(crate) fn fold<'a>(accesses: impl Iterator<Item = &'a Access> + Clone) -> Folded {
    let of = |right| accesses.clone().filter(move |access| access.right == right);
    let write = places(of(Right::Write));
    // The right to write a path includes the right to read it.
    let read = places(of(Right::Read).filter(|access| match &access.object {
        Object::Path(place) => !write.iter().any(|above| above.covers(place)),
        Object::Named(_) => false,
    }));
    let read: BTreeSet<Place> =
        read.into_iter().filter(|place| !write.iter().any(|above| above.covers(place))).collect();
    let names = |right| -> BTreeSet<&str> {
        let names = of(right).filter_map(|access| match &access.object {
            Object::Named(name) => Some(name.as_str()),
            Object::Path(_) => None,
        });
        names.collect()
    };
    let texts = |places: &BTreeSet<Place>| places.iter().map(Place::text).collect::<Vec<_>>();
    let owned = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let hosts = names(Right::Net);
    let permissions = Permissions {
        read: texts(&read),
        write: texts(&write),
        net: match (hosts.is_empty(), hosts.contains("all")) {
            (true, _) => Net::None,
            (_, true) => Net::All,
            _ => Net::Hosts(owned(hosts)),
        },
        env: owned(names(Right::Env)),
    };
    let uses = uses(&permissions, [(Right::Read, &read), (Right::Write, &write)], accesses);
    Folded { permissions, uses }
}

/// Returns the first use of each right.
fn uses<'a>(
    permissions: &Permissions,
    places: [(Right, &BTreeSet<Place>); 2],
    accesses: impl Iterator<Item = &'a Access> + Clone,
) -> Vec<Use> {
    let mut uses = Vec::new();
    for (right, place) in
        places.into_iter().flat_map(|(right, places)| places.iter().map(move |place| (right, place)))
    {
        let covered = |access: &&Access| {
            access.right == right && matches!(&access.object, Object::Path(path) if place.covers(path))
        };
        uses.extend(accesses.clone().find(covered).map(|access| Use::new(place.text(), access)));
    }
    let hosts = match &permissions.net {
        Net::None => Vec::new(),
        Net::All => vec!["all".to_owned()],
        Net::Hosts(hosts) => hosts.clone(),
    };
    let names = hosts.iter().map(|host| (Right::Net, host));
    for (right, name) in names.chain(permissions.env.iter().map(|name| (Right::Env, name))) {
        let found = accesses.clone().find(|access| {
            access.right == right && matches!(&access.object, Object::Named(other) if other == name)
        });
        uses.extend(found.map(|access| Use::new(name.clone(), access)));
    }
    uses
}

/// Folds the paths of one right.
fn places<'a>(accesses: impl Iterator<Item = &'a Access>) -> BTreeSet<Place> {
    let mut places: BTreeSet<Place> = BTreeSet::new();
    for access in accesses {
        if let Object::Path(place) = &access.object {
            places.insert(named(place, access));
        }
    }
    // Directories with several entries, from the innermost.
    loop {
        let mut entries: BTreeMap<Place, BTreeSet<&str>> = BTreeMap::new();
        for place in places.iter().filter(|place| !place.rest.is_empty()) {
            let parent = place.parent();
            if may_be_named(&parent) {
                entries.entry(parent).or_default().insert(&place.rest);
            }
        }
        let full =
            entries.into_iter().filter(|(_, entries)| entries.len() >= FOLD_MIN).map(|(place, _)| place);
        let Some(full) = full.max_by_key(|place| place.rest.matches('/').count()) else { break };
        places.retain(|place| !full.covers(place));
        places.insert(full);
    }
    let all: Vec<Place> = places.iter().cloned().collect();
    places.retain(|place| !all.iter().any(|above| above != place && above.covers(place)));
    places
}

/// Returns `true` if a person would grant a whole directory because several of its entries are used. This excludes
/// the home directory and directories at the root.
fn may_be_named(place: &Place) -> bool {
    match place.base {
        Base::Skill | Base::Workspace => true,
        Base::Home => !place.rest.is_empty() && !is_group(&place.rest),
        Base::Root => place.rest.contains('/'),
    }
}

/// Directories of the home directory that have one directory for each program.
fn is_group(rest: &str) -> bool {
    matches!(rest, ".config" | ".cache" | ".local" | ".local/share" | ".local/state")
}

/// Returns the path that a person would name for a path.
fn named(place: &Place, access: &Access) -> Place {
    match place.base {
        // With another input, the program would use another path of the workspace, so the whole workspace is
        // granted.
        Base::Workspace if access.is_input => Place::new(Base::Workspace, ""),
        Base::Skill | Base::Workspace => hidden(place).unwrap_or_else(|| place.clone()),
        Base::Home => hidden(place).unwrap_or_else(|| place.clone()),
        // The directory of a file usually contains other files of the same kind, so the directory is named,
        // unless it belongs to the system.
        Base::Root if access.is_directory || is_system(&place.rest) => place.clone(),
        Base::Root if place.rest.matches('/').count() > 1 => place.parent(),
        Base::Root => place.clone(),
    }
}

fn is_system(rest: &str) -> bool {
    ["etc/", "proc/", "sys/", "dev/", "run/", "var/"].iter().any(|system| rest.starts_with(system))
}

/// Returns the hidden directory in which a path lies, such as `.git` or `.config/gh`.
pub(crate) fn hidden(place: &Place) -> Option<Place> {
    let mut end = 0;
    for part in place.rest.split_inclusive('/') {
        end += part.len();
        let directory = place.rest.get(..end)?.strip_suffix('/')?;
        if part.starts_with('.') || (place.base == Base::Home && is_group(parent(directory))) {
            let is_open = place.base == Base::Home && is_group(directory);
            if !is_open {
                return Some(Place::new(place.base, directory));
            }
        }
    }
    None
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(right: Right, base: Base, rest: &str) -> Access {
        let object = Object::Path(Place::new(base, rest));
        Access {
            right,
            object,
            is_directory: false,
            is_input: false,
            is_denied: false,
            cause: Default::default(),
        }
    }

    fn folded(right: Right, paths: &[(Base, &str)]) -> Vec<String> {
        let all: Vec<Access> = paths.iter().map(|(base, rest)| access(right, *base, rest)).collect();
        let permissions = fold(all.iter()).permissions;
        if right == Right::Read { permissions.read } else { permissions.write }
    }

    // SPEC 13.19
    #[test]
    fn paths_are_folded_as_a_person_would_write_them() {
        use Base::{Home, Root, Skill, Workspace};
        for (paths, wanted) in [
            (vec![(Workspace, "a.csv"), (Workspace, "b.csv")], vec!["$WORKSPACE/a.csv", "$WORKSPACE/b.csv"]),
            (vec![(Workspace, "a.csv"), (Workspace, "b.csv"), (Workspace, "c.csv")], vec!["$WORKSPACE"]),
            (
                vec![(Workspace, "src"), (Workspace, "src/a.rs"), (Workspace, "src/b/c.rs")],
                vec!["$WORKSPACE/src"],
            ),
            (vec![(Workspace, ".git/HEAD"), (Workspace, ".git/objects/ab/cd")], vec!["$WORKSPACE/.git"]),
            (vec![(Home, ".config/gh/hosts.yml")], vec!["~/.config/gh"]),
            (vec![(Home, ".local/share/app/x/y")], vec!["~/.local/share/app"]),
            (vec![(Home, ".pyenv/versions/3/bin/python3")], vec!["~/.pyenv"]),
            (vec![(Home, ".netrc"), (Home, ".a"), (Home, ".b")], vec!["~/.a", "~/.b", "~/.netrc"]),
            (
                vec![(Home, ".config/a"), (Home, ".config/b"), (Home, ".config/c")],
                vec!["~/.config/a", "~/.config/b", "~/.config/c"],
            ),
            (vec![(Root, "srv/models/a.bin")], vec!["/srv/models"]),
            (vec![(Root, "etc/ssh/config"), (Root, "data/x")], vec!["/data/x", "/etc/ssh/config"]),
            (vec![(Skill, "data/a"), (Skill, "data/b"), (Skill, "data/c")], vec!["data"]),
        ] {
            assert_eq!(folded(Right::Write, &paths), wanted, "{paths:?}");
        }
    }

    // SPEC 13.19: a path that may be written is not listed for reading
    #[test]
    fn rights_are_not_repeated() {
        let all = [
            access(Right::Read, Base::Workspace, "out/a"),
            access(Right::Write, Base::Workspace, "out"),
            access(Right::Read, Base::Workspace, "in"),
        ];
        let folded = fold(all.iter());
        assert_eq!(
            folded.permissions.to_json(),
            r#"{"read":["$WORKSPACE/in"],"write":["$WORKSPACE/out"],"net":"none","env":[]}"#
        );
        assert_eq!(folded.uses.len(), 2);
    }

    // SPEC 13.19
    #[test]
    fn a_path_that_the_input_names_stands_for_the_workspace() {
        let one = Access { is_input: true, ..access(Right::Read, Base::Workspace, "in/table.csv") };
        assert_eq!(fold([one].iter()).permissions.read, ["$WORKSPACE"]);
    }
}
