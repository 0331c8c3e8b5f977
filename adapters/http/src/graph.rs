//! The routes for pictures of the skills, and of the steps of one, as an SVG or as shapes for a page.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use skills_graph::{Drawing, Graph};
use skills_serve::answer::{Problem, accepts, json_text, of_kind};

use crate::shared::Shared;
use crate::url::Name;

/// Prevents an SVG that a browser opens directly from running scripts or loading resources.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// `GET /v1/graph`: the calls between skills.
pub(crate) async fn all(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    Ok(answer(&Graph::of_skills(runner.skills(), false), &headers))
}

/// `GET /v1/skills/{name}/graph`: the steps of a pipeline, or a skill and its calls.
pub(crate) async fn draw_skill(
    State(shared): State<Arc<Shared>>,
    name: Name,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let graph =
        Graph::of_skill(runner.skills(), name.known(&runner)?).map_err(|_| Problem::unknown_skill())?;
    Ok(answer(&graph, &headers))
}

fn answer(graph: &Graph, headers: &HeaderMap) -> Response {
    if accepts(headers, "application/json") {
        return json_text(drawing_json(&graph.drawing()).to_string());
    }
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], of_kind("image/svg+xml", graph.svg())).into_response()
}

fn drawing_json(drawing: &Drawing) -> Value {
    let arrows: Vec<Value> =
        drawing.arrows.iter().map(|arrow| json!({"path": arrow.path, "certain": arrow.certain})).collect();
    let boxes: Vec<Value> = drawing
        .boxes
        .iter()
        .map(|shape| {
            let lines: Vec<Value> = shape
                .lines
                .iter()
                .map(|line| json!({"text": line.text, "class": line.class, "x": line.x, "y": line.y}))
                .collect();
            json!({
                "id": shape.id, "skill": shape.skill, "kind": shape.kind, "x": shape.x, "y": shape.y, "width": shape.width,
                "height": shape.height, "radius": shape.radius, "lines": lines
            })
        })
        .collect();
    json!({
        "title": drawing.title, "width": drawing.width, "height": drawing.height, "style": drawing.style,
        "arrows": arrows, "boxes": boxes
    })
}
