//! Checks the version of a skill: three numbers, as in Semantic Versioning 2.0.0.

use skills_text::is_digits;

use super::value::{Expected, wrong};
use crate::rule::manifest as rules;
use crate::tree::MapEntry;
use crate::{Change, Report, Spanned};

pub(super) fn version(entry: &MapEntry, report: &mut Report) -> Option<Spanned<String>> {
    let Some(version) = entry.value.spanned() else {
        wrong(entry, Expected::Version, report);
        return None;
    };
    check(&version, report);
    Some(version)
}

pub(super) fn check(version: &Spanned<String>, report: &mut Report) {
    if !is_semver(&version.value) {
        let fixed = three(&version.value);
        let example = fixed.as_deref().unwrap_or("1.0.0");
        rules::VERSION_FORMAT
            .report_at(version.span, format!("`{}` is not a semantic version", version.value))
            .label("expected MAJOR.MINOR.PATCH")
            .help(format!("write three numbers: \"{example}\""))
            .fix(fixed.as_deref().map(|text| Change::string(version.span, text).unsafe_fix()))
            .add_to(report);
    }
}

/// Completes a version with fewer than three numbers, or with a leading `v`.
pub(super) fn three(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches(['v', 'V']);
    let parts = text.split('.').count();
    let text = (parts..3).fold(text.to_owned(), |text, _| text + ".0");
    is_semver(&text).then_some(text)
}

fn is_semver(text: &str) -> bool {
    let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(core, pre)| (core, Some(pre)));
    let number = |part: &str| !part.is_empty() && is_digits(part) && (part == "0" || !part.starts_with('0'));
    let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let tag = |part: &str| word(part) && (number(part) || !is_digits(part));
    let core: Vec<&str> = core.split('.').collect();
    core.len() == 3
        && core.into_iter().all(number)
        && pre.is_none_or(|pre| pre.split('.').all(tag))
        && build.is_none_or(|build| build.split('.').all(word))
}

#[cfg(test)]
mod tests {
    use super::is_semver;

    // SPEC 3.1
    #[test]
    fn versions_are_semver() {
        for text in ["1.0.0", "0.1.0-alpha.1+build.5", "10.20.30", "1.0.0-0a", "1.0.0+001"] {
            assert!(is_semver(text), "{text}");
        }
        for text in ["", "1", "1.0", "1.0.0.0", "v1.0.0", "1.0.0-", "01.0.0", "1.0.0-01", "1.0.x", "1.0.0+"] {
            assert!(!is_semver(text), "{text}");
        }
    }
}
