//! The macro's part: expands `skills!("skills/")` to the output of the build script or, without one, to the
//! same code generated here.

mod arguments;
mod derive;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;
use skills_core::{lower, print};

use crate::generate::{Form, allowances, documentation, generate, module};
use crate::input::BuildInput;
use crate::locate::Location;
use crate::output::BundleProblems;
use arguments::{ArgumentError, MacroArguments};
pub use derive::expand_derive;

/// Expands `skills!`: `($crate) "directory", option(…)…`.
///
/// Reads the environment of a procedural macro: `CARGO_MANIFEST_DIR`, and the variables that a build script
/// set. `file_of` returns the file of a span, which only a procedural macro can do.
pub fn expand(input: TokenStream, file_of: FileOf<'_>) -> TokenStream {
    guarded("skills!", || expand_arguments(input, file_of))
}

/// Returns the options in the arguments of `skills!`.
#[cfg(test)]
pub(crate) fn macro_options(tokens: TokenStream) -> crate::options::BundleOptions {
    arguments::arguments(tokens.into_iter()).expect("valid arguments").options
}

/// Turns a panic into an error that asks the user to report it.
fn guarded(name: &str, expand: impl FnOnce() -> TokenStream) -> TokenStream {
    catch_unwind(AssertUnwindSafe(expand)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
        let report = format!(
            "{name} failed with an internal error: {text}\nplease report this, with the files if you can"
        );
        bare_compile_error(&report, Span::call_site())
    })
}

type FileOf<'a> = &'a dyn Fn(Span) -> Option<PathBuf>;

fn expand_arguments(input: TokenStream, file_of: FileOf<'_>) -> TokenStream {
    let (facade, arguments) = arguments::parse(input);
    let Some(facade) = facade else {
        return bare_compile_error("call `skills!` instead", Span::call_site());
    };
    let code = match &arguments {
        Ok(arguments) => bundle(arguments, file_of).map(|bundle| wrap_in_module(&facade, arguments, &bundle)),
        Err(errors) => Err(argument_errors(errors, compile_error)),
    };
    code.unwrap_or_else(|errors| {
        quote! {
            const _: () = {
                use #facade::{self as __skills};
                #errors
            };
        }
    })
}

/// Returns the module that contains the generated code, and the imports from it. The first and the second call of a program
/// expand to (`M` is [`module::MODULE`], and other parts are left out):
///
/// ```text
/// mod M {                                                 mod M {
///     macro_rules! __import {                                 macro_rules! __import {
///         (0) => { pub use self::M::SKILLS; … };                  (1) => { pub use self::M::SKILLS; … };
///         ($other:tt) => { pub use M::__exports::…; };            ($other:tt) => { pub use M::__exports::…; };
///     }                                                       }
/// }                                                       }
/// self::M::__import! { 0 }                                self::M::__import! { 1 }
/// ```
///
/// If both calls are in one module, `M` is defined twice, and rustc's error shows its name. It is the only error: the last
/// line of the second call finds the macro of the first, and its arm `$other` imports by glob, which may repeat names.
///
/// If the second call is inside a function of the module with the first one, its last line finds the macro of the first call,
/// too, because `self` does not lead into functions. Then the arm `$other` imports from the `M` of the function, which a path
/// without `self` finds.
fn wrap_in_module(facade: &TokenStream, arguments: &MacroArguments, bundle: &Bundle) -> TokenStream {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let number = Literal::u32_unsuffixed(CALLS.fetch_add(1, Ordering::Relaxed));
    let name = Ident::new(module::MODULE, Span::call_site());
    let definition = Ident::new(module::MODULE, arguments.span);
    let (allowances, Bundle { warnings, code }) = (allowances(), bundle);
    quote! {
        #warnings
        #[doc(hidden)]
        #allowances
        mod #definition {
            use #facade::{self as __skills};
            #code
            macro_rules! __import {
                (#number) => {
                    // A name that is imported without a glob takes precedence over `use super::*`.
                    #allowances
                    pub use self::#name::SKILLS;
                    self::#name::__reexport! { self:: }
                };
                ($other:tt) => { #name::__reexport! {} };
            }
            pub(crate) use __import;
        }
        self::#name::__import! { #number }
    }
}

