//! Tests that tool definitions are read from the tables as they were written, one by one and as an array.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use skills_registry::{CompiledSkill, Facts, Layout, Registry, ToolFormat, write};

/// Returns a skill with a different definition for each format.
fn tool(name: &str, requires: &[String]) -> CompiledSkill<'static> {
    let tools = ToolFormat::ALL.map(|format| Some(format!(r#"{{"name":"{name}","for":"{format:?}"}}"#)));
    let facts = Facts { name: name.to_owned(), requires: requires.to_vec(), ..Facts::default() };
    CompiledSkill { tools, ..facts.into() }
}

fn registry(skills: &[CompiledSkill<'_>], layout: Layout) -> Registry {
    Registry::new(write(skills, layout, 8_000).unwrap().into_tables())
}

// SPEC 6.3
#[test]
fn each_format_has_its_definition_and_its_array() {
    let skills =
        [tool("write", &[]), Facts { name: "prose".to_owned(), ..Facts::default() }.into(), tool("add", &[])];
    for layout in [Layout::Joined, Layout::Separate] {
        let registry = registry(&skills, layout);
        for format in ToolFormat::ALL {
            let expected = |name: &str| format!(r#"{{"name":"{name}","for":"{format:?}"}}"#);
            let one = |name: &str| registry.get(name).unwrap().tool(format).map(str::to_owned);
            assert_eq!(one("add"), Some(expected("add")));
            assert_eq!(one("write"), Some(expected("write")));
            assert_eq!(one("prose"), None);
            let all = format!("[{},{}]", expected("add"), expected("write"));
            assert_eq!(registry.all_tools(format), all, "sorted by name (SPEC 1.8)");
            assert_eq!(registry.all_tools_with(format, &|_| false), all);
        }
    }
}

// SPEC 6.3: a skill that one interface would refuse is in the others.
#[test]
fn a_skill_may_be_a_tool_of_some_interfaces() {
    let mut odd = tool("3d", &[]);
    odd.tools[4] = None;
    let registry = registry(&[odd, tool("a", &[])], Layout::Joined);
    let odd = registry.get("3d").unwrap();
    assert_eq!(odd.tool(ToolFormat::Gemini), None);
    assert!(odd.tool(ToolFormat::Mcp).is_some());
    assert!(registry.all_tools(ToolFormat::Mcp).contains("3d"));
    assert_eq!(registry.all_tools(ToolFormat::Gemini), r#"[{"name":"a","for":"Gemini"}]"#);
}

// SPEC 2.9: a skill is shown only when every capability it asks for is granted.
#[test]
fn granted_capabilities_enable_tools() {
    let [web, both] = [vec!["cap:web".to_owned()], vec!["cap:web".to_owned(), "cap:disk".to_owned()]];
    let skills = [tool("b", &web), tool("c", &[]), tool("a", &both)];
    let registry = registry(&skills, Layout::Joined);
    let names = |text: &str| -> Vec<String> {
        let parts = text.split(r#""name":""#).skip(1);
        parts.map(|part| part.split('"').next().unwrap().to_owned()).collect()
    };
    for format in ToolFormat::ALL {
        let with = |granted: &[&str]| {
            names(&registry.all_tools_with(format, &|capability: &str| granted.contains(&capability)))
        };
        assert_eq!(names(registry.all_tools(format)), ["c"]);
        assert_eq!(with(&[]), ["c"]);
        assert_eq!(with(&["web"]), ["b", "c"]);
        assert_eq!(with(&["web", "disk"]), ["a", "b", "c"]);
        assert_eq!(with(&["disk"]), ["c"]);
    }
}

#[test]
fn without_tools_the_array_is_empty() {
    let prose = CompiledSkill::from(Facts { name: "prose".to_owned(), ..Facts::default() });
    for skills in [&[][..], &[prose]] {
        let registry = registry(skills, Layout::Joined);
        for format in ToolFormat::ALL {
            assert_eq!(registry.all_tools(format), "[]");
            assert_eq!(registry.all_tools_with(format, &|_| true), "[]");
        }
    }
}
