"""Builder, IBuilderConfig and IOptimizationProfile: kept settings, and no engines."""

import pytest
import windrow
import windrow.trt as trt


@pytest.fixture
def config(builder):
    return builder.create_builder_config()


def test_flags_of_a_config(config):
    assert config.flags == 0
    config.set_flag(trt.BuilderFlag.FP16)
    config.set_flag(flag=trt.BuilderFlag.TF32)
    assert config.get_flag(trt.BuilderFlag.FP16)
    assert config.flags == 1 << int(trt.BuilderFlag.FP16) | 1 << int(trt.BuilderFlag.TF32)
    config.clear_flag(trt.BuilderFlag.FP16)
    assert not config.get_flag(trt.BuilderFlag.FP16)
    config.flags = 3
    assert config.flags == 3
    with pytest.raises(TypeError):
        config.set_flag(0)


def test_settings_of_a_config(config):
    assert config.get_memory_pool_limit(trt.MemoryPoolType.WORKSPACE) == 0
    config.set_memory_pool_limit(trt.MemoryPoolType.WORKSPACE, 1 << 40)
    assert config.get_memory_pool_limit(trt.MemoryPoolType.WORKSPACE) == 1 << 40
    assert config.builder_optimization_level == 3
    config.builder_optimization_level = 5
    assert config.builder_optimization_level == 5
    assert config.profiling_verbosity == trt.ProfilingVerbosity.LAYER_NAMES_ONLY
    config.profiling_verbosity = trt.ProfilingVerbosity.DETAILED
    assert config.profiling_verbosity == trt.ProfilingVerbosity.DETAILED


def test_profiles(builder, config):
    profile = builder.create_optimization_profile()
    assert profile.get_shape("x") == []
    profile.set_shape("x", min=(1, 4), opt=(8, 4), max=trt.Dims2(64, 4))
    assert profile.get_shape("x") == [(1, 4), (8, 4), (64, 4)]
    assert profile
    assert config.add_optimization_profile(profile) == 0
    assert config.num_optimization_profiles == 1
    backwards = builder.create_optimization_profile()
    backwards.set_shape("x", (8, 4), (1, 4), (64, 4))
    assert not backwards
    assert config.add_optimization_profile(backwards) == -1
    with pytest.raises(windrow.ArgumentError, match="range of input 'x'"):
        profile.set_shape("x", (1, 4), (-1, 4), (64, 4))


def test_there_are_no_engines(builder, network, config, logger):
    assert builder.build_serialized_network(network, config) is None
    assert builder.build_engine_with_config(network=network, config=config) is None
    lines = logger.take()
    assert len(lines) == 2
    for line in lines:
        assert "windrow.trt.testing.run(network, inputs)" in line


def test_is_network_supported(builder, network, config, gather, logger):
    assert not builder.is_network_supported(network, config)
    assert "the network has no output" in logger.take()[0]
    network.mark_output(gather.get_output(0))
    assert builder.is_network_supported(network, config)
    gather.axis = 9
    assert not builder.is_network_supported(network, config)
    assert "TENSORRT-Gather-A1" in logger.take()[0]


def test_objects_are_context_managers(logger):
    with (
        trt.Builder(logger) as builder,
        builder.create_network() as network,
        builder.create_builder_config() as config,
    ):
        network.add_input("x", trt.float32, (2,))
    assert builder.logger is logger and network.num_inputs == 1 and config.flags == 0
    with pytest.raises(KeyError), trt.Builder(logger):
        raise KeyError


def test_a_builder_needs_a_logger():
    for call in [trt.Builder, lambda: trt.Builder(None), lambda: trt.Builder("x")]:
        with pytest.raises(TypeError):
            call()


def test_a_builder_can_be_derived_from(logger):
    class MyBuilder(trt.Builder):
        pass

    builder = MyBuilder(logger)
    assert type(builder) is MyBuilder
    assert builder.create_network().num_layers == 0
