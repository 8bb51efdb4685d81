"""Compares what windrow.check() says of a row with the right verdict."""

import windrow


def check(row):
    """The report on a row's model, as a user asks for it."""
    return windrow.check(row.model().SerializeToString(), runtimes=row.judged, assume=dict(row.assume) or None,
                         inputs=dict(row.runs) if row.given else None)


def faults(row):
    """What is wrong with the verdict on a row, as sentences; none if it is right."""
    try:
        report = check(row)
    except windrow.Error as error:
        return [f"check() raises {type(error).__name__}: {error}"]
    found = [finding for finding in report.findings if finding.verdict != "cannot"]
    said = [f"no finding is {want}" for want in row.wants if not any(_meets(finding, want) for finding in found)]
    said += [f"{finding.rule} is found at {finding.node}: {finding.what}" for finding in found if _is_false_alarm(row, finding)]
    unjudged = (operator.sentence for operator in report.not_judged)
    text = "\n".join((*report.notes, *unjudged, *(finding.message for finding in found)))
    said += [f"nothing names {name}" for name in row.notes if name not in text]
    bounds = {contract.input: (contract.low, contract.high) for contract in report.contracts}
    said += [f"the contract of {name} is {bounds.get(name)}" for name, ends in row.contract.items() if bounds.get(name) != ends]
    if row.fails is not None and report.fails() != row.fails:
        said.append(f"fails() is {report.fails()}")
    return said


def _meets(finding, want):
    return (finding.node.rpartition("/")[2] == want.node and finding.verdict in want.verdicts and finding.rule.startswith(want.rule)
            and all(any(named.startswith(runtime) for named in finding.runtimes) for runtime in want.runtimes)
            and want.says in finding.message)


def _is_false_alarm(row, finding):
    """Whether a finding is at a row that must have none, or is one that must never be there."""
    return (not row.wants and not row.notes) or finding.rule in row.never
