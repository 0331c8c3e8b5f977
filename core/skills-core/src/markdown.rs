//! Reads the structure of a Markdown text: its code, links and headings. Used for descriptions, links, conflicts,
//! commands and outlines.
//!
//! The crate pulldown-cmark decides what each part of a text is (CommonMark, with tables, footnotes, attributes of
//! headings and a frontmatter). This module keeps the places, because diagnostics need them. It also summarizes a body in
//! one line, as the replacement for a missing description.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

/// The structure of a text. All places are offsets in that text, in ascending order.
#[derive(Debug, Default)]
pub struct Markdown {
    /// The blocks of code.
    pub blocks: Vec<CodeBlock>,
    /// The inline code, with its backquotes.
    pub inline_code: Vec<Range<usize>>,
    /// The links and images with a written target, and the definitions of references. If a block of code was ended too
    /// early by a block in it, the links in its rest are left out.
    pub links: Vec<Link>,
    /// The headings.
    pub headings: Vec<Heading>,
    /// The first paragraph that is neither in a list nor in a quote.
    pub first_paragraph: Option<Range<usize>>,
    /// The places of all links, also of links without a written target. A link within a link is left out.
    linked: Vec<Range<usize>>,
    /// The comments, from `<!--` to `-->`.
    comments: Vec<Range<usize>>,
    /// The cells of tables in columns headed `Example`.
    example_cells: Vec<Range<usize>>,
    /// The line that should close a block of code.
    stray_fence: Option<StrayFence>,
    /// The text that would be code if no block ended in another one.
    spilled: Vec<Range<usize>>,
    /// The ids and names of elements, and the targets of permalinks.
    ids: Vec<String>,
    /// The blocks of HTML that are no comments.
    html_blocks: Vec<Range<usize>>,
}

/// A line in a block of code or of HTML that has the form of a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HiddenHeading {
    /// The opening line of the block.
    pub(crate) opening: Range<usize>,
    pub(crate) is_html: bool,
}

/// A line that should close a block of code, but opens one: the text has one such line too much, or the block that it
/// should close was ended before by a block in it.
#[derive(Debug)]
pub(crate) struct StrayFence {
    /// Where it begins.
    pub(crate) start: usize,
    /// The block that should go on up to this line: it contains a line that opens a block.
    pub(crate) outer: Option<Range<usize>>,
}

/// A block of code.
#[derive(Debug)]
pub struct CodeBlock {
    /// Where its fence begins, or its first line if it is indented.
    pub start: usize,
    /// Where the line after it begins.
    pub end: usize,
    /// The text of the opening line after the fence, such as `json input`.
    pub info: String,
    /// The lines between the fences.
    pub content: Range<usize>,
    /// Whether it has no fence but is indented.
    pub is_indented: bool,
    /// Whether a line with a fence closes it.
    pub is_closed: bool,
    /// Whether it is in a quote, so that its lines begin with `>`.
    pub is_quoted: bool,
}

impl CodeBlock {
    /// Returns `true` if the opening line names a shell language.
    pub(crate) fn is_shell(&self) -> bool {
        let word = self.info.trim_start().split([' ', ',', '{']).next().unwrap_or_default();
        let shells = ["bash", "sh", "shell", "zsh", "fish", "console", "terminal", "powershell", "cmd"];
        shells.iter().any(|shell| word.eq_ignore_ascii_case(shell))
    }

    /// Returns `true` if the opening line is a fence and nothing else.
    fn is_bare(&self) -> bool {
        !self.is_indented && !self.is_quoted && self.info.is_empty()
    }

    /// Returns `true` if the opening line is below a line of text and above an empty line, or at the end of the text.
    fn looks_like_end(&self, text: &str) -> bool {
        let above = text[..self.start].trim_end_matches([' ', '\t']);
        let above = above.strip_suffix('\n').unwrap_or(above).lines().next_back().unwrap_or_default();
        let content = text.get(self.content.clone()).unwrap_or_default();
        let is_before_blank = content.lines().next().is_none_or(|line| line.trim().is_empty());
        let is_below_text = !above.trim().is_empty() && !above.trim_end().ends_with(':');
        is_before_blank && (is_below_text || content.trim().is_empty())
    }

