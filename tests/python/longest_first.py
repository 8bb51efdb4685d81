"""The order in which files of tests are run: the longest first, so that the end leaves no process alone with a long one.

It needs pytest's option --no-loadscope-reorder, which `dev` gives: the order would be that of the numbers of tests.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Those of about twenty seconds and more, as one run of all tests measured them.
LONGEST = """
    tests/outside/test_outside.py
    tests/openvino/test_openvino.py
    python/tests/test_models_are_kept.py
    python/tests/test_hypothesis.py
    python/tests/ranges/test_soundness.py
    python/tests/test_openvino_models_are_kept.py
    python/tests/jax/test_jax_gradients.py
    python/tests/test_megabytes.py
    tests/attack/test_low_memory.py
    python/tests/test_check_command.py
    python/tests/test_documentation.py
    tests/pictures/test_pages.py
    python/tests/distributed/test_lookup_over_ranks.py
    python/tests/fixes/test_fix_table.py
    python/tests/ranges/test_openvino_bounds.py
    bench/draws/tests/test_draws_run.py
    python/tests/jax/test_jax_bags.py
    python/tests/test_c_nulls.py
    python/tests/gate/test_gate.py
    tests/pictures/test_scoreboard.py
    tests/python/test_cases_schema.py
    bench/peers/tests/test_peers_run.py
    python/tests/jax/test_jax_values.py
    python/tests/check/test_across_hosts.py
    python/tests/distributed/test_mpi_ranks.py
    python/tests/test_leaks.py
    conformance/tests/test_kit_causes.py
    python/tests/test_result_pool.py
    python/tests/jax/test_jax_padding.py
    python/tests/jax/test_jax_errors.py
    python/tests/jax/test_jax_x64.py
    python/tests/test_playground.py
    python/tests/tables/test_table_writes.py
    python/tests/onnxruntime_plugin/test_ort_plugin_quantised.py
    python/tests/runners/test_runners.py
    python/tests/attack/test_table_attacks.py
    python/tests/exports/test_exported_models.py
    python/tests/jax/test_jax_transforms.py
    tests/site/test_site.py
    tests/attack/test_file_attacks.py
    python/tests/test_stubs.py
    python/tests/ranges/test_ill_formed.py
    python/tests/test_lifetime.py
    python/tests/test_explain.py
    python/tests/trt/test_trt_lifetime.py
    """.split()


def put_longest_first(items):
    """Sorts pytest's items; all that are of one file stay in their order."""
    places = {ROOT / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
