//! Generates the code that makes the skills of a bundle callable: the table of functions, the trait `Host`,
//! `SKILLS.with(…)`.
//!
//! All of this code is inside `call! { … }`, which removes it unless the feature `call` is enabled.

use super::documentation;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use skills_core::catalog::{Backend, CatalogSkill, Signature};
use skills_template::pipeline::{Pipeline, Step};
use skills_template::{Expr, Tree};

/// Returns the part of a function's module that makes it callable: its static data, and the traits that mark
/// its types as input and output.
pub(super) fn function_support(signature: &Signature, view: &TokenStream) -> TokenStream {
    let prompt = signature.prompt_tree.as_ref().map(|prompt| {
        let data = static_tree(prompt);
        let (text, view) = match prompt.root().expr() {
            Expr::Text(_) => (quote!(__c::fixed_prompt(&__PROMPT)), None),
            _ => (quote!(__c::prompt(&__PROMPT, self)), Some(view)),
        };
        quote! {
            #[doc(hidden)]
            pub static __PROMPT: __c::Tree = #data;
            impl Input {
                /// Returns the prompt for this input.
                ///
                /// # Errors
                /// If a value does not fit the template, or if the text would exceed 16 MiB.
                pub fn prompt(&self) -> __c::Prompt {
                    #text
                }
            }
            #view
        }
    });
    let pipeline = signature.plan.as_ref().map(static_pipeline);
    quote! {
        super::__skills::__private::call! {
            use super::__skills::__private::c as __c;
            #prompt
            #pipeline
            #[automatically_derived]
            impl __c::Input for Input {
                type Bundle = super::Bundle;
                type Output = Output;
                const NAME: &'static __c::str = NAME;
                fn to_json(&self) -> __c::String {
                    Self::to_json(self)
                }
            }
            #[automatically_derived]
            impl __c::Output for Output {
                fn from_json(text: &__c::str) -> __c::Result<Self, __c::Invalid> {
                    Self::from_json(text)
                }
                fn from_checked(text: &__c::str, checked: __c::Checked) -> __c::Result<Self, __c::Invalid> {
                    __c::from_checked(&__OUTPUT, checked, text)
                }
            }
        }
    }
}

/// Returns the trait implementation with which a bundle provides its functions.
pub(super) fn functions_method() -> TokenStream {
    quote! {
        __skills::__private::call! {
            fn functions(
                &'static self,
            ) -> __skills::__private::c::Option<&'static __skills::__private::c::Functions> {
                __skills::__private::c::Some(&__LIBRARY)
            }
        }
    }
}