/// The tokens of a bundle.
#[derive(Default)]
struct Bundle {
    /// Items that make rustc print warnings. Its text contains their path, so they are outside of the module.
    warnings: TokenStream,
    /// The generated code, and the errors in the skills. Its names go through `__skills`.
    code: TokenStream,
}

/// Returns the tokens of a bundle, or only an error if no code can be generated.
fn bundle(arguments: &MacroArguments, file_of: FileOf<'_>) -> Result<Bundle, TokenStream> {
    let locations = candidates(arguments, file_of);
    let Some(first) = locations.first() else {
        return Err(compile_error("CARGO_MANIFEST_DIR is not set: `skills!` needs cargo", arguments.span));
    };
    let location =
        locations.iter().find(|location| is_built(location) || location.root.is_dir()).unwrap_or(first);
    if is_built(location) {
        return include_built(arguments, location);
    }
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| location.is_of_other_version(name)) {
            let text = format!(
                "the build script uses another version of `skills-build` ({}) than `skills` does ({})",
                name.to_string_lossy(),
                crate::locate::VERSION,
            );
            return Err(compile_error(&text, arguments.span));
        }
    }
    generate_inline(arguments, location, file_of)
}

/// Returns `true` if a build script bundled the directory.
fn is_built(location: &Location) -> bool {
    std::env::var_os(location.variable()).is_some()
}

/// Returns the candidate directories: below the package, then beside the calling file.
fn candidates(arguments: &MacroArguments, file_of: FileOf<'_>) -> Vec<Location> {
    let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else { return Vec::new() };
    let dir = Path::new(&arguments.dir);
    let beside = caller(arguments, file_of)
        .and_then(|file| Some(Location::below(&package, &file.parent()?.join(dir))));
    std::iter::once(Location::below(&package, dir)).chain(beside).collect()
}

/// Returns the absolute path of the calling file.
fn caller(arguments: &MacroArguments, file_of: FileOf<'_>) -> Option<PathBuf> {
    file_of(arguments.span).and_then(|file| std::path::absolute(file).ok())
}

