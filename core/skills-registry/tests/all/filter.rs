//! Tests that filters select skills by tag, category, mode and words.

#![allow(clippy::unwrap_used)] // test helpers may panic

use skills_registry::{CompiledSkill, Facts, Filter, FunctionFacts, Layout, Mode, Registry, write};

fn registry() -> Registry {
    let skill = |name: &str, description: &str, tags: &[&str], category: Option<&str>, mode: Option<Mode>| {
        CompiledSkill::from(Facts {
            name: name.to_owned(),
            description: description.to_owned(),
            tags: texts(tags),
            category: category.map(str::to_owned),
            function: mode.map(FunctionFacts::new),
            ..Facts::default()
        })
    };
    let skills = [
        skill("code_review", "审查代码质量", &["Security", "review"], Some("代码"), Some(Mode::Llm)),
        skill("pdf", "Reads PDF\nfiles.", &["documents", "review"], Some("Office"), None),
        skill("search", "", &[], None, Some(Mode::Code)),
    ];
    Registry::new(write(&skills, Layout::Joined, 8_000).unwrap().into_tables())
}

fn found(filter: Filter) -> Vec<String> {
    registry().iter().filter(|skill| filter.matches(*skill)).map(|skill| skill.name().to_owned()).collect()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

// SPEC 11.1
#[test]
fn all_tags_and_one_category_and_mode_must_match() {
    let tags = |wanted: &[&str]| found(Filter { tags: texts(wanted), ..Filter::default() });
    assert_eq!(tags(&["review"]), ["code_review", "pdf"]);
    assert_eq!(tags(&["REVIEW", "security"]), ["code_review"]);
    assert!(tags(&["rev"]).is_empty(), "a part of a tag is not a tag");
    let categories = |wanted: &[&str]| found(Filter { categories: texts(wanted), ..Filter::default() });
    assert_eq!(categories(&["代码"]), ["code_review"]);
    assert_eq!(categories(&["office", "代码"]), ["code_review", "pdf"]);
    let modes = |modes: &[Mode]| found(Filter { modes: modes.to_vec(), ..Filter::default() });
    assert_eq!(modes(&[Mode::Llm]), ["code_review"]);
    assert_eq!(modes(&[Mode::Code, Mode::Llm]), ["code_review", "search"]);
    assert!(modes(&[Mode::Composite]).is_empty());
}

// SPEC 11.1
#[test]
fn every_search_word_must_occur() {
    let words = |wanted: &[&str]| found(Filter { words: texts(wanted), ..Filter::default() });
    assert_eq!(words(&["pdf"]), ["pdf"]);
    assert_eq!(words(&["FILES docu"]), ["pdf"], "in the description, and in a tag");
    assert_eq!(words(&["代码"]), ["code_review"], "a category is not searched, a description is");
    assert!(words(&["pdf", "security"]).is_empty());
    assert_eq!(words(&["", "  "]).len(), 3);
}

// SPEC 11.1
#[test]
fn the_parts_of_a_filter_combine_and_an_empty_one_matches_all() {
    assert_eq!(found(Filter::default()).len(), 3);
    assert!(Filter::default().is_empty());
    let filter = Filter { tags: texts(&["review"]), modes: vec![Mode::Llm], ..Filter::default() };
    assert!(!filter.is_empty());
    assert_eq!(found(filter), ["code_review"]);
}
