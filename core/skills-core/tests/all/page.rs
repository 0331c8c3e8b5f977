//! `docs/RULES.md` equals the printed rule table; `BLESS=1` renews it.

use std::path::Path;

use skills_core::rule;
use skills_report::page;

use crate::golden::Goldens;

#[test]
fn the_page_of_rules_is_current() {
    let mut goldens = Goldens::default();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/RULES.md");
    goldens.compare(&page, &page::print(&rule::all().into_iter().map(rule::text).collect::<Vec<_>>()));
    goldens.finish();
}