/// Returns the call support of a bundle.
pub(super) fn bundle_support(label: &str, skills: &[CatalogSkill]) -> TokenStream {
    let functions: Vec<TokenStream> =
        (0_u32..).zip(skills).filter_map(|(row, skill)| function(row, skill)).collect();
    let count = functions.len();
    let programs: Vec<TokenStream> =
        (0_u32..).zip(skills).filter_map(|(row, skill)| program(row, skill)).collect();
    let tables = (!programs.is_empty()).then(|| {
        let count = programs.len();
        quote! {
            #[doc(hidden)]
            static __PROGRAMS: [(__skills::__private::Skill<'static>, __skills::__private::c::Checker); #count] = [#(#programs),*];
        }
    });
    let given = tables.is_some().then(|| quote!(.programs(&__PROGRAMS)));
    let hosted: Vec<&CatalogSkill> =
        skills.iter().filter(|skill| skill.backend == Some(Backend::Host)).collect();
    let host = (!hosted.is_empty()).then(|| host(label, skills, &hosted));
    let with = host.is_some().then(|| {
        quote! {
            #[doc(hidden)]
            pub fn with<'b, H>(&'b self, _: H)
            where
                &'b Self: __skills::__private::__NeedsCall,
            {
            }
        }
    });
    quote! {
        __skills::__private::call! {
            #[doc(hidden)]
            static __FUNCTIONS: [__skills::__private::c::Function<'static>; #count] = [#(#functions),*];
            #tables
            #[doc(hidden)]
            static __LIBRARY: __skills::__private::c::Functions =
                __skills::__private::c::Functions::new(&__SKILLS, &__FUNCTIONS)#given;
            impl Bundle {
                /// Returns a runner for the skills, without a host. Skills that only a host can run fail when
                /// they are called.
                pub fn runner(&self) -> __skills::__private::c::Runner<Self> {
                    __skills::__private::c::runner(&__LIBRARY)
                }
            }
            #host
        }
        __skills::__private::without_call! {
            impl Bundle {
                #[doc(hidden)]
                pub fn runner<'b>(&'b self)
                where
                    &'b Self: __skills::__private::__NeedsCall,
                {
                }
                #with
            }
        }
    }
}

fn function(row: u32, skill: &CatalogSkill) -> Option<TokenStream> {
    let signature = skill.signature.as_ref()?;
    let row = Literal::u32_unsuffixed(row);
    let module = ident(skill);
    let prompt = match &signature.prompt_tree {
        Some(_) => quote!(__skills::__private::c::Some(&#module::__PROMPT)),
        None => quote!(__skills::__private::c::None),
    };
    let pipeline = match &signature.plan {
        Some(_) => quote!(__skills::__private::c::Some(&#module::__PIPELINE)),
        None => quote!(__skills::__private::c::None),
    };
    Some(quote! {
        __skills::__private::c::Function {
            skill: __SKILLS.row(#row),
            input: &#module::__INPUT,
            output: &#module::__OUTPUT,
            prompt: #prompt,
            pipeline: #pipeline,
        }
    })
}

/// Returns a program whose input is described by a schema file, with the tables of that schema.
fn program(row: u32, skill: &CatalogSkill) -> Option<TokenStream> {
    let (words, text) = skill.schema_tables.as_ref().filter(|_| skill.signature.is_none())?.parts();
    let row = Literal::u32_unsuffixed(row);
    let words = words.iter().map(|word| Literal::u32_unsuffixed(*word));
    Some(quote! {
        (__SKILLS.row(#row), __skills::__private::c::Checker::from_static(&[#(#words),*], #text))
    })
}

/// The maximum number of methods that rustc shows.
const MAX_SHOWN: usize = 8;

/// Returns an implementation of `Host` for the type `of`, which users can paste. It has a method for each
/// skill that needs one.
///
/// Returns `None` if no skill needs one.
pub fn host_stub(of: &str, skills: &[CatalogSkill]) -> Option<String> {
    let hosted = skills.iter().filter(|skill| skill.backend == Some(Backend::Host));
    let methods: String = hosted.map(|CatalogSkill { ident, .. }| {
        format!(
            "    async fn {ident}(\n        &self,\n        input: {ident}::Input,\n        context: &skills::Context,\n    ) \
             -> Result<{ident}::Output, skills::Failure> {{\n        todo!()\n    }}\n"
        )
    }).collect();
    (!methods.is_empty()).then(|| format!("impl Host for {of} {{\n{methods}}}\n"))
}

/// Returns the trait, the dispatch to its methods by name, and `SKILLS.with(…)`.
fn host(label: &str, all: &[CatalogSkill], skills: &[&CatalogSkill]) -> TokenStream {
    let title =
        format!(" Runs the skills of `{label}` that need code in this program, with a method for each.");
    let names: Vec<&str> = skills.iter().map(|skill| skill.name.as_str()).collect();
    let methods: Vec<Ident> = skills.iter().map(|skill| ident(skill)).collect();
    let descriptions = skills.iter().map(|skill| documentation::literal(&skill.description));
    // rustc would read a brace in the directory's name as a format parameter.
    let plain = label.replace(['{', '}'], "?");
    let message = format!("`{{Self}}` does not run the skills of `{plain}` that need code");
    // The note is a format string that names the type, so braces are escaped. A long note would hide the
    // error.
    let stub = host_stub("Agent", all).filter(|_| skills.len() <= MAX_SHOWN).map(|stub| {
        let escaped = stub.trim_end().replace('{', "{{").replace('}', "}}").replacen("Agent", "{Self}", 1);
        format!("write:\n{escaped}")
    });
    let note = stub.unwrap_or_else(|| {
        "implement the trait `Host` that `skills!` generated: `skills expand --host` prints a stub".to_owned()
    });
    quote! {
        #[doc(hidden)]
        use __skills::__private::c as __c;
        #[doc = #title]
        #[diagnostic::on_unimplemented(
            message = #message,
            label = "this type does not implement `Host`",
            note = #note
        )]
        pub trait Host: __c::Send + __c::Sync + 'static {
            #(
                #[doc = #descriptions]
                fn #methods(
                    &self,
                    input: #methods::Input,
                    context: &__c::Context,
                ) -> impl __c::Future<
                    Output = __c::Result<#methods::Output, __c::Failure>,
                > + __c::Send;
            )*
        }
        #[doc(hidden)]
        struct __Hosted<H>(H);
        #[automatically_derived]
        impl<H: Host> __c::Dispatch for __Hosted<H> {
            fn call<'a>(
                &'a self,
                skill: &__c::str,
                input: __c::String,
                context: &'a __c::Context,
            ) -> __c::Serving<'a> {
                match skill {
                    #(
                        #names => __c::serve(
                            &#methods::__INPUT,
                            input,
                            context,
                            move |input| <H as Host>::#methods(&self.0, input, context),
                        ),
                    )*
                    _ => __c::None,
                }
            }
            fn serves(&self, skill: &__c::str) -> __c::bool {
                match skill {
                    #(#names)|* => true,
                    _ => false,
                }
            }
        }
        impl Bundle {
            /// Returns a runner for the skills. `host` runs the skills that need code in this program.
            pub fn with<H: Host>(&self, host: H) -> __c::Runner<Self> {
                __c::hosted(&__LIBRARY, __Hosted(host))
            }
            /// Wraps a host for a runner of another library, which calls skills by name.
            pub fn dispatch<H: Host>(&self, host: H) -> impl __skills::__private::c::Dispatch + use<H> {
                __Hosted(host)
            }
        }
    }
}

