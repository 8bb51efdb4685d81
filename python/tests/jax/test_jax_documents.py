"""The examples of the docstrings, and that every function has one."""

import doctest
import inspect

import jax.numpy as jnp
import numpy as np
import pytest

import windrow.jax as wj


@pytest.mark.parametrize("name", wj.__all__)
def test_docstring(name):
    function = getattr(wj, name)
    assert "Shapes: " in function.__doc__ or name == "index_reduce"
    names = {"np": np, **{other: getattr(wj, other) for other in wj.__all__}}
    test = doctest.DocTestParser().get_doctest(function.__doc__, names, name, name, 0)
    assert test.examples
    report = []
    runner = doctest.DocTestRunner()
    runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)


def test_signatures_are_those_of_the_package():
    """A function that both packages have has the same parameters, up to the options."""
    import windrow

    for name in ("index_add", "index_reduce", "take", "take_along_axis"):
        theirs = inspect.signature(getattr(windrow, name)).parameters
        for parameter in inspect.signature(getattr(wj, name)).parameters.values():
            if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
                assert theirs[parameter.name].default == parameter.default, (name, parameter)


def test_put_along_axis_has_the_signature_of_jax():
    """The package's own function changes its array."""
    theirs = inspect.signature(jnp.put_along_axis).parameters
    ours = inspect.signature(wj.put_along_axis).parameters
    positional = [name for name in ours if ours[name].kind is ours[name].POSITIONAL_OR_KEYWORD]
    assert positional == list(theirs)[: len(positional)]
    assert ours["inplace"].default is theirs["inplace"].default is True
