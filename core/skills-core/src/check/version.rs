//! Checks the version of a skill: three numbers, as in Semantic Versioning 2.0.0.

use super::semver::{is_semver, three};
use super::value::{Expected, wrong};
use crate::edit::Change;
use crate::report::Report;
use crate::rule::manifest as rules;
use crate::span::Spanned;
use crate::tree::MapEntry;

pub(super) fn version(entry: &MapEntry, report: &mut Report) -> Option<Spanned<String>> {
    let Some(version) = entry.value.spanned() else {
        wrong(entry, Expected::Version, report);
        return None;
    };
    check(&version, report);
    Some(version)
}

/// Reports a version that is not a semantic version.
pub(super) fn check(version: &Spanned<String>, report: &mut Report) {
    if !is_semver(&version.value) {
        let fixed = three(&version.value);
        let example = fixed.as_deref().unwrap_or("1.0.0");
        rules::VERSION_FORMAT
            .at(version.span, format!("`{}` is not a semantic version", version.value))
            .label("expected MAJOR.MINOR.PATCH")
            .help(format!("write three numbers: \"{example}\""))
            .fix(fixed.as_deref().map(|text| Change::string(version.span, text).looked_at()))
            .add_to(report);
    }
}
