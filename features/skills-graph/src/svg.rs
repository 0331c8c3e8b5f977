//! Writes a graph as SVG.

use skills_registry::Backend;
use skills_text::entity;

use super::drawing::{Arrow, Drawing, Line, Shape};
use super::pack::layout;
use super::{Graph, GraphNode, NodeKind};

/// The approximate width of a character in a sans-serif font, and the height of a line.
const TITLE: f32 = 9.2;
const SMALL: f32 = 6.4;
const LINE: f32 = 16.0;

/// Returns the colour of a box on a light and on a dark page.
pub(super) fn colour(kind: NodeKind) -> (&'static str, &'static str) {
    match kind {
        NodeKind::Run(Backend::Host) => ("#ddf4ff", "#0c2d6b"),
        NodeKind::Run(Backend::Program) => ("#fff8c5", "#4b2900"),
        NodeKind::Run(Backend::Model) => ("#fbefff", "#3c1e70"),
        NodeKind::Run(Backend::Pipeline) => ("#dafbe1", "#033a16"),
        NodeKind::Run(Backend::Mcp) => ("#ffeff7", "#611347"),
        NodeKind::Text => ("#f6f8fa", "#262c36"),
        NodeKind::End => ("#ffffff", "#0d1117"),
    }
}

/// Lays out a graph.
pub(super) fn draw(graph: &Graph) -> Drawing {
    let sizes: Vec<(f32, f32)> = graph.nodes.iter().map(size).collect();
    let ends: Vec<(usize, usize)> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let drawn = layout(&sizes, &ends);
    Drawing {
        title: graph.title.clone(),
        width: drawn.width.max(120.0),
        height: drawn.height.max(60.0),
        style: style(),
        arrows: graph
            .edges
            .iter()
            .enumerate()
            .map(|(at, edge)| Arrow {
                path: curve(
                    &drawn.routes[at],
                    [edge.from, edge.to].map(|end| (drawn.boxes[end].1, sizes[end].1)),
                ),
                certain: edge.certain,
            })
            .collect(),
        boxes: (graph.nodes.iter().zip(&drawn.boxes).zip(&sizes))
            .map(|((node, place), size)| draw_shape(node, *place, *size))
            .collect(),
    }
}

fn draw_shape(node: &GraphNode, (x, y): (f32, f32), (width, height): (f32, f32)) -> Shape {
    let top = y - height / 2.0;
    Shape {
        id: node.id.clone(),
        skill: node.skill.clone(),
        kind: node.kind.as_str(),
        x: x - width / 2.0,
        y: top,
        width,
        height,
        radius: if node.kind == NodeKind::End { height / 2.0 } else { 6.0 },
        lines: lines(node)
            .enumerate()
            .map(|(at, (text, class))| Line {
                text: text.to_owned(),
                class,
                x,
                y: top + 8.0 + LINE * (at as f32 + 0.75),
            })
            .collect(),
    }
}

