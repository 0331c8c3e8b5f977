//! Finds the file that a wrong path probably means, for the help of a broken link. Files are searched only once one is missing.

use super::super::references::only;
use super::super::surroundings::{Surroundings, directories_above};
use crate::link_paths::resolve;

/// Returns the place that a path in a text of a directory probably means, if nothing exists there: a file beside it with a
/// similar name, the file in a folder whose name differs by an `s`, or what another number of `../` before the path names.
pub(super) fn similar_place(around: &Surroundings<'_>, directory: &str, path: &str) -> Option<String> {
    let place = resolve(directory, path);
    let near = place
        .as_deref()
        .and_then(|place| similar_file(around, place).or_else(|| in_similar_folder(around, place)));
    near.or_else(|| at_other_height(around, directory, path))
}

/// Returns the file of the same folder with a similar name: with another ending, with a small difference in one word, or the
/// only one with the same ending that has more words, or fewer, at its start or end.
pub(super) fn similar_file(around: &Surroundings<'_>, place: &str) -> Option<String> {
    let (folder, name) = place.rsplit_once('/').unwrap_or(("", place));
    if is_common(&file_name(name)) {
        return None;
    }
    let names = around.files_in(folder);
    let (stem, ending) = name.rsplit_once('.')?;
    let with_other_ending = only(names.iter().filter(|name| is_with_ending(name, stem))).copied();
    let as_long = names.iter().copied().filter(|other| words(other).count() == words(name).count());
    let near = with_other_ending.or_else(|| skills_text::nearest(name, as_long));
    let near = near.or_else(|| {
        let same_ending = names.iter().filter_map(|name| Some((*name, name.strip_suffix(ending)?)));
        let similar = same_ending.filter(|(_, other)| is_part_of(stem, other) || is_part_of(other, stem));
        only(similar).map(|(name, _)| name)
    });
    near.map(|near| if folder.is_empty() { near.to_owned() } else { format!("{folder}/{near}") })
}

/// Returns `true` if a name consists of a stem and an ending.
fn is_with_ending(name: &str, stem: &str) -> bool {
    let ending = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
    ending.is_some_and(|ending| !ending.is_empty() && !ending.contains('.'))
}

/// Returns `true` if a name has at least two words, and another name begins or ends with them.
fn is_part_of(part: &str, name: &str) -> bool {
    let (part, name): (Vec<String>, Vec<String>) = (words(part).collect(), words(name).collect());
    part.len() > 1 && (name.starts_with(&part) || name.ends_with(&part))
}

fn words(name: &str) -> impl Iterator<Item = String> {
    let words = name.split(['-', '_', '.', ' ']).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase)
}

/// Returns the place with an `s` more or less at the end of one folder, if it exists.
fn in_similar_folder(around: &Surroundings<'_>, place: &str) -> Option<String> {
    let ends = place.match_indices('/').map(|(at, _)| at).take(DEEPEST);
    let mut places = ends.map(|end| match place[..end].strip_suffix('s') {
        Some(folder) => format!("{folder}{}", &place[end..]),
        None => format!("{}s{}", &place[..end], &place[end..]),
    });
    places.find(|place| around.exists(place))
}

/// Returns what a path names with more or fewer `../` before it, or without any. If several exist, it is the one with the
/// smallest difference.
fn at_other_height(around: &Surroundings<'_>, directory: &str, path: &str) -> Option<String> {
    let below = path.trim_start_matches("../");
    let height = (path.len() - below.len()) / "../".len();
    // Many directories have a `README.md`, and the text may name the file of another project.
    if !below.contains('/') && (height == 0 || is_common(&file_name(below))) {
        return None;
    }
    let above = std::iter::once(directory).chain(directories_above(directory)).enumerate();
    let places = above.filter_map(|(at, above)| Some((at.abs_diff(height), resolve(above, below)?)));
    let mut places: Vec<_> = places.filter(|(_, place)| around.exists(place)).collect();
    skills_text::sort(&mut places, &|a, b| a.cmp(b));
    places.dedup_by(|a, b| a.1 == b.1);
    let mut places = places.into_iter();
    let (difference, place) = places.next()?;
    places.next().is_none_or(|(next, _)| difference < next).then_some(place)
}

/// Returns `true` if many directories have a file of a name.
pub(super) fn is_common(name: &str) -> bool {
    matches!(name, "skill.md" | "readme.md" | "index.md")
}

pub(super) fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_lowercase()
}

/// The largest number of folders of a path whose names may differ.
const DEEPEST: usize = 64;

#[cfg(test)]
mod tests {
    use super::{is_part_of, is_with_ending};

    // SPEC 2.14
    #[test]
    fn names_with_the_same_words_or_stem_are_similar() {
        assert!(
            is_part_of("check_vf", "check_vf_fundamentals.") && is_part_of("code-tools", "spec-code-tools.")
        );
        assert!(!is_part_of("check", "check_vf") && !is_part_of("llms-txt", "llms-full.txt"));
        assert!(is_with_ending("mocks.ts", "mocks"));
        for name in ["mocks", "mocks.", "mocks.test.ts", "mocks2.ts"] {
            assert!(!is_with_ending(name, "mocks"), "{name}");
        }
    }
}
