//! Generates typify's types from the schemas of real tools: a module for each supported schema, and a table
//! of parsers.

use schemars::schema::RootSchema;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use typify::{TypeSpace, TypeSpaceSettings};

fn main() {
    println!("cargo::rerun-if-env-changed=SKILLS_FIELD_DIR");
    let field = std::env::var_os("SKILLS_FIELD_DIR").map(PathBuf::from).expect("set SKILLS_FIELD_DIR");
    let mut schemas: Vec<Value> = Vec::new();
    for name in ["mcp.json", "functions.json"] {
        let path = field.join("conformance/tool-schemas").join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let tools: Vec<Value> = serde_json::from_str(&text).unwrap();
        schemas.extend(tools.into_iter().map(|tool| tool["schema"].clone()).filter(Value::is_object));
    }
    std::panic::set_hook(Box::new(|_| {}));
    let (mut modules, mut rows) = (String::new(), String::new());
    for (at, schema) in schemas.iter().enumerate() {
        let row = match std::panic::catch_unwind(|| types(schema)) {
            Ok(Ok((tokens, name))) => {
                write!(modules, "pub mod t{at} {{ {tokens} }}\n").unwrap();
                format!("Ok(|text| serde_json::from_str::<t{at}::{name}>(text).is_ok())")
            }
            Ok(Err(why)) => format!("Err({why:?})"),
            Err(_) => "Err(\"a panic\")".to_owned(),
        };
        write!(rows, "    (r####\"{schema}\"####, {row}),\n").unwrap();
    }
    let table =
        format!("{modules}pub static TOOLS: &[(&str, Result<fn(&str) -> bool, &str>)] = &[\n{rows}];\n");
    std::fs::write(Path::new(&std::env::var("OUT_DIR").unwrap()).join("types.rs"), table).unwrap();
}

/// Returns the types of a schema as Rust text, and the name of the root type.
fn types(schema: &Value) -> Result<(String, String), String> {
    let mut schema = schema.clone();
    schema["title"] = json!("Input");
    let root: RootSchema = serde_json::from_value(schema).map_err(|e| e.to_string())?;
    let mut space = TypeSpace::new(&TypeSpaceSettings::default());
    let id = space.add_root_schema(root).map_err(|e| e.to_string())?.ok_or("no type for the root")?;
    let name = space.get_type(&id).map_err(|e| e.to_string())?.name();
    Ok((space.to_stream().to_string(), name))
}
