//! Expands `projects!("projects/")` to a static table of projects, or to the errors in their files.

use std::path::Path;

use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use quote::quote;
use skills_core::level::Level;
use skills_core::options::Options;
use skills_core::projects::{LoadedProjects, Project, load};
use skills_core::read::ReadOptions;
use skills_core::{Loaded, print};

use super::arguments::{self, ArgumentError, Arguments};
use super::{FileOf, emit, guarded, literal, places};
use crate::generate::allowances;

/// Expands `projects!`: `($crate) "directory", skills("directory"), option(…)…`.
///
/// Reads the environment like [`expand`](super::expand).
pub fn expand_projects(input: TokenStream, file_of: FileOf<'_>) -> TokenStream {
    guarded("projects!", || checked(input, file_of))
}

fn checked(input: TokenStream, file_of: FileOf<'_>) -> TokenStream {
    let (input, skills) = take_skills(input);
    let (facade, arguments) = arguments::parse(input, "projects");
    let Some(facade) = facade else {
        return emit::bare_error("call `projects!` instead", proc_macro2::Span::call_site());
    };
    match (arguments, skills.transpose()) {
        (Ok(arguments), Ok(skills)) => table(&facade, &arguments, skills.as_deref(), file_of),
        (arguments, skills) => {
            let mut errors = arguments.err().unwrap_or_default();
            errors.extend(skills.err());
            emit::argument_errors(&errors, emit::bare_error)
        }
    }
}

/// Removes `, skills("directory")` from the arguments and returns it.
fn take_skills(input: TokenStream) -> (TokenStream, Option<Result<String, ArgumentError>>) {
    let mut rest: Vec<TokenTree> = Vec::new();
    let mut skills = None;
    let mut tokens = input.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_name = matches!(&token, TokenTree::Ident(ident) if ident == "skills");
        let inside = match tokens.peek() {
            Some(TokenTree::Group(group)) if is_name && group.delimiter() == Delimiter::Parenthesis => {
                group.stream().to_string()
            }
            _ => {
                rest.push(token);
                continue;
            }
        };
        tokens.next();
        rest.pop();
        skills = Some(literal::text(&inside).ok_or_else(|| {
            arguments::error("expected the directory of the skills: skills(\"skills/\")", token.span())
        }));
    }
    (rest.into_iter().collect(), skills)
}

fn table(
    facade: &TokenStream,
    arguments: &Arguments,
    skills: Option<&str>,
    file_of: FileOf<'_>,
) -> TokenStream {
    let places = places(arguments, file_of);
    let Some(first) = places.first() else {
        return emit::bare_error("CARGO_MANIFEST_DIR is not set: `projects!` needs cargo", arguments.span);
    };
    let at = places.iter().position(|place| place.root.is_dir()).unwrap_or_default();
    let place = places.get(at).unwrap_or(first);
    let mut out = TokenStream::new();
    let names = skills.map(|skills| {
        // The skills are below the package or beside the calling file, like the projects.
        let beside = self::places(&Arguments { dir: skills.to_owned(), ..arguments.clone() }, file_of);
        let root = beside.get(at).map_or_else(Default::default, |beside| beside.root.clone());
        let (names, errors) = names(&root, skills);
        for error in &errors {
            out.extend(emit::bare_error(error, arguments.span));
        }
        names
    });
    let known: Option<Vec<&str>> = names.as_ref().map(|names| names.iter().map(String::as_str).collect());
    let LoadedProjects { projects, sources, report } =
        load(&place.root, &place.label(&arguments.dir), &arguments.check_options, known.as_deref());
    for diagnostic in &report.diagnostics {
        let text = print::text::without_level(diagnostic, &sources);
        out.extend(match diagnostic.level {
            Level::Error => emit::bare_error(&text, arguments.span),
            _ => emit::warning(diagnostic.rule.code, &text, arguments.span),
        });
    }
    out.extend(items(facade, &place.relative, &place.root, &projects));
    out
}

/// Returns the names of the skills in a directory. If it has none, also returns the reasons; `skills!`
/// reports other errors.
fn names(root: &Path, label: &str) -> (Vec<String>, Vec<String>) {
    let options =
        Options { read: ReadOptions { contents: false, ..ReadOptions::default() }, ..Options::default() };
    let Loaded { catalog, report, .. } = skills_core::load(root, label, &options);
    let about_root = report.diagnostics.iter().filter(|problem| problem.rule.code.starts_with("root-"));
    let errors = about_root.map(|problem| print::text::without_level(problem, catalog.sources()));
    (catalog.skills().iter().map(|skill| skill.name.clone()).collect(), errors.collect())
}

/// Returns the table, and `include_bytes!` items that make rustc watch the files.
fn items(facade: &TokenStream, label: &str, root: &Path, projects: &[Project]) -> TokenStream {
    let title = format!(" The projects of `{label}`, sorted by name.");
    let rows = projects.iter().map(|Project { name, instructions, skills }| {
        quote!(#facade::__private::Project::fixed(#name, #instructions, &[#(#skills),*]))
    });
    let files = projects.iter().map(|project| {
        let file = root.join(&project.name).join("ROLE.md");
        let path = Literal::string(&file.to_string_lossy());
        quote!(#facade::__private::core::include_bytes!(#path))
    });
    let allowances = allowances();
    quote! {
        #[doc = #title]
        #allowances
        pub static PROJECTS: &[#facade::__private::Project] = &[#(#rows),*];
        const _: &[&[u8]] = &[#(#files),*];
    }
}

#[cfg(test)]
mod tests {
    use super::take_skills;

    #[test]
    fn the_directory_of_the_skills_is_parsed() {
        let take = |text: &str| {
            let (rest, skills) = take_skills(text.parse().unwrap());
            (rest.to_string(), skills.map(|skills| skills.map_err(|error| error.text)))
        };
        let (rest, skills) = take("(f) \"p\", skills(\"s/\"), allow(project_empty)");
        assert_eq!(rest, "(f) \"p\" , allow (project_empty)");
        assert_eq!(skills, Some(Ok("s/".to_owned())));
        assert_eq!(take("(skills) \"p\"").1, None);
        assert!(take("(f) \"p\", skills(3)").1.is_some_and(|skills| skills.is_err()));
    }
}
