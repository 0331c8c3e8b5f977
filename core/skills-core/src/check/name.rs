//! Determines and checks the name of a skill, from its files or its directory.

use skills_registry::ident_key;

use super::draft::{Check, SkillDraft};
use crate::name::{LONGEST, Spelling, device, fault, is_legal};
use crate::rule::fields as rules;
use crate::{Change, DirectoryKind, Fix, Profile, Span};

pub(super) fn check(draft: &mut SkillDraft, check: &mut Check<'_>) {
    let options = check.options;
    let profile = options.profile;
    // The directory of a checkout has any name.
    let is_checkout = options.read.scope == DirectoryKind::Repository && draft.skill.dir.path.is_empty();
    let manifest = draft.typed.as_ref().and_then(|typed| typed.name.clone());
    let given = draft.fields.name.clone();
    draft.name = match (&manifest, &given) {
        (Some(name), _) | (None, Some(name)) => name.value.clone(),
        (None, None) => draft.skill.dir.name.clone(),
    };
    match (manifest, given) {
        // A misspelled name was already reported, so no fix renames the directory to it.
        (Some(name), _) if !is_legal(&name.value, Spelling::Function) => {}
        (Some(_), _) if is_checkout && profile != Profile::Standard => {}
        (Some(name), _) => check_directory(draft, &name.value, name.span, true, check),
        // A `skill.json` without a readable name was reported.
        (None, _) if draft.has_manifest() && profile != Profile::Standard => {}
        (None, Some(name)) => {
            let is_legal = check_spelling(draft, &name.value, name.span, check);
            if is_legal && (!is_checkout || profile == Profile::Standard) {
                check_directory(draft, &name.value, name.span, false, check);
            }
        }
        (None, None) if draft.is_sound() && !draft.is_misplaced() => report_missing(draft, check),
        (None, None) => {}
    }
}

/// Turns any text into a valid name; `None` if no characters remain.
pub(super) fn fixed_name(name: &str, separator: char) -> Option<String> {
    let mut fixed = String::new();
    let mut last_lower = false;
    for c in name.trim().chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && last_lower {
                fixed.push(separator);
            }
            fixed.push(c.to_ascii_lowercase());
            last_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        } else {
            if !fixed.is_empty() && !fixed.ends_with(separator) {
                fixed.push(separator);
            }
            last_lower = false;
        }
    }
    fixed.truncate(LONGEST);
    let fixed = fixed.trim_end_matches(separator);
    (!fixed.is_empty()).then(|| fixed.to_owned())
}

/// Returns `true` if two names are equal; outside of the standard, if they have the same identifier.
fn is_same_name(a: &str, b: &str, profile: Profile) -> bool {
    a == b || profile != Profile::Standard && ident_key(a) == ident_key(b)
}

/// Returns `true` if a name is the name of the directory behind that of a vendor or a program, such as
/// `acme-pdf` in `pdf`, or if the directory is called `skill` or `reference`, or `pdf-skill` for `pdf`. Where such a skill is installed,
/// installers give its name to its directory.
fn is_name_of_vendor(name: &str, dir: &str) -> bool {
    let before = name.strip_suffix(dir).unwrap_or_default();
    ["skill", "reference"].contains(&dir)
        || dir.strip_suffix("-skill") == Some(name) && device(name).is_none()
        || before.len() > 1 && before.ends_with(['-', '_'])
}

/// Returns `true` if a directory has a name with attributes of chezmoi, such as `private_pdf`, which it installs as `pdf`.
fn is_source_of_chezmoi(name: &str, path: &str) -> bool {
    const ATTRIBUTES: [&str; 5] = ["remove_", "external_", "exact_", "private_", "readonly_"];
    let is_source = path.split('/').any(|part| part.contains("dot_"));
    let directory = path.rsplit('/').next().unwrap_or_default();
    let installed =
        ATTRIBUTES.iter().fold(directory, |name, attribute| name.strip_prefix(attribute).unwrap_or(name));
    is_source && installed == name
}