    /// Returns `true` if a line in the block opens or closes another one: a fence with the name of a language, or the last
    /// line if it is indented further than the first.
    fn has_fence(&self, text: &str) -> bool {
        let fence = text.get(self.start..).and_then(|text| text.get(..3)).unwrap_or_default();
        let mut lines = text.get(self.content.clone()).unwrap_or_default().lines();
        let last = text.get(self.content.end..self.end).unwrap_or_default();
        let column = self.start - text[..self.start].rfind('\n').map_or(0, |feed| feed + 1);
        let is_indented_further = self.is_closed && last.len() - last.trim_start_matches(' ').len() > column;
        !self.is_indented && (is_indented_further || lines.any(|line| line.trim_start().starts_with(fence)))
    }
}

/// A link, an image or the definition of a reference.
#[derive(Debug)]
pub struct Link {
    /// Where it begins.
    pub start: usize,
    /// The target as written.
    pub target: Range<usize>,
    /// The target without escapes.
    pub path: String,
}

/// A heading.
#[derive(Debug)]
pub struct Heading {
    /// Its place, without the line feed.
    pub place: Range<usize>,
    /// 1 to 6.
    pub level: usize,
    /// Its text without marks.
    pub title: String,
    /// The id that its attributes set.
    id: Option<String>,
}

impl Markdown {
    /// Reads a text.
    ///
    /// ```
    /// let text = "# A `b`\n\n~~~json\n1\n~~~\n\nSee [c](c.md \"C\").\n";
    /// let markdown = skills_core::markdown::Markdown::parse(text);
    /// assert_eq!(markdown.headings[0].title, "A b");
    /// assert_eq!(markdown.blocks[0].info, "json");
    /// assert_eq!(&text[markdown.links[0].target.clone()], "c.md");
    /// ```
    pub fn parse(text: &str) -> Self {
        Self::parse_nested(text, MAX_STRAY)
    }

    /// Reads a text, and again what follows the line that should close a block, at most `depth` times.
    fn parse_nested(text: &str, depth: usize) -> Self {
        skills_text::work::count(text.len());
        let base = frontmatter_end(text);
        let parser = Parser::new_ext(&text[base..], OPTIONS);
        let mut found = Self::default();
        for (_, definition) in parser.reference_definitions().iter() {
            let span = base + definition.span.start..base + definition.span.end;
            let label = text.get(span.clone()).unwrap_or_default();
            let behind = label.find("]:").map(|at| span.start + at + 2);
            if let Some(target) = behind.and_then(|at| written_target(text, at, span.end)) {
                found.links.push(Link { start: span.start, target, path: definition.dest.to_string() });
            }
        }
        let mut reader = Reader { text, found, ..Reader::default() };
        for (event, place) in parser.into_offset_iter() {
            reader.read(event, base + place.start..base + place.end);
        }
        let mut found = reader.found;
        skills_text::sort(&mut found.links, &|a, b| a.start.cmp(&b.start));
        found.stray_fence = found.find_stray_fence(text);
        found.spilled = found.find_spilled(text, depth);
        let Self { links, spilled, .. } = &mut found;
        links.retain(|link| !contains(spilled, link.start));
        found
    }

    /// Finds the text that would be code if the block that ended too early went on up to the line that should close it, and
    /// the text behind this line were read without what is before.
    fn find_spilled(&self, text: &str, depth: usize) -> Vec<Range<usize>> {
        let Some(StrayFence { start, outer: Some(outer) }) = &self.stray_fence else { return Vec::new() };
        let from = line_end(text, *start);
        let rest = text.get(from..).filter(|_| depth > 0).unwrap_or_default();
        let rest = Self::parse_nested(rest, depth.saturating_sub(1));
        let blocks = rest.blocks.iter().filter(|block| !contains(&rest.spilled, block.start));
        let blocks = blocks.map(|block| block.start..block.end).chain(rest.spilled.iter().cloned());
        let blocks = blocks.map(|place| place.start + from..place.end + from);
        let blocks = blocks.filter(|place| self.block_at(place.start).is_none());
        let mut found: Vec<_> = std::iter::once(outer.end..*start).chain(blocks).collect();
        skills_text::sort(&mut found, &|a, b| a.start.cmp(&b.start));
        found
    }

    /// Returns the block of code that no line closes, so that the rest of the text is code. In a list or a quote, the end
    /// of the list or the quote closes a block.
    pub(crate) fn open_block(&self, text: &str) -> Option<&CodeBlock> {
        self.blocks.last().filter(|block| !block.is_closed && block.end == text.len() && !block.is_quoted)
    }

