//! Finds the file that a wrong path probably means, for the help of a broken link. Files are searched only once one is missing.

use super::super::references::only;
use super::super::surroundings::{Surroundings, directories_above};
use super::references::{file_name, is_common};
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

/// Returns the file of the same folder with a similar name: with another ending, with a small difference, or the only one
/// with the same ending that has all words of the missing one, or whose words the missing one has.
pub(super) fn similar_file(around: &Surroundings<'_>, place: &str) -> Option<String> {
    let (folder, name) = place.rsplit_once('/').unwrap_or(("", place));
    if is_common(&file_name(name)) {
        return None;
    }
    let names = around.files_in(folder);
    let (stem, ending) = name.rsplit_once('.')?;
    let with_other_ending = only(names.iter().filter(|name| is_with_ending(name, stem))).copied();
    let near = with_other_ending.or_else(|| skills_text::nearest(name, names.iter().copied()));
    let near = near.or_else(|| {
        let same_ending = names.iter().filter_map(|name| Some((*name, name.strip_suffix(ending)?)));
        let mut similar =
            same_ending.filter(|(_, other)| has_words_of(stem, other) || has_words_of(other, stem));
        only(&mut similar).map(|(name, _)| name)
    });
    near.map(|near| if folder.is_empty() { near.to_owned() } else { format!("{folder}/{near}") })
}

/// Returns `true` if a name consists of a stem and an ending.
fn is_with_ending(name: &str, stem: &str) -> bool {
    let ending = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
    ending.is_some_and(|ending| !ending.is_empty() && !ending.contains('.'))
}

/// Returns `true` if a name has all words of another one, which has at least two.
fn has_words_of(other: &str, name: &str) -> bool {
    let words = || name.split(['-', '_', '.', ' ']).filter(|word| !word.is_empty());
    let mut wanted = other.split(['-', '_', '.', ' ']).filter(|word| !word.is_empty());
    wanted.clone().count() > 1 && wanted.all(|word| words().any(|known| known.eq_ignore_ascii_case(word)))
}

/// Returns the place with an `s` more or less at the end of one folder, if it exists.
fn in_similar_folder(around: &Surroundings<'_>, place: &str) -> Option<String> {
    let ends = place.match_indices('/').map(|(at, _)| at);
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

#[cfg(test)]
mod tests {
    use super::{has_words_of, is_with_ending};

    // SPEC 2.14
    #[test]
    fn names_with_the_same_words_or_stem_are_similar() {
        assert!(has_words_of("check_vf", "check_vf_fundamentals.") && has_words_of("a-b", "b_a"));
        assert!(!has_words_of("check", "check_vf") && !has_words_of("check_a", "check_vf"));
        assert!(is_with_ending("mocks.ts", "mocks"));
        for name in ["mocks", "mocks.", "mocks.test.ts", "mocks2.ts"] {
            assert!(!is_with_ending(name, "mocks"), "{name}");
        }
    }
}
