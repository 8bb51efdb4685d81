"""INetworkDefinition, its tensors and layers: their properties, setters and errors."""

import numpy as np
import pytest
import windrow
import windrow.trt as trt


def test_a_new_network_is_empty(network, builder):
    assert (len(network), network.num_layers, network.num_inputs, network.num_outputs) == (
        0,
        0,
        0,
        0,
    )
    assert network.builder is builder
    assert network.flags == 0
    network.name = "lookup"
    assert network.name == "lookup"


def test_flags_are_kept(builder):
    flag = trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED
    network = builder.create_network(flags=1 << int(flag))
    assert network.flags == 2
    assert network.get_flag(flag)
    assert not network.get_flag(trt.NetworkDefinitionCreationFlag.EXPLICIT_BATCH)


def test_inputs(network):
    tensor = network.add_input(name="x", dtype=trt.float16, shape=(2, -1, 4))
    assert (tensor.name, tensor.dtype, tensor.shape) == ("x", trt.DataType.HALF, (2, -1, 4))
    assert tensor.is_network_input and not tensor.is_network_output
    assert network.get_input(0) is tensor
    assert network.get_input(1) is None and network.get_input(-1) is None
    tensor.shape = [5, 6]
    tensor.name = "y"
    assert (tensor.name, tensor.shape) == ("y", (5, 6))
    assert network.add_input("scalar", trt.int32, ()).shape == ()


def test_dimension_names(network, logger):
    tensor = network.add_input("x", trt.float32, (-1, 4))
    assert tensor.get_dimension_name(0) is None
    tensor.set_dimension_name(index=0, name="batch")
    assert tensor.get_dimension_name(0) == "batch"
    tensor.set_dimension_name(0, None)
    assert tensor.get_dimension_name(0) is None
    tensor.set_dimension_name(2, "none")
    assert logger.take() == [
        "ITensor::setDimensionName: 'x' is not a network input with a dimension 2"
    ]


def test_named_dimensions_are_equal_in_a_run(network):
    tensors = [network.add_input(name, trt.int32, (-1,)) for name in "ab"]
    for tensor in tensors:
        tensor.set_dimension_name(0, "n")
    network.mark_output(network.add_gather(*tensors, 0).get_output(0))
    a, b = np.arange(3, dtype=np.int32), np.arange(2, dtype=np.int32)
    assert trt.testing.run(network, {"a": a, "b": a})
    with pytest.raises(windrow.ShapeError, match="n is 3 in input 'a'"):
        trt.testing.run(network, {"a": a, "b": b})


@pytest.mark.parametrize(
    ("name", "shape", "line"),
    [
        ("data", (2,), "'data': there is an input of this name already"),
        ("", (2,), "the name is empty"),
        ("n" * 4096, (2,), "the name has 4096 bytes, more than 4095"),
        ("x", (2, -2), "'x': dimension 1 is -2, must be at least -1"),
        ("x", trt.Dims.without_rank(), "'x': there are -1 dimensions, must be 0 to 8"),
    ],
)
def test_wrong_inputs_are_none(network, gather, logger, name, shape, line):
    assert network.add_input(name, trt.float32, shape) is None
    assert logger.messages == [(trt.ILogger.ERROR, f"INetworkDefinition::addInput: {line}")]
    logger.take()
    assert network.num_inputs == 2


def test_names_with_a_zero_byte_are_refused(network, gather):
    for call in [
        lambda: network.add_input("a\0b", trt.float32, (2,)),
        lambda: setattr(gather, "name", "a\0b"),
        lambda: setattr(gather.get_output(0), "name", "a\0b"),
        lambda: setattr(network, "name", "a\0b"),
    ]:
        with pytest.raises(ValueError, match="zero byte"):
            call()
    assert network.num_inputs == 2 and gather.name == "(Unnamed Layer* 0) [Gather]"


