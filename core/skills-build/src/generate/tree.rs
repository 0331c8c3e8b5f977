//! Generates static data for the trees and pipelines of the catalog: two literals for each tree.
//!
//! The code refers to names in `__c`, which the surrounding module imports.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use skills_template::Tree;
use skills_template::pipeline::{Pipeline, Step};

/// Returns the expression of a tree.
pub(super) fn tree(tree: &Tree) -> TokenStream {
    let (words, text) = tree.parts();
    let words = words.iter().copied().map(Literal::u32_unsuffixed);
    quote!(__c::Tree::from_static(&[#(#words),*], #text))
}

/// Returns the statics `__STEPS` and `__PIPELINE`.
pub(super) fn pipeline(pipeline: &Pipeline) -> TokenStream {
    let steps = pipeline.steps.iter().map(step);
    let count = pipeline.steps.len();
    let mapping = optional(pipeline.mapping.as_ref().map(tree));
    quote! {
        static __STEPS: [__c::Step; #count] = [#(#steps),*];
        #[doc(hidden)]
        pub static __PIPELINE: __c::Pipeline =
            __c::Pipeline { steps: __c::Cow::Borrowed(&__STEPS), mapping: #mapping };
    }
}

fn step(step: &Step) -> TokenStream {
    let (name, skill) = (&*step.name, &*step.skill);
    let input = tree(&step.input);
    let condition = optional(step.condition.as_ref().map(tree));
    let foreach = optional(step.foreach.as_ref().map(tree));
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
