//! Mutated frontmatter: no panic, and every place is inside the file and on character boundaries.

use skills_core::span::Span;
use skills_core::tree::{Node, Value};

use crate::parsed::{Random, Skill};

const SEEDS: &[&str] = &[
    "---\nname: pdf\ndescription: Use when: reading é😀 files # c\nmetadata:\n  author: a: b\n  list:\n    - x\n    - y: z: w\n---\n# Body\n",
    "---\r\nname: \"pdf\\u00e9\"\r\ndescription: |-\r\n  a: b\r\n  ---\r\ntags: [a, 'b', {c: d}]\r\nx: &x !!str 1\r\ny: *x\r\n---\r\n",
    "---\nname = \"pdf\"\ntags = ['a', \"b\"]\nmcp.x = {command = 'npx', args = []}\n[t]\nd = 1979-05-27\nm = '''\n---\n'''\n---\nx",
    "\u{feff}---yaml\n%YAML 1.2\na: 'x\n  y'\n? k\n: v\n<<: {q: r}\n\tt: u\n...\n---\n",
    "---\nname:pdf\nx = y\nz: @a\nw: \"\n---\n",
];

const PIECES: &[&str] = &[
    ":",
    ": ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    " ",
    "  ",
    "-",
    "- ",
    "---",
    "---\n",
    "\n---\n",
    "...",
    "'",
    "\"",
    "'''",
    "\"\"\"",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#",
    " #",
    "|",
    ">",
    ">-\n",
    "&a ",
    "*a",
    "!t ",
    "!!int ",
    "%",
    "@",
    "`",
    "=",
    " = ",
    "?",
    "? ",
    "\\",
    "\\u",
    "\0",
    "\u{1}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "é",
    "😀",
    "\u{10ffff}",
    "a",
    "0",
    "<<: ",
    "name: x\n",
    "  description: y\n",
    "~",
    ".",
];

fn mutate(random: &mut Random) -> String {
    let mut text = random.pick(SEEDS).to_owned();
    for _ in 0..=random.below(6) {
        let cut = |random: &mut Random, text: &str| {
            let at = random.below(text.len() + 1);
            (0..=at).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0)
        };
        let (a, b) = (cut(random, &text), cut(random, &text));
        let (start, end) = (a.min(b), a.max(b));
        match random.below(8) {
            0 => text.replace_range(start..end, ""),
            1 => text = format!("{}{}{}", &text[..end], &text[start..end], &text[end..]),
            2 => text.truncate(end),
            _ => text.insert_str(start, random.pick(PIECES)),
        }
    }
    text
}

fn check_span(skill: &Skill, text: &str, span: Span) {
    let range = span.start as usize..span.end as usize;
    let file = skill.parsed.sources.file_of(span);
    let base = file.span(0..0).start as usize;
    assert_eq!(file.path, "pdf/SKILL.md", "{text:?}");
    assert!(range.start <= range.end && range.end - base <= text.len(), "{range:?} in {text:?}");
    assert!(
        text.is_char_boundary(range.start - base) && text.is_char_boundary(range.end - base),
        "{range:?} in {text:?}"
    );
}

fn check_node(skill: &Skill, text: &str, node: &Node) {
    check_span(skill, text, node.span);
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| check_node(skill, text, item)),
        Value::Map(entries) => {
            for entry in entries {
                check_span(skill, text, entry.key_span);
                check_node(skill, text, &entry.value);
            }
        }
        Value::Scalar(_) => {}
    }
}

// SPEC 12.1: no input causes a panic; 1.7: lost skills are reported.
#[test]
fn nothing_panics() {
    hold_for_mutants(0x1234_5678_9abc_def1);
}

// The same with other mutants, in parallel on another core.
#[test]
fn nothing_else_panics() {
    hold_for_mutants(0x0fed_cba9_8765_4321);
}

fn hold_for_mutants(seed: u64) {
    let mut random = Random(seed);
    let (mut clean, mut broken) = (0, 0);
    let rounds = test_bed::rounds(1_500);
    for _ in 0..rounds {
        let text = mutate(&mut random);
        let skill = Skill::new(&text);
        for diagnostic in &skill.report.diagnostics {
            check_span(&skill, &text, diagnostic.span);
            diagnostic.related.iter().for_each(|related| check_span(&skill, &text, related.span));
            assert!(
                !diagnostic.help.is_empty() && !diagnostic.title.is_empty() && !diagnostic.label.is_empty()
            );
            assert!(
                !diagnostic.title.contains('\n') && !diagnostic.title.ends_with('.'),
                "{}",
                diagnostic.title
            );
        }
        check_span(&skill, &text, skill.document().body);
        let Some(frontmatter) = &skill.document().frontmatter else { continue };
        check_span(&skill, &text, frontmatter.block);
        check_node(&skill, &text, &frontmatter.tree);
        assert!(frontmatter.tree.as_map().is_some());
        assert!(frontmatter.sound || !skill.report.diagnostics.is_empty(), "lost in silence: {text:?}");
        let json = skill.json().expect("it has a frontmatter");
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
        if skill.report.diagnostics.is_empty() { clean += 1 } else { broken += 1 }
    }
    assert!(clean > rounds / 40 && broken > rounds / 4, "{clean} clean, {broken} broken");
}

// SPEC 12.1: a large frontmatter full of faults is read in time that grows with its size; a quadratic reader of
// these sizes would not end.
#[test]
fn large_faulty_frontmatter_is_read() {
    let lines = |line: &dyn Fn(usize) -> String| (0..5_000).map(line).collect::<String>();
    let blocks = [
        lines(&|at| format!("k{at}: a: b: c\n")),
        lines(&|at| format!("k{at}: @a\n")),
        lines(&|_| "a: b\n".to_owned()),
        lines(&|at| format!("k{at}: [\n")),
        format!("m:\n{}", lines(&|at| format!("  k{at}: a: b\n"))),
        format!("m:\n{}", lines(&|at| format!("\tk{at}: a\n"))),
        format!("m: a\n{}", lines(&|_| "  b: c\n".to_owned())),
        format!("a: {}\n", "b: ".repeat(5_000)),
        lines(&|_| "a = b\n".to_owned()),
        lines(&|at| format!("k{at} = 1\nx: y\n")),
        format!("a = '''\n{}'''\n", lines(&|_| "---\n".to_owned())),
    ];
    for block in blocks {
        let text = format!("---\n{block}---\n");
        let mut sources = skills_core::span::SourceMap::new("skills");
        let file = sources.add("SKILL.md".into(), text, None);
        let mut report = skills_core::report::Report::default();
        let document = skills_core::frontmatter::split(file, &sources, &mut report);
        let sound = document.frontmatter.is_some_and(|frontmatter| frontmatter.sound);
        assert!(sound || !report.diagnostics.is_empty());
    }
}
