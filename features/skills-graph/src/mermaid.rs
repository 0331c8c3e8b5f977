//! Writes a graph as a Mermaid flow chart.

use super::{Graph, NodeKind};

pub(super) fn write(graph: &Graph) -> String {
    let mut out = "flowchart TD\n".to_owned();
    for (at, node) in graph.nodes.iter().enumerate() {
        let lines: Vec<String> = std::iter::once(format!("<b>{}</b>", text(&node.title)))
            .chain(node.lines.iter().map(|line| text(line)))
            .collect();
        let (open, close) = if node.kind == NodeKind::End { ("([", "])") } else { ("[", "]") };
        out.push_str(&format!("    n{at}{open}\"{}\"{close}:::{}\n", lines.join("<br>"), node.kind.as_str()));
    }
    for edge in &graph.edges {
        let arrow = if edge.certain { "-->" } else { "-.->" };
        out.push_str(&format!("    n{} {arrow} n{}\n", edge.from, edge.to));
    }
    for kind in NodeKind::ALL {
        let colour = super::svg::colour(kind).0;
        out.push_str(&format!("    classDef {} fill:{colour},stroke:#57606a,color:#1f2328\n", kind.as_str()));
    }
    out
}

/// Escapes a text with entities, which is all that Mermaid accepts in quotes.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '&' => out.push_str("#amp;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '`' => out.push_str("#96;"),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out
}
