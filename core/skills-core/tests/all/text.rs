//! Prints hand-made problems as text, with excerpts for every kind of position.

use skills_core::level::Level;
use skills_core::print::text::{self, ReportLayout, Style};
use skills_core::report::Report;
use skills_core::rule::Rule;
use skills_core::span::{SourceMap, Span};

static RULE: Rule = Rule {
    code: "test-rule",
    spec: "0",
    lint: true,
    hides: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
};

/// Returns a map with one file whose text marks the places with `[` and `]`, in order.
fn source(marked: &str) -> (SourceMap, Vec<Span>) {
    let mut sources = SourceMap::new("skills/");
    sources.add("before".into(), "x\n".into(), None);
    let (text, ranges) = unmark(marked);
    let id = sources.add("pdf/SKILL.md".into(), text, Some(0));
    let spans = ranges.into_iter().map(|range| sources.file(id).span(range)).collect();
    (sources, spans)
}

fn unmark(marked: &str) -> (String, Vec<std::ops::Range<usize>>) {
    let (mut text, mut open, mut ranges) = (String::new(), Vec::new(), Vec::new());
    for c in marked.chars() {
        match c {
            '[' => {
                open.push(ranges.len());
                ranges.push(text.len()..text.len());
            }
            ']' => ranges[open.pop().expect("an open bracket")].end = text.len(),
            c => text.push(c),
        }
    }
    (text, ranges)
}

fn one(marked: &str) -> String {
    let (sources, spans) = source(marked);
    text::print_diagnostic(&RULE.report_at(spans[0], "title").label("here").help("help"), &sources)
}

/// Compares only the excerpt between the arrow and the help.
#[track_caller]
fn excerpt(marked: &str, position: &str, expected: &str) {
    let printed = one(marked);
    let (head, rest) = printed.split_once("\n").expect("a title line");
    assert_eq!(head, "error[skills::test-rule]: title");
    let (arrow, rest) = rest.split_once('\n').expect("an arrow line");
    assert_eq!(arrow.trim_start(), format!("--> skills/pdf/SKILL.md:{position}"));
    let (body, help) = rest.rsplit_once('\n').expect("a help line");
    assert_eq!(help.trim_start(), "= help: help");
    assert_eq!(body, expected.trim_start_matches('\n').trim_end(), "\n{printed}");
}

#[test]
fn the_complete_format() {
    let (sources, spans) = source("---\nname: pdf\ndescription: Use when[:] reviewing\n---\n");
    let diagnostic = RULE
        .report_at(spans[0], "mapping values are not allowed here")
        .label("a plain value cannot contain `: `")
        .help("quote it: description: \"Use when: reviewing\"");
    let expected = "\
error[skills::test-rule]: mapping values are not allowed here
  --> skills/pdf/SKILL.md:3:22
   |
 3 | description: Use when: reviewing
   |                      ^ a plain value cannot contain `: `
   = help: quote it: description: \"Use when: reviewing\"";
    assert_eq!(text::print_diagnostic(&diagnostic, &sources), expected);
    let bare = text::without_level(&diagnostic, &sources);
    assert_eq!(format!("error{bare}"), expected);
    let report = Report { diagnostics: vec![diagnostic.clone(), diagnostic], ..Report::default() };
    assert_eq!(text::print(&report, &sources), format!("{expected}\n\n{expected}\n"));
    assert_eq!(text::print(&Report::default(), &sources), "");
}

