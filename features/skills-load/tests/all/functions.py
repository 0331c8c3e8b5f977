"""Writes the functions of the package bfcl-eval as skills, and its questions with one known answer: functions.py DATA OUT"""
import hashlib, json, pathlib, re, sys

data, out = map(pathlib.Path, sys.argv[1:])
TYPES = {"dict": "object", "HashMap": "object", "float": "number", "double": "number", "long": "integer", "tuple": "array",
         "ArrayList": "array", "Array": "array", "String": "string", "Boolean": "boolean", "Integer": "integer"}
KNOWN = {"object", "array", "string", "number", "integer", "boolean"}
QUESTIONS = ["simple_python", "simple_java", "simple_javascript", "multiple", "live_simple", "live_multiple"]


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def schema(value):
    """Keeps what JSON Schema has: types under its names, descriptions, properties, items and choices."""
    kind = TYPES.get(value.get("type"), value.get("type"))
    made = {"type": kind} if kind in KNOWN else {}
    if isinstance(value.get("description"), str):
        made["description"] = value["description"]
    if kind == "string" and value.get("enum"):
        made["enum"] = list(dict.fromkeys(choice for choice in value["enum"] if isinstance(choice, str)))
    if kind == "object" and isinstance(value.get("properties"), dict):
        made["properties"] = {key: schema(sub) for key, sub in value["properties"].items() if isinstance(sub, dict)}
    if kind == "array" and isinstance(value.get("items"), dict):
        made["items"] = schema(value["items"])
    return made


functions = {}
for path in sorted(data.glob("*.json")):
    if "format_sensitivity" not in path.name:
        for row in rows(path):
            for function in row.get("function") or []:
                functions.setdefault(function["name"], function)
for path in sorted(data.glob("multi_turn_func_doc/*.json")):
    for function in rows(path):
        functions.setdefault(function["name"], function)

names = {}
for name, function in functions.items():
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)
    snake = re.sub("^([0-9])", r"n\1", "_".join(words).lower()[:60].strip("_"))
    while snake in names.values():
        snake += "x"
    names[name] = snake
    description = " ".join((function.get("description") or name).split())[:1000].replace("<", "(").replace(">", ")")
    skill = {"name": snake, "version": "1.0.0", "category": "general", "description": description, "mode": "code",
             "input": {**schema(function.get("parameters") or {}), "type": "object"}, "output": {"type": "object"}}
    (out / snake).mkdir(parents=True)
    (out / snake / "skill.json").write_text(json.dumps(skill))

questions = []
for kind in QUESTIONS:
    answers = {row["id"]: row["ground_truth"] for row in rows(data / f"possible_answer/BFCL_v4_{kind}.json")}
    for row in rows(data / f"BFCL_v4_{kind}.json"):
        wanted = {name for call in answers.get(row["id"], []) for name in call}
        if len(wanted) == 1 and wanted <= names.keys():
            text = " ".join(message["content"] for message in row["question"][0] if message["role"] == "user")
            questions.append((names[wanted.pop()], " ".join(text.split())))
# Weights were chosen with one half of the questions; the other half measures.
questions.sort(key=lambda question: hashlib.sha256(question[1].encode()).hexdigest())
for half, name in enumerate(["tried", "measured"]):
    lines = [f"{skill}\t{text}\n" for skill, text in questions[half::2][:500]]
    (out / f"{name}.tsv").write_text("".join(lines))
