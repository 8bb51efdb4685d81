"""What windrow.check() says of networks of public packages, as PyTorch's two exporters write them.

The findings that are left are true of the models, or wait for a proof; `OPEN` says which.
"""

from collections import Counter

import pytest
import windrow
from networks import NETWORKS
from verdicts import OPEN, REFUSED, VERDICTS, WAYS

EXPORTS = [(name, way) for name, ways in VERDICTS.items() for way in ways]


def counts(report):
    verdicts = Counter(finding.verdict for finding in report.findings)
    return report.nodes, verdicts["cannot"], verdicts["can"], verdicts["happens"], len(report.contracts)


def test_every_network_is_checked():
    assert list(VERDICTS) == list(NETWORKS)


@pytest.mark.parametrize(("name", "way"), EXPORTS)
def test_verdicts(name, way, exported):
    report = windrow.check(exported(name, *WAYS[way]), show_cannot=True)
    open_rules = Counter(finding.rule for finding in report.findings if finding.verdict != "cannot")
    assert (counts(report), dict(open_rules)) == (VERDICTS[name][way], OPEN[name].get(way, {}))


@pytest.mark.parametrize(("name", "way"), EXPORTS)
def test_runs_agree(name, way, exported):
    """Nothing differs but by rounding in the example inputs, except where a host refuses the model."""
    given = {key: value.numpy() for key, value in NETWORKS[name]().inputs.items()}
    report = windrow.check(exported(name, *WAYS[way]), inputs=given)
    happens = {finding.rule: finding.message for finding in report.findings if finding.verdict == "happens"}
    expected = set(OPEN[name].get(way, {})) | ({"host-failure"} if (name, way) in REFUSED else set())
    assert set(happens) <= expected, happens
