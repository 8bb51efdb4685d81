"""The playground says of each call what `windrow explain` says: the page is one file, opened without a network."""

import json
import os
import pathlib
import random
import subprocess
import time

import pytest
from page_calls import SHOWN, assert_shows, draw, words

_ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("WINDROW_COMMAND", str(_ROOT / "build/release/bin/windrow"))
CALLS = int(os.environ.get("WINDROW_PLAYGROUND_CALLS", "50"))
SEED = int(os.environ.get("WINDROW_PLAYGROUND_SEED", "1"))
MOST_BYTES = 1_500_000
MOST_PAINT, MOST_CALL = 1000, 100  # milliseconds
OPENED = "opened.then(() => true)"
GATHER = {"operator": "onnx.GatherND", "inputs": {"data": "3x4x2", "indices": "[[0,1],[2,-1]]"}}


@pytest.fixture(scope="module")
def calls(playground):
    """Drawn calls, more than one of each operator if there are enough."""
    examples = playground.run("examples")
    rows = playground.run("rows")
    rng = random.Random(SEED)
    return [draw(rng, number, examples, rows) for number in range(max(CALLS, len(examples)))]


def show(playground, call):
    return playground.run(f"(() => {{ showCall({json.dumps(call)}); showAnswer(); return {SHOWN}; }})()")


def native(call, *more):
    done = subprocess.run([COMMAND, *words(call), "--json", *more], capture_output=True, text=True, timeout=30)
    return json.loads(done.stdout)


def test_every_operator_has_a_call_in_the_page(playground):
    rows = playground.run("rows")
    assert set(playground.run("examples")) == {f"{row['dialect']}.{row['name']}" for row in rows}


def test_drawn_calls_are_explained_as_the_command_explains_them(playground, calls, tmp_path):
    failed = 0
    for number, call in enumerate(calls):
        answer = playground.run(f"library.ask({json.dumps({**call, 'as': []})})")
        page = tmp_path / f"{number}.html"
        expected = native(call, "--html", str(page))
        if "error" in expected:
            failed += 1
            assert answer == expected, call
            continue
        assert answer["explanation"] == expected, call
        assert answer["page"] == page.read_text(), call
    print(f"{len(calls)} calls, {failed} of them refused, seed {SEED}")
    assert failed < len(calls) / 2


def test_the_page_shows_result_and_messages(playground, calls):
    for call in calls:
        assert_shows(show(playground, call), native(call))
    assert playground.errors == []


def test_comparisons_are_those_of_the_command(playground):
    call = {**GATHER, "version": None, "dtypes": {}, "attributes": {}, "options": {}, "as": ["onnx.Gather"]}
    done = subprocess.run(
        [COMMAND, *words(call), "--as", "onnx.Gather"], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.endswith("\n\n" + show(playground, call)["compared"])


@pytest.mark.parametrize(
    "text",
    [
        "np.array([[0, 1], [2, -1]])",
        "array([[ 0,  1],\n       [ 2, -1]])",
        "[[0 1]\n [2 -1]]",
        "torch.tensor([[0, 1], [2, -1]], dtype=torch.int64)",
        "((0, 1), (2, -1),)",
    ],
)
def test_lists_may_be_spelled_as_numpy_and_torch_do(playground, text):
    shown = show(playground, {**GATHER, "inputs": {"data": "3x4x2", "indices": text}})
    assert (shown["failed"], shown["result"]) == (False, "[[2, 3],\n[22, 23]]")


def test_a_spelled_type_is_that_of_the_input(playground):
    call = {"operator": "array.Take", "inputs": {"data": "array([.5, 1.], dtype=float16)", "indices": "[1, 0]"}}
    answer = playground.run(f"library.ask({json.dumps(call)})")
    assert (answer["explanation"]["output"]["dtype"], answer["explanation"]["output"]["values"]) == (
        "float16",
        ["1", "0.5"],
    )


def test_a_broken_rule_is_named_and_the_next_call_is_answered(playground):
    broken = {**GATHER, "attributes": {"batch_dims": "7"}}
    assert "[ONNX-GatherND-A1]: batch_dims is 7" in show(playground, broken)["message"]
    misspelled = {**GATHER, "attributes": {"batch_dims": "x"}}  # thrown inside the module, which starts anew
    assert "'x', must be a whole number" in show(playground, misspelled)["message"]
    bad = {**GATHER, "inputs": {"data": "3x4x2", "indices": "[[0,1],[5,-1]]"}}
    assert show(playground, bad)["message"].startswith("indices[1, 0] is 5, which must lie in -3 to 2")
    assert not show(playground, GATHER)["failed"]


def test_the_link_holds_the_whole_call(playground):
    call = {**GATHER, "attributes": {"batch_dims": "0"}, "options": {"out-of-range": "clamp"}, "as": ["onnx.Gather"]}
    read = show(playground, call)["read"]
    link = playground.run("byId('link').hash")
    show(playground, {"operator": "array.Take", "inputs": {}})
    playground.run(f"location.hash = {json.dumps(link)}")
    for _ in range(50):  # the browser tells of the address later
        if playground.run("readCall()") == read:
            break
        time.sleep(0.1)
    assert playground.run("readCall()") == read


def test_arrow_keys_walk_through_the_output(playground):
    show(playground, GATHER)
    frame = "byId('picture').contentDocument"
    for _ in range(50):
        if playground.run(f"{frame}.readyState === 'complete' && !!{frame}.querySelector('[data-role=output] td[id]')"):
            break
        time.sleep(0.1)
    playground.run(f"{frame}.querySelector('[data-role=output] td[id]').focus()")
    playground.press("ArrowDown")
    said = playground.run(f"{frame}.getElementById('said').textContent")
    assert said.startswith("output[1, 0] = data[2, 3, 0] = 22: indices[1] = (2, -1)")
    marks = f"[...{frame}.querySelectorAll('td.%s')].map(cell => cell.getAttribute('aria-label').split(' ')[0])"
    assert len(playground.run(marks % "read")) == 2
    assert len(playground.run(marks % "source")) == 1


def test_size_and_times(playground, page_file):
    """The best of several times, since other programs run beside this one; of the calls, the slowest operator's."""
    timed = """(call => { const begin = performance.now(); library.ask(call); return performance.now() - begin; })(%s)"""
    examples = playground.run("examples")
    calls = {
        name: min(playground.run(timed % json.dumps({**call, "operator": name})) for _ in range(5))
        for name, call in examples.items()
    }
    paints = []
    for _ in range(5):
        playground.open(page_file)
        playground.call("Runtime.evaluate", expression=OPENED, awaitPromise=True)
        paints.append(playground.wait_until("performance.getEntriesByName('first-paint')[0]?.startTime"))
    size, slowest = page_file.stat().st_size, max(calls, key=calls.get)
    print(f"{size} bytes, first paint after {min(paints):.0f} ms, {slowest} {calls[slowest]:.1f} ms")
    assert size < MOST_BYTES
    assert min(paints) < MOST_PAINT
    assert calls[slowest] < MOST_CALL