/// Returns `true` if `SKILL.md` is a link, and the file to which it leads, or its directory, has the name.
fn is_name_of_source(draft: &SkillDraft, name: &str, profile: Profile) -> bool {
    let dir = &draft.skill.dir;
    let directory = dir.source_directory().and_then(|path| path.rsplit('/').next());
    let file = dir.source.as_deref().and_then(|path| path.rsplit('/').next()?.strip_suffix(".md"));
    directory.into_iter().chain(file).any(|other| is_same_name(name, other, profile))
}

/// Returns `true` if two names have a word in common, or are similar.
fn is_related(name: &str, other: &str) -> bool {
    let [words, others] = [name, other].map(|name| fixed_name(name, '-').unwrap_or_default());
    let is_shared = words.split('-').any(|word| others.split('-').any(|other| word == other));
    is_shared || is_respelt(name, other)
}

/// Returns `true` if two names have the same letters, or are so similar that one is probably a misspelling.
fn is_respelt(name: &str, other: &str) -> bool {
    let [name, other] = [name, other].map(|name| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    });
    name == other || skills_text::nearest(&name, [other.as_str()]).is_some()
}

fn spelling_of(profile: Profile) -> Spelling {
    if profile == Profile::Standard { Spelling::Standard } else { Spelling::Skill }
}

fn check_spelling(draft: &SkillDraft, name: &str, span: Span, check: &mut Check<'_>) -> bool {
    let profile = check.options.profile;
    let spelling = spelling_of(profile);
    let Some(title) = fault(name, spelling) else { return true };
    // If the name of the directory is valid, it satisfies all rules at once. The name of an unrelated directory would lose
    // all words of the author, and the directory of `video/linux` may have the name of that of `audio/linux`.
    let last_part = name.rsplit_once('/').map(|(_, last)| last);
    let dir = Some(draft.skill.dir.name.clone())
        .filter(|dir| is_legal(dir, spelling) && is_related(name, dir) && last_part != Some(dir));
    let separator =
        if spelling == Spelling::Skill && name.contains('_') && !name.contains('-') { '_' } else { '-' };
    let fixed =
        dir.or_else(|| fixed_name(name, separator)).or_else(|| fixed_name(&draft.skill.dir.name, '-'));
    let directory = fixed.as_deref().and_then(|fixed| renamed_directory(draft, fixed));
    let fix = fixed.as_ref().filter(|fixed| is_respelt(name, fixed)).map(|fixed| {
        let change = draft.rewrite("name", fixed);
        let change = change.unwrap_or_else(|| draft.added_line("name", fixed));
        Fix::from_changes(std::iter::once(change).chain(directory.clone()).collect())
    });
    let help = match fixed {
        Some(fixed) if directory.is_some() => {
            format!("write it as: {}, and rename the directory to `{fixed}`", draft.line("name", &fixed))
        }
        Some(fixed) => format!("write it as: {}", draft.line("name", &fixed)),
        None => {
            format!("choose a name of lowercase letters, digits and `-`: {}", draft.line("name", "my-skill"))
        }
    };
    rules::NAME_INVALID
        .report_at(span, title)
        .label(format!("expected {}", spelling.form()))
        .help(help)
        .fix(fix)
        .add_to(check.report);
    false
}

/// Returns the change of a directory whose name is another spelling of the skill's, such as `Echo` for `echo`.
fn renamed_directory(draft: &SkillDraft, name: &str) -> Option<Change> {
    let dir = &draft.skill.dir;
    let is_own = !dir.path.is_empty() && !dir.is_flat && !dir.is_package && dir.source.is_none();
    let separator = if name.contains('_') { '_' } else { '-' };
    let is_respelt = dir.name != name && fixed_name(&dir.name, separator).as_deref() == Some(name);
    (is_own && is_respelt).then(|| Change::RenameDirectory { path: dir.path.clone(), to: name.to_owned() })
}