def test_layers(network, gather):
    assert len(network) == network.num_layers == 1
    assert network[0] is network[-1] is network.get_layer(0) is gather
    assert list(network) == [gather]
    assert network.get_layer(1) is None
    for index in (1, -2):
        with pytest.raises(IndexError, match=f"there is no layer {index}, the network has 1"):
            network[index]
    assert gather.name == "(Unnamed Layer* 0) [Gather]"
    assert gather.type == trt.LayerType.GATHER
    assert (gather.num_inputs, gather.num_outputs) == (2, 1)
    assert gather.get_input(0) is network.get_input(0)
    assert gather.get_input(2) is None and gather.get_output(1) is None
    assert gather.get_output(0).name == "(Unnamed Layer* 0) [Gather]_output"
    assert gather.get_output_type(0) == trt.float32
    gather.name, gather.metadata = "lookup", "from the decoder"
    assert (gather.name, gather.metadata) == ("lookup", "from the decoder")


def test_layers_come_back_in_the_class_of_their_kind(network, gather):
    classes = {
        network.add_gather_v2(
            *map(network.get_input, (0, 1)), trt.GatherMode.ELEMENT
        ): trt.IGatherLayer,
        network.add_cast(gather.get_input(1), trt.int64): trt.ICastLayer,
        network.add_constant((1,), np.ones(1, np.float32)): trt.IConstantLayer,
    }
    for layer, kind in classes.items():
        assert type(layer) is kind and isinstance(layer, trt.ILayer)
    kinds = [trt.IGatherLayer, *classes.values()]
    del layer, classes
    assert [type(layer) for layer in network] == kinds
    gather.__class__ = trt.IGatherLayer  # what programs for TensorRT do with an ILayer


def test_a_misspelt_property_is_an_error(gather):
    with pytest.raises(AttributeError):
        gather.axes = 1
    with pytest.raises(AttributeError):
        gather.get_output(0).dtype = trt.int32


def test_gather_settings(network, gather):
    assert (gather.mode, gather.axis, gather.num_elementwise_dims) == (trt.GatherMode.DEFAULT, 1, 0)
    gather.num_elementwise_dims, gather.mode, gather.axis = 1, trt.GatherMode.ND, 0
    assert (gather.mode, gather.axis, gather.num_elementwise_dims) == (trt.GatherMode.ND, 0, 1)
    data, indices = gather.get_input(0), gather.get_input(1)
    other = network.add_gather_v2(input=data, indices=indices, mode=trt.GatherMode.ELEMENT)
    assert (other.mode, other.axis, other.num_elementwise_dims) == (trt.GatherMode.ELEMENT, 0, 0)


def test_scatter_settings(network, gather):
    data, indices = gather.get_input(0), gather.get_input(1)
    layer = network.add_scatter(
        data=data, indices=indices, updates=data, mode=trt.ScatterMode.ELEMENT
    )
    assert (layer.type, layer.mode, layer.axis) == (
        trt.LayerType.SCATTER,
        trt.ScatterMode.ELEMENT,
        0,
    )
    layer.axis, layer.mode = 1, trt.ScatterMode.ND
    assert (layer.axis, layer.mode) == (1, trt.ScatterMode.ND)


def test_other_settings(network, gather):
    data, indices = gather.get_input(0), gather.get_input(1)
    one_hot = network.add_one_hot(indices=indices, values=data, depth=indices, axis=-1)
    assert (one_hot.type, one_hot.axis) == (trt.LayerType.ONE_HOT, -1)
    one_hot.axis = 0
    assert one_hot.axis == 0
    cast = network.add_cast(input=data, to_type=trt.float16)
    assert (cast.type, cast.to_type, cast.get_output(0).dtype) == (
        trt.LayerType.CAST,
        trt.float16,
        trt.float16,
    )
    cast.to_type = trt.bfloat16
    assert cast.get_output_type(0) == trt.bfloat16
    update = network.add_kv_cache_update(
        cache=data, update=data, write_indices=indices, cache_mode=trt.KVCacheMode.LINEAR
    )
    assert (update.type, update.cache_mode) == (
        trt.LayerType.KVCACHE_UPDATE,
        trt.KVCacheMode.LINEAR,
    )
    update.cache_mode = trt.KVCacheMode.LINEAR


