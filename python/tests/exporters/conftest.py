"""Exports each network once for all tests that check it."""

import importlib.util
import logging
import warnings

import pytest

# ./dev test --exporters installs the packages; elsewhere these tests are not collected.
HAS_PACKAGES = all(map(importlib.util.find_spec, ("torch", "torchvision", "transformers", "ultralytics")))
collect_ignore_glob = [] if HAS_PACKAGES else ["test_*.py"]


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """A function that gives the file of a network's export: (name, is it the new exporter, opset)."""
    from networks import NETWORKS, export

    folder = tmp_path_factory.mktemp("exported")
    logging.disable(logging.WARNING)

    def file_of(name, dynamo, opset):
        path = folder / f"{name}-{'dynamo' if dynamo else 'script'}-{opset}.onnx"
        if not path.exists():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the exporters warn of their own deprecations
                export(NETWORKS[name](), path, dynamo=dynamo, opset=opset)
        return path

    return file_of
