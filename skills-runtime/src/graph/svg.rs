//! A graph as SVG.

use super::layout::layout;
use super::{Graph, Kind, Node};

/// Widths of a character, near enough for a sans-serif font, and of a line.
const TITLE: f32 = 8.2;
const SMALL: f32 = 6.4;
const LINE: f32 = 16.0;

/// The colour of a box on a light and on a dark page.
pub(super) fn colour(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Host => ("#ddf4ff", "#0c2d6b"),
        Kind::Program => ("#fff8c5", "#4b2900"),
        Kind::Model => ("#fbefff", "#3c1e70"),
        Kind::Pipeline => ("#dafbe1", "#033a16"),
        Kind::Text => ("#f6f8fa", "#262c36"),
        Kind::End => ("#ffffff", "#0d1117"),
    }
}

pub(super) fn write(graph: &Graph) -> String {
    let sizes: Vec<(f32, f32)> = graph.nodes.iter().map(size).collect();
    let ends: Vec<(usize, usize)> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let drawn = layout(&sizes, &ends);
    let (width, height) = (drawn.width.max(120.0), drawn.height.max(60.0));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"{}\">\n<style>\n{}</style>\n",
        text(&graph.title),
        style()
    );
    out.push_str(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path class=\"tip\" d=\"M0 0 8 4 0 8z\"/></marker></defs>\n",
    );
    for ((edge, route), (from, to)) in graph.edges.iter().zip(&drawn.routes).zip(&ends) {
        let class = if edge.certain { "edge" } else { "edge maybe" };
        out.push_str(&format!(
            "<path class=\"{class}\" d=\"{}\"/>\n",
            curve(route, sizes[*from].1, sizes[*to].1)
        ));
    }
    for ((node, (x, y)), (width, height)) in graph.nodes.iter().zip(&drawn.boxes).zip(&sizes) {
        let radius = if node.kind == Kind::End { height / 2.0 } else { 6.0 };
        out.push_str(&format!(
            "<g class=\"node {}\" data-node=\"{}\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" rx=\"{radius:.0}\"/>",
            node.kind.word(),
            text(&node.id),
            x - width / 2.0,
            y - height / 2.0
        ));
        let top = y - height / 2.0 + 8.0;
        for (at, (line, class)) in lines(node).enumerate() {
            let y = top + LINE * (at as f32 + 0.75);
            out.push_str(&format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", text(line)));
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn lines(node: &Node) -> impl Iterator<Item = (&str, &'static str)> {
    std::iter::once((node.title.as_str(), "title"))
        .chain(node.lines.iter().map(|line| (line.as_str(), "small")))
}

fn size(node: &Node) -> (f32, f32) {
    let width = lines(node).map(|(line, class)| columns(line) * if class == "title" { TITLE } else { SMALL });
    (width.fold(48.0, f32::max) + 20.0, LINE * (node.lines.len() as f32 + 1.0) + 14.0)
}

/// How wide a text is, in characters; those of East Asian scripts count twice.
fn columns(text: &str) -> f32 {
    text.chars().map(|character| if character >= '\u{1100}' { 1.9 } else { 1.0 }).sum()
}

/// A line through the points, which leaves and enters the boxes at their edges.
fn curve(route: &[(f32, f32)], top: f32, bottom: f32) -> String {
    let mut points = route.to_vec();
    if let Some(first) = points.first_mut() {
        first.1 += top / 2.0;
    }
    if let Some(last) = points.last_mut() {
        last.1 -= bottom / 2.0 + 1.0;
    }
    let mut out = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let Some((before_x, before_y)) = at.checked_sub(1).and_then(|at| points.get(at)) else {
            out.push_str(&format!("M{x:.1} {y:.1}"));
            continue;
        };
        let middle = (before_y + y) / 2.0;
        out.push_str(&format!("C{before_x:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {y:.1}"));
    }
    out
}

/// Its own colours, light or dark as the page is.
fn style() -> String {
    let mut out = "text{font-family:system-ui,sans-serif;text-anchor:middle;fill:#1f2328}\
                   .title{font-size:14px;font-weight:600}.small{font-size:11px;fill:#57606a}\
                   .node rect{stroke:#8c959f}.edge{fill:none;stroke:#6e7781;stroke-width:1.4;marker-end:url(#tip)}\
                   .maybe{stroke-dasharray:5 4}.tip{fill:#6e7781}\n"
        .to_owned();
    let fill = |pick: fn((&'static str, &'static str)) -> &'static str| -> String {
        Kind::ALL
            .iter()
            .map(|kind| format!(".{} rect{{fill:{}}}", kind.word(), pick(colour(*kind))))
            .collect()
    };
    out.push_str(&fill(|colours| colours.0));
    out.push_str(&format!(
        "\n@media (prefers-color-scheme: dark){{text{{fill:#e6edf3}}.small{{fill:#9198a1}}.node rect{{stroke:#57606a}}{}}}\n",
        fill(|colours| colours.1)
    ));
    out
}

/// A text as XML has it; what no XML may hold is a blank.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out
}
