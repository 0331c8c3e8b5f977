//! Parses the tokens inside `skills!(…)` into a directory and options, with errors at the right token.

use crate::options::{BundleOptions, DOCTEST, FLAT, FORMAT_POLICIES, FORMATS, LEVELS, LIMITS};
use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use skills_core::level::Level;
use skills_core::levels::Levels;
use skills_core::options::Options as CheckOptions;
use skills_text::nearest;

/// The arguments of `skills!`.
#[derive(Clone, Debug)]
pub(super) struct MacroArguments {
    /// The directory, as written.
    pub(super) dir: String,
    /// The span of the directory.
    pub(super) span: Span,
    pub(super) options: BundleOptions,
    /// The span of the first option.
    pub(super) options_span: Span,
    /// The options for checking the skills.
    pub(super) check_options: CheckOptions,
}

/// The message for arguments that do not begin with a directory.
const EXPECTED: &str = "expected the directory of the skills: skills!(\"skills/\")";

/// An error in the arguments.
#[derive(Debug)]
pub(super) struct ArgumentError {
    pub(super) text: String,
    pub(super) span: Span,
}

/// Reads the path of the facade, then the arguments.
pub(super) fn parse(input: TokenStream) -> (Option<TokenStream>, Result<MacroArguments, Vec<ArgumentError>>) {
    let mut tokens = input.into_iter();
    let facade = match tokens.next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => Some(group.stream()),
        _ => None,
    };
    (facade, arguments(tokens))
}

