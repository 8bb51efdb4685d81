"""torch.library.opcheck: schema, registered gradients, shapes without data, tracing."""

import pytest
import torch
from torch_samples import calls, in_place_calls, label, operator

SAMPLES = [*calls(True), *calls(False), *in_place_calls()]
NAMES = {name for name, _, _ in SAMPLES}


@pytest.mark.parametrize("call", SAMPLES, ids=label)
def test_opcheck(call):
    name, arguments, options = call
    found = torch.library.opcheck(operator(name), arguments, options)
    assert set(found.values()) == {"SUCCESS"}, found


def test_every_operator_has_a_sample():
    names = torch._C._dispatch_get_all_op_names()
    assert NAMES == {name.removeprefix("windrow::") for name in names if "windrow::" in name}