    /// Returns the line that should close a block of code, but opens one.
    pub(crate) fn stray_fence(&self) -> Option<&StrayFence> {
        self.stray_fence.as_ref()
    }

    /// Returns `true` if a block of code with the form of a heading is one that another line should close, or that such a
    /// line opens.
    pub(crate) fn is_too_long(&self, text: &str, hidden: &HiddenHeading) -> bool {
        let open = self.open_block(text).map(|block| block.start);
        let first = self.stray_fence.as_ref().map(|stray| stray.start).or(open);
        !hidden.is_html && first.is_some_and(|first| hidden.opening.start >= first)
    }

    /// Finds the first line that looks like the end of a block: a bare fence below a line of text and above an empty line,
    /// or at the end of the text. Without one, it is the last bare fence if a block above it contains another one. If each
    /// block is closed, both the block that this line opens and the one above must contain a fence.
    fn find_stray_fence(&self, text: &str) -> Option<StrayFence> {
        let open = self.open_block(text);
        let found = self.blocks.iter().find(|block| {
            block.is_bare() && block.looks_like_end(text) && (open.is_some() || block.has_fence(text))
        });
        let start = found.or(open.filter(|open| open.is_bare()))?.start;
        let before = self.blocks.partition_point(|block| block.start < start);
        let outer = self.blocks[..before].iter().rfind(|block| block.has_fence(text));
        let outer = outer.map(|outer| outer.start..outer.end);
        (found.is_some() && open.is_some() || outer.is_some()).then_some(StrayFence { start, outer })
    }

    /// Returns the block of code that contains a place.
    pub fn block_at(&self, at: usize) -> Option<&CodeBlock> {
        let after = self.blocks.partition_point(|block| block.end <= at);
        self.blocks.get(after).filter(|block| block.start <= at)
    }

    /// Returns `true` if a place is in code.
    pub fn is_code(&self, at: usize) -> bool {
        self.block_at(at).is_some() || contains(&self.inline_code, at)
    }

    /// Returns `true` if a place is in an example: a cell of a column headed `Example`, or the rest of a block of code
    /// that a block in it has ended before.
    pub(crate) fn is_example(&self, at: usize) -> bool {
        contains(&self.example_cells, at) || contains(&self.spilled, at)
    }

    /// Returns `true` if a place is in a comment.
    pub(crate) fn is_comment(&self, at: usize) -> bool {
        contains(&self.comments, at)
    }

    /// Returns `true` if a place is in a link or an image.
    pub(crate) fn is_linked(&self, at: usize) -> bool {
        contains(&self.linked, at)
    }

    /// Returns the names by which a link may name a place of the text: its headings, as GitHub names them, and the
    /// ids of elements.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for heading in &self.headings {
            let slug = slug(&heading.title);
            let again = found.iter().filter(|known| **known == slug).count();
            if again > 0 {
                found.push(format!("{slug}-{again}"));
            }
            // Equal headings stay in the list, because the next one gets the next number.
            found.push(slug);
            found.extend(heading.id.clone());
        }
        found.extend(self.ids.iter().cloned());
        found
    }

    /// Returns the lines in blocks of code and of HTML that have the form of a heading, by the name of the heading. Such a
    /// block was often meant to end before the heading.
    pub(crate) fn hidden_headings(&self, text: &str) -> BTreeMap<String, HiddenHeading> {
        let blocks = self.blocks.iter().filter(|block| !block.is_indented);
        let blocks = blocks.map(|block| (block.start, block.content.clone(), false));
        let html = self.html_blocks.iter().map(|place| (place.start, place.clone(), true));
        let mut found = BTreeMap::new();
        for (start, content, is_html) in html.chain(blocks) {
            let opening = text.get(start..).and_then(|text| text.lines().next()).unwrap_or_default();
            let lines = text.get(content).unwrap_or_default().lines();
            for title in lines.filter_map(|line| line.strip_prefix('#')) {
                let hidden = HiddenHeading { opening: start..start + opening.len(), is_html };
                found.entry(slug(title.trim_start_matches('#'))).or_insert(hidden);
            }
        }
        found
    }

    /// Returns `true` if the text has a block that rustdoc takes for Rust: its words include `rust`, or are only words
    /// such as `no_run` and `compile_fail`.
    pub fn has_rust(&self) -> bool {
        self.blocks.iter().any(|block| {
            let mut words = block.info.split([',', ' ', '\t']).filter(|word| !word.is_empty()).peekable();
            words.peek().is_some()
                && (block.info.split([',', ' ']).any(|word| word.trim() == "rust")
                    || words.all(is_word_of_rustdoc))
        })
    }
}

