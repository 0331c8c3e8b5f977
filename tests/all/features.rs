//! The front page of the documentation explains every feature.

/// Returns the names of the features in a `Cargo.toml`.
fn features(manifest: &str) -> Vec<&str> {
    let (_, rest) = manifest.split_once("\n[features]\n").expect("the section");
    let section = rest.split("\n[").next().unwrap_or_default();
    let names = section.lines().filter_map(|line| Some(line.split_once(" = [")?.0));
    names.filter(|name| *name != "default").collect()
}

#[test]
fn each_feature_has_one_sentence() {
    let page = include_str!("../../src/lib.rs");
    let all = features(include_str!("../../Cargo.toml"));
    assert!(all.contains(&"typed") && all.contains(&"call"), "{all:?}");
    for name in all {
        let lines = [format!("//! - `{name}`: "), format!("//! - `{name}` (default): ")];
        let count: usize = lines.iter().map(|line| page.matches(line).count()).sum();
        assert_eq!(count, 1, "`{name}` on the front page");
    }
}

// Functions with the names of other loaders are in the module `compat` only.
#[test]
fn the_root_has_no_functions_of_other_loaders() {
    let page = include_str!("../../src/lib.rs");
    for name in ["get_project_instructions", "collect_all_mcp_servers", "match_skill_triggers", "is_on_path"]
    {
        assert!(!page.contains(name), "{name}");
    }
}
