"""The labels of errors in the site: an anchor at each rule of docs/operators/, and a page that leads from labels to rules."""

import re

PART = re.compile(r"^(?=## )", re.MULTILINE)
ROW = re.compile(r"^\| ((?:CALL|[A-Z]+-\w+)-[A-Z]\d+) \| (.*) \|$", re.MULTILINE)
RULES = re.compile(r"^\* \*\*.*(?:\n  \S.*)*", re.MULTILINE)  # a rule, or several
RULE = re.compile(r"\*\*(CALL-[A-Z]\d+|[A-Z]\d+)\*\*")


def heading_of(part):
    return part.partition("\n")[0].removeprefix("## ") if part.startswith("## ") else ""


def labels(text):
    """The labels of a page's table, each with its short rule."""
    return dict(ROW.findall(text))


def with_anchors(text):
    """The page with an element of its label's name before each rule that has a label of the table."""
    known = labels(text)
    starts = {label.rpartition("-")[0] for label in known}  # ONNX-Gather
    parts, placed = PART.split(text), set()
    for number, part in enumerate(parts):
        words = re.findall(r"\w+", heading_of(part))
        operators = [start for start in starts if start.partition("-")[2] in words]

        def anchored(rule, operators=operators):
            names = [rule[1]] if rule[1] in known else sorted(f"{operator}-{rule[1]}" for operator in operators)
            first = [name for name in names if name in known and name not in placed]
            placed.update(first)
            return "".join(f'<span id="{name}"></span>' for name in first) + rule[0]

        parts[number] = RULES.sub(lambda line, anchored=anchored: RULE.sub(anchored, line[0]), part)
    return "".join(parts)


def page(texts):
    """The page of all labels. texts: the pages of the operators, with anchors, by their places."""
    lines = ["# Labels", "", "The label in an error's message, and its rule. A label leads to the rule's full words.", ""]
    for place, text in texts.items():
        title = re.match(r"# (.*)", text)[1]
        lines += [f"## {title}", "", "| label | rule |", "|---|---|"]
        for label, rule in labels(text).items():
            lines.append(f'| <a href="../{place.removesuffix(".md")}.html#{label}">{label}</a> | {rule} |')
        lines.append("")
    return "\n".join(lines)