pub(super) fn write(drawing: &Drawing) -> String {
    let Drawing { title, width, height, style, .. } = drawing;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"{}\">\n<style>\n{style}</style>\n",
        text(title),
    );
    out.push_str(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path class=\"tip\" d=\"M0 0 8 4 0 8z\"/></marker></defs>\n",
    );
    for Arrow { path, certain } in &drawing.arrows {
        let class = if *certain { "edge" } else { "edge maybe" };
        out.push_str(&format!("<path class=\"{class}\" d=\"{path}\"/>\n"));
    }
    for Shape { id, kind, x, y, width, height, radius, lines, .. } in &drawing.boxes {
        out.push_str(&format!(
            "<g class=\"node {kind}\" data-node=\"{}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" rx=\"{radius:.0}\"/>",
            text(id),
        ));
        for Line { text: words, class, x, y } in lines {
            out.push_str(&format!(
                "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                text(words)
            ));
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn lines(node: &GraphNode) -> impl Iterator<Item = (&str, &'static str)> {
    std::iter::once((node.title.as_str(), "title"))
        .chain(node.lines.iter().map(|line| (line.as_str(), "small")))
}

fn size(node: &GraphNode) -> (f32, f32) {
    let width = lines(node).map(|(line, class)| columns(line) * if class == "title" { TITLE } else { SMALL });
    (width.fold(48.0, f32::max) + 20.0, LINE * (node.lines.len() as f32 + 1.0) + 14.0)
}

/// Returns the width of a text in characters. East Asian characters count twice.
fn columns(text: &str) -> f32 {
    text.chars().map(|character| if character >= '\u{1100}' { 1.9 } else { 1.0 }).sum()
}

/// Returns a curve through the points, which leaves and enters the boxes at their edges.
fn curve(route: &[(f32, f32)], ends: [(f32, f32); 2]) -> String {
    let mut points = route.to_vec();
    if let Some(first) = points.first_mut() {
        first.1 += half_height(first.1, &ends);
    }
    if let Some(last) = points.last_mut() {
        last.1 -= half_height(last.1, &ends) + 1.0;
    }
    // The highest box of a row begins where its row does. Without this, the curve would end in an upward direction,
    // and its tip would point up.
    if let [.., before, last] = points.as_mut_slice() {
        before.1 = before.1.min(last.1);
    }
    points.dedup();
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

/// An arrow that closes a cycle is drawn from its upper box, too.
fn half_height(y: f32, ends: &[(f32, f32); 2]) -> f32 {
    ends.iter().find(|(centre, _)| (centre - y).abs() < 0.1).map_or(0.0, |(_, height)| height / 2.0)
}

/// Returns CSS with light and dark colours that applies only within the picture.
fn style() -> String {
    let mut out = ".graph text{font-family:system-ui,sans-serif;text-anchor:middle;fill:#1f2328}\
                   .graph .title{font-size:14px;font-weight:600}.graph .small{font-size:11px;fill:#57606a}\
                   .graph .node rect{stroke:#8c959f}\
                   .graph .edge{fill:none;stroke:#6e7781;stroke-width:1.4;marker-end:url(#tip)}\
                   .graph .maybe{stroke-dasharray:5 4}.graph .tip{fill:#6e7781}\n"
        .to_owned();
    out.push_str(&fill_rules(|colours| colours.0));
    out.push_str(&format!(
        "\n@media (prefers-color-scheme: dark){{.graph text{{fill:#e6edf3}}.graph .small{{fill:#c9d1d9}}\
         .graph .node rect{{stroke:#57606a}}{}}}\n",
        fill_rules(|colours| colours.1)
    ));
    out
}

fn fill_rules(pick: fn((&'static str, &'static str)) -> &'static str) -> String {
    NodeKind::ALL
        .iter()
        .map(|kind| format!(".graph .{} rect{{fill:{}}}", kind.as_str(), pick(colour(*kind))))
        .collect()
}

/// Escapes a text for XML. Characters that XML does not allow are replaced with spaces.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match entity(character) {
            Some(entity) => out.push_str(entity),
            None if character.is_control() => out.push(' '),
            None => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::curve;

    // SPEC 16.4: the tip of an arrow points down, also at the highest box of a row
    #[test]
    fn a_curve_ends_downwards_above_its_box() {
        let route = [(10.0, 20.0), (10.0, 30.0), (50.0, 60.0), (50.0, 75.0)];
        assert_eq!(curve(&route, [(20.0, 20.0), (75.0, 30.0)]), "M10.0 30.0C10.0 44.5 50.0 44.5 50.0 59.0");
        let lower = "M10.0 30.0C10.0 45.0 50.0 45.0 50.0 60.0C50.0 61.5 50.0 61.5 50.0 63.0";
        assert_eq!(curve(&route, [(20.0, 20.0), (75.0, 22.0)]), lower);
    }
}
