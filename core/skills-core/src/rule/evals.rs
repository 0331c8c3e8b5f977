//! Rules about the tests of a skill in its directory `evals`.

use super::entry::Example;
use super::example::PDF;

const GOOD: Example = &[
    PDF,
    (
        "pdf/evals/evals.json",
        "{\n  \"skill_name\": \"pdf\",\n  \"evals\": [{ \"prompt\": \"Read a.pdf.\", \"expected_output\": \"Its text.\" }]\n}\n",
    ),
];

rules! {
    "Evals":

    EVAL_INVALID = lint("eval-invalid", "16.19", [Error, Error, Allow]) {
        explain: "`skills eval` runs the cases of `evals/evals.json`, and of every other file in `evals` that \
            has a list `evals`. Each case is an object with either a `prompt`, which is a message to a model, \
            or an `input`, which is a call of the skill. `skills eval` stops at a case that has neither.",
        bad: &[
            PDF,
            ("pdf/evals/evals.json", "{ \"evals\": [{ \"id\": 1, \"expected_output\": \"Its text.\" }] }\n"),
        ],
        good: GOOD,
    }

    EVAL_FOREIGN = lint("eval-foreign", "16.19", [Warning, Allow, Allow]) {
        explain: "Other programs also have files named `evals/evals.json`. A file without a list `evals`, or with a list in \
            which no case has a `prompt`, an `input` or a `query` but some have other keys, belongs to another program. \
            Reported only if the file has a `skill_name`, as the files of `skills eval` have.",
        bad: &[
            PDF,
            ("pdf/evals/evals.json", "{ \"skill_name\": \"pdf\", \"cases\": [{ \"question\": \"Read a.pdf.\" }] }\n"),
        ],
        good: GOOD,
    }

    EVAL_SKILL_NAME = lint("eval-skill-name", "16.19", [Warning, Warning, Allow]) {
        explain: "The key `skill_name` names a skill other than the one whose directory contains the file. \
            `skills eval` runs the cases for the skill of the directory, so the file was probably copied from \
            another skill, or the skill was renamed.",
        bad: &[
            PDF,
            (
                "pdf/evals/evals.json",
                "{\n  \"skill_name\": \"csv\",\n  \"evals\": [{ \"prompt\": \"Read a.pdf.\", \"expected_output\": \"Its text.\" }]\n}\n",
            ),
        ],
        good: GOOD,
    }

    EVAL_KEY_UNKNOWN = lint("eval-key-unknown", "16.19", [Warning, Warning, Allow]) {
        explain: "`skills eval` does not read this key. If it is a misspelled check, such as `assertion`, then \
            the answer is not checked by it, and the case may pass without any check. Keys that begin with `$` \
            or `_` are for comments and are not reported. Other keys than misspelled ones are reported only if their case \
            has no check, and the file has a `skill_name`. A file without one may be for another program.",
        bad: &[
            PDF,
            (
                "pdf/evals/evals.json",
                "{ \"evals\": [{ \"prompt\": \"Read a.pdf.\", \"assertion\": [\"It has the text.\"] }] }\n",
            ),
        ],
        good: GOOD,
    }
}
