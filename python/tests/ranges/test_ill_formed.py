"""The analysis and the check return on models that every runtime refuses."""

import os
import secrets

from batches import run_in_batches
from ill_formed import MUTANTS_OF_A_GRAPH, Count
from soundness import OURS, STAGE

GRAPHS = int(os.environ.get("WINDROW_RANGE_GRAPHS", "2500")) // 10
SEED = int(os.environ.get("WINDROW_RANGE_SEED", secrets.randbelow(2**32)))


def test_ill_formed_graphs_end_no_process(capsys):
    (count,), lost = run_in_batches("ill_formed", range(SEED, SEED + GRAPHS), (Count,), preload=["onnx.reference", "onnxruntime"], told=STAGE)
    ended = [text for text, stage in lost if stage not in OURS]  # ONNX Runtime ended its process while the graph was drawn
    lost = [text for text, stage in lost if stage in OURS]
    with capsys.disabled():
        print(f"\nill-formed graphs: WINDROW_RANGE_SEED={SEED}: {count.models} models, {count.read} of them looked at")
    assert not lost, "\n".join(lost[:10])
    assert count.models == (GRAPHS - len(ended)) * MUTANTS_OF_A_GRAPH
    assert count.read > count.models / 2