/// The largest number of lines of a text that should close a block.
const MAX_STRAY: usize = 8;

const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_FOOTNOTES).union(Options::ENABLE_HEADING_ATTRIBUTES);

/// Returns the length of the frontmatter at the start of a text. pulldown-cmark would also take every line `---` above a
/// line of text for the start of one, and skip the headings and links up to the next such line.
fn frontmatter_end(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else { return 0 };
    if rest.lines().next().is_none_or(|line| line.trim().is_empty()) {
        return 0;
    }
    let mut at = text.len() - rest.len();
    for line in rest.split_inclusive('\n') {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return at;
        }
    }
    0
}

fn is_word_of_rustdoc(word: &str) -> bool {
    matches!(word, "should_panic" | "no_run" | "compile_fail" | "test_harness" | "standalone_crate")
        || word.starts_with("ignore")
        || word.starts_with("edition20")
}

/// Returns the name by which GitHub links to a heading.
pub(crate) fn slug(title: &str) -> String {
    let mut dashed = title.trim().to_lowercase().replace(' ', "-");
    dashed.retain(|c| (c.is_alphanumeric() && !is_other_number(c)) || matches!(c, '-' | '_'));
    dashed
}

/// Returns `true` for a number that is neither a digit nor a letter, such as `²`, `½` and `①`. GitHub drops it.
fn is_other_number(c: char) -> bool {
    matches!(
        c,
        '²' | '³' | '¹' | '¼'..='¾' | '⁰'..='⁹' | '₀'..='₉' | '⅐'..='⅟' | '①'..='⒛' | '⓪'..='⓿' | '❶'..='➓'
            | '㈠'..='㈩' | '㉈'..='㉏' | '㉑'..='㉟' | '㊀'..='㊉' | '㊱'..='㊿'
    )
}

fn contains(places: &[Range<usize>], at: usize) -> bool {
    places.get(places.partition_point(|place| place.end <= at)).is_some_and(|place| place.start <= at)
}

/// The state while the events of a text are read.
#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    found: Markdown,
    /// How many lists, quotes and footnotes are open, and how many of them are quotes.
    containers: usize,
    quotes: usize,
    /// The open links and images, each with the end of the last part of its label.
    open: Vec<OpenLink>,
    heading: Option<Heading>,
    /// For each column of the open table, whether it is headed `Example`.
    columns: Vec<bool>,
    /// The number of the next cell in its row, and whether the row is the head.
    column: usize,
    is_head: bool,
}

