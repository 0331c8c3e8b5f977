//! Describes the routes as an OpenAPI 3.1 document, with a path for each function, so that clients can be
//! generated.

use std::sync::Arc;

use axum::extract::{OriginalUri, State};
use axum::response::Response;
use serde_json::{Value, json};
use skills_registry::{Skill, skill_uri};

use crate::list::{DEFAULT_RESULTS, MAX_RESULTS};
use crate::shared::Shared;
use skills_serve::answer::{Problem, json_text};

/// The path of the document.
pub(crate) const PATH: &str = "/v1/openapi.json";

/// `GET /v1/openapi.json`.
pub(crate) async fn document(
    State(shared): State<Arc<Shared>>,
    OriginalUri(uri): OriginalUri,
) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let mut paths = fixed_paths();
    for skill in runner.server_access().callable() {
        paths[format!("/v1/skills/{}/call", skill.name())] = call(skill);
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {"title": "skills", "version": env!("CARGO_PKG_VERSION")},
        "paths": paths,
        "components": {
            "schemas": {"Problem": {
                "type": "object",
                "properties": {
                    "error": {"type": "string", "description": "a code for programs"},
                    "detail": {"type": "string", "description": "a text for people"},
                    "violations": {"type": "array", "items": {"type": "object"}}
                },
                "required": ["error"]
            }},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}
        }
    });
    // In a nested router, the routes have a prefix.
    if let Some(nest) = uri.path().strip_suffix(PATH).filter(|nest| !nest.is_empty()) {
        document["servers"] = json!([{ "url": nest }]);
    }
    Ok(json_text(document.to_string()))
}

fn fixed_paths() -> Value {
    let name = json!([{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}]);
    let picture = json!({"description": "a picture, or its shapes", "content": {
        "image/svg+xml": {"schema": {"type": "string"}},
        "application/json": {"schema": {"type": "object"}}
    }});
    json!({
        "/v1/skills": {"get": {
            "operationId": "listSkills",
            "parameters": [
                {"name": "search", "in": "query", "schema": {"type": "string"},
                    "description": "a task: only the matching skills are returned, best first, with a score"},
                {"name": "limit", "in": "query",
                    "schema": {"type": "integer", "minimum": 1, "maximum": MAX_RESULTS, "default": DEFAULT_RESULTS}}
            ],
            "responses": {
                "200": answer("the skills", &json!({"type": "array", "items": {"type": "object"}})),
                "400": problem("the limit is not valid")
            }
        }},
        "/v1/skills/{name}": {"get": {
            "operationId": "getSkill",
            "parameters": name,
            "responses": {
                "200": answer("the skill", &json!({"type": "object"})),
                "404": problem("it is unknown")
            }
        }},
        "/v1/about": {"get": {"operationId": "about", "responses": {"200": answer(
            "whether skills can be run here, and the model of chats",
            &json!({
                "type": "object",
                "properties": {"exec": {"type": "boolean"}, "model": {"type": ["string", "null"]}},
                "required": ["exec", "model"]
            })
        )}}},
        "/v1/skills/{name}/files/{path}": {"get": {
            "operationId": "getSkillFile",
            "parameters": [name[0], {"name": "path", "in": "path", "required": true, "schema": {"type": "string"}}],
            "responses": {
                "200": {"description": "the bytes of the file"},
                "404": problem("the skill or the file is unknown")
            }
        }},
        "/v1/skills/{name}/check": {"post": {
            "operationId": "checkSkillInput",
            "parameters": name,
            "requestBody": {"content": {"application/json": {"schema": {
                "type": "object", "properties": {"input": {}}
            }}}},
            "responses": {
                "200": answer("the rules that the input breaks; nothing is run", &json!({
                    "type": "object",
                    "properties": {"violations": {"type": "array", "items": {"type": "object"}}},
                    "required": ["violations"]
                })),
                "404": problem("it is unknown")
            }
        }},
        "/v1/graph": {"get": {"operationId": "drawSkills", "responses": {"200": picture}}},
        "/v1/skills/{name}/graph": {"get": {
            "operationId": "drawSkill",
            "parameters": name,
            "responses": {"200": picture, "404": problem("it is unknown")}
        }},
        "/v1/skills/{name}/exec": {"post": {
            "operationId": "execSkill",
            "parameters": name,
            "requestBody": {"content": {"application/json": {"schema": {
                "type": "object",
                "properties": {
                    "input": {"description": "a string is passed as it is, any other value as compact JSON"},
                    "timeout": {"type": "string", "examples": ["300ms", "1.5s", "5m"]}
                }
            }}}},
            "responses": {
                "200": answer("the outcome of the program, whatever its exit code", &json!({
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "exit_code": {"type": "integer"},
                        "stdout": {"type": "string"},
                        "stderr": {"type": "string"},
                        "duration_ms": {"type": "integer"},
                        "error": {"type": "string"}
                    },
                    "required": ["name", "exit_code", "stdout", "stderr", "duration_ms"]
                })),
                "400": problem("the body is wrong, or the program is missing"),
                "403": problem("running skills is off"),
                "404": problem("it is unknown"),
                "422": problem("it has no program"),
                "503": problem("too many run already")
            }
        }}
    })
}

/// Returns the path of one function. Its schemas get an `$id`, so that references inside them resolve to
/// them.
fn call(skill: Skill<'_>) -> Value {
    let schema = |text: Option<&str>, part: &str| {
        let mut schema: Value =
            text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Bool(true));
        if let Some(members) = schema.as_object_mut() {
            members.entry("$id").or_insert_with(|| skill_uri(skill.name(), part).into());
        }
        schema
    };
    let request = json!({
        "type": "object",
        "properties": {"input": schema(skill.input_document().map(|(_, text)| text), "input")},
        "required": ["input"]
    });
    let response = json!({
        "type": "object",
        "properties": {"output": schema(skill.output_schema(), "output")},
        "required": ["output"]
    });
    let mut output =
        answer("the output; or events while it runs, for `Accept: text/event-stream`", &response);
    output["content"]["text/event-stream"] = json!({"schema": {
        "type": "string",
        "description": "server-sent events `steps`, and last `output` or `problem`, each with JSON as its data"
    }});
    json!({"post": {
        "operationId": skill.name(),
        "summary": skills_text::clean(skill.description()),
        "requestBody": {"required": true, "content": {"application/json": {"schema": request}}},
        "responses": {
            "200": output,
            "400": problem("the input breaks rules of the schema"),
            "403": problem("running skills is off"),
            "500": problem("the skill failed"),
            "503": problem("there is no model, or too many run already"),
            "504": problem("the skill took too long")
        }
    }})
}

fn answer(description: &str, schema: &Value) -> Value {
    json!({"description": description, "content": {"application/json": {"schema": schema}}})
}

fn problem(description: &str) -> Value {
    answer(description, &json!({"$ref": "#/components/schemas/Problem"}))
}
