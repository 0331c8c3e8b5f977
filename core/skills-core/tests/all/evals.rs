//! The files in `evals` are checked if the options request it (SPEC 16.19).

use skills_core::load;
use skills_core::options::Options;
use skills_core::read::ReadOptions;

use crate::disk::Disk;

const PDF: (&str, &str) = ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n");

/// Checks the skill `pdf` with one file in `evals`; returns the codes with their lines.
fn found(file: &str, text: &str, evals: bool) -> Vec<String> {
    let path = format!("pdf/{file}");
    let disk = Disk::new(&[PDF, (&path, text)]);
    let evals = evals.then_some(skills_report::evals::CHECK);
    let read = ReadOptions { evals, ..ReadOptions::default() };
    let loaded = load(&disk.root(), "skills", &Options { read, ..Options::default() });
    let sources = loaded.catalog.sources();
    let place = |span| sources.positions(span).0.line;
    let list = loaded.report.diagnostics.iter();
    list.map(|found| format!("{} {}", found.rule.code, place(found.span))).collect()
}

// SPEC 16.19
#[test]
fn keys_names_and_requests_are_checked() {
    let cases = [
        (
            "evals/evals.json",
            "{ \"skill_name\": \"pdf\", \"evals\": [{ \"prompt\": \"a\", \"text\": \"b\" }] }",
            "",
        ),
        ("evals/evals.json", "{ \"skill_name\": \"csv\", \"evals\": [] }", "eval-skill-name 1"),
        ("evals/evals.json", "{ \"skill_name\": 1, \"evals\": [] }", "eval-skill-name 1"),
        ("evals/evals.json", "{\n\"skil_name\": \"pdf\",\n\"evals\": [] }", "eval-key-unknown 2"),
        (
            "evals/evals.json",
            "{ \"evals\": [{ \"prompt\": \"a\",\n\"assertion\": [] }] }",
            "eval-key-unknown 2",
        ),
        ("evals/evals.json", "{ \"$schema\": \"x\", \"_note\": 1, \"evals\": [] }", ""),
        ("evals/evals.json", "{ \"evals\": [{ \"id\": 1 }] }", "eval-invalid 1"),
        ("evals/evals.json", "{ \"evals\": [{ \"prompt\": \"a\", \"input\": {} }] }", "eval-invalid 1"),
        ("evals/evals.json", "{ \"evals\": [{ \"query\": \"a\", \"should_trigger\": true }] }", ""),
        ("evals/evals.json", "{ \"evals\": [1] }", "eval-invalid 1"),
        ("evals/evals.json", "{ \"evals\": 1 }", "eval-invalid 1"),
        ("evals/evals.json", "{ \"cases\": [] }", ""),
        ("evals/evals.json", "{ \"skill_name\": \"pdf\", \"cases\": [] }", "eval-foreign 1"),
        ("evals/evals.json", "{ \"evals\": [{ \"name\": \"a\", \"slug\": \"b\", \"prompt\": \"c\" }] }", ""),
        (
            "evals/evals.json",
            "{ \"author\": \"a\", \"evals\": [{ \"notes\": \"b\", \"label\": \"c\", \"prompt\": \"d\" }] }",
            "",
        ),
        (
            "evals/evals.json",
            "{ \"evals\": [{ \"id\": 1, \"prompt\": \"a\" },\n{ \"id\": 1, \"prompt\": \" \" }] }",
            "eval-invalid 2, eval-invalid 2",
        ),
        ("evals/evals.json", "{ \"evls\": [] }", "eval-invalid 1"),
        ("evals/evals.json", "{}", "eval-invalid 1"),
        ("evals/evals.json", "[{ \"question\": \"a\" }]", ""),
        ("evals/evals.json", "{ \"evals\": [{ \"question\": \"a\" }] }", ""),
        ("evals/evals.json", "{ \"evals\": [{ \"promt\": \"a\" }] }", "eval-key-unknown 1"),
        (
            "evals/evals.json",
            "{ \"skill_name\": \"pdf\", \"evals\": [{ \"prompt\": \"a\", \"why\": \"b\" },\n{ \"prompt\": \"a\", \"why\": \"c\" }] }",
            "eval-key-unknown 1",
        ),
        (
            "evals/evals.json",
            "{ \"skill_name\": \"pdf\", \"history\": [], \"evals\": [{ \"prompt\": \"a\", \"text\": \"b\", \"why\": \"c\" }] }",
            "",
        ),
        (
            "evals/evals.json",
            "{ \"skill\": \"pdf\", \"evals\": [{ \"prompt\": \"a\", \"type\": \"b\" }] }",
            "",
        ),
        ("evals/evals.json", "{ \"evals\": [,] }", "json-syntax 1"),
        (
            "evals/evals.json",
            "{ \"evals\": [{ \"input\": {}, \"condition\": \"output.a == 1\" },\n\
             { \"input\": {}, \"condition\": [\"output.a\", \"output.a =! ''\"] },\n\
             { \"input\": {}, \"error\": \"timeout\" },\n\
             { \"input\": {}, \"error\": \"invalid_inptu\" }] }",
            "eval-invalid 2, eval-invalid 4",
        ),
        (
            "evals/evals.json",
            "{ \"evals\": [{ \"prompt\": \"a\", \"condition\": \"with the skill\", \"error\": \"none\" }] }",
            "",
        ),
        ("evals/queries.json", "[{ \"query\": \"a\", \"should_triger\": true }]", "eval-key-unknown 1"),
        ("evals/data.json", "{ \"anything\": 1 }", ""),
        ("evals/files/evals.json", "{ \"cases\": [] }", ""),
        ("evals/notes.txt", "{", ""),
    ];
    for (file, text, wanted) in cases {
        assert_eq!(found(file, text, true).join(", "), wanted, "{file}: {text}");
        assert_eq!(found(file, text, false), Vec::<String>::new(), "{file}: {text}");
    }
}

// SPEC 16.19: an unsaved file in an editor is checked, and not bundled
#[test]
fn texts_of_an_editor_are_checked() {
    use skills_core::read::Overlay;
    use skills_core::session::Session;

    let disk = Disk::new(&[PDF, ("pdf/evals/evals.json", "{ \"evals\": [] }")]);
    let read = ReadOptions { evals: Some(skills_report::evals::CHECK), ..ReadOptions::default() };
    let options = Options { read, ..Options::default() };
    let mut session = Session::new(&disk.root(), "", options, &Overlay::default());
    assert!(session.report().diagnostics.is_empty());
    for (text, count) in
        [("{ \"evals\": [{}] }", 1), ("{ \"evals\": [] }", 0), ("{ \"evals\": [{}, {}] }", 2)]
    {
        assert!(session.set_text("pdf/evals/evals.json", text), "without reading the disk");
        session.check();
        assert_eq!(session.report().diagnostics.len(), count, "{text}");
    }
    let (_, skill) = session.skills().next().expect("one skill");
    assert!(skill.dir.files.iter().all(|file| !file.path.starts_with("evals")));
}
