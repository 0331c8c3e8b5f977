//! A program with bundled skills: lists them, prints the catalog for a model, and reads one.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

skills::skills!("skills/");

fn main() {
    println!("== {} skills in this program", SKILLS.len());
    for skill in SKILLS.iter() {
        let files = skill.files().count();
        println!("{:24} {:8} {:16} {files} files", skill.name(), skill.version(), skill.kind());
    }

    println!("\n== the system prompt (a `&'static str`, made when this program was built)");
    println!("{}", SKILLS.prompt().trim_start());

    println!("\n== one body: {}", SKILLS.commit_message.name());
    for line in SKILLS.commit_message.body().lines().take(12) {
        println!("{line}");
    }

    println!("\n== one resource: csv-profile/schema.json");
    if let Some(schema) = SKILLS.csv_profile.resource("schema.json") {
        println!("{}", schema.text().unwrap_or("(no text)").trim_end());
        println!("sha256 {}", schema.sha256_hex());
    }

    println!("\n== a typed input, and what is wrong with another: {}", code_review::NAME);
    let input = code_review::Input { code: Some("fn main() {}".to_owned()), ..Default::default() };
    println!("{}", input.to_json());
    if let Err(invalid) = code_review::Input::from_json(r#"{"code": 3, "severity": "huge"}"#) {
        println!("{invalid}");
    }

    println!("\n== a look-up that fails");
    match SKILLS.find("code-reviw") {
        Ok(skill) => println!("{skill:?}"),
        Err(missing) => {
            println!("{missing}");
            println!("available: {}", missing.available.join(", "));
            println!("did you mean `{}`?", missing.nearest.as_deref().unwrap_or("none of them"));
        }
    }
}