#[test]
fn single_lines() {
    excerpt("[n]ame: a\n", "1:1", "   |\n 1 | name: a\n   | ^ here");
    excerpt("name: a\n[]", "2:1", "   |\n 2 |\n   | ^ here");
    excerpt("name: a[]", "1:8", "   |\n 1 | name: a\n   |        ^ here");
    excerpt("a\r\n[bc]\r\n", "2:1", "   |\n 2 | bc\n   | ^^ here");
    excerpt("a\r\nbc[\r\n]d", "2:3", "   |\n 2 | bc\n   |   ^ here");
    excerpt("a[\n]b", "1:2", "   |\n 1 | a\n   |  ^ here");
    excerpt("\u{feff}[na]me", "1:1", "   |\n 1 | name\n   | ^^ here");
    excerpt("[\u{feff}na]me", "1:1", "   |\n 1 | name\n   | ^^ here");
    excerpt("\t[x]\ty\n", "1:2", "   |\n 1 |     x    y\n   |     ^ here");
    excerpt("技能[摘要]: x\n", "1:3", "   |\n 1 | 技能摘要: x\n   |     ^^^^ here");
    excerpt("🦀[b]\n", "1:2", "   |\n 1 | 🦀b\n   |   ^ here");
    excerpt("cafe\u{301}[b]\n", "1:6", "   |\n 1 | cafe\u{301}b\n   |     ^ here");
    excerpt("a[\u{202e}]b\u{1b}[]\n", "1:2", "   |\n 1 | a\\u{202e}b\\u{1b}\n   |  ^^^^^^^^ here");
    excerpt(&format!("{}[x]\n", "\n".repeat(99)), "100:1", "     |\n 100 | x\n     | ^ here");
}

#[test]
fn multi_line_spans() {
    excerpt("a\n[{\n  b\n}]\n", "2:1", "   |\n 2 | / {\n 3 | |   b\n 4 | | }\n   | |_^ here");
    excerpt("a: [{\n  b }]\n", "1:4", "   |\n 1 |   a: {\n   |  ____^\n 2 | |   b }\n   | |_____^ here");
    excerpt("[a\n]b\n", "1:1", "   |\n 1 | a\n   | ^ here");
    excerpt("[a\r\nb\r\n]", "1:1", "   |\n 1 | / a\n 2 | | b\n   | |_^ here");
    excerpt("  [技\n能]\n", "1:3", "   |\n 1 | /   技\n 2 | | 能\n   | |__^ here");
    excerpt(
        "x [1\n2\n3\n4\n5\n6\n7\n8]",
        "1:3",
        "   |\n 1 |   x 1\n   |  ___^\n 2 | | 2\n 3 | | 3\n...  |\n 7 | | 7\n 8 | | 8\n   | |_^ here",
    );
    excerpt(
        &format!("{}[1\n2\n3\n4\n5\n6\n7]", "\n".repeat(8)),
        "9:1",
        "    |\n  9 | / 1\n 10 | | 2\n 11 | | 3\n...   |\n 14 | | 6\n 15 | | 7\n    | |_^ here",
    );
}

#[test]
fn a_long_line_is_cut_on_both_sides() {
    let printed = one(&format!("{}[bad]{}\n", "a".repeat(300), "c".repeat(300)));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[1], "  --> skills/pdf/SKILL.md:1:301");
    assert!(lines[3].starts_with(" 1 | …aaa") && lines[3].ends_with("ccc…"), "{printed}");
    let at = |line: &str, what: &str| line[..line.find(what).expect(what)].chars().count();
    assert_eq!(at(lines[3], "bad"), at(lines[4], "^^^ here"), "{printed}");
}

fn related(marked: &str, labels: &[&str]) -> String {
    let (sources, spans) = source(marked);
    let mut diagnostic = RULE.report_at(spans[0], "title").label("second").help("help");
    for (span, label) in spans[1..].iter().zip(labels) {
        diagnostic = diagnostic.related(*span, *label);
    }
    let printed = text::print_diagnostic(&diagnostic, &sources);
    printed.lines().skip(2).map(|line| format!("{line}\n")).collect()
}

#[test]
fn related_places_in_the_same_file() {
    assert_eq!(
        related("x\n[b]: 1\n[b]: 2\n", &["first"]),
        "   |\n 2 | b: 1\n   | ^ second\n 3 | b: 2\n   | - first\n   = help: help\n"
    );
    assert_eq!(
        related("[b]: 1\nx\n[b]: 2\n\n\n[b]", &["first", "third"]),
        "   |\n 1 | b: 1\n   | ^ second\n 2 | x\n 3 | b: 2\n   | - first\n...\n 6 | b\n   | - third\n   = help: help\n"
    );
    assert_eq!(
        related("[a] [b]\n", &["first"]),
        "   |\n 1 | a b\n   | ^ - first\n   | |\n   | second\n   = help: help\n"
    );
    assert_eq!(
        related("[aa] [b] [cc]\n", &["one", "two"]),
        "   |\n 1 | aa b cc\n   | ^^ - -- two\n   | |  |\n   | |  one\n   | second\n   = help: help\n"
    );
    assert_eq!(
        related("[a[b]c]\n", &["inner"]),
        "   |\n 1 | abc\n   | ^^^\n   | ||\n   | |inner\n   | second\n   = help: help\n"
    );
}

