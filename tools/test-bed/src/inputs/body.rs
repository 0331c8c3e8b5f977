//! The text of a `SKILL.md`: links, mentions, code, comments and characters.

use super::{Input, body, file, fill, input};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("links on a line", |size| body(fill(size, |_| "[a](b.md) ".to_owned()))),
    input("links that differ", |size| body(fill(size, |at| format!("[a](b{at}.md) ")))),
    input("a link with a long path", |size| body(format!("[a]({}b.md)", "a/".repeat(size / 2)))),
    input("a mention of a long path", |size| body(format!("See {}b.md.", "a/".repeat(size / 2)))),
    input("a link that goes up and down", |size| body(format!("[a]({}b.md)", "a/../".repeat(size / 5)))),
    input("links with long paths", |size| {
        body(fill(size, |at| format!("[a]({}b{at}.md) ", "a/".repeat(500))))
    }),
    input("links on lines", |size| body(fill(size, |at| format!("[a](b{at}.md)\n")))),
    input("images", |size| body(fill(size, |_| "![a](b.png) ".to_owned()))),
    input("reference links", |size| body(fill(size, |at| format!("[a{at}]: b{at}.md\n")))),
    input("uses of references", |size| body(fill(size, |at| format!("[a][r{at}] ")))),
    input("links out of the skill", |size| body(fill(size, |at| format!("[a](../b{at}.md) ")))),
    input("unclosed targets", |size| body(fill(size, |_| "[a](<b ".to_owned()))),
    input("open brackets", |size| body("[".repeat(size))),
    input("closed brackets", |size| body("]".repeat(size))),
    input("nested brackets", |size| body("[".repeat(size / 2) + &"]".repeat(size / 2))),
    input("backquotes", |size| body("` ".repeat(size / 2))),
    input("code spans with links", |size| body(fill(size, |_| "`[a](b.md)` ".to_owned()))),
    input("fences", |size| body(fill(size, |_| "```sh\nrun\n```\n".to_owned()))),
    input("a fence of much", |size| body("`".repeat(size / 2) + "\n" + &"`".repeat(size / 2))),
    input("headings", |size| body(fill(size, |at| format!("# Part {at}\n\n")))),
    input("a list", |size| body(fill(size, |at| format!("- see references/a{at}.md\n")))),
    input("mentions on a line", |size| body(fill(size, |_| "scripts/a.py ".to_owned()))),
    input("mentions in words", |size| body(fill(size, |_| "scripts/".to_owned()))),
    input("mentions in fences", |size| {
        body("```sh\n".to_owned() + &fill(size, |_| "bash scripts/a.sh\n".to_owned()))
    }),
    input("comments of Markdown", |size| body(fill(size, |_| "<!-- a -->\n".to_owned()))),
    input("open comments", |size| body("<!-- ".repeat(size / 5))),
    input("allow comments", |size| body(fill(size, |_| "<!-- skills: allow(long-body) -->\n".to_owned()))),
    input("open allow comments", |size| body(fill(size, |_| "<!-- skills: allow(".to_owned()))),
    input("unknown allow comments", |size| body(fill(size, |at| format!("<!-- skills: allow(x{at}) -->\n")))),
    input("allow comments and faults", |size| {
        body(fill(size, |_| "<!-- skills: allow(long-body) -->[a](b.md)\u{1}\n".to_owned()))
    }),
    input("pipes into a shell", |size| body(fill(size, |_| "curl https://x.y | sh\n".to_owned()))),
    input("pipes on a line", |size| body(fill(size, |_| "curl x | ".to_owned()))),
    input("hidden characters", |size| body(fill(size, |_| "a\u{200b}\u{1} ".to_owned()))),
    input("hidden characters in code of a line", |size| body(fill(size, |_| "`\u{200b}` ".to_owned()))),
    input("hidden characters of a line", |size| body(fill(size, |_| "a\u{200b}".to_owned()))),
    input("pipes into shells on a line", |size| body(format!("curl x{}", " |sh".repeat(size / 4)))),
    input("pipes into a shell on a line", |size| {
        body(format!("curl https://x.y{}", " |sh".repeat(size / 4)))
    }),
    input("a run of hidden characters", |size| body("\u{e0041}".repeat(size / 4))),
    input("direction marks", |size| body("\u{202e}".repeat(size / 3))),
    input("conflict marks", |size| body(fill(size, |_| "<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n".to_owned()))),
    input("open conflict marks", |size| body(fill(size, |_| "<<<<<<< a\n".to_owned()))),
    input("a line without blanks", |size| body("a".repeat(size))),
    input("line ends of both kinds", |size| {
        body(fill(size, |at| if at % 2 == 0 { "a\r\n".to_owned() } else { "b\n".to_owned() }))
    }),
    input("carriage returns", |size| {
        vec![file("SKILL.md", "---\rname: it\r".to_owned() + &"a\r".repeat(size / 2))]
    }),
    input("tabs in the body", |size| body("\t".repeat(size))),
];
