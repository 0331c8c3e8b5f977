//! Tests that clap itself accepts the right lines and refuses the wrong ones, so that the tables of the other tests
//! are correct.

use super::{acme, lies, right};

/// Returns the arguments of a line that holds nothing but words; `None` for any other line.
fn words(line: &str) -> Option<Vec<String>> {
    let is_plain = line.starts_with("acme ")
        && !line.contains(['|', '$', '<', '>', '{', '[', '(', ';', '…', '#', '\n', '\\']);
    let words = skills_text::split_words(line).filter(|_| is_plain)?;
    (!words.iter().any(|word| matches!(word.as_str(), "NAME" | "N" | "FORMAT" | "..."))).then_some(words)
}

// SPEC 23.4, 23.5
#[test]
fn clap_agrees_with_the_tables() {
    use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in right::LINES {
        let Some(words) = words(line) else { continue };
        let answer = acme().try_get_matches_from(&words);
        let is_shown =
            answer.as_ref().err().is_some_and(|error| matches!(error.kind(), DisplayHelp | DisplayVersion));
        wrong.extend((answer.is_err() && !is_shown).then_some(line.to_owned()));
        count += 1;
    }
    for (line, rule, _) in lies::LINES {
        let line = line.replace(['«', '»'], "");
        let Some(words) = words(&line).filter(|_| rule != "command-deprecated") else { continue };
        wrong.extend(acme().try_get_matches_from(&words).is_ok().then_some(line));
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 50, "{count}");
}
