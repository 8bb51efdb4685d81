"""The order in which files of tests are run: the longest first, so that the end leaves no process alone with a long one.

It needs pytest's option --no-loadscope-reorder, which `dev` gives: the order would be that of the numbers of tests.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Those of about ten seconds and more.
LONGEST = """
    python/tests/ranges/test_soundness.py
    python/tests/test_openvino_models_are_kept.py
    python/tests/test_hypothesis.py
    python/tests/jax/test_jax_gradients.py
    python/tests/jax/test_jax_x64.py
    python/tests/jax/test_jax_values.py
    python/tests/tables/test_table_writes.py
    python/tests/jax/test_jax_bags.py
    python/tests/check/test_across_hosts.py
    conformance/tests/test_kit_causes.py
    python/tests/distributed/test_lookup_over_ranks.py
    python/tests/jax/test_jax_transforms.py
    python/tests/exports/test_exported_models.py
    bench/draws/tests/test_draws_run.py
    bench/peers/tests/test_peers_run.py
    python/tests/ranges/test_openvino_bounds.py
    python/tests/distributed/test_mpi_ranks.py
    python/tests/distributed/test_batches.py
    python/tests/jax/test_jax_padding.py
    python/tests/attack/test_table_attacks.py
    python/tests/runners/test_runners.py
    python/tests/runners/test_pool.py
    python/tests/ranges/test_departures.py
    python/tests/test_documentation.py
    python/tests/test_stubs.py
    python/tests/test_wheel.py
    python/tests/test_leaks.py
    tests/attack/test_file_attacks.py
    tests/attack/test_low_memory.py
    tests/outside/test_outside.py
    tests/openvino/test_openvino.py
    tests/instructions/test_instructions.py
    tests/cli/test_ir_openvino.py
    tests/pictures/test_pages.py
    tests/playground/test_playground.py
    """.split()


def put_longest_first(items):
    """Sorts pytest's items; all that are of one file stay in their order."""
    places = {ROOT / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