def test_settings_take_their_own_enumeration_alone(network, gather):
    data, indices = gather.get_input(0), gather.get_input(1)
    for call in [
        lambda: setattr(gather, "mode", trt.ScatterMode.ND),
        lambda: setattr(gather, "mode", 1),
        lambda: network.add_gather_v2(data, indices, trt.ScatterMode.ND),
        lambda: network.add_scatter(data, indices, data, 0),
        lambda: network.add_cast(data, np.float32),
        lambda: network.add_input("x", np.float32, (2,)),
        lambda: network.add_gather(data, None, 0),
        lambda: network.add_gather(data, indices, 2**31),
        lambda: setattr(gather, "axis", 1.0),
    ]:
        with pytest.raises(TypeError):
            call()
    assert gather.mode == trt.GatherMode.DEFAULT and gather.axis == 1 and len(network) == 1


def test_inputs_of_layers_can_be_set(network, gather, logger):
    other = network.add_input("other", trt.float32, (7, 8))
    gather.set_input(index=0, tensor=other)
    assert gather.get_input(0) is other
    assert gather.get_output(0).shape == (7, 4)
    gather.set_input(2, other)
    assert logger.take() == ["ILayer::setInput: layer '(Unnamed Layer* 0) [Gather]' has no input 2"]


def test_tensors_of_another_network_are_refused(builder, network, gather, logger):
    data, indices = gather.get_input(0), gather.get_input(1)
    other = builder.create_network()
    stranger = other.add_input("x", trt.float32, (2, 3))
    assert network.add_gather(stranger, indices, 0) is None
    assert network.add_scatter(data, indices, stranger, trt.ScatterMode.ND) is None
    gather.set_input(0, stranger)
    network.mark_output(stranger)
    network.unmark_output(stranger)
    assert logger.take() == [
        "INetworkDefinition::addGather: data is not a tensor of this network",
        "INetworkDefinition::addScatter: updates is not a tensor of this network",
        "ILayer::setInput: tensor is not a tensor of this network",
        "INetworkDefinition::markOutput: tensor is not a tensor of this network",
        "INetworkDefinition::unmarkOutput: tensor is not a tensor of this network",
    ]
    assert (len(network), network.num_outputs) == (1, 0) and gather.get_input(0) is data


def test_outputs(network, gather, logger):
    output = gather.get_output(0)
    network.mark_output(tensor=output)
    assert output.is_network_output and network.num_outputs == 1
    assert network.get_output(0) is output and network.get_output(1) is None
    network.mark_output(output)
    network.mark_output(gather.get_input(0))
    network.unmark_output(output)
    network.unmark_output(tensor=output)
    lines = logger.take()
    assert len(lines) == 3
    for line, text in zip(
        lines, ["is an output already", "'data' is an input", "is not an output"], strict=True
    ):
        assert text in line
    assert network.num_outputs == 0


def test_a_shape_follows_from_the_inputs(gather, logger):
    output = gather.get_output(0)
    assert output.shape == (2, 4)
    gather.get_input(1).shape = (-1, 3)
    assert output.shape == (2, -1, 3)
    output.shape = (1, 1)
    [line] = logger.take()
    assert "is not a network input" in line


def test_layers_that_are_not_here(network):
    with pytest.raises(AttributeError, match="no add_slice here; there are: .*add_gather_v2"):
        network.add_slice
    with pytest.raises(AttributeError, match="INetworkDefinition has no depth$"):
        network.depth
    assert not hasattr(network, "add_shuffle")
    with pytest.raises(TypeError):
        trt.INetworkDefinition()


def test_deep_networks(network):
    """A thousand layers, one behind the other."""
    tensor = network.add_input("x", trt.int32, (3,))
    indices = network.add_constant((3,), np.array([1, 2, 0], np.int32)).get_output(0)
    for _ in range(1000):
        tensor = network.add_gather(tensor, indices, 0).get_output(0)
    network.mark_output(tensor)
    assert tensor.shape == (3,)
    [result] = trt.testing.run(network, {"x": np.array([5, 6, 7], np.int32)}).values()
    assert result.tolist() == [6, 7, 5]