fn ident(skill: &CatalogSkill) -> Ident {
    Ident::new(&skill.ident, Span::call_site())
}

/// Returns the expression of a tree.
fn static_tree(tree: &Tree) -> TokenStream {
    let (words, text) = tree.parts();
    let words = words.iter().copied().map(Literal::u32_unsuffixed);
    quote!(__c::Tree::from_static(&[#(#words),*], #text))
}

/// Returns the statics `__STEPS` and `__PIPELINE`.
fn static_pipeline(pipeline: &Pipeline) -> TokenStream {
    let steps = pipeline.steps.iter().map(static_step);
    let count = pipeline.steps.len();
    let mapping = optional(pipeline.mapping.as_ref().map(static_tree));
    quote! {
        static __STEPS: [__c::Step; #count] = [#(#steps),*];
        #[doc(hidden)]
        pub static __PIPELINE: __c::Pipeline =
            __c::Pipeline { steps: __c::Cow::Borrowed(&__STEPS), mapping: #mapping };
    }
}

fn static_step(step: &Step) -> TokenStream {
    let (name, skill) = (&*step.name, &*step.skill);
    let input = static_tree(&step.input);
    let condition = optional(step.condition.as_ref().map(static_tree));
    let foreach = optional(step.foreach.as_ref().map(static_tree));
    let after = step.after.iter().copied().map(Literal::u32_unsuffixed);
    let needs = step.needs.iter().copied().map(Literal::u32_unsuffixed);
    let [concurrency, retry] = [step.concurrency, step.retry].map(Literal::u32_unsuffixed);
    let timeout = optional(step.timeout_ms.map(|limit| {
        let limit = Literal::u64_unsuffixed(limit);
        quote!(#limit)
    }));
    let delay = Literal::u64_unsuffixed(step.retry_delay_ms);
    let goes_on = step.continue_on_error;
    quote! {
        __c::Step {
            name: __c::Cow::Borrowed(#name),
            skill: __c::Cow::Borrowed(#skill),
            input: #input,
            condition: #condition,
            foreach: #foreach,
            concurrency: #concurrency,
            after: __c::Cow::Borrowed(&[#(#after),*]),
            needs: __c::Cow::Borrowed(&[#(#needs),*]),
            timeout_ms: #timeout,
            retry: #retry,
            retry_delay_ms: #delay,
            continue_on_error: #goes_on,
        }
    }
}

fn optional(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(__c::Some(#value)),
        None => quote!(__c::None),
    }
}
