//! Computes the place of a skill below a folder that a client searches.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place<'p> {
    /// The folder that contains it.
    pub(super) folder: &'static str,
    /// The depth below that folder; 1 for a skill directly in it.
    pub(super) depth: usize,
    /// The directory that holds the folder; `None` for the root.
    pub(super) above: Option<&'p str>,
}

impl<'p> Place<'p> {
    /// Finds the nearest of these folders above a skill, by its path below the root.
    pub(super) fn of(path: &'p str, folders: &[&'static str]) -> Option<Self> {
        let ends = path.match_indices('/').map(|(at, _)| at).rev();
        ends.into_iter().find_map(|end| {
            let (above, below) = (&path[..end], &path[end + 1..]);
            folders.iter().find_map(|folder| {
                let before = above.strip_suffix(folder)?;
                let above = if before.is_empty() { None } else { Some(before.strip_suffix('/')?) };
                Some(Self { folder, depth: below.split('/').count(), above })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    // SPEC 11.9
    #[test]
    fn the_nearest_folder_counts() {
        let of = |path| Place::of(path, &[".a/skills", "skills"]);
        let place = |folder, depth, above| Some(Place { folder, depth, above });
        assert_eq!(of(".a/skills/pdf"), place(".a/skills", 1, None));
        assert_eq!(of("apps/web/.a/skills/office/pdf"), place(".a/skills", 2, Some("apps/web")));
        assert_eq!(of("skills/x/skills/pdf"), place("skills", 1, Some("skills/x")));
        for path in ["", "skills", "pdf", "my-skills/pdf", "b.a/other/pdf"] {
            assert_eq!(of(path), None, "{path}");
        }
    }
}
