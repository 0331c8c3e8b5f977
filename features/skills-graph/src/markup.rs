//! Writes a graph as text: for Graphviz, or as a Mermaid flow chart.

use super::svg::colour;
use super::{Graph, NodeKind};

/// Writes a graph for Graphviz.
pub(super) fn write_dot(graph: &Graph) -> String {
    let mut out = format!("digraph {} {{\n", quote_dot(&graph.title));
    out.push_str("    node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];\n");
    for (at, node) in graph.nodes.iter().enumerate() {
        let label: Vec<&str> =
            std::iter::once(node.title.as_str()).chain(node.lines.iter().map(String::as_str)).collect();
        let shape = if node.kind == NodeKind::End { ", shape=oval" } else { "" };
        let colour = colour(node.kind).0;
        out.push_str(&format!(
            "    n{at} [label={}, fillcolor=\"{colour}\"{shape}];\n",
            quote_dot(&label.join("\n"))
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
fn quote_dot(text: &str) -> String {
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

/// Writes a graph as a Mermaid flow chart.
pub(super) fn write_mermaid(graph: &Graph) -> String {
    let mut out = "flowchart TD\n".to_owned();
    for (at, node) in graph.nodes.iter().enumerate() {
        let lines: Vec<String> = std::iter::once(format!("<b>{}</b>", escape_mermaid(&node.title)))
            .chain(node.lines.iter().map(|line| escape_mermaid(line)))
            .collect();
        let (open, close) = if node.kind == NodeKind::End { ("([", "])") } else { ("[", "]") };
        out.push_str(&format!("    n{at}{open}\"{}\"{close}:::{}\n", lines.join("<br>"), node.kind.as_str()));
    }
    for edge in &graph.edges {
        let arrow = if edge.certain { "-->" } else { "-.->" };
        out.push_str(&format!("    n{} {arrow} n{}\n", edge.from, edge.to));
    }
    for kind in NodeKind::ALL {
        let colour = colour(kind).0;
        out.push_str(&format!("    classDef {} fill:{colour},stroke:#57606a,color:#1f2328\n", kind.as_str()));
    }
    out
}

/// Escapes a text with entities, which is all that Mermaid accepts in quotes.
fn escape_mermaid(text: &str) -> String {
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
