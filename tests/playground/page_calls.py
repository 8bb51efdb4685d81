"""Calls of every operator, drawn from those of the gallery: other indices, types, attributes and versions."""

import re

# What the page shows.
SHOWN = """({failed: !byId('message').hidden, message: byId('message').textContent, result: byId('result').textContent,
    found: !byId('found').hidden, read: readCall(), compared: byId('compared').textContent})"""
POLICIES = ("error", "zero", "skip", "clamp", "modulo")


def draw(rng, number, examples, rows):
    """The drawn call of that number: all operators in turn, the first time as the gallery has them."""
    name = sorted(examples)[number % len(examples)]
    call = {**examples[name], "operator": name}
    row = rng.choice([row for row in rows if f"{row['dialect']}.{row['name']}" == name])
    if number < len(examples):
        return {**call, "version": None}
    call["version"] = row["since"]
    call["inputs"] = {given: _other_text(rng, text) for given, text in call["inputs"].items()}
    if rng.random() < 0.3:
        one = rng.choice([given for given in row["inputs"] if given["name"] in call["inputs"]])
        call["dtypes"] = {**call["dtypes"], one["name"]: rng.choice(one["dtypes"])}
    if row["attributes"] and rng.random() < 0.4:
        attribute, usual = rng.choice(sorted(row["attributes"].items()))
        choices = row["choices"].get(attribute) or _values_like(rng, usual)
        call["attributes"] = {**call["attributes"], attribute: rng.choice(choices)}
    if rng.random() < 0.3:
        call["options"] = {"out-of-range": rng.choice(POLICIES)}
    if rng.random() < 0.2:
        call["as"] = [rng.choice(sorted(examples))]
    return call


def _other_text(rng, text):
    """A word for an input: some of its numbers replaced, spelled as JSON."""
    if "[" not in text or "." in text or rng.random() < 0.3:
        return text
    return re.sub(r"-?\d+", lambda number: str(rng.randint(-3, 4)) if rng.random() < 0.4 else number[0], text)


def _values_like(rng, usual):
    if isinstance(usual, bool):
        return ["true", "false"]
    if isinstance(usual, str):
        return [usual, "other"]
    return [str(rng.randint(-2, 3))]


def words(call):
    """The words by which the command names the same call."""
    listed = ["explain", call["operator"]]
    if call["version"] is not None:
        listed += ["--version", str(call["version"])]
    for name, text in call["inputs"].items():
        listed += [f"--{name}", text]
    for name, dtype in call["dtypes"].items():
        listed += ["--dtype", f"{name}={dtype}"]
    for name, text in call["attributes"].items():
        listed += ["--attr", f"{name}={text}"]
    for name, text in call["options"].items():
        listed += [f"--{name}", text]
    return listed


def assert_shows(shown, expected):
    """SHOWN is what `windrow explain --json` says."""
    call = shown["read"]
    if "error" in expected:
        assert (shown["found"], shown["message"]) == (False, expected["error"]["message"]), call
        return
    assert (shown["failed"], shown["message"]) == (bool(expected["failure"]), expected["failure"]), call
    output = expected["output"]
    if output["values"] and output["dtype"] != "string" and "complex" not in output["dtype"]:
        assert shown["result"].translate(str.maketrans("[],", "   ")).split() == output["values"], call


def calls_of_operators(rng, count, examples, rows, explain):
    """Drawn calls of that many operators, each with what `explain` says of its words, which is no refusal."""
    calls = []
    for number in rng.sample(range(len(examples)), count):
        expected = {"error": None}
        while "error" in expected:
            call = draw(rng, len(examples) + number, examples, rows)
            expected = explain(words(call))
        calls.append((call, expected))
    return calls
