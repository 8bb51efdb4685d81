"""Writes src/portability/rule_texts.inc: the rules of operators that cases/rules.json has, for the findings of `windrow check`.

A row has the rule's label, its kind, its sentence, and, if the rule is a decision of this library, the reason.
"""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "src/portability/rule_texts.inc"


def literal(text):
    """The text as C++ writes it."""
    return f'R"({text})"' if '"' in text or "\\" in text else json.dumps(text, ensure_ascii=False)


def table():
    lines = ["// Written by scripts/write_rule_texts.py from cases/rules.json."]
    for row in json.loads((ROOT / "cases/rules.json").read_text()):
        if row["label"][-1].isdigit():  # the others are headings of groups of rules
            texts = (row["label"], row["kind"], row["rule"].replace("`", ""), row.get("because", "").replace("`", ""))
            lines.append("{" + ", ".join(map(literal, texts)) + "},")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(table())