fn check_directory(draft: &SkillDraft, name: &str, span: Span, is_manifest: bool, check: &mut Check<'_>) {
    let profile = check.options.profile;
    let dir = &draft.skill.dir.name;
    // `memory/search` may hold `memory_search`: a category folder is part of a function's name.
    let nested = is_manifest && {
        let mut parts = draft.skill.dir.path.rsplit('/');
        let last = parts.next().unwrap_or_default();
        parts.next().is_some_and(|parent| is_same_name(&format!("{parent}_{last}"), name, profile))
    };
    if is_same_name(name, dir, profile) || nested || draft.skill.dir.is_package {
        return;
    }
    let is_known = is_name_of_vendor(name, dir)
        || is_name_of_source(draft, name, profile)
        || is_source_of_chezmoi(name, &draft.skill.dir.path);
    if profile != Profile::Standard && !is_manifest && is_known {
        return;
    }
    let is_written = is_legal(dir, spelling_of(profile)) && !is_manifest;
    let of_dir = ident_key(dir);
    let help = match device(name) {
        // A directory cannot have the name of a Windows device.
        Some(_) if is_manifest => format!("write it as: \"name\": \"{of_dir}\""),
        _ if is_written => format!("write it as: {}", draft.line("name", dir)),
        _ => format!("rename the directory to `{name}`"),
    };
    // A fix with another name would lose the name that the author chose.
    let fix = match is_manifest {
        _ if !is_respelt(name, dir) => None,
        true => is_legal(&of_dir, Spelling::Function).then(|| Change::string(span, &of_dir).unsafe_fix()),
        false if is_written => draft.rewrite("name", dir).map(Change::unsafe_fix),
        false => renamed_directory(draft, name).map(Change::unsafe_fix),
    };
    rules::NAME_MISMATCH
        .report_at(span, format!("the name `{name}` differs from the directory name `{dir}`"))
        .label(format!("the directory is named `{dir}`"))
        .help(help)
        .fix(fix)
        .add_to(check.report);
}

/// Returns the name that a directory gives to its skill, corrected if it is not valid.
pub(super) fn named_after(dir: &str, spelling: Spelling) -> String {
    match is_legal(dir, spelling) {
        true => dir.to_owned(),
        false => fixed_name(dir, '-').unwrap_or_else(|| "my-skill".to_owned()),
    }
}

fn report_missing(draft: &SkillDraft, check: &mut Check<'_>) {
    let profile = check.options.profile;
    // A missing frontmatter is reported once, together with the name.
    if draft.frontmatter().is_none() {
        return;
    }
    let dir = draft.skill.dir.name.clone();
    let legal = is_legal(&dir, spelling_of(profile));
    let name = named_after(&dir, spelling_of(profile));
    // The fix renames the misspelled key and keeps its value.
    let is_misspelt = draft.has_misspelt("name");
    let (place, help, moved) = match draft.below_header("name") {
        Some((place, help, fix)) => (place, help, Some(fix)),
        None => (draft.head, draft.add_line("name", &name), None),
    };
    rules::NAME_MISSING
        .report_at(place, "the frontmatter has no `name`")
        .label(match profile {
            Profile::Standard => "the standard requires a name".to_owned(),
            _ => format!("the name of the directory is used: `{dir}`"),
        })
        .help(help)
        // At run time the directory name is used, so writing it down changes nothing.
        .fix(match draft.entry("name") {
            _ if moved.is_some() || is_misspelt => moved,
            // No fix replaces a list or a mapping, because it contains words of the author.
            Some(entry) if !entry.value.is_absent() => None,
            Some(_) => draft.rewrite("name", &name).map(Change::unsafe_fix),
            None if legal => Some(draft.added_line("name", &name).safe_fix()),
            None => Some(draft.added_line("name", &name).unsafe_fix()),
        })
        .add_to(check.report);
    if !legal && profile != Profile::Standard {
        check_spelling(draft, &dir, draft.head, check);
    }
}

#[cfg(test)]
mod tests {
    use super::fixed_name;

    #[test]
    fn names_are_fixed() {
        assert_eq!(fixed_name("My Skill!", '-').as_deref(), Some("my-skill"));
        assert_eq!(fixed_name("codeReview", '_').as_deref(), Some("code_review"));
        assert_eq!(fixed_name("-a--b-", '-').as_deref(), Some("a-b"));
        assert_eq!(fixed_name("技能", '-'), None);
        assert_eq!(fixed_name(&"ab".repeat(60), '-').map(|name| name.len()), Some(64));
    }
}
