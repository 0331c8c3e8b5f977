//! Writes a graph for Graphviz.

use super::{Graph, NodeKind};

pub(super) fn write(graph: &Graph) -> String {
    let mut out = format!("digraph {} {{\n", quoted(&graph.title));
    out.push_str("    node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];\n");
    for (at, node) in graph.nodes.iter().enumerate() {
        let label: Vec<&str> =
            std::iter::once(node.title.as_str()).chain(node.lines.iter().map(String::as_str)).collect();
        let shape = if node.kind == NodeKind::End { ", shape=oval" } else { "" };
        let colour = super::svg::colour(node.kind).0;
        out.push_str(&format!(
            "    n{at} [label={}, fillcolor=\"{colour}\"{shape}];\n",
            quoted(&label.join("\n"))
        ));
    }
    for edge in &graph.edges {
        let style = if edge.certain { "" } else { " [style=dashed]" };
        out.push_str(&format!("    n{} -> n{}{style};\n", edge.from, edge.to));
    }
    out.push_str("}\n");
    out
}

/// Quotes a text for DOT, including line feeds.
fn quoted(text: &str) -> String {
    let mut out = "\"".to_owned();
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out.push('"');
    out
}
