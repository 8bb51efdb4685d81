"""Compares OpenVINO IR files by their contents."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import windrow


def _plain_element(element):
    """An element with everything below it."""
    return element.tag, sorted(element.attrib.items()), (element.text or "").strip(), [
        _plain_element(child) for child in element
    ]


def _plain_layer(layer, bin):
    data = dict(getattr(layer.find("data"), "attrib", {}))
    if layer.get("type") == "Const":
        offset, size = int(data.pop("offset")), int(data.pop("size"))
        is_empty = "0" in data["shape"].split(", ")  # OpenVINO writes a byte then
        data["bytes"] = b"" if is_empty else bin[offset : offset + size]
    known = ("data", "body", "then_body", "else_body", "port_map", "then_port_map", "else_port_map", "back_edges")
    others = sorted(str(_plain_element(child)) for child in layer if child.tag not in known)
    bodies = {child.tag: _plain_graph(child, bin) for child in layer if child.tag.endswith("body")}
    maps = sorted(str(_plain_map(child, layer)) for child in layer if child.tag.endswith(("_map", "_edges")))
    attributes = {name: value for name, value in layer.attrib.items() if name != "id"}
    return attributes, data, others, bodies, maps


def _plain_map(element, layer):
    """A port map with the names of layers for their ids."""
    body = layer.find(element.tag.replace("port_map", "body").replace("back_edges", "body"))
    names = {each.get("id"): each.get("name") for each in body.find("layers")}
    ids = ("internal_layer_id", "from-layer", "to-layer")
    return element.tag, [
        (entry.tag, sorted((name, names[value] if name in ids else value) for name, value in entry.items()))
        for entry in element
    ]


def _plain_graph(graph, bin):
    layers = graph.find("layers")
    names = {layer.get("id"): layer.get("name") for layer in layers}
    assert len(set(names.values())) == len(names)
    edges = sorted(
        (names[edge.get("from-layer")], edge.get("from-port"), names[edge.get("to-layer")], edge.get("to-port"))
        for edge in graph.find("edges")
    )
    order = [layer.get("name") for layer in layers if layer.get("type") in ("Parameter", "Result")]
    others = [_plain_element(child) for child in graph if child.tag not in ("layers", "edges")]
    return dict(graph.attrib), {layer.get("name"): _plain_layer(layer, bin) for layer in layers}, edges, order, others


def plain(path):
    """The contents of an IR, without the numbers and the order of its layers."""
    path = Path(path)
    return _plain_graph(ElementTree.parse(path).getroot(), path.with_suffix(".bin").read_bytes())


def keep(path):
    """Reads, inspects and writes an IR, then does the same with the written file; returns the path of the latter."""
    once, twice = (str(Path(path).with_name(f"{stem}.xml")) for stem in ("once", "twice"))
    model = windrow.load(path)
    model.inspect()
    model.save(once)
    windrow.load(once).save(twice)
    for end in (".xml", ".bin"):
        assert Path(once).with_suffix(end).read_bytes() == Path(twice).with_suffix(end).read_bytes(), path
    assert plain(path) == plain(once), path
    return once