struct OpenLink {
    label_end: usize,
    path: String,
    is_inline: bool,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>, place: Range<usize>) {
        match event {
            Event::Start(tag) => return self.start(tag, place),
            Event::End(tag) => self.end(tag, &place),
            Event::Text(text) => self.title(&text),
            Event::Code(code) => {
                self.title(&code);
                self.found.inline_code.push(place.clone());
            }
            Event::SoftBreak | Event::HardBreak => self.title(" "),
            Event::Html(_) | Event::InlineHtml(_) => self.html(&place),
            _ => {}
        }
        if let Some(open) = self.open.last_mut() {
            open.label_end = open.label_end.max(place.end);
        }
    }

    fn start(&mut self, tag: Tag<'_>, place: Range<usize>) {
        match tag {
            Tag::BlockQuote(_) => {
                self.containers += 1;
                self.quotes += 1;
            }
            Tag::List(_) | Tag::FootnoteDefinition(_) => self.containers += 1,
            Tag::Paragraph if self.containers == 0 => {
                self.found.first_paragraph.get_or_insert(place);
            }
            Tag::CodeBlock(kind) => self.block(kind, place),
            // A comment may have several lines, each of which is an event of its own.
            Tag::HtmlBlock if is_comment(self.text, &place) => self.found.comments.push(place),
            Tag::HtmlBlock => self.found.html_blocks.push(place),
            Tag::TableHead => (self.columns, self.column, self.is_head) = (Vec::new(), 0, true),
            Tag::TableRow => (self.column, self.is_head) = (0, false),
            Tag::Heading { level, id, .. } => {
                let end = place.start + self.text.get(place.clone()).unwrap_or_default().trim_end().len();
                self.heading = Some(Heading {
                    place: place.start..end,
                    level: level as usize,
                    title: String::new(),
                    id: id.map(|id| id.to_string()),
                });
            }
            Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. } => {
                if self.open.is_empty() {
                    self.found.linked.push(place.clone());
                }
                self.open.push(OpenLink {
                    label_end: place.start + 1,
                    path: dest_url.to_string(),
                    is_inline: link_type == LinkType::Inline,
                });
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, place: &Range<usize>) {
        match tag {
            TagEnd::BlockQuote(_) => {
                self.containers -= 1;
                self.quotes -= 1;
            }
            TagEnd::List(_) | TagEnd::FootnoteDefinition => self.containers -= 1,
            TagEnd::TableCell => self.cell(place),
            TagEnd::Heading(_) => self.found.headings.extend(self.heading.take()),
            TagEnd::Link | TagEnd::Image => {
                let Some(open) = self.open.pop().filter(|open| open.is_inline) else { return };
                let rest = self.text.get(open.label_end..place.end).unwrap_or_default();
                let behind = rest.find("](").map(|at| open.label_end + at + 2);
                if let Some(target) = behind.and_then(|at| written_target(self.text, at, place.end)) {
                    if let Some(id) = open.path.strip_prefix('#')
                        && (self.heading.is_some() || is_permalink(self.text, place, id))
                    {
                        self.found.ids.push(id.to_owned());
                    }
                    self.found.links.push(Link { start: place.start, target, path: open.path });
                }
            }
            _ => {}
        }
    }

    fn cell(&mut self, place: &Range<usize>) {
        const EXAMPLE: [&str; 5] = ["example", "beispiel", "ejemplo", "exemple", "exemplo"];
        if self.is_head {
            let title = self.text.get(place.clone()).unwrap_or_default().to_lowercase();
            self.columns.push(EXAMPLE.iter().any(|word| title.contains(word)));
        } else if self.columns.get(self.column) == Some(&true) {
            self.found.example_cells.push(place.clone());
        }
        self.column += 1;
    }

    fn title(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.title.push_str(text);
        }
    }

    fn html(&mut self, place: &Range<usize>) {
        let html = self.text.get(place.clone()).unwrap_or_default();
        if html.starts_with("<!--") && !contains(&self.found.comments, place.start) {
            self.found.comments.push(place.clone());
        }
        for mark in ["id=", "name="] {
            for (at, _) in html.match_indices(mark) {
                let value = html[at + mark.len()..].trim_start_matches(['"', '\'']);
                let id = value.split(['"', '\'', '>', ' ', '\n']).next().unwrap_or_default();
                self.found.ids.push(id.to_owned());
            }
        }
    }

    fn block(&mut self, kind: CodeBlockKind<'_>, place: Range<usize>) {
        let text = self.text;
        let end = line_end(text, place.end.saturating_sub(1).max(place.start));
        let is_quoted = self.quotes > 0;
        let CodeBlockKind::Fenced(info) = kind else {
            let start = text[..place.start].rfind('\n').map_or(0, |feed| feed + 1);
            let content = start..end;
            let info = String::new();
            let block =
                CodeBlock { start, end, info, content, is_indented: true, is_closed: true, is_quoted };
            self.found.blocks.push(block);
            return;
        };
        let from = line_end(text, place.start).min(end);
        let fence = text.get(place.start..from).unwrap_or_default();
        let mark = fence.chars().next().unwrap_or('`');
        let run = fence.len() - fence.trim_start_matches(mark).len();
        let content = text.get(from..end).unwrap_or_default();
        let last = content.trim_end_matches(['\n', '\r']).rfind('\n').map_or(0, |feed| feed + 1);
        let line = content.get(last..).unwrap_or_default().trim_start_matches([' ', '\t', '>']).trim_end();
        let is_closed = line.len() >= run && !line.is_empty() && line.trim_start_matches(mark).is_empty();
        let until = if is_closed { from + last } else { end };
        self.found.blocks.push(CodeBlock {
            start: place.start,
            end,
            info: info.to_string(),
            content: from..until,
            is_indented: false,
            is_closed,
            is_quoted,
        });
    }
}

