//! Renders a catalog within a token budget: descriptions are cut first, then skills are left out and listed
//! by name.

use super::entry::{self, CatalogEntry, one_line};
use super::style::Style;

/// The default budget of a catalog, in tokens.
pub const BUDGET: usize = 8_000;

/// Estimates how many tokens a text with this many bytes has: a quarter, rounded up. `skills weigh` reports
/// the error of the estimate.
///
/// ```
/// assert_eq!(skills_registry::estimated_tokens("Read pages.".len()), 3);
/// ```
pub const fn estimated_tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// Renders skills, sorted by name, in at most `budget` tokens, as [`render_list`] does. `loader` is the tool that loads
/// skills.
pub fn render(entries: &[CatalogEntry<'_>], style: Style, loader: &str, budget: usize) -> String {
    if entries.is_empty() {
        return style.empty().to_owned();
    }
    let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
    render_list(
        &style.head(loader),
        style.tail(),
        &names,
        &|out, at, longest| entry::push(out, &entries[at], style, longest),
        budget,
    )
}

/// Renders as many skills as fit `budget` tokens, together with a last line that says how many there are in
/// total. Descriptions are cut to 200 characters. Returns the text and the number of skills in it, or `None` if no
/// skill fits. `loader` is the tool that loads skills.
pub fn render_some(
    entries: &[CatalogEntry<'_>],
    style: Style,
    loader: &str,
    budget: usize,
    last: &dyn Fn(usize) -> String,
) -> Option<(String, usize)> {
    (1..=entries.len()).rev().find_map(|count| {
        let mut out = style.head(loader).into_owned();
        entries[..count].iter().for_each(|entry| entry::push(&mut out, entry, style, 200));
        out.push_str(style.tail());
        out.push_str(&last(count));
        (estimated_tokens(out.len()) <= budget).then_some((out, count))
    })
}

/// Renders the skills with these names between a head and a tail, in at most `budget` tokens: a catalog, or the
/// description of a tool. `push` appends the skill at a position, with at most the given number of characters of its
/// description.
///
/// If the list is too long, descriptions are cut to 200 characters, then to 100. After that, skills are dropped from
/// the end and named in a last line, which does not count towards the budget.
pub fn render_list(
    head: &str,
    tail: &str,
    names: &[&str],
    push: &dyn Fn(&mut String, usize, usize),
    budget: usize,
) -> String {
    let (mut out, mut kept) = (String::new(), 0);
    for longest in [usize::MAX, 200, 100] {
        head.clone_into(&mut out);
        kept = 0;
        while kept < names.len() {
            let end = out.len();
            push(&mut out, kept, longest);
            if estimated_tokens(out.len() + tail.len()) > budget {
                out.truncate(end);
                break;
            }
            kept += 1;
        }
        if kept == names.len() {
            break;
        }
    }
    out.push_str(tail);
    if kept < names.len() {
        let names: Vec<String> = names[kept..].iter().map(|name| one_line(name).into_owned()).collect();
        out.push_str(&format!("\n{} more skills not shown: {}", names.len(), names.join(", ")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::style::LOADER;
    use super::*;

    fn entry<'a>(name: &'a str, description: &'a str) -> CatalogEntry<'a> {
        CatalogEntry { name, description, location: "/s/SKILL.md", installed: name == "a" }
    }

    #[test]
    fn the_three_styles_follow_the_contract() {
        // SPEC 8.1
        let skills = [entry("a", "Does <a>,\nquickly"), entry("b", "B's")];
        assert_eq!(
            render(&skills, Style::Skills, LOADER, BUDGET),
            "\n\nThe following skills provide specialized instructions for specific tasks.\nUse the skill tool to load \
             a skill's full instructions when the task matches its description.\n\n<available_skills>\n  <skill>\n    \
             <name>a</name>\n    <description>Does &lt;a&gt;, quickly</description>\n    \
             <location>/s/SKILL.md</location>\n  </skill>\n  <skill>\n    <name>b</name>\n    \
             <description>B&#x27;s</description>\n    <location>/s/SKILL.md</location>\n  \
             </skill>\n</available_skills>"
        );
        assert_eq!(
            render(&skills[1..], Style::AgentSkills, LOADER, BUDGET),
            "<available_skills>\n<skill>\n<name>\nb\n</name>\n<description>\nB&#x27;s\n</description>\n<location>\n\
             /s/SKILL.md\n</location>\n</skill>\n</available_skills>"
        );
        assert_eq!(
            render(&skills, Style::Omega, LOADER, BUDGET),
            "\n\nYou have the following skills available. Before using any skill, you MUST read its file for full \
             instructions. If a tool is not installed, the skill file contains installation instructions — install it \
             first, then use it.\n\nSkills:\n- a [installed]: Does <a>, quickly → Read /s/SKILL.md\n- b [not \
             installed]: B's → Read /s/SKILL.md\n"
        );
        assert_eq!(render(&[], Style::Skills, LOADER, BUDGET), "");
        assert_eq!(
            render(&[], Style::AgentSkills, LOADER, BUDGET),
            "<available_skills>\n</available_skills>"
        );
        assert_eq!(render(&[], Style::Omega, LOADER, BUDGET), "");
    }

    #[test]
    fn a_catalog_over_its_budget_is_cut_in_three_steps() {
        // SPEC 8.1
        let long = "x".repeat(1_000);
        let skills = [entry("a", &long), entry("b", &long), entry("c", &long)];
        for style in Style::ALL {
            let tokens = |text: &str| estimated_tokens(text.len());
            let whole = render(&skills, style, LOADER, BUDGET);
            assert!(whole.contains(&long) && !whole.contains("..."));
            assert_eq!(render(&skills, style, LOADER, tokens(&whole)), whole, "the limit itself is inside");

            let cut = render(&skills, style, LOADER, tokens(&whole) - 1);
            assert_eq!(cut.matches(&format!("{}...", "x".repeat(197))).count(), 3);
            let shorter = render(&skills, style, LOADER, tokens(&cut) - 1);
            assert_eq!(shorter.matches(&format!("{}...", "x".repeat(97))).count(), 3);
            assert!(!shorter.contains(&"x".repeat(98)));

            let dropped = render(&skills, style, LOADER, tokens(&shorter) - 1);
            assert!(dropped.ends_with(&format!("{}\n1 more skills not shown: c", style.tail())), "{dropped}");
            assert_eq!(dropped.matches("xxx...").count(), 2);
            let none = render(&skills, style, LOADER, 0);
            assert_eq!(
                none,
                format!("{}{}\n3 more skills not shown: a, b, c", style.head(LOADER), style.tail())
            );
        }
    }
}