/// Includes the output of the build script, and shows the errors it found.
fn include_built(arguments: &MacroArguments, location: &Location) -> Result<Bundle, TokenStream> {
    let variable = location.variable();
    let generated = std::env::var_os(&variable).map(PathBuf::from).unwrap_or_default();
    let problems = std::fs::read_to_string(generated.with_extension("problems"));
    let Some(problems) = problems.ok().and_then(|text| BundleProblems::from_text(&text)) else {
        let text =
            format!("the files of the build script are gone: {}\nrun `cargo clean`", generated.display());
        return Err(compile_error(&text, arguments.span));
    };
    let mut code = compile_errors(problems.errors.iter().map(String::as_str), arguments.span);
    let options = arguments.options.in_macro();
    if !arguments.options.is_empty() && options != problems.options {
        let text = format!(
            "these options differ from those of the build script, which bundles this directory\n\
             write in build.rs: skills_build::Bundle::new({:?}){}.build()",
            location.relative,
            arguments.options.in_build_script(),
        );
        code.extend(compile_error(&text, arguments.options_span));
    }
    code.extend(quote!(__skills::__private::core::include!(__skills::__private::core::env!(#variable));));
    Ok(Bundle { code, ..Bundle::default() })
}

/// Reads, parses, checks and generates the skills in the macro itself.
fn generate_inline(
    arguments: &MacroArguments,
    location: &Location,
    file_of: FileOf<'_>,
) -> Result<Bundle, TokenStream> {
    let caller = caller(arguments, file_of)
        .and_then(|file| Some(file.strip_prefix(location.package()).ok()?.to_str()?.replace('\\', "/")));
    let input =
        BuildInput::read(location, &arguments.dir, arguments.check_options.clone(), caller.as_deref());
    let input = input.of_version(std::env::var("CARGO_PKG_VERSION").ok());
    let generated = generate(
        &input.catalog,
        &location.relative,
        Form::Inline(&location.root),
        &input.program,
        input.options.budget(),
        &mut |_, _, bytes| lower::sha256(bytes),
    );
    let generated = generated.map_err(|error| compile_error(&error.to_string(), arguments.span))?;
    let mut code = watch_settings(&input, location);
    code.extend(report_errors(&input, arguments.span));
    code.extend(documentation::doctests(&input.catalog, &location.root, &input.options));
    code.extend(generated.items);
    Ok(Bundle { warnings: report_warnings(&input, arguments.span), code })
}

/// Returns items that make rustc expand the macro again if a file that sets options changes. The files of the skills are
/// included in their tables.
fn watch_settings(input: &BuildInput, location: &Location) -> TokenStream {
    let mut files: Vec<PathBuf> = input.config.path.iter().chain(&input.lock).cloned().collect();
    files.extend(input.commands.iter().filter(|file| file.is_file()).cloned());
    if input.depends_on_manifest() {
        files.push(location.package().join(skills_core::read::CARGO_MANIFEST));
    }
    let paths = files.iter().filter_map(|path| path.to_str());
    quote!(#(const _: &[u8] = __skills::__private::core::include_bytes!(#paths);)*)
}

fn report_errors(input: &BuildInput, span: Span) -> TokenStream {
    let errors: Vec<String> =
        input.errors().map(|(found, sources)| print::text::without_level(found, sources)).collect();
    compile_errors(errors.iter().map(String::as_str), span)
}

fn report_warnings(input: &BuildInput, span: Span) -> TokenStream {
    let mut warnings = TokenStream::new();
    for (found, sources) in input.warnings() {
        let text = print::text::without_level(found, sources);
        warnings.extend(rustc_warning(found.rule.code, &text, span));
    }
    if let Some(text) = input.more_warnings() {
        warnings.extend(rustc_warning("more-warnings", &text, span));
    }
    warnings
}

/// Returns a `compile_error!` at a span.
///
/// All its tokens have this span, since rustc uses their spans for the error.
fn compile_error(text: &str, span: Span) -> TokenStream {
    let text = text.trim_end();
    respan(quote!(__skills::__private::core::compile_error! { #text }), span)
}

/// Orders errors so that rustc shows them in the given order.
///
/// rustc expands macros that are named through an import after all others, in reverse order.
fn compile_errors<'a>(texts: impl DoubleEndedIterator<Item = &'a str>, span: Span) -> TokenStream {
    texts.rev().map(|text| compile_error(text, span)).collect()
}

/// Returns the errors in arguments, each made by [`compile_error`] or [`bare_compile_error`].
fn argument_errors(errors: &[ArgumentError], error: fn(&str, Span) -> TokenStream) -> TokenStream {
    errors.iter().map(|wrong| error(&wrong.text, wrong.span)).collect()
}

/// Returns a `compile_error!` for use when the path of the facade is unknown.
fn bare_compile_error(text: &str, span: Span) -> TokenStream {
    respan(quote!(::core::compile_error! { #text }), span)
}

/// Returns code that makes rustc print a warning with this text, by using a deprecated item.
fn rustc_warning(code: &str, text: &str, span: Span) -> TokenStream {
    let name = Ident::new(&code.replace('-', "_"), span);
    let text = text.trim_end();
    let item = quote! {
        const _: () = {
            #[deprecated(note = #text)]
            #[allow(non_upper_case_globals)]
            const #name: () = ();
            let _ = #name;
        };
    };
    respan(item, span)
}

fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = TokenTree::Group(Group::new(group.delimiter(), respan(group.stream(), span)));
            }
            token.set_span(span);
            token
        })
        .collect()
}