/// Reads arguments without the path of the facade.
pub(super) fn arguments(mut tokens: IntoIter) -> Result<MacroArguments, Vec<ArgumentError>> {
    let Some(first) = tokens.next().map(flat) else {
        return Err(vec![error(EXPECTED, Span::call_site())]);
    };
    let span = first.span();
    let dir = match &first {
        TokenTree::Literal(literal) => literal_text(&literal.to_string()),
        _ => None,
    };
    let dir = dir.ok_or_else(|| vec![error(&format!("{EXPECTED}, as a string"), span)])?;
    if dir.is_empty() {
        return Err(vec![error("the directory is empty; write \".\" for the package itself", span)]);
    }

    let mut arguments = MacroArguments {
        dir,
        span,
        options: BundleOptions::default(),
        options_span: span,
        check_options: CheckOptions::default(),
    };
    let mut errors = Vec::new();
    let mut first_option = true;
    while let Some(comma) = tokens.next() {
        if !is(&comma, ',') {
            errors.push(error("expected `,` before this", comma.span()));
            break;
        }
        let Some(word) = tokens.next() else { break };
        if std::mem::take(&mut first_option) {
            arguments.options_span = word.span();
        }
        match word.to_string().as_str() {
            FLAT => arguments.options.flat = true,
            DOCTEST => arguments.options.doctest = true,
            _ => errors.extend(option(&mut arguments, &word, tokens.next()).err().into_iter().flatten()),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    match arguments.options.check_options() {
        Ok(options) => arguments.check_options = options,
        Err(wrong) => return Err(wrong.iter().map(|text| error(text, span)).collect()),
    }
    Ok(arguments)
}

/// Reads one option: a name, followed by rule names, a number or a format policy in parentheses.
fn option(
    arguments: &mut MacroArguments,
    word: &TokenTree,
    inside: Option<TokenTree>,
) -> Result<(), Vec<ArgumentError>> {
    let name = word.to_string();
    let level = LEVELS.iter().find(|(known, _)| *known == name);
    let limit = LIMITS.iter().find(|(known, _)| *known == name);
    if level.is_none() && limit.is_none() && name != FORMATS {
        let mut known: Vec<&str> = LEVELS.iter().map(|(word, _)| *word).collect();
        known.extend(LIMITS.iter().map(|(word, _)| *word));
        known.push(FORMATS);
        let mut all: Vec<String> = known.iter().map(|word| format!("{word}(…)")).collect();
        all.extend([FLAT, DOCTEST].map(str::to_owned));
        known.extend([FLAT, DOCTEST]);
        let near = nearest(&name, known).map(|near| format!("; did you mean `{near}`?"));
        let text =
            format!("unknown option `{name}`{}\nthere are {}", near.unwrap_or_default(), all.join(", "));
        return Err(vec![error(&text, word.span())]);
    }
    let example = match (level, limit) {
        (Some(_), _) => "long_body",
        (None, Some(_)) => "8_000",
        (None, None) => "assert",
    };
    let Some(TokenTree::Group(group)) = inside else {
        return Err(vec![error(&format!("write {name}({example})"), word.span())]);
    };
    if let Some((_, level)) = level {
        return levels(arguments, &group, *level);
    }
    let Some((limit, _)) = limit else { return formats(arguments, &group) };
    let Ok(value) = group.stream().to_string().replace('_', "").parse() else {
        return Err(vec![error(&format!("expected a whole number: {name}({example})"), group.span())]);
    };
    arguments.options.set_limit(limit, value);
    Ok(())
}

fn levels(arguments: &mut MacroArguments, group: &Group, level: Level) -> Result<(), Vec<ArgumentError>> {
    let mut errors = Vec::new();
    for (rule, span) in rule_names(group)? {
        // Only to report an error at the rule. `check_options` sets the levels, from all options.
        match Levels::default().set(&rule, level) {
            Ok(()) => arguments.options.set_level(&rule, level),
            Err(wrong) => errors.push(error(&wrong.to_string(), span)),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn formats(arguments: &mut MacroArguments, group: &Group) -> Result<(), Vec<ArgumentError>> {
    let given = group.stream().to_string();
    let Some((.., policy)) = FORMAT_POLICIES.iter().find(|(word, ..)| *word == given) else {
        let all: Vec<String> =
            FORMAT_POLICIES.iter().map(|(word, ..)| format!("{FORMATS}({word})")).collect();
        return Err(vec![error(&format!("expected {}", all.join(" or ")), group.span())]);
    };
    arguments.options.set_formats(*policy);
    Ok(())
}

/// Splits `long_body, name-mismatch, "long-body"` into names.
fn rule_names(group: &Group) -> Result<Vec<(String, Span)>, Vec<ArgumentError>> {
    let mut names: Vec<(String, Span)> = Vec::new();
    let mut fresh = true;
    for token in group.stream() {
        let part = match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                fresh = true;
                continue;
            }
            TokenTree::Punct(punct) if punct.as_char() == '-' => Some("-".to_owned()),
            TokenTree::Ident(ident) => Some(ident.to_string()),
            TokenTree::Literal(literal) => literal_text(&literal.to_string()),
            _ => None,
        };
        let continues = !fresh
            && names.last().is_some_and(|(name, _)| name.ends_with('-') != (part.as_deref() == Some("-")));
        match (part, names.last_mut()) {
            (Some(part), Some((name, _))) if continues => name.push_str(&part),
            (Some(part), _) if fresh && part != "-" => names.push((part, token.span())),
            _ => return Err(vec![error("expected the name of a rule, then `,`", token.span())]),
        }
        fresh = false;
    }
    Ok(names)
}

/// Unwraps the invisible group that a `macro_rules` variable leaves around a token.
fn flat(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            let mut inside = group.stream().into_iter();
            match (inside.next(), inside.next()) {
                (Some(only), None) => flat(only),
                _ => TokenTree::Group(group),
            }
        }
        token => token,
    }
}

pub(super) fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

pub(super) fn error(text: &str, span: Span) -> ArgumentError {
    ArgumentError { text: text.to_owned(), span }
}

/// Returns the value of a string literal, or `None` for any other literal.
fn literal_text(source: &str) -> Option<String> {
    if let Some(raw) = source.strip_prefix('r') {
        let inside = raw.trim_matches('#');
        return Some(inside.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let mut rest = source.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let mut characters = rest[at + 1..].chars();
        match characters.next()? {
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            '0' => text.push('\0'),
            '\n' => characters = characters.as_str().trim_start().chars(),
            'x' => {
                let code = characters.as_str().get(..2)?;
                text.push(char::from(u8::from_str_radix(code, 16).ok()?));
                characters = characters.as_str().get(2..)?.chars();
            }
            'u' => {
                let (code, behind) = characters.as_str().strip_prefix('{')?.split_once('}')?;
                text.push(char::from_u32(u32::from_str_radix(&code.replace('_', ""), 16).ok()?)?);
                characters = behind.chars();
            }
            other => text.push(other),
        }
        rest = characters.as_str();
    }
    text.push_str(rest);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use skills_core::options::FormatPolicy;

    fn parsed(options: TokenStream) -> Result<MacroArguments, String> {
        let (_, arguments) = parse(quote!((skills) "skills/" #options));
        arguments.map_err(|errors| errors.into_iter().map(|error| error.text).collect::<Vec<_>>().join("; "))
    }

    // SPEC 6.1
    #[test]
    fn formats_are_asserted_or_ignored() {
        for (word, _, policy) in FORMAT_POLICIES {
            let word = proc_macro2::Ident::new(word, Span::call_site());
            assert_eq!(parsed(quote!(, formats(#word))).unwrap().check_options.formats, policy);
        }
        assert_eq!(parsed(quote!()).unwrap().check_options.formats, FormatPolicy::AsDraft);
        let both = parsed(quote!(, formats(assert), file_cap(1), formats(ignore))).unwrap();
        assert_eq!(both.check_options.formats, FormatPolicy::Ignore, "the last value of an option counts");
    }

    // SPEC 6.1
    #[test]
    fn unknown_options_are_refused_with_a_correction() {
        assert_eq!(parsed(quote!(, formats(no))).unwrap_err(), "expected formats(assert) or formats(ignore)");
        assert_eq!(parsed(quote!(, formats)).unwrap_err(), "write formats(assert)");
        let near = parsed(quote!(, format(assert))).unwrap_err();
        assert!(near.starts_with("unknown option `format`; did you mean `formats`?"), "{near}");
    }

    // SPEC 9.13
    #[test]
    fn flat_files_are_an_option_without_a_value() {
        let read = |options| parsed(options).map(|arguments| arguments.check_options.read.flat);
        assert_eq!(read(quote!(, flat)), Ok(true));
        assert_eq!(read(quote!(, flat, file_cap(1))), Ok(true));
        assert_eq!(read(quote!(, file_cap(1))), Ok(false));
        let both = parsed(quote!(, flat, file_cap(1))).unwrap().options;
        assert_eq!(both.in_macro(), "file_cap(1), flat");
        assert_eq!(both.in_build_script(), ".file_cap(1).flat()");
        // SPEC 23.9
        let all = parsed(quote!(, doctest, flat)).unwrap();
        assert!(all.check_options.doctest && all.check_options.read.flat);
        assert_eq!(all.options.in_build_script(), ".flat().doctest()");
        assert!(read(quote!(, flatt)).unwrap_err().contains("did you mean `flat`?"));
    }

    #[test]
    fn string_literals_are_read_as_rust_reads_them() {
        for (source, value) in [
            (stringify!("skills/"), "skills/"),
            (stringify!("a\\b\"c\'\n\t\r\0\x41\u{e9}\u{1_F600}"), "a\\b\"c\'\n\t\r\0\x41\u{e9}\u{1_F600}"),
            (stringify!(r"a\b"), r"a\b"),
            (stringify!(r##"a"#b"##), r##"a"#b"##),
            ("\"a\\\n   b\"", "ab"),
        ] {
            assert_eq!(literal_text(source).as_deref(), Some(value), "{source}");
        }
        for other in ["1", "b\"a\"", "c\"a\"", "'a'", "br\"a\"", "\"\\"] {
            assert_eq!(literal_text(other), None, "{other}");
        }
    }
}