#[test]
fn related_places_that_need_their_own_excerpt() {
    // A place over several lines, and a place beyond the window.
    assert_eq!(
        related("[b]\n[c\nd]\n", &["block"]),
        "   |\n 1 | b\n   | ^ second\n   |\n  ::: skills/pdf/SKILL.md:2:1\n   |\n 2 | / c\n 3 | | d\n   | |_- block\n   = help: help\n"
    );
    let far = related(&format!("[b]{}[c]", "x".repeat(300)), &["far"]);
    assert_eq!(far.matches("  ::: skills/pdf/SKILL.md:1:302\n").count(), 1, "{far}");
    assert!(far.contains("^ second") && far.contains("- far"), "{far}");
}

#[test]
fn related_places_in_another_file() {
    let mut sources = SourceMap::new(".");
    let a = sources.add("a/SKILL.md".into(), "name: x\n".into(), Some(0));
    let b = sources.add("b/SKILL.md".into(), format!("{}name: x\n", "\n".repeat(9)), Some(1));
    let big = sources.add_path("c/big.bin", Some(2));
    let (first, second) = (sources.file(a).span(6..7), sources.file(b).span(15..16));
    let diagnostic = RULE
        .report_at(second, "two skills are named `x`")
        .help("rename one\nor remove it")
        .related(first, "the first")
        .related(big, "and a file");
    assert_eq!(
        text::print_diagnostic(&diagnostic, &sources),
        "\
error[skills::test-rule]: two skills are named `x`
   --> b/SKILL.md:10:7
    |
 10 | name: x
    |       ^
    |
   ::: a/SKILL.md:1:7
    |
  1 | name: x
    |       - the first
   ::: c/big.bin:1:1
    = note: and a file
    = help: rename one
            or remove it"
    );
}

#[test]
fn a_path_without_text_has_no_excerpt() {
    let mut sources = SourceMap::new("skills");
    let span = sources.add_path(".", None);
    let mut diagnostic = RULE.report_at(span, "no such directory").help("create it");
    diagnostic.level = Level::Warning;
    assert_eq!(
        text::print_diagnostic(&diagnostic, &sources),
        "warning[skills::test-rule]: no such directory\n  --> skills:1:1\n   = help: create it"
    );
}

// SPEC 2.11: reports quote hidden characters, which must not reach a terminal.
#[test]
fn nothing_raw_reaches_the_terminal() {
    let nasty = "\u{1b}[2J\u{202e}\u{e0041}\r";
    let mut sources = SourceMap::new(nasty);
    let id = sources.add(nasty.into(), format!("{nasty}\n{nasty}\n"), Some(0));
    let span = sources.file(id).span(0..3);
    let diagnostic = RULE.report_at(span, nasty).label(nasty).help(nasty).related(span, nasty);
    let report = Report { diagnostics: vec![diagnostic], ..Report::default() };
    let printed = text::print(&report, &sources);
    assert!(!printed.chars().any(|c| c != '\n' && c.is_control()), "{printed:?}");
    assert!(!printed.contains(['\u{202e}', '\u{e0041}']), "{printed:?}");
}