fn is_comment(text: &str, place: &Range<usize>) -> bool {
    text.get(place.clone()).is_some_and(|html| html.trim_start().starts_with("<!--"))
}

/// Returns `true` if a link to `#ID` gives its own place this name, as generators of web sites write it: its text has no
/// letters, as in `[#](#setup)`, or it is a paragraph with the title of a box, as in `[Old files](#old-files)`.
fn is_permalink(text: &str, place: &Range<usize>, id: &str) -> bool {
    let link = text.get(place.clone()).unwrap_or_default();
    let label = link.split_once("](").map_or("", |(label, _)| label);
    let (before, behind) = (&text[..place.start], text[place.end..].trim_end_matches('\n'));
    let is_paragraph = (before.is_empty() || before.ends_with("\n\n"))
        && (behind.is_empty() || text[place.end..].starts_with("\n\n"));
    !label.contains(char::is_alphanumeric) || is_paragraph && slug(label) == id
}

/// Returns where the line after a place begins.
fn line_end(text: &str, at: usize) -> usize {
    let feed = text.as_bytes().get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\n'));
    feed.map_or(text.len(), |feed| at + feed + 1)
}

/// Returns the place of the target that begins at or after a place: `a.md`, or without its brackets `<a b.md>`
/// (CommonMark, 6.3). pulldown-cmark, which does not tell this place, has found a link here.
fn written_target(text: &str, at: usize, end: usize) -> Option<Range<usize>> {
    let rest = text.get(at..end)?;
    let start = at + rest.len() - rest.trim_start().len();
    let rest = text.get(start..end)?;
    let (start, is_pointed) = if rest.starts_with('<') { (start + 1, true) } else { (start, false) };
    let (mut depth, mut is_escaped) = (0_usize, false);
    for (offset, c) in text.get(start..end)?.char_indices() {
        let is_end = match c {
            _ if is_escaped => false,
            '>' => is_pointed,
            ')' => !is_pointed && depth == 0,
            _ => !is_pointed && c.is_ascii_whitespace(),
        };
        if is_end {
            return Some(start..start + offset);
        }
        match c {
            '(' if !is_escaped => depth += 1,
            ')' if !is_escaped => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    Some(start..end)
}

/// Returns the replacement for a description: the [`first_line`] of a body, cut to 200 characters; without
/// one its [`heading`]; otherwise an empty text.
///
/// ```
/// use skills_core::markdown::describe;
/// assert_eq!(describe("# PDF\n\n- a list\n\nReads PDF files.\n"), "Reads PDF files.");
/// assert_eq!(describe("# PDF\n"), "PDF");
/// ```
pub fn describe(body: &str) -> String {
    match first_line(body) {
        Some(line) => shorten(line),
        None => heading(body).unwrap_or_default(),
    }
}

/// Returns the first line of running text: of the first paragraph that is neither in a list nor in a quote.
pub fn first_line(body: &str) -> Option<&str> {
    let paragraph = Markdown::parse(body).first_paragraph?;
    body.get(paragraph)?.lines().map(str::trim).find(|line| !line.is_empty())
}

/// Returns the text of the first heading of level 1.
pub fn heading(body: &str) -> Option<String> {
    let headings = Markdown::parse(body).headings;
    headings.into_iter().find(|heading| heading.level == 1).map(|heading| heading.title.trim().to_owned())
}

const LONGEST: usize = 200;
const DOTS: &str = "...";

fn shorten(line: &str) -> String {
    if line.chars().nth(LONGEST).is_none() {
        return line.to_owned();
    }
    line.chars().take(LONGEST - DOTS.len()).chain(DOTS.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Markdown, *};

    fn targets(text: &str) -> Vec<&str> {
        Markdown::parse(text).links.iter().map(|link| &text[link.target.clone()]).collect()
    }

    // SPEC 2.11
    #[test]
    fn links_are_those_of_commonmark() {
        for (text, wanted) in [
            ("[a](a.md) ![b](img/b.png \"t\") [c](<c d.md>)", vec!["a.md", "img/b.png", "c d.md"]),
            ("[a][b] [b]\n\n[b]: b.md 'B'", vec!["b.md"]),
            ("[a]\n\n[a]:\n  <a b.md>\n  \"t\"", vec!["a b.md"]),
            ("[![a](b.png)](c.md)", vec!["c.md", "b.png"]),
            ("[a `]` b](c.md) and [`x`](x(1).md)", vec!["c.md", "x(1).md"]),
            ("[a\nb](\nc.md\n)", vec!["c.md"]),
            ("| [x](x.md) | `\\|` [y](y.md) |\n|-|-|\n| [z](z.md) | b |", vec!["x.md", "y.md", "z.md"]),
            ("- # [x](x.md)\n  > [y](y.md)", vec!["x.md", "y.md"]),
            ("[a\\](b.md)", vec![]),
            ("\\[c](d.md) [e](f.md", vec![]),
            ("[a](b c.md) [d] (e.md) [^1]\n\n[^1]: note.md", vec![]),
            (
                "`[q](q.md)` ``[`](r.md)``\n\n    [h](h.md)\n\n<!-- [i](i.md) -->\n\n<!--\n[j](j.md)\n-->",
                vec![],
            ),
            ("```\n[a](a.md)\n```\n~~~~md\n```\n[b](b.md)\n~~~\n~~~~", vec![]),
            ("---\na: \"[b](c.md)\"\n---\n[d](d.md)\n\n---\n[e](e.md)\n\n---\nf", vec!["d.md", "e.md"]),
            ("---\r\na: b\r\n---\r\n[d][e]\r\n\r\n[e]: e.md", vec!["e.md"]),
        ] {
            assert_eq!(targets(text), wanted, "{text}");
        }
        let escaped = Markdown::parse("[a](b\\_c&amp;d.md)");
        assert_eq!(escaped.links[0].path, "b_c&d.md");
    }

    // SPEC 2.11
    #[test]
    fn blocks_of_code_are_known() {
        let text = "a\n``` sh\nb\n```\nc\n\n~~~~\n~~~\n```\n~~~~\n```d``` e\n\n- x\n\n  ````\n  ```\n  ````\r\n\n> ```\n> y\n\n    z\n\n~~~ `g`\nh";
        let markdown = Markdown::parse(text);
        let blocks: Vec<&str> = markdown.blocks.iter().map(|block| &text[block.start..block.end]).collect();
        assert_eq!(
            blocks,
            [
                "``` sh\nb\n```\n",
                "~~~~\n~~~\n```\n~~~~\n",
                "````\n  ```\n  ````\r\n",
                "```\n> y\n",
                "    z\n",
                "~~~ `g`\nh"
            ]
        );
        let closed: Vec<bool> = markdown.blocks.iter().map(|block| block.is_closed).collect();
        assert_eq!(closed, [true, true, true, false, true, false]);
        let contents: Vec<&str> = markdown.blocks.iter().map(|block| &text[block.content.clone()]).collect();
        assert_eq!(contents, ["b\n", "~~~\n```\n", "  ```\n", "> y\n", "    z\n", "h"]);
        assert!(markdown.blocks[0].is_shell() && !markdown.blocks[1].is_shell());
        assert!(markdown.block_at(text.find("\nc").unwrap() + 1).is_none());
    }

    // SPEC 2.14
    #[test]
    fn cells_of_examples_are_known() {
        let text =
            "| Path | **Example** |\n|-|-|\n| a.md | `b.md` |\n| c.md | d.md |\n\n| Path |\n|-|\n| e.md |\n";
        let markdown = Markdown::parse(text);
        let is_example = |name: &str| markdown.is_example(text.find(name).unwrap());
        assert!(is_example("b.md") && is_example("d.md"));
        assert!(!is_example("a.md") && !is_example("c.md") && !is_example("e.md"));
    }

    // SPEC 2.18
    #[test]
    fn the_first_line_that_closes_no_block_is_found() {
        let stray = |text: &str| {
            let markdown = Markdown::parse(text);
            let stray = markdown.stray_fence()?;
            Some((
                text[..stray.start].matches('\n').count(),
                stray.outer.as_ref().map(|outer| text[..outer.start].matches('\n').count()),
            ))
        };
        assert_eq!(stray("- a\n```\n\n## B\n\n```\ntree\n```\n\n## C\n\n```\n\nx\n```\n"), Some((1, None)));
        assert_eq!(stray("```md\n```py\nx\n```\n\n[f](f.md)\n```\n\nEnd.\n"), Some((6, Some(0))));
        assert_eq!(stray("```sh\nx\n```\n\nEnd.\n```\n"), Some((5, None)));
        assert_eq!(stray("```\na\n  ```\n  x\n  ```\n\nb\n```\n\nEnd.\n```\n"), Some((4, Some(0))));
        // These blocks only lack their end, or all of them are closed.
        for text in ["Like this:\n```\nx\n", "```sh\nx\n", "a\n```\n\nb\n```\n", "```sh\nx\n```\n\n```\ny\n"]
        {
            assert_eq!(stray(text), None, "{text}");
        }
        let text = "[a](a.md)\n```md\n```py\nx\n```\n\n[f](f.md)\n```\n\nEnd.\n";
        assert_eq!(targets(text), ["a.md"], "the text before the line belongs to the block");
        let text = "```md\n```sh\nx\n```\n\n[f](f.md)\n```\n\n[a](a.md)\n\n".repeat(3);
        assert_eq!(targets(&text), [""; 0], "the text after each template is read anew");
        let text = "```md\n```sh\nx\n```\n\n[f](f.md)\n```\n\n[a](a.md)\n\n```sh\nrun\n```\n";
        assert_eq!((targets(text), stray(text)), (vec![], Some((6, Some(0)))), "[a] is code");
        assert_eq!(stray("a\n```\n\n```sh\nx\n```\n"), None, "no block above it contains a fence");
    }

    // SPEC 23.12: as GitHub's own program does
    #[test]
    fn headings_are_named_as_by_github() {
        for (title, slug) in
            [("2d² Draft it", "2d-draft-it"), ("① 步骤", "-步骤"), ("½ cup", "-cup"), ("H₂O v2", "ho-v2")]
        {
            assert_eq!(super::slug(title), slug);
        }
    }

    // SPEC 23.12
    #[test]
    fn headings_are_those_of_commonmark() {
        let text = "# A `b` [c](d.md)\n\n- ## In a list\n\nSet\n===\n\n## A b c\n\n#no\n\n```\n# code\n```\n\n## D {#own}\n\
            <a id=\"here\"></a> <a name='there'>\n";
        let anchors = Markdown::parse(text).anchors();
        assert_eq!(anchors, ["a-b-c", "in-a-list", "set", "a-b-c-1", "a-b-c", "d", "own", "here", "there"]);
    }

    // SPEC 23.12
    #[test]
    fn permalinks_give_names_and_html_hides_headings() {
        let text = "## Set up [\u{200b}](#set-up)\n\n### [Old files](#removal-old)\n\n| `X` [#](#X) |\n|-|\n\n\
            [Two words](#two-words)\n\nSee [a](#a).\n[b](#b)\n\n<note>\n## In *HTML*\n</note>\n";
        let markdown = Markdown::parse(text);
        let anchors = markdown.anchors();
        for id in ["set-up", "removal-old", "X", "two-words"] {
            assert!(anchors.iter().any(|anchor| anchor == id), "{id}");
        }
        assert!(
            !anchors.iter().any(|anchor| ["a", "b", "in-html"].contains(&anchor.as_str())),
            "{anchors:?}"
        );
        let hidden = markdown.hidden_headings(text);
        assert!(hidden["in-html"].is_html && text[hidden["in-html"].opening.clone()] == *"<note>");
    }

    // SPEC 2.7
    #[test]
    fn the_first_line_of_running_text_is_the_description() {
        let before = "# Title\n\n> a quote\n- item\n* item\n+ item\n1. item\n2) item\n---\n```sh\ncode\n```\n~~~~\n~~~\n~~~~\n";
        assert_eq!(describe(&format!("{before}**Reads** PDF files.\nMore.\n")), "**Reads** PDF files.");
        assert_eq!(describe("#hash is no heading"), "#hash is no heading");
        assert_eq!(describe("-1 is no item"), "-1 is no item");
        assert_eq!(describe("```x``` is no fence"), "```x``` is no fence");
    }

    // SPEC 2.7
    #[test]
    fn without_running_text_the_heading_is_the_description() {
        assert_eq!(describe("## Second\n# First \n- item\n"), "First");
        assert_eq!(describe("```\n# code\n"), "");
        assert_eq!(describe(""), "");
    }

    // SPEC 2.7
    #[test]
    fn a_long_line_is_cut_between_characters() {
        assert_eq!(describe(&"é".repeat(200)), "é".repeat(200));
        assert_eq!(describe(&"é".repeat(201)), format!("{}...", "é".repeat(197)));
    }
}
