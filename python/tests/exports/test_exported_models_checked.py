"""What windrow.check() reports for models with the structure of real exports: how much is proved, and what is not."""

from collections import Counter

import pytest
import windrow
from exported_models import EXPORTS

# Model: (cannot, can, happens, contracts). The decoder's first token and the number of its steps are the caller's, hence its "can".
VERDICTS = {
    "decoder": (80, 7, 0, 0),
    "detector": (67, 0, 0, 0),
    "graph_network": (109, 7, 2, 2),
    "encoder": (92, 6, 1, 4),
    "nearest_neighbours": (6, 0, 2, 0),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_verdicts(name):
    report = windrow.check(EXPORTS[name]().model, show_cannot=True)
    counts = Counter(finding.verdict for finding in report.findings)
    assert (counts["cannot"], counts["can"], counts["happens"], len(report.contracts)) == VERDICTS[name]


def test_there_is_nothing_to_say_of_a_detector():
    """Its indices come from NonMaxSuppression and TopK."""
    report = windrow.check(EXPORTS["detector"]().model)
    assert report.findings == ()
    assert report.contracts == ()


def test_an_encoder_tells_what_its_callers_must_keep_to():
    report = windrow.check(EXPORTS["encoder"]().model, runtimes="onnxruntime:cpu")
    assert [contract.sentence for contract in report.contracts][:3] == [
        "ids must lie in -500 to 499", "kinds must lie in -2 to 1", "bag must lie in -100 to 99"]