#[test]
fn colours_change_nothing_but_the_colours() {
    let (sources, spans) = source("a: [b]\nc: [d]\n");
    let mut warning = RULE.report_at(spans[0], "title").label("here").help("help").related(spans[1], "there");
    warning.level = Level::Warning;
    let error = RULE.report_at(spans[0], "title").help("help");
    let report = Report { diagnostics: vec![warning, error], ..Report::default() };
    let coloured =
        text::print_styled(&report, &sources, ReportLayout { style: Style::Ansi, ..ReportLayout::default() });
    assert!(
        coloured
            .starts_with("\u{1b}[1m\u{1b}[33mwarning[skills::test-rule]\u{1b}[0m\u{1b}[1m: title\u{1b}[0m\n")
    );
    assert!(coloured.contains("\u{1b}[1m\u{1b}[91merror[skills::test-rule]\u{1b}[0m"));
    assert!(coloured.contains("\u{1b}[1m\u{1b}[33m^\u{1b}[0m \u{1b}[1m\u{1b}[33mhere\u{1b}[0m"));
    assert!(coloured.contains("\u{1b}[1m\u{1b}[94m-\u{1b}[0m \u{1b}[1m\u{1b}[94mthere\u{1b}[0m"));
    let mut stripped = coloured;
    for code in ["0", "1", "33", "91", "94"] {
        stripped = stripped.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(stripped, text::print(&report, &sources));
}

#[test]
fn no_span_makes_the_printer_panic() {
    let text = "\u{feff}a\r\n技\t\u{301}\n\n👩\u{200d}🔬\r\n\u{202e}end";
    let mut sources = SourceMap::new("s");
    let id = sources.add("f".into(), text.into(), None);
    for start in 0..=text.len() {
        for end in start..=text.len() + 1 {
            let span = sources.file(id).span(start..end);
            let other = sources.file(id).span(end..text.len());
            let diagnostic = RULE.report_at(span, "t").label("l").help("h").related(other, "r");
            let printed = text::print_diagnostic(&diagnostic, &sources);
            assert!(printed.contains('^') && printed.contains('-'), "{start}..{end}");
        }
    }
}

/// Prints one problem for a terminal of a given width.
fn on_terminal(marked: &str, columns: usize, is_fixable: bool) -> String {
    let (sources, spans) = source(marked);
    let mut problem =
        RULE.report_at(spans[0], "a title of several words that is longer than the terminal is wide");
    problem = problem.label("a label of several words that is as long as the title, which wraps too");
    problem = problem.help("write words that wrap at the end of a word and not inside of one:\n  an indented example, which is copied and so never wraps at any width");
    if let Some(span) = spans.get(1) {
        problem = problem.related(*span, "another label of several words that does not fit beside its place");
    }
    let report = Report { diagnostics: vec![problem], ..Report::default() };
    let is_fixable = is_fixable.then_some((|_, _| true) as fn(&_, &_) -> _);
    text::print_styled(
        &report,
        &sources,
        ReportLayout { columns: Some(columns), is_fixable, ..ReportLayout::default() },
    )
}

// SPEC 11.27: lines wrap between words, carets stay below their text, and examples are not wrapped
#[test]
fn a_problem_fits_the_terminal() {
    let line = format!("{}[NAME]{}", "a ".repeat(90), " b".repeat(90));
    let printed = on_terminal(&line, 80, true);
    let expected = "\
error[skills::test-rule]: [*] a title of several words that is longer than the
    terminal is wide
  --> skills/pdf/SKILL.md:1:181
   |
 1 | … a a a a a a a a a a a a a a a a NAME b b b b b b b b b b b b b b b b …
   |                                   ^^^^ a label of several words that is as
   |                                        long as the title, which wraps too
   = help: write words that wrap at the end of a word and not inside of one:
             an indented example, which is copied and so never wraps at any width
";
    assert_eq!(printed, expected);
}

// SPEC 11.27: at every width, only indented examples are wider, and the carets are below their text
#[test]
fn carets_stay_below_their_text() {
    for at in [0, 30, 60, 75, 90, 300] {
        for columns in [40, 80, 140] {
            let line = format!("{}[NAME]{} [other]{}", "a ".repeat(at), " b".repeat(20), " c".repeat(100));
            for marked in [line.clone(), line.replace("NAME", &format!("x{}\nNAME", "y".repeat(200)))] {
                let printed = on_terminal(&marked, columns, false);
                let lines: Vec<&str> = printed.lines().collect();
                let wide =
                    lines.iter().find(|line| line.chars().count() > columns && !line.contains("example"));
                assert_eq!(wide, None, "{columns}, {at}:\n{printed}");
                let source = lines.iter().position(|line| line.contains("NAME")).expect("the place");
                let carets = lines[source + 1..].iter().find(|line| line.contains('^')).expect("carets");
                let caret = carets.chars().position(|c| c == '^').expect("a caret");
                let below: String = lines[source].chars().skip(caret).take(4).collect();
                assert!(below == "NAME" || below.starts_with('E'), "{columns}, {at}:\n{printed}");
            }
        }
    }
}
