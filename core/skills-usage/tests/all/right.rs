//! Right lines that look wrong are not reported.

use skills_text::work::done;
use skills_usage::check;

use super::tree;

/// Lines of a shell block.
pub(super) const LINES: [&str; 58] = [
    "acme",
    "acme list",
    "acme ls -a",
    "acme list -an 3",
    "acme list -n3 -fjson docs more",
    "acme list --format=json --limit=3",
    "acme -v list",
    "acme list --config acme.toml -vv",
    "acme --help",
    "acme run --help",
    "acme help run",
    "acme help remote add",
    "acme --version",
    "acme show NAME",
    "acme show <name>",
    "acme show <your name> body",
    "acme show \"$NAME\"",
    "acme show $NAME",
    "acme show {name}",
    "acme show {{name}} --format {{format}}",
    "acme show my-… ",
    "acme list --format <FORMAT>",
    "acme list --format FORMAT",
    "acme list --format \"$FORMAT\"",
    "acme list --format=${FORMAT:-json}",
    "acme list --limit N",
    "acme list --limit <n>",
    "acme list --limit $(nproc)",
    "acme list --size 10k",
    "acme list ...",
    "acme run ...",
    "acme run $ARGS",
    "acme run \"$@\"",
    "acme run [OPTIONS] <DIR>",
    "acme run <DIR> --input <TEXT> [--tag TAG...]",
    "acme list [--all] [--format text|json]",
    "acme list (--all | --limit N)",
    "acme <COMMAND> --whatever",
    "acme $COMMAND --whatever",
    "acme run docs --input - < in.json",
    "acme run docs -i x > out.txt 2>&1",
    "acme list | grep --invert-match x",
    "acme list|head -n 3",
    "acme list docs # acme lits --al",
    "# acme lits --al",
    "acme run docs --input \"$(cat <<'EOF'\nacme lits --al\nEOF\n)\"",
    "cat <<EOF | acme run docs --input -\nacme lits --al\nEOF\nacme list",
    "echo 'acme lits --al'",
    "acmed lits --al",
    "other acme lits --al",
    "acme exec make --fast -j4",
    "acme exec --quiet -- make --fast",
    "acme tool anything --at-all",
    "acme run 'C:\\Users\\me' --input x",
    "acme.exe list C:\\Users\\me",
    "acme run docs --input x --tag a b --offset -3",
    "acme list --color --all docs --limit=3",
    "time acme list; (cd x && acme list) & wait",
];

/// Other texts.
const TEXTS: [&str; 20] = [
    "`acme`",
    "`acme show`",
    "Use `acme list/show`, then `acme remote add/remove`.",
    "`acme list|show` or `acme [list|show]`",
    "`acme run --input`",
    "`acme = \"1.2\"`",
    "`acme::lits()`",
    "`acme: no such file`",
    "`acme.toml`",
    "The acme lits --al text is no code.",
    "```rust\nacme lits\n```",
    "```json\nacme lits\n```",
    "```text\nacme lits\n```",
    "```powershell\nacme lits `\n  --al\n```",
    "```\nacme 1.2.3\nacme: 3 files\n```",
    "```\n$ acme list\nacme lits --al\n```",
    "```\nacme remote - Manages remotes\n\nUsage: acme remote\n```",
    "```\nacme timed out after 120s; try again\n```",
    "It's `acme list`, don't `x`",
    "````markdown\n```sh\nacme lits\n```\n````",
];

// SPEC 23.4
#[test]
fn right_lines_are_not_reported() {
    let lines = LINES.iter().map(|line| format!("```sh\n{line}\n```\n"));
    let texts = lines.chain(TEXTS.iter().map(|text| (*text).to_owned()));
    let wrong: Vec<_> =
        texts.map(|text| (check(&text, &[tree()]), text)).filter(|(found, _)| !found.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

// SPEC 23.4
#[test]
fn every_text_is_read_in_time_that_its_length_bounds() {
    for part in
        ["$(", "`", "'", "\"\\\"", "[", "<a", "(", "acme list `", "<<E\n", "\\\n", "{", "```sh\n", "$(`"]
    {
        let text = |count: usize| format!("```sh\n{}", part.repeat(count));
        let steps = |count: usize| {
            let before = done();
            check(&text(count), &[tree()]);
            done() - before
        };
        let (one, two) = (steps(2_000), steps(4_000));
        assert!(two <= one * 3, "{part:?}: {one} steps, then {two}");
    }
}
